//! Products modulo any `q`: products of integers, exact by residue channels.
//!
//! Operands are centred, `|a_i| ≤ ⌊q/2⌋`, so a coefficient of the product is a sum of `n` products
//! (`3n/2` in the trinomial ring) and bounded. Primes whose product `P` exceeds twice that bound
//! determine it: it is reconstructed from its residues by Garner's digits ([`network::garner`]), of which
//! only the powers `p_1⋯p_i mod q` matter. Nothing here needs roots modulo `q`, or that `q` is prime or
//! odd.
//!
//! Source: Garner, *The residue number system* (1959); for lattices Chung, Hwang, Kannwischer, Seiler,
//! Shih, Yang, *NTT multiplication for NTT-unfriendly rings* (2021).
//!
//! A degree that is neither `2^k` nor `3·2^k` goes by the cyclic ring of the next such degree from
//! `2n - 1` on, in which nothing wraps; the residues are folded.

use super::{
    error::PlanError,
    layout::odd_part,
    recipe::{CrtRecipe, Recipe},
    request::Request,
};
use crate::{
    arith::{Interval, PRIME_BITS, Primes},
    model::Ranges,
    network::{self, Fold, MAX_PRIMES},
    reduction::Contract,
    ring::Ring,
};
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

impl CrtRecipe {
    /// Decides everything, or says why not: of the depths for which there are enough primes, the one that is estimated to be
    /// the fastest.
    pub(super) fn new(request: &Request, bits: u32) -> Result<Self, PlanError> {
        let (n, q, ring) = (request.n, request.q, request.ring);
        let mut refusal = PlanError::Exact { n, q, bits };
        Contract::of_any(q, bits).ok_or(refusal.clone())?;
        let (length, of_channels) = match odd_part(n) {
            1 | 3 => (n, ring),
            _ => (at_least(2 * n - 1), Ring::Cyclic),
        };
        let deepest = of_channels.layers(length);
        let mut best = None;
        for depth in (of_channels.least_depth()..=deepest).rev().take(5) {
            let channels = match channels(request, bits, length, of_channels, depth) {
                Ok(Some(channels)) => channels,
                Ok(None) => continue,
                Err(e) => {
                    refusal = e;
                    continue;
                }
            };
            let recipe = Self { n, q, ring, bits, sums: request.sums, channels };
            if !recipe.fits() {
                continue;
            }
            let cycles = recipe.estimated_cycles();
            if best.as_ref().is_none_or(|(least, _)| cycles < *least) {
                best = Some((cycles, recipe));
            }
        }
        best.map(|(_, recipe)| recipe).ok_or(refusal)
    }

    /// How the residues of the larger ring are folded.
    pub(crate) const fn fold(&self) -> Fold {
        match self.ring {
            Ring::Negacyclic => Fold::Negacyclic,
            Ring::Cyclic => Fold::Cyclic,
            Ring::Trinomial => Fold::Trinomial,
        }
    }

    /// The contracts of folding and reconstruction: that of `q`, and those of the primes.
    pub(crate) fn contracts(&self) -> (Contract, Vec<Contract>) {
        let of = |q| Contract::of_any(q, self.bits).expect("a modulus that was planned");
        (of(self.q), self.channels.iter().map(|channel| of(channel.q())).collect())
    }

    /// Whether every value between the transforms and the result fits a word: what runs there, run on
    /// intervals.
    fn fits(&self) -> bool {
        let (q, primes) = self.contracts();
        let proof = |contract: &Contract| Ranges::new(1, *contract, 0);
        let (mut of_q, mut of_primes) = (proof(&q), primes.iter().map(proof).collect::<Vec<_>>());
        let mut residues: Vec<Interval> = self.channels.iter().map(|c| c.certificate().output()).collect();
        for (residue, proof) in residues.iter_mut().zip(&mut of_primes) {
            if self.folds() {
                let (mut low, mut high) = ([*residue; 4], [*residue; 3]);
                network::fold(proof, self.fold(), &mut low, &mut high).expect("more words below than above");
                *residue = low.into_iter().reduce(Interval::union).expect("four words");
            }
        }
        network::garner(&mut of_q, &mut of_primes, 1, &mut residues).expect("a residue for each prime");
        of_q.violation.is_none() && of_primes.iter().all(|proof| proof.violation.is_none())
    }
}

/// The smallest `2^k` or `3·2^k` from that length on.
const fn at_least(length: usize) -> usize {
    let power = length.next_power_of_two();
    if length <= power / 4 * 3 { power / 4 * 3 } else { power }
}

/// Transforms modulo the largest primes that words of that width can take, as many as the product needs; `None` if there are
/// not enough. **Errors** if it is not for the primes that there are no such transforms.
fn channels(
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
    let mut channels: Vec<Recipe> = Vec::new();
    // The largest primes are the likeliest to be refused.
    for p in primes.take(4 * MAX_PRIMES) {
        // Both operands and sums of them stay within what a plan with lazy slots proves.
        let of_part = Request { n: length, q: p.get(), ring, ..*request }.depth(depth).lazy();
        match of_part.recipe(bits) {
            Ok(recipe) => channels.push(recipe),
            Err(PlanError::Range { .. }) => continue,
            Err(e) => return Err(e),
        }
        if compare(&product(channels.iter().map(Recipe::q)), &bound) == Ordering::Greater {
            return Ok(Some(channels));
        }
        if channels.len() == MAX_PRIMES {
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
