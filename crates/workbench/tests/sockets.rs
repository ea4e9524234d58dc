//! Key exchange over TCP, between two processes of the command, and with others that do not keep to the protocol.

use crate::desk::{Desk, Listener, Outcome};
use ringwork::{
    Backend,
    ct::sys_rng,
    object::{HEADER_BYTES, Kind},
    registry::{self, Exchange},
    xof::Sha3_256,
};
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

const SETS: [&str; 6] = ["newhope-usenix2016", "newhope-psi12", "mlkem-512", "mlkem-768", "mlkem-1024", "x-wing"];
const OFFER: u8 = 1;
const REPLY: u8 = 2;
const CONFIRMATION: u8 = 3;
const DONE: u8 = 4;
const REFUSAL: u8 = 5;

fn listen(desk: &Desk, options: &str) -> Listener {
    desk.listen(&format!("kex listen 127.0.0.1:0 --out bob {options}"))
}

fn connect(desk: &Desk, address: impl std::fmt::Display, options: &str) -> Outcome {
    desk.run(&format!("kex connect {address} --out alice {options}"))
}

#[test]
fn two_processes_agree_over_tcp() {
    for set in SETS {
        let desk = Desk::new();
        let (short, own) =
            (set.trim_start_matches("newhope-"), if set == "mlkem-768" { "--set ML-KEM-768" } else { "" });
        let listener = listen(&desk, &format!("--json {own}"));
        let address = listener.address.clone();
        let alice = connect(&desk, &address, &format!("--set {short} --json")).is(0);
        let bob = listener.outcome().is(0);
        for warned in [&alice.err, &bob.err] {
            assert!(warned.contains("NOT AUTHENTICATED"), "{warned}");
        }
        let (alice, bob) = (alice.json(), bob.json());
        assert_eq!((&alice["set"], &bob["set"]), (&set.into(), &set.into()));
        assert_eq!((&alice["peer"], &bob["address"]), (&address.clone().into(), &address.into()));
        assert_eq!(alice["check"], bob["check"]);
        assert_eq!(alice["check"].as_str().unwrap().len(), 4 * 8 + 3);
        assert_eq!((desk.bytes("alice").len(), desk.bytes("bob")), (32, desk.bytes("alice")));
        #[cfg(unix)]
        for name in ["alice", "bob"] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}

/// The way of calculating is each side's own affair; text and standard output as for the other verbs.
#[test]
fn each_side_calculates_as_it_likes() {
    let desk = Desk::new();
    let listener = desk.listen("kex listen 127.0.0.1:0 --out - --set psi12 --backend scalar");
    let alice = connect(&desk, &listener.address, "--set psi12 --backend scalar --reduction montgomery").is(0);
    let bob = listener.outcome().is(0);
    assert_eq!(bob.bytes, desk.bytes("alice"));
    let check = alice.out.lines().find(|line| line.starts_with("check: ")).unwrap();
    assert!(bob.err.contains(check) && alice.out.contains("NOBODY WAS AUTHENTICATED"), "{} {}", alice.out, bob.err);
    for verb in ["listen", "connect"] {
        let help = desk.run(&format!("kex {verb} --help")).is(0).out;
        assert!(help.contains("NOT AUTHENTICATED") && help.contains("compare the check"), "{help}");
    }
}

#[test]
fn sets_that_differ_are_named_on_both_sides() {
    for (bobs, alices) in [("psi12", "usenix2016"), ("mlkem-768", "mlkem-512"), ("usenix2016", "mlkem-1024")] {
        let desk = Desk::new();
        let listener = listen(&desk, &format!("--set {bobs}"));
        let alice = connect(&desk, &listener.address, &format!("--set {alices}")).says(3, "the sets differ");
        let bob = listener.outcome().says(3, "the sets differ");
        for err in [alice.err, bob.err] {
            assert!(err.contains(bobs) && err.contains(alices), "{err}");
        }
        assert!(desk.files().is_empty());
    }
}

fn frame(step: u8, rest: &[u8]) -> Vec<u8> {
    [b"RINGKEX\x01", &[step][..], &(rest.len() as u32).to_le_bytes(), rest].concat()
}

/// The next message.
fn next(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut head = [0; 13];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head[..8], b"RINGKEX\x01");
    let mut rest = vec![0; u32::from_le_bytes(head[9..].try_into().unwrap()) as usize];
    stream.read_exact(&mut rest).unwrap();
    (head[8], rest)
}

fn confirmation(role: u8, key: &[u8], offer: &[u8], reply: &[u8]) -> [u8; 32] {
    let mut hash = Sha3_256::default();
    hash.update(&[b"ringwork key exchange confirmation 1", &[role][..], key, offer, reply].concat());
    hash.finish()
}

fn scheme(set: &str) -> Box<dyn Exchange + Send + Sync> {
    registry::exchange(set, Backend::best(), None).unwrap().unwrap()
}

fn encoded(set: &str, kind: Kind, body: &[u8]) -> Vec<u8> {
    registry::by_name(set).unwrap().encode(kind, body)
}

/// The command listens, and `talk` is all that comes. It ends with exit code 3, and leaves nothing. What it answers is
/// returned.
#[track_caller]
fn listener_refuses(options: &str, words: &str, talk: impl FnOnce(&mut TcpStream)) -> Vec<u8> {
    let desk = Desk::new();
    let listener = listen(&desk, options);
    let mut stream = TcpStream::connect(&listener.address).unwrap();
    talk(&mut stream);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let outcome = listener.outcome().says(3, words);
    assert!(outcome.bytes.is_empty() && desk.files().is_empty(), "{}", outcome.out);
    answer
}

#[test]
fn a_listener_refuses_what_is_no_offer() {
    const SET: &str = "newhope-psi12";
    let (_, body) = scheme(SET).init(&mut sys_rng());
    let offer = encoded(SET, Kind::ExchangeOffer, &body);
    let good = frame(OFFER, &offer);
    let with = |at: usize, bytes: &[u8]| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        bad
    };
    let of = |set: &str, kind, body: &[u8]| frame(OFFER, &encoded(set, kind, body));
    for (bytes, words) in [
        (vec![], "closed the connection before its offer"),
        (good[..9].to_vec(), "closed the connection before its offer"),
        (good[..40].to_vec(), "closed the connection before its offer"),
        (good[..good.len() - 1].to_vec(), "closed the connection before its offer"),
        (frame(REFUSAL, b"not\x1b[2J today"), "the other side refuses: not?[2J today"),
    ] {
        listener_refuses("", words, |stream| stream.write_all(&bytes).unwrap());
    }
    for (bytes, words) in [
        (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n".to_vec(), "no key exchange of ringwork"),
        (vec![0xa5; 1 << 14], "no key exchange of ringwork"),
        (with(7, &[2]), "version 2, and this program speaks version 1"),
        (with(8, &[0]), "step 0 came"),
        (with(8, &[9]), "step 9 came where the offer should have come"),
        (with(8, &[REPLY]), "reply came where the offer should have come"),
        (frame(CONFIRMATION, &[0; 32]), "confirmation came where the offer should have come"),
        (frame(REFUSAL, &[b'x'; 401]), "a refusal of 401 bytes came, which have at most 400"),
        (with(9, &[255; 4]), "4294967295 bytes"),
        (with(9, &[0; 4]), "0 bytes, too few for an object"),
        (with(9, &[1]), "a message of 1793 bytes with an object of 1900, and of newhope-psi12 both have 1900"),
        (with(13, b"X"), "those begin with RINGWORK"),
        (with(13 + 10, &[99]), "scheme 99"),
        (with(13 + 36, &[0, 0, 0, 1]), "an object of 16777292"),
        (with(13 + 36, &[255; 8]), "it has 16777216 at most"),
        (with(good.len() - 1, &[good[good.len() - 1] ^ 1]), "the digest does not match"),
        (of(SET, Kind::ExchangeReply, &body), "this is an exchange reply, and an exchange offer is needed"),
        (of("bdlop-1024", Kind::Commitment, &body), "this is a commitment"),
        (of(SET, Kind::ExchangeOffer, &body[1..]), "both have 1900"),
        (of(SET, Kind::ExchangeOffer, &[0xff; 1824]), "number 0 is 16383, not below 12289"),
        (of("mlkem-512", Kind::ExchangeOffer, &[0xff; 800]), "number 0 is 4095, not below 3329"),
        (of("mlkem-1024", Kind::ExchangeOffer, &[0xff; 1568]), "number 0 is 4095, not below 3329"),
        (of("mlkem-768", Kind::ExchangeOffer, &[0; 1185]), "both have 1260"),
    ] {
        let answer = listener_refuses("", words, |stream| stream.write_all(&bytes).unwrap());
        // It says why, in one message, which a connection that closes does not swallow.
        assert_eq!((&answer[..8], answer[8]), (&b"RINGKEX\x01"[..], REFUSAL));
        assert!(String::from_utf8_lossy(&answer[13..]).contains(words), "{words}: {answer:?}");
    }
}

#[test]
fn a_listener_keeps_no_key_that_is_not_confirmed() {
    for set in ["newhope-usenix2016", "mlkem-768"] {
        let scheme = scheme(set);
        // An offer and what the listener makes of it; then what is sent in place of Alice's confirmation.
        let end = |words: &str, last: fn([u8; 32]) -> Vec<u8>| {
            listener_refuses("", words, |stream| {
                let (secret, body) = scheme.init(&mut sys_rng());
                let offer = encoded(set, Kind::ExchangeOffer, &body);
                stream.write_all(&frame(OFFER, &offer)).unwrap();
                let (step, reply) = next(stream);
                assert_eq!(step, REPLY);
                let key = scheme.finish(&secret, &reply[HEADER_BYTES..]).unwrap();
                let [alices, bobs] = [b'A', b'B'].map(|role| confirmation(role, key.as_bytes(), &offer, &reply));
                assert_eq!(next(stream), (CONFIRMATION, bobs.to_vec()));
                stream.write_all(&last(alices)).unwrap();
            });
        };
        end("closed the connection before its confirmation", |_| vec![]);
        end("the confirmation is wrong", |_| frame(CONFIRMATION, &[0; 32]));
        end("the confirmation is wrong", |mut right| {
            right[31] ^= 1;
            frame(CONFIRMATION, &right)
        });
        end("the confirmation has 31 bytes, and must have 32", |right| frame(CONFIRMATION, &right[1..]));
        end("last word (done) came where the confirmation", |_| frame(DONE, &[]));
        end("bytes behind the last message", |right| [frame(CONFIRMATION, &right), vec![0]].concat());
        end("bytes behind the last message", |right| frame(CONFIRMATION, &right).repeat(2));
    }
    // An offer twice.
    let (_, body) = scheme("mlkem-512").init(&mut sys_rng());
    let twice = frame(OFFER, &encoded("mlkem-512", Kind::ExchangeOffer, &body)).repeat(2);
    listener_refuses("", "offer came where the confirmation", |stream| stream.write_all(&twice).unwrap());
}

/// The command connects to a side that talks like that. It ends with exit code 3, and leaves nothing.
#[track_caller]
fn connecting_refuses(options: &str, words: &str, talk: impl FnOnce(&mut TcpStream) + Send) {
    let desk = Desk::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let outcome = thread::scope(|scope| {
        scope.spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            talk(&mut stream);
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        });
        connect(&desk, address, options)
    });
    assert!(outcome.says(3, words).bytes.is_empty() && desk.files().is_empty());
}

#[test]
fn the_side_that_connects_refuses_as_well() {
    for (set, other) in [("newhope-psi12", "newhope-usenix2016"), ("mlkem-768", "mlkem-512")] {
        let options = &*format!("--set {set}");
        let of = |set: &str, kind, body: &[u8]| frame(REPLY, &encoded(set, kind, body));
        let [_, bytes] = scheme(set).message_bytes();
        let empty = vec![0; bytes];
        for (answer, words) in [
            (vec![], "closed the connection before its reply"),
            (b"SSH-2.0-OpenSSH_9.9\r\n".to_vec(), "no key exchange of ringwork"),
            (frame(REFUSAL, b"no"), "the other side refuses: no"),
            (frame(CONFIRMATION, &[0; 32]), "confirmation came where the reply"),
            (of(set, Kind::ExchangeReply, &empty[1..]), "and of "),
            (of(set, Kind::ExchangeReply, &[&empty[..], &[0]].concat()), "and of "),
            (of(other, Kind::ExchangeReply, &empty), "the sets differ"),
            (of(set, Kind::ExchangeSecret, &empty), "this is an exchange secret"),
            // Possible as a reply, and without a confirmation that fits.
            (
                [of(set, Kind::ExchangeReply, &empty), frame(CONFIRMATION, &[0; 32])].concat(),
                "the confirmation is wrong",
            ),
            (of(set, Kind::ExchangeReply, &empty), "closed the connection before its confirmation"),
        ] {
            connecting_refuses(options, words, |stream| {
                assert_eq!(next(stream).0, OFFER);
                stream.write_all(&answer).unwrap();
            });
        }
        if set.starts_with("newhope") {
            let bad = of(set, Kind::ExchangeReply, &[0xff; 2048]);
            connecting_refuses(options, "number 0 is 16383, not below 12289", |stream| stream.write_all(&bad).unwrap());
        }
        // An honest side up to a point.
        let honest = |words: &str, spoilt: bool, last: Vec<u8>| {
            connecting_refuses(options, words, |stream| {
                let (_, offer) = next(stream);
                let (mut body, key) = scheme(set).respond(&offer[HEADER_BYTES..], &mut sys_rng()).unwrap();
                let good = encoded(set, Kind::ExchangeReply, &body);
                let confirmation = confirmation(b'B', key.as_bytes(), &offer, &good);
                // A ciphertext that was changed is rejected implicitly: Alice gets another key.
                body[bytes - 1] ^= u8::from(spoilt);
                stream.write_all(&frame(REPLY, &encoded(set, Kind::ExchangeReply, &body))).unwrap();
                stream.write_all(&frame(CONFIRMATION, &confirmation)).unwrap();
                assert_eq!(next(stream).0, if spoilt { REFUSAL } else { CONFIRMATION });
                stream.write_all(&last).unwrap();
            });
        };
        honest("the confirmation is wrong: the two sides have different keys", true, vec![]);
        honest("closed the connection before its last word", false, vec![]);
        honest("must have 0", false, frame(DONE, &[0]));
        honest("bytes behind the last message", false, [frame(DONE, &[]), vec![1]].concat());
        honest("the other side refuses: I changed my mind", false, frame(REFUSAL, b"I changed my mind"));
    }
}

/// Whoever changes a message on its way is noticed by both sides; whoever makes an exchange with each is noticed by
/// those alone who compare.
#[test]
fn someone_in_the_middle() {
    for set in ["newhope-usenix2016", "mlkem-768"] {
        let desk = Desk::new();
        let listener = listen(&desk, "");
        let bob = listener.address.clone();
        let middle = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = middle.local_addr().unwrap();
        let alice = thread::scope(|scope| {
            scope.spawn(move || {
                let mut alice = middle.accept().unwrap().0;
                let mut bob = TcpStream::connect(bob).unwrap();
                let (step, offer) = next(&mut alice);
                bob.write_all(&frame(step, &offer)).unwrap();
                let (step, reply) = next(&mut bob);
                let mut body = reply[HEADER_BYTES..].to_vec();
                body[0] ^= 1;
                alice.write_all(&frame(step, &encoded(set, Kind::ExchangeReply, &body))).unwrap();
                let (step, confirmation) = next(&mut bob);
                alice.write_all(&frame(step, &confirmation)).unwrap();
                let (step, answer) = next(&mut alice);
                assert_eq!(step, REFUSAL);
                bob.write_all(&frame(step, &answer)).unwrap();
            });
            connect(&desk, address, &format!("--set {set}"))
        });
        alice.says(3, "the confirmation is wrong");
        listener.outcome().says(3, "the other side refuses: the confirmation is wrong");
        assert!(desk.files().is_empty());
    }
    // Two honest exchanges, one with each.
    let desk = Desk::new();
    let (first, second) = (listen(&desk, ""), desk.listen("kex listen 127.0.0.1:0 --out middle"));
    let [alice, to_bob] = [("alice", &second), ("middle2", &first)]
        .map(|(out, to)| desk.run(&format!("kex connect {} --out {out} --json", to.address)).is(0).json());
    assert_eq!(first.outcome().is(0).code, second.outcome().is(0).code);
    assert!(alice["check"] != to_bob["check"] && desk.bytes("alice") != desk.bytes("bob"));
}

/// With NewHope someone in the middle can give both sides one key, which she knows: b = 0 and u = 0 make both of them
/// Rec(0, r). Both confirmations are right, and the check differs.
#[test]
fn one_key_for_both_sides_does_not_make_one_check() {
    const POLYNOMIAL: usize = 1792;
    for set in ["newhope-usenix2016", "newhope-psi12"] {
        let desk = Desk::new();
        let listener = desk.listen("kex listen 127.0.0.1:0 --out bob --json");
        let bob = listener.address.clone();
        let middle = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = middle.local_addr().unwrap();
        let scheme = scheme(set);
        let (own_secret, _) = scheme.init(&mut ringwork::ct::sys_rng());
        let alice = thread::scope(|scope| {
            scope.spawn(move || {
                let (mut alice, mut bob) = (middle.accept().unwrap().0, TcpStream::connect(bob).unwrap());
                let (_, offer) = next(&mut alice);
                let to_bob = encoded(set, Kind::ExchangeOffer, &vec![0; offer.len() - HEADER_BYTES]);
                bob.write_all(&frame(OFFER, &to_bob)).unwrap();
                let (_, reply) = next(&mut bob);
                let (step, of_bob) = next(&mut bob);
                let mut body = reply[HEADER_BYTES..].to_vec();
                body[..POLYNOMIAL].fill(0);
                let key = scheme.finish(&own_secret, &body).unwrap();
                let to_alice = encoded(set, Kind::ExchangeReply, &body);
                assert_eq!(of_bob, confirmation(b'B', key.as_bytes(), &to_bob, &reply), "she knows Bob's key");
                alice.write_all(&frame(REPLY, &to_alice)).unwrap();
                alice.write_all(&frame(step, &confirmation(b'B', key.as_bytes(), &offer, &to_alice))).unwrap();
                next(&mut alice);
                bob.write_all(&frame(step, &confirmation(b'A', key.as_bytes(), &to_bob, &reply))).unwrap();
                bob.shutdown(Shutdown::Write).unwrap();
                let (step, last) = next(&mut bob);
                alice.write_all(&frame(step, &last)).unwrap();
            });
            desk.run(&format!("kex connect {address} --set {set} --out alice --json")).is(0).json()
        });
        let bob = listener.outcome().is(0).json();
        assert_eq!(desk.bytes("alice"), desk.bytes("bob"), "one key");
        assert_ne!(alice["check"], bob["check"], "{set}");
    }
}

#[test]
fn nobody_waits_for_ever() {
    let within = |start: Instant| assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let start = Instant::now();
    // Not a byte.
    listener_refuses("--timeout 1", "the exchange took more than 1 seconds", |stream| {
        stream.read_to_end(&mut Vec::new()).unwrap();
    });
    // A byte now and then.
    listener_refuses("--timeout 1", "the exchange took more than 1 seconds", |stream| {
        for byte in frame(OFFER, &[b'R'; 100]) {
            thread::sleep(Duration::from_millis(50));
            if stream.write_all(&[byte]).is_err() {
                break;
            }
        }
    });
    connecting_refuses("--timeout 1", "the exchange took more than 1 seconds", |stream| {
        stream.read_to_end(&mut Vec::new()).unwrap();
    });
    within(start);
}

#[test]
fn addresses_must_make_sense() {
    let desk = Desk::new();
    for text in
        ["nowhere", ":7420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:7420", "[]:1", "h:x"]
    {
        for verb in ["listen", "connect"] {
            desk.run(&format!("kex {verb} {text} --out key")).says(2, "such as 127.0.0.1:7420 or [::1]:7420");
        }
    }
    for options in ["--timeout 0", "--timeout 86401", "--timeout soon", "--set mlkem"] {
        desk.run(&format!("kex listen 127.0.0.1:0 --out key {options}")).is(2);
    }
    desk.run("kex connect 127.0.0.1:1 --out key --set kyber")
        .says(2, "usenix2016, psi12, mlkem-512, mlkem-768, mlkem-1024, x-wing");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    desk.run(&format!("kex listen {address} --out key")).says(3, "take another port, or 0");
    connect(&desk, "127.0.0.1:1", "").says(3, "the other side has to be there first");
    desk.run("kex listen 192.0.2.1:0 --out key").says(3, "this machine has no such address");
    desk.run("kex connect host.invalid:7420 --out key").says(3, "host.invalid:7420: no such host");
    desk.run("kex listen 127.0.0.1:0 --out nowhere/key").says(3, "nowhere");
    assert!(desk.files().is_empty());
    // Before anything is sent.
    desk.put("alice", "something dear");
    let listener = listen(&desk, "");
    connect(&desk, &listener.address, "").says(3, "there is such a file already");
    connect(&desk, &listener.address, "--force").is(0);
    listener.outcome().is(0);
    assert_eq!(desk.bytes("alice"), desk.bytes("bob"));
    desk.run("kex listen 127.0.0.1:0 --out bob").says(3, "there is such a file already");
}
