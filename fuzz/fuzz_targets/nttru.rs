//! Decoders of NTTRU and of NTRU. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::{
    ntru::{self, Ntru},
    nttru::{CIPHERTEXT_BYTES, Nttru, SecretKey},
};
use ringwork_fuzz::{fit, keys};
use std::sync::LazyLock;

static NTTRU: LazyLock<(Nttru, SecretKey)> = LazyLock::new(|| {
    let nttru = Nttru::new();
    let (secret, _) = (0..).find_map(|i| nttru.keygen_derand(&[i; 32])).expect("most seeds make keys");
    (nttru, secret)
});

static NTRU: LazyLock<Ntru> =
    LazyLock::new(|| Ntru::new(ntru::Parameters::new(64, 1153).expect("never fails")).expect("a plan"));

static SLOTS: LazyLock<(Ntru, ntru::SecretKey)> = LazyLock::new(|| {
    let parameters = ntru::Parameters::new(64, 1153).expect("never fails").in_transform_domain(6).expect("roots");
    let ntru = Ntru::new(parameters).expect("a plan");
    let (secret, _) = (0..).find_map(|i| ntru.keygen_derand(&[i; 32])).expect("most seeds make keys");
    (ntru, secret)
});

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let ((nttru, secret), ntru) = (&*NTTRU, &*NTRU);
    match choice % 8 {
        0 => keys(nttru, *choice, bytes, true),
        1 => keys(nttru, *choice, bytes, false),
        2 => {
            let bytes = fit(*choice, bytes, CIPHERTEXT_BYTES);
            assert!(nttru.decapsulate(secret, &bytes).is_err(), "nobody guesses a ciphertext");
        }
        3 => keys(ntru, *choice, bytes, true),
        4 => keys(ntru, *choice, bytes, false),
        5 => keys(&SLOTS.0, *choice, bytes, true),
        6 => {
            let (slots, secret) = &*SLOTS;
            if let Ok(message) = slots.decrypt(secret, &fit(*choice, bytes, 89)) {
                assert!(message.iter().all(|x| (-1..=1).contains(x)));
            }
        }
        _ => {
            if let Ok(message) = ntru.message_from_bytes(&fit(*choice, bytes, 16)) {
                assert!(message.iter().all(|x| (-1..=1).contains(x)));
            }
        }
    }
});
