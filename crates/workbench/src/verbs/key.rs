//! `key inspect`: what files are. `key public`: the recipients of identities, and the public key of a private one.

pub(super) mod inspect;

use crate::{
    age_files::{self, Identity, PassphraseArgs},
    fault::Fault,
    files::{self, Kind as Access},
    kems,
    objects::what_it_is,
    pem_keys::{self, Half},
    screen::Screen,
    signatures,
};
use clap::{Args, Subcommand};
use inspect::Inspect;
use ringwork::registry;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// What to do with an object.
#[derive(Subcommand, Debug)]
pub(crate) enum Key {
    /// Prints kind, scheme, parameters, recipient or fingerprint, security and failure probability;
    /// never a secret
    Inspect(Inspect),
    /// Writes the recipients that belong to identities, or the public key that belongs to a private one in PEM
    Public(Public),
}

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Public {
    /// The file of identities or of a private key, or - for standard input
    identities: PathBuf,
    /// Where to put the recipients, one a line, or the public key, or - for standard output
    #[arg(short, long, alias = "output", value_name = "FILE", default_value = "-")]
    out: PathBuf,
    #[command(flatten)]
    how: PassphraseArgs,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

/// Public keys.
#[derive(Serialize, JsonSchema)]
pub(super) struct PublicKeys<'a> {
    /// The scheme of each identity of the file, or of the key in PEM.
    schemes: Vec<&'a str>,
    /// The recipient of each identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    recipients: Option<Vec<String>>,
    /// The file to which they were written.
    public: Cow<'a, str>,
}

impl Key {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Inspect(step) => step.run(screen),
            Self::Public(step) => step.run(screen),
        }
    }
}

impl Public {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Text)], self.force)?;
        let inputs: Vec<_> = [&self.identities].into_iter().chain(&self.how.passphrase_file).collect();
        files::at_most_one_dash(&inputs)?;
        files::apart(&[&self.out], &inputs)?;
        let bytes = age_files::read_keys(&self.identities)?;
        if let Some(half) = pem_keys::half_in(&bytes) {
            return self.pem(&bytes, half, screen);
        }
        let identities = age_files::identities_in(&self.identities, bytes, &self.how)?;
        let texts = identities.iter().map(|identity| {
            identity.to_public().to_text().ok_or_else(|| {
                let why = format!(
                    "there is an identity of a plugin in it, whose recipient the plugin alone knows; {} --help may say \
                     how it tells, and `ringwork encrypt -i` encrypts to it",
                    identity.scheme()
                );
                files::refused(&self.identities, &why)
            })
        });
        let recipients = texts.collect::<Result<Vec<String>, _>>()?;
        files::write(&self.out, (recipients.join("\n") + "\n").as_bytes(), Access::Text, self.force)?;
        let schemes: Vec<&str> = identities.iter().map(Identity::scheme).collect();
        schemes.iter().filter_map(|scheme| registry::encapsulation(scheme)).for_each(|s| screen.note(&what_it_is(&*s)));
        let answer = PublicKeys { schemes, recipients: Some(recipients), public: self.out.to_string_lossy() };
        screen.written(answer, &["public"], "")
    }
}

impl Public {
    /// The public key of a private one in PEM.
    fn pem(&self, bytes: &[u8], half: Half, screen: &Screen) -> Result<(), Fault> {
        if half == Half::Public {
            return Err(files::refused(&self.identities, &"this is a public key already"));
        }
        let key = PemKey::of(&self.identities, bytes, half, &self.how)?;
        files::write(&self.out, key.pem.as_bytes(), Access::Text, self.force)?;
        let answer = PublicKeys { schemes: vec![key.name], recipients: None, public: self.out.to_string_lossy() };
        screen.written(answer, &["public"], "")
    }
}

/// What there is to say of a key in PEM, public or private.
struct PemKey {
    name: &'static str,
    /// The public key: its bytes, and its file.
    bytes: Vec<u8>,
    pem: String,
    /// Length of what it makes: of signatures, or of ciphertexts.
    makes: [Option<usize>; 2],
}

impl PemKey {
    fn of(path: &Path, bytes: &[u8], half: Half, passphrase: &PassphraseArgs) -> Result<Self, Fault> {
        let document = pem_keys::of_bytes(path, bytes, half, "this verb", passphrase)?;
        let oid = match half {
            Half::Private => pem_keys::private_info(path, &document)?.algorithm.oid,
            Half::Public => pem_keys::public_info(path, &document)?.algorithm.oid,
        };
        let Some(name) = pem_keys::known(oid) else {
            return Err(pem_keys::other_algorithm(path, oid, "keys of ML-KEM, X-Wing and ML-DSA are read"));
        };
        if name.starts_with("ML-DSA") {
            let key = match half {
                Half::Private => signatures::secret_of(path, &document)?.public(),
                Half::Public => signatures::public_of(path, &document)?,
            };
            let makes = [Some(key.set().signature_bytes()), None];
            return Ok(Self { name, bytes: key.bytes(), pem: key.to_pem(), makes });
        }
        let key = match half {
            Half::Private => kems::secret_of(path, &document)?.public(),
            Half::Public => kems::public_of(path, &document)?,
        };
        Ok(Self { name, bytes: key.bytes(), pem: key.to_pem(), makes: [None, Some(key.ciphertext_bytes())] })
    }
}
