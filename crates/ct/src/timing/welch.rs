//! Welch's test of two means.

use super::Class;

/// The times of both classes so far.
#[derive(Clone, Copy)]
pub(super) struct Welch([Moments; 2]);

#[derive(Clone, Copy)]
struct Moments {
    count: u64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Welch {
    pub(super) const fn new() -> Self {
        Self([Moments { count: 0, mean: 0.0, squares: 0.0 }; 2])
    }

    pub(super) fn add(&mut self, class: Class, time: u64) {
        let moments = &mut self.0[usize::from(class == Class::Random)];
        moments.count += 1;
        let before = time as f64 - moments.mean;
        moments.mean += before / moments.count as f64;
        moments.squares += before * (time as f64 - moments.mean);
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|moments| moments.count).sum()
    }

    /// The difference of the means by its standard error; 0 where there is nothing to compare.
    pub(super) fn t(&self) -> f64 {
        let variance = |m: &Moments| m.squares / (m.count as f64 - 1.0) / m.count as f64;
        let [fixed, random] = &self.0;
        let error = (variance(fixed) + variance(random)).sqrt();
        if error > 0.0 { (fixed.mean - random.mean) / error } else { 0.0 }
    }
}
