//! The command as its users meet it: every verb, what it refuses, and what it says then.

#![forbid(unsafe_code)]

mod desk;

use desk::{Desk, RINGWORK, checkout};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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
        "report", "plan", "explain", "primes", "mul", "ntt", "intt", "bench", "kex", "keygen", "encrypt", "decrypt",
        "key", "commit", "open", "prove", "verify", "vectors", "selftest",
    ] {
        assert!(general.contains(verb), "{general}");
        desk.run(&format!("{verb} --help")).is(0);
    }
    desk.run("").is(2);
    desk.run("integrate").is(2);
}

/// Command line, exit code, and what the message must say.
const REFUSED: [(&str, i32, &[&str]); 40] = [
    ("plan 4096 12289 --depth 12", 1, &["no primitive 8192", "depth 11", "40961"]),
    ("plan 1024 12289 --lazy-ntt 0", 1, &["t = 1 or more"]),
    ("plan 1024 12289 --lazy-ntt 2 --reduction k-red", 1, &["montgomery on the scalar backend"]),
    ("plan 1024 12289 --lazy-ntt 6 --words 32", 1, &["cannot keep", "64-bit words"]),
    ("ntt 256 4095 -", 1, &["4095 = 3", "nearest prime is 4093"]),
    ("plan 256 4096 --depth 2", 1, &["not an odd prime", "12289"]),
    ("plan 0 12289", 1, &["n = 0", "from 2 to 4194304"]),
    ("plan 9 7681 --trinomial --cyclic", 2, &["cannot be used with"]),
    ("plan 1099511627776 12289", 1, &["from 2 to 4194304"]),
    ("plan 1024 12289 --depth 11", 1, &["depth 11", "10 layers"]),
    ("plan 256 8380417 --words 16", 1, &["32-bit"]),
    ("plan 256 4611686018427387905", 1, &["2^62"]),
    ("plan 256 4611686018427387904", 1, &["below 2^62"]),
    ("plan 256 4", 1, &["from 5 on"]),
    ("plan 256 3329 --depth deep", 2, &["a number, or best"]),
    ("plan 1024 12289 --root 5", 1, &["not a primitive 2048th root", "7"]),
    ("plan -1 12289", 2, &["unexpected argument"]),
    ("plan 1e3 12289", 2, &["invalid"]),
    ("plan 1024", 2, &["<Q>"]),
    ("plan 1024 12289 --words 8", 2, &["16, 32, 64"]),
    ("plan 1024 12289 --reduction magic", 2, &["montgomery", "k-red-2x"]),
    ("plan 1024 12289 --backend abacus", 2, &["scalar", "array256"]),
    ("explain 4096 12289 --depth 12", 1, &["no primitive 8192", "depth 11", "40961"]),
    ("explain 769 7681 --trinomial", 1, &["n = 769 is odd", "768 and 770"]),
    ("explain 256 4095", 1, &["4095 = 3", "nearest prime is 4093"]),
    ("explain 256", 2, &["<Q>"]),
    ("primes --n 9 --bits 14 --trinomial", 1, &["n = 9 is odd", "8 and 10"]),
    ("primes --n 1024 --bits 11", 1, &["exactly 11 bits", "order 2048", "12289, of 14 bits"]),
    ("primes --n 8 --bits 6", 1, &["order 16", "17 of 5 bits and 97 of 7 bits"]),
    ("primes --n 8 --bits 6 --form k2m1", 1, &["k·2^m ± 1 with k < 256", "17 of 5 bits and 97 of 7 bits"]),
    ("primes --n 1024 --bits 64", 2, &["64 bits", "3 to 62"]),
    ("primes --n 1024 --bits 2", 2, &["2 bits", "3 to 62"]),
    ("primes --n 1024", 2, &["--bits"]),
    ("primes --bits 14", 2, &["--n"]),
    ("primes --n 1024 --bits 14 --form k3m1", 2, &["k2m1"]),
    ("primes --n 1024 --bits 14 --count 0", 2, &["1..=1000"]),
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
        if code == 1 {
            let error = desk.run(&format!("{line} --json")).is(code).json()["error"].clone();
            assert_eq!(error["exit"], code, "{line}");
        }
    }
}

#[test]
fn products_of_any_integers() {
    let desk = Desk::new();
    // (1 + X)·X^3 = X^3 - 1 modulo X^4 + 1
    desk.put("a", "# one plus X\n1\n\n-256\n257\n+514\n");
    desk.put("b", "0\n0\n0\n-170141183460469231731687303715884105728\n");
    let power = 170_141_183_460_469_231_731_687_303_715_884_105_727_i128; // its negative less one
    let unit = (-power - 1).rem_euclid(257);
    let expected = format!("{}\n0\n0\n{unit}\n", 257 - unit);
    assert_eq!(desk.run("mul 4 257 a b").is(0).out, expected);
    assert_eq!(desk.run_with("mul 4 257 - b", desk.read("a")).is(0).out, expected);
    let json = desk.run_with("mul 4 257 - b", "[1,\n -256, 257, 514]").is(0).out;
    assert_eq!(json, format!("[{}, 0, 0, {unit}]\n", 257 - unit));
    let all = desk.run("mul 4 257 a b --json").is(0).json();
    assert_eq!(all["coefficients"][3], unit as u64);
    assert_eq!(all["ring"], "negacyclic");
    let cyclic = desk.run_with("mul 4 257 --cyclic - a", "0\n0\n0\n1\n").is(0).out;
    assert_eq!(cyclic, "1\n0\n0\n1\n");
}

#[test]
fn a_modulus_of_62_bits() {
    let desk = Desk::new();
    let q = (1_u64 << 62) - (1 << 16) + 1;
    desk.put("a", "1\n1\n0\n0\n");
    desk.put("b", format!("0\n0\n0\n{}\n", q - 1));
    for method in ["montgomery", "barrett"] {
        let product = desk.run(&format!("mul 4 {q} a b --reduction {method} --json")).is(0).json();
        assert_eq!((&product["bits"], &product["method"]), (&64.into(), &method.into()));
        assert_eq!(product["coefficients"], serde_json::json!([1, 0, 0, q - 1]), "(1 + X)·-X^3 modulo X^4 + 1");
        let transform = desk.run(&format!("ntt 4 {q} b --reduction {method}")).is(0).out;
        let back = desk.run_with(&format!("intt 4 {q} - --reduction {method}"), &transform).is(0).out;
        assert_eq!(back, desk.read("b"));
    }
}

/// Moduli without roots: the planner takes auxiliary primes, says why, and the product is right.
#[test]
fn products_modulo_any_number() {
    let desk = Desk::new();
    desk.put("a", "1\n0\n0\n0\n99\n");
    desk.put("b", "0\n7\n0\n0\n1\n");
    let product = desk.run("mul 5 100 a b --cyclic --json").is(0).json();
    assert_eq!((&product["method"], &product["q"]), (&"auxiliary primes".into(), &100.into()));
    assert_eq!(product["coefficients"], serde_json::json!([93, 7, 0, 99, 1]), "(1 - X^4)(7X + X^4) modulo X^5 - 1");
    let plan = desk.run("plan 761 4591 --cyclic --json").is(0).json();
    assert_eq!((&plan["because"], &plan["length"]), (&Value::Null, &1536.into()));
    assert!(plan["primes"].as_array().unwrap().len() > 1 && plan["estimated_cycles"].is_u64());
    assert!(desk.run("plan 256 4096").is(0).out.contains("by         auxiliary primes: q = 4096 is not an odd prime"));
}

#[test]
fn transforms_are_the_known_ones_and_come_back() {
    let desk = Desk::new();
    let file: Value = serde_json::from_str(&fs::read_to_string(vectors().join("transforms.json")).unwrap()).unwrap();
    let tests = file["tests"].as_array().unwrap();
    let last = tests.iter().rev().take(5); // odd parts, trinomials
    for test in [&tests[2], &tests[43], &tests[45]].into_iter().chain(last) {
        let [n, q, depth, root] = ["n", "q", "depth", "root"].map(|key| test[key].as_u64().unwrap());
        let ring = match test["ring"].as_str().unwrap() {
            "negacyclic" => "",
            "cyclic" => "--cyclic",
            _ => "--trinomial",
        };
        let options = format!("{n} {q} - --depth {depth} --root {root} {ring}");
        let forward = desk.run_with(&format!("ntt {options}"), test["input"].to_string()).is(0).out;
        assert_eq!(serde_json::from_str::<Value>(&forward).unwrap(), test["output"]);
        let back = desk.run_with(&format!("intt {options}"), &forward).is(0).out;
        assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), test["input"]);
    }
    let all = desk.run_with("ntt 4 257 - --json", "[1,0,0,0]").is(0).json();
    assert_eq!((&all["values"], &all["order"]), (&serde_json::json!([1, 1, 1, 1]), &"canonical".into()));
    assert!(all["root"].is_u64());
}

/// Content of the file `a` for degree 4, the line that is at fault, and what the message must say.
const BAD_POLYNOMIALS: [(&str, &str, &[&str]); 11] = [
    ("1\n2\n3\n", "a:3:", &["3 coefficients", "exactly 4"]),
    ("1\n2\n3\n4\n\n5\n6\n", "a:6:", &["coefficient 5 of 6", "exactly 4"]),
    ("1\n2\n# x\n3.5\n4\n", "a:4:", &["\"3.5\"", "not an integer"]),
    ("1\n2\n3\nx\n", "a:4:", &["\"x\""]),
    ("1 2 3 4\n", "a:1:", &["\"1 2 3 4\""]),
    ("", "a:1:", &["0 coefficients"]),
    ("1\n2\n3\n340282366920938463463374607431768211456\n", "a:4:", &["127 bits"]),
    ("[1, 2,\n 3, 4.5]", "a:2:", &["\"4.5\""]),
    ("[1, 2,\n 3, \"4\"]", "a:2:", &["not an integer"]),
    ("[1, 2,\n 3, 4", "a:2:", &["not a JSON array"]),
    ("[1, 2,\n 3, 4, 5]", "a:2:", &["coefficient 5 of 5"]),
];

#[test]
fn bad_polynomials_are_refused_with_their_line() {
    let desk = Desk::new();
    desk.put("good", "1\n2\n3\n4\n");
    for (text, place, parts) in BAD_POLYNOMIALS {
        desk.put("a", text);
        for line in ["mul 4 257 good a", "ntt 4 257 a", "intt 4 257 a"] {
            let outcome = desk.run(line).is(3);
            assert!(outcome.err.contains(place), "{text:?}: {place} in {}", outcome.err);
            for part in parts {
                assert!(outcome.err.contains(part), "{text:?}: {part} in {}", outcome.err);
            }
            assert!(outcome.out.is_empty());
        }
    }
    let missing = desk.run("mul 4 257 good nowhere").is(3);
    assert!(missing.err.contains("nowhere: cannot be read"), "{}", missing.err);
    fs::write(desk.path("a"), b"1\n\xff\n").unwrap();
    assert!(desk.run("ntt 4 257 a").is(3).err.contains("a:2:"));
    assert!(desk.run_with("ntt 4 257 -", "1\n2\n").is(3).err.contains("standard input:2:"));
}

#[test]
fn a_closed_pipe_is_no_fault() {
    let mut child = Command::new(RINGWORK)
        .args(["ntt", "65536", "786433", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all("1\n".repeat(65536).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
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
fn two_processes_agree_on_a_key() {
    let desk = Desk::new();
    for set in ["usenix2016", "psi12"] {
        desk.run(&format!("kex init --secret alice.key --out a.msg --force --set {set}")).is(0);
        desk.run(&format!("kex respond --in a.msg --out b.msg --key bob.shared --force --set {set}")).is(0);
        let last = format!("kex finish --secret alice.key --in b.msg --key alice.shared --force --set {set} --json");
        assert_eq!(desk.run(&last).is(0).json()["set"], set);
        let read = |name: &str| fs::read(desk.path(name)).unwrap();
        assert_eq!((read("a.msg").len(), read("b.msg").len(), read("bob.shared").len()), (1824, 2048, 32));
        assert_eq!(read("alice.shared"), read("bob.shared"));
    }
    assert_eq!(desk.files(), ["a.msg", "alice.key", "alice.shared", "b.msg", "bob.shared"]);
}

#[cfg(unix)]
#[test]
fn secrets_are_for_their_owner_only_and_are_never_lost() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    desk.run("kex init --secret alice.key --out a.msg").is(0);
    let before = fs::read(desk.path("alice.key")).unwrap();
    assert_eq!(fs::metadata(desk.path("alice.key")).unwrap().permissions().mode() & 0o777, 0o600);
    let again = desk.run("kex init --secret alice.key --out other.msg").is(3);
    assert!(again.err.contains("--force"), "{}", again.err);
    assert_eq!((fs::read(desk.path("alice.key")).unwrap(), desk.files().len()), (before, 2));
    desk.run("kex respond --in a.msg --out b.msg --key bob.shared").is(0);
    assert_eq!(fs::metadata(desk.path("bob.shared")).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn bad_messages_leave_nothing_behind() {
    let desk = Desk::new();
    desk.run("kex init --secret alice.key --out a.msg").is(0);
    let good = fs::read(desk.path("a.msg")).unwrap();
    let bad = [good[1..].to_vec(), [&good[..], &[0]].concat(), vec![], vec![0xff; 1824], vec![0xff; 10000]];
    let before = desk.files().len() + 1;
    for message in bad {
        fs::write(desk.path("bad.msg"), &message).unwrap();
        for line in [
            "kex respond --in bad.msg --out b.msg --key bob.shared",
            "kex finish --secret alice.key --in bad.msg --key alice.shared",
            "kex finish --secret bad.msg --in a.msg --key alice.shared",
        ] {
            let refused = desk.run(line).is(3);
            assert!(refused.err.contains("bad.msg: "), "{}", refused.err);
            assert_eq!(desk.files().len(), before, "{:?}", desk.files());
        }
    }
    desk.run("kex init --secret x --out y --set newhope").is(2);
    desk.run("kex init --secret - --out -").is(2);
    desk.run("kex respond --in nowhere --out b.msg --key bob.shared").is(3);
    let lost = desk.run("kex init --secret nowhere/alice.key --out new.msg").is(3);
    assert!(lost.err.contains("nowhere"), "{}", lost.err);
    assert_eq!(desk.files().len(), before);
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
    assert_eq!(desk.run("estimate --table").is(0).out.lines().count(), sets + 3);

    for (line, reason) in [
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
