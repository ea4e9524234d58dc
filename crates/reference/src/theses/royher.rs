//! Royher's module-LWE program: one polynomial is encrypted and decrypted under a fresh key.
//!
//! His FNTT and INTT are Algorithms 1 and 2 of Longa and Naehrig with `%` after every operation; q is
//! a number that the compiler does not know. His numbers are NTL's `ZZ`, of any length, and here
//! words of 64 bits: that is the one difference that matters for time. His candidates for roots come
//! from `rand()`, here from 2 on.
//!
//! His program searches the root and makes the tables once for encryption, and again for each product
//! of decryption; so does [`run`].
//!
//! Ranges: values in [0, q), q < 2³⁰.

use super::Rand;
use crate::{
    field,
    longa_naehrig::{
        Tables,
        arithmetic::{Arithmetic, Remainders},
        intt_by, ntt_by,
    },
    ntt::Ring,
};

/// `existSmallN`: whether r^k = 1 for a k from 2 on below n.
fn exists_small(r: u64, q: u64, n: u64) -> bool {
    (2..n).any(|k| field::pow(r, k, q) == 1)
}

/// `NthRootOfUnity`: the first candidate whose power is a primitive n-th root, or `None` where the
/// program stops.
fn nth_root_of_unity(q: u64, n: u64) -> Option<u64> {
    if !(q - 1).is_multiple_of(n) {
        return None;
    }
    (2..q).map(|alpha| field::pow(alpha, (q - 1) / n, q)).find(|&beta| beta != 1 && !exists_small(beta, q, n))
}

/// `NTTScheme`: powers of the root and their inverses in bit-reversed order.
pub fn tables(n: usize, q: u64) -> Option<Tables> {
    Tables::of_root(n, q, nth_root_of_unity(q, 2 * n as u64)?)
}

/// `performNTTMultiplication`: three transforms.
pub fn ntt_product(tables: &Tables, a: &[u64], b: &[u64]) -> Vec<u64> {
    let by = Remainders(tables.q());
    let [mut a, mut b] = [a, b].map(<[u64]>::to_vec);
    ntt_by(&by, &mut a, tables);
    ntt_by(&by, &mut b, tables);
    let mut c: Vec<u64> = a.iter().zip(&b).map(|(&x, &y)| by.mul(x, y)).collect();
    intt_by(&by, &mut c, tables);
    let n_inverse = tables.n_inverse();
    c.iter_mut().for_each(|x| *x = by.mul(*x, n_inverse));
    c
}

/// `SchoolBookMultiplication`: 2n − 1 coefficients, then the remainder by Xⁿ + 1.
pub fn schoolbook_product(q: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = a.len();
    let mut whole = vec![0; 2 * n];
    for i in 0..n {
        for j in 0..n {
            whole[i + j] = (whole[i + j] + a[i] * b[j]) % q;
        }
    }
    Ring::Negacyclic.residue(&whole, q)
}

/// What the program multiplies by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplication {
    /// `MLWESchemeModPNTT`.
    Ntt,
    /// `MLWESchemeModPSchoolBook`.
    Schoolbook,
}

/// The parameters of `main`: A has m rows and n columns of polynomials of degree d.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Parameters {
    pub m: usize,
    pub n: usize,
    pub beta: u64,
    pub d: usize,
    pub q: u64,
    pub p: u64,
}

/// A message µ, what decryption made of it, and the ciphertext.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Run {
    pub message: Vec<u64>,
    pub decrypted: Vec<u64>,
    pub u: Vec<Vec<u64>>,
    pub v: Vec<u64>,
}

/// A number from −β to β, modulo q.
fn noise(rand: &mut Rand, beta: u64, q: u64) -> u64 {
    (rand.draw() % (2 * beta + 1) + q - beta) % q
}

/// `main`: key generation, encryption, decryption. `None` where q has no root for transforms.
pub fn run(of: Parameters, by: Multiplication, rand: &mut Rand) -> Option<Run> {
    let Parameters { m, n, beta, d, q, p } = of;
    let fresh = || if by == Multiplication::Ntt { tables(d, q).map(Some) } else { Some(None) };
    let product = |tables: &Option<Tables>, a: &[u64], b: &[u64]| match tables {
        Some(tables) => ntt_product(tables, a, b),
        None => schoolbook_product(q, a, b),
    };
    let add = |sum: &mut [u64], by: u64, a: &[u64]| {
        sum.iter_mut().zip(a).for_each(|(x, &y)| *x = (*x + by * y) % q);
    };
    let small = |rand: &mut Rand| -> Vec<u64> { (0..d).map(|_| noise(rand, beta, q)).collect() };
    let schemes = fresh()?;
    let message: Vec<u64> = (0..d).map(|_| rand.draw() % p).collect();

    let a: Vec<Vec<Vec<u64>>> =
        (0..m).map(|_| (0..n).map(|_| (0..d).map(|_| rand.residue(q)).collect()).collect()).collect();
    let mut e: Vec<Vec<u64>> = (0..m).map(|_| small(rand)).collect();
    let s: Vec<Vec<u64>> = (0..n).map(|_| small(rand)).collect();
    let t: Vec<Vec<u64>> = (0..m)
        .map(|i| {
            let mut sum = vec![0; d];
            (0..n).for_each(|j| add(&mut sum, 1, &product(&schemes, &a[i][j], &s[j])));
            add(&mut sum, p, &e[i]);
            sum
        })
        .collect();

    let r: Vec<Vec<u64>> = (0..m).map(|_| small(rand)).collect();
    e = (0..n).map(|_| small(rand)).collect();
    let e3 = small(rand);
    let u: Vec<Vec<u64>> = (0..n)
        .map(|j| {
            let mut sum = vec![0; d];
            (0..m).for_each(|i| add(&mut sum, 1, &product(&schemes, &a[i][j], &r[i])));
            add(&mut sum, p, &e[j]);
            sum
        })
        .collect();
    let mut v = vec![0; d];
    (0..m).for_each(|i| add(&mut v, 1, &product(&schemes, &r[i], &t[i])));
    add(&mut v, p, &e3);
    add(&mut v, 1, &message);

    let mut sum = vec![0; d];
    for j in 0..n {
        add(&mut sum, 1, &product(&fresh()?, &u[j], &s[j]));
    }
    let decrypted =
        v.iter().zip(&sum).map(|(&v, &sum)| field::residue(field::centred((v + q - sum) % q, q), p)).collect();
    Some(Run { message, decrypted, u, v })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{poly, testing::Random};

    #[test]
    fn both_multiplications_are_the_schoolbook_product() {
        let mut random = Random(1);
        for (n, q) in [(2, 5), (8, 17), (256, 7681), (512, 12289)] {
            let (a, b) = (random.poly(n, q), random.poly(n, q));
            let expected = poly::negacyclic_product(&a, &b, q);
            assert_eq!(ntt_product(&tables(n, q).unwrap(), &a, &b), expected);
            assert_eq!(schoolbook_product(q, &a, &b), expected);
        }
        // The row (4096, 12289) of the table of chapter 5: NthRootOfUnity stops at its assertion. The
        // thesis' generate_prime(8192) is 40961.
        assert!(tables(4096, 12289).is_none() && tables(4096, 40961).is_some());
        let generate_prime = |n: u64| (1..).map(|k| k * n + 1).find(|&q| field::is_prime(q)).unwrap();
        assert_eq!([512, 1024, 2048, 16384, 32768].map(generate_prime), [7681, 12289, 12289, 65537, 65537]);
        assert_eq!(generate_prime(8192), 40961);
    }

    #[test]
    fn noise_is_of_either_sign() {
        let mut rand = Rand(1);
        let drawn: std::collections::BTreeSet<i64> =
            (0..1000).map(|_| field::centred(noise(&mut rand, 2, 7681), 7681)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
    }

    #[test]
    fn the_program_encrypts_and_decrypts() {
        let of = Parameters { m: 4, n: 4, beta: 2, d: 256, q: 7681, p: 3 };
        let ntt = run(of, Multiplication::Ntt, &mut Rand(1)).unwrap();
        assert_eq!(ntt.message, ntt.decrypted);
        assert!(ntt.message.contains(&2) && ntt.u.len() == 4);
        assert_eq!(run(of, Multiplication::Schoolbook, &mut Rand(1)).unwrap(), ntt);
        assert_ne!(run(of, Multiplication::Ntt, &mut Rand(2)).unwrap(), ntt);
        let none = run(Parameters { d: 4096, q: 12289, ..of }, Multiplication::Ntt, &mut Rand(1));
        assert!(none.is_none());
    }
}
