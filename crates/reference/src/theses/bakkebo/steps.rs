//! Theorem 2 in one step: residues modulo all factors of X^N − c, X^(N/a) − ω_i, at once, and what that costs beside
//! layers in halves and in thirds, and beside slots that stay as long as they are.

use crate::{field, testing::Random};

/// 1 + 3·2⁷·3²·5²·7: roots of every order that is needed.
const Q: u64 = 604_801;

/// Arithmetic modulo [`Q`] that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    products: usize,
    additions: usize,
}

impl Count {
    fn mul(&mut self, x: u64, y: u64) -> u64 {
        self.products += 1;
        field::mul(x, y, Q)
    }

    fn add(&mut self, x: u64, y: u64) -> u64 {
        self.additions += 1;
        field::add(x, y, Q)
    }

    fn sub(&mut self, x: u64, y: u64) -> u64 {
        self.additions += 1;
        field::sub(x, y, Q)
    }
}

/// How a step takes the values of x₀ + x₁Y + … at ζ·ω^i, i = 0 … a − 1, from a coefficients.
type Values = fn(&mut Count, &[u64], zeta: u64, omega: u64) -> Vec<u64>;

/// Section 4.2: a matrix of a times a, whose first column is ones.
fn by_matrix(count: &mut Count, x: &[u64], zeta: u64, omega: u64) -> Vec<u64> {
    let a = x.len() as u64;
    let row = |i: u64| {
        let point = field::mul(zeta, field::pow(omega, i, Q), Q);
        (1..a).fold(x[0], |sum, j| {
            let term = count.mul(x[j as usize], field::pow(point, j, Q));
            count.add(sum, term)
        })
    };
    (0..a).map(row).collect()
}

/// Coefficients times powers of ζ.
fn twisted(count: &mut Count, x: &[u64], zeta: u64) -> Vec<u64> {
    let power = |(j, &x): (usize, &u64)| if j == 0 { x } else { count.mul(x, field::pow(zeta, j as u64, Q)) };
    x.iter().enumerate().map(power).collect()
}

/// Sums and differences of x_j and x_(a−j), for odd a.
fn by_pairs(count: &mut Count, x: &[u64], zeta: u64, omega: u64) -> Vec<u64> {
    let (x, a) = (twisted(count, x, zeta), x.len());
    let half = field::inverse(2, Q).unwrap();
    let pairs: Vec<[u64; 2]> = (1..=a / 2).map(|j| [count.add(x[j], x[a - j]), count.sub(x[j], x[a - j])]).collect();
    let mut values = vec![0; a];
    values[0] = pairs.iter().fold(x[0], |sum, [pair, _]| count.add(sum, *pair));
    for i in 1..=a / 2 {
        let (mut even, mut odd) = (x[0], None);
        for (j, [sum, difference]) in (1..).zip(&pairs) {
            let power = field::pow(omega, (i * j) as u64, Q);
            let back = field::inverse(power, Q).unwrap();
            let by = |x: u64| field::mul(half, x, Q);
            let [of_sum, of_difference] = [by(field::add(power, back, Q)), by(field::sub(power, back, Q))];
            let term = count.mul(*sum, of_sum);
            even = count.add(even, term);
            let term = count.mul(*difference, of_difference);
            odd = Some(odd.map_or(term, |odd| count.add(odd, term)));
        }
        let odd = odd.unwrap();
        (values[i], values[a - i]) = (count.add(even, odd), count.sub(even, odd));
    }
    values
}

/// Two factors: a butterfly.
fn in_halves(count: &mut Count, x: &[u64], zeta: u64, _omega: u64) -> Vec<u64> {
    let term = count.mul(x[1], zeta);
    vec![count.add(x[0], term), count.sub(x[0], term)]
}

/// Three factors with one product besides the powers of ζ, as the engine has them: 1 + ω + ω² = 0.
fn in_thirds(count: &mut Count, x: &[u64], zeta: u64, omega: u64) -> Vec<u64> {
    let x = twisted(count, x, zeta);
    let difference = count.sub(x[1], x[2]);
    let term = count.mul(difference, omega);
    let sum = count.add(x[1], x[2]);
    let [first, second] = [count.sub(x[0], x[2]), count.sub(x[0], x[1])];
    vec![count.add(x[0], sum), count.add(first, term), count.sub(second, term)]
}

/// Five factors with five products besides the powers of ζ.
///
/// Source: S. Winograd, *On computing the discrete Fourier transform*, 1978: the algorithm for five points.
fn in_fifths(count: &mut Count, x: &[u64], zeta: u64, omega: u64) -> Vec<u64> {
    let x = twisted(count, x, zeta);
    let half = field::inverse(2, Q).unwrap();
    let power = |e: u64| field::pow(omega, e, Q);
    let cos = |k: u64| field::mul(half, field::add(power(k), power(5 - k), Q), Q);
    let sin = |k: u64| field::mul(half, field::sub(power(k), power(5 - k), Q), Q);
    let (t1, t2) = (count.add(x[1], x[4]), count.add(x[2], x[3]));
    let (t3, t4) = (count.sub(x[1], x[4]), count.sub(x[3], x[2]));
    let t5 = count.add(t1, t2);
    let m0 = count.add(x[0], t5);
    let m1 = count.mul(t5, field::sub(field::mul(half, field::add(cos(1), cos(2), Q), Q), 1, Q));
    let difference = count.sub(t1, t2);
    let m2 = count.mul(difference, field::mul(half, field::sub(cos(1), cos(2), Q), Q));
    let sum = count.add(t3, t4);
    let m3 = count.mul(sum, sin(1));
    let m4 = count.mul(t4, field::add(sin(1), sin(2), Q));
    let m5 = count.mul(t3, field::sub(sin(2), sin(1), Q));
    let s1 = count.add(m0, m1);
    let (s2, s4) = (count.add(s1, m2), count.sub(s1, m2));
    let (s3, s5) = (count.sub(m3, m4), count.add(m3, m5));
    vec![m0, count.add(s2, s3), count.add(s4, s5), count.sub(s4, s5), count.sub(s2, s3)]
}

/// Residues of a polynomial of n coefficients modulo the a factors of Xⁿ − ζ^a in one step.
fn step(count: &mut Count, values: Values, x: &[u64], a: usize, zeta: u64, omega: u64) -> Vec<Vec<u64>> {
    let length = x.len() / a;
    let mut residues = vec![vec![0; length]; a];
    for k in 0..length {
        let column: Vec<u64> = (0..a).map(|j| x[j * length + k]).collect();
        let values = values(count, &column, zeta, omega);
        residues.iter_mut().zip(values).for_each(|(residue, value)| residue[k] = value);
    }
    residues
}

/// By long division.
fn residue(x: &[u64], length: usize, root: u64) -> Vec<u64> {
    let mut residue = vec![0; length];
    for block in x.chunks(length).rev() {
        residue.iter_mut().zip(block).for_each(|(r, &x)| *r = field::add(field::mul(*r, root, Q), x, Q));
    }
    residue
}

/// Operations of a step for each coefficient, in a-th parts of one.
fn cost(values: Values, a: usize) -> Count {
    let (length, mut count) = (4, Count::default());
    let omega = field::root_of_unity(Q, a as u64).expect("a divides q − 1");
    let zeta = field::root_of_unity(Q, 4 * a as u64).expect("4a divides q − 1");
    let x = Random(a as u64).poly(a * length, Q);
    let residues = step(&mut count, values, &x, a, zeta, omega);
    for (i, of_factor) in (0..).zip(&residues) {
        let root = field::mul(zeta, field::pow(omega, i, Q), Q);
        assert_eq!(*of_factor, residue(&x, length, root), "factor {i} of {a}");
    }
    Count { products: count.products / length, additions: count.additions / length }
}

/// One step into a parts takes a(a − 1) products for a coefficients as a matrix; what pairs, one root in place of two,
/// and Winograd's five points make of it.
#[test]
fn one_step_into_any_number_of_factors() {
    let of = |products, additions| Count { products, additions };
    for a in [2, 3, 4, 5, 6, 7, 8, 10, 15] {
        assert_eq!(cost(by_matrix, a), of(a * (a - 1), a * (a - 1)), "{a}");
    }
    for a in [3, 5, 7, 15] {
        let half = a / 2;
        assert_eq!(cost(by_pairs, a).products, a - 1 + 2 * half * half, "{a}");
    }
    assert_eq!([cost(in_halves, 2), cost(in_thirds, 3), cost(in_fifths, 5)], [of(1, 2), of(3, 7), of(9, 17)]);
}

/// A step into 2^k parts against k layers of halves: (2^k − 1) products for each coefficient against k/2. Into 15
/// against layers of thirds and fifths.
#[test]
fn layers_of_small_parts_cost_less_than_one_step() {
    let halves = cost(in_halves, 2).products as f64 / 2.0;
    for k in 2..=5 {
        let a = 1 << k;
        let one_step = cost(by_matrix, a).products as f64 / a as f64;
        assert_eq!((one_step, f64::from(k) * halves), (a as f64 - 1.0, f64::from(k) / 2.0));
    }
    let of = |values, a| cost(values, a).products as f64 / a as f64;
    let [pairs, layers] = [of(by_pairs, 15), of(in_thirds, 3) + of(in_fifths, 5)];
    assert!(layers < 2.81 && pairs > 7.4, "{layers} against {pairs}");
}

/// A product of polynomials, for each coefficient: three transforms and slots. With one more layer into a parts, slots
/// of degree d become slots of degree d/a.
#[test]
fn a_layer_in_five_or_seven_pays_only_for_slots_of_its_square() {
    // As the engine multiplies slots: crates/ntt/tests/thesis.rs.
    let slots = |d: f64| [d + (d - 1.0) / d, d - 1.0];
    let saves = |values, a: usize, d: usize| {
        let (layer, parts) = (cost(values, a), a as f64);
        let of_layer = [layer.products, layer.additions].map(|operations| 3.0 * operations as f64 / parts);
        let (whole, rest) = (slots(d as f64), slots((d / a) as f64));
        [0, 1].map(|i| whole[i] - rest[i] - of_layer[i])
    };
    let better = |[products, additions]: [f64; 2]| products > 0.0 && products + additions > 0.0;
    let worse = |[products, additions]: [f64; 2]| products < 0.0 && products + additions < 0.0;
    // By products, and by all operations, as Theorem 3 counts.
    for (values, a) in [(in_thirds as Values, 3), (in_fifths, 5), (by_pairs, 5), (by_pairs, 7)] {
        assert!(worse(saves(values, a, a)), "{a}: {:?}", saves(values, a, a));
        assert!(better(saves(values, a, a * a)), "{a}: {:?}", saves(values, a, a * a));
    }
    let [products, additions] = saves(in_fifths, 5, 5);
    assert!((products + 0.6).abs() < 1e-9 && (additions + 6.2).abs() < 1e-9, "{products}, {additions}");
}
