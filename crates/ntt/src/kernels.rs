//! The list of what is compiled: for each word, the methods on every machine backend (the scalar one included), those
//! on vectors, those on the scalar backend alone, and those of which vectors have sums of products alone.
//!
//! Each of the first costs about four functions of machine code per backend. Whatever else is planned
//! runs by the interpreter, right and slow; the planner takes it only if it is asked to, or
//! if nothing else can be proved. `docs/planner.md` shows which methods the planner takes where,
//! the evidence for the list. What needs no more than the modulus (canonical and centred residues, sums, scaling) is
//! compiled by one method for signed words and by one for unsigned ones, CRT reconstruction by Barrett's, and
//! inversions by Montgomery's: on vectors of 16-bit words, and one word at a time for others.

use crate::reduction::Method;

/// Hands the list to a macro.
#[cfg(not(feature = "all-methods"))]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery] vectors [] scalar [] sums [];
            i32: machines [Strict Unsigned] vectors [Shoup] scalar [Montgomery KRed] sums [Montgomery];
            i64: machines [Goldilocks Unsigned] vectors [Truncated Double Ifma IfmaStrict] scalar [Montgomery Shoup] sums [];
        }
    };
}

/// Hands the list to a macro: every method, for those who compare methods; for words of 64 bits on vectors those
/// that are made for them.
#[cfg(feature = "all-methods")]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas] vectors [] scalar [] sums [];
            i32: machines [Montgomery Barrett Shoup Strict Plantard KRed KRed2x Solinas Unsigned] vectors [] scalar [] sums [];
            i64: machines [Goldilocks Unsigned] vectors [Truncated Double Ifma IfmaStrict] scalar [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas] sums [];
        }
    };
}
pub(crate) use with_compiled_kernels;

macro_rules! is_compiled {
    ($($word:ident: machines [$($method:ident)*] vectors [$($vectors:ident)*] scalar [$($scalar:ident)*] sums [$($sums:ident)*];)*) => {
        /// Whether transforms and products by that method, in words of so many bits, on vectors of so many lanes are
        /// compiled, where those are vectors of a machine.
        pub const fn is_compiled(method: Method, bits: u32, lanes: usize) -> bool {
            $(if bits == <$word>::BITS {
                return has(&[$(Method::$method),*], method)
                    || has(&[$(Method::$vectors),*], method) && lanes >= method.least_lanes()
                    || has(&[$(Method::$scalar),*], method) && lanes == 1;
            })*
            false
        }

        /// Whether sums of products by that method are compiled there.
        pub(crate) const fn has_sums(method: Method, bits: u32, lanes: usize) -> bool {
            $(if bits == <$word>::BITS && lanes > 1 && has(&[$(Method::$sums),*], method) {
                return true;
            })*
            is_compiled(method, bits, lanes)
        }
    };
}
with_compiled_kernels!(is_compiled);

const fn has(list: &[Method], method: Method) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] as usize == method as usize {
            return true;
        }
        i += 1;
    }
    false
}
