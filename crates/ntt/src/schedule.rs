//! Schedules: which butterflies reduce which operand. Laziness is data, and lives here alone.

/// What the butterflies of one layer reduce beyond their products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Step {
    /// Nothing.
    #[default]
    Plain = 0,
    /// Forward: the add-side operand `a`. Inverse, in a pass of two layers between vectors: the sums of the first of two
    /// butterflies; in the second layer those are sums of sums, which have grown most.
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

/// What is reduced before the layers of an inverse transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Before {
    /// Nothing.
    #[default]
    None,
    /// Transformed values, which may be larger than products.
    Slots,
    /// Whatever it is given.
    All,
}
