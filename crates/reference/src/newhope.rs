//! The NewHope key exchange, in the order of its figure, bit for bit as its designers' code.
//!
//! ```text
//! Alice                                                 Bob
//! seed ← {0,1}²⁵⁶;  a = Parse(SHAKE-128(seed))
//! s, e ← ψ_k^n
//! b = a∘NTT(s) + NTT(e)          m_A = (b, seed) →      a = Parse(SHAKE-128(seed));  s', e', e'' ← ψ_k^n
//!                                                       u = a∘NTT(s') + NTT(e')
//!                                                       v = INTT(b∘NTT(s')) + e'';  r = HelpRec(v)
//! v' = INTT(u∘NTT(s))            ← m_B = (u, r)         ν = Rec(v, r)
//! ν = Rec(v', r)
//! key = SHA3-256(ν)                                     key = SHA3-256(ν)
//! ```
//!
//! Here n = 1024, q = 12289, and ψ_k is the sum of k differences of two random bits. NTT slots are
//! canonical: slot i is the value at 7^(2i+1).
//!
//! Sources: Alkim, Ducas, Pöppelmann, Schwabe, *Post-quantum key exchange – a new hope*, USENIX
//! Security 2016, with the details that only the designers' code fixes; Longa and Naehrig 2016,
//! section 4 and figure 1 (the same exchange).
//!
//! The steps are written once, for any way to compute with [`Polynomials`]: [`init`] and its kin take the definition;
//! [`designers`] and [`k_red`] are the two that Longa and Naehrig compare.
//!
//! Ranges: polynomials hold canonical residues in [0, q). **Not constant time**: this is the
//! specification that runs.

pub mod designers;
pub mod k_red;

use crate::ntt::{Ring, Transform};
use crate::{field, poly};
use chacha20::ChaCha20Legacy;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use sha3::Digest;
use shake::{ExtendableOutput, Update, XofReader};
use std::fmt;

/// The degree n of the ring.
pub const N: usize = 1024;
/// The modulus.
pub const Q: u64 = 12289;
/// The length of a 1024-coefficient polynomial with 14 bits per coefficient.
pub const POLY_BYTES: usize = N * 14 / 8;
/// The length of m_A = (b, seed).
pub const MESSAGE_A_BYTES: usize = POLY_BYTES + 32;
/// The length of m_B = (u, r), with 2 bits per element of r.
pub const MESSAGE_B_BYTES: usize = POLY_BYTES + N * 2 / 8;
const _: () = assert!(POLY_BYTES == 1792 && MESSAGE_A_BYTES == 1824 && MESSAGE_B_BYTES == 2048);

/// A parameter set: the k of the error distribution ψ_k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The name of the set.
    pub set: &'static str,
    /// Noise is a sum of k differences of two bits: centered, variance k/2. At most 16.
    pub k: u32,
}

/// The parameters of the USENIX Security 2016 paper and of the designers' code.
pub const USENIX2016: Parameters = Parameters { set: "usenix2016", k: 16 };
/// The error distribution that Longa and Naehrig name, of an earlier version of the paper.
pub const PSI12: Parameters = Parameters { set: "psi12", k: 12 };

/// Why a message was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The message has the wrong number of bytes.
    Length {
        /// The number it must have.
        expected: usize,
        /// The number it has.
        actual: usize,
    },
    /// A 14-bit coefficient is not below q.
    Coefficient {
        /// Its index.
        index: usize,
        /// Its value.
        value: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length { expected, actual } => write!(f, "the message has {actual} bytes instead of {expected}"),
            Error::Coefficient { index, value } => write!(f, "coefficient {index} is {value}, not below q = {Q}"),
        }
    }
}

impl std::error::Error for Error {}

/// A way to compute with polynomials. Noise is centered, in the order in which it is drawn.
pub trait Polynomials {
    /// A polynomial in the transform domain.
    type Slots;
    /// NTT(s).
    fn forward(&self, noise: &[i64]) -> Self::Slots;
    /// a∘NTT(s) + NTT(e) as it is sent: in [0, q).
    fn sent(&self, a_hat: &[u64], s_hat: &Self::Slots, e: &[i64]) -> Vec<u64>;
    /// INTT(b∘NTT(s)), plus e'' if there is one, for b as it was sent: coefficients in [0, q).
    fn shared(&self, received: &[u64], s_hat: &Self::Slots, e_second: Option<&[i64]>) -> Vec<u64>;
}

/// The definition.
#[derive(Clone, Debug)]
pub struct Definition(Transform);

impl Default for Definition {
    fn default() -> Self {
        Self(transform())
    }
}

impl Polynomials for Definition {
    type Slots = Vec<u64>;

    fn forward(&self, noise: &[i64]) -> Vec<u64> {
        self.0.forward(&bit_reversed(&residues(noise)))
    }

    fn sent(&self, a_hat: &[u64], s_hat: &Vec<u64>, e: &[i64]) -> Vec<u64> {
        poly::add(&self.0.product(a_hat, s_hat), &self.forward(e), Q)
    }

    fn shared(&self, received: &[u64], s_hat: &Vec<u64>, e_second: Option<&[i64]>) -> Vec<u64> {
        let v = self.0.inverse(&self.0.product(received, s_hat));
        match e_second {
            Some(e) => poly::add(&v, &residues(e), Q),
            None => v,
        }
    }
}

/// What Alice keeps between her two steps: NTT(s).
#[derive(Clone)]
pub struct Alice<P: Polynomials = Definition> {
    s_hat: P::Slots,
}

/// Alice's first step: her state and m_A, from the bytes that she would draw at random.
pub fn init(parameters: Parameters, seed_a: &[u8; 32], noise_seed: &[u8; 32]) -> (Alice, Vec<u8>) {
    init_by(&Definition::default(), parameters, seed_a, noise_seed)
}

/// [`init`], computing that way.
pub fn init_by<P: Polynomials>(
    by: &P,
    parameters: Parameters,
    seed_a: &[u8; 32],
    noise_seed: &[u8; 32],
) -> (Alice<P>, Vec<u8>) {
    let a_hat = parse(seed_a);
    let s_hat = by.forward(&drawn(parameters, noise_seed, 0));
    let b_hat = by.sent(&a_hat, &s_hat, &drawn(parameters, noise_seed, 1));

    let mut message_a = encode_poly(&b_hat);
    message_a.extend_from_slice(seed_a);
    (Alice { s_hat }, message_a)
}

/// Bob's only step: m_B and the key, from m_A and the bytes that he would draw at random.
///
/// **Errors** when m_A has not 1824 bytes or a coefficient of b is not reduced.
pub fn respond(parameters: Parameters, message_a: &[u8], noise_seed: &[u8; 32]) -> Result<(Vec<u8>, [u8; 32]), Error> {
    respond_by(&Definition::default(), parameters, message_a, noise_seed)
}

/// [`respond`], computing that way.
pub fn respond_by(
    by: &impl Polynomials,
    parameters: Parameters,
    message_a: &[u8],
    noise_seed: &[u8; 32],
) -> Result<(Vec<u8>, [u8; 32]), Error> {
    check_length(message_a, MESSAGE_A_BYTES)?;
    let (b_bytes, seed_a) = message_a.split_at(POLY_BYTES);
    let b_hat = decode_poly(b_bytes)?;

    let a_hat = parse(seed_a);
    let s_hat = by.forward(&drawn(parameters, noise_seed, 0));
    let u_hat = by.sent(&a_hat, &s_hat, &drawn(parameters, noise_seed, 1));
    let v = by.shared(&b_hat, &s_hat, Some(&drawn(parameters, noise_seed, 2)));
    let r = help_rec(&v, &rounding_bits(noise_seed));

    let mut message_b = encode_poly(&u_hat);
    message_b.extend(encode_hint(&r));
    Ok((message_b, key(&rec(&v, &r))))
}

/// Alice's second step: the key, from her state and m_B.
///
/// **Errors** when m_B has not 2048 bytes or a coefficient of u is not reduced.
pub fn finish(alice: &Alice, message_b: &[u8]) -> Result<[u8; 32], Error> {
    finish_by(&Definition::default(), alice, message_b)
}

/// [`finish`], computing that way.
pub fn finish_by<P: Polynomials>(by: &P, alice: &Alice<P>, message_b: &[u8]) -> Result<[u8; 32], Error> {
    check_length(message_b, MESSAGE_B_BYTES)?;
    let (u_bytes, r_bytes) = message_b.split_at(POLY_BYTES);
    let u_hat = decode_poly(u_bytes)?;
    let r = decode_hint(r_bytes);

    let v = by.shared(&u_hat, &alice.s_hat, None);
    Ok(key(&rec(&v, &r)))
}

/// The complete negacyclic transform with ψ = 7, the smallest primitive 2048th root of unity.
fn transform() -> Transform {
    let transform = Transform::complete(N, Q, Ring::Negacyclic).expect("2048 divides 12288");
    debug_assert_eq!(transform.root(), 7);
    transform
}

/// Parse: a in the transform domain, from SHAKE-128(seed) as 16-bit little-endian words. The low 14
/// bits of a word are a coefficient if they are below q; otherwise the word is passed over.
pub fn parse(seed: &[u8]) -> Vec<u64> {
    let mut shake = shake::Shake128::default();
    shake.update(seed);
    let mut stream = shake.finalize_xof();
    let words = std::iter::from_fn(|| {
        let mut word = [0; 2];
        stream.read(&mut word);
        Some(u64::from(u16::from_le_bytes(word) & 0x3fff))
    });
    words.filter(|&x| x < Q).take(N).collect()
}

/// The first bytes of the ChaCha20 stream with an 8-byte nonce and a 64-bit block counter from 0.
fn chacha20<const LEN: usize>(seed: &[u8; 32], nonce: [u8; 8]) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    ChaCha20Legacy::new(seed.into(), &nonce.into()).apply_keystream(&mut bytes);
    bytes
}

/// The noise polynomial of this index, in the order it is drawn, as residues.
pub fn noise(parameters: Parameters, seed: &[u8; 32], index: u8) -> Vec<u64> {
    residues(&drawn(parameters, seed, index))
}

fn residues(centered: &[i64]) -> Vec<u64> {
    centered.iter().map(|x| x.rem_euclid(Q as i64) as u64).collect()
}

/// The noise polynomial of this index, in the order it is drawn, centered; byte 0 of the nonce is the index.
///
/// A coefficient takes four bytes as a little-endian word: ones in the low half minus ones in the
/// high half. For k < 16 the halves keep their low k bits, so that all sets consume the stream
/// alike.
fn drawn(parameters: Parameters, seed: &[u8; 32], index: u8) -> Vec<i64> {
    let bytes: [u8; 4 * N] = chacha20(seed, [index, 0, 0, 0, 0, 0, 0, 0]);
    let mask = (1 << parameters.k) - 1;
    bytes
        .chunks(4)
        .map(|c| {
            let ones = |low, high| i64::from((u32::from(u16::from_le_bytes([low, high])) & mask).count_ones());
            ones(c[0], c[1]) - ones(c[2], c[3])
        })
        .collect()
}

/// Noise that enters a transform is drawn in bit-reversed order: element j drawn is the coefficient
/// of X^brv(j).
fn bit_reversed(drawn: &[u64]) -> Vec<u64> {
    (0..N).map(|i| drawn[field::bit_reverse(i, N.trailing_zeros())]).collect()
}

/// The 256 bits b of HelpRec, lowest bit of a byte first; byte 7 of the nonce is 3, one more than
/// the last noise index.
fn rounding_bits(seed: &[u8; 32]) -> [u8; 256] {
    let bytes: [u8; 32] = chacha20(seed, [0, 0, 0, 0, 0, 0, 0, 3]);
    std::array::from_fn(|i| bytes[i / 8] >> (i % 8) & 1)
}

/// HelpRec: two bits of r for every coefficient, from one random bit b for every group (v_i,
/// v_{i+256}, v_{i+512}, v_{i+768}).
///
/// With g = (½, ½, ½, ½), r = CVP((4/q)·(x + b·g)) mod 4, where CVP(y) is: v₀ = ⌊y⌉, v₁ = ⌊y − g⌉,
/// κ = 0 if ‖y − v₀‖₁ < 1 else 1; with w = v_κ, (w₀, w₁, w₂, κ) + w₃·(−1, −1, −1, 2).
///
/// In integers: (4/q)·(x + b/2) = (8x + 4b)/2q = Y/2q. Rounding half up, ⌊Y/2q⌉ = ⌊(Y + q)/2q⌋ and
/// ⌊Y/2q − ½⌉ = ⌊Y/2q⌋; and ‖y − v₀‖₁ < 1 is Σ|Y − 2q·v₀| < 2q.
pub fn help_rec(v: &[u64], bits: &[u8; 256]) -> Vec<u8> {
    let q = Q as i64;
    let mut r = vec![0; N];
    for i in 0..256 {
        let y: [i64; 4] = std::array::from_fn(|j| 8 * v[i + 256 * j] as i64 + 4 * i64::from(bits[i]));
        let v0 = y.map(|y| (y + q).div_euclid(2 * q));
        let v1 = y.map(|y| y.div_euclid(2 * q));
        let distance: i64 = y.iter().zip(v0).map(|(y, v0)| (y - 2 * q * v0).abs()).sum();
        let (kappa, w) = if distance < 2 * q { (0, v0) } else { (1, v1) };
        let point = [w[0] - w[3], w[1] - w[3], w[2] - w[3], kappa + 2 * w[3]];
        for (j, x) in point.into_iter().enumerate() {
            r[i + 256 * j] = x.rem_euclid(4) as u8;
        }
    }
    r
}

/// Rec: the 256 bits of ν, lowest bit of a byte first.
///
/// Bit i is 1 when y = x/q − ¼·(r₀ + r₃/2, r₁ + r₃/2, r₂ + r₃/2, r₃/2) is nearer than 1 to an
/// integer vector: ‖y − ⌊y⌉‖₁ < 1.
///
/// In integers: y = Z/8q with Z_j = 8x_j − q·(2r_j + r₃) for j < 3 and Z₃ = 8x₃ − q·r₃. Rounding
/// half up, ⌊Z/8q⌉ = ⌊(Z + 4q)/8q⌋; and the condition is Σ|Z − 8q·⌊Z/8q⌉| < 8q.
pub fn rec(v: &[u64], r: &[u8]) -> [u8; 32] {
    let q = Q as i64;
    let mut nu = [0; 32];
    for i in 0..256 {
        let r: [i64; 4] = std::array::from_fn(|j| i64::from(r[i + 256 * j]));
        let eighths = [2 * r[0] + r[3], 2 * r[1] + r[3], 2 * r[2] + r[3], r[3]];
        let distance: i64 = (0..4)
            .map(|j| {
                let z = 8 * v[i + 256 * j] as i64 - q * eighths[j];
                (z - 8 * q * (z + 4 * q).div_euclid(8 * q)).abs()
            })
            .sum();
        nu[i / 8] |= u8::from(distance < 8 * q) << (i % 8);
    }
    nu
}

/// The shared key: SHA3-256(ν).
fn key(nu: &[u8; 32]) -> [u8; 32] {
    sha3::Sha3_256::digest(nu).into()
}

fn check_length(message: &[u8], expected: usize) -> Result<(), Error> {
    if message.len() == expected { Ok(()) } else { Err(Error::Length { expected, actual: message.len() }) }
}

/// Bit string of 14-bit little-endian coefficients: four of them in seven bytes.
fn encode_poly(a: &[u64]) -> Vec<u8> {
    let group = |c: &[u64]| (0..4).fold(0, |bits, j| bits | c[j] << (14 * j));
    a.chunks(4).flat_map(|c| group(c).to_le_bytes().into_iter().take(7)).collect()
}

/// The inverse of [`encode_poly`].
fn decode_poly(bytes: &[u8]) -> Result<Vec<u64>, Error> {
    let group = |c: &[u8]| (0..7).fold(0, |bits, j| bits | u64::from(c[j]) << (8 * j));
    let a: Vec<u64> = bytes.chunks(7).flat_map(|c| [0, 14, 28, 42].map(|shift| group(c) >> shift & 0x3fff)).collect();
    match a.iter().position(|&x| x >= Q) {
        Some(index) => Err(Error::Coefficient { index, value: a[index] }),
        None => Ok(a),
    }
}

/// Four elements of r in a byte, the first in the lowest bits.
fn encode_hint(r: &[u8]) -> Vec<u8> {
    r.chunks(4).map(|c| c[0] | c[1] << 2 | c[2] << 4 | c[3] << 6).collect()
}

/// The inverse of [`encode_hint`].
fn decode_hint(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| [0, 2, 4, 6].map(|shift| byte >> shift & 3)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn bytes(hex: &serde_json::Value) -> Vec<u8> {
        let hex = hex.as_str().expect("a string");
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
    }

    fn check_vectors(json: &str, parameters: Parameters, count: usize) {
        let file: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(file["parameters"]["k"], parameters.k);
        assert_eq!(file["parameters"]["set"], parameters.set);
        let tests = file["tests"].as_array().unwrap();
        assert_eq!(tests.len(), count);
        for test in tests {
            let seed = |field: &str| <[u8; 32]>::try_from(bytes(&test[field])).unwrap();
            let (alice, message_a) = init(parameters, &seed("seed_a"), &seed("noise_seed_alice"));
            assert_eq!(message_a, bytes(&test["message_a"]));
            let (message_b, key_bob) = respond(parameters, &message_a, &seed("noise_seed_bob")).unwrap();
            assert_eq!(message_b, bytes(&test["message_b"]));
            assert_eq!(key_bob, seed("shared_key"));
            assert_eq!(finish(&alice, &message_b), Ok(key_bob));
        }
    }

    #[test]
    fn the_designers_vectors() {
        check_vectors(include_str!("../../../vectors/newhope-usenix2016.json"), USENIX2016, 10);
    }

    #[test]
    fn the_vectors_of_psi12() {
        check_vectors(include_str!("../../../vectors/newhope-psi12.json"), PSI12, 2);
    }

    /// By the designers' arithmetic messages and keys are theirs, byte for byte. By K-RED slots are in another order and
    /// keep powers of k on their way: other messages, but both sides have one key.
    #[test]
    fn both_arithmetics_of_the_comparison_carry_the_exchange() {
        let (designers, k_red) = (designers::Designers::new(), k_red::KRed::new());
        for parameters in [USENIX2016, PSI12] {
            for i in 0..8 {
                let [seed_a, alice, bob] = [3 * i, 3 * i + 1, 3 * i + 2].map(|byte| [byte; 32]);
                let (secret, message_a) = init(parameters, &seed_a, &alice);
                let (message_b, key) = respond(parameters, &message_a, &bob).unwrap();
                let (of_designers, theirs) = init_by(&designers, parameters, &seed_a, &alice);
                assert_eq!(theirs, message_a);
                assert_eq!(respond_by(&designers, parameters, &theirs, &bob).unwrap(), (message_b.clone(), key));
                assert_eq!(finish_by(&designers, &of_designers, &message_b), Ok(key));
                assert_eq!(finish(&secret, &message_b), Ok(key));

                let (secret, message_a) = init_by(&k_red, parameters, &seed_a, &alice);
                let (message_b, key) = respond_by(&k_red, parameters, &message_a, &bob).unwrap();
                assert_eq!(finish_by(&k_red, &secret, &message_b), Ok(key));
            }
        }
    }

    #[test]
    fn noise_has_its_range_and_variance() {
        for parameters in [USENIX2016, PSI12] {
            let k = i64::from(parameters.k);
            let sample = (0..200).flat_map(|i| noise(parameters, &[7; 32], i));
            let centered = sample.map(|x| if x > Q / 2 { x as i64 - Q as i64 } else { x as i64 });
            let values: Vec<i64> = centered.collect();
            assert!(values.iter().all(|x| x.abs() <= k));
            // 204,800 samples: the sum of squares is k/2 each, and stays within 2 % of it.
            let squares: i64 = values.iter().map(|x| x * x).sum();
            assert!((squares - 102_400 * k).abs() < 2_048 * k, "{squares}");
            assert!(values.iter().sum::<i64>().abs() < 5_000);
        }
    }

    #[test]
    fn reconciliation_forgives_three_quarters_of_q() {
        // The reconciliation lemma of the NewHope paper: both sides agree when ‖x − x'‖₁ < (1 −
        // 1/4)·q − 2 in each group.
        let mut random = Random(10);
        for round in 0..40 {
            let v = random.poly(N, Q);
            let bits = std::array::from_fn(|_| random.below(2) as u8);
            let r = help_rec(&v, &bits);
            assert!(r.iter().all(|&x| x < 4));
            let mut shifted = v.clone();
            for i in 0..256 {
                let mut left = 3 * Q / 4 - 3;
                for j in 0..4 {
                    let share = if (j + round) % 4 == 3 { left } else { random.below(left / 2 + 1) };
                    left -= share;
                    let x = &mut shifted[i + 256 * j];
                    *x = if random.below(2) == 0 { field::add(*x, share, Q) } else { field::sub(*x, share, Q) };
                }
            }
            assert_eq!(rec(&v, &r), rec(&shifted, &r));
            let far: Vec<u64> = v.iter().map(|&x| field::add(x, Q / 2, Q)).collect();
            assert_eq!(rec(&far, &r), rec(&v, &r).map(|byte| !byte));
        }
    }

    #[test]
    fn bits_of_uniform_values_are_balanced() {
        let mut random = Random(11);
        let ones: u32 = (0..100)
            .map(|_| {
                let v = random.poly(N, Q);
                let bits = std::array::from_fn(|_| random.below(2) as u8);
                rec(&v, &help_rec(&v, &bits)).iter().map(|byte| byte.count_ones()).sum::<u32>()
            })
            .sum();
        assert!(ones.abs_diff(12_800) < 400, "{ones} of 25,600 bits are ones"); // five standard deviations
    }

    #[test]
    fn encodings_return_and_bad_messages_are_refused() {
        let a = Random(12).poly(N, Q);
        let bytes = encode_poly(&a);
        assert_eq!(bytes.len(), POLY_BYTES);
        assert_eq!(decode_poly(&bytes), Ok(a));
        assert_eq!(encode_poly(&[1, 2, 3, 4]), [1, 0x80, 0, 0x30, 0, 0x10, 0]);
        let r: Vec<u8> = (0..N).map(|i| (i * 7 / 3 % 4) as u8).collect();
        assert_eq!(decode_hint(&encode_hint(&r)), r);

        let seed = [1; 32];
        assert_eq!(respond(PSI12, &[0; 7], &seed).err(), Some(Error::Length { expected: 1824, actual: 7 }));
        let (alice, mut message_a) = init(PSI12, &seed, &seed);
        assert_eq!(finish(&alice, &[]).err(), Some(Error::Length { expected: 2048, actual: 0 }));
        message_a[..7].copy_from_slice(&encode_poly(&[0, 0, Q, 0]));
        let error = respond(PSI12, &message_a, &seed).unwrap_err();
        assert_eq!(error, Error::Coefficient { index: 2, value: Q });
        assert_eq!(error.to_string(), "coefficient 2 is 12289, not below q = 12289");
    }
}
