//! Integers of any size, in the types of crates that compute with them, as coefficients modulo a product of primes.

use crate::{
    exec::Buffer,
    rns::{Rns, RnsPoly},
    word::Word,
};
use alloc::vec::Vec;

pub(super) mod sealed {
    /// What integers are as bytes, lowest first: in two's complement if their type has a sign.
    pub trait Bytes: Sized {
        const SIGNED: bool;
        fn bytes(&self) -> impl AsRef<[u8]>;
        fn of_bytes(bytes: &[u8]) -> Self;
    }
}

/// An integer of any size: `BigUint` and `BigInt` of `num-bigint`, with the feature of this name, and `UBig` and `IBig`
/// of `dashu-int`, with the feature `dashu`. No other type implements this trait.
pub trait BigInteger: sealed::Bytes {}

impl<I: sealed::Bytes> BigInteger for I {}

/// Bytes of a limb.
const LIMB: usize = 8;

/// Integers of any size as coefficients. Those of a type with a sign may be negative, and come back centred, in
/// `[-Q/2, Q/2]`; those of a type without come back in `[0, Q)`.
///
/// **Constant time:** not the conversions, whatever the residues cost: how long an integer is, and its sign, show. Nor
/// does the memory of such integers get wiped. Secrets go through [`decompose`](Self::decompose) and
/// [`recompose`](Self::recompose), as limbs.
impl<T: Word> Rns<T> {
    /// [`decompose`](Self::decompose) for integers of any size, which need not be below `Q` or alike in length. It takes
    /// memory for `n` integers of the length of the longest.
    ///
    /// - **Order:** natural. **Range:** out `[0, p)`.
    /// - **Constant time:** no.
    /// - **Panics** if `out` does not have [`words`](Self::words) words, or unless there are `n` integers.
    ///
    #[cfg_attr(feature = "num-bigint", doc = "```")]
    #[cfg_attr(not(feature = "num-bigint"), doc = "```ignore")]
    /// use num_bigint::{BigInt, BigUint};
    /// use ringwork_ntt::{Request, Rns};
    ///
    /// let rns = Rns::<u32>::of_bits(&Request::new(64, 0), 100)?;
    /// let mut residues = vec![0; rns.words()];
    /// rns.decompose_bigints(&mut residues, &vec![BigInt::from(-5).pow(31); 64]);
    /// let signed: Vec<BigInt> = rns.recompose_bigints(&residues);
    /// assert_eq!(signed[63], BigInt::from(-5).pow(31));
    /// let unsigned: Vec<BigUint> = rns.recompose_bigints(&residues);
    /// assert_eq!(unsigned[63], rns.big_modulus::<BigUint>() - BigUint::from(5_u32).pow(31));
    /// # Ok::<(), ringwork_ntt::RnsError>(())
    /// ```
    pub fn decompose_bigints<I: BigInteger>(&self, out: &mut [T], integers: &[I]) {
        assert_eq!(integers.len(), self.n(), "integers for a polynomial");
        let (limbs, _) = limbs_of(integers);
        let decompose = if I::SIGNED { Self::decompose_signed } else { Self::decompose };
        decompose(self, out, limbs.words());
    }

    /// The integers that have these residues: [`recompose_centred`](Self::recompose_centred) if their type has a sign,
    /// [`recompose`](Self::recompose) if not.
    ///
    /// - **Order:** natural. **Range:** in `(-p, p)`, or `[0, p)` in unsigned words.
    /// - **Constant time:** no.
    /// - **Panics** if `residues` does not have [`words`](Self::words) words.
    pub fn recompose_bigints<I: BigInteger>(&self, residues: &[T]) -> Vec<I> {
        let mut limbs = Buffer::zeros(self.n() * self.limbs());
        let recompose = if I::SIGNED { Self::recompose_centred } else { Self::recompose };
        recompose(self, limbs.words_mut(), residues);
        self.of_limbs(&limbs)
    }

    /// Polynomials whose coefficients are those integers, one after the other, as
    /// [`decompose_bigints`](Self::decompose_bigints) takes them.
    ///
    /// - **Order:** natural. **Constant time:** no.
    /// - **Panics** unless there is a multiple of `n` integers.
    pub fn poly_of_bigints<I: BigInteger>(&self, integers: &[I]) -> RnsPoly<T> {
        let (words, limbs) = limbs_of(integers);
        self.poly_of_integers(words.words(), limbs, I::SIGNED)
    }

    /// The coefficients of polynomials, one after the other, as [`recompose_bigints`](Self::recompose_bigints) gives
    /// them.
    ///
    /// - **Order:** natural. **Constant time:** no.
    /// - **Panics** if the polynomials belong to another ring.
    pub fn bigints<I: BigInteger>(&self, a: &RnsPoly<T>) -> Vec<I> {
        self.of_limbs(&self.integers(a, I::SIGNED))
    }

    /// `Q`.
    pub fn big_modulus<I: BigInteger>(&self) -> I {
        // One limb more has the sign.
        integer(&[self.modulus(), &[0]].concat())
    }

    fn of_limbs<I: BigInteger>(&self, limbs: &Buffer<u64>) -> Vec<I> {
        limbs.words().chunks_exact(self.limbs()).map(integer).collect()
    }
}

/// The integer of these limbs.
fn integer<I: BigInteger>(limbs: &[u64]) -> I {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    I::of_bytes(&bytes)
}

/// The limbs of integers, and how many each has.
fn limbs_of<I: BigInteger>(integers: &[I]) -> (Buffer<u64>, usize) {
    let bytes: Vec<_> = integers.iter().map(I::bytes).collect();
    let longest = bytes.iter().map(|bytes| bytes.as_ref().len()).max().unwrap_or(0);
    let limbs = longest.div_ceil(LIMB).max(1);
    let mut words = Buffer::zeros(integers.len() * limbs);
    for (words, bytes) in words.words_mut().chunks_exact_mut(limbs).zip(&bytes) {
        let bytes = bytes.as_ref();
        let negative = I::SIGNED && bytes.last().is_some_and(|highest| highest >> 7 == 1);
        words.fill(if negative { u64::MAX } else { 0 });
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(LIMB)) {
            let mut limb = word.to_le_bytes();
            limb[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(limb);
        }
    }
    (words, limbs)
}
