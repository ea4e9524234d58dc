//! NTTRU: known answers, agreement with the textbook, round trips, refusals.

use crate::random::{Stream, hex, seed};
use reference::nttru as textbook;
use ringwork::{
    Backend,
    decode::DecodeError,
    kem::Scheme,
    ring::{Poly, Ring},
    schemes::nttru::{CIPHERTEXT_BYTES, Nttru, NttruRing, PUBLIC_KEY_BYTES, SECRET_KEY_BYTES},
};

#[test]
fn the_designers_vectors() {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/nttru768.json")).unwrap();
    let tests = file["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 8);
    for backend in Backend::available() {
        let nttru = Nttru::with_backend(backend);
        for test in tests {
            let seed = |field: &str| <[u8; 32]>::try_from(hex(&test[field])).unwrap();
            let (secret, public) = nttru.keygen_derand(&seed("keygen_seed")).unwrap();
            assert_eq!(nttru.public_key_to_bytes(&public)[..], hex(&test["public_key"]), "{backend}");
            assert_eq!(nttru.secret_key_to_bytes(&secret)[..], hex(&test["secret_key"]), "{backend}");
            let (ciphertext, key) = nttru.encapsulate_derand(&public, &seed("encaps_seed"));
            assert_eq!(ciphertext[..], hex(&test["ciphertext"]), "{backend}");
            assert_eq!(*key.as_bytes(), seed("shared_key"), "{backend}");
            assert!(nttru.decapsulate(&secret, &ciphertext).unwrap() == key, "{backend}");
        }
    }
}

#[test]
fn the_textbook_agrees() {
    let nttru = Nttru::new();
    for i in 0..10 {
        let (secret, public) = nttru.keygen_derand(&seed(i)).unwrap();
        let keys = textbook::keygen(&seed(i)).unwrap();
        let own = (nttru.secret_key_to_bytes(&secret).to_vec(), nttru.public_key_to_bytes(&public));
        assert_eq!(own, keys);
        let (ciphertext, key) = nttru.encapsulate_derand(&public, &seed(1000 + i));
        assert_eq!(textbook::encapsulate(&keys.1, &seed(1000 + i)), Ok((ciphertext.to_vec(), *key.as_bytes())));
        assert_eq!(textbook::decapsulate(&keys.0, &ciphertext), Ok(*key.as_bytes()));
    }
}

/// No seed is known that makes an f without an inverse; a polynomial that vanishes in one slot is.
#[test]
fn one_slot_that_is_zero_is_noticed() {
    for backend in Backend::available() {
        let ring = Ring::<NttruRing>::with_backend(backend).unwrap();
        for slot in [0, 1, 100, 255] {
            // X^3 - 20^e
            let exponent = ntt::Ring::Trinomial.exponent_of(slot);
            let power = (0..exponent).fold(1, |x, _| x * 20 % 7681);
            let polynomial = |constant: i16| {
                let poly = Poly::filled(|words| (words[0], words[3]) = (constant, 1));
                ring.canonical(ring.forward(poly))
            };
            assert!(ring.inverse_of(&polynomial(-(power as i16))).is_none(), "slot {slot}, {backend}");
            let other = polynomial(5);
            let inverse = ring.inverse_of(&other).expect("-5 is no power of 20");
            let one = ring.inverse_product(ring.product(&other, &inverse));
            assert!(one.coefficients().iter().enumerate().all(|(i, &x)| x == i16::from(i == 0)), "{backend}");
        }
    }
}

#[test]
fn ten_thousand_round_trips() {
    let nttru = Nttru::new();
    let mut rng = Stream(0);
    let mut keys = std::collections::HashSet::new();
    for _ in 0..1000 {
        let (secret, public) = nttru.keygen(&mut rng);
        for _ in 0..10 {
            let (ciphertext, key) = nttru.encapsulate(&public, &mut rng);
            assert!(nttru.decapsulate(&secret, &ciphertext).unwrap() == key);
            assert!(keys.insert(*key.as_bytes()), "every encapsulation has its own key");
        }
    }
}

#[test]
fn keys_survive_their_bytes() {
    for backend in Backend::available() {
        let nttru = Nttru::with_backend(backend);
        let (secret, public) = nttru.keygen(&mut Stream(1));
        let (secret_bytes, public_bytes) = (nttru.secret_key_to_bytes(&secret), nttru.public_key_to_bytes(&public));
        let (both, its_public) = nttru.keys_to_bytes(&secret);
        assert_eq!((&both[..], &its_public[..]), (&secret_bytes[..], &public_bytes[..]));
        let public = nttru.public_key_from_bytes(&public_bytes).unwrap();
        let secret = nttru.secret_key_from_bytes(&secret_bytes).unwrap();
        assert_eq!(nttru.public_key_to_bytes(secret.public_key()), public_bytes);
        let (ciphertext, key) = nttru.encapsulate(&public, &mut Stream(2));
        assert!(nttru.decapsulate(&secret, &ciphertext).unwrap() == key);
        assert_eq!(format!("{secret:?} {public:?} {key:?}"), "SecretKey(..) PublicKey(..) SecretBytes<32>(..)");
    }
}

/// Every bit that is changed makes a value too large or a ciphertext that is rejected.
#[test]
fn tampered_ciphertexts_are_rejected() {
    let nttru = Nttru::new();
    let (secret, public) = nttru.keygen(&mut Stream(3));
    let (ciphertext, _) = nttru.encapsulate(&public, &mut Stream(4));
    let (mut rejected, mut too_large) = (0, 0);
    for bit in (0..8 * CIPHERTEXT_BYTES).step_by(3) {
        let mut changed = ciphertext;
        changed[bit / 8] ^= 1 << (bit % 8);
        match nttru.decapsulate(&secret, &changed) {
            Err(DecodeError::Rejected) => rejected += 1,
            Err(DecodeError::Value { value: 7681.., .. }) => too_large += 1,
            other => panic!("bit {bit}: {other:?}"),
        }
    }
    assert!(rejected > 3000 && too_large > 0, "{rejected} {too_large}");
    let (other, _) = nttru.keygen(&mut Stream(5));
    assert_eq!(nttru.decapsulate(&other, &ciphertext).unwrap_err(), DecodeError::Rejected);
    assert_eq!(nttru.decapsulate(&secret, &[0; CIPHERTEXT_BYTES]).unwrap_err(), DecodeError::Rejected);
}

#[test]
fn malformed_bytes_are_refused() {
    let nttru = Nttru::new();
    let (secret, public) = nttru.keygen(&mut Stream(6));
    for length in [0, 1, 1247, 1249, 2496] {
        let refused = nttru.decapsulate(&secret, &vec![0; length]).unwrap_err();
        assert_eq!(refused, DecodeError::Length { what: "a ciphertext", expected: CIPHERTEXT_BYTES, actual: length });
        let refused = nttru.public_key_from_bytes(&vec![0; length]).unwrap_err();
        assert_eq!(refused, DecodeError::Length { what: "a public key", expected: PUBLIC_KEY_BYTES, actual: length });
    }
    for length in [0, 1248, 2495, 2497] {
        let refused = nttru.secret_key_from_bytes(&vec![0; length]).unwrap_err();
        assert_eq!(refused.to_string(), format!("a secret key has 2496 bytes, this has {length}"));
    }
    assert_eq!(
        nttru.secret_key_from_bytes(&[0xFF; SECRET_KEY_BYTES]).unwrap_err(),
        DecodeError::Secret("a secret key")
    );
    let (_, of_other) = nttru.keygen(&mut Stream(7));
    let mut halves = nttru.secret_key_to_bytes(&secret);
    halves[SECRET_KEY_BYTES - PUBLIC_KEY_BYTES..].copy_from_slice(&nttru.public_key_to_bytes(&of_other));
    let halves = nttru.secret_key_from_bytes(&halves).unwrap();
    assert_eq!(nttru.check_secret_key(&halves), Err(DecodeError::Mismatch));
    assert_eq!(nttru.check_secret_key(&secret), Ok(()));
    let (ciphertext, _) = nttru.encapsulate(&of_other, &mut Stream(8));
    assert_eq!(nttru.decapsulate(&halves, &ciphertext).unwrap_err(), DecodeError::Rejected);

    // q, q + 1 and the largest packed value, in the first, a middle and the last place.
    let good = nttru.public_key_to_bytes(&public);
    for (index, value) in [(0, 7681_u64), (1, 7682), (255, 8191), (256, 7681), (500, 7681), (767, 8191)] {
        let (block, lane, start) = (index / 256, index % 16, index % 256 / 16 * 13);
        let mut bad = good.clone();
        for i in 0..13 {
            let place = 416 * block + (start + i) / 16 * 32 + 2 * lane + (start + i) % 16 / 8;
            let bit = 1 << ((start + i) % 8);
            bad[place] = bad[place] & !bit | if value >> i & 1 == 1 { bit } else { 0 };
        }
        for refused in [nttru.public_key_from_bytes(&bad).err(), nttru.decapsulate(&secret, &bad).err()] {
            let Some(DecodeError::Value { index: at, value: found, bound, .. }) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((at, found, bound), (index, value, 7681));
        }
    }
}
