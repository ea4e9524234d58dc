//! What a piece of work uses of stack and heap.
//!
//! The stack below the caller is filled with a pattern first; how much of it has changed afterwards is what was used.
//! Of an array that is never written to its end, the end counts as unused.

#![allow(unsafe_code, reason = "an allocator, and memory that is no variable's; in no product")]

#[cfg(feature = "heap")]
mod heap;

use core::hint::black_box;
#[cfg(feature = "heap")]
pub use heap::start;

/// More than any work here uses. The stack has more room than that.
const PAINTED: usize = 512 << 10;
/// Below the address of a variable: what the function that paints may use itself.
const OWN: usize = 256;
const PAINT: u32 = 0x5aa5_c33c;

/// There is no heap.
#[cfg(not(feature = "heap"))]
mod heap {
    pub fn begin() -> usize {
        0
    }

    pub fn end(_: usize) -> [usize; 2] {
        [0; 2]
    }
}

/// Bytes.
pub struct Used {
    pub stack: usize,
    /// At the peak, beyond what was in use before.
    pub heap: usize,
    /// Of that, what is still in use.
    pub kept: usize,
}

#[inline(never)]
pub fn measured<R>(work: impl FnOnce() -> R) -> (R, Used) {
    let before = heap::begin();
    let bottom = paint();
    let result = apart(work);
    let stack = changed(bottom);
    let [heap, kept] = heap::end(before);
    (result, Used { stack, heap, kept })
}

#[inline(never)]
fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Fills the stack below the caller, and returns where that begins, its lowest address.
#[inline(never)]
fn paint() -> usize {
    let here = here();
    for address in (here - PAINTED..here - OWN).step_by(4) {
        // SAFETY: aligned, and memory of the stack below everything that is on it.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(address).write_volatile(PAINT) }
    }
    here - PAINTED
}

/// How many bytes above the lowest address that has changed.
#[inline(never)]
fn changed(bottom: usize) -> usize {
    let top = bottom + PAINTED;
    // SAFETY: as in `paint`.
    let is_paint =
        |address: &usize| unsafe { core::ptr::with_exposed_provenance::<u32>(*address).read_volatile() == PAINT };
    let unchanged = (bottom..top).step_by(4).take_while(is_paint).count() * 4;
    assert!(unchanged > 0, "more stack was used than was painted");
    PAINTED - unchanged
}

/// The address of something on the stack, aligned.
#[inline(never)]
fn here() -> usize {
    let local = 0_u32;
    black_box(&raw const local).addr() & !3
}
