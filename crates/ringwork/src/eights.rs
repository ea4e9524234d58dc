//! Bit strings as in [`bits`](crate::bits), in groups of eight values: a value has the same place
//! in every group, so vectors can read them.
//!
//! **Constant time:** yes.

use crate::ring::Source;
use lanes::{Backend, Lanes, Lanes16, LanesWide, MAX_LANES, Task16, Task32};

/// Calls a function for a width known at compile time.
macro_rules! of_width {
    ($width:expr, $function:ident $arguments:tt) => {
        of_width!($width, $function $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($width:expr, $function:ident $arguments:tt, $($w:literal)*) => {
        match $width {
            $($w => $function::<$w> $arguments,)*
            width => panic!("{width} bits are not in 1..=16"),
        }
    };
}

fn check(width: usize, values: usize, bytes: usize) {
    assert!(values & 7 == 0 && bytes == (values >> 3) * width, "{bytes} bytes for {values} values of {width} bits");
}

/// Packs values of `width` bits; higher bits must be zero.
///
/// **Panics** unless `width` is in `1..=16` and the number of bytes matches.
pub(crate) fn pack(width: u32, values: &[i16], bytes: &mut [u8]) {
    fn of<const W: usize>(values: &[i16], bytes: &mut [u8]) {
        pack_by::<W, _>(values, bytes, |value| value as u16 as u32);
    }
    of_width!(width, of(values, bytes));
}

/// Packs values of `W ≤ 32` bits, an even number if it is above 16, which `value` computes from
/// words.
///
/// **Panics** unless the number of bytes matches.
#[inline(always)]
pub(crate) fn pack_by<const W: usize, T: Copy>(words: &[T], bytes: &mut [u8], value: impl Fn(T) -> u32) {
    const { assert!(W <= 16 || W <= 32 && W & 1 == 0) };
    check(W, words.len(), bytes.len());
    let packed = |words: &[T]| {
        words.iter().enumerate().fold(0, |packed, (i, &word)| packed | u128::from(value(word)) << (i * W))
    };
    for (words, bytes) in words.as_chunks::<8>().0.iter().zip(bytes.chunks_exact_mut(W)) {
        if W <= 16 {
            bytes.copy_from_slice(&packed(words).to_le_bytes()[..W]);
        } else {
            let (low, high) = words.split_at(4);
            let [low, high] = [packed(low), packed(high)];
            bytes[..W >> 1].copy_from_slice(&low.to_le_bytes()[..W >> 1]);
            bytes[W >> 1..].copy_from_slice(&high.to_le_bytes()[..W >> 1]);
        }
    }
}

/// Undoes [`pack`].
///
/// **Panics** likewise.
pub(crate) fn unpack(backend: Backend, width: u32, bytes: &[u8], values: &mut [i16]) {
    fn of<const W: usize>(backend: Backend, bytes: &[u8], values: &mut [i16]) {
        check(W, values.len(), bytes.len());
        backend.run16(Unpack::<W> { bytes, out: values });
    }
    of_width!(width, of(backend, bytes, values));
}

/// Recovers `x` from what [`pack_by`] makes of `value(x) = (offset - x) >> shift`.
///
/// **Panics** unless the number of bytes matches.
pub(crate) fn unpack32<const W: usize>(backend: Backend, bytes: &[u8], offset: i32, shift: u32, out: &mut [i32]) {
    check(W, out.len(), bytes.len());
    backend.run32(Unpack32::<W> { bytes, offset, shift, out });
}

/// Fills `out` with `map` of vectors of values.
#[inline(always)]
fn fill<L: Lanes, const W: usize>(l: L, bytes: &[u8], out: &mut [L::Word], map: impl Fn(L::V) -> L::V) {
    let whole = out.len() & !(L::LANES - 1);
    for (i, out) in L::blocks_mut(out).iter_mut().enumerate() {
        l.store(out, map(l.unpack::<W>(bytes, i * L::LANES)));
    }
    let rest = &mut out[whole..];
    if !rest.is_empty() {
        let mut last = [L::Word::default(); MAX_LANES];
        l.store(&mut L::blocks_mut(&mut last)[0], map(l.unpack::<W>(bytes, whole)));
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

struct Unpack<'a, const W: usize> {
    bytes: &'a [u8],
    out: &'a mut [i16],
}

impl<const W: usize> Task16 for Unpack<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        fill::<L, W>(l, self.bytes, self.out, |x| x);
    }
}

struct Unpack32<'a, const W: usize> {
    bytes: &'a [u8],
    offset: i32,
    shift: u32,
    out: &'a mut [i32],
}

impl<const W: usize> Task32 for Unpack32<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<L: LanesWide<Word = i32>>(self, l: L) {
        let (offset, shift) = (l.splat(self.offset), self.shift);
        fill::<L, W>(l, self.bytes, self.out, |x| l.sub(offset, l.shl_by(x, shift)));
    }
}

/// Values of `W` bits, as a source for a permutation.
pub(crate) struct Packed<'a, const W: usize>(pub(crate) &'a [u8]);

impl<const W: usize> Source for Packed<'_, W> {
    #[inline(always)]
    fn vector<L: Lanes16>(&self, l: L, index: usize) -> L::V {
        l.unpack::<W>(self.0, index * L::LANES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(values: &[u32], width: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        crate::bits::pack(values.iter().map(|&value| value.into()), width, &mut bytes);
        bytes
    }

    fn values(width: u32, count: u32) -> Vec<u32> {
        (0..count).map(|i| (i + 1).wrapping_mul(0x9E37_79B9) >> (32 - width)).collect()
    }

    #[test]
    fn eights_are_strings_of_bits() {
        for backend in Backend::available() {
            for width in 1..=16 {
                for count in [8, 24, 64, 256] {
                    let values = values(width, count);
                    let words: Vec<i16> = values.iter().map(|&value| value as i16).collect();
                    let expected = string(&values, width);
                    let mut bytes = vec![0; expected.len()];
                    pack(width, &words, &mut bytes);
                    assert_eq!(bytes, expected, "{width} bits");
                    let mut back = vec![-1; words.len()];
                    unpack(backend, width, &bytes, &mut back);
                    assert_eq!(back, words, "{width} bits on {backend}");
                }
            }
        }
    }

    #[test]
    fn eights_of_32_bits_are_strings_of_bits() {
        fn check<const W: usize>() {
            for count in [8, 24, 256] {
                let values = values(W as u32, count);
                let words: Vec<i32> = values.iter().map(|&value| 1000 - value as i32).collect();
                let expected = string(&values, W as u32);
                let mut bytes = vec![0; expected.len()];
                pack_by::<W, _>(&words, &mut bytes, |x| (1000 - x) as u32);
                assert_eq!(bytes, expected, "{W} bits");
                for backend in Backend::available() {
                    let mut back = vec![-1; words.len()];
                    unpack32::<W>(backend, &bytes, 1000, 0, &mut back);
                    assert_eq!(back, words, "{W} bits on {backend}");
                    unpack32::<W>(backend, &bytes, 5, 3, &mut back);
                    assert!(
                        values.iter().zip(&back).all(|(&x, &y)| y == 5 - ((x as i32) << 3)),
                        "{W} bits on {backend}"
                    );
                }
            }
        }
        check::<1>();
        check::<3>();
        check::<10>();
        check::<13>();
        check::<16>();
        check::<18>();
        check::<20>();
        check::<24>();
    }
}
