//! Key generation and key parts: Algorithms 6 and 22 to 25 of FIPS 204. Hashes and samples of several seeds are
//! computed side by side; a single seed is a batch of one.

use super::{
    encode::{self, SECRET, each, secret_ranges},
    engine::Engine,
    params::{N, Parameters, SEED_BYTES, T0_BYTES, T1_BYTES, TR_BYTES},
    rounding,
    streams::{self, Output, hash},
};
use crate::{
    ct::{SecretBytes, Wiped, same},
    decode::{DecodeError, check_length},
    module::{NttVector, Vector},
    once::Once,
    xof::{
        Function,
        turns::{Job, hash_all},
    },
};
use alloc::{sync::Arc, vec, vec::Vec};

/// A verifier's data.
pub(super) struct Public {
    pub(super) engine: Arc<Engine>,
    /// ρ and t1, encoded.
    pub(super) bytes: Vec<u8>,
    pub(super) tr: [u8; TR_BYTES],
    /// The rows of Â, each followed by the transform of its `-2^d·t1`.
    matrix: Once<NttVector<i32>>,
}

impl Public {
    /// One key from each element's bytes, expanded at the first verification.
    fn each_later(engine: &Arc<Engine>, keys: Vec<Vec<u8>>) -> Vec<Self> {
        let mut trs = vec![[0; TR_BYTES]; keys.len()];
        hash_all(engine.backend(), &mut digests(keys.iter().map(|key| &key[..]), &mut trs).collect::<Vec<_>>());
        let public = |(bytes, tr)| Self { engine: engine.clone(), bytes, tr, matrix: Once::new() };
        keys.into_iter().zip(trs).map(public).collect()
    }

    /// One key from each element's bytes, expanded.
    pub(super) fn each(engine: &Arc<Engine>, set: &Parameters, keys: &[&[u8]]) -> Vec<Self> {
        let mut trs = vec![[0; TR_BYTES]; keys.len()];
        let mut matrices: Vec<_> = keys.iter().map(|_| zeros(set, 1)).collect();
        let digests = digests(keys.iter().copied(), &mut trs);
        let expansions = keys.iter().zip(&mut matrices).flat_map(|(key, matrix)| {
            let rho = key.first_chunk().expect("a public key begins with ρ");
            streams::expand_a(engine, set, rho, matrix, 1)
        });
        hash_all(engine.backend(), &mut digests.chain(expansions).collect::<Vec<_>>());
        let mut publics = Vec::with_capacity(keys.len());
        for ((key, tr), mut matrix) in keys.iter().zip(trs).zip(matrices) {
            add_t1(engine, set, key, &mut matrix);
            publics.push(Self { engine: engine.clone(), bytes: key.to_vec(), tr, matrix: matrix.into() });
        }
        publics
    }

    fn rho(&self) -> &[u8; 32] {
        self.bytes.first_chunk().expect("a public key begins with ρ")
    }

    /// Algorithm 23, pkDecode, and the part of verification that depends on the key alone.
    pub(super) fn matrix(&self, set: &Parameters) -> &[i32] {
        let expand = || {
            let mut matrix = zeros(set, 1);
            let jobs = streams::expand_a(&self.engine, set, self.rho(), &mut matrix, 1);
            hash_all(self.engine.backend(), &mut jobs.collect::<Vec<_>>());
            add_t1(&self.engine, set, &self.bytes, &mut matrix);
            matrix
        };
        self.matrix.get_or_init(expand).words()
    }
}

/// tr of each key's bytes.
fn digests<'a>(
    keys: impl Iterator<Item = &'a [u8]>,
    trs: &'a mut [[u8; TR_BYTES]],
) -> impl Iterator<Item = Job<'a, Output<'a>>> {
    keys.zip(trs).map(|(key, tr)| hash(Function::SHAKE_256, [key, &[]], tr))
}

/// Room for a matrix with `more` polynomials after each row.
fn zeros(set: &Parameters, more: usize) -> NttVector<i32> {
    NttVector::filled(N, set.k * (set.l + more), |_| {})
}

/// Writes the transform of its `-2^d·t1` after each row of the matrix.
fn add_t1(engine: &Engine, set: &Parameters, key: &[u8], matrix: &mut NttVector<i32>) {
    let rows = matrix.words_mut().chunks_exact_mut((set.l + 1) * N);
    for (row, t1) in rows.zip(key[SEED_BYTES..].chunks_exact(T1_BYTES)) {
        let last = &mut row[set.l * N..];
        encode::unpack_minus_shifted_t1(engine.backend(), t1, last);
        engine.forward(last);
    }
}

/// A signer's data. Wiped on drop.
pub(super) struct Secret {
    pub(super) key: SecretBytes<32>,
    /// Â.
    pub(super) matrix: NttVector<i32>,
    /// The transforms of s1 and s2.
    secrets: NttVector<i32>,
    /// The transform of t0.
    pub(super) t0: NttVector<i32>,
}

impl Secret {
    pub(super) fn s1(&self, set: &Parameters) -> &[i32] {
        &self.secrets.words()[..set.l * N]
    }

    pub(super) fn s2(&self, set: &Parameters) -> &[i32] {
        &self.secrets.words()[set.l * N..]
    }
}

/// Lines 5 to 8 of Algorithm 6: a secret key, and the bytes of its public key, from ρ, K, s1 and s2, and Â.
fn keys(
    set: &Parameters,
    engine: &Engine,
    rho: &[u8; 32],
    key: &[u8; 32],
    secrets: &Vector<i32>,
    matrix: NttVector<i32>,
) -> (Secret, Vec<u8>) {
    let (module, backend) = (engine.module(), engine.backend());
    let transformed = module.forward(secrets);
    let mut t = module.product(&matrix, &transformed.words()[..set.l * N]);
    module.plan().add(t.words_mut(), &secrets.words()[set.l * N..]);
    let mut t1 = Vector::zeros(N, set.k);
    rounding::power2_round(backend, t.words_mut(), t1.words_mut());
    let mut bytes = vec![0; set.public_key_bytes()];
    encode::pack_public(rho, t1.words(), &mut bytes);
    let t0 = module.transformed(t);
    (Secret { key: SecretBytes::copied(key), matrix, secrets: transformed, t0 }, bytes)
}

/// Algorithm 6, ML-DSA.KeyGen_internal, for each seed.
pub(super) fn keys_of_seeds(
    set: &Parameters,
    engine: &Arc<Engine>,
    seeds: &[&[u8; SEED_BYTES]],
) -> Vec<(Secret, Public)> {
    let (backend, shape) = (engine.backend(), [set.k as u8, set.l as u8]);
    let mut expanded = Wiped::<u8>::zeros(128 * seeds.len());
    let pairs = seeds.iter().zip(expanded.as_chunks_mut::<128>().0);
    let jobs = pairs.map(|(seed, out)| hash(Function::SHAKE_256, [&seed[..], &shape], &mut out[..]));
    hash_all(backend, &mut jobs.collect::<Vec<_>>());
    let mut drawn: Vec<_> = seeds.iter().map(|_| (zeros(set, 0), Vector::zeros(N, set.l + set.k))).collect();
    let mut jobs = Vec::with_capacity(seeds.len() * (set.k + 1) * (set.l + 1));
    let (mut of_secrets, mut rest) = (Vec::new(), Vec::new());
    for (expanded, (matrix, secrets)) in expanded.as_chunks::<128>().0.iter().zip(&mut drawn) {
        let (rho, behind) = expanded.split_first_chunk().expect("128 bytes");
        let (rho_prime, key) = behind.split_first_chunk().expect("96 bytes");
        let key = key.first_chunk().expect("32 bytes");
        jobs.extend(streams::expand_a(engine, set, rho, matrix, 0));
        of_secrets.extend(streams::expand_s(backend, set, rho_prime, secrets.words_mut()));
        rest.push((rho, key));
    }
    jobs.extend(of_secrets);
    hash_all(backend, &mut jobs);
    let (mut of_signers, mut bytes) = (Vec::with_capacity(seeds.len()), Vec::with_capacity(seeds.len()));
    for ((matrix, secrets), (rho, key)) in drawn.into_iter().zip(rest) {
        let (secret, public) = keys(set, engine, rho, key, &secrets, matrix);
        of_signers.push(secret);
        bytes.push(public);
    }
    of_signers.into_iter().zip(Public::each_later(engine, bytes)).collect()
}

/// Algorithm 25, skDecode, with a check that all parts match.
pub(super) fn keys_of_bytes(
    set: &Parameters,
    engine: &Arc<Engine>,
    bytes: &[u8],
) -> Result<(Secret, Public), DecodeError> {
    check_length(SECRET, set.secret_key_bytes(), bytes)?;
    let at = secret_ranges(set);
    let mut secrets = Vector::zeros(N, set.l + set.k);
    encode::unpack_s(engine.backend(), set, &bytes[at.secrets], secrets.words_mut())?;
    let rho = bytes[at.rho].try_into().expect("32 bytes");
    let key = bytes[at.key].try_into().expect("32 bytes");
    let mut matrix = zeros(set, 0);
    hash_all(engine.backend(), &mut streams::expand_a(engine, set, rho, &mut matrix, 0).collect::<Vec<_>>());
    let (secret, public) = keys(set, engine, rho, key, &secrets, matrix);
    let public = Public::each_later(engine, vec![public]).pop().expect("a key for each");
    if bool::from(same(&bytes_of_keys(set, &secret, &public), bytes)) {
        Ok((secret, public))
    } else {
        Err(DecodeError::Mismatch)
    }
}

/// Algorithm 24, skEncode.
pub(super) fn bytes_of_keys(set: &Parameters, secret: &Secret, public: &Public) -> Wiped<u8> {
    let plan = public.engine.module().plan();
    let polynomials = |transformed: &NttVector<i32>| {
        let mut words = Vector::zeros(N, transformed.words().chunks_exact(N).len());
        words.words_mut().copy_from_slice(transformed.words());
        words.words_mut().chunks_exact_mut(N).for_each(|words| plan.inverse(words));
        plan.centre(words.words_mut());
        words
    };
    let mut bytes = Wiped::zeros(set.secret_key_bytes());
    let at = secret_ranges(set);
    bytes[at.rho].copy_from_slice(public.rho());
    bytes[at.key].copy_from_slice(&secret.key[..]);
    bytes[at.tr].copy_from_slice(&public.tr);
    let pack_s = |s: &[i32], out: &mut [u8]| encode::pack_s(set, s, out);
    each(polynomials(&secret.secrets).words(), &mut bytes[at.secrets], set.eta_bytes(), pack_s);
    each(polynomials(&secret.t0).words(), &mut bytes[at.t0], T0_BYTES, encode::pack_t0);
    bytes
}
