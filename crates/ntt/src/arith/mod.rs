//! Exact arithmetic modulo `q` for tables, roots and proofs: primes, roots of unity, intervals.
//!
//! Nothing here is constant-time, and nothing touches secret data.

mod interval;
mod modulus;
mod powers;
mod primes;
mod roots;
mod splitting;

pub use interval::Interval;
pub use modulus::{Modulus, ModulusError, is_prime};
pub(crate) use powers::{Multiplier, Powers};
pub use primes::{K2M1_BOUND, K2m1, PRIME_BITS, Primes, PrimesError, k2m1_primes, primes};
pub use roots::{bitrev, nearest_prime, two_adicity};
pub use splitting::{Invertible, Splitting};
