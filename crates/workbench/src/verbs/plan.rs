//! `plan N Q`: everything that is decided and proved about a transform, or why there is none.

use crate::{
    fault::Fault,
    plans::{AnyPlan, Wanted},
    screen::{Screen, columns, grouped},
};
use clap::Args;
use ntt::{Range, Recipe, Ring, model::Count, schedule::Step};
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

/// A line of the proof.
struct Line {
    name: String,
    range: Range,
    reduces: String,
}

/// The proof in the order of the computation.
fn proof(recipe: &Recipe) -> Vec<Line> {
    let (c, s) = (&recipe.certificate, &recipe.schedules);
    let line = |name: &str, range, reduces: &str| Line { name: name.into(), range, reduces: reduces.into() };
    let layer = |way: &str, i: usize, ranges: &[Range], steps: &[Step]| Line {
        name: format!("{way} layer {i}"),
        range: ranges[i],
        reduces: describe(steps[i]),
    };
    let either = |condition, what| if condition { what } else { "" };
    let mut lines = vec![line("input", c.input, "")];
    lines.extend((0..c.forward.len()).map(|i| layer("forward", i, &c.forward, &s.forward)));
    lines.push(line("slots", c.slots, either(s.reduce_slots, "all")));
    let products = match (s.slots.operands, s.slots.sums) {
        (false, false) => "",
        (true, false) => "operands",
        (false, true) => "sums",
        (true, true) => "operands, sums",
    };
    lines.push(line("slot products", c.products, products));
    lines.extend((0..c.inverse.len()).rev().map(|i| layer("inverse", i, &c.inverse, &s.inverse)));
    lines.push(line("output", c.output, ""));
    lines
}

/// Which operands a step reduces beyond its products, and in which butterflies of a group of four.
fn describe(step: Step) -> String {
    let places = [("a", step.a()), ("b", step.b()), ("multiplicand", step.multiplicand()), ("sum", step.sum())];
    let used = places.into_iter().filter(|(_, mask)| *mask != 0).map(|(name, mask)| match mask {
        15 => name.into(),
        _ => {
            let which: Vec<String> = (0..4).filter(|i| mask >> i & 1 == 1).map(|i: u16| i.to_string()).collect();
            format!("{name} of {}", which.join(" "))
        }
    });
    used.collect::<Vec<_>>().join(", ")
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
        text += &format!("factor     {} on every slot, k^{}; the inverse removes it\n", plan.factor().residue, plan.factor().k);
    }
    let bytes = plan.table_words() as u64 * u64::from(r.bits / 8);
    text += &format!("tables     {} words, {} bytes\n", grouped(plan.table_words() as u64), grouped(bytes));
    let passes = r.passes.iter().map(|p| match p.layers() {
        1 => format!("{}", p.first),
        layers => format!("{}-{}", p.first, p.first + layers - 1),
    });
    text += &format!("passes     layers {}\n", passes.collect::<Vec<_>>().join(" | "));

    let limit = r.certificate.word;
    let mut rows = vec![row(["proved", "range", "of the word", "reduces"])];
    for Line { name, range, reduces } in proof(r) {
        rows.push(vec![name, range.to_string(), bar(range, limit), reduces]);
    }
    text += &format!("\n{}", columns("lrll", &rows));
    text += &format!("a word holds {limit}; no value of any layer leaves the range beside it, for any input\n");
    text += "reduces: operands that butterflies reduce beyond their product; \"of 1 2\": only these of a group of four\n\n";

    let mut rows = vec![row(["vector operations", "forward", "inverse", "slot product"])];
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
    let ranges = proof(r).into_iter().map(|line| {
        json!({ "name": line.name, "lo": line.range.lo, "hi": line.range.hi, "reduces": line.reduces })
    });
    let ops = |c: Count| operations(c).into_iter().map(|(k, v)| (k.into(), v.into())).collect::<serde_json::Map<_, _>>();
    let [forward, inverse, slots] = plan.counts().map(ops);
    let mut object = plan.identity();
    object["order"] = json!("native");
    object["lanes"] = json!(r.lanes());
    object["factor"] = json!({ "residue": plan.factor().residue, "k": plan.factor().k });
    object["table_words"] = json!(plan.table_words());
    object["passes"] = r.passes.iter().map(|p| json!({ "first": p.first, "layers": p.layers() })).collect();
    object["word"] = json!({ "lo": r.certificate.word.lo, "hi": r.certificate.word.hi });
    object["ranges"] = ranges.collect();
    object["vector_operations"] = json!({ "forward": forward, "inverse": inverse, "slot_product": slots });
    object
}
