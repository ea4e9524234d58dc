//! What a program of the cryptoprocessor does, as data: inputs, instructions, words that were
//! written and read.

pub(crate) mod page;

use crate::screen::columns;
use processor::{
    Depth, Machine, Set, Variant,
    isa::{Command, Opcode},
    machine::{Event, Inputs, RandomWords, Word},
    program::{At, Outcome, RunError, run},
    random::Random,
    schedule::{Slot, Work},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::VecDeque;

/// The most instructions of a program that is traced.
pub(crate) const MOST_INSTRUCTIONS: usize = 256;
/// Words of a block that the text shows at most.
const SHOWN: usize = 16;

/// A word that was written: by which instruction, in which of its cycles, where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) instruction: usize,
    pub(crate) cycle: u64,
    pub(crate) block: u8,
    pub(crate) address: usize,
    pub(crate) word: Word,
}

/// A program that was run on random words.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) set: Set,
    pub(crate) variant: Variant,
    pub(crate) depth: Depth,
    pub(crate) outcome: Outcome,
    pub(crate) writes: Vec<Written>,
    /// Slots of each instruction, by their cycles; `None` where one waits.
    pub(crate) slots: Vec<Vec<(u64, Option<Slot>)>>,
    /// R1 to R5 of each instruction, cycle by cycle.
    pub(crate) registers: Vec<Vec<[u16; 5]>>,
    data: Vec<Word>,
    bits: Vec<bool>,
    random: Vec<u16>,
}

/// A traced program.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Traced<'a> {
    /// The commands in hexadecimal.
    bytes: String,
    /// Words that were loaded: low and high coefficient.
    data: &'a [Word],
    /// Bits of the message.
    bits: Vec<u8>,
    /// Words of nine random bits that the sampler took.
    random: &'a [u16],
    /// Instruction by instruction.
    instructions: Vec<Instruction>,
    /// Words that were written: number of the last instruction, cycles since its start, block, address, low and high
    /// coefficient.
    #[schemars(with = "Vec<(usize, usize, u8, usize, u16, u16)>")]
    writes: Vec<(usize, u64, u8, usize, u16, u16)>,
    /// Words that were read: low and high coefficient, and the decoder's bit for each.
    read: Vec<(u16, u16, u8, u8)>,
}

/// An instruction that was run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Instruction {
    /// Its name.
    name: &'static str,
    /// The cycle in which it started.
    #[schemars(with = "usize")]
    start: u64,
    /// Its cycles; a sampler beside other instructions has cycles of its own.
    #[schemars(with = "usize")]
    cycles: u64,
}

impl Instruction {
    pub(crate) fn all(outcome: &Outcome) -> Vec<Self> {
        let runs = outcome.runs.iter();
        runs.map(|run| Self { name: run.opcode.name(), start: run.start, cycles: run.cycles }).collect()
    }
}

impl Trace {
    /// Runs the bytes of a program on random words and bits, on a machine that has run nothing yet.
    ///
    /// **Errors** if the machine refuses a command.
    pub(crate) fn new(mut machine: Machine, seed: u64, bytes: &[u8]) -> Result<Self, RunError> {
        let set = *machine.set();
        let starts = |wanted: &[Opcode]| {
            let started = bytes.iter().filter(|&&byte| wanted.iter().any(|opcode| opcode.byte() == byte));
            started.count()
        };
        let mut public = Random(seed ^ 1 << 62);
        let mut residue = || public.below(set.q.into()) as u16;
        let data: Vec<Word> = (0..starts(&[Opcode::Load]) * set.n / 2).map(|_| [residue(), residue()]).collect();
        let encoded = starts(&[Opcode::EncodeLoad, Opcode::GaussianEncodeLoad]);
        let bits: Vec<bool> = (0..encoded * set.n).map(|_| public.bit()).collect();
        let (mut random, mut drawn) = (Random(seed), Vec::new());
        let mut trace = Self {
            set,
            variant: machine.variant(),
            depth: machine.depth(),
            outcome: Outcome::default(),
            writes: Vec::new(),
            slots: Vec::new(),
            registers: Vec::new(),
            data: data.clone(),
            bits: bits.clone(),
            random: Vec::new(),
        };
        let mut inputs = Inputs {
            data: data.into(),
            bits: VecDeque::from(bits),
            random: RandomWords(Box::new(|| {
                drawn.push(random.nine_bits());
                drawn.last().copied()
            })),
        };
        let started = instructions(bytes);
        trace.slots = vec![Vec::new(); started];
        trace.registers = vec![Vec::new(); started];
        let outcome = run(&mut machine, bytes, &mut inputs, |At { started, cycle }, event| {
            let Some(instruction) = started.checked_sub(1) else { return };
            match event {
                Event::Write(block, address, word) => {
                    trace.writes.push(Written { instruction, cycle, block, address, word });
                }
                Event::Issue(slot) => trace.slots[instruction].push((cycle, slot)),
                Event::Registers(registers) => trace.registers[instruction].push(registers),
                _ => (),
            }
        })?;
        drop(inputs);
        (trace.outcome, trace.random) = (outcome, drawn);
        Ok(trace)
    }

    /// Everything, for programs.
    pub(crate) fn answer(&self, bytes: String) -> Traced<'_> {
        let writes = self.writes.iter().map(|w| (w.instruction, w.cycle, w.block, w.address, w.word[0], w.word[1]));
        let words = self.outcome.words.iter();
        Traced {
            bytes,
            data: &self.data,
            bits: self.bits.iter().map(|&bit| u8::from(bit)).collect(),
            random: &self.random,
            instructions: Instruction::all(&self.outcome),
            writes: writes.collect(),
            read: words.map(|(w, bits)| (w[0], w[1], u8::from(bits[0]), u8::from(bits[1]))).collect(),
        }
    }

    /// Memory step by step: the words that each instruction wrote, in their order, as in Table 2 of
    /// the paper.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (number, run) in self.outcome.runs.iter().enumerate() {
            let of_it: Vec<&Written> = self.writes.iter().filter(|write| write.instruction == number).collect();
            let words = self.set.n / 2;
            let done = match run.opcode {
                Opcode::Read => format!("{words} words read"),
                _ => format!("{} words written", of_it.len()),
            };
            text += &format!("{}: {} cycles, {done}\n", run.opcode.name(), run.cycles);
            let mut rows = vec![["cycle", "block", "address", "high", "low"].map(String::from).to_vec()];
            let shown = if self.set.n <= 2 * SHOWN { of_it.len() } else { SHOWN };
            rows.extend(of_it.iter().take(shown).map(|w| {
                let [low, high] = w.word;
                vec![
                    w.cycle.to_string(),
                    format!("M{}", w.block),
                    w.address.to_string(),
                    high.to_string(),
                    low.to_string(),
                ]
            }));
            if of_it.len() > shown {
                rows.push(vec!["…".into()]);
            }
            if !of_it.is_empty() {
                text += &columns("rrrrr", &rows);
            }
            text.push('\n');
        }
        text
    }
}

/// How many instructions these bytes start.
pub(crate) fn instructions(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| matches!(Command::of(byte), Some(Command::Start(_)))).count()
}

/// What a slot is, in a word.
pub(crate) const fn kind(slot: Option<Slot>) -> &'static str {
    match slot {
        None => "waits",
        Some(slot) => match slot.work {
            Work::Nothing => "empty",
            Work::Forward(_) | Work::Backward(_) => "butterfly",
            Work::Twiddle { .. } => "twiddle",
            Work::Scale { .. } => "scaling",
            Work::First | Work::MultiplyAdd | Work::Multiply | Work::Add => "products and sums",
            Work::Move => "exchange",
            Work::Output => "read",
        },
    }
}
