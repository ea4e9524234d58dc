//! `signature keygen|sign|verify`: detached signatures of files, by ML-DSA.
//!
//! Keys are PEM, and signatures bytes, as other programs have them. Messages are read piece by
//! piece, so that they may have any length.

use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    screen::Screen,
    signatures::{Public, pair, read_public, read_secret},
};
use clap::{
    Args, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use ringwork::schemes::mldsa::{Error, MAX_CONTEXT, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, PreHash};
use serde_json::json;
use std::{
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// What to do with signatures.
#[derive(Subcommand, Debug)]
pub(crate) enum Signature {
    /// Makes a pair of keys
    Keygen(Keygen),
    /// Signs a file; hedged with fresh randomness
    Sign(Sign),
    /// Verifies a signature; exit code 1 if it was not made for this file, context and key
    Verify(Verify),
}

/// Arguments of `keygen`.
#[derive(Args, Debug)]
pub(crate) struct Keygen {
    /// Parameter set
    #[arg(long, value_name = "NAME", default_value = "ml-dsa-65")]
    set: Set,
    /// Where to put the private key: PEM, PKCS #8, the seed
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Where to put the public key: PEM, SubjectPublicKeyInfo; or - for standard output
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

/// What is signed, for `sign` and `verify` alike.
#[derive(Args, Debug)]
pub(crate) struct Message {
    /// What is signed, or - for standard input
    #[arg(long = "in", value_name = "FILE")]
    message: PathBuf,
    /// For what: a signature with one context is none with another; 255 bytes at most
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// Signs a digest of the file (HashML-DSA), which is another signature
    #[arg(long, value_name = "HASH", value_parser = hashes())]
    prehash: Option<PreHash>,
}

/// Arguments of `sign`.
#[derive(Args, Debug)]
pub(crate) struct Sign {
    /// The private key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    message: Message,
    /// Where to put the signature, or - for standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Takes no randomness, and so makes the same signature again; faults in it give more away
    #[arg(long)]
    deterministic: bool,
    /// Replaces a file that exists, and shows the bytes on a terminal
    #[arg(long)]
    force: bool,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The public key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    message: Message,
    /// The signature, or - for standard input
    #[arg(long, value_name = "FILE")]
    signature: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Set {
    #[value(name = "ml-dsa-44")]
    MlDsa44,
    #[value(name = "ml-dsa-65")]
    MlDsa65,
    #[value(name = "ml-dsa-87")]
    MlDsa87,
}

/// The names of [`PreHash::ALL`].
const HASHES: [&str; PreHash::ALL.len()] = [
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512-224",
    "sha512-256",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake128",
    "shake256",
];

fn hashes() -> impl TypedValueParser<Value = PreHash> {
    let named = |name: String| HASHES.iter().position(|known| *known == name).expect("a name of one");
    PossibleValuesParser::new(HASHES).map(move |name| PreHash::ALL[named(name)])
}

impl Signature {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Keygen(step) => step.run(screen),
            Self::Sign(step) => step.run(screen),
            Self::Verify(step) => step.run(screen),
        }
    }
}

impl Keygen {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.secret, Access::Secret), (&self.public, Access::Text)], self.force)?;
        let (set, (secret, public)) = match self.set {
            Set::MlDsa44 => (MlDsa44::PARAMETERS, pair::<MlDsa44>()),
            Set::MlDsa65 => (MlDsa65::PARAMETERS, pair::<MlDsa65>()),
            Set::MlDsa87 => (MlDsa87::PARAMETERS, pair::<MlDsa87>()),
        };
        let parts =
            [(&*self.secret, secret.as_bytes(), Access::Secret), (&*self.public, public.as_bytes(), Access::Text)];
        files::write_all(&parts, self.force)?;
        let files = [("secret", &*self.secret), ("public", &*self.public)];
        screen.written(json!({ "set": set.name }), &files, "")
    }
}

impl Message {
    /// Refuses what no signature has, before anything is read.
    fn check(&self) -> Result<(), Fault> {
        match self.context.len() {
            0..=MAX_CONTEXT => Ok(()),
            length => Err(Fault::Usage(Error::Context { length }.to_string())),
        }
    }

    /// µ of the message.
    fn representative(&self, key: &dyn Public) -> Result<Mu, Fault> {
        let context = self.context.as_bytes();
        let unsigned = |e: Error| Fault::Usage(e.to_string());
        if let Some(hash) = self.prehash {
            let mut hasher = hash.hasher();
            each_piece(&self.message, |piece| hasher.update(piece))?;
            return key.mu_prehashed(&hasher.finish(), context).map_err(unsigned);
        }
        let mut mu = key.mu(context).map_err(unsigned)?;
        each_piece(&self.message, |piece| mu.update(piece))?;
        Ok(mu.finish())
    }
}

/// Reads a file piece by piece.
fn each_piece(path: &Path, mut take: impl FnMut(&[u8])) -> Result<(), Fault> {
    let mut source = files::open(path)?;
    let mut piece = Zeroizing::new(vec![0; 1 << 16]);
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => take(&piece[..count]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(files::unreadable(path, &e)),
        }
    }
}

impl Sign {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        self.message.check()?;
        files::check_outputs(&[(&self.out, Access::Binary)], self.force)?;
        let inputs = [&self.key, &self.message.message];
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.out], &inputs)?;
        let secret = read_secret(&self.key)?;
        let public = secret.public();
        let set = public.set();
        if let Some(hash) = self.message.prehash.filter(|hash| 4 * hash.bytes() < set.lambda) {
            let strength = 4 * hash.bytes();
            return Err(Fault::Usage(format!(
                "{} needs a hash function of {} bits of collision strength, and this one has {strength}",
                set.name, set.lambda
            )));
        }
        let mu = self.message.representative(&*public)?;
        let signature = secret.sign(&mu, self.deterministic);
        // A fault in the machine could give the key away with the signature.
        public.verify(&mu, &signature).map_err(|_| Fault::Internal("the signature does not verify".into()))?;
        files::write(&self.out, &signature, Access::Binary, self.force)?;
        screen.written(json!({ "set": set.name }), &[("signature", &self.out)], "")
    }
}

impl Verify {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        self.message.check()?;
        files::at_most_one_dash(&[&self.key, &self.message.message, &self.signature])?;
        let public = read_public(&self.key)?;
        let set = public.set();
        let signature = files::read(&self.signature, 1 << 16)?;
        if signature.len() != set.signature_bytes() {
            return Err(files::refused(
                &self.signature,
                &wrong_length(signature.len(), set.name, set.signature_bytes()),
            ));
        }
        let mu = self.message.representative(&*public)?;
        public.verify(&mu, &signature).map_err(|e| {
            let why = match e {
                Error::Decode(e) => format!("this is no signature: {e}"),
                e => e.to_string(),
            };
            Fault::Negative(format!("{}: {why}", files::name(&self.signature)))
        })?;
        let value = json!({ "holds": true, "set": set.name, "context": self.message.context });
        screen
            .answer(value, || format!("holds: a signature of {} by {}\n", files::name(&self.message.message), set.name))
    }
}

/// Why bytes of that number are no signature of the set.
fn wrong_length(length: usize, set: &str, expected: usize) -> String {
    let sets = [MlDsa44::PARAMETERS, MlDsa65::PARAMETERS, MlDsa87::PARAMETERS];
    let other = sets.iter().find(|set| set.signature_bytes() == length);
    let of = other.map_or_else(String::new, |other| format!(", like those of {}", other.name));
    format!("a signature of {set} has {expected} bytes, and this has {length}{of}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_functions_have_the_names_of_their_variants() {
        let names = PreHash::ALL.map(|hash| format!("{hash:?}").to_lowercase().replace('_', "-"));
        assert_eq!(names, HASHES);
    }
}
