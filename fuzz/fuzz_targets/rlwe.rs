//! Decoders of ring-LWE encryption and of the key encapsulation around it. What is accepted is
//! canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::{
    kem::{Kem, SECRET_KEY_BYTES, Scheme, SecretKey},
    schemes::rlwe::{P1, P2, Parameters, Rlwe},
};
use ringwork_fuzz::{fit, keys};
use std::sync::LazyLock;

struct Set<P: Parameters> {
    kem: Kem<Rlwe<P>>,
    key: SecretKey<Rlwe<P>>,
}

impl<P: Parameters> Set<P> {
    fn new() -> Self {
        let kem = Kem::research(Rlwe::new()).expect("messages of 32 bytes");
        let key = kem.keygen_derand(&[1; 32], &[2; 32]);
        Self { kem, key }
    }

    fn decode(&self, choice: u8, bytes: &[u8]) {
        let encryption = self.kem.encryption();
        match choice % 4 {
            0 => keys(encryption, choice, bytes, true),
            1 => {
                let bytes = fit(choice, bytes, encryption.ciphertext_bytes());
                if let Ok(ciphertext) = encryption.ciphertext_from_bytes(&bytes) {
                    assert_eq!(encryption.ciphertext_to_bytes(&ciphertext), bytes);
                }
            }
            2 => {
                let bytes = fit(choice, bytes, SECRET_KEY_BYTES);
                if let Ok(key) = self.kem.secret_key_from_bytes(&bytes) {
                    assert_eq!(*self.kem.secret_key_to_bytes(&key), bytes);
                }
            }
            _ => drop(self.kem.decapsulate(&self.key, &fit(choice, bytes, encryption.ciphertext_bytes()))),
        }
    }
}

static SETS: LazyLock<(Set<P1>, Set<P2>)> = LazyLock::new(|| (Set::new(), Set::new()));

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    if choice & 0x40 == 0 { SETS.0.decode(*choice, bytes) } else { SETS.1.decode(*choice, bytes) }
});
