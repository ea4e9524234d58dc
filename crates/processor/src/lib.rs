//! A model, bit by bit and cycle by cycle, of a cryptoprocessor for ring-LWE encryption, in two forms
//! ([`Variant`]): the paper's machine, and a faster one with the same ports.
//!
//! - [`set`]: parameter sets and the contents of read-only memories; [`isa`]: commands as bytes;
//! - [`machine`]: memory, queues, the line of slots, the input engine, cycle by cycle; [`schedule`]:
//!   instructions as slots; [`sampler`]: Knuth and Yao's walk, step by step;
//! - [`program`]: assembler, and what a host does with bytes; [`host`]: layouts of words; [`rounds`]:
//!   keys, encryption and decryption, many times over.
//!
//! Source: Roy, Vercauteren, Mentens, Chen, Verbauwhede, *Compact ring-LWE cryptoprocessor* (2014).
//!
//! **A model, for study and for tests**: it takes a variable time, and its words are public. The
//! scheme is research material: secure against passive attackers alone (CPA), with a sampler that is
//! not constant time, and worth 44 (P1) and 103 (P2) bits of core-SVP by today's estimates.

#![forbid(unsafe_code)]

mod constants;
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

/// The example of `README.md` is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
