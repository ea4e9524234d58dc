//! Published parameter sets, with the security levels that their designers or others computed.

use super::{Attack, Error, Estimate, Lwe, Modulus, Norm, Ntru, Shape, Sis};

/// A problem to attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Problem {
    /// Learning with Errors.
    Lwe(Lwe),
    /// An NTRU key.
    Ntru(Ntru),
    /// Short Integer Solution.
    Sis(Sis),
}

/// An attack on a published set, and its published cost.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The set; for a signature, also the target of the attack.
    pub set: &'static str,
    /// The parameters of the problem.
    pub problem: Problem,
    /// The attack.
    pub attack: Attack,
    /// log2 of the published cost, classical.
    pub classical_bits: f64,
    /// log2 of the published quantum cost, if there is one.
    pub quantum_bits: Option<f64>,
    /// The publication.
    pub source: &'static str,
    /// log2 of the lowest cost of all attacks in the same publication, if another one is cheaper,
    /// and its name.
    pub minimum: Option<(f64, &'static str)>,
}

impl Known {
    /// The estimate of that attack by this crate.
    ///
    /// **Errors:** none; all sets are valid.
    pub fn estimate(&self) -> Result<Estimate, Error> {
        match (self.problem, self.attack) {
            (Problem::Lwe(lwe), Attack::Dual) => lwe.dual(),
            (Problem::Lwe(lwe), _) => lwe.primal(),
            (Problem::Ntru(ntru), _) => ntru.primal(),
            (Problem::Sis(sis), _) => sis.security(),
        }
    }
}

const KYBER: &str = "Kyber, specification 3.02 (2021), table 4";
const KYBER_PROGRAM: &str = "pq-crystals/security-estimates, Kyber.py";
const NEWHOPE: &str = "NewHope, second round (2019), table 12";
const ADPS16: &str = "Alkim, Ducas, Pöppelmann, Schwabe (2016), table 1";
const DILITHIUM: &str = "Dilithium, specification 3.1 (2021), table 1";
const ESTIMATOR: &str = "lattice-estimator, estimate.rough in README and documentation";
const ESTIMATOR_TALK: &str = "Albrecht, FHE.org 2024: LWE.estimate.rough";

/// A row: set, problem, attack, classical bits, quantum bits or 0, source.
type Row = (&'static str, Problem, Attack, f64, f64, &'static str);

/// The table. Designers round down; the lattice-estimator gives one digit more and no quantum cost.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("ML-KEM-512",     kyber(512, 3, 768),     Attack::Primal, 118.0, 107.0, KYBER),
    ("ML-KEM-512",     kyber(512, 3, 768),     Attack::Dual,   117.0, 106.0, KYBER_PROGRAM),
    ("ML-KEM-512",     kyber(512, 3, 512),     Attack::Primal, 118.6, 0.0,   ESTIMATOR),
    ("ML-KEM-768",     kyber(768, 2, 1024),    Attack::Primal, 183.0, 166.0, KYBER),
    ("ML-KEM-768",     kyber(768, 2, 1024),    Attack::Dual,   181.0, 164.0, KYBER_PROGRAM),
    ("ML-KEM-768",     kyber(768, 2, 768),     Attack::Primal, 182.2, 0.0,   ESTIMATOR_TALK),
    ("ML-KEM-1024",    kyber(1024, 2, 1280),   Attack::Primal, 256.0, 232.0, KYBER),
    ("ML-KEM-1024",    kyber(1024, 2, 1280),   Attack::Dual,   253.0, 230.0, KYBER_PROGRAM),
    ("NewHope 2016",   newhope(1024, 16),      Attack::Primal, 282.0, 256.0, ADPS16),
    ("NewHope 2016",   newhope(1024, 16),      Attack::Dual,   281.0, 255.0, ADPS16),
    ("JarJar 2016",    newhope(512, 24),       Attack::Primal, 131.0, 119.0, ADPS16),
    ("JarJar 2016",    newhope(512, 24),       Attack::Dual,   131.0, 118.0, ADPS16),
    ("NewHope512",     newhope(512, 8),        Attack::Primal, 112.0, 101.0, NEWHOPE),
    ("NewHope512",     newhope(512, 8),        Attack::Dual,   112.0, 101.0, NEWHOPE),
    ("NewHope1024",    newhope(1024, 8),       Attack::Primal, 259.0, 235.0, NEWHOPE),
    ("NewHope1024",    newhope(1024, 8),       Attack::Dual,   257.0, 233.0, NEWHOPE),
    ("ML-DSA-44 key",  dilithium(4, 4, 2),     Attack::Primal, 123.0, 112.0, DILITHIUM),
    ("ML-DSA-65 key",  dilithium(5, 6, 4),     Attack::Primal, 182.0, 165.0, DILITHIUM),
    ("ML-DSA-87 key",  dilithium(7, 8, 2),     Attack::Primal, 252.0, 229.0, DILITHIUM),
    ("ML-DSA-44 forgery", forgery(4, 9, 350_209.0),    Attack::Infinity, 123.0, 112.0, DILITHIUM),
    ("ML-DSA-44 forgery", forgery(4, 9, 350_209.0),    Attack::Infinity, 123.5, 0.0,   ESTIMATOR),
    ("ML-DSA-44 strong",  forgery(4, 9, 380_929.0),    Attack::Infinity, 121.0, 110.0, DILITHIUM),
    ("ML-DSA-65 forgery", forgery(6, 12, 724_481.0),   Attack::Infinity, 186.0, 169.0, DILITHIUM),
    ("ML-DSA-65 strong",  forgery(6, 12, 1_048_576.0), Attack::Infinity, 176.0, 159.0, DILITHIUM),
    ("ML-DSA-87 forgery", forgery(8, 16, 769_537.0),   Attack::Infinity, 265.0, 241.0, DILITHIUM),
    ("ML-DSA-87 strong",  forgery(8, 16, 1_048_576.0), Attack::Infinity, 253.0, 230.0, DILITHIUM),
    ("NTRU-HPS-2048-509",  NTRU_HPS_509,               Attack::Primal,    109.2, 0.0,  ESTIMATOR),
    ("Falcon-512 key",     FALCON_KEY,                 Attack::Primal,    140.5, 0.0,  ESTIMATOR),
    ("Falcon-512 forgery", FALCON_FORGERY,             Attack::Euclidean, 121.2, 0.0,  ESTIMATOR),
];

/// Attacks outside our model that are cheaper: set, source, log2 of the lowest cost, and the
/// attack.
const MINIMA: [(&str, &str, f64, &str); 3] = [
    ("ML-KEM-512", ESTIMATOR, 115.5, "dual hybrid"),
    ("ML-KEM-768", ESTIMATOR_TALK, 173.7, "dual hybrid"),
    ("NTRU-HPS-2048-509", ESTIMATOR, 108.6, "BDD hybrid"),
];

const NTRU_HPS_509: Problem =
    Problem::Ntru(Ntru { n: 508, q: Modulus::Integer(2048.0), f: Shape::TERNARY, g: Shape::Weight(254) });
/// The deviation of Falcon's keys: `1.17 √(q/2n)`.
const FALCON_KEY: Problem =
    Problem::Ntru(Ntru { n: 512, q: Modulus::Integer(12289.0), f: Shape::Gaussian(4.05), g: Shape::Gaussian(4.05) });
const FALCON_FORGERY: Problem = Problem::Sis(Sis {
    n: 512,
    q: Modulus::Integer(12289.0),
    bound: 5833.9072,
    norm: Norm::Euclidean,
    width: Some(1024),
});

/// All rows of the table.
pub fn known() -> impl Iterator<Item = Known> {
    ROWS.iter().map(|&(set, problem, attack, classical_bits, quantum_bits, source)| {
        let quantum_bits = (quantum_bits > 0.0).then_some(quantum_bits);
        let minimum = MINIMA.iter().find(|m| (m.0, m.1) == (set, source)).map(|m| (m.2, m.3));
        Known { set, problem, attack, classical_bits, quantum_bits, source, minimum }
    })
}

const fn lwe(n: usize, q: f64, shape: Shape, samples: usize) -> Problem {
    Problem::Lwe(Lwe { n, q: Modulus::Integer(q), secret: shape, error: shape, samples: Some(samples) })
}

const fn kyber(n: usize, eta: u32, samples: usize) -> Problem {
    lwe(n, 3329.0, Shape::Binomial(eta), samples)
}

/// With the samples of the public key and of the ciphertext but one, as the authors count.
const fn newhope(n: usize, eta: u32) -> Problem {
    lwe(n, 12289.0, Shape::Binomial(eta), 2 * n - 1)
}

const DILITHIUM_Q: f64 = 8_380_417.0;

/// With `l` polynomials of secrets, `k` of errors.
const fn dilithium(l: usize, k: usize, eta: u64) -> Problem {
    lwe(256 * l, DILITHIUM_Q, Shape::Uniform(eta), 256 * k)
}

/// With `k` rows and `k + l + 1` columns of polynomials.
const fn forgery(k: usize, width: usize, bound: f64) -> Problem {
    let (n, width) = (256 * k, Some(256 * width));
    Problem::Sis(Sis { n, q: Modulus::Integer(DILITHIUM_Q), bound, norm: Norm::Infinity, width })
}

#[cfg(test)]
mod tests {
    use super::{super::CoreSvp, *};

    /// Published numbers are rounded down to a bit or a tenth of a bit, by programs that search on
    /// grids.
    #[test]
    fn estimates_are_within_two_bits_of_the_published_ones() {
        for row in known() {
            let ours = row.estimate().unwrap();
            assert_eq!(ours.attack, row.attack);
            let classical = ours.classical_bits - row.classical_bits;
            let quantum = row.quantum_bits.map_or(0.0, |bits| ours.quantum_bits - bits);
            assert!(classical.abs() <= 2.0 && quantum.abs() <= 2.0, "{row:?}: {ours:?}");
        }
    }

    /// U6: every minimum belongs to a row, is below the attack there, and occurs in the sentence
    /// about what is left out.
    #[test]
    fn published_minima_are_not_left_out() {
        let with_minimum: Vec<Known> = known().filter(|row| row.minimum.is_some()).collect();
        assert_eq!(with_minimum.len(), MINIMA.len());
        for row in with_minimum {
            let less = row.classical_bits - row.minimum.unwrap().0;
            assert!(less > 0.0 && CoreSvp::OMITTED.contains(&format!("{less:.1}")), "{row:?}");
        }
    }
}
