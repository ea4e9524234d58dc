//! Elements of a ring modulo a product of primes, as types that know what their words are.

use super::Rns;
use crate::{exec::Buffer, plan::Origin, word::Word};
use alloc::sync::Arc;
use core::{fmt, marker::PhantomData, ops::Range};

mod sealed {
    pub trait Sealed {}
}

/// What the words of an [`RnsElement`] are: [`Coefficients`] or [`Slots`].
pub trait Domain: sealed::Sealed {
    #[doc(hidden)]
    const SLOTS: bool;
}

/// Coefficients, in natural order.
#[derive(Clone, Copy, Debug)]
pub enum Coefficients {}

/// Slots of the transforms, in the order of each plan.
#[derive(Clone, Copy, Debug)]
pub enum Slots {}

/// Pointwise products, with the factor that products of each plan carry.
#[derive(Clone, Copy, Debug)]
pub enum Products {}

impl sealed::Sealed for Coefficients {}
impl sealed::Sealed for Slots {}

impl Domain for Coefficients {
    const SLOTS: bool = false;
}

impl Domain for Slots {
    const SLOTS: bool = true;
}

/// Polynomials modulo `Q`, as coefficients.
pub type RnsPoly<T> = RnsElement<T, Coefficients>;

/// Transformed polynomials modulo `Q`.
pub type RnsNtt<T> = RnsElement<T, Slots>;

/// Pointwise products of transformed polynomials: [`Rns::inverse_product`] makes coefficients of them, and
/// [`Rns::to_ntt`] transformed polynomials. Nothing else takes them but [`Rns::accumulate`].
pub type RnsProduct<T> = RnsElement<T, Products>;

/// One or several polynomials of an [`Rns`], in words `T`: coefficients ([`RnsPoly`]), transformed ([`RnsNtt`]) or
/// products ([`RnsProduct`]). They own their words, which are wiped on drop and never printed.
///
/// All residues are canonical, `[0, p)`. An element knows the transforms of its ring. What takes two elements, or an
/// element and a ring, panics unless the rings have the same degree, the same primes in the same order, and plans for
/// equal requests on the same backend.
///
/// ```
/// use ringwork_ntt::Rns;
///
/// let rns = Rns::<u32>::new(64, &[7681, 12289])?;
/// let mut a = rns.poly_of_i64(&[[1; 64], [-2; 64]].concat()); // two polynomials
/// let b = rns.poly_of_i64(&[3; 128]);
/// rns.add(&mut a, &b);
/// assert_eq!((a.residues(0, 1), a.residues(1, 0)), (&[4; 64][..], &[1; 64][..]));
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
///
/// Coefficients and transformed words do not mix:
///
/// ```compile_fail,E0308
/// # let rns = ringwork_ntt::Rns::<u32>::new(64, &[7681, 12289]).unwrap();
/// let mut a = rns.poly_of_i64(&[1; 64]);
/// let b = rns.forward_poly(a.clone());
/// rns.add(&mut a, &b);
/// ```
pub struct RnsElement<T: Word, D> {
    /// For each prime, the residues of all polynomials.
    pub(super) words: Buffer<T>,
    count: usize,
    n: usize,
    origin: Arc<[Origin]>,
    domain: PhantomData<D>,
}

impl<T: Word, D> RnsElement<T, D> {
    /// The number of polynomials.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A copy of some of the polynomials.
    ///
    /// **Panics** if there are not so many.
    #[must_use]
    pub fn select(&self, polynomials: Range<usize>) -> Self {
        let (count, all) = (polynomials.len(), self.all());
        assert!(polynomials.end <= self.count, "polynomials {polynomials:?} of {}", self.count);
        let mut out = self.like(count, self.origin.clone());
        let pieces = out.words.words_mut().chunks_exact_mut((count * self.n).max(1));
        for (i, to) in pieces.enumerate() {
            to.copy_from_slice(&self.words.words()[i * all + polynomials.start * self.n..][..to.len()]);
        }
        out
    }

    /// The polynomials of several elements, one after the other, in one element.
    ///
    /// **Panics** if there is no element, or if they belong to different rings.
    #[must_use]
    pub fn concat(elements: &[&Self]) -> Self {
        let first = elements.first().expect("at least one element");
        let count = elements.iter().map(|element| element.count).sum();
        let mut out = first.like(count, first.origin.clone());
        let pieces = out.words.words_mut().chunks_exact_mut((count * first.n).max(1));
        elements.iter().for_each(|element| check(&first.origin, &element.origin));
        for (i, mut to) in pieces.enumerate() {
            for element in elements {
                let (here, rest) = to.split_at_mut(element.all());
                here.copy_from_slice(&element.words.words()[i * element.all()..][..element.all()]);
                to = rest;
            }
        }
        out
    }

    /// The residues modulo some of the primes: an element of the ring [`Rns::part`] of that range.
    ///
    /// **Panics** if there are not so many primes, or none is left.
    #[must_use]
    pub fn part(&self, primes: Range<usize>) -> Self {
        let all = self.all();
        assert!(!primes.is_empty() && primes.end <= self.origin.len(), "primes {primes:?} of {}", self.origin.len());
        let mut out = self.like(self.count, self.origin[primes.clone()].into());
        out.words.words_mut().copy_from_slice(&self.words.words()[primes.start * all..primes.end * all]);
        out
    }

    /// Words of all polynomials modulo one prime.
    pub(super) const fn all(&self) -> usize {
        self.count * self.n
    }

    fn like(&self, count: usize, origin: Arc<[Origin]>) -> Self {
        let words = Buffer::zeros(origin.len() * count * self.n);
        Self { words, count, n: self.n, origin, domain: PhantomData }
    }

    /// The same words with another meaning.
    pub(super) fn meaning<E>(self) -> RnsElement<T, E> {
        let Self { words, count, n, origin, domain: _ } = self;
        RnsElement { words, count, n, origin, domain: PhantomData }
    }
}

impl<T: Word, D: Domain> RnsElement<T, D> {
    /// The `n` words of one polynomial modulo one prime: canonical residues, in natural order if they are coefficients,
    /// in the order of the plan if they are slots.
    ///
    /// **Panics** if there is no such polynomial, or no such prime.
    pub fn residues(&self, polynomial: usize, prime: usize) -> &[T] {
        assert!(polynomial < self.count, "polynomial {polynomial} of {}", self.count);
        assert!(prime < self.origin.len(), "prime {prime} of {}", self.origin.len());
        &self.words.words()[(prime * self.count + polynomial) * self.n..][..self.n]
    }
}

impl<T: Word> Rns<T> {
    /// So many zeros, as coefficients or as slots.
    pub fn zeros<D: Domain>(&self, count: usize) -> RnsElement<T, D> {
        self.element(count)
    }

    pub(super) fn element<D>(&self, count: usize) -> RnsElement<T, D> {
        let words = Buffer::zeros(count * self.words());
        RnsElement { words, count, n: self.n(), origin: self.origin.clone(), domain: PhantomData }
    }

    /// Panics if an element belongs to another ring.
    pub(super) fn own<D>(&self, element: &RnsElement<T, D>) {
        check(&self.origin, &element.origin);
    }

    /// Panics if an element belongs to another ring, or has another number of polynomials.
    pub(super) fn own_many<D>(&self, element: &RnsElement<T, D>, count: usize) {
        self.own(element);
        assert_eq!(element.count, count, "polynomials");
    }
}

/// Panics if elements of `maker` are given to a ring that is not the same.
fn check(ring: &Arc<[Origin]>, maker: &Arc<[Origin]>) {
    if !Arc::ptr_eq(ring, maker) {
        ring.iter().zip(&**maker).for_each(|(plan, maker)| plan.check(maker));
        assert_eq!(ring.len(), maker.len(), "primes of the ring and of what another one made");
    }
}

impl<T: Word, D> Clone for RnsElement<T, D> {
    fn clone(&self) -> Self {
        let Self { words, count, n, origin, domain } = self;
        Self { words: words.clone(), count: *count, n: *n, origin: origin.clone(), domain: *domain }
    }
}

impl<T: Word, D> fmt::Debug for RnsElement<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RnsElement({} polynomials modulo {} primes)", self.count, self.origin.len())
    }
}
