//! Zero-knowledge proofs of opening, and of a linear relation between the messages of several
//! commitments.

use super::{
    Error, Parameters,
    commit::{Commitment, CommitmentKey, Opening, beyond},
    rejection::Rejection,
};
use crate::{
    bits::Interval,
    ct::{SecretBytes, Wiped, fresh_seed, scrubbed},
    module::{Module, Vector},
    sample::{Challenge, FixedWeight, Word},
    xof::{ByteStream, ChaCha20, Shake256, derived_seed},
};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The statement of a proof: the prover can open these commitments, to messages that satisfy the
/// relation.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, T: Word> {
    /// At least one commitment.
    pub commitments: &'a [Commitment<T>],
    /// A relation between their messages.
    pub relation: Option<&'a Relation<T>>,
    /// Application data that the proof is bound to: the verifier, the purpose.
    pub context: &'a [u8],
}

/// `Σ g_j·m_j = v`: one polynomial `g_j` per commitment; `v` has the shape of a message; all in
/// `[0, q)`.
#[derive(Clone, Debug)]
pub struct Relation<T: Word> {
    /// The `g_j`.
    pub coefficients: Vector<T>,
    /// `v`.
    pub value: Vector<T>,
}

/// A proof.
#[derive(Clone, Debug)]
pub struct Proof<T: Word> {
    /// `A1·y_j` for every commitment.
    pub(super) t: Vector<T>,
    /// `Σ g_j·A2·y_j`, if there is a relation.
    pub(super) u: Option<Vector<T>>,
    /// `y_j + e·r_j` for every commitment.
    pub(super) z: Vector<T>,
}

impl<T: Word> Proof<T> {
    /// The `z`.
    pub const fn answers(&self) -> &Vector<T> {
        &self.z
    }
}

/// A false proof passes in a batch with a probability of at most `2^-BATCH_BITS`.
const BATCH_BITS: u32 = 124;

impl<T: Word> CommitmentKey<T> {
    /// Proves a statement with the openings of its commitments, in their order.
    ///
    /// **Constant time:** yes, except for the number of attempts, which is independent of the
    /// openings. **Errors** if an opening does not open its commitment with short randomness and
    /// the factor 1, or if the messages do not satisfy the relation.
    pub fn prove<R: CryptoRng>(
        &self,
        statement: &Statement<'_, T>,
        openings: &[Opening<T>],
        rng: &mut R,
    ) -> Result<Proof<T>, Error> {
        self.prove_derand(statement, openings, &fresh_seed(rng))
    }

    /// [`prove`](Self::prove) with masks derived from a seed, the openings and the statement,
    /// hashed together: attempt `i` draws them from the stream of ChaCha20 with the little-endian
    /// nonce `i`, then 8 bytes for the decision.
    ///
    /// So a generator that repeats itself, or a seed of zeros, does not answer two challenges with
    /// one mask: as in the hedged signatures of FIPS 204, section 3.4, masks are secret as long as
    /// the seed or the openings are.
    pub fn prove_derand(
        &self,
        statement: &Statement<'_, T>,
        openings: &[Opening<T>],
        seed: &[u8; 32],
    ) -> Result<Proof<T>, Error> {
        scrubbed(|| self.prove_with(statement, openings, seed))
    }

    fn prove_with(
        &self,
        statement: &Statement<'_, T>,
        openings: &[Opening<T>],
        seed: &[u8; 32],
    ) -> Result<Proof<T>, Error> {
        self.check_statement(statement)?;
        self.check_witness(statement, openings).map_err(|e| Error::Witness(Box::new(e)))?;
        let Parameters { n, k, .. } = self.parameters;
        let masks = self.masks.as_ref().ok_or_else(nothing_proved)?;
        let count = openings.len();
        let rejection = Rejection::new(self.parameters.squared_sigma(), 11.0 / (count as f64).sqrt());
        let seed = self.seed_of_masks(statement, openings, seed);
        for attempt in 0_u64.. {
            let mut stream = ChaCha20::new(&seed, attempt.to_le_bytes());
            let y = Vector::filled(n, k * count, |words| masks.sample(self.backend, &mut stream, words));
            let mut decision = [0; 8];
            stream.read(&mut decision);
            let (t, u) = self.images_of_masks(statement, &y);
            let challenge = self.challenge(statement, &t, u.as_ref());
            let (mut z, mut inner_product, mut squared_norm) = (y, 0, 0);
            let mut v = Wiped::zeros(n);
            let randomness = openings.iter().flat_map(|opening| opening.randomness.polynomials());
            for (z, r) in z.words_mut().chunks_exact_mut(n).zip(randomness) {
                v.fill(0);
                add_multiple(&challenge, r, &mut v);
                for (z, v) in z.iter_mut().zip(v.iter()) {
                    let sum: i64 = (*z).into() + v;
                    *z = T::truncate(sum);
                    inner_product += sum * v;
                    squared_norm += v * v;
                }
            }
            let kept = rejection.keeps(inner_product, squared_norm, u64::from_le_bytes(decision));
            if let Some(z) = self.accepted(kept, z) {
                return Ok(Proof { t, u, z });
            }
        }
        unreachable!("2^64 attempts")
    }

    /// The answers, if they are kept and short; both are public and independent of the openings.
    fn accepted(&self, kept: bool, z: Vector<T>) -> Option<Vector<T>> {
        (kept && self.check_norms(&z, 2).is_ok()).then_some(z)
    }

    /// Verifies a proof.
    ///
    /// **Errors** say which check fails.
    pub fn verify(&self, statement: &Statement<'_, T>, proof: &Proof<T>) -> Result<(), Error> {
        let challenge = self.check_all_but_openings(statement, proof)?;
        let Parameters { k, d, .. } = self.parameters;
        for (j, commitment) in statement.commitments.iter().enumerate() {
            let image = self.first_image(&proof.z.part(j * k..(j + 1) * k));
            let mut expected = self.multiple(&challenge, &commitment.c1);
            self.module.add(&mut expected, &proof.t.part(j * d..(j + 1) * d));
            if image.words() != expected.words() {
                return Err(Error::Equation(OPENING));
            }
        }
        Ok(())
    }

    /// Verifies many proofs at once, by random combinations of the opening equations.
    ///
    /// The weights are random; provers must not know them. A batch with a false proof passes with a
    /// probability of at most `2^-124`.
    ///
    /// **Errors** name the first proof that does not verify.
    pub fn verify_batch<R: CryptoRng>(
        &self,
        batch: &[(Statement<'_, T>, &Proof<T>)],
        rng: &mut R,
    ) -> Result<(), (usize, Error)> {
        let Parameters { n, k, d, .. } = self.parameters;
        // Weights have 31 bits: a false equation passes one combination with probability 2^-31, or
        // 2/q if q is below 2^31.
        let log2_q = self.parameters.q.ilog2();
        let rounds = BATCH_BITS.div_ceil(if log2_q < 31 { log2_q - 1 } else { 31 }) as usize;
        let mut z = vec![0_i128; rounds * n * k];
        let mut expected = vec![0_i128; rounds * n * d];
        for (index, (statement, proof)) in batch.iter().enumerate() {
            let challenge = match self.check_all_but_openings(statement, proof) {
                Ok(challenge) => challenge,
                Err(e) => return Err(self.first_refused(&batch[..index]).unwrap_or((index, e))),
            };
            for (j, commitment) in statement.commitments.iter().enumerate() {
                let mut image = self.multiple(&challenge, &commitment.c1);
                self.module.add(&mut image, &proof.t.part(j * d..(j + 1) * d));
                let answer = proof.z.part(j * k..(j + 1) * k);
                for (z, expected) in z.chunks_exact_mut(n * k).zip(expected.chunks_exact_mut(n * d)) {
                    let weight = i64::from(rng.next_u32() >> 1);
                    add_weighted(z, weight, &answer);
                    add_weighted(expected, weight, &image);
                }
            }
        }
        let mut rounds = z.chunks_exact(n * k).zip(expected.chunks_exact(n * d));
        if rounds.all(|(z, expected)| self.first_image(&self.residues(z)).words() == self.residues(expected).words()) {
            return Ok(());
        }
        Err(self.first_refused(batch).expect("a combination of equations that hold holds"))
    }

    /// The first proof that fails on its own.
    fn first_refused(&self, batch: &[(Statement<'_, T>, &Proof<T>)]) -> Option<(usize, Error)> {
        let mut one_by_one = batch.iter().map(|(statement, proof)| self.verify(statement, proof)).enumerate();
        one_by_one.find_map(|(index, verified)| Some((index, verified.err()?)))
    }

    /// Checks shapes, norms and the equation of the relation; returns the challenge.
    fn check_all_but_openings(&self, statement: &Statement<'_, T>, proof: &Proof<T>) -> Result<Challenge, Error> {
        self.check_statement(statement)?;
        let (Parameters { k, d, l, .. }, count) = (self.parameters, statement.commitments.len());
        let (of_relation, no_u) = (statement.relation.map_or(0, |_| l), Vector::zeros(self.parameters.n, 0));
        self.canonical("a proof's t", count * d, &proof.t)?;
        self.shape("a proof's z", count * k, &proof.z)?;
        self.canonical("a proof's u", of_relation, proof.u.as_ref().unwrap_or(&no_u))?;
        self.check_norms(&proof.z, 2)?;
        let challenge = self.challenge(statement, &proof.t, proof.u.as_ref());
        if let (Some(relation), Some(u)) = (statement.relation, &proof.u) {
            let mut expected = self.multiple(&challenge, &self.claim(statement, relation));
            self.module.add(&mut expected, u);
            let images: Vec<_> = (0..count).map(|j| self.images(&proof.z.part(j * k..(j + 1) * k)).1).collect();
            if self.combination(&relation.coefficients, &images).words() != expected.words() {
                return Err(Error::Equation("the equation Σ g_j·A2·z_j = u + e·(Σ g_j·c2_j - v)"));
            }
        }
        Ok(challenge)
    }

    fn check_statement(&self, statement: &Statement<'_, T>) -> Result<(), Error> {
        if !self.parameters.proves() {
            return Err(nothing_proved());
        }
        let count = statement.commitments.len();
        if !(1..=MAX_COMMITMENTS).contains(&count) {
            return Err(Error::Parameters(format!("a statement has 1 to {MAX_COMMITMENTS} commitments, not {count}")));
        }
        // The hash must cover exactly what is proved.
        statement.commitments.iter().try_for_each(|commitment| self.check_commitment(commitment))?;
        if let Some(relation) = statement.relation {
            self.canonical("the coefficients of a relation", count, &relation.coefficients)?;
            self.canonical("the value of a relation", self.parameters.l, &relation.value)?;
        }
        Ok(())
    }

    fn check_witness(&self, statement: &Statement<'_, T>, openings: &[Opening<T>]) -> Result<(), Error> {
        let (expected, actual) = (statement.commitments.len(), openings.len());
        if actual != expected {
            return Err(Error::Parameters(format!("{expected} commitments have as many openings, not {actual}")));
        }
        for (commitment, opening) in statement.commitments.iter().zip(openings) {
            let factor = opening.factor.words();
            self.open(commitment, opening)?;
            if factor[0].into() != 1 || factor[1..].iter().any(|x| *x != T::default()) {
                return Err(Error::Factor);
            }
            if let Some(index) = opening.randomness.polynomials().position(|r| beyond(r, self.parameters.beta.into())) {
                return Err(Error::Norm { index });
            }
        }
        if let Some(relation) = statement.relation {
            let messages: Vec<_> = openings.iter().map(|opening| opening.message.clone()).collect();
            if self.combination(&relation.coefficients, &messages).words() != relation.value.words() {
                return Err(Error::Equation("the relation Σ g_j·m_j = v"));
            }
        }
        Ok(())
    }

    /// `A1·y_j` for all commitments, and `Σ g_j·A2·y_j`.
    fn images_of_masks(&self, statement: &Statement<'_, T>, y: &Vector<T>) -> (Vector<T>, Option<Vector<T>>) {
        let (Parameters { n, k, d, .. }, count) = (self.parameters, statement.commitments.len());
        let mut t = Vector::zeros(n, count * d);
        let mut seconds = Vec::new();
        for (j, t) in t.words_mut().chunks_exact_mut(n * d).enumerate() {
            let y = y.part(j * k..(j + 1) * k);
            if statement.relation.is_some() {
                let (first, second) = self.images(&y);
                t.copy_from_slice(first.words());
                seconds.push(second);
            } else {
                t.copy_from_slice(self.first_image(&y).words());
            }
        }
        (t, statement.relation.map(|relation| self.combination(&relation.coefficients, &seconds)))
    }

    /// `Σ g_j·x_j`.
    fn combination(&self, coefficients: &Vector<T>, vectors: &[Vector<T>]) -> Vector<T> {
        let Parameters { n, l, .. } = self.parameters;
        let mut total = Vector::zeros(n, l);
        for (j, vector) in vectors.iter().enumerate() {
            let g = self.module.forward(&coefficients.part(j..j + 1));
            self.module.add(&mut total, &self.module.product(&self.module.forward(vector), g.words()));
        }
        total
    }

    fn challenge(&self, statement: &Statement<'_, T>, t: &Vector<T>, u: Option<&Vector<T>>) -> Challenge {
        self.challenge_of(&self.digest(statement, t, u))
    }

    /// The digest of all public values.
    pub(super) fn digest(&self, statement: &Statement<'_, T>, t: &Vector<T>, u: Option<&Vector<T>>) -> [u8; 32] {
        let mut input = b"ringwork bdlop proof".to_vec();
        self.extend_by_statement(statement, &mut input);
        self.module.pack(t, &mut input);
        if let Some(u) = u {
            self.module.pack(u, &mut input);
        }
        *derived_seed(&[&input])
    }

    /// The challenge that [`FixedWeight`] samples from the digest.
    fn challenge_of(&self, digest: &[u8; 32]) -> Challenge {
        let Parameters { n, kappa, .. } = self.parameters;
        let set = FixedWeight::new(n, kappa).expect("the parameters were checked");
        set.sample_vartime(&mut Shake256::new(&[b"ringwork bdlop challenge", &digest[..]].concat()))
    }

    /// Verifies a proof given as the digest and the answers: `t` and `u`, computed from the
    /// equations, must have that digest.
    ///
    /// **Errors** say which check fails.
    pub(super) fn verify_answers(
        &self,
        statement: &Statement<'_, T>,
        digest: &[u8; 32],
        z: &Vector<T>,
    ) -> Result<(), Error> {
        self.check_statement(statement)?;
        self.shape("a proof's z", statement.commitments.len() * self.parameters.k, z)?;
        self.check_norms(z, 2)?;
        let challenge = self.challenge_of(digest);
        let (mut t, mut u) = self.images_of_masks(statement, z);
        let firsts = self.joined(statement.commitments.iter().map(|commitment| &commitment.c1));
        self.module.sub(&mut t, &self.multiple(&challenge, &firsts));
        if let (Some(relation), Some(u)) = (statement.relation, &mut u) {
            self.module.sub(u, &self.multiple(&challenge, &self.claim(statement, relation)));
        }
        if self.digest(statement, &t, u.as_ref()) == *digest { Ok(()) } else { Err(Error::Equation(OPENING)) }
    }

    /// `Σ g_j·c2_j - v`.
    fn claim(&self, statement: &Statement<'_, T>, relation: &Relation<T>) -> Vector<T> {
        let seconds: Vec<_> = statement.commitments.iter().map(|c| c.c2.clone()).collect();
        let mut claim = self.combination(&relation.coefficients, &seconds);
        self.module.sub(&mut claim, &relation.value);
        claim
    }

    /// Concatenates vectors.
    fn joined<'v>(&self, vectors: impl Iterator<Item = &'v Vector<T>>) -> Vector<T>
    where
        T: 'v,
    {
        let words: Vec<T> = vectors.flat_map(|vector| vector.words()).copied().collect();
        let n = self.parameters.n;
        Vector::filled(n, words.chunks_exact(n).len(), |out| out.copy_from_slice(&words))
    }

    /// The seed of the masks: SHAKE-256 of `"ringwork bdlop masks"`, the hashed part of the
    /// statement, the packed messages and randomness of all openings, and the seed.
    fn seed_of_masks(&self, statement: &Statement<'_, T>, openings: &[Opening<T>], seed: &[u8; 32]) -> SecretBytes<32> {
        let short = Interval::symmetric(self.parameters.beta.into());
        let Parameters { n, k, l, .. } = self.parameters;
        let bytes = openings.len() * (self.module.packed_bytes(l) + short.bytes(n * k));
        let (mut public, mut secret) = (b"ringwork bdlop masks".to_vec(), Zeroizing::new(Vec::with_capacity(bytes)));
        self.extend_by_statement(statement, &mut public);
        for opening in openings {
            self.module.pack(&opening.message, &mut secret);
            short.pack(opening.randomness.words(), &mut secret);
        }
        derived_seed(&[&public, &secret, seed])
    }

    /// Appends the hashed part of a statement; the [module above](super) lists it.
    fn extend_by_statement(&self, statement: &Statement<'_, T>, input: &mut Vec<u8>) {
        let module: &Module<T> = &self.module;
        input.extend(self.parameters.bytes());
        input.extend(self.seed);
        input.extend((statement.context.len() as u64).to_le_bytes());
        input.extend(statement.context);
        input.extend((statement.commitments.len() as u64).to_le_bytes());
        for commitment in statement.commitments {
            module.pack(&commitment.c1, input);
            module.pack(&commitment.c2, input);
        }
        input.extend(u64::from(statement.relation.is_some()).to_le_bytes());
        if let Some(relation) = statement.relation {
            module.pack(&relation.coefficients, input);
            module.pack(&relation.value, input);
        }
    }

    /// `e·x` for public `x`, canonical.
    fn multiple(&self, challenge: &Challenge, x: &Vector<T>) -> Vector<T> {
        let n = self.parameters.n;
        let mut product = vec![0; x.words().len()];
        for (product, x) in product.chunks_exact_mut(n).zip(x.polynomials()) {
            add_multiple(challenge, x, product);
        }
        self.residues(&product)
    }

    /// Public numbers as canonical residues.
    #[expect(clippy::integer_division_remainder_used, reason = "public numbers")]
    fn residues<I: Copy + Into<i128>>(&self, numbers: &[I]) -> Vector<T> {
        let Parameters { n, q, .. } = self.parameters;
        Vector::filled(n, numbers.len() / n, |words| {
            for (word, x) in words.iter_mut().zip(numbers) {
                let x: i128 = (*x).into();
                *word = T::truncate(match i64::try_from(x) {
                    Ok(x) => x.rem_euclid(q as i64),
                    Err(_) => x.rem_euclid(i128::from(q)) as i64,
                });
            }
        })
    }
}

fn nothing_proved() -> Error {
    Error::Parameters("this shape is for measuring: nothing can be proved with it".into())
}

/// The largest number of commitments in one statement: with more, rejection would be too frequent.
pub const MAX_COMMITMENTS: usize = 8;

const OPENING: &str = "the equation A1·z = t + e·c1";

/// `total += e·x` modulo `X^n + 1`, without reduction.
fn add_multiple<T: Word>(challenge: &Challenge, x: &[T], total: &mut [i64]) {
    let n = x.len();
    for &(position, sign) in challenge.terms() {
        let (position, sign) = (position as usize, i64::from(sign));
        let (wrapped, straight) = total.split_at_mut(position);
        for (out, &x) in straight.iter_mut().zip(&x[..n - position]) {
            let x: i64 = x.into();
            *out += sign * x;
        }
        for (out, &x) in wrapped.iter_mut().zip(&x[n - position..]) {
            let x: i64 = x.into();
            *out -= sign * x;
        }
    }
}

/// `total += weight·x`, exactly.
fn add_weighted<T: Word>(total: &mut [i128], weight: i64, x: &Vector<T>) {
    for (total, &x) in total.iter_mut().zip(x.words()) {
        let x: i64 = x.into();
        *total += i128::from(weight * x); // below 2^31·2^32
    }
}
