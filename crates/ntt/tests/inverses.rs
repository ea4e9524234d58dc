//! Inverses slot by slot against the textbook: every backend and word, slots of many degrees, and
//! slots without an inverse.

use reference::ntt as textbook;
use ringwork_ntt::{Backend, Inverter, Method, Plan, PlanError, Request, Ring, SignedWord as Word};

/// A small deterministic generator.
struct Lcg(u64);
impl Lcg {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(self.0) * u128::from(bound)) >> 64) as u64
    }
}

/// `n`, `q`, ring, depth.
type Shape = (usize, u64, Ring, u32);

const SHAPES: [Shape; 20] = [
    (64, 257, Ring::Negacyclic, 6),
    (64, 12289, Ring::Negacyclic, 6),
    (1024, 12289, Ring::Negacyclic, 10),
    (256, 3329, Ring::Negacyclic, 7),
    (256, 3329, Ring::Negacyclic, 6),
    (256, 7681, Ring::Negacyclic, 5),
    (64, 7681, Ring::Negacyclic, 0),
    (64, 12289, Ring::Cyclic, 6),
    (64, 12289, Ring::Cyclic, 4),
    (768, 7681, Ring::Trinomial, 8),
    (96, 7681, Ring::Trinomial, 5),
    (192, 7681, Ring::Trinomial, 5),
    (48, 7681, Ring::Negacyclic, 2),
    (40, 12289, Ring::Negacyclic, 3),
    (40, 12289, Ring::Negacyclic, 2),
    (36, 3457, Ring::Trinomial, 2),
    (56, 17, Ring::Negacyclic, 3),
    (256, 8_380_417, Ring::Negacyclic, 8),
    (64, 1_073_479_681, Ring::Negacyclic, 4),
    (64, (1 << 60) - (1 << 14) + 1, Ring::Negacyclic, 5),
];

/// A transformed polynomial, slot-major in canonical order, each of whose slots has an inverse; and
/// those.
fn invertible(transform: &textbook::Transform, n: usize, q: u64, rng: &mut Lcg) -> (Vec<u64>, Vec<u64>) {
    let degree = transform.slot_degree();
    let mut a = Vec::new();
    let mut inverses = Vec::new();
    for slot in 0..n / degree {
        let (x, inverse) = loop {
            let x: Vec<u64> = (0..degree).map(|_| rng.below(q)).collect();
            if let Some(inverse) = reference::poly::inverse_mod(&x, transform.constant(slot), q) {
                break (x, inverse);
            }
        };
        a.extend(x);
        inverses.extend(inverse);
    }
    (a, inverses)
}

/// A divisor of `X^d - c` or zero, so that a slot has no inverse; `None` where all but zero have
/// one.
fn divisor(degree: usize, c: u64, q: u64) -> Option<Vec<u64>> {
    let root = (1..q.min(20_000)).find(|&x| reference::field::pow(x, degree as u64, q) == c)?;
    let mut x = vec![0; degree];
    (x[0], x[1]) = (q - root, 1);
    Some(x)
}

fn to_word<T: Word>(x: u64) -> T {
    T::from_i64(x as i64)
}

fn check<T: Word>((n, q, ring, depth): Shape, backend: Backend, method: Method, lazy: bool) -> bool {
    let request = Request::new(n, q).ring(ring).depth(depth).backend(backend).method(method);
    let Ok(plan) = Plan::<T>::with(&if lazy { request.lazy() } else { request }) else { return false };
    let context = format!("n {n} q {q} {ring} depth {depth} {backend} {method} {} bits", T::BITS);
    let inverses = match Inverter::new(&plan) {
        Ok(inverses) => inverses,
        // Of 16-bit words the last bit is needed.
        Err(PlanError::Range { bits: 16, .. }) if q > 1 << 14 => return false,
        Err(e) => panic!("{context}: {e}"),
    };
    let textbook_ring = textbook::Ring::named(ring.name()).expect("a ring of the textbook");
    let transform = textbook::Transform::new(n, q, textbook_ring, depth).expect("a legal transform");
    let mut rng = Lcg(n as u64 + q + u64::from(depth));
    let (order, degree) = (plan.canonical_order().unwrap(), n >> depth);
    let factor = plan.bare_transform().unwrap().forward_factor().residue;
    let times = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(q)) as u64;
    let native = |a: &[u64]| -> Vec<T> { order.iter().map(|&i| to_word(times(a[i], factor))).collect() };
    let residue = |x: T| (x.into()).rem_euclid(q as i64) as u64;

    let (a, expected) = invertible(&transform, n, q, &mut rng);
    for negative in [false, true] {
        let sign = |x: u64| if negative && x > 0 { q - x } else { x };
        // The same residues as negative words.
        let mut words = native(&a.iter().map(|&x| sign(x)).collect::<Vec<_>>());
        if negative {
            words.iter_mut().for_each(|x| *x = T::from_i64(-(*x).into()));
        }
        let mut c = vec![T::from_i64(1); n]; // dirty
        assert!(inverses.invert(&mut c, &words), "{context}");
        let expected = native(&expected);
        for (x, y) in c.iter().zip(&expected) {
            assert_eq!(residue(*x), residue(*y), "{context}");
            let range = inverses.range();
            assert!((range.lo..=range.hi).contains(&i128::from((*x).into())), "{context}");
        }
        // As a factor of a product it gives one.
        let one = plan.inverse_product(plan.pointwise(vec![T::default(); n], &words, &c));
        assert!(one.iter().enumerate().all(|(i, &x)| residue(x) == u64::from(i == 0)), "{context}");
    }

    for slot in [0, 1, (n >> depth) / 2, (n / degree) - 1] {
        let slot = slot.min(n / degree - 1);
        let mut bad = vec![vec![0; degree]];
        if degree > 1 {
            bad.extend(divisor(degree, transform.constant(slot), q));
        }
        for x in bad {
            let mut a = a.clone();
            a[slot * degree..][..degree].copy_from_slice(&x);
            assert!(transform.inverses(&a).is_none());
            assert!(!inverses.invert(&mut vec![T::default(); n], &native(&a)), "{context}: slot {slot}");
        }
    }
    true
}

#[test]
fn inverses_are_those_of_the_textbook() {
    let mut checked = 0;
    for shape in SHAPES {
        let mut here = 0;
        for backend in Backend::available() {
            for method in Method::ALL {
                for lazy in [false, true] {
                    here += u32::from(check::<i16>(shape, backend, method, lazy));
                    here += u32::from(check::<i32>(shape, backend, method, lazy));
                    here += u32::from(check::<i64>(shape, backend, method, lazy));
                }
            }
        }
        assert!(here > 0, "{shape:?}");
        checked += here;
    }
    assert!(checked > 300, "{checked}");
}

/// The largest primes of 16-bit words, and slots that are whole polynomials.
#[test]
fn ranges_are_proved_or_refused() {
    for q in [32749, 16381, 12289] {
        for depth in [0, 1] {
            let Ok(plan) = Plan::<i16>::with(&Request::new(16, q).depth(depth)) else { continue };
            if let Ok(inverses) = Inverter::new(&plan) {
                assert!(inverses.range().magnitude() < i128::from(q), "{q}");
            }
        }
    }
    assert!(Inverter::new(&Plan::<i32>::with(&Request::new(1 << 14, 12289).depth(11)).unwrap()).is_ok());
    let refused = Inverter::new(&Plan::<i16>::with(&Request::new(152, 17).depth(3)).unwrap()).unwrap_err();
    assert_eq!(refused, PlanError::InverseDegree { degree: 19, q: 17 });
    let text = "slots of degree 19 are not inverted modulo q = 17; take a prime above 19";
    assert_eq!(refused.to_string(), text);
}

#[test]
#[should_panic(expected = "a polynomial of degree 64 has 64 coefficients, this one has 63")]
fn lengths_are_checked() {
    let inverses = Inverter::new(&Plan::<i16>::new(64, 257).unwrap()).unwrap();
    let _ = inverses.invert(&mut [0; 64], &[1; 63]);
}
