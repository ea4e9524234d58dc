//! Programs: what a transform is, apart from words, methods and backends.
//!
//! A program is a list of passes with their steps, the blocks over which they run, and what happens to words before the
//! first pass and after the last one. [`forward`](super::forward) and [`inverse`](super::inverse) run any of them on any
//! kernel: machines compute, and models prove, derive and count what machines compute.

use super::{
    blocks::Blocks,
    border::Border,
    pass::{Fixed, Pass, Step},
};
use core::marker::PhantomData;

/// A transform as data.
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    /// In forward order; the inverse runs them backwards.
    pub passes: &'p [Pass],
    /// The blocks that later passes run over, or none.
    pub blocks: &'p [Blocks],
    /// One step per layer.
    pub steps: &'p [Step],
    /// What lies before and after the passes.
    pub border: Border,
}

impl<'p> Program<'p> {
    /// These passes alone.
    pub const fn new(passes: &'p [Pass], steps: &'p [Step]) -> Self {
        Self { passes, blocks: &[], steps, border: Border::NOTHING }
    }
}

/// A program, as data or as constants of the code.
pub trait Run: Copy {
    /// Passes and steps that the compiler knows.
    const FIXED: Option<(&'static [Pass], &'static [Step])> = None;
    /// The program.
    fn program(&self) -> Program<'_>;
}

impl Run for Program<'_> {
    #[inline(always)]
    fn program(&self) -> Program<'_> {
        *self
    }
}

/// A program whose passes and steps are those of `F`.
pub struct FixedProgram<F>(Border, PhantomData<F>);

impl<F: Fixed> FixedProgram<F> {
    /// Between that border.
    #[inline(always)]
    pub const fn new(border: Border) -> Self {
        Self(border, PhantomData)
    }
}

impl<F> Clone for FixedProgram<F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for FixedProgram<F> {}

impl<F: Fixed> Run for FixedProgram<F> {
    const FIXED: Option<(&'static [Pass], &'static [Step])> = Some((F::PASSES, F::STEPS));
    #[inline(always)]
    fn program(&self) -> Program<'_> {
        Program { passes: F::PASSES, blocks: &[], steps: F::STEPS, border: self.0 }
    }
}

/// Runs `$body` for the passes of a fixed program `$run` with those numbers, each a constant, and `$ending` for the one
/// with the number `$end`.
macro_rules! each_fixed {
    ($run:ident, [$($i:literal)*], |$pass:ident, $steps:ident| $body:expr, $end:expr => $ending:expr) => {
        $(if const { $i < fixed_passes::<$run>() } {
            let ($pass, $steps) = const { fixed_pass::<$run>($i) };
            if const { $i == $end } {
                $ending;
            } else {
                $body;
            }
        })*
    };
}
pub(super) use each_fixed;

/// How many passes a fixed program has.
pub(super) const fn fixed_passes<R: Run>() -> usize {
    match R::FIXED {
        Some((passes, _)) => {
            assert!(passes.len() <= 8, "more passes than are written out");
            passes.len()
        }
        None => 0,
    }
}

/// A pass of a fixed program, with its steps.
pub(super) const fn fixed_pass<R: Run>(i: usize) -> (Pass, [Step; super::MAX_LEVELS]) {
    match R::FIXED {
        Some((passes, steps)) if i < passes.len() => (passes[i], passes[i].steps(steps)),
        _ => (Pass::Split { bits: 0 }, [Step::Plain; super::MAX_LEVELS]),
    }
}

/// Whether the first pass of a fixed program is one between vectors and the last one inside them: such passes can do
/// what lies at the border while they store.
pub(super) const fn fixed_fuses<R: Run>() -> bool {
    matches!(R::FIXED, Some(([Pass::Outer { .. }, .., Pass::Inner { parts: 1, .. }], _)))
}
