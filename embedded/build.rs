//! Writes the known answers of `vectors/` as Rust, and the memory of the machine as a linker script.

use serde_json::Value;
use std::{env, fmt::Write, fs, path::PathBuf};

/// mps2-an386: two banks of 4 MiB, of which the first stands for flash.
const CORTEX_M: &str = "\
MEMORY
{
  FLASH : ORIGIN = 0x00000000, LENGTH = 4M
  RAM   : ORIGIN = 0x20000000, LENGTH = 4M
}
";

/// virt: memory, of which the first 4 MiB stand for flash.
const RISC_V: &str = r#"
MEMORY
{
  FLASH : ORIGIN = 0x80000000, LENGTH = 4M
  RAM   : ORIGIN = 0x80400000, LENGTH = 4M
}
REGION_ALIAS("REGION_TEXT", FLASH);
REGION_ALIAS("REGION_RODATA", FLASH);
REGION_ALIAS("REGION_DATA", RAM);
REGION_ALIAS("REGION_BSS", RAM);
REGION_ALIAS("REGION_HEAP", RAM);
REGION_ALIAS("REGION_STACK", RAM);
"#;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let write = |name: &str, text: &str| fs::write(out.join(name), text).expect("the folder can be written");
    let cortex = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "arm");
    write("memory.x", if cortex { CORTEX_M } else { RISC_V });
    println!("cargo:rustc-link-search={}", out.display());
    if cortex {
        println!("cargo:rustc-link-arg=--nmagic");
    } else {
        println!("cargo:rustc-link-arg=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg=-Tlink.x");
    write("known.rs", &known());
}

/// The first answers of each kind, as structures of `main.rs`.
fn known() -> String {
    let (keys, others) = (file("acvp/mlkem-keygen.json"), file("acvp/mlkem-encapdecap.json"));
    let encapsulation = group(&others, |group| group["function"] == "encapsulation");
    let decapsulation = group(&others, |group| group["function"] == "decapsulation");
    let mut text = structure(
        "ML_KEM_768: Encapsulations",
        &[
            ("", first(group(&keys, |_| true), |_| true), &["d", "z", "ek", "dk"]),
            ("encapsulated_", first(encapsulation, |_| true), &["ek", "m", "c", "k"]),
            ("rejected_", decapsulation, &["dk"]),
            ("rejected_", first(decapsulation, |test| test["reason"] == "modify ciphertext"), &["c", "k"]),
        ],
    );
    let [keygen, siggen, sigver] =
        ["keygen", "siggen", "sigver"].map(|kind| file(&format!("standards/mldsa-{kind}.json")));
    for set in ["ML-DSA-44", "ML-DSA-65"] {
        let of_set = |test: &Value| test["set"] == set && test["valid"] != false;
        text += &structure(
            &format!("{}: Signatures", set.replace('-', "_")),
            &[
                ("", first(&keygen, of_set), &["seed", "public_key"]),
                ("signed_", first(&siggen, of_set), &["secret_key", "message", "randomness", "signature"]),
                ("verified_", first(&sigver, of_set), &["public_key", "message", "signature"]),
            ],
        );
    }
    text
}

fn file(path: &str) -> Value {
    let path = format!("{}/../vectors/{path}", env!("CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-changed={path}");
    serde_json::from_str(&fs::read_to_string(&path).expect(&path)).expect(&path)
}

fn group(file: &Value, wanted: impl Fn(&Value) -> bool) -> &Value {
    let groups = file["testGroups"].as_array().expect("groups").iter();
    groups
        .filter(|group| group["parameterSet"] == "ML-KEM-768")
        .find(|group| wanted(group))
        .expect("a group of ML-KEM-768")
}

fn first(tests: &Value, wanted: impl Fn(&Value) -> bool) -> &Value {
    tests["tests"].as_array().expect("tests").iter().find(|test| wanted(test)).expect("a test of that kind")
}

/// A structure of bytes: of each test some fields, behind a prefix.
fn structure(name_and_type: &str, parts: &[(&str, &Value, &[&str])]) -> String {
    let (_, kind) = name_and_type.split_once(": ").expect("a name and a type");
    let mut text = format!("pub static {name_and_type} = {kind} {{\n");
    for (prefix, test, fields) in parts {
        for field in *fields {
            let digits = test[field].as_str().expect("bytes in hexadecimal").as_bytes();
            let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).expect("digits"), 16).expect("digits");
            let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
            writeln!(text, "    {prefix}{field}: &{bytes:?},").expect("a string takes it");
        }
    }
    text + "};\n"
}
