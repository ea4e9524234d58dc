//! Programs that were written for the crates `ml-kem` and `ml-dsa` work with this one: each of these
//! is compiled twice, and nothing but its `use` differs.

macro_rules! kem_programs {
    ($module:ident: $($library:ident)::+) => {
        mod $module {
            /// From generation to the shared key.
            pub(super) fn exchange() {
                use $($library)::+::{
                    MlKem768,
                    kem::{Decapsulate, Encapsulate, Kem},
                };
                let (dk, ek) = MlKem768::generate_keypair();
                let (ct, k_send) = ek.encapsulate();
                let k_recv = dk.decapsulate(&ct);
                assert_eq!(k_send, k_recv);
            }

            /// Keys and ciphertexts as bytes; from a seed, so that others can compare.
            pub(super) fn bytes() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
                use $($library)::+::{
                    B32, Ciphertext, Decapsulate, DecapsulationKey, Encapsulate, EncapsulationKey, FromSeed, Generate,
                    Kem, KeyExport, KeyInit, MlKem512, MlKem1024, Seed, TryKeyInit,
                };
                let seed = Seed::from([7; 64]);
                let (dk, ek) = MlKem1024::from_seed(&seed);
                assert_eq!(dk.to_seed(), Some(seed));
                let bytes = ek.to_bytes();
                let ek = EncapsulationKey::<MlKem1024>::new(&bytes).unwrap();
                assert_eq!(<EncapsulationKey<MlKem1024> as TryKeyInit>::new(&bytes).unwrap(), ek);
                let (ct, sent): (Ciphertext<MlKem1024>, _) = ek.encapsulate_deterministic(&B32::from([9; 32]));
                let dk = <DecapsulationKey<MlKem1024> as KeyInit>::new(&dk.to_bytes());
                assert_eq!(dk.encapsulation_key(), &ek);
                assert_eq!(dk.decapsulate_slice(&ct).unwrap(), sent);
                assert!(dk.decapsulate_slice(&ct[1..]).is_err());

                let dk = DecapsulationKey::<MlKem512>::generate();
                let (ct, sent) = dk.encapsulation_key().encapsulate();
                assert_eq!(dk.decapsulate(&ct), sent);
                let _: <MlKem512 as Kem>::EncapsulationKey = dk.encapsulation_key().clone();
                (bytes.to_vec(), ek.encapsulate_deterministic(&B32::from([9; 32])).0.to_vec(), sent_of(&ek))
            }

            fn sent_of(ek: &$($library)::+::EncapsulationKey<$($library)::+::MlKem1024>) -> Vec<u8> {
                ek.encapsulate_deterministic(&[9; 32].into()).1.to_vec()
            }

            /// Keys in PEM. Ours read it without the traits as well.
            #[allow(unused_imports, reason = "a method of the type comes before that of a trait")]
            pub(super) fn documents() -> (String, String) {
                use $($library)::+::{
                    DecapsulationKey, EncapsulationKey, MlKem768, Seed,
                    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
                };
                let dk = DecapsulationKey::<MlKem768>::from_seed(Seed::from([7; 64]));
                let private = dk.to_pkcs8_pem(Default::default()).unwrap();
                let public = dk.encapsulation_key().to_public_key_pem(Default::default()).unwrap();
                assert!(DecapsulationKey::<MlKem768>::from_pkcs8_pem(&private).unwrap() == dk);
                assert_eq!(&EncapsulationKey::from_public_key_pem(&public).unwrap(), dk.encapsulation_key());
                (private.to_string(), public)
            }
        }
    };
}
kem_programs!(kem_theirs: ml_kem);
kem_programs!(kem_ours: ringwork::schemes::mlkem);

#[test]
fn mlkem() {
    kem_theirs::exchange();
    kem_ours::exchange();
    assert_eq!(kem_theirs::bytes(), kem_ours::bytes());
    assert_eq!(kem_theirs::documents(), kem_ours::documents());
}

macro_rules! signature_programs {
    ($module:ident: $($library:ident)::+) => {
        #[allow(unused_imports, reason = "what is a trait's there may be the type's own here")]
        mod $module {
            /// From generation to verification.
            pub(super) fn hello() {
                use $($library)::+::{Generate, Keypair, MlDsa65, Signer, SigningKey, Verifier};
                let sk = SigningKey::<MlDsa65>::generate();
                let msg = b"Hello world";
                let sig = sk.sign(msg);
                sk.verifying_key().verify(msg, &sig).unwrap();
                sk.verifying_key().verify(b"another", &sig).unwrap_err();
            }

            /// Keys and signatures as bytes, with and without contexts.
            pub(super) fn bytes() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
                use $($library)::+::{
                    B32, EncodedSignature, EncodedVerifyingKey, KeyExport, KeyInit, Keypair, MlDsa44, Seed, Signature,
                    SignatureEncoding, Signer, SigningKey, Verifier, VerifyingKey,
                };
                let seed: B32 = Seed::from([7; 32]);
                let sk = SigningKey::<MlDsa44>::from_seed(&seed);
                assert!(SigningKey::<MlDsa44>::new(&sk.to_bytes()) == sk);
                assert_eq!(sk.as_seed()[..], sk.to_seed()[..]);
                let vk = sk.verifying_key();
                let encoded: EncodedVerifyingKey<MlDsa44> = vk.encode();
                let again = VerifyingKey::<MlDsa44>::decode(&EncodedVerifyingKey::<MlDsa44>::try_from(&encoded[..]).unwrap());
                assert_eq!(again, vk);
                assert_eq!(VerifyingKey::<MlDsa44>::new(&KeyExport::to_bytes(&vk)), vk);

                let sig: Signature<MlDsa44> = sk.sign(b"message");
                let encoded: EncodedSignature<MlDsa44> = sig.encode();
                assert_eq!(Signature::<MlDsa44>::decode(&encoded), Some(sig.clone()));
                assert!(Signature::<MlDsa44>::try_from(&encoded[1..]).is_err());
                vk.verify(b"message", &Signature::try_from(&encoded[..]).unwrap()).unwrap();
                assert_eq!(sig.to_vec(), encoded[..]);

                let with_context = sk.expanded_key().sign_deterministic(b"message", b"context").unwrap();
                assert!(vk.verify_with_context(b"message", b"context", &with_context));
                assert!(!vk.verify_with_context(b"message", b"", &with_context));
                let of_mu = sk.expanded_key().sign_mu_deterministic(&[3; 64].into());
                assert!(vk.verify_mu(&[3; 64].into(), &of_mu));
                (vk.encode().to_vec(), sig.to_vec(), [with_context.to_vec(), of_mu.to_vec()].concat())
            }

            /// Programs that are generic over signatures.
            pub(super) fn generic() {
                use $($library)::+::{Generate, MlDsa87, Signature, SigningKey, signature};
                use signature::{Keypair, RandomizedSigner, Signer, Verifier};
                fn round_trip<S, K>(key: &K) -> bool
                where
                    S: PartialEq,
                    K: Keypair<VerifyingKey: Verifier<S>> + Signer<S> + RandomizedSigner<S>,
                {
                    let (one, two) = (key.sign(b"m"), key.sign_with_rng(&mut ringwork::ct::sys_rng(), b"m"));
                    let public = key.verifying_key();
                    one != two && [one, two].iter().all(|signature| public.verify(b"m", signature).is_ok())
                }
                let key = SigningKey::<MlDsa87>::generate();
                assert!(round_trip::<Signature<MlDsa87>, _>(key.expanded_key()));
            }

            /// Keys in PEM. Ours read it without the traits as well.
            #[allow(unused_imports, reason = "a method of the type comes before that of a trait")]
            pub(super) fn documents() -> (String, String) {
                use $($library)::+::{
                    Keypair, MlDsa65, SigningKey, VerifyingKey,
                    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
                };
                let sk = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
                let private = sk.to_pkcs8_pem(Default::default()).unwrap();
                let public = sk.verifying_key().to_public_key_pem(Default::default()).unwrap();
                assert!(SigningKey::<MlDsa65>::from_pkcs8_pem(&private).unwrap() == sk);
                assert_eq!(VerifyingKey::from_public_key_pem(&public).unwrap(), sk.verifying_key());
                (private.to_string(), public)
            }
        }
    };
}
signature_programs!(signature_theirs: ml_dsa);
signature_programs!(signature_ours: ringwork::schemes::mldsa);

#[test]
fn mldsa() {
    signature_theirs::hello();
    signature_ours::hello();
    signature_theirs::generic();
    signature_ours::generic();
    assert_eq!(signature_theirs::bytes(), signature_ours::bytes());
    assert_eq!(signature_theirs::documents(), signature_ours::documents());
}
