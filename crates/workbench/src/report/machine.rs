//! Which machine, which build, which clocks.

use super::{Bench, Table, strings};
use crate::plans::machine_backends;
use ntt::Backend;
use serde_json::{Value, json};
use std::{env, fs};

/// Facts that every number depends on.
#[derive(Debug)]
pub(crate) struct Machine {
    cpu: String,
    backends: String,
    cycles: String,
    spread: String,
    build: String,
}

impl Machine {
    /// After everything was measured.
    pub(crate) fn new(bench: &Bench<'_>) -> Self {
        let meter = &bench.meter;
        let (middle, worst) = bench.spread().unwrap_or_default();
        let tsc = if cfg!(target_arch = "x86_64") { ", TSC read beside them" } else { "" };
        let optimised = if cfg!(debug_assertions) { "debug build" } else { "release build" };
        let compiler = compiler().unwrap_or_else(|| "unknown compiler".into());
        let (version, os, arch) = (env!("CARGO_PKG_VERSION"), env::consts::OS, env::consts::ARCH);
        let backends: Vec<&str> = machine_backends().map(Backend::name).collect();
        Self {
            cpu: cpu().unwrap_or_else(|| format!("unknown {arch} processor")),
            backends: format!("{} in use; this machine has {}", Backend::best(), backends.join(", ")),
            cycles: format!("{}{tsc}; the core ran at about {:.2} GHz", meter.method(), meter.gigahertz),
            spread: format!(
                "±{middle:.1} % in the middle row, ±{worst:.0} % in the worst; more means that other work ran"
            ),
            build: format!("ringwork {version}, {optimised}, {compiler}, {os} {arch}"),
        }
    }

    pub(crate) fn facts(&self) -> Table {
        let row = |name: &str, value: &str| strings([name, value]);
        let rows = vec![
            row("Processor", &self.cpu),
            row("Backend", &self.backends),
            row("Core cycles", &self.cycles),
            row("Spread", &self.spread),
            row("Build", &self.build),
        ];
        Table { rows, ..Table::default() }
    }

    pub(crate) fn json(&self, bench: &Bench<'_>) -> Value {
        let (meter, spread) = (&bench.meter, bench.spread());
        json!({
            "cpu": self.cpu, "backend": Backend::best().name(),
            "backends": machine_backends().map(Backend::name).collect::<Vec<_>>(),
            "core_cycles": meter.method(), "gigahertz": meter.gigahertz,
            "spread_percent": spread.map(|(middle, worst)| json!({ "middle_row": middle, "worst_row": worst })), "build": self.build,
            "optimised": !cfg!(debug_assertions),
        })
    }
}

fn cpu() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = field("model name")?.replace("(R)", "").replace("(TM)", "");
    let family = field("cpu family").zip(field("model\t"));
    Some(family.map_or(model.clone(), |(family, number)| format!("{model} (family {family}, model {number})")))
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
