//! An allocator that knows its peak.

use core::{
    alloc::{GlobalAlloc, Layout},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};
use embedded_alloc::LlffHeap;

const HEAP_BYTES: usize = 2 << 20;

#[global_allocator]
static HEAP: Counting = Counting(LlffHeap::empty());
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting(LlffHeap);

// SAFETY: every call is passed on to an allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let block = unsafe { self.0.alloc(layout) };
        PEAK.fetch_max(self.0.used(), Relaxed);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(block, layout) }
    }
}

/// Gives the allocator its memory; before anything is allocated, and once.
pub fn start() {
    let heap = &HEAP.0;
    // SAFETY: `main` calls this first, and once.
    unsafe {
        embedded_alloc::init!(heap, HEAP_BYTES);
    }
}

/// Before a piece of work: what is in use.
pub fn begin() -> usize {
    let before = HEAP.0.used();
    PEAK.store(before, Relaxed);
    before
}

/// After it: the peak, and what is in use, beyond what was before.
pub fn end(before: usize) -> [usize; 2] {
    [PEAK.load(Relaxed), HEAP.0.used()].map(|bytes| bytes - before)
}
