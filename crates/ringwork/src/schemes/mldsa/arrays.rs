//! ML-DSA on arrays of bytes, without a heap: [`MlDsa65::keygen_into`](super::MlDsa65::keygen_into),
//! [`sign_into`](super::MlDsa65::sign_into), [`verify_arrays`](super::MlDsa65::verify_arrays), and the same of the other
//! sets.
//!
//! ```
//! use ringwork::schemes::mldsa::MlDsa44;
//!
//! let (mut public, mut secret, mut signature) = ([0; 1312], [0; 2560], [0; 2420]);
//! MlDsa44::keygen_into(&[1; 32], &mut public, &mut secret); // of 32 random bytes
//! MlDsa44::sign_into(&secret, b"a message", b"a context", &[2; 32], &mut signature)?; // the same
//! MlDsa44::verify_arrays(&public, b"a message", b"a context", &signature)?;
//! # Ok::<(), ringwork::schemes::mldsa::Error>(())
//! ```
//!
//! For small machines. Keys stay encoded, and each call expands what it needs of them, one polynomial after the
//! other, one word at a time: elsewhere [`SigningKey`](super::SigningKey) is faster. The transform is a constant of
//! the program ([`ntt::fixed`]), so that no plan is made. Memory of a call is on the stack, and is wiped in
//! optimised builds; `docs/embedded.md` has how much of it.

use super::{
    Error,
    encode::{self, secret_ranges},
    message::{self, Mu, MuBuilder},
    params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, N, Parameters, Q, SEED_BYTES, T0_BYTES, T1_BYTES, TR_BYTES},
    rounding,
    sample::{Bounded, sample_in_ball},
};
use crate::{
    ct::{same, scrubbed_by, stack_of_arrays, working},
    decode::DecodeError,
    sample::Accepted,
    xof::{
        Absorber, ByteStream, Function, Shake256,
        turns::{self, Job, hash_one},
    },
};
use lanes::Backend;
use ntt::fixed::{FixedRing, MlDsa as Ring};

type Polynomial = [i32; N];

const BACKEND: Backend = Backend::Scalar;

/// Bytes of the stack that operations of a set with `k` rows use: `k` polynomials, four others, and the memory of
/// samplers.
const fn stack(k: usize) -> usize {
    stack_of_arrays((k + 5) * size_of::<Polynomial>())
}

/// Hashes two parts.
fn hash(parts: [&[u8]; 2], out: &mut [u8]) {
    hash_one(BACKEND, Job::new(Function::SHAKE_256, parts, out));
}

/// A polynomial of Algorithm 30, RejNTTPoly.
struct Uniform<'a>(Accepted<'a, i32>);

impl turns::Output for Uniform<'_> {
    fn take(&mut self, block: &[u8]) -> bool {
        self.0.accept::<24>(BACKEND, Q as u32, block, |out, values| out.copy_from_slice(values))
    }
}

/// Algorithm 30 for the seed `ρ ‖ j ‖ i`. Variable time: ρ is public.
#[inline(never)] // its memory is not there beside that of others
fn sample_ntt(rho: &[u8; 32], [j, i]: [usize; 2], out: &mut Polynomial) {
    let job = Job::new(Function::SHAKE_128, [rho, &[]], Uniform(Accepted::new(out)));
    hash_one(BACKEND, job.with_nonce([j as u8, i as u8]));
}

/// Algorithm 31, RejBoundedPoly: polynomial `number` of s1, then s2. Variable time in the rejection of candidates.
#[inline(never)]
fn sample_secret(set: &Parameters, seed: &[u8; 64], number: usize, out: &mut Polynomial) {
    let job = Job::new(Function::SHAKE_256, [seed, &[]], Bounded::new(BACKEND, set.eta, out));
    hash_one(BACKEND, job.with_nonce((number as u16).to_le_bytes()));
}

/// Algorithm 34, ExpandMask: polynomial `number` of y.
#[inline(never)]
fn sample_mask(set: &Parameters, seed: &[u8; 64], number: u16, out: &mut Polynomial) {
    working!(bytes: [u8; 20 * (N >> 3)]);
    let bytes = &mut bytes[..set.gamma1_bytes()];
    hash_one(BACKEND, Job::new(Function::SHAKE_256, [seed, &[]], &mut *bytes).with_nonce(number.to_le_bytes()));
    encode::unpack_z(BACKEND, set, bytes, out);
}

/// [`rounding::add_within`]. Whether all is within the bound is public: these are calls, so that a branch on the answer
/// stands where they are called, and `cargo xtask ct` finds it there.
#[inline(never)]
fn add_within(sum: &mut Polynomial, x: &Polynomial, sign: i32, bound: i32) -> bool {
    rounding::add_within(BACKEND, sum, x, sign, bound)
}

/// [`rounding::within_centred`], likewise.
#[inline(never)]
fn within_centred(x: &Polynomial, bound: i32) -> bool {
    rounding::within_centred(BACKEND, x, bound)
}

/// Bytes of a packed polynomial of w1 at most.
const MOST_W1: usize = 6 * (N >> 3);

/// Bytes of packed polynomials of t0 at most.
const MOST_T0: usize = MlDsa87::PARAMETERS.k * T0_BYTES;

/// Bytes of a public key at most.
const MOST_PUBLIC: usize = MlDsa87::PARAMETERS.public_key_bytes();

/// Working memory of an operation.
struct Memory<'a> {
    /// A polynomial for each row: sums of products, then w and what becomes of it.
    w: &'a mut [Polynomial],
    /// The transform of the challenge.
    c: &'a mut Polynomial,
    a: &'a mut Polynomial,
    b: &'a mut Polynomial,
    term: &'a mut Polynomial,
}

/// Does the work with memory for `K` rows, which is wiped afterwards.
fn with_memory<const K: usize, R>(work: impl FnOnce(&mut Memory<'_>) -> R) -> R {
    working!(w: [[i32; N]; K]);
    working!(c: [i32; N]);
    working!(a: [i32; N]);
    working!(b: [i32; N]);
    working!(term: [i32; N]);
    work(&mut Memory { w: &mut w[..], c: &mut c, a: &mut a, b: &mut b, term: &mut term })
}

impl Memory<'_> {
    /// `w = Â·v`, transformed, for the transforms of the polynomials that `vector` writes, in `(-q, q)`.
    fn multiply(
        &mut self,
        set: &Parameters,
        rho: &[u8; 32],
        vector: &mut dyn FnMut(usize, &mut Polynomial) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        self.w.iter_mut().for_each(|w| w.fill(0));
        for j in 0..set.l {
            vector(j, self.b)?;
            Ring::forward(self.b);
            for (i, w) in self.w.iter_mut().enumerate() {
                sample_ntt(rho, [j, i], self.a);
                Ring::pointwise(self.term, self.a, self.b);
                Ring::add_product(w, self.term);
            }
        }
        Ok(())
    }

    /// `term = a·c`, in `[0, q)`.
    fn multiply_by_challenge(&mut self) {
        Ring::forward(self.a);
        Ring::pointwise(self.term, self.a, self.c);
        Ring::inverse_product(self.term);
    }

    /// The challenge of that seed, transformed.
    #[inline(never)]
    fn challenge(&mut self, set: &Parameters, seed: &[u8]) {
        sample_in_ball(set.tau, seed, self.c);
        Ring::forward(self.c);
    }
}

/// The representative µ of a message that is read in pieces, with a context, for the key with that `tr`
/// ([`MlDsa65::tr`], and of the other sets).
///
/// **Errors** if the context has more than 255 bytes.
pub fn mu_builder(tr: &[u8; TR_BYTES], context: &[u8]) -> Result<MuBuilder, Error> {
    MuBuilder::new(tr, context)
}

/// Line 6 of Algorithms 7 and 8: µ of a message M' in parts. For tests: M' must say whether it is a digest, and have a
/// context.
pub fn mu_internal(tr: &[u8; TR_BYTES], message: &[&[u8]]) -> Mu {
    message::internal(tr, message.iter().copied())
}

/// tr in a secret key.
fn tr_in(secret: &[u8]) -> &[u8; TR_BYTES] {
    secret[64..].first_chunk().expect("a secret key has tr behind ρ and K")
}

impl Memory<'_> {
    /// Algorithm 6, ML-DSA.KeyGen_internal.
    #[inline(never)] // one copy for all sets
    fn keygen(&mut self, set: &Parameters, seed: &[u8; SEED_BYTES], public: &mut [u8], secret: &mut [u8]) {
        working!(expanded: [u8; 128]);
        hash([seed, &[set.k as u8, set.l as u8]], &mut expanded[..]);
        let (rho, behind) = expanded.split_first_chunk::<32>().expect("128 bytes");
        let (rho_prime, key) = behind.split_first_chunk::<64>().expect("96 bytes");
        let (head, rest) = secret.split_at_mut(secret_ranges(set).secrets.start);
        let (packed_s, packed_t0) = rest.split_at_mut((set.l + set.k) * set.eta_bytes());
        let mut packed_s = packed_s.chunks_exact_mut(set.eta_bytes());
        let mut sample = |number, s: &mut Polynomial| {
            sample_secret(set, rho_prime, number, s);
            encode::pack_s(set, s, packed_s.next().expect("a polynomial for each column and row"));
        };
        let s1 = &mut |j, s1: &mut Polynomial| {
            sample(j, s1);
            Ok(())
        };
        self.multiply(set, rho, s1).expect("nothing is decoded");
        let s2 = &mut |i, s2: &mut Polynomial| {
            sample(set.l + i, s2);
            Ok(())
        };
        self.publish(rho, s2, packed_t0, public).expect("nothing is decoded");
        let (head_rho, head) = head.split_at_mut(32);
        let (head_key, tr) = head.split_at_mut(32);
        head_rho.copy_from_slice(rho);
        head_key.copy_from_slice(key);
        hash([public, &[]], tr);
    }

    /// Lines 5 to 8 of Algorithm 6: the public key, and t0, for the sums that [`multiply`](Self::multiply) left and the
    /// polynomials of s2 that `secret` writes.
    fn publish(
        &mut self,
        rho: &[u8; 32],
        secret: &mut dyn FnMut(usize, &mut Polynomial) -> Result<(), DecodeError>,
        packed_t0: &mut [u8],
        public: &mut [u8],
    ) -> Result<(), DecodeError> {
        let [s2, high] = [&mut *self.a, &mut *self.term];
        let (public_rho, packed_t1) = public.split_at_mut(32);
        let packed = packed_t1.chunks_exact_mut(T1_BYTES).zip(packed_t0.chunks_exact_mut(T0_BYTES));
        for (i, (t, (t1, t0))) in self.w.iter_mut().zip(packed).enumerate() {
            Ring::inverse_product(t);
            secret(i, s2)?;
            Ring::add(t, s2);
            rounding::power2_round(BACKEND, t, high);
            encode::pack_t1(high, t1);
            encode::pack_t0(t, t0);
        }
        public_rho.copy_from_slice(rho);
        Ok(())
    }

    /// The public key of a secret key. **Errors** if a coefficient of s1 or s2 is below `-η`, or if tr or t0 is that of
    /// another key.
    #[inline(never)]
    fn public(&mut self, set: &Parameters, secret: &[u8], public: &mut [u8]) -> Result<(), DecodeError> {
        working!(t0: [u8; MOST_T0]);
        working!(key: [u8; MOST_PUBLIC]);
        working!(tr: [u8; TR_BYTES]);
        let (t0, key) = (&mut t0[..set.k * T0_BYTES], &mut key[..public.len()]);
        let at = secret_ranges(set);
        let rho = secret[at.rho].first_chunk().expect("32 bytes");
        let packed = |number: usize| &secret[at.secrets.clone()][number * set.eta_bytes()..][..set.eta_bytes()];
        self.multiply(set, rho, &mut |j, s1| encode::unpack_s(BACKEND, set, packed(j), s1))?;
        let s2 = &mut |i, s2: &mut Polynomial| encode::unpack_s(BACKEND, set, packed(set.l + i), s2);
        self.publish(rho, s2, t0, key)?;
        hash([key, &[]], &mut tr[..]);
        if bool::from(!(same(t0, &secret[at.t0]) & same(&tr[..], tr_in(secret)))) {
            return Err(DecodeError::Mismatch);
        }
        public.copy_from_slice(key);
        Ok(())
    }

    /// Algorithm 7, ML-DSA.Sign_internal, from line 7 on. **Errors** if a coefficient of s1 or s2 is below `-η`.
    ///
    /// Rejections are public, as in `sign`: each check covers whole polynomials.
    #[inline(never)]
    fn sign(
        &mut self,
        set: &Parameters,
        secret: &[u8],
        mu: &Mu,
        rnd: &[u8; 32],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let at = secret_ranges(set);
        // A damaged key is refused before there is any candidate.
        let packed = secret[at.secrets].chunks_exact(set.eta_bytes());
        packed.into_iter().try_for_each(|packed| encode::unpack_s(BACKEND, set, packed, self.a))?;
        working!(seed: [u8; 64]);
        Shake256::of(&[&secret[at.key], rnd, mu]).read(&mut seed[..]);
        let mut first = 0_u16;
        while !self.candidate(set, secret, mu, &seed, first, signature)? {
            // Of a key that was generated some four candidates are rejected; one with another t0 may go on for ever.
            let Some(next) = first.checked_add(set.l as u16) else {
                signature.fill(0); // polynomials of rejected candidates
                return Err(DecodeError::Secret(encode::SECRET).into());
            };
            first = next;
        }
        Ok(())
    }

    /// Lines 11 to 33 of Algorithm 7, with the polynomials of y from number `first` on: whether the candidate is
    /// accepted.
    #[inline(never)]
    fn candidate(
        &mut self,
        set: &Parameters,
        secret: &[u8],
        mu: &Mu,
        seed: &[u8; 64],
        first: u16,
        signature: &mut [u8],
    ) -> Result<bool, DecodeError> {
        let at = secret_ranges(set);
        let rho = secret[at.rho].first_chunk().expect("32 bytes");
        let (packed_s1, packed_s2) = secret[at.secrets].split_at(set.l * set.eta_bytes());
        let (challenge, rest) = signature.split_at_mut(set.challenge_bytes());
        let (packed_z, packed_hint) = rest.split_at_mut(set.l * set.gamma1_bytes());
        self.multiply(set, rho, &mut |j, y| {
            sample_mask(set, seed, first.wrapping_add(j as u16), y);
            Ok(())
        })?;
        let mut hash = Absorber::shake256([&mu[..]]);
        working!(packed: [u8; MOST_W1]);
        let packed = &mut packed[..set.w1_bytes()];
        for w in self.w.iter_mut() {
            Ring::inverse_product(w);
            self.a.copy_from_slice(w);
            rounding::decompose(BACKEND, self.a, self.b, set);
            encode::pack_w1(set, self.b, packed);
            hash.update(packed);
        }
        hash.finish(challenge);
        self.challenge(set, challenge);

        let mut ones = 0;
        let of_rows = packed_s2.chunks_exact(set.eta_bytes()).zip(secret[at.t0].chunks_exact(T0_BYTES));
        for (i, (s2, t0)) in of_rows.enumerate() {
            // r0 = LowBits(w) - c·s2, and the high bits.
            rounding::decompose(BACKEND, &mut self.w[i], self.b, set);
            encode::unpack_s(BACKEND, set, s2, self.a)?;
            self.multiply_by_challenge();
            if !add_within(&mut self.w[i], self.term, -1, set.gamma2 - set.beta()) {
                return Ok(false);
            }
            encode::unpack_t0(BACKEND, t0, self.a);
            self.multiply_by_challenge();
            if !within_centred(self.term, set.gamma2) {
                return Ok(false);
            }
            add_within(&mut self.w[i], self.term, 1, set.gamma2);
            ones += rounding::make_hint(BACKEND, &mut self.w[i], self.b, set);
            if ones > set.omega {
                return Ok(false);
            }
        }
        let of_columns = packed_s1.chunks_exact(set.eta_bytes()).zip(packed_z.chunks_exact_mut(set.gamma1_bytes()));
        for (j, (s1, packed)) in (0..).zip(of_columns) {
            sample_mask(set, seed, first.wrapping_add(j), self.b);
            encode::unpack_s(BACKEND, set, s1, self.a)?;
            self.multiply_by_challenge();
            if !add_within(self.b, self.term, 1, set.gamma1 - set.beta()) {
                return Ok(false);
            }
            encode::pack_z(set, self.b, packed);
        }
        encode::pack_hint(set, self.w.as_flattened(), packed_hint);
        Ok(true)
    }

    /// Algorithm 8, ML-DSA.Verify_internal, from line 8 on. All its data is public.
    #[inline(never)]
    fn verify(&mut self, set: &Parameters, public: &[u8], mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        let (rho, packed_t1) = public.split_first_chunk().expect("a public key begins with ρ");
        let (challenge, rest) = signature.split_at(set.challenge_bytes());
        let (packed_z, packed_hint) = rest.split_at(set.l * set.gamma1_bytes());
        encode::check_hint(set, packed_hint)?;
        let bound = set.gamma1 - set.beta();
        self.multiply(set, rho, &mut |j, z| {
            encode::unpack_z(BACKEND, set, &packed_z[j * set.gamma1_bytes()..][..set.gamma1_bytes()], z);
            if rounding::within(BACKEND, z, bound) { Ok(()) } else { Err(encode::too_large(z, bound).behind(j * N)) }
        })?;
        self.challenge(set, challenge);
        let mut hash = Absorber::shake256([&mu[..]]);
        let mut packed = [0; MOST_W1];
        let packed = &mut packed[..set.w1_bytes()];
        let [c, a, term] = [&mut *self.c, &mut *self.a, &mut *self.term];
        for (i, (w, t1)) in self.w.iter_mut().zip(packed_t1.chunks_exact(T1_BYTES)).enumerate() {
            encode::unpack_minus_shifted_t1(BACKEND, t1, a);
            Ring::forward(a);
            Ring::pointwise(term, a, c);
            Ring::add_product(w, term);
            Ring::inverse_product(w);
            a.fill(0);
            encode::unpack_hint_of(set, packed_hint, i, a);
            rounding::use_hint(BACKEND, w, a, set);
            encode::pack_w1(set, w, packed);
            hash.update(packed);
        }
        let mut expected = [0; 64];
        let expected = &mut expected[..set.challenge_bytes()];
        hash.finish(expected);
        if expected == challenge { Ok(()) } else { Err(Error::Forged) }
    }
}

macro_rules! sets {
    ($($set:ident $public:literal $secret:literal $signature:literal;)*) => {$(
        /// Operations on arrays of bytes: see [`arrays`](self).
        impl $set {
            /// Algorithm 6, ML-DSA.KeyGen_internal: writes the keys of a seed ξ, the secret key in its expanded form.
            ///
            /// **Constant time:** yes, but for ρ, which is public, and how many candidates for coefficients are
            /// rejected.
            pub fn keygen_into(seed: &[u8; SEED_BYTES], public: &mut [u8; $public], secret: &mut [u8; $secret]) {
                const K: usize = $set::PARAMETERS.k;
                scrubbed_by::<{ stack(K) }, _>(|| {
                    with_memory::<K, _>(|memory| memory.keygen(&$set::PARAMETERS, seed, public, secret));
                });
            }

            /// Writes the public key of a secret key, and checks that all parts of it belong together.
            ///
            /// **Constant time:** yes, but for ρ, and unless the key is refused. **Errors** if a coefficient of s1 or s2
            /// is out of range, or if tr or t0 does not match the rest.
            pub fn public_into(secret: &[u8; $secret], public: &mut [u8; $public]) -> Result<(), DecodeError> {
                const K: usize = $set::PARAMETERS.k;
                scrubbed_by::<{ stack(K) + MOST_T0 + MOST_PUBLIC }, _>(|| {
                    with_memory::<K, _>(|memory| memory.public(&$set::PARAMETERS, secret, public))
                })
            }

            /// Algorithm 2, ML-DSA.Sign: writes the signature of a message with a context. `randomness` is fresh, or
            /// zero for the deterministic variant.
            ///
            /// Keep the key intact: of its parts only ranges are checked, and a signature by a damaged key can reveal
            /// bits of the secret. Where memory may be disturbed, verify a signature before you publish it.
            ///
            /// **Constant time:** as `sign_randomized` of [`SigningKey`](super::SigningKey). **Errors** if the context
            /// has more than 255 bytes; if a coefficient of the key is out of range, or all of thousands of candidates
            /// are rejected, which happens to no key that was generated.
            pub fn sign_into(
                secret: &[u8; $secret],
                message: &[u8],
                context: &[u8],
                randomness: &[u8; 32],
                signature: &mut [u8; $signature],
            ) -> Result<(), Error> {
                let mu = message::pure(tr_in(secret), &[message], context)?;
                Self::sign_mu_into(secret, &mu, randomness, signature)
            }

            /// [`sign_into`](Self::sign_into) of a message representative that was computed elsewhere.
            ///
            /// **Errors** as `sign_into` of the key.
            pub fn sign_mu_into(
                secret: &[u8; $secret],
                mu: &Mu,
                randomness: &[u8; 32],
                signature: &mut [u8; $signature],
            ) -> Result<(), Error> {
                const K: usize = $set::PARAMETERS.k;
                scrubbed_by::<{ stack(K) }, _>(|| {
                    with_memory::<K, _>(|memory| memory.sign(&$set::PARAMETERS, secret, mu, randomness, signature))
                })
            }

            /// Algorithm 3, ML-DSA.Verify: whether bytes are the signature of a message with a context.
            ///
            /// **Errors** if they are not, or the context has more than 255 bytes.
            pub fn verify_arrays(
                public: &[u8; $public],
                message: &[u8],
                context: &[u8],
                signature: &[u8; $signature],
            ) -> Result<(), Error> {
                Self::verify_mu_arrays(public, &Self::mu(public, message, context)?, signature)
            }

            /// [`verify_arrays`](Self::verify_arrays) for a message representative.
            ///
            /// **Errors** if the bytes are not a signature of it.
            pub fn verify_mu_arrays(
                public: &[u8; $public],
                mu: &Mu,
                signature: &[u8; $signature],
            ) -> Result<(), Error> {
                const K: usize = $set::PARAMETERS.k;
                with_memory::<K, _>(|memory| memory.verify(&$set::PARAMETERS, public, mu, signature))
            }

            /// `tr`, the digest of a public key with which its messages are hashed. In a secret key it stands behind 64
            /// bytes.
            pub fn tr(public: &[u8; $public]) -> [u8; TR_BYTES] {
                let mut tr = [0; TR_BYTES];
                hash([public, &[]], &mut tr);
                tr
            }

            /// The representative µ of a message with a context; [`arrays::mu_builder`](mu_builder)
            /// reads one in pieces.
            ///
            /// **Errors** if the context has more than 255 bytes.
            pub fn mu(public: &[u8; $public], message: &[u8], context: &[u8]) -> Result<Mu, Error> {
                message::pure(&Self::tr(public), &[message], context)
            }
        }
    )*};
}
sets! {
    MlDsa44 1312 2560 2420;
    MlDsa65 1952 4032 3309;
    MlDsa87 2592 4896 4627;
}
