//! Tests of the documents at the root and in `docs/`, and of what no compiler asks for.

use crate::cargo::root;
use serde_json::{Deserializer, Value};
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

/// `docs/which-call.md` shows code of the programs that it names, which run as tests. `// …` is code left out.
#[test]
fn the_page_of_calls_shows_what_runs() {
    let code = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let page = text("docs/which-call.md");
    let (mut program, mut shown) = (String::new(), 0);
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 0 {
            let names = quoted(part).filter(|name| name.contains("/examples/"));
            program = names.last().map_or(program, |name| code(&text(name)));
            continue;
        }
        let block = code(part.strip_prefix("rust\n").expect("nothing but Rust"));
        for piece in block.split("// …") {
            assert!(program.contains(piece.trim()), "no example that is named before this has it:\n{piece}");
            shown += 1;
        }
    }
    assert!(shown > 10, "{shown}");
}

/// `Type::verb` on that page is the name of something public.
#[test]
fn the_page_of_calls_names_what_there_is() {
    let mut sources = String::new();
    let mut folders = ["crates/ntt/src", "crates/integers/src"].map(|folder| root().join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => sources += &fs::read_to_string(path).unwrap(),
            }
        }
    }
    let page = text("docs/which-call.md");
    let (mut found, mut missing) = (0, Vec::new());
    for name in page.split("```").step_by(2).flat_map(quoted) {
        let Some((_, last)) = name.rsplit_once("::") else { continue };
        let last = last.split(['(', ' ']).next().unwrap_or_default();
        found += 1;
        let forms = [format!("fn {last}("), format!("fn {last}<"), format!("    {last},"), format!("struct {last} ")];
        if !last.is_empty() && !last.starts_with('<') && !forms.iter().any(|form| sources.contains(form)) {
            missing.push(name);
        }
    }
    assert!(found > 40 && missing.is_empty(), "{found} names, of which there are no {missing:?}");
}

/// Cargo is told not to look for tests where they are one program, so it would not miss a file:
/// each is a module of `suite.rs`, or a program of its own by the manifest. Programs with `test = false` are parts of
/// the suite that something else runs.
#[test]
fn no_file_of_tests_is_forgotten() {
    for name in ["ntt", "ringwork", "workbench"] {
        let folder = format!("crates/{name}/tests");
        let [suite, manifest] =
            [format!("{folder}/suite.rs"), format!("crates/{name}/Cargo.toml")].map(|page| text(&page));
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let module = file.trim_end_matches(".rs");
            let path = format!("path = \"tests/{module}");
            let alone = manifest.split("[[").any(|part| part.contains(&path) && !part.contains("test = false"));
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

/// The documents at the root, in `docs/`, of each crate, and of the folders beside them.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = ["README", "ARCHITECTURE", "SOUNDNESS", "CONTRIBUTING", "SECURITY", "CHANGELOG"]
        .map(|name| format!("{name}.md"))
        .into();
    pages.extend(["vectors/README.md", "rtl/README.md"].map(String::from));
    for (folder, page) in [("docs", ""), ("crates", "/README.md")] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            pages.push(format!("{folder}/{}{page}", entry.unwrap().file_name().to_string_lossy()));
        }
    }
    pages.retain(|page| page.ends_with(".md") && root().join(page).exists());
    pages
}

/// Documents name files and folders that exist; `<name>` stands for any.
#[test]
fn files_that_are_named_exist() {
    let pages = pages();
    let mut missing = Vec::new();
    let mut found = 0;
    for page in &pages {
        let text = text(page);
        let ours = |name: &&str| {
            ["crates/", "xtask/", "docs/", "vectors/", "fuzz/", "embedded/"]
                .iter()
                .any(|folder| name.starts_with(folder))
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

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The items of a page's lists, each with all of its lines.
fn items(page: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text(page).lines() {
        match items.last_mut() {
            _ if line.starts_with("- ") => items.push(format!("{line}\n")),
            Some(item) if line.starts_with("  ") => item.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    items
}

/// Each claim names what fails if it is false: a test, or a step of `cargo xtask`.
#[test]
fn claims_are_backed() {
    let sources = fs::read_dir(root().join("xtask/src")).unwrap().map(|entry| entry.unwrap().path());
    let steps: String = sources.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let claims = items("docs/claims.md");
    assert!(claims.len() > 25, "{} claims", claims.len());
    for claim in claims {
        let (_, backing) = claim.split_once("Backed by:").unwrap_or_else(|| panic!("nothing backs this:\n{claim}"));
        let mut fails = 0;
        for named in quoted(backing) {
            if let Some(step) = named.strip_prefix("cargo xtask ") {
                let verb = step.split(' ').next().unwrap_or_default();
                assert!(steps.contains(&format!("\"{verb}\"")), "`{named}` is no step:\n{claim}");
                fails += 1;
            } else {
                let source = root().join(named);
                assert!(source.exists(), "{named} does not exist:\n{claim}");
                let tests = fs::read_to_string(source).unwrap_or_default().contains("#[test]");
                fails += usize::from(tests || named.contains("/tests/"));
            }
        }
        assert!(fails > 0, "no test and no step backs this:\n{claim}");
    }
}

/// `SOUNDNESS.md`: a statement that says where to look begins with its name, in bold.
#[test]
fn statements_have_names() {
    let statements = items("SOUNDNESS.md");
    let (named, others): (Vec<_>, Vec<_>) = statements.iter().partition(|item| item.starts_with("- **"));
    assert!(named.len() > 80, "{} statements", named.len());
    assert!(others.iter().all(|item| !item.contains("Where:")), "{others:#?}");
}

/// The front page stays short, and every line fits an editor; rows of tables cannot be broken.
#[test]
fn lines_fit() {
    let lines = text("README.md").lines().count();
    assert!(lines <= 120, "README.md has {lines} lines, 120 at most");
    let mut long = Vec::new();
    // ARCHITECTURE, CONTRIBUTING and CHANGELOG are not there yet.
    for page in pages()
        .iter()
        .filter(|page| !["ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"].iter().any(|name| page.starts_with(name)))
    {
        let tables = !["README.md", "SOUNDNESS.md", "docs/claims.md"].contains(&page.as_str());
        for (line, number) in text(page).lines().zip(1..) {
            if line.chars().count() > 120 && !(tables && line.trim_start().starts_with('|')) {
                long.push(format!("{page}:{number}"));
            }
        }
    }
    assert!(long.is_empty(), "more than 120 columns: {long:#?}");
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
}

/// Links between documents lead to files, and to headings that are there.
#[test]
fn links_lead_somewhere() {
    let mut found = 0;
    for page in pages() {
        let here = text(&page);
        for link in here.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains([' ', '\n']) {
                continue;
            }
            found += 1;
            let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let target = root().join(&page).parent().unwrap().join(file);
            assert!(file.is_empty() || target.exists(), "{page}: {link}");
            let Some(heading) = heading else { continue };
            let there = if file.is_empty() { here.clone() } else { fs::read_to_string(target).unwrap() };
            let headings = there.lines().filter(|line| line.starts_with('#'));
            assert!(headings.map(anchor).any(|one| one == heading), "{page}: {link}");
        }
    }
    assert!(found > 30, "{found}");
}

/// What citations say of this software is what its manifest says.
#[test]
fn citations_are_of_this_version() {
    let manifest = text("Cargo.toml");
    let stated = |key: &str| {
        let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = "))).unwrap();
        line.trim_matches('"').to_owned()
    };
    let citation = text("CITATION.cff");
    let cited =
        |key: &str| citation.lines().find_map(|line| line.strip_prefix(&format!("{key}: "))).unwrap().to_owned();
    let archived: Value = serde_json::from_str(&text(".zenodo.json")).unwrap();
    assert_eq!(stated("version"), cited("version"));
    assert_eq!(stated("version"), archived["version"].as_str().unwrap());
    assert_eq!(stated("repository"), cited("repository-code"));
    assert_eq!(cited("title").trim_matches('"'), archived["title"].as_str().unwrap());
    let licences: Vec<&str> = citation.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    assert!(stated("license").split(" OR ").all(|licence| licences.contains(&licence)));
}

/// Each section of `docs/speed.md` with a table says on which CPU its numbers were measured, and in which year.
#[test]
fn numbers_have_a_machine_and_a_date() {
    let page = text("docs/speed.md");
    let sections: Vec<&str> = page.split("\n## ").filter(|section| section.contains("\n| ")).collect();
    assert!(sections.len() > 4, "{} sections with tables", sections.len());
    for section in sections {
        let machine = ["Zen", "Xeon", "EPYC", "Core", "Neoverse", "Apple"].iter().any(|cpu| section.contains(cpu));
        assert!(machine && section.contains(" 20"), "on what, and when?\n{section}");
    }
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

/// The tables of what `ringwork bench --json` wrote, one object after the other, on one machine at one commit.
fn speed_tables(written: &str) -> String {
    const OPERATIONS: [&str; 6] = ["forward", "inverse", "slots", "product", "multiply", "checked"];
    let runs = runs(written);
    let rows = || runs.iter().flat_map(|run| run["rows"].as_array().unwrap());
    let cycles = |row: &Value| grouped(row["core"]["median"].as_f64().unwrap().round() as u64);
    let mut plans: Vec<(String, [String; 6])> = Vec::new();
    let mut schemes = String::new();
    for row in rows() {
        let name = row["name"].as_str().unwrap();
        let parts: Vec<&str> = name.split('/').collect();
        match parts[..] {
            [n, q, backend, operation, method, "reduced"] => {
                let plan = format!("{n} / {q}, {backend}, {method}");
                let column = OPERATIONS.iter().position(|known| *known == operation).unwrap();
                let at = plans.iter().position(|(known, _)| *known == plan).unwrap_or(plans.len());
                if at == plans.len() {
                    plans.push((plan, Default::default()));
                }
                plans[at].1[column] = cycles(row);
            }
            [_, _, _, _, _, "lazy"] => {}
            _ => schemes += &format!("| {} | {} |\n", parts.join(" "), cycles(row)),
        }
    }
    let plans: String = plans.iter().map(|(plan, cells)| format!("| {plan} | {} |\n", cells.join(" | "))).collect();
    format!(
        "{}| n / q, backend, method and bits | {} |\n|---|---:|---:|---:|---:|---:|---:|\n{plans}\n\
         | scheme, backend, operation | cycles |\n|---|---:|\n{schemes}",
        measured(&runs),
        OPERATIONS.join(" | "),
    )
}

/// What `ringwork bench --json` wrote, one object after the other, on one machine at one commit.
fn runs(written: &str) -> Vec<Value> {
    let runs: Vec<Value> = Deserializer::from_str(written).into_iter().map(Result::unwrap).collect();
    let of = |run: &Value, key: &str| run["machine"][key].clone();
    for run in &runs {
        let same = |key: &&str| of(run, key) == runs[0]["machine"][*key];
        assert!(["cpu", "commit", "build"].iter().all(same), "runs of unlike builds");
        assert_eq!((&run["optimised"], of(run, "uncommitted_changes")), (&Value::from(true), Value::from(false)));
    }
    runs
}

/// On what, when and how well.
fn measured(runs: &[Value]) -> String {
    let rows = runs.iter().flat_map(|run| run["rows"].as_array().unwrap());
    let spread = rows.filter_map(|row| row["spread_percent"].as_f64()).fold(0.0, f64::max);
    let machine = &runs[0]["machine"];
    let [cpu, date, commit, build] = ["cpu", "date", "commit", "build"].map(|key| machine[key].as_str().unwrap());
    format!(
        "Core cycles, medians; the largest spread of a row is {spread:.1} %.\n\n- CPU: {cpu}\n- Date: {}\n- Commit: {}\n\
         - Build: {build}\n\n",
        &date[..10],
        &commit[..7]
    )
}

/// What orders cost beside the native one, and interleaved polynomials beside those one after another.
fn layout_tables(written: &str) -> String {
    const ORDERS: [&str; 3] = ["native", "bit-reversed", "canonical"];
    let runs = runs(written);
    let rows: Vec<&Value> = runs.iter().flat_map(|run| run["rows"].as_array().unwrap()).collect();
    let cycles = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == name)?;
        Some(row["core"]["median"].as_f64().unwrap())
    };
    let groups = |parts: usize| {
        let mut groups: Vec<String> = Vec::new();
        for row in &rows {
            let name: Vec<&str> = row["name"].as_str().unwrap().split('/').collect();
            let group = name[..name.len() - 2].join("/");
            if name.len() == parts && groups.last() != Some(&group) {
                groups.push(group);
            }
        }
        groups
    };
    let ratio = |of: String, to: Option<f64>| match (cycles(&of), to) {
        (Some(of), Some(to)) => format!("{:.2}", of / to),
        _ => "–".into(),
    };
    let shown = |group: &str| {
        let parts: Vec<&str> = group.split('/').collect();
        format!("{} / {}, {}", parts[1], parts[2], parts[3])
    };
    let mut orders = String::new();
    for group in groups(6) {
        let mut cells = Vec::new();
        for way in ["forward", "inverse"] {
            let native = cycles(&format!("{group}/{way}/native"));
            cells.push(native.map_or("–".into(), |native| grouped(native.round() as u64)));
            cells.extend(ORDERS[1..].iter().map(|order| ratio(format!("{group}/{way}/{order}"), native)));
        }
        orders += &format!("| {} | {} |\n", shown(&group), cells.join(" | "));
    }
    let mut columns = String::new();
    for group in groups(7) {
        let cells = ORDERS.map(|order| {
            let alone = cycles(&format!("{group}/one-after-another/{order}"));
            ratio(format!("{group}/interleaved/{order}"), alone)
        });
        let count = group.rsplit('/').next().unwrap();
        columns += &format!("| {} | {count} | {} |\n", shown(&group), cells.join(" | "));
    }
    format!(
        "{}| n / q, backend | forward, native | bit-reversed over it | canonical over it | inverse, native \
         | bit-reversed over it | canonical over it |\n|---|---:|---:|---:|---:|---:|---:|\n{orders}\n\
         Forward transforms of interleaved polynomials over the same ones one after another, in the same order:\n\n\
         | n / q, backend | polynomials | native | bit-reversed | canonical |\n|---|---:|---:|---:|---:|\n{columns}",
        measured(&runs),
    )
}

/// The tables in `docs/speed.md` are those of `docs/speed.json` and `docs/layouts.json`; `UPDATE_SPEED=1` writes them.
#[test]
fn the_speed_tables_are_what_was_measured() {
    const END: &str = "\n<!-- END generated -->";
    for (file, tables) in
        [("docs/speed.json", speed_tables as fn(&str) -> String), ("docs/layouts.json", layout_tables)]
    {
        let page = text("docs/speed.md");
        let begin = format!("<!-- BEGIN generated from {file} -->\n\n");
        let (before, rest) = page.split_once(&begin).unwrap();
        let (shown, after) = rest.split_once(END).unwrap();
        let Ok(written) = fs::read_to_string(root().join(file)) else {
            assert!(shown.starts_with("Not measured"), "these tables have no {file}");
            continue;
        };
        let tables = tables(&written);
        if std::env::var_os("UPDATE_SPEED").is_some() {
            let page = [before, &begin, &tables, END, after].concat();
            fs::write(root().join("docs/speed.md"), page).unwrap();
        } else {
            assert_eq!(shown, tables, "UPDATE_SPEED=1 cargo test -p xtask the_speed_tables_are_what_was_measured");
        }
    }
}

/// The picture of the front page shows what the first layer of ML-KEM's ring makes of its input.
#[test]
fn the_picture_is_true() {
    let recipe = ringwork_ntt::Request::new(256, 3329).recipe(16).unwrap();
    let certificate = recipe.certificate();
    let [input, first] = [certificate.input(), certificate.forward()[0]].map(|range| range.hi);
    let shown = format!("±{input} becomes ±{first}");
    assert!(text("README.md").contains(&shown), "{shown}");
}
