//! `kex init|respond|finish`: a key exchange by ML-KEM or X-Wing, or for research NewHope, through files, between two
//! processes or two machines.
//! `kex listen|connect`: the same over one TCP connection ([`wire`]).
//!
//! Secrets and messages are [objects](ringwork::object); the key is 32 raw bytes, for its owner only: that of the
//! scheme as it is, SHA3-256 of the reconciled bits with NewHope, K of FIPS 203 with ML-KEM, and the shared key of X-Wing.

pub(super) mod socket;
mod wire;

use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{Loaded, hex},
    plans,
    screen::Screen,
};
use clap::{Args, Subcommand};
use ringwork::{
    Backend, Method,
    ct::sys_rng,
    object::{Description, Kind, Purpose},
    registry::{self, Exchange},
    schemes::newhope::SharedKey,
    xof::Sha3_256,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    fs,
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// The set that is taken if none is named.
const DEFAULT: &str = "mlkem-768";
/// Begins the names of NewHope's sets.
const NEWHOPE: &str = "newhope-";

/// Steps of the exchange.
#[derive(Subcommand, Debug)]
pub(crate) enum Kex {
    /// Alice's first step: makes a secret, and the message for Bob
    Init(Init),
    /// Bob's step: reads that message, makes the shared key, and the message for Alice
    Respond(Respond),
    /// Alice's second step: makes the shared key, and removes her secret, which serves once
    Finish(Finish),
    /// Bob over TCP: waits for one other side, and exchanges a key with it; NOT AUTHENTICATED
    ///
    /// The side that connects is Alice. Whoever connects first is taken for her, and someone in the middle is not
    /// noticed: compare the check that both sides show over a channel that you trust, before the key is used. Both
    /// sides confirm that they have the same key before it is written, and nothing is written otherwise. The messages
    /// are documented in crates/workbench/src/verbs/kex/wire.rs.
    Listen(socket::Listen),
    /// Alice over TCP: connects to a side that listens, and exchanges a key with it; NOT AUTHENTICATED
    ///
    /// See `kex listen`: compare the check that both sides show over a channel that you trust, before the key is used.
    Connect(socket::Connect),
}

/// How the transform is calculated: messages and keys do not depend on it.
#[derive(Args, Debug)]
struct Way {
    #[arg(long, value_name = "METHOD", value_parser = plans::method, help = plans::help_of_methods())]
    reduction: Option<Method>,
    #[arg(long, value_parser = plans::backend, help = plans::help_of_backends())]
    backend: Option<Backend>,
}

impl Way {
    /// **Errors** if the transform cannot be proved that way, or the scheme has no choice.
    fn scheme(&self, set: &Description) -> Result<Box<dyn Exchange>, Fault> {
        let backend = self.backend.unwrap_or_else(Backend::best);
        let scheme = registry::exchange(set.name, backend, self.reduction).expect("it is for key exchange");
        match scheme {
            Ok(scheme) => Ok(scheme),
            Err(why) => Err(Fault::Negative(why.to_string())),
        }
    }
}

/// Arguments of the first step.
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// Where to put the secret, which serves once
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Where to put the message for Bob, or - for standard output
    #[arg(long, value_name = "MESSAGE")]
    out: PathBuf,
    /// Parameter set, which the messages carry: mlkem-512, mlkem-768, mlkem-1024 or x-wing; usenix2016 or psi12 of NewHope,
    /// which is for research
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = set)]
    set: &'static Description,
    #[command(flatten)]
    way: Way,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// Arguments of the second step.
#[derive(Args, Debug)]
pub(crate) struct Respond {
    /// Alice's message, or - for standard input
    #[arg(long = "in", value_name = "MESSAGE")]
    message: PathBuf,
    /// Where to put the message for Alice, or - for standard output
    #[arg(long, value_name = "MESSAGE")]
    out: PathBuf,
    /// Where to put the shared key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    way: Way,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// Arguments of the third step.
#[derive(Args, Debug)]
pub(crate) struct Finish {
    /// The secret of the first step, which is overwritten and removed once the key is there
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Bob's message, or - for standard input
    #[arg(long = "in", value_name = "MESSAGE")]
    message: PathBuf,
    /// Where to put the shared key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    way: Way,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// The first step.
#[derive(Serialize, JsonSchema)]
pub(super) struct Begun<'a> {
    /// `init`.
    step: &'a str,
    /// The parameter set.
    set: &'a str,
    /// The file of the secret.
    secret: Cow<'a, str>,
    /// The file of the message for the other side.
    message: Cow<'a, str>,
}

/// The second step.
#[derive(Serialize, JsonSchema)]
pub(super) struct Responded<'a> {
    #[serde(flatten)]
    agreed: Agreed<'a>,
    /// The file of the message for the other side.
    message: Cow<'a, str>,
    /// The file of the shared key.
    key: Cow<'a, str>,
}

/// The third step.
#[derive(Serialize, JsonSchema)]
pub(super) struct Finished<'a> {
    #[serde(flatten)]
    agreed: Agreed<'a>,
    /// The file of the shared key.
    key: Cow<'a, str>,
}

/// A key that both sides have.
#[derive(Serialize, JsonSchema)]
struct Agreed<'a> {
    /// The step.
    step: &'a str,
    /// The parameter set.
    set: &'a str,
    /// The same on both sides if key, offer and reply are; compare it, for the exchange is not authenticated.
    check: &'a str,
}

impl Kex {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Init(step) => step.run(screen),
            Self::Respond(step) => step.run(screen),
            Self::Finish(step) => step.run(screen),
            Self::Listen(step) => step.run(screen),
            Self::Connect(step) => step.run(screen),
        }
    }
}

impl Init {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.secret, Access::Secret), (&self.out, Access::Binary)], self.force)?;
        let scheme = self.way.scheme(self.set)?;
        let (secret, message) = scheme.init(&mut sys_rng());
        let secret = Zeroizing::new(self.set.encode(Kind::ExchangeSecret, &secret));
        let message = self.set.encode(Kind::ExchangeOffer, &message);
        let parts = [(&*self.secret, &**secret, Access::Secret), (&*self.out, &*message, Access::Binary)];
        files::write_all(&parts, self.force)?;
        note_research(self.set.name, screen);
        let (secret, message) = (self.secret.to_string_lossy(), self.out.to_string_lossy());
        screen.written(Begun { step: "init", set: self.set.name, secret, message }, &["secret", "message"], "")
    }
}

impl Respond {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.key, Access::Secret), (&self.out, Access::Binary)], self.force)?;
        files::apart(&[&self.key, &self.out], &[&self.message])?;
        let message = Loaded::read(&self.message, Kind::ExchangeOffer)?;
        let set = message.header.description;
        let answer = self.way.scheme(set)?.respond(message.body(), &mut sys_rng());
        let (reply, key) = answer.map_err(|e| message.refused(&e))?;
        let check = check(&key, &registry::offer_digest(message.body()), &reply);
        let reply = set.encode(Kind::ExchangeReply, &reply);
        let parts = [(&*self.key, &key.as_bytes()[..], Access::Secret), (&*self.out, &*reply, Access::Binary)];
        files::write_all(&parts, self.force)?;
        let agreed = Agreed { step: "respond", set: set.name, check: &check };
        let (message, key) = (self.out.to_string_lossy(), self.key.to_string_lossy());
        done(screen, set, &check, Responded { agreed, message, key }, &["message", "key"])
    }
}

impl Finish {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.key, Access::Secret)], self.force)?;
        files::at_most_one_dash(&[&self.secret, &self.message])?;
        files::apart(&[&self.key], &[&self.secret, &self.message])?;
        let secret = Loaded::read(&self.secret, Kind::ExchangeSecret)?;
        let message = Loaded::read(&self.message, Kind::ExchangeReply)?;
        let (set, other) = (secret.header.description, message.header.description);
        if set != other {
            return Err(message.refused(&format_args!("this is of {}, and the secret of {}", other.name, set.name)));
        }
        let scheme = self.way.scheme(set)?;
        scheme.check(Kind::ExchangeSecret, secret.body()).map_err(|e| secret.refused(&e))?;
        let key = scheme.finish(secret.body(), message.body()).map_err(|e| message.refused(&e))?;
        let offer = registry::offer_of(secret.body()).expect("the secret was checked");
        let check = check(&key, offer, message.body());
        files::write(&self.key, key.as_bytes(), Access::Secret, self.force)?;
        if !files::is_stdin(&self.secret) && fs::metadata(&self.secret).is_ok_and(|m| m.is_file()) {
            destroy(&self.secret).map_err(|e| {
                let why = "the key is made, but the secret, which must not serve again, cannot be removed";
                Fault::Output(format!("{}: {why}: {e}", files::name(&self.secret)))
            })?;
        }
        let agreed = Agreed { step: "finish", set: set.name, check: &check };
        done(screen, set, &check, Finished { agreed, key: self.key.to_string_lossy() }, &["key"])
    }
}

/// Says what was written, and how to know that both sides have the same.
fn done(screen: &Screen, set: &Description, check: &str, answer: impl Serialize, keys: &[&str]) -> Result<(), Fault> {
    let note = "the exchange is not authenticated, and a message that was changed makes two different keys: use the \
                key only if the other side has the same check";
    said(screen, set, check, answer, keys, note)
}

/// The same, with what else there is to say.
fn said(
    screen: &Screen,
    set: &Description,
    check: &str,
    answer: impl Serialize,
    keys: &[&str],
    note: &str,
) -> Result<(), Fault> {
    note_research(set.name, screen);
    screen.written(answer, keys, &format!("check: {check}\n{note}\n"))
}

/// Says so of an exchange that is no standard's.
fn note_research(set: &str, screen: &Screen) {
    if set.starts_with(NEWHOPE) {
        screen.note(&format!("{set} is the exchange of a paper, for research; {DEFAULT} is a standard's"));
    }
}

/// What both sides compare: 128 bits of SHA3-256 of a label, the key, the digest of the offer, and the reply as they were
/// sent or came. Whoever makes an exchange with each side has two offers or two replies, and must not find two with the
/// same check. The key alone would not do: someone in the middle can give both sides one key of NewHope.
fn check(key: &SharedKey, offer: &[u8; registry::OFFER_DIGEST_BYTES], reply: &[u8]) -> String {
    let mut hash = Sha3_256::default();
    for part in [&b"ringwork key exchange check 2"[..], &key.as_bytes()[..], offer, reply] {
        hash.update(part);
    }
    hash.finish()[..16].chunks(4).map(hex).collect::<Vec<_>>().join("-")
}

/// Overwrites a file, as far as the file system does that in place, and removes it.
fn destroy(path: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.rewind()?;
    file.write_all(&vec![0; length as usize])?;
    file.sync_all()?;
    fs::remove_file(path)
}

fn set(name: &str) -> Result<&'static Description, String> {
    let short = |d: &'static Description| d.name.strip_prefix(NEWHOPE).unwrap_or(d.name);
    let names = || registry::all(Purpose::Exchange).map(short).collect::<Vec<_>>().join(", ");
    let wanted = name.to_lowercase().replace("ml-kem", "mlkem"); // as the standard writes it
    let found = registry::all(Purpose::Exchange).find(|d| d.name == wanted || short(d) == wanted);
    found.ok_or_else(|| format!("the parameter sets are {}", names()))
}
