//! Which ring, which slots and how, as answers say it.

use ntt::{CrtRecipe, Interval, Recipe, Ring};
use schemars::JsonSchema;
use serde::Serialize;

/// The name of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RingName {
    /// Modulo X^n + 1.
    Negacyclic,
    /// Modulo X^n - 1.
    Cyclic,
    /// Modulo X^n - X^(n/2) + 1.
    Trinomial,
}

impl From<Ring> for RingName {
    fn from(ring: Ring) -> Self {
        match ring {
            Ring::Negacyclic => Self::Negacyclic,
            Ring::Cyclic => Self::Cyclic,
            Ring::Trinomial => Self::Trinomial,
        }
    }
}

/// Which ring, which slots, and how: what a reader of transformed values must know.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Identity {
    /// The degree.
    n: usize,
    /// The modulus.
    q: u64,
    /// The ring.
    ring: RingName,
    /// Layers that split residues in two.
    depth: u32,
    /// Layers that split residues in three.
    thirds: u32,
    /// The number of slots.
    slots: usize,
    /// The number of coefficients of a slot.
    slot_degree: usize,
    /// The root of unity that numbers the slots.
    root: u64,
    /// Its order.
    root_order: usize,
    /// How values are ordered: `canonical`, or `native` as the plan leaves them.
    order: &'static str,
    /// The method of reduction.
    method: &'static str,
    /// The width of a word.
    bits: u32,
    /// The instructions.
    backend: &'static str,
}

impl Identity {
    pub(crate) fn of(r: &Recipe) -> Self {
        Self {
            n: r.n(),
            q: r.q(),
            ring: r.ring().into(),
            depth: r.depth(),
            thirds: r.thirds(),
            slots: r.slots(),
            slot_degree: r.slot_degree(),
            root: r.root(),
            root_order: r.order(),
            order: "canonical",
            method: r.method().name(),
            bits: r.bits(),
            backend: r.backend().name(),
        }
    }

    /// Of values in another order.
    pub(crate) const fn in_order(self, order: &'static str) -> Self {
        Self { order, ..self }
    }
}

/// What a word holds, or what a value is proved to be.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Ends {
    /// The least value.
    lo: i64,
    /// The largest value.
    hi: i64,
}

impl From<Interval> for Ends {
    /// Proved ranges fit the widest word.
    fn from(Interval { lo, hi }: Interval) -> Self {
        Self { lo: lo as i64, hi: hi as i64 }
    }
}

/// Which ring, and which primes its products go by.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Channels {
    /// The degree.
    n: usize,
    /// The modulus.
    q: u64,
    /// The ring.
    ring: RingName,
    /// The width of a word.
    bits: u32,
    /// `residue channels`.
    method: &'static str,
    /// The instructions.
    backend: &'static str,
    /// The primes.
    primes: Vec<u64>,
    /// The length of their transforms.
    length: usize,
}

impl Channels {
    pub(crate) fn of(exact: &CrtRecipe) -> Self {
        Self {
            n: exact.n(),
            q: exact.q(),
            ring: exact.ring().into(),
            bits: exact.bits(),
            method: "residue channels",
            backend: exact.channels()[0].backend().name(),
            primes: exact.channels().iter().map(Recipe::q).collect(),
            length: exact.length(),
        }
    }
}
