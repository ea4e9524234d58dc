//! What a ring does with its elements: the verbs of the plan of each prime, on all polynomials.

use super::{Channel, Rns, RnsElement, RnsError, RnsNtt, RnsPoly, RnsProduct, element::Domain};
use crate::{
    exec::{Buffer, Operands, each},
    network::Elementwise,
    plan::Plan,
    threads::each_piece,
    word::Word,
};
use alloc::vec::Vec;

impl<T: Word> Rns<T> {
    /// Polynomials from words: for each polynomial [`words`](Self::words) of them, its residues modulo the first prime,
    /// then those modulo the second one, and so on.
    ///
    /// - **Range:** in `(-p, p)`, or `[0, p)` in unsigned words, which is checked.
    /// - **Constant time:** yes, unless it returns an error.
    /// - **Errors** unless there is a multiple of [`words`](Self::words), or if a word is out of range.
    pub fn poly(&self, words: &[T]) -> Result<RnsPoly<T>, RnsError> {
        let (n, of_each) = (self.n(), self.words());
        let (count, rest) = (words.len() / of_each, words.len() % of_each);
        if rest != 0 {
            return Err(RnsError::Length { of_each, actual: words.len() });
        }
        for (at, residues) in words.chunks_exact(n).enumerate() {
            let plan = &self.channels[at % self.channels.len()].plan;
            let q = plan.q();
            plan.check(residues).map_err(|error| RnsError::Residue { q, error: error.at(|index| at * n + index) })?;
        }
        let mut out = self.zeros(count);
        self.each_polynomial(&mut out, |at, plan, to| {
            let [prime, polynomial] = at;
            to.copy_from_slice(&words[polynomial * of_each + prime * n..][..n]);
            plan.canonical(to);
        });
        Ok(out)
    }

    /// Polynomials with coefficients of 64 bits, one after the other.
    ///
    /// - **Order:** natural. **Constant time:** yes.
    /// - **Panics** unless there is a multiple of `n` coefficients.
    pub fn poly_of_i64(&self, coefficients: &[i64]) -> RnsPoly<T> {
        let limbs = Buffer::of(coefficients.iter().map(|x| *x as u64).collect());
        self.poly_of_integers(limbs.words(), 1, true)
    }

    /// Polynomials whose coefficients are integers of so many limbs each, one after the other: in two's complement if
    /// they are `signed`. The integers need not be below `Q`.
    ///
    /// - **Order:** natural. **Constant time:** yes, for a given number of limbs.
    /// - **Panics** unless there are the limbs of whole polynomials, and at least one for each integer.
    pub fn poly_of_integers(&self, integers: &[u64], limbs: usize, signed: bool) -> RnsPoly<T> {
        let of_each = self.n() * limbs;
        assert!(
            limbs > 0 && integers.len().is_multiple_of(of_each),
            "{} limbs, {of_each} for a polynomial",
            integers.len()
        );
        let mut out = self.zeros(integers.len() / of_each);
        if !integers.is_empty() {
            self.residues_of(out.words.words_mut(), integers, signed);
        }
        out
    }

    /// The coefficients in `[0, Q)`, or in `[-Q/2, Q/2]` and two's complement if `centred`: of each
    /// [`limbs`](Self::limbs) limbs, one polynomial after the other.
    ///
    /// - **Order:** natural. **Constant time:** yes.
    /// - **Panics** if the polynomials belong to another ring.
    pub fn integers(&self, a: &RnsPoly<T>, centred: bool) -> Buffer<u64> {
        self.own(a);
        let mut integers = Buffer::zeros(a.all() * self.limbs());
        if !a.is_empty() {
            self.integers_of(integers.words_mut(), a.words.words(), centred);
        }
        integers
    }

    /// [`Plan::forward`] of every polynomial modulo each prime, in the same memory.
    ///
    /// - **Order:** out that of each plan. **Range:** out `[0, p)`.
    /// - **Constant time:** yes.
    /// - **Panics** if the polynomials belong to another ring.
    pub fn forward_poly(&self, mut a: RnsPoly<T>) -> RnsNtt<T> {
        self.own(&a);
        self.each_polynomial(&mut a, |_, plan, a| {
            plan.forward(a);
            plan.canonical(a);
        });
        a.meaning()
    }

    /// Undoes [`forward_poly`](Self::forward_poly).
    ///
    /// **Order:** natural out. **Constant time**, **panics:** as `forward_poly`.
    pub fn inverse_ntt(&self, mut a: RnsNtt<T>) -> RnsPoly<T> {
        self.own(&a);
        self.each_polynomial(&mut a, |_, plan, a| plan.inverse(a));
        a.meaning()
    }

    /// Adds each polynomial of `b` to that of `a` with the same number, transformed or not.
    ///
    /// - **Constant time:** yes.
    /// - **Panics** if an element belongs to another ring, or if they have different numbers of polynomials.
    pub fn add<D: Domain>(&self, a: &mut RnsElement<T, D>, b: &RnsElement<T, D>) {
        self.pairs(a, b, Plan::add);
    }

    /// Subtracts each polynomial of `b` from that of `a` with the same number, transformed or not.
    ///
    /// **Constant time**, **panics:** as [`add`](Self::add).
    pub fn sub<D: Domain>(&self, a: &mut RnsElement<T, D>, b: &RnsElement<T, D>) {
        self.pairs(a, b, Plan::sub);
    }

    /// Negates every polynomial, transformed or not.
    ///
    /// **Constant time:** yes. **Panics** if `a` belongs to another ring.
    pub fn negate<D: Domain>(&self, a: &mut RnsElement<T, D>) {
        let minus_one: Vec<u64> = self.primes().map(|p| p - 1).collect();
        self.scale(a, &minus_one);
    }

    /// Multiplies every polynomial, transformed or not, by a public number, given by its residue modulo each prime: see
    /// [`residues_of_number`](Self::residues_of_number). A secret factor is a constant polynomial.
    ///
    /// - **Range:** the residues of the factor may be any numbers.
    /// - **Constant time:** yes, for a given factor.
    /// - **Panics** if `a` belongs to another ring, or unless there is one residue for each prime.
    pub fn scale<D: Domain>(&self, a: &mut RnsElement<T, D>, factor: &[u64]) {
        self.own(a);
        assert_eq!(factor.len(), self.channels.len(), "residues of a factor");
        let twiddle = |(channel, factor): (&Channel<T>, &u64)| channel.twiddle(factor % channel.prime());
        let factors: Vec<_> = self.channels.iter().zip(factor).map(twiddle).collect();
        self.each_polynomial(a, |[prime, _], _, a| self.channels[prime].scale(a, &factors[prime]));
    }

    /// The residues of a public number, given by its limbs, modulo each prime.
    ///
    /// **Constant time:** no.
    ///
    /// ```
    /// use ringwork_ntt::Rns;
    ///
    /// let rns = Rns::<i32>::new(64, &[7681, 12289])?;
    /// assert_eq!(rns.residues_of_number(&[5, 1]), [5569, 5669]); // 2^64 + 5
    /// # Ok::<(), ringwork_ntt::RnsError>(())
    /// ```
    pub fn residues_of_number(&self, limbs: &[u64]) -> Vec<u64> {
        self.channels.iter().map(|channel| channel.residue_of(limbs)).collect()
    }

    /// [`Plan::pointwise`]: the product of each polynomial of `a` and that of `b` with the same number. To multiply all
    /// polynomials of one by one polynomial, take [`inner_products`](Self::inner_products) of one term.
    ///
    /// - **Constant time:** yes.
    /// - **Panics** if an element belongs to another ring, or if they have different numbers of polynomials.
    ///
    /// ```
    /// use ringwork_ntt::Rns;
    ///
    /// let rns = Rns::<u32>::new(64, &[7681, 12289])?;
    /// let (mut x, mut y) = ([0; 64], [0; 64]);
    /// (x[1], y[63]) = (1, 5);
    /// let [x, y] = [x, y].map(|a| rns.forward_poly(rns.poly_of_i64(&a)));
    /// let c = rns.inverse_product(rns.pointwise(&x, &y));
    /// assert_eq!(rns.integers(&c, true).words()[0], -5_i64 as u64); // X·5X^63 = -5
    /// # Ok::<(), ringwork_ntt::RnsError>(())
    /// ```
    pub fn pointwise(&self, a: &RnsNtt<T>, b: &RnsNtt<T>) -> RnsProduct<T> {
        let mut products = self.element(a.len());
        self.products(&mut products, [a, b], |plan, c, a, b| {
            let _ = plan.pointwise(c, a, b);
        });
        products
    }

    /// [`Plan::accumulate`]: adds the product of each polynomial of `a` and that of `b` with the same number.
    ///
    /// **Constant time**, **panics:** as [`pointwise`](Self::pointwise).
    pub fn accumulate(&self, products: &mut RnsProduct<T>, a: &RnsNtt<T>, b: &RnsNtt<T>) {
        self.own(products);
        self.products(products, [a, b], |plan, c, a, b| plan.accumulate(&mut plan.products_in(c), a, b));
    }

    /// [`Plan::inner_products`]: `Σ a_i·b_i` for each vector of `b` and each vector of `a`, where each `terms`
    /// polynomials are a vector. A transformed polynomial is prepared for that: keep keys transformed.
    ///
    /// - **Order:** all sums with the first vector of `b`, then all with the second one, and so on.
    /// - **Constant time:** yes.
    /// - **Panics** if an element belongs to another ring, or does not consist of such vectors, at least one.
    pub fn inner_products(&self, a: &RnsNtt<T>, b: &RnsNtt<T>, terms: usize) -> RnsProduct<T> {
        let [rows, columns] = [a, b].map(|element| {
            self.own(element);
            let whole = terms > 0 && !element.is_empty() && element.len().is_multiple_of(terms);
            assert!(whole, "vectors of {terms} polynomials in {}", element.len());
            element.len() / terms
        });
        let mut sums = self.element(rows * columns);
        let (length, [a, b]) = (sums.all(), [a, b].map(|element| (element.all(), element.words.words())));
        each_piece(
            sums.words.words_mut(),
            length,
            || (),
            |(), i, sums| {
                let [a, b] = [a, b].map(|(all, words)| &words[i * all..][..all]);
                let _ = self.channels[i].plan.inner_products(sums, a, b, terms);
            },
        );
        sums
    }

    /// [`Plan::inverse_product`]: products as coefficients, in the same memory.
    ///
    /// - **Order:** natural out. **Constant time:** yes.
    /// - **Panics** if the products belong to another ring.
    pub fn inverse_product(&self, mut products: RnsProduct<T>) -> RnsPoly<T> {
        self.own(&products);
        self.each_polynomial(&mut products, |_, plan, c| {
            plan.inverse_product(plan.products_in(c));
        });
        products.meaning()
    }

    /// [`Plan::to_ntt`]: products as transformed polynomials like any others, in the same memory.
    ///
    /// - **Order:** that of each plan. **Constant time:** yes.
    /// - **Panics** if the products belong to another ring.
    pub fn to_ntt(&self, mut products: RnsProduct<T>) -> RnsNtt<T> {
        self.own(&products);
        self.each_polynomial(&mut products, |_, plan, c| {
            plan.to_ntt(plan.products_in(c));
        });
        products.meaning()
    }

    /// Runs on every polynomial modulo every prime, with the number of the prime and that of the polynomial.
    pub(super) fn each_polynomial<D>(
        &self,
        a: &mut RnsElement<T, D>,
        run: impl Fn([usize; 2], &Plan<T>, &mut [T]) + Send + Sync,
    ) {
        let count = a.len();
        each_piece(
            a.words.words_mut(),
            self.n(),
            || (),
            |(), i, a| {
                let (prime, polynomial) = (i / count, i % count);
                run([prime, polynomial], &self.channels[prime].plan, a);
            },
        );
    }

    fn pairs<D: Domain>(
        &self,
        a: &mut RnsElement<T, D>,
        b: &RnsElement<T, D>,
        run: impl Fn(&Plan<T>, &mut [T], &[T]) + Send + Sync,
    ) {
        self.own(a);
        self.own_many(b, a.len());
        let b = b.words.words();
        let (n, count) = (self.n(), a.len());
        self.each_polynomial(a, |[prime, at], plan, a| run(plan, a, &b[(prime * count + at) * n..][..n]));
    }

    fn products(
        &self,
        products: &mut RnsProduct<T>,
        operands: [&RnsNtt<T>; 2],
        run: impl Fn(&Plan<T>, &mut [T], &[T], &[T]) + Send + Sync,
    ) {
        let (n, count) = (self.n(), products.len());
        operands.iter().for_each(|operand| self.own_many(operand, count));
        let operands = operands.map(|operand| operand.words.words());
        self.each_polynomial(products, |[prime, at], plan, c| {
            let [a, b] = operands.map(|words| &words[(prime * count + at) * n..][..n]);
            run(plan, c, a, b);
        });
    }
}

impl<T: Word> Channel<T> {
    /// Multiplies residues by a twiddle; canonical.
    pub(super) fn scale(&self, a: &mut [T], scaling: &[T]) {
        let (backend, contract) = (self.backend(), &self.contract);
        each(backend, contract, Elementwise::Scale, Operands { scaling, ..Operands::of(&mut *a) });
        each(backend, contract, Elementwise::CanonicalOfReduced, Operands::of(a));
    }

    /// Subtracts words whose differences fit the word, and multiplies by a twiddle; canonical.
    pub(super) fn subtract_and_scale(&self, a: &mut [T], subtrahend: &[T], scaling: &[T]) {
        let (backend, contract) = (self.backend(), &self.contract);
        let operands = Operands { scaling, ..Operands::new([&mut *a], [subtrahend]) };
        each(backend, contract, Elementwise::SubtractAndScale, operands);
        each(backend, contract, Elementwise::CanonicalOfReduced, Operands::of(a));
    }
}
