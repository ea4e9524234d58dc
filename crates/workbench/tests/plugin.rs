//! `age-plugin-ringwork` and `age-plugin-pq`, as programs of age speak with them.

use crate::desk::{Desk, Outcome};
use std::{
    io::Write,
    process::{Command, Stdio},
};

const PLUGIN: &str = env!("CARGO_BIN_EXE_age-plugin-ringwork");
const PQ: &str = env!("CARGO_BIN_EXE_age-plugin-pq");

/// What it says to what a client says.
fn said(machine: &str, lines: &str) -> String {
    said_by(PLUGIN, machine, lines)
}

/// The same of the one or the other, which are the same program.
fn said_by(program: &str, machine: &str, lines: &str) -> String {
    let mut command = Command::new(program);
    command.arg(format!("--age-plugin={machine}")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    stdin.write_all("-> ok\n\n".repeat(8).as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn file_keys_are_wrapped_and_unwrapped() {
    const FILE_KEY: &str = "WUVMTE9XIFNVQk1BUklORQ";
    let desk = Desk::new();
    for (program, scheme, label, stanza_type) in [
        (PLUGIN, "nttru-768", "ringwork-research", "ringwork/nttru-768"),
        (PQ, "nttru-768", "ringwork-research", "ringwork/nttru-768"),
        (PQ, "mlkem768x25519", "postquantum", "mlkem768x25519"),
        (PLUGIN, "mlkem768x25519", "postquantum", "mlkem768x25519"),
    ] {
        desk.run(&format!("keygen --scheme {scheme} -o secret --force")).is(0);
        let recipient = desk.run("key public secret").is(0).out.trim().to_owned();
        let is_research = scheme == "nttru-768";
        let secret = if is_research { desk.read("secret") } else { converted(&desk, &["-identity", "secret"]).out };
        let secret = secret.lines().last().unwrap().to_owned();
        assert!(secret.starts_with("AGE-PLUGIN-"), "{secret}");
        for added in [format!("add-recipient {recipient}"), format!("add-identity {secret}")] {
            let lines = format!("-> {added}\n\n-> wrap-file-key\n{FILE_KEY}\n-> extension-labels\n\n-> done\n\n");
            let answer = said_by(program, "recipient-v1", &lines);
            assert!(answer.contains(&format!("-> labels {label}\n")), "{answer}");
            assert!(!answer.contains("-> error") && answer.contains("-> msg") == is_research, "{answer}");
            let stanza = answer.split("-> recipient-stanza 0 ").nth(1).unwrap();
            let stanza: Vec<&str> = stanza.lines().take(2).collect();
            assert!(stanza[0].starts_with(&format!("{stanza_type} ")), "{answer}");
            let lines =
                format!("-> add-identity {secret}\n\n-> recipient-stanza 0 {}\n{}\n-> done\n\n", stanza[0], stanza[1]);
            let answer = said_by(program, "identity-v1", &lines);
            assert!(answer.contains(&format!("-> file-key 0\n{FILE_KEY}\n")), "{answer}");
        }
    }
}

/// What `age-plugin-pq` does with these words.
fn converted(desk: &Desk, words: &[&str]) -> Outcome {
    Desk::outcome(Command::new(PQ).args(words).current_dir(desk.path("")), b"")
}

/// Programs of age that have post-quantum keys by a plugin need its identities.
#[test]
fn identities_of_age_become_those_of_the_plugin() {
    let desk = Desk::new();
    desk.run("keygen -o secret").is(0);
    desk.run("keygen -o another").is(0);
    desk.put("plain", "a letter");
    desk.put("both", desk.read("secret") + &desk.read("another"));
    let both = converted(&desk, &["--identity", "both"]).is(0).out;
    assert_eq!(both.lines().filter(|line| line.starts_with("AGE-PLUGIN-PQ-1")).count(), 2);
    converted(&desk, &["-identity", "-o", "plugin", "secret"]).is(0);
    assert_eq!(desk.read("plugin").trim(), both.lines().next().unwrap());
    // The command reads them itself, and they say the same once more.
    assert_eq!(desk.run("key public plugin").is(0).out, desk.run("key public secret").is(0).out);
    desk.run("encrypt -i secret -o encrypted plain").is(0);
    assert_eq!(desk.run("decrypt -i plugin encrypted").is(0).out, "a letter");
    assert_eq!(converted(&desk, &["-identity", "plugin"]).is(0).out, desk.read("plugin"));
    // Nothing is replaced, and other keys need no plugin.
    converted(&desk, &["-identity", "-o", "plugin", "another"]).says(3, "plugin");
    assert_eq!(desk.read("plugin").trim(), both.lines().next().unwrap());
    desk.run("keygen --scheme x25519 -o weak").is(0);
    converted(&desk, &["-identity", "weak"]).says(3, "weak: there is an identity of x25519 in it");
    converted(&desk, &["-identity", "plain"]).says(3, "plain: line 1: this is no identity");
    converted(&desk, &["secret"]).says(2, "--identity");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(desk.path("plugin")).unwrap().permissions().mode() & 0o077, 0);
    }
}

/// One process is asked for keys of one plugin, or else a file would be as weak as the weaker.
#[test]
fn kinds_are_not_mixed() {
    let desk = Desk::new();
    let mut lines = String::new();
    for scheme in ["mlkem768x25519", "nttru-768"] {
        desk.run(&format!("keygen --scheme {scheme} -o {scheme}")).is(0);
        lines += &format!("-> add-recipient {}\n\n", desk.run(&format!("key public {scheme}")).is(0).out.trim());
    }
    let answer = said_by(PQ, "recipient-v1", &(lines + "-> wrap-file-key\nWUVMTE9XIFNVQk1BUklORQ\n-> done\n\n"));
    assert!(answer.contains("-> error ") && !answer.contains("recipient-stanza"), "{answer}");
}

/// What is for measuring is not for programs that cannot ask whether that is meant.
#[test]
fn keys_for_measuring_are_refused() {
    let desk = Desk::new();
    desk.run("keygen --parameters N=256,q=7681,p=2,m=3,n=3 -o secret").is(0);
    let recipient = desk.run("key public secret").is(0).out.trim().to_owned();
    let secret = desk.read("secret").lines().last().unwrap().to_owned();
    for added in [format!("add-recipient {recipient}"), format!("add-identity {secret}")] {
        let lines = format!("-> {added}\n\n-> wrap-file-key\nWUVMTE9XIFNVQk1BUklORQ\n-> done\n\n");
        let answer = said("recipient-v1", &lines);
        assert!(answer.contains("-> error ") && !answer.contains("recipient-stanza"), "{answer}");
    }
}

#[test]
fn wrong_keys_are_refused() {
    // A recipient in order, of no scheme: the ten bytes "nonsense-1" and a line.
    let nonsense = "age1ringwork1de60vmn9c2uh4t";
    let answer = said(
        "recipient-v1",
        &format!("-> add-recipient {nonsense}\n\n-> wrap-file-key\nWUVMTE9XIFNVQk1BUklORQ\n-> done\n\n"),
    );
    assert!(answer.contains("-> error "), "{answer}");
    let bare = Command::new(PLUGIN).output().unwrap();
    assert!(!bare.status.success() && String::from_utf8_lossy(&bare.stderr).contains("age and rage run it"));
}
