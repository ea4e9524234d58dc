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
    assert_eq!(refused, Error::Correctness { n: 1024, q: 12289, p: 3, least: 12291, prime: 18433 });
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

/// A message in the range of `p`, and the two of largest coefficients.
fn messages(parameters: Parameters, number: u64) -> [Vec<i8>; 3] {
    let ([least, most], n) = (parameters.message_range(), parameters.n());
    let mut bytes = vec![0; n];
    xof::chacha20(&[7; 32], number.to_le_bytes(), &mut bytes);
    let any = bytes.iter().map(|b| (u32::from(*b) % parameters.p()) as i8 + least).collect();
    [any, vec![least; n], vec![most; n]]
}

/// The smallest primes from the bound on: any, and one that splits the ring as far as layers in two go.
fn primes(n: usize, p: u32) -> [u32; 2] {
    let least = textbook::least_modulus(n, p.into());
    let from = |step: u64| {
        let q = (least / step..).map(|k| k * step + 1).find(|&q| q >= least && reference::field::is_prime(q));
        q.unwrap() as u32
    };
    [from(2), from(2 * n as u64)]
}

/// Table 2.1 of the thesis: any small p, and N = 2^k·a. The textbook's bytes on every backend, at the least modulus.
#[test]
fn any_small_p_and_any_degree_agree_with_the_textbook() {
    let mut without = 0;
    for p in [2, 3, 5, 7, 17] {
        for n in [16, 64, 48, 96, 80, 160, 20, 30, 17] {
            for q in primes(n, p) {
                let parameters = Parameters::measuring_only(n, q, p).unwrap();
                let defined = textbook::Parameters::general(n, q.into(), p.into()).unwrap();
                let Some((secret_bytes, public_bytes)) = defined.keygen(&seed(n as u64)) else {
                    assert!(Ntru::new(parameters).unwrap().keygen_derand(&seed(n as u64)).is_none());
                    without += 1;
                    continue;
                };
                for backend in Backend::available() {
                    let Ok(ntru) = Ntru::with_backend(parameters, backend) else { continue };
                    let (secret, public) = ntru.keygen_derand(&seed(n as u64)).unwrap();
                    assert_eq!(ntru.public_key_to_bytes(&public), public_bytes, "n {n} q {q} p {p} {backend}");
                    assert_eq!(ntru.secret_key_to_bytes(&secret)[..], secret_bytes);
                    for m in messages(parameters, 3) {
                        let packed = ntru.message_to_bytes(&m).unwrap();
                        assert_eq!(packed.len(), parameters.message_bytes());
                        assert_eq!(ntru.message_from_bytes(&packed).unwrap()[..], m);
                        let ciphertext = ntru.encrypt_derand(&public, &m, &seed(9)).unwrap();
                        let expected = defined.encrypt(&public_bytes, &packed, &seed(9));
                        assert_eq!(expected, Some(ciphertext.clone()), "n {n} q {q} p {p} {backend}");
                        assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], m, "n {n} q {q} p {p} {backend}");
                        assert_eq!(defined.decrypt(&secret_bytes, &ciphertext).as_ref(), Some(&*packed));
                    }
                }
            }
        }
    }
    assert!(without < 20, "{without} of 90 keys have no inverse");
}

/// Slots of degree 3 and 5, and of every depth, travel as the textbook has them.
#[test]
fn slots_of_other_degrees_are_those_of_the_textbook() {
    let mut forms = 0;
    for (n, p) in [(48, 2), (96, 5), (80, 7)] {
        let [_, q] = primes(n, p);
        let parameters = Parameters::measuring_only(n, q, p).unwrap();
        let (plain, defined) =
            (Ntru::new(parameters).unwrap(), textbook::Parameters::general(n, q.into(), p.into()).unwrap());
        let key_seed = (0..).map(seed).find(|seed| plain.keygen_derand(seed).is_some()).unwrap();
        let (_, other) = plain.keygen_derand(&key_seed).unwrap();
        for depth in 0..=n.trailing_zeros() {
            let slots = Ntru::new(parameters.in_transform_domain(depth).unwrap()).unwrap();
            let (secret, public) = slots.keygen_derand(&key_seed).unwrap();
            let bytes = slots.public_key_to_bytes(&public);
            assert_eq!(Some(&bytes), defined.as_slots(depth, &plain.public_key_to_bytes(&other)).as_ref());
            let [m, ..] = messages(parameters, 1);
            let ciphertext = slots.encrypt_derand(&public, &m, &seed(8)).unwrap();
            let coefficients = plain.encrypt_derand(&other, &m, &seed(8)).unwrap();
            assert_eq!(Some(&ciphertext), defined.as_slots(depth, &coefficients).as_ref(), "n {n} depth {depth}");
            assert_eq!(slots.decrypt(&secret, &ciphertext).unwrap()[..], m);
            forms += 1;
        }
    }
    assert_eq!(forms, 5 + 6 + 5);
}

/// Each reason names what would work; and no keys of encapsulation come of parameters for measuring.
#[test]
fn parameters_for_measuring_are_refused_with_a_reason() {
    let refused = |n, q, p| Parameters::measuring_only(n, q, p).unwrap_err();
    for p in [0, 1, 4, 6, 9, 15, 19, 256, u32::MAX] {
        assert_eq!(refused(48, 12289, p), Error::MessageModulus { p, q: 12289 });
    }
    assert_eq!(
        refused(48, 12289, 9).to_string(),
        "p = 9 is not 2, 3, 5, 7, 11, 13 or 17, modulo which messages can be"
    );
    assert_eq!(
        refused(48, 17, 17).to_string(),
        "messages modulo p = 17 need another modulus than q = 17, which p divides; take a larger q"
    );
    for n in [0, 1, 15, (1 << 16) + 1, usize::MAX] {
        assert_eq!(refused(n, 12289, 5), Error::Size { n });
    }
    assert_eq!(refused(15, 12289, 5).to_string(), "n = 15 is not from 16 to 65536");
    assert_eq!(refused(48, u32::MAX, 5), Error::Modulus { q: u32::MAX });
    for q in [0, 1, 2, 255, 12288] {
        assert!(matches!(refused(48, q, 5), Error::Plan(_)), "{q}");
    }
    let few = refused(48, 1439, 5);
    assert_eq!(few, Error::Correctness { n: 48, q: 1439, p: 5, least: 1445, prime: 2017 });
    assert_eq!(
        few.to_string(),
        "n = 48 with q = 1439 and messages modulo 5 may not decrypt: q is below 30n + 5 = 1445; take q = 2017, or a \
         computed probability of failure"
    );
    assert!(Parameters::measuring_only(48, 2017, 5).is_ok() && Parameters::measuring_only(48, 1447, 5).is_ok());
    // The advice holds for every p and for degrees of every kind.
    for p in [2, 3, 5, 7, 11, 13, 17] {
        for n in [16, 17, 48, 1000, 3 << 12, 5 << 10, 1 << 16] {
            let Error::Correctness { least, prime, .. } = refused(n, 19, p) else { panic!("n {n}, p {p}") };
            assert_eq!(least, textbook::least_modulus(n, p.into()));
            assert!(Parameters::measuring_only(n, prime as u32, p).is_ok(), "n {n}, p {p}");
        }
    }

    let ntru = Ntru::new(Parameters::measuring_only(1024, 40961, 5).unwrap()).unwrap();
    let reason = Kem::new(ntru).unwrap_err().to_string();
    assert!(reason.contains("no power of two") && reason.contains("cannot be estimated"), "{reason}");
    assert!(Parameters::new(1024, 40961).unwrap().security().is_ok());
    assert!(Parameters::measuring_only(1024, 40961, 3).unwrap().security().is_err());

    // Bytes and messages out of range.
    let ntru = Ntru::new(Parameters::measuring_only(48, 577, 2).unwrap()).unwrap();
    let (_, public) = (0..).find_map(|i| ntru.keygen_derand(&seed(i))).unwrap();
    for bad in [vec![0; 47], vec![-1; 48], vec![2; 48]] {
        let error = ntru.encrypt_derand(&public, &bad, &seed(1)).unwrap_err();
        assert_eq!(error, Error::Message { n: 48, range: [0, 1] });
        assert_eq!(error.to_string(), "a message has 48 coefficients, each from 0 to 1");
    }
    assert_eq!(ntru.message_from_bytes(&[0xFF; 6]).unwrap()[..], [1; 48]);
    assert!(ntru.message_from_bytes(&[0xFF; 7]).is_err());
    let of_five = Ntru::new(Parameters::measuring_only(48, 2017, 5).unwrap()).unwrap();
    let refused = of_five.message_from_bytes(&[0xFF; 18]).unwrap_err();
    assert_eq!(refused, Error::Encoding(DecodeError::Secret("a message")));
    // Fresh messages are in range for every p.
    for ntru in [&ntru, &of_five] {
        let message = ntru.message_from_bytes(&ntru.fresh_message(&mut sys_rng())).unwrap();
        assert!(message.iter().any(|&m| m != 0));
    }
}

/// Below the bound with a computed probability: 16 deviations, and 2.
#[test]
fn failures_are_computed_for_any_p() {
    let likely = Parameters::measuring_only_with_small_failure(768, 7681, 5).unwrap();
    assert!(likely.log2_failure().is_some_and(|log2| log2 < -100.0), "{likely:?}");
    let ntru = Ntru::new(likely).unwrap();
    let (secret, public) = (0..).find_map(|i| ntru.keygen_derand(&seed(i))).unwrap();
    for number in 0..20 {
        for m in messages(likely, number) {
            let ciphertext = ntru.encrypt_derand(&public, &m, &seed(number)).unwrap();
            assert_eq!(ntru.decrypt(&secret, &ciphertext).unwrap()[..], m);
        }
    }
    let refused = Parameters::measuring_only_with_small_failure(256, 7681, 17).unwrap_err();
    assert!(matches!(refused, Error::Failure { least: 78353, log2_probability, .. } if log2_probability == 0.0));
    assert_eq!(Parameters::measuring_only_with_small_failure(256, 78367, 17).unwrap().log2_failure(), None);
    // For p = 3 it is the probability of the sets for use.
    let [of_use, of_measuring] = [
        Parameters::with_small_failure(1024, 12289).unwrap(),
        Parameters::measuring_only_with_small_failure(1024, 12289, 3).unwrap(),
    ];
    assert_eq!(of_use.log2_failure(), of_measuring.log2_failure());
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
        assert_eq!(
            ntru.encrypt_derand(&public, &bad, &seed(1)).unwrap_err(),
            Error::Message { n: 256, range: [-1, 1] }
        );
        assert_eq!(ntru.message_to_bytes(&bad).unwrap_err(), Error::Message { n: 256, range: [-1, 1] });
    }
    let refused = ntru.message_from_bytes(&[0xFF; 64]).unwrap_err();
    assert_eq!(refused, Error::Encoding(DecodeError::Secret("a message")), "L7: a message is secret");
    assert_eq!(format!("{secret:?} {public:?}"), "SecretKey(..) PublicKey(..)");
}
