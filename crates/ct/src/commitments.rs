//! Commitments and proofs, of the scheme and of the registry.

use crate::{
    memcheck::{conceal, reveal},
    run::{Run, SecretRng, secret_bytes, secret_words},
};
use ringwork::{
    Backend,
    module::Vector,
    object::Purpose,
    registry::{self, Commitments},
    sample::Word,
    schemes::bdlop::{BDLOP_1024, CommitmentKey, Relation, Statement},
};

pub(crate) fn run(run: &mut Run<'_>) {
    let (backend, seed) = (run.backend, [1; 32]);
    scheme(run, "64 bits", &CommitmentKey::<i64>::new(BDLOP_1024, &seed).expect("a plan"));
    let key = CommitmentKey::<i32>::with_backend(BDLOP_1024, &seed, backend);
    if let Ok(key) = key {
        scheme(run, "32 bits", &key);
    }
    if backend == Backend::best() {
        registry::all(Purpose::Commitment).for_each(|set| by_name(run, set.name));
    }
}

fn scheme<T: Word>(run: &mut Run<'_>, words: &str, key: &CommitmentKey<T>) {
    let (n, [_, _, l]) = (key.parameters().n(), key.parameters().shape());
    let message = || {
        let values = secret_words::<T>(n * l, 0, 1 << 20);
        Vector::filled(n, l, |words| words.copy_from_slice(&values))
    };
    let mut made = Vec::new();
    run.case(&format!("bdlop, {words}: commitment"), || {
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
    run.case(&format!("bdlop, {words}: an opening there and back"), || {
        let bytes = key.opening_to_bytes(&opening).expect("an opening");
        read = Some(key.opening_from_bytes(&bytes).expect("what was written"));
        reveal(&bytes)
    });
    let Some(opening) = read else { return };
    let _ = reveal(opening.factor().words());

    let single = [commitment];
    let statement = Statement { commitments: &single, relation: None, context: b"" };
    run.case(&format!("bdlop, {words}: proof"), || {
        let proof = key.prove_derand(&statement, std::slice::from_ref(&opening), &secret_bytes()).expect("a witness");
        let bytes = key.proof_to_bytes(&proof);
        let was_secret = reveal(&bytes);
        let proof = key.proof_from_bytes(&statement, &bytes).expect("what was written");
        was_secret && key.verify(&statement, &proof).is_ok()
    });

    let [commitment] = single;
    let twice = [commitment.clone(), commitment];
    let coefficients = Vector::filled(n, 2, |words| {
        words[0] = T::from_i64(1);
        words[n] = T::from_i64(key.parameters().q() as i64 - 1);
    });
    let relation = Relation { coefficients, value: key.message(&[]).expect("zeros") };
    let statement = Statement { commitments: &twice, relation: Some(&relation), context: b"" };
    run.case(&format!("bdlop, {words}: proof of equality"), || {
        let proof = key.prove_derand(&statement, &[opening.clone(), opening.clone()], &secret_bytes());
        reveal(&key.proof_to_bytes(&proof.expect("a witness")))
    });
}

/// The way of the command line, on the best backend.
fn by_name(run: &mut Run<'_>, name: &str) {
    let set = Commitments::by_name(name).expect("a name of the registry");
    run.case(&format!("registry, {name}"), || {
        let message = secret_bytes::<32>();
        conceal(&message[..]);
        let (commitment, opening) =
            set.commit(&registry::default_seed(), &message[..], &mut SecretRng).expect("a message");
        reveal(&commitment) && reveal(&opening)
    });
}
