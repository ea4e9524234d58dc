//! NTRU over X^n + 1: known answers, agreement with the textbook at every depth and in both forms,
//! key encapsulation, round trips, refusals.

use crate::random::hex;
use reference::ntru as textbook;
use ringwork::{
    Backend,
    ct::sys_rng,
    decode::DecodeError,
    kem::{Encryption, Kem, Scheme},
    schemes::ntru::{Error, Form, NTRU_1024, Ntru, Parameters},
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

#[test]
fn known_answers() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/ntru.json")).unwrap();
    let mut computations = 0;
    for test in file["tests"].as_array().unwrap() {
        let number = |field: &str| test[field].as_u64().unwrap();
        let mut parameters = Parameters::new(number("n") as usize, number("q") as u32).unwrap();
        if let Some(depth) = test["depth"].as_u64() {
            parameters = parameters.in_transform_domain(depth as u32).unwrap();
        }
        for backend in Backend::available() {
            let Ok(ntru) = Ntru::with_backend(parameters, backend) else { continue };
            let seed = |field: &str| <[u8; 32]>::try_from(hex(&test[field])).unwrap();
            let (secret, public) = ntru.keygen_derand(&seed("keygen_seed")).unwrap();
            assert_eq!(ntru.public_key_to_bytes(&public), hex(&test["public_key"]), "{backend}");
            assert_eq!(ntru.secret_key_to_bytes(&secret)[..], hex(&test["secret_key"]), "{backend}");
            let message = ntru.message_from_bytes(&hex(&test["message"])).unwrap();
            let ciphertext = ntru.encrypt_derand(&public, &message, &seed("encrypt_seed")).unwrap();
            assert_eq!(ciphertext, hex(&test["ciphertext"]), "{backend}");
            assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap(), message, "{backend}");
            computations += 1;
        }
    }
    assert!(computations > 8);
}

#[test]
fn known_answers_of_encapsulation() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/ntru-kem.json")).unwrap();
    let test = &file["tests"][0];
    let seed = |field: &str| <[u8; 32]>::try_from(hex(&test[field])).unwrap();
    for backend in Backend::available() {
        let kem = Kem::new(Ntru::with_backend(NTRU_1024, backend).unwrap()).unwrap();
        let key = kem.keygen_derand(&seed("key_seed"), &seed("rejection"));
        assert_eq!(key.public_key().as_bytes(), hex(&test["public_key"]), "{backend}");
        assert_eq!(*kem.secret_key_to_bytes(&key), hex(&test["secret_key"]), "{backend}");
        let (mut ciphertext, shared) = kem.encapsulate_derand(key.public_key(), &hex(&test["message"]));
        assert_eq!(ciphertext, hex(&test["ciphertext"]), "{backend}");
        assert_eq!(shared.as_bytes()[..], hex(&test["shared_key"]), "{backend}");
        assert!(kem.decapsulate(&key, &ciphertext).unwrap() == shared, "{backend}");
        ciphertext[0] ^= 1;
        assert_eq!(kem.decapsulate(&key, &ciphertext).unwrap().as_bytes()[..], hex(&test["rejected_key"]));
    }
}

/// The set of the command line: no decryption fails, by Theorem 1, and 128 bits by the estimate.
#[test]
fn the_named_set_is_fit_for_encapsulation() {
    assert_eq!(Parameters::new(NTRU_1024.n(), NTRU_1024.q()).unwrap(), NTRU_1024);
    let ntru = Ntru::new(NTRU_1024).unwrap();
    assert_eq!(ntru.failure_log2(), f64::NEG_INFINITY);
    let bits = NTRU_1024.security().unwrap().classical_bits;
    assert!((128.0..400.0).contains(&bits), "2^{bits}");
    let kem = Kem::new(ntru).unwrap();
    let secret = kem.keygen(&mut sys_rng());
    for _ in 0..20 {
        let (ciphertext, shared) = kem.encapsulate(secret.public_key(), &mut sys_rng());
        assert!(kem.decapsulate(&secret, &ciphertext).unwrap() == shared);
    }
    // A set that fails too often, or with too few dimensions, is none.
    let weak = Ntru::new(Parameters::new(256, 3329).unwrap()).unwrap();
    assert!(Kem::new(weak).unwrap_err().to_string().contains("the secret key costs 2^"));
}

/// A message that encapsulation draws is one of the thesis': zeros have probability 6/16, and no
/// coefficient is a constant.
#[test]
fn fresh_messages_are_short_everywhere() {
    let ntru = Ntru::new(NTRU_1024).unwrap();
    let (mut counts, mut varies) = ([0_i32; 3], [false; 1024]);
    let first = ntru.message_from_bytes(&ntru.fresh_message(&mut sys_rng())).unwrap();
    for _ in 0..64 {
        let message = ntru.message_from_bytes(&ntru.fresh_message(&mut sys_rng())).unwrap();
        message.iter().for_each(|m| counts[(m + 1) as usize] += 1);
        varies.iter_mut().zip(message.iter().zip(first.iter())).for_each(|(varies, (a, b))| *varies |= a != b);
    }
    assert!(varies.iter().all(|varies| *varies));
    // 65536 draws: 127 is one standard deviation at most.
    for (count, expected) in counts.into_iter().zip([20480, 24576, 20480]) {
        assert!((count - expected).abs() < 1000, "{counts:?}");
    }
}

/// Section 4.3.1: the same polynomials, as slots.
#[test]
fn slots_are_the_transforms_of_the_textbook() {
    let mut forms = 0;
    for (n, q) in [(16, 257), (64, 1297), (256, 3329), (128, 12289)] {
        let parameters = Parameters::new(n, q).unwrap();
        let (plain, defined) = (Ntru::new(parameters).unwrap(), textbook::Parameters::new(n, q.into()).unwrap());
        for depth in 0..=n.trailing_zeros() {
            let Ok(slots) = parameters.in_transform_domain(depth) else {
                assert_eq!(defined.as_slots(depth, &vec![0; parameters.polynomial_bytes()]), None);
                continue;
            };
            for backend in Backend::available() {
                let Ok(ntru) = Ntru::with_backend(slots, backend) else { continue };
                let key_seed = (0..).map(seed).find(|seed| ntru.keygen_derand(seed).is_some()).unwrap();
                let ((secret, public), (_, other)) =
                    (ntru.keygen_derand(&key_seed).unwrap(), plain.keygen_derand(&key_seed).unwrap());
                let bytes = ntru.public_key_to_bytes(&public);
                assert_eq!(Some(&bytes), defined.as_slots(depth, &plain.public_key_to_bytes(&other)).as_ref());
                let public = ntru.public_key_from_bytes(&bytes).unwrap();
                let m = message(n, 7);
                let ciphertext = ntru.encrypt_derand(&public, &m, &seed(8)).unwrap();
                let coefficients = plain.encrypt_derand(&other, &m, &seed(8)).unwrap();
                assert_eq!(Some(&ciphertext), defined.as_slots(depth, &coefficients).as_ref(), "{slots:?} {backend}");
                assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], m);
                forms += 1;
            }
        }
    }
    assert!(forms > 20);
}

/// Bytes of one form are refused as the other, and as slots of another depth.
#[test]
fn forms_are_not_mistaken() {
    let parameters = Parameters::new(256, 3329).unwrap();
    let slots = |depth| Ntru::new(parameters.in_transform_domain(depth).unwrap()).unwrap();
    let forms = [Ntru::new(parameters).unwrap(), slots(6), slots(7)];
    for (i, writer) in forms.iter().enumerate() {
        let (secret, public) = (0..).find_map(|i| writer.keygen_derand(&seed(i))).unwrap();
        let key = writer.public_key_to_bytes(&public);
        let ciphertext = writer.encrypt_derand(&public, &message(256, 1), &seed(1)).unwrap();
        assert_eq!(key.len(), writer.parameters().polynomial_bytes());
        for (j, reader) in forms.iter().enumerate() {
            assert_eq!(reader.public_key_from_bytes(&key).is_ok(), i == j);
            // The secret key is the same in every form.
            let secret = reader.secret_key_from_bytes(&writer.secret_key_to_bytes(&secret)).unwrap();
            assert_eq!(reader.decrypt(&secret, &ciphertext).is_ok(), i == j);
        }
    }
    let refused = |reader: &Ntru, writer: &Ntru| {
        let (_, public) = (0..).find_map(|i| writer.keygen_derand(&seed(i))).unwrap();
        reader.public_key_from_bytes(&writer.public_key_to_bytes(&public)).unwrap_err().to_string()
    };
    let [coefficients, six, seven] = &forms;
    assert_eq!(
        refused(coefficients, six),
        "a public key of coefficients is wanted, and this one is of slots of depth 6"
    );
    assert_eq!(
        refused(six, coefficients),
        "a public key of slots of depth 6 is wanted, and this one is of coefficients"
    );
    assert_eq!(refused(six, seven), "a public key of slots of depth 6 is wanted, and this one is of slots of depth 7");
    assert_eq!(
        seven.public_key_from_bytes(&[7; 383]).unwrap_err().to_string(),
        "a public key has 385 bytes, this has 383"
    );
    assert_eq!(
        Ntru::with_depth(seven.parameters(), 6).unwrap_err().to_string(),
        "slots of depth 7 travel, so that transforms of depth 6 do not serve"
    );
    assert_eq!(seven.parameters().form(), Form::Slots { depth: 7 });
    assert!(matches!(parameters.in_transform_domain(8), Err(Error::Plan(_))), "3329 has no root of order 512");
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
    assert_eq!(refused, DecodeError::Value { what: "a public key", index: 255, value: 3329, bound: 3329 });
    assert_eq!(ntru.secret_key_from_bytes(&[0xFF; 64]).unwrap_err(), DecodeError::Secret("a secret key"));
    assert!(matches!(ntru.secret_key_from_bytes(&[0; 63]), Err(DecodeError::Length { .. })));
    for bad in [vec![0; 255], vec![2; 256], vec![-2; 256]] {
        assert_eq!(ntru.encrypt_derand(&public, &bad, &seed(1)).unwrap_err(), Error::Message { n: 256 });
        assert_eq!(ntru.message_to_bytes(&bad).unwrap_err(), Error::Message { n: 256 });
    }
    let refused = ntru.message_from_bytes(&[0xFF; 64]).unwrap_err();
    assert_eq!(refused, Error::Encoding(DecodeError::Secret("a message")), "L7: a message is secret");
    assert_eq!(format!("{secret:?} {public:?}"), "SecretKey(..) PublicKey(..)");
}
