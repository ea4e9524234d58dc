//! The order of passes over memory: block by block, so that what passes share stays in a cache.
//!
//! After a pass between vectors, what follows works on blocks that have nothing to do with one
//! another. So all passes that are left may run on one of them before the next one is touched, and
//! within it again on smaller ones.

use super::pass::{Direction, Pass};

/// From one pass on, transforms run block by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blocks {
    /// The first pass that runs so.
    pub pass: usize,
    /// Vectors of a block.
    pub vectors: usize,
}

/// Sizes of blocks that lie within one another, at most.
pub const MAX_BLOCKS: usize = 3;

/// Sizes with that of the whole: a power of two, so that no place of them needs a check.
const LEVELS: usize = MAX_BLOCKS + 1;

/// Some passes, one after the other, over one part of the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first of the passes, in forward order, and the one after the last.
    pub(crate) passes: [usize; 2],
    /// The first vector, and the one after the last.
    pub(crate) vectors: [usize; 2],
}

/// The order in which a transform runs: all parts, one after the other. The inverse goes through the
/// blocks in the same order, and through passes backwards, from the smallest blocks to the largest ones.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    passes: usize,
    blocks: &'a [Blocks],
    vectors: usize,
    /// How many sizes lie around the next block.
    level: usize,
    /// Where it ends, and those around it.
    ends: [usize; LEVELS],
    done: bool,
}

impl<'a> Order<'a> {
    /// That of so many vectors, or `None` if there are too many sizes.
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

    /// What is done on the block of that level as a whole.
    fn part(&self, level: usize) -> Part {
        let Blocks { pass, vectors } = self.block(level);
        let last = self.blocks.get(level).map_or(self.passes, |block| block.pass);
        let end = self.ends[level % LEVELS];
        Part { passes: [pass, last], vectors: [end - vectors, end] }
    }

    /// The blocks of that level: all vectors, and smaller ones.
    fn block(&self, level: usize) -> Blocks {
        let whole = Blocks { pass: 0, vectors: self.vectors };
        self.blocks.get(level.wrapping_sub(1)).copied().unwrap_or(whole)
    }

    /// To the first of the next smaller blocks, which begins at `start`.
    fn enter(&mut self, start: usize) {
        self.level += 1;
        self.ends[self.level % LEVELS] = start + self.block(self.level).vectors;
    }

    /// To the smallest of the blocks that begin at `start`.
    fn descend(&mut self, start: usize) {
        while self.level < self.blocks.len() {
            self.enter(start);
        }
    }

    /// Whether the block ends where the one around it ends.
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
        // With the smallest block those are done that end there.
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

    /// The next part in that direction; apart from the machine code of transforms, of which few ask for it.
    #[inline(never)]
    pub(crate) fn next(&mut self, direction: Direction) -> Option<Part> {
        match direction {
            Direction::Forward => self.next_forward(),
            Direction::Inverse => self.next_inverse(),
        }
    }
}

/// The number of the pass that twists, and vectors of its blocks.
#[inline(never)]
pub(crate) fn twist(passes: &[Pass]) -> Option<(usize, usize)> {
    for (i, pass) in passes.iter().enumerate() {
        if let Pass::Twist { vectors, .. } = pass {
            return Some((i, *vectors));
        }
    }
    None
}

/// Runs `$body` for each part of an order, which is one part if there are no blocks; and tells it the number of the
/// pass after which blocks share what they read, if there is one.
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
