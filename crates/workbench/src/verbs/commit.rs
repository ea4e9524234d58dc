//! `commit`: a commitment to a file or to its digest.

use super::origin::OriginArgs;
use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{self, Loaded, check_research, hex},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    ct::sys_rng,
    object::{Kind, Purpose},
    registry::{self, Commitments, Form},
    xof::Sha3_256,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    io::Read,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Commit {
    /// Parameter set
    #[arg(long, value_name = "NAME", default_value = default(), value_parser = set)]
    set: Commitments,
    /// The message, or - for standard input
    #[arg(long, value_name = "FILE")]
    message: PathBuf,
    #[command(flatten)]
    origin: OriginArgs,
    /// Commits to the message's SHA3-256, whatever its length
    #[arg(long)]
    digest: bool,
    /// Where to put the commitment
    #[arg(long, value_name = "FILE")]
    commitment: PathBuf,
    /// Where to put the opening: secret until the commitment is to be opened
    #[arg(long, value_name = "FILE")]
    opening: PathBuf,
    /// Seed of the key, 64 hexadecimal digits; SHA3-256 of a fixed text, if left out
    #[arg(long, value_name = "HEX", value_parser = objects::seed, conflicts_with = "key")]
    key_seed: Option<[u8; 32]>,
    /// The key, as `keygen` makes it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Commits by a set that does not hide or bind
    #[arg(long)]
    research: bool,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// A commitment that was made.
#[derive(Serialize, JsonSchema)]
pub(super) struct Committed<'a> {
    /// The parameter set.
    set: &'a str,
    /// The seed of the commitment key.
    key_seed: String,
    /// Whether the SHA3-256 of the message was committed to.
    digest: bool,
    /// The file of the commitment.
    commitment: Cow<'a, str>,
    /// The file of the opening.
    opening: Cow<'a, str>,
}

impl Commit {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let (set, description) = (&self.set, self.set.description());
        check_research(set.research_reason(), self.research)?;
        let outputs = [(&*self.opening, Access::Secret), (&*self.commitment, Access::Binary)];
        files::check_outputs(&outputs, self.force)?;
        files::apart(&[&self.commitment, &self.opening], &[&self.message])?;
        files::at_most_one_dash(&[&self.message].into_iter().chain(&self.key).collect::<Vec<_>>())?;
        let seed = self.seed()?;
        let message = Message::read(&self.message, self.digest, set.capacity())?;
        let (commitment, opening) =
            set.commit(&seed, self.origin.get(), form(self.digest), &message.0, &mut sys_rng())?;
        let opening = Zeroizing::new(description.encode(Kind::Opening, &opening));
        let commitment = description.encode(Kind::Commitment, &commitment);
        let [to_opening, to_commitment] = outputs;
        let parts = [(to_opening.0, &**opening, to_opening.1), (to_commitment.0, &*commitment, to_commitment.1)];
        files::write_all(&parts, self.force)?;
        let answer = Committed {
            set: description.name,
            key_seed: hex(&seed),
            digest: self.digest,
            commitment: self.commitment.to_string_lossy(),
            opening: self.opening.to_string_lossy(),
        };
        screen.written(answer, &["commitment", "opening"], "")
    }

    fn seed(&self) -> Result<[u8; 32], Fault> {
        let Some(path) = &self.key else { return Ok(self.key_seed.unwrap_or_else(registry::default_seed)) };
        let key = Loaded::read(path, Kind::CommitmentKey)?;
        let (of_key, wanted) = (key.header.description, self.set.description());
        if of_key != wanted {
            return Err(key.refused(&format_args!("this is a key of the set {}, not of {}", of_key.name, wanted.name)));
        }
        Ok(self.set.seed_of_key(key.body())?)
    }
}

pub(crate) const fn form(digest: bool) -> Form {
    if digest { Form::Digest } else { Form::Bytes }
}

/// What is committed to.
pub(crate) struct Message(pub(crate) Zeroizing<Vec<u8>>);

impl Message {
    /// The bytes of a file, or their digest.
    pub(crate) fn read(path: &Path, digest: bool, capacity: usize) -> Result<Self, Fault> {
        let mut source = files::open(path)?;
        let mut buffer = Zeroizing::new(vec![0; 1 << 16]);
        let (mut hash, mut bytes) = (Sha3_256::default(), Zeroizing::new(Vec::with_capacity(capacity)));
        loop {
            let count = source.read(&mut buffer).map_err(|e| files::unreadable(path, &e))?;
            match count {
                0 if digest => return Ok(Self(Zeroizing::new(hash.finish().to_vec()))),
                0 => return Ok(Self(bytes)),
                _ if digest => hash.update(&buffer[..count]),
                _ if bytes.len() + count > capacity => return Err(too_long(path, capacity)),
                _ => bytes.extend_from_slice(&buffer[..count]),
            }
        }
    }
}

fn too_long(path: &Path, capacity: usize) -> Fault {
    let why =
        format!("a message of this set has {capacity} bytes at most; --digest takes the SHA3-256 of a longer one");
    files::refused(path, &why)
}

fn default() -> &'static str {
    registry::all(Purpose::Commitment).next().expect("there is one").name
}

fn set(name: &str) -> Result<Commitments, String> {
    let names = || registry::all(Purpose::Commitment).map(|d| d.name).collect::<Vec<_>>().join(", ");
    Commitments::by_name(name).ok_or_else(|| format!("the sets are {}", names()))
}
