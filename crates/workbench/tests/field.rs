//! Situations that users of other projects reported: text of every kind, sizes at the edges, limits of others.

use crate::{
    der::element,
    desk::{Desk, file},
};
use ringwork::schemes::mldsa::{MlDsa44, SigningKey, pkcs8::EncodePrivateKey};
use serde_json::Value;

/// A desk with an identity of X25519 in `key`, its recipient in `pub`, and a file.
fn desk() -> Desk {
    let desk = Desk::new();
    add_key(&desk, "key", "pub");
    desk.put("file", "hi");
    desk
}

fn add_key(desk: &Desk, key: &str, public: &str) {
    desk.run(&format!("keygen --scheme x25519 -o {key}")).is(0);
    desk.run(&format!("key public {key} -o {public}")).is(0);
}

fn utf16(text: &str, mark: bool, little: bool) -> Vec<u8> {
    let words = mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16());
    words.flat_map(|word| if little { word.to_le_bytes() } else { word.to_be_bytes() }).collect()
}

/// Text as other machines and editors have it, which means the same.
fn mangled(text: &str) -> [String; 5] {
    [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.replace('\n', "  \t\n"),
        format!("{text}\n\n  \n"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ]
}

#[test]
fn text_of_every_kind_is_read() {
    let desk = desk();
    let (key, public) = (desk.read("key"), desk.read("pub"));
    desk.run("encrypt -R pub -a -o armored file").is(0);
    let armored = desk.read("armored");
    for public in mangled(&public) {
        desk.put("r", public);
        desk.run("encrypt -R r -o o --force file").is(0);
        desk.run("key inspect r").is(0);
    }
    desk.put("r", format!("\u{feff}{public}\u{feff}{public}"));
    desk.run("encrypt -R r -o o --force file").is(0);
    for key in mangled(&key) {
        desk.put("k", key);
        assert_eq!(desk.run("decrypt -i k o").is(0).out, "hi");
        desk.run("key public k").is(0);
    }
    // Armor is strict: the format has no blanks at the ends of its lines.
    for armored in mangled(&armored).into_iter().filter(|text| !text.contains("  \t\n")) {
        desk.put("a", &armored);
        assert_eq!(desk.run("decrypt -i key a").is(0).out, "hi", "{armored:?}");
        desk.run("key inspect a").is(0);
    }
    desk.run("plan 1024 12289").is(0);
    for name in ["products.json", "lwe.json"] {
        let known = std::fs::read_to_string(crate::desk::checkout().join("vectors").join(name)).unwrap();
        desk.put("known.json", format!("\u{feff}{}", known.replace('\n', "\r\n")));
        desk.run("vectors check known.json").is(0);
    }
}

#[test]
fn numbers_are_read_in_every_unambiguous_form() {
    let desk = Desk::new();
    desk.put("b", "1\n2\n3\n4\n");
    let forms = [
        "1 2 3 4\n",
        "1,2,3,4",
        "1, 2, 3, 4,\n",
        "1 2\n3 4\n",
        "\t1\t2\t3\t4",
        "[1, 2, 3, 4]",
        "\u{feff}1\n2\n\u{feff}3\n4\n",
    ];
    for form in forms.into_iter().chain(["# four\n\n1\r\n2\r\n3\r\n4\r\n", "1,\n2,\n3,\n4\n", "\u{feff}[1,\r\n2,3,4]"])
    {
        desk.put("a", form);
        let product = desk.run("mul 4 257 a b").is(0).out.replace(['[', ']', ','], " ");
        assert_eq!(product.split_whitespace().collect::<Vec<_>>(), ["233", "237", "251", "20"]);
    }
    for wrong in ["1;2;3;4", "1 2 three 4", "1,,2,3", "1,2,3,,", "1,2,3\n,\n", "1.5 2 3 4", "0x1 2 3 4"] {
        desk.put("a", wrong);
        desk.run("mul 4 257 a b").says(3, "integers stand on lines of their own, or between blanks or commas");
    }
    desk.put("a", "1,2,3,4,5");
    desk.run("mul 4 257 a b").says(3, "this is coefficient 5 of 5");
    // A minus as printed pages have it.
    desk.put("a", "-1 2 -3 4");
    let product = desk.run("mul 4 257 a b").is(0).out;
    desk.put("a", "\u{2212}1 2 \u{2212}3 4");
    assert_eq!(desk.run("mul 4 257 a b").is(0).out, product);
}

#[test]
fn utf16_is_named() {
    let desk = desk();
    desk.run("encrypt -R pub -a -o armored file").is(0);
    let pem = SigningKey::<MlDsa44>::from_seed(&[7; 32]).to_pkcs8_pem(Default::default()).unwrap();
    let texts =
        [("k", desk.read("key")), ("r", desk.read("pub")), ("a", desk.read("armored")), ("n", "1\n2\n3\n4\n".into())];
    let texts = texts.into_iter().chain([("p", pem.to_string()), ("j", "{\"schema\": 1}".into())]);
    let texts: Vec<(&str, String)> = texts.collect();
    for [mark, little] in [[true, true], [true, false], [false, true], [false, false]] {
        for (name, text) in &texts {
            desk.put(name, utf16(text, mark, little));
        }
        let lines = ["decrypt -i k armored", "encrypt -R r file", "decrypt -i key a", "mul 4 257 n n", "key inspect k"];
        let more = ["signature sign --key p --in file --out -", "vectors check j", "plan 1024 12289 --costs j"];
        for line in lines.into_iter().chain(more) {
            desk.run(line).says(3, "this is UTF-16 text");
        }
    }
}

#[test]
fn keys_in_pem_are_read_as_people_have_them() {
    let desk = Desk::new();
    desk.put("file", "hi");
    desk.run("signature keygen --secret k --public p").is(0);
    let (secret, public) = (desk.read("k"), desk.read("p"));
    let one_line = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        format!("{}\n{}\n{}\n", lines[0], lines[1..lines.len() - 1].concat(), lines[lines.len() - 1])
    };
    let indented = |text: &str| text.replace('\n', "\n  ");
    let all = |text: &str| mangled(text).into_iter().chain([one_line(text), indented(text)]).collect::<Vec<_>>();
    for (secret, public) in all(&secret).iter().zip(&all(&public)) {
        desk.put("k", secret);
        desk.put("p", public);
        desk.run("signature sign --key k --in file --out s --force").is(0);
        desk.run("signature verify --key p --in file --signature s").is(0);
    }
    desk.put("k", secret.replace("-----END", "!\n-----END"));
    desk.run("signature sign --key k --in file --out s --force").says(3, "this is no key in PEM");
}

#[test]
fn a_private_key_with_the_public_key_of_another_is_refused() {
    let desk = Desk::new();
    desk.put("file", "hi");
    let [own, other] = [[7; 32], [8; 32]].map(|seed| SigningKey::<MlDsa44>::from_seed(&seed).verifying_key());
    for (public, code) in [(own, 0), (other, 3)] {
        // PKCS #8 of version 2: the public key is in [1], an implicit bit string.
        let oid = element(6, &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x11]);
        let parts = [
            element(2, &[1]),
            element(0x30, &oid),
            element(4, &element(0x80, &[7; 32])),
            element(0x81, &[&[0], public.as_bytes()].concat()),
        ];
        let document = element(0x30, &parts.concat());
        let pem = pkcs8::SecretDocument::try_from(&document[..]).unwrap();
        desk.put("k", pem.to_pem("PRIVATE KEY", Default::default()).unwrap().as_bytes());
        desk.run("signature sign --key k --in file --out s --force").is(code);
    }
}

#[test]
fn armor_of_every_length_has_no_blank_line() {
    let desk = desk();
    for length in (0..100).step_by(7).chain([47, 48, 49, 96]) {
        desk.put("plain", file(length));
        desk.run("encrypt -R pub -a -o o plain --force").is(0);
        assert!(desk.read("o").lines().all(|line| !line.is_empty()), "{length}");
        assert_eq!(desk.run("decrypt -i key o").is(0).bytes, file(length));
    }
}

#[test]
fn what_comes_after_a_file_is_refused() {
    let desk = desk();
    desk.run("encrypt -R pub -o o file").is(0);
    for more in [&b"\n"[..], &desk.bytes("o")] {
        desk.put("longer", [&desk.bytes("o")[..], more].concat());
        assert!(desk.run("decrypt -i key longer").is(3).bytes.is_empty());
    }
}

#[test]
fn files_have_no_more_recipients_than_others_read() {
    let desk = desk();
    let public = desk.read("pub");
    add_key(&desk, "last", "last.pub");
    desk.put("r", public.repeat(1022) + &desk.read("last.pub"));
    desk.run("encrypt -R r -o o file").is(0);
    assert_eq!(desk.run("decrypt -i last o").is(0).out, "hi");
    assert_eq!(desk.bytes("o").windows(4).filter(|four| four == b"\n-> ").count(), 1024);
    desk.put("r", public.repeat(1024));
    let before = desk.files();
    desk.run("encrypt -R r -o p file")
        .says(2, "there are 1024 recipients, and programs of age read files for 1023 at most");
    assert_eq!(desk.files(), before);
}

/// As many recipients as a program reads, whatever their stanzas have of bytes.
#[test]
fn headers_are_no_longer_than_others_read() {
    let desk = desk();
    for (scheme, opened, refused) in [("mlkem768x25519", 1023, 1024), ("lwe-768", 2, 77)] {
        desk.run(&format!("keygen --scheme {scheme} -o {scheme}")).is(0);
        desk.run(&format!("key public {scheme} -o {scheme}.pub")).is(0);
        let public = desk.read(&format!("{scheme}.pub"));
        desk.put("r", public.repeat(opened));
        desk.run("encrypt --research -R r -o o --force file").is(0);
        assert_eq!(desk.run(&format!("decrypt -i {scheme} o")).is(0).out, "hi");
        desk.put("r", public.repeat(refused));
        let before = (desk.bytes("o"), desk.files());
        desk.run(&format!("rekey --research -i {scheme} -R r -o o --force o")).says(2, "programs of age read");
        assert_eq!((desk.bytes("o"), desk.files()), before);
    }
}

/// Such points make X25519 give zero, so that everybody would know the key.
#[test]
fn points_of_low_order_are_no_recipients() {
    let desk = desk();
    // Zero and one, by the crate `bech32` and age's prefix.
    for recipient in [
        "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
        "age1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqj7vrya",
    ] {
        desk.put("r", recipient);
        desk.run("encrypt -R r -o o file").says(3, "its point is of low order");
        desk.run(&format!("encrypt -r {recipient} -o o file")).says(2, "its point is of low order");
        desk.run("key inspect r").is(3);
    }
}

/// What stands in a stranger's file sends the terminal no orders, and a key given by mistake is not said again.
#[test]
fn errors_show_printable_characters_and_no_keys() {
    let desk = desk();
    desk.put("r", "age1\u{1b}]0;pwned\u{7}\u{1b}[31m1qqqqqqqqqqqqqqqqqq\n");
    desk.put("c", "\u{1b}[31mred\n2\n");
    for line in ["encrypt -R r -o o file", "mul 2 257 c c", "key inspect r"] {
        let run = desk.run(line).is(3);
        assert!(!run.err.contains(|c: char| c.is_control() && c != '\n'), "{}", run.err);
    }
    let secret = desk.read("key").lines().last().unwrap().to_owned();
    desk.put("secret", &secret);
    let run = desk.run("mul 2 257 secret secret").says(3, "this is an identity of age");
    assert!(!run.err.contains(&secret[20..40]), "{}", run.err);
    // Where the name of a file was expected, or anything else.
    let lower = secret.to_lowercase();
    for words in [
        &["decrypt", "-i", &secret, "file"][..],
        &["decrypt", "-i", "key", &lower],
        &["key", "public", &secret],
        &["key", "inspect", &secret],
        &["sign", "-k", &secret, "file"],
        &["verify", "-k", &secret, "file"],
        &["keygen", "--scheme", &secret],
        &["keygen", "--seed", &secret],
        &[&secret],
        &["encrypt", "-R", "r", "-o", &secret, &secret],
    ] {
        for json in [&[][..], &["--json"]] {
            let run = desk.run_words(&[words, json].concat());
            let said = format!("{}{}", run.out, run.err);
            assert!(
                run.code != 0 && !said.contains(&secret[24..40]) && !said.contains(&lower[24..40]),
                "{words:?}: {said}"
            );
        }
    }
    // Names of what was written, as well.
    for name in ["\u{1b}[31mred", "b\nencrypted: fake"] {
        desk.run_words(&["key", "public", "key", "-o", "p", "--force"]).is(0);
        let run = desk.run_words(&["encrypt", "-R", "p", "-o", name, "file"]).is(0);
        assert!(run.out.lines().count() == 1 && !run.out.contains('\u{1b}'), "{}", run.out);
        let again = desk.run_words(&["encrypt", "-R", "p", "-o", name, "file"]).is(3);
        assert!(again.err.lines().count() == 1 && !again.err.contains('\u{1b}'), "{}", again.err);
    }
}

/// Beyond its bounds a header is refused, whatever it is made of.
#[test]
fn headers_are_bounded() {
    let desk = desk();
    let line = "A".repeat(64) + "\n";
    let headers = [
        ("-> g\n\n".repeat(1025), "a header has 1024 stanzas at most"),
        (format!("-> g\n{}\n", line.repeat(33_000)), "a header has 2097152 bytes at most"),
        (format!("-> {}\n\n", "g".repeat(2_200_000)), "a header has 2097152 bytes at most"),
        ("-> g\n\n".repeat(699_000), "a header has 1024 stanzas at most"),
    ];
    for (header, words) in headers {
        desk.put("o", format!("age-encryption.org/v1\n{header}--- {}\n", "A".repeat(43)) + &"x".repeat(100));
        desk.run("decrypt -i key o").says(3, words);
        desk.run("key inspect o").says(3, words);
    }
    let armor = ["-----BEGIN AGE ENCRYPTED FILE-----\n", "\n-----END AGE ENCRYPTED FILE-----\n"];
    desk.put("o", [armor[0], &"A".repeat(1 << 20), armor[1]].concat());
    desk.run("decrypt -i key o").says(3, "a line of armor has 1024 characters at most");
}

#[test]
fn every_identity_under_a_passphrase_is_tried() {
    let desk = desk();
    desk.put("w", "word\n");
    desk.put("w2", "other\n");
    desk.run("encrypt -p --passphrase-file w -o locked key").is(0);
    add_key(&desk, "key2", "pub2");
    desk.run("encrypt -p --passphrase-file w2 -a -o locked2 key2").is(0);
    desk.run("encrypt -R pub -o o file").is(0);
    for keys in ["-i locked -i locked2", "-i locked2 -i locked", "-i key2 -i locked2 -i locked"] {
        assert_eq!(desk.run(&format!("decrypt {keys} --passphrase-file w o")).is(0).out, "hi");
    }
    desk.run("decrypt -i locked -i locked2 --passphrase-file w2 o").says(3, "the passphrase of locked is wrong");
    desk.run("decrypt -i locked2 --passphrase-file w o").says(3, "locked2: the passphrase is wrong");
}

#[test]
fn recipients_change_and_nothing_else() {
    let desk = desk();
    add_key(&desk, "new", "new.pub");
    desk.put("plain", file(200_000));
    desk.run("encrypt -R pub -o o plain").is(0);
    let before = desk.files();
    desk.run("rekey -i key -R new.pub -o o --force o").is(0);
    assert_eq!(desk.files(), before, "nothing else is written");
    assert_eq!(desk.run("decrypt -i new o").is(0).bytes, file(200_000));
    desk.run("decrypt -i key o").says(3, "none of the identities");
    desk.run("rekey -i key -R pub -o o2 o").says(3, "none of the identities");
    desk.run("rekey -i new -o o2 o").says(2, "nobody is named who can decrypt");
    // Of a file that was changed at its end nothing is left, and what it would have replaced stays.
    let mut damaged = desk.bytes("o");
    *damaged.last_mut().unwrap() ^= 1;
    desk.put("damaged", &damaged);
    desk.run("rekey -i new -R pub -o damaged --force damaged").says(3, "refused after");
    assert_eq!(desk.bytes("damaged"), damaged);
    assert!(desk.run("rekey -i new -R pub damaged").says(3, "refused after").bytes.is_empty());
    desk.put("w", "word\n");
    desk.run("encrypt -p --passphrase-file w -o p plain").is(0);
    desk.run("rekey --passphrase-file w -R pub -a -o a p").is(0);
    assert_eq!(desk.run("decrypt -i key a").is(0).bytes, file(200_000));
}

#[test]
fn work_of_a_passphrase_is_bounded() {
    let desk = Desk::new();
    desk.put("w", "word\n");
    let (salt, tag) = ("A".repeat(22), "A".repeat(43));
    desk.put("o", format!("age-encryption.org/v1\n-> scrypt {salt} 30\n{tag}\n--- {tag}\n") + &"\0".repeat(64));
    desk.run("decrypt --passphrase-file w o").says(3, "2^30");
}

#[test]
fn names_of_files_are_any() {
    let desk = desk();
    for name in ["a b", "./-dash", "new\nline"] {
        desk.put(name, "hi");
        let run = |words: &[&str]| {
            let mut command = std::process::Command::new(crate::desk::RINGWORK);
            command.args(words).current_dir(desk.path("")).output().unwrap()
        };
        let encrypted = format!("{name}.age");
        assert!(run(&["encrypt", "-R", "pub", "-o", &encrypted, name]).status.success());
        assert_eq!(run(&["decrypt", "-i", "key", &encrypted]).stdout, b"hi");
    }
}

/// Sizes that are no power of two, and small and large moduli, by the schoolbook.
#[test]
fn products_of_odd_sizes_are_exact() {
    let desk = Desk::new();
    let shapes =
        [(3_usize, 7_u64), (5, 4096), (6, 13), (7, 257), (1000, 12289), (2, 5), (1, 257), (8, 2), (64, 3), (7, 4)];
    let large = [(8, 15_581_639_867_842_951_658), (64, u64::MAX), (12, 1 << 63), (1, u64::MAX)];
    for (n, q) in shapes.into_iter().chain(large) {
        let a: Vec<u64> = (0..n as u64).map(|i| (q - 1 - i % 2).wrapping_sub(i / 2 % q) % q).collect();
        let b = vec![q - 1; n];
        let mut expected = vec![0_u128; n];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let product = u128::from(*x) * u128::from(*y) % u128::from(q);
                let product = if i + j < n { product } else { u128::from(q) - product };
                expected[(i + j) % n] = (expected[(i + j) % n] + product) % u128::from(q);
            }
        }
        let text = |words: &[u64]| words.iter().map(|word| format!("{word}\n")).collect::<String>();
        desk.put("a", text(&a));
        desk.put("b", text(&b));
        let found = desk.run(&format!("mul {n} {q} a b")).is(0).out;
        let found: Vec<u128> = found.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(found, expected, "n = {n}, q = {q}");
    }
    desk.put("a", "-1\n2\n-3\n4\n");
    desk.put("b", "1\n2\n3\n4\n");
    assert_eq!(desk.run("mul 4 257 a b").is(0).out, "249\n0\n239\n0\n");
    let primes = desk.run("primes --n 32768 --bits 18").is(1).err;
    assert!(primes.contains("65537") && primes.contains("786433"), "{primes}");
}

/// Published block sizes, finite costs of small and odd parameters, and trivial instances.
#[test]
fn estimates_at_the_edges() {
    let desk = Desk::new();
    let attacks = |line: &str| desk.run(&format!("estimate lwe {line} --json")).is(0).json()["attacks"].clone();
    let primal = |line: &str| {
        let attacks = attacks(line);
        attacks.as_array().unwrap().iter().find(|attack| attack["attack"] == "primal").unwrap()["beta"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(primal("--n 16384 --log-q 438 --secret ternary --error gaussian:3.19"), 321);
    assert_eq!(primal("--n 32768 --log-q 881 --secret ternary --error gaussian:3.19"), 318);
    let large = primal("--n 700 --log-q 64 --secret binary --error uniform:288230376151711744");
    assert!((790..=810).contains(&large), "{large}");
    assert!(primal("--n 910 --log-q 64 --secret binary --error gaussian:1024") < 90);
    for line in [
        "--n 128 --q 256 --secret uniform:64 --error uniform:64",
        "--n 10 --q 1024 --secret uniform:511 --error uniform:8",
        "--n 384 --q 128 --secret binary --error binomial:8 --samples 384",
        "--n 1030 --log-q 64 --secret binary --error gaussian:3.19",
        "--n 1 --q 3 --secret binary --error binary",
    ] {
        for attack in attacks(line).as_array().unwrap() {
            let finite = attack["classical_bits"].as_f64().is_some_and(f64::is_finite);
            assert!(finite && attack["beta"].as_u64() <= attack["dimension"].as_u64(), "{line}: {attack}");
        }
    }
    let least = |q: u32| {
        let line = format!("--n 16384 --log-q {q} --secret ternary:h=32 --error gaussian:3.2");
        let bits = |attack: &Value| attack["classical_bits"].as_f64().unwrap();
        attacks(&line).as_array().unwrap().iter().map(bits).fold(f64::INFINITY, f64::min)
    };
    assert!([300, 400, 520].map(least).is_sorted_by(|a, b| a >= b));
    for (line, code) in [
        ("65537 --norm 32768 --infinity", 1),
        ("65537 --norm 32767 --infinity", 0),
        ("7933 --norm 7933", 1),
        ("7933 --norm 7932", 0),
    ] {
        let outcome = desk.run(&format!("estimate sis --n 1024 --q {line}"));
        assert_eq!(outcome.code == 0, code == 0, "{line}: {}", outcome.err);
    }
}

/// A file that is called `-` is none of the streams (F14 of the review of users).
#[test]
fn a_file_with_the_name_of_a_stream() {
    let desk = Desk::new();
    desk.run("keygen -o k").is(0);
    desk.run("key public k -o ./-").is(0);
    let public = desk.run_with("key public -", desk.bytes("k")).is(0).out;
    assert_eq!(public, desk.read("-"));
    desk.run("key public ./- -o ./- --force").says(2, "cannot be the output as well");
}

/// A file with a passphrase says to whom, if nobody else is named (F15).
#[test]
fn a_passphrase_file_is_enough() {
    let desk = Desk::new();
    desk.put("pass", "a phrase that nobody guesses\n");
    desk.put("m", "a message");
    desk.run("encrypt --passphrase-file pass -o c m").is(0);
    assert_eq!(desk.run("key inspect c --json").is(0).json()["objects"][0]["stanzas"]["scrypt"], 1);
    assert_eq!(desk.run("decrypt --passphrase-file pass c").is(0).out, "a message");
    desk.run("encrypt m").says(2, "nobody is named who can decrypt");
    // Beside recipients it is for identities.
    desk.run("keygen -o k").is(0);
    desk.run("key public k -o r").is(0);
    desk.run("encrypt --passphrase-file pass -R r -o d m").is(0);
    assert_eq!(desk.run("decrypt -i k d").is(0).out, "a message");
    desk.run("keygen --passphrase-file pass -o locked").is(0);
    assert!(desk.bytes("locked").starts_with(b"age-encryption.org/v1"));
    assert!(desk.run("key public --passphrase-file pass locked").is(0).out.starts_with("age1pq1"));
    desk.run("keygen --passphrase-file missing -o other").says(3, "missing: cannot be read");
    desk.run("keygen --passphrase-file pass -o pass --force").says(2, "pass is read, and cannot be the output");
    desk.run("keygen --scheme bdlop-1024 --passphrase-file pass -o c").says(2, "a key of commitments is public");
    assert_eq!(desk.read("pass"), "a phrase that nobody guesses\n");
}

/// The degree stands by itself, as for other verbs (F16).
#[test]
fn primes_of_a_degree() {
    let desk = Desk::new();
    let found = desk.run("primes 1024 --bits 14").is(0).out;
    assert_eq!(found, desk.run("primes --n 1024 --bits 14").is(0).out);
    desk.run("primes --bits 14").says(2, "required");
    desk.run("primes 1024 --n 1024 --bits 14").says(2, "cannot be used with");
}

/// Options of age are verbs here, which is said (F4).
#[test]
fn habits_are_answered() {
    let desk = Desk::new();
    for (line, verb) in [
        ("-d file", "decrypt"),
        ("-r age1 file", "encrypt"),
        ("-p", "encrypt"),
        ("--encrypt", "encrypt"),
        ("-i key -d file", "decrypt"),
        ("-di key file", "decrypt"),
        ("-o x -r age1 file", "encrypt"),
        ("-er age1 file", "encrypt"),
        ("-j yubikey file", "decrypt"),
        ("-i key file", "decrypt"),
    ] {
        desk.run(line).says(2, &format!("by `ringwork {verb}`"));
    }
    desk.run("decrypt -d file").says(2, "`ringwork decrypt` takes no -d: the verb says it");
    desk.run("encrypt -e file").says(2, "`ringwork encrypt` takes no -e: the verb says it");
    let told = desk.run("--json -d file").is(2).json();
    assert!(told["error"]["message"].as_str().unwrap().ends_with("; files are decrypted by `ringwork decrypt`"));
}

/// Standard output has the recipient alone, for scripts (F13).
#[test]
fn recipients_go_to_scripts() {
    let desk = Desk::new();
    let recipient = desk.run("keygen -o k").is(0).out;
    assert_eq!(recipient, desk.run("key public k").is(0).out);
    let made = desk.run("keygen -o - --force").is(0);
    assert!(made.err.contains("recipient: age1pq1") && !made.out.contains("recipient:"));
    let found = desk.run("keygen -o l --json").is(0).json();
    assert_eq!((&found["identity"], &found["scheme"]), (&"l".into(), &"mlkem768x25519".into()));
}

/// Sizes and overhead can be seen without a key, with armor or without.
#[test]
fn sizes_of_encrypted_files_are_told() {
    let desk = Desk::new();
    desk.run("keygen -o k").is(0);
    desk.run("keygen --scheme x25519 -o x").is(0);
    desk.put("pass", "a phrase that nobody guesses");
    for length in [0_usize, 1, 65_535, 65_536, 65_537, 200_000] {
        desk.put("m", file(length));
        for (how, post_quantum) in
            [("-i k", true), ("-i k -a", true), ("-i x", false), ("--passphrase-file pass", true)]
        {
            if length > 1 && how.contains("pass") {
                continue;
            }
            desk.run(&format!("encrypt {how} -o c --force m")).is(0);
            let told = desk.run("key inspect c --json").is(0).json();
            let facts = &told["objects"][0];
            let of = |what: &str| facts[what].as_u64().unwrap_or_else(|| panic!("{what}: {facts}")) as usize;
            assert_eq!(of("plaintext_bytes"), length, "{how}");
            assert_eq!(of("payload_bytes"), 16 + length + 16 * length.div_ceil(65_536).max(1));
            assert_eq!(of("overhead_bytes"), of("header_bytes") + of("payload_bytes") - length);
            if !how.contains("-a") {
                assert_eq!(of("header_bytes") + of("payload_bytes"), desk.bytes("c").len());
            }
            assert_eq!(facts["post_quantum"], post_quantum, "{how}");
        }
    }
    desk.run("encrypt -i k -o c --force m").is(0);
    let whole = desk.bytes("c");
    desk.put("c", &whole[..whole.len() - (200_000 - 3 * 65_536) - 10]);
    let told = desk.run("key inspect c --json").is(0).json();
    assert!(told["objects"][0].get("plaintext_bytes").is_none(), "{told}");
}

/// `key inspect` says what is wrong with what looks like a key.
#[test]
fn keys_with_a_fault_are_told() {
    let desk = Desk::new();
    desk.run("keygen -o k").is(0);
    let recipient = desk.run("key public k").is(0).out;
    let (start, end) = recipient.trim().split_at(700);
    desk.put("r", format!("{start}{}{}\n", if end.starts_with('q') { 'p' } else { 'q' }, &end[1..]));
    desk.run("key inspect r").says(3, "r: line 1: not in Bech32, as keys are written: its checksum is wrong");
    desk.put("e", "ecdsa-sha2-nistp256 AAAA me\n");
    desk.run("key inspect e").says(3, "e: line 1: ");
    desk.put("c", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n");
    desk.run("key inspect c").says(3, "c: this is a certificate, which is not read; `openssl x509 -pubkey");
    desk.run("sign -k c k").says(3, "it is a CERTIFICATE");
    desk.run("kem keygen --set ML-KEM-768 --secret s --public p").is(0);
    desk.run("kem keygen --set X-Wing --secret s --public p --force").is(0);
}

/// Overstretched keys have a cost, and not a warning alone (field case 77).
#[test]
fn dense_sublattices_have_a_row() {
    let told = Desk::new().run("estimate ntru --n 113 --q 512 --secret ternary --json").is(0).json();
    let attacks = told["attacks"].as_array().unwrap();
    let dense = attacks.iter().find(|attack| attack["attack"] == "dense sublattice").unwrap();
    assert!((40..=45).contains(&dense["beta"].as_u64().unwrap()), "{told}");
}

/// What is known is told, whatever stands beside it (F6).
#[test]
fn files_beside_unknown_ones_are_inspected() {
    let desk = Desk::new();
    desk.run("keygen -o k").is(0);
    desk.put("x", "something else");
    let told = desk.run("key inspect x k missing");
    told.says(3, "x: this is no object of ringwork");
    let told = desk.run("key inspect x k missing --json").is(3).json();
    let of = |i: usize, what: &str| told["objects"][i][what].as_str().unwrap_or_default().to_owned();
    assert_eq!([of(0, "kind"), of(1, "kind"), of(2, "kind")], ["unknown", "identity", "unknown"]);
    assert!(of(2, "refused").contains("missing"));
    desk.run("key inspect x").says(3, "x: this is no object of ringwork");
}
