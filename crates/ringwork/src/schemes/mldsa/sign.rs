//! Signing: Algorithms 2, 4 and 7 of FIPS 204.

use super::{
    Error, Signature,
    encode::{self, each},
    expand::{Public, Secret},
    keys::ExpandedSigningKey,
    message::Mu,
    params::{MlDsaParams, N, Parameters},
    prehash::Prehashed,
    rounding, sample, streams,
};
use crate::{
    ct::{fresh_seed, scrubbed, working},
    module::Vector,
    xof::{ByteStream, Shake256},
};
use alloc::{vec, vec::Vec};
use rand_core::CryptoRng;

/// Algorithm 7, ML-DSA.Sign_internal, from line 7 on.
///
/// The rejection of a candidate is public, and so are the check that rejects it and the polynomial: every check covers
/// whole polynomials, and each one fails with a probability that does not depend on the secret.
fn sign(set: &Parameters, secret: &Secret, public: &Public, mu: &Mu, rnd: &[u8; 32], signature: &mut [u8]) {
    working!(seed: [u8; 64]);
    Shake256::of(&[&secret.key[..], rnd, mu]).read(&mut seed[..]);
    let mut masks = streams::Masks::new(public.engine.backend(), set, &seed);
    let mut room = Room::new(set);
    while room.candidate(set, secret, public, mu, &mut masks, signature).is_none() {}
}

/// Memory that all candidates reuse.
struct Room {
    /// y, then z.
    y: Vector<i32>,
    y_hat: Vector<i32>,
    /// w, then its low bits, then the hint.
    w: Vector<i32>,
    w1: Vector<i32>,
    c: Vector<i32>,
    term: Vector<i32>,
    packed: Vec<u8>,
}

impl Room {
    fn new(set: &Parameters) -> Self {
        let [y, y_hat] = [(); 2].map(|()| Vector::zeros(N, set.l));
        let [w, w1] = [(); 2].map(|()| Vector::zeros(N, set.k));
        let [c, term] = [(); 2].map(|()| Vector::zeros(N, 1));
        Self { y, y_hat, w, w1, c, term, packed: vec![0; set.k * set.w1_bytes()] }
    }

    /// Lines 11 to 33 of Algorithm 7: one iteration of the loop. `None` if the candidate is rejected.
    fn candidate(
        &mut self,
        set: &Parameters,
        secret: &Secret,
        public: &Public,
        mu: &Mu,
        masks: &mut streams::Masks<'_>,
        signature: &mut [u8],
    ) -> Option<()> {
        let (engine, backend) = (&public.engine, public.engine.backend());
        let Self { y, y_hat, w, w1, c, term, packed } = self;
        let [y, y_hat, w, w1, c, term] = [y, y_hat, w, w1, c, term].map(Vector::words_mut);
        let (challenge, rest) = signature.split_at_mut(set.challenge_bytes());
        let (packed_z, packed_hint) = rest.split_at_mut(set.l * set.gamma1_bytes());

        masks.fill(y);
        y_hat.copy_from_slice(y);
        engine.forward(y_hat);
        engine.product(w, secret.matrix.words(), y_hat);
        rounding::decompose(backend, w, w1, set);
        each(w1, packed, set.w1_bytes(), |w1, out| encode::pack_w1(set, w1, out));
        Shake256::of(&[mu, packed]).read(challenge);

        sample::sample_in_ball(set.tau, challenge, c);
        engine.forward(c);
        // The most frequent reason for rejection first: r0 = LowBits(w) - c·s2.
        for (r0, s2) in w.chunks_exact_mut(N).zip(secret.s2(set).chunks_exact(N)) {
            engine.product(term, s2, c);
            if !rounding::add_within(backend, r0, term, -1, set.gamma2 - set.beta()) {
                return None;
            }
        }
        for (z, s1) in y.chunks_exact_mut(N).zip(secret.s1(set).chunks_exact(N)) {
            engine.product(term, s1, c);
            if !rounding::add_within(backend, z, term, 1, set.gamma1 - set.beta()) {
                return None;
            }
        }
        let mut ones = 0;
        let polynomials = w.chunks_exact_mut(N).zip(w1.chunks_exact(N));
        for ((r0, r1), t0) in polynomials.zip(secret.t0.words().chunks_exact(N)) {
            engine.product(term, t0, c);
            if !rounding::within_centred(backend, term, set.gamma2) {
                return None;
            }
            rounding::add_within(backend, r0, term, 1, set.gamma2);
            ones += rounding::make_hint(backend, r0, r1, set);
            if ones > set.omega {
                return None;
            }
        }
        each(y, packed_z, set.gamma1_bytes(), |z, out| encode::pack_z(set, z, out));
        encode::pack_hint(set, w, packed_hint);
        Some(())
    }
}

impl<P: MlDsaParams> ExpandedSigningKey<P> {
    /// The signature of a message with a context, hedged with fresh randomness: Algorithm 2,
    /// ML-DSA.Sign.
    ///
    /// **Constant time:** everything that depends on secrets, except the number of rejected candidates,
    /// which is independent of the key. **Errors** if the context has more than 255 bytes.
    pub fn sign_randomized<R: CryptoRng + ?Sized>(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        Ok(self.sign_mu_randomized(&self.verifying().mu(message, context)?, rng))
    }

    /// The deterministic variant of [`sign_randomized`](Self::sign_randomized). Faults during deterministic signing
    /// leak more: prefer the randomized variant if a generator is available.
    pub fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Signature<P>, Error> {
        Ok(self.sign_mu_deterministic(&self.verifying().mu(message, context)?))
    }

    /// The signature of a digest with a context: Algorithm 4, HashML-DSA.Sign.
    ///
    /// **Constant time**, **errors:** as [`sign_randomized`](Self::sign_randomized).
    pub fn sign_prehashed_randomized<R: CryptoRng + ?Sized>(
        &self,
        message: &Prehashed,
        context: &[u8],
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        Ok(self.sign_mu_randomized(&self.verifying().mu_prehashed(message, context)?, rng))
    }

    /// The deterministic variant of [`sign_prehashed_randomized`](Self::sign_prehashed_randomized).
    pub fn sign_prehashed_deterministic(&self, message: &Prehashed, context: &[u8]) -> Result<Signature<P>, Error> {
        Ok(self.sign_mu_deterministic(&self.verifying().mu_prehashed(message, context)?))
    }

    /// The signature of a message representative computed elsewhere, hedged with fresh randomness.
    pub fn sign_mu_randomized<R: CryptoRng + ?Sized>(&self, mu: &Mu, rng: &mut R) -> Signature<P> {
        let mut rng = rng;
        self.sign_mu(mu, &fresh_seed(&mut rng))
    }

    /// The signature of a message representative, deterministic.
    pub fn sign_mu_deterministic(&self, mu: &Mu) -> Signature<P> {
        self.sign_mu(mu, &[0; 32])
    }

    /// The signature of a message representative with given randomness: Algorithm 7,
    /// ML-DSA.Sign_internal, from line 7 on.
    pub fn sign_mu(&self, mu: &Mu, rnd: &[u8; 32]) -> Signature<P> {
        let (secret, public) = (&self.secret, &self.verifying().public);
        Signature::filled(|out| scrubbed(|| sign(&P::PARAMETERS, secret, public, mu, rnd, out)))
    }

    /// Algorithm 7, ML-DSA.Sign_internal, of a message M' in parts. For tests: see
    /// [`mu_internal`](super::VerifyingKey::mu_internal).
    pub fn sign_internal(&self, message: &[&[u8]], rnd: &[u8; 32]) -> Signature<P> {
        self.sign_mu(&self.verifying().mu_internal(message), rnd)
    }
}
