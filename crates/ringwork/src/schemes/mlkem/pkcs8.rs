//! Keys in PKCS #8 and SubjectPublicKeyInfo: RFC 9935.
//!
//! Private keys are read as seed, expanded key or both, which must then belong together, and written
//! as seed.

use super::{DecapsulationKey, EncapsulationKey, ParameterSet, SEED_BYTES, Seed};
use crate::private_key::{Forms, document_of_seed};
use pkcs8::{
    Document, KeyError, PrivateKeyInfoRef, SecretDocument,
    der::{AnyRef, asn1::BitStringRef},
    spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef},
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
        let subject_public_key = BitStringRef::new(0, self.as_bytes())?;
        SubjectPublicKeyInfo { algorithm: Self::ALGORITHM_IDENTIFIER, subject_public_key }.try_into()
    }
}

impl<P: ParameterSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for EncapsulationKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(P::OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::AlgorithmParametersMissing);
        }
        let bytes = info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)?;
        Self::from_bytes(bytes).map_err(|_| spki::Error::KeyMalformed)
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
        info.algorithm.assert_algorithm_oid(P::OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(pkcs8::Error::ParametersMalformed);
        }
        let forms = Forms::of(&info)?;
        let of_expanded = |bytes| Self::from_expanded(bytes).map_err(|_| KeyError::Invalid);
        let Some(seed) = forms.seed else {
            return Ok(of_expanded(forms.expanded.ok_or(KeyError::Invalid)?)?);
        };
        let seed: &[u8; SEED_BYTES] = seed.try_into().map_err(|_| KeyError::Invalid)?;
        let key = Self::from_seed(Seed::from(*seed));
        match forms.expanded {
            Some(expanded) if of_expanded(expanded)? != key => Err(KeyError::Invalid.into()),
            _ => Ok(key),
        }
    }
}
