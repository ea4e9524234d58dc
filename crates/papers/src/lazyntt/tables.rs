//! Tables, derived by the engine's own network on a ledger, with LazyNTT's passes and one value to a vector, so that its
//! rows are those of LazyNTT.

use super::network::Layers;
use ntt::{
    Direction, Recipe, Step,
    internals::{
        model::{Ledger, Row},
        network::{Forward, Inverse, Program},
    },
};

/// The twiddles of both directions in the order in which blocks read them, and the two residues that scale the last
/// inverse layer, for transformed polynomials. Residues are in `[0, q)`.
pub(super) struct Twiddles {
    pub(super) forward: Vec<u64>,
    pub(super) inverse: Vec<u64>,
    pub(super) scaling: [u64; 2],
}

impl Twiddles {
    /// Those of a recipe by Montgomery's method, which leaves no factors in layers.
    pub(super) fn of(usual: &Recipe) -> Self {
        if usual.layers() == 0 {
            return Self { forward: Vec::new(), inverse: Vec::new(), scaling: [1, 0] };
        }
        let (passes, steps) = (Layers::of(usual).passes(), vec![Step::Plain; usual.layers() as usize]);
        let program = Program::new(&passes, &steps);
        let shape = [usual.n(), usual.order()];
        let mut ledger = Ledger::new(1, shape, &passes, usual.contract(), usual.root());
        let mut data = ledger.coefficients(usual.n(), usual.ring().exponent(usual.order()));
        let mut run = |direction| {
            let done = match direction {
                Direction::Forward => ledger.run(Forward { program }, &mut data),
                Direction::Inverse => ledger.run(Inverse { program }, &mut data),
            };
            done.expect("every layer has a pass");
            assert!(ledger.imbalance.is_none(), "layers reduce nothing but products");
            let rows: Vec<Row> = core::mem::take(&mut ledger.rows);
            (rows.into_iter().flat_map(|row| row.broadcast).collect(), ledger.scaling)
        };
        let (forward, _) = run(Direction::Forward);
        let (inverse, scaling) = run(Direction::Inverse);
        Self { forward, inverse, scaling }
    }
}
