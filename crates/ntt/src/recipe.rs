//! Recipes: everything that is decided about a transform before any table exists, as plain data.
//!
//! [`Request`] says what is wanted; [`Request::recipe`] decides the rest: shape of passes, and the cheapest schedule that
//! [`Ranges`](crate::model::Ranges) proves. A recipe can be printed, compared and tested without running.

use crate::{
    cost,
    error::PlanError,
    jobs::Direction,
    model::Count,
    modular::{Modulus, Splitting},
    network::{self, INNER_VECTORS, Pass},
    range::Range,
    reduction::{Contract, Method},
    registered,
    ring::Ring,
    schedule::{Before, SlotStep, Step},
    search::Search,
};
use alloc::{vec, vec::Vec};
use lanes::Backend;

/// The largest supported degree, so that a request cannot ask for unbounded memory.
pub const MAX_DEGREE: usize = 1 << 22;

/// The largest supported degree of a slot; its product takes the square of it.
pub const MAX_SLOT_DEGREE: usize = 1 << 12;

/// The largest degree of a slot that [`Request::depths`] tries below the deepest transform.
pub const MAX_TRIED_SLOT_DEGREE: usize = 32;

/// What the caller of a plan wants; everything left out is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub(crate) n: usize,
    pub(crate) q: u64,
    pub(crate) ring: Ring,
    pub(crate) depth: Option<u32>,
    pub(crate) best_depth: bool,
    pub(crate) method: Option<Method>,
    pub(crate) backend: Option<Backend>,
    pub(crate) lazy: bool,
    pub(crate) lazy_ntt: u32,
    pub(crate) root: Option<u64>,
    pub(crate) sums: u64,
}

impl Request {
    /// A negacyclic transform of degree `n` modulo `q`, as deep as the roots allow, with reduced slots, on the best
    /// backend.
    pub const fn new(n: usize, q: u64) -> Self {
        Self {
            n,
            q,
            ring: Ring::Negacyclic,
            depth: None,
            best_depth: false,
            method: None,
            backend: None,
            lazy: false,
            lazy_ntt: 1,
            root: None,
            sums: 1,
        }
    }

    /// Modulo `X^n - 1` instead.
    pub const fn cyclic(self) -> Self {
        Self { ring: Ring::Cyclic, ..self }
    }

    /// Modulo that ring's polynomial.
    pub const fn ring(self, ring: Ring) -> Self {
        Self { ring, ..self }
    }

    /// Exactly that many layers: `2^depth` slots of degree `n / 2^depth`.
    pub const fn depth(self, depth: u32) -> Self {
        Self { depth: Some(depth), best_depth: false, ..self }
    }

    /// To the depth whose products are estimated to be the fastest, instead of the largest one: more layers make slot
    /// products cheaper.
    pub const fn best_depth(self) -> Self {
        Self { depth: None, best_depth: true, ..self }
    }

    /// With that method of reduction.
    pub const fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// On that backend.
    pub const fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// Leaves the slots as large as the last layer makes them; [`Certificate::slots`] says how large.
    pub const fn lazy(self) -> Self {
        Self { lazy: true, ..self }
    }

    /// For sums of as many products ([`Plan::slot_sums`](crate::Plan::slot_sums)): auxiliary primes must hold them.
    pub const fn sums(self, sums: u64) -> Self {
        Self { sums, ..self }
    }

    /// By LazyNTT: of `t` products in a row that a coefficient meets, one is reduced (`S^(t-1)M`; 1 is the usual transform,
    /// 2 is SM, 3 is SSM). By Montgomery's method, on the scalar backend.
    ///
    /// Source: Kim, Seo, Lee, Kim, No, *Lazy Modular Reduction for NTT* (2024), section 3.5. Whether words are wide enough
    /// is proved, not assumed from `R > q^t`, which does not suffice.
    pub const fn lazy_ntt(self, t: u32) -> Self {
        Self { lazy_ntt: t, ..self }
    }

    /// With that primitive root of unity of the order that the ring needs ([`Ring::order`]), instead of the smallest one.
    pub const fn root(self, root: u64) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Decides everything, or says why not: of the methods that are proved, the one that is estimated to be the fastest.
    ///
    /// Unless it is asked for, a method is passed over that leaves a factor on the slots, as K-RED's reductions do.
    pub fn recipe(&self, bits: u32) -> Result<Recipe, PlanError> {
        if self.best_depth {
            return Ok(self.depths(bits)?.into_iter().min_by_key(Recipe::estimated_cycles).expect("the deepest one"));
        }
        let (mut best, mut refusal) = (None, None);
        for (_, candidate) in self.candidates(bits)? {
            match candidate {
                Ok(recipe) if self.method.is_none() && recipe.leaves_factor() => {}
                Ok(recipe) => {
                    // What was asked for needs no estimate.
                    let cost = if self.method.is_some() { 0 } else { recipe.estimated_cycles() };
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, recipe));
                    }
                }
                Err(e) => refusal = refusal.or(Some(e)),
            }
        }
        match (best, refusal) {
            (Some((_, recipe)), _) => Ok(recipe),
            (None, Some(refusal)) => Err(refusal),
            (None, None) => Err(PlanError::Method { method: Method::KRed, q: self.q, bits }),
        }
    }

    /// The recipes of all depths, the deepest first, as far as slots have at most [`MAX_TRIED_SLOT_DEGREE`] coefficients.
    /// **Errors** if the deepest one has none.
    pub fn depths(&self, bits: u32) -> Result<Vec<Recipe>, PlanError> {
        let deepest = Self { best_depth: false, ..*self }.recipe(bits)?;
        let shallower = (self.ring.least_depth()..deepest.depth).rev();
        let tried = shallower.take_while(|depth| self.n >> depth <= MAX_TRIED_SLOT_DEGREE);
        let power = |root, depth| deepest.power(root, 1_u64 << (deepest.depth - depth)); // a shallower transform's root
        let of = |depth: u32| Self { root: self.root.map(|root| power(root, depth)), ..self.depth(depth) };
        let others: Vec<Recipe> = tried.filter_map(|depth| of(depth).recipe(bits).ok()).collect();
        Ok([deepest].into_iter().chain(others).collect())
    }

    /// The recipe or the refusal of every method, or of the one that was asked for. **Errors** if the request fails
    /// before any method matters.
    pub fn candidates(&self, bits: u32) -> Result<Vec<Candidate>, PlanError> {
        let modulus = Modulus::new(self.q)?;
        let ring = self.ring;
        ring.check_degree(self.n)?;
        let depth = self.checked_depth(bits)?;
        let order = ring.order(depth);
        let smallest = modulus.root_of_unity(order).expect("the depth was checked");
        let root = self.root.unwrap_or(smallest);
        if !modulus.is_primitive_root(root, order) {
            return Err(PlanError::Root { root, q: self.q, order, smallest });
        }
        let all = if self.lazy_ntt == 1 { Method::ALL.to_vec() } else { vec![Method::Montgomery] };
        let methods = self.method.map_or(all, |m| vec![m]);
        Ok(methods.into_iter().map(|method| (method, self.prove(method, modulus, bits, depth, root))).collect())
    }

    /// The depth, if the roots for it exist and slots are not too large for products.
    fn checked_depth(&self, bits: u32) -> Result<u32, PlanError> {
        let (n, q, ring) = (self.n, self.q, self.ring);
        let max = ring.layers_of_roots(q).min(ring.layers(n));
        let least = ring.least_depth();
        let depth = self.depth.unwrap_or(max.max(least));
        if depth > max || depth < least {
            return Err(PlanError::no_root(n, q, ring, depth, max, bits));
        }
        let degree = n >> depth;
        if degree > MAX_SLOT_DEGREE {
            return Err(PlanError::slot_degree(n, q, ring, degree, max, bits));
        }
        Ok(depth)
    }

    /// The recipe with that method, if its ranges can be proved.
    fn prove(&self, method: Method, modulus: Modulus, bits: u32, depth: u32, root: u64) -> Result<Recipe, PlanError> {
        let contract = method.contract(modulus, bits).ok_or(PlanError::Method { method, q: self.q, bits })?;
        let backend = self.chosen_backend(bits, depth)?;
        let lanes = backend.lanes(bits);
        if self.lazy_ntt != 1 && (method != Method::Montgomery || lanes > 1 || self.lazy_ntt == 0) {
            return Err(PlanError::LazyNtt { t: self.lazy_ntt, method, backend });
        }
        let passes = passes(self.ring, self.n, depth, lanes);
        let search = |lazy| {
            let (vectors, depth) = (self.n / lanes, depth as usize);
            Search { contract, lanes, vectors, passes: &passes, depth, lazy }.schedules(self.n >> depth, self.lazy)
        };
        let refuse = |violation| {
            // A coefficient meets fewer than 32 products.
            let smaller = (1..self.lazy_ntt.min(32)).rev().find(|&t| search(t).is_ok());
            PlanError::Range { n: self.n, q: self.q, bits, method, violation, smaller }
        };
        search(self.lazy_ntt).map_err(refuse).map(|proved| Recipe {
            n: self.n,
            q: self.q,
            ring: self.ring,
            depth,
            root,
            method,
            backend,
            bits,
            passes: passes.clone(),
            schedules: proved.schedules,
            certificate: proved.certificate,
        })
    }

    /// The requested backend if the shape fits it; otherwise the best that fits.
    fn chosen_backend(&self, bits: u32, depth: u32) -> Result<Backend, PlanError> {
        let (n, degree) = (self.n, self.n >> depth);
        let fits = |b: &Backend| *b == Backend::Scalar || fits(n, degree, b.lanes(bits));
        match self.backend {
            Some(backend) if !fits(&backend) => {
                Err(PlanError::Backend { backend, n: self.n, degree, bits, lanes: backend.lanes(bits) })
            }
            Some(backend) => Ok(backend),
            None if self.lazy_ntt != 1 => Ok(Backend::Scalar),
            None => Ok(Some(Backend::best()).filter(fits).unwrap_or(Backend::Scalar)),
        }
    }
}

/// The passes of a transform of `depth` layers over vectors of `lanes`: between vectors two layers each, an odd one and a
/// trinomial's first one alone; inside vectors all.
fn passes(ring: Ring, n: usize, depth: u32, lanes: usize) -> Vec<Pass> {
    let mut passes = Vec::new();
    let parts = odd_part(n);
    let split = if lanes == 1 { 0 } else { ((n / parts) >> depth).ilog2() };
    let inner = lanes.ilog2() - split.min(lanes.ilog2());
    let outer = depth - inner;
    let stride = |end: u32| (n / lanes) >> end;
    let mut first = 0;
    if ring == Ring::Trinomial {
        passes.push(Pass::Sixth { stride: stride(1) });
        first = 1;
    }
    while first < outer {
        let levels = if (outer - first) % 2 == 1 { 1 } else { 2 };
        passes.push(Pass::Outer { first: first as usize, levels, stride: stride(first + levels) });
        first += levels;
    }
    for from in (0..inner).step_by(2) {
        let levels = (inner - from).min(2);
        let split = split == 1 && from + levels == inner;
        passes.push(Pass::Inner { first: (outer + from) as usize, from, levels, split, parts });
    }
    if split > 1 {
        passes.push(Pass::Split { bits: split });
    }
    passes
}

/// The largest degree of slots on vectors, for a power of two `n`.
pub(crate) const MAX_SPLIT: usize = 8;

/// A third of that for `n = 3·2^k`.
pub(crate) const MAX_SPLIT_IN_THREE: usize = 2;

/// Whether a transform to slots of that degree fills vectors: what is inside a vector splits completely, or its slots'
/// coefficients move out.
fn fits(n: usize, degree: usize, lanes: usize) -> bool {
    let parts = odd_part(n);
    let (vectors, split) = (n / lanes, degree / parts);
    lanes > 1
        && 2 * split <= lanes
        && match parts {
            1 => vectors >= INNER_VECTORS && degree <= vectors.min(MAX_SPLIT),
            3 => vectors >= 2 * parts && split <= MAX_SPLIT_IN_THREE,
            _ => false,
        }
}

/// The largest odd factor.
pub(crate) const fn odd_part(n: usize) -> usize {
    n >> n.trailing_zeros()
}

/// A method with its recipe, or the reason why it has none.
pub type Candidate = (Method, Result<Recipe, PlanError>);

/// What the layers and slot products of a plan reduce.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedules {
    /// Of so many products in a row that a coefficient meets, one is reduced: LazyNTT's `t`, 1 for other transforms.
    pub lazy: u32,
    /// Forward, one step per layer.
    pub forward: Vec<Step>,
    /// Whether the forward transform reduces every slot in the end.
    pub reduce_slots: bool,
    /// Slot products.
    pub slots: SlotStep,
    /// What the inverse transform reduces first.
    pub before_inverse: Before,
    /// Inverse, one step per layer, indexed like `forward`.
    pub inverse: Vec<Step>,
}

/// The proved ranges of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What a word can hold.
    pub word: Range,
    /// What the forward transform may be given: canonical or centred residues and their negatives.
    pub input: Range,
    /// Every value computed in each forward layer.
    pub forward: Vec<Range>,
    /// What the forward transform gives.
    pub slots: Range,
    /// What slot products give.
    pub products: Range,
    /// What normalized slot products are.
    pub normalized: Range,
    /// What the layers of the inverse transform are given, after a reduction where there is one.
    pub inverse_input: Range,
    /// Every value computed in each inverse layer, indexed like `forward`; it runs from the last to the first.
    pub inverse: Vec<Range>,
    /// What the inverse transform gives.
    pub output: Range,
}

/// A decided transform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Degree.
    pub n: usize,
    /// Modulus.
    pub q: u64,
    /// Ring.
    pub ring: Ring,
    /// Layers.
    pub depth: u32,
    /// Primitive root of unity of the order that the ring needs.
    pub root: u64,
    /// Method of reduction.
    pub method: Method,
    /// Where it runs.
    pub backend: Backend,
    /// Bits of a word.
    pub bits: u32,
    /// The passes of the forward transform; the inverse runs them backwards.
    pub passes: Vec<Pass>,
    /// What is reduced where.
    pub schedules: Schedules,
    /// The proof.
    pub certificate: Certificate,
}

impl Recipe {
    /// Degree of a slot.
    pub const fn slot_degree(&self) -> usize {
        self.n >> self.depth
    }

    fn power(&self, root: u64, exponent: u64) -> u64 {
        Modulus::new(self.q).expect("a recipe has a prime modulus").pow(root, exponent)
    }

    /// Whether a reduction of the forward transform leaves a factor on the slots.
    pub fn leaves_factor(&self) -> bool {
        let schedules = &self.schedules;
        let reduces = schedules.reduce_slots || schedules.forward.iter().any(|s| *s != Step::Plain);
        reduces && self.contract().reduce_factor().residue != 1
    }

    /// How the ring splits, and which of its elements are surely invertible.
    pub fn splitting(&self) -> Splitting {
        self.ring.splitting(self.n as u64, Modulus::new(self.q).expect("a recipe has a prime modulus"))
    }

    /// Order of the root.
    pub const fn order(&self) -> usize {
        self.ring.order(self.depth) as usize
    }

    /// The method's contract.
    pub fn contract(&self) -> Contract {
        let modulus = Modulus::new(self.q).expect("a recipe has a prime modulus");
        self.method.contract(modulus, self.bits).expect("a recipe has a method that fits")
    }

    /// Vector operations of a forward transform, a slot product and its inverse transform.
    pub fn counts(&self) -> [Count; 3] {
        let (passes, schedules, lanes) = (&self.passes, &self.schedules, self.lanes());
        let mut counts = [Count::new(lanes, schedules.lazy); 3];
        let (a, mut c) = (vec![(); self.n / lanes], vec![(); self.n / lanes]);
        network::forward(&mut counts[0], &mut c, passes, &schedules.forward);
        if schedules.reduce_slots {
            network::reduce(&mut counts[0], &mut c);
        }
        network::slot_products(&mut counts[1], schedules.slots, self.slot_degree(), &mut c, &a, &a);
        if schedules.before_inverse == Before::All {
            network::reduce(&mut counts[2], &mut c);
        }
        network::inverse(&mut counts[2], &mut c, passes, &schedules.inverse);
        counts
    }

    /// The planner's estimate for a product: cycles of two forward transforms, slot products and an inverse.
    pub fn estimated_cycles(&self) -> u64 {
        cost::of_product(self)
    }

    /// Whether its transforms are compiled for this ring alone, with everything about it known.
    pub fn is_registered(&self) -> bool {
        [Direction::Forward, Direction::Inverse].iter().all(|d| registered::is_registered(self, *d))
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.backend.lanes(self.bits)
    }
}
