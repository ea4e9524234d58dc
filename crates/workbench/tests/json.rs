//! `docs/json.md` describes what `--json` writes.

use crate::desk::{Desk, checkout};
use serde_json::Value;
use std::fs;

/// Whether the value has something at a path such as `rows[].name`.
fn has(value: &Value, path: &str) -> bool {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let (name, is_array) = key.strip_suffix("[]").map_or((key, false), |name| (name, true));
    let Some(found) = value.get(name) else { return false };
    let items = match found.as_array() {
        Some(items) if is_array => items.iter().collect(),
        Some(_) => return false,
        None if is_array => return false,
        None => vec![found],
    };
    !items.is_empty() && rest.is_none_or(|rest| items.iter().all(|item| has(item, rest)))
}

/// U20: every key of the page is there, and every key that is there stands on the page.
#[test]
fn the_page_is_complete() {
    let desk = Desk::with_examples();
    let page = fs::read_to_string(checkout().join("docs/json.md")).unwrap();
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert!(sections.len() > 20);
    for section in sections {
        let line = section.split('`').nth(1).unwrap();
        let object = desk.example(line.strip_prefix("ringwork ").unwrap()).is(0).json();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let cells: String = rows.clone().map(|row| row.split('|').nth(1).unwrap()).collect();
        let documented: Vec<&str> = cells.split('`').skip(1).step_by(2).collect();
        for path in &documented {
            assert!(has(&object, path), "{line}: {path} is not in {object}");
        }
        let top = |path: &&str| path.split(['.', '[']).next().unwrap().to_owned();
        let mut named: Vec<String> = ["schema", "verb"].iter().chain(&documented).map(top).collect();
        named.dedup();
        let keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
        let mut sorted = [named.clone(), keys.clone()];
        sorted.iter_mut().for_each(|keys| keys.sort());
        assert_eq!(sorted[0], sorted[1], "{line}");
    }
}
