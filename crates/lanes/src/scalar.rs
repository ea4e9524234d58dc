//! Arrays as lanes: the definition of every operation, in safe Rust, for any number of lanes.
//!
//! `[i16; 1]`, `[i32; 1]` and `[i64; 1]` are the scalar backend; with the feature `arrays`, `[i16; 16]` and `[i32; 8]`
//! run the layout of AVX2 on any machine and under any interpreter, and other lengths run those of other machines. A
//! value of [`Arrays`] stands for the "CPU" and needs no proof.

use crate::{Lanes, Lanes16, Lanes64, LanesBits, LanesWide, Opaque, rounded::Rounded, sealed::Sealed};

/// Applies `f` to every lane.
#[inline(always)]
fn map<A: Copy, B: Copy, C: Copy, const L: usize>(a: [A; L], b: [B; L], f: impl Fn(A, B) -> C) -> [C; L] {
    let mut out = [f(a[0], b[0]); L];
    for i in 1..L {
        out[i] = f(a[i], b[i]);
    }
    out
}

/// Lanes made of arrays of length `L`, a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<T, const L: usize>(core::marker::PhantomData<T>);

impl<T, const L: usize> Arrays<T, L> {
    /// Arrays are available everywhere.
    pub const fn new() -> Self {
        assert!(L.is_power_of_two());
        Self(core::marker::PhantomData)
    }
}

impl<T, const L: usize> Default for Arrays<T, L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const L: usize> Sealed for Arrays<T, L> {}

macro_rules! array_lanes {
    ($word:ty, $unsigned:ty) => {
        impl<const L: usize> Lanes for Arrays<$word, L> {
            type Word = $word;
            type V = [$word; L];
            type Block = [$word; L];
            const LANES: usize = L;
            const REPEAT: usize = 1;

            #[inline(always)]
            fn word(x: i64) -> $word {
                x as $word
            }
            #[inline(always)]
            fn blocks(a: &[$word]) -> &[[$word; L]] {
                a.as_chunks().0
            }
            #[inline(always)]
            fn blocks_mut(a: &mut [$word]) -> &mut [[$word; L]] {
                a.as_chunks_mut().0
            }
            #[inline(always)]
            fn load(self, b: &[$word; L]) -> [$word; L] {
                *b
            }
            #[inline(always)]
            fn store(self, b: &mut [$word; L], v: [$word; L]) {
                *b = v;
            }
            #[inline(always)]
            fn splat(self, x: $word) -> [$word; L] {
                [x; L]
            }
            #[inline(always)]
            fn broadcast(self, words: &[$word]) -> [$word; L] {
                [words[0]; L]
            }
            #[inline(always)]
            fn unpack<const W: usize>(self, bytes: &[u8], first: usize) -> [$word; L] {
                let mut out = [0; L];
                for (i, out) in out.iter_mut().enumerate() {
                    let at = (W * (first + i)) >> 3;
                    let window = bytes.get(at..).and_then(<[u8]>::first_chunk).copied();
                    let window = u32::from_le_bytes(window.unwrap_or_else(|| crate::padded(bytes, at)));
                    *out = (window >> ((W * (first + i)) & 7) & (u32::MAX >> (32 - W))) as $word;
                }
                out
            }
            #[inline(always)]
            fn add(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a.wrapping_add(b))
            }
            #[inline(always)]
            fn sub(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a.wrapping_sub(b))
            }
            #[inline(always)]
            fn and(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a & b)
            }
            #[inline(always)]
            fn or(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a | b)
            }
            #[inline(always)]
            fn xor(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a ^ b)
            }
            #[inline(always)]
            fn shl<const S: i32>(self, a: [$word; L]) -> [$word; L] {
                map(a, a, |a, _| a << S)
            }
            #[inline(always)]
            fn shr<const S: i32>(self, a: [$word; L]) -> [$word; L] {
                map(a, a, |a, _| a >> S)
            }
            #[inline(always)]
            fn shr_logical<const S: i32>(self, a: [$word; L]) -> [$word; L] {
                map(a, a, |a, _| (a as $unsigned >> S) as $word)
            }
            #[inline(always)]
            fn shr_by(self, a: [$word; L], s: u32) -> [$word; L] {
                map(a, a, |a, _| a.wrapping_shr(s))
            }
            #[inline(always)]
            fn shl_by(self, a: [$word; L], s: u32) -> [$word; L] {
                map(a, a, |a, _| a.wrapping_shl(s))
            }
            #[inline(always)]
            fn gt(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| (-<$word>::from(a > b)).opaque())
            }
            #[inline(always)]
            fn negative(self, a: [$word; L]) -> [$word; L] {
                map(a, a, |a, _| (a >> (<$word>::BITS - 1)).opaque())
            }
            #[inline(always)]
            fn mul_lo(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| a.wrapping_mul(b))
            }
            #[inline(always)]
            fn interleave<const K: usize>(self, a: [$word; L], b: [$word; L]) -> ([$word; L], [$word; L]) {
                interleaved::<K, _, L>(a, b)
            }
            #[inline(always)]
            fn zip(self, a: [$word; L], b: [$word; L]) -> ([$word; L], [$word; L]) {
                let (mut low, mut high) = (a, b);
                let half = Self::CHUNK / 2;
                for i in (0..L).filter(|i| i & half == 0 && half > 0) {
                    let pair = i + (i & (half - 1)); // 2j in the chunk for word j
                    (low[pair], low[pair + 1]) = (a[i], b[i]);
                    (high[pair], high[pair + 1]) = (a[i + half], b[i + half]);
                }
                (low, high)
            }
            #[inline(always)]
            fn compact(self, a: [$word; L], keep: [$word; L], out: &mut [$word; L]) -> usize {
                let mut count = 0;
                for (a, keep) in a.into_iter().zip(keep) {
                    if let Some(out) = out.get_mut(count) {
                        *out = a; // overwritten by the next one unless it is kept
                    }
                    count += usize::from(keep != 0);
                }
                count
            }
        }
    };
}

array_lanes!(i16, u16);
array_lanes!(i32, u32);
array_lanes!(i64, u64);

/// Applies `f` to every byte.
#[inline(always)]
fn map_bytes<const L: usize>(a: [i16; L], b: [i16; L], f: impl Fn(u8, u8) -> u8) -> [i16; L] {
    map(a, b, |a, b| {
        let ([a, c], [b, d]) = (a.to_le_bytes(), b.to_le_bytes());
        i16::from_le_bytes([f(a, b), f(c, d)])
    })
}

/// A byte of all ones or zero.
#[inline(always)]
fn mask(yes: bool) -> u8 {
    (-i16::from(yes)).opaque() as u8
}

impl<const L: usize> Lanes16 for Arrays<i16, L> {
    type Table = [u8; 16];

    #[inline(always)]
    fn mul_hi(self, a: [i16; L], b: [i16; L]) -> [i16; L] {
        map(a, b, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16)
    }
    #[inline(always)]
    fn mul_round(self, a: [i16; L], b: [i16; L]) -> [i16; L] {
        map(a, b, |a, b| ((i32::from(a) * i32::from(b) + (1 << 14)) >> 15) as i16)
    }
    #[inline(always)]
    fn table(self, bytes: &[u8; 16]) -> [u8; 16] {
        *bytes
    }
    #[inline(always)]
    fn lookup_bytes(self, table: [u8; 16], indices: [i16; L]) -> [i16; L] {
        let mut out = [0; L];
        for (i, &entry) in table.iter().enumerate() {
            let here = map_bytes(indices, indices, |index, _| entry & mask(usize::from(index) == i));
            out = self.or(out, here);
        }
        out
    }
    #[inline(always)]
    fn gt_bytes(self, a: [i16; L], b: [i16; L]) -> [i16; L] {
        map_bytes(a, b, |a, b| mask(a as i8 > b as i8))
    }
    #[inline(always)]
    fn eq_bytes(self, a: [i16; L], b: [i16; L]) -> [i16; L] {
        map_bytes(a, b, |a, b| mask(a == b))
    }
}

/// Exchanges the odd blocks of `K` words of `a` with the even ones of `b`.
#[inline(always)]
fn interleaved<const K: usize, T: Copy, const L: usize>(a: [T; L], b: [T; L]) -> ([T; L], [T; L]) {
    debug_assert!(K < L && K.is_power_of_two());
    let (mut even, mut odd) = (a, b);
    for i in (0..L).filter(|i| i & K == 0 && i + K < L) {
        (even[i + K], odd[i]) = (b[i], a[i + K]);
    }
    (even, odd)
}

impl<const L: usize> LanesBits for Arrays<u64, L> {
    type Word = u64;
    type V = [u64; L];
    type Block = [u64; L];
    const LANES: usize = L;

    #[inline(always)]
    fn blocks(a: &[u64]) -> &[[u64; L]] {
        a.as_chunks().0
    }
    #[inline(always)]
    fn blocks_mut(a: &mut [u64]) -> &mut [[u64; L]] {
        a.as_chunks_mut().0
    }
    #[inline(always)]
    fn load(self, b: &[u64; L]) -> [u64; L] {
        *b
    }
    #[inline(always)]
    fn store(self, b: &mut [u64; L], v: [u64; L]) {
        *b = v;
    }
    #[inline(always)]
    fn splat(self, x: u64) -> [u64; L] {
        [x; L]
    }
    #[inline(always)]
    fn xor(self, a: [u64; L], b: [u64; L]) -> [u64; L] {
        map(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, a: [u64; L], b: [u64; L]) -> [u64; L] {
        map(a, b, |a, b| !a & b)
    }
    #[inline(always)]
    fn rotate<const S: u32>(self, a: [u64; L]) -> [u64; L] {
        map(a, a, |a, _| a.rotate_left(S))
    }
    #[inline(always)]
    fn interleave<const K: usize>(self, a: [u64; L], b: [u64; L]) -> ([u64; L], [u64; L]) {
        interleaved::<K, _, L>(a, b)
    }
}

macro_rules! wide_array_lanes {
    ($word:ty, $unsigned:ty, $wide:ty, $unsigned_wide:ty) => {
        impl<const L: usize> LanesWide for Arrays<$word, L> {
            type Wide = [$wide; L];

            #[inline(always)]
            fn widen_mul(self, a: [$word; L], b: [$word; L]) -> [$wide; L] {
                map(a, b, |a, b| <$wide>::from(a) * <$wide>::from(b))
            }
            #[inline(always)]
            fn widen_mul_unsigned(self, a: [$word; L], b: [$word; L]) -> [$wide; L] {
                let wide = |a: $word| <$unsigned_wide>::from(a as $unsigned);
                map(a, b, |a, b| wide(a).wrapping_mul(wide(b)) as $wide)
            }
            #[inline(always)]
            fn sub_or_add(self, a: [$word; L], b: [$word; L], q: [$word; L]) -> [$word; L] {
                let mut out = a;
                for ((out, b), q) in out.iter_mut().zip(b).zip(q) {
                    let (difference, borrows) = (*out as $unsigned).overflowing_sub(b as $unsigned);
                    *out = (difference as $word).wrapping_add((-<$word>::from(borrows)).opaque() & q);
                }
                out
            }
            #[inline(always)]
            fn gt_unsigned(self, a: [$word; L], b: [$word; L]) -> [$word; L] {
                map(a, b, |a, b| (-<$word>::from(a as $unsigned > b as $unsigned)).opaque())
            }
            #[inline(always)]
            fn widen_mul_low(self, a: [$wide; L], b: [$word; L]) -> [$wide; L] {
                map(a, b, |a, b| <$wide>::from(a as $word) * <$wide>::from(b))
            }
            #[inline(always)]
            fn wide_add(self, a: [$wide; L], b: [$wide; L]) -> [$wide; L] {
                map(a, b, |a, b| a.wrapping_add(b))
            }
            #[inline(always)]
            fn wide_sub(self, a: [$wide; L], b: [$wide; L]) -> [$wide; L] {
                map(a, b, |a, b| a.wrapping_sub(b))
            }
            #[inline(always)]
            fn wide_shr(self, a: [$wide; L], s: u32) -> [$wide; L] {
                map(a, a, |a, _| (a as $unsigned_wide).wrapping_shr(s) as $wide)
            }
            #[inline(always)]
            fn narrow_lo(self, a: [$wide; L]) -> [$word; L] {
                map(a, a, |a, _| a as $word)
            }
            #[inline(always)]
            fn narrow_hi(self, a: [$wide; L]) -> [$word; L] {
                map(a, a, |a, _| (a >> <$word>::BITS) as $word)
            }
        }
    };
}

wide_array_lanes!(i32, u32, i64, u64);
wide_array_lanes!(i64, u64, i128, u128);

/// The absolute value of an integer, as a double.
#[inline(always)]
const fn double(x: i64) -> Rounded {
    Rounded::of_integer(x.unsigned_abs())
}

/// The integer nearest to `product·v`; the first bit of `sign` is that of the product.
#[inline(always)]
fn quotient(product: Rounded, v: i64, sign: i64) -> i64 {
    let sign = (sign ^ v) >> 63;
    (product.times(Rounded::of_bits(v as u64)).nearest() as i64 ^ sign) - sign
}

/// The low 52 bits of a word.
const LOW_52: u128 = (1 << 52) - 1;

/// The product of the low 52 bits of each word.
#[inline(always)]
const fn product_52(a: i64, b: i64) -> u128 {
    (a as u128 & LOW_52) * (b as u128 & LOW_52)
}

impl<const L: usize> Lanes64 for Arrays<i64, L> {
    #[inline(always)]
    fn mul_hi_near(self, a: [i64; L], v: [i64; L]) -> [i64; L] {
        map(a, v, |a, v| ((i128::from(a) * i128::from(v) + (1 << 62)) >> 63) as i64)
    }
    #[inline(always)]
    fn reduce_near(self, x: [i64; L], c: [i64; L], s: u32, q: [i64; L]) -> [i64; L] {
        let h = map(x, c, |x, c| ((x >> 32) * c + (1 << (31 + s))) >> (32 + s));
        self.sub(x, self.mul_lo(h, q))
    }
    #[inline(always)]
    fn mul52_lo(self, c: [i64; L], a: [i64; L], b: [i64; L]) -> [i64; L] {
        self.add(c, map(a, b, |a, b| (product_52(a, b) & LOW_52) as i64))
    }
    #[inline(always)]
    fn mul52_hi(self, c: [i64; L], a: [i64; L], b: [i64; L]) -> [i64; L] {
        self.add(c, map(a, b, |a, b| (product_52(a, b) >> 52) as i64))
    }
    #[inline(always)]
    fn mul_by_double(self, x: [i64; L], w: [i64; L], v: [i64; L], q: [i64; L]) -> [i64; L] {
        let h = map(x, v, |x, v| quotient(double(x), v, x));
        self.mul_difference(x, w, h, q)
    }
    #[inline(always)]
    fn mul_var_by_double(self, x: [i64; L], y: [i64; L], v: [i64; L], q: [i64; L]) -> [i64; L] {
        let product = map(x, y, |x, y| (double(x).times(double(y)), x ^ y));
        let h = map(product, v, |(product, sign), v| quotient(product, v, sign));
        self.mul_difference(x, y, h, q)
    }
    #[inline(always)]
    fn reduce_by_double(self, x: [i64; L], v: [i64; L], q: [i64; L]) -> [i64; L] {
        self.mul_by_double(x, [1; L], v, q)
    }
}
