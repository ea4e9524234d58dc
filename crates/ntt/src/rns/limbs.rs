//! Integers as limbs of 64 bits, lowest first. Nothing here divides, and only the lengths determine
//! which instructions run.

use alloc::{vec, vec::Vec};
use lanes::{add_with_carry, multiply_add};

/// `x·factor + addend`, and returns the limb above.
#[inline(always)]
pub(super) fn multiply_and_add(x: &mut [u64], factor: u64, addend: u64) -> u64 {
    let mut carry = addend;
    for limb in x {
        (*limb, carry) = multiply_add(*limb, factor, carry, 0);
    }
    carry
}

/// `x - y` in two's complement.
#[inline(always)]
pub(super) fn subtract(x: &mut [u64], y: &[u64]) {
    let mut carry = true; // -y is !y + 1
    x.iter_mut().zip(y).for_each(|(x, y)| *x = add_with_carry(*x, !y, &mut carry));
}

/// The `bits` bits from bit `start` of the number on, fewer than 64; above its highest limb there are zeros.
#[inline(always)]
pub(super) fn digit(x: &[u64], start: usize, bits: u32) -> i64 {
    let (at, shift) = (start / 64, start % 64);
    let above = x.get(at + 1).copied().unwrap_or(0);
    let both = u128::from(x[at]) | u128::from(above) << 64;
    (both >> shift) as i64 & ((1 << bits) - 1)
}

/// A product without leading zeros.
pub(super) fn product_of(factors: &[u64]) -> Vec<u64> {
    let mut product = vec![0; factors.len() + 1];
    product[0] = 1;
    for factor in factors {
        multiply_and_add(&mut product, *factor, 0);
    }
    while product.last() == Some(&0) {
        product.pop();
    }
    product
}

/// Bits of a non-zero number.
pub(super) fn length_in_bits(number: &[u64]) -> u32 {
    let highest = number.last().expect("a highest limb");
    number.len() as u32 * u64::BITS - highest.leading_zeros()
}

/// `⌊x/2⌋`, with the same number of limbs.
pub(super) fn halved(x: &[u64]) -> Vec<u64> {
    let above = x.iter().skip(1).chain(&[0]);
    x.iter().zip(above).map(|(low, high)| low >> 1 | high << 63).collect()
}
