//! `signature keygen|trust|sign|verify`: keys of ML-DSA, and signatures of files that are bytes alone.
//!
//! Keys are PEM, and signatures bytes, as other programs have them. Messages are read piece by
//! piece, so that they may have any length.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files::{self, Kind as Access},
    pem_keys::PairArgs,
    screen::Screen,
    signatures::{self, Public, Set, pair, read_public, read_secret},
    signed_files::{Home, check_name, fingerprint},
};
use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use ringwork::schemes::mldsa::{Error, MAX_CONTEXT, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, PreHash};
use schemars::JsonSchema;
use serde::Serialize;
use std::{borrow::Cow, path::PathBuf};

/// What to do with signatures.
#[derive(Subcommand, Debug)]
pub(crate) enum Signature {
    /// Makes a pair of keys
    Keygen(Keygen),
    /// Lets `ringwork verify` take signatures by a public key
    Trust(Trust),
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
    /// Where to put the private key: PEM, PKCS #8, the seed; if left out, where `ringwork sign` looks for it
    #[arg(long, value_name = "FILE", requires = "public")]
    secret: Option<PathBuf>,
    /// Where to put the public key: PEM, SubjectPublicKeyInfo; or - for standard output
    #[arg(long, value_name = "FILE", requires = "secret")]
    public: Option<PathBuf>,
    #[command(flatten)]
    how: PairArgs,
}

/// Arguments of `trust`.
#[derive(Args, Debug)]
pub(crate) struct Trust {
    /// Whose key it is, as `ringwork verify` will say
    name: String,
    /// The public key in PEM, or - for standard input
    key: PathBuf,
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
    passphrase: PassphraseArgs,
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

/// A pair of keys.
#[derive(Serialize, JsonSchema)]
pub(super) struct Pair<'a> {
    /// The parameter set.
    set: &'a str,
    /// SHA3-256 of the public key's bytes.
    fingerprint: String,
    /// The file of the private key.
    secret: Cow<'a, str>,
    /// The file of the public key.
    public: Cow<'a, str>,
}

/// A key that is trusted from now on.
#[derive(Serialize, JsonSchema)]
pub(super) struct TrustedKey<'a> {
    /// Whose key it is.
    name: &'a str,
    /// Its parameter set.
    set: &'a str,
    /// Its fingerprint.
    fingerprint: &'a str,
    /// The file to which it was added.
    trusted: String,
}

/// A signature that was made.
#[derive(Serialize, JsonSchema)]
pub(super) struct Signed<'a> {
    /// The key's parameter set.
    set: &'a str,
    /// The file of the signature.
    signature: Cow<'a, str>,
}

/// A signature that holds.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified<'a> {
    /// True.
    holds: bool,
    /// The key's parameter set.
    set: &'a str,
    /// The context.
    context: &'a str,
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
            Self::Trust(step) => step.run(screen),
            Self::Sign(step) => step.run(screen),
            Self::Verify(step) => step.run(screen),
        }
    }
}

impl Keygen {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let (secret, public) = match (&self.secret, &self.public) {
            (Some(secret), Some(public)) => (secret.clone(), public.clone()),
            _ => {
                let home = Home::of_user()?;
                home.make()?;
                (home.secret, home.public)
            }
        };
        let key = self.how.write([&secret, &public], || {
            let (secret, public) = pair(self.set);
            (secret, public.to_pem(), public)
        })?;
        let (set, fingerprint) = (key.set().name, fingerprint(&*key));
        let (secret, public) = (secret.to_string_lossy(), public.to_string_lossy());
        screen.written(Pair { set, fingerprint, secret, public }, &["secret", "public"], "")
    }
}

impl Trust {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        check_name(&self.name).map_err(|why| Fault::Usage(format!("the name {why}")))?;
        let key = read_public(&self.key)?;
        let (home, set, print) = (Home::of_user()?, key.set().name, fingerprint(&*key));
        home.trust(&self.name, &*key)?;
        let path = files::name(&home.trusted);
        let answer = TrustedKey { name: &self.name, set, fingerprint: &print, trusted: path.to_string() };
        screen.answer(answer, || format!("{path}: {}'s key of {set} {print}\n", self.name))
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

    fn mu(&self, key: &dyn Public) -> Result<Mu, Fault> {
        let context = self.context.as_bytes();
        match self.prehash {
            Some(hash) => signatures::mu_prehashed(&self.message, key, context, hash),
            None => signatures::mu(&self.message, key, context),
        }
    }
}

impl Sign {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        self.message.check()?;
        files::check_outputs(&[(&self.out, Access::Binary)], self.force)?;
        let inputs: Vec<_> =
            [&self.key, &self.message.message].into_iter().chain(&self.passphrase.passphrase_file).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.out], &inputs)?;
        let secret = read_secret(&self.key, &self.passphrase)?;
        let public = secret.public();
        let set = public.set();
        if let Some(hash) = self.message.prehash.filter(|hash| 4 * hash.bytes() < set.lambda) {
            let strength = 4 * hash.bytes();
            return Err(Fault::Usage(format!(
                "{} needs a hash function of {} bits of collision strength, and this one has {strength}",
                set.name, set.lambda
            )));
        }
        let mu = self.message.mu(&*public)?;
        let signature = signatures::sign(&*secret, &*public, &mu, self.deterministic)?;
        files::write(&self.out, &signature, Access::Binary, self.force)?;
        screen.written(Signed { set: set.name, signature: self.out.to_string_lossy() }, &["signature"], "")
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
        let mu = self.message.mu(&*public)?;
        public.verify(&mu, &signature).map_err(|e| {
            let why = match e {
                Error::Decode(e) => format!("this is no signature: {e}"),
                e => e.to_string(),
            };
            Fault::Negative(format!("{}: {why}", files::name(&self.signature)))
        })?;
        let answer = Verified { holds: true, set: set.name, context: &self.message.context };
        screen.answer(answer, || {
            format!("holds: a signature of {} by {}\n", files::name(&self.message.message), set.name)
        })
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
