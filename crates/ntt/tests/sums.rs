//! Sums of products: added up in the transform domain, transformed back once.

#![forbid(unsafe_code)]

use ntt::{Backend, Method, Plan, PlanError, Request, Ring, Word};
use reference::ntt as textbook;

fn check<T: Word>(request: Request, terms: usize) {
    let plan = match Plan::<T>::with(&request.sums(terms as u64)) {
        Ok(plan) => plan,
        Err(PlanError::Backend { .. }) => return, // its vectors are too long for this ring
        Err(e) => panic!("{e}"),
    };
    let (n, q, words) = (plan.n(), plan.q(), plan.words());
    let ring = textbook::Ring::named(plan.ring().name()).expect("a ring of the textbook");
    let mut state = terms as u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(state) * u128::from(q)) >> 64) as u64
    };
    // The largest sums, of either sign, then random ones.
    let half = q / 2;
    let extremes = [vec![half; n], vec![q - half; n], vec![q - 1; n]];
    for case in 0..4 {
        let mut operand = |other: usize| -> Vec<Vec<u64>> {
            (0..terms)
                .map(|_| match case {
                    3 => (0..n).map(|_| random()).collect(),
                    _ => extremes[(case + other) % 3].clone(),
                })
                .collect()
        };
        let (a, b) = (operand(0), operand(usize::from(case == 1)));
        let transformed = |polynomials: &[Vec<u64>]| -> Vec<T> {
            let one = |p: &Vec<u64>| {
                let mut x = vec![T::default(); words];
                x.iter_mut().zip(p).for_each(|(x, &p)| {
                    let centred = if p > half { p as i64 - q as i64 } else { p as i64 };
                    *x = T::from_i64(centred);
                });
                plan.forward(&mut x);
                x
            };
            polynomials.iter().flat_map(one).collect()
        };
        let mut c = vec![T::from_i64(1); words]; // dirty
        plan.slot_sums(&mut c, &transformed(&a), &transformed(&b));
        plan.inverse_product(&mut c);
        let expected = a.iter().zip(&b).fold(vec![0; n], |sum: Vec<u64>, (a, b)| {
            let product = ring.product(a, b, q);
            sum.iter().zip(product).map(|(s, p)| ((u128::from(*s) + u128::from(p)) % u128::from(q)) as u64).collect()
        });
        let got: Vec<u64> = c[..n].iter().map(|&x| u64::try_from(x.into()).expect("canonical")).collect();
        assert_eq!(got, expected, "{} bits, n {n}, q {q}, {terms} terms, case {case}", T::BITS);
    }
}

#[test]
fn sums_are_those_of_the_textbook() {
    for terms in [1, 2, 3, 33] {
        for backend in Backend::available() {
            let on = |n, q| Request::new(n, q).backend(backend);
            check::<i16>(on(64, 7681), terms); // complete
            check::<i16>(on(256, 3329), terms); // slots of degree 2
            check::<i16>(on(128, 12289).depth(5), terms); // of degree 4, whose sums of products are large
            check::<i16>(on(128, 12289).depth(4), terms); // of degree 8: no fused sums
            check::<i16>(on(192, 7681).ring(Ring::Trinomial), terms); // of degree 3
            check::<i32>(on(64, 8380417), terms);
            check::<i32>(on(64, 12289).method(Method::KRed), terms); // reductions leave a factor: no fused sums
            check::<i64>(on(64, 12289), terms);
            check::<i32>(on(128, 1_073_741_789), terms); // auxiliary primes
            check::<i64>(on(64, 4_294_967_291), terms);
        }
    }
}

#[test]
#[should_panic(expected = "a plan for sums of 2 products, these are 3")]
fn more_sums_than_the_auxiliary_primes_hold() {
    let plan = Plan::<i64>::with(&Request::new(64, 4_294_967_291).sums(2)).expect("there is a plan");
    let (a, mut c) = (vec![0; 3 * plan.words()], vec![0; plan.words()]);
    plan.slot_sums(&mut c, &a, &a);
}
