//! The tests of the model, as one program.

#![forbid(unsafe_code)]

mod commands;
mod depths;
mod programs;
mod scheme;
mod transforms;

use ringwork_processor::{
    Machine, Set, Variant,
    isa::Opcode,
    machine::{Event, Inputs, RandomWords, Word},
    program::{At, Outcome, assemble, run},
    random::Random,
};

const VARIANTS: [Variant; 2] = [Variant::Paper, Variant::Fast];

/// Runs a program in text form, with random words from a seed.
fn execute(machine: &mut Machine, text: &str, data: &[Word], bits: &[bool], see: impl FnMut(At, Event)) -> Outcome {
    let bytes = assemble(text, machine.variant()).unwrap();
    let mut random = Random(9);
    let mut inputs = Inputs {
        data: data.to_vec().into(),
        bits: bits.to_vec().into(),
        random: RandomWords(Box::new(move || Some(random.nine_bits()))),
    };
    run(machine, &bytes, &mut inputs, see).unwrap()
}

fn random_polynomial(set: &Set, seed: u64) -> Vec<u16> {
    let mut random = Random(seed);
    (0..set.n).map(|_| random.below(set.q.into()) as u16).collect()
}

/// Cycles of the instructions with one opcode.
fn cycles(outcome: &Outcome, opcode: Opcode) -> Vec<u64> {
    outcome.runs.iter().filter(|run| run.opcode == opcode).map(|run| run.cycles).collect()
}
