//! ML-KEM and ML-DSA on arrays of bytes give what keys in memory give, and refuse what these refuse.

use crate::random::{Stream, seed};
use rand_core::Rng;
use ringwork::{
    decode::DecodeError,
    schemes::{
        mldsa::{self, Error, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey},
        mlkem::{DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
};

/// How many seeds of each set.
const SEEDS: u64 = 3;

macro_rules! of_ml_kem {
    ($name:ident $set:ident) => {
        #[test]
        fn $name() {
            let (mut ek, mut dk) = ([0xA5; $set::ENCAPSULATION_KEY_BYTES], [0xA5; $set::EXPANDED_KEY_BYTES]);
            let mut ciphertext = [0xA5; $set::CIPHERTEXT_BYTES];
            for number in 0..SEEDS {
                let mut stream = Stream(100 * number);
                let (mut seed, mut m) = ([0; 64], [0; 32]);
                stream.fill_bytes(&mut seed);
                stream.fill_bytes(&mut m);
                $set::keygen_into(&seed, &mut ek, &mut dk);
                let key = DecapsulationKey::<$set>::of_seed(&seed);
                assert_eq!(ek, key.encapsulation_key().as_bytes());
                assert_eq!(dk[..], key.to_expanded()[..]);

                let (mut sent, mut received) = ([0xA5; 32], [0xA5; 32]);
                $set::encapsulate_into(&ek, &m, &mut ciphertext, &mut sent).unwrap();
                let (expected, shared) = key.encapsulation_key().encapsulate_derand(&m);
                assert_eq!((&ciphertext[..], &sent), (&expected[..], shared.as_bytes()));
                $set::decapsulate_into(&dk, &ciphertext, &mut received).unwrap();
                assert_eq!(received, sent);
                // One bit in any of the places where u, and v, begin and end.
                let v = $set::CIPHERTEXT_BYTES - 32 * $set::DV as usize;
                for place in [0, v - 1, v, $set::CIPHERTEXT_BYTES - 1] {
                    let mut other = ciphertext;
                    other[place] ^= 1;
                    $set::decapsulate_into(&dk, &other, &mut received).unwrap();
                    assert_eq!(received, *key.decapsulate_bytes(&other).unwrap().as_bytes());
                    assert_ne!(received, sent);
                }
            }

            // Values of q or more, in each polynomial; damaged secrets; another hash.
            let (mut shared, before) = ([0xA5; 32], ciphertext);
            for polynomial in 0..$set::K {
                let mut damaged = ek;
                damaged[384 * polynomial..][..2].fill(0xFF);
                let error = $set::encapsulate_into(&damaged, &[1; 32], &mut ciphertext, &mut shared).unwrap_err();
                assert!(matches!(error, DecodeError::Value { index: 0, value: 4095, bound: 3329, .. }), "{error}");
                assert!(EncapsulationKey::<$set>::from_bytes(&damaged).is_err());
                let mut damaged = dk;
                damaged[384 * polynomial + 382..][..2].fill(0xFF);
                let error = $set::decapsulate_into(&damaged, &before, &mut shared).unwrap_err();
                assert_eq!(error, DecodeError::Secret("a decapsulation key"));
                assert_eq!(DecapsulationKey::<$set>::from_expanded(&damaged).unwrap_err(), error);
            }
            for place in [768 * $set::K, 768 * $set::K + 32, 384 * $set::K + 1] {
                let mut damaged = dk;
                damaged[place] ^= 1;
                let error = $set::decapsulate_into(&damaged, &before, &mut shared).unwrap_err();
                assert_eq!(error, DecodeError::Mismatch);
            }
            assert_eq!((ciphertext, shared), (before, [0xA5; 32]), "errors write nothing");
        }
    };
}
of_ml_kem!(ml_kem_512 MlKem512);
of_ml_kem!(ml_kem_768 MlKem768);
of_ml_kem!(ml_kem_1024 MlKem1024);

macro_rules! of_ml_dsa {
    ($name:ident $set:ident $public:literal $secret:literal $signature:literal) => {
        #[test]
        fn $name() {
            let set = $set::PARAMETERS;
            let (mut public, mut secret) = ([0xA5; $public], [0xA5; $secret]);
            let mut signature = [0xA5; $signature];
            for number in 0..SEEDS {
                let (seed, mut randomness) = (seed(number), [0; 32]);
                $set::keygen_into(&seed, &mut public, &mut secret);
                let key = SigningKey::<$set>::from_seed(&seed);
                assert_eq!(public, key.verifying_key().to_bytes());
                assert_eq!(secret[..], key.to_expanded()[..]);
                if number > 0 {
                    randomness = [number as u8; 32];
                }
                let (message, context) = (&[number as u8; 100][..], &b"of arrays"[..]);
                $set::sign_into(&secret, message, context, &randomness, &mut signature).unwrap();
                let mu = key.verifying_key().mu(message, context).unwrap();
                assert_eq!($set::mu(&public, message, context).unwrap(), mu);
                assert_eq!(signature, key.sign_mu(&mu, &randomness).as_bytes());
                $set::verify_arrays(&public, message, context, &signature).unwrap();
                let others = [(&b"another"[..], context), (message, &b""[..])];
                for (message, context) in others {
                    assert_eq!($set::verify_arrays(&public, message, context, &signature), Err(Error::Forged));
                }
            }
            let mu = [7; 64];
            $set::sign_mu_into(&secret, &mu, &[0; 32], &mut signature).unwrap();
            $set::verify_mu_arrays(&public, &mu, &signature).unwrap();
            let key = VerifyingKey::<$set>::from_bytes(&public).unwrap();

            // Every byte counts, or is refused, as with keys in memory.
            for place in (0..$signature).step_by(61).chain($signature - set.omega - set.k..$signature) {
                let mut other = signature;
                other[place] ^= 0x40;
                let (ours, theirs) = ($set::verify_mu_arrays(&public, &mu, &other), key.verify_mu_bytes(&mu, &other));
                assert!(ours.is_err(), "{place}");
                assert_eq!(ours, theirs, "{place}");
                assert_eq!(Signature::<$set>::from_bytes(&other).is_err(), matches!(ours, Err(Error::Decode(_))));
            }
            // A coefficient of z beyond its bound: zeros are γ1.
            let mut large = signature;
            large[set.challenge_bytes()..][..10].fill(0);
            assert!(matches!($set::verify_mu_arrays(&public, &mu, &large), Err(Error::Decode(_))));

            // A secret below -η.
            let before = signature;
            for place in [128, 128 + 32 * if set.eta == 2 { 3 } else { 4 } * set.l] {
                let mut damaged = secret;
                damaged[place] = 0xFF;
                let error = $set::sign_mu_into(&damaged, &mu, &[0; 32], &mut signature).unwrap_err();
                assert!(matches!(error, Error::Decode(DecodeError::Secret(_))), "{error}");
            }
            $set::sign_mu_into(&secret, &mu, &[0; 32], &mut signature).unwrap();
            assert_eq!(signature, before);
            let long = [0; 256];
            let refused = Err(Error::Context { length: 256 });
            assert_eq!($set::sign_into(&secret, b"", &long, &[0; 32], &mut signature), refused);
            assert_eq!($set::verify_arrays(&public, b"", &long, &signature), refused);
            assert_eq!(mldsa::Error::Context { length: 256 }, $set::mu(&public, b"", &long).unwrap_err());
        }
    };
}
of_ml_dsa!(ml_dsa_44 MlDsa44 1312 2560 2420);
of_ml_dsa!(ml_dsa_65 MlDsa65 1952 4032 3309);
of_ml_dsa!(ml_dsa_87 MlDsa87 2592 4896 4627);
