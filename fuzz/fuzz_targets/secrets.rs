//! Secret keys of registered encapsulations, as users keep them. Nobody guesses a digest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::registry::{self, Encapsulation};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

thread_local! {
    static KNOWN: LazyLock<(Box<dyn Encapsulation>, Vec<u8>)> = LazyLock::new(|| {
        let scheme = registry::encapsulation("mlwe-256").expect("a scheme");
        let secret = scheme.keygen(&mut ringwork::ct::sys_rng()).0.to_vec();
        (scheme, secret)
    });
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    KNOWN.with(|known| {
        let (scheme, secret) = &**known;
        let bytes = fit(*choice, bytes, secret.len());
        assert!(scheme.public_key_of(&bytes).is_err() || bytes == *secret, "nobody guesses a digest");
    });
});
