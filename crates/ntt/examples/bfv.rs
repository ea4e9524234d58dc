//! The scheme BFV with its ring in residues: encryption, two products with relinearisation, decryption.
//!
//! **Research: this shows the calls, and is no implementation to encrypt with.** Its numbers come from a generator that
//! anybody can run, nothing is wiped that leaves the library's types, and no parameters are chosen for a security
//! level. Sources: Brakerski, *Fully homomorphic encryption without modulus switching from classical GapSVP* (2012);
//! Fan and Vercauteren, *Somewhat practical fully homomorphic encryption* (2012); products by exact extension and
//! division as in Bajard, Eynard, Hasan and Zucca (2016), without their approximations.
//! `cargo run --release --example bfv`

#![forbid(unsafe_code)]

use ringwork_ntt::{BaseExtension, Digits, ModDown, Rns, RnsError, RnsNtt, RnsPoly, RnsProduct, arith::primes};
use std::error::Error;

pub(crate) const N: usize = 8192;
/// The modulus of messages.
const T: u64 = 65537;

/// Numbers that look random. A scheme takes them from a cryptographic generator and wipes them.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// `count` polynomials, uniform modulo every prime.
    pub(crate) fn uniform(&mut self, rns: &Rns<u64>, count: usize) -> Result<RnsPoly<u64>, RnsError> {
        let primes: Vec<u64> = rns.primes().collect();
        let word = |at: usize| self.next() % primes[at / N % primes.len()];
        rns.poly(&(0..count * rns.words()).map(word).collect::<Vec<_>>())
    }

    /// Centred binomial, with a standard deviation of 3.24.
    fn noise(&mut self, rns: &Rns<u64>, count: usize) -> RnsPoly<u64> {
        let ones = |bits: u64| (bits & 0x1f_ffff).count_ones() as i64;
        let bits = (0..count * N).map(|_| self.next());
        rns.poly_of_i64(&bits.map(|bits| ones(bits) - ones(bits >> 32)).collect::<Vec<_>>())
    }
}

pub(crate) struct Bfv {
    q: Rns<u64>,
    /// Modulo `P·Q`, where products of ciphertexts do not wrap around.
    pq: Rns<u64>,
    up: BaseExtension<u64>,
    /// Divides by `Q`.
    down: ModDown<u64>,
    back: BaseExtension<u64>,
    digits: Digits<u64>,
    /// `⌊Q/T⌋` modulo each prime.
    delta: Vec<u64>,
}

pub(crate) struct Keys {
    secret: RnsNtt<u64>,
    relinearisation: RnsNtt<u64>,
}

impl Bfv {
    pub(crate) fn new(primes: &[u64]) -> Result<Self, RnsError> {
        let pq = Rns::new(N, primes)?;
        let (p, q) = (pq.part(0..4)?, pq.part(4..7)?);
        let (up, down, back) = (q.extension_to(&pq)?, pq.mod_down(3)?, p.extension_to(&q)?);
        let (mut rest, mut quotient) = (0, q.modulus().to_vec());
        for limb in quotient.iter_mut().rev() {
            let number = u128::from(rest) << 64 | u128::from(*limb);
            (*limb, rest) = ((number / u128::from(T)) as u64, (number % u128::from(T)) as u64);
        }
        let (delta, digits) = (q.residues_of_number(&quotient), q.digits_by_primes(&q, 1)?);
        Ok(Self { q, pq, up, down, back, digits, delta })
    }

    /// `(a·s + e + m, -a)` for each message `m`: first all the one halves, then all the others.
    fn hide(&self, numbers: &mut Numbers, s: &RnsNtt<u64>, m: &RnsPoly<u64>) -> Result<RnsPoly<u64>, RnsError> {
        let mut a = numbers.uniform(&self.q, m.len())?;
        let mut b = self.q.inverse_product(self.q.inner_products(&self.q.forward_poly(a.clone()), s, 1));
        self.q.add(&mut b, &numbers.noise(&self.q, m.len()));
        self.q.add(&mut b, m);
        self.q.negate(&mut a);
        Ok(RnsPoly::concat(&[&b, &a]))
    }

    pub(crate) fn keys(&self, numbers: &mut Numbers) -> Result<Keys, RnsError> {
        let s: Vec<i64> = (0..N).map(|_| (numbers.next() % 3) as i64 - 1).collect();
        let secret = self.q.forward_poly(self.q.poly_of_i64(&s));
        let square = self.q.inverse_product(self.q.pointwise(&secret, &secret));
        let mut weighted = vec![square; self.digits.len()];
        weighted.iter_mut().enumerate().for_each(|(i, square)| self.q.scale(square, self.digits.weight(i)));
        let key = self.hide(numbers, &secret, &RnsPoly::concat(&weighted.iter().collect::<Vec<_>>()))?;
        Ok(Keys { relinearisation: self.q.forward_poly(key), secret })
    }

    pub(crate) fn encrypt(&self, numbers: &mut Numbers, keys: &Keys, m: &[u64]) -> Result<RnsPoly<u64>, RnsError> {
        let mut scaled = self.q.poly_of_integers(m, 1, false);
        self.q.scale(&mut scaled, &self.delta);
        self.hide(numbers, &keys.secret, &scaled)
    }

    /// `round(T·x/Q)` modulo `P`.
    fn scaled(&self, mut x: RnsPoly<u64>) -> RnsPoly<u64> {
        self.pq.scale(&mut x, &self.pq.residues_of_number(&[T]));
        self.down.run(&x)
    }

    fn decrypt(&self, keys: &Keys, c: &RnsPoly<u64>) -> Vec<u64> {
        let mut x = self.q.inverse_product(self.q.pointwise(&self.q.forward_poly(c.select(1..2)), &keys.secret));
        self.q.add(&mut x, &c.select(0..1));
        let m = self.scaled(self.up.poly(&x, true));
        let (ring, lowest) = (self.down.ring(), |limbs: &[u64]| (limbs[0] as i64).rem_euclid(T as i64) as u64);
        ring.integers(&m, true).words().chunks_exact(ring.limbs()).map(lowest).collect()
    }

    /// The product, whose polynomials belong to 1, to s and to s^2.
    pub(crate) fn tensor(&self, a: &RnsPoly<u64>, b: &RnsPoly<u64>) -> RnsPoly<u64> {
        let [a, b] = [a, b].map(|c| self.pq.forward_poly(self.up.poly(c, true)));
        let ends = self.pq.pointwise(&a, &b);
        let mut middle = self.pq.pointwise(&a.select(0..1), &b.select(1..2));
        self.pq.accumulate(&mut middle, &a.select(1..2), &b.select(0..1));
        let tensor = RnsProduct::concat(&[&ends.select(0..1), &middle, &ends.select(1..2)]);
        self.back.poly(&self.scaled(self.pq.inverse_product(tensor)), true)
    }

    fn multiply(&self, keys: &Keys, a: &RnsPoly<u64>, b: &RnsPoly<u64>) -> RnsPoly<u64> {
        let c = self.tensor(a, b);
        let digits = self.q.forward_poly(self.digits.run(&c.select(2..3)));
        let mut sum = self.q.inverse_product(self.q.inner_products(&digits, &keys.relinearisation, digits.len()));
        self.q.add(&mut sum, &c.select(0..2));
        sum
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let bfv = Bfv::new(&primes(2 * N as u64, 55)?.rev().take(7).map(|p| p.get()).collect::<Vec<_>>())?;
    let mut numbers = Numbers(1);
    let keys = bfv.keys(&mut numbers)?;
    let messages: Vec<Vec<u64>> = (0..3).map(|_| (0..N).map(|_| numbers.next() % T).collect()).collect();
    let [x, y, z] = [0, 1, 2].map(|i| bfv.encrypt(&mut numbers, &keys, &messages[i]));
    let product = bfv.multiply(&keys, &bfv.multiply(&keys, &x?, &y?), &z?);
    // In the clear, modulo T.
    let clear = Rns::<u64>::new(N, &[T])?;
    let [x, y, z] = [0, 1, 2].map(|i| clear.forward_poly(clear.poly_of_integers(&messages[i], 1, false)));
    let expected = clear.inverse_product(clear.pointwise(&clear.to_ntt(clear.pointwise(&x, &y)), &z));
    assert_eq!(bfv.decrypt(&keys, &product), expected.residues(0, 0));
    println!("three encrypted messages of {N} numbers modulo {T}, multiplied and decrypted");
    Ok(())
}
