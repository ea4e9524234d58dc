//! The plan that a command line asks for, in whichever word it fits.

use crate::{fault::Fault, identity::Identity, number, screen};
use clap::Args;
use ntt::{
    Backend, CostModel, Decision, Method, PlanError, Recipe, Request, Ring, Word,
    arith::Modulus,
    internals::{Transform, model::OpCount},
};
use papers::lazyntt;
use std::rc::Rc;

/// Arguments that decide a plan.
#[derive(Args, Debug)]
pub(crate) struct Wanted {
    /// Degree; layers halve it, so it should have many factors of two
    #[arg(value_parser = number::size, allow_negative_numbers = true)]
    pub(crate) n: usize,
    /// Modulus, such as 12289, 0x3001 or 3*2^12+1: a prime with roots of unity for transforms; for
    /// products (mul, plan) any number from 5 on; mul takes any from 2 on
    #[arg(value_parser = number::unsigned, allow_negative_numbers = true)]
    pub(crate) q: u64,
    #[command(flatten)]
    pub(crate) how: How,
}

/// What else decides a plan.
#[derive(Args, Clone, Debug)]
pub(crate) struct How {
    /// Layers: 2^DEPTH slots; best: those whose products are estimated to be the fastest [default:
    /// as many as the roots allow]
    #[arg(long, value_parser = depth, allow_negative_numbers = true)]
    depth: Option<Depth>,
    /// Layers that split residues in three, where 3 divides the degree and q - 1 often enough: 3^THIRDS
    /// times as many slots [default: as many as the roots allow, or none with --depth]
    #[arg(long, allow_negative_numbers = true)]
    thirds: Option<u32>,
    /// Modulo X^n - 1 instead of X^n + 1
    #[arg(long)]
    cyclic: bool,
    /// Modulo X^n - X^(n/2) + 1 instead
    #[arg(long, conflicts_with = "cyclic")]
    trinomial: bool,
    /// Primitive root of unity that defines the slots [default: the smallest]
    #[arg(long, value_parser = number::unsigned, allow_negative_numbers = true)]
    root: Option<u64>,
    /// Bits of a word, 16, 32 or 64 [default: for products (mul, plan) the fastest by estimate, for
    /// transforms the fewest for which there is one]
    #[arg(long, value_name = "BITS", value_parser = clap::builder::PossibleValuesParser::new(["16", "32", "64"]))]
    words: Option<String>,
    #[arg(long, value_name = "METHOD", value_parser = method, help = help_of_methods())]
    reduction: Option<Method>,
    #[arg(long, value_parser = backend, help = help_of_backends())]
    backend: Option<Backend>,
    /// Leaves the slots as large as the last layer makes them
    #[arg(long)]
    lazy: bool,
    /// What methods cost, if not the same as on every machine.
    #[arg(skip)]
    costs: Option<&'static CostModel>,
}

impl How {
    /// The same, chosen by what methods cost on some CPU.
    pub(crate) fn by_costs(&self, costs: Option<&'static CostModel>) -> Self {
        Self { costs, ..self.clone() }
    }

    /// Whether nothing was asked for.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { depth, thirds, cyclic, trinomial, root, words, reduction, backend, lazy, costs: _ } = self;
        let numbers = [thirds.is_some(), root.is_some(), words.is_some()];
        let chosen = [depth.is_some(), reduction.is_some(), backend.is_some(), *cyclic, *trinomial, *lazy];
        !numbers.into_iter().chain(chosen).any(|given| given)
    }

    /// The ring, if that is all that was asked for.
    pub(crate) fn ring_alone(&self) -> Option<Ring> {
        let rest = Self { cyclic: false, trinomial: false, ..self.clone() };
        rest.is_empty().then(|| ring(self.cyclic, self.trinomial))
    }

    /// The same to that depth, whatever was asked for.
    pub(crate) fn at_depth(&self, depth: u32) -> Self {
        Self { depth: Some(Depth::Exactly(depth)), ..self.clone() }
    }

    /// The same to that depth, unless another one was asked for.
    pub(crate) fn to_depth(&self, depth: u32) -> Self {
        Self { depth: self.depth.or(Some(Depth::Exactly(depth))), ..self.clone() }
    }
}

impl Wanted {
    /// The plan, or why there is none.
    pub(crate) fn plan(&self) -> Result<AnyTransform, Fault> {
        self.busy(|| AnyTransform::new(&self.request(), self.bits()))
    }

    /// The proof of LazyNTT in its place, which reduces one of `t` products in a row, in the words that were asked for
    /// or the narrowest that work. At the best depth it is as deep as the plan that is best.
    pub(crate) fn by_lazy_ntt(&self, t: u32) -> Result<lazyntt::Proved, Fault> {
        let how = &self.how;
        let wanted = lazyntt::Wanted {
            ring: ring(how.cyclic, how.trinomial),
            root: how.root,
            thirds: how.thirds,
            method: how.reduction,
            backend: how.backend,
            ..lazyntt::Wanted::new(self.n, self.q, t)
        };
        let prove = |bits: u32| {
            let depth = match how.depth {
                Some(Depth::Exactly(depth)) => Some(depth),
                Some(Depth::Best) => Some(wanted.usual().best_depth().recipe(bits)?.depth()),
                None => None,
            };
            lazyntt::Wanted { depth, ..wanted }.prove(bits)
        };
        let widths = WIDTHS.into_iter().filter(|&width| self.bits().is_none_or(|bits| bits == width));
        let mut refusal = None;
        for width in widths {
            match prove(width) {
                Ok(proved) => return Ok(proved),
                Err(e) => refusal = Some(e),
            }
        }
        Err(refusal.expect("a width was tried").into())
    }

    /// The plan for products, whatever is estimated to be the fastest: in all words, by transforms
    /// modulo `q` or by residue channels.
    pub(crate) fn decide(&self) -> Result<Decision, Fault> {
        let request = self.request();
        self.busy(|| self.bits().map_or_else(|| request.decide_any(), |bits| request.decide(bits)))
    }

    /// Why there is no direct plan in words of that width, if there is none.
    pub(crate) fn refusal(&self, bits: u32) -> Option<PlanError> {
        self.request().recipe(bits).err()
    }

    /// The recipes of all depths, whichever is asked for; none with a root, which belongs to one
    /// depth.
    pub(crate) fn depths(&self, bits: u32) -> Vec<Recipe> {
        let any_depth = self.request().best_depth();
        if self.how.root.is_some() { Vec::new() } else { any_depth.depths(bits).unwrap_or_default() }
    }

    fn bits(&self) -> Option<u32> {
        self.how.words.as_deref().and_then(|w| w.parse().ok())
    }

    /// Work that may take long.
    fn busy<T>(&self, work: impl FnOnce() -> Result<T, PlanError>) -> Result<T, Fault> {
        const LONG: usize = 1 << 15;
        Ok(if self.n < LONG { work() } else { screen::busy("planning", work) }?)
    }

    /// What every method makes of it, in each word.
    pub(crate) fn candidates(&self) -> Vec<(u32, Method, Result<Recipe, PlanError>)> {
        let of = |bits: u32| {
            let candidates = self.any_method().candidates(bits).unwrap_or_default();
            candidates.into_iter().map(move |(method, outcome)| (bits, method, outcome))
        };
        WIDTHS.into_iter().flat_map(of).collect()
    }

    fn request(&self) -> Request {
        let request = self.any_method();
        self.how.reduction.map_or(request, |method| request.method(method))
    }

    fn any_method(&self) -> Request {
        let how = &self.how;
        let mut request = Request::new(self.n, self.q).ring(ring(how.cyclic, how.trinomial));
        match how.depth {
            Some(Depth::Best) => request = request.best_depth(),
            Some(Depth::Exactly(depth)) => request = request.depth(depth),
            None => {}
        }
        if let Some(thirds) = how.thirds {
            request = request.thirds(thirds);
        }
        if let Some(root) = how.root {
            request = request.root(root);
        }
        if let Some(backend) = how.backend {
            request = request.backend(backend);
        }
        if let Some(costs) = how.costs {
            request = request.cost_model(costs);
        }
        if how.lazy { request.lazy() } else { request }
    }
}

/// How deep.
#[derive(Clone, Copy, Debug)]
enum Depth {
    /// That many layers.
    Exactly(u32),
    /// Whatever is fastest.
    Best,
}

fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "best" => Ok(Depth::Best),
        _ => text
            .parse()
            .map(Depth::Exactly)
            .map_err(|_| format!("{text} is no depth: that is a number of layers from 0 on, or best")),
    }
}

/// The ring that flags name.
pub(crate) const fn ring(cyclic: bool, trinomial: bool) -> Ring {
    match (cyclic, trinomial) {
        (_, true) => Ring::Trinomial,
        (true, _) => Ring::Cyclic,
        _ => Ring::Negacyclic,
    }
}

pub(crate) fn method(name: &str) -> Result<Method, String> {
    Method::by_name(name).ok_or_else(|| format!("the methods of reduction are {}", methods()))
}

fn methods() -> String {
    list(Method::ALL.map(Method::name))
}

pub(crate) fn help_of_methods() -> String {
    format!("One of {} [default: the fastest by estimate that can be proved]", methods())
}

/// The backend of that name, or which ones this machine has.
pub(crate) fn backend(name: &str) -> Result<Backend, String> {
    Backend::by_name(name).ok_or_else(|| format!("the backends of this machine are {}", backends_here()))
}

fn backends_here() -> String {
    list(Backend::available().map(Backend::name))
}

pub(crate) fn help_of_backends() -> String {
    format!("One that this machine has: {} [default: the best that the shape fits]", backends_here())
}

/// The backends that are meant to run; the arrays are models of their layouts, for tests.
pub(crate) fn machine_backends() -> impl Iterator<Item = Backend> {
    Backend::available().filter(|backend| !backend.is_array())
}

fn list(names: impl IntoIterator<Item = &'static str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Bits of a word, the narrowest first.
pub(crate) const WIDTHS: [u32; 3] = [16, 32, 64];

/// Whether that method is compiled for that backend: others run by the erased kernel, whose time
/// says nothing of the method.
pub(crate) fn is_compiled(method: Method, bits: u32, backend: Backend) -> bool {
    let native = !method.multiplies_52() || backend.multiplies_52();
    native && ntt::internals::is_compiled(method, bits, backend.lanes(bits))
}

/// What a report says of methods that are not compiled.
pub(crate) const NOT_COMPILED: &str = "This command was built with the methods that plans take, and measures no other: \
     `cargo run --release --features all-methods -- report` measures all.";

/// Every method in every word.
pub(crate) fn methods_and_widths() -> impl Iterator<Item = (Method, u32)> {
    Method::ALL.into_iter().flat_map(|method| WIDTHS.map(|bits| (method, bits)))
}

/// A transform modulo `q` itself in words of 16, 32 or 64 bits. Polynomials go in and out in
/// `[0, q)`, slots in canonical order.
#[derive(Clone, Debug)]
pub(crate) enum AnyTransform {
    /// 16 bits.
    W16(Rc<Transform<u16>>),
    /// 32 bits.
    W32(Rc<Transform<u32>>),
    /// 64 bits.
    W64(Rc<Transform<u64>>),
}

/// Evaluates an expression for the plan inside, whatever its word.
macro_rules! with {
    ($any:expr, $plan:ident => $value:expr) => {
        match $any {
            $crate::plans::AnyTransform::W16($plan) => $value,
            $crate::plans::AnyTransform::W32($plan) => $value,
            $crate::plans::AnyTransform::W64($plan) => $value,
        }
    };
}
pub(crate) use with;

impl AnyTransform {
    /// In words of that many bits, or in the narrowest that work.
    pub(crate) fn new(request: &Request, bits: Option<u32>) -> Result<Self, PlanError> {
        let mut refusal = None;
        for width in WIDTHS.into_iter().filter(|&width| bits.is_none_or(|bits| bits == width)) {
            match Self::in_words(request, width) {
                Ok(plan) => return Ok(plan),
                // Of a shape that does not fill any vectors, those of the widest words that exist
                // speak.
                Err(PlanError::Backend { lanes: 1, .. }) if matches!(refusal, Some(PlanError::Backend { .. })) => {}
                Err(e) => refusal = Some(e),
            }
        }
        Err(refusal.expect("a width was tried"))
    }

    fn in_words(request: &Request, bits: u32) -> Result<Self, PlanError> {
        request.recipe(bits).map(Self::from_recipe)
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        with!(self, plan => plan.recipe())
    }

    pub(crate) fn modulus(&self) -> Modulus {
        Modulus::new(self.recipe().q()).expect("a recipe has a prime modulus")
    }

    pub(crate) fn table_words(&self) -> usize {
        with!(self, plan => plan.table_words())
    }

    /// Vector operations of a forward transform, an inverse transform and a pointwise product.
    pub(crate) fn counts(&self) -> [OpCount; 3] {
        with!(self, plan => plan.counts())
    }

    /// What K-RED leaves on every slot of a raw forward transform.
    pub(crate) fn factor(&self) -> ntt::internals::reduction::Factor {
        with!(self, plan => plan.forward_factor())
    }

    /// Of a recipe.
    pub(crate) fn from_recipe(recipe: Recipe) -> Self {
        match recipe.bits() {
            16 => Self::W16(Rc::new(Transform::from_recipe(recipe))),
            32 => Self::W32(Rc::new(Transform::from_recipe(recipe))),
            _ => Self::W64(Rc::new(Transform::from_recipe(recipe))),
        }
    }

    pub(crate) fn product(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        with!(self, plan => multiplied(a, b, |c, a, b| plan.multiply(c, a, b)))
    }

    pub(crate) fn forward(&self, a: &[u64]) -> Vec<u64> {
        fn run<T: Word + Into<u64>>(plan: &Transform<T>, q: Modulus, a: &[u64]) -> Vec<u64> {
            let mut a_hat = words::<T>(a);
            plan.forward(&mut a_hat);
            plan.canonical(&mut a_hat);
            let stray = q.inv(plan.forward_factor().residue);
            let mut canonical = vec![0; a.len()];
            for (value, index) in residues(&a_hat).into_iter().zip(plan.canonical_order()) {
                canonical[index] = q.mul(value, stray);
            }
            canonical
        }
        with!(self, plan => run(plan, self.modulus(), a))
    }

    pub(crate) fn inverse(&self, a_hat: &[u64]) -> Vec<u64> {
        fn run<T: Word + Into<u64>>(plan: &Transform<T>, q: Modulus, a_hat: &[u64]) -> Vec<u64> {
            let stray = plan.forward_factor().residue;
            let native: Vec<u64> = plan.canonical_order().into_iter().map(|i| q.mul(a_hat[i], stray)).collect();
            let mut a = words::<T>(&native);
            plan.inverse(&mut a);
            plan.canonical(&mut a);
            residues(&a)
        }
        with!(self, plan => run(plan, self.modulus(), a_hat))
    }

    /// What a reader of its transformed values must know.
    pub(crate) fn identity(&self) -> Identity {
        Identity::of(self.recipe())
    }
}

/// The residues that its words may have.
pub(crate) fn residues_taken(r: &Recipe) -> &'static str {
    if r.method().is_unsigned() { "[0, q)" } else { "(-q, q)" }
}

/// A product as it was decided, of polynomials in `[0, q)`.
pub(crate) fn product(decision: Decision, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut c = vec![0; a.len()];
    ntt::AnyPlan::from_decision(decision).multiply(&mut c, a, b).expect("polynomials that were read as residues");
    c
}

/// What a product of words makes of polynomials in `[0, q)`.
fn multiplied<T: Word + Into<u64>>(a: &[u64], b: &[u64], multiply: impl FnOnce(&mut [T], &[T], &[T])) -> Vec<u64> {
    let mut c = vec![T::default(); a.len()];
    multiply(&mut c, &words(a), &words(b));
    residues(&c)
}

fn words<T: Word>(residues: &[u64]) -> Vec<T> {
    residues.iter().map(|&x| T::truncated(x as i64)).collect()
}

fn residues<T: Word + Into<u64>>(canonical: &[T]) -> Vec<u64> {
    canonical.iter().map(|&x| x.into()).collect()
}
