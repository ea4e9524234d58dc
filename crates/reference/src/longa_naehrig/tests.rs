//! Algorithms 1 to 4 against the definitions, the stray powers, and the proof that 32 bits suffice.

use super::sequences::{Exchange, exchange, product, reduce_fully, stray_of_exchange, stray_of_product};
use super::*;
use crate::ntt::{Ring, Transform};
use crate::poly;
use crate::testing::Random;

const Q: u64 = Q12289.q();
const SIZES: [usize; 3] = [256, 512, 1024];

fn signed(a: &[u64]) -> Vec<i64> {
    a.iter().map(|&x| x as i64).collect()
}

/// Small residues as centered integers.
fn centered(a: &[u64]) -> Vec<i64> {
    a.iter().map(|&x| if x > Q / 2 { x as i64 - Q as i64 } else { x as i64 }).collect()
}

/// x mod q without its stray power of k.
fn meaning(x: Word) -> u64 {
    field::mul(x.value.rem_euclid(Q as i64) as u64, Q12289.k_to_the(-x.power), Q)
}

fn bit_reversed(a: &[u64]) -> Vec<u64> {
    (0..a.len()).map(|j| a[field::bit_reverse(j, a.len().trailing_zeros())]).collect()
}

fn inputs_with_reasons(n: usize) -> Vec<Vec<u64>> {
    let one_hot = |j: usize| (0..n).map(|i| u64::from(i == j)).collect();
    let mut random = Random(n as u64);
    vec![vec![0; n], one_hot(0), one_hot(1), one_hot(n - 1), vec![Q - 1; n], random.poly(n, Q), random.poly(n, Q)]
}

#[test]
fn reductions_leave_powers_of_k() {
    for shape in [
        Q12289,
        Shape { k: 15, m: 9, l: 1 },
        Shape { k: 13, m: 8, l: 1 },
        Shape { k: 5, m: 13, l: 1 },
        Shape { k: 1, m: 16, l: 1 },
        Shape { k: 1, m: 13, l: -1 },
        Shape { k: 3, m: 11, l: -1 },
    ] {
        let q = shape.q() as i64;
        let mut random = Random(6);
        let near = (-3 * q..3 * q).step_by(7);
        for c in near.chain((0..2000).map(|i| (random.word() as i64) >> (i % 50 + 8))) {
            let residue = |d: i64| i128::from(d).rem_euclid(i128::from(q));
            let (once, twice) = (k_red(c, shape), k_red_2x(c, shape));
            assert_eq!(residue(once), residue(shape.k) * residue(c) % i128::from(q));
            assert_eq!(residue(twice), residue(shape.k * shape.k) * residue(c) % i128::from(q));
            // One unit for the floor of a negative quotient.
            assert!(once.abs() <= q + (c.abs() >> shape.m) + 1);
            assert!(twice.abs() <= (shape.k + 1) * q + (c.abs() >> (2 * shape.m)) + 1);
        }
    }
}

/// K-RED and K-RED-2x for k·2^m ± l: every word of a range that holds all products of residues,
/// against the formula, with the bounds that the functions state.
#[test]
fn every_word_of_a_range_for_small_l() {
    const MODULI: [(i64, u32, i64); 11] = [
        (1, 8, 1),
        (3, 8, 1),
        (5, 8, -1),
        (5, 8, 3),
        (1, 9, -3),
        (3, 8, 5),
        (3, 9, -5),
        (5, 8, 9),
        (7, 8, -9),
        (1, 10, 15),
        (7, 8, -15),
    ];
    for (k, m, l) in MODULI {
        let shape = Shape { k, m, l };
        let q = shape.q() as i64;
        assert!(field::is_prime(q as u64), "{shape:?}");
        let (mut once_most, mut twice_most) = (0, 0);
        for c in -q * q..=q * q {
            let (once, twice) = (k_red(c, shape), k_red_2x(c, shape));
            assert_eq!((once - k * c) % q, 0, "{shape:?}, {c}");
            assert_eq!((twice - k * k * c) % q, 0, "{shape:?}, {c}");
            let pieces = |bits: u32| (c.abs() + (1 << bits) - 1) >> bits;
            assert!(once.abs() <= k * ((1 << m) - 1) + l.abs() * pieces(m));
            assert!(twice.abs() <= k * (k + l.abs()) * ((1 << m) - 1) + l * l * pieces(2 * m));
            assert!(l != 1 || once.abs() << m < (q << m) + c.abs(), "the paper's bound");
            (once_most, twice_most) = (once_most.max(once.abs()), twice_most.max(twice.abs()));
        }
        // They reduce: products of two residues come down to few multiples of q.
        assert!(once_most < (k + 1) * l.abs().max(1) * q + q && twice_most < (k + l.abs()) * (k + 1) * q);
    }
}

/// Section 3's last remark on full reduction has (k − 1)·q; it takes k·q.
#[test]
fn the_largest_product_needs_k_times_q() {
    for shape in [Q12289, Shape { k: 15, m: 9, l: 1 }, Shape { k: 13, m: 8, l: 1 }] {
        let q = shape.q() as i64;
        let reduced = k_red((q - 1) * (q - 1), shape);
        assert_eq!(reduced, -shape.k * (q - 1));
        assert!(reduced + (shape.k - 1) * q < 0);
        assert_eq!(reduced + shape.k * q, shape.k);
    }
}

/// Which moduli k·2^m ± l have roots of unity of which orders 2^e.
#[test]
fn other_l_leave_few_roots_of_unity() {
    let mut primes = [0, 0];
    for (k, m) in (1..16).flat_map(|k| (5..14).map(move |m| (k, m))) {
        for l in (-15_i64..=15).step_by(2) {
            let q = Shape { k, m, l }.q();
            if !field::is_prime(q) {
                continue;
            }
            let has = |e: u32| field::root_of_unity(q, 1 << e).is_some();
            if l == 1 {
                primes[0] += 1;
                assert!((0..=m).all(has), "{q}");
            } else {
                primes[1] += 1;
                let most = (l - 1).trailing_zeros();
                assert!(most <= 4 && (0..=most).all(has) && !has(most + 1), "{q}");
            }
        }
    }
    assert!(primes.iter().all(|count| *count > 20), "{primes:?}");
    // l = −1, q = 2¹³ − 1: not even X² + 1 splits.
    assert!(field::is_prime(8191) && field::root_of_unity(8191, 4).is_none());
}

#[test]
fn algorithms_1_and_2_are_the_transform_and_its_inverse() {
    for (n, q) in [(2, 5), (4, 17), (64, 257), (128, 3329), (256, 7681), (1024, 12289)] {
        let tables = Tables::new(n, q).unwrap();
        let a = Random(7).poly(n, q);
        let mut work = a.clone();
        ntt(&mut work, &tables);
        let canonical = Transform::complete(n, q, Ring::Negacyclic).unwrap().forward(&a);
        assert_eq!(work, bit_reversed(&canonical), "n {n}, q {q}");
        intt(&mut work, &tables);
        assert_eq!(work, a);
    }
    assert!(Tables::new(1, 12289).is_none() && Tables::new(12, 12289).is_none() && Tables::new(256, 3329).is_none());
}

#[test]
fn algorithm_3_is_algorithm_1_times_k() {
    for n in SIZES {
        let tables = Tables::new(n, Q).unwrap();
        for a in inputs_with_reasons(n) {
            let mut expected = a.clone();
            ntt(&mut expected, &tables);
            let mut words: Vec<Word> = a.iter().map(|&x| Word { value: x as i64, power: 0 }).collect();
            ntt_k(&mut words, &KTables::of(&tables));
            assert!(words.iter().all(|x| x.power == 1 && x.value.abs() < 1 << 23));
            assert_eq!(words.iter().map(|&x| meaning(x)).collect::<Vec<_>>(), expected);
        }
    }
}

/// Words of 32 bits hold what words that know their powers hold, in both algorithms.
#[test]
fn registers_of_32_bits_compute_the_same() {
    for n in SIZES {
        let tables = KTables::of(&Tables::new(n, Q).unwrap());
        for a in inputs_with_reasons(n) {
            let (mut words, mut bare): (Vec<Word>, Vec<i32>) =
                a.iter().map(|&x| (Word { value: x as i64, power: 0 }, x as i32)).unzip();
            ntt_k(&mut words, &tables);
            ntt_k(&mut bare, &tables);
            assert!(words.iter().zip(&bare).all(|(word, bare)| word.value == bare.value()));
            let slots = |x: i64| x.rem_euclid(1 << 16) - (1 << 15);
            let mut words: Vec<Word> = words.iter().map(|x| Word { value: slots(x.value), power: 0 }).collect();
            let mut bare: Vec<i32> = bare.iter().map(|&x| slots(x.into()) as i32).collect();
            intt_k(&mut words, &tables, 10);
            intt_k(&mut bare, &tables, 10);
            assert!(words.iter().zip(&bare).all(|(word, bare)| word.value == bare.value()));
        }
    }
}

#[test]
fn algorithm_4_is_algorithm_2_times_k_over_the_merged_factor() {
    for n in SIZES {
        let tables = Tables::new(n, Q).unwrap();
        for stray in [0, 1, 7, 10] {
            for a in inputs_with_reasons(n) {
                let mut expected = a.clone();
                intt(&mut expected, &tables);
                let mut words: Vec<Word> = a.iter().map(|&x| Word { value: x as i64, power: 0 }).collect();
                intt_k(&mut words, &KTables::of(&tables), stray);
                assert!(words.iter().all(|x| x.power == 1 - stray));
                assert_eq!(words.iter().map(|&x| meaning(x)).collect::<Vec<_>>(), expected);
            }
        }
    }
}

#[test]
fn a_product_needs_k_to_the_7() {
    for n in SIZES {
        let tables = KTables::of(&Tables::new(n, Q).unwrap());
        let stray = stray_of_product(&tables);
        assert_eq!(stray, 7);
        let mut inputs = inputs_with_reasons(n);
        let b = inputs.pop().unwrap();
        for a in inputs.iter().step_by(if n == 1024 { 5 } else { 1 }) {
            let expected = poly::negacyclic_product(a, &b, Q);
            let uncorrected = product(&signed(a), &signed(&b), &tables, 0);
            let corrected = product(&signed(a), &signed(&b), &tables, stray);
            for ((x, y), z) in uncorrected.iter().zip(&corrected).zip(&expected) {
                assert_eq!((x.power, y.power), (7, 0));
                assert_eq!(x.value as u64, field::mul(field::pow(3, 7, Q), *z, Q));
                assert_eq!(y.value as u64, *z);
            }
        }
    }
}

#[test]
fn the_key_exchange_needs_k_to_the_10() {
    let n = 1024;
    let tables = Tables::new(n, Q).unwrap();
    let scaled = KTables::of(&tables);
    let stray = stray_of_exchange(&scaled);
    assert_eq!(stray, 10);

    let mut random = Random(8);
    let a_hat = random.poly(n, Q);
    let [s, e, s_prime, e_second] = [16, 16, 16, 50].map(|eta| random.small(n, eta, Q));
    let mut a = a_hat.clone();
    intt(&mut a, &tables);
    let b = poly::add(&poly::negacyclic_product(&a, &s, Q), &e, Q);
    let v = poly::add(&poly::negacyclic_product(&b, &s_prime, Q), &e_second, Q);

    let inputs = Exchange {
        a_hat: signed(&a_hat),
        s: centered(&s),
        e: centered(&e),
        s_prime: centered(&s_prime),
        e_second: centered(&e_second),
    };
    for (x, z) in exchange::<Word>(&inputs, &scaled, 0).into_iter().zip(&v) {
        assert_eq!((x.value as u64, x.power), (field::mul(field::pow(3, 10, Q), *z, Q), 10));
    }
    for (x, z) in exchange::<Word>(&inputs, &scaled, stray).into_iter().zip(&v) {
        assert_eq!((x.value as u64, x.power), (*z, 0));
    }
    // The words of 32 bits that the paper timed.
    for (x, z) in exchange::<i32>(&inputs, &scaled, stray).into_iter().zip(&v) {
        assert_eq!(x as u64, *z);
    }
}

#[test]
fn full_reduction_up_to_its_bound() {
    let mut random = Random(9);
    let extremes = [0, 1, -1, Q as i64, -(Q as i64), (1 << 36) - 1, 1 - (1 << 36), 4095 - (1 << 36), 4095, -4096];
    let mut a: Vec<Word> = extremes
        .into_iter()
        .chain((0..100_000).map(|_| random.below(1 << 37) as i64 - (1 << 36)))
        .map(|value| Word { value, power: 0 })
        .collect();
    let expected: Vec<u64> = a.iter().map(|x| x.value.rem_euclid(Q as i64) as u64).collect();
    reduce_fully(&mut a);
    for (x, z) in a.into_iter().zip(expected) {
        assert!((0..Q as i64).contains(&x.value));
        assert_eq!(meaning(x), z);
    }
}

/// Upper bounds of absolute values, after section 3: what K-RED and K-RED-2x make of |C| ≤ bound.
fn after_k_red(bound: i64) -> i64 {
    Q12289.k * 4095 + (bound >> 12) + 1
}

fn after_k_red_2x(bound: i64) -> i64 {
    (Q12289.k * Q12289.k + Q12289.k) * 4095 + (bound >> 24) + 1
}

/// The largest coefficient bound of Algorithm 3, stage by stage, for inputs below q.
fn bound_of_ntt_k(n: i64, extra_stage: i64) -> (i64, i64) {
    let (mut bound, mut largest, mut m) = (Q as i64 - 1, 0, 1);
    while m < n {
        let product = bound * (Q as i64 - 1);
        bound =
            if m == extra_stage { after_k_red(bound) + after_k_red_2x(product) } else { bound + after_k_red(product) };
        largest = largest.max(bound);
        m *= 2;
    }
    (bound, largest)
}

/// The bound of the result of Algorithm 4 and of the largest value on the way, for inputs below
/// 2¹⁵.
fn bound_of_intt_k(n: i64, extra_stage: i64) -> (i64, i64) {
    let (mut bound, mut largest, mut m) = (1 << 15, 0, n);
    while m > 2 {
        let (sum, product) = (2 * bound, 2 * bound * (Q as i64 - 1));
        bound = if m == extra_stage {
            after_k_red(sum).max(after_k_red_2x(product))
        } else {
            sum.max(after_k_red(product))
        };
        largest = largest.max(bound).max(sum);
        m /= 2;
    }
    bound = after_k_red(2 * bound * (Q as i64 - 1));
    (bound, largest.max(bound))
}

#[test]
fn the_extra_stages_keep_32_bits_and_are_needed() {
    for n in [256, 512, 1024] {
        let (output, largest) = bound_of_ntt_k(n, 128);
        assert!(output < 1 << 23 && largest < 1 << 31, "{output} {largest}");
        let (output, largest) = bound_of_intt_k(n, 32);
        assert!(output < 1 << 30 && largest < 1 << 31, "{output} {largest}");
    }
    assert!(bound_of_ntt_k(1024, 0).1 >= 1 << 31);
    assert!(bound_of_intt_k(1024, 0).1 >= 1 << 31);
    // Others would do as well: the paper says which, not that it must be this one.
    let stages = || (0..10).map(|log| 1 << log);
    let forward: Vec<i64> = stages().filter(|&m| bound_of_ntt_k(1024, m).1 < 1 << 31).collect();
    let inverse: Vec<i64> = stages().filter(|&m| bound_of_intt_k(1024, m).1 < 1 << 31).collect();
    assert_eq!((forward, inverse), (vec![4, 8, 16, 32, 64, 128, 256], vec![32, 64]));
}

/// Where a stage reduces once more, its words have one more power of k.
#[test]
fn the_extra_stages_are_those_of_the_paper() {
    type Stage = fn(&mut [Word], &KTables, usize);
    let grown = |n: usize, stage: Stage, stages: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        let tables = KTables::of(&Tables::new(n, Q).expect("roots"));
        let mut a = vec![Word { value: 1, power: 0 }; n];
        stages
            .filter(|&m| {
                let before = a[0].power;
                stage(&mut a, &tables, m);
                a.iter().for_each(|word| assert_eq!(word.power, a[0].power));
                a[0].power != before
            })
            .collect()
    };
    for log in [8, 9, 10] {
        assert_eq!(grown(1 << log, ntt_k_stage, &mut (0..log).map(|log| 1 << log)), [128]);
        assert_eq!(grown(1 << log, intt_k_stage, &mut (2..=log).rev().map(|log| 1 << log)), [32]);
    }
}

#[test]
#[should_panic(expected = "same power of k")]
fn unbalanced_sums_are_refused() {
    let _ = Word { value: 1, power: 0 } + Word { value: 1, power: 1 };
}
