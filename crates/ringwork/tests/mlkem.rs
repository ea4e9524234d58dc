//! ML-KEM against vectors of NIST's validation program, and against itself on every backend.

use crate::der::element;
use ringwork::xof::{ByteStream, ChaCha20};
use ringwork::{
    Backend,
    decode::DecodeError,
    schemes::mlkem::{
        B32, Decapsulate, DecapsulationKey, Encapsulate, EncapsulationKey, KeyExport, KeyInit, MlKem512, MlKem768,
        MlKem1024, ParameterSet, Seed, TryKeyInit, decapsulate_many, encapsulate_many, encapsulate_many_deterministic,
        keygen_many,
        pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
        read_many,
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

const DER: [(&str, &str); 3] = [
    (
        include_str!("../../../vectors/der/ML-KEM-512.pkcs8-seed.hex"),
        include_str!("../../../vectors/der/ML-KEM-512.spki.hex"),
    ),
    (
        include_str!("../../../vectors/der/ML-KEM-768.pkcs8-seed.hex"),
        include_str!("../../../vectors/der/ML-KEM-768.spki.hex"),
    ),
    (
        include_str!("../../../vectors/der/ML-KEM-1024.pkcs8-seed.hex"),
        include_str!("../../../vectors/der/ML-KEM-1024.spki.hex"),
    ),
];

/// The examples of RFC 9935, appendix C.
fn documents<P: ParameterSet>([private, public]: [&str; 2]) {
    let [private, public] = [private, public].map(|hex| bytes(&Value::from(hex.trim())));
    let dk = DecapsulationKey::<P>::from_pkcs8_der(&private).unwrap();
    assert_eq!(dk.to_seed().unwrap()[..], core::array::from_fn::<u8, 64, _>(|i| i as u8));
    assert_eq!(dk.to_pkcs8_der().unwrap().as_bytes(), private);
    let ek = EncapsulationKey::<P>::from_public_key_der(&public).unwrap();
    assert_eq!(&ek, dk.encapsulation_key());
    assert_eq!(ek.to_public_key_der().unwrap().as_bytes(), public);
    let pem = dk.to_pkcs8_pem(Default::default()).unwrap();
    assert!(
        pem.starts_with("-----BEGIN PRIVATE KEY-----") && DecapsulationKey::<P>::from_pkcs8_pem(&pem).unwrap() == dk
    );

    // Expanded and both: the seed's element begins 66 bytes before the end.
    let (head, seed) = private.split_at(private.len() - 66);
    let algorithm = &head[head.len() - 2 - 13..head.len() - 2];
    let expanded = element(4, &dk.to_expanded());
    let document = |key: &[u8]| element(0x30, &[&[2, 1, 0], algorithm, &element(4, key)].concat());
    assert_eq!(document(seed), private);
    let read = |key: &[u8]| DecapsulationKey::<P>::from_pkcs8_der(&document(key));
    let of_expanded = read(&expanded).unwrap();
    assert!(of_expanded == dk && of_expanded.to_seed().is_none() && of_expanded.to_pkcs8_der().is_err());
    let plain = element(4, &seed[2..]);
    let both = element(0x30, &[&plain[..], &expanded].concat());
    assert!(read(&both).unwrap() == dk && read(&both).unwrap().to_seed().is_some());
    // Both, of two keys; pieces that are missing, too short or too long; something behind.
    let other = element(4, &[&seed[2..65], &[seed[65] ^ 1]].concat());
    let mismatch = element(0x30, &[&other[..], &expanded].concat());
    let short = element(0x80, &seed[2..65]);
    for key in [&mismatch[..], &short, &plain, &element(0x30, &plain), &element(0x81, &seed[2..]), &[], &[0x80]] {
        assert!(read(key).is_err(), "{key:02x?}");
    }
    assert!(read(&[seed, &[0]].concat()).is_err() && read(&expanded[..expanded.len() - 1]).is_err());
    for length in 0..private.len() {
        assert!(DecapsulationKey::<P>::from_pkcs8_der(&private[..length]).is_err());
    }
    for length in [0, 1, 20, public.len() - 1] {
        assert!(EncapsulationKey::<P>::from_public_key_der(&public[..length]).is_err());
    }
}

#[test]
fn documents_are_those_of_the_rfc() {
    let [small, middle, large] = DER.map(|(private, public)| [private, public]);
    documents::<MlKem512>(small);
    documents::<MlKem768>(middle);
    documents::<MlKem1024>(large);
    let wrong = bytes(&Value::from(middle[0].trim()));
    assert!(DecapsulationKey::<MlKem512>::from_pkcs8_der(&wrong).is_err(), "the identifier of another set");
}

/// Keys, ciphertexts and shared keys of two other implementations, for 10,000 seeds in all of each:
/// what they make of our keys, we of their ciphertexts, and both of one that was changed.
#[test]
fn other_implementations_agree() {
    macro_rules! compare {
        ($set:ident, $other:ident, $rounds:expr, $stream:expr) => {
            for round in 0..crate::rounds($rounds) {
                let (mut seed, mut m) = ([0; 64], [0; 32]);
                $stream.read(&mut seed);
                $stream.read(&mut m);
                let dk = DecapsulationKey::<$set>::from_seed(Seed::from(seed));
                let (ciphertext, shared) = dk.encapsulation_key().encapsulate_deterministic(&B32::from(m));
                let mut changed = ciphertext.to_vec();
                let at = usize::from(m[0]) + 3 * usize::from(m[1]);
                changed[at % ciphertext.len()] ^= 1 << (m[2] & 7);
                let rejected = dk.decapsulate_bytes(&changed).unwrap();

                let theirs = ml_kem::DecapsulationKey::<ml_kem::$set>::from_seed(seed.into());
                let public = ml_kem::KeyExport::to_bytes(theirs.encapsulation_key());
                assert!(public[..] == *dk.encapsulation_key().as_bytes(), "{round}");
                let sent = theirs.encapsulation_key().encapsulate_deterministic(&m.into());
                assert!(sent.0[..] == ciphertext[..] && sent.1[..] == shared[..], "{round}");
                let decapsulated = ml_kem::Decapsulate::decapsulate_slice(&theirs, &changed).unwrap();
                assert!(decapsulated[..] == rejected.as_bytes()[..], "{round}");

                let theirs = libcrux_ml_kem::$other::generate_key_pair(seed);
                assert!(theirs.pk() == dk.encapsulation_key().as_bytes() && theirs.sk()[..] == dk.to_expanded()[..]);
                let sent = libcrux_ml_kem::$other::encapsulate(theirs.public_key(), m);
                assert!(sent.0.as_slice()[..] == ciphertext[..] && sent.1[..] == shared[..], "{round}");
                let changed = <[u8; $set::CIPHERTEXT_BYTES]>::try_from(changed).unwrap();
                let decapsulated = libcrux_ml_kem::$other::decapsulate(theirs.private_key(), &changed.into());
                assert!(decapsulated == *rejected.as_bytes(), "{round}");
            }
        };
    }
    let mut stream = ChaCha20::new(&[11; 32], [0; 8]);
    compare!(MlKem512, mlkem512, 3000, stream);
    compare!(MlKem768, mlkem768, 4000, stream);
    compare!(MlKem1024, mlkem1024, 3000, stream);
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

/// Batches of every size are what single calls give; a bad length in them is answered alone.
#[test]
fn batches_are_single_calls() {
    fn check<P: ParameterSet>() {
        let seeds: Vec<[u8; 64]> = (0..11_u8).map(|i| [i; 64]).collect();
        let single = |seed: &[u8; 64]| DecapsulationKey::<P>::from_seed(Seed::from(*seed));
        for count in [0, 1, 2, 3, 4, 5, 8, 11] {
            let mut keys = keygen_many::<P>(&seeds[..count]);
            assert!(keys.iter().eq(seeds[..count].iter().map(single).collect::<Vec<_>>().iter()));
            // The backends of keys may differ.
            let backends: Vec<Backend> = Backend::available().collect();
            for (i, key) in keys.iter_mut().enumerate().skip(3) {
                *key = DecapsulationKey::with_backend(backends[(i >> 1) % backends.len()], &seeds[i]);
            }
            let bytes: Vec<&[u8]> = keys.iter().map(|key| key.encapsulation_key().as_bytes()).collect();
            let read = read_many::<P>(&bytes);
            assert!(read.iter().zip(&keys).all(|(read, key)| read.as_ref().unwrap() == key.encapsulation_key()));

            let public: Vec<_> = keys.iter().map(DecapsulationKey::encapsulation_key).collect();
            let messages: Vec<B32> = (0..count).map(|i| B32::from([i as u8; 32])).collect();
            let sent = encapsulate_many_deterministic(&public, &messages);
            for ((key, message), sent) in public.iter().zip(&messages).zip(&sent) {
                assert!(*sent == key.encapsulate_deterministic(message));
            }
            let mut ciphertexts: Vec<Vec<u8>> = sent.iter().map(|(ciphertext, _)| ciphertext.to_vec()).collect();
            for (i, ciphertext) in ciphertexts.iter_mut().enumerate() {
                match i % 4 {
                    1 => ciphertext[i] ^= 1,
                    3 => ciphertext.truncate(i),
                    _ => {}
                }
            }
            let jobs: Vec<_> = keys.iter().zip(&ciphertexts).map(|(key, ciphertext)| (key, &ciphertext[..])).collect();
            let received = decapsulate_many(&jobs);
            for (i, ((key, ciphertext), received)) in jobs.iter().zip(received).enumerate() {
                assert!(received == key.decapsulate_bytes(ciphertext), "{i} of {count}");
                assert_eq!(received.is_err(), i % 4 == 3);
                assert_eq!(received.is_ok_and(|shared| shared.as_bytes()[..] == sent[i].1[..]), i % 2 == 0);
            }
        }
        let mut bad = vec![0xFF; P::ENCAPSULATION_KEY_BYTES];
        let good = single(&seeds[0]).encapsulation_key().as_bytes().to_vec();
        let read = read_many::<P>(&[&good, &bad, &good[1..], &good]);
        assert!(read[0].is_ok() && read[3].is_ok());
        assert_eq!(read[1].as_ref().err(), EncapsulationKey::<P>::from_bytes(&bad).as_ref().err());
        assert_eq!(read[2].as_ref().err(), EncapsulationKey::<P>::from_bytes(&good[1..]).as_ref().err());
        bad.clear();
        assert!(encapsulate_many::<P, _>(&[], &mut ringwork::ct::sys_rng()).is_empty());
    }
    each_set!(check());
}
