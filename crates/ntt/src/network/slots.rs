//! Products slot by slot, `c = a·b mod (X^d - z)`, with `z` different in every slot.
//!
//! In native order the `d` coefficients of a slot lie in `d` consecutive vectors, one lane per slot. For `d = 1` this is
//! the pointwise product and reads no table.

use crate::{kernel::Kernel, schedule::SlotStep};

/// Multiplies all slots of degree `degree` of `a` and `b` into `c`.
#[inline(always)]
pub fn slot_products<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    degree: usize,
    c: &mut [K::Block],
    a: &[K::Block],
    b: &[K::Block],
) {
    if degree == 1 {
        for ((c, a), b) in c.iter_mut().zip(a).zip(b) {
            let (x, y) = operands(k, s, a, b);
            let product = k.mul_var(x, y);
            k.store(c, product);
        }
        return;
    }
    let groups = c.chunks_exact_mut(degree).zip(a.chunks_exact(degree)).zip(b.chunks_exact(degree));
    for ((c, a), b) in groups {
        if !k.row(0, 1) {
            return;
        }
        let z = k.twiddle_lanes(0);
        for (j, out) in c.iter_mut().enumerate() {
            let low = sum_of_products(k, s, a[..=j].iter().zip(b[..=j].iter().rev()));
            let high = sum_of_products(k, s, a[j + 1..].iter().zip(b[j + 1..].iter().rev()));
            let total = match (low, high) {
                (Some(low), Some(high)) => {
                    let [wrapped] = k.mul([high], [z]); // X^d = z
                    k.add(low, wrapped)
                }
                (Some(only), None) => only,
                _ => return, // there is always a low part
            };
            k.store(out, total);
        }
    }
}

/// Loads a pair of operands.
#[inline(always)]
fn operands<K: Kernel>(k: &mut K, s: SlotStep, a: &K::Block, b: &K::Block) -> (K::V, K::V) {
    let (mut x, mut y) = (k.load(a), k.load(b));
    if s.operands {
        (x, y) = (k.reduce(x), k.reduce(y));
    }
    (x, y)
}

/// `Σ a_i·b_i`, or `None` for no terms.
#[inline(always)]
fn sum_of_products<'a, K: Kernel<Block: 'a>>(
    k: &mut K,
    s: SlotStep,
    pairs: impl Iterator<Item = (&'a K::Block, &'a K::Block)>,
) -> Option<K::V> {
    let mut sum = None;
    for (a, b) in pairs {
        let (x, y) = operands(k, s, a, b);
        let product = k.mul_var(x, y);
        let mut total = match sum {
            Some(sum) => k.add(sum, product),
            None => product,
        };
        if s.sums {
            total = k.reduce(total);
        }
        sum = Some(total);
    }
    sum
}
