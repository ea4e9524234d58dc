//! Secrets and randomness: comparison in constant time, memory that is wiped, random bytes.

use core::fmt;
use lanes::Opaque;
use rand_core::CryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Implements `Debug` to print the name of a type and nothing of its content.
macro_rules! not_printed {
    ($($name:ident $(<$($p:ident $(: $bound:path)?),+>)?),+ $(,)?) => {$(
        impl $(<$($p $(: $bound)?),+>)? core::fmt::Debug for $name $(<$($p),+>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+};
}
pub(crate) use not_printed;

/// All ones if `x` is negative, else zero: a mask that no compiler turns into a branch.
#[inline(always)]
pub(crate) fn negative(x: i64) -> i64 {
    (x >> (i64::BITS - 1)).opaque()
}

/// Whether two strings of bytes are equal.
///
/// **Constant time:** yes; lengths are public.
pub(crate) fn same(a: &[u8], b: &[u8]) -> Choice {
    if a.len() != b.len() {
        return Choice::from(0);
    }
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    let words = a.iter().zip(b).map(|(a, b)| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b));
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| u64::from(a ^ b));
    words.chain(rest).fold(0, |any, difference| any | difference).ct_eq(&0)
}

/// Secret bytes: compared in constant time, wiped on drop, never printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretBytes<const N: usize>([u8; N]);

impl<const N: usize> SecretBytes<N> {
    /// Takes ownership of bytes.
    pub const fn new(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// The secret bytes themselves.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> PartialEq for SecretBytes<N> {
    /// Compares in constant time; the answer is public.
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0).into()
    }
}

impl<const N: usize> Eq for SecretBytes<N> {}

impl<const N: usize> fmt::Debug for SecretBytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretBytes<{N}>(..)")
    }
}

/// Working memory for secrets. It is overwritten on drop, at the speed of a fill; a barrier keeps the compiler from
/// removing the fill.
pub struct Wiped<T: Copy + Default>(Box<[T]>);

impl<T: Copy + Default> Wiped<T> {
    /// `length` zeros.
    pub fn zeros(length: usize) -> Self {
        Self(vec![T::default(); length].into_boxed_slice())
    }
}

impl<T: Copy + Default> core::ops::Deref for Wiped<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> core::ops::DerefMut for Wiped<T> {
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
        self.0.fill(T::default());
        core::hint::black_box(&self.0);
    }
}

/// [`Wiped`] working memory of constant length, without an allocation.
pub struct WipedArray<T: Copy + Default, const N: usize>([T; N]);

impl<T: Copy + Default, const N: usize> WipedArray<T, N> {
    /// `N` zeros.
    pub fn zeros() -> Self {
        Self([T::default(); N])
    }
}

impl<T: Copy + Default, const N: usize> core::ops::Deref for WipedArray<T, N> {
    type Target = [T; N];

    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T: Copy + Default, const N: usize> core::ops::DerefMut for WipedArray<T, N> {
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0
    }
}

impl<T: Copy + Default, const N: usize> Drop for WipedArray<T, N> {
    fn drop(&mut self) {
        self.0.fill(T::default());
        core::hint::black_box(&self.0);
    }
}

/// Whether all numbers are in `[low, high]`.
///
/// **Constant time:** yes; the answer is public.
#[cfg(feature = "research")]
pub(crate) fn all_within<T: Copy + Into<i64>>(words: &[T], low: i64, high: i64) -> bool {
    // The sign bit is set once a number is below or above the range.
    let outside = words.iter().fold(0, |outside, &x| {
        let x: i64 = x.into();
        outside | x.wrapping_sub(low) | high.wrapping_sub(x)
    });
    outside >= 0
}

/// A fresh secret seed of 32 bytes.
pub fn fresh_seed<R: CryptoRng>(rng: &mut R) -> Zeroizing<[u8; 32]> {
    let mut seed = Zeroizing::new([0; 32]);
    rng.fill_bytes(&mut seed[..]);
    seed
}

/// The operating system's generator.
///
/// **Panics** when used if the operating system cannot provide random bytes.
#[cfg(feature = "getrandom")]
pub const fn sys_rng() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
