//! Planning: from a request to a proved recipe.

mod borders;
mod choice;
mod cost;
mod cost_error;
mod cost_model;
mod cost_text;
mod counts;
mod crt;
mod error;
mod layout;
mod partial;
mod recipe;
mod request;
pub(crate) mod rings;
mod search;
mod shape;

pub(crate) use borders::Borders;
pub use cost_error::CostModelError;
pub use cost_model::CostModel;
pub use error::PlanError;
pub(crate) use layout::odd_part;
pub use layout::{MAX_DEGREE, MAX_SLOT_DEGREE, MAX_TRIED_SLOT_DEGREE};
pub use recipe::{Certificate, CrtRecipe, Recipe, Schedules};
pub use request::{Candidate, Decision, Request};
pub(crate) use rings::{CompiledRing, is_ring, with_rings};
