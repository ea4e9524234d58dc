//! Ours.

use super::{Implementation, MESSAGES, Sample, write};
use crate::measure::Job;
use ntt::Backend;
use ringwork::schemes::{
    mldsa::{self, ExpandedSigningKey, MlDsaParams, SigningKey, VerifyingKey},
    mlkem::{self, B32, DecapsulationKey, EncapsulationKey, ParameterSet, Seed},
};
use std::{hint::black_box, rc::Rc};

/// Keys of a batch.
const BATCH: usize = 8;

/// Our implementation of a set on the best backend, with operations that only we have: with keys that
/// are expanded, and of eight keys at once, of which a row is one.
pub(super) struct Ours {
    pub(super) set: &'static str,
    pub(super) implementation: Implementation,
    pub(super) sample: fn(u8) -> Sample,
    pub(super) alone: &'static [&'static str],
    /// Jobs of these, in that order.
    pub(super) jobs: Jobs,
}

/// Jobs whose rows are named that way.
type Jobs = fn(&dyn Fn(&str) -> String) -> Vec<Job<'static>>;

const GOOD: &str = "bytes that were just made";
const SHORT: &str = "a short context";

impl Ours {
    pub(super) fn kem<P: ParameterSet>() -> Self {
        let implementation = Implementation {
            who: Backend::best().name(),
            operations: vec![
                ("keygen", |sample, out| {
                    let key = DecapsulationKey::<P>::from_seed(Seed::from(sample.seed));
                    write(out, [&key.to_expanded()[..], key.encapsulation_key().as_bytes()]);
                }),
                ("encaps", |sample, out| {
                    let key = EncapsulationKey::<P>::from_bytes(&sample.public).expect(GOOD);
                    let (ciphertext, shared) = key.encapsulate_deterministic(&B32::from(sample.message));
                    write(out, [&ciphertext[..], &shared[..]]);
                }),
                ("decaps", |sample, out| {
                    let key = DecapsulationKey::<P>::from_expanded(&sample.secret).expect(GOOD);
                    write(out, [key.decapsulate_bytes(&sample.made).expect(GOOD).as_bytes()]);
                }),
            ],
        };
        let sample = |number| {
            let (seed, message) = ([number; 64], [number ^ 9; 32]);
            let key = DecapsulationKey::<P>::from_seed(Seed::from(seed));
            let made = key.encapsulation_key().encapsulate_deterministic(&B32::from(message)).0.to_vec();
            let public = key.encapsulation_key().as_bytes().to_vec();
            Sample { seed, secret: key.to_expanded().to_vec(), public, message, made }
        };
        let alone = &["encaps-expanded", "decaps-expanded", "keygen-8", "encaps-8", "decaps-8-expanded"];
        Self { set: P::NAME, implementation, sample, alone, jobs: kem::<P> }
    }

    pub(super) fn signature<P: MlDsaParams>() -> Self {
        let implementation = Implementation {
            who: Backend::best().name(),
            operations: vec![
                ("keygen", |sample, out| {
                    let key = SigningKey::<P>::from_seed(sample.seed.first_chunk().expect("64 bytes"));
                    write(out, [&key.to_expanded(), key.verifying_key().as_bytes()]);
                }),
                ("sign", |sample, out| {
                    let key = ExpandedSigningKey::<P>::from_expanded(&sample.secret).expect(GOOD);
                    write(out, [key.sign_deterministic(&sample.message, b"").expect(SHORT).as_bytes()]);
                }),
                ("verify", |sample, out| {
                    let key = VerifyingKey::<P>::from_bytes(&sample.public).expect(GOOD);
                    out[0] = key.verify_bytes(&sample.message, b"", &sample.made).is_ok().into();
                }),
            ],
        };
        let sample = |number| {
            let (seed, message) = ([number; 64], [number ^ 9; 32]);
            let key = SigningKey::<P>::from_seed(seed.first_chunk().expect("64 bytes"));
            let made = key.sign_deterministic(&message, b"").expect(SHORT).as_bytes().to_vec();
            let public = key.verifying_key().as_bytes().to_vec();
            Sample { seed, secret: key.to_expanded().to_vec(), public, message, made }
        };
        let alone = &["keygen-8", "sign-expanded", "verify-expanded", "verify-8"];
        Self { set: P::PARAMETERS.name, implementation, sample, alone, jobs: signature::<P> }
    }
}

fn kem<P: ParameterSet>(name: &dyn Fn(&str) -> String) -> Vec<Job<'static>> {
    let seeds: [[u8; 64]; BATCH] = std::array::from_fn(|i| [i as u8; 64]);
    let keys: Rc<Vec<_>> =
        Rc::new(seeds.iter().map(|seed| DecapsulationKey::<P>::from_seed(Seed::from(*seed))).collect());
    let message = B32::from([9; 32]);
    let messages = vec![message; BATCH];
    let publics: Vec<_> = keys.iter().map(|key| key.encapsulation_key().as_bytes().to_vec()).collect();
    let sent: Rc<Vec<_>> =
        Rc::new(keys.iter().map(|key| key.encapsulation_key().encapsulate_deterministic(&message).0).collect());
    let [encaps, decaps, decaps_8] = [(); 3].map(|()| (keys.clone(), sent.clone()));
    vec![
        Job::new(name("encaps-expanded"), move || {
            black_box(encaps.0[0].encapsulation_key().encapsulate_deterministic(black_box(&message)));
        }),
        Job::new(name("decaps-expanded"), move || {
            black_box(decaps.0[0].decapsulate_bytes(black_box(&decaps.1[0])).expect(GOOD));
        }),
        Job::many(name("keygen-8"), BATCH as u32, move || {
            let keys = mlkem::keygen_many::<P>(black_box(&seeds));
            black_box(keys.iter().map(DecapsulationKey::to_expanded).collect::<Vec<_>>());
        }),
        Job::many(name("encaps-8"), BATCH as u32, move || {
            let read = mlkem::read_many::<P>(&black_box(&publics).iter().map(|key| &key[..]).collect::<Vec<_>>());
            let read: Vec<_> = read.iter().map(|key| key.as_ref().expect(GOOD)).collect();
            black_box(mlkem::encapsulate_many_deterministic(&read, &messages));
        }),
        Job::many(name("decaps-8-expanded"), BATCH as u32, move || {
            let (keys, sent) = &decaps_8;
            let jobs: Vec<_> = keys.iter().zip(&**black_box(sent)).map(|(key, sent)| (key, &sent[..])).collect();
            black_box(mlkem::decapsulate_many(&jobs));
        }),
    ]
}

fn signature<P: MlDsaParams>(name: &dyn Fn(&str) -> String) -> Vec<Job<'static>> {
    let message = b"a message that is signed";
    let keys: Vec<_> = (0..BATCH as u8).map(|i| SigningKey::<P>::from_seed(&[i; 32])).collect();
    let sign = |key: &SigningKey<P>| key.sign_deterministic(message, b"").expect(SHORT).to_bytes();
    let signed: Vec<_> = keys.iter().map(|key| (key.verifying_key().to_bytes(), sign(key))).collect();
    let (signer, verifier, signature) = (keys[0].clone(), keys[0].verifying_key(), sign(&keys[0]));
    let seeds: [[u8; 32]; BATCH] = std::array::from_fn(|i| [i as u8; 32]);
    vec![
        Job::many(name("keygen-8"), BATCH as u32, move || {
            let keys = mldsa::keygen_many::<P>(black_box(&seeds));
            black_box(keys.iter().map(|key| key.to_expanded()).collect::<Vec<_>>());
        }),
        Job::many(name("sign-expanded"), MESSAGES.into(), move || {
            for number in 0..MESSAGES {
                black_box(signer.sign_deterministic(black_box(&[number; 32]), b"").expect(SHORT));
            }
        }),
        Job::new(name("verify-expanded"), move || {
            verifier.verify_bytes(message, b"", black_box(signature.as_ref())).expect(GOOD);
        }),
        Job::many(name("verify-8"), BATCH as u32, move || {
            let keys =
                mldsa::read_many::<P>(&black_box(&signed).iter().map(|(key, _)| key.as_ref()).collect::<Vec<_>>());
            let claims = keys.iter().zip(&signed).map(|(key, (_, signature))| {
                let key = key.as_ref().expect(GOOD);
                mldsa::Signed { key, message, context: b"", signature: signature.as_ref() }
            });
            assert!(mldsa::verify_many(&claims.collect::<Vec<_>>()).iter().all(Result::is_ok));
        }),
    ]
}
