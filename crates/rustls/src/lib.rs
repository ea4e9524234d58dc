//! Key exchange groups for [`rustls`] on Ringwork's ML-KEM.
//!
//! | group | client's share | server's share | secret |
//! |---|---|---|---|
//! | [`X25519MLKEM768`] | `ek ‖ x·G` | `ciphertext ‖ y·G` | `k ‖ xy·G` |
//! | [`MLKEM768`] | `ek` | `ciphertext` | `k` |
//!
//! They are for TLS 1.3. Shares of another length, encapsulation keys that ML-KEM refuses, and points
//! whose X25519 secret is zero end the handshake.
//!
//! **Constant time:** as ML-KEM and `x25519-dalek`. Secrets are wiped on drop, but for those that
//! rustls has taken.
//!
//! Source: draft-ietf-tls-ecdhe-mlkem, draft-ietf-tls-mlkem; RFC 8446, section 7.4.2.

#![forbid(unsafe_code)]

use ringwork::{
    ct::{SecretBytes, fresh_seed, scrubbed, sys_rng},
    schemes::mlkem::{DecapsulationKey, EncapsulationKey, MlKem768, ParameterSet},
};
use rustls::{
    Error, NamedGroup, PeerMisbehaved, ProtocolVersion,
    crypto::{ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup},
};
use std::mem::take;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

/// ML-KEM-768 with X25519: secure as long as one of them is.
pub static X25519MLKEM768: &dyn SupportedKxGroup = &Group { has_x25519: true };

/// ML-KEM-768 alone.
pub static MLKEM768: &dyn SupportedKxGroup = &Group { has_x25519: false };

/// The provider with [`X25519MLKEM768`] before its other groups, in the place of its own if it has
/// one. [`MLKEM768`] is for those who put it there themselves.
pub fn with_groups(mut provider: CryptoProvider) -> CryptoProvider {
    provider.kx_groups.retain(|group| group.name() != X25519MLKEM768.name());
    provider.kx_groups.insert(0, X25519MLKEM768);
    provider
}

const X25519_BYTES: usize = 32;
const REFUSED: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

#[derive(Debug)]
struct Group {
    has_x25519: bool,
}

/// What a client keeps between its share and the server's.
struct Started {
    mlkem: DecapsulationKey<MlKem768>,
    x25519: Option<X25519>,
    share: Vec<u8>,
}

/// One side's X25519.
struct X25519 {
    secret: SecretBytes<X25519_BYTES>,
    public: PublicKey,
}

impl X25519 {
    fn fresh() -> Self {
        let secret = fresh_seed(&mut sys_rng());
        Self { public: scrubbed(|| PublicKey::from(&StaticSecret::from(*secret))), secret }
    }

    /// Appends the secret that is shared with the owner of a public key.
    fn append(self, peer: &[u8], secret: &mut Vec<u8>) -> Result<(), Error> {
        let peer: [u8; X25519_BYTES] = peer.try_into().map_err(|_| REFUSED)?;
        scrubbed(|| {
            let shared = StaticSecret::from(*self.secret).diffie_hellman(&PublicKey::from(peer));
            if !shared.was_contributory() {
                return Err(REFUSED);
            }
            secret.extend(shared.as_bytes());
            Ok(())
        })
    }
}

/// Both parts of a share, the first of `first` bytes.
fn parts(share: &[u8], first: usize, has_x25519: bool) -> Result<(&[u8], &[u8]), Error> {
    let rest = if has_x25519 { X25519_BYTES } else { 0 };
    if share.len() == first + rest { Ok(share.split_at(first)) } else { Err(REFUSED) }
}

/// Room for a secret, so that it does not move, and is wiped unless rustls takes it.
fn room() -> Zeroizing<Vec<u8>> {
    Zeroizing::new(Vec::with_capacity(2 * X25519_BYTES))
}

fn taken(mut secret: Zeroizing<Vec<u8>>) -> SharedSecret {
    SharedSecret::from(take(&mut *secret))
}

impl SupportedKxGroup for Group {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let mlkem = DecapsulationKey::of_seed(&SecretBytes::random(&mut sys_rng()));
        let x25519 = self.has_x25519.then(X25519::fresh);
        let mut share = mlkem.encapsulation_key().as_bytes().to_vec();
        share.extend(x25519.iter().flat_map(|x25519| *x25519.public.as_bytes()));
        Ok(Box::new(Started { mlkem, x25519, share }))
    }

    fn start_and_complete(&self, client: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (key, point) = parts(client, MlKem768::ENCAPSULATION_KEY_BYTES, self.has_x25519)?;
        let key = EncapsulationKey::<MlKem768>::from_bytes(key).map_err(|_| REFUSED)?;
        let (ciphertext, shared) = key.encapsulate_derand(&fresh_seed(&mut sys_rng()));
        let (mut pub_key, mut secret) = (ciphertext.to_vec(), room());
        secret.extend(shared.as_bytes());
        if self.has_x25519 {
            let x25519 = X25519::fresh();
            pub_key.extend(x25519.public.as_bytes());
            x25519.append(point, &mut secret)?;
        }
        Ok(CompletedKeyExchange { group: self.name(), pub_key, secret: taken(secret) })
    }

    fn name(&self) -> NamedGroup {
        if self.has_x25519 { NamedGroup::X25519MLKEM768 } else { NamedGroup::MLKEM768 }
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

impl ActiveKeyExchange for Started {
    fn complete(self: Box<Self>, server: &[u8]) -> Result<SharedSecret, Error> {
        let (ciphertext, point) = parts(server, MlKem768::CIPHERTEXT_BYTES, self.x25519.is_some())?;
        let shared = self.mlkem.decapsulate_bytes(ciphertext).map_err(|_| REFUSED)?;
        let mut secret = room();
        secret.extend(shared.as_bytes());
        if let Some(x25519) = self.x25519 {
            x25519.append(point, &mut secret)?;
        }
        Ok(taken(secret))
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        self.x25519.as_ref().map(|x25519| (NamedGroup::X25519, &x25519.public.as_bytes()[..]))
    }

    fn complete_hybrid_component(self: Box<Self>, server: &[u8]) -> Result<SharedSecret, Error> {
        let mut secret = room();
        self.x25519.ok_or(REFUSED)?.append(server, &mut secret)?;
        Ok(taken(secret))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn group(&self) -> NamedGroup {
        if self.x25519.is_some() { NamedGroup::X25519MLKEM768 } else { NamedGroup::MLKEM768 }
    }
}

/// The example of `README.md` is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
