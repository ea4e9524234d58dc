//! What `--json` writes is what `ringwork schema` describes: with every key that is required, and no other.

use crate::desk::{Desk, checkout};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::{collections::HashMap, env, fs};

/// Makes schemas of objects refuse keys that they do not have. Alternatives of one that has keys of its own are parts
/// of it.
fn close(schema: &mut Value, is_part: bool) {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("properties").is_some_and(Value::is_object);
            for (key, field) in fields.iter_mut() {
                close(field, key == "anyOf" && (is_object || is_part));
            }
            if is_object && !is_part {
                fields.insert("unevaluatedProperties".into(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, is_part)),
        _ => (),
    }
}

/// The schema of each verb, which takes no other keys than it names.
struct Schemas {
    all: Value,
    compiled: HashMap<String, Validator>,
}

impl Schemas {
    fn new(desk: &Desk) -> Self {
        let mut all: Value = serde_json::from_str(&desk.run("schema").is(0).out).unwrap();
        close(&mut all, false);
        Self { all, compiled: HashMap::new() }
    }

    /// The name of the verb of a command line, and of its step.
    fn verb(&self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let has = |name: &String| self.all["$defs"].get(name).is_some();
        let names = [words.iter().take(2).copied().collect::<Vec<_>>().join("-"), words[0].to_owned()];
        names.into_iter().find(has).unwrap_or_else(|| "no-verb".into())
    }

    /// What is wrong with an answer.
    fn errors(&mut self, verb: &str, answer: &Value) -> Vec<String> {
        let all = &self.all;
        let validator = self.compiled.entry(verb.to_owned()).or_insert_with(|| {
            let schema = json!({ "$schema": all["$schema"], "$ref": format!("#/$defs/{verb}"), "$defs": all["$defs"] });
            jsonschema::validator_for(&schema).unwrap()
        });
        validator.iter_errors(answer).map(|e| format!("{}: {e}", e.instance_path())).collect()
    }

    #[track_caller]
    fn accept(&mut self, line: &str, answer: &Value) {
        let errors = self.errors(&self.verb(line), answer);
        assert!(errors.is_empty(), "{line}\n{errors:#?}\n{answer}");
    }
}

/// U20: every answer of the page is as its schema says.
#[test]
fn examples_are_as_the_schemas_say() {
    let desk = Desk::with_examples();
    let mut schemas = Schemas::new(&desk);
    let page = fs::read_to_string(checkout().join("docs/json.md")).unwrap();
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    let mut seen = vec!["no-verb".to_owned()];
    for section in sections {
        let line = section.split('`').nth(1).unwrap().strip_prefix("ringwork ").unwrap();
        schemas.accept(line, &desk.example(line).is(0).json());
        seen.push(schemas.verb(line));
    }
    let definitions = schemas.all["$defs"].as_object().unwrap().keys();
    let verbs = definitions.filter(|name| name.starts_with(|first: char| first.is_lowercase()));
    let missing: Vec<&String> = verbs.filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "docs/json.md has no examples of {missing:?}");
}

/// Answers that the page has no example of.
#[test]
fn other_answers_are_as_the_schemas_say() {
    let desk = Desk::with_examples();
    let mut schemas = Schemas::new(&desk);
    desk.put("trinomial.txt", "1 2 3 4 5 6");
    desk.put("five.txt", "1 2 3 4 5");
    for (line, code) in [
        ("plan 256 7681 --lazy-ntt 2 --json", 0),
        ("plan 768 7681 --trinomial --all --json", 0),
        ("plan 1024 2^64-2^32+1 --json", 0),
        ("explain 1 97 --json", 0),
        ("explain --example bakkebo-3 --json", 0),
        ("primes 1024 --smallest --form k2m1 --json", 0),
        ("estimate ntru --n 700 --q 8192 --secret ternary --json", 0),
        ("estimate ntru --n 700 --q 8192 --secret ternary --model matzov --json", 0),
        ("estimate sis --n 512 --q 12289 --norm 5833.9 --width 1024 --json", 0),
        ("estimate sis --n 512 --q 12289 --norm 5833.9 --width 1024 --model matzov --json", 0),
        ("mul 6 4294967291 trinomial.txt trinomial.txt --trinomial --json", 0),
        ("mul 5 18446744073709551557 five.txt five.txt --json", 0),
        ("mul 4 18446744069414584321 a.txt b.txt --json", 0),
        ("bench --list 256/3329/scalar/forward --json", 0),
        ("keygen -o alice.key --json", 0),
        ("keygen --scheme x25519 -o classical.key --json", 0),
        ("keygen --scheme nttru-768 -o study.key --json", 0),
        ("keygen --scheme bdlop-1024 -o bdlop.key --json", 0),
        ("kem keygen --secret bob.pem --public bob.pub.pem --json", 0),
        ("key public bob.pem -o again.pem --json", 0),
        ("signature keygen --secret signer.pem --public signer.pub.pem --json", 0),
        ("sign --key signer.pem letter a.txt --json", 0),
        ("verify --key signer.pub.pem letter --json", 0),
        ("encrypt -r age1tag1 letter --json", 2),
        ("encrypt -i study.key -o letter.age letter --json", 0),
        ("kex init --secret alice.secret --out to-bob --json", 0),
        ("commit --by alice --message bid --commitment bid.com --opening bid.open --json", 0),
        ("prove --by alice --commitment bid.com --opening bid.open --proof bid.proof --json", 0),
        ("open --by alice --commitment bid.com --opening bid.open --out bid.again --json", 0),
        ("open --by bob --commitment bid.com --opening bid.open --json", 1),
        ("verify-proof --by bob --commitment bid.com --proof bid.proof --json", 1),
        (
            "key inspect alice.key classical.key study.key bdlop.key bob.pem signer.pub.pem letter.sig letter.age \
             alice.secret to-bob bid.com bid.open bid.proof letter --json",
            3,
        ),
        ("man --out . --json", 0),
        ("schema --json", 0),
        ("selftest --json", 0),
        ("plan 1000 12289 --depth 9 --json", 1),
        ("primes 1024 --bits 8 --json", 1),
        ("plan 1000 --json", 2),
        ("schema forest --json", 2),
        ("forest --json", 2),
        ("mul 4 257 a.txt missing.txt --json", 3),
        ("vectors check letter --json", 3),
    ] {
        let outcome = desk.run(line).is(code);
        schemas.accept(line, &outcome.json());
    }
    desk.put("letter", "another letter");
    schemas.accept("verify", &desk.run("verify --key signer.pub.pem letter a.txt --json").is(1).json());
    schemas.accept("verify", &desk.run("verify --key signer.pub.pem letter --json").is(1).json());
}

/// A key that is not described, one that is missing, and one of another type.
#[test]
fn what_is_not_as_the_schema_says_is_noticed() {
    let desk = Desk::with_examples();
    let mut schemas = Schemas::new(&desk);
    for (line, pointer) in [
        ("mul 4 257 a.txt b.txt --json", ""),
        ("explain 16 97 --json", "/layers/0/range"),
        ("key inspect id_ed25519.pub --json", "/objects/0"),
        ("forest --json", "/error"),
    ] {
        let verb = schemas.verb(line);
        let answer = desk.run(line).json();
        let mut more = answer.clone();
        more.pointer_mut(pointer).unwrap()["more"] = json!(1);
        assert!(!schemas.errors(&verb, &more).is_empty(), "{more}");
        for key in answer.pointer(pointer).unwrap().as_object().unwrap().keys() {
            let (mut less, mut other) = (answer.clone(), answer.clone());
            less.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key);
            other.pointer_mut(pointer).unwrap()[key] = json!([[]]);
            let is_optional = line.starts_with("key") && ["recipient", "post_quantum"].contains(&key.as_str());
            assert!(is_optional || !schemas.errors(&verb, &less).is_empty(), "{key}: {less}");
            assert!(!schemas.errors(&verb, &other).is_empty(), "{key}: {other}");
        }
    }
}

/// What is printed of one verb is what the schema of all has of it.
#[test]
fn a_verb_has_one_schema() {
    let desk = Desk::new();
    let all: Value = serde_json::from_str(&desk.run("schema").is(0).out).unwrap();
    for verb in ["plan", "key inspect", "estimate lwe"] {
        let one: Value = serde_json::from_str(&desk.run(&format!("schema {verb}")).is(0).out).unwrap();
        assert_eq!(one["anyOf"], all["$defs"][verb.replace(' ', "-")]["anyOf"], "{verb}");
        for (name, definition) in one["$defs"].as_object().unwrap() {
            assert_eq!(*definition, all["$defs"][name], "{name}");
        }
    }
    let steps: Value = serde_json::from_str(&desk.run("schema kem").is(0).out).unwrap();
    assert_eq!(steps["anyOf"].as_array().unwrap().len(), 3);
    desk.run("schema ke").says(2, "no verb ke");
}

/// `docs/schema.json` is what `ringwork schema` prints; `UPDATE_SCHEMA=1` writes it.
#[test]
fn the_published_schema_is_what_is_printed() {
    let (path, printed) = (checkout().join("docs/schema.json"), Desk::new().run("schema").is(0).out);
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(path, printed).unwrap();
    } else {
        let update = "UPDATE_SCHEMA=1 cargo test -p ringwork-workbench the_published_schema_is_what_is_printed";
        assert!(fs::read_to_string(path).is_ok_and(|published| published == printed), "{update}");
    }
}
