//! Key encapsulation by name, with keys and ciphertexts as bytes.

use super::by_name;
use crate::{
    ct::{fresh_seed, scrubbed},
    decode::{DecodeError, check_length, undamaged},
    estimate::{self, Estimate, failure::ACCEPTED_KEM_LOG2},
    kem::{Encryption, Error as KemError, Kem, SECURITY_BITS, SEED_BYTES, Scheme, SharedKey},
    module::Module,
    object::Description,
    schemes::{
        lwe::{self, LWE_768, Lwe, MLWE_256, MLWE_256_P3},
        ntru::{NTRU_1024, Ntru},
        nttru::{self, Nttru},
        rlwe::{P1, P2, Rlwe},
    },
    xof::derived_seed,
};
use core::fmt;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Key encapsulation by any scheme.
pub trait Encapsulation {
    /// Its description in headers.
    fn description(&self) -> &'static Description;
    /// A fresh secret key and its public key.
    fn keygen(&self, rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>);
    /// A ciphertext and the fresh shared key that it carries. **Errors** if the bytes are not a
    /// public key.
    fn encapsulate(&self, public: &[u8], rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), Refused>;
    /// The shared key that a ciphertext carries; if the scheme rejects implicitly, possibly a
    /// pseudorandom key.
    ///
    /// **Errors** if the bytes are not a secret key or not a ciphertext, or if the scheme rejects
    /// explicitly.
    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8]) -> Result<SharedKey, Refused>;
    /// The public key of a secret key. **Errors** if the bytes are not a secret key.
    fn public_key_of(&self, secret: &[u8]) -> Result<Vec<u8>, Refused>;
    /// **Errors** if the bytes are not a public key.
    fn check_public_key(&self, public: &[u8]) -> Result<(), Refused>;
    /// Bytes of a ciphertext.
    fn ciphertext_bytes(&self) -> usize;
    /// log2 of the probability that the two sides get different keys.
    fn failure_log2(&self) -> f64;
    /// The cost of finding the secret key. **Errors** if no attack of the model succeeds.
    fn security(&self) -> Result<Estimate, estimate::Error>;

    /// Why nobody should entrust a file to it; `None` if there is no reason.
    fn research_reason(&self) -> Option<String> {
        let (name, failure) = (self.description().name, self.failure_log2());
        let is_rare = failure <= ACCEPTED_KEM_LOG2;
        let fails = (!is_rare).then(|| {
            format!("{name} loses a file with probability 2^{failure:.1}, and 2^{ACCEPTED_KEM_LOG2} is what one may live with")
        });
        let weak = match self.security().map(|estimate| estimate.classical_bits) {
            Ok(bits) if bits >= SECURITY_BITS => None,
            Ok(bits) => Some(format!("{name} is broken at a cost of 2^{bits:.1}: {SECURITY_BITS} bits are wanted")),
            Err(why) => Some(format!("the security of {name} cannot be estimated: {why}")),
        };
        let reasons: Vec<String> = fails.into_iter().chain(weak).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// The scheme of that name, usable from any number of threads.
pub fn encapsulation(name: &str) -> Option<Box<dyn Encapsulation + Send + Sync>> {
    let description = by_name(name)?;
    Some(match name {
        "nttru-768" => Box::new(ByNttru { description, nttru: Nttru::new() }),
        "mlwe-256" => module_lwe(description, MLWE_256),
        "mlwe-256-p3" => module_lwe(description, MLWE_256_P3),
        "lwe-768" => boxed(description, Kem::new(Lwe::<i32, _>::by_schoolbook(LWE_768))),
        "ntru-1024" => boxed(description, Kem::new(Ntru::new(NTRU_1024).expect("its ring has a plan"))),
        "rlwe-p1" => boxed(description, Kem::research(Rlwe::<P1>::new())),
        "rlwe-p2" => boxed(description, Kem::research(Rlwe::<P2>::new())),
        _ => return None,
    })
}

/// Refused bytes, with the scheme's reason.
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

/// An encryption scheme with the Fujisaki–Okamoto transform.
struct ByEncryption<E> {
    description: &'static Description,
    kem: Kem<E>,
}

fn module_lwe(description: &'static Description, set: lwe::Parameters) -> Box<dyn Encapsulation + Send + Sync> {
    let lwe = Lwe::<i16, Module<i16>>::by_transform(set).expect("its ring has a plan in 16 bits");
    boxed(description, Kem::new(lwe))
}

fn boxed<E: Encryption + Send + Sync + 'static>(
    description: &'static Description,
    kem: Result<Kem<E>, KemError>,
) -> Box<dyn Encapsulation + Send + Sync> {
    Box::new(ByEncryption { description, kem: kem.expect("strong, and messages of 32 bytes that come back") })
}

impl<E: Encryption + Send + Sync> Encapsulation for ByEncryption<E> {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn keygen(&self, mut rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        let secret = self.kem.keygen(&mut rng);
        (self.kem.secret_key_to_bytes(&secret), secret.public_key().as_bytes().to_vec())
    }

    fn encapsulate(&self, public: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), Refused> {
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
        self.kem.encryption().security()
    }
}

/// NTTRU, which rejects explicitly. A secret key is its seed, and as a check 32 bytes of SHAKE-256
/// of the name, `" secret key"`, the public key and the seed.
struct ByNttru {
    description: &'static Description,
    nttru: Nttru,
}

impl ByNttru {
    fn saved(&self, public: &nttru::PublicKey, seed: &[u8; SEED_BYTES]) -> Zeroizing<Vec<u8>> {
        let (domain, public) = (self.nttru.domain(), self.nttru.public_key_to_bytes(public));
        let check = scrubbed(|| derived_seed(&[domain.as_bytes(), b" secret key", &public, seed]));
        let mut saved = Zeroizing::new(Vec::with_capacity(2 * SEED_BYTES));
        saved.extend_from_slice(seed);
        saved.extend_from_slice(&check[..]);
        saved
    }

    /// **Errors** if any bit was changed.
    fn read(&self, bytes: &[u8]) -> Result<nttru::SecretKey, Refused> {
        const WHAT: &str = "a secret key";
        check_length(WHAT, 2 * SEED_BYTES, bytes).map_err(Refused::because)?;
        let seed = bytes.first_chunk().expect("the length was checked");
        let (secret, public) =
            self.nttru.keygen_derand(seed).ok_or_else(|| Refused::because(DecodeError::Secret(WHAT)))?;
        undamaged(WHAT, &self.saved(&public, seed), bytes).map_err(Refused::because)?;
        Ok(secret)
    }
}

impl Encapsulation for ByNttru {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn keygen(&self, mut rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        loop {
            let seed = fresh_seed(&mut rng);
            if let Some((_, public)) = self.nttru.keygen_derand(&seed) {
                return (self.saved(&public, &seed), self.nttru.public_key_to_bytes(&public));
            }
        }
    }

    fn encapsulate(&self, public: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), Refused> {
        let public = self.nttru.public_key_from_bytes(public).map_err(Refused::because)?;
        let (ciphertext, shared) = self.nttru.encapsulate(&public, &mut rng);
        Ok((ciphertext.to_vec(), shared))
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8]) -> Result<SharedKey, Refused> {
        self.nttru.decapsulate(&self.read(secret)?, ciphertext).map_err(Refused::because)
    }

    fn public_key_of(&self, secret: &[u8]) -> Result<Vec<u8>, Refused> {
        Ok(self.nttru.public_key_to_bytes(self.read(secret)?.public_key()))
    }

    fn check_public_key(&self, public: &[u8]) -> Result<(), Refused> {
        self.nttru.public_key_from_bytes(public).map(drop).map_err(Refused::because)
    }

    fn ciphertext_bytes(&self) -> usize {
        self.nttru.ciphertext_bytes()
    }

    fn failure_log2(&self) -> f64 {
        self.nttru.failure_log2()
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        self.nttru.security()
    }
}
