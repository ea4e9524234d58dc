//! The methods of reduction beside one another, everything else equal: time, proved ranges, counted
//! work.

mod longa_naehrig;
mod products;

use super::{
    Bench, Columns, Rows, Section, Table, backends, cycles,
    ranges::percent,
    textbook::{self, Textbook},
};
use crate::{
    jobs::Operation,
    plans::{AnyTransform, NOT_COMPILED, is_compiled},
    screen::grouped,
};
use ntt::{Backend, Method, PlanError, Request, internals::model::OpCount};
use serde_json::{Value, json};

const N: usize = 1024;
const Q: u64 = 12289;
const BITS: [u32; 3] = [64, 32, 16];
const OPERATIONS: [Operation; 2] = [Operation::Forward, Operation::Inverse];

/// Where a method runs.
type Place = (Backend, u32);

/// A place with what every method makes of it.
type Plans = (Place, Vec<(Method, Result<AnyTransform, PlanError>)>);

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    OPERATIONS.len() as u64 * plans().iter().map(|(_, plans)| proved(plans).count() as u64).sum::<u64>()
}

fn plans() -> Vec<Plans> {
    let places = backends().into_iter().flat_map(|backend| BITS.map(|bits| (backend, bits)));
    let of = |(backend, bits): Place| {
        let request = Request::new(N, Q).backend(backend);
        let compiled = Method::ALL.into_iter().filter(|m| is_compiled(*m, bits, backend));
        let all = compiled.map(|m| (m, AnyTransform::new(&request.method(m), Some(bits))));
        ((backend, bits), all.collect())
    };
    places.map(of).collect()
}

fn proved(plans: &[(Method, Result<AnyTransform, PlanError>)]) -> impl Iterator<Item = (Method, &AnyTransform)> {
    plans.iter().filter_map(|(method, plan)| Some((*method, plan.as_ref().ok()?)))
}

/// The name of a row.
fn name(operation: Operation, method: Method, (backend, bits): Place) -> String {
    format!("{}/{backend}/{method}-{bits}", operation.name())
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>, textbook: Option<&Textbook>) -> Section {
    let plans = plans();
    let mut all = Vec::new();
    for (place, plans) in &plans {
        let jobs = OPERATIONS.into_iter().flat_map(|operation| {
            proved(plans).map(move |(method, plan)| operation.job(name(operation, method, *place), plan))
        });
        all.extend(bench.measure("methods of reduction", jobs.collect()).0);
    }
    let rows = Rows(all);
    let winners: Vec<String> = backends().into_iter().filter_map(|backend| fastest(&rows, backend)).collect();
    let mut tables: Vec<Table> = plans.iter().map(|of_place| table(of_place, &rows, bench.meter.unit())).collect();
    let claims = longa_naehrig::claims(&rows);
    tables.push(longa_naehrig::table(&claims));
    let mut notes = vec![
        "Every method runs with the laziest schedule that can be proved for it, so the differences include how often it must \
         reduce, not only what one reduction costs. Largest value: of any layer either way, as proved, and its share of what the \
         word can hold. Products are those with a twiddle, reductions those beyond products; each works on a whole vector."
            .to_owned(),
        longa_naehrig::NOTE.to_owned(),
    ];
    let mut meaning = format!(
        "Of all methods in words of 16, 32 and 64 bits {}; the network and the search for a schedule are the same for all. {}",
        winners.join(", "),
        longa_naehrig::meaning(&claims)
    );
    if let Some(textbook) = textbook {
        tables.push(products::table(textbook));
        notes.push(format!("{} {}.", products::NOTE, textbook::commands()));
        meaning += &format!(" {}", products::meaning(textbook));
    }
    if !cfg!(feature = "all-methods") {
        notes.push(NOT_COMPILED.into());
    }
    notes.extend(refusals(&plans));
    Section {
        id: "methods",
        title: "Methods of reduction".into(),
        meaning,
        figures: Vec::new(),
        tables,
        notes,
        data: json!({
            "n": N, "q": Q, "rows": rows.json(),
            "plans": plans.iter().flat_map(|(_, plans)| proved(plans).map(|(_, plan)| data(plan))).collect::<Value>(),
            "longa_naehrig": longa_naehrig::data(&claims), "ways_to_a_product": textbook.map(products::data),
        }),
    }
}

/// Which method in which words has the fastest forward transform there, of all that were measured.
fn fastest(rows: &Rows, backend: Backend) -> Option<String> {
    let each = Method::ALL.into_iter().flat_map(|method| BITS.map(|bits| (method, bits)));
    let measured = each.filter_map(|(method, bits)| {
        let cycles = rows.cycles(&name(Operation::Forward, method, (backend, bits)))?;
        Some((method, bits, cycles))
    });
    let (method, bits, _) = measured.min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(format!("on {backend} {method} in {bits} bits is fastest"))
}

/// The largest value of any layer, and its share of the word.
fn largest(plan: &AnyTransform) -> (i128, f64) {
    let proof = plan.recipe().certificate();
    let largest = proof.forward().iter().chain(proof.inverse()).map(|range| range.magnitude()).max().unwrap_or(0);
    (largest, largest as f64 / proof.word().magnitude() as f64)
}

fn table((place, plans): &Plans, rows: &Rows, unit: &'static str) -> Table {
    let (backend, bits) = *place;
    let lanes = backend.lanes(bits);
    let work = |count: OpCount| [count.products, count.reductions].map(grouped);
    let meaning = format!(
        "On {backend} in {bits}-bit words, {lanes} at a time: transforms for n = {N}, q = {Q} in {unit}, what is proved and \
         what is counted."
    );
    Columns::new(meaning, proved(plans))
        .column("method", |(method, _)| method.name())
        .group(unit, ["forward", "inverse"], |&(method, _)| {
            OPERATIONS.map(|operation| cycles(rows.get(&name(operation, method, *place))))
        })
        .group("largest value", ["proved", "of the word"], |(_, plan)| {
            let (largest, share) = largest(plan);
            [format!("±{}", grouped(largest as u64)), percent(share)]
        })
        .group("forward", ["products", "reductions"], |(_, plan)| work(plan.counts()[0]))
        .group("inverse", ["products", "reductions"], |(_, plan)| work(plan.counts()[2]))
        .table()
}

/// Why a method is missing from a table.
fn refusals(plans: &[Plans]) -> impl Iterator<Item = String> {
    plans.iter().flat_map(|((backend, bits), plans)| {
        let why = move |(_, plan): &(Method, Result<AnyTransform, PlanError>)| {
            Some(format!("Missing on {backend} in {bits}-bit words: {}.", plan.as_ref().err()?))
        };
        plans.iter().filter_map(why)
    })
}

fn data(plan: &AnyTransform) -> Value {
    let recipe = plan.recipe();
    let (largest, share) = largest(plan);
    let [forward, _, inverse] = plan.counts();
    let counts = |c: OpCount| json!({ "products": c.products, "reductions": c.reductions, "additions": c.additions });
    json!({
        "method": recipe.method().name(), "backend": recipe.backend().name(), "bits": recipe.bits(), "lanes": recipe.lanes(),
        "largest_value": largest as u64, "share_of_word": share,
        "forward": counts(forward), "inverse": counts(inverse),
    })
}
