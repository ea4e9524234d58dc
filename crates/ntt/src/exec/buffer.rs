//! Memory for polynomials and tables: words that start on a cache line.

use super::plain::Plain;
use alloc::{vec, vec::Vec};
use core::fmt;

/// Words that start on a cache line, so that no vector of them crosses one. Wiped on drop, never
/// printed.
///
/// With the feature `std`, a thread keeps the memory of the buffers it drops for its next ones of the same length: at
/// most 64 buffers and 4 MiB for each type of word, which it frees when it ends. What is kept is wiped, hence zero.
pub struct Buffer<T: Plain> {
    storage: Vec<T>,
    start: usize,
    length: usize,
    /// Whether the thread keeps the memory.
    keeps: bool,
}

impl<T: Plain> Buffer<T> {
    /// Bytes of a cache line.
    pub(super) const LINE: usize = 64;

    /// `length` zeros.
    pub fn zeros(length: usize) -> Self {
        let spare = Self::LINE / size_of::<T>();
        let storage = kept(length + spare).unwrap_or_else(|| vec![T::default(); length + spare]);
        let start = storage.as_ptr().align_offset(Self::LINE).min(spare);
        Self { storage, start, length, keeps: true }
    }

    /// Those words, which are moved up to the next cache line.
    pub(crate) fn of(mut storage: Vec<T>) -> Self {
        let (length, spare) = (storage.len(), Self::LINE / size_of::<T>());
        storage.reserve_exact(spare);
        storage.resize(length + spare, T::default());
        let start = storage.as_ptr().align_offset(Self::LINE).min(spare);
        storage.copy_within(..length, start);
        Self { storage, start, length, keeps: false }
    }

    /// A copy of `words`.
    pub fn copy_of(words: &[T]) -> Self {
        let mut buffer = Self::zeros(words.len());
        buffer.words_mut().copy_from_slice(words);
        buffer
    }

    /// The words.
    pub fn words(&self) -> &[T] {
        &self.storage[self.start..self.start + self.length]
    }

    /// The words.
    pub fn words_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.length]
    }

    /// Overwrites what may be secret; the compiler must assume that somebody looks.
    pub fn wipe(&mut self) {
        self.storage.fill(T::default());
        core::hint::black_box(&self.storage);
    }
}

impl<T: Plain> AsRef<[T]> for Buffer<T> {
    fn as_ref(&self) -> &[T] {
        self.words()
    }
}

impl<T: Plain> AsMut<[T]> for Buffer<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.words_mut()
    }
}

impl<T: Plain> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.wipe();
        if self.keeps {
            keep(core::mem::take(&mut self.storage));
        }
    }
}

impl<T: Plain> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} words)", self.length)
    }
}

impl<T: Plain> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self::copy_of(self.words())
    }
}

/// That many zeros, from what this thread keeps.
fn kept<T: Plain>(_length: usize) -> Option<Vec<T>> {
    #[cfg(feature = "std")]
    return T::kept().try_with(|kept| kept.try_borrow_mut().ok()?.take(_length)).ok()?;
    #[cfg(not(feature = "std"))]
    None
}

/// Keeps zeros, unless the thread is about to end.
fn keep<T: Plain>(_zeros: Vec<T>) {
    #[cfg(feature = "std")]
    let _ = T::kept().try_with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut() {
            kept.give(_zeros);
        }
    });
}

/// Memory that one call leaves to the next one, all zeros, however large, as long as its owner lives. Without the
/// feature `std` every call gets its own.
#[derive(Default)]
pub(crate) struct Spare<T: Plain> {
    #[cfg(feature = "std")]
    kept: std::sync::Mutex<Option<Buffer<T>>>,
    #[cfg(not(feature = "std"))]
    kept: core::marker::PhantomData<T>,
}

impl<T: Plain> Spare<T> {
    /// A buffer of zeros of that length, the same at every call.
    pub(crate) fn take(&self, length: usize) -> Buffer<T> {
        #[cfg(feature = "std")]
        if let Some(buffer) = self.kept.try_lock().ok().and_then(|mut kept| kept.take()) {
            return buffer;
        }
        Buffer::zeros(length)
    }

    /// Wipes a buffer and keeps it.
    pub(crate) fn give(&self, mut buffer: Buffer<T>) {
        buffer.wipe();
        #[cfg(feature = "std")]
        if let Ok(mut kept) = self.kept.try_lock() {
            *kept = Some(buffer);
        }
    }
}

impl<T: Plain> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Self { kept: Default::default() }
    }
}

impl<T: Plain> fmt::Debug for Spare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spare")
    }
}

/// Copies a row of words. Rows of the usual lengths take no call of a function, which would take longer than the row.
#[inline(always)]
pub(crate) fn copy_row<T: Copy>(to: &mut [T], from: &[T]) {
    match from.len() {
        2 => copy_array::<T, 2>(to, from),
        4 => copy_array::<T, 4>(to, from),
        8 => copy_array::<T, 8>(to, from),
        16 => copy_array::<T, 16>(to, from),
        32 => copy_array::<T, 32>(to, from),
        64 => copy_array::<T, 64>(to, from),
        _ => to.copy_from_slice(from),
    }
}

#[inline(always)]
fn copy_array<T: Copy, const N: usize>(to: &mut [T], from: &[T]) {
    match (<&mut [T; N]>::try_from(&mut *to), <&[T; N]>::try_from(from)) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}
