//! Which degrees and moduli are allowed, and why decryption is correct with them.
//!
//! `c·f = 3(g·r + m·f') + m`. If all coefficients are at most 1 in absolute value, a coefficient of
//! either product is at most `n`, so the whole is at most `6n + 1`; all signs can agree, so the
//! bound is reached. Decryption never fails if and only if `6n + 1 ≤ (q - 1)/2`, which for an odd
//! `q` means `q ≥ 12n + 3`: Bakkebø's Theorem 1, `n < (q - 1)/4p` for `p = 3`, although her proof
//! omits the last `m`. q = 12289 misses n = 1024 by one.

use super::{Error, MAX_DEGREE, MAX_LOG2_FAILURE, MIN_DEGREE, TERNARY};
use crate::{
    bits::Interval,
    estimate::{
        self, Estimate, Shape,
        failure::{self, Distribution},
    },
};
use ntt::{Request, arith::Modulus};

/// The wire form of public keys and ciphertexts. Secret keys and messages are ternary coefficients
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

/// A degree, a modulus and a wire form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    n: usize,
    q: u32,
    log2_failure: Option<f64>,
    form: Form,
}

/// The named set: the smallest modulus above Theorem 1's bound that splits the ring of degree 1024
/// completely. Decryption never fails.
pub const NTRU_1024: Parameters = Parameters { n: 1024, q: 18433, log2_failure: None, form: Form::Coefficients };

impl Parameters {
    /// Parameters with which every message decrypts.
    ///
    /// **Errors** unless `n` is a power of two from [`MIN_DEGREE`] to [`MAX_DEGREE`] and `q` an odd
    /// prime below 2^30 with `q ≥ 12n + 3`.
    pub fn new(n: usize, q: u32) -> Result<Self, Error> {
        let parameters = Self::checked(n, q)?;
        if u64::from(q) < least_modulus(n) {
            return Err(Error::Correctness { n, q, least: least_modulus(n), prime: suitable_prime(n) });
        }
        Ok(parameters)
    }

    /// Parameters with which a decryption fails with a probability of at most
    /// `2^`[`MAX_LOG2_FAILURE`], assuming that the coefficients of a product are independent, and
    /// for messages without zeros, which are the worst.
    ///
    /// **Errors** unless `n` and `q` are as for [`new`](Self::new), apart from the bound, and the
    /// probability is within the limit.
    pub fn with_small_failure(n: usize, q: u32) -> Result<Self, Error> {
        let parameters = Self::checked(n, q)?;
        if u64::from(q) >= least_modulus(n) {
            return Ok(parameters);
        }
        let log2_probability = parameters.compute_failure().map_err(|_| Error::Degree { n })?;
        if log2_probability > MAX_LOG2_FAILURE {
            return Err(Error::Failure { n, q, log2_probability, least: least_modulus(n) });
        }
        Ok(Self { log2_failure: Some(log2_probability), ..parameters })
    }

    /// log2 of the probability that one of the `n` coefficients of `g·r + m·f'` exceeds
    /// `((q - 1)/2 - 1)/3`.
    fn compute_failure(self) -> Result<f64, failure::Error> {
        let n = self.n as u64;
        let short = Distribution::ternary([5.0 / 16.0, 6.0 / 16.0, 5.0 / 16.0])?;
        let sum = short.product(&short)?.times(n)?.sum(&short.times(n)?)?;
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let limit = (u64::from(self.q >> 1) - 1) / 3;
        Ok((sum.tail(limit) + (n as f64).log2()).min(0.0))
    }

    /// The cost of finding the secret key.
    ///
    /// **Errors** if no attack of the model succeeds, or if the modulus is overstretched.
    pub fn security(self) -> Result<Estimate, estimate::Error> {
        let short = Shape::Ternary(10.0 / 16.0);
        estimate::Ntru { n: self.n, q: u64::from(self.q).into(), f: short, g: short }.security()
    }

    fn checked(n: usize, q: u32) -> Result<Self, Error> {
        if !n.is_power_of_two() || !(MIN_DEGREE..=MAX_DEGREE).contains(&n) {
            return Err(Error::Degree { n });
        }
        if q >> 30 != 0 {
            return Err(Error::Modulus { q });
        }
        Modulus::new(q.into()).map_err(|e| Error::Plan(e.into()))?;
        Ok(Self { n, q, log2_failure: None, form: Form::Coefficients })
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

    /// log2 of the probability that a decryption fails; `None` if none does.
    pub const fn log2_failure(self) -> Option<f64> {
        self.log2_failure
    }

    /// Bytes of a public key or a ciphertext.
    pub const fn polynomial_bytes(self) -> usize {
        Interval::below(self.q as u64).bytes(self.n) + self.form.depth().is_some() as usize
    }

    /// Bytes of a secret key or a message.
    pub const fn ternary_bytes(self) -> usize {
        TERNARY.bytes(self.n)
    }
}

/// The smallest modulus that leaves room for every sum.
pub(super) const fn least_modulus(n: usize) -> u64 {
    12 * n as u64 + 3
}

/// The smallest prime above that with which the ring splits completely.
fn suitable_prime(n: usize) -> u64 {
    let step = 2 * n as u64;
    let mut candidate = 7 * step + 1; // 6·2n + 1 is below 12n + 3
    while !ntt::arith::is_prime(candidate) {
        candidate += step;
    }
    candidate
}
