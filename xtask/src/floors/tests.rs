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
        ..Package::default()
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

/// The arrows of a crate whose files are these, by name below `src`; root and folders are added
/// where they are missing.
fn arrows(files: &[(&str, &str)]) -> Vec<modules::Arrow> {
    let mut texts: Vec<(String, String)> =
        files.iter().map(|(name, text)| (format!("src/{name}"), (*text).to_owned())).collect();
    for folder in [
        "src/lib.rs",
        "src/ct.rs",
        "src/xof.rs",
        "src/ring/mod.rs",
        "src/schemes/mod.rs",
        "src/x/mod.rs",
        "src/y/mod.rs",
    ] {
        if !texts.iter().any(|(name, _)| name == folder) {
            texts.push((folder.to_owned(), String::new()));
        }
    }
    modules::arrows(&parsed(texts))
}

fn of_ringwork(files: &[(&str, &str)]) -> Vec<String> {
    inside(&package("ringwork", "crates/ringwork", &[]), &arrows(files))
}

#[test]
fn schemes_are_seen_from_the_root_only() {
    let schemes = ("schemes/newhope.rs", "");
    let root = ("lib.rs", "mod schemes;\npub use schemes::newhope;\nfn f() { newhope::g() }");
    assert_eq!(of_ringwork(&[root, schemes]), Vec::<String>::new());
    let codec = ("ring/codec.rs", "use super::Poly;\nuse crate::{ct, schemes::newhope::A};");
    let found = of_ringwork(&[schemes, codec]);
    assert_eq!(found, ["src/ring/codec.rs:2: upward: `ring::codec` uses `crate::schemes::newhope::A`"]);
}

#[test]
fn the_registry_sees_schemes_and_nothing_below_sees_the_registry() {
    let files = [("schemes/lwe/mod.rs", ""), ("registry/mod.rs", "use crate::schemes::lwe::A;")];
    assert_eq!(of_ringwork(&files), Vec::<String>::new());
    for below in ["object.rs", "schemes/lwe/mod.rs", "schemes/mod.rs"] {
        let found = of_ringwork(&[("registry/mod.rs", ""), (below, "use crate::registry::KNOWN;")]);
        assert!(found.len() == 1 && found[0].contains("upward"), "{found:?}");
    }
}

#[test]
fn schemes_do_not_see_one_another() {
    let others = [("schemes/mod.rs", "pub use mlwe::h;"), ("schemes/mlwe/mod.rs", "")];
    let of = |text| of_ringwork(&[&others[..], &[("schemes/newhope/mod.rs", text)]].concat());
    assert_eq!(of("use crate::ring::Poly; use super::newhope::params; use self::encode;"), Vec::<String>::new());
    for text in [
        "use crate::schemes::mlwe::A;",
        "fn f() { super::mlwe::g() }",
        "use crate::{xof, schemes}; fn f() { schemes::mlwe::g() }",
        "use super::h;",
    ] {
        let found = of(text);
        assert!(found.len() == 1 && found[0].contains("sideways"), "{text}: {found:?}");
    }
}

/// A6: circles inside a crate.
#[test]
fn circles_are_found_in_every_folder() {
    let of = |files: &[(&str, &str)]| circles::circles(&arrows(files));
    let found = of(&[
        ("lib.rs", ""),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "\nfn f(x: crate::c::C) {}"),
        ("c.rs", "use super::a::{self};\nfn f() { a::g() }"),
    ]);
    assert_eq!(
        found,
        ["circle in the crate among a, b, c:\n    src/a.rs:1: crate::b::B\n    src/b.rs:2: crate::c::C\n    \
          src/c.rs:2: a::g"]
    );
    // Folders are one each: x/a uses y/a, y/b uses x/b.
    let found =
        of(&[("x/a.rs", "use crate::y::a::A;"), ("x/b.rs", ""), ("y/a.rs", ""), ("y/b.rs", "use crate::x::b::B;")]);
    assert!(found.len() == 1 && found[0].starts_with("circle in the crate among x, y:"), "{found:?}");
    let found = of(&[("x/a.rs", "use super::b::B;"), ("x/b.rs", "use crate::x::a::*;")]);
    assert!(found.len() == 1 && found[0].starts_with("circle in `x` among a, b:"), "{found:?}");
    // The root uses a, which uses the root.
    let found = of(&[("lib.rs", "use a::A; pub struct B;"), ("a.rs", "use crate::B;")]);
    assert!(found.len() == 1 && found[0].contains("among the root, a:"), "{found:?}");
}

#[test]
fn names_lead_to_the_files_that_define_them() {
    let of = |files: &[(&str, &str)]| {
        let shown = |arrow: &modules::Arrow| format!("{} {}", arrow.from.join("::"), arrow.to.join("::"));
        arrows(files).iter().map(shown).collect::<Vec<_>>()
    };
    let folder =
        [("x/mod.rs", "mod a; mod b; pub use a::A; pub use b::*; pub use foreign::F;"), ("x/a.rs", "struct A;")];
    let with = |text| of(&[&folder[..], &[("x/b.rs", "pub fn g() {}"), ("w.rs", text)]].concat());
    assert_eq!(with("use crate::x::A;"), ["w x::a"]);
    assert_eq!(with("use crate::x; fn f() { x::g() }"), ["w x::b"]);
    assert_eq!(with("use crate::x as z; fn f() { z::A::new() }"), ["w x::a"]);
    assert_eq!(with("use crate::x::F; use elsewhere::x::A; use crate::x;"), Vec::<String>::new());
    assert_eq!(with("#[cfg(test)] mod tests { use crate::x::A; }"), Vec::<String>::new());
    // What a folder's own file uses of what it passes on is an arrow, and may come back.
    let both = [("x/mod.rs", "mod a; pub use a::A; pub struct B(A);"), ("x/a.rs", "use super::B;")];
    assert_eq!(of(&both), ["x x::a", "x::a x"]);
    assert_eq!(circles::circles(&arrows(&both)), Vec::<String>::new());
}

#[test]
fn a_circle_is_a_violation_in_every_package() {
    let circle = arrows(&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")]);
    let found = inside(&package("xtask", "xtask", &[]), &circle);
    assert!(found.len() == 1 && found[0].starts_with("xtask: circle in the crate among a, b:"), "{found:?}");
}

#[test]
fn every_module_of_a_package_with_floors_has_one() {
    let found = of_ringwork(&[("lib.rs", "use new::A;"), ("new.rs", "")]);
    assert_eq!(found, ["module `new` has no floor: give it one in xtask/src/floors.rs"]);
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

#[test]
fn secrets_do_not_stand_inside_values_that_move() {
    let refused =
        ["z: Zeroizing<[u8; 32]>,", "Zeroizing::new([0; 32])", "Zeroizing::new(*z)", "x: Option<StaticSecret>,"];
    for text in refused.into_iter().chain(["x: StaticSecret,"]) {
        assert_eq!(of_file("crates/ringwork/src/a.rs", text).len(), 1, "{text}");
        assert_eq!(of_file("crates/ringwork/tests/a.rs", text).len(), 0, "{text}");
    }
    for text in
        ["z: Zeroizing<Vec<u8>>", "StaticSecret::from(*x)", "use a::{PublicKey, StaticSecret};", "use a::StaticSecret;"]
    {
        assert_eq!(of_file("crates/ringwork/src/a.rs", text).len(), 0, "{text}");
    }
}
