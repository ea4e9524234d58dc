//! Client requests of valgrind's memcheck: which memory is secret, that is, undefined in memcheck's
//! eyes.
//!
//! A request is a sequence of instructions that do nothing, which valgrind knows when it sees it;
//! on the bare processor it is answered by the default, 0.

#![allow(unsafe_code, reason = "valgrind takes its requests from an instruction sequence")]

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;
/// Requests of memcheck begin with its initials.
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;

#[cfg(target_arch = "x86_64")]
fn request(code: usize, arguments: [usize; 3]) -> usize {
    let [first, second, third] = arguments;
    let block = [code, first, second, third, 0, 0];
    let mut answer = 0;
    // SAFETY: the rotations add up to two whole turns and the exchange is of a register with
    // itself; valgrind writes the answer to rdx, and to memory only what GET_VBITS is given for
    // that.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdx") answer, in("rax") block.as_ptr(), options(nostack)
        );
    }
    answer
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: [usize; 3]) -> usize {
    0
}

/// Whether valgrind runs this program.
pub(crate) fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, [0; 3]) != 0
}

/// How many errors there were so far, those that valgrind does not print again included.
pub(crate) fn errors() -> usize {
    request(COUNT_ERRORS, [0; 3])
}

/// Makes memory secret.
pub(crate) fn conceal<T>(words: &[T]) {
    request(MAKE_MEM_UNDEFINED, [words.as_ptr().expose_provenance(), size_of_val(words), 0]);
}

/// Makes memory public: whether any of it was secret.
#[must_use]
pub(crate) fn reveal<T>(words: &[T]) -> bool {
    let (start, length) = (words.as_ptr().expose_provenance(), size_of_val(words));
    let mut bits = vec![0_u8; length];
    let known = request(GET_VBITS, [start, bits.as_mut_ptr().expose_provenance(), length]) == 1;
    request(MAKE_MEM_DEFINED, [start, length, 0]);
    known && bits.iter().any(|&byte| byte != 0)
}
