//! From encryption to key encapsulation: the hashes of Fujisaki's and Okamoto's transform with
//! implicit rejection.
//!
//! ```text
//! encapsulate  m <- random,  (K, coins) = H(pk, m),  c = Encrypt(pk, m; coins)
//! decapsulate  m' = Decrypt(sk, c),  (K', coins') = H(pk, m'),  K' if c = Encrypt(pk, m'; coins'), else H(z, c)
//! ```
//!
//! Every hash is SHAKE-256 and begins with the domain, a string that names scheme and parameters.
//!
//! Source: Hofheinz, Hövelmanns, Kiltz, *A modular analysis of the Fujisaki–Okamoto transformation*
//! (2017), `FO^⊥̸`.

use crate::bytes::Stream;

/// `(K, coins) = H(pk, m)`: 64 bytes of SHAKE-256(domain, `" key"`, d, m), where d is the digest of
/// the public key: 32 bytes of SHAKE-256(domain, `" public key"`, pk).
pub fn key_and_coins(domain: &str, public_key: &[u8], message: &[u8]) -> ([u8; 32], [u8; 32]) {
    let digest: [u8; 32] = Stream::shake256(&[domain.as_bytes(), b" public key", public_key]).read();
    let mut stream = Stream::shake256(&[domain.as_bytes(), b" key", &digest, message]);
    (stream.read(), stream.read())
}

/// `H(z, c)`: 32 bytes of SHAKE-256(domain, `" rejection"`, z, c).
pub fn rejected(domain: &str, z: &[u8; 32], ciphertext: &[u8]) -> [u8; 32] {
    Stream::shake256(&[domain.as_bytes(), b" rejection", z, ciphertext]).read()
}

/// A saved secret key: the seed s of the keys, z, and 32 bytes of SHAKE-256(domain,
/// `" secret key"`, d, s, z), where d is the digest of the public key.
pub fn secret_key(domain: &str, public_key: &[u8], s: &[u8; 32], z: &[u8; 32]) -> Vec<u8> {
    let digest: [u8; 32] = Stream::shake256(&[domain.as_bytes(), b" public key", public_key]).read();
    let check: [u8; 32] = Stream::shake256(&[domain.as_bytes(), b" secret key", &digest, s, z]).read();
    [*s, *z, check].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_counts() {
        let all = [
            key_and_coins("a", b"pk", b"m"),
            key_and_coins("b", b"pk", b"m"),
            key_and_coins("a", b"pk2", b"m"),
            key_and_coins("a", b"pk", b"m2"),
            (rejected("a", &[0; 32], b"c"), rejected("a", &[1; 32], b"c")),
            (rejected("a", &[0; 32], b"d"), rejected("b", &[0; 32], b"c")),
        ];
        let mut outputs: Vec<[u8; 32]> = all.iter().flat_map(|(a, b)| [*a, *b]).collect();
        outputs.sort_unstable();
        outputs.dedup();
        assert_eq!(outputs.len(), 12);
    }
}
