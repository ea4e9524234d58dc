//! The plugin of age for its post-quantum keys, for programs of age that do not know them.
#![forbid(unsafe_code)]
fn main() -> std::process::ExitCode {
    ringwork_workbench::plugin()
}
