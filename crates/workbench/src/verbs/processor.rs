//! `processor run|asm|trace|rounds`: the model of the ring-LWE cryptoprocessor.
//!
//! The tests of the RTL take `trace --json` and `rounds --json` for their expectations.

use crate::{
    fault::Fault,
    files::{self, Kind},
    processor::{Instruction, MOST_INSTRUCTIONS, Trace, Traced, instructions, page},
    screen::{Screen, columns, grouped},
};
use clap::{Args, Subcommand, ValueEnum};
use processor::{
    Depth, Machine, Set, Variant,
    program::{RunError, assemble, disassemble, line_of, source},
    rounds::{Host, Spread},
    set::{SETS, SMALL},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What can be done with it.
#[derive(Subcommand, Debug)]
pub(crate) enum Processor {
    /// Makes keys, encrypts and decrypts a message: cycles of every instruction
    Run(Run),
    /// Turns a program into bytes, or with --bytes into text again
    Asm(Asm),
    /// Runs a program on random words: what it writes, step by step
    Trace(TraceOf),
    /// Many encryptions and decryptions: cycles, and a digest of all words
    Rounds(Rounds),
}

/// Which processor.
#[derive(Args, Debug)]
struct Which {
    /// Parameter set: p1, p2, p3, or small (n = 16, for the machine of the paper alone)
    #[arg(long, value_name = "NAME", default_value = "p1", value_parser = set)]
    set: Set,
    /// The paper's machine, or ours
    #[arg(long, value_enum, default_value = "fast")]
    machine: MachineName,
    /// Stages of the multiplier, 1 to 12: d_m in section 5 of the paper
    #[arg(long, value_name = "STAGES", default_value = "6")]
    depth: Depth,
    /// Words, bits and samples are drawn from this
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Machines by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MachineName {
    /// Algorithm 2, twiddles on the fly.
    Paper,
    /// A table of twiddles, MULTIPLY-ADD, sampling beside transforms.
    Fast,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    #[command(flatten)]
    which: Which,
}

/// Arguments of `asm`.
#[derive(Args, Debug)]
pub(crate) struct Asm {
    /// A file, or - for standard input, or one of the programs keygen, encrypt and decrypt
    #[arg(required_unless_present = "bytes")]
    program: Option<PathBuf>,
    /// Bytes in hexadecimal, to be turned into text
    #[arg(long, value_name = "HEX", conflicts_with = "program")]
    bytes: Option<String>,
    /// The paper's machine, or ours
    #[arg(long, value_enum, default_value = "fast")]
    machine: MachineName,
}

/// Arguments of `trace`.
#[derive(Args, Debug)]
pub(crate) struct TraceOf {
    /// A file, or - for standard input, or one of the programs keygen, encrypt and decrypt
    program: PathBuf,
    #[command(flatten)]
    which: Which,
    /// Writes a page that draws the pipeline, or - for standard output
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

/// Arguments of `rounds`.
#[derive(Args, Debug)]
pub(crate) struct Rounds {
    #[command(flatten)]
    which: Which,
    /// Encryptions and decryptions, under one key
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: u64,
}

fn set(name: &str) -> Result<Set, String> {
    let found = SETS.into_iter().chain([SMALL]).find(|set| set.name == name);
    let names = || SETS.map(|set| set.name).join(", ");
    found.ok_or_else(|| format!("there is no set {name}; there are {} and {}", names(), SMALL.name))
}

impl From<MachineName> for Variant {
    fn from(name: MachineName) -> Self {
        match name {
            MachineName::Paper => Self::Paper,
            MachineName::Fast => Self::Fast,
        }
    }
}

impl Which {
    fn variant(&self) -> Result<Variant, Fault> {
        let variant = self.machine.into();
        let least = self.depth.least_degree(variant);
        if self.set.n < least {
            let name = self.set.name;
            let why = format!("the machine fast needs n = {least} at least; for the set {name} take --machine paper");
            return Err(Fault::Usage(why));
        }
        Ok(variant)
    }

    fn host(&self) -> Result<Host, Fault> {
        Ok(Host::with_depth(&self.set, self.variant()?, self.depth, self.seed))
    }

    fn processor(&self) -> Drawn {
        let Set { name, n, q, root, s } = self.set;
        let (machine, depth) = (Variant::from(self.machine).name(), self.depth.stages());
        Drawn { set: name, machine, n, q, root, s, depth, seed: self.seed }
    }
}

/// Which processor, and what was drawn from.
#[derive(Serialize, JsonSchema)]
struct Drawn {
    /// The parameter set.
    set: &'static str,
    /// `paper` or `fast`.
    machine: &'static str,
    /// The degree.
    n: usize,
    /// The modulus.
    q: u16,
    /// The root of unity of order 2n.
    root: u64,
    /// The width of the Gaussian: its standard deviation times the square root of 2π.
    s: f64,
    /// Stages of the multiplier.
    depth: usize,
    /// What random words are drawn from.
    seed: u64,
}

/// Keys and a message there and back.
#[derive(Serialize, JsonSchema)]
pub(super) struct Ran {
    #[serde(flatten)]
    processor: Drawn,
    /// keygen, encrypt, decrypt.
    programs: Vec<Program>,
    /// Whether the message came back.
    came_back: bool,
}

/// A program that was run.
#[derive(Serialize, JsonSchema)]
struct Program {
    /// Its name.
    program: &'static str,
    /// Cycles without loading and reading.
    #[schemars(with = "usize")]
    cycles: u64,
    /// Instruction by instruction.
    instructions: Vec<Instruction>,
}

/// A program as bytes and as text.
#[derive(Serialize, JsonSchema)]
pub(super) struct Assembled<'a> {
    /// `paper` or `fast`.
    machine: &'static str,
    /// The commands in hexadecimal.
    bytes: String,
    /// A program that means them.
    text: &'a str,
}

/// A program on random words.
#[derive(Serialize, JsonSchema)]
pub(super) struct RandomRun<'a> {
    #[serde(flatten)]
    processor: Drawn,
    #[serde(flatten)]
    traced: Traced<'a>,
}

/// Many encryptions and decryptions.
#[derive(Serialize, JsonSchema)]
pub(super) struct ManyRounds {
    #[serde(flatten)]
    processor: Drawn,
    /// FNV-1a of 64 bits, in hexadecimal, of all words that were read: four bytes each, the high coefficient above the
    /// low one, lowest byte first.
    digest: String,
    /// Messages that did not come back.
    #[schemars(with = "usize")]
    failures: u64,
    /// Encryptions.
    encrypt: Cycles,
    /// Decryptions.
    decrypt: Cycles,
}

/// Cycles of many runs.
#[derive(Serialize, JsonSchema)]
struct Cycles {
    /// Of all runs.
    sum: u64,
    /// The fewest.
    least: u64,
    /// The most.
    most: u64,
    /// The number of runs.
    runs: u64,
}

impl From<Spread> for Cycles {
    fn from(Spread { least, most, sum, runs }: Spread) -> Self {
        Self { sum, least, most, runs }
    }
}

/// The text of a program, by its name or from a file.
fn text(program: &Path, variant: Variant) -> Result<String, Fault> {
    let known = program.to_str().and_then(|name| source(variant, name));
    known.map_or_else(|| Ok(files::read_text(program)?.to_string()), |text| Ok(text.to_owned()))
}

fn bytes_of(program: &Path, text: &str, variant: Variant) -> Result<Vec<u8>, Fault> {
    assemble(text, variant).map_err(|error| Fault::Input(format!("{}: {error}", files::name(program))))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The programs that come with the model are not refused.
impl From<RunError> for Fault {
    fn from(error: RunError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl Processor {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        match self {
            Self::Run(step) => step.run(screen),
            Self::Asm(step) => step.run(screen),
            Self::Trace(step) => step.run(screen),
            Self::Rounds(step) => step.run(screen),
        }
    }
}

impl Run {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let mut host = self.which.host()?;
        let keygen = host.keygen()?;
        let message = host.message();
        let encrypt = host.encrypt(&message)?;
        let (decrypt, came_back) = host.decrypt(&encrypt)?;
        let programs = [("keygen", keygen), ("encrypt", encrypt), ("decrypt", decrypt)];
        let ran = programs.iter().map(|(program, outcome)| {
            let (cycles, instructions) = (outcome.cycles, Instruction::all(outcome));
            Program { program, cycles, instructions }
        });
        let (programs_ran, came_back) = (ran.collect(), came_back == message);
        let answer = Ran { processor: self.which.processor(), programs: programs_ran, came_back };
        screen.answer(answer, || {
            let mut rows = vec![["program", "instruction", "starts in cycle", "cycles"].map(String::from).to_vec()];
            for (name, outcome) in &programs {
                rows.extend(outcome.runs.iter().map(|run| {
                    vec![(*name).into(), run.opcode.name().into(), grouped(run.start), grouped(run.cycles)]
                }));
                let all = "from the first sample or product to the first read".into();
                rows.push(vec![(*name).into(), all, String::new(), grouped(outcome.cycles)]);
            }
            let end = if came_back { "the message came back" } else { "the message did not come back" };
            format!("{}{end}\n", columns("llrr", &rows))
        })
    }
}

impl Asm {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let variant = self.machine.into();
        let bytes = match (&self.program, &self.bytes) {
            (Some(program), _) => bytes_of(program, &text(program, variant)?, variant)?,
            (None, bytes) => unhex(bytes.as_deref().unwrap_or_default())?,
        };
        let text = disassemble(&bytes, variant);
        let answer = Assembled { machine: variant.name(), bytes: hex(&bytes), text: &text };
        screen.answer(answer, || if self.bytes.is_some() { text.clone() } else { format!("{}\n", hex(&bytes)) })
    }
}

fn unhex(text: &str) -> Result<Vec<u8>, Fault> {
    let digits = text.as_bytes().as_chunks::<2>();
    // No sign, which `from_str_radix` takes.
    let byte = |pair: &[u8; 2]| {
        let pair = core::str::from_utf8(pair).ok().filter(|pair| !pair.starts_with('+'))?;
        u8::from_str_radix(pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.0.iter().map(byte).collect();
    bytes
        .filter(|_| digits.1.is_empty())
        .ok_or_else(|| Fault::Usage(format!("{text} is no sequence of bytes in hexadecimal, such as 2480")))
}

impl TraceOf {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        if let Some(path) = &self.out {
            files::check_outputs(&[(path, Kind::Text)], self.force)?;
        }
        let variant = self.which.variant()?;
        let text = text(&self.program, variant)?;
        let bytes = bytes_of(&self.program, &text, variant)?;
        let name = files::name(&self.program);
        if instructions(&bytes) > MOST_INSTRUCTIONS {
            let why =
                format!("{name} has {} instructions; trace takes at most {MOST_INSTRUCTIONS}", instructions(&bytes));
            return Err(Fault::Input(why));
        }
        let machine = Machine::with_depth(&self.which.set, variant, self.which.depth);
        let trace = Trace::new(machine, self.which.seed, &bytes).map_err(|error| {
            let RunError::Refused(refusal, position) = error else { return Fault::Input(format!("{name}: {error}")) };
            let line = line_of(&text, variant, position).map_or_else(String::new, |line| format!("line {line}: "));
            let of = "the machine refuses it with";
            Fault::Input(format!("{name}: {line}byte {:#04x}, {of} {refusal}", bytes.get(position).unwrap_or(&0)))
        })?;
        let answer = RandomRun { processor: self.which.processor(), traced: trace.answer(hex(&bytes)) };
        let Some(path) = &self.out else { return screen.answer(answer, || trace.text()) };
        let page = page::page(&trace);
        if files::is_stdout(path) {
            return screen.print(answer, || page);
        }
        files::write(path, page.as_bytes(), Kind::Text, self.force)?;
        screen.answer(answer, || format!("{} written\n", files::name(path)))
    }
}

impl Rounds {
    fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let trips = self.which.host()?.round_trips(self.rounds)?;
        let answer = ManyRounds {
            processor: self.which.processor(),
            digest: format!("{:016x}", trips.digest),
            failures: trips.failures,
            encrypt: trips.encrypt.into(),
            decrypt: trips.decrypt.into(),
        };
        screen.answer(answer, || {
            let mut rows = vec![["program", "mean", "least", "most"].map(String::from).to_vec()];
            for (name, spread) in [("encrypt", trips.encrypt), ("decrypt", trips.decrypt)] {
                let mean = format!("{:.2}", spread.mean());
                rows.push(vec![name.into(), mean, spread.least.to_string(), spread.most.to_string()]);
            }
            let (rounds, failures, digest) = (self.rounds, trips.failures, trips.digest);
            format!(
                "{}{rounds} messages, of which {failures} did not come back; digest {digest:016x}\n",
                columns("lrrr", &rows)
            )
        })
    }
}
