//! Convolution of probabilities that keeps its relative accuracy down to the far tails.
//!
//! Short sequences are convolved by definition: sums of non-negative products lose nothing. Long
//! ones use the discrete Fourier transform, whose error is relative to the *largest* value; so the
//! factors are tilted first. With `f_θ(x) = f(x) e^(θx) / F(θ)`, `F(θ) = Σ f(x) e^(θx)`:
//!
//! `(f * g)(x) = F(θ) G(θ) e^(-θx) (f_θ * g_θ)(x)`
//!
//! for every θ, and `f_θ * g_θ` is large around its mean, which grows with θ. A few θ reach all
//! values that matter; each gives an upper bound once the transform's error bound is added, and the
//! smallest bound is used.
//!
//! Source: the tilt is Cramér's (1938); the error of the transform: Higham, *Accuracy and stability
//! of numerical algorithms* (2002), theorem 24.2.

use core::f64::consts::{LN_2, PI};

/// Above this many products, the transform is faster.
const DIRECT: u64 = 1 << 21;
/// Means beyond which less than 2^-420 lies need no tilt.
const ENOUGH: f64 = -420.0 * LN_2;
/// An end value this large, relative to the norms, is accurate enough.
const AT_END: f64 = 1e-6;
/// The largest number of tilts to either side.
const TILTS: usize = 100;

/// `out[x] = Σ f[i] g[x - i]`, from above.
pub(super) fn convolve(f: &[f64], g: &[f64]) -> Vec<f64> {
    if (f.len() as u64) * (g.len() as u64) <= DIRECT { direct(f, g) } else { tilted(f, g) }
}

fn direct(f: &[f64], g: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; f.len() + g.len() - 1];
    for (i, &w) in f.iter().enumerate() {
        for (o, &v) in out[i..].iter_mut().zip(g) {
            *o += w * v;
        }
    }
    out
}

fn tilted(f: &[f64], g: &[f64]) -> Vec<f64> {
    let length = f.len() + g.len() - 1;
    let fourier = Fourier::new(length.next_power_of_two());
    let tilts = tilts(f, g, length);
    let mut out = vec![f64::INFINITY; length];
    for (i, Tilt { theta, f, g }) in tilts.iter().enumerate() {
        let g = g.as_ref().unwrap_or(f);
        let product = fourier.convolve(&f.weights, &g.weights);
        let (error, ln_scale) = (fourier.error * f.norm * g.norm, f.ln_scale + g.ln_scale);
        let from = if i == 0 { 0 } else { tilts[i - 1].mean().floor() as usize };
        let to = tilts.get(i + 1).map_or(length - 1, |next| (next.mean().ceil() as usize).min(length - 1));
        for x in from..=to {
            let bound = (product[x].max(0.0) + error) * (ln_scale - theta * x as f64).exp();
            out[x] = out[x].min(bound);
        }
    }
    out
}

/// A tilt of both factors; `g` is omitted if it equals `f`.
struct Tilt {
    theta: f64,
    f: Tilted,
    g: Option<Tilted>,
}

impl Tilt {
    fn mean(&self) -> f64 {
        self.f.mean + self.g.as_ref().unwrap_or(&self.f).mean
    }
}

/// Tilts in rising order, with means a few deviations apart that cover all non-negligible values.
fn tilts(f: &[f64], g: &[f64], length: usize) -> Vec<Tilt> {
    let widest = 150.0 / length as f64;
    let logs = |w: &[f64]| w.iter().map(|w| w.ln()).collect::<Vec<_>>();
    let logs = (logs(f), (!core::ptr::eq(f, g)).then(|| logs(g)));
    let sweep = |sign: f64| {
        let (mut theta, mut tilts) = (0.0, Vec::new());
        while tilts.len() < TILTS {
            let f = Tilted::new(&logs.0, theta);
            let tilt = Tilt { theta, f, g: logs.1.as_ref().map(|logs| Tilted::new(logs, theta)) };
            let (f, g) = (&tilt.f, tilt.g.as_ref().unwrap_or(&tilt.f));
            let beyond = f.ln_scale + g.ln_scale - theta * (f.mean + g.mean);
            let done = beyond < ENOUGH || f.end(sign) * g.end(sign) >= AT_END * f.norm * g.norm;
            let step = (6.0 / (f.variance + g.variance).sqrt()).min(widest);
            tilts.push(tilt);
            if done {
                break;
            }
            theta += sign * step;
        }
        tilts
    };
    let mut all = sweep(-1.0);
    all.reverse();
    all.extend(sweep(1.0).into_iter().skip(1));
    all
}

/// One tilted factor, with sum 1.
struct Tilted {
    weights: Vec<f64>,
    /// The Euclidean norm.
    norm: f64,
    ln_scale: f64,
    mean: f64,
    variance: f64,
}

impl Tilted {
    fn new(logs: &[f64], theta: f64) -> Self {
        let tilt = |(x, ln): (usize, &f64)| ln + theta * x as f64;
        let largest = logs.iter().enumerate().map(tilt).fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = logs.iter().enumerate().map(|x| (tilt(x) - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        let moment = |f: &dyn Fn(f64) -> f64| weights.iter().enumerate().map(|(x, w)| f(x as f64) * w).sum::<f64>();
        let mean = moment(&|x| x);
        let variance = moment(&|x| (x - mean).powi(2));
        let norm = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        Self { weights, norm, ln_scale: largest + sum.ln(), mean, variance }
    }

    /// The weight of the last value, or of the first.
    fn end(&self, sign: f64) -> f64 {
        if sign > 0.0 { self.weights[self.weights.len() - 1] } else { self.weights[0] }
    }
}

/// Transforms of one length, a power of two.
struct Fourier {
    n: usize,
    /// `e^(-πik/h)` for `k < h` at `h + k`, for every power of two `h < n`.
    roots: Vec<(f64, f64)>,
    /// Error of a convolution relative to the norms of its factors.
    error: f64,
}

impl Fourier {
    fn new(n: usize) -> Self {
        let mut roots = vec![(1.0, 0.0); n.max(2)];
        for (k, root) in roots.iter_mut().enumerate().skip(2) {
            let h = 1 << k.ilog2();
            let (sin, cos) = (-PI * (k - h) as f64 / h as f64).sin_cos();
            *root = (cos, sin);
        }
        Self { n, roots, error: 8.0 * f64::from(n.ilog2()) * f64::EPSILON }
    }

    /// The cyclic convolution of real vectors: both in one transform, as the real and the imaginary
    /// part.
    fn convolve(&self, f: &[f64], g: &[f64]) -> Vec<f64> {
        let n = self.n;
        let at = |w: &[f64], x: usize| w.get(x).copied().unwrap_or(0.0);
        let mut z: Vec<(f64, f64)> = (0..n).map(|x| (at(f, x), at(g, x))).collect();
        self.transform(&mut z);
        // With z = f + ig: F·G = (Z(k)² - conj Z(-k)²) / 4i; its conjugate, transformed, is n times
        // the convolution.
        let mut product: Vec<(f64, f64)> = (0..n)
            .map(|k| {
                let ((a, b), (c, d)) = (z[k], z[n.wrapping_sub(k) & (n - 1)]);
                let (real, imaginary) = (a * a - b * b - (c * c - d * d), 2.0 * a * b + 2.0 * c * d);
                (imaginary / 4.0, real / 4.0)
            })
            .collect();
        self.transform(&mut product);
        product.into_iter().map(|(real, _)| real / n as f64).collect()
    }

    /// In place, in natural order.
    fn transform(&self, z: &mut [(f64, f64)]) {
        let n = z.len();
        let shift = usize::BITS - n.ilog2();
        for i in 0..n {
            let j = i.reverse_bits().checked_shr(shift).unwrap_or(0);
            if i < j {
                z.swap(i, j);
            }
        }
        let mut half = 1;
        while half < n {
            for block in z.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((a, b), &(c, s)) in low.iter_mut().zip(high).zip(&self.roots[half..]) {
                    let t = (b.0 * c - b.1 * s, b.0 * s + b.1 * c);
                    (*a, *b) = ((a.0 + t.0, a.1 + t.1), (a.0 - t.0, a.1 - t.1));
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(w: impl Iterator<Item = f64>) -> Vec<f64> {
        let w: Vec<f64> = w.collect();
        let sum: f64 = w.iter().sum();
        w.iter().map(|w| w / sum).collect()
    }

    /// For all probabilities of at least 2^-400: never below the definition, and hardly above it.
    #[test]
    fn tilted_convolution_is_the_definition_down_to_the_tails() {
        let gauss = |sigma: f64| normalised((-700..=700).map(move |x| (-(f64::from(x) / sigma).powi(2) / 2.0).exp()));
        let laplace = |s: f64| normalised((-900..=900_i32).map(move |x| (-f64::from(x.abs()) / s).exp()));
        let shapes = [
            gauss(20.0),
            gauss(35.0),
            laplace(3.0),
            normalised((0..1000).map(|_| 1.0)),
            normalised((0..1000).map(|x| 0.75_f64.powi(x))),
            normalised((0..1200).map(|x| if [1, 3, 4].contains(&(x & 7)) { f64::from(x + 1) } else { 0.0 })),
            normalised((0..1500).map(|x| {
                if x == 7 {
                    1.0
                } else if x > 1400 {
                    1e-60
                } else {
                    1e-90
                }
            })),
        ];
        for (i, f) in shapes.iter().enumerate() {
            for (j, g) in shapes.iter().enumerate() {
                let (fast, exact) = (tilted(f, g), direct(f, g));
                let largest = exact.iter().copied().fold(0.0, f64::max);
                for (x, (&fast, &exact)) in fast.iter().zip(&exact).enumerate() {
                    assert!(fast >= exact * (1.0 - 1e-9), "{i} {j} at {x}: {fast:e} < {exact:e}");
                    let close = fast <= exact * (1.0 + 1e-5) + largest * 1e-120;
                    assert!(close || exact == 0.0 || i == 6 || j == 6, "{i} {j} at {x}: {fast:e} for {exact:e}");
                }
            }
        }
    }
}
