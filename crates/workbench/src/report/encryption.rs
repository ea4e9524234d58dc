//! Ring-LWE encryption in software, beside Table 1 of the processor paper.

use super::{Bench, Rows, Section, Table, backends, cell, short, strings};
use crate::measure::Job;
use ntt::Backend;
use ringwork::{
    kem::{Encryption, Kem},
    schemes::rlwe::{P1, P2, Parameters, Rlwe},
};
use serde_json::{Value, json};
use std::hint::black_box;

/// A row of the paper's table: cycles and microseconds of encryption and decryption in hardware.
struct Printed {
    set: &'static str,
    cycles: [f64; 2],
    microseconds: [f64; 2],
}

/// Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014), Table 1: Xilinx
/// V6LX75T at 313 and 278 MHz.
const TABLE_1: [Printed; 2] = [
    Printed { set: "P1", cycles: [6300.0, 2800.0], microseconds: [20.1, 9.1] },
    Printed { set: "P2", cycles: [13300.0, 5800.0], microseconds: [47.9, 21.0] },
];

const OPERATIONS: [&str; 5] = ["encrypt", "decrypt", "keygen", "encapsulate", "decapsulate"];

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (TABLE_1.len() * OPERATIONS.len() * backends().len()) as u64
}

/// The section.
pub(crate) fn section(bench: &mut Bench<'_>) -> Section {
    let mut all = Vec::new();
    for backend in backends() {
        all.extend(measure::<P1>(bench, "P1", backend));
        all.extend(measure::<P2>(bench, "P2", backend));
    }
    let (rows, unit) = (Rows(all), bench.meter.unit());
    let failures = [Rlwe::<P1>::new().failure_log2(), Rlwe::<P2>::new().failure_log2()];
    let best = Backend::best();
    let microseconds = |set: &str, operation: &str| {
        rows.get(&name(set, operation, best)).map_or(f64::NAN, |row| row.ns.median / 1000.0)
    };
    Section {
        id: "ring-lwe",
        title: "Ring-LWE encryption".into(),
        meaning: format!(
            "The processor encrypts with P1 in {} µs and with P2 in {} µs; this core in {} and {} µs. Noise from a discrete \
             Gaussian, in constant time, is most of that.",
            TABLE_1[0].microseconds[0],
            TABLE_1[1].microseconds[0],
            short(microseconds("P1", "encrypt")),
            short(microseconds("P2", "encrypt")),
        ),
        figures: Vec::new(),
        tables: vec![hardware(&rows, best, unit), software(&rows, unit)],
        notes: vec![
            "encrypt and decrypt are of polynomials, as the processor has them, with the noise drawn from a seed; \
             encapsulate and decapsulate are of bytes. Cycles of a processor of 300 MHz and of a core of 3 GHz compare \
             designs, not speed."
                .into(),
            format!(
                "A message does not come back with a probability of 2^{:.1} (P1) and 2^{:.1} (P2), computed by convolution \
                 with the coefficients of a product taken for independent.",
                failures[0], failures[1]
            ),
        ],
        data: json!({
            "source": "Roy et al. 2014, Table 1", "rows": rows.json(), "failure_log2": failures,
            "paper": TABLE_1.each_ref().map(|p| json!({
                "set": p.set, "encrypt_cycles": p.cycles[0], "decrypt_cycles": p.cycles[1],
                "encrypt_us": p.microseconds[0], "decrypt_us": p.microseconds[1],
            })).into_iter().collect::<Value>(),
        }),
    }
}

fn name(set: &str, operation: &str, backend: Backend) -> String {
    format!("{set}/{operation}/{backend}")
}

fn measure<P: Parameters>(bench: &mut Bench<'_>, set: &str, backend: Backend) -> Vec<crate::measure::Row> {
    let rlwe = Rlwe::<P>::with_backend(backend).expect("the sets have a plan on every backend");
    let (public, secret) = rlwe.keys(&[1; 32]);
    let message = vec![0x5A; P::MESSAGE_BYTES];
    let ciphertext = rlwe.encrypt_polynomials(&public, &message, &[2; 32]);
    let kem = Kem::research(rlwe.clone()).expect("messages of 32 bytes");
    let key = kem.keygen_derand(&[3; 32], &[4; 32]);
    let (_, encapsulated) = kem.encapsulate_derand(key.public_key(), &message);
    let jobs = vec![
        Job::new(name(set, "encrypt", backend), || {
            black_box(rlwe.encrypt_polynomials(&public, &message, &[2; 32]));
        }),
        Job::new(name(set, "decrypt", backend), || {
            black_box(rlwe.decrypt_polynomials(&secret, &ciphertext));
        }),
        Job::new(name(set, "keygen", backend), || {
            black_box(rlwe.keys(&[1; 32]));
        }),
        Job::new(name(set, "encapsulate", backend), || {
            black_box(kem.encapsulate_derand(key.public_key(), &message));
        }),
        Job::new(name(set, "decapsulate", backend), || {
            black_box(kem.decapsulate(&key, &encapsulated).expect("an honest ciphertext"));
        }),
    ];
    bench.measure(&format!("ring-LWE {set}"), jobs).0
}

fn hardware(rows: &Rows, best: Backend, unit: &str) -> Table {
    let head = [
        "set",
        "processor: encrypt, cycles",
        "µs",
        "decrypt, cycles",
        "µs",
        "here: encrypt, cycles",
        "µs",
        "decrypt, cycles",
        "µs",
    ];
    let row = |printed: &Printed| {
        let mut row = vec![printed.set.to_owned()];
        for (cycles, microseconds) in printed.cycles.iter().zip(printed.microseconds) {
            row.extend([cell(Some(*cycles)), microseconds.to_string()]);
        }
        for operation in ["encrypt", "decrypt"] {
            let measured = rows.get(&name(printed.set, operation, best)).expect("measured above");
            row.extend([cell(Some(measured.core.median)), short(measured.ns.median / 1000.0)]);
        }
        row
    };
    Table {
        meaning: format!("The processor on its FPGA, and this machine by {best} in {unit}."),
        head: strings(head),
        rows: TABLE_1.iter().map(row).collect(),
        ..Table::default()
    }
}

fn software(rows: &Rows, unit: &str) -> Table {
    let columns = TABLE_1.iter().flat_map(|p| backends().into_iter().map(move |b| format!("{}, {b}", p.set)));
    let line = |operation: &str| {
        let cells =
            TABLE_1.iter().flat_map(|p| backends().into_iter().map(|b| cell(rows.cycles(&name(p.set, operation, b)))));
        strings([operation]).into_iter().chain(cells).collect()
    };
    Table {
        meaning: format!("All operations in {unit}."),
        head: strings(["operation"]).into_iter().chain(columns).collect(),
        rows: OPERATIONS.map(line).into(),
        ..Table::default()
    }
}
