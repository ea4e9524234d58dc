//! What the command writes: nothing is replaced, lost or left behind, whatever the place and
//! however the command ends.

#![cfg(unix)]
use crate::desk::{Desk, Outcome, RINGWORK, file};
use std::{
    ffi::OsStr,
    fs,
    io::Write,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt, fs::symlink, process::ExitStatusExt},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

/// Keys, a message, a commitment with its opening and a proof, and the two messages of an exchange.
fn full() -> Desk {
    let desk = Desk::new();
    desk.put("plain", "a letter\n");
    for line in [
        "keygen -o secret",
        "key public secret -o public",
        "encrypt -R public -o sealed plain",
        "commit --by alice --message plain --commitment commitment --opening opening",
        "prove --by alice --commitment commitment --opening opening --proof proof",
        "signature keygen --secret signer --public verifier",
        "kex init --secret exchange --out offer",
        "kex respond --in offer --out reply --key shared",
    ] {
        desk.run(line).is(0);
    }
    desk
}

/// A line for `sh`, in the desk's folder, where `ringwork` is the command.
fn shell(desk: &Desk, line: &str) -> Output {
    of_shell(desk, line).output().unwrap()
}

fn of_shell(desk: &Desk, line: &str) -> Command {
    let script = format!("ringwork() {{ \"{RINGWORK}\" \"$@\"; }}\n{line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(desk.path(""));
    shell
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// U9: for every output of every verb.
#[test]
fn nothing_is_replaced_unasked() {
    let desk = full();
    for (line, out) in [
        ("keygen -o dear", "dear"),
        ("keygen --scheme bdlop-1024 -o dear", "dear"),
        ("key public secret --out dear", "dear"),
        ("encrypt -R public -o dear plain", "dear"),
        ("decrypt -i secret -o dear sealed", "dear"),
        ("rekey -i secret -R public -o dear sealed", "dear"),
        ("signature keygen --secret dear --public new", "dear"),
        ("signature keygen --secret new --public dear", "dear"),
        ("signature sign --key signer --in plain --out dear", "dear"),
        ("plan --measure --quick --out dear", "dear"),
        ("commit --by alice --message plain --commitment dear --opening new", "dear"),
        ("commit --by alice --message plain --commitment new --opening dear", "dear"),
        ("open --by alice --commitment commitment --opening opening --out dear", "dear"),
        ("prove --by alice --commitment commitment --opening opening --proof dear", "dear"),
        ("explain 8 257 --out dear", "dear"),
        ("report --quick --out dear.html", "dear.html"),
        ("kex init --secret dear --out new", "dear"),
        ("kex init --secret new --out dear", "dear"),
        ("kex respond --in offer --out dear --key new", "dear"),
        ("kex respond --in offer --out new --key dear", "dear"),
        ("kex finish --secret exchange --in reply --key dear", "dear"),
    ] {
        desk.put(out, "something dear");
        let before = desk.files();
        desk.run(line).says(3, &format!("{out}: there is such a file already"));
        assert_eq!((desk.read(out).as_str(), desk.files()), ("something dear", before), "{line}");
        if !["report", "plan"].iter().any(|long| line.starts_with(long)) {
            desk.run(&format!("{line} --force")).is(0);
            assert!(desk.bytes(out) != b"something dear", "{line}");
            let _ = fs::remove_file(desk.path("new"));
        }
        fs::remove_file(desk.path(out)).unwrap();
    }
}

/// U9: whoever lost a public key makes it again.
#[test]
fn a_public_key_comes_from_its_secret_key() {
    let desk = full();
    for scheme in [
        "mlkem768x25519",
        "x25519",
        "mlwe-256",
        "mlwe-256-p3",
        "nttru-768",
        "lwe-768",
        "rlwe-p1",
        "rlwe-p2",
        "ntru-1024",
    ] {
        let made = desk.run(&format!("keygen --scheme {scheme} -o secret --force --json")).is(0).json();
        let recipient = made["recipient"].as_str().unwrap();
        assert_eq!(desk.run("key public secret").is(0).out, format!("{recipient}\n"), "{scheme}");
        assert!(desk.read("secret").contains(&format!("# public key: {recipient}\n")), "{scheme}");
        desk.run("key public secret --out again --force --json").is(0);
        let known = desk.run("key inspect again secret --json").is(0).json();
        for (i, kind) in ["recipient", "identity"].into_iter().enumerate() {
            let found = &known["objects"][i];
            assert_eq!(
                (&found["kind"], &found["recipient"], &found["scheme"]),
                (&kind.into(), &recipient.into(), &scheme.into())
            );
        }
    }
    desk.run("key public public").says(3, "public: line 1: this is a recipient, and an identity is needed");
    desk.run("key public opening").says(3, "opening: this is no file of identities");
}

/// U9: two that want the same name at the same time: one gets it.
#[test]
fn of_two_at_once_one_is_refused() {
    let desk = full();
    let start = || {
        let line = "encrypt -R public -o together -";
        let mut command = Command::new(RINGWORK);
        command.args(line.split(' ')).current_dir(desk.path("")).stdin(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut children = [start(), start()];
    thread::sleep(Duration::from_millis(300)); // both have looked, and there was no such file
    let pipes = children.each_mut().map(|child| child.stdin.take().unwrap());
    drop(pipes);
    let outcomes = children.map(|child| child.wait_with_output().unwrap());
    let mut codes = outcomes.each_ref().map(|outcome| outcome.status.code().unwrap());
    codes.sort_unstable();
    assert_eq!(codes, [0, 3], "{outcomes:?}");
    assert_eq!(desk.files().iter().filter(|name| name.starts_with('.')).count(), 0);
}

/// Whatever is no regular file is written through: nothing is replaced there.
#[test]
fn pipes_and_devices_are_written_through() {
    let desk = full();
    desk.run("encrypt -R public -o /dev/null plain").is(0);
    let piped = shell(
        &desk,
        "mkfifo fifo && (cat fifo > through & ringwork encrypt -R public -o fifo plain > /dev/null; wait) &&
         ringwork decrypt -i secret -o - through &&
         ringwork decrypt -i secret -o /dev/stdout sealed > opened && cat opened &&
         ringwork decrypt -i secret -o /dev/fd/3 sealed 3>&1 > /dev/null | cat &&
         ringwork decrypt -i secret -o /dev/stderr sealed 2> said > /dev/null && grep -q letter said &&
         ringwork key inspect /dev/stdin < public > inspected",
    );
    assert_eq!(text(&piped.stdout), "a letter\na letter\na letter\n", "{}", text(&piped.stderr));
    assert!(desk.read("inspected").contains("recipient"));
}

/// A link is followed, as by every program that opens a file; what it leads to is not replaced
/// unasked.
#[test]
fn links_lead_to_their_target() {
    let desk = full();
    fs::create_dir(desk.path("inner")).unwrap();
    symlink("inner/target", desk.path("link")).unwrap();
    desk.run("encrypt -R public -o link plain").is(0);
    assert!(fs::symlink_metadata(desk.path("link")).unwrap().is_symlink());
    assert!(fs::metadata(desk.path("inner/target")).unwrap().is_file());
    desk.run("encrypt -R public -o link plain").says(3, "link: there is such a file already");
    let before = desk.bytes("inner/target");
    desk.run("encrypt -R public -o link plain --force").is(0);
    assert!(fs::symlink_metadata(desk.path("link")).unwrap().is_symlink() && desk.bytes("inner/target") != before);
    desk.run("encrypt -R public -o new/ plain").says(3, "new/: there is no such folder");
    symlink("round", desk.path("round")).unwrap();
    desk.run("encrypt -R public -o round plain").says(3, "round: ");
    symlink("nowhere/target", desk.path("lost")).unwrap();
    desk.run("encrypt -R public -o lost plain").says(3, "there is no folder");
}

/// Secrets are their owner's; what is public or the user's own has the mode that the user gives new
/// files, or gave that one.
#[test]
fn modes_are_what_the_user_says() {
    let desk = full();
    let mode = |name: &str| fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    let ran = shell(
        &desk,
        "umask 027; ringwork decrypt -i secret -o opened sealed &&
         ringwork encrypt -R public -o sealed2 plain &&
         ringwork keygen -o secret2 && ringwork key public secret2 -o public2 &&
         ringwork open --by alice --commitment commitment --opening opening --out message",
    );
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    for (name, expected) in [("opened", 0o640), ("sealed2", 0o640), ("public2", 0o640), ("message", 0o640)] {
        assert_eq!(mode(name), expected, "{name}: {:o}", mode(name));
    }
    for (name, before, after) in [("opened", 0o604, 0o604), ("secret2", 0o644, 0o600)] {
        fs::set_permissions(desk.path(name), fs::Permissions::from_mode(before)).unwrap();
        let line = match name {
            "opened" => "decrypt -i secret -o opened sealed --force",
            _ => "keygen -o secret2 --force",
        };
        desk.run(line).is(0);
        assert_eq!(mode(name), after, "{name}: {:o}", mode(name));
    }
}

/// U8: files take the memory that they need.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_taken_by_need() {
    let desk = full();
    desk.put("a", "1\n".repeat(256));
    let endless = shell(&desk, "ulimit -v 2000000; ringwork mul 256 3329 /dev/zero a");
    assert!(text(&endless.stderr).contains("/dev/zero: more than"), "{}", text(&endless.stderr));
    for line in [
        "mul 256 3329 a a",
        "cat a | ringwork ntt 256 3329 -",
        "kex finish --secret exchange --in reply --key k",
        "decrypt -i secret -o - sealed",
    ] {
        let line = if line.starts_with("cat") { line.to_owned() } else { format!("ringwork {line}") };
        let ran = shell(&desk, &format!("ulimit -v 200000; {line}"));
        assert!(ran.status.success(), "{line}: {}", text(&ran.stderr));
    }
}

/// U8: a stream of unknown length, in pieces that are no multiples of anything.
#[test]
fn streams_are_read_to_their_end() {
    let desk = Desk::new();
    let polynomial: String = (0..65536).map(|i| format!("{}\n", 1_u64 << (i % 20))).collect();
    desk.put("a", &polynomial);
    assert_eq!(desk.run_with("ntt 65536 786433 -", &polynomial).is(0).out, desk.run("ntt 65536 786433 a").is(0).out);
}

/// U20: under `--json` there is one object, or a file or the part of one, but never both.
#[cfg(target_os = "linux")]
#[test]
fn objects_and_files_are_not_mixed() {
    let desk = full();
    let cut = desk.run("encrypt -R public -o - /proc/self/mem --json").says(3, "/proc/self/mem: cannot be read");
    assert!(cut.bytes.starts_with(b"age-encryption.org/v1\n") && !text(&cut.bytes).contains("schema"));
    let mut sealed = desk.bytes("sealed");
    *sealed.last_mut().unwrap() ^= 1;
    let refused = desk.run_with("decrypt -i secret -o - - --json", &sealed).is(3).json();
    assert_eq!(refused["error"]["exit"], 3);
    assert_eq!(desk.run("decrypt -i secret -o - sealed --json").is(0).out, "a letter\n");
}

/// U10: names are bytes; answers show them as well as text can.
#[test]
fn names_need_not_be_text() {
    let desk = full();
    let name = OsStr::from_bytes(b"\xff\xfe");
    fs::write(desk.path("").join(name), "x").unwrap();
    let ran = Command::new(RINGWORK)
        .args("encrypt -R public --json".split(' '))
        .arg(name)
        .arg("--out")
        .arg(OsStr::from_bytes(b"\xff.sealed"))
        .current_dir(desk.path(""))
        .output()
        .unwrap();
    assert_eq!((ran.status.code(), text(&ran.stderr).contains("panicked")), (Some(0), false), "{}", text(&ran.stderr));
    let object: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(object["encrypted"], "\u{fffd}.sealed");
    for line in ["key inspect", "vectors check", "mul 4 257 a", "explain 8 257 --json --out", "open --nonsense"] {
        let ran = Command::new(RINGWORK).args(line.split(' ')).arg(name).current_dir(desk.path("")).output().unwrap();
        assert!(!text(&ran.stderr).contains("panicked") && ran.status.code() != Some(70), "{line}: {ran:?}");
    }
}

/// U12: whatever ends the command before it has all of its input, no part of a file is left.
#[test]
fn signals_leave_nothing_behind() {
    let desk = full();
    let sealed = desk.run_with("encrypt -R public -o - -", vec![7; 1 << 20]).is(0).bytes;
    desk.put("old", "old");
    for line in ["encrypt -R public -o new -", "encrypt -R public -o old - --force", "decrypt -i secret -o new -"] {
        // What this process ignores, as under nohup, the command ignores as well.
        for (signal, _) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("KILL", 9)].iter().filter(|(_, n)| !is_ignored(*n)) {
            let before = desk.files();
            let mut child = Command::new(RINGWORK)
                .args(line.split(' '))
                .current_dir(desk.path(""))
                .stdin(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            // More than a pipe holds: some of it was worked on.
            stdin.write_all(&sealed[..sealed.len() - 1]).unwrap();
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
            let status = child.wait().unwrap();
            assert!(status.signal().is_some(), "{line}, {signal}: {status}");
            assert_eq!((desk.files(), &*desk.read("old")), (before, "old"), "{line}, {signal}");
        }
    }
}

/// What was read is not replaced, not even with --force: a key, an opening, the message itself.
#[test]
fn inputs_are_no_outputs() {
    let desk = full();
    let before = ["secret", "plain", "commitment", "opening"].map(|name| desk.bytes(name));
    for line in [
        "decrypt -i secret -o secret sealed --force",
        "key public secret --out ./secret --force",
        "encrypt -R public -o public plain --force",
        "commit --by me --message plain --commitment c --opening plain --force",
        "open --by me --commitment commitment --opening opening --out opening --force",
        "prove --by me --commitment commitment --opening opening --proof commitment --force",
    ] {
        desk.run(line).says(2, "cannot be the output as well");
    }
    assert!(["secret", "plain", "commitment", "opening"].map(|name| desk.bytes(name)) == before);
}

/// Whether this process ignores the signal of that number, where that can be known.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

/// Help is an answer like others: whoever writes it to a full disk is told.
#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_no_success() {
    for line in [&["--help"][..], &["mul", "--help"], &["--version"], &["selftest"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(RINGWORK).args(line).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{line:?}");
        assert!(text(&output.stderr).contains("standard output: cannot be written"), "{line:?}");
    }
}

/// U13: a file of 2 MB in a file system of 3; U14: a full one is named, and so is the folder of
/// temporary files.
#[test]
fn space_is_needed_once_and_what_lacks_it_is_named() {
    let desk = full();
    let plain: Vec<u8> = (0..2_000_000_u32).map(|i| (i % 251) as u8).collect();
    desk.put("large", desk.run_with("encrypt -R public -o - -", &plain).is(0).bytes);
    desk.put("plain", &plain);
    fs::create_dir(desk.path("small")).unwrap();
    let in_small = |line: &str| {
        let script = format!("mount -t tmpfs -o size=3m none small || exit 99\n{line}");
        let ringwork = format!("ringwork() {{ \"{RINGWORK}\" \"$@\"; }}\n{script}");
        Command::new("unshare").args(["-m", "sh", "-c", &ringwork]).current_dir(desk.path("")).output()
    };
    match in_small("true") {
        Ok(output) if output.status.success() => {}
        _ => return eprintln!("skipped: no file system can be mounted here, which takes root and unshare"),
    }
    for line in [
        "ringwork decrypt -i secret -o small/opened large && cmp plain small/opened",
        // Read twice, and stored nowhere.
        "head -c 2500000 /dev/zero > small/a; TMPDIR=$PWD/small ringwork decrypt -i secret large | cmp plain -",
        "TMPDIR=/nonexistent ringwork decrypt -i secret < large | cmp plain -",
    ] {
        let fits = in_small(line).unwrap();
        assert!(fits.status.success(), "{line}: {}", text(&fits.stderr));
    }
    for (line, words) in [
        (
            "ringwork encrypt -R public -o small/a plain > /dev/null && \
          ringwork encrypt -R public -o small/b plain",
            "error: small/b: cannot be written: No space",
        ),
        (
            "ringwork encrypt -R public -o small/a plain > /dev/null && \
          ringwork encrypt -R public -o - plain > small/b",
            "error: standard output: cannot be written: No space",
        ),
        (
            "head -c 2500000 /dev/zero > small/a; cat large | TMPDIR=$PWD/small ringwork decrypt -i secret -o -",
            "small: No space left on device (os error 28); this folder, which TMPDIR names",
        ),
    ] {
        let full = in_small(line).unwrap();
        assert_eq!(full.status.code(), Some(4), "{line}: {}", text(&full.stderr));
        assert!(text(&full.stderr).contains(words), "{line}: {}", text(&full.stderr));
        assert!(full.stdout.is_empty(), "{line}");
    }
}

/// A FIFO is opened once: whoever writes to it does so once.
#[test]
fn a_fifo_is_decrypted() {
    let desk = full();
    for _ in 0..5 {
        let ran =
            shell(&desk, "rm -f fifo; mkfifo fifo; cat sealed > fifo & ringwork decrypt -i secret fifo | cmp - plain");
        assert!(ran.status.success(), "{}", text(&ran.stderr));
    }
}

/// U14.
#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let desk = full();
    let ran = shell(&desk, "cat sealed | TMPDIR=/nonexistent ringwork decrypt -i secret -o -");
    assert_eq!(ran.status.code(), Some(4));
    assert!(
        text(&ran.stderr).contains("/nonexistent: ") && text(&ran.stderr).contains("TMPDIR"),
        "{}",
        text(&ran.stderr)
    );
}

/// U23: a terminal shows text, and nothing that would garble it or should not be seen.
#[test]
fn terminals_get_text() {
    let desk = full();
    if !Desk::has_terminals() {
        return;
    }
    desk.put("bytes", [0x1b, b'[', b'2', b'J']);
    desk.run("encrypt -R public -o sealed-bytes bytes").is(0);
    let shows = |line: &str, code: i32, words: &str| {
        let (ended, shown) = desk.on_a_terminal(line, "");
        assert!(ended == code && shown.contains(words), "{line}: {ended}, {shown}");
    };
    shows("encrypt -R public -o - plain", 2, "a terminal would garble it");
    shows("encrypt -R public -o /dev/tty plain", 2, "a terminal would garble it");
    shows("encrypt -R public -a plain", 0, "-----BEGIN AGE ENCRYPTED FILE-----");
    shows("key public secret", 0, "age1pq1");
    shows("keygen", 2, "a secret is not shown");
    shows("decrypt -i secret -o - sealed", 0, "a letter");
    shows("decrypt -i secret -o - sealed-bytes", 2, "a terminal would garble it");
    shows("decrypt -i secret -o - sealed-bytes --force", 0, "\u{1b}[2J");
    shows("open --by alice --commitment commitment --opening opening --out -", 0, "a letter");
    shows("kex init --secret - --out new --force", 2, "a secret is not shown");
    shows("explain 8 257 --out -", 0, "</html>");
}

/// What such a line leaves behind.
fn told_by_shell(desk: &Desk, line: &str) -> Outcome {
    Desk::outcome(&mut of_shell(desk, line), b"")
}

/// A file is not read while standard output goes to it.
#[test]
fn a_redirection_does_not_go_to_what_is_read() {
    let desk = Desk::new();
    desk.run("keygen -o k").is(0);
    desk.run("key public k -o r").is(0);
    desk.put("m", file(100_000));
    for line in
        ["ringwork encrypt -R r m >> m", "ringwork encrypt -R r < m >> m", "ln -f m n; ringwork encrypt -R r m >> n"]
    {
        told_by_shell(&desk, line).says(2, "standard output goes to this file, which is read");
    }
    assert!(desk.bytes("m") == file(100_000));
    told_by_shell(&desk, "ringwork encrypt -R r m > c").is(0);
    told_by_shell(&desk, "ringwork decrypt -i k c >> c").says(2, "c: standard output goes to this file");
    assert!(desk.run("decrypt -i k c").is(0).bytes == file(100_000));
}

/// The shell makes the file, for all to read.
#[test]
fn secrets_that_others_may_read_are_told() {
    let desk = Desk::new();
    let words = "warning: others may read the file to which standard output goes, and this is secret";
    let told = told_by_shell(&desk, "umask 022; ringwork keygen > k").is(0);
    assert!(told.err.contains(words), "{}", told.err);
    for line in ["umask 077; ringwork keygen > l", "ringwork keygen | cat > m", "ringwork key public k > r"] {
        let told = told_by_shell(&desk, line).is(0);
        assert!(!told.err.contains("others may read"), "{line}: {}", told.err);
    }
}

/// What ends the command while it asks for a passphrase leaves a terminal that shows what is typed.
#[test]
fn a_signal_at_a_prompt_leaves_the_terminal_as_it_was() {
    if !Desk::has_terminals() {
        return;
    }
    let desk = Desk::new();
    desk.put("m", "a message");
    let waits = "for i in $(seq 100); do stty -a | grep -q -- ' -echo ' && break; sleep 0.3; done";
    for signal in ["TERM", "HUP"] {
        let line = format!("encrypt -p -o x m & {waits}; stty -a; kill -{signal} $!; wait $!; echo ended $?; stty -a");
        let mut script = Command::new("script");
        script.args(["-qefc", &format!("{RINGWORK} {line}"), "/dev/null"]).current_dir(desk.path(""));
        let mut script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // A keyboard at which nobody types.
        let keyboard = script.stdin.take();
        let shown = String::from_utf8_lossy(&script.wait_with_output().unwrap().stdout).into_owned();
        drop(keyboard);
        let (before, after) = shown.split_once("ended ").unwrap_or_else(|| panic!("{shown}"));
        assert!(before.contains(" -echo "), "it asks: {shown}");
        assert!(after.contains(" echo ") && !after.starts_with('0'), "{shown}");
    }
}
