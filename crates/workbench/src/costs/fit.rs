//! The weights that bring estimates nearest to what was measured.

use super::samples::Sample;
use crate::measure::Spread;
use ntt::{CostModel, Method};
use std::ops::RangeInclusive;

/// The model nearest to the samples: for each class the scale, and with it the weights of each method, by which
/// estimates are least off. What was not measured keeps what the first model has.
pub(crate) fn model(first: &CostModel, samples: &[Sample]) -> CostModel {
    let mut model = first.clone();
    for (bits, lanes) in classes(samples) {
        let of_class: Vec<&Sample> =
            samples.iter().filter(|sample| (sample.bits, sample.lanes) == (bits, lanes)).collect();
        let ratios = of_class.iter().map(|sample| 100.0 * sample.cycles / estimate(first, sample, 100.0));
        let middle = Spread::of(ratios.collect()).median;
        let scales = (60..=150).step_by(5).map(|percent| middle * f64::from(percent) / 100.0);
        let scales = scales.map(|scale| rounded(scale, &CostModel::SCALES));
        let with = |scale| {
            let model = model.clone().with_scale(bits, lanes, scale).expect("a scale in range");
            Method::ALL.into_iter().fold(model, |model, method| {
                let of_method: Vec<&Sample> = of_class.iter().copied().filter(|s| s.method == method).collect();
                if of_method.is_empty() {
                    return model;
                }
                let weights = weights(first.weights(method, bits, lanes), f64::from(scale), &of_method);
                model.with_weights(method, bits, lanes, weights).expect("weights in range")
            })
        };
        let squares = |model: &CostModel| -> f64 {
            let scale = f64::from(model.scale(bits, lanes));
            of_class.iter().map(|sample| (estimate(model, sample, scale) / sample.cycles - 1.0).powi(2)).sum()
        };
        let best = scales.map(with).min_by(|a, b| squares(a).total_cmp(&squares(b)));
        model = best.expect("several scales");
    }
    model
}

/// Words and lanes that were measured.
pub(crate) fn classes(samples: &[Sample]) -> Vec<(u32, usize)> {
    let mut all: Vec<_> = samples.iter().map(|sample| (sample.bits, sample.lanes)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// By how much the estimates of a model are off, in per cent: the median of the samples of a method in such words.
pub(crate) fn error(model: &CostModel, samples: &[Sample], [bits, lanes]: [usize; 2], method: Method) -> Option<f64> {
    let of_method = samples.iter().filter(|s| [s.bits as usize, s.lanes] == [bits, lanes] && s.method == method);
    let off = |s: &Sample| {
        let scale = f64::from(model.scale(s.bits, s.lanes));
        100.0 * (estimate(model, s, scale) / s.cycles - 1.0).abs()
    };
    let off: Vec<f64> = of_method.map(off).collect();
    (!off.is_empty()).then(|| Spread::of(off).median)
}

fn estimate(model: &CostModel, sample: &Sample, scale: f64) -> f64 {
    let weights = model.weights(sample.method, sample.bits, sample.lanes).map(f64::from);
    sample.estimate(weights, scale)
}

/// How much it counts that a weight is another one than it was, beside the error of all samples. Weights that
/// no sample tells apart stay near what they were.
const INERTIA: f64 = 0.01;

/// The weights of a method with the least squares of relative errors, by descent along one weight after the
/// other, which finds the least of a convex function in a box.
fn weights(first: [u16; 3], scale: f64, samples: &[&Sample]) -> [u16; 3] {
    const ROUNDS: usize = 300;
    let first = first.map(f64::from);
    let mut weights = first;
    let inertia = INERTIA * samples.len() as f64;
    for i in (0..3).cycle().take(3 * ROUNDS) {
        // Of the sum of (d - c·w)² over the samples, and inertia·(1 - w/first)²: the least w.
        let (mut above, mut below) = (inertia / first[i], inertia / (first[i] * first[i]));
        for sample in samples {
            let slope = sample.each[i] * scale / 100.0 / sample.cycles;
            let others = sample.estimate(weights, scale) / sample.cycles - slope * weights[i];
            above += slope * (1.0 - others);
            below += slope * slope;
        }
        weights[i] =
            (above / below).clamp(f64::from(*CostModel::WEIGHTS.start()), f64::from(*CostModel::WEIGHTS.end()));
    }
    weights.map(|weight| rounded(weight, &CostModel::WEIGHTS))
}

fn rounded(value: f64, range: &RangeInclusive<u16>) -> u16 {
    (value.round() as u16).clamp(*range.start(), *range.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples that a model gives are what it is found by.
    #[test]
    fn weights_are_found_again() {
        let truth = CostModel::DEFAULT.with_scale(32, 8, 90).unwrap();
        let truth = truth.with_weights(Method::Montgomery, 32, 8, [100, 120, 80]).unwrap();
        let truth = truth.with_weights(Method::Shoup, 32, 8, [60, 150, 130]).unwrap();
        let sample = |method, [product, variable, reduction]: [f64; 3]| {
            let each = [product, variable, reduction].map(|count| count * 4.0);
            let mut sample = Sample { bits: 32, lanes: 8, method, cycles: 0.0, constant: 100.0, fixed: 50.0, each };
            sample.cycles = estimate(&truth, &sample, 90.0);
            sample
        };
        let mut samples = Vec::new();
        for method in [Method::Montgomery, Method::Shoup] {
            for counts in [[5.0, 0.0, 1.0], [5.0, 0.0, 4.0], [0.0, 6.0, 0.0], [0.0, 6.0, 3.0], [9.0, 0.0, 0.0]] {
                samples.push(sample(method, counts));
            }
        }
        let found = model(&CostModel::DEFAULT, &samples);
        for method in [Method::Montgomery, Method::Shoup] {
            let off = |model: &CostModel| error(model, &samples, [32, 8], method).unwrap();
            assert!(off(&found) < 2.0 && off(&found) < off(&CostModel::DEFAULT), "{method}: {}", off(&found));
        }
        let untouched = |model: &CostModel| (model.scale(32, 1), model.weights(Method::Barrett, 32, 8));
        assert_eq!(untouched(&found), untouched(&CostModel::DEFAULT));
        assert_eq!(rounded(1e9, &CostModel::WEIGHTS), 10_000);
        assert_eq!(rounded(f64::NAN, &CostModel::WEIGHTS), 1);
    }
}
