//! Keys in PKCS #8 and SubjectPublicKeyInfo: RFC 9881.
//!
//! Private keys are read as a seed, an expanded key or both, which must then match, and written as
//! a seed. A [`SigningKey`] has a seed; a key without one is read as an [`ExpandedSigningKey`].

use super::{ExpandedSigningKey, MlDsaParams, Signature, SigningKey, VerifyingKey};
use crate::key_info::{Forms, document_of_seed, private_pem, standard_keys};
use pkcs8::{
    Document, KeyError, PrivateKeyInfoRef, SecretDocument,
    der::{self, AnyRef, asn1::BitString},
    spki::{
        self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
        SignatureBitStringEncoding, SubjectPublicKeyInfoRef,
    },
};

pub use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

private_pem! { MlDsaParams: ExpandedSigningKey SigningKey }
standard_keys! { MlDsaParams: VerifyingKey, ExpandedSigningKey SigningKey Signature }

macro_rules! signature_algorithm {
    ($($key:ident)*) => {$(
        impl<P: MlDsaParams> SignatureAlgorithmIdentifier for $key<P> {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = Self::ALGORITHM_IDENTIFIER;
        }
    )*};
}
signature_algorithm!(VerifyingKey ExpandedSigningKey SigningKey);

impl<P: MlDsaParams> SignatureBitStringEncoding for Signature<P> {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::new(0, self.as_bytes())
    }
}

impl<P: MlDsaParams> EncodePrivateKey for SigningKey<P> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        document_of_seed(P::OID, self.as_seed())
    }
}

impl<P: MlDsaParams> TryFrom<PrivateKeyInfoRef<'_>> for ExpandedSigningKey<P> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Forms::of(&info, P::OID)?.key(Self::from_seed, Self::from_expanded, |key| key.verifying().as_bytes())
    }
}

impl<P: MlDsaParams> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = pkcs8::Error;

    /// Also **errors** if there is no seed.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let forms = Forms::of(&info, P::OID)?;
        let expanded = forms
            .key(ExpandedSigningKey::from_seed, ExpandedSigningKey::from_expanded, |key| key.verifying().as_bytes())?;
        Ok(Self::of_parts(forms.seed()?.ok_or(KeyError::Invalid)?, expanded))
    }
}
