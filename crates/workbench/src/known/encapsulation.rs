//! Key encapsulation by an encryption, from seeds.

use super::{Trouble, any_bytes, bytes, compare, refused};
use ringwork::kem::{Encryption, Kem, SEED_BYTES};
use serde::Deserialize;
use std::fmt::Display;

#[derive(Debug, Deserialize)]
pub(super) struct KemTest {
    key_seed: String,
    rejection: String,
    public_key: String,
    secret_key: String,
    pub(super) message: String,
    ciphertext: String,
    shared_key: String,
    rejected_key: String,
}

pub(super) fn encapsulate<E: Encryption>(encryption: E, test: &KemTest, who: &dyn Display) -> Result<(), Trouble> {
    let (message, wanted) = (any_bytes(&test.message)?, encryption.message_bytes());
    if message.len() != wanted || wanted < SEED_BYTES {
        let actual = message.len();
        return Err(Trouble::Malformed(format!("the message has {actual} bytes, not {wanted}, {SEED_BYTES} at least")));
    }
    let kem = Kem::research(encryption).map_err(refused)?;
    let key = kem.keygen_derand(&bytes(&test.key_seed)?, &bytes(&test.rejection)?);
    compare(key.public_key().as_bytes(), &test.public_key, "public_key", who)?;
    compare(&kem.secret_key_to_bytes(&key), &test.secret_key, "secret_key", who)?;
    let (mut ciphertext, shared) = kem.encapsulate_derand(key.public_key(), &message);
    compare(&ciphertext, &test.ciphertext, "ciphertext", who)?;
    compare(shared.as_bytes(), &test.shared_key, "shared_key", who)?;
    let again = kem.decapsulate(&key, &ciphertext).map_err(refused)?;
    compare(again.as_bytes(), &test.shared_key, "shared_key", who)?;
    ciphertext[0] ^= 1;
    let rejected = kem.decapsulate(&key, &ciphertext).map_err(refused)?;
    compare(rejected.as_bytes(), &test.rejected_key, "rejected_key", who)
}
