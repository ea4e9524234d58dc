//! Commitments in files: what they open to, and what is proved about them.

use crate::desk::{Desk, file};
use ringwork::{
    object::{HEADER_BYTES, Kind, Purpose},
    registry,
    xof::sha3_256,
};

#[test]
fn commitments_open_to_their_message_alone() {
    for set in registry::all(Purpose::Commitment).map(|d| d.name) {
        let desk = Desk::new();
        let known = registry::Commitments::by_name(set).unwrap();
        let research = if known.research_reason().is_some() { "--research" } else { "" };
        let open = |line: &str| desk.run(&format!("open --by me {research} {line}"));
        for length in [0, known.capacity()] {
            let message = file(length);
            desk.commit("a", &message, &format!("--set {set} {research} --force")).is(0);
            open("--commitment a.c --opening a.o --message message").is(0);
            assert!(open("--commitment a.c --opening a.o --out -").is(0).bytes == message);
        }
        desk.put("message", "something else");
        open("--commitment a.c --opening a.o --message message").says(1, "opens, but not to the message");
        desk.commit("b", b"b", &format!("--set {set} {research}")).is(0);
        open("--commitment a.c --opening b.o").says(1, "does not open this commitment");
        let long = desk.commit("c", &file(known.capacity() + 1), &format!("--set {set} {research}"));
        assert!(long.says(3, "--digest").err.contains(&known.capacity().to_string()));
        desk.commit("c", &file(1 << 20), &format!("--set {set} {research} --digest")).is(0);
        open("--commitment c.c --opening c.o --message message --digest").is(0);
        assert!(open("--commitment c.c --opening c.o --out -").is(0).bytes == sha3_256(&file(1 << 20)));
        open("--commitment c.c --opening a.o").says(1, "does not open this commitment");
        // H4: whom binding protects is told what it is worth, and asked where there is none.
        let said = open("--commitment a.c --opening a.o").is(0).out;
        assert!(said.contains(set) && said.contains("binding  ") && said.contains("hiding   "), "{said}");
        assert!(!desk.files().iter().any(|name| name.starts_with("d.") || name == "p"));
    }
}

/// Names are somebody's, and show as what they are.
#[test]
fn names_of_committers_cannot_lie() {
    let desk = Desk::new();
    desk.put("message", "m");
    let commit = |by: &str| {
        let files = ["--message", "message", "--commitment", "c", "--opening", "o", "--force"];
        let mut command = std::process::Command::new(crate::desk::RINGWORK);
        let output = command.args(["commit", "--by", by]).args(files).current_dir(desk.path("")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (by, words) in [("", "a name that all have"), ("mallory\ncommitter  alice", "no control characters")] {
        let (code, said) = commit(by);
        assert!(code == Some(2) && said.contains(words), "{said}");
    }
    assert_eq!(commit("mallory\u{202E}").0, Some(0));
    let shown = desk.run("key inspect o").is(0).out;
    assert!(shown.contains("mallory\\u{202e}") && !shown.contains('\u{202E}'), "{shown}");
}

#[test]
fn proofs_hold_for_their_statement_alone() {
    let desk = Desk::new();
    for (name, message) in [("a", "same"), ("b", "same"), ("c", "other")] {
        desk.commit(name, message.as_bytes(), "").is(0);
    }
    desk.commit("k", b"same", &format!("--key-seed {}", "07".repeat(32))).is(0);
    desk.commit("s", b"same", "--set bdlop-2048").is(0);

    desk.run("prove --by me --commitment a.c --opening a.o --proof p --context vote").is(0);
    let held = desk.run("verify-proof --by me --commitment a.c --proof p --context vote --json").is(0).json();
    assert_eq!(held["holds"], true);
    assert!(
        desk.run("verify-proof --by me --commitment a.c --proof p --context vote").is(0).out.contains("binding  "),
        "H4"
    );
    desk.run("verify-proof --by me --commitment a.c --proof p").says(1, "another context, or it was changed");
    let no = desk.run("verify-proof --by me --commitment a.c --proof p --json").is(1).json();
    assert!(no["holds"] == false && no["reason"].as_str().unwrap().contains("another context"), "U20: {no}");
    desk.run("verify-proof --by me --commitment a.c --proof p --context elsewhere").says(1, "does not hold");
    desk.run("verify-proof --by me --commitment b.c --proof p --context vote").says(1, "does not hold");
    desk.run("verify-proof --by me --commitment k.c --proof p --context vote").says(1, "does not hold");
    desk.run("verify-proof --by me --commitment s.c --proof p --context vote")
        .says(3, "of the set bdlop-1024, and s.c of bdlop-2048");
    desk.run("prove --by me --commitment a.c --opening b.o --proof q").says(1, "does not open this commitment");
    desk.run("verify-proof --by me --commitment a.c --commitment b.c --proof p --context vote")
        .says(1, "this is a proof that");

    let equal = "prove --by me --equal --proof e --commitment a.c";
    desk.run(&format!("{equal} --commitment b.c --opening a.o --opening b.o")).is(0);
    desk.run("verify-proof --by me --equal --commitment a.c --commitment b.c --proof e").is(0);
    desk.run("verify-proof --by me --equal --commitment b.c --commitment a.c --proof e").says(1, "does not hold");
    desk.run("verify-proof --by me --equal --commitment a.c --commitment c.c --proof e").says(1, "does not hold");
    desk.run("verify-proof --by me --commitment a.c --commitment b.c --proof e")
        .says(1, "not that somebody can open 2 commitments");
    desk.run("verify-proof --by me --equal --commitment a.c --proof e").says(2, "compares 2 commitments, not 1");
    let before = desk.files();
    desk.run("prove --by me --equal --proof f --commitment a.c --commitment c.c --opening a.o --opening c.o")
        .says(1, "relation");
    desk.run("prove --by me --equal --proof f --commitment a.c --commitment k.c --opening a.o --opening k.o")
        .says(3, "different keys");
    desk.run("prove --by me --proof f --commitment a.c --commitment b.c --opening a.o")
        .says(2, "need as many openings");
    assert_eq!(desk.files(), before);

    desk.run("prove --by me --proof t --commitment a.c --commitment c.c --opening a.o --opening c.o").is(0);
    assert!(
        desk.run("verify-proof --by me --proof t --commitment a.c --commitment c.c")
            .is(0)
            .out
            .contains("open 2 commitments")
    );
    let commitments = registry::by_name("bdlop-1024").unwrap();
    let mut body = desk.bytes("p")[HEADER_BYTES..].to_vec();
    body[2] ^= 1; // in the digest
    desk.put("p", commitments.encode(Kind::Proof, &body));
    desk.run("verify-proof --by me --commitment a.c --proof p --context vote").says(1, "");
}

#[test]
fn keys_of_commitments_are_named_or_made() {
    let desk = Desk::new();
    let seed = "0123456789abcdef".repeat(4);
    desk.run(&format!("keygen --scheme bdlop-1024 --seed {seed} -o key")).is(0);
    desk.commit("a", b"m", "--key key").is(0);
    desk.commit("b", b"m", &format!("--key-seed {seed}")).is(0);
    desk.commit("c", b"m", "").is(0);
    let inspected = desk.run("key inspect key a.c b.c c.c --json").is(0).json();
    for i in 0..3 {
        assert_eq!(
            (&inspected["objects"][i]["key_seed"], &inspected["objects"][i]["default_key"]),
            (&seed.as_str().into(), &false.into())
        );
    }
    assert_eq!(inspected["objects"][3]["default_key"], true);
    desk.commit("d", b"m", "--key key --set bdlop-2048").says(3, "this is a key of the set bdlop-1024");
    desk.commit("d", b"m", "--key a.c").says(3, "this is a commitment, and a commitment key is needed");
    desk.commit("d", b"m", "--key-seed 12").says(2, "64 hexadecimal digits");
    desk.run("keygen --scheme bdlop-1024 -p -o key2").says(2, "it needs no passphrase");
    desk.run("keygen --scheme bdlop-1024 -o key2").is(0);
    assert!(desk.bytes("key") != desk.bytes("key2"));
}
