//! Tables 2 and 3 of the LazyNTT paper: cycles of a forward transform.
//!
//! Source: G. Kim, E. Seo, Y. Lee, Y.-S. Kim, J.-S. No, *Lazy Modular Reduction for NTT*,
//! Electronics 13(24):4887, 2024, section 4: AMD Ryzen 9 5950X, GCC without optimisation, one
//! million transforms.

/// Name, and t: one of t products in a row is reduced.
pub(crate) const VARIANTS: [(&str, u32); 3] = [("Original", 1), ("SM-LazyNTT", 2), ("SSM-LazyNTT", 3)];

/// A table as printed.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) number: u32,
    pub(crate) q: u64,
    /// n, and the cycles of the variants in their order.
    pub(crate) rows: &'static [(usize, [f64; 3])],
}

pub(crate) const TABLES: [Printed; 2] = [
    Printed {
        number: 2,
        q: 12289,
        rows: &[
            (64, [6255.0, 5660.0, 4514.0]),
            (128, [14187.0, 13000.0, 10287.0]),
            (256, [31889.0, 29258.0, 23230.0]),
            (512, [71041.0, 64843.0, 51384.0]),
            (1024, [156_509.0, 143_297.0, 112_701.0]),
        ],
    },
    Printed {
        number: 3,
        q: 3329,
        rows: &[(32, [6339.0, 5823.0, 4826.0]), (64, [15135.0, 13860.0, 11476.0]), (128, [34636.0, 31469.0, 25816.0])],
    },
];

#[cfg(test)]
mod tests {
    use super::{super::transcript, Printed, TABLES, VARIANTS};

    /// The rows of the second transcription, which has degrees in columns: its name, and the number for each degree.
    fn again(table: &Printed) -> Vec<(String, Vec<f64>)> {
        let text = include_str!("lazyntt.txt");
        let title = format!("Table {}: cycles, q = {}", table.number, table.q);
        let head = text.lines().skip_while(|line| *line != title).nth(1).unwrap();
        let degrees = head.split(" | ").skip(1).map(|log_n| transcript::number(log_n).exp2()).collect();
        let rows = transcript::rows(text, &title).into_iter();
        let all = rows.map(|(name, cells)| (name, cells.into_iter().map(Option::unwrap).collect()));
        [("n".to_owned(), degrees)].into_iter().chain(all).collect()
    }

    #[test]
    fn tables_2_and_3_are_those_of_the_paper() {
        for table in &TABLES {
            let again = again(table);
            let row = |name: &str| &again.iter().find(|(row, _)| row == name).unwrap().1;
            assert!(table.rows.iter().map(|(n, _)| *n as f64).eq(row("n").iter().copied()));
            for (variant, (name, _)) in VARIANTS.iter().enumerate() {
                assert!(table.rows.iter().map(|(_, cycles)| cycles[variant]).eq(row(name).iter().copied()), "{name}");
            }
            assert_eq!(again.len(), 6);
        }
    }

    #[test]
    fn cycles_give_the_printed_ratios() {
        let mut differing = Vec::new();
        for table in &TABLES {
            let again = again(table);
            for (variant, name) in [(1, "SM/Original"), (2, "SSM/Original")] {
                let printed = &again.iter().find(|(row, _)| row == name).unwrap().1;
                for ((n, cycles), expected) in table.rows.iter().zip(printed) {
                    let ratio = (1000.0 * cycles[variant] / cycles[0]).round() / 1000.0;
                    if ratio != *expected {
                        differing.push((table.number, *n, ratio, *expected));
                    }
                }
            }
        }
        // One ratio is rounded up: 29258/31889 is 0.91749….
        assert_eq!(differing, [(2, 256, 0.917, 0.918)]);
    }

    /// "Around 28 %, 24 %, and 9 % with both parameters", section 4.
    #[test]
    fn ratios_give_the_savings_of_the_text() {
        for (table, savings) in TABLES.iter().zip([[9.0, 28.0], [9.0, 24.0]]) {
            for (variant, percent) in [1, 2].into_iter().zip(savings) {
                let sum: f64 = table.rows.iter().map(|(_, cycles)| 1.0 - cycles[variant] / cycles[0]).sum();
                let mean = 100.0 * sum / table.rows.len() as f64;
                assert!((mean - percent).abs() < 0.6, "Table {}: {mean:.1} for {percent} %", table.number);
            }
        }
    }

    /// A table's cycles go with its butterflies, n·log2(n)/2. In Table 3 each takes 2.5 times as many as in Table 2, and
    /// 1.25 times as many if its transforms have the layers that it says and twice the length, as Kyber's have.
    #[test]
    fn cycles_go_with_butterflies() {
        let of = |table: &Printed| {
            table.rows.iter().map(|(n, cycles)| cycles[0] / (n * n.ilog2() as usize / 2) as f64).collect::<Vec<f64>>()
        };
        let [second, third] = TABLES.each_ref().map(of);
        assert!(second.iter().all(|cycles| (30.5..32.7).contains(cycles)), "{second:?}");
        assert!(third.iter().all(|cycles| (77.0..79.5).contains(cycles)), "{third:?}");
        // The longer the transform, the less is left for its loops.
        assert!(second.is_sorted_by(|a, b| a > b) && third.is_sorted_by(|a, b| a > b));
        assert!(third.iter().all(|cycles| (1.17..1.31).contains(&(cycles / 2.0 / second[1]))));
    }
}
