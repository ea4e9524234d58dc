//! The order of passes over memory: block by block, so that data shared by passes stays in a cache.
//!
//! After a pass between vectors, the following passes work on independent blocks. So all remaining passes can run on
//! one block before the next one, and within it again on smaller blocks.

use super::pass::{Direction, Pass};

/// From pass `pass` on, process one block completely before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blocks {
    /// The first pass that runs block by block.
    pub pass: usize,
    /// Vectors of a block.
    pub vectors: usize,
}

/// The largest number of nested block sizes.
pub const MAX_BLOCKS: usize = 3;

/// Block sizes including the whole: a power of two, so that indices need no check.
const LEVELS: usize = MAX_BLOCKS + 1;

/// Consecutive passes over one part of the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first of the passes, in forward order, and the one after the last.
    pub(crate) passes: [usize; 2],
    /// The first vector, and the one after the last.
    pub(crate) vectors: [usize; 2],
}

/// The order in which a transform runs: all parts, one after the other. The inverse visits blocks in the same order,
/// and passes backwards, from the smallest blocks to the largest ones.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    passes: usize,
    blocks: &'a [Blocks],
    vectors: usize,
    /// The number of sizes around the next block.
    level: usize,
    /// The end of the next block, and of those around it.
    ends: [usize; LEVELS],
    done: bool,
}

impl<'a> Order<'a> {
    /// The order for `vectors` vectors, or `None` if there are too many sizes.
    #[inline(never)]
    pub(crate) fn new(direction: Direction, vectors: usize, passes: usize, blocks: &'a [Blocks]) -> Option<Self> {
        if blocks.len() > MAX_BLOCKS {
            return None;
        }
        let mut order = Self { passes, blocks, vectors, level: 0, ends: [0; LEVELS], done: false };
        order.ends[0] = vectors;
        if matches!(direction, Direction::Inverse) {
            order.descend(0);
        }
        Some(order)
    }

    /// The part that is run on the block of that level as a whole.
    fn part(&self, level: usize) -> Part {
        let Blocks { pass, vectors } = self.block(level);
        let last = self.blocks.get(level).map_or(self.passes, |block| block.pass);
        let end = self.ends[level % LEVELS];
        Part { passes: [pass, last], vectors: [end - vectors, end] }
    }

    /// The blocks of that level: level 0 is all vectors.
    fn block(&self, level: usize) -> Blocks {
        let whole = Blocks { pass: 0, vectors: self.vectors };
        self.blocks.get(level.wrapping_sub(1)).copied().unwrap_or(whole)
    }

    /// Enters the first block of the next smaller size, at `start`.
    fn enter(&mut self, start: usize) {
        self.level += 1;
        self.ends[self.level % LEVELS] = start + self.block(self.level).vectors;
    }

    /// Enters the smallest block at `start`.
    fn descend(&mut self, start: usize) {
        while self.level < self.blocks.len() {
            self.enter(start);
        }
    }

    /// Whether the block ends where the surrounding one ends.
    fn is_last(&self) -> bool {
        self.level > 0 && self.ends[self.level % LEVELS] == self.ends[(self.level - 1) % LEVELS]
    }

    /// The next part of a forward transform.
    fn next_forward(&mut self) -> Option<Part> {
        if self.done {
            return None;
        }
        let part = self.part(self.level);
        if self.level < self.blocks.len() {
            self.enter(part.vectors[0]);
            return Some(part);
        }
        // The end of the smallest block completes all blocks that end there.
        while self.is_last() {
            self.level -= 1;
        }
        self.done = self.level == 0;
        self.ends[self.level % LEVELS] += self.block(self.level).vectors;
        Some(part)
    }

    /// The next part of an inverse transform.
    fn next_inverse(&mut self) -> Option<Part> {
        if self.done {
            return None;
        }
        let part = self.part(self.level);
        self.done = self.level == 0;
        let last = self.is_last();
        self.level = self.level.saturating_sub(1);
        if !last && !self.done {
            self.descend(part.vectors[1]);
        }
        Some(part)
    }

    /// The next part in that direction; not inlined into the code of transforms, few of which need it.
    #[inline(never)]
    pub(crate) fn next(&mut self, direction: Direction) -> Option<Part> {
        match direction {
            Direction::Forward => self.next_forward(),
            Direction::Inverse => self.next_inverse(),
        }
    }
}

/// The number of the twisting pass, and the number of vectors in its blocks.
#[inline(never)]
pub(crate) fn twist(passes: &[Pass]) -> Option<(usize, usize)> {
    for (i, pass) in passes.iter().enumerate() {
        if let Pass::Twist { vectors, .. } = pass {
            return Some((i, *vectors));
        }
    }
    None
}

/// Runs `$body` for each part of an order, which is one part if there are no blocks. Passes it the number of the pass
/// after which blocks share what they read, if there is one.
macro_rules! each_part {
    ($direction:expr, $data:ident, $passes:ident, $blocks:ident, |$first:ident, $last:ident, $part:ident, $last_own:ident| $body:expr) => {{
        let [mut $first, mut $last] = [0, $passes.len()];
        let ([mut start, mut end], mut $last_own, mut order) = ([0, $data.len()], usize::MAX, None);
        if !$blocks.is_empty() {
            $last_own = twist_of($passes).map_or(usize::MAX, |(number, _)| number);
            order = Some(Order::new($direction, $data.len(), $passes.len(), $blocks)?);
        }
        loop {
            if let Some(order) = &mut order {
                let Some(part) = order.next($direction) else { break };
                ([$first, $last], [start, end]) = (part.passes, part.vectors);
            }
            let $part = $data.get_mut(start..end)?;
            $body;
            if order.is_none() {
                break;
            }
        }
    }};
}
pub(super) use each_part;
