//! From bytes to values, 32 at a time: no random number indexes memory.
//!
//! One term of 32 values takes a *record* of bytes:
//!
//! | bytes | meaning |
//! |---|---|
//! | 32 | columns: the low bits of byte `b` say which column value `b` takes |
//! | 4 · 32 | the upper four bytes of the 96-bit numbers that are compared with thresholds, the highest bytes of all first |
//! | 8 | for the lower eight bytes of these numbers, from high to low: one for all 32 values |
//! | 4 | signs, 1 for minus |
//!
//! "Value `b`" is `out[b/2]` for even `b` and `out[16 + b/2]` for odd `b`, the order of bytes in lanes of 16 bits. For
//! signs, bit `i` of the little-endian number belongs to `out[i]`. The digits of the compared numbers are bytes with
//! the top bit inverted, so that signed comparisons apply. The records of all terms of 32 values follow each other,
//! then those of the next 32 values. As many groups as have at most 32 records together form a *block*, which starts
//! with 8 · 32 further bytes: in each record of the block, each of the eight lower bytes of value `b` is the record's
//! byte xor byte `b` of that row.
//!
//! **Shared bytes.** Lower bytes matter for a value only if its own four bytes equal those of its threshold, a *tie*.
//! The lower bytes of any three values of a block are independent and uniform: values are edges between records and
//! places, each the sum of its two ends, and edges without a cycle are independent; a cycle has four. So unless four of
//! the up to 2^10 numbers of a block tie, they are distributed as if each had twelve bytes of its own. In a block of
//! `m` numbers that has probability at most `C(m, 4)·2^-128`; per number it is largest in a full block, and below
//! `2^25.5·2^-128`.
//!
//! **Two ways to look up.** With vectors, a table of `16·S` bytes is in `S` registers; register `g` looks up
//! `column xor 16g`, which is below 16 only for its own columns and gives 0 for others; the results are combined by or.
//! Without vectors, each value scans the whole table and keeps the entry of its column by a mask:
//! [`Tables::one_by_one`].

use super::{
    super::Word,
    alias::{Column, THRESHOLD},
};
use crate::{ct::Wiped, xof::ByteStream};
use lanes::{Backend, Lanes16, Opaque, Task16};

/// Values drawn together.
const GROUP: usize = 2 * HALF;
/// Values in the even bytes of a group, or in the odd ones.
const HALF: usize = 16;
/// Threshold bytes that each value compares with bytes of its own.
const OWN: usize = 4;
/// Threshold bytes compared with sums of shared bytes.
const SHARED: usize = THRESHOLD - OWN;
/// Bytes of 32 signs.
const SIGNS: usize = 4;
/// Bytes of the record of one term.
const RECORD: usize = (1 + OWN) * GROUP + SHARED + SIGNS;
/// Bytes at the start of a block.
const HEADER: usize = SHARED * GROUP;
/// The largest number of records in a block.
const BLOCK: usize = 32;
/// log2 of the cost of sharing for each number, rounded up.
pub(super) const TIE_LOG2: f64 = 25.5 - 32.0 * OWN as f64;
// C(2^10, 4) < 2^40/4! < 2^35.5 = 48 592 007 999.6…
const _: () = assert!(BLOCK * GROUP == 1 << 10 && 1_u64 << 40 < 24 * 48_592_007_999);

/// Sixteen entries of a byte table.
type Segment = [u8; 16];
/// Byte tables: those of the thresholds, highest byte first, and the other outcome.
const ROWS: usize = THRESHOLD + 1;

/// An alias table ready for lookups, and the multipliers of its terms.
#[derive(Clone)]
pub(super) struct Tables {
    columns: Vec<Column>,
    /// The same in bytes, row by row, segment by segment.
    segments: Vec<Segment>,
    multipliers: Vec<i32>,
}

impl Tables {
    pub(super) fn new(columns: Vec<Column>, multipliers: Vec<i32>) -> Self {
        let entry = |row: usize, column: &Column| match row {
            THRESHOLD => column.other,
            _ => column.threshold.to_be_bytes()[16 - THRESHOLD + row] ^ 0x80,
        };
        let rows = (0..ROWS).flat_map(|row| columns.iter().map(move |column| entry(row, column)));
        let segments = rows.collect::<Vec<u8>>().as_chunks().0.to_vec();
        Self { columns, segments, multipliers }
    }

    pub(super) fn draw<W: Word>(&self, backend: Backend, stream: &mut impl ByteStream, out: &mut [W]) {
        let terms = self.multipliers.len();
        let groups = BLOCK.checked_div(terms).expect("at least one term");
        let length = |values: usize| HEADER + terms * RECORD * values.div_ceil(GROUP);
        let mut bytes = Wiped::<u8>::zeros(length(out.len().min(groups * GROUP)));
        for out in out.chunks_mut(groups * GROUP) {
            let bytes = &mut bytes[..length(out.len())];
            stream.read(bytes);
            match (backend, self.columns.len()) {
                (Backend::Scalar, _) => self.one_by_one(bytes, out),
                (_, 32) => self.run::<2, W>(backend, bytes, out),
                (_, 64) => self.run::<4, W>(backend, bytes, out),
                (_, 128) => self.run::<8, W>(backend, bytes, out),
                (_, 256) => self.run::<16, W>(backend, bytes, out),
                _ => unreachable!("tables have 32 to 256 columns"),
            }
        }
    }

    /// The same without vectors, by the definition.
    fn one_by_one<W: Word>(&self, bytes: &[u8], out: &mut [W]) {
        let (header, records) = parts(bytes);
        let mut records = records.iter();
        for out in out.chunks_mut(GROUP) {
            let mut sums = [0_i32; GROUP];
            for (&k, record) in self.multipliers.iter().zip(&mut records) {
                let (own, shared) = record.split_at((1 + OWN) * GROUP);
                let (shared, signs) = shared.split_at(SHARED);
                let signs = u32::from_le_bytes(*signs.first_chunk().expect("signs"));
                for b in 0..GROUP {
                    let column = u64::from(own[b]) & (self.columns.len() as u64 - 1);
                    let upper = (1..=OWN).map(|row| own[row * GROUP + b]);
                    let lower = (0..SHARED).map(|row| shared[row] ^ header[row * GROUP + b]);
                    let number = upper.chain(lower).fold(0, |number, byte| number << 8 | u128::from(byte ^ 0x80));
                    let [mut high, mut low, mut other] = [0; 3];
                    for (i, entry) in (0..).zip(&self.columns) {
                        let here = (column ^ i).wrapping_sub(1) >> 63; // 1 for its column, else 0
                        let mask = here.wrapping_neg().opaque();
                        high |= mask & (entry.threshold >> 64) as u64;
                        low |= mask & entry.threshold as u64;
                        other |= mask & u64::from(entry.other);
                    }
                    let threshold = u128::from(high) << 64 | u128::from(low);
                    let below = (number.wrapping_sub(threshold) >> 127) as u64; // both are below 2^96
                    let value = other ^ (other ^ column) & below.wrapping_neg().opaque();
                    let at = b >> 1 | (b & 1) << 4;
                    let minus = (-((signs >> at & 1) as i32)).opaque();
                    sums[at] = sums[at].wrapping_add(k.wrapping_mul((value as i32 ^ minus) - minus));
                }
            }
            write(out, &sums);
        }
    }

    fn run<const S: usize, W: Word>(&self, backend: Backend, bytes: &[u8], out: &mut [W]) {
        let (rows, _) = self.segments.as_chunks().0.split_first_chunk().expect("as many rows as a table has");
        backend.at_most(HALF, 16).run16(Draw::<S, W> { rows, multipliers: &self.multipliers, bytes, out });
    }
}

/// The start of a block, and its records.
#[inline(always)]
fn parts(bytes: &[u8]) -> (&[u8; HEADER], &[[u8; RECORD]]) {
    let (header, records) = bytes.split_first_chunk().expect("the start of a block");
    (header, records.as_chunks().0)
}

/// The sums as words.
#[inline(always)]
fn write<W: Word>(out: &mut [W], sums: &[i32; GROUP]) {
    for (out, &sum) in out.iter_mut().zip(sums) {
        *out = W::truncate(sum.into());
    }
}

/// Fills `out` from records.
struct Draw<'a, const S: usize, W> {
    rows: &'a [[Segment; S]; ROWS],
    multipliers: &'a [i32],
    bytes: &'a [u8],
    out: &'a mut [W],
}

impl<const S: usize, W: Word> Task16 for Draw<'_, S, W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes16>(self, l: L) {
        let (header, records) = parts(self.bytes);
        let mut records = records.iter();
        for out in self.out.chunks_mut(GROUP) {
            let mut sums = [0_i32; GROUP];
            for &k in self.multipliers {
                let Some(record) = records.next() else { return };
                let values = term(l, self.rows, header, record);
                for i in 0..GROUP {
                    sums[i] = sums[i].wrapping_add(k.wrapping_mul(values[i].into()));
                }
            }
            write(out, &sums);
        }
    }
}

/// The values of one record.
#[inline(always)]
fn term<L: Lanes16, const S: usize>(
    l: L,
    rows: &[[Segment; S]; ROWS],
    header: &[u8; HEADER],
    record: &[u8; RECORD],
) -> [i16; GROUP] {
    let (own, shared) = record.split_at((1 + OWN) * GROUP);
    let (shared, signs) = shared.split_at(SHARED);
    let mut out = [0; GROUP];
    let (first, second) = out.split_at_mut(HALF);
    for (v, (first, second)) in L::blocks_mut(first).iter_mut().zip(L::blocks_mut(second)).enumerate() {
        let column = l.and(load(l, own, 0, v), pair(l, [(16 * S - 1) as u8; 2]));
        let mut indices = [column; S];
        for (g, index) in indices.iter_mut().enumerate() {
            *index = l.xor(column, pair(l, [16 * g as u8; 2]));
        }
        // From the lowest byte up: below, if this byte is below, or if it is equal and the lower bytes were below.
        let mut below = l.splat(0);
        for row in (0..THRESHOLD).rev() {
            let number = match row.checked_sub(OWN) {
                None => load(l, own, 1 + row, v),
                Some(row) => l.xor(load(l, header, row, v), pair(l, [shared[row]; 2])),
            };
            let threshold = lookup(l, &rows[row], &indices);
            let tied = l.and(l.eq_bytes(threshold, number), below);
            below = l.or(l.gt_bytes(threshold, number), tied);
        }
        let other = lookup(l, &rows[THRESHOLD], &indices);
        let value = l.xor(other, l.and(l.xor(other, column), below));
        l.store(first, signed(l, l.and(value, l.splat(0xFF)), v, [signs[0], signs[1]]));
        l.store(second, signed(l, l.shr_logical::<8>(value), v, [signs[2], signs[3]]));
    }
    out
}

/// Looks up in a table of `S` segments, each with its own indices.
#[inline(always)]
fn lookup<L: Lanes16, const S: usize>(l: L, row: &[Segment; S], indices: &[L::V; S]) -> L::V {
    let mut entry = l.lookup_bytes(l.table(&row[0]), indices[0]);
    for g in 1..S {
        entry = l.or(entry, l.lookup_bytes(l.table(&row[g]), indices[g]));
    }
    entry
}

/// `x`, or `-x` where the sign bit is set: vector `v` of sixteen lanes takes bits from `v·LANES` on.
#[inline(always)]
fn signed<L: Lanes16>(l: L, x: L::V, v: usize, signs: [u8; 2]) -> L::V {
    /// Moves bit `i` to the top.
    const SHIFTS: [i16; 16] = {
        let mut shifts = [0; 16];
        let mut i = 0;
        while i < 16 {
            shifts[i] = (1_u16 << (15 - i)) as i16;
            i += 1;
        }
        shifts
    };
    let minus = l.negative(l.mul_lo(pair(l, signs), l.load(&L::blocks(&SHIFTS)[v])));
    l.sub(l.xor(x, minus), minus)
}

/// The same two bytes in each lane.
#[inline(always)]
fn pair<L: Lanes16>(l: L, bytes: [u8; 2]) -> L::V {
    l.splat(i16::from_le_bytes(bytes))
}

/// Vector `v` of that row of 32 bytes.
#[inline(always)]
fn load<L: Lanes16>(l: L, bytes: &[u8], row: usize, v: usize) -> L::V {
    let row = &bytes[row * GROUP..][..GROUP];
    let mut words = [0; HALF];
    for (word, bytes) in words.iter_mut().zip(row.as_chunks().0) {
        *word = i16::from_le_bytes(*bytes);
    }
    l.load(&L::blocks(&words)[v])
}
