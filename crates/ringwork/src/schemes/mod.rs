//! Schemes. None of them knows another.

pub mod bdlop;
pub mod lwe;
pub mod newhope;
pub mod rlwe;
