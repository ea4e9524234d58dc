//! Ring-LWE encryption and the key encapsulation around it.

use crate::random::tagged as seed;
use ringwork::{
    Backend,
    decode::DecodeError,
    kem::{self, Encryption, Kem, Scheme},
    ring::Parameters as _,
    schemes::rlwe::{P1, P2, Parameters, Rlwe},
    xof,
};

fn bytes(tag: u8, number: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    xof::chacha20(&seed(tag, number), [9; 8], &mut bytes);
    bytes
}

/// Round trips; how many messages come back changed.
fn failures<P: Parameters>(trips: u64) -> u64 {
    let rlwe = Rlwe::<P>::new();
    let mut failures = 0;
    for key in 0..trips / 100 {
        let (secret, public) = rlwe.keys(&seed(1, key));
        for number in 0..100 {
            let message = bytes(2, 100 * key + number, P::MESSAGE_BYTES);
            let ciphertext = rlwe.encrypt_polynomials(&public, &message, &seed(3, 100 * key + number));
            failures += u64::from(*rlwe.decrypt_polynomials(&secret, &ciphertext) != message);
        }
    }
    failures
}

#[test]
fn ten_thousand_messages_come_back() {
    // The computed probability of a failure is about 2^-20: more than two in 10,000 are out of the
    // question.
    assert!(failures::<P1>(10_000) <= 2);
    assert!(failures::<P2>(10_000) <= 2);
}

fn backends_agree<P: Parameters>() {
    let outputs: Vec<_> = Backend::available()
        .map(|backend| {
            let rlwe = Rlwe::<P>::with_backend(backend).unwrap();
            assert_eq!(Some(rlwe.ring().recipe().root()), P::ROOT, "the root is part of the parameter set");
            let (secret, public) = rlwe.keys(&seed(4, 0));
            let message = bytes(5, 0, P::MESSAGE_BYTES);
            let ciphertext = rlwe.encrypt_derand(&public, &message, &seed(6, 0));
            assert_eq!(*rlwe.decrypt(&secret, &ciphertext).unwrap(), message, "{backend}");
            (rlwe.public_key_to_bytes(&public), rlwe.secret_key_to_bytes(&secret), ciphertext)
        })
        .collect();
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "same bytes on every backend");
    let (public, secret, ciphertext) = &outputs[0];
    let lengths = [public.len(), secret.len(), ciphertext.len()];
    assert_eq!(lengths, [P::PUBLIC_KEY_BYTES, P::SECRET_KEY_BYTES, P::CIPHERTEXT_BYTES]);
}

#[test]
fn every_backend_writes_the_same_bytes() {
    backends_agree::<P1>();
    backends_agree::<P2>();
}

fn encapsulations<P: Parameters>(count: u64) {
    let kem = Kem::research(Rlwe::<P>::new()).unwrap();
    let key = kem.keygen_derand(&seed(7, 0), &seed(8, 0));
    let saved = kem.secret_key_to_bytes(&key);
    let loaded = kem.secret_key_from_bytes(&saved).unwrap();
    let public = kem.public_key_from_bytes(key.public_key().as_bytes()).unwrap();
    for number in 0..count {
        let (ciphertext, shared) = kem.encapsulate_derand(&public, &bytes(9, number, P::MESSAGE_BYTES));
        assert!(kem.decapsulate(&loaded, &ciphertext).unwrap() == shared);
        // Every changed bit that leaves a ciphertext gives a key that is not this one, and always
        // the same.
        let mut changed = ciphertext.clone();
        let at = number as usize * 31 % changed.len();
        changed[at] ^= 1 << (number % 8);
        if let Ok(rejected) = kem.decapsulate(&loaded, &changed) {
            assert!(rejected != shared, "bit {} of byte {at}", number % 8);
            assert!(rejected == kem.decapsulate(&key, &changed).unwrap());
        }
    }
    // Another key makes nothing of it.
    let other = kem.keygen_derand(&seed(7, 1), &seed(8, 1));
    let (ciphertext, shared) = kem.encapsulate_derand(&public, &bytes(9, 0, P::MESSAGE_BYTES));
    assert!(kem.decapsulate(&other, &ciphertext).unwrap() != shared);
}

#[test]
fn keys_are_encapsulated_and_tampering_is_rejected_implicitly() {
    encapsulations::<P1>(1000);
    encapsulations::<P2>(1000);
}

#[test]
fn malformed_bytes_are_refused() {
    let kem = Kem::research(Rlwe::<P1>::new()).unwrap();
    let key = kem.keygen_derand(&seed(10, 0), &seed(10, 1));
    let (ciphertext, _) = kem.encapsulate_derand(key.public_key(), &bytes(11, 0, P1::MESSAGE_BYTES));
    for length in [0, 1, P1::CIPHERTEXT_BYTES - 1, P1::CIPHERTEXT_BYTES + 1] {
        let mut wrong = ciphertext.clone();
        wrong.resize(length, 0);
        let refused = kem.decapsulate(&key, &wrong).unwrap_err();
        let expected = P1::CIPHERTEXT_BYTES;
        assert_eq!(refused, DecodeError::Length { what: "a ciphertext", expected, actual: length });
    }
    // The last coefficient of c2 becomes 2^14 - 1.
    let mut wrong = ciphertext;
    let last = wrong.len() - 2;
    wrong[last] |= 0xFC;
    wrong[last + 1] = 0xFF;
    let refused = kem.decapsulate(&key, &wrong).unwrap_err();
    let (index, value, bound) = (P1::N - 1, 16383, P1::Q.into());
    assert_eq!(refused, DecodeError::Value { what: "c2 of a ciphertext", index, value, bound });
    assert_eq!(refused.to_string(), "c2 of a ciphertext: number 255 is 16383, not below 7681");
    let mut public = key.public_key().as_bytes().to_vec();
    public[32..34].copy_from_slice(&[0xFF, 0xFF]);
    let refused = kem.public_key_from_bytes(&public).unwrap_err();
    assert_eq!(refused, DecodeError::Value { what: "p of a public key", index: 0, value, bound });
    assert!(kem.secret_key_from_bytes(&kem.secret_key_to_bytes(&key)[1..]).is_err());
}

/// The computed probability of a failure; its order is that of Gaussian tails: 5.8 and 5.7
/// deviations, times `n`.
#[test]
fn failures_are_as_probable_as_computed() {
    let (p1, p2) = (Rlwe::<P1>::new().failure_log2(), Rlwe::<P2>::new().failure_log2());
    assert!((-22.0..-16.0).contains(&p1) && (-22.0..-16.0).contains(&p2), "{p1} {p2}");
    // M11: that is too often for keys.
    assert!(matches!(Kem::new(Rlwe::<P1>::new()), Err(kem::Error::Failure { log2 }) if log2 == p1));
}

/// Polynomials from elsewhere are looked at before they are used.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn noise_out_of_range_is_refused() {
    let rlwe = Rlwe::<P1>::new();
    let (_, public) = rlwe.keys_with_noise([1; 32], &[3840; 256], &[1; 256]);
    let refused = |work: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err();
    for wrong in [3841, -3841, i16::MAX, i16::MIN] {
        let mut long = [0; 3 * 256];
        rlwe.encrypt_with_noise(&public, &[0xFF; 32], &long);
        long[700] = wrong;
        assert!(refused(&|| drop(rlwe.encrypt_with_noise(&public, &[0xFF; 32], &long))));
        assert!(refused(&|| drop(rlwe.keys_with_noise([1; 32], &long[512..], &[1; 256]))));
    }
    for wrong in [2, -1, i16::MIN] {
        let mut bits = [0; 256];
        bits[255] = wrong;
        assert!(refused(&|| drop(rlwe.keys_with_noise([1; 32], &[0; 256], &bits))));
    }
}
