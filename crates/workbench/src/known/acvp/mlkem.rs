//! ML-KEM: keyGen and encapDecap.

use super::{Trouble, accepted, any_bytes, bytes, compare, each_backend, field, field_bytes, read, refused};
use ringwork::schemes::mlkem::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet};
use serde::Deserialize;
use serde_json::Value;

/// Calls a function for the parameter set of a test.
macro_rules! of_set {
    ($test:expr, $function:ident) => {
        match $test["parameterSet"].as_str() {
            Some("ML-KEM-512") => $function::<MlKem512>($test),
            Some("ML-KEM-768") => $function::<MlKem768>($test),
            Some("ML-KEM-1024") => $function::<MlKem1024>($test),
            other => Err(Trouble::Malformed(format!("the parameter set {other:?} is none of ML-KEM's"))),
        }
    };
}

pub(super) fn keys(test: &Value) -> Result<usize, Trouble> {
    of_set!(test, keys_of)
}

pub(super) fn encapsulation(test: &Value) -> Result<usize, Trouble> {
    match test["function"].as_str() {
        Some("encapsulation") => of_set!(test, encapsulated),
        Some("decapsulation") => of_set!(test, decapsulation),
        Some("encapsulationKeyCheck") => of_set!(test, encapsulation_key),
        Some("decapsulationKeyCheck") => of_set!(test, decapsulation_key),
        other => Err(Trouble::Malformed(format!("the function {other:?} is none of ML-KEM's"))),
    }
}

#[derive(Deserialize)]
struct Keys {
    d: String,
    z: String,
    ek: String,
    dk: String,
}

fn keys_of<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let Keys { d, z, ek, dk } = read(test)?;
    let [d, z] = [bytes::<32>(&d)?, bytes::<32>(&z)?];
    let seed: [u8; 64] = [d, z].concat().try_into().expect("64 bytes");
    each_backend(|backend| {
        let key = DecapsulationKey::<P>::with_backend(backend, &seed);
        compare(key.encapsulation_key().as_bytes(), &ek, "ek", &backend)?;
        compare(&key.to_expanded(), &dk, "dk", &backend)
    })
}

#[derive(Deserialize)]
struct Encapsulated {
    ek: String,
    m: String,
    c: String,
    k: String,
}

fn encapsulated<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let Encapsulated { ek, m, c, k } = read(test)?;
    let (ek, m) = (any_bytes(&ek)?, B32::from(bytes::<32>(&m)?));
    each_backend(|backend| {
        let key = EncapsulationKey::<P>::with_backend(backend, &ek).map_err(refused)?;
        let (ciphertext, shared) = key.encapsulate_deterministic(&m);
        compare(&ciphertext, &c, "c", &backend)?;
        compare(&shared, &k, "k", &backend)
    })
}

/// With an expanded key; or with a seed, in groups whose `keyFormat` says so.
fn decapsulation<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    let [c, k] = [field_bytes(test, "c")?, field_bytes(test, "k")?];
    let is_seed = test["dk"].as_str().is_none_or(str::is_empty) && test["d"].is_string();
    let secret = if is_seed {
        [bytes::<32>(field(test, "d")?)?, bytes(field(test, "z")?)?].concat()
    } else {
        field_bytes(test, "dk")?
    };
    each_backend(|backend| {
        let key = if is_seed {
            DecapsulationKey::<P>::with_backend(backend, secret[..].try_into().expect("64 bytes"))
        } else {
            DecapsulationKey::expanded_with_backend(backend, &secret).map_err(refused)?
        };
        match key.decapsulate_bytes(&c).map_err(refused)?.as_bytes()[..] == k {
            true => Ok(()),
            false => Err(Trouble::Mismatch { field: "k", who: backend.to_string() }),
        }
    })
}

fn encapsulation_key<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    accepted(EncapsulationKey::<P>::from_bytes(&field_bytes(test, "ek")?).is_ok(), test)
}

fn decapsulation_key<P: ParameterSet>(test: &Value) -> Result<usize, Trouble> {
    accepted(DecapsulationKey::<P>::from_expanded(&field_bytes(test, "dk")?).is_ok(), test)
}
