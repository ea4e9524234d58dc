//! The list of what is compiled: for each word, the methods on every machine backend (the scalar
//! one included), those on vectors, and those on the scalar backend alone.
//!
//! Each of them costs about ten functions of machine code per backend. Whatever else is planned
//! runs by the one erased kernel, right and slow; the planner takes it only if it is asked to, or
//! if nothing else can be proved. `docs/planner.md` shows which methods the planner takes where,
//! the evidence for the list. What needs no twiddles (canonical and centred residues, sums, CRT
//! reconstruction) is compiled by Barrett's method for each word besides, and inversions by
//! Montgomery's, but for primes that fill a word: those run by the erased kernel.

use crate::reduction::Method;

/// Hands the list to a macro.
#[cfg(not(feature = "all-methods"))]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery] vectors [] scalar [];
            i32: machines [Montgomery Strict Unsigned] vectors [Shoup] scalar [KRed];
            i64: machines [Goldilocks Unsigned] vectors [Truncated Double Ifma IfmaStrict] scalar [Montgomery Shoup];
        }
    };
}

/// Hands the list to a macro: every method, for those who compare methods; for words of 64 bits on vectors those
/// that are made for them.
#[cfg(feature = "all-methods")]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas] vectors [] scalar [];
            i32: machines [Montgomery Barrett Shoup Strict Plantard KRed KRed2x Solinas Unsigned] vectors [] scalar [];
            i64: machines [Goldilocks Unsigned] vectors [Truncated Double Ifma IfmaStrict] scalar [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas];
        }
    };
}
pub(crate) use with_compiled_kernels;

macro_rules! is_compiled {
    ($($word:ident: machines [$($method:ident)*] vectors [$($vectors:ident)*] scalar [$($scalar:ident)*];)*) => {
        /// Whether jobs by that method, in words of so many bits, on vectors of so many lanes are
        /// compiled, where those are vectors of a machine.
        #[cfg_attr(feature = "all-methods", allow(unused_variables, reason = "no method is for one lane alone"))]
        pub const fn is_compiled(method: Method, bits: u32, lanes: usize) -> bool {
            $(if bits == <$word>::BITS {
                return match method {
                    $(Method::$method => true,)*
                    $(Method::$vectors => lanes >= Method::$vectors.least_lanes(),)*
                    $(Method::$scalar => lanes == 1,)*
                    #[allow(unreachable_patterns, reason = "a list may have every method")]
                    _ => false,
                };
            })*
            false
        }
    };
}
with_compiled_kernels!(is_compiled);
