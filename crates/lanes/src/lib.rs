//! Vector lanes: operations of a CPU on several equal words at once.
//!
//! There are two traits because the natural products of words differ: 16-bit words have a low and a high half product
//! in one instruction each ([`Lanes16`]); words of 32 and 64 bits multiply into twice their width and stay wide until
//! the last step ([`LanesWide`], and [`Lanes64`] for operations on 64 bits only). [`Lanes`] has the common operations.
//! [`LanesBits`] is for 64-bit strings that are never multiplied, such as the state of a hash function.
//!
//! - **Definition.** The arrays `[i16; L]`, `[i32; L]` and `[i64; L]` ([`scalar`]) implement every operation in plain
//!   safe Rust for any `L`. They are the definition, the portable backend (`L = 1`), and a stand-in for every vector
//!   shape.
//! - **Proof of feature.** A machine backend is a value such as [`Avx2`] that exists only where the
//!   CPU has the instructions; holding it makes each intrinsic safe to call.
//! - **Opaque values.** `V` can be neither compared nor used as an index, so code that is generic in `V` and forbids
//!   `unsafe` cannot branch on data: its type makes it constant-time. Nor can a compiler turn masks into branches:
//!   masks come only from [`gt`](Lanes::gt), [`gt_unsigned`](LanesWide::gt_unsigned), [`negative`](Lanes::negative),
//!   [`gt_bytes`](Lanes16::gt_bytes) and [`eq_bytes`](Lanes16::eq_bytes), and masks in ordinary words pass a value
//!   barrier ([`Opaque`]).
//! - **Shells.** A computation is a [`Task16`], [`Task32`], [`Task64`] or [`TaskBits`]. [`Backend::run16`] and its
//!   siblings run it in the backend's single `#[target_feature]` function, into which all of it is inlined.
//! - **Detection.** AVX2 and AVX-512 are detected at run time, SSE4.1 too with the feature `sse41`; not where the program
//!   is compiled for a machine without SSE2, such as a kernel that leaves vectors to others (`x86_64-unknown-none`). NEON
//!   and the vectors of WebAssembly are available if the program is compiled for them.
//! - **One table.** A new instruction set is one file that implements the lanes and the shells, and one row of the
//!   table in `token.rs`, which generates [`Backend`].
//!
//! Beside the lanes, [`add_product`] multiplies integers of many limbs of 64 bits, which vectors do slowly.
//!
//! The feature `arrays`, off by default and meant for tests, adds arrays of 4 to 32 lanes of 16 bits as backends, so
//! that layouts can be tested on machines without such vectors. The feature `record`, off by default, adds lanes that
//! record operations instead of computing them (`record`): for proofs about the code that runs.
//!
//! Bodies of tasks are `#[inline(always)]` and never carry `#[target_feature]` themselves.

#![no_std]

#[cfg(feature = "record")]
extern crate std;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod aarch64;
mod bits;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2", feature = "sse41"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod chunk;
mod limbs;
mod opaque;
#[cfg(feature = "record")]
pub mod record;
mod rounded;
#[cfg(all(feature = "arrays", target_arch = "x86_64", not(miri)))]
pub mod rounding;
pub mod scalar;
mod task;
mod token;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

pub use bits::{Bits, bytes_of, halves, halves_mut};
pub use limbs::{STRIP, add_product, add_product_by_pairs, add_with_carry, multiply_add};
pub use opaque::Opaque;
pub use task::{Task16, Task32, Task64, TaskBits};
pub use token::*;

mod sealed {
    /// Keeps the traits closed: an implementation is a promise about `unsafe` code in this crate.
    pub trait Sealed {}
}

/// The bytes from `at` on, padded with zeros after the end if fewer than `L` are left.
#[cold]
#[inline(never)]
fn padded<const L: usize>(bytes: &[u8], at: usize) -> [u8; L] {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut padded = [0; L];
    padded[..rest.len()].copy_from_slice(rest);
    padded
}

/// The product of the low 52 bits of words, and the mask of these bits.
#[inline(always)]
fn product_52<L: Lanes64>(l: L, a: L::V, b: L::V) -> (L::Wide, L::V) {
    let low = l.splat((1 << 52) - 1);
    (l.widen_mul(l.and(a, low), l.and(b, low)), low)
}

/// [`Lanes64::mul52_lo`] without that instruction.
#[inline(always)]
fn mul52_lo_wide<L: Lanes64>(l: L, c: L::V, a: L::V, b: L::V) -> L::V {
    let (product, low) = product_52(l, a, b);
    l.add(c, l.and(l.narrow_lo(product), low))
}

/// [`Lanes64::mul52_hi`] without that instruction.
#[inline(always)]
fn mul52_hi_wide<L: Lanes64>(l: L, c: L::V, a: L::V, b: L::V) -> L::V {
    let (product, _) = product_52(l, a, b);
    l.add(c, l.narrow_lo(l.wide_shr(product, 52)))
}

/// The common operations of lanes of any width.
///
/// Every operation acts on each lane alone, except [`interleave`](Lanes::interleave) and
/// [`zip`](Lanes::zip).
pub trait Lanes: Copy + sealed::Sealed + 'static {
    /// The signed word of a lane.
    type Word: Copy + Default + 'static;
    /// A vector of [`LANES`](Lanes::LANES) words.
    type V: Copy;
    /// The vector in memory: `[Word; LANES]`.
    type Block: Copy + AsRef<[Self::Word]> + 'static;

    /// Bits of a word.
    const BITS: u32 = 8 * size_of::<Self::Word>() as u32;
    /// Words in a vector.
    const LANES: usize;
    /// Words in a chunk of 128 bits, or all words if the vector is smaller.
    const CHUNK: usize =
        if 16 / size_of::<Self::Word>() < Self::LANES { 16 / size_of::<Self::Word>() } else { Self::LANES };
    /// How often a table repeats a word that [`broadcast`](Lanes::broadcast) reads (2 where only
    /// 32-bit broadcasts need no shuffle).
    const REPEAT: usize;

    /// The word of the lowest [`BITS`](Lanes::BITS) bits of `x`.
    fn word(x: i64) -> Self::Word;
    /// `a` as whole blocks; the remainder is left out.
    fn blocks(a: &[Self::Word]) -> &[Self::Block];
    /// `a` as whole mutable blocks; the remainder is left out.
    fn blocks_mut(a: &mut [Self::Word]) -> &mut [Self::Block];
    /// Reads a block.
    fn load(self, b: &Self::Block) -> Self::V;
    /// Writes a block.
    fn store(self, b: &mut Self::Block, v: Self::V);
    /// The same word in each lane.
    fn splat(self, x: Self::Word) -> Self::V;
    /// The word that fills `words[..REPEAT]`, in each lane.
    fn broadcast(self, words: &[Self::Word]) -> Self::V;
    /// Values `first`, `first + 1`, … of a string of values of `W` bits, the lowest bit of each
    /// byte first; zeros after its end. `W` is at most 25 and at most [`BITS`](Lanes::BITS),
    /// `first` a multiple of [`LANES`](Lanes::LANES).
    fn unpack<const W: usize>(self, bytes: &[u8], first: usize) -> Self::V;
    /// `a + b`, wrapping.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, wrapping.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise and.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise or.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise exclusive or.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a << S`.
    fn shl<const S: i32>(self, a: Self::V) -> Self::V;
    /// `a >> S`, copying the sign.
    fn shr<const S: i32>(self, a: Self::V) -> Self::V;
    /// `a >> S`, filling with zeros.
    fn shr_logical<const S: i32>(self, a: Self::V) -> Self::V;
    /// `a >> s` copying the sign, `s` public and below the width.
    fn shr_by(self, a: Self::V, s: u32) -> Self::V;
    /// `a << s`, `s` public and below the width.
    fn shl_by(self, a: Self::V, s: u32) -> Self::V;
    /// All ones where `a > b`, else zero.
    fn gt(self, a: Self::V, b: Self::V) -> Self::V;
    /// All ones where `a < 0`, else zero.
    fn negative(self, a: Self::V) -> Self::V;
    /// Low half of the product.
    fn mul_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Exchanges the odd `K`-blocks of `a` with the even `K`-blocks of `b`:
    /// `(a0 b0 a2 b2 .., a1 b1 a3 b3 ..)`. Its own inverse.
    fn interleave<const K: usize>(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// In every chunk of [`CHUNK`](Lanes::CHUNK) words, takes words of `a` and `b` alternately:
    /// `(a0 b0 a1 b1 .., what follows)`.
    fn zip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// Writes the lanes of `a` for which `keep` is all ones (not zero) to the front of `out`, in order; the words after
    /// them are unspecified. Returns their number. **Variable time:** `keep` indexes memory and must be public.
    fn compact(self, a: Self::V, keep: Self::V, out: &mut Self::Block) -> usize;
}

/// Signed 16-bit lanes, which are also pairs of bytes, the low one first.
pub trait Lanes16: Lanes<Word = i16> {
    /// A table of sixteen bytes to look up.
    type Table: Copy;

    /// High half of the signed product: `floor(ab / 2^16)`.
    fn mul_hi(self, a: Self::V, b: Self::V) -> Self::V;
    /// `floor((ab + 2^14) / 2^15)`. The case `a = b = -2^15` differs between machines and must not
    /// be used.
    fn mul_round(self, a: Self::V, b: Self::V) -> Self::V;
    /// The bytes as a table.
    fn table(self, bytes: &[u8; 16]) -> Self::Table;
    /// For each byte `i` of `indices`: byte `i` of the table if `i < 16`, else 0. `i` never indexes memory.
    fn lookup_bytes(self, table: Self::Table, indices: Self::V) -> Self::V;
    /// All ones in each byte where `a > b` as signed bytes, else zero.
    fn gt_bytes(self, a: Self::V, b: Self::V) -> Self::V;
    /// All ones in each byte where `a = b`, else zero.
    fn eq_bytes(self, a: Self::V, b: Self::V) -> Self::V;

    /// Whether [`permute`](Self::permute) is an instruction.
    const PERMUTES: bool = false;
    /// For each lane the word of `a` that its index names, or the one of `b` for indices from `LANES` on. Indices are
    /// public and below `2·LANES`.
    #[inline(always)]
    fn permute(self, a: Self::V, b: Self::V, indices: Self::V) -> Self::V {
        let [mut both, mut at, mut out] = [[0; 2 * MAX_LANES], [0; 2 * MAX_LANES], [0; 2 * MAX_LANES]];
        self.store(&mut Self::blocks_mut(&mut both)[0], a);
        self.store(&mut Self::blocks_mut(&mut both[Self::LANES..])[0], b);
        self.store(&mut Self::blocks_mut(&mut at)[0], indices);
        for (out, at) in out.iter_mut().zip(&at[..Self::LANES]) {
            *out = both[*at as usize & (2 * Self::LANES - 1)];
        }
        self.load(&Self::blocks(&out)[0])
    }
}

/// Signed lanes of 32 or 64 bits, with products of twice the width that stay wide until narrowed.
pub trait LanesWide: Lanes {
    /// A value of `2·BITS` bits per lane.
    type Wide: Copy;
    /// The full signed product.
    fn widen_mul(self, a: Self::V, b: Self::V) -> Self::Wide;
    /// The full product of unsigned words.
    fn widen_mul_unsigned(self, a: Self::V, b: Self::V) -> Self::Wide;
    /// The product of the signed low half of `a` with `b`.
    fn widen_mul_low(self, a: Self::Wide, b: Self::V) -> Self::Wide;
    /// The unsigned product of the low half of `a` with `b`.
    #[inline(always)]
    fn widen_mul_low_unsigned(self, a: Self::Wide, b: Self::V) -> Self::Wide {
        self.widen_mul_unsigned(self.narrow_lo(a), b)
    }
    /// `a + b`, wrapping.
    fn wide_add(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a - b`, wrapping.
    fn wide_sub(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `a >> s`, filling with zeros, `s` public and below `2·BITS`.
    fn wide_shr(self, a: Self::Wide, s: u32) -> Self::Wide;
    /// Low half.
    fn narrow_lo(self, a: Self::Wide) -> Self::V;
    /// High half.
    fn narrow_hi(self, a: Self::Wide) -> Self::V;
    /// All ones where `a > b` as unsigned words, else zero.
    #[inline(always)]
    fn gt_unsigned(self, a: Self::V, b: Self::V) -> Self::V {
        let flip = |v| self.xor(v, self.splat(Self::word(1 << (Self::BITS - 1))));
        self.gt(flip(a), flip(b))
    }
    /// `a - b`, wrapping, plus `q` where `a < b` as unsigned words.
    #[inline(always)]
    fn sub_or_add(self, a: Self::V, b: Self::V, q: Self::V) -> Self::V {
        self.add(self.sub(a, b), self.and(self.gt_unsigned(b, a), q))
    }
    /// The smaller of two unsigned words.
    #[inline(always)]
    fn min_unsigned(self, a: Self::V, b: Self::V) -> Self::V {
        self.xor(a, self.and(self.gt_unsigned(a, b), self.xor(a, b)))
    }
    /// High half of `a - b`, if the low halves of `a` and `b` are equal.
    #[inline(always)]
    fn narrow_hi_of_equal_lows(self, a: Self::Wide, b: Self::Wide) -> Self::V {
        self.narrow_hi(self.wide_sub(a, b))
    }
}

/// Signed lanes of 64 bits, with two kinds of products modulo `q` that need no high half of a product: approximate
/// quotients, and doubles.
///
/// `v` holds the bits of a double. For products by doubles all backends compute the same word, provided that `x`, `y`,
/// `w` and `q` are at most `2^52` in absolute value, `x·v` is at most `2^51`, and the result is at most `2^52`. `h` is
/// the integer nearest to the double `x·v` (for two variables, to `v` times the double `x·y`), with ties to even. Arrays
/// compute it by integers; vectors of a machine multiply doubles, which Rust takes to be rounded to the nearest: where
/// foreign code has set another mode, `h` may differ by 1.
pub trait Lanes64: LanesWide<Word = i64> {
    /// An integer that differs from `a·v / 2^63` by at most 1; the backend determines which one. `|a| < 2^63 - 2^31`,
    /// `|v| < 2^62`.
    fn mul_hi_near(self, a: Self::V, v: Self::V) -> Self::V;
    /// The product of the low halves, as unsigned words of 32 bits.
    #[inline(always)]
    fn mul_low_halves(self, a: Self::V, b: Self::V) -> Self::V {
        let low = self.splat(0xFFFF_FFFF);
        self.mul_lo(self.and(a, low), self.and(b, low))
    }
    /// `x·w - h·q`, wrapping.
    #[inline(always)]
    fn mul_difference(self, x: Self::V, w: Self::V, h: Self::V, q: Self::V) -> Self::V {
        self.sub(self.mul_lo(x, w), self.mul_lo(h, q))
    }
    /// `x - h·q`, wrapping, with `h` the integer nearest to `⌊x/2^32⌋·c / 2^(32+s)`. `c < 2^31`, `s < 32`; `q` matters
    /// only modulo `2^64`.
    fn reduce_near(self, x: Self::V, c: Self::V, s: u32, q: Self::V) -> Self::V;
    /// Whether this CPU has an instruction for products of 52 bits.
    const MULTIPLIES_52: bool = false;
    /// `c` plus the low 52 bits of the unsigned product of the low 52 bits of `a` and `b`; the sum
    /// wraps.
    #[inline(always)]
    fn mul52_lo(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V {
        mul52_lo_wide(self, c, a, b)
    }
    /// `c` plus the high 52 bits of that product.
    #[inline(always)]
    fn mul52_hi(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V {
        mul52_hi_wide(self, c, a, b)
    }
    /// `x·w - h·q` for `h` of `x·v`.
    fn mul_by_double(self, x: Self::V, w: Self::V, v: Self::V, q: Self::V) -> Self::V;
    /// `x·y - h·q` for `h` of `x·y·v`.
    fn mul_var_by_double(self, x: Self::V, y: Self::V, v: Self::V, q: Self::V) -> Self::V;
    /// `x - h·q` for `h` of `x·v`.
    fn reduce_by_double(self, x: Self::V, v: Self::V, q: Self::V) -> Self::V;

    /// Whether integers stay doubles between products by doubles, because that saves more than it costs; otherwise they
    /// stay words.
    const KEEPS_DOUBLES: bool = false;
    /// Converts a word of at most `2^52` in absolute value to the kept form: a double, or the word
    /// itself.
    #[inline(always)]
    fn kept(self, x: Self::V) -> Self::V {
        x
    }
    /// The same for a word below `2^51`.
    #[inline(always)]
    fn kept_small(self, x: Self::V) -> Self::V {
        self.kept(x)
    }
    /// Undoes [`kept`](Self::kept).
    #[inline(always)]
    fn word_of_kept(self, x: Self::V) -> Self::V {
        x
    }
    /// The same for numbers below `2^51`.
    #[inline(always)]
    fn word_of_small(self, x: Self::V) -> Self::V {
        self.word_of_kept(x)
    }
    /// `a + b` in the kept form.
    #[inline(always)]
    fn add_kept(self, a: Self::V, b: Self::V) -> Self::V {
        self.add(a, b)
    }
    /// `a - b` in the kept form.
    #[inline(always)]
    fn sub_kept(self, a: Self::V, b: Self::V) -> Self::V {
        self.sub(a, b)
    }
    /// [`mul_by_double`](Self::mul_by_double) with `x`, `w`, `q` and the result in the kept form.
    #[inline(always)]
    fn mul_kept(self, x: Self::V, w: Self::V, v: Self::V, q: Self::V) -> Self::V {
        self.mul_by_double(x, w, v, q)
    }
    /// [`mul_var_by_double`](Self::mul_var_by_double) in the kept form.
    #[inline(always)]
    fn mul_var_kept(self, x: Self::V, y: Self::V, v: Self::V, q: Self::V) -> Self::V {
        self.mul_var_by_double(x, y, v, q)
    }
    /// [`reduce_by_double`](Self::reduce_by_double) in the kept form.
    #[inline(always)]
    fn reduce_kept(self, x: Self::V, v: Self::V, q: Self::V) -> Self::V {
        self.reduce_by_double(x, v, q)
    }
}

/// Lanes of 64 bits as bit strings: the operations that a permutation of bits needs, and exchanges that transpose
/// strings.
pub trait LanesBits: Copy + sealed::Sealed + 'static {
    /// A string of bits; `u64`.
    type Word: Copy + Default + 'static;
    /// A vector of [`LANES`](LanesBits::LANES) strings.
    type V: Copy;
    /// The vector in memory.
    type Block: Copy;

    /// Strings in a vector.
    const LANES: usize;

    /// `a` as whole blocks; a remainder is left out.
    fn blocks(a: &[Self::Word]) -> &[Self::Block];
    /// `a` as whole mutable blocks; a remainder is left out.
    fn blocks_mut(a: &mut [Self::Word]) -> &mut [Self::Block];
    /// Reads a block.
    fn load(self, b: &Self::Block) -> Self::V;
    /// Writes a block.
    fn store(self, b: &mut Self::Block, v: Self::V);
    /// The same string in each lane.
    fn splat(self, x: Self::Word) -> Self::V;
    /// Bitwise exclusive or.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `!a & b`, bit by bit.
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rotates each string by `S` bits towards its highest bit; `S` in `1..64`.
    fn rotate<const S: u32>(self, a: Self::V) -> Self::V;
    /// As [`Lanes::interleave`]: exchanges the odd blocks of `K` strings of `a` with the even ones of `b`; `K` is a
    /// power of two below [`LANES`](LanesBits::LANES).
    fn interleave<const K: usize>(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
}

/// The examples of `README.md` are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
