//! The command as its users meet it: every verb, what it refuses, and what it says then.

use crate::desk::{Desk, RINGWORK, checkout};
use serde_json::Value;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

fn vectors() -> PathBuf {
    checkout().join("vectors")
}

#[test]
fn version_names_the_backend() {
    let version = Desk::new().run("--version").is(0).out;
    assert!(version.starts_with("ringwork ") && version.contains("backend "), "{version}");
}

#[test]
fn every_verb_explains_itself() {
    let desk = Desk::new();
    let general = desk.run("--help").is(0).out;
    for verb in [
        "report",
        "plan",
        "explain",
        "primes",
        "mul",
        "ntt",
        "intt",
        "bench",
        "kex",
        "keygen",
        "lwe",
        "encrypt",
        "decrypt",
        "key",
        "commit",
        "open",
        "prove",
        "verify",
        "vectors",
        "selftest",
        "estimate",
        "processor",
    ] {
        assert!(general.contains(verb), "{general}");
        desk.run(&format!("{verb} --help")).is(0);
    }
    desk.run("").is(2);
    desk.run("integrate").is(2);
}

/// Command line, exit code, and what the message must say.
const REFUSED: [(&str, i32, &[&str]); 58] = [
    ("plan 4096 12289 --depth 12", 1, &["no primitive 8192", "depth 11", "40961"]),
    ("plan 1024 12289 --lazy-ntt 0", 1, &["t = 1 or more"]),
    ("plan 1024 12289 --lazy-ntt 2 --reduction k-red", 1, &["montgomery on the scalar backend"]),
    ("plan 1024 12289 --lazy-ntt 6 --words 32", 1, &["cannot keep", "64-bit words"]),
    ("ntt 256 4095 -", 1, &["4095 = 3", "nearest prime is 4093"]),
    ("plan 256 4096 --depth 2", 1, &["not an odd prime", "12289"]),
    ("plan 0 12289", 1, &["n = 0", "from 1 to 1073741824"]),
    ("plan 9 7681 --trinomial --cyclic", 2, &["cannot be used with"]),
    ("plan 1099511627776 12289", 1, &["from 1 to 1073741824"]),
    ("plan 1024 12289 --depth 11", 1, &["depth 11", "10 layers"]),
    ("plan 256 8380417 --words 16", 1, &["32-bit"]),
    ("plan 256 4611686018427387905", 1, &["2^62"]),
    ("plan 256 4611686018427387904", 1, &["below 2^62"]),
    ("plan 256 4", 1, &["from 5 on"]),
    ("plan 2 3", 1, &["q = 3 is too small; take a modulus from 5 on, or for products 12, and reduce them modulo 3"]),
    ("plan 256 3329 --depth deep", 2, &["deep is no depth", "or best"]),
    ("plan 1024 12289 --root 5", 1, &["not a primitive 2048th root", "7"]),
    ("plan -1 12289", 2, &["-1 is negative"]),
    ("plan 1x3 12289", 2, &["invalid number", "2^60-2^14+1"]),
    ("kex", 2, &["Usage: ringwork kex"]),
    ("primes --n 1024 --bits -3", 2, &["-3 is not in"]),
    ("plan 256 2^64-1", 1, &["take a modulus below 2^62"]),
    ("plan 1024 12289 --depth -1", 2, &["-1 is no depth", "from 0 on"]),
    (
        "explain 509 2048 --cyclic",
        1,
        &["2048 is not an odd prime", "ringwork plan 509 2048 --cyclic", "ringwork explain 1"],
    ),
    ("plan 1024", 2, &["<Q>"]),
    ("plan 1024 12289 --words 8", 2, &["16, 32, 64"]),
    ("plan 1024 12289 --reduction magic", 2, &["montgomery", "k-red-2x"]),
    ("plan 1024 12289 --backend abacus", 2, &["the backends of this machine are scalar"]),
    ("explain 4096 12289 --depth 12", 1, &["no primitive 8192", "depth 11", "40961"]),
    ("explain 769 7681 --trinomial", 1, &["n = 769 is odd", "768 and 770"]),
    // A modulus that goes by residue channels.
    ("mul 231 432257028687 --trinomial a b", 1, &["n = 231 is odd", "230 and 232"]),
    ("plan 231 432257028687 --trinomial", 1, &["n = 231 is odd", "230 and 232"]),
    ("explain 256 4095", 1, &["4095 = 3", "nearest prime is 4093"]),
    ("explain 256", 2, &["<Q>"]),
    ("primes --n 9 --bits 14 --trinomial", 1, &["n = 9 is odd", "8 and 10"]),
    ("primes --n 1024 --bits 11", 1, &["exactly 11 bits", "order 2048", "12289, of 14 bits"]),
    ("primes --n 8 --bits 6", 1, &["order 16", "17 of 5 bits and 97 of 7 bits"]),
    ("primes --n 8 --bits 6 --form k2m1", 1, &["k·2^m ± 1 with k < 256", "17 of 5 bits and 97 of 7 bits"]),
    ("primes --n 1024 --bits 65", 2, &["65 bits", "3 to 64"]),
    ("primes --n 1024 --bits 2", 2, &["2 bits", "3 to 64"]),
    ("primes --n 1024", 2, &["--bits"]),
    ("primes --n 1024 --smallest --count 3", 2, &["--count"]),
    ("primes --bits 14", 2, &["<N>"]),
    ("primes --n 1024 --bits 14 --form k3m1", 2, &["k2m1"]),
    ("primes --n 1024 --bits 14 --count 0", 2, &["1..=1000"]),
    ("processor run --set small", 2, &["n = 64 at least", "--machine paper"]),
    ("processor run --set small --depth 2", 2, &["n = 32 at least", "--machine paper"]),
    ("processor run --depth 13", 2, &["'13'", "1 to 12 stages"]),
    ("processor trace encrypt --depth 0", 2, &["'0'", "1 to 12 stages"]),
    ("processor run --set p9", 2, &["there are p1, p2, p3 and small"]),
    ("processor asm --bytes +1+2", 2, &["hexadecimal", "2480"]),
    ("processor asm --bytes 248", 2, &["hexadecimal", "2480"]),
    ("processor asm no-such-program", 3, &["no-such-program"]),
    ("processor rounds --rounds 0", 2, &["1..=100000000"]),
    ("bench no-such-row", 1, &["--list"]),
    ("mul 8 257 - -", 2, &["standard input", "once"]),
    ("vectors check", 2, &["FILE"]),
    ("report --unoptimised", 1, &["lazyntt_times", "source checkout"]),
];

#[test]
fn refusals_teach() {
    let desk = Desk::new();
    for (line, code, parts) in REFUSED {
        let outcome = desk.run(line).is(code);
        for part in parts {
            assert!(outcome.err.contains(part), "{line}: {part} in {}", outcome.err);
        }
        assert!(outcome.out.is_empty(), "{line}: {}", outcome.out);
        // U20: under --json there is an object whatever happens.
        let object = desk.run(&format!("{line} --json")).is(code).json();
        assert_eq!(object["verb"], line.split(' ').next().unwrap(), "{line}");
        if code == 1 {
            assert_eq!((&object["exists"], object["reason"].is_string()), (&false.into(), true), "{line}: {object}");
        } else {
            assert_eq!((&object["error"]["exit"], object["error"]["message"].is_string()), (&code.into(), true));
        }
    }
}

/// How the command ends, and what it says, if nobody reads what it writes.
fn unread(desk: &Desk, line: &str, input: &str) -> (ExitStatus, String) {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut child = Command::new(RINGWORK)
        .args(line.split(' '))
        .current_dir(desk.path(""))
        .stdin(Stdio::piped())
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

/// U11: whoever has read enough of an explanation may go; data that was cut off is no success.
#[test]
fn a_closed_pipe_ends_explanations_and_cuts_data_off() {
    let desk = Desk::new();
    for line in ["plan 1024 12289", "explain 256 3329", "primes --n 1024 --bits 14", "estimate --table"] {
        let (status, said) = unread(&desk, line, "");
        assert_eq!((status.code(), &*said), (Some(0), ""), "{line}");
    }
    desk.run("keygen -o secret").is(0);
    desk.run("key public secret -o public").is(0);
    desk.put("plain", "x".repeat(1 << 20));
    desk.run("encrypt -R public -o sealed plain").is(0);
    let polynomial = "1\n".repeat(65536);
    for line in [
        "ntt 65536 786433 -",
        "plan 1024 12289 --json",
        "explain 256 3329 --out -",
        "encrypt -R public -o - plain",
        "decrypt -i secret -o - sealed",
        "key public secret",
    ] {
        let (status, said) = unread(&desk, line, if line.starts_with("ntt") { &polynomial } else { "" });
        #[cfg(unix)]
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(13), "{line}: {status}");
        assert!(!status.success() && !said.contains("error"), "{line}: {said}");
    }
}

/// One way to write numbers, everywhere.
#[test]
fn numbers_may_be_formulas() {
    let desk = Desk::new();
    assert_eq!(desk.run("plan 2^10 0x3001 --json").is(0).json()["q"], 12289);
    assert_eq!(desk.run("plan 1_024 3*2^12+1 --json").is(0).json()["n"], 1024);
    assert_eq!(desk.run("plan 256 2^60-2^14+1 --json").is(0).json()["q"], ((1_u64 << 60) - (1 << 14) + 1).to_string());
    assert_eq!(desk.run("primes --n 2^8 --bits 13 --json").is(0).json()["n"], 256);
    desk.put("a", "1\n2\n");
    assert_eq!(desk.run("mul 2 1e1+7 a a").is(0).out, "14\n4\n", "(1 + 2X)^2 modulo X^2 + 1");
    let kyber =
        desk.run("estimate lwe --n 2^9 --q 2^12-767 --secret binomial:3 --error binomial:3 --json").is(0).json();
    let plain = desk.run("estimate lwe --n 512 --q 3329 --secret binomial:3 --error binomial:3 --json").is(0).json();
    assert_eq!(kyber, plain);
    desk.run("plan 1024 2^64").says(2, "2^64 is more than 2^64 - 1");
}

#[test]
fn bench_measures_what_is_asked() {
    let desk = Desk::new();
    let rows = desk.run("bench 256/3329/scalar --list --json").is(0).json();
    assert!(rows["rows"].as_array().unwrap().iter().all(|r| r.as_str().unwrap().starts_with("256/3329/scalar/")));
    let one = "256/3329/scalar/forward/montgomery-16/reduced";
    let measured = desk.run(&format!("bench --quick --json {one}")).is(0).json();
    let row = &measured["rows"][0];
    assert_eq!(row["name"], one);
    for clock in ["ns", "core"] {
        let [low, median, high] = ["low_quartile", "median", "high_quartile"].map(|k| row[clock][k].as_f64().unwrap());
        assert!(0.0 < low && low <= median && median <= high, "{row}");
    }
    let text = desk.run(&format!("bench --quick {one}")).is(0).out;
    assert!(text.contains("core cycles") && text.contains(one), "{text}");
}

#[cfg(not(feature = "rustcrypto"))]
#[test]
fn peers_are_asked_for_when_compiling() {
    Desk::new().run("bench --peers").says(1, "without its default features");
}

/// Peers stand beside us, and all come to the same.
#[cfg(feature = "peers")]
#[test]
fn peers_stand_beside_us() {
    let desk = Desk::new();
    let names = desk.run("bench --peers --list --json").is(0).json()["rows"].to_string();
    for who in ["libcrux-ml-kem/keygen", "ml-kem/encaps", "libcrux-ml-dsa/sign", "ml-dsa/verify", "aws-lc-rs/verify"] {
        assert!(names.contains(who), "{who}");
    }
    for set in ["ml-kem-512", "ml-kem-768", "ml-kem-1024", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let measured = desk.run(&format!("bench --quick --peers --json {set}")).is(0).json();
        let rows = measured["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 7 + 3 * backends(&desk).len(), "{set}");
        assert!(rows.iter().all(|row| row["of_ours"].as_f64().unwrap() > 0.0), "{set}");
    }
    assert!(desk.run("bench --quick --peers ml-dsa-44 verify").is(0).out.contains("of ours"));
}

/// Peers that are built by the command have rows, and are absent where there is no checkout.
#[cfg(feature = "rustcrypto")]
#[test]
fn peers_are_built_in_a_checkout_alone() {
    let desk = Desk::new();
    let names = desk.run("bench --peers --list --json").is(0).json()["rows"].to_string();
    for who in ["tfhe-ntt-", "plonky3-", "num-bigint/product", "dashu-int/product", "gmp/", "flint/", "ntl/"] {
        assert!(names.contains(who), "{who}");
    }
    let vectors: &[_] = if cfg!(target_arch = "x86_64") { &["hexl/forward", "hexl/product"] } else { &[] };
    for who in vectors.iter().chain(&["ml-kem-512/mlkem-native/keygen", "ml-kem-1024/mlkem-native/decaps"]) {
        assert!(names.contains(who), "{who}");
    }
    for (rows, who) in [("4096 negacyclic gmp", "gmp"), ("ml-kem-768 mlkem-native", "mlkem-native")] {
        let away = desk.run(&format!("bench --quick --peers --json {rows}")).is(0).json();
        assert_eq!((away["rows"].as_array().unwrap().len(), &away["absent"][0]["what"]), (0, &who.into()), "{away}");
        assert!(away["absent"][0]["why"].as_str().unwrap().contains("source checkout"), "{away}");
        assert_eq!(away["built"].as_array().unwrap().len(), 0, "{away}");
    }
}

/// The backends of this machine.
fn backends(desk: &Desk) -> Vec<String> {
    let names = desk.run("bench --list --json nttru768 encaps").is(0).json();
    let names = names["rows"].as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap().split('/').nth(2).unwrap().to_owned()).collect()
}

#[test]
fn standards_have_rows_on_every_backend() {
    let desk = Desk::new();
    let names = desk.run("bench --list --json ml-").is(0).json()["rows"].to_string();
    for backend in backends(&desk) {
        for row in ["ml-kem-768/BACKEND/decaps", "ml-dsa-65/BACKEND/sign", "ml-dsa-87/BACKEND/sign-expanded"] {
            let row = row.replace("BACKEND", &backend);
            assert!(names.contains(&format!("{row}\"")), "{row}");
        }
    }
}

#[test]
fn selftest_passes() {
    let desk = Desk::new();
    assert!(desk.run("selftest").is(0).out.contains("backend in use"));
    assert!(desk.run("selftest --json").is(0).json()["passed"].is_array());
}

#[test]
fn the_excerpts_inside_the_command_are_excerpts() {
    let read = |path: PathBuf| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("known")).unwrap() {
        let path = entry.unwrap().path();
        let (excerpt, whole) = (read(path.clone()), read(vectors().join(path.file_name().unwrap())));
        assert!(excerpt["tests"].as_array().unwrap().iter().all(|t| whole["tests"].as_array().unwrap().contains(t)));
        assert_eq!(excerpt["parameters"], whole["parameters"]);
    }
}

#[test]
fn vector_files_agree() {
    let desk = Desk::new();
    let names = [
        "transforms.json",
        "products.json",
        "newhope-usenix2016.json",
        "newhope-psi12.json",
        "rlwe.json",
        "lwe.json",
        "lwe-kem.json",
        "bdlop.json",
    ];
    let files = names.map(|name| vectors().join(name).display().to_string());
    let checked = desk.run(&format!("vectors check --json {}", files.join(" "))).is(0).json();
    assert!(checked["files"].as_array().unwrap().iter().all(|f| f["tests"].as_u64().unwrap() > 0), "{checked}");
}

#[test]
fn vector_files_that_do_not_agree_are_named() {
    let desk = Desk::new();
    let head = r#"{"schema": 1, "scheme": "product", "source": "here", "parameters": {}, "tests": ["#;
    let test = |c: &str| format!(r#"{{"n": 2, "q": 5, "ring": "cyclic", "a": [1, 0], "b": [3, 4], "c": {c}}}"#);
    desk.put("good", format!("{head}{}]}}", test("[3, 4]")));
    desk.put("wrong", format!("{head}{}, {}]}}", test("[3, 4]"), test("[3, 3]")));
    assert!(desk.run("vectors check good").is(0).out.contains("1 tests agree"));
    let wrong = desk.run("vectors check good wrong").is(1);
    assert!(wrong.err.contains("wrong: test 1: field \"c\""), "{}", wrong.err);
    for (text, part) in [
        (format!("{head}{}]}}", test("[3]")), "has 1 numbers"),
        (format!("{head}{}]}}", test("[3, 5]")), "not below q"),
        (format!("{head}{{}}]}}"), "missing field"),
        ("{}".into(), "not a vector file"),
        (String::new(), "not a vector file"),
        (r#"{"schema": 2, "scheme": "product", "parameters": {}, "tests": []}"#.into(), "schema 2"),
        (r#"{"schema": 1, "scheme": "rot13", "parameters": {}, "tests": []}"#.into(), "\"rot13\" is unknown"),
    ] {
        desk.put("bad", &text);
        let outcome = desk.run("vectors check bad").is(3);
        assert!(outcome.err.contains(part), "{part} in {}", outcome.err);
    }
    desk.run("vectors check nowhere").is(3);
}

/// A file with one digit changed in the first such field is refused with that field's name.
#[test]
fn every_field_of_a_scheme_is_compared() {
    let desk = Desk::new();
    for (file, fields) in [
        ("rlwe.json", &["public_key", "secret_key", "ciphertext", "decrypted"][..]),
        ("lwe.json", &["public_key", "secret_key", "ciphertext"]),
        ("lwe-kem.json", &["public_key", "secret_key", "ciphertext", "shared_key", "rejected_key"]),
        ("bdlop.json", &["commitment", "bytes"]),
    ] {
        let text = fs::read_to_string(vectors().join(file)).unwrap();
        for field in fields {
            // The second digit is the low half of a byte: a number below the modulus stays one.
            let at = text.find(&format!("\"{field}\": \"")).unwrap() + field.len() + 6;
            let digit = if &text[at..=at] == "0" { "1" } else { "0" };
            desk.put("changed", [&text[..at], digit, &text[at + 1..]].concat());
            let outcome = desk.run("vectors check changed").is(1);
            let named = if *field == "bytes" { "proof" } else { field };
            assert!(outcome.err.contains(&format!("field \"{named}\"")), "{file} {field}: {}", outcome.err);
        }
    }
    let text = fs::read_to_string(vectors().join("rlwe.json")).unwrap();
    for (from, to, part) in [
        ("rlwe-p1", "rlwe-p9", "known are rlwe-p1, rlwe-p2"),
        ("\"r1\": [", "\"r1\": [30000, ", "field \"r1\" has 257 numbers"),
        ("\"message\": \"", "\"message\": \"00", "the message has 33 bytes, not 32"),
    ] {
        desk.put("bad", text.replacen(from, to, 1));
        let outcome = desk.run("vectors check bad").is(3);
        assert!(outcome.err.contains(part), "{part} in {}", outcome.err);
    }
}

#[test]
fn estimates_are_those_of_the_library_and_nonsense_is_refused() {
    let desk = Desk::new();
    let kyber = "estimate lwe --n 512 --q 3329 --secret binomial:3 --error binomial:3";
    let value = desk.run(&format!("{kyber} --samples 512 --json")).is(0).json();
    assert_eq!((&value["verb"], &value["attacks"][0]["beta"]), (&"estimate".into(), &406.into()), "{value}");
    assert_eq!(value["attacks"][1]["attack"], "dual");
    let text = desk.run(kyber).is(0).out;
    assert!(text.contains("classical bits") && text.contains("ADPS16"), "{text}");

    assert_eq!(desk.run("estimate ntru --n 700 --q 8192 --secret ternary --json").is(0).json()["warning"], Value::Null);
    let stretched = desk.run("estimate ntru --n 512 --q 65537 --secret ternary").is(0).out;
    assert!(stretched.contains("warning: ") && stretched.contains("fatigue"), "{stretched}");
    let falcon = desk.run("estimate sis --n 512 --q 12289 --norm 5833.9 --width 1024 --json").is(0).json();
    assert_eq!(falcon["attacks"][0]["attack"], "euclidean");
    desk.run("estimate sis --n 1024 --q 8380417 --norm 350209 --width 2304 --infinity").is(0);
    let sets = desk.run("estimate --table --json").is(0).json()["sets"].as_array().unwrap().len();
    assert_eq!(desk.run("estimate --table").is(0).out.lines().count(), sets + 4);
    // U6: the lower number stands next to the one that is quoted.
    let table = desk.run("estimate --table").is(0).out;
    assert!(
        table.contains("115.5 (dual hybrid)")
            && table.contains("173.7 (dual hybrid)")
            && table.contains("left out: hybrid")
    );
    // M8: moduli by their logarithm, secrets by their weight, and no lattice too small to be
    // solved.
    let sparse =
        desk.run("estimate lwe --n 32768 --log-q 881 --secret ternary:h=192 --error gaussian:3.2 --json").is(0).json();
    assert!(sparse["warning"].as_str().unwrap().contains("hybrid") && sparse["attacks"].as_array().unwrap().len() == 4);
    let small =
        desk.run("estimate lwe --n 16 --q 3329 --secret binomial:2 --error binomial:2 --samples 16 --json").is(0);
    assert!(small.json()["attacks"][0]["classical_bits"].as_f64().unwrap() < 12.0);

    // All attacks with a model of the lattice-estimator.
    let all = desk.run(&format!("{kyber} --samples 512 --model matzov --json")).is(0).json();
    let bits = |name: &str| {
        all["all_attacks"].as_array().unwrap().iter().find(|a| a["attack"] == name).unwrap()["bits"].clone()
    };
    assert_eq!(all["cheapest"], "dual_hybrid", "{all}");
    assert!((bits("usvp").as_f64().unwrap() - 143.8).abs() < 0.3, "{all}");
    let all = desk.run(&format!("{kyber} --samples 512 --model MATZOV --basis cn11")).is(0).out;
    assert!(
        ["MATZOV; bits", "CN11", "steps 16, table 14", "mitm: by this model"].iter().all(|part| all.contains(part)),
        "{all}"
    );
    let key = desk.run("estimate ntru --n 512 --q 65537 --secret ternary --model gj21").is(0).out;
    assert!(key.contains("the least: dsd") && key.contains("ZGSA") && !key.contains("warning"), "{key}");
    let key = desk.run("estimate ntru --n 1024 --q 2^30 --secret ternary --model matzov --basis cn11").is(0).out;
    assert!(key.contains("of those that have a cost") && key.contains("warning: q = "), "{key}");
    // Hardly any coefficient is not zero, but which ones nobody knows.
    let narrow = "estimate lwe --n 1024 --q 12289 --secret gaussian:0.39 --error gaussian:3.2 --model matzov --json";
    let narrow = desk.run(narrow).is(0).json();
    let least = narrow["all_attacks"].as_array().unwrap().iter().filter_map(|a| a["bits"].as_f64());
    assert!(least.fold(f64::INFINITY, f64::min) > 80.0, "{narrow}");
    let sis = "estimate sis --n 1024 --q 8380417 --norm 350209 --width 2304 --infinity --model adps16 --basis lgsa";
    assert!(desk.run(sis).is(0).out.contains("123.5"));
    desk.run("estimate sis --n 512 --q 12289 --norm 2 --width 1024 --model kyber").is(1);
    desk.run("estimate sis --n 1024 --q 8380417 --norm 350209 --width 5000 --infinity --model adps16 --basis cn11")
        .is(1);

    for (line, reason) in [
        ("lwe --n 512 --q 3329 --secret ternary --error ternary --model bkz", "MATZOV"),
        ("lwe --n 512 --q 3329 --secret ternary --error ternary --model gj21 --basis straight", "ZGSA"),
        ("lwe --n 512 --q 3329 --secret ternary --error ternary --basis gsa", "--model"),
        ("lwe --n 0 --q 3329 --secret ternary --error ternary --model gj21", "n = 0"),
        ("lwe --n 0 --q 3329 --secret ternary --error ternary", "n = 0"),
        ("lwe --n 512 --q 0 --secret ternary --error ternary", "q = 0"),
        ("lwe --n 512 --q NaN --secret ternary --error ternary", "q = NaN"),
        ("lwe --n 512 --q 3329 --secret gaussian:NaN --error ternary", "gaussian:NaN"),
        ("lwe --n 512 --q 3329 --secret ternary --error gaussian:-1", "gaussian:-1"),
        ("lwe --n 512 --q 3329 --secret poisson:3 --error ternary", "binomial:3"),
        ("lwe --n 512 --q 3329 --secret ternary --error ternary --samples 0", "samples = 0"),
        ("lwe --n 99999999999 --q 3329 --secret ternary --error ternary", "n = 99999999999"),
        ("ntru --n 512 --q 1.5 --secret ternary", "q = 1.5"),
        ("sis --n 512 --q 12289 --norm 12289", "no challenge"),
        ("sis --n 512 --q 12289 --norm 6144 --infinity", "no challenge"),
        ("sis --n 512 --q 12289 --norm 5000 --width 512", "width = 512"),
        ("--table lwe --n 512 --q 3329 --secret ternary --error ternary", "--table"),
        ("", "Usage"),
    ] {
        let refused = desk.run(&format!("estimate {line}")).is(2);
        assert!(refused.err.contains(reason), "{line}: {}", refused.err);
    }
    desk.run("estimate sis --n 512 --q 12289 --norm 2 --width 1024").is(1);
}
