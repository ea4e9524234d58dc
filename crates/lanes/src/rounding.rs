//! Other modes of this CPU's doubles than Rust knows, for tests of what still holds in them.

#![allow(unsafe_code, reason = "the register of modes has no safe access")]

use core::arch::asm;

/// Bits of MXCSR: 13 and 14 round down, up, or to zero; 6 takes denormal operands for zero, 15 flushes results.
pub const MODES: [u32; 6] = [0, 1 << 13, 2 << 13, 3 << 13, 1 << 15 | 1 << 6, 3 << 13 | 1 << 15 | 1 << 6];

/// Calls a function in one of [`MODES`]. To the compiler it is an ordinary function, so doubles that it computes itself
/// may be those of either mode.
pub fn under<T>(mode: u32, f: impl FnOnce() -> T) -> T {
    let before = replace(mode);
    let output = f();
    replace(before);
    output
}

/// The modes so far.
#[inline(never)]
fn replace(mode: u32) -> u32 {
    let modes = MODES[3] | MODES[4];
    let mut register = 0_u32;
    // SAFETY: SSE belongs to the architecture, the address is that of a word, and only bits of modes are changed, to
    // values that exist.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
    let changed = register & !modes | mode & modes;
    // SAFETY: as above.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const changed, options(nostack, preserves_flags)) };
    register & modes
}
