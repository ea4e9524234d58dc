//! The search for the cheapest schedules that `Ranges` proves.
//!
//! A schedule says for every layer what it reduces. The search goes pass by pass and keeps, of all
//! choices so far, those that no other one beats in both cost and range. It looks at one group of
//! each pass, whose operands all have the range that the passes before can give; what it finds is
//! then proved on the whole transform.

use super::{
    borders::Borders,
    layout::Layers,
    partial::{Group, Partial, insert, union},
    recipe::{Certificate, Schedules},
};
use crate::{
    arith::Interval,
    model::{Place, Ranges, Violation},
    network::{
        self, Border, Cross, Direction, Forward, Inverse, Pass, Pointwise, PreReduction, Program, SlotStep, Step,
    },
    reduction::{Contract, Factor},
};
use alloc::{vec, vec::Vec};
use lanes::Backend;

/// What the search finds.
pub(super) struct Proved {
    pub(super) schedules: Schedules,
    pub(super) certificate: Certificate,
}

/// What it searches for.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) contract: Contract,
    pub(super) backend: Backend,
    pub(super) lanes: usize,
    pub(super) vectors: usize,
    pub(super) layers: Layers,
    pub(super) passes: &'a [Pass],
}

/// Ranges of values of one pass that are followed one by one; more of them go on as the one that
/// holds all.
const MOST_RANGES: usize = 16;

/// A proved transform.
struct Transform {
    /// The range of each layer.
    layers: Vec<Interval>,
    output: Interval,
}

impl Search<'_> {
    /// The cheapest schedules for transforms and pointwise products, and their proof.
    pub(super) fn schedules(&self, lazy: bool) -> Result<Proved, Violation> {
        let input = self.input();
        let reduce_slots = !lazy && self.layers.all() > 0 && !self.contract.sums_are_canonical();
        let multiplied =
            |range| self.slots(reduce_slots, range).and_then(|slots| self.pointwise_step(slots.union(input)));
        let forward =
            self.cheapest(Direction::Forward, vec![self.start(input)], &|range| multiplied(range).is_ok())?.steps;
        let proved = self.prove(Direction::Forward, &forward, input)?;
        let slots = self.slots(reduce_slots, proved.output)?;
        let (slot_step, products) = self.pointwise_step(slots.union(input))?;
        // Where reductions leave a factor all products are reduced alike.
        let own = if self.leaves_factor() { None } else { self.pointwise_step(slots).ok() };
        let (transformed, of_transformed) = own.unwrap_or((slot_step, products));
        let products = products.union(of_transformed);

        // Products are the common case: slots that are larger than what suits products are reduced
        // first.
        let given = input.union(products).union(self.reduced(slots)?);
        let mut starts = vec![self.start(given)];
        if let Some(range) = self.contract.reduce_range(given) {
            // A pass of its own costs its loads and stores as well.
            starts.push(Partial { cost: self.vectors * 3 / 2, range, before: PreReduction::All, ..self.start(given) });
        }
        let mut found = self.cheapest(Direction::Inverse, starts, &|_| true);
        if found.as_ref().is_ok_and(|found| found.before == PreReduction::All) {
            // What is no product is reduced first, which costs products nothing.
            let range = products.union(self.canonical()).union(self.reduced(slots.union(input))?);
            let start = Partial { before: PreReduction::Slots, ..self.start(range) };
            found = self.cheapest(Direction::Inverse, vec![start], &|_| true).or(found);
        }
        let found = found?;
        let (before, inverse) = (found.before, found.steps);
        let mut schedules =
            Schedules { forward, reduce_slots, slots: slot_step, transformed, before_inverse: before, inverse };
        match self.certify(&schedules, &proved) {
            Err(_) if before == PreReduction::None => schedules.before_inverse = PreReduction::Slots,
            certificate => return certificate.map(|certificate| Proved { schedules, certificate }),
        }
        self.certify(&schedules, &proved).map(|certificate| Proved { schedules, certificate })
    }

    /// The proof of these schedules.
    pub(super) fn of(&self, schedules: Schedules) -> Result<Proved, Violation> {
        let forward = self.prove(Direction::Forward, &schedules.forward, self.input())?;
        let certificate = self.certify(&schedules, &forward)?;
        Ok(Proved { schedules, certificate })
    }

    /// The proof of what follows a proved forward transform.
    fn certify(&self, schedules: &Schedules, forward: &Transform) -> Result<Certificate, Violation> {
        let input = self.input();
        let slots = self.slots(schedules.reduce_slots, forward.output)?;
        let products = self.pointwise(schedules.slots, slots.union(input))?;
        let products = products.union(self.pointwise(schedules.transformed, slots)?);
        // Sums of products are canonical.
        let read = products.union(self.canonical());
        let normalized = self.contract.of_modulus().mul_range(read).ok_or(self.refused(Place::Product, read))?;
        let given = input.union(products);
        let inverse_input = match schedules.before_inverse {
            PreReduction::None => given.union(slots),
            PreReduction::Slots => read.union(self.reduced(input.union(slots))?),
            PreReduction::All => self.reduced(given.union(slots))?,
        };
        let inverse = self.prove(Direction::Inverse, &schedules.inverse, inverse_input)?;
        self.cross_borders(schedules, [forward.output, slots, given.union(slots), inverse.output])?;
        Ok(Certificate {
            word: self.contract.words(),
            input,
            forward: forward.layers.clone(),
            slots,
            products,
            normalized,
            inverse_input,
            inverse: inverse.layers,
            output: inverse.output,
        })
    }

    /// Runs the borders of both transforms, on what the passes between them were proved for.
    fn cross_borders(
        &self,
        schedules: &Schedules,
        [last_layer, slots, given, output]: [Interval; 4],
    ) -> Result<(), Violation> {
        let borders = Borders::of(&self.contract, self.backend);
        let canonical = borders.to_canonical(output).unwrap_or_default();
        let forward = borders.forward(self.input(), schedules.reduce_slots, slots);
        let inverse = borders.inverse(given, false, canonical, output);
        let nothing = Border::NOTHING;
        let (reduce, reduced) = match schedules.before_inverse {
            PreReduction::None => (false, given),
            PreReduction::Slots => (true, self.input().union(slots)),
            PreReduction::All => (true, given),
        };
        for (direction, border, range) in [
            (Direction::Forward, Border { enter: forward.enter, ..nothing }, self.input()),
            (Direction::Forward, Border { enter: nothing.enter, ..forward }, last_layer),
            (Direction::Inverse, Border { enter: inverse.enter, ..nothing }, given),
            (Direction::Inverse, Border { reduce, ..nothing }, reduced),
            (Direction::Inverse, Border { enter: nothing.enter, ..inverse }, output),
        ] {
            let mut proof = Ranges::new(self.lanes, self.contract, 0);
            proof.run(Cross { direction, border }, [&mut [range]], []).expect("borders read no table");
            if let Some(violation) = proof.violation {
                return Err(Violation { layer: self.layers.all(), ..violation });
            }
        }
        Ok(())
    }

    /// What the forward transform may be given.
    fn input(&self) -> Interval {
        self.contract.residues()
    }

    fn canonical(&self) -> Interval {
        Interval::new(0, self.input().hi)
    }

    fn reduced(&self, range: Interval) -> Result<Interval, Violation> {
        self.contract.reduce_range(range).ok_or(self.refused(Place::Reduction, range))
    }

    fn slots(&self, reduce: bool, output: Interval) -> Result<Interval, Violation> {
        if reduce { self.reduced(output) } else { Ok(output) }
    }

    fn refused(&self, place: Place, range: Interval) -> Violation {
        Violation { layer: self.layers.all(), butterfly: 0, place, range }
    }

    fn start(&self, range: Interval) -> Partial {
        Partial { cost: 0, range, steps: vec![Step::Plain; self.layers.all()], before: PreReduction::None }
    }

    /// The cheapest choice for all passes whose range is of use; of equally cheap ones, that with the smallest range.
    fn cheapest(
        &self,
        direction: Direction,
        starts: Vec<Partial>,
        is_of_use: &dyn Fn(Interval) -> bool,
    ) -> Result<Partial, Violation> {
        let mut best = starts;
        let proof = Ranges::new(self.lanes, self.contract, self.layers.all());
        let mut group = Group::new(proof, self.layers.all());
        for i in 0..self.passes.len() {
            let pass = match direction {
                Direction::Forward => self.passes[i],
                Direction::Inverse => self.passes[self.passes.len() - 1 - i],
            };
            let mut next: Vec<Partial> = Vec::new();
            let mut refusal = None;
            let choices = self.choices(direction, pass);
            for partial in &best {
                for own in &choices {
                    let ran = group.run(pass, partial.range, own, |proof, data, steps| {
                        self.run(direction, proof, data, &[pass.of_one_group()], steps);
                    });
                    match ran {
                        Ok((reductions, range)) => {
                            let cost = partial.cost + reductions * (self.vectors / pass.group());
                            insert(&mut next, cost, range, || partial.with(pass, own, cost, range));
                        }
                        Err(violation) => refusal = Some(violation),
                    }
                }
            }
            if let (true, Some(violation)) = (next.is_empty(), refusal) {
                return Err(violation);
            }
            best = next;
        }
        let mut cheapest = None; // if none is of use, the proof says why
        while let Some((i, _)) = best.iter().enumerate().min_by_key(|(_, p)| (p.cost, p.range.magnitude())) {
            let partial = best.remove(i);
            if is_of_use(partial.range) {
                return Ok(partial);
            }
            cheapest.get_or_insert(partial);
        }
        Ok(cheapest.expect("a choice was found"))
    }

    /// The steps that the layers of a pass may have, laziest first.
    fn choices(&self, direction: Direction, pass: Pass) -> Vec<Vec<Step>> {
        let between = matches!(pass, Pass::Outer { levels: 2, .. });
        let thirds = matches!(pass, Pass::Thirds { .. });
        let sixth = direction == Direction::Forward && matches!(pass, Pass::Trinomial { .. });
        let mut steps = match direction {
            // It adds its operands up, so that a factor must be on both.
            Direction::Forward if sixth && self.leaves_factor() => vec![Step::Plain],
            _ if thirds && !self.leaves_factor() => vec![Step::Plain, Step::AddSide, Step::Sums],
            _ if thirds => vec![Step::Plain, Step::AddSide],
            Direction::Forward => vec![Step::Plain, Step::AddSide],
            Direction::Inverse if between && !self.leaves_factor() => vec![Step::Plain, Step::AddSide, Step::Sums],
            Direction::Inverse => vec![Step::Plain, Step::Sums],
        };
        if self.contract.method().is_limited() || sixth {
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

    /// Whether the factors that reductions leave come out alike wherever values meet, as they do of
    /// the steps that are searched.
    pub(super) fn balanced(&self, schedules: &Schedules) -> bool {
        let searched = |direction, steps: &[Step]| {
            self.passes.iter().all(|pass| self.choices(direction, *pass).iter().any(|c| c[..] == steps[pass.layers()]))
        };
        !self.leaves_factor()
            || self.slot_steps().any(|step| step == schedules.slots)
                && schedules.transformed == schedules.slots
                && searched(Direction::Forward, &schedules.forward)
                && searched(Direction::Inverse, &schedules.inverse)
    }

    /// Whether reductions leave a factor, so that operands that meet must be reduced alike.
    fn leaves_factor(&self) -> bool {
        self.contract.reduce_factor() != Factor::ONE
    }

    /// Proves a whole transform by the groups of its passes in which something new can happen.
    ///
    /// A column of a pass between vectors takes as many values of one place of the pass before,
    /// which all have one range. So a pass runs on one group for each range that it may be given,
    /// apart from those that lie in another one; the tail of the transform, whose passes share
    /// groups, as a whole.
    fn prove(&self, direction: Direction, steps: &[Step], input: Interval) -> Result<Transform, Violation> {
        let mut proof = Ranges::new(self.lanes, self.contract, self.layers.all());
        let (head, tail, span) = self.parts();
        let head = head.iter().map(|pass| (vec![pass.of_one_group()], pass.group()));
        let tail = (!tail.is_empty()).then(|| (tail.to_vec(), span));
        let mut parts: Vec<_> = head.chain(tail).collect();
        if direction == Direction::Inverse {
            parts.reverse();
        }
        let mut ranges = vec![input];
        if parts.is_empty() {
            parts.push((Vec::new(), 1));
        }
        for (passes, vectors) in parts {
            for range in core::mem::take(&mut ranges) {
                let mut data = vec![range; vectors];
                self.run(direction, &mut proof, &mut data, &passes, steps);
                data.into_iter().for_each(|range| insert_range(&mut ranges, range));
            }
            if ranges.len() > MOST_RANGES {
                ranges = vec![union(&ranges)];
            }
        }
        if let Some(violation) = proof.violation {
            return Err(violation);
        }
        let layers = proof.layers.iter().map(|l| l.expect("every layer was run")).collect();
        Ok(Transform { layers, output: union(&ranges) })
    }

    /// The passes whose groups are columns of rows that are alike; the others, which share groups;
    /// and the vectors of such a group of these.
    fn parts(&self) -> (&[Pass], &[Pass], usize) {
        let inside = self.passes.iter().filter(|pass| pass.stride().is_none());
        let (mut span, mut at) = (inside.map(Pass::group).max().unwrap_or(1), self.passes.len());
        while at > 0 {
            let pass = self.passes[at - 1];
            if let Some(stride) = pass.stride() {
                if stride.is_multiple_of(span) {
                    break;
                }
                let group = stride * pass.group();
                let multiples = (1..).map(|i| i * group);
                span = multiples.into_iter().find(|rows| rows.is_multiple_of(span)).expect("the least of both");
            }
            at -= 1;
        }
        (&self.passes[..at], &self.passes[at..], span)
    }

    fn run(&self, direction: Direction, proof: &mut Ranges, data: &mut [Interval], passes: &[Pass], steps: &[Step]) {
        let program = Program::new(passes, steps);
        let run = match direction {
            Direction::Forward => proof.run(Forward { program }, [data], []),
            Direction::Inverse => proof.run(Inverse { program }, [data], []),
        };
        run.expect("passes that fit the network");
    }

    /// The range of pointwise products by that step.
    fn pointwise(&self, step: SlotStep, input: Interval) -> Result<Interval, Violation> {
        let degree = self.layers.slot_degree();
        let mut proof = Ranges::of_products(self.lanes, self.contract);
        let (a, mut c) = (vec![input; degree], vec![input; degree]);
        // The longest sum alone refuses most.
        if !step.wide {
            proof.sum_of_products_of(step, input, degree);
        }
        if proof.violation.is_none() {
            proof.run(Pointwise { step, degree }, [&mut c], [&a, &a]).expect("whole slots");
        }
        match proof.violation {
            None => Ok(union(&c)),
            Some(v) => Err(Violation { layer: self.layers.all(), ..v }),
        }
    }

    /// The possible slot steps, laziest first. Methods whose reductions leave a factor do not reduce
    /// sums: no table makes up for that.
    fn slot_steps(&self) -> impl Iterator<Item = SlotStep> {
        let wide = self.contract.adds_up_wide() && network::has_wide(self.layers.slot_degree());
        let of_sums = [(false, true), (true, true)].map(|(operands, wide)| SlotStep { operands, sums: false, wide });
        let steps = [(false, false), (true, false), (false, true), (true, true)];
        let one_by_one = steps.map(|(operands, sums)| SlotStep { operands, sums, wide: false });
        let with_sums = !self.leaves_factor();
        let possible = of_sums.into_iter().filter(move |_| wide).chain(one_by_one);
        possible.filter(move |step| with_sums || !step.sums)
    }

    /// The first of the possible slot steps that is proved.
    fn pointwise_step(&self, input: Interval) -> Result<(SlotStep, Interval), Violation> {
        let mut found = None;
        for step in self.slot_steps() {
            match self.pointwise(step, input) {
                Ok(products) => return Ok((step, products)),
                Err(violation) => found = found.or(Some(violation)),
            }
        }
        Err(found.expect("a step was tried"))
    }
}

/// Adds a range unless it lies in another one; drops those that lie in it.
fn insert_range(ranges: &mut Vec<Interval>, new: Interval) {
    if !ranges.iter().any(|old| old.holds(new)) {
        ranges.retain(|old| !new.holds(*old));
        ranges.push(new);
    }
}
