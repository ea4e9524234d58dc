//! Keys and ciphertexts of X-Wing. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::xwing::{CIPHERTEXT_BYTES, DecapsulationKey, EncapsulationKey, PUBLIC_KEY_BYTES};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

static KEY: LazyLock<DecapsulationKey> = LazyLock::new(|| DecapsulationKey::from_seed(&[7; 32]));

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    if choice & 1 == 0 {
        let bytes = fit(*choice, bytes, PUBLIC_KEY_BYTES);
        if let Ok(key) = EncapsulationKey::from_bytes(&bytes) {
            assert_eq!(key.as_bytes()[..], bytes);
            assert_eq!(key.encapsulate_derand(&[1; 64]).0.len(), CIPHERTEXT_BYTES);
        }
    } else {
        let bytes = fit(*choice, bytes, CIPHERTEXT_BYTES);
        assert_eq!(KEY.decapsulate_bytes(&bytes).is_ok(), bytes.len() == CIPHERTEXT_BYTES);
    }
});
