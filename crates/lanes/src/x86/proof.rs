//! Proof that a CPU has instructions: values that exist only on such a CPU.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU8, Ordering};

/// Proof that this CPU runs SSE4.1 and SSSE3. Every operating system for x86-64 saves their registers.
#[cfg(feature = "sse41")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sse41(());

#[cfg(feature = "sse41")]
impl Sse41 {
    pub(super) fn find() -> Option<Self> {
        static HERE: Once = Once::new();
        // Leaf 1: SSSE3, SSE4.1.
        const LEAF1: u32 = 1 << 9 | 1 << 19;
        HERE.answer(|| !cfg!(miri) && __cpuid(1).ecx & LEAF1 == LEAF1).then_some(Self(()))
    }
}

/// Proof that this CPU, under this operating system, runs AVX2, FMA, POPCNT, BMI1 and BMI2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2(());

impl Avx2 {
    pub(super) fn find() -> Option<Self> {
        static HERE: Once = Once::new();
        // XCR0: SSE, AVX. Leaf 1: FMA, POPCNT. Leaf 7: BMI1, AVX2, BMI2.
        HERE.answer(|| cpu_has(0b110, [1 << 12 | 1 << 23, 1 << 3 | 1 << 5 | 1 << 8, 0])).then_some(Self(()))
    }
}

/// Proof that this CPU, under this operating system, runs AVX-512 F, VL, BW and DQ, and everything of [`Avx2`]; it also
/// records whether there are VBMI2, which compacts words, and IFMA, which multiplies 52 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512 {
    avx2: Avx2,
    compresses: bool,
    multiplies_52: bool,
}

/// XCR0: SSE, AVX, opmask, upper halves of ZMM0-15, ZMM16-31.
const SAVED: u64 = 0b1110_0110;

impl Avx512 {
    pub(super) fn find() -> Option<Self> {
        static HERE: Once = Once::new();
        static COMPRESSES: Once = Once::new();
        static MULTIPLIES_52: Once = Once::new();
        // F, DQ, BW, VL.
        if !HERE.answer(|| cpu_has(SAVED, [0, 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31, 0])) {
            return None;
        }
        let compresses = COMPRESSES.answer(|| cpu_has(SAVED, [0, 0, 1 << 6]));
        let multiplies_52 = MULTIPLIES_52.answer(|| cpu_has(SAVED, [0, 1 << 21, 0]));
        Avx2::find().map(|avx2| Self { avx2, compresses, multiplies_52 })
    }

    pub(super) const fn avx2(self) -> Avx2 {
        self.avx2
    }

    /// Whether the CPU has VBMI2.
    pub(super) const fn compresses(self) -> bool {
        self.compresses
    }

    /// Whether the CPU has IFMA.
    pub(super) const fn has_ifma(self) -> bool {
        self.multiplies_52
    }
}

/// Proof that this CPU runs ADX and BMI2: sums with two carries, and products that keep them.
#[cfg(unix)]
#[derive(Clone, Copy)]
pub(crate) struct CarryChains(());

#[cfg(unix)]
impl CarryChains {
    pub(crate) fn find() -> Option<Self> {
        static HERE: Once = Once::new();
        // BMI2, ADX.
        HERE.answer(|| cpu_has(0, [0, 1 << 8 | 1 << 19, 0])).then_some(Self(()))
    }
}

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

/// The answer to a question, computed once and then remembered.
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
