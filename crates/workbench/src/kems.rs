//! Keys of ML-KEM and X-Wing in PEM files, of whichever set a file names.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files,
    pem_keys::{self, Half, X_WING},
};
use pkcs8::{LineEnding, PrivateKeyInfoRef, SecretDocument, spki::SubjectPublicKeyInfoRef};
use ringwork::{
    ct::{SecretBytes, sys_rng},
    decode::DecodeError,
    schemes::mlkem::{
        self, Generate, MlKem512, MlKem768, MlKem1024, ParameterSet,
        pkcs8::{EncodePrivateKey, EncodePublicKey},
    },
    xwing,
};
use std::path::Path;

/// The shared key of both sides.
pub(crate) type Shared = SecretBytes<32>;

/// A private key of some set.
pub(crate) trait Secret {
    fn name(&self) -> &'static str;
    fn public(&self) -> Box<dyn Public>;
    /// **Errors** if the ciphertext has another length.
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Shared, DecodeError>;
}

/// A public key of some set.
pub(crate) trait Public {
    fn name(&self) -> &'static str;
    fn bytes(&self) -> Vec<u8>;
    fn ciphertext_bytes(&self) -> usize;
    /// A ciphertext, and the shared key that it carries.
    fn encapsulate(&self) -> (Vec<u8>, Shared);
    fn to_pem(&self) -> String;
}

const ENCODED: &str = "a key has an encoding";

impl<P: ParameterSet> Secret for mlkem::DecapsulationKey<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn public(&self) -> Box<dyn Public> {
        Box::new(self.encapsulation_key().clone())
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Shared, DecodeError> {
        self.decapsulate_bytes(ciphertext)
    }
}

impl<P: ParameterSet> Public for mlkem::EncapsulationKey<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    fn ciphertext_bytes(&self) -> usize {
        P::CIPHERTEXT_BYTES
    }

    fn encapsulate(&self) -> (Vec<u8>, Shared) {
        let (ciphertext, shared) = self.encapsulate_derand(&SecretBytes::random(&mut sys_rng()));
        (ciphertext.to_vec(), shared)
    }

    fn to_pem(&self) -> String {
        self.to_public_key_pem(LineEnding::LF).expect(ENCODED)
    }
}

impl Secret for xwing::DecapsulationKey {
    fn name(&self) -> &'static str {
        X_WING
    }

    fn public(&self) -> Box<dyn Public> {
        Box::new(self.encapsulation_key().clone())
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Shared, DecodeError> {
        self.decapsulate_bytes(ciphertext)
    }
}

impl Public for xwing::EncapsulationKey {
    fn name(&self) -> &'static str {
        X_WING
    }

    fn bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    fn ciphertext_bytes(&self) -> usize {
        xwing::CIPHERTEXT_BYTES
    }

    fn encapsulate(&self) -> (Vec<u8>, Shared) {
        let (ciphertext, shared) = self.encapsulate_derand(&SecretBytes::random(&mut sys_rng()));
        (ciphertext.to_vec(), shared)
    }

    fn to_pem(&self) -> String {
        self.to_public_key_pem(LineEnding::LF).expect(ENCODED)
    }
}

/// Sets by the names of the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Set {
    #[value(name = "ml-kem-512")]
    MlKem512,
    #[value(name = "ml-kem-768")]
    MlKem768,
    #[value(name = "ml-kem-1024")]
    MlKem1024,
    #[value(name = "x-wing")]
    XWing,
}

/// A fresh private key, the seed, and its public key.
pub(crate) fn pair(set: Set) -> (SecretDocument, Box<dyn Public>) {
    fn of<K: Secret + Generate + EncodePrivateKey>() -> (SecretDocument, Box<dyn Public>) {
        let key = K::generate();
        (key.to_pkcs8_der().expect(ENCODED), key.public())
    }
    match set {
        Set::MlKem512 => of::<mlkem::DecapsulationKey<MlKem512>>(),
        Set::MlKem768 => of::<mlkem::DecapsulationKey<MlKem768>>(),
        Set::MlKem1024 => of::<mlkem::DecapsulationKey<MlKem1024>>(),
        Set::XWing => of::<xwing::DecapsulationKey>(),
    }
}

/// Calls a function for the key of an algorithm's identifier.
macro_rules! of_algorithm {
    ($path:expr, $key:ident, $info:expr) => {{
        let info = $info;
        match info.algorithm.oid {
            MlKem512::OID => of_set::<mlkem::$key<MlKem512>>($path, info),
            MlKem768::OID => of_set::<mlkem::$key<MlKem768>>($path, info),
            MlKem1024::OID => of_set::<mlkem::$key<MlKem1024>>($path, info),
            xwing::pkcs8::OID => of_set::<xwing::$key>($path, info),
            other => {
                let purpose = "shared keys are encapsulated with keys of ML-KEM and X-Wing";
                Err(pem_keys::other_algorithm($path, other, purpose))
            }
        }
    }};
}

/// The private key of a PEM file: a seed, an expanded key or both.
pub(crate) fn read_secret(path: &Path, passphrase: &PassphraseArgs) -> Result<Box<dyn Secret>, Fault> {
    secret_of(path, &pem_keys::read(path, Half::Private, "decapsulation", passphrase)?)
}

/// The same, of what such a file holds.
pub(crate) fn secret_of(path: &Path, document: &SecretDocument) -> Result<Box<dyn Secret>, Fault> {
    fn of_set<'a, K>(path: &Path, info: PrivateKeyInfoRef<'a>) -> Result<Box<dyn Secret>, Fault>
    where
        K: Secret + TryFrom<PrivateKeyInfoRef<'a>> + 'static,
    {
        let name = pem_keys::name_of(info.algorithm.oid);
        let key = K::try_from(info).map_err(|_| {
            let forms = if name == X_WING { "seed" } else { "seed or expanded key" };
            let why = format!("this is no {forms} of {name}, or holds parts of two different keys");
            files::refused(path, &why)
        })?;
        Ok(Box::new(key))
    }
    of_algorithm!(path, DecapsulationKey, pem_keys::private_info(path, document)?)
}

/// The public key of a PEM file.
pub(crate) fn read_public(path: &Path) -> Result<Box<dyn Public>, Fault> {
    public_of(path, &pem_keys::read(path, Half::Public, "encapsulation", &PassphraseArgs::NONE)?)
}

/// The same, of what such a file holds.
pub(crate) fn public_of(path: &Path, document: &SecretDocument) -> Result<Box<dyn Public>, Fault> {
    fn of_set<'a, K>(path: &Path, info: SubjectPublicKeyInfoRef<'a>) -> Result<Box<dyn Public>, Fault>
    where
        K: Public + TryFrom<SubjectPublicKeyInfoRef<'a>> + 'static,
    {
        let name = pem_keys::name_of(info.algorithm.oid);
        let key =
            K::try_from(info).map_err(|_| files::refused(path, &format_args!("this is no public key of {name}")))?;
        Ok(Box::new(key))
    }
    of_algorithm!(path, EncapsulationKey, pem_keys::public_info(path, document)?)
}
