//! The files of ring-LWE, LWE and commitments.

use super::{Inputs, OUR_SOURCE, file, hex, list};
use reference::bdlop::{self, BDLOP_1024, Integers, Key, Statement};
use reference::lwe::{self, MLWE_256, MLWE_256_P3};
use reference::rlwe::{self, P1, P2};
use reference::{field, poly};

/// Noise of ordinary size, and noise as large as it can be, by which bits of messages flip.
pub(super) fn rlwe_file() -> String {
    let mut inputs = Inputs::new("rlwe");
    let mut tests = Vec::new();
    for (parameters, largest) in [(P1, 54), (P2, 58)] {
        let n = parameters.n;
        let noise: [Vec<i64>; 4] = std::array::from_fn(|_| inputs.small(n, 8));
        let r2: Vec<i64> = inputs.poly(n, 2).iter().map(|&bit| bit as i64).collect();
        tests.push(rlwe_test(parameters, &mut inputs, &r2, &noise));
        let noise = std::array::from_fn(|_| inputs.small(n, 1).iter().map(|x| (2 * (x & 1) - 1) * largest).collect());
        tests.push(rlwe_test(parameters, &mut inputs, &vec![1; n], &noise));
    }
    file("rlwe", OUR_SOURCE, "", &tests)
}

fn rlwe_test(parameters: rlwe::Parameters, inputs: &mut Inputs, r2: &[i64], noise: &[Vec<i64>; 4]) -> String {
    let (seed_a, message) = (inputs.seed(), inputs.bytes(parameters.n / 8));
    let [r1, e1, e2, e3] = noise;
    let (public_key, secret_key) = rlwe::keygen(parameters, &seed_a, r1, r2);
    let ciphertext = rlwe::encrypt(parameters, &public_key, &message, [e1, e2, e3]).expect("a key that was just made");
    let decrypted = rlwe::decrypt(parameters, &secret_key, &ciphertext).expect("a ciphertext that was just made");
    format!(
        "{{\"set\": \"{}\", \"seed_a\": \"{}\", \"r1\": {}, \"r2\": {}, \"public_key\": \"{}\", \"secret_key\": \"{}\", \
         \"e1\": {}, \"e2\": {}, \"e3\": {}, \"message\": \"{}\", \"ciphertext\": \"{}\", \"decrypted\": \"{}\"}}",
        parameters.set,
        hex(&seed_a),
        list(r1),
        list(r2),
        hex(&public_key),
        hex(&secret_key),
        list(e1),
        list(e2),
        list(e3),
        hex(&message),
        hex(&ciphertext),
        hex(&decrypted)
    )
}

fn lwe_sizes(lwe::Parameters { n, q, p, beta, m, d, k, l }: lwe::Parameters) -> String {
    let columns = if d == m { String::new() } else { format!("\"d\": {d}, ") };
    format!("\"n\": {n}, \"q\": {q}, \"p\": {p}, \"beta\": {beta}, \"m\": {m}, {columns}\"k\": {k}, \"l\": {l}")
}

/// Numbers; polynomials modulo a prime that splits, and modulo a power of two; module-LWE as it is
/// used; then matrices A that are not square, and messages modulo 3.
pub(super) fn lwe_file() -> String {
    let mut inputs = Inputs::new("lwe");
    let small = [
        lwe::Parameters { n: 1, q: 1021, p: 5, beta: 2, m: 8, d: 8, k: 2, l: 3 },
        lwe::Parameters { n: 16, q: 12289, p: 4, beta: 2, m: 3, d: 3, k: 1, l: 2 },
        lwe::Parameters { n: 64, q: 65536, p: 3, beta: 3, m: 3, d: 3, k: 2, l: 1 },
        MLWE_256,
        lwe::Parameters { n: 1, q: 1021, p: 5, beta: 2, m: 8, d: 5, k: 2, l: 3 },
        lwe::Parameters { n: 16, q: 12289, p: 3, beta: 2, m: 2, d: 4, k: 3, l: 2 },
        MLWE_256_P3,
    ];
    let tests = small.map(|parameters| {
        let lwe::Parameters { n, p, k, l, .. } = parameters;
        let (key_seed, seed, message) = (inputs.seed(), inputs.seed(), inputs.poly(k * l * n, p));
        let (public_key, secret_key) = lwe::keygen(parameters, &key_seed);
        let ciphertext = lwe::encrypt(parameters, &public_key, &message, &seed).expect("a key that was just made");
        assert_eq!(lwe::decrypt(parameters, &secret_key, &ciphertext).as_ref(), Some(&message));
        format!(
            "{{{}, \"key_seed\": \"{}\", \"public_key\": \"{}\", \"secret_key\": \"{}\", \"message\": {}, \"seed\": \"{}\", \
             \"ciphertext\": \"{}\"}}",
            lwe_sizes(parameters),
            hex(&key_seed),
            hex(&public_key),
            hex(&secret_key),
            list(&message),
            hex(&seed),
            hex(&ciphertext)
        )
    });
    file("lwe", OUR_SOURCE, "", &tests)
}

pub(super) fn lwe_kem_file() -> String {
    let mut inputs = Inputs::new("lwe-kem");
    let tests: Vec<String> = (0..2).map(|_| lwe_kem_test(MLWE_256, &mut inputs)).collect();
    file("lwe-kem", OUR_SOURCE, &lwe_sizes(MLWE_256), &tests)
}

fn lwe_kem_test(parameters: lwe::Parameters, inputs: &mut Inputs) -> String {
    let [key_seed, rejection, message] = [inputs.seed(), inputs.seed(), inputs.seed()];
    let (public_key, secret_key) = lwe::keygen(parameters, &key_seed);
    let (shared_key, ciphertext) =
        lwe::encapsulate(parameters, &public_key, &message).expect("a key that was just made");
    let open = |ciphertext: &[u8]| lwe::decapsulate(parameters, [&secret_key, &public_key], &rejection, ciphertext);
    assert_eq!(open(&ciphertext), Some(shared_key), "both sides have the same key");
    let mut changed = ciphertext.clone();
    changed[0] ^= 1;
    let rejected_key = open(&changed).expect("the changed residue is below q");
    format!(
        "{{\"key_seed\": \"{}\", \"rejection\": \"{}\", \"public_key\": \"{}\", \"secret_key\": \"{}\", \"message\": \"{}\", \
         \"ciphertext\": \"{}\", \"shared_key\": \"{}\", \"rejected_key\": \"{}\"}}",
        hex(&key_seed),
        hex(&rejection),
        hex(&public_key),
        hex(&lwe::saved_key(parameters, &key_seed, &rejection)),
        hex(&message),
        hex(&ciphertext),
        hex(&shared_key),
        hex(&rejected_key)
    )
}

/// A commitment of the smallest sound set; a proof of opening; a proof of a relation between two
/// commitments.
pub(super) fn bdlop_file() -> String {
    const OPENING: bdlop::Parameters = bdlop::Parameters { n: 256, q: 4_194_301, k: 3, d: 1, l: 1, beta: 1, kappa: 60 };
    const RELATION: bdlop::Parameters =
        bdlop::Parameters { n: 256, q: 16_777_213, k: 4, d: 1, l: 2, beta: 2, kappa: 60 };
    let mut inputs = Inputs::new("bdlop");
    let mut tests = vec![bdlop_test(BDLOP_1024, &mut inputs, 1, None, None)];
    tests.push(bdlop_test(OPENING, &mut inputs, 1, None, Some(18_000)));
    let g = [inputs.poly(256, RELATION.q), inputs.poly(256, RELATION.q)];
    tests.push(bdlop_test(RELATION, &mut inputs, 2, Some(&g), Some(42_000)));
    file("bdlop", OUR_SOURCE, "", &tests)
}

/// Commitments to messages with eight coefficients that are not zero; a proof, if there is a bound
/// for masks.
fn bdlop_test(
    parameters: bdlop::Parameters,
    inputs: &mut Inputs,
    count: usize,
    relation: Option<&[Vec<u64>]>,
    mask_bound: Option<u64>,
) -> String {
    let bdlop::Parameters { n, q, k, d, l, beta, kappa } = parameters;
    let (key_seed, context) = (inputs.seed(), inputs.bytes(11));
    let key = Key::new(parameters, &key_seed);
    let mut fresh = || {
        let message: Vec<u64> = inputs.poly(8, q);
        let mut whole = vec![0; l * n];
        whole[..8].copy_from_slice(&message);
        let seed = inputs.seed();
        let whole: Vec<Vec<u64>> = whole.chunks(n).map(<[u64]>::to_vec).collect();
        let randomness = key.randomness(&whole, &seed);
        let commitment = key.commit(&whole, &randomness);
        let text = format!(
            "{{\"message\": {}, \"randomness_seed\": \"{}\", \"commitment\": \"{}\"}}",
            list(&message),
            hex(&seed),
            hex(&key.commitment_to_bytes(&commitment))
        );
        (text, whole, randomness, commitment)
    };
    let mut parts = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    (0..count).map(|_| fresh()).for_each(|part| parts.extend([part]));
    let (texts, messages, randomness, commitments) = parts;

    let value = relation.map(|g| {
        let multiple = |i: usize| {
            let products = g.iter().zip(&messages).map(|(g, m)| poly::negacyclic_product(g, &m[i], q));
            products.reduce(|a, b| poly::add(&a, &b, q)).expect("at least one commitment")
        };
        (0..l).map(multiple).collect::<Vec<Vec<u64>>>()
    });
    let statement =
        Statement { commitments: &commitments, relation: relation.zip(value.as_deref()), context: &context };
    let proof = mask_bound.map(|bound| {
        let masks: Vec<Integers> = (0..count).map(|_| (0..k).map(|_| inputs.small(n, bound)).collect()).collect();
        let proof = key.prove(&statement, &randomness, &masks);
        assert!(key.verify(&statement, &proof), "the proof is one");
        format!(
            "{{\"masks\": {}, \"bytes\": \"{}\"}}",
            list(&masks.concat().concat()),
            hex(&key.proof_to_bytes(&proof))
        )
    });
    let relation = statement
        .relation
        .map(|(g, v)| format!("{{\"coefficients\": {}, \"value\": {}}}", list(&g.concat()), list(&v.concat())));
    let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".into());
    format!(
        "{{\"n\": {n}, \"q\": {q}, \"k\": {k}, \"d\": {d}, \"l\": {l}, \"beta\": {beta}, \"kappa\": {kappa}, \
         \"key_seed\": \"{}\", \"commitments\": [{}], \"context\": \"{}\", \"relation\": {}, \"proof\": {}}}",
        hex(&key_seed),
        texts.join(", "),
        hex(&context),
        or_null(relation),
        or_null(proof)
    )
}

impl Inputs {
    /// n integers of absolute value at most `bound`.
    fn small(&mut self, n: usize, bound: u64) -> Vec<i64> {
        let numbers = self.poly(n, 2 * bound + 1);
        numbers.into_iter().map(|x| field::centred(x, 2 * bound + 1)).collect()
    }
}
