//! Parameter sets, and the constants in a processor's read-only memories.
//!
//! A modular product is `a·b·R^-1 mod q` with `R = 2^(2w) mod q`, for `q = h·2^w + 1`: two steps
//! `x -> x_hi - h·x_lo`, each of which divides by `2^w`. So constants are stored times `R`
//! ([`Set::times_r`]), and of two factors from outside, one is supplied times `R`.

use ntt::arith::{Modulus, bitrev};
use ringwork::sample::KnuthYao;

/// Degree, modulus, root and width of the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Set {
    /// Its name in files and commands.
    pub name: &'static str,
    /// `n`: a power of two from 16 on.
    pub n: usize,
    /// `q`: a prime, 1 modulo `2n`, and `q = h·2^w + 1` with `q < 2^(2w)`.
    pub q: u16,
    /// `ψ`: a primitive `2n`-th root of unity.
    pub root: u64,
    /// `s = σ·√(2π)`.
    pub s: f64,
}

/// The paper's first set.
pub const P1: Set = Set { name: "p1", n: 256, q: 7681, root: 62, s: 11.32 };
/// The paper's second set.
pub const P2: Set = Set { name: "p2", n: 512, q: 12289, root: 49, s: 12.18 };
/// The ring of NewHope and Falcon-1024, with the noise of the second set: too much for that degree,
/// so that about one message in 20 decrypts wrongly. It shows that the machines scale.
pub const P3: Set = Set { name: "p3", n: 1024, q: 12289, root: 7, s: 12.18 };

/// A small ring for inspection; for `PAPER` only.
pub const SMALL: Set = Set { name: "small", n: 16, q: 7681, root: 97, s: 11.32 };

/// The sets with RTL. A new set is one more row if a bank has room for its blocks (`n` = 256, 512
/// or 1024), if shifts reduce modulo `q` (`h + 1` a power of two), and if `q < 2^14`.
pub const SETS: [Set; 3] = [P1, P2, P3];

/// The columns of the probability matrix covered by the sampler's two tables.
pub const TABLED_COLUMNS: usize = 13;

impl Set {
    /// `log2 n`.
    pub const fn log_n(&self) -> usize {
        self.n.trailing_zeros() as usize
    }

    /// Bits of a coefficient.
    pub const fn width(&self) -> usize {
        (u16::BITS - self.q.leading_zeros()) as usize
    }

    /// The modulus.
    ///
    /// **Panics** if `q` is not an odd prime.
    pub fn modulus(&self) -> Modulus {
        Modulus::new(self.q.into()).expect("an odd prime")
    }

    /// `(h, w)` of `q = h·2^w + 1`, `h` odd.
    pub fn split(&self) -> (u64, u32) {
        self.modulus().proth()
    }

    /// `a·R mod q`.
    pub fn times_r(&self, a: u64) -> u64 {
        let (q, (_, w)) = (self.modulus(), self.split());
        q.mul(a, q.pow(2, (2 * w).into()))
    }

    /// `ψ^(±2n/m)·R` for `m = 1, 2, 4 .. 2n`: the roots `ω_m`, or their inverses.
    pub fn roots(&self, inverse: bool) -> Vec<u64> {
        let q = self.modulus();
        let psi = if inverse { q.inv(self.root) } else { self.root };
        let power = |i: usize| q.pow(psi, ((2 * self.n) >> i) as u64);
        (0..self.log_n() + 2).map(|i| self.times_r(power(i))).collect()
    }

    /// `n^-1·R`.
    pub fn n_inverse(&self) -> u64 {
        self.times_r(self.modulus().inv(self.n as u64))
    }

    /// `ψ^brv(i)·R` for `i` in `0..n`, `brv` the bit reversal of `log2 n` bits: the twiddle of block
    /// `b` of layer `l` is number `2^l + b`.
    pub fn twiddles(&self) -> Vec<u64> {
        let (q, bits) = (self.modulus(), self.log_n() as u32);
        (0..self.n).map(|i| self.times_r(q.pow(self.root, bitrev(i, bits) as u64))).collect()
    }

    /// The bank of a block. A bank has 512 words; if it holds two blocks or more, the even ones, or
    /// the first two, share a bank.
    pub const fn bank(&self, block: u8) -> u8 {
        match self.n {
            0..=256 => block & 1,
            512 => block >> 1,
            _ => block,
        }
    }

    /// Why a processor would compute wrongly with this set; `None` if it would not.
    pub(crate) fn misfit(&self) -> Option<String> {
        let (q, (h, w)) = (u64::from(self.q), self.split());
        if q >= 1 << 14 || q >= 1 << (2 * w) || h < 2 {
            return Some(format!("q = {q} = {h}·2^{w} + 1 has more than 14 bits, or more than 2·{w}"));
        }
        let rows = self.sampler().rows() as u64;
        (rows >= q >> 1).then(|| format!("{rows} rows of the sampler are too many for q = {q}"))
    }

    /// The tables of the sampler.
    ///
    /// **Panics** if the sampler does not support the width.
    pub fn sampler(&self) -> KnuthYao {
        KnuthYao::new(self.s / core::f64::consts::TAU.sqrt()).expect("a width of the sampler's")
    }
}

/// A column of the probability matrix, in the form that the sampler's scan needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The digits, row by row.
    pub digits: Vec<bool>,
    /// The number of ones.
    pub weight: usize,
    /// The last row with a one, 0 if there is none.
    pub top: usize,
}

/// The columns after those of the tables.
pub fn columns(sampler: &KnuthYao) -> Vec<Column> {
    let column = |column| {
        let digits: Vec<bool> = (0..sampler.rows()).map(|row| sampler.digit(row, column)).collect();
        let weight = digits.iter().filter(|&&digit| digit).count();
        let top = digits.iter().rposition(|&digit| digit).unwrap_or(0);
        Column { digits, weight, top }
    };
    (TABLED_COLUMNS..KnuthYao::COLUMNS).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ntt::{
        Backend, Method, Request,
        internals::{
            model::Ledger,
            network::{Forward, Pass, Program, Step},
        },
    };

    /// The twiddles that the engine's network requests from the [`Ledger`], layer by layer and one
    /// word at a time.
    fn twiddles_of_the_network(set: &Set) -> Vec<u64> {
        let request = Request::new(set.n, set.q.into()).root(set.root).backend(Backend::Scalar);
        let recipe = request.method(Method::Montgomery).recipe(16).unwrap();
        let layers = set.log_n();
        let pass = |first: usize| Pass::Outer { first, levels: 1, stride: set.n >> (first + 1) };
        let passes: Vec<Pass> = (0..layers).map(pass).collect();
        let mut ledger = Ledger::new(1, [set.n, 2 * set.n], &passes, recipe.contract(), set.root);
        let mut coefficients = ledger.coefficients(set.n, set.n);
        let steps = vec![Step::Plain; layers];
        ledger.run(Forward { program: Program::new(&passes, &steps) }, &mut coefficients).unwrap();
        assert!(ledger.imbalance.is_none(), "steps without reductions leave no factors");
        let twiddles = ledger.rows.iter().flat_map(|row| &row.broadcast);
        core::iter::once(&1).chain(twiddles).map(|&twiddle| set.times_r(twiddle)).collect()
    }

    #[test]
    fn roots_are_primitive_and_twiddles_are_those_of_the_network() {
        for set in SETS {
            let q = set.modulus();
            assert_eq!(q.pow(set.root, set.n as u64), q.get() - 1);
            let (h, w) = set.split();
            assert_eq!(h << w | 1, q.get());
            assert!([256, 512, 1024].contains(&set.n) && (h + 1).is_power_of_two() && set.q < 1 << 14);
            assert!(u32::from(set.q) < 1 << (2 * w) && u64::from(set.q) % (2 * set.n as u64) == 1);
            assert_eq!(set.twiddles(), twiddles_of_the_network(&set), "{}", set.name);
            let (roots, inverses) = (set.roots(false), set.roots(true));
            assert_eq!(roots[0], set.times_r(1));
            for (&root, &inverse) in roots.iter().zip(&inverses) {
                assert_eq!(q.mul(root, inverse), q.pow(set.times_r(1), 2));
            }
            assert_eq!(roots[set.log_n() + 1], set.times_r(set.root));
            assert_eq!(q.mul(set.n_inverse(), set.n as u64), set.times_r(1));
        }
    }

    /// The smallest primitive root, for the set that the paper does not fix.
    #[test]
    fn the_third_root_is_the_smallest() {
        let q = P3.modulus();
        let is_primitive = |root: &u64| q.pow(*root, 1024) == q.get() - 1;
        assert_eq!((1..q.get()).find(is_primitive), Some(P3.root));
    }

    #[test]
    fn columns_are_the_matrix() {
        for set in SETS {
            let sampler = set.sampler();
            let columns = columns(&sampler);
            assert_eq!(columns.len(), KnuthYao::COLUMNS - TABLED_COLUMNS);
            // The RTL needs a one in each column, and row numbers that fit its bits.
            assert!(columns.iter().all(|column| column.weight > 0 && column.digits[column.top]));
            assert!((15..=254).contains(&sampler.rows()) && sampler.rows() + 2 <= 1 << (set.split().1 - 1));
            assert!(columns.iter().all(|column| column.digits[column.top + 1..].iter().all(|&digit| !digit)));
        }
    }
}
