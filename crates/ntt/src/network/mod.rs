//! The networks: the order of operations, each written once for every kernel.
//!
//! A transform is a list of [`Pass`]es over memory. Passes are short, because layers are chains of
//! dependent products: while one chain waits, an out-of-order core already works on the next group,
//! and loads and stores run on ports that arithmetic leaves idle.
//!
//! - **Outer** layers have a distance of whole vectors: `2P` vectors at equal stride go through
//!   `log2(2P)` layers.
//! - **Inner** layers have a distance inside vectors: exchanging a lane bit with the register bit
//!   by [`interleave`](Kernel::interleave) makes each one a layer between two registers. For
//!   `n = 3·2^k` residues of three vectors take the place of single vectors.
//! - **Trinomial** is the first layer of `X^n - X^(n/2) + 1`, whose halves are modulo `X^(n/2) - z`
//!   and `X^(n/2) - (1 - z)` for a primitive sixth root of unity `z`.
//! - **Twist** stands before the inner layers of large transforms, which then have one table for all
//!   blocks.
//! - **Split** moves the coefficient bits of an incomplete transform's slots out of the lanes, so
//!   that pointwise products need no shuffle; a single bit is moved by the inner pass.
//!
//! [`forward`] and [`inverse`] run any [`Program`]. Every network gives `None` where its table ends too early, and stops
//! there.

mod basemul;
mod blocks;
mod border;
mod elementwise;
mod forward;
mod inverse;
mod inversion;
mod job;
mod kernel;
mod moves;
mod pass;
mod pieces;
mod program;
mod registers;

pub use basemul::{IN_REGISTERS, Summation, has_wide, inner_product, kept_pointwise, pointwise};
pub use blocks::Blocks;
pub(crate) use blocks::{Order, Part, twist};
pub use border::{Border, Crossing, ToCanonical, enter, leave, leave_slots};
pub use elementwise::{Elementwise, Fold, MAX_PRIMES, elementwise, fold, garner};
pub use forward::forward;
pub use inverse::inverse;
pub use inversion::{inversion_scratch, invert_slots};
pub use job::{
    Cross, Each, Folding, Forward, InnerProduct, Inverse, Inversion, Job, KeptPointwise, Kind, Move, Pointwise,
};
#[cfg(feature = "threads")]
pub use job::{ForwardColumns, InverseColumns};
pub use kernel::{ExactProducts, Kernel, Residues};
pub(crate) use kernel::{butterflies, sum_one_by_one};
pub use moves::{Exchange, MAX_SPAN, Moves, moved};
#[cfg(feature = "threads")]
pub use pass::MAX_ROWS;
#[cfg(feature = "alloc")]
pub use pass::degrees;
pub use pass::{Direction, Fixed, INNER_VECTORS, MAX_LEVELS, Pass, PreReduction, SlotStep, Step};
pub(crate) use pieces::{pieces, pieces_mut};
pub use program::{FixedProgram, Program};
#[cfg(all(feature = "internals", feature = "threads"))]
pub use registers::Columns;
/// What networks are called with, and those that are parts of others: for whoever writes a kernel or a job.
#[cfg(feature = "internals")]
pub use {
    blocks::MAX_BLOCKS,
    elementwise::{
        add, add_reduced, add_words, canonical, canonical_of_reduced, centre, reduce, scale, scale_and_add,
        subtract_and_scale,
    },
    job::Full,
    program::Run,
    registers::Memory,
};
