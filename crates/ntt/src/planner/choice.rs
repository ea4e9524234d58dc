//! Choices: of everything that may be tried, what is estimated to be the fastest.
//!
//! What a plan costs at least is known from its shape alone. So plans are proved in the order of
//! these bounds, and the rest is left alone as soon as no bound lies below the best estimate:
//! nothing is passed over by a rule, and few plans are proved.

use super::{
    cost::{Least, crt_cycles},
    crt::{MAX_PRIMES, Way},
    error::PlanError,
    layout::{Layers, MAX_SLOT_DEGREE, MAX_TRIED_SLOT_DEGREE},
    recipe::{CrtRecipe, Recipe},
    request::{Decision, Request},
};
use crate::{arith::Modulus, reduction::Method, ring::SlotOrder};
use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Reverse;

/// Bits of a word, the narrowest first.
const WORDS: [u32; 3] = [16, 32, 64];

/// What may be tried.
#[derive(Clone, Copy)]
enum Trial {
    Direct { request: Request, bits: u32, method: Method, modulus: Modulus, layers: Layers },
    Crt { way: Way, bits: u32, depth: u32 },
}

/// A trial, and what is known before it is proved.
#[derive(Clone, Copy)]
struct Bounded {
    trial: Trial,
    /// Lanes of its vectors.
    lanes: usize,
    /// What it costs at least.
    least: u64,
    /// Whether that follows from a count of its operations: at first it is less.
    counted: bool,
    /// Whether a deeper transform is preferred that costs as much within [`NOISE`].
    shallower: bool,
    /// What is added for large tables, in cycles.
    price: u64,
}

/// A shallower transform is taken in place of the deepest one if it saves more than one part in
/// this many.
const NOISE: u64 = 10;

/// Words of tables that have no price.
const FREE: u64 = 1 << 19;

/// Cycles for each further word of tables: it takes more than that to derive them, and they come from memory. Of
/// depths that are estimated alike those with small tables are taken.
const PRICE: u64 = 1;

impl Bounded {
    /// With what is known without a count.
    fn new(trial: Trial, lanes: usize, shallower: bool) -> Self {
        let bounded = Self { trial, lanes, least: 0, counted: false, shallower, price: 0 };
        bounded.with(Least::at_first, false)
    }

    /// With what a count says.
    fn counted(self) -> Self {
        let counted = self.with(Least::new, true);
        assert!(counted.least >= self.least, "a count finds no less");
        counted
    }

    fn with(self, least: fn(Layers, u32, usize) -> Least, counted: bool) -> Self {
        let (least, price) = match self.trial {
            Trial::Direct { request, bits, method, layers, .. } => {
                let bound = least(layers, bits, self.lanes);
                (bound.cycles(request.cost_model, method), PRICE * bound.table_words().saturating_sub(FREE))
            }
            Trial::Crt { way, bits, depth } => {
                let bound = least(way.layers(depth), bits, self.lanes);
                let channels = way.least_channels(bits) as u64;
                let of_method = |&method| bound.cycles(way.costs(), method);
                let of_channel = Method::ALL.iter().map(of_method).min().expect("methods");
                let cycles = crt_cycles(
                    of_channel * channels,
                    bits,
                    channels as usize,
                    [way.layers(depth).n, self.lanes],
                    way.folded(),
                );
                (cycles, PRICE * (channels * bound.table_words()).saturating_sub(FREE))
            }
        };
        Self { least, price, counted, ..self }
    }

    /// By what trials are compared.
    const fn rank(&self, cycles: u64) -> u64 {
        self.price + if self.shallower { cycles + cycles / NOISE } else { cycles }
    }
}

/// Why there is nothing in words of some width.
#[derive(Default)]
struct Refusals {
    direct: Option<PlanError>,
    crt: Option<PlanError>,
}

/// Keeps the first refusal, or the first by Montgomery's method, which applies wherever another one
/// does: so that what is said does not depend on which methods are compiled.
fn keep(first: &mut Option<PlanError>, refusal: PlanError) {
    let method = |refusal: &PlanError| match refusal {
        PlanError::Method { method, .. } | PlanError::Range { method, .. } => Some(*method),
        _ => None,
    };
    let better = |first: &PlanError| {
        method(&refusal) == Some(Method::Montgomery) && method(first).is_some_and(|method| method != Method::Montgomery)
    };
    if first.as_ref().is_none_or(better) {
        *first = Some(refusal);
    }
}

impl Refusals {
    fn into_one(self) -> Option<PlanError> {
        match (self.direct, self.crt) {
            // Those that speak of roots, slots and primes are no reason where residue channels need
            // none of these.
            (
                Some(PlanError::Modulus(_) | PlanError::NoRoot { .. } | PlanError::SlotDegree { .. })
                | Some(PlanError::Method { q: ..5, .. })
                | None,
                Some(refusal),
            ) => Some(refusal),
            (direct, crt) => direct.or(crt),
        }
    }
}

impl Request {
    /// Decides everything about transforms modulo `q` itself, or says why not: of the methods that
    /// are proved, the one that is estimated to be the fastest.
    ///
    /// Unless it is asked for, a method is passed over that leaves a factor on the slots, as
    /// K-RED's reductions do.
    pub fn recipe(&self, bits: u32) -> Result<Recipe, PlanError> {
        self.check(bits)?;
        self.recipe_of_any_degree(bits)
    }

    /// The same without a limit of the degree: for the rings of residue channels.
    pub(super) fn recipe_of_any_degree(&self, bits: u32) -> Result<Recipe, PlanError> {
        let (mut trials, mut refusals) = (Vec::new(), Refusals::default());
        direct(self, bits, &mut trials, &mut refusals, |layers, deepest| self.best_depth || layers == deepest);
        match best(trials, |_, refusal| keep(&mut refusals.direct, refusal)) {
            Some(Decision::Direct(recipe)) => Ok(self.rooted(recipe)),
            _ => Err(refusals.direct.unwrap_or(PlanError::NoMethod { q: self.q, bits })),
        }
    }

    /// The recipes of all depths, the deepest first, as far as slots have at most
    /// [`MAX_TRIED_SLOT_DEGREE`] coefficients. **Errors** if the deepest one has none.
    pub fn depths(&self, bits: u32) -> Result<Vec<Recipe>, PlanError> {
        let deepest = Self { best_depth: false, ..*self }.recipe(bits)?;
        let Recipe { n, ring, depth, thirds, .. } = deepest;
        let most = Layers { ring, n, depth, thirds };
        let shallower = (ring.least_depth().max(thirds.min(1))..depth).rev().map(|depth| Layers { depth, ..most });
        let tried = shallower.take_while(|layers| layers.slot_degree() <= MAX_TRIED_SLOT_DEGREE);
        let others: Vec<Recipe> =
            tried.filter_map(|layers| self.shallower(deepest.modulus(), most, layers).recipe(bits).ok()).collect();
        Ok([deepest].into_iter().chain(others).collect())
    }

    /// Decides how products are computed in words of `bits` bits, or says why they cannot be: by the fastest by
    /// estimate of transforms modulo `q` itself, of every depth, and residue channels.
    ///
    /// The deepest transform is taken unless another depth saves a tenth of it. Residue channels,
    /// and other depths, are for requests that leave depth, method and root open, with slots in
    /// native order and without a shift: others have the same slots on every machine. Of those for the
    /// [best depth](Self::best_depth), residue channels are for such as have no transform at all.
    pub fn decide(&self, bits: u32) -> Result<Decision, PlanError> {
        self.decide_in(&[bits])
    }

    /// The same for words of 16, 32 or 64 bits, whichever are estimated to be the fastest:
    /// [`Decision::bits`] says which.
    ///
    /// **Errors** with what the widest words say.
    pub fn decide_any(&self) -> Result<Decision, PlanError> {
        self.decide_in(&WORDS)
    }

    fn decide_in(&self, words: &[u32]) -> Result<Decision, PlanError> {
        words.iter().try_for_each(|&bits| self.check(bits))?;
        let open = self.method.is_none() && self.root.is_none() && self.thirds.is_none();
        // Slots that have names elsewhere are the same on every machine.
        let named = self.slot_order != SlotOrder::Native || self.is_shifted();
        let any_depth = self.depth.is_none() && (open && !named || self.best_depth);
        let mut trials = Vec::new();
        let mut refusals = WORDS.map(|_| Refusals::default());
        let of_bits = |bits: u32| WORDS.iter().position(|&word| word == bits).unwrap_or_default();
        for &bits in words {
            let refusals = &mut refusals[of_bits(bits)];
            direct(self, bits, &mut trials, refusals, |layers, deepest| any_depth || layers == deepest);
            if open && self.depth.is_none() && !self.best_depth {
                by_channels(self, bits, &mut trials, refusals);
            }
        }
        let found = best(trials, |trial, refusal| {
            let first = match trial {
                Trial::Direct { bits, .. } => &mut refusals[of_bits(bits)].direct,
                Trial::Crt { bits, .. } => &mut refusals[of_bits(bits)].crt,
            };
            keep(first, refusal);
        });
        if found.is_none() && self.best_depth {
            return Self { best_depth: false, ..*self }.decide_in(words);
        }
        let rooted = |decision| match decision {
            Decision::Direct(recipe) => Decision::Direct(self.rooted(recipe)),
            crt => crt,
        };
        found.map(rooted).ok_or_else(|| {
            let refusals = words.iter().zip(words.iter().map(|&bits| core::mem::take(&mut refusals[of_bits(bits)])));
            let of_words = refusals
                .map(|(&bits, refusals)| refusals.into_one().unwrap_or(PlanError::NoMethod { q: self.q, bits }));
            // Of a shape that does not fill any vectors, those of the widest words that exist
            // speak.
            let later = |earlier: PlanError, refusal: PlanError| match (&earlier, &refusal) {
                (PlanError::Backend { .. }, PlanError::Backend { lanes: 1, .. }) => earlier,
                _ => refusal,
            };
            of_words.reduce(later).expect("there are words")
        })
    }
}

/// Transforms modulo `q` itself, of the depths that `admits` takes, the deepest first.
fn direct(
    request: &Request,
    bits: u32,
    trials: &mut Vec<Bounded>,
    refusals: &mut Refusals,
    admits: impl Fn(Layers, Layers) -> bool,
) {
    let checked = Modulus::new(request.q).map_err(PlanError::from);
    let checked = checked.and_then(|modulus| Ok((modulus, request.checked_layers(bits)?)));
    let (modulus, deepest) = match checked {
        Ok(checked) => checked,
        Err(refusal) => {
            refusals.direct = Some(refusal);
            return;
        }
    };
    let depths = (request.ring.least_depth()..=deepest.depth).rev();
    let all = depths.flat_map(|depth| {
        let most = if depth == 0 { 0 } else { deepest.thirds };
        (0..=most).rev().map(move |thirds| Layers { depth, thirds, ..deepest })
    });
    let wanted = |layers: &Layers| request.thirds.is_none_or(|thirds| layers.thirds == thirds);
    let small = |layers: &Layers| layers.slot_degree() <= MAX_SLOT_DEGREE;
    for layers in all.filter(|layers| admits(*layers, deepest) && wanted(layers) && small(layers)) {
        let shallower = layers != deepest && !request.best_depth;
        let request = if layers == deepest { *request } else { request.shallower(modulus, deepest, layers) };
        for &method in request.methods() {
            let lanes = match request.chosen_backend(Some(method), bits, layers) {
                Ok(backend) if request.method.is_none() && !method.is_native_to(backend) => continue,
                Ok(backend) => backend.lanes(bits),
                Err(refusal) => {
                    keep(&mut refusals.direct, refusal);
                    continue;
                }
            };
            let trial = Trial::Direct { request, bits, method, modulus, layers };
            trials.push(Bounded::new(trial, lanes, shallower));
        }
    }
}

/// Residue channels in all rings and of all depths, the deepest first.
fn by_channels(request: &Request, bits: u32, trials: &mut Vec<Bounded>, refusals: &mut Refusals) {
    let ways = match Way::all(request, bits) {
        Ok(ways) => ways,
        Err(refusal) => {
            refusals.crt = Some(refusal);
            return;
        }
    };
    if request.slot_order != SlotOrder::Native || request.is_shifted() {
        refusals.crt = Some(PlanError::NoSlots { q: request.q });
        return;
    }
    let mut refused = None;
    for way in ways {
        if way.least_channels(bits) > MAX_PRIMES {
            continue;
        }
        for depth in way.depths() {
            let backend = match way.channel(depth).chosen_backend(None, bits, way.layers(depth)) {
                Ok(backend) => backend,
                Err(refusal) => {
                    refused = refused.or(Some(refusal));
                    continue;
                }
            };
            trials.push(Bounded::new(Trial::Crt { way, bits, depth }, backend.lanes(bits), false));
        }
    }
    refusals.crt = refused.or(Some(PlanError::Exact { n: request.n, q: request.q, bits }));
}

/// The first of the best that can be proved; `refused` is told why others cannot. A trial is counted
/// when its first bound is the least one of all.
fn best(trials: Vec<Bounded>, mut refused: impl FnMut(Trial, PlanError)) -> Option<Decision> {
    let key = |(i, bounded): (usize, &Bounded)| Reverse((bounded.rank(bounded.least), bounded.counted, i));
    let mut trials = trials;
    let mut queue: BinaryHeap<_> = trials.iter().enumerate().map(key).collect();
    let mut best: Option<(u64, Decision)> = None;
    while let Some(Reverse((least, counted, i))) = queue.pop() {
        if best.as_ref().is_some_and(|(rank, _)| least >= *rank) {
            break;
        }
        if !counted {
            trials[i] = trials[i].counted();
            queue.push(key((i, &trials[i])));
            continue;
        }
        match trials[i].trial.prove() {
            Ok(Some(decision)) => {
                let rank = trials[i].rank(decision.estimated_cycles());
                if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                    best = Some((rank, decision));
                }
            }
            Ok(None) => {}
            Err(refusal) => refused(trials[i].trial, refusal),
        }
    }
    best.map(|(_, decision)| decision)
}

impl Trial {
    /// What comes of it, if that is a plan that was asked for.
    fn prove(self) -> Result<Option<Decision>, PlanError> {
        match self {
            Self::Direct { request, bits, method, modulus, layers } => {
                let root = match request.root {
                    Some(_) => request.checked_root(modulus, layers)?,
                    None => modulus.some_root_of_unity(layers.order()).expect("the depth was checked"),
                };
                let recipe = request.prove(method, modulus, bits, layers, root)?;
                Ok((request.method.is_some() || !recipe.leaves_factor()).then_some(Decision::Direct(recipe)))
            }
            Self::Crt { way, bits, depth } => CrtRecipe::new(&way, bits, depth).map(|recipe| recipe.map(Decision::Crt)),
        }
    }
}
