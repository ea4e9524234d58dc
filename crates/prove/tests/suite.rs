//! All tests of this crate, as one program.
#![forbid(unsafe_code)]

mod claims;
mod laws;
