//! Keys in PKCS #8 and SubjectPublicKeyInfo: RFC 9935.
//!
//! Private keys are read as a seed, an expanded key or both, which must then match, and written as
//! a seed.

use super::{DecapsulationKey, EncapsulationKey, ParameterSet};
use crate::key_info::{Forms, document_of_seed, private_pem, standard_keys};
use pkcs8::{
    Document, KeyError, PrivateKeyInfoRef, SecretDocument,
    der::AnyRef,
    spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SubjectPublicKeyInfoRef},
};

pub use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

private_pem! { ParameterSet: DecapsulationKey }
standard_keys! { ParameterSet: EncapsulationKey, DecapsulationKey }

impl<P: ParameterSet> EncodePrivateKey for DecapsulationKey<P> {
    /// **Errors** if the key was read in its expanded form, for which no seed is known.
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        document_of_seed(P::OID, &self.seed_bytes().ok_or(KeyError::Invalid)?[..])
    }
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for DecapsulationKey<P> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Forms::of(&info, P::OID)?.key(Self::of_seed, Self::from_expanded, |key| key.encapsulation_key().as_bytes())
    }
}
