//! Section 5: the component scheme K-PKE, which must not be used alone.

use super::{
    encode::{byte_decode, byte_encode, compress, decompress},
    engine::Engine,
    params::{ETA2, N, ParameterSet, Q, encoded},
    sample::{Noise, Output, hash, sample_ntt},
};
use crate::{
    ct::{Wiped, working},
    decode::{DecodeError, refusal},
    module::{NttVector, Vector},
    xof::{
        Function,
        turns::{Job, hash_all},
    },
};
use alloc::{boxed::Box, vec, vec::Vec};
use core::marker::PhantomData;

/// `Âᵀ` and `t̂`, expanded from `t̂ ‖ ρ`.
#[derive(Clone, Debug)]
pub(super) struct Public<P> {
    /// Row by row.
    a_transposed: Box<[i16]>,
    t_hat: NttVector<i16>,
    set: PhantomData<P>,
}

/// `ŝ`, the public key, and its bytes.
pub(super) struct Pair<P> {
    pub(super) s_hat: NttVector<i16>,
    pub(super) public: Public<P>,
    pub(super) bytes: Box<[u8]>,
}

/// Algorithm 13, `K-PKE.KeyGen`, for each `d`.
///
/// **Constant time:** yes, except for ρ, which is public.
pub(super) fn keygen<P: ParameterSet>(engine: &Engine, ds: &[&[u8; 32]]) -> Vec<Pair<P>> {
    let k = [P::K as u8];
    let mut seeds = Wiped::<u8>::zeros(64 * ds.len());
    let inputs = ds.iter().zip(seeds.as_chunks_mut::<64>().0);
    let jobs = inputs.map(|(d, seeds)| hash(Function::SHA3_512, [&d[..], &k], &mut seeds[..]));
    hash_all(engine.backend(), &mut jobs.collect::<Vec<_>>());
    let halves = seeds.as_chunks::<64>().0.iter().map(|seeds| {
        let (rho, sigma) = seeds.split_first_chunk::<32>().expect("64 bytes");
        (rho, sigma.first_chunk::<32>().expect("32 bytes"))
    });

    let mut matrices = matrices::<P>(ds.len());
    let mut noise = Noise::room(P::ETA1, 2 * P::K * ds.len());
    let numbered = halves.clone().flat_map(|(_, sigma)| (0..2 * P::K as u8).map(move |number| (sigma, number)));
    let mut jobs = Vec::with_capacity((P::K + 2) * P::K * ds.len());
    jobs.extend(expand::<P>(engine, halves.clone().map(|(rho, _)| rho), &mut matrices));
    jobs.extend(noise.jobs(P::ETA1, numbered));
    hash_all(engine.backend(), &mut jobs);

    let mut pairs = Vec::with_capacity(ds.len());
    for (i, ((rho, _), a_transposed)) in halves.zip(matrices).enumerate() {
        let module = &engine.module;
        let [s_hat, e_hat] = [2 * i, 2 * i + 1].map(|vector| {
            let sample = |words: &mut [i16]| noise.sample(engine, P::ETA1, vector * P::K, words);
            module.transformed(Vector::filled(N, P::K, sample))
        });
        let s_hat = module.canonical(s_hat);
        let t_hat = module.product_plus(&transposed::<P>(&a_transposed), s_hat.words(), &e_hat);
        let mut bytes = vec![0; P::ENCAPSULATION_KEY_BYTES].into_boxed_slice();
        let (packed, seed) = bytes.split_at_mut(encoded(12) * P::K);
        encode_12(engine, &t_hat, packed);
        seed.copy_from_slice(rho);
        pairs.push(Pair { s_hat, public: Public { a_transposed, t_hat, set: PhantomData }, bytes });
    }
    pairs
}

/// Room for the matrices `Âᵀ` of `keys` keys.
fn matrices<P: ParameterSet>(keys: usize) -> Vec<Box<[i16]>> {
    (0..keys).map(|_| vec![0; P::K * P::K * N].into_boxed_slice()).collect()
}

/// `Âᵀ` for each ρ.
fn expand<'a, P: ParameterSet>(
    engine: &'a Engine,
    rhos: impl Iterator<Item = &'a [u8; 32]>,
    matrices: &'a mut [Box<[i16]>],
) -> impl Iterator<Item = Job<'a, Output<'a>>> {
    let k = P::K as u8;
    rhos.zip(matrices).flat_map(move |(rho, matrix)| {
        // The standard hashes ρ ‖ j ‖ i for Â[i, j], which row j of Âᵀ has at i.
        let places = (0..k).flat_map(move |j| (0..k).map(move |i| [j, i]));
        places.zip(matrix.as_chunks_mut().0).map(move |(place, out)| sample_ntt(engine, rho, place, out))
    })
}

fn transposed<P: ParameterSet>(matrix: &[i16]) -> Vec<i16> {
    let mut transposed = vec![0; matrix.len()];
    for (j, row) in matrix.chunks_exact(P::K * N).enumerate() {
        for (i, entry) in row.chunks_exact(N).enumerate() {
            transposed[(i * P::K + j) * N..][..N].copy_from_slice(entry);
        }
    }
    transposed
}

/// `ByteEncode₁₂` of a transformed vector with slots in `[0, q)`.
pub(super) fn encode_12(engine: &Engine, vector: &NttVector<i16>, bytes: &mut [u8]) {
    working!(values: [i16; N]);
    for (words, bytes) in vector.words().chunks_exact(N).zip(bytes.chunks_exact_mut(encoded(12))) {
        engine.standard_of(&mut values[..], words);
        byte_encode(12, &values[..], bytes);
    }
}

/// `ByteDecode₁₂`, and the modulus check of section 7.2.
///
/// **Constant time:** yes, unless it fails. **Errors** name the first value that is not below `q`.
pub(super) fn decode_12(engine: &Engine, what: &'static str, bytes: &[u8]) -> Result<NttVector<i16>, DecodeError> {
    let polynomials = bytes.chunks_exact(encoded(12));
    let vector = NttVector::filled(N, polynomials.len(), |words| {
        for (words, bytes) in words.chunks_exact_mut(N).zip(polynomials) {
            engine.read_12(words, bytes);
        }
    });
    if vector.words().iter().fold(-1, |below, &v| below & (v - Q as i16)) < 0 {
        return Ok(vector);
    }
    let mut values = Wiped::zeros(vector.words().len());
    byte_decode(engine.backend(), 12, bytes, &mut values);
    Err(refusal(what, values.iter().map(|&v| v as u64), Q.into()))
}

impl<P: ParameterSet> Public<P> {
    /// One key from each element of `keys`, which has the right length, and its `H`. **Errors** if a value is not below
    /// `q`.
    pub(super) fn each(engine: &Engine, keys: &[&[u8]]) -> Vec<Result<(Self, [u8; 32]), DecodeError>> {
        let parts = keys.iter().map(|bytes| bytes.split_at(encoded(12) * P::K));
        let rhos = parts.clone().map(|(_, rho)| rho.first_chunk().expect("32 bytes"));
        let (mut hashes, mut matrices) = (vec![[0; 32]; keys.len()], matrices::<P>(keys.len()));
        let mut jobs = Vec::with_capacity((P::K * P::K + 1) * keys.len());
        jobs.extend(h(keys.iter().copied(), &mut hashes));
        jobs.extend(expand::<P>(engine, rhos, &mut matrices));
        hash_all(engine.backend(), &mut jobs);
        let public = |(((packed, _), a_transposed), hash)| {
            let t_hat = decode_12(engine, "an encapsulation key", packed)?;
            Ok((Self { a_transposed, t_hat, set: PhantomData }, hash))
        };
        parts.zip(matrices).zip(hashes).map(public).collect()
    }
}

/// `H` of each key.
pub(super) fn h<'a>(
    keys: impl Iterator<Item = &'a [u8]>,
    hashes: &'a mut [[u8; 32]],
) -> impl Iterator<Item = Job<'a, Output<'a>>> {
    keys.zip(hashes).map(|(key, out)| hash(Function::SHA3_256, [key, &[]], out))
}

/// A message to encrypt.
pub(super) struct Encryption<'a, P> {
    pub(super) public: &'a Public<P>,
    pub(super) message: &'a [u8; 32],
    pub(super) randomness: &'a [u8; 32],
    pub(super) ciphertext: &'a mut [u8],
}

/// Algorithm 14, `K-PKE.Encrypt`, for each message; hashes other inputs in the same vectors.
///
/// **Constant time:** yes.
pub(super) fn encrypt<P: ParameterSet>(
    engine: &Engine,
    encryptions: &mut [Encryption<'_, P>],
    others: Vec<Job<'_, Output<'_>>>,
) {
    let numbers = |first: usize, count: usize| {
        let numbers = first as u8..(first + count) as u8;
        encryptions.iter().flat_map(move |encryption| numbers.clone().map(|number| (encryption.randomness, number)))
    };
    let mut of_y = Noise::room(P::ETA1, P::K * encryptions.len());
    let mut of_e = Noise::room(ETA2, (P::K + 1) * encryptions.len());
    let mut jobs = Vec::with_capacity(others.len() + (2 * P::K + 1) * encryptions.len());
    jobs.extend(others);
    jobs.extend(of_y.jobs(P::ETA1, numbers(0, P::K)));
    jobs.extend(of_e.jobs(ETA2, numbers(P::K, P::K + 1)));
    hash_all(engine.backend(), &mut jobs);
    for (i, Encryption { public, message, ciphertext, .. }) in encryptions.iter_mut().enumerate() {
        let module = &engine.module;
        let y = Vector::filled(N, P::K, |words| of_y.sample(engine, P::ETA1, i * P::K, words));
        let noise = Vector::filled(N, P::K + 1, |words| of_e.sample(engine, ETA2, i * (P::K + 1), words));
        let y_hat = module.transformed(y);
        let mut u = module.products(&public.a_transposed, y_hat.words(), P::K);
        let mut v = module.product(&public.t_hat, y_hat.words());
        let (e1, e2) = noise.words().split_at(P::K * N);
        working!(mu: [i16; N]);
        byte_decode(engine.backend(), 1, &message[..], &mut mu[..]);
        decompress(engine.backend(), 1, &mut mu[..]);
        module.plan().add(u.words_mut(), e1);
        module.plan().add(v.words_mut(), e2);
        module.plan().add(v.words_mut(), &mu[..]);

        let (c1, c2) = ciphertext.split_at_mut(encoded(P::DU) * P::K);
        compress(engine.backend(), P::DU, u.words_mut());
        byte_encode(P::DU, u.words(), c1);
        compress(engine.backend(), P::DV, v.words_mut());
        byte_encode(P::DV, v.words(), c2);
    }
}

/// Algorithm 15, `K-PKE.Decrypt`.
///
/// **Constant time:** yes.
pub(super) fn decrypt<P: ParameterSet>(
    engine: &Engine,
    s_hat: &NttVector<i16>,
    ciphertext: &[u8],
    message: &mut [u8; 32],
) {
    let module = &engine.module;
    let (c1, c2) = ciphertext.split_at(encoded(P::DU) * P::K);
    let mut u = Vector::zeros(N, P::K);
    byte_decode(engine.backend(), P::DU, c1, u.words_mut());
    decompress(engine.backend(), P::DU, u.words_mut());
    let mut w = Vector::zeros(N, 1);
    byte_decode(engine.backend(), P::DV, c2, w.words_mut());
    decompress(engine.backend(), P::DV, w.words_mut());
    let u_hat = module.transformed(u);
    module.sub(&mut w, &module.product(s_hat, u_hat.words()));
    compress(engine.backend(), 1, w.words_mut());
    byte_encode(1, w.words(), message);
}
