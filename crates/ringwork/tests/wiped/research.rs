//! Research schemes.

use crate::search::{Known, Secrets, stop};
use core::hint::black_box;
use rand_core::{CryptoRng, TryRng};
use ringwork::{
    Backend,
    bits::unpack,
    kem::{Encryption, Kem, Scheme},
    object::Purpose,
    registry::{self, Commitments, Form, Origin},
    ring::{self, Ring},
    sample::Ternary,
    schemes::{
        bdlop::{BDLOP_1024, CommitmentKey, Statement},
        lwe::{LWE_768, Lwe, MLWE_256},
        newhope::{NewHope, NewHopeRing, SEED_BYTES, USENIX2016},
        ntru::{NTRU_1024, Ntru},
        nttru::{Nttru, NttruRing},
        rlwe::{P2, Rlwe},
    },
    xof,
};
use zeroize::Zeroizing;

const ALICE: Known = Known(12289);
const BOB: Known = Known(3329);

fn draw(rng: &mut impl CryptoRng) -> [u8; SEED_BYTES] {
    let mut seed = [0; SEED_BYTES];
    rng.fill_bytes(&mut seed);
    seed
}

/// The bytes that the noise polynomials of a seed are made of, one after the other in the same
/// place.
fn noise(seed: &[u8; SEED_BYTES]) -> [Vec<u8>; 3] {
    [0, 1, 2].map(|index| {
        let mut bytes = vec![0; 4096];
        xof::chacha20(seed, [index, 0, 0, 0, 0, 0, 0, 0], &mut bytes);
        bytes
    })
}

/// NewHope: `alive` is Alice between her steps.
pub(crate) fn exchange(at: &str, backend: Backend) {
    let newhope = NewHope::with_backend(USENIX2016, backend);
    let (secret, message_a) = newhope.init(&mut black_box(ALICE));
    if at == "alive" {
        return stop();
    }
    let (message_b, bob) = newhope.respond(&message_a, &mut black_box(BOB)).expect("a good message");
    let alice = newhope.finish(secret, &message_b).expect("a good message");
    assert!(alice == bob);
    drop((alice, bob));
    if at == "careless" {
        let mut rng = black_box(ALICE);
        draw(&mut rng);
        let seed = black_box(Box::new(draw(&mut rng)));
        drop(black_box(noise(&seed)));
    }
    stop();
}

/// The same for NTTRU: keys, an encapsulation, a ciphertext that is taken and one that is refused.
pub(crate) fn encapsulation(at: &str, backend: Backend) {
    let nttru = Nttru::with_backend(backend);
    let (secret, public) = nttru.keygen(&mut black_box(ALICE));
    let (mut ciphertext, key) = nttru.encapsulate(&public, &mut black_box(BOB));
    assert!(nttru.decapsulate(&secret, &ciphertext).expect("a good ciphertext") == key);
    ciphertext[0] ^= 1;
    assert!(nttru.decapsulate(&secret, &ciphertext).is_err());
    drop(key);
    if at == "alive" {
        return stop();
    }
    drop(secret);
    stop();
}

/// Keys and messages of ring-LWE, module-LWE, LWE and NTRU; a commitment and a proof. Returns what only
/// its owner may know.
pub(crate) fn others(at: &str, backend: Backend) {
    drop(of_others(at, backend));
}

fn of_others(at: &str, backend: Backend) -> Vec<(&'static str, Vec<u8>)> {
    let mut known = Vec::new();
    let rlwe = Rlwe::<P2>::with_backend(backend).expect("a plan");
    let lwe = Lwe::<i16, _>::by_transform(MLWE_256).expect("a plan");
    let plain = Lwe::<i16, _>::by_schoolbook(LWE_768);
    let of_plain = 768 * 16;
    for (number, names, count) in [
        (0, ["r2 as bits", "r2"], 512),
        (1, ["S as bits", "S"], 768),
        (4, ["S of plain LWE as bits", "S of plain LWE"], of_plain),
    ] {
        let (mut alice, mut bob) = (black_box(Known(number)), black_box(Known(number + 10)));
        let saved = match number {
            0 => round_trip(&Kem::research(rlwe.clone()).expect("long messages"), &mut alice, &mut bob),
            1 => round_trip(&Kem::new(lwe.clone()).expect("no failures"), &mut alice, &mut bob),
            _ => round_trip(&Kem::new(plain.clone()).expect("no failures"), &mut alice, &mut bob),
        };
        if at == "known" {
            let seed = saved.first_chunk().expect("a seed");
            let secret = match number {
                0 => rlwe.secret_key_to_bytes(&rlwe.keys(seed).0),
                1 => lwe.secret_key_to_bytes(&lwe.keys(seed).0),
                _ => plain.secret_key_to_bytes(&plain.keys(seed).0),
            };
            known.push(("the seeds of keys", saved[..64].to_vec()));
            let (bits, offset) = if number == 0 { (1, 0) } else { (3, 2) };
            let packed = &secret[..count * bits as usize / 8];
            let values = unpack("a secret key", packed, bits, count).expect("a secret key");
            let words: Vec<i16> = values.map(|x| x as i16 - offset).collect();
            known.extend([(names[0], packed.to_vec()), (names[1], bytes(&words))]);
            if number == 4 {
                let wide = words.iter().flat_map(|x| i64::from(*x).to_le_bytes()).collect();
                known.push(("S of plain LWE, prepared", wide));
            }
        }
    }
    let ntru = Ntru::with_backend(NTRU_1024, backend).expect("a plan");
    let kem = Kem::new(ntru.clone()).expect("no failures");
    let saved = round_trip(&kem, &mut black_box(Known(5)), &mut black_box(Known(15)));
    if at == "known" {
        let packed =
            ntru.secret_key_to_bytes(&Encryption::keygen_derand(&ntru, saved.first_chunk().expect("a seed")).0);
        let values = unpack("f'", &packed, 2, 1024).expect("a secret key");
        let words = values.flat_map(|x| (x as i32 - 1).to_le_bytes()).collect();
        let mut coins = vec![0; 512];
        black_box(Known(15)).try_fill_bytes(&mut coins).expect("it never fails");
        known.extend([("f' as bits", packed.to_vec()), ("f'", words), ("the coins of a message", coins)]);
        known.push(("the seeds of keys", saved[..64].to_vec()));
    }
    drop((saved, kem, ntru));
    let key = CommitmentKey::<i64>::new(BDLOP_1024, &[1; 32]).expect("a plan");
    let seed = draw(&mut black_box(Known(2)));
    let message = key.message(&[0x0123_4567; 1024]).expect("short");
    let (commitment, opening) = key.commit_derand(message, &seed).expect("of that shape");
    let (commitments, openings) = ([commitment], [opening]);
    let statement = Statement { commitments: &commitments, relation: None, context: b"" };
    let proof = key.prove_derand(&statement, &openings, &draw(&mut black_box(Known(3)))).expect("honest");
    if at == "known" {
        let wide = |words: &[i64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        known.push(("the randomness", wide(openings[0].randomness().words())));
        known.push(("the message", wide(openings[0].message().words())));
        drop(proof);
        return known;
    }
    drop((proof, openings));
    stop();
    known
}

fn round_trip<E: Encryption>(kem: &Kem<E>, alice: &mut Known, bob: &mut Known) -> Zeroizing<Vec<u8>> {
    let key = kem.keygen(alice);
    let (ciphertext, shared) = kem.encapsulate(key.public_key(), bob);
    assert!(kem.decapsulate(&key, &ciphertext).expect("a good ciphertext") == shared);
    kem.secret_key_to_bytes(&key)
}

/// The plan of a ring in the words of its polynomials.
fn plan_of<P: ring::Parameters>(backend: Backend) -> ntt::Plan<i16> {
    ntt::Plan::with(&Ring::<P>::request().backend(backend).lazy()).expect("a ring")
}

/// The bytes of a transformed polynomial as the ring keeps it, in the words of its recipe; and of its slots in
/// `[0, q)`.
fn transformed<P: ring::Parameters>(backend: Backend, small: &[i16]) -> [Vec<u8>; 2] {
    let recipe = Ring::<P>::with_backend(backend).expect("a ring").recipe().clone();
    let bits = recipe.bits();
    let decision = ntt::Decision::Direct(recipe);
    if bits == 16 {
        let (plan, mut words) = (ntt::Plan::<i16>::from_decision(decision), small.to_vec());
        plan.forward(&mut words);
        let as_it_is = bytes(&words);
        plan.canonical(&mut words);
        return [as_it_is, bytes(&words)];
    }
    let (plan, mut words) =
        (ntt::Plan::<i32>::from_decision(decision), small.iter().map(|x| i32::from(*x)).collect::<Vec<_>>());
    let bytes = |words: &[i32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    plan.forward(&mut words);
    let as_it_is = bytes(&words);
    plan.canonical(&mut words);
    [as_it_is, bytes(&words)]
}

/// All secrets of the exchange that a public API can tell.
pub(crate) fn of_the_exchange(backend: Backend) -> Secrets {
    let mut secrets = Secrets::default();
    let newhope = NewHope::with_backend(USENIX2016, backend);
    let (secret, message_a) = newhope.init(&mut { ALICE });
    let (_, key) = newhope.respond(&message_a, &mut { BOB }).expect("a good message");
    secrets.add("the shared key", key.as_bytes(), 16);

    let mut rng = ALICE;
    draw(&mut rng); // for the public a
    for (seed, names) in [
        (draw(&mut rng), ["Alice's noise seed", "Alice's noise bytes"]),
        (draw(&mut { BOB }), ["Bob's noise seed", "Bob's noise bytes"]),
    ] {
        secrets.add(names[0], &seed, 16);
        noise(&seed).iter().for_each(|bytes| secrets.add(names[1], bytes, 16));
    }

    let packed = newhope.secret_to_bytes(secret);
    let bit = |i: usize| i16::from(packed[i >> 3] >> (i & 7) & 1);
    let slots: Vec<i16> = (0..1024).map(|i| (0..14).map(|j| bit(14 * i + j) << j).sum()).collect();
    let plan = plan_of::<NewHopeRing>(backend);
    let mut words: Vec<i16> = plan.canonical_order().unwrap().iter().map(|&index| slots[index]).collect();
    secrets.add("Alice's transformed secret, canonical", &bytes(&words), 32);
    secrets.add("Alice's transformed secret in words of 32 bits", &wide_bytes(&words), 32);
    plan.inverse(&mut words);
    plan.canonical(&mut words);
    words.iter_mut().filter(|x| **x > 12289 / 2).for_each(|x| *x -= 12289);
    assert!(words.iter().all(|x| x.abs() <= 16), "noise is small");
    secrets.add("Alice's secret", &bytes(&words), 32);
    secrets.add("Alice's secret in words of 32 bits", &wide_bytes(&words), 32);
    let [as_it_is, _] = transformed::<NewHopeRing>(backend, &words);
    secrets.add("Alice's transformed secret", &as_it_is, 32);
    secrets.add("Alice's saved secret", &packed, 32);
    secrets
}

/// Those of NTTRU.
pub(crate) fn of_the_encapsulation(backend: Backend) -> Secrets {
    let mut secrets = Secrets::default();
    let nttru = Nttru::with_backend(backend);
    let (secret, public) = nttru.keygen(&mut { ALICE });
    let (_, key) = nttru.encapsulate(&public, &mut { BOB });
    secrets.add("the shared key", key.as_bytes(), 16);
    let (of_keys, of_message) = (draw(&mut { ALICE }), draw(&mut { BOB }));
    secrets.add("the seed of the keys", &of_keys, 16);
    secrets.add("the seed of the message", &of_message, 16);

    let [mut coins, mut message_coins] = [vec![0; 768], vec![0; 384]];
    xof::aes256_ctr(&of_keys, &mut coins);
    xof::aes256_ctr(&of_message, &mut message_coins);
    secrets.add("the coins of the keys", &coins, 16);
    secrets.add("the coins of the message", &message_coins, 16);
    let short = |coins: &[u8], factor| {
        let mut words = vec![0; 768];
        Ternary { factor }.sample(backend, &mut words, coins);
        words
    };
    let message = short(&message_coins, 1);
    secrets.add("the message", &bytes(&message), 32);
    let mut f = short(&coins[..384], 3);
    f[0] += 1;
    secrets.add("f", &bytes(&f), 32);
    secrets.add("f'", &bytes(&short(&coins[..384], 1)), 32);
    let [as_it_is, canonical] = transformed::<NttruRing>(backend, &f);
    secrets.add("the transformed f", &as_it_is, 32);
    secrets.add("the transformed f, canonical", &canonical, 32);
    let [as_it_is, _] = transformed::<NttruRing>(backend, &message);
    secrets.add("the transformed message", &as_it_is, 32);
    secrets.add("the packed f", &nttru.secret_key_to_bytes(&secret)[..1248], 32);
    secrets
}

/// Those of ring-LWE, module-LWE, LWE, NTRU and commitments.
pub(crate) fn of_the_others(backend: Backend) -> Secrets {
    let mut secrets = Secrets::default();
    for (name, bytes) in of_others("known", backend) {
        // 64 coefficients at least: a few small numbers in a row stand in any memory.
        let window = match name {
            "the seeds of keys" => 16,
            name if name.starts_with("the ") => 512,
            _ => 128.min(bytes.len()),
        };
        secrets.add(name, &bytes, window);
    }
    secrets
}

/// Words as they stand in memory when 32 bits are calculated with.
fn wide_bytes(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|&word| i32::from(word).to_le_bytes()).collect()
}

fn bytes(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Numbers of generators for keys and for what is made with them.
const OF_THE_REGISTRY: [u64; 2] = [31, 32];

/// What the registry has by that name: keys, a round trip, or a commitment, its opening and a proof.
pub(crate) fn by_name(name: &str) {
    drop(of_name(name));
    stop();
}

/// The same; secrets of it, each a seed or a key.
pub(crate) fn of_name(name: &str) -> Secrets {
    let [mut keys, mut rest] = OF_THE_REGISTRY.map(|number| black_box(Known(number)));
    let mut secrets = Secrets::default();
    match registry::by_name(name).expect("a known name").purpose {
        Purpose::Encapsulation => {
            let scheme = registry::encapsulation(name).expect("a known name");
            let (secret, public) = scheme.keygen(&mut keys);
            let (ciphertext, shared) = scheme.encapsulate(&public, &mut rest).expect("a good key");
            assert!(scheme.decapsulate(&secret, &ciphertext).expect("a good ciphertext") == shared);
            assert!(scheme.public_key_of(&secret).expect("a good key") == public);
            secrets.add("a seed", &secret, 16);
            secrets.add("the shared key", shared.as_bytes(), 16);
        }
        Purpose::Exchange => {
            let scheme = registry::exchange(name, Backend::best(), None).expect("a known name").expect("by any method");
            let (secret, offer) = scheme.init(&mut keys);
            let (reply, shared) = scheme.respond(&offer, &mut rest).expect("a good message");
            // Behind it stands a digest of the offer, which is public.
            secrets.add("the saved secret", &secret[..secret.len() - registry::OFFER_DIGEST_BYTES], 16);
            assert!(scheme.finish(&secret, &reply).expect("a good message") == shared);
            secrets.add("the shared key", shared.as_bytes(), 16);
        }
        Purpose::Commitment => {
            let set = Commitments::by_name(name).expect("a known name");
            let origin = Origin { committer: b"c", context: b"x" };
            let message = Zeroizing::new(b"a message that nobody else may know".to_vec());
            let (commitment, opening) = set.commit(&[1; 32], origin, Form::Bytes, &message, &mut keys).expect("short");
            let (_, opened) = set.open(&commitment, &opening, origin).expect("it opens");
            let proof = set.prove(&[&commitment], &[&opening], false, origin, &mut rest).expect("honest");
            set.verify(&[&commitment], false, origin, &proof).expect("it holds");
            secrets.add("the seed of an opening", &opening[..32], 16);
            secrets.add("the message", &opened, 16);
        }
        purpose => panic!("{name}: {purpose:?} has no case"),
    }
    secrets
}
