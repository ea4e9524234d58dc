//! Keys, encapsulation, decapsulation, signatures and their verification against known answers, on machines without an
//! operating system; and what each of them needs of stack and heap.

#![no_std]
#![no_main]
#![deny(unsafe_code)]
#![cfg_attr(not(all(feature = "mlkem", feature = "mldsa")), allow(dead_code, reason = "answers of the other scheme"))]

#[cfg(not(feature = "heap"))]
mod arrays;
#[cfg(feature = "heap")]
mod keys;
mod known;
mod measure;

#[cfg(not(feature = "heap"))]
use arrays as schemes;
#[cfg(feature = "heap")]
use keys as schemes;

// Each has the critical section of its processor, which the allocator enters.
#[cfg(target_arch = "arm")]
use cortex_m as _;
#[cfg(target_arch = "riscv32")]
use riscv as _;

use measure::measured;
use semihosting::{println, process};

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    #[cfg(feature = "heap")]
    measure::start();
    println!("{:26} {:>8} {:>8} {:>8}", "bytes", "stack", "heap", "kept");
    #[cfg(feature = "mlkem")]
    schemes::encapsulations(&known::ML_KEM_768);
    #[cfg(feature = "mldsa")]
    schemes::signatures([&known::ML_DSA_44, &known::ML_DSA_65]);
    println!("all answers are the known ones");
    process::exit(0)
}

/// Bytes that no call may exceed, plans included: a little above what was measured.
const MOST_STACK: usize = 24 << 10;
const MOST_HEAP: usize = 160 << 10;

/// Prints what the work used: stack; heap at its peak, beyond what was used before; and what of that stays.
///
/// **Panics** if it used more than it may.
fn row<R>(what: &str, work: impl FnOnce() -> R) -> R {
    let (result, used) = measured(work);
    println!("{what:26} {:8} {:8} {:8}", used.stack, used.heap, used.kept);
    assert!(
        used.stack <= MOST_STACK && used.heap <= MOST_HEAP,
        "more than {MOST_STACK} of stack or {MOST_HEAP} of heap"
    );
    result
}
