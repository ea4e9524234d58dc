//! Tests of the transforms of papers.

#![forbid(unsafe_code)]

mod lazyntt;
mod textbook;
