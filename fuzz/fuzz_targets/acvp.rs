//! The reader of NIST's vector files.
#![no_main]
#![allow(dead_code, unused_imports, reason = "these are modules of a command")]

#[path = "../../crates/workbench/src/known/acvp/mod.rs"]
mod acvp;
#[path = "../../crates/workbench/src/known/fields.rs"]
mod fields;

use fields::{Trouble, any_bytes, bytes, compare, read, refused};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(file) = serde_json::from_slice(data) else { return };
    let Ok(tests) = acvp::tests(&file) else { return };
    for test in tests {
        for (_, _, run) in acvp::KNOWN {
            let _ = run(&test);
        }
    }
});
