//! What a reader sees first: one sentence that compares, one plot of ratios, one of proved ranges.

use super::{Figure, short};
use crate::plot::{self, BLUE, Dots};

/// An operation by us, and by the fastest of others that were measured in the same run.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    pub(crate) what: String,
    /// The name of that other.
    pub(crate) whose: String,
    /// Our time in theirs.
    pub(crate) of_theirs: f64,
}

/// Lines of the plot at most.
const SHOWN: usize = 8;

/// How the standards compare, in one sentence; nothing, if nobody else was measured.
pub(crate) fn sentence(standards: &[Ratio], cpu: &str) -> Option<String> {
    let times = standards.iter().map(|ratio| ratio.of_theirs);
    let (least, most) = (times.clone().reduce(f64::min)?, times.reduce(f64::max)?);
    Some(format!(
        "From bytes to bytes, ML-KEM-768 and ML-DSA-65 take {} to {} of the time of the fastest of {} on {cpu}.",
        short(least),
        short(most),
        whose(standards)
    ))
}

/// The ratios as a plot, if there are any.
pub(crate) fn figure(ratios: &[Ratio]) -> Option<Figure> {
    let shown = &ratios[..ratios.len().min(SHOWN)];
    let line = |ratio: &Ratio| Dots { label: ratio.what.clone(), values: vec![ratio.of_theirs] };
    let lines: Vec<Dots> = shown.iter().map(line).collect();
    let title = "Our time in that of the fastest other library";
    let svg = plot::dots(title, "time, the fastest other = 1", &[("Ringwork", &BLUE)], &lines);
    let more =
        if cfg!(feature = "peers") { "" } else { " Built with --features peers, libcrux and AWS-LC are there too." };
    let caption = format!("{title}, of {}: the same work, bytes and checks, measured in turns.{more}", whose(shown));
    (!shown.is_empty()).then_some(Figure { svg, caption })
}

/// Names of others, each once.
fn whose(ratios: &[Ratio]) -> String {
    let mut names: Vec<&str> = ratios.iter().map(|ratio| &*ratio.whose).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_has_the_ends_of_what_was_measured() {
        let ratio = |whose: &str, of_theirs| Ratio { what: "ML-KEM-768 encaps".into(), whose: whose.into(), of_theirs };
        let all = [ratio("b", 0.5), ratio("a", 1.25), ratio("b", 0.75)];
        let sentence = super::sentence(&all, "a CPU").unwrap();
        assert!(sentence.contains("0.50 to 1.25 of the time of the fastest of a, b on a CPU"), "{sentence}");
        assert!(super::sentence(&[], "a CPU").is_none() && figure(&[]).is_none());
        let svg = figure(&[&all[..]; 4].concat()).unwrap().svg;
        assert_eq!(svg.matches("ML-KEM-768 encaps").count(), SHOWN);
    }
}
