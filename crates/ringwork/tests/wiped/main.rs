//! Secrets are wiped: nothing that the library allocates keeps one of them, and nothing of them stays on the stack.
//!
//! A case runs in a child process, this test again, with known random bytes. It stops while what holds its secrets
//! is alive, or after that is gone; meanwhile the parent reads all memory that the child can write, stacks and freed
//! blocks included, from `/proc/<pid>/mem`, and looks for what it knows the secrets to be. So the searcher's own
//! copies cannot be found, and nothing here needs `unsafe`.
//!
//! | stop | is found |
//! |---|---|
//! | `alive` | what the living values keep, and nothing else: so the search sees allocated memory |
//! | `careless` | noise in a block that was freed without a wipe, and its seed: it sees freed memory |
//! | `moved` | a key that was moved out of its block, as keys of the standards once were |
//! | `gone` | nothing |
//!
//! Every module of `schemes`, `xwing`, and every name of the registry has a case, or a test fails. What this cannot
//! see: registers, and copies of which no whole window is left.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

mod research;
mod search;
mod standards;

use ringwork::{Backend, registry, schemes::mldsa::MlDsa65};
use search::{Found, Secrets, found};
use std::collections::BTreeSet;

/// What works with secrets; its first word is the name of its module.
struct Case {
    name: &'static str,
    /// The child's part: runs up to that stop.
    run: fn(&str, Backend),
    /// The parent's.
    secrets: fn(Backend) -> Secrets,
}

const XWING: Case = Case { name: "xwing", run: standards::xwing, secrets: standards::of_xwing };
const NEWHOPE: Case = Case { name: "newhope", run: research::exchange, secrets: research::of_the_exchange };
const NTTRU: Case = Case { name: "nttru", run: research::encapsulation, secrets: research::of_the_encapsulation };
const OTHERS: Case = Case { name: "bdlop lwe ntru rlwe", run: research::others, secrets: research::of_the_others };
const MOVED: Case = Case { name: "moved", run: standards::moved, secrets: standards::of_mldsa::<MlDsa65> };
/// What a registered name runs.
const REGISTERED: &str = "registered ";

fn cases() -> impl Iterator<Item = Case> {
    standards::MLKEM
        .into_iter()
        .chain(standards::MLDSA)
        .chain(standards::ARRAYS)
        .chain([XWING, NEWHOPE, NTTRU, OTHERS, MOVED])
}

#[test]
fn in_the_child() {
    search::in_the_child(|case| {
        if let Some(name) = case.strip_prefix(REGISTERED) {
            return research::by_name(name);
        }
        let [name, at, backend] = case.split('/').collect::<Vec<_>>()[..] else { panic!("{case} is no case") };
        let backend = Backend::by_name(backend).expect("a backend of this machine");
        let case = cases().find(|case| case.name == name).expect("a case");
        (case.run)(at, backend);
    });
}

impl Case {
    fn found(&self, at: &str, backend: Backend) -> Found {
        found(&format!("{}/{at}/{backend}", self.name), || (self.secrets)(backend))
    }

    /// Asserts that `alive` is all that living values keep, and that nothing is left of them.
    fn leaves_nothing_but(&self, alive: &[&str], backend: Backend) {
        let of_living = self.found("alive", backend);
        assert_eq!(of_living.heap, alive.iter().copied().collect(), "{} alive, {backend}", self.name);
        self.leaves_nothing(backend);
    }

    fn leaves_nothing(&self, backend: Backend) {
        assert_eq!(self.found("gone", backend), Found::default(), "{}, {backend}", self.name);
    }
}

#[test]
fn every_scheme_has_a_case() {
    let source = include_str!("../../src/schemes/mod.rs");
    let modules = source.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let named: BTreeSet<&str> = cases().flat_map(|case| case.name.split(' ')).collect();
    let missing: Vec<_> = modules.chain(["xwing"]).filter(|module| !named.contains(module)).collect();
    assert!(missing.is_empty(), "no case looks for the secrets of {missing:?}");
}

#[test]
fn the_search_finds_what_moved() {
    let backend = Backend::best();
    assert!(MOVED.found("gone", backend).heap.contains("xi"));
    let careless = NEWHOPE.found("careless", backend);
    for name in ["Alice's noise seed", "Alice's noise bytes"] {
        assert!(careless.heap.contains(name), "{name} in {careless:?}");
    }
}

#[test]
fn nothing_is_left_of_mlkem() {
    for backend in Backend::machines() {
        standards::MLKEM.iter().for_each(|case| case.leaves_nothing_but(&["d", "z"], backend));
    }
}

#[test]
fn nothing_is_left_of_mldsa() {
    for backend in Backend::machines() {
        standards::MLDSA.iter().for_each(|case| case.leaves_nothing_but(&["K", "xi"], backend));
    }
}

#[test]
fn nothing_is_left_of_arrays() {
    standards::ARRAYS.iter().for_each(|case| case.leaves_nothing(Backend::Scalar));
}

#[test]
fn nothing_is_left_of_xwing() {
    XWING.leaves_nothing_but(&["d", "the seed", "x", "z"], Backend::best());
}

#[test]
fn nothing_is_left_of_an_encapsulation() {
    for backend in Backend::machines() {
        NTTRU.leaves_nothing_but(&["the transformed f, canonical"], backend);
    }
}

#[test]
fn nothing_is_left_of_encryptions_and_commitments() {
    Backend::machines().for_each(|backend| OTHERS.leaves_nothing(backend));
}

#[test]
fn nothing_is_left_of_an_exchange() {
    for backend in Backend::machines() {
        NEWHOPE.leaves_nothing_but(&["Alice's transformed secret"], backend);
    }
}

#[test]
fn nothing_is_left_of_any_registered_scheme() {
    for name in registry::KNOWN.iter().map(|description| description.name) {
        let found = found(&format!("{REGISTERED}{name}"), || research::of_name(name));
        assert_eq!(found, Found::default(), "{name}");
    }
}
