//! The programs in `examples/` hold what they assert: cargo itself only compiles them.

#![allow(unreachable_pub, reason = "their `main` is public for this test")]

/// Tools of the repository, which write files and tables.
const TOOLS: [&str; 9] = [
    "fixed_rings.rs",
    "compiled_rings.rs",
    "large_times.rs",
    "method_times.rs",
    "model_choices.rs",
    "one_transform.rs",
    "planner_table.rs",
    "planning_times.rs",
    "bfv_times.rs",
];

macro_rules! examples {
    ($($name:ident $path:literal)*) => {$(
        #[path = $path]
        mod $name;

        #[test]
        fn $name() {
            self::$name::main().unwrap();
        }
    )*

        /// None is forgotten but those that write what others check, the list of compiled rings,
        /// and tables of many plans and of times.
        #[test]
        fn all_examples_run() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
            let mut found: Vec<_> =
                std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            found.retain(|name| !TOOLS.contains(&name.as_str()));
            found.sort();
            assert_eq!(found, [$(concat!(stringify!($name), ".rs")),*]);
        }
    };
}

examples! {
    any_modulus "../examples/any_modulus.rs"
    bfv "../examples/bfv.rs"
    certificate "../examples/certificate.rs"
    filter "../examples/filter.rs"
    incomplete "../examples/incomplete.rs"
    key_switch "../examples/key_switch.rs"
    lattice "../examples/lattice.rs"
    power_series "../examples/power_series.rs"
    prover "../examples/prover.rs"
    rescale "../examples/rescale.rs"
    ring_lwe_sum "../examples/ring_lwe_sum.rs"
}
