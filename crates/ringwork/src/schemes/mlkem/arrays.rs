//! ML-KEM on arrays of bytes, without a heap: [`MlKem768::keygen_into`](super::MlKem768::keygen_into),
//! [`encapsulate_into`](super::MlKem768::encapsulate_into), [`decapsulate_into`](super::MlKem768::decapsulate_into), and
//! the same of the other sets.
//!
//! ```
//! use ringwork::schemes::mlkem::MlKem768;
//!
//! let (mut ek, mut dk, mut ciphertext) = ([0; 1184], [0; 2400], [0; 1088]);
//! let (mut sent, mut received) = ([0; 32], [0; 32]);
//! MlKem768::keygen_into(&[1; 64], &mut ek, &mut dk); // of 64 random bytes
//! MlKem768::encapsulate_into(&ek, &[2; 32], &mut ciphertext, &mut sent)?; // of 32 random bytes
//! MlKem768::decapsulate_into(&dk, &ciphertext, &mut received)?;
//! assert_eq!(sent, received);
//! # Ok::<(), ringwork::decode::DecodeError>(())
//! ```
//!
//! Lengths are constants of [`ParameterSet`], such as `MlKem768::CIPHERTEXT_BYTES`.
//!
//! For small machines. Keys stay encoded, and each call expands what it needs of them, one polynomial after the other,
//! one word at a time: elsewhere [`DecapsulationKey`](super::DecapsulationKey) is faster. The transform is a
//! constant of the program ([`ntt::fixed`]), so that no plan is made. Memory of a call is on the stack, and is wiped in
//! optimised builds;
//! `docs/embedded.md` has how much of it.

use super::{
    encode::{byte_decode, byte_encode, compress, decompress},
    params::{ETA2, KEY_BYTES, MlKem512, MlKem768, MlKem1024, N, ParameterSet, Q, SEED_BYTES, encoded},
};
use crate::{
    ct::{same, scrubbed_by, stack_of_arrays, working},
    decode::{DecodeError, refusal},
    sample::{Accepted, Binomial},
    xof::{
        Function,
        turns::{self, Job, hash_one},
    },
};
use lanes::Backend;
use ntt::fixed::{FixedRing, MlKem as Ring};
use subtle::ConditionallySelectable;

type Polynomial = [i16; N];

/// Bytes of a compressed polynomial in the largest set.
const MOST_COMPRESSED: usize = encoded(11);

const BACKEND: Backend = Backend::Scalar;

/// Keys in errors.
const PUBLIC: &str = "an encapsulation key";
const SECRET: &str = "a decapsulation key";

/// Bytes of the stack that operations of a set of rank `k` use: those of polynomials, and of what samples and hashes.
const fn stack(k: usize) -> usize {
    stack_of_arrays((k + 4) * size_of::<Polynomial>())
}

/// Hashes two parts.
fn hash(function: Function, parts: [&[u8]; 2], out: &mut [u8]) {
    hash_one(BACKEND, Job::new(function, parts, out));
}

/// A polynomial of Algorithm 7.
struct Uniform<'a>(Accepted<'a, i16>);

impl turns::Output for Uniform<'_> {
    fn take(&mut self, block: &[u8]) -> bool {
        self.0.accept::<12>(BACKEND, Q.into(), block, |out, values| out.copy_from_slice(values))
    }
}

/// Algorithm 7, `SampleNTT`, for the seed `ρ ‖ j ‖ i`. Variable time: ρ is public.
fn sample_ntt(rho: &[u8; 32], [j, i]: [usize; 2], out: &mut Polynomial) {
    let job = Job::new(Function::SHAKE_128, [rho, &[]], Uniform(Accepted::new(out)));
    hash_one(BACKEND, job.with_nonce([j as u8, i as u8]));
}

/// Algorithm 8, `SamplePolyCBD`, of `PRF(seed, number)`.
fn sample_noise(eta: u32, seed: &[u8; 32], number: usize, out: &mut Polynomial) {
    working!(bytes: [u8; 64 * 3]);
    let bytes = &mut bytes[..64 * eta as usize];
    hash_one(BACKEND, Job::new(Function::SHAKE_256, [seed, &[]], &mut *bytes).with_nonce([number as u8]));
    Binomial { eta }.sample_dense_singly(out, bytes);
}

/// The checks of section 7.2 and 7.3: that all values of a transformed vector are below `q`. **Errors** name the first
/// that is not.
fn check_12(what: &'static str, bytes: &[u8]) -> Result<(), DecodeError> {
    working!(values: [i16; N]);
    for (i, bytes) in bytes.chunks_exact(encoded(12)).enumerate() {
        byte_decode(BACKEND, 12, bytes, &mut values[..]);
        if values.iter().fold(-1, |below, &value| below & (value - Q as i16)) >= 0 {
            return Err(refusal(what, values.iter().map(|&value| value as u64), Q.into()).behind(i * N));
        }
    }
    Ok(())
}

/// A sum of products of transformed polynomials.
struct Sum<'a> {
    sum: &'a mut Polynomial,
    term: &'a mut Polynomial,
}

impl Sum<'_> {
    /// Starts with zero.
    fn clear(&mut self) {
        self.sum.fill(0);
    }

    fn add(&mut self, a: &Polynomial, b: &Polynomial) {
        Ring::pointwise(self.term, a, b);
        Ring::add_product(self.sum, self.term);
    }
}

/// Algorithm 16: the keys of a seed `d ‖ z`.
fn keygen<P: ParameterSet>(seed: &[u8; SEED_BYTES], ek: &mut [u8], dk: &mut [u8]) {
    scrubbed_by::<{ stack(0) }, _>(|| keygen_of::<P>(seed, ek, dk));
}

fn keygen_of<P: ParameterSet>(seed: &[u8; SEED_BYTES], ek: &mut [u8], dk: &mut [u8]) {
    let (d, z) = seed.split_at(32);
    working!(seeds: [u8; 64]);
    hash(Function::SHA3_512, [d, &[P::K as u8]], &mut seeds[..]);
    let (rho, sigma) = seeds.split_at(32);
    let (rho, sigma) = (rho.first_chunk().expect("32 bytes"), sigma.first_chunk().expect("32 bytes"));
    let (packed_s, rest) = dk.split_at_mut(encoded(12) * P::K);
    let (packed_t, ek_rho) = ek.split_at_mut(encoded(12) * P::K);
    working!(a: [i16; N]);
    working!(s: [i16; N]);
    working!(sum: [i16; N]);
    working!(term: [i16; N]);
    for (j, packed) in packed_s.chunks_exact_mut(encoded(12)).enumerate() {
        sample_noise(P::ETA1, sigma, j, &mut s);
        Ring::forward(&mut s[..]);
        Ring::canonical(&mut s[..]);
        byte_encode(12, &s[..], packed);
    }
    for (i, packed) in packed_t.chunks_exact_mut(encoded(12)).enumerate() {
        let mut row = Sum { sum: &mut sum, term: &mut term };
        row.clear();
        for (j, packed) in packed_s.chunks_exact(encoded(12)).enumerate() {
            sample_ntt(rho, [j, i], &mut a);
            byte_decode(BACKEND, 12, packed, &mut s[..]);
            row.add(&a, &s);
        }
        sample_noise(P::ETA1, sigma, P::K + i, &mut s);
        Ring::forward(&mut s[..]);
        Ring::to_ntt_plus(&mut sum[..], &s[..]);
        byte_encode(12, &sum[..], packed);
    }
    ek_rho.copy_from_slice(rho);
    let (dk_ek, rest) = rest.split_at_mut(P::ENCAPSULATION_KEY_BYTES);
    let (dk_hash, dk_z) = rest.split_at_mut(32);
    dk_ek.copy_from_slice(ek);
    hash(Function::SHA3_256, [ek, &[]], dk_hash);
    dk_z.copy_from_slice(z);
}

/// The check of section 7.2, and Algorithm 17.
fn encapsulate<P: ParameterSet, const K: usize, const STACK: usize>(
    ek: &[u8],
    m: &[u8; KEY_BYTES],
    ciphertext: &mut [u8],
    shared: &mut [u8; KEY_BYTES],
) -> Result<(), DecodeError> {
    check_12(PUBLIC, &ek[..encoded(12) * K])?;
    scrubbed_by::<STACK, _>(|| {
        let mut digest = [0; 32];
        hash(Function::SHA3_256, [ek, &[]], &mut digest);
        working!(secrets: [u8; 64]);
        hash(Function::SHA3_512, [m, &digest], &mut secrets[..]);
        let (key, randomness) = secrets.split_at(32);
        let randomness = randomness.first_chunk().expect("32 bytes");
        encrypt::<P, K>(ek, m, randomness, &mut |at, bytes| ciphertext[at..][..bytes.len()].copy_from_slice(bytes));
        shared.copy_from_slice(key);
    });
    Ok(())
}

/// Algorithm 21 with the checks of section 7.3, and Algorithm 18.
fn decapsulate<P: ParameterSet, const K: usize, const STACK: usize>(
    dk: &[u8],
    ciphertext: &[u8],
    shared: &mut [u8; KEY_BYTES],
) -> Result<(), DecodeError> {
    scrubbed_by::<STACK, _>(|| {
        let (packed_s, rest) = dk.split_at(encoded(12) * K);
        let (ek, rest) = rest.split_at(P::ENCAPSULATION_KEY_BYTES);
        let (expected, z) = rest.split_at(32);
        check_12(PUBLIC, &ek[..encoded(12) * K])?;
        let mut digest = [0; 32];
        hash(Function::SHA3_256, [ek, &[]], &mut digest);
        if digest != *expected {
            return Err(DecodeError::Mismatch);
        }
        check_12(SECRET, packed_s).map_err(|_| DecodeError::Secret(SECRET))?;
        working!(m: [u8; 32]);
        decrypt::<P>(packed_s, ciphertext, &mut m);
        working!(secrets: [u8; 64]);
        hash(Function::SHA3_512, [&m[..], &digest], &mut secrets[..]);
        let (key, randomness) = secrets.split_at(32);
        let randomness = randomness.first_chunk().expect("32 bytes");
        let mut is_same = subtle::Choice::from(1);
        encrypt::<P, K>(ek, &m, randomness, &mut |at, bytes| is_same &= same(bytes, &ciphertext[at..][..bytes.len()]));
        hash(Function::SHAKE_256, [z, ciphertext], &mut shared[..]);
        for (shared, key) in shared.iter_mut().zip(key) {
            shared.conditional_assign(key, is_same);
        }
        Ok(())
    })
}

/// Algorithm 14, `K-PKE.Encrypt`; `take` gets the ciphertext piece by piece, each with its place.
#[inline(never)] // so that its memory and that of `decrypt` are not there at once
fn encrypt<P: ParameterSet, const K: usize>(
    ek: &[u8],
    m: &[u8; 32],
    randomness: &[u8; 32],
    take: &mut dyn FnMut(usize, &[u8]),
) {
    let (packed_t, rho) = ek.split_at(encoded(12) * K);
    let rho = rho.first_chunk().expect("32 bytes");
    working!(y: [[i16; N]; K]);
    working!(a: [i16; N]);
    working!(sum: [i16; N]);
    working!(term: [i16; N]);
    working!(packed: [u8; MOST_COMPRESSED]);
    for (j, y) in y.iter_mut().enumerate() {
        sample_noise(P::ETA1, randomness, j, y);
        Ring::forward(y);
    }
    for i in 0..=K {
        let (bits, mut row) = (if i < K { P::DU } else { P::DV }, Sum { sum: &mut sum, term: &mut term });
        row.clear();
        for (j, y) in y.iter().enumerate() {
            if i < K {
                sample_ntt(rho, [i, j], &mut a);
            } else {
                byte_decode(BACKEND, 12, &packed_t[encoded(12) * j..][..encoded(12)], &mut a[..]);
            }
            row.add(&a, y);
        }
        Ring::inverse_product(&mut sum[..]);
        sample_noise(ETA2, randomness, K + i, &mut term);
        Ring::add(&mut sum[..], &term[..]);
        if i == K {
            byte_decode(BACKEND, 1, m, &mut term[..]);
            decompress(BACKEND, 1, &mut term[..]);
            Ring::add(&mut sum[..], &term[..]);
        }
        compress(BACKEND, bits, &mut sum[..]);
        byte_encode(bits, &sum[..], &mut packed[..encoded(bits)]);
        take(encoded(P::DU) * i, &packed[..encoded(bits)]);
    }
}

/// Algorithm 15, `K-PKE.Decrypt`.
#[inline(never)]
fn decrypt<P: ParameterSet>(packed_s: &[u8], ciphertext: &[u8], m: &mut [u8; 32]) {
    let (c1, c2) = ciphertext.split_at(encoded(P::DU) * P::K);
    working!(s: [i16; N]);
    working!(u: [i16; N]);
    working!(sum: [i16; N]);
    working!(term: [i16; N]);
    let mut product = Sum { sum: &mut sum, term: &mut term };
    product.clear();
    for (packed, c1) in packed_s.chunks_exact(encoded(12)).zip(c1.chunks_exact(encoded(P::DU))) {
        byte_decode(BACKEND, 12, packed, &mut s[..]);
        byte_decode(BACKEND, P::DU, c1, &mut u[..]);
        decompress(BACKEND, P::DU, &mut u[..]);
        Ring::forward(&mut u[..]);
        product.add(&s, &u);
    }
    Ring::inverse_product(&mut sum[..]);
    byte_decode(BACKEND, P::DV, c2, &mut u[..]);
    decompress(BACKEND, P::DV, &mut u[..]);
    Ring::sub(&mut u[..], &sum[..]);
    compress(BACKEND, 1, &mut u[..]);
    byte_encode(1, &u[..], m);
}

macro_rules! sets {
    ($($set:ident $k:literal;)*) => {$(
        /// Operations on arrays of bytes: see [`arrays`](self).
        impl $set {
            /// Algorithm 16, `ML-KEM.KeyGen_internal`: writes the keys of a seed `d ‖ z`, the decapsulation key in its
            /// expanded form.
            ///
            /// **Constant time:** yes, but for ρ, which is public.
            pub fn keygen_into(
                seed: &[u8; SEED_BYTES],
                encapsulation_key: &mut [u8; Self::ENCAPSULATION_KEY_BYTES],
                decapsulation_key: &mut [u8; Self::EXPANDED_KEY_BYTES],
            ) {
                keygen::<Self>(seed, encapsulation_key, decapsulation_key);
            }

            /// The check of section 7.2, and Algorithm 17, `ML-KEM.Encaps_internal`: writes a ciphertext and the shared
            /// key it carries. `m` must be random, secret, and never used twice.
            ///
            /// **Constant time:** yes, but for ρ, which is public. **Errors** if a value of the key is not below `q`.
            pub fn encapsulate_into(
                encapsulation_key: &[u8; Self::ENCAPSULATION_KEY_BYTES],
                m: &[u8; KEY_BYTES],
                ciphertext: &mut [u8; Self::CIPHERTEXT_BYTES],
                shared: &mut [u8; KEY_BYTES],
            ) -> Result<(), DecodeError> {
                encapsulate::<Self, { $k }, { stack($k) }>(encapsulation_key, m, ciphertext, shared)
            }

            /// Algorithm 21, `ML-KEM.Decaps`, with the checks of section 7.3: writes the shared key that a ciphertext
            /// carries, or a pseudorandom one if it was not made for this key.
            ///
            /// **Constant time:** yes. **Errors** if the key is damaged: a value is not below `q`, or the hash of the
            /// encapsulation key in it is another one.
            pub fn decapsulate_into(
                decapsulation_key: &[u8; Self::EXPANDED_KEY_BYTES],
                ciphertext: &[u8; Self::CIPHERTEXT_BYTES],
                shared: &mut [u8; KEY_BYTES],
            ) -> Result<(), DecodeError> {
                decapsulate::<Self, { $k }, { stack($k) }>(decapsulation_key, ciphertext, shared)
            }
        }
    )*};
}
sets! {
    MlKem512 2;
    MlKem768 3;
    MlKem1024 4;
}
