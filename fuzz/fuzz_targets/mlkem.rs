//! Keys and ciphertexts of ML-KEM, as bytes and in PKCS #8. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::mlkem::{
    DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed,
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

static KEY512: LazyLock<DecapsulationKey<MlKem512>> =
    LazyLock::new(|| DecapsulationKey::from_seed(Seed::from([5; 64])));
static KEY768: LazyLock<DecapsulationKey<MlKem768>> =
    LazyLock::new(|| DecapsulationKey::from_seed(Seed::from([5; 64])));
static KEY1024: LazyLock<DecapsulationKey<MlKem1024>> =
    LazyLock::new(|| DecapsulationKey::from_seed(Seed::from([5; 64])));

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    match choice >> 5 & 3 {
        0 => check(&KEY512, *choice, bytes),
        1 => check(&KEY768, *choice, bytes),
        _ => check(&KEY1024, *choice, bytes),
    }
});

fn check<P: ParameterSet>(good: &DecapsulationKey<P>, choice: u8, bytes: &[u8]) {
    match choice & 7 {
        0 => {
            let bytes = fit(choice, bytes, P::ENCAPSULATION_KEY_BYTES);
            if let Ok(key) = EncapsulationKey::<P>::from_bytes(&bytes) {
                assert_eq!(key.as_bytes(), bytes);
                let (ciphertext, _) = key.encapsulate_deterministic(&[1; 32].into());
                assert_eq!(ciphertext.len(), P::CIPHERTEXT_BYTES);
            }
        }
        1 => {
            let bytes = fit(choice, bytes, P::EXPANDED_KEY_BYTES);
            if let Ok(key) = DecapsulationKey::<P>::from_expanded(&bytes) {
                assert_eq!(key.to_expanded()[..], bytes);
            }
        }
        2 => {
            // With the hash that a key needs.
            let mut bytes = fit(0x80, bytes, P::EXPANDED_KEY_BYTES);
            let public = P::EXPANDED_KEY_BYTES - 64 - P::ENCAPSULATION_KEY_BYTES..P::EXPANDED_KEY_BYTES - 64;
            let hash = ringwork::xof::sha3_256(&bytes[public.clone()]);
            bytes[public.end..][..32].copy_from_slice(&hash);
            if let Ok(key) = DecapsulationKey::<P>::from_expanded(&bytes) {
                assert_eq!(key.to_expanded()[..], bytes);
                key.decapsulate_bytes(&vec![3; P::CIPHERTEXT_BYTES]).unwrap();
            }
        }
        3 => {
            let bytes = fit(choice, bytes, P::CIPHERTEXT_BYTES);
            assert_eq!(good.decapsulate_bytes(&bytes).is_ok(), bytes.len() == P::CIPHERTEXT_BYTES);
        }
        4 => {
            if let Ok(key) = EncapsulationKey::<P>::from_public_key_der(bytes) {
                assert_eq!(key.to_public_key_der().unwrap().as_bytes(), bytes);
            }
        }
        5 => drop(core::str::from_utf8(bytes).map(DecapsulationKey::<P>::from_pkcs8_pem)),
        _ => {
            if let Ok(key) = DecapsulationKey::<P>::from_pkcs8_der(bytes) {
                let again = key.to_pkcs8_der().map(|document| DecapsulationKey::from_pkcs8_der(document.as_bytes()));
                assert!(again.is_err() || again.is_ok_and(|again| again.unwrap() == key));
            }
        }
    }
}
