//! Small violations, each of which must be found.

use super::*;
use crate::workspace::{Dependency, Target};

fn package(name: &str, directory: &str, dependencies: &[(&str, Option<&str>, bool)]) -> Package {
    let directory = root().join(directory);
    let dependency = |&(name, kind, optional): &(&str, Option<&str>, bool)| Dependency {
        name: name.into(),
        kind: kind.map(Into::into),
        optional,
    };
    Package {
        name: name.into(),
        manifest_path: directory.join("Cargo.toml"),
        dependencies: dependencies.iter().map(dependency).collect(),
        targets: vec![Target { kind: vec!["lib".into()], src_path: directory.join("src/lib.rs") }],
    }
}

fn of_manifests(packages: Vec<Package>) -> Vec<String> {
    manifests(&Workspace { packages, target_directory: "target".into() })
}

fn of_file(name: &str, text: &str) -> Vec<String> {
    check_file(&package("ringwork", "crates/ringwork", &[]), Path::new(name), text)
}

#[test]
fn arrows_between_crates() {
    assert!(arrow("ringwork", "ringwork-lanes", false).is_ok());
    assert!(arrow("ringwork-ntt", "ringwork-reference", true).is_ok());
    assert!(arrow("xtask", "ringwork-reference", false).is_ok());
    let refused = |from, to, in_tests| arrow(from, to, in_tests).unwrap_err();
    assert!(refused("ringwork-lanes", "ringwork-ntt", false).starts_with("upward"));
    assert!(refused("ringwork-ntt", "ringwork", true).starts_with("upward"));
    assert!(refused("xtask", "ringwork-workbench", false).starts_with("sideways"));
    assert!(refused("ringwork-workbench", "ringwork-reference", false).contains("tests only"));
    assert!(refused("ringwork-reference", "ringwork-lanes", true).contains("apart"));
    assert!(refused("ringwork-new", "ringwork-lanes", false).contains("has no floor"));
}

#[test]
fn manifests_with_an_upward_arrow_or_a_foreign_requirement() {
    let lanes = || package("ringwork-lanes", "crates/lanes", &[]);
    let good = [("ringwork-lanes", None, false), ("proptest", Some("dev"), false), ("zeroize", None, true)];
    assert_eq!(of_manifests(vec![lanes(), package("ringwork-ntt", "crates/ntt", &good)]), Vec::<String>::new());

    let upward = package("ringwork-lanes", "crates/lanes", &[("ringwork-ntt", Some("build"), false)]);
    let found = of_manifests(vec![upward, package("ringwork-ntt", "crates/ntt", &[])]);
    assert_eq!(found[0], "crates/lanes/Cargo.toml: upward: ringwork-lanes on floor 1 uses ringwork-ntt on floor 2");

    let found = of_manifests(vec![lanes(), package("ringwork-ntt", "crates/ntt", &[("libm", None, false)])]);
    assert_eq!(found, ["crates/ntt/Cargo.toml: libm is required but not ours"]);
}

#[test]
fn schemes_are_seen_from_the_root_only() {
    let text = "mod schemes;\npub use schemes::newhope;\n#![forbid(unsafe_code)]";
    assert_eq!(of_file("crates/ringwork/src/lib.rs", text), Vec::<String>::new());
    let found = of_file("crates/ringwork/src/ring/codec.rs", "use super::Poly;\nuse crate::{ct, schemes::newhope};");
    assert_eq!(found, ["crates/ringwork/src/ring/codec.rs:2: upward: `ring::codec` uses `crate::schemes::newhope`"]);
}

#[test]
fn the_registry_sees_schemes_and_nothing_below_sees_the_registry() {
    let registry = "crates/ringwork/src/registry/mod.rs";
    let text = "use crate::schemes::{lwe, rlwe}; use crate::registry::by_name;";
    assert_eq!(of_file(registry, text), Vec::<String>::new());
    for below in ["object.rs", "schemes/lwe/mod.rs", "schemes/mod.rs"] {
        let found = of_file(&format!("crates/ringwork/src/{below}"), "use crate::registry::KNOWN;");
        assert!(found.len() == 1 && found[0].contains("upward"), "{found:?}");
    }
}

#[test]
fn schemes_do_not_see_one_another() {
    let newhope = "crates/ringwork/src/schemes/newhope/mod.rs";
    assert_eq!(of_file(newhope, "use crate::ring::Poly; use super::newhope::params; use self::encode;").len(), 0);
    for text in ["use crate::schemes::mlwe::A;", "fn f() { super::mlwe::g() }", "use crate::{xof, schemes};"] {
        let found = of_file(newhope, text);
        assert!(found.len() == 1 && found[0].contains("sideways"), "{text}: {found:?}");
    }
}

#[test]
fn unsafe_is_found_in_code_only() {
    let text = "// unsafe\n/* unsafe */ const A: &str = \"unsafe\";\nfn f() { unsafe { g() } }";
    let found = of_file("crates/ringwork/src/ct.rs", text);
    assert_eq!(found, ["crates/ringwork/src/ct.rs:3: `unsafe` is not allowed here"]);
    let lanes = package("ringwork-lanes", "crates/lanes", &[]);
    assert_eq!(check_file(&lanes, Path::new("crates/lanes/src/lib.rs"), text).len(), 0);
    assert_eq!(check_file(&lanes, Path::new("crates/lanes/tests/laws.rs"), text).len(), 1);
    let ct = package("ringwork-ct", "crates/ct", &[]);
    assert_eq!(check_file(&ct, Path::new("crates/ct/src/memcheck.rs"), text).len(), 0);
    assert_eq!(check_file(&ct, Path::new("crates/ct/src/main.rs"), text).len(), 1);
}

#[test]
fn crate_roots_forbid_unsafe() {
    assert_eq!(of_file("crates/ringwork/src/lib.rs", "#![no_std]\n#![forbid(unsafe_code)]\nmod a;").len(), 0);
    let found = of_file("crates/ringwork/src/lib.rs", "//! #![forbid(unsafe_code)]\n#![deny(unsafe_code)]");
    assert_eq!(found, ["crates/ringwork/src/lib.rs:1: this crate root lacks `#![forbid(unsafe_code)]`"]);
}
