//! Arithmetic modulo q, of which the transforms are independent: residues by comparison, by `%`, and
//! counted.
//!
//! Ranges: operands and results in [0, q).

use crate::field;
use std::cell::Cell;

/// What butterflies need of the integers modulo q.
pub trait Arithmetic {
    /// a + b.
    fn add(&self, a: u64, b: u64) -> u64;
    /// a − b.
    fn sub(&self, a: u64, b: u64) -> u64;
    /// a·b.
    fn mul(&self, a: u64, b: u64) -> u64;
}

/// Any q: sums are corrected, products are divided.
#[derive(Clone, Copy, Debug)]
pub struct Corrected(pub u64);

impl Arithmetic for Corrected {
    fn add(&self, a: u64, b: u64) -> u64 {
        field::add(a, b, self.0)
    }
    fn sub(&self, a: u64, b: u64) -> u64 {
        field::sub(a, b, self.0)
    }
    fn mul(&self, a: u64, b: u64) -> u64 {
        field::mul(a, b, self.0)
    }
}

/// Any q < 2³²: the operator `%` after every operation.
#[derive(Clone, Copy, Debug)]
pub struct Remainders(pub u64);

impl Arithmetic for Remainders {
    #[inline]
    fn add(&self, a: u64, b: u64) -> u64 {
        (a + b) % self.0
    }
    #[inline]
    fn sub(&self, a: u64, b: u64) -> u64 {
        (a + self.0 - b) % self.0
    }
    #[inline]
    fn mul(&self, a: u64, b: u64) -> u64 {
        a * b % self.0
    }
}

/// A q < 2³² that the compiler knows: it makes products of divisions.
#[derive(Clone, Copy, Debug)]
pub struct Constant<const Q: u64>;

impl<const Q: u64> Arithmetic for Constant<Q> {
    #[inline]
    fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum < Q { sum } else { sum - Q }
    }
    #[inline]
    fn sub(&self, a: u64, b: u64) -> u64 {
        let difference = a + Q - b;
        if difference < Q { difference } else { difference - Q }
    }
    #[inline]
    fn mul(&self, a: u64, b: u64) -> u64 {
        a * b % Q
    }
}

/// Any q, with a count of the products.
#[derive(Debug)]
pub struct Counting {
    q: u64,
    products: Cell<usize>,
    by_one: Cell<usize>,
}

impl Counting {
    /// Nothing is counted yet.
    pub fn new(q: u64) -> Self {
        Self { q, products: Cell::new(0), by_one: Cell::new(0) }
    }

    /// All products.
    pub fn products(&self) -> usize {
        self.products.get()
    }

    /// Those whose second factor is 1, which need not be computed.
    pub fn by_one(&self) -> usize {
        self.by_one.get()
    }
}

impl Arithmetic for Counting {
    fn add(&self, a: u64, b: u64) -> u64 {
        field::add(a, b, self.q)
    }
    fn sub(&self, a: u64, b: u64) -> u64 {
        field::sub(a, b, self.q)
    }
    fn mul(&self, a: u64, b: u64) -> u64 {
        self.products.set(self.products.get() + 1);
        self.by_one.set(self.by_one.get() + usize::from(b == 1));
        field::mul(a, b, self.q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stay_in_range_and_agree() {
        const Q: u64 = 17;
        let all: [&dyn Arithmetic; 4] = [&Corrected(Q), &Remainders(Q), &Constant::<Q>, &Counting::new(Q)];
        for (a, b) in (0..Q * Q).map(|pair| (pair / Q, pair % Q)) {
            for arithmetic in all {
                let results = [arithmetic.add(a, b), arithmetic.sub(a, b), arithmetic.mul(a, b)];
                assert_eq!(results, [(a + b) % Q, (a + Q - b) % Q, a * b % Q], "{a} and {b}");
            }
        }
    }
}
