//! A value barrier: it hides the origin of a word from the compiler.
//!
//! To a compiler, the mask of a comparison is still that comparison: it may turn `mask & x` into a
//! jump, which masks exist to avoid. After an empty piece of assembly the word is like any other.

#![allow(unsafe_code, reason = "assembly without instructions")]

/// Words that can pass the barrier.
pub trait Opaque: Copy {
    /// The same word, with its origin hidden from the compiler; it stays in its register.
    ///
    /// [`core::hint::black_box`] stands in on processors whose assembly Rust does not support, and
    /// under Miri.
    fn opaque(self) -> Self;
}

macro_rules! opaque {
    ($($word:ty)*) => {$(
        impl Opaque for $word {
            #[inline(always)]
            #[allow(unreachable_code, reason = "the barrier without assembly")]
            fn opaque(self) -> Self {
                #[cfg(all(
                    not(miri),
                    any(
                        target_arch = "x86_64",
                        target_arch = "aarch64",
                        target_arch = "riscv64",
                        target_arch = "loongarch64",
                        target_arch = "s390x"
                    )
                ))]
                {
                    let mut x = self;
                    #[allow(asm_sub_register, reason = "the register is named in a comment only")]
                    // SAFETY: there is no instruction, and the operand is unchanged.
                    unsafe {
                        core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
                    }
                    return x;
                }
                core::hint::black_box(self)
            }
        }
    )*};
}

opaque!(i16 i32 i64 u64);
