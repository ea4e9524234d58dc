//! Secrets and randomness: comparison in constant time, memory that is wiped, random bytes.

#[cfg(feature = "alloc")]
mod heap;

use core::ops::{Deref, DerefMut};
#[cfg(feature = "alloc")]
pub use heap::{SecretBytes, Wiped, fresh_seed};
use lanes::Opaque;
use subtle::{Choice, ConstantTimeEq};

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

/// Overwrites working memory, at the speed of a fill; a barrier keeps the compiler from removing the fill.
fn wipe<T: Copy>(words: &mut [T], zero: T) {
    words.fill(zero);
    core::hint::black_box(words);
}

/// What working memory is made of: words, and arrays of them.
pub(crate) trait Words: Copy {
    const ZERO: Self;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Words for $word {
            const ZERO: Self = 0;
        }
    )*};
}
words!(u8 i16 i32 u64);

impl<T: Words, const N: usize> Words for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Working memory, wiped on drop, in an array of the function that it borrows: what is in use cannot move. See `working!`.
pub(crate) struct Working<'a, T: Words, const N: usize>(pub(crate) &'a mut [T; N]);

/// `working!(name: [T; N]);` declares an array of zeros that is wiped at the end of the block.
macro_rules! working {
    ($name:ident: [$word:ty; $length:expr]) => {
        let mut array: [$word; $length] = [$crate::ct::Words::ZERO; $length];
        #[allow(unused_mut, reason = "some are written through their pointers only")]
        let mut $name = $crate::ct::Working(&mut array);
    };
}
pub(crate) use working;

impl<T: Words, const N: usize> Deref for Working<'_, T, N> {
    type Target = [T; N];

    fn deref(&self) -> &[T; N] {
        self.0
    }
}

impl<T: Words, const N: usize> DerefMut for Working<'_, T, N> {
    fn deref_mut(&mut self) -> &mut [T; N] {
        self.0
    }
}

impl<T: Words, const N: usize> Drop for Working<'_, T, N> {
    fn drop(&mut self) {
        wipe(self.0, T::ZERO);
    }
}

/// Bytes of the stack that [`scrubbed`] overwrites: more than any operation uses (`tests/wiped` searches the stack).
/// Processors without vectors keep less there: the most is seen in signing, 6 KiB (`cargo xtask embedded`).
const SCRUBBED: usize = if cfg!(any(target_arch = "arm", target_arch = "riscv32")) { 10 << 10 } else { 24 << 10 };

/// Does the work, then overwrites the stack that it used: what it moved, spilled, or kept in local variables of other
/// libraries. What it returns by value stays where its caller has it.
pub fn scrubbed<R>(work: impl FnOnce() -> R) -> R {
    scrubbed_by::<SCRUBBED, R>(work)
}

/// [`scrubbed`] with so many bytes of the stack.
pub(crate) fn scrubbed_by<const BYTES: usize, R>(work: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(never)]
    fn scrub<const BYTES: usize>() {
        core::hint::black_box(&mut [0_u8; BYTES]);
    }
    let result = apart(work);
    scrub::<BYTES>();
    result
}

/// Bytes of the stack to overwrite after work on arrays, whose working memory of so many bytes stands there as well.
pub(crate) const fn stack_of_arrays(working: usize) -> usize {
    if cfg!(any(target_arch = "arm", target_arch = "riscv32")) { working + (6 << 9) } else { working + SCRUBBED }
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

/// The operating system's generator.
///
/// **Panics** when used if the operating system cannot provide random bytes.
#[cfg(feature = "getrandom")]
pub const fn sys_rng() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
