//! Files of age: keys, passphrases, and what stands behind a header.

use crate::{
    fault::Fault,
    files,
    objects::{self, check_research},
    screen::Screen,
};
use age::{
    DecryptError, Decryptor, EncryptError, Encryptor,
    armor::{ArmoredReadError, ArmoredReader},
    scrypt,
    secrecy::{ExposeSecret, SecretString},
    stream::StreamReader,
};
use age_core::format::{FileKey, Stanza};
use clap::Args;
use ringwork::registry;
use ringwork_age::{
    KeyError,
    keys::{self, Identity, Recipient},
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashSet},
    io::{self, BufRead, BufReader, ErrorKind, Read},
    path::{Path, PathBuf},
    rc::Rc,
};
use zeroize::Zeroizing;

/// How files begin, and armored ones.
const MAGIC: &[u8] = b"age-encryption.org/";
const ARMOR: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
/// Work factors of scrypt, as binary logarithms: what is taken, and what is accepted, as by age.
const WORK: u8 = 18;
const WORK_AT_MOST: u8 = 22;
/// No header is longer.
const HEADER_BYTES_AT_MOST: u64 = 1 << 22;
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
    /// One that opens `what`.
    fn known(&self, what: &str) -> Result<SecretString, Fault> {
        self.read(&format!("Passphrase of {what}: "))
    }

    /// One for something new: a typing error must not lose it.
    pub(crate) fn new_one(&self) -> Result<SecretString, Fault> {
        let first = self.read("New passphrase: ")?;
        if self.passphrase_file.is_none() {
            let second = Zeroizing::new(ask("The same again: ")?);
            if *first.expose_secret() != **second {
                return Err(Fault::Usage("the two passphrases differ".into()));
            }
        }
        Ok(first)
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
pub(crate) fn to(recipients: &[Recipient]) -> Result<Encryptor, Fault> {
    encryptor(recipients.iter().map(|recipient| recipient as &dyn age::Recipient))
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
    let bytes = files::read(path, KEYS_BYTES_AT_MOST)?;
    let bytes = if is_age(&bytes) { opened(path, &bytes, passphrase)? } else { bytes };
    let text = std::str::from_utf8(&bytes).map_err(|_| files::refused(path, &"this is no file of identities"))?;
    let found = keys::identities(text).map_err(|e| files::refused(path, &e))?;
    if found.is_empty() { Err(files::refused(path, &"there is no identity in it")) } else { Ok(found) }
}

/// A file of identities that is encrypted to a passphrase.
fn opened(path: &Path, bytes: &[u8], passphrase: &PassphraseArgs) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let input = Input::new(path, bytes)?;
    if !input.is_for_passphrase() {
        return Err(files::refused(path, &"this is an encrypted file, and a file of identities is needed"));
    }
    let mut stream = input.open_by_passphrase(passphrase)?;
    let mut text = Zeroizing::new(Vec::with_capacity(bytes.len()));
    stream.read_to_end(&mut text).map_err(|e| damaged(path, &e, Some(0)))?;
    Ok(text)
}

/// Refuses what is for research unless that was asked for, and says of each scheme what it is.
pub(crate) fn check_schemes<'a>(
    schemes: impl Iterator<Item = &'a str>,
    research: bool,
    screen: &Screen,
) -> Result<(), Fault> {
    let mut said = Vec::new();
    for scheme in schemes {
        let Some(scheme) = registry::encapsulation(scheme).filter(|_| !said.contains(&scheme)) else { continue };
        check_research(scheme.research_reason(), research)?;
        screen.note(&objects::what_it_is(&*scheme));
        said.push(scheme.description().name);
    }
    Ok(())
}

/// Recipients of different kinds cannot stand together.
fn encryptor<'a>(recipients: impl Iterator<Item = &'a dyn age::Recipient>) -> Result<Encryptor, Fault> {
    Encryptor::with_recipients(recipients).map_err(|e| match e {
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
    })
}

/// Whether that is how a file of age begins, armored or not.
pub(crate) fn is_age(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.trim_ascii_start().starts_with(ARMOR)
}

/// A file whose header was read, and not verified yet.
pub(crate) struct Input<'a> {
    path: PathBuf,
    pub(crate) is_armored: bool,
    decryptor: Decryptor<Bounded<'a>>,
}

/// A source that ends where too much is read.
pub(crate) struct Bounded<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Bytes that may still be read: as many as a header has at most, or all.
    left: Rc<Cell<u64>>,
    /// The header, while it is read.
    header: Rc<RefCell<Vec<u8>>>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(path: &Path, mut source: impl Read + 'a) -> Result<Self, Fault> {
        const WHITESPACE_AT_MOST: u64 = 1024;
        let mut start = Vec::new();
        let read = (&mut source).take(WHITESPACE_AT_MOST).read_to_end(&mut start);
        read.map_err(|e| files::unreadable(path, &e))?;
        if !is_age(&start) {
            let why = "this is no file of age: those begin with age-encryption.org/v1, or with -----BEGIN AGE ENCRYPTED \
                       FILE-----";
            return Err(files::refused(path, &why));
        }
        let is_armored = !start.starts_with(MAGIC);
        if is_armored {
            start.drain(..start.len() - start.trim_ascii_start().len());
        }
        let source = BufReader::with_capacity(PIECE, io::Cursor::new(start).chain(source));
        let source: Box<dyn BufRead + 'a> = if is_armored {
            Box::new(BufReader::with_capacity(PIECE, ArmoredReader::new(source)))
        } else {
            Box::new(source)
        };
        let left = Rc::new(Cell::new(HEADER_BYTES_AT_MOST));
        let header = Rc::new(RefCell::new(Vec::new()));
        let decryptor = Decryptor::new_buffered(Bounded { source, left: left.clone(), header: header.clone() });
        let decryptor = decryptor.map_err(|e| unopened(path, &e))?;
        if !is_strict(&header.take()) {
            return Err(unopened(path, &DecryptError::InvalidHeader));
        }
        left.set(u64::MAX);
        Ok(Self { path: path.into(), is_armored, decryptor })
    }

    /// Whether it is encrypted to a passphrase, and so to nothing else.
    pub(crate) fn is_for_passphrase(&self) -> bool {
        self.decryptor.is_scrypt()
    }

    pub(crate) fn open_by_passphrase(self, passphrase: &PassphraseArgs) -> Result<StreamReader<Bounded<'a>>, Fault> {
        let passphrase = passphrase.known(&files::name(&self.path))?;
        let mut identity = scrypt::Identity::new(passphrase);
        identity.set_max_work_factor(WORK_AT_MOST);
        self.decryptor.decrypt([&identity as &dyn age::Identity].into_iter()).map_err(|e| match e {
            // Of a key that is long enough, nothing else can be wrong.
            DecryptError::DecryptionFailed | DecryptError::NoMatchingKeys => {
                files::refused(&self.path, &"the passphrase is wrong")
            }
            e => unopened(&self.path, &e),
        })
    }

    /// The scheme of the identity that opens it, and what stands behind the header.
    pub(crate) fn open_by(self, identities: &[Identity]) -> Result<(&'static str, StreamReader<Bounded<'a>>), Fault> {
        let witness = Witness { identities, by: Cell::new(None), stanzas: RefCell::default() };
        match self.decryptor.decrypt([&witness as &dyn age::Identity].into_iter()) {
            Ok(stream) => Ok((witness.by.get().expect("it was opened"), stream)),
            Err(DecryptError::NoMatchingKeys) => {
                let mut own: Vec<&str> = identities.iter().map(Identity::scheme).collect();
                own.dedup();
                let (found, own) = (listed(&witness.stanzas.borrow()), own.join(", "));
                let why = format!("none of the identities ({own}) opens it; it is encrypted to {found}");
                Err(files::refused(&self.path, &why))
            }
            Err(e) => Err(unopened(&self.path, &e)),
        }
    }

    /// How many stanzas of each type it has. Nothing of them is verified without a key.
    pub(crate) fn stanzas(self) -> BTreeMap<String, u64> {
        let witness = Witness { identities: &[], by: Cell::new(None), stanzas: RefCell::default() };
        let _ = self.decryptor.decrypt([&witness as &dyn age::Identity].into_iter());
        witness.stanzas.into_inner()
    }
}

/// Whether every stanza ends with a short line, as the format wants it and the crate `age` does not.
fn is_strict(header: &[u8]) -> bool {
    let lines: Vec<&[u8]> = header.split(|&byte| byte == b'\n').skip(1).collect();
    let ends = |line: &[u8]| line.len() < 64 && !line.starts_with(b"-> ");
    lines.windows(2).all(|pair| !pair[1].starts_with(b"-") || ends(pair[0]))
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
    by: Cell<Option<&'static str>>,
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

impl Read for Bounded<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(bytes)?;
        self.spend(count)?;
        Ok(count)
    }
}

impl BufRead for Bounded<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.spend(0)?;
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.left.set(self.left.get().saturating_sub(count as u64));
        // What is in the buffer is not read again.
        self.header.borrow_mut().extend(self.source.fill_buf().unwrap_or_default().iter().take(count));
        self.source.consume(count);
    }
}

impl Bounded<'_> {
    fn spend(&self, count: usize) -> io::Result<()> {
        let left = self.left.get().saturating_sub(count as u64);
        self.left.set(left);
        let long =
            || io::Error::new(ErrorKind::InvalidData, format!("a header has {HEADER_BYTES_AT_MOST} bytes at most"));
        if left == 0 { Err(long()) } else { Ok(()) }
    }
}

/// Why a header is refused.
fn unopened(path: &Path, e: &DecryptError) -> Fault {
    let why = match e {
        DecryptError::InvalidHeader => "the header is malformed: it was changed, or is not all there",
        DecryptError::InvalidMac => "the header was changed: its authentication code is wrong",
        DecryptError::UnknownFormat => "this is of another version of the format of age, and version 1 is known here",
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
        (Some(why), _) => files::refused(path, &format_args!("refused {at}: the armor is malformed: {why}")),
        (_, ErrorKind::UnexpectedEof) => files::refused(path, &format_args!("refused {at}: it is truncated")),
        (_, ErrorKind::InvalidData) if after.is_none() => files::refused(path, &format_args!("refused {at}: {e}")),
        (_, ErrorKind::InvalidData) => {
            files::refused(path, &format_args!("refused {at}: from there on it was changed, or is truncated"))
        }
        _ => files::unreadable(path, e),
    }
}
