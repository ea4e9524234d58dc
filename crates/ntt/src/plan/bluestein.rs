//! Transforms of any length, by Bluestein's algorithm.

use super::{evaluate::residue, linear::Linear, product::Prepared};
use crate::{
    arith::{Modulus, Multiplier, nearest_prime},
    exec::{Plain, Spare},
    planner::{PlanError, Request},
    transform::check_length,
    word::Word,
};
use alloc::vec::Vec;
use core::{fmt, iter::successors};

/// Cyclic transforms of any length `n` that divides `q - 1`: the values of polynomials at `shift·root^i`, where the root
/// has order `n`, and back.
///
/// A [`Plan`](crate::Plan) whose layers are halves and thirds has slots of a larger degree where `n` has other factors.
/// Here the exponent of the root in `Σ a_i·root^(i·k)` is split by `i·k = C(i+k, 2) - C(i, 2) - C(k, 2)`: what remains is
/// one product by a polynomial that is transformed in advance, so two transforms of at least `2n - 1` words. Where a plan
/// has slots of degree one, it takes a quarter of that or less. Take [`Request::shift`] for cosets; the odd powers of a root of
/// order `2n`, negacyclic transforms, are that of this root.
///
/// Source: Bluestein, *A linear filtering approach to the computation of discrete Fourier transform* (1970); binomial
/// coefficients in place of squares, which would need a root of order `2n`: Bostan and Schost, *Polynomial evaluation and
/// interpolation on special sets of points* (2005).
///
/// ```
/// use ringwork_ntt::Bluestein;
///
/// let transform = Bluestein::<i32>::new(7, 29)?;
/// let mut a = [1, 2, 3, 4, 5, 6, 7];
/// transform.forward(&mut a);
/// assert_eq!(a[0], 28); // the value at 1
/// transform.inverse(&mut a);
/// assert_eq!(a, [1, 2, 3, 4, 5, 6, 7]);
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone)]
pub struct Bluestein<T: Word> {
    /// Coefficients `n - 1` to `2n - 2` of products by `chirp`.
    product: Linear<T>,
    /// `root^C(j, 2)` for `j` from 0.
    chirp: Prepared<T>,
    /// Factors of coefficients before a forward transform.
    first: Vec<Multiplier>,
    /// `root^-C(k, 2)`.
    middle: Vec<Multiplier>,
    /// Factors of coefficients after an inverse one.
    last: Vec<Multiplier>,
    modulus: Modulus,
    root: u64,
    shift: u64,
    spare: Spare<T>,
}

impl<T: Word> Bluestein<T> {
    /// Transforms of length `n` modulo the prime `q`, by the smallest root of that order, on the best backend of this
    /// machine.
    ///
    /// - **Constant time:** no; `n` and `q` are public.
    /// - **Errors** if `q` is no odd prime, or has no root of order `n`, and as [`Linear::new`].
    pub fn new(n: usize, q: u64) -> Result<Self, PlanError> {
        Self::with(&Request::new(n, q).cyclic())
    }

    /// The same for a request, of which root, shift, method and backend count besides length and modulus: there are no
    /// layers, and slots have canonical order.
    ///
    /// **Constant time**, **errors:** as [`new`](Self::new); also if the root does not have order `n`, and if the shift
    /// is 0 or not below `q`.
    pub fn with(request: &Request) -> Result<Self, PlanError> {
        let Request { n, q, root, shift, method, backend, cost_model, .. } = *request;
        let of_values = Request { shift, method, backend, cost_model, ..Request::new(n, q).cyclic() };
        of_values.check(T::BITS)?;
        let modulus = Modulus::new(q)?;
        let order = n as u64;
        if !(q - 1).is_multiple_of(order) {
            return Err(PlanError::Order { n, q, prime: nearest_prime(q, order, 1 << (T::BITS - 2)) });
        }
        let product = Linear::planned(of_values, [n, 2 * n - 1], n - 1..2 * n - 1)?;
        let smallest = || modulus.root_of_unity(order).expect("the order divides q - 1");
        let root = match root {
            None => smallest(),
            Some(root) if modulus.is_primitive_root(root, order) => root,
            Some(root) => return Err(PlanError::Root { root, q, order, smallest: smallest() }),
        };
        let words: Vec<T> = chirps(modulus, root, 2 * n - 1).map(|power| T::truncated(power as i64)).collect();
        let [back, shift_back, scale] = [root, shift, order].map(|x| modulus.inv(x));
        let middle: Vec<u64> = chirps(modulus, back, n).collect();
        let powers = |x: u64| successors(Some(1), move |power| Some(modulus.mul(*power, x))).take(n);
        let times = |factors: &mut dyn Iterator<Item = u64>| {
            factors.zip(&middle).map(|(x, y)| Multiplier::new(modulus, modulus.mul(x, *y))).collect()
        };
        // The inverse transform is the forward one of slots as coefficients, all but the first one backwards.
        let last = powers(shift_back).map(|x| modulus.mul(x, scale)).collect::<Vec<_>>();
        Ok(Self {
            chirp: product.prepare(&words),
            first: times(&mut powers(shift)),
            last: times(&mut (0..n).map(|i| last[(n - i) % n])),
            middle: times(&mut powers(1)),
            product,
            modulus,
            root,
            shift,
            spare: Spare::default(),
        })
    }

    /// The length.
    pub const fn n(&self) -> usize {
        self.middle.len()
    }

    /// Modulus.
    pub const fn q(&self) -> u64 {
        self.modulus.get()
    }

    /// The root of unity.
    pub const fn root(&self) -> u64 {
        self.root
    }

    /// The first point.
    pub const fn shift(&self) -> u64 {
        self.shift
    }

    /// The values at `shift·root^i` for `i` from 0, in place of the coefficients.
    ///
    /// - **Order:** natural in, canonical out.
    /// - **Range:** in `(-q, q)`, or `[0, q)` in unsigned words; out `[0, q)`. Words out of range are not detected and
    ///   give a wrong result.
    /// - **Constant time:** no promise; take it for public polynomials.
    /// - **Panics** if `a` does not have `n` words.
    pub fn forward(&self, a: &mut [T]) {
        self.run(a, &self.first, &self.middle);
    }

    /// The coefficients of the polynomial with these values.
    ///
    /// **Order:** canonical in, natural out. **Range**, **constant time**, **panics:** as [`forward`](Self::forward).
    pub fn inverse(&self, a: &mut [T]) {
        self.run(a, &self.middle, &self.last);
        a[1..].reverse();
    }

    fn run(&self, a: &mut [T], before: &[Multiplier], after: &[Multiplier]) {
        let n = self.n();
        check_length(n, a.len());
        self.scale(a, before);
        let mut memory = self.spare.take(n);
        let backwards = memory.words_mut();
        backwards.iter_mut().zip(a.iter().rev()).for_each(|(to, from)| *to = *from);
        self.product.multiply_prepared(a, backwards, &self.chirp);
        self.spare.give(memory);
        self.scale(a, after);
    }

    fn scale(&self, a: &mut [T], factors: &[Multiplier]) {
        for (x, factor) in T::signed_mut(a).iter_mut().zip(factors) {
            *x = T::Signed::truncated(factor.times(residue::<T>(self.modulus, (*x).into())) as i64);
        }
    }
}

/// `root^C(j, 2)` for `j` from 0.
fn chirps(modulus: Modulus, root: u64, count: usize) -> impl Iterator<Item = u64> {
    let by = Multiplier::new(modulus, root);
    successors(Some((1, 1)), move |&(chirp, power)| Some((modulus.mul(chirp, power), by.times(power))))
        .map(|(chirp, _)| chirp)
        .take(count)
}

impl<T: Word> fmt::Debug for Bluestein<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { modulus, root, shift, product, .. } = self;
        write!(f, "Bluestein(n = {}, q = {modulus}, root {root}, shift {shift}, {product:?})", self.n())
    }
}
