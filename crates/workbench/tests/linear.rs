//! What reads bytes of strangers takes time in proportion to their number, and to nothing else.

#![cfg(target_os = "linux")]

use crate::desk::{Desk, RINGWORK};
use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// Hundredths of a second of processor time that the command takes.
fn ticks(desk: &Desk, line: &str) -> u64 {
    let mut command = Command::new(RINGWORK);
    command.args(line.split(' ')).current_dir(desk.path("")).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let path = format!("/proc/{}/stat", child.id());
    // Until it has ended and nobody has asked how: then all of its time is there.
    let ticks = loop {
        let stat = fs::read_to_string(&path).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        if fields[0] == "Z" {
            break fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
        }
        thread::sleep(Duration::from_millis(5));
    };
    child.wait().unwrap();
    ticks
}

/// Twice as much takes at most two and a half times as long, whether it is accepted or not.
#[track_caller]
fn is_linear(line: &str, of_size: impl Fn(usize) -> String, size: usize) {
    let desk = Desk::new();
    desk.put("key", "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n");
    desk.put("b", "0\n".repeat(4));
    let least = |size| {
        desk.put("o", of_size(size));
        (0..3).map(|_| ticks(&desk, line)).min().unwrap()
    };
    // Other programs on the same core may slow one of the two: what is not linear is so each time.
    let mut measured = Vec::new();
    let linear = (0..4).any(|_| {
        let (once, twice) = (least(size), least(2 * size));
        measured.push((once, twice));
        2 * twice <= 5 * once + 10
    });
    assert!(linear, "{line}: {measured:?} hundredths of a second for {size} bytes and twice that");
}

#[test]
fn headers_of_age() {
    let mac = format!("--- {}\n", "A".repeat(43));
    let stanzas = |stanza: &str, size: usize| {
        format!("age-encryption.org/v1\n{}{mac}", stanza.repeat(size / stanza.len())) + &"x".repeat(100)
    };
    let body = format!("-> g\n{}\n", format!("{}\n", "A".repeat(64)).repeat(4));
    for line in ["decrypt -i key o", "key inspect o"] {
        is_linear(line, |size| stanzas("-> g\n\n", size), 3000); // 512 and 1,000 stanzas
        is_linear(line, |size| stanzas(&body, size), 1 << 17);
        is_linear(line, |size| stanzas("-> g\n\n", size), 1 << 21); // refused
        is_linear(line, |size| stanzas(&format!("-> {}\n\n", "g".repeat(size - 6)), size), 1 << 17);
    }
}

#[test]
fn armor() {
    let armored = |line: &str, size: usize| {
        let lines = format!("{line}\n").repeat(size / (line.len() + 1));
        format!("-----BEGIN AGE ENCRYPTED FILE-----\n{lines}-----END AGE ENCRYPTED FILE-----\n")
    };
    is_linear("decrypt -i key o", |size| armored(&"A".repeat(64), size), 1 << 21);
    is_linear("decrypt -i key o", |size| armored(&"A".repeat(size - 1), size), 1 << 21);
    is_linear("key inspect o", |size| " ".repeat(size), 1 << 21);
}

#[test]
fn keys_in_text() {
    let lines = |line: &str, size: usize| line.repeat(size / line.len());
    for line in ["encrypt -R o b", "key inspect o", "decrypt -i o b", "key public o"] {
        is_linear(line, |size| lines("# a comment\n", size), 1 << 21);
        is_linear(line, |size| "q".repeat(size), 1 << 21);
        is_linear(line, |size| format!("age1{}", "q".repeat(size)), 1 << 20);
        is_linear(line, |size| format!("AGE-SECRET-KEY-1{}", "Q".repeat(size)), 1 << 20);
    }
    for line in ["signature sign --key o --in b --out -", "signature verify --key o --in b --signature b"] {
        is_linear(line, |size| format!("-----BEGIN PRIVATE KEY-----\n{}", lines("A\n", size)), 1 << 15);
        is_linear(line, |size| lines("\n", size), 1 << 15);
    }
}

#[test]
fn numbers_and_json() {
    let array = |size: usize| format!("[{}]", vec!["1"; size / 3].join(", "));
    for form in [|size: usize| "1\n".repeat(size / 2), |size| "1 ".repeat(size / 2), |size| ",".repeat(size)] {
        is_linear("mul 4 257 o b", form, 1 << 21);
    }
    is_linear("mul 4 257 o b", array, 1 << 21);
    is_linear("mul 4 257 o b", |size| "[".repeat(size), 1 << 21);
    is_linear("mul 4 257 o b", |size| format!("{{\"coefficients\": {}}}", array(size)), 1 << 21);
    is_linear("intt 4 257 o", |size| format!("{{{}}}", vec!["\"a\": 1"; size / 8].join(", ")), 1 << 21);
    is_linear("vectors check o", array, 1 << 21);
    is_linear("vectors check o", |size| format!("{{\"tests\": {}}}", array(size)), 1 << 21);
    is_linear("plan 4 257 --costs o", array, 1 << 15);
    is_linear("processor asm o", |size| "load M0\n".repeat(size / 8), 1 << 12);
}
