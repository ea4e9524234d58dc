//! Tables: their cells, or the columns from which they come.

use super::Cell;

/// A table; the first column names the row.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// One sentence above it.
    pub(crate) meaning: String,
    /// Cells above the head, each with the number of columns it spans; none, or all columns together.
    pub(crate) groups: Vec<(&'static str, usize)>,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Whether cells are text, which starts at the left, and not numbers.
    pub(crate) prose: bool,
}

/// A table column by column: every group of columns says what stands above it, the heads of its
/// columns, and what it shows of a line.
pub(crate) struct Columns<L> {
    lines: Vec<L>,
    table: Table,
}

impl<L> Columns<L> {
    /// A table with a row for each line.
    pub(crate) fn new(meaning: impl Into<String>, lines: impl IntoIterator<Item = L>) -> Self {
        let lines: Vec<L> = lines.into_iter().collect();
        let rows = lines.iter().map(|_| Vec::new()).collect();
        Self { lines, table: Table { meaning: meaning.into(), rows, ..Table::default() } }
    }

    /// A group of columns; an empty name stands for none.
    ///
    /// **Panics** unless a line has a cell for each head.
    pub(crate) fn group<I>(
        mut self,
        name: &'static str,
        heads: impl IntoIterator<Item = impl ToString>,
        cells: impl Fn(&L) -> I,
    ) -> Self
    where
        I: IntoIterator,
        Cell: From<I::Item>,
    {
        let before = self.table.head.len();
        self.table.head.extend(heads.into_iter().map(|head| head.to_string()));
        let end = self.table.head.len();
        self.table.groups.push((name, end - before));
        for (line, row) in self.lines.iter().zip(&mut self.table.rows) {
            row.extend(cells(line).into_iter().map(Cell::from));
            assert_eq!(row.len(), end, "a cell below each of {:?}", &self.table.head[before..]);
        }
        self
    }

    /// A column that belongs to no group.
    pub(crate) fn column<C>(self, head: impl ToString, cell: impl Fn(&L) -> C) -> Self
    where
        Cell: From<C>,
    {
        self.group("", [head], |line| [cell(line)])
    }

    /// Cells are text.
    pub(crate) fn prose(mut self) -> Self {
        self.table.prose = true;
        self
    }

    /// The table. Neighbours without a group are one cell.
    pub(crate) fn table(mut self) -> Table {
        self.table.groups.dedup_by(|next, last| {
            let merge = next.0.is_empty() && last.0.is_empty();
            last.1 += if merge { next.1 } else { 0 };
            merge
        });
        if self.table.groups.iter().all(|(name, _)| name.is_empty()) {
            self.table.groups.clear();
        }
        self.table
    }
}
