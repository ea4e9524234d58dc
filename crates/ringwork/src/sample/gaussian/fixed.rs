//! Fixed-point numbers of 320 fractional bits, for tables computed once from public numbers.
//!
//! Truncation loses less than 2^-320 in a product, a quotient or a halving.

#![expect(clippy::integer_division_remainder_used, reason = "public numbers")]

use core::cmp::Ordering;

const LIMBS: usize = 6;
const FRACTION: usize = 64 * (LIMBS - 1);

/// A number in `[0, 2^64)`; limbs of 64 bits, lowest first; the last one is the integer part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Fixed([u64; LIMBS]);

impl Fixed {
    pub(in super::super) const ZERO: Self = Self([0; LIMBS]);
    pub(in super::super) const ONE: Self = Self([0, 0, 0, 0, 0, 1]);

    pub(super) const fn integer_part(self) -> u64 {
        self.0[LIMBS - 1]
    }

    /// The fraction, lowest limb first.
    #[cfg(test)]
    pub(super) fn limbs(self) -> [u64; LIMBS - 1] {
        *self.0.first_chunk().expect("limbs")
    }

    /// **Panics** (in tests) if the sum is 2^64 or more.
    pub(in super::super) fn plus(self, other: Self) -> Self {
        let (mut out, mut carry) = (self, 0);
        for (a, b) in out.0.iter_mut().zip(other.0) {
            carry += u128::from(*a) + u128::from(b);
            *a = carry as u64;
            carry >>= 64;
        }
        debug_assert_eq!(carry, 0);
        out
    }

    /// `self - other`, for `other` not larger.
    pub(in super::super) fn minus(self, other: Self) -> Self {
        let (mut out, mut borrow) = (self, false);
        for (a, b) in out.0.iter_mut().zip(other.0) {
            let (difference, under) = a.overflowing_sub(b);
            let (difference, under_again) = difference.overflowing_sub(borrow.into());
            (*a, borrow) = (difference, under | under_again);
        }
        debug_assert!(!borrow);
        out
    }

    pub(in super::super) fn distance(self, other: Self) -> Self {
        if self > other { self.minus(other) } else { other.minus(self) }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let mut product = [0; 2 * LIMBS];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.0.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(product[i + j]);
                product[i + j] = carry as u64;
                carry >>= 64;
            }
            product[i + LIMBS] = carry as u64;
        }
        debug_assert_eq!(product[2 * LIMBS - 1], 0, "the product is below 2^64");
        let (_, kept) = product[..2 * LIMBS - 1].split_at(LIMBS - 1);
        Self(*kept.first_chunk().expect("all limbs"))
    }

    pub(in super::super) fn over(self, divisor: u64) -> Self {
        let (mut out, mut rest) = (self, 0);
        for limb in out.0.iter_mut().rev() {
            let dividend = rest << 64 | u128::from(*limb);
            *limb = (dividend / u128::from(divisor)) as u64;
            rest = dividend % u128::from(divisor);
        }
        out
    }

    /// `self / divisor`, which is at most 1, for a divisor below 2^63.
    pub(super) fn ratio(self, divisor: Self) -> Self {
        debug_assert!(self <= divisor && divisor.integer_part() < 1 << 63);
        if self == divisor {
            return Self::ONE;
        }
        let (mut quotient, mut rest) = (Self::ZERO, self);
        for _ in 0..FRACTION {
            rest = rest.plus(rest);
            quotient = quotient.plus(quotient);
            if rest >= divisor {
                rest = rest.minus(divisor);
                quotient.0[0] |= 1;
            }
        }
        quotient
    }

    /// `dividend · 2^shift / divisor`, for `dividend < divisor < 2^127`; `None` from 2^63 on.
    pub(super) fn quotient(dividend: u128, shift: u32, divisor: u128) -> Option<Self> {
        debug_assert!(dividend < divisor && divisor < 1 << 127);
        let (mut quotient, mut rest) = (Self::ZERO, dividend);
        for _ in 0..shift as usize + FRACTION {
            if quotient.integer_part() >> 62 != 0 {
                return None;
            }
            rest <<= 1;
            quotient = quotient.plus(quotient);
            if rest >= divisor {
                rest -= divisor;
                quotient.0[0] |= 1;
            }
        }
        Some(quotient)
    }

    /// `e^-self`, within 2^-296; 0 from 512 on.
    pub(super) fn exp_of_negative(self) -> Self {
        const SQUARINGS: u32 = 16;
        if self.integer_part() >= 512 {
            return Self::ZERO;
        }
        // x = self/2^16 < 2^-7: Taylor's terms, even and odd degrees separately; then e^-self =
        // (e^-x)^(2^16).
        let x = self.over(1 << SQUARINGS);
        let mut sums = [Self::ZERO; 2];
        let (mut term, mut degree) = (Self::ONE, 0);
        while term != Self::ZERO {
            let sum = &mut sums[degree as usize & 1];
            *sum = sum.plus(term);
            degree += 1;
            term = term.times(x).over(degree);
        }
        (0..SQUARINGS).fold(sums[0].minus(sums[1]), |power, _| power.times(power))
    }

    /// `floor(self · 2^bits)` of a number up to 1, `bits ≤ 127`.
    pub(in super::super) fn scaled(self, bits: u32) -> u128 {
        let top = self.integer_part() as u128;
        let fraction = u128::from(self.0[LIMBS - 2]) << 64 | u128::from(self.0[LIMBS - 3]);
        top << bits | fraction.checked_shr(128 - bits).unwrap_or(0)
    }

    /// `units / 2^bits`, for `units ≤ 2^bits` and `bits ≤ 127`.
    pub(in super::super) fn of_units(units: u128, bits: u32) -> Self {
        let fraction = units.checked_shl(128 - bits).unwrap_or(0);
        Self([0, 0, 0, fraction as u64, (fraction >> 64) as u64, (units >> bits) as u64])
    }

    /// log2; minus infinity for 0.
    pub(in super::super) fn log2(self) -> f64 {
        let leading = self.0.iter().rposition(|&limb| limb != 0);
        leading.map_or(f64::NEG_INFINITY, |i| {
            let below = if i == 0 { 0 } else { self.0[i - 1] };
            let top = self.0[i] as f64 + below as f64 / 2_f64.powi(64);
            top.log2() + 64.0 * (i as f64 - (LIMBS - 1) as f64)
        })
    }
}

impl Ord for Fixed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Fixed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
