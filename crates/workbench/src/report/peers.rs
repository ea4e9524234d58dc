//! Transforms and products by others beside ours, work by work.

use super::{Bench, Cell, Columns, Section, Table, cycles, overview::Ratio, short};
use crate::{
    fault::Fault,
    measure::Row,
    peers::{Beside, FLAGS, Shape, differs, is_ours_of},
};
use serde_json::json;

/// What is measured: a quick run stays below this degree.
fn shapes(quick: bool) -> Vec<Shape> {
    Beside::shapes().into_iter().filter(|shape| !quick || shape.n <= 1 << 10).collect()
}

/// Jobs that will be measured, if all is there.
pub(crate) fn steps(beside: Option<&Beside>, quick: bool) -> u64 {
    beside.map_or(0, |beside| shapes(quick).into_iter().map(|shape| beside.names(shape).len() as u64).sum())
}

/// The section, and how products compare with the best of others.
///
/// **Errors** if a plan cannot be made.
pub(crate) fn section(bench: &mut Bench<'_>, quick: bool, beside: &Beside) -> Result<(Section, Vec<Ratio>), Fault> {
    let mut measured = Vec::new();
    for shape in shapes(quick) {
        let jobs = beside.jobs(shape, &beside.names(shape))?;
        measured.push((shape, bench.measure(&format!("{} {}", shape.n, shape.q), jobs)));
    }
    let unit = bench.meter.unit();
    let absent = beside.absent();
    let mut notes = vec![
        "A forward transform goes from canonical coefficients to canonical slots, an inverse back, 1/n included; a product from \
         and to canonical coefficients, out of place. There is a ratio where the work is one and the same, whatever the order \
         of slots; what else differs stands in the row. Products of all were compared with ours before anything was measured, \
         and all were measured in turns."
            .to_owned(),
        format!(
            "Crates are built by this run, for AVX2 and for all that this CPU has, libraries' programs by c++ {}, \
             HEXL's from a copy in the folder RINGWORK_PEERS; they time \
             themselves, and their cycles are those of the core's usual speed. malachite is left out: its licence (LGPL) is not \
             one that this project builds from.",
            FLAGS.join(" ")
        ),
    ];
    notes.extend(beside.built().iter().map(|(what, how)| format!("Built: {what}: {how}.")));
    notes.extend(absent.iter().map(|(what, why)| format!("Absent: {what}: {why}.")));
    let ratios = measured.iter().filter_map(|(shape, rows)| product(*shape, &rows.0)).collect();
    let facts = beside.facts();
    let section = Section {
        id: "peers",
        title: "Transforms and products by others".into(),
        meaning: format!(
            "Each row of others stands below ours of the same work, in {unit}, and their time in that of ours."
        ),
        figures: Vec::new(),
        tables: measured
            .iter()
            .map(|(shape, rows)| table(*shape, &rows.0))
            .filter(|table| !table.rows.is_empty())
            .collect(),
        notes,
        data: json!({
            "shapes": measured.iter().map(|(shape, rows)| json!({
                "n": shape.n, "q": shape.q, "ring": shape.ring.to_string(), "rows": rows.json(),
            })).collect::<Vec<_>>(),
            "built": facts.built,
            "absent": facts.absent,
        }),
    };
    Ok((section, ratios))
}

/// A product by us, and by the fastest of others.
fn product(shape: Shape, rows: &[Row]) -> Option<Ratio> {
    let same = |row: &&Row| !is_ours_of(&row.name, &row.name) && differs(&row.name).is_empty();
    let others = rows.iter().filter(|row| row.name.contains("/product")).filter(same).filter_map(|row| {
        let ours = rows.iter().find(|ours| is_ours_of(&ours.name, &row.name))?;
        Some((row, ours))
    });
    let (best, ours) = others.min_by(|(a, _), (b, _)| a.ns.median.total_cmp(&b.ns.median))?;
    let start = format!("{}/{}/{}/", shape.n, shape.q, shape.ring);
    let whose = best.name.strip_prefix(&start)?.split('/').next()?.to_owned();
    let bits = u64::BITS - shape.q.leading_zeros();
    let what = format!("product {}, {bits} bits", shape.n);
    Some(Ratio { what, whose, of_theirs: ours.ns.median / best.ns.median })
}

fn table(shape: Shape, rows: &[Row]) -> Table {
    let start = format!("{}/{}/{}/", shape.n, shape.q, shape.ring);
    let works = ["forward-lazy", "forward", "inverse", "inverse-permuted", "unscaled", "product"];
    let of_work = |work: &str| {
        let named = format!("/{work}");
        rows.iter().filter(move |row| row.name.ends_with(&named) || row.name.contains(&format!("{named}/")))
    };
    let of_ours = |row: &Row| {
        let ours = rows.iter().find(|ours| is_ours_of(&ours.name, &row.name))?;
        let ratio = row.ns.median / ours.ns.median;
        Some(Cell::measured(short(ratio), ratio, &[row, ours]))
    };
    let meaning = format!("n = {}, q = {}, {}.", shape.n, shape.q, shape.ring);
    Columns::new(meaning, works.into_iter().flat_map(of_work))
        .column("", |row| row.name.strip_prefix(&start).unwrap_or(&row.name).to_owned())
        .column("cycles", |row| cycles(Some(row)))
        .column("least µs", |row| short(row.least / 1e3))
        .column("of ours", |row| of_ours(row))
        .column("not the same", |row| differs(&row.name).join("; "))
        .table()
}
