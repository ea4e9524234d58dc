//! Bytes: Algorithms 16 to 28 of FIPS 204. Polynomials are contiguous words.
//!
//! **Constant time:** yes, except when input is refused, and for hints, which are public.

use super::params::{D, N, Parameters, T0_BYTES, T1_BYTES};
use crate::{
    decode::{DecodeError, refusal},
    eights::{pack_by, unpack32},
};
use lanes::Backend;

/// The name of a secret key in errors.
pub(super) const SECRET: &str = "an expanded ML-DSA secret key";
/// The name of a signature in errors.
pub(super) const SIGNATURE: &str = "an ML-DSA signature";

/// Algorithm 16, SimpleBitPack, of t1: 10 bits for each coefficient.
pub(super) fn pack_t1(t1: &[i32], out: &mut [u8]) {
    pack_by::<10, _>(t1, out, |x| x as u32);
}

/// Algorithm 18, SimpleBitUnpack, of t1, times `-2^d`.
pub(super) fn unpack_minus_shifted_t1(backend: Backend, bytes: &[u8], out: &mut [i32]) {
    unpack32::<10>(backend, bytes, 0, D, out);
}

/// Algorithm 17, BitPack, of t0: `2^12 - x`.
pub(super) fn pack_t0(t0: &[i32], out: &mut [u8]) {
    pack_by::<{ D as usize }, _>(t0, out, |x| ((1 << (D - 1)) - x) as u32);
}

/// Algorithm 19, BitUnpack, of t0, where every value is valid.
pub(super) fn unpack_t0(backend: Backend, bytes: &[u8], out: &mut [i32]) {
    unpack32::<{ D as usize }>(backend, bytes, 1 << (D - 1), 0, out);
}

/// Algorithm 17, BitPack, of s1 and s2: `η - x`.
pub(super) fn pack_s(set: &Parameters, s: &[i32], out: &mut [u8]) {
    match set.eta {
        2 => pack_by::<3, _>(s, out, |x| (2 - x) as u32),
        _ => pack_by::<4, _>(s, out, |x| (4 - x) as u32),
    }
}

/// Algorithm 19, BitUnpack, of s1 and s2. **Errors** if a coefficient is below `-η`.
pub(super) fn unpack_s(backend: Backend, set: &Parameters, bytes: &[u8], out: &mut [i32]) -> Result<(), DecodeError> {
    match set.eta {
        2 => unpack32::<3>(backend, bytes, 2, 0, out),
        _ => unpack32::<4>(backend, bytes, 4, 0, out),
    }
    let within = out.iter().fold(0, |below, x| below | (x + set.eta)) >= 0;
    if within { Ok(()) } else { Err(DecodeError::Secret(SECRET)) }
}

/// Algorithm 17, BitPack, of z: `γ1 - x`.
pub(super) fn pack_z(set: &Parameters, z: &[i32], out: &mut [u8]) {
    let gamma1 = set.gamma1;
    match set.gamma1_bits() {
        18 => pack_by::<18, _>(z, out, |x| (gamma1 - x) as u32),
        _ => pack_by::<20, _>(z, out, |x| (gamma1 - x) as u32),
    }
}

/// Algorithm 19, BitUnpack, of y and z: in `(-γ1, γ1]`.
pub(super) fn unpack_z(backend: Backend, set: &Parameters, bytes: &[u8], out: &mut [i32]) {
    match set.gamma1_bits() {
        18 => unpack32::<18>(backend, bytes, set.gamma1, 0, out),
        _ => unpack32::<20>(backend, bytes, set.gamma1, 0, out),
    }
}

/// The error for z, or one of its polynomials, with a coefficient that is too large for any signature.
pub(super) fn too_large(z: &[i32], bound: i32) -> DecodeError {
    refusal("z of an ML-DSA signature", z.iter().map(|x| u64::from(x.unsigned_abs())), bound as u64)
}

/// Algorithm 28, w1Encode.
pub(super) fn pack_w1(set: &Parameters, w1: &[i32], out: &mut [u8]) {
    if set.wide() {
        pack_by::<4, _>(w1, out, |x| x as u32);
    } else {
        pack_by::<6, _>(w1, out, |x| x as u32);
    }
}

/// Algorithm 20, HintBitPack: the positions of ones, then the running count at the end of each
/// polynomial. There are at most ω ones. Variable time: hints are public.
pub(super) fn pack_hint(set: &Parameters, hint: &[i32], out: &mut [u8]) {
    let (positions, ends) = out.split_at_mut(set.omega);
    positions.fill(0);
    let mut count = 0;
    for (hint, end) in hint.chunks_exact(N).zip(ends) {
        for (place, _) in hint.iter().enumerate().filter(|(_, one)| **one != 0) {
            positions[count] = place as u8;
            count += 1;
        }
        *end = count as u8;
    }
}

/// Algorithm 21, HintBitUnpack, into zeros. **Errors** as [`check_hint`].
pub(super) fn unpack_hint(set: &Parameters, bytes: &[u8], hint: &mut [i32]) -> Result<(), DecodeError> {
    check_hint(set, bytes)?;
    hint.chunks_exact_mut(N).enumerate().for_each(|(i, hint)| unpack_hint_of(set, bytes, i, hint));
    Ok(())
}

/// The hint of polynomial `i` into zeros, after [`check_hint`].
pub(super) fn unpack_hint_of(set: &Parameters, bytes: &[u8], i: usize, hint: &mut [i32]) {
    let (positions, ends) = bytes.split_at(set.omega);
    let first = if i == 0 { 0 } else { ends[i - 1].into() };
    positions[first..ends[i].into()].iter().for_each(|&place| hint[usize::from(place)] = 1);
}

/// Whether bytes are those of a hint. **Errors** unless positions rise within each
/// polynomial, the counts do not fall and are at most ω, and all bytes after the last position are
/// zero: each hint has one encoding.
pub(super) fn check_hint(set: &Parameters, bytes: &[u8]) -> Result<(), DecodeError> {
    let (positions, ends) = bytes.split_at(set.omega);
    let value = |index, value: usize, bound: usize| DecodeError::Value {
        what: "the hint of an ML-DSA signature",
        index,
        value: value as u64,
        bound: bound as u64,
    };
    let mut first = 0;
    for (i, &end) in ends.iter().enumerate() {
        let end = usize::from(end);
        if end > set.omega {
            return Err(value(set.omega + i, end, set.omega + 1));
        }
        let Some(of_polynomial) = positions.get(first..end) else {
            return Err(DecodeError::End("the hint of an ML-DSA signature"));
        };
        for (at, pair) in (first..).zip(of_polynomial.windows(2)) {
            if pair[0] >= pair[1] {
                return Err(value(at, pair[0].into(), pair[1].into()));
            }
        }
        first = end;
    }
    let rest = &positions[first..];
    if rest.iter().all(|&byte| byte == 0) {
        Ok(())
    } else {
        Err(DecodeError::Padding("the hint of an ML-DSA signature"))
    }
}

/// The parts of an expanded secret key, Algorithms 24 and 25: ρ, K, tr, s1 and s2, t0.
pub(super) struct SecretParts<S> {
    pub(super) rho: S,
    pub(super) key: S,
    pub(super) tr: S,
    pub(super) secrets: S,
    pub(super) t0: S,
}

/// The byte ranges of those parts.
pub(super) fn secret_ranges(set: &Parameters) -> SecretParts<core::ops::Range<usize>> {
    let secrets = 128 + (set.k + set.l) * set.eta_bytes();
    SecretParts { rho: 0..32, key: 32..64, tr: 64..128, secrets: 128..secrets, t0: secrets..secrets + set.k * T0_BYTES }
}

/// Packs polynomial by polynomial.
pub(super) fn each(words: &[i32], out: &mut [u8], bytes: usize, pack: impl Fn(&[i32], &mut [u8])) {
    words.chunks_exact(N).zip(out.chunks_exact_mut(bytes)).for_each(|(words, out)| pack(words, out));
}

/// Algorithm 22, pkEncode.
pub(super) fn pack_public(rho: &[u8; 32], t1: &[i32], out: &mut [u8]) {
    out[..32].copy_from_slice(rho);
    each(t1, &mut out[32..], T1_BYTES, pack_t1);
}
