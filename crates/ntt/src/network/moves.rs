//! Moves: words change places whose numbers differ in the order of their bits alone. Nothing is computed.
//!
//! The number of a place is that of a vector, with the bits of the lane below it. Every move is made of exchanges of a
//! lane bit with a bit of the vector's number, which [`Kernel::interleave`] does for two vectors.

use super::{kernel::Kernel, registers::may_exceed};

/// Vectors of a span at most.
pub const MAX_SPAN: usize = 32;

/// Vectors whose exchanges go through registers together.
const AT_ONCE: usize = 8;

/// Runs `$body` with the number of lanes in a block as a constant `$b`, of those for which `$when` holds; returns `None`
/// if vectors have no such blocks.
macro_rules! by_block {
    ($k:ident, $block:expr, |$b:ident| $body:expr) => {
        by_block!($k, $block, |$b| $body, when true)
    };
    ($k:ident, $block:expr, |$b:ident| $body:expr, when $when:expr) => {
        by_block!($k, $block, |$b| $body, when $when, 1 2 4 8 16 32)
    };
    ($k:ident, $block:expr, |$b:ident| $body:expr, when $when:expr, $($lanes:literal)*) => {
        match $block {
            $($lanes if const { const $b: usize = $lanes; $when && may_exceed::<K>($b) } && $k.lanes() > $lanes => {
                const $b: usize = $lanes;
                $body
            })*
            _ => return None,
        }
    };
}

/// Runs `$body` for each exchange, in their order or from the last one to the first. A macro, because a closure would
/// be compiled without the instructions of the backend.
macro_rules! in_order {
    ($exchanges:expr, $back:expr, |$exchange:ident| $body:expr) => {
        if $back {
            for $exchange in $exchanges.iter().rev() {
                $body;
            }
        } else {
            for $exchange in $exchanges {
                $body;
            }
        }
    };
}

/// The exchange of two bits in the numbers of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The lane bit of blocks of `block` lanes, and the bit of the vector's number that stands for `distance` vectors.
    Lanes {
        /// A power of two.
        block: usize,
        /// A power of two.
        distance: usize,
    },
    /// Two bits of the vector's number.
    Vectors {
        /// The number of vectors that each bit stands for.
        distances: [usize; 2],
    },
}

/// A move of all words.
#[derive(Clone, Copy, Debug)]
pub enum Moves<'w> {
    /// Exchanges in every span of that many vectors, a power of two from 2 to [`MAX_SPAN`].
    Spans {
        /// Vectors of a span.
        vectors: usize,
        /// In the order in which they lead forward.
        exchanges: &'w [Exchange],
        /// Whether they are undone.
        back: bool,
    },
    /// The bits of a number of slots are reversed, of which the lowest are lane bits: `2^bits` lanes, a power of two
    /// from 2 to [`MAX_SPAN`]. The number has at least twice as many bits. Undoes itself.
    Reversal {
        /// The number of slots in a vector.
        slots: usize,
    },
}

/// Moves words.
#[inline(always)]
pub fn moved<K: Kernel>(k: &mut K, how: Moves<'_>, data: &mut [K::Block]) -> Option<()> {
    match how {
        Moves::Spans { vectors, exchanges, back } => {
            // Spans in registers, several at once; or each exchange in memory, which fits a cache.
            if vectors > AT_ONCE || !data.len().is_multiple_of(AT_ONCE) {
                in_order!(exchanges, back, |exchange| in_memory(k, *exchange, data)?);
                return Some(());
            }
            for span in data.as_chunks_mut::<AT_ONCE>().0 {
                let mut v = lockstep!(AT_ONCE, |i| k.load(&span[i]));
                in_order!(exchanges, back, |exchange| in_registers(k, *exchange, &mut v)?);
                for i in 0..AT_ONCE {
                    k.store(&mut span[i], v[i]);
                }
            }
            Some(())
        }
        Moves::Reversal { slots } => match slots {
            2 if const { may_exceed::<K>(1) } => reversal::<K, 2>(k, data),
            4 if const { may_exceed::<K>(2) } => reversal::<K, 4>(k, data),
            8 if const { may_exceed::<K>(4) } => reversal::<K, 8>(k, data),
            16 if const { may_exceed::<K>(8) } => reversal::<K, 16>(k, data),
            32 if const { may_exceed::<K>(16) } => reversal::<K, 32>(k, data),
            _ => None,
        },
    }
}

/// Exchanges bits in the numbers of vectors in registers.
#[inline(always)]
fn in_registers<K: Kernel>(k: &mut K, exchange: Exchange, v: &mut [K::V; AT_ONCE]) -> Option<()> {
    match exchange {
        Exchange::Lanes { block, distance: 1 } => by_block!(k, block, |B| across::<K, AT_ONCE, 1, B>(k, v)),
        Exchange::Lanes { block, distance: 2 } => by_block!(k, block, |B| across::<K, AT_ONCE, 2, B>(k, v)),
        Exchange::Lanes { block, .. } => by_block!(k, block, |B| across::<K, AT_ONCE, 4, B>(k, v)),
        Exchange::Vectors { distances: [4, 2] | [2, 4] } => swapped::<K, 4, 2>(v),
        Exchange::Vectors { distances: [4, 1] | [1, 4] } => swapped::<K, 4, 1>(v),
        Exchange::Vectors { .. } => swapped::<K, 2, 1>(v),
    }
    Some(())
}

/// Exchanges bits in the numbers of vectors in memory.
#[inline(always)]
fn in_memory<K: Kernel>(k: &mut K, exchange: Exchange, data: &mut [K::Block]) -> Option<()> {
    match exchange {
        Exchange::Lanes { block, distance } => by_block!(k, block, |B| {
            let mut rest = &mut *data;
            while let Some((pair, others)) = rest.split_at_mut_checked(2 * distance) {
                rest = others;
                let (low, high) = pair.split_at_mut_checked(distance)?;
                for (a, b) in low.iter_mut().zip(high) {
                    let (x, y) = (k.load(a), k.load(b));
                    let (x, y) = k.interleave::<B>(x, y);
                    k.store(a, x);
                    k.store(b, y);
                }
            }
        }),
        Exchange::Vectors { distances: [a, b] } => {
            for i in 0..data.len() {
                if i & a != 0 && i & b == 0 {
                    let j = i - a + b;
                    let (x, y) = (k.load(data.get(i)?), k.load(data.get(j)?));
                    k.store(data.get_mut(i)?, y);
                    k.store(data.get_mut(j)?, x);
                }
            }
        }
    }
    Some(())
}

/// Exchanges the lane bit of blocks of `B` lanes with the number bit of `D` vectors.
#[inline(always)]
fn across<K: Kernel, const T: usize, const D: usize, const B: usize>(k: &mut K, v: &mut [K::V; T]) {
    for i in 0..T {
        if i & D == 0 {
            (v[i], v[i + D]) = k.interleave::<B>(v[i], v[i + D]);
        }
    }
}

/// Exchanges two number bits.
#[inline(always)]
fn swapped<K: Kernel, const A: usize, const B: usize>(v: &mut [K::V; AT_ONCE]) {
    for i in 0..AT_ONCE {
        if i & A != 0 && i & B == 0 {
            v.swap(i, i - A + B);
        }
    }
}

/// Reverses numbers whose lowest bits are the `T` upper lane groups and whose highest ones number the `T` rows of
/// memory: tiles of one vector of each row are turned and change places in pairs.
#[inline(always)]
fn reversal<K: Kernel, const T: usize>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    let of_row = data.len() / T;
    let bits = of_row.checked_ilog2()?;
    // Tiles that share lines of the cache follow one another, here and at the other end.
    let near = (LINE / size_of::<K::Block>().max(1)).checked_ilog2().unwrap_or(0).min(bits / 2);
    let low = (1 << near) - 1;
    for i in 0..of_row {
        let at = (i >> near & low) << (bits - near) | i >> (2 * near) << near | i & low;
        let to = if bits == 0 { 0 } else { at.reverse_bits() >> (usize::BITS - bits) };
        if at < to {
            let (here, there) = (tile::<K, T>(k, data, of_row, at)?, tile::<K, T>(k, data, of_row, to)?);
            put::<K, T>(k, data, of_row, to, here)?;
            put::<K, T>(k, data, of_row, at, there)?;
        } else if at == to {
            let here = tile::<K, T>(k, data, of_row, at)?;
            put::<K, T>(k, data, of_row, at, here)?;
        }
    }
    Some(())
}

/// Bytes that processors fetch together.
const LINE: usize = 128;

/// The turned tile of that column: the lane bits of `T` groups are exchanged with the row's, the lowest with the highest.
#[inline(always)]
fn tile<K: Kernel, const T: usize>(k: &mut K, data: &[K::Block], of_row: usize, at: usize) -> Option<[K::V; T]> {
    let mut v = lockstep!(T, |i| k.load(data.get(i * of_row + at)?));
    turned::<K, T, 16>(k, &mut v)?;
    turned::<K, T, 8>(k, &mut v)?;
    turned::<K, T, 4>(k, &mut v)?;
    turned::<K, T, 2>(k, &mut v)?;
    turned::<K, T, 1>(k, &mut v)?;
    Some(v)
}

/// The exchange with the row bit of `D` rows.
#[inline(always)]
fn turned<K: Kernel, const T: usize, const D: usize>(k: &mut K, v: &mut [K::V; T]) -> Option<()> {
    if const { D < T && may_exceed::<K>(1) } {
        let block = k.lanes() / (2 * D);
        by_block!(k, block, |B| across::<K, T, D, B>(k, v), when has_block::<K>(D, B));
    }
    Some(())
}

/// Whether a kernel may have such blocks where its lanes are exchanged with `distance` rows.
const fn has_block<K: Kernel>(distance: usize, block: usize) -> bool {
    match K::LANES {
        Some(lanes) => lanes == 2 * distance * block,
        None => true,
    }
}

#[inline(always)]
fn put<K: Kernel, const T: usize>(
    k: &mut K,
    data: &mut [K::Block],
    of_row: usize,
    at: usize,
    v: [K::V; T],
) -> Option<()> {
    for (i, v) in v.into_iter().enumerate() {
        k.store(data.get_mut(i * of_row + at)?, v);
    }
    Some(())
}
