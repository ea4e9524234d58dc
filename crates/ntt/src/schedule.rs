//! Schedules: which butterflies reduce which operand. Laziness is data, and lives here alone.

/// What the butterflies of one layer reduce beyond their products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Step {
    /// Nothing.
    #[default]
    Plain = 0,
    /// Forward: the add-side operand `a`. Inverse: the sums of the pair that were sums in the layer before, which have
    /// grown most; in a pass of one layer, and inside vectors, all sums.
    Grown = 1,
    /// Inverse only: all sums.
    Sums = 2,
    /// All sums (or `a`), and the multiplicand before its product.
    Both = 3,
}

impl Step {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Grown => "reduce the grown operands",
            Self::Sums => "reduce sums",
            Self::Both => "reduce sums and multiplicands",
        }
    }
}

/// What slot products reduce before they multiply and while they add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SlotStep {
    /// Reduce both operands first.
    pub operands: bool,
    /// Reduce each running sum of products.
    pub sums: bool,
}
