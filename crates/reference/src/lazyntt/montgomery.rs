//! Algorithm 1, the product with a reduction: for any modulus, and in the paper's words.

use super::subtract;
use crate::field;

/// Algorithm 1: a·b·R⁻¹ mod q. Numbers at the end of a line are its lines.
pub trait Montgomery {
    /// q.
    fn q(&self) -> u64;
    /// **Range**: b < q; in [0, q) if a·b < R·q, otherwise at most a·b/R.
    fn product(&self, a: u64, b: u64) -> u64;
}

/// Any q and R that are known when it runs; intermediates of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    q: u64,
    log_r: u32,
    /// q⁻¹ mod R, for u = (x − m·q)/R.
    q_prime: u64,
}

impl Wide {
    /// `None` unless q < R < 2⁶⁴ and q is odd.
    pub fn new(q: u64, log_r: u32) -> Option<Self> {
        if log_r > 63 || q >= 1 << log_r {
            return None;
        }
        Some(Self { q, log_r, q_prime: field::inverse(q, 1 << log_r)? })
    }

    /// log2 R.
    pub fn log_r(&self) -> u32 {
        self.log_r
    }
}

impl Montgomery for Wide {
    fn q(&self) -> u64 {
        self.q
    }

    fn product(&self, a: u64, b: u64) -> u64 {
        let x = a as u128 * b as u128; // 4
        let m = (x as u64).wrapping_mul(self.q_prime) & ((1 << self.log_r) - 1); // 5
        let mq = m as u128 * self.q as u128;
        // The low halves of x and m·q are equal: the difference of the high halves is (x − m·q)/R.
        // b < R: it fits.
        subtract((x >> self.log_r) as u64, (mq >> self.log_r) as u64, self.q) // 6 to 9
    }
}

/// q and R that the compiler knows, as the paper's macros; no intermediate has more than 64 bits,
/// since R·q < 2⁶⁴.
#[derive(Clone, Copy, Debug)]
pub struct Narrow<const Q: u64, const LOG_R: u32>(());

impl<const Q: u64, const LOG_R: u32> Narrow<Q, LOG_R> {
    const MASK: u64 = (1 << LOG_R) - 1;
    /// q⁻¹ mod R.
    const Q_PRIME: u64 = inverse_of_odd(Q) & Self::MASK;

    /// `None` unless q < R, R·q < 2⁶⁴ and q is odd.
    pub fn new() -> Option<Self> {
        let fits = LOG_R < 64 && Q >> LOG_R == 0 && (Q as u128) << LOG_R < 1 << 64;
        (fits && Q % 2 == 1).then_some(Self(()))
    }
}

impl<const Q: u64, const LOG_R: u32> Montgomery for Narrow<Q, LOG_R> {
    #[inline(always)]
    fn q(&self) -> u64 {
        Q
    }

    #[inline]
    fn product(&self, a: u64, b: u64) -> u64 {
        let x = a.wrapping_mul(b); // 4; does not wrap if a·b < R·q
        let m = x.wrapping_mul(Self::Q_PRIME) & Self::MASK; // 5
        subtract(x >> LOG_R, m.wrapping_mul(Q) >> LOG_R, Q) // 6 to 9; m·q < R·q
    }
}

/// The inverse of an odd number modulo 2⁶⁴, by Newton's iteration: each step doubles the bits that
/// are right, from 3.
pub(super) const fn inverse_of_odd(q: u64) -> u64 {
    let mut x = q;
    let mut step = 0;
    while step < 5 {
        x = x.wrapping_mul(2_u64.wrapping_sub(q.wrapping_mul(x)));
        step += 1;
    }
    x
}
