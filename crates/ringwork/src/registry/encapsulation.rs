//! Key encapsulation by name, with keys and ciphertexts as bytes.

use super::by_name;
use crate::{
    ct::{fresh_seed, scrubbed},
    decode::{DecodeError, check_length, undamaged},
    estimate::{self, Estimate, failure::ACCEPTED_KEM_LOG2},
    kem::{Encryption, Error as KemError, Kem, SECURITY_BITS, SEED_BYTES, Scheme, SharedKey},
    module::Module,
    object::Description,
    sample::Word,
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
    /// Its name: one of [`KNOWN`](super::KNOWN), or that of parameters for [`measuring`].
    fn name(&self) -> &str;
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
        weaknesses(self)
    }
}

/// What is wrong with its numbers, if anything is.
fn weaknesses<E: Encapsulation + ?Sized>(scheme: &E) -> Option<String> {
    let (name, failure) = (scheme.name(), scheme.failure_log2());
    let is_rare = failure <= ACCEPTED_KEM_LOG2;
    let fails = (!is_rare).then(|| {
        format!(
            "{name} loses a file with probability 2^{failure:.1}, and 2^{ACCEPTED_KEM_LOG2} is what one may live with"
        )
    });
    let weak = match scheme.security().map(|estimate| estimate.classical_bits) {
        Ok(bits) if bits >= SECURITY_BITS => None,
        Ok(bits) => Some(format!("{name} is broken at a cost of 2^{bits:.1}: {SECURITY_BITS} bits are wanted")),
        Err(why) => Some(format!("the security of {name} cannot be estimated: {why}")),
    };
    let reasons: Vec<String> = fails.into_iter().chain(weak).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// What the names of parameters for [`measuring`] begin with; [`lwe::Parameters::to_text`] follows.
pub const MEASURING: &str = "lwe-for-measuring:";

/// The largest public key and ciphertext with parameters for [`measuring`], in bytes: age's headers have 2 MiB.
const MEASURING_BYTES: usize = 1 << 20;
/// The largest `A` there, in coefficients: that of Royher's largest experiment.
const MEASURING_MATRIX: u64 = 1 << 23;
/// The most products of coefficients for keys and one message: seconds.
const MEASURING_PRODUCTS: u64 = 1 << 31;

/// **Errors** if parameters for measuring would take more than some seconds, or more memory than anybody expects.
pub fn check_measuring(parameters: &lwe::Parameters) -> Result<(), Refused> {
    let n = parameters.n() as u64;
    let ([m, d], [k, l]) = (parameters.shape_of_a(), parameters.message_shape());
    let [m, d, k, l] = [m, d, k, l].map(|size| size as u64);
    let (matrix, products) = (m * d * n, (m * d * (k + l) + k * l * (m + d)) * n);
    if matrix > MEASURING_MATRIX || products > MEASURING_PRODUCTS {
        return Err(Refused::because(format_args!(
            "A has m·n·N = {matrix} coefficients, and keys and a message take {products} products: for measuring there \
             are at most {MEASURING_MATRIX} and {MEASURING_PRODUCTS}"
        )));
    }
    let others = ((m + d) * l + k * (m + d + l)) * n;
    if others > MEASURING_MATRIX {
        return Err(Refused::because(format_args!(
            "keys, a ciphertext and what makes them have {others} coefficients beside A: for measuring there are at most \
             {MEASURING_MATRIX}"
        )));
    }
    Ok(())
}

/// Module-LWE with parameters of the caller's choice, **for measuring**: they may be broken by hand, and messages need
/// not come back. [`research_reason`](Encapsulation::research_reason) always says so.
///
/// **Errors** if messages have fewer than 32 bytes, keys or ciphertexts more than 2^20, and those of
/// [`check_measuring`].
pub fn measuring(parameters: lwe::Parameters) -> Result<Box<dyn Encapsulation + Send + Sync>, Refused> {
    check_measuring(&parameters)?;
    let ([m, d], [k, l]) = (parameters.shape_of_a(), parameters.message_shape());
    let bits = parameters.q().ilog2() as usize + 1;
    let largest = ((m * l).max(k * (d + l)) * parameters.n() * bits) >> 3;
    if largest > MEASURING_BYTES {
        return Err(Refused::because(format_args!(
            "a key or a ciphertext of {largest} bytes: in files they have at most {MEASURING_BYTES}"
        )));
    }
    lwe::in_narrowest_words(parameters, Measuring(parameters)).map_err(Refused::because)?
}

/// Makes key encapsulation of parameters for measuring.
struct Measuring(lwe::Parameters);

impl lwe::Task for Measuring {
    type Output = Result<Box<dyn Encapsulation + Send + Sync>, Refused>;

    fn with<T: Word + Send + Sync + 'static, M: lwe::Multiplier<T> + Send + Sync + 'static>(
        self,
        lwe: Lwe<T, M>,
    ) -> Self::Output {
        let kem = Kem::research(lwe).map_err(|e| {
            let why = "N·k·l coefficients carry log2 p bits each: take larger N, k, l or p";
            Refused::because(format_args!("{e}; {why}"))
        })?;
        let name = format!("{MEASURING}{}", self.0.to_text());
        Ok(Box::new(ByEncryption { name, kem, measuring: Some(self.0) }))
    }
}

/// The scheme of a name that begins with [`MEASURING`], if it is exactly that of its parameters.
///
/// **Errors** as for [`measuring`].
fn measuring_by_name(text: &str) -> Result<Box<dyn Encapsulation + Send + Sync>, Refused> {
    let number = |digits: &str| digits.parse().map_err(|e| format!("{e}"));
    let parameters = lwe::Parameters::measuring_text(text, number).map_err(Refused::because)?;
    if parameters.to_text() == text {
        return measuring(parameters);
    }
    Err(Refused::because(format_args!("parameters are written {}", parameters.to_text())))
}

/// The scheme of that name, usable from any number of threads.
///
/// **Errors** if the name is that of parameters for [`measuring`], and those are refused.
pub fn encapsulation_or_why(name: &str) -> Option<Result<Box<dyn Encapsulation + Send + Sync>, Refused>> {
    match name.strip_prefix(MEASURING) {
        Some(text) => Some(measuring_by_name(text)),
        None => encapsulation(name).map(Ok),
    }
}

/// The scheme of that name, usable from any number of threads.
pub fn encapsulation(name: &str) -> Option<Box<dyn Encapsulation + Send + Sync>> {
    if let Some(text) = name.strip_prefix(MEASURING) {
        return measuring_by_name(text).ok();
    }
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
    name: String,
    kem: Kem<E>,
    /// The parameters, if they are for measuring.
    measuring: Option<lwe::Parameters>,
}

fn module_lwe(description: &'static Description, set: lwe::Parameters) -> Box<dyn Encapsulation + Send + Sync> {
    let lwe = Lwe::<i16, Module<i16>>::by_transform(set).expect("its ring has a plan in 16 bits");
    boxed(description, Kem::new(lwe))
}

fn boxed<E: Encryption + Send + Sync + 'static>(
    description: &'static Description,
    kem: Result<Kem<E>, KemError>,
) -> Box<dyn Encapsulation + Send + Sync> {
    let kem = kem.expect("strong, and messages of 32 bytes that come back");
    Box::new(ByEncryption { name: description.name.into(), kem, measuring: None })
}

impl<E: Encryption + Send + Sync> Encapsulation for ByEncryption<E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn research_reason(&self) -> Option<String> {
        let weaknesses = weaknesses(self);
        if self.measuring.is_none() {
            return weaknesses;
        }
        let rest = weaknesses.map_or_else(String::new, |why| format!("; {why}"));
        Some(format!("these parameters are for measuring, and nobody vouches for them{rest}"))
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
        self.measuring.map_or_else(|| self.kem.encryption().failure_log2(), |set| set.computed_failure_log2())
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
    fn name(&self) -> &str {
        self.description.name
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
