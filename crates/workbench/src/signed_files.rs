//! What `sign` writes beside a file, and whose signatures `verify` trusts.
//!
//! A signature is text: a comment, the fingerprint of the signer's key, and in PEM the bytes that ML-DSA (FIPS 204,
//! Algorithm 2) makes of the file and the context `ringwork sign: ` with the comment behind it. The comment is signed
//! so, and whoever has the standard verifies it. The fingerprint only says which key to take.

use crate::{
    age_files::PassphraseArgs,
    fault::Fault,
    files, folders,
    objects::hex,
    pem_keys::{self, Half},
    signatures::{self, Public},
};
use pkcs8::{LineEnding, der::pem};
use ringwork::{pem::tidied, schemes::mldsa::MAX_CONTEXT, xof::sha3_256};
use std::{
    fs::File,
    path::{Path, PathBuf},
};

const LABEL: &str = "RINGWORK SIGNATURE";
/// Begins the context: what is signed for other purposes is no signature of a file.
const PURPOSE: &str = "ringwork sign: ";
/// Bytes of a comment at most.
pub(crate) const COMMENT_AT_MOST: usize = MAX_CONTEXT - PURPOSE.len();
const COMMENT: &str = "comment: ";
const SIGNER: &str = "signer: ";
const NAME: &str = "name: ";
/// The name of the own key.
const THIS_USER: &str = "this user";
/// Bytes of a signature's file at most.
const LIMIT: u64 = 1 << 16;
/// Bytes of a file of trusted keys at most.
const TRUSTED_LIMIT: u64 = 1 << 24;

/// What `sign` writes.
pub(crate) struct Signed {
    pub(crate) comment: String,
    /// The fingerprint of the key, which nobody has verified.
    pub(crate) signer: String,
    pub(crate) bytes: Vec<u8>,
}

impl Signed {
    /// What is signed beside the file.
    pub(crate) fn context(comment: &str) -> Vec<u8> {
        [PURPOSE, comment].concat().into_bytes()
    }

    pub(crate) fn to_text(&self) -> String {
        let bytes = pem::encode_string(LABEL, LineEnding::LF, &self.bytes).expect("a signature is short");
        format!("{COMMENT}{}\n{SIGNER}{}\n{bytes}", self.comment, self.signer)
    }

    pub(crate) fn read(path: &Path) -> Result<Self, Fault> {
        Self::of_bytes(path, &files::read(path, LIMIT)?)
    }

    /// The same, of what was read from it.
    pub(crate) fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, Fault> {
        const OTHER: &str = "`ringwork signature verify` takes signatures that are bytes alone";
        let no = |why: &dyn std::fmt::Display| {
            files::refused(path, &format_args!("this is no signature as `ringwork sign` writes it: {why}"))
        };
        let text = files::utf8_or(path, bytes, |_| no(&format_args!("it is no text; {OTHER}")))?;
        if !Self::is_in(bytes) {
            return Err(no(&format_args!("it has no line \"-----BEGIN {LABEL}-----\"; {OTHER}")));
        }
        let mut head = text.lines().take_while(|line| !line.trim_start().starts_with("-----BEGIN "));
        let (Some(comment), Some(signer), None) = (head.next(), head.next(), head.next()) else {
            return Err(no(&"two lines stand before it, the comment and the signer"));
        };
        let (Some(comment), Some(signer)) = (comment.strip_prefix(COMMENT), signer.strip_prefix(SIGNER)) else {
            return Err(no(&format_args!("its lines begin with {COMMENT:?} and {SIGNER:?}")));
        };
        check_line(comment, COMMENT_AT_MOST).map_err(|why| no(&format_args!("the comment {why}")))?;
        if signer.len() != 64 || !signer.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
            return Err(no(&"the signer is a fingerprint of 64 hexadecimal digits"));
        }
        let mut rest = text.lines().skip_while(|line| !line.trim().starts_with("-----END ")).skip(1);
        if rest.any(|line| !line.trim().is_empty()) {
            return Err(no(&"something stands behind its end"));
        }
        let (_, bytes) = pem::decode_vec(tidied(text, LABEL).as_bytes()).map_err(|e| no(&e))?;
        Ok(Self { comment: comment.to_owned(), signer: signer.to_owned(), bytes })
    }

    /// Whether that is text with a signature in it.
    pub(crate) fn is_in(bytes: &[u8]) -> bool {
        pem_keys::has_block(bytes, LABEL)
    }
}

/// Whether that can stand in a line, and be shown as it is.
pub(crate) fn check_line(text: &str, bytes_at_most: usize) -> Result<(), String> {
    if text.is_empty() {
        return Err("is empty".into());
    }
    if text.len() > bytes_at_most {
        return Err(format!("has {} bytes, and {bytes_at_most} at most", text.len()));
    }
    if !files::is_shown(text) {
        return Err("has control characters".into());
    }
    if text.trim() != text {
        return Err("begins or ends with a blank".into());
    }
    Ok(())
}

/// What a key is told by: SHA3-256 of its bytes.
pub(crate) fn fingerprint(key: &dyn Public) -> String {
    hex(&sha3_256(&key.bytes()))
}

/// A key whose signatures count.
pub(crate) struct Trusted {
    pub(crate) name: String,
    pub(crate) key: Box<dyn Public>,
}

/// The files of this user.
pub(crate) struct Home {
    pub(crate) secret: PathBuf,
    pub(crate) public: PathBuf,
    /// Keys in PEM, each behind a line with its name.
    pub(crate) trusted: PathBuf,
}

impl Home {
    pub(crate) fn of_user() -> Result<Self, Fault> {
        let folder = folders::settings().ok_or_else(|| {
            Fault::Usage("no folder of this user's settings is known: name files, as --help has them".into())
        })?;
        let [secret, public, trusted] =
            ["signing-key.pem", "signing-key.pub.pem", "trusted-keys.pem"].map(|name| folder.join(name));
        Ok(Self { secret, public, trusted })
    }

    /// Makes the folder, for its owner alone.
    pub(crate) fn make(&self) -> Result<(), Fault> {
        let folder = self.secret.parent().expect("files are in a folder");
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|e| Fault::unwritten(files::name(folder), &e))
    }

    /// Keys that this user trusts: the own one, and those of the file.
    pub(crate) fn trusted(&self) -> Result<Vec<Trusted>, Fault> {
        let mut found = Vec::new();
        if is_there(&self.public)? {
            found.push(Trusted { name: THIS_USER.into(), key: signatures::read_public(&self.public)? });
        }
        if is_there(&self.trusted)? {
            found.extend(trusted_in(&self.trusted, &trusted_text(&self.trusted)?)?);
        }
        if found.is_empty() {
            let path = files::name(&self.trusted);
            return Err(Fault::Input(format!(
                "no key is trusted yet ({path}): `ringwork signature trust NAME KEY` adds one, and --key names one"
            )));
        }
        Ok(found)
    }

    /// Adds a key to the file, behind what stands there; one process after the other.
    pub(crate) fn trust(&self, name: &str, key: &dyn Public) -> Result<(), Fault> {
        self.make()?;
        let _lock = lock(&self.trusted.with_extension("lock"))?;
        let mut text = String::new();
        if is_there(&self.trusted)? {
            text = trusted_text(&self.trusted)?;
            let known = trusted_in(&self.trusted, &text)?;
            if let Some(known) = known.iter().find(|known| known.key.bytes() == key.bytes()) {
                return Err(Fault::Input(format!("this key is trusted already, as {}", known.name)));
            }
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        }
        text += &format!("{NAME}{name}\n{}", key.to_pem());
        files::write(&self.trusted, text.as_bytes(), files::Kind::Text, true)
    }
}

/// Waits until no other process has this file, which stays, open like this; as long as what it gives is kept.
fn lock(path: &Path) -> Result<File, Fault> {
    let opened = File::options().create(true).truncate(false).write(true).open(path);
    let locked = opened.and_then(|file| file.lock().map(|()| file));
    locked.map_err(|e| Fault::unwritten(files::name(path), &e))
}

/// Whether there is such a file. **Errors** if that cannot be seen.
pub(crate) fn is_there(path: &Path) -> Result<bool, Fault> {
    path.try_exists().map_err(|e| files::unreadable(path, &e))
}

/// Checks what somebody is called.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    match name {
        "" => Err("is empty".into()),
        THIS_USER => Err("is what whoever verifies is called".into()),
        name => check_line(name, COMMENT_AT_MOST),
    }
}

fn trusted_text(path: &Path) -> Result<String, Fault> {
    let bytes = files::read(path, TRUSTED_LIMIT)?;
    Ok(files::utf8(path, &bytes)?.to_owned())
}

/// Keys of such a text, each behind its name. Empty lines and lines with # in front say nothing.
fn trusted_in(path: &Path, text: &str) -> Result<Vec<Trusted>, Fault> {
    let refused = |number: usize, why: &dyn std::fmt::Display| {
        Fault::Input(format!("{}:{}: {why}", files::name(path), number + 1))
    };
    let (mut found, mut name, mut block) = (Vec::new(), None::<String>, String::new());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let (begins, ends, given) =
            (line.starts_with("-----BEGIN "), line.starts_with("-----END "), line.strip_prefix(NAME));
        if begins && name.is_none() {
            return Err(refused(number, &"a key stands behind a line \"name: …\""));
        }
        if !block.is_empty() && (begins || given.is_some()) {
            return Err(refused(number, &"the key before this line has no end"));
        }
        if begins || !block.is_empty() {
            block += line;
            block.push('\n');
            if ends {
                let document =
                    pem_keys::of_bytes(path, block.as_bytes(), Half::Public, "trust", &PassphraseArgs::NONE)?;
                let name = name.take().expect("it stands before the key");
                found.push(Trusted { name, key: signatures::public_of(path, &document)? });
                block.clear();
            }
        } else if let Some(given) = given {
            check_name(given).map_err(|why| refused(number, &format_args!("the name {why}")))?;
            if name.replace(given.to_owned()).is_some() {
                return Err(refused(number, &"the name before this line has no key"));
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            return Err(refused(number, &"here a name (\"name: …\") or a key in PEM is expected"));
        }
    }
    if name.is_some() {
        return Err(files::refused(path, &"the last name has no whole key"));
    }
    Ok(found)
}
