//! Handshakes: with ourselves, and with Go's `crypto/tls` and OpenSSL on the loopback interface.

#![forbid(unsafe_code)]

#[path = "../examples/client.rs"]
mod example_client;
#[path = "../examples/server.rs"]
mod example_server;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use ringwork_rustls::{MLKEM768, X25519MLKEM768, with_groups};
use rustls::{
    ClientConfig, ClientConnection, NamedGroup, RootCertStore, ServerConfig, ServerConnection, StreamOwned,
    crypto::{CryptoProvider, SupportedKxGroup, ring},
    pki_types::{PrivateKeyDer, ServerName},
};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

fn provider(groups: &[&'static dyn SupportedKxGroup]) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider { kx_groups: groups.to_vec(), ..ring::default_provider() })
}

fn certified() -> CertifiedKey<rcgen::KeyPair> {
    generate_simple_self_signed(["localhost".into()]).unwrap()
}

fn server(of: &CertifiedKey<rcgen::KeyPair>, provider: Arc<CryptoProvider>) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::try_from(of.signing_key.serialize_der()).unwrap();
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(builder.with_no_client_auth().with_single_cert(vec![of.cert.der().clone()], key).unwrap())
}

fn client(of: &CertifiedKey<rcgen::KeyPair>, provider: Arc<CryptoProvider>) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(of.cert.der().clone()).unwrap();
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(builder.with_root_certificates(roots).with_no_client_auth())
}

/// A handshake in memory; the group.
fn handshake(of_client: Arc<ClientConfig>, of_server: Arc<ServerConfig>) -> Result<NamedGroup, rustls::Error> {
    let mut client = ClientConnection::new(of_client, ServerName::try_from("localhost").unwrap())?;
    let mut server = ServerConnection::new(of_server)?;
    while client.is_handshaking() || server.is_handshaking() {
        let mut wire = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut wire).unwrap();
        }
        let mut wire = &wire[..];
        while !wire.is_empty() {
            server.read_tls(&mut wire).unwrap();
            server.process_new_packets()?;
        }
        let mut wire = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut wire).unwrap();
        }
        let mut wire = &wire[..];
        while !wire.is_empty() {
            client.read_tls(&mut wire).unwrap();
            client.process_new_packets()?;
        }
    }
    let group = client.negotiated_key_exchange_group().unwrap().name();
    assert_eq!(server.negotiated_key_exchange_group().unwrap().name(), group);
    Ok(group)
}

#[test]
fn handshakes_with_ourselves() {
    let of = certified();
    for group in [X25519MLKEM768, MLKEM768] {
        let found = handshake(client(&of, provider(&[group])), server(&of, provider(&[group]))).unwrap();
        assert_eq!(found, group.name());
    }
    // A server without the hybrid takes its X25519, which the client has offered along.
    let all = Arc::new(with_groups(ring::default_provider()));
    assert_eq!(all.kx_groups[0].name(), NamedGroup::X25519MLKEM768);
    assert_eq!(handshake(client(&of, all.clone()), server(&of, all.clone())).unwrap(), NamedGroup::X25519MLKEM768);
    let plain = Arc::new(ring::default_provider());
    assert_eq!(handshake(client(&of, all.clone()), server(&of, plain)).unwrap(), NamedGroup::X25519);
    assert!(handshake(client(&of, provider(&[MLKEM768])), server(&of, provider(&[X25519MLKEM768]))).is_err());
    assert_eq!(with_groups(with_groups(ring::default_provider())).kx_groups.len(), all.kx_groups.len());
}

#[test]
fn wrong_shares_are_refused() {
    for group in [X25519MLKEM768, MLKEM768] {
        let started = group.start().unwrap();
        let share = started.pub_key().to_vec();
        let answer = group.start_and_complete(&share).unwrap();
        assert_eq!(answer.secret.secret_bytes(), started.complete(&answer.pub_key).unwrap().secret_bytes());
        for length in [0, 32, share.len() - 1, share.len() + 1] {
            let mut bytes = share.clone();
            bytes.resize(length, 0);
            assert!(group.start_and_complete(&bytes).is_err(), "a share of {length} bytes");
            assert!(group.start().unwrap().complete(&bytes[..length.min(1087)]).is_err());
        }
        let mut large = share.clone();
        large[..3].fill(0xFF);
        assert!(group.start_and_complete(&large).is_err(), "a value of 4095");
    }
    // A point of small order, on both sides.
    let (group, mut share) = (X25519MLKEM768, X25519MLKEM768.start().unwrap().pub_key().to_vec());
    share[1184..].fill(0);
    assert!(group.start_and_complete(&share).is_err());
    let started = group.start().unwrap();
    let mut answer = group.start_and_complete(started.pub_key()).unwrap().pub_key;
    answer[1088..].fill(0);
    assert!(started.complete(&answer).is_err());
    let started = group.start().unwrap();
    let (name, point) = started.hybrid_component().unwrap();
    assert_eq!((name, point.len()), (NamedGroup::X25519, 32));
    assert!(started.complete_hybrid_component(&[0; 32]).is_err());
}

/// A folder, and in it files with a certificate and its private key.
fn on_disk(of: &CertifiedKey<rcgen::KeyPair>, name: &str) -> (PathBuf, [PathBuf; 2]) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = ["certificate.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&files[0], of.cert.pem()).unwrap();
    std::fs::write(&files[1], of.signing_key.serialize_pem()).unwrap();
    (folder, files)
}

/// The peer of Go, with a certificate beside it.
fn go(of: &CertifiedKey<rcgen::KeyPair>) -> (PathBuf, [PathBuf; 2]) {
    let (folder, files) = on_disk(of, "go");
    let peer = folder.join("peer");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/go/main.go");
    let built = Command::new("go").args(["build", "-o"]).arg(&peer).arg(source).env("GOFLAGS", "").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    (peer, files)
}

#[test]
fn examples_talk() {
    let of = certified();
    let (_, [certificate, key]) = on_disk(&of, "examples");
    let config = example_server::config(&certificate, &key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || example_server::serve(listener.accept().unwrap().0, config).unwrap());
    let config = example_client::config(&certificate).unwrap();
    let socket = TcpStream::connect(address).unwrap();
    let (answer, group) = example_client::ask(socket, "localhost", config, "hello\n").unwrap();
    assert_eq!((&*answer, group), ("hello\n", Some(NamedGroup::X25519MLKEM768)));
    server.join().unwrap();
}

#[test]
#[ignore = "OpenSSL 3.5 or newer is not installed: `cargo xtask interop` builds one"]
fn handshakes_with_openssl() {
    let openssl = || Command::new(std::env::var_os("RINGWORK_OPENSSL").expect("RINGWORK_OPENSSL names it"));
    let of = certified();
    let (_, [certificate, key]) = on_disk(&of, "openssl");

    // We are the client; its server answers lines backwards.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = openssl()
        .args(["s_server", "-rev", "-naccept", "1", "-groups", "X25519MLKEM768", "-accept"])
        .arg(format!("127.0.0.1:{port}"))
        .arg("-cert")
        .arg(&certificate)
        .arg("-key")
        .arg(&key)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let connect = || TcpStream::connect(("127.0.0.1", port)).ok();
    let socket = (0..100).find_map(|_| {
        connect().or_else(|| {
            thread::sleep(Duration::from_millis(50));
            None
        })
    });
    let config = example_client::config(&certificate).unwrap();
    let (answer, group) = example_client::ask(socket.unwrap(), "localhost", config, "hello\n").unwrap();
    assert_eq!((&*answer, group), ("olleh\n", Some(NamedGroup::X25519MLKEM768)));
    server.wait().unwrap();

    // We are the server.
    let config = example_server::config(&certificate, &key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || example_server::serve(listener.accept().unwrap().0, config).unwrap());
    let mut client = openssl()
        .args(["s_client", "-ign_eof", "-brief", "-groups", "X25519MLKEM768", "-servername", "localhost"])
        .args(["-verify_return_error", "-connect"])
        .arg(address.to_string())
        .arg("-CAfile")
        .arg(&certificate)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    client.stdin.as_mut().unwrap().write_all(b"hello\n").unwrap();
    let mut line = String::new();
    BufReader::new(client.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "hello\n");
    client.kill().unwrap();
    client.wait().unwrap();
    let _ = server.join();
}

#[test]
#[ignore = "`cargo xtask tls` runs it"]
fn handshakes_with_go() {
    let of = certified();
    let (peer, [certificate, key]) = go(&of);
    let groups = Arc::new(with_groups(ring::default_provider()));

    // We are the client.
    let mut process =
        Command::new(&peer).arg("server").arg(&certificate).arg(&key).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let socket = TcpStream::connect(lines.next().unwrap().unwrap()).unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(client(&of, groups.clone()), name).unwrap();
    let mut stream = StreamOwned::new(connection, socket);
    stream.write_all(b"hello\n").unwrap();
    let mut answer = [0; 6];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"hello\n");
    assert_eq!(stream.conn.negotiated_key_exchange_group().unwrap().name(), NamedGroup::X25519MLKEM768);
    assert_eq!(lines.next().unwrap().unwrap(), "X25519MLKEM768");
    assert!(process.wait().unwrap().success());

    // We are the server.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let process =
        Command::new(&peer).arg("client").arg(&certificate).arg(address).stdout(Stdio::piped()).spawn().unwrap();
    let (socket, _) = listener.accept().unwrap();
    let mut stream = StreamOwned::new(ServerConnection::new(server(&of, groups)).unwrap(), socket);
    let mut line = [0; 6];
    stream.read_exact(&mut line).unwrap();
    stream.write_all(&line).unwrap();
    assert_eq!(stream.conn.negotiated_key_exchange_group().unwrap().name(), NamedGroup::X25519MLKEM768);
    let output = process.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hello\nX25519MLKEM768\n");
    assert!(output.status.success());
}
