//! What the paper prints of area, frequency and time: Table 1, and what its text says of parts.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014), abstract, sections
//! 6 and 7.

use super::{Columns, Counted, Table, short};

/// A row of the paper's Table 1: implementation, parameters, device, LUTs/FFs/DSPs/BRAM18, MHz, and cycles/µs of
/// encryption and of decryption.
pub(super) type Row = [&'static str; 7];

/// Table 1.
pub(super) const TABLE_1: [Row; 8] = [
    ["RLWE, this paper", "(256, 7681, 11.32)", "V6LX75T", "1349/860/1/2", "313", "6.3k/20.1", "2.8k/9.1"],
    ["RLWE, this paper", "(512, 12289, 12.18)", "V6LX75T", "1536/953/1/3", "278", "13.3k/47.9", "5.8k/21"],
    ["RLWE [23]", "(256, 7681, 11.32)", "V6LX75T", "4549/3624/1/12", "262", "6.8k/26.2", "4.4k/16.8"],
    ["RLWE [23]", "(512, 12289, 12.18)", "V6LX75T", "5595/4760/1/14", "251", "13.7k/54.8", "8.8k/35.4"],
    ["RLWE-Enc [24]", "(256, 4096, 8.35)", "S6LX9", "317/238/95/1", "144", "136k/946", "–"],
    ["RLWE-Dec [24]", "(256, 4096, 8.35)", "S6LX9", "112/87/32/1", "189", "–", "66k/351"],
    ["ECC [3]", "Binary-233", "V5LX85T", "18097/–/5644/0", "156", "1.9k/12.3", "1.9k/12.3"],
    ["NTRU [12]", "NTRU-251", "XCV1600E", "27292/5160/14352/0", "62.3", "–/1.54", "–/1.41"],
];

/// Of the sampler: LUTs for speed and its delay in ns; slices for area with σ = 3.33, and those of the Bernoulli
/// sampler of \[24\].
pub(super) const SAMPLER: (u32, f64, [u32; 2]) = (164, 2.5, [32, 37]);
/// LUTs and FFs of nine generators of random bits, and of the AES core that \[23\] has for them.
const RANDOM_BITS: [[u32; 2]; 2] = [[378, 9], [803, 341]];

/// The numbers of a cell, by the slashes between them; what is no number, or not there, is `None`.
pub(super) fn numbers(cell: &str) -> Vec<Option<f64>> {
    let number = |part: &str| match part.strip_suffix('k') {
        Some(thousands) => thousands.parse().ok().map(|x: f64| 1e3 * x),
        None => part.parse().ok(),
    };
    cell.split('/').map(number).collect()
}

/// LUT, FF, DSP, BRAM18 of the paper's own processor, by the number of its set.
pub(super) fn area(set: usize) -> [Option<f64>; 4] {
    numbers(TABLE_1[set][3]).try_into().expect("four numbers")
}

/// Cycles that the paper prints for its own sets, of encryption and decryption.
pub(super) fn cycles(set: usize) -> [&'static str; 2] {
    [5, 6].map(|cell| TABLE_1[set][cell].split('/').next().unwrap_or_default())
}

/// How many times the numbers of \[23\] are those of the paper, in its own table: both on V6LX75T.
fn over_23(cell: usize, of: usize) -> [f64; 2] {
    [0, 1].map(|set| {
        let [ours, theirs] = [set, set + 2].map(|row| numbers(TABLE_1[row][cell])[of].unwrap_or(f64::NAN));
        theirs / ours
    })
}

/// Table 1 as printed.
pub(super) fn table_1() -> Table {
    let meaning = "Table 1 of the paper, as printed. Its references: [23] Pöppelmann, Güneysu 2013; [24] Pöppelmann, Güneysu \
                   2014; [3] an ECC processor; [12] an NTRU processor.";
    let costs = ["MHz", "encryption: cycles/µs", "decryption: cycles/µs"];
    let heads = ["implementation", "parameters", "device", "LUT/FF/DSP/BRAM18"].into_iter().chain(costs);
    Columns::new(meaning, TABLE_1).group("", heads, |row| *row).prose().table()
}

/// What the text says of parts and of \[23\], and what of ours stands beside.
pub(super) fn parts(counted: &Counted) -> Table {
    let (luts, delay, [slices, bernoulli]) = SAMPLER;
    let [[trng, trng_ff], [aes, aes_ff]] = RANDOM_BITS;
    let times = |[first, second]: [f64; 2]| format!("{} and {}", short(first), short(second));
    let sampler = |set: &str, machine: &str| {
        let area = counted.design(set, machine).synthesis.xc6v;
        area.all() - area.without_sampler.all()
    };
    let ours = format!(
        "by yosys, before place and route: {} (PAPER P1), {} (PAPER P2), {} (the authors' HDL, P1); no delay, since it was \
         not placed by itself",
        sampler("p1", "paper"),
        sampler("p2", "paper"),
        super::AUTHORS.area.all() - super::AUTHORS.area.without_sampler.all(),
    );
    let lines = [
        ["sampler, for speed".into(), format!("{luts} LUTs, less than {delay} ns"), ours],
        [
            "sampler, for area, σ = 3.33".into(),
            format!("{slices} slices; the Bernoulli sampler of [24] has {bernoulli}"),
            "none: no set of ours has this σ, and yosys counts no slices".into(),
        ],
        [
            "area of [23] over the paper's, P1 and P2: “more than three times”".into(),
            format!("LUTs {}; FFs {}; BRAMs {}", times(over_23(3, 0)), times(over_23(3, 1)), times(over_23(3, 3))),
            "not divided: [23] was not synthesised by our tools".into(),
        ],
        [
            "time of [23] over the paper's: “somewhat faster”".into(),
            format!("encryption {}; decryption {}", times(over_23(5, 1)), times(over_23(6, 1))),
            "none: no tool of ours times a Virtex-6".into(),
        ],
        [
            "nine generators of random bits".into(),
            format!("{trng} LUTs, {trng_ff} FFs; the AES core of [23] has {aes} and {aes_ff}"),
            "none: random bits come from outside".into(),
        ],
    ];
    let meaning = "What the paper says of parts, on Virtex-6, and of [23], as quotients of its own Table 1.";
    Columns::new(meaning, lines)
        .group("", ["what", "the paper", "here"], |line: &[String; 3]| line.clone())
        .prose()
        .table()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the paper's text, cell by cell: the table was typed once for the page and once more here.
    const LINES: &str = "\
        (256,7681,11.32) V6LX75T 1349/860/1/2 313 6.3k/20.1 2.8k/9.1
        (512,12289,12.18) V6LX75T 1536/953/1/3 278 13.3k/47.9 5.8k/21
        (256,7681,11.32) V6LX75T 4549/3624/1/12 262 6.8k/26.2 4.4k/16.8
        (512,12289,12.18) V6LX75T 5595/4760/1/14 251 13.7k/54.8 8.8k/35.4
        (256,4096,8.35) S6LX9 317/238/95/1 144 136k/946 –
        (256,4096,8.35) S6LX9 112/87/32/1 189 – 66k/351
        Binary-233 V5LX85T 18097/–/5644/0 156 1.9k/12.3 1.9k/12.3
        NTRU-251 XCV1600E 27292/5160/14352/0 62.3 –/1.54 –/1.41";

    #[test]
    fn table_1_is_what_is_printed() {
        let lines = LINES.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let cells = TABLE_1.iter().map(|row| row[1..].iter().map(|cell| cell.replace(' ', "")).collect::<Vec<_>>());
        assert!(lines.eq(cells));
    }

    /// What a number may be whose last digit was cut off or rounded: down to half a unit below, up to one above.
    fn range(text: &str) -> [f64; 2] {
        let value = numbers(text)[0].unwrap();
        let digits = text.trim_end_matches('k');
        let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
        let unit = 10_f64.powi(-decimals) * if text.ends_with('k') { 1e3 } else { 1.0 };
        [value - unit / 2.0, value + unit]
    }

    fn meet([a, b]: [f64; 2], [c, d]: [f64; 2]) -> bool {
        a <= d && c <= b
    }

    /// Time is cycles over frequency, in each row, for encryption and decryption.
    #[test]
    fn times_are_cycles_over_frequency() {
        let mut tried = 0;
        for row in TABLE_1 {
            let mhz = numbers(row[4])[0].unwrap();
            for cell in [row[5], row[6]] {
                let Some((cycles, time)) = cell.split_once('/').filter(|(cycles, _)| *cycles != "–") else {
                    continue;
                };
                // Cycles in this table are cut off: 6861 of [23] stand as 6.8k.
                let [least, most] = range(cycles);
                assert!(meet([least / mhz, most / mhz], range(time)), "{row:?}: {cycles}/{mhz} is not {time}");
                tried += 1;
            }
        }
        assert_eq!(tried, 12);
    }

    /// The abstract prints its own rows again: LUTs, FFs, DSPs, BRAMs, and µs without decimals.
    #[test]
    fn the_abstract_has_the_same_numbers() {
        for (set, expected) in [[1349, 860, 1, 2, 20, 9], [1536, 953, 1, 3, 48, 21]].iter().enumerate() {
            let time = [5, 6].map(|cell| numbers(TABLE_1[set][cell])[1]);
            let printed: Vec<u32> = area(set).iter().chain(&time).map(|x| x.unwrap().round() as u32).collect();
            assert_eq!(printed, expected);
        }
    }

    /// Section 6: encryption takes fc_fwd + 3/2·n log n + 10n and decryption fc_inv + n/2·log n + 3n cycles "along with
    /// additional overhead", which is less than 3 %.
    #[test]
    fn cycles_are_the_formulas_and_some_overhead() {
        for (set, (n, [forward, backward])) in [(256, [667, 1048]), (512, [1139, 1959])].into_iter().enumerate() {
            let log_n = f64::from(f64::from(n).log2() as u32);
            let n = f64::from(n);
            let formulas =
                [f64::from(forward) + 1.5 * n * log_n + 10.0 * n, f64::from(backward) + n / 2.0 * log_n + 3.0 * n];
            for (formula, printed) in formulas.into_iter().zip(cycles(set)) {
                let [least, most] = range(printed);
                assert!(formula <= most && least <= 1.03 * formula, "{printed}: {formula}");
            }
            // "Since the fixed computation cost is smaller than 5n, we gain in cycle count."
            assert!(f64::from(forward) < 5.0 * n);
            let [ours, theirs] = [set, set + 2].map(|row| numbers(TABLE_1[row][5])[0].unwrap());
            assert!(ours < theirs);
        }
    }

    /// "More than three times smaller", "somewhat faster", and of [24] that it takes nearly 40 times the cycles for
    /// n = 512.
    #[test]
    fn the_paper_s_comparisons_follow_from_its_table() {
        for resource in [0, 1, 3] {
            assert!(over_23(3, resource).iter().all(|&ratio| ratio > 3.0), "{resource}");
        }
        assert_eq!(over_23(3, 2), [1.0; 2]);
        for program in [5, 6] {
            assert!(over_23(program, 1).iter().all(|ratio| (1.1..2.0).contains(ratio)));
        }
        // A quadratic multiplier in twice the dimension.
        let [quadratic, ours] = [4, 1].map(|row| numbers(TABLE_1[row][5])[0].unwrap());
        assert!((39.0..42.0).contains(&(4.0 * quadratic / ours)));
        let (luts, delay, [slices, bernoulli]) = SAMPLER;
        assert!(delay < 1e3 / 313.0, "it fits one clock domain");
        assert!(slices < bernoulli && 4 * slices < luts, "{slices} slices of four LUTs");
        assert!(RANDOM_BITS[0].iter().zip(RANDOM_BITS[1]).all(|(ours, aes)| *ours < aes));
    }

    /// The third number of [24], [3] and [12] is of slices: as many as the LUTs need, and up to 30 % more.
    #[test]
    fn third_numbers_of_other_designs_are_slices() {
        // Slices have four LUTs on Spartan-6 and Virtex-5, and two on Virtex-E.
        for (row, luts_of_slice) in [(4, 4.0), (5, 4.0), (6, 4.0), (7, 2.0)] {
            let area = numbers(TABLE_1[row][3]);
            let [luts, slices] = [area[0].unwrap(), area[2].unwrap()];
            assert!((1.0..1.3).contains(&(slices * luts_of_slice / luts)), "{:?}", TABLE_1[row]);
        }
        assert!(TABLE_1[..4].iter().all(|row| numbers(row[3])[2] == Some(1.0)), "those of the paper and [23] are DSPs");
    }
}
