//! Primes that leave words no bit for a sign, Goldilocks' among them: every way through a plan.

use reference::ntt as textbook;
use ringwork_ntt::{
    AnyPlan, Backend, Batch, InputError, Interval, Inverter, Method, Plan, PlanError, Request, Ring, Rns, RnsError,
    SlotOrder, Word, arith::Modulus,
};

const GOLDILOCKS: u64 = 0xFFFF_FFFF_0000_0001;

/// Some with many roots and some with few: 29·2^57 + 1 has 62 bits and needs none of this; 63 and 64 bits.
const OF_64_BITS: [u64; 4] = [GOLDILOCKS, 27 << 59 | 1, u64::MAX - 58, (1 << 63) - 25];
const OF_32_BITS: [u64; 3] = [4293918721, 3 << 30 | 1, 4294967291];

/// Residues of both ends, and between.
fn residues(n: usize, q: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(state) * u128::from(q)) >> 64) as u64
    };
    let ends = [0, q - 1, q / 2, q / 2 + 1, 1];
    (0..n).map(|i| if seed.is_multiple_of(2) && i.is_multiple_of(3) { ends[i / 3 % 5] } else { next() }).collect()
}

fn words<T: Word>(residues: &[u64]) -> Vec<T> {
    residues.iter().map(|&x| T::truncated(x as i64)).collect()
}

/// The numbers of words without sign.
fn numbers<T: Word>(words: &[T]) -> Vec<u64> {
    let all = u64::MAX >> (64 - T::BITS);
    T::signed(words).iter().map(|&word| Into::<i64>::into(word) as u64 & all).collect()
}

/// Everything that a plan does, against the textbook; how many plans there were.
fn everything<T: Word>(n: usize, q: u64, ring: Ring) -> usize {
    let book = textbook::Ring::named(ring.name()).expect("a ring of the textbook");
    let [a, b] = [1, 2].map(|seed| residues(n, q, seed));
    let product = book.product(&a, &b, q);
    let modulus = Modulus::new(q).unwrap();
    let sums: Vec<u64> = a.iter().zip(&b).map(|(&x, &y)| modulus.add(x, y)).collect();
    let differences: Vec<u64> = a.iter().zip(&b).map(|(&x, &y)| modulus.add(x, modulus.neg(y))).collect();
    let twice: Vec<u64> = product.iter().map(|&x| modulus.add(x, x)).collect();
    let (of_a, of_b) = (words::<T>(&a), words::<T>(&b));
    let mut plans = 0;
    let depths = ring.least_depth()..=ring.layers_of_roots(q).min(ring.layers(n));
    for (depth, backend) in depths.flat_map(|depth| Backend::available().map(move |backend| (depth, backend))) {
        let methods = [Method::Unsigned, Method::Goldilocks];
        let orders = [SlotOrder::Native, SlotOrder::Canonical];
        for (method, order) in methods.into_iter().flat_map(|method| orders.map(|order| (method, order))) {
            if backend.is_array() && (n > 64 || order == SlotOrder::Canonical) {
                continue;
            }
            let request = Request::new(n, q).ring(ring).depth(depth).method(method).backend(backend).slot_order(order);
            let plan = match Plan::<T>::with(&request) {
                Err(PlanError::Backend { .. } | PlanError::Method { method: Method::Goldilocks, .. }) => continue,
                plan => plan.unwrap_or_else(|error| panic!("{request:?}: {error}")),
            };
            plans += 1;
            let context = format!("n {n} q {q} {ring} depth {depth} {method} {backend} {order:?}");
            let canonical = Interval::new(0, i128::from(q) - 1);
            let certificate = plan.certificate().unwrap();
            assert_eq!([certificate.input(), certificate.slots(), certificate.output()], [canonical; 3], "{context}");
            let zeros = || vec![T::default(); n];
            let mut scratch = vec![T::default(); plan.scratch_len()];

            let mut c = zeros();
            plan.multiply(&mut c, &of_a, &of_b);
            assert_eq!(numbers(&c), product, "{context}: multiply");
            c = of_a.clone();
            plan.multiply_assign(&mut c, &of_b, &mut scratch);
            assert_eq!(numbers(&c), product, "{context}: multiply_assign");
            c = zeros();
            plan.multiply_prepared(&mut c, &of_a, &plan.prepare(&of_b), &mut scratch);
            assert_eq!(numbers(&c), product, "{context}: multiply_prepared");
            c = zeros();
            plan.try_multiply(&mut c, &of_a, &of_b).unwrap();
            assert_eq!(numbers(&c), product, "{context}: try_multiply");

            let [mut a_hat, mut b_hat] = [of_a.clone(), of_b.clone()];
            plan.try_forward(&mut a_hat).unwrap();
            plan.forward(&mut b_hat);
            if order == SlotOrder::Canonical && n <= 64 {
                let transform = textbook::Transform::new(n, q, book, depth).expect("a legal transform");
                if plan.recipe().unwrap().root() == transform.root() {
                    assert_eq!(numbers(&a_hat), transform.forward(&a), "{context}: forward");
                }
            }
            let mut products = plan.pointwise(zeros(), &a_hat, &b_hat);
            plan.accumulate(&mut products, &a_hat, &b_hat);
            let mut as_slots = plan.to_ntt(products.clone());
            assert_eq!(numbers(&plan.inverse_product(products)), twice, "{context}: accumulate");
            plan.inverse(&mut as_slots);
            assert_eq!(numbers(&as_slots), twice, "{context}: to_ntt");
            let [vector_a, vector_b] = [&a_hat, &b_hat].map(|hat| [&hat[..], hat].concat());
            let inner = plan.inner_products(zeros(), &vector_a, &vector_b, 2);
            assert_eq!(numbers(&plan.inverse_product(inner)), twice, "{context}: inner products");
            let mut back = a_hat.clone();
            plan.inverse(&mut back);
            assert_eq!(back, of_a, "{context}: inverse");

            c = of_a.clone();
            plan.add(&mut c, &of_b);
            assert_eq!(numbers(&c), sums, "{context}: add");
            c = of_a.clone();
            plan.sub(&mut c, &of_b);
            assert_eq!(numbers(&c), differences, "{context}: sub");
            let all = u64::MAX >> (64 - T::BITS);
            let any: Vec<u64> = residues(n, all, 3).into_iter().chain([all, q, q - 1]).take(n).collect();
            c = words(&any);
            plan.canonical(&mut c);
            assert_eq!(numbers(&c), any.iter().map(|x| x % q).collect::<Vec<_>>(), "{context}: canonical");

            let mut many = [&of_a[..], &of_b].concat();
            plan.forward_batch(&mut many, Batch::new(2));
            assert_eq!(many, [&a_hat[..], &b_hat].concat(), "{context}: batch");

            if n <= 32 && !backend.is_array() {
                let inverter = Inverter::new(&plan).unwrap();
                let mut inverse = zeros();
                assert!(inverter.invert(&mut inverse, &a_hat), "{context}: an inverse");
                let one = plan.inverse_product(plan.pointwise(zeros(), &a_hat, &inverse));
                assert!(numbers(&one).iter().enumerate().all(|(i, &x)| x == u64::from(i == 0)), "{context}: one");
                assert!(!inverter.invert(&mut inverse, &zeros()), "{context}: zero has none");
            }
        }
    }
    plans
}

#[test]
fn in_64_bit_words() {
    let mut plans = 0;
    for q in OF_64_BITS {
        for n in [2, 4, 16, 32, 64, 256] {
            for ring in [Ring::Negacyclic, Ring::Cyclic, Ring::Trinomial] {
                if ring == Ring::Trinomial && !(q - 1).is_multiple_of(6) {
                    continue;
                }
                plans += everything::<u64>(n, q, ring);
            }
        }
        plans += everything::<u64>(48, q, Ring::Cyclic);
    }
    assert!(plans > 500, "{plans}");
}

#[test]
fn in_32_bit_words() {
    let mut plans = 0;
    for q in OF_32_BITS {
        for n in [2, 4, 16, 32, 64, 256] {
            for ring in [Ring::Negacyclic, Ring::Cyclic] {
                plans += everything::<u32>(n, q, ring);
            }
        }
        plans += everything::<u32>(48, q, Ring::Cyclic);
    }
    assert!(plans > 300, "{plans}");
}

/// Large transforms go block by block; what is deep takes any word.
#[test]
fn large_ones() {
    for (n, q) in [(1 << 12, GOLDILOCKS), (1 << 17, GOLDILOCKS), (1 << 12, 27 << 59 | 1)] {
        let plan = Plan::<u64>::new(n, q).unwrap();
        let scalar = Plan::<u64>::with(&Request::new(n, q).backend(Backend::Scalar)).unwrap();
        let [a, b] = [1, 2].map(|seed| words::<u64>(&residues(n, q, seed)));
        let [mut c, mut d] = [vec![0; n], vec![0; n]];
        plan.multiply(&mut c, &a, &b);
        scalar.multiply(&mut d, &a, &b);
        assert_eq!(c, d);
        // Coefficient 0 of a negacyclic product, from its definition.
        let modulus = Modulus::new(q).unwrap();
        let terms = (1..n).map(|i| modulus.neg(modulus.mul(a[i], b[n - i])));
        assert_eq!(c[0], terms.fold(modulus.mul(a[0], b[0]), |sum, term| modulus.add(sum, term)));
    }
}

#[test]
fn the_planner_takes_them_and_signed_words_are_refused() {
    let of_goldilocks = Plan::<u64>::new(1024, GOLDILOCKS).unwrap();
    let on_vectors = of_goldilocks.backend() != Backend::Scalar;
    let faster = if on_vectors { Method::Goldilocks } else { Method::Unsigned };
    assert_eq!(of_goldilocks.recipe().unwrap().method(), faster);
    assert_eq!(Plan::<u64>::new(1024, 27 << 59 | 1).unwrap().recipe().unwrap().method(), Method::Unsigned);
    assert_eq!(Plan::<u32>::new(1024, 4293918721).unwrap().recipe().unwrap().method(), Method::Unsigned);
    for (bits, refused) in [
        (64, Plan::<i64>::new(1024, GOLDILOCKS).unwrap_err()),
        (32, Plan::<i32>::new(1024, 4293918721).unwrap_err()),
        (32, Plan::<i32>::with(&Request::new(1024, 4293918721).method(Method::Unsigned)).unwrap_err()),
    ] {
        assert_eq!(refused.code(), "unsigned");
        assert!(refused.to_string().ends_with(&format!("take unsigned ones, u{bits}")), "{refused}");
    }
    let refused = Plan::<u64>::with(&Request::new(64, GOLDILOCKS).method(Method::Montgomery)).unwrap_err();
    assert!(refused.to_string().ends_with("take a prime below 2^62, or unsigned"), "{refused}");
    // From 2^62 on, however little: what words mean does not depend on a choice.
    let just_above = 4611686018427457537;
    assert_eq!(Plan::<i64>::new(64, just_above).unwrap_err().code(), "unsigned");
    assert_eq!(Plan::<u64>::new(64, just_above).unwrap().recipe().unwrap().method(), Method::Unsigned);
    // Solinas's form, of as many bits as a word and more.
    for q in [(1 << 63) - (1 << 41) + 1, u64::MAX - (1 << 34) + 2, GOLDILOCKS, (1 << 63) - 25] {
        for method in Method::ALL.into_iter().filter(|method| !method.is_unsigned()) {
            assert_eq!(method.contract(Modulus::new(q).unwrap(), 64), None, "{method} {q}");
        }
    }
    // Composite numbers of 64 bits are refused everywhere.
    let refused = Plan::<u64>::new(64, u64::MAX).unwrap_err();
    assert!(refused.to_string().ends_with("take a modulus below 2^62"), "{refused}");
    // Nor do the channels of a modulus of many.
    let refused = Rns::<u64>::new(64, &[GOLDILOCKS]).unwrap_err();
    assert!(matches!(refused, RnsError::Large { q: GOLDILOCKS, bits: 64 }), "{refused}");
}

#[test]
fn residues_are_checked() {
    let plan = Plan::<u64>::new(64, GOLDILOCKS).unwrap();
    let range = Interval::new(0, i128::from(GOLDILOCKS) - 1);
    let mut a = vec![GOLDILOCKS - 1; 64];
    assert_eq!(plan.check(&a), Ok(()));
    for bad in [GOLDILOCKS, u64::MAX] {
        a[9] = bad;
        assert_eq!(plan.check(&a), Err(InputError::Range { index: 9, range }));
        let given = a.clone();
        assert!(plan.try_forward(&mut a).is_err() && a == given);
    }
    let plan = Plan::<u32>::new(64, 4293918721).unwrap();
    let mut a = vec![4293918720_u32; 64];
    assert_eq!(plan.check(&a), Ok(()));
    a[63] = u32::MAX;
    assert_eq!(plan.check(&a), Err(InputError::Range { index: 63, range: Interval::new(0, 4293918720) }));

    for (q, bits) in [(GOLDILOCKS, 64), (u64::MAX - 58, 64), (4293918721, 32)] {
        let plan = AnyPlan::new(64, q).unwrap();
        assert_eq!(plan.bits(), bits);
        let (mut a, b) = (residues(64, q, 1), residues(64, q, 2));
        let mut c = vec![0; 64];
        plan.multiply(&mut c, &a, &b).unwrap();
        assert_eq!(c, textbook::Ring::Negacyclic.product(&a, &b, q));
        let most = u64::MAX;
        for bad in [q, most] {
            a[5] = bad;
            let refused = plan.multiply(&mut c, &a, &b).unwrap_err();
            assert_eq!(refused, InputError::Range { index: 5, range: Interval::new(0, i128::from(q) - 1) });
        }
    }
}
