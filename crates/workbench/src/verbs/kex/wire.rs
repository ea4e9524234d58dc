//! The messages of a key exchange over one TCP connection.
//!
//! ```text
//! Alice, who connects                      Bob, who listens
//! offer                               ->
//!                                     <-   reply, confirmation
//! confirmation, end of her direction  ->
//!                                     <-   done, end of the connection
//! ```
//!
//! A message is `RINGKEX`, the version 1 in one byte, the step in one byte, the length of the rest in 4 little-endian
//! bytes, and the rest:
//!
//! | step | message | the rest |
//! |---|---|---|
//! | 1 | offer | an [object](ringwork::object), `exchange offer`: it names the set |
//! | 2 | reply | an object, `exchange reply` of that set |
//! | 3 | confirmation | 32 bytes, see [`confirmation`] |
//! | 4 | done | nothing |
//! | 5 | refusal | why, as text of at most 400 bytes; it may stand for any message |
//!
//! Nothing is kept of a length that the step and the set do not have. All of the exchange must be over within one
//! time. Nobody is authenticated.

use ringwork::{
    ct::SecretBytes,
    object::{Description, HEADER_BYTES, Header, Kind},
    registry,
    schemes::newhope::SharedKey,
    xof::Sha3_256,
};
use std::{
    fmt,
    io::{self, ErrorKind, Read, Write},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

const MAGIC: &[u8; 7] = b"RINGKEX";
const VERSION: u8 = 1;
const REFUSAL_BYTES: usize = 400;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Offer = 1,
    Reply = 2,
    Confirmation = 3,
    Done = 4,
    Refusal = 5,
}

impl Step {
    const ALL: [Self; 5] = [Self::Offer, Self::Reply, Self::Confirmation, Self::Done, Self::Refusal];
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Offer => "offer",
            Self::Reply => "reply",
            Self::Confirmation => "confirmation",
            Self::Done => "last word (done)",
            Self::Refusal => "refusal",
        })
    }
}

/// Why an exchange ends without a key.
#[derive(Debug)]
pub(super) enum Trouble {
    /// This side refuses what it got, and says so.
    Refused(String),
    /// There is nobody who would hear it.
    Lost(String),
}

/// Whose confirmation it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Alice = b'A' as isize,
    Bob = b'B' as isize,
}

/// 32 bytes that nobody can know who does not have the key: SHA3-256 of `ringwork key exchange confirmation 1`, `A` or
/// `B`, whoever sends it, the key, and offer and reply as they were sent.
pub(super) fn confirmation(role: Role, key: &SharedKey, offer: &[u8], reply: &[u8]) -> SecretBytes<32> {
    let (mut hash, mut digest) = (Sha3_256::default(), SecretBytes::zeros());
    for part in [&b"ringwork key exchange confirmation 1"[..], &[role as u8], &key.as_bytes()[..], offer, reply] {
        hash.update(part);
    }
    hash.finish_into(&mut digest);
    digest
}

/// The other side.
pub(super) struct Peer {
    stream: TcpStream,
    time: Duration,
    end: Instant,
}

impl Peer {
    /// The exchange must be over at that time from now.
    pub(super) fn new(stream: TcpStream, time: Duration) -> Self {
        let _ = stream.set_nodelay(true);
        Self { stream, time, end: Instant::now() + time }
    }

    /// Sends a message.
    pub(super) fn send(&mut self, step: Step, rest: &[u8]) -> Result<(), Trouble> {
        let length = (rest.len() as u32).to_le_bytes();
        let message = [&MAGIC[..], &[VERSION, step as u8], &length, rest].concat();
        let sent = self.write(&message);
        sent.map_err(|e| Trouble::Lost(format!("this side's {step} cannot be sent: {}", self.why(&e))))
    }

    /// Sends nothing more.
    pub(super) fn end_of_direction(&self) -> Result<(), Trouble> {
        self.stream.shutdown(Shutdown::Write).map_err(|e| Trouble::Lost(format!("the connection broke: {e}")))
    }

    /// Says why, as far as the other side still listens. What it has sent meanwhile is read, for a connection that is
    /// closed before takes the refusal with it.
    pub(super) fn refuse(&mut self, why: &str) {
        const MEANWHILE: (Duration, usize) = (Duration::from_secs(2), 1 << 16);
        let end = (0..=why.len().min(REFUSAL_BYTES)).rev().find(|&end| why.is_char_boundary(end)).unwrap_or_default();
        self.end = self.end.min(Instant::now() + MEANWHILE.0);
        if self.send(Step::Refusal, &why.as_bytes()[..end]).is_err() || self.end_of_direction().is_err() {
            return;
        }
        let (mut piece, mut count) = ([0; 1 << 10], 0);
        while let Ok(bytes @ 1..) = self.some(&mut piece) {
            count += bytes;
            if count > MEANWHILE.1 {
                break;
            }
        }
    }

    /// The object that a message has, once `allowed` has accepted its set and said how long its body is.
    pub(super) fn object(
        &mut self,
        step: Step,
        kind: Kind,
        allowed: impl FnOnce(&'static Description) -> Result<usize, String>,
    ) -> Result<Vec<u8>, Trouble> {
        let length = self.head(step)?;
        if length < HEADER_BYTES {
            return Err(Trouble::Refused(format!("the {step} has {length} bytes, too few for an object")));
        }
        let refused = |e: &dyn fmt::Display| Trouble::Refused(format!("the {step}: {e}"));
        let mut bytes = vec![0; HEADER_BYTES];
        self.read(&mut bytes, step)?;
        let header = Header::decode(&bytes, &registry::KNOWN).map_err(|e| refused(&e))?;
        header.expect(kind).map_err(|e| refused(&e))?;
        let expected = HEADER_BYTES + allowed(header.description).map_err(Trouble::Refused)?;
        if length != expected || header.object_bytes() != expected {
            let (set, object) = (header.description.name, header.object_bytes());
            return Err(refused(&format_args!(
                "a message of {length} bytes with an object of {object}, and of {set} both have {expected}"
            )));
        }
        bytes.resize(expected, 0);
        self.read(&mut bytes[HEADER_BYTES..], step)?;
        registry::decode(&bytes).map_err(|e| refused(&e))?;
        Ok(bytes)
    }

    /// Reads a confirmation, which must be that one.
    pub(super) fn confirms(&mut self, expected: &SecretBytes<32>) -> Result<(), Trouble> {
        self.exactly(Step::Confirmation, 32)?;
        let mut found = SecretBytes::zeros();
        self.read(&mut found[..], Step::Confirmation)?;
        // In constant time.
        if found == *expected {
            return Ok(());
        }
        Err(Trouble::Refused(
            "the confirmation is wrong: the two sides have different keys, for a message was changed on its way, or \
             this is one of the scheme's rare failures; no key is kept"
                .into(),
        ))
    }

    /// Reads the last word.
    pub(super) fn is_done(&mut self) -> Result<(), Trouble> {
        self.exactly(Step::Done, 0)
    }

    /// The other side sends nothing more.
    pub(super) fn is_at_its_end(&mut self) -> Result<(), Trouble> {
        match self.some(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(Trouble::Refused("there are bytes behind the last message".into())),
            Err(e) => Err(Trouble::Lost(format!("its last message is not followed by its end: {}", self.why(&e)))),
        }
    }

    fn exactly(&mut self, step: Step, length: usize) -> Result<(), Trouble> {
        match self.head(step)? {
            found if found == length => Ok(()),
            found => Err(Trouble::Refused(format!("the {step} has {found} bytes, and must have {length}"))),
        }
    }

    /// The length of the rest of a message, which must be that step.
    fn head(&mut self, expected: Step) -> Result<usize, Trouble> {
        let refused = |why: String| Err(Trouble::Refused(why));
        let mut start = [0; MAGIC.len() + 1];
        self.read(&mut start, expected)?;
        let (magic, version) = (&start[..MAGIC.len()], start[MAGIC.len()]);
        if magic != MAGIC {
            return refused("what came is no key exchange of ringwork, whose messages begin with RINGKEX".into());
        }
        if version != VERSION {
            return refused(format!("what came has version {version}, and this program speaks version {VERSION}"));
        }
        let mut rest = [0; 5];
        self.read(&mut rest, expected)?;
        let [number, length @ ..] = rest;
        let length = u32::from_le_bytes(length) as usize;
        match Step::ALL.into_iter().find(|step| *step as u8 == number) {
            Some(Step::Refusal) if length <= REFUSAL_BYTES => {
                let mut why = vec![0; length];
                self.read(&mut why, Step::Refusal)?;
                // Somebody else's words: nothing in them moves the cursor.
                let shown = |&byte: &u8| if (b' '..=b'~').contains(&byte) { byte.into() } else { '?' };
                let why: String = why.iter().map(shown).collect();
                Err(Trouble::Lost(format!("the other side refuses: {why}")))
            }
            Some(Step::Refusal) => {
                refused(format!("a refusal of {length} bytes came, which have at most {REFUSAL_BYTES}"))
            }
            Some(step) if step == expected => Ok(length),
            Some(step) => refused(format!("{step} came where the {expected} should have come")),
            None => refused(format!("step {number} came where the {expected} should have come, and there is none")),
        }
    }

    fn read(&mut self, bytes: &mut [u8], step: Step) -> Result<(), Trouble> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.some(&mut bytes[filled..]) {
                Ok(0) => return Err(Trouble::Lost(format!("the other side closed the connection before its {step}"))),
                Ok(count) => filled += count,
                Err(e) => return Err(Trouble::Lost(format!("its {step} did not come: {}", self.why(&e)))),
            }
        }
        Ok(())
    }

    /// Some bytes; none at the end.
    fn some(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.stream.set_read_timeout(Some(self.left()?))?;
            match self.stream.read(bytes) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.stream.set_write_timeout(Some(self.left()?))?;
            match self.stream.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// How much time there is.
    fn left(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    fn why(&self, e: &io::Error) -> String {
        match e.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => {
                format!("the exchange took more than {} seconds (--timeout)", self.time.as_secs())
            }
            _ => e.to_string(),
        }
    }
}
