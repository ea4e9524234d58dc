//! Section 8: the parameter sets; and the ring of section 2.4.

use hybrid_array::{ArraySize, sizes};
#[cfg(feature = "pkcs8")]
use pkcs8::ObjectIdentifier;

/// Degree n of the ring.
pub const N: usize = 256;
/// Modulus q of the ring.
pub const Q: u16 = 3329;
/// ζ, a primitive 256th root of unity modulo q.
pub(super) const ZETA: u64 = 17;
/// η₂, the same in all sets.
pub(super) const ETA2: u32 = 2;

/// Bytes of a shared key, of a message, and of each half of a seed.
pub const KEY_BYTES: usize = 32;
/// Bytes of a seed `d ‖ z`, the private form of a key.
pub const SEED_BYTES: usize = 64;

/// Bytes of a polynomial whose values have `bits` bits each (`ByteEncode`).
pub(super) const fn encoded(bits: u32) -> usize {
    32 * bits as usize
}

mod sealed {
    /// Restricts the sets to those of the standard. Their keys in memory need a heap.
    #[cfg(feature = "alloc")]
    pub trait Sealed: kem::Kem<SharedKeySize = hybrid_array::sizes::U32> {}
    /// The same without.
    #[cfg(not(feature = "alloc"))]
    pub trait Sealed {}
}

/// A parameter set: table 2 of the standard.
pub trait ParameterSet: sealed::Sealed {
    /// Name of the set, such as `ML-KEM-768`.
    const NAME: &'static str;
    /// Object identifier registered by NIST.
    #[cfg(feature = "pkcs8")]
    const OID: ObjectIdentifier;
    /// The rank k of the module.
    const K: usize;
    /// η₁.
    const ETA1: u32;
    /// Bits of a coefficient of `u`.
    const DU: u32;
    /// Bits of a coefficient of `v`.
    const DV: u32;

    /// Bytes of an encapsulation key, as a type.
    type EncapsulationKeySize: ArraySize;
    /// Bytes of an expanded decapsulation key, as a type.
    type ExpandedKeySize: ArraySize;

    /// Bytes of an encapsulation key.
    const ENCAPSULATION_KEY_BYTES: usize = encoded(12) * Self::K + 32;
    /// Bytes of an expanded decapsulation key.
    const EXPANDED_KEY_BYTES: usize = 2 * encoded(12) * Self::K + 96;
    /// Bytes of a ciphertext.
    const CIPHERTEXT_BYTES: usize = encoded(Self::DU) * Self::K + encoded(Self::DV);
}

macro_rules! sets {
    ($($(#[$doc:meta])* $set:ident $name:literal $oid:literal: $k:literal $eta1:literal $du:literal $dv:literal, $ek:ident $dk:ident $c:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $set;

        impl sealed::Sealed for $set {}

        impl ParameterSet for $set {
            const NAME: &'static str = $name;
            #[cfg(feature = "pkcs8")]
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            const K: usize = $k;
            const ETA1: u32 = $eta1;
            const DU: u32 = $du;
            const DV: u32 = $dv;
            type EncapsulationKeySize = sizes::$ek;
            type ExpandedKeySize = sizes::$dk;
        }

        const _: () = {
            use hybrid_array::typenum::Unsigned;
            assert!($set::ENCAPSULATION_KEY_BYTES == sizes::$ek::USIZE);
            assert!($set::EXPANDED_KEY_BYTES == sizes::$dk::USIZE);
            assert!($set::CIPHERTEXT_BYTES == sizes::$c::USIZE);
        };
    )*};
}

sets! {
    /// ML-KEM-512: security category 1.
    MlKem512 "ML-KEM-512" "2.16.840.1.101.3.4.4.1": 2 3 10 4, U800 U1632 U768;
    /// ML-KEM-768: security category 3.
    MlKem768 "ML-KEM-768" "2.16.840.1.101.3.4.4.2": 3 2 10 4, U1184 U2400 U1088;
    /// ML-KEM-1024: security category 5.
    MlKem1024 "ML-KEM-1024" "2.16.840.1.101.3.4.4.3": 4 2 11 5, U1568 U3168 U1568;
}
