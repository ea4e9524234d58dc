//! Section 5: the component scheme K-PKE, which is not to be used alone.

use super::{
    encode::{byte_decode, byte_encode, compress, decompress},
    engine::Engine,
    params::{ETA2, N, ParameterSet, Q, encoded},
    sample::{sample_cbd, sample_ntt},
};
use crate::{
    ct::{Wiped, WipedArray},
    decode::{DecodeError, refusal},
    module::{NttVector, Vector},
    xof::Sha3_512,
};
use core::marker::PhantomData;

/// `Âᵀ` and `t̂`, expanded from `t̂ ‖ ρ`.
#[derive(Clone, Debug)]
pub(super) struct Public<P> {
    /// Row by row.
    a_transposed: Box<[i16]>,
    t_hat: NttVector<i16>,
    set: PhantomData<P>,
}

/// The indices `j ‖ i` of the entries `Â[i, j]`, of `Âᵀ` row by row.
fn places<P: ParameterSet>() -> Vec<[u8; 2]> {
    let k = P::K as u8;
    // The standard hashes ρ ‖ j ‖ i, which row j of Âᵀ has at i.
    (0..k).flat_map(|j| (0..k).map(move |i| [j, i])).collect()
}

/// Algorithm 13, `K-PKE.KeyGen`: `ŝ`, the public key, and its bytes in `bytes`.
///
/// **Constant time:** yes, but for ρ, which is public.
pub(super) fn keygen<P: ParameterSet>(engine: &Engine, d: &[u8; 32], bytes: &mut [u8]) -> (NttVector<i16>, Public<P>) {
    let mut hash = Sha3_512::default();
    hash.update(d);
    hash.update(&[P::K as u8]);
    let mut seeds = WipedArray::<u8, 64>::zeros();
    *seeds = hash.finish();
    let (rho, sigma) = seeds.split_first_chunk::<32>().expect("64 bytes");
    let sigma = sigma.first_chunk().expect("32 bytes");

    let a_transposed = expand::<P>(engine, rho);
    let mut a_hat = vec![0; a_transposed.len()];
    for (j, row) in a_transposed.chunks_exact(P::K * N).enumerate() {
        for (i, entry) in row.chunks_exact(N).enumerate() {
            a_hat[(i * P::K + j) * N..][..N].copy_from_slice(entry);
        }
    }
    let short = |first| {
        let mut vector = Vector::zeros(N, P::K);
        sample_cbd(engine, P::ETA1, sigma, first, vector.words_mut());
        engine.module.transformed(vector)
    };
    let (s_hat, e_hat) = (engine.module.canonical(short(0)), short(P::K as u8));
    let t_hat = engine.module.product_plus(&a_hat, s_hat.words(), &e_hat);

    let (packed, seed) = bytes.split_at_mut(encoded(12) * P::K);
    encode_12(engine, &t_hat, packed);
    seed.copy_from_slice(rho);
    (s_hat, Public { a_transposed, t_hat, set: PhantomData })
}

fn expand<P: ParameterSet>(engine: &Engine, rho: &[u8; 32]) -> Box<[i16]> {
    let mut matrix = vec![0; P::K * P::K * N].into_boxed_slice();
    sample_ntt(engine, rho, &places::<P>(), &mut matrix);
    matrix
}

/// `ByteEncode₁₂` of a transformed vector with slots in `[0, q)`.
pub(super) fn encode_12(engine: &Engine, vector: &NttVector<i16>, bytes: &mut [u8]) {
    let mut values = WipedArray::<i16, N>::zeros();
    for (words, bytes) in vector.words().chunks_exact(N).zip(bytes.chunks_exact_mut(encoded(12))) {
        engine.standard_of(&mut values[..], words);
        byte_encode(12, &values[..], bytes);
    }
}

/// `ByteDecode₁₂`, and the modulus check of section 7.2.
///
/// **Constant time:** yes, unless it is an error. **Errors** name the first value that is not below
/// `q`.
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
    /// **Errors** if a value is not below `q`. `bytes` have the right length.
    pub(super) fn new(engine: &Engine, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (packed, rho) = bytes.split_at(encoded(12) * P::K);
        let t_hat = decode_12(engine, "an encapsulation key", packed)?;
        let a_transposed = expand::<P>(engine, rho.first_chunk().expect("32 bytes"));
        Ok(Self { a_transposed, t_hat, set: PhantomData })
    }

    /// Algorithm 14, `K-PKE.Encrypt`.
    ///
    /// **Constant time:** yes.
    pub(super) fn encrypt(&self, engine: &Engine, message: &[u8; 32], randomness: &[u8; 32], ciphertext: &mut [u8]) {
        let module = &engine.module;
        let mut y = Vector::zeros(N, P::K);
        sample_cbd(engine, P::ETA1, randomness, 0, y.words_mut());
        let mut noise = Vector::zeros(N, P::K + 1);
        sample_cbd(engine, ETA2, randomness, P::K as u8, noise.words_mut());
        let y_hat = module.transformed(y);

        let mut u = module.products(&self.a_transposed, y_hat.words(), P::K);
        let mut v = module.product(&self.t_hat, y_hat.words());
        let (e1, e2) = noise.words().split_at(P::K * N);
        let mut mu = WipedArray::<i16, N>::zeros();
        byte_decode(engine.backend(), 1, message, &mut mu[..]);
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
