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

#[cfg(test)]
mod tests {
    use super::*;
    use ringwork::ct::sys_rng;

    /// As the draft writes it: version, suite, length of the label, label, length of the seed.
    #[test]
    fn keys_are_derived_by_labels() {
        let (private, public) = MlKem768X25519::derive_keypair(b"ikm");
        let mut seed = [0; SEED_BYTES];
        Shake256::new(b"ikmHPKE-v1KEM\x64\x7a\x00\x0dDeriveKeyPair\x00\x20").read(&mut seed);
        assert_eq!(private.to_bytes()[..], seed);
        assert_eq!(public.to_bytes()[..], DecapsulationKey::from_seed(&seed).encapsulation_key().as_bytes());
        let again = PrivateKey::from_bytes(&seed).unwrap();
        assert!(bool::from(again.ct_eq(&private)));
        assert!(!bool::from(again.ct_eq(&MlKem768X25519::derive_keypair(b"ikn").0)));
    }

    #[test]
    fn senders_are_not_authenticated() {
        let (private, public) = MlKem768X25519::derive_keypair(b"ikm");
        let sealed = MlKem768X25519::encap_with_rng(&public, None, &mut sys_rng());
        let (shared, ciphertext) = sealed.unwrap();
        let opened = MlKem768X25519::decap(&private, None, &ciphertext).unwrap();
        assert_eq!(opened.0, shared.0);
        let sender = Some((&private, &public));
        assert!(MlKem768X25519::encap_with_rng(&public, sender, &mut sys_rng()).is_err());
        assert!(MlKem768X25519::decap(&private, Some(&public), &ciphertext).is_err());
    }

    #[test]
    fn keys_and_ciphertexts_have_their_lengths() {
        let (private, public) = MlKem768X25519::derive_keypair(b"ikm");
        let (_, ciphertext) = MlKem768X25519::encap_with_rng(&public, None, &mut sys_rng()).unwrap();
        let [private, public, ciphertext] =
            [private.to_bytes().to_vec(), public.to_bytes().to_vec(), ciphertext.to_bytes().to_vec()];
        assert_eq!([private.len(), public.len(), ciphertext.len()], [32, 1216, 1120]);
        assert_eq!(PublicKey::from_bytes(&public).unwrap().to_bytes()[..], public);
        assert_eq!(EncappedKey::from_bytes(&ciphertext).unwrap().to_bytes()[..], ciphertext);
        let length = |given, expected| HpkeError::IncorrectInputLength(expected, given);
        assert_eq!(PrivateKey::from_bytes(&private[1..]).err(), Some(length(31, 32)));
        assert_eq!(PublicKey::from_bytes(&public[1..]).err(), Some(length(1215, 1216)));
        assert_eq!(EncappedKey::from_bytes(&ciphertext[1..]).err(), Some(length(1119, 1120)));
        assert_eq!(PublicKey::from_bytes(&[0xFF; 1216]).err(), Some(HpkeError::ValidationError));
    }
}
