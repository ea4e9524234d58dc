//! Key encapsulation by name, with keys and ciphertexts as bytes.

use super::by_name;
use crate::{
    estimate::{self, Estimate, failure::ACCEPTED_LOG2},
    kem::{Encryption, Kem, SharedKey},
    module::Module,
    object::Description,
    schemes::{
        lwe::{LWE_768, Lwe, MLWE_256},
        nttru::{self, Nttru},
        rlwe::{P1, P2, Rlwe},
    },
};
use core::fmt;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Key encapsulation, whatever the scheme.
pub trait Encapsulation {
    /// What headers say of it.
    fn description(&self) -> &'static Description;
    /// A fresh public key and its secret key.
    fn keygen(&self, rng: &mut dyn CryptoRng) -> (Vec<u8>, Zeroizing<Vec<u8>>);
    /// A fresh shared key and the ciphertext that carries it. **Errors** if the bytes are no public key.
    fn encapsulate(&self, public: &[u8], rng: &mut dyn CryptoRng) -> Result<(SharedKey, Vec<u8>), Refused>;
    /// The shared key that a ciphertext carries, or where the scheme rejects implicitly a key that nobody knows.
    ///
    /// **Errors** if the bytes are no secret key or no ciphertext, or where the scheme rejects openly.
    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8]) -> Result<SharedKey, Refused>;
    /// The public key that belongs to a secret key. **Errors** if the bytes are no secret key.
    fn public_key_of(&self, secret: &[u8]) -> Result<Vec<u8>, Refused>;
    /// **Errors** if the bytes are no public key.
    fn check_public_key(&self, public: &[u8]) -> Result<(), Refused>;
    /// Bytes of a ciphertext.
    fn ciphertext_bytes(&self) -> usize;
    /// log2 of the probability that the two sides get different keys.
    fn failure_log2(&self) -> f64;
    /// What it costs to find the secret key. **Errors** if no attack of the model is within reach.
    fn security(&self) -> Result<Estimate, estimate::Error>;

    /// Why nobody should entrust a file to it, if there is a reason.
    fn research_reason(&self) -> Option<String> {
        let (name, failure) = (self.description().name, self.failure_log2());
        if failure > ACCEPTED_LOG2 {
            return Some(format!(
                "{name} loses a file with probability 2^{failure:.1}, and 2^{ACCEPTED_LOG2} is what one may live with"
            ));
        }
        let bits = self.security().ok()?.classical_bits;
        (bits < SECURITY_BITS)
            .then(|| format!("{name} is broken at a cost of 2^{bits:.1}: {SECURITY_BITS} bits are wanted"))
    }
}

/// Bits of classical core-SVP cost below which nothing is entrusted to a scheme.
const SECURITY_BITS: f64 = 100.0;

/// The scheme of that name.
pub fn encapsulation(name: &str) -> Option<Box<dyn Encapsulation>> {
    let description = by_name(name)?;
    Some(match name {
        "nttru-768" => Box::new(ByNttru { description, nttru: Nttru::new() }),
        "mlwe-256" => {
            let lwe = Lwe::<i16, Module<i16>>::by_transform(MLWE_256).expect("its ring has a plan in 16 bits");
            boxed(description, lwe, |e| e.parameters().security())
        }
        "lwe-768" => boxed(description, Lwe::<i32, _>::by_schoolbook(LWE_768), |e| e.parameters().security()),
        "rlwe-p1" => boxed(description, Rlwe::<P1>::new(), Rlwe::security),
        "rlwe-p2" => boxed(description, Rlwe::<P2>::new(), Rlwe::security),
        _ => return None,
    })
}

/// The bytes are not what they should be, in the scheme's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(String);

impl Refused {
    pub(super) fn because(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Refused {}

type Security<E> = fn(&E) -> Result<Estimate, estimate::Error>;

/// By an encryption and the transform of Fujisaki and Okamoto.
struct ByEncryption<E> {
    description: &'static Description,
    kem: Kem<E>,
    security: Security<E>,
}

fn boxed<E: Encryption + 'static>(
    description: &'static Description,
    encryption: E,
    security: Security<E>,
) -> Box<dyn Encapsulation> {
    Box::new(ByEncryption { description, kem: Kem::new(encryption), security })
}

impl<E: Encryption> Encapsulation for ByEncryption<E> {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn keygen(&self, mut rng: &mut dyn CryptoRng) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let secret = self.kem.keygen(&mut rng);
        (secret.public_key().as_bytes().to_vec(), self.kem.secret_key_to_bytes(&secret))
    }

    fn encapsulate(&self, public: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(SharedKey, Vec<u8>), Refused> {
        let public = self.kem.public_key_from_bytes(public).map_err(Refused::because)?;
        Ok(self.kem.encapsulate(&public, &mut rng))
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8]) -> Result<SharedKey, Refused> {
        let secret = self.kem.secret_key_from_bytes(secret).map_err(Refused::because)?;
        self.kem.decapsulate(&secret, ciphertext).map_err(Refused::because)
    }

    fn public_key_of(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        let secret = self.kem.secret_key_from_bytes(secret).map_err(Refused::because)?;
        Ok(secret.public_key().as_bytes().to_vec())
    }

    fn check_public_key(&self, public: &[u8]) -> Result<(), Refused> {
        self.kem.public_key_from_bytes(public).map(drop).map_err(Refused::because)
    }

    fn ciphertext_bytes(&self) -> usize {
        self.kem.encryption().ciphertext_bytes()
    }

    fn failure_log2(&self) -> f64 {
        self.kem.encryption().failure_log2()
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        (self.security)(self.kem.encryption())
    }
}

/// NTTRU, which rejects openly.
struct ByNttru {
    description: &'static Description,
    nttru: Nttru,
}

impl Encapsulation for ByNttru {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn keygen(&self, mut rng: &mut dyn CryptoRng) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let (secret, public) = self.nttru.keygen(&mut rng);
        let secret = Zeroizing::new(self.nttru.secret_key_to_bytes(&secret).to_vec());
        (self.nttru.public_key_to_bytes(&public).to_vec(), secret)
    }

    fn encapsulate(&self, public: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(SharedKey, Vec<u8>), Refused> {
        let public = self.nttru.public_key_from_bytes(public).map_err(Refused::because)?;
        let (ciphertext, shared) = self.nttru.encapsulate(&public, &mut rng);
        Ok((shared, ciphertext.to_vec()))
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8]) -> Result<SharedKey, Refused> {
        let secret = self.nttru.secret_key_from_bytes(secret).map_err(Refused::because)?;
        self.nttru.decapsulate(&secret, ciphertext).map_err(Refused::because)
    }

    fn public_key_of(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        let key = self.nttru.secret_key_from_bytes(secret).map_err(Refused::because)?;
        self.nttru.check_secret_key(&key).map_err(Refused::because)?;
        Ok(secret[nttru::SECRET_KEY_BYTES - nttru::PUBLIC_KEY_BYTES..].to_vec())
    }

    fn check_public_key(&self, public: &[u8]) -> Result<(), Refused> {
        self.nttru.public_key_from_bytes(public).map(drop).map_err(Refused::because)
    }

    fn ciphertext_bytes(&self) -> usize {
        nttru::CIPHERTEXT_BYTES
    }

    fn failure_log2(&self) -> f64 {
        nttru::failure_log2()
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        nttru::security()
    }
}
