//! NTRU over `X^n + 1`, at every depth, and encapsulation by it.

use super::{
    Trouble, any_bytes, bytes, compare, compare_keys, each_backend,
    encapsulation::{KemTest, encapsulate},
    read, refused,
};
use ringwork::{
    kem::Scheme,
    schemes::ntru::{Ntru, Parameters},
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Test {
    n: usize,
    q: u32,
    /// Of the slots that travel; without it coefficients do.
    depth: Option<u32>,
    keygen_seed: String,
    message: String,
    encrypt_seed: String,
    public_key: String,
    secret_key: String,
    ciphertext: String,
}

pub(super) fn encryption(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let test: Test = read(test)?;
    let mut parameters = Parameters::new(test.n, test.q).map_err(refused)?;
    if let Some(depth) = test.depth {
        parameters = parameters.in_transform_domain(depth).map_err(refused)?;
    }
    let (keygen_seed, encrypt_seed) = (bytes(&test.keygen_seed)?, bytes(&test.encrypt_seed)?);
    let message = any_bytes(&test.message)?;
    let mut computations = 0;
    for depth in 0..=test.n.trailing_zeros() {
        let Ok(ntru) = Ntru::with_depth(parameters, depth) else { continue };
        let who = &format!("{}, depth {depth}", ntru.backend());
        let keys = ntru.keygen_derand(&keygen_seed);
        let keys = keys.ok_or_else(|| Trouble::Mismatch { field: "keygen_seed", who: who.clone() })?;
        let (public, secret) = compare_keys(&ntru, &keys, [&test.public_key, &test.secret_key], who)?;
        let plain = ntru.message_from_bytes(&message).map_err(refused)?;
        let public = ntru.public_key_from_bytes(&public).map_err(refused)?;
        let ciphertext = ntru.encrypt_derand(&public, &plain, &encrypt_seed).map_err(refused)?;
        compare(&ciphertext, &test.ciphertext, "ciphertext", who)?;
        let secret = ntru.secret_key_from_bytes(&secret).map_err(refused)?;
        if ntru.decrypt(&secret, &ciphertext).map_err(refused)? != plain {
            return Err(Trouble::Mismatch { field: "message", who: who.clone() });
        }
        computations += 1;
    }
    Ok(computations)
}

#[derive(Debug, Deserialize)]
struct Sizes {
    n: usize,
    q: u32,
}

pub(super) fn encapsulation(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
    let (test, Sizes { n, q }): (KemTest, _) = (read(test)?, read(parameters)?);
    let parameters = Parameters::new(n, q).map_err(refused)?;
    each_backend(|backend| {
        let ntru = Ntru::with_backend(parameters, backend).map_err(refused)?;
        ntru.message_from_bytes(&any_bytes(&test.message)?).map_err(refused)?;
        encapsulate(ntru, &test, &backend)
    })
}
