//! What the command says of plans and primes.

use crate::desk::Desk;
use serde_json::Value;

#[test]
fn plan_shows_what_is_proved() {
    let desk = Desk::new();
    let text = desk.run("plan 1024 12289 --all").is(0).out;
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
    let plan = desk.run("--json plan 256 3329 --backend scalar --words 16").is(0).json();
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
    for (q, bits) in [(8380417, 32), (1152921504606830593_i64, 64), (4611686018427322369, 64)] {
        let wide = desk.run(&format!("plan 256 {q} --json")).is(0).json();
        // U19
        let integer = |value: &Value| value.as_i64().or_else(|| value.as_str()?.parse().ok());
        assert_eq!((&wide["bits"], integer(&wide["q"])), (&bits.into(), Some(q)));
        assert_eq!(integer(&wide["word"]["lo"]), Some(i64::MIN >> (64 - bits)));
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

/// Royher's `generate_prime(2N)`, k = 1, 2, … until k·2N + 1 is prime. (His table has 12289 for
/// N = 4096 as well, which is 1 modulo 4096 alone.)
#[test]
fn the_smallest_prime_is_that_of_the_thesis() {
    let desk = Desk::new();
    let is_prime = |x: u64| x > 1 && (2..).take_while(|d| d * d <= x).all(|d| !x.is_multiple_of(d));
    let generate_prime = |n: u64| (1..).map(|k| k * n + 1).find(|&x| is_prime(x)).unwrap();
    for (n, expected) in [(256, 7681), (512, 12289), (1024, 12289), (2048, 12289), (4096, 40961), (8192, 65537)] {
        let found = desk.run(&format!("primes --n {n} --smallest --json")).is(0).json();
        assert_eq!((&found["smallest"], &found["bits"]), (&true.into(), &serde_json::Value::Null));
        let primes = found["primes"].as_array().unwrap();
        assert_eq!((primes.len(), &primes[0]["p"]), (1, &expected.into()), "N = {n}");
        assert_eq!(generate_prime(2 * n), expected);
    }
    for n in [2, 4, 8, 64, 128, 1 << 15] {
        let found = desk.run(&format!("primes --n {n} --smallest --json")).is(0).json();
        assert_eq!(found["primes"][0]["p"], generate_prime(2 * n), "N = {n}");
    }
    let text = desk.run("primes --n 1024 --smallest").is(0).out;
    assert!(text.starts_with("the smallest prime with a primitive root of unity of order 2048\n"), "{text}");
    desk.run("primes --n 1024 --smallest --bits 14").says(2, "--bits");
    let other = desk.run("primes --n 1024 --smallest --cyclic --json").is(0).json();
    assert_eq!(other["primes"][0]["p"], generate_prime(1024));
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

#[test]
fn depths_are_estimated_and_measured() {
    let desk = Desk::new();
    let estimated = desk.run("plan 64 257 --all --json").is(0).json()["depths"].clone();
    let tried = estimated["tried"].as_array().unwrap();
    assert_eq!(tried.iter().map(|t| t["depth"].as_u64().unwrap()).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1]);
    let best = desk.run("plan 64 257 --depth best --json").is(0).json();
    assert_eq!(best["depth"], estimated["fastest_by_estimate"]);
    let measured = desk.run("plan 16 257 --measure --json").is(0).json()["depths"].clone();
    assert!(measured["fastest_measured"].is_u64() && measured["tried"][0]["measured"].as_f64() > Some(0.0));
    assert!(desk.run("plan 16 257 --measure").is(0).out.contains("fastest here"));
}

/// U24: other methods and depths are worked out only for who asks.
#[test]
fn a_plan_says_its_verdict_and_no_more() {
    let desk = Desk::new();
    let verdict = desk.run("plan 64 257 --json").is(0).json();
    assert!(verdict["estimated_cycles"].is_u64() && verdict.get("candidates").or(verdict.get("depths")).is_none());
    let text = desk.run("plan 64 257").is(0).out;
    assert!(text.contains("--all") && !text.contains("not faster"), "{text}");
    let all = desk.run("plan 64 257 --all --json").is(0).json();
    assert!(all["candidates"].as_array().unwrap().len() > 2 && all["depths"].is_object());
}

/// U5: repeated factors are no irreducible ones.
#[test]
fn plan_says_what_is_not_square_free() {
    let desk = Desk::new();
    for (line, words) in [
        ("17 17 --depth 0", "splits     17th power of 1 irreducible factor: not square-free"),
        ("97 97 --depth 0", "97th power of 1 irreducible factor: not square-free"),
        ("34 17 --depth 1", "17th power of 2 irreducible factors: not square-free"),
        ("256 3329", "splits     128 irreducible factors"),
        ("16 7 --depth 0", "irreducible factors"),
        ("2 7 --depth 0", "splits     irreducible"),
    ] {
        let text = desk.run(&format!("plan {line}")).is(0).out;
        assert!(text.contains(words), "{line}: {text}");
    }
    assert_eq!(desk.run("plan 34 17 --depth 1 --json").is(0).json()["splitting"]["multiplicity"], 17);
}

/// Singular and plural, bars that are as long as what they show, and digits that other programs can
/// read.
#[test]
fn plan_is_well_written() {
    let desk = Desk::new();
    for line in ["2 5", "16 97 --depth 1", "1024 12289", "4096 4096", "256 2^60-2^14+1"] {
        let text = desk.run(&format!("plan {line} --all")).is(0).out;
        for wrong in [" 1 layers", " 1 lanes", " 1 slots", "layers 6 (", "\u{202f}"] {
            assert!(!text.contains(wrong), "{line}: {wrong} in {text}");
        }
        for line in text.lines().filter(|line| line.contains("  0 % ")) {
            assert!(!line.contains('█'), "{line}");
        }
    }
}
