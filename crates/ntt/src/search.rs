//! The search for the cheapest schedules that `Ranges` proves.
//!
//! A schedule says for every layer what it reduces. The search goes pass by pass and keeps, of all choices so far, those
//! that no other one beats in both cost and range. It looks at one group of each pass, whose operands all have the range
//! that the passes before can give; what it finds is then proved on the whole transform.

use crate::{
    jobs::Direction,
    model::{Place, Ranges, Violation},
    network::{self, Pass},
    range::Range,
    recipe::{Certificate, Schedules},
    reduction::{Contract, Factor, Method},
    schedule::{Before, SlotStep, Step},
};
use alloc::{vec, vec::Vec};

/// What the search finds.
pub(crate) struct Proved {
    pub(crate) schedules: Schedules,
    pub(crate) certificate: Certificate,
}

/// What it searches for.
pub(crate) struct Search<'a> {
    pub(crate) contract: Contract,
    pub(crate) lanes: usize,
    pub(crate) vectors: usize,
    pub(crate) passes: &'a [Pass],
    pub(crate) depth: usize,
    /// See [`Schedules::lazy`].
    pub(crate) lazy: u32,
}

/// A proved transform.
struct Transform {
    steps: Vec<Step>,
    /// What its layers are given.
    input: Range,
    /// The range of each layer.
    layers: Vec<Range>,
    output: Range,
}

/// Choices for the passes that have run.
#[derive(Clone)]
struct Partial {
    /// Reductions, in vectors.
    cost: usize,
    /// What the passes give.
    range: Range,
    steps: Vec<Step>,
    /// What is reduced first.
    before: Before,
}

impl Search<'_> {
    /// Schedules for transforms and slot products with slots of that degree, and their proof.
    pub(crate) fn schedules(&self, degree: usize, lazy: bool) -> Result<Proved, Violation> {
        let c = self.contract.constants();
        let input = Range::symmetric(i128::from(c.q) - 1);
        let reduced = |range| self.contract.reduce_range(range).ok_or(self.refused(Place::Reduction, range));
        let forward = self.cheapest(Direction::Forward, vec![self.start(input)])?;
        let forward = self.prove(Direction::Forward, &forward.steps, input)?;
        let reduce_slots = !lazy && self.depth > 0;
        let slots = if reduce_slots { reduced(forward.output)? } else { forward.output };
        let (slot_step, products) = self.slot_products(degree, slots.union(input))?;
        let normalized = self.contract.mul_range(products).ok_or(self.refused(Place::Product, products))?;
        let (inverse, before_inverse) = self.inverse(input.union(products), slots, reduced(slots)?)?;
        Ok(Proved {
            certificate: Certificate {
                word: Range::word(c.bits),
                input,
                forward: forward.layers,
                slots,
                products,
                normalized,
                inverse_input: inverse.input,
                inverse: inverse.layers,
                output: inverse.output,
            },
            schedules: Schedules {
                lazy: self.lazy,
                forward: forward.steps,
                reduce_slots,
                slots: slot_step,
                before_inverse,
                inverse: inverse.steps,
            },
        })
    }

    /// Inverse. Products are the common case: slots that are larger than what suits products are reduced first.
    fn inverse(&self, products: Range, slots: Range, reduced: Range) -> Result<(Transform, Before), Violation> {
        let input = products.union(reduced);
        let mut starts = vec![self.start(input)];
        if let Some(range) = self.contract.reduce_range(input) {
            // A pass of its own costs its loads and stores as well.
            starts.push(Partial { cost: self.vectors * 3 / 2, range, before: Before::All, ..self.start(input) });
        }
        let found = self.cheapest(Direction::Inverse, starts)?;
        let prove = |input| self.prove(Direction::Inverse, &found.steps, input);
        if found.before == Before::All {
            let input = self.contract.reduce_range(input.union(slots));
            return Ok((prove(input.ok_or(self.refused(Place::Reduction, slots))?)?, Before::All));
        }
        match prove(input.union(slots)) {
            Ok(transform) => Ok((transform, Before::None)),
            Err(_) => Ok((prove(input)?, Before::Slots)),
        }
    }

    fn refused(&self, place: Place, range: Range) -> Violation {
        Violation { layer: self.depth, butterfly: 0, place, range }
    }

    fn start(&self, range: Range) -> Partial {
        Partial { cost: 0, range, steps: vec![Step::Plain; self.depth], before: Before::None }
    }

    /// The cheapest choice for all passes; of equally cheap ones, that with the smallest range.
    fn cheapest(&self, direction: Direction, starts: Vec<Partial>) -> Result<Partial, Violation> {
        let mut best = starts;
        if self.lazy > 1 {
            // Its products are its schedule; columns differ, so that only the whole transform proves it.
            best.truncate(1);
            return Ok(best.remove(0));
        }
        for i in 0..self.passes.len() {
            let pass = match direction {
                Direction::Forward => self.passes[i],
                Direction::Inverse => self.passes[self.passes.len() - 1 - i],
            };
            let mut next: Vec<Partial> = Vec::new();
            let mut refusal = None;
            for partial in &best {
                for steps in self.choices(direction, pass) {
                    match self.extended(direction, pass, partial, &steps) {
                        Ok(partial) => insert(&mut next, partial),
                        Err(violation) => refusal = Some(violation),
                    }
                }
            }
            if let (true, Some(violation)) = (next.is_empty(), refusal) {
                return Err(violation);
            }
            best = next;
        }
        Ok(best.into_iter().min_by_key(|p| (p.cost, p.range.magnitude())).expect("there is a start"))
    }

    /// The steps that the layers of a pass may have, laziest first.
    fn choices(&self, direction: Direction, pass: Pass) -> Vec<Vec<Step>> {
        let between = matches!(pass, Pass::Outer { levels: 2, .. });
        let sixth = direction == Direction::Forward && matches!(pass, Pass::Sixth { .. });
        let mut steps = match direction {
            // It adds its operands up, so that a factor must be on both.
            Direction::Forward if sixth && self.leaves_factor() => vec![Step::Plain],
            Direction::Forward => vec![Step::Plain, Step::Grown],
            Direction::Inverse if between && !self.leaves_factor() => vec![Step::Plain, Step::Grown, Step::Sums],
            Direction::Inverse => vec![Step::Plain, Step::Sums],
        };
        if self.limited() || sixth {
            steps.push(Step::Both);
        }
        let mut choices = vec![Vec::new()];
        for _ in pass.layers() {
            let longer =
                |choice: &Vec<Step>| steps.iter().map(|step| [&choice[..], &[*step]].concat()).collect::<Vec<_>>();
            choices = choices.iter().flat_map(longer).collect();
        }
        choices
    }

    /// Runs one group of a pass with those steps.
    fn extended(&self, direction: Direction, pass: Pass, from: &Partial, own: &[Step]) -> Result<Partial, Violation> {
        let mut partial = from.clone();
        partial.steps[pass.layers()].copy_from_slice(own);
        let group = match pass {
            Pass::Outer { first, levels, .. } => Pass::Outer { first, levels, stride: 1 },
            Pass::Sixth { .. } => Pass::Sixth { stride: 1 },
            Pass::Inner { .. } => pass,
            Pass::Split { .. } => return Ok(partial),
        };
        let vectors = pass.group();
        let (proof, data) = self.run(direction, &[group], &partial.steps, vec![from.range; vectors]);
        partial.range = union(&data);
        partial.cost += proof.reductions * (self.vectors / vectors);
        proof.violation.map_or(Ok(partial), Err)
    }

    /// Whether reductions leave a factor, so that operands that meet must be reduced alike.
    fn leaves_factor(&self) -> bool {
        self.contract.reduce_factor() != Factor::ONE
    }

    /// Whether products refuse some operands or grow with them, so that it may take reductions to make them fit.
    fn limited(&self) -> bool {
        matches!(self.contract.method(), Method::KRed | Method::KRed2x | Method::Solinas)
    }

    /// Proves a whole transform.
    fn prove(&self, direction: Direction, steps: &[Step], input: Range) -> Result<Transform, Violation> {
        let (proof, data) = self.run(direction, self.passes, steps, vec![input; self.vectors]);
        if let Some(violation) = proof.violation {
            return Err(violation);
        }
        let layers = proof.layers.iter().map(|l| l.expect("every layer was run")).collect();
        Ok(Transform { steps: steps.to_vec(), input, layers, output: union(&data) })
    }

    fn run(&self, direction: Direction, passes: &[Pass], steps: &[Step], mut data: Vec<Range>) -> (Ranges, Vec<Range>) {
        let mut proof = Ranges::new(self.lanes, self.contract, self.depth).lazy(self.lazy);
        match direction {
            Direction::Forward => network::forward(&mut proof, &mut data, passes, steps),
            Direction::Inverse => network::inverse(&mut proof, &mut data, passes, steps),
        }
        (proof, data)
    }

    /// The first of the possible slot steps, laziest first, that is proved.
    fn slot_products(&self, degree: usize, input: Range) -> Result<(SlotStep, Range), Violation> {
        let mut found = None;
        let steps = [(false, false), (true, false), (false, true), (true, true)];
        for (operands, sums) in steps.into_iter().filter(|(_, sums)| !sums || !self.leaves_factor()) {
            let step = SlotStep { operands, sums };
            let mut proof = Ranges::new(self.lanes, self.contract, 0);
            let (a, mut c) = (vec![input; degree], vec![input; degree]);
            network::slot_products(&mut proof, step, degree, &mut c, &a, &a);
            match proof.violation {
                None => return Ok((step, union(&c))),
                Some(v) => found = found.or(Some(Violation { layer: self.depth, ..v })),
            }
        }
        Err(found.expect("a step was tried"))
    }
}

/// Adds a choice unless another one is as cheap and as small; drops those that it beats.
fn insert(best: &mut Vec<Partial>, new: Partial) {
    let beats = |a: &Partial, b: &Partial| a.cost <= b.cost && b.range.holds(a.range);
    if !best.iter().any(|old| beats(old, &new)) {
        best.retain(|old| !beats(&new, old));
        best.push(new);
    }
}

fn union(data: &[Range]) -> Range {
    data.iter().copied().reduce(Range::union).expect("there is data")
}
