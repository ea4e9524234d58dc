//! Commands: the meaning of a byte on each machine.
//!
//! | byte | command |
//! |---|---|
//! | `0x00` | nothing |
//! | `0x1i`, `0x2i` | push index `i` to the read or write queue |
//! | `0x3v` | the next instructions work on `v + 1` polynomials |
//! | `0x8o` | start the instruction `o` |
//! | `0xF0` | forget the error, and empty the queues |
//!
//! Queues hold three indices, newest first. An instruction takes its operands when it starts, and empties both queues.
//!
//! Source: the paper of [`Machine`](crate::Machine), appendix B; codes and errors are ours.

use core::fmt;

/// The number of blocks of memory.
pub const BLOCKS: usize = 6;
/// The largest number of polynomials of an instruction, and of entries in a queue.
pub const MOST: usize = 3;

/// The paper's machine or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Algorithm 2: computes twiddles on the fly in a table of four; one memory for everything.
    Paper,
    /// A table of all twiddles, MULTIPLY-ADD, banks with separate ports, sampling in parallel with transforms.
    Fast,
}

impl Variant {
    /// Its name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Fast => "fast",
        }
    }

    /// The other variant.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Paper => Self::Fast,
            Self::Fast => Self::Paper,
        }
    }
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// Loads words.
    Load,
    /// Loads bits, encoded as 0 or (q-1)/2.
    EncodeLoad,
    /// Writes samples.
    GaussianLoad,
    /// Forward transforms in place.
    Fntt,
    /// Backward transforms in place.
    Intt,
    /// Adds two polynomials.
    Add,
    /// Multiplies pointwise.
    Cmult,
    /// Exchanges words with those at bit-reversed addresses.
    Rearrange,
    /// Outputs words.
    Read,
    /// Multiplies pointwise and adds a third operand.
    MultiplyAdd,
    /// Writes samples, and adds encoded bits in the last block.
    GaussianEncodeLoad,
}

impl Opcode {
    /// All opcodes, in the order of their codes.
    pub const ALL: [Self; 11] = [
        Self::Load,
        Self::EncodeLoad,
        Self::GaussianLoad,
        Self::Fntt,
        Self::Intt,
        Self::Add,
        Self::Cmult,
        Self::Rearrange,
        Self::Read,
        Self::MultiplyAdd,
        Self::GaussianEncodeLoad,
    ];

    /// The byte that starts the instruction.
    pub const fn byte(self) -> u8 {
        0x80 | self as u8
    }

    /// Its name in programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::EncodeLoad => "encode-load",
            Self::GaussianLoad => "gaussian-load",
            Self::Fntt => "fntt",
            Self::Intt => "intt",
            Self::Add => "add",
            Self::Cmult => "cmult",
            Self::Rearrange => "rearrange",
            Self::Read => "read",
            Self::MultiplyAdd => "multiply-add",
            Self::GaussianEncodeLoad => "gaussian-encode-load",
        }
    }

    /// Whether the machine has this instruction.
    pub const fn is_of(self, variant: Variant) -> bool {
        match self {
            Self::EncodeLoad | Self::Add | Self::Cmult | Self::Rearrange => matches!(variant, Variant::Paper),
            Self::MultiplyAdd | Self::GaussianEncodeLoad => matches!(variant, Variant::Fast),
            _ => true,
        }
    }

    /// Whether it works on as many polynomials as the iteration register says.
    pub const fn is_repeated(self, variant: Variant) -> bool {
        match self {
            Self::Fntt | Self::Intt => true,
            Self::GaussianLoad | Self::GaussianEncodeLoad => matches!(variant, Variant::Fast),
            _ => false,
        }
    }

    /// The number of entries of the read and of the write queue that the instruction takes for `polynomials`
    /// polynomials.
    pub const fn operands(self, variant: Variant, polynomials: usize) -> [usize; 2] {
        let polynomials = if self.is_repeated(variant) { polynomials } else { 1 };
        match self {
            Self::Load | Self::EncodeLoad | Self::GaussianLoad | Self::GaussianEncodeLoad => [0, polynomials],
            Self::Fntt | Self::Intt | Self::Rearrange | Self::Read => [polynomials, 0],
            Self::Add | Self::Cmult => [2, 1],
            Self::MultiplyAdd => [3, 1],
        }
    }
}

/// The meaning of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// No operation.
    Nothing,
    /// Pushes an index to the read queue.
    PushRead(u8),
    /// Pushes an index to the write queue.
    PushWrite(u8),
    /// Sets the iteration register: the number of polynomials minus one.
    Last(u8),
    /// Starts an instruction.
    Start(Opcode),
    /// Clears the error.
    Clear,
}

impl Command {
    /// Decodes a byte, if it is a command; does not check indices and numbers.
    pub fn of(byte: u8) -> Option<Self> {
        let (kind, operand) = (byte >> 4, byte & 15);
        match kind {
            0 if operand == 0 => Some(Self::Nothing),
            1 => Some(Self::PushRead(operand)),
            2 => Some(Self::PushWrite(operand)),
            3 => Some(Self::Last(operand)),
            8 => Opcode::ALL.get(usize::from(operand)).copied().map(Self::Start),
            15 if operand == 0 => Some(Self::Clear),
            _ => None,
        }
    }

    /// Encodes the command.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::PushRead(index) => 0x10 | index,
            Self::PushWrite(index) => 0x20 | index,
            Self::Last(last) => 0x30 | last,
            Self::Start(opcode) => opcode.byte(),
            Self::Clear => 0xF0,
        }
    }
}

/// Why the machine refused a command, with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// 1: no such command, or an instruction of the other machine.
    Undefined = 1,
    /// 2: too few operands in the queues.
    Underflow,
    /// 3: not the index of a block.
    Index,
    /// 4: an instruction was started while another one was running.
    Busy,
    /// 5: the second factor and the summand of MULTIPLY-ADD are in one bank.
    Bank,
    /// 6: more polynomials than a queue has entries.
    Polynomials,
    /// 7: a coefficient of q or more was loaded; zero is stored instead.
    Range,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undefined => "code 1: this machine has no such command or instruction",
            Self::Underflow => "code 2: the queues hold too few operands; push them before each instruction",
            Self::Index => "code 3: there is no such block; the blocks are M0 to M5",
            Self::Busy => "code 4: an instruction is still running; wait until it has ended",
            Self::Bank => {
                "code 5: the second factor and the summand of multiply-add lie in one bank; take blocks of two banks, \
                 which for n = 256 are M0, M2, M4 and M1, M3, M5, for n = 512 M0, M1 and M2, M3 and M4, M5, and for n = 1024 \
                 the blocks"
            }
            Self::Polynomials => "code 6: an instruction works on at most 3 polynomials",
            Self::Range => {
                "code 7: a coefficient of q or more was loaded, and zero was stored; load residues in [0, q)"
            }
        })
    }
}

impl core::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_commands_are_one_to_one() {
        let known: Vec<u8> = (0..=255).filter(|&byte| Command::of(byte).is_some()).collect();
        assert_eq!(known.len(), 2 + 3 * 16 + 11);
        assert!(known.iter().all(|&byte| Command::of(byte).unwrap().byte() == byte));
        for (code, opcode) in Opcode::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(opcode.byte()), 0x80 + code);
            assert!(opcode.is_of(Variant::Paper) || opcode.is_of(Variant::Fast));
        }
    }
}
