//! The depth of the multiplier's pipeline, the paper's `d_m`, and the cycles that follow from it.
//!
//! | with `d` stages | cycles |
//! |---|---|
//! | from a slot for the twiddle table to a slot that can use its product | `d + 1` |
//! | an interruption of the butterflies for new twiddles, with a table of `l = 4` | `max(d + 1, l)` |
//! | from the last slot of a loop of `PAPER` to the first slot of the next loop | `d + 5` |
//! | from a slot to its write | `PAPER` `d + 6`, `FAST` `d + 7` |
//!
//! [`cycles`] adds these up for whole instructions. [`strategy`] is section 5's "optimal pipeline strategy for speed":
//! the depth of the least product of cycles and clock period. The paper finds, from cycles of `n/2 + (m/2l - 1)(d + 1)`
//! for loop `m` and a period of `D_comb/(d_m + d_a)`, that the part of the time that grows with the depth is constant,
//! so that the least period gives the least time. The period itself is none of the model's: it belongs to a device.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014), section 5. It
//! prints no depth; its fixed costs are those of six stages.

use crate::isa::{Opcode, Variant};
use core::{fmt, str::FromStr};

/// Registers of the twiddle table of `PAPER`.
pub const TABLE: usize = 4;

/// The age at which `PAPER` writes a sum of ADD, which does not pass the multiplier.
pub(crate) const SUM: usize = 7;

/// The age at which a word is output.
pub(crate) const fn output_age(variant: Variant) -> usize {
    match variant {
        Variant::Paper => 3,
        Variant::Fast => 4,
    }
}

/// Stages of the multiplier: 1 to [`Depth::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(usize);

impl Default for Depth {
    fn default() -> Self {
        Self::SIX
    }
}

/// Why a number of stages is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDepth;

impl fmt::Display for NoDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the multiplier has 1 to {} stages", Depth::MOST)
    }
}

impl core::error::Error for NoDepth {}

impl FromStr for Depth {
    type Err = NoDepth;

    fn from_str(text: &str) -> Result<Self, NoDepth> {
        text.parse().ok().and_then(Self::new).ok_or(NoDepth)
    }
}

impl Depth {
    /// The depth of the project's hardware, and by its fixed costs of the paper's.
    pub const SIX: Self = Self(6);
    /// The largest depth.
    pub const MOST: usize = 12;

    /// A depth, if it is 1 to [`MOST`](Self::MOST).
    pub const fn new(stages: usize) -> Option<Self> {
        if stages >= 1 && stages <= Self::MOST { Some(Self(stages)) } else { None }
    }

    /// All depths, the least first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::MOST).map(Self)
    }

    /// The number of stages, `d`.
    pub const fn stages(self) -> usize {
        self.0
    }

    /// Slots from a product for the twiddle table to its first use: the stages and the register behind them.
    pub const fn reuse(self) -> usize {
        self.0 + 1
    }

    /// Cycles of an interruption: the table's registers are multiplied one by one.
    pub const fn interruption(self) -> usize {
        if self.reuse() > TABLE { self.reuse() } else { TABLE }
    }

    /// Cycles from the last slot of a loop of `PAPER` to the first slot of the next loop.
    pub const fn drain(self) -> usize {
        self.0 + 5
    }

    /// The age at which the word of a butterfly or product is written.
    pub const fn write_age(self, variant: Variant) -> usize {
        match variant {
            Variant::Paper => self.0 + 6,
            Variant::Fast => self.0 + 7,
        }
    }

    /// The age at which a sum is in R4 and a difference in R1.
    pub const fn result_age(self, variant: Variant) -> usize {
        match variant {
            Variant::Paper => self.write_age(variant) - 2, // with a register before the port of the memory
            Variant::Fast => self.write_age(variant) - 1,
        }
    }

    /// The age at which a product is in the twiddle table.
    pub const fn table_age(self) -> usize {
        self.0 + 4
    }

    /// The least degree of a machine: layers of `FAST` follow one another without a gap, and must not read a word
    /// before it is written, which takes `n/4 >= d + 6`. That of `PAPER` is the one of Table 2.
    pub const fn least_degree(self, variant: Variant) -> usize {
        match variant {
            Variant::Paper => 16,
            Variant::Fast => (4 * (self.0 + 6)).next_power_of_two(),
        }
    }
}

/// How often loop `m` of Algorithm 2 is interrupted for new twiddles: for all groups of `l` factors but the first.
pub const fn interruptions(m: usize) -> usize {
    m.div_ceil(2 * TABLE) - 1
}

/// Section 5's count for loop `m`, without what precedes and follows its slots: `n/2 + (m/2l - 1)·(d_m + 1)`. For small
/// `m` the paper's second term is negative; it is 0 here.
pub const fn printed_loop(n: usize, m: usize, depth: Depth) -> usize {
    n / 2 + interruptions(m) * depth.reuse()
}

/// Cycles of an instruction on `polynomials` polynomials of degree `n`; `None` where samples decide, or where the
/// machine has no such instruction. `FAST` may wait for its sampler in addition.
pub const fn cycles(depth: Depth, variant: Variant, opcode: Opcode, n: usize, polynomials: usize) -> Option<usize> {
    if !opcode.is_of(variant) {
        return None;
    }
    let log_n = n.trailing_zeros() as usize;
    let slots = polynomials * (n / 2) * log_n;
    let after = depth.write_age(variant);
    Some(match (opcode, variant) {
        (Opcode::Load, _) => n / 2 + 2,
        (Opcode::EncodeLoad, _) => n + 2,
        (Opcode::GaussianLoad | Opcode::GaussianEncodeLoad, _) => return None,
        (Opcode::Fntt | Opcode::Intt, Variant::Fast) => 1 + slots + after,
        (Opcode::Fntt, Variant::Paper) => fixed_forward(n, depth) + slots,
        (Opcode::Intt, Variant::Paper) => fixed_backward(n, depth) + slots + polynomials * n,
        (Opcode::Add, _) => 1 + n + SUM,
        (Opcode::Cmult | Opcode::MultiplyAdd, _) => 1 + n + after,
        (Opcode::Rearrange, _) => n / 2 + exchanges(n) + 2,
        (Opcode::Read, _) => 1 + n / 2 + output_age(variant),
    })
}

/// Pairs of words whose addresses are the bit reversals of one another: all `n/2` but the palindromes.
const fn exchanges(n: usize) -> usize {
    let bits = n.trailing_zeros() - 1;
    (n / 2 - (1 << bits.div_ceil(2))) / 2
}

/// All interruptions of the loops `2, 4 .. n`: `n/4 + 1 - log2 n`.
const fn all_interruptions(n: usize) -> usize {
    n / 4 + 1 - n.trailing_zeros() as usize
}

/// The paper's `fc_fwd`, which any number of polynomials share: for each loop the table is filled and multiplied by the
/// root of ω, and its pipeline runs empty; and the interruptions. 665 and 1139 with six stages (printed: 667, 1139).
pub const fn fixed_forward(n: usize, depth: Depth) -> usize {
    let fill = TABLE + depth.reuse();
    let of_loop = 2 * fill + depth.drain();
    2 + n.trailing_zeros() as usize * of_loop + all_interruptions(n) * depth.interruption()
}

/// The paper's `fc_inv`: as forward, but for the root of ω; and the factors `ψ^-i/n`, four at a time. 1048 and 1959
/// with six stages.
pub const fn fixed_backward(n: usize, depth: Depth) -> usize {
    let of_loop = TABLE + depth.reuse() + depth.drain();
    let interruptions = all_interruptions(n) + n / TABLE;
    3 + (n.trailing_zeros() as usize + 1) * of_loop + interruptions * depth.interruption()
}

/// The clock period of section 5, in units of the delay of the path without stages: `1/(d_m + d_a)`, with one stage of
/// the adder. It is an approximation of balanced stages whose registers take no time.
pub fn balanced(depth: Depth) -> f64 {
    1.0 / (depth.stages() + 1) as f64
}

/// The least depth of the least product of cycles and period. With [`balanced`] it is the largest depth, since time
/// there falls with every stage; with a period that cannot fall below some stage's, it is the first depth that reaches
/// it, unless fewer cycles are worth a slower clock.
pub fn strategy(cycles: impl Fn(Depth) -> f64, period: impl Fn(Depth) -> f64) -> Depth {
    let time = |depth: &Depth| cycles(*depth) * period(*depth);
    // Of equal times, min_by takes the first.
    Depth::all().min_by(|a, b| time(a).total_cmp(&time(b))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_1_to_12() {
        assert_eq!(Depth::default().stages(), 6);
        assert_eq!(Depth::all().map(Depth::stages).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
        assert!([0, 13].into_iter().all(|stages| Depth::new(stages).is_none()));
        assert!(["0", "13", "", "-1", "6.0"].iter().all(|text| text.parse::<Depth>() == Err(NoDepth)));
        assert_eq!("12".parse().ok(), Depth::new(12));
        assert_eq!(NoDepth.to_string(), "the multiplier has 1 to 12 stages");
    }

    /// Section 5 prints `(m/2l - 1)·(d_m + 1)` interruption cycles with a table of l, and `(m/2 - 1)·(d_m + 1)`
    /// without.
    #[test]
    fn interruptions_are_the_paper_s() {
        for log_m in 3..=10 {
            let m = 1 << log_m;
            assert_eq!(interruptions(m), m / 8 - 1);
            for depth in Depth::all() {
                assert_eq!(printed_loop(1024, m, depth), 512 + (m / 8 - 1) * (depth.stages() + 1));
            }
        }
        assert_eq!([2, 4, 8, 16].map(interruptions), [0, 0, 0, 1]);
        for log_n in 4..=10 {
            assert_eq!(all_interruptions(1 << log_n), (1..=log_n).map(|i| interruptions(1 << i)).sum());
        }
    }

    /// The paper's conclusion: `C_m` is constant, so the least period is the least time.
    #[test]
    fn the_strategy_is_the_least_period() {
        for n in [256, 512, 1024_usize] {
            let printed =
                |depth| (1..=n.trailing_zeros()).map(|i| printed_loop(n, 1 << i, depth)).sum::<usize>() as f64;
            let times: Vec<f64> = Depth::all().map(|depth| printed(depth) * balanced(depth)).collect();
            assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
            assert_eq!(strategy(printed, balanced).stages(), Depth::MOST);
            // D_s·n/2 + C_m, exactly: with one stage of the adder, C_m is D_comb times the interruptions.
            let constant = all_interruptions(n) as f64;
            let falling = (n / 2) as f64 * f64::from(n.trailing_zeros());
            for (depth, time) in Depth::all().zip(times) {
                assert!((time - constant - falling * balanced(depth)).abs() < 1e-9);
            }
            // No stage is faster than a seventh of the path: six stages and the adder's are enough.
            let bounded = |depth| balanced(depth).max(1.0 / 7.0);
            assert_eq!(strategy(printed, bounded).stages(), 6);
            assert_eq!(strategy(printed, |_| 1.0).stages(), 1, "without a gain, no stage");
        }
    }
}
