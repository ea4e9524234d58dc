//! Schemes, one module each, none of which knows another.

pub mod newhope;
