//! The arithmetic of the designers' portable code, rebuilt: the same words after every step.
//!
//! Words have 16 bits without sign. Products are reduced by Montgomery's method with R = 2¹⁸, every other layer's sums
//! by Barrett's, and the sums between are left as they are. Powers of ψ are multiplied separately, before the forward
//! transform and, with n⁻¹, after the inverse. Both transforms are one loop of Gentleman and Sande's butterflies,
//! bit-reversed in, natural out, so the inverse first reverses the bits of its input.
//!
//! A test compares transforms with digests of what that code gives; [`super::init_by`] and the other steps by this
//! arithmetic give the designers' messages.
//!
//! Source: Alkim, Ducas, Pöppelmann, Schwabe, the portable code that belongs to *Post-quantum key exchange – a new
//! hope*, 2016; its ranges are those of the paper's section 7. It is what Longa and Naehrig compare with.

use super::{N, Polynomials, Q};
use crate::field;

const LOG_R: u32 = 18;
/// −q⁻¹ modulo R.
const MINUS_Q_INVERSE: u32 = 12287;

/// x·R⁻¹ mod q, for x + (R − 1)·q below 2³²: below x/R + q.
#[inline]
pub fn montgomery(x: u32) -> u16 {
    let m = x.wrapping_mul(MINUS_Q_INVERSE) & ((1 << LOG_R) - 1);
    (x.wrapping_add(m * Q as u32) >> LOG_R) as u16
}

/// x mod q, below 2¹⁴.
#[inline]
pub fn barrett(x: u16) -> u16 {
    let quotient = (u32::from(x) * 5) >> 16;
    x - (quotient * Q as u32) as u16
}

/// Factors and powers of roots, times R.
#[derive(Clone, Debug)]
pub struct Designers {
    /// ω^brv(i), nine bits reversed; the first ones of ψ^brv(i), since ω = ψ².
    omega: Vec<u16>,
    omega_inverse: Vec<u16>,
    /// ψ^brv(i), ten bits reversed.
    psi: Vec<u16>,
    /// ψ^−i·n⁻¹.
    psi_inverse: Vec<u16>,
    /// R² mod q: a factor of pointwise products, which Montgomery's method divides by R twice.
    r_squared: u16,
}

impl Default for Designers {
    fn default() -> Self {
        Self::new()
    }
}

impl Designers {
    /// The tables.
    pub fn new() -> Self {
        let psi = field::root_of_unity(Q, 2 * N as u64).expect("2048 divides 12288");
        let inverse = |x| field::inverse(x, Q).expect("a unit");
        let times_r = |x| field::mul(x, (1 << LOG_R) % Q, Q) as u16;
        let bits = N.trailing_zeros();
        let powers = |root: u64| -> Vec<u16> {
            (0..N).map(|i| times_r(field::pow(root, field::bit_reverse(i, bits) as u64, Q))).collect()
        };
        let (forward, backward) = (powers(psi), powers(inverse(psi)));
        let scaled = |i: usize| times_r(field::mul(field::pow(inverse(psi), i as u64, Q), inverse(N as u64), Q));
        Self {
            omega: forward[..N / 2].to_vec(),
            omega_inverse: backward[..N / 2].to_vec(),
            psi: forward,
            psi_inverse: (0..N).map(scaled).collect(),
            r_squared: times_r((1 << LOG_R) % Q),
        }
    }

    /// The forward transform: bit-reversed in, natural out.
    pub fn ntt(&self, a: &mut [u16]) {
        multiplied(a, &self.psi);
        layers(a, &self.omega);
    }

    /// The inverse transform, natural order in and out.
    pub fn inverse_ntt(&self, a: &mut [u16]) {
        for i in 0..N {
            let r = field::bit_reverse(i, N.trailing_zeros());
            if i < r {
                a.swap(i, r);
            }
        }
        layers(a, &self.omega_inverse);
        multiplied(a, &self.psi_inverse);
    }

    /// The product slot by slot.
    pub fn pointwise(&self, a: &[u16], b: &[u16]) -> Vec<u16> {
        let product = |(&a, &b): (&u16, &u16)| {
            let t = montgomery(u32::from(self.r_squared) * u32::from(b));
            montgomery(u32::from(a) * u32::from(t))
        };
        a.iter().zip(b).map(product).collect()
    }
}

/// The sum, by Barrett's method.
fn sum(a: &[u16], b: &[u16]) -> Vec<u16> {
    a.iter().zip(b).map(|(&a, &b)| barrett(a + b)).collect()
}

fn multiplied(a: &mut [u16], factors: &[u16]) {
    a.iter_mut().zip(factors).for_each(|(a, &factor)| *a = montgomery(u32::from(*a) * u32::from(factor)));
}

/// Ten layers, of which every other one reduces its sums. The distance of a layer's words doubles; a word's factor
/// depends on its block alone.
fn layers(a: &mut [u16], omega: &[u16]) {
    let mut distance = 1;
    while distance < N {
        layer::<false>(a, omega, distance);
        layer::<true>(a, omega, 2 * distance);
        distance *= 4;
    }
}

fn layer<const REDUCES: bool>(a: &mut [u16], omega: &[u16], distance: usize) {
    for start in 0..distance {
        for (block, &w) in (start..N - 1).step_by(2 * distance).zip(omega) {
            let (x, y) = (a[block], a[block + distance]);
            a[block] = if REDUCES { barrett(x + y) } else { x + y };
            a[block + distance] = montgomery(u32::from(w) * (u32::from(x) + 3 * Q as u32 - u32::from(y)));
        }
    }
}

/// A word as it is sent or reconciled: in [0, q).
fn canonical(x: u16) -> u64 {
    let x = u64::from(barrett(x));
    if x < Q { x } else { x - Q }
}

impl Polynomials for Designers {
    type Slots = Vec<u16>;

    fn forward(&self, noise: &[i64]) -> Vec<u16> {
        let mut a = noise_words(noise);
        self.ntt(&mut a);
        a
    }

    fn sent(&self, a_hat: &[u64], s_hat: &Vec<u16>, noise: &[i64]) -> Vec<u64> {
        let product = self.pointwise(s_hat, &words(a_hat));
        sum(&product, &self.forward(noise)).into_iter().map(canonical).collect()
    }

    fn shared(&self, received: &[u64], s_hat: &Vec<u16>, noise: Option<&[i64]>) -> Vec<u64> {
        let mut v = self.pointwise(s_hat, &words(received));
        self.inverse_ntt(&mut v);
        let v = match noise {
            Some(noise) => sum(&v, &noise_words(noise)),
            None => v,
        };
        v.into_iter().map(canonical).collect()
    }
}

fn words(a: &[u64]) -> Vec<u16> {
    a.iter().map(|&x| x as u16).collect()
}

/// Noise as the designers' sampler gives it: plus q.
fn noise_words(noise: &[i64]) -> Vec<u16> {
    noise.iter().map(|&x| (x + Q as i64) as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha3::Digest;

    /// SHA3-256 of the words in little-endian bytes.
    fn digest(a: &[u16]) -> String {
        let bytes: Vec<u8> = a.iter().flat_map(|x| x.to_le_bytes()).collect();
        sha3::Sha3_256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Digests that a program linked with the designers' portable code (commit 921204098a33900de193ffc56d87049cad0e2cb8
    /// of its repository) gave for these inputs.
    #[test]
    fn words_are_those_of_the_designers_code() {
        let by = Designers::new();
        let a: Vec<u16> = (0..N).map(|i| ((i * i * 31 + 7 * i + 5) % Q as usize) as u16).collect();
        let b: Vec<u16> = (0..N).map(|i| (Q as usize + i * 37 % 33 - 16) as u16).collect();
        let through = |a: &[u16], f: &dyn Fn(&mut [u16])| {
            let mut a = a.to_vec();
            f(&mut a);
            a
        };
        let b_hat = through(&b, &|b| by.ntt(b));
        let product = by.pointwise(&b_hat, &a);
        let both = sum(&product, &b_hat);
        for (words, expected) in [
            (through(&a, &|a| by.ntt(a)), "a10dcd65b31850f2256ed98fc234b7006f84f475a31672722a8b1e1431c857ab"),
            (b_hat.clone(), "a8cc732c3d2bfd21e14ca95ce3b35aa123af51b68a675c986df3c6874edebb88"),
            (through(&a, &|a| by.inverse_ntt(a)), "11d18373660359be7237878bb5b79e6d4a96b16e5d5ce2d7446d2b8ab9dde177"),
            (
                through(&b_hat, &|b| by.inverse_ntt(b)),
                "6976c907b1982731eeedd94813c8b985885b3706cc475181740ee3c6439fb59a",
            ),
            (product, "a29f7f280d3e70c8152f09e02824c09561da4795c37adab456d572bc3a3233d0"),
            (both.clone(), "4c650c3063af221205ceacff1b857c02abf3cc489d5d56806dd33e3080a4c134"),
            (
                through(&both, &|x| by.inverse_ntt(x)),
                "daedaabce8e3cf5fd57c431bfcb479b92f4624d6efe70ee434c2c70dbd964ddf",
            ),
        ] {
            assert_eq!(digest(&words), expected);
        }
    }

    /// What 16 and 32 bits must hold: sums of two layers, and a product with a difference.
    #[test]
    fn ranges_are_those_of_the_designers_paper() {
        for x in 0..=u16::MAX {
            assert_eq!(u64::from(barrett(x)) % Q, u64::from(x) % Q);
            assert!(barrett(x) < 1 << 14, "{x}");
        }
        let largest = u32::MAX - ((1 << LOG_R) - 1) * Q as u32;
        let r_inverse = field::inverse((1 << LOG_R) % Q, Q).unwrap();
        for x in (0..=largest).step_by(9973).chain([largest]) {
            let y = u64::from(montgomery(x));
            assert_eq!(y % Q, field::mul(u64::from(x) % Q, r_inverse, Q), "{x}");
            assert!(y < (u64::from(x) >> LOG_R) + Q + 1, "{x}");
        }
    }
}
