//! Plans that choose their word, for callers who keep words in 64 bits.
//!
//! Functions are marked inline so that plans in five words are compiled for those who use this type, and not with
//! the engine.

use super::single::Plan;
use crate::{
    planner::{Certificate, CrtRecipe, Decision, PlanError, Recipe, Request},
    ring::{Ring, SlotOrder},
};
use alloc::vec::Vec;
use lanes::Backend;

/// A [`Plan`] in words of the width with the lowest estimated time, with all its verbs, for callers who keep words in
/// 64 bits: programs in other languages, and those that learn the modulus at run time.
///
/// Coefficients are residues in `[0, q)`, and so are transformed words, unless the plan uses residue channels: their
/// words are opaque, only their width is checked, and words that no verb of the plan gave make wrong results. Every
/// verb checks lengths and words; an error leaves all slices unchanged. Words are copied into words of the plan and
/// back; a caller for whom that takes too long matches on the variant. There is no `canonical` and no `centre`, since
/// words are canonical.
///
/// ```
/// use ringwork_ntt::{AnyPlan, Request};
/// // No prime with roots, and too large for 32 bits; two products will be added up.
/// let plan = AnyPlan::with(&Request::new(256, (1 << 45) - 229).sums(2))?;
/// let (a, b) = (vec![3; 256], vec![5; 256]);
/// let mut c = vec![0; 256];
/// plan.multiply(&mut c, &a, &b)?;
/// assert_eq!(c[255], 15 * 256);
///
/// let transformed = |polynomial: &[u64]| {
///     let mut words = vec![0; plan.ntt_len()];
///     words[..256].copy_from_slice(polynomial);
///     plan.forward(&mut words).map(|()| words)
/// };
/// let (a_hat, b_hat) = (transformed(&a)?, transformed(&b)?);
/// let mut sum = plan.pointwise(&a_hat, &b_hat)?;
/// plan.accumulate(&mut sum, &a_hat, &b_hat)?;
/// assert_eq!(plan.inverse_product(&sum).words()[255], 2 * 15 * 256);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnyPlan {
    /// In words of 16 bits.
    I16(Plan<i16>),
    /// In words of 32 bits.
    I32(Plan<i32>),
    /// In words of 64 bits.
    I64(Plan<i64>),
    /// In unsigned words of 32 bits, which residues fill.
    U32(Plan<u32>),
    /// In unsigned words of 64 bits, which residues fill.
    U64(Plan<u64>),
}

/// Evaluates an expression for the plan inside, whatever its word.
macro_rules! with {
    ($any:expr, $plan:ident => $value:expr) => {
        match $any {
            AnyPlan::I16($plan) => $value,
            AnyPlan::I32($plan) => $value,
            AnyPlan::I64($plan) => $value,
            AnyPlan::U32($plan) => $value,
            AnyPlan::U64($plan) => $value,
        }
    };
}

mod verbs;
mod words;

/// Plans and what is known of them.
impl AnyPlan {
    /// The negacyclic plan for degree `n` and modulus `q`.
    ///
    /// **Errors** say which condition failed and what would work.
    #[inline]
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    ///
    /// **Errors** as [`new`](Self::new).
    #[inline]
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        request.decide_any().map(Self::from_decision)
    }

    /// The plan of a decision ([`Request::decide_any`]): derives its tables.
    #[inline]
    pub fn from_decision(decision: Decision) -> Self {
        let unsigned = matches!(&decision, Decision::Direct(recipe) if recipe.method().is_unsigned());
        match (decision.bits(), unsigned) {
            (16, _) => Self::I16(Plan::from_decision(decision)),
            (32, false) => Self::I32(Plan::from_decision(decision)),
            (32, true) => Self::U32(Plan::from_decision(decision)),
            (_, false) => Self::I64(Plan::from_decision(decision)),
            (_, true) => Self::U64(Plan::from_decision(decision)),
        }
    }

    /// Degree.
    #[inline]
    pub fn n(&self) -> usize {
        with!(self, plan => plan.n())
    }

    /// Modulus.
    #[inline]
    pub fn q(&self) -> u64 {
        with!(self, plan => plan.q())
    }

    /// Ring.
    #[inline]
    pub fn ring(&self) -> Ring {
        with!(self, plan => plan.ring())
    }

    /// Bits of a word of the plan.
    #[inline]
    pub const fn bits(&self) -> u32 {
        match self {
            Self::I16(_) => 16,
            Self::I32(_) | Self::U32(_) => 32,
            Self::I64(_) | Self::U64(_) => 64,
        }
    }

    /// The vector instructions on which it runs.
    #[inline]
    pub fn backend(&self) -> Backend {
        with!(self, plan => plan.backend())
    }

    /// See [`Plan::ntt_len`].
    #[inline]
    pub const fn ntt_len(&self) -> usize {
        with!(self, plan => plan.ntt_len())
    }

    /// See [`Plan::table_words`]; words of the plan.
    #[inline]
    pub fn table_words(&self) -> usize {
        with!(self, plan => plan.table_words())
    }

    /// See [`Plan::slot_order`].
    #[inline]
    pub fn slot_order(&self) -> SlotOrder {
        with!(self, plan => plan.slot_order())
    }

    /// See [`Plan::recipe`].
    #[inline]
    pub fn recipe(&self) -> Option<&Recipe> {
        with!(self, plan => plan.recipe())
    }

    /// See [`Plan::certificate`]: ranges inside the plan, whose words may be negative.
    #[inline]
    pub fn certificate(&self) -> Option<&Certificate> {
        with!(self, plan => plan.certificate())
    }

    /// See [`Plan::crt_recipe`].
    #[inline]
    pub fn crt_recipe(&self) -> Option<&CrtRecipe> {
        with!(self, plan => plan.crt_recipe())
    }

    /// See [`Plan::fingerprint`]: of the plan inside, whatever the word that callers have.
    #[inline]
    pub fn fingerprint(&self) -> u64 {
        with!(self, plan => plan.fingerprint())
    }

    /// See [`Plan::slot`].
    ///
    /// **Panics** if `position` is not below `n`.
    #[inline]
    pub fn slot(&self, position: usize) -> Option<(usize, usize)> {
        with!(self, plan => plan.slot(position))
    }

    /// See [`Plan::canonical_order`].
    #[inline]
    pub fn canonical_order(&self) -> Option<Vec<usize>> {
        with!(self, plan => plan.canonical_order())
    }
}
