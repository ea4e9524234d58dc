//! `lwe`: module-LWE encryption with any parameters, for measuring: keys, messages there and back, sizes, estimates,
//! times.

use crate::{
    fault::Fault,
    measure::Spread,
    number,
    objects::{cost, cost_in_words},
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
use serde_json::{Value, json};
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

impl Measured {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let set = self.parameters;
        let refused = |why: &dyn std::fmt::Display| Fault::Usage(why.to_string());
        registry::check_measuring(&set).map_err(|why| refused(&why))?;
        screen.note("these parameters are FOR MEASURING: nobody vouches for them, and no key leaves this command");
        let found = in_narrowest_words(set, Rounds(self.messages)).map_err(|why| refused(&why))?;
        let value = self.value(&found);
        screen.answer(value.clone(), || text(&value, &found))
    }

    fn value(&self, found: &Found) -> Value {
        let set = &self.parameters;
        let worst = u64::try_from(set.worst_case()).unwrap_or(u64::MAX);
        let [keygen, encrypt, decrypt] = found.ns.each_ref().map(|ns| Spread::of(ns.clone()).median.round());
        let [public, secret, ciphertext] = found.bytes;
        let failure = set.computed_failure_log2();
        json!({
            "parameters": set.to_text(), "for_measuring": true,
            "n": set.n(), "q": set.q(), "ring": "negacyclic", "bits": found.bits,
            "public_key_bytes": public, "secret_key_bytes": secret, "ciphertext_bytes": ciphertext,
            "coefficients": found.coefficients,
            "security": cost(set.security()),
            "noise": { "worst_case": worst, "limit": set.q() / 2, "never_wrong_from_q": 2 * worst + 1 },
            "failure_log2": failure.is_finite().then_some(failure),
            "messages": self.messages, "came_back": found.came_back, "wrong_coefficients": found.wrong,
            "keygen_ns": keygen, "encrypt_ns": encrypt, "decrypt_ns": decrypt,
        })
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

fn text(value: &Value, found: &Found) -> String {
    let number = |key: &str| value[key].to_string();
    let noise = &value["noise"];
    let failure = value["failure_log2"].as_f64().unwrap_or(f64::NEG_INFINITY);
    let ms = |key: &str| format!("{:.3} ms", value[key].as_f64().unwrap_or_default() / 1e6);
    let rows = [
        ("parameters", format!("{}, for measuring", value["parameters"].as_str().unwrap_or_default())),
        ("words", format!("{} bits", found.bits)),
        ("public key", format!("{} bytes", number("public_key_bytes"))),
        ("secret key", format!("{} bytes", number("secret_key_bytes"))),
        ("ciphertext", format!("{} bytes, for {} numbers below p", number("ciphertext_bytes"), number("coefficients"))),
        ("security", cost_in_words(&value["security"])),
        ("noise", format!("at most {}; above q/2 = {} it changes a message", noise["worst_case"], noise["limit"])),
        ("never wrong", never_wrong(noise["never_wrong_from_q"].as_u64().unwrap_or(u64::MAX))),
        ("failure", format!("a message does not come back with a probability of {}", failure::in_words(failure))),
        (
            "came back",
            format!(
                "{} of {}; numbers that were wrong: {}",
                number("came_back"),
                counted(value["messages"].as_u64().unwrap_or_default(), "message"),
                number("wrong_coefficients"),
            ),
        ),
        ("key generation", ms("keygen_ns")),
        ("encryption", ms("encrypt_ns")),
        ("decryption", ms("decrypt_ns")),
    ];
    columns("ll", &rows.map(|(what, value)| vec![what.to_owned(), value]))
}
