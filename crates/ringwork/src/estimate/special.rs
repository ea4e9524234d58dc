//! Functions of probability and number theory that estimates need, in `f64`, to at least nine digits.

use core::f64::consts::{LN_2, PI, SQRT_2};

/// log2 of `2^a + 2^b`.
pub(super) fn log2_sum(a: f64, b: f64) -> f64 {
    let (more, less) = if a > b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY || more == f64::INFINITY {
        return more;
    }
    more + (less - more).exp2().ln_1p() / LN_2
}

/// `ln Γ(x)` for a positive `x`: Stirling's series from 8 on, reached by `Γ(x+1) = xΓ(x)`.
pub(super) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < 8.0 {
        product *= x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x;
    (x - 0.5) * x.ln() - x + (2.0 * PI).ln() / 2.0 + series - f64::ln(product)
}

/// The derivative of `ln Γ` at a positive `x`.
pub(super) fn digamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    sum + x.ln() - 0.5 / x - y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y / 240.0)))
}

/// log2 of `n` choose `k`, `-∞` outside of `0 ≤ k ≤ n`.
pub(super) fn log2_binomial(n: f64, k: f64) -> f64 {
    if k < 0.0 || k > n {
        return f64::NEG_INFINITY;
    }
    (ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)) / LN_2
}

/// `ln` of the volume of the unit ball in `n` dimensions.
pub(super) fn ln_ball(n: f64) -> f64 {
    n / 2.0 * PI.ln() - ln_gamma(n / 2.0 + 1.0)
}

/// `ln P(|x| ≤ t)` for a normal `x`: `ln erf(t/√2)`.
pub(super) fn ln_central_normal(t: f64) -> f64 {
    let x = t / SQRT_2;
    if x < 2.5 {
        // erf x = 2x/√π · e^(-x²) · Σ (2x²)^k / (1·3·…·(2k+1))
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..60 {
            term *= 2.0 * x * x / f64::from(2 * k + 1);
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
        }
        return (2.0 * x / PI.sqrt()).ln() - x * x + sum.ln();
    }
    // erfc x = e^(-x²) / √π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …))))
    let fraction = (1..60).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
    (-(-x * x).exp() / (PI.sqrt() * fraction)).ln_1p()
}

/// The error function of a number that is not negative.
pub(super) fn erf(x: f64) -> f64 {
    if x > 0.0 { ln_central_normal(x * SQRT_2).exp() } else { 0.0 }
}

/// The probability that a sum of `k` squares of normal numbers is at most `x`: the incomplete Gamma function.
pub(super) fn chi_squared(k: f64, x: f64) -> f64 {
    let (a, x) = (k / 2.0, x / 2.0);
    if x.is_nan() || x <= 0.0 {
        return 0.0;
    }
    if x > a + 40.0 * a.sqrt() + 200.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut over) = (1.0 / a, 1.0 / a, a);
        for _ in 0..10_000 {
            over += 1.0;
            term *= x / over;
            sum += term;
            if term < 1e-16 * sum {
                break;
            }
        }
        return (scale * sum).min(1.0);
    }
    let tail = scale
        * lentz(x + 1.0 - a, |i| {
            let i = f64::from(i);
            (i * (a - i), x + 2.0 * i + 1.0 - a)
        });
    (1.0 - tail).max(0.0)
}

/// One coordinate of a random unit vector.
pub(super) struct Coordinate {
    /// `(dimensions - 1)/2`.
    a: f64,
    /// `ln` of the Beta function at `a` and 1/2.
    ln_beta: f64,
}

impl Coordinate {
    pub(super) fn new(dimensions: f64) -> Self {
        let a = (dimensions - 1.0) / 2.0;
        let ln_beta = if a > 0.0 { ln_gamma(a) + PI.ln() / 2.0 - ln_gamma(a + 0.5) } else { 0.0 };
        Self { a, ln_beta }
    }

    /// The probability that its square is above `t`: the incomplete Beta function `I_{1-t}(a, 1/2)`.
    pub(super) fn above(&self, t: f64) -> f64 {
        let (a, b) = (self.a, 0.5);
        if t >= 1.0 || a <= 0.0 {
            return 0.0;
        }
        if t <= 0.0 {
            return 1.0;
        }
        let front = (a * (-t).ln_1p() + b * t.ln() - self.ln_beta).exp();
        if 1.0 - t < (a + 1.0) / (a + b + 2.0) {
            (front * beta_fraction(a, b, 1.0 - t) / a).min(1.0)
        } else {
            (1.0 - front * beta_fraction(b, a, t) / b).max(0.0)
        }
    }
}

/// The continued fraction of the incomplete Beta function.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    lentz(1.0, |i| {
        let m = f64::from(i >> 1);
        let numerator = if i & 1 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        (numerator, 1.0)
    })
}

/// `1/(first + a₁/(b₁ + a₂/(b₂ + …)))` by the method of Lentz; `terms(i)` is `(a_i, b_i)`.
fn lentz(first: f64, terms: impl Fn(u32) -> (f64, f64)) -> f64 {
    let tiny = |x: f64| if x.abs() < 1e-300 { 1e-300 } else { x };
    let (mut c, mut d) = (1e300, 1.0 / tiny(first));
    let mut value = d;
    for i in 1..2000 {
        let (a, b) = terms(i);
        d = 1.0 / tiny(b + a * d);
        c = tiny(b + a / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// `ζ'(s)/ζ(s)` for an `s` from 2 on.
pub(super) fn zeta_slope(s: f64) -> f64 {
    if s > 60.0 {
        return -LN_2 * (-s).exp2();
    }
    // The first terms, and the rest by the formula of Euler and Maclaurin.
    let (mut zeta, mut slope) = (0.0, 0.0);
    for k in 1..100 {
        let (ln, power) = (f64::from(k).ln(), f64::from(k).powf(-s));
        zeta += power;
        slope -= ln * power;
    }
    let (n, ln, r) = (100.0_f64, 100.0_f64.ln(), s - 1.0);
    let power = n.powf(-s);
    zeta += n * power / r + power / 2.0 + s * power / n / 12.0;
    slope -= n * power * (ln / r + 1.0 / (r * r)) + ln * power / 2.0 + (s * ln - 1.0) * power / n / 12.0;
    slope / zeta
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_tables() {
        let close = |ours: f64, table: f64| {
            assert!((ours - table).abs() < 1e-9 * table.abs().max(1e-3), "{ours}, not {table}");
        };
        close(ln_gamma(0.5), PI.sqrt().ln());
        close(ln_gamma(10.0), 362_880_f64.ln());
        close(digamma(1.0), -0.577_215_664_901_532_9);
        close(digamma(0.5), -1.963_510_026_021_423_5);
        close(log2_binomial(10.0, 3.0), 120_f64.log2());
        close(erf(0.5), 0.520_499_877_813_046_5);
        close(erf(3.0), 0.999_977_909_503_001_4);
        // P(χ²₂ ≤ x) = 1 - e^(-x/2).
        for x in [0.1, 1.0, 5.0, 40.0] {
            close(chi_squared(2.0, x), -(-x / 2.0_f64).exp_m1());
            close(chi_squared(1.0, x), erf((x / 2.0_f64).sqrt()));
        }
        close(chi_squared(10.0, 9.341_817_765_591_85), 0.5);
        // A coordinate of a vector in three dimensions is uniform in [-1, 1]; in two it is a cosine.
        for t in [0.01_f64, 0.3, 0.9] {
            close(Coordinate::new(3.0).above(t), 1.0 - t.sqrt());
            close(Coordinate::new(2.0).above(t), t.sqrt().acos() * 2.0 / PI);
        }
        close(zeta_slope(2.0), -0.937_548_254_315_844 / (PI * PI / 6.0));
        close(zeta_slope(61.0) / zeta_slope(60.0), 0.5);
        close(log2_sum(3.0, 3.0), 4.0);
    }
}
