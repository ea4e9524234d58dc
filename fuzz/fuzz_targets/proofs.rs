//! Compact proofs of a set that users have. Nobody guesses one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringwork::schemes::bdlop::{Commitment, CommitmentKey, Parameters, Statement};
use ringwork_fuzz::fit;
use std::sync::LazyLock;

struct Honest {
    key: CommitmentKey<i64>,
    commitments: [Commitment<i64>; 1],
    proof: Vec<u8>,
}

const fn statement(commitments: &[Commitment<i64>]) -> Statement<'_, i64> {
    Statement { commitments, relation: None, context: b"fuzz" }
}

thread_local! {
    static HONEST: LazyLock<Honest> = LazyLock::new(|| {
        let parameters = Parameters::by_name("bdlop-1024").expect("a set");
        let key = CommitmentKey::new(parameters, &[1; 32]).expect("a plan");
        let message = key.message(&[1, 2]).expect("short");
        let (commitment, opening) = key.commit_derand(message, &[2; 32]).expect("of that shape");
        let commitments = [commitment];
        let proof = key.prove_derand(&statement(&commitments), &[opening], &[3; 32]).expect("honest");
        let proof = key.proof_to_compact_bytes(&statement(&commitments), &proof);
        Honest { key, commitments, proof }
    });
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    HONEST.with(|honest| {
        let Honest { key, commitments, proof } = &**honest;
        // The honest proof with some of it overwritten, or any bytes.
        let bytes = if choice & 1 == 0 {
            let at = usize::from(*choice >> 1) * proof.len() / 128;
            let mut changed = proof.clone();
            changed[at..].iter_mut().zip(bytes).for_each(|(old, new)| *old ^= new);
            changed
        } else {
            fit(*choice, bytes, proof.len())
        };
        let held = key.verify_compact(&statement(commitments), &bytes).is_ok();
        assert_eq!(held, bytes == *proof, "nobody guesses a proof");
    });
});
