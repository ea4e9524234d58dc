//! The constants of a machine for one parameter set, and its arithmetic.

use crate::set::Set;

/// The constants of a parameter set; those in read-only memories are multiplied by R.
#[derive(Debug)]
pub(crate) struct Constants {
    pub(crate) n: usize,
    pub(crate) q: u16,
    h: i64,
    w: u32,
    pub(crate) twiddles: Vec<u16>,
    /// For forward and for backward transforms.
    pub(crate) roots: [Vec<u16>; 2],
    pub(crate) n_inverse: u16,
}

impl Constants {
    pub(crate) fn new(set: &Set) -> Self {
        let (h, w) = set.split();
        let narrow = |residues: Vec<u64>| residues.into_iter().map(|residue| residue as u16).collect();
        Self {
            n: set.n,
            q: set.q,
            h: h as i64,
            w,
            twiddles: narrow(set.twiddles()),
            roots: [false, true].map(|inverse| narrow(set.roots(inverse))),
            n_inverse: set.n_inverse() as u16,
        }
    }

    /// `a·b·R^-1 mod q` in `[0, q)`, as the multiplier computes it; `a` and `b` in `[0, q)`.
    pub(crate) fn product(&self, a: u16, b: u16) -> u16 {
        let step = |x: i64| (x >> self.w) - self.h * (x & ((1 << self.w) - 1));
        let x = step(step(i64::from(a) * i64::from(b)));
        (if x < 0 { x + i64::from(self.q) } else { x }) as u16
    }

    pub(crate) fn sum(&self, a: u16, b: u16) -> u16 {
        let sum = a + b;
        sum.checked_sub(self.q).unwrap_or(sum)
    }

    pub(crate) fn difference(&self, a: u16, b: u16) -> u16 {
        a.checked_sub(b).unwrap_or_else(|| a + self.q - b)
    }

    pub(crate) fn half(&self, a: u16) -> u16 {
        (a + if a & 1 == 1 { self.q } else { 0 }) >> 1
    }

    /// The decoder: true in `(q/4, 3q/4)`.
    pub(crate) fn decoded(&self, a: u16) -> bool {
        (self.q / 4 + 1..self.q - self.q / 4).contains(&a)
    }
}
