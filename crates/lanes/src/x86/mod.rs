//! x86-64 instruction sets.

#![allow(unsafe_code, reason = "intrinsics behind proof-of-feature tokens")]

mod avx2;
mod avx2_64;
mod avx512;
mod avx512_words;
mod words;

pub use avx2::Avx2;
pub use avx512::Avx512;

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU8, Ordering};

/// Whether this CPU has instructions, and this operating system saves their registers: bits of
/// XCR0, of CPUID.1:ECX, of CPUID.7:EBX and :ECX. Intel's rule: CPUID.1:ECX OSXSAVE and AVX, then these.
fn cpu_has(saved: u64, [leaf1, leaf7b, leaf7c]: [u32; 3]) -> bool {
    if cfg!(miri) || __cpuid(0).eax < 7 {
        return false;
    }
    let leaf1 = leaf1 | 1 << 27 | 1 << 28;
    if __cpuid(1).ecx & leaf1 != leaf1 {
        return false;
    }
    let leaf7 = __cpuid_count(7, 0);
    // SAFETY: OSXSAVE is set, so XGETBV exists.
    unsafe { xgetbv0() & saved == saved && leaf7.ebx & leaf7b == leaf7b && leaf7.ecx & leaf7c == leaf7c }
}

#[target_feature(enable = "xsave")]
fn xgetbv0() -> u64 {
    // SAFETY: register 0 exists wherever XGETBV does.
    unsafe { _xgetbv(0) }
}

/// The answer to a question that is asked once, then remembered.
struct Once(AtomicU8);

impl Once {
    const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    fn answer(&self, ask: impl FnOnce() -> bool) -> bool {
        let mut state = self.0.load(Ordering::Relaxed);
        if state == 0 {
            state = 1 + u8::from(ask());
            self.0.store(state, Ordering::Relaxed);
        }
        state == 2
    }
}
