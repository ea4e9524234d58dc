//! `age-plugin-ringwork`: lets age and rage use keys of Ringwork's research schemes.
//!
//! Programs of age start it where they meet `age1ringwork1…` or `AGE-PLUGIN-RINGWORK-1…`. `ringwork
//! keygen --scheme` makes such keys.
//!
//! Source: C2SP, age-plugin.md.

use age::{DecryptError, Identity as _, Recipient as _};
use age_core::format::{FileKey, Stanza};
use age_plugin::{
    Callbacks, PluginHandler,
    identity::{self, IdentityPluginV1},
    recipient::{self, RecipientPluginV1},
    run_state_machine,
};
use clap::Parser;
use ringwork_age::research::{Identity, LABEL, PLUGIN, Recipient};
use std::{
    collections::{HashMap, HashSet},
    io,
    process::ExitCode,
};

/// A plugin of age for the research schemes of Ringwork: age and rage run it. `ringwork keygen
/// --scheme NAME` makes keys for it, and `ringwork keygen --help` names the schemes.
#[derive(Parser)]
#[command(name = "age-plugin-ringwork", version, arg_required_else_help = true)]
struct Options {
    /// What age wants of it
    #[arg(long = "age-plugin", value_name = "STATE_MACHINE")]
    state_machine: String,
}

pub(crate) fn run() -> ExitCode {
    match run_state_machine(&Options::parse().state_machine, Handler) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

struct Handler;

impl PluginHandler for Handler {
    type RecipientV1 = Recipients;
    type IdentityV1 = Identities;

    fn recipient_v1(self) -> io::Result<Recipients> {
        Ok(Recipients::default())
    }

    fn identity_v1(self) -> io::Result<Identities> {
        Ok(Identities::default())
    }
}

/// Whom a file is for.
#[derive(Default)]
struct Recipients(Vec<Recipient>);

impl Recipients {
    fn add(
        &mut self,
        plugin: &str,
        recipient: impl FnOnce() -> Result<Recipient, String>,
        refused: impl FnOnce(String) -> recipient::Error,
    ) -> Result<(), recipient::Error> {
        match for_us(plugin).and_then(|()| recipient()) {
            Ok(recipient) if recipient.is_for_measuring() => {
                let why = "its parameters are for measuring: `ringwork encrypt --research` alone encrypts to it";
                return Err(refused(why.into()));
            }
            Ok(recipient) => self.0.push(recipient),
            Err(why) => return Err(refused(why)),
        }
        Ok(())
    }
}

impl RecipientPluginV1 for Recipients {
    fn add_recipient(&mut self, index: usize, plugin: &str, bytes: &[u8]) -> Result<(), recipient::Error> {
        let recipient = || Recipient::from_bytes(bytes).map_err(|why| why.to_string());
        self.add(plugin, recipient, |message| recipient::Error::Recipient { index, message })
    }

    fn add_identity(&mut self, index: usize, plugin: &str, bytes: &[u8]) -> Result<(), recipient::Error> {
        let recipient = || Identity::from_bytes(bytes).map(|i| i.to_public()).map_err(|why| why.to_string());
        self.add(plugin, recipient, |message| recipient::Error::Identity { index, message })
    }

    fn labels(&mut self) -> HashSet<String> {
        HashSet::from([LABEL.into()])
    }

    fn wrap_file_keys(
        &mut self,
        file_keys: Vec<FileKey>,
        mut callbacks: impl Callbacks<recipient::Error>,
    ) -> io::Result<Result<Vec<Vec<Stanza>>, Vec<recipient::Error>>> {
        for recipient in &self.0 {
            let scheme = recipient.scheme();
            let why = recipient.research_reason().map_or_else(String::new, |why| format!("; {why}"));
            let note = format!("{scheme} is a research construction, not a standard{why}");
            let _ = callbacks.message(&note)?;
        }
        let wrap = |key: &FileKey| {
            let stanzas = self.0.iter().map(|recipient| recipient.wrap_file_key(key).map(|(stanzas, _)| stanzas));
            stanzas.collect::<Result<Vec<_>, _>>().map(|stanzas| stanzas.into_iter().flatten().collect())
        };
        let wrapped = file_keys.iter().map(wrap).collect::<Result<_, _>>();
        Ok(wrapped.map_err(|e| vec![recipient::Error::Internal { message: e.to_string() }]))
    }
}

/// Who opens files.
#[derive(Default)]
struct Identities(Vec<Identity>);

impl IdentityPluginV1 for Identities {
    fn add_identity(&mut self, index: usize, plugin: &str, bytes: &[u8]) -> Result<(), identity::Error> {
        let identity = for_us(plugin).and_then(|()| Identity::from_bytes(bytes).map_err(|why| why.to_string()));
        self.0.push(identity.map_err(|message| identity::Error::Identity { index, message })?);
        Ok(())
    }

    fn unwrap_file_keys(
        &mut self,
        files: Vec<Vec<Stanza>>,
        _: impl Callbacks<identity::Error>,
    ) -> io::Result<HashMap<usize, Result<FileKey, Vec<identity::Error>>>> {
        let mut found = HashMap::new();
        for (file_index, stanzas) in files.iter().enumerate() {
            let opened = stanzas.iter().enumerate().find_map(|(stanza_index, stanza)| {
                let key = self.0.iter().find_map(|identity| identity.unwrap_stanza(stanza))?;
                let refused = |e: DecryptError| {
                    vec![identity::Error::Stanza { file_index, stanza_index, message: e.to_string() }]
                };
                Some(key.map_err(refused))
            });
            found.extend(opened.map(|opened| (file_index, opened)));
        }
        Ok(found)
    }
}

fn for_us(plugin: &str) -> Result<(), String> {
    if plugin == PLUGIN { Ok(()) } else { Err(format!("this is age-plugin-{PLUGIN}, not age-plugin-{plugin}")) }
}
