//! The shapes of transforms: which passes, on which vectors, within which limits.

use crate::{
    network::{INNER_VECTORS, Pass},
    ring::Ring,
};
use alloc::vec::Vec;

/// The largest degree of a request, which therefore cannot ask for unbounded memory.
pub const MAX_DEGREE: usize = 1 << 22;

/// The largest degree of a slot, whose product takes as many operations as its square.
pub const MAX_SLOT_DEGREE: usize = 1 << 12;

/// The largest degree of a slot that [`Request::depths`](crate::Request::depths) tries below the
/// deepest transform.
pub const MAX_TRIED_SLOT_DEGREE: usize = 32;

/// The passes of a transform of `depth` layers over vectors of `lanes`: between vectors two layers
/// each, an odd one and a trinomial's first one alone; inside vectors all.
pub(super) fn passes(ring: Ring, n: usize, depth: u32, lanes: usize) -> Vec<Pass> {
    let mut passes = Vec::new();
    let parts = odd_part(n);
    let split = if lanes == 1 { 0 } else { ((n / parts) >> depth).ilog2() };
    let inner = lanes.ilog2() - split.min(lanes.ilog2());
    let outer = depth - inner;
    let stride = |end: u32| (n / lanes) >> end;
    let mut first = 0;
    if ring == Ring::Trinomial {
        passes.push(Pass::Trinomial { stride: stride(1) });
        first = 1;
    }
    while first < outer {
        let levels = if (outer - first) % 2 == 1 { 1 } else { 2 };
        passes.push(Pass::Outer { first: first as usize, levels, stride: stride(first + levels) });
        first += levels;
    }
    for from in (0..inner).step_by(2) {
        let levels = (inner - from).min(2);
        let split = split == 1 && from + levels == inner;
        passes.push(Pass::Inner { first: (outer + from) as usize, from, levels, split, parts });
    }
    if split > 1 {
        passes.push(Pass::Split { bits: split });
    }
    passes
}

/// The largest degree of slots on vectors, for a power of two `n`.
pub(crate) const MAX_SPLIT: usize = 8;

/// A third of that for `n = 3·2^k`.
pub(crate) const MAX_SPLIT_IN_THREE: usize = 2;

/// Whether a transform to slots of that degree fills vectors: what is inside a vector splits
/// completely, or its slots' coefficients move out.
pub(super) fn fits(n: usize, degree: usize, lanes: usize) -> bool {
    let parts = odd_part(n);
    let (vectors, split) = (n / lanes, degree / parts);
    lanes > 1
        && 2 * split <= lanes
        && match parts {
            1 => vectors >= INNER_VECTORS && degree <= vectors.min(MAX_SPLIT),
            3 => vectors >= 2 * parts && split <= MAX_SPLIT_IN_THREE,
            _ => false,
        }
}

/// The passes of LazyNTT: one layer each.
pub(super) fn single_passes(ring: Ring, n: usize, depth: u32) -> Vec<Pass> {
    let single = |layer: u32| match (ring, layer) {
        (Ring::Trinomial, 0) => Pass::Trinomial { stride: n / 2 },
        _ => Pass::Outer { first: layer as usize, levels: 1, stride: n >> (layer + 1) },
    };
    (0..depth).map(single).collect()
}

/// The largest odd factor.
pub(crate) const fn odd_part(n: usize) -> usize {
    n >> n.trailing_zeros()
}
