//! The table of shells: one line each, numbers first, then the name.

use super::objects::Counts;
use std::fmt;

/// What a compiler made of the shells, sorted by name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) compiler: String,
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) counts: Counts,
}

const HEAD: &str = "\
# The machine code of the shells, made by `cargo xtask codegen --update` with
";
const COLUMNS: &str = "# multiplies  permutes  calls  panics  spills  instructions  name\n";

/// How far the number of instructions may be from the recorded one, in percent.
const TOLERANCE: usize = 10;

/// Rows named by the short form of their shells, or by the full one where two would have the same.
pub(super) fn rows(shells: Vec<(String, Counts)>) -> Vec<Row> {
    let shared = |name: &str| shells.iter().filter(|(other, _)| short(other) == short(name)).count() > 1;
    let name = |name: &str| if shared(name) { name.to_owned() } else { short(name) };
    let mut rows: Vec<Row> = shells.iter().map(|(full, counts)| Row { name: name(full), counts: *counts }).collect();
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    rows
}

/// Every path cut to its last segment, behind the instruction set: `avx2 shell16<By<KRed, Forward<i16>>>`.
fn short(name: &str) -> String {
    const ENDS: [char; 10] = ['<', '>', '(', ')', '[', ']', ',', ';', '&', ' '];
    let shell = name.split_once("::shell").map(|(path, _)| path);
    let mut shortened =
        shell.map_or(String::new(), |path| format!("{} ", path.rsplit("::").next().unwrap_or_default()));
    for piece in name.split_inclusive(ENDS) {
        let path = piece.trim_end_matches(ENDS);
        shortened.push_str(path.trim_end_matches("::").rsplit("::").next().unwrap_or_default());
        shortened.push_str(&piece[path.len()..]);
    }
    shortened
}

/// Everything that is worse than recorded, or simply not the same where it must be.
pub(super) fn compare(recorded: &Table, found: &Table) -> Vec<String> {
    let has = |table: &Table, name: &str| table.rows.iter().any(|row| row.name == name);
    let mut complaints = Vec::new();
    for row in &recorded.rows {
        match found.rows.iter().find(|other| other.name == row.name) {
            Some(other) => complaints.extend(differences(row, &other.counts)),
            None => complaints.push(format!("{}: is recorded, but no longer compiled", row.name)),
        }
    }
    let new = found.rows.iter().filter(|row| !has(recorded, &row.name));
    complaints.extend(new.map(|row| format!("{}: is not recorded", row.name)));
    complaints
}

fn differences(row: &Row, now: &Counts) -> Vec<String> {
    let then = &row.counts;
    let far = now.instructions.abs_diff(then.instructions) * 100 > then.instructions * TOLERANCE;
    [
        ("multiplies", then.multiplies, now.multiplies, now.multiplies != then.multiplies),
        ("permutations of two vectors", then.permutes, now.permutes, now.permutes > then.permutes),
        ("calls", then.calls, now.calls, now.calls > then.calls),
        ("panics", then.panics, now.panics, now.panics > then.panics),
        ("spills", then.spills, now.spills, now.spills > then.spills),
        ("instructions", then.instructions, now.instructions, far),
    ]
    .iter()
    .filter(|(.., refused)| *refused)
    .map(|(what, then, now, _)| format!("{}: {now} {what}, recorded {then}", row.name))
    .collect()
}

impl Table {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let compiler = text.lines().nth(1).and_then(|line| line.strip_prefix("# ")).unwrap_or("an unknown compiler");
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let rows = lines.map(|line| row(line).ok_or_else(|| format!("this is no row of the table: {line}")));
        Ok(Self { compiler: compiler.to_owned(), rows: rows.collect::<Result<_, _>>()? })
    }
}

fn row(line: &str) -> Option<Row> {
    let mut rest = line.trim_start();
    let mut number = || {
        let (head, tail) = rest.split_once(' ')?;
        rest = tail.trim_start();
        head.parse().ok()
    };
    let counts = Counts {
        multiplies: number()?,
        permutes: number()?,
        calls: number()?,
        panics: number()?,
        spills: number()?,
        instructions: number()?,
        ..Counts::default()
    };
    Some(Row { name: rest.to_owned(), counts })
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{HEAD}# {}\n{COLUMNS}", self.compiler)?;
        for Row { name, counts: c } in &self.rows {
            let (multiplies, permutes, calls) = (c.multiplies, c.permutes, c.calls);
            let (panics, spills) = (c.panics, c.spills);
            writeln!(
                f,
                "{multiplies:12}  {permutes:8}  {calls:5}  {panics:6}  {spills:6}  {:12}  {name}",
                c.instructions
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Counts = Counts {
        multiplies: 168,
        permutes: 2,
        calls: 0,
        panics: 0,
        spills: 4,
        instructions: 500,
        divisions: 0,
        outlined: 0,
    };

    fn table(counts: Counts) -> Table {
        Table { compiler: "rustc 1.2.3".into(), rows: vec![Row { name: "shell16<A, B>".into(), counts }] }
    }

    #[test]
    fn names_lose_their_paths_unless_that_makes_two_alike() {
        let full = "lanes::x86::avx2::shell16::<ntt::word::By<'_, ntt::reduction::KRed, ntt::word::Forward<i16, 7>>>";
        assert_eq!(short(full), "avx2 shell16<By<'_, KRed, Forward<i16, 7>>>");
        assert_eq!(short("shell32::<a::f::{closure#0}>"), "shell32<{closure#0}>");
        let alike = [("s::<b::C>".to_owned(), COUNTS), ("s::<a::C>".to_owned(), COUNTS), ("s::<D>".to_owned(), COUNTS)];
        let names: Vec<String> = rows(alike.into()).into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["s::<a::C>", "s::<b::C>", "s<D>"]);
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert_eq!(Table::parse(&table(COUNTS).to_string()), Ok(table(COUNTS)));
        assert!(Table::parse("# a\n# b\n1 2 x 4 5 6 name").is_err());
    }

    #[test]
    fn growth_is_refused_and_gain_is_not() {
        let recorded = table(COUNTS);
        let complaints = |counts| compare(&recorded, &table(counts));
        assert_eq!(complaints(Counts { spills: 0, instructions: 550, ..COUNTS }), Vec::<String>::new());
        assert_eq!(complaints(Counts { multiplies: 167, ..COUNTS }), ["shell16<A, B>: 167 multiplies, recorded 168"]);
        let worse =
            Counts { multiplies: 169, permutes: 3, calls: 1, panics: 1, spills: 5, instructions: 551, ..COUNTS };
        assert_eq!(complaints(worse).len(), 6);
    }

    #[test]
    fn rows_must_be_the_same_ones() {
        let other = Table { compiler: String::new(), rows: vec![Row { name: "shell16<C>".into(), counts: COUNTS }] };
        let complaints = compare(&table(COUNTS), &other);
        assert_eq!(complaints, ["shell16<A, B>: is recorded, but no longer compiled", "shell16<C>: is not recorded"]);
    }
}
