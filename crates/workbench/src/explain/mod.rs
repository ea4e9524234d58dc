//! How a transform splits its ring, as plain data: layer by layer, and slot by slot.
//!
//! A layer splits every residue modulo `X^2d - z^2` into those modulo `X^d - z` and `X^d + z`. All
//! of these `z` are powers of the root `r`, and `-1` is `r^(order/2)`, so exponents say everything.
//! The first layer of a trinomial splits the polynomial itself by the two primitive sixth roots of
//! unity.

pub(crate) mod diagram;
pub(crate) mod examples;
pub(crate) mod page;
mod tree;

use crate::plans::{AnyTransform, with};
use ntt::{Interval, Recipe, Ring, arith::bitrev, internals::network::Step};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Twiddles of a layer and slots that are listed at most; there may be millions.
const LISTED: usize = 64;

/// A power of the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power {
    pub(crate) exponent: usize,
    pub(crate) residue: u64,
}

/// One layer of the forward transform.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) number: usize,
    /// Coefficients of a residue after the layer, which is the distance of a butterfly's operands.
    pub(crate) distance: usize,
    /// Residues before the layer; each has one twiddle.
    pub(crate) blocks: usize,
    /// The first block is modulo `X^2d` minus the root to this power; `None` for the trinomial
    /// itself.
    pub(crate) whole: Option<usize>,
    /// The exponents of what the first block becomes.
    pub(crate) halves: [usize; 2],
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
    /// Its place among the slots in bit-reversed order.
    pub(crate) reversed: usize,
    /// Where the plan leaves its coefficients.
    pub(crate) positions: Vec<usize>,
}

/// The roots of the two factors into which a layer splits one: `X^2d` minus the root to that
/// power, or the trinomial itself in layer 0.
fn children(r: &Recipe, layer: u32, exponent: usize) -> [usize; 2] {
    let is_sixth = r.ring() == Ring::Trinomial && layer == 0;
    let (first, half) = if is_sixth { (r.order() / 6, r.order() / 3 * 2) } else { (exponent / 2, r.order() / 2) };
    [first, first + half]
}

/// Everything that is explained about a plan.
#[derive(Debug)]
pub(crate) struct Explained<'a> {
    pub(crate) plan: &'a AnyTransform,
    pub(crate) layers: Vec<Layer>,
    /// The first slots in canonical order, at most [`LISTED`].
    pub(crate) slots: Vec<Slot>,
    /// Of which paper it is.
    pub(crate) example: Option<&'static examples::Example>,
}

impl<'a> Explained<'a> {
    pub(crate) fn new(plan: &'a AnyTransform) -> Self {
        let (r, q) = (plan.recipe(), plan.modulus());
        let power = |exponent: usize| Power { exponent, residue: q.pow(r.root(), exponent as u64) };
        let mut residues = vec![r.ring().exponent(r.order())];
        let layers = (0..r.depth() as usize).map(|number| {
            let is_sixth = r.ring() == Ring::Trinomial && number == 0;
            let whole = (!is_sixth).then_some(residues[0]);
            let split = |exponent: &usize| children(r, number as u32, *exponent);
            let roots: Vec<usize> = residues.iter().map(|exponent| split(exponent)[0]).collect();
            residues = residues.iter().flat_map(split).take(LISTED).collect();
            let step = r.schedules().forward()[number];
            Layer {
                number,
                distance: r.n() >> (number + 1),
                blocks: 1 << number,
                whole,
                halves: [residues[0], residues[1]],
                twiddles: roots.into_iter().map(power).collect(),
                range: r.certificate().forward()[number],
                reduces: if step == Step::Plain { "" } else { step.name() },
            }
        });
        let layers = layers.collect();

        let listed = LISTED.min(1 << r.depth());
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
            reversed: bitrev(number, r.depth()),
            positions: positions.remove(&number).expect("every slot has a position"),
        });
        Self { plan, layers, slots: slots.collect(), example: None }
    }

    /// The same for programs.
    pub(crate) fn object(&self) -> Value {
        let r = self.plan.recipe();
        let power = |p: &Power| json!({ "exponent": p.exponent, "residue": p.residue });
        let layer = |layer: &Layer| {
            json!({
                "layer": layer.number, "distance": layer.distance, "blocks": layer.blocks,
                "twiddles": layer.twiddles.iter().map(power).collect::<Vec<_>>(),
                "range": { "lo": layer.range.lo, "hi": layer.range.hi }, "reduces": layer.reduces,
            })
        };
        let slot = |slot: &Slot| {
            json!({
                "slot": slot.number, "exponent": slot.power.exponent, "residue": slot.power.residue,
                "bit_reversed": slot.reversed, "native": slot.positions.iter().take(LISTED).collect::<Vec<_>>(),
            })
        };
        let mut object = self.plan.identity();
        object["word"] = json!({ "lo": r.certificate().word().lo, "hi": r.certificate().word().hi });
        object["layers"] = self.layers.iter().map(layer).collect();
        object["slots_listed"] = self.slots.iter().map(slot).collect();
        object
    }
}
