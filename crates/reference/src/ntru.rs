//! NTRU over Z_q\[X\]/(Xᴺ + 1) with a prime q, in the order of Bakkebø's algorithms 1 to 3.
//!
//! ```text
//! KeyGen:   f', g ← β₂;  f = 3f' + 1;  again unless f is invertible;  h = 3g/f
//! Encrypt:  r ← β₂;  c = h·r + m
//! Decrypt:  m = (c·f mod± q) mod± 3
//! ```
//!
//! β₂ is b₀ + b₁ − b₂ − b₃ mod± 3 for uniform bits (the text has plus signs: `ERRATA.md`), the
//! distribution of NTTRU.
//!
//! **When it decrypts.** c·f = 3(g·r + m·f') + m. With coefficients of absolute value at most 1 on
//! both sides, those of either product reach N, and all of it 6N + 1; so 6N + 1 ≤ (q − 1)/2 is
//! necessary and enough. For odd q that is q ≥ 12N + 3, exactly her N < (q − 1)/4p with p = 3,
//! though her proof passes over the last m. q = 12289 misses N = 1024 by one.
//!
//! **Bytes**, which the thesis does not define: polynomials by their coefficients, constant term
//! first, each ⌈log₂ q⌉ bits, lowest first, as one string of bits; a ternary polynomial has two
//! bits for each coefficient plus 1. Rest bits are zero. A secret key is f', a public key h, a
//! ciphertext c. Randomness is the AES-256 stream of a 32-byte seed in counter mode; a nibble is a
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

/// A degree and a modulus with which every message decrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    n: usize,
    q: u64,
}

impl Parameters {
    /// `None` unless n ≥ 4 is a power of two, q is prime, and q ≥ 12n + 3.
    pub fn new(n: usize, q: u64) -> Option<Self> {
        let fits = n >= 4 && n.is_power_of_two() && field::is_prime(q) && q >= 12 * n as u64 + 3;
        fits.then_some(Self { n, q })
    }

    /// The secret and the public key, from the 32 bytes that would be drawn at random; `None` when
    /// f is not invertible.
    pub fn keygen(self, seed: &[u8; 32]) -> Option<(Vec<u8>, Vec<u8>)> {
        let coins = aes256_ctr(seed, self.n);
        let (f_short, g) = (self.short(&coins[..self.n / 2]), self.short(&coins[self.n / 2..]));
        let f_inverse = self.inverse(&self.secret(&f_short))?;
        let triple: Vec<u64> = g.iter().map(|&x| field::mul(3, x, self.q)).collect();
        let h = self.product(&triple, &f_inverse);
        Some((self.pack_ternary(&f_short), self.pack(&h)))
    }

    /// The ciphertext of a ternary message, both as bytes; r comes from the seed. `None` for bytes
    /// that are no public key or no message.
    pub fn encrypt(self, public_key: &[u8], message: &[u8], seed: &[u8; 32]) -> Option<Vec<u8>> {
        let (h, m) = (self.unpack(public_key)?, self.unpack_ternary(message)?);
        let r = self.short(&aes256_ctr(seed, self.n / 2));
        Some(self.pack(&poly::add(&self.product(&h, &r), &m, self.q)))
    }

    /// The message. `None` for bytes that are no secret key or no ciphertext.
    pub fn decrypt(self, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let (f, c) = (self.secret(&self.unpack_ternary(secret_key)?), self.unpack(ciphertext)?);
        let m: Vec<u64> = self.product(&c, &f).into_iter().map(|x| self.centred_modulo_3(x)).collect();
        Some(self.pack_ternary(&m))
    }

    /// A public key or a ciphertext as slots of that depth; `None` for bytes that are neither, or
    /// if q has no such transform.
    pub fn as_slots(self, depth: u32, coefficients: &[u8]) -> Option<Vec<u8>> {
        let slots = Transform::new(self.n, self.q, Ring::Negacyclic, depth)?.forward(&self.unpack(coefficients)?);
        Some([&[depth as u8], &*self.pack(&slots)].concat())
    }

    /// The domain of the encapsulation's hashes.
    fn domain(self) -> String {
        format!("ringwork ntru 1 n={} q={}", self.n, self.q)
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

    /// The shared key and the ciphertext of a ternary message; `None` for bytes that are no public
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

    /// A ternary message from a nibble of random bytes for each coefficient.
    pub fn message(self, coins: &[u8]) -> Vec<u8> {
        self.pack_ternary(&self.short(coins))
    }

    /// f = 3f' + 1.
    fn secret(self, f_short: &[u64]) -> Vec<u64> {
        let mut f: Vec<u64> = f_short.iter().map(|&x| field::mul(3, x, self.q)).collect();
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

    /// x mod± 3 of x mod± q.
    fn centred_modulo_3(self, x: u64) -> u64 {
        let centred = if x > self.q / 2 { -i128::from(self.q - x) } else { i128::from(x) };
        match centred.rem_euclid(3) {
            2 => self.q - 1,
            residue => residue as u64,
        }
    }

    /// β₂: one coefficient per nibble, the lower one first.
    fn short(self, bytes: &[u8]) -> Vec<u64> {
        let nibbles = bytes.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
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
        pack_bits(&a.iter().map(|&x| field::add(x, 1, self.q)).collect::<Vec<_>>(), 2)
    }

    fn unpack_ternary(self, bytes: &[u8]) -> Option<Vec<u64>> {
        let a = unpack_bits(bytes, self.n, 2).filter(|a| a.iter().all(|&x| x < 3))?;
        Some(a.iter().map(|&x| field::sub(x, 1, self.q)).collect())
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
            let parameters = Parameters { n, q };
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
