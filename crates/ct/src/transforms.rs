//! Transforms, products and inverses, by every method, in all words, with roots and by residue
//! channels.

use crate::{
    memcheck::reveal,
    run::{Run, secret_words},
};
use ntt::{Inverter, Method, Plan, Request, Ring, SlotOrder, Word};
use papers::lazyntt::LazyNtt;

const SMALL: [(usize, u64); 3] = [(256, 3329), (256, 7681), (1024, 12289)];
/// Primes of 40, 50 and 60 bits, for methods of wide words.
const WIDE: [(usize, u64); 4] =
    [(256, 7681), (256, 1_099_511_592_961), (256, 1_125_899_906_826_241), (256, 1_152_921_504_606_830_593)];
/// Those that leave no room for a sign.
const FULL: [(usize, u64); 2] = [(256, 18_446_744_069_414_584_321), (256, 18_446_744_073_709_547_521)];

pub(crate) fn run(run: &mut Run<'_>) {
    let mut methods = Vec::new();
    methods.extend(words(run, "16 bits", &SMALL, Some(1009), Plan::<i16>::centre));
    methods.extend(words(run, "32 bits", &SMALL, Some(1_073_741_789), Plan::<i32>::centre));
    methods.extend(words(run, "64 bits", &WIDE, Some((1 << 61) - 1), Plan::<i64>::centre));
    methods.extend(words(run, "64 bits without sign", &FULL, None, Plan::<u64>::canonical));
    lazy_ntt::<i16>(run);
    lazy_ntt::<i32>(run);
    lazy_ntt::<i64>(run);
    let of_avx512 = [Method::Ifma, Method::IfmaStrict];
    let missing: Vec<_> = Method::ALL.iter().filter(|method| !methods.contains(method)).collect();
    assert!(missing.iter().all(|method| of_avx512.contains(method)), "no plan by {missing:?}");
}

/// Every method in one word: gives those that have a plan. `hard` is a modulus without roots.
fn words<T: Word>(
    run: &mut Run<'_>,
    name: &str,
    rings: &[(usize, u64)],
    hard: Option<u64>,
    centre: fn(&Plan<T>, &mut [T]),
) -> Vec<Method> {
    let on = |n, q| Request::new(n, q).backend(run.backend);
    let mut requests = Vec::new();
    for method in Method::ALL {
        for &(n, q) in rings {
            requests.push((Some(method), format!("{n}, {q}, {}", method.name()), on(n, q).method(method)));
        }
    }
    if let Some(hard) = hard {
        requests.push((None, "768, 7681, trinomial".into(), on(768, 7681).ring(Ring::Trinomial)));
        requests.push((None, "256, 3329, lazy".into(), on(256, 3329).lazy()));
        requests.push((None, "256, 7681, five layers".into(), on(256, 7681).depth(5)));
        for (n, q) in [(256, 3329), (256, 7681)] {
            requests.push((None, format!("{n}, {q}, canonical order"), on(n, q).slot_order(SlotOrder::Canonical)));
        }
        requests.push((None, "64, no roots".into(), on(64, hard)));
        requests.push((None, "50, folded".into(), on(50, hard)));
        requests.push((None, "64, modulo 1024".into(), on(64, 1 << 10)));
        requests.push((None, "96, no roots, trinomial".into(), on(96, hard).ring(Ring::Trinomial)));
    }
    let mut methods = Vec::new();
    for (method, request_name, request) in requests {
        // Not every word and backend has every method.
        let Ok(plan) = Plan::<T>::with(&request.sums(3)) else { continue };
        methods.extend(method);
        let name = format!("{name}, {request_name}");
        run.case(&format!("products, {name}"), || products(&plan, centre));
        run.case(&format!("transforms, {name}"), || there_and_back(&plan));
        run.case(&format!("sums, {name}"), || sums(&plan));
        if let Ok(inverses) = Inverter::new(&plan) {
            run.case(&format!("inverses, {name}"), || inverse(&plan, &inverses));
        }
    }
    methods
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
    let bound = (plan.q() - 1).min(1 << 40) as i64;
    secret_words(polynomials * plan.n(), if T::SIGNED { -bound } else { 0 }, bound)
}

fn products<T: Word>(plan: &Plan<T>, centre: fn(&Plan<T>, &mut [T])) -> bool {
    let mut c = vec![T::default(); plan.n()];
    plan.multiply(&mut c, &secret(plan, 1), &secret(plan, 1));
    plan.add(&mut c, &secret(plan, 1));
    plan.sub(&mut c, &secret(plan, 1));
    centre(plan, &mut c);
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
    let mut a = secret_words::<T>(n, if T::SIGNED { -1 } else { 0 }, 1);
    plan.forward(&mut a);
    let mut c = vec![T::default(); n];
    let answer = [inverses.invert(&mut c, &a)];
    reveal(&answer) && reveal(&c)
}
