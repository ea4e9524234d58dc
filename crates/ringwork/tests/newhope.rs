//! NewHope against the designers' bytes, against the textbook, and against bad input.

use crate::random::hex;
use ringwork::{
    Backend, Method,
    decode::DecodeError,
    schemes::newhope::{NewHope, PSI12, Parameters, SharedKey, USENIX2016},
};

fn others(parameters: Parameters) -> impl Iterator<Item = NewHope> {
    Backend::available().map(move |backend| NewHope::with_backend(parameters, backend))
}

fn check_vectors(file: &str, parameters: Parameters) {
    let file: serde_json::Value = serde_json::from_str(file).expect("JSON");
    let tests = file["tests"].as_array().expect("tests");
    assert!(!tests.is_empty());
    let methods = |backend| {
        let by_method = Method::ALL.into_iter().filter_map(move |m| NewHope::with_method(parameters, backend, m).ok());
        by_method.chain([NewHope::with_backend(parameters, backend)])
    };
    for newhope in [Backend::Scalar, Backend::best()].into_iter().flat_map(methods).chain(others(parameters)) {
        let backend = newhope.backend();
        for test in tests {
            let field = |name: &str| hex(&test[name]);
            let seed = |name: &str| <[u8; 32]>::try_from(field(name)).expect("32 bytes");
            let (secret, message_a) = newhope.init_derand(&seed("seed_a"), &seed("noise_seed_alice"));
            assert_eq!(message_a[..], field("message_a"), "{backend}");
            let (message_b, bob) = newhope.respond_derand(&message_a, &seed("noise_seed_bob")).unwrap();
            assert_eq!(message_b[..], field("message_b"), "{backend}");
            assert_eq!(bob.as_bytes()[..], field("shared_key"), "{backend}");
            let saved = newhope.secret_to_bytes(secret);
            let secret = newhope.secret_from_bytes(&saved).unwrap();
            assert!(newhope.finish(secret, &message_b).unwrap() == bob, "{backend}");
        }
    }
}

/// One word at a time the exchange goes by K-RED, as Longa and Naehrig's does; its transforms leave no
/// factor. On vectors it may be asked to, in words of 32 bits.
#[test]
fn k_red_carries_the_exchange() {
    let way = |newhope: &NewHope| (newhope.recipe().method(), newhope.recipe().bits());
    assert_eq!(way(&NewHope::with_backend(USENIX2016, Backend::Scalar)), (Method::KRed, 32));
    for backend in Backend::machines() {
        let newhope = NewHope::with_method(USENIX2016, backend, Method::KRed).unwrap();
        assert_eq!((way(&newhope), newhope.backend()), ((Method::KRed, 32), backend));
    }
}

#[test]
fn the_designers_vectors() {
    check_vectors(include_str!("../../../vectors/newhope-usenix2016.json"), USENIX2016);
}

#[test]
fn the_textbook_vectors_of_psi12() {
    check_vectors(include_str!("../../../vectors/newhope-psi12.json"), PSI12);
}

/// A deterministic generator, so that failures repeat.
fn seeds(count: u64) -> impl Iterator<Item = [[u8; 32]; 3]> {
    (0..count).map(|i| {
        [0, 1, 2].map(|j| {
            let mut seed = [0; 32];
            ringwork::xof::chacha20(&[j; 32], i.to_le_bytes(), &mut seed);
            seed
        })
    })
}

#[test]
fn ten_thousand_exchanges_agree() {
    for (parameters, count) in [(USENIX2016, 10_000), (PSI12, 2_000)] {
        let newhope = NewHope::new(parameters);
        let mut keys = std::collections::HashSet::new();
        for [seed_a, alice, bob] in seeds(count) {
            let (secret, message_a) = newhope.init_derand(&seed_a, &alice);
            let (message_b, key) = newhope.respond_derand(&message_a, &bob).unwrap();
            assert!(newhope.finish(secret, &message_b).unwrap() == key);
            assert!(keys.insert(*key.as_bytes()), "every exchange has its own key");
        }
    }
}

#[test]
fn backends_agree_byte_for_byte() {
    for [seed_a, alice, bob] in seeds(20) {
        let runs: Vec<_> = Backend::available()
            .map(|backend| {
                let newhope = NewHope::with_backend(USENIX2016, backend);
                let (_, message_a) = newhope.init_derand(&seed_a, &alice);
                let (message_b, key) = newhope.respond_derand(&message_a, &bob).unwrap();
                (message_a, message_b, *key.as_bytes())
            })
            .collect();
        assert!(runs.windows(2).all(|w| w[0] == w[1]));
    }
}

#[test]
fn malformed_messages_are_refused() {
    let newhope = NewHope::new(USENIX2016);
    let init = || newhope.init_derand(&[1; 32], &[2; 32]);
    let (_, message_a) = init();
    let (message_b, _) = newhope.respond_derand(&message_a, &[3; 32]).unwrap();

    for length in [0, 1, 31, 1823, 1825, 2048, 4096] {
        let bytes = vec![0; length];
        let refused = newhope.respond_derand(&bytes, &[0; 32]).unwrap_err();
        assert_eq!(refused, DecodeError::Length { what: "Alice's message", expected: 1824, actual: length });
    }
    for length in [0, 1824, 2047, 2049] {
        let refused = newhope.finish(init().0, &vec![0; length]).unwrap_err();
        assert_eq!(refused, DecodeError::Length { what: "Bob's message", expected: 2048, actual: length });
    }
    assert!(matches!(newhope.respond_derand(&[0xFF; 1824], &[0; 32]), Err(DecodeError::Value { index: 0, .. })));
    assert!(matches!(newhope.finish(init().0, &[0xFF; 2048]), Err(DecodeError::Value { value: 16383, .. })));

    // q itself and q + 1 in every position of a group, first and last coefficient.
    for (index, value) in [(0, 12289_u64), (1, 12290), (2, 12289), (3, 16383), (1023, 12289)] {
        let set = |message: &mut [u8]| {
            let (group, bit) = (index / 4 * 7, index % 4 * 14);
            let mut word = [0; 8];
            word[..7].copy_from_slice(&message[group..group + 7]);
            let bits = u64::from_le_bytes(word) & !(0x3FFF << bit) | value << bit;
            message[group..group + 7].copy_from_slice(&bits.to_le_bytes()[..7]);
        };
        let (mut a, mut b) = (message_a, message_b);
        set(&mut a);
        set(&mut b);
        for refused in [newhope.respond_derand(&a, &[0; 32]).err(), newhope.finish(init().0, &b).err()] {
            let Some(DecodeError::Value { index: at, value: found, bound, .. }) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((at, found, bound), (index, value, 12289));
        }
    }
    assert!(newhope.secret_from_bytes(&[0; 5]).is_err() && newhope.secret_from_bytes(&[0xFF; 1792]).is_err());
}

#[test]
fn a_changed_message_changes_the_key() {
    let newhope = NewHope::new(USENIX2016);
    let (secret, message_a) = newhope.init_derand(&[1; 32], &[2; 32]);
    let (mut message_b, key) = newhope.respond_derand(&message_a, &[3; 32]).unwrap();
    message_b[0] ^= 1;
    assert!(newhope.finish(secret, &message_b).unwrap() != key);
}

#[test]
fn nothing_secret_is_printed() {
    let newhope = NewHope::new(USENIX2016);
    let (secret, message_a) = newhope.init_derand(&[1; 32], &[2; 32]);
    let (_, key) = newhope.respond_derand(&message_a, &[3; 32]).unwrap();
    assert_eq!(format!("{secret:?} {key:?}"), "InitiatorSecret(..) SecretBytes<32>(..)");
    let _: SharedKey = key;
}
