//! Decompositions into small digits, by which a polynomial is multiplied by a key with little noise.

use super::{BaseExtension, Rns, RnsError, RnsPoly, limbs};
use crate::{exec::Buffer, word::Word};
use alloc::vec::Vec;
use core::ops::Range;

/// A decomposition of polynomials modulo `Q` into digits: for weights `g_i` that depend on the rings alone,
/// `Σ d_i·g_i = P·a` modulo `Q·P`, where the digits `d_i` are small polynomials of a ring modulo `Q·P`, and `P` is the
/// product of its primes that do not divide `Q`, or 1.
///
/// [`Rns::digits_by_primes`] makes a digit of the residues modulo each group of primes, the gadget of residue number
/// systems, [`Rns::digits_by_bits`] one of each group of bits.
///
/// Key switching multiplies the digits by keys that hide `g_i·s`, adds up, and divides by `P` ([`ModDown`]). Sources:
/// Bajard, Eynard, Hasan and Zucca, *A full RNS variant of FV like somewhat homomorphic encryption schemes* (2016), for
/// digits of single primes; Han and Ki, *Better bootstrapping for approximate homomorphic encryption* (2020), for
/// groups, and `P`; Brakerski and Vaikuntanathan, *Efficient fully homomorphic encryption from (standard) LWE* (2011),
/// for bits.
///
/// [`ModDown`]: crate::ModDown
///
/// ```
/// use ringwork_ntt::Rns;
///
/// let rns = Rns::<u32>::new(64, &[7681, 12289])?;
/// let digits = rns.digits_by_bits(&rns, 10)?;
/// assert_eq!(digits.len(), 3); // 27 bits
/// let d = digits.run(&rns.poly_of_i64(&[5 << 20 | 6 << 10 | 7; 64]));
/// assert_eq!([0, 1, 2].map(|i| d.residues(i, 0)[0]), [7, 6, 5]);
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Digits<T: Word> {
    from: Rns<T>,
    to: Rns<T>,
    kind: Kind<T>,
    weights: Vec<Vec<u64>>,
}

#[derive(Clone, Debug)]
enum Kind<T: Word> {
    /// Groups of primes, and their way into the other ring.
    Primes(Vec<(Range<usize>, BaseExtension<T>)>),
    /// So many bits.
    Bits(u32),
}

impl<T: Word> Rns<T> {
    /// Digits that are the residues modulo the product `D` of each `primes` primes in order, the last ones of which may
    /// be fewer: at most `D/2` in absolute value.
    ///
    /// - **Constant time:** no; primes are public.
    /// - **Errors** if `primes` is zero, the degrees differ, or `to` lacks one of the primes.
    pub fn digits_by_primes(&self, to: &Self, primes: usize) -> Result<Digits<T>, RnsError> {
        if primes == 0 {
            return Err(RnsError::Empty);
        }
        let count = self.channels.len();
        let groups: Vec<_> = (0..count).step_by(primes).map(|start| start..count.min(start + primes)).collect();
        let weights = groups.iter().map(|group| {
            let inside: Vec<u64> = self.channels[group.clone()].iter().map(super::Channel::prime).collect();
            self.weight(to, |p| u64::from(inside.contains(&p)))
        });
        let weights = weights.collect::<Result<_, _>>()?;
        let ways = groups.into_iter().map(|group| Ok((group.clone(), self.part(group)?.extension_to(to)?)));
        let kind = Kind::Primes(ways.collect::<Result<_, RnsError>>()?);
        Ok(Digits { from: self.clone(), to: to.clone(), kind, weights })
    }

    /// Digits of so many bits of the coefficients in `[0, Q)`, the lowest first: in `[0, 2^bits)`.
    ///
    /// - **Constant time:** no; primes are public.
    /// - **Errors** unless `bits` is at least 1 and below that of the word less 1; if the degrees differ, or `to` lacks
    ///   one of the primes.
    pub fn digits_by_bits(&self, to: &Self, bits: u32) -> Result<Digits<T>, RnsError> {
        let most = T::BITS - 2;
        if bits == 0 || bits > most {
            return Err(RnsError::Digit { bits, most });
        }
        let count = limbs::length_in_bits(self.modulus()).div_ceil(bits);
        let weight = |i| self.weight(to, |p| to.power_of_two(p, u64::from(i * bits)));
        let weights = (0..count).map(weight).collect::<Result<_, _>>()?;
        Ok(Digits { from: self.clone(), to: to.clone(), kind: Kind::Bits(bits), weights })
    }

    /// `P·g` modulo each prime of the other ring, from `g` modulo those of this one.
    fn weight(&self, to: &Self, of_prime: impl Fn(u64) -> u64) -> Result<Vec<u64>, RnsError> {
        if to.n() != self.n() {
            return Err(RnsError::Degrees { from: self.n(), to: to.n() });
        }
        let (mine, theirs): (Vec<u64>, Vec<u64>) = (self.primes().collect(), to.primes().collect());
        if let Some(&q) = mine.iter().find(|q| !theirs.contains(q)) {
            return Err(RnsError::Missing { q });
        }
        let weight = |channel: &super::Channel<T>| {
            let p = channel.contract.modulus();
            let others = theirs.iter().filter(|q| !mine.contains(q));
            others.fold(if mine.contains(&p.get()) { of_prime(p.get()) } else { 0 }, |w, q| p.mul(w, q % p.get()))
        };
        Ok(to.channels.iter().map(weight).collect())
    }

    /// `2^exponent` modulo one of the primes.
    fn power_of_two(&self, q: u64, exponent: u64) -> u64 {
        let channel = self.channels.iter().find(|channel| channel.prime() == q).expect("a prime of this ring");
        channel.contract.modulus().pow(2, exponent)
    }
}

impl<T: Word> Digits<T> {
    /// The number of digits.
    pub const fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none, which is never so.
    pub const fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The weight `g_i` modulo each prime of the ring of digits: a factor for [`Rns::scale`].
    ///
    /// **Panics** if there is no such digit.
    pub fn weight(&self, i: usize) -> &[u64] {
        &self.weights[i]
    }

    /// All digits of the first polynomial, then all of the second one, and so on: vectors for
    /// [`Rns::inner_products`].
    ///
    /// - **Order:** natural. **Constant time:** yes.
    /// - **Panics** if `a` belongs to another ring.
    #[must_use]
    pub fn run(&self, a: &RnsPoly<T>) -> RnsPoly<T> {
        let Self { from, to, kind, .. } = self;
        from.own(a);
        let (n, all, count) = (from.n(), a.all(), self.len());
        let mut out = to.zeros(a.len() * count);
        if all == 0 {
            return out;
        }
        let mut digit = Buffer::zeros(to.channels.len() * all);
        let mut put = |i: usize, digit: &[T]| {
            // The polynomials of digit `i`, modulo one prime after the other.
            let places = out.words.words_mut().chunks_exact_mut(count * n);
            places.zip(digit.chunks_exact(n)).for_each(|(place, digit)| place[i * n..][..n].copy_from_slice(digit));
        };
        match kind {
            Kind::Primes(groups) => {
                for (i, (group, way)) in groups.iter().enumerate() {
                    way.convert(digit.words_mut(), &a.words.words()[group.start * all..group.end * all], true);
                    put(i, digit.words());
                }
            }
            Kind::Bits(bits) => {
                let integers = from.integers(a, false);
                let mut words = Buffer::zeros(all);
                for i in 0..count {
                    bits_of(words.words_mut(), integers.words(), from.limbs(), i as u32 * bits, *bits);
                    to.residues_of_words(digit.words_mut(), words.words());
                    put(i, digit.words());
                }
            }
        }
        out
    }
}

/// So many bits, fewer than 63, of integers of so many limbs, from bit `start` on.
fn bits_of<T: Word>(out: &mut [T], integers: &[u64], limbs: usize, start: u32, bits: u32) {
    for (word, integer) in out.iter_mut().zip(integers.chunks_exact(limbs)) {
        *word = T::truncated(limbs::digit(integer, start as usize, bits));
    }
}
