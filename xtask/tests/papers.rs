//! `docs/papers.md` names files, folders and tests that exist.

#![forbid(unsafe_code)]
use std::{fs, path::Path};

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn is_path(word: &str) -> bool {
    ["crates/", "docs/", "rtl/", "xtask/", "vectors/"].iter().any(|top| word.starts_with(top))
}

#[test]
fn paths_and_tests_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/papers.md")).expect("the page");
    let mut tests = 0;
    for word in quoted(&page).filter(|word| is_path(word)) {
        let (path, test) = word.split_once("::").map_or((word, None), |(path, test)| (path, Some(test)));
        let at = root.join(path);
        assert!(at.exists(), "{path} does not exist");
        let Some(test) = test else { continue };
        let source = fs::read_to_string(&at).unwrap_or_else(|e| panic!("{path}: {e}"));
        let here = source.match_indices(&format!("fn {test}(")).any(|(i, _)| {
            // The attribute stands above, perhaps with others and comments between.
            source[..i].trim_end().lines().rev().take(4).any(|line| line.trim() == "#[test]")
        });
        assert!(here, "{path} has no test {test}");
        tests += 1;
    }
    assert!(tests > 60, "{tests} tests are named");
}

/// Each row of a table says where, and which test shows it, or why it is not here.
#[test]
fn rows_are_complete() {
    let page = include_str!("../../docs/papers.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| item"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 70, "{} rows", rows.len());
    for row in rows {
        let &[item, place, test, differs] = &row[..] else { panic!("four cells: {row:?}") };
        if place == "–" {
            assert!(test.is_empty() && differs.len() > 20, "{item}: the reason is missing");
        } else {
            assert!(quoted(place).chain(quoted(test)).count() >= 2 || place == "the same", "{item}: what shows it?");
        }
    }
}
