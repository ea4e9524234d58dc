//! The words of a polynomial: wiped on drop, then reused for the next polynomial.
//!
//! An allocator takes several hundred cycles to allocate and free a polynomial, as much as a small
//! transform. So each thread keeps a few buffers of dropped polynomials. Wiped buffers are zero;
//! threads share nothing.

use core::cell::RefCell;
use ntt::{Buffer, SignedWord};
use std::thread::LocalKey;

/// The number of buffers of a width that a thread keeps.
const KEPT: usize = 16;

type Spare<T> = RefCell<Vec<Buffer<T>>>;

thread_local! {
    static SPARE_16: Spare<i16> = const { RefCell::new(Vec::new()) };
    static SPARE_32: Spare<i32> = const { RefCell::new(Vec::new()) };
}

/// A word of 16 or 32 bits, whose buffers are kept.
pub(super) trait Kept: SignedWord {
    /// The buffers that this thread keeps.
    const SPARE: &'static LocalKey<Spare<Self>>;

    /// The number.
    fn number(self) -> i32;

    /// The word of a number that fits.
    fn of(number: i32) -> Self;
}

impl Kept for i16 {
    const SPARE: &'static LocalKey<Spare<Self>> = &SPARE_16;

    fn number(self) -> i32 {
        self.into()
    }

    fn of(number: i32) -> Self {
        number as Self
    }
}

impl Kept for i32 {
    const SPARE: &'static LocalKey<Spare<Self>> = &SPARE_32;

    fn number(self) -> i32 {
        self
    }

    fn of(number: i32) -> Self {
        number
    }
}

/// The words of one polynomial.
pub(super) struct Words<T: Kept>(Option<Buffer<T>>);

impl<T: Kept> Words<T> {
    /// `n` zeros.
    pub(super) fn zeros(n: usize) -> Self {
        let kept = T::SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            let at = spare.iter().rposition(|buffer| buffer.words().len() == n)?;
            Some(spare.swap_remove(at))
        });
        Self(Some(kept.ok().flatten().unwrap_or_else(|| Buffer::zeros(n))))
    }

    /// The words.
    pub(super) fn words(&self) -> &[T] {
        self.0.as_ref().map_or(&[], Buffer::words)
    }

    /// The same numbers in words of another width, which they fit.
    pub(super) fn converted<U: Kept>(&self) -> Words<U> {
        let mut other = Words::zeros(self.words().len());
        other.words_mut().iter_mut().zip(self.words()).for_each(|(other, &word)| *other = U::of(word.number()));
        other
    }

    /// Zero if and only if both have the same words.
    pub(super) fn difference(&self, other: &Self) -> i32 {
        let words = self.words().iter().zip(other.words());
        words.fold(0, |different, (x, y)| different | (x.number() ^ y.number()))
    }

    /// The words.
    pub(super) fn words_mut(&mut self) -> &mut [T] {
        self.0.as_mut().map_or(&mut [], Buffer::words_mut)
    }
}

impl<T: Kept> AsMut<[T]> for Words<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.words_mut()
    }
}

impl<T: Kept> Clone for Words<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.words().len());
        copy.words_mut().copy_from_slice(self.words());
        copy
    }
}

impl<T: Kept> Drop for Words<T> {
    fn drop(&mut self) {
        let Some(mut buffer) = self.0.take() else { return };
        buffer.wipe();
        // A thread that exits has no list any more; the buffer is then freed.
        let _ = T::SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(buffer);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what_comes_back_is_zero<T: Kept>() {
        let (zero, seven) = (T::of(0), T::of(7));
        for n in [64, 128, 64] {
            let mut words = Words::<T>::zeros(n);
            assert_eq!(words.words(), vec![zero; n]);
            words.words_mut().fill(seven);
            assert_eq!(words.clone().words(), vec![seven; n]);
            let at = words.words().as_ptr();
            drop(words);
            let again = Words::<T>::zeros(n);
            assert_eq!((again.words().as_ptr(), again.words()), (at, &vec![zero; n][..]));
        }
        drop((0..3 * KEPT).map(|_| Words::<T>::zeros(32)).collect::<Vec<_>>());
        T::SPARE.with(|spare| assert_eq!(spare.borrow().len(), KEPT));
    }

    #[test]
    fn numbers_are_the_same_in_both_widths() {
        let numbers = [i16::MIN, -1, 0, 1, 12288, i16::MAX];
        let mut words = Words::<i16>::zeros(numbers.len());
        words.words_mut().copy_from_slice(&numbers);
        let wide: Words<i32> = words.converted();
        assert_eq!(wide.words(), numbers.map(i32::from));
        assert_eq!(wide.converted::<i16>().words(), numbers);
        assert_eq!((wide.difference(&words.converted()), words.difference(&words.clone())), (0, 0));
        let other = words.clone();
        words.words_mut()[5] ^= 1 << 14;
        assert_ne!(words.difference(&other), 0);
        assert_ne!(wide.difference(&words.converted()), 0);
    }

    #[test]
    fn buffers_of_both_widths_come_back_as_zeros() {
        what_comes_back_is_zero::<i16>();
        what_comes_back_is_zero::<i32>();
    }
}
