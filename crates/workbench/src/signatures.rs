//! Signatures by ML-DSA keys of PEM files, of whichever set a file names: PKCS #8 and SubjectPublicKeyInfo.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files,
    pem_keys::{self, Half},
};
use pkcs8::{LineEnding, PrivateKeyInfoRef, SecretDocument, spki::SubjectPublicKeyInfoRef};
use ringwork::{
    ct::sys_rng,
    schemes::mldsa::{
        Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, MuBuilder, Parameters, PreHash,
        Prehashed, SigningKey, VerifyingKey,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
};
use std::{
    io::{ErrorKind, Read},
    path::Path,
};
use zeroize::Zeroizing;

/// A secret key of some set.
pub(crate) trait Secret {
    fn public(&self) -> Box<dyn Public>;
    fn sign(&self, mu: &Mu, deterministic: bool) -> Vec<u8>;
}

/// A public key of some set.
pub(crate) trait Public {
    fn set(&self) -> Parameters;
    fn mu(&self, context: &[u8]) -> Result<MuBuilder, Error>;
    fn mu_prehashed(&self, message: &Prehashed, context: &[u8]) -> Result<Mu, Error>;
    fn verify(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error>;
    fn bytes(&self) -> Vec<u8>;
    fn to_pem(&self) -> String;
}

const ENCODED: &str = "a key has an encoding";

/// Sets by the names of the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Set {
    #[value(name = "ml-dsa-44")]
    MlDsa44,
    #[value(name = "ml-dsa-65")]
    MlDsa65,
    #[value(name = "ml-dsa-87")]
    MlDsa87,
}

/// A fresh private key, the seed, and its public key.
pub(crate) fn pair(set: Set) -> (SecretDocument, Box<dyn Public>) {
    fn of<P: MlDsaParams>() -> (SecretDocument, Box<dyn Public>) {
        let key = SigningKey::<P>::generate();
        (key.to_pkcs8_der().expect(ENCODED), Box::new(key.verifying_key()))
    }
    match set {
        Set::MlDsa44 => of::<MlDsa44>(),
        Set::MlDsa65 => of::<MlDsa65>(),
        Set::MlDsa87 => of::<MlDsa87>(),
    }
}

/// What signs a message of `set` with that key: hedged, unless it is to be deterministic.
pub(crate) fn sign(secret: &dyn Secret, public: &dyn Public, mu: &Mu, deterministic: bool) -> Result<Vec<u8>, Fault> {
    let signature = secret.sign(mu, deterministic);
    // A fault in the machine could give the key away with the signature.
    public.verify(mu, &signature).map_err(|_| Fault::Internal("the signature does not verify".into()))?;
    Ok(signature)
}

/// µ of a file.
pub(crate) fn mu(path: &Path, key: &dyn Public, context: &[u8]) -> Result<Mu, Fault> {
    let mut mu = key.mu(context).map_err(|e| Fault::Usage(e.to_string()))?;
    each_piece(path, |piece| mu.update(piece))?;
    Ok(mu.finish())
}

/// µ of a digest of a file.
pub(crate) fn mu_prehashed(path: &Path, key: &dyn Public, context: &[u8], hash: PreHash) -> Result<Mu, Fault> {
    let mut hasher = hash.hasher();
    each_piece(path, |piece| hasher.update(piece))?;
    key.mu_prehashed(&hasher.finish(), context).map_err(|e| Fault::Usage(e.to_string()))
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

impl<P: MlDsaParams> Secret for ExpandedSigningKey<P> {
    fn public(&self) -> Box<dyn Public> {
        Box::new(self.verifying_key())
    }

    fn sign(&self, mu: &Mu, deterministic: bool) -> Vec<u8> {
        let signature =
            if deterministic { self.sign_mu_deterministic(mu) } else { self.sign_mu_randomized(mu, &mut sys_rng()) };
        signature.as_bytes().to_vec()
    }
}

impl<P: MlDsaParams> Public for VerifyingKey<P> {
    fn set(&self) -> Parameters {
        P::PARAMETERS
    }

    fn mu(&self, context: &[u8]) -> Result<MuBuilder, Error> {
        self.mu_builder(context)
    }

    fn mu_prehashed(&self, message: &Prehashed, context: &[u8]) -> Result<Mu, Error> {
        self.mu_prehashed(message, context)
    }

    fn verify(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        self.verify_mu_bytes(mu, signature)
    }

    fn bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    fn to_pem(&self) -> String {
        self.to_public_key_pem(LineEnding::LF).expect(ENCODED)
    }
}

/// Calls a function for the set of an algorithm's identifier.
macro_rules! of_algorithm {
    ($path:expr, $oid:expr, $function:ident, $info:expr) => {
        match $oid {
            MlDsa44::OID => $function::<MlDsa44>($path, $info),
            MlDsa65::OID => $function::<MlDsa65>($path, $info),
            MlDsa87::OID => $function::<MlDsa87>($path, $info),
            other => {
                let purpose = "signatures are made and verified with keys of ML-DSA";
                Err(pem_keys::other_algorithm($path, other, purpose))
            }
        }
    };
}

/// The secret key of a PEM file: a seed, an expanded key or both.
pub(crate) fn read_secret(path: &Path, passphrase: &PassphraseArgs) -> Result<Box<dyn Secret>, Fault> {
    secret_of(path, &pem_keys::read(path, Half::Private, "signing", passphrase)?)
}

/// The same, of what such a file holds.
pub(crate) fn secret_of(path: &Path, document: &SecretDocument) -> Result<Box<dyn Secret>, Fault> {
    fn of_set<P: MlDsaParams>(path: &Path, info: PrivateKeyInfoRef<'_>) -> Result<Box<dyn Secret>, Fault> {
        let key = ExpandedSigningKey::<P>::try_from(info).map_err(|_| {
            let name = P::PARAMETERS.name;
            let why = format!(
                "this is no seed or expanded key of {name}, or has both of two different keys, or the public key of another"
            );
            files::refused(path, &why)
        })?;
        Ok(Box::new(key))
    }
    let info = pem_keys::private_info(path, document)?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}

/// The public key of a PEM file.
pub(crate) fn read_public(path: &Path) -> Result<Box<dyn Public>, Fault> {
    public_of(path, &pem_keys::read(path, Half::Public, "verifying", &PassphraseArgs::NONE)?)
}

/// The same, of what such a file holds.
pub(crate) fn public_of(path: &Path, document: &SecretDocument) -> Result<Box<dyn Public>, Fault> {
    fn of_set<P: MlDsaParams>(path: &Path, info: SubjectPublicKeyInfoRef<'_>) -> Result<Box<dyn Public>, Fault> {
        let key = VerifyingKey::<P>::try_from(info)
            .map_err(|_| files::refused(path, &format_args!("this is no public key of {}", P::PARAMETERS.name)))?;
        Ok(Box::new(key))
    }
    let info = pem_keys::public_info(path, document)?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}
