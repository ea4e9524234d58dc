//! `estimate lwe | ntru | sis | --table`: what the known lattice attacks cost, in bits.

use crate::{
    fault::Fault,
    number,
    objects::rounded,
    screen::{Screen, columns},
};
use clap::{Args, Subcommand};
use ringwork::estimate::{CoreSvp, Error, Estimate as Attacked, Lwe, Modulus, Norm, Ntru, Shape, Sis, known};
use serde_json::{Value, json};

/// Arguments.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Estimate {
    /// Published sets: our bits beside those of their designers and of the lattice-estimator
    #[arg(long)]
    table: bool,
    #[command(subcommand)]
    problem: Option<Problem>,
}

/// What is attacked.
#[derive(Subcommand, Debug)]
enum Problem {
    /// Learning with Errors, also of rings and modules
    Lwe(LweNumbers),
    /// An NTRU key h = g/f
    Ntru(NtruNumbers),
    /// Short Integer Solution, also of modules
    Sis(SisNumbers),
}

/// One of both.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct ModulusArgs {
    /// Modulus
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    q: Option<f64>,
    /// log2 of the modulus, such as 881
    #[arg(long, value_name = "BITS", value_parser = real, allow_negative_numbers = true)]
    log_q: Option<f64>,
}

impl ModulusArgs {
    const fn get(self) -> Modulus {
        match (self.q, self.log_q) {
            (Some(q), _) => Modulus::Integer(q),
            (None, Some(bits)) => Modulus::Log2(bits),
            (None, None) => unreachable!(),
        }
    }
}

#[derive(Args, Debug)]
struct LweNumbers {
    /// Number of unknown coefficients: degree times rank
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    n: usize,
    #[command(flatten)]
    q: ModulusArgs,
    /// Distribution of secrets, such as binomial:3, ternary, uniform:4 or gaussian:3.2; of weight
    /// 192: ternary:h=192
    #[arg(long)]
    secret: Shape,
    /// Distribution of errors
    #[arg(long)]
    error: Shape,
    /// Samples that the attacker sees; as many as are useful, if left out
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    samples: Option<usize>,
}

#[derive(Args, Debug)]
struct NtruNumbers {
    /// Degree
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    n: usize,
    #[command(flatten)]
    q: ModulusArgs,
    /// Distribution of f; for f = p·f' + 1, that of f'
    #[arg(long)]
    secret: Shape,
    /// Distribution of g; that of f, if left out
    #[arg(long)]
    error: Option<Shape>,
}

#[derive(Args, Debug)]
struct SisNumbers {
    /// Number of rows: degree times rank
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    n: usize,
    #[command(flatten)]
    q: ModulusArgs,
    /// Bound of a solution
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    norm: f64,
    /// Number of columns; as many as are useful, if left out
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    width: Option<usize>,
    /// The bound is for each coordinate, not for the Euclidean norm
    #[arg(long)]
    infinity: bool,
}

impl Estimate {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let Some(problem) = &self.problem else {
            return table(screen);
        };
        let (attacks, warning) = match problem {
            Problem::Lwe(numbers) => numbers.attacks()?,
            Problem::Ntru(numbers) => numbers.attacks()?,
            Problem::Sis(numbers) => (vec![numbers.sis().security()?], None),
        };
        let object = json!({
            "model": CoreSvp::MODEL, "omitted": CoreSvp::OMITTED,
            "attacks": attacks.iter().map(object).collect::<Vec<_>>(), "warning": warning,
        });
        screen.answer(object, || text(&attacks, warning.as_deref()))
    }
}

impl LweNumbers {
    /// The attacks that succeed at some cost, and what else there is to say.
    fn attacks(&self) -> Result<(Vec<Attacked>, Option<String>), Fault> {
        let &Self { n, q, secret, error, samples } = self;
        let lwe = Lwe { n, q: q.get(), secret, error, samples };
        lwe.security()?;
        let attacks = [lwe.primal(), lwe.dual(), lwe.zeros(), lwe.search()];
        Ok((attacks.into_iter().flatten().collect(), lwe.warning()))
    }
}

impl NtruNumbers {
    /// The attack, and why its cost is no security.
    fn attacks(&self) -> Result<(Vec<Attacked>, Option<String>), Fault> {
        let ntru = Ntru { n: self.n, q: self.q.get(), f: self.secret, g: self.error.unwrap_or(self.secret) };
        let warning = match ntru.security() {
            Err(e @ Error::Overstretched { .. }) => Some(e.to_string()),
            Err(e) => return Err(e.into()),
            Ok(_) => ntru.warning(),
        };
        Ok(([ntru.primal(), ntru.zeros(), ntru.search()].into_iter().flatten().collect(), warning))
    }
}

impl SisNumbers {
    const fn sis(&self) -> Sis {
        let norm = if self.infinity { Norm::Infinity } else { Norm::Euclidean };
        Sis { n: self.n, q: self.q.get(), bound: self.norm, norm, width: self.width }
    }
}

/// An integer, or any number in decimals.
fn real(text: &str) -> Result<f64, String> {
    number::unsigned(text).map(|x| x as f64).or_else(|why| text.parse().map_err(|_| why))
}

fn text(attacks: &[Attacked], warning: Option<&str>) -> String {
    let mut rows =
        vec![["attack", "block size", "dimension", "classical bits", "quantum bits"].map(String::from).to_vec()];
    rows.extend(attacks.iter().map(|a| {
        let bits = [a.classical_bits, a.quantum_bits].map(|bits| format!("{bits:.1}"));
        [vec![a.attack.to_string(), a.beta.to_string(), a.dimension.to_string()], bits.to_vec()].concat()
    }));
    let mut text = format!("{}\n{}\n{}\n", columns("lrrrr", &rows), CoreSvp::MODEL, CoreSvp::OMITTED);
    if let Some(warning) = warning {
        text += &format!("warning: {warning}\n");
    }
    text
}

fn object(a: &Attacked) -> Value {
    json!({
        "attack": a.attack.to_string(), "beta": a.beta, "dimension": a.dimension,
        "classical_bits": rounded(a.classical_bits), "quantum_bits": rounded(a.quantum_bits),
    })
}

fn table(screen: &Screen) -> Result<(), Fault> {
    let rows = known().map(|k| k.estimate().map(|ours| (k, ours))).collect::<Result<Vec<_>, _>>()?;
    let object = rows.iter().map(|(k, ours)| {
        let published =
            json!({
                "classical_bits": k.classical_bits, "quantum_bits": k.quantum_bits, "source": k.source,
                "minimum_of_all_attacks": k.minimum.map(|(bits, attack)| json!({ "attack": attack, "classical_bits": bits })),
            });
        json!({ "set": k.set, "ours": object(ours), "published": published })
    });
    screen.answer(json!({ "model": CoreSvp::MODEL, "sets": object.collect::<Vec<_>>() }), || {
        let heading = [
            "set",
            "attack",
            "block size",
            "classical bits",
            "published",
            "least of all attacks",
            "quantum bits",
            "published",
            "source",
        ];
        let mut lines = vec![heading.map(String::from).to_vec()];
        lines.extend(rows.iter().map(|(k, ours)| {
            vec![
                k.set.into(),
                ours.attack.to_string(),
                ours.beta.to_string(),
                format!("{:.1}", ours.classical_bits),
                k.classical_bits.to_string(),
                k.minimum.map_or_else(String::new, |(bits, attack)| format!("{bits} ({attack})")),
                format!("{:.1}", ours.quantum_bits),
                k.quantum_bits.map_or_else(String::new, |bits| bits.to_string()),
                k.source.into(),
            ]
        }));
        format!("{}\n{}\n{}\n", columns("llrrrrrrl", &lines), CoreSvp::MODEL, CoreSvp::OMITTED)
    })
}

/// Numbers out of range make no sense; that nothing is found is an answer.
impl From<Error> for Fault {
    fn from(e: Error) -> Self {
        match e {
            Error::OutOfReach(_) => Self::Negative(e.to_string()),
            _ => Self::Usage(e.to_string()),
        }
    }
}
