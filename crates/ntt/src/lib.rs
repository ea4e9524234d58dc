//! Number-theoretic transforms for any degree and modulus, with proved ranges.
//!
//! A [`Plan`] multiplies polynomials modulo `X^n + 1`, `X^n - 1` or `X^n - X^(n/2) + 1` and any `q` in words of 16, 32 or 64
//! bits. Making one derives the tables, chooses where to reduce, and proves that no word overflows. [`Transform`] is the plan
//! for a prime with roots of unity, whose slots are seen; [`Transform::certificate`] is its proof.
//!
//! ```
//! use ringwork_ntt::Plan;
//! let plan = Plan::<i16>::new(1024, 12289)?;
//! let (a, b) = (vec![1_i16; 1024], vec![2_i16; 1024]);
//! let mut c = vec![0_i16; 1024];
//! plan.multiply(&mut c, &a, &b);
//! assert_eq!(c[1023], 2048); // canonical: 0 ≤ c < q
//! # Ok::<(), ringwork_ntt::PlanError>(())
//! ```
//!
//! Inside, one generic network per direction ([`network`]) runs on a [`network::Kernel`]: a machine (lanes × reduction)
//! or a model that proves, derives or counts ([`model`]).

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "internals"),
    allow(dead_code, unreachable_pub, unused_imports, reason = "what the feature makes public")
)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The array of `value(i)` for `i` in `0..P`, by a plain loop: closures handed to library functions would be compiled
/// without the instructions of the backend.
macro_rules! lockstep {
    ($p:expr, |$i:ident| $value:expr) => {{
        let $i = 0;
        let _ = $i;
        let mut out = [$value; $p];
        for $i in 1..$p {
            let _ = $i;
            out[$i] = $value;
        }
        out
    }};
}

pub mod arith;
mod checked;
mod crt;
mod exec;
mod inner_products;
mod input;
mod inverter;
mod kernels;
mod model;
mod network;
mod plan;
mod planner;
#[cfg(feature = "std")]
mod planner_cache;
mod product;
mod reduction;
mod ring;
mod transform;
mod word;

pub use arith::Interval;
pub use exec::Buffer;
pub use input::InputError;
pub use inverter::Inverter;
pub use lanes::Backend;
pub use model::{OpCount, Place, Violation};
pub use network::{Direction, Pass, PreReduction, SlotStep, Step};
pub use plan::Plan;
pub use planner::{
    Candidate, Certificate, CrtRecipe, Decision, MAX_DEGREE, MAX_SLOT_DEGREE, MAX_TRIED_SLOT_DEGREE, PlanError, Recipe,
    Request, Schedules,
};
#[cfg(feature = "std")]
pub use planner_cache::Planner;
pub use product::{Prepared, Product};
pub use reduction::Method;
pub use ring::Ring;
pub use word::Word;

/// The engine room, without promise of stability: networks and the kernels that run them, models,
/// reductions, and transforms whose products are bare words.
#[cfg(feature = "internals")]
pub mod internals {
    pub use crate::{kernels::is_compiled, transform::Transform};

    /// Networks, and kernels.
    pub mod network {
        pub use crate::network::*;
    }

    /// Kernels that prove, derive and count.
    pub mod model {
        pub use crate::model::*;
    }

    /// Methods of reduction.
    pub mod reduction {
        pub use crate::reduction::*;
    }
}
