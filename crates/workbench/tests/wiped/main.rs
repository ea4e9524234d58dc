//! Nothing is left in memory of the secrets of identities, handshakes and the command's verbs: see
//! `crates/ringwork/tests/wiped`, whose search this is.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

#[path = "../../../ringwork/tests/wiped/search.rs"]
#[allow(dead_code, reason = "the schemes' tests use the rest")]
mod search;

use age::{Decryptor, Encryptor, secrecy::ExposeSecret};
use age_core::{
    format::{FileKey, Stanza},
    primitives::hkdf,
};
use ringwork::{
    ct::sys_rng,
    registry,
    schemes::{
        mldsa::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SigningKey, pkcs8::EncodePrivateKey},
        mlkem::{DecapsulationKey, MlKem768, ParameterSet},
    },
    xof::{ByteStream, Shake256},
    xwing,
};
use ringwork_age::{
    keys::{self, Identity},
    research,
};
use ringwork_rustls::{MLKEM768, X25519MLKEM768};
use rustls::crypto::SupportedKxGroup;
use search::{Found, Running, Secrets, found, stop};
use std::{
    array,
    cell::RefCell,
    collections::BTreeSet,
    env, fs,
    io::{Read, Write},
    iter,
    path::Path,
    process::ExitCode,
};
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

#[test]
fn in_the_child() {
    search::in_the_child(|case| {
        let [kind, desk, what] = case.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{case} is no case") };
        match kind {
            "identity" => identity(Path::new(desk), what),
            "handshake" => handshake(Path::new(desk), what),
            "command" => command(Path::new(desk), what),
            other => panic!("{other} is no kind"),
        }
    });
}

fn schemes() -> impl Iterator<Item = &'static str> {
    keys::STANDARD.into_iter().chain(research::schemes())
}

/// What is in the memory of a child that runs such a case in a folder, which `prepare` fills.
fn found_of(kind: &str, what: &str, prepare: impl Fn(&Path), secrets: impl FnOnce(&Path) -> Secrets) -> Found {
    let folder = tempfile::tempdir().expect("a folder");
    let desk = folder.path();
    prepare(desk);
    found(&format!("{kind} {} {what}", desk.display()), || secrets(desk))
}

/// An identity, written as text, read again, and used.
fn identity(desk: &Path, scheme: &str) {
    let identity = Identity::generate(scheme).expect("a known scheme");
    let text = identity.to_text();
    fs::write(desk.join("identity"), text.expose_secret()).expect("a file");
    let again: Identity = text.expose_secret().parse().expect("an identity");
    let recipient = identity.to_public();
    let encryptor = Encryptor::with_recipients(iter::once(&recipient as &dyn age::Recipient)).expect("a recipient");
    let mut encrypted = Vec::new();
    let mut stream = encryptor.wrap_output(&mut encrypted).expect("memory");
    stream.write_all(b"a file").expect("memory");
    stream.finish().expect("memory");
    let decryptor = Decryptor::new_buffered(&encrypted[..]).expect("a header");
    let mut opened = String::new();
    let mut stream = decryptor.decrypt(iter::once(&again as &dyn age::Identity)).expect("its identity");
    stream.read_to_string(&mut opened).expect("a file");
    assert_eq!(opened, "a file");
    drop((identity, again, text, stream));
    stop();
}

/// The text of an identity, and the seeds in it.
fn of_identity(text: &str, secrets: &mut Secrets) {
    let text = text.trim();
    let data = text.rfind('1').expect("Bech32") + 1;
    secrets.add("the text", &text.as_bytes()[data..], 24);
    secrets.add("the text in small letters", text[data..].to_lowercase().as_bytes(), 24);
    let bytes = bytes_of(text);
    if let Some(end) = bytes.iter().position(|&byte| byte == b'\n').filter(|_| text.starts_with("AGE-PLUGIN-")) {
        secrets.add("the saved key", &bytes[end + 1..], 16);
        return;
    }
    secrets.add("the key", &bytes, 16);
    if text.starts_with("AGE-SECRET-KEY-PQ-1") {
        let mut parts = [0; 96];
        Shake256::new(&bytes).read(&mut parts);
        for (name, part) in ["d", "z", "x"].into_iter().zip(parts.chunks_exact(32)) {
            secrets.add(name, part, 16);
        }
    }
}

/// What is written in Bech32, without its checksum.
fn bytes_of(text: &str) -> Vec<u8> {
    const CHARACTERS: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
    let data = &text[text.rfind('1').expect("Bech32") + 1..text.len() - 6];
    let values = data.chars().map(|c| CHARACTERS.find(c).expect("Bech32"));
    let bits: Vec<usize> = values.flat_map(|value| (0..5).rev().map(move |bit| value >> bit & 1)).collect();
    bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit) as u8).collect()
}

#[test]
fn nothing_is_left_of_identities() {
    for scheme in schemes() {
        let found = found_of(
            "identity",
            scheme,
            |_| (),
            |desk| {
                let mut secrets = Secrets::default();
                of_identity(&fs::read_to_string(desk.join("identity")).expect("a file"), &mut secrets);
                secrets
            },
        );
        // age's own X25519 is of the crate `age`, whose key is an array that moves.
        if scheme != "x25519" {
            assert_eq!(found, Found::default(), "{scheme}");
        }
    }
}

fn group(name: &str) -> &'static dyn SupportedKxGroup {
    [X25519MLKEM768, MLKEM768].into_iter().find(|group| format!("{:?}", group.name()) == name).expect("a group")
}

/// Both sides of an exchange, which stops while the client waits for the server's share. What the parent knows its
/// secrets by is copied to files.
fn handshake(desk: &Path, name: &str) {
    let group = group(name);
    let client = group.start().expect("a share");
    fs::write(desk.join("share"), client.pub_key()).expect("a file");
    stop();
    let server = group.start_and_complete(client.pub_key()).expect("a share");
    let secret = client.complete(&server.pub_key).expect("a share");
    assert!(secret.secret_bytes() == server.secret.secret_bytes());
    fs::write(desk.join("secret"), secret.secret_bytes()).expect("a file");
    drop((secret, server));
    stop();
}

/// The client's own secrets, which it tells nobody: d of ML-KEM and X25519's, by the public keys that they make. All
/// windows of its memory are tried that may be random.
fn ephemeral(running: &Running, share: &[u8]) -> Secrets {
    let (key, point) = share.split_at(MlKem768::ENCAPSULATION_KEY_BYTES);
    let (mut secrets, mut known) = (Secrets::default(), BTreeSet::new());
    let is_random = |bytes: &[u8; 32]| bytes.iter().collect::<BTreeSet<_>>().len() > 20;
    for memory in running.memory() {
        let windows = memory.windows(32).step_by(8).filter_map(|window| window.first_chunk::<32>());
        for window in windows.filter(|window| is_random(window)) {
            let mut seed = [0; 64];
            seed[..32].copy_from_slice(window);
            let is_d = DecapsulationKey::<MlKem768>::of_seed(&seed).encapsulation_key().as_bytes() == key;
            let is_x = PublicKey::from(&StaticSecret::from(*window)).as_bytes() == point;
            for name in [is_d.then_some("d"), is_x.then_some("x")].into_iter().flatten() {
                secrets.add(name, window, 16);
                known.insert(name);
            }
        }
    }
    assert_eq!(known.len(), if point.is_empty() { 1 } else { 2 }, "found are only {known:?}");
    secrets
}

#[test]
fn nothing_is_left_of_handshakes() {
    for group in [X25519MLKEM768, MLKEM768] {
        let folder = tempfile::tempdir().expect("a folder");
        let desk = folder.path();
        let mut running = Running::start(&format!("handshake {} {:?}", desk.display(), group.name()));
        let mut secrets = ephemeral(&running, &fs::read(desk.join("share")).expect("a file"));
        running.go_on();
        secrets.add("the secret", &fs::read(desk.join("secret")).expect("a file"), 16);
        assert_eq!(running.found(&secrets), Found::default(), "{group:?}");
    }
}

/// Runs the command as its program does, and stops where that would end.
fn command(desk: &Path, line: &str) {
    env::set_current_dir(desk).expect("a folder");
    let words = iter::once("ringwork").chain(line.split(' ')).map(Into::into);
    assert_eq!(ringwork_workbench::command(words), ExitCode::SUCCESS, "{line}");
    stop();
}

fn identity_in(desk: &Path) -> Secrets {
    let file = fs::read_to_string(desk.join("key")).expect("an identity");
    let text = file.lines().find(|line| line.starts_with("AGE-")).expect("an identity");
    let mut secrets = Secrets::default();
    of_identity(text, &mut secrets);
    secrets
}

/// A file of three chunks, so that several threads work.
fn plaintext() -> Vec<u8> {
    let mut bytes = vec![0; (2 << 16) + 1000];
    Shake256::new(b"a file").read(&mut bytes);
    bytes
}

/// The identity, the plaintext, and the keys of encrypted files that it opens.
fn identity_and_files_in(desk: &Path, files: &[&str]) -> Secrets {
    struct Spy(Identity, RefCell<Vec<u8>>);
    impl age::Identity for Spy {
        fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, age::DecryptError>> {
            let key = self.0.unwrap_stanza(stanza)?;
            Some(key.inspect(|key| *self.1.borrow_mut() = key.expose_secret().to_vec()))
        }
    }
    let (mut secrets, plaintext) = (identity_in(desk), plaintext());
    for chunk in plaintext.chunks(1 << 16) {
        secrets.add("the file", &chunk[..256], 16);
        secrets.add("the file", &chunk[chunk.len() - 256..], 16);
    }
    let text = fs::read_to_string(desk.join("key")).expect("an identity");
    for name in files {
        let identity = keys::identities(&text).expect("an identity").pop().expect("an identity");
        let file = fs::read(desk.join(name)).expect("a file");
        let spy = Spy(identity, RefCell::default());
        Decryptor::new_buffered(&file[..]).expect("a header").decrypt(iter::once(&spy as _)).expect("its identity");
        let key = spy.1.take();
        // Three chunks with their tags stand behind the nonce.
        let nonce = file[..file.len() - plaintext.len() - 48].last_chunk::<16>().expect("a nonce");
        secrets.add("the key of the payload", &hkdf(nonce, b"payload", &key), 16);
        secrets.add("the key of the file", &key, 16);
    }
    secrets
}

#[test]
fn nothing_is_left_of_keygen_encrypt_decrypt_and_rekey() {
    for scheme in schemes().filter(|scheme| *scheme != "x25519") {
        let reason = registry::encapsulation(scheme).and_then(|scheme| scheme.research_reason());
        let research = reason.map_or("", |_| " --research");
        let made = found_of("command", &format!("keygen --scheme {scheme} -o key"), |_| (), identity_in);
        assert_eq!(made, Found::default(), "keygen of {scheme}");
        let run = |desk: &Path, line: &str| {
            let words = line.split(' ').filter(|word| !word.is_empty());
            let program = env!("CARGO_BIN_EXE_ringwork");
            let run = std::process::Command::new(program).args(words).current_dir(desk).output().expect("it runs");
            assert!(run.status.success(), "{line}: {}", String::from_utf8_lossy(&run.stderr));
        };
        let encrypt = format!("encrypt -R key.pub -o file.age file{research}");
        let with_keys = |desk: &Path| {
            fs::write(desk.join("file"), plaintext()).expect("a file");
            run(desk, &format!("keygen --scheme {scheme} -o key"));
            run(desk, "key public key -o key.pub");
        };
        let with_file = |desk: &Path| {
            with_keys(desk);
            run(desk, &encrypt);
        };
        let opened = found_of("command", "decrypt -i key -o opened file.age", with_file, |desk| {
            identity_and_files_in(desk, &["file.age"])
        });
        assert_eq!(opened, Found::default(), "decrypt by {scheme}");
        // What stands behind a header is the same for every scheme.
        if scheme != keys::STANDARD[0] {
            continue;
        }
        let encrypted = found_of("command", &encrypt, with_keys, |desk| identity_and_files_in(desk, &["file.age"]));
        assert_eq!(encrypted, Found::default(), "encrypt by {scheme}");
        let rekey = format!("rekey -i key -R key.pub -o again.age file.age{research}");
        let again =
            found_of("command", &rekey, with_file, |desk| identity_and_files_in(desk, &["file.age", "again.age"]));
        assert_eq!(again, Found::default(), "rekey by {scheme}");
    }
}

#[test]
fn nothing_is_left_of_signatures() {
    fn of_set<P: MlDsaParams>() {
        let seed = Zeroizing::new(vec![0x5A; 32]);
        let key = SigningKey::<P>::from_seed(seed[..].try_into().expect("32 bytes"));
        let pem = key.to_pkcs8_pem(Default::default()).expect("PEM");
        let prepare = |desk: &Path| {
            fs::write(desk.join("key"), pem.as_bytes()).expect("a file");
            fs::write(desk.join("file"), "a file").expect("a file");
        };
        let secrets = |_: &Path| {
            let mut secrets = Secrets::default();
            let set = P::PARAMETERS;
            let mut hashed = [0; 128];
            Shake256::new(&[&seed[..], &[set.k as u8, set.l as u8]].concat()).read(&mut hashed);
            secrets.add("xi", &seed, 32);
            secrets.add("rho'", &hashed[32..96], 16);
            secrets.add("K", &hashed[96..], 16);
            secrets.add("s1 and s2, packed", &key.to_expanded()[128..512], 48);
            let text: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
            secrets.add("the text", &text.as_bytes()[32..], 24);
            secrets
        };
        let found = found_of("command", "signature sign --key key --in file --out file.sig", prepare, secrets);
        assert_eq!(found, Found::default(), "{}", P::PARAMETERS.name);

        // Under a passphrase.
        const PASSPHRASE: &str = "twelve gulls on a grey pier";
        let der = key.to_pkcs8_der().expect("DER");
        let info = pkcs8::PrivateKeyInfoRef::try_from(der.as_bytes()).expect("a private key");
        let locked = info.encrypt_with_rng(&mut sys_rng(), PASSPHRASE).expect("encrypted");
        let locked = locked.to_pem("ENCRYPTED PRIVATE KEY", Default::default()).expect("PEM");
        let prepare = |desk: &Path| {
            for (name, text) in [("key", &**locked), ("word", PASSPHRASE), ("file", "a file")] {
                fs::write(desk.join(name), text).expect("a file");
            }
        };
        let secrets = |desk: &Path| {
            let mut secrets = secrets(desk);
            secrets.add("the passphrase", PASSPHRASE.as_bytes(), 16);
            secrets
        };
        let found = found_of("command", "sign --key key --passphrase-file word file", prepare, secrets);
        assert_eq!(found, Found::default(), "{} under a passphrase", P::PARAMETERS.name);
    }
    of_set::<MlDsa44>();
    of_set::<MlDsa65>();
    of_set::<MlDsa87>();
}

#[test]
fn nothing_is_left_of_shared_keys() {
    let text_of = |pem: &str| pem.lines().filter(|line| !line.starts_with('-')).collect::<String>();
    let check = |pem: &str, ciphertext: &[u8], of_key: &dyn Fn(&mut Secrets)| {
        let prepare = |desk: &Path| {
            fs::write(desk.join("key"), pem).expect("a file");
            fs::write(desk.join("sealed"), ciphertext).expect("a file");
        };
        let secrets = |_: &Path| {
            let mut secrets = Secrets::default();
            let text = text_of(pem);
            secrets.add("the text", &text.as_bytes()[text.len() - 40..], 24);
            of_key(&mut secrets);
            secrets
        };
        let line = "kem decapsulate --key key --ciphertext sealed --shared shared";
        assert_eq!(found_of("command", line, prepare, secrets), Found::default(), "{} bytes", ciphertext.len());
    };
    let seed: [u8; 64] = array::from_fn(|i| (7 * i + 3) as u8);
    let key = DecapsulationKey::<MlKem768>::of_seed(&seed);
    let (ciphertext, shared) = key.encapsulation_key().encapsulate_derand(&[9; 32]);
    check(&key.to_pkcs8_pem(Default::default()).expect("PEM"), &ciphertext, &|secrets| {
        secrets.add("d and z", &seed, 32);
        secrets.add("s, packed", &key.to_expanded()[..384], 48);
        secrets.add("the shared key", &shared.as_bytes()[..], 32);
    });
    let seed = seed.first_chunk().expect("32 bytes");
    let key = xwing::DecapsulationKey::from_seed(seed);
    let (ciphertext, shared) = key.encapsulation_key().encapsulate_derand(&[9; 64]);
    check(&key.to_pkcs8_pem(Default::default()).expect("PEM"), &ciphertext, &|secrets| {
        let mut expanded = [0; 96];
        Shake256::new(seed).read(&mut expanded);
        secrets.add("the seed", seed, 32);
        secrets.add("d, z and x", &expanded, 32);
        secrets.add("the shared key", &shared.as_bytes()[..], 32);
    });
}
