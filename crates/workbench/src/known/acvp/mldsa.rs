//! ML-DSA: keyGen, sigGen and sigVer.

use super::{Trouble, accepted, any_bytes, bytes, compare, each_backend, field, field_bytes, refused};
use ringwork::{
    Backend,
    schemes::mldsa::{
        ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, PreHash, SigningKey, VerifyingKey,
    },
};
use serde_json::{Value, json};

/// Calls a function for the parameter set of a test.
macro_rules! of_set {
    ($test:expr, $function:ident) => {
        match $test["parameterSet"].as_str() {
            Some("ML-DSA-44") => $function::<MlDsa44>($test),
            Some("ML-DSA-65") => $function::<MlDsa65>($test),
            Some("ML-DSA-87") => $function::<MlDsa87>($test),
            other => Err(Trouble::Malformed(format!("the parameter set {other:?} is none of ML-DSA's"))),
        }
    };
}

pub(super) fn keys(test: &Value) -> Result<usize, Trouble> {
    of_set!(test, keys_of)
}

pub(super) fn signatures(test: &Value) -> Result<usize, Trouble> {
    of_set!(test, signature)
}

pub(super) fn verdicts(test: &Value) -> Result<usize, Trouble> {
    of_set!(test, verdict)
}

fn keys_of<P: MlDsaParams>(test: &Value) -> Result<usize, Trouble> {
    let seed = bytes::<32>(field(test, "seed")?)?;
    each_backend(|backend| {
        let key = SigningKey::<P>::with_backend(backend, &seed);
        compare(key.verifying_key().as_bytes(), field(test, "pk")?, "pk", &backend)?;
        compare(&key.to_expanded(), field(test, "sk")?, "sk", &backend)
    })
}

fn signature<P: MlDsaParams>(test: &Value) -> Result<usize, Trouble> {
    let secret = Secret::of(test)?;
    let randomness = randomness(test)?;
    each_backend(|backend| {
        let key = secret.key::<P>(backend)?;
        if let Some(pk) = test["pk"].as_str().filter(|pk| !pk.is_empty()) {
            compare(key.verifying_key().as_bytes(), pk, "pk", &backend)?;
        }
        let signature = key.sign_mu(&representative(test, &key.verifying_key())?, &randomness);
        compare(signature.as_bytes(), field(test, "signature")?, "signature", &backend)
    })
}

fn verdict<P: MlDsaParams>(test: &Value) -> Result<usize, Trouble> {
    let [public, signature] = [field_bytes(test, "pk")?, field_bytes(test, "signature")?];
    each_backend(|backend| {
        let is = match VerifyingKey::<P>::with_backend(backend, &public) {
            Ok(key) => key.verify_mu_bytes(&representative(test, &key)?, &signature).is_ok(),
            Err(_) => false,
        };
        accepted(is, test).map(|_| ())
    })
}

/// A secret key, in the form that a test has.
enum Secret {
    Seed([u8; 32]),
    Expanded(Vec<u8>),
}

impl Secret {
    fn of(test: &Value) -> Result<Self, Trouble> {
        match test["sk"].as_str().filter(|sk| !sk.is_empty()) {
            Some(sk) => Ok(Self::Expanded(any_bytes(sk)?)),
            None if test["seed"].is_string() => Ok(Self::Seed(bytes(field(test, "seed")?)?)),
            None => Err(Trouble::Malformed("missing field `sk`".into())),
        }
    }

    fn key<P: MlDsaParams>(&self, backend: Backend) -> Result<ExpandedSigningKey<P>, Trouble> {
        match self {
            Self::Seed(seed) => Ok(SigningKey::<P>::with_backend(backend, seed).expanded_key().clone()),
            Self::Expanded(bytes) => ExpandedSigningKey::from_expanded_with_backend(backend, bytes).map_err(refused),
        }
    }
}

/// Zeros where signing is deterministic.
fn randomness(test: &Value) -> Result<[u8; 32], Trouble> {
    match (test["deterministic"].as_bool(), test["rnd"].as_str()) {
        (Some(true), _) | (None, None | Some("")) => Ok([0; 32]),
        (_, Some(rnd)) => bytes(rnd),
        (Some(false), None) => Err(Trouble::Malformed("missing field `rnd`".into())),
    }
}

/// µ of what is signed, by the interface and the kind of message that the group names. Files that
/// name none are of the internal interface.
fn representative<P: MlDsaParams>(test: &Value, key: &VerifyingKey<P>) -> Result<Mu, Trouble> {
    let (interface, prehash) = (text(test, "signatureInterface")?, text(test, "preHash")?);
    match interface.unwrap_or("internal") {
        "internal" if test["externalMu"].as_bool() == Some(true) => bytes(field(test, "mu")?),
        "internal" => Ok(key.mu_internal(&[&field_bytes(test, "message")?])),
        "external" => {
            let context = text(test, "context")?.map_or(Ok(Vec::new()), any_bytes)?;
            let message = field_bytes(test, "message")?;
            match prehash.unwrap_or("pure") {
                "pure" => key.mu(&message, &context).map_err(refused),
                "preHash" => key.mu_prehashed(&hash(field(test, "hashAlg")?)?.of(&message), &context).map_err(refused),
                other => Err(Trouble::Malformed(format!("\"preHash\" is {other}, neither pure nor preHash"))),
            }
        }
        other => Err(Trouble::Malformed(format!("\"signatureInterface\" is {other}, neither internal nor external"))),
    }
}

/// A field that may be missing.
fn text<'a>(test: &'a Value, name: &str) -> Result<Option<&'a str>, Trouble> {
    match &test[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err(Trouble::Malformed(format!("\"{name}\" is no string"))),
    }
}

/// A hash function by NIST's name.
fn hash(name: &str) -> Result<PreHash, Trouble> {
    Ok(match name {
        "SHA2-224" => PreHash::Sha224,
        "SHA2-256" => PreHash::Sha256,
        "SHA2-384" => PreHash::Sha384,
        "SHA2-512" => PreHash::Sha512,
        "SHA2-512/224" => PreHash::Sha512_224,
        "SHA2-512/256" => PreHash::Sha512_256,
        "SHA3-224" => PreHash::Sha3_224,
        "SHA3-256" => PreHash::Sha3_256,
        "SHA3-384" => PreHash::Sha3_384,
        "SHA3-512" => PreHash::Sha3_512,
        "SHAKE-128" => PreHash::Shake128,
        "SHAKE-256" => PreHash::Shake256,
        other => return Err(Trouble::Malformed(format!("the hash function {other} is none of FIPS 204's"))),
    })
}

/// A test of `vectors/standards/mldsa-keygen.json`.
pub(in super::super) fn half_of_keys(test: &Value, _: &Value) -> Result<usize, Trouble> {
    keys(&renamed(test))
}

/// A test of `vectors/standards/mldsa-siggen.json`.
pub(in super::super) fn half_of_signatures(test: &Value, _: &Value) -> Result<usize, Trouble> {
    signatures(&renamed(test))
}

/// A test of `vectors/standards/mldsa-sigver.json`.
pub(in super::super) fn half_of_verdicts(test: &Value, _: &Value) -> Result<usize, Trouble> {
    verdicts(&renamed(test))
}

/// The same test under the names that NIST has for its fields.
fn renamed(test: &Value) -> Value {
    let mut test = json!({
        "parameterSet": test["set"], "seed": test["seed"], "pk": test["public_key"], "sk": test["secret_key"],
        "message": test["message"], "rnd": test["randomness"], "signature": test["signature"], "testPassed": test["valid"],
    });
    test.as_object_mut().expect("it was just made").retain(|_, value| !value.is_null());
    test
}
