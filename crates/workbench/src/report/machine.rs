//! Which machine, which build, which clocks, and how quiet it was: what every number depends on.

use super::{Table, strings};
use crate::{
    measure::{LARGE_SPREAD, Meter, Spread},
    plans::machine_backends,
};
use ntt::Backend;
use schemars::JsonSchema;
use serde::Serialize;
use std::{env, fs, time::SystemTime};

/// What was true before the first measurement.
#[derive(Debug)]
pub(crate) struct Start {
    date: SystemTime,
    load: Option<String>,
}

impl Start {
    pub(crate) fn now() -> Self {
        Self { date: SystemTime::now(), load: load() }
    }
}

/// Facts that every number depends on.
#[derive(Debug)]
pub(crate) struct Machine {
    data: MachineFacts,
    /// In words.
    backends: String,
}

/// Which machine, how quiet it was, and which build: as text, and as numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MachineFacts {
    /// When measurements began.
    date: String,
    /// The processor.
    cpu: String,
    /// Hardware threads, in words.
    smt: String,
    /// The governor of the clock.
    governor: String,
    /// Load averages before and after, in words.
    load: String,
    /// Instruction sets that this machine has.
    backends: Vec<&'static str>,
    /// How core cycles came about, in words.
    cycles: String,
    /// How many batches count, in words.
    kept: String,
    /// How large spreads are, in words.
    spread: String,
    /// Version, compiler and target.
    build: String,
    /// The commit, in words.
    source: String,
    /// The instruction set in use.
    backend: &'static str,
    /// How core cycles came about.
    core_cycles: &'static str,
    /// Core cycles in a nanosecond.
    gigahertz: f64,
    /// Means of 1, 5 and 15 minutes.
    load_average: LoadAverage,
    /// How many batches count.
    batches: Batches,
    /// Whether this is an optimised build, without which the numbers mean nothing.
    optimised: bool,
    /// How many rows there are.
    rows: Rows,
    /// Half the distance of the quartiles, in per cent of the median.
    spread_percent: SpreadPercent,
    /// The commit; null if this was not built in a checkout.
    commit: Option<&'static str>,
    /// Whether there were changes beyond the commit; null if that is not known.
    uncommitted_changes: Option<bool>,
}

/// Load averages; null where they are not known.
#[derive(Debug, Serialize, JsonSchema)]
struct LoadAverage {
    /// Before the first measurement.
    before: Option<String>,
    /// After the last one.
    after: Option<String>,
}

/// How many batches were measured.
#[derive(Debug, Serialize, JsonSchema)]
struct Batches {
    /// Those that count.
    kept: usize,
    /// Those that were dropped because the core was shared.
    dropped: usize,
}

/// How many rows were measured.
#[derive(Debug, Serialize, JsonSchema)]
struct Rows {
    /// In all.
    all: usize,
    /// Those of a large spread.
    large_spread: usize,
    /// Those that had to count batches of a shared core.
    disturbed: usize,
}

/// Spreads of rows.
#[derive(Debug, Serialize, JsonSchema)]
struct SpreadPercent {
    /// The median of them.
    middle_row: f64,
    /// The largest.
    worst_row: f64,
}

impl Machine {
    /// After everything was measured.
    pub(crate) fn new(start: &Start, meter: &Meter) -> Self {
        let tsc = if cfg!(target_arch = "x86_64") { ", TSC read beside them" } else { "" };
        let backends: Vec<&str> = machine_backends().map(Backend::name).collect();
        let tally = &meter.tally;
        let [kept, dropped] = tally.batches;
        let share = 100.0 * dropped as f64 / (kept + dropped).max(1) as f64;
        let large = tally.spreads.iter().filter(|spread| **spread > LARGE_SPREAD).count();
        let rows = tally.spreads.len();
        let middle = if rows == 0 { 0.0 } else { Spread::of(tally.spreads.clone()).median };
        let worst = tally.spreads.iter().copied().fold(0.0, f64::max);
        let unknown = || "not known".to_owned();
        let load_after = load();
        let loads = [start.load.clone(), load_after.clone()].map(|load| load.unwrap_or_else(unknown));
        let method = match meter.method() {
            "calibrated" => "calibrated against a chain of one-cycle additions",
            method => method,
        };
        let data = MachineFacts {
            date: humantime::format_rfc3339_seconds(start.date).to_string(),
            cpu: processor(),
            smt: smt(),
            governor: read(GOVERNOR).unwrap_or_else(unknown),
            load: format!("{} before, {} after (means of 1, 5 and 15 minutes)", loads[0], loads[1]),
            backends,
            cycles: format!("{method}{tsc}; the core ran at about {:.2} GHz", meter.gigahertz),
            kept: format!(
                "{kept} count, {dropped} ({share:.0} %) were dropped because the core was shared; {} of {rows} rows \
                 had too few others, count all, and are marked °",
                tally.disturbed
            ),
            spread: format!(
                "half the distance of the quartiles: ±{middle:.1} % in the middle row, ±{worst:.0} % in the worst; \
                 {large} of {rows} rows exceed ±{LARGE_SPREAD:.0} % and are marked *"
            ),
            build: build(),
            source: source(),
            backend: Backend::best().name(),
            core_cycles: meter.method(),
            gigahertz: meter.gigahertz,
            load_average: LoadAverage { before: start.load.clone(), after: load_after },
            batches: Batches { kept, dropped },
            optimised: !cfg!(debug_assertions),
            rows: Rows { all: rows, large_spread: large, disturbed: tally.disturbed },
            spread_percent: SpreadPercent { middle_row: middle, worst_row: worst },
            commit: option_env!("RINGWORK_COMMIT"),
            uncommitted_changes: dirty(),
        };
        let has = data.backends.join(", ");
        Self { data, backends: format!("{} in use; this machine has {has}", Backend::best()) }
    }

    /// Names and facts.
    fn lines(&self) -> [(&'static str, &str); 11] {
        let data = &self.data;
        [
            ("Date", &data.date),
            ("Processor", &data.cpu),
            ("Hardware threads", &data.smt),
            ("Governor", &data.governor),
            ("Load", &data.load),
            ("Backend", &self.backends),
            ("Core cycles", &data.cycles),
            ("Batches", &data.kept),
            ("Spread", &data.spread),
            ("Build", &data.build),
            ("Commit", &data.source),
        ]
    }

    pub(crate) fn facts(&self) -> Table {
        let rows = self.lines().map(|(name, fact)| strings([name, fact])).into();
        Table { rows, ..Table::default() }
    }

    /// Lines for a terminal.
    pub(crate) fn text(&self) -> String {
        self.lines().map(|(name, fact)| format!("{name}: {fact}\n")).concat()
    }

    /// The same for programs.
    pub(crate) const fn data(&self) -> &MachineFacts {
        &self.data
    }
}

const GOVERNOR: &str = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

/// The content of a file that says one thing.
fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// Load averages.
fn load() -> Option<String> {
    read("/proc/loadavg").map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

fn smt() -> String {
    let siblings = read("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let shared = match (siblings, read("/sys/devices/system/cpu/smt/active").as_deref()) {
        (Some(list), _) if list.contains([',', '-']) => "which share cores in pairs or more (SMT)",
        (_, Some("0")) => "with SMT off, as the system has it",
        (Some(_), _) => "one to a core, as the system has it",
        _ => "SMT not known",
    };
    let host = if flags().is_some_and(|flags| flags.contains(" hypervisor")) {
        "; a virtual machine, whose host may share cores all the same"
    } else {
        ""
    };
    format!("{threads} for this program, {shared}{host}")
}

fn build() -> String {
    let optimised = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    let compiler = compiler().unwrap_or_else(|| "unknown compiler".into());
    let (version, os, arch) = (env!("CARGO_PKG_VERSION"), env::consts::OS, env::consts::ARCH);
    format!("ringwork {version}, {optimised}, {compiler}, {os} {arch}")
}

fn dirty() -> Option<bool> {
    option_env!("RINGWORK_DIRTY").map(|dirty| dirty == "true")
}

fn source() -> String {
    match (option_env!("RINGWORK_COMMIT"), dirty()) {
        (Some(commit), Some(false)) => commit.into(),
        (Some(commit), _) => format!("{commit}, with uncommitted changes"),
        (None, _) => "not known: not built in a checkout".into(),
    }
}

fn field(name: &str) -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn flags() -> Option<String> {
    field("flags")
}

/// What the processor calls itself, and its core: virtual machines often hide the name, but not the
/// What the processor is called.
pub(crate) fn processor() -> String {
    cpu().unwrap_or_else(|| format!("unknown {} processor", env::consts::ARCH))
}

/// numbers.
pub(crate) fn cpu() -> Option<String> {
    let name = field("model name")?.replace("(R)", "").replace("(TM)", "");
    let numbers = field("cpu family").zip(field("model\t"));
    let Some((family, model)) = numbers else { return Some(name) };
    let vendor = field("vendor_id").unwrap_or_default();
    let core = core_of(&vendor, family.parse().ok()?, model.parse().ok()?);
    let core = core.map_or(String::new(), |core| format!("{core}; "));
    Some(format!("{name} ({core}family {family}, model {model})"))
}

/// The core of a family and model, of those that servers and desktops have.
///
/// Source: `arch/x86/include/asm/intel-family.h` of Linux; AMD's processor programming references.
fn core_of(vendor: &str, family: u32, model: u32) -> Option<&'static str> {
    Some(match (vendor, family, model) {
        ("AuthenticAMD", 0x17, 0x00..=0x2f) => "Zen",
        ("AuthenticAMD", 0x17, _) => "Zen 2",
        ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => "Zen 4",
        ("AuthenticAMD", 0x19, _) => "Zen 3",
        ("AuthenticAMD", 0x1a, _) => "Zen 5",
        ("GenuineIntel", 6, 0x3c | 0x3f | 0x45 | 0x46) => "Haswell",
        ("GenuineIntel", 6, 0x3d | 0x47 | 0x4f | 0x56) => "Broadwell",
        ("GenuineIntel", 6, 0x4e | 0x5e) => "Skylake",
        ("GenuineIntel", 6, 0x55) => "Skylake-SP or Cascade Lake",
        ("GenuineIntel", 6, 0x6a | 0x6c | 0x7d | 0x7e) => "Ice Lake",
        ("GenuineIntel", 6, 0x8c | 0x8d) => "Tiger Lake",
        ("GenuineIntel", 6, 0x8f) => "Sapphire Rapids",
        ("GenuineIntel", 6, 0xcf) => "Emerald Rapids",
        ("GenuineIntel", 6, 0xad | 0xae) => "Granite Rapids",
        _ => return None,
    })
}

/// Which compiler made this program: compilers sign what they make.
fn compiler() -> Option<String> {
    const MARK: &[u8] = b"rustc version ";
    let program = fs::read(env::current_exe().ok()?).ok()?;
    let signed = |at: &usize| program[at + MARK.len()..].first().is_some_and(u8::is_ascii_digit);
    let at = program.windows(MARK.len()).enumerate().filter(|(_, w)| *w == MARK).map(|(i, _)| i).find(signed)?;
    let version = program[at + MARK.len()..].split(|&b| b == 0 || b == b' ').next()?;
    Some(format!("rustc {}", String::from_utf8_lossy(version)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn cores_are_named() {
        let seen = [(0x19, 0x11), (0x19, 0x01), (0x1a, 0x02)].map(|(f, m)| super::core_of("AuthenticAMD", f, m));
        assert_eq!(seen, [Some("Zen 4"), Some("Zen 3"), Some("Zen 5")]);
        assert_eq!(super::core_of("GenuineIntel", 6, 0x8f), Some("Sapphire Rapids"));
        assert_eq!(super::core_of("GenuineIntel", 6, 0x01), None);
    }
}
