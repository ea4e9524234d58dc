//! Recipes: everything that is decided about a transform before any table exists, as plain data.
//!
//! [`Request`] says what is wanted; [`Request::recipe`] decides the rest: shape of passes, and the laziest schedule that
//! [`Ranges`] proves. A recipe can be printed, compared and tested without running.

use crate::{
    error::PlanError,
    model::{Place as Op, Ranges, Violation},
    modular::Modulus,
    network::{self, Pass},
    range::Range,
    reduction::{Contract, Method},
    schedule::{SlotStep, Step},
};
use alloc::{vec, vec::Vec};
use core::fmt;
use lanes::Backend;

/// The largest supported degree, so that a request cannot ask for unbounded memory.
pub const MAX_DEGREE: usize = 1 << 26;

/// Modulo which polynomial products are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ring {
    /// `X^n + 1`.
    #[default]
    Negacyclic,
    /// `X^n - 1`.
    Cyclic,
}

impl Ring {
    /// `log2` of the order of the root that `depth` layers need.
    pub const fn log_order(self, depth: u32) -> u32 {
        match self {
            Self::Negacyclic => depth + 1,
            Self::Cyclic => depth,
        }
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Negacyclic => "negacyclic",
            Self::Cyclic => "cyclic",
        })
    }
}

/// What the caller of a plan wants; everything left out is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    n: usize,
    q: u64,
    ring: Ring,
    depth: Option<u32>,
    method: Option<Method>,
    backend: Option<Backend>,
    lazy: bool,
    root: Option<u64>,
}

impl Request {
    /// A negacyclic transform of degree `n` modulo `q`, as deep as the roots allow, with reduced slots, on the best
    /// backend.
    pub const fn new(n: usize, q: u64) -> Self {
        Self { n, q, ring: Ring::Negacyclic, depth: None, method: None, backend: None, lazy: false, root: None }
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
        Self { depth: Some(depth), ..self }
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

    /// With that primitive root of unity of order `2^(depth+1)` (negacyclic) or `2^depth` (cyclic), instead of the
    /// smallest one.
    pub const fn root(self, root: u64) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Decides everything, or says why not.
    pub fn recipe(&self, bits: u32) -> Result<Recipe, PlanError> {
        let modulus = Modulus::new(self.q)?;
        let n = self.n;
        if !n.is_power_of_two() || !(2..=MAX_DEGREE).contains(&n) {
            return Err(PlanError::Degree { n });
        }
        let depth = self.checked_depth()?;
        let root = match self.root {
            Some(root) => self.checked_root(modulus, root, depth)?,
            None => modulus.root_of_unity(self.ring.log_order(depth)).expect("the depth was checked"),
        };
        let methods = self.method.map_or_else(|| Method::ALL.to_vec(), |m| vec![m]);
        let mut refusal = None;
        for method in methods {
            match self.prove(method, modulus, bits, depth, root) {
                Ok(recipe) => return Ok(recipe),
                Err(e) => refusal = refusal.or(Some(e)),
            }
        }
        Err(refusal.expect("at least one method was tried"))
    }

    /// The depth, if the roots for it exist.
    fn checked_depth(&self) -> Result<u32, PlanError> {
        let log_n = self.n.ilog2();
        let orders = crate::modular::two_adicity(self.q);
        let available = match self.ring {
            Ring::Negacyclic => orders - 1,
            Ring::Cyclic => orders,
        };
        let max = available.min(log_n);
        let depth = self.depth.unwrap_or(max);
        if depth > max {
            return Err(PlanError::no_root(self.n, self.q, self.ring, depth, max));
        }
        Ok(depth)
    }

    fn checked_root(&self, q: Modulus, root: u64, depth: u32) -> Result<u64, PlanError> {
        let log_order = self.ring.log_order(depth);
        let primitive = match log_order {
            0 => root == 1,
            _ => root < q.get() && q.pow(root, 1 << (log_order - 1)) == q.get() - 1,
        };
        let smallest = q.root_of_unity(log_order).expect("the depth was checked");
        if primitive { Ok(root) } else { Err(PlanError::Root { root, q: q.get(), order: 1 << log_order, smallest }) }
    }

    /// The recipe with that method, if its ranges can be proved.
    fn prove(&self, method: Method, modulus: Modulus, bits: u32, depth: u32, root: u64) -> Result<Recipe, PlanError> {
        let contract = method.contract(modulus, bits).ok_or(PlanError::Method { method, q: self.q, bits })?;
        let backend = self.chosen_backend(bits, depth)?;
        let lanes = backend.lanes(bits);
        let passes = passes(self.n, depth, lanes);
        let search = Search { contract, lanes, vectors: self.n / lanes, passes: &passes, depth: depth as usize };
        let refuse = |violation| PlanError::range(self.n, self.q, bits, method, violation);
        search.schedules(self.n >> depth, self.lazy).map_err(refuse).map(|proved| Recipe {
            n: self.n,
            q: self.q,
            ring: self.ring,
            depth,
            root,
            method,
            backend,
            bits,
            forward: proved.forward,
            inverse: proved.inverse,
            schedules: proved.schedules,
            certificate: proved.certificate,
        })
    }

    /// The requested backend if the shape fits it; otherwise the best that fits.
    fn chosen_backend(&self, bits: u32, depth: u32) -> Result<Backend, PlanError> {
        let degree = self.n >> depth;
        let fits = |b: &Backend| {
            let lanes = b.lanes(bits);
            lanes == 1 || (self.n >= 2 * lanes && 2 * degree <= lanes && degree <= (self.n / lanes).min(8))
        };
        match self.backend {
            Some(backend) if !fits(&backend) => {
                Err(PlanError::Backend { backend, n: self.n, degree, lanes: backend.lanes(bits) })
            }
            Some(backend) => Ok(backend),
            None => Ok(Some(Backend::best()).filter(fits).unwrap_or(Backend::Scalar)),
        }
    }
}

/// The passes of a transform of `depth` layers over vectors of `lanes`: two layers each, an odd one alone.
fn passes(n: usize, depth: u32, lanes: usize) -> Vec<Pass> {
    let split = if lanes == 1 { 0 } else { n.ilog2() - depth };
    let inner = lanes.ilog2() - split.min(lanes.ilog2());
    let outer = depth - inner;
    let mut passes = Vec::new();
    let mut first = 0;
    while first < outer {
        let levels = if (outer - first) % 2 == 1 { 1 } else { 2 };
        let stride = (n / lanes) >> (first + levels);
        passes.push(Pass::Outer { first: first as usize, levels, stride });
        first += levels;
    }
    for from in (0..inner).step_by(2) {
        passes.push(Pass::Inner { first: (outer + from) as usize, from, levels: (inner - from).min(2) });
    }
    if split > 0 {
        passes.push(Pass::Split { bits: split });
    }
    passes
}

/// What the layers and slot products of a plan reduce.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedules {
    /// Forward, one step per layer.
    pub forward: Vec<Step>,
    /// Inverse, one step per layer, indexed like `forward`.
    pub inverse: Vec<Step>,
    /// Slot products.
    pub slots: SlotStep,
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
    /// Primitive root of unity of order `2^(depth+1)` (negacyclic) or `2^depth` (cyclic).
    pub root: u64,
    /// Method of reduction.
    pub method: Method,
    /// Where it runs.
    pub backend: Backend,
    /// Bits of a word.
    pub bits: u32,
    /// The passes of the forward transform.
    pub forward: Vec<Pass>,
    /// The passes of the inverse transform, in forward order too; it runs them backwards.
    pub inverse: Vec<Pass>,
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

    /// Order of the root.
    pub const fn order(&self) -> usize {
        1 << self.ring.log_order(self.depth)
    }

    /// The method's contract.
    pub fn contract(&self) -> Contract {
        let modulus = Modulus::new(self.q).expect("a recipe has a prime modulus");
        self.method.contract(modulus, self.bits).expect("a recipe has a method that fits")
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.backend.lanes(self.bits)
    }
}

/// What the search finds.
struct Proved {
    forward: Vec<Pass>,
    inverse: Vec<Pass>,
    schedules: Schedules,
    certificate: Certificate,
}

/// The search for the laziest schedules that `Ranges` proves.
struct Search<'a> {
    contract: Contract,
    lanes: usize,
    vectors: usize,
    passes: &'a [Pass],
    depth: usize,
}

/// A proved transform: its passes, its steps, the range of each layer, and the range it gives.
type Transform = (Vec<Pass>, Vec<Step>, Vec<Range>, Range);

impl Search<'_> {
    /// Schedules for transforms and slot products with slots of that degree, and their proof.
    fn schedules(&self, degree: usize, lazy: bool) -> Result<Proved, Violation> {
        let c = self.contract.constants();
        let input = Range::symmetric(c.q - 1);
        let (forward, forward_steps, forward_ranges, slots) = self.forward(input, !lazy && self.depth > 0)?;
        let (slot_step, products) = self.slot_products(degree, slots.union(input))?;
        let normalized = self.contract.mul_range(products).ok_or(Violation {
            layer: self.depth,
            butterfly: 0,
            place: Op::Product,
            range: products,
        })?;
        let (inverse, inverse_steps, inverse_ranges, output) = self.inverse(slots.union(products).union(input))?;
        Ok(Proved {
            forward,
            inverse,
            schedules: Schedules { forward: forward_steps, inverse: inverse_steps, slots: slot_step },
            certificate: Certificate {
                word: Range::word(c.bits),
                input,
                forward: forward_ranges,
                slots,
                products,
                normalized,
                inverse: inverse_ranges,
                output,
            },
        })
    }

    /// Reductions leave a factor, so operands that meet must be reduced alike.
    fn uniform(&self) -> bool {
        self.contract.reduce_factor().residue != 1
    }

    /// As few reductions as possible, each as late as possible: run, and where a value could overflow, reduce its
    /// add-side operand just before.
    fn forward(&self, input: Range, reduced: bool) -> Result<Transform, Violation> {
        let mut passes = self.passes.to_vec();
        if reduced {
            passes.push(Pass::Reduce);
        }
        let mut steps = vec![Step::Plain; self.depth];
        loop {
            let (proof, data) = self.run(input, |k, data| network::forward(k, data, &passes, &steps));
            let Some(violation) = proof.violation else {
                return Ok((passes, steps, layers(&proof), union(&data)));
            };
            let layer = violation.layer;
            match (violation.place, *steps.get(layer).ok_or(violation)?) {
                (Op::Sum, Step::Plain) => steps[layer] = Step::Grown,
                (Op::Sum | Op::Product, Step::Plain | Step::Grown) if self.limited() => {
                    self.reduce_both(&mut steps, layer)
                }
                _ => return Err(violation),
            }
        }
    }

    /// The same from the other end: where a sum could overflow, the sums of the layer before are reduced, at first only
    /// those that were sums already; where there is none before, everything is.
    fn inverse(&self, input: Range) -> Result<Transform, Violation> {
        let mut passes = self.passes.to_vec();
        let mut steps = vec![Step::Plain; self.depth];
        loop {
            let (proof, data) = self.run(input, |k, data| network::inverse(k, data, &passes, &steps));
            let Some(violation) = proof.violation else {
                return Ok((passes, steps, layers(&proof), union(&data)));
            };
            let before = violation.layer + 1;
            match violation.place {
                Op::Product if self.limited() && steps[violation.layer] != Step::Both => {
                    self.reduce_both(&mut steps, violation.layer);
                }
                Op::Sum if before >= self.depth && passes.last() != Some(&Pass::Reduce) => passes.push(Pass::Reduce),
                Op::Sum if before < self.depth => match steps[before] {
                    Step::Plain if self.has_grown(before) => steps[before] = Step::Grown,
                    Step::Plain | Step::Grown => steps[before] = Step::Sums,
                    Step::Sums if self.limited() => self.reduce_both(&mut steps, before),
                    _ => return Err(violation),
                },
                _ => return Err(violation),
            }
        }
    }

    /// Reduces multiplicands in a layer, and in the other one of its pass, which is compiled with it.
    fn reduce_both(&self, steps: &mut [Step], layer: usize) {
        for pass in self.passes.iter().filter(|p| p.layers().contains(&layer)) {
            steps[pass.layers()].fill(Step::Both);
        }
    }

    /// Whether a layer is the second inverse layer of a pass between vectors, so that some of its operands are sums of
    /// the first and others are not.
    fn has_grown(&self, layer: usize) -> bool {
        let second = |p: &Pass| matches!(p, Pass::Outer { first, levels: 2, .. } if *first == layer);
        !self.uniform() && self.passes.iter().any(second)
    }

    /// Whether the method refuses some operands, or only reduced ones keep its products small.
    fn limited(&self) -> bool {
        matches!(self.contract.method(), Method::KRed | Method::KRed2x)
    }

    /// The first of the possible slot steps, laziest first, that is proved.
    fn slot_products(&self, degree: usize, input: Range) -> Result<(SlotStep, Range), Violation> {
        let mut found = None;
        let steps = [(false, false), (true, false), (false, true), (true, true)];
        for (operands, sums) in steps.into_iter().filter(|(_, sums)| !sums || !self.uniform()) {
            let step = SlotStep { operands, sums };
            let mut proof = Ranges::new(self.lanes, self.contract, 0);
            let (a, mut c) = (vec![input; degree], vec![input; degree]);
            network::slot_products(&mut proof, step, degree, &mut c, &a, &a);
            match proof.violation {
                None => return Ok((step, union(&c))),
                Some(v) => found = found.or(Some(Violation { layer: self.depth, ..v })),
            }
        }
        Err(found.expect("a step was tried"))
    }

    fn run(&self, input: Range, transform: impl FnOnce(&mut Ranges, &mut [Range])) -> (Ranges, Vec<Range>) {
        let mut proof = Ranges::new(self.lanes, self.contract, self.depth);
        let mut data = vec![input; self.vectors];
        transform(&mut proof, &mut data);
        (proof, data)
    }
}

fn layers(proof: &Ranges) -> Vec<Range> {
    proof.layers.iter().map(|l| l.expect("every layer was run")).collect()
}

fn union(data: &[Range]) -> Range {
    data.iter().copied().reduce(Range::union).expect("there is data")
}
