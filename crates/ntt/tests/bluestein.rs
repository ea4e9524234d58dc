//! Transforms of any length give the values of polynomials at all points of a coset, and take them back.

use ringwork_ntt::{Backend, Bluestein, Linear, Plan, PlanError, Request, SlotOrder, Word};

fn power(x: u64, mut exponent: u64, q: u64) -> u64 {
    let [mut base, mut power] = [u128::from(x), 1];
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % u128::from(q);
        }
        base = base * base % u128::from(q);
        exponent /= 2;
    }
    power as u64
}

/// The value of a polynomial by Horner's rule.
fn value(a: &[u64], x: u64, q: u64) -> u64 {
    a.iter().rev().fold(0, |sum, a| ((u128::from(sum) * u128::from(x) + u128::from(*a)) % u128::from(q)) as u64)
}

fn transforms<T: Word>(n: usize, request: Request, q: u64) {
    let transform = match Bluestein::<T>::with(&request) {
        // Rings of a few coefficients fill no vectors.
        Err(PlanError::Backend { .. }) => return,
        transform => transform.unwrap(),
    };
    let (root, shift) = (transform.root(), transform.shift());
    assert_eq!((transform.n(), transform.q(), power(root, n as u64, q)), (n, q, 1));
    let a: Vec<u64> = (1..=n as u128).map(|i| (i * i * 104_729 % u128::from(q)) as u64).collect();
    let word = |x: u64| T::truncated(x as i64);
    // Some words stand for negative numbers, where words have a sign.
    let given = a.iter().enumerate().map(|(i, x)| match i % 3 {
        0 if T::SIGNED && *x > 0 => T::truncated(*x as i64 - q as i64),
        _ => word(*x),
    });
    let mut words: Vec<T> = given.collect();
    // Twice: the memory of the first transform is that of the second.
    for _ in 0..2 {
        transform.forward(&mut words);
        let point = |i: usize| (u128::from(shift) * u128::from(power(root, i as u64, q)) % u128::from(q)) as u64;
        // Of long transforms some; the inverse knows all.
        for (i, slot) in words.iter().enumerate().step_by((n / 1024).max(1)) {
            assert_eq!(*slot, word(value(&a, point(i), q)), "slot {i} of {transform:?}");
        }
        transform.inverse(&mut words);
        assert_eq!(words, a.iter().map(|x| word(*x)).collect::<Vec<_>>(), "{transform:?}");
    }
}

#[test]
fn slots_are_values_at_the_powers_of_the_root() {
    for backend in Backend::available() {
        for n in [1, 2, 3, 4, 5, 6, 8, 15, 16, 32] {
            let request = |q| Request::new(n, q).cyclic().backend(backend);
            transforms::<i16>(n, request(7681), 7681);
            transforms::<i16>(n, request(7681).shift(17), 7681);
            transforms::<u32>(n, request(2_013_265_921).shift(31), 2_013_265_921);
        }
    }
    for (n, q) in [(7, 29), (43, 173), (100, 101), (101, 607), (127, 509), (257, 1543), (1000, 3001)] {
        transforms::<i32>(n, Request::new(n, q), q);
        transforms::<u64>(n, Request::new(n, q).shift(q - 1), q);
    }
    // An order, or many sums, are no matter: products may go by residue channels all the same.
    transforms::<i32>(127, Request::new(127, 509).slot_order(SlotOrder::Canonical).sums(1000), 509);
    // Products by residue channels; and words that are used to the last bit.
    transforms::<i32>(11, Request::new(11, 1_000_000_123), 1_000_000_123);
    transforms::<u64>(65537, Request::new(65537, 0xFFFF_FFFF_0000_0001), 0xFFFF_FFFF_0000_0001);
}

/// A plan whose layers are halves gives the same.
#[test]
fn powers_of_two_are_those_of_plans() {
    let request = Request::new(256, 12289).cyclic().slot_order(SlotOrder::Canonical).shift(11);
    let (plan, transform) = (Plan::<i16>::with(&request).unwrap(), Bluestein::<i16>::with(&request).unwrap());
    assert_eq!(plan.recipe().unwrap().root(), transform.root());
    let mut a: Vec<i16> = (0..256).collect();
    let mut b = a.clone();
    plan.forward(&mut a);
    plan.canonical(&mut a);
    transform.forward(&mut b);
    assert_eq!(a, b);
}

#[test]
fn what_has_no_values_is_refused() {
    let refused = |request: Request| Bluestein::<i32>::with(&request).unwrap_err();
    for (request, code, says) in [
        (Request::new(7, 31), "order", "q = 31 has no root of unity of order 7; take q = 29, or another"),
        (Request::new(7, 30), "modulus", "30"),
        (Request::new(0, 29), "degree", "0"),
        (Request::new(7, 29).shift(0), "shift", "0 is no shift"),
        (Request::new(7, 29).shift(29), "shift", "29 is no shift"),
        (Request::new(7, 29).root(2), "root", "2 is not a primitive 7th root of unity modulo 29"),
    ] {
        let error = refused(request);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    assert_eq!(Bluestein::<i16>::new(40_000, 40_001).unwrap_err().code(), "modulus");
    assert!(Bluestein::<i16>::new(20_000, 7681).unwrap_err().to_string().contains("take a smaller length"));
}

/// Products by a prepared operand are the same; one for other lengths is refused.
#[test]
fn prepared_operands_of_linear_products() {
    for q in [12289, 1_000_003] {
        let linear = Linear::<i32>::new([100, 30], q).unwrap().part(20..90).unwrap();
        let (a, b): (Vec<i32>, Vec<i32>) = ((0..100).collect(), (5000..5030).collect());
        let mut expected = vec![0; 70];
        linear.multiply(&mut expected, &a, &b);
        let prepared = linear.prepare(&b);
        for _ in 0..2 {
            let mut c = vec![-1; 70];
            linear.multiply_prepared(&mut c, &a, &prepared);
            assert_eq!(c, expected);
            linear.multiply(&mut c, &a, &b);
            assert_eq!(c, expected);
        }
        for lengths in [[100, 29], [300, 30]] {
            let other = Linear::<i32>::new(lengths, q).unwrap().prepare(&vec![1; lengths[1]]);
            let refused = std::panic::AssertUnwindSafe(|| linear.multiply_prepared(&mut [0; 70], &a, &other));
            assert!(std::panic::catch_unwind(refused).is_err(), "{lengths:?}");
        }
    }
}
