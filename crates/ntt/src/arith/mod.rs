//! Exact arithmetic modulo `q` for tables, roots and proofs: primes, roots of unity, intervals.
//!
//! Nothing here is constant-time, and nothing touches secret data.

mod interval;
mod modulus;
mod powers;
mod primes;
mod roots;
#[cfg(feature = "alloc")]
mod splitting;

pub use interval::Interval;
pub use modulus::{Modulus, ModulusError, is_prime};
pub(crate) use powers::Multiplier;
#[cfg(feature = "alloc")]
pub(crate) use powers::Powers;
#[cfg(feature = "alloc")]
pub use primes::k2m1_primes;
pub use primes::{K2M1_BOUND, K2m1, PRIME_BITS, Primes, PrimesError, primes};
pub use roots::{bitrev, nearest_prime, two_adicity};
#[cfg(feature = "alloc")]
pub use splitting::{Invertible, Splitting};
