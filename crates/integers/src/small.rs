//! Products and sums of few limbs: schoolbook multiplication, two rows at a time, and Karatsuba's above it.
//!
//! **Constant time:** for given numbers of limbs. Signs are masks that carries leave, and go through arithmetic alone.
//!
//! Source: Karatsuba and Ofman, *Multiplication of multidigit numbers on automata* (1963), with differences in place of
//! sums, which need no limb more.

/// Operands with fewer limbs are multiplied row by row, by measurement.
const KARATSUBA: usize = 28;
/// The same for squares, whose rows are half as many products.
const KARATSUBA_SQUARES: usize = 33;
/// The longest of the shorter operands.
pub(crate) const MOST: usize = 255;

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

/// Working memory for operands of so many limbs: what a product has, and a little more, for all levels of recursion.
#[inline(always)]
fn with_scratch(length: usize, work: impl FnOnce(&mut [u64])) {
    const FEW: usize = 64;
    const MORE: usize = 32;
    if length <= FEW { work(&mut [0; 2 * FEW + MORE]) } else { work(&mut [0; 2 * MOST + MORE]) }
}

/// Adds `x` to as many limbs, and returns the carry.
pub(crate) fn add(out: &mut [u64], x: &[u64]) -> u64 {
    let mut carry = 0;
    for (to, limb) in out.iter_mut().zip(x) {
        (*to, carry) = sum([*to, *limb, carry]);
    }
    carry
}

/// The low and the high limb of a sum of limbs.
#[inline(always)]
fn sum(limbs: [u64; 3]) -> (u64, u64) {
    let sum: u128 = limbs.into_iter().map(u128::from).sum();
    (sum as u64, (sum >> 64) as u64)
}

/// The low and the high limb of `x·y + to + carry`, which fits two limbs.
#[inline(always)]
fn multiply_add(x: u64, y: u64, to: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(x) * u128::from(y) + u128::from(to) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// Adds `x·b`, and gives the limb above.
#[inline(always)]
fn add_row(out: &mut [u64], x: u64, b: &[u64]) -> u64 {
    let mut carry = 0;
    for (to, y) in out.iter_mut().zip(b) {
        (*to, carry) = multiply_add(x, *y, *to, carry);
    }
    carry
}

/// Adds `(x_0 + x_1·2^64)·b` and a carry, and gives the two limbs above; `out` has the length of `b`.
#[inline(always)]
fn add_two_rows(out: &mut [u64], x: [u64; 2], b: &[u64], carry: u64) -> [u64; 2] {
    let (mut carries, mut before) = ([carry, 0], 0);
    for (to, y) in out.iter_mut().zip(b) {
        let (sum, first) = multiply_add(x[0], *y, *to, carries[0]);
        let (sum, second) = multiply_add(x[1], before, sum, carries[1]);
        (*to, carries, before) = (sum, [first, second], *y);
    }
    let (low, high) = multiply_add(x[1], before, carries[0], carries[1]);
    [low, high]
}

/// The product by schoolbook multiplication, two limbs of `a` at a time.
fn rows(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.fill(0);
    let (pairs, last) = a.as_chunks();
    for (i, pair) in pairs.iter().enumerate() {
        let (row, above) = out[2 * i..].split_at_mut(b.len());
        let carries = add_two_rows(row, *pair, b, 0);
        above[..2].copy_from_slice(&carries);
    }
    if let [x] = last {
        let (row, above) = out[a.len() - 1..].split_at_mut(b.len());
        above[0] = add_row(row, *x, b);
    }
}

/// The square by schoolbook multiplication: products of different limbs, doubled, and squares.
fn rows_of_square(out: &mut [u64], a: &[u64]) {
    out.fill(0);
    let mut left = a;
    while let [x, y, behind @ ..] = left {
        // x·y, then x and y times all limbs behind them: at twice the number of limbs before x, and one.
        let (row, above) = out[2 * (a.len() - left.len()) + 1..].split_at_mut(1 + behind.len());
        let (first, row) = row.split_at_mut(1);
        let carry;
        (first[0], carry) = multiply_add(*x, *y, first[0], 0);
        let carries = add_two_rows(row, [*x, *y], behind, carry);
        above[..2].copy_from_slice(&carries);
        left = behind;
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
    let half = a.len().div_ceil(2);
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

/// The square.
fn karatsuba_square(out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
    if a.len() < KARATSUBA_SQUARES {
        return rows_of_square(out, a);
    }
    let half = a.len().div_ceil(2);
    let (a_low, a_high) = a.split_at(half);
    let (middle, scratch) = scratch.split_at_mut(2 * half);
    distance(&mut out[..half], a_low, a_high);
    karatsuba_square(middle, &out[..half], scratch);
    let (low, high) = out.split_at_mut(2 * half);
    karatsuba_square(low, a_low, scratch);
    karatsuba_square(high, a_high, scratch);
    add_middle(out, middle, u64::MAX);
}

/// `|a - b|` into `out`, and all ones if the difference is negative; `b` has as many limbs as `a`, or one less.
#[inline(always)]
fn distance(out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    let mut borrow = 0_i64; // 0 or -1
    let (b, none) = (b.iter(), [0]);
    for ((out, x), y) in out.iter_mut().zip(a).zip(b.chain(&none)) {
        let difference = i128::from(*x) - i128::from(*y) + i128::from(borrow);
        (*out, borrow) = (difference as u64, (difference >> 64) as i64);
    }
    let negative = borrow as u64;
    let mut carry = negative & 1;
    for out in out {
        (*out, carry) = sum([*out ^ negative, carry, 0]);
    }
    negative
}

/// Adds `z_0 + z_2 - d` where the mask `subtract` is all ones, and `z_0 + z_2 + d` where it is zero, `half` limbs above the
/// lowest of `out`, which holds `z_0`, and `z_2` behind its `2·half` limbs. So many limbs has `d`, which is overwritten.
#[inline(always)]
fn add_middle(out: &mut [u64], d: &mut [u64], subtract: u64) {
    let (low, high) = out.split_at(d.len());
    let (with_high, without) = d.split_at_mut(high.len());
    let (low, low_without) = low.split_at(high.len());
    let mut carry = subtract & 1; // -d is !d + 1
    for ((d, low), high) in with_high.iter_mut().zip(low).zip(high) {
        let sum = u128::from(*low) + u128::from(*high) + u128::from(*d ^ subtract) + u128::from(carry);
        (*d, carry) = (sum as u64, (sum >> 64) as u64);
    }
    for (d, low) in without.iter_mut().zip(low_without) {
        (*d, carry) = sum([*low, *d ^ subtract, carry]);
    }
    // !d is 2^(64·2·half) too large.
    let top = carry.wrapping_add(subtract);
    let half = d.len() / 2;
    let (middle, high) = out[half..].split_at_mut(d.len());
    let mut carry = top + add(middle, d);
    for to in high {
        (*to, carry) = sum([*to, carry, 0]);
    }
}
