//! Attacks on NTRU keys `h = g/f`.
//!
//! Formula: the lattice of all `(x, hx mod q)`, of dimension 2n and volume `qⁿ`, holds `(f, g)` and its rotations;
//! the primal attack is that on LWE without the coordinate of the embedding. Beyond the *fatigue point* `q ≈ 0.004
//! n^2.484`, the sublattice of all rotations is found sooner than the vector, and the primal estimate says too much.
//!
//! Source: Ducas, van Woerden, *NTRU fatigue: how stretched is overstretched?* (2021), for ternary `f` and `g`; wider
//! ones tire later.

use super::{Error, Estimate, Shape, check_modulus, check_size, lwe::UniqueVector};

/// An NTRU key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ntru {
    /// Degree of the ring.
    pub n: usize,
    /// Modulus.
    pub q: f64,
    /// Distribution of `f`; for `f = p·f' + 1`, that of `f'`.
    pub f: Shape,
    /// Distribution of `g`.
    pub g: Shape,
}

impl Ntru {
    /// The primal attack, for parameters that are not overstretched.
    ///
    /// **Errors** for numbers out of range, and beyond the fatigue point.
    pub fn security(&self) -> Result<Estimate, Error> {
        let (estimate, fatigue) = (self.primal()?, self.fatigue()?);
        if self.q > fatigue { Err(Error::Overstretched { q: self.q, fatigue }) } else { Ok(estimate) }
    }

    /// The search for `(f, g)` as a shortest vector, whatever [`fatigue`](Self::fatigue) says.
    ///
    /// **Errors** for numbers out of range, and where no block size succeeds.
    pub fn primal(&self) -> Result<Estimate, Error> {
        let (n, q) = (check_size("n", self.n, 1)?, check_modulus(self.q)?);
        let (f, g) = (self.f.deviation()?, self.g.deviation()?);
        let ln_rest = n * (g / f).ln();
        UniqueVector { n, ln_q: q.ln(), ln_rest, sigma: g, embedded: 0.0, max: 2.0 * n }.estimate()
    }

    /// The modulus beyond which ternary keys of this degree are overstretched.
    ///
    /// **Errors** for a degree out of range.
    pub fn fatigue(&self) -> Result<f64, Error> {
        Ok(0.004 * check_size("n", self.n, 1)?.powf(2.484))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_sets_are_not_overstretched_and_stretched_ones_are() {
        let key = |n, q| Ntru { n, q, f: Shape::TERNARY, g: Shape::TERNARY };
        for (n, q) in [(508, 2048.0), (676, 2048.0), (820, 4096.0), (700, 8192.0)] {
            assert!(key(n, q).security().is_ok());
        }
        let stretched = key(512, 65537.0);
        assert!(stretched.primal().is_ok());
        assert!(matches!(stretched.security(), Err(Error::Overstretched { fatigue, .. }) if fatigue < 65537.0));
    }

    #[test]
    fn a_scaled_key_is_the_same_key() {
        let both = |f, g| Ntru { n: 512, q: 12289.0, f, g }.primal().unwrap().beta;
        assert_eq!(both(Shape::Gaussian(2.0), Shape::Gaussian(4.0)), both(Shape::Gaussian(4.0), Shape::Gaussian(2.0)));
    }
}
