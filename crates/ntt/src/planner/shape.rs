//! Shapes: what is decided about a transform before anything is proved, and the way to a proof.

use super::{
    cost,
    cost_model::CostModel,
    error::PlanError,
    layout::Layers,
    recipe::{Recipe, Schedules},
    search::{Proved, Search},
};
use crate::{
    model::Violation,
    network::{Blocks, Pass, twist},
    reduction::Contract,
    ring::SlotOrder,
};
use alloc::vec::Vec;
use lanes::Backend;

/// What is decided before anything is proved.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) layers: Layers,
    /// See [`Recipe::width`].
    pub(super) width: usize,
    pub(super) q: u64,
    pub(super) slot_order: SlotOrder,
    pub(super) root: u64,
    pub(super) shift: u64,
    pub(super) contract: Contract,
    pub(super) backend: Backend,
    /// Words of blocks, if they were asked for.
    pub(super) blocks: Option<[usize; 2]>,
    /// By what it was chosen.
    pub(super) cost_model: &'static CostModel,
}

impl Shape {
    const fn bits(&self) -> u32 {
        self.contract.constants().bits
    }

    fn passes(&self) -> (Vec<Pass>, Vec<Blocks>) {
        cost::in_memory(self.layers, self.bits(), self.backend.lanes(self.bits()), self.width, self.blocks)
    }

    fn search<'a>(&self, passes: &'a [Pass]) -> Search<'a> {
        let lanes = self.backend.lanes(self.bits());
        let vectors = self.layers.n * self.width / lanes;
        Search { contract: self.contract, backend: self.backend, lanes, vectors, layers: self.layers, passes }
    }

    /// The recipe with the cheapest schedules that can be proved; with `lazy` slots they stay as
    /// large as the last layer makes them.
    pub(super) fn prove(self, lazy: bool) -> Result<Recipe, Violation> {
        let (mut passes, blocks) = self.passes();
        let proved = match (self.search(&passes).schedules(lazy), twist(&passes)) {
            // A twist takes what layers give; where that is too much, each block has its own tables.
            (Err(_), Some((number, _))) => {
                passes.remove(number);
                self.search(&passes).schedules(lazy)?
            }
            (proved, _) => proved?,
        };
        Ok(self.recipe(passes, blocks, proved))
    }

    fn recipe(self, passes: Vec<Pass>, blocks: Vec<Blocks>, Proved { schedules, certificate }: Proved) -> Recipe {
        let (bits, method) = (self.bits(), self.contract.method());
        let Self { layers, width, q, slot_order, root, shift, contract, backend, cost_model, .. } = self;
        let Layers { ring, n, depth, thirds } = layers;
        Recipe {
            n,
            width,
            q,
            ring,
            slot_order,
            depth,
            thirds,
            root,
            shift,
            method,
            contract,
            backend,
            bits,
            cost_model,
            passes,
            blocks,
            schedules,
            certificate,
        }
    }
}

impl Recipe {
    /// The same transform with other schedules, proved again.
    ///
    /// **Errors** if some value could leave the word, if the schedules have another number of
    /// layers, or if factors that reductions leave would differ where values are added.
    pub fn with_schedules(&self, schedules: Schedules) -> Result<Self, PlanError> {
        let shape = self.shape();
        let expected = shape.layers.all();
        if [&schedules.forward, &schedules.inverse].iter().any(|steps| steps.len() != expected) {
            return Err(PlanError::Layers { expected });
        }
        let search = shape.search(&self.passes);
        if !search.balanced(&schedules) {
            return Err(PlanError::Factors { method: self.method });
        }
        let proved = search.of(schedules).map_err(|violation| self.refusal(violation))?;
        Ok(shape.recipe(self.passes.clone(), self.blocks.clone(), proved))
    }

    /// The same transform with other schedules and the certificate of the old ones, which may be
    /// false: for tests that show what a missing reduction does.
    #[cfg(feature = "internals")]
    pub fn with_unproved_schedules(&self, schedules: Schedules) -> Self {
        Self { schedules, ..self.clone() }
    }

    /// The same transform of `width` polynomials side by side, a multiple of the lanes: by the same method, with the
    /// cheapest schedules that can be proved.
    #[cfg(feature = "std")]
    pub(crate) fn side_by_side(&self, width: usize) -> Result<Self, Violation> {
        Shape { width, ..self.shape() }.prove(!self.schedules().reduce_slots())
    }

    fn shape(&self) -> Shape {
        let Self { n, width, q, ring, slot_order, depth, thirds, root, shift, backend, cost_model, .. } = *self;
        let layers = Layers { ring, n, depth, thirds };
        Shape {
            layers,
            width,
            q,
            slot_order,
            root,
            shift,
            contract: self.contract(),
            backend,
            blocks: None,
            cost_model,
        }
    }
}
