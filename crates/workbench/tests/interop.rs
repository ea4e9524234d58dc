//! Other programs of age: their files are read, and ours are read by them. `cargo xtask age` and
//! `rage` build them and run these tests.

use crate::desk::{Desk, RINGWORK, file};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// Another program, in a folder with its plugins; ours is the plugin beside the command.
struct Program {
    name: &'static str,
    folder: PathBuf,
    desk: Desk,
}

impl Program {
    fn new(name: &'static str, variable: &str) -> Self {
        let folder = env::var_os(variable).unwrap_or_else(|| panic!("{variable} names the folder of {name}"));
        let desk = Desk::new();
        desk.put("plain", file(200_000));
        desk.put("pass", "correct horse\n");
        Self { name, folder: folder.into(), desk }
    }

    /// Runs a program of that folder, which must succeed.
    #[track_caller]
    fn run(&self, program: &str, line: &str) -> Vec<u8> {
        let ours = Path::new(RINGWORK).parent().unwrap().as_os_str();
        let own = env::var_os("PATH").unwrap_or_default();
        let path = [self.folder.as_os_str(), ours, &own].join(&OsString::from(":"));
        let mut command = Command::new(self.folder.join(program));
        command.args(line.split_whitespace()).current_dir(self.desk.path(""));
        let output = command.env("PATH", path).env("AGE_PASSPHRASE", "correct horse").output().unwrap();
        assert!(output.status.success(), "{program} {line}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// `plain` encrypted by each program and decrypted by the other, armored and not. The parts of
    /// lines are recipients and identities: ours, and theirs.
    #[track_caller]
    fn both_ways(&self, [to, from]: [&str; 2], [their_to, their_from]: [&str; 2]) {
        for armor in ["", "-a"] {
            let same = |bytes: &[u8], how: &str| assert!(bytes == file(200_000), "{how}, {to}, {their_to}, {armor}");
            self.desk.run(&format!("encrypt {to} {armor} -o ours plain --force")).is(0);
            same(&self.run(self.name, &format!("-d {their_from} ours")), "ours by them");
            self.run(self.name, &format!("-e {their_to} {armor} -o theirs plain"));
            same(&self.desk.run(&format!("decrypt {from} theirs")).is(0).bytes, "theirs by us");
            std::fs::remove_file(self.desk.path("theirs")).unwrap();
        }
    }

    /// For keys that were made by whomever.
    #[track_caller]
    fn with_keys(&self, secret: &str, public: &str) {
        let (to, from) = (format!("-R {public}"), format!("-i {secret}"));
        self.both_ways([&to, &from], [&to, &from]);
    }

    /// Makes keys of ours.
    fn ours(&self, scheme: &str) {
        self.desk.run(&format!("keygen --scheme {scheme} -o {scheme}.key")).is(0);
        self.desk.run(&format!("key public {scheme}.key -o {scheme}.pub")).is(0);
    }
}

#[test]
#[ignore = "`cargo xtask age` runs it"]
fn with_go() {
    let age = Program::new("age", "RINGWORK_GO_AGE");
    let desk = &age.desk;
    for (scheme, option) in [("mlkem768x25519", "-pq"), ("x25519", "")] {
        age.ours(scheme);
        age.with_keys(&format!("{scheme}.key"), &format!("{scheme}.pub"));
        assert_eq!(age.run("age-keygen", &format!("-y {scheme}.key")), desk.bytes(&format!("{scheme}.pub")));
        age.run("age-keygen", &format!("{option} -o {scheme}.their-key"));
        desk.put(&format!("{scheme}.their-pub"), age.run("age-keygen", &format!("-y {scheme}.their-key")));
        age.with_keys(&format!("{scheme}.their-key"), &format!("{scheme}.their-pub"));
        assert_eq!(
            desk.run(&format!("key public {scheme}.their-key")).is(0).bytes,
            desk.bytes(&format!("{scheme}.their-pub"))
        );
        // Several recipients, of both makers.
        let both = format!("-R {scheme}.pub -R {scheme}.their-pub");
        for suffix in ["key", "their-key"] {
            let secret = format!("-i {scheme}.{suffix}");
            age.both_ways([&both, &secret], [&both, &secret]);
        }
        // Keys in an encrypted file: theirs asks on a terminal, so ours alone is read by both.
        desk.run(&format!("encrypt -p --passphrase-file pass -o {scheme}.locked {scheme}.their-key")).is(0);
        desk.run(&format!("encrypt -R {scheme}.pub -o again plain --force")).is(0);
        let locked = format!("key public {scheme}.locked --passphrase-file pass");
        assert_eq!(desk.run(&locked).is(0).bytes, desk.bytes(&format!("{scheme}.their-pub")));
    }
    age.both_ways(["-p --passphrase-file pass", "--passphrase-file pass"], ["-j batchpass", "-j batchpass"]);
    for scheme in ["nttru-768", "mlwe-256"] {
        age.ours(scheme);
        age.with_keys(&format!("{scheme}.key"), &format!("{scheme}.pub"));
    }
}

#[test]
#[ignore = "`cargo xtask rage` runs it"]
fn with_rage() {
    let rage = Program::new("rage", "RINGWORK_RAGE");
    for scheme in ["x25519", "nttru-768", "mlwe-256"] {
        rage.ours(scheme);
        rage.with_keys(&format!("{scheme}.key"), &format!("{scheme}.pub"));
    }
    rage.run("rage-keygen", "-o their-key");
    let public = rage.run("rage-keygen", "-y their-key");
    rage.desk.put("their-pub", public);
    rage.with_keys("their-key", "their-pub");
}
