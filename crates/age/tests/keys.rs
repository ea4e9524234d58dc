//! Keys of any kind: what is read, what is refused and why, and what they do with a file.

use crate::{Long, encoded};
use age::{Identity as _, Recipient as _, secrecy::ExposeSecret};
use age_core::format::{FileKey, Stanza};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD as BASE64};
use ringwork_age::{
    KeyError, hybrid,
    keys::{Identity, Recipient, STANDARD, identities, recipients},
    research,
};

const RESEARCH: &str = "nttru-768";

/// One identity of each kind.
fn each() -> [Identity; 3] {
    [STANDARD[0], STANDARD[1], RESEARCH].map(|scheme| Identity::generate(scheme).unwrap())
}

fn text_of(identity: &Identity) -> String {
    identity.to_text().expose_secret().into()
}

#[test]
fn keys_of_every_kind_are_read_and_open_what_they_seal() {
    assert!(Identity::generate("rot13").is_none());
    for (identity, scheme) in each().iter().zip([STANDARD[0], STANDARD[1], RESEARCH]) {
        let recipient: Recipient = format!(" {}\n", identity.to_public()).parse().unwrap();
        let again: Identity = text_of(identity).parse().unwrap();
        assert_eq!([recipient.scheme(), identity.scheme(), again.scheme()], [scheme; 3]);
        assert_eq!(again.to_public().to_string(), recipient.to_string());
        assert_eq!(format!("{identity:?}"), format!("Identity({scheme}, ..)"));
        let sealed = age::encrypt(&recipient, b"message").unwrap();
        assert_eq!(age::decrypt(&again, &sealed).unwrap(), b"message");
        assert!(age::decrypt(&Identity::generate(scheme).unwrap(), &sealed).is_err());
    }
}

#[test]
fn what_is_shown_of_a_key() {
    let hybrid = hybrid::Identity::generate();
    assert_eq!(format!("{:?}", hybrid.to_public()), hybrid.to_public().to_string());
    let research = research::Identity::generate(RESEARCH).unwrap();
    assert_eq!(format!("{research:?}"), "Identity(nttru-768, ..)");
    assert_eq!(format!("{:?}", research.to_public()), "Recipient(nttru-768, ..)");
    assert_eq!(research.to_public().research_reason(), None);
    let weak = research::Identity::generate("rlwe-p1").unwrap().to_public();
    assert!(weak.research_reason().is_some_and(|reason| reason.starts_with("rlwe-p1 loses a file")));
}

/// Parameters for measuring travel with their keys, in one form.
#[test]
fn keys_for_measuring_name_their_parameters() {
    const SCHEME: &str = "lwe-for-measuring:N=256,q=12289,p=3,m=2,n=3,k=1,l=1,beta=2";
    let identity = Identity::generate(SCHEME).unwrap();
    let recipient: Recipient = identity.to_public().to_string().parse().unwrap();
    let again: Identity = text_of(&identity).parse().unwrap();
    assert_eq!([recipient.scheme(), again.scheme()], [SCHEME; 2]);
    let Recipient::Research(research) = &recipient else { panic!("it is of another kind") };
    assert!(research.is_for_measuring() && research.research_reason().unwrap().contains("for measuring"));
    let named = research::Identity::generate(RESEARCH).unwrap().to_public();
    assert!(!named.is_for_measuring());
    let sealed = age::encrypt(&recipient, b"message").unwrap();
    assert_eq!(age::decrypt(&again, &sealed).unwrap(), b"message");
    // Other spellings of the same parameters, parameters that are refused, and none.
    for (name, words) in [
        ("lwe-for-measuring:N=256,q=12289,p=3,m=2,n=3", "parameters are written"),
        ("lwe-for-measuring:N=1,q=12289,p=3,m=2,n=3,k=1,l=1,beta=2", "too short"),
        ("lwe-for-measuring:N=131072,q=12289,p=3,m=64,n=64,k=1,l=1,beta=2", "more than 67108864"),
        ("lwe-for-measuring", "not known here"),
    ] {
        let text = encoded("age1ringwork", &[name.as_bytes(), b"\n", &[0; 928]].concat());
        let why = text.parse::<Recipient>().unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
        assert!(Identity::generate(name).is_none());
    }
}

#[test]
fn files_have_a_key_a_line() {
    let [a, b, c] = each();
    let file = |keys: [String; 3]| format!("\u{feff}# first\n\n{}\r\n  {}\t\n\u{feff}#\n{}", keys[0], keys[1], keys[2]);
    let public = [&a, &b, &c].map(|identity| identity.to_public().to_string());
    let read = recipients(&file(public.clone())).unwrap();
    assert_eq!(read.iter().map(Recipient::to_string).collect::<Vec<_>>(), public);
    let secret = [&a, &b, &c].map(text_of);
    let read = identities(&file(secret.clone())).unwrap();
    assert_eq!(read.iter().map(text_of).collect::<Vec<_>>(), secret);
    let why = recipients(&format!("# one\n{}\nno key\n", public[0])).unwrap_err();
    assert_eq!((why.line, &why.why), (3, &"no key".parse::<Recipient>().unwrap_err()));
    assert_eq!(why.to_string(), format!("line 3: {}", why.why));
}

#[test]
fn what_is_no_key_is_called_what_it_is() {
    let of = |text: &str| text.parse::<Recipient>().map(|key| key.to_string()).unwrap_err();
    let of_identity = |text: &str| text.parse::<Identity>().map(|_| ()).unwrap_err();
    for identity in each() {
        assert_eq!(of(&text_of(&identity)), KeyError::Secret);
        assert_eq!(of_identity(&identity.to_public().to_string()), KeyError::Public);
    }
    for text in ["", "abc", "a", "agf1", "myplugin1qqqq", "äöü"] {
        assert!(matches!(of(text), KeyError::Foreign { wanted: "recipient", .. }), "{text}");
        assert!(matches!(of_identity(text), KeyError::Foreign { wanted: "identity", .. }), "{text}");
    }
    for text in ["ssh-ed25519 AAAA", "ecdsa-sha2-nistp256 AAAA", "-----BEGIN OPENSSH PRIVATE KEY-----"] {
        assert!(of(text).to_string().contains("key of SSH"), "{text}");
        assert!(of_identity(text).to_string().contains("key of SSH"), "{text}");
    }
    assert!(matches!(of("age1qqqqqqqqqq"), KeyError::Bech32(_)));
    assert!(matches!(of_identity("age-secret-key"), KeyError::Bech32(_)));
    let encoded = |prefix: &str| encoded(prefix, &[1; 20]);
    assert!(of(&encoded("age1yubikey")).to_string().contains("plugin age-plugin-yubikey,"));
    assert!(of_identity(&encoded("age-plugin-tpm-")).to_string().contains("plugin age-plugin-tpm,"));
    for name in ["1p", "a.b+c_d-e", "../x"] {
        let plugin = KeyError::Plugin { name: name.into() };
        assert_eq!(of(&encoded(&format!("age1{name}"))), plugin);
        assert_eq!(of_identity(&encoded(&format!("age-plugin-{name}-"))), plugin);
    }
    assert_eq!(of(&encoded("agent")), of(&encoded("AGENT")));
    assert!(matches!(of(&encoded("age")), KeyError::Key(_)));
    assert_eq!(of_identity(&encoded("age-other")).to_string(), "no identity begins with age-other1");
}

/// Programs of age that do not know the post-quantum keys have them as keys of a plugin.
#[test]
fn keys_of_the_post_quantum_plugin_are_the_same_keys() {
    let identity = hybrid::Identity::generate();
    let text = identity.to_plugin_text();
    assert!(text.expose_secret().starts_with("AGE-PLUGIN-PQ-1"));
    let again: Identity = text.expose_secret().parse().unwrap();
    assert_eq!(again.scheme(), STANDARD[0]);
    assert_eq!(again.to_public().to_string(), identity.to_public().to_string());
    assert_eq!(text_of(&again), identity.to_text().expose_secret());
}

/// A share of zeros gives X25519's shared key of zeros, and so does one: whoever sees the file opens it.
#[test]
fn points_of_low_order_are_refused() {
    let mut one = [0; 32];
    one[0] = 1;
    for point in [[0; 32], one] {
        let why = encoded("age", &point).parse::<Recipient>().unwrap_err();
        assert!(why.to_string().contains("low order"), "{why}");
    }
    let mut nine = [0; 32];
    nine[0] = 9;
    assert_eq!(encoded("age", &nine).parse::<Recipient>().unwrap().scheme(), STANDARD[1]);
}

/// Those of other kinds are passed over; of ours, whatever does not fit the format ends the file.
#[test]
fn stanzas_are_looked_at_before_they_are_opened() {
    let mut other = [Identity::generate(STANDARD[1]).unwrap(), Identity::generate(RESEARCH).unwrap()].into_iter();
    for scheme in [STANDARD[0], RESEARCH] {
        let identity = Identity::generate(scheme).unwrap();
        let file_key = FileKey::init_with_mut(|key| key.fill(5));
        let (stanzas, labels) = identity.to_public().wrap_file_key(&file_key).unwrap();
        assert_eq!(labels.len(), 1);
        let [Stanza { tag, args, body }] = &stanzas[..] else { panic!("one stanza") };
        assert_eq!(args.len(), 1);
        let stanza =
            |tag: &str, args: &[String], body: &[u8]| Stanza { tag: tag.into(), args: args.into(), body: body.into() };
        let open = |stanza: &Stanza| identity.unwrap_stanza(stanza);
        let refused = |stanza: &Stanza| matches!(open(stanza), Some(Err(age::DecryptError::InvalidHeader)));
        let opened = open(&stanza(tag, args, body)).unwrap().unwrap();
        assert_eq!(opened.expose_secret(), &[5; 16]);
        assert!(open(&stanza("X25519", args, body)).is_none());
        assert!(other.next().unwrap().unwrap_stanza(&stanza(tag, args, body)).is_none());
        assert!(refused(&stanza(tag, &[], body)));
        assert!(refused(&stanza(tag, &[args[0].clone(), args[0].clone()], body)));
        assert!(refused(&stanza(tag, &["!".into()], body)));
        assert!(refused(&stanza(tag, &[args[0][..args[0].len() - 4].into()], body)));
        assert!(refused(&stanza(tag, args, &body[1..])));
        assert!(refused(&stanza(tag, args, &[&body[..], &[0]].concat())));
        let mut changed = body.clone();
        changed[0] ^= 1;
        assert!(open(&stanza(tag, args, &changed)).is_none());
        if scheme == STANDARD[0] {
            let mut share = BASE64.decode(&args[0]).unwrap();
            share[1088..].fill(0);
            assert!(refused(&stanza(tag, &[BASE64.encode(share)], body)));
        }
    }
}

/// The public part of a hybrid key is checked where it is read, and again where a program made it itself.
#[test]
fn a_hybrid_key_of_low_order_seals_nothing() {
    let good = hybrid::Identity::generate().to_public().to_string();
    let mut bytes = bech32::primitives::decode::UncheckedHrpstring::new(&good)
        .unwrap()
        .remove_checksum::<Long>()
        .byte_iter()
        .collect::<Vec<_>>();
    assert_eq!(bytes.len(), 1216);
    bytes[1184..].fill(0);
    assert!(encoded("age1pq", &bytes).parse::<hybrid::Recipient>().unwrap_err().to_string().contains("low order"));
    let made = hybrid::Recipient::new(ringwork::xwing::EncapsulationKey::from_bytes(&bytes).unwrap());
    assert!(made.wrap_file_key(&FileKey::init_with_mut(|key| key.fill(5))).is_err());
}
