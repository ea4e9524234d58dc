//! What can be measured: the operations of a plan, the phases of a key exchange and of a key
//! encapsulation, as jobs.

use crate::{
    measure::Job,
    plans::{AnyTransform, with},
};
use ntt::{Backend, Word, internals::Transform};
use ringwork::schemes::{
    mldsa::{self, ExpandedSigningKey, MlDsaParams, SigningKey, VerifyingKey},
    mlkem::{self, B32, DecapsulationKey, EncapsulationKey, ParameterSet, Seed},
    newhope::{NewHope, Parameters, parts::Parts},
    nttru::Nttru,
};
use std::{hint::black_box, rc::Rc};

/// An operation of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A forward transform, natural order in, native slot order out.
    Forward,
    /// An inverse transform of a pointwise product, with all its scaling.
    Inverse,
    /// A product slot by slot.
    Slots,
    /// Two forward transforms, pointwise product, inverse, in place.
    Product,
    /// A product of polynomials out of place: the same, with copies, wiped working memory and
    /// canonical residues.
    Multiply,
}

/// An operation on the words of three polynomials.
type Run<T> = fn(&Transform<T>, &mut [T], &mut [T], &mut [T]);

impl Operation {
    pub(crate) const ALL: [Self; 5] = [Self::Forward, Self::Inverse, Self::Slots, Self::Product, Self::Multiply];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Inverse => "inverse",
            Self::Slots => "slots",
            Self::Product => "product",
            Self::Multiply => "multiply",
        }
    }

    /// The job. Transforms work on their own output: their time does not depend on values.
    pub(crate) fn job(self, name: impl Into<String>, plan: &AnyTransform) -> Job<'static> {
        fn of<T: Word>(operation: Operation, name: String, plan: Rc<Transform<T>>) -> Job<'static> {
            let (n, q) = (plan.recipe().n() as i64, plan.recipe().q() as i64);
            let sample = |step: i64| (0..n).map(move |i| T::from_i64((i * step + 1) % q));
            let mut words = Aligned::new(sample(7).chain(sample(11)).chain(sample(0)).collect());
            let run: Run<T> = match operation {
                Operation::Forward => |plan, a, _, _| plan.forward(a),
                Operation::Inverse => |plan, a, _, _| plan.inverse_product(a),
                Operation::Slots => |plan, a, b, c| plan.pointwise(c, a, b),
                Operation::Product => |plan, a, b, c| {
                    plan.forward(a);
                    plan.forward(b);
                    plan.pointwise(c, a, b);
                    plan.inverse_product(c);
                },
                Operation::Multiply => |plan, a, b, c| plan.multiply(c, a, b),
            };
            Job::new(name, move || {
                let (a, rest) = black_box(words.words_mut()).split_at_mut(n as usize);
                let (b, c) = rest.split_at_mut(n as usize);
                run(&plan, a, b, c);
            })
        }
        with!(plan, plan => of(self, name.into(), plan.clone()))
    }
}

/// Phases of a key exchange.
pub(crate) const PHASES: [&str; 4] = ["init", "respond", "finish", "exchange"];

/// The phases by name, from fixed seeds. `finish` uses up its secret, so it reads it from bytes
/// first; `exchange` is all three in a row, without that.
pub(crate) fn exchange(set: Parameters, backend: Backend, name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];
    let scheme = Rc::new(NewHope::with_backend(set, backend));
    let good = "a message that was just made";
    let (secret, message_a) = scheme.init_derand(&SEEDS[0], &SEEDS[1]);
    let (message_b, _) = scheme.respond_derand(&message_a, &SEEDS[2]).expect(good);
    let secret = scheme.secret_to_bytes(secret);
    PHASES
        .map(|phase| {
            let scheme = scheme.clone();
            let secret = secret.clone();
            match phase {
                "init" => Job::new(name(phase), move || {
                    black_box(scheme.init_derand(black_box(&SEEDS[0]), &SEEDS[1]));
                }),
                "respond" => Job::new(name(phase), move || {
                    black_box(scheme.respond_derand(black_box(&message_a), &SEEDS[2]).expect(good));
                }),
                "finish" => Job::new(name(phase), move || {
                    let secret = scheme.secret_from_bytes(&secret).expect("a secret that was just made");
                    black_box(scheme.finish(secret, black_box(&message_b)).expect(good));
                }),
                _ => Job::new(name(phase), move || {
                    let (secret, message_a) = scheme.init_derand(black_box(&SEEDS[0]), &SEEDS[1]);
                    let (message_b, _) = scheme.respond_derand(&message_a, &SEEDS[2]).expect(good);
                    black_box(scheme.finish(secret, &message_b).expect(good));
                }),
            }
        })
        .into()
}

/// Parts of a key exchange that papers time one by one.
pub(crate) const PARTS: [&str; 4] = ["generate-a", "noise", "help-rec", "rec"];

/// The parts by name.
pub(crate) fn parts(set: Parameters, backend: Backend, name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    const SEED: [u8; 32] = [1; 32];
    let parts = Rc::new(Parts::new(NewHope::with_backend(set, backend), &SEED));
    let job = |part: &str, run: fn(&Parts)| {
        let parts = parts.clone();
        Job::new(name(part), move || run(&parts))
    };
    let runs: [fn(&Parts); 4] = [
        |parts| drop(black_box(parts.generate_a(black_box(&SEED)))),
        |parts| drop(black_box(parts.noise(black_box(&SEED)))),
        |parts| {
            black_box(parts.help_rec());
        },
        |parts| drop(black_box(parts.rec())),
    ];
    PARTS.into_iter().zip(runs).map(|(part, run)| job(part, run)).collect()
}

/// Phases of a key encapsulation.
pub(crate) const KEM_PHASES: [&str; 3] = ["keygen", "encaps", "decaps"];

/// The phases of NTTRU by name, from bytes to bytes and from fixed seeds.
pub(crate) fn encapsulation(backend: Backend, name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    const ENCAPS_SEED: [u8; 32] = [2; 32];
    let scheme = Rc::new(Nttru::with_backend(backend));
    let good = "bytes that were just made";
    let (seed, (secret, public)) =
        (0..).find_map(|i| scheme.keygen_derand(&[i; 32]).map(|keys| ([i; 32], keys))).expect("most seeds make keys");
    let (secret, public_key) = (scheme.secret_key_to_bytes(&secret), scheme.public_key_to_bytes(&public));
    let (ciphertext, _) = scheme.encapsulate_derand(&public, &ENCAPS_SEED);
    KEM_PHASES
        .map(|phase| {
            let scheme = scheme.clone();
            let secret = secret.clone();
            match phase {
                "keygen" => Job::new(name(phase), move || {
                    let (secret, public) = scheme.keygen_derand(black_box(&seed)).expect("a seed that makes keys");
                    black_box((scheme.secret_key_to_bytes(&secret), scheme.public_key_to_bytes(&public)));
                }),
                "encaps" => Job::new(name(phase), move || {
                    let public = scheme.public_key_from_bytes(black_box(&public_key)).expect(good);
                    black_box(scheme.encapsulate_derand(&public, &ENCAPS_SEED));
                }),
                _ => Job::new(name(phase), move || {
                    let secret = scheme.secret_key_from_bytes(black_box(&secret)).expect(good);
                    black_box(scheme.decapsulate(&secret, &ciphertext).expect(good));
                }),
            }
        })
        .into()
}

/// Keys of a batch.
const BATCH: usize = 8;
/// Operations of ML-KEM: from bytes to bytes, with keys that are expanded, and of eight keys at once.
pub(crate) const ML_KEM_PHASES: [&str; 8] =
    ["keygen", "encaps", "decaps", "encaps-expanded", "decaps-expanded", "keygen-8", "encaps-8", "decaps-8-expanded"];
/// Operations of ML-DSA: from bytes to bytes, with keys that are expanded, and of eight keys at once.
pub(crate) const ML_DSA_PHASES: [&str; 6] =
    ["keygen", "sign", "verify", "sign-expanded", "verify-expanded", "verify-8"];

/// The operations of ML-KEM by name, from fixed seeds.
pub(crate) fn ml_kem<P: ParameterSet>(name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    let good = "bytes that were just made";
    let seeds: [[u8; 64]; BATCH] = std::array::from_fn(|i| [i as u8; 64]);
    let keys: Rc<Vec<_>> =
        Rc::new(seeds.iter().map(|seed| DecapsulationKey::<P>::from_seed(Seed::from(*seed))).collect());
    let [seed, message] = [seeds[0], [9; 64]];
    let message = B32::try_from(&message[..32]).expect("32 bytes");
    let (secret, public) = (keys[0].to_expanded(), keys[0].encapsulation_key().as_bytes().to_vec());
    let (ciphertext, _) = keys[0].encapsulation_key().encapsulate_deterministic(&message);
    let one = |phase: &str| {
        let (keys, secret, public, ciphertext) = (keys.clone(), secret.clone(), public.clone(), ciphertext.clone());
        match phase {
            "keygen" => Job::new(name(phase), move || {
                let key = DecapsulationKey::<P>::from_seed(black_box(Seed::from(seed)));
                black_box((key.to_expanded(), key.encapsulation_key().as_bytes().len()));
            }),
            "encaps" => Job::new(name(phase), move || {
                let key = EncapsulationKey::<P>::from_bytes(black_box(&public)).expect(good);
                black_box(key.encapsulate_deterministic(&message));
            }),
            "decaps" => Job::new(name(phase), move || {
                let key = DecapsulationKey::<P>::from_expanded(black_box(&secret)).expect(good);
                black_box(key.decapsulate_bytes(&ciphertext).expect(good));
            }),
            "encaps-expanded" => Job::new(name(phase), move || {
                black_box(keys[0].encapsulation_key().encapsulate_deterministic(black_box(&message)));
            }),
            _ => Job::new(name(phase), move || {
                black_box(keys[0].decapsulate_bytes(black_box(&ciphertext)).expect(good));
            }),
        }
    };
    let mut jobs: Vec<_> = ML_KEM_PHASES[..5].iter().map(|phase| one(phase)).collect();
    let messages = vec![message; BATCH];
    jobs.push(Job::new(name("keygen-8"), move || {
        let keys = mlkem::keygen_many::<P>(black_box(&seeds));
        black_box(keys.iter().map(DecapsulationKey::to_expanded).collect::<Vec<_>>());
    }));
    let publics: Vec<_> = keys.iter().map(|key| key.encapsulation_key().as_bytes().to_vec()).collect();
    jobs.push(Job::new(name("encaps-8"), move || {
        let read = mlkem::read_many::<P>(&black_box(&publics).iter().map(|key| &key[..]).collect::<Vec<_>>());
        let read: Vec<_> = read.iter().map(|key| key.as_ref().expect(good)).collect();
        black_box(mlkem::encapsulate_many_deterministic(&read, &messages));
    }));
    let sent: Vec<_> =
        keys.iter().map(|key| key.encapsulation_key().encapsulate_deterministic(&message).0.to_vec()).collect();
    jobs.push(Job::new(name("decaps-8-expanded"), move || {
        let jobs: Vec<_> = keys.iter().zip(black_box(&sent)).map(|(key, ciphertext)| (key, &ciphertext[..])).collect();
        black_box(mlkem::decapsulate_many(&jobs));
    }));
    jobs
}

/// The operations of ML-DSA by name, from fixed seeds; signatures are of a new message each time.
pub(crate) fn ml_dsa<P: MlDsaParams>(name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    let good = "bytes that were just made";
    let keys: Vec<_> = (0..BATCH as u8).map(|i| SigningKey::<P>::from_seed(&[i; 32])).collect();
    let message = b"a message that is signed";
    let signature = keys[0].sign_deterministic(message, b"").expect("a short context").to_bytes();
    let (secret, public) = (keys[0].to_expanded(), keys[0].verifying_key().to_bytes());
    let one = |phase: &str| {
        let (key, secret) = (keys[0].clone(), secret.clone());
        let mut number = 0_u64;
        match phase {
            "keygen" => Job::new(name(phase), move || {
                let key = SigningKey::<P>::from_seed(black_box(&[0; 32]));
                black_box((key.to_expanded(), key.verifying_key().to_bytes()));
            }),
            "sign" => Job::new(name(phase), move || {
                number += 1;
                let key = ExpandedSigningKey::<P>::from_expanded(black_box(&secret)).expect(good);
                black_box(key.sign_deterministic(&number.to_le_bytes(), b"").expect("a short context"));
            }),
            "verify" => Job::new(name(phase), move || {
                let key = VerifyingKey::<P>::from_bytes(black_box(public.as_ref())).expect(good);
                key.verify_bytes(message, b"", signature.as_ref()).expect(good);
            }),
            "sign-expanded" => Job::new(name(phase), move || {
                number += 1;
                black_box(key.sign_deterministic(&number.to_le_bytes(), b"").expect("a short context"));
            }),
            _ => Job::new(name(phase), move || {
                key.verifying_key().verify_bytes(message, b"", black_box(signature.as_ref())).expect(good);
            }),
        }
    };
    let mut jobs: Vec<_> = ML_DSA_PHASES[..5].iter().map(|phase| one(phase)).collect();
    let sign = |key: &SigningKey<P>| key.sign_deterministic(message, b"").expect("a short context").to_bytes();
    let signed: Vec<_> = keys.iter().map(|key| (key.verifying_key().to_bytes(), sign(key))).collect();
    jobs.push(Job::new(name("verify-8"), move || {
        let keys = mldsa::read_many::<P>(&black_box(&signed).iter().map(|(key, _)| key.as_ref()).collect::<Vec<_>>());
        let claims = keys.iter().zip(&signed).map(|(key, (_, signature))| {
            let key = key.as_ref().expect(good);
            mldsa::Signed { key, message, context: b"", signature: signature.as_ref() }
        });
        assert!(mldsa::verify_many(&claims.collect::<Vec<_>>()).iter().all(Result::is_ok));
    }));
    jobs
}

/// Words that start on a page: loads and stores whose addresses agree in their low twelve bits
/// disturb each other, so a measurement needs a place that does not change from run to run.
#[derive(Debug)]
struct Aligned<T> {
    storage: Vec<T>,
    start: usize,
}

impl<T: Copy + Default> Aligned<T> {
    const PAGE: usize = 4096;

    fn new(words: Vec<T>) -> Self {
        let mut storage = vec![T::default(); words.len() + Self::PAGE / size_of::<T>()];
        let start = storage.as_ptr().align_offset(Self::PAGE).min(storage.len() - words.len());
        storage.truncate(start + words.len());
        storage[start..].copy_from_slice(&words);
        Self { storage, start }
    }

    fn words_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..]
    }
}
