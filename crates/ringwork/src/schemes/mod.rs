//! Schemes, one module each. No scheme uses another.
//!
//! [`mlkem`] and [`mldsa`] are standards. The others are research constructions, behind the feature
//! `research`.

#[cfg(feature = "research")]
pub mod bdlop;
#[cfg(feature = "research")]
pub mod lwe;
#[cfg(feature = "mldsa")]
pub mod mldsa;
#[cfg(feature = "mlkem")]
pub mod mlkem;
#[cfg(feature = "research")]
pub mod newhope;
#[cfg(feature = "research")]
pub mod ntru;
#[cfg(feature = "research")]
pub mod nttru;
#[cfg(feature = "research")]
pub mod rlwe;
