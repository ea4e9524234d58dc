//! All depths of a transform beside one another: what the planner estimates of each, and what this
//! machine says.

use crate::{
    fault::Fault,
    jobs::Operation,
    measure::{Effort, Meter},
    plans::AnyTransform,
    screen::{Screen, columns},
};
use ntt::Recipe;
use schemars::JsonSchema;
use serde::Serialize;

/// A depth.
pub(super) struct Tried {
    recipe: Recipe,
    /// Cycles of a product.
    measured: Option<f64>,
}

/// Depths, the deepest first, in the unit in which they were measured.
pub(super) struct Depths {
    tried: Vec<Tried>,
    unit: &'static str,
}

impl Depths {
    /// Without measurements.
    pub(super) fn estimated(recipes: Vec<Recipe>) -> Self {
        Self { tried: recipes.into_iter().map(|recipe| Tried { recipe, measured: None }).collect(), unit: "" }
    }

    /// With a product of each depth measured, taking turns.
    pub(super) fn measured(recipes: Vec<Recipe>, quick: bool, screen: &Screen) -> Result<Self, Fault> {
        let mut meter = Meter::new()?;
        let job = |recipe: &Recipe| {
            Operation::Product.job(recipe.depth().to_string(), &AnyTransform::from_recipe(recipe.clone()))
        };
        let progress = screen.progress(recipes.len() as u64);
        let rows = meter.measure(recipes.iter().map(job).collect(), Effort::new(quick), &progress);
        progress.finish_and_clear();
        let cycles = |name: &str| rows.iter().find(|row| row.name == name).map(|row| row.core.median);
        let tried = recipes.into_iter().map(|recipe| Tried { measured: cycles(&recipe.depth().to_string()), recipe });
        Ok(Self { tried: tried.collect(), unit: meter.unit() })
    }

    fn is_measured(&self) -> bool {
        self.tried.iter().all(|tried| tried.measured.is_some())
    }

    /// The depth whose product is estimated to be the fastest, and the one that was.
    fn best(&self) -> [Option<u32>; 2] {
        let estimated = |tried: &&Tried| tried.recipe.estimated_cycles();
        let by_estimate = self.tried.iter().min_by_key(estimated);
        let measured = self.tried.iter().filter(|_| self.is_measured());
        let by_clock = measured.min_by(|a, b| a.measured.partial_cmp(&b.measured).expect("times are numbers"));
        [by_estimate, by_clock].map(|tried| tried.map(|tried| tried.recipe.depth()))
    }

    /// The table; nothing where there is no choice.
    pub(super) fn text(&self, chosen: u32) -> String {
        if self.tried.len() < 2 {
            return String::new();
        }
        let [by_estimate, by_clock] = self.best();
        let mut heading = ["depth", "slot degree", "backend", "estimated cycles of a product", "verdict"].to_vec();
        if self.is_measured() {
            heading.insert(4, "measured");
        }
        let mut rows = vec![heading.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()];
        rows.extend(self.tried.iter().map(|Tried { recipe: r, measured }| {
            let verdicts = [(Some(chosen), "chosen"), (by_estimate, "fastest by estimate"), (by_clock, "fastest here")];
            let verdict = verdicts.iter().filter(|(depth, _)| *depth == Some(r.depth())).map(|(_, verdict)| *verdict);
            let mut row = vec![r.depth().to_string(), r.slot_degree().to_string(), r.backend().to_string()];
            row.push(r.estimated_cycles().to_string());
            row.extend(measured.map(|cycles| format!("{cycles:.0}")));
            row.push(verdict.collect::<Vec<_>>().join(", "));
            row
        }));
        let mut text = columns(if self.is_measured() { "rrlrrl" } else { "rrlrl" }, &rows);
        if self.is_measured() {
            text += &format!("measured: {}, a product in place\n", self.unit);
        }
        text
    }

    /// The same for programs.
    pub(super) fn answer(&self) -> AllDepths {
        let [fastest_by_estimate, fastest_measured] = self.best();
        let tried = self.tried.iter().map(|Tried { recipe: r, measured }| TriedDepth {
            depth: r.depth(),
            slot_degree: r.slot_degree(),
            backend: r.backend().name(),
            method: r.method().name(),
            estimated_cycles: r.estimated_cycles(),
            measured: *measured,
        });
        AllDepths { fastest_by_estimate, fastest_measured, tried: tried.collect() }
    }
}

/// All depths of a transform.
#[derive(Serialize, JsonSchema)]
pub(super) struct AllDepths {
    /// The depth whose product is estimated to be the fastest.
    fastest_by_estimate: Option<u32>,
    /// With `--measure`: the depth whose product was the fastest.
    fastest_measured: Option<u32>,
    /// Depth by depth.
    tried: Vec<TriedDepth>,
}

/// A depth.
#[derive(Serialize, JsonSchema)]
struct TriedDepth {
    /// Layers.
    depth: u32,
    /// The number of coefficients of a slot.
    slot_degree: usize,
    /// The instructions.
    backend: &'static str,
    /// The method of reduction.
    method: &'static str,
    /// Of a product.
    #[schemars(with = "usize")]
    estimated_cycles: u64,
    /// With `--measure`: core cycles of a product.
    measured: Option<f64>,
}
