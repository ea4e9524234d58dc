//! Polynomials, and slots, that stand one behind the other.

/// The pieces of that length, found without a division.
#[inline(always)]
pub(crate) fn pieces<B>(mut rest: &[B], length: usize) -> impl Iterator<Item = &[B]> {
    core::iter::from_fn(move || rest.split_off(..length))
}

/// The same, to write to.
#[inline(always)]
pub(crate) fn pieces_mut<B>(mut rest: &mut [B], length: usize) -> impl Iterator<Item = &mut [B]> {
    core::iter::from_fn(move || rest.split_off_mut(..length))
}
