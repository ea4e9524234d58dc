//! Transforms as data: their passes over memory, and what each layer reduces.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// One trip of the data through registers. Layers are numbered in forward order; the inverse runs
/// the list backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pass {
    /// Layers between vectors.
    Outer {
        /// The first of its layers.
        first: usize,
        /// One or two layers.
        levels: u32,
        /// Distance of its registers in memory, in vectors.
        stride: usize,
    },
    /// A layer between vectors that splits residues in three.
    Thirds {
        /// The layer, never the first of a transform.
        first: usize,
        /// Distance of its registers in memory, in vectors.
        stride: usize,
    },
    /// Layers inside vectors.
    Inner {
        /// The first of its layers, never the first of a transform.
        first: usize,
        /// The lane bit of its first layer, from the top: an even number.
        from: u32,
        /// One or two layers.
        levels: u32,
        /// Whether the lowest lane bit is exchanged as well.
        split: bool,
        /// Vectors of a residue, 1 or 3.
        parts: usize,
    },
    /// The first layer of a trinomial.
    Trinomial {
        /// Distance of its two operands in memory, in vectors.
        stride: usize,
    },
    /// Products with powers that differ from lane to lane: a residue modulo `X^d - z` of a block becomes one modulo
    /// `X^d - z'` of the first block, or the other way round. So what follows inside vectors reads the
    /// same twiddles for all blocks.
    Twist {
        /// The layer that follows it.
        first: usize,
        /// Vectors of a block.
        vectors: usize,
    },
    /// Exchange of the lowest `bits` lane bits with index bits of the vectors.
    Split {
        /// Two bits or more.
        bits: u32,
    },
}

/// Layers of a pass at most.
pub const MAX_LEVELS: usize = 2;

/// Rows that a pass between vectors combines at most.
#[cfg(feature = "threads")]
pub const MAX_ROWS: usize = 1 << MAX_LEVELS;

/// Vectors that an inner pass takes at a time: two pairs, whose chains of products overlap.
pub const INNER_VECTORS: usize = 4;

impl Pass {
    /// Its layers, in forward order.
    pub const fn layers(&self) -> core::ops::Range<usize> {
        match *self {
            Self::Outer { first, levels, .. } | Self::Inner { first, levels, .. } => first..first + levels as usize,
            Self::Thirds { first, .. } => first..first + 1,
            Self::Trinomial { .. } => 0..1,
            Self::Twist { .. } | Self::Split { .. } => 0..0,
        }
    }

    /// The vectors that go through it together.
    pub const fn group(&self) -> usize {
        match *self {
            Self::Outer { levels, .. } => 1 << levels,
            Self::Thirds { .. } => 3,
            Self::Inner { parts: 1, .. } | Self::Twist { .. } => INNER_VECTORS,
            Self::Inner { parts, .. } => 2 * parts,
            Self::Trinomial { .. } => 2,
            Self::Split { bits } => 1 << bits,
        }
    }

    /// The distance of its registers in memory, if it is a pass between vectors: its columns.
    pub const fn stride(&self) -> Option<usize> {
        match *self {
            Self::Outer { stride, .. } | Self::Thirds { stride, .. } | Self::Trinomial { stride } => Some(stride),
            Self::Inner { .. } | Self::Twist { .. } | Self::Split { .. } => None,
        }
    }

    /// Parts into which one of its layers splits a residue.
    pub const fn radix(&self) -> usize {
        match self {
            Self::Thirds { .. } => 3,
            _ => 2,
        }
    }

    /// The same pass over the vectors of a single group.
    pub(crate) const fn of_one_group(self) -> Self {
        match self {
            Self::Twist { first, .. } => Self::Twist { first, vectors: INNER_VECTORS },
            pass => pass.with_stride(1),
        }
    }

    /// The same pass with its rows at another distance, if it is one between vectors.
    pub(crate) const fn with_stride(self, stride: usize) -> Self {
        match self {
            Self::Outer { first, levels, .. } => Self::Outer { first, levels, stride },
            Self::Thirds { first, .. } => Self::Thirds { first, stride },
            Self::Trinomial { .. } => Self::Trinomial { stride },
            pass => pass,
        }
    }

    /// The steps of its layers, out of those of all layers.
    pub const fn steps(&self, all: &[Step]) -> [Step; MAX_LEVELS] {
        let layers = self.layers();
        let mut own = [Step::Plain; MAX_LEVELS];
        let mut i = 0;
        while i < MAX_LEVELS && layers.start + i < layers.end && layers.start + i < all.len() {
            own[i] = all[layers.start + i];
            i += 1;
        }
        own
    }
}

/// Of each layer of these passes, the degree of the residues that it splits a polynomial of degree
/// `n` into.
#[cfg(feature = "alloc")]
pub fn degrees(n: usize, passes: &[Pass]) -> Vec<usize> {
    let radices = passes.iter().flat_map(|pass| pass.layers().map(|_| pass.radix()));
    radices
        .scan(n, |degree, radix| {
            *degree /= radix;
            Some(*degree)
        })
        .collect()
}

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From coefficients to slots.
    Forward,
    /// From slots to coefficients.
    Inverse,
}

/// What the butterflies of one layer reduce beyond their products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum Step {
    /// Nothing.
    #[default]
    Plain = 0,
    /// Forward: the add-side operand `a`, which has no twiddle. Inverse, in a pass of two layers between vectors: the
    /// sums of the first of two butterflies; in the second layer those are sums of sums, which have
    /// grown most.
    AddSide = 1,
    /// Inverse: all sums. In thirds, both ways: sums of two, to which a third one is added, and what
    /// [`AddSide`](Self::AddSide) reduces.
    Sums = 2,
    /// All sums (or `a`), and the multiplicand before its product.
    Both = 3,
}

impl Step {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::AddSide => "reduce the grown operands",
            Self::Sums => "reduce sums",
            Self::Both => "reduce sums and multiplicands",
        }
    }
}

/// What pointwise products reduce before they multiply, and while or after they add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SlotStep {
    /// Reduce both operands first.
    pub operands: bool,
    /// Reduce each running sum of products.
    pub sums: bool,
    /// Reduce no product, but the sum of all products of a coefficient, which is made with twice the bits of a word.
    pub wide: bool,
}

/// What is reduced before the layers of an inverse transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PreReduction {
    /// Nothing.
    #[default]
    None,
    /// Transformed values, which may be larger than products.
    Slots,
    /// Whatever it is given.
    All,
}

/// Passes and steps that are known when the library is compiled, of a transform without blocks.
pub trait Fixed {
    /// Which way it goes.
    const DIRECTION: Direction;
    /// The passes, in forward order.
    const PASSES: &'static [Pass];
    /// One step per layer.
    const STEPS: &'static [Step];
}
