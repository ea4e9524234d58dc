//! The traits of the crate `signature`, and the names of the crate `ml-dsa`: to move from that crate to
//! this one, change the imports.
//!
//! [`Signer`] and [`Verifier`] take messages with an empty context. As in `ml-dsa`, [`Signer`] is
//! deterministic and [`RandomizedSigner`] is hedged with fresh randomness.

use super::{
    Error, Signature,
    keys::{ExpandedSigningKey, SigningKey, VerifyingKey},
    params::{MlDsaParams, SEED_BYTES},
};
use crate::{ct::SecretBytes, decode::DecodeError};
use hybrid_array::sizes;
use kem::{Generate, Key, KeyExport, KeyInit, KeySizeUser};
use signature::{
    Error as SignatureError, KeypairRef, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner,
    RandomizedSigner, SignatureEncoding, Signer, Verifier, rand_core::TryCryptoRng,
};
use zeroize::ZeroizeOnDrop;

/// 32 bytes.
pub type B32 = [u8; 32];
/// The bytes of a seed ξ.
pub type Seed = [u8; SEED_BYTES];
/// The bytes of a public key.
pub type EncodedVerifyingKey<P> = <P as MlDsaParams>::VerifyingKeyBytes;
/// The bytes of a signature.
pub type EncodedSignature<P> = <P as MlDsaParams>::SignatureBytes;

impl From<Error> for SignatureError {
    /// Drops the reason, as that type requires.
    fn from(_: Error) -> Self {
        Self::new()
    }
}

impl<P: MlDsaParams> KeySizeUser for SigningKey<P> {
    type KeySize = sizes::U32;
}

impl<P: MlDsaParams> KeyInit for SigningKey<P> {
    /// The key of a seed ξ.
    fn new(seed: &Key<Self>) -> Self {
        Self::from_seed(&seed.0)
    }
}

impl<P: MlDsaParams> KeyExport for SigningKey<P> {
    /// The seed ξ.
    fn to_bytes(&self) -> Key<Self> {
        (*self.as_seed()).into()
    }
}

impl<P: MlDsaParams> Generate for SigningKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Ok(Self::from_seed(SecretBytes::try_random(rng)?.as_bytes()))
    }
}

impl<P: MlDsaParams> KeySizeUser for VerifyingKey<P> {
    type KeySize = P::VerifyingKeySize;
}

impl<P: MlDsaParams> KeyInit for VerifyingKey<P> {
    fn new(bytes: &Key<Self>) -> Self {
        Self::from_bytes(bytes).expect("the length is that of a public key")
    }
}

impl<P: MlDsaParams> KeyExport for VerifyingKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        Key::<Self>::try_from(self.as_bytes()).expect("a public key has its length")
    }
}

impl<P: MlDsaParams> VerifyingKey<P> {
    /// [`to_bytes`](Self::to_bytes).
    pub fn encode(&self) -> EncodedVerifyingKey<P> {
        self.to_bytes()
    }

    /// [`from_bytes`](Self::from_bytes) of an array of the right length.
    pub fn decode(bytes: &EncodedVerifyingKey<P>) -> Self {
        Self::from_bytes(bytes.as_ref()).expect("the length is that of a public key")
    }
}

impl<P: MlDsaParams> Signature<P> {
    /// [`to_bytes`](Self::to_bytes).
    pub fn encode(&self) -> EncodedSignature<P> {
        self.to_bytes()
    }

    /// [`from_bytes`](Self::from_bytes) of an array of the right length.
    pub fn decode(bytes: &EncodedSignature<P>) -> Option<Self> {
        Self::from_bytes(bytes.as_ref()).ok()
    }
}

impl<P: MlDsaParams> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<P: MlDsaParams> TryFrom<&[u8]> for Signature<P> {
    type Error = DecodeError;

    fn try_from(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl<P: MlDsaParams> SignatureEncoding for Signature<P> {
    type Repr = Self;
}

impl<P: MlDsaParams> TryFrom<&[u8]> for VerifyingKey<P> {
    type Error = DecodeError;

    fn try_from(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl<P: MlDsaParams> Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), SignatureError> {
        self.multipart_verify(&[message], signature)
    }
}

impl<P: MlDsaParams> MultipartVerifier<Signature<P>> for VerifyingKey<P> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<P>) -> Result<(), SignatureError> {
        Ok(self.verify_mu_bytes(&self.mu_of_parts(message, &[])?, signature.as_bytes())?)
    }
}

macro_rules! signers {
    ($($key:ident)*) => {$(
        impl<P: MlDsaParams> AsRef<VerifyingKey<P>> for $key<P> {
            fn as_ref(&self) -> &VerifyingKey<P> {
                self.verifying()
            }
        }

        impl<P: MlDsaParams> KeypairRef for $key<P> {
            type VerifyingKey = VerifyingKey<P>;
        }

        impl<P: MlDsaParams> Signer<Signature<P>> for $key<P> {
            fn try_sign(&self, message: &[u8]) -> Result<Signature<P>, SignatureError> {
                self.try_multipart_sign(&[message])
            }
        }

        impl<P: MlDsaParams> MultipartSigner<Signature<P>> for $key<P> {
            fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<P>, SignatureError> {
                Ok(self.sign_mu_deterministic(&self.verifying().mu_of_parts(message, &[])?))
            }
        }

        impl<P: MlDsaParams> RandomizedSigner<Signature<P>> for $key<P> {
            fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[u8],
            ) -> Result<Signature<P>, SignatureError> {
                self.try_multipart_sign_with_rng(rng, &[message])
            }
        }

        impl<P: MlDsaParams> RandomizedMultipartSigner<Signature<P>> for $key<P> {
            fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[&[u8]],
            ) -> Result<Signature<P>, SignatureError> {
                let rnd = SecretBytes::<32>::try_random(rng).map_err(|_| SignatureError::new())?;
                Ok(self.sign_mu(&self.verifying().mu_of_parts(message, &[])?, &rnd))
            }
        }

        impl<P: MlDsaParams> ZeroizeOnDrop for $key<P> {}
    )*};
}
signers!(ExpandedSigningKey SigningKey);
