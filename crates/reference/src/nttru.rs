//! The NTTRU key encapsulation, in the order of its paper, bit for bit as its designers' code.
//!
//! ```text
//! KeyGen:   f', g' ← β₂;  f = 3f' + 1;  again unless f is invertible;  h = 3g'/f
//! Encaps:   m ← β₂;  (key, ρ) = SHA-512(m);  r = β₂(ρ);  c = h·r + m
//! Decaps:   m = (c·f mod± q) mod± 3;  (key, ρ) = SHA-512(m);  r = β₂(ρ);  refused unless c = h·r + m
//! ```
//!
//! The ring is Z_7681\[X\]/(X⁷⁶⁸ − X³⁸⁴ + 1); β₂ is b₀ + b₁ − b₂ − b₃ mod± 3 for uniform bits. Keys
//! and ciphertexts travel transformed: 256 slots, each the residue modulo some X³ − 20^e. A public
//! key holds 2¹⁶·h, since the designers multiply by Montgomery's method, which divides every
//! product by 2¹⁶.
//!
//! Source: Lyubashevsky and Seiler, *NTTRU: Truly Fast NTRU Using NTT*, TCHES 2019(3), with the
//! details that only the designers' code fixes. Where f is not invertible their portable code draws
//! again and their AVX2 code does not; here key generation from a seed has no answer then.
//!
//! Ranges: polynomials hold canonical residues in [0, q). **Not constant time**: this is the
//! specification that runs.

use crate::ntt::{Ring, Transform};
use crate::{field, poly};
use ctr::cipher::{KeyIvInit, StreamCipher};
use sha2::Digest;
use std::fmt;

/// The degree n of the ring.
pub const N: usize = 768;
/// The modulus.
pub const Q: u64 = 7681;
/// The length of a transformed polynomial with 13 bits per coefficient.
pub const POLY_BYTES: usize = N * 13 / 8;
/// The length of a public key, h.
pub const PUBLIC_KEY_BYTES: usize = POLY_BYTES;
/// The length of a secret key, f and the public key.
pub const SECRET_KEY_BYTES: usize = POLY_BYTES + PUBLIC_KEY_BYTES;
/// The length of a ciphertext, c.
pub const CIPHERTEXT_BYTES: usize = POLY_BYTES;
const _: () = assert!(PUBLIC_KEY_BYTES == 1248 && SECRET_KEY_BYTES == 2496 && CIPHERTEXT_BYTES == 1248);

/// The primitive 768th root of unity that the designers chose; it is also the smallest.
const ROOT: u64 = 20;

/// 2¹⁶ modulo q.
const MONTGOMERY: u64 = (1 << 16) % Q;

/// Why bytes were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The wrong number of bytes.
    Length {
        /// The number it must be.
        expected: usize,
        /// The number it is.
        actual: usize,
    },
    /// A 13-bit value is not below q.
    Coefficient {
        /// Its place among the packed values.
        index: usize,
        /// The value.
        value: u64,
    },
    /// The ciphertext is not what its message encrypts to.
    Rejected,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length { expected, actual } => write!(f, "{actual} bytes instead of {expected}"),
            Error::Coefficient { index, value } => write!(f, "value {index} is {value}, not below q = {Q}"),
            Error::Rejected => write!(f, "the ciphertext is rejected"),
        }
    }
}

impl std::error::Error for Error {}

/// The secret and the public key, from the 32 bytes that would be drawn at random; `None` when f is
/// not invertible.
pub fn keygen(seed: &[u8; 32]) -> Option<(Vec<u8>, Vec<u8>)> {
    let ntt = transform();
    let coins = aes256_ctr::<N>(seed);
    let mut f = times(3, &short(&coins[..N / 2]));
    f[0] = field::add(f[0], 1, Q);
    let g = times(3, &short(&coins[N / 2..]));

    let f_hat = ntt.forward(&f);
    let h_hat = ntt.product(&ntt.forward(&g), &ntt.inverses(&f_hat)?);
    let public_key = pack(&times(MONTGOMERY, &h_hat));
    Some(([pack(&f_hat), public_key.clone()].concat(), public_key))
}

/// The ciphertext and the shared key, from the 32 bytes that would be drawn at random.
///
/// **Errors** when the public key has not 1248 bytes or holds a value that is not reduced.
pub fn encapsulate(public_key: &[u8], seed: &[u8; 32]) -> Result<(Vec<u8>, [u8; 32]), Error> {
    let h_hat = unpack_public(public_key)?;
    let m = short(&aes256_ctr::<{ N / 2 }>(seed));
    let (key, rho) = hash(&m);
    Ok((pack(&encrypt(&h_hat, &m, &rho)), key))
}

/// The shared key.
///
/// **Errors** when a length is wrong, a value is not reduced, or the ciphertext is not what its
/// message encrypts to.
pub fn decapsulate(secret_key: &[u8], ciphertext: &[u8]) -> Result<[u8; 32], Error> {
    check_length(secret_key, SECRET_KEY_BYTES)?;
    let (f_hat, h_hat) = (unpack(&secret_key[..POLY_BYTES])?, unpack_public(&secret_key[POLY_BYTES..])?);
    let c_hat = unpack(ciphertext)?;

    let ntt = transform();
    let m: Vec<u64> = ntt.inverse(&ntt.product(&c_hat, &f_hat)).into_iter().map(centred_modulo_3).collect();
    let (key, rho) = hash(&m);
    if encrypt(&h_hat, &m, &rho) == c_hat { Ok(key) } else { Err(Error::Rejected) }
}

/// c = h·r + m, transformed, where r = β₂(ρ).
fn encrypt(h_hat: &[u64], m: &[u64], rho: &[u8; 32]) -> Vec<u64> {
    let ntt = transform();
    let r = short(&aes256_ctr::<{ N / 2 }>(rho));
    poly::add(&ntt.product(h_hat, &ntt.forward(&r)), &ntt.forward(m), Q)
}

/// The shared key and ρ, the halves of SHA-512(m); m has two bits per coefficient.
fn hash(m: &[u64]) -> ([u8; 32], [u8; 32]) {
    let shifted: Vec<u64> = m.iter().map(|&x| field::add(x, 1, Q)).collect();
    let digest = sha2::Sha512::digest(pack_lanes::<2>(&shifted));
    (digest[..32].try_into().expect("32 bytes"), digest[32..].try_into().expect("32 bytes"))
}

/// x mod± 3 of x mod± q.
fn centred_modulo_3(x: u64) -> u64 {
    let centred = if x > Q / 2 { x as i64 - Q as i64 } else { x as i64 };
    match centred.rem_euclid(3) {
        2 => Q - 1,
        residue => residue as u64,
    }
}

/// β₂: one coefficient per nibble, the lower one first. Bits t and t + 1 of the constant, minus
/// one.
fn short(bytes: &[u8]) -> Vec<u64> {
    let nibbles = bytes.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
    nibbles.map(|t| field::sub(0xa815 >> t & 3, 1, Q)).collect()
}

/// The first bytes of the AES-256 stream in counter mode, from 0.
fn aes256_ctr<const LEN: usize>(key: &[u8; 32]) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    ctr::Ctr128BE::<aes::Aes256>::new(key.into(), &[0; 16].into()).apply_keystream(&mut bytes);
    bytes
}

/// The transform to slots of degree three.
fn transform() -> Transform {
    let transform = Transform::new(N, Q, Ring::Trinomial, 8).expect("768 divides 7680");
    transform.with_root(ROOT).expect("20 is a primitive 768th root of unity")
}

/// For every place of a packed polynomial, where it is in a transformed one: 3·slot + coefficient.
///
/// Slots are numbered as the splitting reaches them: X⁷⁶⁸ − X³⁸⁴ + 1 is (X³⁸⁴ − 20¹²⁸)(X³⁸⁴ −
/// 20⁶⁴⁰), and then X^2d − 20^e is (X^d − 20^(e/2))(X^d − 20^(e/2 + 384)). Sixteen pairs of
/// neighbours are written at a time: coefficient 0 of the first slot of every pair, then 1 and 2,
/// then those of the second slots.
fn places() -> Vec<usize> {
    let mut exponents = vec![128, 640];
    while exponents.len() < 256 {
        exponents = exponents.into_iter().flat_map(|e| [e / 2, e / 2 + 384]).collect();
    }
    let place = |i: usize| {
        let (sixteen, j, pair) = (i / 96, i / 16 % 6, i % 16);
        let slot = 2 * (16 * sixteen + pair) + j / 3;
        3 * (exponents[slot] / 3) + j % 3 // slot 3i + 1 + (i mod 2) is canonical slot i
    };
    (0..N).map(place).collect()
}

/// Transformed polynomials as bytes.
fn pack(a_hat: &[u64]) -> Vec<u8> {
    pack_lanes::<13>(&places().iter().map(|&place| a_hat[place]).collect::<Vec<_>>())
}

/// The inverse of [`pack`].
fn unpack(bytes: &[u8]) -> Result<Vec<u64>, Error> {
    check_length(bytes, POLY_BYTES)?;
    let values = unpack_lanes::<13>(bytes);
    if let Some(index) = values.iter().position(|&x| x >= Q) {
        return Err(Error::Coefficient { index, value: values[index] });
    }
    let mut a_hat = vec![0; N];
    places().iter().zip(values).for_each(|(&place, value)| a_hat[place] = value);
    Ok(a_hat)
}

/// h of a public key.
fn unpack_public(bytes: &[u8]) -> Result<Vec<u64>, Error> {
    let by = field::inverse(MONTGOMERY, Q).expect("q is odd");
    Ok(times(by, &unpack(bytes)?))
}

fn times(factor: u64, a: &[u64]) -> Vec<u64> {
    a.iter().map(|&x| field::mul(factor, x, Q)).collect()
}

/// Packing of `BITS`-bit values upright: of 256 values, those of numbers 16·k + lane make up one
/// string of bits for each of 16 lanes, lowest bits first. It is cut into little-endian words of 16
/// bits; word w of the lanes 0, …, 15 comes before word w + 1.
fn pack_lanes<const BITS: usize>(values: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in values.chunks(256) {
        for word in 0..BITS {
            for lane in 0..16 {
                let bit = |i: usize| block[16 * (i / BITS) + lane] >> (i % BITS) & 1;
                let value = (0..16).fold(0, |sum, i| sum | (bit(16 * word + i) as u16) << i);
                bytes.extend(value.to_le_bytes());
            }
        }
    }
    bytes
}

/// The inverse of [`pack_lanes`].
fn unpack_lanes<const BITS: usize>(bytes: &[u8]) -> Vec<u64> {
    let mut values = Vec::new();
    for block in bytes.chunks(32 * BITS) {
        for k in 0..16 {
            for lane in 0..16 {
                let bit = |i: usize| u64::from(block[32 * (i / 16) + 2 * lane + i % 16 / 8] >> (i % 8) & 1);
                values.push((0..BITS).fold(0, |sum, i| sum | bit(BITS * k + i) << i));
            }
        }
    }
    values
}

fn check_length(bytes: &[u8], expected: usize) -> Result<(), Error> {
    if bytes.len() == expected { Ok(()) } else { Err(Error::Length { expected, actual: bytes.len() }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn bytes(hex: &serde_json::Value) -> Vec<u8> {
        let hex = hex.as_str().expect("a string");
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
    }

    #[test]
    fn the_designers_vectors() {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/nttru768.json")).unwrap();
        let tests = file["tests"].as_array().unwrap();
        assert_eq!(tests.len(), 8);
        for test in tests {
            let seed = |field: &str| <[u8; 32]>::try_from(bytes(&test[field])).unwrap();
            let (secret_key, public_key) = keygen(&seed("keygen_seed")).unwrap();
            assert_eq!(public_key, bytes(&test["public_key"]));
            assert_eq!(secret_key, bytes(&test["secret_key"]));
            let (ciphertext, key) = encapsulate(&public_key, &seed("encaps_seed")).unwrap();
            assert_eq!(ciphertext, bytes(&test["ciphertext"]));
            assert_eq!(key, seed("shared_key"));
            assert_eq!(decapsulate(&secret_key, &ciphertext), Ok(key));
        }
    }

    #[test]
    fn what_is_not_a_ciphertext_is_rejected() {
        let (secret_key, public_key) = keygen(&[7; 32]).unwrap();
        let (ciphertext, key) = encapsulate(&public_key, &[8; 32]).unwrap();
        for bit in [0, 1, 5000, 9983] {
            let mut changed = ciphertext.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(decapsulate(&secret_key, &changed), Ok(key));
        }
        assert_eq!(decapsulate(&secret_key, &[0; 1248]), Err(Error::Rejected));
        let refused = Err(Error::Coefficient { index: 0, value: 8191 });
        assert_eq!(decapsulate(&secret_key, &[0xff; 1248]), refused);
        assert_eq!(encapsulate(&[0; 1247], &[0; 32]), Err(Error::Length { expected: 1248, actual: 1247 }));
    }

    #[test]
    fn beta_2_is_the_distribution_of_its_definition() {
        let mut defined = [0; 3];
        for bits in 0..16 {
            let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|i| bits >> i & 1);
            defined[(b0 + b1 - b2 - b3 + 3_i32).rem_euclid(3) as usize] += 1;
        }
        let all = short(&[0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe]);
        assert_eq!([0, 1, Q - 1].map(|x| all.iter().filter(|&&y| y == x).count()), defined);
    }

    #[test]
    fn packing_returns() {
        let values = Random(5).poly(N, Q);
        assert_eq!(unpack(&pack(&values)).unwrap(), values);
        assert_eq!(unpack_lanes::<2>(&pack_lanes::<2>(&[3; 256])), [3; 256]);
        let mut places = places();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..N));
    }

    #[test]
    fn centring_and_reducing() {
        assert_eq!([0, 1, 2, 3, 3840].map(centred_modulo_3), [0, 1, Q - 1, 0, 0]);
        assert_eq!([3841, Q - 1, Q - 2].map(centred_modulo_3), [0, Q - 1, 1]);
    }
}
