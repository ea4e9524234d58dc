//! ML-KEM and ML-DSA, beside public crates where these are compiled in.

use super::{Bench, Cell, Columns, Rows, Section, Table, cycles, overview::Ratio, short};
use crate::{fault::Fault, measure::Row, standards::Standard};
use serde_json::{Value, json};

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    Standard::all().iter().map(|standard| standard.rows_of_best().len() as u64).sum()
}

/// The section, and how ML-KEM-768 and ML-DSA-65 compare with the best of others.
///
/// **Errors** if others do not come to the same as we do.
pub(crate) fn section(bench: &mut Bench<'_>) -> Result<(Section, Vec<Ratio>), Fault> {
    let standards = Standard::all();
    let mut measured = Vec::new();
    for standard in &standards {
        measured.push(bench.measure(&standard.set, standard.jobs(&standard.rows_of_best())?));
    }
    let unit = bench.meter.unit();
    let (kems, signatures) = standards.split_at(3);
    let (of_kems, of_signatures) = measured.split_at(3);
    let kem = |operation: &str| measured[1].of(&kems[1].row(ours(&kems[1]), operation)).ns.median / 1000.0;
    let compared = kems[0].who().count() > 1;
    let mut notes = vec![
        "All rows go from bytes to bytes: a key pair from its seed to its expanded secret key and its public key; \
         encapsulation and verification from the bytes of a public key, decapsulation and signing from those of an \
         expanded secret key. ML-KEM's rows include the checks of FIPS 203, section 7. Signing is a mean over 64 messages; \
         ours checks first that a secret key belongs to its seeds, which others do not."
            .to_owned(),
        "Keys that are expanded are kept ready between operations. A batch is eight operations of different keys that \
         share vectors; its row is one of them."
            .to_owned(),
    ];
    notes.push(if compared {
        "Crates: built with this program, for any CPU of its kind, each with what it chooses for this one when it runs. With \
         --features peers libcrux and AWS-LC stand there too; AWS-LC draws its own randomness, so only operations that \
         need none are compared. All come to the same bytes, which is \
         checked before anything is measured."
            .to_owned()
    } else {
        "A program that is built with its default features measures public crates beside these rows.".to_owned()
    });
    let ratios = [1, 4].map(|i| ratios(&standards[i], &measured[i])).concat();
    let section = Section {
        id: "standards",
        title: "ML-KEM and ML-DSA".into(),
        meaning: format!(
            "ML-KEM-768 makes a key pair in {} µs, encapsulates in {} µs and decapsulates in {} µs, from bytes to bytes.",
            short(kem("keygen")),
            short(kem("encaps")),
            short(kem("decaps"))
        ),
        figures: Vec::new(),
        tables: vec![
            table(&format!("ML-KEM, in {unit}."), kems, of_kems),
            table(&format!("ML-DSA, in {unit}."), signatures, of_signatures),
            alone(&standards, &measured, unit),
        ],
        notes,
        data: standards.iter().zip(&measured).map(data).collect(),
    };
    Ok((section, ratios))
}

/// Each operation by us, and by the fastest of others.
fn ratios(standard: &Standard, rows: &Rows) -> Vec<Ratio> {
    let of = |operation: &str| {
        let own = rows.of(&standard.row(ours(standard), operation));
        let others = standard.who().skip(1).filter_map(|who| Some((who, rows.get(&standard.row(who, operation))?)));
        let (whose, best) = others.min_by(|(_, a), (_, b)| a.ns.median.total_cmp(&b.ns.median))?;
        let what = format!("{} {operation}", standard.set.to_uppercase());
        Some(Ratio { what, whose: whose.to_owned(), of_theirs: own.ns.median / best.ns.median })
    };
    standard.operations().filter_map(of).collect()
}

fn ours(standard: &Standard) -> &'static str {
    standard.who().next().expect("we are the first")
}

fn data((standard, rows): (&Standard, &Rows)) -> Value {
    json!({ "set": standard.set, "rows": rows.json() })
}

/// The same operations by all.
fn table(meaning: &str, standards: &[Standard], measured: &[Rows]) -> Table {
    let lines = standards.iter().zip(measured).flat_map(|(standard, rows)| {
        let operations = standard.operations();
        operations.map(move |operation| (standard, rows, operation)).collect::<Vec<_>>()
    });
    let mut who = standards[0].who();
    let us = who.next().expect("we are the first");
    let mut columns = Columns::new(meaning, lines)
        .column("", |(standard, _, operation)| format!("{} {operation}", standard.set))
        .group("ours", [us], |(standard, rows, operation)| [cycles(Some(rows.of(&standard.row(us, operation))))]);
    for who in who {
        columns = columns.group(who, ["cycles", "of ours"], |(standard, rows, operation)| {
            let [ours, theirs] = [us, who].map(|who| rows.get(&standard.row(who, operation)));
            [cycles(theirs), theirs.zip(ours).map_or_else(Cell::dash, |(theirs, ours)| of_ours(theirs, ours))]
        });
    }
    columns.table()
}

/// Their time in ours.
fn of_ours(theirs: &Row, ours: &Row) -> Cell {
    let ratio = theirs.ns.median / ours.ns.median;
    Cell::measured(short(ratio), ratio, &[theirs, ours])
}

/// Operations that only we have.
fn alone(standards: &[Standard], measured: &[Rows], unit: &str) -> Table {
    let lines = standards.iter().zip(measured).flat_map(|(standard, rows)| {
        standard.alone().map(move |operation| (standard, rows, operation)).collect::<Vec<_>>()
    });
    Columns::new(format!("With expanded keys, and in batches of eight keys, {unit} of one operation."), lines)
        .column("", |(standard, _, operation)| {
            format!("{} {}", standard.set, operation.replace("-8", " of eight").replace('-', ", "))
        })
        .column(ours(&standards[0]), |(standard, rows, operation)| {
            cycles(Some(rows.of(&standard.row(ours(standard), operation))))
        })
        .table()
}
