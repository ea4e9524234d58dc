//! Schoolbook products of polynomials over Z_q.
//!
//! Formula, modulo X^d − c: c_k = Σ_{i+j=k} a_i·b_j + c·Σ_{i+j=k+d} a_i·b_j. The negacyclic ring is
//! c = −1, that is Xⁿ + 1, the cyclic ring Xⁿ − 1 is c = 1, and the slots of an incomplete
//! transform are the other values of c.
//!
//! Source: Longa and Naehrig 2016, section 2.1 (the ring); Bakkebø 2020 (the slots).
//!
//! Ranges: coefficient i of a polynomial is element i of the slice; all values in [0, q).

use crate::field;

/// a·b modulo X^d − c and q, where d is the common length of a and b.
///
/// **Panics** when the lengths differ.
pub fn product_mod(a: &[u64], b: &[u64], c: u64, q: u64) -> Vec<u64> {
    assert_eq!(a.len(), b.len(), "both factors have the same number of coefficients");
    let d = a.len();
    let mut result = vec![0; d];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let term = field::mul(x, y, q);
            let k = i + j;
            result[k % d] = field::add(result[k % d], if k < d { term } else { field::mul(c, term, q) }, q);
        }
    }
    result
}

/// a·b modulo Xⁿ + 1 and q.
///
/// **Panics** when the lengths differ.
pub fn negacyclic_product(a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
    product_mod(a, b, q - 1, q)
}

/// a·b modulo Xⁿ − 1 and q. The modulus 1 is excluded: its only residue is 0.
///
/// **Panics** when the lengths differ.
pub fn cyclic_product(a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
    product_mod(a, b, 1, q)
}

/// a·b without any reduction by a polynomial, padded with one zero to twice the length.
///
/// **Panics** when the lengths differ.
pub fn whole_product(a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
    let zeros = vec![0; a.len()];
    product_mod(&[a, &zeros].concat(), &[b, &zeros].concat(), 0, q) // nothing reaches X^2n
}

/// The b with a·b = 1 modulo X^d − c and q, or `None` when there is none. q is prime.
///
/// Multiplication by a is a linear map; b solves the d equations whose unknowns are its
/// coefficients (Gauß and Jordan).
pub fn inverse_mod(a: &[u64], c: u64, q: u64) -> Option<Vec<u64>> {
    let d = a.len();
    // Column j of the matrix is a·X^j; the right side is 1.
    let mut rows = vec![vec![0; d + 1]; d];
    for j in 0..d {
        let mut power = vec![0; d];
        power[j] = 1;
        for (row, x) in rows.iter_mut().zip(product_mod(a, &power, c, q)) {
            row[j] = x;
        }
    }
    rows[0][d] = 1 % q;
    for j in 0..d {
        let pivot = (j..d).find(|&i| rows[i][j] != 0)?;
        rows.swap(j, pivot);
        let scale = field::inverse(rows[j][j], q)?;
        rows[j].iter_mut().for_each(|x| *x = field::mul(*x, scale, q));
        let row = rows[j].clone();
        for other in (0..d).filter(|&i| i != j) {
            let factor = rows[other][j];
            for (x, &y) in rows[other].iter_mut().zip(&row) {
                *x = field::sub(*x, field::mul(factor, y, q), q);
            }
        }
    }
    Some(rows.iter().map(|row| row[d]).collect())
}

/// a + b, coefficient by coefficient.
///
/// **Panics** when the lengths differ.
pub fn add(a: &[u64], b: &[u64], q: u64) -> Vec<u64> {
    assert_eq!(a.len(), b.len(), "both summands have the same number of coefficients");
    a.iter().zip(b).map(|(&x, &y)| field::add(x, y, q)).collect()
}

/// The residues of a polynomial with integer coefficients.
pub fn residues(a: &[i64], q: u64) -> Vec<u64> {
    a.iter().map(|&x| field::residue(x, q)).collect()
}

/// A matrix of polynomials, row by row.
pub type Matrix = Vec<Vec<Vec<u64>>>;

/// The product of matrices of polynomials modulo Xⁿ + 1 and q; n = 1 means numbers, whose products
/// need no reduction but that by q.
///
/// **Panics** when the inner sizes or the degrees differ, or the right factor is empty.
pub fn matrix_product(a: &Matrix, b: &Matrix, q: u64) -> Matrix {
    let n = b[0][0].len();
    let entry = |row: &Vec<Vec<u64>>, column: usize| {
        assert_eq!(row.len(), b.len(), "columns of the left factor and rows of the right one");
        row.iter().zip(b).fold(vec![0; n], |sum, (x, y)| add(&sum, &negacyclic_product(x, &y[column], q), q))
    };
    a.iter().map(|row| (0..b[0].len()).map(|column| entry(row, column)).collect()).collect()
}

/// a + b for matrices of polynomials.
///
/// **Panics** when the sizes differ.
pub fn matrix_sum(a: &Matrix, b: &Matrix, q: u64) -> Matrix {
    assert_eq!(a.len(), b.len(), "rows of both matrices");
    let row = |(a, b): (&Vec<Vec<u64>>, &Vec<Vec<u64>>)| {
        assert_eq!(a.len(), b.len(), "columns of both matrices");
        a.iter().zip(b).map(|(x, y)| add(x, y, q)).collect()
    };
    a.iter().zip(b).map(row).collect()
}

/// factor·a for a matrix of polynomials.
pub fn matrix_multiple(factor: u64, a: &Matrix, q: u64) -> Matrix {
    let poly = |x: &Vec<u64>| x.iter().map(|&c| field::mul(factor, c, q)).collect();
    a.iter().map(|row| row.iter().map(poly).collect()).collect()
}

/// a(x): the value of the polynomial at one point, by Horner's rule.
pub fn evaluate(a: &[u64], x: u64, q: u64) -> u64 {
    a.iter().rev().fold(0, |sum, &coefficient| field::add(field::mul(sum, x, q), coefficient, q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn a_product_by_hand() {
        // (1 + 2X + 3X²)(4 + 5X + 6X²) = 4 + 13X + 28X² + 27X³ + 18X⁴
        let (a, b, q) = ([1, 2, 3], [4, 5, 6], 97);
        assert_eq!(cyclic_product(&a, &b, q), [31, 31, 28]);
        assert_eq!(negacyclic_product(&a, &b, q), [97 - 23, 97 - 5, 28]);
        assert_eq!(product_mod(&a, &b, 2, q), [58, 49, 28]);
        assert_eq!(whole_product(&a, &b, q), [4, 13, 28, 27, 18, 0]);
    }

    #[test]
    fn an_inverse_is_one_or_there_is_none() {
        let (q, mut random) = (97, Random(7));
        for d in 1..7 {
            let one: Vec<u64> = (0..d).map(|i| u64::from(i == 0)).collect();
            for c in [0, 1, 5, q - 1] {
                let a = random.poly(d, q);
                match inverse_mod(&a, c, q) {
                    Some(b) => assert_eq!(product_mod(&a, &b, c, q), one),
                    None => assert!(d > 1 || a == [0]),
                }
                assert_eq!(inverse_mod(&vec![0; d], c, q), None);
            }
        }
        // X − 3 divides X² − 9, and X² + 1 has no zero modulo 7.
        assert_eq!(inverse_mod(&[97 - 3, 1], 9, 97), None);
        for a in 1..49 {
            assert!(inverse_mod(&[a % 7, a / 7], 6, 7).is_some());
        }
    }

    #[test]
    fn multiplication_by_x_shifts_and_brings_c_in() {
        let q = 12289;
        for d in 1..9 {
            for c in [0, 1, 5, q - 1] {
                let mut a = Random(d as u64).poly(d, q);
                let start = a.clone();
                let mut x = vec![0; d];
                x[1 % d] = if d == 1 { c } else { 1 };
                for _ in 0..d {
                    a = product_mod(&a, &x, c, q);
                }
                assert_eq!(a, start.iter().map(|&v| field::mul(c, v, q)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn matrices_by_hand() {
        let numbers = |rows: [[u64; 2]; 2]| rows.map(|row| row.map(|x| vec![x]).to_vec()).to_vec();
        let (a, b, q) = (numbers([[1, 2], [3, 4]]), numbers([[5, 6], [7, 8]]), 41);
        assert_eq!(matrix_product(&a, &b, q), numbers([[19, 22], [43 - 41, 50 - 41]]));
        assert_eq!(matrix_sum(&a, &b, q), numbers([[6, 8], [10, 12]]));
        assert_eq!(matrix_multiple(11, &a, q), numbers([[11, 22], [33, 3]]));
        // (1 + X)·(2 + X) + X·3 = 1 + 6X modulo X² + 1
        let (row, column) = (vec![vec![vec![1, 1], vec![0, 1]]], vec![vec![vec![2, 1]], vec![vec![3, 0]]]);
        assert_eq!(matrix_product(&row, &column, 41), [[[1, 6]]]);
    }

    #[test]
    fn products_of_values_are_values_of_products() {
        let (q, c, x) = (7681, 4, 2); // x is a zero of X² − 4
        let mut random = Random(2);
        let (a, b) = (random.poly(2, q), random.poly(2, q));
        let product = field::mul(evaluate(&a, x, q), evaluate(&b, x, q), q);
        assert_eq!(evaluate(&product_mod(&a, &b, c, q), x, q), product);
        assert_eq!(evaluate(&add(&a, &b, q), x, q), field::add(evaluate(&a, x, q), evaluate(&b, x, q), q));
    }
}
