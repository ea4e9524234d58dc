//! Roots of unity, bit reversal, and primes that have the roots one needs.

use super::{Modulus, is_prime};

/// `i` with its lowest `bits` bits in reverse order.
pub const fn bitrev(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}

/// The largest `t` with `2^t | q - 1`: transforms have at most `t` layers (cyclic) or `t - 1` (negacyclic).
pub const fn two_adicity(q: u64) -> u32 {
    (q - 1).trailing_zeros()
}

impl Modulus {
    /// The smallest positive primitive `2^log_order`-th root of unity, or `None` if `q` has none.
    ///
    /// Every face, file and test of the project uses this root unless it names another one.
    pub const fn root_of_unity(self, log_order: u32) -> Option<u64> {
        let q = self.get();
        if log_order > two_adicity(q) {
            return None;
        }
        if log_order == 0 {
            return Some(1);
        }
        // x^((q-1)/2^t) has order exactly 2^t when x is no square.
        let mut x = 2;
        while self.pow(x, (q - 1) / 2) == 1 {
            x += 1;
        }
        let root = self.pow(x, (q - 1) >> log_order);
        let square = self.mul(root, root);
        let (mut smallest, mut power) = (root, root);
        let mut i = 1_u64;
        while i < 1 << (log_order - 1) {
            power = self.mul(power, square); // the odd powers are all primitive roots of this order
            if power < smallest {
                smallest = power;
            }
            i += 1;
        }
        Some(smallest)
    }
}

/// The prime `p ≡ 1 (mod 2^log_order)` nearest to `q` and below `limit`, if there is one.
pub const fn nearest_prime(q: u64, log_order: u32, limit: u64) -> Option<u64> {
    let q = if q < limit { q } else { limit };
    let step = 1 << log_order;
    let q = if q < limit { q } else { limit - 1 }; // the nearest one is the largest then
    let mut above = (q >> log_order << log_order) + 1;
    let mut below = above;
    if above < q {
        above += step;
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
            above += step;
        } else {
            below -= step;
        }
    }
}
