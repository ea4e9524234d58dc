//! Words that are no input, and memory of words.

use ringwork_ntt::{
    Backend, Buffer, Decision, Direction, InputError, Interval, Method, Plan, Request, SignedWord as Word, SlotOrder,
    Step, internals::Transform,
};
use std::panic::AssertUnwindSafe;

/// U7: what is documented as `(-q, q)` is refused from `q` on, on either side, by its index and
/// without the value.
fn refused_by_index<T: Word>(q: u64) {
    let (plan, n) = (Plan::<T>::new(256, q).unwrap(), 256);
    let largest = T::from_i64(q as i64 - 1);
    let smallest = T::from_i64(1 - q as i64);
    let good: Vec<T> = (0..n).map(|i| if i % 2 == 0 { largest } else { smallest }).collect();
    plan.check(&good).unwrap();
    let word = Interval::word(T::BITS);
    let range = Interval::symmetric(i128::from(q) - 1);
    for bad in [i128::from(q), -i128::from(q), word.hi, word.lo] {
        let Ok(bad) = T::try_from(i64::try_from(bad).unwrap()) else { panic!("{bad} fits") };
        for index in [0, 1, n - 1] {
            let mut a = good.clone();
            (a[index], a[n - 1]) = (bad, bad);
            let expected = Err(InputError::Range { index, range });
            let given = a.clone();
            assert_eq!(plan.try_forward(&mut [&a[..], &vec![T::default(); plan.ntt_len() - n]].concat()), expected);
            let mut c = good.clone();
            assert_eq!(plan.try_multiply(&mut c, &good, &a), expected);
            assert_eq!(plan.try_multiply(&mut c, &a, &good), expected);
            assert!(c == good && a == given, "nothing is lost");
            if let Some(direct) = plan.bare_transform() {
                assert_eq!(direct.try_forward(&mut a), expected);
                assert_eq!(direct.try_multiply(&mut c, &a, &good), expected);
                assert!(c == good && a == given, "nothing is lost");
            }
        }
    }
}

#[test]
fn words_outside_the_range_are_refused() {
    refused_by_index::<i16>(12289);
    refused_by_index::<i16>(1009); // by residue channels
    refused_by_index::<i32>(12289);
    refused_by_index::<i32>(1_073_741_789);
    refused_by_index::<i64>(12289);
    refused_by_index::<i64>((1 << 61) - 1);
}

#[test]
fn refusals_say_what_works_and_not_what_was_there() {
    let plan = Plan::<i16>::new(4, 17).unwrap();
    let refused = plan.try_multiply(&mut [0; 4], &[1, 2, 12345, 4], &[1; 4]).unwrap_err();
    assert_eq!(refused.to_string(), "word 2 is not in [-16, 16]: reduce it modulo q first");
    assert_eq!(
        plan.try_multiply(&mut [0; 4], &[1; 3], &[1; 4]).unwrap_err().to_string(),
        "there must be 4 words, and these are 3"
    );
    assert_eq!(plan.try_multiply(&mut [0; 5], &[1; 4], &[1; 4]), Err(InputError::Length { expected: 4, actual: 5 }));
}

#[test]
fn what_is_checked_is_computed_as_usual() {
    let plan = Plan::<i32>::new(64, 7681).unwrap();
    let (a, b): (Vec<i32>, Vec<i32>) = (0..64).map(|i| (i * 119, -i * 77)).unzip();
    let (mut c, mut d) = (vec![0; 64], vec![0; 64]);
    plan.try_multiply(&mut c, &a, &b).unwrap();
    plan.multiply(&mut d, &a, &b);
    assert_eq!(c, d);
}

/// Every plan's own slots go back, lazy ones too, and what is far outside does not.
#[test]
fn slots_are_taken_back() {
    for method in Method::ALL {
        for request in [Request::new(256, 7681).method(method), Request::new(256, 7681).method(method).lazy()] {
            let Ok(plan) = Transform::<i32>::with(&request) else { continue };
            let mut a: Vec<i32> = (0..256).map(|i| i * 30 - 3840).collect();
            plan.try_forward(&mut a).unwrap();
            plan.try_inverse(&mut a).unwrap();
            a.fill(0);
            a[7] = i32::MAX;
            assert!(matches!(plan.try_inverse(&mut a), Err(InputError::Range { index: 7, .. })), "{method:?}");
            assert_eq!(a[7], i32::MAX);
        }
    }
}

/// L8: what is printed of memory that may hold secrets.
#[test]
fn buffers_are_not_printed() {
    let mut buffer = Buffer::copy_of(&[4242_i16; 5]);
    assert_eq!(format!("{buffer:?}"), "Buffer(5 words)");
    buffer.wipe();
    assert_eq!(buffer.words(), [0; 5]);
}

/// The message of what panics.
fn panic_of(what: impl FnOnce() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(what).unwrap_err().downcast::<String>().expect("a formatted message")
}

/// Plans do not take one another's products: neither the lengths nor the types tell these apart.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn products_of_another_plan_are_refused() {
    let base = Request::new(256, 7681).depth(8).method(Method::Montgomery).backend(Backend::Scalar);
    let plan = Plan::<i16>::with(&base).unwrap();
    let (a, text) = (
        vec![1; 256],
        "negacyclic, n = 256, q = 7681 (depth 8, root 62, montgomery, vectors of 1 × 16 bits, native order)",
    );
    let (scratch, prepared) = (vec![0; plan.scratch_len()], plan.prepare(&a));
    let product = || plan.pointwise(vec![0; 256], &a, &a);
    let reduced = plan.recipe().unwrap().schedules().clone().with_step(Direction::Forward, 0, Step::AddSide);
    let reduced = Decision::Direct(plan.recipe().unwrap().with_schedules(reduced).unwrap());
    for (other, expected) in [
        (base.method(Method::Barrett), "negacyclic, n = 256, q = 7681 (depth 8, root 62, barrett, "),
        (base.depth(7), "negacyclic, n = 256, q = 7681 (depth 7, root "),
        (base.root(7681 - 62), "negacyclic, n = 256, q = 7681 (depth 8, root 7619, montgomery, "),
        (base.cyclic(), "cyclic, n = 256, q = 7681 (depth 8, root "),
        (base.backend(Backend::Array256), "root 62, montgomery, vectors of 16 × 16 bits, "),
        (base.slot_order(SlotOrder::Canonical), "vectors of 1 × 16 bits, canonical order)"),
        (Request::new(256, 3329).backend(Backend::Scalar), "q = 3329 (depth 7, "),
        (Request::new(256, 8192).backend(Backend::Scalar), "q = 8192 (3 residue channels of depth "),
    ]
    .map(|(request, expected)| (request.decide(16).unwrap(), expected))
    .into_iter()
    .chain([(reduced, "; what they reduce, or how much they add up, differs")])
    {
        let other = Plan::<i16>::from_decision(other);
        let words = vec![1; other.ntt_len()];
        let theirs = || other.pointwise(vec![0; other.ntt_len()], &words, &words);
        let refused = |message: String| {
            let start = "this plan does not take what another one made: this is ";
            assert!(message.starts_with(start) && message.contains(text) && message.contains(expected), "{message}");
        };
        refused(panic_of(|| drop(other.inverse_product(product()))));
        refused(panic_of(|| drop(plan.inverse_product(theirs()))));
        refused(panic_of(|| drop(other.to_ntt(product()))));
        refused(panic_of(|| drop(plan.to_ntt(theirs()))));
        refused(panic_of(|| drop(other.to_ntt_plus(product(), &words))));
        refused(panic_of(|| other.accumulate(&mut product(), &words, &words)));
        refused(panic_of(|| plan.multiply_prepared(&mut [0; 256], &a, &other.prepare(&a), &mut scratch.clone())));
        let mut scratch = vec![0; other.scratch_len()];
        refused(panic_of(AssertUnwindSafe(|| other.multiply_prepared(&mut [0; 256], &a, &prepared, &mut scratch))));
    }

    // Plans for equal requests are one plan to their products.
    let again = Plan::<i16>::with(&base).unwrap();
    assert_eq!(again.inverse_product(product()), plan.inverse_product(product()));
    assert_eq!(again.clone().to_ntt(product()), plan.to_ntt(product()));
}

/// Residue channels that hold fewer terms do not take sums of more.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn sums_of_a_plan_for_more_terms_are_refused() {
    let [few, many] = [1, 4].map(|sums| Plan::<i32>::with(&Request::new(64, 4096).sums(sums)).unwrap());
    let words = vec![0; many.ntt_len()];
    let sum = many.pointwise(vec![0; many.ntt_len()], &words, &words);
    let message = panic_of(AssertUnwindSafe(|| drop(few.inverse_product(sum))));
    assert!(message.contains("n = 64, q = 4096 (") && message.contains("residue channels of depth "), "{message}");
}
