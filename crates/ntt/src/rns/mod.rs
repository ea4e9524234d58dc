//! Rings modulo a product of primes: residue number systems.

mod automorphism;
mod bytes;
mod convert;
mod digits;
mod element;
mod error;
mod extension;
mod integers;
mod limbs;
mod mod_down;
mod verbs;

pub use automorphism::Automorphism;
pub use digits::Digits;
pub use element::{Coefficients, Domain, Products, RnsElement, RnsNtt, RnsPoly, RnsProduct, Slots};
pub use error::RnsError;
pub use extension::BaseExtension;
pub use mod_down::ModDown;

use crate::{
    arith::{Modulus, PRIME_BITS, Primes},
    exec::{SCALING, scaling_words},
    plan::{Origin, Plan},
    planner::{Decision, PlanError, Recipe, Request},
    reduction::{Contract, Method},
    ring::Ring,
    threads::each_piece,
    word::Word,
};
use alloc::{sync::Arc, vec, vec::Vec};
use core::ops::Range;
use lanes::Backend;
use limbs::{halved, length_in_bits, product_of};

/// A ring modulo `Q = p_1⋯p_k`, the product of different primes that each have a transform, in
/// words `T`.
///
/// A polynomial is `k·n` words: its `n` residues modulo the first prime, then those modulo the
/// second one, and so on. Operations on residues run once per prime: products
/// ([`multiply`](Self::multiply)), transforms, sums. [`decompose`](Self::decompose) and its
/// variants turn integers into residues, [`recompose`](Self::recompose) turns residues into
/// integers. [`BaseExtension`] computes residues modulo other primes, [`rescale`](Self::rescale)
/// divides by the last prime. With the feature `threads`, rayon's current pool distributes primes
/// and coefficients.
///
/// All of this is on slices. What homomorphic encryption needs is on elements that own their words and know what these
/// are, any number of polynomials at once: [`RnsPoly`] (coefficients) and [`RnsNtt`] (transformed). They are added,
/// multiplied, written and read by the verbs below; [`Automorphism`], [`Digits`] and [`ModDown`] are made once.
///
/// Residues are canonical, `[0, p)`, unless stated otherwise. Integers are little-endian limbs of
/// 64 bits; `recompose` writes [`limbs`](Self::limbs) of them per coefficient.
///
/// ```
/// use ringwork_ntt::{Request, Rns};
///
/// // Modulo X^1024 + 1 and a product of primes of 2^100 or more.
/// let rns = Rns::<u32>::of_bits(&Request::new(1024, 0), 100)?;
/// let (mut a, mut b) = (vec![0; rns.words()], vec![0; rns.words()]);
/// rns.decompose_i64(&mut a, &[-3; 1024]);
/// rns.decompose_i64(&mut b, &[i64::MAX; 1024]);
/// let mut c = vec![0; rns.words()];
/// rns.multiply(&mut c, &a, &b);
/// let mut integers = vec![0; 1024 * rns.limbs()];
/// rns.recompose_centred(&mut integers, &c);
/// let last = &integers[1023 * rns.limbs()..]; // -3·1024·(2^63 - 1), in two's complement
/// assert_eq!(last, [3 << 10, (-3_i64 << 9) as u64]);
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rns<T: Word> {
    channels: Vec<Channel<T>>,
    /// `Q`.
    modulus: Vec<u64>,
    /// `⌊Q/2⌋`.
    half: Vec<u64>,
    /// Primes whose product fits 64 bits, in order, with that product.
    groups: Vec<(Vec<u64>, u64)>,
    /// The transforms, by which elements are known.
    origin: Arc<[Origin]>,
}

/// The data of one prime.
#[derive(Clone, Debug)]
struct Channel<T: Word> {
    plan: Arc<Plan<T>>,
    /// The contract of Montgomery's method.
    contract: Contract,
    /// For each other prime, its inverse modulo this one, as a scaling twiddle.
    inverses: Vec<[T; SCALING]>,
    /// `⌊Q/2⌋` modulo the prime.
    half: T,
}

/// The number of primes too large for a proof, after which the search stops.
const MOST_REFUSED: usize = 24;

impl<T: Word> Channel<T> {
    /// The backend that determines the layout of twiddles.
    fn backend(&self) -> Backend {
        self.plan.backend()
    }

    fn prime(&self) -> u64 {
        self.contract.modulus().get()
    }

    /// The residue of a public number, as a word.
    fn residue(&self, limbs: &[u64]) -> T {
        T::truncated(self.residue_of(limbs) as i64)
    }

    /// The residue of a public number.
    fn residue_of(&self, limbs: &[u64]) -> u64 {
        let p = self.contract.modulus();
        limbs.iter().rev().fold(0, |r, limb| p.reduce(i128::from(r) << 64 | i128::from(*limb)))
    }

    /// A factor as a twiddle.
    fn twiddle(&self, factor: u64) -> [T; SCALING] {
        scaling_words(self.backend(), &self.contract, [factor, 0]).map(T::truncated)
    }
}

impl<T: Word> Rns<T> {
    /// The ring `X^n + 1` of degree `n` with these primes, in this order.
    ///
    /// **Constant time:** no; degree and primes are public. **Errors** as [`with`](Self::with).
    pub fn new(n: usize, primes: &[u64]) -> Result<Self, RnsError> {
        Self::with(&Request::new(n, 0), primes)
    }

    /// The ring of a request, whose modulus is ignored, with these primes, in this order. Each
    /// prime has a transform of its own, on the best backend for it.
    ///
    /// **Constant time:** no; requests are public. **Errors** if there is no prime, if one is given
    /// twice, is not below `2^(T::BITS - 2)`, or has no transform for the request.
    pub fn with(request: &Request, primes: &[u64]) -> Result<Self, RnsError> {
        let mut plans = Vec::new();
        for (i, &q) in primes.iter().enumerate() {
            if primes[..i].contains(&q) {
                return Err(RnsError::Twice { q });
            }
            if q >> (T::BITS - 2) != 0 {
                return Err(RnsError::Large { q, bits: T::BITS });
            }
            let recipe = Request { q, ..*request }.recipe(T::BITS);
            let recipe = recipe.map_err(|error| RnsError::Plan { q, error })?;
            plans.push(Arc::new(Plan::from_decision(Decision::Direct(recipe))));
        }
        if plans.is_empty() { Err(RnsError::Empty) } else { Ok(Self::of_plans(plans)) }
    }

    /// The ring of a request, whose modulus is ignored, with the fewest primes of this word that
    /// make `Q` at least `2^bits`. These are the largest primes for which the ring splits as far as
    /// its degree allows, or to the depth of the request; for 64-bit words on vectors, the largest
    /// of 50 or of 60 bits, whichever are faster.
    ///
    /// **Constant time:** no; requests are public. **Errors** if there are not enough such primes,
    /// if `bits` is zero, or if the degree has no transform.
    pub fn of_bits(request: &Request, bits: u32) -> Result<Self, RnsError> {
        let Request { n, ring, .. } = *request;
        request.check_degree().map_err(|error| RnsError::Plan { q: 0, error })?;
        let layers = ring.layers(n);
        let depth = request.depth.unwrap_or(layers).max(ring.least_depth());
        if depth > layers {
            return Err(RnsError::Plan { q: 0, error: PlanError::no_root(n, 0, ring, [depth, layers, 0], T::BITS) });
        }
        let most = if depth == 0 { 0 } else { ring.thirds(n) };
        if let Some(thirds) = request.thirds.filter(|thirds| *thirds > most) {
            return Err(RnsError::Plan { q: 0, error: PlanError::Thirds { n, q: 0, ring, thirds, most } });
        }
        let thirds = if request.depth.is_some() || depth == 0 { 0 } else { ring.thirds(n) };
        let request = request.depth(depth).thirds(request.thirds.unwrap_or(thirds));
        let order = ring.order(depth) * 3_u64.pow(request.thirds.unwrap_or(thirds));
        let most =
            request.prime_bits(T::BITS, bits.saturating_add(1)).map_err(|error| RnsError::Plan { q: 0, error })?;
        let sizes = (*PRIME_BITS.start()..=most).rev();
        let mut primes = sizes.flat_map(|size| Primes::new(order, size).rev());
        let (mut recipes, mut product, mut refused): (Vec<Recipe>, Vec<u64>, usize) = (Vec::new(), vec![1], 0);
        while length_in_bits(&product) <= bits {
            let reached = length_in_bits(&product) - 1;
            let p = primes.next().ok_or(RnsError::Primes { wanted: bits, reached })?;
            // The smallest root takes long to find, and nothing here depends on it.
            let root = p.some_root_of_unity(order).expect("p is 1 modulo the order");
            match (Request { q: p.get(), ..request }.root(root).recipe(T::BITS)) {
                Ok(recipe) => recipes.push(recipe),
                // The largest may be too large for a proof.
                Err(PlanError::Range { .. }) if refused < MOST_REFUSED => {
                    refused += 1;
                    continue;
                }
                Err(error) => return Err(RnsError::Plan { q: p.get(), error }),
            }
            product = product_of(&recipes.iter().map(Recipe::q).collect::<Vec<_>>());
        }
        let plan = |recipe| Arc::new(Plan::from_decision(Decision::Direct(recipe)));
        if recipes.is_empty() {
            Err(RnsError::Empty)
        } else {
            Ok(Self::of_plans(recipes.into_iter().map(plan).collect()))
        }
    }

    /// For plans with different primes below a quarter of the word's range, and the same ring.
    fn of_plans(plans: Vec<Arc<Plan<T>>>) -> Self {
        let primes: Vec<u64> = plans.iter().map(|plan| plan.q()).collect();
        let modulus = product_of(&primes);
        let half = halved(&modulus);
        let channel = |plan: Arc<Plan<T>>| {
            let p = Modulus::new(plan.q()).expect("a prime with a plan");
            let contract = Method::Montgomery.contract(p, T::BITS).expect("a prime that fits the word");
            let mut channel = Channel { plan, contract, inverses: Vec::new(), half: T::default() };
            channel.half = channel.residue(&half);
            let inverse = |q: &u64| if *q == p.get() { 0 } else { p.inv(q % p.get()) };
            channel.inverses = primes.iter().map(|q| channel.twiddle(inverse(q))).collect();
            channel
        };
        let mut groups: Vec<(Vec<u64>, u64)> = Vec::new();
        for p in &primes {
            match groups.last_mut().and_then(|(group, all)| Some((group, all.checked_mul(*p)?, all))) {
                Some((group, product, all)) => {
                    group.push(*p);
                    *all = product;
                }
                None => groups.push((vec![*p], *p)),
            }
        }
        let origin = plans.iter().map(|plan| plan.origin).collect();
        Self { channels: plans.into_iter().map(channel).collect(), modulus, half, groups, origin }
    }

    /// The same ring without the last prime: the ring of the output of [`rescale`](Self::rescale).
    ///
    /// **Errors** if there is only one.
    pub fn without_last(&self) -> Result<Self, RnsError> {
        self.part(0..self.channels.len() - 1)
    }

    /// The same ring modulo the product of some of the primes, with their plans. The ring of a ciphertext and that of
    /// its keys are best made together, and parted: then their elements go from one to the other
    /// ([`RnsElement::part`]).
    ///
    /// **Errors** if there are not so many primes, or none is left.
    pub fn part(&self, primes: Range<usize>) -> Result<Self, RnsError> {
        let part = RnsError::Part { end: primes.end, primes: self.channels.len() };
        let channels = self.channels.get(primes).ok_or(part)?;
        let plans: Vec<_> = channels.iter().map(|channel| channel.plan.clone()).collect();
        if plans.is_empty() { Err(RnsError::Empty) } else { Ok(Self::of_plans(plans)) }
    }

    /// The degree.
    pub fn n(&self) -> usize {
        self.channels[0].plan.n()
    }

    /// The ring.
    pub fn ring(&self) -> Ring {
        self.channels[0].plan.ring()
    }

    /// The backend of the transform of the first prime.
    pub fn backend(&self) -> Backend {
        self.channels[0].plan.backend()
    }

    /// The primes, in the order of residues.
    pub fn primes(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.channels.iter().map(Channel::prime)
    }

    /// The plan of each prime, for operations on single residues: plan `i` works on the `i`-th `n`
    /// words of a polynomial.
    pub fn plans(&self) -> impl ExactSizeIterator<Item = &Plan<T>> + '_ {
        self.channels.iter().map(|channel| &*channel.plan)
    }

    /// The number of words of a polynomial: `n` for each prime.
    pub fn words(&self) -> usize {
        self.channels.len() * self.n()
    }

    /// `Q`, the lowest limb first, the highest one not zero.
    pub fn modulus(&self) -> &[u64] {
        &self.modulus
    }

    /// The number of limbs of `Q`.
    pub fn limbs(&self) -> usize {
        self.modulus.len()
    }

    /// [`Plan::forward`] modulo each prime.
    ///
    /// - **Order:** natural in; out the order of each plan.
    /// - **Range:** in `(-p, p)`, or `[0, p)` in unsigned words; out the certificate's `slots`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have [`words`](Self::words) words.
    pub fn forward(&self, a: &mut [T]) {
        self.check(a.len());
        each_piece(a, self.n(), || (), |(), i, a| self.channels[i].plan.forward(a));
    }

    /// [`Plan::inverse`] modulo each prime.
    ///
    /// **Order**, **range**, **constant time:** as for `Plan::inverse`. **Panics** as
    /// [`forward`](Self::forward).
    pub fn inverse(&self, a: &mut [T]) {
        self.check(a.len());
        each_piece(a, self.n(), || (), |(), i, a| self.channels[i].plan.inverse(a));
    }

    /// The product of two polynomials in the ring modulo `Q`, computed modulo each prime, in `c`;
    /// the previous contents of `c` do not matter.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-p, p)`, or `[0, p)` in unsigned words; out `[0, p)`.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have [`words`](Self::words) words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        [c.len(), a.len(), b.len()].into_iter().for_each(|length| self.check(length));
        let n = self.n();
        each_piece(
            c,
            n,
            || (),
            |(), i, c| {
                let of = i * n..(i + 1) * n;
                self.channels[i].plan.multiply(c, &a[of.clone()], &b[of]);
            },
        );
    }

    fn check(&self, length: usize) {
        assert_eq!(length, self.words(), "words of a polynomial modulo {} primes", self.channels.len());
    }
}
