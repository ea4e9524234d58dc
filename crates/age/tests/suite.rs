//! Files for these recipients, by the crate `age`.

#![forbid(unsafe_code)]

mod keys;

use age::secrecy::ExposeSecret;
use ringwork_age::{KeyError, hybrid, research};

#[test]
fn hybrid_keys_seal_and_open() {
    let identity = hybrid::Identity::generate();
    let recipient = identity.to_public();
    assert!(recipient.to_string().starts_with("age1pq1") && recipient.to_string().len() == 1959);
    let text = identity.to_text();
    assert!(text.expose_secret().starts_with("AGE-SECRET-KEY-PQ-1") && text.expose_secret().len() == 77);
    let again: hybrid::Identity = text.expose_secret().parse().unwrap();
    assert_eq!(again.to_public(), recipient);
    assert_eq!(recipient.to_string().parse::<hybrid::Recipient>().unwrap(), recipient);
    assert_eq!(format!("{identity:?}"), "Identity(..)");

    let message = vec![7; 200_000];
    let sealed = age::encrypt(&recipient, &message).unwrap();
    assert!(sealed.starts_with(b"age-encryption.org/v1\n-> mlkem768x25519 "));
    assert_eq!(age::decrypt(&again, &sealed).unwrap(), message);
    assert!(age::decrypt(&hybrid::Identity::generate(), &sealed).is_err());
    for at in [30, 1700, sealed.len() - 1] {
        let mut bad = sealed.clone();
        bad[at] ^= 1;
        assert!(age::decrypt(&identity, &bad).is_err(), "byte {at}");
    }
}

/// Bech32 without a limit of length.
enum Long {}

impl bech32::Checksum for Long {
    type MidstateRepr = u32;
    const CODE_LENGTH: usize = usize::MAX;
    const CHECKSUM_LENGTH: usize = bech32::Bech32::CHECKSUM_LENGTH;
    const GENERATOR_SH: [u32; 5] = bech32::Bech32::GENERATOR_SH;
    const TARGET_RESIDUE: u32 = bech32::Bech32::TARGET_RESIDUE;
}

/// A key with that prefix and these bytes.
fn encoded(prefix: &str, bytes: &[u8]) -> String {
    bech32::encode::<Long>(bech32::Hrp::parse(prefix).unwrap(), bytes).unwrap()
}

#[test]
fn wrong_keys_are_refused_with_a_reason() {
    let identity = hybrid::Identity::generate();
    let recipient = identity.to_public().to_string();
    let of = |text: &str| text.parse::<hybrid::Recipient>().unwrap_err();
    let x25519 = age::x25519::Identity::generate().to_public().to_string();
    assert_eq!(of(&x25519).to_string(), "it begins with age1, and such keys with age1pq1");
    assert!(matches!(of(&recipient[..recipient.len() - 1]), KeyError::Bech32(_)));
    assert!(matches!(of(&recipient.replace("age1pq1", "age1pq1q")), KeyError::Bech32(_)));
    assert!(matches!(of(""), KeyError::Bech32(_)));
    let secret = identity.to_text();
    assert!(matches!(of(secret.expose_secret()), KeyError::Prefix { .. }));
    let short = encoded("age1pq", &[0; 32]);
    assert_eq!(of(&short).to_string(), "an X-Wing public key has 1216 bytes, this has 32");
    let large = encoded("age1pq", &[0xFF; 1216]);
    assert_eq!(of(&large).to_string(), "an encapsulation key: number 0 is 4095, not below 3329");
}

#[test]
fn labels_keep_kinds_apart() {
    let (hybrid, plain) = (hybrid::Identity::generate().to_public(), age::x25519::Identity::generate().to_public());
    let recipients: [&dyn age::Recipient; 2] = [&hybrid, &plain];
    assert!(
        age::Encryptor::with_recipients(recipients.into_iter()).is_ok_and(|e| e.wrap_output(Vec::new()).is_err())
            || age::Encryptor::with_recipients(recipients.into_iter()).is_err()
    );
    let research = research::Identity::generate("nttru-768").unwrap().to_public();
    let recipients: [&dyn age::Recipient; 2] = [&hybrid, &research];
    assert!(age::Encryptor::with_recipients(recipients.into_iter()).is_err());
}

#[test]
fn research_schemes_are_recipients() {
    assert!(research::schemes().count() >= 4 && research::Identity::generate("x25519").is_none());
    for scheme in research::schemes().filter(|scheme| *scheme != "lwe-768") {
        let identity = research::Identity::generate(scheme).unwrap();
        let recipient: research::Recipient = identity.to_public().to_string().parse().unwrap();
        assert_eq!((recipient.scheme(), identity.scheme()), (scheme, scheme));
        let text = identity.to_text();
        assert!(text.expose_secret().starts_with("AGE-PLUGIN-RINGWORK-1"));
        let again: research::Identity = text.expose_secret().parse().unwrap();
        let sealed = age::encrypt(&recipient, b"message").unwrap();
        assert_eq!(age::decrypt(&again, &sealed).unwrap(), b"message");
        assert!(age::decrypt(&research::Identity::generate(scheme).unwrap(), &sealed).is_err());
    }
    let wrong = research::Recipient::from_bytes(b"kyber-90s\n").unwrap_err();
    assert!(wrong.to_string().contains("there are") && wrong.to_string().contains("nttru-768"));
    assert!(
        research::Recipient::from_bytes(b"nttru-768\nshort").is_err() && research::Identity::from_bytes(b"").is_err()
    );
}
