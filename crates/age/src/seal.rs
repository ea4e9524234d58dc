//! HPKE for KEMs that only seal: what these and a file key's seal take of HKDF-SHA256, and ChaCha20-Poly1305.
//!
//! Source: RFC 9180, sections 4, 4.1, 5.1 and 5.2, for mode base and one message without associated data.

use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce, aead::Aead};
use hkdf::Hkdf;
use ringwork::ct::SecretBytes;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// HKDF-SHA256 and ChaCha20-Poly1305.
const KDF_AND_AEAD: [u8; 4] = [0, 1, 0, 3];
const NONCE_BYTES: usize = 12;

/// All of them, one after the other, in memory that does not move.
pub(crate) fn joined(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let mut all = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| all.extend_from_slice(part));
    all
}

/// HKDF-Extract.
pub(crate) fn extract(salt: &[u8], parts: &[&[u8]]) -> SecretBytes<32> {
    let (mut found, _) = Hkdf::<Sha256>::extract(Some(salt), &joined(parts));
    let mut key = SecretBytes::zeros();
    key.copy_from_slice(&found);
    found.zeroize();
    key
}

/// `LabeledExtract`, for a suite.
fn labelled_extract(suite: &[u8], salt: &[u8], label: &[u8], input: &[u8]) -> SecretBytes<32> {
    extract(salt, &[b"HPKE-v1", suite, label, input])
}

/// `LabeledExpand`, for a suite.
fn labelled_expand<const N: usize>(suite: &[u8], key: &SecretBytes<32>, label: &[u8], info: &[u8]) -> SecretBytes<N> {
    let mut bytes = SecretBytes::zeros();
    let length = (N as u16).to_be_bytes();
    let info = joined(&[&length, b"HPKE-v1", suite, label, info]);
    let key = Hkdf::<Sha256>::from_prk(&key[..]).expect("it has 32 bytes");
    key.expand(&info, &mut bytes[..]).expect("it is short");
    bytes
}

/// `ExtractAndExpand` of DHKEM: the shared key of a product, and what both sides see.
pub(crate) fn of_product(kem: u16, product: &[u8], context: &[&[u8]]) -> SecretBytes<32> {
    let suite = joined(&[b"KEM", &kem.to_be_bytes()]);
    let key = labelled_extract(&suite, b"", b"eae_prk", product);
    labelled_expand(&suite, &key, b"shared_secret", &joined(context))
}

/// `KeySchedule`: what seals and opens the first message.
pub(crate) fn cipher(kem: u16, shared: &SecretBytes<32>, info: &[u8]) -> (ChaCha20Poly1305, Nonce) {
    const BASE: &[u8] = &[0];
    let suite = joined(&[b"HPKE", &kem.to_be_bytes(), &KDF_AND_AEAD]);
    let [psk, info] = [(&b"psk_id_hash"[..], &b""[..]), (b"info_hash", info)]
        .map(|(label, input)| labelled_extract(&suite, b"", label, input));
    let context = joined(&[BASE, &psk[..], &info[..]]);
    let secret = labelled_extract(&suite, &shared[..], b"secret", b"");
    let key: SecretBytes<32> = labelled_expand(&suite, &secret, b"key", &context);
    let nonce: SecretBytes<NONCE_BYTES> = labelled_expand(&suite, &secret, b"base_nonce", &context);
    (ChaCha20Poly1305::new((&*key).into()), (*nonce).into())
}

/// `SealBase` from the shared key on.
pub(crate) fn sealed(kem: u16, shared: &SecretBytes<32>, info: &[u8], message: &[u8]) -> Vec<u8> {
    let (cipher, nonce) = cipher(kem, shared, info);
    cipher.encrypt(&nonce, message).expect("a message is short")
}
