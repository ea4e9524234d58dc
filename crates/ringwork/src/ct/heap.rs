//! Secrets in heap blocks of their own.

use super::{same, wipe};
use alloc::{boxed::Box, vec};
use core::{
    fmt,
    ops::{Deref, DerefMut},
};
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::ZeroizeOnDrop;

/// Secret bytes: compared in constant time, wiped on drop, never printed. They stand in a heap block of their own, so
/// that a value that owns them can move and no copy stays where it was.
#[derive(Clone)]
pub struct SecretBytes<const N: usize>(Box<[u8; N]>);

impl<const N: usize> SecretBytes<N> {
    /// Zeros, to be filled in place.
    pub fn zeros() -> Self {
        Self(Box::new([0; N]))
    }

    /// A copy of bytes, which the caller wipes.
    pub fn copied(bytes: &[u8; N]) -> Self {
        let mut copy = Self::zeros();
        copy.0.copy_from_slice(bytes);
        copy
    }

    /// Fresh random bytes.
    pub fn random<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = Self::zeros();
        rng.fill_bytes(&mut bytes.0[..]);
        bytes
    }

    /// [`random`](Self::random) by a generator that may fail, with its error.
    pub fn try_random<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = Self::zeros();
        rng.try_fill_bytes(&mut bytes.0[..])?;
        Ok(bytes)
    }

    /// The secret bytes themselves.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Deref for SecretBytes<N> {
    type Target = [u8; N];

    fn deref(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> DerefMut for SecretBytes<N> {
    fn deref_mut(&mut self) -> &mut [u8; N] {
        &mut self.0
    }
}

impl<const N: usize> Drop for SecretBytes<N> {
    fn drop(&mut self) {
        wipe(&mut self.0[..], 0);
    }
}

impl<const N: usize> ZeroizeOnDrop for SecretBytes<N> {}

impl<const N: usize> PartialEq for SecretBytes<N> {
    /// Compares in constant time; the answer is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.0[..], &other.0[..]).into()
    }
}

impl<const N: usize> Eq for SecretBytes<N> {}

impl<const N: usize> fmt::Debug for SecretBytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretBytes<{N}>(..)")
    }
}

/// Working memory for secrets, wiped on drop.
pub struct Wiped<T: Copy + Default>(Box<[T]>);

impl<T: Copy + Default> Wiped<T> {
    /// `length` zeros.
    pub fn zeros(length: usize) -> Self {
        Self(vec![T::default(); length].into_boxed_slice())
    }
}

impl<T: Copy + Default> Deref for Wiped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Wiped<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> AsMut<[T]> for Wiped<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Copy + Default> Drop for Wiped<T> {
    fn drop(&mut self) {
        wipe(&mut self.0, T::default());
    }
}

/// A fresh secret seed of 32 bytes.
pub fn fresh_seed<R: CryptoRng>(rng: &mut R) -> SecretBytes<32> {
    SecretBytes::random(rng)
}
