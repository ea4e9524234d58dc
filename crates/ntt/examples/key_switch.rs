//! A key switch: a ciphertext is moved by the automorphism X -> X^5, and comes back under its own key.
//!
//! **Research: this shows the calls, and is no implementation to encrypt with.** Its numbers come from a generator that
//! anybody can run, and no parameters are chosen for a security level. Source: Han and Ki, *Better bootstrapping for
//! approximate homomorphic encryption* (2020), section 3, whose digits are groups of primes, and whose keys are modulo
//! `Q·P`, so that division by `P` leaves little of their noise.
//!
//! `cargo run --release --example key_switch`

#![forbid(unsafe_code)]

use ringwork_ntt::{Rns, RnsNtt, RnsPoly, arith::primes};
use std::error::Error;

const N: usize = 8192;
/// The automorphism.
const K: u64 = 5;
/// Primes of `Q`, and of `P`, which are as many as a digit has.
const PRIMES: [usize; 2] = [4, 2];

/// Numbers that look random. A scheme takes them from a cryptographic generator and wipes them.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn coefficients(&mut self, mut of: impl FnMut(u64) -> i64) -> Vec<i64> {
        (0..N).map(|_| of(self.next())).collect()
    }

    /// Centred binomial, with a standard deviation of 3.24.
    fn noise(&mut self) -> Vec<i64> {
        let ones = |bits: u64| (bits & 0x1f_ffff).count_ones() as i64;
        self.coefficients(|bits| ones(bits) - ones(bits >> 32))
    }
}

/// `(a·s + e + m, -a)`, transformed.
fn hide(
    rns: &Rns<u64>,
    numbers: &mut Numbers,
    s: &RnsNtt<u64>,
    m: RnsPoly<u64>,
) -> Result<[RnsNtt<u64>; 2], Box<dyn Error>> {
    let primes: Vec<u64> = rns.primes().collect();
    let words: Vec<u64> = (0..rns.words()).map(|at| numbers.next() % primes[at / N]).collect();
    let mut a = rns.forward_poly(rns.poly(&words)?);
    let mut sum = rns.poly_of_i64(&numbers.noise());
    rns.add(&mut sum, &m);
    let mut b = rns.to_ntt(rns.pointwise(&a, s));
    rns.add(&mut b, &rns.forward_poly(sum));
    rns.negate(&mut a);
    Ok([b, a])
}

/// Runs the example; tests do.
pub fn main() -> Result<(), Box<dyn Error>> {
    let all: Vec<u64> = primes(2 * N as u64, 55)?.rev().take(PRIMES[0] + PRIMES[1]).map(|p| p.get()).collect();
    // The largest primes are those of P: it exceeds every digit.
    let all: Vec<u64> = all.into_iter().rev().collect();
    let qp = Rns::<u64>::new(N, &all)?;
    let q = qp.part(0..PRIMES[0])?;
    let (digits, down) = (q.digits_by_primes(&qp, PRIMES[1])?, qp.mod_down(PRIMES[1])?);
    let automorphism = q.automorphism(K)?;
    let mut numbers = Numbers(1);

    // The key: under s, for each digit, what the image of s under the automorphism is multiplied by.
    let secret = numbers.coefficients(|bits| (bits % 3) as i64 - 1);
    let s = qp.forward_poly(qp.poly_of_i64(&secret));
    let image = qp.automorphism(K)?.poly(&qp.poly_of_i64(&secret));
    let mut key = [Vec::new(), Vec::new()];
    for i in 0..digits.len() {
        let mut weighted = image.clone();
        qp.scale(&mut weighted, digits.weight(i));
        let [b, a] = hide(&qp, &mut numbers, &s, weighted)?;
        key[0].push(b);
        key[1].push(a);
    }
    let key = RnsNtt::concat(&key.iter().flatten().collect::<Vec<_>>());

    // A ciphertext, moved: the slots of both halves change places.
    let message = numbers.coefficients(|bits| (bits >> 20) as i64);
    let s = s.part(0..PRIMES[0]);
    let [b, a] = hide(&q, &mut numbers, &s, q.poly_of_i64(&message))?;
    let [b, a] = [automorphism.ntt(&b)?, automorphism.ntt(&a)?];

    // The switch: small digits times the key, added up, divided by P.
    let a = qp.forward_poly(digits.run(&q.inverse_ntt(a)));
    let sums = down.run(&qp.inverse_product(qp.inner_products(&a, &key, digits.len())));

    // Decrypted under s, this is the image of the message, and little noise.
    let mut x = q.inverse_product(q.pointwise(&q.forward_poly(sums.select(1..2)), &s));
    q.add(&mut x, &sums.select(0..1));
    q.add(&mut x, &q.inverse_ntt(b));
    q.sub(&mut x, &automorphism.poly(&q.poly_of_i64(&message)));
    let noise = q.integers(&x, true);
    let largest = noise.words().chunks_exact(q.limbs()).map(|limbs| {
        // In two's complement: the higher limbs of small numbers are their sign.
        assert!(limbs[1..].iter().all(|limb| *limb as i64 == limbs[0] as i64 >> 63));
        (limbs[0] as i64).unsigned_abs()
    });
    let largest = largest.max().expect("there are coefficients");
    assert!(largest < 1 << 12, "{largest}");
    println!("modulo 2^{}, after the key switch the noise is at most {largest}", 55 * PRIMES[0]);
    Ok(())
}
