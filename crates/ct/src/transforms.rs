//! Transforms, products and inverses, by every method, in all words, with roots and by residue
//! channels.

use crate::{
    memcheck::reveal,
    run::{Run, secret_words},
};
use ntt::{Backend, Inverter, Method, Plan, Request, Ring, SignedWord as Word, SlotOrder};
use papers::lazyntt::LazyNtt;

pub(crate) fn run(run: &mut Run<'_>) {
    words::<i16>(run, 1009);
    words::<i32>(run, 1_073_741_789);
    if run.backend == Backend::Scalar {
        words::<i64>(run, (1 << 61) - 1); // without vectors, whatever the backend
    }
}

/// `hard` is a modulus without roots.
fn words<T: Word>(run: &mut Run<'_>, hard: u64) {
    let bits = T::BITS;
    let on = |n, q| Request::new(n, q).backend(run.backend);
    let mut requests = Vec::new();
    for method in Method::ALL {
        for (n, q) in [(256, 3329), (256, 7681), (1024, 12289)] {
            requests.push((format!("{n}, {q}, {}", method.name()), on(n, q).method(method)));
        }
    }
    requests.push(("768, 7681, trinomial".into(), on(768, 7681).ring(Ring::Trinomial)));
    requests.push(("256, 3329, lazy".into(), on(256, 3329).lazy()));
    requests.push(("256, 7681, five layers".into(), on(256, 7681).depth(5)));
    for (n, q) in [(256, 3329), (256, 7681)] {
        requests.push((format!("{n}, {q}, canonical order"), on(n, q).slot_order(SlotOrder::Canonical)));
    }
    requests.push(("64, no roots".into(), on(64, hard)));
    requests.push(("50, folded".into(), on(50, hard)));
    requests.push(("64, modulo 1024".into(), on(64, 1 << 10)));
    requests.push(("96, no roots, trinomial".into(), on(96, hard).ring(Ring::Trinomial)));
    let mut planned = 0;
    for (name, request) in requests {
        // Not every word and backend has every method; what matters is that most do.
        let Ok(plan) = Plan::<T>::with(&request.sums(3)) else { continue };
        planned += 1;
        run.case(&format!("products, {bits} bits, {name}"), || products(&plan));
        run.case(&format!("transforms, {bits} bits, {name}"), || there_and_back(&plan));
        run.case(&format!("sums, {bits} bits, {name}"), || sums(&plan));
        if let Ok(inverses) = Inverter::new(&plan) {
            run.case(&format!("inverses, {bits} bits, {name}"), || inverse(&plan, &inverses));
        }
    }
    assert!(planned >= 12, "{planned} plans in {bits} bits");
    lazy_ntt::<T>(run);
}

/// LazyNTT, where words are wide enough.
fn lazy_ntt<T: Word>(run: &mut Run<'_>) {
    for (n, q, t) in [(1024, 12289, 2), (256, 3329, 3), (64, 257, 2)] {
        let Ok(transform) = LazyNtt::<T>::new(n, q, t) else { continue };
        let (bound, bits) = (q as i64 - 1, T::BITS);
        let secret = || secret_words::<T>(n, -bound, bound);
        run.case(&format!("products, {bits} bits, {n}, {q}, LazyNTT, t = {t}"), || {
            let mut c = vec![T::default(); n];
            transform.multiply(&mut c, &secret(), &secret());
            reveal(&c)
        });
        run.case(&format!("transforms, {bits} bits, {n}, {q}, LazyNTT, t = {t}"), || {
            let mut a = secret();
            transform.forward(&mut a);
            transform.inverse(&mut a);
            reveal(&a)
        });
    }
}

fn secret<T: Word>(plan: &Plan<T>, polynomials: usize) -> Vec<T> {
    let bound = (plan.q() as i64 - 1).min(1 << 40);
    secret_words(polynomials * plan.n(), -bound, bound)
}

fn products<T: Word>(plan: &Plan<T>) -> bool {
    let mut c = vec![T::default(); plan.n()];
    plan.multiply(&mut c, &secret(plan, 1), &secret(plan, 1));
    plan.add(&mut c, &secret(plan, 1));
    plan.sub(&mut c, &secret(plan, 1));
    plan.centre(&mut c);
    reveal(&c)
}

fn there_and_back<T: Word>(plan: &Plan<T>) -> bool {
    let mut a = vec![T::default(); plan.ntt_len()];
    a[..plan.n()].copy_from_slice(&secret(plan, 1));
    plan.forward(&mut a);
    plan.inverse(&mut a);
    reveal(&a[..plan.n()])
}

fn sums<T: Word>(plan: &Plan<T>) -> bool {
    let (n, words) = (plan.n(), plan.ntt_len());
    let mut vectors = vec![T::default(); 3 * words];
    for (out, polynomial) in vectors.chunks_exact_mut(words).zip(secret(plan, 3).chunks_exact(n)) {
        out[..n].copy_from_slice(polynomial);
        plan.forward(out);
    }
    let sum = plan.inverse_product(plan.inner_products(vec![T::default(); words], &vectors, &vectors, 3));
    reveal(&sum[..n])
}

fn inverse<T: Word>(plan: &Plan<T>, inverses: &Inverter<T>) -> bool {
    let n = plan.n();
    let mut a = secret_words::<T>(n, -1, 1);
    plan.forward(&mut a);
    let mut c = vec![T::default(); n];
    let answer = [inverses.invert(&mut c, &a)];
    reveal(&answer) && reveal(&c)
}
