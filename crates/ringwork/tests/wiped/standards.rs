//! ML-KEM, ML-DSA and X-Wing.

use crate::search::{Known, Secrets, stop};
use core::hint::black_box;
use hybrid_array::Array;
use rand_core::Rng;
use ringwork::{
    Backend,
    ct::SecretBytes,
    schemes::{
        mldsa::{self, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey},
        mlkem::{self, B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    xof::{ByteStream, Shake256, sha3_256, sha3_512},
    xwing,
};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::{Zeroize, Zeroizing};

/// A small number stands in any memory: coefficients count from this many on.
const COEFFICIENTS: usize = 64;

/// Known bytes, in a block that is wiped.
fn known<const N: usize>(number: u64) -> SecretBytes<N> {
    let mut bytes = SecretBytes::zeros();
    black_box(Known(number)).fill_bytes(&mut bytes[..]);
    bytes
}

fn shake<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut out = [0; N];
    Shake256::new(&parts.concat()).read(&mut out);
    out
}

const OF_MLKEM: [u64; 3] = [203, 768, 16];

/// Keys from a seed and from their expanded form, one ciphertext that is taken and one that is refused; then the
/// same in batches.
pub(crate) fn mlkem<P: ParameterSet>(at: &str, backend: Backend) {
    let [seed, m, _] = OF_MLKEM;
    let seed = known::<64>(seed);
    let key = DecapsulationKey::<P>::with_backend(backend, &seed);
    let again = DecapsulationKey::<P>::expanded_with_backend(backend, &key.to_expanded()).expect("an expanded key");
    assert!(key == again && key.clone() == again);
    let public = EncapsulationKey::<P>::with_backend(backend, key.encapsulation_key().as_bytes()).expect("a key");
    let mut message = B32::default();
    message.copy_from_slice(&known::<32>(m)[..]);
    let (mut ciphertext, shared) = public.encapsulate_derand(&message.0);
    assert!(key.decapsulate_bytes(&ciphertext).expect("a ciphertext") == shared);
    ciphertext[0] ^= 1;
    assert!(again.decapsulate_bytes(&ciphertext).expect("a ciphertext") != shared);

    let mut seeds = Zeroizing::new(vec![[0; 64]; 3]);
    seeds.iter_mut().for_each(|copy| copy.copy_from_slice(&seed[..]));
    let keys = mlkem::keygen_many::<P>(&seeds);
    let publics: Vec<_> = keys.iter().map(DecapsulationKey::encapsulation_key).collect();
    let mut messages = vec![message; 3];
    let mut answers = mlkem::encapsulate_many_deterministic(&publics, &messages);
    let pairs: Vec<_> = keys.iter().zip(&answers).map(|(key, (ciphertext, _))| (key, &ciphertext[..])).collect();
    assert!(mlkem::decapsulate_many(&pairs).iter().all(|key| *key.as_ref().expect("a key") == shared));
    // What the caller owns, the caller wipes.
    message.zeroize();
    messages.iter_mut().for_each(Zeroize::zeroize);
    answers.iter_mut().for_each(|(_, shared)| shared.zeroize());
    drop((seed, seeds, shared));
    if at == "alive" {
        return stop();
    }
    drop((key, again, keys));
    stop();
}

pub(crate) fn of_mlkem<P: ParameterSet>(_: Backend) -> Secrets {
    let [seed, m, _] = OF_MLKEM;
    let (seed, m) = (known::<64>(seed), known::<32>(m));
    let key = DecapsulationKey::<P>::of_seed(&seed);
    let mut secrets = Secrets::default();
    secrets.add("d", &seed[..32], 16);
    secrets.add("z", &seed[32..], 16);
    secrets.add("m", &m[..], 16);
    let expanded = key.to_expanded();
    secrets.add("s, packed", &expanded[..384 * P::K], 48);
    let sigma = &sha3_512(&[&seed[..32], &[P::K as u8]].concat())[32..];
    secrets.add("sigma", sigma, 16);
    noise(&mut secrets, ["bytes of s", "s"], sigma, P::ETA1);
    let hash = sha3_256(key.encapsulation_key().as_bytes());
    let digest = sha3_512(&[&m[..], &hash].concat());
    secrets.add("the shared key", &digest[..32], 16);
    secrets.add("the coins of encryption", &digest[32..], 16);
    noise(&mut secrets, ["bytes of y", "y"], &digest[32..], P::ETA1);
    let (mut ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&Array(*m.as_bytes()));
    ciphertext[0] ^= 1;
    secrets.add("the key of rejection", &shake::<32>(&[&seed[32..], &ciphertext]), 16);
    secrets
}

/// The first polynomial of noise from a seed: its bytes and its coefficients.
fn noise(secrets: &mut Secrets, names: [&'static str; 2], seed: &[u8], eta: u32) {
    let eta = eta as usize;
    let bytes: [u8; 192] = shake(&[seed, &[0]]);
    secrets.add(names[0], &bytes[..64 * eta], 32);
    let bit = |i: usize| i16::from(bytes[i >> 3] >> (i & 7) & 1);
    let ones = |from: usize| (from..from + eta).map(bit).sum::<i16>();
    let words = (0..256).flat_map(|i| (ones(2 * i * eta) - ones((2 * i + 1) * eta)).to_le_bytes());
    secrets.add(names[1], &words.collect::<Vec<_>>(), 2 * COEFFICIENTS);
}

const OF_MLDSA: [u64; 2] = [204, 65];
const MESSAGE: &[u8] = b"a message to sign";

/// Keys from a seed and from their expanded form, single and in a batch, and signatures.
pub(crate) fn mldsa<P: MlDsaParams>(at: &str, backend: Backend) {
    let [seed, rnd] = OF_MLDSA;
    let (seed, rnd) = (known::<32>(seed), known::<32>(rnd));
    let key = SigningKey::<P>::with_backend(backend, &seed);
    let expanded = mldsa::ExpandedSigningKey::<P>::from_expanded_with_backend(backend, &key.to_expanded());
    let expanded = expanded.expect("an expanded key");
    let mu = key.verifying_key().mu(MESSAGE, b"").expect("no context");
    assert!(key.sign_mu(&mu, &rnd) == expanded.clone().sign_mu(&mu, &rnd));
    let mut seeds = Zeroizing::new(vec![[0; 32]; 3]);
    seeds.iter_mut().for_each(|copy| copy.copy_from_slice(&seed[..]));
    let keys = mldsa::keygen_many::<P>(&seeds);
    assert!(keys.iter().all(|one| *one == key) && key.to_seed() == seed && key.clone() == key);
    drop((seed, rnd, seeds));
    if at == "alive" {
        return stop();
    }
    drop((key, expanded, keys));
    stop();
}

pub(crate) fn of_mldsa<P: MlDsaParams>(_: Backend) -> Secrets {
    let [seed, rnd] = OF_MLDSA;
    let (seed, rnd) = (known::<32>(seed), known::<32>(rnd));
    let set = P::PARAMETERS;
    let key = SigningKey::<P>::from_seed(&seed);
    let mut secrets = Secrets::default();
    secrets.add("xi", &seed[..], 16);
    secrets.add("rnd", &rnd[..], 16);
    let hashed: [u8; 128] = shake(&[&seed[..], &[set.k as u8, set.l as u8]]);
    secrets.add("rho'", &hashed[32..96], 16);
    secrets.add("K", &hashed[96..], 16);
    let expanded = key.to_expanded();
    let (bits, rest) = (if set.eta == 2 { 3 } else { 4 }, &expanded[128..]);
    let (packed, t0) = rest.split_at(32 * bits * (set.k + set.l));
    secrets.add("s1 and s2, packed", packed, 48);
    let bit = |i: usize| i32::from(packed[i >> 3] >> (i & 7) & 1);
    let value = |i: usize| (0..bits).map(|j| bit(i * bits + j) << j).sum::<i32>();
    let words = (0..256 * set.l).flat_map(|i| (set.eta - value(i)).to_le_bytes());
    secrets.add("s1", &words.collect::<Vec<_>>(), 4 * COEFFICIENTS);
    secrets.add("t0, packed", t0, 48);
    let mu = key.verifying_key().mu(MESSAGE, b"").expect("no context");
    let masks: [u8; 64] = shake(&[&hashed[96..], &rnd[..], &mu]);
    secrets.add("the seed of masks", &masks, 16);
    secrets.add("bytes of y", &shake::<576>(&[&masks, &[0, 0]]), 32);
    secrets
}

/// The largest sets on arrays, whose working memory is on the stack.
pub(crate) fn mlkem_arrays(_: &str, _: Backend) {
    let [seed, m, _] = OF_MLKEM;
    let (seed, m) = (known::<64>(seed), known::<32>(m));
    let (mut ek, mut dk) = ([0; 1568], SecretBytes::<3168>::zeros());
    MlKem1024::keygen_into(&seed, &mut ek, &mut dk);
    let (mut ciphertext, mut shared) = ([0; 1568], SecretBytes::<32>::zeros());
    MlKem1024::encapsulate_into(&ek, &m, &mut ciphertext, &mut shared).expect("a key");
    let mut received = SecretBytes::<32>::zeros();
    MlKem1024::decapsulate_into(&dk, &ciphertext, &mut received).expect("a key");
    assert!(received == shared);
    ciphertext[0] ^= 1;
    MlKem1024::decapsulate_into(&dk, &ciphertext, &mut received).expect("a key");
    assert!(received != shared);
    drop((seed, m, dk, shared, received));
    stop();
}

pub(crate) fn mldsa_arrays(_: &str, _: Backend) {
    let [seed, rnd] = OF_MLDSA;
    let (seed, rnd) = (known::<32>(seed), known::<32>(rnd));
    let (mut public, mut secret) = ([0; 2592], SecretBytes::<4896>::zeros());
    MlDsa87::keygen_into(&seed, &mut public, &mut secret);
    let mut signature = [0; 4627];
    MlDsa87::sign_into(&secret, MESSAGE, b"", &rnd, &mut signature).expect("a key");
    MlDsa87::verify_arrays(&public, MESSAGE, b"", &signature).expect("its signature");
    drop((seed, rnd, secret));
    stop();
}

const OF_XWING: [u64; 2] = [1216, 1120];

pub(crate) fn xwing(at: &str, _: Backend) {
    let [seed, coins] = OF_XWING;
    let (seed, coins) = (known::<32>(seed), known::<64>(coins));
    let key = xwing::DecapsulationKey::from_seed(&seed);
    let (mut ciphertext, shared) = key.encapsulation_key().encapsulate_derand(&coins);
    assert!(key.decapsulate_bytes(&ciphertext).expect("a ciphertext") == shared);
    ciphertext[0] ^= 1;
    assert!(key.clone().decapsulate_bytes(&ciphertext).expect("a ciphertext") != shared);
    drop((seed, coins, shared));
    if at == "alive" {
        return stop();
    }
    drop(key);
    stop();
}

pub(crate) fn xwing_arrays(_: &str, _: Backend) {
    let [seed, coins] = OF_XWING;
    let (seed, coins) = (known::<32>(seed), known::<64>(coins));
    let (mut public, mut ciphertext) = ([0; xwing::PUBLIC_KEY_BYTES], [0; xwing::CIPHERTEXT_BYTES]);
    let (mut sent, mut received) = (SecretBytes::<32>::zeros(), SecretBytes::<32>::zeros());
    xwing::XWing::keygen_into(&seed, &mut public);
    xwing::XWing::encapsulate_into(&public, &coins, &mut ciphertext, &mut sent).expect("a key");
    xwing::XWing::decapsulate_into(&seed, &ciphertext, &mut received);
    assert!(sent == received);
    drop((seed, coins, sent, received));
    stop();
}

pub(crate) fn of_xwing(_: Backend) -> Secrets {
    let [seed, coins] = OF_XWING;
    let (seed, coins) = (known::<32>(seed), known::<64>(coins));
    let key = xwing::DecapsulationKey::from_seed(&seed);
    let mut secrets = Secrets::default();
    secrets.add("the seed", &seed[..], 16);
    let parts: [u8; 96] = shake(&[&seed[..]]);
    for (name, part) in ["d", "z", "x"].into_iter().zip(parts.chunks_exact(32)) {
        secrets.add(name, part, 16);
    }
    secrets.add("m", &coins[..32], 16);
    secrets.add("y", &coins[32..], 16);
    let [x, y] = [&parts[64..], &coins[32..]].map(|secret| StaticSecret::from(*secret.first_chunk::<32>().unwrap()));
    secrets.add("the secret of X25519", x.diffie_hellman(&PublicKey::from(&y)).as_bytes(), 16);
    let (_, shared) = key.encapsulation_key().encapsulate_derand(&coins);
    secrets.add("the shared key", shared.as_bytes(), 16);
    secrets
}

/// How a secret was left behind once: inside a value that moves.
pub(crate) fn moved(_: &str, _: Backend) {
    let mut keys = Vec::with_capacity(8);
    keys.push(Zeroizing::new([0_u8; 512]));
    // Behind what an allocator writes into freed blocks.
    keys[0][256..288].copy_from_slice(&known::<32>(OF_MLDSA[0])[..]);
    drop(black_box(keys.pop()));
    drop(black_box(keys));
    stop();
}

/// The sets of a standard, for its name and what runs it.
macro_rules! sets {
    ($run:ident, $known:ident: $($name:literal $set:ty),+) => {
        [$(crate::Case { name: $name, run: $run::<$set>, secrets: $known::<$set> }),+]
    };
}

pub(crate) const MLKEM: [crate::Case; 3] =
    sets!(mlkem, of_mlkem: "mlkem 512" MlKem512, "mlkem 768" MlKem768, "mlkem 1024" MlKem1024);
pub(crate) const MLDSA: [crate::Case; 3] =
    sets!(mldsa, of_mldsa: "mldsa 44" MlDsa44, "mldsa 65" MlDsa65, "mldsa 87" MlDsa87);
pub(crate) const ARRAYS: [crate::Case; 3] = [
    crate::Case { name: "mlkem arrays", run: mlkem_arrays, secrets: of_mlkem::<MlKem1024> },
    crate::Case { name: "mldsa arrays", run: mldsa_arrays, secrets: of_mldsa::<MlDsa87> },
    crate::Case { name: "xwing arrays", run: xwing_arrays, secrets: of_xwing },
];
