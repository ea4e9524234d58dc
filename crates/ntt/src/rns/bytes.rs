//! Elements as bytes, the same on every machine.

use super::{Rns, RnsElement, RnsError, element::Domain};
use crate::{plan::Plan, word::Word};
use alloc::vec::Vec;

impl<T: Word> Rns<T> {
    /// Bytes of one polynomial, transformed or not: those of its words.
    pub fn bytes(&self) -> usize {
        self.words() * size_of::<T>()
    }

    /// Writes polynomials, one after the other: for each its residues modulo the first prime, then those modulo the
    /// second one, and so on, each as a little-endian word of the width of `T`. There is no header: who reads must
    /// know the ring, and whether these are coefficients or slots.
    ///
    /// - **Order:** natural, or [canonical](Plan::canonical_order) for slots, so that bytes do not depend on the
    ///   machine; they do depend on the root of each plan, which is the smallest one unless the request has another
    ///   one, or the primes come from [`of_bits`](Self::of_bits).
    /// - **Constant time:** yes.
    /// - **Panics** if the element belongs to another ring, or unless `out` has [`bytes`](Self::bytes) for each
    ///   polynomial.
    ///
    /// ```
    /// use ringwork_ntt::{Rns, RnsNtt, RnsError};
    ///
    /// let rns = Rns::<u16>::new(64, &[7681, 257])?;
    /// let key = rns.forward_poly(rns.poly_of_i64(&[3; 64]));
    /// let mut bytes = vec![0; rns.bytes()];
    /// rns.write(&mut bytes, &key);
    /// let same: RnsNtt<u16> = rns.read(&bytes)?;
    /// assert_eq!(same.residues(0, 1), key.residues(0, 1));
    /// bytes[131] = 255;
    /// let refused = rns.read::<ringwork_ntt::Slots>(&bytes).unwrap_err();
    /// assert_eq!(refused.to_string(), "word 65 is no residue in [0, 256]");
    /// # Ok::<(), RnsError>(())
    /// ```
    pub fn write<D: Domain>(&self, out: &mut [u8], a: &RnsElement<T, D>) {
        self.own(a);
        assert_eq!(out.len(), a.len() * self.bytes(), "bytes of {} polynomials", a.len());
        let width = size_of::<T>();
        for (i, plan) in self.plans().enumerate() {
            let places = places::<T, D>(plan);
            for (polynomial, bytes) in out.chunks_exact_mut(self.bytes()).enumerate() {
                let bytes = &mut bytes[i * self.n() * width..][..self.n() * width];
                for (&place, word) in places.iter().zip(a.residues(polynomial, i)) {
                    let word: i64 = (*word).try_into().ok().expect("residues are below half of the word's range");
                    bytes[place * width..][..width].copy_from_slice(&word.to_le_bytes()[..width]);
                }
            }
        }
    }

    /// Reads what [`write`](Self::write) wrote, for the same ring, transformed or not.
    ///
    /// - **Constant time:** yes, unless it returns an error.
    /// - **Errors** unless there are the bytes of whole polynomials, and if a word is not below its prime; the error
    ///   names the first such word.
    pub fn read<D: Domain>(&self, bytes: &[u8]) -> Result<RnsElement<T, D>, RnsError> {
        let (n, of_each, width) = (self.n(), self.bytes(), size_of::<T>());
        if !bytes.len().is_multiple_of(of_each) {
            return Err(RnsError::Bytes { of_each, actual: bytes.len() });
        }
        let number = |bytes: &[u8]| {
            let mut wide = [0; 8];
            wide[..width].copy_from_slice(bytes);
            u64::from_le_bytes(wide)
        };
        let primes: Vec<u64> = self.primes().collect();
        let pieces =
            || bytes.chunks_exact(n * width).enumerate().map(|(at, piece)| (at, primes[at % primes.len()], piece));
        // Both are below 2^63 where the highest bit of the word is zero; a prime is below half of that.
        let outside = |q: u64, word: u64| (q - 1).wrapping_sub(word) | word;
        let all = pieces().fold(0, |all, (_, q, piece)| {
            piece.chunks_exact(width).fold(all, |all, word| all | outside(q, number(word)) >> 63)
        });
        if all != 0 {
            let (index, q) = pieces()
                .flat_map(|(at, q, piece)| {
                    piece.chunks_exact(width).enumerate().map(move |(i, word)| (at * n + i, q, word))
                })
                .find_map(|(index, q, word)| (number(word) >= q).then_some((index, q)))
                .expect("some word is outside");
            return Err(RnsError::Word { index, q });
        }
        let mut out = self.zeros(bytes.len() / of_each);
        let places: Vec<_> = self.plans().map(places::<T, D>).collect();
        self.each_polynomial(&mut out, |[prime, polynomial], _, to| {
            let bytes = &bytes[(polynomial * primes.len() + prime) * n * width..][..n * width];
            for (&place, word) in places[prime].iter().zip(to) {
                *word = T::truncated(number(&bytes[place * width..][..width]) as i64);
            }
        });
        Ok(out)
    }
}

/// For each word of a polynomial modulo one prime, its place among the bytes.
fn places<T: Word, D: Domain>(plan: &Plan<T>) -> Vec<usize> {
    let order = || plan.canonical_order().expect("transforms modulo the prime itself");
    if D::SLOTS { order() } else { (0..plan.n()).collect() }
}
