//! The plugin of age for Ringwork's research schemes.
#![forbid(unsafe_code)]
fn main() -> std::process::ExitCode {
    ringwork_workbench::plugin()
}
