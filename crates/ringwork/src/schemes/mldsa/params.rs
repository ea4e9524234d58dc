//! Parameter sets: Tables 1 and 2 of FIPS 204.

use core::fmt;
use hybrid_array::{ArraySize, sizes};
#[cfg(feature = "pkcs8")]
use pkcs8::ObjectIdentifier;

/// Degree.
pub(super) const N: usize = 256;
/// Modulus: `2^23 - 2^13 + 1`.
pub const Q: i32 = 8_380_417;
/// The primitive 512th root of unity of the standard.
pub const ROOT: u64 = 1753;
/// Low bits dropped from t.
pub(super) const D: u32 = 13;
/// Bytes of a seed ξ, which generates a key pair.
pub const SEED_BYTES: usize = 32;
/// Bytes of a message representative µ.
pub const MU_BYTES: usize = 64;
/// Largest length of a context in bytes.
pub const MAX_CONTEXT: usize = 255;
/// Bytes of `tr`.
pub const TR_BYTES: usize = 64;
/// Bytes of a packed polynomial of t1, 10 bits per coefficient.
pub(super) const T1_BYTES: usize = bytes(10);
/// Bytes of a packed polynomial of t0.
pub(super) const T0_BYTES: usize = bytes(D);
/// Largest number of matrix rows of any set.
pub(super) const MOST: usize = 8;

/// Bytes of a polynomial with `bits` bits per coefficient.
const fn bytes(bits: u32) -> usize {
    (N >> 3) * bits as usize
}

/// One row of Table 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// The name of the set.
    pub name: &'static str,
    /// Rows of the matrix.
    pub k: usize,
    /// Columns of the matrix.
    pub l: usize,
    /// Coefficients of the secret are in `[-η, η]`.
    pub eta: i32,
    /// Coefficients ±1 of the challenge c.
    pub tau: usize,
    /// Collision strength of `c̃` in bits.
    pub lambda: usize,
    /// Coefficients of y are in `(-γ1, γ1]`.
    pub gamma1: i32,
    /// Low-order rounding range.
    pub gamma2: i32,
    /// Largest number of ones in the hint h.
    pub omega: usize,
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Parameters {
    /// `β = τη`, the largest coefficient of `c·s`.
    pub const fn beta(&self) -> i32 {
        self.tau as i32 * self.eta
    }

    /// Bytes of `c̃`.
    pub const fn challenge_bytes(&self) -> usize {
        self.lambda >> 2
    }

    /// Bits of a coefficient of s1 and s2.
    pub(super) const fn eta_bits(&self) -> u32 {
        if self.eta == 2 { 3 } else { 4 }
    }

    /// Bits of a coefficient of y and z.
    pub(super) const fn gamma1_bits(&self) -> u32 {
        1 + self.gamma1.ilog2()
    }

    /// Bytes of a polynomial of s1 or s2.
    pub(super) const fn eta_bytes(&self) -> usize {
        bytes(self.eta_bits())
    }

    /// Bytes of a polynomial of y or z.
    pub(super) const fn gamma1_bytes(&self) -> usize {
        bytes(self.gamma1_bits())
    }

    /// Whether `γ2 = (q - 1)/32`; otherwise it is `(q - 1)/88`.
    pub(super) const fn wide(&self) -> bool {
        self.gamma2 == GAMMA2_WIDE
    }

    /// Bytes of a polynomial of w1.
    pub(super) const fn w1_bytes(&self) -> usize {
        bytes(if self.wide() { 4 } else { 6 })
    }

    /// Bytes of a public key.
    pub const fn public_key_bytes(&self) -> usize {
        SEED_BYTES + self.k * T1_BYTES
    }

    /// Bytes of an expanded secret key.
    pub const fn secret_key_bytes(&self) -> usize {
        2 * SEED_BYTES + TR_BYTES + (self.k + self.l) * self.eta_bytes() + self.k * T0_BYTES
    }

    /// Bytes of a signature.
    pub const fn signature_bytes(&self) -> usize {
        self.challenge_bytes() + self.l * self.gamma1_bytes() + self.omega + self.k
    }
}

/// `(q - 1)/88`.
pub(super) const GAMMA2_NARROW: i32 = 95_232;
/// `(q - 1)/32`.
pub(super) const GAMMA2_WIDE: i32 = 261_888;
const _: () = assert!(88 * GAMMA2_NARROW == Q - 1 && 32 * GAMMA2_WIDE == Q - 1);

mod sealed {
    /// Restricts the sets to those of the standard.
    pub trait Sealed {}
}

/// A parameter set as a type: [`MlDsa44`], [`MlDsa65`] or [`MlDsa87`].
pub trait MlDsaParams: sealed::Sealed + Copy + fmt::Debug + Default + Eq + Send + Sync + 'static {
    /// The numbers.
    const PARAMETERS: Parameters;
    /// Object identifier registered by NIST.
    #[cfg(feature = "pkcs8")]
    const OID: ObjectIdentifier;
    /// The bytes of a verifying key.
    type VerifyingKeyBytes: Bytes;
    /// The bytes of a signature.
    type SignatureBytes: Bytes;
    /// The length of a verifying key as a type, for the traits.
    type VerifyingKeySize: ArraySize;
}

/// An array of bytes.
pub trait Bytes:
    Copy + AsRef<[u8]> + AsMut<[u8]> + Eq + fmt::Debug + Send + Sync + for<'a> TryFrom<&'a [u8]> + 'static
{
}

impl<const L: usize> Bytes for [u8; L] {}

macro_rules! sets {
    ($($(#[$doc:meta])* $set:ident $name:literal $oid:literal {
        $($field:ident: $value:expr),*
    } $public:literal $secret:literal $signature:literal $size:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $set;

        impl sealed::Sealed for $set {}

        impl MlDsaParams for $set {
            const PARAMETERS: Parameters = Parameters { name: $name, $($field: $value),* };
            #[cfg(feature = "pkcs8")]
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            type VerifyingKeyBytes = [u8; $public];
            type SignatureBytes = [u8; $signature];
            type VerifyingKeySize = sizes::$size;
        }

        // Table 2.
        const _: () = {
            let set = $set::PARAMETERS;
            assert!(set.public_key_bytes() == $public);
            assert!(set.secret_key_bytes() == $secret);
            assert!(set.signature_bytes() == $signature);
            assert!(set.k <= MOST && set.l < MOST);
        };
    )*};
}

sets! {
    /// ML-DSA-44: category 2.
    MlDsa44 "ML-DSA-44" "2.16.840.1.101.3.4.3.17" {
        k: 4, l: 4, eta: 2, tau: 39, lambda: 128, gamma1: 1 << 17, gamma2: GAMMA2_NARROW, omega: 80
    } 1312 2560 2420 U1312;
    /// ML-DSA-65: category 3.
    MlDsa65 "ML-DSA-65" "2.16.840.1.101.3.4.3.18" {
        k: 6, l: 5, eta: 4, tau: 49, lambda: 192, gamma1: 1 << 19, gamma2: GAMMA2_WIDE, omega: 55
    } 1952 4032 3309 U1952;
    /// ML-DSA-87: category 5.
    MlDsa87 "ML-DSA-87" "2.16.840.1.101.3.4.3.19" {
        k: 8, l: 7, eta: 2, tau: 60, lambda: 256, gamma1: 1 << 19, gamma2: GAMMA2_WIDE, omega: 75
    } 2592 4896 4627 U2592;
}
