//! Decoders of LWE and module-LWE encryption. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::{
    kem::Scheme,
    module::Module,
    schemes::lwe::{Lwe, Multiplier, Parameters, Schoolbook},
};
use ringwork_fuzz::{fit, keys};
use std::sync::LazyLock;

/// Small, so that decoding is fast: 13, 21 and 7 bits a coefficient.
static SETS: LazyLock<(Lwe<i32, Module<i32>>, Lwe<i64, Module<i64>>, Lwe<i16, Schoolbook>)> = LazyLock::new(|| {
    let set = |n, q, beta, m| Parameters::measuring_only(n, q, 2, beta, m, [1, 2]).expect("sizes in range");
    let by_transform = "the planner knows this ring";
    (
        Lwe::by_transform(set(16, 7681, 2, 2)).expect(by_transform),
        Lwe::by_transform(set(8, 1_049_089, 5, 3)).expect(by_transform),
        Lwe::by_schoolbook(set(1, 97, 1, 5)),
    )
});

fn decode<T: ringwork::sample::Word, M: Multiplier<T>>(lwe: &Lwe<T, M>, choice: u8, bytes: &[u8]) {
    if choice % 3 != 1 {
        return keys(lwe, choice, bytes, choice % 3 == 0);
    }
    let bytes = fit(choice, bytes, lwe.ciphertext_bytes());
    if let Ok(ciphertext) = lwe.ciphertext_from_bytes(&bytes) {
        assert_eq!(lwe.ciphertext_to_bytes(&ciphertext), bytes);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    match choice >> 5 & 3 {
        0 => decode(&SETS.0, *choice, bytes),
        1 => decode(&SETS.1, *choice, bytes),
        _ => decode(&SETS.2, *choice, bytes),
    }
});
