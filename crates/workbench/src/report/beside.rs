//! Another run beside this one, row by row: another machine, or the same before a change.

use super::{Cell, Columns, Section, Table, grouped_cycles, short};
use crate::{fault::Fault, files, measure::LARGE_SPREAD};
use serde_json::{Value, json};
use std::{collections::HashMap, path::Path};

/// The data of another run.
#[derive(Debug)]
pub(crate) struct Other {
    data: Value,
}

/// A row of the data: nanoseconds and core cycles, and whether they are to be quoted.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    ns: f64,
    core: f64,
    unsure: bool,
    shared: bool,
}

impl Other {
    /// Reads what `report` wrote.
    ///
    /// **Errors** if that is something else.
    pub(crate) fn read(path: &Path) -> Result<Self, Fault> {
        const LIMIT: u64 = 1 << 26;
        let bytes = files::read(path, LIMIT)?;
        let is_report = |data: &Value| data["verb"] == "report" && data["schema"] == 1 && data["sections"].is_object();
        match serde_json::from_slice(&bytes) {
            Ok(data) if is_report(&data) => Ok(Self { data }),
            _ => {
                let why = format!("{} is no report.json; ringwork report writes one", files::name(path));
                Err(Fault::Input(why))
            }
        }
    }

    /// The section: rows of the same name, in tables as the sections of this run have them.
    pub(crate) fn section(&self, sections: &[Section]) -> Section {
        let theirs: HashMap<String, Numbers> =
            sections.iter().flat_map(|s| rows(&self.data["sections"][s.id], s.id)).collect();
        let tables: Vec<Table> = sections.iter().filter_map(|section| table(section, &theirs)).collect();
        let fact = |key: &str| self.data["machine"][key].as_str().unwrap_or("not known").to_owned();
        let shared: usize = tables.iter().map(|table| table.rows.len()).sum();
        let meaning = format!(
            "The other run is of {}, on {}, commit {}. {shared} rows are in both.",
            fact("date"),
            fact("cpu"),
            fact("source")
        );
        Section {
            id: "beside",
            title: "Another run beside this one".into(),
            meaning,
            figures: Vec::new(),
            tables,
            notes: vec!["Rows of different runs, and of different cores, are not divided by one another.".into()],
            data: json!({ "machine": self.data["machine"], "rows_in_both": shared }),
        }
    }
}

fn table(section: &Section, theirs: &HashMap<String, Numbers>) -> Option<Table> {
    let both = |(name, ours): (String, Numbers)| {
        let theirs = *theirs.get(&name)?;
        let label = name.strip_prefix(section.id).unwrap_or(&name).trim_start_matches('/');
        Some((label.to_owned(), theirs, ours))
    };
    let cells = |numbers: &Numbers| {
        [(short(numbers.ns / 1e3), numbers.ns / 1e3), (grouped_cycles(numbers.core), numbers.core)]
            .map(|(text, value)| Cell { shared: numbers.shared, ..Cell::foreign(text, value, numbers.unsure) })
    };
    let heads = ["µs", "core cycles"];
    let table =
        Columns::new(format!("{}:", section.title), rows(&section.data, section.id).into_iter().filter_map(both))
            .column("", |(label, ..)| label.clone())
            .group("other run", heads, |(_, theirs, _)| cells(theirs))
            .group("this run", heads, |(.., ours)| cells(ours))
            .table();
    (!table.rows.is_empty()).then_some(table)
}

/// All measured rows below a value, each with the numbers and names on its way.
fn rows(value: &Value, path: &str) -> Vec<(String, Numbers)> {
    match value {
        Value::Array(all) => all.iter().flat_map(|inner| rows(inner, path)).collect(),
        Value::Object(object) => {
            let number = |key: &str| object.get(key).and_then(|spread| spread["median"].as_f64());
            if let (Some(name), Some(ns), Some(core)) =
                (object.get("name").and_then(Value::as_str), number("ns"), number("core"))
            {
                let (shared, unsure) =
                    (value["disturbed"] == true, value["spread_percent"].as_f64() > Some(LARGE_SPREAD));
                return vec![(format!("{path}/{name}"), Numbers { ns, core, unsure, shared })];
            }
            let ring =
                ["n", "q", "set"].iter().filter_map(|key| object.get(*key)).filter(|v| !v.is_object() && !v.is_array());
            let ring = ring.map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect::<Vec<_>>();
            let path = [vec![path.to_owned()], ring].concat().join("/");
            let inner = object.iter().flat_map(|(key, inner)| {
                let silent = ["rows", "here"].contains(&&**key);
                rows(inner, &if silent { path.clone() } else { format!("{path}/{key}") })
            });
            inner.collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_what_they_measure() {
        let row = |name: &str, ns: f64, spread: f64| json!({ "name": name, "ns": { "median": ns }, "core": { "median": 4.0 * ns }, "spread_percent": spread, "disturbed": false });
        let data = |ns| json!([{ "n": 1024, "q": 12289, "rows": [row("forward", ns, 1.0), row("inverse", ns, 20.0)] }]);
        let section = |ns| Section {
            id: "transforms",
            title: "Transforms".into(),
            meaning: String::new(),
            figures: Vec::new(),
            tables: Vec::new(),
            notes: Vec::new(),
            data: data(ns),
        };
        let other =
            Other { data: json!({ "machine": { "cpu": "another" }, "sections": { "transforms": data(300_000.0) } }) };
        let beside = other.section(&[section(200_000.0)]);
        let [table] = &beside.tables[..] else { panic!("one section is in both") };
        let shown: Vec<Vec<&str>> = table.rows.iter().map(|row| row.iter().map(|cell| &*cell.text).collect()).collect();
        assert_eq!(shown[0], ["1024/12289/forward", "300", "1.2\u{202f}M", "200", "800\u{202f}k"]);
        assert!(!table.rows[0][1].unsure && table.rows[1][1].unsure && beside.meaning.contains("on another"));
    }
}
