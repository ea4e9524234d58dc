//! Shifted rings: evaluation on cosets, products modulo `X^n ∓ s^n`, extensions, and values at a point.

use ringwork_ntt::{
    Backend, Batch, Extension, Inverter, Method, Plan, PlanError, Request, Ring, Rns, RnsError, SlotOrder, Word,
    arith::Modulus,
};

fn numbers(n: usize, q: u64, seed: u64) -> Vec<u64> {
    (1..=n as u64).map(|i| i.wrapping_mul(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) % q.min(1 << 62)).collect()
}

fn words<T: Word>(numbers: &[u64]) -> Vec<T> {
    numbers.iter().map(|&x| T::from_i64(x as i64)).collect()
}

/// Words that a plan gives, as residues.
fn residues<T: Word>(plan: &Plan<T>, mut a: Vec<T>) -> Vec<u64> {
    plan.canonical(&mut a);
    a.into_iter().map(|x| x.to_string().parse().unwrap()).collect() // words of 64 bits may leave no room for a sign
}

/// Coefficients times powers of the shift.
fn scaled(a: &[u64], q: Modulus, shift: u64) -> Vec<u64> {
    a.iter().enumerate().map(|(i, &a)| q.mul(a, q.pow(shift, i as u64))).collect()
}

/// A product by the school method.
fn school(a: &[u64], b: &[u64], q: Modulus, wrapped: u64) -> Vec<u64> {
    let n = a.len();
    let mut c = vec![0; n];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let term = q.mul(a, b);
            let term = if i + j < n { term } else { q.mul(term, wrapped) };
            c[(i + j) % n] = q.add(c[(i + j) % n], term);
        }
    }
    c
}

/// A shifted plan against the plan without: coefficients times powers of the shift have the same slots, coefficient `i`
/// of a slot times the power `i` of the shift.
fn agrees<T: Word>(request: Request, shift: u64) -> bool {
    let Ok(shifted) = Plan::<T>::with(&request.shift(shift)) else { return false };
    let own = shifted.recipe().expect("residue channels have no shift");
    let Ok(plan) = Plan::<T>::with(&request.depth(own.depth()).thirds(own.thirds())) else { return false };
    let Some(recipe) = plan.recipe() else { return false };
    assert_eq!((own.shift(), own.passes(), own.depth()), (shift, recipe.passes(), recipe.depth()));
    let (n, q) = (plan.n(), Modulus::new(plan.q()).unwrap());
    let context = format!("{request:?}, shift {shift}, {} on {}", recipe.method(), plan.backend());
    let [a, b] = [1, 2].map(|seed| numbers(n, plan.q(), seed));
    let (mut here, mut there) = (words::<T>(&scaled(&a, q, shift)), words::<T>(&a));
    plan.forward(&mut here);
    shifted.forward(&mut there);
    plan.to_canonical_order(&mut here);
    let mut slots = there.clone();
    shifted.to_canonical_order(&mut slots);
    let (here, slots) = (residues(&plan, here), residues(&shifted, slots));
    for (i, (here, there)) in here.iter().zip(&slots).enumerate() {
        let power = q.pow(shift, (i % recipe.slot_degree()) as u64);
        assert_eq!(*here, q.mul(*there, power), "{context}: word {i}");
    }
    let a_hat = there.clone();
    shifted.inverse(&mut there);
    assert_eq!(residues(&shifted, there), a, "{context}: inverse");

    if n <= 512 {
        let wrapped = match request {
            _ if plan.ring() == Ring::Cyclic => q.pow(shift, n as u64),
            _ => q.neg(q.pow(shift, n as u64)),
        };
        let mut c = vec![T::default(); n];
        shifted.multiply(&mut c, &words::<T>(&a), &words::<T>(&b));
        let product = school(&a, &b, q, wrapped);
        assert_eq!(residues(&shifted, c), product, "{context}: multiply");
        let mut b_hat = words::<T>(&b);
        shifted.forward(&mut b_hat);
        let by_slots = shifted.inverse_product(shifted.pointwise(vec![T::default(); n], &a_hat, &b_hat));
        assert_eq!(residues(&shifted, by_slots), product, "{context}: pointwise");
        if let Ok(inverter) = Inverter::new(&shifted) {
            let mut inverse = vec![T::default(); n];
            if inverter.invert(&mut inverse, &a_hat) {
                shifted.inverse(&mut inverse);
                let one = school(&a, &residues(&shifted, inverse), q, wrapped);
                assert!(one[0] == 1 && one[1..].iter().all(|x| *x == 0), "{context}: invert");
            }
        }
    }

    // Columns, with a polynomial in every lane.
    let count = 16;
    let columns: Vec<T> = (0..n * count).map(|at| words::<T>(&a)[(at / count + at % count) % n]).collect();
    let mut together = columns.clone();
    shifted.forward_batch(&mut together, Batch::new(count).interleaved());
    let mut column: Vec<T> = columns.iter().skip(3).step_by(count).copied().collect();
    shifted.forward(&mut column);
    let third: Vec<T> = together.iter().skip(3).step_by(count).copied().collect();
    assert_eq!(residues(&shifted, third), residues(&shifted, column), "{context}: columns");
    true
}

#[test]
fn slots_are_values_on_a_coset() {
    let mut tried = 0;
    for backend in Backend::available() {
        for ring in [Ring::Cyclic, Ring::Negacyclic] {
            for (n, q) in [(64, 7681), (256, 3329), (512, 12289), (96, 12289), (192, 7681)] {
                for request in [Request::new(n, q), Request::new(n, q).depth(4), Request::new(n, q).depth(0)] {
                    let request = request.ring(ring).backend(backend);
                    tried += usize::from(agrees::<i16>(request, 11)) + usize::from(agrees::<i32>(request, q - 1));
                }
            }
            for n in [32, 256] {
                let request = Request::new(n, 998_244_353).ring(ring).backend(backend);
                tried += usize::from(agrees::<i32>(request, 3)) + usize::from(agrees::<u32>(request, 998_244_352));
                let request = Request::new(n, 1_945_555_039_024_054_273).ring(ring).backend(backend);
                tried += usize::from(agrees::<i64>(request, 95_367_431_640_625));
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn every_method_and_blocks_have_shifts() {
    let mut tried = 0;
    for method in Method::ALL {
        for backend in Backend::available() {
            let request = |n, q| Request::new(n, q).cyclic().method(method).backend(backend);
            tried += usize::from(agrees::<i32>(request(64, 7681), 17));
            tried += usize::from(agrees::<i64>(request(128, 0x0000_0FFF_FFFF_C001), 5));
            tried += usize::from(agrees::<i32>(request(2048, 12289).blocks([512, 128]), 7));
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn shifts_that_there_are_not_are_refused() {
    let refused = |request: Request| request.recipe(32).unwrap_err();
    for shift in [0, 7681, u64::MAX] {
        let error = refused(Request::new(64, 7681).shift(shift));
        assert_eq!(error.code(), "shift");
        assert_eq!(error.to_string(), format!("{shift} is no shift modulo q = 7681; take a number from 1 to 7680"));
    }
    let error = refused(Request::new(768, 7681).ring(Ring::Trinomial).shift(2));
    assert_eq!(
        error.to_string(),
        "the trinomial ring has no shift, and 2 is requested; take a cyclic or a negacyclic ring"
    );
    assert!(Request::new(768, 7681).ring(Ring::Trinomial).shift(1).recipe(32).is_ok());
    // Residue channels have no slots.
    assert_eq!(Plan::<i32>::with(&Request::new(256, 4096).shift(3)).unwrap_err().code(), "no-slots");
    // Where they would be faster, there is the transform.
    assert!(Plan::<i32>::with(&Request::new(256, 8_380_417).shift(3)).unwrap().recipe().is_some());

    let plans = [3, 5].map(|shift| Plan::<i32>::with(&Request::new(64, 7681).shift(shift)).unwrap());
    let product = plans[0].pointwise(vec![0; 64], &[1; 64], &[1; 64]);
    let other = std::panic::catch_unwind(|| plans[1].inverse_product(product)).unwrap_err();
    let message = other.downcast_ref::<String>().unwrap();
    assert!(message.contains("shift 5, ") && message.contains("shift 3, "), "{message}");

    let rns = Rns::<i32>::with(&Request::new(64, 0).shift(3), &[7681, 12289]).unwrap();
    assert_eq!(rns.automorphism(3).unwrap_err(), RnsError::Shifted { shift: 3 });
}

/// Extensions are what the larger transform gives, whatever the order, the blow-up and the number of columns.
fn extends<T: Word>(request: Request, blowup: usize, order: SlotOrder) {
    let extension = Extension::<T>::new(&request, blowup, order).unwrap();
    let recipe = extension.values().recipe().unwrap();
    let (n, q) = (recipe.n(), recipe.q());
    let of_large = Request::new(extension.points(), q).cyclic().root(extension.root()).shift(extension.shift());
    let of_large = of_large.depth(recipe.depth() + blowup.ilog2()).thirds(recipe.thirds());
    let large = Plan::<T>::with(&of_large.slot_order(extension.slot_order())).unwrap();
    assert_eq!((extension.points(), extension.blowup()), (n * blowup, blowup));
    for width in [1, 3, 16] {
        let coefficients = numbers(n * width, q, 7);
        let mut values = words::<T>(&coefficients);
        extension.values().forward_batch(&mut values, Batch::new(width).interleaved());
        let mut extended = vec![T::default(); n * blowup * width];
        extension.extend_columns(&mut extended, &values, width);
        let mut padded = words::<T>(&coefficients);
        padded.resize(n * blowup * width, T::default());
        large.forward_batch(&mut padded, Batch::new(width).interleaved());
        let context = format!("{request:?}, blow-up {blowup}, {order}, {width} columns");
        assert_eq!(residues(&large, extended), residues(&large, padded), "{context}");
    }
}

#[test]
fn extensions_are_those_of_the_larger_transform() {
    for order in [SlotOrder::Native, SlotOrder::BitReversed, SlotOrder::Canonical] {
        for blowup in [1, 2, 8] {
            let canonical = Request::new(64, 2_013_265_921).slot_order(SlotOrder::Canonical);
            extends::<u32>(canonical.shift(31), blowup, order);
            extends::<i32>(Request::new(96, 7681).cyclic(), blowup, order);
            extends::<i16>(Request::new(32, 7681).cyclic().shift(3).depth(5), blowup, order);
            extends::<u64>(Request::new(32, 0xFFFF_FFFF_0000_0001).cyclic().shift(7), blowup, order);
        }
    }
    let refused = Extension::<i32>::new(&Request::new(64, 7681), 3, SlotOrder::Canonical).unwrap_err();
    assert_eq!(
        (refused.code(), refused.to_string()),
        ("blowup", "extensions by 3: take a factor of 1, 2, 4, 8, …".into())
    );
    let refused = |request: Request, blowup| Extension::<i32>::new(&request, blowup, SlotOrder::Native).unwrap_err();
    assert!(matches!(refused(Request::new(64, 7681).depth(6), 16), PlanError::NoRoot { .. }));
    assert_eq!(
        refused(Request::new(96, 998_244_353), 4).to_string(),
        "modulo q = 998244353 the slots of n = 384 have degree 3, and values are wanted; take a prime of the form k·384 + \
         1, and all layers"
    );
    assert!(matches!(refused(Request::new(64, 7681).depth(4), 2), PlanError::Incomplete { degree: 4, .. }));
    assert!(matches!(refused(Request::new(64, 7681).shift(0), 2), PlanError::Shift { .. }));
}

#[test]
fn values_at_a_point_are_sums_of_powers() {
    fn value<T: Word>(n: usize, q: u64) {
        let plan = Plan::<T>::with(&Request::new(n, q)).unwrap();
        let modulus = u128::from(q);
        for (seed, x) in [(1, 0), (2, 1), (3, q - 1), (4, u64::MAX), (5, 3)] {
            let a = numbers(n, q, seed);
            let powers = core::iter::successors(Some(1), |power| Some(power * (u128::from(x) % modulus) % modulus));
            let sum = a.iter().zip(powers).fold(0, |sum, (&a, power)| (sum + u128::from(a) * power) % modulus);
            let mut coefficients = words::<T>(&a);
            assert_eq!(u128::from(plan.evaluate(&coefficients, x)), sum, "n = {n}, q = {q}, x = {x}");
            if T::SIGNED {
                // Residues below zero are the same polynomial.
                let negative = |&a: &u64| T::from_i64(if a == 0 { 0 } else { a as i64 - q as i64 });
                coefficients = a.iter().map(negative).collect();
                assert_eq!(u128::from(plan.evaluate(&coefficients, x)), sum, "n = {n}, q = {q}, x = {x}, negative");
            }
        }
    }
    value::<i16>(64, 7681);
    value::<i16>(60, 4096);
    value::<u32>(2, 2_013_265_921);
    value::<i32>(13, 1_000_000_007);
    value::<i64>(9, (1 << 61) - 1);
}
