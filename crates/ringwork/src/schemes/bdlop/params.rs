//! Parameter sets, and what makes one sound.

use super::Error;
use crate::estimate::{self, Estimate, Lwe, Norm, Shape, Sis};
use ntt::arith::{Modulus, Splitting};

/// Shape and sizes of commitments: messages are `l` polynomials of `Z_q[X]/(X^n + 1)`, randomness
/// is `k` of them with coefficients in `[-beta, beta]`, and `A1` has `d` rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    name: &'static str,
    pub(super) n: usize,
    pub(super) q: u64,
    pub(super) k: usize,
    pub(super) d: usize,
    pub(super) l: usize,
    pub(super) beta: u32,
    pub(super) kappa: usize,
    standing: Standing,
}

/// What is known about a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Sound; hiding and binding have at least [`Parameters::SECURITY_BITS`] each.
    Sound,
    /// Proofs are sound; hardness was not estimated.
    Unestimated,
    /// For measuring only.
    Benchmark,
}

/// The largest prime below `2^32` that is 5 modulo 8: `X^n + 1` has two irreducible factors.
pub(super) const Q32: u64 = (1 << 32) - 99;
const _: () = assert!(Q32 & 7 == 5);

/// One polynomial of degree 1024 per commitment: the smaller sound set.
pub const BDLOP_1024: Parameters = Parameters::set("bdlop-1024", 1024, Q32, [5, 2, 1], 36);
/// Four polynomials of degree 1024 per commitment.
pub const BDLOP_1024_4: Parameters = Parameters::set("bdlop-1024-4", 1024, Q32, [8, 2, 4], 36);
/// One polynomial of degree 2048 per commitment.
pub const BDLOP_2048: Parameters = Parameters::set("bdlop-2048", 2048, Q32, [3, 1, 1], 31);
/// Bakkebø's benchmark in degree 1024: see [`insecure_benchmark`](Parameters::insecure_benchmark).
pub const BAKKEBO_1024: Parameters = Parameters { name: "bakkebo-1024", ..Parameters::insecure(1024) };

impl Parameters {
    /// The sound sets.
    pub const ALL: [Self; 3] = [BDLOP_1024, BDLOP_1024_4, BDLOP_2048];

    /// The minimum of log2 of the number of challenges, so that hashing cannot hit one by search.
    pub const CHALLENGE_BITS: f64 = 256.0;

    const fn set(name: &'static str, n: usize, q: u64, [k, d, l]: [usize; 3], kappa: usize) -> Self {
        Self { name, n, q, k, d, l, beta: 1, kappa, standing: Standing::Sound }
    }

    /// Custom parameters; `[k, d, l]` is the shape.
    ///
    /// **Errors** as [`new_unestimated`](Self::new_unestimated), and unless
    /// [`hiding`](Self::hiding) and [`binding`](Self::binding) both cost at least
    /// [`SECURITY_BITS`](Self::SECURITY_BITS); a missing estimate is refused too. Takes some
    /// milliseconds.
    pub fn new(n: usize, q: u64, [k, d, l]: [usize; 3], beta: u32, kappa: usize) -> Result<Self, Error> {
        let parameters = Self::new_unestimated(n, q, [k, d, l], beta, kappa)?;
        match parameters.weakness() {
            None => Ok(Self { standing: Standing::Sound, ..parameters }),
            Some(why) => Err(Error::Parameters(why)),
        }
    }

    /// Custom parameters without an estimate of their security: for tests and studies. They count
    /// as [insecure](Self::is_insecure).
    ///
    /// **Errors** if the shape leaves nothing to hide behind, if differences of challenges are not
    /// guaranteed to be invertible, if there are too few challenges, or if accepted norms reach the
    /// modulus.
    pub fn new_unestimated(n: usize, q: u64, [k, d, l]: [usize; 3], beta: u32, kappa: usize) -> Result<Self, Error> {
        let parameters = Self { name: "custom", n, q, k, d, l, beta, kappa, standing: Standing::Unestimated };
        parameters.check()?;
        Ok(parameters)
    }

    /// The minimum classical core-SVP cost, in bits, of hiding and of binding.
    pub const SECURITY_BITS: f64 = 128.0;

    /// Why the estimates advise against relying on commitments with these parameters; `None` if
    /// they do not.
    pub fn weakness(&self) -> Option<String> {
        let Self { n, q, .. } = *self;
        if self.standing == Standing::Benchmark {
            return Some(format!("{}: nothing says that its commitments bind: it is for measuring", self.name));
        }
        let norm = self.binding_norm();
        if norm >= q as f64 {
            return Some(format!(
                "two openings differ by a vector of norm 16·kappa·sigma·√(kn) = {norm:.0} at most, and q = {q} is not above \
                 it: such vectors are known to everybody; take a larger q, or smaller kappa, beta, k or n"
            ));
        }
        let too_few = |property: &str, advice: &str, estimate: Result<Estimate, estimate::Error>| match estimate {
            Ok(estimate) if estimate.classical_bits >= Self::SECURITY_BITS => None,
            Ok(estimate) => Some(format!(
                "{property} costs 2^{:.1} to break, and {} bits are wanted; {advice}",
                estimate.classical_bits,
                Self::SECURITY_BITS
            )),
            Err(why) => Some(format!("{property} cannot be estimated: {why}")),
        };
        too_few(
            "hiding",
            &format!("take a larger k - d - l than {}, or n than {n}", self.k - self.d - self.l),
            self.hiding(),
        )
        .or_else(|| too_few("binding", &format!("take a larger d than {}, or n than {n}", self.d), self.binding()))
    }

    /// The shape of Bakkebø's benchmark, `k = 8`, `l = 4`, `d = 3`, `q = 12289`: it commits and
    /// opens but proves nothing.
    ///
    /// **Insecure**: the ring splits completely, so differences of challenges need not be
    /// invertible, and the norms allowed for an opening exceed the modulus.
    ///
    /// **Errors** if there is no ring of that degree.
    pub fn insecure_benchmark(n: usize) -> Result<Self, Error> {
        if !n.is_power_of_two() || !(4..=1 << 16).contains(&n) {
            return Err(Error::Parameters(format!("n = {n} is not a power of two from 4 to 65536")));
        }
        Ok(Self::insecure(n))
    }

    const fn insecure(n: usize) -> Self {
        let kappa = if n < 72 { n >> 1 } else { 36 };
        Self { standing: Standing::Benchmark, ..Self::set("bakkebo", n, 12289, [8, 3, 4], kappa) }
    }

    fn check(&self) -> Result<(), Error> {
        let Self { n, q, k, d, l, beta, kappa, .. } = *self;
        let refused = |why: String| Err(Error::Parameters(why));
        if !n.is_power_of_two() || !(4..=1 << 15).contains(&n) {
            return refused(format!("n = {n} is not a power of two from 4 to 32768"));
        }
        if d == 0 || l == 0 || k > 64 || k <= d.saturating_add(l) {
            return refused(format!(
                "k = {k} must exceed d + l = {}, with d, l > 0 and k at most 64",
                d.saturating_add(l)
            ));
        }
        if !(1..=16).contains(&beta) || kappa == 0 || kappa > n {
            return refused(format!("beta = {beta} must be in 1..=16 and kappa = {kappa} in 1..={n}"));
        }
        if q >= 1 << 32 {
            return refused(format!("q = {q} is not below 2^32"));
        }
        let modulus = Modulus::new(q).map_err(|e| Error::Parameters(e.to_string()))?;
        let splitting = Splitting::negacyclic(n as u64, modulus);
        if splitting.invertible.is_none_or(|bound| bound.max_norm < 2) {
            let factors = splitting.factors;
            return refused(format!(
                "modulo q = {q}, X^{n} + 1 has {factors} factors, and no theorem says that differences of challenges are \
                 invertible; take a prime that is 5 modulo 8, such as {Q32}"
            ));
        }
        let challenges = self.challenge_bits();
        if challenges < Self::CHALLENGE_BITS {
            let wanted = Self::CHALLENGE_BITS;
            return refused(format!(
                "there are 2^{challenges:.1} challenges, not 2^{wanted}; take a larger kappa or n"
            ));
        }
        if 2.0 * self.opening_bound().sqrt() >= q as f64 || self.sigma() > 65536.0 {
            return refused(format!("sigma = {:.0} is too large for q = {q} or for the sampler (65536)", self.sigma()));
        }
        Ok(())
    }

    /// The name used in files and on the command line.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Looks up a sound set by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name == name)
    }

    /// Degree.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// Modulus.
    pub const fn q(&self) -> u64 {
        self.q
    }

    /// `[k, d, l]`: polynomials of randomness, rows of `A1`, polynomials of a message.
    pub const fn shape(&self) -> [usize; 3] {
        [self.k, self.d, self.l]
    }

    /// The largest coefficient of honest randomness.
    pub const fn beta(&self) -> u32 {
        self.beta
    }

    /// Non-zero coefficients of a challenge.
    pub const fn kappa(&self) -> usize {
        self.kappa
    }

    /// Whether no estimate supports hiding and binding: a set for measuring, or one that was not
    /// estimated.
    pub const fn is_insecure(&self) -> bool {
        !matches!(self.standing, Standing::Sound)
    }

    /// Whether proofs are sound, as far as the ring and the norms are concerned.
    pub(super) const fn proves(&self) -> bool {
        !matches!(self.standing, Standing::Benchmark)
    }

    /// The cost of distinguishing commitments from uniform vectors: module-LWE with `(k - d - l)·n`
    /// secret coefficients and `(d + l)·n` samples, both uniform in `[-β, β]`.
    ///
    /// **Errors** if no attack of the model succeeds.
    pub fn hiding(&self) -> Result<Estimate, estimate::Error> {
        let short = Shape::Uniform(self.beta.into());
        let samples = Some((self.d + self.l) * self.n);
        let secret = (self.k - self.d - self.l) * self.n;
        Lwe { n: secret, q: self.q.into(), secret: short, error: short, samples }.security()
    }

    /// The cost of opening a commitment to two messages: module-SIS with `d·n` rows and `k·n`
    /// columns.
    ///
    /// Two openings `(m, r, f)`, `(m', r', f')` give `A1·(f'·r - f·r') = 0`, of norm at most
    /// `2·2κ·4σ√(kn)`, because `‖f‖_1 ≤ 2κ` and always `‖f·r‖_2 ≤ ‖f‖_1·‖r‖_2`. (The paper has `√κ`
    /// in place of `κ`, which is the expectation for random `f`.)
    ///
    /// **Errors** if no attack of the model succeeds.
    pub fn binding(&self) -> Result<Estimate, estimate::Error> {
        let (rows, width) = (self.d * self.n, Some(self.k * self.n));
        Sis { n: rows, q: self.q.into(), bound: self.binding_norm(), norm: Norm::Euclidean, width }.security()
    }

    /// `2·2κ·4σ√(kn)`.
    fn binding_norm(&self) -> f64 {
        16.0 * self.kappa as f64 * self.sigma() * ((self.k * self.n) as f64).sqrt()
    }

    /// `σ = 11·κ·β·√(kn)`.
    pub fn sigma(&self) -> f64 {
        (self.squared_sigma() as f64).sqrt()
    }

    pub(super) const fn squared_sigma(&self) -> i128 {
        let factor = 11 * self.kappa as i128 * self.beta as i128;
        factor * factor * (self.k * self.n) as i128
    }

    /// The square of the largest norm of a polynomial in an opening's randomness: `(4σ√n)²`.
    pub fn opening_bound(&self) -> f64 {
        self.squared_bound(4) as f64
    }

    /// The largest possible coefficient of a polynomial of norm `factor·σ√n`.
    pub(super) const fn largest_coefficient(&self, factor: i128) -> u64 {
        self.squared_bound(factor).isqrt() as u64
    }

    /// `(factor·σ√n)²`.
    pub(super) const fn squared_bound(&self, factor: i128) -> i128 {
        factor * factor * self.squared_sigma() * self.n as i128
    }

    /// log2 of the number of challenges, `2^κ·(n choose κ)`.
    pub fn challenge_bits(&self) -> f64 {
        let choose = |i: usize| ((self.n - i) as f64 / (i + 1) as f64).log2();
        self.kappa as f64 + (0..self.kappa).map(choose).sum::<f64>()
    }
}
