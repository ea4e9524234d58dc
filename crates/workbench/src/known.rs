//! Known answers: vector files, and what every backend makes of them.

use crate::{
    fault::Fault,
    plans::{AnyPlan, machine_backends, methods_and_widths},
};
use ntt::{Backend, Request, Ring};
use ringwork::schemes::{
    newhope::{MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHope, Parameters},
    ntru::{self, Ntru},
    nttru::{CIPHERTEXT_BYTES, Nttru, PUBLIC_KEY_BYTES, SECRET_KEY_BYTES},
};
use serde::Deserialize;
use serde_json::Value;

/// A vector file.
#[derive(Debug, Deserialize)]
struct File {
    schema: u64,
    scheme: String,
    parameters: Value,
    tests: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Transform {
    n: usize,
    q: u64,
    ring: String,
    depth: u32,
    root: u64,
    order: String,
    input: Vec<u64>,
    output: Vec<u64>,
}

#[derive(Debug, Deserialize)]
struct Product {
    n: usize,
    q: u64,
    ring: String,
    a: Vec<u64>,
    b: Vec<u64>,
    c: Vec<u64>,
}

#[derive(Debug, Deserialize)]
struct Exchange {
    seed_a: String,
    noise_seed_alice: String,
    noise_seed_bob: String,
    message_a: String,
    message_b: String,
    shared_key: String,
}

#[derive(Debug, Deserialize)]
struct Encapsulation {
    keygen_seed: String,
    encaps_seed: String,
    public_key: String,
    secret_key: String,
    ciphertext: String,
    shared_key: String,
}

#[derive(Debug, Deserialize)]
struct Encryption {
    n: usize,
    q: u32,
    keygen_seed: String,
    message: String,
    encrypt_seed: String,
    public_key: String,
    secret_key: String,
    ciphertext: String,
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Tests of the file.
    pub(crate) tests: usize,
    /// Computations: one for each test, backend, method and word.
    pub(crate) computations: usize,
}

/// Why a test is not confirmed.
enum Trouble {
    Malformed(String),
    Mismatch { field: &'static str, who: String },
}

/// Computes all tests of a vector file on every backend that can.
pub(crate) fn check(name: &str, text: &str) -> Result<Tally, Fault> {
    let bad = |why: String| Fault::Input(format!("{name}: {why}"));
    let file: File = serde_json::from_str(text).map_err(|e| bad(format!("this is not a vector file: {e}")))?;
    if file.schema != 1 {
        return Err(bad(format!("schema {} is unknown; this program reads schema 1", file.schema)));
    }
    let run = match file.scheme.as_str() {
        "transform" => transform,
        "product" => product,
        "newhope" => newhope,
        "nttru" => nttru,
        "ntru" => ntru,
        other => {
            let known = "newhope, ntru, nttru, product, transform";
            return Err(bad(format!("scheme \"{other}\" is unknown; known are {known}")));
        }
    };
    let mut tally = Tally::default();
    for (index, test) in file.tests.iter().enumerate() {
        tally.computations += run(test, &file.parameters).map_err(|trouble| match trouble {
            Trouble::Malformed(why) => bad(format!("test {index}: {why}")),
            Trouble::Mismatch { field, who } => {
                Fault::Negative(format!("{name}: test {index}: field \"{field}\" differs on {who}"))
            }
        })?;
        tally.tests += 1;
    }
    Ok(tally)
}

fn transform(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let t: Transform = read(test)?;
    if t.order != "canonical" {
        return Err(Trouble::Malformed(format!("order \"{}\" is unknown; known is canonical", t.order)));
    }
    canonical(t.n, t.q, &[("input", &t.input), ("output", &t.output)])?;
    let request = Request::new(t.n, t.q).ring(ring(&t.ring)?).depth(t.depth).root(t.root);
    on_every_backend(&request, |plan| match () {
        () if plan.forward(&t.input) != t.output => Some("output"),
        () if plan.inverse(&t.output) != t.input => Some("input"),
        () => None,
    })
}

fn product(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let t: Product = read(test)?;
    canonical(t.n, t.q, &[("a", &t.a), ("b", &t.b), ("c", &t.c)])?;
    let request = Request::new(t.n, t.q).ring(ring(&t.ring)?);
    on_every_backend(&request, |plan| (plan.product(&t.a, &t.b) != t.c).then_some("c"))
}

fn newhope(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
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
    let mut computations = 0;
    for backend in machine_backends() {
        let differs = |field| Err(Trouble::Mismatch { field, who: backend.to_string() });
        let refused = |e| Trouble::Malformed(format!("a message is refused: {e}"));
        let scheme = NewHope::with_backend(set, backend);
        let (secret, got_a) = scheme.init_derand(&seed_a, &alice);
        if got_a != message_a {
            return differs("message_a");
        }
        let (bobs, got_b) = scheme.respond_derand(&message_a, &bob).map_err(refused)?;
        if got_b != message_b {
            return differs("message_b");
        }
        let alices = scheme.finish(secret, &message_b).map_err(refused)?;
        if *bobs.as_bytes() != shared_key || *alices.as_bytes() != shared_key {
            return differs("shared_key");
        }
        computations += 1;
    }
    Ok(computations)
}

fn nttru(test: &Value, parameters: &Value) -> Result<usize, Trouble> {
    let t: Encapsulation = read(test)?;
    match parameters["set"].as_str().unwrap_or_default() {
        "nttru768" => {}
        set => return Err(Trouble::Malformed(format!("set \"{set}\" is unknown; known is nttru768"))),
    }
    let [keygen_seed, encaps_seed, shared_key] = [&t.keygen_seed, &t.encaps_seed, &t.shared_key].map(|h| bytes(h));
    let (keygen_seed, encaps_seed, shared_key): ([u8; 32], _, [u8; 32]) = (keygen_seed?, encaps_seed?, shared_key?);
    let public_key: [u8; PUBLIC_KEY_BYTES] = bytes(&t.public_key)?;
    let secret_key: [u8; SECRET_KEY_BYTES] = bytes(&t.secret_key)?;
    let ciphertext: [u8; CIPHERTEXT_BYTES] = bytes(&t.ciphertext)?;
    let mut computations = 0;
    for backend in machine_backends() {
        let differs = |field| Err(Trouble::Mismatch { field, who: backend.to_string() });
        let refused = |e| Trouble::Malformed(format!("a key or a ciphertext is refused: {e}"));
        let scheme = Nttru::with_backend(backend);
        let Some((secret, public)) = scheme.keygen_derand(&keygen_seed) else { return differs("keygen_seed") };
        if scheme.public_key_to_bytes(&public) != public_key {
            return differs("public_key");
        }
        if scheme.secret_key_to_bytes(&secret)[..] != secret_key {
            return differs("secret_key");
        }
        let public = scheme.public_key_from_bytes(&public_key).map_err(refused)?;
        let (got, key) = scheme.encapsulate_derand(&public, &encaps_seed);
        if got != ciphertext {
            return differs("ciphertext");
        }
        let secret = scheme.secret_key_from_bytes(&secret_key).map_err(refused)?;
        let decapsulated = scheme.decapsulate(&secret, &ciphertext).map_err(refused)?;
        if *key.as_bytes() != shared_key || *decapsulated.as_bytes() != shared_key {
            return differs("shared_key");
        }
        computations += 1;
    }
    Ok(computations)
}

fn ntru(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let t: Encryption = read(test)?;
    let refused = |e: ntru::Error| Trouble::Malformed(e.to_string());
    let parameters = ntru::Parameters::new(t.n, t.q).map_err(refused)?;
    let (keygen_seed, encrypt_seed) = (bytes(&t.keygen_seed)?, bytes(&t.encrypt_seed)?);
    let [message, public_key, secret_key, ciphertext] =
        [&t.message, &t.public_key, &t.secret_key, &t.ciphertext].map(|hex| decoded(hex));
    let malformed = |what| move || Trouble::Malformed(format!("{what} is not hexadecimal"));
    let (message, public_key) =
        (message.ok_or_else(malformed("message"))?, public_key.ok_or_else(malformed("public_key"))?);
    let secret_key = secret_key.ok_or_else(malformed("secret_key"))?;
    let ciphertext = ciphertext.ok_or_else(malformed("ciphertext"))?;
    let mut computations = 0;
    for depth in 0..=t.n.trailing_zeros() {
        let Ok(scheme) = Ntru::with_depth(parameters, depth) else { continue };
        let differs = |field| Err(Trouble::Mismatch { field, who: format!("{}, depth {depth}", scheme.backend()) });
        let Some((secret, public)) = scheme.keygen_derand(&keygen_seed) else { return differs("keygen_seed") };
        if scheme.public_key_to_bytes(&public) != public_key {
            return differs("public_key");
        }
        if scheme.secret_key_to_bytes(&secret)[..] != secret_key {
            return differs("secret_key");
        }
        let plain = scheme.message_from_bytes(&message).map_err(refused)?;
        let public = scheme.public_key_from_bytes(&public_key).map_err(refused)?;
        if scheme.encrypt_derand(&public, &plain, &encrypt_seed).map_err(refused)? != ciphertext {
            return differs("ciphertext");
        }
        let secret = scheme.secret_key_from_bytes(&secret_key).map_err(refused)?;
        if scheme.decrypt(&secret, &ciphertext).map_err(refused)? != plain {
            return differs("message");
        }
        computations += 1;
    }
    Ok(computations)
}

/// The bytes of a hexadecimal string.
fn decoded(hex: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..hex.len()).step_by(2).map(digit).collect::<Option<_>>().filter(|_| hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// So many bytes of a hexadecimal string.
fn bytes<const N: usize>(hex: &str) -> Result<[u8; N], Trouble> {
    decoded(hex)
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| Trouble::Malformed(format!("{} characters are not {N} bytes in hexadecimal", hex.len())))
}

/// How many plans answered; at least one must.
fn on_every_backend(request: &Request, differs: impl Fn(&AnyPlan) -> Option<&'static str>) -> Result<usize, Trouble> {
    let (mut computations, mut refusal) = (0, None);
    for backend in Backend::available() {
        for (method, bits) in methods_and_widths() {
            match AnyPlan::new(&request.backend(backend).method(method), Some(bits)) {
                Ok(plan) => {
                    if let Some(field) = differs(&plan) {
                        return Err(Trouble::Mismatch { field, who: format!("{backend}, {method}, {bits}-bit words") });
                    }
                    computations += 1;
                }
                Err(e) => refusal = refusal.or(Some(e)),
            }
        }
    }
    match refusal {
        Some(e) if computations == 0 => Err(Trouble::Malformed(e.to_string())),
        _ => Ok(computations),
    }
}

fn read<'a, T: Deserialize<'a>>(test: &'a Value) -> Result<T, Trouble> {
    T::deserialize(test).map_err(|e| Trouble::Malformed(e.to_string()))
}

fn ring(name: &str) -> Result<Ring, Trouble> {
    let known = Ring::ALL.map(Ring::name).join(", ");
    let ring = Ring::ALL.into_iter().find(|r| r.name() == name);
    ring.ok_or_else(|| Trouble::Malformed(format!("ring \"{name}\" is unknown; known are {known}")))
}

/// Checks length and range of every field.
fn canonical(n: usize, q: u64, fields: &[(&str, &[u64])]) -> Result<(), Trouble> {
    for (name, values) in fields {
        if values.len() != n {
            return Err(Trouble::Malformed(format!("field \"{name}\" has {} numbers, not n = {n}", values.len())));
        }
        if let Some(i) = values.iter().position(|&x| x >= q) {
            return Err(Trouble::Malformed(format!(
                "field \"{name}\": number {i} is {}, not below q = {q}",
                values[i]
            )));
        }
    }
    Ok(())
}
