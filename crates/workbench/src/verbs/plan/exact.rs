//! A plan by residue channels: why, which ones, and what each costs.

use super::row;
use crate::{
    plans::exact_identity,
    proof,
    screen::{columns, counted},
};
use ntt::{CrtRecipe, Ring};
use serde_json::{Value, json};

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

pub(super) fn object(exact: &CrtRecipe, refusal: Option<&str>) -> Value {
    let mut object = exact_identity(exact);
    object["because"] = json!(refusal);
    object["estimated_cycles"] = json!(exact.estimated_cycles());
    let channel = |channel: &ntt::Recipe| {
        json!({
            "prime": channel.q(), "depth": channel.depth(), "slot_degree": channel.slot_degree(), "method": channel.method().name(),
            "estimated_cycles": channel.estimated_cycles(),
        })
    };
    object["channels"] = exact.channels().iter().map(channel).collect();
    object
}
