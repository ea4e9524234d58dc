//! `mul`, `ntt` and `intt`: what they read, what they refuse, and what they answer.

use crate::desk::{Desk, checkout};
use serde_json::Value;
use std::fs;

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
        let expected = serde_json::json!([1, 0, 0, (q - 1).to_string()]);
        assert_eq!(product["coefficients"], expected, "(1 + X)·-X^3 modulo X^4 + 1");
        let transform = desk.run(&format!("ntt 4 {q} b --reduction {method}")).is(0).out;
        let back = desk.run_with(&format!("intt 4 {q} - --reduction {method}"), &transform).is(0).out;
        assert_eq!(back, desk.read("b"));
    }
}

/// Such moduli leave words no bit for a sign.
#[test]
fn moduli_that_fill_a_word() {
    let desk = Desk::new();
    for (q, bits, method) in [(0xFFFF_FFFF_0000_0001_u64, 64, "unsigned"), (4_293_918_721, 32, "unsigned")] {
        desk.put("a", format!("1\n2\n3\n{}\n", q - 1));
        desk.put("b", "5\n6\n7\n8\n");
        let product = desk.run(&format!("mul 4 {q} a b --words {bits} --reduction {method}")).is(0).out;
        assert_eq!(product, format!("{}\n{}\n42\n35\n", q - 26, q - 1));
        let transform = desk.run(&format!("ntt 4 {q} a")).is(0).out;
        assert_eq!(desk.run_with(&format!("intt 4 {q} -"), &transform).is(0).out, desk.read("a"));
        assert!(desk.run(&format!("plan 1024 {q} --words {bits}")).is(0).out.contains("coefficients in [0, q)"));
    }
}

/// Moduli without roots: the planner takes residue channels, says why, and the product is right.
#[test]
fn products_modulo_any_number() {
    let desk = Desk::new();
    desk.put("a", "1\n0\n0\n0\n99\n");
    desk.put("b", "0\n7\n0\n0\n1\n");
    let product = desk.run("mul 5 100 a b --cyclic --json").is(0).json();
    assert_eq!((&product["method"], &product["q"]), (&"residue channels".into(), &100.into()));
    assert_eq!(product["coefficients"], serde_json::json!([93, 7, 0, 99, 1]), "(1 - X^4)(7X + X^4) modulo X^5 - 1");
    let plan = desk.run("plan 761 4591 --cyclic --json").is(0).json();
    assert_eq!((&plan["because"], &plan["length"]), (&Value::Null, &1536.into()));
    assert!(plan["primes"].as_array().unwrap().len() > 1 && plan["estimated_cycles"].is_u64());
    assert!(desk.run("plan 256 4096").is(0).out.contains("by         residue channels: q = 4096 is not an odd prime"));
}

#[test]
fn transforms_are_the_known_ones_and_come_back() {
    let desk = Desk::new();
    let file: Value =
        serde_json::from_str(&fs::read_to_string(checkout().join("vectors/transforms.json")).unwrap()).unwrap();
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
    ("1 2 three 4\n", "a:1:", &["\"three\"", "between blanks or commas"]),
    ("", "a:1:", &["0 coefficients"]),
    ("1\n2\n3\n340282366920938463463374607431768211456\n", "a:4:", &["127 bits"]),
    ("[1, 2,\n 3, 4.5]", "a:2:", &["\"4.5\""]),
    ("[1, 2,\n 3, \"x4\"]", "a:2:", &["\"x4\"", "not an integer"]),
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

/// U18: what `--json` wrote is read, and the ring, the root and the order are compared.
#[test]
fn objects_are_read_and_their_ring_is_checked() {
    let desk = Desk::new();
    desk.put("a", "1\n2\n3\n4\n");
    desk.put("slots", desk.run("ntt 4 257 a --json").is(0).out);
    assert_eq!(desk.run("intt 4 257 slots --json").is(0).json()["coefficients"], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(desk.run_with("intt 4 257 -", desk.read("slots")).is(0).out, "[1, 2, 3, 4]\n");
    let root: u64 = desk.run("ntt 4 257 a --json").is(0).json()["root"].as_u64().unwrap();
    let other = (1..257_u64).find(|r| *r != root && (1..8).fold(1, |x, _| x * r % 257) != 1 && r.pow(4) % 257 == 256);
    for (line, words) in [
        ("intt 8 257 slots".to_owned(), "this object is of n 4, and here n is 8"),
        ("intt 4 97 slots".into(), "is of q 257, and here q is 97"),
        ("intt 4 257 slots --cyclic".into(), "is of ring negacyclic, and here ring is cyclic"),
        ("intt 4 257 slots --depth 1".into(), "is of depth 2, and here depth is 1"),
        (format!("intt 4 257 slots --root {}", other.unwrap()), "is of root"),
        ("ntt 4 257 slots".into(), "this object has \"values\", and \"coefficients\" are needed here"),
        ("mul 4 257 a slots".into(), "\"coefficients\" are needed"),
    ] {
        desk.run(&line).says(3, words);
    }
    desk.put("product", desk.run("mul 4 257 a a --json").is(0).out);
    let twice = desk.run("mul 4 257 product a").is(0).out;
    assert_eq!(serde_json::from_str::<Vec<u64>>(&twice).unwrap().len(), 4);
    desk.run("mul 4 97 product a").says(3, "product:5: this object is of q 257");
    desk.put("none", r#"{"schema": 1, "coefficients": [1, 2, 3, 4]}"#);
    desk.run("mul 4 257 none a").says(3, "has no \"n\"");
    desk.put("broken", "{\"schema\": 1,\n");
    desk.run("mul 4 257 broken a").says(3, "broken:2: this is not a JSON object");
    desk.put(
        "bad",
        "{\"schema\": 1, \"n\": 4, \"q\": 257, \"ring\": \"negacyclic\",\n \"coefficients\": [1,\n 2, 3, 4.5]}",
    );
    desk.run("mul 4 257 bad a").says(3, "bad:3: \"4.5\" is not an integer");
}

/// U19: no reader of doubles loses a digit, and what was written as a string is read.
#[test]
fn large_integers_are_strings() {
    let desk = Desk::new();
    let q = (1_u64 << 62) - (1 << 16) + 1;
    desk.put("a", format!("[\"{}\", 0, 0, 1]", q - 1));
    let object = desk.run(&format!("ntt 4 {q} a --json")).is(0);
    assert_eq!(object.json()["q"], q.to_string());
    assert_eq!(desk.run_with(&format!("intt 4 {q} -"), &object.out).is(0).out, format!("[{}, 0, 0, 1]\n", q - 1));
    assert!(object.out.contains("\"values\": [\"") && object.out.contains("\"n\": 4,\n"), "{}", object.out);
}
