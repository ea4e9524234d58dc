//! Products of few coefficients in every word, on every backend. Miri interprets these in minutes
//! (`cargo xtask miri`); where there is time, `agree.rs` has all sizes.

use reference::ntt::Ring as Textbook;
use ringwork_ntt::{Backend, Method, Request, SignedWord, internals::Transform};

/// Whether the backend has a plan; if so, what it multiplies is right. The method is given, since it is the
/// search for one that takes an interpreter long.
fn multiplies<T: SignedWord>(backend: Backend) -> bool {
    let (n, q) = if backend == Backend::Scalar { (4, 17) } else { (64, 257) };
    let request = Request::new(n, q).backend(backend).method(Method::Montgomery);
    let Ok(plan) = Transform::<T>::with(&request) else { return false };
    let a: Vec<u64> = (0..n as u64).map(|i| (q - 1) - i * i % q).collect();
    let b: Vec<u64> = (0..n as u64).map(|i| (i * 0x9E37_79B9) % q).collect();
    let words = |x: &[u64]| x.iter().map(|&x| T::from_i64(x as i64)).collect::<Vec<T>>();
    let mut c = words(&a);
    plan.multiply(&mut c, &words(&a), &words(&b));
    assert_eq!(c, words(&Textbook::Negacyclic.product(&a, &b, q)), "n {n} q {q} {backend}");
    true
}

#[test]
fn products_are_the_textbooks() {
    // An interpreter takes minutes for each: one lane, and many.
    let interpreted = |backend: &Backend| matches!(backend, Backend::Scalar | Backend::Array256);
    for backend in Backend::available().filter(|backend| !cfg!(miri) || interpreted(backend)) {
        let planned = [multiplies::<i16>(backend), multiplies::<i32>(backend), multiplies::<i64>(backend)];
        assert!(planned.contains(&true), "{backend}");
        assert!(backend != Backend::Scalar || planned == [true; 3], "{planned:?}");
    }
}
