//! The tables that the papers print, as data: the report's sections take them from here. Roy and others' stand beside the
//! processor's numbers, in `processor/printed.rs`, and what the scheme's section needs of them in `encryption.rs`.
//!
//! Each table has two tests. One recomputes every relation between its cells and to those of other tables; the other
//! holds it against a second transcription, a text beside this file. Longa and Naehrig's own Table 1 is not public, and
//! most of the designers' column that stands for it has no second source: there the text only keeps a cell from being
//! changed alone.

pub(crate) mod bakkebo;
pub(crate) mod lazyntt;
pub(crate) mod longa_naehrig;
pub(crate) mod royher;

/// Second transcriptions.
#[cfg(test)]
mod transcript {
    /// The rows of the table with that title: a name and numbers; `None` where the paper has a dash. Powers of two are
    /// given by their exponents.
    ///
    /// **Panics** if there is no such table, or if a cell is no number.
    pub(super) fn rows(text: &str, title: &str) -> Vec<(String, Vec<Option<f64>>)> {
        let mut lines = text.lines().skip_while(|line| *line != title);
        let found = (lines.next(), lines.next().map(|head| head.matches('|').count()));
        let (Some(_), Some(columns)) = found else { panic!("no table {title:?}") };
        let row = |line: &str| {
            let mut cells = line.split(" | ");
            let name = cells.next().unwrap_or_default().to_owned();
            let cells: Vec<Option<f64>> = cells.map(|cell| (cell != "-").then(|| number(cell))).collect();
            assert_eq!(cells.len(), columns, "{line}");
            (name, cells)
        };
        lines.take_while(|line| !line.is_empty()).map(row).collect()
    }

    pub(super) fn number(cell: &str) -> f64 {
        cell.trim_start_matches("2^").parse().unwrap_or_else(|_| panic!("a number: {cell:?}"))
    }

    #[test]
    fn tables_are_found_and_read() {
        let text = "head\n\nA: 1\nn | q | x\n2^3 | 7 | -\n2^4 | 2^0.5 | 1.50\n\nB\nn | y\na b | 1\n";
        let [first, second] = ["A: 1", "B"].map(|title| rows(text, title));
        assert_eq!(first[0], ("2^3".into(), vec![Some(7.0), None]));
        assert_eq!(first[1], ("2^4".into(), vec![Some(0.5), Some(1.5)]));
        assert_eq!((first.len(), second), (2, vec![("a b".into(), vec![Some(1.0)])]));
        assert!(std::panic::catch_unwind(|| rows(text, "C")).is_err());
        assert!(std::panic::catch_unwind(|| rows("A\nn | x\n1 | 2 | 3\n", "A")).is_err());
    }
}
