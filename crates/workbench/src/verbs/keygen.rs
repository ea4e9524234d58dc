//! `keygen`: keys for encryption, or a key of commitments.

use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    objects::{self, hex, what_it_is},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    ct::sys_rng,
    object::{Description, Kind, Purpose},
    registry,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Keygen {
    /// Scheme and parameters; a set for commitments makes the key of those
    #[arg(long, value_name = "NAME", default_value = default(), value_parser = scheme)]
    scheme: &'static Description,
    /// Where to put the public key, or - for standard output
    #[arg(long, value_name = "FILE")]
    public: PathBuf,
    /// Where to put the secret key; commitments have none
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
    /// Seed of a key of commitments, 64 hexadecimal digits; random, if left out
    #[arg(long, value_name = "HEX", value_parser = objects::seed)]
    seed: Option<[u8; 32]>,
    /// Replaces files that exist
    #[arg(long)]
    force: bool,
}

impl Keygen {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let name = self.scheme.name;
        match (self.scheme.purpose, &self.secret, self.seed) {
            (Purpose::Encapsulation, Some(path), None) => self.pair(path, screen),
            (Purpose::Encapsulation, None, _) => Err(usage(format!("{name} has a secret key: say where, by --secret"))),
            (Purpose::Encapsulation, _, Some(_)) => Err(usage("--seed is for keys of commitments".into())),
            (_, None, seed) => self.commitment_key(seed, screen),
            (_, Some(_), _) => Err(usage(format!("{name} is for commitments, and their key has no secret"))),
        }
    }

    fn pair(&self, path: &Path, screen: &Screen) -> Result<(), Fault> {
        files::check_outputs(&[(path, Access::Secret), (&self.public, Access::Binary)], self.force)?;
        let scheme = registry::encapsulation(self.scheme.name).expect("it is for encapsulation");
        let (secret_key, public) = scheme.keygen(&mut sys_rng());
        let secret_key = Zeroizing::new(self.scheme.encode(Kind::SecretKey, &secret_key));
        let public = self.scheme.encode(Kind::PublicKey, &public);
        let parts = [(path, &**secret_key, Access::Secret), (&*self.public, &*public, Access::Binary)];
        files::write_all(&parts, self.force)?;
        let what = what_it_is(&*scheme);
        screen.note(&what);
        let value = json!({ "scheme": self.scheme.name, "fingerprint": fingerprint(&public), "note": what });
        let warning = scheme.research_reason().map_or_else(String::new, |reason| format!("warning: {reason}\n"));
        screen.written(value, &[("secret", path), ("public", &self.public)], &warning)
    }

    fn commitment_key(&self, seed: Option<[u8; 32]>, screen: &Screen) -> Result<(), Fault> {
        let seed = seed.unwrap_or_else(|| registry::fresh_seed(&mut sys_rng()));
        files::check_outputs(&[(&self.public, Access::Binary)], self.force)?;
        let key = self.scheme.encode(Kind::CommitmentKey, &seed);
        files::write(&self.public, &key, Access::Binary, self.force)?;
        let value = json!({ "scheme": self.scheme.name, "fingerprint": fingerprint(&key), "seed": hex(&seed) });
        screen.written(value, &[("public", &self.public)], "")
    }
}

/// Of an object that was just encoded.
pub(super) fn fingerprint(object: &[u8]) -> String {
    hex(&registry::decode(object).expect("it was just encoded").header.digest)
}

fn default() -> &'static str {
    registry::all(Purpose::Encapsulation).next().expect("there is one").name
}

fn scheme(name: &str) -> Result<&'static Description, String> {
    let with_keys = || registry::KNOWN.iter().filter(|d| d.purpose != Purpose::Exchange);
    let names = || with_keys().map(|d| d.name).collect::<Vec<_>>().join(", ");
    with_keys().find(|d| d.name == name).ok_or_else(|| format!("the schemes are {}", names()))
}

const fn usage(why: String) -> Fault {
    Fault::Usage(why)
}
