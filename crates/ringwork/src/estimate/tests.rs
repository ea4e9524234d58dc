//! No input makes an estimate fail in any other way than by an error.

use super::*;
use std::time::{Duration, Instant};

/// No number, however odd, makes an estimate panic, hang, or return NaN.
#[test]
fn every_input_has_an_answer() {
    let sizes = [0, 1, 2, 3, 40, 41, 257, 1024, 9999, MAX_DIMENSION, MAX_DIMENSION + 1, usize::MAX];
    let moduli = [0.0, -3.0, 1.0, 2.0, 3.5, 17.0, 3329.0, 2_f64.powi(438), f64::MAX, f64::INFINITY, f64::NAN];
    let shapes = [
        Shape::Uniform(0),
        Shape::Uniform(u64::MAX),
        Shape::Binary,
        Shape::Ternary(1e-300),
        Shape::Ternary(f64::NAN),
        Shape::Binomial(u32::MAX),
        Shape::Gaussian(1e300),
        Shape::Gaussian(f64::MIN_POSITIVE),
        Shape::Gaussian(-1.0),
        Shape::Weight(0),
        Shape::Weight(3),
        Shape::Weight(usize::MAX),
        Shape::Counts { plus: 0, minus: 5 },
        Shape::Counts { plus: usize::MAX, minus: usize::MAX },
        Shape::Counts { plus: 1, minus: 1 },
        Shape::Interval(-4, 3),
        Shape::Interval(i64::MIN, i64::MAX),
        Shape::Interval(3, 2),
        Shape::TUniform(0),
        Shape::TUniform(45),
        Shape::TUniform(u32::MAX),
        Shape::GaussianAt { deviation: 3.2, mean: f64::NAN },
        Shape::GaussianAt { deviation: 0.1, mean: 1e300 },
    ];
    let mut random = 1_u64;
    let mut pick = |count: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(random) * count as u128) >> 64) as usize
    };
    let check = |estimate: Result<Estimate, Error>, input: &dyn fmt::Debug| match estimate {
        Ok(e) => {
            let sound = e.classical_bits.is_finite() && e.quantum_bits.is_finite();
            let sizes = matches!(e.attack, Attack::Search | Attack::Zeros) || (e.beta > 0 && e.dimension >= e.beta);
            assert!(sound && sizes && e.quantum_bits <= e.classical_bits, "{input:?}: {e:?}");
        }
        Err(e) => assert!(!e.to_string().is_empty()),
    };
    let start = Instant::now();
    for _ in 0..200 {
        let (n, q) = (sizes[pick(sizes.len())], moduli[pick(moduli.len())]);
        let q = [Modulus::Integer(q), Modulus::Log2(q)][pick(2)];
        let (secret, error) = (shapes[pick(shapes.len())], shapes[pick(shapes.len())]);
        let samples = [None, Some(sizes[pick(sizes.len())])][pick(2)];
        let lwe = Lwe { n, q, secret, error, samples };
        check(lwe.security(), &lwe);
        let ntru = Ntru { n, q, f: secret, g: error };
        check(ntru.security(), &ntru);
        let bound = [f64::NAN, -1.0, 0.0, 1e-300, 1.0, 3.0, 1000.0, 1e300][pick(8)];
        let norm = [Norm::Euclidean, Norm::Infinity][pick(2)];
        let sis = Sis { n, q, bound, norm, width: samples };
        check(sis.security(), &sis);

        let cost = CostModel::ALL[pick(CostModel::ALL.len())];
        let guessing = [Guessing::Decode, Guessing::Meet, Guessing::Round, Guessing::MeetDecode][pick(4)];
        let kind = [NtruLattice::Matrix, NtruLattice::Circulant][pick(2)];
        let form = Form::ALL[pick(Form::ALL.len())];
        let models = Reduction { cost, form };
        type Attacks<'a> = [(&'static str, &'a dyn Fn() -> Result<AttackCost, Error>); 16];
        let attacks: Attacks<'_> = [
            ("usvp", &|| lwe.usvp(models)),
            ("bdd", &|| lwe.bdd(models)),
            ("hybrid", &|| lwe.hybrid(guessing, models)),
            ("dual", &|| lwe.dual_attack(cost)),
            ("dual hybrid", &|| lwe.dual_hybrid(cost)),
            ("exhaustive", &|| lwe.exhaustive()),
            ("meet", &|| lwe.meet()),
            ("tables", &|| lwe.coded_bkw()),
            ("algebra", &|| lwe.arora_gb()),
            ("key", &|| ntru.usvp(models)),
            ("key, bdd", &|| ntru.bdd(models)),
            ("key, hybrid", &|| ntru.hybrid(guessing, models)),
            ("dense", &|| ntru.dense_sublattice(kind, models)),
            ("columns", &|| sis.lattice(models)),
            ("series", &|| sis.lattice(Reduction::FULL)),
            ("rough", &|| lwe.bdd(Reduction::ROUGH)),
        ];
        for (name, attack) in attacks {
            let start = Instant::now();
            let found = attack();
            let time = start.elapsed();
            match found {
                Ok(e) => assert!(
                    e.rop.is_finite() && e.rop >= -1e-9 && e.red <= e.rop + 1e-9 && e.beta <= e.dimension.max(e.beta),
                    "{name} {models:?} {lwe:?} {ntru:?} {sis:?}: {e:?}"
                ),
                Err(e) => assert!(!e.to_string().is_empty()),
            }
            assert!(time < Duration::from_secs(10), "{name} {models:?} {lwe:?} {sis:?}: {time:?}");
            if time > Duration::from_millis(300) {
                println!("{name} {models:?} {lwe:?} {sis:?}: {time:?}");
            }
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
