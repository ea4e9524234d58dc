//! Which words, methods and kinds of plans the planner takes, over a grid of rings: the tables of
//! `docs/planner.md`.
//!
//! `cargo run --release -p ringwork-ntt --features all-methods --example planner_table`: with every
//! method compiled, so that none is left out for not being compiled.

#![forbid(unsafe_code)]

use ringwork_ntt::{
    Backend, Decision, Method, Recipe, Request, Ring,
    arith::{is_prime, nearest_prime},
};
use std::collections::BTreeMap;

/// Sizes of moduli, in bits.
const SIZES: [u32; 17] = [8, 10, 12, 13, 14, 15, 16, 20, 24, 28, 29, 30, 32, 40, 50, 60, 62];

/// A modulus of that size: with all roots that the degree can use, with a sixteenth of them, a
/// prime with none, any number.
fn moduli(ring: Ring, n: usize, bits: u32) -> impl Iterator<Item = (&'static str, u64)> {
    let (least, limit) = (1_u64 << (bits - 1), 1 << bits);
    let middle = least + least / 2;
    let depth = ring.layers(n);
    let with_roots = move |depth: u32| {
        let q = nearest_prime(middle, ring.order(depth), limit).filter(|q| *q >= least)?;
        Some(q)
    };
    let few = depth.checked_sub(4).filter(|few| *few > ring.least_depth());
    let few = few.and_then(with_roots).filter(|q| ring.layers_of_roots(*q) < depth);
    let none = (middle..limit).find(|q| q % 12 == 11 && is_prime(*q));
    let any = Some(middle & !1);
    [("all roots", with_roots(depth)), ("few roots", few), ("no roots", none), ("any", any)]
        .into_iter()
        .filter_map(|(name, q)| Some((name, q?)))
}

/// Counts of what was taken, by its description.
#[derive(Default)]
struct Table(BTreeMap<[String; 5], usize>);

impl Table {
    fn add(&mut self, moduli: &str, words: String, kind: &str, recipe: &Recipe) {
        let degree = match recipe.slot_degree() {
            1 => "1",
            2..=4 => "2 to 4",
            5..=16 => "5 to 16",
            _ => "above 16",
        };
        let cells = [moduli.into(), words, kind.into(), recipe.method().to_string(), degree.into()];
        *self.0.entry(cells).or_default() += 1;
    }

    fn print(&self, title: &str) {
        println!("### {title}\n\n| moduli | words | kind | method | slot degree | plans |\n|---|---|---|---|---|---|");
        for (cells, count) in &self.0 {
            println!("| {} | {count} |", cells.join(" | "));
        }
        println!();
    }
}

fn main() {
    let vectors = Backend::best();
    for (title, backend) in [("On vectors where they fit", None), ("On the scalar backend", Some(Backend::Scalar))] {
        let (mut products, mut transforms) = (Table::default(), Table::default());
        for (n, bits) in (4..=16).flat_map(|log| SIZES.map(|bits| (1 << log, bits))) {
            for ring in Ring::ALL {
                for (name, q) in moduli(ring, n, bits) {
                    let request = Request::new(n, q).ring(ring);
                    let request = backend.map_or(request, |backend| request.backend(backend));
                    let words = |recipe: &Recipe| format!("{} × {}", recipe.lanes(), recipe.bits());
                    match request.decide_any() {
                        Ok(Decision::Direct(recipe)) => products.add(name, words(&recipe), "direct", &recipe),
                        Ok(Decision::Crt(crt)) => {
                            let kind = format!("{} channels", crt.channels().len());
                            products.add(name, words(&crt.channels()[0]), &kind, &crt.channels()[0]);
                        }
                        Err(refusal) => eprintln!("{n} {q} {ring}: {refusal}"),
                    }
                    if name == "any" || name == "no roots" {
                        continue;
                    }
                    let of_words = [16, 32, 64].into_iter().filter_map(|bits| request.recipe(bits).ok());
                    of_words.for_each(|recipe| transforms.add(name, words(&recipe), "direct", &recipe));
                }
            }
        }
        let on = backend.unwrap_or(vectors);
        products.print(&format!("{title} ({on}): products"));
        transforms.print(&format!("{title} ({on}): transforms, in each word that takes the modulus"));
    }
    let compiled = Method::ALL.map(Method::name).join(", ");
    println!("Methods compared: {compiled}.");
}
