//! What every method of reduction promises, as files for SMT solvers, from the code that runs.
//!
//! The code of a method runs on lanes that record its operations ([`lanes::record`]). [`meaning`] turns them into
//! integers with ranges ([`system`]): halves are quotients and remainders, the product of two variables is one integer
//! with a range. All is linear then. [`contracts`] adds what the method promises, and [`smt`] writes it down.
//!
//! Operands of one claim are all words of a range; twiddles are those of all residues ([`twiddle`]).

#![forbid(unsafe_code)]

pub mod claim;
pub mod contracts;
pub mod linear;
pub mod meaning;
pub mod moduli;
pub mod smt;
pub mod system;
pub mod twiddle;
