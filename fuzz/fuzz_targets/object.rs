//! The header of every file, and the bodies behind it. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::registry;

fuzz_target!(|data: &[u8]| {
    let _ = registry::decode(data);
    // A right digest for whatever the rest is.
    if data.len() >= 76 {
        let mut bytes = data.to_vec();
        bytes[..8].copy_from_slice(b"RINGWORK");
        let digest = ringwork::xof::sha3_256(&[&bytes[..44], &bytes[76..]].concat());
        bytes[44..76].copy_from_slice(&digest);
        let _ = registry::decode(&bytes);
    }
});
