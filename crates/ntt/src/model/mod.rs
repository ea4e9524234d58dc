//! Model kernels: networks run on them for proofs, for tables and for operation counts.

mod count;
mod interpreter;
mod ledger;
mod ranges;
mod row;

pub use count::{Counter, OpCount};
pub(crate) use interpreter::Interpreter;
pub use interpreter::{Algebra, Books, Value, interpret};
pub use ledger::{Imbalance, Ledger};
pub use ranges::{Place, Ranges, Violation};
pub(crate) use row::Move;
pub use row::{Entry, Row};
