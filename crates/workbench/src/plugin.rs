//! `age-plugin-ringwork` and `age-plugin-pq`, which are the same program: age and rage use keys of Ringwork's research
//! schemes by it, and programs of age that do not know them age's post-quantum keys.
//!
//! Programs of age start it where they meet `age1ringwork1…` or `AGE-PLUGIN-RINGWORK-1…`, and `age1pq1…` or
//! `AGE-PLUGIN-PQ-1…`: the key says which of the two it is. `ringwork keygen` makes such keys.
//!
//! Source: C2SP, age-plugin.md; for the option `-identity`, `age-plugin-pq` of Go's age.

use crate::{
    fault::Fault,
    files::{self, Kind as Access},
};
use age::{DecryptError, Identity as _, Recipient as _, secrecy::ExposeSecret};
use age_core::format::{FileKey, Stanza};
use age_plugin::{
    Callbacks, PluginHandler,
    identity::{self, IdentityPluginV1},
    recipient::{self, RecipientPluginV1},
    run_state_machine,
};
use clap::{CommandFactory, Parser};
use ringwork_age::{
    KeyError, hybrid,
    keys::{self, Identity, Recipient},
    research,
};
use std::{
    collections::{HashMap, HashSet},
    env, io,
    path::PathBuf,
    process::ExitCode,
};
use zeroize::Zeroizing;

/// A plugin of age for the research schemes of Ringwork and, as age-plugin-pq, for age's post-quantum
/// keys: age and rage run it. `ringwork keygen --scheme NAME` makes keys for it, and `ringwork keygen
/// --help` names the schemes.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Options {
    /// What age wants of it
    #[arg(long = "age-plugin", value_name = "STATE_MACHINE")]
    state_machine: Option<String>,
    /// Writes the post-quantum identities of a file, AGE-SECRET-KEY-PQ-1…, as identities of the plugin,
    /// AGE-PLUGIN-PQ-1…; -identity says the same
    #[arg(long, conflicts_with = "state_machine")]
    identity: bool,
    /// Where to put these, which are secret; nothing is replaced
    #[arg(short, long, value_name = "FILE", default_value = "-", requires = "identity")]
    output: PathBuf,
    /// The file of identities, or - for standard input
    #[arg(default_value = "-", requires = "identity")]
    input: PathBuf,
}

pub(crate) fn run() -> ExitCode {
    // Programs in Go have long options with one hyphen.
    let arguments = env::args_os().map(|word| if word == "-identity" { "--identity".into() } else { word });
    let options = Options::parse_from(arguments);
    let outcome = match &options.state_machine {
        Some(machine) => run_state_machine(machine, Handler).map_err(|e| (e.to_string(), 1)),
        None if options.identity => converted(&options).map_err(|fault| (fault.to_string(), fault.code())),
        None => Err((format!("--identity is missing; {}", Options::command().render_usage()), 2)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err((why, code)) => {
            eprintln!("error: {why}");
            ExitCode::from(code)
        }
    }
}

/// Identities of age as those of the plugin.
fn converted(options: &Options) -> Result<(), Fault> {
    let path = &options.input;
    files::check_outputs(&[(&options.output, Access::Secret)], false)?;
    let found = keys::identities(&files::read_text(path)?).map_err(|e| files::refused(path, &e))?;
    let mut text = Zeroizing::new(Vec::with_capacity(found.len() << 7));
    for key in &found {
        let Identity::Hybrid(key) = key else {
            let why =
                format!("there is an identity of {} in it, and age-plugin-pq is for mlkem768x25519", key.scheme());
            return Err(files::refused(path, &why));
        };
        text.extend_from_slice(key.to_plugin_text().expose_secret().as_bytes());
        text.push(b'\n');
    }
    if found.is_empty() {
        return Err(files::refused(path, &"there is no identity in it"));
    }
    files::write(&options.output, &text, Access::Secret, false)
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
        recipient: Result<Recipient, String>,
        refused: impl FnOnce(String) -> recipient::Error,
    ) -> Result<(), recipient::Error> {
        match recipient {
            Ok(Recipient::Research(key)) if key.is_for_measuring() => {
                let why = "its parameters are for measuring: `ringwork encrypt --research` alone encrypts to it";
                Err(refused(why.into()))
            }
            Ok(other) if self.0.first().is_some_and(|first| label(first) != label(&other)) => {
                Err(refused("it is of another kind than the key before it".into()))
            }
            Ok(recipient) => {
                self.0.push(recipient);
                Ok(())
            }
            Err(why) => Err(refused(why)),
        }
    }
}

impl RecipientPluginV1 for Recipients {
    fn add_recipient(&mut self, index: usize, plugin: &str, bytes: &[u8]) -> Result<(), recipient::Error> {
        let recipient = read(
            plugin,
            || research::Recipient::from_bytes(bytes).map(Recipient::Research),
            || hybrid::Recipient::from_bytes(bytes).map(Box::new).map(Recipient::Hybrid),
        );
        self.add(recipient, |message| recipient::Error::Recipient { index, message })
    }

    fn add_identity(&mut self, index: usize, plugin: &str, bytes: &[u8]) -> Result<(), recipient::Error> {
        let recipient = identity(plugin, bytes).map(|identity| identity.to_public());
        self.add(recipient, |message| recipient::Error::Identity { index, message })
    }

    fn labels(&mut self) -> HashSet<String> {
        self.0.first().map(|recipient| label(recipient).to_owned()).into_iter().collect()
    }

    fn wrap_file_keys(
        &mut self,
        file_keys: Vec<FileKey>,
        mut callbacks: impl Callbacks<recipient::Error>,
    ) -> io::Result<Result<Vec<Vec<Stanza>>, Vec<recipient::Error>>> {
        let research = self.0.iter().filter_map(|recipient| match recipient {
            Recipient::Research(key) => Some(key),
            _ => None,
        });
        for recipient in research {
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
        let identity = identity(plugin, bytes);
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

/// The label of a key's kind.
fn label(recipient: &Recipient) -> &'static str {
    if matches!(recipient, Recipient::Research(_)) { research::LABEL } else { hybrid::LABEL }
}

fn identity(plugin: &str, bytes: &[u8]) -> Result<Identity, String> {
    let research = || research::Identity::from_bytes(bytes).map(Identity::Research);
    read(plugin, research, || hybrid::Identity::from_bytes(bytes).map(Box::new).map(Identity::Hybrid))
}

/// A key of whichever plugin this is asked to be.
fn read<T>(
    plugin: &str,
    research: impl FnOnce() -> Result<T, KeyError>,
    hybrid: impl FnOnce() -> Result<T, KeyError>,
) -> Result<T, String> {
    let read = match plugin {
        research::PLUGIN => research(),
        hybrid::PLUGIN => hybrid(),
        other => {
            let ours = [research::PLUGIN, hybrid::PLUGIN].map(|name| format!("age-plugin-{name}")).join(" and ");
            return Err(format!("this is {ours}, not age-plugin-{other}"));
        }
    };
    read.map_err(|why| why.to_string())
}
