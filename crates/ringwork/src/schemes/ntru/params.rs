//! Which degrees and moduli, and why these decrypt.
//!
//! `c·f = 3(g·r + m·f') + m`. With coefficients of absolute value at most 1, a coefficient of either product is at most
//! `n`, so the whole is at most `6n + 1`; all signs can agree, so that bound is reached. Decryption never fails exactly
//! if `6n + 1 ≤ (q - 1)/2`, which for an odd `q` is `q ≥ 12n + 3`: Bakkebø's Theorem 1, `n < (q - 1)/4p` for `p = 3`,
//! although her proof passes over the last `m`. q = 12289 misses n = 1024 by one.

use super::Error;
use ntt::modular::Modulus;

/// The smallest degree.
pub const MIN_DEGREE: usize = 16;
/// The largest degree.
pub const MAX_DEGREE: usize = 1 << 16;
/// The largest base-two logarithm of a failure probability that is accepted.
pub const MAX_LOG2_FAILURE: f64 = -64.0;

/// A degree and a modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    n: usize,
    q: u32,
    log2_failure: Option<f64>,
}

impl Parameters {
    /// Those with which every message decrypts.
    ///
    /// **Errors** unless `n` is a power of two from [`MIN_DEGREE`] to [`MAX_DEGREE`] and `q` an odd prime below 2^30
    /// with `q ≥ 12n + 3`.
    pub fn new(n: usize, q: u32) -> Result<Self, Error> {
        let parameters = Self::checked(n, q)?;
        if u64::from(q) < least_modulus(n) {
            return Err(Error::Correctness { n, q, least: least_modulus(n), prime: suitable_prime(n) });
        }
        Ok(parameters)
    }

    /// Those with which a decryption fails with a probability that the caller has computed, given by its base-two
    /// logarithm.
    ///
    /// **Errors** unless `n` and `q` are as for [`new`](Self::new), but for the bound, and the logarithm is at most
    /// [`MAX_LOG2_FAILURE`].
    pub fn with_failure(n: usize, q: u32, log2_probability: f64) -> Result<Self, Error> {
        let parameters = Self::checked(n, q)?;
        if log2_probability.is_nan() || log2_probability > MAX_LOG2_FAILURE {
            return Err(Error::Failure { n, q, log2_probability, least: least_modulus(n) });
        }
        let never = u64::from(q) >= least_modulus(n);
        Ok(Self { log2_failure: (!never).then_some(log2_probability), ..parameters })
    }

    fn checked(n: usize, q: u32) -> Result<Self, Error> {
        if !n.is_power_of_two() || !(MIN_DEGREE..=MAX_DEGREE).contains(&n) {
            return Err(Error::Degree { n });
        }
        if q >> 30 != 0 {
            return Err(Error::Modulus { q });
        }
        Modulus::new(q.into()).map_err(|e| Error::Plan(e.into()))?;
        Ok(Self { n, q, log2_failure: None })
    }

    /// The degree.
    pub const fn n(self) -> usize {
        self.n
    }

    /// The modulus.
    pub const fn q(self) -> u32 {
        self.q
    }

    /// The base-two logarithm of the probability that a decryption fails; `None` if none does.
    pub const fn log2_failure(self) -> Option<f64> {
        self.log2_failure
    }

    /// Bits of a coefficient: `⌈log2 q⌉`.
    pub const fn bits(self) -> u32 {
        u32::BITS - (self.q - 1).leading_zeros()
    }

    /// Bytes of a public key or a ciphertext.
    pub const fn polynomial_bytes(self) -> usize {
        (self.n * self.bits() as usize).div_ceil(8)
    }

    /// Bytes of a secret key or a message.
    pub const fn ternary_bytes(self) -> usize {
        self.n >> 2
    }
}

/// The smallest number that leaves room for every sum.
pub(super) const fn least_modulus(n: usize) -> u64 {
    12 * n as u64 + 3
}

/// The smallest prime from there on with which the ring splits completely.
fn suitable_prime(n: usize) -> u64 {
    let step = 2 * n as u64;
    let mut candidate = 7 * step + 1; // 6·2n + 1 is below 12n + 3
    while !ntt::modular::is_prime(candidate) {
        candidate += step;
    }
    candidate
}
