//! NTRU over X^n + 1: known answers, agreement with the textbook at every depth, round trips,
//! refusals.

use reference::ntru as textbook;
use ringwork::{
    Backend,
    decode::DecodeError,
    schemes::ntru::{Error, Ntru, Parameters},
    xof,
};

fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    xof::chacha20(&[5; 32], number.to_le_bytes(), &mut seed);
    seed
}

fn message(n: usize, number: u64) -> Vec<i8> {
    let mut bytes = vec![0; n];
    xof::chacha20(&[6; 32], number.to_le_bytes(), &mut bytes);
    bytes.iter().map(|b| (b % 3) as i8 - 1).collect()
}

fn bytes(hex: &serde_json::Value) -> Vec<u8> {
    let hex = hex.as_str().expect("a string");
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
}

#[test]
fn known_answers() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/ntru.json")).unwrap();
    let mut computations = 0;
    for test in file["tests"].as_array().unwrap() {
        let number = |field: &str| test[field].as_u64().unwrap();
        let parameters = Parameters::new(number("n") as usize, number("q") as u32).unwrap();
        for backend in Backend::available() {
            let Ok(ntru) = Ntru::with_backend(parameters, backend) else { continue };
            let seed = |field: &str| <[u8; 32]>::try_from(bytes(&test[field])).unwrap();
            let (secret, public) = ntru.keygen_derand(&seed("keygen_seed")).unwrap();
            assert_eq!(ntru.public_key_to_bytes(&public), bytes(&test["public_key"]), "{backend}");
            assert_eq!(ntru.secret_key_to_bytes(&secret)[..], bytes(&test["secret_key"]), "{backend}");
            let message = ntru.message_from_bytes(&bytes(&test["message"])).unwrap();
            let ciphertext = ntru.encrypt_derand(&public, &message, &seed("encrypt_seed")).unwrap();
            assert_eq!(ciphertext, bytes(&test["ciphertext"]), "{backend}");
            assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap(), message, "{backend}");
            computations += 1;
        }
    }
    assert!(computations > 8);
}

/// Bytes do not depend on the depth; f without an inverse are the textbook's.
#[test]
fn every_depth_agrees_with_the_textbook() {
    let mut without = 0;
    for (n, q) in [(16, 257), (64, 1297), (64, 3329), (256, 3329), (128, 12289)] {
        let parameters = Parameters::new(n, q).unwrap();
        let defined = textbook::Parameters::new(n, q.into()).unwrap();
        for depth in 0..=n.trailing_zeros() {
            let Ok(ntru) = Ntru::with_depth(parameters, depth) else { continue };
            for i in 0..if n < 64 { 40 } else { 3 } {
                let (keys, expected) = (ntru.keygen_derand(&seed(i)), defined.keygen(&seed(i)));
                let (Some((secret, public)), Some((secret_bytes, public_bytes))) = (&keys, &expected) else {
                    assert!(keys.is_none() && expected.is_none(), "n {n} q {q} depth {depth}");
                    without += 1;
                    continue;
                };
                assert_eq!(ntru.public_key_to_bytes(public), *public_bytes, "n {n} q {q} depth {depth}");
                assert_eq!(ntru.secret_key_to_bytes(secret)[..], *secret_bytes);
                let m = message(n, i);
                let packed = ntru.message_to_bytes(&m).unwrap();
                let ciphertext = ntru.encrypt_derand(public, &m, &seed(100 + i)).unwrap();
                assert_eq!(defined.encrypt(public_bytes, &packed, &seed(100 + i)), Some(ciphertext.clone()));
                assert_eq!(ntru.decrypt(secret, &ciphertext).unwrap()[..], m);
            }
        }
    }
    assert!(without > 0, "some f have no inverse");
}

#[test]
fn every_message_decrypts() {
    for (n, q, rounds) in [(256, 3329, 200), (512, 12289, 100), (1024, 40961, 30), (4096, 65537, 4)] {
        let ntru = Ntru::new(Parameters::new(n, q).unwrap()).unwrap();
        for i in 0..rounds {
            let Some((secret, public)) = ntru.keygen_derand(&seed(i)) else { continue };
            let public = ntru.public_key_from_bytes(&ntru.public_key_to_bytes(&public)).unwrap();
            let secret = ntru.secret_key_from_bytes(&ntru.secret_key_to_bytes(&secret)).unwrap();
            let ciphertext = ntru.encrypt_derand(&public, &message(n, i), &seed(1000 + i)).unwrap();
            assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], message(n, i));
        }
    }
}

#[test]
fn ten_thousand_round_trips() {
    let ntru = Ntru::new(Parameters::new(64, 1153).unwrap()).unwrap();
    let (secret, public) = (0..).find_map(|i| ntru.keygen_derand(&seed(i))).unwrap();
    for i in 0..10_000 {
        let ciphertext = ntru.encrypt_derand(&public, &message(64, i), &seed(i)).unwrap();
        assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], message(64, i));
    }
}

#[test]
fn parameters_that_may_fail_are_refused() {
    let refused = Parameters::new(1024, 12289).unwrap_err();
    assert_eq!(refused, Error::Correctness { n: 1024, q: 12289, least: 12291, prime: 18433 });
    assert_eq!(
        refused.to_string(),
        "n = 1024 with q = 12289 may not decrypt: q is below 12n + 3 = 12291; take q = 18433, or a computed probability of \
         failure"
    );
    assert!(Parameters::new(1024, 18433).is_ok() && Parameters::new(512, 12289).is_ok());
    assert_eq!(Parameters::new(1000, 18433).unwrap_err(), Error::Degree { n: 1000 });
    assert_eq!(Parameters::new(8, 257).unwrap_err(), Error::Degree { n: 8 });
    assert_eq!(Parameters::new(16, 1 << 30).unwrap_err(), Error::Modulus { q: 1 << 30 });
    assert!(matches!(Parameters::new(16, 255), Err(Error::Plan(_))));

    // 64 deviations, and 6: the first never happens, the second once in some 10^5 messages.
    let refused = Parameters::with_small_failure(1024, 1153).unwrap_err().to_string();
    assert!(refused.starts_with("n = 1024 with q = 1153 fails to decrypt with probability 2^-1"), "{refused}");
    let likely = Parameters::with_small_failure(1024, 12289).unwrap();
    assert!(likely.log2_failure().is_some_and(|log2| log2 < -300.0), "{likely:?}");
    assert_eq!(Parameters::with_small_failure(512, 12289).unwrap().log2_failure(), None);
    assert!(likely.security().unwrap().classical_bits > 128.0);
    let ntru = Ntru::new(likely).unwrap();
    let (secret, public) = (0..).find_map(|i| ntru.keygen_derand(&seed(i))).unwrap();
    let ciphertext = ntru.encrypt_derand(&public, &message(1024, 1), &seed(2)).unwrap();
    assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], message(1024, 1));
}

#[test]
fn malformed_input_is_refused() {
    let ntru = Ntru::new(Parameters::new(256, 3329).unwrap()).unwrap();
    let (secret, public) = (0..).find_map(|i| ntru.keygen_derand(&seed(i))).unwrap();
    let refused = ntru.decrypt(&secret, &[0; 383]).unwrap_err();
    assert_eq!(refused, Error::Encoding(DecodeError::Length { what: "a ciphertext", expected: 384, actual: 383 }));
    assert_eq!(
        ntru.decrypt(&secret, &[0xFF; 384]).unwrap_err(),
        Error::Encoding(DecodeError::Value { what: "a ciphertext", index: 0, value: 4095, bound: 3329 })
    );
    let mut bytes = vec![0; 384];
    (bytes[382], bytes[383]) = (0x10, 0xD0); // 3329 in the last twelve bits
    let refused = ntru.public_key_from_bytes(&bytes).unwrap_err();
    assert_eq!(
        refused,
        Error::Encoding(DecodeError::Value { what: "a public key", index: 255, value: 3329, bound: 3329 })
    );
    assert_eq!(
        ntru.secret_key_from_bytes(&[0xFF; 64]).unwrap_err(),
        Error::Encoding(DecodeError::Secret("a secret key"))
    );
    assert!(matches!(ntru.secret_key_from_bytes(&[0; 63]), Err(Error::Encoding(DecodeError::Length { .. }))));
    for bad in [vec![0; 255], vec![2; 256], vec![-2; 256]] {
        assert_eq!(ntru.encrypt_derand(&public, &bad, &seed(1)).unwrap_err(), Error::Message { n: 256 });
        assert_eq!(ntru.message_to_bytes(&bad).unwrap_err(), Error::Message { n: 256 });
    }
    let refused = ntru.message_from_bytes(&[0xFF; 64]).unwrap_err();
    assert_eq!(refused, Error::Encoding(DecodeError::Secret("a message")), "L7: a message is secret");
    assert_eq!(format!("{secret:?} {public:?}"), "SecretKey(..) PublicKey(..)");
}
