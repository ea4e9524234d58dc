//! Products modulo any number: right, or refused with advice that works.

use crate::planned::{Random, textbook_ring};
use proptest::{prelude::*, sample::select};
use ringwork_ntt::{Plan, PlanError, Request, Ring, Word};

/// Degree, modulus, ring and bits of a word.
pub(crate) type Product = (usize, u64, Ring, u32);

pub(crate) fn products() -> impl Strategy<Value = Product> {
    let q = (0..64_u32, any::<u64>()).prop_map(|(bits, q)| q >> bits);
    let ring = select(Ring::ALL.to_vec());
    (2..80_usize, q, ring, select(vec![16, 32, 64])).prop_map(|(n, q, ring, bits)| {
        let n = if ring == Ring::Trinomial { n & !1 } else { n };
        (n, q, ring, bits)
    })
}

/// True if there is a plan.
pub(crate) fn judge(product: Product, seed: u64) -> bool {
    let refusal = match product.3 {
        16 => check::<i16>(product, seed),
        32 => check::<i32>(product, seed),
        _ => check::<i64>(product, seed),
    };
    let refusal = match refusal {
        Err(PlanError::Unsigned { bits: 32, .. }) => check::<u32>(product, seed),
        Err(PlanError::Unsigned { .. }) => check::<u64>(product, seed),
        refusal => refusal,
    };
    let Err(refusal) = refusal else { return true };
    let text = refusal.to_string();
    let (n, q, ring, bits) = product;
    let remedy = match text.rsplit_once("take ").map(|(_, advice)| advice) {
        Some("a modulus from 5 on" | "a prime from 5 on") => (n, 5, ring, bits),
        Some(advice) if advice.starts_with("a modulus from 5 on, or for products") => (n, 4 * q, ring, bits),
        Some("32-bit words") => (n, q, ring, 32),
        Some(advice) if advice.starts_with("64-bit words") => (n, q, ring, 64),
        Some("a modulus below 2^62" | "a modulus below 2^62 in 64-bit words" | "a prime below 2^62") => {
            (n, q >> 2, ring, 64)
        }
        _ => panic!("{product:?}: {text}"),
    };
    assert_ne!(remedy, product, "{text}");
    judge(remedy, seed);
    false
}

fn check<T: Word>((n, q, ring, _): Product, seed: u64) -> Result<(), PlanError> {
    let plan = Plan::<T>::with(&Request::new(n, q).ring(ring))?;
    assert_eq!((plan.n(), plan.q(), plan.ring()), (n, q, ring));
    let mut random = Random(seed);
    // Words without sign take their bits for numbers.
    let number = |x: &T| {
        let word: i64 = T::signed(core::slice::from_ref(x))[0].into();
        if T::SIGNED { i128::from(word) } else { i128::from(word) & ((1 << T::BITS) - 1) }
    };
    for _ in 0..3 {
        let mut word = || {
            let x = random.below(q) as i64;
            T::truncated(if T::SIGNED && random.below(2) == 1 { -x } else { x })
        };
        let words = [0, 1].map(|_| (0..n).map(|_| word()).collect::<Vec<T>>());
        let mut c = vec![T::truncated(1); n]; // dirty
        plan.multiply(&mut c, &words[0], &words[1]);
        let [a, b] = words.map(|x| x.iter().map(|x| number(x).rem_euclid(q.into()) as u64).collect::<Vec<_>>());
        let canonical: Vec<u64> = c.iter().map(|x| u64::try_from(number(x)).expect("canonical")).collect();
        assert_eq!(canonical, textbook_ring(ring).product(&a, &b, q), "n {n} q {q} {ring} {} bits", T::BITS);
    }
    Ok(())
}
