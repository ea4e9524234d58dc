//! Keys of age's plugins: other programs, `age-plugin-<name>`, which are looked for in the folders of `PATH` and asked
//! to make and to open stanzas.
//!
//! The crate `age` speaks with them. What they say reaches the terminal without control characters, and what goes wrong
//! with them is told with their name.
//!
//! Source: C2SP, age-plugin.md.

use super::{Wrapped, asked, printable};
use crate::fault::Fault;
use age::{
    Callbacks, DecryptError, EncryptError,
    plugin::{self, IdentityPluginV1, RecipientPluginV1},
    secrecy::SecretString,
};
use age_core::format::{FileKey, Stanza};
use ringwork_age::KeyError;
use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Read, Write},
};
use zeroize::Zeroizing;

const PROGRAM: &str = "age-plugin-";
/// What a person types has no more bytes.
const LINE_AT_MOST: u64 = 1 << 12;
/// How often a question is asked again.
const QUESTIONS: usize = 3;

/// A key: a recipient, or an identity.
#[derive(Clone)]
pub(crate) struct Key {
    /// Of the program.
    program: String,
    /// Wiped: identities of some plugins are secret.
    text: Zeroizing<String>,
    is_identity: bool,
}

impl Key {
    /// A recipient of the plugin with that name, which it has in small letters.
    pub(super) fn recipient(text: &str, name: &str) -> Result<Self, KeyError> {
        Self::checked(text, name, false, text.parse().map(|key: plugin::Recipient| key.plugin() == name))
    }

    /// An identity of that plugin.
    pub(super) fn identity(text: &str, name: &str) -> Result<Self, KeyError> {
        Self::checked(text, name, true, text.parse().map(|key: plugin::Identity| key.plugin() == name))
    }

    /// The identity that a plugin has without a key.
    pub(super) fn of_name(name: &str) -> Result<Self, KeyError> {
        let name = name.to_ascii_lowercase();
        if !is_name(&name) {
            return Err(no_name(&name));
        }
        Self::identity(&plugin::Identity::default_for_plugin(&name).to_string(), &name)
    }

    /// The crate `age` must see the same name in it, since it is what starts the program.
    fn checked(
        text: &str,
        name: &str,
        is_identity: bool,
        is_same: Result<bool, &'static str>,
    ) -> Result<Self, KeyError> {
        match is_same {
            Ok(true) if is_name(name) => {
                Ok(Self { program: format!("{PROGRAM}{name}"), text: Zeroizing::new(text.into()), is_identity })
            }
            _ => Err(no_name(name)),
        }
    }

    /// The program.
    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// The key, unless it is an identity, which may be secret.
    pub(super) fn public(&self) -> Option<&str> {
        (!self.is_identity).then_some(&**self.text)
    }

    fn name(&self) -> &str {
        self.program.strip_prefix(PROGRAM).expect("it is made so")
    }
}

/// Names that are part of a file's name, and of nothing else.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte))
}

fn no_name(name: &str) -> KeyError {
    let name = printable(name);
    KeyError::Key(format!("no plugin is called {name:?}: their names have letters, digits, +, -, . and _"))
}

/// Checks the name of a plugin on the command line.
pub(crate) fn name(text: &str) -> Result<String, String> {
    Key::of_name(text).map(|key| key.name().to_owned()).map_err(|why| why.to_string())
}

/// Keys by their plugins, each where its first key stands.
pub(super) fn sorted(keys: impl Iterator<Item = Key>) -> Vec<Vec<Key>> {
    let mut all = Vec::<Vec<Key>>::new();
    for key in keys {
        match all.iter_mut().find(|known| known[0].program == key.program) {
            Some(known) => known.push(key),
            None => all.push(vec![key]),
        }
    }
    all
}

/// What encrypts to keys of one plugin, recipients and identities.
pub(super) struct Recipients<'a> {
    keys: &'a [Key],
    plugin: RecipientPluginV1<Terminal>,
}

impl<'a> Recipients<'a> {
    pub(super) fn new(keys: &'a [Key]) -> Result<Self, Fault> {
        let of = |is_identity| keys.iter().filter(move |key| key.is_identity == is_identity).map(|key| &**key.text);
        let recipients: Vec<_> = of(false).filter_map(|text| text.parse().ok()).collect();
        let identities: Vec<_> = of(true).filter_map(|text| text.parse().ok()).collect();
        let Key { program, .. } = &keys[0];
        let plugin = RecipientPluginV1::new(keys[0].name(), &recipients, &identities, Terminal::of(program));
        Ok(Self { keys, plugin: plugin.map_err(|_| missing(program))? })
    }
}

impl age::Recipient for Recipients<'_> {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<Wrapped, EncryptError> {
        self.plugin.wrap_file_key(file_key).map_err(|e| {
            let why = match e {
                EncryptError::Plugin(errors) => said(&errors, self.keys),
                EncryptError::Io(e) => broken(&e),
                e => plain(&e.to_string()),
            };
            EncryptError::Io(Failure::of(&self.keys[0], why))
        })
    }
}

/// What opens files by the identities of one plugin.
pub(super) struct Identities<'a> {
    keys: &'a [Key],
    plugin: IdentityPluginV1<Terminal>,
}

impl<'a> Identities<'a> {
    pub(super) fn new(keys: &'a [Key]) -> Result<Self, Fault> {
        let identities: Vec<_> = keys.iter().filter_map(|key| key.text.parse().ok()).collect();
        let Key { program, .. } = &keys[0];
        let plugin = IdentityPluginV1::new(keys[0].name(), &identities, Terminal::of(program));
        Ok(Self { keys, plugin: plugin.map_err(|_| missing(program))? })
    }
}

impl age::Identity for Identities<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        let opened = age::Identity::unwrap_stanzas(&self.plugin, stanzas)?;
        Some(opened.map_err(|e| {
            let why = match e {
                DecryptError::Plugin(errors) => said(&errors, self.keys),
                DecryptError::Io(e) => broken(&e),
                DecryptError::DecryptionFailed => "what it gave is no key of a file".into(),
                e => plain(&e.to_string()),
            };
            DecryptError::Io(Failure::of(&self.keys[0], why))
        }))
    }
}

fn missing(program: &str) -> Fault {
    Fault::Input(format!(
        "{program} is needed, and there is no such program in a folder of PATH: install it, or add its folder to PATH"
    ))
}

/// What a plugin did instead of its work.
#[derive(Debug)]
pub(super) struct Failure {
    program: String,
    why: String,
}

impl Failure {
    /// As an error of the crate `age` has it.
    fn of(key: &Key, why: String) -> io::Error {
        io::Error::other(Self { program: key.program.clone(), why })
    }

    /// The one that an error has within.
    pub(super) fn within(e: &io::Error) -> Option<Fault> {
        e.get_ref()?.downcast_ref::<Self>().map(|failure| Fault::Input(failure.to_string()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, why } = self;
        if why.contains(program) { f.write_str(why) } else { write!(f, "{program}: {why}") }
    }
}

impl std::error::Error for Failure {}

/// What it says itself.
fn said(errors: &[impl fmt::Display], keys: &[Key]) -> String {
    let mut said = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    for key in keys {
        let start: String = key.text.chars().take(24).collect();
        said = said.replace(&**key.text, &(start + "…"));
    }
    if said.is_empty() { "it fails, and does not say why".into() } else { printable(&plain(&said)) }
}

/// Without the marks of direction that the crate `age` puts around names.
fn plain(text: &str) -> String {
    text.replace(['\u{2068}', '\u{2069}'], "")
}

/// What became of the pipes to it.
fn broken(e: &io::Error) -> String {
    match e.kind() {
        ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => {
            "it ended before it was done; with AGEDEBUG=plugin all that it says is shown, secrets included".into()
        }
        ErrorKind::InvalidData => "it answers with something that is not of the protocol of plugins".into(),
        _ => format!("it cannot be run: {e}"),
    }
}

/// Where plugins ask, and what they say is shown.
#[derive(Clone)]
struct Terminal {
    program: String,
}

impl Terminal {
    fn of(program: &str) -> Self {
        Self { program: program.into() }
    }

    fn say(&self, message: &str) {
        let _ = write!(io::stderr(), "{}: {}", self.program, printable(message));
    }

    /// What is typed after that, if there is a terminal.
    fn answer(&self, question: &str) -> Option<String> {
        let terminal = File::open(if cfg!(windows) { "CONIN$" } else { "/dev/tty" }).ok()?;
        self.say(question);
        let mut line = String::new();
        let read = BufReader::new(terminal).take(LINE_AT_MOST).read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

impl Callbacks for Terminal {
    fn display_message(&self, message: &str) {
        self.say(message);
        let _ = writeln!(io::stderr());
    }

    fn confirm(&self, message: &str, yes: &str, no: Option<&str>) -> Option<bool> {
        let no = no.unwrap_or("no");
        let question = format!("{message} (y: {yes}, n: {no}) ");
        for _ in 0..QUESTIONS {
            match self.answer(&question)?.trim().chars().next().map(|c| c.to_ascii_lowercase()) {
                Some('y') => return Some(true),
                Some('n') => return Some(false),
                _ => {}
            }
        }
        None
    }

    fn request_public_string(&self, description: &str) -> Option<String> {
        self.answer(&format!("{description} "))
    }

    fn request_passphrase(&self, description: &str) -> Option<SecretString> {
        let prompt = format!("{}: {} ", self.program, printable(description));
        asked::ask(&prompt).ok().map(SecretString::from)
    }
}
