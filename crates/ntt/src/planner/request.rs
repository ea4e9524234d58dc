//! Requests: what is wanted, and how it becomes a decision.

use super::{
    cost_model::{CostModel, DEFAULT},
    error::PlanError,
    layout::{Layers, MAX_DEGREE, MAX_SLOT_DEGREE, fits},
    recipe::{CrtRecipe, Recipe},
    shape::Shape,
};
use crate::{
    arith::Modulus,
    kernels::is_compiled,
    reduction::Method,
    ring::{Ring, SlotOrder},
};
use alloc::vec::Vec;
use lanes::Backend;

/// What the caller wants from a plan; everything left out is chosen by the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    pub(crate) n: usize,
    pub(crate) q: u64,
    pub(crate) ring: Ring,
    pub(crate) slot_order: SlotOrder,
    pub(crate) depth: Option<u32>,
    pub(crate) thirds: Option<u32>,
    pub(crate) best_depth: bool,
    pub(crate) method: Option<Method>,
    pub(crate) backend: Option<Backend>,
    pub(crate) lazy: bool,
    pub(crate) root: Option<u64>,
    pub(crate) shift: u64,
    pub(crate) sums: u64,
    pub(crate) blocks: Option<[usize; 2]>,
    pub(crate) cost_model: &'static CostModel,
}

impl Request {
    /// A negacyclic transform of degree `n` modulo `q`, with reduced slots, on the best backend. It
    /// is as deep as the roots allow, unless products are estimated to be faster otherwise
    /// ([`decide`](Self::decide)).
    pub const fn new(n: usize, q: u64) -> Self {
        Self {
            n,
            q,
            ring: Ring::Negacyclic,
            slot_order: SlotOrder::Native,
            depth: None,
            thirds: None,
            best_depth: false,
            method: None,
            backend: None,
            lazy: false,
            root: None,
            shift: 1,
            sums: 1,
            blocks: None,
            cost_model: &DEFAULT,
        }
    }

    /// Uses the ring modulo `X^n - 1` instead.
    pub const fn cyclic(self) -> Self {
        Self { ring: Ring::Cyclic, ..self }
    }

    /// Uses that ring.
    pub const fn ring(self, ring: Ring) -> Self {
        Self { ring, ..self }
    }

    /// Keeps transformed polynomials in that order. In any other than [`Native`](SlotOrder::Native) the
    /// transform is as deep as the roots allow, unless a depth is requested: slots are the same on every
    /// machine. Residue channels, which have no slots in the ring, have native order alone.
    pub const fn slot_order(self, slot_order: SlotOrder) -> Self {
        Self { slot_order, ..self }
    }

    /// Requires exactly that many layers: `2^depth` slots of degree `n / 2^depth`, unless
    /// [layers in thirds](Self::thirds) are requested as well.
    pub const fn depth(self, depth: u32) -> Self {
        Self { depth: Some(depth), best_depth: false, ..self }
    }

    /// Requires exactly that many layers that split residues in three, where the degree is a
    /// multiple of `3^thirds` and the modulus has the roots; they come after a layer that splits in
    /// two. If neither `thirds` nor `depth` is requested, there are as many as make products fast.
    pub const fn thirds(self, thirds: u32) -> Self {
        Self { thirds: Some(thirds), ..self }
    }

    /// Uses the depth with the lowest estimated time of a product. Without this, the largest depth
    /// is used unless another one saves a tenth. More layers make slot products cheaper; but modulo
    /// primes of 30 bits, for example, products of slots of degree 8 are summed and reduced once,
    /// which is faster than three more layers.
    pub const fn best_depth(self) -> Self {
        Self { depth: None, best_depth: true, ..self }
    }

    /// Uses that method of reduction.
    pub const fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// Uses that backend.
    pub const fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// Leaves the slots as large as the last layer makes them;
    /// [`Certificate::slots`](crate::Certificate::slots) says how large.
    pub const fn lazy(self) -> Self {
        Self { lazy: true, ..self }
    }

    /// Allows sums of up to that many products
    /// ([`Plan::inner_products`](crate::Plan::inner_products)), which residue channels must be able
    /// to hold. 0 counts as 1.
    pub const fn sums(self, sums: u64) -> Self {
        Self { sums: if sums == 0 { 1 } else { sums }, ..self }
    }

    /// Uses blocks of at most `words[0]` words, and within these blocks of at most `words[1]`,
    /// whatever caches there are: for tests.
    #[cfg(feature = "internals")]
    pub const fn blocks(self, words: [usize; 2]) -> Self {
        Self { blocks: Some(words), ..self }
    }

    /// Chooses by the measured costs of a CPU, instead of by [costs](CostModel::DEFAULT) that are
    /// the same on every machine. Requests with equal models are equal, and so are their recipes.
    pub const fn cost_model(self, cost_model: &'static CostModel) -> Self {
        Self { cost_model, ..self }
    }

    /// Uses that primitive root of unity, of the order that the ring needs ([`Ring::order`]),
    /// instead of the smallest one.
    pub const fn root(self, root: u64) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Evaluates on a coset: slots are modulo `X^d - shift^d·root^e` in place of `X^d - root^e`, which for slots of
    /// degree 1 is the value at `shift·root^e`. Products are modulo `X^n - shift^n` in a cyclic ring, and modulo
    /// `X^n + shift^n` in a negacyclic one. It costs nothing: the tables have the powers of the shift.
    ///
    /// Other rings have no shift, and neither have residue channels: a plan is [refused](PlanError::Shift) if `shift`
    /// is 0 or not below the modulus, or the ring is the trinomial one, and where the modulus has no transform.
    ///
    /// ```
    /// use ringwork_ntt::{Plan, Request, SlotOrder};
    ///
    /// let request = Request::new(4, 17).cyclic().depth(2).slot_order(SlotOrder::Canonical);
    /// let plan = Plan::<i32>::with(&request.root(4).shift(3))?;
    /// let mut a = [5, 1, 0, 2]; // 5 + X + 2X³
    /// plan.forward(&mut a);
    /// plan.canonical(&mut a);
    /// let value = |x: i32| (5 + x + 2 * x * x * x) % 17;
    /// assert_eq!(a, [3, 3 * 4, 3 * 16, 3 * 13].map(|x| value(x % 17)));
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub const fn shift(self, shift: u64) -> Self {
        Self { shift, ..self }
    }

    /// The same request with those layers, and with the root that belongs to them.
    pub(super) fn shallower(&self, modulus: Modulus, deepest: Layers, to: Layers) -> Self {
        let power = |root| modulus.pow(root, deepest.order() / to.order());
        Self { root: self.root.map(power), ..self.depth(to.depth).thirds(to.thirds) }
    }

    /// The recipe or the refusal of every method, or of the requested one. **Errors** if the
    /// request fails before any method matters.
    pub fn candidates(&self, bits: u32) -> Result<Vec<Candidate>, PlanError> {
        self.check(bits)?;
        let modulus = Modulus::new(self.q)?;
        let layers = self.checked_layers(bits)?;
        let root = self.checked_root(modulus, layers)?;
        Ok(self.methods().iter().map(|&method| (method, self.prove(method, modulus, bits, layers, root))).collect())
    }

    /// The methods that may be tried.
    pub(super) fn methods(&self) -> &[Method] {
        match &self.method {
            Some(method) => core::slice::from_ref(method),
            None => &Method::ALL,
        }
    }

    /// **Errors** if the degree or the shift is refused, or there are no words of `bits` bits.
    pub(crate) const fn check(&self, bits: u32) -> Result<(), PlanError> {
        match bits {
            16 | 32 | 64 if self.is_shifted() && !self.has_such_shift() => {
                Err(PlanError::Shift { shift: self.shift, q: self.q, ring: self.ring })
            }
            16 | 32 | 64 => self.check_degree(),
            _ => Err(PlanError::Words { bits }),
        }
    }

    /// Whether a shift was requested.
    pub(crate) const fn is_shifted(&self) -> bool {
        self.shift != 1
    }

    /// Whether the ring can have that shift.
    const fn has_such_shift(&self) -> bool {
        self.shift > 0 && self.shift < self.q && !matches!(self.ring, Ring::Trinomial)
    }

    /// The requested root, or the smallest one.
    pub(super) fn checked_root(&self, modulus: Modulus, layers: Layers) -> Result<u64, PlanError> {
        let order = layers.order();
        let smallest = || smallest_root(modulus, order);
        match self.root {
            None => Ok(smallest()),
            Some(root) if modulus.is_primitive_root(root, order) => Ok(root),
            Some(root) => Err(PlanError::Root { root, q: self.q, order, smallest: smallest() }),
        }
    }

    /// The recipe with the smallest root, if none was requested. Finding this root takes long, so
    /// it is done last: nothing that is proved depends on it.
    pub(super) fn rooted(&self, recipe: Recipe) -> Recipe {
        match self.root {
            None => Recipe { root: smallest_root(recipe.modulus(), recipe.order() as u64), ..recipe },
            Some(_) => recipe,
        }
    }

    /// **Errors** if there is no such ring of that degree, or it is too large to be planned.
    pub const fn check_degree(&self) -> Result<(), PlanError> {
        let Self { n, ring, .. } = *self;
        let odd = matches!(ring, Ring::Trinomial) && !n.is_multiple_of(2);
        if n < 1 || n > MAX_DEGREE || odd { Err(PlanError::Degree { n, ring }) } else { Ok(()) }
    }

    /// The layers, if the roots for them exist and slots are not too large for products. If neither
    /// depth nor thirds are requested, there are as many as possible.
    pub(super) fn checked_layers(&self, bits: u32) -> Result<Layers, PlanError> {
        let (n, q, ring) = (self.n, self.q, self.ring);
        let max = ring.layers_of_roots(q).min(ring.layers(n));
        let least = ring.least_depth();
        let depth = self.depth.unwrap_or(max.max(least));
        let most = if depth == 0 { 0 } else { ring.thirds_of_roots(q).min(ring.thirds(n)) };
        let thirds = self.thirds.unwrap_or(if self.depth.is_some() { 0 } else { most });
        if depth > max || depth < least {
            let thirds = thirds.min(ring.thirds_of_roots(q)).min(ring.thirds(n));
            return Err(PlanError::no_root(n, q, ring, [depth, max, thirds], bits));
        }
        if thirds > most {
            return Err(PlanError::Thirds { n, q, ring, thirds, most });
        }
        let layers = Layers { ring, n, depth, thirds };
        let degree = layers.slot_degree();
        if degree > MAX_SLOT_DEGREE {
            return Err(PlanError::slot_degree(n, q, ring, degree, max, bits));
        }
        Ok(layers)
    }

    /// The recipe with that method, if its ranges can be proved.
    pub(super) fn prove(
        &self,
        method: Method,
        modulus: Modulus,
        bits: u32,
        layers: Layers,
        root: u64,
    ) -> Result<Recipe, PlanError> {
        let contract = method.contract(modulus, bits).ok_or(PlanError::Method { method, q: self.q, bits })?;
        let backend = self.chosen_backend(Some(method), bits, layers)?;
        let Self { n, q, slot_order, shift, blocks, cost_model, .. } = *self;
        let shape = Shape { layers, width: 1, q, slot_order, root, shift, contract, backend, blocks, cost_model };
        shape.prove(self.lazy).map_err(|violation| PlanError::Range { n, q, bits, method, violation })
    }

    /// The requested backend if the shape fits it; otherwise the best that fits and for which that
    /// method is compiled, or any method; if there is none, the best that fits.
    pub(super) fn chosen_backend(
        &self,
        method: Option<Method>,
        bits: u32,
        layers: Layers,
    ) -> Result<Backend, PlanError> {
        let compiled = |b: &Backend| method.is_none_or(|method| is_compiled(method, bits, b.lanes(bits)));
        let fits = |b: &Backend| *b == Backend::Scalar || fits(layers, b.lanes(bits));
        match self.backend {
            Some(backend) if !fits(&backend) => {
                let (n, degree) = (self.n, layers.slot_degree());
                Err(PlanError::Backend { backend, n, degree, bits, lanes: backend.lanes(bits) })
            }
            Some(backend) => Ok(backend),
            None => {
                let mut fitting = Backend::machines().filter(fits);
                Ok(fitting.clone().find(compiled).or(fitting.next()).unwrap_or(Backend::Scalar))
            }
        }
    }
}

fn smallest_root(modulus: Modulus, order: u64) -> u64 {
    modulus.root_of_unity(order).expect("the depth was checked")
}

/// A method with its recipe, or the reason why it has none.
pub type Candidate = (Method, Result<Recipe, PlanError>);

/// A decision about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)]
pub enum Decision {
    /// Transforms modulo `q` itself.
    Direct(Recipe),
    /// Residue channels: transforms modulo several primes, from which the product modulo `q` is
    /// computed.
    Crt(CrtRecipe),
}

impl Decision {
    /// Bits of a word.
    pub const fn bits(&self) -> u32 {
        match self {
            Self::Direct(recipe) => recipe.bits(),
            Self::Crt(recipe) => recipe.bits(),
        }
    }

    /// The planner's estimate for a product, in cycles.
    pub fn estimated_cycles(&self) -> u64 {
        match self {
            Self::Direct(recipe) => recipe.estimated_cycles(),
            Self::Crt(recipe) => recipe.estimated_cycles(),
        }
    }
}
