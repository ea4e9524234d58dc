//! Schemes, one module each, none of which knows another.

pub mod bdlop;
pub mod lwe;
pub mod mldsa;
pub mod mlkem;
pub mod newhope;
pub mod ntru;
pub mod nttru;
pub mod rlwe;
