//! `kex init|respond|finish`: the NewHope key exchange through files, between two processes or two machines.
//!
//! Messages are the raw bytes of the wire; secrets and keys are for their owner only.

use crate::{
    fault::Fault,
    files::{self, Kind},
    screen::Screen,
};
use clap::{Args, Subcommand};
use ringwork::{
    ct::sys_rng,
    schemes::newhope::{MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHope, Parameters},
};
use serde_json::json;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Steps of the exchange.
#[derive(Subcommand, Debug)]
pub(crate) enum Kex {
    /// Alice's first step: makes a secret, and the message for Bob
    Init(Init),
    /// Bob's step: reads that message, makes the shared key, and the message for Alice
    Respond(Respond),
    /// Alice's second step: makes the shared key
    Finish(Finish),
}

/// What all steps have in common.
#[derive(Args, Debug)]
struct Common {
    /// Parameter set; both sides must use the same: usenix2016 or psi12
    #[arg(long, default_value = "usenix2016", value_parser = parameters)]
    set: Parameters,
    /// Replaces files of secrets and keys that exist
    #[arg(long)]
    force: bool,
}

/// Arguments of the first step.
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// Where to put the secret; use it once
    #[arg(long)]
    secret: PathBuf,
    /// Where to put the message for Bob, or - for standard output
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// Arguments of the second step.
#[derive(Args, Debug)]
pub(crate) struct Respond {
    /// Alice's message, or - for standard input
    #[arg(long = "in", value_name = "MESSAGE")]
    message: PathBuf,
    /// Where to put the message for Alice, or - for standard output
    #[arg(long)]
    out: PathBuf,
    /// Where to put the shared key
    #[arg(long)]
    key: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// Arguments of the third step.
#[derive(Args, Debug)]
pub(crate) struct Finish {
    /// The secret of the first step
    #[arg(long)]
    secret: PathBuf,
    /// Bob's message, or - for standard input
    #[arg(long = "in", value_name = "MESSAGE")]
    message: PathBuf,
    /// Where to put the shared key
    #[arg(long)]
    key: PathBuf,
    #[command(flatten)]
    common: Common,
}

impl Kex {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Init(step) => step.run(screen),
            Self::Respond(step) => step.run(screen),
            Self::Finish(step) => step.run(screen),
        }
    }
}

impl Init {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let kind = self.common.kind();
        files::check_outputs(&[(&self.secret, kind), (&self.out, Kind::Public)])?;
        let scheme = self.common.scheme();
        let (secret, message) = scheme.init(&mut sys_rng());
        files::write(&self.secret, &scheme.secret_to_bytes(secret), kind)?;
        files::write(&self.out, &message, Kind::Public)?;
        self.common.done(screen, "init", &[("secret", &self.secret), ("message", &self.out)])
    }
}

impl Respond {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let kind = self.common.kind();
        files::check_outputs(&[(&self.key, kind), (&self.out, Kind::Public)])?;
        let message = files::read(&self.message, 2 * MESSAGE_A_BYTES as u64)?;
        let (key, reply) =
            self.common.scheme().respond(&message, &mut sys_rng()).map_err(|e| files::refused(&self.message, &e))?;
        files::write(&self.key, key.as_bytes(), kind)?;
        files::write(&self.out, &reply, Kind::Public)?;
        self.common.done(screen, "respond", &[("message", &self.out), ("key", &self.key)])
    }
}

impl Finish {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        const SECRET_LIMIT: u64 = 1 << 16;
        let kind = self.common.kind();
        files::check_outputs(&[(&self.key, kind)])?;
        files::at_most_one_dash(&[&self.secret, &self.message])?;
        let secret = Zeroizing::new(files::read(&self.secret, SECRET_LIMIT)?);
        let scheme = self.common.scheme();
        let secret = scheme.secret_from_bytes(&secret).map_err(|e| files::refused(&self.secret, &e))?;
        let message = files::read(&self.message, 2 * MESSAGE_B_BYTES as u64)?;
        let key = scheme.finish(secret, &message).map_err(|e| files::refused(&self.message, &e))?;
        files::write(&self.key, key.as_bytes(), kind)?;
        self.common.done(screen, "finish", &[("key", &self.key)])
    }
}

impl Common {
    fn scheme(&self) -> NewHope {
        NewHope::new(self.set)
    }

    const fn kind(&self) -> Kind {
        Kind::Secret { force: self.force }
    }

    /// Says what was written.
    fn done(&self, screen: &Screen, step: &str, written: &[(&str, &Path)]) -> Result<(), Fault> {
        let note = match step {
            "finish" => "the secret has done its work: delete it, and never use it for another message\n",
            _ => "",
        };
        screen.written(json!({ "step": step, "set": self.set.name() }), written, note)
    }
}

fn parameters(name: &str) -> Result<Parameters, String> {
    let names = || Parameters::ALL.map(Parameters::name).join(", ");
    Parameters::by_name(name).ok_or_else(|| format!("the parameter sets are {}", names()))
}
