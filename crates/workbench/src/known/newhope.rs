//! NewHope exchanges.

use super::{Trouble, bytes, each_backend, read};
use ringwork::schemes::newhope::{MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHope, Parameters};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Exchange {
    seed_a: String,
    noise_seed_alice: String,
    noise_seed_bob: String,
    message_a: String,
    message_b: String,
    shared_key: String,
}

pub(super) fn exchange(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
    let t: Exchange = read(test)?;
    let set = parameters["set"].as_str().unwrap_or_default();
    let set = Parameters::by_name(set).ok_or_else(|| {
        Trouble::Malformed(format!(
            "set \"{set}\" is unknown; known are {}",
            Parameters::ALL.map(Parameters::name).join(", ")
        ))
    })?;
    let [seed_a, alice, bob, key] =
        [&t.seed_a, &t.noise_seed_alice, &t.noise_seed_bob, &t.shared_key].map(|h| bytes(h));
    let (seed_a, alice, bob, shared_key) = (seed_a?, alice?, bob?, key?);
    let (message_a, message_b): ([u8; MESSAGE_A_BYTES], [u8; MESSAGE_B_BYTES]) =
        (bytes(&t.message_a)?, bytes(&t.message_b)?);
    each_backend(|backend| {
        let differs = |field| Err(Trouble::Mismatch { field, who: backend.to_string() });
        let refused = |e| Trouble::Malformed(format!("a message is refused: {e}"));
        let scheme = NewHope::with_backend(set, backend);
        let (secret, got_a) = scheme.init_derand(&seed_a, &alice);
        if got_a != message_a {
            return differs("message_a");
        }
        let (got_b, bobs) = scheme.respond_derand(&message_a, &bob).map_err(refused)?;
        if got_b != message_b {
            return differs("message_b");
        }
        let alices = scheme.finish(secret, &message_b).map_err(refused)?;
        if *bobs.as_bytes() != shared_key || *alices.as_bytes() != shared_key {
            return differs("shared_key");
        }
        Ok(())
    })
}
