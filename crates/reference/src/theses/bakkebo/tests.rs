//! The thesis' examples, number by number, and its program against the definitions.

use super::*;
use crate::{
    field,
    ntt::{Ring, Transform},
    poly,
    testing::Random,
};

fn residues(a: &[i64], q: u64) -> Vec<u64> {
    poly::residues(a, q)
}

fn signed(a: &[u64]) -> Vec<i64> {
    a.iter().map(|&x| x as i64).collect()
}

/// All polynomials of n coefficients modulo q.
fn every(n: u32, q: u64) -> impl Iterator<Item = Vec<u64>> {
    (0..q.pow(n)).map(move |x| (0..n).map(|i| x / q.pow(i) % q).collect())
}

/// Example 1: Z_5\[X\]/(X² + 1) = Z_5\[X\]/(X − 2) × Z_5\[X\]/(X − 3), with the inverse a·(3 − X) +
/// b·(X − 2).
#[test]
fn example_1_z5_modulo_x2_plus_1() {
    let q = 5;
    assert_eq!(poly::whole_product(&[q - 2, 1], &[q - 3, 1], q), [1, 0, 1, 0]);
    let transform = Transform::complete(2, q, Ring::Negacyclic).unwrap();
    assert_eq!([transform.constant(0), transform.constant(1)], [2, 3]);
    let levels = Levels::<5>::new(2, 1, 2, 4);
    for (a, b) in every(2, q).flat_map(|a| every(2, q).map(move |b| (a.clone(), b))) {
        let [a0, a1, b0, b1] = [a[0], a[1], b[0], b[1]];
        // Step 1.
        let a_hat = transform.forward(&a);
        assert_eq!(a_hat, [(a0 + 2 * a1) % q, (a0 + 3 * a1) % q]);
        // Step 2.
        let c_hat = transform.product(&a_hat, &transform.forward(&b));
        let cross = a0 * b1 + a1 * b0;
        assert_eq!(c_hat, [2, 3].map(|w| (a0 * b0 + w * cross + 4 * a1 * b1) % q));
        // Step 3: h⁻¹, then the printed product.
        let constant = (3 * c_hat[0] + (q - 2) * c_hat[1]) % q;
        let linear = ((q - 1) * c_hat[0] + c_hat[1]) % q;
        let product = [(a0 * b0 + 4 * a1 * b1) % q, cross % q];
        assert_eq!([constant, linear], product);
        assert_eq!(transform.inverse(&c_hat), product);
        assert_eq!(poly::negacyclic_product(&a, &b, q), product);
        assert_eq!(residues(&levels.product(&signed(&a), &signed(&b)), q), product);
    }
}

const Q: u64 = 17;

/// Equations 4.2a and 4.2b: a modulo X² − 4 and X² + 4.
fn equation_4_2(a: &[u64]) -> [[u64; 2]; 2] {
    [[a[0] + 4 * a[2], a[1] + 4 * a[3]], [a[0] + 13 * a[2], a[1] + 13 * a[3]]].map(|half| half.map(|x| x % Q))
}

fn split(a: &[u64], n: usize, w: i64) -> Vec<u64> {
    let mut a = signed(a);
    splitting::<17>(&mut a, n, w);
    residues(&a, Q)
}

fn merge(a: &[u64], n: usize, w: i64) -> Vec<u64> {
    let mut a = signed(a);
    merging::<17>(&mut a, n, w);
    residues(&a, Q)
}

/// Every third of the 17⁴ polynomials.
fn polynomials() -> impl Iterator<Item = Vec<u64>> {
    every(4, Q).step_by(3)
}

/// Example 2, figure 4.2: X⁴ + 1 = (X² − 4)(X² + 4) modulo 17, 4 being a primitive 4-th root.
#[test]
fn example_2_z17_first_splitting() {
    assert!(field::is_primitive_root(4, 4, Q));
    let levels = Levels::<17>::new(4, 1, 4, 4);
    assert_eq!((&levels.forward[..], &levels.roots[..]), (&[4][..], &[-4, 4][..]));
    let transform = Transform::new(4, Q, Ring::Negacyclic, 1).unwrap();
    assert_eq!([transform.constant(0), transform.constant(1)], [4, Q - 4]);
    for a in polynomials() {
        let printed = equation_4_2(&a).concat();
        assert_eq!(split(&a, 2, 4), printed);
        assert_eq!(transform.forward(&a), printed);
    }
}

/// Example 3, figure 4.4: X² − 4 = (X − 2)(X + 2) and X² + 4 = (X − 8)(X + 8), by the primitive 8-th
/// root 2.
#[test]
fn example_3_z17_second_splitting() {
    assert!(field::is_primitive_root(2, 8, Q) && field::mul(2, 2, Q) == 4);
    assert_eq!(field::mul(8, 8, Q), Q - 4);
    let levels = Levels::<17>::new(4, 2, 2, 8);
    assert_eq!((&levels.forward[..], &levels.roots[..]), (&[4, 2, 8][..], &[-2, 2, -8, 8][..]));
    let transform = Transform::complete(4, Q, Ring::Negacyclic).unwrap();
    for a in polynomials() {
        let [blue, red] = equation_4_2(&a);
        let printed = [
            blue[0] + 2 * blue[1], // modulo X − 2
            blue[0] + (Q - 2) * blue[1],
            red[0] + 8 * red[1], // modulo X − 8
            red[0] + (Q - 8) * red[1],
        ]
        .map(|x| x % Q);
        assert_eq!([split(&blue, 1, 2), split(&red, 1, 8)].concat(), printed);
        let mut whole = signed(&a);
        levels.forward(&mut whole);
        assert_eq!(residues(&whole, Q), printed);
        assert_eq!(printed, [2, 15, 8, 9].map(|x| poly::evaluate(&a, x, Q)));
        // The definition has the slots by powers of 2: 2, 8, 15, 9.
        assert_eq!(transform.forward(&a), [printed[0], printed[2], printed[1], printed[3]]);
    }
}

/// Example 4: merging the halves of Example 2 by −4⁻¹ = 4 gives the polynomial twice; 2⁻¹ = 9.
#[test]
fn example_4_z17_merging() {
    assert_eq!(Q - field::inverse(4, Q).unwrap(), 4);
    assert_eq!(4 * (Q - 8) % Q, 2);
    assert_eq!(field::inverse(2, Q), Some(9));
    let levels = Levels::<17>::new(4, 1, 4, 4);
    assert_eq!(levels.inverse_of_two, 9);
    for a in polynomials() {
        let halves = equation_4_2(&a).concat();
        let twice: Vec<u64> = a.iter().map(|x| 2 * x % Q).collect();
        assert_eq!(merge(&halves, 2, 4), twice);
        let mut whole = signed(&halves);
        levels.inverse(&mut whole);
        assert_eq!(residues(&whole, Q), a);
    }
}

/// Example 5: both levels back, by −2⁻¹ = 2³ = 8 and −8⁻¹ = 2.
///
/// The thesis prints the blue difference otherwise, and 2⁻²: `ERRATA.md`.
#[test]
fn example_5_z17_both_mergings() {
    assert_eq!(Q - field::inverse(2, Q).unwrap(), 8);
    assert_eq!(field::pow(2, 3, Q), 8);
    assert_eq!(Q - field::inverse(8, Q).unwrap(), 2);
    assert_eq!((field::inverse(4, Q), field::inverse(3, Q)), (Some(13), Some(6)));
    let levels = Levels::<17>::new(4, 2, 2, 8);
    assert_eq!(levels.inverse_of_two, 13);
    let mut as_printed = 0;
    for a in polynomials() {
        let [blue, red] = equation_4_2(&a);
        let [x_minus_2, x_plus_2] = [split(&blue, 1, 2)[0], split(&blue, 1, 2)[1]];
        assert_eq!((x_minus_2 + x_plus_2) % Q, 2 * blue[0] % Q);
        let difference = (x_plus_2 + Q - x_minus_2) % Q;
        assert_eq!(difference, (Q - 4) * blue[1] % Q);
        as_printed += usize::from(difference == (Q - 4) * blue[0] % Q);
        assert_eq!(8 * difference % Q, 2 * blue[1] % Q);
        let twice = |half: [u64; 2]| half.map(|x| 2 * x % Q);
        assert_eq!(merge(&[x_minus_2, x_plus_2], 1, 8), twice(blue));
        assert_eq!(merge(&split(&red, 1, 8), 1, 2), twice(red));
        let four_times: Vec<u64> = a.iter().map(|x| 4 * x % Q).collect();
        assert_eq!(merge(&[twice(blue), twice(red)].concat(), 2, 4), four_times);
        let mut whole = signed(&a);
        levels.forward(&mut whole);
        levels.inverse(&mut whole);
        assert_eq!(residues(&whole, Q), a);
    }
    let all = polynomials().count();
    assert!(as_printed < all / 10, "the printed difference holds by chance alone: {as_printed} of {all}");
}

#[test]
fn both_multiplications_are_the_product() {
    let mut random = Random(3);
    for log_n in 2..=12 {
        let n = 1 << log_n;
        let levels = Levels::<12289>::of_the_thesis(n);
        assert_eq!(levels.size_of_pol(), (n >> 11).max(2));
        let (a, b) = (random.poly(n, 12289), random.poly(n, 12289));
        let by_ntt = residues(&levels.product(&signed(&a), &signed(&b)), 12289);
        let mut normal = vec![0; n];
        multiplied_normal::<12289>(&signed(&a), &signed(&b), &mut normal);
        assert_eq!(by_ntt, residues(&normal, 12289));
        if n <= 1024 {
            assert_eq!(by_ntt, poly::negacyclic_product(&a, &b, 12289));
        }
    }
    // Complete, as far as the thesis' root goes.
    let (a, b) = (random.poly(2048, 12289), random.poly(2048, 12289));
    let complete = Levels::<12289>::new(2048, 11, 41, 4096).product(&signed(&a), &signed(&b));
    let halved = Levels::<12289>::of_the_thesis(2048).product(&signed(&a), &signed(&b));
    assert_eq!(residues(&complete, 12289), residues(&halved, 12289));
}

/// Algorithm 5, against matrices of polynomials.
#[test]
fn commitments_are_the_products_of_matrices() {
    let (n, q) = (16, 12289);
    let mut random = Random(4);
    let key = Commitment::<12289>::new(n, || random.below(q) as i64);
    let constant = |c: u64| (0..n).map(|i| if i == 0 { c } else { 0 }).collect::<Vec<u64>>();
    let of = |rows: &[Vec<Vec<i64>>]| rows.iter().map(|row| row.iter().map(|a| residues(a, q)).collect()).collect();
    let small: poly::Matrix = of(&key.rows);
    let matrix: poly::Matrix = small
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let identity = (0..K - row.len()).map(|j| constant(u64::from(i == j)));
            identity.chain(row.iter().cloned()).collect()
        })
        .collect();
    let column = |vector: &[Vec<i64>]| vector.iter().map(|a| vec![residues(a, q)]).collect::<poly::Matrix>();
    let mut message = vec![vec![constant(0)]; D];
    message.extend(column(&key.message));
    let expected = poly::matrix_sum(&poly::matrix_product(&matrix, &column(&key.randomness), q), &message, q);
    let levels = Levels::of_the_thesis(n);
    for c in [key.commit_normal(), key.commit_ntt(&levels)] {
        assert_eq!(column(&c), expected);
    }
    assert_eq!(key.rows.iter().map(Vec::len).sum::<usize>(), 19);
}
