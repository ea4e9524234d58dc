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
//! [`ntt_k`] wants. The second operation (u and v') is the same computation with no e''.
//!
//! Ranges: inputs in [0, q) (`product`) or centered with |noise| ≤ 50 (`exchange`); results in [0,
//! q). In the exchange one factor of every pointwise product is fully reduced, so that the slots
//! enter the inverse below 2²⁵/2¹² + q < 2¹⁵, where 32 bits are proved to suffice. In a product of
//! two raw transforms, each below 2²³, they enter below 2²² + q only; there no worst-case argument
//! for 32 bits is known to us, and the debug assertions of [`intt_k`] watch.

use super::{Q12289, Tables, Word, intt_k, ntt_k};

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

fn words(values: &[i64]) -> Vec<Word> {
    values.iter().map(|&value| Word { value, power: 0 }).collect()
}

fn forward(values: &[i64], tables: &Tables) -> Vec<Word> {
    let mut a = words(values);
    ntt_k(&mut a, tables);
    a
}

fn pointwise(a: &[Word], b: &[Word]) -> Vec<Word> {
    a.iter().zip(b).map(|(&x, &y)| x * y).collect()
}

fn k_red_all(a: &mut [Word]) {
    a.iter_mut().for_each(|x| *x = x.k_red(Q12289));
}

/// Two K-REDs and a correction: the words in [0, q), with two powers of k more. **Range**: |input|
/// < 2³⁶.
pub fn reduce_fully(a: &mut [Word]) {
    let q = Q12289.q() as i64;
    k_red_all(a); // < q + 2²⁴
    k_red_all(a); // k·c0 − c1 with |c1| ≤ 2¹² + 4: in (−q, 2q)
    for x in a {
        x.value += if x.value < 0 { q } else { 0 };
        x.value -= if x.value >= q { q } else { 0 };
        debug_assert!((0..q).contains(&x.value));
    }
}

/// Adds small noise in the transform domain: multiplied beforehand by the power of k that `sum` has
/// and NTT^K has not.
fn add_balanced(sum: &mut [Word], noise: &[i64], tables: &Tables) {
    let missing = sum[0].power - forward(noise, tables)[0].power;
    let factor = Word { value: Q12289.k.pow(missing as u32), power: missing };
    let mut noise: Vec<Word> = words(noise).into_iter().map(|x| x * factor).collect();
    ntt_k(&mut noise, tables);
    sum.iter_mut().zip(noise).for_each(|(x, y)| *x = *x + y);
}

/// The product of a and b modulo Xⁿ + 1, times k^x for the exponent x that its words carry; `stray`
/// as in [`intt_k`].
///
/// **Panics** as [`ntt_k`].
pub fn product(a: &[i64], b: &[i64], tables: &Tables, stray: i32) -> Vec<Word> {
    let mut c = pointwise(&forward(a, tables), &forward(b, tables));
    k_red_all(&mut c); // up to 2³⁴ + q: wider than a 32-bit word if both factors are at their bound
    k_red_all(&mut c);
    intt_k(&mut c, tables, stray);
    reduce_fully(&mut c);
    c
}

/// v of the key exchange, times k^x for the exponent x that its words carry; `stray` as in
/// [`intt_k`].
///
/// **Panics** as [`ntt_k`].
pub fn exchange(inputs: &Exchange, tables: &Tables, stray: i32) -> Vec<Word> {
    let mut b = pointwise(&words(&inputs.a_hat), &forward(&inputs.s, tables));
    k_red_all(&mut b);
    add_balanced(&mut b, &inputs.e, tables);
    reduce_fully(&mut b);

    let mut v = pointwise(&b, &forward(&inputs.s_prime, tables));
    k_red_all(&mut v);
    add_balanced(&mut v, &inputs.e_second, tables);
    k_red_all(&mut v);
    intt_k(&mut v, tables, stray);
    reduce_fully(&mut v);
    v
}

/// The exponent of K for [`product`], derived by running it with K = 1 on zeros.
///
/// **Panics** as [`ntt_k`].
pub fn stray_of_product(tables: &Tables) -> i32 {
    let zeros = vec![0; tables.n];
    product(&zeros, &zeros, tables, 0)[0].power
}

/// The exponent of K for [`exchange`], derived by running it with K = 1 on zeros: 10, the paper's K
/// = k¹⁰.
///
/// **Panics** as [`ntt_k`].
pub fn stray_of_exchange(tables: &Tables) -> i32 {
    let zeros = vec![0; tables.n];
    let inputs =
        Exchange { a_hat: zeros.clone(), s: zeros.clone(), e: zeros.clone(), s_prime: zeros.clone(), e_second: zeros };
    exchange(&inputs, tables, 0)[0].power
}
