//! A bit- and cycle-exact model of a cryptoprocessor for ring-LWE encryption.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014).

#![forbid(unsafe_code)]

pub mod host;
pub mod isa;
pub mod machine;
pub mod program;
pub mod random;
pub mod rounds;
pub mod sampler;
pub mod schedule;
pub mod set;

pub use isa::Variant;
pub use machine::Machine;
pub use set::Set;
