//! How a transform splits its ring, as plain data: layer by layer, and slot by slot.
//!
//! A layer splits every residue modulo `X^2d - z^2` into those modulo `X^d - z` and `X^d + z`. All
//! of these `z` are powers of the root `r`, and `-1` is `r^(order/2)`, so exponents say everything. A
//! layer in thirds splits it modulo `X^3d - z^3` by the third roots of unity.
//! The first layer of a trinomial splits the polynomial itself by the two primitive sixth roots of
//! unity.

pub(crate) mod diagram;
pub(crate) mod examples;
pub(crate) mod page;
mod tree;

use crate::{
    identity::{Ends, Identity},
    lazy::Lazy,
    plans::{AnyTransform, with},
};
use ntt::{Interval, Recipe, Ring, internals::network::Step};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;

/// Twiddles of a layer and slots that are listed at most; there may be millions.
const LISTED: usize = 64;

/// A power of the root.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Power {
    /// The exponent.
    pub(crate) exponent: usize,
    /// The power itself.
    pub(crate) residue: u64,
}

/// What the command line adds for a ring.
pub(crate) const fn flag(ring: Ring) -> &'static str {
    match ring {
        Ring::Negacyclic => "",
        Ring::Cyclic => " --cyclic",
        Ring::Trinomial => " --trinomial",
    }
}

/// One layer of the forward transform.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) number: usize,
    /// Coefficients of a residue after the layer, which is the distance of a butterfly's operands.
    pub(crate) distance: usize,
    /// Residues before the layer; each has one twiddle.
    pub(crate) blocks: usize,
    /// Parts into which a residue is split, `p`.
    pub(crate) radix: usize,
    /// The first block is modulo `X^pd` minus the root to this power; `None` for the trinomial
    /// itself.
    pub(crate) whole: Option<usize>,
    /// The exponents of what the first block becomes.
    pub(crate) parts: Vec<usize>,
    /// The twiddles block by block, at most [`LISTED`].
    pub(crate) twiddles: Vec<Power>,
    /// What every value of the layer is proved to be.
    pub(crate) range: Interval,
    /// What is reduced beyond products; empty for nothing.
    pub(crate) reduces: &'static str,
}

/// One slot of a transformed polynomial.
#[derive(Debug)]
pub(crate) struct Slot {
    /// In canonical order.
    pub(crate) number: usize,
    /// The slot is modulo `X^d` minus this.
    pub(crate) power: Power,
    /// Its place among the slots where layers are done in place: bit-reversed order, if all are in two.
    pub(crate) reversed: usize,
    /// Where the plan leaves its coefficients.
    pub(crate) positions: Vec<usize>,
}

/// Where the residue modulo `X^d` minus the root to that power lies among the slots, if layers are
/// done in place.
fn in_place(r: &Recipe, mut exponent: usize) -> usize {
    let (mut number, mut slots) = (0, 1);
    for layer in (0..r.layers() as usize).rev() {
        let radix = r.radix(layer);
        let whole = if layer == 0 { r.ring().exponent(r.order()) } else { exponent * radix % r.order() };
        let part = r.parts(layer, whole).position(|of_part| of_part == exponent);
        number += slots * part.expect("a residue is a part of another one");
        slots *= radix;
        exponent = whole;
    }
    number
}

/// Everything that is explained about a plan.
#[derive(Debug)]
pub(crate) struct Explained<'a> {
    pub(crate) plan: &'a AnyTransform,
    /// What runs in place of its transforms.
    pub(crate) lazy: Option<&'a Lazy>,
    pub(crate) layers: Vec<Layer>,
    /// The first slots in canonical order, at most [`LISTED`].
    pub(crate) slots: Vec<Slot>,
    /// Of which paper it is.
    pub(crate) example: Option<&'static examples::Example>,
}

impl<'a> Explained<'a> {
    pub(crate) fn new(plan: &'a AnyTransform, lazy: Option<&'a Lazy>) -> Self {
        let (r, q) = (plan.recipe(), plan.modulus());
        let power = |exponent: usize| Power { exponent, residue: q.pow(r.root(), exponent as u64) };
        let mut residues = vec![r.ring().exponent(r.order())];
        let (mut distance, mut blocks) = (r.n(), 1);
        let ranges = lazy.map_or(r.certificate().forward(), |lazy| &lazy.proved().certificate().forward);
        let layers = (0..r.layers() as usize).map(|number| {
            let is_sixth = r.ring() == Ring::Trinomial && number == 0;
            let whole = (!is_sixth).then_some(residues[0]);
            let split = |exponent: &usize| r.parts(number, *exponent);
            let roots: Vec<usize> = residues.iter().filter_map(|exponent| split(exponent).next()).collect();
            let parts = split(&residues[0]).collect();
            residues = residues.iter().flat_map(split).take(LISTED).collect();
            let radix = r.radix(number);
            distance /= radix;
            blocks *= radix;
            let step = if lazy.is_some() { Step::Plain } else { r.schedules().forward()[number] };
            Layer {
                number,
                distance,
                blocks: blocks / radix,
                radix,
                whole,
                parts,
                twiddles: roots.into_iter().map(power).collect(),
                range: ranges[number],
                reduces: if step == Step::Plain { "" } else { step.name() },
            }
        });
        let layers = layers.collect();

        let listed = LISTED.min(r.slots());
        let mut positions: HashMap<usize, Vec<usize>> = HashMap::new();
        for position in 0..r.n() {
            let (slot, coefficient) = with!(plan, plan => plan.slot(position));
            if slot < listed {
                positions.entry(slot).or_insert_with(|| vec![0; r.slot_degree()])[coefficient] = position;
            }
        }
        let slots = (0..listed).map(|number| Slot {
            number,
            power: power(r.ring().exponent_of(number)),
            reversed: in_place(r, r.ring().exponent_of(number)),
            positions: positions.remove(&number).expect("every slot has a position"),
        });
        Self { plan, lazy, layers, slots: slots.collect(), example: None }
    }

    /// The same for programs.
    pub(crate) fn answer(&self) -> Answer<'_> {
        let layers = self.layers.iter().map(|layer| LayerFacts {
            layer: layer.number,
            distance: layer.distance,
            blocks: layer.blocks,
            parts: layer.radix,
            twiddles: &layer.twiddles,
            range: layer.range.into(),
            reduces: layer.reduces,
        });
        let slots = self.slots.iter().map(|slot| SlotFacts {
            slot: slot.number,
            power: slot.power,
            bit_reversed: slot.reversed,
            native: &slot.positions[..LISTED.min(slot.positions.len())],
        });
        Answer {
            identity: self.plan.identity(),
            word: self.plan.recipe().certificate().word().into(),
            layers: layers.collect(),
            slots_listed: slots.collect(),
        }
    }
}

/// How a transform splits its ring.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer<'a> {
    #[serde(flatten)]
    identity: Identity,
    /// What a word holds.
    word: Ends,
    /// Layer by layer.
    layers: Vec<LayerFacts<'a>>,
    /// The first 64 slots, and where plans leave them.
    slots_listed: Vec<SlotFacts<'a>>,
}

/// One layer of the forward transform.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Layer")]
struct LayerFacts<'a> {
    /// Its number.
    layer: usize,
    /// Coefficients of a residue after the layer, which is the distance of a butterfly's operands.
    distance: usize,
    /// Residues before the layer.
    blocks: usize,
    /// Parts into which a residue is split: 2 or 3.
    parts: usize,
    /// The first 64 twiddles, one for each residue.
    twiddles: &'a [Power],
    /// What every value is proved to be.
    range: Ends,
    /// What is reduced beyond products; empty for nothing.
    reduces: &'static str,
}

/// One slot of a transformed polynomial.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Slot")]
struct SlotFacts<'a> {
    /// Its number in canonical order.
    slot: usize,
    #[serde(flatten)]
    power: Power,
    /// Its place among the slots where layers are done in place.
    bit_reversed: usize,
    /// Where the plan leaves its coefficients: the first 64.
    native: &'a [usize],
}
