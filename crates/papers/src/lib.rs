//! Transforms of papers that the planner never takes, on kernels and models of the engine.
//!
//! - [`lazyntt`]: LazyNTT, which reduces one of `t` products in a row.

#![forbid(unsafe_code)]

pub mod lazyntt;

/// The example of `README.md` is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
