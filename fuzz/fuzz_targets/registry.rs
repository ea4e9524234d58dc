//! Bodies: openings and proofs of commitments, and saved secret keys. Nobody guesses one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::{
    registry::{self, Commitments, Encapsulation, Form, Origin, default_seed},
};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

const ORIGIN: Origin<'static> = Origin { committer: b"alice", context: b"fuzz" };

struct Known {
    set: Commitments,
    commitment: Vec<u8>,
    opening: Vec<u8>,
    proof: Vec<u8>,
    scheme: Box<dyn Encapsulation>,
    secret: Vec<u8>,
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    KNOWN.with(|known| {
        let Known { set, commitment, opening, proof, scheme, secret } = &**known;
        match choice % 3 {
            0 => {
                let bytes = fit(*choice, bytes, opening.len());
                assert!(
                    set.open(commitment, &bytes, ORIGIN).is_err() || bytes == *opening,
                    "nobody guesses an opening"
                );
                let _ = set.check_opening(&bytes);
            }
            1 => {
                let bytes = fit(*choice, bytes, proof.len());
                let held = set.verify(&[commitment], false, ORIGIN, &bytes);
                assert!(held.is_err() || bytes == *proof, "nobody guesses a proof");
            }
            _ => {
                let bytes = fit(*choice, bytes, secret.len());
                assert!(scheme.public_key_of(&bytes).is_err() || bytes == *secret, "nobody guesses a digest");
            }
        }
    });
});

thread_local! {
    static KNOWN: LazyLock<Known> = LazyLock::new(|| {
        let mut rng = ringwork::ct::sys_rng();
        let set = Commitments::by_name("bdlop-1024").expect("a set");
        let (commitment, opening) = set.commit(&default_seed(), ORIGIN, Form::Bytes, b"message", &mut rng).expect("short");
        let proof = set.prove(&[&commitment], &[&opening], false, ORIGIN, &mut rng).expect("honest");
        let scheme = registry::encapsulation("mlwe-256").expect("a scheme");
        let secret = scheme.keygen(&mut rng).0.to_vec();
        Known { set, commitment, opening: opening.to_vec(), proof, scheme, secret }
    });
}
