//! `OpCount`: what a transform costs, by running it on nothing.

use crate::network::{Kernel, SlotStep};

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
    /// The same, added up before they are reduced.
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
    /// Of these, those that differ from lane to lane.
    pub lanewise_twiddles: u64,
}

impl OpCount {
    /// A counter for machines of that many lanes.
    pub fn new(lanes: usize) -> Self {
        Self { lanes, ..Self::default() }
    }

    /// Adds what is so many times another run, of which each row of the table serves `columns`
    /// times.
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

impl Kernel for OpCount {
    type V = ();
    type Tw = ();
    type Block = ();

    fn lanes(&self) -> usize {
        self.lanes
    }
    fn chunk(&self) -> usize {
        self.lanes
    }
    #[inline(never)]
    fn load(&mut self, _: &()) {
        self.loads += 1;
    }
    #[inline(never)]
    fn store(&mut self, _: &mut (), _: ()) {
        self.stores += 1;
    }
    #[inline(never)]
    fn row(&mut self, _: usize, _: usize) -> Option<()> {
        Some(())
    }
    fn twiddle(&mut self, _: usize) {
        self.twiddles += 1;
    }
    fn twiddle_lanes(&mut self, _: usize) {
        self.twiddles += 1;
        self.lanewise_twiddles += 1;
    }
    #[inline(never)]
    fn scaling(&mut self) -> [(); 2] {
        [(); 2]
    }
    #[inline(never)]
    fn add(&mut self, _: (), _: ()) {
        self.additions += 1;
    }
    #[inline(never)]
    fn sub(&mut self, _: (), _: ()) {
        self.additions += 1;
    }
    #[inline(never)]
    fn reduce(&mut self, _: ()) {
        self.reductions += 1;
    }
    #[inline(never)]
    fn mul<const P: usize>(&mut self, _: [(); P], _: [(); P]) -> [(); P] {
        self.products += P as u64;
        [(); P]
    }
    #[inline(never)]
    fn mul_var(&mut self, _: (), _: ()) {
        self.variable_products += 1;
    }
    #[inline(never)]
    fn dots<const P: usize, const J: usize>(&mut self, _: &[(); P], _: &[()]) -> [(); J] {
        self.wide_products += (P * J) as u64;
        self.wide_sums += J as u64;
        [(); J]
    }
    fn sum_of_products<'a>(
        &mut self,
        s: SlotStep,
        pairs: impl ExactSizeIterator<Item = (&'a (), &'a ())> + Clone,
    ) -> Option<()> {
        let terms = pairs.len() as u64;
        let sums = terms.checked_sub(1)?;
        self.loads += 2 * terms;
        self.variable_products += terms;
        self.additions += sums;
        self.reductions += if s.operands { 2 * terms } else { 0 } + if s.sums { sums } else { 0 };
        Some(())
    }
    #[inline(never)]
    fn interleave<const K: usize>(&mut self, _: (), _: ()) -> ((), ()) {
        self.interleaves += 1;
        ((), ())
    }
    #[inline(never)]
    fn zip(&mut self, a: (), b: ()) -> ((), ()) {
        self.interleave::<1>(a, b)
    }
}
