//! Commitments and proofs, of the scheme and of the registry.

use crate::{
    memcheck::reveal,
    run::{Run, SecretRng, secret_bytes, secret_words},
};
use ringwork::{
    Backend,
    module::Vector,
    registry::{self, Commitments, Form, Origin},
    schemes::bdlop::{BDLOP_1024, CommitmentKey, Relation, Statement},
};

pub(crate) fn run(run: &mut Run<'_>) {
    if run.backend == Backend::Scalar {
        scheme(run); // words of 64 bits, without vectors, whatever the backend
    }
    if run.backend == Backend::best() {
        by_name(run, BDLOP_1024.name());
    }
}

fn scheme(run: &mut Run<'_>) {
    let key = CommitmentKey::<i64>::new(BDLOP_1024, &[1; 32]).expect("a plan");
    let (n, [_, _, l]) = (key.parameters().n(), key.parameters().shape());
    let message = || {
        let values = secret_words::<i64>(n * l, 0, 1 << 20);
        Vector::filled(n, l, |words| words.copy_from_slice(&values))
    };
    let mut made = Vec::new();
    run.case("bdlop: commitment", || {
        let (commitment, opening) = key.commit_derand(message(), &secret_bytes()).expect("a message");
        let was_secret = reveal(&key.commitment_to_bytes(&commitment));
        let bytes = key.commitment_to_bytes(&commitment);
        let _ = reveal(&bytes);
        made.push((key.commitment_from_bytes(&bytes).expect("what was written"), opening));
        was_secret
    });
    let Some((commitment, opening)) = made.pop() else { return };
    let _ = reveal(opening.factor().words()); // 1, and nobody's secret
    let mut read = None;
    run.case("bdlop: an opening there and back", || {
        let bytes = key.opening_to_bytes(&opening).expect("an opening");
        read = Some(key.opening_from_bytes(&bytes).expect("what was written"));
        reveal(&bytes)
    });
    let Some(opening) = read else { return };
    let _ = reveal(opening.factor().words());

    let single = [commitment];
    let statement = Statement { commitments: &single, relation: None, context: b"" };
    run.case("bdlop: proof", || {
        let proof = key.prove_derand(&statement, std::slice::from_ref(&opening), &secret_bytes()).expect("a witness");
        let bytes = key.proof_to_bytes(&proof);
        let was_secret = reveal(&bytes);
        let proof = key.proof_from_bytes(&statement, &bytes).expect("what was written");
        was_secret && key.verify(&statement, &proof).is_ok()
    });

    let [commitment] = single;
    let twice = [commitment.clone(), commitment];
    let coefficients = Vector::filled(n, 2, |words| {
        words[0] = 1;
        words[n] = key.parameters().q() as i64 - 1;
    });
    let relation = Relation { coefficients, value: key.message(&[]).expect("zeros") };
    let statement = Statement { commitments: &twice, relation: Some(&relation), context: b"" };
    run.case("bdlop: proof of equality", || {
        let proof = key.prove_derand(&statement, &[opening.clone(), opening.clone()], &secret_bytes());
        reveal(&key.proof_to_bytes(&proof.expect("a witness")))
    });
}

/// The way of the command line, on the best backend.
fn by_name(run: &mut Run<'_>, name: &str) {
    let set = Commitments::by_name(name).expect("a name of the registry");
    let origin = Origin { committer: b"alice", context: b"auction 7" };
    run.case(&format!("registry, {name}"), || {
        let message = secret_bytes::<32>();
        let (commitment, opening) = set
            .commit(&registry::default_seed(), origin, Form::Bytes, &message[..], &mut SecretRng)
            .expect("a message");
        let was_secret = reveal(&commitment) && reveal(&opening[..32]);
        let statement: [&[u8]; 1] = [&commitment];
        let proof = set.prove(&statement, &[&opening], false, origin, &mut SecretRng).expect("an opening");
        was_secret && reveal(&proof) && reveal(&opening)
    });
}
