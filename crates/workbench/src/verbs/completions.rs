//! `completions`: what a shell completes.

use crate::{fault::Fault, screen::Screen};
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use serde_json::json;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, screen: &Screen, mut interface: Command) -> Result<(), Fault> {
        let mut script = Vec::new();
        generate(self.shell, &mut interface, "ringwork", &mut script);
        let script = String::from_utf8(script).expect("a script is text");
        screen.print(json!({ "shell": self.shell.to_string(), "script": &script }), || script)
    }
}
