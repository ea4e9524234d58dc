//! `completions`: what a shell completes.

use crate::{fault::Fault, screen::Screen};
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use schemars::JsonSchema;
use serde::Serialize;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// What a shell completes.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answer<'a> {
    /// The shell.
    shell: String,
    /// What it reads.
    script: &'a str,
}

impl Completions {
    pub(crate) fn run(&self, screen: &Screen, mut interface: Command) -> Result<(), Fault> {
        let mut script = Vec::new();
        generate(self.shell, &mut interface, "ringwork", &mut script);
        let script = String::from_utf8(script).expect("a script is text");
        screen.print(Answer { shell: self.shell.to_string(), script: &script }, || script.clone())
    }
}
