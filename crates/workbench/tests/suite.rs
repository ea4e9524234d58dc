//! Tests of the command.
//!
//! One program, so that its generic code is compiled and linked once, and runs side by side. A file
//! is run by `cargo test -p ringwork-workbench --test suite <file>::`.

#![forbid(unsafe_code)]

mod boxes;
mod cli;
mod commitments;
mod costs;
#[path = "../../ringwork/tests/der.rs"]
mod der;
mod desk;
mod explain;
mod field;
mod files;
mod help;
mod interop;
mod json;
mod kems;
mod kex;
mod kit;
mod linear;
mod measuring;
mod openssl;
mod outputs;
mod pages;
mod plan;
mod plugin;
mod plugins;
mod polynomials;
mod signatures;
mod signed;
mod sockets;
mod ssh;
mod ssh_keys;
mod vectors;
