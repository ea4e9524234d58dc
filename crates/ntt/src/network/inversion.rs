//! Inverses slot by slot, `c = a^-1 mod (X^d - z)`, with a single inversion modulo `q` for all
//! slots of a lane.
//!
//! 1. Every slot gets a cofactor `b` with `a·b = norm`, a residue modulo `q`. For `d = 3`,
//!    `b = (a_0² - z·a_1·a_2, z·a_2² - a_0·a_1, a_1² - a_0·a_2)`; for an even `d`,
//!    `N(X²) = a(X)·a(-X)` is an element of a ring of half the degree with the same `z`, and if
//!    `b'` is its cofactor, `b(X) = a(-X)·b'(X²)` has the same norm; for any other `d`, the method
//!    of Faddeev and Leverrier: from `b = a`, alternately `b_0 ← b_0·(1 - d/k)` for `k = 1 .. d-1`,
//!    and `b ← a·b` between those. The trace of a multiplication by `b` is `d·b_0`.
//! 2. Norms are multiplied up a tree (Montgomery's trick), which leaves one vector.
//! 3. This vector is raised to `q - 2`.
//! 4. Down the tree: the inverse of either child is the parent's times the other child. Then
//!    `c = b·norm^-1`.
//!
//! A slot without an inverse makes its lane of the root zero; then all slots of that lane become
//! zero.
//!
//! Factors: a product of two variables is `x∗y = F·x·y`. Since `x → F·x` carries `∗` to the
//! ordinary product, each formula holds with `∗` in place of `·`, and the result is `F^-2` times
//! the inverse. The first scaling twiddle, at the root, makes up for that; the second one is `-1`.
//!
//! Sources: Lyubashevsky, Seiler, *NTTRU* (2019), section 3 (degree three); Montgomery, *Speeding
//! the Pollard and elliptic curve methods of factorization* (1987), section 10.3.1 (the tree);
//! Faddeev, Faddeeva, *Computational Methods of Linear Algebra* (1963), section 47.
//!
//! **Constant time:** yes; the exponent and all shapes are public, and no branch depends on
//! anything else.

use super::{
    kernel::{Kernel, operand},
    pass::SlotStep,
    pieces::{pieces, pieces_mut},
};

/// The number of scratch vectors of [`invert_slots`] for that many groups of slots of that degree.
pub const fn inversion_scratch(groups: usize, degree: usize) -> usize {
    2 * groups + if degree > 3 { 4 * degree } else { 0 }
}

/// Inverts that many groups of slots of that degree of `a` into `c`. Afterwards block 0 of
/// `scratch` holds the product of all norms.
#[inline(always)]
pub fn invert_slots<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    [groups, degree]: [usize; 2],
    exponent: u64,
    c: &mut [K::Block],
    a: &[K::Block],
    scratch: &mut [K::Block],
) -> Option<()> {
    let (tree, work) = scratch.split_at_mut_checked(2 * groups)?;
    let (_, norms) = tree.split_at_mut_checked(groups)?;
    match degree {
        1 => copies(k, s, norms, a),
        2 => cofactors::<K, 2>(k, s, norms, c, a),
        3 => cofactors::<K, 3>(k, s, norms, c, a),
        _ => long_cofactors(k, s, degree, norms, c, a, work),
    }?;
    invert_tree(k, exponent, groups, tree)?;
    for (norm, c) in tree.iter().skip(groups).zip(pieces_mut(c, degree)) {
        let inverse = k.load(norm);
        for c in c {
            let x = if degree == 1 { inverse } else { times(k, c, inverse) };
            k.store(c, x);
        }
    }
    Some(())
}

/// Inverts the leaves `groups..2·groups` of a tree in which the children of `i` are `2i` and
/// `2i + 1`.
#[inline(always)]
fn invert_tree<K: Kernel>(k: &mut K, exponent: u64, groups: usize, tree: &mut [K::Block]) -> Option<()> {
    for i in (1..groups).rev() {
        let right = k.load(tree.get(2 * i + 1)?);
        let product = times(k, tree.get(2 * i)?, right);
        k.store(tree.get_mut(i)?, product);
    }
    let [product_of_all, root, ..] = tree else { return None };
    let product = k.load(root);
    k.store(product_of_all, product);
    let power = odd_power(k, product, exponent);
    let [f, _] = k.scaling();
    let [inverse] = k.mul([power], [f]);
    k.store(root, inverse);
    for i in 1..groups {
        let (inverse, left) = (k.load(tree.get(i)?), k.load(tree.get(2 * i)?));
        let of_left = times(k, tree.get(2 * i + 1)?, inverse);
        let of_right = k.mul_var(left, inverse);
        k.store(tree.get_mut(2 * i)?, of_left);
        k.store(tree.get_mut(2 * i + 1)?, of_right);
    }
    Some(())
}

/// `x^exponent` for an odd exponent, bit by bit from the lowest: squares and products are two
/// parallel chains.
#[inline(always)]
fn odd_power<K: Kernel>(k: &mut K, x: K::V, exponent: u64) -> K::V {
    let (mut square, mut power, mut rest) = (x, x, exponent >> 1);
    while rest > 0 {
        square = k.mul_var(square, square);
        if rest & 1 == 1 {
            power = k.mul_var(power, square);
        }
        rest >>= 1;
    }
    power
}

/// The product of a vector in memory and another one.
#[inline(always)]
fn times<K: Kernel>(k: &mut K, x: &K::Block, y: K::V) -> K::V {
    let x = k.load(x);
    k.mul_var(x, y)
}

/// A residue is its own norm.
#[inline(always)]
fn copies<K: Kernel>(k: &mut K, s: SlotStep, norms: &mut [K::Block], a: &[K::Block]) -> Option<()> {
    for (norm, a) in norms.iter_mut().zip(a) {
        let x = operand(k, s, a);
        k.store(norm, x);
    }
    Some(())
}

/// `x + y`, with both operands reduced if sums are.
#[inline(always)]
fn plus<K: Kernel>(k: &mut K, s: SlotStep, x: K::V, y: K::V) -> K::V {
    let (x, y) = small(k, s, x, y);
    k.add(x, y)
}

/// `x - y`, with both operands reduced if sums are.
#[inline(always)]
fn minus<K: Kernel>(k: &mut K, s: SlotStep, x: K::V, y: K::V) -> K::V {
    let (x, y) = small(k, s, x, y);
    k.sub(x, y)
}

#[inline(always)]
fn small<K: Kernel>(k: &mut K, s: SlotStep, x: K::V, y: K::V) -> (K::V, K::V) {
    if s.sums { (k.reduce(x), k.reduce(y)) } else { (x, y) }
}

/// Cofactors and norms of groups of `D` vectors, two or three, in registers.
#[inline(always)]
fn cofactors<K: Kernel, const D: usize>(
    k: &mut K,
    s: SlotStep,
    norms: &mut [K::Block],
    c: &mut [K::Block],
    a: &[K::Block],
) -> Option<()> {
    let groups = c.as_chunks_mut::<D>().0.iter_mut().zip(a.as_chunks::<D>().0);
    for (norm_block, (c, a)) in norms.iter_mut().zip(groups) {
        k.row(0, 1)?;
        let z = k.twiddle_lanes(0);
        let x = lockstep!(D, |i| operand(k, s, &a[i]));
        let first = k.mul_var(x[0], x[0]);
        let norm;
        if D == 2 {
            let [_, minus_one] = k.scaling();
            let square = k.mul_var(x[1], x[1]);
            let [last, negative] = k.mul([square, x[1]], [z, minus_one]);
            norm = minus(k, s, first, last);
            k.store(&mut c[0], x[0]);
            k.store(&mut c[1], negative);
        } else {
            let x2 = x[2 % D];
            let (x12, x22, x01) = (k.mul_var(x[1], x2), k.mul_var(x2, x2), k.mul_var(x[0], x[1]));
            let (x11, x02) = (k.mul_var(x[1], x[1]), k.mul_var(x[0], x2));
            let [z12, z22] = k.mul([x12, x22], [z; 2]);
            let (b0, b1, b2) = (minus(k, s, first, z12), minus(k, s, z22, x01), minus(k, s, x11, x02));
            let (high, other) = (k.mul_var(x[1], b2), k.mul_var(x2, b1));
            let high = plus(k, s, high, other);
            let [wrapped] = k.mul([high], [z]);
            let low = k.mul_var(x[0], b0);
            norm = plus(k, s, low, wrapped);
            k.store(&mut c[0], b0);
            k.store(&mut c[1], b1);
            k.store(&mut c[2 % D], b2);
        }
        k.store(norm_block, norm);
    }
    Some(())
}

/// Cofactors and norms of groups of any number of vectors.
#[inline(always)]
fn long_cofactors<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    degree: usize,
    norms: &mut [K::Block],
    c: &mut [K::Block],
    a: &[K::Block],
    work: &mut [K::Block],
) -> Option<()> {
    let odd = degree >> degree.trailing_zeros();
    let (levels, spare) = work.split_at_mut_checked(2 * degree)?;
    for (norm, (c, a)) in norms.iter_mut().zip(pieces_mut(c, degree).zip(pieces(a, degree))) {
        k.row(0, 1)?;
        let mut z = k.twiddle_lanes(0);
        let [_, minus_one] = k.scaling();
        // The levels follow one another; those of even degree store their even coefficients first.
        for (i, a) in a.iter().enumerate() {
            let x = operand(k, s, a);
            k.store(levels.get_mut(split_place(i, degree))?, x);
        }
        let (mut at, mut size) = (0, degree);
        while size > odd {
            let half = size / 2;
            let (squares, others) = spare.get_mut(..size)?.split_at_mut_checked(half)?;
            multiply(k, s, z, squares, levels.get(at..at + half)?, levels.get(at..at + half)?)?;
            multiply(k, s, z, others, levels.get(at + half..at + size)?, levels.get(at + half..at + size)?)?;
            for j in 0..half {
                let even = k.load(squares.get(j)?);
                let mut odd = k.load(others.get(if j == 0 { half - 1 } else { j - 1 })?);
                if j == 0 {
                    [odd] = k.mul([odd], [z]);
                }
                let difference = minus(k, s, even, odd);
                k.store(levels.get_mut(at + size + split_place(j, half))?, difference);
            }
            (at, size) = (at + size, half);
        }

        let base = levels.get(at..at + odd)?;
        for (c, x) in c.iter_mut().zip(base) {
            let x = k.load(x);
            k.store(c, x);
        }
        for i in 1..odd {
            k.row(1, 1)?;
            z = k.twiddle_lanes(0);
            let w = k.twiddle(0);
            if i > 1 {
                let product = spare.get_mut(..odd)?;
                multiply(k, s, z, product, base, c.get(..odd)?)?;
                for (c, x) in c.iter_mut().zip(product) {
                    let x = k.load(x);
                    k.store(c, x);
                }
            }
            let first = c.first_mut()?;
            let x = k.load(first);
            let [x] = k.mul([x], [w]);
            k.store(first, x);
        }
        if odd > 1 {
            multiply(k, s, z, spare.get_mut(..1)?, base, c.get(..odd)?)?;
        }
        let value = k.load(if odd > 1 { spare.first()? } else { base.first()? });
        k.store(norm, value);

        let minus_one = if odd > 1 { k.scaling()[1] } else { minus_one };
        while size < degree {
            let half = size;
            (at, size) = (at - 2 * size, 2 * size);
            let (even, odd_part) = (levels.get(at..at + half)?, levels.get(at + half..at + size)?);
            let (low, high) = spare.get_mut(..size)?.split_at_mut_checked(half)?;
            if half == 1 {
                // The cofactor of a residue is one.
                for (out, x) in low.iter_mut().zip(even).chain(high.iter_mut().zip(odd_part)) {
                    let x = k.load(x);
                    k.store(out, x);
                }
            } else {
                multiply(k, s, z, low, even, c.get(..half)?)?;
                multiply(k, s, z, high, odd_part, c.get(..half)?)?;
            }
            for (pair, (low, high)) in c.chunks_exact_mut(2).zip(low.iter().zip(high)) {
                let [x, y] = pair else { return None };
                let (even, odd) = (k.load(low), k.load(high));
                let [negative] = k.mul([odd], [minus_one]);
                k.store(x, even);
                k.store(y, negative);
            }
        }
    }
    Some(())
}

/// The position of coefficient `i` of a polynomial with `size` coefficients: even ones first,
/// unless `size` is odd.
#[inline(always)]
const fn split_place(i: usize, size: usize) -> usize {
    if size.is_multiple_of(2) { i % 2 * (size / 2) + i / 2 } else { i }
}

/// The first coefficients of `a·b mod (X^d - z)`, where `d` is the length of `a` and `b`: as many
/// as `c` has room for.
#[inline(always)]
fn multiply<K: Kernel>(
    k: &mut K,
    s: SlotStep,
    z: K::Tw,
    c: &mut [K::Block],
    a: &[K::Block],
    b: &[K::Block],
) -> Option<()> {
    for (j, c) in c.iter_mut().enumerate() {
        let ((a_low, a_high), (b_low, b_high)) = (a.split_at_checked(j + 1)?, b.split_at_checked(j + 1)?);
        let low = k.sum_of_products(s, a_low.iter().zip(b_low.iter().rev()))?;
        let total = match k.sum_of_products(s, a_high.iter().zip(b_high.iter().rev())) {
            Some(high) => {
                let [wrapped] = k.mul([high], [z]);
                plus(k, s, low, wrapped)
            }
            None => low,
        };
        k.store(c, total);
    }
    Some(())
}
