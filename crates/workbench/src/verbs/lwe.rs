//! `lwe`: module-LWE encryption with any parameters, for measuring: keys, messages there and back, sizes, estimates,
//! times.

use crate::{
    fault::Fault,
    identity::RingName,
    measure::Spread,
    number,
    objects::Cost,
    screen::{Screen, columns, counted},
};
use clap::Args;
use ringwork::{
    ct::{fresh_seed, sys_rng},
    estimate::failure,
    kem::Scheme,
    registry,
    sample::Word,
    schemes::lwe::{Lwe, Multiplier, Parameters, Task, in_narrowest_words},
    xof::{ByteStream, Shake256},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Instant;

/// How parameters are written.
pub(super) const FORM: &str = "N=..,q=..,p=..,m=..,n=..";

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Measured {
    /// FOR MEASURING: N, the degree of the ring, a power of two; q, its modulus; p, the modulus of messages; m rows and
    /// n columns of A; and if wanted k rows and l columns of a message (1), and beta, the bound of secrets and noise
    /// (2)
    #[arg(long, value_name = FORM, value_parser = parameters)]
    parameters: Parameters,
    /// How many messages are encrypted, each to fresh keys, and decrypted
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    messages: u32,
}

/// Parameters of a command line.
pub(super) fn parameters(text: &str) -> Result<Parameters, String> {
    Parameters::measuring_text(text, number::unsigned).map_err(|why| why.to_string())
}

/// Sizes, estimates and times.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// All parameters, with the thesis' names.
    parameters: String,
    /// Always true.
    for_measuring: bool,
    /// The degree of the ring, which the parameters call N.
    n: usize,
    /// The modulus.
    q: u64,
    /// The ring.
    ring: RingName,
    /// The width of a word.
    bits: u32,
    /// Length of a public key.
    public_key_bytes: usize,
    /// Length of a secret key.
    secret_key_bytes: usize,
    /// Length of a ciphertext.
    ciphertext_bytes: usize,
    /// How many numbers below p a message has.
    coefficients: usize,
    /// The cost of the best attack.
    security: Cost,
    /// What decryption has to remove.
    noise: Noise,
    /// log2 of the probability that a message does not come back, 0 also where it cannot be computed; null if all do.
    #[schemars(with = "Option<f64>")]
    failure_log2: f64,
    /// How many messages were tried.
    messages: u32,
    /// How many of them came back.
    came_back: u32,
    /// How many numbers were wrong in all.
    #[schemars(with = "usize")]
    wrong_coefficients: u64,
    /// Median of key generations.
    keygen_ns: f64,
    /// Median of encryptions.
    encrypt_ns: f64,
    /// Median of decryptions.
    decrypt_ns: f64,
}

/// What decryption has to remove.
#[derive(Serialize, JsonSchema)]
struct Noise {
    /// What there may be at most.
    worst_case: u64,
    /// What it must stay below.
    limit: u64,
    /// The modulus from which on it always does.
    never_wrong_from_q: u64,
}

impl Measured {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let set = self.parameters;
        let refused = |why: &dyn std::fmt::Display| Fault::Usage(why.to_string());
        registry::check_measuring(&set).map_err(|why| refused(&why))?;
        screen.note("these parameters are FOR MEASURING: nobody vouches for them, and no key leaves this command");
        let found = in_narrowest_words(set, Rounds(self.messages)).map_err(|why| refused(&why))?;
        let answer = self.measured(&found);
        screen.answer(&answer, || text(&answer))
    }

    fn measured(&self, found: &Found) -> Answer {
        let set = &self.parameters;
        let worst_case = u64::try_from(set.worst_case()).unwrap_or(u64::MAX);
        let [keygen_ns, encrypt_ns, decrypt_ns] = found.ns.each_ref().map(|ns| Spread::of(ns.clone()).median.round());
        let [public_key_bytes, secret_key_bytes, ciphertext_bytes] = found.bytes;
        Answer {
            parameters: set.to_text(),
            for_measuring: true,
            n: set.n(),
            q: set.q(),
            ring: RingName::Negacyclic,
            bits: found.bits,
            public_key_bytes,
            secret_key_bytes,
            ciphertext_bytes,
            coefficients: found.coefficients,
            security: Cost::of(set.security()),
            noise: Noise { worst_case, limit: set.q() / 2, never_wrong_from_q: 2 * worst_case + 1 },
            failure_log2: set.computed_failure_log2(),
            messages: self.messages,
            came_back: found.came_back,
            wrong_coefficients: found.wrong,
            keygen_ns,
            encrypt_ns,
            decrypt_ns,
        }
    }
}

/// Messages there and back.
struct Rounds(u32);

/// What came of it.
struct Found {
    bits: u32,
    /// Of public key, secret key and ciphertext.
    bytes: [usize; 3],
    /// Of a message.
    coefficients: usize,
    came_back: u32,
    wrong: u64,
    /// Of key generation, encryption and decryption.
    ns: [Vec<f64>; 3],
}

impl Task for Rounds {
    type Output = Found;

    fn with<T: Word + Send + Sync + 'static, M: Multiplier<T> + Send + Sync + 'static>(self, lwe: Lwe<T, M>) -> Found {
        let set = lwe.parameters();
        let [k, l] = set.message_shape();
        let bytes = [lwe.public_key_bytes(), lwe.secret_key_bytes(), lwe.ciphertext_bytes()];
        let coefficients = k * l * set.n();
        let mut found = Found { bits: T::BITS, bytes, coefficients, came_back: 0, wrong: 0, ns: Default::default() };
        let mut draws = vec![0; 4 * coefficients];
        for _ in 0..self.0 {
            // Evenly enough for messages that only are to come back.
            Shake256::new(&fresh_seed(&mut sys_rng())[..]).read(&mut draws);
            let (draws, _) = draws.as_chunks();
            let numbers: Vec<u64> = draws.iter().map(|draw| u64::from(u32::from_le_bytes(*draw)) % set.p()).collect();
            let message = lwe.message(&numbers).expect("numbers below p, as many as there is room for");
            let [seed, noise] = [fresh_seed(&mut sys_rng()), fresh_seed(&mut sys_rng())];
            let (secret, public) = timed(&mut found.ns[0], || lwe.keys(&seed));
            let ciphertext = timed(&mut found.ns[1], || lwe.encrypt_polynomials(&public, &message, &noise));
            let opened = timed(&mut found.ns[2], || lwe.decrypt_polynomials(&secret, &ciphertext));
            let wrong = opened.words().iter().zip(message.words()).filter(|(a, b)| a != b).count() as u64;
            found.wrong += wrong;
            found.came_back += u32::from(wrong == 0);
        }
        found
    }
}

fn timed<R>(ns: &mut Vec<f64>, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    ns.push(start.elapsed().as_nanos() as f64);
    result
}

/// From which modulus on, and whether it can be had.
fn never_wrong(from: u64) -> String {
    let beyond = if from < 1 << 31 { "" } else { ", and q is below 2^31: take smaller N, p, m, n or beta" };
    format!("from q = {from} on{beyond}")
}

fn text(of: &Answer) -> String {
    let Noise { worst_case, limit, never_wrong_from_q } = of.noise;
    let ms = |ns: f64| format!("{:.3} ms", ns / 1e6);
    let rows = [
        ("parameters", format!("{}, for measuring", of.parameters)),
        ("words", format!("{} bits", of.bits)),
        ("public key", format!("{} bytes", of.public_key_bytes)),
        ("secret key", format!("{} bytes", of.secret_key_bytes)),
        ("ciphertext", format!("{} bytes, for {} numbers below p", of.ciphertext_bytes, of.coefficients)),
        ("security", of.security.to_string()),
        ("noise", format!("at most {worst_case}; above q/2 = {limit} it changes a message")),
        ("never wrong", never_wrong(never_wrong_from_q)),
        (
            "failure",
            format!("a message does not come back with a probability of {}", failure::in_words(of.failure_log2)),
        ),
        (
            "came back",
            format!(
                "{} of {}; numbers that were wrong: {}",
                of.came_back,
                counted(of.messages, "message"),
                of.wrong_coefficients,
            ),
        ),
        ("key generation", ms(of.keygen_ns)),
        ("encryption", ms(of.encrypt_ns)),
        ("decryption", ms(of.decrypt_ns)),
    ];
    columns("ll", &rows.map(|(what, value)| vec![what.to_owned(), value]))
}
