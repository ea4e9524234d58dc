//! `man`: manual pages, one for each verb and each of its steps.

use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    screen::{Screen, counted},
};
use clap::{Args, Command};
use clap_mangen::Man;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Manual {
    /// Writes all pages into this folder, which must be there; without it the first page goes to standard output
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// Without `--out`: the first page.
#[derive(Serialize, JsonSchema)]
pub(super) struct FirstPage<'a> {
    /// The name of its file.
    name: &'a str,
    /// What it says.
    page: String,
}

/// With `--out`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Pages<'a> {
    /// The folder.
    folder: String,
    /// The files in it.
    pages: Vec<&'a str>,
}

impl Manual {
    pub(crate) fn run(&self, screen: &Screen, mut interface: Command) -> Result<(), Fault> {
        // Not that of this machine.
        interface = interface.version(env!("CARGO_PKG_VERSION"));
        interface.build();
        let pages = pages(&interface);
        let Some(folder) = &self.out else {
            let (name, page) = &pages[0];
            let text = || String::from_utf8_lossy(page).into_owned();
            return screen.print(FirstPage { name, page: text() }, text);
        };
        let paths: Vec<PathBuf> = pages.iter().map(|(name, _)| folder.join(name)).collect();
        let outputs: Vec<(&Path, Access)> = paths.iter().map(|path| (&**path, Access::Text)).collect();
        files::check_outputs(&outputs, self.force)?;
        let parts = paths.iter().zip(&pages).map(|(path, (_, page))| (&**path, &**page, Access::Text));
        files::write_all(&parts.collect::<Vec<_>>(), self.force)?;
        let names: Vec<&str> = pages.iter().map(|(name, _)| &**name).collect();
        let text = format!("{} in {}\n", counted(names.len() as u64, "page"), files::name(folder));
        screen.answer(Pages { folder: files::name(folder), pages: names }, || text)
    }
}

/// The page of a command and those of its steps, by the names of their files.
fn pages(command: &Command) -> Vec<(String, Vec<u8>)> {
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    let name = man.get_filename();
    man.render(&mut page).expect("memory takes what is written");
    let steps = command.get_subcommands().filter(|step| !step.is_hide_set() && step.get_name() != "help");
    [(name, page)].into_iter().chain(steps.flat_map(pages)).collect()
}
