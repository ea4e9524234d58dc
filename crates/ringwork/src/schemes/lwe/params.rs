//! Parameter sets, and when decryption is correct.

use super::Error;
use crate::estimate::{
    self, Estimate, Lwe, Shape,
    failure::{self, Distribution},
};

/// Parameters of LWE encryption: ring, modulus, noise and matrix sizes.
///
/// `A` is `m × d` over `Z_q[X]/(X^n + 1)`, with `d = m` by default; messages are `k × l` over
/// `Z_p[X]/(X^n + 1)`; secrets and noise are uniform in `[-β, β]`. `n = 1` is plain LWE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    name: &'static str,
    pub(super) n: usize,
    pub(super) q: u64,
    pub(super) p: u64,
    pub(super) beta: u32,
    pub(super) m: usize,
    pub(super) d: usize,
    pub(super) k: usize,
    pub(super) l: usize,
    failure_log2: f64,
    measuring_only: bool,
}

/// Module-LWE that carries 256-bit keys: rank 3 over `Z_7681[X]/(X^256 + 1)`.
pub const MLWE_256: Parameters = Parameters {
    name: "mlwe-256",
    n: 256,
    q: 7681,
    p: 2,
    beta: 2,
    m: 3,
    d: 3,
    k: 1,
    l: 1,
    failure_log2: -388.0,
    measuring_only: false,
};

/// The same ring and rank for messages modulo 3, as in Royher's thesis: 405 bits per message, for
/// 256-bit keys.
pub const MLWE_256_P3: Parameters = Parameters { name: "mlwe-256-p3", p: 3, failure_log2: -188.0, ..MLWE_256 };

/// Plain LWE that carries 256-bit keys, 16 by 16, in dimension 768.
pub const LWE_768: Parameters = Parameters {
    name: "lwe-768",
    n: 1,
    q: 7681,
    p: 2,
    beta: 2,
    m: 768,
    d: 768,
    k: 16,
    l: 16,
    failure_log2: -388.0,
    measuring_only: false,
};

/// The names of parameters in text, with what they are if left out.
const DEFAULTS: [(&str, Option<u64>); 8] = [
    ("N", None),
    ("q", None),
    ("p", None),
    ("m", None),
    ("n", None),
    ("k", Some(1)),
    ("l", Some(1)),
    ("beta", Some(2)),
];
const EXAMPLE: &str = "N=1024,q=12289,p=3,m=32,n=32";

/// The largest number of coefficients in a matrix.
const MAX_MATRIX: u64 = 1 << 26;

impl Parameters {
    /// Parameters for which every message decrypts: the worst case of the noise stays below `q/2`.
    ///
    /// Decryption leaves `p·(R·E1 + E3 - E2·S) + M`, which is at most
    /// [`worst_case`](Self::worst_case).
    ///
    /// **Errors** name the bound and the smallest modulus that satisfies it.
    pub fn new(n: usize, q: u64, p: u64, beta: u32, m: usize, [k, l]: [usize; 2]) -> Result<Self, Error> {
        Self::measuring_only(n, q, p, beta, m, [k, l])?.never_failing()
    }

    fn never_failing(self) -> Result<Self, Error> {
        let (worst, q) = (self.worst_case(), self.q);
        if 2 * worst < u128::from(q) {
            return Ok(Self { failure_log2: f64::NEG_INFINITY, measuring_only: false, ..self });
        }
        Err(Error::Parameters(format!(
            "noise may reach p(beta²·(m + d)·n + beta) + p - 1 = {worst}, which is not below q/2 = {}; take q above {}, or \
             parameters whose computed failure probability is small",
            q >> 1,
            2 * worst,
        )))
    }

    /// Parameters whose failure probability is below [`FAILURE_LOG2`](Self::FAILURE_LOG2), assuming
    /// that the coefficients of a product are independent.
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
        Self::measuring_only(n, q, p, beta, m, [k, l])?.seldom_failing()
    }

    fn seldom_failing(self) -> Result<Self, Error> {
        let failure_log2 = self.compute_failure()?;
        if failure_log2 <= Self::FAILURE_LOG2 {
            return Ok(Self { failure_log2, measuring_only: false, ..self });
        }
        let (worst, half, limit) = (self.worst_case(), self.q >> 1, Self::FAILURE_LOG2);
        Err(Error::Parameters(format!(
            "a message does not come back with a probability of 2^{failure_log2:.1}, not below 2^{limit}; noise has a \
             worst case of {worst}, and q/2 = {half}: take a larger q, or smaller beta, p, m or n"
        )))
    }

    /// A failure probability that users may ignore, as log2.
    pub const FAILURE_LOG2: f64 = failure::ACCEPTED_LOG2;

    /// log2 of the probability that a message does not come back, computed anew: minus infinity if all do, and 0,
    /// certainty, where it cannot be computed. Takes up to a second; [`failure_log2`](Self::failure_log2) is what the
    /// constructor of these parameters has computed.
    pub fn computed_failure_log2(&self) -> f64 {
        if 2 * self.worst_case() < u128::from(self.q) {
            return f64::NEG_INFINITY;
        }
        self.compute_failure().unwrap_or(0.0)
    }

    /// log2 of the probability that one of the `kln` coefficients fails: `|R·E1 + E3 - E2·S|`
    /// exceeds `(q/2 - p)/p`.
    fn compute_failure(&self) -> Result<f64, Error> {
        let error = |e: failure::Error| Error::Parameters(format!("its failure probability cannot be computed: {e}"));
        let noise = Distribution::uniform(self.beta.into()).map_err(error)?;
        let products =
            noise.product(&noise).and_then(|product| product.times((self.m + self.d) as u64 * self.n as u64));
        let sum = products.and_then(|products| products.sum(&noise)).map_err(error)?;
        #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
        let limit = (self.q >> 1).saturating_sub(self.p) / self.p;
        Ok((sum.tail(limit) + ((self.k * self.l * self.n) as f64).log2()).min(0.0))
    }

    /// The smaller cost of two attacks: finding the secret key, module-LWE of rank `d`, or the
    /// randomness of a ciphertext, module-LWE of rank `m`.
    ///
    /// **Errors** if no attack of the model succeeds.
    pub fn security(&self) -> Result<Estimate, estimate::Error> {
        let short = Shape::Uniform(self.beta.into());
        let find = |rank: usize, samples: usize| {
            let [n, samples] = [rank, samples].map(|rank| rank * self.n);
            Lwe { n, q: self.q.into(), secret: short, error: short, samples: Some(samples) }.security()
        };
        let key = find(self.d, self.m)?;
        if self.m == self.d {
            return Ok(key);
        }
        let ciphertext = find(self.m, self.d + self.l)?;
        Ok(if ciphertext.classical_bits < key.classical_bits { ciphertext } else { key })
    }

    /// Parameters of any size, for measuring; decryption is not guaranteed.
    ///
    /// **Errors** if a size is zero or too large.
    pub fn measuring_only(n: usize, q: u64, p: u64, beta: u32, m: usize, [k, l]: [usize; 2]) -> Result<Self, Error> {
        Self::sized(["n", "d"], [n, m, m, k, l], q, p, beta)
    }

    /// Parameters for [measuring](Self::measuring_only) from text with the thesis' names: `N`, the degree, `q`, `p`,
    /// `m` rows and `n` columns of `A`; `k` rows and `l` columns of a message, 1 if left out; `beta`, 2 if left out.
    ///
    /// `number` reads the numbers. **Errors** name what is missing, twice there, unknown, or out of range.
    ///
    /// ```
    /// use ringwork::schemes::lwe::Parameters;
    /// let text = "q=12289, p=3, N=1024, m=32, n=16";
    /// let set = Parameters::measuring_text(text, |digits| digits.parse().map_err(|_| "no number".into()))?;
    /// assert_eq!(set.to_text(), "N=1024,q=12289,p=3,m=32,n=16,k=1,l=1,beta=2");
    /// # Ok::<(), ringwork::schemes::lwe::Error>(())
    /// ```
    pub fn measuring_text(text: &str, number: impl Fn(&str) -> Result<u64, String>) -> Result<Self, Error> {
        let refused = |why: String| Error::Parameters(why);
        let mut found = DEFAULTS.map(|(_, default)| (default, false));
        for part in text.split(',').map(str::trim) {
            let forms = || refused(format!("{part:?} is no parameter: write {EXAMPLE}, with k, l and beta if wanted"));
            let (name, digits) = part.split_once('=').ok_or_else(forms)?;
            let (name, digits) = (name.trim(), digits.trim());
            let at = DEFAULTS.iter().position(|(known, _)| *known == name).ok_or_else(forms)?;
            let value = number(digits).map_err(|why| refused(format!("{name} = {digits}: {why}")))?;
            match found[at] {
                (_, false) => found[at] = (Some(value), true),
                (_, true) => return Err(refused(format!("{name} is there twice"))),
            }
        }
        let mut values = [0; DEFAULTS.len()];
        for ((value, (name, _)), (given, _)) in values.iter_mut().zip(DEFAULTS).zip(found) {
            *value = given.ok_or_else(|| refused(format!("{name} is missing: write {EXAMPLE}")))?;
        }
        let [degree, q, p, m, columns, k, l, beta] = values;
        // What does not fit is out of any range.
        let sizes = [degree, m, columns, k, l].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        let beta = u32::try_from(beta).map_err(|_| refused(format!("beta = {beta} is not in 1..=1024")))?;
        Self::sized(["N", "n"], sizes, q, p, beta)
    }

    /// The text of [`measuring_text`](Self::measuring_text), with all names, in one order, without blanks.
    pub fn to_text(&self) -> String {
        let Self { n, q, p, beta, m, d, k, l, .. } = self;
        format!("N={n},q={q},p={p},m={m},n={d},k={k},l={l},beta={beta}")
    }

    /// The same with an `A` of `m` rows and `d` columns; the guarantee for decryption is that of
    /// the square matrix.
    ///
    /// **Errors** are those of the constructor of these parameters.
    pub fn with_columns(self, d: usize) -> Result<Self, Error> {
        let sized = Self::sized(["n", "d"], [self.n, self.m, d, self.k, self.l], self.q, self.p, self.beta)?;
        match self.failure_log2 {
            _ if self.measuring_only => Ok(sized),
            f64::NEG_INFINITY => sized.never_failing(),
            _ => sized.seldom_failing(),
        }
    }

    /// `degree` and `columns` are what errors call `n` and `d`.
    fn sized(
        [degree, columns]: [&str; 2],
        [n, m, d, k, l]: [usize; 5],
        q: u64,
        p: u64,
        beta: u32,
    ) -> Result<Self, Error> {
        let refused = |why: String| Err(Error::Parameters(why));
        if !n.is_power_of_two() || n > 1 << 17 {
            return refused(format!("{degree} = {n} is not a power of two up to 131072"));
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
        let small = [m, d, k, l].iter().all(|x| (1..=1 << 13).contains(x));
        // In 64 bits, whatever the width of usize.
        let [wide_n, wide_m, wide_d, wide_k, wide_l] = [n, m, d, k, l].map(|x| x as u64);
        let largest = |x: u64, y: u64| x.max(y) * wide_k.max(wide_l);
        if !small || (wide_m * wide_d).max(largest(wide_m, wide_d)).max(wide_k * wide_l) * wide_n > MAX_MATRIX {
            let rank = if m == d { format!("m = {m}") } else { format!("m = {m}, {columns} = {d}") };
            return refused(format!(
                "matrices of {rank}, k = {k}, l = {l} must not be empty nor have more than {MAX_MATRIX} coefficients"
            ));
        }
        Ok(Self { name: "custom", n, q, p, beta, m, d, k, l, failure_log2: 0.0, measuring_only: true })
    }

    /// Upper bound of what decryption leaves: `p(β²(m + d)n + β) + (p - 1)`.
    ///
    /// A coefficient of `R·E1` is a sum of `mn` products of numbers up to `β`; one of `E2·S`, of
    /// `dn`. (The paper's condition, `β²m + β < q/2p`, counts only one of the two and leaves out
    /// the message.)
    pub fn worst_case(&self) -> u128 {
        let (beta, p) = (u128::from(self.beta), u128::from(self.p));
        p * (beta * beta * (self.m + self.d) as u128 * self.n as u128 + beta) + (p - 1)
    }

    /// The sets intended for use.
    pub const ALL: [Self; 3] = [MLWE_256, LWE_768, MLWE_256_P3];

    /// Looks up a set by its name.
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
    pub const fn shape_of_a(&self) -> [usize; 2] {
        [self.m, self.d]
    }

    /// The largest number of products that are added up: the rank of `A` if it is square.
    pub const fn rank(&self) -> usize {
        if self.m > self.d { self.m } else { self.d }
    }

    /// Rows and columns of a message.
    pub const fn message_shape(&self) -> [usize; 2] {
        [self.k, self.l]
    }

    /// log2 of the probability that decryption fails; minus infinity if it cannot.
    pub const fn failure_log2(&self) -> f64 {
        self.failure_log2
    }

    /// Whether these parameters come without a guarantee for decryption.
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
