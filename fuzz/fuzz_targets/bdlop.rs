//! Decoders of commitments, openings and proofs. What is accepted is canonical, and verification
//! takes whatever it is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::bdlop::{Commitment, CommitmentKey, Parameters, Statement};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

/// The thesis' shape in a small ring, and a small one, weak but with sound proofs, with a
/// commitment; lengths of the thesis' commitments and openings, and of sound openings and proofs.
static KEYS: LazyLock<(CommitmentKey<i16>, CommitmentKey<i64>, [Commitment<i64>; 1], [usize; 4])> =
    LazyLock::new(|| {
        let thesis = Parameters::insecure_benchmark(4).expect("a power of two");
        let sound = Parameters::new_unestimated(256, (1 << 32) - 99, [3, 1, 1], 1, 60).expect("its proofs are");
        let key = CommitmentKey::new(sound, &[1; 32]).expect("a plan");
        let (commitment, opening) =
            key.commit_derand(key.message(&[1, 2]).expect("short"), &[2; 32]).expect("of that shape");
        let small = CommitmentKey::new(thesis, &[1; 32]).expect("a plan");
        let (_, of_small) = small.commit_derand(small.message(&[1]).expect("short"), &[2; 32]).expect("of that shape");
        let of_small = small.opening_to_bytes(&of_small).expect("honest").len();
        let of_sound = key.opening_to_bytes(&opening).expect("honest").len();
        let commitments = [commitment];
        let statement = Statement { commitments: &commitments, relation: None, context: b"" };
        let proof = key.prove_derand(&statement, &[opening], &[3; 32]).expect("honest");
        let lengths = [small.commitment_bytes(), of_small, of_sound, key.proof_to_bytes(&proof).len()];
        (small, key, commitments, lengths)
    });

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let (thesis, sound, commitments, lengths) = &*KEYS;
    let which = usize::from(choice % 4);
    let bytes = &fit(*choice, bytes, lengths[which])[..];
    match which {
        0 => {
            if let Ok(commitment) = thesis.commitment_from_bytes(bytes) {
                assert_eq!(thesis.commitment_to_bytes(&commitment), bytes);
            }
        }
        1 => {
            if let Ok(opening) = thesis.opening_from_bytes(bytes)
                && let Ok(again) = thesis.opening_to_bytes(&opening)
            {
                assert_eq!(again[..], *bytes);
            }
        }
        2 => {
            if let Ok(opening) = sound.opening_from_bytes(bytes) {
                let _ = sound.open(&commitments[0], &opening);
            }
        }
        _ => {
            let statement = Statement { commitments, relation: None, context: b"" };
            if let Ok(proof) = sound.proof_from_bytes(&statement, bytes) {
                assert_eq!(sound.proof_to_bytes(&proof), bytes);
                assert!(sound.verify(&statement, &proof).is_err(), "nobody guesses a proof");
            }
        }
    }
});
