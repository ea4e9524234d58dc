//! A bit- and cycle-exact model of a cryptoprocessor for ring-LWE encryption.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014).

#![forbid(unsafe_code)]

pub mod set;

pub use set::Set;
