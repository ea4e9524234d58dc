//! NTRU over Z_q\[X\]/(Xᴺ + 1) with a prime q and a small prime p, in the order of Bakkebø's algorithms 1 to 3.
//!
//! ```text
//! KeyGen:   f', g ← β₂;  f = pf' + 1;  again unless f is invertible;  h = pg/f
//! Encrypt:  r ← β₂;  c = h·r + m
//! Decrypt:  m = (c·f mod± q) mod± p
//! ```
//!
//! N is any degree (table 2.1 has N = 2ᵏ·a), p a prime up to 17. A message has coefficients that mod± p gives: from
//! −(p − 1)/2 to (p − 1)/2, or 0 and 1 for p = 2; whatever p, f', g and r are ternary.
//!
//! β₂ is b₀ + b₁ − b₂ − b₃ mod± 3 for uniform bits (the text has plus signs: `ERRATA.md`), the
//! distribution of NTTRU.
//!
//! **When it decrypts.** c·f = p(g·r + m·f') + m. With M = ⌊p/2⌋, the largest coefficient of a
//! message, those of the products reach N and MN, and all of it p(1 + M)N + M; so that ≤ (q − 1)/2
//! is necessary and enough: q ≥ 2p(1 + M)N + 2M + 1 for odd q. With M = 1, for p = 2 and 3, that is
//! exactly her N < (q − 1)/4p, though her proof passes over the last m; for larger p hers holds for
//! messages with M = 1, as the proof has them, and not for all (`ERRATA.md`). With p = 3 it is
//! q ≥ 12N + 3, and q = 12289 misses N = 1024 by one.
//!
//! **Bytes**, which the thesis does not define: polynomials by their coefficients, constant term
//! first, each ⌈log₂ q⌉ bits, lowest first, as one string of bits; a ternary polynomial has two
//! bits for each coefficient plus 1, a message ⌈log₂ p⌉ bits for each coefficient minus the least
//! one. Rest bits are zero. A secret key is f', a public key h, a ciphertext c. Randomness is the
//! AES-256 stream of a 32-byte seed in counter mode, whole bytes for each polynomial; a nibble is a
//! coefficient, as in NTTRU. Public keys and ciphertexts may travel as slots instead (section
//! 4.3.1): the depth as one byte, and the slots of that transform in canonical order, packed alike.
//!
//! **Key encapsulation** is that of [`kem`]; keys of its seed are those of the first SHAKE-256 of
//! the domain, `" keys"`, a number in 4 little-endian bytes and the seed whose f is invertible.
//!
//! Source: Bakkebø, *Number theoretic transform for faster lattice-based cryptography* (2020),
//! section 2.2.
//!
//! Ranges: polynomials hold canonical residues in [0, q). **Not constant time.**

use crate::bytes::Stream;
use crate::ntt::{Ring, Transform};
use crate::{field, kem, poly};
use ctr::cipher::{KeyIvInit, StreamCipher};

/// A degree, a modulus and a modulus of messages with which every message decrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    n: usize,
    q: u64,
    p: u64,
}

/// The smallest odd q with which every message modulo p decrypts.
pub const fn least_modulus(n: usize, p: u64) -> u64 {
    let largest = p / 2;
    2 * p * (1 + largest) * n as u64 + 2 * largest + 1
}

impl Parameters {
    /// Messages modulo 3. `None` unless n ≥ 4 is a power of two, q is prime, and q ≥ 12n + 3.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        Self::general(n, q, 3).filter(|_| n >= 4 && n.is_power_of_two())
    }

    /// Messages modulo p, of any degree. `None` unless p ≤ 17 and q are primes, and q is at least
    /// [`least_modulus`], which is above p.
    pub fn general(n: usize, q: u64, p: u64) -> Option<Self> {
        let fits = n > 0 && p <= 17 && field::is_prime(p) && field::is_prime(q) && q >= least_modulus(n, p);
        fits.then_some(Self { n, q, p })
    }

    /// The secret and the public key, from the 32 bytes that would be drawn at random; `None` when
    /// f is not invertible.
    pub fn keygen(self, seed: &[u8; 32]) -> Option<(Vec<u8>, Vec<u8>)> {
        let coins = aes256_ctr(seed, 2 * self.coins());
        let (f_short, g) = (self.short(&coins[..self.coins()]), self.short(&coins[self.coins()..]));
        let f_inverse = self.inverse(&self.secret(&f_short))?;
        let multiple: Vec<u64> = g.iter().map(|&x| field::mul(self.p, x, self.q)).collect();
        let h = self.product(&multiple, &f_inverse);
        Some((self.pack_ternary(&f_short), self.pack(&h)))
    }

    /// The ciphertext of a message, both as bytes; r comes from the seed. `None` for bytes
    /// that are no public key or no message.
    pub fn encrypt(self, public_key: &[u8], message: &[u8], seed: &[u8; 32]) -> Option<Vec<u8>> {
        let (h, m) = (self.unpack(public_key)?, self.unpack_message(message)?);
        let r = self.short(&aes256_ctr(seed, self.coins()));
        Some(self.pack(&poly::add(&self.product(&h, &r), &m, self.q)))
    }

    /// The message. `None` for bytes that are no secret key or no ciphertext.
    pub fn decrypt(self, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (f, c) = (self.secret(&self.unpack_ternary(secret_key)?), self.unpack(ciphertext)?);
        let m: Vec<u64> = self.product(&c, &f).into_iter().map(|x| self.centred_modulo_p(x)).collect();
        Some(self.pack_message(&m))
    }

    /// A public key or a ciphertext as slots of that depth; `None` for bytes that are neither, or
    /// if q has no such transform.
    pub fn as_slots(self, depth: u32, coefficients: &[u8]) -> Option<Vec<u8>> {
        let slots = Transform::new(self.n, self.q, Ring::Negacyclic, depth)?.forward(&self.unpack(coefficients)?);
        Some([&[depth as u8], &*self.pack(&slots)].concat())
    }

    /// The domain of the encapsulation's hashes.
    fn domain(self) -> String {
        let of_p = if self.p == 3 { String::new() } else { format!(" p={}", self.p) };
        format!("ringwork ntru 1 n={} q={}{of_p}", self.n, self.q)
    }

    /// The secret and the public key of a seed of encapsulation.
    pub fn kem_keygen(self, seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
        let domain = self.domain();
        let derived = |i: u32| Stream::shake256(&[domain.as_bytes(), b" keys", &i.to_le_bytes(), seed]).read::<32>();
        (0..).find_map(|i| self.keygen(&derived(i))).expect("most f are invertible")
    }

    /// The saved secret key of encapsulation, of the seed of the keys and the secret z of
    /// rejection.
    pub fn saved_key(self, seed: &[u8; 32], z: &[u8; 32]) -> Vec<u8> {
        kem::secret_key(&self.domain(), &self.kem_keygen(seed).1, seed, z)
    }

    /// The shared key and the ciphertext of a message; `None` for bytes that are no public
    /// key or no message.
    pub fn encapsulate(self, public_key: &[u8], message: &[u8]) -> Option<([u8; 32], Vec<u8>)> {
        let (key, coins) = kem::key_and_coins(&self.domain(), public_key, message);
        Some((key, self.encrypt(public_key, message, &coins)?))
    }

    /// The shared key of a ciphertext, from both keys and the secret z of rejection; `None` for
    /// bytes that are no ciphertext.
    pub fn decapsulate(
        self,
        [secret_key, public_key]: [&[u8]; 2],
        z: &[u8; 32],
        ciphertext: &[u8],
    ) -> Option<[u8; 32]> {
        let message = self.decrypt(secret_key, ciphertext)?;
        let (key, again) = self.encapsulate(public_key, &message)?;
        Some(if again == ciphertext { key } else { kem::rejected(&self.domain(), z, ciphertext) })
    }

    /// A message from a nibble of random bytes for each coefficient: of β₂, and for p = 2 of its
    /// absolute value.
    pub fn message(self, coins: &[u8]) -> Vec<u8> {
        let short = self.short(coins).into_iter();
        self.pack_message(&short.map(|x| if self.p == 2 { u64::from(x != 0) } else { x }).collect::<Vec<_>>())
    }

    /// Random bytes of a short polynomial.
    fn coins(self) -> usize {
        self.n.div_ceil(2)
    }

    /// f = pf' + 1.
    fn secret(self, f_short: &[u64]) -> Vec<u64> {
        let mut f: Vec<u64> = f_short.iter().map(|&x| field::mul(self.p, x, self.q)).collect();
        f[0] = field::add(f[0], 1, self.q);
        f
    }

    /// The transform that is as deep as the roots of q allow.
    fn transform(self) -> Transform {
        let depths = (0..=self.n.trailing_zeros()).rev();
        let mut transforms = depths.filter_map(|depth| Transform::new(self.n, self.q, Ring::Negacyclic, depth));
        transforms.next().expect("depth 0 needs no root but -1")
    }

    fn product(self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let ntt = self.transform();
        ntt.inverse(&ntt.product(&ntt.forward(a), &ntt.forward(b)))
    }

    fn inverse(self, a: &[u64]) -> Option<Vec<u64>> {
        let ntt = self.transform();
        Some(ntt.inverse(&ntt.inverses(&ntt.forward(a))?))
    }

    /// x mod± p of x mod± q.
    fn centred_modulo_p(self, x: u64) -> u64 {
        let centred = if x > self.q / 2 { -i128::from(self.q - x) } else { i128::from(x) };
        let residue = centred.rem_euclid(self.p.into()) as u64;
        if residue > self.p / 2 { self.q - (self.p - residue) } else { residue }
    }

    /// β₂: one coefficient per nibble, the lower one first.
    fn short(self, bytes: &[u8]) -> Vec<u64> {
        let nibbles = bytes.iter().flat_map(|&byte| [byte & 15, byte >> 4]).take(self.n);
        nibbles.map(|t| field::sub(0xa815 >> t & 3, 1, self.q)).collect()
    }

    /// ⌈log₂ q⌉.
    fn bits(self) -> usize {
        64 - (self.q - 1).leading_zeros() as usize
    }

    fn pack(self, a: &[u64]) -> Vec<u8> {
        pack_bits(a, self.bits())
    }

    fn unpack(self, bytes: &[u8]) -> Option<Vec<u64>> {
        unpack_bits(bytes, self.n, self.bits()).filter(|a| a.iter().all(|&x| x < self.q))
    }

    fn pack_ternary(self, a: &[u64]) -> Vec<u8> {
        self.pack_modulo(3, a)
    }

    fn unpack_ternary(self, bytes: &[u8]) -> Option<Vec<u64>> {
        self.unpack_modulo(3, bytes)
    }

    fn pack_message(self, a: &[u64]) -> Vec<u8> {
        self.pack_modulo(self.p, a)
    }

    fn unpack_message(self, bytes: &[u8]) -> Option<Vec<u64>> {
        self.unpack_modulo(self.p, bytes)
    }

    /// What mod± p gives, minus the least of it, −⌊(p − 1)/2⌋.
    fn pack_modulo(self, p: u64, a: &[u64]) -> Vec<u8> {
        let values: Vec<u64> = a.iter().map(|&x| field::add(x, (p - 1) / 2, self.q)).collect();
        pack_bits(&values, (p - 1).ilog2() as usize + 1)
    }

    fn unpack_modulo(self, p: u64, bytes: &[u8]) -> Option<Vec<u64>> {
        let a = unpack_bits(bytes, self.n, (p - 1).ilog2() as usize + 1).filter(|a| a.iter().all(|&x| x < p))?;
        Some(a.iter().map(|&x| field::sub(x, (p - 1) / 2, self.q)).collect())
    }
}

fn aes256_ctr(key: &[u8; 32], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    ctr::Ctr128BE::<aes::Aes256>::new(key.into(), &[0; 16].into()).apply_keystream(&mut bytes);
    bytes
}

fn pack_bits(values: &[u64], bits: usize) -> Vec<u8> {
    let bit = |i: usize| values.get(i / bits).map_or(0, |value| (value >> (i % bits) & 1) as u8);
    let length = (values.len() * bits).div_ceil(8);
    (0..length).map(|byte| (0..8).fold(0, |sum, i| sum | bit(8 * byte + i) << i)).collect()
}

/// `None` for a wrong length or rest bits that are not zero.
fn unpack_bits(bytes: &[u8], count: usize, bits: usize) -> Option<Vec<u64>> {
    let bit = |i: usize| u64::from(bytes[i / 8] >> (i % 8) & 1);
    if bytes.len() != (count * bits).div_ceil(8) || (count * bits..8 * bytes.len()).any(|i| bit(i) != 0) {
        return None;
    }
    Some((0..count).map(|k| (0..bits).fold(0, |sum, i| sum | bit(bits * k + i) << i)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn seed(random: &mut Random) -> [u8; 32] {
        std::array::from_fn(|_| random.below(256) as u8)
    }

    #[test]
    fn every_message_decrypts() {
        let mut random = Random(4);
        for (n, q) in [(4, 53), (16, 257), (32, 389), (64, 1153), (256, 3329)] {
            let parameters = Parameters::new(n, q).unwrap();
            for _ in 0..if n < 64 { 40 } else { 2 } {
                let Some((secret_key, public_key)) = parameters.keygen(&seed(&mut random)) else { continue };
                let message = parameters.pack_ternary(&random.small(n, 1, q));
                let ciphertext = parameters.encrypt(&public_key, &message, &seed(&mut random)).unwrap();
                assert_eq!(parameters.decrypt(&secret_key, &ciphertext), Some(message));
            }
        }
    }

    const PRIMES: [u64; 7] = [2, 3, 5, 7, 11, 13, 17];

    /// The smallest prime from `least` on.
    fn prime(least: u64) -> u64 {
        (least..).find(|&q| field::is_prime(q)).unwrap()
    }

    /// Table 2.1: any small p, and N = 2ᵏ·a, with a = 1, 3, 5, and 7 and k = 0 besides; at the least
    /// modulus, and the largest coefficients everywhere.
    #[test]
    fn every_message_decrypts_for_any_small_p_and_any_degree() {
        let mut random = Random(5);
        for p in PRIMES {
            for n in [1, 4, 7, 16, 20, 24, 32, 40, 48] {
                let q = prime(least_modulus(n, p));
                let parameters = Parameters::general(n, q, p).unwrap();
                let mut done = 0;
                while done < 4 {
                    let Some((secret_key, public_key)) = parameters.keygen(&seed(&mut random)) else { continue };
                    let m: Vec<u64> = (0..n).map(|_| parameters.centred_modulo_p(random.below(p))).collect();
                    let largest = vec![p / 2; n];
                    for m in [m, largest] {
                        let message = parameters.pack_message(&m);
                        assert_eq!(parameters.unpack_message(&message), Some(m));
                        let ciphertext = parameters.encrypt(&public_key, &message, &seed(&mut random)).unwrap();
                        assert_eq!(parameters.decrypt(&secret_key, &ciphertext), Some(message), "n {n}, p {p}");
                    }
                    done += 1;
                }
            }
        }
    }

    #[test]
    fn parameters_without_sense_are_refused() {
        for (n, p) in [(16, 1), (16, 4), (16, 9), (16, 15), (16, 19), (16, 0), (0, 3)] {
            assert_eq!(Parameters::general(n, 1_000_003, p), None, "n {n}, p {p}");
        }
        assert!(Parameters::general(16, 1_000_003, 17).is_some() && Parameters::new(24, 1_000_003).is_none());
        assert_eq!(Parameters::general(16, 1_000_001, 3), None, "101·9901");
        for p in PRIMES {
            assert_eq!(Parameters::general(1, p, p), None, "p divides q");
            for n in [16, 24, 40] {
                let least = least_modulus(n, p);
                assert!(
                    (least.saturating_sub(200)..least).all(|q| Parameters::general(n, q, p).is_none()),
                    "n {n}, p {p}"
                );
            }
        }
        // Theorem 1 with p = 3: N < (q − 1)/12.
        assert_eq!([16, 256, 1024].map(|n| least_modulus(n, 3)), [195, 3075, 12291]);
    }

    /// What decryption makes of the constant term of a message, when all signs agree: f', g of ones,
    /// r and m with 1 and `largest` at the constant term, and their negatives elsewhere.
    fn of_the_worst_case(n: usize, q: u64, p: u64, largest: u64) -> bool {
        let ones = vec![1; n];
        // For p = 2 a message has no negatives, and f' has them.
        let aligned = |x: u64| -> Vec<u64> { (0..n).map(|i| if i == 0 { x } else { q - x }).collect() };
        let (f_short, m) = if p == 2 { (aligned(1), ones.clone()) } else { (ones.clone(), aligned(largest)) };
        let sum =
            poly::add(&poly::negacyclic_product(&ones, &aligned(1), q), &poly::negacyclic_product(&m, &f_short, q), q);
        let value = field::add(field::mul(p, sum[0], q), m[0], q);
        Parameters { n, q, p }.centred_modulo_p(value) == m[0]
    }

    /// The bound is the right one for every p: with the next primes above it the worst case decrypts,
    /// with the last below it that is large enough for the message itself it does not.
    #[test]
    fn the_bound_is_tight_for_every_p() {
        for p in PRIMES {
            for n in [16, 24, 40, 128] {
                let least = least_modulus(n, p);
                let below = (0..least).rev().find(|&q| field::is_prime(q)).unwrap();
                assert!(of_the_worst_case(n, prime(least), p, p / 2), "n {n}, p {p}");
                assert!(!of_the_worst_case(n, below, p, p / 2), "n {n}, p {p}, q {below}");
            }
        }
    }

    /// Theorem 1 for p ≥ 5: N < (q − 1)/4p is enough for messages with coefficients −1, 0, 1, which
    /// its proof takes for granted, and not for those that mod± p returns.
    #[test]
    fn theorem_1_is_about_ternary_messages() {
        for p in [5, 7, 11, 13, 17] {
            for n in [16, 24, 128] {
                let q = prime(4 * p * n as u64 + 2);
                assert!((n as u64) < (q - 1).div_ceil(4 * p) && q < least_modulus(n, p));
                assert!(of_the_worst_case(n, q, p, 1), "n {n}, p {p}, q {q}");
                assert!(!of_the_worst_case(n, q, p, p / 2), "n {n}, p {p}, q {q}");
            }
        }
    }

    #[test]
    fn keys_are_encapsulated_and_rejected() {
        let parameters = Parameters::new(16, 257).unwrap();
        let (secret_key, public_key) = parameters.kem_keygen(&[3; 32]);
        let message = parameters.message(&[0x4b, 0x90, 0x1f, 0x2e, 0xa7, 0x58, 0xc3, 0x6d]);
        let (key, mut ciphertext) = parameters.encapsulate(&public_key, &message).unwrap();
        let open = |c: &[u8]| parameters.decapsulate([&secret_key, &public_key], &[4; 32], c).unwrap();
        assert_eq!(open(&ciphertext), key);
        ciphertext[0] ^= 1;
        assert_eq!(open(&ciphertext), kem::rejected(&parameters.domain(), &[4; 32], &ciphertext));
    }

    /// The bound is reached: g·r, m·f' and m all have their largest value at the constant term.
    #[test]
    fn the_bound_is_tight() {
        // f' and g of ones, with r and m such that the constant terms of the products are N, or
        // with no m at all.
        let value = |n: usize, q: u64| {
            let ones = vec![1; n];
            let aligned: Vec<u64> = (0..n).map(|i| if i == 0 { 1 } else { q - 1 }).collect();
            let sum = poly::add(
                &poly::negacyclic_product(&ones, &aligned, q),
                &poly::negacyclic_product(&aligned, &ones, q),
                q,
            );
            field::add(field::mul(3, sum[0], q), aligned[0], q)
        };
        assert_eq!(value(256, 1_000_003), 6 * 256 + 1);
        assert_eq!(Parameters::new(1024, 12289), None); // 6145 is one more than (q - 1)/2
        assert_eq!(value(1024, 12289), 12289 / 2 + 1);
        assert!(Parameters::new(1024, 12301).is_some());
        assert_eq!(value(1024, 12301), 12301 / 2 - 5);
    }

    #[test]
    fn inverses_are_those_of_linear_algebra() {
        let mut random = Random(6);
        for (n, q) in [(16, 257), (16, 241), (16, 199)] {
            let parameters = Parameters { n, q, p: 3 };
            for _ in 0..20 {
                let f = parameters.secret(&random.small(n, 1, q));
                assert_eq!(parameters.inverse(&f), poly::inverse_mod(&f, q - 1, q));
            }
        }
    }

    #[test]
    fn what_is_not_canonical_is_refused() {
        let parameters = Parameters::new(16, 257).unwrap();
        assert!(parameters.unpack(&[0; 18]).is_some() && parameters.unpack(&[0; 17]).is_none());
        assert!(parameters.unpack(&[0xff; 18]).is_none() && parameters.unpack_ternary(&[0xff; 4]).is_none());
        let odd = Parameters::new(4, 53).unwrap();
        assert_eq!(odd.pack(&[52, 0, 0, 0]), [52, 0, 0]);
        assert!(Parameters::new(4, 53).unwrap().unpack(&[0, 0, 0x80]).is_some_and(|a| a[3] == 32));
        assert!(pack_bits(&[7; 4], 3) == [0xff, 0x0f] && unpack_bits(&[0xff, 0x1f], 4, 3).is_none());
    }
}
