//! The private keys of the module-lattice standards inside PKCS #8: a seed, an expanded key, or both.
//!
//! Source: RFC 9935, section 6 (ML-KEM), and RFC 9881, section 6 (ML-DSA), which define
//! `CHOICE { seed [0] OCTET STRING, expandedKey OCTET STRING, both SEQUENCE { seed, expandedKey } }`.

use pkcs8::{
    AlgorithmIdentifierRef, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
    der::{
        self, Decode, Encode, Header, Reader, SliceReader, Tag, TagMode, TagNumber,
        asn1::{ContextSpecific, OctetStringRef},
    },
};
use zeroize::Zeroizing;

const SEED: TagNumber = TagNumber(0);

/// What a private key has.
#[derive(Clone, Copy)]
pub(crate) struct Forms<'a> {
    pub(crate) seed: Option<&'a [u8]>,
    pub(crate) expanded: Option<&'a [u8]>,
}

impl<'a> Forms<'a> {
    /// **Errors** if it is none of the three.
    pub(crate) fn of(key: &PrivateKeyInfoRef<'a>) -> der::Result<Self> {
        let mut reader = SliceReader::new(key.private_key.as_bytes())?;
        let forms = match Header::peek(&reader)?.tag() {
            Tag::ContextSpecific { .. } => {
                let seed = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, SEED)?;
                let seed = seed.ok_or_else(|| reader.error(der::ErrorKind::Failed))?;
                Self { seed: Some(seed.value.as_bytes()), expanded: None }
            }
            Tag::Sequence => reader.sequence(|reader| {
                let [seed, expanded] = [<&OctetStringRef>::decode(reader)?, <&OctetStringRef>::decode(reader)?];
                Ok::<_, der::Error>(Self { seed: Some(seed.as_bytes()), expanded: Some(expanded.as_bytes()) })
            })?,
            _ => Self { seed: None, expanded: Some(<&OctetStringRef>::decode(&mut reader)?.as_bytes()) },
        };
        reader.finish()?;
        Ok(forms)
    }
}

/// PKCS #8 of a seed.
pub(crate) fn document_of_seed(oid: ObjectIdentifier, seed: &[u8]) -> pkcs8::Result<SecretDocument> {
    let value = OctetStringRef::new(seed)?;
    let seed = ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value }.to_der()?;
    let seed = Zeroizing::new(seed);
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&seed)?);
    Ok(SecretDocument::encode_msg(&info)?)
}
