//! Plans whose word is chosen, for callers who keep residues in 64 bits.

use crate::{
    arith::Interval,
    exec::Buffer,
    input::InputError,
    plan::Plan,
    planner::{Decision, PlanError, Request},
    ring::Ring,
    word::SignedWord,
};

/// A [`Plan`] in words of whichever width is estimated to be the fastest, for polynomials of
/// residues in `[0, q)` that are kept in 64 bits. Whatever else a plan does, the one inside does.
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
}

/// Evaluates an expression for the plan inside, whatever its word.
macro_rules! with {
    ($any:expr, $plan:ident => $value:expr) => {
        match $any {
            AnyPlan::I16($plan) => $value,
            AnyPlan::I32($plan) => $value,
            AnyPlan::I64($plan) => $value,
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
        match decision.bits() {
            16 => Self::I16(Plan::from_decision(decision)),
            32 => Self::I32(Plan::from_decision(decision)),
            _ => Self::I64(Plan::from_decision(decision)),
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
            Self::I32(_) => 32,
            Self::I64(_) => 64,
        }
    }

    /// The product of two polynomials; `c` is left as it is if they are refused.
    ///
    /// - **Order:** natural. **Range:** `[0, q)`, in and out.
    /// - **Constant time:** yes, unless it is an error.
    /// - **Errors** unless there are `n` residues in `[0, q)`, and room for `n`; which is the first
    ///   one outside is told, and takes a time of its own.
    pub fn multiply(&self, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
        with!(self, plan => multiply(plan, c, a, b))
    }
}

fn multiply<T: SignedWord>(plan: &Plan<T>, c: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), InputError> {
    let n = plan.n();
    if c.len() != n {
        return Err(InputError::Length { expected: n, actual: c.len() });
    }
    let (a, b) = (words(plan, a)?, words(plan, b)?);
    let mut product = Buffer::zeros(n);
    plan.multiply(product.words_mut(), a.words(), b.words());
    c.iter_mut().zip(product.words()).for_each(|(c, word)| *c = (*word).into() as u64);
    Ok(())
}

/// Residues as words.
fn words<T: SignedWord>(plan: &Plan<T>, residues: &[u64]) -> Result<Buffer<T>, InputError> {
    let (expected, actual, q) = (plan.n(), residues.len(), plan.q());
    if actual != expected {
        return Err(InputError::Length { expected, actual });
    }
    // Negative where a residue is q or more; both are below 2^63 where it is not.
    let outside = |&x: &u64| !x.wrapping_sub(q) | x;
    if residues.iter().fold(0, |all, x| all | outside(x)) >> 63 != 0 {
        let index = residues.iter().position(|x| outside(x) >> 63 != 0).expect("some residue is outside");
        return Err(InputError::Range { index, range: Interval::new(0, i128::from(q) - 1) });
    }
    let mut words = Buffer::zeros(actual);
    words.words_mut().iter_mut().zip(residues).for_each(|(word, &x)| *word = T::truncated(x as i64));
    Ok(words)
}
