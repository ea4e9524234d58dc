//! NewHope's decoders: messages of both sides, a saved secret. What is accepted is canonical.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::newhope::{MESSAGE_A_BYTES, MESSAGE_B_BYTES, NewHope, USENIX2016};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

static NEWHOPE: LazyLock<NewHope> = LazyLock::new(|| NewHope::new(USENIX2016));

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    match choice % 3 {
        0 => {
            let _ = NEWHOPE.respond_derand(&fit(*choice, bytes, MESSAGE_A_BYTES), &[1; 32]);
        }
        1 => {
            let (secret, _) = NEWHOPE.init_derand(&[2; 32], &[3; 32]);
            let _ = NEWHOPE.finish(secret, &fit(*choice, bytes, MESSAGE_B_BYTES));
        }
        _ => {
            let bytes = fit(*choice, bytes, MESSAGE_A_BYTES - 32);
            if let Ok(secret) = NEWHOPE.secret_from_bytes(&bytes) {
                assert_eq!(NEWHOPE.secret_to_bytes(secret)[..], *bytes);
            }
        }
    }
});
