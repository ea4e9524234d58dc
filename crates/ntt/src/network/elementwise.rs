//! What lies between transforms, element by element: reductions, sums, representatives of residues,
//! and the way from residues modulo several primes to one modulo any number.

use super::kernel::{Kernel, Residues};

/// Stores `$body` of every `$v` of `$data`.
macro_rules! each {
    ($k:ident, $data:expr, |$v:ident| $body:expr) => {{
        for x in $data {
            let $v = $k.load(x);
            let v = $body;
            $k.store(x, v);
        }
        Some(())
    }};
    ($k:ident, $data:expr, $addend:expr, |$v:ident, $w:ident| $body:expr) => {{
        for (x, y) in $data.iter_mut().zip($addend) {
            let ($v, $w) = ($k.load(x), $k.load(y));
            let v = $body;
            $k.store(x, v);
        }
        Some(())
    }};
}

pub(super) use each;

/// Reduces every value by the reduction of the method.
#[inline(always)]
pub fn reduce<K: Kernel>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each!(k, data, |x| k.reduce(x))
}

/// Multiplies every value by the first scaling twiddle.
#[inline(always)]
pub fn scale<K: Kernel>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    let [scale, _] = k.scaling();
    each!(k, data, |x| {
        let [x] = k.mul([x], [scale]);
        x
    })
}

/// Multiplies every value by the first scaling twiddle, adds `addend`, and brings the sums into
/// `[0, q)`; `SMALL` addends are in `[0, 2q)`, and products in `(-q, q)`.
#[inline(always)]
pub fn scale_and_add<K: Residues, const SMALL: bool>(
    k: &mut K,
    data: &mut [K::Block],
    addend: &[K::Block],
) -> Option<()> {
    let [scale, _] = k.scaling();
    each!(k, data, addend, |x, y| {
        let [x] = k.mul([x], [scale]);
        let sum = k.add(x, y);
        if SMALL { k.canonical_of_sum::<true>(sum) } else { k.canonical(sum) }
    })
}

/// Subtracts `subtrahend`, and multiplies the differences by the first scaling twiddle.
#[inline(always)]
pub fn subtract_and_scale<K: Kernel>(k: &mut K, data: &mut [K::Block], subtrahend: &[K::Block]) -> Option<()> {
    let [scale, _] = k.scaling();
    each!(k, data, subtrahend, |x, y| {
        let difference = k.sub(x, y);
        let [x] = k.mul([difference], [scale]);
        x
    })
}

/// Brings words of any size into `[0, q)`.
#[inline(always)]
pub fn canonical<K: Residues>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each!(k, data, |x| k.canonical(x))
}

/// Brings values in `(-q, q)` into `[0, q)`.
#[inline(always)]
pub fn canonical_of_reduced<K: Residues>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each!(k, data, |x| k.add_q_to_negative(x))
}

/// Brings values that a reduction brings into `(-q, q)` into `[0, q)`.
#[inline(always)]
pub(super) fn canonical_by_reduction<K: Residues>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each!(k, data, |x| {
        let x = k.reduce(x);
        k.add_q_to_negative(x)
    })
}

/// Brings words of any size to at most `q/2` in absolute value.
#[inline(always)]
pub fn centre<K: Residues>(k: &mut K, data: &mut [K::Block]) -> Option<()> {
    each!(k, data, |x| centred(k, x))
}

#[inline(always)]
fn centred<K: Residues>(k: &mut K, x: K::V) -> K::V {
    let x = k.canonical(x);
    k.sub_q_above_half(x)
}

/// `a + b`, or `a - b`, in `[0, q)`, of operands in `(-q, q)`; or of any, which are centred first, where `CENTRED` says
/// that their sum might leave the word.
#[inline(always)]
pub fn add<K: Residues, const CENTRED: bool>(
    k: &mut K,
    negative: bool,
    a: &mut [K::Block],
    b: &[K::Block],
) -> Option<()> {
    each!(k, a, b, |x, y| {
        let (x, y) = if CENTRED { (centred(k, x), centred(k, y)) } else { (x, y) };
        let sum = if negative { k.sub(x, y) } else { k.add(x, y) };
        // Of centred operands, twice q may not fit the word.
        if CENTRED { k.canonical(sum) } else { k.canonical_of_sum::<false>(sum) }
    })
}

/// Adds any words, and brings the sums, as words, into `[0, q)`.
#[inline(always)]
pub fn add_words<K: Residues>(k: &mut K, a: &mut [K::Block], b: &[K::Block]) -> Option<()> {
    each!(k, a, b, |x, y| {
        let sum = k.add(x, y);
        k.canonical(sum)
    })
}

/// Adds `addend`, and reduces the sums.
#[inline(always)]
pub fn add_reduced<K: Kernel>(k: &mut K, data: &mut [K::Block], addend: &[K::Block]) -> Option<()> {
    each!(k, data, addend, |x, y| {
        let sum = k.add(x, y);
        k.reduce(sum)
    })
}

/// An operation on every value, or on pairs of values at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elementwise {
    /// [`reduce`].
    Reduce,
    /// [`scale`].
    Scale,
    /// [`canonical`].
    Canonical,
    /// [`canonical_of_reduced`].
    CanonicalOfReduced,
    /// [`centre`].
    Centre,
    /// [`add`] of words in `(-q, q)` whose sums fit the word: a difference if `negative`.
    Add {
        /// Subtract.
        negative: bool,
    },
    /// [`add`] of any words.
    AddCentred {
        /// Subtract.
        negative: bool,
    },
    /// [`add_words`].
    AddWords,
    /// [`add_reduced`].
    AddReduced,
    /// [`scale_and_add`] of any addends whose sums fit the word.
    ScaleAndAdd,
    /// [`scale_and_add`] of addends in `[0, 2q)`.
    ScaleAndAddSmall,
    /// [`subtract_and_scale`] of words whose differences fit the word.
    SubtractAndScale,
}

/// Runs one of the operations above; `addend` is read by those of pairs alone.
#[inline(always)]
pub fn elementwise<K: Residues>(k: &mut K, how: Elementwise, data: &mut [K::Block], addend: &[K::Block]) -> Option<()> {
    match how {
        Elementwise::Reduce => reduce(k, data),
        Elementwise::Scale => scale(k, data),
        Elementwise::Canonical => canonical(k, data),
        Elementwise::CanonicalOfReduced => canonical_of_reduced(k, data),
        Elementwise::Centre => centre(k, data),
        Elementwise::Add { negative } => add::<K, false>(k, negative, data, addend),
        Elementwise::AddCentred { negative } => add::<K, true>(k, negative, data, addend),
        Elementwise::AddWords => add_words(k, data, addend),
        Elementwise::AddReduced => add_reduced(k, data, addend),
        Elementwise::ScaleAndAdd => scale_and_add::<K, false>(k, data, addend),
        Elementwise::ScaleAndAddSmall => scale_and_add::<K, true>(k, data, addend),
        Elementwise::SubtractAndScale => subtract_and_scale(k, data, addend),
    }
}

/// How coefficients from `n` on are folded into the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// `X^n = -1`.
    Negacyclic,
    /// `X^n = 1`.
    Cyclic,
    /// `X^n = X^(n/2) - 1`.
    Trinomial,
}

/// Folds the coefficients in `high`, fewer than those in `low`, into these, and reduces all.
/// Vectors have one value.
#[inline(always)]
pub fn fold<K: Kernel>(k: &mut K, how: Fold, low: &mut [K::Block], high: &mut [K::Block]) -> Option<()> {
    reduce(k, low)?;
    reduce(k, high)?;
    let half = low.len() / 2;
    match how {
        Fold::Negacyclic => each!(k, low, &*high, |x, y| k.sub(x, y))?,
        Fold::Cyclic => each!(k, low, &*high, |x, y| k.add(x, y))?,
        Fold::Trinomial => {
            // X^(n+i) = X^(n/2+i) - X^i, and once more X^(3n/2+i) = -X^i.
            let (first, second) = high.split_at_checked(half.min(high.len()))?;
            each!(k, low, first, |x, y| k.sub(x, y))?;
            each!(k, low, second, |x, y| k.sub(x, y))?;
            each!(k, low.get_mut(half..)?, first, |x, y| k.add(x, y))?;
        }
    }
    reduce(k, low)
}

/// Primes of a CRT reconstruction at most.
pub const MAX_PRIMES: usize = 6;

/// Reconstructs residues modulo `q` from residues modulo primes, section by section, into the first
/// section, in `[0, q)`. With centred digits
///
/// `v_1 = x_1 mod p_1`, `v_2 = (x_2 - v_1)·p_1^-1 mod p_2`,
/// `v_3 = ((x_3 - v_1)·p_1^-1 - v_2)·p_2^-1 mod p_3`, …
///
/// the integer is `v_1 + v_2·p_1 + v_3·p_1·p_2 + …`. The table of `q` is a row of the products
/// `p_1⋯p_i`, that of the `i`-th prime a row of the inverses of those before it.
///
/// Source: Garner, *The residue number system* (1959).
#[inline(always)]
pub fn garner<K: Residues>(q: &mut K, primes: &mut [K], sections: usize, data: &mut [K::Block]) -> Option<()> {
    q.row(primes.len(), 0)?;
    for (i, prime) in primes.iter_mut().enumerate() {
        prime.row(i, 0)?;
    }
    for at in 0..sections {
        let first = q.load(data.get(at)?);
        let (mut digits, mut total) = ([first; MAX_PRIMES], None);
        for (i, prime) in primes.iter_mut().enumerate() {
            let mut x = prime.load(data.get(i * sections + at)?);
            for (j, digit) in digits.iter().take(i).enumerate() {
                let difference = prime.sub(x, *digit);
                let inverse = prime.twiddle(j);
                [x] = prime.mul([difference], [inverse]);
            }
            let digit = centred(prime, x);
            *digits.get_mut(i)? = digit;
            let weight = q.twiddle(i);
            let [term] = q.mul([digit], [weight]);
            total = Some(match total {
                None => term,
                Some(total) => {
                    let total = q.reduce(total);
                    q.add(total, term)
                }
            });
        }
        let value = q.canonical(total?);
        q.store(data.get_mut(at)?, value);
    }
    Some(())
}
