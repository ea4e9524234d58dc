//! Files that are decrypted: who opens them, and what stands behind their headers.

use super::{
    Kept, PassphraseArgs, WORK_AT_MOST, keep, kinds, kinds::Identity, of_plugin, payload, plugins, read_keys, ssh,
};
use crate::{fault::Fault, files};
use age::{DecryptError, Decryptor, Identity as _, armor::ArmoredReadError, scrypt};
use age_core::format::{FileKey, Stanza};
use clap::Args;
use ringwork::ct::scrubbed;
use ringwork_age::source::{self, Head};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io::{self, BufRead, ErrorKind, Read},
    iter,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// Who decrypts.
#[derive(Args, Debug)]
pub(crate) struct By {
    /// The identities of this file, or - for standard input; may be given several times. It may be a private key of
    /// SSH, or encrypted to a passphrase. What is encrypted to a passphrase needs none
    #[arg(short, long = "identity", value_name = "FILE")]
    identities: Vec<PathBuf>,
    /// The identity that this plugin has without a file: the program age-plugin-NAME is run, where no key of a file
    /// opens it
    #[arg(short = 'j', long = "plugin", value_name = "NAME", value_parser = plugins::name)]
    plugins: Vec<String>,
    #[command(flatten)]
    how: PassphraseArgs,
}

impl By {
    /// All files that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.identities.iter().chain(&self.how.passphrase_file)
    }

    /// What opens files: keys, then plugins, then keys of SSH whose passphrase has to be asked for; and the files that
    /// the passphrase does not open.
    ///
    /// **Errors** if it opens none, and nothing else is there.
    fn openers(&self) -> Result<(Vec<Opener<'_>>, Vec<&Path>), Fault> {
        let (mut keys, mut asking, mut locked) = (Vec::new(), Vec::new(), Vec::new());
        let mut of_plugins = self.plugins.iter().map(|name| of_plugin(name)).collect::<Result<Vec<_>, _>>()?;
        for path in &self.identities {
            let Some(found) = unlocked(path, read_keys(path)?, &self.how)? else {
                locked.push(&**path);
                continue;
            };
            for key in found {
                match key {
                    Identity::Own(key) => keys.push(Opener::Key(key.scheme().into(), Box::new(key))),
                    Identity::Ssh(key) if key.is_locked() => asking.push(Opener::Locked(key, path, &self.how)),
                    Identity::Ssh(key) => keys.push(Opener::Key(key.to_public().scheme().into(), key)),
                    Identity::Plugin(key) => of_plugins.push(key),
                }
            }
        }
        keys.extend(plugins::sorted(of_plugins.into_iter()).into_iter().map(Opener::Plugin));
        keys.extend(asking);
        match locked.first() {
            Some(path) if keys.is_empty() => Err(wrong_passphrase(path)),
            _ => Ok((keys, locked)),
        }
    }
}

/// What may open a file.
enum Opener<'a> {
    /// A key, with the name of its scheme.
    Key(String, Box<dyn age::Identity>),
    /// Keys of one plugin.
    Plugin(Vec<plugins::Key>),
    /// A key of SSH under a passphrase, in that file.
    Locked(Box<ssh::Identity>, &'a Path, &'a PassphraseArgs),
}

impl Opener<'_> {
    /// The name of the scheme, or of the plugin's program.
    fn scheme(&self) -> &str {
        match self {
            Self::Key(scheme, _) => scheme,
            Self::Plugin(keys) => keys[0].program(),
            Self::Locked(key, ..) => key.to_public().scheme(),
        }
    }

    /// The key of a file, if one of its stanzas is for it. `wrong` gets what a passphrase does not open.
    ///
    /// **Errors** if a passphrase cannot be asked for, or a plugin is not there.
    fn unwrap(
        &self,
        stanzas: &[Stanza],
        wrong: &mut Vec<PathBuf>,
    ) -> Result<Option<Result<FileKey, DecryptError>>, Fault> {
        match self {
            Self::Key(_, key) => Ok(key.unwrap_stanzas(stanzas)),
            Self::Plugin(keys) => Ok(plugins::Identities::new(keys)?.unwrap_stanzas(stanzas)),
            Self::Locked(key, ..) if !key.is_for(stanzas) => Ok(None),
            Self::Locked(key, path, how) => {
                let Some(key) = key.unlocked(how.known(&files::name(path))?) else {
                    wrong.push(path.into());
                    return Ok(None);
                };
                Ok(key.map_err(|why| files::refused(path, &why))?.unwrap_stanzas(stanzas))
            }
        }
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

pub(super) fn wrong_passphrase(path: &Path) -> Fault {
    files::refused(path, &"the passphrase is wrong")
}

/// The identities of a file, or nothing if the passphrase does not open it.
pub(super) fn unlocked(
    path: &Path,
    mut bytes: Zeroizing<Vec<u8>>,
    passphrase: &PassphraseArgs,
) -> Result<Option<Vec<Identity>>, Fault> {
    if source::is_age(&bytes) {
        match opened(path, &bytes, passphrase)? {
            Some(text) => bytes = text,
            None => return Ok(None),
        }
    }
    let text = files::utf8_or(path, &bytes, |_| files::refused(path, &"this is no file of identities"))?;
    let found = kinds::identities(text).map_err(|e| files::refused(path, &e))?;
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

/// What stands behind a header.
pub(crate) type Payload<'a> = payload::Reader<Box<dyn BufRead + 'a>>;

/// A file whose header was read, and not verified yet.
pub(crate) struct Input<'a> {
    path: PathBuf,
    pub(crate) is_armored: bool,
    header: Decryptor<Head>,
    header_bytes: usize,
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
        if !source::is_age(&start) {
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
        let read = source::read(io::Cursor::new(start).chain(source), is_armored, super::PIECE);
        let (head, rest) = read.map_err(|e| damaged(path, &e, None))?;
        let (nonce, header_bytes) = (head.nonce(), head.header_bytes());
        let header = Decryptor::new_buffered(head).map_err(|e| unopened(path, &e))?;
        Ok(Self { path: path.into(), is_armored, header, header_bytes, nonce, rest })
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

    /// By whatever of this opens it, or by the passphrase if nothing is named: the scheme, and what stands behind the
    /// header.
    pub(crate) fn open(self, by: &By) -> Result<(String, Payload<'a>), Fault> {
        let path = self.path.clone();
        match (self.is_for_passphrase(), &by.identities[..], &by.plugins[..]) {
            (true, [], []) => {
                let stream = self.open_by_passphrase(&by.how)?.ok_or_else(|| wrong_passphrase(&path))?;
                Ok(("scrypt".into(), stream))
            }
            // There are plugins for passphrases.
            (true, _, []) => Err(files::refused(&path, &"it is encrypted to a passphrase, not to a key; leave -i out")),
            (false, [], []) => Err(files::refused(&path, &"it is encrypted to keys; -i names the file of an identity")),
            _ => {
                let (openers, locked) = by.openers()?;
                self.open_by(&openers, &locked)
            }
        }
    }

    /// The scheme of what opens it, and what stands behind the header. `locked` are files of identities that could not
    /// be tried.
    fn open_by(self, openers: &[Opener<'_>], locked: &[&Path]) -> Result<(String, Payload<'a>), Fault> {
        let path = self.path.clone();
        let witness = Witness::of(openers);
        let opened = self.decrypt(&witness);
        if let Some(fault) = witness.fault.take() {
            return Err(fault);
        }
        match opened {
            Ok(payload) => Ok((witness.by.get().expect("it was opened").to_owned(), payload)),
            Err(DecryptError::NoMatchingKeys) => {
                let mut own: Vec<&str> = openers.iter().map(Opener::scheme).collect();
                own.dedup();
                let (found, own) = (listed(&witness.stanzas.borrow()), own.join(", "));
                let mut why = format!("none of the identities ({own}) opens it; it is encrypted to {found}");
                let wrong = witness.wrong.take();
                let locked = locked.iter().copied().chain(wrong.iter().map(PathBuf::as_path));
                locked.for_each(|path| why += &format!("; the passphrase of {} is wrong", files::name(path)));
                Err(files::refused(&path, &why))
            }
            Err(e) => Err(unopened(&path, &e)),
        }
    }

    /// What stands behind the header, by the key of a file that was opened: this is the same file, read once more.
    pub(crate) fn open_again(self, opened: Payload<'_>) -> Payload<'a> {
        opened.again(self.rest)
    }

    /// What can be seen without a key. Nothing of it is verified.
    ///
    /// **Errors** if it cannot be read to its end.
    pub(crate) fn seen(mut self) -> Result<Seen, Fault> {
        let payload = io::copy(&mut self.rest, &mut io::sink()).map_err(|e| damaged(&self.path, &e, None))?;
        let witness = Witness::of(&[]);
        let _ = self.header.decrypt(iter::once(&witness as _));
        Ok(Seen {
            is_armored: self.is_armored,
            stanzas: witness.stanzas.into_inner(),
            header_bytes: self.header_bytes,
            payload_bytes: self.nonce.len() as u64 + payload,
            plaintext_bytes: payload::plaintext_bytes(payload),
        })
    }
}

/// What can be seen of a file.
pub(crate) struct Seen {
    pub(crate) is_armored: bool,
    /// How many stanzas of each type it has.
    pub(crate) stanzas: BTreeMap<String, u64>,
    /// Bytes, without armor.
    pub(crate) header_bytes: usize,
    pub(crate) payload_bytes: u64,
    /// Unless something is missing.
    pub(crate) plaintext_bytes: Option<u64>,
}

impl Seen {
    /// Whether no quantum computer is known to open it, if that is known of all stanzas that count.
    pub(crate) fn is_post_quantum(&self) -> Option<bool> {
        let of = |tag: &str| match tag {
            "X25519" | "piv-p256" | "p256tag" | "ssh-ed25519" | "ssh-rsa" => Some(false),
            "mlkem768x25519" | "mlkem768p256tag" | "scrypt" => Some(true),
            tag if tag.starts_with("ringwork/") => Some(true),
            _ => None,
        };
        let known: Vec<_> = self.stanzas.keys().filter(|tag| !is_grease(tag)).map(|tag| of(tag)).collect();
        // One that opens it is enough.
        match known.contains(&Some(false)) {
            true => Some(false),
            false => known.into_iter().reduce(|all, one| all.and(one)).flatten(),
        }
    }
}

/// Whether it is there only for programs to ignore.
fn is_grease(tag: &str) -> bool {
    tag.ends_with("-grease")
}

/// "mlkem768x25519, 2 times X25519", without those that are there only for programs to ignore.
fn listed(stanzas: &BTreeMap<String, u64>) -> String {
    let stanzas = stanzas.iter().filter(|(tag, _)| !is_grease(tag));
    let one = |(tag, &count): (&String, &u64)| if count == 1 { tag.clone() } else { format!("{count} times {tag}") };
    stanzas.map(one).collect::<Vec<_>>().join(", ")
}

/// What may open a file, and what it was shown.
struct Witness<'a> {
    openers: &'a [Opener<'a>],
    by: Cell<Option<&'a str>>,
    stanzas: RefCell<BTreeMap<String, u64>>,
    /// Keys of SSH that the passphrase does not open.
    wrong: RefCell<Vec<PathBuf>>,
    /// Why nothing more is tried.
    fault: RefCell<Option<Fault>>,
}

impl<'a> Witness<'a> {
    fn of(openers: &'a [Opener<'a>]) -> Self {
        let (stanzas, wrong, fault) = Default::default();
        Self { openers, by: Cell::new(None), stanzas, wrong, fault }
    }
}

impl age::Identity for Witness<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        // Whatever a file calls its stanzas must not reach a terminal as it is: `tag` has printable characters only.
        stanzas.iter().for_each(|stanza| *self.stanzas.borrow_mut().entry(stanza.tag.clone()).or_default() += 1);
        self.openers.iter().find_map(|opener| {
            self.by.set(Some(opener.scheme()));
            opener.unwrap(stanzas, &mut self.wrong.borrow_mut()).unwrap_or_else(|fault| {
                *self.fault.borrow_mut() = Some(fault);
                Some(Err(DecryptError::NoMatchingKeys))
            })
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
        DecryptError::Io(e) => return plugins::Failure::within(e).unwrap_or_else(|| damaged(path, e, None)),
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
