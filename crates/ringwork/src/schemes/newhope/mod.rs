//! The NewHope key exchange (USENIX Security 2016), on the transform of Longa and Naehrig's paper.
//!
//! ```text
//! Alice                                              Bob
//! seed <- {0,1}^256, a = Parse(SHAKE-128(seed))
//! s, e <- psi_k^n
//! b = a∘NTT(s) + NTT(e)             (b, seed) ->     a = Parse(SHAKE-128(seed));  s', e', e'' <- psi_k^n
//!                                                    u = a∘NTT(s') + NTT(e')
//!                                                    v = INTT(b∘NTT(s')) + e''
//! v' = INTT(u∘NTT(s))               <- (u, r)        r = HelpRec(v)
//! key = SHA3-256(Rec(v', r))                         key = SHA3-256(Rec(v, r))
//! ```
//!
//! Wire format: bit for bit that of the designers' code.
//!
//! **A research scheme.** NewHope was a candidate, never a standard; it is an unauthenticated exchange of ephemeral
//! keys, and a secret must be used in one exchange only. If you need a standard, use ML-KEM.
//!
//! **Constant time:** everything that depends on secrets or noise; the public `a` is sampled by
//! rejection.
//!
//! Source: Alkim, Ducas, Pöppelmann, Schwabe, *Post-quantum key exchange — a new hope* (2016),
//! protocol 4; Longa and Naehrig 2016, section 4 and figure 1.

mod params;
#[doc(hidden)]
pub mod parts;
mod reconcile;

pub use params::{MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHopeRing, PSI12, Parameters, SEED_BYTES, USENIX2016};

use crate::{
    ct::{SecretBytes, Wiped, fresh_seed, not_printed, scrubbed},
    decode::{DecodeError, sized},
    ring::{BitPermutation, NttPoly, Parameters as _, Poly, Ring},
    sample::{Binomial, rejected_vartime},
    xof::{self, ByteStream as _, turns::SPARE},
};
use lanes::MAX_LANES;
use ntt::{Backend, Method, PlanError, Recipe};
use params::{N, POLYNOMIAL_BYTES};
use rand_core::CryptoRng;
use reconcile::Hint;
use zeroize::Zeroizing;

/// The key that both sides obtain.
pub type SharedKey = SecretBytes<SEED_BYTES>;

/// NewHope for one parameter set on one backend, with precomputed tables. Construct it once and reuse it.
#[derive(Clone, Debug)]
pub struct NewHope {
    parameters: Parameters,
    ring: Ring<NewHopeRing>,
    /// The bit-reversed order, for noise that enters a transform.
    reversed: BitPermutation,
    /// The natural order, for other noise.
    natural: BitPermutation,
}

/// What Alice keeps between her two steps. Wiped on drop; valid for one exchange.
pub struct InitiatorSecret {
    s_hat: NttPoly<NewHopeRing>,
}

not_printed!(InitiatorSecret);

impl NewHope {
    /// Uses the best backend of this machine.
    pub fn new(parameters: Parameters) -> Self {
        Self::with_backend(parameters, Backend::best())
    }

    /// Uses the given backend.
    pub fn with_backend(parameters: Parameters, backend: Backend) -> Self {
        Self::over(parameters, Ring::with_backend(backend).expect("the ring of NewHope has a plan on every backend"))
    }

    /// Uses the given backend and method of reduction, to compare methods. Messages and keys are the same.
    ///
    /// **Errors** if the planner cannot prove the transform for that method.
    pub fn with_method(parameters: Parameters, backend: Backend, method: Method) -> Result<Self, PlanError> {
        Ok(Self::over(parameters, Ring::with_method(backend, method)?))
    }

    fn over(parameters: Parameters, ring: Ring<NewHopeRing>) -> Self {
        let backend = ring.backend();
        let reversed = Binomial::order(backend, N, |i| ntt::arith::bitrev(i, N.ilog2()));
        Self { parameters, ring, reversed, natural: Binomial::order(backend, N, |i| i) }
    }

    /// The parameter set.
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The backend.
    pub fn backend(&self) -> Backend {
        self.ring.backend()
    }

    /// The recipe of its transform: what the planner decided and proved.
    pub fn recipe(&self) -> &Recipe {
        self.ring.recipe()
    }

    /// Alice's first step: a secret to keep and a message to send.
    pub fn init<R: CryptoRng>(&self, rng: &mut R) -> (InitiatorSecret, [u8; MESSAGE_A_BYTES]) {
        let mut seed_a = [0; SEED_BYTES];
        rng.fill_bytes(&mut seed_a);
        self.init_derand(&seed_a, &fresh_seed(rng))
    }

    /// [`init`](Self::init) with the caller's random bytes. For tests and vectors: a noise seed must be secret and
    /// never used twice.
    pub fn init_derand(
        &self,
        seed_a: &[u8; SEED_BYTES],
        noise: &[u8; SEED_BYTES],
    ) -> (InitiatorSecret, [u8; MESSAGE_A_BYTES]) {
        scrubbed(|| self.init_with(seed_a, noise))
    }

    fn init_with(
        &self,
        seed_a: &[u8; SEED_BYTES],
        noise: &[u8; SEED_BYTES],
    ) -> (InitiatorSecret, [u8; MESSAGE_A_BYTES]) {
        let ring = &self.ring;
        let a_hat = self.parse(seed_a);
        let mut noise = Noise::new(self, noise);
        let s_hat = ring.forward(noise.polynomial(0, &self.reversed));
        let e_hat = ring.forward(noise.polynomial(1, &self.reversed));
        let b_hat = ring.product_plus(ring.product(&a_hat, &s_hat), &e_hat);
        let mut message = [0; MESSAGE_A_BYTES];
        let (polynomial, seed) = message.split_at_mut(POLYNOMIAL_BYTES);
        ring.pack(&b_hat, polynomial);
        seed.copy_from_slice(seed_a);
        (InitiatorSecret { s_hat }, message)
    }

    /// Bob's only step: a message to send and the key.
    ///
    /// **Errors** if the message has the wrong length or a coefficient that is not below `q`.
    pub fn respond<R: CryptoRng>(
        &self,
        message_a: &[u8],
        rng: &mut R,
    ) -> Result<([u8; MESSAGE_B_BYTES], SharedKey), DecodeError> {
        self.respond_derand(message_a, &fresh_seed(rng))
    }

    /// [`respond`](Self::respond) with the caller's random bytes. See [`init_derand`](Self::init_derand).
    pub fn respond_derand(
        &self,
        message_a: &[u8],
        noise: &[u8; SEED_BYTES],
    ) -> Result<([u8; MESSAGE_B_BYTES], SharedKey), DecodeError> {
        let message_a: &[u8; MESSAGE_A_BYTES] = sized("Alice's message", message_a)?;
        scrubbed(|| self.respond_with(message_a, noise))
    }

    fn respond_with(
        &self,
        message_a: &[u8; MESSAGE_A_BYTES],
        noise: &[u8; SEED_BYTES],
    ) -> Result<([u8; MESSAGE_B_BYTES], SharedKey), DecodeError> {
        let (polynomial, seed_a) = message_a.split_at(POLYNOMIAL_BYTES);
        let ring = &self.ring;
        let b_hat = ring.unpack("Alice's message", polynomial)?;
        let a_hat = self.parse(seed_a);
        let mut noise = Noise::new(self, noise);
        let s_hat = ring.forward(noise.polynomial(0, &self.reversed));
        let e_hat = ring.forward(noise.polynomial(1, &self.reversed));
        let e_second = noise.polynomial(2, &self.natural);
        let u_hat = ring.product_plus(ring.product(&a_hat, &s_hat), &e_hat);
        let v = ring.sum(ring.inverse_product(ring.product(&b_hat, &s_hat)), &e_second);
        let hint = reconcile::help_rec(self.backend(), &v, &noise.rounding_bits());

        let mut message = [0; MESSAGE_B_BYTES];
        let (polynomial, hint_bytes) = message.split_at_mut(POLYNOMIAL_BYTES);
        ring.pack(&u_hat, polynomial);
        hint.pack(hint_bytes);
        Ok((message, self.key(&v, &hint)))
    }

    /// Alice's second step: the key. Consumes and wipes the secret.
    ///
    /// **Errors** if the message has the wrong length or a coefficient that is not below `q`.
    pub fn finish(&self, secret: InitiatorSecret, message_b: &[u8]) -> Result<SharedKey, DecodeError> {
        let message_b: &[u8; MESSAGE_B_BYTES] = sized("Bob's message", message_b)?;
        let (polynomial, hint) = message_b.split_at(POLYNOMIAL_BYTES);
        let hint = sized("a hint", hint)?;
        let u_hat = self.ring.unpack("Bob's message", polynomial)?;
        Ok(scrubbed(|| {
            let v = self.ring.inverse_product(self.ring.product(&u_hat, &secret.s_hat));
            self.key(&v, &Hint::unpack(hint))
        }))
    }

    /// **Errors** if [`respond`](Self::respond) would refuse the message.
    pub fn check_offer(&self, message_a: &[u8]) -> Result<(), DecodeError> {
        let message_a: &[u8; MESSAGE_A_BYTES] = sized("Alice's message", message_a)?;
        self.ring.unpack("Alice's message", &message_a[..POLYNOMIAL_BYTES]).map(drop)
    }

    /// **Errors** if [`finish`](Self::finish) would refuse the message.
    pub fn check_reply(&self, message_b: &[u8]) -> Result<(), DecodeError> {
        let message_b: &[u8; MESSAGE_B_BYTES] = sized("Bob's message", message_b)?;
        self.ring.unpack("Bob's message", &message_b[..POLYNOMIAL_BYTES]).map(drop)
    }

    /// Serializes a secret, to keep it between two processes: its slot values as on the wire.
    pub fn secret_to_bytes(&self, secret: InitiatorSecret) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(vec![0; POLYNOMIAL_BYTES]);
        self.ring.pack(&self.ring.canonical(secret.s_hat), &mut bytes);
        bytes
    }

    /// Parses the output of [`secret_to_bytes`](Self::secret_to_bytes).
    ///
    /// **Errors** if no secret has these bytes.
    pub fn secret_from_bytes(&self, bytes: &[u8]) -> Result<InitiatorSecret, DecodeError> {
        let bytes: &[u8; POLYNOMIAL_BYTES] = sized("a saved secret", bytes)?;
        let damaged = |_| DecodeError::Secret("a saved secret");
        Ok(InitiatorSecret { s_hat: self.ring.unpack("a saved secret", bytes).map_err(damaged)? })
    }

    /// Samples `a` directly in the transform domain: SHAKE-128 as 16-bit little-endian words, whose low 14 bits are
    /// taken if they are below `q`. Variable time; `a` is public.
    fn parse(&self, seed: &[u8]) -> NttPoly<NewHopeRing> {
        let mut stream = xof::Shake128::new(seed);
        let mut block = [0; xof::Shake128::BLOCK + SPARE];
        let mut values = [0; N + MAX_LANES];
        let mut found = 0;
        while found < N {
            stream.read(&mut block[..xof::Shake128::BLOCK]);
            found += rejected_vartime::<i16, 16>(self.backend(), NewHopeRing::Q.into(), &block, &mut values[found..]);
        }
        self.ring.from_canonical(&values[..N])
    }

    fn key(&self, v: &Poly<NewHopeRing>, hint: &Hint) -> SharedKey {
        let mut key = SharedKey::zeros();
        let mut hash = xof::Sha3_256::default();
        hash.update(&reconcile::rec(self.backend(), v, hint)[..]);
        hash.finish_into(&mut key);
        key
    }
}

/// Noise polynomials from one seed, with a buffer for their bytes.
struct Noise<'a> {
    newhope: &'a NewHope,
    seed: &'a [u8; SEED_BYTES],
    bytes: Wiped<u8>,
}

impl<'a> Noise<'a> {
    fn new(newhope: &'a NewHope, seed: &'a [u8; SEED_BYTES]) -> Self {
        Self { newhope, seed, bytes: Wiped::zeros(4 * N) }
    }

    /// The polynomial number `index`, drawn in that order.
    fn polynomial(&mut self, index: u8, order: &BitPermutation) -> Poly<NewHopeRing> {
        xof::chacha20(self.seed, [index, 0, 0, 0, 0, 0, 0, 0], &mut self.bytes);
        let binomial = Binomial { eta: self.newhope.parameters.eta() };
        Poly::filled(|words| binomial.sample(order, words, &self.bytes))
    }

    /// The random bits of HelpRec.
    fn rounding_bits(&self) -> SecretBytes<32> {
        let mut bits = SecretBytes::zeros();
        xof::chacha20(self.seed, [0, 0, 0, 0, 0, 0, 0, 3], &mut bits[..]);
        bits
    }
}
