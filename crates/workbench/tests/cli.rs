//! The command as its users meet it: every verb, what it refuses, and what it says then.

#![forbid(unsafe_code)]

mod desk;

use desk::{Desk, RINGWORK};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

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

#[test]
fn plan_shows_what_is_proved() {
    let desk = Desk::new();
    let text = desk.run("plan 1024 12289").is(0).out;
    for word in ["irreducible factors", "chosen", "not faster", "another word", "cannot keep"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let ssm = desk.run("--json plan 1024 12289 --lazy-ntt 3 --words 64").is(0).json();
    let counts = &ssm["vector_operations"]["forward"];
    assert_eq!((&counts["products with a twiddle"], &counts["the same, left unreduced"]), (&2048.into(), &3072.into()));
    let few = desk.run("--json plan 1024 1073741789 --depth 1").is(0).json();
    assert_eq!(few["splitting"]["factors"], 2);
    assert_eq!(few["splitting"]["invertible"]["max_norm"], 23170);
    for part in ["root       7, of order 2048", "forward layer 9", "inverse layer 0", "reductions", "tables"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let plan = desk.run("--json plan 256 3329 --backend scalar").is(0).json();
    assert_eq!((&plan["depth"], &plan["slot_degree"], &plan["root"]), (&7.into(), &2.into(), &17.into()));
    let limit = plan["word"]["hi"].as_i64().unwrap();
    for step in plan["ranges"].as_array().unwrap() {
        assert!(step["hi"].as_i64().unwrap() <= limit && step["lo"].as_i64().unwrap() >= -limit - 1, "{step}");
    }
}

#[test]
fn plan_takes_every_option() {
    let desk = Desk::new();
    let options = "--depth 8 --cyclic --words 32 --reduction barrett --backend scalar --lazy";
    let plan = desk.run(&format!("plan 1024 12289 {options} --json")).is(0).json();
    let shown = ["ring", "depth", "bits", "method", "backend", "slot_degree"].map(|key| plan[key].to_string());
    assert_eq!(shown, ["\"cyclic\"", "8", "32", "\"barrett\"", "\"scalar\"", "4"]);
    for (q, bits) in [(8380417, 32), (1152921504606830593_u64, 64), (4611686018427322369, 64)] {
        let wide = desk.run(&format!("plan 256 {q} --json")).is(0).json();
        assert_eq!((&wide["bits"], &wide["q"]), (&bits.into(), &q.into()));
        assert!(wide["word"]["lo"].as_i64().is_some_and(|lo| lo == i64::MIN >> (64 - bits)));
    }
    let narrow = desk.run("plan 256 12289 --words 64").is(0).out;
    assert!(narrow.contains("64 bits"), "{narrow}");
}

#[test]
fn primes_are_found_by_their_root() {
    let desk = Desk::new();
    let text = desk.run("primes --n 1024 --bits 14").is(0).out;
    for part in ["order 2048", "depth 10", "12289", "3·2^12 + 1", "these are all"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let found = desk.run("primes --n 256 --bits 12 --cyclic --json").is(0).json();
    assert_eq!((&found["ring"], &found["root_order"], &found["all"]), (&"cyclic".into(), &256.into(), &true.into()));
    let kyber = found["primes"].as_array().unwrap().iter().find(|prime| prime["p"] == 3329).unwrap();
    let expected = serde_json::json!({
        "p": 3329, "bits": 12, "k": 13, "m": 8, "sign": 1, "two_adicity": 8, "root": 17, "depth": 8,
    });
    assert_eq!(*kyber, expected);
}

#[test]
fn primes_are_the_smallest_and_the_largest() {
    let desk = Desk::new();
    let text = desk.run("primes --n 4096 --bits 31 --count 2").is(0).out;
    assert_eq!(text.lines().count(), 10, "{text}");
    assert!(text.contains("…") && text.contains("--count"), "{text}");
    let numbers = |line: &str| -> Vec<u64> {
        let found = desk.run(&format!("{line} --json")).is(0).json();
        found["primes"].as_array().unwrap().iter().map(|prime| prime["p"].as_u64().unwrap()).collect()
    };
    let two = numbers("primes --n 4096 --bits 31 --count 2");
    let many = numbers("primes --n 4096 --bits 31 --count 40");
    assert_eq!((two.len(), many.len()), (4, 80));
    assert_eq!(two, [&many[..2], &many[78..]].concat());
    assert!(many.is_sorted() && many.iter().all(|p| p % 8192 == 1 && (1 << 30..1 << 31).contains(p)), "{many:?}");
    let small_k = numbers("primes --n 4096 --bits 31 --form k2m1 --count 1000");
    assert!(small_k.is_sorted() && small_k.contains(&2_013_265_921), "{small_k:?}");
    assert!(small_k.iter().all(|p| (p - 1) >> (p - 1).trailing_zeros() < 256), "{small_k:?}");
    // Only a square root of unity leaves room for the other sign.
    let text = desk.run("primes --n 2 --cyclic --bits 5 --form k2m1").is(0).out;
    assert!(text.contains("1·2^5 - 1") && text.contains("k < 256"), "{text}");
}

/// Titles of the butterflies of a page: layer and twiddle.
fn butterflies(page: &str) -> Vec<(u64, u64)> {
    let titles =
        page.split("class=\"butterfly\"><title>layer ").skip(1).map(|rest| rest.split_once("</title>").unwrap().0);
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    titles.map(|title| (number(&title[..1]), number(title.rsplit_once('\u{a0}').unwrap().1))).collect()
}

#[test]
fn explain_draws_what_the_plan_does() {
    let desk = Desk::new();
    for (line, n, depth) in [
        ("explain 8 257", 8, 3),
        ("explain 64 257 --cyclic", 64, 6),
        ("explain 16 97 --depth 2", 16, 2),
        ("explain 2 5", 2, 1),
        ("explain 16 7", 16, 0),
    ] {
        let data = desk.run(&format!("{line} --out page.html --json")).is(0).json();
        let page = desk.read("page.html");
        needs_nothing_else(&page);
        let drawn = butterflies(&page);
        assert_eq!(drawn.len(), n / 2 * depth, "{line}");
        for layer in data["layers"].as_array().unwrap() {
            let of_layer = drawn.iter().filter(|(number, _)| layer["layer"] == *number).map(|(_, twiddle)| *twiddle);
            let mut twiddles: Vec<u64> = of_layer.collect();
            twiddles.dedup();
            let expected: Vec<u64> =
                layer["twiddles"].as_array().unwrap().iter().map(|t| t["residue"].as_u64().unwrap()).collect();
            assert_eq!(twiddles, expected, "{line}, {layer}");
        }
    }
    assert_eq!(desk.files(), ["page.html"]);
}

#[test]
fn explain_names_the_slots() {
    let desk = Desk::new();
    let data = desk.run("explain 16 97 --json").is(0).json();
    let slots = data["slots_listed"].as_array().unwrap();
    let roots: Vec<&Value> = slots.iter().map(|slot| &slot["residue"]).collect();
    let x = "[0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";
    let transform = desk.run_with("ntt 16 97 - --json", x).is(0).json();
    assert_eq!(roots, transform["values"].as_array().unwrap().iter().collect::<Vec<_>>());
    // From row to row of the picture, slots are in bit-reversed order.
    let page = desk.run("explain 16 97 --out -").is(0).out;
    let drawn: Vec<usize> = page
        .split(">slot ")
        .filter_map(|rest| rest.split_once(':'))
        .filter_map(|(slot, _)| slot.parse().ok())
        .collect();
    let reversed = drawn.iter().map(|slot| slots[*slot]["bit_reversed"].as_u64().unwrap());
    assert!(drawn.len() == 16 && reversed.eq(0..16), "{drawn:?}");
    let mut native: Vec<u64> = slots.iter().map(|slot| slot["native"][0].as_u64().unwrap()).collect();
    native.sort_unstable();
    assert!(native.into_iter().eq(0..16));
}

#[test]
fn explain_fits_a_screen_for_any_degree() {
    let desk = Desk::new();
    let said = desk.run("explain 256 3329 --out page.html").is(0).out;
    for part in ["128 slots of 2 coefficients", "r = 17, of order 256", "X^4 - r^2", "of the word", "page.html written"]
    {
        assert!(said.contains(part), "{part} in {said}");
    }
    let page = desk.read("page.html");
    needs_nothing_else(&page);
    assert_eq!(butterflies(&page).len(), 8 * 3, "n = 16 stands for it");
    for part in ["prefers-color-scheme", "width=device-width", "drawn up to", "X²\u{a0}−\u{a0}r", "112 more"] {
        assert!(page.contains(part), "{part}");
    }
    let data = desk.run("explain 65536 786433 --json").is(0).json();
    assert_eq!(data["layers"].as_array().unwrap().len(), 16);
    assert_eq!((&data["layers"][15]["blocks"], &data["layers"][15]["distance"]), (&32768.into(), &1.into()));
    assert_eq!((data["layers"][15]["twiddles"].as_array().unwrap().len(), &data["slots"]), (64, &65536.into()));
    let refused = desk.run("explain 8 257 --out nowhere/page.html").is(3);
    assert!(refused.err.contains("nowhere"), "{}", refused.err);
    assert_eq!(desk.run("explain 8 257 --out - --json").is(0).json()["verb"], "explain");
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
fn depths_are_estimated_and_measured() {
    let desk = Desk::new();
    let estimated = desk.run("plan 64 257 --json").is(0).json()["depths"].clone();
    let tried = estimated["tried"].as_array().unwrap();
    assert_eq!(tried.iter().map(|t| t["depth"].as_u64().unwrap()).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1]);
    let best = desk.run("plan 64 257 --depth best --json").is(0).json();
    assert_eq!(best["depth"], estimated["fastest_by_estimate"]);
    let measured = desk.run("plan 16 257 --measure --json").is(0).json()["depths"].clone();
    assert!(measured["fastest_measured"].is_u64() && measured["tried"][0]["measured"].as_f64() > Some(0.0));
    assert!(desk.run("plan 16 257 --measure").is(0).out.contains("fastest here"));
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

/// Nothing is loaded from elsewhere, and every element that must be closed is.
#[track_caller]
fn needs_nothing_else(page: &str) {
    for part in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    let outside: Vec<&str> = page
        .match_indices("http")
        .map(|(at, _)| &page[at..at + 26])
        .filter(|s| *s != "http://www.w3.org/2000/svg")
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
    for element in ["html", "body", "section", "figure", "div", "svg", "g", "title", "table", "tr", "td", "p"] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "<{element}>");
    }
}

#[test]
fn report_writes_one_page_that_needs_nothing_else() {
    let desk = Desk::new();
    let said = desk.run("report --quick").is(0).out;
    assert_eq!(desk.files(), ["report.html", "report.json"], "and nothing half written");
    let page = desk.read("report.html");
    for part in ["prefers-color-scheme", "<svg", "width=device-width", "1024, 12289", "schoolbook", "k-red"] {
        assert!(page.contains(part), "{part}");
    }
    needs_nothing_else(&page);
    let data: Value = serde_json::from_str(&desk.read("report.json")).unwrap();
    assert_eq!((&data["schema"], &data["quick"]), (&1.into(), &true.into()));
    assert!(said.starts_with(data["headline"].as_str().unwrap()), "{said}");

    has_all_rows_of_the_papers(&data["sections"], &["paper", "engine"]);
    assert!(page.contains("report --unoptimised"), "where the other columns are");

    fs::create_dir(desk.path("inner")).unwrap();
    let refused = desk.run("report --quick --out inner/nowhere/page.html").is(3);
    assert!(refused.err.contains("inner/nowhere"), "{}", refused.err);
    assert!(fs::read_dir(desk.path("inner")).unwrap().next().is_none());
    assert!(desk.run("report --quick --out page.json").is(2).err.contains("name the page"));
}

/// Every row of the papers' tables, with ratios from these sources.
fn has_all_rows_of_the_papers(sections: &Value, sources: &[&str]) {
    let positive = |value: &Value| value.as_f64().is_some_and(|x| x > 0.0);
    let lazyntt = sections["lazyntt"]["rows"].as_array().unwrap();
    assert_eq!(lazyntt.len(), 3 * (5 + 3));
    for row in lazyntt {
        let shown: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(shown.len(), 3 + sources.len(), "{row}");
        assert!(sources.iter().all(|source| positive(&row[source]["ratio_to_original"])), "{row}");
    }
    let bakkebo = sections["bakkebo"]["rows"].as_array().unwrap();
    assert!(bakkebo.iter().map(|row| row["n"].as_u64().unwrap()).eq((3..=16).map(|log_n| 1 << log_n)));
    for row in bakkebo {
        assert!(positive(&row["thesis"]["speed_up"]), "{row}");
        assert_eq!(
            positive(&row["here"]["speed_up"]),
            row["n"].as_u64() <= Some(4096),
            "a quick run stops there: {row}"
        );
    }
    let plans = sections["methods"]["plans"].as_array().unwrap();
    for plan in plans {
        assert!(positive(&plan["share_of_word"]) && plan["share_of_word"].as_f64() <= Some(1.0), "{plan}");
        assert!(positive(&plan["forward"]["products"]) && positive(&plan["largest_value"]), "{plan}");
    }
    let claims = sections["methods"]["longa_naehrig"].as_array().unwrap();
    assert!(claims.len() >= 2 && claims.iter().all(|claim| claim["over"].as_array().unwrap().len() >= 4), "{claims:?}");
}

#[test]
fn report_runs_the_papers_algorithms_unoptimised() {
    let outcome = Desk::run_in(&checkout(), "report --quick --unoptimised --out - --json", b"").is(0);
    has_all_rows_of_the_papers(&outcome.json()["sections"], &["paper", "unoptimised", "optimised", "engine"]);
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
