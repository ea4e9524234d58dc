//! All attacks with a choice of models, by the names that the lattice-estimator has for them.

use super::{AttackCost, Error, Form, Guessing, Lwe, Ntru, NtruLattice, Reduction, Sis};

/// Attacks by name, and what they cost, or why there is no answer.
pub type Attacks = Vec<(&'static str, Result<AttackCost, Error>)>;

impl Lwe {
    /// All attacks. Each takes less than a tenth of a second at usual sizes, but for [`Form::Cn11`].
    ///
    /// Hybrids that guess coefficients are there for secrets of a fixed weight or of a density under one half alone;
    /// for others they guess nothing, which is `bdd`.
    ///
    /// ```
    /// use ringwork::estimate::{Lwe, Reduction, Shape, cheapest};
    /// let (q, secret, error) = (3329.into(), Shape::Binomial(3), Shape::Binomial(3));
    /// let attacks = Lwe { n: 512, q, secret, error, samples: Some(512) }.attacks(Reduction::FULL);
    /// let (name, least) = cheapest(&attacks).unwrap();
    /// assert_eq!((name, least.rop.round()), ("dual_hybrid", 140.0));
    /// ```
    pub fn attacks(&self, models: Reduction) -> Attacks {
        let mut all = vec![
            ("usvp", self.usvp(models)),
            ("bdd", self.bdd(models)),
            ("dual", self.dual_attack(models.cost)),
            ("dual_hybrid", self.dual_hybrid(models.cost)),
            ("coded-bkw", self.coded_bkw()),
            ("arora-gb", self.arora_gb()),
            ("mitm", self.meet()),
            ("exhaustive_search", self.exhaustive()),
        ];
        if self.secret.is_sparse(self.n) {
            all.push(("bdd_hybrid", self.hybrid(Guessing::Decode, models)));
            all.push(("bdd_mitm_hybrid", self.hybrid(Guessing::Meet, models)));
        }
        all
    }
}

impl Ntru {
    /// All attacks; see [`Lwe::attacks`]. The dense sublattice is that of a Z, [`Form::Zgsa`], in place of a geometric
    /// series.
    pub fn attacks(&self, kind: NtruLattice, models: Reduction) -> Attacks {
        let form = if models.form == Form::Gsa { Form::Zgsa } else { models.form };
        let mut all = vec![
            ("usvp", self.usvp(models)),
            ("bdd", self.bdd(models)),
            ("dsd", self.dense_sublattice(kind, Reduction { form, ..models })),
        ];
        if self.f.is_sparse(self.n) {
            all.push(("bdd_hybrid", self.hybrid(Guessing::Decode, models)));
            all.push(("bdd_mitm_hybrid", self.hybrid(Guessing::Meet, models)));
        }
        all
    }
}

impl Sis {
    /// The one attack: [`lattice`](Self::lattice).
    pub fn attacks(&self, models: Reduction) -> Attacks {
        vec![("lattice", self.lattice(models))]
    }
}

/// The name and the cost of the cheapest attack, if one has an answer.
pub fn cheapest(attacks: &Attacks) -> Option<(&'static str, AttackCost)> {
    let found = attacks.iter().filter_map(|(name, found)| found.as_ref().ok().map(|found| (*name, *found)));
    found.min_by(|(_, a), (_, b)| a.rop.total_cmp(&b.rop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Shape;

    /// The minimum of the lattice-estimator for published sets, all attacks: `LWE.estimate`, `NTRU.estimate`.
    #[test]
    fn the_cheapest_attack_is_that_of_the_lattice_estimator() {
        let noise = Shape::Binomial(3);
        let kyber = Lwe { n: 512, q: 3329.into(), secret: noise, error: noise, samples: Some(512) };
        let attacks = kyber.attacks(Reduction::FULL);
        for (name, bits) in
            [("coded-bkw", 178.8), ("usvp", 143.8), ("bdd", 140.2), ("dual", 149.9), ("dual_hybrid", 139.7)]
        {
            let found = attacks.iter().find(|attack| attack.0 == name).unwrap().1.clone().unwrap();
            assert!((found.rop - bits).abs() < 0.3, "{name}: {found}");
        }
        assert_eq!(cheapest(&attacks).unwrap().0, "dual_hybrid");
        let small = Ntru { n: 113, q: 512.into(), f: Shape::TERNARY, g: Shape::TERNARY };
        let attacks = small.attacks(NtruLattice::Matrix, Reduction::FULL);
        for (name, bits) in [("usvp", 46.0), ("bdd", 42.4)] {
            let found = attacks.iter().find(|attack| attack.0 == name).unwrap().1.clone().unwrap();
            assert!((found.rop - bits).abs() < 0.3, "{name}: {found}");
        }
        let sparse = Lwe { secret: Shape::Counts { plus: 16, minus: 16 }, ..kyber };
        let attacks = sparse.attacks(Reduction::FULL);
        // LWE.primal_hybrid(schemes.Kyber512.updated(Xs=ND.SparseTernary(16))).
        for (name, bits) in [("bdd_hybrid", 87.9), ("bdd_mitm_hybrid", 85.4)] {
            let found = attacks.iter().find(|attack| attack.0 == name).unwrap().1.clone().unwrap();
            assert!((found.rop - bits).abs() < 0.4, "{name}: {found}");
        }
        assert!(cheapest(&Vec::new()).is_none());
    }
}
