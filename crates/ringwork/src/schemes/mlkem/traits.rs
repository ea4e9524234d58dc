//! The traits of the crate [`kem`].

use super::{B32, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed};
use crate::ct::SecretBytes;
use hybrid_array::sizes;
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport, KeyInit,
    KeySizeUser, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::ZeroizeOnDrop;

impl<P: ParameterSet> KeySizeUser for EncapsulationKey<P> {
    type KeySize = P::EncapsulationKeySize;
}

impl<P: ParameterSet> TryKeyInit for EncapsulationKey<P> {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::new(key)
    }
}

impl<P: ParameterSet> KeyExport for EncapsulationKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        Key::<Self>::try_from(self.as_bytes()).expect("as many bytes as the set says")
    }
}

impl<P: ParameterSet<EncapsulationKey = Self>> Encapsulate for EncapsulationKey<P> {
    type Kem = P;

    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, B32) {
        let (ciphertext, shared) = self.encapsulate_derand(&SecretBytes::random(rng));
        (ciphertext, B32::from(*shared.as_bytes()))
    }
}

impl<P: ParameterSet> KeySizeUser for DecapsulationKey<P> {
    type KeySize = sizes::U64;
}

impl<P: ParameterSet> KeyInit for DecapsulationKey<P> {
    fn new(seed: &Seed) -> Self {
        Self::of_seed(&seed.0)
    }
}

impl<P: ParameterSet> KeyExport for DecapsulationKey<P> {
    /// The seed.
    ///
    /// **Panics** if the key was read in its expanded form: see [`DecapsulationKey::to_seed`].
    fn to_bytes(&self) -> Seed {
        self.to_seed().expect("a key that was made from its seed")
    }
}

impl<P: ParameterSet> From<Seed> for DecapsulationKey<P> {
    fn from(seed: Seed) -> Self {
        Self::from_seed(seed)
    }
}

impl<P: ParameterSet> Generate for DecapsulationKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Ok(Self::of_seed(SecretBytes::try_random(rng)?.as_bytes()))
    }
}

impl<P: ParameterSet<EncapsulationKey = EncapsulationKey<P>>> Decapsulator for DecapsulationKey<P> {
    type Kem = P;

    fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        self.encapsulation_key()
    }
}

impl<P: ParameterSet<EncapsulationKey = EncapsulationKey<P>>> Decapsulate for DecapsulationKey<P> {
    fn decapsulate(&self, ciphertext: &Ciphertext<P>) -> B32 {
        B32::from(*self.decapsulate_internal(ciphertext).as_bytes())
    }
}

impl<P: ParameterSet> ZeroizeOnDrop for DecapsulationKey<P> {}

macro_rules! kems {
    ($($set:ident $ciphertext:ident;)*) => {$(
        impl Kem for $set {
            type DecapsulationKey = DecapsulationKey<Self>;
            type EncapsulationKey = EncapsulationKey<Self>;
            type SharedKeySize = sizes::U32;
            type CiphertextSize = sizes::$ciphertext;
        }
    )*};
}
kems! {
    MlKem512 U768;
    MlKem768 U1088;
    MlKem1024 U1568;
}
