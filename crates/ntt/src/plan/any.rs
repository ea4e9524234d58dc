//! Plans that choose their word, for callers who keep residues in 64 bits.

use crate::{
    arith::Interval,
    exec::Buffer,
    input::InputError,
    plan::Plan,
    planner::{Decision, PlanError, Request},
    ring::Ring,
    word::Word,
};

/// A [`Plan`] in words of the width with the lowest estimated time, for polynomials of residues in
/// `[0, q)` that the caller keeps in 64 bits. For other operations, match on the variant.
///
/// ```
/// use ringwork_ntt::AnyPlan;
/// let plan = AnyPlan::new(256, (1 << 45) - 229)?; // no prime with roots, nor in 32 bits
/// let (a, b) = (vec![3; 256], vec![5; 256]);
/// let mut c = vec![0; 256];
/// plan.multiply(&mut c, &a, &b)?;
/// assert_eq!(c[255], 15 * 256);
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

impl AnyPlan {
    /// The negacyclic plan for degree `n` and modulus `q`.
    ///
    /// **Errors** say which condition failed and what would work.
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q))
    }

    /// The plan for a request.
    ///
    /// **Errors** as [`new`](Self::new).
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        request.decide_any().map(Self::from_decision)
    }

    /// The plan of a decision ([`Request::decide_any`]): derives its tables.
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
    pub fn n(&self) -> usize {
        with!(self, plan => plan.n())
    }

    /// Modulus.
    pub fn q(&self) -> u64 {
        with!(self, plan => plan.q())
    }

    /// Ring.
    pub fn ring(&self) -> Ring {
        with!(self, plan => plan.ring())
    }

    /// Bits of a word.
    pub const fn bits(&self) -> u32 {
        match self {
            Self::I16(_) => 16,
            Self::I32(_) | Self::U32(_) => 32,
            Self::I64(_) | Self::U64(_) => 64,
        }
    }

    /// The product of two polynomials; if it refuses them, `c` is unchanged.
    ///
    /// - **Order:** natural. **Range:** `[0, q)`, in and out.
    /// - **Constant time:** yes, unless it returns an error.
    /// - **Errors** unless `a` and `b` have `n` residues in `[0, q)` and `c` has `n` words. The
    ///   error reports the first bad index, so its timing depends on the input.
    pub fn multiply(&self, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
        with!(self, plan => multiply(plan, c, a, b))
    }
}

fn multiply<T: Word>(plan: &Plan<T>, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
    let n = plan.n();
    if c.len() != n {
        return Err(InputError::Length { expected: n, actual: c.len() });
    }
    let (a, b) = (words(plan, a)?, words(plan, b)?);
    let mut product = Buffer::zeros(n);
    plan.multiply(product.words_mut(), a.words(), b.words());
    let all = u64::MAX >> (u64::BITS - T::BITS);
    c.iter_mut().zip(T::signed(product.words())).for_each(|(c, word)| *c = Into::<i64>::into(*word) as u64 & all);
    Ok(())
}

/// Residues as words.
fn words<T: Word>(plan: &Plan<T>, residues: &[u64]) -> Result<Buffer<T>, InputError> {
    let (expected, actual, q) = (plan.n(), residues.len(), plan.q());
    if actual != expected {
        return Err(InputError::Length { expected, actual });
    }
    // All ones where a residue is q or more, else zero.
    let outside = |&x: &u64| !((i128::from(x) - i128::from(q)) >> 64) as u64;
    if residues.iter().fold(0, |all, x| all | outside(x)) != 0 {
        let index = residues.iter().position(|x| outside(x) != 0).expect("some residue is outside");
        return Err(InputError::Range { index, range: Interval::new(0, i128::from(q) - 1) });
    }
    let mut words = Buffer::zeros(actual);
    words.words_mut().iter_mut().zip(residues).for_each(|(word, &x)| *word = T::truncated(x as i64));
    Ok(words)
}
