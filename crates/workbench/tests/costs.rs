//! What methods cost: `plan --measure` writes it, `plan` chooses by it.

use crate::desk::Desk;
use serde_json::Value;
use std::fs;

const AT: &str = "cache/ringwork/costs.txt";

/// A desk whose user has measured.
fn measured() -> (Desk, Value) {
    let desk = Desk::new();
    let answer = desk.run("plan --measure --quick --json").is(0).json();
    (desk, answer)
}

#[test]
fn what_was_measured_is_what_plans_are_chosen_by() {
    let (desk, answer) = measured();
    assert_eq!(answer["file"], desk.path(AT).canonicalize().unwrap().to_str().unwrap());
    let methods = answer["methods"].as_array().unwrap();
    assert!(methods.iter().any(|row| row["method"] == "montgomery" && row["bits"] == 16), "{answer}");
    for row in methods {
        assert_eq!(row["measured"]["weights"].as_array().unwrap().len(), 3, "{row}");
        assert!(row["measured"]["scale"].as_u64() >= Some(10), "{row}");
    }
    let text = desk.read(AT);
    assert!(text.starts_with("ringwork cost model 2\ncpu "), "{text}");
    let plan = desk.run("plan 64 257 --json").is(0).json();
    assert_eq!(plan["costs"]["file"], answer["file"]);
    assert_eq!(plan["costs"]["cpu"], answer["cpu"]);
    assert!(desk.run("plan 64 257").is(0).out.contains("chosen by what methods cost in"));
    let channels = desk.run("plan 64 4096 --json").is(0).json();
    assert_eq!(channels["costs"]["file"], answer["file"]);
    let default = desk.run("plan 64 257 --costs default --json").is(0).json();
    assert!(default["costs"]["file"].is_null());
    assert!(!desk.run("plan 64 257 --costs default").is(0).out.contains("chosen by what"));

    // It is replaced by the next measurement; other files are not.
    desk.put(AT, "old");
    desk.run("plan --measure --quick").is(0);
    assert_ne!(desk.read(AT), "old");
    desk.put("costs.txt", "mine");
    desk.run("plan --measure --quick --out costs.txt").says(3, "--force");
    assert_eq!(desk.read("costs.txt"), "mine");
    let forced = desk.run("plan --measure --quick --out costs.txt --force").is(0).out;
    assert!(forced.contains("--costs costs.txt") && forced.contains("estimates off by"), "{forced}");
    desk.run("plan 64 257 --costs costs.txt").is(0);
    assert!(desk.run("plan --measure --quick --out -").is(0).out.starts_with("ringwork cost model 2\n"));
}

/// Costs of another CPU, and what is no file of costs, are not taken unasked.
#[test]
fn costs_of_another_cpu_are_left_alone() {
    let (desk, answer) = measured();
    let cpu = answer["cpu"].as_str().unwrap();
    let other = desk.read(AT).replace(&format!("cpu {cpu}"), "cpu another");
    desk.put(AT, &other);
    let unused = desk.run("plan 64 257 --json").is(0);
    assert!(unused.json()["costs"]["file"].is_null());
    assert!(unused.err.contains("measured on another, not on") && unused.err.contains("plan --measure"));
    desk.put(AT, "nonsense");
    let unused = desk.run("plan 64 257 --json").is(0);
    assert!(unused.json()["costs"]["file"].is_null() && unused.err.contains("is not used"), "{}", unused.err);

    // A file that is named is taken wherever it was measured.
    desk.put("other.txt", &other);
    let named = desk.run("plan 64 257 --costs other.txt --json").is(0);
    assert_eq!(named.json()["costs"]["cpu"], "another");
    assert!(named.err.contains("measured on another"), "{}", named.err);
    desk.run("plan 64 257 --costs nowhere.txt").says(3, "nowhere.txt");
    desk.put("wrong.txt", other.replacen("scale", "scales", 1));
    desk.run("plan 64 257 --costs wrong.txt").says(3, "wrong.txt: line ");
    desk.put("wrong.txt", b"\xff");
    desk.run("plan 64 257 --costs wrong.txt").says(3, "UTF-8");
    desk.put("wrong.txt", vec![b'\n'; 1 << 17]);
    desk.run("plan 64 257 --costs wrong.txt").says(3, "more than");
    fs::remove_dir_all(desk.path("cache")).unwrap();
    assert!(desk.run("plan 64 257").is(0).err.is_empty());
}

/// A file decides which method is taken.
#[test]
fn a_method_that_a_file_has_as_cheap_is_taken() {
    let (desk, _) = measured();
    let shown = desk.run("plan 1024 268369921 --words 32 --backend scalar --costs default --json").is(0).json();
    assert_eq!(shown["method"], "montgomery");
    let dear =
        |line: &str| if line.starts_with("32 scalar montgomery") { "32 scalar montgomery 9000 9000 9000" } else { "" };
    let text: Vec<String> = desk
        .read(AT)
        .lines()
        .map(|line| if dear(line).is_empty() { line.to_owned() } else { dear(line).to_owned() })
        .collect();
    desk.put("dear.txt", text.join("\n"));
    let other =
        desk.run("plan 1024 268369921 --words 32 --backend scalar --depth 10 --costs dear.txt --json").is(0).json();
    assert_ne!(other["method"], "montgomery");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let desk = Desk::new();
    for line in [
        "plan --measure --words 16",
        "plan --measure --depth 3",
        "plan --measure --all",
        "plan --measure --costs default",
        "plan --measure 64",
        "plan --quick 64 257",
        "plan 64 257 --measure --out costs.txt",
        "plan 64 257 --out costs.txt",
        "plan --measure --force",
        "plan",
    ] {
        desk.run(line).is(2);
    }
    desk.run("plan --measure --quick --out nowhere/costs.txt").is(3);
    assert!(desk.files().is_empty(), "{:?}", desk.files());
}
