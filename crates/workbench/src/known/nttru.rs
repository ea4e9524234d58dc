//! NTTRU's key encapsulation, from its designers' program.

use super::{Trouble, bytes, compare, compare_keys, each_backend, read, refused};
use ringwork::{kem::Scheme, schemes::nttru::Nttru};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Test {
    keygen_seed: String,
    encaps_seed: String,
    public_key: String,
    secret_key: String,
    ciphertext: String,
    shared_key: String,
}

pub(super) fn encapsulation(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
    let test: Test = read(test)?;
    match parameters["set"].as_str().unwrap_or_default() {
        "nttru768" => {}
        set => return Err(Trouble::Malformed(format!("set \"{set}\" is unknown; known is nttru768"))),
    }
    let (keygen_seed, encaps_seed) = (bytes(&test.keygen_seed)?, bytes(&test.encaps_seed)?);
    each_backend(|backend| {
        let (nttru, who) = (Nttru::with_backend(backend), &backend);
        let keys = nttru.keygen_derand(&keygen_seed);
        let keys = keys.ok_or_else(|| Trouble::Mismatch { field: "keygen_seed", who: who.to_string() })?;
        let (public, secret) = compare_keys(&nttru, &keys, [&test.public_key, &test.secret_key], who)?;
        let public = nttru.public_key_from_bytes(&public).map_err(refused)?;
        let (ciphertext, key) = nttru.encapsulate_derand(&public, &encaps_seed);
        compare(&ciphertext, &test.ciphertext, "ciphertext", who)?;
        compare(key.as_bytes(), &test.shared_key, "shared_key", who)?;
        let secret = nttru.secret_key_from_bytes(&secret).map_err(refused)?;
        let decapsulated = nttru.decapsulate(&secret, &ciphertext).map_err(refused)?;
        compare(decapsulated.as_bytes(), &test.shared_key, "shared_key", who)
    })
}
