//! X-Wing on arrays of bytes, without a heap: [`XWing::keygen_into`], [`XWing::encapsulate_into`],
//! [`XWing::decapsulate_into`].
//!
//! ```
//! use ringwork::xwing::XWing;
//!
//! let (mut public, mut ciphertext) = ([0; 1216], [0; 1120]);
//! let (mut sent, mut received) = ([0; 32], [0; 32]);
//! XWing::keygen_into(&[1; 32], &mut public); // of 32 random bytes, which are the secret key
//! XWing::encapsulate_into(&public, &[2; 64], &mut ciphertext, &mut sent)?; // of 64 random bytes
//! XWing::decapsulate_into(&[1; 32], &ciphertext, &mut received);
//! assert_eq!(sent, received);
//! # Ok::<(), ringwork::decode::DecodeError>(())
//! ```
//!
//! For small machines, on [ML-KEM's](crate::schemes::mlkem::arrays): elsewhere keys that are expanded once are faster.
//! Memory of a call is on the stack, and is wiped in optimised builds.

use super::{CIPHERTEXT_BYTES, COIN_BYTES, PUBLIC_KEY_BYTES, SEED_BYTES, X25519_BYTES, XWing, combine};
use crate::{
    ct::{scrubbed_by, stack_of_arrays, working},
    decode::DecodeError,
    schemes::mlkem::{MlKem768, ParameterSet},
    xof::{ByteStream, Shake256},
};
use x25519_dalek::{PublicKey, StaticSecret};

/// Bytes of an expanded key of ML-KEM.
const MLKEM_KEY_BYTES: usize = MlKem768::EXPANDED_KEY_BYTES;
/// Bytes of the stack that an operation uses, beside those of ML-KEM, which wipes its own.
const STACK: usize = stack_of_arrays(MLKEM_KEY_BYTES + PUBLIC_KEY_BYTES);

/// The parts of a public key or a ciphertext.
fn parts<const N: usize>(bytes: &[u8]) -> (&[u8; N], PublicKey) {
    let (of_mlkem, of_x25519) = bytes.split_first_chunk().expect("the part of ML-KEM");
    let of_x25519: [u8; X25519_BYTES] = of_x25519.try_into().expect("and that of X25519");
    (of_mlkem, PublicKey::from(of_x25519))
}

/// The keys of a seed: those of ML-KEM, and the secret one of X25519.
fn expand(seed: &[u8; SEED_BYTES], of_mlkem: &mut [u8], secret: &mut [u8; MLKEM_KEY_BYTES]) -> StaticSecret {
    working!(expanded: [u8; 96]);
    Shake256::new(seed).read(&mut expanded[..]);
    let (seed, of_x25519) = expanded.split_first_chunk::<64>().expect("96 bytes");
    MlKem768::keygen_into(seed, of_mlkem.try_into().expect("a key of ML-KEM"), secret);
    StaticSecret::from(*of_x25519.first_chunk::<X25519_BYTES>().expect("32 bytes"))
}

impl XWing {
    /// Writes the public key of a seed, which is the secret key.
    ///
    /// **Constant time:** yes, but for a part of the public key.
    pub fn keygen_into(seed: &[u8; SEED_BYTES], public: &mut [u8; PUBLIC_KEY_BYTES]) {
        scrubbed_by::<STACK, _>(|| {
            working!(of_mlkem: [u8; MLKEM_KEY_BYTES]);
            let (to_mlkem, to_x25519) = public.split_at_mut(PUBLIC_KEY_BYTES - X25519_BYTES);
            let secret = expand(seed, to_mlkem, &mut of_mlkem);
            to_x25519.copy_from_slice(PublicKey::from(&secret).as_bytes());
        });
    }

    /// Writes a ciphertext and the shared key it carries. The random bytes must be secret, and never used twice: 32 for
    /// ML-KEM, then 32 for X25519.
    ///
    /// **Constant time:** yes, but for a part of the public key. **Errors** if ML-KEM refuses its part of the key.
    pub fn encapsulate_into(
        public: &[u8; PUBLIC_KEY_BYTES],
        coins: &[u8; COIN_BYTES],
        ciphertext: &mut [u8; CIPHERTEXT_BYTES],
        shared: &mut [u8; SEED_BYTES],
    ) -> Result<(), DecodeError> {
        scrubbed_by::<STACK, _>(|| {
            working!(of_mlkem: [u8; 32]);
            let (m, y) = coins.split_first_chunk::<32>().expect("64 bytes");
            let (to_mlkem, to_x25519) = ciphertext.split_at_mut(CIPHERTEXT_BYTES - X25519_BYTES);
            let (key, of_x25519) = parts(public);
            MlKem768::encapsulate_into(key, m, to_mlkem.try_into().expect("a ciphertext of ML-KEM"), &mut of_mlkem)?;
            let ephemeral = StaticSecret::from(*y.first_chunk::<32>().expect("32 bytes"));
            let sent = PublicKey::from(&ephemeral);
            to_x25519.copy_from_slice(sent.as_bytes());
            let agreed = ephemeral.diffie_hellman(&of_x25519);
            combine([&of_mlkem, agreed.as_bytes()], &sent, &of_x25519, shared);
            Ok(())
        })
    }

    /// Writes the shared key that a ciphertext carries, or a pseudorandom one if it was not made for this key.
    ///
    /// **Constant time:** yes.
    pub fn decapsulate_into(
        seed: &[u8; SEED_BYTES],
        ciphertext: &[u8; CIPHERTEXT_BYTES],
        shared: &mut [u8; SEED_BYTES],
    ) {
        scrubbed_by::<STACK, _>(|| {
            working!(of_mlkem: [u8; 32]);
            working!(secret: [u8; MLKEM_KEY_BYTES]);
            let mut public = [0; PUBLIC_KEY_BYTES - X25519_BYTES];
            let of_x25519 = expand(seed, &mut public, &mut secret);
            let (to_mlkem, sent) = parts(ciphertext);
            MlKem768::decapsulate_into(&secret, to_mlkem, &mut of_mlkem).expect("the key was just made");
            let agreed = of_x25519.diffie_hellman(&sent);
            combine([&of_mlkem, agreed.as_bytes()], &sent, &PublicKey::from(&of_x25519), shared);
        });
    }
}
