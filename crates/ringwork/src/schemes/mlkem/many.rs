//! Algorithms 16 to 18 for batches of keys, with hashes and samples in parallel lanes. A single operation is a batch of
//! one, with the same result.

use super::{
    B32, DecapsulationKey, EncapsulationKey, ParameterSet, SEED_BYTES, SharedKey,
    engine::Engine,
    pke::{Encryption, decrypt, encrypt},
    sample::hash,
};
use crate::{
    ct::{SecretBytes, Wiped, same, scrubbed},
    decode::{DecodeError, TOGETHER, answers, check_length},
    xof::{Function, turns::hash_all},
};
use alloc::{sync::Arc, vec::Vec};
use hybrid_array::Array;
use kem::Ciphertext;
use rand_core::CryptoRng;
use subtle::ConditionallySelectable;

impl<P: ParameterSet> EncapsulationKey<P> {
    /// Algorithm 17, `ML-KEM.Encaps_internal`: a ciphertext and the shared key it carries. For tests
    /// and known answers: `m` must be random, secret, and never used twice.
    pub fn encapsulate_deterministic(&self, m: &B32) -> (Ciphertext<P>, B32) {
        let (ciphertext, shared) = self.encapsulate_derand(&m.0);
        (ciphertext, B32::from(*shared.as_bytes()))
    }

    /// [`encapsulate_deterministic`](Self::encapsulate_deterministic) with a shared key that does not move.
    pub fn encapsulate_derand(&self, m: &[u8; 32]) -> (Ciphertext<P>, SharedKey) {
        let mut ciphertext = Array::default();
        let shared = encapsulate(&mut [(self, m, &mut ciphertext[..])]).pop().expect("a key for each");
        (ciphertext, shared)
    }
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// Algorithm 21, `ML-KEM.Decaps`: the shared key that a ciphertext carries.
    ///
    /// **Constant time:** yes. **Errors** only if the length is wrong. A ciphertext that was not made
    /// for this key yields a pseudorandom key (implicit rejection).
    pub fn decapsulate_bytes(&self, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        check_length("a ciphertext", P::CIPHERTEXT_BYTES, ciphertext)?;
        Ok(self.decapsulate_internal(ciphertext))
    }

    /// Algorithm 18, `ML-KEM.Decaps_internal`, for a ciphertext of the right length.
    pub(super) fn decapsulate_internal(&self, ciphertext: &[u8]) -> SharedKey {
        decapsulate(&[(self, ciphertext)]).pop().expect("a key for each")
    }
}

/// [`DecapsulationKey::from_seed`] for each seed.
pub fn keygen_many<P: ParameterSet>(seeds: &[[u8; SEED_BYTES]]) -> Vec<DecapsulationKey<P>> {
    let group = |seeds: &[_]| DecapsulationKey::each(Engine::best(), &seeds.iter().collect::<Vec<_>>());
    seeds.chunks(TOGETHER).flat_map(group).collect()
}

/// [`EncapsulationKey::from_bytes`] for each element of `keys`.
pub fn read_many<P: ParameterSet>(keys: &[&[u8]]) -> Vec<Result<EncapsulationKey<P>, DecodeError>> {
    answers(
        keys,
        |bytes| check_length("an encapsulation key", P::ENCAPSULATION_KEY_BYTES, bytes),
        |keys| EncapsulationKey::each(Engine::best(), keys),
    )
}

/// A ciphertext and a shared key for each key, with fresh randomness.
pub fn encapsulate_many<P: ParameterSet, R: CryptoRng + ?Sized>(
    keys: &[&EncapsulationKey<P>],
    rng: &mut R,
) -> Vec<(Ciphertext<P>, B32)> {
    let mut messages = Wiped::<B32>::zeros(keys.len());
    messages.iter_mut().for_each(|message| rng.fill_bytes(message));
    encapsulate_many_deterministic(keys, &messages)
}

/// [`EncapsulationKey::encapsulate_deterministic`] for each key and message.
///
/// **Panics** unless there are as many messages as keys.
pub fn encapsulate_many_deterministic<P: ParameterSet>(
    keys: &[&EncapsulationKey<P>],
    messages: &[B32],
) -> Vec<(Ciphertext<P>, B32)> {
    assert_eq!(keys.len(), messages.len(), "a message for each key");
    let mut answers: Vec<_> = keys.iter().map(|_| (Array::default(), B32::default())).collect();
    let (mut keys, mut messages, mut rest) = (keys, messages, &mut answers[..]);
    for group in groups(keys, |key| &key.engine) {
        let here;
        (here, rest) = rest.split_at_mut(group);
        let mut jobs = Vec::with_capacity(group);
        for ((key, message), (ciphertext, _)) in keys.iter().zip(messages).zip(&mut *here) {
            jobs.push((*key, &message.0, &mut ciphertext[..]));
        }
        let shared = encapsulate(&mut jobs);
        here.iter_mut().zip(shared).for_each(|((_, out), shared)| out.0 = *shared.as_bytes());
        (keys, messages) = (&keys[group..], &messages[group..]);
    }
    answers
}

/// [`DecapsulationKey::decapsulate_bytes`] for each ciphertext.
pub fn decapsulate_many<P: ParameterSet>(
    ciphertexts: &[(&DecapsulationKey<P>, &[u8])],
) -> Vec<Result<SharedKey, DecodeError>> {
    answers(
        ciphertexts,
        |(_, ciphertext)| check_length("a ciphertext", P::CIPHERTEXT_BYTES, ciphertext),
        |mut ciphertexts| {
            let mut shared = Vec::with_capacity(ciphertexts.len());
            for group in groups(ciphertexts, |(key, _)| &key.key.engine) {
                shared.extend(decapsulate(&ciphertexts[..group]).into_iter().map(Ok));
                ciphertexts = &ciphertexts[group..];
            }
            shared
        },
    )
}

/// The lengths of runs of items on the same engine.
fn groups<T>(items: &[T], engine: impl Fn(&T) -> &Arc<Engine>) -> Vec<usize> {
    let runs = items.chunk_by(|a, b| Arc::ptr_eq(engine(a), engine(b)));
    runs.flat_map(|run| run.chunks(TOGETHER)).map(<[T]>::len).collect()
}

/// `G` of each pair: a shared key and randomness.
fn g<'a>(engine: &Engine, inputs: impl ExactSizeIterator<Item = [&'a [u8]; 2]>) -> Vec<(SharedKey, SecretBytes<32>)> {
    let mut digests = Wiped::<u8>::zeros(64 * inputs.len());
    let jobs = inputs.zip(digests.as_chunks_mut::<64>().0);
    let jobs = jobs.map(|(input, digest)| hash(Function::SHA3_512, input, &mut digest[..]));
    hash_all(engine.backend(), &mut jobs.collect::<Vec<_>>());
    let halves = digests.as_chunks().0.chunks_exact(2);
    halves.map(|halves| (SharedKey::copied(&halves[0]), SecretBytes::copied(&halves[1]))).collect()
}

/// Algorithm 17, `ML-KEM.Encaps_internal`, for each message, with keys on one engine.
fn encapsulate<P: ParameterSet>(jobs: &mut [(&EncapsulationKey<P>, &[u8; 32], &mut [u8])]) -> Vec<SharedKey> {
    scrubbed(|| encapsulate_each(jobs))
}

fn encapsulate_each<P: ParameterSet>(jobs: &mut [(&EncapsulationKey<P>, &[u8; 32], &mut [u8])]) -> Vec<SharedKey> {
    let Some((first, ..)) = jobs.first() else { return Vec::new() };
    let engine = &first.engine;
    let secrets = g(engine, jobs.iter().map(|(key, message, _)| [&message[..], &key.hash[..]]));
    let mut encryptions = Vec::with_capacity(jobs.len());
    for ((key, message, ciphertext), (_, randomness)) in jobs.iter_mut().zip(&secrets) {
        encryptions.push(Encryption { public: &key.public, message, randomness: randomness.as_bytes(), ciphertext });
    }
    encrypt(engine, &mut encryptions, Vec::new());
    secrets.into_iter().map(|(shared, _)| shared).collect()
}

/// Algorithm 18, `ML-KEM.Decaps_internal`, for each ciphertext, with keys on one engine.
///
/// **Constant time:** yes.
fn decapsulate<P: ParameterSet>(jobs: &[(&DecapsulationKey<P>, &[u8])]) -> Vec<SharedKey> {
    scrubbed(|| decapsulate_each(jobs))
}

fn decapsulate_each<P: ParameterSet>(jobs: &[(&DecapsulationKey<P>, &[u8])]) -> Vec<SharedKey> {
    let Some((first, _)) = jobs.first() else { return Vec::new() };
    let engine = &first.key.engine;
    let mut messages: Vec<_> = jobs.iter().map(|_| SecretBytes::<32>::zeros()).collect();
    for ((key, ciphertext), message) in jobs.iter().zip(&mut messages) {
        decrypt::<P>(engine, &key.s_hat, ciphertext, message);
    }
    let secrets = g(engine, jobs.iter().zip(&messages).map(|((key, _), message)| [&message[..], &key.key.hash[..]]));
    let mut shared: Vec<_> = jobs.iter().map(|_| SharedKey::zeros()).collect();
    let mut of_rejections = Vec::with_capacity(jobs.len());
    for ((key, ciphertext), rejection) in jobs.iter().zip(&mut shared) {
        of_rejections.push(hash(Function::SHAKE_256, [&key.z[..], ciphertext], &mut rejection[..]));
    }
    let mut expected = Wiped::<u8>::zeros(jobs.len() * P::CIPHERTEXT_BYTES);
    let mut encryptions = Vec::with_capacity(jobs.len());
    let ciphertexts = expected.chunks_exact_mut(P::CIPHERTEXT_BYTES);
    for ((((key, _), message), (_, randomness)), ciphertext) in
        jobs.iter().zip(&messages).zip(&secrets).zip(ciphertexts)
    {
        let (public, randomness) = (&key.key.public, randomness.as_bytes());
        encryptions.push(Encryption { public, message, randomness, ciphertext });
    }
    encrypt(engine, &mut encryptions, of_rejections);

    let expected = expected.chunks_exact(P::CIPHERTEXT_BYTES);
    for ((((_, ciphertext), (key, _)), shared), expected) in jobs.iter().zip(&secrets).zip(&mut shared).zip(expected) {
        let is_same = same(expected, ciphertext);
        for (shared, key) in shared.iter_mut().zip(key.as_bytes()) {
            shared.conditional_assign(key, is_same);
        }
    }
    shared
}
