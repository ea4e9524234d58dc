//! Sends a line, shows the answer, and says by which group the key was agreed on.
//!
//! `cargo run --example client -- certificate.pem localhost:8443`; the certificate is the one that is trusted.

#![forbid(unsafe_code)]

use rustls::{
    ClientConfig, ClientConnection, NamedGroup, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use std::{
    error::Error,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::Path,
    sync::Arc,
};

/// That trusts one certificate, with X25519MLKEM768 before the groups of *ring*.
pub(crate) fn config(trusted: &Path) -> Result<Arc<ClientConfig>, Box<dyn Error>> {
    let provider = ringwork_rustls::with_groups(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(trusted)?)?;
    let builder = ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth().into())
}

/// Sends a line to the server of that name, and returns the answer and the group.
pub(crate) fn ask(
    socket: TcpStream,
    name: &str,
    config: Arc<ClientConfig>,
    line: &str,
) -> Result<(String, Option<NamedGroup>), Box<dyn Error>> {
    let connection = ClientConnection::new(config, ServerName::try_from(name)?.to_owned())?;
    let mut stream = BufReader::new(StreamOwned::new(connection, socket));
    stream.get_mut().write_all(line.as_bytes())?;
    let mut answer = String::new();
    stream.read_line(&mut answer)?;
    let StreamOwned { conn, sock } = stream.get_mut();
    conn.send_close_notify();
    conn.write_tls(sock)?;
    Ok((answer, conn.negotiated_key_exchange_group().map(|group| group.name())))
}

#[allow(dead_code, reason = "the tests take the other functions")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [trusted, address] = &*arguments else {
        return Err("client CERTIFICATE HOST:PORT".into());
    };
    let (host, _) = address.rsplit_once(':').ok_or("HOST:PORT is needed")?;
    let (answer, group) = ask(TcpStream::connect(address)?, host, config(Path::new(trusted))?, "hello\n")?;
    println!("{} by {group:?}", answer.trim_end());
    Ok(())
}
