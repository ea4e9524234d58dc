//! Which degrees and moduli are allowed, and why decryption is correct with them.
//!
//! `c·f = p(g·r + m·f') + m`. If all coefficients of `f'`, `g` and `r` are at most 1 in absolute value, and those of
//! `m` at most `M = ⌊p/2⌋`, coefficients of the products are at most `n` and `Mn`, so the whole is at most
//! `p(1 + M)n + M`; all signs can agree, so the bound is reached. Decryption never fails if and only if that is at
//! most `(q - 1)/2`, which for an odd `q` means `q ≥ 2p(1 + M)n + 2M + 1`. For `p = 2` and 3 it is Bakkebø's Theorem 1,
//! `n < (q - 1)/4p`, although her proof omits the last `m`; for larger `p` hers is enough for ternary messages alone.
//! For `p = 3` it is `q ≥ 12n + 3`, and q = 12289 misses n = 1024 by one.

use super::{Error, MAX_DEGREE, MAX_LOG2_FAILURE, MESSAGE_MODULI, MIN_DEGREE, TERNARY, error::bound};
use crate::{
    bits::Interval,
    estimate::{
        self, Estimate, Shape,
        failure::{self, Distribution},
    },
};
use ntt::{Request, arith::Modulus};

/// The wire form of public keys and ciphertexts. Secret keys and messages are small coefficients
/// in either form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Coefficients, which hide the transforms that either side runs.
    Coefficients,
    /// Slots of transforms of that depth, in canonical order and with the smallest root: Bakkebø's
    /// section 4.3.1.
    Slots {
        /// The number of layers.
        depth: u32,
    },
}

impl Form {
    /// The depth of slots; `None` for coefficients.
    pub const fn depth(self) -> Option<u32> {
        match self {
            Self::Coefficients => None,
            Self::Slots { depth } => Some(depth),
        }
    }
}

/// A degree, a modulus, a modulus of messages and a wire form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    n: usize,
    q: u32,
    p: u32,
    log2_failure: Option<f64>,
    form: Form,
    measuring_only: bool,
}

/// The named set: the smallest modulus above Theorem 1's bound that splits the ring of degree 1024
/// completely. Decryption never fails.
pub const NTRU_1024: Parameters =
    Parameters { n: 1024, q: 18433, p: 3, log2_failure: None, form: Form::Coefficients, measuring_only: false };

impl Parameters {
    /// Parameters with which every message modulo 3 decrypts.
    ///
    /// **Errors** unless `n` is a power of two from [`MIN_DEGREE`] to [`MAX_DEGREE`] and `q` an odd
    /// prime below 2^30 with `q ≥ 12n + 3`.
    pub fn new(n: usize, q: u32) -> Result<Self, Error> {
        Self::power_of_two(n, q)?.never_failing()
    }

    /// Parameters for experiments, with which every message modulo `p` decrypts: `n` as in the thesis' table 2.1, any
    /// `2^k·a`. Keys of encapsulation are refused, since there is no [`security`](Self::security): `X^n + 1` has
    /// factors over the integers unless `n` is a power of two, and messages modulo other `p` than 3 are not as short
    /// as keys.
    ///
    /// **Errors** unless `n` is from [`MIN_DEGREE`] to [`MAX_DEGREE`], `p` one of [`MESSAGE_MODULI`], and `q` another
    /// prime, below 2^30, with `q ≥ 2p(1 + ⌊p/2⌋)n + 2⌊p/2⌋ + 1`.
    pub fn measuring_only(n: usize, q: u32, p: u32) -> Result<Self, Error> {
        Self::of_any_degree(n, q, p)?.never_failing()
    }

    /// The same with a failure probability of at most `2^`[`MAX_LOG2_FAILURE`] for messages of the largest
    /// coefficients, as in [`with_small_failure`](Self::with_small_failure).
    ///
    /// **Errors** unless all but the bound on `q` is as for [`measuring_only`](Self::measuring_only), and the
    /// probability is within the limit.
    pub fn measuring_only_with_small_failure(n: usize, q: u32, p: u32) -> Result<Self, Error> {
        Self::of_any_degree(n, q, p)?.seldom_failing()
    }

    fn never_failing(self) -> Result<Self, Error> {
        let Self { n, q, p, .. } = self;
        let least = self.least_modulus();
        if u64::from(q) < least {
            return Err(Error::Correctness { n, q, p, least, prime: self.suitable_prime() });
        }
        Ok(self)
    }

    /// Parameters with which a decryption fails with a probability of at most
    /// `2^`[`MAX_LOG2_FAILURE`], assuming that the coefficients of a product are independent, and
    /// for messages without zeros, which are the worst.
    ///
    /// **Errors** unless `n` and `q` are as for [`new`](Self::new), apart from the bound, and the
    /// probability is within the limit.
    pub fn with_small_failure(n: usize, q: u32) -> Result<Self, Error> {
        Self::power_of_two(n, q)?.seldom_failing()
    }

    fn seldom_failing(self) -> Result<Self, Error> {
        let Self { n, q, .. } = self;
        let least = self.least_modulus();
        if u64::from(q) >= least {
            return Ok(self);
        }
        let log2_probability = self.compute_failure().map_err(|_| Error::Size { n })?;
        if log2_probability > MAX_LOG2_FAILURE {
            return Err(Error::Failure { n, q, log2_probability, least });
        }
        Ok(Self { log2_failure: Some(log2_probability), ..self })
    }

    /// log2 of the probability that one of the `n` coefficients of `g·r + m·f'` exceeds
    /// `((q - 1)/2 - M)/p`, if all of `m` are `M` or `-M`.
    fn compute_failure(self) -> Result<f64, failure::Error> {
        let n = self.n as u64;
        let short = Distribution::ternary([5.0 / 16.0, 6.0 / 16.0, 5.0 / 16.0])?;
        let [_, largest] = self.message_range();
        let of_message = Distribution::point(largest.into()).product(&short)?;
        let sum = short.product(&short)?.times(n)?.sum(&of_message.times(n)?)?;
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let limit = (self.q >> 1).saturating_sub(self.p >> 1) / self.p;
        Ok((sum.tail(limit.into()) + (n as f64).log2()).min(0.0))
    }

    /// The cost of finding the secret key.
    ///
    /// **Errors** if no attack of the model succeeds, if the modulus is overstretched, or for parameters for measuring.
    pub fn security(self) -> Result<Estimate, estimate::Error> {
        if self.measuring_only {
            return Err(estimate::Error::Unmodelled(UNMODELLED));
        }
        let short = Shape::Ternary(10.0 / 16.0);
        estimate::Ntru { n: self.n, q: u64::from(self.q).into(), f: short, g: short }.security()
    }

    fn power_of_two(n: usize, q: u32) -> Result<Self, Error> {
        if !n.is_power_of_two() || !(MIN_DEGREE..=MAX_DEGREE).contains(&n) {
            return Err(Error::Degree { n });
        }
        Ok(Self { measuring_only: false, ..Self::of_any_degree(n, q, 3)? })
    }

    fn of_any_degree(n: usize, q: u32, p: u32) -> Result<Self, Error> {
        if !(MIN_DEGREE..=MAX_DEGREE).contains(&n) {
            return Err(Error::Size { n });
        }
        if q >> 30 != 0 {
            return Err(Error::Modulus { q });
        }
        if !MESSAGE_MODULI.contains(&p) || p == q {
            return Err(Error::MessageModulus { p, q });
        }
        Modulus::new(q.into()).map_err(|e| Error::Plan(e.into()))?;
        Ok(Self { n, q, p, log2_failure: None, form: Form::Coefficients, measuring_only: true })
    }

    /// The smallest odd modulus that leaves room for every sum.
    const fn least_modulus(self) -> u64 {
        let [of_degree, rest] = bound(self.p);
        of_degree * self.n as u64 + rest
    }

    /// A prime from there on with which the ring splits as far as layers in two go.
    fn suitable_prime(self) -> u64 {
        let step = 2 * self.n as u64;
        let [of_degree, _] = bound(self.p);
        // `of_degree/2` steps and one are below the least modulus.
        let mut candidate = ((of_degree >> 1) + 1) * step + 1;
        while !ntt::arith::is_prime(candidate) {
            candidate += step;
        }
        candidate
    }

    /// The same parameters with public keys and ciphertexts as slots of that depth.
    ///
    /// **Errors** if there is no such transform.
    pub fn in_transform_domain(self, depth: u32) -> Result<Self, Error> {
        let parameters = Self { form: Form::Slots { depth }, ..self };
        parameters.request().recipe(i32::BITS)?;
        Ok(parameters)
    }

    /// The request for suitable transforms.
    pub(super) fn request(self) -> Request {
        let request = Request::new(self.n, self.q.into());
        match self.form {
            Form::Coefficients => request.best_depth(),
            Form::Slots { depth } => request.depth(depth),
        }
    }

    /// The wire form of public keys and ciphertexts.
    pub const fn form(self) -> Form {
        self.form
    }

    /// The degree.
    pub const fn n(self) -> usize {
        self.n
    }

    /// The modulus.
    pub const fn q(self) -> u32 {
        self.q
    }

    /// The modulus of messages.
    pub const fn p(self) -> u32 {
        self.p
    }

    /// The least and the largest coefficient of a message: `-(p - 1)/2` and `(p - 1)/2`, or 0 and 1 for `p = 2`.
    pub const fn message_range(self) -> [i8; 2] {
        [-(((self.p - 1) >> 1) as i8), (self.p >> 1) as i8]
    }

    /// The same as bits on the wire.
    pub(super) const fn of_messages(self) -> Interval {
        if self.p == 2 { Interval::below(2) } else { Interval::symmetric((self.p >> 1) as u64) }
    }

    /// log2 of the probability that a decryption fails; `None` if none does.
    pub const fn log2_failure(self) -> Option<f64> {
        self.log2_failure
    }

    /// Bytes of a public key or a ciphertext.
    pub const fn polynomial_bytes(self) -> usize {
        Interval::below(self.q as u64).bytes(self.n) + self.form.depth().is_some() as usize
    }

    /// Bytes of a secret key.
    pub const fn ternary_bytes(self) -> usize {
        TERNARY.bytes(self.n)
    }

    /// Bytes of a message.
    pub const fn message_bytes(self) -> usize {
        self.of_messages().bytes(self.n)
    }

    /// Random bytes of a polynomial of β_2.
    pub(super) const fn coins(self) -> usize {
        (self.n + 1) >> 1
    }
}

/// What the model of [`Parameters::security`] has no attack for.
const UNMODELLED: &str = "NTRU parameters for measuring: of a degree that is no power of two, whose ring has factors \
                          over the integers, or with messages modulo other numbers than 3";
