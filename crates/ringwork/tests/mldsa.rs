//! ML-DSA: known answers of NIST, agreement of backends, round trips, refusals.

use crate::{
    der::element,
    random::{Stream, hex, seed},
};
use rand_core::TryRng;
use ringwork::{
    Backend,
    decode::DecodeError,
    schemes::mldsa::{
        Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, PreHash, Signature, Signed, SigningKey,
        VerifyingKey, keygen_many,
        pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
        read_many, verify_many,
    },
    xof,
};
use serde_json::Value;

/// The tests of a file of vectors; or, where `MLDSA_VECTORS` names a file, that part of it.
fn tests(part: &str, text: &str) -> Vec<Value> {
    let found: Value = match std::env::var_os("MLDSA_VECTORS") {
        Some(path) => serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap()[part].take(),
        None => serde_json::from_str::<Value>(text).unwrap()["tests"].take(),
    };
    found.as_array().unwrap().clone()
}

/// Calls a function that is generic in the set with that of a test.
macro_rules! of_set {
    ($test:expr, $function:ident($($argument:expr),*)) => {
        match $test["set"].as_str().unwrap() {
            "ML-DSA-44" => $function::<MlDsa44>($($argument),*),
            "ML-DSA-65" => $function::<MlDsa65>($($argument),*),
            "ML-DSA-87" => $function::<MlDsa87>($($argument),*),
            other => panic!("no set {other}"),
        }
    };
}

#[test]
fn keys_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = SigningKey::<P>::with_backend(backend, &hex(&test["seed"]).try_into().unwrap());
        assert_eq!(key.verifying_key().as_bytes(), hex(&test["public_key"]), "{backend} {}", test["id"]);
        assert_eq!(key.to_expanded()[..], hex(&test["secret_key"]), "{backend} {}", test["id"]);
    }
    let tests = tests("keygen", include_str!("../../../vectors/standards/mldsa-keygen.json"));
    assert!(tests.len() >= 15);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}

#[test]
fn signatures_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = ExpandedSigningKey::<P>::from_expanded_with_backend(backend, &hex(&test["secret_key"])).unwrap();
        let (message, expected) = (hex(&test["message"]), hex(&test["signature"]));
        let signature = key.sign_internal(&[&message], &hex(&test["randomness"]).try_into().unwrap());
        assert_eq!(signature.as_bytes(), expected, "{backend} {}", test["id"]);
        assert!(key.verifying_key().verify_internal(&message, &signature), "{backend} {}", test["id"]);
    }
    let tests = tests("siggen", include_str!("../../../vectors/standards/mldsa-siggen.json"));
    assert!(tests.len() >= 18);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}

#[test]
fn verdicts_of_nist() {
    fn check<P: MlDsaParams>(test: &Value, backend: Backend) {
        let key = VerifyingKey::<P>::with_backend(backend, &hex(&test["public_key"])).unwrap();
        let verdict = Signature::<P>::from_bytes(&hex(&test["signature"]))
            .is_ok_and(|signature| key.verify_internal(&hex(&test["message"]), &signature));
        assert_eq!(verdict, test["valid"].as_bool().unwrap(), "{backend} {} {}", test["id"], test["reason"]);
    }
    let tests = tests("sigver", include_str!("../../../vectors/standards/mldsa-sigver.json"));
    assert!(tests.len() >= 24);
    for backend in Backend::available() {
        tests.iter().for_each(|test| of_set!(test, check(test, backend)));
    }
}

const CONTEXT: &[u8] = b"a context";

/// Keys and signatures of two other implementations, for some seeds of each set: the same keys,
/// the same signatures, hedged ones too, and each accepts and refuses what the others do.
#[test]
fn other_implementations_agree() {
    macro_rules! compare {
        ($set:ident, $other:ident, $rounds:expr, $stream:expr) => {
            for round in 0..crate::rounds($rounds) {
                let (mut seed, mut randomness, mut message) = ([0; 32], [0; 32], [0; 50]);
                for bytes in [&mut seed[..], &mut randomness, &mut message] {
                    $stream.try_fill_bytes(bytes).unwrap();
                }
                let key = SigningKey::<$set>::from_seed(&seed);
                let public = key.verifying_key();
                let deterministic = key.sign_deterministic(&message, CONTEXT).unwrap();
                let hedged = key.sign_mu(&public.mu(&message, CONTEXT).unwrap(), &randomness);
                let mut changed = hedged.to_bytes();
                changed[usize::from(message[0]) + 8 * usize::from(message[1])] ^= 1 << (message[2] & 7);
                let verdict = public.verify_bytes(&message, CONTEXT, &changed).is_ok();
                assert!(!verdict, "{round}");

                let theirs = ml_dsa::SigningKey::<ml_dsa::$set>::from_seed(&seed.into());
                let verifying = theirs.expanded_key().verifying_key();
                assert!(verifying.encode()[..] == *public.as_bytes(), "{round}");
                let signature = theirs.expanded_key().sign_deterministic(&message, CONTEXT).unwrap();
                assert!(signature.encode()[..] == *deterministic.as_bytes(), "{round}");
                let signature = ml_dsa::Signature::try_from(hedged.as_bytes()).unwrap();
                assert!(verifying.verify_with_context(&message, CONTEXT, &signature), "{round}");
                let signature = ml_dsa::Signature::try_from(&changed[..]);
                assert!(!signature.is_ok_and(|s| verifying.verify_with_context(&message, CONTEXT, &s)), "{round}");

                use libcrux_ml_dsa::$other::{generate_key_pair, sign, verify};
                let theirs = generate_key_pair(seed);
                assert!(theirs.verification_key.as_slice() == public.as_bytes(), "{round}");
                assert!(theirs.signing_key.as_slice() == &key.to_expanded()[..], "{round}");
                let signature = sign(&theirs.signing_key, &message, CONTEXT, randomness).unwrap();
                assert!(signature.as_slice() == hedged.as_bytes(), "{round}");
                assert!(verify(&theirs.verification_key, &message, CONTEXT, &signature).is_ok(), "{round}");
                let changed = libcrux_ml_dsa::MLDSASignature::new(changed);
                assert!(verify(&theirs.verification_key, &message, CONTEXT, &changed).is_err(), "{round}");
            }
        };
    }
    let mut stream = Stream(1 << 48);
    compare!(MlDsa44, ml_dsa_44, 500, stream);
    compare!(MlDsa65, ml_dsa_65, 500, stream);
    compare!(MlDsa87, ml_dsa_87, 500, stream);
}

/// Whatever the backend, keys and signatures are the same, and each one accepts those of another.
#[test]
fn backends_agree() {
    fn check<P: MlDsaParams>() {
        let scalar = SigningKey::<P>::with_backend(Backend::Scalar, &seed(1));
        for backend in Backend::available() {
            let key = SigningKey::<P>::with_backend(backend, &seed(1));
            assert_eq!(key.to_expanded()[..], scalar.to_expanded()[..], "{backend}");
            let public = VerifyingKey::<P>::with_backend(backend, scalar.verifying_key().as_bytes()).unwrap();
            for number in 0..10 {
                let message = vec![number as u8; 40 * number];
                let signature = key.sign_deterministic(&message, CONTEXT).unwrap();
                assert_eq!(signature, scalar.sign_deterministic(&message, CONTEXT).unwrap(), "{backend}");
                assert!(public.verify_with_context(&message, CONTEXT, &signature), "{backend}");
            }
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

#[test]
fn round_trips() {
    fn check<P: MlDsaParams>() {
        let mut rng = Stream(u64::from(P::PARAMETERS.k as u8) << 32);
        for number in 0..60 {
            let key = SigningKey::<P>::generate_from_rng(&mut rng);
            let again = SigningKey::<P>::from_seed(key.as_seed());
            let expanded = ExpandedSigningKey::<P>::from_expanded(&key.to_expanded()).unwrap();
            let public = VerifyingKey::<P>::from_bytes(key.verifying_key().as_bytes()).unwrap();
            assert!(public == key.verifying_key() && public == expanded.verifying_key());
            let message = vec![number; 7 * usize::from(number)];
            let hedged = again.sign_randomized(&message, CONTEXT, &mut rng).unwrap();
            let deterministic = expanded.sign_deterministic(&message, CONTEXT).unwrap();
            assert!(hedged != deterministic);
            assert!(deterministic == key.sign_deterministic(&message, CONTEXT).unwrap());
            for signature in [hedged, deterministic] {
                assert_eq!(public.verify_bytes(&message, CONTEXT, signature.as_bytes()), Ok(()));
                assert_eq!(key.verifying_key().verify_bytes(&message, CONTEXT, signature.as_bytes()), Ok(()));
                let other =
                    |message: &[u8], context: &[u8]| public.verify_bytes(message, context, signature.as_bytes());
                assert_eq!(other(&message, b""), Err(Error::Forged));
                assert_eq!(other(b"another message", CONTEXT), Err(Error::Forged));
                assert_eq!(Signature::<P>::from_bytes(signature.to_bytes().as_ref()), Ok(signature));
            }
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// A message, its digests and representatives: each has signatures of its own.
#[test]
fn digests_and_representatives() {
    let key = SigningKey::<MlDsa65>::from_seed(&seed(2));
    let public = key.verifying_key();
    let message = b"what is hashed first";
    let mut seen = vec![public.mu(message, CONTEXT).unwrap()];
    for hash in PreHash::ALL {
        let digest = hash.of(message);
        let mu = public.mu_prehashed(&digest, CONTEXT).unwrap();
        assert!(!seen.contains(&mu), "{hash:?}");
        seen.push(mu);
        let signature = key.sign_prehashed_deterministic(&digest, CONTEXT).unwrap();
        assert!(signature == key.sign_mu_deterministic(&mu));
        assert!(public.verify_prehashed(&digest, CONTEXT, &signature) && public.verify_mu(&mu, &signature));
        assert!(!public.verify_prehashed(&digest, b"", &signature));
        assert!(!public.verify_with_context(message, CONTEXT, &signature));
        let hedged = key.sign_prehashed_randomized(&digest, CONTEXT, &mut Stream(3)).unwrap();
        assert!(hedged != signature && public.verify_prehashed(&digest, CONTEXT, &hedged));
        for length in [0, hash.bytes() - 1, hash.bytes() + 1] {
            let expected = DecodeError::Length { what: "a digest", expected: hash.bytes(), actual: length };
            assert_eq!(hash.digest(&vec![0; length]), Err(expected));
        }
    }
    let sha3 = PreHash::Sha3_256.digest(&xof::sha3_256(message)).unwrap();
    assert!(sha3 == PreHash::Sha3_256.of(message));
}

/// However a message is cut into pieces.
#[test]
fn messages_come_piece_by_piece() {
    let public = SigningKey::<MlDsa44>::from_seed(&seed(2)).verifying_key();
    let mut message = vec![0; 1000];
    Stream(5).try_fill_bytes(&mut message).unwrap();
    for piece in [1, 7, 135, 136, 137, 999, 1000] {
        let mut mu = public.mu_builder(CONTEXT).unwrap();
        message.chunks(piece).for_each(|piece| mu.update(piece));
        assert_eq!(mu.finish(), public.mu(&message, CONTEXT).unwrap());
        for hash in PreHash::ALL {
            let mut hasher = hash.hasher();
            message.chunks(piece).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finish(), hash.of(&message), "{hash:?}");
        }
    }
    assert_eq!(public.mu_builder(&[0; 256]).err(), Some(Error::Context { length: 256 }));
    assert_eq!(public.mu_builder(b"").unwrap().finish(), public.mu(b"", b"").unwrap());
}

/// M' of HashML-DSA, byte by byte: 1, the length of the context, the context, the object identifier
/// of SHA-512 as in section 5.4 of FIPS 204, the digest.
#[test]
fn a_digest_is_framed_as_the_standard_says() {
    let key = SigningKey::<MlDsa44>::from_seed(&seed(3));
    let identifier = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03];
    let digest = xof::sha512(b"abc");
    let expected = key.sign_internal(&[&[1, 9], CONTEXT, &identifier, &digest], &[0; 32]);
    assert!(key.sign_prehashed_deterministic(&PreHash::Sha512.of(b"abc"), CONTEXT).unwrap() == expected);
    let expected = key.sign_internal(&[&[0, 9], CONTEXT, b"abc"], &[0; 32]);
    assert!(key.sign_deterministic(b"abc", CONTEXT).unwrap() == expected);
}

#[test]
fn contexts_that_are_too_long() {
    let key = SigningKey::<MlDsa44>::from_seed(&seed(4));
    let public = key.verifying_key();
    let longest = key.sign_deterministic(b"", &[1; 255]).unwrap();
    assert!(public.verify_with_context(b"", &[1; 255], &longest));
    for length in [256, 257, 511, 65_536] {
        let context = vec![1; length];
        let refused = Error::Context { length };
        assert_eq!(key.sign_deterministic(b"", &context).err(), Some(refused));
        assert_eq!(key.sign_randomized(b"", &context, &mut Stream(4)).err(), Some(refused));
        assert_eq!(key.sign_prehashed_deterministic(&PreHash::Sha256.of(b""), &context).err(), Some(refused));
        assert_eq!(public.verify_bytes(b"", &context, longest.as_bytes()), Err(refused));
        assert!(!public.verify_with_context(b"", &context, &longest));
        assert!(!public.verify_prehashed(&PreHash::Sha256.of(b""), &context, &longest));
        assert_eq!(refused.to_string(), format!("a context has at most 255 bytes, this has {length}"));
    }
}

#[test]
fn wrong_lengths_are_refused() {
    fn check<P: MlDsaParams>() {
        let set = P::PARAMETERS;
        let lengths = |expected: usize| [0, 1, 31, expected - 1, expected + 1, 2 * expected].map(|l| (expected, l));
        for (expected, actual) in lengths(set.public_key_bytes()) {
            let refused = VerifyingKey::<P>::from_bytes(&vec![1; actual]).unwrap_err();
            assert_eq!(refused, DecodeError::Length { what: "an ML-DSA public key", expected, actual });
        }
        for (expected, actual) in lengths(set.secret_key_bytes()) {
            let refused = ExpandedSigningKey::<P>::from_expanded(&vec![1; actual]).unwrap_err();
            assert_eq!(refused, DecodeError::Length { what: "an expanded ML-DSA secret key", expected, actual });
        }
        let public = SigningKey::<P>::from_seed(&seed(5)).verifying_key();
        for (expected, actual) in lengths(set.signature_bytes()) {
            let refused = DecodeError::Length { what: "an ML-DSA signature", expected, actual };
            assert_eq!(Signature::<P>::from_bytes(&vec![1; actual]), Err(refused));
            assert_eq!(public.verify_bytes(b"", b"", &vec![1; actual]), Err(Error::Decode(refused)));
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// Every changed bit of a signature is noticed, and every form of a hint but one.
#[test]
fn changed_signatures_are_refused() {
    fn check<P: MlDsaParams>(step: usize) {
        let set = P::PARAMETERS;
        let key = SigningKey::<P>::from_seed(&seed(6));
        let public = key.verifying_key();
        let signature = key.sign_deterministic(b"message", CONTEXT).unwrap().as_bytes().to_vec();
        let verdict = |bytes: &[u8]| public.verify_bytes(b"message", CONTEXT, bytes);
        assert_eq!(verdict(&signature), Ok(()));
        for bit in (0..8 * signature.len()).step_by(step) {
            let mut changed = signature.clone();
            changed[bit >> 3] ^= 1 << (bit & 7);
            assert!(verdict(&changed).is_err(), "bit {bit}");
        }

        let hint = signature.len() - set.omega - set.k;
        let ends = signature.len() - set.k;
        let changed = |change: &dyn Fn(&mut [u8])| {
            let mut changed = signature.clone();
            change(&mut changed);
            match verdict(&changed) {
                Err(Error::Decode(refusal)) => {
                    assert_eq!(Signature::<P>::from_bytes(&changed).err(), Some(refusal));
                    refusal
                }
                other => panic!("{other:?}"),
            }
        };
        let what = "the hint of an ML-DSA signature";
        let ones = usize::from(signature[signature.len() - 1]);
        assert!(ones < set.omega && signature[ends] >= 2, "so that these tests apply");
        // positions that do not rise, twice the same, a number that falls, too many, padding
        assert!(matches!(changed(&|s| s.swap(hint, hint + 1)), DecodeError::Value { index: 0, .. }));
        assert!(matches!(changed(&|s| s[hint] = s[hint + 1]), DecodeError::Value { index: 0, .. }));
        assert_eq!(changed(&|s| s[ends + 1] = s[ends] - 1), DecodeError::End(what));
        for count in [set.omega as u8 + 1, 255] {
            let (index, bound) = (set.omega + set.k - 1, set.omega as u64 + 1);
            let refused = DecodeError::Value { what, index, value: count.into(), bound };
            assert_eq!(changed(&|s| *s.last_mut().unwrap() = count), refused);
        }
        assert_eq!(changed(&|s| s[ends - 1] = 1), DecodeError::Padding(what));

        // z = γ1 - x with x = 0, x = β and x = 2γ1 - β are out of range, x = β + 1 is not
        let bound = (set.gamma1 - set.tau as i32 * set.eta) as u64;
        let bits = 1 + set.gamma1.ilog2();
        let z = set.lambda / 4;
        let with = |x: u32| {
            move |s: &mut [u8]| {
                let mut first = u32::from_le_bytes(s[z..z + 4].try_into().unwrap());
                first = first >> bits << bits | x;
                s[z..z + 4].copy_from_slice(&first.to_le_bytes());
            }
        };
        let beta = set.beta() as u32;
        for x in [0, beta, 2 * set.gamma1 as u32 - beta] {
            let value = u64::from((set.gamma1 - x as i32).unsigned_abs());
            let refused = DecodeError::Value { what: "z of an ML-DSA signature", index: 0, value, bound };
            assert_eq!(changed(&with(x)), refused);
        }
        let mut largest = signature.clone();
        with(beta + 1)(&mut largest);
        assert_eq!(verdict(&largest), Err(Error::Forged));
    }
    check::<MlDsa44>(5);
    check::<MlDsa65>(7);
    check::<MlDsa87>(11);
}

#[test]
fn any_bytes_are_taken_without_a_panic() {
    fn check<P: MlDsaParams>() {
        let set = P::PARAMETERS;
        for fill in [0, 1, 0x55, 0x80, 0xFE, 0xFF] {
            let public = VerifyingKey::<P>::from_bytes(&vec![fill; set.public_key_bytes()]).unwrap();
            for signature in [0, 1, 0x7F, 0xFF] {
                assert!(public.verify_bytes(b"", b"", &vec![signature; set.signature_bytes()]).is_err());
            }
            assert!(ExpandedSigningKey::<P>::from_expanded(&vec![fill; set.secret_key_bytes()]).is_err());
        }
        for number in 0..20 {
            let mut bytes = vec![0; 6000];
            xof::chacha20(&seed(7), [number; 8], &mut bytes);
            let public = VerifyingKey::<P>::from_bytes(&bytes[..set.public_key_bytes()]).unwrap();
            assert!(public.verify_bytes(b"", b"", &bytes[..set.signature_bytes()]).is_err());
            bytes[set.signature_bytes() - set.omega - set.k..].fill(0); // no hint
            assert!(public.verify_bytes(b"", b"", &bytes[..set.signature_bytes()]).is_err());
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// Each part of an expanded key is checked against the others.
#[test]
fn damaged_secret_keys_are_refused() {
    fn check<P: MlDsaParams>() {
        let set = P::PARAMETERS;
        let key = SigningKey::<P>::from_seed(&seed(8));
        let bytes = key.to_expanded();
        let changed = |at: usize, mask: u8| {
            let mut changed = bytes.to_vec();
            changed[at] ^= mask;
            ExpandedSigningKey::<P>::from_expanded(&changed).err()
        };
        let t0 = bytes.len() - 13 * 32 * set.k;
        // ρ, tr, t0. Any K belongs to the rest.
        for at in [0, 31, 64, 127, t0, bytes.len() - 1] {
            assert_eq!(changed(at, 1), Some(DecodeError::Mismatch), "byte {at}");
        }
        assert_eq!(changed(40, 1), None);
        for at in 128..t0 {
            let mut changed = bytes.to_vec();
            changed[at] = 0xFF; // a coefficient of 2 - 7 or 4 - 15 at least
            let refused = ExpandedSigningKey::<P>::from_expanded(&changed).err();
            assert_eq!(refused, Some(DecodeError::Secret("an expanded ML-DSA secret key")), "byte {at}");
            if at > 140 {
                break;
            }
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// As the crate `signature` wants it, with nothing but its traits.
#[test]
fn by_the_traits() {
    use ringwork::schemes::mldsa::signature::{
        Keypair, MultipartSigner, MultipartVerifier, RandomizedSigner, SignatureEncoding, Signer, Verifier,
    };
    fn check<S, K>(key: &K)
    where
        S: SignatureEncoding,
        K: Keypair<VerifyingKey: Verifier<S> + MultipartVerifier<S>>,
        K: Signer<S> + MultipartSigner<S> + RandomizedSigner<S>,
    {
        let public = key.verifying_key();
        let signature = key.sign(b"message");
        assert_eq!(key.multipart_sign(&[b"mess", b"", b"age"]).to_vec(), signature.to_vec());
        let hedged = key.sign_with_rng(&mut Stream(9), b"message");
        assert!(hedged.to_vec() != signature.to_vec());
        for signature in [signature, hedged] {
            let signature = S::try_from(&signature.to_vec()[..]).ok().unwrap();
            public.verify(b"message", &signature).unwrap();
            public.multipart_verify(&[b"m", b"essage"], &signature).unwrap();
            public.verify(b"massage", &signature).unwrap_err();
        }
    }
    let key = SigningKey::<MlDsa44>::from_seed(&seed(9));
    check::<Signature<MlDsa44>, _>(&key);
    check::<Signature<MlDsa44>, _>(key.expanded_key());
}

#[test]
fn nothing_is_printed() {
    let key = SigningKey::<MlDsa65>::from_seed(&seed(10));
    let signature = key.sign_deterministic(b"", b"").unwrap();
    let printed = format!("{key:?} {:?} {:?} {signature:?}", key.expanded_key(), key.verifying_key());
    let expected = "SigningKey<ML-DSA-65>(..) ExpandedSigningKey<ML-DSA-65>(..) VerifyingKey<ML-DSA-65>(..) \
                    Signature<ML-DSA-65>(..)";
    assert_eq!(printed, expected);
}

/// The examples of RFC 9881, appendix C, and what differs from them.
fn documents<P: MlDsaParams>([private, public]: [&str; 2]) {
    let [private, public] = [private, public].map(|digits| hex(&Value::from(digits.trim())));
    let key = SigningKey::<P>::from_pkcs8_der(&private).unwrap();
    assert_eq!(key.as_seed(), &core::array::from_fn(|i| i as u8));
    assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), private);
    let verifying = VerifyingKey::<P>::from_public_key_der(&public).unwrap();
    assert_eq!(verifying, key.verifying_key());
    assert_eq!(verifying.to_public_key_der().unwrap().as_bytes(), public);
    let pem = key.to_pkcs8_pem(Default::default()).unwrap();
    assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----"));
    assert_eq!(SigningKey::<P>::from_pkcs8_pem(&pem).unwrap(), key);

    // Expanded and both: the seed's element begins 34 bytes before the end.
    let (head, seed) = private.split_at(private.len() - 34);
    let algorithm = &head[head.len() - 2 - 13..head.len() - 2];
    let expanded = element(4, &key.to_expanded());
    let document = |algorithm: &[u8], key: &[u8]| element(0x30, &[&[2, 1, 0], algorithm, &element(4, key)].concat());
    assert_eq!(document(algorithm, seed), private);
    let with_seed = |key: &[u8]| SigningKey::<P>::from_pkcs8_der(&document(algorithm, key));
    let any = |key: &[u8]| ExpandedSigningKey::<P>::from_pkcs8_der(&document(algorithm, key));
    assert!(with_seed(&expanded).is_err(), "no seed is known");
    let plain = element(4, &seed[2..]);
    let both = element(0x30, &[&plain[..], &expanded].concat());
    for form in [seed, &expanded, &both] {
        assert_eq!(any(form).unwrap(), *key.expanded_key());
    }
    assert_eq!(with_seed(&both).unwrap(), key);

    // Both, of two keys, in either place; and the expanded key with a hash that is not that of its public key.
    let other = SigningKey::<P>::from_seed(&[7; 32]);
    let mut hash = key.to_expanded();
    hash[64] ^= 1;
    let of_two = |seed: &[u8], expanded: &[u8]| element(0x30, &[element(4, seed), element(4, expanded)].concat());
    let mismatches = [
        of_two(other.as_seed(), &key.to_expanded()),
        of_two(key.as_seed(), &other.to_expanded()),
        of_two(key.as_seed(), &hash),
        element(4, &hash),
    ];
    // Pieces that are missing, too short or too long, of another tag; something behind.
    let malformed = [
        element(0x80, &seed[2..33]),
        element(0x80, &[&seed[2..], &[0]].concat()),
        element(0x30, &plain),
        element(0x30, &expanded),
        element(0x30, &[&expanded[..], &plain].concat()),
        element(0x30, &[&both[both.len() - expanded.len() - plain.len()..], &[5, 0]].concat()),
        element(0x81, &seed[2..]),
        element(0xA0, &plain),
        plain,
        vec![],
        vec![0x80],
        [seed, &[0]].concat(),
        expanded[..expanded.len() - 1].to_vec(),
    ];
    for key in mismatches.iter().chain(&malformed) {
        assert!(any(key).is_err() && with_seed(key).is_err(), "{:02x?}", &key[..key.len().min(40)]);
    }
    // Parameters, which must be absent; other algorithms.
    let mut with_null = algorithm.to_vec();
    with_null[1] += 2;
    with_null.extend([5, 0]);
    assert!(SigningKey::<P>::from_pkcs8_der(&document(&with_null, seed)).is_err());
    let mut wrong = algorithm.to_vec();
    *wrong.last_mut().unwrap() = 32;
    assert!(SigningKey::<P>::from_pkcs8_der(&document(&wrong, seed)).is_err());
    for length in 0..private.len() {
        assert!(SigningKey::<P>::from_pkcs8_der(&private[..length]).is_err());
    }
    for length in [0, 1, 20, public.len() - 1] {
        assert!(VerifyingKey::<P>::from_public_key_der(&public[..length]).is_err());
    }
}

#[test]
fn documents_are_those_of_the_rfc() {
    macro_rules! examples {
        ($name:literal) => {
            [
                include_str!(concat!("../../../vectors/der/", $name, ".pkcs8-seed.hex")),
                include_str!(concat!("../../../vectors/der/", $name, ".spki.hex")),
            ]
        };
    }
    documents::<MlDsa44>(examples!("ML-DSA-44"));
    documents::<MlDsa65>(examples!("ML-DSA-65"));
    documents::<MlDsa87>(examples!("ML-DSA-87"));
    let [private, public] = examples!("ML-DSA-65").map(|digits| hex(&Value::from(digits.trim())));
    assert!(SigningKey::<MlDsa44>::from_pkcs8_der(&private).is_err(), "the identifier of another set");
    assert!(VerifyingKey::<MlDsa87>::from_public_key_der(&public).is_err(), "the identifier of another set");
}

/// Batches of every size answer as single calls do, whatever is wrong with what is in them.
#[test]
fn batches_are_single_calls() {
    fn check<P: MlDsaParams>() {
        let backends: Vec<Backend> = Backend::available().collect();
        let seeds: Vec<_> = (0..9).map(|i| seed(20 + i)).collect();
        let keys: Vec<_> = seeds.iter().map(SigningKey::<P>::from_seed).collect();
        for count in [0, 1, 2, 4, 5, 9] {
            let many = keygen_many::<P>(&seeds[..count]);
            assert_eq!(many, keys[..count]);
            for (made, key) in many.iter().zip(&keys) {
                assert_eq!(made.to_expanded()[..], key.to_expanded()[..]);
                assert_eq!(made.verifying_key(), key.verifying_key());
            }
        }
        let bytes: Vec<_> = keys.iter().map(|key| key.verifying_key().to_bytes()).collect();
        let mut given: Vec<&[u8]> = bytes.iter().map(AsRef::as_ref).collect();
        given.insert(4, &bytes[0].as_ref()[1..]);
        let mut read = read_many::<P>(&given);
        assert_eq!(read.remove(4).err(), VerifyingKey::<P>::from_bytes(given[4]).err());
        let public: Vec<_> = read.into_iter().map(Result::unwrap).collect();
        assert!(public.iter().zip(&keys).all(|(public, key)| *public == key.verifying_key()));

        let messages: Vec<Vec<u8>> = (0..9).map(|i| vec![i as u8; 50 * i]).collect();
        let long = [0; 256];
        let mut signatures: Vec<Vec<u8>> = Vec::new();
        for (i, (key, message)) in keys.iter().zip(&messages).enumerate() {
            let mut signature = key.sign_deterministic(message, CONTEXT).unwrap().as_bytes().to_vec();
            match i {
                1 => signature[0] ^= 1,
                2 => signature.truncate(100),
                3 => signature.fill(0xFF),
                _ => {}
            }
            signatures.push(signature);
        }
        let elsewhere = VerifyingKey::<P>::with_backend(backends[0], bytes[7].as_ref()).unwrap();
        for count in [0, 1, 2, 3, 5, 9] {
            let signed: Vec<_> = (0..count)
                .map(|i| Signed {
                    key: if i == 7 { &elsewhere } else { &public[i] },
                    message: &messages[i],
                    context: if i == 5 { &long } else { CONTEXT },
                    signature: &signatures[i],
                })
                .collect();
            let single = |s: &Signed<'_, P>| s.key.verify_bytes(s.message, s.context, s.signature);
            let answers = verify_many(&signed);
            assert_eq!(answers, signed.iter().map(single).collect::<Vec<_>>());
            assert!(answers.iter().enumerate().all(|(i, answer)| answer.is_ok() != [1, 2, 3, 5].contains(&i)));
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}
