//! `explain N Q`: how a transform splits its ring, for the terminal, and for a student as a page
//! with pictures; `explain --example NAME`: a ring of a paper.

use crate::{
    explain::{
        Explained, Layer,
        examples::{self, Example},
        flag,
        page::{self, headline},
    },
    fault::Fault,
    files::{self, Kind},
    lazy::Lazy,
    number,
    plans::{AnyTransform, How, Wanted},
    proof,
    screen::{Screen, columns},
    symbols::{Symbols::Terminal, list},
};
use clap::Args;
use ntt::{Decision, Recipe};
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Degree; layers halve it, so it should have many factors of two
    #[arg(value_parser = number::size, allow_negative_numbers = true, required_unless_present = "example")]
    n: Option<usize>,
    /// Modulus: a prime with roots of unity, such as 12289, 0x3001 or 3*2^12+1
    #[arg(value_parser = number::unsigned, allow_negative_numbers = true, required_unless_present = "example")]
    q: Option<u64>,
    #[command(flatten)]
    how: How,
    /// By LazyNTT: of T products in a row one is reduced (2 is SM, 3 is SSM); montgomery, one word
    /// at a time
    #[arg(long, value_name = "T", allow_negative_numbers = true, conflicts_with = "lazy")]
    lazy_ntt: Option<u32>,
    #[arg(long, value_name = "NAME", conflicts_with_all = ["n", "q", "depth", "thirds", "cyclic", "trinomial", "root"],
        value_parser = examples::parse, help = examples::help())]
    example: Option<&'static Example>,
    /// Writes a page with the butterflies as a picture, or - for standard output (under --json, the
    /// data)
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

impl Explain {
    fn wanted(&self) -> Wanted {
        match (self.example, self.n, self.q) {
            (Some(example), _, _) => Wanted { n: example.n, q: example.q, how: self.how.to_depth(example.depth) },
            (None, Some(n), Some(q)) => Wanted { n, q, how: self.how.clone() },
            _ => unreachable!("both are required without an example"),
        }
    }

    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if let Some(path) = &self.out {
            files::check_outputs(&[(path, Kind::Text)], self.force)?;
        }
        let wanted = self.wanted();
        let lazy = self.lazy_ntt.map(|t| wanted.by_lazy_ntt(t).map(Lazy::new)).transpose()?;
        let plan = match &lazy {
            Some(lazy) => lazy.usual(),
            None => wanted.plan().map_err(|refusal| by_primes(&wanted, refusal))?,
        };
        let explained = Explained { example: self.example, ..Explained::new(&plan, lazy.as_ref()) };
        let Some(path) = &self.out else {
            return screen.answer(explained.answer(), || text(&explained));
        };
        let depth = plan.recipe().depth();
        let neighbours: Vec<AnyTransform> = [depth.checked_sub(1), depth.checked_add(1)]
            .into_iter()
            .flatten()
            .filter_map(|depth| Wanted { how: wanted.how.at_depth(depth), ..wanted }.plan().ok())
            .collect();
        let neighbours: Vec<_> = neighbours.iter().map(|plan| Explained::new(plan, None)).collect();
        let page = page::page(&explained, &neighbours);
        if files::is_stdout(path) {
            return screen.print(explained.answer(), || page);
        }
        files::write(path, page.as_bytes(), Kind::Text, self.force)?;
        screen.answer(explained.answer(), || format!("{}\n{} written\n", text(&explained), files::name(path)))
    }
}

/// What there is to explain where products go by residue channels.
fn by_primes(wanted: &Wanted, refusal: Fault) -> Fault {
    let (Fault::Negative(why), Ok(Decision::Crt(exact))) = (&refusal, wanted.decide()) else {
        return refusal;
    };
    let pages = exact.channels().iter().map(|part| {
        format!("\n  ringwork explain {} {} --depth {}{}", part.n(), part.q(), part.depth(), flag(part.ring()))
    });
    Fault::Negative(format!(
        "{why}. Products go by residue channels, which `ringwork plan {} {}{}` shows, and each of them has a \
         transform of its own:{}",
        exact.n(),
        exact.q(),
        flag(exact.ring()),
        pages.collect::<String>()
    ))
}

fn text(explained: &Explained<'_>) -> String {
    let r = explained.plan.recipe();
    let example = explained.example.map(|example| format!("{}\n\n", example.sentence())).unwrap_or_default();
    let mut text = format!("{example}{}, {}\n{}\n", Terminal.ring(r), r.ring(), headline(r));
    if explained.layers.is_empty() {
        return text;
    }
    text += &format!("r = {}, of order {}; -1 is r^{}\n", r.root(), r.order(), r.order() / 2);
    let heading = [
        "layer",
        "distance",
        "blocks",
        "first block",
        "into",
        "",
        "twiddles",
        "range",
        "of the word",
        "beyond products",
    ];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(explained.layers.iter().map(|layer| row(r, layer)));
    text += &format!("\n{}", columns("rrrllllrll", &rows));
    text + &format!(
        "a word holds {}; for coefficients in {} no value of a layer leaves its range\n",
        r.certificate().word(),
        crate::plans::residues_taken(r)
    )
}

fn row(r: &Recipe, layer: &Layer) -> Vec<String> {
    const TWIDDLES: usize = 2;
    let d = layer.distance;
    let parts: Vec<String> = layer.parts.iter().map(|exponent| Terminal.modulus(d, *exponent)).collect();
    let (first, others) = parts.split_first().expect("a layer splits");
    vec![
        layer.number.to_string(),
        d.to_string(),
        layer.blocks.to_string(),
        layer.whole.map_or_else(|| Terminal.polynomial(r), |exponent| Terminal.modulus(layer.radix * d, exponent)),
        first.clone(),
        others.join(", "),
        list(layer.twiddles.iter().map(|p| Terminal.value(p.exponent, p.residue)), TWIDDLES, layer.blocks),
        layer.range.to_string(),
        proof::bar(layer.range, r.certificate().word()),
        layer.reduces.into(),
    ]
}
