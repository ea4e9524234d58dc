//! Execution: jobs, the machines they run on, and what is compiled of both.

#[cfg(feature = "alloc")]
mod buffer;
#[cfg(feature = "alloc")]
mod derivation;
#[cfg(feature = "alloc")]
mod encoding;
#[cfg(feature = "alloc")]
mod erased;
mod job;
#[cfg(feature = "std")]
mod kept;
mod machine;
#[cfg(feature = "alloc")]
mod places;
mod plain;
#[cfg(feature = "alloc")]
mod run;
mod shell;
#[cfg(feature = "internals")]
mod single_words;
#[cfg(feature = "threads")]
mod spread;
#[cfg(feature = "alloc")]
mod tables;
#[cfg(not(feature = "alloc"))]
mod words {
    //! Without plans nothing is compiled for words.

    /// Words of plans.
    pub trait Compiled: super::Plain + Into<i64> {}
    impl Compiled for i16 {}
    impl Compiled for i32 {}
    impl Compiled for i64 {}
}

#[cfg(feature = "alloc")]
pub use buffer::Buffer;
#[cfg(feature = "alloc")]
pub(crate) use buffer::{Spare, copy_row};
#[cfg(feature = "alloc")]
pub(crate) use derivation::Sections;
#[cfg(feature = "alloc")]
pub(crate) use encoding::{broadcast_row, scaling_words};
pub(crate) use job::Operands;
#[cfg(feature = "alloc")]
pub(crate) use job::Work;
pub(crate) use machine::{MAX_ROW, SCALING};
#[cfg(feature = "alloc")]
pub(crate) use places::{Held, Places};
pub(crate) use plain::Plain;
#[cfg(feature = "alloc")]
pub(crate) use run::{Channel, Compiled, Run, each, run};
pub(crate) use shell::{Shell, misfit};
#[cfg(feature = "internals")]
pub use single_words::SingleWords;
#[cfg(feature = "threads")]
pub(crate) use spread::spread;
#[cfg(feature = "alloc")]
pub use tables::Tables;
#[cfg(feature = "alloc")]
pub(crate) use tables::{Derived, Sinks, derive_inversion};
#[cfg(not(feature = "alloc"))]
pub(crate) use words::Compiled;
