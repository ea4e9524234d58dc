//! Ring-LWE encryption in software, beside Table 1 of the processor paper.

use super::{Bench, Cell, Columns, Rows, Section, Table, backends, cycles, microseconds, short};
use crate::measure::Job;
use ntt::Backend;
use ringwork::{
    estimate::{self, Estimate},
    kem::{Kem, Scheme},
    schemes::rlwe::{P1, P2, Parameters, Rlwe},
};
use serde_json::{Value, json};
use std::hint::black_box;

/// A row of the paper's table: cycles and microseconds of encryption and decryption in hardware.
struct Printed {
    set: &'static str,
    cycles: [f64; 2],
    microseconds: [f64; 2],
    /// Its security, as section 2.1 and the conclusion put it.
    claim: &'static str,
}

/// Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014),
/// Table 1: Xilinx V6LX75T at 313 and 278 MHz.
const TABLE_1: [Printed; 2] = [
    Printed { set: "P1", cycles: [6300.0, 2800.0], microseconds: [20.1, 9.1], claim: "over 2^128 operations" },
    Printed { set: "P2", cycles: [13300.0, 5800.0], microseconds: [47.9, 21.0], claim: "consistent with AES-256" },
];

const OPERATIONS: [&str; 6] = ["encrypt", GIVEN, "decrypt", "keygen", "encapsulate", "decapsulate"];
/// Encryption without drawing its noise.
const GIVEN: &str = "encrypt, noise given";

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
    let (security, bits) = security();
    let time = |set: &str, operation: &str| {
        rows.get(&name(set, operation, best)).map_or(f64::NAN, |row| row.ns.median / 1000.0)
    };
    let share = |set: &str| 100.0 * (1.0 - time(set, GIVEN) / time(set, "encrypt"));
    Section {
        id: "ring-lwe",
        title: "Ring-LWE encryption".into(),
        meaning: format!(
            "The processor encrypts with P1 in {} µs and with P2 in {} µs; this core in {} and {} µs, of which drawing noise from \
             a discrete Gaussian, in constant time, is {:.0} and {:.0} %.",
            TABLE_1[0].microseconds[0],
            TABLE_1[1].microseconds[0],
            short(time("P1", "encrypt")),
            short(time("P2", "encrypt")),
            share("P1"),
            share("P2"),
        ),
        figures: Vec::new(),
        tables: vec![hardware(&rows, best, unit), software(&rows, unit), security],
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
            "source": "Roy et al. 2014, Table 1", "rows": rows.json(), "failure_log2": failures, "security": bits,
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
    let (secret, public) = rlwe.keys(&[1; 32]);
    let message = vec![0x5A; P::MESSAGE_BYTES];
    let ciphertext = rlwe.encrypt_polynomials(&public, &message, &[2; 32]);
    // Its time does not depend on values.
    let noise: Vec<i16> = (0..3 * P::N).map(|i| (i % 23) as i16 - 11).collect();
    let kem = Kem::research(rlwe.clone()).expect("messages of 32 bytes");
    let key = kem.keygen_derand(&[3; 32], &[4; 32]);
    let (encapsulated, _) = kem.encapsulate_derand(key.public_key(), &message);
    let jobs = vec![
        Job::new(name(set, "encrypt", backend), || {
            black_box(rlwe.encrypt_polynomials(&public, &message, &[2; 32]));
        }),
        Job::new(name(set, GIVEN, backend), || {
            black_box(rlwe.encrypt_with_noise(&public, &message, black_box(&noise)));
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
    let printed = |way: usize| move |paper: &&Printed| [paper.cycles[way], paper.microseconds[way]].map(Cell::printed);
    let here = |operation: &'static str| {
        move |paper: &&Printed| {
            let measured = rows.of(&name(paper.set, operation, best));
            [cycles(Some(measured)), microseconds(measured)]
        }
    };
    let heads = ["cycles", "µs"];
    let meaning =
        format!("The processor on its FPGA, and this machine by {best} in {unit}; a design of 300 MHz and a core.");
    Columns::new(meaning, &TABLE_1)
        .column("set", |paper| paper.set)
        .group("processor: encrypt", heads, printed(0))
        .group("processor: decrypt", heads, printed(1))
        .group("here: encrypt", heads, here("encrypt"))
        .group("here: decrypt", heads, here("decrypt"))
        .table()
}

fn software(rows: &Rows, unit: &str) -> Table {
    let mut columns =
        Columns::new(format!("All operations in {unit}."), OPERATIONS).column("operation", |operation| *operation);
    for Printed { set, .. } in &TABLE_1 {
        columns = columns.group(set, backends(), |&operation| {
            backends().into_iter().map(move |b| cycles(rows.get(&name(set, operation, b))))
        });
    }
    columns.table()
}

/// What the paper says its sets are worth, beside an estimate of today.
fn security() -> (Table, Value) {
    let estimates = [("P1", Rlwe::<P1>::new().security()), ("P2", Rlwe::<P2>::new().security())];
    let data = estimates.iter().map(|(set, estimate)| {
        let bits = estimate.as_ref().ok().map(|e| json!({ "classical": e.classical_bits, "quantum": e.quantum_bits }));
        json!({ "set": set, "core_svp_bits": bits })
    });
    let meaning = "Security of the sets: what the paper claims, and bits by core-SVP, the cheaper of the primal and the dual \
                   attack (ringwork estimate).";
    let bits = |estimate: &Result<Estimate, estimate::Error>, of: fn(&Estimate) -> f64| {
        estimate.as_ref().ok().map(|estimate| format!("{:.0}", of(estimate)))
    };
    let table = Columns::new(meaning, &estimates)
        .column("set", |(set, _)| *set)
        .group("paper, 2014", ["claim"], |(set, _)| [TABLE_1.iter().find(|p| p.set == *set).map(|p| p.claim)])
        .group("estimated here", ["classical", "quantum"], |(_, estimate)| {
            [bits(estimate, |e| e.classical_bits), bits(estimate, |e| e.quantum_bits)]
        })
        .prose()
        .table();
    (table, data.collect())
}
