//! What can be measured: the operations of a plan, the phases of a key exchange and of a key
//! encapsulation, as jobs.

use crate::{
    measure::Job,
    plans::{AnyTransform, with},
};
use ntt::{Backend, Word, internals::Transform};
use papers::lazyntt::LazyNtt;
use ringwork::{
    kem::Scheme,
    schemes::{
        newhope::{NewHope, parts::Parts},
        nttru::Nttru,
    },
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
    /// The same after a check that all coefficients are in range.
    Checked,
}

/// An operation on the words of three polynomials.
type Run<T> = fn(&Transform<T>, &mut [T], &mut [T], &mut [T]);

impl Operation {
    pub(crate) const ALL: [Self; 6] =
        [Self::Forward, Self::Inverse, Self::Slots, Self::Product, Self::Multiply, Self::Checked];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Inverse => "inverse",
            Self::Slots => "slots",
            Self::Product => "product",
            Self::Multiply => "multiply",
            Self::Checked => "checked",
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
                Operation::Checked => |plan, a, b, c| plan.try_multiply(c, a, b).expect("words that are in range"),
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

/// A forward transform by LazyNTT, like [`Operation::Forward`].
pub(crate) fn by_lazy_ntt(name: &str, transform: LazyNtt<u64>) -> Job<'static> {
    let (n, q) = (transform.usual().recipe().n() as u64, transform.usual().recipe().q());
    let mut words = Aligned::new((0..n).map(|i| (7 * i + 1) % q).collect());
    Job::new(name, move || transform.forward(black_box(words.words_mut())))
}

/// Phases of a key exchange.
pub(crate) const PHASES: [&str; 4] = ["init", "respond", "finish", "exchange"];

/// The phases by name, from fixed seeds. `finish` uses up its secret, so it reads it from bytes
/// first; `exchange` is all three in a row, without that.
pub(crate) fn exchange(scheme: NewHope, name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];
    let scheme = Rc::new(scheme);
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
pub(crate) fn parts(scheme: NewHope, name: impl Fn(&str) -> String) -> Vec<Job<'static>> {
    const SEED: [u8; 32] = [1; 32];
    let parts = Rc::new(Parts::new(scheme, &SEED));
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
    let (secret, public_key) = scheme.keys_to_bytes(&secret);
    let secret = Rc::new(secret);
    let (ciphertext, _) = scheme.encapsulate_derand(&public, &ENCAPS_SEED);
    KEM_PHASES
        .map(|phase| {
            let scheme = scheme.clone();
            let secret = secret.clone();
            match phase {
                "keygen" => Job::new(name(phase), move || {
                    let (secret, _) = scheme.keygen_derand(black_box(&seed)).expect("a seed that makes keys");
                    black_box(scheme.keys_to_bytes(&secret));
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

/// Words that start on a page: loads and stores whose addresses agree in their low twelve bits
/// disturb each other, so a measurement needs a place that does not change from run to run.
#[derive(Debug)]
pub(crate) struct Aligned<T> {
    storage: Vec<T>,
    start: usize,
}

impl<T: Copy + Default> Aligned<T> {
    const PAGE: usize = 4096;

    pub(crate) fn new(words: Vec<T>) -> Self {
        let mut storage = vec![T::default(); words.len() + Self::PAGE / size_of::<T>()];
        let start = storage.as_ptr().align_offset(Self::PAGE).min(storage.len() - words.len());
        storage.truncate(start + words.len());
        storage[start..].copy_from_slice(&words);
        Self { storage, start }
    }

    pub(crate) fn words_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..]
    }
}
