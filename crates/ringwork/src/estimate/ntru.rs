//! Attacks on NTRU keys `h = g/f`.
//!
//! Formula: the lattice of all `(x, hx mod q)`, of dimension 2n and volume `qⁿ`, contains `(f, g)`
//! and its rotations; the primal attack is that on LWE without the coordinate of the embedding.
//! Beyond the *fatigue point* `q ≈ 0.004 n^2.484`, attackers find the sublattice of all rotations
//! before the vector, and the primal estimate is too high.
//!
//! If `f` and `g` have different widths, as in NTRU-HPS, the embedding is that of LWE, scaled, as
//! in the lattice-estimator. (The submission to NIST gives both the sparser width, which lowers the
//! estimate by 1 to 7 bits.) Of the combinatorial attacks, only meet in the middle is counted:
//! Howgrave-Graham, Silverman, Whyte (2003).
//!
//! Source: Ducas, van Woerden, *NTRU fatigue: how stretched is overstretched?* (2021), for ternary
//! `f` and `g`; for wider ones the fatigue point is higher.

use super::{Error, Estimate, Lwe, Modulus, Shape, check_size, lwe::UniqueVector, weakest};

/// An NTRU key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ntru {
    /// Degree of the ring.
    pub n: usize,
    /// Modulus.
    pub q: Modulus,
    /// Distribution of `f`; for `f = p·f' + 1`, of `f'`.
    pub f: Shape,
    /// Distribution of `g`.
    pub g: Shape,
}

impl Ntru {
    /// The cheapest of [`primal`](Self::primal), [`search`](Self::search) and
    /// [`zeros`](Self::zeros), for parameters that are not overstretched.
    ///
    /// **Errors** for numbers out of range, and beyond the fatigue point.
    pub fn security(&self) -> Result<Estimate, Error> {
        let (fatigue, cheapest) = (self.fatigue()?, weakest([self.primal(), self.search(), self.zeros()])?);
        if self.q.ln()? > fatigue.ln() { Err(Error::Overstretched { q: self.q, fatigue }) } else { Ok(cheapest) }
    }

    /// The primal attack without coefficients of `f` that are guessed to be zero, as on LWE with
    /// `n` samples.
    ///
    /// **Errors** for numbers out of range, if `f` is not sparse, and if no block size succeeds.
    pub fn zeros(&self) -> Result<Estimate, Error> {
        self.as_lwe().zeros()
    }

    /// A warning if attacks that the model leaves out cost less.
    pub fn warning(&self) -> Option<String> {
        self.as_lwe().warning()
    }

    const fn as_lwe(&self) -> Lwe {
        let Self { n, q, f, g } = *self;
        Lwe { n, q, secret: f, error: g, samples: Some(n) }
    }

    /// Guesses half of `f`, or of `g`, and looks up the other half.
    ///
    /// **Errors** for numbers out of range.
    pub fn search(&self) -> Result<Estimate, Error> {
        check_size("n", self.n, 1)?;
        let [f, g] = [self.f, self.g].map(|shape| shape.deviation(self.n).map(|_| shape.entropy(self.n)));
        Ok(Estimate::of_search(f?.min(g?), self.n))
    }

    /// The search for `(f, g)` as a shortest vector, regardless of [`fatigue`](Self::fatigue).
    ///
    /// **Errors** for numbers out of range, and if no block size succeeds.
    pub fn primal(&self) -> Result<Estimate, Error> {
        let (n, ln_q) = (check_size("n", self.n, 1)?, self.q.ln()?);
        let (f, g) = (self.f.deviation(self.n)?, self.g.deviation(self.n)?);
        let ln_rest = n * (g / f).ln();
        UniqueVector { n, ln_q, ln_rest, sigma: g, embedded: 0.0, max: 2.0 * n }.estimate()
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
        let key = |n, q| Ntru { n, q: Modulus::Integer(q), f: Shape::TERNARY, g: Shape::TERNARY };
        for (n, q) in [(508, 2048.0), (676, 2048.0), (820, 4096.0), (700, 8192.0)] {
            assert!(key(n, q).security().is_ok());
        }
        let stretched = key(512, 65537.0);
        assert!(stretched.primal().is_ok());
        assert!(matches!(stretched.security(), Err(Error::Overstretched { fatigue, .. }) if fatigue < 65537.0));
    }

    /// L14: the estimate by the submission's model is lower than ours.
    #[test]
    fn both_halves_as_the_sparser_one() {
        for (n, q, weight, ours, sparser) in
            [(508, 2048.0, 254, 108.9, 106.6), (676, 2048.0, 254, 151.3, 144.8), (820, 4096.0, 510, 180.2, 179.6)]
        {
            let sparse = Shape::Weight(weight);
            let bits = |f| Ntru { n, q: Modulus::Integer(q), f, g: sparse }.security().unwrap().classical_bits;
            let found = (bits(Shape::TERNARY), bits(sparse));
            assert!((found.0 - ours).abs() < 0.35 && (found.1 - sparser).abs() < 0.35, "{n}: {found:?}");
        }
    }

    /// M8: a lattice of few dimensions must still give a result.
    #[test]
    fn small_keys_are_found_at_once() {
        let key = Ntru { n: 19, q: Modulus::Integer(61.0), f: Shape::TERNARY, g: Shape::TERNARY };
        assert!(key.primal().unwrap().classical_bits < 12.0 && key.search().unwrap().classical_bits < 16.0);
        let sparse = Ntru { n: 1024, q: Modulus::Integer(2048.0), f: Shape::Weight(6), g: Shape::TERNARY };
        assert!(sparse.security().unwrap().classical_bits < 33.0);
        let sparse = Ntru { f: Shape::Weight(40), g: Shape::Weight(40), ..sparse };
        assert!(sparse.security().unwrap().classical_bits < 125.0 && sparse.warning().is_some());
    }

    #[test]
    fn a_scaled_key_is_the_same_key() {
        let both = |f, g| Ntru { n: 512, q: Modulus::Integer(12289.0), f, g }.primal().unwrap().beta;
        assert_eq!(both(Shape::Gaussian(2.0), Shape::Gaussian(4.0)), both(Shape::Gaussian(4.0), Shape::Gaussian(2.0)));
    }
}
