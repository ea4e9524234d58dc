//! The C library: `include/ringwork.h` says what its functions do.
//!
//! Everything that C code gives is checked but what no callee can check: that pointers point to as many words as the
//! header says, and that handles came from here and were not freed.

#![allow(unsafe_code, reason = "pointers of C")]
#![allow(missing_docs, unreachable_pub, reason = "symbols, which the header documents")]
#![cfg_attr(
    not(all(feature = "plans", feature = "schemes")),
    allow(dead_code, unused_macros, unused_imports, reason = "what the other part uses")
)]

mod border;
#[cfg(feature = "schemes")]
mod kems;
#[cfg(feature = "plans")]
mod plans;
#[cfg(feature = "plans")]
mod residues;
#[cfg(feature = "schemes")]
mod signatures;

use std::ffi::{CStr, c_char};

/// Never changes for one layout of structures, numbering of errors and set of functions.
const ABI: u32 = 1;
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version without zeros"),
};

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_abi() -> u32 {
    ABI
}

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_version() -> *const c_char {
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_error_message() -> *const c_char {
    border::message()
}
