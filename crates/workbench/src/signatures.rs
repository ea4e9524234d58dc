//! ML-DSA keys in PEM files, of whichever set a file names: PKCS #8 and SubjectPublicKeyInfo.

use crate::{fault::Fault, files};
use pkcs8::{ObjectIdentifier, PrivateKeyInfoRef, SecretDocument, spki::SubjectPublicKeyInfoRef};
use ringwork::{
    ct::sys_rng,
    pem::tidied,
    schemes::{
        mldsa::{
            Error, ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, MuBuilder, Parameters, Prehashed,
            VerifyingKey,
        },
        mlkem::{MlKem512, MlKem768, MlKem1024, ParameterSet},
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
}

/// Calls a function for the set of an algorithm's identifier.
macro_rules! of_algorithm {
    ($path:expr, $oid:expr, $function:ident, $info:expr) => {
        match $oid {
            MlDsa44::OID => $function::<MlDsa44>($path, $info),
            MlDsa65::OID => $function::<MlDsa65>($path, $info),
            MlDsa87::OID => $function::<MlDsa87>($path, $info),
            other => Err(files::refused($path, &of_another(other))),
        }
    };
}

/// The secret key of a PEM file: a seed, an expanded key or both.
pub(crate) fn read_secret(path: &Path) -> Result<Box<dyn Secret>, Fault> {
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
    let document = document(path, "PRIVATE KEY")?;
    let info = PrivateKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no private key: {e}")))?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}

/// The public key of a PEM file.
pub(crate) fn read_public(path: &Path) -> Result<Box<dyn Public>, Fault> {
    fn of_set<P: MlDsaParams>(path: &Path, info: SubjectPublicKeyInfoRef<'_>) -> Result<Box<dyn Public>, Fault> {
        let key = VerifyingKey::<P>::try_from(info)
            .map_err(|_| files::refused(path, &format_args!("this is no public key of {}", P::PARAMETERS.name)))?;
        Ok(Box::new(key))
    }
    let document = document(path, "PUBLIC KEY")?;
    let info = SubjectPublicKeyInfoRef::try_from(document.as_bytes())
        .map_err(|e| files::refused(path, &format_args!("this is no public key: {e}")))?;
    of_algorithm!(path, info.algorithm.oid, of_set, info)
}

/// What stands in a PEM file under that label.
fn document(path: &Path, label: &str) -> Result<SecretDocument, Fault> {
    const LIMIT: u64 = 1 << 16;
    let bytes = files::read(path, LIMIT)?;
    let no_pem = |why: &dyn std::fmt::Display| {
        files::refused(path, &format_args!("this is no key in PEM (\"-----BEGIN {label}-----\"): {why}"))
    };
    let text = files::utf8_or(path, &bytes, |_| no_pem(&"it is no text"))?;
    let tidy = tidied(text, label);
    if tidy.is_empty() {
        return Err(no_pem(&"it has no line of that kind"));
    }
    let (found, document) = SecretDocument::from_pem(tidy.trim_end()).map_err(|e| no_pem(&e))?;
    let why = match found {
        found if found == label => return Ok(document),
        "PUBLIC KEY" => "this is a public key, and signing needs the private one",
        "PRIVATE KEY" => "this is a private key, and verifying needs the public one",
        "ENCRYPTED PRIVATE KEY" => "this private key is encrypted, and such keys are not read",
        other => return Err(no_pem(&format_args!("it is a {other}"))),
    };
    Err(files::refused(path, &why))
}

/// Why a key of this algorithm signs nothing here.
fn of_another(oid: ObjectIdentifier) -> String {
    let known = [MlKem512::OID, MlKem768::OID, MlKem1024::OID];
    let names = [MlKem512::NAME, MlKem768::NAME, MlKem1024::NAME];
    let what = match known.iter().zip(names).find(|(known, _)| **known == oid) {
        Some((_, name)) => name.to_owned(),
        None => format!("the algorithm {oid}"),
    };
    format!("this is a key of {what}; signatures are made and verified with keys of ML-DSA")
}
