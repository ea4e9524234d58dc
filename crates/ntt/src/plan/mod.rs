//! Plans and their verbs, one file for each kind of verb.

mod any;
mod batch;
mod bluestein;
#[cfg(feature = "std")]
mod cache;
mod checked;
mod crt;
mod evaluate;
mod extension;
mod identity;
mod inverter;
mod linear;
mod order;
mod origin;
mod product;
#[cfg(feature = "std")]
mod side_by_side;
mod single;

pub use any::AnyPlan;
pub use batch::Batch;
pub use bluestein::Bluestein;
#[cfg(feature = "std")]
pub use cache::Planner;
pub use extension::Extension;
pub use inverter::Inverter;
pub use linear::Linear;
pub(crate) use origin::Origin;
pub use product::{Prepared, Product};
pub use single::Plan;
