//! Words of 64 bits as words of a plan, and back.

use super::super::{checked::residues, single::Plan};
use crate::{
    arith::Interval,
    exec::Buffer,
    input::{InputError, check_many, exactly},
    word::Word,
};

/// Words of which every `of_each` belong to one polynomial, whose first `used` words must be in that range; the
/// others become zero.
fn read<T: Word>(words: &[u64], [of_each, used]: [usize; 2], range: Interval) -> Result<Buffer<T>, InputError> {
    check_many(words, [of_each, used], range)?;
    let mut narrow = Buffer::zeros(words.len());
    for (to, from) in narrow.words_mut().chunks_exact_mut(of_each).zip(words.chunks_exact(of_each)) {
        truncate(&mut to[..used], from);
    }
    Ok(narrow)
}

/// Contiguous polynomials.
pub(super) fn polynomials<T: Word>(plan: &Plan<T>, words: &[u64]) -> Result<Buffer<T>, InputError> {
    read(words, [plan.n(); 2], residues::<u64>(plan.q()))
}

/// Contiguous transformed polynomials.
pub(super) fn transformed<T: Word>(plan: &Plan<T>, words: &[u64]) -> Result<Buffer<T>, InputError> {
    let any = Interval::new(0, (1 << T::BITS) - 1);
    read(words, [plan.ntt_len(); 2], if plan.transform().is_some() { residues::<u64>(plan.q()) } else { any })
}

fn truncate<T: Word>(to: &mut [T], words: &[u64]) {
    to.iter_mut().zip(words).for_each(|(to, &word)| *to = T::truncated(word as i64));
}

/// The low bits of words, which [`wide`] widened.
pub(super) fn narrow<T: Word>(words: &[u64]) -> Buffer<T> {
    let mut narrow = Buffer::zeros(words.len());
    truncate(narrow.words_mut(), words);
    narrow
}

pub(super) fn widen<T: Word>(to: &mut [u64], words: &[T]) {
    let all = u64::MAX >> (u64::BITS - T::BITS);
    to.iter_mut().zip(T::signed(words)).for_each(|(to, &word)| *to = Into::<i64>::into(word) as u64 & all);
}

pub(super) fn wide<T: Word>(words: impl AsRef<[T]>) -> Buffer<u64> {
    let words = words.as_ref();
    let mut wide = Buffer::zeros(words.len());
    widen(wide.words_mut(), words);
    wide
}

pub(super) fn in_place<T: Word>(
    to: &mut [u64],
    mut words: Buffer<T>,
    run: impl Fn(&mut [T]),
) -> Result<(), InputError> {
    run(words.words_mut());
    widen(to, words.words());
    Ok(())
}

pub(super) fn forward<T: Word>(plan: &Plan<T>, data: &mut [u64]) -> Result<(), InputError> {
    let words = read(data, [plan.ntt_len(), plan.n()], residues::<u64>(plan.q()))?;
    in_place(data, words, |words| {
        plan.forward_many(words);
        if plan.transform().is_some() && !words.is_empty() {
            plan.canonical(words);
        }
    })
}

pub(super) fn inverse<T: Word>(plan: &Plan<T>, data: &mut [u64]) -> Result<(), InputError> {
    in_place(data, transformed(plan, data)?, |words| plan.inverse_many(words))
}

pub(super) fn sum<T: Word>(
    plan: &Plan<T>,
    a: &mut [u64],
    b: &[u64],
    run: fn(&Plan<T>, &mut [T], &[T]),
) -> Result<(), InputError> {
    exactly(a.len().next_multiple_of(plan.n()).max(plan.n()), a.len())?;
    exactly(a.len(), b.len())?;
    let (words, b) = (polynomials(plan, a)?, polynomials(plan, b)?);
    in_place(a, words, |a| run(plan, a, b.words()))
}
