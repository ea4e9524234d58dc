//! Whole computations with K-RED, and the constant K that each of them needs.
//!
//! The paper states K = k¹⁰ for the two products of the key exchange (section 4). Here K is
//! derived: the computation runs once without correction (K = 1), the exponent that its words carry
//! at the end is K's, and a second run with that K in the last stage of the inverse must end with
//! exponent 0.
//!
//! **A product** INTT(NTT(a)∘NTT(b)): each transform leaves k; two K-REDs bring the pointwise
//! products down; the inverse leaves k; two K-REDs and a conditional correction reduce the result
//! fully.
//!
//! **The key exchange**, first operation of section 4, v = INTT(b∘NTT(s') + NTT(e'')) with b =
//! a∘NTT(s) + NTT(e):
//!
//! 1. a is drawn in the transform domain, exponent 0;
//! 2. a∘NTT(s) is followed by one K-RED; e is multiplied by the power of k that makes NTT(e) as
//!    heavy, and added;
//! 3. two K-REDs and a correction reduce b fully for its way over the wire: it keeps its power of
//!    k;
//! 4. b∘NTT(s') is followed by one K-RED; e'' is balanced likewise and added; a second K-RED
//!    follows;
//! 5. the inverse, two K-REDs and a correction give v.
//!
//! The noise is balanced before its transform, where it is small: |e|·k^i stays below q, as
//! [`ntt_k`] wants. The second operation (u and v') is the same computation with no e''. Whatever the registers, the
//! computation is one: [`sent`] and [`shared`].
//!
//! Ranges: inputs in [0, q) (`product`) or centered with |noise| ≤ 50 (`exchange`); results in [0,
//! q). In the exchange one factor of every pointwise product is fully reduced, so that the slots
//! enter the inverse below 2²⁵/2¹² + q < 2¹⁵, where 32 bits are proved to suffice. In a product of
//! two raw transforms, each below 2²³, they enter below 2²² + q only; there no worst-case argument
//! for 32 bits is known to us, and the debug assertions of [`intt_k`] watch.

use super::{KTables, Q12289, Register, Word, intt_k, ntt_k};

/// The inputs of one half of the key exchange: a in the transform domain, s, e, s' and e'' centered
/// and small.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// a, bit-reversed slots, in [0, q).
    pub a_hat: Vec<i64>,
    /// The secret of the side that sends b.
    pub s: Vec<i64>,
    /// The noise in b.
    pub e: Vec<i64>,
    /// The secret s' of the side that receives b.
    pub s_prime: Vec<i64>,
    /// The noise e'' that is added to the second product.
    pub e_second: Vec<i64>,
}

/// The powers of k that a register has in some places of the exchange: those of [`Word`]s, which know theirs.
mod powers {
    /// b as it is sent.
    pub(super) const SENT: i32 = 4;
    /// A product behind one K-RED has one more than a transform of noise, for b and for v.
    pub(super) const MISSING: [i32; 2] = [1, 5];
}

fn registers<R: Register>(values: &[i64]) -> Vec<R> {
    values.iter().map(|&value| R::of(value)).collect()
}

/// NTT^K of small integers.
pub fn forward<R: Register>(values: &[i64], tables: &KTables) -> Vec<R> {
    let mut a = registers(values);
    ntt_k(&mut a, tables);
    a
}

/// Pointwise products, each followed by one K-RED.
fn pointwise<R: Register>(a: &[R], b: &[R]) -> Vec<R> {
    a.iter().zip(b).map(|(&x, &y)| R::k_red(x.times(y))).collect()
}

fn k_red_all<R: Register>(a: &mut [R]) {
    a.iter_mut().for_each(|x| *x = R::k_red(x.wide()));
}

/// Two K-REDs and a correction: the words in [0, q), with two powers of k more. **Range**: |input|
/// < 2³⁶.
pub fn reduce_fully<R: Register>(a: &mut [R]) {
    k_red_all(a); // < q + 2²⁴
    k_red_all(a); // k·c0 − c1 with |c1| ≤ 2¹² + 4: in (−q, 2q)
    for x in a {
        *x = x.corrected();
        debug_assert!((0..Q12289.q() as i64).contains(&x.value()));
    }
}

/// Adds small noise in the transform domain: multiplied beforehand by the powers of k that `sum` has
/// and NTT^K has not.
fn add_balanced<R: Register>(sum: &mut [R], noise: &[i64], missing: i32, tables: &KTables) {
    let factor = R::entry(Word { value: Q12289.k.pow(missing as u32), power: missing });
    let mut noise: Vec<R> = noise.iter().map(|&x| R::narrow(R::of(x).times(factor))).collect();
    ntt_k(&mut noise, tables);
    sum.iter_mut().zip(noise).for_each(|(x, y)| *x = *x + y);
}

/// The product of a and b modulo Xⁿ + 1, times k^x for the exponent x that its words carry; `stray`
/// as in [`intt_k`]. In words that know their powers: behind one K-RED products of two raw transforms have up to
/// 2³⁴ + q.
///
/// **Panics** as [`ntt_k`].
pub fn product(a: &[i64], b: &[i64], tables: &KTables, stray: i32) -> Vec<Word> {
    let mut c = pointwise(&forward(a, tables), &forward(b, tables));
    k_red_all(&mut c);
    intt_k(&mut c, tables, stray);
    reduce_fully(&mut c);
    c
}

/// b = a∘NTT(s) + NTT(e) in [0, q), with the powers of k that it keeps on the wire.
///
/// **Panics** as [`ntt_k`].
pub fn sent<R: Register>(a_hat: &[i64], s_hat: &[R], e: &[i64], tables: &KTables) -> Vec<R> {
    let mut b = pointwise(&registers(a_hat), s_hat);
    add_balanced(&mut b, e, powers::MISSING[0], tables);
    reduce_fully(&mut b);
    b
}

/// v = INTT(b∘NTT(s') + NTT(e'')) in [0, q), or the same without e''; `stray` as in [`intt_k`].
///
/// **Panics** as [`ntt_k`].
pub fn shared<R: Register>(b: &[R], s_hat: &[R], e_second: Option<&[i64]>, tables: &KTables, stray: i32) -> Vec<R> {
    let mut v = pointwise(b, s_hat);
    if let Some(e_second) = e_second {
        add_balanced(&mut v, e_second, powers::MISSING[1], tables);
    }
    k_red_all(&mut v);
    intt_k(&mut v, tables, stray);
    reduce_fully(&mut v);
    v
}

/// What came over the wire as registers that know what it keeps.
pub fn received<R: Register>(b: &[i64]) -> Vec<R> {
    b.iter().map(|&value| R::entry(Word { value, power: powers::SENT })).collect()
}

/// v of the key exchange, times k^x for the exponent x that its words carry; `stray` as in
/// [`intt_k`].
///
/// **Panics** as [`ntt_k`].
pub fn exchange<R: Register>(inputs: &Exchange, tables: &KTables, stray: i32) -> Vec<R> {
    let b = sent(&inputs.a_hat, &forward::<R>(&inputs.s, tables), &inputs.e, tables);
    let b = received(&b.into_iter().map(R::value).collect::<Vec<_>>());
    shared(&b, &forward(&inputs.s_prime, tables), Some(&inputs.e_second), tables, stray)
}

/// The exponent of K for [`product`], derived by running it with K = 1 on zeros.
///
/// **Panics** as [`ntt_k`].
pub fn stray_of_product(tables: &KTables) -> i32 {
    let zeros = vec![0; tables.n()];
    product(&zeros, &zeros, tables, 0)[0].power
}

/// The exponent of K for [`exchange`], derived by running it with K = 1 on zeros: 10, the paper's K
/// = k¹⁰.
///
/// **Panics** as [`ntt_k`].
pub fn stray_of_exchange(tables: &KTables) -> i32 {
    let zeros = vec![0; tables.n()];
    let inputs =
        Exchange { a_hat: zeros.clone(), s: zeros.clone(), e: zeros.clone(), s_prime: zeros.clone(), e_second: zeros };
    exchange::<Word>(&inputs, tables, 0)[0].power
}
