//! What Longa and Naehrig's transforms save over those before them: a product with powers of ψ merged
//! into the transforms, beside one with these apart and one padded with zeros.
//!
//! Source: section 2.2 of the paper.

use crate::report::{
    Cell, Columns, Table, short,
    textbook::{BUILDS, Textbook},
};
use serde_json::Value;

const WORK: &str = "negacyclic";
const WAYS: [&str; 3] = ["merged", "separate", "padded"];
const DEGREES: [usize; 3] = [256, 512, 1024];
const Q: u64 = 12289;

/// Time of a way over the merged one, of each build.
fn over_merged(textbook: &Textbook, way: &str, n: usize) -> [Option<(f64, bool)>; 2] {
    let [own, merged] = [way, WAYS[0]].map(|way| textbook.get(WORK, way, n, Q));
    std::array::from_fn(|build| {
        let (own, merged) = (own[build]?, merged[build]?);
        Some((own.median / merged.median, own.is_large() || merged.is_large()))
    })
}

/// A sentence on the largest degree.
pub(super) fn meaning(textbook: &Textbook) -> String {
    let n = DEGREES[DEGREES.len() - 1];
    let ratio = |way| over_merged(textbook, way, n)[1].map_or_else(|| "–".into(), |(ratio, _)| format!("{ratio:.2}"));
    format!(
        "A product at n = {n} with powers of psi apart takes {} times, one padded with zeros {} times as long as with these \
         powers merged into the transforms.",
        ratio(WAYS[1]),
        ratio(WAYS[2])
    )
}

pub(super) fn table(textbook: &Textbook) -> Table {
    let meaning = format!(
        "A product modulo X^n + 1 by the textbook, q = {Q}: merged in microseconds, the others over it. Transforms, \
         arithmetic (remainders by a constant) and run are the same."
    );
    let mut columns = Columns::new(meaning, DEGREES).column("n", |n| *n);
    for (i, build) in BUILDS.into_iter().enumerate() {
        columns = columns.group(build.name(), ["merged, µs", "psi apart", "zero-padded"], |&n| {
            let merged = textbook.get(WORK, WAYS[0], n, Q)[i].map(|time| {
                let microseconds = time.median / 1e3;
                Cell::foreign(short(microseconds), microseconds, time.is_large())
            });
            let over = |way| {
                let over = over_merged(textbook, way, n)[i];
                over.map(|(ratio, unsure)| Cell::foreign(format!("{ratio:.2}×"), ratio, unsure))
            };
            [merged, over(WAYS[1]), over(WAYS[2])]
        });
    }
    columns.table()
}

pub(super) const NOTE: &str = "The textbook multiplies by every factor, also by 1. With psi apart a product has 3n \
     multiplications more, and as many of its multiplications are by 1; zero-padded it has transforms of twice the length.";

pub(super) fn data(textbook: &Textbook) -> Value {
    DEGREES
        .iter()
        .map(|&n| {
            let mut object = textbook.data(WORK, &WAYS, n, Q);
            object["n"] = n.into();
            object
        })
        .collect()
}
