//! The paper's algorithms in C, as the paper has them, by the C compiler that is there.

use super::{Times, program::Answer};
use std::{env, ffi::OsString, fs, process::Command};
use tempfile::TempDir;

const SOURCE: &str = include_str!("lazyntt.c");

/// Builds of the program: names, and the compiler's flags.
pub(super) const BUILDS: [(&str, &[&str]); 3] =
    [("C -O0", &["-O0"]), ("C -O2", &["-O2"]), ("C -O3 native", &["-O3", "-march=native"])];

/// A C compiler, and a folder for what it builds.
#[derive(Debug)]
pub(super) struct Compiler {
    command: OsString,
    /// What it says of itself.
    pub(super) name: String,
    folder: TempDir,
}

impl Compiler {
    /// The compiler that the variable `CC` names, or `cc`.
    ///
    /// **Errors** say what is missing.
    pub(super) fn find() -> Result<Self, String> {
        Self::named(env::var_os("CC").unwrap_or_else(|| "cc".into()))
    }

    fn named(command: OsString) -> Result<Self, String> {
        let said = Command::new(&command).arg("--version").output();
        let said = said.map_err(|e| format!("{} does not start ({e})", command.display()))?;
        let name = String::from_utf8_lossy(&said.stdout).lines().next().unwrap_or_default().to_owned();
        let folder = TempDir::new().map_err(|e| format!("there is no temporary folder ({e})"))?;
        fs::write(folder.path().join("lazyntt.c"), SOURCE).map_err(|e| format!("no file can be written ({e})"))?;
        Ok(Self { command, name, folder })
    }

    /// Builds it with these flags and runs it: nanoseconds of the variants for each row of both tables.
    ///
    /// **Errors** if it does not build, or if it finds that a variant computes what it should not.
    pub(super) fn run(&self, flags: &[&str], milliseconds: u32) -> Result<Vec<Times>, String> {
        let program = self.folder.path().join("lazyntt");
        let mut compiler = Command::new(&self.command);
        compiler.arg("-std=c11").args(flags).arg("lazyntt.c").arg("-o").arg(&program).current_dir(self.folder.path());
        output(&mut compiler)?;
        let answer = output(Command::new(&program).arg(milliseconds.to_string()))?;
        serde_json::from_slice::<Answer>(&answer).map_err(|e| e.to_string())?.times()
    }
}

/// What a command writes to its output; its complaint if it fails.
fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said
        .lines()
        .find(|line| line.contains("error") || line.contains("wrong"))
        .unwrap_or("no reason given")
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every build that this machine's compiler makes computes transforms, and times all of them. Without a compiler
    /// there is nothing to test.
    #[test]
    fn every_build_computes_transforms() {
        let Ok(compiler) = Compiler::find() else { return };
        assert!(!compiler.name.is_empty());
        for (name, flags) in BUILDS {
            let times = compiler.run(flags, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(times.len(), 8, "{name}");
            assert!(times.iter().flatten().all(|time| time.is_some_and(|time| time.median > 0.0)), "{name}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        let why = Compiler::named("no-such-compiler".into()).unwrap_err();
        assert!(why.contains("no-such-compiler does not start"), "{why}");
        let Ok(compiler) = Compiler::find() else { return };
        // An R below q^2 is too small for SM: the program finds that before it times anything.
        let refused = compiler.run(&["-DLOG_R_SM_12289=20"], 1).unwrap_err();
        assert!(refused.contains("SM-LazyNTT is wrong for n ="), "{refused}");
    }
}
