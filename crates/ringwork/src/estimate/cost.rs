//! What lattice reduction costs, by published models.
//!
//! Each model has the cost of BKZ with blocks of β in dimension `d`, in operations of its own kind (gates, cycles,
//! nodes), and, for dual attacks, the number and the length of the short vectors that come with it. All costs are
//! logarithms to base 2.

use super::{
    by_name,
    reduction::{SIEVE_VECTORS, ln_root_hermite},
    special::log2_sum,
};
use core::{
    f64::consts::{E, PI},
    fmt,
    str::FromStr,
};

/// A cost model of lattice reduction.
///
/// The names are those of the lattice-estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostModel {
    /// Core-SVP: `2^(0.292 β)` for one sieve, and no more.
    ///
    /// Source: Alkim, Ducas, Pöppelmann, Schwabe, *Post-quantum key exchange — a new hope* (2016), section 6.
    Adps16,
    /// Core-SVP with a quantum sieve: `2^(0.265 β)`.
    Adps16Quantum,
    /// A classical sieve, `8d` times: `2^(0.292 β + 16.4)` each.
    ///
    /// Source: Becker, Ducas, Gama, Laarhoven, *New directions in nearest neighbor searching* (2016), with the constant
    /// of their experiments.
    Bdgl16,
    /// A quantum sieve, `8d` times: `2^(0.265 β + 16.4)` each.
    ///
    /// Source: Laarhoven, Mosca, van de Pol, *Finding shortest lattice vectors faster using quantum search* (2015).
    LaaMosPol14,
    /// Enumeration with extreme pruning, `8d` times, 100 cycles a node.
    ///
    /// Source: Chen, Nguyen, *BKZ 2.0* (2011), full version; a fit to table 5.2 of Chen's thesis (2013).
    CheNgu12,
    /// Enumeration with relaxed pruning and more preprocessing, `8d` times, 64 cycles a node:
    /// `β log2(β) / 8 - 0.654 β + 25.84`.
    ///
    /// Source: Albrecht, Bai, Li, Rowell, *Lattice reduction with approximate enumeration oracles* (2021), section 5.
    Ablr21,
    /// Quantum walks in a sieve: `2^(0.257 β)`.
    ///
    /// Source: Chailloux, Loyer, *Lattice sieving via quantum random walks* (2021).
    ChaLoy21,
    /// Gates of progressive sieving with dimensions for free, and a longer sieve at the end for short vectors.
    ///
    /// Source: Guo, Johansson, *Faster dual lattice attacks for solving LWE* (2021), section 4; gates of Albrecht,
    /// Gheorghiu, Postlethwaite, Schanck (2020), classical list decoding.
    Gj21,
    /// Gates of progressive sieving with dimensions for free.
    ///
    /// Source: *CRYSTALS-Kyber*, round 3 (2021), section 5.2; gates of Albrecht and others (2020) as for
    /// [`Self::Gj21`].
    Kyber,
    /// The same with a cheaper list decoding.
    ///
    /// Source: MATZOV, *Report on the security of LWE* (2022), section 6.
    Matzov,
}

/// Many short vectors of a reduced basis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortVectors {
    /// Their length over that of the first vector of the basis.
    pub ratio: f64,
    /// log2 of the cost of the reduction and all vectors; infinite if they are too many.
    pub cost: f64,
    /// log2 of their number: at least as many as asked for.
    pub count: f64,
    /// The dimension of the sieve that gives them; 2 if none does.
    pub sieve: usize,
}

/// Gates of one near-neighbour search in dimension β: `2^(slope β + offset)`, a fit up to β = 1024.
struct Gates {
    slope: f64,
    offset: f64,
}

const LIST_DECODING: Gates = Gates { slope: 0.298_802_613_056_474_5, offset: 26.011_121_212_891_872 };
const CHEAPER_DECODING: Gates = Gates { slope: 0.296_135_003_082_053_65, offset: 20.387_885_985_467_914 };

impl Gates {
    /// log2 of what sieves in all smaller dimensions cost in units of the last one: `1/(1 - 2^-slope)`.
    fn progressive(&self) -> f64 {
        -(1.0 - (-self.slope).exp2()).log2()
    }

    /// log2 of the gates of one progressive sieve.
    fn sieve(&self, dimension: f64) -> f64 {
        self.progressive() + self.slope * dimension + self.offset
    }
}

impl CostModel {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Adps16,
        Self::Adps16Quantum,
        Self::Bdgl16,
        Self::LaaMosPol14,
        Self::CheNgu12,
        Self::Ablr21,
        Self::ChaLoy21,
        Self::Gj21,
        Self::Kyber,
        Self::Matzov,
    ];

    /// log2 of the cost of BKZ with blocks of `beta` in dimension `d`; of one shortest vector if both are equal.
    pub fn bkz(self, beta: usize, d: usize) -> f64 {
        self.bkz_real(beta as f64, d as f64)
    }

    /// log2 of the cost of a shortest vector in dimension `beta`.
    pub fn svp(self, beta: usize) -> f64 {
        self.bkz(beta, beta)
    }

    /// The same for a block size that is an average.
    pub(super) fn bkz_real(self, beta: f64, d: f64) -> f64 {
        let (beta, d) = (beta.max(1.0), d.max(1.0));
        let lll = 3.0 * d.log2();
        let calls = if beta < d { 3.0 + d.log2() } else { 0.0 };
        let per_call = match self {
            Self::Adps16 => return 0.292 * beta,
            Self::Adps16Quantum => return 0.265 * beta,
            Self::ChaLoy21 => return 0.257 * beta,
            Self::Bdgl16 => 0.292 * beta + 16.4,
            Self::LaaMosPol14 => 0.265 * beta + 16.4,
            Self::CheNgu12 => extreme_pruning(beta),
            Self::Ablr21 if 1.5 * beta >= d || beta <= 97.0 => 0.1839 * beta * beta.log2() - 1.077 * beta + 29.12 + 6.0,
            Self::Ablr21 => 0.125 * beta * beta.log2() - 0.654 * beta + 25.84 + 6.0,
            Self::Gj21 | Self::Kyber | Self::Matzov if beta < 20.0 => extreme_pruning(beta),
            Self::Gj21 | Self::Kyber | Self::Matzov => {
                let gates = self.gates();
                let calls = gates.progressive() + (d - beta).max(1.0).log2();
                return log2_sum(lll, calls + gates.sieve(beta - free_dimensions(beta)));
            }
        };
        log2_sum(lll, calls + per_call)
    }

    const fn gates(self) -> &'static Gates {
        if matches!(self, Self::Matzov) { &CHEAPER_DECODING } else { &LIST_DECODING }
    }

    /// The short vectors that come with BKZ-`beta` in dimension `d`, for 2 to the power of `wanted`, or as many as one
    /// sieve gives.
    ///
    /// A sieve gives `2^(0.2075 β)` vectors, `√(4/3)` times as long as the shortest one: *Kyber*, section 5.2.
    /// Enumeration gives one, and shuffling the basis and LLL the others, twice as long: Albrecht, *On dual lattice
    /// attacks against small-secret LWE* (2017). The last two models sieve in a larger dimension at the end, for
    /// as much as all of BKZ costs.
    pub fn short_vectors(self, beta: usize, d: usize, wanted: Option<f64>) -> ShortVectors {
        let reduction = self.bkz(beta, d);
        if matches!(self, Self::CheNgu12 | Self::Ablr21) {
            return match wanted {
                Some(0.0) => ShortVectors { ratio: 1.0, cost: log2_sum(reduction, 0.0), count: 0.0, sieve: 2 },
                _ => {
                    let count = wanted.unwrap_or(1000_f64.log2());
                    let cost = log2_sum(reduction, count + 3.0 * (d as f64).log2());
                    ShortVectors { ratio: 2.0, cost, count, sieve: 2 }
                }
            };
        }
        let free = free_dimensions(beta as f64).floor() as usize;
        let (sieve, last) = match self {
            Self::Kyber => (beta - free, f64::NEG_INFINITY),
            Self::Gj21 | Self::Matzov => {
                let (gates, mut sieve) = (self.gates(), beta - free);
                if beta < d {
                    let longer = (((d - beta) as f64).log2() + gates.progressive()) / gates.slope;
                    sieve = d.min((sieve as f64 + longer).floor() as usize);
                }
                (sieve, gates.sieve(sieve as f64))
            }
            _ => (beta, f64::NEG_INFINITY),
        };
        if wanted == Some(0.0) {
            return ShortVectors { ratio: 1.0, cost: reduction, count: 0.0, sieve: beta };
        }
        let ratio = if self == Self::Kyber {
            1.1547
        } else {
            let shorter = (sieve as f64 - 1.0) * (ln_root_hermite(sieve) - ln_root_hermite(beta));
            (4.0 / 3.0_f64).sqrt() * shorter.exp()
        };
        let per_sieve = log2_floor(SIEVE_VECTORS * sieve as f64);
        let sieves = log2_ceil(wanted.map_or(0.0, |wanted| wanted - per_sieve));
        if sieves > 1000.0 {
            return ShortVectors { ratio, cost: f64::INFINITY, count: f64::INFINITY, sieve };
        }
        ShortVectors { ratio, cost: sieves + log2_sum(reduction, last), count: sieves + per_sieve, sieve }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Adps16 => "ADPS16",
            Self::Adps16Quantum => "ADPS16-quantum",
            Self::Bdgl16 => "BDGL16",
            Self::LaaMosPol14 => "LaaMosPol14",
            Self::CheNgu12 => "CheNgu12",
            Self::Ablr21 => "ABLR21",
            Self::ChaLoy21 => "ChaLoy21",
            Self::Gj21 => "GJ21",
            Self::Kyber => "Kyber",
            Self::Matzov => "MATZOV",
        }
    }
}

impl fmt::Display for CostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CostModel {
    type Err = String;

    /// Reads the names, in capitals or not.
    ///
    /// **Errors** for other names, with a list of those that work.
    fn from_str(name: &str) -> Result<Self, String> {
        by_name("cost model", Self::ALL.map(|model| (model.name(), model)), name)
    }
}

/// log2 of the cycles of one enumeration with extreme pruning.
fn extreme_pruning(beta: f64) -> f64 {
    0.270_188_776_350_19 * beta * beta.ln() - 1.019_205_045_131_841_7 * beta + 16.102_531_352_007_65 + 100_f64.log2()
}

/// Dimensions that a sieve may leave out: `β ln(4/3) / ln(β/2πe)`.
///
/// Source: Ducas, *Shortest vector from lattice sieving: a few dimensions for free* (2018).
fn free_dimensions(beta: f64) -> f64 {
    let free = beta * (4.0 / 3.0_f64).ln() / (beta / (2.0 * PI * E)).ln();
    if free > 0.0 { free.min(beta) } else { 0.0 }
}

/// log2 of `2^x` rounded down, at least 0.
pub(super) fn log2_floor(x: f64) -> f64 {
    if x < 52.0 { x.max(0.0).exp2().floor().log2() } else { x }
}

/// log2 of `2^x` rounded up.
pub(super) fn log2_ceil(x: f64) -> f64 {
    if x < 52.0 { x.exp2().ceil().max(1.0).log2() } else { x }
}

/// log2 of how often to repeat an experiment that succeeds with probability `2^log2_one`, for 99 %.
pub(super) fn repetitions(log2_one: f64) -> f64 {
    if log2_one > 0.99_f64.log2() {
        return 0.0;
    }
    // -ln(1 - p), which is p if that is tiny.
    let failure = if log2_one < -40.0 { log2_one } else { (-(-log2_one.exp2()).ln_1p()).log2() };
    log2_ceil((-0.01_f64.ln()).log2() - failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples in the documentation of the lattice-estimator, for blocks of 500 in dimension 1024.
    #[test]
    fn models_are_those_of_the_lattice_estimator() {
        for (model, bits) in [
            (CostModel::Adps16, 146.0),
            (CostModel::Adps16Quantum, 132.5),
            (CostModel::Bdgl16, 175.4),
            (CostModel::LaaMosPol14, 161.9),
            (CostModel::CheNgu12, 365.70),
            (CostModel::Ablr21, 278.20),
            (CostModel::ChaLoy21, 128.5),
            (CostModel::Kyber, 176.554),
        ] {
            assert!((model.bkz(500, 1024) - bits).abs() < 0.01, "{model}: {}", model.bkz(500, 1024));
            assert_eq!(model.to_string().to_lowercase().parse(), Ok(model));
        }
        assert!("BKZ".parse::<CostModel>().unwrap_err().contains("MATZOV"));
        let many = CostModel::Gj21.short_vectors(100, 500, None);
        assert!((many.ratio - 1.042_280).abs() < 1e-6 && (many.cost.exp2() / 5.389_4e19 - 1.0).abs() < 1e-3);
        assert_eq!((many.count.exp2().round(), many.sieve), (36_150_192.0, 121));
        let many = CostModel::CheNgu12.short_vectors(100, 500, None);
        assert!((many.cost.exp2() / 1.676_46e17 - 1.0).abs() < 1e-3 && many.ratio == 2.0);
        let many = CostModel::Adps16.short_vectors(100, 500, Some(1000_f64.log2()));
        assert_eq!(many.count.exp2().round(), 1_763_487.0);
        assert!((CostModel::Adps16.short_vectors(100, 500, None).ratio - 1.154_7).abs() < 1e-4);
    }

    #[test]
    fn repetitions_reach_99_percent() {
        assert_eq!(repetitions(0.0), 0.0);
        assert!((repetitions(-1.0).exp2() - 7.0).abs() < 1e-9);
        assert!((repetitions(-50.0) - 50.0 - 4.605_f64.log2()).abs() < 1e-3);
    }

    #[test]
    fn costs_are_finite_and_rise() {
        for model in CostModel::ALL {
            for beta in 40..1500 {
                let [less, more] = [beta, beta + 1].map(|beta| model.bkz(beta, 3000));
                assert!(less.is_finite() && less < more, "{model} {beta}");
            }
            for beta in 1..50 {
                for d in [beta, beta + 1, 100] {
                    let many = model.short_vectors(beta, d, Some(20.0));
                    assert!(model.bkz(beta, d).is_finite() && many.cost.is_finite() && many.count >= 20.0 - 1e-9);
                }
            }
        }
    }
}
