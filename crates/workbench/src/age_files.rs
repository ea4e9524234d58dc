//! Files of age: keys, passphrases, and what stands behind a header.

mod asked;
mod kinds;
mod opening;
mod passphrase;
mod payload;
pub(crate) mod plugins;
mod ssh;

use crate::{
    fault::Fault,
    files,
    objects::{self, check_research},
    screen::Screen,
};
use age::{
    EncryptError, scrypt,
    secrecy::{ExposeSecret, SecretString},
};
use age_core::format::{FileKey, Stanza};
use ringwork::{ct::scrubbed, registry};
use ringwork_age::{
    KeyError, hybrid,
    keys::LineError,
    research,
    source::{HEADER_BYTES_AT_MOST, STANZAS_AT_MOST},
};
use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    io::{self, Write},
    path::Path,
};
use zeroize::Zeroizing;

pub(crate) use asked::PassphraseArgs;
pub(crate) use kinds::{Identity, Recipient};
pub(crate) use opening::{By, Input, Payload, Seen, damaged};
pub(crate) use ringwork_age::source::is_age;

/// Work factors of scrypt, as binary logarithms: what is taken, and what is accepted, as by age.
const WORK: u8 = 18;
const WORK_AT_MOST: u8 = 22;
/// Files have no more recipients: with the stanza that is there to be ignored, as many stanzas as any program reads.
const RECIPIENTS_AT_MOST: usize = STANZAS_AT_MOST - 1;
/// Their stanzas have no more bytes: with what else a header has, as many as any program reads.
const STANZA_BYTES_AT_MOST: usize = HEADER_BYTES_AT_MOST - (1 << 12);
/// Files of keys are no longer, encrypted or not.
const KEYS_BYTES_AT_MOST: u64 = 1 << 24;
/// What is read or written at once.
pub(crate) const PIECE: usize = 1 << 16;

/// What encrypts to a passphrase.
pub(crate) fn to_passphrase(passphrase: SecretString) -> Result<Encryptor, Fault> {
    let mut recipient = scrypt::Recipient::new(passphrase);
    recipient.set_work_factor(WORK);
    encryptor([&recipient as &dyn age::Recipient].into_iter())
}

/// What encrypts to all of these.
///
/// **Errors** if they are of kinds that cannot stand together, or more than programs of age read.
pub(crate) fn to(recipients: &[Recipient]) -> Result<Encryptor, Fault> {
    if recipients.len() > RECIPIENTS_AT_MOST {
        return Err(Fault::Usage(format!(
            "there are {} recipients, and programs of age read files for {RECIPIENTS_AT_MOST} at most; encrypt it once \
             for each part of them",
            recipients.len()
        )));
    }
    let keys = plugins::sorted(recipients.iter().filter_map(|recipient| recipient.encrypting().err().cloned()));
    let plugins = keys.iter().map(|keys| plugins::Recipients::new(keys)).collect::<Result<Vec<_>, _>>()?;
    let others = recipients.iter().filter_map(|recipient| recipient.encrypting().ok());
    let encryptor = encryptor(others.chain(plugins.iter().map(|plugin| plugin as &dyn age::Recipient)))?;
    if encryptor.stanza_bytes > STANZA_BYTES_AT_MOST {
        return Err(Fault::Usage(format!(
            "for these {} recipients the header has {} bytes, and programs of age read {STANZA_BYTES_AT_MOST} at most; \
             encrypt it once for each part of them",
            recipients.len(),
            encryptor.stanza_bytes
        )));
    }
    Ok(encryptor)
}

/// What writes a file: the crate `age` makes its header, [`payload`] what stands behind it.
pub(crate) struct Encryptor {
    /// The header and the nonce.
    head: Vec<u8>,
    file_key: FileKey,
    stanza_bytes: usize,
}

impl Encryptor {
    /// Writes the header, and seals what is written to the stream that it returns.
    pub(crate) fn wrap_output<W: Write>(self, mut output: W) -> io::Result<payload::Writer<W>> {
        output.write_all(&self.head)?;
        let nonce = self.head.last_chunk().expect("a nonce has 16 bytes");
        Ok(payload::Writer::new(&self.file_key, nonce, output))
    }
}

/// What a recipient makes: stanzas, and labels that those of one file have in common.
type Wrapped = (Vec<Stanza>, HashSet<String>);

/// The key of a file, out of the hands of the crate `age`.
type Kept = RefCell<Option<FileKey>>;

fn keep(kept: &Kept, file_key: &FileKey) {
    let copy = FileKey::init_with_mut(|copy| copy.copy_from_slice(file_key.expose_secret()));
    *kept.borrow_mut() = Some(copy);
}

/// A recipient that counts the bytes of its stanzas, and keeps the key.
struct Measured<'a> {
    recipient: &'a dyn age::Recipient,
    bytes: &'a Cell<usize>,
    kept: &'a Kept,
}

impl age::Recipient for Measured<'_> {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<Wrapped, EncryptError> {
        keep(self.kept, file_key);
        let wrapped = self.recipient.wrap_file_key(file_key)?;
        for Stanza { tag, args, body } in &wrapped.0 {
            let words: usize = args.iter().chain([tag]).map(|word| 1 + word.len()).sum();
            let base64 = (4 * body.len()).div_ceil(3);
            self.bytes.set(self.bytes.get() + "->\n".len() + words + base64 + base64 / 64 + 1);
        }
        Ok(wrapped)
    }
}

/// The recipient of an argument, which is not said again if it is secret.
pub(crate) fn recipient(text: &str) -> Result<Recipient, Fault> {
    text.parse().map_err(|why| {
        let start: String = text.chars().take(12).collect();
        Fault::Usage(match why {
            KeyError::Secret => format!("-r: {why}; `ringwork key public` makes the recipient of an identity"),
            KeyError::Foreign { .. } => format!("-r {start:?}: {why}; -R names a file of recipients"),
            why if text.to_lowercase().starts_with("age1") => format!("-r {start}…: {why}"),
            why => format!("-r: {why}"),
        })
    })
}

/// The recipients of a file, in which keys of SSH that age does not take are passed over with a warning.
pub(crate) fn recipients(path: &Path) -> Result<Vec<Recipient>, Fault> {
    let (found, passed) = kinds::recipients(&files::read_text(path)?).map_err(|e| files::refused(path, &e))?;
    for why in passed {
        let _ = writeln!(io::stderr(), "warning: {}: {why}; it is passed over", files::name(path));
    }
    if found.is_empty() { Err(files::refused(path, &"there is no recipient in it")) } else { Ok(found) }
}

/// The keys of a text: whether these are recipients of identities in it, and the recipients; nothing, if it is no file
/// of keys.
///
/// **Errors** say what is wrong with a line that begins as a key does.
pub(crate) fn keys_in(text: &str) -> Result<Option<(bool, Vec<Recipient>)>, LineError> {
    let public = match kinds::recipients(text) {
        Ok((found, _)) if !found.is_empty() => return Ok(Some((false, found))),
        public => public,
    };
    match (public, kinds::identities(text)) {
        (_, Ok(found)) if !found.is_empty() => Ok(Some((true, found.iter().map(Identity::to_public).collect()))),
        // Of keys that age does not take, the first.
        (Ok((_, passed)), _) => passed.into_iter().next().map_or(Ok(None), Err),
        (Err(why), _) if matches!(why.why, KeyError::Foreign { .. }) => Ok(None),
        (Err(LineError { why: KeyError::Secret, .. }), Err(why)) | (Err(why), _) => Err(why),
    }
}

/// The identities of a file, which may be encrypted to a passphrase.
pub(crate) fn identities(path: &Path, passphrase: &PassphraseArgs) -> Result<Vec<Identity>, Fault> {
    identities_in(path, read_keys(path)?, passphrase)
}

/// The same, of what was read from it.
pub(crate) fn identities_in(
    path: &Path,
    bytes: Zeroizing<Vec<u8>>,
    passphrase: &PassphraseArgs,
) -> Result<Vec<Identity>, Fault> {
    opening::unlocked(path, bytes, passphrase)?.ok_or_else(|| opening::wrong_passphrase(path))
}

/// The bytes of a file of keys.
pub(crate) fn read_keys(path: &Path) -> Result<Zeroizing<Vec<u8>>, Fault> {
    files::read(path, KEYS_BYTES_AT_MOST)
}

/// The identity that a plugin has without a file, by its name on the command line.
pub(crate) fn of_plugin(name: &str) -> Result<plugins::Key, Fault> {
    plugins::Key::of_name(name).map_err(|why| Fault::Usage(format!("-j: {why}")))
}

/// Refuses what is for research unless that was asked for, and says of each scheme what it is.
pub(crate) fn check_schemes<'a>(
    schemes: impl Iterator<Item = &'a str>,
    research: bool,
    screen: &Screen,
) -> Result<(), Fault> {
    let mut said = Vec::new();
    for name in schemes {
        let Some(scheme) = registry::encapsulation(name).filter(|_| !said.contains(&name)) else { continue };
        check_research(scheme.research_reason(), research)?;
        screen.note(&objects::what_it_is(&*scheme));
        said.push(name);
    }
    Ok(())
}

/// Recipients of different kinds cannot stand together.
fn encryptor<'a>(recipients: impl Iterator<Item = &'a dyn age::Recipient>) -> Result<Encryptor, Fault> {
    let (bytes, kept) = (Cell::new(0), Kept::default());
    let measured: Vec<_> = recipients.map(|recipient| Measured { recipient, bytes: &bytes, kept: &kept }).collect();
    let recipients = measured.iter().map(|recipient| recipient as &dyn age::Recipient);
    let mut head = Vec::new();
    // Nothing is sealed by that stream.
    let written = scrubbed(|| {
        let encryptor = age::Encryptor::with_recipients(recipients)?;
        encryptor.wrap_output(&mut head).map(drop).map_err(EncryptError::from)
    });
    written.map_err(|e| match e {
        EncryptError::IncompatibleRecipients { l_labels, r_labels } => {
            let kind = |labels: &HashSet<String>| match labels.iter().next().map(String::as_str) {
                Some(hybrid::LABEL) => "post-quantum (age1pq1…)".into(),
                Some(research::LABEL) => "for research (age1ringwork1…)".into(),
                Some(other) => format!("of the kind {:?} of a plugin", printable(other)),
                None => "open to a quantum computer (age1…)".into(),
            };
            Fault::Usage(format!(
                "one recipient is {}, another {}: together the file would be as weak as the weaker; encrypt it once for \
                 each kind",
                kind(&l_labels),
                kind(&r_labels)
            ))
        }
        EncryptError::Io(e) => plugins::Failure::within(&e).unwrap_or_else(|| Fault::Internal(e.to_string())),
        EncryptError::MixedRecipientAndPassphrase => Fault::Usage(
            "a plugin encrypts to a passphrase, and such a file is for nobody else: leave the others out".into(),
        ),
        e => Fault::Internal(e.to_string()),
    })?;
    let file_key = kept.into_inner().expect("there is a recipient");
    Ok(Encryptor { head, file_key, stanza_bytes: bytes.get() })
}

/// Somebody else's words, which give a terminal no orders.
fn printable(words: &str) -> String {
    const AT_MOST: usize = 1000;
    words.chars().take(AT_MOST).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
