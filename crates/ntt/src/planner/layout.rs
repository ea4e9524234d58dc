//! The shapes of transforms: which passes, on which vectors, within which limits.

use crate::{
    network::{Blocks, INNER_VECTORS, Pass},
    ring::Ring,
};
use alloc::vec::Vec;

/// The largest degree of a request. A plan of that degree takes gigabytes: whoever takes requests from strangers has a
/// limit of their own.
pub const MAX_DEGREE: usize = 1 << 30;

/// The largest degree of a slot, whose product takes as many operations as its square.
pub const MAX_SLOT_DEGREE: usize = 1 << 12;

/// The largest degree of a slot that [`Request::depths`](crate::Request::depths) tries below the
/// deepest transform.
pub const MAX_TRIED_SLOT_DEGREE: usize = 32;

/// How far a ring is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) ring: Ring,
    pub(super) n: usize,
    /// Layers that split residues in two.
    pub(super) depth: u32,
    /// Layers that split them in three.
    pub(super) thirds: u32,
}

impl Layers {
    /// All layers.
    pub(super) const fn all(&self) -> usize {
        (self.depth + self.thirds) as usize
    }

    /// The order of the root that they need.
    pub(super) const fn order(&self) -> u64 {
        self.ring.order(self.depth) * 3_u64.pow(self.thirds)
    }

    /// Degree of a slot.
    pub(super) const fn slot_degree(&self) -> usize {
        (self.n >> self.depth) / 3_usize.pow(self.thirds)
    }

    /// The odd factor of the degree of a slot.
    const fn parts(&self) -> usize {
        odd_part(self.n) / 3_usize.pow(self.thirds)
    }
}

/// The passes of a transform over vectors of `lanes`: between vectors two layers each, an odd one, a
/// trinomial's first one and those in thirds alone; inside vectors all. The odd one comes first; with `block`,
/// at the first pass whose words lie in one block of at most `block` words.
pub(super) fn passes(layers: Layers, lanes: usize, block: Option<usize>) -> Vec<Pass> {
    let mut passes = Vec::new();
    let Layers { ring, n, depth, thirds } = layers;
    let split = if lanes == 1 { 0 } else { ((n / odd_part(n)) >> depth).ilog2() };
    let inner = lanes.ilog2() - split.min(lanes.ilog2());
    let outer = depth - inner;
    let stride = |end: u32| (n / lanes) >> end;
    let mut first = 0;
    if ring == Ring::Trinomial {
        passes.push(Pass::Trinomial { stride: stride(1) });
        first = 1;
    }
    while first < outer {
        let beyond = block.is_some_and(|words| stride(first) * lanes > words) && first + 2 <= outer;
        let levels = if (outer - first) % 2 == 1 && !beyond { 1 } else { 2 };
        passes.push(Pass::Outer { first: first as usize, levels, stride: stride(first + levels) });
        first += levels;
    }
    for third in 0..thirds {
        passes.push(Pass::Thirds { first: (outer + third) as usize, stride: stride(outer) / 3_usize.pow(third + 1) });
    }
    for from in (0..inner).step_by(2) {
        let levels = (inner - from).min(2);
        let split = split == 1 && from + levels == inner;
        let first = (outer + thirds + from) as usize;
        passes.push(Pass::Inner { first, from, levels, split, parts: layers.parts() });
    }
    if split > 1 {
        passes.push(Pass::Split { bits: split });
    }
    passes
}

/// These passes in blocks: from the first pass whose words fit a block on, one block is processed completely before
/// the next, and within it smaller blocks in the same way. If transforms are complete, the smallest blocks
/// share the tables of passes inside vectors, after a twist.
pub(super) fn in_blocks(
    mut passes: Vec<Pass>,
    layers: Layers,
    lanes: usize,
    words: Option<[usize; 2]>,
) -> (Vec<Pass>, Vec<Blocks>) {
    let mut blocks: Vec<Blocks> = Vec::new();
    let inside = passes.iter().position(|pass| pass.stride().is_none()).unwrap_or(passes.len());
    // What later passes take at once must lie in one block.
    let whole = passes[inside..].iter().map(Pass::group).max().unwrap_or(1);
    for words in words.into_iter().flatten() {
        let fits = |stride: usize| stride * lanes <= words && stride.is_multiple_of(whole);
        let Some(before) = passes.iter().position(|pass| pass.stride().is_some_and(fits)) else { continue };
        let block = Blocks { pass: before + 1, vectors: passes[before].stride().unwrap_or_default() };
        if block.pass < passes.len() && blocks.last().is_none_or(|larger| block.vectors < larger.vectors) {
            blocks.push(block);
        }
    }
    let twists =
        inside < passes.len() && layers.ring != Ring::Trinomial && layers.thirds == 0 && layers.slot_degree() == 1;
    if let Some(Blocks { vectors, .. }) = blocks.last()
        && twists
    {
        let first = passes[inside].layers().start;
        passes.insert(inside, Pass::Twist { first, vectors: *vectors });
    }
    (passes, blocks)
}

/// The largest degree of slots on vectors, if it is a power of two.
pub(crate) const MAX_SPLIT: usize = 8;

/// A third of that for three times a power of two.
pub(crate) const MAX_SPLIT_IN_THREE: usize = 2;

/// Whether a transform fills vectors: what is inside a vector splits completely, or its slots'
/// coefficients move out.
pub(super) fn fits(layers: Layers, lanes: usize) -> bool {
    let parts = layers.parts();
    let (vectors, split) = (layers.n / lanes, layers.slot_degree() / parts);
    lanes > 1
        && layers.n.is_multiple_of(lanes)
        && (2 * split <= lanes || split == lanes && split > 2) // one bit moves out with a layer
        && match parts {
            1 => vectors.is_multiple_of(INNER_VECTORS.max(split)) && split <= MAX_SPLIT,
            3 => vectors.is_multiple_of(2 * parts) && split <= MAX_SPLIT_IN_THREE,
            _ => false,
        }
}

/// The largest odd factor.
pub(crate) const fn odd_part(n: usize) -> usize {
    n >> n.trailing_zeros()
}
