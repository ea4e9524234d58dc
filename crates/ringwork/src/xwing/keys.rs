//! Keys that are expanded once.

use super::{CIPHERTEXT_BYTES, COIN_BYTES, PUBLIC_KEY_BYTES, SEED_BYTES, X25519_BYTES, XWing, combine};
use crate::{
    ct::{SecretBytes, scrubbed, working},
    decode::{DecodeError, check_length},
    schemes::mlkem::{self, B32, MlKem768, ParameterSet},
    xof::{ByteStream, Shake256},
};
use core::fmt;
use hybrid_array::{Array, sizes};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport, KeyInit,
    KeySizeUser, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::ZeroizeOnDrop;

/// The shared key of both sides.
pub type SharedKey = SecretBytes<SEED_BYTES>;

/// A public key, expanded.
#[derive(Clone, PartialEq, Eq)]
pub struct EncapsulationKey {
    mlkem: mlkem::EncapsulationKey<MlKem768>,
    x25519: PublicKey,
}

/// A secret key, expanded, with its public key. Wiped on drop.
#[derive(Clone)]
pub struct DecapsulationKey {
    mlkem: mlkem::DecapsulationKey<MlKem768>,
    x25519: SecretBytes<X25519_BYTES>,
    key: EncapsulationKey,
    seed: SecretBytes<SEED_BYTES>,
}

impl EncapsulationKey {
    /// **Errors** if the length is wrong or ML-KEM refuses its part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        check_length("an X-Wing public key", PUBLIC_KEY_BYTES, bytes)?;
        let (mlkem, x25519) = bytes.split_last_chunk::<X25519_BYTES>().expect("the length was checked");
        Ok(Self { mlkem: mlkem::EncapsulationKey::from_bytes(mlkem)?, x25519: PublicKey::from(*x25519) })
    }

    /// The bytes of this key.
    pub fn as_bytes(&self) -> [u8; PUBLIC_KEY_BYTES] {
        let mut bytes = [0; PUBLIC_KEY_BYTES];
        bytes[..MlKem768::ENCAPSULATION_KEY_BYTES].copy_from_slice(self.mlkem.as_bytes());
        bytes[MlKem768::ENCAPSULATION_KEY_BYTES..].copy_from_slice(self.x25519.as_bytes());
        bytes
    }

    /// A ciphertext and the shared key it carries, with the caller's random bytes: 32 for ML-KEM, then 32 for X25519.
    /// For tests and known answers: these bytes must be secret and never used twice.
    pub fn encapsulate_derand(&self, coins: &[u8; COIN_BYTES]) -> ([u8; CIPHERTEXT_BYTES], SharedKey) {
        scrubbed(|| self.encapsulate_with(coins))
    }

    fn encapsulate_with(&self, coins: &[u8; COIN_BYTES]) -> ([u8; CIPHERTEXT_BYTES], SharedKey) {
        let (m, y) = coins.split_first_chunk::<32>().expect("64 bytes");
        let (of_mlkem, shared) = self.mlkem.encapsulate_derand(m);
        let ephemeral = StaticSecret::from(*y.first_chunk::<32>().expect("32 bytes"));
        let public = PublicKey::from(&ephemeral);
        let mut ciphertext = [0; CIPHERTEXT_BYTES];
        ciphertext[..MlKem768::CIPHERTEXT_BYTES].copy_from_slice(&of_mlkem);
        ciphertext[MlKem768::CIPHERTEXT_BYTES..].copy_from_slice(public.as_bytes());
        let of_x25519 = ephemeral.diffie_hellman(&self.x25519);
        let mut both = SharedKey::zeros();
        combine([shared.as_bytes(), of_x25519.as_bytes()], &public, &self.x25519, &mut both);
        (ciphertext, both)
    }
}

impl DecapsulationKey {
    /// The key generated from a seed.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        scrubbed(|| Self::of_seed(seed))
    }

    fn of_seed(seed: &[u8; SEED_BYTES]) -> Self {
        working!(expanded: [u8; 96]);
        Shake256::new(seed).read(&mut expanded[..]);
        let (of_mlkem, of_x25519) = expanded.split_first_chunk::<64>().expect("96 bytes");
        let mlkem = mlkem::DecapsulationKey::of_seed(of_mlkem);
        let x25519 = SecretBytes::copied(of_x25519.first_chunk().expect("32 bytes"));
        let public = PublicKey::from(&StaticSecret::from(*x25519));
        let key = EncapsulationKey { mlkem: mlkem.encapsulation_key().clone(), x25519: public };
        Self { mlkem, x25519, key, seed: SecretBytes::copied(seed) }
    }

    /// The seed.
    pub fn as_seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    /// The public key of this secret key.
    pub const fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.key
    }

    /// The shared key that a ciphertext carries, or a pseudorandom one (implicit rejection).
    ///
    /// **Constant time:** yes. **Errors** only if the length is wrong.
    pub fn decapsulate_bytes(&self, ciphertext: &[u8]) -> Result<SharedKey, DecodeError> {
        check_length("an X-Wing ciphertext", CIPHERTEXT_BYTES, ciphertext)?;
        let (of_mlkem, public) = ciphertext.split_last_chunk::<X25519_BYTES>().expect("the length was checked");
        let public = PublicKey::from(*public);
        let shared = self.mlkem.decapsulate_bytes(of_mlkem)?;
        Ok(scrubbed(|| {
            let of_x25519 = StaticSecret::from(*self.x25519).diffie_hellman(&public);
            let mut both = SharedKey::zeros();
            combine([shared.as_bytes(), of_x25519.as_bytes()], &public, &self.key.x25519, &mut both);
            both
        }))
    }
}

impl fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("xwing::EncapsulationKey(..)")
    }
}

impl fmt::Debug for DecapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("xwing::DecapsulationKey(..)")
    }
}

impl Kem for XWing {
    type DecapsulationKey = DecapsulationKey;
    type EncapsulationKey = EncapsulationKey;
    type SharedKeySize = sizes::U32;
    type CiphertextSize = sizes::U1120;
}

impl KeySizeUser for EncapsulationKey {
    type KeySize = sizes::U1216;
}

impl TryKeyInit for EncapsulationKey {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::from_bytes(key).map_err(|_| InvalidKey)
    }
}

impl KeyExport for EncapsulationKey {
    fn to_bytes(&self) -> Key<Self> {
        Array::from(self.as_bytes())
    }
}

impl Encapsulate for EncapsulationKey {
    type Kem = XWing;

    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<XWing>, B32) {
        let (ciphertext, shared) = self.encapsulate_derand(&SecretBytes::random(rng));
        (Array::from(ciphertext), B32::from(*shared.as_bytes()))
    }
}

impl KeySizeUser for DecapsulationKey {
    type KeySize = sizes::U32;
}

impl KeyInit for DecapsulationKey {
    fn new(seed: &Key<Self>) -> Self {
        Self::from_seed(&seed.0)
    }
}

impl KeyExport for DecapsulationKey {
    fn to_bytes(&self) -> Key<Self> {
        Array::from(*self.as_seed())
    }
}

impl Generate for DecapsulationKey {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Ok(Self::from_seed(SecretBytes::try_random(rng)?.as_bytes()))
    }
}

impl Decapsulator for DecapsulationKey {
    type Kem = XWing;

    fn encapsulation_key(&self) -> &EncapsulationKey {
        &self.key
    }
}

impl Decapsulate for DecapsulationKey {
    fn decapsulate(&self, ciphertext: &Ciphertext<XWing>) -> B32 {
        let shared = self.decapsulate_bytes(ciphertext).expect("the length is that of the type");
        B32::from(*shared.as_bytes())
    }
}

impl ZeroizeOnDrop for DecapsulationKey {}
