//! LWE and module-LWE encryption of messages modulo p, and key encapsulation by it.
//!
//! ```text
//! keygen   S <- [β]^(d×l),  E1 <- [β]^(m×l),  A uniform m×d,  T = A·S + p·E1    public (A, T), secret S
//! encrypt  R <- [β]^(k×m),  E2 <- [β]^(k×d),  E3 <- [β]^(k×l),  U = R·A + p·E2,  V = R·T + p·E3 + M
//! decrypt  M = (V − U·S  mod± q)  mod p  =  (p·(R·E1 + E3 − E2·S) + M  mod± q)  mod p
//! ```
//!
//! Entries are polynomials modulo Xⁿ + 1 and q; n = 1 is plain LWE. Files hold residues of the bits
//! of q − 1 and numbers of `[β]` as x + β in the bits of 2β: of the public key a seed, which
//! defines A, and T, row by row; of the secret key S, column by column; of a ciphertext U and V,
//! each row by row and each a string of bits of its own.
//!
//! Source: Royher, *Implementing Lattice-Based Cryptography*, chapter 4; Lindner and Peikert
//! (2011).
//!
//! Ranges: residues in [0, q), secrets and noise as integers. **Not constant time**: this is the
//! specification that runs.

use crate::bytes::{Stream, bits_of, pack, unpack_below};
use crate::poly::{Matrix, matrix_multiple, matrix_product, matrix_sum, residues};
use crate::{field, kem, sample};

/// Sizes: A is m × d, messages are k × l.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The degree.
    pub n: usize,
    /// The modulus.
    pub q: u64,
    /// The modulus of messages.
    pub p: u64,
    /// The largest coefficient of secrets and noise.
    pub beta: u32,
    /// Rows of A.
    pub m: usize,
    /// Columns of A.
    pub d: usize,
    /// Rows of a message.
    pub k: usize,
    /// Columns of a message.
    pub l: usize,
}

/// Module-LWE of rank 3 for keys of 256 bits.
pub const MLWE_256: Parameters = Parameters { n: 256, q: 7681, p: 2, beta: 2, m: 3, d: 3, k: 1, l: 1 };
/// The same with p = 3.
pub const MLWE_256_P3: Parameters = Parameters { p: 3, ..MLWE_256 };
/// Plain LWE in dimension 768, for keys of 256 bits.
pub const LWE_768: Parameters = Parameters { n: 1, q: 7681, p: 2, beta: 2, m: 768, d: 768, k: 16, l: 16 };

/// The public and the secret key of a seed: the stream of its use `"a"` gives the seed of A, that
/// of `"keys"` S and then E1, both column by column.
pub fn keygen(parameters: Parameters, seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let Parameters { q, p, beta, m, d, l, .. } = parameters;
    let seed_a: [u8; 32] = stream_of(parameters, "a", seed).read();
    let mut stream = stream_of(parameters, "keys", seed);
    let (s, e1) = (small(parameters, &mut stream, d * l), small(parameters, &mut stream, m * l));
    let t = matrix_product(&matrix_a(parameters, &seed_a), &by_columns(parameters, &s, d), q);
    let t = matrix_sum(&t, &matrix_multiple(p, &by_columns(parameters, &e1, m), q), q);

    let shifted: Vec<u64> = s.iter().map(|x| (x + i64::from(beta)) as u64).collect();
    ([&seed_a[..], &pack_rows(parameters, &t)].concat(), pack(&shifted, bits_of(2 * u64::from(beta))))
}

/// The ciphertext of k·l·n numbers below p, row by row, with the noise of a seed: the stream of its
/// use `"noise"` gives R, E2, E3, row by row. `None` if the public key is none.
///
/// **Panics** if the message has another length.
pub fn encrypt(parameters: Parameters, public_key: &[u8], message: &[u64], seed: &[u8; 32]) -> Option<Vec<u8>> {
    let Parameters { q, p, m, d, k, l, .. } = parameters;
    let (seed_a, t_bytes) = public_key.split_first_chunk()?;
    let (a, t) = (matrix_a(parameters, seed_a), unpack_rows(parameters, t_bytes, l, m)?);
    let mut stream = stream_of(parameters, "noise", seed);
    let mut noise = |columns: usize| {
        let numbers = small(parameters, &mut stream, k * columns);
        by_rows(parameters, &residues(&numbers, q), columns)
    };
    let (r, e2, e3) = (noise(m), noise(d), noise(l));

    let message = by_rows(parameters, message, l);
    let u = matrix_sum(&matrix_product(&r, &a, q), &matrix_multiple(p, &e2, q), q);
    let v = matrix_sum(&matrix_product(&r, &t, q), &matrix_multiple(p, &e3, q), q);
    let v = matrix_sum(&v, &message, q);
    Some([pack_rows(parameters, &u), pack_rows(parameters, &v)].concat())
}

/// The numbers of a message, row by row; `None` if the bytes are no key and ciphertext.
pub fn decrypt(parameters: Parameters, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u64>> {
    let Parameters { n, q, p, beta, d, k, l, .. } = parameters;
    let shifted = unpack_below(secret_key, 2 * u64::from(beta) + 1, d * l * n)?;
    let s: Vec<i64> = shifted.iter().map(|&x| x as i64 - i64::from(beta)).collect();
    let (u_bytes, v_bytes) = ciphertext.split_at_checked((k * d * n * bits_of(q - 1) as usize).div_ceil(8))?;
    let (u, v) = (unpack_rows(parameters, u_bytes, d, k)?, unpack_rows(parameters, v_bytes, l, k)?);

    let us = matrix_product(&u, &by_columns(parameters, &s, d), q);
    let difference = matrix_sum(&v, &matrix_multiple(q - 1, &us, q), q);
    Some(difference.into_iter().flatten().flatten().map(|x| field::residue(field::centred(x, q), p)).collect())
}

/// The domain of the encapsulation's hashes.
fn domain(parameters: Parameters) -> String {
    let Parameters { n, q, p, beta, m, d, k, l } = parameters;
    let columns = if d == m { String::new() } else { format!(" d={d}") };
    format!("ringwork lwe 1 n={n} q={q} p={p} beta={beta} m={m} k={k} l={l}{columns}")
}

/// The stream of one use of a seed: the label is the domain, a blank, and the purpose.
fn stream_of(parameters: Parameters, purpose: &str, seed: &[u8; 32]) -> Stream {
    Stream::of_use(&[domain(parameters).as_bytes(), b" ", purpose.as_bytes()], seed)
}

/// Bytes as numbers: ⌊log2 p⌋ bits in each coefficient; coefficients without a bit are zero.
fn message_of_bytes(parameters: Parameters, bytes: &[u8]) -> Vec<u64> {
    let Parameters { n, p, k, l, .. } = parameters;
    let (width, count) = (p.ilog2(), k * l * n);
    let mut padded = bytes.to_vec();
    padded.resize((count * width as usize).div_ceil(8), 0);
    unpack_below(&padded, 1 << width, count).expect("padded to that length")
}

/// The shared key and the ciphertext of ⌊k·l·n·⌊log2 p⌋/8⌋ random bytes; `None` if the public key
/// is none.
pub fn encapsulate(parameters: Parameters, public_key: &[u8], message: &[u8]) -> Option<([u8; 32], Vec<u8>)> {
    let (key, coins) = kem::key_and_coins(&domain(parameters), public_key, message);
    Some((key, encrypt(parameters, public_key, &message_of_bytes(parameters, message), &coins)?))
}

/// The saved secret key of encapsulation, of the seed of the keys and the secret z of rejection.
pub fn saved_key(parameters: Parameters, seed: &[u8; 32], z: &[u8; 32]) -> Vec<u8> {
    kem::secret_key(&domain(parameters), &keygen(parameters, seed).0, seed, z)
}

/// The shared key of a ciphertext, from both keys and the secret z of rejection; `None` if the
/// bytes are no ciphertext.
pub fn decapsulate(
    parameters: Parameters,
    [secret_key, public_key]: [&[u8]; 2],
    z: &[u8; 32],
    ciphertext: &[u8],
) -> Option<[u8; 32]> {
    let Parameters { n, p, k, l, .. } = parameters;
    let numbers = decrypt(parameters, secret_key, ciphertext)?;
    // A number that no bytes give is not of an honest ciphertext; without its highest bit it is
    // encrypted to another one.
    let low_bits: Vec<u64> = numbers.iter().map(|x| x % (1 << p.ilog2())).collect();
    let mut message = pack(&low_bits, p.ilog2());
    message.truncate(k * l * n * p.ilog2() as usize / 8);
    let (key, again) = encapsulate(parameters, public_key, &message)?;
    Some(if again == ciphertext { key } else { kem::rejected(&domain(parameters), z, ciphertext) })
}

/// A: row i by rejection from SHAKE-128(`"ringwork lwe a"`, n, q, p, β, m, k, l, d unless it is m, the
/// seed, i), where i has 2 little-endian bytes and every other number 8.
fn matrix_a(parameters: Parameters, seed: &[u8; 32]) -> Matrix {
    let Parameters { n, q, p, beta, m, d, k, l } = parameters;
    let mut numbers = [n as u64, q, p, beta.into(), m as u64, k as u64, l as u64].map(u64::to_le_bytes).concat();
    if d != m {
        numbers.extend((d as u64).to_le_bytes());
    }
    let row = |i: usize| {
        let mut stream = Stream::shake128(&[b"ringwork lwe a", &numbers, seed, &(i as u16).to_le_bytes()]);
        sample::uniform_mod(q, &mut stream, d * n).chunks(n).map(<[u64]>::to_vec).collect()
    };
    (0..m).map(row).collect()
}

/// `length` polynomials from `[β]`, as one string of numbers.
fn small(parameters: Parameters, stream: &mut Stream, length: usize) -> Vec<i64> {
    sample::uniform(parameters.beta, stream, length * parameters.n)
}

/// The matrix of that many columns whose entries follow one another row by row.
fn by_rows(parameters: Parameters, numbers: &[u64], columns: usize) -> Matrix {
    let row = |row: &[u64]| row.chunks(parameters.n).map(<[u64]>::to_vec).collect();
    numbers.chunks(columns * parameters.n).map(row).collect()
}

/// The matrix of that many rows whose entries follow one another column by column.
fn by_columns(parameters: Parameters, numbers: &[i64], rows: usize) -> Matrix {
    let transposed = by_rows(parameters, &residues(numbers, parameters.q), rows);
    (0..rows).map(|i| transposed.iter().map(|column| column[i].clone()).collect()).collect()
}

fn pack_rows(parameters: Parameters, matrix: &Matrix) -> Vec<u8> {
    let residues: Vec<u64> = matrix.iter().flatten().flatten().copied().collect();
    pack(&residues, bits_of(parameters.q - 1))
}

fn unpack_rows(parameters: Parameters, bytes: &[u8], columns: usize, rows: usize) -> Option<Matrix> {
    let residues = unpack_below(bytes, parameters.q, rows * columns * parameters.n)?;
    Some(by_rows(parameters, &residues, columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn messages_come_back() {
        let mut random = Random(12);
        for (n, q, p, beta, [m, d], k, l) in [
            (1, 4001, 5, 2, [9, 9], 2, 3),
            (1, 4001, 5, 2, [9, 6], 2, 3),
            (4, 1 << 13, 3, 3, [5, 5], 3, 2),
            (4, 1 << 13, 3, 3, [4, 5], 3, 2),
            (16, 12289, 4, 2, [3, 3], 1, 2),
            (256, 7681, 2, 2, [3, 3], 1, 1),
            (256, 7681, 3, 2, [3, 3], 1, 1),
        ] {
            let parameters = Parameters { n, q, p, beta, m, d, k, l };
            let message = random.poly(k * l * n, p);
            let (public_key, secret_key) = keygen(parameters, &[1; 32]);
            let ciphertext = encrypt(parameters, &public_key, &message, &[2; 32]).unwrap();
            assert_eq!(decrypt(parameters, &secret_key, &ciphertext), Some(message));
            assert_eq!(decrypt(parameters, &secret_key, &ciphertext[1..]), None);
            assert_eq!(encrypt(parameters, &public_key[1..], &vec![0; k * l * n], &[2; 32]), None);
        }
    }

    /// Below p = 5 there is room for two bits in each of 27 coefficients, which makes six bytes.
    #[test]
    fn keys_are_encapsulated_and_rejected() {
        for parameters in [MLWE_256, Parameters { n: 3, q: 40961, p: 5, beta: 1, m: 2, d: 2, k: 3, l: 3 }] {
            let (public_key, secret_key) = keygen(parameters, &[3; 32]);
            let message: Vec<u8> = (0..if parameters.n == 3 { 6 } else { 32 }).collect();
            let (key, mut ciphertext) = encapsulate(parameters, &public_key, &message).unwrap();
            let open = |c: &[u8]| decapsulate(parameters, [&secret_key, &public_key], &[4; 32], c).unwrap();
            assert_eq!(open(&ciphertext), key);
            ciphertext[0] ^= 1;
            assert_eq!(open(&ciphertext), kem::rejected(&domain(parameters), &[4; 32], &ciphertext));
        }
    }
}
