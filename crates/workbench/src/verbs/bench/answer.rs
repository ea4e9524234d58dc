//! What `bench` says, for programs.

use crate::{measure::Measurement, peers::Peers, report::machine::MachineFacts};
use schemars::JsonSchema;
use serde::Serialize;

/// With `--list`.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Names {
    /// The names of all rows.
    pub(super) rows: Vec<String>,
}

/// What was measured.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Answer<'a> {
    /// Where cycles come from.
    pub(super) core_cycles: &'static str,
    /// The clock of the core: cycles in a nanosecond.
    pub(super) gigahertz: f64,
    /// Whether this is an optimised build, without which the numbers mean nothing.
    pub(super) optimised: bool,
    /// Which machine, how quiet it was, and which build.
    pub(super) machine: &'a MachineFacts,
    /// Row by row. Transforms and products of others are called n/q/ring/who/operation, ours
    /// n/q/ring/backend/operation/method-bits; ML-KEM and ML-DSA set/who/operation, where who is one of our backends or
    /// a peer.
    pub(super) rows: Vec<BenchRow<'a>>,
    #[serde(flatten)]
    pub(super) peers: Option<Peers>,
}

/// One row.
#[derive(Serialize, JsonSchema)]
pub(super) struct BenchRow<'a> {
    #[serde(flatten)]
    pub(super) measured: Measurement<'a>,
    /// With `--peers`: the time as a multiple of our row's for the same operation on the best backend. Absent if there
    /// is none, or if the work differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of_ours: Option<f64>,
    /// What else is not the same as in our row, in sentences; absent where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) differs: Vec<&'static str>,
}
