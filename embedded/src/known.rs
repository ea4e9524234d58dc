//! Known answers, which `build.rs` takes from `vectors/`.

/// Of ML-KEM: keys from a seed, an encapsulation, and a ciphertext that is rejected.
pub struct Encapsulations {
    pub d: &'static [u8],
    pub z: &'static [u8],
    pub ek: &'static [u8],
    pub dk: &'static [u8],
    pub encapsulated_ek: &'static [u8],
    pub encapsulated_m: &'static [u8],
    pub encapsulated_c: &'static [u8],
    pub encapsulated_k: &'static [u8],
    pub rejected_dk: &'static [u8],
    pub rejected_c: &'static [u8],
    pub rejected_k: &'static [u8],
}

/// Of ML-DSA: a public key from a seed, a signature, and one to verify.
pub struct Signatures {
    pub seed: &'static [u8],
    pub public_key: &'static [u8],
    pub signed_secret_key: &'static [u8],
    pub signed_message: &'static [u8],
    pub signed_randomness: &'static [u8],
    pub signed_signature: &'static [u8],
    pub verified_public_key: &'static [u8],
    pub verified_message: &'static [u8],
    pub verified_signature: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/known.rs"));
