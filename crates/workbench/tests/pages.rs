//! The pages that the command writes: `processor trace` and `report`.

use crate::desk::{Desk, checkout};
use serde_json::Value;
use std::fs;

/// The page of a program has a square for each cycle of its slots, the registers of the paper, and
/// for a small ring every word that is written.
#[test]
fn processor_draws_its_pipeline() {
    let desk = Desk::new();
    desk.put("both.rasm", "load M0\nfntt M0\nintt M0 ; and back\n");
    let line = "processor trace both.rasm --set small --machine paper";
    let data = desk.run(&format!("{line} --out page.html --json")).is(0).json();
    let page = desk.read("page.html");
    needs_nothing_else(&page);
    let cycles = |name: &str| {
        let mut instructions = data["instructions"].as_array().unwrap().iter();
        instructions.find(|i| i["name"] == name).unwrap()["cycles"].as_u64().unwrap()
    };
    // 26·4 + 7·5 + 2 + 32, and 15·4 + 7·5 + 28 + 25 + 32 + 16.
    assert_eq!([cycles("fntt"), cycles("intt")], [173, 196]);
    assert_eq!(page.matches("<title>cycle ").count() as u64, 173 + 196);
    assert_eq!(page.matches(": butterfly</title>").count(), 64);
    assert_eq!(page.matches(": scaling</title>").count(), 16);
    assert!(["R1 R4", "R4 R5", "R2 R3"].iter().all(|text| page.contains(text)));
    let writes = data["writes"].as_array().unwrap();
    assert_eq!(writes.len(), 8 + 32 + 32 + 16);
    let [low, high] = [4, 5].map(|i| writes.last().unwrap()[i].as_u64().unwrap());
    assert!(page.contains(&format!("{high} {low}")));
    // What came back is what was loaded, in natural order.
    assert_eq!(data["data"][0][0], writes[8 + 64][4]);

    // Half as many stages: 2 + 4·(3·4 + 12) + 4 + 32 and 3 + 5·(2·4 + 8) + 5·4 + 32 + 16; and the same words.
    let shallow = desk.run(&format!("{line} --depth 3 --out shallow.html --json")).is(0).json();
    let cycles = shallow["instructions"].as_array().unwrap().iter().map(|i| i["cycles"].as_u64().unwrap());
    assert_eq!(cycles.collect::<Vec<_>>()[1..], [134, 151]);
    assert_eq!((&shallow["depth"], &data["depth"]), (&3.into(), &6.into()));
    let words = |trace: &Value| -> Vec<Value> {
        trace["writes"].as_array().unwrap().iter().map(|w| [2, 3, 4, 5].map(|i| w[i].clone()).to_vec().into()).collect()
    };
    assert_eq!(words(&shallow), words(&data));
    // The product is drawn as many cycles of 50 wide as it takes.
    let product = |page: &str| [147, 297].map(|width| page.matches(&format!("width=\"{width}\"")).count());
    assert_eq!([product(&desk.read("shallow.html")), product(&page)], [[4, 0], [0, 4]]);

    desk.put("wrong.rasm", "load M0\nfntt M0, M6\n");
    let fault = desk.run("processor trace wrong.rasm --machine paper").is(3).err;
    assert!(fault.contains("line 2, column 10: `M6` is no block; blocks are M0 to M5"), "{fault}");
    desk.put("refused.rasm", "byte 0x83\n");
    let fault = desk.run("processor trace refused.rasm --machine paper").is(3).err;
    assert!(
        fault.contains("line 1: byte 0x83, the machine refuses it with code 2: the queues hold too few operands"),
        "{fault}"
    );
    desk.put("many.rasm", "byte 0x80\n".repeat(257));
    let fault = desk.run("processor trace many.rasm").is(3).err;
    assert!(fault.contains("257 instructions; trace takes at most 256"), "{fault}");
    desk.put("long.rasm", "byte 0x00\n".repeat(70_000));
    let fault = desk.run("processor trace long.rasm").is(3).err;
    assert!(fault.contains("at most 65536 bytes"), "{fault}");
    desk.put("other.rasm", "\u{feff}LOAD M0\nencode-load M1\n");
    let fault = desk.run("processor trace other.rasm").is(3).err;
    assert!(
        fault.contains("line 2, column 1: `encode-load` is no instruction of the machine fast but of paper"),
        "{fault}"
    );
}

/// Nothing is loaded from elsewhere, and every element that must be closed is.
#[track_caller]
pub(crate) fn needs_nothing_else(page: &str) {
    for part in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    let outside: Vec<&str> = page
        .match_indices("http")
        .map(|(at, _)| &page[at..at + 26])
        .filter(|s| *s != "http://www.w3.org/2000/svg")
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
    for element in ["html", "body", "section", "figure", "div", "svg", "g", "title", "table", "tr", "td", "p"] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "<{element}>");
    }
}

#[test]
fn report_writes_one_page_that_needs_nothing_else() {
    let desk = Desk::new();
    let said = desk.run("report --quick").is(0).out;
    assert_eq!(desk.files(), ["report.html", "report.json"], "and nothing half written");
    let page = desk.read("report.html");
    for part in
        ["prefers-color-scheme", "<svg", "width=device-width", "1024, 12289", "schoolbook", "k-red", "@media print"]
    {
        assert!(page.contains(part), "{part}");
    }
    needs_nothing_else(&page);
    for part in ["href=\"report.json\"", "download=\"transforms-1.csv\"", "href=\"#exchange\"", "class=\"group\""] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.matches("calibrated").count() <= 1, "how cycles come about is said once");
    let data: Value = serde_json::from_str(&desk.read("report.json")).unwrap();
    assert_eq!((&data["schema"], &data["quick"]), (&1.into(), &true.into()));
    assert!(said.starts_with(data["headline"].as_str().unwrap()), "{said}");
    says_under_which_conditions(&data["machine"], &page);

    let sections = &data["sections"];
    has_all_rows_of_the_papers(sections, &["paper"], 3);
    assert!(page.contains("report --unoptimised"), "where the other columns are");
    assert_eq!(page.contains("--features all-methods -- report"), !ALL_METHODS, "what is left out, and how to have it");
    compares_one_thing_with_itself(sections, &page);

    fs::create_dir(desk.path("inner")).unwrap();
    let refused = desk.run("report --quick --out inner/nowhere/page.html").is(3);
    assert!(refused.err.contains("inner/nowhere"), "{}", refused.err);
    assert!(fs::read_dir(desk.path("inner")).unwrap().next().is_none());
    assert!(desk.run("report --quick --out page.json").is(2).err.contains("name the page"));
    // U9: what was measured is not lost to a second run.
    assert!(desk.run("report --quick").is(3).err.contains("--force"));
    assert_eq!(desk.read("report.html"), page);

    // Two runs side by side.
    desk.put("text", "{}");
    assert!(desk.run("report --quick --beside text --out new.html").is(3).err.contains("text is no report.json"));
    desk.run("report --quick --beside report.json --out new.html").is(0);
    let both: Value = serde_json::from_str(&desk.read("new.json")).unwrap();
    let (now, in_both) = (&both["machine"]["rows"]["all"], &both["sections"]["beside"]["rows_in_both"]);
    assert!(in_both.as_u64() > Some(200) && in_both.as_u64() <= now.as_u64(), "{in_both} of {now}");
    assert!(desk.read("new.html").contains(data["machine"]["date"].as_str().unwrap()));
}

/// U4: date, commit, load, governor, hardware threads and spread, for people and for programs.
fn says_under_which_conditions(machine: &Value, page: &str) {
    for (name, key) in [
        ("Date", "date"),
        ("Processor", "cpu"),
        ("Hardware threads", "smt"),
        ("Governor", "governor"),
        ("Load", "load"),
        ("Batches", "kept"),
        ("Spread", "spread"),
        ("Commit", "source"),
    ] {
        let fact = machine[key].as_str().unwrap_or_else(|| panic!("{key} in {machine}"));
        assert!(page.contains(&format!("<tr><td>{name}</td><td>{fact}</td></tr>")), "{name}: {fact}");
    }
    assert!(machine["date"].as_str().unwrap().starts_with("20"), "{machine}");
    assert!(
        machine["rows"]["all"].as_u64() > Some(100) && machine["batches"]["kept"].as_u64() > Some(1000),
        "{machine}"
    );
}

/// Every measured row, whichever section it is in.
fn rows<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(object) if object.contains_key("core") && object.contains_key("samples") => found.push(value),
        Value::Object(object) => object.values().for_each(|inner| rows(inner, found)),
        Value::Array(array) => array.iter().for_each(|inner| rows(inner, found)),
        _ => {}
    }
}

/// C8, C10, C11: no ratio of unlike works, cores or runs; and U4: no short batch.
fn compares_one_thing_with_itself(sections: &Value, page: &str) {
    let mut all = Vec::new();
    rows(sections, &mut all);
    assert!(all.len() > 200, "{}", all.len());
    for row in all {
        let [ns, calls] = [&row["ns"]["median"], &row["calls_per_sample"]].map(|x| x.as_f64().unwrap());
        // Ten microseconds when it was chosen; the clock of the core may have risen since.
        assert!(ns * calls > 3_000.0, "a batch of {} ns: {row}", ns * calls);
        assert!(row["spread_percent"].as_f64().is_some() && row["disturbed"].is_boolean(), "{row}");
    }
    // Royher: one polynomial, the whole program.
    let royher = &sections["module-lwe"];
    assert_eq!(
        (&royher["k"], &royher["l"], &royher["m"], &royher["products"]),
        (&1.into(), &1.into(), &32.into(), &2112.into())
    );
    assert!(royher["machine_of_source"].as_str().unwrap().contains("i7-1165G7"));
    assert!(page.contains("Another work, which the thesis does not time"), "no ratio over batches");
    // Bakkebø: the same work beside what users get.
    for line in sections["commitments"]["rows"].as_array().unwrap().iter().filter(|line| !line["here"].is_null()) {
        let timed = |way: &str| line["here"][way]["ns"]["median"].is_number();
        assert!(["normal", "ntt_same_work", "ntt_with_key"].into_iter().all(timed), "{line}");
    }
    assert!(page.contains("thesis, halved ticks"));
    // Ring-LWE: bits by today's estimates.
    let bits: Vec<f64> = sections["ring-lwe"]["security"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| set["core_svp_bits"]["classical"].as_f64().unwrap().round())
        .collect();
    assert_eq!(bits, [44.0, 103.0]);
    // Longa and Naehrig: the nine rows of the designers and their total; both methods one word at a time.
    assert_eq!(sections["exchange"]["designers"].as_array().unwrap().len(), 10);
    let ways = sections["exchange"]["ways"].as_array().unwrap();
    let scalar: Vec<&str> =
        ways.iter().filter(|way| way["backend"] == "scalar").map(|way| way["method"].as_str().unwrap()).collect();
    assert_eq!(scalar, ["k-red", "montgomery"]);
    // NTTRU: two cores of the designers, and none divided.
    let elsewhere = sections["ntru"]["measured_elsewhere"].as_array().unwrap();
    assert_eq!(
        elsewhere.iter().map(|row| row["core"].as_str().unwrap()).collect::<Vec<_>>(),
        ["Zen 3, gcc", "Zen 4, clang", "Zen 4"]
    );
}

/// Whether the command has every method.
const ALL_METHODS: bool = cfg!(feature = "all-methods");

/// Whether the report can build the paper's algorithms in C.
fn has_c_compiler() -> bool {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    std::process::Command::new(compiler).arg("--version").output().is_ok()
}

/// Every row of the papers' tables, with ratios from these sources and the engine.
fn has_all_rows_of_the_papers(sections: &Value, sources: &[&str], variants: usize) {
    let positive = |value: &Value| value.as_f64().is_some_and(|x| x > 0.0);
    let in_c: &[&str] = if has_c_compiler() { &["C -O0", "C -O2", "C -O3 native"] } else { &[] };
    let sources = [sources, in_c, &["engine"]].concat();
    let lazyntt: Vec<&Value> = sections["lazyntt"]["rows"].as_array().unwrap().iter().collect();
    assert_eq!(lazyntt.len(), 4 * (5 + 3));
    let papers = lazyntt.iter().filter(|row| row["variant"] != "Falcon");
    for row in papers {
        let shown: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(shown.len(), 3 + sources.len(), "{row}");
        assert!(sources.iter().all(|source| positive(&row[source]["ratio_to_original"])), "{row}");
    }
    for row in lazyntt.iter().filter(|row| row["variant"] == "Falcon") {
        let built =
            ["unoptimised", "optimised", "this CPU"].iter().filter(|build| positive(&row[**build]["time"])).count();
        assert_eq!(built, if variants == 4 { 3 } else { 0 }, "{row}");
        assert!(in_c.iter().all(|build| positive(&row[*build]["time"])), "{row}");
    }
    let tables = sections["lazyntt"]["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 8);
    for row in tables {
        let n = row["n"].as_u64().unwrap();
        assert_eq!(row["paper_added_bytes"].as_u64(), Some(2 * n + n / 2 - 1), "{row}");
        assert!(row["engine_bytes"].as_array().unwrap().iter().all(positive), "{row}");
    }
    for (experiment, degrees) in [("falcon_verification", 2), ("mixed_radix", 4), ("vectors", 2)] {
        let rows = sections["lazyntt"]["experiments"][experiment].as_array().unwrap();
        assert_eq!(rows.len(), degrees, "{experiment}");
        let timed = rows.iter().flat_map(|row| row["rows"].as_array().unwrap());
        assert!(timed.into_iter().all(|row| positive(&row["ns"]["median"])), "{experiment}");
    }
    let bakkebo = sections["bakkebo"]["rows"].as_array().unwrap();
    assert!(bakkebo.iter().map(|row| row["n"].as_u64().unwrap()).eq((3..=16).map(|log_n| 1 << log_n)));
    for row in bakkebo {
        assert!(positive(&row["thesis"]["speed_up"]), "{row}");
        assert_eq!(
            positive(&row["here"]["speed_up"]),
            row["n"].as_u64() <= Some(4096),
            "a quick run stops there: {row}"
        );
    }
    let plans = sections["methods"]["plans"].as_array().unwrap();
    for plan in plans {
        assert!(positive(&plan["share_of_word"]) && plan["share_of_word"].as_f64() <= Some(1.0), "{plan}");
        assert!(positive(&plan["forward"]["products"]) && positive(&plan["largest_value"]), "{plan}");
    }
    let claims = sections["methods"]["longa_naehrig"].as_array().unwrap();
    let methods = if ALL_METHODS { 4 } else { 1 }; // what is not compiled is not measured
    let over = |claim: &Value| claim["over"].as_array().unwrap().len();
    assert!(claims.len() >= 2 && claims.iter().all(|claim| over(claim) >= methods), "{claims:?}");
}

#[test]
fn report_runs_the_papers_algorithms_unoptimised() {
    let outcome = Desk::run_in(&checkout(), "report --quick --unoptimised --out - --json", b"").is(0);
    let sections = &outcome.json()["sections"];
    has_all_rows_of_the_papers(sections, &["paper", "unoptimised", "optimised", "this CPU"], 4);
    has_programs_as_written(sections);
}

/// The theses' programs and the three ways to a product, each in both builds, as far as a quick run
/// goes.
fn has_programs_as_written(sections: &Value) {
    let timed = |way: &Value| ["unoptimised_ns", "optimised_ns"].iter().all(|ns| way[ns].as_f64() > Some(0.0));
    for (section, both, ntt) in [("module-lwe", 256, 256), ("bakkebo", 1024, 4096), ("commitments", 512, 512)] {
        for row in sections[section]["rows"].as_array().unwrap() {
            let (n, of) = (row["n"].as_u64().unwrap(), &row["as_written"]);
            assert_eq!([timed(&of["normal"]), timed(&of["ntt"])], [n <= both, n <= ntt], "{section}: {row}");
        }
    }
    let as_made = sections["exchange"]["as_written"].as_array().unwrap();
    assert_eq!(as_made.len(), 3, "transforms and the exchange");
    assert!(as_made.iter().all(|row| ["designers", "k-red"].iter().all(|by| timed(&row[*by]))), "{as_made:?}");
    let ways = sections["methods"]["ways_to_a_product"].as_array().unwrap();
    assert_eq!(ways.len(), 3);
    for row in ways {
        assert!(["merged", "separate", "padded"].iter().all(|way| timed(&row[way])), "{row}");
        let ratio =
            |way: &str| row[way]["optimised_ns"].as_f64().unwrap() / row["merged"]["optimised_ns"].as_f64().unwrap();
        assert!(ratio("padded") > 1.3, "transforms of twice the length: {row}");
    }
}

/// The readers' pages: all their commands work, in one folder each.
#[test]
fn commands_of_the_papers_pages_work() {
    let pages: Vec<_> =
        fs::read_dir(checkout().join("docs/papers")).unwrap().map(|page| page.unwrap().path()).collect();
    assert_eq!(pages.len(), 5);
    for page in pages {
        let (text, desk) = (fs::read_to_string(&page).unwrap(), Desk::new());
        desk.put("letter", "a letter\n");
        let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("ringwork ")).collect();
        assert!(commands.len() > 2, "{}", page.display());
        for command in commands {
            desk.example(command).is(0);
        }
    }
}

/// Section 5 of Roy et al.: at each depth more cycles than at the one before, at six those of the table of cycles.
fn has_a_curve_of_depths(section: &Value) {
    let curves = section["depths"].as_array().unwrap();
    assert_eq!(curves.iter().map(|curve| curve["set"].as_str().unwrap()).collect::<Vec<_>>(), ["p1", "p2"]);
    for (curve, fixed) in curves.iter().zip([[665, 1048], [1139, 1959]]) {
        let depths = curve["depths"].as_array().unwrap();
        assert!(depths.iter().map(|depth| depth["stages"].as_u64().unwrap()).eq(1..=12));
        assert_eq!(["fixed_forward", "fixed_backward"].map(|key| depths[5][key].as_u64()), fixed.map(Some));
        for machine in ["paper", "fast"] {
            let cycles =
                |program: &'static str| depths.iter().map(move |depth| depth[machine][program].as_f64().unwrap());
            assert!(["encrypt", "decrypt"].iter().all(|program| cycles(program).is_sorted_by(|a, b| a < b)), "{curve}");
            let mut designs = section["designs"]["designs"].as_array().unwrap().iter();
            let simulated =
                &designs.find(|of| of["set"] == curve["set"] && of["machine"] == machine).unwrap()["cycles"];
            assert_eq!(depths[5][machine]["decrypt"].as_f64(), simulated["decrypt"]["most"].as_f64());
            let [least, most] = ["least", "most"].map(|end| simulated["encrypt"][end].as_f64().unwrap());
            assert!((least..=most).contains(&cycles("encrypt").nth(5).unwrap()), "{curve}");
        }
        assert_eq!(curve["optimum_by_section_5"], 12);
    }
}

#[test]
fn a_report_of_one_paper_has_its_tables_alone() {
    let desk = Desk::new();
    for (paper, expected) in [("royher", vec!["module-lwe"]), ("roy", vec!["ring-lwe", "processor"])] {
        let data = desk.run(&format!("report --quick --paper {paper} --out - --json")).is(0).json();
        let sections: Vec<&String> = data["sections"].as_object().unwrap().keys().collect();
        assert_eq!(sections, expected);
        assert!(data["headline"].as_str().unwrap().len() > 40);
        if paper == "roy" {
            has_a_curve_of_depths(&data["sections"]["processor"]);
        }
    }
    desk.run("report --paper regev").says(2, "longa-naehrig, lazyntt, royher, bakkebo, roy");
}

/// U24: names need no plans and no measurement, and filters choose among them.
#[test]
fn bench_names_its_rows() {
    let desk = Desk::new();
    let all: Vec<String> =
        serde_json::from_value(desk.run("bench --list --json").is(0).json()["rows"].clone()).unwrap();
    for name in [
        "1024/12289/scalar/forward/k-red-32/lazy",
        "newhope/usenix2016/scalar/exchange",
        "nttru/nttru768/scalar/encaps",
    ] {
        assert!(all.iter().any(|row| row == name), "{name}");
    }
    let shoup = all.iter().any(|row| row == "1024/12289/scalar/forward/shoup-32/lazy");
    assert_eq!(shoup, ALL_METHODS, "what is not compiled is not measured");
    let filtered = desk.run("bench --list 256/3329/scalar forward montgomery-16/lazy").is(0).out;
    assert_eq!(filtered, "256/3329/scalar/forward/montgomery-16/lazy\n");
    assert!(desk.run("bench --list nothing-like-that").is(1).err.contains("bench --list"));
    assert!(desk.run("bench --quick nothing-like-that").is(1).err.contains("bench --list"));
    let measured = desk.run("bench --quick 256/3329/scalar forward montgomery-16/lazy --json").is(0).json();
    assert_eq!(measured["rows"].as_array().unwrap().len(), 1);
    assert!(measured["machine"]["date"].is_string() && measured["rows"][0]["dropped"].is_u64(), "{measured}");
}
