//! Rows of measurements, for programs.

use super::{Row, Spread};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

fn to_tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// The median of a measurement, and the quartiles around it.
#[derive(Serialize, JsonSchema)]
struct Quartiles {
    /// The median.
    median: f64,
    /// The quartile below it.
    low_quartile: f64,
    /// The quartile above it.
    high_quartile: f64,
}

/// One measured job; all numbers are per call.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Measurement<'a> {
    /// What is measured.
    name: &'a str,
    /// Nanoseconds.
    ns: Quartiles,
    /// The fewest nanoseconds of all batches.
    least_ns: f64,
    /// Ticks of the time-stamp counter; null where there is none.
    tsc: Option<Quartiles>,
    /// Core cycles.
    core: Quartiles,
    /// Batches that count.
    samples: usize,
    /// Calls in each batch.
    calls_per_sample: u32,
    /// Batches that were dropped because the core was shared.
    dropped: usize,
    /// Whether batches on a shared core count, because too few others were left.
    disturbed: bool,
    /// Half the distance of the quartiles, in per cent of the median.
    spread_percent: f64,
}

impl Spread {
    fn facts(self) -> Quartiles {
        let [median, low_quartile, high_quartile] = [self.median, self.low, self.high].map(to_tenths);
        Quartiles { median, low_quartile, high_quartile }
    }
}

impl Row {
    /// The same for programs.
    pub(crate) fn facts(&self) -> Measurement<'_> {
        Measurement {
            name: &self.name,
            ns: self.ns.facts(),
            least_ns: to_tenths(self.least),
            tsc: self.tsc.map(Spread::facts),
            core: self.core.facts(),
            samples: self.samples,
            calls_per_sample: self.calls,
            dropped: self.dropped,
            disturbed: self.disturbed,
            spread_percent: to_tenths(self.core.percent()),
        }
    }

    /// For pages, whose data is free.
    pub(crate) fn json(&self) -> Value {
        json!(self.facts())
    }
}
