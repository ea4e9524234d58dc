//! What JavaScript calls in modules of WebAssembly: memory for arguments, and texts. The module `schemes` has the
//! standards; the module `files` has files of age; the module `plans` has the functions of the C library for plans and
//! residues, what was decided about a plan, and estimates.

#![allow(unsafe_code, reason = "memory of the module, which JavaScript addresses by numbers")]
#![allow(missing_docs, unreachable_pub, reason = "symbols for JavaScript")]

mod answers;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "plans")]
mod plans;
#[cfg(feature = "schemes")]
mod schemes;

// A module exports the functions of all crates in it.
#[cfg(feature = "plans")]
use ringwork_c as _;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use zeroize::Zeroize;

/// Of memory that JavaScript asks for: enough for every word.
const ALIGNMENT: usize = 16;

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()
}

/// Bytes that are read.
///
/// # Safety
/// The address is that of so many bytes.
unsafe fn bytes<'a>(at: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(at, length) }
}

/// Memory of so many bytes, which are zero; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn ringwork_memory_new(bytes: usize) -> *mut u8 {
    // SAFETY: the size is not zero.
    layout(bytes).map_or(std::ptr::null_mut(), |layout| unsafe { alloc_zeroed(layout) })
}

/// Wipes memory and gives it back.
///
/// # Safety
/// It is from [`ringwork_memory_new`] with this size, and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_memory_free(at: *mut u8, bytes: usize) {
    if let Some(layout) = layout(bytes) {
        // SAFETY: as the caller promises.
        unsafe {
            std::slice::from_raw_parts_mut(at, bytes).zeroize();
            dealloc(at, layout);
        }
    }
}
