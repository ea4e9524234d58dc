//! When S^{t−1}M-LazyNTT computes in unsigned words what it should: the paper's condition, and one
//! that suffices.
//!
//! The paper asks for R > q^t (Claims 1 and 3, section 3.5): t − 1 standard products make a word of
//! at most q^t. That counts products only. A word that waits for its next product is an x of S
//! butterflies, and grows by a y in each.
//!
//! Let X_s(l) bound the words behind s standard products in a row, before stage l of k. Then X_0 =
//! q − 1, and for s > 0
//!
//! * y ≤ Y_s(l) = X_{s−1}(l)·(q − 1);
//! * x − y is negative by at most Y_s(l): the offset o_s must be a multiple of q that no Y_s
//!   exceeds;
//! * X_s(0) = q − 1, X_s(l+1) = max(X_s(l) + Y_s(l), o_s − 1), since an offset is added to negative
//!   numbers only.
//!
//! At least t − s products follow the one of class s, so this happens in the first k + s − t
//! stages. A Montgomery product reduces to [0, q) if X_{t−1}·(q − 1) < R·q.
//!
//! The paper's offset q^{s+1} satisfies this for s = 1 alone. For s = 2 the word that is multiplied
//! can exceed q², y can exceed q³, and the difference stays negative whatever R is: for n = 1024, q
//! = 12289 the input −X^641 − X^385 is transformed wrongly. In signed words of sufficient width
//! residues stay right, but results leave [0, q).

/// The paper's condition: R > q^t.
pub fn papers(log_r: u32, q: u64, t: u32) -> bool {
    u128::from(q).checked_pow(t).is_some_and(|power| power >> log_r == 0)
}

/// Constants with which every value fits its word and every residue is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// log2 of the smallest R for the bound.
    pub log_r: u32,
    /// o_s for s in 0..t; o_0 = q.
    pub offsets: Vec<u64>,
    /// The bound of all words, X_{t−1}.
    pub largest: u64,
}

/// The smallest constants by the bounds above, for n a power of two and q > 1.
///
/// `None` when t = 0, a word does not fit 63 bits and a sign, or R is not below 2⁶⁴.
pub fn derive(n: usize, q: u64, t: usize) -> Option<Condition> {
    let k = n.trailing_zeros() as usize;
    let q = u128::from(q);
    let fits = |x: u128| i64::try_from(x).ok().map(i64::cast_unsigned);
    let mut offsets = vec![fits(q)?];
    let mut bound = vec![q - 1; k + 1]; // X_s(l)
    for s in 1..t {
        let active = (k + s).saturating_sub(t);
        let y: Vec<u128> = bound.iter().take(active).map(|&x| x * (q - 1)).collect();
        let offset = y.last().map_or(0, |&largest| largest.div_ceil(q) * q);
        offsets.push(fits(offset)?);
        bound = vec![q - 1; k + 1];
        for l in 0..k {
            bound[l + 1] = if l < active { (bound[l] + y[l]).max(offset - 1) } else { bound[l] };
        }
        fits(bound[k])?;
    }
    let log_r = (0..64).find(|&log_r| q << log_r > bound[k] * (q - 1) && 1 << log_r > q)?;
    (t > 0).then_some(Condition { log_r, offsets, largest: fits(bound[k])? })
}
