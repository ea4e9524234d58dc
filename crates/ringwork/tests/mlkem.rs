//! ML-KEM against vectors of NIST's validation program, and against itself on every backend.

use ringwork::{
    Backend,
    decode::DecodeError,
    schemes::mlkem::{
        B32, Decapsulate, DecapsulationKey, Encapsulate, EncapsulationKey, KeyExport, KeyInit, MlKem512, MlKem768,
        MlKem1024, ParameterSet, Seed, TryKeyInit,
    },
};
use serde_json::Value;

const KEYGEN: &str = include_str!("../../../vectors/acvp/mlkem-keygen.json");
const ENCAPSULATION: &str = include_str!("../../../vectors/acvp/mlkem-encapdecap.json");

/// Calls a function for each parameter set.
macro_rules! each_set {
    ($function:ident $arguments:tt) => {{
        $function::<MlKem512> $arguments;
        $function::<MlKem768> $arguments;
        $function::<MlKem1024> $arguments;
    }};
}

fn bytes(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().as_bytes().as_chunks::<2>().0;
    digits.iter().map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// The tests of a set, each with its group.
fn tests<'a, P: ParameterSet>(file: &'a Value, function: Option<&'a str>) -> Vec<(&'a Value, &'a Value)> {
    let groups = file["testGroups"].as_array().unwrap().iter();
    let groups = groups.filter(move |g| g["parameterSet"] == P::NAME && g["function"].as_str() == function);
    groups.flat_map(|g| g["tests"].as_array().unwrap().iter().map(move |t| (g, t))).collect()
}

fn seed(test: &Value) -> [u8; 64] {
    [bytes(&test["d"]), bytes(&test["z"])].concat().try_into().unwrap()
}

fn keys<P: ParameterSet>() {
    let file: Value = serde_json::from_str(KEYGEN).unwrap();
    let tests = tests::<P>(&file, None);
    assert_eq!(tests.len(), 13);
    for (_, test) in tests {
        for backend in Backend::available() {
            let dk = DecapsulationKey::<P>::with_backend(backend, &seed(test));
            assert_eq!(dk.encapsulation_key().as_bytes(), bytes(&test["ek"]), "{} on {backend}", P::NAME);
            assert!(dk.to_expanded()[..] == bytes(&test["dk"]), "{} on {backend}", P::NAME);
        }
        let dk = DecapsulationKey::<P>::from_expanded(&bytes(&test["dk"])).unwrap();
        assert_eq!(dk.to_expanded()[..], bytes(&test["dk"]));
        assert_eq!(dk, DecapsulationKey::<P>::from_seed(Seed::from(seed(test))));
        assert!(dk.to_seed().is_none());
    }
}

#[test]
fn keys_are_the_standard_s() {
    each_set!(keys());
}

fn encapsulations<P: ParameterSet>() {
    let file: Value = serde_json::from_str(ENCAPSULATION).unwrap();
    let tests = tests::<P>(&file, Some("encapsulation"));
    assert_eq!(tests.len(), 13);
    for (_, test) in tests {
        let m = B32::try_from(&bytes(&test["m"])[..]).unwrap();
        for backend in Backend::available() {
            let ek = EncapsulationKey::<P>::with_backend(backend, &bytes(&test["ek"])).unwrap();
            let (ciphertext, shared) = ek.encapsulate_deterministic(&m);
            assert_eq!((&ciphertext[..], &shared[..]), (&bytes(&test["c"])[..], &bytes(&test["k"])[..]), "{backend}");
        }
        let dk = DecapsulationKey::<P>::from_expanded(&bytes(&test["dk"])).unwrap();
        let shared = dk.decapsulate_bytes(&bytes(&test["c"])).unwrap();
        assert_eq!(shared.as_bytes()[..], bytes(&test["k"]));
    }
}

#[test]
fn encapsulations_are_the_standard_s() {
    each_set!(encapsulations());
}

fn decapsulations<P: ParameterSet>() {
    let file: Value = serde_json::from_str(ENCAPSULATION).unwrap();
    let tests = tests::<P>(&file, Some("decapsulation"));
    assert_eq!(tests.len(), 5);
    for (group, test) in tests {
        for backend in Backend::available() {
            let dk = DecapsulationKey::<P>::expanded_with_backend(backend, &bytes(&group["dk"])).unwrap();
            let shared = dk.decapsulate_bytes(&bytes(&test["c"])).unwrap();
            assert_eq!(shared.as_bytes()[..], bytes(&test["k"]), "{} on {backend}", test["reason"]);
        }
    }
}

/// Modified ciphertexts among them, which give the key of implicit rejection.
#[test]
fn decapsulations_are_the_standard_s() {
    each_set!(decapsulations());
}

fn hostile<P: ParameterSet>() {
    let dk = DecapsulationKey::<P>::from_seed(Seed::from([7; 64]));
    let (ek, expanded) = (dk.encapsulation_key().as_bytes().to_vec(), dk.to_expanded().to_vec());
    let (ciphertext, shared) = dk.encapsulation_key().encapsulate_deterministic(&B32::from([9; 32]));
    assert_eq!(dk.decapsulate_bytes(&ciphertext).unwrap().as_bytes()[..], shared[..]);

    for length in [0, 1, ek.len() - 1, ek.len() + 1] {
        let error = EncapsulationKey::<P>::from_bytes(&vec![0; length]).unwrap_err();
        let expected = DecodeError::Length { what: "an encapsulation key", expected: ek.len(), actual: length };
        assert_eq!(error, expected);
    }
    for length in [0, expanded.len() - 1, expanded.len() + 1] {
        let error = DecapsulationKey::<P>::from_expanded(&vec![0; length]).unwrap_err();
        assert!(matches!(error, DecodeError::Length { what: "a decapsulation key", .. }));
    }
    for length in [0, ciphertext.len() - 1, ciphertext.len() + 1] {
        let error = dk.decapsulate_bytes(&vec![0; length]).unwrap_err();
        assert!(matches!(error, DecodeError::Length { what: "a ciphertext", .. }));
    }
    // A value of q, and of 4095, in each half of three bytes.
    for (index, low) in [(0, true), (0, false), (127, true), (64 * P::K, false), (128 * P::K - 1, false)] {
        for value in [3329_u16, 4095] {
            let mut bad = ek.clone();
            let three = &mut bad[3 * index..3 * index + 3];
            if low {
                three[0] = value as u8;
                three[1] = three[1] & 0xF0 | (value >> 8) as u8;
            } else {
                three[1] = three[1] & 0x0F | (value << 4) as u8;
                three[2] = (value >> 4) as u8;
            }
            let error = EncapsulationKey::<P>::from_bytes(&bad).unwrap_err();
            let index = 2 * index + usize::from(!low);
            let expected = DecodeError::Value { what: "an encapsulation key", index, value: value.into(), bound: 3329 };
            assert_eq!(error, expected);
        }
    }
    // The hash, and the encapsulation key that it is of.
    for at in [expanded.len() - 64, expanded.len() - 33, expanded.len() - 65, expanded.len() - 70] {
        let mut bad = expanded.clone();
        bad[at] ^= 1;
        assert_eq!(DecapsulationKey::<P>::from_expanded(&bad).unwrap_err(), DecodeError::Mismatch);
    }
    // A secret that is out of range: which, is not said.
    let mut bad = expanded.clone();
    bad[..3].fill(0xFF);
    let error = DecapsulationKey::<P>::from_expanded(&bad).unwrap_err();
    assert_eq!(error, DecodeError::Secret("a decapsulation key"));
    // Another ciphertext gives a key of its own, always the same.
    for at in [0, ciphertext.len() - 1] {
        let mut bad = ciphertext.to_vec();
        bad[at] ^= 1;
        let rejected = dk.decapsulate_bytes(&bad).unwrap();
        assert!(rejected.as_bytes()[..] != shared[..] && rejected == dk.decapsulate_bytes(&bad).unwrap());
    }
}

#[test]
fn wrong_bytes_are_refused() {
    each_set!(hostile());
}

/// The traits of the crate `kem`, as a program that is generic over them sees ML-KEM.
fn through_traits<P>()
where
    P: ParameterSet<DecapsulationKey = DecapsulationKey<P>, EncapsulationKey = EncapsulationKey<P>>,
{
    let (dk, ek) = P::generate_keypair();
    let (ciphertext, sent) = ek.encapsulate();
    assert_eq!(dk.decapsulate(&ciphertext), sent);
    assert_eq!(dk.decapsulate_slice(&ciphertext).unwrap(), sent);
    let again = <EncapsulationKey<P> as TryKeyInit>::new(&ek.to_bytes()).unwrap();
    assert_eq!(again, ek);
    let same = <DecapsulationKey<P> as KeyInit>::new(&dk.to_bytes());
    assert_eq!(same, dk);
    assert_eq!(format!("{dk:?} {ek:?}"), format!("DecapsulationKey<{0}>(..) EncapsulationKey<{0}>(..)", P::NAME));
}

#[test]
fn the_traits_of_the_ecosystem_work() {
    each_set!(through_traits());
}
