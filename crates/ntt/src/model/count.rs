//! `OpCount`: counts the operations of a transform, by running the network on nothing.

use super::interpreter::{Algebra, Value, interpret};
use crate::network::{Job, SlotStep};
use alloc::vec;

/// Vector operations of a run. One operation acts on all lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpCount {
    /// Lanes of the counted machine.
    pub lanes: usize,
    /// Products with a twiddle that are reduced.
    pub products: u64,
    /// Products with a twiddle that are left unreduced.
    pub exact_products: u64,
    /// Products of two variables.
    pub variable_products: u64,
    /// Products of two variables that are added up before they are reduced.
    pub wide_products: u64,
    /// Reductions of such sums.
    pub wide_sums: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Reductions outside products.
    pub reductions: u64,
    /// Exchanges between two vectors.
    pub interleaves: u64,
    /// Vectors read.
    pub loads: u64,
    /// Vectors written.
    pub stores: u64,
    /// Twiddles read.
    pub twiddles: u64,
    /// Those of them that differ from lane to lane.
    pub lanewise_twiddles: u64,
}

impl OpCount {
    /// A counter for machines with that many lanes.
    pub fn new(lanes: usize) -> Self {
        Self { lanes, ..Self::default() }
    }

    /// Adds `times` times another run, in which each row of the table serves `columns` times.
    pub(crate) fn add_times(&mut self, run: &Self, times: usize, columns: usize) {
        let times = times as u64;
        self.products += times * run.products;
        self.exact_products += times * run.exact_products;
        self.variable_products += times * run.variable_products;
        self.wide_products += times * run.wide_products;
        self.wide_sums += times * run.wide_sums;
        self.additions += times * run.additions;
        self.reductions += times * run.reductions;
        self.interleaves += times * run.interleaves;
        self.loads += times * run.loads;
        self.stores += times * run.stores;
        self.twiddles += times / columns as u64 * run.twiddles;
        self.lanewise_twiddles += times / columns as u64 * run.lanewise_twiddles;
    }
}

/// A counted run.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The operations so far.
    pub count: OpCount,
    /// Whether the counted method adds up products before reducing them.
    pub adds_up_wide: bool,
}

impl Counter {
    /// An empty count, for vectors with that many lanes.
    pub fn new(lanes: usize) -> Self {
        Self { count: OpCount::new(lanes), adds_up_wide: false }
    }

    /// Counts a job on sequences with these numbers of vectors, written and read.
    pub fn run<J: Job<M, N>, const M: usize, const N: usize>(&mut self, job: J, vectors: [usize; 2]) -> Option<()> {
        let [written, read] = vectors.map(|vectors| vec![Value::default(); vectors]);
        let mut out = [(); M].map(|()| written.clone());
        interpret(job, self, out.each_mut().map(|v| &mut v[..]), [&read[..]; N])
    }
}

impl Algebra for Counter {
    fn lanes(&self) -> usize {
        self.count.lanes
    }
    fn bits(&self) -> u32 {
        (128 / self.count.lanes.min(128)) as u32 // whole vectors are chunks
    }
    fn load(&mut self, block: Value) -> Value {
        self.count.loads += 1;
        block
    }
    fn store(&mut self, _: &mut Value, _: Value) {
        self.count.stores += 1;
    }
    fn twiddle(&mut self, _: usize) -> usize {
        self.count.twiddles += 1;
        0
    }
    fn twiddle_lanes(&mut self, _: usize) -> usize {
        self.count.twiddles += 1;
        self.count.lanewise_twiddles += 1;
        0
    }
    fn add(&mut self, a: Value, _: Value) -> Value {
        self.count.additions += 1;
        a
    }
    fn sub(&mut self, a: Value, _: Value) -> Value {
        self.count.additions += 1;
        a
    }
    fn reduce(&mut self, x: Value) -> Value {
        self.count.reductions += 1;
        x
    }
    fn mul(&mut self, _: usize, x: Value, _: usize) -> Value {
        self.count.products += 1;
        x
    }
    fn mul_exact(&mut self, x: Value, _: usize) -> Value {
        self.count.exact_products += 1;
        x
    }
    fn mul_var(&mut self, x: Value, _: Value) -> Value {
        self.count.variable_products += 1;
        x
    }
    fn dot(&mut self, x: &[Value], _: &[Value]) -> Value {
        self.count.wide_products += x.len() as u64;
        self.count.wide_sums += 1;
        x[0]
    }
    fn adds_up_wide(&self) -> bool {
        self.adds_up_wide
    }
    fn sum_of_products(&mut self, s: SlotStep, pairs: &[[Value; 2]]) -> Option<Value> {
        let terms = pairs.len() as u64;
        let sums = terms.checked_sub(1)?;
        self.count.loads += 2 * terms;
        self.count.variable_products += terms;
        self.count.additions += sums;
        self.count.reductions += if s.operands { 2 * terms } else { 0 } + if s.sums { sums } else { 0 };
        Some(Value::default())
    }
    fn interleave(&mut self, _: usize, a: Value, b: Value) -> [Value; 2] {
        self.count.interleaves += 1;
        [a, b]
    }
    fn zip(&mut self, a: Value, b: Value) -> [Value; 2] {
        self.interleave(1, a, b)
    }
    fn canonical(&mut self, x: Value) -> Value {
        x
    }
    fn canonical_of_sum(&mut self, _: bool, x: Value) -> Value {
        x
    }
    fn add_q_to_negative(&mut self, x: Value) -> Value {
        x
    }
    fn sub_q_above_half(&mut self, x: Value) -> Value {
        x
    }
}
