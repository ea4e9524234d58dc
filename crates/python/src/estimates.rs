//! Attacks, for `ringwork.estimator`.

use crate::errors::refused;
use pyo3::prelude::*;
use ringwork::estimate::{
    AttackCost, Error, Guessing, Lwe, Modulus, Norm, Ntru, NtruLattice, Reduction, Shape, Sis, root_hermite,
};

/// A modulus: an integer that a `float` holds, or log2 of one.
#[derive(FromPyObject)]
pub(crate) enum ModulusArg {
    Integer(u64),
    Log2(f64),
}

impl From<ModulusArg> for Modulus {
    fn from(q: ModulusArg) -> Self {
        match q {
            ModulusArg::Integer(q) => q.into(),
            ModulusArg::Log2(bits) => Self::Log2(bits),
        }
    }
}

fn shape(name: &str) -> PyResult<Shape> {
    name.parse().map_err(refused)
}

fn models(cost: &str, form: &str) -> PyResult<Reduction> {
    Ok(Reduction { cost: cost.parse().map_err(refused)?, form: form.parse().map_err(refused)? })
}

fn unknown(attack: &str) -> PyErr {
    refused(format!("{attack:?} is no attack on this problem"))
}

/// An attack: its costs as logarithms to base 2 (`rop`, `red`, `svp`, `guess`, `mem`, `samples`, `repetitions`), and
/// its parameters (`beta`, `eta`, `zeta`, `d`, `t`, `p`).
pub(crate) type Cost = (&'static str, [f64; 7], [usize; 6]);

/// `None` if nothing makes the attack succeed.
fn cost(found: Result<AttackCost, Error>) -> PyResult<Option<Cost>> {
    match found {
        Ok(a) => Ok(Some((
            a.tag,
            [a.rop, a.red, a.svp, a.guess, a.mem, a.samples, a.repetitions],
            [a.beta, a.eta, a.zeta, a.dimension, a.transform, a.modulus],
        ))),
        Err(Error::OutOfReach(_)) => Ok(None),
        Err(error) => Err(refused(error)),
    }
}

/// An attack on Learning with Errors, by its name in the lattice-estimator.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
pub(crate) fn lwe(
    py: Python<'_>,
    attack: &str,
    n: usize,
    q: ModulusArg,
    secret: &str,
    error: &str,
    samples: Option<usize>,
    cost_model: &str,
    form: &str,
) -> PyResult<Option<Cost>> {
    let lwe = Lwe { n, q: q.into(), secret: shape(secret)?, error: shape(error)?, samples };
    let models = models(cost_model, form)?;
    let attack: fn(&Lwe, Reduction) -> Result<AttackCost, Error> = match attack {
        "usvp" => Lwe::usvp,
        "bdd" => Lwe::bdd,
        "bdd_hybrid" => |lwe, models| lwe.hybrid(Guessing::Decode, models),
        "bdd_mitm_hybrid" => |lwe, models| lwe.hybrid(Guessing::Meet, models),
        "hybrid_babai" => |lwe, models| lwe.hybrid(Guessing::Round, models),
        "hybrid_mitm" => |lwe, models| lwe.hybrid(Guessing::MeetDecode, models),
        "dual" => |lwe, models| lwe.dual_attack(models.cost),
        "dual_hybrid" => |lwe, models| lwe.dual_hybrid(models.cost),
        "bkw" => |lwe, _| lwe.coded_bkw(),
        "arora-gb" => |lwe, _| lwe.arora_gb(),
        "mitm" => |lwe, _| lwe.meet(),
        "exhaustive" => |lwe, _| lwe.exhaustive(),
        other => return Err(unknown(other)),
    };
    cost(py.detach(|| attack(&lwe, models)))
}

/// An attack on a key of NTRU.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
pub(crate) fn ntru(
    py: Python<'_>,
    attack: &str,
    n: usize,
    q: ModulusArg,
    f: &str,
    g: &str,
    circulant: bool,
    cost_model: &str,
    form: &str,
) -> PyResult<Option<Cost>> {
    let ntru = Ntru { n, q: q.into(), f: shape(f)?, g: shape(g)? };
    let models = models(cost_model, form)?;
    let kind = if circulant { NtruLattice::Circulant } else { NtruLattice::Matrix };
    let found = py.detach(|| match attack {
        "usvp" => Some(ntru.usvp(models)),
        "bdd" => Some(ntru.bdd(models)),
        "bdd_hybrid" => Some(ntru.hybrid(Guessing::Decode, models)),
        "bdd_mitm_hybrid" => Some(ntru.hybrid(Guessing::Meet, models)),
        "hybrid_babai" => Some(ntru.hybrid(Guessing::Round, models)),
        "hybrid_mitm" => Some(ntru.hybrid(Guessing::MeetDecode, models)),
        "dsd" => Some(ntru.dense_sublattice(kind, models)),
        _ => None,
    });
    cost(found.ok_or_else(|| unknown(attack))?)
}

/// The attack on Short Integer Solution.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python code calls it with all of them")]
pub(crate) fn sis(
    py: Python<'_>,
    n: usize,
    q: ModulusArg,
    bound: f64,
    infinity: bool,
    width: Option<usize>,
    cost_model: &str,
    form: &str,
) -> PyResult<Option<Cost>> {
    let norm = if infinity { Norm::Infinity } else { Norm::Euclidean };
    let sis = Sis { n, q: q.into(), bound, norm, width };
    let models = models(cost_model, form)?;
    cost(py.detach(|| sis.lattice(models)))
}

/// Deviation, mean, least and largest value, density, and log2 of the number of values of `n` coefficients.
#[pyfunction]
pub(crate) fn distribution(name: &str, n: usize) -> PyResult<(f64, f64, f64, f64, f64, f64)> {
    let shape = shape(name)?;
    let deviation = shape.deviation(n).map_err(refused)?;
    let (low, high) = shape.bounds();
    Ok((deviation, shape.mean(n), low, high, shape.density(n), shape.log2_support(n)))
}

/// log2 of the cost of BKZ with blocks of `beta` in dimension `d`.
#[pyfunction]
pub(crate) fn bkz(cost_model: &str, beta: usize, d: usize) -> PyResult<f64> {
    Ok(models(cost_model, "gsa")?.cost.bkz(beta, d))
}

/// The root-Hermite factor of BKZ with blocks of `beta`.
#[pyfunction]
pub(crate) fn delta(beta: usize) -> f64 {
    root_hermite(beta)
}
