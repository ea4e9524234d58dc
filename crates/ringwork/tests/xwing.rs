//! X-Wing against the vectors of its draft.

use kem::{Decapsulate, Encapsulate, Kem};
use pkcs8::{LineEnding, PrivateKeyInfoRef, der::asn1::BitStringRef};
use ringwork::{
    decode::DecodeError,
    schemes::mlkem::MlKem768,
    xwing::{
        CIPHERTEXT_BYTES, DecapsulationKey, EncapsulationKey, PUBLIC_KEY_BYTES, XWing,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
};
use serde_json::Value;

fn bytes(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().as_bytes().as_chunks::<2>().0;
    digits.iter().map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn vectors_of_the_draft() {
    let file: Value = serde_json::from_str(include_str!("../../../vectors/xwing/xwing.json")).unwrap();
    let tests = file.as_array().unwrap();
    assert_eq!(tests.len(), 2);
    for test in tests {
        let of = |name: &str| bytes(&test[name]);
        let dk = DecapsulationKey::from_seed(&of("seed").try_into().unwrap());
        assert_eq!(dk.as_seed()[..], of("sk"));
        assert!(dk.encapsulation_key().as_bytes()[..] == of("pk"));
        let ek = EncapsulationKey::from_bytes(&of("pk")).unwrap();
        let (ciphertext, shared) = ek.encapsulate_derand(&of("eseed").try_into().unwrap());
        assert!(ciphertext[..] == of("ct") && shared.as_bytes()[..] == of("ss"));
        assert_eq!(dk.decapsulate_bytes(&ciphertext).unwrap(), shared);

        let (mut public, mut sent, mut key) = ([0; PUBLIC_KEY_BYTES], [0; CIPHERTEXT_BYTES], [0; 32]);
        XWing::keygen_into(dk.as_seed(), &mut public);
        assert_eq!(public, ek.as_bytes());
        XWing::encapsulate_into(&public, &of("eseed").try_into().unwrap(), &mut sent, &mut key).unwrap();
        assert_eq!((sent, key), (ciphertext, *shared.as_bytes()));
        key = [0; 32];
        XWing::decapsulate_into(dk.as_seed(), &sent, &mut key);
        assert_eq!(key, *shared.as_bytes());
        for at in [0, CIPHERTEXT_BYTES - 1] {
            let mut other = ciphertext;
            other[at] ^= 1;
            let rejected = dk.decapsulate_bytes(&other).unwrap();
            assert_ne!(rejected, shared);
            XWing::decapsulate_into(dk.as_seed(), &other, &mut key);
            assert_eq!(key, *rejected.as_bytes());
        }
        public[..2].fill(0xFF);
        let error = XWing::encapsulate_into(&public, &[1; 64], &mut sent, &mut key).unwrap_err();
        assert_eq!(error, EncapsulationKey::from_bytes(&public).unwrap_err());
        assert_eq!(sent, ciphertext, "errors write nothing");
    }
}

/// The example of the draft's appendix D, whose public key is known by its beginning; and other forms.
#[test]
fn keys_in_pem() {
    const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\n\
        MDQCAQAwDQYLKwYBBAGD5i2ByHoEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\nGhscHR4f\n-----END PRIVATE KEY-----\n";
    const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
        MIIE1DANBgsrBgEEAYPmLYHIegOCBMEAb1QJigoOZBFGYUtpYLpg2GA9YvRH+atJ\n";
    let dk = DecapsulationKey::from_pkcs8_pem(PRIVATE).unwrap();
    assert_eq!(dk.as_seed()[..], (0..32).collect::<Vec<u8>>());
    assert_eq!(*dk.to_pkcs8_pem(LineEnding::LF).unwrap(), PRIVATE);
    let public = dk.encapsulation_key().to_public_key_pem(LineEnding::LF).unwrap();
    assert!(public.starts_with(PUBLIC));
    let spaced = public.replace('\n', " \r\n\r\n");
    for text in [&public, &spaced] {
        assert!(&EncapsulationKey::from_public_key_pem(text).unwrap() == dk.encapsulation_key());
    }
    // Of another algorithm, or cut.
    let other = MlKem768::generate_keypair().0.to_pkcs8_pem(LineEnding::LF).unwrap();
    for text in [&other[..], &public, &PRIVATE.replace("IAABAgME", "IAABAg=="), ""] {
        assert!(DecapsulationKey::from_pkcs8_pem(text).is_err(), "{text}");
    }
    // A public key that stands beside the seed must be its own (RFC 5958, version 2).
    let der = dk.to_pkcs8_der().unwrap();
    for changed in [0, 1] {
        let mut bytes = dk.encapsulation_key().as_bytes();
        bytes[3] ^= changed;
        let mut info = PrivateKeyInfoRef::try_from(der.as_bytes()).unwrap();
        info.public_key = Some(BitStringRef::new(0, &bytes).unwrap());
        assert_eq!(DecapsulationKey::try_from(info).is_ok(), changed == 0);
    }
}

#[test]
fn traits_and_lengths() {
    let (dk, ek) = XWing::generate_keypair();
    let (ciphertext, sent) = ek.encapsulate();
    assert_eq!(dk.decapsulate(&ciphertext), sent);
    assert_eq!(format!("{dk:?} {ek:?}"), "xwing::DecapsulationKey(..) xwing::EncapsulationKey(..)");
    for length in [0, 32, PUBLIC_KEY_BYTES - 1, PUBLIC_KEY_BYTES + 1] {
        let error = EncapsulationKey::from_bytes(&vec![0; length]).unwrap_err();
        assert!(matches!(error, DecodeError::Length { expected: PUBLIC_KEY_BYTES, .. }));
    }
    let error = dk.decapsulate_bytes(&[0; 5]).unwrap_err();
    assert!(matches!(error, DecodeError::Length { expected: CIPHERTEXT_BYTES, actual: 5, .. }));
}
