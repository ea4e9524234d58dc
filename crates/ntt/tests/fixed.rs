//! Transforms whose plan is a constant compute what plans of the same ring do, in the order in which layers split slots.

use ringwork_ntt::{
    Backend, Interval, Method, Plan, Request, SignedWord, SlotOrder,
    fixed::{FixedRing, MlDsa, MlKem},
};

const N: usize = 256;

/// The plan that a ring's constants were made from, in the order of the standard.
fn plan<T: SignedWord>(q: u64, depth: u32, root: u64) -> Plan<T> {
    let request = Request::new(N, q).depth(depth).root(root).backend(Backend::Scalar).method(Method::Montgomery);
    Plan::with(&request.slot_order(SlotOrder::BitReversed)).unwrap()
}

/// Polynomials of words in `(-q, q)`: the extremes, and others.
fn polynomials<T: SignedWord>(q: u64) -> Vec<Vec<T>> {
    let most = q as i64 - 1;
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % (2 * most + 1) - most
    };
    let mut all: Vec<Vec<i64>> = vec![vec![most; N], vec![-most; N], vec![0; N]];
    all.push((0..N as i64).map(|i| if i % 2 == 0 { most } else { -most }).collect());
    all.extend((0..4).map(|_| (0..N).map(|_| random()).collect()));
    all.into_iter().map(|words| words.into_iter().map(T::from_i64).collect()).collect()
}

fn canonical<T: SignedWord, R: FixedRing<Word = T>>(words: &[T]) -> Vec<T> {
    let mut words = words.to_vec();
    R::canonical(&mut words);
    words
}

fn same_as_plan<T: SignedWord, R: FixedRing<Word = T>>(plan: &Plan<T>) {
    assert_eq!((R::N, R::Q, R::SLOT_DEGREE), (N, plan.q(), plan.recipe().unwrap().slot_degree()));
    let inside = |words: &[T], range: Interval| {
        let holds = |word: &T| (range.lo..=range.hi).contains(&i128::from((*word).into()));
        assert!(words.iter().all(holds), "within {range}");
    };
    let all = polynomials::<T>(R::Q);
    for a in &all {
        let (mut ours, mut theirs) = (a.clone(), a.clone());
        R::forward(&mut ours);
        inside(&ours, R::SLOTS);
        plan.forward(&mut theirs);
        plan.canonical(&mut theirs);
        assert_eq!(canonical::<T, R>(&ours), theirs);
    }
    // Sums of more products than any standard adds up, of slots and of words as large as they may be.
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let [mut a_hat, mut b_hat, mut a_theirs, mut b_theirs] = [a, b, a, b].map(Clone::clone);
        R::forward(&mut a_hat);
        R::forward(&mut b_hat);
        plan.forward(&mut a_theirs);
        plan.forward(&mut b_theirs);
        for [x, y, x_theirs, y_theirs] in [[&a_hat, &b_hat, &a_theirs, &b_theirs], [a, b, a, b]] {
            let (mut sum, mut term) = (vec![T::default(); N], vec![T::default(); N]);
            R::pointwise(&mut sum, x, y);
            inside(&sum, R::PRODUCTS);
            let mut expected = plan.pointwise(vec![T::default(); N], x_theirs, y_theirs);
            for _ in 0..12 {
                R::pointwise(&mut term, y, x);
                R::add_product(&mut sum, &term);
                inside(&sum, R::PRODUCTS);
                plan.accumulate(&mut expected, y_theirs, x_theirs);
            }
            let mut slots = sum.clone();
            R::to_ntt_plus(&mut slots, x);
            let mut expected_slots = plan.to_ntt(expected.clone());
            plan.canonical(&mut expected_slots);
            let mut addend = x.clone();
            plan.canonical(&mut addend);
            plan.add(&mut expected_slots, &addend);
            assert_eq!(slots, expected_slots);
            R::inverse_product(&mut sum);
            assert_eq!(sum, plan.inverse_product(expected));
        }
        let field = |x: &T, y: &T, sign: i64| ((*x).into() + sign * (*y).into()).rem_euclid(R::Q as i64);
        for sign in [1, -1] {
            let mut sum = a.clone();
            if sign == 1 {
                R::add(&mut sum, b)
            } else {
                R::sub(&mut sum, b)
            }
            let expected: Vec<i64> = a.iter().zip(b).map(|(x, y)| field(x, y, sign)).collect();
            assert_eq!(sum.iter().map(|x| (*x).into()).collect::<Vec<i64>>(), expected);
        }
    }
}

#[test]
fn the_ring_of_ml_kem() {
    same_as_plan::<i16, MlKem>(&plan(3329, 7, 17));
}

#[test]
fn the_ring_of_ml_dsa() {
    same_as_plan::<i32, MlDsa>(&plan(8_380_417, 8, 1753));
}

#[test]
#[should_panic(expected = "a polynomial of another degree")]
fn another_degree_is_refused() {
    MlKem::forward(&mut [0; 255]);
}

#[test]
#[should_panic(expected = "a polynomial of another degree")]
fn operands_of_another_degree_are_refused() {
    MlDsa::add_product(&mut [0; 256], &[0; 128]);
}
