//! Products and sums of few limbs: schoolbook multiplication in strips of eight limbs, and Karatsuba's above it.
//!
//! **Constant time:** for given numbers of limbs. Signs are masks that carries leave, and go through arithmetic alone.
//!
//! Source: Karatsuba and Ofman, *Multiplication of multidigit numbers on automata* (1963), with differences in place of
//! sums, which need no limb more.

use lanes::{Opaque, STRIP, add_product, add_with_carry, multiply_add};

/// Operands with fewer limbs are multiplied strip by strip, by measurement.
const KARATSUBA: usize = 57;
/// The same for squares, which take half as many products.
const KARATSUBA_SQUARES: usize = 72;
const _: () = assert!(KARATSUBA > 35 && KARATSUBA_SQUARES > 35, "`half` is at most two thirds from 36 limbs on");
/// The longest of the shorter operands.
pub(crate) const MOST: usize = 320;
/// As many limbs as the largest half has, and more.
static ZEROS: [u64; MOST / 2 + 2 * STRIP] = [0; MOST / 2 + 2 * STRIP];

/// The product, for operands of which the second has at most [`MOST`] limbs and is not the longer one.
pub(crate) fn multiply(out: &mut [u64], long: &[u64], short: &[u64]) {
    let length = short.len();
    if length < KARATSUBA {
        return rows(out, short, long);
    }
    if long.len() == length {
        return with_scratch(length, |scratch| karatsuba(out, long, short, scratch));
    }
    out.fill(0);
    let mut product = [0; 2 * MOST];
    for (i, piece) in long.chunks(length).enumerate() {
        let product = &mut product[..piece.len() + length];
        multiply(product, short, piece);
        // The limbs above the sum so far are zero, and the sum is a product that fits.
        add(&mut out[i * length..], product);
    }
}

/// The square of at most [`MOST`] limbs.
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
    if a.len() < KARATSUBA_SQUARES {
        return rows_of_square(out, a);
    }
    with_scratch(a.len(), |scratch| karatsuba_square(out, a, scratch));
}

/// Working memory for operands of so many limbs: what a product has, for all levels of recursion.
#[inline(always)]
fn with_scratch(length: usize, work: impl FnOnce(&mut [u64])) {
    const FEW: usize = 96;
    if length <= FEW { work(&mut [0; 2 * FEW]) } else { work(&mut [0; 2 * MOST]) }
}

/// Adds `x` to as many limbs, and returns the carry.
pub(crate) fn add(out: &mut [u64], x: &[u64]) -> u64 {
    add_flipped(&mut out[..x.len()], 0, x, 0, 0)
}

/// `(a ^ flip_a) + (b ^ flip_b) + carry` in the place of `a`, for operands of one length; returns the carry.
#[inline(always)]
fn add_flipped(a: &mut [u64], flip_a: u64, b: &[u64], flip_b: u64, carry: u64) -> u64 {
    let mut carry = carry != 0;
    let mut add = |a: &mut u64, b: &u64| *a = add_with_carry(*a ^ flip_a, *b ^ flip_b, &mut carry);
    // Some at a time, so that the carry stays in the CPU's flag.
    let ((a, last_a), (b, last_b)) = (a.as_chunks_mut::<STRIP>(), b.as_chunks::<STRIP>());
    for (a, b) in a.iter_mut().zip(b) {
        for i in 0..STRIP {
            add(&mut a[i], &b[i]);
        }
    }
    last_a.iter_mut().zip(last_b).for_each(|(a, b)| add(a, b));
    carry.into()
}

/// The low and the high limb of a sum of limbs.
#[inline(always)]
fn sum(limbs: [u64; 3]) -> (u64, u64) {
    let sum: u128 = limbs.into_iter().map(u128::from).sum();
    (sum as u64, (sum >> 64) as u64)
}

/// The product by schoolbook multiplication, in strips of one operand: first the lowest limbs that fill no strip.
fn rows(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.fill(0);
    let ((low_a, strips_a), (low_b, strips_b)) = (a.as_rchunks(), b.as_rchunks());
    for (i, x) in low_a.iter().enumerate() {
        out[i + low_b.len()] = add_row(&mut out[i..], *x, low_b);
    }
    for (i, strip) in strips_a.iter().enumerate() {
        add_strip(&mut out[low_a.len() + STRIP * i..], low_b, strip);
    }
    for (i, strip) in strips_b.iter().enumerate() {
        add_strip(&mut out[low_b.len() + STRIP * i..], a, strip);
    }
}

/// Adds `rows·strip` to the lowest limbs, of which those above `rows` are overwritten.
#[inline(always)]
fn add_strip(out: &mut [u64], rows: &[u64], strip: &[u64; STRIP]) {
    if !rows.is_empty() {
        add_product(&mut out[..rows.len() + STRIP], rows, strip);
    }
}

/// Adds `x·b`, and returns the limb above.
#[inline(always)]
fn add_row(out: &mut [u64], x: u64, b: &[u64]) -> u64 {
    let mut carry = 0;
    for (to, y) in out.iter_mut().zip(b) {
        (*to, carry) = multiply_add(x, *y, *to, carry);
    }
    carry
}

/// The square by schoolbook multiplication: products of different limbs, doubled, and squares.
fn rows_of_square(out: &mut [u64], a: &[u64]) {
    out.fill(0);
    let (low, strips) = a.as_rchunks();
    for (i, x) in low.iter().enumerate() {
        out[i + low.len()] = add_row(&mut out[2 * i + 1..], *x, &low[i + 1..]);
    }
    for (i, strip) in strips.iter().enumerate() {
        let below = low.len() + STRIP * i;
        add_strip(&mut out[below..], &a[..below], strip);
        let out = out[2 * below..].first_chunk_mut::<{ 2 * STRIP }>().expect("twice as many limbs");
        for j in 0..STRIP {
            out[j + STRIP] = add_row(&mut out[2 * j + 1..], strip[j], &strip[j + 1..]);
        }
    }
    let (mut carry, mut above) = (0, 0);
    for ([low, high], x) in out.as_chunks_mut().0.iter_mut().zip(a) {
        let square = u128::from(*x) * u128::from(*x);
        let doubled = [*low << 1 | above, *high << 1 | *low >> 63];
        above = *high >> 63;
        (*low, carry) = sum([doubled[0], square as u64, carry]);
        (*high, carry) = sum([doubled[1], (square >> 64) as u64, carry]);
    }
}

/// The product of operands of one length.
fn karatsuba(out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
    if a.len() < KARATSUBA {
        return rows(out, a, b);
    }
    let half = half(a.len());
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half));
    let (middle, scratch) = scratch.split_at_mut(2 * half);
    let (x, y) = out[..2 * half].split_at_mut(half);
    let negative = distance(x, a_low, a_high) ^ distance(y, b_low, b_high);
    karatsuba(middle, x, y, scratch);
    let (low, high) = out.split_at_mut(2 * half);
    karatsuba(low, a_low, b_low, scratch);
    karatsuba(high, a_high, b_high, scratch);
    add_middle(out, middle, !negative);
}

/// The length of the lower parts: whole strips, and at most two thirds from 36 limbs on.
fn half(length: usize) -> usize {
    length.div_ceil(2).next_multiple_of(STRIP)
}

/// The square.
fn karatsuba_square(out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
    if a.len() < KARATSUBA_SQUARES {
        return rows_of_square(out, a);
    }
    let half = half(a.len());
    let (a_low, a_high) = a.split_at(half);
    let (middle, scratch) = scratch.split_at_mut(2 * half);
    distance(&mut out[..half], a_low, a_high);
    karatsuba_square(middle, &out[..half], scratch);
    let (low, high) = out.split_at_mut(2 * half);
    karatsuba_square(low, a_low, scratch);
    karatsuba_square(high, a_high, scratch);
    add_middle(out, middle, u64::MAX);
}

/// `|a - b|` into `out`, and all ones if the difference is negative; `b` is not longer than `a`.
#[inline(always)]
fn distance(out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    out.copy_from_slice(a);
    let (low, high) = out.split_at_mut(b.len());
    let carry = add_flipped(low, 0, b, u64::MAX, 1);
    let carry = add_flipped(high, 0, &ZEROS[..a.len() - b.len()], u64::MAX, carry);
    let negative = carry.wrapping_sub(1).opaque();
    add_flipped(out, negative, &ZEROS[..a.len()], 0, negative & 1);
    negative
}

/// Adds `z_0 + z_2 - d` where the mask `subtract` is all ones, and `z_0 + z_2 + d` where it is zero, `half` limbs above the
/// lowest of `out`, which holds `z_0`, and `z_2` behind its `2·half` limbs. So many limbs has `d`, which is overwritten.
#[inline(always)]
fn add_middle(out: &mut [u64], d: &mut [u64], subtract: u64) {
    let half = d.len() / 2;
    let (low, high) = out.split_at(d.len());
    let first = add_flipped(d, subtract, low, 0, subtract & 1); // -d is !d + 1
    let (with_high, without) = d.split_at_mut(high.len());
    let second = add(with_high, high);
    let second = add_flipped(without, 0, &ZEROS[..without.len()], 0, second);
    let (middle, high) = out[half..].split_at_mut(d.len());
    let third = add(middle, d);
    // !d is 2^(64·2·half) too large.
    let mut carry = first.wrapping_add(second).wrapping_add(third).wrapping_add(subtract);
    for to in high {
        (*to, carry) = sum([*to, carry, 0]);
    }
}
