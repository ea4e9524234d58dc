//! The list of compiled kernels. For each word: the methods on every machine backend (the scalar one included), those
//! on vectors only, those on the scalar backend only, and those with only their sums of products compiled, on vectors.
//!
//! Each method of the first kind costs about four functions of machine code per backend. Every other plan runs in the
//! interpreter, which is correct but slow; the planner chooses it only on request, or if it can prove nothing else.
//! `docs/planner.md` shows which methods the planner chooses where, the evidence for the list. Operations that need
//! only the modulus (canonical and centred residues, sums, scaling) are compiled by one method for signed words and by
//! one for unsigned words, CRT reconstruction by Barrett's, and inversions by Montgomery's: on vectors of 16-bit words,
//! and one word at a time for others.

use crate::reduction::Method;

/// Passes the list to a macro.
#[cfg(not(any(feature = "all-methods", mutants)))]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery] vectors [] scalar [] sums [];
            i32: machines [Strict Unsigned] vectors [Harvey Shoup] scalar [Montgomery KRed] sums [Montgomery];
            i64: machines [Unsigned] vectors [Truncated Double Goldilocks Ifma IfmaStrict] scalar [Montgomery Shoup] sums [];
        }
    };
}

/// Passes the list to a macro: every method, for comparisons; for 64-bit words on vectors, the methods designed for
/// them.
#[cfg(all(feature = "all-methods", not(mutants)))]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas] vectors [] scalar [] sums [];
            i32: machines [Montgomery Barrett Shoup Strict Harvey Plantard KRed KRed2x Solinas Unsigned] vectors [] scalar [] sums [];
            i64: machines [Goldilocks Unsigned] vectors [Truncated Double Ifma IfmaStrict] scalar [Montgomery Barrett Shoup Plantard KRed KRed2x Solinas] sums [];
        }
    };
}

/// Passes an empty list to a macro: where a method is changed, and its contract is tested, a thousand times.
#[cfg(mutants)]
macro_rules! with_compiled_kernels {
    ($callback:ident) => {
        $callback! {
            i16: machines [] vectors [] scalar [] sums [];
            i32: machines [] vectors [] scalar [] sums [];
            i64: machines [] vectors [] scalar [] sums [];
        }
    };
}
pub(crate) use with_compiled_kernels;

macro_rules! is_compiled {
    ($($word:ident: machines [$($method:ident)*] vectors [$($vectors:ident)*] scalar [$($scalar:ident)*] sums [$($sums:ident)*];)*) => {
        /// Whether transforms and products by that method are compiled for words of `bits` bits on a machine's vectors
        /// with `lanes` lanes.
        pub const fn is_compiled(method: Method, bits: u32, lanes: usize) -> bool {
            $(if bits == <$word>::BITS {
                return has(&[$(Method::$method),*], method)
                    || has(&[$(Method::$vectors),*], method) && lanes >= method.least_lanes()
                    || has(&[$(Method::$scalar),*], method) && lanes == 1;
            })*
            false
        }

        /// Whether sums of products by that method are compiled for these.
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
