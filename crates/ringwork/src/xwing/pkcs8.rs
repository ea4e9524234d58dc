//! Keys in PKCS #8 and SubjectPublicKeyInfo, by the identifier of the draft: the bytes of a key stand there as they are, a
//! private one as its seed.
//!
//! Source: draft-connolly-cfrg-xwing-kem-10, whose examples the tests have.

use super::{DecapsulationKey, EncapsulationKey, SEED_BYTES};
use crate::key_info::{document_of_public_key, public_key};
use pkcs8::{
    AlgorithmIdentifierRef, Document, KeyError, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
    der::{AnyRef, asn1::OctetStringRef},
    spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SubjectPublicKeyInfoRef},
};

pub use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

/// The identifier of X-Wing.
pub const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.62253.25722");

macro_rules! identified {
    ($($key:ident)*) => {$(
        impl AssociatedAlgorithmIdentifier for $key {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                AlgorithmIdentifier { oid: OID, parameters: None };
        }
    )*};
}

identified! { EncapsulationKey DecapsulationKey }

impl EncodePublicKey for EncapsulationKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        document_of_public_key(OID, &self.as_bytes())
    }
}

impl TryFrom<SubjectPublicKeyInfoRef<'_>> for EncapsulationKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_bytes(public_key(&info, OID)?).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl EncodePrivateKey for DecapsulationKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let algorithm = AlgorithmIdentifierRef { oid: OID, parameters: None };
        let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(self.as_seed())?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

impl TryFrom<PrivateKeyInfoRef<'_>> for DecapsulationKey {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        info.algorithm.assert_algorithm_oid(OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(pkcs8::Error::ParametersMalformed);
        }
        let seed: &[u8; SEED_BYTES] = info.private_key.as_bytes().try_into().map_err(|_| KeyError::Invalid)?;
        let key = Self::from_seed(seed);
        let public = info.public_key.as_ref().map(|bits| bits.as_bytes());
        if public.is_some_and(|found| found != Some(&key.encapsulation_key().as_bytes())) {
            return Err(KeyError::Invalid.into());
        }
        Ok(key)
    }
}

impl EncapsulationKey {
    /// The public key of a PEM document, with blanks, blank lines and lines of any length.
    ///
    /// **Errors** if it is no such document, or of another algorithm.
    pub fn from_public_key_pem(text: &str) -> spki::Result<Self> {
        DecodePublicKey::from_public_key_pem(&crate::pem::tidied(text, "PUBLIC KEY"))
    }
}

impl DecapsulationKey {
    /// The private key of a PEM document, with blanks, blank lines and lines of any length.
    ///
    /// **Errors** if it is no such document, or of another algorithm, or does not match itself.
    pub fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
        DecodePrivateKey::from_pkcs8_pem(&crate::pem::tidied(text, "PRIVATE KEY"))
    }
}
