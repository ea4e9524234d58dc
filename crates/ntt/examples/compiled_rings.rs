//! Writes `src/planner/rings/list.rs`: the transforms that are compiled for their ring alone, as
//! the planner finds them. With `--check` it only tells whether the file is what it would write.

#![forbid(unsafe_code)]

use ringwork_ntt::{Backend, Direction, Method, Recipe, Request, Ring, Step};
use std::{fmt::Write as _, path::Path, process::ExitCode};

/// A ring that is compiled for itself.
struct Compiled {
    n: usize,
    q: u64,
    ring: Ring,
    bits: u32,
    method: Method,
    /// On vectors of so many lanes or more, of every machine that has them; on the scalar backend if it is one. Each
    /// number of lanes costs two functions of some 3 KB.
    lanes: usize,
    note: &'static str,
}

const fn on_vectors(n: usize, q: u64, ring: Ring, note: &'static str) -> Compiled {
    Compiled { n, q, ring, bits: 16, method: Method::Montgomery, lanes: 2, note }
}

/// A new ring is one more row.
const RINGS: [Compiled; 5] = [
    on_vectors(1024, 12289, Ring::Negacyclic, "the ring of NewHope and Falcon-1024"),
    on_vectors(256, 3329, Ring::Negacyclic, "ML-KEM's ring, to slots of degree two"),
    on_vectors(768, 7681, Ring::Trinomial, "NTTRU's ring, to slots of degree three"),
    Compiled {
        n: 256,
        q: 8_380_417,
        ring: Ring::Negacyclic,
        bits: 32,
        method: Method::Shoup,
        lanes: 8,
        note: "ML-DSA's ring",
    },
    Compiled {
        n: 1024,
        q: 12289,
        ring: Ring::Negacyclic,
        bits: 32,
        method: Method::KRed,
        lanes: 1,
        note: "by the method of Longa and Naehrig",
    },
];

fn main() -> ExitCode {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner/rings/list.rs");
    let text = text();
    if std::fs::read_to_string(&path).is_ok_and(|found| found == text) {
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|argument| argument == "--check") {
        eprintln!("src/planner/rings/list.rs is not what the planner finds: `cargo xtask gen` writes it");
        return ExitCode::FAILURE;
    }
    std::fs::write(&path, text).expect("the file can be written");
    ExitCode::SUCCESS
}

/// A transform of the list.
struct Row {
    name: String,
    bits: u32,
    text: String,
}

fn text() -> String {
    let rows: Vec<Row> = RINGS.iter().flat_map(rows).collect();
    let mut text = String::from(
        "//! Written by `cargo xtask gen`, from the list in `examples/compiled_rings.rs`: do not edit.\n\n\
         use super::{CompiledRing, compiled_rings, is_ring};\n\
         use crate::{\n    network::{Direction, Fixed, Pass, Step},\n    planner::recipe::Recipe,\n    \
         reduction::{Constants, KRed, Montgomery, Shoup},\n};\n\ncompiled_rings! {\n",
    );
    rows.iter().for_each(|row| text += &row.text);
    text += "}\n\n/// Hands the names of the rings of a word to a macro.\nmacro_rules! with_rings {\n";
    for bits in [16, 32, 64] {
        let _ = writeln!(text, "    (i{bits}, $callback:ident, $recipe:ident, $direction:ident) => {{");
        let names: Vec<&str> = rows.iter().filter(|row| row.bits == bits).map(|row| &row.name[..]).collect();
        let _ = writeln!(text, "        $callback!($recipe, $direction, i{bits}, [{}])", names.join(" "));
        text += "    };\n";
    }
    text + "}\npub(crate) use with_rings;\n"
}

/// The transforms of a ring on vectors of every number of lanes that some instruction set has and the ring admits.
fn rows(ring: &Compiled) -> Vec<Row> {
    let word = ring.bits.ilog2() as usize - 4;
    let mut shapes: Vec<usize> = match ring.lanes {
        1 => vec![1],
        least => lanes::MACHINES.iter().map(|(_, lanes)| lanes[word]).filter(|lanes| *lanes >= least).collect(),
    };
    shapes.sort_unstable();
    shapes.dedup();
    shapes.into_iter().flat_map(|lanes| rows_on(ring, lanes)).collect()
}

fn rows_on(ring: &Compiled, lanes: usize) -> Vec<Row> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
    for lazy in [false, true] {
        let recipe = planned(ring, lanes, lazy);
        for direction in [Direction::Forward, Direction::Inverse] {
            let steps = recipe.schedules().steps(direction).to_vec();
            if known.contains(&(direction, steps.clone())) {
                continue;
            }
            let name = format!("{direction:?}{}Q{}On{lanes}{}", ring.n, ring.q, if lazy { "Lazy" } else { "" });
            let text = row(ring, &recipe, &name, direction, &steps);
            rows.push(Row { name, bits: ring.bits, text });
            known.push((direction, steps));
        }
    }
    rows
}

/// What the planner finds on that many lanes.
fn planned(ring: &Compiled, lanes: usize, lazy: bool) -> Recipe {
    let has = |backend: &Backend| match lanes {
        1 => *backend == Backend::Scalar,
        _ => backend.is_array() && backend.lanes(ring.bits) == lanes,
    };
    let backend = Backend::available().find(has).expect("arrays of that many lanes");
    let request = Request::new(ring.n, ring.q).ring(ring.ring).backend(backend).method(ring.method);
    let request = if lazy { request.lazy() } else { request };
    request.recipe(ring.bits).expect("a plan")
}

fn row(ring: &Compiled, recipe: &Recipe, name: &str, direction: Direction, steps: &[Step]) -> String {
    let polynomial = match ring.ring {
        Ring::Negacyclic => format!("X^{} + 1", ring.n),
        Ring::Cyclic => format!("X^{} - 1", ring.n),
        Ring::Trinomial => format!("X^{} - X^{} + 1", ring.n, ring.n / 2),
    };
    let method = recipe.method();
    let passes: Vec<String> = recipe.passes().iter().map(|pass| format!("Pass::{pass:?}")).collect();
    let steps: Vec<String> = steps.iter().map(|step| format!("{step:?}")).collect();
    format!(
        "    /// `Z_{}[X]/({polynomial})`, {}.\n    {name}: i{}, {}, {}, {method:?}, {} lanes, {direction:?},\n        \
         [\n            {},\n        ],\n        [{}];\n",
        ring.q,
        ring.note,
        ring.bits,
        ring.n,
        ring.q,
        recipe.lanes(),
        passes.join(",\n            "),
        steps.join(" "),
    )
}
