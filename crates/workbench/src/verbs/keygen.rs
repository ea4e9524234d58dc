//! `keygen`: an identity of age with its recipient, or a key of commitments.

use super::lwe::{self, FORM};
use crate::{
    age_files::{self, PassphraseArgs},
    fault::Fault,
    files::{self, Kind as Access},
    objects::{self, hex, what_it_is},
    screen::Screen,
};
use age::secrecy::ExposeSecret;
use clap::Args;
use ringwork::{
    ct::sys_rng,
    object::{Description, Kind, Purpose},
    registry,
    schemes::lwe::Parameters,
};
use ringwork_age::{keys, research};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    io::{self, Write},
    path::PathBuf,
    time::SystemTime,
};
use zeroize::Zeroizing;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Keygen {
    /// Scheme: age's own mlkem768x25519 (post-quantum) or x25519, or a research scheme; a set for
    /// commitments makes the key of those
    #[arg(long, value_name = "NAME", default_value = keys::STANDARD[0], value_parser = scheme)]
    scheme: Scheme,
    /// FOR MEASURING: module-LWE with parameters of your own, in place of a scheme: see `ringwork lwe --help`. Files
    /// are encrypted to such a key with --research alone
    #[arg(long, value_name = FORM, value_parser = lwe::parameters, conflicts_with = "scheme")]
    parameters: Option<Parameters>,
    /// Where to put the identity, which is secret, or - for standard output
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Encrypts the file to a passphrase
    #[arg(short, long)]
    passphrase: bool,
    #[command(flatten)]
    how: PassphraseArgs,
    /// Seed of a key of commitments, 64 hexadecimal digits; random, if left out
    #[arg(long, value_name = "HEX", value_parser = objects::seed)]
    seed: Option<[u8; 32]>,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

/// What a key can be of.
#[derive(Clone, Copy, Debug)]
enum Scheme {
    /// Encryption.
    Age(&'static str),
    /// Commitments.
    Commitments(&'static Description),
}

/// An identity of age.
#[derive(Serialize, JsonSchema)]
pub(super) struct NewIdentity<'a> {
    /// The scheme.
    scheme: &'a str,
    /// The recipient that belongs to it.
    recipient: &'a str,
    /// Of research schemes: what the scheme is.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    /// The file of the identity.
    identity: Cow<'a, str>,
}

/// A commitment key.
#[derive(Serialize, JsonSchema)]
pub(super) struct CommitmentKey<'a> {
    /// The parameter set.
    scheme: &'a str,
    /// The fingerprint of the key.
    fingerprint: String,
    /// The seed of the key.
    seed: String,
    /// The file of the key.
    public: Cow<'a, str>,
}

impl Keygen {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if let Some(set) = self.parameters {
            registry::measuring(set).map_err(|why| Fault::Usage(why.to_string()))?;
            return self.identity(&format!("{}{}", registry::MEASURING, set.to_text()), screen);
        }
        match self.scheme {
            Scheme::Age(scheme) => self.identity(scheme, screen),
            Scheme::Commitments(_) if self.how.encrypts(self.passphrase) => {
                Err(Fault::Usage("a key of commitments is public: it needs no passphrase".into()))
            }
            Scheme::Commitments(set) => self.commitment_key(set, screen),
        }
    }

    fn identity(&self, scheme: &str, screen: &Screen) -> Result<(), Fault> {
        if self.seed.is_some() {
            return Err(Fault::Usage("--seed is for keys of commitments".into()));
        }
        files::check_outputs(&[(&self.out, Access::Secret)], self.force)?;
        files::apart(&[&self.out], &self.how.passphrase_file.iter().collect::<Vec<_>>())?;
        let identity = keys::Identity::generate(scheme).expect("the scheme is known");
        let recipient = identity.to_public().to_string();
        let what = registry::encapsulation(scheme).map(|scheme| (what_it_is(&*scheme), scheme.research_reason()));
        let created = humantime::format_rfc3339_seconds(SystemTime::now());
        let note = what.as_ref().map_or_else(String::new, |(note, _)| format!("# note: {note}\n"));
        let head = Zeroizing::new(format!("# created: {created}\n# public key: {recipient}\n{note}"));
        let text = identity.to_text();
        // In one piece of memory, which is wiped.
        let mut file = Zeroizing::new(Vec::with_capacity(head.len() + text.expose_secret().len() + 1));
        for part in [&**head, text.expose_secret(), "\n"] {
            file.extend_from_slice(part.as_bytes());
        }
        if self.how.encrypts(self.passphrase) {
            file = self.encrypted(&file)?;
        }
        files::write(&self.out, &file, Access::Secret, self.force)?;
        if let Some((note, reason)) = &what {
            screen.note(note);
            if let Some(reason) = reason {
                let _ = writeln!(io::stderr(), "warning: {reason}");
            }
        }
        if files::is_stdout(&self.out) {
            let _ = writeln!(io::stderr(), "recipient: {recipient}");
            return Ok(());
        }
        // Standard output has the recipient alone, for scripts.
        let (note, identity) = (what.as_ref().map(|(note, _)| &**note), self.out.to_string_lossy());
        screen.answer(NewIdentity { scheme, recipient: &recipient, note, identity }, || format!("{recipient}\n"))
    }

    fn encrypted(&self, file: &[u8]) -> Result<Zeroizing<Vec<u8>>, Fault> {
        let encryptor = age_files::to_passphrase(self.how.new_one()?)?;
        let mut bytes = Vec::new();
        let written = encryptor.wrap_output(&mut bytes).and_then(|mut stream| {
            stream.write_all(file)?;
            stream.finish().map(drop)
        });
        written.expect("memory takes everything");
        Ok(Zeroizing::new(bytes))
    }

    fn commitment_key(&self, set: &Description, screen: &Screen) -> Result<(), Fault> {
        let seed = self.seed.unwrap_or_else(|| registry::fresh_seed(&mut sys_rng()));
        files::check_outputs(&[(&self.out, Access::Binary)], self.force)?;
        let key = set.encode(Kind::CommitmentKey, &seed);
        files::write(&self.out, &key, Access::Binary, self.force)?;
        let digest = registry::decode(&key).expect("it was just encoded").header.digest;
        let (fingerprint, public) = (hex(&digest), self.out.to_string_lossy());
        screen.written(CommitmentKey { scheme: set.name, fingerprint, seed: hex(&seed), public }, &["public"], "")
    }
}

fn scheme(name: &str) -> Result<Scheme, String> {
    let age = || keys::STANDARD.into_iter().chain(research::schemes());
    let commitments = || registry::all(Purpose::Commitment);
    let known = age().find(|known| *known == name).map(Scheme::Age);
    let known = known.or_else(|| commitments().find(|d| d.name == name).map(Scheme::Commitments));
    known.ok_or_else(|| {
        let names = age().chain(commitments().map(|d| d.name)).collect::<Vec<_>>().join(", ");
        format!("the schemes are {names}")
    })
}
