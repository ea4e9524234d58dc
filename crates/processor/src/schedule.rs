//! Instructions as slots, one per cycle: the sequencers of both machines, and all cycle counts.
//!
//! `PAPER` follows Algorithm 2: for each loop it fills the table of four twiddles, then come the butterflies of its
//! groups, two words at a time with their results exchanged, interrupted by multiplications of the table by `ω_m^4`.
//! `FAST` takes the loops in reverse order, from the largest distance down, with a twiddle from the read-only memory
//! for each slot.
//!
//! Distances between slots that depend on one another follow from the multiplier's depth ([`Depth`]).
//!
//! Source: the paper, sections 3.3, 4 and 5; its fixed costs are 665 and 1139 cycles forward, 1048
//! and 1959 backward.

use crate::{
    constants::Constants,
    depth::{Depth, SUM, TABLE, output_age},
    isa::{Opcode, Variant},
};

/// Cycles before the first slot, and for `PAPER` also at the end.
const DECODE: usize = 1;
const END: usize = 1;
/// The age at which `PAPER` writes the word that REARRANGE moves.
const MOVED: usize = 4;

/// The work of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slot {
    /// Block and address of the words to read.
    pub reads: [Option<(u8, usize)>; 2],
    /// The computation.
    pub work: Work,
    /// The place and time of a write.
    pub write: Option<Write>,
    /// The event that must have happened before.
    pub wait: Option<Wait>,
}

/// The computation on a word.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Work {
    /// Nothing.
    #[default]
    Nothing,
    /// For `(u, v)`, low and high: `(u + z·v, u - z·v)`.
    Forward(Factor),
    /// `((u + v)/2, z·(v - u)/2)`.
    Backward(u16),
    /// The first factor or summand of the next slot.
    First,
    /// The word of the previous slot times this one, plus the summand.
    MultiplyAdd,
    /// The word of the previous slot times this one.
    Multiply,
    /// The word of the previous slot plus this one.
    Add,
    /// A register of the twiddle table becomes a product.
    Twiddle {
        /// The register.
        index: usize,
        /// The factors of the product.
        factors: [Factor; 2],
    },
    /// Multiplies one half of the word.
    Scale {
        /// Whether it is the upper half.
        upper: bool,
        /// The factor.
        factor: Factor,
    },
    /// Moves the word.
    Move,
    /// Outputs the word.
    Output,
}

/// A factor of a product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// From the read-only memory.
    Constant(u16),
    /// From a register of the twiddle table.
    Table(usize),
}

/// The destination of a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Write {
    /// The block.
    pub block: u8,
    /// The address in it.
    pub address: usize,
    /// The results that form the word.
    pub form: Form,
    /// The number of cycles after the issue of the slot.
    pub after: usize,
}

/// The results that form a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// (R2, R5): difference and sum of the slot.
    Plain,
    /// (R4, R5): sums of the next slot and of this one.
    Sums,
    /// (R2, R3): differences of this slot and of the previous one.
    Differences,
}

/// The event that a slot waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wait {
    /// All sampling has ended.
    Sampler,
    /// No block in the bank of this one is being sampled or will be.
    Block(u8),
}

/// Cycles until the input engine begins.
pub(crate) const LEADING: usize = DECODE;

fn idle(slots: &mut Vec<Slot>, cycles: usize) {
    slots.extend(std::iter::repeat_n(Slot::default(), cycles));
}

/// Inserts a bit into `x` at a place.
const fn with_bit(x: usize, place: usize, bit: usize) -> usize {
    x >> place << (place + 1) | bit << place | x & ((1 << place) - 1)
}

/// Slots of an instruction of `FAST`.
pub(crate) fn fast(constants: &Constants, depth: Depth, opcode: Opcode, reads: &[u8], target: Option<u8>) -> Vec<Slot> {
    let (words, after) = (constants.n / 2, depth.write_age(Variant::Fast));
    let mut slots = vec![Slot::default(); DECODE];
    match opcode {
        Opcode::Fntt | Opcode::Intt => {
            let backward = opcode == Opcode::Intt;
            for &block in reads {
                let begin = slots.len();
                butterflies(constants, after, block, backward, &mut slots);
                slots[begin].wait = Some(Wait::Block(block));
            }
            idle(&mut slots, after);
        }
        Opcode::MultiplyAdd => {
            let write = |address| target.map(|block| Write { block, address, form: Form::Sums, after });
            for address in 0..words {
                let [a, b, c] = [0, 1, 2].map(|i| Some((reads[i], address)));
                slots.push(Slot { reads: [a, None], work: Work::First, ..Slot::default() });
                slots.push(Slot { reads: [b, c], work: Work::MultiplyAdd, write: write(address), wait: None });
            }
            slots[DECODE].wait = Some(Wait::Sampler);
            idle(&mut slots, after);
        }
        _ => {
            output(words, reads[0], &mut slots);
            slots[DECODE].wait = Some(Wait::Sampler);
            idle(&mut slots, output_age(Variant::Fast));
        }
    }
    slots
}

fn output(words: usize, block: u8, slots: &mut Vec<Slot>) {
    let read = |address| Slot { reads: [Some((block, address)), None], work: Work::Output, ..Slot::default() };
    slots.extend((0..words).map(read));
}

/// A transform of `FAST`: layers of distance `2^p`; in each, the word `(i, i + 2^p)` has address `i` without bit `p`.
fn butterflies(constants: &Constants, after: usize, block: u8, backward: bool, slots: &mut Vec<Slot>) {
    let (log_n, words) = (constants.n.trailing_zeros() as usize, constants.n / 2);
    for layer in 0..log_n {
        let p = if backward { layer } else { log_n - 1 - layer };
        // The words of an exchange differ in this bit of their addresses; the last layer exchanges nothing.
        let partner = if layer == log_n - 1 { None } else { Some(if backward { p } else { p - 1 }) };
        for count in 0..words {
            let address = partner.map_or(count, |bit| with_bit(count >> 1, bit, count & 1));
            let (number, first) = (address >> p, constants.n >> (p + 1));
            let work = if backward {
                Work::Backward(constants.twiddles[2 * first - 1 - number])
            } else {
                Work::Forward(Factor::Constant(constants.twiddles[first + number]))
            };
            let form = match partner {
                None => Form::Plain,
                Some(_) if count & 1 == 0 => Form::Sums,
                Some(_) => Form::Differences,
            };
            let write = Some(Write { block, address, form, after });
            slots.push(Slot { reads: [Some((block, address)), None], work, write, wait: None });
        }
    }
}

/// Slots of an instruction of `PAPER`.
pub(crate) fn paper(
    constants: &Constants,
    depth: Depth,
    opcode: Opcode,
    reads: &[u8],
    target: Option<u8>,
) -> Vec<Slot> {
    let words = constants.n / 2;
    let mut slots = vec![Slot::default(); DECODE];
    match opcode {
        Opcode::Fntt | Opcode::Intt => {
            Loops { constants, depth, reads, slots: &mut slots }.transform(opcode == Opcode::Intt);
        }
        Opcode::Add | Opcode::Cmult => {
            let product = (Work::Multiply, depth.write_age(Variant::Paper));
            let (work, after) = if opcode == Opcode::Add { (Work::Add, SUM) } else { product };
            let write = |address| target.map(|block| Write { block, address, form: Form::Sums, after });
            for address in 0..words {
                let [a, b] = [0, 1].map(|i| Some((reads[i], address)));
                slots.push(Slot { reads: [a, None], work: Work::First, ..Slot::default() });
                slots.push(Slot { reads: [b, None], work, write: write(address), wait: None });
            }
            idle(&mut slots, after);
        }
        Opcode::Rearrange => {
            for i in 0..words {
                let j = i.reverse_bits() >> (usize::BITS - words.trailing_zeros());
                if i >= j {
                    idle(&mut slots, 1);
                    continue;
                }
                for (from, to) in [(i, j), (j, i)] {
                    let write = Some(Write { block: reads[0], address: to, form: Form::Plain, after: MOVED });
                    let reads = [Some((reads[0], from)), None];
                    slots.push(Slot { reads, work: Work::Move, write, wait: None });
                }
            }
            idle(&mut slots, END);
        }
        _ => {
            output(words, reads[0], &mut slots);
            idle(&mut slots, output_age(Variant::Paper));
        }
    }
    slots
}

/// The loops of Algorithm 2 on several polynomials.
struct Loops<'a> {
    constants: &'a Constants,
    depth: Depth,
    reads: &'a [u8],
    slots: &'a mut Vec<Slot>,
}

impl Loops<'_> {
    fn transform(&mut self, backward: bool) {
        let Constants { n, ref roots, n_inverse, .. } = *self.constants;
        let roots = &roots[usize::from(backward)];
        let root = |m: usize| Factor::Constant(roots[m.trailing_zeros() as usize]);
        let [log_n, words] = [n.trailing_zeros() as usize, n / 2];
        for m in (1..=log_n).map(|i| 1 << i) {
            self.fill(&root, m);
            if !backward {
                self.multiply_table(root(2 * m), TABLE + self.depth.reuse());
            }
            for first in (0..m / 2).step_by(TABLE) {
                if first > 0 {
                    self.multiply_table(root(m.div_ceil(TABLE)), self.depth.interruption());
                }
                for j in first..m / 2 {
                    let work = Work::Forward(Factor::Table(j - first));
                    for k in (0..if m == n { 1 } else { words }).step_by(m) {
                        for &block in self.reads {
                            self.pair(block, work, [k + j, k + j + m / 2], m == n);
                        }
                        if m == n {
                            break;
                        }
                    }
                    if j + 1 == first + TABLE {
                        break;
                    }
                }
            }
            idle(self.slots, self.depth.drain());
        }
        if backward {
            idle(self.slots, 1);
            self.fill(&root, 2 * n);
            self.multiply_table(Factor::Constant(n_inverse), self.depth.interruption());
            for i in 0..n {
                if i % TABLE == 0 && i > 0 {
                    self.multiply_table(root(2 * n / TABLE), self.depth.interruption());
                }
                let work = Work::Scale { upper: i >= words, factor: Factor::Table(i % TABLE) };
                for &block in self.reads {
                    self.slot(block, i % words, work, Form::Plain);
                }
            }
            idle(self.slots, self.depth.drain());
        }
        idle(self.slots, END);
    }

    /// Sets the table to 1, ω_m, ω_m^2, ω_m^3.
    fn fill(&mut self, root: &impl Fn(usize) -> Factor, m: usize) {
        let one = root(1);
        let factors = [[one, one], [root(m), one], [root(m / 2), one], [root(m), root(m / 2)]];
        for (index, factors) in factors.into_iter().enumerate() {
            self.slots.push(Slot { work: Work::Twiddle { index, factors }, ..Slot::default() });
        }
        idle(self.slots, self.depth.reuse());
    }

    /// Multiplies the table by a factor, in this number of cycles.
    fn multiply_table(&mut self, factor: Factor, cycles: usize) {
        for index in 0..TABLE {
            let factors = [Factor::Table(index), factor];
            self.slots.push(Slot { work: Work::Twiddle { index, factors }, ..Slot::default() });
        }
        idle(self.slots, cycles - TABLE);
    }

    /// Two words that exchange results, or in the last loop the first one alone.
    fn pair(&mut self, block: u8, work: Work, [first, second]: [usize; 2], is_last: bool) {
        if is_last {
            return self.slot(block, first, work, Form::Plain);
        }
        self.slot(block, first, work, Form::Sums);
        self.slot(block, second, work, Form::Differences);
    }

    fn slot(&mut self, block: u8, address: usize, work: Work, form: Form) {
        let write = Some(Write { block, address, form, after: self.depth.write_age(Variant::Paper) });
        self.slots.push(Slot { reads: [Some((block, address)), None], work, write, wait: None });
    }
}
