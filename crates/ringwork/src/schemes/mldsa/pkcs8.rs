//! Keys in PKCS #8 and SubjectPublicKeyInfo: RFC 9881.
//!
//! Private keys are read as seed, expanded key or both, which must then belong together, and written
//! as seed. A [`SigningKey`] has a seed; what has none is read as an [`ExpandedSigningKey`].

use super::{ExpandedSigningKey, MlDsaParams, Signature, SigningKey, VerifyingKey};
use crate::key_info::{Forms, document_of_public_key, document_of_seed, public_key};
use pkcs8::{
    Document, KeyError, PrivateKeyInfoRef, SecretDocument,
    der::{self, AnyRef, asn1::BitString},
    spki::{
        self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
        SignatureBitStringEncoding, SubjectPublicKeyInfoRef,
    },
};

pub use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

/// The identifier of a set, which keys and signatures share.
const fn identifier<P: MlDsaParams>() -> AlgorithmIdentifier<AnyRef<'static>> {
    AlgorithmIdentifier { oid: P::OID, parameters: None }
}

macro_rules! algorithm {
    ($($key:ident)*) => {$(
        impl<P: MlDsaParams> AssociatedAlgorithmIdentifier for $key<P> {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<P>();
        }
    )*};
}
algorithm!(VerifyingKey ExpandedSigningKey SigningKey Signature);

macro_rules! signature_algorithm {
    ($($key:ident)*) => {$(
        impl<P: MlDsaParams> SignatureAlgorithmIdentifier for $key<P> {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<P>();
        }
    )*};
}
signature_algorithm!(VerifyingKey ExpandedSigningKey SigningKey);

impl<P: MlDsaParams> SignatureBitStringEncoding for Signature<P> {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::new(0, self.as_bytes())
    }
}

impl<P: MlDsaParams> EncodePublicKey for VerifyingKey<P> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        document_of_public_key(P::OID, self.as_bytes())
    }
}

impl<P: MlDsaParams> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_bytes(public_key(&info, P::OID)?).map_err(|_| spki::Error::KeyMalformed)
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
        Forms::of(&info, P::OID)?.key(Self::from_seed, Self::from_expanded)
    }
}

impl<P: MlDsaParams> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = pkcs8::Error;

    /// **Errors** if there is no seed, too.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let forms = Forms::of(&info, P::OID)?;
        let expanded = forms.key(ExpandedSigningKey::from_seed, ExpandedSigningKey::from_expanded)?;
        Ok(Self::of_parts(forms.seed()?.ok_or(KeyError::Invalid)?, expanded))
    }
}
