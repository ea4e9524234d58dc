//! Many polynomials in one call are what they are one by one, on any number of threads.

use ringwork_ntt::{Backend, Batch, InputError, Method, Plan, Request, Ring, SlotOrder, Word};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Words below `q`.
fn words<T: Word>(count: usize, q: u64) -> Vec<T> {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        T::from_i64(((state >> 1) % q) as i64)
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Whether these are the same residues, in the range of the plan; of residue channels, the same words.
fn same<T: Word>(plan: &Plan<T>, words: &mut [T], expected: &[T]) -> bool {
    let Some(certificate) = plan.certificate().filter(|_| !words.is_empty()) else { return words == expected };
    let slots = certificate.slots();
    let holds = |word: &T| (*word).try_into().is_ok_and(|x: i64| (slots.lo..=slots.hi).contains(&x.into()));
    let within = !T::SIGNED || words.iter().all(holds);
    let mut expected = expected.to_vec();
    plan.canonical(words);
    plan.canonical(&mut expected);
    within && words == &expected[..]
}

fn agrees<T: Word>(request: Request) {
    let plan = Plan::<T>::with(&request).unwrap();
    let (n, length) = (plan.n(), plan.ntt_len());
    for count in [0, 1, 2, 7, 32, 65] {
        let mut one_by_one = words::<T>(count * length, plan.q());
        let given = one_by_one.clone();
        let (mut many, mut checked) = (given.clone(), given.clone());
        one_by_one.chunks_exact_mut(length).for_each(|a| plan.forward(a));
        plan.forward_many(&mut many);
        assert!(many == one_by_one);
        plan.try_forward_many(&mut checked).unwrap();
        assert!(checked == many);

        // Rows with gaps, and columns.
        let layouts = [
            Batch::new(count).distance(length + 3),
            Batch::new(count).interleaved(),
            Batch::new(count).stride(2),
            Batch::new(count).stride(3).distance(3 * length + 1),
        ];
        let steps = [[length + 3, 1], [1, count], [2 * length, 2], [3 * length + 1, 3]];
        for (batch, [distance, stride]) in layouts.into_iter().zip(steps) {
            let place = |at: usize| at / length * distance + at % length * stride;
            let mut laid = words::<T>(batch.words(length) + 5, plan.q());
            let before = laid.clone();
            (0..given.len()).for_each(|at| laid[place(at)] = given[at]);
            let start = laid.clone();
            plan.forward_batch(&mut laid, batch);
            let mut touched = before.clone();
            // Side by side, other residues of the same classes may come out, in the same range.
            let mut gathered: Vec<T> = (0..given.len()).map(|at| laid[place(at)]).collect();
            gathered.iter().enumerate().for_each(|(at, word)| touched[place(at)] = *word);
            assert!(touched == laid, "words in between stay");
            assert!(same(&plan, &mut gathered, &many), "{request:?}, {batch:?}");
            plan.inverse_batch(&mut laid, batch);
            assert!((0..given.len()).filter(|at| at % length < n).all(|at| laid[place(at)] == start[place(at)]));
        }

        let mut back = many;
        plan.inverse_many(&mut back);
        one_by_one.chunks_exact_mut(length).for_each(|a| plan.inverse(a));
        assert!(back == one_by_one);

        let (a, b) = (words::<T>(count * n, plan.q()), words::<T>(count * n + 9, plan.q())[9..].to_vec());
        let (mut c, mut d) = (a.clone(), a.clone());
        plan.multiply_many(&mut c, &a, &b);
        for ((d, a), b) in d.chunks_exact_mut(n).zip(a.chunks_exact(n)).zip(b.chunks_exact(n)) {
            plan.multiply(d, a, b);
        }
        assert!(c == d);
        d.fill(T::default());
        plan.try_multiply_many(&mut d, &a, &b).unwrap();
        assert!(c == d);
    }
}

#[test]
fn many_are_one_by_one() {
    agrees::<i16>(Request::new(256, 3329));
    agrees::<u16>(Request::new(64, 7681).slot_order(SlotOrder::Canonical));
    agrees::<i32>(Request::new(1024, 8_380_417));
    agrees::<u32>(Request::new(50, 1_000_003)); // by residue channels
    agrees::<i64>(Request::new(64, (1 << 61) - (1 << 21) + 1));
}

/// Polynomials side by side, on every backend: slots of all kinds, orders, methods and numbers of columns.
#[test]
fn columns_are_one_by_one() {
    for backend in Backend::available() {
        for order in [SlotOrder::Native, SlotOrder::BitReversed, SlotOrder::Canonical] {
            let on = |request: Request| request.backend(backend).slot_order(order);
            columns::<i16>(on(Request::new(256, 3329)));
            columns::<i16>(on(Request::new(128, 7681).lazy()));
            columns::<i16>(on(Request::new(768, 7681).ring(Ring::Trinomial)));
            columns::<i16>(on(Request::new(96, 12289)));
            columns::<i16>(on(Request::new(576, 3457).thirds(2)));
            columns::<i32>(on(Request::new(512, 2_013_265_921).cyclic()));
            columns::<u32>(on(Request::new(64, 4_293_918_721)));
            columns::<i32>(on(Request::new(64, 7681).method(Method::KRed)));
            columns::<i64>(on(Request::new(64, 1_125_899_904_679_937)));
            columns::<u64>(on(Request::new(64, 0xFFFF_FFFF_0000_0001)));
            columns::<i64>(on(Request::new(32, 1_945_555_039_024_054_273).depth(3)));
        }
    }
}

fn columns<T: Word>(request: Request) {
    let Ok(plan) = Plan::<T>::with(&request) else { return };
    let n = plan.ntt_len();
    for count in [8, 16, 33, 64] {
        let given = words::<T>(count * n, plan.q());
        let (mut one_by_one, mut columns) = (given.clone(), given.clone());
        (0..given.len()).for_each(|at| columns[at % n * count + at / n] = given[at]);
        plan.forward_many(&mut one_by_one);
        plan.forward_batch(&mut columns, Batch::new(count).interleaved());
        let mut gathered: Vec<T> = (0..given.len()).map(|at| columns[at % n * count + at / n]).collect();
        assert!(same(&plan, &mut gathered, &one_by_one), "{request:?}, {count} columns");
        plan.inverse_batch(&mut columns, Batch::new(count).interleaved());
        let mut of_coefficients = (0..given.len()).filter(|at| at % n < plan.n());
        assert!(of_coefficients.all(|at| columns[at % n * count + at / n] == given[at]), "{request:?}, {count}");
    }
}

/// A matrix that goes block by block, and one whose columns are a part of a larger one.
#[test]
fn large_matrices_are_one_by_one() {
    let plan =
        Plan::<u32>::with(&Request::new(8192, 2_013_265_921).cyclic().slot_order(SlotOrder::BitReversed)).unwrap();
    for (count, stride) in [(48, 48), (48, 50)] {
        let given = words::<u32>(8192 * stride, plan.q());
        let mut rows = given.clone();
        plan.forward_batch(&mut rows, Batch::new(count).distance(1).stride(stride));
        for column in 0..stride {
            let of = |words: &[u32]| words.iter().skip(column).step_by(stride).copied().collect::<Vec<_>>();
            let (mut expected, mut found) = (of(&given), of(&rows));
            if column < count {
                plan.forward(&mut expected);
                assert!(same(&plan, &mut found, &expected), "{column} of {count}, {stride}");
            } else {
                assert!(found == expected, "what is beside the columns stays");
            }
        }
        plan.inverse_batch(&mut rows, Batch::new(count).distance(1).stride(stride));
        assert!(rows == given);
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn refusals() {
    let plan = Plan::<u32>::new(64, 7681).unwrap();
    let mut data = words::<u32>(192, 7681);
    let given = data.clone();
    assert_eq!(plan.try_forward_many(&mut data[1..]), Err(InputError::Length { expected: 192, actual: 191 }));
    data[130] = 7681;
    let outside = |error: Result<(), InputError>| matches!(error, Err(InputError::Range { index: 130, .. }));
    assert!(outside(plan.try_forward_many(&mut data)));
    let mut c = given.clone();
    assert!(outside(plan.try_multiply_many(&mut c, &given, &data)));
    assert!(outside(plan.try_multiply_many(&mut c, &data, &given)));
    let short = plan.try_multiply_many(&mut c[..64], &given, &given);
    assert_eq!(short, Err(InputError::Length { expected: 192, actual: 64 }));
    assert!(c == given, "nothing is lost");

    let panics = |run: &mut dyn FnMut()| {
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).into())
    };
    let mut data = given.clone();
    let message = panics(&mut || plan.forward_many(&mut data[1..]));
    assert_eq!(message, "191 words are no polynomials of 64 words each");
    let message = panics(&mut || plan.multiply_many(&mut data[..128], &given, &given[..128]));
    assert_eq!(message, "products in 128 words of 192 and 128");
    let message = panics(&mut || plan.forward_batch(&mut data, Batch::new(4)));
    assert_eq!(message, "4 polynomials of 64 words in 192 words");
    let message = panics(&mut || plan.forward_batch(&mut data, Batch::new(2).distance(63)));
    assert_eq!(message, "polynomials of 64 words with stride 1 and distance 63 overlap");
    for batch in [Batch::new(3).stride(2).distance(1), Batch::new(2).distance(0), Batch::new(1).stride(0)] {
        assert!(panics(&mut || plan.inverse_batch(&mut data, batch)).contains("overlap"));
    }
    assert!(panics(&mut || plan.inverse_batch(&mut data, Batch::new(2).distance(usize::MAX))).contains("memory"));
}
