//! Commitments with given randomness, and proofs to verify.

use super::{Trouble, any_bytes, bytes, compare, read, refused};
use crate::plans::machine_backends;
use ringwork::{
    module::Vector,
    sample::Word,
    schemes::bdlop::{CommitmentKey, Parameters, Relation, Statement},
};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Display;

#[derive(Debug, Deserialize)]
struct Test {
    n: usize,
    q: u64,
    k: usize,
    d: usize,
    l: usize,
    beta: u32,
    kappa: usize,
    key_seed: String,
    commitments: Vec<Commitment>,
    context: String,
    relation: Option<RelationNumbers>,
    proof: Option<Proof>,
}

#[derive(Debug, Deserialize)]
struct Commitment {
    message: Vec<u64>,
    randomness_seed: String,
    commitment: String,
}

#[derive(Debug, Deserialize)]
struct RelationNumbers {
    coefficients: Vec<u64>,
    value: Vec<u64>,
}

#[derive(Debug, Deserialize)]
struct Proof {
    bytes: String,
}

pub(super) fn commitments(test: &Value, _: &Value) -> Result<usize, Trouble> {
    let test: Test = read(test)?;
    let &Test { n, q, k, d, l, beta, kappa, .. } = &test;
    let parameters = Parameters::new_unestimated(n, q, [k, d, l], beta, kappa).map_err(refused)?;
    let seed = bytes(&test.key_seed)?;
    let computations = run_in_words::<i32>(parameters, &seed, &test)? + run_in_words::<i64>(parameters, &seed, &test)?;
    if computations == 0 {
        return Err(Trouble::Malformed(format!("no backend has a plan for n = {n}, q = {q}")));
    }
    Ok(computations)
}

/// On every backend that has a plan for these words: how many there are.
fn run_in_words<T: Word>(parameters: Parameters, seed: &[u8; 32], test: &Test) -> Result<usize, Trouble> {
    let mut computations = 0;
    for backend in machine_backends() {
        if let Ok(key) = CommitmentKey::<T>::with_backend(parameters, seed, backend) {
            run(&key, test, &format_args!("{backend}, {}-bit words", T::BITS))?;
            computations += 1;
        }
    }
    Ok(computations)
}

fn run<T: Word>(key: &CommitmentKey<T>, test: &Test, who: &dyn Display) -> Result<(), Trouble> {
    let mut commitments = Vec::new();
    for part in &test.commitments {
        let message = key.message(&part.message).map_err(refused)?;
        let (commitment, opening) = key.commit_derand(message, &bytes(&part.randomness_seed)?).map_err(refused)?;
        compare(&key.commitment_to_bytes(&commitment), &part.commitment, "commitment", who)?;
        key.open(&commitment, &opening).map_err(refused)?;
        commitments.push(commitment);
    }
    let Some(proof) = &test.proof else { return Ok(()) };
    let polynomials = |values: &[u64]| {
        Vector::filled(test.n, values.len() / test.n, |words| {
            words.iter_mut().zip(values).for_each(|(word, &value)| *word = T::truncate(value as i64));
        })
    };
    let (relation, context) = (test.relation.as_ref(), any_bytes(&test.context)?);
    let fields = relation.map(|relation| {
        let (coefficients, value) = (&relation.coefficients, &relation.value);
        [("coefficients", coefficients, commitments.len()), ("value", value, test.l)]
    });
    for (name, values, length) in fields.into_iter().flatten() {
        if values.len() != length * test.n || values.iter().any(|&x| x >= test.q) {
            let (actual, wanted, q) = (values.len(), length * test.n, test.q);
            let why = format!("field \"{name}\" has {actual} numbers, and should have {wanted} below q = {q}");
            return Err(Trouble::Malformed(why));
        }
    }
    let relation = relation.map(|relation| Relation {
        coefficients: polynomials(&relation.coefficients),
        value: polynomials(&relation.value),
    });
    let statement = Statement { commitments: &commitments, relation: relation.as_ref(), context: &context };
    let read = key.proof_from_bytes(&statement, &any_bytes(&proof.bytes)?).map_err(refused)?;
    compare(&key.proof_to_bytes(&read), &proof.bytes, "proof", who)?;
    key.verify(&statement, &read).map_err(|_| Trouble::Mismatch { field: "proof", who: who.to_string() })
}
