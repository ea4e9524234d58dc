//! Encryption, key encapsulation and key exchange.

use crate::{
    memcheck::{conceal, reveal},
    run::{Run, SecretRng, secret_bytes, secret_words},
};
use ntt::Request;
use ringwork::{
    Backend,
    kem::{Encryption, Kem, Scheme},
    module::Module,
    object::Purpose,
    registry,
    sample::Word,
    schemes::{
        lwe::{self, LWE_768, Lwe, MLWE_256, MLWE_256_P3},
        newhope::{NewHope, PSI12, USENIX2016},
        ntru::{self, Ntru},
        nttru::{self, Nttru},
        rlwe::{P1, P2, Rlwe},
    },
};

pub(crate) fn run(run: &mut Run<'_>) {
    let backend = run.backend;
    let without_roots = |q| lwe::Parameters::new(256, q, 3, 2, 2, [1, 1]).expect("messages come back");
    if backend == Backend::Scalar {
        // Without vectors, whatever the backend.
        kem(run, "lwe-768", Lwe::<i32, _>::by_schoolbook(LWE_768));
        kem(run, "lwe by residue channels, 64 bits", by_transform::<i64>(without_roots(1_073_741_789), backend));
    }
    kem(run, "mlwe-256", by_transform::<i16>(MLWE_256, backend));
    kem(run, "mlwe-256-p3", by_transform::<i16>(MLWE_256_P3, backend));
    let rectangular = lwe::Parameters::new(256, 40961, 2, 1, 5, [1, 1])
        .and_then(|square| square.with_columns(3))
        .expect("messages come back");
    kem(run, "lwe, 5 rows and 3 columns", by_transform::<i32>(rectangular, backend));
    kem(run, "rlwe-p1", Rlwe::<P1>::with_backend(backend).expect("a plan on every backend"));
    kem(run, "rlwe-p2", Rlwe::<P2>::with_backend(backend).expect("a plan on every backend"));
    kem(run, "lwe by residue channels, 32 bits", by_transform::<i32>(without_roots(1_073_741_789), backend));
    kem(run, "lwe modulo 2^20, 32 bits", by_transform::<i32>(without_roots(1 << 20), backend));
    nttru(run);
    ntru(run);
    newhope(run);
    if backend == Backend::best() {
        // LWE takes seconds for a matrix of numbers, and was tried above.
        let schemes = registry::all(Purpose::Encapsulation).filter(|scheme| scheme.name != "lwe-768");
        schemes.for_each(|scheme| by_name(run, scheme.name));
    }
}

fn by_transform<T: Word>(parameters: lwe::Parameters, backend: Backend) -> Lwe<T, Module<T>> {
    let request = Request::new(parameters.n(), parameters.q()).sums(parameters.rank() as u64);
    let request = if T::BITS == 64 { request } else { request.backend(backend) };
    Lwe::with_multiplier(parameters, Module::with(&request).expect("a plan"))
}

/// The same bytes, secret.
fn concealed(bytes: &[u8]) -> Vec<u8> {
    let copy = bytes.to_vec();
    conceal(&copy);
    copy
}

fn kem<E: Encryption>(run: &mut Run<'_>, name: &str, encryption: E) {
    let kem = Kem::research(encryption).expect("messages of 32 bytes");
    let secret = kem.keygen_derand(&[1; 32], &[2; 32]);
    let public = secret.public_key();
    let saved = concealed(&kem.secret_key_to_bytes(&secret));
    let (ciphertext, _) = kem.encapsulate_derand(public, &vec![5; kem.encryption().message_bytes()]);

    run.case(&format!("{name}: keygen"), || {
        let fresh = kem.keygen_derand(&secret_bytes(), &secret_bytes());
        reveal(fresh.public_key().as_bytes()) && reveal(&kem.secret_key_to_bytes(&fresh))
    });
    run.case(&format!("{name}: encapsulation"), || {
        let (ciphertext, shared) = kem.encapsulate(public, &mut SecretRng);
        reveal(shared.as_bytes()) && reveal(&ciphertext)
    });
    let mut read = None;
    run.case(&format!("{name}: reading a secret key"), || {
        let key = kem.secret_key_from_bytes(&saved).expect("what was written");
        let secret = reveal(&kem.secret_key_to_bytes(&key));
        read = Some(kem.secret_key_from_bytes(&saved).expect("what was written"));
        secret
    });
    let Some(read) = read else { return };
    run.case(&format!("{name}: decapsulation"), || {
        reveal(kem.decapsulate(&read, &ciphertext).expect("a ciphertext").as_bytes())
    });
    run.case(&format!("{name}: decapsulation of what was changed"), || {
        let mut changed = ciphertext.clone();
        changed[0] ^= 1;
        reveal(kem.decapsulate(&read, &changed).expect("a ciphertext").as_bytes())
    });
}

fn nttru(run: &mut Run<'_>) {
    let nttru = Nttru::with_backend(run.backend);
    let (secret, public) = nttru.keygen_derand(&[1; 32]).expect("an inverse");
    let saved = nttru.secret_key_to_bytes(&secret).to_vec();
    conceal(&saved[..saved.len() - nttru::PUBLIC_KEY_BYTES]);
    let (ciphertext, _) = nttru.encapsulate_derand(&public, &[2; 32]);

    run.case("nttru: keygen", || {
        let (secret, public) = nttru.keygen_derand(&secret_bytes()).expect("an inverse");
        reveal(&nttru.public_key_to_bytes(&public)) && reveal(&nttru.secret_key_to_bytes(&secret))
    });
    run.case("nttru: encapsulation", || {
        let (ciphertext, shared) = nttru.encapsulate_derand(&public, &secret_bytes());
        reveal(&ciphertext) && reveal(shared.as_bytes())
    });
    let mut read = None;
    run.case("nttru: reading a secret key", || {
        let key = nttru.secret_key_from_bytes(&saved).expect("what was written");
        nttru.check_secret_key(&key).expect("what was written");
        read = Some(key);
        reveal(&nttru.secret_key_to_bytes(read.as_ref().expect("just read")))
    });
    let Some(read) = read else { return };
    run.case("nttru: decapsulation", || {
        reveal(nttru.decapsulate(&read, &ciphertext).expect("a ciphertext").as_bytes())
    });
    run.case("nttru: decapsulation of what was changed", || {
        let mut changed = ciphertext;
        changed[9] ^= 1;
        nttru.decapsulate(&read, &changed).is_err() // which is public
    });
}

/// Coefficients on the wire, and slots; other degrees and messages; and the set that has a name.
fn ntru(run: &mut Run<'_>) {
    let parameters = ntru::Parameters::new(256, 7681).expect("parameters that decrypt");
    ntru_of(run, "ntru", parameters);
    ntru_of(run, "ntru, slots", parameters.in_transform_domain(8).expect("roots of unity"));
    // Slots of five coefficients are multiplied one word at a time.
    let single = (run.backend == Backend::Scalar).then_some((80, 3041, 5));
    for (n, q, p) in [(96, 3137, 5), (96, 1153, 2)].into_iter().chain(single) {
        let parameters = ntru::Parameters::measuring_only(n, q, p).expect("parameters that decrypt");
        ntru_of(run, &format!("ntru, degree {n}, modulo {p}"), parameters);
    }
    kem(run, "ntru-1024", Ntru::with_backend(ntru::NTRU_1024, run.backend).expect("a plan"));
}

fn ntru_of(run: &mut Run<'_>, name: &str, parameters: ntru::Parameters) {
    let ntru = Ntru::with_backend(parameters, run.backend).expect("a plan");
    let (secret, public) = (1..).find_map(|byte| ntru.keygen_derand(&[byte; 32])).expect("an inverse");
    let saved = concealed(&ntru.secret_key_to_bytes(&secret));
    let message = || -> Vec<i8> {
        let [least, most] = parameters.message_range().map(i64::from);
        secret_words::<i16>(parameters.n(), least, most).iter().map(|&x| x as i8).collect()
    };

    run.case(&format!("{name}: keygen"), || {
        // One seed in thirty gives an element without an inverse.
        let mut pairs = core::iter::repeat_with(|| ntru.keygen_derand(&secret_bytes())).flatten();
        let (secret, public) = pairs.next().expect("an inverse");
        reveal(&ntru.public_key_to_bytes(&public)) && reveal(&ntru.secret_key_to_bytes(&secret))
    });
    let mut ciphertext = Vec::new();
    run.case(&format!("{name}: encryption"), || {
        ciphertext = ntru.encrypt_derand(&public, &message(), &secret_bytes()).expect("a message");
        reveal(&ciphertext)
    });
    run.case(&format!("{name}: messages as bytes"), || {
        let bytes = ntru.message_to_bytes(&message()).expect("a message");
        reveal(&ntru.message_from_bytes(&bytes).expect("what was written"))
    });
    run.case(&format!("{name}: decryption"), || {
        let key = ntru.secret_key_from_bytes(&saved).expect("what was written");
        reveal(&ntru.decrypt(&key, &ciphertext).expect("a ciphertext"))
    });
}

fn newhope(run: &mut Run<'_>) {
    for set in [USENIX2016, PSI12] {
        let newhope = NewHope::with_backend(set, run.backend);
        let name = set.name();
        let mut begun = None;
        run.case(&format!("newhope {name}: init"), || {
            let (secret, message) = newhope.init_derand(&[1; 32], &secret_bytes());
            let was_secret = reveal(&message);
            begun = Some((secret, message));
            was_secret
        });
        let Some((secret, message_a)) = begun else { continue };
        let mut message_b = Vec::new();
        run.case(&format!("newhope {name}: respond"), || {
            let (message, shared) = newhope.respond_derand(&message_a, &secret_bytes()).expect("a message");
            let was_secret = reveal(&message);
            message_b = message.to_vec();
            was_secret && reveal(shared.as_bytes())
        });
        if message_b.is_empty() {
            continue;
        }
        run.case(&format!("newhope {name}: secret there and back, finish"), || {
            let secret = newhope.secret_from_bytes(&newhope.secret_to_bytes(secret)).expect("what was written");
            reveal(newhope.finish(secret, &message_b).expect("a message").as_bytes())
        });
    }
}

/// The way of the command line, on the best backend.
fn by_name(run: &mut Run<'_>, name: &str) {
    let scheme = registry::encapsulation(name).expect("a name of the registry");
    run.case(&format!("registry, {name}"), || {
        let (secret, public) = scheme.keygen(&mut SecretRng);
        let mut was_secret = reveal(&public);
        let saved = concealed(&secret);
        let (ciphertext, shared) = scheme.encapsulate(&public, &mut SecretRng).expect("a public key");
        was_secret &= reveal(shared.as_bytes()) && reveal(&ciphertext);
        was_secret && reveal(scheme.decapsulate(&saved, &ciphertext).expect("a ciphertext").as_bytes())
    });
}
