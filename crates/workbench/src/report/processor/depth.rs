//! Section 5 of the paper, "optimal pipeline strategy for speed": cycles by the depth of the multiplier.

use super::{Cell, Columns, Table};
use crate::{
    plot::{self, BLUE, Dots, ORANGE},
    report::Figure,
};
use processor::{
    Depth, Set, Variant,
    depth::{balanced, fixed_backward, fixed_forward, strategy},
    rounds::Host,
    set::{P1, P2},
};
use serde_json::{Value, json};

/// Messages, the same at every depth.
const MESSAGES: u64 = 4;

/// One depth and one set: what it costs, by the model.
struct Line {
    depth: Depth,
    /// Forward and backward.
    fixed: [usize; 2],
    /// Mean cycles of encryption and decryption, `PAPER` and `FAST`.
    cycles: [[f64; 2]; 2],
}

impl Line {
    fn encrypt(&self) -> f64 {
        self.cycles[0][0]
    }

    /// Section 5's time of encryption, in units of the delay of the datapath without stages.
    fn time(&self) -> f64 {
        self.encrypt() * balanced(self.depth)
    }
}

/// All depths of a set.
pub(super) struct Curve {
    set: Set,
    lines: Vec<Line>,
}

/// The curves of the paper's sets, by the model.
pub(super) fn curves() -> [Curve; 2] {
    [P1, P2].map(|set| {
        let line = |depth| {
            let cycles = [Variant::Paper, Variant::Fast].map(|variant| {
                let trips =
                    Host::with_depth(&set, variant, depth, 1).round_trips(MESSAGES).expect("programs of the crate");
                [trips.encrypt.mean(), trips.decrypt.mean()]
            });
            Line { depth, fixed: [fixed_forward(set.n, depth), fixed_backward(set.n, depth)], cycles }
        };
        Curve { set, lines: Depth::all().map(line).collect() }
    })
}

impl Curve {
    fn name(&self) -> String {
        self.set.name.to_uppercase()
    }

    /// By how many percent a stage must shorten the period, to pay for its cycles: of encryption.
    fn pays_from(&self, depth: Depth) -> Option<f64> {
        let [less, more] = [self.line(depth.stages().checked_sub(1)?)?, self.line(depth.stages())?];
        Some(100.0 * (1.0 - less.encrypt() / more.encrypt()))
    }

    fn line(&self, stages: usize) -> Option<&Line> {
        self.lines.iter().find(|line| line.depth.stages() == stages)
    }

    /// The depth that the paper's period makes the best.
    fn optimum(&self) -> Depth {
        strategy(|depth| self.line(depth.stages()).map_or(f64::INFINITY, Line::encrypt), balanced)
    }

    fn share(&self, of: impl Fn(&Line) -> f64) -> impl Fn(&Line) -> f64 {
        let most = self.lines.iter().map(&of).fold(0.0, f64::max);
        move |line| of(line) / most
    }

    pub(super) fn table(&self) -> Table {
        let meaning = format!(
            "{}: cycles by the stages d of the multiplier, of the model, which runs the programs at each depth (means of {MESSAGES} \
             messages). The last two columns are of PAPER's encryption: by how much the stage has to shorten the clock \
             period to pay for its cycles, and the time with section 5's period, D_comb/(d + 1), one stage being 1.",
            self.name()
        );
        let whole = |x: f64| Cell::number(crate::screen::grouped(x.round() as u64), x);
        let time = self.share(Line::time);
        Columns::new(meaning, &self.lines)
            .column("d", |line| line.depth.stages())
            .group("PAPER", ["fixed, forward", "backward", "encrypt", "decrypt"], |line| {
                let [forward, backward] = line.fixed.map(|cycles| cycles as f64);
                [forward, backward, line.cycles[0][0], line.cycles[0][1]].map(whole)
            })
            .group("FAST", ["encrypt", "decrypt"], |line| line.cycles[1].map(whole))
            .group("section 5", ["pays from, %", "time"], |line| {
                let percent = self.pays_from(line.depth).map(|x| Cell::number(format!("{x:.1}"), x));
                let time = time(line);
                [percent.unwrap_or_else(Cell::dash), Cell::number(format!("{time:.3}"), time)]
            })
            .table()
    }

    pub(super) fn figure(&self) -> Figure {
        let (cycles, time) = (self.share(Line::encrypt), self.share(Line::time));
        let dots = self.lines.iter().map(|line| {
            let stages = line.depth.stages();
            let label = format!("{stages} stage{}", if stages == 1 { "" } else { "s" });
            Dots { label, values: vec![cycles(line), time(line)] }
        });
        let title = format!("Encryption on PAPER by depth, {}", self.name());
        let series = [("cycles", &BLUE), ("time by section 5", &ORANGE)];
        let svg = plot::dots(&title, "share of the largest", &series, &dots.collect::<Vec<_>>());
        Figure { svg, caption: format!("{title}: cycles grow with the depth, and the paper's period falls faster.") }
    }

    pub(super) fn json(&self) -> Value {
        let lines: Value = self
            .lines
            .iter()
            .map(|line| {
                let [[encrypt, decrypt], [fast_encrypt, fast_decrypt]] = line.cycles;
                json!({
                    "stages": line.depth.stages(), "fixed_forward": line.fixed[0], "fixed_backward": line.fixed[1],
                    "paper": { "encrypt": encrypt, "decrypt": decrypt },
                    "fast": { "encrypt": fast_encrypt, "decrypt": fast_decrypt },
                    "pays_from_percent": self.pays_from(line.depth), "time_by_section_5": line.time(),
                })
            })
            .collect();
        json!({ "set": self.set.name, "messages": MESSAGES, "optimum_by_section_5": self.optimum().stages(), "depths": lines })
    }
}

/// Where section 5 puts the optimum, and what is not known of it here.
pub(super) fn note(curves: &[Curve]) -> String {
    let gains = curves.iter().map(|curve| {
        let [six, last] = [curve.line(6), curve.lines.last()].map(|line| line.map_or(f64::NAN, Line::time));
        format!("{:.0} % ({})", 100.0 * (1.0 - last / six), curve.name())
    });
    let deepest = curves.iter().map(Curve::optimum).min().unwrap_or_default();
    format!(
        "Section 5 splits a path of delay D_comb in d + d_a equal stages: then the cycles that grow with d cost a constant \
         time, and the least period is the least time. By this rule the best depth of the tables is the last, {} stages; \
         from 6 stages on it still saves {}. A real path stops getting shorter at the slowest part that cannot be split \
         (the paper's multiplier block, a memory, a register's own delay), and the depth that first reaches it is the \
         paper's optimum. It prints no depth; of all depths only 6 has its fixed costs, {}. What a stage has to save to pay \
         stands in the tables. Clock periods at other depths were not measured.",
        deepest.stages(),
        gains.collect::<Vec<_>>().join(" and "),
        "667 (here 665), 1,139, 1,048 and 1,959",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_of_the_model_and_of_section_5() {
        for curve in curves() {
            assert_eq!(curve.lines.len(), Depth::MOST);
            assert_eq!(curve.optimum().stages(), Depth::MOST);
            let (table, data) = (curve.table(), curve.json());
            assert_eq!(table.rows.len(), Depth::MOST);
            for (row, line) in table.rows.iter().zip(data["depths"].as_array().unwrap()) {
                let [encrypt, decrypt] = ["encrypt", "decrypt"].map(|program| line["paper"][program].as_f64());
                assert_eq!([row[3].value, row[4].value], [encrypt, decrypt]);
                // A stage pays at once in the balanced pipeline: its period falls by 1/(d + 1).
                let stages = line["stages"].as_f64().unwrap();
                assert!(row[7].value.is_none_or(|percent| (0.0..100.0 / (stages + 1.0)).contains(&percent)), "{line}");
            }
            assert_eq!(table.rows[0][8].value, Some(1.0));
            assert!(table.rows.windows(2).all(|pair| pair[1][8].value < pair[0][8].value));
            assert!(table.rows.windows(2).all(|pair| pair[1][3].value > pair[0][3].value));
        }
    }
}
