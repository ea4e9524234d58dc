//! Secrets and randomness: comparison in constant time, memory that is wiped, random bytes.

use alloc::{boxed::Box, vec};
use core::{
    fmt,
    ops::{Deref, DerefMut},
};
use lanes::Opaque;
use rand_core::{CryptoRng, TryCryptoRng};
use subtle::{Choice, ConstantTimeEq};
use zeroize::ZeroizeOnDrop;

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
        wipe(&mut self.0[..]);
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

/// Overwrites working memory, at the speed of a fill; a barrier keeps the compiler from removing the fill.
fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    core::hint::black_box(words);
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
        wipe(&mut self.0);
    }
}

/// [`Wiped`] working memory in an array of the function that it borrows: what is in use cannot move. See `working!`.
pub(crate) struct Working<'a, T: Copy + Default, const N: usize>(pub(crate) &'a mut [T; N]);

/// `working!(name: [T; N]);` declares an array of zeros that is wiped at the end of the block.
macro_rules! working {
    ($name:ident: [$word:ty; $length:expr]) => {
        let mut array: [$word; $length] = [Default::default(); $length];
        #[allow(unused_mut, reason = "some are written through their pointers only")]
        let mut $name = $crate::ct::Working(&mut array);
    };
}
pub(crate) use working;

impl<T: Copy + Default, const N: usize> Deref for Working<'_, T, N> {
    type Target = [T; N];

    fn deref(&self) -> &[T; N] {
        self.0
    }
}

impl<T: Copy + Default, const N: usize> DerefMut for Working<'_, T, N> {
    fn deref_mut(&mut self) -> &mut [T; N] {
        self.0
    }
}

impl<T: Copy + Default, const N: usize> Drop for Working<'_, T, N> {
    fn drop(&mut self) {
        wipe(self.0);
    }
}

/// Bytes of the stack that [`scrubbed`] overwrites: more than any operation uses (`tests/wiped` searches the stack).
/// Processors without vectors keep less there: the most is seen in signing, 6 KiB (`cargo xtask embedded`).
const SCRUBBED: usize = if cfg!(any(target_arch = "arm", target_arch = "riscv32")) { 10 << 10 } else { 24 << 10 };

/// Does the work, then overwrites the stack that it used: what it moved, spilled, or kept in local variables of other
/// libraries. What it returns by value stays where its caller has it.
pub fn scrubbed<R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn scrub() {
        core::hint::black_box(&mut [0_u8; SCRUBBED]);
    }
    let result = apart(work);
    scrub();
    result
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
pub fn fresh_seed<R: CryptoRng>(rng: &mut R) -> SecretBytes<32> {
    SecretBytes::random(rng)
}

/// The operating system's generator.
///
/// **Panics** when used if the operating system cannot provide random bytes.
#[cfg(feature = "getrandom")]
pub const fn sys_rng() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
