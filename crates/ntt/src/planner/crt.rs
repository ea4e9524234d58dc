//! Products modulo any `q`: exact products of integers, by residue channels.
//!
//! Operands are centred, `|a_i| ≤ ⌊q/2⌋`, so a coefficient of the product is a sum of `n` products (`3n/2` in the
//! trinomial ring) and bounded. Residues modulo primes whose product `P` exceeds twice that bound determine the
//! coefficient: Garner's digits ([`network::garner`]) reconstruct it, for which only the products `p_1⋯p_i mod q`
//! matter. Nothing here needs roots modulo `q`, or a prime or odd `q`.
//!
//! Source: Garner, *The residue number system* (1959); for lattices Chung, Hwang, Kannwischer,
//! Seiler, Shih, Yang, *NTT multiplication for NTT-unfriendly rings* (2021).
//!
//! A degree that is neither `2^k` nor `3·2^k`, or does not fill vectors, uses a cyclic ring of such a degree, at least
//! `2n - 1`, in which nothing wraps; then the residues are folded.

use super::{
    cost_model::CostModel,
    error::PlanError,
    layout::{Layers, MAX_SLOT_DEGREE, odd_part},
    recipe::{CrtRecipe, Recipe},
    request::Request,
};
pub(super) use crate::network::MAX_PRIMES;
use crate::{
    arith::{Interval, Modulus, PRIME_BITS, Primes},
    model::{Interpreter, Ranges},
    network::{self, Fold, Folding},
    reduction::{Contract, Method},
    ring::Ring,
};
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

/// A way to compute a product modulo any `q` by residue channels, without word and depth.
#[derive(Clone, Copy)]
pub(super) struct Way {
    request: Request,
    /// The degree of the channels' ring.
    length: usize,
    ring: Ring,
}

impl Way {
    /// The ring itself, if its degree is `2^k` or `3·2^k`, and cyclic rings of the next such degrees in which nothing
    /// wraps: longer ones may fill vectors that shorter ones do not.
    ///
    /// **Errors** if no reduction modulo `q` fits words of `bits` bits.
    pub(super) fn all(request: &Request, bits: u32) -> Result<impl Iterator<Item = Self>, PlanError> {
        let (n, q, request) = (request.n, request.q, *request);
        Contract::of_any(q, bits).ok_or(PlanError::Exact { n, q, bits })?;
        let way = move |length, ring| Self { request, length, ring };
        let longer = core::iter::successors(Some(at_least(2 * n - 1)), |length| Some(at_least(length + 1)));
        let itself = matches!(odd_part(n), 1 | 3).then(|| way(n, request.ring));
        Ok(itself.into_iter().chain(longer.take(3).map(move |length| way(length, Ring::Cyclic))))
    }

    /// Depths of the channels, the deepest first.
    pub(super) fn depths(&self) -> impl Iterator<Item = u32> {
        let length = self.length;
        let depths = (self.ring.least_depth()..=self.ring.layers(length)).rev();
        depths.take_while(move |depth| length >> depth <= MAX_SLOT_DEGREE)
    }

    /// The request for a channel, apart from its prime and root. Both operands and sums of them
    /// stay within what a plan with lazy slots proves.
    pub(super) fn channel(&self, depth: u32) -> Request {
        Request { n: self.length, ring: self.ring, ..self.request }.depth(depth).lazy()
    }

    /// The layers of a channel.
    pub(super) fn layers(&self, depth: u32) -> Layers {
        Layers { ring: self.ring, n: self.length, depth, thirds: 0 }
    }

    /// The cost model for its computations.
    pub(super) const fn costs(&self) -> &CostModel {
        self.request.cost_model
    }

    /// The number of words of a residue that is folded.
    pub(super) fn folded(&self) -> usize {
        if self.length == self.request.n { 0 } else { self.request.n }
    }

    /// Twice the bound on coefficients of the product of integers.
    fn bound(&self) -> Vec<u64> {
        let Request { n, q, ring, sums, .. } = self.request;
        let terms = if ring == Ring::Trinomial { 3 * n as u64 / 2 } else { n as u64 };
        product([2 * terms, sums, q / 2, q / 2])
    }

    /// A lower bound on the number of primes of words of `bits` bits.
    pub(super) fn least_channels(&self, bits: u32) -> usize {
        let bound = self.bound();
        let highest = bound.last().map_or(0, |digit| u64::BITS - digit.leading_zeros());
        (64 * (bound.len() - 1) as u32 + highest).div_ceil(bits - 2) as usize
    }
}

impl CrtRecipe {
    /// Transforms of that depth modulo the largest primes for words of that width, as many as the product needs; `None`
    /// if there are not enough. **Errors** if there are no such transforms for a reason other than the primes.
    pub(super) fn new(way: &Way, bits: u32, depth: u32) -> Result<Option<Self>, PlanError> {
        let Request { n, q, ring, sums, .. } = way.request;
        let recipe = channels(way, bits, depth)?.map(|channels| Self { n, q, ring, bits, sums, channels });
        Ok(recipe.filter(Self::fits))
    }

    /// The folding of the larger ring's residues.
    pub(crate) const fn fold(&self) -> Fold {
        match self.ring {
            Ring::Negacyclic => Fold::Negacyclic,
            Ring::Cyclic => Fold::Cyclic,
            Ring::Trinomial => Fold::Trinomial,
        }
    }

    /// The contracts of folding and reconstruction: that of `q`, and those of the primes.
    pub(crate) fn contracts(&self) -> (Contract, Vec<Contract>) {
        let of = |q| Contract::of_any(q, self.bits).expect("a modulus that was planned");
        (of(self.q), self.channels.iter().map(|channel| of(channel.q())).collect())
    }

    /// Whether every value between the transforms and the result fits a word: runs the same code on intervals.
    fn fits(&self) -> bool {
        let (q, primes) = self.contracts();
        let mut of_q = Ranges::new(1, q, 0);
        let mut of_primes: Vec<Ranges> = primes.iter().map(|prime| of_q.beside(*prime)).collect();
        let mut residues: Vec<Interval> = self.channels.iter().map(|c| c.certificate().output()).collect();
        for (residue, proof) in residues.iter_mut().zip(&mut of_primes) {
            if self.folds() {
                let (mut low, mut high) = ([*residue; 4], [*residue; 3]);
                proof
                    .run(Folding { how: self.fold() }, [&mut low, &mut high], [])
                    .expect("more words below than above");
                *residue = low.into_iter().reduce(Interval::union).expect("four words");
            }
        }
        let mut values = of_q.values(&residues);
        let mut interpreters: Vec<Interpreter> = of_primes.iter_mut().map(|proof| Interpreter(proof)).collect();
        network::garner(&mut Interpreter(&mut of_q), &mut interpreters, 1, &mut values)
            .expect("a residue for each prime");
        of_q.violation.is_none() && of_primes.iter().all(|proof| proof.violation.is_none())
    }
}

/// The smallest `2^k` or `3·2^k` that is at least `length`.
const fn at_least(length: usize) -> usize {
    let power = length.next_power_of_two();
    if length <= power / 4 * 3 { power / 4 * 3 } else { power }
}

impl Request {
    /// Bits of the largest primes of channels for a product of `needed` bits.
    ///
    /// On vectors of 64-bit words the methods are for primes of 50 bits, and for larger primes that leave room for
    /// sums; the number of primes determines which are faster.
    pub(crate) fn prime_bits(&self, bits: u32, needed: u32) -> Result<u32, PlanError> {
        let (depth, thirds) = (self.depth.unwrap_or_default(), self.thirds.unwrap_or_default());
        let backend = self.chosen_backend(None, bits, Layers { ring: self.ring, n: self.n, depth, thirds })?;
        match self.method {
            Some(method) if method.prime_bits().is_some() => return Ok(method.prime_bits().unwrap_or(bits - 2)),
            _ if bits < 64 || backend.lanes(bits) == 1 => return Ok(bits - 2),
            _ => {}
        }
        let lanes = backend.lanes(bits);
        let product = |method| u64::from(self.cost_model.weights(method, bits, lanes)[0]);
        let cost = |method, size| product(method) * u64::from(needed.div_ceil(size));
        Ok(if cost(Method::Double, 50) <= cost(Method::Truncated, 60) { 50 } else { 60 })
    }
}

fn channels(way: &Way, bits: u32, depth: u32) -> Result<Option<Vec<Recipe>>, PlanError> {
    let (bound, order) = (way.bound(), way.ring.order(depth));
    let channel = way.channel(depth);
    let lanes = channel.chosen_backend(None, bits, way.layers(depth))?.lanes(bits);
    let needed = 64 * bound.len() as u32 - bound.last().map_or(0, |digit| digit.leading_zeros());
    let sizes = (*PRIME_BITS.start()..=channel.prime_bits(bits, needed)?).rev();
    let mut primes = sizes.flat_map(|size| Primes::new(order, size).rev());
    let largest: Vec<Modulus> = primes.by_ref().take(MAX_PRIMES).collect();
    if compare(&product(largest.iter().map(|p| p.get())), &bound) != Ordering::Greater {
        return Ok(None); // no primes would do
    }
    let mut channels: Vec<Recipe> = Vec::new();
    // The largest primes are the likeliest to be refused.
    for p in largest.into_iter().chain(primes).take(4 * MAX_PRIMES) {
        let root = p.some_root_of_unity(order).expect("p is 1 modulo the order");
        match (Request { q: p.get(), ..way.channel(depth) }.root(root).recipe_of_any_degree(bits)) {
            Ok(recipe) if recipe.lanes() == lanes => channels.push(recipe),
            Ok(_) => continue, // residues of all channels lie side by side
            Err(PlanError::Range { .. }) => continue,
            Err(e) => return Err(e),
        }
        if compare(&product(channels.iter().map(Recipe::q)), &bound) == Ordering::Greater {
            return Ok(Some(channels));
        }
        if channels.len() == MAX_PRIMES {
            break;
        }
    }
    Ok(None)
}

/// A product of integers, lowest digit of 64 bits first.
fn product(factors: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut digits = vec![1_u64];
    for factor in factors {
        let mut carry = 0_u128;
        for digit in &mut digits {
            carry += u128::from(*digit) * u128::from(factor);
            *digit = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            digits.push(carry as u64);
        }
    }
    digits
}

/// Compares two such products without leading zeros.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}
