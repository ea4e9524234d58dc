//! Jump vectors (section 3.3): from one position of a kind to the next of the same kind.
//!
//! A sub-NTT of length n has the positions 0 ≤ p < n/2. p takes a Montgomery product when HW(p) ≡ 0
//! (mod t), otherwise a standard one, the s-th in a row where s ≡ −HW(p) (mod t): s is its
//! **class**. Since that does not depend on n, the shorter sub-NTTs of later stages use the
//! beginning of the same vectors.

use super::Counts;

/// The jump vectors and trip counts of S^{t−1}M-LazyNTT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jumps {
    /// J_M: from each Montgomery position, 0 being the first; the last jump goes to n/2.
    pub montgomery: Vec<usize>,
    /// J_S, and Algorithm 3's J: from each standard position, 1 being the first; the last jump goes
    /// to n/2.
    pub standard: Vec<usize>,
    /// The class of each standard position, in 1..t.
    pub classes: Vec<usize>,
    /// M and S: the number of positions of each kind in a sub-NTT, stage by stage.
    pub trips: Vec<Counts>,
}

impl Jumps {
    /// The vectors for n a power of two above 1, and t ≥ 1.
    pub fn new(n: usize, t: usize) -> Self {
        let class = |p: usize| (t - p.count_ones() as usize % t) % t;
        let is_standard = |p: &usize| class(*p) > 0;
        let is_montgomery = |p: &usize| class(*p) == 0;
        let count = |half: usize| {
            let standard = (0..half).filter(is_standard).count();
            Counts { montgomery: half - standard, standard }
        };
        Self {
            montgomery: differences((0..n / 2).filter(is_montgomery).chain([n / 2])),
            standard: differences((0..n / 2).filter(is_standard).chain([n / 2])),
            classes: (0..n / 2).map(class).filter(|&class| class > 0).collect(),
            trips: (0..n.trailing_zeros()).map(|stage| count(n >> (stage + 1))).collect(),
        }
    }
}

fn differences(positions: impl Iterator<Item = usize>) -> Vec<usize> {
    positions.collect::<Vec<_>>().windows(2).map(|pair| pair[1] - pair[0]).collect()
}
