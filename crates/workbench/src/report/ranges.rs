//! The proved range of every layer against the limit of the word.

use super::{Figure, Section};
use crate::{
    identity::Ends,
    lazy::Lazy,
    plans::AnyTransform,
    plot::{self, Band},
    proof::{self, Line},
};
use ntt::{Backend, Method, Request};
use serde_json::{Value, json};

/// The section; it computes, and measures nothing.
pub(crate) fn section() -> Section {
    let best = Backend::best();
    let portable = Request::new(1024, 12289).backend(Backend::Scalar);
    let k_red = |method| AnyTransform::new(&portable.method(method), Some(32));
    let shown = [
        AnyTransform::new(&Request::new(1024, 12289).backend(best), None),
        k_red(Method::KRed).or_else(|_| k_red(Method::KRed2x)),
        AnyTransform::new(&Request::new(256, 3329).backend(best), None),
        AnyTransform::new(&Request::new(256, 8_380_417).backend(best), None),
    ];
    let plans: Vec<AnyTransform> = shown.into_iter().flatten().collect();
    let closest = plans.iter().map(|plan| fullest(plan, &bands(plan, None))).fold(0.0, f64::max);
    Section {
        id: "ranges",
        title: "Proved ranges".into(),
        meaning: format!(
            "No value of any layer can leave its word, whatever the coefficients in (−q, q): the planner proves it for each plan before it \
             makes a table. The fullest layer shown here reaches {} of its word.",
            percent(closest)
        ),
        figures: plans.iter().map(|plan| figure(plan, None)).collect(),
        tables: Vec::new(),
        notes: vec![
            "Bars: the interval that holds every value of a step. Red lines: what the word can hold. Orange: a step where \
             something is reduced beyond its products. in: input, s: slots, p: pointwise products, out: output; numbers are \
             layers, layer 0 having the largest distance. In plots of wider words the scale counts bits."
                .into(),
        ],
        data: plans.iter().map(data).collect(),
    }
}

/// The picture of one plan, for the first screen.
pub(crate) fn one() -> Option<Figure> {
    let plan = AnyTransform::new(&Request::new(256, 8_380_417).backend(Backend::best()), None);
    plan.ok().map(|plan| figure(&plan, None))
}

/// Those of LazyNTT, if it runs in place of the plan.
fn bands(plan: &AnyTransform, lazy: Option<&Lazy>) -> Vec<Band> {
    let band = |line: Line| {
        let [lo, hi] = proof::ends(line.range);
        Band { label: line.label, lo, hi, reduces: !line.reduces.is_empty() }
    };
    lazy.map_or_else(|| proof::lines(plan.recipe()), Lazy::lines).into_iter().map(band).collect()
}

/// The largest share of the word that a step takes.
fn fullest(plan: &AnyTransform, bands: &[Band]) -> f64 {
    let limit = plan.recipe().certificate().word().magnitude() as f64;
    bands.iter().map(|b| (b.hi as f64).max(-(b.lo as f64)) / limit).fold(0.0, f64::max)
}

/// Rounded down: what is proved to fit is never shown as 100 %.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", (share * 1000.0).floor() / 10.0)
}

fn title(plan: &AnyTransform) -> String {
    let r = plan.recipe();
    format!("n = {}, q = {}, {} in {}-bit words on {}", r.n(), r.q(), r.method(), r.bits(), r.backend())
}

/// The ranges of a plan as a plot, or of LazyNTT in its place.
pub(crate) fn figure(plan: &AnyTransform, lazy: Option<&Lazy>) -> Figure {
    let bands = bands(plan, lazy);
    let title = title(plan) + &lazy.map_or_else(String::new, |lazy| format!(", LazyNTT with t = {}", lazy.t()));
    let layers = f64::from(plan.recipe().layers());
    let groups = [("forward layers", 1.0 + layers / 2.0), ("inverse layers", 3.0 + layers * 1.5)];
    let svg = plot::bands(&format!("Proved ranges, {title}"), plan.recipe().bits(), &bands, &groups);
    let caption = format!("{title}: at most {} of the word.", percent(fullest(plan, &bands)));
    Figure { svg, caption }
}

fn data(plan: &AnyTransform) -> Value {
    let steps =
        bands(plan, None).into_iter().map(|b| json!({ "step": b.label, "lo": b.lo, "hi": b.hi, "reduces": b.reduces }));
    let mut data = json!(plan.identity());
    data["word"] = json!(Ends::from(plan.recipe().certificate().word()));
    data["steps"] = steps.collect();
    data
}
