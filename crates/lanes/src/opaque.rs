//! A value barrier: words of which the compiler forgets how they came about.
//!
//! To a compiler, a mask that a comparison made still is that comparison: it may turn `mask & x`
//! into a jump, which is what masks are there to avoid. A word that went through an empty piece of
//! assembly is a word like any other.

#![allow(unsafe_code, reason = "assembly without instructions")]

/// Words that can go through the barrier.
pub trait Opaque: Copy {
    /// The same word, of which the compiler knows nothing any more; it stays in its register.
    ///
    /// For processors whose assembly Rust does not know, and under Miri, [`core::hint::black_box`]
    /// has to do.
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
                    // SAFETY: there is no instruction, and the operand is what it was.
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
