//! NTTRU's key encapsulation, from its designers' program.

use super::{Trouble, bytes, compare, read, refused};
use crate::plans::machine_backends;
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
    let mut computations = 0;
    for backend in machine_backends() {
        let nttru = Nttru::with_backend(backend);
        let who = &backend;
        let Some((secret, public)) = nttru.keygen_derand(&keygen_seed) else {
            return Err(Trouble::Mismatch { field: "keygen_seed", who: who.to_string() });
        };
        let (public_bytes, secret_bytes) = (nttru.public_key_to_bytes(&public), nttru.secret_key_to_bytes(&secret));
        compare(&public_bytes, &test.public_key, "public_key", who)?;
        compare(&secret_bytes, &test.secret_key, "secret_key", who)?;
        let public = nttru.public_key_from_bytes(&public_bytes).map_err(refused)?;
        let (ciphertext, key) = nttru.encapsulate_derand(&public, &encaps_seed);
        compare(&ciphertext, &test.ciphertext, "ciphertext", who)?;
        compare(key.as_bytes(), &test.shared_key, "shared_key", who)?;
        let secret = nttru.secret_key_from_bytes(&secret_bytes).map_err(refused)?;
        let decapsulated = nttru.decapsulate(&secret, &ciphertext).map_err(refused)?;
        compare(decapsulated.as_bytes(), &test.shared_key, "shared_key", who)?;
        computations += 1;
    }
    Ok(computations)
}
