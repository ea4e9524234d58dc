//! LazyNTT: results, counts, and what the ranges prove of it.

use ringwork_ntt::{
    Backend, Method, PlanError, Request, SignedWord as Word,
    internals::{
        Transform,
        model::{Counter, Ranges},
        network::{Border, Direction, LazyNtt, LazyTransform},
    },
};

/// The transform, its inverse and the product are those of the usual plan.
fn agrees<T: Word>(n: usize, q: u64, t: u32) -> Result<(), PlanError> {
    let lazy = Transform::<T>::with(&Request::new(n, q).backend(Backend::Scalar).lazy_ntt(t))?;
    let usual = Transform::<T>::with(&Request::new(n, q).backend(Backend::Scalar).method(Method::Montgomery)).unwrap();
    let range = |a: &[T], r: ringwork_ntt::Interval| a.iter().all(|&x| (r.lo..=r.hi).contains(&i128::from(x.into())));
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
        assert!(range(&x, lazy.certificate().slots()), "n = {n}, q = {q}, t = {t}, input {i}");
        let mut back = x.clone();
        lazy.canonical(&mut x);
        usual.canonical(&mut y);
        assert_eq!(x, y, "n = {n}, q = {q}, t = {t}, input {i}");
        lazy.inverse(&mut back);
        assert!(range(&back, lazy.certificate().output()), "n = {n}, q = {q}, t = {t}, input {i}");
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
            match agrees::<T>(n, q, t) {
                Ok(()) => proved += 1,
                Err(PlanError::Range { .. }) => assert!(t > 1, "n = {n}, q = {q}"),
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
                agrees::<i64>(n, q, t).unwrap();
            }
        }
    }
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
                let shape = LazyNtt::new(n, log_n as u32, t, direction, false);
                counter.run(LazyTransform { direction, shape: &shape, border: Border::NOTHING }, [n, 0]).unwrap();
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
    let counts = |n, q, t| Request::new(n, q).lazy_ntt(t).recipe(64).unwrap().counts();
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
        agrees::<i64>(n, q, 2).unwrap();
    }
}

/// `R > q^t` is the paper's condition. It holds here, and words overflow nevertheless.
#[test]
fn the_papers_condition_does_not_suffice() {
    let (n, q, t) = (64, 46337_u64, 2);
    assert!(q.pow(t) < 1 << 31, "signed words of 32 bits hold q^2");
    let request = Request::new(n, q).lazy_ntt(t);
    let refusal = Transform::<i32>::with(&request).unwrap_err();
    assert!(matches!(refusal, PlanError::Range { .. }), "{refusal}");
}

/// In 32 bits the forward transform of SM is proved for the paper's largest ring; its inverse and
/// SSM need wider words.
#[test]
fn what_fits_32_bits() {
    let usual = Request::new(1024, 12289).backend(Backend::Scalar).method(Method::Montgomery).recipe(32).unwrap();
    for (t, fits) in [(1, [true, true]), (2, [true, false]), (3, [false, false])] {
        let proved = [Direction::Forward, Direction::Inverse].map(|direction| {
            let mut proof = Ranges::new(1, usual.contract(), 10);
            let shape = LazyNtt::new(1024, 10, t, direction, false);
            let job = LazyTransform { direction, shape: &shape, border: Border::NOTHING };
            proof.run(job, [&mut vec![usual.certificate().input(); 1024]], []).unwrap();
            proof.violation.is_none()
        });
        assert_eq!(proved, fits, "t = {t}");
    }
}

#[test]
fn refusals_teach() {
    let refusal = |request: Request| Transform::<i32>::with(&request).unwrap_err().to_string();
    let zero = refusal(Request::new(64, 257).lazy_ntt(0));
    assert!(zero.contains("t = 1 or more"), "{zero}");
    let other = refusal(Request::new(64, 257).lazy_ntt(2).method(Method::KRed));
    assert!(other.contains("montgomery on the scalar backend"), "{other}");
    let vectors = refusal(Request::new(64, 257).lazy_ntt(2).backend(Backend::Array256));
    assert!(vectors.contains("scalar"), "{vectors}");
}
