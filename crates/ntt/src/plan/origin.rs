//! What must agree between the plan that made words and the plan that reads them.

use crate::{
    network::{Pass, PreReduction, SlotStep, Step},
    planner::{Decision, Recipe},
    reduction::Method,
    ring::{Ring, SlotOrder},
};
use core::fmt;

/// The version of what transformed words mean. Whoever changes which word stands where, or which residue it is, though
/// nothing changes that [`Origin`] names, adds one.
const VERSION: u64 = 1;

/// A plan, as far as the words of products depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    ring: Ring,
    n: usize,
    q: u64,
    bits: u32,
    /// Residue channels: none if the plan is a transform modulo `q` itself.
    channels: usize,
    /// This, and what follows, is of the first channel.
    depth: u32,
    thirds: u32,
    root: u64,
    shift: u64,
    method: Method,
    lanes: usize,
    slot_order: SlotOrder,
    /// A hash of everything else.
    rest: u64,
}

impl Origin {
    /// That of the plan of a decision.
    pub(crate) fn of(decision: &Decision) -> Self {
        let (recipes, channels, sums) = match decision {
            Decision::Direct(recipe) => (core::slice::from_ref(recipe), 0, 0),
            Decision::Crt(crt) => (crt.channels(), crt.channels().len(), crt.sums()),
        };
        let (ring, n, q) = match decision {
            Decision::Direct(recipe) => (recipe.ring(), recipe.n(), recipe.q()),
            Decision::Crt(crt) => (crt.ring(), crt.n(), crt.q()),
        };
        let mut rest = Fnv::default();
        rest.number(sums);
        recipes.iter().for_each(|recipe| rest.recipe(recipe));
        let first = &recipes[0];
        Self {
            ring,
            n,
            q,
            bits: decision.bits(),
            channels,
            depth: first.depth(),
            thirds: first.thirds(),
            root: first.root(),
            shift: first.shift(),
            method: first.method(),
            lanes: first.lanes(),
            slot_order: first.slot_order(),
            rest: rest.0,
        }
    }

    /// A hash of all of that.
    pub(super) fn fingerprint(&self) -> u64 {
        let Self { ring, n, q, bits, channels, depth, thirds, root, shift, method, lanes, slot_order, rest } = *self;
        let mut hash = Fnv::default();
        hash.numbers(&[VERSION, n as u64, q, bits.into(), channels as u64, depth.into(), thirds.into()]);
        hash.numbers(&[root, shift, lanes as u64, rest]);
        [ring.name(), method.name(), slot_order.name()].into_iter().for_each(|name| hash.name(name));
        hash.0
    }

    /// Panics if words that `maker` made are given to this plan.
    #[inline]
    pub(crate) fn check(&self, maker: &Self) {
        if self != maker {
            refuse(self, maker);
        }
    }
}

#[cold]
#[inline(never)]
fn refuse(plan: &Origin, maker: &Origin) -> ! {
    let shown = |origin: &Origin| Origin { rest: 0, ..*origin };
    let also = if shown(plan) == shown(maker) { "; what they reduce, or how much they add up, differs" } else { "" };
    panic!("this plan does not take what another one made: this is {plan}, the other one {maker}{also}");
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ring, n, q, bits, channels, depth, thirds, root, shift, method, lanes, slot_order, .. } = self;
        write!(f, "{ring}, n = {n}, q = {q} (")?;
        match channels {
            0 => {
                if *thirds > 0 {
                    write!(f, "{thirds} layers in thirds, ")?;
                }
                if *shift != 1 {
                    write!(f, "shift {shift}, ")?;
                }
                write!(f, "depth {depth}, root {root}, {method}, vectors of {lanes} × {bits} bits, {slot_order} order)")
            }
            _ => write!(f, "{channels} residue channels of depth {depth}, {method}, vectors of {lanes} × {bits} bits)"),
        }
    }
}

/// Fowler, Noll and Vo's hash FNV-1a: plans are not chosen to collide.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

/// What is hashed is written out: what `derive(Hash)` writes may differ from one compiler to the next, and with the width
/// of pointers.
impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|number| self.number(*number));
    }

    fn name(&mut self, name: &str) {
        self.number(name.len() as u64);
        self.bytes(name.as_bytes());
    }

    fn recipe(&mut self, recipe: &Recipe) {
        self.numbers(&[recipe.n() as u64, recipe.q(), recipe.root(), recipe.shift()]);
        self.numbers(&[recipe.depth().into(), recipe.thirds().into(), recipe.passes().len() as u64]);
        [recipe.ring().name(), recipe.method().name()].into_iter().for_each(|name| self.name(name));
        recipe.passes().iter().for_each(|pass| self.pass(*pass));
        let schedules = recipe.schedules();
        [schedules.forward(), schedules.inverse()].into_iter().for_each(|steps| self.steps(steps));
        [schedules.slots(), schedules.transformed()].into_iter().for_each(|step| self.slot_step(step));
        let before = match schedules.before_inverse() {
            PreReduction::None => 0,
            PreReduction::Slots => 1,
            PreReduction::All => 2,
        };
        self.numbers(&[schedules.reduce_slots().into(), before]);
    }

    fn pass(&mut self, pass: Pass) {
        let size = |size: usize| size as u64;
        match pass {
            Pass::Outer { first, levels, stride } => self.numbers(&[0, size(first), levels.into(), size(stride)]),
            Pass::Thirds { first, stride } => self.numbers(&[1, size(first), size(stride)]),
            Pass::Inner { first, from, levels, split, parts } => {
                self.numbers(&[2, size(first), from.into(), levels.into(), split.into(), size(parts)]);
            }
            Pass::Trinomial { stride } => self.numbers(&[3, size(stride)]),
            Pass::Twist { first, vectors } => self.numbers(&[4, size(first), size(vectors)]),
            Pass::Split { bits } => self.numbers(&[5, bits.into()]),
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        self.number(steps.len() as u64);
        steps.iter().for_each(|step| self.number(*step as u64));
    }

    fn slot_step(&mut self, SlotStep { operands, sums, wide }: SlotStep) {
        self.numbers(&[operands.into(), sums.into(), wide.into()]);
    }
}
