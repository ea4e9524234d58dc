//! Ring-LWE encryption with four transforms, in the order of its paper.
//!
//! ```text
//! keygen   ã uniform in the transform domain,  r1 <- D_σ^n,  r2 <- {0,1}^n,  p = r1 − a·r2
//!          public (ã, p̃),  secret r2
//! encrypt  e1, e2, e3 <- D_σ^n,  c1 = a·e1 + e2,  c2 = p·e1 + e3 + m̄,  m̄ = ⌊q/2⌋·m        ciphertext (c̃1, c̃2)
//! decrypt  m' = c1·r2 + c2 = r1·e1 + r2·e2 + e3 + m̄;  a bit is one where |m' mod± q| > q/4
//! ```
//!
//! The noise polynomials are inputs here. Slots are canonical: slot i is the value at ψ^(2i+1). A
//! public key is a seed of 32 bytes, which defines ã, and p̃; a secret key is the bits of r2;
//! residues have 14 bits each.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014),
//! sections 2.1 and 6.
//!
//! Ranges: residues in [0, q), noise as integers. **Not constant time**: this is the specification
//! that runs.

use crate::bytes::{Stream, pack, unpack};
use crate::ntt::{Ring, Transform};
use crate::{field, poly, sample};

/// A parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The name of the set, which enters the definition of ã.
    pub set: &'static str,
    /// The degree.
    pub n: usize,
    /// The modulus.
    pub q: u64,
    /// ψ, a primitive 2n-th root of unity.
    pub root: u64,
}

/// Medium security, s = 11.32.
pub const P1: Parameters = Parameters { set: "rlwe-p1", n: 256, q: 7681, root: 62 };
/// High security, s = 12.18.
pub const P2: Parameters = Parameters { set: "rlwe-p2", n: 512, q: 12289, root: 49 };

/// Bits of a residue in files.
const WIDTH: u32 = 14;

/// The public and the secret key of a seed of ã and of the polynomials r1 and r2.
///
/// **Panics** unless both have n coefficients, those of r2 0 or 1.
pub fn keygen(parameters: Parameters, seed_a: &[u8; 32], r1: &[i64], r2: &[i64]) -> (Vec<u8>, Vec<u8>) {
    let Parameters { q, .. } = parameters;
    let ntt = transform(parameters);
    let a = ntt.inverse(&parse(parameters, seed_a));
    let minus_r2: Vec<i64> = r2.iter().map(|x| -x).collect();
    let p = poly::add(&poly::residues(r1, q), &poly::negacyclic_product(&a, &poly::residues(&minus_r2, q), q), q);

    let public_key = [&seed_a[..], &pack(&ntt.forward(&p), WIDTH)].concat();
    (public_key, pack(&poly::residues(r2, q), 1))
}

/// The ciphertext of n/8 bytes of message under a public key, with the noise e1, e2, e3; `None` if
/// the key is none.
///
/// **Panics** unless the message has n bits and every noise polynomial n coefficients.
pub fn encrypt(parameters: Parameters, public_key: &[u8], message: &[u8], noise: [&[i64]; 3]) -> Option<Vec<u8>> {
    let Parameters { n, q, .. } = parameters;
    let ntt = transform(parameters);
    let (seed_a, p_bytes) = public_key.split_first_chunk()?;
    let a = ntt.inverse(&parse(parameters, seed_a));
    let p = ntt.inverse(&residues_of_bytes(parameters, p_bytes)?);
    let bits = unpack(message, 1, n).expect("a bit for every coefficient");
    let m_bar: Vec<u64> = bits.iter().map(|bit| bit * (q / 2)).collect();

    let [e1, e2, e3] = noise.map(|e| poly::residues(e, q));
    let c1 = poly::add(&poly::negacyclic_product(&a, &e1, q), &e2, q);
    let c2 = poly::add(&poly::negacyclic_product(&p, &e1, q), &poly::add(&e3, &m_bar, q), q);
    Some([pack(&ntt.forward(&c1), WIDTH), pack(&ntt.forward(&c2), WIDTH)].concat())
}

/// The message of a ciphertext, unless noise has changed it; `None` if the bytes are no key and
/// ciphertext.
pub fn decrypt(parameters: Parameters, secret_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
    let Parameters { n, q, .. } = parameters;
    let ntt = transform(parameters);
    let r2 = unpack(secret_key, 1, n)?;
    let (c1_bytes, c2_bytes) = ciphertext.split_at_checked(ciphertext.len() / 2)?;
    let c1 = ntt.inverse(&residues_of_bytes(parameters, c1_bytes)?);
    let c2 = ntt.inverse(&residues_of_bytes(parameters, c2_bytes)?);

    let m = poly::add(&poly::negacyclic_product(&c1, &r2, q), &c2, q);
    let bits: Vec<u64> = m.iter().map(|&x| u64::from(4 * field::centred(x, q).unsigned_abs() > q)).collect();
    Some(pack(&bits, 1))
}

/// ã: uniform numbers by rejection from SHAKE-128(`"ringwork rlwe a"`, the name of the set, the
/// seed), slot by slot.
pub fn parse(parameters: Parameters, seed: &[u8; 32]) -> Vec<u64> {
    let mut stream = Stream::shake128(&[b"ringwork rlwe a", parameters.set.as_bytes(), seed]);
    sample::uniform_mod(parameters.q, &mut stream, parameters.n)
}

fn transform(parameters: Parameters) -> Transform {
    let Parameters { n, q, root, .. } = parameters;
    let transform = Transform::complete(n, q, Ring::Negacyclic).and_then(|transform| transform.with_root(root));
    transform.expect("a primitive 2n-th root of unity")
}

fn residues_of_bytes(parameters: Parameters, bytes: &[u8]) -> Option<Vec<u64>> {
    let Parameters { n, q, .. } = parameters;
    unpack(bytes, WIDTH, n).filter(|residues| residues.iter().all(|&x| x < q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn messages_come_back() {
        let mut random = Random(11);
        for parameters in [P1, P2] {
            let n = parameters.n;
            assert!(field::is_primitive_root(parameters.root, 2 * n as u64, parameters.q));
            let mut noise = |bound: u64| (0..n).map(|_| random.below(2 * bound + 1) as i64 - bound as i64).collect();
            let [r1, e1, e2, e3]: [Vec<i64>; 4] = [noise(8), noise(8), noise(8), noise(8)];
            let r2: Vec<i64> = noise(2).iter().map(|x: &i64| x & 1).collect();
            let message: Vec<u8> = (0..n / 8).map(|_| random.below(256) as u8).collect();
            let (public_key, secret_key) = keygen(parameters, &[7; 32], &r1, &r2);
            let ciphertext = encrypt(parameters, &public_key, &message, [&e1, &e2, &e3]).unwrap();
            assert_eq!(decrypt(parameters, &secret_key, &ciphertext), Some(message));
            assert_eq!(decrypt(parameters, &secret_key, &ciphertext[1..]), None);
            assert_eq!(decrypt(parameters, &secret_key, &vec![0xff; ciphertext.len()]), None);
        }
    }

    /// The four values around q/4 and 3q/4, by a ciphertext with c1 = 0.
    #[test]
    fn a_bit_is_one_beyond_a_quarter() {
        let (n, q) = (P1.n, P1.q);
        let mut m = vec![0; n];
        m[..8].copy_from_slice(&[q / 4, q / 4 + 1, 3 * q / 4, 3 * q / 4 + 1, 0, q / 2, q / 2 + 1, q - 1]);
        let zero = pack(&vec![0; n], WIDTH);
        let ciphertext = [zero, pack(&transform(P1).forward(&m), WIDTH)].concat();
        assert_eq!(decrypt(P1, &vec![0xff; n / 8], &ciphertext).unwrap()[0], 0b0110_0110);
    }
}
