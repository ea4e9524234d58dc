//! NTRU as a public-key encryption scheme that [`Kem`](crate::kem::Kem) turns into a key
//! encapsulation.
//!
//! A message is a ternary polynomial, encoded by [`Ntru::message_to_bytes`]; a fresh one is drawn
//! from β_2 with the generator's bytes, a nibble per coefficient (modulo 2 it is the absolute value).
//! For the keys of a seed, derived
//! seeds are SHAKE-256 of the domain, `" keys"`, a counter in 4 little-endian bytes from 0 on, and
//! the seed; the first one whose f has an inverse is used.

use super::{Ntru, PublicKey, SEED_BYTES, SecretKey, TERNARY};
use crate::{
    bits::Interval,
    ct::Wiped,
    decode::DecodeError,
    estimate::{self, Estimate},
    kem::{Encryption, Scheme},
    xof::derived_seed,
};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

impl Ntru {
    pub(super) fn packed<'a, T: Copy + Into<i64> + 'a>(&self, range: Interval, a: &'a [T]) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(range.bytes(self.parameters.n())));
        range.pack(a, &mut bytes);
        bytes
    }
}

impl Scheme for Ntru {
    type PublicKey = PublicKey;
    type SecretKey = SecretKey;

    fn domain(&self) -> String {
        let parameters = self.parameters;
        let depth = parameters.form().depth().map(|depth| format!(" depth={depth}")).unwrap_or_default();
        let of_p = if parameters.p() == 3 { String::new() } else { format!(" p={}", parameters.p()) };
        format!("ringwork ntru 1 n={} q={}{of_p}{depth}", parameters.n(), parameters.q())
    }

    fn public_key_bytes(&self) -> usize {
        self.parameters.polynomial_bytes()
    }

    fn secret_key_bytes(&self) -> usize {
        self.parameters.ternary_bytes()
    }

    fn ciphertext_bytes(&self) -> usize {
        self.parameters.polynomial_bytes()
    }

    fn failure_log2(&self) -> f64 {
        self.parameters.log2_failure().unwrap_or(f64::NEG_INFINITY)
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.security()
    }

    fn public_key_to_bytes(&self, key: &PublicKey) -> Vec<u8> {
        self.pack(&key.h)
    }

    /// The bytes of f'.
    fn secret_key_to_bytes(&self, key: &SecretKey) -> Zeroizing<Vec<u8>> {
        self.packed(TERNARY, &key.f_short)
    }

    fn read_public_key(&self, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        Ok(self.public_key(self.unpack("a public key", bytes)?))
    }

    fn read_secret_key(&self, bytes: &[u8]) -> Result<SecretKey, DecodeError> {
        Ok(self.secret_key(self.unpack_small("a secret key", TERNARY, bytes)?))
    }

    /// Also **errors** if the key travels in another [`Form`](super::Form), which the length
    /// reveals.
    fn public_key_from_bytes(&self, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        self.read_public_key(bytes)
    }
}

impl Encryption for Ntru {
    fn message_bytes(&self) -> usize {
        self.parameters.message_bytes()
    }

    fn fresh_message(&self, rng: &mut dyn CryptoRng) -> Zeroizing<Vec<u8>> {
        let mut coins = Wiped::zeros(self.parameters.coins());
        rng.fill_bytes(&mut coins);
        let mut message = self.short(&coins);
        if self.parameters.p() == 2 {
            message.iter_mut().for_each(|m| *m &= 1);
        }
        self.packed(self.parameters.of_messages(), &message)
    }

    fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> (SecretKey, PublicKey) {
        let domain = self.domain();
        let keys = |number: u32| {
            let derived = derived_seed(&[domain.as_bytes(), b" keys", &number.to_le_bytes(), seed]);
            Self::keygen_derand(self, &derived)
        };
        (0..).find_map(keys).expect("most f have an inverse")
    }

    /// Also **panics** if a coefficient of the message is out of range.
    fn encrypt_derand(&self, key: &PublicKey, message: &[u8], seed: &[u8; SEED_BYTES]) -> Vec<u8> {
        let message = self.unpack_small("a message", self.parameters.of_messages(), message);
        self.encrypt_message(key, message.expect("a message in range, of that length"), seed)
    }

    fn decrypt(&self, key: &SecretKey, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        Ok(self.packed(self.parameters.of_messages(), &self.decrypt_message(key, ciphertext)?))
    }
}
