//! Plans whose word is chosen: products against the textbook, and residues that are none.

use reference::ntt as textbook;
use ringwork_ntt::{AnyPlan, Batch, Buffer, InputError, Product, Request, Ring, SlotOrder, arith::Modulus};

#[test]
fn products_are_the_textbooks_in_every_word() {
    let mut words = Vec::new();
    for (n, q) in [(64, 257), (256, 3329), (60, 4096), (128, 8380417), (64, (1 << 45) - 229), (16, (1 << 62) - 57)] {
        for (ring, book) in [(Ring::Negacyclic, textbook::Ring::Negacyclic), (Ring::Cyclic, textbook::Ring::Cyclic)] {
            let plan = AnyPlan::with(&Request::new(n, q).ring(ring)).unwrap();
            assert_eq!((plan.n(), plan.q(), plan.ring()), (n, q, ring));
            let a: Vec<u64> = (0..n as u64).map(|i| (q - 1) - i * i % q).collect();
            let b: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % q).collect();
            let mut c = vec![1; n];
            plan.multiply(&mut c, &a, &b).unwrap();
            assert_eq!(c, book.product(&a, &b, q), "n {n} q {q} {ring}");
            words.push(plan.bits());
        }
    }
    words.sort_unstable();
    words.dedup();
    assert_eq!(words, [16, 32, 64], "every word was chosen for some ring");
}

#[test]
fn what_is_no_residue_is_refused_and_nothing_is_lost() {
    for (n, q) in [(64, 257), (64, (1 << 45) - 229), (64, (1 << 62) - 57)] {
        let plan = AnyPlan::new(n, q).unwrap();
        let (good, mut c) = (vec![q - 1; n], vec![7; n]);
        for bad in [q, q + 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX] {
            let mut a = good.clone();
            a[5] = bad;
            for (a, b) in [(&a, &good), (&good, &a)] {
                let Err(InputError::Range { index, range }) = plan.multiply(&mut c, a, b) else { panic!("{bad}") };
                assert_eq!((index, range.lo, range.hi), (5, 0, i128::from(q) - 1));
            }
        }
        let short = InputError::Length { expected: n, actual: n - 1 };
        assert_eq!(plan.multiply(&mut c, &good[1..], &good), Err(short));
        assert_eq!(plan.multiply(&mut c, &good, &good[1..]), Err(short));
        assert_eq!(plan.multiply(&mut vec![0; n - 1], &good, &good), Err(short));
        assert_eq!(c, vec![7; n]);
    }
}

/// Degrees and moduli with a plan in every word: of 16, 32 and 64 bits, by slots, by residue channels, without sign.
const EVERY_WORD: [(usize, u64); 8] = [
    (64, 257),
    (256, 3329),
    (60, 4096),
    (128, 8380417),
    (64, 4293918721),
    (64, (1 << 45) - 229),
    (64, 0xffff_ffff_0000_0001),
    (16, (1 << 62) - 57),
];

fn polynomial(n: usize, q: u64, seed: u64) -> Vec<u64> {
    (0..n as u64).map(|i| (i * i + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) % q).collect()
}

fn sum(a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| ((u128::from(*a) + u128::from(*b)) % u128::from(q)) as u64).collect()
}

/// Transformed, each polynomial of `ntt_len` words.
fn transformed(plan: &AnyPlan, polynomials: &[&[u64]]) -> Vec<u64> {
    let mut words = vec![0; plan.ntt_len() * polynomials.len()];
    for (to, from) in words.chunks_exact_mut(plan.ntt_len()).zip(polynomials) {
        to.fill(u64::MAX); // what follows the polynomial does not matter
        to[..plan.n()].copy_from_slice(from);
    }
    plan.forward_many(&mut words).unwrap();
    words
}

/// The polynomials of products.
fn undone(plan: &AnyPlan, product: &Product<Buffer<u64>>) -> Vec<Vec<u64>> {
    let words = plan.inverse_product(product);
    words.words().chunks_exact(plan.ntt_len()).map(|words| words[..plan.n()].to_vec()).collect()
}

#[test]
fn every_verb_of_a_plan_works_in_every_word() {
    let mut words = Vec::new();
    for (n, q) in EVERY_WORD {
        let plan = AnyPlan::with(&Request::new(n, q).sums(2)).unwrap();
        words.push((plan.bits(), matches!(plan, AnyPlan::U32(_) | AnyPlan::U64(_)), plan.recipe().is_some()));
        let book = |a: &[u64], b: &[u64]| textbook::Ring::Negacyclic.product(a, b, q);
        let [a, b] = [1, 2].map(|seed| polynomial(n, q, seed));
        let (ab, aa, bb) = (book(&a, &b), book(&a, &a), book(&b, &b));
        let [a_hat, b_hat] = [&a, &b].map(|a| transformed(&plan, &[a]));
        let case = format!("n {n} q {q}");

        let mut back = a_hat.clone();
        plan.inverse(&mut back).unwrap();
        assert_eq!(back[..n], a, "{case}");
        assert!(back[n..].iter().all(|word| *word == 0), "{case}");

        let mut product = plan.pointwise(&a_hat, &b_hat).unwrap();
        assert_eq!(undone(&plan, &product), [&*ab], "{case}");
        let mut again = plan.to_ntt(&product);
        plan.inverse(again.words_mut()).unwrap();
        assert_eq!(again.words()[..n], ab, "{case}");
        let mut plus = plan.to_ntt_plus(&product, &a_hat).unwrap();
        plan.inverse(plus.words_mut()).unwrap();
        assert_eq!(plus.words()[..n], sum(&ab, &a, q), "{case}");
        plan.accumulate(&mut product, &a_hat, &a_hat).unwrap();
        assert_eq!(undone(&plan, &product), [&*sum(&ab, &aa, q)], "{case}");
        let sums = plan.inner_products(&[&*a_hat, &b_hat].concat(), &[&*a_hat, &b_hat].concat(), 2).unwrap();
        assert_eq!(undone(&plan, &sums), [&*sum(&aa, &bb, q)], "{case}");
        let sums = plan.inner_products(&[&*a_hat, &b_hat].concat(), &b_hat, 1).unwrap();
        assert_eq!(undone(&plan, &sums), [&*ab, &bb], "{case}");

        let mut c = a.clone();
        plan.multiply_assign(&mut c, &b).unwrap();
        assert_eq!(c, ab, "{case}");
        let prepared = plan.prepare(&b).unwrap();
        c.fill(5);
        plan.multiply_prepared(&mut c, &a, &prepared).unwrap();
        assert_eq!(c, ab, "{case}");
        let mut many = vec![0; 2 * n];
        plan.multiply_many(&mut many, &[&*a, &b].concat(), &[&*b, &b].concat()).unwrap();
        assert_eq!(many, [ab, bb].concat(), "{case}");
        c.copy_from_slice(&a);
        plan.add(&mut c, &b).unwrap();
        assert_eq!(c, sum(&a, &b, q), "{case}");
        plan.sub(&mut c, &b).unwrap();
        assert_eq!(c, a, "{case}");

        for x in [0, 1, q - 1, q + 2, u64::MAX] {
            let horner =
                a.iter().rev().fold(0, |value, a| (value * u128::from(x % q) + u128::from(*a)) % u128::from(q));
            assert_eq!(plan.evaluate(&a, x).map(u128::from), Ok(horner), "{case} x {x}");
        }

        let both = transformed(&plan, &[&a, &b]);
        assert_eq!(both, [a_hat, b_hat].concat(), "{case}");
        let mut columns: Vec<u64> = (0..both.len()).map(|at| both[at % 2 * plan.ntt_len() + at / 2]).collect();
        plan.inverse_batch(&mut columns, Batch::new(2).interleaved()).unwrap();
        assert!((0..2 * n).all(|at| columns[at] == [&a, &b][at % 2][at / 2]), "{case}");
        plan.forward_batch(&mut columns, Batch::new(2).interleaved()).unwrap();
        assert!((0..both.len()).all(|at| columns[at] == both[at % 2 * plan.ntt_len() + at / 2]), "{case}");
    }
    words.sort_unstable();
    words.dedup();
    for kind in [(16, false, true), (32, false, true), (64, false, false), (32, true, true), (64, true, true)] {
        assert!(words.contains(&kind), "{kind:?} in {words:?}");
    }
}

#[test]
fn orders_are_those_of_the_plan() {
    let plan = AnyPlan::with(&Request::new(64, 7681)).unwrap();
    let canonical = AnyPlan::with(&Request::new(64, 7681).slot_order(SlotOrder::Canonical)).unwrap();
    assert_eq!((plan.slot_order(), canonical.slot_order()), (SlotOrder::Native, SlotOrder::Canonical));
    let mut x = vec![0; 64];
    x[1] = 1;
    let (native, mut words) = (transformed(&plan, &[&x]), transformed(&canonical, &[&x]));
    let (q, root) = (Modulus::new(7681).unwrap(), plan.recipe().unwrap().root());
    for (i, value) in words.iter().enumerate() {
        assert_eq!(*value, q.pow(root, plan.ring().exponent_of(i) as u64));
    }
    let order = plan.canonical_order().unwrap();
    assert!(native.iter().zip(&order).all(|(word, i)| *word == words[*i]));
    assert!((0..64).all(|position| plan.slot(position) == Some((order[position], 0))));
    plan.from_canonical_order(&mut words).unwrap();
    assert_eq!(words, native);
    plan.to_canonical_order(&mut words).unwrap();
    assert_eq!(words, transformed(&canonical, &[&x]));
}

/// Every verb that reads words refuses those that are none of its own, says where, and changes nothing.
#[test]
fn verbs_refuse_what_is_out_of_range_and_lose_nothing() {
    for (n, q) in EVERY_WORD {
        let plan = AnyPlan::new(n, q).unwrap();
        let length = plan.ntt_len();
        let good = transformed(&plan, &[&polynomial(n, q, 1), &polynomial(n, q, 2)]);
        let of_words = 1_u64.checked_shl(plan.bits()).unwrap_or(u64::MAX);
        let of_transformed = if plan.recipe().is_some() { q } else { of_words };
        let beyond = |limit: u64| [limit, u64::MAX].into_iter().filter(move |bad| *bad >= limit);
        for bad in beyond(of_transformed) {
            if plan.recipe().is_none() && plan.bits() == 64 {
                break; // all words are words of the plan
            }
            let mut words = good.clone();
            words[length + 3] = bad;
            let refused = |result: Result<(), InputError>, at: usize| {
                assert!(matches!(result, Err(InputError::Range { index, .. }) if index == at), "{result:?} at {at}");
            };
            let before = words.clone();
            refused(plan.inverse_many(&mut words), length + 3);
            refused(plan.inverse_batch(&mut words, Batch::new(2).distance(length)), length + 3);
            refused(plan.pointwise(&words[length..], &good[..length]).map(drop), 3);
            refused(plan.pointwise(&good[..length], &words[length..]).map(drop), 3);
            refused(plan.inner_products(&words, &good, 2).map(drop), length + 3);
            let product = plan.pointwise(&good[..length], &good[..length]).unwrap();
            refused(plan.to_ntt_plus(&product, &words[length..]).map(drop), 3);
            refused(plan.accumulate(&mut product.clone(), &words[length..], &good[..length]), 3);
            assert_eq!(words, before);
        }
        for bad in beyond(q) {
            let mut a = polynomial(2 * n, q, 3);
            a[n + 3] = bad;
            let (before, b) = (a.clone(), polynomial(2 * n, q, 4));
            let mut c = vec![9; 2 * n];
            for result in [
                plan.check(&a[n..]),
                plan.multiply_assign(&mut a[n..], &b[n..]),
                plan.multiply_prepared(&mut c[n..], &a[n..], &plan.prepare(&b[n..]).unwrap()),
                plan.prepare(&a[n..]).map(drop),
                plan.evaluate(&a[n..], 2).map(drop),
            ] {
                assert!(matches!(result, Err(InputError::Range { index: 3, .. })), "{result:?}");
            }
            for result in
                [plan.multiply_many(&mut c, &a, &b), plan.add(&mut a, &b), plan.sub(&mut b.clone(), &a.clone())]
            {
                assert!(matches!(result, Err(InputError::Range { index, .. }) if index == n + 3), "{result:?}");
            }
            let mut words = vec![0; 2 * length];
            words[length + 3] = bad;
            let unchanged = words.clone();
            let result = plan.forward_many(&mut words);
            assert!(matches!(result, Err(InputError::Range { index, .. }) if index == length + 3), "{result:?}");
            assert_eq!((a, c, words), (before, vec![9; 2 * n], unchanged));
        }
        let mut short = vec![0; length - 1];
        let wrong = Err(InputError::Length { expected: length, actual: length - 1 });
        assert_eq!(plan.forward(&mut short), wrong);
        assert_eq!(plan.inverse(&mut short), wrong);
        assert_eq!(plan.pointwise(&short, &good[..length]).map(drop), wrong);
        assert_eq!(plan.forward_batch(&mut short, Batch::new(1)), wrong);
        assert_eq!(plan.evaluate(&[], 2), Err(InputError::Length { expected: n, actual: 0 }));
        assert_eq!(plan.add(&mut [], &[]), Err(InputError::Length { expected: n, actual: 0 }));
        assert_eq!(plan.forward_many(&mut []), Ok(()));
        let whole = &good[..2 * length];
        for (terms, actual) in [(0, 2 * length), (3, 2 * length), (usize::MAX, 2 * length), (2, 0)] {
            let whole = &whole[..actual];
            let result = plan.inner_products(whole, whole, terms).map(drop);
            assert!(matches!(result, Err(InputError::Length { actual: length, .. }) if length == actual), "{terms}");
        }
    }
}
