//! `plan N Q`: everything that is decided and proved about a transform, or why there is none.

use crate::{
    fault::Fault,
    plans::{AnyPlan, Wanted},
    proof::{self, Line},
    screen::{Screen, columns, grouped},
};
use clap::Args;
use ntt::{Range, Ring, model::Count};
use serde_json::{Value, json};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    #[command(flatten)]
    wanted: Wanted,
}

impl Plan {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let plan = self.wanted.plan()?;
        screen.answer(object(&plan), || text(&plan))
    }
}

fn text(plan: &AnyPlan) -> String {
    let r = plan.recipe();
    let (n, sign) = (r.n, if r.ring == Ring::Negacyclic { '+' } else { '-' });
    let mut text = format!("Z_{}[X]/(X^{n} {sign} 1), {}\n", r.q, r.ring);
    let slot = if r.slot_degree() == 1 { "one number".into() } else { format!("{} coefficients", r.slot_degree()) };
    text += &format!("depth      {} layers, {} slots of {slot} each\n", r.depth, 1_u64 << r.depth);
    text += &format!("root       {}, of order {}\n", r.root, r.order());
    text += &format!("reduction  {}\n", r.method);
    let lanes = if r.lanes() == 1 { "1 lane".into() } else { format!("{} lanes", r.lanes()) };
    text += &format!("backend    {}, {lanes} of {} bits\n", r.backend, r.bits);
    if plan.factor().residue != 1 {
        text += &format!(
            "factor     {} on every slot, k^{}; the inverse removes it\n",
            plan.factor().residue,
            plan.factor().k
        );
    }
    let bytes = plan.table_words() as u64 * u64::from(r.bits / 8);
    text += &format!("tables     {} words, {} bytes\n", grouped(plan.table_words() as u64), grouped(bytes));
    let passes: Vec<String> = r.passes.iter().map(proof::describe).collect();
    text += &format!("passes     {}\n", passes.join(", "));

    let limit = r.certificate.word;
    let mut rows = vec![row(["proved", "range", "of the word", "beyond products"])];
    for Line { name, range, reduces, .. } in proof::lines(r) {
        rows.push(vec![name, range.to_string(), bar(range, limit), reduces.into()]);
    }
    text += &format!("\n{}", columns("lrll", &rows));
    text += &format!("a word holds {limit}; no value of any layer leaves the range beside it, for any input\n\n");

    let mut rows = vec![row(["vector operations", "forward", "slot product", "inverse"])];
    let counts = plan.counts().map(operations);
    for (i, (name, _)) in counts[0].iter().enumerate() {
        let cells = counts.iter().map(|c| grouped(c[i].1));
        rows.push(std::iter::once((*name).into()).chain(cells).collect());
    }
    text + &columns("lrrr", &rows)
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(String::from).to_vec()
}

/// How much of the word a range takes.
fn bar(range: Range, limit: Range) -> String {
    const FULL: i64 = 20;
    let share = |parts: i64| (range.magnitude() as i128 * i128::from(parts) / limit.magnitude() as i128) as i64;
    let filled = (share(FULL).max(1)) as usize;
    format!("{:>3} % {}", share(100), "█".repeat(filled))
}

fn operations(c: Count) -> [(&'static str, u64); 8] {
    [
        ("products with a twiddle", c.products),
        ("products of two variables", c.variable_products),
        ("additions, subtractions", c.additions),
        ("reductions", c.reductions),
        ("interleaves", c.interleaves),
        ("loads", c.loads),
        ("stores", c.stores),
        ("twiddles read", c.twiddles),
    ]
}

fn object(plan: &AnyPlan) -> Value {
    let r = plan.recipe();
    let ranges = proof::lines(r)
        .into_iter()
        .map(|line| json!({ "name": line.name, "lo": line.range.lo, "hi": line.range.hi, "reduces": line.reduces }));
    let ops =
        |c: Count| operations(c).into_iter().map(|(k, v)| (k.into(), v.into())).collect::<serde_json::Map<_, _>>();
    let [forward, slots, inverse] = plan.counts().map(ops);
    let mut object = plan.identity();
    object["order"] = json!("native");
    object["lanes"] = json!(r.lanes());
    object["factor"] = json!({ "residue": plan.factor().residue, "k": plan.factor().k });
    object["table_words"] = json!(plan.table_words());
    object["passes"] = json!(r.passes.iter().map(proof::describe).collect::<Vec<_>>());
    object["word"] = json!({ "lo": r.certificate.word.lo, "hi": r.certificate.word.hi });
    object["ranges"] = ranges.collect();
    object["vector_operations"] = json!({ "forward": forward, "inverse": inverse, "slot_product": slots });
    object
}
