//! The `ringwork` command.
#![forbid(unsafe_code)]
fn main() -> std::process::ExitCode {
    ringwork_workbench::command(std::env::args_os())
}
