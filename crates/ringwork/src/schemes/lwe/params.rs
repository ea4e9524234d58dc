//! Parameter sets, and when messages come back.

use super::Error;
use crate::estimate::{
    self, Estimate, Lwe, Shape,
    failure::{self, Distribution},
};

/// Sizes of LWE encryption: of ring, modulus, noise and matrices.
///
/// `A` is `m × m` over `Z_q[X]/(X^n + 1)`, messages are `k × l` over `Z_p[X]/(X^n + 1)`, secrets
/// and noise are uniform in `[-β, β]`. `n = 1` is plain LWE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    name: &'static str,
    pub(super) n: usize,
    pub(super) q: u64,
    pub(super) p: u64,
    pub(super) beta: u32,
    pub(super) m: usize,
    pub(super) k: usize,
    pub(super) l: usize,
    failure_log2: f64,
    measuring_only: bool,
}

/// Module-LWE for keys of 256 bits: rank 3 over `Z_7681[X]/(X^256 + 1)`.
pub const MLWE_256: Parameters = Parameters {
    name: "mlwe-256",
    n: 256,
    q: 7681,
    p: 2,
    beta: 2,
    m: 3,
    k: 1,
    l: 1,
    failure_log2: -388.0,
    measuring_only: false,
};

/// Plain LWE for keys of 256 bits, 16 by 16, in dimension 768.
pub const LWE_768: Parameters = Parameters {
    name: "lwe-768",
    n: 1,
    q: 7681,
    p: 2,
    beta: 2,
    m: 768,
    k: 16,
    l: 16,
    failure_log2: -388.0,
    measuring_only: false,
};

/// Numbers of coefficients in a matrix at most.
const MAX_MATRIX: u64 = 1 << 26;

impl Parameters {
    /// Parameters whose messages always come back: the worst case of the noise stays below `q/2`.
    ///
    /// What is left after decryption is `p·(R·E1 + E3 - E2·S) + M`, at most
    /// [`worst_case`](Self::worst_case).
    ///
    /// **Errors** name the bound, and the smallest modulus that keeps it.
    pub fn new(n: usize, q: u64, p: u64, beta: u32, m: usize, [k, l]: [usize; 2]) -> Result<Self, Error> {
        let parameters = Self { failure_log2: f64::NEG_INFINITY, ..Self::measuring_only(n, q, p, beta, m, [k, l])? };
        let worst = parameters.worst_case();
        if 2 * worst < u128::from(q) {
            return Ok(Self { measuring_only: false, ..parameters });
        }
        Err(Error::Parameters(format!(
            "noise may reach p(2·beta²·m·n + beta) + p - 1 = {worst}, which is not below q/2 = {}; take q above {}, or \
             parameters whose computed failure probability is small",
            q >> 1,
            2 * worst,
        )))
    }

    /// Parameters whose messages come back but for a probability below
    /// [`FAILURE_LOG2`](Self::FAILURE_LOG2), computed with the coefficients of a product taken for
    /// independent.
    ///
    /// **Errors** name that probability and the worst case.
    pub fn with_small_failure(
        n: usize,
        q: u64,
        p: u64,
        beta: u32,
        m: usize,
        [k, l]: [usize; 2],
    ) -> Result<Self, Error> {
        let parameters = Self::measuring_only(n, q, p, beta, m, [k, l])?;
        let failure_log2 = parameters.compute_failure()?;
        if failure_log2 <= Self::FAILURE_LOG2 {
            return Ok(Self { failure_log2, measuring_only: false, ..parameters });
        }
        let (worst, half, limit) = (parameters.worst_case(), q >> 1, Self::FAILURE_LOG2);
        Err(Error::Parameters(format!(
            "a message does not come back with a probability of 2^{failure_log2:.1}, not below 2^{limit}; noise has a \
             worst case of {worst}, and q/2 = {half}: take a larger q, or smaller beta, p, m or n"
        )))
    }

    /// A bound for probabilities of failure that users need not think about.
    pub const FAILURE_LOG2: f64 = failure::ACCEPTED_LOG2;

    /// log2 of the probability that one of the `kln` coefficients fails: that `|R·E1 + E3 - E2·S|`
    /// exceeds `(q/2 - p)/p`.
    fn compute_failure(&self) -> Result<f64, Error> {
        let error = |e: failure::Error| Error::Parameters(format!("its failure probability cannot be computed: {e}"));
        let noise = Distribution::uniform(self.beta.into()).map_err(error)?;
        let products = noise.product(&noise).and_then(|product| product.times(2 * self.m as u64 * self.n as u64));
        let sum = products.and_then(|products| products.sum(&noise)).map_err(error)?;
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let limit = (self.q >> 1).saturating_sub(self.p) / self.p;
        Ok((sum.tail(limit) + ((self.k * self.l * self.n) as f64).log2()).min(0.0))
    }

    /// What it costs to find the secret key: module-LWE of rank `m`.
    ///
    /// **Errors** if no attack of the model is within reach.
    pub fn security(&self) -> Result<Estimate, estimate::Error> {
        let short = Shape::Uniform(self.beta.into());
        let dimension = self.m * self.n;
        Lwe { n: dimension, q: self.q.into(), secret: short, error: short, samples: Some(dimension) }.security()
    }

    /// Parameters of any sizes, for measuring: nothing says that messages come back.
    ///
    /// **Errors** if a size is zero or too large.
    pub fn measuring_only(n: usize, q: u64, p: u64, beta: u32, m: usize, [k, l]: [usize; 2]) -> Result<Self, Error> {
        let refused = |why: String| Err(Error::Parameters(why));
        if !n.is_power_of_two() || n > 1 << 17 {
            return refused(format!("n = {n} is not a power of two up to 131072"));
        }
        if !(5..1 << 31).contains(&q) {
            return refused(format!("q = {q} is not in 5..2^31"));
        }
        if !(2..=256).contains(&p) || greatest_common_divisor(p, q) != 1 {
            return refused(format!("p = {p} must be in 2..=256 and have no factor in common with q = {q}"));
        }
        if !(1..=1 << 10).contains(&beta) {
            return refused(format!("beta = {beta} is not in 1..=1024"));
        }
        if p * u64::from(beta) >= q {
            return refused(format!("p·beta = {p}·{beta} is not below q = {q}"));
        }
        let small = [m, k, l].iter().all(|x| (1..=1 << 13).contains(x));
        // In 64 bits, whatever a usize has.
        let [wide_n, wide_m, wide_k, wide_l] = [n, m, k, l].map(|x| x as u64);
        if !small || (wide_m * wide_m.max(wide_k).max(wide_l)).max(wide_k * wide_l) * wide_n > MAX_MATRIX {
            return refused(format!(
                "matrices of m = {m}, k = {k}, l = {l} must not be empty nor have more than {MAX_MATRIX} coefficients"
            ));
        }
        Ok(Self { name: "custom", n, q, p, beta, m, k, l, failure_log2: 0.0, measuring_only: true })
    }

    /// What is left after decryption at most: `p(2β²mn + β) + (p - 1)`.
    ///
    /// A coefficient of `R·E1` and of `E2·S` is a sum of `mn` products of numbers up to `β`. (The
    /// paper's condition, `β²m + β < q/2p`, counts one of the two and leaves out the message.)
    pub fn worst_case(&self) -> u128 {
        let (beta, p) = (u128::from(self.beta), u128::from(self.p));
        p * (2 * beta * beta * self.m as u128 * self.n as u128 + beta) + (p - 1)
    }

    /// The sets for use.
    pub const ALL: [Self; 2] = [MLWE_256, LWE_768];

    /// The set of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name == name)
    }

    /// The name used in files and on the command line.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Degree.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// Modulus.
    pub const fn q(&self) -> u64 {
        self.q
    }

    /// Modulus of messages.
    pub const fn p(&self) -> u64 {
        self.p
    }

    /// The largest coefficient of secrets and noise.
    pub const fn beta(&self) -> u32 {
        self.beta
    }

    /// Rows and columns of `A`.
    pub const fn rank(&self) -> usize {
        self.m
    }

    /// Rows and columns of a message.
    pub const fn message_shape(&self) -> [usize; 2] {
        [self.k, self.l]
    }

    /// log2 of the probability that a message does not come back; minus infinity if it cannot
    /// happen.
    pub const fn failure_log2(&self) -> f64 {
        self.failure_log2
    }

    /// Whether nothing says that messages come back.
    pub const fn is_measuring_only(&self) -> bool {
        self.measuring_only
    }
}

#[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
