//! How long steps take: on the clock, and of all processors together, which other work on the machine
//! disturbs less.

use std::{
    fmt, fs,
    time::{Duration, Instant},
};

struct Time {
    step: &'static str,
    clock: Duration,
    processors: Option<Duration>,
}

pub(crate) struct Times {
    start: Instant,
    last: (Instant, Option<Duration>),
    steps: Vec<Time>,
}

impl Times {
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Self { start: now, last: (now, spent()), steps: Vec::new() }
    }

    /// Gives the time since the last step to this one, and shows it.
    pub(crate) fn note(&mut self, step: &'static str) -> String {
        let (now, spent) = (Instant::now(), spent());
        let processors = spent.zip(self.last.1).map(|(now, then)| now.saturating_sub(then));
        let time = Time { step, clock: now - self.last.0, processors };
        let shown = time.to_string();
        self.last = (now, spent);
        self.steps.push(time);
        shown
    }

    pub(crate) fn total(&self) -> String {
        let seconds = self.start.elapsed().as_secs();
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:20}{:8.1} s", self.step, self.clock.as_secs_f64())?;
        match self.processors {
            Some(processors) => write!(f, "{:10.1} s of processors", processors.as_secs_f64()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|time| writeln!(f, "{time}"))
    }
}

/// What the programs that this one has started, and they, have used so far, where Linux tells.
fn spent() -> Option<Duration> {
    of_children(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The fields `cutime` and `cstime` of `proc_pid_stat(5)`, in hundredths of a second. The name of the
/// program may hold anything, so fields are counted behind it.
fn of_children(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_children() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 100 200 0 0 11 12 1300 14 20 0 1 0 100 0 0";
        assert_eq!(of_children(stat), Some(Duration::from_millis(13140)));
        assert_eq!(of_children("7 (a) S 1"), None);
    }
}
