//! Schemes by name: what their files promise, attacked with the files alone.

use rand_core::CryptoRng;
use ringwork::{
    ct::sys_rng,
    estimate::{self, Estimate, Ntru, Shape},
    kem::SharedKey,
    object::Purpose,
    registry::{self, Commitments, Encapsulation, Error, Form, Origin, Refused, default_seed},
    schemes::lwe,
};
use zeroize::Zeroizing;

const AUCTION: &[u8] = b"auction 7";

const fn by(committer: &[u8]) -> Origin<'_> {
    Origin { committer, context: AUCTION }
}

fn sets() -> impl Iterator<Item = Commitments> {
    registry::all(Purpose::Commitment).map(|description| Commitments::by_name(description.name).unwrap())
}

/// H4: what has a number of its own in files binds, by today's estimates; Bakkebø's benchmark has
/// none.
#[test]
fn no_file_is_of_a_set_that_does_not_bind() {
    for set in sets() {
        assert_eq!(set.research_reason(), None);
        assert!(set.binding().unwrap().classical_bits >= 128.0 && set.hiding().unwrap().classical_bits >= 128.0);
    }
    assert!(Commitments::by_name("bakkebo-1024").is_none());
    // A header with the number that it had once.
    let mut bytes = registry::by_name("bdlop-1024").unwrap().encode(ringwork::object::Kind::Commitment, b"");
    bytes[12] = 4;
    let refused = registry::decode(&bytes).unwrap_err().to_string();
    assert_eq!(refused, "scheme 5 with parameters 4 is not known to this program");
}

#[test]
fn commitments_open_for_their_origin_alone() {
    for set in sets() {
        let (commitment, opening) =
            set.commit(&default_seed(), by(b"alice"), Form::Bytes, b"100 euro", &mut sys_rng()).unwrap();
        assert_eq!(*set.open(&commitment, &opening, by(b"alice")).unwrap().1, b"100 euro");
        assert_eq!(set.origin_of(&opening).unwrap(), by(b"alice"));
        for other in [by(b"mallory"), by(b""), Origin { committer: b"alice", context: b"auction 8" }] {
            let refused = set.open(&commitment, &opening, other).unwrap_err();
            assert!(matches!(&refused, Error::Negative(why) if why.contains("asked for")), "{refused}");
        }
    }
}

/// M5: who copies a commitment, or adds to it, opens it under no name of their own, and to no other
/// message.
#[test]
fn commitments_cannot_be_copied_or_shifted() {
    let set = Commitments::by_name("bdlop-1024").unwrap();
    let (alices, opening) =
        set.commit(&default_seed(), by(b"alice"), Form::Bytes, b"100 euro", &mut sys_rng()).unwrap();

    // "900 euro": coefficient 1 of the message begins with the character; c2 follows 32 bytes of
    // seed and c1.
    let coefficient = 32 + 2 * 1024 * 4 + 4;
    let mut mallorys = alices.clone();
    let word = u32::from_le_bytes(*mallorys[coefficient..].first_chunk().unwrap());
    let shifted = (u64::from(word) + 8) % set.parameters().q();
    mallorys[coefficient..coefficient + 4].copy_from_slice(&(shifted as u32).to_le_bytes());
    set.check_commitment(&mallorys).unwrap();

    // Alice opens; now Mallory knows all of her opening, and rewrites it at will.
    let changed = |committer: &[u8], message: &[u8]| {
        let length = |part: &[u8]| (part.len() as u64).to_le_bytes();
        [&opening[..32], &length(committer), committer, &length(AUCTION), AUCTION, &[0], message].concat()
    };
    assert_eq!(changed(b"alice", b"100 euro"), *opening, "the format is known");
    for commitment in [&alices, &mallorys] {
        for committer in [&b"mallory"[..], b"alice"] {
            for message in [&b"100 euro"[..], b"900 euro"] {
                let opened = set.open(commitment, &changed(committer, message), by(committer));
                let honest = commitment == &alices && committer == b"alice" && message == b"100 euro";
                assert_eq!(opened.is_ok(), honest);
                assert!(honest || matches!(opened, Err(Error::Negative(_))));
            }
        }
    }
}

/// A digest is not its bytes: who committed to one has not committed to the other.
#[test]
fn forms_are_bound() {
    let set = Commitments::by_name("bdlop-1024").unwrap();
    for form in [Form::Bytes, Form::Digest] {
        let (commitment, opening) = set.commit(&default_seed(), by(b"alice"), form, &[7; 32], &mut sys_rng()).unwrap();
        assert_eq!(set.open(&commitment, &opening, by(b"alice")).unwrap().0, form);
        let at = opening.len() - 33;
        for other in 0..=255 {
            let mut changed = opening.to_vec();
            changed[at] = other;
            let opened = set.check_opening(&changed).and_then(|()| set.open(&commitment, &changed, by(b"alice")));
            assert_eq!(opened.is_ok(), other == form as u8);
        }
    }
}

/// A proof is bound to who proves it and for what.
#[test]
fn proofs_cannot_be_copied() {
    let set = Commitments::by_name("bdlop-2048").unwrap();
    let mut rng = sys_rng();
    let seed = default_seed();
    let made = [&b"alice"[..], b"bob"].map(|name| set.commit(&seed, by(name), Form::Bytes, b"same", &mut rng).unwrap());
    let [(first, of_first), (second, of_second)] = &made;
    let proof = set.prove(&[first], &[of_first], false, by(b"alice"), &mut rng).unwrap();
    set.verify(&[first], false, by(b"alice"), &proof).unwrap();
    for other in [by(b"mallory"), Origin { committer: b"aliceauction", context: b" 7" }] {
        assert!(matches!(set.verify(&[first], false, other, &proof), Err(Error::Negative(_))));
    }
    // Messages of two committers are compared as they are.
    let openings: [&[u8]; 2] = [of_first, of_second];
    let equal = set.prove(&[first, second], &openings, true, by(b""), &mut rng).unwrap();
    set.verify(&[first, second], true, by(b""), &equal).unwrap();
    let (third, of_third) = set.commit(&seed, by(b"bob"), Form::Bytes, b"other", &mut rng).unwrap();
    let refused = set.prove(&[first, &third], &[of_first, &of_third], true, by(b""), &mut rng).unwrap_err();
    assert!(matches!(refused, Error::Negative(_)), "{refused}");
    let refused = set.prove(&[first, second], &[of_second, of_first], false, by(b""), &mut rng).unwrap_err();
    assert!(matches!(refused, Error::Negative(_)), "{refused}");
    assert!(matches!(set.prove(&[first, second], &[of_first], false, by(b""), &mut rng), Err(Error::Malformed(_))));
}

#[test]
fn openings_that_are_cut_off_or_too_long_are_refused() {
    let set = Commitments::by_name("bdlop-1024").unwrap();
    let (commitment, opening) = set.commit(&default_seed(), by(b"alice"), Form::Bytes, b"", &mut sys_rng()).unwrap();
    set.open(&commitment, &opening, by(b"alice")).unwrap();
    for length in 0..opening.len() {
        assert!(matches!(set.check_opening(&opening[..length]), Err(Error::Malformed(_))));
    }
    let cut = &opening[..opening.len() - 1];
    assert!(matches!(set.open(&commitment, cut, by(b"alice")), Err(Error::Malformed(_))));
    for (at, value) in [(32, 0xFF), (39, 0x80), (32 + 8 + 5, 0xFF)] {
        let mut wrong = opening.to_vec();
        wrong[at] = value;
        assert!(matches!(set.check_opening(&wrong), Err(Error::Malformed(_))), "byte {at}");
    }
    let long = [&opening[..], &vec![0; set.capacity() + 1]].concat();
    assert!(matches!(set.open(&commitment, &long, by(b"alice")), Err(Error::TooLong { .. })));
}

/// M7: of every scheme whose keys are files, any bit that is flipped is noticed.
#[test]
fn every_flipped_bit_of_a_secret_key_is_noticed() {
    for description in registry::all(Purpose::Encapsulation).filter(|d| d.name != "lwe-768") {
        let scheme = registry::encapsulation(description.name).unwrap();
        let (secret, public) = scheme.keygen(&mut sys_rng());
        assert_eq!(scheme.public_key_of(&secret).unwrap(), public);
        for bit in 0..8 * secret.len() {
            let mut changed = secret.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let refused = scheme.public_key_of(&changed).unwrap_err().to_string();
            assert!(refused.contains("damaged"), "{}, bit {bit}: {refused}", description.name);
        }
        assert!(scheme.public_key_of(&secret[1..]).is_err());
    }
}

/// U15: one scheme serves all threads of a server.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly there are no threads")]
fn schemes_cross_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Commitments::by_name("bdlop-1024").unwrap());
    for name in ["nttru-768", "mlwe-256"] {
        let scheme: Box<dyn Encapsulation + Send + Sync> = registry::encapsulation(name).unwrap();
        let (secret, public) = scheme.keygen(&mut sys_rng());
        let exchange = || {
            let (ciphertext, key) = scheme.encapsulate(&public, &mut sys_rng()).unwrap();
            (ciphertext, *key.as_bytes())
        };
        let exchanged: Vec<_> = std::thread::scope(|scope| {
            let clients: Vec<_> = (0..4).map(|_| scope.spawn(exchange)).collect();
            clients.into_iter().map(|client| client.join().unwrap()).collect()
        });
        let server = std::thread::spawn(move || {
            exchanged.iter().all(|(c, key)| scheme.decapsulate(&secret, c).unwrap().as_bytes() == key)
        });
        assert!(server.join().unwrap(), "{name}");
    }
}

/// Ring-LWE of the processor's paper: refused for its failures and for what today's estimates say,
/// not for what was claimed.
#[test]
fn every_reason_is_given() {
    for (name, bits, failure) in [("rlwe-p1", "2^44.", "2^-18.0"), ("rlwe-p2", "2^103.", "2^-16.6")] {
        let reason = registry::encapsulation(name).unwrap().research_reason().unwrap();
        assert!(reason.contains(bits) && reason.contains(failure), "{reason}");
    }
}

/// M8: that there is no estimate is a reason to refuse.
#[test]
fn no_estimate_is_a_reason() {
    struct Stretched;
    impl Encapsulation for Stretched {
        fn name(&self) -> &str {
            "mlwe-256"
        }
        fn keygen(&self, _: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
            unreachable!("not asked")
        }
        fn encapsulate(&self, _: &[u8], _: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), Refused> {
            unreachable!("not asked")
        }
        fn decapsulate(&self, _: &[u8], _: &[u8]) -> Result<SharedKey, Refused> {
            unreachable!("not asked")
        }
        fn public_key_of(&self, _: &[u8]) -> Result<Vec<u8>, Refused> {
            unreachable!("not asked")
        }
        fn check_public_key(&self, _: &[u8]) -> Result<(), Refused> {
            unreachable!("not asked")
        }
        fn ciphertext_bytes(&self) -> usize {
            0
        }
        fn failure_log2(&self) -> f64 {
            f64::NEG_INFINITY
        }
        fn security(&self) -> Result<Estimate, estimate::Error> {
            Ntru { n: 256, q: 65537.into(), f: Shape::TERNARY, g: Shape::TERNARY }.security()
        }
    }
    assert!(Stretched.research_reason().unwrap().contains("fatigue point"));
}

/// Parameters of anybody's choice have names of their own, written in one way, and always a reason against them.
#[test]
fn parameters_for_measuring_have_names() {
    let number = |digits: &str| digits.parse().map_err(|_| "no number".to_owned());
    let parameters = |text: &str| lwe::Parameters::measuring_text(text, number);
    let strong = parameters("p=2,N=256,q=7681,m=3,n=3").unwrap();
    let scheme = registry::measuring(strong).unwrap();
    assert_eq!(scheme.name(), "lwe-for-measuring:N=256,q=7681,p=2,m=3,n=3,k=1,l=1,beta=2");
    let reason = scheme.research_reason().unwrap();
    assert_eq!(reason, "these parameters are for measuring, and nobody vouches for them");
    let by_name = registry::encapsulation(scheme.name()).unwrap();
    let (secret, public) = scheme.keygen(&mut sys_rng());
    let (ciphertext, shared) = by_name.encapsulate(&public, &mut sys_rng()).unwrap();
    assert!(scheme.decapsulate(&secret, &ciphertext).unwrap() == shared);
    assert_eq!(ciphertext.len(), by_name.ciphertext_bytes());
    // The same numbers as a named set's, and the same estimates.
    let named = registry::encapsulation("mlwe-256").unwrap();
    assert_eq!(by_name.security(), named.security());
    assert!((by_name.failure_log2() - named.failure_log2()).abs() < 1.0);
    let weak = registry::measuring(parameters("N=256,q=257,p=2,m=1,n=1").unwrap()).unwrap().research_reason().unwrap();
    assert!(weak.contains("for measuring") && weak.contains("is broken at a cost of"), "{weak}");
    let why = |text: &str| match registry::encapsulation_or_why(&format!("{}{text}", registry::MEASURING)) {
        Some(Err(why)) => why.to_string(),
        _ => panic!("{text} is a name"),
    };
    assert!(why("N=256,q=7681,p=2,m=3,n=3").starts_with("parameters are written N=256"));
    assert!(why("N=256,q=7681,p=2,m=3,n=3,k=1,l=1,beta=02").starts_with("parameters are written"));
    assert!(why("N=256, q=7681,p=2,m=3,n=3,k=1,l=1,beta=2").starts_with("parameters are written"));
    assert!(why("").contains("is no parameter"));
    assert!(why("N=128,q=7681,p=2,m=3,n=3,k=1,l=1,beta=2").contains("too short for key encapsulation"));
    assert!(why("N=1024,q=7681,p=2,m=91,n=91,k=1,l=1,beta=2").contains("m·n·N = 8479744"));
    assert!(why("N=1024,q=7681,p=2,m=64,n=64,k=60,l=1,beta=2").contains("in files they have at most 1048576"));
    assert!(why("N=1,q=5,p=2,m=1,n=1,k=8192,l=8192,beta=1").contains("coefficients beside A"));
    assert!(registry::encapsulation("lwe-for-measuring").is_none() && registry::by_name(scheme.name()).is_none());
}

/// M10: what `encrypt` takes unless told otherwise rejects implicitly, and hashes the public key
/// into the shared key.
#[test]
fn the_default_is_fit_for_files() {
    let default = registry::all(Purpose::Encapsulation).next().unwrap();
    assert_eq!(default.name, "mlwe-256");
    let scheme = registry::encapsulation(default.name).unwrap();
    assert_eq!(scheme.research_reason(), None);
    let (secret, public) = scheme.keygen(&mut sys_rng());
    let (mut ciphertext, shared) = scheme.encapsulate(&public, &mut sys_rng()).unwrap();
    ciphertext[0] ^= 1;
    assert!(scheme.decapsulate(&secret, &ciphertext).unwrap() != shared);
}
