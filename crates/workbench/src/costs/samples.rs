//! What is measured to find what methods cost: transforms and slot products of some shapes by every compiled
//! method, on every backend.

use super::leaked;
use crate::{
    fault::Fault,
    jobs::Operation,
    measure::{Effort, Meter},
    plans::{AnyTransform, WIDTHS, is_compiled, machine_backends},
    screen::Screen,
};
use indicatif::ProgressBar;
use ntt::{Backend, CostModel, Method, Recipe, Request, arith::nearest_prime};
use std::{sync::LazyLock, time::Duration};

/// A measured operation, and how its estimate depends on what its method costs.
pub(crate) struct Sample {
    pub(crate) bits: u32,
    pub(crate) lanes: usize,
    pub(crate) method: Method,
    /// Core cycles, the fewest of many batches.
    pub(crate) cycles: f64,
    /// Cycles of what depends on neither scale nor method.
    pub(crate) constant: f64,
    /// Cycles of what does not depend on the method, at a scale of 100.
    pub(crate) fixed: f64,
    /// Cycles for each hundredth of a product with a twiddle, a product of two variables, and a reduction, at a
    /// scale of 100.
    pub(crate) each: [f64; 3],
}

impl Sample {
    /// The estimate by such weights, at that scale.
    pub(crate) fn estimate(&self, weights: [f64; 3], scale: f64) -> f64 {
        let by_method: f64 = self.each.iter().zip(weights).map(|(each, weight)| each * weight).sum();
        self.constant + (self.fixed + by_method) * scale / 100.0
    }
}

/// Measures them all.
pub(crate) fn measure(quick: bool, meter: &mut Meter, screen: &Screen) -> Result<Vec<Sample>, Fault> {
    const FIRST_LOOK: Effort = Effort { samples: 24, budget: Duration::from_millis(20), ..Effort::QUICK };
    let effort = if quick { FIRST_LOOK } else { Effort { samples: 200, ..Effort::FULL } };
    let degrees: &[usize] = if quick { &[512] } else { &[512, 1024, 4096] };
    let groups: Vec<_> = machine_backends()
        .flat_map(|backend| WIDTHS.map(|bits| (backend, bits)))
        .flat_map(|(backend, bits)| degrees.iter().map(move |&n| (backend, bits, n)))
        .collect();
    let progress = screen.progress(groups.len() as u64);
    let mut samples = Vec::new();
    for (backend, bits, n) in groups {
        progress.set_message(format!("{backend}, {bits} bits, n = {n}"));
        for q in moduli(bits, n) {
            for slot_degree in [1, 4] {
                let request = Request::new(n, q).depth((n / slot_degree).ilog2()).backend(backend);
                samples.extend(group(request, bits, backend, effort, meter));
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(samples)
}

/// Primes with all roots: with room for sums in a word and without, such as K-RED and Solinas's method are for,
/// and such as fill a word.
fn moduli(bits: u32, n: usize) -> Vec<u64> {
    let (special, sizes): (&[u64], &[u32]) = match bits {
        16 => (&[7681, 12289], &[]),
        32 => (&[12289, 8_380_417, 4_293_918_721], &[28, 30]),
        _ => (&[12289, 0xFFFF_FFFF_0000_0001, 27 << 59 | 1], &[49, 50, 51, 52, 59]),
    };
    let order = 2 * n as u64;
    let prime = |size: &u32| nearest_prime((1 << size) - (1 << (size - 2)), order, 1 << size);
    let special = special.iter().copied().filter(|q| q % order == 1);
    special.chain(sizes.iter().filter_map(prime)).collect()
}

/// One shape by all methods, in turns.
fn group(request: Request, bits: u32, backend: Backend, effort: Effort, meter: &mut Meter) -> Vec<Sample> {
    const PARTS: [Operation; 4] = [Operation::Forward, Operation::Slots, Operation::Inverse, Operation::Multiply];
    let (mut samples, mut jobs) = (Vec::new(), Vec::new());
    for method in Method::ALL.into_iter().filter(|method| is_compiled(*method, bits, backend)) {
        for request in [request.method(method), request.method(method).lazy()] {
            let Ok(plan) = AnyTransform::new(&request, Some(bits)) else { continue };
            if plan.recipe().is_compiled_ring() {
                continue; // it runs by code of its own
            }
            for operation in PARTS {
                samples.push(sample(&request, bits, operation));
                jobs.push(operation.job(String::new(), &plan));
            }
        }
    }
    let rows = meter.measure(jobs, effort, &ProgressBar::hidden());
    let measured =
        |(sample, row): (Sample, crate::measure::Row)| Sample { cycles: row.least * meter.gigahertz, ..sample };
    samples.into_iter().zip(rows).map(measured).collect()
}

/// Models with all weights 1, the same at twice the scale, and with one kind of weights [`LARGE`]: estimates are
/// linear in these.
static MODELS: LazyLock<[&CostModel; 5]> = LazyLock::new(|| {
    [(100, [1, 1, 1]), (200, [1, 1, 1]), (100, [LARGE, 1, 1]), (100, [1, LARGE, 1]), (100, [1, 1, LARGE])].map(
        |(scale, weights)| {
            let classes = WIDTHS.into_iter().flat_map(|bits| [1, 2, 64].map(|lanes| (bits, lanes)));
            let model = classes.fold(CostModel::DEFAULT, |model, (bits, lanes)| {
                let model = model.with_scale(bits, lanes, scale).expect("a scale");
                Method::ALL.into_iter().fold(model, |model, method| {
                    model.with_weights(method, bits, lanes, weights).expect("weights in range")
                })
            });
            leaked(model)
        },
    )
});

const LARGE: u16 = *CostModel::WEIGHTS.end();

/// A sample that is still to be measured.
fn sample(request: &Request, bits: u32, operation: Operation) -> Sample {
    let recipe = |model| -> Recipe { request.cost_model(model).recipe(bits).expect("a plan was made") };
    let cycles = |model| {
        let recipe = recipe(model);
        let [forward, slots, inverse] = recipe.estimates().map(|hundredths| hundredths as f64 / 100.0);
        match operation {
            Operation::Forward => forward,
            Operation::Slots => slots,
            Operation::Inverse => inverse,
            Operation::Product => 2.0 * forward + slots + inverse,
            Operation::Multiply | Operation::Checked => recipe.estimated_cycles() as f64,
        }
    };
    let [ones, doubled, large @ ..] = MODELS.map(cycles);
    let each = large.map(|large| (large - ones) / f64::from(LARGE - 1));
    let constant = (2.0 * ones - doubled).max(0.0);
    let recipe = recipe(MODELS[0]);
    Sample {
        bits,
        lanes: recipe.lanes(),
        method: recipe.method(),
        cycles: f64::NAN,
        constant,
        fixed: (ones - constant - each.iter().sum::<f64>()).max(0.0),
        each,
    }
}
