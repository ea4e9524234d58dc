//! `timing`: whether operations on random secrets take as long as on one fixed secret, by `crates/ct` as users would get
//! it. Times are printed; nothing is asserted of them.

use crate::{
    cargo::{capture, program, run as succeed},
    release,
};

/// Measures every case, or those with a part of a name, for so many seconds each on the best backend.
pub(crate) fn run(seconds: u32, part: &str) -> Result<(), String> {
    let path = release::build()?.secrets;
    let backends = capture(program(&path).arg("--backends"))?;
    let best = backends.lines().next().ok_or("this machine has no backend")?;
    succeed(program(&path).args(["--timing", best, &seconds.to_string(), part]))
}
