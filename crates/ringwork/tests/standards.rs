//! Standards by name: the same bytes as by type, batches, seeds in place of secret keys, and what is refused.

use ringwork::{
    schemes::{
        mldsa::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, PreHash},
        mlkem::{DecapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    standards::{Kem, Message, Refused, Signatures, kem, kems, signature, signatures},
    xwing,
};

fn bytes(count: usize, start: u8) -> Vec<u8> {
    (0..count).map(|i| start.wrapping_add((i * i % 251) as u8)).collect()
}

#[test]
fn names_are_those_of_the_standards() {
    let names: Vec<_> = kems().iter().map(|kem| kem.name()).collect();
    assert_eq!(names, ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X-Wing"]);
    let names: Vec<_> = signatures().iter().map(|scheme| scheme.name()).collect();
    assert_eq!(names, ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]);
    assert!(kem("ml-kem-768").is_none() && kem("").is_none() && signature("ML-KEM-768").is_none());
}

#[test]
fn batches_are_the_items_one_by_one() {
    for kem in kems() {
        let sizes = kem.sizes();
        let pairs = kem.keygen(&bytes(5 * sizes.seed + 3, 1));
        assert_eq!(pairs.len(), 5);
        let publics: Vec<&[u8]> = pairs.iter().map(|(public, _)| &public[..]).collect();
        let coins = bytes(5 * sizes.coins, 2);
        let answers = kem.encapsulate(&publics, &coins).expect("keys");
        for (i, coins) in coins.chunks_exact(sizes.coins).enumerate() {
            let alone = kem.encapsulate(&publics[i..=i], coins).expect("a key");
            assert!(alone[0] == answers[i], "{} {i}", kem.name());
        }
        // The first key twice, and a seed among keys.
        let seed = bytes(sizes.seed, 1);
        let secrets = [&pairs[0].1[..], &pairs[0].1, &seed, &pairs[3].1];
        let [first, fourth] = [&answers[0].0[..], &answers[3].0];
        let shared = kem.decapsulate(&secrets, &[first, fourth, first, fourth]).expect("well-formed");
        let same = |i: usize, j: usize| shared[i] == answers[j].1;
        assert!(same(0, 0) && same(2, 0) && same(3, 3) && !same(1, 3), "{}", kem.name());
        assert_eq!(kem.keygen(&[]).len() + kem.encapsulate(&[], &[]).expect("none").len(), 0);
    }
}

fn same_as_typed<P: ParameterSet>(kem: &dyn Kem) {
    let (seed, coins) = (bytes(64, 3), bytes(32, 4));
    let key = DecapsulationKey::<P>::of_seed(seed.as_slice().try_into().expect("64 bytes"));
    let (public, secret) = kem.keygen(&seed).pop().expect("one");
    assert_eq!((&public[..], &secret[..]), (key.encapsulation_key().as_bytes(), &key.to_expanded()[..]));
    let (ciphertext, shared) = kem.encapsulate(&[&public], &coins).expect("a key").pop().expect("one");
    let typed = key.encapsulation_key().encapsulate_derand(coins.as_slice().try_into().expect("32 bytes"));
    assert!(ciphertext == typed.0.to_vec() && shared.as_bytes() == typed.1.as_bytes());
    let sizes = kem.sizes();
    assert_eq!([sizes.public_key, sizes.secret_key, sizes.ciphertext], [public.len(), secret.len(), ciphertext.len()]);
}

#[test]
fn bytes_are_those_of_the_types() {
    same_as_typed::<MlKem512>(kem("ML-KEM-512").expect("known"));
    same_as_typed::<MlKem768>(kem("ML-KEM-768").expect("known"));
    same_as_typed::<MlKem1024>(kem("ML-KEM-1024").expect("known"));
    let scheme = kem("X-Wing").expect("known");
    let (public, secret) = scheme.keygen(&[5; 32]).pop().expect("one");
    let key = xwing::DecapsulationKey::from_seed(&[5; 32]);
    assert_eq!((&public[..], &secret[..]), (&key.encapsulation_key().as_bytes()[..], &[5; 32][..]));
    let (ciphertext, shared) = scheme.encapsulate(&[&public], &[6; 64]).expect("a key").pop().expect("one");
    let typed = key.encapsulation_key().encapsulate_derand(&[6; 64]);
    assert!(ciphertext == typed.0 && shared.as_bytes() == typed.1.as_bytes());
}

#[test]
fn bytes_that_are_nothing_are_refused_with_their_index() {
    for kem in kems() {
        let sizes = kem.sizes();
        let seed = bytes(sizes.seed, 1);
        let (public, secret) = kem.keygen(&seed).pop().expect("one");
        for secret in [&secret[..], &seed] {
            assert_eq!(kem.public_key(secret).as_deref(), Ok(&public[..]), "{}", kem.name());
            assert!(kem.public_key(&secret[1..]).is_err(), "{}", kem.name());
        }
        let coins = bytes(2 * sizes.coins, 2);
        let (ciphertext, _) = kem.encapsulate(&[&public], &coins[..sizes.coins]).expect("a key").pop().expect("one");
        for length in [0, 1, sizes.public_key - 1, sizes.public_key + 1] {
            let refused = kem.encapsulate(&[&public, &vec![0; length]], &coins).map(drop);
            assert!(matches!(refused, Err((1, Refused::Key(_)))), "{} {length}", kem.name());
        }
        for length in [0, 31, 33, 63, 65, sizes.secret_key - 1, sizes.secret_key + 1] {
            let refused = kem.decapsulate(&[&secret, &vec![1; length]], &[&ciphertext[..]; 2]).map(drop);
            let why = refused.expect_err("no key");
            assert!(matches!(why, (1, Refused::Key(_) | Refused::SecretKeyLength { .. })), "{} {length}", kem.name());
        }
        for length in [0, sizes.ciphertext - 1, sizes.ciphertext + 1] {
            let refused = kem.decapsulate(&[&secret[..]; 2], &[&ciphertext, &vec![1; length]]).map(drop);
            assert!(matches!(refused, Err((1, Refused::Ciphertext(_)))), "{} {length}", kem.name());
        }
        // A coefficient of q or more.
        let mut large = public.clone();
        large[..2].fill(255);
        if kem.name() != "X-Wing" {
            assert!(matches!(kem.encapsulate(&[&large], &coins[..32]), Err((0, Refused::Key(_)))));
        }
    }
}

fn signs_as_typed<P: MlDsaParams>(scheme: &dyn Signatures) {
    let (public, secret) = scheme.keygen(&[7; 32]);
    let key = ExpandedSigningKey::<P>::from_seed(&[7; 32]);
    assert_eq!((&public[..], &secret[..]), (key.verifying_key().as_bytes(), &key.to_expanded()[..]));
    let sizes = scheme.sizes();
    assert_eq!([sizes.public_key, sizes.secret_key], [public.len(), secret.len()]);
    for secret in [&secret[..], &[7; 32]] {
        assert_eq!(scheme.public_key(secret).as_deref(), Ok(&public[..]));
    }
    let hash = PreHash::of_identifier(3).expect("SHA-512");
    assert!(hash == PreHash::Sha512 && PreHash::of_identifier(0).is_none() && PreHash::of_identifier(13).is_none());
    let digest = hash.of(b"message");
    let mu = scheme.mu(&public, Message::Pure { message: b"message", context: b"context" }).expect("a key");
    let messages = [
        Message::Pure { message: b"message", context: b"context" },
        Message::Hashed { digest: &digest, context: b"context" },
        Message::Mu(&mu),
        Message::Formatted(b"\x00\x07contextmessage"),
    ];
    let signed = messages.map(|message| {
        let signature = scheme.sign(&secret, message, &[0; 32]).expect("a key");
        assert_eq!(signature, scheme.sign(&[7; 32], message, &[0; 32]).expect("a seed"));
        assert_eq!(scheme.verify(&public, message, &signature), Ok(()));
        assert_eq!(signature.len(), sizes.signature);
        signature
    });
    assert_eq!(signed[0], key.sign_deterministic(b"message", b"context").expect("a context").as_bytes());
    assert!(signed[0] == signed[2] && signed[0] == signed[3] && signed[0] != signed[1]);

    let message = messages[0];
    let other = Message::Pure { message: b"message", context: b"" };
    assert_eq!(scheme.verify(&public, other, &signed[0]), Err(Refused::Forged));
    assert_eq!(scheme.verify(&public, messages[1], &signed[0]), Err(Refused::Forged));
    for length in [0, sizes.signature - 1, sizes.signature + 1] {
        assert!(matches!(scheme.verify(&public, message, &vec![0; length]), Err(Refused::Signature(_))));
    }
    for length in [0, 31, 33, sizes.secret_key - 1, sizes.secret_key + 1] {
        assert!(matches!(scheme.public_key(&vec![0; length]), Err(Refused::SecretKeyLength { .. })));
        let refused = scheme.sign(&vec![0; length], message, &[0; 32]);
        assert!(matches!(refused, Err(Refused::SecretKeyLength { actual, .. }) if actual == length));
    }
    assert!(matches!(scheme.verify(&public[1..], message, &signed[0]), Err(Refused::Key(_))));
    let long = Message::Pure { message: b"", context: &[0; 256] };
    assert_eq!(scheme.sign(&secret, long, &[0; 32]), Err(Refused::Context { length: 256 }));
    assert_eq!(scheme.verify(&public, long, &signed[0]), Err(Refused::Context { length: 256 }));
}

#[test]
fn signatures_are_those_of_the_types() {
    signs_as_typed::<MlDsa44>(signature("ML-DSA-44").expect("known"));
    signs_as_typed::<MlDsa65>(signature("ML-DSA-65").expect("known"));
    signs_as_typed::<MlDsa87>(signature("ML-DSA-87").expect("known"));
}
