//! Model kernels: the networks run on them to prove, to build tables and to count.

mod count;
mod ledger;
mod ranges;
mod row;

pub use count::OpCount;
pub use ledger::{Imbalance, Ledger};
pub use ranges::{Place, Ranges, Violation};
pub(crate) use row::Move;
pub use row::{Entry, Row};
