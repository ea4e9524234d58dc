//! Sums of products: added up in the transform domain, transformed back once.

use reference::ntt as textbook;
use ringwork_ntt::{Backend, Method, Plan, PlanError, Request, Ring, SignedWord as Word};

/// `None` if the backend's vectors are too long for the ring.
fn plan<T: Word>(request: Request, terms: usize) -> Option<Plan<T>> {
    match Plan::with(&request.sums(terms as u64)) {
        Err(PlanError::Backend { .. }) => None,
        plan => Some(plan.unwrap_or_else(|e| panic!("{e}"))),
    }
}

/// Sums of `terms` products for each pair of `rows` and `columns` vectors.
fn check<T: Word>(request: Request, terms: usize, [rows, columns]: [usize; 2]) {
    let Some(plan) = plan::<T>(request, terms) else { return };
    let (n, q, words) = (plan.n(), plan.q(), plan.ntt_len());
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
        let mut operand = |other: usize, vectors: usize| -> Vec<Vec<u64>> {
            (0..vectors * terms)
                .map(|_| match case {
                    3 => (0..n).map(|_| random()).collect(),
                    _ => extremes[(case + other) % 3].clone(),
                })
                .collect()
        };
        let (a, b) = (operand(0, rows), operand(usize::from(case == 1), columns));
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
        let (a_hat, b_hat) = (transformed(&a), transformed(&b));
        let mut memory = vec![T::from_i64(1); rows * columns * words];
        drop(plan.inner_products(&mut memory[..], &a_hat, &b_hat, terms));
        let most = if words == n { q as i64 } else { i64::MAX }; // residue channels have primes of their own
        assert!(memory.iter().all(|&x| (0..most).contains(&x.into())), "{} bits, n {n}, q {q}, stored", T::BITS);
        let mut c = plan.inverse_product(plan.inner_products(memory, &a_hat, &b_hat, terms));
        let pairs = b.chunks(terms).flat_map(|b| a.chunks(terms).map(move |a| (a, b)));
        for (c, (a, b)) in c.chunks_mut(words).zip(pairs) {
            let expected = a.iter().zip(b).fold(vec![0; n], |sum: Vec<u64>, (a, b)| {
                let sums = sum.iter().zip(ring.product(a, b, q)).map(|(s, p)| u128::from(*s) + u128::from(p));
                sums.map(|s| (s % u128::from(q)) as u64).collect()
            });
            let got: Vec<u64> = c[..n].iter().map(|&x| u64::try_from(x.into()).expect("canonical")).collect();
            assert_eq!(got, expected, "{} bits, n {n}, q {q}, {terms} terms, case {case}", T::BITS);
        }
    }
}

#[test]
fn sums_are_those_of_the_textbook() {
    for terms in [1, 2, 3, 33] {
        for backend in Backend::available() {
            let on = |n, q| Request::new(n, q).backend(backend);
            check::<i16>(on(64, 7681), terms, [1, 1]); // complete
            check::<i16>(on(256, 3329), terms, [3, 2]); // slots of degree 2: product by product
            check::<i16>(on(128, 12289).depth(5), terms, [1, 1]); // of degree 4, whose sums of products are large
            check::<i16>(on(128, 12289).depth(4), terms, [1, 1]); // of degree 8
            check::<i16>(on(192, 7681).ring(Ring::Trinomial), terms, [1, 1]); // of degree 3
            check::<i16>(on(8, 23041).depth(2), terms, [1, 1]); // products have to be reduced before they are added
            check::<i32>(on(64, 8380417), terms, [2, 3]);
            check::<i32>(on(64, 12289).method(Method::KRed), terms, [1, 1]); // products have a factor
            check::<i64>(on(64, 12289), terms, [1, 1]);
            for (method, q) in [
                (Method::KRed, 12289),
                (Method::KRed2x, 12289),
                (Method::Double, 12289),
                (Method::Ifma, (1 << 51) - (1 << 17) + 1),
                (Method::IfmaStrict, (1 << 52) - (1 << 12) + 1),
            ] {
                check::<i64>(on(64, q).method(method), terms, [1, 1]);
            }
            check::<i64>(on(64, 1 << 60 | 30721).method(Method::Truncated), terms, [1, 1]); // just above 2^60
            check::<i32>(on(128, 1_073_741_789), terms, [2, 2]); // auxiliary primes
            check::<i64>(on(64, 4_294_967_291), terms, [1, 1]);
        }
    }
}

/// The same sums as by single products: of operands that are too large to be worked on all
/// together.
fn check_parts<T: Word>(request: Request, terms: usize, [rows, columns]: [usize; 2]) {
    let Some(plan) = plan::<T>(request, terms) else { return };
    let (n, q, words) = (plan.n(), plan.q() as i64, plan.ntt_len());
    let polynomials = |vectors: usize, seed: i64| -> Vec<T> {
        (0..(vectors * terms * n) as i64).map(|i| T::from_i64((i * i + i * seed) * 7919 % q)).collect()
    };
    let transformed = |polynomials: &[T]| -> Vec<T> {
        let mut all = vec![T::default(); polynomials.len() / n * words];
        for (out, polynomial) in all.chunks_mut(words).zip(polynomials.chunks(n)) {
            out[..n].copy_from_slice(polynomial);
            plan.forward(out);
        }
        all
    };
    let (a, b) = (polynomials(rows, 3), polynomials(columns, 5));
    let dirty = vec![T::from_i64(1); rows * columns * words];
    let mut c = plan.inverse_product(plan.inner_products(dirty, &transformed(&a), &transformed(&b), terms));
    let pairs = b.chunks(terms * n).flat_map(|b| a.chunks(terms * n).map(move |a| (a, b)));
    for (c, (a, b)) in c.chunks_mut(words).zip(pairs) {
        let (mut expected, mut product) = (vec![0; n], vec![T::default(); n]);
        for (a, b) in a.chunks(n).zip(b.chunks(n)) {
            plan.multiply(&mut product, a, b);
            expected.iter_mut().zip(&product).for_each(|(sum, &x)| *sum = (*sum + x.into()) % q);
        }
        assert!(c[..n].iter().map(|&x| x.into()).eq(expected), "{} bits, n {n}, q {q}, {terms} terms", T::BITS);
    }
}

#[test]
fn many_large_operands_are_taken_part_by_part() {
    for backend in Backend::available() {
        let on = |n, q| Request::new(n, q).backend(backend);
        check_parts::<i16>(on(1024, 12289), 31, [5, 6]);
        check_parts::<i32>(on(512, 8380417), 18, [9, 8]); // parts of 448 and 64 words
        check_parts::<i32>(on(512, 65537).method(Method::KRed), 18, [9, 8]); // products have a factor
        check_parts::<i32>(on(512, 65537).method(Method::Shoup), 18, [9, 8]);
        check_parts::<i64>(on(512, 12289), 17, [5, 4]);
        check_parts::<i16>(on(1536, 7681).ring(Ring::Trinomial), 22, [4, 5]); // of slots of degree 3
        check_parts::<i32>(on(256, 1_073_741_789), 41, [9, 8]); // each of the auxiliary primes by itself
    }
    check_parts::<i32>(Request::new(128, 8380417), 33_000, [2, 2]); // enough terms for the smallest parts
}

/// The largest residues, of which two do not fit the word.
#[test]
fn sums_and_differences_of_the_largest_residues() {
    let plan = Plan::<i16>::new(1024, 18433).expect("there is a plan");
    for (a, b) in [(18432, 18432), (-18432, -18432), (18432, -18432), (-18432, 18432), (9216, 9217)] {
        for negative in [false, true] {
            let mut sum = vec![a; 1024];
            if negative {
                plan.sub(&mut sum, &[b; 1024])
            } else {
                plan.add(&mut sum, &[b; 1024])
            }
            let exact = i32::from(a) + if negative { -i32::from(b) } else { i32::from(b) };
            assert_eq!(i32::from(sum[77]), exact.rem_euclid(18433), "{a} and {b}");
        }
    }
}

/// Products that are added one by one are those that are added in one call.
#[test]
fn products_accumulate() {
    fn check<T: Word>(request: Request) {
        let plan = Plan::<T>::with(&request.sums(3)).expect("there is a plan");
        let (n, words) = (plan.n(), plan.ntt_len());
        let mut vectors = vec![T::default(); 3 * words];
        for (i, out) in vectors.chunks_mut(words).enumerate() {
            let small = |j: usize| T::from_i64((j * j + 17 * i) as i64 % plan.q().min(1 << 14) as i64);
            (0..n).for_each(|j| out[j] = small(j));
            plan.forward(out);
        }
        let at_once = plan.inner_products(vec![T::default(); words], &vectors, &vectors, 3);
        let mut one_by_one = plan.pointwise(vec![T::default(); words], &vectors[..words], &vectors[..words]);
        for x in vectors[words..].chunks(words) {
            plan.accumulate(&mut one_by_one, x, x);
        }
        assert_eq!(plan.inverse_product(one_by_one), plan.inverse_product(at_once), "{request:?}");
    }
    for request in [Request::new(256, 3329), Request::new(512, 12289), Request::new(64, 15361), Request::new(60, 4096)]
    {
        check::<i16>(request);
        check::<i32>(request);
        check::<i64>(request);
    }
    check::<i32>(Request::new(256, 12289).method(Method::KRed));
}

#[test]
fn nothing_is_a_sum_of_nothing() {
    let plan = Plan::<i16>::new(64, 7681).expect("there is a plan");
    for vectors in [&[][..], &[0; 64]] {
        assert!(plan.inverse_product(plan.inner_products(vec![], vectors, &[], 1)).is_empty());
    }
}

#[test]
#[should_panic(expected = "vectors of 2 polynomials of 64 words")]
fn vectors_are_whole() {
    let plan = Plan::<i16>::new(64, 7681).expect("there is a plan");
    let _ = plan.inner_products([0; 64], &[0; 192], &[0; 128], 2);
}

#[test]
#[should_panic(expected = "a plan for sums of 2 products, these are 3")]
fn more_sums_than_the_auxiliary_primes_hold() {
    let plan = Plan::<i64>::with(&Request::new(64, 4_294_967_291).sums(2)).expect("there is a plan");
    let a = vec![0; 3 * plan.ntt_len()];
    let _ = plan.inner_products(vec![0; plan.ntt_len()], &a, &a, 3);
}

/// What residue channels bring back into the transform domain is reduced modulo q: it can be
/// multiplied and added up again.
#[test]
fn products_of_residue_channels_are_operands() {
    for (n, q) in [(1024, 1_000_003), (677, 2048), (64, 8_380_416)] {
        let plan = Plan::<i32>::new(n, q).unwrap();
        assert!(plan.crt_recipe().is_some());
        let [a, b] =
            [3, 5].map(|k| (0..n as i64).map(|i| ((q as i64 - 1 - k * i * i) % q as i64) as i32).collect::<Vec<_>>());
        let hat = |a: &[i32]| {
            let mut words = vec![0; plan.ntt_len()];
            words[..n].copy_from_slice(a);
            plan.forward(&mut words);
            words
        };
        let memory = || vec![0; plan.ntt_len()];
        let product = |a: &[i32], b: &[i32]| {
            let mut c = vec![0; n];
            plan.multiply(&mut c, a, b);
            c
        };
        let (a_hat, b_hat) = (hat(&a), hat(&b));
        let ab = plan.to_ntt(plan.pointwise(memory(), &a_hat, &b_hat));
        let abb = plan.inverse_product(plan.pointwise(memory(), &ab, &b_hat));
        assert_eq!(abb[..n], product(&product(&a, &b), &b), "{n}, {q}");
        let mut sum = ab.clone();
        for _ in 0..3 {
            sum = plan.to_ntt_plus(plan.pointwise(memory(), &a_hat, &b_hat), &sum);
        }
        let all = plan.inverse_product(plan.pointwise(memory(), &sum, &b_hat));
        let mut four = product(&a, &b);
        for _ in 0..3 {
            plan.add(&mut four, &product(&a, &b));
        }
        assert_eq!(all[..n], product(&four, &b), "{n}, {q}");
    }
}

/// Sums of products are canonical words, which may be larger than products are: what follows is
/// proved for both.
#[test]
fn sums_of_products_near_the_end_of_the_word() {
    for q in [20161, 18257, 19889, 19937] {
        let Ok(plan) = Plan::<i16>::with(&Request::new(8, q).depth(3)) else { continue };
        let zeros = [0; 8];
        for word in 0..q as i16 {
            let mut one = [0; 8];
            one[0] = 1;
            plan.forward(&mut one);
            let mut product = plan.pointwise([0; 8], &[word; 8], &one);
            plan.accumulate(&mut product, &zeros, &zeros);
            let mut sum = plan.to_ntt_plus(product, &[q as i16 - 1; 8]);
            plan.canonical(&mut sum);
            assert_eq!(sum, [(i32::from(word) + q as i32 - 1).rem_euclid(q as i32) as i16; 8], "{q}: {word}");
        }
    }
}

#[test]
#[should_panic(expected = "vectors of 18014398509481985 polynomials")]
fn vectors_longer_than_memory() {
    let plan = Plan::<i16>::new(1024, 12289).unwrap();
    let _ = plan.inner_products(vec![0; 1024], &[0; 1024], &[0; 1024], (usize::MAX >> 10) + 2);
}
