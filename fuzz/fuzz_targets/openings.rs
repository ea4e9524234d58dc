//! Openings of commitments, as users keep them. Nobody guesses one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::registry::{Commitments, Form, Origin, default_seed};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

const ORIGIN: Origin<'static> = Origin { committer: b"alice", context: b"fuzz" };

struct Honest {
    set: Commitments,
    commitment: Vec<u8>,
    opening: Vec<u8>,
}

thread_local! {
    static HONEST: LazyLock<Honest> = LazyLock::new(|| {
        let set = Commitments::by_name("bdlop-1024").expect("a set");
        let rng = &mut ringwork::ct::sys_rng();
        let (commitment, opening) = set.commit(&default_seed(), ORIGIN, Form::Bytes, b"message", rng).expect("short");
        Honest { set, commitment, opening: opening.to_vec() }
    });
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    HONEST.with(|honest| {
        let Honest { set, commitment, opening } = &**honest;
        let bytes = fit(*choice, bytes, opening.len());
        if choice & 1 == 0 {
            let _ = set.check_opening(&bytes);
            let _ = set.origin_of(&bytes);
        } else {
            assert!(set.open(commitment, &bytes, ORIGIN).is_err() || bytes == *opening, "nobody guesses an opening");
        }
    });
});
