//! The machine: memory, queues, the pipeline of slots, and the input engine, cycle by cycle.
//!
//! An instruction is a sequence of *slots*, one per cycle ([`schedule`]). A slot issued in cycle
//! `t` passes these stages:
//!
//! | cycle | |
//! |---|---|
//! | `t + 1` | its words are read from memory |
//! | `t + 3` | `PAPER`: multiplier and adders take them |
//! | `t + 4` | those of `FAST`, whose memory has one more register |
//! | `t + d + 4` | `PAPER`: a twiddle is in the table; sum and difference are in R4 and R1 |
//! | `t + d + 6` | `PAPER`: a word of results is written; `FAST`: R4 and R1 |
//! | `t + d + 7` | `FAST`: a word of results is written |
//!
//! with the multiplier's `d` stages ([`Depth`]), 6 unless another number is asked for.
//!
//! The values of R4 and R1 move to R5 and R2 one cycle later, and to R3 after one more. So the words
//! written back to memory are pairs of results of adjacent slots ([`Form`]).

use crate::{
    constants::Constants,
    depth::{self, Depth},
    isa::{BLOCKS, Command, MOST, Opcode, Refusal, Variant},
    sampler::{Sampler, State},
    schedule::{self, Factor, Form, Slot, Wait, Work},
    set::Set,
};
use std::{collections::VecDeque, fmt};

/// A word of memory: the low and the high coefficient.
pub type Word = [u16; 2];

/// Ages at which slots act.
const READ: usize = 1;
const OPERANDS: usize = 3;
/// Cycles of zeroization: of `FAST` the sweep through memory, behind which the pipeline runs empty; of `PAPER` both.
const SWEEP: usize = 1024;
const ZEROIZATION: usize = 544;

/// Inputs from outside.
pub struct Inputs<'a> {
    /// Words for LOAD.
    pub data: VecDeque<Word>,
    /// Bits of the message.
    pub bits: VecDeque<bool>,
    /// Nine random bits per step; `None` if there are none yet.
    pub random: RandomWords<'a>,
}

impl fmt::Debug for Inputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inputs(..)")
    }
}

/// A source of random words.
pub struct RandomWords<'a>(pub Box<dyn FnMut() -> Option<u16> + 'a>);

impl fmt::Debug for RandomWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomWords(..)")
    }
}

/// An observable event of a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A slot was issued, or `None` if it waits for the sampler.
    Issue(Option<Slot>),
    /// A word was read from a block.
    Read(u8, usize, Word),
    /// A word was written to a block.
    Write(u8, usize, Word),
    /// A register of the twiddle table was loaded.
    Twiddle(usize, u16),
    /// R1 to R5.
    Registers([u16; 5]),
    /// A step of the sampler.
    Step(State),
    /// A word was output, with its decoded bits.
    Output(Word, [bool; 2]),
}

/// A slot in the pipeline.
#[derive(Clone, Copy, Debug, Default)]
struct Flying {
    slot: Slot,
    words: [Word; 2],
    sum: u16,
    difference: u16,
}

/// The state of LOAD, ENCODE-LOAD and GAUSSIAN-*.
#[derive(Debug)]
struct Input {
    opcode: Opcode,
    blocks: VecDeque<u8>,
    address: usize,
    low: Option<u16>,
}

/// A processor.
pub struct Machine {
    set: Set,
    variant: Variant,
    depth: Depth,
    constants: Constants,
    memory: Vec<Vec<Word>>,
    reads: VecDeque<u8>,
    writes: VecDeque<u8>,
    last: u8,
    error: Option<Refusal>,
    /// The slots still to issue.
    running: VecDeque<Slot>,
    line: VecDeque<Flying>,
    table: Vec<u16>,
    input: Option<Input>,
    /// The word that the input engine writes in this cycle.
    entering: Option<(u8, usize, Word)>,
    /// Whether the input engine samples in parallel with instructions.
    beside: bool,
    /// Cycles until the input engine begins.
    leading: usize,
    sampler: Sampler,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("set", &self.set.name).field("variant", &self.variant).finish_non_exhaustive()
    }
}

impl Machine {
    /// A processor with memory initialized to zero, and a multiplier of six stages.
    ///
    /// **Panics** if the set is invalid: its degree is not a power of two from 16 on, or for `FAST`
    /// from 64 on ([`Depth::least_degree`]); or its numbers do not match.
    pub fn new(set: &Set, variant: Variant) -> Self {
        Self::with_depth(set, variant, Depth::default())
    }

    /// The same with any number of stages.
    ///
    /// **Panics** as [`new`](Self::new) does, with the least degree for that depth.
    pub fn with_depth(set: &Set, variant: Variant, depth: Depth) -> Self {
        let least = depth.least_degree(variant);
        assert!(set.n.is_power_of_two() && set.n >= least, "n = {} is no power of two from {least} on", set.n);
        let misfit = set.misfit();
        assert!(misfit.is_none(), "{}", misfit.unwrap_or_default());
        Self {
            set: *set,
            variant,
            depth,
            constants: Constants::new(set),
            memory: vec![vec![[0; 2]; set.n / 2]; BLOCKS],
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            last: 0,
            error: None,
            running: VecDeque::new(),
            line: vec![Flying::default(); depth.write_age(Variant::Fast) + 2].into(),
            table: vec![0; depth::TABLE],
            input: None,
            entering: None,
            beside: false,
            leading: 0,
            sampler: Sampler::new(set),
        }
    }

    /// Its parameter set.
    pub const fn set(&self) -> &Set {
        &self.set
    }

    /// The variant of the machine.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The depth of its multiplier.
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// A block of memory.
    ///
    /// **Panics** if there is no such block.
    pub fn block(&self, index: u8) -> &[Word] {
        &self.memory[usize::from(index)]
    }

    /// The first error since the last CLEAR.
    pub const fn error(&self) -> Option<Refusal> {
        self.error
    }

    /// Whether an instruction is running.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty() || self.leading > 0 || !self.beside && self.is_entering()
    }

    /// Whether the sampler of `FAST` is running in parallel with other instructions.
    pub const fn is_sampling(&self) -> bool {
        self.beside && self.leading == 0 && self.is_entering()
    }

    const fn is_entering(&self) -> bool {
        self.input.is_some() || self.entering.is_some()
    }

    /// Stops everything and sets all words to zero, which takes some time.
    pub fn zeroize(&mut self) {
        self.memory.iter_mut().for_each(|block| block.fill([0; 2]));
        self.line.iter_mut().for_each(|flying| *flying = Flying::default());
        self.table.fill(0);
        self.sampler.clear();
        (self.input, self.entering, self.leading) = (None, None, 0);
        (self.last, self.error) = (0, None);
        self.reads.clear();
        self.writes.clear();
        let cycles = match self.variant {
            Variant::Paper => ZEROIZATION,
            Variant::Fast => SWEEP + self.depth.write_age(Variant::Fast),
        };
        self.running = vec![Slot::default(); cycles].into();
    }

    /// One cycle: everything advances, and at its end the machine takes the command.
    pub fn clock(&mut self, command: Option<u8>, inputs: &mut Inputs<'_>, mut see: impl FnMut(Event)) {
        let (busy, sampling) = (self.is_busy(), self.is_sampling());
        self.issue(&mut see);
        self.read(&mut see);
        self.operate(&mut see);
        self.write(&mut see);
        let error = self.error;
        self.enter(inputs, &mut see);
        if let Some(byte) = command
            && let Err(refusal) = self.command(byte, busy, sampling)
        {
            // This error precedes that of a coefficient in the same cycle.
            self.error = error.or(Some(refusal));
            self.reads.clear();
            self.writes.clear();
        }
    }

    fn issue(&mut self, see: &mut impl FnMut(Event)) {
        let waits = self.running.front().is_some_and(|slot| match slot.wait {
            None => false,
            Some(Wait::Sampler) => self.is_sampling(),
            Some(Wait::Block(block)) => self.is_awaited(block),
        });
        let slot = if waits { None } else { self.running.pop_front() };
        if waits || slot.is_some() {
            see(Event::Issue(slot));
        }
        self.line.push_front(Flying { slot: slot.unwrap_or_default(), ..Flying::default() });
        self.line.pop_back();
    }

    /// Whether a block in the same bank is being sampled or will be.
    fn is_awaited(&self, block: u8) -> bool {
        let bank = self.set.bank(block);
        let input = self.input.as_ref().filter(|_| self.is_sampling());
        input.is_some_and(|input| input.blocks.iter().any(|&other| self.set.bank(other) == bank))
    }

    fn read(&mut self, see: &mut impl FnMut(Event)) {
        let flying = &mut self.line[READ];
        for (word, read) in flying.words.iter_mut().zip(flying.slot.reads) {
            if let Some((block, address)) = read {
                *word = self.memory[usize::from(block)][address];
                see(Event::Read(block, address, *word));
            }
        }
    }

    fn operate(&mut self, see: &mut impl FnMut(Event)) {
        let c = &self.constants;
        let table = self.depth.table_age();
        if let Work::Twiddle { index, .. } = self.line[table].slot.work {
            self.table[index] = self.line[table].sum;
            see(Event::Twiddle(index, self.table[index]));
        }
        let factor = |factor: Factor| match factor {
            Factor::Constant(constant) => constant,
            Factor::Table(index) => self.table[index],
        };
        let [Flying { words: [[low, high], summand], slot, .. }, Flying { words: [before, _], .. }] =
            [self.line[OPERANDS], self.line[OPERANDS + 1]];
        match slot.work {
            Work::Nothing | Work::First => (),
            Work::Forward(twiddle) => {
                let t = c.product(high, factor(twiddle));
                (self.line[OPERANDS].sum, self.line[OPERANDS].difference) = (c.sum(low, t), c.difference(low, t));
            }
            Work::Backward(twiddle) => {
                self.line[OPERANDS].sum = c.half(c.sum(high, low));
                self.line[OPERANDS].difference = c.product(c.half(c.difference(high, low)), twiddle);
            }
            // Two consecutive coefficients: the second one belongs to the next slot.
            Work::MultiplyAdd | Work::Multiply | Work::Add => {
                let results = [0, 1].map(|i| match slot.work {
                    Work::Add => c.sum(before[i], [low, high][i]),
                    Work::Multiply => c.product(before[i], [low, high][i]),
                    _ => c.sum(c.product(before[i], [low, high][i]), summand[i]),
                });
                self.line[OPERANDS].sum = results[0];
                self.line[OPERANDS - 1].sum = results[1];
            }
            Work::Twiddle { factors: [a, b], .. } => self.line[OPERANDS].sum = c.product(factor(a), factor(b)),
            Work::Scale { upper, factor: by } => {
                let by = factor(by);
                let [low, high] = if upper { [low, c.product(high, by)] } else { [c.product(low, by), high] };
                (self.line[OPERANDS].sum, self.line[OPERANDS].difference) = (low, high);
            }
            Work::Move => (self.line[OPERANDS].sum, self.line[OPERANDS].difference) = (low, high),
            Work::Output => (),
        }
        let Flying { slot, words: [word, _], .. } = self.line[depth::output_age(self.variant)];
        if slot.work == Work::Output {
            see(Event::Output(word, word.map(|a| c.decoded(a))));
        }
    }

    fn write(&mut self, see: &mut impl FnMut(Event)) {
        let age = self.depth.result_age(self.variant);
        let [now, before, long_before] = [0, 1, 2].map(|i| self.line[age + i]);
        let registers = [now.difference, before.difference, long_before.difference, now.sum, before.sum];
        see(Event::Registers(registers));
        for age in 2..self.line.len() - 1 {
            let Some(write) = self.line[age].slot.write.filter(|write| write.after == age) else { continue };
            let [next, this, before] = [self.line[age - 1], self.line[age], self.line[age + 1]];
            let word = match write.form {
                Form::Sums => [this.sum, next.sum],
                Form::Differences => [before.difference, this.difference],
                Form::Plain => [this.sum, this.difference],
            };
            self.memory[usize::from(write.block)][write.address] = word;
            see(Event::Write(write.block, write.address, word));
        }
    }

    /// The input engine.
    fn enter(&mut self, inputs: &mut Inputs<'_>, see: &mut impl FnMut(Event)) {
        if self.leading > 0 {
            self.leading -= 1;
            return;
        }
        if let Some((block, address, word)) = self.entering.take() {
            self.memory[usize::from(block)][address] = word;
            see(Event::Write(block, address, word));
        }
        let Some(mut input) = self.input.take() else { return };
        let (words, q) = (self.set.n / 2, self.constants.q);
        let is_last = input.address + 1 == words;
        let word = match input.opcode {
            Opcode::Load => inputs.data.pop_front().map(|word| {
                if word.iter().any(|&c| c >= q) {
                    self.error.get_or_insert(Refusal::Range);
                }
                word.map(|c| if c < q { c } else { 0 })
            }),
            Opcode::EncodeLoad => {
                let coefficient = inputs.bits.pop_front().map(|bit| if bit { q / 2 } else { 0 });
                pair(&mut input.low, coefficient)
            }
            _ => {
                let encodes = input.opcode == Opcode::GaussianEncodeLoad && input.blocks.len() == 1;
                let waiting = self.sampler.waiting().filter(|_| !encodes || !inputs.bits.is_empty());
                let is_end = is_last && input.low.is_some() && input.blocks.len() == 1;
                let may_step = !(is_end && self.sampler.waiting().is_some());
                let step = self.sampler.clock(waiting.is_some(), may_step, || (inputs.random.0)());
                step.into_iter().for_each(|step| see(Event::Step(step)));
                let base =
                    if waiting.is_some() && encodes && inputs.bits.pop_front() == Some(true) { q / 2 } else { 0 };
                let signed = |(row, negative)| match (base, negative) {
                    (_, false) => base + row,
                    (0, true) => {
                        if row == 0 {
                            0
                        } else {
                            q - row
                        }
                    }
                    (_, true) => base - row,
                };
                pair(&mut input.low, waiting.map(signed))
            }
        };
        if let Some(word) = word {
            self.entering = Some((input.blocks[0], input.address, word));
            input.address += 1;
            if is_last {
                input.address = 0;
                input.blocks.pop_front();
            }
        }
        self.input = Some(input).filter(|input| !input.blocks.is_empty());
    }

    fn command(&mut self, byte: u8, busy: bool, sampling: bool) -> Result<(), Refusal> {
        let check = |index: u8| if usize::from(index) < BLOCKS { Ok(index) } else { Err(Refusal::Index) };
        match Command::of(byte).ok_or(Refusal::Undefined)? {
            Command::Nothing => (),
            Command::PushRead(index) => push(&mut self.reads, check(index)?),
            Command::PushWrite(index) => push(&mut self.writes, check(index)?),
            Command::Last(last) if usize::from(last) < MOST => self.last = last,
            Command::Last(_) => return Err(Refusal::Polynomials),
            Command::Clear => {
                self.error = None;
                self.reads.clear();
                self.writes.clear();
            }
            Command::Start(opcode) => {
                self.start(opcode, busy, sampling)?;
                self.reads.clear();
                self.writes.clear();
            }
        }
        Ok(())
    }

    fn start(&mut self, opcode: Opcode, busy: bool, sampling: bool) -> Result<(), Refusal> {
        let variant = self.variant;
        let enters =
            matches!(opcode, Opcode::Load | Opcode::EncodeLoad | Opcode::GaussianLoad | Opcode::GaussianEncodeLoad);
        if !opcode.is_of(variant) {
            return Err(Refusal::Undefined);
        }
        if busy || enters && sampling {
            return Err(Refusal::Busy);
        }
        let polynomials = usize::from(self.last) + 1;
        let [reads, writes] = opcode.operands(variant, polynomials);
        if self.reads.len() < reads || self.writes.len() < writes {
            return Err(Refusal::Underflow);
        }
        if opcode == Opcode::MultiplyAdd && self.set.bank(self.reads[1]) == self.set.bank(self.reads[2]) {
            return Err(Refusal::Bank);
        }
        let reads: Vec<u8> = self.reads.iter().copied().take(reads).collect();
        let blocks: VecDeque<u8> = self.writes.iter().copied().take(writes).collect();
        if enters {
            self.beside = variant == Variant::Fast && opcode != Opcode::Load;
            self.leading = schedule::LEADING;
            self.input = Some(Input { opcode, blocks, address: 0, low: None });
        } else {
            let target = blocks.front().copied();
            let slots = match variant {
                Variant::Paper => schedule::paper(&self.constants, self.depth, opcode, &reads, target),
                Variant::Fast => schedule::fast(&self.constants, self.depth, opcode, &reads, target),
            };
            self.running = slots.into();
        }
        Ok(())
    }
}

/// Pushes to a queue of three entries, newest first.
fn push(queue: &mut VecDeque<u8>, index: u8) {
    queue.push_front(index);
    queue.truncate(MOST);
}

/// Keeps the first coefficient of a word, and returns the word when the second one arrives.
fn pair(low: &mut Option<u16>, coefficient: Option<u16>) -> Option<Word> {
    let coefficient = coefficient?;
    match low.take() {
        None => {
            *low = Some(coefficient);
            None
        }
        Some(low) => Some([low, coefficient]),
    }
}
