//! Commitments to polynomials, with proofs of opening and of linear relations, in the order of
//! their paper.
//!
//! ```text
//! key      A1 = (I_d  A1'),  A2 = (0  I_l  A2'),  A1' and A2' uniform, from a public seed
//! commit   r <- S_β^k,  c = (c1, c2) = (A1·r, A2·r + m)
//! open     (m, r, f):  f·c = (A1; A2)·r + f·(0; m),  ‖r_i‖ ≤ 4σ√n,  f = 1 or f ∈ C̄
//! prove    y,  t = A1·y,  challenge e = H(…, c, t) ∈ C,  z = y + e·r
//! verify   A1·z = t + e·c1,  ‖z_i‖ ≤ 2σ√n
//! ```
//!
//! C holds the polynomials with κ coefficients ±1 and no others; C̄ the differences of two of them,
//! without zero; σ = 11·κ·β·√(kn). A proof that Σ g_j·m_j = v for the messages of several
//! commitments shows also u = Σ g_j·A2·y_j, and is verified by Σ g_j·A2·z_j = u + e·(Σ g_j·c2_j −
//! v).
//!
//! The masks y are inputs here, and a proof is never begun again: a caller with secrets must
//! draw y ← D_σ and reject.
//!
//! Files hold residues of the bits of q − 1, and an integer x of absolute value up to B as x + B in
//! the bits of 2B. Every vector is a string of bits of its own, but c1 and c2 of a commitment are
//! one.
//!
//! Source: Baum, Damgård, Lyubashevsky, Oechsner, Peikert, *More efficient commitments from
//! structured lattice assumptions* (2018), sections 4 and 5.
//!
//! Ranges: residues in [0, q); randomness, masks, answers, challenges and factors as integers.
//! **Not constant time**.

use crate::bytes::{Stream, bits_of, pack, unpack, unpack_below};
use crate::poly::{Matrix, add, matrix_product, matrix_sum, negacyclic_product, residues};
use crate::{field, sample};

/// Sizes: messages are l polynomials, randomness is k, A1 has d rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The degree.
    pub n: usize,
    /// The modulus.
    pub q: u64,
    /// Polynomials of randomness.
    pub k: usize,
    /// Rows of A1.
    pub d: usize,
    /// Polynomials of a message.
    pub l: usize,
    /// The largest coefficient of honest randomness.
    pub beta: u32,
    /// Coefficients of a challenge that are not zero.
    pub kappa: usize,
}

/// One polynomial of degree 1024 a commitment.
pub const BDLOP_1024: Parameters = Parameters { n: 1024, q: (1 << 32) - 99, k: 5, d: 2, l: 1, beta: 1, kappa: 36 };

impl Parameters {
    /// n, q, k, d, l, β, κ, 8 little-endian bytes each.
    fn bytes(self) -> Vec<u8> {
        let Self { n, q, k, d, l, beta, kappa } = self;
        [n as u64, q, k as u64, d as u64, l as u64, beta.into(), kappa as u64].map(u64::to_le_bytes).concat()
    }

    /// (factor·σ√n)².
    fn squared_bound(self, factor: u128) -> u128 {
        let product = factor * 11 * self.kappa as u128 * u128::from(self.beta);
        product * product * (self.k * self.n) as u128 * self.n as u128
    }

    /// The largest coefficient of a polynomial of norm factor·σ√n at most.
    fn largest_coefficient(self, factor: u128) -> i64 {
        self.squared_bound(factor).isqrt() as i64
    }
}

/// A vector of polynomials with integer coefficients.
pub type Integers = Vec<Vec<i64>>;

/// The public key of commitments: the whole matrices A1 and A2.
#[derive(Clone, Debug)]
pub struct Key {
    parameters: Parameters,
    seed: [u8; 32],
    a1: Matrix,
    a2: Matrix,
}

/// (c1, c2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// A1·r.
    pub c1: Vec<Vec<u64>>,
    /// A2·r + m.
    pub c2: Vec<Vec<u64>>,
}

/// What is proved: knowledge of openings, and Σ g_j·m_j = v for their messages if there is a
/// relation.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The commitments.
    pub commitments: &'a [Commitment],
    /// Between the messages.
    pub relation: Option<Relation<'a>>,
    /// What else the proof is bound to.
    pub context: &'a [u8],
}

/// The g_j, and v.
pub type Relation<'a> = (&'a [Vec<u64>], &'a [Vec<u64>]);

/// A proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// A1·y_j for every commitment, one behind the other.
    pub t: Vec<Vec<u64>>,
    /// Σ g_j·A2·y_j if there is a relation.
    pub u: Option<Vec<Vec<u64>>>,
    /// z_j = y_j + e·r_j for every commitment.
    pub z: Vec<Integers>,
}

impl Key {
    /// The key of a public seed. Entry (i, j) of A1' is drawn by rejection from
    /// SHAKE-128(`"ringwork bdlop"`, the parameters, the seed, 1, i, j), and of A2' with 2 instead
    /// of 1; these three have a byte each.
    pub fn new(parameters: Parameters, seed: &[u8; 32]) -> Self {
        let Parameters { n, q, k, d, l, .. } = parameters;
        let uniform = |number: usize, i: usize, j: usize| {
            let place = [number as u8, i as u8, j as u8];
            let mut stream = Stream::shake128(&[b"ringwork bdlop", &parameters.bytes(), seed, &place]);
            sample::uniform_mod(q, &mut stream, n)
        };
        let constant = |c: bool| residues(&monomial(n, c.into()), q);
        let a1 = (0..d).map(|i| (0..k).map(|j| if j < d { constant(i == j) } else { uniform(1, i, j - d) }).collect());
        let a2 = (0..l)
            .map(|i| (0..k).map(|j| if j < d + l { constant(i + d == j) } else { uniform(2, i, j - d - l) }).collect());
        Self { parameters, seed: *seed, a1: a1.collect(), a2: a2.collect() }
    }

    /// r for a message and of a secret seed: uniform numbers from −β to β as one string, from the
    /// stream of that use of the seed whose label is `"ringwork bdlop randomness"`, the parameters,
    /// the seed of the key, and the packed message.
    pub fn randomness(&self, message: &[Vec<u64>], seed: &[u8; 32]) -> Integers {
        let Parameters { n, k, beta, .. } = self.parameters;
        let label = [b"ringwork bdlop randomness", &self.parameters.bytes()[..], &self.seed, &self.pack(message)];
        let numbers = sample::uniform(beta, &mut Stream::of_use(&label, seed), k * n);
        numbers.chunks(n).map(<[i64]>::to_vec).collect()
    }

    /// (A1·r, A2·r + m).
    pub fn commit(&self, message: &[Vec<u64>], r: &Integers) -> Commitment {
        let q = self.parameters.q;
        let r = self.column(r);
        let message: Matrix = message.iter().map(|m| vec![m.clone()]).collect();
        Commitment {
            c1: matrix_product(&self.a1, &r, q).concat(),
            c2: matrix_sum(&matrix_product(&self.a2, &r, q), &message, q).concat(),
        }
    }

    /// Whether message, randomness and factor open the commitment.
    pub fn opens(&self, commitment: &Commitment, message: &[Vec<u64>], r: &Integers, f: &[i64]) -> bool {
        let Parameters { q, kappa, .. } = self.parameters;
        let times_f = |x: &Vec<u64>| negacyclic_product(&residues(f, q), x, q);
        let multiples: Vec<Vec<u64>> = message.iter().map(times_f).collect();
        let expected = self.commit(&multiples, r);
        let is_short = r.iter().all(|r| squared_norm(r) <= self.parameters.squared_bound(4));
        is_short
            && (f == monomial(f.len(), 1) || is_difference_of_challenges(f, kappa))
            && commitment.c1.iter().map(times_f).eq(expected.c1)
            && commitment.c2.iter().map(times_f).eq(expected.c2)
    }

    /// The proof of a statement by the randomness of every commitment, with these masks.
    pub fn prove(&self, statement: &Statement<'_>, randomness: &[Integers], masks: &[Integers]) -> Proof {
        let q = self.parameters.q;
        let t: Vec<Vec<u64>> =
            masks.iter().flat_map(|y| matrix_product(&self.a1, &self.column(y), q).concat()).collect();
        let u = statement.relation.map(|(g, _)| self.combined_images(g, masks));
        let e = self.challenge(&self.digest(statement, &t, u.as_ref()));
        let z = randomness.iter().zip(masks).map(|(r, y)| {
            let answer = |(r, y): (&Vec<i64>, &Vec<i64>)| {
                integer_product(&e, r).iter().zip(y).map(|(er, y)| er + y).collect::<Vec<i64>>()
            };
            r.iter().zip(y).map(answer).collect()
        });
        Proof { z: z.collect(), t, u }
    }

    /// Whether a proof is one of the statement.
    pub fn verify(&self, statement: &Statement<'_>, proof: &Proof) -> bool {
        let Parameters { q, k, d, l, .. } = self.parameters;
        let count = statement.commitments.len();
        let has_shape = proof.z.len() == count
            && proof.z.iter().all(|z| z.len() == k)
            && proof.t.len() == count * d
            && proof.u.as_ref().is_none_or(|u| u.len() == l);
        if !has_shape {
            return false;
        }
        let e = residues(&self.challenge(&self.digest(statement, &proof.t, proof.u.as_ref())), q);
        let is_short = proof.z.iter().flatten().all(|z| squared_norm(z) <= self.parameters.squared_bound(2));
        let openings = statement.commitments.iter().zip(&proof.z).zip(proof.t.chunks(d)).all(|((c, z), t)| {
            let expected = t.iter().zip(&c.c1).map(|(t, c1)| add(t, &negacyclic_product(&e, c1, q), q));
            matrix_product(&self.a1, &self.column(z), q).into_iter().flatten().eq(expected)
        });
        let relation = match (statement.relation, &proof.u) {
            (None, None) => true,
            (Some((g, v)), Some(u)) => {
                let claim = |i: usize| self.claim(statement, (g, v), i);
                let expected = (0..v.len()).map(|i| add(&u[i], &negacyclic_product(&e, &claim(i), q), q));
                self.combined_images(g, &proof.z).into_iter().eq(expected)
            }
            _ => false,
        };
        is_short && openings && relation
    }

    /// 32 bytes of SHAKE-256(`"ringwork bdlop proof"`, the parameters, the seed of the key, the
    /// length of the context, the context, the number of commitments, c1 and c2 of each, 0 or 1,
    /// and for 1 the g_j and v, then t, then u if there is one). Lengths and numbers have 8
    /// little-endian bytes.
    pub fn digest(&self, statement: &Statement<'_>, t: &[Vec<u64>], u: Option<&Vec<Vec<u64>>>) -> [u8; 32] {
        let number = |x: usize| (x as u64).to_le_bytes();
        let mut input = [b"ringwork bdlop proof", &self.parameters.bytes()[..], &self.seed].concat();
        input.extend(number(statement.context.len()));
        input.extend(statement.context);
        input.extend(number(statement.commitments.len()));
        for c in statement.commitments {
            input.extend(self.pack(&c.c1));
            input.extend(self.pack(&c.c2));
        }
        input.extend(number(usize::from(statement.relation.is_some())));
        if let Some((g, v)) = statement.relation {
            input.extend(self.pack(g));
            input.extend(self.pack(v));
        }
        input.extend(self.pack(t));
        input.extend(u.map(|u| self.pack(u)).unwrap_or_default());
        Stream::shake256(&[&input]).read()
    }

    /// e: drawn from SHAKE-256(`"ringwork bdlop challenge"`, the digest).
    pub fn challenge(&self, digest: &[u8; 32]) -> Vec<i64> {
        let Parameters { n, kappa, .. } = self.parameters;
        sample::fixed_weight(n, kappa, &mut Stream::shake256(&[b"ringwork bdlop challenge", digest]))
    }

    /// The digest, then every coefficient of the answers: the lowest bits of its absolute value, as
    /// many as σ has but one; 1 if it is negative, else 0; as many zeros as the rest of its
    /// absolute value, and a one.
    pub fn proof_to_compact_bytes(&self, statement: &Statement<'_>, proof: &Proof) -> Vec<u8> {
        let low = self.low_bits();
        let mut bits = Vec::new();
        for z in proof.z.iter().flatten().flatten() {
            let size = z.unsigned_abs();
            bits.extend((0..low).map(|i| size >> i & 1));
            bits.push(u64::from(*z < 0));
            bits.extend((0..size >> low).map(|_| 0));
            bits.push(1);
        }
        [&self.digest(statement, &proof.t, proof.u.as_ref())[..], &pack(&bits, 1)].concat()
    }

    /// Whether such bytes are a proof of the statement: t and u are what the equations leave for
    /// them.
    pub fn verify_compact(&self, statement: &Statement<'_>, bytes: &[u8]) -> bool {
        let Parameters { n, q, k, .. } = self.parameters;
        let Some((digest, rest)) = bytes.split_first_chunk() else { return false };
        let bits = unpack(rest, 1, 8 * rest.len()).expect("whole bytes");
        let low = self.low_bits() as usize;
        let (mut at, mut numbers) = (0, Vec::new());
        for _ in 0..statement.commitments.len() * k * n {
            let Some(head) = bits.get(at..at + low + 1) else { return false };
            let Some(zeros) = bits[at + low + 1..].iter().position(|bit| *bit == 1) else { return false };
            at += low + 2 + zeros;
            let size = (0..low).map(|i| head[i] << i).sum::<u64>() as i64 + ((zeros as i64) << low);
            if head[low] == 1 && size == 0 {
                return false;
            }
            numbers.push(if head[low] == 1 { -size } else { size });
        }
        if at.div_ceil(8) != rest.len() || bits[at..].contains(&1) {
            return false;
        }
        let e = residues(&self.challenge(digest), q);
        let z: Vec<Integers> = numbers.chunks(k * n).map(|z| z.chunks(n).map(<[i64]>::to_vec).collect()).collect();
        let minus_e_times =
            |x: &[u64]| -> Vec<u64> { negacyclic_product(&e, x, q).into_iter().map(|x| field::sub(0, x, q)).collect() };
        let t = statement.commitments.iter().zip(&z).flat_map(|(c, z)| {
            let image = matrix_product(&self.a1, &self.column(z), q).concat();
            image.iter().zip(&c.c1).map(|(az, c1)| add(az, &minus_e_times(c1), q)).collect::<Vec<_>>()
        });
        let u = statement.relation.map(|(g, v)| {
            let image = self.combined_images(g, &z);
            (0..v.len()).map(|i| add(&image[i], &minus_e_times(&self.claim(statement, (g, v), i)), q)).collect()
        });
        let proof = Proof { t: t.collect(), u, z };
        self.digest(statement, &proof.t, proof.u.as_ref()) == *digest && self.verify(statement, &proof)
    }

    /// Polynomial i of Σ g_j·c2_j − v.
    fn claim(&self, statement: &Statement<'_>, (g, v): Relation<'_>, i: usize) -> Vec<u64> {
        let q = self.parameters.q;
        let minus_v = v[i].iter().map(|&x| field::sub(0, x, q)).collect();
        g.iter()
            .zip(statement.commitments)
            .fold(minus_v, |sum: Vec<u64>, (g, c)| add(&sum, &negacyclic_product(g, &c.c2[i], q), q))
    }

    /// ⌊log2 σ⌋.
    fn low_bits(&self) -> u32 {
        let Parameters { n, k, beta, kappa, .. } = self.parameters;
        let factor = 11 * kappa as u128 * u128::from(beta);
        (factor * factor * (k * n) as u128).isqrt().ilog2()
    }

    /// c1 and c2.
    pub fn commitment_to_bytes(&self, commitment: &Commitment) -> Vec<u8> {
        self.pack(&[&commitment.c1[..], &commitment.c2].concat())
    }

    /// The commitment of [`commitment_to_bytes`](Self::commitment_to_bytes); `None` if the bytes
    /// are none.
    pub fn commitment_from_bytes(&self, bytes: &[u8]) -> Option<Commitment> {
        let Parameters { d, l, .. } = self.parameters;
        let mut c1 = self.unpack(bytes, d + l)?;
        let c2 = c1.split_off(d);
        Some(Commitment { c1, c2 })
    }

    /// Message, randomness with the bound 4σ√n, factor with the bound 2.
    pub fn opening_to_bytes(&self, message: &[Vec<u64>], r: &Integers, f: &[i64]) -> Vec<u8> {
        let bound = self.parameters.largest_coefficient(4);
        [self.pack(message), pack_integers(&r.concat(), bound), pack_integers(f, 2)].concat()
    }

    /// t, then u if there is one, then the answers with the bound 2σ√n.
    pub fn proof_to_bytes(&self, proof: &Proof) -> Vec<u8> {
        let u = proof.u.as_ref().map(|u| self.pack(u)).unwrap_or_default();
        let z = pack_integers(&proof.z.concat().concat(), self.parameters.largest_coefficient(2));
        [self.pack(&proof.t), u, z].concat()
    }

    /// The proof of [`proof_to_bytes`](Self::proof_to_bytes) for such a statement; `None` if the
    /// bytes are none.
    pub fn proof_from_bytes(&self, statement: &Statement<'_>, bytes: &[u8]) -> Option<Proof> {
        let Parameters { n, q, k, d, l, .. } = self.parameters;
        let size = |length: usize| (length * n * bits_of(q - 1) as usize).div_ceil(8);
        let count = statement.commitments.len();
        let (t, rest) = bytes.split_at_checked(size(count * d))?;
        let (u, z) = rest.split_at_checked(if statement.relation.is_some() { size(l) } else { 0 })?;
        let u = if statement.relation.is_some() { Some(self.unpack(u, l)?) } else { None };
        let z = unpack_integers(z, self.parameters.largest_coefficient(2), count * k * n)?;
        let z = z.chunks(k * n).map(|z| z.chunks(n).map(<[i64]>::to_vec).collect()).collect();
        Some(Proof { t: self.unpack(t, count * d)?, u, z })
    }

    /// Σ g_j·A2·x_j.
    fn combined_images(&self, g: &[Vec<u64>], vectors: &[Integers]) -> Vec<Vec<u64>> {
        let Parameters { n, q, l, .. } = self.parameters;
        let mut sum = vec![vec![0; n]; l];
        for (g, x) in g.iter().zip(vectors) {
            let image = matrix_product(&self.a2, &self.column(x), q).concat();
            sum = sum.iter().zip(&image).map(|(sum, image)| add(sum, &negacyclic_product(g, image, q), q)).collect();
        }
        sum
    }

    /// A matrix of one column.
    fn column(&self, x: &Integers) -> Matrix {
        x.iter().map(|x| vec![residues(x, self.parameters.q)]).collect()
    }

    fn pack(&self, vector: &[Vec<u64>]) -> Vec<u8> {
        pack(&vector.concat(), bits_of(self.parameters.q - 1))
    }

    fn unpack(&self, bytes: &[u8], length: usize) -> Option<Vec<Vec<u64>>> {
        let Parameters { n, q, .. } = self.parameters;
        Some(unpack_below(bytes, q, length * n)?.chunks(n).map(<[u64]>::to_vec).collect())
    }
}

/// Whether f is e − e' for two polynomials with κ coefficients ±1 and no others, and not zero.
///
/// All pairs of numbers of ±1 that e and e' may have so far, coefficient by coefficient.
pub fn is_difference_of_challenges(f: &[i64], kappa: usize) -> bool {
    let mut weights = vec![vec![false; kappa + 1]; kappa + 1];
    weights[0][0] = true;
    for &difference in f {
        let mut next = vec![vec![false; kappa + 1]; kappa + 1];
        for (e, other) in (-1_i64..=1).flat_map(|e| (-1_i64..=1).map(move |other| (e, other))) {
            if e - other != difference {
                continue;
            }
            let (one, two) = (e.unsigned_abs() as usize, other.unsigned_abs() as usize);
            for i in one..=kappa {
                for j in two..=kappa {
                    next[i][j] |= weights[i - one][j - two];
                }
            }
        }
        weights = next;
    }
    weights[kappa][kappa] && f.iter().any(|&x| x != 0)
}

/// The polynomial c.
fn monomial(n: usize, c: i64) -> Vec<i64> {
    (0..n).map(|i| if i == 0 { c } else { 0 }).collect()
}

/// The product of integer polynomials modulo Xⁿ + 1, exactly.
fn integer_product(a: &[i64], b: &[i64]) -> Vec<i64> {
    let n = a.len();
    let mut product = vec![0; n];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        for (j, y) in b.iter().enumerate() {
            product[(i + j) % n] += if i + j < n { x * y } else { -x * y };
        }
    }
    product
}

fn squared_norm(x: &[i64]) -> u128 {
    x.iter().map(|x| u128::from(x.unsigned_abs()).pow(2)).sum()
}

fn pack_integers(numbers: &[i64], bound: i64) -> Vec<u8> {
    let shifted: Vec<u64> = numbers.iter().map(|x| u64::try_from(x + bound).expect("within the bound")).collect();
    pack(&shifted, bits_of(2 * bound as u64))
}

fn unpack_integers(bytes: &[u8], bound: i64, count: usize) -> Option<Vec<i64>> {
    let numbers: Vec<i64> =
        unpack(bytes, bits_of(2 * bound as u64), count)?.into_iter().map(|x| x as i64 - bound).collect();
    numbers.iter().all(|&x| x <= bound).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const SMALL: Parameters = Parameters { n: 16, q: 16_777_213, k: 4, d: 1, l: 2, beta: 2, kappa: 5 };

    fn masks(random: &mut Random) -> Integers {
        (0..SMALL.k).map(|_| (0..SMALL.n).map(|_| random.below(1761) as i64 - 880).collect()).collect()
    }

    #[test]
    fn commitments_open_to_their_message_only() {
        let (key, mut random) = (Key::new(SMALL, &[1; 32]), Random(21));
        let message = vec![random.poly(16, SMALL.q), random.poly(16, SMALL.q)];
        let r = key.randomness(&message, &[2; 32]);
        let commitment = key.commit(&message, &r);
        let bytes = key.commitment_to_bytes(&commitment);
        assert_eq!(key.commitment_from_bytes(&bytes), Some(commitment.clone()));
        let one = monomial(16, 1);
        assert!(key.opens(&commitment, &message, &r, &one));
        let mut other = message.clone();
        other[1][3] = field::add(other[1][3], 1, SMALL.q);
        assert!(!key.opens(&commitment, &other, &r, &one));
        assert!(!key.opens(&commitment, &message, &key.randomness(&message, &[3; 32]), &one));

        // f·r under a difference of challenges, and not under twice that.
        let [e, other] = [b"1", b"2"].map(|tag| sample::fixed_weight(16, 5, &mut Stream::shake256(&[tag])));
        let f: Vec<i64> = e.iter().zip(&other).map(|(x, y)| x - y).collect();
        let times = |factor: i64| {
            let f: Vec<i64> = f.iter().map(|x| factor * x).collect();
            (r.iter().map(|r| integer_product(&f, r)).collect::<Integers>(), f)
        };
        let ((extracted, f), (doubled, twice)) = (times(1), times(2));
        assert!(key.opens(&commitment, &message, &extracted, &f));
        assert!(!key.opens(&commitment, &message, &doubled, &twice));
    }

    /// σ = 11·κ·β·√(k·n): 880 and 28,335.5.
    #[test]
    fn low_bits_are_those_of_the_deviation() {
        assert_eq!([SMALL, BDLOP_1024].map(|set| Key::new(set, &[1; 32]).low_bits()), [9, 14]);
    }

    /// Against all pairs of challenges.
    #[test]
    fn differences_of_challenges() {
        const N: usize = 4;
        let all = |bound: i64| {
            (0..(2 * bound + 1).pow(N as u32)).map(move |i| -> Vec<i64> {
                (0..N).map(|j| i / (2 * bound + 1).pow(j as u32) % (2 * bound + 1) - bound).collect()
            })
        };
        for kappa in 1..=N {
            let challenges: Vec<_> = all(1).filter(|c| c.iter().filter(|x| **x != 0).count() == kappa).collect();
            for f in all(3) {
                let exists = challenges.iter().any(|e| {
                    challenges
                        .iter()
                        .any(|other| e != other && e.iter().zip(other).map(|(x, y)| x - y).eq(f.iter().copied()))
                });
                assert_eq!(is_difference_of_challenges(&f, kappa), exists, "{f:?} {kappa}");
            }
        }
    }

    #[test]
    fn proofs_verify_and_no_others() {
        let (key, mut random, q) = (Key::new(SMALL, &[1; 32]), Random(22), SMALL.q);
        let messages = [0, 1].map(|_| vec![random.poly(16, q), random.poly(16, q)]);
        let randomness = [4, 5].map(|tag| key.randomness(&messages[0], &[tag; 32]));
        let commitments = [0, 1].map(|i| key.commit(&messages[i], &randomness[i]));
        let g = [random.poly(16, q), random.poly(16, q)];
        let product = |i: usize, j: usize| negacyclic_product(&g[i], &messages[i][j], q);
        let v: Vec<Vec<u64>> = (0..2).map(|j| add(&product(0, j), &product(1, j), q)).collect();
        let masks = [masks(&mut random), masks(&mut random)];
        for relation in [None, Some((&g[..], &v[..]))] {
            let statement = Statement { commitments: &commitments, relation, context: b"test" };
            let proof = key.prove(&statement, &randomness, &masks);
            assert!(key.verify(&statement, &proof));
            let bytes = key.proof_to_bytes(&proof);
            assert_eq!(key.proof_from_bytes(&statement, &bytes), Some(proof.clone()));
            assert_eq!(key.proof_from_bytes(&statement, &bytes[1..]), None);
            let compact = key.proof_to_compact_bytes(&statement, &proof);
            assert!(key.verify_compact(&statement, &compact) && compact.len() < bytes.len());
            assert!(!key.verify_compact(&statement, &compact[1..]));
            assert!(!key.verify_compact(&statement, &[&compact[..], &[0]].concat()));
            assert!(!key.verify_compact(&Statement { context: b"rest", ..statement }, &compact));
            assert!(!key.verify(&Statement { context: b"rest", ..statement }, &proof));
            let mut wrong = proof.clone();
            wrong.z[1][0][0] += 1;
            assert!(!key.verify(&statement, &wrong));
            wrong.z.pop();
            assert!(!key.verify(&statement, &wrong));
            let mut wrong = proof;
            wrong.t[0][0] = field::add(wrong.t[0][0], 1, q);
            assert!(!key.verify(&statement, &wrong));
        }
        // The proof of a relation that does not hold.
        let mut wrong = v.clone();
        wrong[1][7] = field::add(wrong[1][7], 1, q);
        let statement = Statement { commitments: &commitments, relation: Some((&g, &wrong)), context: b"test" };
        assert!(!key.verify(&statement, &key.prove(&statement, &randomness, &masks)));
        // Masks that are too long make answers that are.
        let long = masks.map(|y| y.into_iter().map(|y| y.into_iter().map(|x| 40 * x).collect()).collect());
        let statement = Statement { relation: None, ..statement };
        assert!(!key.verify(&statement, &key.prove(&statement, &randomness, &long)));
    }
}
