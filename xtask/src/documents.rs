//! Tests of the documents at the root and in `docs/`, and of what no compiler asks for.

use crate::cargo::root;
use std::{fs, path::Path};

fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// The statements of every Rust example of a page.
fn examples(page: &str) -> Vec<String> {
    let statement = |line: &str| line.split("//").next().unwrap_or_default().trim_end().to_owned();
    let shown = |line: &String| !line.is_empty() && !line.starts_with("# ");
    let statements = |code: &str| code.lines().map(statement).filter(shown).collect::<Vec<_>>().join("\n");
    text(page)
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| Some(statements(block.strip_prefix("rust\n")?)))
        .collect()
}

/// Doctests compile the pages of the crates; the front page has nothing but what stands there.
#[test]
fn examples_of_the_front_page_are_tested_elsewhere() {
    let tested = ["lanes", "ntt", "ringwork"].map(|name| examples(&format!("crates/{name}/README.md"))).concat();
    let front = examples("README.md");
    assert!(!front.is_empty());
    front.iter().for_each(|example| assert!(tested.contains(example), "{example}"));
}

/// Cargo is told not to look for tests where they are one program, so it would not miss a file:
/// each is a module of `suite.rs`, or a program of its own by the manifest.
#[test]
fn no_file_of_tests_is_forgotten() {
    for name in ["ntt", "ringwork", "workbench"] {
        let folder = format!("crates/{name}/tests");
        let [suite, manifest] =
            [format!("{folder}/suite.rs"), format!("crates/{name}/Cargo.toml")].map(|page| text(&page));
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let module = file.trim_end_matches(".rs");
            let alone = manifest.contains(&format!("path = \"tests/{module}"));
            let taken = suite.lines().any(|line| line == format!("mod {module};"));
            assert!(alone != taken, "{folder}/{file}: `mod {module};` in suite.rs, or [[test]] in the manifest");
        }
    }
}

/// `a/{b,c}.rs` is two paths.
fn paths(named: &str) -> Vec<String> {
    let parts = named.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match parts {
        Some((head, (middle, tail))) => middle.split(',').map(|name| format!("{head}{name}{tail}")).collect(),
        None => vec![named.to_owned()],
    }
}

/// Documents name files and folders that exist; `<name>` stands for any.
#[test]
fn files_that_are_named_exist() {
    let mut pages: Vec<String> = ["README", "ARCHITECTURE", "SOUNDNESS", "CONTRIBUTING", "SECURITY", "CHANGELOG"]
        .map(|name| format!("{name}.md"))
        .into();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        pages.push(format!("docs/{}", entry.unwrap().file_name().to_string_lossy()));
    }
    let mut missing = Vec::new();
    let mut found = 0;
    for page in &pages {
        let text = text(page);
        let ours = |name: &&str| {
            ["crates/", "xtask/", "docs/", "vectors/", "fuzz/"].iter().any(|folder| name.starts_with(folder))
                && !name.contains(['<', '*', ' ', '\n', '…'])
        };
        for named in text.split('`').skip(1).step_by(2).filter(ours).flat_map(paths) {
            found += 1;
            let file = named.split(':').next().unwrap_or_default();
            if !Path::exists(&root().join(file)) {
                missing.push(format!("{page}: {named}"));
            }
        }
    }
    assert!(found > 50, "{found}");
    assert!(missing.is_empty(), "{missing:#?}");
}
