//! Types of other crates, each by the feature with the name of the crate: nothing below knows them.

#[cfg(any(feature = "dashu", feature = "num-bigint"))]
mod bigints;
#[cfg(feature = "dashu")]
mod dashu;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "num-bigint")]
mod num_bigint;
#[cfg(feature = "serde")]
mod serde;

#[cfg(any(feature = "dashu", feature = "num-bigint"))]
pub use bigints::BigInteger;
