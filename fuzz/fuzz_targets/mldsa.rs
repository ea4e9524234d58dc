//! Keys and signatures of ML-DSA, as bytes and in PKCS #8. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::mldsa::{
    ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey,
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

/// A good key and a signature by it, and a key that signed nothing.
struct Good<P: MlDsaParams> {
    expanded: Vec<u8>,
    verifying: VerifyingKey<P>,
    signature: Vec<u8>,
    other: VerifyingKey<P>,
}

impl<P: MlDsaParams> Good<P> {
    fn new() -> Self {
        let key = SigningKey::<P>::from_seed(&[7; 32]);
        Self {
            expanded: ExpandedSigningKey::<P>::from_seed(&[7; 32]).to_expanded().to_vec(),
            verifying: key.verifying_key(),
            signature: key.sign_deterministic(b"m", b"").expect("a context of no bytes").as_bytes().to_vec(),
            other: VerifyingKey::from_bytes(&vec![9; P::PARAMETERS.public_key_bytes()]).expect("any bytes are a key"),
        }
    }
}

static GOOD44: LazyLock<Good<MlDsa44>> = LazyLock::new(Good::new);
static GOOD65: LazyLock<Good<MlDsa65>> = LazyLock::new(Good::new);
static GOOD87: LazyLock<Good<MlDsa87>> = LazyLock::new(Good::new);

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    match choice >> 5 & 3 {
        0 => check(&GOOD44, *choice, bytes),
        1 => check(&GOOD65, *choice, bytes),
        _ => check(&GOOD87, *choice, bytes),
    }
});

fn check<P: MlDsaParams>(good: &Good<P>, choice: u8, bytes: &[u8]) {
    let set = P::PARAMETERS;
    match choice & 7 {
        0 => {
            let bytes = fit(choice, bytes, set.public_key_bytes());
            let key = VerifyingKey::<P>::from_bytes(&bytes);
            assert_eq!(key.is_ok(), bytes.len() == set.public_key_bytes());
            assert!(key.is_err() || key.is_ok_and(|key| key.as_bytes() == bytes));
        }
        1 => {
            let bytes = fit(choice, bytes, set.secret_key_bytes());
            if let Ok(key) = ExpandedSigningKey::<P>::from_expanded(&bytes) {
                assert_eq!(key.to_expanded()[..], bytes);
            }
        }
        2 => {
            // A good key, some of it overwritten.
            let mut expanded = good.expanded.clone();
            let at = bytes.first().map_or(0, |&at| 19 * usize::from(at)).min(expanded.len());
            expanded[at..].iter_mut().zip(bytes).for_each(|(old, new)| *old ^= new);
            if let Ok(key) = ExpandedSigningKey::<P>::from_expanded(&expanded) {
                assert_eq!(key.to_expanded()[..], expanded[..]);
            }
        }
        3 => {
            // Most bytes are no hint, so there is a good one, some of it overwritten.
            let mut signature = good.signature.clone();
            let from = signature.len() - (bytes.len() & 127).min(signature.len());
            signature[from..].iter_mut().zip(bytes).for_each(|(old, new)| *old ^= new);
            if let Ok(signature) = Signature::<P>::from_bytes(&signature) {
                let is_changed = bytes.iter().take(127).any(|&byte| byte != 0) && from < set.signature_bytes();
                let is_good = good.verifying.verify_with_context(b"m", b"", &signature);
                assert!(is_good || is_changed);
            }
        }
        4 => {
            let bytes = fit(choice, bytes, set.signature_bytes());
            if let Ok(signature) = Signature::<P>::from_bytes(&bytes) {
                assert_eq!(signature.as_bytes(), bytes);
                assert!(!good.other.verify_with_context(b"m", b"", &signature), "nobody guesses a signature");
            }
        }
        5 => {
            if let Ok(key) = VerifyingKey::<P>::from_public_key_der(bytes) {
                assert_eq!(key.to_public_key_der().unwrap().as_bytes(), bytes);
            }
        }
        6 => drop(core::str::from_utf8(bytes).map(ExpandedSigningKey::<P>::from_pkcs8_pem)),
        _ => {
            if let Ok(key) = SigningKey::<P>::from_pkcs8_der(bytes) {
                let document = key.to_pkcs8_der().unwrap();
                assert_eq!(SigningKey::from_pkcs8_der(document.as_bytes()).unwrap(), key);
            }
            let _ = ExpandedSigningKey::<P>::from_pkcs8_der(bytes);
        }
    }
}
