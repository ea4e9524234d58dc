//! Memory of tables (section 3.4 of the paper): what LazyNTT holds more than the transform without it.

use super::rings;
use crate::{
    plans::AnyTransform,
    report::{Columns, Table, printed::lazyntt::VARIANTS},
    screen::grouped,
};
use papers::lazyntt::{LazyNtt, Wanted};
use serde_json::{Value, json};

/// Bytes of a ring's tables.
pub(super) struct Memory {
    n: usize,
    q: u64,
    /// In words of 64 bits, where there is one, both directions: of the engine's plan, and of LazyNTT on the engine.
    plans: [Option<usize>; VARIANTS.len()],
}

impl Memory {
    /// Ḡ of Falcon's words of 16 bits: n·16 bits.
    const fn original(&self) -> usize {
        2 * self.n
    }

    /// What the paper adds: G as well, n·16 bits, and (n/2 − 1)·8 bits of jumps.
    const fn added(&self) -> usize {
        2 * self.n + self.n / 2 - 1
    }
}

/// All rings of both tables.
pub(super) fn all() -> Vec<Memory> {
    let plan = |n, q, t| {
        let wanted = Wanted::new(n, q, t);
        let words = match t {
            1 => AnyTransform::new(&wanted.usual(), Some(64)).ok()?.table_words(),
            _ => LazyNtt::<i64>::of(wanted.prove(64).ok()?).table_words(),
        };
        Some(8 * words)
    };
    rings().map(|(n, q)| Memory { n, q, plans: VARIANTS.map(|(_, t)| plan(n, q, t)) }).collect()
}

pub(super) fn table(all: &[Memory]) -> Table {
    let bytes = |count: usize| grouped(count as u64);
    let meaning = "Bytes of tables: by the paper's section 3.4 for the forward transform, words of 16 bits and jumps of 8; in \
                   the engine's plans for both directions, words of 64 bits and no jumps. Both keep a second form of each factor.";
    Columns::new(meaning, all)
        .group("", ["n", "q"], |of| [of.n, of.q as usize])
        .group("paper, forward", ["Original", "LazyNTT adds"], |of| [of.original(), of.added()].map(bytes))
        .group("engine, both directions", ["Original", "SM", "SSM"], |of| of.plans.map(|plan| plan.map(bytes)))
        .table()
}

pub(super) fn data(all: &[Memory]) -> Value {
    let row = |of: &Memory| {
        json!({
            "n": of.n, "q": of.q, "paper_original_bytes": of.original(), "paper_added_bytes": of.added(),
            "engine_bytes": of.plans,
        })
    };
    all.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 3.4: n·16 bits and (n/2 − 1)·8 bits more. The engine has a second form of each factor
    /// too, 16 bytes each way, and no jumps: SM and SSM take the same.
    #[test]
    fn bytes_of_tables() {
        let all = all();
        assert_eq!(all.len(), 8);
        for of in &all {
            assert_eq!(8 * of.added(), 16 * of.n + (of.n / 2 - 1) * 8);
            let [original, sm, ssm] = of.plans.map(|plan| plan.expect("a plan in words of 64 bits"));
            assert_eq!(sm, ssm, "n = {}", of.n);
            assert!((30 * of.n..=32 * of.n).contains(&(sm - original)), "n = {}: {sm} and {original}", of.n);
        }
    }
}
