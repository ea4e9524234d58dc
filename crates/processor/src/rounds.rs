//! Key generation once, then many encryptions and decryptions, as `rtl/tests/roundtrips.cpp` has
//! them: with the same inputs both give the same digest, failures and cycles.

use crate::{
    Machine, Set, Variant,
    host::{Layout, minus, times},
    machine::{Inputs, RandomWords, Word},
    program::{Outcome, RunError, assemble, run, source},
    random::Random,
};
use std::{cell::RefCell, collections::VecDeque};

/// Least, most and sum of some numbers of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// The sum.
    pub sum: u64,
    /// How many.
    pub runs: u64,
}

impl Spread {
    fn add(&mut self, cycles: u64) {
        self.least = if self.runs == 0 { cycles } else { self.least.min(cycles) };
        self.most = self.most.max(cycles);
        self.sum += cycles;
        self.runs += 1;
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.runs as f64
    }
}

/// What round trips gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundTrips {
    /// FNV-1a, 64 bits, of all words that were read: four bytes each, the high coefficient above the
    /// low one, lowest byte first.
    pub digest: u64,
    /// Messages that did not come back.
    pub failures: u64,
    /// Cycles of encryption.
    pub encrypt: Spread,
    /// Cycles of decryption.
    pub decrypt: Spread,
}

/// A machine with its programs, and generators for what comes from outside.
struct Trips {
    machine: Machine,
    random: RefCell<Random>,
    digest: u64,
}

impl Trips {
    fn run(&mut self, name: &str, data: Vec<Word>, bits: &[bool]) -> Result<Outcome, RunError> {
        let variant = self.machine.variant();
        let text = source(variant, name).expect("a program of the crate");
        let bytes = assemble(text, variant).expect("the programs of the crate are programs");
        let random = &self.random;
        let mut inputs = Inputs {
            data: data.into(),
            bits: VecDeque::from(bits.to_vec()),
            random: RandomWords(Box::new(|| Some(random.borrow_mut().nine_bits()))),
        };
        let outcome = run(&mut self.machine, &bytes, &mut inputs, |_, _| ())?;
        let width = self.machine.set().width();
        for ([low, high], _) in &outcome.words {
            for byte in (u32::from(*high) << width | u32::from(*low)).to_le_bytes() {
                self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(outcome)
    }
}

/// Runs them.
///
/// **Errors** never, unless a program of the crate is wrong.
pub fn round_trips(set: &Set, variant: Variant, rounds: u64, seed: u64) -> Result<RoundTrips, RunError> {
    let q = u64::from(set.q);
    let mut keys = Random(seed ^ 1 << 62);
    let mut messages = Random(seed ^ 1 << 63);
    let machine = Machine::new(set, variant);
    let mut trips = Trips { machine, random: RefCell::new(Random(seed)), digest: 0xcbf2_9ce4_8422_2325 };

    let words = |mut coefficient: Box<dyn FnMut() -> u16 + '_>| -> Vec<Word> {
        (0..set.n / 2).map(|_| [coefficient(), coefficient()]).collect()
    };
    let minus_a = words(Box::new(|| keys.below(q) as u16));
    let r = set.times_r(1) as u16;
    let r2 = words(Box::new(|| if keys.bit() { r } else { 0 }));
    let read: Vec<Word> = trips.run("keygen", [&minus_a[..], &r2].concat(), &[])?.words.iter().map(|w| w.0).collect();
    let (p, secret) = read.split_at(set.n / 2);
    let public = [minus(set, &times(set, &minus_a, r.into())), times(set, p, r.into())].concat();

    let mut result = RoundTrips::default();
    for _ in 0..rounds {
        // As words: the bits of a word are those of its low and of its high half.
        let message: Vec<[bool; 2]> = (0..set.n / 2).map(|_| [messages.bit(), messages.bit()]).collect();
        let encrypted = trips.run("encrypt", public.clone(), message.as_flattened())?;
        result.encrypt.add(encrypted.cycles);
        let mut words: Vec<Word> = encrypted.words.iter().map(|word| word.0).collect();
        words.extend_from_slice(secret);
        let decrypted = trips.run("decrypt", words, &[])?;
        result.decrypt.add(decrypted.cycles);
        let bits: Vec<[bool; 2]> = decrypted.words.iter().map(|word| word.1).collect();
        let came_back = Layout::Result.polynomial(set, variant, &bits);
        result.failures += u64::from(came_back != Layout::Coefficients.polynomial(set, variant, &message));
    }
    result.digest = trips.digest;
    Ok(result)
}
