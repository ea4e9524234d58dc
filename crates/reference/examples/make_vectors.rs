//! Writes or checks the known answers in `vectors/`, whose README describes them.
//!
//! `cargo run -p ringwork-reference --example make_vectors -- vectors` writes the files that this
//! crate defines; with `--check` behind it nothing is written, and every file that differs is named
//! and makes the exit status 1.
//!
//! `newhope-usenix2016.json` and `nttru768.json` were made by the designers' code. They are never
//! written: both modes run their seeds again, and a difference is an error of this crate.
//!
//! Inputs are ChaCha20 streams keyed with the file's name, so that the files are the same
//! everywhere.
#![forbid(unsafe_code)]

#[path = "make_vectors/encryption_and_commitments.rs"]
mod encryption_and_commitments;

use chacha20::ChaCha20Legacy;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use encryption_and_commitments::{bdlop_file, lwe_file, lwe_kem_file, rlwe_file};
use reference::newhope::{self, PSI12, Parameters, USENIX2016};
use reference::ntt::{Ring, Transform};
use reference::{ntru, nttru};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const MODULI: [u64; 8] = [257, 3329, 7681, 12289, 40961, 65537, 8380417, 1073479681];
const DESIGNERS_FILE: &str = "newhope-usenix2016.json";
const DESIGNERS_SOURCE: &str = "the designers' public-domain portable C implementation, run on fixed random bytes";
const NTTRU_FILE: &str = "nttru768.json";
const NTTRU_SOURCE: &str = "the designers' public AVX2 implementation, run on fixed random bytes";
const OUR_SOURCE: &str = "the reference crate of Ringwork, example make_vectors";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (directory, check) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [directory] => (PathBuf::from(directory), false),
        [directory, "--check"] => (PathBuf::from(directory), true),
        _ => {
            eprintln!("usage: make_vectors <directory> [--check]");
            return ExitCode::from(2);
        }
    };
    let complaints = run(&directory, check);
    complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes or checks all files; one line for each that is wrong.
fn run(directory: &Path, check: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, text) in [
        ("newhope-psi12.json", newhope_psi12()),
        ("ntru.json", ntru_file()),
        ("ntru-kem.json", ntru_kem_file()),
        ("transforms.json", transforms()),
        ("products.json", products()),
        ("rlwe.json", rlwe_file()),
        ("lwe.json", lwe_file()),
        ("lwe-kem.json", lwe_kem_file()),
        ("bdlop.json", bdlop_file()),
    ] {
        let path = directory.join(name);
        let result =
            if check { compare(&path, &text) } else { std::fs::write(&path, &text).map_err(|e| e.to_string()) };
        complaints.extend(result.err().map(|reason| format!("{}: {reason}", path.display())));
    }
    type Rerun = fn(&[serde_json::Value]) -> Result<String, String>;
    let designers: [(&str, Rerun); 2] = [(DESIGNERS_FILE, rerun_newhope), (NTTRU_FILE, rerun_nttru)];
    for (name, rerun) in designers {
        let path = directory.join(name);
        let result = tests_of(&path).and_then(|tests| rerun(&tests)).and_then(|text| compare(&path, &text));
        complaints.extend(result.err().map(|reason| format!("{}: {reason}", path.display())));
    }
    complaints
}

fn compare(path: &Path, expected: &str) -> Result<(), String> {
    let found = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    match found.lines().zip(expected.lines()).position(|(a, b)| a != b) {
        Some(line) => Err(format!("line {} differs from what the reference computes", line + 1)),
        None if found != expected => Err("its end differs from what the reference computes".into()),
        None => Ok(()),
    }
}

/// A vector file: the head, and one line for each test.
fn file(scheme: &str, source: &str, parameters: &str, tests: &[String]) -> String {
    format!(
        "{{\n\"schema\": 1,\n\"scheme\": \"{scheme}\",\n\"source\": \"{source}\",\n\"parameters\": {{{parameters}}},\n\
         \"tests\": [\n{}\n]\n}}\n",
        tests.join(",\n")
    )
}

/// A stream of inputs that depends on its name alone.
struct Inputs(ChaCha20Legacy);

impl Inputs {
    fn new(name: &str) -> Self {
        let mut key = [0; 32];
        key[..name.len()].copy_from_slice(name.as_bytes());
        Self(ChaCha20Legacy::new(&key.into(), &[0; 8].into()))
    }

    fn seed(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.apply_keystream(&mut bytes);
        bytes
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.apply_keystream(&mut bytes);
        bytes
    }

    /// n residues; the bias of the multiplication is below q/2⁶⁴ and does not matter here.
    fn poly(&mut self, n: usize, q: u64) -> Vec<u64> {
        let mut word = || {
            let mut bytes = [0; 8];
            self.0.apply_keystream(&mut bytes);
            u64::from_le_bytes(bytes)
        };
        (0..n).map(|_| ((u128::from(word()) * u128::from(q)) >> 64) as u64).collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn list<T: ToString>(a: &[T]) -> String {
    let numbers: Vec<String> = a.iter().map(T::to_string).collect();
    format!("[{}]", numbers.join(","))
}

fn transform_test(q: u64, ring: Ring, depth: u32, input: &[u64]) -> String {
    let n = input.len();
    let transform = Transform::new(n, q, ring, depth).expect("the modulus has the root");
    let (name, root, output) = (ring.name(), transform.root(), transform.forward(input));
    format!(
        "{{\"n\": {n}, \"q\": {q}, \"ring\": \"{name}\", \"depth\": {depth}, \"root\": {root}, \
         \"order\": \"canonical\", \"input\": {}, \"output\": {}}}",
        list(input),
        list(&output)
    )
}

/// Every depth at n = 8; the deepest transform of both rings and at most one shallower for the
/// other sizes.
fn transforms() -> String {
    let mut inputs = Inputs::new("transforms");
    let mut tests = Vec::new();
    for q in MODULI {
        for ring in [Ring::Negacyclic, Ring::Cyclic] {
            for depth in 0..=3 {
                tests.push(transform_test(q, ring, depth, &inputs.poly(8, q)));
            }
            tests.push(transform_test(q, ring, 3, &[0, 1, 0, 0, 0, 0, 0, 0]));
            tests.push(transform_test(q, ring, 3, &[q - 1; 8]));
        }
        for n in [16_usize, 32, 64, 256] {
            let layers = n.trailing_zeros();
            let deepest = layers.min((q - 1).trailing_zeros() - 1);
            tests.push(transform_test(q, Ring::Negacyclic, deepest, &inputs.poly(n, q)));
            if n != 64 {
                let shallower = deepest - if n == 256 { 1 } else { 2 };
                tests.push(transform_test(q, Ring::Negacyclic, shallower, &inputs.poly(n, q)));
            }
            tests.push(transform_test(q, Ring::Cyclic, layers, &inputs.poly(n, q)));
        }
    }
    tests.push(transform_test(12289, Ring::Negacyclic, 10, &inputs.poly(1024, 12289)));
    for (n, q, ring, depth) in [
        (12, 7681, Ring::Negacyclic, 2),
        (20, 12289, Ring::Cyclic, 2),
        (8, 7681, Ring::Trinomial, 3),
        (96, 7681, Ring::Trinomial, 5),
        (36, 3457, Ring::Trinomial, 1),
    ] {
        tests.push(transform_test(q, ring, depth, &inputs.poly(n, q)));
    }
    file("transform", OUR_SOURCE, "", &tests)
}

fn product_test(q: u64, ring: Ring, a: &[u64], b: &[u64]) -> String {
    let (n, name, c) = (a.len(), ring.name(), ring.product(a, b, q));
    format!(
        "{{\"n\": {n}, \"q\": {q}, \"ring\": \"{name}\", \"a\": {}, \"b\": {}, \"c\": {}}}",
        list(a),
        list(b),
        list(&c)
    )
}

fn products() -> String {
    let mut inputs = Inputs::new("products");
    let mut tests = Vec::new();
    for q in MODULI {
        for ring in [Ring::Negacyclic, Ring::Cyclic] {
            tests.push(product_test(q, ring, &[q - 1; 8], &[q - 1; 8]));
            tests.push(product_test(q, ring, &inputs.poly(8, q), &[0, 0, 0, 0, 0, 0, 0, 1]));
            for n in [8, 16] {
                tests.push(product_test(q, ring, &inputs.poly(n, q), &inputs.poly(n, q)));
            }
        }
        for n in [64, 256] {
            tests.push(product_test(q, Ring::Negacyclic, &inputs.poly(n, q), &inputs.poly(n, q)));
        }
    }
    for (n, q, ring) in [(24, 7681, Ring::Trinomial), (36, 3457, Ring::Trinomial), (10, 257, Ring::Negacyclic)] {
        tests.push(product_test(q, ring, &inputs.poly(n, q), &inputs.poly(n, q)));
    }
    file("product", OUR_SOURCE, "", &tests)
}

fn newhope_test(parameters: Parameters, seed_a: &[u8; 32], alice: &[u8; 32], bob: &[u8; 32]) -> String {
    let (state, message_a) = newhope::init(parameters, seed_a, alice);
    let (message_b, shared_key) = newhope::respond(parameters, &message_a, bob).expect("the message is well formed");
    assert_eq!(newhope::finish(&state, &message_b), Ok(shared_key), "both sides have the same key");
    format!(
        "{{\"seed_a\": \"{}\", \"noise_seed_alice\": \"{}\", \"noise_seed_bob\": \"{}\", \"message_a\": \"{}\", \
         \"message_b\": \"{}\", \"shared_key\": \"{}\"}}",
        hex(seed_a),
        hex(alice),
        hex(bob),
        hex(&message_a),
        hex(&message_b),
        hex(&shared_key)
    )
}

fn newhope_file(parameters: Parameters, source: &str, tests: &[String]) -> String {
    let Parameters { set, k } = parameters;
    file("newhope", source, &format!("\"n\": 1024, \"q\": 12289, \"k\": {k}, \"set\": \"{set}\""), tests)
}

fn newhope_psi12() -> String {
    let mut inputs = Inputs::new("newhope-psi12");
    let tests: Vec<String> =
        (0..2).map(|_| newhope_test(PSI12, &inputs.seed(), &inputs.seed(), &inputs.seed())).collect();
    newhope_file(PSI12, OUR_SOURCE, &tests)
}

/// The fields of a test, in hexadecimal.
fn fields(fields: &[(&str, &[u8])]) -> String {
    fields.iter().map(|(name, bytes)| format!("\"{name}\": \"{}\"", hex(bytes))).collect::<Vec<_>>().join(", ")
}

/// Complete and incomplete transforms, and a ring whose modulus has no roots of unity that split
/// it.
fn ntru_file() -> String {
    let mut inputs = Inputs::new("ntru");
    let mut tests = Vec::new();
    let coefficients = [(16, 199), (64, 1297), (256, 3329), (256, 7681), (512, 12289)].map(|(n, q)| (n, q, None));
    let slots = [(64, 1297, Some(2)), (256, 3329, Some(7)), (256, 7681, Some(8))];
    for (n, q, depth) in coefficients.into_iter().chain(slots) {
        let parameters = ntru::Parameters::new(n, q).expect("parameters that decrypt");
        let (keygen_seed, secret_key, public_key) = loop {
            let seed = inputs.seed();
            if let Some((secret_key, public_key)) = parameters.keygen(&seed) {
                break (seed, secret_key, public_key);
            }
        };
        let digits: Vec<u8> = inputs.poly(n, 3).iter().map(|&x| x as u8).collect();
        let message: Vec<u8> = digits.chunks(4).map(|c| c[0] | c[1] << 2 | c[2] << 4 | c[3] << 6).collect();
        let encrypt_seed = inputs.seed();
        let ciphertext = parameters.encrypt(&public_key, &message, &encrypt_seed).expect("a good message");
        assert_eq!(parameters.decrypt(&secret_key, &ciphertext).as_ref(), Some(&message), "it decrypts");
        let on_the_wire = |bytes: Vec<u8>| match depth {
            Some(depth) => parameters.as_slots(depth, &bytes).expect("q has a root of that order"),
            None => bytes,
        };
        let rest = fields(&[
            ("keygen_seed", &keygen_seed),
            ("message", &message),
            ("encrypt_seed", &encrypt_seed),
            ("public_key", &on_the_wire(public_key)),
            ("secret_key", &secret_key),
            ("ciphertext", &on_the_wire(ciphertext)),
        ]);
        let form = depth.map(|depth| format!("\"depth\": {depth}, ")).unwrap_or_default();
        tests.push(format!("{{\"n\": {n}, \"q\": {q}, {form}{rest}}}"));
    }
    file("ntru", OUR_SOURCE, "", &tests)
}

/// Key encapsulation by the set that has a name.
fn ntru_kem_file() -> String {
    let (n, q) = (1024, 18433);
    let (mut inputs, parameters) =
        (Inputs::new("ntru-kem"), ntru::Parameters::new(n, q).expect("every message decrypts"));
    let [key_seed, rejection] = [inputs.seed(), inputs.seed()];
    let (secret_key, public_key) = parameters.kem_keygen(&key_seed);
    let message = parameters.message(&inputs.bytes(n / 2));
    let (shared_key, ciphertext) = parameters.encapsulate(&public_key, &message).expect("a key that was just made");
    let open = |ciphertext: &[u8]| parameters.decapsulate([&secret_key, &public_key], &rejection, ciphertext);
    assert_eq!(open(&ciphertext), Some(shared_key), "both sides have the same key");
    let mut changed = ciphertext.clone();
    changed[0] ^= 1;
    let test = fields(&[
        ("key_seed", &key_seed),
        ("rejection", &rejection),
        ("public_key", &public_key),
        ("secret_key", &parameters.saved_key(&key_seed, &rejection)),
        ("message", &message),
        ("ciphertext", &ciphertext),
        ("shared_key", &shared_key),
        ("rejected_key", &open(&changed).expect("the changed residue is below q")),
    ]);
    file("ntru-kem", OUR_SOURCE, &format!("\"n\": {n}, \"q\": {q}"), &[format!("{{{test}}}")])
}

/// The tests of a file.
fn tests_of(path: &Path) -> Result<Vec<serde_json::Value>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(json["tests"].as_array().ok_or("it has no list of tests")?.clone())
}

const MISSING: &str = "a test has no seed of 64 hex digits";

/// The designers' file as the reference computes it from the seeds in that file.
fn rerun_nttru(tests: &[serde_json::Value]) -> Result<String, String> {
    let rerun = |test: &serde_json::Value| {
        let [of_keys, of_message] = ["keygen_seed", "encaps_seed"].map(|name| seed(&test[name]));
        let (of_keys, of_message) = (of_keys.ok_or(MISSING)?, of_message.ok_or(MISSING)?);
        let (secret_key, public_key) = nttru::keygen(&of_keys).ok_or("a seed makes no keys")?;
        let (ciphertext, key) = nttru::encapsulate(&public_key, &of_message).map_err(|e| e.to_string())?;
        assert_eq!(nttru::decapsulate(&secret_key, &ciphertext), Ok(key), "both sides have the same key");
        let test = fields(&[
            ("keygen_seed", &of_keys),
            ("encaps_seed", &of_message),
            ("public_key", &public_key),
            ("secret_key", &secret_key),
            ("ciphertext", &ciphertext),
            ("shared_key", &key),
        ]);
        Ok(format!("{{{test}}}"))
    };
    let tests = tests.iter().map(rerun).collect::<Result<Vec<_>, String>>()?;
    Ok(file("nttru", NTTRU_SOURCE, "\"n\": 768, \"q\": 7681, \"set\": \"nttru768\"", &tests))
}

/// The same for the key exchange.
fn rerun_newhope(tests: &[serde_json::Value]) -> Result<String, String> {
    let rerun = |test: &serde_json::Value| {
        let [a, alice, bob] = ["seed_a", "noise_seed_alice", "noise_seed_bob"].map(|name| seed(&test[name]));
        Ok(newhope_test(USENIX2016, &a.ok_or(MISSING)?, &alice.ok_or(MISSING)?, &bob.ok_or(MISSING)?))
    };
    let tests = tests.iter().map(rerun).collect::<Result<Vec<_>, String>>()?;
    Ok(newhope_file(USENIX2016, DESIGNERS_SOURCE, &tests))
}

fn seed(value: &serde_json::Value) -> Option<[u8; 32]> {
    let hex = value.as_str().filter(|hex| hex.len() == 64 && hex.is_ascii())?;
    let mut bytes = [0; 32];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_what_the_reference_computes() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        assert_eq!(run(&directory, true), [""; 0]);
    }

    #[test]
    fn a_change_is_found() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/products.json");
        let text = products();
        assert_eq!(compare(&path, &text), Ok(()));
        assert!(compare(&path, &text.replacen(",1,", ",2,", 1)).unwrap_err().starts_with("line "));
        assert!(compare(&path, &text[..text.len() - 1]).unwrap_err().starts_with("its end"));
        assert!(compare(Path::new("no such file"), &text).is_err());
    }
}
