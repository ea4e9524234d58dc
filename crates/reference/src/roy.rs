//! Algorithms 1 and 2 of the ring-LWE cryptoprocessor, to be read beside the paper.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014):
//! sections 2.3 (Algorithm 1), 3.1 (order of the loops), 3.2 (start of ω), 3.3 (Algorithm 2), 5
//! (twiddle table), appendix A (Table 2). Numbers at the end of a line are the paper's.
//!
//! Where the paper prints something else, `ERRATA.md` says what and which test shows it.
//! [`Slips`] runs Algorithm 2 with what is printed in place of what is meant. n is a power of two
//! from 4 on.
//!
//! Ranges: residues in [0, q), q prime.

pub mod sampler;

use crate::{field, poly};

/// The pairs of coefficients in memory, one for each address: the indices of the upper and of the
/// lower one.
pub type Memory = [[usize; 2]];

/// What is printed in Algorithm 2 and does not work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slips {
    /// Lines 8 to 15 take the address k for the index of a coefficient.
    pub index_is_address: bool,
    /// Line 17 multiplies by ω_n.
    pub step_is_of_n: bool,
    /// ω_m is still that of the loop before in lines 22 and 28.
    pub root_is_of_half: bool,
}

/// A transform to or from the values at ψ^(2i+1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// ω starts at ω_2m (3.2).
    Forward,
    /// ω starts at 1; ω_m and ψ are inverted, and coefficient i is multiplied by ψ^-i/n at the end.
    Backward,
}

/// Degree, modulus, and a primitive 2n-th root of unity.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// n.
    pub n: usize,
    /// q.
    pub q: u64,
    /// ψ = ω_2n.
    pub psi: u64,
}

impl Ring {
    /// ω_m, and what ω starts at.
    fn roots(self, m: usize, direction: Direction) -> [u64; 2] {
        let power = |e: usize| field::pow(self.psi, e as u64, self.q);
        let (two_n, step) = (2 * self.n, 2 * self.n / m);
        match direction {
            Direction::Forward => [power(step), power(step / 2)],
            Direction::Backward => [power(two_n - step), 1],
        }
    }

    fn bit_reversed(self, a: &[u64]) -> Vec<u64> {
        (0..self.n).map(|i| a[field::bit_reverse(i, self.n.trailing_zeros())]).collect()
    }

    /// Lines 8 to 11 of Algorithm 1.
    fn butterfly(self, a: &mut [u64], [upper, lower]: [usize; 2], omega: u64) {
        let (t, u) = (field::mul(omega, a[upper], self.q), a[lower]);
        (a[upper], a[lower]) = (field::sub(u, t, self.q), field::add(u, t, self.q));
    }

    /// The end of a transform, which neither algorithm has: the backward one multiplies by ψ^-i/n.
    fn scaled(self, mut a: Vec<u64>, direction: Direction) -> Vec<u64> {
        if direction == Direction::Backward {
            let Self { n, q, psi } = self;
            let [psi, n] = [psi, n as u64].map(|x| field::inverse(x, q).expect("a unit"));
            for (i, a) in a.iter_mut().enumerate() {
                *a = field::mul(*a, field::mul(n, field::pow(psi, i as u64, q), q), q);
            }
        }
        a
    }

    /// Algorithm 1, with the start of ω of 3.2. Natural order in, natural order out. `step` sees
    /// (m, j, k) and the coefficients after each butterfly.
    pub fn algorithm_1(self, a: &[u64], direction: Direction, mut step: impl FnMut([usize; 3], &[u64])) -> Vec<u64> {
        let mut a = self.bit_reversed(a); // 2
        for m in powers(2, self.n) {
            // 3
            let [omega_m, mut omega] = self.roots(m, direction); // 4, 5
            for j in 0..m / 2 {
                // 6
                for k in (0..self.n).step_by(m) {
                    // 7
                    self.butterfly(&mut a, [k + j + m / 2, k + j], omega); // 8 to 11
                    step([m, j, k], &a);
                }
                omega = field::mul(omega, omega_m, self.q); // 13
            }
        }
        self.scaled(a, direction)
    }

    /// Algorithm 2. Natural order in, natural order out. `step` sees (m, j, k) and the memory after
    /// each turn of the inner loop, with k an address and 0 where m = n.
    ///
    /// **Panics** if a pair that line 8, 9 or 24 reads is not at the address where it looks.
    pub fn algorithm_2(
        self,
        a: &[u64],
        direction: Direction,
        slips: Slips,
        mut step: impl FnMut([usize; 3], &Memory),
    ) -> Vec<u64> {
        let Self { n, q, .. } = self;
        let mut a = self.bit_reversed(a); // 2
        let mut memory = initial_memory(n);
        for m in powers(2, n / 2) {
            // 3
            let [omega_m, mut omega] = self.roots(m, direction); // 4, 5
            for j in 0..m / 2 {
                // 6
                for k in (0..n / 2).step_by(m) {
                    // 7
                    let c = if slips.index_is_address { k } else { 2 * k } + j;
                    let pairs = [[c + m / 2, c], [c + m + m / 2, c + m]];
                    if !slips.index_is_address {
                        assert_eq!([memory[k + j], memory[k + j + m / 2]], pairs, "{m}, {j}, {k}"); // 8, 9
                    }
                    pairs.into_iter().for_each(|pair| self.butterfly(&mut a, pair, omega)); // 10 to 13
                    memory[k + j] = [c + m, c]; // 14
                    memory[k + j + m / 2] = [c + m + m / 2, c + m / 2]; // 15
                    step([m, j, k], &memory);
                }
                let factor = if slips.step_is_of_n { self.roots(n, direction)[0] } else { omega_m };
                omega = field::mul(omega, factor, q); // 17
            }
        }
        let m = n; // 20
        let [omega_m, mut omega] = self.roots(if slips.root_is_of_half { m / 2 } else { m }, direction); // 22
        for j in 0..m / 2 {
            // 23
            if !slips.index_is_address {
                assert_eq!(memory[j], [j + m / 2, j], "{m}, {j}"); // 24
            }
            self.butterfly(&mut a, [j + m / 2, j], omega); // 25, 26
            memory[j] = [j + m / 2, j]; // 27
            step([m, j, 0], &memory);
            omega = field::mul(omega, omega_m, q); // 28
        }
        self.scaled(a, direction)
    }
}

/// Encryption with transforms by Algorithm 2, in both forms of section 6, for given noise. Slots
/// are canonical.
///
/// The form of the paper's reference 23 sends coefficients: three transforms to encrypt and two to
/// decrypt. That of the paper sends slots: three and one. Four in place of five are its 20 %.
#[derive(Debug)]
pub struct Encryption {
    ring: Ring,
    /// Forward and backward transforms so far.
    pub transforms: [usize; 2],
}

impl Encryption {
    /// Encryption in a ring.
    pub fn new(ring: Ring) -> Self {
        Self { ring, transforms: [0, 0] }
    }

    fn transform(&mut self, a: &[u64], direction: Direction) -> Vec<u64> {
        self.transforms[usize::from(direction == Direction::Backward)] += 1;
        self.ring.algorithm_2(a, direction, Slips::default(), |_, _| ())
    }

    fn add(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        poly::add(a, b, self.ring.q)
    }

    fn multiply(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        a.iter().zip(b).map(|(a, b)| field::mul(*a, *b, self.ring.q)).collect()
    }

    /// (c1, c2) as coefficients, of a public key (ã, p̃), the encoded message and e1, e2, e3.
    pub fn encrypt_to_coefficients(
        &mut self,
        [a, p]: [&[u64]; 2],
        m: &[u64],
        [e1, e2, e3]: [&[u64]; 3],
    ) -> [Vec<u64>; 2] {
        let e1 = self.transform(e1, Direction::Forward);
        let [c1, c2] = [a, p].map(|key| self.transform(&self.multiply(key, &e1), Direction::Backward));
        [self.add(&c1, e2), self.add(&c2, &self.add(e3, m))]
    }

    /// The encoded message and noise of such a ciphertext, with the secret key r̃2.
    pub fn decrypt_coefficients(&mut self, r2: &[u64], [c1, c2]: [&[u64]; 2]) -> Vec<u64> {
        let c1 = self.transform(c1, Direction::Forward);
        let product = self.transform(&self.multiply(&c1, r2), Direction::Backward);
        self.add(&product, c2)
    }

    /// (c̃1, c̃2) as slots, of the same.
    pub fn encrypt_to_slots(&mut self, [a, p]: [&[u64]; 2], m: &[u64], [e1, e2, e3]: [&[u64]; 3]) -> [Vec<u64>; 2] {
        let [e1, e2] = [e1, e2].map(|e| self.transform(e, Direction::Forward));
        let last = self.transform(&self.add(e3, m), Direction::Forward);
        [self.add(&self.multiply(a, &e1), &e2), self.add(&self.multiply(p, &e1), &last)]
    }

    /// The encoded message and noise of such a ciphertext, with the secret key r̃2.
    pub fn decrypt_slots(&mut self, r2: &[u64], [c1, c2]: [&[u64]; 2]) -> Vec<u64> {
        self.transform(&self.add(&self.multiply(c1, r2), c2), Direction::Backward)
    }
}

/// 2^i from `first` to `last`.
fn powers(first: usize, last: usize) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(first), |m| Some(2 * m)).take_while(move |&m| m <= last)
}

/// The memory before a transform: neighbours of the bit-reversed polynomial are a pair.
pub fn initial_memory(n: usize) -> Vec<[usize; 2]> {
    (0..n / 2).map(|i| [2 * i + 1, 2 * i]).collect()
}

/// REARRANGE: exchanges addresses with their bit reversals, which makes the memory behind a
/// transform that before another one; gives the number of exchanges.
pub fn rearrange(memory: &mut Memory) -> usize {
    let bits = memory.len().trailing_zeros();
    let exchanges = (0..memory.len()).map(|i| (i, field::bit_reverse(i, bits))).filter(|(i, j)| i < j);
    exchanges.fold(0, |count, (i, j)| {
        memory.swap(i, j);
        count + 1
    })
}

/// How often ω is multiplied in a transform (3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twiddles {
    /// The loop over k inside that over j, as in both algorithms: once for each j.
    ForEachJ,
    /// The loop over j inside, as in the paper's reference 1: in each butterfly.
    InEachButterfly,
}

impl Twiddles {
    /// Products that compute twiddles.
    pub fn products(self, n: usize) -> usize {
        let loops = powers(2, n);
        loops.map(|m| if self == Self::ForEachJ { m / 2 } else { n / 2 }).sum()
    }
}

/// Cycles in which butterflies wait for twiddles, with `l` of them in registers and `d_m` stages in
/// the multiplier (5).
pub fn interruptions(n: usize, l: usize, d_m: usize) -> usize {
    powers(2, n).map(|m| (m.div_ceil(2 * l) - 1) * (d_m + 1)).sum()
}

/// Columns (m, j, k) of the paper's Table 2, behind the initial one.
pub const TABLE_2_COLUMNS: [[usize; 3]; 7] =
    [[2, 0, 0], [2, 0, 6], [4, 0, 0], [4, 0, 4], [4, 1, 4], [8, 3, 0], [16, 7, 0]];

/// The paper's Table 2: for each address the coefficients in memory, upper and lower, initially and
/// behind each step; nothing where it has left them as they were.
pub const TABLE_2: [[&str; 8]; 8] = [
    ["1 0", "2 0", "2 0", "4 0", "4 0", "4 0", "8 0", "8 0"],
    ["3 2", "3 1", "3 1", "", "", "5 1", "9 1", "9 1"],
    ["5 4", "", "6 4", "6 2", "6 2", "6 2", "10 2", "10 2"],
    ["7 6", "", "7 5", "", "", "7 3", "11 3", "11 3"],
    ["9 8", "", "10 8", "", "12 8", "12 8", "12 4", "12 4"],
    ["11 10", "", "11 9", "", "", "13 9", "13 5", "13 5"],
    ["13 12", "", "14 12", "", "14 10", "14 10", "14 6", "14 6"],
    ["15 14", "", "15 13", "", "", "15 11", "15 7", "15 7"],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ntt, testing::Random};

    const RINGS: [Ring; 3] =
        [Ring { n: 16, q: 7681, psi: 97 }, Ring { n: 256, q: 7681, psi: 62 }, Ring { n: 512, q: 12289, psi: 49 }];

    fn formula(ring: Ring, a: &[u64]) -> Vec<u64> {
        let transform = ntt::Transform::complete(ring.n, ring.q, ntt::Ring::Negacyclic);
        transform.and_then(|transform| transform.with_root(ring.psi)).expect("a primitive root").forward(a)
    }

    #[test]
    fn both_algorithms_are_the_formula() {
        let mut random = Random(5);
        for ring in RINGS {
            let a = random.poly(ring.n, ring.q);
            let expected = formula(ring, &a);
            let algorithm_2 = |a: &[u64], direction| ring.algorithm_2(a, direction, Slips::default(), |_, _| ());
            assert_eq!(ring.algorithm_1(&a, Direction::Forward, |_, _| ()), expected);
            assert_eq!(algorithm_2(&a, Direction::Forward), expected);
            assert_eq!(ring.algorithm_1(&expected, Direction::Backward, |_, _| ()), a);
            assert_eq!(algorithm_2(&expected, Direction::Backward), a);
        }
    }

    /// Table 2, cell by cell.
    #[test]
    fn table_2() {
        let cells = |memory: &Memory| -> Vec<String> { memory.iter().map(|[u, l]| format!("{u} {l}")).collect() };
        let mut columns = vec![cells(&initial_memory(16))];
        let ring = RINGS[0];
        ring.algorithm_2(&[0; 16], Direction::Forward, Slips::default(), |at, memory| {
            if TABLE_2_COLUMNS.contains(&at) {
                columns.push(cells(memory));
            }
        });
        assert_eq!(columns.len(), 8);
        for (address, row) in TABLE_2.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                assert!(cell.is_empty() || columns[column][address] == *cell, "address {address}, column {column}");
            }
        }
    }

    /// What is in memory after each turn is what Algorithm 1 has computed by then.
    #[test]
    fn memory_has_the_pairs_of_the_next_loop() {
        for ring in RINGS {
            let mut last = Vec::new();
            ring.algorithm_2(&vec![0; ring.n], Direction::Forward, Slips::default(), |[m, j, _], memory| {
                if j == m / 2 - 1 && m < ring.n {
                    assert!(memory.iter().filter(|[upper, lower]| upper - lower == m).count() > 0);
                }
                last = memory.to_vec();
            });
            assert!((0..ring.n / 2).all(|j| last[j] == [j + ring.n / 2, j]));
            let exchanges = rearrange(&mut last);
            assert_eq!(
                exchanges,
                match ring.n {
                    16 => 2,
                    256 => 56,
                    _ => 120,
                }
            );
            let bits = ring.n.trailing_zeros();
            let reversed = |i| field::bit_reverse(i, bits);
            assert!((0..ring.n / 2).all(|i| last[i] == [reversed(2 * i + 1), reversed(2 * i)]));
        }
    }

    #[test]
    fn slips_are_wrong() {
        let mut random = Random(6);
        for ring in RINGS {
            let a = random.poly(ring.n, ring.q);
            let expected = formula(ring, &a);
            let step_is_of_n = Slips { step_is_of_n: true, ..Slips::default() };
            let root_is_of_half = Slips { root_is_of_half: true, ..Slips::default() };
            for slips in [step_is_of_n, root_is_of_half] {
                assert_ne!(ring.algorithm_2(&a, Direction::Forward, slips, |_, _| ()), expected, "{slips:?}");
            }
            assert_ne!(ring.algorithm_2(&expected, Direction::Backward, step_is_of_n, |_, _| ()), a);
        }
        // With an address for an index, the first loop for n = 16 reaches the coefficients 0 to 9
        // alone.
        let ring = RINGS[0];
        let slips = Slips { index_is_address: true, ..Slips::default() };
        let mut reached = Vec::new();
        ring.algorithm_2(&[0; 16], Direction::Forward, slips, |[m, j, k], memory| {
            if m == 2 {
                reached.extend([memory[k + j], memory[k + j + 1]].concat());
            }
        });
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached, (0..10).collect::<Vec<_>>());
    }

    /// Both forms encrypt and decrypt the same, with five transforms and with four.
    #[test]
    fn four_transforms_do_what_five_do() {
        let mut random = Random(7);
        for ring in RINGS {
            let Ring { n, q, .. } = ring;
            let [a, p, r2] = [(); 3].map(|()| random.poly(n, q));
            let [e1, e2, e3] = [(); 3].map(|()| random.small(n, 8, q));
            let m: Vec<u64> = (0..n).map(|_| random.below(2) * (q / 2)).collect();
            let (key, noise) = ([&a[..], &p[..]], [&e1[..], &e2[..], &e3[..]]);

            let (mut base, mut improved) = (Encryption::new(ring), Encryption::new(ring));
            let coefficients = base.encrypt_to_coefficients(key, &m, noise);
            let slots = improved.encrypt_to_slots(key, &m, noise);
            assert_eq!((base.transforms, improved.transforms), ([1, 2], [3, 0]));
            assert_eq!(coefficients.each_ref().map(|c| formula(ring, c)), slots);

            let expected = base.decrypt_coefficients(&r2, coefficients.each_ref().map(|c| &c[..]));
            assert_eq!(improved.decrypt_slots(&r2, slots.each_ref().map(|c| &c[..])), expected);
            assert_eq!((base.transforms, improved.transforms), ([2, 3], [3, 1]));
        }
    }

    #[test]
    fn twiddles_are_computed_seldom() {
        for (n, log_n) in [(256, 8), (512, 9)] {
            assert_eq!(Twiddles::ForEachJ.products(n), n - 1);
            assert_eq!(Twiddles::InEachButterfly.products(n), n / 2 * log_n);
            // One register waits in each j but the first.
            assert_eq!(interruptions(n, 1, 6), 7 * (n - 1 - log_n));
            assert_eq!(interruptions(n, 4, 6), 7 * (n / 4 + 1 - log_n));
        }
    }
}
