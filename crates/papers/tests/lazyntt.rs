//! LazyNTT: results, counts, and what the ranges prove of it.

use ntt::{
    Backend, Direction, Interval, Inverter, Method, Plan, PlanError, Ring, SignedWord as Word,
    internals::{
        Transform,
        model::{Counter, Ranges},
    },
};
use papers::lazyntt::{
    Error, LazyNtt, Wanted,
    network::{Layers, LazyTransform, Shape},
};

/// The transform, its inverse and the product are those of the usual plan.
fn agrees<T: Word>(wanted: Wanted) -> Result<(), Error> {
    let Wanted { n, q, t, .. } = wanted;
    let lazy = LazyNtt::<T>::of(wanted.prove(T::BITS)?);
    let usual = Transform::<T>::with(&wanted.usual()).unwrap();
    let certificate = lazy.proved().certificate();
    let range = |a: &[T], r: Interval| a.iter().all(|&x| (r.lo..=r.hi).contains(&i128::from(x.into())));
    let q = q as i64;
    let inputs: [&dyn Fn(i64) -> i64; 5] =
        [&|_| q - 1, &|_| 1 - q, &|i| if i % 2 == 0 { q - 1 } else { 1 - q }, &|i| (i * i * 7919 + 31 * i) % q, &|i| {
            -((i * 104729 + 5) % q)
        }];
    let polynomials = inputs.map(|f| (0..n as i64).map(|i| T::from_i64(f(i))).collect::<Vec<T>>());
    for (i, a) in polynomials.iter().enumerate() {
        let (mut x, mut y) = (a.clone(), a.clone());
        lazy.forward(&mut x);
        usual.forward(&mut y);
        assert!(range(&x, certificate.slots), "n = {n}, q = {q}, t = {t}, input {i}");
        let mut back = x.clone();
        lazy.canonical(&mut x);
        usual.canonical(&mut y);
        assert_eq!(x, y, "n = {n}, q = {q}, t = {t}, input {i}");
        lazy.inverse(&mut back);
        assert!(range(&back, certificate.output), "n = {n}, q = {q}, t = {t}, input {i}");
        lazy.canonical(&mut back);
        let mut a = a.clone();
        usual.canonical(&mut a);
        assert_eq!(back, a, "n = {n}, q = {q}, t = {t}, input {i}");
    }
    let (mut x, mut y) = (polynomials[3].clone(), polynomials[3].clone());
    lazy.multiply(&mut x, &polynomials[1], &polynomials[4]);
    usual.multiply(&mut y, &polynomials[1], &polynomials[4]);
    assert_eq!(x, y, "n = {n}, q = {q}, t = {t}");
    Ok(())
}

/// How many of the rings of the paper, and of others, have a proved plan with that `t`; each of
/// them agrees.
fn proved<T: Word>(t: u32) -> usize {
    let mut proved = 0;
    for (q, sizes) in [(12289, 3..=10), (3329, 3..=7), (257, 2..=7), (8380417, 3..=8)] {
        for n in sizes.map(|log| 1 << log) {
            match agrees::<T>(Wanted::new(n, q, t)) {
                Ok(()) => proved += 1,
                Err(Error::Range { .. }) => assert!(t > 1, "n = {n}, q = {q}"),
                Err(e) => panic!("n = {n}, q = {q}, t = {t}: {e}"),
            }
        }
    }
    proved
}

#[test]
fn lazy_transforms_are_transforms() {
    assert_eq!([1, 2, 3].map(proved::<i32>), [25, 14, 6]);
    assert_eq!([1, 2, 3, 4, 5].map(proved::<i64>), [25, 25, 19, 19, 13]);
}

/// SM and SSM for every ring of the paper's Tables 2 and 3.
#[test]
fn the_papers_rings_are_proved_in_64_bits() {
    for (q, sizes) in [(12289, 6..=10), (3329, 5..=7)] {
        for n in sizes.map(|log| 1 << log) {
            for t in [2, 3] {
                agrees::<i64>(Wanted::new(n, q, t)).unwrap();
            }
        }
    }
}

/// Layers in halves alone.
const fn halves(n: usize, halves: u32) -> Layers {
    Layers { n, halves, thirds: 0, trinomial: false }
}

/// Remark 1 and Claims 2, 4 and 5 of the paper, and their counterparts for the inverse.
#[test]
fn counts_are_the_papers() {
    for log_n in 3..=12_u64 {
        let n = 1_usize << log_n;
        let weights = |below: usize| (0..below).map(|i| u64::from(i.count_ones()));
        for t in 1..=6_u32 {
            let [forward, inverse] = [Direction::Forward, Direction::Inverse].map(|direction| {
                let mut counter = Counter::new(1);
                let shape = Shape::new(halves(n, log_n as u32), t, direction);
                counter.run(LazyTransform { shape: &shape, reduces: false }, [n, 0]).unwrap();
                counter.count
            });
            let lazy = u64::from(t);
            assert_eq!(forward.products + forward.exact_products, log_n << (log_n - 1), "Remark 1");
            assert_eq!(forward.products, weights(n).map(|w| w.div_ceil(lazy)).sum::<u64>(), "Claims 4 and 5");
            if t == 2 {
                assert_eq!(forward.exact_products, (log_n - 1) << (log_n - 2), "Claim 2");
            }
            assert_eq!(inverse.products + inverse.exact_products, (log_n << (log_n - 1)) + (n as u64 >> 1));
            let reduced = 2 * weights(n >> 1).map(|w| w / lazy).sum::<u64>();
            assert_eq!(inverse.products, n as u64 + reduced, "inverse: the last layer reduces all");
        }
    }
}

/// In an incomplete transform products are numbered by the layers that a coefficient really meets:
/// the bits of its slot's number alone count.
#[test]
fn counts_of_incomplete_transforms_go_by_slots() {
    let counts = |n, q, t| Wanted::new(n, q, t).prove(64).unwrap().counts();
    let [forward, _, _] = counts(256, 3329, 2);
    assert_eq!((forward.products, forward.exact_products), (512, 384));
    for (n, q, depth) in [(256_usize, 3329, 7_u64), (1024, 3329, 7), (96, 257, 5), (24, 17, 3)] {
        for t in 2..=3 {
            let [forward, _, inverse] = counts(n, q, t);
            let (degree, slots) = (n as u64 >> depth, 1_u32 << depth);
            let reduced: u64 = (0..slots).map(|slot| u64::from(slot.count_ones().div_ceil(t))).sum();
            let all = depth * n as u64 / 2;
            assert_eq!((forward.products, forward.exact_products), (degree * reduced, all - degree * reduced));
            let reduced: u64 = (0..slots / 2).map(|slot| u64::from(slot.count_ones() / t)).sum();
            assert_eq!(inverse.products, n as u64 + degree * 2 * reduced, "n {n} q {q} t {t}");
            assert_eq!(inverse.products + inverse.exact_products, all + n as u64 / 2);
        }
    }
    for (n, q) in [(24, 17), (96, 257), (1024, 3329)] {
        agrees::<i64>(Wanted::new(n, q, 2)).unwrap();
    }
}

/// `R > q^t` is the paper's condition. It holds here, and words overflow nevertheless.
#[test]
fn the_papers_condition_does_not_suffice() {
    let (n, q, t) = (64, 46337_u64, 2);
    assert!(q.pow(t) < 1 << 31, "signed words of 32 bits hold q^2");
    let refusal = LazyNtt::<i32>::new(n, q, t).unwrap_err();
    assert!(matches!(refusal, Error::Range { .. }), "{refusal}");
}

/// In 32 bits the forward transform of SM is proved for the paper's largest ring; its inverse and
/// SSM need wider words.
#[test]
fn what_fits_32_bits() {
    let usual = Wanted::new(1024, 12289, 1).usual().recipe(32).unwrap();
    for (t, fits) in [(1, [true, true]), (2, [true, false]), (3, [false, false])] {
        let proved = [Direction::Forward, Direction::Inverse].map(|direction| {
            let mut proof = Ranges::new(1, usual.contract(), 10);
            let shape = Shape::new(halves(1024, 10), t, direction);
            let job = LazyTransform { shape: &shape, reduces: false };
            proof.run(job, [&mut vec![usual.certificate().input(); 1024]], []).unwrap();
            proof.violation.is_none()
        });
        assert_eq!(proved, fits, "t = {t}");
    }
}

#[test]
fn refusals_teach() {
    let refusal = |wanted: Wanted| wanted.prove(32).unwrap_err().to_string();
    let sm = Wanted::new(64, 257, 2);
    let zero = refusal(Wanted { t: 0, ..sm });
    assert!(zero.contains("t = 1 or more"), "{zero}");
    let other = refusal(Wanted { method: Some(Method::KRed), ..sm });
    assert!(other.contains("montgomery on the scalar backend"), "{other}");
    let vectors = refusal(Wanted { backend: Some(Backend::Array256), ..sm });
    assert!(vectors.contains("scalar"), "{vectors}");
    let thirds = Wanted { thirds: Some(2), ..sm }.prove(32).unwrap_err();
    assert!(matches!(thirds, Error::Plan(_)), "a degree of 64 has no thirds: {thirds}");
    // What it has may be asked for.
    let asked = Wanted { method: Some(Method::Montgomery), backend: Some(Backend::Scalar), thirds: Some(0), ..sm };
    assert_eq!(asked.prove(32), sm.prove(32));
    // What the usual transform lacks is said as the engine says it.
    let composite = Wanted::new(64, 256, 2).prove(32).unwrap_err();
    assert!(matches!(composite, Error::Plan(PlanError::Modulus(_))), "{composite}");
    let few_roots = Wanted { depth: Some(12), ..Wanted::new(4096, 12289, 2) }.prove(64).unwrap_err();
    assert!(matches!(few_roots, Error::Plan(PlanError::NoRoot { .. })), "{few_roots}");
}

/// Each remedy of a refusal for want of room works, and no larger `t` below the refused one does.
#[test]
fn remedies_of_narrow_words_are_true() {
    let mut smaller_ones = 0;
    for (n, q, ts) in [(1024, 12289, 2..9), (256, 3329, 2..9), (64, 257, 2..9), (256, 8380417, 1..6)] {
        for (t, bits) in ts.flat_map(|t| [16, 32, 64].map(|bits| (t, bits))) {
            let wanted = Wanted::new(n, q, t);
            let error = match wanted.prove(bits) {
                Ok(_) => continue,
                Err(Error::Plan(PlanError::Method { .. })) if bits == 16 => continue, // no word for so large a prime
                Err(error) => error,
            };
            let Error::Range { smaller, bits: refused, .. } = error else { panic!("{error}") };
            assert_eq!(refused, bits);
            let text = error.to_string();
            assert!(text.contains("cannot keep"), "{text}");
            let fits = |t| Wanted { t, ..wanted }.prove(bits).is_ok();
            assert_eq!(smaller, (1..t).rev().find(|t| fits(*t)), "{text}");
            let end = match (smaller, bits) {
                (Some(t), 64) => format!("; take t = {t}"),
                (Some(t), _) => format!("; take t = {t}, or {}-bit words", 2 * bits),
                (None, 64) => "; take a smaller prime".into(),
                (None, _) => format!("; take {}-bit words", 2 * bits),
            };
            assert!(text.ends_with(&end), "{text}");
            smaller_ones += usize::from(smaller.is_some());
        }
    }
    assert!(smaller_ones > 8, "{smaller_ones}");
    let unending = Wanted::new(1024, 12289, u32::MAX).prove(64).unwrap_err().to_string();
    assert!(unending.contains("; take t = "), "{unending}");
}

/// Whole polynomials as slots: their inverses, by the engine's inversion, are those of the usual transform.
#[test]
fn without_layers_nothing_is_transformed() {
    for (n, q) in [(5, 97), (24, 16381)] {
        let wanted = Wanted { depth: Some(0), ..Wanted::new(n, q, 2) };
        agrees::<i64>(wanted).unwrap();
        let (plan, lazy) = (Plan::<i64>::with(&wanted.usual()).unwrap(), LazyNtt::<i64>::of(wanted.prove(64).unwrap()));
        let a: Vec<i64> = (1..=n as i64).collect();
        let invert = |forward: &dyn Fn(&mut [i64])| {
            let (mut a_hat, mut words) = (a.clone(), vec![0; n]);
            forward(&mut a_hat);
            let invertible = Inverter::new(&plan).unwrap().invert(&mut words, &a_hat);
            plan.canonical(&mut words);
            (invertible, words)
        };
        assert_eq!(invert(&|a| plan.forward(a)), invert(&|a| lazy.forward(a)), "{n}, {q}");
    }
}

/// Every ring, complete and incomplete, with any root.
#[test]
fn all_rings() {
    let q = 7681; // 2^9·15 + 1
    for (ring, n, depth) in [
        (Ring::Negacyclic, 64, None),
        (Ring::Negacyclic, 64, Some(3)),
        (Ring::Cyclic, 64, None),
        (Ring::Cyclic, 96, Some(2)),
        (Ring::Trinomial, 64, None),
        (Ring::Trinomial, 48, Some(1)),
        (Ring::Trinomial, 96, Some(3)),
    ] {
        for t in 1..=3 {
            let wanted = Wanted { ring, depth, ..Wanted::new(n, q, t) };
            agrees::<i64>(wanted).unwrap_or_else(|e| panic!("{wanted:?}: {e}"));
            let order = wanted.prove(64).unwrap().usual().order() as u64;
            let q = ntt::arith::Modulus::new(q).unwrap();
            let root = q.pow(q.root_of_unity(order).unwrap(), 5 % order.max(2));
            if q.is_primitive_root(root, order) {
                agrees::<i64>(Wanted { root: Some(root), ..wanted }).unwrap_or_else(|e| panic!("{wanted:?}: {e}"));
            }
        }
    }
}

/// The paper's mixed radix: layers in thirds behind those in halves.
#[test]
fn layers_in_thirds() {
    for (ring, n, q, thirds) in [
        (Ring::Negacyclic, 96, 7681, 1),
        (Ring::Negacyclic, 768, 7681, 1),
        (Ring::Negacyclic, 48, 3457, 1),
        (Ring::Cyclic, 72, 3457, 2),
        (Ring::Negacyclic, 144, 3457, 2),
        (Ring::Trinomial, 48, 3457, 1),
    ] {
        for t in 1..=3 {
            let wanted = Wanted { ring, thirds: Some(thirds), ..Wanted::new(n, q, t) };
            agrees::<i64>(wanted).unwrap_or_else(|e| panic!("{wanted:?}: {e}"));
            let [forward, ..] = wanted.prove(64).unwrap().counts();
            assert_eq!(forward.exact_products > 0, t > 1, "{wanted:?}");
        }
    }
}

/// Lazy and usual transforms go through memory alike: what they are compared by in tables.
#[test]
fn passes_are_those_of_the_usual_transform() {
    for (n, q) in [(32, 3329), (64, 12289), (128, 3329), (512, 12289), (1024, 12289), (1024, 3329), (4096, 40961)] {
        let wanted = Wanted::new(n, q, 2);
        let proved = wanted.prove(64).unwrap();
        for direction in [Direction::Forward, Direction::Inverse] {
            assert_eq!(proved.shape(direction).passes(), proved.usual().passes(), "{n}, {q}");
        }
    }
    let wanted = Wanted { thirds: Some(1), ..Wanted::new(768, 7681, 2) };
    let proved = wanted.prove(64).unwrap();
    assert_eq!(proved.shape(Direction::Forward).passes(), proved.usual().passes());
}

/// In words without sign, polynomials are the same.
#[test]
fn words_without_sign() {
    let [n, q] = [128, 3329];
    let (signed, plain) = (LazyNtt::<i64>::new(n, q as u64, 3).unwrap(), LazyNtt::<u64>::new(n, q as u64, 3).unwrap());
    let (a, b): (Vec<u64>, Vec<u64>) = (0..n as u64).map(|i| (i * i % 3329, (7 * i + 3328) % 3329)).unzip();
    let words = |a: &[u64]| a.iter().map(|x| *x as i64).collect::<Vec<_>>();
    let (mut c, mut of_signed) = (vec![0; n], vec![0; n]);
    plain.multiply(&mut c, &a, &b);
    signed.multiply(&mut of_signed, &words(&a), &words(&b));
    assert_eq!(words(&c), of_signed);
}

#[test]
#[should_panic(expected = "a polynomial of degree 64 has 64 coefficients")]
fn lengths_are_checked() {
    LazyNtt::<i64>::new(64, 257, 2).unwrap().forward(&mut [0; 63]);
}
