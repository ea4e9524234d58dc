//! Unsigned words: the bits of signed ones in every method, and what is no residue in them.

use ringwork_ntt::{
    Backend, InputError, Interval, Inverter, Plan, PlanError, Planner, Request, Ring, SignedWord, SlotOrder, Word,
};

/// Residues of both ends and between.
fn residues<U: Word>(n: usize, q: u64, seed: u64) -> Vec<U> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(state) * u128::from(q)) >> 64) as i64
    };
    let ends = [0, q as i64 - 1, q as i64 / 2, q as i64 / 2 + 1];
    (0..n).map(|i| U::from_i64(if i % 5 == 0 { ends[i / 5 % 4] } else { next() })).collect()
}

/// The same words, signed.
fn signed<U: Word>(words: impl AsRef<[U]>) -> Vec<U::Signed> {
    U::signed(words.as_ref()).to_vec()
}

/// Every method on unsigned words and on signed ones of the same bits; whether there is a plan.
fn agree<U: Word>(request: Request) -> bool
where
    U::Signed: SignedWord,
{
    let (plan, twin) = match (Plan::<U>::with(&request), Plan::<U::Signed>::with(&request)) {
        (Ok(plan), Ok(twin)) => (plan, twin),
        (Err(PlanError::Backend { .. }), Err(PlanError::Backend { .. })) => return false,
        refusals => panic!("{request:?}: {refusals:?}"),
    };
    let (n, q, length) = (plan.n(), plan.q(), plan.ntt_len());
    let context = format!("n {n} q {q} {} bits {} channels {}", U::BITS, plan.backend(), length / n);
    assert_eq!((plan.recipe(), plan.crt_recipe()), (twin.recipe(), twin.crt_recipe()), "{context}");
    let [a, b] = [1, 2].map(|seed| residues::<U>(n, q, seed));
    let [of_a, of_b] = [&a, &b].map(signed);
    let zeros = || (vec![U::default(); n], vec![<U::Signed>::default(); n]);
    let scratch = || (vec![U::default(); plan.scratch_len()], vec![<U::Signed>::default(); plan.scratch_len()]);

    // Whole products.
    let (mut c, mut of_c) = zeros();
    twin.multiply(&mut of_c, &of_a, &of_b);
    plan.multiply(&mut c, &a, &b);
    assert_eq!(signed(&c), of_c, "{context}: multiply");
    let (mut spare, _) = scratch();
    let (mut d, _) = zeros();
    plan.multiply_with(&mut d, &a, &b, &mut spare);
    assert_eq!(d, c, "{context}: multiply_with");
    d.copy_from_slice(&a);
    plan.multiply_assign(&mut d, &b, &mut spare);
    assert_eq!(d, c, "{context}: multiply_assign");
    d.fill(U::default());
    plan.multiply_prepared(&mut d, &a, &plan.prepare(&b), &mut spare);
    assert_eq!(d, c, "{context}: multiply_prepared");
    d.fill(U::default());
    plan.try_multiply(&mut d, &a, &b).unwrap();
    assert_eq!(d, c, "{context}: try_multiply");

    // In the transform domain, bit by bit.
    let transform = |a: &[U]| {
        let (mut words, mut of_words) = (vec![U::default(); length], vec![<U::Signed>::default(); length]);
        words[..n].copy_from_slice(a);
        of_words[..n].copy_from_slice(U::signed(a));
        plan.try_forward(&mut words).unwrap();
        twin.forward(&mut of_words);
        assert_eq!(signed(&words), of_words, "{context}: forward");
        (words, of_words)
    };
    let ((a_hat, of_a_hat), (b_hat, of_b_hat)) = (transform(&a), transform(&b));
    let mut back = a_hat.clone();
    plan.inverse(&mut back);
    assert_eq!(back[..n], a, "{context}: inverse");
    let memory = || (vec![U::default(); length], vec![<U::Signed>::default(); length]);
    let products = || {
        let (memory, of_memory) = memory();
        let mut product = plan.pointwise(memory, &a_hat, &b_hat);
        let mut of_product = twin.pointwise(of_memory, &of_a_hat, &of_b_hat);
        plan.accumulate(&mut product, &a_hat, &a_hat);
        twin.accumulate(&mut of_product, &of_a_hat, &of_a_hat);
        (product, of_product)
    };
    let (product, of_product) = products();
    assert_eq!(signed(plan.inverse_product(product)), twin.inverse_product(of_product), "{context}: inverse_product");
    let (product, of_product) = products();
    assert_eq!(signed(plan.to_ntt(product)), twin.to_ntt(of_product), "{context}: to_ntt");
    let ((memory, of_memory), terms) = (memory(), [&a_hat[..], &b_hat].concat());
    let sum = plan.inner_products(memory, &terms, &terms, 2);
    let of_sum = twin.inner_products(of_memory, U::signed(&terms), U::signed(&terms), 2);
    let (sum, of_sum) = (plan.to_ntt_plus(sum, &b_hat), twin.to_ntt_plus(of_sum, &of_b_hat));
    assert_eq!(signed(&sum), of_sum, "{context}: inner_products, to_ntt_plus");

    // Coefficients.
    let (mut x, mut of_x) = (a.clone(), of_a.clone());
    plan.add(&mut x, &b);
    twin.add(&mut of_x, &of_b);
    assert_eq!(signed(&x), of_x, "{context}: add");
    plan.sub(&mut x, &a);
    twin.sub(&mut of_x, &of_a);
    assert_eq!((signed(&x), &x), (of_x, &b), "{context}: sub");

    if plan.recipe().is_some() {
        let (mut x, mut of_x) = (a_hat.clone(), of_a_hat.clone());
        plan.canonical(&mut x);
        twin.canonical(&mut of_x);
        assert_eq!(signed(&x), of_x, "{context}: canonical");
        plan.to_canonical_order(&mut x);
        plan.from_canonical_order(&mut x);
        assert_eq!(signed(&x), of_x, "{context}: order");
        let (inverter, of_inverter) = (Inverter::new(&plan).unwrap(), Inverter::new(&twin).unwrap());
        let invertible = inverter.invert(&mut x, &a_hat);
        assert_eq!(invertible, of_inverter.invert(&mut of_x, &of_a_hat), "{context}: invert");
        assert!(!invertible || signed(&x) == of_x, "{context}: invert");
    }
    true
}

/// On every backend.
fn sweep<U: Word>(requests: &[Request]) -> usize
where
    U::Signed: SignedWord,
{
    let on_each = |request: &Request| Backend::available().filter(|&b| agree::<U>(request.backend(b))).count();
    requests.iter().map(on_each).sum()
}

#[test]
fn words_of_16_bits() {
    let done = sweep::<u16>(&[
        Request::new(256, 3329).sums(2),
        Request::new(1024, 12289).sums(2),
        Request::new(64, 257).cyclic().sums(2),
        Request::new(768, 7681).ring(Ring::Trinomial),
        Request::new(256, 7681).slot_order(SlotOrder::Canonical),
        Request::new(64, 4096).sums(2),
        Request::new(60, 2048).sums(2),
    ]);
    assert!(done > 14, "{done}");
}

#[test]
fn words_of_32_bits() {
    let done = sweep::<u32>(&[
        Request::new(256, 8_380_417),
        Request::new(1024, 1_073_479_681).lazy(),
        Request::new(256, 3329).slot_order(SlotOrder::Canonical),
        Request::new(128, 1 << 20).sums(2),
        Request::new(509, 2048).cyclic().sums(2),
    ]);
    assert!(done > 10, "{done}");
}

#[test]
fn words_of_64_bits() {
    let done = sweep::<u64>(&[
        Request::new(1024, (1 << 61) - (1 << 21) + 1),
        Request::new(64, 12289),
        Request::new(64, (1 << 62) - 2).sums(2),
    ]);
    assert!(done > 4, "{done}");
}

/// A word of `q` or more is no residue, also where its bits are those of a small negative number.
fn refuses<U: Word>(n: usize, q: u64)
where
    U::Signed: SignedWord,
{
    let plan = Plan::<U>::new(n, q).unwrap();
    let range = Interval::new(0, i128::from(q) - 1);
    let good = residues::<U>(n, q, 3);
    let (most, least) = (i64::MAX >> (64 - U::BITS), i64::MIN >> (64 - U::BITS));
    for bits in [q as i64, q as i64 + 1, most, least, least + 1, -(q as i64), 1 - q as i64, -1] {
        for index in [0, n - 1] {
            let mut bad = good.clone();
            U::signed_mut(&mut bad)[index] = <U::Signed>::from_i64(bits);
            let (refused, mut c) = (Err(InputError::Range { index, range }), vec![U::from_i64(3); n]);
            assert_eq!(plan.check(&bad), refused, "{bits} q {q}");
            assert_eq!(plan.try_multiply(&mut c, &bad, &good), refused, "{bits} q {q}");
            assert_eq!(plan.try_multiply(&mut c, &good, &bad), refused, "{bits} q {q}");
            assert_eq!(c, vec![U::from_i64(3); n]);
            let mut words = vec![U::default(); plan.ntt_len()];
            words[..n].copy_from_slice(&bad);
            let before = words.clone();
            assert_eq!(plan.try_forward(&mut words), refused, "{bits} q {q}");
            assert_eq!(words, before);
        }
    }
    // Words are reduced as they may come out of a transform: signed.
    let mut words = vec![U::default(); n];
    let values = [q as i64, most, least, -1, -(q as i64), 1];
    for (word, value) in U::signed_mut(&mut words).iter_mut().zip(values) {
        *word = <U::Signed>::from_i64(value);
    }
    plan.canonical(&mut words);
    let expected: Vec<U> = values.iter().map(|x| U::from_i64(x.rem_euclid(q as i64))).collect();
    assert_eq!(words[..values.len()], expected);
}

#[test]
fn what_is_no_residue_is_refused() {
    refuses::<u16>(256, 3329);
    refuses::<u16>(64, 4096);
    refuses::<u32>(256, 8_380_417);
    refuses::<u32>(64, (1 << 30) - 35);
    refuses::<u64>(64, (1 << 61) - (1 << 21) + 1);
    refuses::<u64>(64, (1 << 62) - 2);
}

/// Signed and unsigned words of one width have plans of their own in a planner.
#[test]
fn planners_keep_unsigned_plans() {
    let (planner, request) = (Planner::new(), Request::new(64, 257));
    let (unsigned, signed) = (planner.plan::<u32>(&request).unwrap(), planner.plan::<i32>(&request).unwrap());
    assert_eq!((planner.len(), unsigned.recipe()), (2, signed.recipe()));
}
