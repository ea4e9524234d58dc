//! Ring-LWE, LWE and commitments against the textbook: its known answers, and each reading what the
//! other wrote.

use crate::random::hex;
use ntt::Request;
use reference::{bdlop as book, lwe as lwe_book, poly, rlwe as rlwe_book};
use ringwork::{
    Backend,
    kem::{Encryption, Kem, SEED_BYTES, Scheme},
    module::{Module, Vector},
    sample::Word,
    schemes::{
        bdlop::{self, BDLOP_1024, Commitment, CommitmentKey, Opening, Relation, Statement},
        lwe::{self, LWE_768, Lwe, MLWE_256, MLWE_256_P3, Multiplier, Schoolbook},
        rlwe::{P1, P2, Parameters, Rlwe},
    },
};
use serde_json::Value;

fn tests(file: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(file).expect("JSON");
    let tests = file["tests"].as_array().expect("tests").clone();
    assert!(!tests.is_empty());
    tests
}

fn seed(value: &Value) -> [u8; SEED_BYTES] {
    hex(value).try_into().expect("32 bytes")
}

fn integers(value: &Value) -> Vec<i64> {
    value.as_array().expect("a list").iter().map(|x| x.as_i64().expect("an integer")).collect()
}

fn residues(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|x| x.as_u64().expect("a residue")).collect()
}

fn size(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

fn rlwe_vector<P: Parameters>(test: &Value) {
    let short = |name: &str| integers(&test[name]).iter().map(|&x| x as i16).collect::<Vec<i16>>();
    for backend in Backend::available() {
        let rlwe = Rlwe::<P>::with_backend(backend).unwrap();
        let (secret, public) = rlwe.keys_with_noise(seed(&test["seed_a"]), &short("r1"), &short("r2"));
        assert_eq!(rlwe.public_key_to_bytes(&public), hex(&test["public_key"]), "{backend}");
        assert_eq!(*rlwe.secret_key_to_bytes(&secret), hex(&test["secret_key"]), "{backend}");
        let noise = ["e1", "e2", "e3"].map(short).concat();
        let ciphertext = rlwe.encrypt_with_noise(&public, &hex(&test["message"]), &noise);
        assert_eq!(rlwe.ciphertext_to_bytes(&ciphertext), hex(&test["ciphertext"]), "{backend}");
        assert_eq!(*rlwe.decrypt_polynomials(&secret, &ciphertext), hex(&test["decrypted"]), "{backend}");
    }
}

#[test]
fn known_answers_of_ring_lwe() {
    let (mut whole, mut flipped) = (0, 0);
    for test in tests(include_str!("../../../vectors/rlwe.json")) {
        match test["set"].as_str() {
            Some("rlwe-p1") => rlwe_vector::<P1>(&test),
            Some("rlwe-p2") => rlwe_vector::<P2>(&test),
            other => panic!("{other:?}"),
        }
        *if test["message"] == test["decrypted"] { &mut whole } else { &mut flipped } += 1;
    }
    assert!(whole > 0 && flipped > 0, "messages that come back, and messages that do not");
}

fn rlwe_both_ways<P: Parameters>(parameters: rlwe_book::Parameters) {
    let rlwe = Rlwe::<P>::new();
    for number in 0..3 {
        let (secret, public) = rlwe.keys(&[number; SEED_BYTES]);
        let message: Vec<u8> = (0..P::MESSAGE_BYTES).map(|i| (i * 37) as u8 ^ number).collect();
        let ciphertext = rlwe.encrypt_derand(&public, &message, &[number + 9; SEED_BYTES]);
        let secret_bytes = rlwe.secret_key_to_bytes(&secret);
        assert_eq!(rlwe_book::decrypt(parameters, &secret_bytes, &ciphertext).as_ref(), Some(&message));
        let noise: Vec<i64> = (0..parameters.n).map(|i| (i as i64 * 7 + i64::from(number)) % 11 - 5).collect();
        let public = rlwe.public_key_to_bytes(&public);
        let ciphertext = rlwe_book::encrypt(parameters, &public, &message, [&noise; 3]).unwrap();
        assert_eq!(*rlwe.decrypt(&secret, &ciphertext).unwrap(), message);
    }
}

#[test]
fn ring_lwe_and_textbook_read_each_other() {
    rlwe_both_ways::<P1>(rlwe_book::P1);
    rlwe_both_ways::<P2>(rlwe_book::P2);
}

fn lwe_bytes<T: Word, M: Multiplier<T>>(
    lwe: &Lwe<T, M>,
    seeds: [&[u8; SEED_BYTES]; 2],
    message: &[u64],
) -> [Vec<u8>; 3] {
    let (secret, public) = lwe.keys(seeds[0]);
    let message = lwe.message(message).unwrap();
    let ciphertext = lwe.encrypt_polynomials(&public, &message, seeds[1]);
    assert_eq!(lwe.decrypt_polynomials(&secret, &ciphertext).words(), message.words());
    let secret = lwe.secret_key_to_bytes(&secret).to_vec();
    [lwe.public_key_to_bytes(&public), secret, lwe.ciphertext_to_bytes(&ciphertext)]
}

/// On every backend that has vectors of these words.
fn transformed<T: Word>(parameters: lwe::Parameters) -> Vec<Lwe<T, Module<T>>> {
    let request = Request::new(parameters.n(), parameters.q()).sums(parameters.rank() as u64);
    let modules = Backend::available().filter_map(|backend| Module::with(&request.backend(backend)).ok());
    let all: Vec<_> = modules.map(|module| Lwe::with_multiplier(parameters, module)).collect();
    assert!(all.len() > 1, "{parameters:?}");
    all
}

#[test]
fn known_answers_of_lwe() {
    for test in tests(include_str!("../../../vectors/lwe.json")) {
        let [n, m, k, l] = ["n", "m", "k", "l"].map(|name| size(&test[name]));
        let [q, p, beta] = ["q", "p", "beta"].map(|name| size(&test[name]) as u64);
        let square = lwe::Parameters::measuring_only(n, q, p, beta as u32, m, [k, l]).unwrap();
        let parameters = square.with_columns(test["d"].as_u64().map_or(m, |d| d as usize)).unwrap();
        let expected = ["public_key", "secret_key", "ciphertext"].map(|name| hex(&test[name]));
        let (seeds, message) = (["key_seed", "seed"].map(|name| seed(&test[name])), residues(&test["message"]));
        let seeds = [&seeds[0], &seeds[1]];
        assert_eq!(lwe_bytes(&Lwe::<i64, Schoolbook>::by_schoolbook(parameters), seeds, &message), expected);
        if n > 1 {
            let check = |bytes: [Vec<u8>; 3]| assert_eq!(bytes, expected, "{parameters:?}");
            transformed::<i32>(parameters).iter().for_each(|lwe| check(lwe_bytes(lwe, seeds, &message)));
            transformed::<i64>(parameters).iter().for_each(|lwe| check(lwe_bytes(lwe, seeds, &message)));
        }
    }
}

#[test]
fn known_answers_of_encapsulation_by_lwe() {
    for test in tests(include_str!("../../../vectors/lwe-kem.json")) {
        for lwe in transformed::<i16>(MLWE_256) {
            let kem = Kem::new(lwe).unwrap();
            let key = kem.keygen_derand(&seed(&test["key_seed"]), &seed(&test["rejection"]));
            assert_eq!(key.public_key().as_bytes(), hex(&test["public_key"]));
            assert_eq!(*kem.secret_key_to_bytes(&key), hex(&test["secret_key"]));
            let (mut ciphertext, shared) = kem.encapsulate_derand(key.public_key(), &hex(&test["message"]));
            assert_eq!(
                (shared.as_bytes()[..].to_vec(), &ciphertext),
                (hex(&test["shared_key"]), &hex(&test["ciphertext"]))
            );
            assert!(kem.decapsulate(&key, &ciphertext).unwrap() == shared);
            ciphertext[0] ^= 1;
            assert_eq!(kem.decapsulate(&key, &ciphertext).unwrap().as_bytes()[..], hex(&test["rejected_key"]));
        }
    }
}

/// Of messages modulo 3 each coefficient carries a bit.
#[test]
fn encapsulation_modulo_three_is_that_of_the_textbook() {
    let (public, secret) = lwe_book::keygen(lwe_book::MLWE_256_P3, &[1; 32]);
    let (shared, ciphertext) = lwe_book::encapsulate(lwe_book::MLWE_256_P3, &public, &[7; 32]).unwrap();
    let mut changed = ciphertext.clone();
    changed[0] ^= 1;
    let rejected = lwe_book::decapsulate(lwe_book::MLWE_256_P3, [&secret, &public], &[2; 32], &changed).unwrap();
    for lwe in transformed::<i16>(MLWE_256_P3) {
        let kem = Kem::new(lwe).unwrap();
        let key = kem.keygen_derand(&[1; 32], &[2; 32]);
        assert_eq!(key.public_key().as_bytes(), public);
        let (made, found) = kem.encapsulate_derand(key.public_key(), &[7; 32]);
        assert_eq!((found.as_bytes(), &made), (&shared, &ciphertext));
        assert_eq!(kem.decapsulate(&key, &made).unwrap().as_bytes(), &shared);
        assert_eq!(kem.decapsulate(&key, &changed).unwrap().as_bytes(), &rejected);
    }
}

/// Dimension 768, too large for a file.
#[test]
fn plain_lwe_is_that_of_the_textbook() {
    let message: Vec<u64> = (0..256).map(|i| (i * i / 7) % 2).collect();
    let engine = lwe_bytes(&Lwe::<i32, Schoolbook>::by_schoolbook(LWE_768), [&[1; 32], &[2; 32]], &message);
    let (public, secret) = lwe_book::keygen(lwe_book::LWE_768, &[1; 32]);
    let ciphertext = lwe_book::encrypt(lwe_book::LWE_768, &public, &message, &[2; 32]).unwrap();
    assert_eq!(engine, [public, secret, ciphertext]);
}

/// Polynomials of degree `n` from residues or integers.
fn vector<I: Copy + Into<i128>>(n: usize, numbers: &[I]) -> Vector<i64> {
    Vector::filled(n, numbers.len() / n, |words| {
        words.iter_mut().zip(numbers).for_each(|(word, &x)| *word = x.into() as i64);
    })
}

fn polynomials(vector: &Vector<i64>) -> Vec<Vec<u64>> {
    vector.polynomials().map(|p| p.iter().map(|&x| x as u64).collect()).collect()
}

fn signed(vector: &Vector<i64>) -> Vec<Vec<i64>> {
    vector.polynomials().map(<[i64]>::to_vec).collect()
}

#[test]
fn known_answers_of_commitments() {
    let mut proofs = 0;
    for test in tests(include_str!("../../../vectors/bdlop.json")) {
        let [n, q, k, d, l, beta, kappa] = ["n", "q", "k", "d", "l", "beta", "kappa"].map(|name| size(&test[name]));
        let parameters = bdlop::Parameters::new_unestimated(n, q as u64, [k, d, l], beta as u32, kappa).unwrap();
        let key_seed = seed(&test["key_seed"]);
        let keys = Backend::available()
            .filter_map(|backend| CommitmentKey::<i64>::with_backend(parameters, &key_seed, backend).ok());
        for key in keys {
            let commit = |part: &Value| {
                let message = key.message(&residues(&part["message"])).unwrap();
                let (commitment, opening) = key.commit_derand(message, &seed(&part["randomness_seed"])).unwrap();
                assert_eq!(key.commitment_to_bytes(&commitment), hex(&part["commitment"]));
                key.open(&commitment, &opening).unwrap();
                commitment
            };
            let commitments: Vec<_> = test["commitments"].as_array().expect("a list").iter().map(commit).collect();
            let relation = test["relation"].as_object().map(|relation| Relation {
                coefficients: vector(n, &residues(&relation["coefficients"])),
                value: vector(n, &residues(&relation["value"])),
            });
            let context = hex(&test["context"]);
            let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context: &context };
            if let Some(proof) = test["proof"].as_object() {
                let bytes = hex(&proof["bytes"]);
                let proof = key.proof_from_bytes(&statement, &bytes).unwrap();
                key.verify(&statement, &proof).unwrap();
                assert_eq!(key.proof_to_bytes(&proof), bytes);
                assert!(key.verify(&Statement { context: b"another", ..statement }, &proof).is_err());
                proofs += 1;
            }
        }
    }
    assert!(proofs > 2, "two proofs on every backend");
}

/// The textbook's key, and its commitments and openings, for what the engine made.
fn same_commitments(
    sizes: book::Parameters,
    key: &CommitmentKey<i64>,
    made: &[(Commitment<i64>, Opening<i64>)],
) -> (book::Key, Vec<book::Commitment>) {
    let same = book::Key::new(sizes, key.seed());
    let read = made.iter().map(|(commitment, opening)| {
        let bytes = key.commitment_to_bytes(commitment);
        let read = same.commitment_from_bytes(&bytes).expect("a commitment");
        let (message, r) = (polynomials(opening.message()), signed(opening.randomness()));
        let f = &signed(opening.factor())[0];
        assert_eq!(same.commit(&message, &r), read);
        assert!(same.opens(&read, &message, &r, f));
        assert_eq!(same.opening_to_bytes(&message, &r, f), *key.opening_to_bytes(opening).unwrap());
        read
    });
    let read = read.collect();
    (same, read)
}

#[test]
fn the_textbook_verifies_proofs_of_the_engine() {
    let small = book::Parameters { n: 256, q: 16_777_213, k: 4, d: 1, l: 2, beta: 2, kappa: 60 };
    for (sizes, count) in [(small, 2), (small, 3), (book::BDLOP_1024, 1)] {
        let book::Parameters { n, q, k, d, l, beta, kappa } = sizes;
        let parameters = bdlop::Parameters::new_unestimated(n, q, [k, d, l], beta, kappa).unwrap();
        let key = CommitmentKey::<i64>::new(parameters, &[5; SEED_BYTES]).unwrap();
        let made: Vec<_> = (0..count)
            .map(|i| {
                let message: Vec<u64> = (0..(l * n) as u64).map(|j| (j * j * 977 + i) % q).collect();
                key.commit_derand(key.message(&message).unwrap(), &[6 + i as u8; SEED_BYTES]).unwrap()
            })
            .collect();
        let (same, read) = same_commitments(sizes, &key, &made);
        let (commitments, openings): (Vec<_>, Vec<_>) = made.into_iter().unzip();

        let g: Vec<Vec<u64>> = (1..=count).map(|i| (0..n as u64).map(|j| (j * 12_345 * i + 1) % q).collect()).collect();
        let mut v = vec![vec![0; n]; l];
        for (g, opening) in g.iter().zip(&openings) {
            for (v, m) in v.iter_mut().zip(polynomials(opening.message())) {
                *v = poly::add(v, &poly::negacyclic_product(g, &m, q), q);
            }
        }
        let relation = Relation { coefficients: vector(n, &g.concat()), value: vector(n, &v.concat()) };
        for relation in [None, Some(&relation)] {
            let statement = Statement { commitments: &commitments, relation, context: b"textbook" };
            let proof = key.prove_derand(&statement, &openings, &[7; SEED_BYTES]).unwrap();
            let (bytes, compact) = (key.proof_to_bytes(&proof), key.proof_to_compact_bytes(&statement, &proof));
            let relation = relation.map(|_| (&g[..], &v[..]));
            let statement = book::Statement { commitments: &read, relation, context: b"textbook" };
            let mut proof = same.proof_from_bytes(&statement, &bytes).expect("a proof");
            assert_eq!(same.proof_to_bytes(&proof), bytes);
            assert!(same.verify(&statement, &proof));
            assert_eq!(same.proof_to_compact_bytes(&statement, &proof), compact);
            assert!(same.verify_compact(&statement, &compact));
            proof.z[0][1][2] -= 1;
            assert!(!same.verify(&statement, &proof));
        }
    }
    assert_eq!(book::BDLOP_1024.q, BDLOP_1024.q());
}

/// Every polynomial of degree 4 with coefficients up to 3 as a factor, where challenges have two
/// coefficients.
#[test]
fn the_same_factors_are_accepted() {
    let parameters = bdlop::Parameters::insecure_benchmark(4).unwrap();
    let ([k, d, l], q) = (parameters.shape(), parameters.q());
    let sizes = book::Parameters { n: 4, q, k, d, l, beta: parameters.beta(), kappa: parameters.kappa() };
    let key = CommitmentKey::<i64>::new(parameters, &[5; SEED_BYTES]).unwrap();
    let message = key.message(&[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let (commitment, honest) = key.commit_derand(message, &[6; SEED_BYTES]).unwrap();
    let made = [(commitment, honest)];
    let (same, read) = same_commitments(sizes, &key, &made);
    let [(commitment, honest)] = &made;
    let mut accepted = 0;
    for number in 0..7_i64.pow(4) {
        let f: Vec<i64> = (0..4).map(|i| number / 7_i64.pow(i) % 7 - 3).collect();
        let module = key.module();
        let factor = vector(4, &f);
        let mut randomness = module.product(&module.forward(honest.randomness()), module.forward(&factor).words());
        module.centre(&mut randomness);
        let r = signed(&randomness);
        let opening = Opening::new(honest.message().clone(), randomness, factor);
        let opens = same.opens(&read[0], &polynomials(honest.message()), &r, &f);
        assert_eq!(key.open(commitment, &opening).is_ok(), opens, "{f:?}");
        accepted += usize::from(opens);
    }
    assert!(accepted > 100, "{accepted}");
}
