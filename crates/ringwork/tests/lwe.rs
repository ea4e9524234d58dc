//! LWE and module-LWE encryption.

use crate::random::tagged as seed;
use ringwork::{
    decode::DecodeError,
    kem::{self, Encryption, Kem, SECRET_KEY_BYTES, Scheme},
    module::{Module, Vector},
    sample::Word,
    schemes::lwe::{Error, LWE_768, Lwe, MLWE_256, MLWE_256_P3, Multiplier, Parameters, Schoolbook},
    xof,
};

/// Numbers below `p`.
fn numbers(number: u64, p: u64, count: usize) -> Vec<u64> {
    let mut bytes = vec![0; count];
    xof::chacha20(&seed(1, number), [9; 8], &mut bytes);
    bytes.into_iter().map(|b| u64::from(b) % p).collect()
}

/// The bytes of a key and of a ciphertext, which must come back.
fn round_trip<T: Word, M: Multiplier<T>>(lwe: &Lwe<T, M>, number: u64) -> [Vec<u8>; 3] {
    let (parameters, [k, l]) = (lwe.parameters(), lwe.parameters().message_shape());
    let (secret, public) = lwe.keys(&seed(2, number));
    let values = numbers(number, parameters.p(), k * l * parameters.n());
    let message = lwe.message(&values).unwrap();
    let ciphertext = lwe.encrypt_polynomials(&public, &message, &seed(3, number));
    let bytes = [
        lwe.public_key_to_bytes(&public),
        lwe.secret_key_to_bytes(&secret).to_vec(),
        lwe.ciphertext_to_bytes(&ciphertext),
    ];
    let secret = lwe.secret_key_from_bytes(&bytes[1]).unwrap();
    let read = lwe.ciphertext_from_bytes(&bytes[2]).unwrap();
    assert_eq!(lwe.decrypt_polynomials(&secret, &read).words(), message.words(), "{parameters:?}");
    // A key that was read encrypts alike.
    let public = lwe.public_key_from_bytes(&bytes[0]).unwrap();
    let again = lwe.encrypt_polynomials(&public, &message, &seed(3, number));
    assert_eq!(lwe.ciphertext_to_bytes(&again), bytes[2]);
    bytes
}

#[test]
fn every_multiplier_writes_the_same_bytes() {
    // Complete and incomplete transforms, auxiliary primes, a modulus that is a power of two.
    for (n, q, p, beta, m, shape) in [
        (64, 1_049_089, 3, 2, 4, [2, 3]),
        (256, 12289, 2, 1, 4, [1, 1]),
        (128, 1_073_741_789, 256, 4, 2, [1, 2]),
        (64, 1 << 20, 3, 2, 3, [2, 1]),
        (2, 7681, 5, 1, 7, [2, 2]),
    ] {
        let parameters = Parameters::new(n, q, p, beta, m, shape).unwrap();
        let by_transform = Lwe::<i64, _>::by_transform(parameters).unwrap();
        let by_definition = Lwe::<i64, _>::by_schoolbook(parameters);
        let bytes = round_trip(&by_transform, n as u64);
        assert_eq!(bytes, round_trip(&by_definition, n as u64), "{parameters:?}");
        assert_eq!(bytes, round_trip(&Lwe::<i64, Schoolbook>::by_schoolbook(parameters), n as u64));
        if q < 1 << 30 {
            let narrow = Lwe::<i32, Module<i32>>::by_transform(parameters).unwrap();
            assert_eq!(bytes, round_trip(&narrow, n as u64), "{parameters:?}");
        }
    }
}

#[test]
fn plain_lwe_is_degree_one() {
    let parameters = Parameters::new(1, 65537, 4, 2, 640, [8, 8]).unwrap();
    let lwe = Lwe::<i64, _>::by_schoolbook(parameters);
    for number in 0..5 {
        round_trip(&lwe, number);
    }
}

#[test]
fn ten_thousand_messages_come_back() {
    let parameters = Parameters::new(64, 12289, 2, 1, 4, [1, 1]).unwrap();
    let lwe = Lwe::<i16, _>::by_transform(parameters).unwrap();
    for key in 0..100 {
        let (secret, public) = lwe.keys(&seed(4, key));
        for number in 0..100 {
            let message = lwe.message(&numbers(100 * key + number, 2, 64)).unwrap();
            let ciphertext = lwe.encrypt_polynomials(&public, &message, &seed(5, 100 * key + number));
            assert_eq!(lwe.decrypt_polynomials(&secret, &ciphertext).words(), message.words());
        }
    }
}

/// The worst case is the bound: with one more it can fail, and one message less it is refused.
#[test]
fn the_bound_is_derived_and_named() {
    // 3·(2·4·32·1024 + 2) + 2 = 786440
    let refused = Parameters::new(1024, 12289, 3, 2, 32, [32, 32]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "noise may reach p(beta²·(m + d)·n + beta) + p - 1 = 786440, which is not below q/2 = 6144; take q above 1572880, or \
         parameters whose computed failure probability is small"
    );
    let paper = Parameters::measuring_only(1024, 12289, 3, 2, 32, [32, 32]).unwrap();
    assert!(paper.is_measuring_only());
    assert_eq!(paper.worst_case(), 786_440);
    assert!(Parameters::new(1024, 1_572_880, 3, 2, 32, [32, 32]).is_err());
    assert!(!Parameters::new(1024, 1_572_881, 3, 2, 32, [32, 32]).unwrap().is_measuring_only());
}

/// Messages come back with more rows than columns, and with fewer; the bound counts both, and the
/// security is that of the smaller dimension.
#[test]
fn rectangular_matrices_work() {
    for [m, d] in [[5, 2], [2, 5], [1, 4], [4, 4]] {
        let numbers = Parameters::new(1, 65537, 4, 2, m, [3, 2]).unwrap().with_columns(d).unwrap();
        assert_eq!((numbers.shape_of_a(), numbers.rank()), ([m, d], m.max(d)));
        assert_eq!(numbers.worst_case(), 4 * (4 * (m + d) as u128 + 2) + 3);
        let [public, secret, ciphertext] = round_trip(&Lwe::<i64, _>::by_schoolbook(numbers), 1);
        // 17 bits a residue, 3 bits a number of [2]; T is m x 2, S is d x 2, U is 3 x d, V is 3 x 2.
        assert_eq!(public.len(), 32 + (m * 2 * 17).div_ceil(8));
        assert_eq!(secret.len(), (d * 2 * 3).div_ceil(8));
        assert_eq!(ciphertext.len(), (3 * d * 17).div_ceil(8) + (3 * 2 * 17_usize).div_ceil(8));
        let ring = Parameters::new(64, 65537, 3, 2, m, [1, 2]).unwrap().with_columns(d).unwrap();
        let bytes = round_trip(&Lwe::<i32, _>::by_transform(ring).unwrap(), 2);
        assert_eq!(bytes, round_trip(&Lwe::<i64, _>::by_schoolbook(ring), 2));
    }
    let square = MLWE_256.security().unwrap().classical_bits;
    for [m, d] in [[3, 2], [2, 3]] {
        let set = Parameters::measuring_only(256, 7681, 2, 2, m, [1, 1]).unwrap().with_columns(d).unwrap();
        assert!(set.is_measuring_only() && set.security().unwrap().classical_bits < square - 30.0);
    }
    // The promise is that of the square: here a few columns more break it.
    let seldom = Parameters::with_small_failure(256, 7681, 2, 2, 3, [1, 1]).unwrap();
    assert!(seldom.with_columns(4).unwrap().failure_log2() > seldom.failure_log2());
    let refused = seldom.with_columns(40).unwrap_err().to_string();
    assert!(refused.starts_with("a message does not come back"), "{refused}");
    let never = Parameters::new(16, 12289, 2, 2, 4, [1, 1]).unwrap();
    assert!(never.with_columns(50).unwrap_err().to_string().starts_with("noise may reach p(beta²·(m + d)·n"));
    assert!(never.with_columns(0).unwrap_err().to_string().contains("m = 4, d = 0"));
}

/// The set of messages modulo 3: all three digits come back, and 405 bits would fit.
#[test]
fn messages_modulo_three_come_back() {
    assert_eq!((MLWE_256_P3.p(), MLWE_256_P3.shape_of_a()), (3, MLWE_256.shape_of_a()));
    assert_eq!((256.0 * 3_f64.log2()) as u32, 405);
    let lwe = Lwe::<i16, _>::by_transform(MLWE_256_P3).unwrap();
    for number in 0..20 {
        round_trip(&lwe, number);
    }
}

#[test]
fn senseless_parameters_are_refused() {
    let ask = |n, q, p, beta, m, shape| match Parameters::measuring_only(n, q, p, beta, m, shape) {
        Err(Error::Parameters(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(ask(3, 7681, 3, 2, 2, [1, 1]).starts_with("n = 3 is not a power of two"));
    assert!(ask(0, 7681, 3, 2, 2, [1, 1]).starts_with("n = 0"));
    assert!(ask(4, 0, 3, 2, 2, [1, 1]).starts_with("q = 0"));
    assert!(ask(4, 1 << 31, 3, 2, 2, [1, 1]).starts_with("q = 2147483648"));
    assert!(ask(4, 7681, 1, 2, 2, [1, 1]).starts_with("p = 1"));
    assert!(ask(4, 6, 3, 2, 2, [1, 1]).contains("no factor in common"));
    assert!(ask(4, 7681, 3, 0, 2, [1, 1]).starts_with("beta = 0"));
    assert!(ask(4, 7681, 3, 2, 0, [1, 1]).contains("must not be empty"));
    assert!(ask(1 << 17, 7681, 3, 2, 64, [1, 1]).contains("nor have more than"));
    assert!(ask(1 << 13, 7681, 3, 2, 1, [1 << 7, 1 << 7]).contains("nor have more than"));
    assert_eq!(ask(4, 17, 16, 2, 2, [1, 1]), "p·beta = 16·2 is not below q = 17");
}

#[test]
fn malformed_bytes_are_refused() {
    let parameters = Parameters::new(64, 12289, 2, 1, 2, [1, 1]).unwrap();
    let lwe = Lwe::<i32, _>::by_transform(parameters).unwrap();
    let [public, secret, ciphertext] = round_trip(&lwe, 1);
    for cut in [0, 1, ciphertext.len() - 1] {
        let (expected, actual) = (ciphertext.len(), cut);
        let refused = lwe.ciphertext_from_bytes(&ciphertext[..cut]).unwrap_err();
        assert_eq!(refused, DecodeError::Length { what: "a ciphertext", expected, actual });
    }
    let mut wrong = ciphertext;
    wrong[0] = 0xFF;
    wrong[1] |= 0x3F;
    let refused = lwe.ciphertext_from_bytes(&wrong).unwrap_err();
    assert_eq!(refused, DecodeError::Value { what: "U of a ciphertext", index: 0, value: 16383, bound: 12289 });
    let mut wrong = public;
    wrong[32] = 0xFF;
    wrong[33] |= 0x3F;
    let refused = lwe.public_key_from_bytes(&wrong).unwrap_err();
    assert_eq!(refused, DecodeError::Value { what: "T of a public key", index: 0, value: 16383, bound: 12289 });
    let mut wrong = secret;
    wrong[3] |= 0b11;
    assert_eq!(lwe.secret_key_from_bytes(&wrong).unwrap_err(), DecodeError::Secret("a secret key"));
    assert_eq!(lwe.message(&[2]).unwrap_err().to_string(), "coefficient 0 of the message is not below p = 2");
    assert!(lwe.message(&[0; 65]).unwrap_err().to_string().contains("64 coefficients at most"));
}

#[test]
fn sets_are_safe_and_fail_as_seldom_as_they_say() {
    for set in Parameters::ALL {
        let [n, m] = [set.n(), set.rank()];
        let computed = Parameters::with_small_failure(n, set.q(), set.p(), set.beta(), m, set.message_shape()).unwrap();
        assert!(computed.failure_log2() <= set.failure_log2(), "{}: {}", set.name(), computed.failure_log2());
        assert!(set.security().unwrap().classical_bits >= 128.0);
        assert_eq!(Parameters::by_name(set.name()), Some(set));
        assert!(!set.is_measuring_only());
    }
    let refused = Parameters::with_small_failure(1024, 12289, 3, 2, 32, [1, 1]).unwrap_err().to_string();
    assert!(
        refused.starts_with("a message does not come back with a probability of 2^-3.9, not below 2^-64"),
        "{refused}"
    );
    assert!(refused.contains("worst case of 786440, and q/2 = 6144"), "{refused}");
}

fn encapsulations<E: Encryption>(encryption: E, count: u64) {
    let kem = Kem::new(encryption).unwrap();
    let key = kem.keygen_derand(&seed(7, 0), &seed(8, 0));
    let loaded = kem.secret_key_from_bytes(&kem.secret_key_to_bytes(&key)).unwrap();
    let public = kem.public_key_from_bytes(key.public_key().as_bytes()).unwrap();
    assert_eq!(kem.encryption().message_bytes(), 32);
    for number in 0..count {
        let message: Vec<u8> = numbers(number, 256, 32).iter().map(|x| *x as u8).collect();
        let (mut ciphertext, shared) = kem.encapsulate_derand(&public, &message);
        assert!(kem.decapsulate(&loaded, &ciphertext).unwrap() == shared);
        let at = number as usize * 31 % ciphertext.len();
        ciphertext[at] ^= 1;
        assert!(kem.decapsulate(&loaded, &ciphertext).map_or(true, |rejected| rejected != shared));
    }
}

/// M7: a changed secret key is refused, whichever bit it was, and never gives wrong keys in
/// silence.
#[test]
fn every_flipped_bit_of_a_secret_key_is_noticed() {
    let kem = Kem::new(Lwe::<i16, _>::by_transform(MLWE_256).unwrap()).unwrap();
    let bytes = kem.secret_key_to_bytes(&kem.keygen_derand(&seed(7, 1), &seed(8, 1)));
    assert_eq!(bytes.len(), SECRET_KEY_BYTES);
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let refused = kem.secret_key_from_bytes(&changed).unwrap_err();
        assert_eq!(refused, DecodeError::Secret("a secret key"), "bit {bit}");
    }
    // Seeds of one key with the digest of another.
    let other = kem.secret_key_to_bytes(&kem.keygen_derand(&seed(7, 2), &seed(8, 2)));
    let halves = [&bytes[..64], &other[64..]].concat();
    assert_eq!(kem.secret_key_from_bytes(&halves).unwrap_err(), DecodeError::Secret("a secret key"));
}

#[test]
fn short_messages_carry_no_keys() {
    let encryption = Lwe::<i64, _>::by_schoolbook(Parameters::new(1, 12289, 2, 1, 16, [4, 4]).unwrap());
    assert_eq!(Kem::new(encryption.clone()).unwrap_err(), kem::Error::ShortMessages { bytes: 2 });
    assert_eq!(Kem::research(encryption).unwrap_err(), kem::Error::ShortMessages { bytes: 2 });
}

/// M11: the transform needs encryptions that do not fail; who wants others says so.
#[test]
fn encryptions_that_fail_make_no_keys_unless_asked_to() {
    let measured = Parameters::measuring_only(1024, 12289, 3, 2, 32, [1, 1]).unwrap();
    let encryption = Lwe::<i16, _>::by_transform(measured).unwrap();
    let refused = Kem::new(encryption.clone()).unwrap_err();
    assert!(
        matches!(refused, kem::Error::Failure { .. }) && refused.to_string().contains("Kem::research"),
        "{refused}"
    );
    Kem::research(encryption).unwrap();
    // 2^-64 is enough for messages, and too much for keys.
    let between = Parameters::with_small_failure(256, 3457, 2, 2, 3, [1, 1]).unwrap();
    assert!((-128.0..-64.0).contains(&between.failure_log2()), "{}", between.failure_log2());
    assert!(Kem::new(Lwe::<i16, _>::by_transform(between).unwrap()).is_err());
    // Nothing fails, and everybody finds the key.
    let toy = Parameters::with_small_failure(256, 12289, 2, 1, 1, [1, 1]).unwrap();
    let refused = Kem::new(Lwe::<i16, _>::by_transform(toy).unwrap()).unwrap_err();
    assert!(matches!(&refused, kem::Error::Weak(why) if why.contains("costs 2^")), "{refused}");
}

/// L12: sizes are multiplied in 64 bits, whatever a `usize` has.
#[test]
fn sizes_do_not_wrap_on_machines_of_32_bits() {
    let refused = Parameters::measuring_only(1 << 6, 12289, 2, 1, 1 << 13, [1 << 13, 1]).unwrap_err().to_string();
    assert!(refused.contains("nor have more than 67108864 coefficients"), "{refused}");
}

#[test]
#[should_panic(expected = "a coefficient of the message is not in [0, p)")]
fn messages_out_of_range_are_refused() {
    let lwe = Lwe::<i16, _>::by_transform(MLWE_256).unwrap();
    let (_, public) = lwe.keys(&seed(7, 0));
    lwe.encrypt_polynomials(&public, &Vector::filled(256, 1, |words| words[255] = i16::MIN), &seed(8, 0));
}

/// L3: a seed gives unrelated streams for keys, for noise, and to every parameter set.
#[test]
fn one_seed_has_a_stream_for_each_use() {
    let lwe = Lwe::<i64, _>::by_schoolbook(Parameters::new(16, 65537, 2, 1, 2, [1, 1]).unwrap());
    let wider = Lwe::<i64, _>::by_schoolbook(Parameters::new(16, 65537, 2, 1, 2, [2, 1]).unwrap());
    let seed = seed(7, 0);
    let saved = |lwe: &Lwe<i64, Schoolbook>| {
        let (secret, public) = lwe.keys(&seed);
        (lwe.public_key_to_bytes(&public)[..32].to_vec(), lwe.secret_key_to_bytes(&secret).to_vec())
    };
    let ((a, s), (other_a, other_s)) = (saved(&lwe), saved(&wider));
    assert!(a != other_a && s != other_s);
    let mut bare = [0; 32];
    xof::chacha20(&seed, [0; 8], &mut bare);
    assert_ne!(a, bare, "what is published is no part of the bare stream of the seed");
}

#[test]
fn keys_are_encapsulated() {
    encapsulations(Lwe::<i16, _>::by_transform(MLWE_256).unwrap(), 300);
    encapsulations(Lwe::<i16, _>::by_transform(MLWE_256_P3).unwrap(), 300);
    encapsulations(Lwe::<i32, _>::by_schoolbook(LWE_768), 10);
}
