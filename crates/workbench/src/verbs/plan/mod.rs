//! `plan N Q`: everything that is decided and proved about a transform, or why there is none; `plan --measure`:
//! what methods cost on this CPU.

mod answer;
pub(super) mod costs;
mod depths;
pub(super) mod exact;

pub(super) use answer::Answer;

use crate::{
    answers,
    costs::{self as costs_of, DEFAULT, Kept},
    fault::Fault,
    files,
    lazy::Lazy,
    number,
    plans::{AnyTransform, How, Wanted},
    proof::{self, Line},
    screen::{Screen, columns, counted},
    symbols::{Symbols, content},
};
use answer::Operations;
use clap::Args;
use depths::Depths;
use ntt::{Decision, Direction, Method, PlanError, Recipe, arith::Invertible, internals::model::OpCount};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// Degree; layers halve it, so it should have many factors of two
    #[arg(value_parser = number::size, allow_negative_numbers = true, required_unless_present = "measure",
        requires = "q")]
    n: Option<usize>,
    /// Modulus, such as 12289, 0x3001 or 3*2^12+1: a prime with roots of unity for transforms, or any number from
    /// 5 on
    #[arg(value_parser = number::unsigned, allow_negative_numbers = true, required_unless_present = "measure")]
    q: Option<u64>,
    #[command(flatten)]
    how: How,
    /// By LazyNTT: of T products in a row one is reduced (2 is SM, 3 is SSM); montgomery, one word
    /// at a time
    #[arg(long, value_name = "T", allow_negative_numbers = true, requires = "n",
        conflicts_with_all = ["lazy", "measure", "all", "costs"])]
    lazy_ntt: Option<u32>,
    /// Measures a product at every depth; without N and Q, what every method costs on this CPU, and
    /// writes that to a file
    #[arg(long)]
    measure: bool,
    /// Measures less, for a first look
    #[arg(long, requires = "measure")]
    quick: bool,
    /// Also every other method and every other depth, which takes longer
    #[arg(long, requires = "n")]
    all: bool,
    /// Chooses by what methods cost as this file has it, or as on every machine: `default` [default: the
    /// file that `plan --measure` has written for this CPU, if there is one]
    #[arg(long, value_name = "FILE", requires = "n")]
    costs: Option<PathBuf>,
    /// Where `plan --measure` writes what methods cost, or - for standard output [default:
    /// ringwork/costs.txt where this user has caches, in the place of an older one]
    #[arg(long, value_name = "FILE", requires = "measure", conflicts_with = "n")]
    out: Option<PathBuf>,
    /// Replaces a file that exists
    #[arg(long, requires = "out")]
    force: bool,
}

impl Plan {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let (Some(n), Some(q)) = (self.n, self.q) else {
            if self.how.is_empty() {
                return costs::run(self.quick, self.out.as_deref(), self.force, screen);
            }
            let why = "what methods cost is measured for all rings, words and backends: N and Q are missing, or too \
                       much is said";
            return Err(Fault::Usage(why.into()));
        };
        if let Some(t) = self.lazy_ntt {
            let wanted = Wanted { n, q, how: self.how.clone() };
            let lazy = Lazy::new(wanted.by_lazy_ntt(t)?);
            let (plan, facts, beyond) = (lazy.usual(), Facts::of_lazy_ntt(&lazy), Beyond::default());
            let answer = Answer::of(&plan, &facts, &beyond, CostsFrom::of(None));
            return screen.answer(answer, || text(&plan, &facts, &beyond));
        }
        let kept = match &self.costs {
            Some(path) if path.as_os_str() == DEFAULT => None,
            Some(path) => Some(costs_of::named(path, screen)?),
            None => costs_of::of_this_cpu(screen),
        };
        let wanted = Wanted { n, q, how: self.how.by_costs(kept.as_ref().map(|kept| kept.model)) };
        let recipe = match wanted.decide()? {
            Decision::Crt(exact) => {
                let refusal = wanted.refusal(exact.bits()).map(|e| e.to_string());
                let answer = exact::answer(&exact, refusal.as_deref(), CostsFrom::of(kept.as_ref()));
                return screen.answer(answer, || exact::text(&exact, refusal.as_deref()) + &costs_text(kept.as_ref()));
            }
            Decision::Direct(recipe) => recipe,
        };
        let depths = match (self.measure, self.all) {
            (true, _) => Some(Depths::measured(wanted.depths(recipe.bits()), self.quick, screen)?),
            (_, true) => Some(Depths::estimated(wanted.depths(recipe.bits()))),
            _ => None,
        };
        let plan = AnyTransform::from_recipe(recipe);
        let candidates = self.all.then(|| wanted.candidates().iter().map(|c| Candidate::new(c, &plan)).collect());
        let (facts, beyond) = (Facts::of(&plan), Beyond { candidates, depths });
        let answer = Answer::of(&plan, &facts, &beyond, CostsFrom::of(kept.as_ref()));
        screen.answer(answer, || text(&plan, &facts, &beyond) + &costs_text(kept.as_ref()))
    }
}

/// By what the plan was chosen, if not as on every machine.
fn costs_text(kept: Option<&Kept>) -> String {
    kept.map_or_else(String::new, |Kept { path, model }| {
        format!(
            "\nchosen by what methods cost in {}, measured on {};\n--costs default chooses as on every machine\n",
            files::name(path),
            model.cpu()
        )
    })
}

/// By what a plan was chosen: null for the default costs, which are the same on every machine.
#[derive(Serialize, JsonSchema)]
struct CostsFrom {
    /// The file with the measured costs.
    file: Option<String>,
    /// The CPU on which they were measured.
    cpu: Option<String>,
}

impl CostsFrom {
    fn of(kept: Option<&Kept>) -> Self {
        Self {
            file: kept.map(|kept| kept.path.to_string_lossy().into_owned()),
            cpu: kept.map(|kept| kept.model.cpu().to_owned()),
        }
    }
}

/// What runs, and what is proved of it: the plan, or LazyNTT with the same slots.
struct Facts {
    /// Of LazyNTT, of how many products in a row one is reduced.
    t: Option<u32>,
    lines: Vec<Line>,
    /// Vector operations of a forward transform, a pointwise product and an inverse transform.
    counts: [OpCount; 3],
    table_words: usize,
    passes: Vec<String>,
}

impl Facts {
    fn of(plan: &AnyTransform) -> Self {
        let r = plan.recipe();
        let passes = r.passes().iter().map(proof::describe).collect();
        Self { t: None, lines: proof::lines(r), counts: plan.counts(), table_words: plan.table_words(), passes }
    }

    fn of_lazy_ntt(lazy: &Lazy) -> Self {
        let passes = lazy.proved().shape(Direction::Forward).passes().iter().map(proof::describe).collect();
        let (lines, counts, table_words) = (lazy.lines(), lazy.counts(), lazy.table_words());
        Self { t: Some(lazy.t()), lines, counts, table_words, passes }
    }
}

/// What is shown besides the plan, if it was asked for.
#[derive(Default)]
struct Beyond {
    candidates: Option<Vec<Candidate>>,
    depths: Option<Depths>,
}

/// A method in words of some width, and what the planner thought of it.
#[derive(Serialize, JsonSchema)]
struct Candidate {
    /// The method and the width.
    name: String,
    /// Of a product; null if there is none.
    #[schemars(with = "Option<usize>")]
    estimated_cycles: Option<u64>,
    /// Reductions of whole vectors.
    reductions: Reductions,
    /// Whether it was chosen, or why not.
    verdict: String,
}

/// Reductions of whole vectors; null where there is no transform.
#[derive(Default, Serialize, JsonSchema)]
struct Reductions {
    /// Of a forward transform.
    #[schemars(with = "Option<usize>")]
    forward: Option<u64>,
    /// Of an inverse transform.
    #[schemars(with = "Option<usize>")]
    inverse: Option<u64>,
}

impl Candidate {
    fn new((bits, method, outcome): &(u32, Method, Result<Recipe, PlanError>), plan: &AnyTransform) -> Self {
        let chosen = plan.recipe();
        let name = format!("{method}-{bits}");
        match outcome {
            Err(refusal) => {
                let verdict = refusal.to_string();
                Self { name, estimated_cycles: None, reductions: Reductions::default(), verdict }
            }
            Ok(recipe) => {
                let [forward, _, inverse] = recipe.counts();
                let verdict = if (*bits, *method) == (chosen.bits(), chosen.method()) {
                    "chosen"
                } else if recipe.leaves_factor() {
                    "leaves a factor on the slots"
                } else if *bits != chosen.bits() {
                    "another word"
                } else if recipe.estimated_cycles() < chosen.estimated_cycles() {
                    "faster, but not what was asked for"
                } else {
                    "not faster"
                };
                let reductions = Reductions { forward: Some(forward.reductions), inverse: Some(inverse.reductions) };
                let estimated_cycles = Some(recipe.estimated_cycles());
                Self { name, estimated_cycles, reductions, verdict: verdict.into() }
            }
        }
    }
}

/// How the ring splits, in words.
fn splitting(r: &Recipe) -> String {
    let splitting = r.splitting();
    let factors = match (splitting.factors, splitting.multiplicity) {
        (1, 1) => "irreducible".into(),
        (f, 1) => format!("{f} irreducible factors"),
        (f, m) => format!("{} power of {}: not square-free", ordinal(m), counted(f, "irreducible factor")),
    };
    match splitting.invertible {
        None => factors,
        Some(Invertible { max_norm, squared_norm }) => format!(
            "{factors}; a non-zero element is invertible if no coefficient exceeds {}, or if its squares sum to at most {}",
            max_norm, squared_norm
        ),
    }
}

/// `17` as `17th`.
fn ordinal(x: u64) -> String {
    let ending = match (x % 10, x % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{x}{ending}")
}

fn text(plan: &AnyTransform, facts: &Facts, beyond: &Beyond) -> String {
    let r = plan.recipe();
    let mut text = format!("{}, {}\n", Symbols::Terminal.ring(r), r.ring());
    let slot = content(r.slot_degree());
    text += &format!(
        "depth      {}{}, {} of {slot} each\n",
        counted(r.depth(), "layer"),
        if r.thirds() > 0 { format!(" and {} in thirds", r.thirds()) } else { String::new() },
        counted(r.slots() as u64, "slot")
    );
    text += &format!("splits     {}\n", splitting(r));
    text += &format!("root       {}, of order {}\n", r.root(), r.order());
    text += &format!("reduction  {}\n", r.method());
    if let Some(t) = facts.t {
        text += &format!("LazyNTT    of {} in a row one is reduced\n", counted(t, "product"));
    }
    text += &format!("backend    {}, {} of {} bits\n", r.backend(), counted(r.lanes() as u64, "lane"), r.bits());
    if plan.factor().residue != 1 {
        text += &format!(
            "factor     {} on every slot, k^{}; the inverse removes it\n",
            plan.factor().residue,
            plan.factor().k
        );
    }
    let bytes = facts.table_words as u64 * u64::from(r.bits() / 8);
    text += &format!("tables     {} words, {bytes} bytes\n", facts.table_words);
    text += &format!("passes     {}\n", facts.passes.join(", "));

    let limit = r.certificate().word();
    let residues = crate::plans::residues_taken(r);
    let mut rows = vec![row(["proved", "range", "of the word", "beyond products"])];
    for Line { name, range, reduces, .. } in &facts.lines {
        rows.push(vec![name.clone(), range.to_string(), proof::bar(*range, limit), (*reduces).into()]);
    }
    text += &format!("\n{}", columns("lrll", &rows));
    text += &format!(
        "a word holds {limit}; for coefficients in {residues} no value of any layer leaves the range beside it\n\n"
    );

    let mut rows = vec![row(["vector operations", "forward", "pointwise product", "inverse"])];
    let counts = facts.counts.map(|count| answers::value(Operations::from(count)));
    for (name, _) in counts[0].as_object().into_iter().flatten() {
        let cells = counts.iter().map(|count| count[name].to_string());
        rows.push(std::iter::once(name.clone()).chain(cells).collect());
    }
    text += &columns("lrrr", &rows);

    if facts.t.is_some() {
        return text;
    }
    let Some(candidates) = &beyond.candidates else {
        return text
            + &beyond.depths.as_ref().map_or_else(
                || "\n--all shows what other methods and other depths would cost\n".into(),
                |depths| format!("\n{}", depths.text(r.depth())),
            );
    };
    let mut rows = vec![row(["method", "estimated cycles of a product", "reductions", "verdict"])];
    for c in candidates {
        let cycles = c.estimated_cycles.map_or_else(String::new, |cycles| cycles.to_string());
        let reductions = c.reductions.forward.zip(c.reductions.inverse);
        let reductions = reductions.map_or_else(String::new, |(forward, inverse)| format!("{forward} + {inverse}"));
        rows.push(vec![c.name.clone(), cycles, reductions, c.verdict.clone()]);
    }
    text += &format!("\n{}", columns("lrrl", &rows));
    match beyond.depths.as_ref().map(|depths| depths.text(r.depth())) {
        Some(table) if !table.is_empty() => text + "\n" + &table,
        _ => text,
    }
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(String::from).to_vec()
}
