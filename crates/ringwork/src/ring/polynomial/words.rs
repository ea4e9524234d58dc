//! The words of a polynomial.

use ntt::{Buffer, SignedWord};

/// A word of 16 or 32 bits.
pub(super) trait Number: SignedWord {
    /// The number.
    fn number(self) -> i32;

    /// The word of a number that fits.
    fn of(number: i32) -> Self;
}

impl Number for i16 {
    fn number(self) -> i32 {
        self.into()
    }

    fn of(number: i32) -> Self {
        number as Self
    }
}

impl Number for i32 {
    fn number(self) -> i32 {
        self
    }

    fn of(number: i32) -> Self {
        number
    }
}

/// The words of one polynomial.
#[derive(Clone)]
pub(super) struct Words<T: Number>(Buffer<T>);

impl<T: Number> Words<T> {
    /// `n` zeros.
    pub(super) fn zeros(n: usize) -> Self {
        Self(Buffer::zeros(n))
    }

    /// The words.
    pub(super) fn words(&self) -> &[T] {
        self.0.words()
    }

    /// The words.
    pub(super) fn words_mut(&mut self) -> &mut [T] {
        self.0.words_mut()
    }

    /// The same numbers in words of another width, which they fit.
    pub(super) fn converted<U: Number>(&self) -> Words<U> {
        let mut other = Words::zeros(self.words().len());
        other.words_mut().iter_mut().zip(self.words()).for_each(|(other, &word)| *other = U::of(word.number()));
        other
    }

    /// Zero if and only if both have the same words.
    pub(super) fn difference(&self, other: &Self) -> i32 {
        let words = self.words().iter().zip(other.words());
        words.fold(0, |different, (x, y)| different | (x.number() ^ y.number()))
    }
}

impl<T: Number> AsMut<[T]> for Words<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.words_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
