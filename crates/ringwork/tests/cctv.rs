//! The Community Cryptography Test Vectors of ML-KEM and ML-DSA: hashes of 10,000 runs, bad moduli,
//! unlucky samples, and a comparison that `strcmp` would get wrong.
//!
//! Source: github.com/C2SP/CCTV, ML-KEM and ML-DSA/accumulated. Its vectors of ML-KEM are those of the
//! draft of 2023, whose key generation hashes `d` without `k`; all else is as in the standard. So
//! keys are taken from there as bytes, and hashes of runs are those that LibreSSL has for the standard
//! (`mlkem_iteration_tests.c`: ML-KEM-768 and -1024).

use ringwork::{
    decode::DecodeError,
    schemes::{
        mldsa::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey},
        mlkem::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed},
    },
    xof::{ByteStream, Shake128},
};
use shake::{ExtendableOutput, Update, XofReader};

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.trim().as_bytes().as_chunks::<2>().0;
    digits.iter().map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// The first 32 bytes of SHAKE-128 of what was absorbed.
fn hash(sponge: shake::Shake128) -> Vec<u8> {
    let mut digest = vec![0; 32];
    sponge.finalize_xof().read(&mut digest);
    digest
}

fn mlkem_runs<P: ParameterSet>(expected: &str) {
    let (mut stream, mut sponge) = (Shake128::new(&[]), shake::Shake128::default());
    for round in 0..10_000 {
        let (mut seed, mut m, mut other) = (Seed::default(), B32::default(), vec![0; P::CIPHERTEXT_BYTES]);
        [&mut seed[..], &mut m, &mut other].into_iter().for_each(|bytes| stream.read(bytes));
        let key = DecapsulationKey::<P>::from_seed(seed);
        let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&m);
        assert_eq!(key.decapsulate_bytes(&ciphertext).unwrap().as_bytes()[..], shared[..], "{round}");
        sponge.update(key.encapsulation_key().as_bytes());
        sponge.update(&key.to_expanded());
        sponge.update(&ciphertext);
        sponge.update(&shared);
        sponge.update(key.decapsulate_bytes(&other).unwrap().as_bytes());
    }
    assert_eq!(hash(sponge), bytes(expected), "{}", P::NAME);
}

/// That of ML-KEM-512 nobody has published: it is what libcrux gives.
#[test]
fn mlkem_accumulated() {
    mlkem_runs::<MlKem512>("705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13");
    mlkem_runs::<MlKem768>("f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1");
    mlkem_runs::<MlKem1024>("e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5");
}

/// The same runs by libcrux.
#[test]
fn mlkem_accumulated_by_libcrux() {
    use libcrux_ml_kem::mlkem512;
    let (mut stream, mut sponge) = (Shake128::new(&[]), shake::Shake128::default());
    for _ in 0..10_000 {
        let (mut seed, mut m, mut other) = ([0; 64], [0; 32], [0; MlKem512::CIPHERTEXT_BYTES]);
        [&mut seed[..], &mut m, &mut other].into_iter().for_each(|bytes| stream.read(bytes));
        let keys = mlkem512::generate_key_pair(seed);
        let (ciphertext, shared) = mlkem512::encapsulate(keys.public_key(), m);
        let rejected = mlkem512::decapsulate(keys.private_key(), &other.into());
        for part in [&keys.pk()[..], keys.sk(), ciphertext.as_slice(), &shared, &rejected] {
            sponge.update(part);
        }
    }
    assert_eq!(hash(sponge), bytes("705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13"));
}

fn mldsa_runs<P: MlDsaParams>(expected: &str) {
    let (mut stream, mut sponge) = (Shake128::new(&[]), shake::Shake128::default());
    for round in 0..10_000 {
        let mut seed = [0; 32];
        stream.read(&mut seed);
        let key = SigningKey::<P>::from_seed(&seed);
        let signature = key.sign_deterministic(b"", b"").unwrap();
        assert!(key.verifying_key().verify_with_context(b"", b"", &signature), "{round}");
        sponge.update(key.verifying_key().as_bytes());
        sponge.update(signature.as_bytes());
    }
    assert_eq!(hash(sponge), bytes(expected), "{}", P::PARAMETERS.name);
}

#[test]
fn mldsa_accumulated() {
    mldsa_runs::<MlDsa44>("e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143");
    mldsa_runs::<MlDsa65>("5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329");
    mldsa_runs::<MlDsa87>("80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60");
}

/// Every value that is too large, and every place: keys that differ in one value from a good one.
fn moduli<P: ParameterSet>(good: &str, expected: usize) {
    let good = bytes(good);
    EncapsulationKey::<P>::from_bytes(&good).unwrap();
    let (values, places) = (3329_u16..4096, 256 * P::K);
    let corners = (0..P::K).flat_map(|i| [3329, 4095].map(|value| [(256 * i, value), (256 * i + 255, value)]));
    let all = values.len().max(places);
    let walk = (0..places).cycle().zip(values.cycle()).take(all);
    let mut tests = 0;
    for (place, value) in corners.flatten().chain(walk) {
        let mut bad = good.clone();
        let (pair, bad_value) = (3 * (place >> 1), u32::from(value));
        let three = u32::from_le_bytes([bad[pair], bad[pair + 1], bad[pair + 2], 0]);
        let changed = if place & 1 == 0 { three & 0xFF_F000 | bad_value } else { three & 0xFFF | bad_value << 12 };
        bad[pair..pair + 3].copy_from_slice(&changed.to_le_bytes()[..3]);
        let refused =
            DecodeError::Value { what: "an encapsulation key", index: place, value: value.into(), bound: 3329 };
        assert_eq!(EncapsulationKey::<P>::from_bytes(&bad).unwrap_err(), refused);
        tests += 1;
    }
    assert_eq!(tests, expected);
}

#[test]
fn mlkem_moduli() {
    moduli::<MlKem512>(include_str!("../../../vectors/cctv/ML-KEM-512.modulus.hex"), 775);
    moduli::<MlKem768>(include_str!("../../../vectors/cctv/ML-KEM-768.modulus.hex"), 780);
    moduli::<MlKem1024>(include_str!("../../../vectors/cctv/ML-KEM-1024.modulus.hex"), 1040);
}

/// A value of a file of lines `name = hex`.
fn value(file: &str, name: &str) -> Vec<u8> {
    bytes(file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")).unwrap())
}

fn unlucky<P: ParameterSet>(file: &str) {
    let key = DecapsulationKey::<P>::from_expanded(&value(file, "dk")).unwrap();
    assert_eq!(key.to_expanded()[..], value(file, "dk"));
    let public = EncapsulationKey::<P>::from_bytes(&value(file, "ek")).unwrap();
    assert_eq!(&public, key.encapsulation_key());
    let m = B32::try_from(&value(file, "m")[..]).unwrap();
    let (ciphertext, shared) = public.encapsulate_deterministic(&m);
    assert_eq!((&ciphertext[..], &shared[..]), (&value(file, "c")[..], &value(file, "K")[..]));
    assert_eq!(key.decapsulate_bytes(&ciphertext).unwrap().as_bytes()[..], shared[..]);
}

/// More than 575 bytes of SHAKE-128 for one polynomial of the matrix.
#[test]
fn mlkem_unlucky_samples() {
    unlucky::<MlKem512>(include_str!("../../../vectors/cctv/ML-KEM-512.unlucky.txt"));
    unlucky::<MlKem768>(include_str!("../../../vectors/cctv/ML-KEM-768.unlucky.txt"));
    unlucky::<MlKem1024>(include_str!("../../../vectors/cctv/ML-KEM-1024.unlucky.txt"));
}

fn strcmp<P: ParameterSet>(file: &str) {
    let key = DecapsulationKey::<P>::from_expanded(&value(file, "dk")).unwrap();
    assert_eq!(key.decapsulate_bytes(&value(file, "c")).unwrap().as_bytes()[..], value(file, "K"));
}

/// A ciphertext that equals the one computed anew up to a zero byte, and must be rejected.
#[test]
fn mlkem_strcmp() {
    strcmp::<MlKem512>(include_str!("../../../vectors/cctv/ML-KEM-512.strcmp.txt"));
    strcmp::<MlKem768>(include_str!("../../../vectors/cctv/ML-KEM-768.strcmp.txt"));
    strcmp::<MlKem1024>(include_str!("../../../vectors/cctv/ML-KEM-1024.strcmp.txt"));
}
