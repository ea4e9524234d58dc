//! The clocks of this machine, and what tells whether it was quiet.

use std::{hint::black_box, time::Instant};

/// Links of a probe's chain.
const LINKS: u32 = 4096;

/// Nanoseconds of two stretches of known work around a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// Dependent operations: as many cycles as there are operations, whatever else the core does.
    /// This is the length of a cycle.
    pub(super) chain: f64,
    /// Independent operations: they share the core's units with whatever runs on its other hardware
    /// thread.
    pub(super) flood: f64,
}

impl Probe {
    pub(super) fn taken() -> Self {
        Self { chain: chain_ns(LINKS), flood: flood_ns(LINKS) }
    }

    /// Independent work in units of dependent work: free of the frequency, and larger while the
    /// core is shared.
    pub(super) fn crowding(self) -> f64 {
        self.flood / self.chain.max(1.0)
    }

    /// The length of a cycle between two probes, in nanoseconds.
    pub(super) fn cycle([before, after]: [Self; 2]) -> f64 {
        (before.chain + after.chain) / (2.0 * f64::from(LINKS) * CYCLES_PER_LINK)
    }
}

/// The time-stamp counter, if there is one.
pub(super) fn ticks() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    return Some(tick_counter::start());
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// An exclusive or, then an addition: two dependent operations of one cycle each on every core this
/// runs on.
const CYCLES_PER_LINK: f64 = 2.0;

/// One link. The operands are unknown to the compiler, and the two operations do not commute: it
/// cannot shorten a chain.
#[inline(always)]
fn link(x: u64, mask: u64, step: u64) -> u64 {
    (x ^ mask).wrapping_add(step)
}

/// Nanoseconds for a chain of that many links.
#[inline(never)]
pub(super) fn chain_ns(links: u32) -> f64 {
    let (mut x, mask, step) = (black_box(1_u64), black_box(0x5555_u64), black_box(3_u64));
    let start = Instant::now();
    for _ in 0..links / 8 {
        for _ in 0..8 {
            x = link(x, mask, step);
        }
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

/// Nanoseconds for that many links of chains side by side, more than a core has units for.
#[inline(never)]
fn flood_ns(links: u32) -> f64 {
    const CHAINS: u64 = 12;
    let (mask, step) = (black_box(0x5555_u64), black_box(3_u64));
    let mut x: [u64; CHAINS as usize] = std::array::from_fn(|i| black_box(i as u64));
    let start = Instant::now();
    for _ in 0..links / CHAINS as u32 {
        for x in &mut x {
            *x = link(*x, mask, step);
        }
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

pub(super) fn cycles_per_ns() -> f64 {
    const LINKS: u32 = 1 << 14;
    CYCLES_PER_LINK * f64::from(LINKS) / chain_ns(LINKS).max(1.0)
}

/// Core cycles from the kernel.
#[cfg(target_os = "linux")]
pub(super) mod perf {
    use perf_event::{Builder, events::Hardware};

    #[derive(Debug)]
    pub(crate) struct Counter(perf_event::Counter);

    impl Counter {
        /// A counter that counts: a virtual machine may offer one that stands still.
        pub(crate) fn plausible() -> Option<Self> {
            const LINKS: u32 = 1 << 18;
            let mut inner = Builder::new(Hardware::CPU_CYCLES).exclude_kernel(true).exclude_hv(true).build().ok()?;
            inner.enable().ok()?;
            let mut counter = Self(inner);
            let start = counter.read();
            super::chain_ns(LINKS);
            let cycles = counter.read().wrapping_sub(start) as f64 / f64::from(LINKS);
            (0.9 * super::CYCLES_PER_LINK..1.5 * super::CYCLES_PER_LINK).contains(&cycles).then_some(counter)
        }

        pub(crate) fn read(&mut self) -> u64 {
            self.0.read().unwrap_or(0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) mod perf {
    #[derive(Debug)]
    pub(crate) enum Counter {}

    impl Counter {
        pub(crate) fn plausible() -> Option<Self> {
            None
        }

        pub(crate) fn read(&mut self) -> u64 {
            match *self {}
        }
    }
}
