//! The page: one file, no script, nothing loaded from elsewhere, light and dark, wide and narrow.

use crate::{
    plot::PALETTE,
    report::{Section, Table},
};

/// A whole page.
pub(crate) fn page(title: &str, headline: &str, warning: Option<&str>, facts: &Table, sections: &[Section]) -> String {
    let mut body = format!("<h1>{}</h1>\n<p class=\"headline\">{}</p>\n", escape(title), escape(headline));
    if let Some(warning) = warning {
        body += &format!("<p class=\"warning\">{}</p>\n", escape(warning));
    }
    body += &table(facts, "facts");
    body += "<nav>";
    for section in sections {
        body += &format!("<a href=\"#{}\">{}</a> ", section.id, escape(&section.title));
    }
    body += "</nav>\n";
    for section in sections {
        body += &format!("<section id=\"{}\">\n<h2>{}</h2>\n", section.id, escape(&section.title));
        body += &format!("<p>{}</p>\n", escape(&section.meaning));
        for figure in &section.figures {
            let caption = escape(&figure.caption);
            body += &format!(
                "<figure><div class=\"scroll\">{}</div><figcaption>{caption}</figcaption></figure>\n",
                figure.svg
            );
        }
        for part in &section.tables {
            if !part.meaning.is_empty() {
                body += &format!("<p>{}</p>\n", escape(&part.meaning));
            }
            body += &table(part, if part.prose { "prose" } else { "numbers" });
        }
        for note in &section.notes {
            body += &format!("<p class=\"note\">{}</p>\n", escape(note));
        }
        body += "</section>\n";
    }
    let head = format!(
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>",
        escape(title),
        style()
    );
    format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n")
}

fn table(table: &Table, class: &str) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = if table.head.is_empty() { String::new() } else { format!("<thead>{}</thead>", row(&table.head, "th")) };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    format!("<div class=\"scroll\"><table class=\"{class}\">{head}<tbody>{rows}</tbody></table></div>\n")
}

fn style() -> String {
    let mut dark = String::new();
    for ink in &PALETTE {
        let colour = ink.attribute();
        for attribute in ["fill", "stroke"] {
            dark += &format!("svg [{attribute}=\"{colour}\"]{{{attribute}:{}}}", ink.dark);
        }
    }
    format!("{STYLE}@media (prefers-color-scheme:dark){{:root{{{DARK}}}{dark}}}")
}

const DARK: &str =
    "--back:#14191f;--ink:#d7dee6;--soft:#98a4b1;--line:#333d48;--panel:#1c232b;--link:#6cb4ff;--alarm:#ff7b84";

const STYLE: &str = "
:root{--back:#fff;--ink:#242d38;--soft:#5d6874;--line:#dce2e8;--panel:#f5f7f9;--link:#1b66b1;--alarm:#bb2b3a}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:52rem;background:var(--back);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1{font-size:1.5rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.2rem;line-height:1.25;margin:2.2rem 0 .4rem;padding-top:.6rem;border-top:1px solid var(--line)}
p{margin:.5rem 0}
.headline{font-size:1.1rem}
.warning{border-left:4px solid var(--alarm);padding:.4rem .8rem;background:var(--panel)}
.note{color:var(--soft);font-size:.88rem}
nav{margin:1rem 0;line-height:2}
nav a{margin-right:.9rem;white-space:nowrap}
a{color:var(--link)}
figure{margin:1rem 0}
figure .scroll{margin:0}
figure svg{display:block;width:100%;max-width:34rem;height:auto}
figure svg.wide{width:auto;max-width:none}
svg.wide text{paint-order:stroke;stroke:var(--back);stroke-width:3px;stroke-linejoin:round}
.butterfly:hover path{stroke-width:3}
figcaption{color:var(--soft);font-size:.88rem;max-width:40rem}
.scroll{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .55rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:bottom}
td:first-child,th:first-child{padding-left:0}
.numbers td:not(:first-child),.numbers th:not(:first-child){text-align:right}
.numbers td{white-space:nowrap}
.prose td{vertical-align:top}
.prose td:first-child{white-space:nowrap}
th{font-weight:600;color:var(--soft)}
.facts td{vertical-align:top}
.facts td:first-child{color:var(--soft);white-space:nowrap}
@media (max-width:30rem){body{padding:.8rem}table{font-size:.74rem}th,td{padding:.2rem .25rem}}
";

/// Text that HTML shows as it is.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
