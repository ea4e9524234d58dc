//! The butterflies: what layers make of pairs and triples of values, in terms of a kernel's operations.

use super::{kernel::Kernel, pass::Step};

/// The step as far as it does anything: kernels whose sums are always reduced have no code for reductions.
#[inline(always)]
const fn effective<K: Kernel + ?Sized>(step: Step) -> Step {
    if K::REDUCES { step } else { Step::Plain }
}

/// `P` Cooley–Tukey butterflies in lockstep: `(a + w·b, a - w·b)`.
#[inline(always)]
pub(crate) fn ct<K: Kernel + ?Sized, const P: usize>(
    k: &mut K,
    step: Step,
    mut a: [K::V; P],
    mut b: [K::V; P],
    w: [K::Tw; P],
) -> ([K::V; P], [K::V; P]) {
    if !matches!(effective::<K>(step), Step::Plain) {
        a = k.reduce_first(P, a);
    }
    if matches!(effective::<K>(step), Step::Both) {
        b = k.reduce_first(P, b);
    }
    let t = k.mul(b, w);
    k.sums(a, t)
}

/// `P` Gentleman–Sande butterflies in lockstep: `(a + b, (a - b)·w)`.
#[inline(always)]
pub(crate) fn gs<K: Kernel + ?Sized, const P: usize>(
    k: &mut K,
    step: Step,
    a: [K::V; P],
    b: [K::V; P],
    w: [K::Tw; P],
) -> ([K::V; P], [K::V; P]) {
    let (mut sum, mut difference) = k.sums(a, b);
    match effective::<K>(step) {
        Step::Plain => {}
        Step::AddSide => {
            sum = lockstep!(P, |i| if i % 2 == 0 {
                k.butterfly(i);
                k.reduce(sum[i])
            } else {
                sum[i]
            });
        }
        Step::Sums | Step::Both => sum = k.reduce_first(P, sum),
    }
    if matches!(effective::<K>(step), Step::Both) {
        difference = k.reduce_first(P, difference);
    }
    (sum, k.mul(difference, w))
}

/// The last inverse layer: `((a + b)·f, (a - b)·w)`, where `f` and `w` hold the scaling.
#[inline(always)]
pub(crate) fn gs_scaled<K: Kernel + ?Sized, const P: usize>(
    k: &mut K,
    step: Step,
    a: [K::V; P],
    b: [K::V; P],
    [f, w]: [K::Tw; 2],
) -> ([K::V; P], [K::V; P]) {
    let (sum, difference) = k.gs(step, a, b, [w; P]);
    (k.mul(sum, [f; P]), difference)
}

/// A split in three: with `t = b·w`, `u = c·w²` and `d = (t - u)·ω`, the twiddles `[w, w², ω]` and
/// a primitive third root of unity `ω`, `[a + t + u, a - u + d, a - t - d]`.
#[inline(always)]
pub(crate) fn ct_thirds<K: Kernel + ?Sized>(
    k: &mut K,
    step: Step,
    mut v: [K::V; 3],
    [w, square, omega]: [K::Tw; 3],
) -> [K::V; 3] {
    match effective::<K>(step) {
        Step::Plain => {}
        Step::AddSide | Step::Sums => v = k.reduce_first(1, v),
        Step::Both => v = k.reduce_first(3, v),
    }
    let [a, b, c] = v;
    let [t, u] = k.mul([b, c], [w, square]);
    let difference = k.sub(t, u);
    let [d] = k.mul([difference], [omega]);
    let mut sums = [k.add(a, t), k.sub(a, u), k.sub(a, t)];
    if matches!(effective::<K>(step), Step::Sums) {
        sums = k.reduce_first(3, sums);
    }
    let [first, second, third] = sums;
    [k.add(first, u), k.add(second, d), k.sub(third, d)]
}

/// Its inverse: with `d = (b - c)·ω`, three times `[a + b + c, (a - b - d)·w, (a - c + d)·w²]`, where
/// `w` is the inverse of what it was.
#[inline(always)]
pub(crate) fn gs_thirds<K: Kernel + ?Sized>(
    k: &mut K,
    step: Step,
    [a, b, c]: [K::V; 3],
    [w, square, omega]: [K::Tw; 3],
) -> [K::V; 3] {
    let difference = k.sub(b, c);
    let [d] = k.mul([difference], [omega]);
    let mut sums = [k.add(a, b), k.sub(a, b), k.sub(a, c)];
    if matches!(effective::<K>(step), Step::Sums) {
        sums = k.reduce_first(3, sums);
    }
    let [first, second, third] = sums;
    let mut sum = [k.add(first, c)];
    let mut differences = [k.sub(second, d), k.add(third, d)];
    if !matches!(effective::<K>(step), Step::Plain) {
        sum = k.reduce_first(1, sum);
    }
    if matches!(effective::<K>(step), Step::Both) {
        differences = k.reduce_first(2, differences);
    }
    let [second, third] = k.mul(differences, [w, square]);
    [sum[0], second, third]
}

/// The first layer of a trinomial: with `t = w·b`, `(a + t, a + b - t)`.
#[inline(always)]
pub(crate) fn ct_trinomial<K: Kernel + ?Sized>(
    k: &mut K,
    step: Step,
    mut a: K::V,
    mut b: K::V,
    w: K::Tw,
) -> (K::V, K::V) {
    if !matches!(effective::<K>(step), Step::Plain) {
        a = k.reduce(a);
    }
    if matches!(effective::<K>(step), Step::Both) {
        b = k.reduce(b);
    }
    let [t] = k.mul([b], [w]);
    let both = k.add(a, b);
    (k.add(a, t), k.sub(both, t))
}

/// Its inverse, scaling included: with `d = (a - b)·w`, `((a + b)·f - d, 2d)`.
#[inline(always)]
pub(crate) fn gs_trinomial<K: Kernel + ?Sized>(
    k: &mut K,
    step: Step,
    a: K::V,
    b: K::V,
    [f, w]: [K::Tw; 2],
) -> (K::V, K::V) {
    let ([sum], [d]) = k.gs_scaled(step, [a], [b], [f, w]);
    (k.sub(sum, d), k.add(d, d))
}
