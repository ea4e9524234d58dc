//! Keys as bytes, and encryption of bytes: each coefficient carries as many bits as fit below `p` for every value.

use super::{Ciphertext, Lwe, Multiplier, Parameters, PublicKey, SecretKey};
use crate::{
    bits::Interval,
    decode::DecodeError,
    estimate::{self, Estimate},
    kem::{Encryption, SEED_BYTES, Scheme},
    module::Vector,
    sample::Word,
};
use zeroize::Zeroizing;

impl<T: Word, M: Multiplier<T>> Lwe<T, M> {
    /// Bits of a message in each coefficient.
    const fn bits_of_coefficient(&self) -> u32 {
        self.parameters.p.ilog2()
    }

    /// The range of the coefficients of a message of bytes.
    const fn digits(&self) -> Interval {
        Interval::below(1 << self.bits_of_coefficient())
    }

    /// Coefficients of a message.
    const fn coefficients(&self) -> usize {
        self.parameters.k * self.parameters.l * self.parameters.n
    }
}

impl<T: Word, M: Multiplier<T>> Scheme for Lwe<T, M> {
    type PublicKey = PublicKey<T, M>;
    type SecretKey = SecretKey<T, M>;

    fn domain(&self) -> String {
        let p = &self.parameters;
        let columns = if p.d == p.m { String::new() } else { format!(" d={}", p.d) };
        format!("ringwork lwe 1 n={} q={} p={} beta={} m={} k={} l={}{columns}", p.n, p.q, p.p, p.beta, p.m, p.k, p.l)
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        self.parameters.security()
    }

    fn public_key_bytes(&self) -> usize {
        SEED_BYTES + self.packed_bytes(self.parameters.m * self.parameters.l)
    }

    fn secret_key_bytes(&self) -> usize {
        let Parameters { n, d, l, .. } = self.parameters;
        self.short().bytes(n * d * l)
    }

    fn ciphertext_bytes(&self) -> usize {
        let Parameters { d, k, l, .. } = self.parameters;
        self.packed_bytes(k * d) + self.packed_bytes(k * l)
    }

    fn failure_log2(&self) -> f64 {
        self.parameters.failure_log2()
    }

    fn public_key_to_bytes(&self, key: &PublicKey<T, M>) -> Vec<u8> {
        let mut bytes = key.seed.to_vec();
        self.pack(&key.t.transposed(self.parameters.m), &mut bytes);
        bytes
    }

    fn secret_key_to_bytes(&self, key: &SecretKey<T, M>) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.secret_key_bytes()));
        self.short().pack(key.s.words(), &mut bytes);
        bytes
    }

    fn read_public_key(&self, bytes: &[u8]) -> Result<PublicKey<T, M>, DecodeError> {
        let Parameters { m, l, .. } = self.parameters;
        let (seed, t) = bytes.split_first_chunk().expect("the length was checked");
        let t = self.unpack("T of a public key", t, m * l)?;
        let rows = self.multiplier.prepare(self.matrix(seed));
        Ok(self.public_key(*seed, &rows, t.transposed(l)))
    }

    fn read_secret_key(&self, bytes: &[u8]) -> Result<SecretKey<T, M>, DecodeError> {
        const WHAT: &str = "a secret key";
        let Parameters { n, d, l, .. } = self.parameters;
        let s = Vector::unpacked(WHAT, self.short(), bytes, n, d * l).map_err(|_| DecodeError::Secret(WHAT))?;
        Ok(self.secret_key(s))
    }
}

impl<T: Word, M: Multiplier<T>> Encryption for Lwe<T, M> {
    fn message_bytes(&self) -> usize {
        (self.coefficients() * self.bits_of_coefficient() as usize) >> 3
    }

    fn keygen_derand(&self, seed: &[u8; SEED_BYTES]) -> (SecretKey<T, M>, PublicKey<T, M>) {
        self.keys(seed)
    }

    fn encrypt_derand(&self, key: &PublicKey<T, M>, message: &[u8], seed: &[u8; SEED_BYTES]) -> Vec<u8> {
        assert_eq!(message.len(), self.message_bytes(), "bytes of a message");
        let mut whole = Zeroizing::new(vec![0; self.digits().bytes(self.coefficients())]);
        whole[..message.len()].copy_from_slice(message);
        let parameters = &self.parameters;
        let message = Vector::filled(parameters.n, parameters.k * parameters.l, |words| {
            self.digits().unpack("a message", &whole, words).expect("padded to that length");
        });
        self.ciphertext_to_bytes(&self.encrypt_with(key, &message, seed))
    }

    fn decrypt(&self, key: &SecretKey<T, M>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, DecodeError> {
        let ciphertext: Ciphertext<T> = self.ciphertext_from_bytes(ciphertext)?;
        let message = self.decrypt_polynomials(key, &ciphertext);
        let mut bytes = Zeroizing::new(Vec::with_capacity(self.digits().bytes(self.coefficients())));
        self.digits().pack(message.words(), &mut bytes);
        bytes.truncate(self.message_bytes());
        Ok(bytes)
    }
}
