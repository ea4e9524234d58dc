//! The page: one file, no script, nothing loaded from elsewhere, light and dark, wide and narrow,
//! and on paper.

use crate::{
    plot::PALETTE,
    report::{Cell, Figure, Section, Table},
    symbols::escape,
};
use std::fmt::Write as _;

/// What a reader sees first.
pub(crate) struct First<'a> {
    pub(crate) title: &'a str,
    pub(crate) headline: &'a str,
    pub(crate) warning: Option<&'a str>,
    pub(crate) figures: &'a [Figure],
    pub(crate) facts: &'a Table,
}

/// A heading with its number of sections. One with a claim is folded, and shows the claim beside its title.
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    pub(crate) claim: Option<&'static str>,
    pub(crate) sections: usize,
}

/// A whole page; `data` is the file next to it that has the same for programs.
pub(crate) fn page(first: &First<'_>, chapters: &[Chapter], sections: &[Section], data: Option<&str>) -> String {
    let &First { title, headline, warning, figures, facts } = first;
    let mut body = format!("<h1>{}</h1>\n<p class=\"headline\">{}</p>\n", escape(title), escape(headline));
    if let Some(warning) = warning {
        body += &format!("<p class=\"warning\">{}</p>\n", escape(warning));
    }
    if !figures.is_empty() {
        body += &format!("<div class=\"first\">\n{}</div>\n", figures.iter().map(of_figure).collect::<String>());
    }
    body += &table(facts, "facts", None);
    if let Some(data) = data {
        let data = escape(data);
        body += &format!("<p class=\"note\">All numbers for programs: <a href=\"{data}\">{data}</a></p>\n");
    }
    let links = |sections: &[Section]| {
        let link = |section: &Section| format!("<a href=\"#{}\">{}</a> ", section.id, escape(&section.title));
        sections.iter().map(link).collect::<String>()
    };
    let (mut nav, mut text, mut rest) = (String::new(), String::new(), sections);
    for Chapter { title, claim, sections } in chapters {
        let (own, others) = rest.split_at(*sections);
        let title = escape(title);
        nav += &format!("<div><span>{title}</span> {}</div>", links(own));
        let own: String = own.iter().map(|section| of_section(section, 3)).collect();
        text += &match claim {
            None => format!("<h2 class=\"chapter\">{title}</h2>\n{own}"),
            Some(claim) => format!(
                "<details>\n<summary><h2 class=\"chapter\">{title}</h2> <span>{}</span></summary>\n{own}</details>\n",
                escape(claim)
            ),
        };
        rest = others;
    }
    nav += &links(rest);
    text += &rest.iter().map(|section| of_section(section, 2)).collect::<String>();
    body += &format!("<nav>{nav}</nav>\n{text}");
    let head = format!(
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>",
        escape(title),
        style()
    );
    format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n")
}

fn of_section(section: &Section, level: u8) -> String {
    let (id, title) = (section.id, escape(&section.title));
    let mut body = format!(
        "<section id=\"{id}\">\n<h{level}>{title} <a class=\"anchor\" href=\"#{id}\" \
         aria-label=\"link to this section\">#</a></h{level}>\n"
    );
    body += &format!("<p>{}</p>\n", escape(&section.meaning));
    body += &section.figures.iter().map(of_figure).collect::<String>();
    for (i, part) in section.tables.iter().enumerate() {
        if !part.meaning.is_empty() {
            body += &format!("<p>{}</p>\n", escape(&part.meaning));
        }
        let class = if part.prose { "prose" } else { "numbers" };
        body += &table(part, class, Some(&format!("{id}-{}", i + 1)));
    }
    for note in &section.notes {
        body += &format!("<p class=\"note\">{}</p>\n", escape(note));
    }
    body + "</section>\n"
}

fn of_figure(figure: &Figure) -> String {
    let caption = escape(&figure.caption);
    format!(
        "<figure><div class=\"scroll\" tabindex=\"0\">{}</div><figcaption>{caption}</figcaption></figure>\n",
        figure.svg
    )
}

/// A table; one with a name can be linked to and saved.
fn table(table: &Table, class: &str, name: Option<&str>) -> String {
    let head = |cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<th>{}</th>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let row = |cells: &[Cell]| format!("<tr>{}</tr>\n", cells.iter().map(of_cell).collect::<String>());
    let groups = table.groups.iter().map(|(group, columns)| {
        let class = if group.is_empty() { "" } else { " class=\"group\"" };
        format!("<th colspan=\"{columns}\"{class}>{}</th>", escape(group))
    });
    let groups = groups.collect::<String>();
    let above = if groups.is_empty() { groups } else { format!("<tr>{groups}</tr>\n") };
    let head =
        if table.head.is_empty() { String::new() } else { format!("<thead>{above}{}</thead>", head(&table.head)) };
    let rows: String = table.rows.iter().map(|cells| row(cells)).collect();
    let (id, mut below) = name.map_or_else(Default::default, |name| {
        let link = encoded(&csv(table));
        let link =
            format!("<a class=\"csv\" download=\"{name}.csv\" href=\"data:text/csv;charset=utf-8,{link}\">CSV</a>");
        (format!(" id=\"{name}\""), link)
    });
    let mut cells = table.rows.iter().flatten();
    if cells.clone().any(|cell| cell.unsure) {
        below += "<span class=\"mark\">* a spread above 10 %</span>";
    }
    if cells.any(|cell| cell.shared) {
        below += "<span class=\"mark\">° a core that others used as well</span>";
    }
    let below = if below.is_empty() { below } else { format!("<p class=\"below\">{below}</p>\n") };
    format!("<div class=\"scroll\"{id}><table class=\"{class}\">{head}<tbody>{rows}</tbody></table></div>\n{below}")
}

fn of_cell(cell: &Cell) -> String {
    let class = match (cell.unsure, cell.shared) {
        (false, false) => "",
        (true, false) => " class=\"unsure\"",
        (false, true) => " class=\"shared\"",
        (true, true) => " class=\"unsure shared\"",
    };
    let about = if cell.about.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(&cell.about)) };
    format!("<td{class}{about}>{}</td>", escape(&cell.text))
}

/// The table as RFC 4180 has it, numbers in full.
fn csv(table: &Table) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\u{202f}', "").replace('"', "\"\""));
    let line = |cells: Vec<String>| cells.join(",") + "\r\n";
    let groups = table.groups.iter().flat_map(|(group, columns)| std::iter::repeat_n(*group, *columns));
    let groups = groups.chain(std::iter::repeat(""));
    let name =
        |(group, name): (&str, &String)| if group.is_empty() { name.clone() } else { format!("{group}: {name}") };
    let head = groups.zip(&table.head).map(name).map(|name| quoted(&name)).collect();
    let cell = |cell: &Cell| cell.value.map_or_else(|| quoted(&cell.text), |value| value.to_string());
    let rows = table.rows.iter().map(|row| line(row.iter().map(cell).collect()));
    line(head) + &rows.collect::<String>()
}

/// What may stand in an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => out.push(char::from(byte)),
            _ => write!(out, "%{byte:02X}").expect("text takes all"),
        }
    }
    out
}

fn style() -> String {
    let mut dark = String::new();
    for ink in &PALETTE {
        let colour = ink.attribute();
        for attribute in ["fill", "stroke"] {
            dark += &format!("svg [{attribute}=\"{colour}\"]{{{attribute}:{}}}", ink.dark);
        }
    }
    format!("{STYLE}@media screen and (prefers-color-scheme:dark){{:root{{{DARK}}}{dark}}}")
}

const DARK: &str =
    "--back:#14191f;--ink:#d7dee6;--soft:#98a4b1;--line:#333d48;--panel:#1c232b;--link:#6cb4ff;--alarm:#ff7b84";

const STYLE: &str = "
:root{--back:#fff;--ink:#242d38;--soft:#5d6874;--line:#dce2e8;--panel:#f5f7f9;--link:#1b66b1;--alarm:#bb2b3a}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:56rem;background:var(--back);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1{font-size:1.5rem;line-height:1.2;margin:.5rem 0}
h2,h3{font-size:1.2rem;line-height:1.25;margin:2.2rem 0 .4rem;padding-top:.6rem;border-top:1px solid var(--line)}
h2.chapter{font-size:1.45rem;margin-top:3rem;border-top:3px solid var(--line)}h2.chapter+section h3{border-top:0;margin-top:.4rem}
.first{display:flex;flex-wrap:wrap;gap:0 2rem}.first figure{flex:1 1 20rem;min-width:0}
summary{cursor:pointer;margin-top:2rem;border-top:3px solid var(--line);padding-top:.6rem}
summary h2.chapter{display:inline;border-top:0;margin:0;padding:0}summary span{display:block;color:var(--soft)}
details>section:first-of-type h3{border-top:0;margin-top:.4rem}
nav div{margin:.15rem 0}nav span{opacity:.7;margin-right:.5rem}
p{margin:.5rem 0}
.headline{font-size:1.1rem}
.warning{border-left:4px solid var(--alarm);padding:.4rem .8rem;background:var(--panel)}
.note{color:var(--soft);font-size:.88rem}
nav{margin:1rem 0;line-height:2}
nav a{margin-right:.9rem;white-space:nowrap}
a{color:var(--link)}
.anchor{color:var(--soft);text-decoration:none;font-weight:400}
figure{margin:1rem 0}
figure .scroll{margin:0}
figure svg{display:block;width:100%;max-width:34rem;height:auto}
figure svg.wide{width:auto;max-width:none}
svg.wide text{paint-order:stroke;stroke:var(--back);stroke-width:3px;stroke-linejoin:round}
.butterfly:hover path{stroke-width:3}
figcaption{color:var(--soft);font-size:.88rem;max-width:40rem}
.scroll{overflow-x:auto;margin:.8rem 0 .2rem;background:linear-gradient(to right,var(--back) 50%,transparent) left/2rem 100% no-repeat local,
linear-gradient(to left,var(--back) 50%,transparent) right/2rem 100% no-repeat local,
linear-gradient(to right,var(--line),transparent) left/.7rem 100% no-repeat,linear-gradient(to left,var(--line),transparent) right/.7rem 100% no-repeat}
@media (max-width:40rem){figure:has(svg.wide) figcaption::after{content:' A picture wider than the page scrolls sideways.'}}
.below{font-size:.78rem;margin:0 0 1rem}
.csv{margin-right:1rem}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .55rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:bottom}
td:first-child,th:first-child{padding-left:0}
.numbers td:not(:first-child),.numbers th:not(:first-child){text-align:right}
.numbers th.group{text-align:center;border-left:1px solid var(--line)}
.numbers td{white-space:nowrap}
.prose td{vertical-align:top}
.prose td:first-child{white-space:nowrap}
th{font-weight:600;color:var(--soft)}
.unsure,.shared,.mark{color:var(--soft)}.mark{margin-right:1rem}
td.unsure::before{content:'*\\202f'}td.shared::before{content:'°\\202f'}td.unsure.shared::before{content:'*°\\202f'}
.facts td{vertical-align:top;overflow-wrap:anywhere}
.facts td:first-child{color:var(--soft);white-space:nowrap}
@media (max-width:30rem){body{padding:.8rem}table{font-size:.74rem}th,td{padding:.2rem .25rem}}
@media print{details::details-content{display:block;content-visibility:visible}body{max-width:none;font-size:9pt}nav,.csv,.anchor{display:none}.scroll{overflow:visible}
table,figure{break-inside:avoid}h2,h3,h2+p,h3+p{break-after:avoid}}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_saved_with_numbers_in_full() {
        let measured = Cell {
            text: "12\u{202f}346".into(),
            value: Some(12345.6),
            unsure: true,
            shared: false,
            about: "±12 %".into(),
        };
        let table = Table {
            groups: vec![("", 1), ("here", 1)],
            head: vec!["n, q".into(), "scalar".into()],
            rows: vec![vec!["256, \"q\"".into(), measured]],
            ..Table::default()
        };
        assert_eq!(csv(&table), "\"n, q\",\"here: scalar\"\r\n\"256, \"\"q\"\"\",12345.6\r\n");
        assert_eq!(encoded("é,1\r\n"), "%C3%A9%2C1%0D%0A");
        let shown = super::table(&table, "numbers", Some("t-1"));
        assert!(shown.contains("<th colspan=\"1\" class=\"group\">here</th>"), "{shown}");
        assert!(shown.contains("<td class=\"unsure\" title=\"±12 %\">12\u{202f}346</td>"), "{shown}");
        assert!(shown.contains("download=\"t-1.csv\"") && shown.contains("* a spread above 10 %"), "{shown}");
        assert!(!shown.contains("others used"), "{shown}");
    }
}
