//! Public crates: RustCrypto's `ml-kem` and `ml-dsa`, and by the feature `peers` libcrux, and AWS-LC through `aws-lc-rs`.
//!
//! AWS-LC draws its own randomness, so only what needs none is compared. In libcrux the checks of keys
//! are functions of their own, which are called here: the other crates check as they read. None but
//! ours compares an expanded secret key of ML-DSA with what its seeds give.

#![expect(deprecated, reason = "expanded secret keys are what all crates read")]

use super::{Implementation, Sample, write};
#[cfg(feature = "peers")]
use aws_lc_rs::{
    kem::{self, ML_KEM_512, ML_KEM_768, ML_KEM_1024},
    signature::{ML_DSA_44, ML_DSA_65, ML_DSA_87, UnparsedPublicKey},
};
use ml_kem::KeyExport;

const GOOD: &str = "bytes that were just made";

/// Those that have that set.
pub(super) fn of(set: &str) -> Vec<Implementation> {
    macro_rules! kem {
        ($libcrux:ident, $set:ident, $aws_lc:ident) => {{
            #[allow(clippy::vec_init_then_push, reason = "some may be left out")]
            let mut all = Vec::new();
            #[cfg(feature = "peers")]
            all.push(Implementation {
                who: "libcrux-ml-kem",
                backend: None,
                operations: vec![
                    ("keygen", |sample, out| {
                        let keys = libcrux_ml_kem::$libcrux::generate_key_pair(sample.seed);
                        write(out, [keys.sk(), keys.pk()]);
                    }),
                    ("encaps", |sample, out| {
                        use libcrux_ml_kem::$libcrux::{encapsulate, validate_public_key};
                        let key = sample.public[..].try_into().expect(GOOD);
                        assert!(validate_public_key(&key));
                        let (ciphertext, shared) = encapsulate(&key, sample.message);
                        write(out, [ciphertext.as_slice(), &shared]);
                    }),
                    ("decaps", |sample, out| {
                        use libcrux_ml_kem::$libcrux::{decapsulate, validate_private_key};
                        let key = sample.secret[..].try_into().expect(GOOD);
                        let ciphertext = sample.made[..].try_into().expect(GOOD);
                        assert!(validate_private_key(&key, &ciphertext));
                        write(out, [&decapsulate(&key, &ciphertext)]);
                    }),
                ],
            });
            all.push(Implementation {
                who: "ml-kem",
                backend: None,
                operations: vec![
                    ("keygen", |sample, out| {
                        let key = ml_kem::DecapsulationKey::<ml_kem::$set>::from_seed(sample.seed.into());
                        let expanded = ml_kem::ExpandedKeyEncoding::to_expanded_bytes(&key);
                        write(out, [&expanded, &key.encapsulation_key().to_bytes()]);
                    }),
                    ("encaps", |sample, out| {
                        let bytes = sample.public[..].try_into().expect(GOOD);
                        let key = ml_kem::EncapsulationKey::<ml_kem::$set>::new(bytes).expect(GOOD);
                        let (ciphertext, shared) = key.encapsulate_deterministic(&sample.message.into());
                        write(out, [&ciphertext, &shared]);
                    }),
                    ("decaps", |sample, out| {
                        type Key = ml_kem::DecapsulationKey<ml_kem::$set>;
                        let bytes = sample.secret[..].try_into().expect(GOOD);
                        let key = <Key as ml_kem::ExpandedKeyEncoding>::from_expanded_bytes(bytes).expect(GOOD);
                        write(out, [&ml_kem::Decapsulate::decapsulate_slice(&key, &sample.made).expect(GOOD)]);
                    }),
                ],
            });
            #[cfg(feature = "peers")]
            all.push(Implementation {
                who: "aws-lc-rs",
                backend: None,
                operations: vec![("decaps", |sample, out| {
                    let key = kem::DecapsulationKey::new(&$aws_lc, &sample.secret).expect(GOOD);
                    let shared = key.decapsulate(sample.made[..].into()).expect(GOOD);
                    write(out, [shared.as_ref()]);
                })],
            });
            all
        }};
    }
    macro_rules! signature {
        ($libcrux:ident, $set:ident, $aws_lc:ident) => {{
            #[allow(clippy::vec_init_then_push, reason = "some may be left out")]
            let mut all = Vec::new();
            #[cfg(feature = "peers")]
            all.push(Implementation {
                who: "libcrux-ml-dsa",
                backend: None,
                operations: vec![
                    ("keygen", |sample, out| {
                        let keys = libcrux_ml_dsa::$libcrux::generate_key_pair(seed(sample));
                        write(out, [keys.signing_key.as_slice(), keys.verification_key.as_slice()]);
                    }),
                    ("sign", |sample, out| {
                        let key = libcrux_ml_dsa::MLDSASigningKey::new(sample.secret[..].try_into().expect(GOOD));
                        let made = libcrux_ml_dsa::$libcrux::sign(&key, &sample.message, b"", [0; 32]);
                        write(out, [made.expect("a short context").as_slice()]);
                    }),
                    ("verify", |sample, out| {
                        let key = libcrux_ml_dsa::MLDSAVerificationKey::new(sample.public[..].try_into().expect(GOOD));
                        let made = libcrux_ml_dsa::MLDSASignature::new(sample.made[..].try_into().expect(GOOD));
                        let verdict = libcrux_ml_dsa::$libcrux::verify(&key, &sample.message, b"", &made);
                        out[0] = verdict.is_ok().into();
                    }),
                ],
            });
            all.push(Implementation {
                who: "ml-dsa",
                backend: None,
                operations: vec![
                    ("keygen", |sample, out| {
                        let key = ml_dsa::SigningKey::<ml_dsa::$set>::from_seed(&seed(sample).into());
                        let expanded = key.expanded_key().to_expanded();
                        write(out, [&expanded, &key.expanded_key().verifying_key().encode()]);
                    }),
                    ("sign", |sample, out| {
                        let key = ml_dsa::ExpandedSigningKey::<ml_dsa::$set>::from_expanded(
                            sample.secret[..].try_into().expect(GOOD),
                        );
                        let made = key.sign_deterministic(&sample.message, b"").expect("a short context");
                        write(out, [&made.encode()]);
                    }),
                    ("verify", |sample, out| {
                        let bytes = sample.public[..].try_into().expect(GOOD);
                        let key = ml_dsa::VerifyingKey::<ml_dsa::$set>::decode(bytes);
                        let made = ml_dsa::Signature::try_from(&sample.made[..]);
                        let verdict = made.is_ok_and(|made| key.verify_with_context(&sample.message, b"", &made));
                        out[0] = verdict.into();
                    }),
                ],
            });
            #[cfg(feature = "peers")]
            all.push(Implementation {
                who: "aws-lc-rs",
                backend: None,
                operations: vec![("verify", |sample, out| {
                    let key = UnparsedPublicKey::new(&$aws_lc, &sample.public);
                    out[0] = key.verify(&sample.message, &sample.made).is_ok().into();
                })],
            });
            all
        }};
    }
    match set {
        "ml-kem-512" => kem!(mlkem512, MlKem512, ML_KEM_512),
        "ml-kem-768" => kem!(mlkem768, MlKem768, ML_KEM_768),
        "ml-kem-1024" => kem!(mlkem1024, MlKem1024, ML_KEM_1024),
        "ml-dsa-44" => signature!(ml_dsa_44, MlDsa44, ML_DSA_44),
        "ml-dsa-65" => signature!(ml_dsa_65, MlDsa65, ML_DSA_65),
        "ml-dsa-87" => signature!(ml_dsa_87, MlDsa87, ML_DSA_87),
        _ => Vec::new(),
    }
}

/// ξ of ML-DSA.
fn seed(sample: &Sample) -> [u8; 32] {
    *sample.seed.first_chunk().expect("64 bytes")
}
