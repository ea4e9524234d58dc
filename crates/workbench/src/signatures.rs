//! ML-DSA keys in PEM files, of whichever set a file names: PKCS #8 and SubjectPublicKeyInfo.

use crate::{
    fault::Fault,
    files,
    pem_keys::{self, Half, PrivatePem},
};
use pkcs8::{LineEnding, PrivateKeyInfoRef, SecretDocument, spki::SubjectPublicKeyInfoRef};
use ringwork::{
    ct::sys_rng,
    schemes::mldsa::{
        Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, MuBuilder, Parameters, Prehashed,
        SigningKey, VerifyingKey,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
};
use std::path::Path;

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

/// A fresh pair of keys in PEM.
pub(crate) fn pair<P: MlDsaParams>() -> (PrivatePem, String) {
    let key = SigningKey::<P>::generate();
    (key.to_pkcs8_pem(LineEnding::LF).expect(ENCODED), key.verifying_key().to_pem())
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
            other => Err(files::refused(
                $path,
                &format_args!(
                    "this is a key of {}; signatures are made and verified with keys of ML-DSA",
                    pem_keys::name_of(other)
                ),
            )),
        }
    };
}

/// The secret key of a PEM file: a seed, an expanded key or both.
pub(crate) fn read_secret(path: &Path) -> Result<Box<dyn Secret>, Fault> {
    secret_of(path, &pem_keys::read(path, Half::Private, "signing")?)
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
    let info = PrivateKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no private key: {e}")))?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}

/// The public key of a PEM file.
pub(crate) fn read_public(path: &Path) -> Result<Box<dyn Public>, Fault> {
    public_of(path, &pem_keys::read(path, Half::Public, "verifying")?)
}

/// The same, of what such a file holds.
pub(crate) fn public_of(path: &Path, document: &SecretDocument) -> Result<Box<dyn Public>, Fault> {
    fn of_set<P: MlDsaParams>(path: &Path, info: SubjectPublicKeyInfoRef<'_>) -> Result<Box<dyn Public>, Fault> {
        let key = VerifyingKey::<P>::try_from(info)
            .map_err(|_| files::refused(path, &format_args!("this is no public key of {}", P::PARAMETERS.name)))?;
        Ok(Box::new(key))
    }
    let info = SubjectPublicKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no public key: {e}")))?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}
