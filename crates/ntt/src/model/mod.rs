//! Model kernels: the networks run on them to prove, to build tables and to count.

mod count;
mod ledger;
mod ranges;

pub use count::OpCount;
pub use ledger::{Entry, Imbalance, Ledger, Row};
pub use ranges::{Place, Ranges, Violation};
