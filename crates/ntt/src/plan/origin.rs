//! What must agree between the plan that made words and the plan that reads them.

use crate::{
    planner::Decision,
    reduction::Method,
    ring::{Ring, SlotOrder},
};
use core::{
    fmt,
    hash::{Hash, Hasher},
};

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
        sums.hash(&mut rest);
        for recipe in recipes {
            (recipe.q(), recipe.root(), recipe.depth(), recipe.method()).hash(&mut rest);
            (recipe.passes(), recipe.schedules()).hash(&mut rest);
        }
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
            rest: rest.finish(),
        }
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

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
