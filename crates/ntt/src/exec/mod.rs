//! Execution: jobs, the machines they run on, and what is compiled of both.

mod buffer;
mod derivation;
mod encoding;
mod erased;
mod job;
mod machine;
mod places;
mod plain;
mod run;
#[cfg(feature = "internals")]
mod single_words;
#[cfg(feature = "threads")]
mod spread;
mod tables;

pub use buffer::Buffer;
pub(crate) use buffer::{Spare, copy_row};
pub(crate) use derivation::Sections;
pub(crate) use encoding::{broadcast_row, scaling_words};
pub(crate) use job::{Operands, Work};
pub(crate) use machine::SCALING;
pub(crate) use places::{Held, Places};
pub(crate) use plain::Plain;
pub(crate) use run::{Channel, Compiled, Run, each, run};
#[cfg(feature = "internals")]
pub use single_words::SingleWords;
#[cfg(feature = "threads")]
pub(crate) use spread::spread;
pub use tables::Tables;
pub(crate) use tables::{Derived, Sinks, derive_inversion};
