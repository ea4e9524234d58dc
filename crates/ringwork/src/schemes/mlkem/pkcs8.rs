//! Keys in PKCS #8 and SubjectPublicKeyInfo: RFC 9935.
//!
//! Private keys are read as seed, expanded key or both, which must then belong together, and written
//! as seed.

use super::{DecapsulationKey, EncapsulationKey, ParameterSet, Seed};
use crate::key_info::{Forms, document_of_public_key, document_of_seed, public_key};
use pkcs8::{
    Document, KeyError, PrivateKeyInfoRef, SecretDocument,
    der::AnyRef,
    spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SubjectPublicKeyInfoRef},
};

pub use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

macro_rules! algorithm {
    ($key:ident) => {
        impl<P: ParameterSet> AssociatedAlgorithmIdentifier for $key<P> {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                AlgorithmIdentifier { oid: P::OID, parameters: None };
        }
    };
}

algorithm!(EncapsulationKey);
algorithm!(DecapsulationKey);

impl<P: ParameterSet> EncodePublicKey for EncapsulationKey<P> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        document_of_public_key(P::OID, self.as_bytes())
    }
}

impl<P: ParameterSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for EncapsulationKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_bytes(public_key(&info, P::OID)?).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl<P: ParameterSet> EncodePrivateKey for DecapsulationKey<P> {
    /// **Errors** if the key was read in its expanded form, which no seed is known of.
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let seed = zeroize::Zeroizing::new(self.to_seed().ok_or(KeyError::Invalid)?);
        document_of_seed(P::OID, &seed[..])
    }
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for DecapsulationKey<P> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Forms::of(&info, P::OID)?.key(|seed| Self::from_seed(Seed::from(*seed)), Self::from_expanded)
    }
}
