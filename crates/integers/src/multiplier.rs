//! Large products: their rings, and the splitting of operands.

use crate::small;
use ntt::{Backend, Request, Rns, Word};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Rings for one type of word, by the limbs of a product.
type Rings<T> = Mutex<HashMap<usize, Arc<Rns<T>>>>;

/// The largest number of limbs of a product by one transform.
const MOST: usize = ntt::MAX_DEGREE;

/// Layers for which there are enough primes of 30 bits: longer products have slots of a degree above one.
const MOST_LAYERS: u32 = 22;

/// The largest number of limbs of a product in words of 32 bits: slots of degree eight.
const MOST_NARROW: usize = 8 << MOST_LAYERS;

/// Operands are cut so that neither is longer than the other by more than this factor.
const UNEQUAL: usize = 3;

/// Multiplies, and keeps the rings it has made, with their tables, as long as it lives: for each product length `2^k`
/// or `3·2^k` about 17 times the memory of such a product. Threads may share it.
///
/// # Why nothing wraps
///
/// Operands of `l` and `m` limbs are polynomials with coefficients below `2^64` at `X = 2^64`. Their product is
/// computed modulo `X^n - 1` with `n ≥ l + m`, which exceeds its degree, so nothing wraps around in the ring. Each
/// coefficient of the product is a sum of at most `min(l, m) ≤ n/2` products below `2^128`, and so below `2^127·n`. The
/// product `Q` of the primes is at least that, so the residues determine the coefficient.
#[derive(Debug, Default)]
pub struct Multiplier {
    narrow: Rings<u32>,
    wide: Rings<u64>,
}

/// Whether residues are words of 64 bits for products of so many limbs, which need fewer primes. Vectors of four such
/// words are slower than those of eight words of 32 bits.
fn words_are_wide(limbs: usize) -> bool {
    limbs > MOST_NARROW || Backend::best().lanes(u64::BITS) != 4
}

/// `Q` is at least `2^bits(n)`: `2^127·n`, with `n` rounded up to a power of two.
const fn bits(n: usize) -> u32 {
    127 + n.next_power_of_two().ilog2()
}

/// The smallest `2^k` or, below the largest number of layers, `3·2^k` that is at least `length`.
const fn at_least(length: usize) -> usize {
    let power = length.next_power_of_two();
    if length <= power / 4 * 3 && power >> MOST_LAYERS <= 2 { power / 4 * 3 } else { power }
}

impl Multiplier {
    /// A multiplier without rings.
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`mul`](crate::mul).
    pub fn mul(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut product = vec![0; a.len() + b.len()];
        self.mul_into(&mut product, a, b);
        product
    }

    /// As [`mul_into`](crate::mul_into).
    pub fn mul_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert_eq!(out.len(), a.len() + b.len(), "limbs of the product of {} and {} limbs", a.len(), b.len());
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if short.len() <= small::MOST {
            return small::multiply(out, long, short);
        }
        let most = (UNEQUAL * short.len()).min(MOST - short.len().min(MOST / 2));
        if long.len() > most {
            return self.in_pieces(out, long, short, most);
        }
        if words_are_wide(out.len()) {
            multiply(&self.wide, out, Some(long), short);
        } else {
            multiply(&self.narrow, out, Some(long), short);
        }
    }

    /// As [`square`](crate::square).
    pub fn square(&self, a: &[u64]) -> Vec<u64> {
        let mut product = vec![0; 2 * a.len()];
        self.square_into(&mut product, a);
        product
    }

    /// As [`square_into`](crate::square_into).
    pub fn square_into(&self, out: &mut [u64], a: &[u64]) {
        assert_eq!(out.len(), 2 * a.len(), "limbs of the square of {} limbs", a.len());
        if a.len() <= small::MOST {
            return small::square(out, a);
        }
        if out.len() > MOST {
            return self.mul_into(out, a, a);
        }
        if words_are_wide(out.len()) {
            multiply(&self.wide, out, None, a);
        } else {
            multiply(&self.narrow, out, None, a);
        }
    }

    /// The sum of the products of pieces of `long`, of at most `most` limbs each.
    fn in_pieces(&self, out: &mut [u64], long: &[u64], short: &[u64], most: usize) {
        out.fill(0);
        let equal = long.len().div_ceil(long.len().div_ceil(most));
        for (i, piece) in long.chunks(equal).enumerate() {
            let product = self.mul(piece, short);
            // The words above the sum so far are zero, and the sum is a product that fits.
            small::add(&mut out[i * equal..], &product);
        }
    }
}

/// The product of `a` and `b`, or the square of `b`.
fn multiply<T: Word>(rings: &Rings<T>, out: &mut [u64], a: Option<&[u64]>, b: &[u64]) {
    let ring = ring(rings, out.len());
    let mut residues = vec![T::default(); ring.words()];
    match a {
        Some(a) => ring.multiply_limbs(&mut residues, a, b),
        None => ring.square_limbs(&mut residues, b),
    }
    ring.recompose_integer(out, &residues);
}

/// The ring for products of `limbs` limbs, at most [`MOST`].
fn ring<T: Word>(rings: &Rings<T>, limbs: usize) -> Arc<Rns<T>> {
    let n = at_least(limbs);
    let known = || rings.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ring) = known().get(&n) {
        return ring.clone();
    }
    let request = Request::new(n, 0).cyclic().lazy();
    let deep = T::BITS == 32 && n >> MOST_LAYERS > 2;
    let request = if deep { request.depth(MOST_LAYERS) } else { request };
    let made = Arc::new(Rns::of_bits(&request, bits(n)).expect("primes for every length up to the largest degree"));
    // Another thread may have been faster.
    known().entry(n).or_insert(made).clone()
}
