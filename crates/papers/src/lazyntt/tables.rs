//! Tables, derived by the engine's own network on a ledger: one layer to a pass and one value to a vector, so that its
//! rows are those of LazyNTT.

use ntt::{
    Direction, Pass, Recipe, Ring, Step,
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
        if usual.depth() == 0 {
            return Self { forward: Vec::new(), inverse: Vec::new(), scaling: [1, 0] };
        }
        let (passes, steps) = (passes(usual), vec![Step::Plain; usual.depth() as usize]);
        let program = Program::new(&passes, &steps);
        let shape = [usual.n(), usual.order()];
        let mut ledger = Ledger::new(1, shape, &passes, usual.contract(), usual.root());
        let mut data = ledger.coefficients(usual.n(), usual.ring().exponent(usual.order()));
        let mut run = |direction| {
            let done = match direction {
                Direction::Forward => ledger.run(Forward { program }, &mut data),
                Direction::Inverse => ledger.run(Inverse { program }, &mut data),
            };
            done.expect("one pass for each layer");
            assert!(ledger.imbalance.is_none(), "layers reduce nothing but products");
            let rows: Vec<Row> = core::mem::take(&mut ledger.rows);
            (rows.into_iter().flat_map(|row| row.broadcast).collect(), ledger.scaling)
        };
        let (forward, _) = run(Direction::Forward);
        let (inverse, scaling) = run(Direction::Inverse);
        Self { forward, inverse, scaling }
    }
}

/// One pass for each layer.
fn passes(usual: &Recipe) -> Vec<Pass> {
    let n = usual.n();
    let single = |layer: usize| match (usual.ring(), layer) {
        (Ring::Trinomial, 0) => Pass::Trinomial { stride: n / 2 },
        _ => Pass::Outer { first: layer, levels: 1, stride: n >> (layer + 1) },
    };
    (0..usual.depth() as usize).map(single).collect()
}
