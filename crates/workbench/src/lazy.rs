//! LazyNTT in place of a plan's transforms.

use crate::{
    plans::AnyTransform,
    proof::{Line, line},
};
use ntt::{Interval, internals::model::OpCount};
use papers::lazyntt::{LazyNtt, Proved};

/// A transform by LazyNTT, in whichever word it fits.
#[derive(Debug)]
pub(crate) struct Lazy {
    proved: Proved,
    table_words: usize,
}

impl Lazy {
    pub(crate) fn new(proved: Proved) -> Self {
        let table_words = match proved.usual().bits() {
            16 => LazyNtt::<i16>::of(proved.clone()).table_words(),
            32 => LazyNtt::<i32>::of(proved.clone()).table_words(),
            _ => LazyNtt::<i64>::of(proved.clone()).table_words(),
        };
        Self { proved, table_words }
    }

    /// The plan with the same slots.
    pub(crate) fn usual(&self) -> AnyTransform {
        AnyTransform::from_recipe(self.proved.usual().clone())
    }

    pub(crate) const fn proved(&self) -> &Proved {
        &self.proved
    }

    /// Of `t` products in a row one is reduced.
    pub(crate) const fn t(&self) -> u32 {
        self.proved.t()
    }

    /// Words in the tables of both directions.
    pub(crate) const fn table_words(&self) -> usize {
        self.table_words
    }

    /// Operations of a forward transform, a pointwise product and its inverse transform.
    pub(crate) fn counts(&self) -> [OpCount; 3] {
        self.proved.counts()
    }

    /// All steps of a product, as [`proof::lines`](crate::proof::lines) has those of a plan.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let (c, step) = (self.proved.certificate(), self.proved.slot_step());
        let said = |reduces: bool, what| if reduces { what } else { "" };
        let layer =
            |way: &str, i: usize, ranges: &[Interval]| line(&format!("{way} layer {i}"), &i.to_string(), ranges[i], "");
        let mut lines = vec![line("input", "in", c.input, "")];
        lines.extend((0..c.forward.len()).map(|i| layer("forward", i, &c.forward)));
        lines.push(line("slots", "s", c.slots, said(self.proved.reduces_slots(), "reduce all")));
        lines.push(line("pointwise products", "p", c.products, crate::proof::of_products(step)));
        let before = said(self.proved.reduces_before_inverse(), "reduce slots, not products");
        lines.push(line("inverse input", "i", c.inverse_input, before));
        lines.extend((0..c.inverse.len()).rev().map(|i| layer("inverse", i, &c.inverse)));
        lines.push(line("output", "out", c.output, ""));
        lines
    }
}
