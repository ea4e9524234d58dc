//! Model kernels: networks run on them for proofs, for tables and for operation counts.

mod count;
mod interpreter;
mod ledger;
mod ranges;
mod row;

pub use count::{Counter, OpCount};
#[cfg(feature = "internals")]
pub use interpreter::Books;
pub(crate) use interpreter::Interpreter;
pub use interpreter::{Algebra, Value, interpret};
#[cfg(feature = "internals")]
pub use ledger::Imbalance;
pub use ledger::Ledger;
pub use ranges::{Place, Ranges, Violation};
pub(crate) use row::Move;
pub use row::{Entry, Row};
