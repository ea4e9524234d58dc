//! Products modulo numbers for which the engine has no plan: the product of the integers by residue number systems,
//! folded into the ring, and then reduced. Slower, and for any modulus from 2 on and any degree from 1.

use crate::{fault::Fault, identity::RingName, plans::Wanted};
use ntt::{Request, Ring, Rns};
use schemars::JsonSchema;
use serde::Serialize;

/// The largest degree, whose product's integers are still in memory.
const DEGREE_AT_MOST: usize = 1 << 20;

/// What names such a product.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Integers {
    /// The degree.
    n: usize,
    /// The modulus.
    q: u64,
    /// The ring.
    ring: RingName,
    /// The width of a word.
    bits: u32,
    /// `integers`.
    method: &'static str,
}

impl Integers {
    /// There is one if nothing was asked for that it does not have.
    pub(crate) fn of(wanted: &Wanted) -> Option<Self> {
        let Wanted { n, q, .. } = *wanted;
        let ring = wanted.how.ring_alone()?;
        let exists = (1..=DEGREE_AT_MOST).contains(&n) && q >= 2 && (ring != Ring::Trinomial || n.is_multiple_of(2));
        exists.then(|| Self { n, q, ring: ring.into(), bits: 64, method: "integers" })
    }
}

/// The product of polynomials in `[0, q)`, in the ring that was wanted.
pub(crate) fn product(wanted: &Wanted, a: &[u64], b: &[u64]) -> Result<Vec<u64>, Fault> {
    let Wanted { n, q, .. } = *wanted;
    let length = (2 * n).next_power_of_two();
    // Each coefficient is a sum of n products of words.
    let bits = 2 * u64::BITS + n.ilog2() + 1;
    let internal = |why: &dyn std::fmt::Display| Fault::Internal(why.to_string());
    let rns = Rns::<i64>::of_bits(&Request::new(length, 0), bits).map_err(|e| internal(&e))?;
    let residues = |a: &[u64]| {
        let (mut integers, mut residues) = (a.to_vec(), vec![0; rns.words()]);
        integers.resize(length, 0);
        rns.decompose(&mut residues, &integers);
        residues
    };
    let mut product = vec![0; rns.words()];
    rns.multiply(&mut product, &residues(a), &residues(b));
    let mut integers = vec![0; length * rns.limbs()];
    rns.recompose(&mut integers, &product);
    let residue = |limbs: &[u64]| {
        let step = |rest: u64, limb: &u64| ((u128::from(rest) << 64 | u128::from(*limb)) % u128::from(q)) as u64;
        limbs.iter().rev().fold(0, step)
    };
    let mut c: Vec<u64> = integers.chunks_exact(rns.limbs()).map(residue).collect();
    let add = |x: &mut u64, y: u64| *x = ((u128::from(*x) + u128::from(y)) % u128::from(q)) as u64;
    let negative = |x: u64| if x == 0 { 0 } else { q - x };
    let ring = wanted.how.ring_alone();
    for i in (n..2 * n).rev() {
        let high = std::mem::take(&mut c[i]);
        match ring {
            Some(Ring::Cyclic) => add(&mut c[i - n], high),
            // X^n is X^(n/2) - 1.
            Some(Ring::Trinomial) => {
                add(&mut c[i - n / 2], high);
                add(&mut c[i - n], negative(high));
            }
            _ => add(&mut c[i - n], negative(high)),
        }
    }
    c.truncate(n);
    Ok(c)
}
