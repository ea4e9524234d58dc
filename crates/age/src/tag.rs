//! Tagged recipients, whose identities are in hardware: the recipient types `p256tag` and `mlkem768p256tag`.
//!
//! A file key is sealed by HPKE in base mode, with HKDF-SHA256 and ChaCha20-Poly1305: for `age1tag1…` by
//! DHKEM(P-256, HKDF-SHA256), for `age1tagpq1…` by MLKEM768-P256. A stanza has a tag by which whoever knows the
//! recipient finds it without the hardware. Plugins have the identities: this module encrypts.
//!
//! **Constant time:** as ML-KEM, and as the crate `p256`; recipients are public.
//!
//! Source: C2SP, age.md, "The tagged recipient types"; RFC 9180, section 4.1; draft-ietf-hpke-pq-03, section 4, with
//! draft-irtf-cfrg-hybrid-kems for the combiner.

use crate::{
    KeyError,
    bech32::encode,
    decode, hybrid, parts,
    seal::{extract, joined, of_product, sealed},
};
use age::EncryptError;
use age_core::{
    format::{FileKey, Stanza},
    secrecy::ExposeSecret,
};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use core::{fmt, str::FromStr};
use p256::{PublicKey, SecretKey, ecdh::diffie_hellman, elliptic_curve::sec1::ToSec1Point};
use ringwork::{
    ct::{SecretBytes, sys_rng},
    schemes::mlkem::{EncapsulationKey, MlKem768, ParameterSet},
    xof::sha3_256,
};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

pub(crate) const RECIPIENT: &str = "age1tag";
pub(crate) const HYBRID_RECIPIENT: &str = "age1tagpq";
const POINT_BYTES: usize = 33;
const WHOLE_POINT_BYTES: usize = 65;
const TAG_BYTES: usize = 4;
/// The numbers of the KEMs in HPKE.
const DHKEM_P256: u16 = 0x0010;
const MLKEM768_P256: u16 = 0x0050;
/// What keys of the hybrid KEM are told apart by.
const COMBINED: &[u8] = b"MLKEM768-P256";

/// A public key.
#[derive(Clone)]
pub struct Recipient {
    /// Of the hybrid.
    mlkem: Option<Box<EncapsulationKey<MlKem768>>>,
    point: PublicKey,
}

impl Recipient {
    /// `age1tag1…` of the bytes of its text.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        Ok(Self { mlkem: None, point: point(bytes, POINT_BYTES)? })
    }

    /// `age1tagpq1…` of the bytes of its text.
    pub(crate) fn hybrid_from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        const BYTES: usize = MlKem768::ENCAPSULATION_KEY_BYTES;
        let (mlkem, rest) = bytes.split_at_checked(BYTES).unwrap_or((bytes, b""));
        let mlkem = EncapsulationKey::from_bytes(mlkem).map_err(|why| KeyError::Key(why.to_string()))?;
        Ok(Self { mlkem: Some(mlkem.into()), point: point(rest, WHOLE_POINT_BYTES)? })
    }

    /// Whether a quantum computer is not known to open its files.
    pub const fn is_hybrid(&self) -> bool {
        self.mlkem.is_some()
    }

    /// The name of its scheme, which is that of its stanzas.
    pub const fn scheme(&self) -> &'static str {
        if self.is_hybrid() { "mlkem768p256tag" } else { "p256tag" }
    }

    fn info(&self) -> Vec<u8> {
        [b"age-encryption.org/", self.scheme().as_bytes()].concat()
    }

    /// The point, which the text has short if there is nothing before it.
    fn point_bytes(&self) -> Vec<u8> {
        self.point.to_sec1_point(!self.is_hybrid()).as_bytes().to_vec()
    }

    /// By what a stanza is found.
    fn tag(&self, enc: &[u8]) -> [u8; TAG_BYTES] {
        let name = Sha256::digest(self.point_bytes());
        let key = extract(&self.info(), &[enc, &name[..TAG_BYTES]]);
        *key.first_chunk().expect("a hash has 32 bytes")
    }

    /// What one side sends, and the key that both have then, of random numbers.
    fn encapsulated(&self, ephemeral: &SecretKey, message: &SecretBytes<32>) -> (Vec<u8>, SecretBytes<32>) {
        let share = ephemeral.public_key().to_sec1_point(false);
        let product = diffie_hellman(ephemeral.to_nonzero_scalar(), self.point.as_affine());
        let whole = self.point.to_sec1_point(false);
        let points = [share.as_bytes(), whole.as_bytes()];
        let Some(mlkem) = &self.mlkem else {
            return (points[0].to_vec(), of_product(DHKEM_P256, product.raw_secret_bytes(), &points));
        };
        let (ciphertext, shared) = mlkem.encapsulate_derand(message);
        let key = combined(shared.as_bytes(), product.raw_secret_bytes(), points);
        ([&ciphertext[..], points[0]].concat(), key)
    }
}

/// The key of the hybrid: of both keys, what is sent to the point, and the point.
fn combined(mlkem: &[u8; 32], product: &[u8], [share, point]: [&[u8]; 2]) -> SecretBytes<32> {
    let mut key = SecretBytes::zeros();
    key.copy_from_slice(&sha3_256(&joined(&[mlkem, product, share, point, COMBINED])));
    key
}

/// The point of so many bytes.
fn point(bytes: &[u8], length: usize) -> Result<PublicKey, KeyError> {
    if bytes.len() != length {
        return Err(KeyError::Key(format!("its point has {length} bytes, and there are {}", bytes.len())));
    }
    PublicKey::from_sec1_bytes(bytes).map_err(|_| KeyError::Key("what it has is no point of P-256".into()))
}

/// A random number below the order.
fn scalar() -> SecretKey {
    loop {
        if let Ok(key) = SecretKey::from_slice(&SecretBytes::<32>::random(&mut sys_rng())[..]) {
            return key;
        }
    }
}

impl FromStr for Recipient {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        match parts(text.trim())? {
            (prefix, bytes) if prefix == HYBRID_RECIPIENT => Self::hybrid_from_bytes(&bytes),
            _ => Self::from_bytes(&decode(text, RECIPIENT)?),
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = self.point_bytes();
        f.write_str(&match &self.mlkem {
            None => encode(RECIPIENT, &point),
            Some(mlkem) => encode(HYBRID_RECIPIENT, &[mlkem.as_bytes(), &point].concat()),
        })
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let (enc, shared) = self.encapsulated(&scalar(), &SecretBytes::random(&mut sys_rng()));
        let kem = if self.is_hybrid() { MLKEM768_P256 } else { DHKEM_P256 };
        let body = sealed(kem, &shared, &self.info(), file_key.expose_secret());
        let args = [&self.tag(&enc)[..], &enc].map(|argument| BASE64_STANDARD_NO_PAD.encode(argument)).into();
        let labels = self.is_hybrid().then(|| hybrid::LABEL.to_owned()).into_iter().collect();
        Ok((vec![Stanza { tag: self.scheme().into(), args, body }], labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::cipher;
    use age::Recipient as _;
    use chacha20poly1305::aead::Aead;
    use ringwork::schemes::mlkem::DecapsulationKey;

    /// Keys and stanzas by Go's age 1.3.1, of `DeriveKeyPair("ringwork")` and the file key YELLOW SUBMARINE.
    const VECTORS: [&str; 2] =
        [include_str!("../../../vectors/age/p256tag.txt"), include_str!("../../../vectors/age/mlkem768p256tag.txt")];

    /// What has the secret of a vector: the seed of both halves for the hybrid, as the draft expands it.
    struct Opener {
        recipient: Recipient,
        scalar: SecretKey,
        mlkem: Option<DecapsulationKey<MlKem768>>,
    }

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
    }

    impl Opener {
        fn of(secret: &str, recipient: &str) -> Self {
            use ringwork::xof::{ByteStream, Shake256};
            let recipient: Recipient = recipient.parse().unwrap();
            let secret = hex(secret);
            if !recipient.is_hybrid() {
                return Self { recipient, scalar: SecretKey::from_slice(&secret).unwrap(), mlkem: None };
            }
            let (mut seed, mut rest, mut stream) = ([0; 64], [0; 32], Shake256::new(&secret));
            stream.read(&mut seed);
            stream.read(&mut rest);
            let mlkem = Some(DecapsulationKey::of_seed(&seed));
            Self { recipient, scalar: SecretKey::from_slice(&rest).unwrap(), mlkem }
        }

        fn open(&self, enc: &[u8], body: &[u8]) -> Option<Vec<u8>> {
            let (ciphertext, share) = enc.split_at(enc.len() - WHOLE_POINT_BYTES);
            let other = PublicKey::from_sec1_bytes(share).unwrap();
            let product = diffie_hellman(self.scalar.to_nonzero_scalar(), other.as_affine());
            let own = self.scalar.public_key().to_sec1_point(false);
            let points = [share, own.as_bytes()];
            let (kem, shared) = match &self.mlkem {
                None => (DHKEM_P256, of_product(DHKEM_P256, product.raw_secret_bytes(), &points)),
                Some(mlkem) => {
                    let shared = mlkem.decapsulate_bytes(ciphertext).unwrap();
                    (MLKEM768_P256, combined(shared.as_bytes(), product.raw_secret_bytes(), points))
                }
            };
            let (cipher, nonce) = cipher(kem, &shared, &self.recipient.info());
            cipher.decrypt(&nonce, body).ok()
        }
    }

    fn decoded(text: &str) -> Vec<u8> {
        BASE64_STANDARD_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn stanzas_of_go_are_opened_and_ours_are_like_them() {
        for (vector, scheme) in VECTORS.into_iter().zip(["p256tag", "mlkem768p256tag"]) {
            let [secret, recipient, stanza, body] = vector.lines().collect::<Vec<_>>()[..] else {
                panic!("four lines")
            };
            let opener = Opener::of(secret, recipient);
            let Recipient { point, .. } = &opener.recipient;
            assert_eq!((opener.recipient.scheme(), opener.recipient.to_string()), (scheme, recipient.into()));
            assert_eq!(*point, opener.scalar.public_key());
            let any: crate::keys::Recipient = recipient.parse().unwrap();
            assert_eq!((any.scheme(), any.is_post_quantum()), (scheme, opener.recipient.is_hybrid()));
            assert_eq!(any.to_string(), format!("{:?}", opener.recipient));
            let [kind, tag, enc] = stanza.split(' ').collect::<Vec<_>>()[..] else { panic!("three words") };
            assert_eq!((kind, decoded(tag)), (scheme, opener.recipient.tag(&decoded(enc)).to_vec()));
            assert_eq!(opener.open(&decoded(enc), &decoded(body)).unwrap(), b"YELLOW SUBMARINE");

            let file_key = FileKey::init_with_mut(|key| key.copy_from_slice(b"YELLOW SUBMARINE"));
            let (stanzas, labels) = opener.recipient.wrap_file_key(&file_key).unwrap();
            assert_eq!(labels.contains("postquantum"), opener.recipient.is_hybrid());
            let [Stanza { tag, args, body }] = &stanzas[..] else { panic!("one stanza") };
            let [name, sent] = &args[..] else { panic!("two arguments") };
            assert_eq!((&**tag, sent.len(), body.len()), (scheme, enc.len(), 32));
            assert_eq!(decoded(name), opener.recipient.tag(&decoded(sent)));
            assert_eq!(opener.open(&decoded(sent), body).unwrap(), b"YELLOW SUBMARINE");
            let (again, _) = opener.recipient.wrap_file_key(&file_key).unwrap();
            assert_ne!(again[0].args, *args);
        }
    }
}
