//! The NewHope key exchange part by part, beside Table 1 of Longa and Naehrig's paper as far as it
//! is public.

use super::{
    Bench, Cell, Columns, Rows, Section, Table, backends, cycles, faster, grouped_cycles,
    printed::longa_naehrig::{EXCHANGE, MACHINE, TABLE_1, TRANSFORMS_IN_C},
    short,
    textbook::{self, Textbook},
    times,
};
use crate::{
    jobs::{self, Operation, PARTS, PHASES},
    measure::{Job, Row},
    plans::{AnyTransform, is_compiled},
};
use ntt::{Backend, Method};
use ringwork::schemes::newhope::{NewHope, Parameters, USENIX2016};
use serde_json::{Value, json};

const SET: Parameters = USENIX2016;

/// Our rows for those of the table.
const OURS: [Ours; TABLE_1.len()] = [
    Ours::Transform(Operation::Forward),
    Ours::Transform(Operation::Inverse),
    Ours::Part(0),
    Ours::Part(1),
    Ours::Part(2),
    Ours::Part(3),
    Ours::Phase(0),
    Ours::Phase(1),
    Ours::Phase(2),
    Ours::Phase(3),
];

/// How often an exchange has each part: the first six rows.
const OFTEN: [f64; 6] = [4.0, 2.0, 2.0, 5.0, 1.0, 2.0];

/// Which of our rows does the same.
#[derive(Clone, Copy)]
enum Ours {
    Transform(Operation),
    Part(usize),
    Phase(usize),
}

/// Methods of reduction that the paper compares: its own, and Montgomery's, as the designers have it.
const METHODS: [Method; 2] = [Method::KRed, Method::Montgomery];

/// An exchange by one method on one backend. Its transforms are those of its own recipe.
struct Way {
    scheme: NewHope,
    method: Method,
}

impl Way {
    /// Those that are compiled, backend by backend.
    fn all() -> Vec<Self> {
        let each = backends().into_iter().flat_map(|backend| METHODS.map(|method| (backend, method)));
        let compiled = each.filter_map(|(backend, method)| {
            let scheme = NewHope::with_method(SET, backend, method).expect("both methods have a plan on every backend");
            let bits = scheme.recipe().bits();
            is_compiled(method, bits, backend).then_some(Self { scheme, method })
        });
        compiled.collect()
    }

    fn name(&self, part: &str) -> String {
        format!("{part}/{}/{}", self.scheme.backend(), self.method)
    }

    /// Exchange, parts and transforms.
    fn jobs(&self) -> Vec<Job<'static>> {
        let mut all = jobs::exchange(self.scheme.clone(), |phase| self.name(phase));
        all.extend(jobs::parts(self.scheme.clone(), |part| self.name(part)));
        let transform = AnyTransform::from_recipe(self.scheme.recipe().clone());
        let job = |operation: Operation| operation.job(self.name(operation.name()), &transform);
        all.extend([Operation::Forward, Operation::Inverse].map(job));
        all
    }

    fn row<'a>(&self, rows: &'a Rows, ours: Ours) -> &'a Row {
        rows.of(&self.name(match ours {
            Ours::Transform(operation) => operation.name(),
            Ours::Part(i) => PARTS[i],
            Ours::Phase(i) => PHASES[i],
        }))
    }

    /// The whole exchange, and the sum of its parts, in core cycles.
    fn whole_and_parts(&self, rows: &Rows) -> [f64; 2] {
        let of = |ours| self.row(rows, ours).core.median;
        [of(OURS[9]), OURS.iter().zip(OFTEN).map(|(ours, often)| often * of(*ours)).sum()]
    }
}

/// Jobs that will be measured.
pub(crate) fn steps() -> u64 {
    (TABLE_1.len() * Way::all().len()) as u64
}

/// The section, and what it adds to the headline.
pub(crate) fn section(bench: &mut Bench<'_>, textbook: Option<&Textbook>) -> (Section, String) {
    let ways = Way::all();
    let measured =
        ways.iter().flat_map(|way| bench.measure(&format!("newhope {} by {}", SET.name(), way.method), way.jobs()).0);
    let rows = Rows(measured.collect());
    let (best, unit) = (Backend::best(), bench.meter.unit());
    let fastest = |backend: Backend| {
        let here = ways.iter().filter(move |way| way.scheme.backend() == backend);
        let whole = |way: &&Way| way.row(&rows, OURS[9]).core.median;
        here.min_by(|a, b| whole(a).total_cmp(&whole(b))).expect("Montgomery's method is compiled everywhere")
    };
    let way = fastest(best);
    let whole = way.row(&rows, OURS[9]);
    let headline = format!("A whole NewHope key exchange, both sides, takes {} µs.", short(whole.ns.median / 1000.0));
    let transforms = |way: &Way| {
        let of = |i: usize| OFTEN[i] * way.row(&rows, OURS[i]).core.median;
        100.0 * (of(0) + of(1)) / way.whole_and_parts(&rows)[0]
    };
    let single = fastest(Backend::Scalar);
    let [total, parts] = single.whole_and_parts(&rows);
    let mut tables = vec![table(&ways, &rows, unit), over_montgomery(&ways, &rows, unit)];
    let mut notes = vec![
        format!(
            "Designers: NewHope's own code as its paper has it in the version of 28 March 2016, on an {MACHINE}; total is the \
             sum of the three rows above it. Longa and Naehrig compare with the USENIX version of August 2016, whose \
             cycles may differ, and their own column is not in the text that is at hand: of it is known that transforms \
             in C are {} and {} times as fast as the designers', the exchange {} times in C and {} times with \
             AVX2. Their programs do not run here, and cycles of different cores are not divided by one another.",
            TRANSFORMS_IN_C[0], TRANSFORMS_IN_C[1], EXCHANGE[0], EXCHANGE[1]
        ),
        "Designers' generating a includes reading a seed from the system, their inverse transform a reordering. Ours has no \
         random numbers of the system in it: seeds are given. Our shared key (server) includes reading its \
         secret from bytes, which the total does not."
            .into(),
        format!(
            "In every column of ours transforms are those of the column's own exchange. K-RED computes in words of 32 bits: \
             noise is widened once as it enters, and what is sent or reconciled is narrowed once as it leaves. On scalar by \
             {}, parts as often as an exchange has them ({}) are {:.0} % of the total; the rest is products of slots, packing \
             and those copies. Hashes and noise bits go by vectors where this machine has them, in every column.",
            single.method,
            "four and two transforms, a twice, noise five times, HelpRec once, Rec twice",
            100.0 * parts / total
        ),
        "By both methods everything but the transforms is the same. So the factor of the total is smaller than it would be \
         beside slower hashing. In our K-RED no layer of the forward transform needs the paper's extra reductions (Algorithm \
         3, line 12), since its twiddles are centred; the textbook has them."
            .into(),
    ];
    if ways.len() < METHODS.len() * backends().len() {
        notes.push(format!(
            "K-RED on {best} is compiled with --features all-methods: every build would have eight more functions of machine \
             code for it, and no plan takes it there, since words of 16 bits have twice the lanes."
        ));
    }
    let mut data = json!({
        "scheme": "newhope", "set": SET.name(), "rows": rows.json(),
        "ways": ways.iter().map(|way| of_way(way, &rows)).collect::<Value>(),
        "designers": TABLE_1.iter().map(|(part, cycles)| json!({ "part": part, "c": cycles[0], "avx2": cycles[1] }))
            .collect::<Value>(),
        "designers_machine": MACHINE,
    });
    if let Some(textbook) = textbook {
        tables.push(as_made(textbook));
        notes.push(format!(
            "As written: the designers' transform and reductions (words of 16 bits, Montgomery by 2^18, Barrett), rebuilt in the \
             textbook and compared with their C word for word, and Algorithms 3 and 4 in words of 32 bits; hashing, noise, \
             reconciliation and packing are one code. The paper's factors are of this comparison; that of the total also \
             has what its code saves elsewhere. {}.",
            textbook::commands()
        ));
        data["as_written"] =
            WORKS.iter().map(|(_, work, _)| textbook.data(work, &BY, SIZE, MODULUS)).collect::<Value>();
    }
    let section = Section {
        id: "exchange",
        title: "Key exchange".into(),
        meaning: format!(
            "Both sides of NewHope ({}) together take {} {unit} on {best}; four forward and two inverse transforms alone are \
             {:.0} % of that, the rest is hashing, noise, reconciliation and packing. One word at a time {} is the faster \
             of the two methods, and transforms are {:.0} % of {} {unit}.",
            SET.name(),
            cycles(Some(whole)).text,
            transforms(way),
            single.method,
            transforms(single),
            cycles(Some(single.row(&rows, OURS[9]))).text,
        ),
        figures: Vec::new(),
        tables,
        notes,
        data,
    };
    (section, headline)
}

fn table(ways: &[Way], rows: &Rows, unit: &str) -> Table {
    let heads: Vec<String> = ways.iter().map(|way| format!("{}, {}", way.scheme.backend(), way.method)).collect();
    Columns::new(format!("The rows of Longa and Naehrig's Table 1, in {unit}."), TABLE_1.iter().zip(OURS))
        .column("", |((part, _), _)| *part)
        .group("designers, Haswell", ["C", "AVX2"], |((_, theirs), _)| {
            theirs.map(|cycles| Cell::number(grouped_cycles(cycles), cycles))
        })
        .group("ours, this run", heads, |(_, ours)| {
            ways.iter().map(|way| cycles(Some(way.row(rows, *ours)))).collect::<Vec<_>>()
        })
        .table()
}

/// Rows in which the methods differ: the transforms and the total.
const DIFFER: [usize; 3] = [0, 1, 9];

/// One exchange by both methods, and its transforms, one word at a time.
fn over_montgomery(ways: &[Way], rows: &Rows, unit: &str) -> Table {
    let way = |method: Method| {
        let found = ways.iter().find(|way| way.method == method && way.scheme.backend() == Backend::Scalar);
        found.expect("both methods are compiled one word at a time")
    };
    let [k_red, montgomery] = METHODS.map(way);
    Columns::new(format!("By Montgomery's method and by K-RED, one word at a time, in {unit}."), DIFFER)
        .column("", |row| TABLE_1[*row].0)
        .group("", ["Montgomery", "K-RED", "times as fast"], |row| {
            let [slow, fast] = [montgomery, k_red].map(|way| way.row(rows, OURS[*row]));
            [cycles(Some(slow)), cycles(Some(fast)), faster(slow, fast)]
        })
        .table()
}

/// The textbook's programs: the row, the program's name, and the paper's factor.
const WORKS: [(&str, &str, f64); 3] = [
    ("NTT", "newhope-forward", TRANSFORMS_IN_C[0]),
    ("NTT⁻¹", "newhope-inverse", TRANSFORMS_IN_C[1]),
    ("total", "newhope", EXCHANGE[0]),
];
const BY: [&str; 2] = ["designers", "k-red"];
const SIZE: usize = 1024;
const MODULUS: u64 = 12289;

/// The claim as it was made: the designers' arithmetic against Algorithms 3 and 4, everything else the same.
fn as_made(textbook: &Textbook) -> Table {
    let meaning = "As written, optimised, in ns: the designers' arithmetic against Algorithms 3 and 4.".to_owned();
    Columns::new(meaning, WORKS)
        .column("", |(row, ..)| *row)
        .group("", ["designers' arithmetic", "K-RED", "times as fast"], |(_, work, _)| {
            let [designers, k_red] = BY.map(|by| textbook.get(work, by, SIZE, MODULUS)[1]);
            let (Some(designers), Some(k_red)) = (designers, k_red) else { return [(); 3].map(|()| Cell::dash()) };
            let ratio = designers.median / k_red.median;
            let unsure = designers.is_large() || k_red.is_large();
            [
                Cell::foreign(short(designers.median), designers.median, designers.is_large()),
                Cell::foreign(short(k_red.median), k_red.median, k_red.is_large()),
                Cell::foreign(times(ratio), ratio, unsure),
            ]
        })
        .column("paper", |(.., paper)| Cell::printed(*paper))
        .table()
}

fn of_way(way: &Way, rows: &Rows) -> Value {
    let recipe = way.scheme.recipe();
    let [total, parts] = way.whole_and_parts(rows);
    json!({
        "backend": way.scheme.backend().name(), "method": way.method.name(), "bits": recipe.bits(),
        "parts_of_total": parts / total,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F1: transforms that stand under an exchange are those that it runs.
    #[test]
    fn transforms_are_those_of_the_exchange() {
        let ways = Way::all();
        let scalar: Vec<Method> =
            ways.iter().filter(|way| way.scheme.backend() == Backend::Scalar).map(|way| way.method).collect();
        assert_eq!(scalar, METHODS);
        for way in &ways {
            let recipe = way.scheme.recipe();
            assert_eq!((recipe.method(), recipe.backend()), (way.method, way.scheme.backend()));
            assert_eq!(AnyTransform::from_recipe(recipe.clone()).recipe(), recipe);
        }
        // What the scheme takes by itself is among them.
        for backend in backends() {
            let own = NewHope::with_backend(SET, backend);
            assert!(ways.iter().any(|way| way.scheme.recipe() == own.recipe()), "{backend}");
        }
    }

    /// Figure 1: what parts an exchange has.
    #[test]
    fn parts_are_those_of_the_phases() {
        let [keys, client, server] =
            [[2.0, 0.0, 1.0, 2.0, 0.0, 0.0], [2.0, 1.0, 1.0, 3.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]];
        for i in 0..OFTEN.len() {
            let sum: f64 = keys[i] + client[i] + server[i];
            assert!((sum - OFTEN[i]).abs() < 0.5);
        }
    }
}
