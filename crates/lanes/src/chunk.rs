//! Tables for vectors of 128 bits: byte shuffles that write zero for indices from 16 on.

use crate::padded;

/// For each set of words of `word` bytes, the byte indices of its members, one after the other.
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

/// The places of values of `width` bits in sixteen bytes.
pub(crate) struct Places {
    /// The source bytes of each word.
    pub(crate) shuffle: [u8; 16],
    /// The left shift that then aligns the value with the top of its word; stored in the word's low
    /// byte.
    pub(crate) up: [u8; 16],
}

impl Places {
    /// For words of `word` bytes, with the first value starting at bit `first`.
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

/// [`Places`] for products, where there are no shifts by different counts: the factors move each value to the top.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) struct Factors {
    pub(crate) shuffle: [u8; 16],
    pub(crate) factors: [u8; 16],
}

#[cfg(not(target_arch = "aarch64"))]
impl Factors {
    pub(crate) const fn new(width: usize, word: usize, first: usize) -> Self {
        let Places { shuffle, up } = Places::new(width, word, first);
        let (mut factors, mut i) = ([0; 16], 0);
        while i < 16 {
            factors[i + up[i] as usize / 8] = 1 << (up[i] % 8);
            i += word;
        }
        Self { shuffle, factors }
    }
}

/// Whether the 16 bits from a value's first byte on always hold the whole value, if every eighth
/// value begins at a byte.
pub(crate) const fn two_bytes_hold(width: usize) -> bool {
    width < 11 || width & 3 == 0
}

/// Passes the sixteen bytes from `at` on to `load`, with zeros after the end.
#[inline(always)]
pub(crate) fn window<V>(bytes: &[u8], at: usize, load: impl Fn(&[u8; 16]) -> V) -> V {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(window) => load(window),
        None => load(&padded(bytes, at)),
    }
}
