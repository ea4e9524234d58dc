//! Builds the command `openssl` of the source that the crate `openssl-src` carries, in the folder
//! that is named: `apps/openssl` there.
#![forbid(unsafe_code)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread,
};

/// What keys and signatures do not need. Docs and tests take longer to build than the rest.
const WITHOUT: [&str; 27] = [
    "aria", "bf", "blake2", "camellia", "cast", "cmp", "comp", "ct", "docs", "ec2m", "engine", "gost", "idea",
    "legacy", "mdc2", "module", "ocsp", "psk", "quic", "rc2", "rc4", "seed", "shared", "sm4", "srp", "tests", "ts",
];

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: cargo run -- FOLDER");
        return ExitCode::from(2);
    };
    match build(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn build(folder: &Path) -> Result<(), String> {
    if folder.join("apps/openssl").exists() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut configure = Command::new("perl");
    configure.arg(openssl_src::source_dir().join("Configure")).args(WITHOUT.map(|part| format!("no-{part}")));
    run(configure.current_dir(folder))?;
    run(Command::new("make").arg("-s").arg("build_generated").current_dir(folder))?;
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    run(Command::new("make").arg("-s").arg(format!("-j{jobs}")).arg("apps/openssl").current_dir(folder))
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| format!("{name}: {e}; OpenSSL needs a compiler, make and perl"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}
