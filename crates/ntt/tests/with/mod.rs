//! Types of other crates, with the features that are named after these.

#[cfg(any(feature = "dashu", feature = "num-bigint"))]
mod bigints;
#[cfg(feature = "ndarray")]
mod matrices;
#[cfg(feature = "serde")]
mod requests;
