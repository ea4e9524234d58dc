//! What fuzz targets share.

#![forbid(unsafe_code)]

use ringwork::kem::Scheme;

/// The bytes as they are, or, where the highest bit of the choice is set, cut or filled up with
/// zeros to the length that a decoder wants: without that, few inputs would get past the check of
/// the length.
pub fn fit(choice: u8, bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if choice & 0x80 != 0 {
        bytes.resize(length, 0);
    }
    bytes
}

/// Keys of a research scheme: what is accepted is canonical.
pub fn keys<S: Scheme>(scheme: &S, choice: u8, bytes: &[u8], public: bool) {
    if public {
        let bytes = fit(choice, bytes, scheme.public_key_bytes());
        if let Ok(key) = scheme.public_key_from_bytes(&bytes) {
            assert_eq!(scheme.public_key_to_bytes(&key), bytes);
        }
    } else {
        let bytes = fit(choice, bytes, scheme.secret_key_bytes());
        if let Ok(key) = scheme.secret_key_from_bytes(&bytes) {
            assert_eq!(*scheme.secret_key_to_bytes(&key), bytes);
        }
    }
}
