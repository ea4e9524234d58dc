//! Tests of the engine, all but `random` and `memory`, which watch the memory of their process.
//!
//! One program, so that its generic code is compiled and linked once, and runs side by side. A file
//! is run by `cargo test -p ringwork-ntt --test suite <file>::`.

#![forbid(unsafe_code)]

mod agree;
mod any_plan;
mod batch;
mod blocks;
mod bluestein;
mod border;
mod contracts;
mod cost_model;
mod elementwise;
mod exact;
mod examples;
mod fixed;
mod full_words;
mod identity;
mod illegal;
mod input;
mod inverses;
mod ledger;
mod linear;
mod modular;
mod one_program;
mod order;
mod planner;
mod planning;
mod plans;
mod rns;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod rounding;
mod shift;
mod small;
mod sums;
mod tables;
mod thesis;
mod unsigned;
mod wide_sums;
mod with;
