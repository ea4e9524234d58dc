//! A plan against the textbook, at the ends of its proved ranges.

use crate::wish::{Wish, deepest};
use reference::{field, ntt as textbook};
use ringwork_ntt::{Interval, Ring, SignedWord as Word, internals::Transform};

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// `n` words of a range, by one of several habits.
    pub(crate) fn words<T: Word>(&mut self, n: usize, range: Interval) -> Vec<T> {
        let habit = self.below(6);
        let hot = self.below(n as u64) as usize;
        let word = |i: usize| match habit {
            0 => range.hi,
            1 => range.lo,
            2 => [range.lo, range.hi][i % 2],
            3 => [0, range.hi][usize::from(i == hot)],
            4 => [range.lo, range.hi][self.below(2) as usize],
            _ => range.lo + i128::from(self.below((range.hi - range.lo) as u64)),
        };
        (0..n).map(word).map(|x| T::from_i64(x as i64)).collect()
    }
}

/// A plan, what it should do, and what it said it would do.
struct Checker<'a, T: Word> {
    plan: &'a Transform<T>,
    wish: &'a Wish,
    n: usize,
    q: u64,
    order: Vec<usize>,
    factor: u64,
}

/// The textbook's name of a ring.
pub(crate) fn textbook_ring(ring: Ring) -> textbook::Ring {
    textbook::Ring::named(ring.name()).expect("a ring of the textbook")
}

/// Everything about a plan.
pub(crate) fn check<T: Word>(plan: &Transform<T>, wish: &Wish, seed: u64) {
    let recipe = plan.recipe();
    let (n, q) = (recipe.n(), recipe.q());
    assert_eq!((n, q, recipe.ring(), recipe.bits()), (wish.n, wish.q, wish.ring, wish.bits));
    assert_eq!(recipe.depth(), wish.depth.unwrap_or_else(|| deepest(n, q, wish.ring)), "{wish:?}");
    assert_eq!(recipe.thirds(), wish.layers_in_thirds(), "{wish:?}");
    assert!(wish.method.is_none_or(|method| method == recipe.method()), "{wish:?}");
    assert!(wish.backend.is_none_or(|backend| backend == recipe.backend()), "{wish:?}");
    assert!(wish.root.is_none_or(|root| root == recipe.root()), "{wish:?}");

    let order = plan.canonical_order();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..n), "{wish:?}: every slot is somewhere");
    let checker = Checker { plan, wish, n, q, order, factor: plan.forward_factor().residue };
    let mut random = Random(seed);
    checker.canonical_residues(&mut random);
    checker.round_trip(&mut random);
    checker.sparse_product(&mut random);
    if n <= 256 {
        checker.textbook(&mut random);
    }
}

impl<T: Word> Checker<'_, T> {
    fn within(&self, words: &[T], range: Interval, what: &str) {
        let outside = words.iter().map(|&x| i128::from(x.into())).find(|x| !(range.lo..=range.hi).contains(x));
        assert_eq!(outside, None, "{:?}: {what} leaves {range}", self.wish);
    }

    fn residues(&self, words: &[T]) -> Vec<u64> {
        words.iter().map(|&x| x.into().rem_euclid(self.q as i64) as u64).collect()
    }

    /// Slot values in canonical order, without what the transform multiplies them by.
    fn slots(&self, words: &[T]) -> Vec<u64> {
        let unscale = field::inverse(self.factor, self.q).expect("a factor is a unit");
        let mut slots = vec![0; self.n];
        for (residue, &index) in self.residues(words).into_iter().zip(&self.order) {
            slots[index] = field::mul(residue, unscale, self.q);
        }
        slots
    }

    /// `canonical` of any words, `lift` of residues.
    fn canonical_residues(&self, random: &mut Random) {
        let small = Interval::symmetric(i128::from(self.q) - 1);
        for (range, what) in [(Interval::word(T::BITS), "canonical"), (small, "lift")] {
            let words = random.words::<T>(self.n, range);
            let mut result = words.clone();
            if range == small {
                self.plan.canonical_of_reduced(&mut result);
            } else {
                self.plan.canonical(&mut result);
            }
            self.within(&result, Interval::new(0, i128::from(self.q) - 1), what);
            assert_eq!(self.residues(&result), self.residues(&words), "{:?}: {what}", self.wish);
        }
    }

    /// The inverse undoes the transform, for inputs in (-q, q).
    fn round_trip(&self, random: &mut Random) {
        let certificate = self.plan.certificate();
        assert_eq!(certificate.input(), Interval::symmetric(i128::from(self.q) - 1));
        for _ in 0..2 {
            let a = random.words::<T>(self.n, certificate.input());
            let mut words = a.clone();
            self.plan.forward(&mut words);
            self.within(&words, certificate.slots(), "a transform");
            self.plan.inverse(&mut words);
            self.within(&words, certificate.output(), "an inverse");
            assert_eq!(self.residues(&words), self.residues(&a), "{:?}: inverse of forward", self.wish);
        }
    }

    /// A product with a polynomial of three terms, by shifts.
    fn sparse_product(&self, random: &mut Random) {
        let (n, q) = (self.n, self.q);
        let a = random.words::<T>(n, self.plan.certificate().input());
        let mut b = vec![T::default(); n];
        for _ in 0..3 {
            b[random.below(n as u64) as usize] = T::from_i64(random.below(2 * q - 1) as i64 - (q as i64 - 1));
        }
        let (x, y) = (self.residues(&a), self.residues(&b));
        let mut whole = vec![0; 2 * n];
        for (j, &y) in y.iter().enumerate().filter(|(_, y)| **y != 0) {
            for (i, &x) in x.iter().enumerate() {
                whole[i + j] = field::add(whole[i + j], field::mul(x, y, q), q);
            }
        }
        self.multiplies(&a, &b, &textbook_ring(self.wish.ring).residue(&whole, q));
    }

    fn multiplies(&self, a: &[T], b: &[T], expected: &[u64]) {
        let mut c = vec![T::from_i64(1); self.n]; // dirty
        self.plan.multiply(&mut c, a, b);
        let canonical: Vec<u64> = c.iter().map(|&x| x.into() as u64).collect();
        assert_eq!(canonical, expected, "{:?}: product", self.wish);
    }

    /// Transform, inverse and products of any legal operands, each against its formula.
    fn textbook(&self, random: &mut Random) {
        let (plan, q, recipe) = (self.plan, self.q, self.plan.recipe());
        let ring = textbook_ring(recipe.ring());
        let transform = textbook::Transform::in_thirds(self.n, q, ring, recipe.depth(), recipe.thirds());
        let transform = transform.expect("a legal transform");
        assert!(self.wish.root.is_some() || recipe.root() == transform.root(), "{:?}: the smallest root", self.wish);
        let transform = transform.with_root(recipe.root()).expect("a root of that order");
        let certificate = plan.certificate();

        let (a, b) = (random.words::<T>(self.n, certificate.input()), random.words::<T>(self.n, certificate.input()));
        let mut a_hat = a.clone();
        plan.forward(&mut a_hat);
        assert_eq!(self.slots(&a_hat), transform.forward(&self.residues(&a)), "{:?}: forward", self.wish);
        self.multiplies(&a, &b, &ring.product(&self.residues(&a), &self.residues(&b), q));

        // Not only what a transform gives, but all that its certificate allows.
        let [x_hat, y_hat] = [0, 1].map(|_| {
            let range = [certificate.input(), certificate.slots()][random.below(2) as usize];
            random.words::<T>(self.n, range)
        });
        let mut x = x_hat.clone();
        plan.inverse(&mut x);
        self.within(&x, certificate.output(), "an inverse");
        assert_eq!(self.residues(&x), transform.inverse(&self.slots(&x_hat)), "{:?}: inverse", self.wish);

        let product = transform.product(&self.slots(&x_hat), &self.slots(&y_hat));
        let mut c = vec![T::from_i64(1); self.n]; // dirty
        plan.pointwise(&mut c, &x_hat, &y_hat);
        self.within(&c, certificate.products(), "a pointwise product");
        let mut normalized = c.clone();
        plan.to_ntt(&mut normalized);
        self.within(&normalized, certificate.normalized(), "a normalized product");
        assert_eq!(self.slots(&normalized), product, "{:?}: normalized product", self.wish);
        let mut sum = c.clone();
        plan.to_ntt_plus(&mut sum, &a_hat);
        self.within(&sum, Interval::new(0, i128::from(q) - 1), "a product and a sum");
        let expected = product.iter().zip(self.slots(&a_hat)).map(|(&x, y)| field::add(x, y, q));
        assert!(self.slots(&sum).into_iter().eq(expected), "{:?}: product and sum", self.wish);
        plan.inverse_product(&mut c);
        self.within(&c, certificate.output(), "an inverse of a product");
        assert_eq!(self.residues(&c), transform.inverse(&product), "{:?}: inverse of a product", self.wish);
    }
}
