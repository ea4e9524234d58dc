//! ML-KEM and ML-DSA on arrays of bytes give what keys in memory give, and refuse what these refuse.

use crate::random::{Stream, seed};
use rand_core::Rng;
use ringwork::{
    decode::DecodeError,
    schemes::{
        mldsa::{
            self, Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey,
            VerifyingKey,
        },
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
                assert!(matches!(error, DecodeError::Value { value: 4095, bound: 3329, .. }), "{error}");
                assert_eq!(EncapsulationKey::<$set>::from_bytes(&damaged).unwrap_err(), error);
                let mut both = dk;
                both[..2].fill(0xFF);
                both[384 * $set::K..][..damaged.len()].copy_from_slice(&damaged);
                assert_eq!($set::decapsulate_into(&both, &before, &mut shared).unwrap_err(), error);
                assert_eq!(DecapsulationKey::<$set>::from_expanded(&both).unwrap_err(), error);
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
                let mut same = [0xA5; $public];
                $set::public_into(&secret, &mut same).unwrap();
                assert_eq!(same, public);
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
            // A coefficient of z beyond its bound, in each polynomial: zeros are γ1.
            let length = ($signature - set.challenge_bytes() - set.omega - set.k) / set.l;
            for j in 0..set.l {
                let mut large = signature;
                large[set.challenge_bytes() + j * length..][..10].fill(0);
                let error = $set::verify_mu_arrays(&public, &mu, &large).unwrap_err();
                assert!(matches!(error, Error::Decode(DecodeError::Value { .. })), "{error}");
                assert_eq!(key.verify_mu_bytes(&mu, &large), Err(error));
            }

            // A secret below -η, in the first polynomial, in one of the middle and in the last one: nothing is written.
            let before = signature;
            let of_s = 32 * if set.eta == 2 { 3 } else { 4 };
            for place in [0, 1, set.l - 1, set.l, set.l + set.k - 1].map(|polynomial| 128 + of_s * polynomial + 3) {
                let mut damaged = secret;
                damaged[place] = 0xFF;
                let error = $set::sign_mu_into(&damaged, &mu, &[0; 32], &mut signature).unwrap_err();
                assert!(matches!(error, Error::Decode(DecodeError::Secret(_))), "{error}");
                assert_eq!(signature, before);
                let mut untouched = [0xA5; $public];
                assert_eq!(Error::from($set::public_into(&damaged, &mut untouched).unwrap_err()), error);
                assert_eq!(untouched, [0xA5; $public]);
            }
            // ρ, the first and the last byte of tr, one of s1, and t0: nothing fits the rest. K alone fits everything.
            for place in [0, 64, 127, 128, $secret - 1] {
                let mut damaged = secret;
                damaged[place] ^= 1;
                let refused = $set::public_into(&damaged, &mut public).unwrap_err();
                assert_eq!(refused, ExpandedSigningKey::<$set>::from_expanded(&damaged).unwrap_err(), "{place}");
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

/// With a t0 that no generation gives nearly all candidates have too many hints. Of this message all are rejected, as
/// many as there are numbers of polynomials of y: that takes seconds, and ends.
#[test]
fn signing_ends() {
    let (mut public, mut secret, mut signature) = ([0; 1312], [0; 2560], [0xA5; 2420]);
    MlDsa44::keygen_into(&[1; 32], &mut public, &mut secret);
    // The largest coefficients, of signs without a pattern: 2^12 is packed as 0, and -2^12 + 1 as 2^13 - 1.
    let t0 = &mut secret[128 + 96 * 8..];
    t0.fill(0);
    for place in (0..4 * 256_usize).filter(|place| (place & place >> 1).count_ones() & 1 == 1) {
        (place * 13..place * 13 + 13).for_each(|bit| t0[bit >> 3] |= 1 << (bit & 7));
    }
    let refused = MlDsa44::sign_mu_into(&secret, &[14; 64], &[2; 32], &mut signature);
    assert_eq!(refused, Err(Error::Decode(DecodeError::Secret("an expanded ML-DSA secret key"))));
    assert_eq!(signature, [0; 2420], "nothing is left of rejected candidates");
}
