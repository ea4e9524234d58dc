//! Roots of unity, bit reversal, and primes that have the required roots.

use super::{Modulus, Multiplier, is_prime};

/// `i` with its lowest `bits` bits in reverse order.
pub const fn bitrev(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}

/// The largest `t` with `2^t | q - 1`: transforms have at most `t` layers (cyclic) or `t - 1`
/// (negacyclic).
pub const fn two_adicity(q: u64) -> u32 {
    (q - 1).trailing_zeros()
}

impl Modulus {
    /// Whether `x` is a primitive root of unity of that order.
    pub const fn is_primitive_root(self, x: u64, order: u64) -> bool {
        x != 0 && x < self.get() && self.pow(x, order) == 1 && self.has_no_smaller_order(x, order)
    }

    /// The smallest positive primitive root of unity of that order, or `None` if `q` has none.
    ///
    /// Plans use this root unless a request names another one. The search compares all primitive
    /// roots of that order: it takes one product for each odd number below the order.
    pub const fn root_of_unity(self, order: u64) -> Option<u64> {
        let Some(root) = self.some_root_of_unity(order) else { return None };
        let (mut smallest, mut power) = (root, root);
        let step = if order.is_multiple_of(2) { 2 } else { 1 }; // even powers of such a root have a smaller order
        let by = Multiplier::new(self, self.pow(root, step));
        let mut i = 1 + step;
        while i < order {
            power = by.times(power);
            if power < smallest && gcd(i, order) == 1 {
                smallest = power;
            }
            i += step;
        }
        Some(smallest)
    }

    /// A primitive root of unity of that order, always the same one, and found quickly:
    /// `x^((q-1)/order)` for the smallest `x` from 1 on for which this power has that order. For
    /// residue channels, whose slots are not visible.
    pub(crate) const fn some_root_of_unity(self, order: u64) -> Option<u64> {
        let q = self.get();
        if order == 0 || !(q - 1).is_multiple_of(order) {
            return None;
        }
        // x^((q-1)/order) has that order if and only if x is not a p-th power for any prime divisor
        // p of it.
        let (mut x, mut root) = (1, 1);
        while !self.has_no_smaller_order(root, order) {
            x += 1;
            root = self.pow(x, (q - 1) / order);
        }
        Some(root)
    }

    /// Whether `x`, whose order divides `order`, has that order.
    const fn has_no_smaller_order(self, x: u64, order: u64) -> bool {
        let (mut rest, mut p) = (order, 2);
        while rest > 1 {
            if p * p > rest {
                p = rest;
            }
            if rest.is_multiple_of(p) {
                if self.pow(x, order / p) == 1 {
                    return false;
                }
                while rest.is_multiple_of(p) {
                    rest /= p;
                }
            }
            p += 1;
        }
        true
    }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The distance between odd numbers that are 1 modulo `order`.
pub(super) const fn step_to_odd(order: u64) -> u64 {
    if order == 0 {
        return u64::MAX; // nothing has that order
    }
    if order.is_multiple_of(2) { order } else { order.saturating_mul(2) }
}

/// The odd prime `p ≡ 1 (mod order)` nearest to `q` and below `limit`, if there is one.
pub const fn nearest_prime(q: u64, order: u64, limit: u64) -> Option<u64> {
    let step = step_to_odd(order);
    let q = if q < limit { q } else { limit.saturating_sub(1) }; // the nearest one is the largest then
    let mut above = q / step * step + 1;
    let mut below = above;
    if above < q {
        above = above.saturating_add(step);
    }
    loop {
        let can_go_below = below > step;
        if above >= limit && !can_go_below {
            return None;
        }
        let above_is_nearer = above < limit && (!can_go_below || above.abs_diff(q) <= below.abs_diff(q));
        let candidate = if above_is_nearer { above } else { below };
        if candidate < limit && is_prime(candidate) {
            return Some(candidate);
        }
        if above_is_nearer {
            above = above.saturating_add(step);
        } else {
            below -= step;
        }
    }
}
