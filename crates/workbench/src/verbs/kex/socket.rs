//! `kex listen|connect`: the exchange over one TCP connection.

use super::{
    DEFAULT, Way, check, said, set,
    wire::{Peer, Role, Step, Trouble, confirmation},
};
use crate::{
    fault::Fault,
    files::{self, Kind as Access},
    screen::Screen,
};
use clap::Args;
use ringwork::{
    ct::sys_rng,
    object::{Description, HEADER_BYTES, Kind},
    registry,
    schemes::newhope::SharedKey,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    io::{self, ErrorKind},
    net::{Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    path::PathBuf,
    time::{Duration, Instant},
};

/// Arguments of the side that waits.
#[derive(Args, Debug)]
pub(crate) struct Listen {
    /// Where to wait: an address of this machine and a port, such as 127.0.0.1:7420 or [::]:7420; with port 0 a free
    /// one, which is shown
    #[arg(value_name = "ADDRESS:PORT", value_parser = endpoint)]
    address: String,
    /// The parameter set that is accepted; any, if left out
    #[arg(long, value_name = "NAME", value_parser = set)]
    set: Option<&'static Description>,
    #[command(flatten)]
    end: End,
}

/// Arguments of the side that connects.
#[derive(Args, Debug)]
pub(crate) struct Connect {
    /// Where the other side listens: a host and a port, such as 127.0.0.1:7420, [::1]:7420 or host:7420
    #[arg(value_name = "ADDRESS:PORT", value_parser = endpoint)]
    address: String,
    /// Parameter set: mlkem-512, mlkem-768, mlkem-1024 or x-wing; usenix2016 or psi12 of NewHope, which is for research
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = set)]
    set: &'static Description,
    #[command(flatten)]
    end: End,
}

/// What both sides have.
#[derive(Args, Debug)]
struct End {
    /// Where to put the shared key of 32 bytes, or - for standard output
    #[arg(long, alias = "key", value_name = "FILE")]
    out: PathBuf,
    /// How long the exchange may take once the other side is there, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: u64,
    #[command(flatten)]
    way: Way,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

/// The side that waited.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Listened<'a> {
    /// `listen`.
    step: &'a str,
    /// The parameter set.
    set: &'a str,
    /// Where this side listened.
    address: String,
    /// The address of the other side, which nobody has authenticated.
    peer: String,
    /// The same on both sides if key, offer and reply are; compare it, for the exchange is not authenticated.
    check: &'a str,
    /// The file of the shared key.
    key: Cow<'a, str>,
}

/// The side that connected.
#[derive(Serialize, JsonSchema)]
pub(in super::super) struct Connected<'a> {
    /// `connect`.
    step: &'a str,
    /// The parameter set.
    set: &'a str,
    /// The address that was connected to, which nobody has authenticated.
    peer: String,
    /// The same on both sides if key, offer and reply are; compare it, for the exchange is not authenticated.
    check: &'a str,
    /// The file of the shared key.
    key: Cow<'a, str>,
}

const WARNING: &str = "this exchange is NOT AUTHENTICATED: someone in the middle is not noticed, unless both sides \
                       compare the check that is shown at the end over a channel that they trust";

impl Listen {
    pub(super) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        self.end.check()?;
        self.set.map_or(Ok(()), |set| self.end.way.scheme(set).map(drop))?;
        let listener = TcpListener::bind(&resolved(&self.address)?[..]).map_err(|e| {
            let hint = match e.kind() {
                ErrorKind::AddrInUse => "; take another port, or 0 for one that is free",
                ErrorKind::AddrNotAvailable => "; this machine has no such address",
                ErrorKind::PermissionDenied => "; ports below 1024 are often reserved",
                _ => "",
            };
            Fault::Input(format!("{}: cannot listen there: {e}{hint}", self.address))
        })?;
        let unable = |e: io::Error| Fault::Input(format!("{}: nobody can be waited for: {e}", self.address));
        let address = listener.local_addr().map_err(unable)?;
        screen.note(WARNING);
        screen.note(&format!("listening on {address}"));
        let (stream, peer) = loop {
            match listener.accept() {
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                other => break other.map_err(unable)?,
            }
        };
        drop(listener); // whoever else comes is told so at once
        let (set, key, check) = self.end.with(stream, peer, |other| self.answer(other))?;
        let (address, peer, file) = (address.to_string(), peer.to_string(), self.end.out.to_string_lossy());
        let answer = Listened { step: "listen", set: set.name, address, peer, check: &check, key: file };
        self.end.keep(screen, set, &check, &key, answer)
    }

    /// Bob's part: the set, the key, and what both sides compare.
    fn answer(&self, other: &mut Peer) -> Result<(&'static Description, SharedKey, String), Trouble> {
        let mut found = None;
        let offer = other.object(Step::Offer, Kind::ExchangeOffer, |set| {
            if let Some(own) = self.set.filter(|own| *own != set) {
                return Err(differ(own, set));
            }
            let scheme = self.end.way.scheme(set).map_err(|why| why.to_string())?;
            let [bytes, _] = scheme.message_bytes();
            found = Some((set, scheme));
            Ok(bytes)
        })?;
        let (set, scheme) = found.expect("the set was accepted");
        let answer = scheme.respond(&offer[HEADER_BYTES..], &mut sys_rng());
        let (reply, key) = answer.map_err(|e| Trouble::Refused(format!("the offer: {e}")))?;
        let check = check(&key, &registry::offer_digest(&offer[HEADER_BYTES..]), &reply);
        let reply = set.encode(Kind::ExchangeReply, &reply);
        other.send(Step::Reply, &reply)?;
        other.send(Step::Confirmation, &confirmation(Role::Bob, &key, &offer, &reply)[..])?;
        other.confirms(&confirmation(Role::Alice, &key, &offer, &reply))?;
        other.is_at_its_end()?;
        other.send(Step::Done, &[])?;
        Ok((set, key, check))
    }
}

impl Connect {
    pub(super) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        self.end.check()?;
        self.end.way.scheme(self.set)?;
        let addresses = resolved(&self.address)?;
        screen.note(WARNING);
        let (stream, peer) = self.connected(&addresses)?;
        let (key, check) = self.end.with(stream, peer, |other| self.ask(other))?;
        let (peer, file) = (peer.to_string(), self.end.out.to_string_lossy());
        let answer = Connected { step: "connect", set: self.set.name, peer, check: &check, key: file };
        self.end.keep(screen, self.set, &check, &key, answer)
    }

    /// A connection to the first address that takes one.
    fn connected(&self, addresses: &[SocketAddr]) -> Result<(TcpStream, SocketAddr), Fault> {
        let end = Instant::now() + self.end.time();
        let mut why = io::Error::from(ErrorKind::TimedOut);
        for address in addresses {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match TcpStream::connect_timeout(address, left) {
                Ok(stream) => return Ok((stream, *address)),
                Err(e) => why = e,
            }
        }
        let hint = match why.kind() {
            ErrorKind::ConnectionRefused => "; the other side has to be there first: ringwork kex listen",
            ErrorKind::TimedOut | ErrorKind::WouldBlock => "; --timeout waits longer",
            _ => "",
        };
        Err(Fault::Input(format!("{}: no connection: {why}{hint}", self.address)))
    }

    /// Alice's part: the key, and what both sides compare.
    fn ask(&self, other: &mut Peer) -> Result<(SharedKey, String), Trouble> {
        let scheme = self.end.way.scheme(self.set).map_err(|why| Trouble::Refused(why.to_string()))?;
        let (secret, offer) = scheme.init(&mut sys_rng());
        let digest = registry::offer_digest(&offer);
        let offer = self.set.encode(Kind::ExchangeOffer, &offer);
        other.send(Step::Offer, &offer)?;
        let reply = other.object(Step::Reply, Kind::ExchangeReply, |set| {
            let [_, bytes] = scheme.message_bytes();
            if set == self.set { Ok(bytes) } else { Err(differ(self.set, set)) }
        })?;
        let key = scheme.finish(&secret, &reply[HEADER_BYTES..]);
        let key = key.map_err(|e| Trouble::Refused(format!("the reply: {e}")))?;
        other.confirms(&confirmation(Role::Bob, &key, &offer, &reply))?;
        other.send(Step::Confirmation, &confirmation(Role::Alice, &key, &offer, &reply)[..])?;
        other.end_of_direction()?;
        other.is_done()?;
        other.is_at_its_end()?;
        let check = check(&key, &digest, &reply[HEADER_BYTES..]);
        Ok((key, check))
    }
}

impl End {
    /// Before anything is sent.
    fn check(&self) -> Result<(), Fault> {
        files::check_outputs(&[(&self.out, Access::Secret)], self.force)
    }

    const fn time(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// Does one side's part with whoever is there.
    fn with<T>(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        part: impl FnOnce(&mut Peer) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        let mut other = Peer::new(stream, self.time());
        part(&mut other).map_err(|trouble| {
            let why = match trouble {
                Trouble::Refused(why) => {
                    other.refuse(&why);
                    why
                }
                Trouble::Lost(why) => why,
            };
            Fault::Input(format!("{address}: {why}"))
        })
    }

    /// Puts the key where it belongs, and tells of it.
    fn keep(
        &self,
        screen: &Screen,
        set: &Description,
        check: &str,
        key: &SharedKey,
        answer: impl Serialize,
    ) -> Result<(), Fault> {
        files::write(&self.out, key.as_bytes(), Access::Secret, self.force)?;
        let note = "both sides have the same key; NOBODY WAS AUTHENTICATED: use it only if the other side, asked over \
                    a channel that you trust, has the same check";
        said(screen, set, check, answer, &["key"], note)
    }
}

/// One set is that of this side.
fn differ(own: &Description, others: &Description) -> String {
    format!("the sets differ: one side has {}, and the other sent a message of {}", own.name, others.name)
}

/// A host and a port.
fn endpoint(text: &str) -> Result<String, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or_default();
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(bracketed) => bracketed.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && !host.contains([':', '[', ']', '/']),
    };
    if !is_host || port.parse::<u16>().is_err() {
        return Err("a host and a port from 0 to 65535 are needed, such as 127.0.0.1:7420 or [::1]:7420".into());
    }
    Ok(text.to_owned())
}

/// The addresses of a host.
fn resolved(text: &str) -> Result<Vec<SocketAddr>, Fault> {
    let addresses = text.to_socket_addrs().map_err(|e| Fault::Input(format!("{text}: no such host: {e}")))?;
    Ok(addresses.collect())
}
