//! Doubles at the border: from the ends of what a certificate allows, in and out, each word against Montgomery's
//! method on one lane.

use ringwork_ntt::{Backend, Interval, Method, Plan, Request, Ring, SlotOrder, arith::nearest_prime};

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Words of an interval: its ends, in some pattern, or any.
    fn words(&mut self, n: usize, Interval { lo, hi, .. }: Interval, pattern: u64) -> Vec<i64> {
        let mut word = |i: usize| match pattern {
            0 => lo,
            1 => hi,
            2 => [lo, hi][i & 1],
            3 => [lo, hi][self.below(2) as usize],
            4 => [lo, hi][usize::from(2 * i >= n)],
            _ => lo + i128::from(self.next()).rem_euclid(hi - lo + 1),
        };
        (0..n).map(|i| word(i) as i64).collect()
    }
}

const PATTERNS: u64 = 6;

#[test]
fn doubles_from_the_ends_of_their_certificates() {
    let (mut numbers, mut plans, mut wide) = (Numbers(50), 0, 0);
    while plans < 200 {
        let log = 6 + numbers.below(5);
        let n = if numbers.below(4) == 0 { 3 << (log - 2) } else { 1_usize << log };
        let ring = [Ring::Negacyclic, Ring::Cyclic, Ring::Trinomial][numbers.below(3) as usize];
        let end = 1 << [50, 50, 50, 49, 48, 40, 31, 20][numbers.below(8) as usize];
        let near = if numbers.below(2) == 0 { end - 1 } else { end / 2 + numbers.below(end / 2) };
        let order = n as u64 * [1, 2, 3, 6, 12][numbers.below(5) as usize];
        let Some(q) = nearest_prime(near, order, end).filter(|q| *q >= 5) else { continue };
        let (depth, lazy) = ((log - numbers.below(3)) as u32, numbers.below(2) == 0);
        let plan = |method, backend| {
            let request = Request::new(n, q).ring(ring).depth(depth).method(method).backend(backend);
            let request = request.slot_order(SlotOrder::Canonical);
            Plan::<i64>::with(&if lazy { request.lazy() } else { request })
        };
        let Ok(expected) = plan(Method::Montgomery, Backend::Scalar) else { continue };
        for backend in Backend::machines() {
            let Ok(plan) = plan(Method::Double, backend) else { continue };
            plans += 1;
            let certificate = plan.certificate().unwrap();
            let (input, slots) = (certificate.input(), certificate.slots());
            wide += u32::from(slots.magnitude().max(certificate.products().magnitude()) >= 1 << 51);
            let residues = |words: &[i64]| words.iter().map(|x| x.rem_euclid(q as i64)).collect::<Vec<_>>();
            let context = format!("n {n}, q {q}, {ring:?}, depth {depth}, {backend}, lazy {lazy}");
            for pattern in 0..PATTERNS {
                let words = numbers.words(n, input, pattern);
                let (mut found, mut other) = (words.clone(), residues(&words));
                plan.forward(&mut found);
                expected.forward(&mut other);
                assert!(found.iter().all(|x| slots.holds(Interval::new((*x).into(), (*x).into()))), "{context}");
                assert_eq!(residues(&found), residues(&other), "forward, {context}");

                let words = numbers.words(n, slots, pattern);
                let (mut found, mut other) = (words.clone(), residues(&words));
                plan.inverse(&mut found);
                expected.inverse(&mut other);
                assert_eq!(residues(&found), residues(&other), "inverse, {context}");

                let more = numbers.below(PATTERNS);
                let others = numbers.words(n, slots, more);
                let found = plan.inverse_product(plan.pointwise(vec![0; n], &words, &others));
                let product = expected.pointwise(vec![0; n], &residues(&words), &residues(&others));
                assert_eq!(residues(&found), residues(&expected.inverse_product(product)), "product, {context}");
            }
        }
    }
    assert!(wide > 0, "no plan had words that only the wide way takes");
}
