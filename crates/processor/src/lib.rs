//! A bit- and cycle-accurate model of a cryptoprocessor for ring-LWE encryption, in two variants ([`Variant`]): the
//! paper's machine, and a faster one with the same ports.
//!
//! - [`set`]: parameter sets and the contents of read-only memories; [`isa`]: commands as bytes;
//! - [`machine`]: memory, queues, the pipeline of slots, the input engine, cycle by cycle; [`schedule`]: instructions
//!   as slots; [`depth`]: the multiplier's stages, and cycle counts by them; [`sampler`]: Knuth and Yao's walk, step by
//!   step;
//! - [`program`]: the assembler, and the host's handling of bytes; [`host`]: layouts of words; [`rounds`]: keys,
//!   encryption and decryption, repeated.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014).
//!
//! **A model, for study and for tests**: it runs in variable time, and its words are public. The scheme is research
//! material: secure only against passive attackers (CPA), with a sampler that is not constant-time; its core-SVP
//! estimates are now 44 bits (P1) and 103 bits (P2).

#![forbid(unsafe_code)]

mod constants;
pub mod depth;
pub mod host;
pub mod isa;
pub mod machine;
pub mod program;
pub mod random;
pub mod rounds;
pub mod sampler;
pub mod schedule;
pub mod set;

pub use depth::Depth;
pub use isa::Variant;
pub use machine::Machine;
pub use set::Set;

/// The example of `README.md` is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
