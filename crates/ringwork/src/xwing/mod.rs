//! X-Wing: a hybrid of ML-KEM-768 and X25519, secure if at least one of the two is.
//!
//! ```text
//! seed -> SHAKE-256(seed) = d ‖ z ‖ x;   public key: ek(d, z) ‖ x·G
//! encapsulate: (c, k) = ML-KEM, y random;   ciphertext: c ‖ y·G
//! shared key: SHA3-256(k ‖ y·(x·G) ‖ y·G ‖ x·G ‖ label)
//! ```
//!
//! HPKE calls this KEM MLKEM768-X25519, number 0x647a.
//!
//! Without the feature `alloc` it is operations on arrays of bytes alone: [`arrays`].
//!
//! **Constant time:** like ML-KEM; X25519 comes from the crate `x25519-dalek`.
//!
//! Source: Connolly, Schwabe, Westerbaan, *X-Wing: general-purpose hybrid post-quantum KEM*,
//! draft-connolly-cfrg-xwing-kem-10.

pub mod arrays;
#[cfg(feature = "alloc")]
mod keys;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;

#[cfg(feature = "alloc")]
pub use keys::{DecapsulationKey, EncapsulationKey, SharedKey};

use crate::{
    schemes::mlkem::{MlKem768, ParameterSet},
    xof::Sha3_256,
};
use x25519_dalek::PublicKey;

/// Bytes of a seed (the private form of a key), and of a shared key.
pub const SEED_BYTES: usize = 32;
/// Bytes of a public key.
pub const PUBLIC_KEY_BYTES: usize = MlKem768::ENCAPSULATION_KEY_BYTES + X25519_BYTES;
/// Bytes of a ciphertext.
pub const CIPHERTEXT_BYTES: usize = MlKem768::CIPHERTEXT_BYTES + X25519_BYTES;
/// Bytes of the randomness of an encapsulation: 32 for ML-KEM, then 32 for X25519.
pub const COIN_BYTES: usize = 64;
/// The number of this KEM in HPKE.
pub const HPKE_KEM_ID: u16 = 0x647a;

const X25519_BYTES: usize = 32;
/// On two lines it draws an X-wing, the draft says.
const LABEL: &[u8; 6] = br"\.//^\";

/// X-Wing: [operations on arrays](arrays), and for programs that are generic over the traits of [`kem`].
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct XWing;

/// Section 5.3 of the draft.
fn combine(
    [of_mlkem, of_x25519]: [&[u8; 32]; 2],
    ciphertext: &PublicKey,
    key: &PublicKey,
    shared: &mut [u8; SEED_BYTES],
) {
    let mut hash = Sha3_256::default();
    for part in [&of_mlkem[..], of_x25519, ciphertext.as_bytes(), key.as_bytes(), LABEL] {
        hash.update(part);
    }
    hash.finish_into(shared);
}
