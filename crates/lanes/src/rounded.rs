//! Doubles by integers, with what a product needs of them: the same words whatever rounding mode the caller has set.

use crate::Opaque;

/// Bits of a double's mantissa.
const BITS: u32 = 53;

/// A double that is not negative: `mantissa·2^exponent`, with a mantissa of 53 bits or of the value zero.
#[derive(Clone, Copy)]
pub(crate) struct Rounded {
    mantissa: u64,
    exponent: i32,
}

impl Rounded {
    /// An integer below `2^53`.
    #[inline(always)]
    pub(crate) const fn of_integer(x: u64) -> Self {
        // Never of zero, for which some CPUs' instruction has no answer.
        let shift = (x | 1).leading_zeros().wrapping_sub(u64::BITS - BITS);
        Self { mantissa: x.wrapping_shl(shift), exponent: -(shift as i32) }
    }

    /// The absolute value of a double of these bits, which is zero or has 53 of them.
    #[inline(always)]
    pub(crate) fn of_bits(bits: u64) -> Self {
        let field = bits >> (BITS - 1) & 0x7FF;
        let fraction = bits & ((1 << (BITS - 1)) - 1);
        Self { mantissa: fraction | field.min(1) << (BITS - 1), exponent: field as i32 - 1075 }
    }

    /// The double nearest to the product, with ties to even.
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        let product = u128::from(self.mantissa) * u128::from(other.mantissa); // of 105 or 106 bits, or zero
        let top = (product >> (2 * BITS - 1)) as i64;
        let product = product + (product & i128::from((top - 1).opaque()) as u128); // of 106 bits
        let mantissa = (product + ((1 << (BITS - 1)) - 1) + (product >> BITS & 1)) >> BITS;
        Self { mantissa: mantissa as u64, exponent: self.exponent + other.exponent + (BITS - 1) as i32 + top as i32 }
    }

    /// The nearest integer, with ties to even, of a number below `2^52`.
    #[inline(always)]
    pub(crate) fn nearest(self) -> u64 {
        let shift = self.exponent.wrapping_neg().clamp(1, 63) as u32;
        // Opaque, so that no instruction picks the bit by its number: memcheck reads such a bit from memory.
        let whole = (self.mantissa >> shift).opaque();
        (self.mantissa + ((1 << (shift - 1)) - 1) + (whole & 1)) >> shift
    }
}
