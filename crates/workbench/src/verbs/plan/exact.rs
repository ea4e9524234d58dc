//! A plan by residue channels: why, which ones, and what each costs.

use super::{CostsFrom, row};
use crate::{
    identity::Channels,
    proof,
    screen::{columns, counted},
};
use ntt::{CrtRecipe, Ring};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) fn text(exact: &CrtRecipe, refusal: Option<&str>) -> String {
    let (n, q, first) = (exact.n(), exact.q(), &exact.channels()[0]);
    let polynomial = match exact.ring() {
        Ring::Negacyclic => format!("X^{n} + 1"),
        Ring::Cyclic => format!("X^{n} - 1"),
        Ring::Trinomial => format!("X^{n} - X^{} + 1", n / 2),
    };
    let mut text = format!("Z_{q}[X]/({polynomial}), {}\n", exact.ring());
    let why = refusal.unwrap_or("faster than slots of the degree that q allows");
    text += &format!("by         residue channels: {why}\n");
    let folded = if exact.folds() {
        format!("{} of length {}, folded to {n}", first.ring(), first.n())
    } else {
        "of the ring itself".into()
    };
    text += &format!("transforms {folded}\n");
    text += &format!(
        "words      {} of {} bits for a transformed polynomial\n",
        exact.channels().len() * first.n(),
        exact.bits()
    );
    text += &format!("backend    {}, {}\n", first.backend(), counted(first.lanes() as u64, "lane"));
    text += &format!("estimated  {} cycles of a product\n\n", exact.estimated_cycles());
    let mut rows =
        vec![row(["prime", "depth", "slot degree", "reduction", "largest value", "of the word", "estimated"])];
    rows.extend(exact.channels().iter().map(|channel| {
        let c = channel.certificate();
        let layers = c.forward().iter().chain(c.inverse()).copied();
        let largest = layers.reduce(ntt::Interval::union).unwrap_or(c.products());
        vec![
            channel.q().to_string(),
            channel.depth().to_string(),
            channel.slot_degree().to_string(),
            channel.method().to_string(),
            largest.to_string(),
            proof::bar(largest, c.word()),
            channel.estimated_cycles().to_string(),
        ]
    }));
    text += &columns("rrrlrlr", &rows);
    text + &format!(
        "operands are centred; no coefficient of a product of integers reaches half the product of the primes, so it is\n\
         known by its residues, and is reduced modulo {q} in the end\n"
    )
}

/// A plan by residue channels.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Answer<'a> {
    #[serde(flatten)]
    channels: Channels,
    /// Why there is no transform modulo q; null if there is one and it is slower.
    because: Option<&'a str>,
    /// Of a product.
    #[schemars(with = "usize")]
    estimated_cycles: u64,
    /// Channel by channel.
    #[serde(rename = "channels")]
    each: Vec<Channel>,
    /// By what the plan was chosen.
    costs: CostsFrom,
}

/// A transform modulo one of the primes.
#[derive(Serialize, JsonSchema)]
struct Channel {
    /// The prime.
    prime: u64,
    /// Layers.
    depth: u32,
    /// The number of coefficients of a slot.
    slot_degree: usize,
    /// The method of reduction.
    method: &'static str,
    /// Of a product.
    #[schemars(with = "usize")]
    estimated_cycles: u64,
}

pub(super) fn answer<'a>(exact: &CrtRecipe, because: Option<&'a str>, costs: CostsFrom) -> Answer<'a> {
    let each = exact.channels().iter().map(|channel| Channel {
        prime: channel.q(),
        depth: channel.depth(),
        slot_degree: channel.slot_degree(),
        method: channel.method().name(),
        estimated_cycles: channel.estimated_cycles(),
    });
    let (channels, estimated_cycles) = (Channels::of(exact), exact.estimated_cycles());
    Answer { channels, because, estimated_cycles, each: each.collect(), costs }
}
