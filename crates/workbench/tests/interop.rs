//! Other programs of age: their files are read, and ours are read by them. `cargo xtask age` and
//! `rage` build them and run these tests.

use crate::{
    desk::{Desk, RINGWORK, file},
    ssh_keys::{ED25519, ED25519_PUB, RSA, RSA_PUB},
};
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Keys of every kind, each with who opens its files.
const KEYS: [&str; 6] = ["mlkem768x25519", "x25519", "ssh-ed25519", "ssh-rsa", "nttru-768", "mlwe-256"];

/// What a plugin of age's tests opens.
const TAGGED: &str = include_str!("../../../vectors/age/tagtest.txt");
/// Who names the folders of other programs.
const GO_AGE: &str = "RINGWORK_GO_AGE";
const RAGE: &str = "RINGWORK_RAGE";

/// A program, in a folder with its plugins; ours are the plugins beside the command.
struct Program {
    name: &'static str,
    folder: PathBuf,
}

impl Program {
    fn ours() -> Self {
        Self { name: "ringwork", folder: Path::new(RINGWORK).parent().unwrap().into() }
    }

    fn of(name: &'static str, variable: &str) -> Option<Self> {
        env::var_os(variable).map(|folder| Self { name, folder: folder.into() })
    }

    /// Runs a program of that folder, which must succeed.
    #[track_caller]
    fn run(&self, desk: &Desk, program: &str, line: &str) -> Vec<u8> {
        let own = env::var_os("PATH").unwrap_or_default();
        let (ours, theirs) = (Self::ours().folder, env::var_os(GO_AGE).filter(|_| self.name == "ringwork"));
        let folders = [Some(self.folder.as_os_str()), Some(ours.as_os_str()), theirs.as_deref(), Some(&own)];
        let path = folders.into_iter().flatten().collect::<Vec<_>>().join(&OsString::from(":"));
        let mut command = Command::new(self.folder.join(program));
        command.args(line.split_whitespace()).current_dir(desk.path(""));
        let output = command.env("PATH", path).env("AGE_PASSPHRASE", "correct horse").output().unwrap();
        assert!(output.status.success(), "{program} {line}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Encrypts `plain` to `encrypted`, as text or not.
    #[track_caller]
    fn encrypt(&self, desk: &Desk, to: &str, armor: &str) {
        let _ = fs::remove_file(desk.path("encrypted"));
        let verb = if self.name == "ringwork" { "encrypt" } else { "-e" };
        self.run(desk, self.name, &format!("{verb} {to} {armor} -o encrypted plain"));
    }

    /// Decrypts that to what was encrypted.
    #[track_caller]
    fn decrypt(&self, desk: &Desk, from: &str, how: &str) {
        let verb = if self.name == "ringwork" { "decrypt" } else { "-d" };
        let opened = self.run(desk, self.name, &format!("{verb} {from} encrypted"));
        assert!(opened == desk.bytes("plain"), "{how}, by {} {from}", self.name);
    }
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("plain", file(200_000));
    desk.put("pass", "correct horse\n");
    desk
}

/// Files by each program are read by each: how many.
#[track_caller]
fn each_by_each(
    desk: &Desk,
    programs: &[Program],
    to: impl Fn(&Program) -> String,
    from: impl Fn(&Program) -> String,
) -> u32 {
    let mut read = 0;
    for by in programs {
        for armor in ["", "-a"] {
            by.encrypt(desk, &to(by), armor);
            for other in programs {
                other.decrypt(desk, &from(other), &format!("{} {} {armor}", by.name, to(by)));
                read += 1;
            }
        }
    }
    read
}

/// [`KEYS`] are in a desk, with a file for what they are encrypted to.
fn with_keys(desk: &Desk) {
    for (name, key, public) in [("ssh-ed25519", ED25519, ED25519_PUB), ("ssh-rsa", RSA, RSA_PUB)] {
        desk.put(&format!("{name}.key"), key);
        desk.put(&format!("{name}.pub"), public);
    }
    for scheme in KEYS.iter().filter(|name| !name.starts_with("ssh")) {
        desk.run(&format!("keygen --scheme {scheme} -o {scheme}.key")).is(0);
        desk.run(&format!("key public {scheme}.key -o {scheme}.pub")).is(0);
    }
    Program::ours().run(desk, "age-plugin-pq", "-identity -o mlkem768x25519.plugin mlkem768x25519.key");
}

/// Every key, every program, every other one, as text and not.
fn matrix(programs: &[Program]) {
    let desk = desk();
    with_keys(&desk);
    let mut read = 0;
    for key in KEYS {
        // rage has the post-quantum keys by a plugin, which is ours.
        let suffix = |by: &Program| if by.name == "rage" && key == KEYS[0] { "plugin" } else { "key" };
        let (to, from) = (|_: &Program| format!("-R {key}.pub"), |by: &Program| format!("-i {key}.{}", suffix(by)));
        read += each_by_each(&desk, programs, to, from);
    }
    let count = programs.len() as u32;
    assert_eq!(read, 6 * count * count * 2);
    println!("{read} of {read} files of {count} programs are read");
}

#[test]
#[ignore = "`cargo xtask age` runs it"]
fn with_go() {
    let programs = [Program::ours(), Program::of("age", GO_AGE).expect("RINGWORK_GO_AGE names its folder")];
    matrix(&programs);
    let (desk, age) = (desk(), &programs[1]);
    with_keys(&desk);
    for (scheme, option) in [("mlkem768x25519", "-pq"), ("x25519", "")] {
        assert_eq!(age.run(&desk, "age-keygen", &format!("-y {scheme}.key")), desk.bytes(&format!("{scheme}.pub")));
        age.run(&desk, "age-keygen", &format!("{option} -o {scheme}.their-key"));
        desk.put(&format!("{scheme}.their-pub"), age.run(&desk, "age-keygen", &format!("-y {scheme}.their-key")));
        assert_eq!(
            desk.run(&format!("key public {scheme}.their-key")).is(0).bytes,
            desk.bytes(&format!("{scheme}.their-pub"))
        );
        // Their keys, and several recipients of both makers.
        let both = format!("-R {scheme}.pub -R {scheme}.their-pub");
        for (to, suffix) in
            [(format!("-R {scheme}.their-pub"), "their-key"), (both.clone(), "their-key"), (both, "key")]
        {
            each_by_each(&desk, &programs, |_| to.clone(), |_| format!("-i {scheme}.{suffix}"));
        }
        // Keys in an encrypted file: theirs asks on a terminal, so ours alone is read by both.
        desk.run(&format!("encrypt -p --passphrase-file pass -o {scheme}.locked {scheme}.their-key")).is(0);
        let locked = format!("key public {scheme}.locked --passphrase-file pass");
        assert_eq!(desk.run(&locked).is(0).bytes, desk.bytes(&format!("{scheme}.their-pub")));
    }
    // Passphrases, by a plugin of theirs, which ours runs too.
    for ours in ["-p --passphrase-file pass", "-j batchpass"] {
        let from = ours.trim_start_matches("-p ");
        let of = |by: &Program, line: &str| if by.name == "age" { "-j batchpass".into() } else { line.to_owned() };
        each_by_each(&desk, &programs, |by| of(by, ours), |by| of(by, from));
    }
    // Recipients of hardware, which a plugin of their tests opens.
    for recipient in TAGGED.lines().filter(|line| !line.starts_with('#')) {
        each_by_each(&desk, &programs, |_| format!("-r {recipient}"), |_| "-j tagtest".into());
    }
    // Their plugin for post-quantum keys writes the same identities.
    let theirs = age.run(&desk, "age-plugin-pq", "-identity mlkem768x25519.key");
    assert!(theirs == desk.bytes("mlkem768x25519.plugin"));
    each_by_each(&desk, &programs, |_| "-i mlkem768x25519.plugin".into(), |_| "-i mlkem768x25519.plugin".into());
}

/// With Go's age too, if it is there.
#[test]
#[ignore = "`cargo xtask rage` runs it"]
fn with_rage() {
    let rage = || Program::of("rage", RAGE).expect("RINGWORK_RAGE names its folder");
    matrix(
        &[Some(Program::ours()), Some(rage()), Program::of("age", GO_AGE)].into_iter().flatten().collect::<Vec<_>>(),
    );
    let (desk, rage) = (desk(), rage());
    rage.run(&desk, "rage-keygen", "-o their-key");
    let public = rage.run(&desk, "rage-keygen", "-y their-key");
    desk.put("their-pub", public);
    each_by_each(&desk, &[Program::ours(), rage], |_| "-R their-pub".into(), |_| "-i their-key".into());
}
