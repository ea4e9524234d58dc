//! Key exchange by name, with messages and secrets as bytes.

use super::{Refused, by_name};
use crate::{
    ct::{SecretBytes, fresh_seed},
    decode::{DecodeError, check_length, sized},
    estimate::{self, Estimate, Lwe, Shape},
    kem::SharedKey,
    object::{Description, Kind},
    schemes::{
        mlkem::{self, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet},
        newhope::{self, InitiatorSecret, MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHope, PSI12, USENIX2016},
    },
    xof::Sha3_256,
    xwing,
};
use core::marker::PhantomData;
use ntt::{Backend, Method};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A key exchange by two messages, an offer and a reply. It authenticates nobody.
///
/// ```text
/// Alice                          Bob
/// init                offer ->   respond
/// finish           <- reply
/// ```
///
/// With ML-KEM and X-Wing the offer is a fresh encapsulation key and the reply a ciphertext. Bodies are those of
/// [objects](crate::object).
///
/// **The key alone tells nothing about who is there.** With NewHope someone in the middle can give both sides one key
/// that she knows, by an offer and a reply of zeros: whoever compares something must compare offer and reply as well. A
/// secret therefore ends with a digest of its offer, see [`offer_of`].
pub trait Exchange {
    /// Its description in headers.
    fn description(&self) -> &'static Description;
    /// Alice's first step: the secret that she keeps for one exchange, and the offer.
    fn init(&self, rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>);
    /// Bob's step: the reply, and the key.
    ///
    /// **Errors** if the bytes are not an offer: with ML-KEM and X-Wing, after the checks of FIPS 203, section 7.2.
    fn respond(&self, offer: &[u8], rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), DecodeError>;
    /// Alice's second step: the key. A reply that was not made for her offer gives some key, and no error.
    ///
    /// **Errors** if the bytes are not a secret, or not a reply.
    fn finish(&self, secret: &[u8], reply: &[u8]) -> Result<SharedKey, DecodeError>;
    /// **Errors** if the bytes are not the body of an object of that kind.
    fn check(&self, kind: Kind, body: &[u8]) -> Result<(), DecodeError>;
    /// Bytes of an offer and of a reply.
    fn message_bytes(&self) -> [usize; 2];
    /// The cost of finding the key from both messages. **Errors** if no attack of the model succeeds.
    fn security(&self) -> Result<Estimate, estimate::Error>;
}

/// Bytes of the digest of an offer.
pub const OFFER_DIGEST_BYTES: usize = 32;

/// SHA3-256 of the body of an offer.
pub fn offer_digest(offer: &[u8]) -> [u8; OFFER_DIGEST_BYTES] {
    let mut hash = Sha3_256::default();
    hash.update(offer);
    hash.finish()
}

/// The digest of the offer to which a secret belongs, its last bytes; `None` if it has fewer.
pub fn offer_of(secret: &[u8]) -> Option<&[u8; OFFER_DIGEST_BYTES]> {
    secret.last_chunk()
}

/// A secret with the digest of its offer behind it.
fn with_offer(secret: &[u8], offer: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut whole = Zeroizing::new(Vec::with_capacity(secret.len() + OFFER_DIGEST_BYTES));
    whole.extend_from_slice(secret);
    whole.extend_from_slice(&offer_digest(offer));
    whole
}

/// The secret without that digest, if it has so many bytes.
fn without_offer(secret: &[u8], length: usize) -> Result<&[u8], DecodeError> {
    check_length(SECRET, length + OFFER_DIGEST_BYTES, secret)?;
    Ok(&secret[..length])
}

/// The key exchange of that name, on a backend. A method of reduction is for comparing methods: messages and keys do
/// not depend on it.
///
/// **Errors** if that method cannot be taken.
pub fn exchange(
    name: &str,
    backend: Backend,
    method: Option<Method>,
) -> Option<Result<Box<dyn Exchange + Send + Sync>, Refused>> {
    let description = by_name(name)?;
    Some(match name {
        "newhope-usenix2016" => by_newhope(description, USENIX2016, backend, method),
        "newhope-psi12" => by_newhope(description, PSI12, backend, method),
        "mlkem-512" => by_mlkem::<MlKem512>(description, backend, method),
        "mlkem-768" => by_mlkem::<MlKem768>(description, backend, method),
        "mlkem-1024" => by_mlkem::<MlKem1024>(description, backend, method),
        "x-wing" => by_xwing(description, backend, method),
        _ => return None,
    })
}

fn by_newhope(
    description: &'static Description,
    set: newhope::Parameters,
    backend: Backend,
    method: Option<Method>,
) -> Result<Box<dyn Exchange + Send + Sync>, Refused> {
    let newhope = match method {
        None => NewHope::with_backend(set, backend),
        Some(method) => NewHope::with_method(set, backend, method).map_err(Refused::because)?,
    };
    Ok(Box::new(ByNewHope { description, newhope }))
}

fn by_mlkem<P: ParameterSet + Send + Sync + 'static>(
    description: &'static Description,
    backend: Backend,
    method: Option<Method>,
) -> Result<Box<dyn Exchange + Send + Sync>, Refused> {
    no_method(P::NAME, method)?;
    Ok(Box::new(ByMlKem::<P> { description, backend, set: PhantomData }))
}

/// **Errors** if there is one, which only NewHope has.
fn no_method(set: &str, method: Option<Method>) -> Result<(), Refused> {
    let refused = |method: Method| {
        let method = method.name();
        Refused::because(format_args!("{set} has one method of reduction: {method} is to be had for NewHope"))
    };
    method.map_or(Ok(()), |method| Err(refused(method)))
}

fn by_xwing(
    description: &'static Description,
    backend: Backend,
    method: Option<Method>,
) -> Result<Box<dyn Exchange + Send + Sync>, Refused> {
    no_method("X-Wing", method)?;
    let best = Backend::best();
    if backend != best {
        return Err(Refused::because(format_args!("X-Wing runs on {best}, not on {backend}; ML-KEM runs on either")));
    }
    Ok(Box::new(ByXWing { description }))
}

struct ByNewHope {
    description: &'static Description,
    newhope: NewHope,
}

impl ByNewHope {
    fn secret(&self, bytes: &[u8]) -> Result<InitiatorSecret, DecodeError> {
        self.newhope.secret_from_bytes(without_offer(bytes, MESSAGE_A_BYTES - newhope::SEED_BYTES)?)
    }
}

impl Exchange for ByNewHope {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn init(&self, mut rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        let (secret, offer) = self.newhope.init(&mut rng);
        (with_offer(&self.newhope.secret_to_bytes(secret), &offer), offer.to_vec())
    }

    fn respond(&self, offer: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), DecodeError> {
        let (reply, key) = self.newhope.respond(offer, &mut rng)?;
        Ok((reply.to_vec(), key))
    }

    fn finish(&self, secret: &[u8], reply: &[u8]) -> Result<SharedKey, DecodeError> {
        self.newhope.finish(self.secret(secret)?, reply)
    }

    fn check(&self, kind: Kind, body: &[u8]) -> Result<(), DecodeError> {
        match kind {
            Kind::ExchangeSecret => self.secret(body).map(drop),
            Kind::ExchangeOffer => self.newhope.check_offer(body),
            _ => self.newhope.check_reply(body),
        }
    }

    fn message_bytes(&self) -> [usize; 2] {
        [MESSAGE_A_BYTES, MESSAGE_B_BYTES]
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        self.newhope.parameters().security()
    }
}

/// ML-KEM with a key that serves once. Its secret is the seed `d ‖ z`.
struct ByMlKem<P> {
    description: &'static Description,
    backend: Backend,
    set: PhantomData<fn() -> P>,
}

const SECRET: &str = "a saved secret";

impl<P: ParameterSet> Exchange for ByMlKem<P> {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn init(&self, rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        let seed = SecretBytes::<{ mlkem::SEED_BYTES }>::random(rng);
        let key = DecapsulationKey::<P>::with_backend(self.backend, &seed);
        let offer = key.encapsulation_key().as_bytes();
        (with_offer(&seed[..], offer), offer.to_vec())
    }

    fn respond(&self, offer: &[u8], mut rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), DecodeError> {
        let key = EncapsulationKey::<P>::with_backend(self.backend, offer)?;
        let (ciphertext, shared) = key.encapsulate_derand(&fresh_seed(&mut rng));
        Ok((ciphertext.to_vec(), shared))
    }

    fn finish(&self, secret: &[u8], reply: &[u8]) -> Result<SharedKey, DecodeError> {
        let seed: &[u8; mlkem::SEED_BYTES] = sized(SECRET, without_offer(secret, mlkem::SEED_BYTES)?)?;
        DecapsulationKey::<P>::with_backend(self.backend, seed).decapsulate_bytes(reply)
    }

    fn check(&self, kind: Kind, body: &[u8]) -> Result<(), DecodeError> {
        match kind {
            Kind::ExchangeSecret => without_offer(body, mlkem::SEED_BYTES).map(drop),
            Kind::ExchangeOffer => EncapsulationKey::<P>::with_backend(self.backend, body).map(drop),
            _ => check_length("a ciphertext", P::CIPHERTEXT_BYTES, body),
        }
    }

    fn message_bytes(&self) -> [usize; 2] {
        [P::ENCAPSULATION_KEY_BYTES, P::CIPHERTEXT_BYTES]
    }

    fn security(&self) -> Result<Estimate, estimate::Error> {
        of_lattice::<P>()
    }
}

/// The cost of the lattice of ML-KEM, with the samples of a ciphertext, as the designers of Kyber count.
fn of_lattice<P: ParameterSet>() -> Result<Estimate, estimate::Error> {
    let (noise, q) = (Shape::Binomial(P::ETA1), u64::from(mlkem::Q).into());
    let samples = Some((P::K + 1) * mlkem::N);
    Lwe { n: P::K * mlkem::N, q, secret: noise, error: noise, samples }.security()
}

/// X-Wing with a key that serves once. Its secret is the seed.
struct ByXWing {
    description: &'static Description,
}

impl Exchange for ByXWing {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn init(&self, rng: &mut dyn CryptoRng) -> (Zeroizing<Vec<u8>>, Vec<u8>) {
        let seed = SecretBytes::<{ xwing::SEED_BYTES }>::random(rng);
        let offer = xwing::DecapsulationKey::from_seed(&seed).encapsulation_key().as_bytes();
        (with_offer(&seed[..], &offer), offer.to_vec())
    }

    fn respond(&self, offer: &[u8], rng: &mut dyn CryptoRng) -> Result<(Vec<u8>, SharedKey), DecodeError> {
        let key = xwing::EncapsulationKey::from_bytes(offer)?;
        let (ciphertext, shared) = key.encapsulate_derand(&SecretBytes::random(rng));
        Ok((ciphertext.to_vec(), shared))
    }

    fn finish(&self, secret: &[u8], reply: &[u8]) -> Result<SharedKey, DecodeError> {
        let seed: &[u8; xwing::SEED_BYTES] = sized(SECRET, without_offer(secret, xwing::SEED_BYTES)?)?;
        xwing::DecapsulationKey::from_seed(seed).decapsulate_bytes(reply)
    }

    fn check(&self, kind: Kind, body: &[u8]) -> Result<(), DecodeError> {
        match kind {
            Kind::ExchangeSecret => without_offer(body, xwing::SEED_BYTES).map(drop),
            Kind::ExchangeOffer => xwing::EncapsulationKey::from_bytes(body).map(drop),
            _ => check_length("an X-Wing ciphertext", xwing::CIPHERTEXT_BYTES, body),
        }
    }

    fn message_bytes(&self) -> [usize; 2] {
        [xwing::PUBLIC_KEY_BYTES, xwing::CIPHERTEXT_BYTES]
    }

    /// Of ML-KEM-768 alone: that of X25519 is to be broken as well.
    fn security(&self) -> Result<Estimate, estimate::Error> {
        of_lattice::<MlKem768>()
    }
}
