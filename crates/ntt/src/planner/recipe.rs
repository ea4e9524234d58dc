//! Recipes: everything that is decided about a transform before any table exists, as plain data.
//!
//! A recipe is proved when it is made and cannot be changed: its fields are read through methods,
//! and [`Recipe::with_schedules`] proves what it is given again.

use super::{cost_model::CostModel, counts, error::PlanError};
use crate::{
    arith::{Interval, Modulus, Splitting},
    model::{OpCount, Violation},
    network::{Blocks, Border, Direction, Pass, PreReduction, Program, SlotStep, Step},
    reduction::{Contract, Method},
    ring::{Ring, SlotOrder},
};
use alloc::vec::Vec;
use lanes::Backend;

/// Declares data that is read through methods: sequences as slices, anything else by value.
macro_rules! readable {
    ($(#[$note:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* }
        slices { $($(#[$slice_doc:meta])* $slice:ident: $item:ty,)* }
        $(proof { $($(#[$proof_doc:meta])* $proof:ident: $proof_type:ty,)* })?) => {
        $(#[$note])*
        pub struct $name {
            $(pub(super) $field: $type,)*
            $(pub(super) $slice: Vec<$item>,)*
            $($(pub(super) $proof: $proof_type,)*)?
        }

        impl $name {
            $($(#[$doc])* pub const fn $field(&self) -> $type { self.$field })*
            $($(#[$slice_doc])* pub fn $slice(&self) -> &[$item] { &self.$slice })*
            $($($(#[$proof_doc])* pub const fn $proof(&self) -> &$proof_type { &self.$proof })*)?
        }
    };
}
readable! {
    /// What the layers and pointwise products of a plan reduce.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    Schedules {
        /// Whether the forward transform reduces every slot in the end.
        reduce_slots: bool,
        /// Pointwise products of anything that they may be given.
        slots: SlotStep,
        /// Those of what forward transforms give, which may need less.
        transformed: SlotStep,
        /// What the inverse transform reduces first.
        before_inverse: PreReduction,
    }
    slices {
        /// Forward, one step per layer.
        forward: Step,
        /// Inverse, one step per layer, indexed like `forward`.
        inverse: Step,
    }
}

impl Schedules {
    /// Steps of the layers of one direction.
    pub fn steps(&self, direction: Direction) -> &[Step] {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Inverse => &self.inverse,
        }
    }

    /// The same with another step in that layer.
    ///
    /// **Panics** if there is no such layer.
    pub fn with_step(mut self, direction: Direction, layer: usize, step: Step) -> Self {
        let steps = match direction {
            Direction::Forward => &mut self.forward,
            Direction::Inverse => &mut self.inverse,
        };
        steps[layer] = step;
        self
    }
}

readable! {
    /// The proved ranges of a plan.
    #[derive(Clone, Debug, PartialEq, Eq)]
    Certificate {
        /// What a word can hold.
        word: Interval,
        /// What the forward transform may be given: canonical or centred residues and their
        /// negatives.
        input: Interval,
        /// What the forward transform gives.
        slots: Interval,
        /// What pointwise products give.
        products: Interval,
        /// What products are after [`Plan::to_ntt`](crate::Plan::to_ntt).
        normalized: Interval,
        /// What the layers of the inverse transform are given, after a reduction where there is
        /// one.
        inverse_input: Interval,
        /// What the inverse transform gives.
        output: Interval,
    }
    slices {
        /// Every value computed in each forward layer.
        forward: Interval,
        /// Every value computed in each inverse layer, indexed like `forward`; it runs from the
        /// last to the first.
        inverse: Interval,
    }
}

readable! {
    /// A decided and proved transform.
    #[derive(Clone, Debug, PartialEq, Eq)]
    Recipe {
        /// Degree.
        n: usize,
        /// Polynomials side by side, word by word: 1, or whole vectors of them, whose passes are all between vectors.
        width: usize,
        /// Modulus.
        q: u64,
        /// Ring.
        ring: Ring,
        /// The order of transformed polynomials.
        slot_order: SlotOrder,
        /// Layers that split residues in two.
        depth: u32,
        /// Layers that split residues in three.
        thirds: u32,
        /// Primitive root of unity of the order that the ring needs.
        root: u64,
        /// The number in whose multiples of roots of unity slots are values: 1, unless it was
        /// [requested](crate::Request::shift).
        shift: u64,
        /// Method of reduction.
        method: Method,
        /// The method's contract.
        contract: Contract,
        /// Where it runs.
        backend: Backend,
        /// Bits of a word.
        bits: u32,
        /// The costs by which it was chosen.
        cost_model: &'static CostModel,
    }
    slices {
        /// The passes of the forward transform; the inverse runs them backwards.
        passes: Pass,
        /// Where passes go on block by block, the largest blocks first; none for transforms that fit a cache.
        blocks: Blocks,
    }
    proof {
        /// What is reduced where.
        schedules: Schedules,
        /// The proof.
        certificate: Certificate,
    }
}

impl Recipe {
    /// The program of that direction between such borders.
    pub(crate) fn program(&self, direction: Direction, border: Border) -> Program<'_> {
        Program { passes: &self.passes, blocks: &self.blocks, steps: self.schedules.steps(direction), border }
    }

    /// The error of a value that could leave the word.
    pub(crate) fn refusal(&self, violation: Violation) -> PlanError {
        let Self { n, q, bits, method, .. } = *self;
        PlanError::Range { n, q, bits, method, violation }
    }

    /// The modulus.
    pub(crate) const fn modulus(&self) -> Modulus {
        self.contract.modulus()
    }

    /// All layers: those in two and those in three.
    pub const fn layers(&self) -> u32 {
        self.depth + self.thirds
    }

    /// Parts into which that layer of the forward transform splits residues, 2 or 3. Other backends may
    /// have their layers in another order.
    pub fn radix(&self, layer: usize) -> usize {
        self.passes.iter().find(|pass| pass.layers().contains(&layer)).map_or(2, Pass::radix)
    }

    /// The parts into which that layer splits the residue modulo `X^pd - root^exponent`, each modulo `X^d` minus the
    /// root to one of these powers; the first of a [`Ring::Trinomial`] splits the polynomial itself, whatever the
    /// exponent. The first of these powers is the twiddle by which the layer multiplies.
    pub fn parts(&self, layer: usize, exponent: usize) -> impl Iterator<Item = usize> + use<> {
        let (radix, order) = (self.radix(layer), self.order());
        let is_sixth = self.ring == Ring::Trinomial && layer == 0;
        let (first, step) = if is_sixth { (order / 6, order / 3 * 2) } else { (exponent / radix, order / radix) };
        (0..radix).map(move |i| first + i * step)
    }

    /// Number of slots.
    pub const fn slots(&self) -> usize {
        3_usize.pow(self.thirds) << self.depth
    }

    /// Degree of a slot.
    pub const fn slot_degree(&self) -> usize {
        let degree = self.n >> self.depth;
        if self.thirds == 0 { degree } else { degree / 3_usize.pow(self.thirds) } // divisions take long
    }

    /// Whether a reduction of the forward transform leaves a factor on the slots.
    pub fn leaves_factor(&self) -> bool {
        let schedules = &self.schedules;
        let reduces = schedules.reduce_slots || schedules.forward.iter().any(|s| *s != Step::Plain);
        reduces && self.contract().reduce_factor().residue != 1
    }

    /// How the ring splits, and which of its elements are guaranteed invertible.
    pub fn splitting(&self) -> Splitting {
        self.ring.splitting(self.n as u64, self.modulus())
    }

    /// Order of the root.
    pub const fn order(&self) -> usize {
        self.ring.order(self.depth) as usize * 3_usize.pow(self.thirds)
    }

    /// Vector operations of a forward transform, a pointwise product and its inverse transform.
    pub fn counts(&self) -> [OpCount; 3] {
        let (schedules, lanes, vectors) = (&self.schedules, self.lanes(), self.vectors());
        let transform =
            |direction| counts::of_transform(direction, &self.passes, schedules.steps(direction), lanes, vectors);
        let [mut forward, mut inverse] = [Direction::Forward, Direction::Inverse].map(transform);
        if schedules.reduce_slots {
            counts::add_reduction(&mut forward, vectors);
        }
        if schedules.before_inverse == PreReduction::All {
            counts::add_reduction(&mut inverse, vectors);
        }
        [forward, counts::of_products(schedules.transformed, self.slot_degree(), lanes, vectors), inverse]
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> usize {
        self.backend.lanes(self.bits)
    }

    /// Words of what is transformed.
    pub(crate) const fn words(&self) -> usize {
        self.n * self.width
    }

    /// Vectors of what is transformed.
    pub(crate) fn vectors(&self) -> usize {
        self.words() / self.lanes()
    }
}

readable! {
    /// A decided product by residue channels.
    #[derive(Clone, Debug, PartialEq, Eq)]
    CrtRecipe {
        /// Degree.
        n: usize,
        /// Modulus, any number.
        q: u64,
        /// Ring.
        ring: Ring,
        /// Bits of a word.
        bits: u32,
        /// Products that can be added up before they are reduced modulo `q`.
        sums: u64,
    }
    slices {
        /// The transforms, all of one degree, ring and depth, each modulo a prime of its own.
        channels: Recipe,
    }
}

impl CrtRecipe {
    /// The same with other transforms, whatever follows: for tests that show that none can be left
    /// out.
    #[cfg(feature = "internals")]
    pub fn with_unproved_channels(&self, channels: Vec<Recipe>) -> Self {
        Self { channels, ..self.clone() }
    }

    /// The degree of the transforms.
    pub fn length(&self) -> usize {
        self.channels[0].n()
    }

    /// Whether the transforms are of a larger cyclic ring, and their residues are folded.
    pub fn folds(&self) -> bool {
        self.length() != self.n
    }
}
