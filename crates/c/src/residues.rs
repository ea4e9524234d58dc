//! Residue number systems, in words of 64 bits.

use crate::{
    border::{Failure, Status, answer, check_apart, facts, free, give, place, read, words, words_mut},
    plans::ring,
};
use ntt::{Request, Rns};

type Residues = Rns<i64>;

/// Bits of a product of primes that the library chooses: for more it would look for primes for minutes.
const MOST_BITS: u32 = 1 << 17;

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_new(
    n: usize,
    number: u32,
    primes: *const u64,
    count: usize,
    bits: u32,
    rns: *mut *mut Residues,
) -> i32 {
    answer(|| {
        if rns.is_null() {
            return Err(Status::Null.because("rns is NULL"));
        }
        let request = Request::new(n, 0).ring(ring(number)?);
        if bits > MOST_BITS {
            return Err(Status::Plan.because(format!("{bits} bits: a product of primes has at most {MOST_BITS} here")));
        }
        let made = if primes.is_null() {
            Residues::of_bits(&request, bits)
        } else {
            // SAFETY: as the header says.
            Residues::with(&request, unsafe { words("primes", primes, count)? })
        };
        let made = made.map_err(|error| Status::Plan.because(error))?;
        // SAFETY: a place for a pointer, as the header says.
        unsafe { give(rns, made) };
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_free(rns: *mut Residues) {
    // SAFETY: as the header says.
    unsafe { free(rns) };
}

facts! {
    of Residues:
    ringwork_rns_n: usize = |rns| rns.n();
    ringwork_rns_primes: usize = |rns| rns.primes().len();
    ringwork_rns_limbs: usize = |rns| rns.limbs();
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_prime(rns: *const Residues, index: usize) -> u64 {
    // SAFETY: null, or a ring.
    unsafe { rns.as_ref() }.and_then(|rns| rns.primes().nth(index)).unwrap_or(0)
}

/// **Errors** unless all residues lie between `-p` and `p`.
fn check(rns: &Residues, residues: &[i64]) -> Result<(), Failure> {
    let mut rows = residues.chunks_exact(rns.n()).zip(rns.plans());
    rows.try_for_each(|(row, plan)| {
        plan.check(row).map_err(|error| Status::Range.because(format!("modulo {}: {error}", plan.q())))
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_decompose(
    rns: *const Residues,
    residues: *mut i64,
    integers: *const u64,
    limbs: usize,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a ring.
        let rns = unsafe { read("rns", rns)? };
        let length = rns.n().checked_mul(limbs).filter(|length| *length != 0);
        let length = length.ok_or_else(|| Status::Length.because(format!("integers of {limbs} limbs")))?;
        check_apart(place("residues", residues, rns.words()), place("integers", integers, length))?;
        // SAFETY: as the header says; what is written is apart.
        let (to, from) =
            unsafe { (words_mut("residues", residues, rns.words())?, words("integers", integers, length)?) };
        rns.decompose_signed(to, from);
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_recompose(
    rns: *const Residues,
    integers: *mut u64,
    residues: *const i64,
    centred: i32,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a ring.
        let rns = unsafe { read("rns", rns)? };
        let length = rns.n() * rns.limbs();
        check_apart(place("integers", integers, length), place("residues", residues, rns.words()))?;
        // SAFETY: as the header says; what is written is apart.
        let (to, from) =
            unsafe { (words_mut("integers", integers, length)?, words("residues", residues, rns.words())?) };
        check(rns, from)?;
        if centred == 0 {
            rns.recompose(to, from)
        } else {
            rns.recompose_centred(to, from)
        }
        Ok(())
    })
}

/// # Safety
/// The pointers are those of the header.
unsafe fn transform(rns: *const Residues, residues: *mut i64, verb: fn(&Residues, &mut [i64])) -> i32 {
    answer(|| {
        // SAFETY: null, or a ring.
        let rns = unsafe { read("rns", rns)? };
        // SAFETY: as the header says.
        let residues = unsafe { words_mut("residues", residues, rns.words())? };
        check(rns, residues)?;
        verb(rns, residues);
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_forward(rns: *const Residues, residues: *mut i64) -> i32 {
    let forward = |rns: &Residues, residues: &mut [i64]| {
        rns.forward(residues);
        for (row, plan) in residues.chunks_exact_mut(rns.n()).zip(rns.plans()) {
            plan.canonical(row);
        }
    };
    // SAFETY: as the header says.
    unsafe { transform(rns, residues, forward) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_inverse(rns: *const Residues, residues: *mut i64) -> i32 {
    // SAFETY: as the header says.
    unsafe { transform(rns, residues, |rns, residues| rns.inverse(residues)) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_rns_multiply(rns: *const Residues, c: *mut i64, a: *const i64, b: *const i64) -> i32 {
    answer(|| {
        // SAFETY: null, or a ring.
        let rns = unsafe { read("rns", rns)? };
        let length = rns.words();
        check_apart(place("c", c, length), place("a", a, length))?;
        check_apart(place("c", c, length), place("b", b, length))?;
        // SAFETY: as the header says; what is written is apart.
        let (c, a, b) = unsafe { (words_mut("c", c, length)?, words("a", a, length)?, words("b", b, length)?) };
        check(rns, a)?;
        check(rns, b)?;
        rns.multiply(c, a, b);
        Ok(())
    })
}
