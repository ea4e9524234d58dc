//! Key generation once, then many encryptions and decryptions, as in `rtl/tests/roundtrips.cpp`: with the same inputs
//! both give the same digest, failures and cycles.

use crate::{
    Depth, Machine, Set, Variant,
    host::{Layout, minus, times},
    machine::{Inputs, RandomWords, Word},
    program::{Outcome, RunError, assemble, run, source},
    random::Random,
};
/// Minimum, maximum and sum of cycle counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
    /// The sum.
    pub sum: u64,
    /// The number of runs.
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

/// The results of round trips.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundTrips {
    /// FNV-1a, 64 bits, of all output words: four bytes each, the high coefficient above the low one, lowest byte
    /// first.
    pub digest: u64,
    /// Messages that decrypted wrongly.
    pub failures: u64,
    /// Cycles of encryption.
    pub encrypt: Spread,
    /// Cycles of decryption.
    pub decrypt: Spread,
}

/// A machine, a host that runs its programs, and generators for the inputs.
pub struct Host {
    machine: Machine,
    random: Random,
    keys: Random,
    messages: Random,
    /// Words of ã·R and p̃·R, and words of r̃2·R.
    public: Vec<Word>,
    secret: Vec<Word>,
}

impl core::fmt::Debug for Host {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Host").field("machine", &self.machine).finish_non_exhaustive()
    }
}

/// A message as the host supplies it: the bits of the low and of the high half of each word.
pub type Message = Vec<[bool; 2]>;

impl Host {
    /// A host with inputs from a seed, and no keys yet.
    pub fn new(set: &Set, variant: Variant, seed: u64) -> Self {
        Self::with_depth(set, variant, Depth::default(), seed)
    }

    /// The same with a multiplier of any depth.
    ///
    /// **Panics** if the set's degree is too small for it ([`Depth::least_degree`]).
    pub fn with_depth(set: &Set, variant: Variant, depth: Depth, seed: u64) -> Self {
        Self {
            machine: Machine::with_depth(set, variant, depth),
            random: Random(seed),
            keys: Random(seed ^ 1 << 62),
            messages: Random(seed ^ 1 << 63),
            public: Vec::new(),
            secret: Vec::new(),
        }
    }

    fn run(&mut self, name: &str, data: Vec<Word>, message: &[[bool; 2]]) -> Result<Outcome, RunError> {
        let text = source(self.machine.variant(), name).expect("a program of the crate");
        let bytes = assemble(text, self.machine.variant()).expect("the programs of the crate are programs");
        let random = &mut self.random;
        let mut inputs = Inputs {
            data: data.into(),
            bits: message.as_flattened().to_vec().into(),
            random: RandomWords(Box::new(|| Some(random.nine_bits()))),
        };
        run(&mut self.machine, &bytes, &mut inputs, |_, _| ())
    }

    /// Generates keys.
    ///
    /// **Errors** only if the program is wrong.
    pub fn keygen(&mut self) -> Result<Outcome, RunError> {
        let set = *self.machine.set();
        let (q, r) = (u64::from(set.q), set.times_r(1));
        let mut words = |coefficient: fn(&mut Random, [u64; 2]) -> u64| -> Vec<Word> {
            (0..set.n / 2).map(|_| [(); 2].map(|()| coefficient(&mut self.keys, [q, r]) as u16)).collect()
        };
        let minus_a = words(|random, [q, _]| random.below(q));
        let r2 = words(|random, [_, r]| if random.bit() { r } else { 0 });
        let outcome = self.run("keygen", [&minus_a[..], &r2].concat(), &[])?;
        let read: Vec<Word> = outcome.words.iter().map(|word| word.0).collect();
        let (p, secret) = read.split_at(set.n / 2);
        self.public = [minus(&set, &times(&set, &minus_a, r)), times(&set, p, r)].concat();
        self.secret = secret.to_vec();
        Ok(outcome)
    }

    /// The next message.
    pub fn message(&mut self) -> Message {
        (0..self.machine.set().n / 2).map(|_| [self.messages.bit(), self.messages.bit()]).collect()
    }

    /// Encrypts a message.
    ///
    /// **Errors** if there are no keys. **Panics** unless the message has a pair of bits per word.
    pub fn encrypt(&mut self, message: &[[bool; 2]]) -> Result<Outcome, RunError> {
        assert_eq!(message.len(), self.machine.set().n / 2, "pairs of bits of a message");
        self.run("encrypt", self.public.clone(), message)
    }

    /// Decrypts a ciphertext, and returns the message in the form that [`encrypt`](Self::encrypt) takes.
    ///
    /// **Errors** if there are no keys. **Panics** if this is not the output of an encryption.
    pub fn decrypt(&mut self, encrypted: &Outcome) -> Result<(Outcome, Message), RunError> {
        assert_eq!(encrypted.words.len(), self.machine.set().n, "words of a ciphertext");
        let words = encrypted.words.iter().map(|word| word.0).chain(self.secret.iter().copied()).collect();
        let outcome = self.run("decrypt", words, &[])?;
        let (set, variant) = (self.machine.set(), self.machine.variant());
        let bits: Message = outcome.words.iter().map(|word| word.1).collect();
        let polynomial = Layout::Result.polynomial(set, variant, &bits);
        let message = Layout::Coefficients.words(set, variant, &polynomial);
        Ok((outcome, message))
    }

    /// Generates keys, and runs `rounds` round trips.
    ///
    /// **Errors** only if a program of the crate is wrong.
    pub fn round_trips(&mut self, rounds: u64) -> Result<RoundTrips, RunError> {
        let width = self.machine.set().width();
        let mut result = RoundTrips { digest: 0xcbf2_9ce4_8422_2325, ..RoundTrips::default() };
        let mut note = |outcome: &Outcome| {
            for ([low, high], _) in &outcome.words {
                for byte in (u32::from(*high) << width | u32::from(*low)).to_le_bytes() {
                    result.digest = (result.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        };
        note(&self.keygen()?);
        for _ in 0..rounds {
            let message = self.message();
            let encrypted = self.encrypt(&message)?;
            let (decrypted, came_back) = self.decrypt(&encrypted)?;
            note(&encrypted);
            note(&decrypted);
            result.encrypt.add(encrypted.cycles);
            result.decrypt.add(decrypted.cycles);
            result.failures += u64::from(came_back != message);
        }
        Ok(result)
    }
}

/// Runs `rounds` round trips with a multiplier of six stages.
///
/// **Errors** only if a program of the crate is wrong.
pub fn round_trips(set: &Set, variant: Variant, rounds: u64, seed: u64) -> Result<RoundTrips, RunError> {
    Host::new(set, variant, seed).round_trips(rounds)
}
