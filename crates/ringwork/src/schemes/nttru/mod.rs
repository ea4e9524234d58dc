//! The NTTRU key encapsulation of Lyubashevsky and Seiler.
//!
//! ```text
//! KeyGen:  f', g' <- β_2;  f = 3f' + 1;  again unless f is invertible;  h = 3g'/f
//! Encaps:  m <- β_2;  (key, ρ) = SHA-512(m);  r = β_2(ρ);  c = h∘r + m
//! Decaps:  m = (c∘f mod± q) mod± 3;  (key, ρ) = SHA-512(m);  r = β_2(ρ);  refuse unless c = h∘r + m
//! ```
//!
//! The ring is `Z_7681[X]/(X^768 - X^384 + 1)`; keys and ciphertexts travel transformed. The bytes
//! are those of the designers' code, in which a public key is `2^16·h`: their code divides every
//! product by 2^16, as Montgomery's method does. Here g' and r, which are small, carry a constant
//! factor that makes up for it. Ranges: slots on the wire in `[0, q)`; f', g', m and r in
//! `[-1, 1]`, f in `[-3, 4]`.
//!
//! **Inverses.** When f has no inverse, the designers' portable code draws again; their AVX2 code
//! does not. Here [`keygen`](Nttru::keygen) draws again, and
//! [`keygen_derand`](Nttru::keygen_derand), which cannot draw again, returns `None`. Nobody has
//! seen that happen: slots are fields of `q^3` elements, since no primitive 768th root of unity is
//! a cube, and one of 256 is zero with probability `2^-30.7`.
//!
//! **A research scheme.** NTTRU is not a standard, and it rejects a forged ciphertext explicitly,
//! as its paper defines; decryption of an honest ciphertext fails with the probability that
//! [`failure_log2`] computes: its noise has a standard deviation of at most 90 in each coefficient,
//! against `q/2 = 3840`. If you need a standard, use ML-KEM.
//!
//! **Constant time:** everything that depends on secrets, except two public answers: that f has no
//! inverse, and that a ciphertext is rejected.
//!
//! Source: Lyubashevsky, Seiler, *NTTRU: Truly Fast NTRU Using NTT*, TCHES 2019(3), 180-201.

mod encode;
mod params;

pub use params::{
    CIPHERTEXT_BYTES, NttruRing, PUBLIC_KEY_BYTES, ROOT, SECRET_KEY_BYTES, SEED_BYTES, failure_log2, security,
};

use crate::{
    ct::{SecretBytes, Wiped, fresh_seed, not_printed, scrubbed, working},
    decode::{DecodeError, sized},
    estimate::{self, Estimate},
    kem::Scheme,
    ring::{NttPoly, Poly, Ring},
    sample::Ternary,
    xof,
};
use encode::TERNARY_BYTES;
use ntt::Backend;
use params::{N, POLYNOMIAL_BYTES, Q};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// `3·2^16` modulo `q`, centred: the factor of g'.
const TRIPLE_SCALE: i16 = centred(3 << 16);
/// The inverse of `2^16` modulo `q`, centred: the factor of r.
const UNSCALE: i16 = {
    let mut inverse = 1;
    let mut i = 0;
    while i < 16 {
        inverse = (inverse + (inverse & 1) * Q as i64) >> 1; // half of it, modulo q
        i += 1;
    }
    centred(inverse)
};
const _: () = assert!(centred(UNSCALE as i64 * (1 << 16)) == 1);

/// `x` modulo `q`, centred. For constants.
const fn centred(x: i64) -> i16 {
    let residue = x.rem_euclid(Q as i64) as i16;
    if residue > (Q >> 1) as i16 { residue - Q as i16 } else { residue }
}

/// The key that both sides obtain.
pub type SharedKey = SecretBytes<SEED_BYTES>;

/// The scheme on one backend, with precomputed tables. Construct it once and reuse it.
#[derive(Clone, Debug)]
pub struct Nttru {
    ring: Ring<NttruRing>,
}

/// A public key, ready for use: 2^16·h, as on the wire.
pub struct PublicKey {
    h_hat: NttPoly<NttruRing>,
}

/// A secret key, ready for use, with its public key. Wiped on drop.
pub struct SecretKey {
    f_hat: NttPoly<NttruRing>,
    public: PublicKey,
}

not_printed!(PublicKey, SecretKey);

impl Clone for PublicKey {
    fn clone(&self) -> Self {
        Self { h_hat: self.h_hat.duplicate() }
    }
}

impl SecretKey {
    /// The public key that belongs to it.
    pub const fn public_key(&self) -> &PublicKey {
        &self.public
    }
}

impl Default for Nttru {
    fn default() -> Self {
        Self::new()
    }
}

impl Nttru {
    /// Uses the best backend of this machine.
    pub fn new() -> Self {
        Self::with_backend(Backend::best())
    }

    /// Uses the given backend.
    pub fn with_backend(backend: Backend) -> Self {
        Self { ring: Ring::with_backend(backend).expect("the ring of NTTRU has a plan on every backend") }
    }

    /// The backend.
    pub fn backend(&self) -> Backend {
        self.ring.backend()
    }

    /// A fresh pair of keys.
    pub fn keygen<R: CryptoRng>(&self, rng: &mut R) -> (SecretKey, PublicKey) {
        loop {
            if let Some(keys) = self.keygen_derand(&fresh_seed(rng)) {
                return keys;
            }
        }
    }

    /// [`keygen`](Self::keygen) with the caller's random bytes, or `None` if they give an f without
    /// an inverse. For tests and vectors: a seed must be secret and never used twice.
    pub fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> Option<(SecretKey, PublicKey)> {
        scrubbed(|| self.keygen_with(seed))
    }

    fn keygen_with(&self, seed: &[u8; SEED_BYTES]) -> Option<(SecretKey, PublicKey)> {
        let ring = &self.ring;
        working!(coins: [u8; N]);
        xof::aes256_ctr(seed, &mut coins[..]);
        let (of_f, of_g) = coins.split_at(N >> 1);
        let f = self.short(of_f, 3, 1);
        let f_hat = ring.canonical(ring.forward(f));
        let g_hat = ring.forward(self.short(of_g, TRIPLE_SCALE, 0));
        let h_hat = ring.normalized(ring.product(&g_hat, &ring.inverse_of(&f_hat)?));
        let public = PublicKey { h_hat };
        Some((SecretKey { f_hat, public: public.clone() }, public))
    }

    /// A fresh shared key and the ciphertext that carries it.
    pub fn encapsulate<R: CryptoRng>(&self, key: &PublicKey, rng: &mut R) -> ([u8; CIPHERTEXT_BYTES], SharedKey) {
        self.encapsulate_derand(key, &fresh_seed(rng))
    }

    /// [`encapsulate`](Self::encapsulate) with the caller's random bytes. See
    /// [`keygen_derand`](Self::keygen_derand).
    pub fn encapsulate_derand(&self, key: &PublicKey, seed: &[u8; SEED_BYTES]) -> ([u8; CIPHERTEXT_BYTES], SharedKey) {
        let (c_hat, shared) = scrubbed(|| self.encrypt(key, self.short_from(seed, 1)));
        let mut ciphertext = [0; CIPHERTEXT_BYTES];
        encode::pack(&self.ring, &c_hat, &mut ciphertext);
        (ciphertext, shared)
    }

    /// The shared key that a ciphertext carries.
    ///
    /// **Errors** if the length is wrong, a value is not below `q`, or the ciphertext is not what
    /// encapsulation makes of its message. The last check runs in constant time and wipes the key
    /// if it fails.
    pub fn decapsulate(&self, key: &SecretKey, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        let ring = &self.ring;
        let ciphertext: &[u8; CIPHERTEXT_BYTES] = sized("a ciphertext", ciphertext)?;
        let c_hat = encode::unpack(ring, "a ciphertext", ciphertext)?;
        let (expected, shared) = scrubbed(|| {
            let m = encode::modulo_3(self.backend(), &ring.inverse_product(ring.product(&c_hat, &key.f_hat)));
            self.encrypt(&key.public, m)
        });
        if ring.equal(&c_hat, &expected).into() { Ok(shared) } else { Err(DecodeError::Rejected) }
    }

    /// Serializes a secret key and its public key, which is the tail of the former. `Wiped` is wiped by a fill;
    /// `Zeroizing` writes byte by byte, which takes a sixth of key generation.
    pub fn keys_to_bytes(&self, key: &SecretKey) -> (Wiped<u8>, [u8; PUBLIC_KEY_BYTES]) {
        let mut secret = Wiped::zeros(SECRET_KEY_BYTES);
        self.write_secret_key(key, &mut secret);
        let public = *secret.last_chunk().expect("a secret key ends with its public key");
        (secret, public)
    }

    fn write_secret_key(&self, key: &SecretKey, bytes: &mut [u8]) {
        let (f, h) = bytes.split_at_mut(POLYNOMIAL_BYTES);
        encode::pack(&self.ring, &key.f_hat, f);
        encode::pack(&self.ring, &key.public.h_hat, h);
    }

    /// Checks that the public key in a secret key belongs to its `f`.
    ///
    /// **Errors** if it does not.
    pub fn check_secret_key(&self, key: &SecretKey) -> Result<(), DecodeError> {
        let (trial, _) = self.encapsulate_derand(&key.public, &[0; SEED_BYTES]);
        self.decapsulate(key, &trial).map(drop).map_err(|_| DecodeError::Mismatch)
    }

    /// `h∘r + m` and the shared key, both determined by m.
    fn encrypt(&self, key: &PublicKey, m: Poly<NttruRing>) -> (NttPoly<NttruRing>, SharedKey) {
        let ring = &self.ring;
        working!(packed: [u8; TERNARY_BYTES]);
        encode::pack_ternary(self.backend(), &m, &mut packed);
        working!(digest: [u8; 2 * SEED_BYTES]);
        *digest = xof::sha512(&packed[..]);
        let (shared, rho) = digest.split_at(SEED_BYTES);
        let [shared, rho] = [shared, rho].map(|half| half.first_chunk().expect("half of a digest"));
        let r_hat = ring.forward(self.short_from(rho, UNSCALE));
        let c_hat = ring.product_plus(ring.product(&key.h_hat, &r_hat), &ring.forward(m));
        (c_hat, SharedKey::copied(shared))
    }

    /// A ternary polynomial from a seed, times `factor`.
    fn short_from(&self, seed: &[u8; SEED_BYTES], factor: i16) -> Poly<NttruRing> {
        working!(coins: [u8; N >> 1]);
        xof::aes256_ctr(seed, &mut coins[..]);
        self.short(&coins[..], factor, 0)
    }

    /// A ternary polynomial from random bytes, times `factor`, plus `constant`.
    fn short(&self, coins: &[u8], factor: i16, constant: i16) -> Poly<NttruRing> {
        Poly::filled(|words| {
            Ternary { factor }.sample(self.backend(), words, coins);
            words[0] += constant;
        })
    }
}

impl Scheme for Nttru {
    type PublicKey = PublicKey;
    type SecretKey = SecretKey;

    fn domain(&self) -> String {
        "ringwork nttru-768".into()
    }

    fn public_key_bytes(&self) -> usize {
        PUBLIC_KEY_BYTES
    }

    fn secret_key_bytes(&self) -> usize {
        SECRET_KEY_BYTES
    }

    fn ciphertext_bytes(&self) -> usize {
        CIPHERTEXT_BYTES
    }

    fn failure_log2(&self) -> f64 {
        failure_log2()
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        security()
    }

    fn public_key_to_bytes(&self, key: &PublicKey) -> Vec<u8> {
        let mut bytes = vec![0; PUBLIC_KEY_BYTES];
        encode::pack(&self.ring, &key.h_hat, &mut bytes);
        bytes
    }

    /// Includes the bytes of the public key, at the end.
    fn secret_key_to_bytes(&self, key: &SecretKey) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; SECRET_KEY_BYTES]);
        self.write_secret_key(key, &mut bytes);
        bytes
    }

    fn read_public_key(&self, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        Ok(PublicKey { h_hat: encode::unpack(&self.ring, "a public key", bytes)? })
    }

    /// Does not check that the public key belongs to `f`;
    /// [`check_secret_key`](Nttru::check_secret_key) does. With another public key, all ciphertexts
    /// are rejected.
    fn read_secret_key(&self, bytes: &[u8]) -> Result<SecretKey, DecodeError> {
        let (f, h) = bytes.split_at(POLYNOMIAL_BYTES);
        let damaged = |_| DecodeError::Secret("a secret key");
        let unpack = |bytes| encode::unpack(&self.ring, "a secret key", bytes).map_err(damaged);
        Ok(SecretKey { f_hat: unpack(f)?, public: PublicKey { h_hat: unpack(h)? } })
    }
}
