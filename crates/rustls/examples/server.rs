//! Sends back the lines of whoever connects, and says by which group the key was agreed on.
//!
//! `cargo run --example server -- certificate.pem key.pem 127.0.0.1:8443`

#![forbid(unsafe_code)]

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use std::{
    error::Error,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::Arc,
};

/// For that certificate and private key, with X25519MLKEM768 before the groups of *ring*.
pub(crate) fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, Box<dyn Error>> {
    let provider = ringwork_rustls::with_groups(rustls::crypto::ring::default_provider());
    let certificates = CertificateDer::pem_file_iter(certificate)?.collect::<Result<Vec<_>, _>>()?;
    let builder = ServerConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions()?;
    Ok(builder.with_no_client_auth().with_single_cert(certificates, PrivateKeyDer::from_pem_file(key)?)?.into())
}

/// Serves one client.
pub(crate) fn serve(socket: TcpStream, config: Arc<ServerConfig>) -> Result<(), Box<dyn Error>> {
    let mut stream = BufReader::new(StreamOwned::new(ServerConnection::new(config)?, socket));
    let mut line = String::new();
    while stream.read_line(&mut line)? > 0 {
        stream.get_mut().write_all(line.as_bytes())?;
        line.clear();
    }
    println!("{:?}", stream.get_ref().conn.negotiated_key_exchange_group());
    Ok(())
}

#[allow(dead_code, reason = "the tests take the other functions")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [certificate, key, address] = &*arguments else {
        return Err("server CERTIFICATE KEY ADDRESS:PORT".into());
    };
    let config = config(Path::new(certificate), Path::new(key))?;
    for socket in TcpListener::bind(address)?.incoming() {
        if let Err(why) = serve(socket?, config.clone()) {
            eprintln!("{why}");
        }
    }
    Ok(())
}
