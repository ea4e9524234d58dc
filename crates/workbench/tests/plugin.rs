//! `age-plugin-ringwork`, as programs of age speak with it.

use crate::desk::Desk;
use std::{
    io::Write,
    process::{Command, Stdio},
};

const PLUGIN: &str = env!("CARGO_BIN_EXE_age-plugin-ringwork");

/// What it says to what a client says.
fn said(machine: &str, lines: &str) -> String {
    let mut command = Command::new(PLUGIN);
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
    desk.run("keygen --scheme nttru-768 -o secret").is(0);
    let recipient = desk.run("key public secret").is(0).out.trim().to_owned();
    let secret = desk.read("secret").lines().last().unwrap().to_owned();
    for added in [format!("add-recipient {recipient}"), format!("add-identity {secret}")] {
        let lines = format!("-> {added}\n\n-> wrap-file-key\n{FILE_KEY}\n-> extension-labels\n\n-> done\n\n");
        let answer = said("recipient-v1", &lines);
        assert!(answer.contains("-> labels ringwork-research\n"), "{answer}");
        assert!(!answer.contains("-> error"), "{answer}");
        let stanza = answer.split("-> recipient-stanza 0 ").nth(1).unwrap();
        let stanza: Vec<&str> = stanza.lines().take(2).collect();
        assert!(stanza[0].starts_with("ringwork/nttru-768 "), "{answer}");
        let lines =
            format!("-> add-identity {secret}\n\n-> recipient-stanza 0 {}\n{}\n-> done\n\n", stanza[0], stanza[1]);
        let answer = said("identity-v1", &lines);
        assert!(answer.contains(&format!("-> file-key 0\n{FILE_KEY}\n")), "{answer}");
    }
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
