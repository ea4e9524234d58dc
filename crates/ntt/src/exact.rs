//! Products modulo any `q`: products of integers, exact by transforms modulo auxiliary primes.
//!
//! Operands are centred, `|a_i| ≤ ⌊q/2⌋`, so a coefficient of the product is a sum of `n` products (`3n/2` in the trinomial
//! ring) and bounded. Primes whose product `P` exceeds twice that bound determine it. With centred digits
//!
//! `v_1 = x_1 mod p_1`, `v_2 = (x_2 - v_1)·p_1^-1 mod p_2`, `v_3 = ((x_3 - v_1)·p_1^-1 - v_2)·p_2^-1 mod p_3`, …
//!
//! every integer of absolute value below `P/2` is `v_1 + v_2·p_1 + v_3·p_1·p_2 + …`, and modulo `q` only the powers
//! `p_1⋯p_i mod q` matter. Nothing here needs roots modulo `q`, or that `q` is prime or odd.
//!
//! Source: Garner, *The residue number system* (1959); for lattices Chung, Hwang, Kannwischer, Seiler, Shih, Yang, *NTT
//! multiplication for NTT-unfriendly rings* (2021).
//!
//! A degree that is neither `2^k` nor `3·2^k` goes by the cyclic ring of the next such degree from `2n - 1` on, in which
//! nothing wraps; the residues are folded.

use crate::{
    cost,
    direct::Direct,
    error::PlanError,
    jobs::{Digit, Join},
    modular::{Modulus, PRIME_BITS, Primes},
    range::Range,
    recipe::{Recipe, Request, odd_part},
    reduction::Contract,
    ring::Ring,
    word::Word,
};
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

/// Primes of a plan at most.
pub(crate) const MAX_PRIMES: usize = 6;

/// A decided product by auxiliary primes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Degree.
    pub n: usize,
    /// Modulus, any number.
    pub q: u64,
    /// Ring.
    pub ring: Ring,
    /// Bits of a word.
    pub bits: u32,
    /// Products that can be added up before they are reduced modulo `q`.
    pub sums: u64,
    /// The transforms, all of one degree, ring and depth, each modulo a prime of its own.
    pub parts: Vec<Recipe>,
}

impl Exact {
    /// Decides everything, or says why not: of the depths for which there are enough primes, the one that is estimated to be
    /// the fastest.
    pub(crate) fn new(request: &Request, bits: u32) -> Result<Self, PlanError> {
        let (n, q, ring) = (request.n, request.q, request.ring);
        let mut refusal = PlanError::Exact { n, q, bits };
        let contract = Contract::of_any(q, bits).ok_or(refusal.clone())?;
        let (length, of_parts) = match odd_part(n) {
            1 | 3 => (n, ring),
            _ => (at_least(2 * n - 1), Ring::Cyclic),
        };
        let deepest = of_parts.layers(length);
        let mut best = None;
        for depth in (of_parts.least_depth()..=deepest).rev().take(5) {
            let parts = match parts(request, bits, length, of_parts, depth) {
                Ok(Some(parts)) => parts,
                Ok(None) => continue,
                Err(e) => {
                    refusal = e;
                    continue;
                }
            };
            let exact = Self { n, q, ring, bits, sums: request.sums, parts };
            if !exact.fits(&contract) {
                continue;
            }
            let cycles = exact.estimated_cycles();
            if best.as_ref().is_none_or(|(least, _)| cycles < *least) {
                best = Some((cycles, exact));
            }
        }
        best.map(|(_, exact)| exact).ok_or(refusal)
    }

    /// The degree of the transforms.
    pub fn length(&self) -> usize {
        self.parts[0].n
    }

    /// Whether the transforms are of a larger cyclic ring, and their residues are folded.
    pub fn folds(&self) -> bool {
        self.length() != self.n
    }

    /// The planner's estimate for a product, in cycles.
    pub fn estimated_cycles(&self) -> u64 {
        let transforms: u64 = self.parts.iter().map(Recipe::estimated_cycles).sum();
        transforms + cost::of_join(self)
    }

    /// Whether every value between the transforms and the result fits a word.
    fn fits(&self, of_q: &Contract) -> bool {
        let word = Range::word(self.bits);
        let half = |p: u64| Range::symmetric(i128::from(p / 2));
        let mut total = Range::symmetric(0);
        self.parts.iter().enumerate().all(|(i, part)| {
            let contract = Contract::of_any(part.q, self.bits).expect("the prime has a plan");
            let mut residue = part.certificate.output;
            if self.folds() {
                // Three reduced residues are added up and reduced again.
                let Some(reduced) = contract.reduce_range(residue) else { return false };
                let sum = reduced.plus(reduced).plus(reduced);
                let Some(folded) = contract.reduce_range(sum).filter(|_| word.holds(sum)) else { return false };
                residue = folded;
            }
            let digits_fit = self.parts[..i].iter().all(|before| {
                let difference = residue.minus(half(before.q));
                match contract.mul_range(difference) {
                    Some(next) if word.holds(difference) => {
                        residue = next;
                        true
                    }
                    _ => false,
                }
            });
            let sum = of_q.reduce_range(total).zip(of_q.mul_range(half(part.q))).map(|(t, term)| t.plus(term));
            total = sum.unwrap_or(word);
            digits_fit && sum.is_some_and(|sum| word.holds(sum))
        })
    }
}

/// The smallest `2^k` or `3·2^k` from that length on.
const fn at_least(length: usize) -> usize {
    let power = length.next_power_of_two();
    if length <= power / 4 * 3 { power / 4 * 3 } else { power }
}

/// Transforms modulo the largest primes that words of that width can take, as many as the product needs; `None` if there are
/// not enough. **Errors** if it is not for the primes that there are no such transforms.
fn parts(
    request: &Request,
    bits: u32,
    length: usize,
    ring: Ring,
    depth: u32,
) -> Result<Option<Vec<Recipe>>, PlanError> {
    let terms = match request.ring {
        Ring::Trinomial => 3 * request.n as u64 / 2,
        _ => request.n as u64,
    };
    let bound = product([2 * terms, request.sums, request.q / 2, request.q / 2]);
    let sizes = (*PRIME_BITS.start()..=bits - 2).rev();
    let primes = sizes.flat_map(|size| Primes::new(ring.order(depth), size).rev());
    let mut parts: Vec<Recipe> = Vec::new();
    // The largest primes are the likeliest to be refused.
    for p in primes.take(4 * MAX_PRIMES) {
        // Both operands and sums of them stay within what a plan with lazy slots proves.
        let of_part = Request { n: length, q: p.get(), ring, ..*request }.depth(depth).lazy();
        match of_part.recipe(bits) {
            Ok(recipe) => parts.push(recipe),
            Err(PlanError::Range { .. }) => continue,
            Err(e) => return Err(e),
        }
        if compare(&product(parts.iter().map(|p| p.q)), &bound) == Ordering::Greater {
            return Ok(Some(parts));
        }
        if parts.len() == MAX_PRIMES {
            break;
        }
    }
    Ok(None)
}

/// A product of integers, lowest digit of 64 bits first.
fn product(factors: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut digits = vec![1_u64];
    for factor in factors {
        let mut carry = 0_u128;
        for digit in &mut digits {
            carry += u128::from(*digit) * u128::from(factor);
            *digit = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            digits.push(carry as u64);
        }
    }
    digits
}

/// Compares two such products without leading zeros.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// An [`Exact`] with its tables.
#[derive(Clone, Debug)]
pub(crate) struct Joint<T: Word> {
    pub(crate) exact: Exact,
    /// That of `q`.
    pub(crate) contract: Contract,
    digits: Vec<Digit<T>>,
}

impl<T: Word> Joint<T> {
    /// The tables.
    pub(crate) fn new(exact: Exact) -> Self {
        let of_q = Contract::of_any(exact.q, T::BITS).expect("the recipe was checked");
        let q = Modulus::any(exact.q);
        let word = |contract: &Contract, residue: u64| contract.encode(residue).map(T::from_i64);
        let mut before = 1;
        let digits = exact.parts.iter().enumerate().map(|(i, part)| {
            let p = Modulus::any(part.q);
            let contract = Contract::of_any(part.q, T::BITS).expect("the prime has a plan");
            let inverse = |earlier: &Recipe| word(&contract, p.inv(earlier.q % p.get()));
            let digit = Digit {
                constants: *contract.constants(),
                half: T::from_i64(part.q as i64 / 2),
                inverses: exact.parts[..i].iter().map(inverse).collect(),
                weight: word(&of_q, before),
            };
            before = q.mul(before, part.q % q.get());
            digit
        });
        let digits = digits.collect();
        Self { contract: of_q, digits, exact }
    }

    /// Residues of the first `n` words in every section, transformed.
    pub(crate) fn forward(&self, parts: &[Direct<T>], a: &mut [T]) {
        let (n, length) = (self.exact.n, self.exact.length());
        let backend = parts[0].recipe().backend;
        let (first, others) = a.split_at_mut(length);
        first[n..].fill(T::default());
        T::centre(backend, &self.contract, first);
        for (part, section) in parts[1..].iter().zip(others.chunks_exact_mut(length)) {
            section.copy_from_slice(first);
            self.transform(part, section);
        }
        self.transform(&parts[0], first);
    }

    fn transform(&self, part: &Direct<T>, section: &mut [T]) {
        let input = part.certificate().input;
        if !input.holds(Range::symmetric(i128::from(self.exact.q / 2))) {
            part.canonical(section);
        }
        part.forward(section);
    }

    /// The polynomial of transformed sections; those of products are `of_product`.
    pub(crate) fn inverse(&self, parts: &[Direct<T>], a: &mut [T], of_product: bool) {
        let (n, length) = (self.exact.n, self.exact.length());
        for (part, section) in parts.iter().zip(a.chunks_exact_mut(length)) {
            if of_product {
                part.inverse_product(section);
            } else {
                part.inverse(section);
            }
            if self.exact.folds() {
                part.reduce(section);
                fold(self.exact.ring, n, section);
                part.reduce(section);
            }
        }
        let join = Join { digits: &self.digits, length, data: a };
        T::join(parts[0].recipe().backend, &self.contract, join);
        a[n..].fill(T::default());
    }
}

/// Takes the coefficients from `n` on, fewer than `n`, into the others, as the ring has it.
fn fold<T: Word>(ring: Ring, n: usize, a: &mut [T]) {
    let (low, high) = a.split_at_mut(n);
    let high = &mut high[..n - 1];
    match ring {
        Ring::Negacyclic => T::add_to(low, high, true),
        Ring::Cyclic => T::add_to(low, high, false),
        Ring::Trinomial => {
            // X^(n+i) = X^(n/2+i) - X^i, and once more X^(3n/2+i) = -X^i.
            let half = n / 2;
            T::add_to(low, &high[..half], true);
            T::add_to(low, &high[half..], true);
            T::add_to(&mut low[half..], &high[..half], false);
        }
    }
    high.fill(T::default());
}
