//! Ours.

use super::{Implementation, MESSAGES, Operation, Sample, message, write};
use crate::measure::Job;
use ntt::Backend;
use ringwork::{
    schemes::{
        mldsa::{self, ExpandedSigningKey, MlDsaParams, SigningKey, VerifyingKey},
        mlkem::{self, B32, DecapsulationKey, EncapsulationKey, ParameterSet, Seed},
    },
    xwing,
};
use std::{hint::black_box, rc::Rc};

/// Keys of a batch.
const BATCH: usize = 8;

/// Our implementation of a set on every backend, the best one first, with operations that only we have: with keys
/// that are expanded, and of eight keys at once, of which a row is one.
pub(super) struct Ours {
    pub(super) set: &'static str,
    pub(super) implementations: Vec<Implementation>,
    pub(super) sample: fn(u8) -> Sample,
    /// With keys that are made on a backend.
    expanded: &'static [&'static str],
    /// Without a choice of the backend.
    batches: &'static [&'static str],
    /// Jobs of these on a backend, of batches on any: names that are not wanted are left out later.
    pub(super) jobs: Jobs,
}

/// Jobs whose rows are named that way.
type Jobs = fn(Backend, &dyn Fn(&str) -> String) -> Vec<Job<'static>>;

const GOOD: &str = "bytes that were just made";
const SHORT: &str = "a short context";

/// Operations that only we have, on that backend.
pub(super) fn alone(ours: &Ours, backend: Backend) -> impl Iterator<Item = &'static str> {
    let batches = if backend == Backend::best() { ours.batches } else { &[] };
    ours.expanded.iter().chain(batches).copied()
}

/// The same operations on every backend of this machine.
fn on_all<const N: usize>(operations: [(&'static str, Operation); N]) -> Vec<Implementation> {
    let on = |backend: Backend| Implementation {
        who: backend.name(),
        backend: Some(backend),
        operations: operations.into(),
    };
    Backend::machines().map(on).collect()
}

impl Ours {
    /// Backends and their names, the best first.
    pub(super) fn backends(&self) -> impl Iterator<Item = (&'static str, Backend)> {
        self.implementations.iter().filter_map(|each| Some((each.who, each.backend?)))
    }

    pub(super) fn kem<P: ParameterSet>() -> Self {
        let implementations = on_all([
            ("keygen", |sample, out| {
                let key = DecapsulationKey::<P>::with_backend(sample.backend, &sample.seed);
                write(out, [&key.to_expanded()[..], key.encapsulation_key().as_bytes()]);
            }),
            ("encaps", |sample, out| {
                let key = EncapsulationKey::<P>::with_backend(sample.backend, &sample.public).expect(GOOD);
                let (ciphertext, shared) = key.encapsulate_deterministic(&B32::from(sample.message));
                write(out, [&ciphertext[..], &shared[..]]);
            }),
            ("decaps", |sample, out| {
                let key = DecapsulationKey::<P>::expanded_with_backend(sample.backend, &sample.secret).expect(GOOD);
                write(out, [key.decapsulate_bytes(&sample.made).expect(GOOD).as_bytes()]);
            }),
        ]);
        let sample = |number| {
            let (seed, message) = ([number; 64], [number ^ 9; 32]);
            let key = DecapsulationKey::<P>::from_seed(Seed::from(seed));
            let made = key.encapsulation_key().encapsulate_deterministic(&B32::from(message)).0.to_vec();
            let public = key.encapsulation_key().as_bytes().to_vec();
            Sample { backend: Backend::best(), seed, secret: key.to_expanded().to_vec(), public, message, made }
        };
        let expanded = &["encaps-expanded", "decaps-expanded", "decaps-8-expanded"];
        Self { set: P::NAME, implementations, sample, expanded, batches: &["keygen-8", "encaps-8"], jobs: kem::<P> }
    }

    pub(super) fn signature<P: MlDsaParams>() -> Self {
        let implementations = on_all([
            ("keygen", |sample, out| {
                let key = SigningKey::<P>::with_backend(sample.backend, half(sample));
                write(out, [&key.to_expanded(), key.verifying_key().as_bytes()]);
            }),
            ("sign", |sample, out| {
                let key = ExpandedSigningKey::<P>::from_expanded_with_backend(sample.backend, &sample.secret);
                let made = key.expect(GOOD).sign_deterministic(&sample.message, b"").expect(SHORT);
                write(out, [made.as_bytes()]);
            }),
            ("verify", |sample, out| {
                let key = VerifyingKey::<P>::with_backend(sample.backend, &sample.public).expect(GOOD);
                out[0] = key.verify_bytes(&sample.message, b"", &sample.made).is_ok().into();
            }),
        ]);
        let sample = |number| {
            let (seed, message) = ([number; 64], [number ^ 9; 32]);
            let key = SigningKey::<P>::from_seed(seed.first_chunk().expect("64 bytes"));
            let made = key.sign_deterministic(&message, b"").expect(SHORT).as_bytes().to_vec();
            let public = key.verifying_key().as_bytes().to_vec();
            Sample { backend: Backend::best(), seed, secret: key.to_expanded().to_vec(), public, message, made }
        };
        let (expanded, batches) = (&["sign-expanded", "verify-expanded"], &["keygen-8", "verify-8"]);
        Self { set: P::PARAMETERS.name, implementations, sample, expanded, batches, jobs: signature::<P> }
    }
}

impl Ours {
    /// X-Wing, which runs on the best backend alone. A secret key is its seed.
    pub(super) fn x_wing() -> Self {
        let operations: [(_, Operation); 3] = [
            ("keygen", |sample, out| {
                let key = xwing::DecapsulationKey::from_seed(half(sample));
                write(out, [&key.as_seed()[..], &key.encapsulation_key().as_bytes()]);
            }),
            ("encaps", |sample, out| {
                let key = xwing::EncapsulationKey::from_bytes(&sample.public).expect(GOOD);
                let (ciphertext, shared) = key.encapsulate_derand(&coins(sample));
                write(out, [&ciphertext[..], shared.as_bytes()]);
            }),
            ("decaps", |sample, out| {
                let key = xwing::DecapsulationKey::from_seed(sample.secret.first_chunk().expect("a seed"));
                write(out, [key.decapsulate_bytes(&sample.made).expect(GOOD).as_bytes()]);
            }),
        ];
        let best = Backend::best();
        let implementation = Implementation { who: best.name(), backend: Some(best), operations: operations.into() };
        Self {
            set: "X-Wing",
            implementations: vec![implementation],
            sample: x_wing_sample,
            expanded: &["encaps-expanded", "decaps-expanded"],
            batches: &[],
            jobs: |_, name| {
                let sample = x_wing_sample(0);
                let key = xwing::DecapsulationKey::from_seed(half(&sample));
                let (public, coins) = (key.encapsulation_key().clone(), coins(&sample));
                vec![
                    Job::new(name("encaps-expanded"), move || {
                        black_box(public.encapsulate_derand(black_box(&coins)));
                    }),
                    Job::new(name("decaps-expanded"), move || {
                        black_box(key.decapsulate_bytes(black_box(&sample.made)).expect(GOOD));
                    }),
                ]
            },
        }
    }
}

fn x_wing_sample(number: u8) -> Sample {
    let key = xwing::DecapsulationKey::from_seed(&[number; 32]);
    let (public, secret) = (key.encapsulation_key().as_bytes().to_vec(), key.as_seed().to_vec());
    let backend = Backend::best();
    let mut sample =
        Sample { backend, seed: [number; 64], secret, public, message: [number ^ 9; 32], made: Vec::new() };
    sample.made = key.encapsulation_key().encapsulate_derand(&coins(&sample)).0.to_vec();
    sample
}

/// The seed of 32 bytes.
fn half(sample: &Sample) -> &[u8; 32] {
    sample.seed.first_chunk().expect("64 bytes")
}

/// m of ML-KEM and a secret of X25519.
fn coins(sample: &Sample) -> [u8; 64] {
    std::array::from_fn(|i| sample.message[i % 32])
}

fn kem<P: ParameterSet>(backend: Backend, name: &dyn Fn(&str) -> String) -> Vec<Job<'static>> {
    let seeds: [[u8; 64]; BATCH] = std::array::from_fn(|i| [i as u8; 64]);
    let keys: Rc<Vec<_>> =
        Rc::new(seeds.iter().map(|seed| DecapsulationKey::<P>::with_backend(backend, seed)).collect());
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

fn signature<P: MlDsaParams>(backend: Backend, name: &dyn Fn(&str) -> String) -> Vec<Job<'static>> {
    let same = b"a message that is signed";
    let keys: Vec<_> = (0..BATCH as u8).map(|i| SigningKey::<P>::with_backend(backend, &[i; 32])).collect();
    let sign = |key: &SigningKey<P>| key.sign_deterministic(same, b"").expect(SHORT).to_bytes();
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
                black_box(signer.sign_deterministic(black_box(&message(number)), b"").expect(SHORT));
            }
        }),
        Job::new(name("verify-expanded"), move || {
            verifier.verify_bytes(same, b"", black_box(signature.as_ref())).expect(GOOD);
        }),
        Job::many(name("verify-8"), BATCH as u32, move || {
            let keys =
                mldsa::read_many::<P>(&black_box(&signed).iter().map(|(key, _)| key.as_ref()).collect::<Vec<_>>());
            let claims = keys.iter().zip(&signed).map(|(key, (_, signature))| {
                let key = key.as_ref().expect(GOOD);
                mldsa::Signed { key, message: same, context: b"", signature: signature.as_ref() }
            });
            assert!(mldsa::verify_many(&claims.collect::<Vec<_>>()).iter().all(Result::is_ok));
        }),
    ]
}
