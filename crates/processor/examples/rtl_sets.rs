//! Writes `rtl/sets/*.sv`: the processor of each parameter set, with the contents of its read-only memories. With
//! `--check` it only lists the files that differ.

#![forbid(unsafe_code)]

use ringwork::sample::{KnuthYao, Step};
use ringwork_processor::set::{SETS, Set, TABLED_COLUMNS, columns};
use std::{fmt::Write as _, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl/sets");
    let check = std::env::args().any(|argument| argument == "--check");
    let mut differ = false;
    for set in SETS {
        let (name, text) = (format!("{}.sv", set.name), module(&set));
        let path = directory.join(&name);
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        if check {
            eprintln!("rtl/sets/{name} is not what the parameter set gives: `cargo xtask gen` writes it");
            differ = true;
        } else {
            fs::write(path, text).expect("the file can be written");
        }
    }
    if differ { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The number of bits for numbers up to `largest`.
fn bits(largest: usize) -> u32 {
    usize::BITS - largest.leading_zeros()
}

/// A table whose entry 0 is the lowest of the constant: the last entry is written first.
fn table(width: u32, entries: &[usize]) -> String {
    let lines = entries.rchunks(8).map(|line| {
        let numbers: Vec<String> = line.iter().rev().map(|entry| format!("{width}'d{entry}")).collect();
        numbers.join(", ")
    });
    format!("{{\n      {}\n    }}", lines.collect::<Vec<_>>().join(",\n      "))
}

fn residues(set: &Set, residues: &[u64]) -> String {
    table(set.width() as u32, &residues.iter().map(|&residue| residue as usize).collect::<Vec<_>>())
}

/// The entries of a sampler's table: a sample if the highest bit is 0, else a distance.
fn steps(steps: &[Step]) -> (u32, Vec<usize>) {
    let number = |step: &Step| match *step {
        Step::Sample(sample) => usize::from(sample),
        Step::Distance(distance) => usize::from(distance),
    };
    let width = bits(steps.iter().map(number).max().unwrap_or(0));
    let entry = |step: &Step| number(step) | usize::from(matches!(step, Step::Distance(_))) << width;
    (width + 1, steps.iter().map(entry).collect())
}

fn module(set: &Set) -> String {
    let sampler = set.sampler();
    let ((h, w), width) = (set.split(), set.width());
    let (first_width, first) = steps(sampler.first_table());
    let (second_width, second) = steps(sampler.second_table());
    let columns = columns(&sampler);
    let weights: Vec<usize> = columns.iter().map(|column| column.weight).collect();

    let widest = |numbers: &[usize]| bits(numbers.iter().copied().max().unwrap_or(0));
    let rows = sampler.rows();
    let digits = |column: &[bool]| column.iter().rev().map(|&digit| if digit { '1' } else { '0' }).collect::<String>();
    let matrix: Vec<String> = columns.iter().rev().map(|c| format!("{rows}'b{}", digits(&c.digits))).collect();
    let (q, n, s) = (set.q, set.n, set.s);

    let parameters = [
        ("N", n.to_string()),
        ("Q", q.to_string()),
        ("H", h.to_string()),
        ("SPLIT", w.to_string()),
        ("FAST", "FAST".into()),
        ("TABLE", "TABLE".into()),
        ("DEPTH", "DEPTH".into()),
        ("TWIDDLES", residues(set, &set.twiddles())),
        ("ROOTS", residues(set, &set.roots(false))),
        ("INVERSE_ROOTS", residues(set, &set.roots(true))),
        ("N_INVERSE", set.n_inverse().to_string()),
        ("FIRST_WIDTH", first_width.to_string()),
        ("FIRST", table(first_width, &first)),
        ("SECOND_WIDTH", second_width.to_string()),
        ("SECOND_ENTRIES", second.len().to_string()),
        ("SECOND", table(second_width, &second)),
        ("ROWS", rows.to_string()),
        ("FIRST_COLUMN", TABLED_COLUMNS.to_string()),
        ("COLUMNS", KnuthYao::COLUMNS.to_string()),
        ("WEIGHT_WIDTH", widest(&weights).to_string()),
        ("WEIGHTS", table(widest(&weights), &weights)),
        ("DIGITS", format!("{{\n      {}\n    }}", matrix.join(",\n      "))),
    ];
    let parameters: Vec<String> = parameters.iter().map(|(name, value)| format!("    .{name}({value})")).collect();

    let word = format!("[{}:0] ", 2 * width - 1);
    let ports = [
        ("input ", "", "clk_i"),
        ("input ", "", "rst_i"),
        ("input ", "", "zeroize_i"),
        ("input ", "[7:0] ", "cmd_i"),
        ("input ", "", "cmd_valid_i"),
        ("output", "", "busy_o"),
        ("output", "", "sampling_o"),
        ("output", "[2:0] ", "error_o"),
        ("input ", &word, "data_i"),
        ("input ", "", "data_valid_i"),
        ("output", "", "data_ready_o"),
        ("input ", "", "bit_i"),
        ("input ", "", "bit_valid_i"),
        ("output", "", "bit_ready_o"),
        ("input ", "[8:0] ", "random_i"),
        ("input ", "", "random_valid_i"),
        ("output", "", "random_ready_o"),
        ("output", &word, "data_o"),
        ("output", "", "data_valid_o"),
        ("output", "[1:0] ", "bits_o"),
    ];
    let declared: Vec<String> =
        ports.iter().map(|(direction, range, name)| format!("    {direction} logic {range}{name}")).collect();
    let connected: Vec<String> = ports.iter().map(|(_, _, name)| format!("    .{name}({name})")).collect();

    let mut text = String::from("// SPDX-License-Identifier: Apache-2.0 OR MIT\n");
    let _ = write!(
        text,
        "// Written by `cargo xtask gen` from crates/processor/src/set.rs: do not edit.\n\
         //\n\
         // The processor of parameter set {}: n = {n}, q = {q} = {h} * 2^{w} + 1, s = {s}, psi = {}.\n\
         // Entry 0 of a table is its lowest. Twiddles and roots are times R = 2^{} mod q.\n\n\
         `default_nettype none\n\n\
         module ringwork_{} #(\n    parameter FAST = 1,\n    parameter TABLE = 4,\n    \
         parameter DEPTH = ringwork_latency::MODMUL\n) (\n{}\n);\n\n  \
         ringwork_processor #(\n{}\n  ) processor (\n{}\n  );\n\nendmodule\n\n`default_nettype wire\n",
        set.name.to_uppercase(),
        set.root,
        2 * w,
        set.name,
        declared.join(",\n"),
        parameters.join(",\n"),
        connected.join(",\n"),
    );
    text
}
