//! Programs: as text, as bytes, and their execution by a host.
//!
//! A line holds an instruction and its blocks, written ones first, in the order of the queues:
//! `multiply-add M3, M4, M0, M3` is `M3 = M4·M0·R^-1 + M3`. A comment follows `;`. Names may be in upper case. The
//! assembler pushes the operands, sets the iteration register if an instruction needs it, and starts the instruction.
//! `byte 0x8f` inserts that byte, whatever its meaning.

use crate::{
    isa::{BLOCKS, Command, MOST, Opcode, Refusal, Variant},
    machine::{Event, Inputs, Machine, Word},
};
use core::fmt;

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// From 1 on.
    pub line: usize,
    /// From 1 on.
    pub column: usize,
    /// The problem, and what would work.
    pub reason: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl core::error::Error for SyntaxError {}

/// The largest number of bytes in a program.
pub const LONGEST: usize = 65_536;

/// Assembles a program.
///
/// **Errors** if a line is not an instruction of that machine, or if there are more than [`LONGEST`] bytes.
pub fn assemble(text: &str, variant: Variant) -> Result<Vec<u8>, SyntaxError> {
    Ok(assemble_lines(text, variant)?.into_iter().map(|(byte, _)| byte).collect())
}

/// The line, from 1 on, of a byte of an assembled program.
pub fn line_of(text: &str, variant: Variant, position: usize) -> Option<usize> {
    assemble_lines(text, variant).ok()?.get(position).map(|&(_, line)| line)
}

/// Bytes with their lines.
fn assemble_lines(text: &str, variant: Variant) -> Result<Vec<(u8, usize)>, SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut bytes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split(';').next().unwrap_or_default();
        let error = |at: &str, reason: String| {
            // Pieces of the line are slices of it.
            let column = at.as_ptr() as usize - line.as_ptr() as usize;
            SyntaxError { line: number + 1, column: line[..column].chars().count() + 1, reason }
        };
        let Some(name) = code.split_whitespace().next() else { continue };
        let rest = &code[name.as_ptr() as usize - code.as_ptr() as usize + name.len()..];
        let operands = if rest.trim().is_empty() { Vec::new() } else { rest.split(',').map(str::trim).collect() };
        if name.eq_ignore_ascii_case("byte") {
            if operands.is_empty() {
                return Err(error(name, "byte takes at least one number such as 0x8f, and here is none".into()));
            }
            for operand in operands {
                let digits = operand.strip_prefix("0x").and_then(|digits| number_of(digits, 16));
                let byte = digits
                    .ok_or_else(|| error(operand, format!("`{}` is no byte such as 0x8f", operand.escape_debug())))?;
                bytes.push((byte, number + 1));
            }
            fits(&bytes).map_err(|reason| error(name, reason))?;
            continue;
        }
        let opcode = Opcode::ALL.into_iter().find(|opcode| opcode.name().eq_ignore_ascii_case(name));
        let opcode = opcode.filter(|opcode| opcode.is_of(variant)).ok_or_else(|| {
            let known: Vec<&str> = Opcode::ALL.iter().filter(|o| o.is_of(variant)).map(|o| o.name()).collect();
            let (machine, other) = (variant.name(), variant.other().name());
            let of_other = if opcode.is_some() { format!(" but of {other}") } else { String::new() };
            let name_shown = name.escape_debug();
            error(
                name,
                format!(
                    "`{name_shown}` is no instruction of the machine {machine}{of_other}; {machine} has {}",
                    known.join(", ")
                ),
            )
        })?;
        let mut blocks = Vec::new();
        for operand in operands {
            let block = operand.strip_prefix(['M', 'm']).and_then(|digits| number_of(digits, 10));
            let block = block.filter(|&block| usize::from(block) < BLOCKS);
            blocks.push(block.ok_or_else(|| {
                let between = if operand.contains(char::is_whitespace) { ", with commas between" } else { "" };
                error(operand, format!("`{}` is no block; blocks are M0 to M5{between}", operand.escape_debug()))
            })?);
        }
        let assembled = instruction(opcode, variant, &blocks).map_err(|reason| error(name, reason))?;
        bytes.extend(assembled.into_iter().map(|byte| (byte, number + 1)));
        fits(&bytes).map_err(|reason| error(name, reason))?;
    }
    Ok(bytes)
}

fn fits<T>(bytes: &[T]) -> Result<(), String> {
    let reason = || format!("a program has at most {LONGEST} bytes, and here it has more");
    if bytes.len() > LONGEST { Err(reason()) } else { Ok(()) }
}

/// A number in digits, without a sign.
fn number_of(digits: &str, radix: u32) -> Option<u8> {
    u8::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
}

/// The bytes of an instruction with its blocks: written ones first.
fn instruction(opcode: Opcode, variant: Variant, blocks: &[u8]) -> Result<Vec<u8>, String> {
    let polynomials = if opcode.is_repeated(variant) { blocks.len() } else { 1 };
    let [reads, writes] = opcode.operands(variant, polynomials);
    if polynomials == 0 || polynomials > MOST || reads + writes != blocks.len() {
        let wanted = if opcode.is_repeated(variant) { "1 to 3".into() } else { (reads + writes).to_string() };
        let noun = if wanted == "1" { "block" } else { "blocks" };
        let verb = if blocks.len() == 1 { "is" } else { "are" };
        return Err(format!("{} takes {wanted} {noun}, and here {verb} {}", opcode.name(), blocks.len()));
    }
    let (written, read) = blocks.split_at(writes);
    // The newest entry of a queue is the first operand.
    let mut commands: Vec<Command> = read.iter().rev().map(|&block| Command::PushRead(block)).collect();
    commands.extend(written.iter().rev().map(|&block| Command::PushWrite(block)));
    if opcode.is_repeated(variant) {
        commands.push(Command::Last(polynomials as u8 - 1));
    }
    commands.push(Command::Start(opcode));
    Ok(commands.into_iter().map(Command::byte).collect())
}

/// A text that [`assemble`] turns into these bytes.
pub fn disassemble(bytes: &[u8], variant: Variant) -> String {
    let mut text = String::new();
    for piece in bytes.split_inclusive(|byte| matches!(Command::of(*byte), Some(Command::Start(_)))) {
        let line = lifted(piece, variant).unwrap_or_else(|| {
            let bytes: Vec<String> = piece.iter().map(|byte| format!("{byte:#04x}")).collect();
            format!("byte {}", bytes.join(", "))
        });
        text += &line;
        text.push('\n');
    }
    text
}

/// The instruction in text form, if these are the bytes of one.
fn lifted(bytes: &[u8], variant: Variant) -> Option<String> {
    let Some(Command::Start(opcode)) = Command::of(*bytes.last()?) else { return None };
    let pushed = |write: bool| {
        let indices = bytes.iter().rev().filter_map(move |byte| match Command::of(*byte)? {
            Command::PushRead(index) if !write => Some(index),
            Command::PushWrite(index) if write => Some(index),
            _ => None,
        });
        indices.collect::<Vec<u8>>()
    };
    let blocks = [pushed(true), pushed(false)].concat();
    let are_blocks = blocks.iter().all(|&block| usize::from(block) < BLOCKS);
    let is_same = are_blocks && opcode.is_of(variant) && instruction(opcode, variant, &blocks).as_deref() == Ok(bytes);
    let names: Vec<String> = blocks.iter().map(|block| format!("M{block}")).collect();
    is_same.then(|| format!("{} {}", opcode.name(), names.join(", ")))
}

/// An executed instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The instruction.
    pub opcode: Opcode,
    /// The cycle, counted from the first command, in which the machine took its START.
    pub start: u64,
    /// Cycles in which it was running or sampling.
    pub cycles: u64,
}

/// The outcome of a program.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Its instructions.
    pub runs: Vec<Run>,
    /// The words that the program output, with the decoder's bits.
    pub words: Vec<(Word, [bool; 2])>,
    /// Cycles from the first instruction that neither loads, encodes nor reads to the first READ after it, or to the end.
    pub cycles: u64,
}

/// The time of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The number of instructions started so far; the last one has this number minus one.
    pub started: usize,
    /// Cycles since then.
    pub cycle: u64,
}

/// Why a program did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The machine refused a command, the byte at this position from 0 on, or a word that it loads.
    Refused(Refusal, usize),
    /// This instruction waits for input that does not come.
    Starved(Opcode),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal, position) => write!(f, "byte {} of the program: {refusal}", position + 1),
            Self::Starved(opcode) => {
                write!(f, "{} waits for words, bits or random bits that do not come", opcode.name())
            }
        }
    }
}

impl core::error::Error for RunError {}

/// More cycles than any instruction takes, even with the rarest samples.
const PATIENCE: u64 = 1_000_000;

/// Feeds a machine the bytes of a program, one per cycle, and waits before each START until the machine will take it.
/// `see` receives every event with its cycle, counted from 0 at each START.
///
/// **Errors** if the machine refuses a command, or if input is missing. The machine is then zeroized.
pub fn run(
    machine: &mut Machine,
    bytes: &[u8],
    inputs: &mut Inputs<'_>,
    see: impl FnMut(At, Event),
) -> Result<Outcome, RunError> {
    run_through(machine, bytes, inputs, see).inspect_err(|_| machine.zeroize())
}

fn run_through(
    machine: &mut Machine,
    bytes: &[u8],
    inputs: &mut Inputs<'_>,
    mut see: impl FnMut(At, Event),
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::default();
    let (mut now, mut start, mut begin, mut end) = (0, 0, None, None);
    // The last instruction that runs, and the last one that samples in parallel.
    let mut latest = [None, None];
    let mut clock = |machine: &mut Machine,
                     command,
                     now: &mut u64,
                     start: u64,
                     outcome: &mut Outcome,
                     [running, sampler]: [Option<usize>; 2]| {
        let at = At { started: outcome.runs.len(), cycle: *now - start };
        let (busy, sampling) = (machine.is_busy(), machine.is_sampling());
        machine.clock(command, inputs, |event| {
            if let Event::Output(word, bits) = event {
                outcome.words.push((word, bits));
            }
            see(at, event);
        });
        // The first cycle belongs to the instruction just started.
        let running = if at.cycle == 0 { at.started.checked_sub(1) } else { running };
        for (counts, run) in [(busy, running), (sampling, sampler)] {
            if counts && let Some(run) = run {
                outcome.runs[run].cycles += 1;
            }
        }
        *now += 1;
        machine.error().map_or(Ok(()), Err)
    };
    for (position, &byte) in bytes.iter().chain([&0]).enumerate() {
        let refused = |refusal| RunError::Refused(refusal, position);
        let command = Command::of(byte);
        let opcode = if let Some(Command::Start(opcode)) = command { Some(opcode) } else { None };
        let ends_sampling =
            matches!(opcode, Some(Opcode::Load | Opcode::GaussianLoad | Opcode::GaussianEncodeLoad | Opcode::Read));
        let is_end = command == Some(Command::Nothing);
        let since = now;
        while (opcode.is_some() || is_end) && machine.is_busy() || (ends_sampling || is_end) && machine.is_sampling() {
            // A refusal while waiting concerns a word of the previous instruction.
            let word = |refusal| RunError::Refused(refusal, position.saturating_sub(1));
            clock(machine, None, &mut now, start, &mut outcome, latest).map_err(word)?;
            if now - since > PATIENCE {
                return Err(RunError::Starved(outcome.runs.last().map_or(Opcode::Load, |run| run.opcode)));
            }
        }
        match opcode {
            Some(Opcode::Load | Opcode::EncodeLoad) => (),
            Some(Opcode::Read) if begin.is_none() => (),
            Some(Opcode::Read) => _ = end.get_or_insert(now),
            Some(_) => _ = begin.get_or_insert(now),
            None => (),
        }
        clock(machine, Some(byte), &mut now, start, &mut outcome, latest).map_err(refused)?;
        if let Some(opcode) = opcode {
            start = now;
            latest[usize::from(samples_beside(machine, opcode))] = Some(outcome.runs.len());
            outcome.runs.push(Run { opcode, start: now - 1, cycles: 0 });
        }
    }
    outcome.cycles = begin.map_or(0, |begin| end.unwrap_or(now - 1) - begin);
    Ok(outcome)
}

fn samples_beside(machine: &Machine, opcode: Opcode) -> bool {
    machine.variant() == Variant::Fast && matches!(opcode, Opcode::GaussianLoad | Opcode::GaussianEncodeLoad)
}

/// A program of this crate: `keygen`, `encrypt` or `decrypt`.
pub fn source(variant: Variant, name: &str) -> Option<&'static str> {
    macro_rules! text {
        ($machine:literal, $name:literal) => {
            include_str!(concat!("../programs/", $machine, "/", $name, ".rasm"))
        };
    }
    Some(match (variant, name) {
        (Variant::Paper, "keygen") => text!("paper", "keygen"),
        (Variant::Paper, "encrypt") => text!("paper", "encrypt"),
        (Variant::Paper, "decrypt") => text!("paper", "decrypt"),
        (Variant::Fast, "keygen") => text!("fast", "keygen"),
        (Variant::Fast, "encrypt") => text!("fast", "encrypt"),
        (Variant::Fast, "decrypt") => text!("fast", "decrypt"),
        _ => return None,
    })
}
