//! Plans whose word is chosen: products against the textbook, and residues that are none.

use reference::ntt as textbook;
use ringwork_ntt::{AnyPlan, InputError, Request, Ring};

#[test]
fn products_are_the_textbooks_in_every_word() {
    let mut words = Vec::new();
    for (n, q) in [(64, 257), (256, 3329), (60, 4096), (128, 8380417), (64, (1 << 45) - 229), (16, (1 << 62) - 57)] {
        for (ring, book) in [(Ring::Negacyclic, textbook::Ring::Negacyclic), (Ring::Cyclic, textbook::Ring::Cyclic)] {
            let plan = AnyPlan::with(&Request::new(n, q).ring(ring)).unwrap();
            assert_eq!((plan.n(), plan.q(), plan.ring()), (n, q, ring));
            let a: Vec<u64> = (0..n as u64).map(|i| (q - 1) - i * i % q).collect();
            let b: Vec<u64> = (0..n as u64).map(|i| (i * 0x9E37_79B9_7F4A_7C15) % q).collect();
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
