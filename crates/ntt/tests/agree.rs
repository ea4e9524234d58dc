//! Every backend and method against the textbook, for every shape and depth.

use reference::{field, ntt as textbook};
use ringwork_ntt::{
    Backend, Method, PlanError, Request, Ring, SignedWord as Word,
    internals::{Transform, is_compiled},
};

const PRIMES: [u64; 8] = [257, 3329, 7681, 12289, 40961, 65537, 8380417, 1073479681];

/// A small deterministic generator.
struct Lcg(u64);
impl Lcg {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(self.0) * u128::from(bound)) >> 64) as u64
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
    textbook::Ring::named(ring.name()).expect("a ring of the textbook")
}

/// What the textbook says about one transform, computed once for all methods and backends.
struct Oracle {
    inputs: Vec<Vec<i64>>,
    /// Transforms of all inputs.
    transforms: Vec<Vec<u64>>,
    /// Products of some pairs of inputs, by index.
    products: Vec<(usize, usize, Vec<u64>)>,
}

impl Oracle {
    /// Quadratic work: all products for small degrees, those most likely to fail for large ones.
    fn new(n: usize, q: u64, ring: Ring) -> Self {
        let inputs = inputs(n, q);
        Self {
            transforms: Vec::new(),
            products: (0..inputs.len())
                .filter(|i| n <= 128 || matches!(i, 1 | 10))
                .map(|i| {
                    let j = (i * 7 + 10) % inputs.len();
                    let (a, b) = (residues(&inputs[i], q), residues(&inputs[j], q));
                    (i, j, textbook_ring(ring).product(&a, &b, q))
                })
                .collect(),
            inputs,
        }
    }

    /// The same inputs, transformed by other layers.
    fn with_layers(mut self, n: usize, q: u64, ring: Ring, [depth, thirds]: [u32; 2]) -> Self {
        let transform = textbook::Transform::in_thirds(n, q, textbook_ring(ring), depth, thirds);
        let transform = transform.expect("a legal transform");
        self.transforms = self.inputs.iter().map(|a| transform.forward_by_layers(&residues(a, q))).collect();
        self
    }

    /// Forward, inverse and product of one plan.
    fn check<T: Word>(&self, plan: &Transform<T>) {
        let recipe = plan.recipe();
        let (n, q) = (recipe.n(), recipe.q());
        let context = format!(
            "n {n} q {q} {} depth {} thirds {} {} {} {} bits",
            recipe.ring(),
            recipe.depth(),
            recipe.thirds(),
            recipe.method(),
            recipe.backend(),
            T::BITS
        );
        let certificate = plan.certificate();
        let within = |a: &[T], range: ringwork_ntt::Interval| {
            a.iter().all(|&x| (range.lo..=range.hi).contains(&i128::from(x.into())))
        };
        let order = plan.canonical_order();
        let factor = plan.forward_factor().residue;
        for (i, a) in self.inputs.iter().enumerate() {
            let mut a_hat = words::<T>(a);
            plan.forward(&mut a_hat);
            assert!(within(&a_hat, certificate.slots()), "{context}: input {i} leaves the certified range");
            let (got, expected) = (to_residues(&a_hat, q), &self.transforms[i]);
            for (position, &index) in order.iter().enumerate() {
                let scaled = field::mul(expected[index], factor, q);
                assert_eq!(got[position], scaled, "{context}: input {i}, slot value {index}");
            }
            plan.inverse(&mut a_hat);
            assert!(within(&a_hat, certificate.output()), "{context}: input {i} leaves the certified range");
            assert_eq!(to_residues(&a_hat, q), residues(a, q), "{context}: input {i}, inverse of forward");
            plan.canonical(&mut a_hat);
            assert!(within(&a_hat, ringwork_ntt::Interval::new(0, i128::from(q) - 1)), "{context}: canonical");
            assert_eq!(to_residues(&a_hat, q), residues(a, q), "{context}: input {i}, canonical");
        }
        for (i, j, expected) in &self.products {
            let mut c = vec![T::from_i64(1); n]; // dirty
            plan.multiply(&mut c, &words(&self.inputs[*i]), &words(&self.inputs[*j]));
            assert_eq!(&to_residues(&c, q), expected, "{context}: product of inputs {i} and {j}");
            assert!(within(&c, ringwork_ntt::Interval::new(0, i128::from(q) - 1)), "{context}: canonical product");
        }
    }
}

/// All legal numbers of layers, in two and in three.
fn layers(n: usize, q: u64, ring: Ring) -> impl Iterator<Item = [u32; 2]> {
    let depths = ring.least_depth()..=ring.layers_of_roots(q).min(ring.layers(n));
    let thirds = move |depth| if depth == 0 { 0 } else { ring.thirds_of_roots(q).min(ring.thirds(n)) };
    depths.flat_map(move |depth| (0..=thirds(depth)).map(move |thirds| [depth, thirds]))
}

/// The backends that have vectors of such words, and the scalar one.
fn backends<T: Word>() -> impl Iterator<Item = Backend> {
    Backend::available().filter(|b| *b == Backend::Scalar || b.lanes(T::BITS) > 1)
}

/// Powers of two.
fn powers(logs: core::ops::RangeInclusive<u32>) -> Vec<usize> {
    logs.map(|log| 1 << log).collect()
}

/// Compiled kernels are tried everywhere; the erased kernel, which is slow and the same code for
/// all shapes, where slots are small and degrees are moderate.
fn is_tried(n: usize, missing: u32, method: Method, backend: Backend, bits: u32) -> bool {
    let compiled = !backend.is_array() && is_compiled(method, bits, backend.lanes(bits));
    compiled || n <= 64 || n <= 512 && missing <= 2
}

fn sweep<T: Word>(degrees: &[usize], rings: &[Ring], primes: &[u64]) -> (usize, usize) {
    let (mut planned, mut refused) = (0, 0);
    for &q in primes {
        for &n in degrees {
            for &ring in rings.iter().filter(|ring| **ring != Ring::Trinomial || n % 2 == 0) {
                let mut oracle = Oracle::new(n, q, ring);
                for [depth, thirds] in layers(n, q, ring) {
                    oracle = oracle.with_layers(n, q, ring, [depth, thirds]);
                    let degree = (n >> depth) / 3_usize.pow(thirds);
                    for method in Method::ALL {
                        for backend in
                            backends::<T>().filter(|b| is_tried(n, ring.layers(n) - depth, method, *b, T::BITS))
                        {
                            let request = Request::new(n, q)
                                .ring(ring)
                                .depth(depth)
                                .thirds(thirds)
                                .method(method)
                                .backend(backend);
                            match Transform::<T>::with(&request) {
                                Ok(plan) => {
                                    oracle.check(&plan);
                                    match Transform::<T>::with(&request.lazy()) {
                                        Ok(lazy) if degree <= 2 => oracle.check(&lazy),
                                        Ok(_) | Err(PlanError::Range { .. }) => {} // slots too large for products
                                        Err(e) => panic!("{request:?}, lazy: {e}"),
                                    }
                                    planned += 1;
                                }
                                Err(PlanError::Backend { .. })
                                    if degree > 1 || !n.is_multiple_of(4 * backend.lanes(T::BITS)) => {}
                                Err(PlanError::NoRoot { max: 0, .. }) if ring == Ring::Trinomial => {}
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

/// The rings that a power of two needs.
const POWERS: [Ring; 2] = [Ring::Negacyclic, Ring::Cyclic];

/// From the textbook's moduli up to where words of 64 bits end; `5·2^55 + 1` and `2^40 - 2^32 + 1`
/// suit K-RED.
const WIDE_PRIMES: [u64; 10] = [
    12289,
    8380417,
    1073479681,
    (1 << 40) - (1 << 32) + 1,
    (1 << 50) - (1 << 14) + 1,
    (1 << 51) - (1 << 17) + 1,
    (1 << 52) - (1 << 12) + 1,
    5 * (1 << 55) + 1,
    (1 << 61) - (1 << 21) + 1,
    (1 << 62) - (1 << 16) + 1,
];

#[test]
fn small_degrees_in_16_bit_words() {
    let (planned, refused) = sweep::<i16>(&powers(1..=6), &POWERS, &PRIMES[..4]);
    assert!(planned > 1000, "{planned} planned, {refused} refused");
}

#[test]
fn small_degrees_in_32_bit_words() {
    let (planned, refused) = sweep::<i32>(&powers(1..=6), &POWERS, &PRIMES);
    assert!(planned > 2000, "{planned} planned, {refused} refused");
}

#[test]
fn large_degrees_in_16_bit_words() {
    let (planned, _) = sweep::<i16>(&powers(7..=12), &POWERS, &PRIMES[1..4]);
    assert!(planned > 200, "{planned}");
}

#[test]
fn large_degrees_in_32_bit_words() {
    let (planned, _) = sweep::<i32>(&powers(7..=12), &POWERS, &[12289, 40961, 8380417, 1073479681]);
    assert!(planned > 200, "{planned}");
}

#[test]
fn small_degrees_in_64_bit_words() {
    let (planned, refused) = sweep::<i64>(&powers(1..=6), &POWERS, &WIDE_PRIMES);
    assert!(planned > 2000, "{planned} planned, {refused} refused");
}

#[test]
fn large_degrees_in_64_bit_words() {
    let (planned, _) = sweep::<i64>(&powers(7..=10), &POWERS, &WIDE_PRIMES);
    assert!(planned > 200, "{planned}");
}

/// Degrees that are no power of two, and the trinomials. 3457 = 2^7·3^3 + 1, 7681 = 2^9·15 + 1,
/// 1073479681 - 1 and 249·2^50 have a factor 3.
#[test]
fn other_shapes_in_16_bit_words() {
    let (planned, refused) = sweep::<i16>(&[2, 3, 4, 5, 6, 10, 12, 24, 36, 64, 80, 96, 192], &Ring::ALL, &[3457, 7681]);
    assert!(planned > 1500, "{planned} planned, {refused} refused");
}

#[test]
fn other_shapes_in_wider_words() {
    let degrees = [3, 6, 12, 24, 40, 48, 96, 144];
    let (planned, refused) = sweep::<i32>(&degrees, &Ring::ALL, &[7681, 1073479681]);
    assert!(planned > 500, "{planned} planned, {refused} refused");
    let (planned, refused) = sweep::<i64>(&degrees, &Ring::ALL, &[7681, (249 << 50) + 1]);
    assert!(planned > 500, "{planned} planned, {refused} refused");
}

/// The rings of NTTRU and of the parameter sets beside it.
#[test]
fn the_rings_of_ntru() {
    for n in [768, 864, 1152, 1536] {
        let (planned, _) = sweep::<i16>(&[n], &[Ring::Trinomial], &[7681, 3457]);
        assert!(planned > 5, "n = {n}: {planned}");
    }
}

/// Layers in thirds: 3457 = 2^7·3^3 + 1, 10369 = 2^7·3^4 + 1, 995329 = 2^12·3^5 + 1.
#[test]
fn layers_in_thirds() {
    let rings = Ring::ALL;
    let (planned, refused) = sweep::<i16>(&[18, 36, 54, 72, 288, 576, 648, 1296], &rings, &[3457, 10369]);
    assert!(planned > 1000, "{planned} planned, {refused} refused");
    let (planned, refused) = sweep::<i32>(&[18, 36, 288, 864, 1296], &rings, &[3457, 995_329]);
    assert!(planned > 500, "{planned} planned, {refused} refused");
    let (planned, refused) = sweep::<i64>(&[18, 36, 288], &rings, &[995_329, (249 << 50) + 1]);
    assert!(planned > 100, "{planned} planned, {refused} refused");
}
