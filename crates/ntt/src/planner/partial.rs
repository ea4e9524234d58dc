//! Choices of a search, pass by pass.

use crate::{
    arith::Interval,
    model::{Ranges, Violation},
    network::{Pass, PreReduction, Step},
};
use alloc::{vec, vec::Vec};

/// Choices for the passes that have run.
pub(super) struct Partial {
    /// Reductions, in vectors.
    pub(super) cost: usize,
    /// The range after the passes.
    pub(super) range: Interval,
    pub(super) steps: Vec<Step>,
    /// The reduction before the first pass.
    pub(super) before: PreReduction,
}

impl Partial {
    /// The same choices followed by a pass with these steps.
    pub(super) fn with(&self, pass: Pass, own: &[Step], cost: usize, range: Interval) -> Self {
        let mut steps = self.steps.clone();
        steps[pass.layers()].copy_from_slice(own);
        Self { cost, range, steps, before: self.before }
    }
}

/// One group of a pass, which is run repeatedly.
pub(super) struct Group {
    proof: Ranges,
    steps: Vec<Step>,
    data: Vec<Interval>,
}

impl Group {
    /// A group of a transform with `layers` layers.
    pub(super) fn new(proof: Ranges, layers: usize) -> Self {
        Self { proof, steps: vec![Step::Plain; layers], data: Vec::new() }
    }

    /// Runs the group with those steps on that network; returns the number of its reductions and its final range.
    pub(super) fn run(
        &mut self,
        pass: Pass,
        range: Interval,
        own: &[Step],
        network: impl FnOnce(&mut Ranges, &mut [Interval], &[Step]),
    ) -> Result<(usize, Interval), Violation> {
        let Self { proof, steps, data } = self;
        if let Pass::Split { .. } = pass {
            return Ok((0, range));
        }
        steps[pass.layers()].copy_from_slice(own);
        proof.restart();
        data.clear();
        data.resize(pass.group(), range);
        network(proof, data, steps);
        proof.violation.map_or(Ok((proof.reductions, union(data))), Err)
    }
}

/// Adds a choice of that cost and range unless another one is as cheap and as small; drops dominated choices.
pub(super) fn insert(best: &mut Vec<Partial>, cost: usize, range: Interval, choice: impl FnOnce() -> Partial) {
    if !best.iter().any(|old| old.cost <= cost && range.holds(old.range)) {
        best.retain(|old| !(cost <= old.cost && old.range.holds(range)));
        best.push(choice());
    }
}

/// The interval that contains all of them.
pub(super) fn union(data: &[Interval]) -> Interval {
    data.iter().copied().reduce(Interval::union).expect("there is data")
}
