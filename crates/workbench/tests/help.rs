//! What help texts say is so.

use crate::desk::{Desk, checkout};
use std::fs;

/// Verbs with their steps, in an order in which their examples can run in one folder.
const VERBS: [&str; 47] = [
    "plan",
    "explain",
    "primes",
    "estimate",
    "estimate lwe",
    "estimate ntru",
    "estimate sis",
    "processor run",
    "processor asm",
    "processor trace",
    "processor rounds",
    "mul",
    "ntt",
    "intt",
    "bench",
    "kem keygen",
    "kem encapsulate",
    "kem decapsulate",
    "kex init",
    "kex respond",
    "kex finish",
    "kex listen",
    "kex connect",
    "lwe",
    "keygen",
    "key public",
    "encrypt",
    "decrypt",
    "rekey",
    "commit",
    "open",
    "prove",
    "verify-proof",
    "key inspect",
    "signature keygen",
    "sign",
    "signature trust",
    "verify",
    "signature sign",
    "signature verify",
    "vectors check",
    "selftest",
    "schema",
    "completions",
    "man",
    "report",
    "",
];

/// Every verb shows an example that works, and the exit codes.
#[test]
fn examples_work() {
    let desk = Desk::with_examples();
    for verb in VERBS {
        let help = desk.run(&format!("{verb} --help")).is(0).out;
        for code in ["0    done", "1    the answer is no", "2  ", "3  ", "4  ", "70   ", "141  "] {
            assert!(help.contains(code), "{verb}: {code} in {help}");
        }
        let examples: Vec<&str> = help
            .lines()
            .skip_while(|line| *line != "Examples:")
            .filter_map(|line| line.trim().strip_prefix("ringwork "))
            .collect();
        assert!(verb.is_empty() || !examples.is_empty(), "{verb}: {help}");
        for line in examples {
            let ran = desk.example(line).is(0);
            if line.starts_with("ntt") && line.ends_with("--json") {
                desk.put("slots.json", ran.out);
            }
        }
    }
    for verb in ["kem", "kex", "key", "processor", "signature", "vectors"] {
        assert!(desk.run(&format!("{verb} --help")).is(0).out.contains("Exit codes:"));
    }
}

/// Scripts for each shell know the verbs, their steps and their options, and there is a page for each.
#[test]
fn shells_and_manuals_know_every_verb() {
    let desk = Desk::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = desk.run(&format!("completions {shell}")).is(0).out;
        let step = |verb: &&str| verb.split(' ').next_back().unwrap().to_owned();
        for word in VERBS.iter().map(step).chain(["passphrase-file".into()]) {
            assert!(script.contains(&word), "{shell}: {word}");
        }
    }
    desk.run("completions csh").says(2, "possible values: bash");
    desk.run("man --out .").is(0);
    let pages: Vec<String> = desk.files();
    for verb in VERBS {
        let name = ["ringwork", &verb.replace(' ', "-")].join(if verb.is_empty() { "" } else { "-" }) + ".1";
        assert!(pages.contains(&name), "{name}");
        assert!(desk.read(&name).contains(".SH"), "{name}");
    }
    assert!(desk.read("ringwork-kem-encapsulate.1").contains("\\-\\-ciphertext"));
    assert_eq!(desk.run("man").is(0).out, desk.read("ringwork.1"));
    desk.run("man --out .").says(3, "there is such a file already");
    desk.run("man --out . --force").is(0);
    desk.run("man --out nowhere").says(3, "there is no folder nowhere");
}

/// The page of the package shows commands that work.
#[test]
fn the_page_of_the_package_works() {
    let page = fs::read_to_string(checkout().join("crates/workbench/README.md")).unwrap();
    let desk = Desk::with_examples();
    let lines = page.split("```").nth(1).unwrap().strip_prefix("console\n").unwrap().lines();
    assert!(lines.clone().count() > 5);
    for line in lines {
        desk.run(line.strip_prefix("ringwork ").unwrap()).is(0);
    }
}
