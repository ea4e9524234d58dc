//! Ring-LWE encryption with given noise.

use super::{Trouble, any_bytes, bytes, compare, compare_keys, each_backend, read, refused};
use ringwork::schemes::rlwe::{P1, P2, Parameters, Rlwe};
use serde::Deserialize;
use serde_json::Value;

/// Noise goes no further: far beyond all tails, far below q/2.
const SHORT: i16 = 1000;

#[derive(Debug, Deserialize)]
struct Test {
    set: String,
    seed_a: String,
    r1: Vec<i16>,
    r2: Vec<i16>,
    public_key: String,
    secret_key: String,
    e1: Vec<i16>,
    e2: Vec<i16>,
    e3: Vec<i16>,
    message: String,
    ciphertext: String,
    decrypted: String,
}

pub(super) fn encryption(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let test: Test = read(test)?;
    match test.set.as_str() {
        P1::NAME => run::<P1>(&test),
        P2::NAME => run::<P2>(&test),
        other => {
            let known = [P1::NAME, P2::NAME].join(", ");
            Err(Trouble::Malformed(format!("set \"{other}\" is unknown; known are {known}")))
        }
    }
}

fn run<P: Parameters>(test: &Test) -> Result<usize, Trouble> {
    let (seed, message) = (bytes(&test.seed_a)?, any_bytes(&test.message)?);
    if message.len() != P::MESSAGE_BYTES {
        let wanted = P::MESSAGE_BYTES;
        return Err(Trouble::Malformed(format!("the message has {} bytes, not {wanted}", message.len())));
    }
    for (name, values, [least, most]) in [
        ("r1", &test.r1, [-SHORT, SHORT]),
        ("r2", &test.r2, [0, 1]),
        ("e1", &test.e1, [-SHORT, SHORT]),
        ("e2", &test.e2, [-SHORT, SHORT]),
        ("e3", &test.e3, [-SHORT, SHORT]),
    ] {
        if values.len() != P::N || values.iter().any(|x| !(least..=most).contains(x)) {
            let (actual, n) = (values.len(), P::N);
            let why = format!("field \"{name}\" has {actual} numbers, and should have {n} from {least} to {most}");
            return Err(Trouble::Malformed(why));
        }
    }
    let noise = [&test.e1[..], &test.e2, &test.e3].concat();
    each_backend(|backend| {
        let rlwe = Rlwe::<P>::with_backend(backend).map_err(refused)?;
        let keys = rlwe.keys_with_noise(seed, &test.r1, &test.r2);
        compare_keys(&rlwe, &keys, [&test.public_key, &test.secret_key], &backend)?;
        let ciphertext = rlwe.encrypt_with_noise(&keys.1, &message, &noise);
        compare(&rlwe.ciphertext_to_bytes(&ciphertext), &test.ciphertext, "ciphertext", &backend)?;
        compare(&rlwe.decrypt_polynomials(&keys.0, &ciphertext), &test.decrypted, "decrypted", &backend)
    })
}
