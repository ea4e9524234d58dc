//! MLKEM768-X25519, KEM 0x647a of HPKE, on [`ringwork::xwing`].
//!
//! Source: draft-ietf-hpke-pq-03, section 4; RFC 9180.

use hpke::{
    Deserializable, HpkeError, Serializable,
    kem::{Kem, SharedSecret},
};
use hybrid_array::{
    Array,
    sizes::{U32, U1120, U1216},
};
use rand_core::CryptoRng;
use ringwork::{
    ct::SecretBytes,
    xof::ByteStream,
    xof::Shake256,
    xwing::{self, CIPHERTEXT_BYTES, DecapsulationKey, EncapsulationKey, HPKE_KEM_ID, SEED_BYTES},
};
use subtle::{Choice, ConstantTimeEq};
use x25519_dalek::StaticSecret;
use zeroize::Zeroizing;

/// The KEM.
pub(crate) struct MlKem768X25519;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublicKey(pub(crate) EncapsulationKey);

#[derive(Clone)]
pub(crate) struct PrivateKey(pub(crate) DecapsulationKey);

#[derive(Clone)]
pub(crate) struct EncappedKey([u8; CIPHERTEXT_BYTES]);

fn sized<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], HpkeError> {
    bytes.try_into().map_err(|_| HpkeError::IncorrectInputLength(N, bytes.len()))
}

impl Serializable for PublicKey {
    type OutputSize = U1216;

    fn write_exact(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.as_bytes());
    }
}

impl Deserializable for PublicKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        EncapsulationKey::from_bytes(sized::<{ xwing::PUBLIC_KEY_BYTES }>(bytes)?)
            .map(Self)
            .map_err(|_| HpkeError::ValidationError)
    }
}

impl Serializable for PrivateKey {
    type OutputSize = U32;

    fn write_exact(&self, out: &mut [u8]) {
        out.copy_from_slice(self.0.as_seed());
    }
}

impl Deserializable for PrivateKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        Ok(Self(DecapsulationKey::from_seed(sized::<SEED_BYTES>(bytes)?)))
    }
}

impl ConstantTimeEq for PrivateKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.as_seed().ct_eq(other.0.as_seed())
    }
}

impl Serializable for EncappedKey {
    type OutputSize = U1120;

    fn write_exact(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.0);
    }
}

impl Deserializable for EncappedKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        let bytes = sized(bytes)?;
        if is_of_low_order(bytes) { Err(HpkeError::ValidationError) } else { Ok(Self(*bytes)) }
    }
}

/// Whether X25519 gives zero for what these bytes end with, whatever the secret: RFC 9180, section
/// 7.1.4, refuses that, and X-Wing alone does not. Nothing here is secret.
pub(crate) fn is_of_low_order(bytes: &[u8]) -> bool {
    let share: [u8; 32] = *bytes.last_chunk().expect("keys and ciphertexts end with a share");
    !StaticSecret::from([1; 32]).diffie_hellman(&x25519_dalek::PublicKey::from(share)).was_contributory()
}

impl Kem for MlKem768X25519 {
    type PublicKey = PublicKey;
    type PrivateKey = PrivateKey;
    type EncappedKey = EncappedKey;
    type NSecret = U32;
    const KEM_ID: u16 = HPKE_KEM_ID;

    fn sk_to_pk(key: &PrivateKey) -> PublicKey {
        PublicKey(key.0.encapsulation_key().clone())
    }

    /// `LabeledDerive` of SHAKE-256 with the label `DeriveKeyPair`: section 4 of the draft.
    fn derive_keypair(ikm: &[u8]) -> (PrivateKey, PublicKey) {
        let mut input = Zeroizing::new(ikm.to_vec());
        input.extend(b"HPKE-v1KEM");
        input.extend(HPKE_KEM_ID.to_be_bytes());
        input.extend((13_u16).to_be_bytes());
        input.extend(b"DeriveKeyPair");
        input.extend((SEED_BYTES as u16).to_be_bytes());
        let mut seed = SecretBytes::<SEED_BYTES>::zeros();
        Shake256::new(&input).read(&mut seed[..]);
        let key = PrivateKey(DecapsulationKey::from_seed(&seed));
        let public = Self::sk_to_pk(&key);
        (key, public)
    }

    fn decap(
        key: &PrivateKey,
        sender: Option<&PublicKey>,
        ciphertext: &EncappedKey,
    ) -> Result<SharedSecret<Self>, HpkeError> {
        let shared = key.0.decapsulate_bytes(&ciphertext.0).map_err(|_| HpkeError::DecapError)?;
        if sender.is_some() { Err(HpkeError::DecapError) } else { Ok(secret(&shared)) }
    }

    fn encap_with_rng(
        key: &PublicKey,
        sender: Option<(&PrivateKey, &PublicKey)>,
        rng: &mut impl CryptoRng,
    ) -> Result<(SharedSecret<Self>, EncappedKey), HpkeError> {
        // Without authentication of senders, which X-Wing does not have.
        if sender.is_some() || is_of_low_order(&key.0.as_bytes()) {
            return Err(HpkeError::EncapError);
        }
        let (ciphertext, shared) = key.0.encapsulate_derand(&SecretBytes::random(rng));
        Ok((secret(&shared), EncappedKey(ciphertext)))
    }
}

fn secret(shared: &SecretBytes<32>) -> SharedSecret<MlKem768X25519> {
    SharedSecret(Array::from(*shared.as_bytes()))
}
