//! Tables for vectors of 128 bits, whose bytes one instruction takes to any places, with zeros for
//! places from 16 on.

use crate::padded;

/// For each set of words of so many bytes, where the bytes of those in it are, one after the other.
pub(crate) const fn fronts<const SETS: usize>(word: usize) -> [[u8; 16]; SETS] {
    let mut table = [[0; 16]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut from, mut front) = (0, 0);
        while from < 16 {
            if set >> (from / word) & 1 == 1 {
                table[set][front] = from as u8;
                front += 1;
            }
            from += 1;
        }
        set += 1;
    }
    table
}

/// Where values of `width` bits are in sixteen bytes.
pub(crate) struct Places {
    /// The bytes that come to each word.
    pub(crate) shuffle: [u8; 16],
    /// How far up the value of each word must go then to end with its word, in the word's low byte.
    pub(crate) up: [u8; 16],
}

impl Places {
    /// For words of so many bytes, whose first value begins at that bit.
    pub(crate) const fn new(width: usize, word: usize, first: usize) -> Self {
        let mut places = Self { shuffle: [0; 16], up: [0; 16] };
        let mut i = 0;
        while i < 16 {
            let bit = first + width * (i / word);
            places.shuffle[i] = (bit / 8 + i % word) as u8;
            if i % word == 0 {
                places.up[i] = (8 * word - width - bit % 8) as u8;
            }
            i += 1;
        }
        places
    }
}

/// Whether 16 bits from the first byte of a value on always hold all of it, if the value that begins
/// a byte has eight after it.
pub(crate) const fn two_bytes_hold(width: usize) -> bool {
    width < 11 || width & 3 == 0
}

/// Hands the sixteen bytes from that one on to `load`, with zeros behind the end.
#[inline(always)]
pub(crate) fn window<V>(bytes: &[u8], at: usize, load: impl Fn(&[u8; 16]) -> V) -> V {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(window) => load(window),
        None => load(&padded(bytes, at)),
    }
}
