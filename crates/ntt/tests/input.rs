//! Words that are no input, and memory of words.

use ringwork_ntt::{Buffer, InputError, Interval, Method, Plan, Request, Word, internals::Transform};

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

/// Plans for one ring and two moduli, or two degrees, do not take one another's products: neither
/// the lengths nor the types tell these apart.
#[test]
fn products_of_another_plan_are_refused() {
    let [small, large] = [3329, 7681].map(|q| Plan::<i16>::new(256, q).unwrap());
    let (a, short) = (vec![1; 256], Plan::<i16>::new(64, 3329).unwrap());
    let product = || small.pointwise(vec![0; 256], &a, &a);
    let expected = "256 words modulo 3329, made by another plan: this one has q = 7681, and 256 words to a polynomial";
    assert_eq!(panic_of(|| drop(large.inverse_product(product()))), expected);
    assert_eq!(panic_of(|| drop(large.to_ntt(product()))), expected);
    assert_eq!(panic_of(|| drop(large.to_ntt_plus(product(), &a))), expected);
    assert_eq!(panic_of(|| large.accumulate(&mut product(), &a, &a)), expected);
    let prepared = small.prepare(&a);
    let multiply = || large.multiply_prepared(&mut [0; 256], &a, &prepared, &mut vec![0; large.scratch_len()]);
    assert_eq!(panic_of(multiply), expected);

    // Two contiguous products of the shorter plan would be half of one of the longer one.
    let halves = short.inner_products(vec![0; 128], &a[..64], &a[..128], 1);
    let expected = "128 words modulo 3329, made by another plan: this one has q = 3329, and 256 words to a polynomial";
    assert_eq!(panic_of(|| drop(small.inverse_product(halves))), expected);
}
