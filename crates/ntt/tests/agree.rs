//! Every backend and method against the textbook, for every shape and depth.

use ntt::{Backend, Method, Plan, PlanError, Request, Ring, Word};
use reference::ntt as textbook;

const PRIMES: [u64; 8] = [257, 3329, 7681, 12289, 40961, 65537, 8380417, 1073479681];

/// A small deterministic generator.
struct Lcg(u64);
impl Lcg {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// Inputs with reasons: what overflows, what hides mistakes of order and sign, then random.
fn inputs(n: usize, q: u64) -> Vec<Vec<i64>> {
    let q = q as i64;
    let mut rng = Lcg(n as u64 * 31 + q as u64);
    let one_hot = |i: usize| (0..n).map(|j| i64::from(i == j)).collect();
    let mut inputs = vec![
        vec![0; n],
        vec![q - 1; n],
        vec![1 - q; n],
        (0..n).map(|i| if i % 2 == 0 { q - 1 } else { 1 - q }).collect(),
        (0..n).map(|i| if i < n / 2 { q - 1 } else { 1 - q }).collect(),
        one_hot(0),
        one_hot(1),
        one_hot(n - 1),
    ];
    inputs.extend((0..3).map(|_| (0..n).map(|_| rng.below(2 * q as u64 - 1) as i64 - (q - 1)).collect()));
    inputs
}

fn residues(a: &[i64], q: u64) -> Vec<u64> {
    a.iter().map(|&x| x.rem_euclid(q as i64) as u64).collect()
}

fn words<T: Word>(a: &[i64]) -> Vec<T> {
    a.iter().map(|&x| T::from_i64(x)).collect()
}

fn to_residues<T: Word>(a: &[T], q: u64) -> Vec<u64> {
    residues(&a.iter().map(|&x| x.into()).collect::<Vec<i64>>(), q)
}

fn textbook_ring(ring: Ring) -> textbook::Ring {
    match ring {
        Ring::Negacyclic => textbook::Ring::Negacyclic,
        Ring::Cyclic => textbook::Ring::Cyclic,
    }
}

/// Forward, inverse and product of one plan against the textbook.
fn check<T: Word>(plan: &Plan<T>) {
    let recipe = plan.recipe();
    let (n, q, depth) = (recipe.n, recipe.q, recipe.depth);
    let context =
        format!("n {n} q {q} {} depth {depth} {} {} {} bits", recipe.ring, recipe.method, recipe.backend, T::BITS);
    let certificate = plan.certificate();
    let within = |a: &[T], range: ntt::Range| a.iter().all(|&x| (range.lo..=range.hi).contains(&x.into()));
    let oracle = textbook::Transform::new(n, q, textbook_ring(recipe.ring), depth).expect("a legal transform");
    let order = plan.canonical_order();
    let factor = plan.forward_factor().residue;
    let inputs = inputs(n, q);
    for (i, a) in inputs.iter().enumerate() {
        let mut a_hat = words::<T>(a);
        plan.forward(&mut a_hat);
        assert!(within(&a_hat, certificate.slots), "{context}: input {i} leaves the certified range");
        if n <= 512 || i > 8 {
            let expected = oracle.forward(&residues(a, q));
            let got = to_residues(&a_hat, q);
            for (position, &index) in order.iter().enumerate() {
                let scaled = (u128::from(expected[index]) * u128::from(factor) % u128::from(q)) as u64;
                assert_eq!(got[position], scaled, "{context}: input {i}, slot value {index}");
            }
        }
        let mut back = a_hat.clone();
        plan.inverse(&mut back);
        assert!(within(&back, certificate.output), "{context}: input {i} leaves the certified range");
        assert_eq!(to_residues(&back, q), residues(a, q), "{context}: input {i}, inverse of forward");
        plan.canonical(&mut back);
        assert_eq!(back, words::<T>(&residues(a, q).iter().map(|&x| x as i64).collect::<Vec<_>>()), "{context}");

        let b = &inputs[(i * 7 + 10) % inputs.len()];
        if n <= 256 || i > 9 {
            let mut c = vec![T::from_i64(1); n]; // dirty
            plan.multiply(&mut c, &words(a), &words(b));
            let expected = textbook_ring(recipe.ring).product(&residues(a, q), &residues(b, q), q);
            assert_eq!(to_residues(&c, q), expected, "{context}: product of inputs {i}");
            assert!(c.iter().all(|&x| (0..q as i64).contains(&x.into())), "{context}: canonical");
        }
    }
}

fn check_request<T: Word>(request: &Request) -> Result<(), PlanError> {
    Plan::<T>::with(request).map(|plan| check(&plan))
}

/// All depths for small degrees, the two deepest for large ones.
fn depths(n: usize, q: u64, ring: Ring) -> Vec<u32> {
    let roots = (q - 1).trailing_zeros() - u32::from(ring == Ring::Negacyclic);
    let max = roots.min(n.ilog2());
    if n <= 64 { (0..=max).collect() } else { (max.saturating_sub(1)..=max).collect() }
}

fn sweep<T: Word>(log_n: core::ops::RangeInclusive<u32>, primes: &[u64]) -> (usize, usize) {
    let (mut planned, mut refused) = (0, 0);
    for &q in primes {
        for n in log_n.clone().map(|l| 1 << l) {
            for ring in [Ring::Negacyclic, Ring::Cyclic] {
                for depth in depths(n, q, ring) {
                    for method in Method::ALL {
                        for backend in Backend::available() {
                            let request = Request::new(n, q).ring(ring).depth(depth).method(method).backend(backend);
                            match check_request::<T>(&request) {
                                Ok(()) => planned += 1,
                                Err(PlanError::Backend { .. }) if n >> depth > 1 || n < 32 => {}
                                Err(PlanError::Range { .. } | PlanError::Method { .. }) => {
                                    assert!(method != Method::Montgomery || T::BITS == 16, "{request:?}");
                                    refused += 1;
                                }
                                Err(e) => panic!("{request:?}: {e}"),
                            }
                        }
                    }
                }
            }
        }
    }
    (planned, refused)
}

#[test]
fn small_degrees_in_16_bit_words() {
    let (planned, refused) = sweep::<i16>(1..=6, &PRIMES[..4]);
    assert!(planned > 1000, "{planned} planned, {refused} refused");
}

#[test]
fn small_degrees_in_32_bit_words() {
    let (planned, refused) = sweep::<i32>(1..=6, &PRIMES);
    assert!(planned > 2000, "{planned} planned, {refused} refused");
}

#[test]
fn large_degrees_in_16_bit_words() {
    let (planned, _) = sweep::<i16>(7..=12, &PRIMES[1..4]);
    assert!(planned > 200, "{planned}");
}

#[test]
fn large_degrees_in_32_bit_words() {
    let (planned, _) = sweep::<i32>(7..=12, &[12289, 40961, 8380417, 1073479681]);
    assert!(planned > 200, "{planned}");
}
