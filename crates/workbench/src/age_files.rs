//! Files of age: keys, passphrases, and what stands behind a header.

mod passphrase;
mod payload;
mod source;

use crate::{
    fault::Fault,
    files,
    objects::{self, check_research},
    screen::Screen,
};
use age::{
    DecryptError, Decryptor, EncryptError,
    armor::ArmoredReadError,
    scrypt,
    secrecy::{ExposeSecret, SecretString},
};
use age_core::format::{FileKey, Stanza};
use clap::Args;
use ringwork::{ct::scrubbed, registry};
use ringwork_age::{
    KeyError,
    keys::{self, Identity, Recipient},
};
use source::Head;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashSet},
    io::{self, BufRead, ErrorKind, Read, Write},
    iter,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

pub(crate) use source::is_age;

/// Work factors of scrypt, as binary logarithms: what is taken, and what is accepted, as by age.
const WORK: u8 = 18;
const WORK_AT_MOST: u8 = 22;
/// Files have no more recipients: with the stanza that is there to be ignored, as many stanzas as any program reads.
const RECIPIENTS_AT_MOST: usize = source::STANZAS_AT_MOST - 1;
/// Their stanzas have no more bytes: with what else a header has, as many as any program reads.
const STANZA_BYTES_AT_MOST: usize = source::HEADER_BYTES_AT_MOST - (1 << 12);
/// Files of keys are no longer, encrypted or not.
const KEYS_BYTES_AT_MOST: u64 = 1 << 24;
/// What is read or written at once.
pub(crate) const PIECE: usize = 1 << 16;

/// Where a passphrase comes from.
#[derive(Args, Debug)]
pub(crate) struct PassphraseArgs {
    /// Takes the passphrase from the first line of this file, - for standard input, and does not
    /// ask for it on the terminal. Whoever can read the file knows the passphrase: for scripts and
    /// tests
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
}

impl PassphraseArgs {
    /// Of what has no passphrase.
    pub(crate) const NONE: Self = Self { passphrase_file: None };

    /// One that opens `what`.
    pub(crate) fn known(&self, what: &str) -> Result<SecretString, Fault> {
        self.read(&format!("Passphrase of {what}: "))
    }

    /// One for something new: a typing error must not lose it, and whoever types nothing gets one that is random.
    pub(crate) fn new_one(&self) -> Result<SecretString, Fault> {
        if self.passphrase_file.is_some() {
            return self.read("");
        }
        let first = Zeroizing::new(ask("New passphrase (nothing for one that is made): ")?);
        if first.is_empty() {
            let made = passphrase::random();
            eprintln!("This passphrase was made: {}", made.expose_secret());
            return Ok(made);
        }
        let second = Zeroizing::new(ask("The same again: ")?);
        if first != second {
            return Err(Fault::Usage("the two passphrases differ".into()));
        }
        Ok(SecretString::from(first.as_str()))
    }

    fn read(&self, prompt: &str) -> Result<SecretString, Fault> {
        let passphrase = match &self.passphrase_file {
            None => ask(prompt)?,
            Some(path) => files::read_text(path)?.lines().next().unwrap_or_default().to_owned(),
        };
        if passphrase.is_empty() {
            return Err(Fault::Usage("the passphrase is empty".into()));
        }
        Ok(passphrase.into())
    }
}

fn ask(prompt: &str) -> Result<String, Fault> {
    rpassword::prompt_password(prompt).map_err(|e| {
        Fault::Usage(format!(
            "a passphrase is needed, and there is no terminal to ask for it ({e}); --passphrase-file names a file that \
             has it"
        ))
    })
}

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
    let encryptor = encryptor(recipients.iter().map(|recipient| recipient as &dyn age::Recipient))?;
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
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
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

/// An identity that keeps the key it finds.
struct Keeping<'a> {
    identity: &'a dyn age::Identity,
    kept: &'a Kept,
}

impl age::Identity for Keeping<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        let found = self.identity.unwrap_stanzas(stanzas)?;
        Some(found.inspect(|file_key| keep(self.kept, file_key)))
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

/// The recipients of a file.
pub(crate) fn recipients(path: &Path) -> Result<Vec<Recipient>, Fault> {
    let found = keys::recipients(&files::read_text(path)?).map_err(|e| files::refused(path, &e))?;
    if found.is_empty() { Err(files::refused(path, &"there is no recipient in it")) } else { Ok(found) }
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
    unlocked(path, bytes, passphrase)?.ok_or_else(|| wrong_passphrase(path))
}

/// The bytes of a file of keys.
pub(crate) fn read_keys(path: &Path) -> Result<Zeroizing<Vec<u8>>, Fault> {
    files::read(path, KEYS_BYTES_AT_MOST)
}

/// The identities of several files; of those that the passphrase does not open, only the paths.
///
/// **Errors** if it opens none.
fn all_identities<'a>(
    paths: &'a [PathBuf],
    passphrase: &PassphraseArgs,
) -> Result<(Vec<Identity>, Vec<&'a Path>), Fault> {
    let (mut identities, mut locked) = (Vec::new(), Vec::new());
    for path in paths {
        match unlocked(path, read_keys(path)?, passphrase)? {
            Some(more) => identities.extend(more),
            None => locked.push(&**path),
        }
    }
    match locked.first() {
        Some(path) if identities.is_empty() => Err(wrong_passphrase(path)),
        _ => Ok((identities, locked)),
    }
}

fn wrong_passphrase(path: &Path) -> Fault {
    files::refused(path, &"the passphrase is wrong")
}

/// The identities of a file, or nothing if the passphrase does not open it.
fn unlocked(
    path: &Path,
    mut bytes: Zeroizing<Vec<u8>>,
    passphrase: &PassphraseArgs,
) -> Result<Option<Vec<Identity>>, Fault> {
    if is_age(&bytes) {
        match opened(path, &bytes, passphrase)? {
            Some(text) => bytes = text,
            None => return Ok(None),
        }
    }
    let text = files::utf8_or(path, &bytes, |_| files::refused(path, &"this is no file of identities"))?;
    let found = keys::identities(text).map_err(|e| files::refused(path, &e))?;
    if found.is_empty() { Err(files::refused(path, &"there is no identity in it")) } else { Ok(Some(found)) }
}

/// What a file of identities says that is encrypted to a passphrase, or nothing if it is another one.
fn opened(path: &Path, bytes: &[u8], passphrase: &PassphraseArgs) -> Result<Option<Zeroizing<Vec<u8>>>, Fault> {
    let input = Input::new(path, bytes)?;
    if !input.is_for_passphrase() {
        return Err(files::refused(path, &"this is an encrypted file, and a file of identities is needed"));
    }
    let Some(mut stream) = input.open_by_passphrase(passphrase)? else { return Ok(None) };
    let mut text = Zeroizing::new(Vec::with_capacity(bytes.len()));
    stream.read_to_end(&mut text).map_err(|e| damaged(path, &e, Some(0)))?;
    Ok(Some(text))
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
                Some("postquantum") => "post-quantum (age1pq1…)",
                Some(ringwork_age::research::LABEL) => "for research (age1ringwork1…)",
                _ => "open to a quantum computer (age1…)",
            };
            Fault::Usage(format!(
                "one recipient is {}, another {}: together the file would be as weak as the weaker; encrypt it once for \
                 each kind",
                kind(&l_labels),
                kind(&r_labels)
            ))
        }
        e => Fault::Internal(e.to_string()),
    })?;
    let file_key = kept.into_inner().expect("there is a recipient");
    Ok(Encryptor { head, file_key, stanza_bytes: bytes.get() })
}

/// What stands behind a header.
pub(crate) type Payload<'a> = payload::Reader<Box<dyn BufRead + 'a>>;

/// A file whose header was read, and not verified yet.
pub(crate) struct Input<'a> {
    path: PathBuf,
    pub(crate) is_armored: bool,
    header: Decryptor<Head>,
    nonce: [u8; 16],
    rest: Box<dyn BufRead + 'a>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(path: &Path, mut source: impl Read + 'a) -> Result<Self, Fault> {
        const WHITESPACE_AT_MOST: usize = 1024;
        // Wiped, and in its place: it may be a file of keys, given by mistake.
        let mut start = Zeroizing::new(Vec::with_capacity(WHITESPACE_AT_MOST));
        let read = (&mut source).take(WHITESPACE_AT_MOST as u64).read_to_end(&mut start);
        read.map_err(|e| files::unreadable(path, &e))?;
        if !is_age(&start) {
            if files::is_utf16(&start) {
                return Err(files::refused(path, &files::UTF16));
            }
            let why = "this is no file of age: those begin with age-encryption.org/v1, or with -----BEGIN AGE ENCRYPTED \
                       FILE-----";
            return Err(files::refused(path, &why));
        }
        let is_armored = source::is_armored(&start);
        if is_armored {
            let blanks = start.len() - source::trimmed(&start).len();
            start.drain(..blanks);
        }
        let read = source::read(io::Cursor::new(start).chain(source), is_armored, PIECE);
        let (head, rest) = read.map_err(|e| damaged(path, &e, None))?;
        let nonce = head.nonce();
        let header = Decryptor::new_buffered(head).map_err(|e| unopened(path, &e))?;
        Ok(Self { path: path.into(), is_armored, header, nonce, rest })
    }

    /// Whether it is encrypted to a passphrase, and so to nothing else.
    pub(crate) fn is_for_passphrase(&self) -> bool {
        self.header.is_scrypt()
    }

    /// Verifies the header with the key that this identity finds in it.
    fn decrypt(self, identity: &dyn age::Identity) -> Result<Payload<'a>, DecryptError> {
        let kept = Kept::default();
        scrubbed(|| self.header.decrypt(iter::once(&Keeping { identity, kept: &kept } as _)).map(drop))?;
        let file_key = kept.into_inner().expect("a key opened it");
        Ok(payload::Reader::new(&file_key, &self.nonce, self.rest))
    }

    /// What stands behind the header, or nothing if the passphrase is another one.
    fn open_by_passphrase(self, passphrase: &PassphraseArgs) -> Result<Option<Payload<'a>>, Fault> {
        let path = self.path.clone();
        let passphrase = passphrase.known(&files::name(&self.path))?;
        let mut identity = scrypt::Identity::new(passphrase);
        identity.set_max_work_factor(WORK_AT_MOST);
        match self.decrypt(&identity) {
            Ok(payload) => Ok(Some(payload)),
            // Of a key that is long enough, nothing else can be wrong.
            Err(DecryptError::DecryptionFailed | DecryptError::NoMatchingKeys) => Ok(None),
            Err(e) => Err(unopened(&path, &e)),
        }
    }

    /// By whichever of the identities of these files opens it, or by the passphrase if there is no such file: the
    /// scheme, and what stands behind the header.
    pub(crate) fn open(
        self,
        identities: &[PathBuf],
        passphrase: &PassphraseArgs,
    ) -> Result<(String, Payload<'a>), Fault> {
        let path = self.path.clone();
        match (self.is_for_passphrase(), identities) {
            (true, []) => {
                let stream = self.open_by_passphrase(passphrase)?.ok_or_else(|| wrong_passphrase(&path))?;
                Ok(("scrypt".into(), stream))
            }
            (true, _) => Err(files::refused(&path, &"it is encrypted to a passphrase, not to a key; leave -i out")),
            (false, []) => Err(files::refused(&path, &"it is encrypted to keys; -i names the file of an identity")),
            (false, paths) => {
                let (identities, locked) = all_identities(paths, passphrase)?;
                self.open_by(&identities, &locked)
            }
        }
    }

    /// The scheme of the identity that opens it, and what stands behind the header. `locked` are files of identities
    /// that could not be tried.
    fn open_by(self, identities: &[Identity], locked: &[&Path]) -> Result<(String, Payload<'a>), Fault> {
        let path = self.path.clone();
        let witness = Witness { identities, by: Cell::new(None), stanzas: RefCell::default() };
        match self.decrypt(&witness) {
            Ok(payload) => Ok((witness.by.get().expect("it was opened").to_owned(), payload)),
            Err(DecryptError::NoMatchingKeys) => {
                let mut own: Vec<&str> = identities.iter().map(Identity::scheme).collect();
                own.dedup();
                let (found, own) = (listed(&witness.stanzas.borrow()), own.join(", "));
                let mut why = format!("none of the identities ({own}) opens it; it is encrypted to {found}");
                locked.iter().for_each(|path| why += &format!("; the passphrase of {} is wrong", files::name(path)));
                Err(files::refused(&path, &why))
            }
            Err(e) => Err(unopened(&path, &e)),
        }
    }

    /// How many stanzas of each type it has. Nothing of them is verified without a key.
    pub(crate) fn stanzas(self) -> BTreeMap<String, u64> {
        let witness = Witness { identities: &[], by: Cell::new(None), stanzas: RefCell::default() };
        let _ = self.header.decrypt(iter::once(&witness as _));
        witness.stanzas.into_inner()
    }
}

/// "mlkem768x25519, 2 times X25519", without those that are there only for programs to ignore.
fn listed(stanzas: &BTreeMap<String, u64>) -> String {
    let stanzas = stanzas.iter().filter(|(tag, _)| !tag.ends_with("-grease"));
    let one = |(tag, &count): (&String, &u64)| if count == 1 { tag.clone() } else { format!("{count} times {tag}") };
    stanzas.map(one).collect::<Vec<_>>().join(", ")
}

/// Identities, and what they were shown.
struct Witness<'a> {
    identities: &'a [Identity],
    by: Cell<Option<&'a str>>,
    stanzas: RefCell<BTreeMap<String, u64>>,
}

impl age::Identity for Witness<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        // Whatever a file calls its stanzas must not reach a terminal as it is: `tag` has printable characters only.
        stanzas.iter().for_each(|stanza| *self.stanzas.borrow_mut().entry(stanza.tag.clone()).or_default() += 1);
        self.identities.iter().find_map(|identity| {
            let key = identity.unwrap_stanzas(stanzas)?;
            self.by.set(Some(identity.scheme()));
            Some(key)
        })
    }
}

/// Why a header is refused.
fn unopened(path: &Path, e: &DecryptError) -> Fault {
    let why = match e {
        DecryptError::InvalidMac => "the header was changed: its authentication code is wrong",
        // Another version is refused before the header is parsed.
        DecryptError::InvalidHeader | DecryptError::UnknownFormat => {
            "the header is malformed: it was changed, or is not all there"
        }
        DecryptError::Io(e) => return damaged(path, e, None),
        DecryptError::ExcessiveWork { required, .. } => {
            let why = format!("its passphrase takes work of 2^{required}, and 2^{WORK_AT_MOST} is done at most");
            return files::refused(path, &why);
        }
        e => return files::refused(path, e),
    };
    files::refused(path, &why)
}

/// Why what was read is refused: in the header, or after `after` bytes of the file within.
pub(crate) fn damaged(path: &Path, e: &io::Error, after: Option<u64>) -> Fault {
    let at = match after {
        None => "in its header".into(),
        Some(0) => "at its beginning".into(),
        Some(bytes) => format!("after {bytes} bytes"),
    };
    match (e.get_ref().and_then(|e| e.downcast_ref::<ArmoredReadError>()), e.kind()) {
        (Some(why), _) => files::refused(
            path,
            &format_args!(
                "refused {at}: the armor is malformed: {why}; its lines have 64 characters without blanks, but for the last, and nothing \
             stands behind it"
            ),
        ),
        (_, ErrorKind::UnexpectedEof) => files::refused(path, &format_args!("refused {at}: it is truncated")),
        (_, ErrorKind::InvalidData) if after.is_none() => files::refused(path, &format_args!("refused {at}: {e}")),
        (_, ErrorKind::InvalidData) => {
            files::refused(path, &format_args!("refused {at}: from there on it was changed, or is truncated"))
        }
        _ => files::unreadable(path, e),
    }
}
