//! `primes N --bits B`: the smallest and the largest primes of a size with the root of unity
//! that a ring needs. `primes N --smallest`: the smallest of any size.

use crate::{
    fault::Fault,
    identity::RingName,
    number,
    plans::ring,
    screen::{self, Screen, columns},
    symbols::content,
};
use clap::{Args, ValueEnum};
use ntt::{
    Request, Ring,
    arith::{K2M1_BOUND, K2m1, Modulus, PRIME_BITS, PrimesError, k2m1_primes, primes, two_adicity},
};
use schemars::JsonSchema;
use serde::Serialize;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct Primes {
    /// Degree; each factor of two is a layer
    #[arg(value_name = "N", value_parser = number::size, allow_negative_numbers = true, required_unless_present = "n")]
    degree: Option<usize>,
    /// The same
    #[arg(long, value_parser = number::size, allow_negative_numbers = true, conflicts_with = "degree")]
    n: Option<usize>,
    /// Exactly that many bits, from 3 to 64
    #[arg(long, allow_negative_numbers = true, required_unless_present = "smallest")]
    bits: Option<u32>,
    /// The smallest of all instead, of whatever size
    #[arg(long, conflicts_with_all = ["bits", "count"])]
    smallest: bool,
    /// Only primes k·2^m + 1 or k·2^m - 1 with k < 256, on which K-RED works well
    #[arg(long, value_enum)]
    form: Option<Form>,
    /// With a primitive N-th root of unity, for X^N - 1, instead of a 2N-th one, for X^N + 1
    #[arg(long)]
    cyclic: bool,
    /// With the root for all layers of X^N - X^(N/2) + 1
    #[arg(long, conflicts_with = "cyclic")]
    trinomial: bool,
    /// How many of the smallest, and how many of the largest
    #[arg(long, default_value_t = 5, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    count: u32,
}

/// What primes look like.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// `k·2^m ± 1` with small `k`.
    K2m1,
}

/// What was asked for, and the primes.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answer {
    /// The degree.
    n: usize,
    /// The ring.
    ring: RingName,
    /// The size of the primes; null with `--smallest`.
    bits: Option<u32>,
    /// The order of the root of unity that they have.
    root_order: u64,
    /// With `--form k2m1`: the bound of k; else null.
    k_below: Option<u64>,
    /// Whether these are all.
    all: bool,
    /// Whether the smallest was asked for, of whatever size.
    smallest: bool,
    /// How many of the smallest and of the largest were asked for.
    count: u32,
    /// The primes in rising order.
    primes: Vec<Prime>,
}

/// A prime p = k·2^m + sign with an odd k.
#[derive(Serialize, JsonSchema)]
struct Prime {
    /// The prime.
    p: u64,
    /// Its size.
    bits: u32,
    /// k.
    k: u64,
    /// m.
    m: u32,
    /// 1 or -1.
    sign: i8,
    /// How often two divides p - 1.
    two_adicity: u32,
    /// Its smallest root of that order.
    root: u64,
    /// Layers of a transform modulo it.
    depth: u32,
}

/// A prime, and its smallest root of the order in question.
struct Found {
    p: Modulus,
    root: u64,
}

impl Primes {
    fn n(&self) -> usize {
        self.degree.or(self.n).expect("one of them is required")
    }

    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        const LONG: usize = 1 << 20;
        Request::new(self.n(), 0).ring(self.ring()).check_degree()?;
        let (found, all) = if self.n() < LONG { self.find() } else { screen::busy("roots", || self.find()) }?;
        screen.answer(self.answer(&found, all), || self.text(&found, all))
    }

    /// The ends of the list in rising order, and whether they are the whole list.
    fn find(&self) -> Result<(Vec<Found>, bool), PrimesError> {
        let found = |p: Modulus| Found { p, root: p.root_of_unity(self.order()).expect("p was found by its root") };
        let Some(bits) = self.bits else {
            return self.find_smallest().map(|p| (vec![found(p)], false));
        };
        let mut list = self.list(bits)?;
        let count = self.count as usize;
        let mut ends: Vec<Modulus> = list.by_ref().take(count).collect();
        let largest: Vec<Modulus> = list.by_ref().rev().take(count).collect();
        ends.extend(largest.into_iter().rev());
        Ok((ends.into_iter().map(found).collect(), list.next().is_none()))
    }

    /// The smallest prime: `generate_prime(2N)` of Royher's thesis (chapter 5), size by size.
    fn find_smallest(&self) -> Result<Modulus, PrimesError> {
        let mut sizes = PRIME_BITS.map(|bits| Ok(self.list(bits)?.next().expect("it is not empty")));
        let first = sizes.next().expect("there are sizes");
        first.or_else(|none| sizes.find_map(Result::ok).ok_or(none))
    }

    /// The primes of a size.
    fn list(&self, bits: u32) -> Result<Box<dyn DoubleEndedIterator<Item = Modulus>>, PrimesError> {
        Ok(match self.form {
            None => Box::new(primes(self.order(), bits)?),
            Some(Form::K2m1) => Box::new(k2m1_primes(self.order(), bits)?.into_iter()),
        })
    }

    fn ring(&self) -> Ring {
        ring(self.cyclic, self.trinomial)
    }

    /// Layers of a transform modulo these primes: all that the degree has.
    fn depth(&self) -> u32 {
        self.ring().layers(self.n())
    }

    fn order(&self) -> u64 {
        self.ring().order(self.depth())
    }

    fn text(&self, found: &[Found], all: bool) -> String {
        let heading = ["p", "k·2^m ± 1", "2-adicity of p - 1", "smallest root"];
        let mut rows = vec![heading.map(String::from).to_vec()];
        rows.extend(found.iter().map(|Found { p, root }| {
            vec![p.to_string(), p.k2m1().to_string(), two_adicity(p.get()).to_string(), root.to_string()]
        }));
        if !all && !self.smallest {
            rows.insert(1 + self.count as usize, vec!["…".into()]);
        }
        let form = if self.form.is_some() { format!(", k·2^m ± 1 with k < {K2M1_BOUND}") } else { String::new() };
        let order = self.order();
        let which = self.bits.map_or("the smallest prime".into(), |bits| format!("primes of {bits} bits"));
        let mut text = format!("{which} with a primitive root of unity of order {order}{form}\n");
        let slot = content(self.n() >> self.depth());
        text += &format!("n = {} reaches depth {}, {}: slots of {slot}\n\n", self.n(), self.depth(), self.ring());
        text += &columns("rrrr", &rows);
        text + match all {
            _ if self.smallest => "",
            true => "these are all\n",
            false => "the smallest and the largest; --count shows more\n",
        }
    }

    fn answer(&self, found: &[Found], all: bool) -> Answer {
        let prime = |Found { p, root }: &Found| {
            let K2m1 { k, m, sign } = p.k2m1();
            let (p, bits, two_adicity) = (p.get(), p.bits(), two_adicity(p.get()));
            Prime { p, bits, k, m, sign: sign as i8, two_adicity, root: *root, depth: self.depth() }
        };
        Answer {
            n: self.n(),
            ring: self.ring().into(),
            bits: self.bits,
            root_order: self.order(),
            k_below: self.form.map(|Form::K2m1| K2M1_BOUND),
            all,
            smallest: self.smallest,
            count: if self.smallest { 1 } else { self.count },
            primes: found.iter().map(prime).collect(),
        }
    }
}

/// A size out of range makes no sense; a size without primes is a question answered with no.
impl From<PrimesError> for Fault {
    fn from(e: PrimesError) -> Self {
        match e {
            PrimesError::Bits { .. } => Self::Usage(e.to_string()),
            _ => Self::Negative(e.to_string()),
        }
    }
}
