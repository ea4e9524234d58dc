//! Message representatives µ, the input of signing: Algorithms 2 to 5 of FIPS 204 up to the call of their internal
//! function, and line 6 of Algorithms 7 and 8.

#[cfg(feature = "alloc")]
use super::prehash::{OID, Prehashed};
use super::{
    Error,
    params::{MAX_CONTEXT, MU_BYTES, TR_BYTES},
};
use crate::{ct::not_printed, xof::Absorber};

/// A message representative µ: 64 bytes of SHAKE-256 of `tr`, a digest of the public key, and the
/// message M'. It can be computed from the public key, without the secret key.
pub type Mu = [u8; MU_BYTES];

/// Computes µ of a message read in pieces: [`VerifyingKey::mu_builder`](super::VerifyingKey::mu_builder).
pub struct MuBuilder(Absorber);

impl MuBuilder {
    /// Starts a message with a context.
    pub(super) fn new(tr: &[u8; TR_BYTES], context: &[u8]) -> Result<Self, Error> {
        Ok(Self(Absorber::shake256([&tr[..], &head(false, context)?, context])))
    }

    /// Appends bytes to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The representative µ of the whole message.
    pub fn finish(self) -> Mu {
        let mut mu = [0; MU_BYTES];
        self.0.finish(&mut mu);
        mu
    }
}

not_printed!(MuBuilder);

/// µ of a message M' in parts: line 6 of Algorithms 7 and 8.
pub(super) fn internal<'a>(tr: &'a [u8; TR_BYTES], parts: impl IntoIterator<Item = &'a [u8]>) -> Mu {
    let mut mu = [0; MU_BYTES];
    Absorber::shake256([&tr[..]].into_iter().chain(parts)).finish(&mut mu);
    mu
}

/// The two bytes before a context: whether the message is a digest, and the length.
fn head(prehashed: bool, context: &[u8]) -> Result<[u8; 2], Error> {
    const { assert!(MAX_CONTEXT == u8::MAX as usize) };
    let length = u8::try_from(context.len()).map_err(|_| Error::Context { length: context.len() })?;
    Ok([u8::from(prehashed), length])
}

/// µ of a message in parts, with a context: Algorithms 2 and 3.
pub(super) fn pure(tr: &[u8; TR_BYTES], message: &[&[u8]], context: &[u8]) -> Result<Mu, Error> {
    let head = head(false, context)?;
    Ok(internal(tr, [&head[..], context].into_iter().chain(message.iter().copied())))
}

/// µ of a digest, with a context: Algorithms 4 and 5.
#[cfg(feature = "alloc")]
pub(super) fn prehashed(tr: &[u8; TR_BYTES], message: &Prehashed, context: &[u8]) -> Result<Mu, Error> {
    let head = head(true, context)?;
    let (number, digest) = message.parts();
    Ok(internal(tr, [&head[..], context, &OID, &[number], digest]))
}
