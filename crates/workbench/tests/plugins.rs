//! Plugins of others, which the command runs: `age-plugin-test` is a shell script here that hides a file key in the
//! clear.

#![cfg(unix)]

use crate::desk::{Desk, file};
use std::{fs::Permissions, os::unix::fs::PermissionsExt};

/// Keys of plugins: three bytes, by BIP 173.
const TEST: &str = "age1test1qypqxvyp6m9";
const TEST_IDENTITY: &str = "AGE-PLUGIN-TEST-1QSZSV7DKUFJ";
const OTHER_IDENTITY: &str = "AGE-PLUGIN-OTHER-1QSZSVT3QARE";
const GONE: &str = "age1gone1qypqx2z3c4t";
const GONE_IDENTITY: &str = "AGE-PLUGIN-GONE-1QSZSVYJHHM9";
const OUTSIDE: &str = "age1../../bin/test1qypqxmv6dvw";
const OUTSIDE_IDENTITY: &str = "AGE-PLUGIN-../../BIN/TEST-1QSZSVLSKSCW";

/// What a plugin does in either part: reads all that is said, of which `key` is the last file key or stanza's body, and
/// `count` counts the keys. `wrap` and `open` say what then.
fn script(wrap: &str, open: &str) -> String {
    format!(
        r#"#!/bin/sh
count=0
while read -r line; do
    case "$line" in
    "-> add-recipient"* | "-> add-identity"*) count=$((count + 1)) ;;
    "-> wrap-file-key"* | "-> recipient-stanza 0 test "*) read -r key ;;
    "-> done") read -r line; break ;;
    esac
done
say() {{ printf -- "-> $1\n$2\n"; read -r line; read -r line; }}
case "$1" in
--age-plugin=recipient-v1) {wrap} ;;
--age-plugin=identity-v1) {open} ;;
esac
printf -- '-> done\n\n'
"#
    )
}

const WRAP: &str = r#"say "recipient-stanza 0 test $count" "$key""#;
const OPEN: &str = r#"[ -z "$key" ] || say "file-key 0" "$key""#;

/// A desk with a plugin in `bin`, files of its keys, and a file.
fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("bin")).unwrap();
    put(&desk, "test", &script(WRAP, OPEN));
    desk.put("pub", format!("# a plugin's\n{TEST}\n"));
    desk.put("key", TEST_IDENTITY);
    desk.put("plain", file(100));
    desk
}

fn put(desk: &Desk, name: &str, script: &str) {
    let path = desk.path(&format!("bin/age-plugin-{name}"));
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn keys_of_plugins_encrypt_and_decrypt() {
    let desk = desk();
    for to in [&format!("-r {TEST}"), "-R pub", "-i key", "-j test", "-j TEST"] {
        let made = desk.run_among("bin", &format!("encrypt {to} -o o --force --json plain")).is(0).json();
        assert_eq!(made["schemes"], serde_json::json!(["age-plugin-test"]));
        for by in ["-i key", "-j test"] {
            let opened = desk.run_among("bin", &format!("decrypt {by} -o p --force --json o")).is(0).json();
            assert_eq!(opened["scheme"], "age-plugin-test");
            assert!(desk.bytes("p") == file(100), "{to} {by}");
        }
    }
    // All keys of a plugin are given to it at once.
    desk.run_among("bin", &format!("encrypt -r {TEST} -j test -R pub -i key -o o --force plain")).is(0);
    assert!(desk.bytes("o").windows(9).any(|bytes| bytes == b"-> test 4"), "{:?}", desk.read("o"));
    // Beside other keys, and from one to the other.
    desk.run("keygen --scheme x25519 -o x").is(0);
    desk.run_among("bin", &format!("encrypt -i x -r {TEST} -o o --force plain")).is(0);
    assert!(desk.run_among("bin", "decrypt -i x o").is(0).bytes == file(100));
    assert!(desk.run_among("bin", "decrypt -j test o").is(0).bytes == file(100));
    desk.run_among("bin", "rekey -j test -i x -R pub -o p --force o").is(0);
    desk.run_among("bin", "decrypt -i x p").says(3, "it is encrypted to test");
    // A key that needs no plugin is tried first.
    desk.put("both", format!("{GONE_IDENTITY}\n{}", desk.read("x")));
    assert!(desk.run_among("bin", "decrypt -i both o").is(0).bytes == file(100));
}

#[test]
fn keys_of_plugins_are_what_they_are() {
    let desk = desk();
    let facts = desk.run("key inspect pub key --json").is(0).json();
    for (i, kind) in ["recipient", "identity"].into_iter().enumerate() {
        let facts = &facts["objects"][i];
        assert_eq!([&facts["kind"], &facts["scheme"]], [kind, "age-plugin-test"]);
        assert_eq!(facts.get("recipient").is_some(), kind == "recipient");
        assert!(facts.get("post_quantum").is_none());
    }
    let refused = desk.run("key public key").says(3, "key: there is an identity of a plugin in it");
    assert!(refused.err.contains("age-plugin-test") && !refused.err.contains("QSZSV"), "{}", refused.err);
}

/// Tagged recipients say what to encrypt to; plugins have their identities, which open what is here made without them.
#[test]
fn recipients_of_hardware_need_no_plugin() {
    let desk = desk();
    let recipients: Vec<_> =
        include_str!("../../../vectors/age/tagtest.txt").lines().filter(|line| !line.starts_with('#')).collect();
    for (recipient, scheme, is_post_quantum, other) in
        [(recipients[0], "p256tag", false, "mlkem768x25519"), (recipients[1], "mlkem768p256tag", true, "x25519")]
    {
        desk.put("r", recipient);
        let facts = desk.run("key inspect r --json").is(0).json();
        let facts = &facts["objects"][0];
        assert_eq!([&facts["scheme"], &facts["recipient"]], [scheme, recipient]);
        assert_eq!(facts["post_quantum"], is_post_quantum);
        desk.run_among("bin", "encrypt -R r -o o --force plain").is(0);
        assert_eq!(desk.run("key inspect o --json").is(0).json()["objects"][0]["stanzas"][scheme], 1);
        desk.run(&format!("keygen --scheme {other} -o key --force")).is(0);
        desk.run("encrypt -R r -i key -o p plain").says(2, "together the file would be as weak as the weaker");
        desk.run("decrypt -i key o").says(3, &format!("it is encrypted to {scheme}"));
        let changed = recipient.replacen("tag", "tah", 1);
        desk.run(&format!("encrypt -r {changed} -o p plain")).says(2, "its checksum is wrong");
    }
    for (key, words) in [
        ("age1tag1qtllllllllllllllllllllllllllllllllllllllllllllllllll73uhzp3", "what it has is no point of P-256"),
        (
            "age1tag1qgqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqsshtdh",
            "its point has 33 bytes, and there are 32",
        ),
        ("age1tagpq1qqqqqqu6jjpf", "not in Bech32"),
    ] {
        desk.run(&format!("encrypt -r {key} -o p plain")).says(2, words);
    }
}

#[test]
fn labels_of_plugins_keep_kinds_apart() {
    let desk = desk();
    desk.run("keygen --scheme x25519 -o x").is(0);
    desk.run("keygen -o pq").is(0);
    let labelled = |label: &str| script(&format!("say 'labels {label}' ''; {WRAP}"), OPEN);
    put(&desk, "test", &labelled("postquantum"));
    desk.run_among("bin", "encrypt -j test -i pq -o o plain").is(0);
    assert!(desk.run_among("bin", "decrypt -j test o").is(0).bytes == file(100));
    desk.run_among("bin", "encrypt -j test -i x -o p plain")
        .says(2, "together the file would be as weak as the weaker");
    put(&desk, "test", &labelled("a-secret-garden"));
    desk.run_among("bin", "encrypt -j test -i x -o p plain").says(2, "of the kind \"a-secret-garden\" of a plugin");
    put(&desk, "test", &labelled("a a"));
    desk.run_among("bin", "encrypt -j test -o p plain").says(3, "age-plugin-test: (internal) labels command must not");
}

#[test]
fn missing_plugins_are_named() {
    let desk = desk();
    let words = "age-plugin-gone is needed, and there is no such program in a folder of PATH";
    desk.put("gone", GONE_IDENTITY);
    for line in [&format!("encrypt -r {GONE} -o o plain"), "encrypt -i gone -o o plain", "encrypt -j gone -o o plain"] {
        desk.run_among("bin", line).says(3, words);
    }
    desk.run_among("bin", "encrypt -j test -o o plain").is(0);
    for line in ["decrypt -i gone o", "decrypt -j gone o", "rekey -i gone -R pub -o p o"] {
        desk.run_among("bin", line).says(3, words);
    }
    // Other plugins' files are nobody's.
    put(&desk, "other", &script(WRAP, "true"));
    desk.put("other", OTHER_IDENTITY);
    desk.run_among("bin", "decrypt -i other o")
        .says(3, "none of the identities (age-plugin-other) opens it; it is encrypted to test");
}

#[test]
fn names_of_plugins_are_no_paths() {
    let desk = desk();
    let before = desk.files();
    desk.run_among("bin", &format!("encrypt -r {OUTSIDE} -o o plain"))
        .says(2, "no plugin is called \"../../bin/test\"");
    desk.put("pub", OUTSIDE);
    desk.run_among("bin", "encrypt -R pub -o o plain").says(3, "pub: line 1: no plugin is called \"../../bin/test\"");
    desk.put("key", OUTSIDE_IDENTITY);
    desk.run_among("bin", "encrypt -i key -o o plain").says(3, "key: line 1: no plugin is called \"../../bin/test\"");
    for name in ["../../bin/test", "a/b", "bin/age-plugin-test", "a\\b", "ä", "a:b"] {
        desk.run_among("bin", &format!("encrypt -j {name} -o o plain")).says(2, "no plugin is called");
        desk.run_among("bin", &format!("decrypt -j {name} -o o plain")).says(2, "no plugin is called");
    }
    assert_eq!(desk.files(), before);
}

/// Whatever a plugin does, the command ends with its name and writes nothing.
#[test]
fn plugins_that_do_not_work_are_told_of() {
    let desk = desk();
    desk.run_among("bin", "encrypt -j test -o o plain").is(0);
    let before = desk.files();
    for (wrap, open, words) in [
        ("exit 1", "exit 1", "age-plugin-test: it ended before it was done"),
        (
            "echo garbage; exit",
            "echo garbage; exit",
            "age-plugin-test: it answers with something that is not of the pro",
        ),
        ("printf '\\377\\376\\n'; exit", "printf '\\377\\376\\n'; exit", "age-plugin-test: it answers with something"),
        ("printf -- '-> msg\\n'; exit", "printf -- '-> file-key 0\\n'; exit", "age-plugin-test: it ended before"),
        ("say 'error internal' dGlyZWQ", "say 'error internal' dGlyZWQ", "age-plugin-test: (internal) tired"),
        ("say 'error recipient 0' dGlyZWQ", "say 'error identity 0' dGlyZWQ", "tired"),
        ("say 'error' ''", "say 'error' ''", "age-plugin-test: "),
        ("true", "say 'file-key 0' dGlyZWQ", "age-plugin-test: "),
        ("say 'recipient-stanza 1 test x' \"$key\"", "exit 3", "age-plugin-test: "),
    ] {
        put(&desk, "test", &script(wrap, open));
        for line in [&format!("encrypt -r {TEST} -o p plain"), "encrypt -i key -o p plain", "decrypt -i key -o p o"] {
            let refused = desk.run_among("bin", line).says(3, words);
            assert_eq!(refused.err.matches("error: ").count(), 1, "{}", refused.err);
        }
    }
    assert_eq!(desk.files(), before);
    // It is gone before anything is said to it.
    put(&desk, "test", "#!/bin/sh\n");
    desk.run_among("bin", "encrypt -j test -o p plain").says(3, "age-plugin-test: it ended before it was done");
    desk.run_among("bin", "decrypt -j test -o p o").says(3, "age-plugin-test: it ended before it was done");
    // It is no program of this machine.
    put(&desk, "test", "#!/nowhere\n");
    desk.run_among("bin", "encrypt -j test -o p plain").says(3, "age-plugin-test: it cannot be run");
}

/// What a plugin says is shown with its name, and gives the terminal no orders; what it asks is answered there.
#[test]
fn plugins_speak_through_the_command() {
    let desk = desk();
    // "\x1b[31mtouch it\n"
    put(&desk, "test", &script(&format!("say msg G1szMW10b3VjaCBpdAo; {WRAP}"), OPEN));
    let made = desk.run_among("bin", "encrypt -j test -o o plain").is(0);
    assert_eq!(made.err, "age-plugin-test:  [31mtouch it \n");
    if !Desk::has_terminals() {
        return;
    }
    // A question, what is typed, and the answer that reaches the plugin: two lines.
    for (question, typed, answer) in [
        ("request-secret", "1234\n", "-> ok;MTIzNA"),
        ("request-public", "me\n", "-> ok;bWU"),
        ("confirm eWVz bm8", "y\n", "-> ok yes;"),
        ("confirm eWVz", "what\nn\n", "-> ok no;"),
    ] {
        let ask = format!(
            r#"printf -- '-> {question}\naGV5\n'; read -r line; read -r rest; [ "$line;$rest" = '{answer}' ] || exit 9"#
        );
        put(&desk, "test", &script(&format!("{ask}; {WRAP}"), OPEN));
        let (code, shown) = desk.on_a_terminal("encrypt -j test -o o --force plain", typed);
        assert!(code == 0 && shown.contains("age-plugin-test: hey "), "{question}: {code}, {shown}");
    }
}
