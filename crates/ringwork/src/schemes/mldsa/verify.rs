//! Signatures and their verification: Algorithms 3, 5, 8, 26 and 27 of FIPS 204. All data is public.

use super::{
    Error,
    encode::{self, SIGNATURE, each},
    expand::Public,
    keys::VerifyingKey,
    message::Mu,
    params::{MlDsaParams, N, Parameters},
    prehash::Prehashed,
    rounding, sample,
};
use crate::{
    decode::{DecodeError, check_length},
    module::Vector,
    xof::{
        Function,
        turns::{Job, hash_all},
    },
};
use alloc::{vec, vec::Vec};
use core::{fmt, marker::PhantomData};
use ntt::Backend;

/// A signature in canonical form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<P: MlDsaParams> {
    bytes: P::SignatureBytes,
    set: PhantomData<P>,
}

impl<P: MlDsaParams> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature<{}>(..)", P::PARAMETERS.name)
    }
}

impl<P: MlDsaParams> Signature<P> {
    /// A signature of zeros that `fill` overwrites.
    pub(super) fn filled(fill: impl FnOnce(&mut [u8])) -> Self {
        let zeros = &[0; 4627][..P::PARAMETERS.signature_bytes()];
        let mut bytes: P::SignatureBytes = zeros.try_into().ok().expect("a signature has its length");
        fill(bytes.as_mut());
        Self { bytes, set: PhantomData }
    }

    /// Reads a signature: Algorithm 27, sigDecode.
    ///
    /// **Errors** if the length is wrong, a coefficient of z is too large for any signature, or the
    /// hint is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        decode(Backend::best(), &P::PARAMETERS, bytes)?;
        Ok(Self::filled(|out| out.copy_from_slice(bytes)))
    }

    /// The bytes: Algorithm 26, sigEncode.
    pub fn to_bytes(&self) -> P::SignatureBytes {
        self.bytes
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// z, with room for c after it, and the hint.
pub(super) struct Decoded {
    z_and_c: Vector<i32>,
    hint: Vector<i32>,
}

/// Algorithm 27, sigDecode, and the check of z's norm.
///
/// **Errors** if the length is wrong, a coefficient of z is too large, or the hint is not
/// canonical.
pub(super) fn decode(backend: Backend, set: &Parameters, bytes: &[u8]) -> Result<Decoded, DecodeError> {
    check_length(SIGNATURE, set.signature_bytes(), bytes)?;
    let (packed_z, packed_hint) = bytes[set.challenge_bytes()..].split_at(set.l * set.gamma1_bytes());
    let mut hint = Vector::zeros(N, set.k);
    encode::unpack_hint(set, packed_hint, hint.words_mut())?;
    let mut z_and_c = Vector::zeros(N, set.l + 1);
    let z = &mut z_and_c.words_mut()[..set.l * N];
    encode::unpack_z(backend, set, packed_z, z);
    let bound = set.gamma1 - set.beta();
    if !rounding::within(backend, z, bound) {
        return Err(encode::too_large(z, bound));
    }
    Ok(Decoded { z_and_c, hint })
}

/// A signature to verify.
struct Claim<'a> {
    public: &'a Public,
    mu: Mu,
    signature: &'a [u8],
}

impl Claim<'_> {
    fn challenge(&self, set: &Parameters) -> &[u8] {
        &self.signature[..set.challenge_bytes()]
    }

    /// `w1Encode(w1')`: lines 2 to 4 and 9 to 11 of Algorithm 8.
    fn packed_w1(&self, set: &Parameters) -> Result<Vec<u8>, DecodeError> {
        let (engine, backend) = (&self.public.engine, self.public.engine.backend());
        let Decoded { mut z_and_c, hint } = decode(backend, set, self.signature)?;
        let words = z_and_c.words_mut();
        sample::sample_in_ball(set.tau, self.challenge(set), &mut words[set.l * N..]);
        engine.forward(words);
        let mut w = Vector::zeros(N, set.k);
        engine.product(w.words_mut(), self.public.matrix(set), words);
        rounding::use_hint(backend, w.words_mut(), hint.words(), set);
        let mut packed = vec![0; set.k * set.w1_bytes()];
        each(w.words(), &mut packed, set.w1_bytes(), |w1, out| encode::pack_w1(set, w1, out));
        Ok(packed)
    }
}

/// Algorithm 8, ML-DSA.Verify_internal, from line 8 on, for each claim.
fn verify(set: &Parameters, claims: &[Claim<'_>]) -> Vec<Result<(), Error>> {
    let packed: Vec<_> = claims.iter().map(|claim| claim.packed_w1(set)).collect();
    let mut expected = vec![[0; 64]; claims.len()];
    let inputs = claims.iter().zip(&packed).zip(&mut expected).filter_map(|((claim, packed), expected)| {
        let parts = [&claim.mu[..], &packed.as_ref().ok()?[..]];
        Some(Job::new(Function::SHAKE_256, parts, &mut expected[..set.challenge_bytes()]))
    });
    hash_all(Backend::best(), &mut inputs.collect::<Vec<_>>());
    let answer = |((claim, packed), expected): ((&Claim<'_>, Result<_, DecodeError>), [u8; 64])| {
        packed?;
        let genuine = expected[..set.challenge_bytes()] == *claim.challenge(set);
        if genuine { Ok(()) } else { Err(Error::Forged) }
    };
    claims.iter().zip(packed).zip(expected).map(answer).collect()
}

/// A claim to verify: that bytes are a signature of a message with a context.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a, P: MlDsaParams> {
    /// The key of the claimed signer.
    pub key: &'a VerifyingKey<P>,
    /// The message.
    pub message: &'a [u8],
    /// The context.
    pub context: &'a [u8],
    /// The signature.
    pub signature: &'a [u8],
}

/// [`VerifyingKey::verify_bytes`] for each claim, computed in parallel lanes.
pub fn verify_many<P: MlDsaParams>(signed: &[Signed<'_, P>]) -> Vec<Result<(), Error>> {
    let mus: Vec<_> = signed.iter().map(|signed| signed.key.mu(signed.message, signed.context)).collect();
    let claims = signed.iter().zip(&mus).filter_map(|(signed, mu)| {
        Some(Claim { public: &signed.key.public, mu: *mu.as_ref().ok()?, signature: signed.signature })
    });
    let mut answers = verify(&P::PARAMETERS, &claims.collect::<Vec<_>>()).into_iter();
    mus.into_iter().map(|mu| mu.and_then(|_| answers.next().expect("an answer for each"))).collect()
}

impl<P: MlDsaParams> VerifyingKey<P> {
    /// Verifies a signature of a message with a context: Algorithm 3, ML-DSA.Verify.
    ///
    /// **Errors** if the bytes are not a signature of that message, or the context has more than 255
    /// bytes.
    pub fn verify_bytes(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_mu_bytes(&self.mu(message, context)?, signature)
    }

    /// Verifies a signature of a message representative.
    ///
    /// **Errors** if the bytes are not a signature of it.
    pub fn verify_mu_bytes(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        let claim = Claim { public: &self.public, mu: *mu, signature };
        verify(&P::PARAMETERS, &[claim]).pop().expect("an answer for each")
    }

    /// Whether `signature` is one of a message with a context: Algorithm 3, ML-DSA.Verify. False if
    /// the context has more than 255 bytes.
    pub fn verify_with_context(&self, message: &[u8], context: &[u8], signature: &Signature<P>) -> bool {
        self.verify_bytes(message, context, signature.as_bytes()).is_ok()
    }

    /// Whether `signature` is one of a digest with a context: Algorithm 5, HashML-DSA.Verify.
    pub fn verify_prehashed(&self, message: &Prehashed, context: &[u8], signature: &Signature<P>) -> bool {
        self.mu_prehashed(message, context).is_ok_and(|mu| self.verify_mu(&mu, signature))
    }

    /// Whether `signature` is one of a message representative: Algorithm 8,
    /// ML-DSA.Verify_internal, from line 8 on.
    pub fn verify_mu(&self, mu: &Mu, signature: &Signature<P>) -> bool {
        self.verify_mu_bytes(mu, signature.as_bytes()).is_ok()
    }

    /// Algorithm 8, ML-DSA.Verify_internal, of a message M'. For tests: see
    /// [`mu_internal`](Self::mu_internal).
    pub fn verify_internal(&self, message: &[u8], signature: &Signature<P>) -> bool {
        self.verify_mu(&self.mu_internal(&[message]), signature)
    }
}
