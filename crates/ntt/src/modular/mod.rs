//! Exact arithmetic modulo `q` for tables, roots and proofs. Nothing here touches secret data.

mod modulus;
mod roots;
mod splitting;

pub use modulus::{Modulus, ModulusError, is_prime};
pub use roots::{bitrev, nearest_prime, two_adicity};
pub use splitting::{Invertible, Splitting};
