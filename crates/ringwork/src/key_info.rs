//! The keys of the module-lattice standards in PKCS #8 and SubjectPublicKeyInfo.
//!
//! A private key is a seed, an expanded key, or both, which must then match; it is written as a seed.
//!
//! Source: RFC 9935, section 6 (ML-KEM), and RFC 9881, section 6 (ML-DSA), which define
//! `CHOICE { seed [0] OCTET STRING, expandedKey OCTET STRING, both SEQUENCE { seed, expandedKey } }`.

use pkcs8::{
    AlgorithmIdentifierRef, Document, KeyError, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
    der::{
        self, Decode, Encode, Header, Reader, SliceReader, Tag, TagMode, TagNumber,
        asn1::{BitStringRef, ContextSpecific, OctetStringRef},
    },
    spki::{self, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef},
};
use zeroize::Zeroizing;

const SEED: TagNumber = TagNumber(0);

/// The forms present in a private key.
#[derive(Clone, Copy)]
pub(crate) struct Forms<'a> {
    seed: Option<&'a [u8]>,
    expanded: Option<&'a [u8]>,
    /// The public key that stands beside them, if one does (RFC 5958, version 2).
    public: Option<&'a [u8]>,
}

impl<'a> Forms<'a> {
    /// **Errors** if none of the three forms is present, or the key is of another algorithm.
    pub(crate) fn of(key: &PrivateKeyInfoRef<'a>, oid: ObjectIdentifier) -> pkcs8::Result<Self> {
        key.algorithm.assert_algorithm_oid(oid)?;
        if key.algorithm.parameters.is_some() {
            return Err(pkcs8::Error::ParametersMalformed);
        }
        let public = key.public_key.as_ref().map(|bits| bits.as_bytes().ok_or(KeyError::Invalid)).transpose()?;
        Ok(Self { public, ..Self::read(key.private_key.as_bytes())? })
    }

    fn read(bytes: &'a [u8]) -> der::Result<Self> {
        let mut reader = SliceReader::new(bytes)?;
        let forms = match Header::peek(&reader)?.tag() {
            Tag::ContextSpecific { .. } => {
                let seed = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, SEED)?;
                let seed = seed.ok_or_else(|| reader.error(der::ErrorKind::Failed))?;
                Self { seed: Some(seed.value.as_bytes()), expanded: None, public: None }
            }
            Tag::Sequence => reader.sequence(|reader| {
                let [seed, expanded] = [<&OctetStringRef>::decode(reader)?, <&OctetStringRef>::decode(reader)?];
                let (seed, expanded) = (Some(seed.as_bytes()), Some(expanded.as_bytes()));
                Ok::<_, der::Error>(Self { seed, expanded, public: None })
            })?,
            _ => {
                let expanded = Some(<&OctetStringRef>::decode(&mut reader)?.as_bytes());
                Self { seed: None, expanded, public: None }
            }
        };
        reader.finish()?;
        Ok(forms)
    }

    /// The seed, if there is one.
    ///
    /// **Errors** if it has another length.
    pub(crate) fn seed<const L: usize>(&self) -> pkcs8::Result<Option<&'a [u8; L]>> {
        Ok(self.seed.map(<&[u8; L]>::try_from).transpose().map_err(|_| KeyError::Invalid)?)
    }

    /// The key from the seed if there is one, else from the expanded form.
    ///
    /// **Errors** if a form is malformed, if both are present and give different keys, or if a public key is present
    /// and is not that of the key.
    pub(crate) fn key<const L: usize, K: PartialEq, E>(
        &self,
        of_seed: impl FnOnce(&[u8; L]) -> K,
        of_expanded: impl FnOnce(&[u8]) -> Result<K, E>,
        public: impl FnOnce(&K) -> &[u8],
    ) -> pkcs8::Result<K> {
        let expanded = self.expanded.map(of_expanded).transpose().map_err(|_| KeyError::Invalid)?;
        let key = match (self.seed()?.map(of_seed), expanded) {
            (Some(key), Some(expanded)) if key != expanded => return Err(KeyError::Invalid.into()),
            (key, expanded) => key.or(expanded).ok_or(KeyError::Invalid)?,
        };
        if self.public.is_some_and(|found| found != public(&key)) {
            return Err(KeyError::Invalid.into());
        }
        Ok(key)
    }
}

/// The PKCS #8 document of a seed.
pub(crate) fn document_of_seed(oid: ObjectIdentifier, seed: &[u8]) -> pkcs8::Result<SecretDocument> {
    let value = OctetStringRef::new(seed)?;
    let seed = ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value }.to_der()?;
    let seed = Zeroizing::new(seed);
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&seed)?);
    Ok(SecretDocument::encode_msg(&info)?)
}

/// The bytes of a public key.
///
/// **Errors** if the key is of another algorithm.
pub(crate) fn public_key<'a>(info: &SubjectPublicKeyInfoRef<'a>, oid: ObjectIdentifier) -> spki::Result<&'a [u8]> {
    info.algorithm.assert_algorithm_oid(oid)?;
    if info.algorithm.parameters.is_some() {
        return Err(spki::Error::KeyMalformed);
    }
    info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)
}

/// The SubjectPublicKeyInfo document of a public key.
pub(crate) fn document_of_public_key(oid: ObjectIdentifier, bytes: &[u8]) -> spki::Result<Document> {
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    SubjectPublicKeyInfo { algorithm, subject_public_key: BitStringRef::new(0, bytes)? }.try_into()
}

/// The common part of the standards' keys: `$public<P>` in SubjectPublicKeyInfo, and the identifier `P::OID` of all
/// types named. Each standard defines by itself how private keys are read and written.
macro_rules! standard_keys {
    ($set:ident: $public:ident, $($also:ident)*) => {
        standard_keys! { @identifiers $set: $public $($also)* }

        impl<P: $set> EncodePublicKey for $public<P> {
            fn to_public_key_der(&self) -> spki::Result<Document> {
                $crate::key_info::document_of_public_key(P::OID, self.as_bytes())
            }
        }

        impl<P: $set> TryFrom<SubjectPublicKeyInfoRef<'_>> for $public<P> {
            type Error = spki::Error;

            fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
                let bytes = $crate::key_info::public_key(&info, P::OID)?;
                Self::from_bytes(bytes).map_err(|_| spki::Error::KeyMalformed)
            }
        }

        impl<P: $set> $public<P> {
            /// The public key of a PEM document, with blanks, blank lines and lines of any length.
            ///
            /// **Errors** if it is no such document, or of another algorithm.
            pub fn from_public_key_pem(text: &str) -> spki::Result<Self> {
                DecodePublicKey::from_public_key_pem(&$crate::pem::tidied(text, "PUBLIC KEY"))
            }
        }
    };
    (@identifiers $set:ident: $($key:ident)*) => {$(
        impl<P: $set> AssociatedAlgorithmIdentifier for $key<P> {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> =
                AlgorithmIdentifier { oid: P::OID, parameters: None };
        }
    )*};
}

/// The same for private keys.
macro_rules! private_pem {
    ($set:ident: $($key:ident)*) => {$(
        impl<P: $set> $key<P> {
            /// The private key of a PEM document, with blanks, blank lines and lines of any length.
            ///
            /// **Errors** if it is no such document, or of another algorithm, or does not match itself.
            pub fn from_pkcs8_pem(text: &str) -> pkcs8::Result<Self> {
                DecodePrivateKey::from_pkcs8_pem(&$crate::pem::tidied(text, "PRIVATE KEY"))
            }
        }
    )*};
}
pub(crate) use private_pem;
pub(crate) use standard_keys;
