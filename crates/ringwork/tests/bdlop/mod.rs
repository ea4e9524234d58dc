//! Commitments, proofs, and the attacks on them that must fail.

mod attacks;
mod scheme;

use crate::random::tagged as seed;
use ringwork::{
    Backend,
    decode::DecodeError,
    module::Vector,
    sample::{FixedWeight, Word},
    schemes::bdlop::{
        BAKKEBO_1024, BDLOP_1024, BDLOP_1024_4, BDLOP_2048, Commitment, CommitmentKey, Error, Opening, Parameters,
        Proof, Relation, Statement,
    },
    xof::{self, Shake256},
};

fn key(parameters: Parameters) -> CommitmentKey<i64> {
    CommitmentKey::new(parameters, &seed(1, 0)).unwrap()
}

/// A message of residues.
fn message<T: Word>(key: &CommitmentKey<T>, number: u64) -> Vector<T> {
    let parameters = key.parameters();
    let mut bytes = vec![0; 8 * parameters.n() * parameters.shape()[2]];
    xof::chacha20(&seed(2, number), [9; 8], &mut bytes);
    let values: Vec<u64> = bytes.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b) % parameters.q()).collect();
    key.message(&values).unwrap()
}

fn commit<T: Word>(key: &CommitmentKey<T>, number: u64) -> (Commitment<T>, Opening<T>) {
    key.commit_derand(message(key, number), &seed(3, number)).unwrap()
}

fn opening_of<T: Word>(commitments: &[Commitment<T>]) -> Statement<'_, T> {
    Statement { commitments, relation: None, context: b"test" }
}

/// Changes one word.
fn nudged<T: Word>(vector: &Vector<T>, index: usize, by: i64) -> Vector<T> {
    let mut vector = vector.clone();
    let word = &mut vector.words_mut()[index];
    *word = T::truncate((*word).into() + by);
    vector
}

/// Three commitments whose messages are added up: `2·m0 + X·m1 - m2 = v`.
fn related(key: &CommitmentKey<i64>) -> (Vec<Commitment<i64>>, Vec<Opening<i64>>, Relation<i64>) {
    let (n, q, l) = (key.parameters().n(), key.parameters().q() as i64, key.parameters().shape()[2]);
    let (commitments, openings): (Vec<_>, Vec<_>) = (0..3).map(|number| commit(key, number)).unzip();
    let coefficients = Vector::filled(n, 3, |words: &mut [i64]| {
        words[0] = 2;
        words[n + 1] = 1;
        words[2 * n] = q - 1;
    });
    let mut value = Vector::zeros(n, l);
    let module = key.module();
    for (j, opening) in openings.iter().enumerate() {
        let g = module.forward(&coefficients.part(j..j + 1));
        module.add(&mut value, &module.product(&module.forward(opening.message()), g.words()));
    }
    (commitments, openings, Relation { coefficients, value })
}
