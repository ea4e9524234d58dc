//! `docs/papers.md`, the pages of `docs/papers` and `ERRATA.md` name files, folders and tests that exist.

#![forbid(unsafe_code)]
use std::{fs, path::Path};

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn is_path(word: &str) -> bool {
    ["crates/", "docs/", "rtl/", "xtask/", "vectors/"].iter().any(|top| word.starts_with(top))
}

/// The number of tests that a page names, all of which exist.
fn tests_of(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tests = 0;
    for word in quoted(page).filter(|word| is_path(word)) {
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
    tests
}

/// The rows of a page's tables, whose first column has that head: four cells each.
fn rows<'a>(page: &'a str, head: &str) -> Vec<[&'a str; 4]> {
    let head = format!("| {head}");
    let lines = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with(&head));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            cells.try_into().unwrap_or_else(|_| panic!("four cells: {line}"))
        })
        .collect()
}

#[test]
fn paths_and_tests_exist() {
    let tests = tests_of(include_str!("../../docs/papers.md"));
    assert!(tests > 60, "{tests} tests are named");
    for page in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/papers")).expect("pages") {
        tests_of(&fs::read_to_string(page.expect("a page").path()).expect("text"));
    }
}

/// Each erratum has a test, or is one of words.
#[test]
fn errata_are_shown() {
    let page = include_str!("../../ERRATA.md");
    let rows = rows(page, "place");
    let mut of_words = 0;
    for row in &rows {
        let &[place, _, _, shown] = row;
        of_words += usize::from(shown == "text");
        assert!(shown == "text" || quoted(shown).all(|word| word.contains("::")), "{place}: what shows it?");
    }
    assert!(rows.len() > 35 && of_words < 6, "{} errata, {of_words} of words", rows.len());
    assert!(tests_of(page) >= rows.len() - of_words);
}

/// The papers' sections of the page: their titles, and the rows of their tables.
fn papers(page: &str) -> Vec<(&str, Vec<[&str; 4]>)> {
    let sections = page.split("\n## ").skip(1);
    sections.map(|section| (section.lines().next().unwrap_or_default(), rows(section, "item"))).collect()
}

/// A row whose item is here in part says so first in its last cell.
const PARTLY: &str = "partly: ";

/// Each row of a table says where, and which test shows it, or why it is not here.
#[test]
fn rows_are_complete() {
    let papers = papers(include_str!("../../docs/papers.md"));
    assert_eq!(papers.len(), 5);
    for row in papers.iter().flat_map(|(_, rows)| rows) {
        let &[item, place, test, differs] = row;
        if place == "–" {
            assert!(test.is_empty() && differs.len() > 20, "{item}: the reason is missing");
        } else {
            assert!(quoted(place).chain(quoted(test)).count() >= 2 || place == "the same", "{item}: what shows it?");
            assert!(quoted(test).next().is_some(), "{item}: which test?");
        }
        assert!(differs.strip_prefix(PARTLY).is_none_or(|rest| rest.len() > 20), "{item}: which part is missing?");
    }
}

/// An item has one row.
#[test]
fn items_have_one_row() {
    for (paper, rows) in papers(include_str!("../../docs/papers.md")) {
        let mut items: Vec<&str> = rows.iter().map(|[item, ..]| *item).collect();
        items.sort_unstable();
        assert!(items.windows(2).all(|pair| pair[0] != pair[1]), "{paper}: {items:?}");
    }
}

/// The table at the head of the page is that of its rows.
#[test]
fn counts_are_those_of_the_rows() {
    let page = include_str!("../../docs/papers.md");
    let mut table = "| paper | rows | here | in part | not here |\n|---|---:|---:|---:|---:|\n".to_owned();
    let mut sums = [0; 4];
    let mut line = |paper: &str, counts: [usize; 4]| {
        let counts = counts.map(|count| count.to_string()).join(" | ");
        table += &format!("| {paper} | {counts} |\n");
    };
    for (paper, rows) in papers(page) {
        let absent = rows.iter().filter(|[_, place, ..]| *place == "–").count();
        let partly = rows.iter().filter(|[.., differs]| differs.starts_with(PARTLY)).count();
        let counts = [rows.len(), rows.len() - partly - absent, partly, absent];
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let (_, name) = paper.split_once(". ").expect("a number and a name");
        line(name.split(',').next().unwrap_or(name), counts);
    }
    line("all", sums);
    assert!(page.contains(&table), "the head of docs/papers.md should have\n{table}");
}
