//! `estimate lwe | ntru | sis | --table`: what the known lattice attacks cost, in bits.

use crate::{
    fault::Fault,
    number,
    objects::rounded,
    screen::{Screen, columns},
};
use clap::{Args, Subcommand};
use ringwork::estimate::{CoreSvp, Error, Estimate as Attacked, Lwe, Norm, Ntru, Shape, Sis, known};
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

#[derive(Args, Debug)]
struct LweNumbers {
    /// Number of unknown coefficients: degree times rank
    #[arg(long, value_parser = number::size, allow_negative_numbers = true)]
    n: usize,
    /// Modulus
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    q: f64,
    /// Distribution of secrets, such as binomial:3, ternary, uniform:4 or gaussian:3.2
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
    /// Modulus
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    q: f64,
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
    /// Modulus
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    q: f64,
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
            Problem::Lwe(numbers) => (numbers.attacks()?, None),
            Problem::Ntru(numbers) => numbers.attacks()?,
            Problem::Sis(numbers) => (vec![numbers.sis().security()?], None),
        };
        let object = json!({
            "model": CoreSvp::MODEL, "attacks": attacks.iter().map(object).collect::<Vec<_>>(), "warning": warning,
        });
        screen.answer(object, || text(&attacks, warning.as_deref()))
    }
}

impl LweNumbers {
    /// The attacks that succeed at some cost.
    fn attacks(&self) -> Result<Vec<Attacked>, Fault> {
        let &Self { n, q, secret, error, samples } = self;
        let lwe = Lwe { n, q, secret, error, samples };
        lwe.security()?;
        Ok([lwe.primal(), lwe.dual()].into_iter().flatten().collect())
    }
}

impl NtruNumbers {
    /// The attack, and why its cost is no security.
    fn attacks(&self) -> Result<(Vec<Attacked>, Option<String>), Fault> {
        let ntru = Ntru { n: self.n, q: self.q, f: self.secret, g: self.error.unwrap_or(self.secret) };
        let warning = match ntru.security() {
            Err(e @ Error::Overstretched { .. }) => Some(e.to_string()),
            _ => None,
        };
        Ok((vec![ntru.primal()?], warning))
    }
}

impl SisNumbers {
    const fn sis(&self) -> Sis {
        let norm = if self.infinity { Norm::Infinity } else { Norm::Euclidean };
        Sis { n: self.n, q: self.q, bound: self.norm, norm, width: self.width }
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
    let mut text = format!(
        "{}\n{}; a lower bound on the attack's cost, hybrid attacks aside\n",
        columns("lrrrr", &rows),
        CoreSvp::MODEL
    );
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
            json!({ "classical_bits": k.classical_bits, "quantum_bits": k.quantum_bits, "source": k.source });
        json!({ "set": k.set, "ours": object(ours), "published": published })
    });
    screen.answer(json!({ "model": CoreSvp::MODEL, "sets": object.collect::<Vec<_>>() }), || {
        let heading =
            ["set", "attack", "block size", "classical bits", "published", "quantum bits", "published", "source"];
        let mut lines = vec![heading.map(String::from).to_vec()];
        lines.extend(rows.iter().map(|(k, ours)| {
            vec![
                k.set.into(),
                ours.attack.to_string(),
                ours.beta.to_string(),
                format!("{:.1}", ours.classical_bits),
                k.classical_bits.to_string(),
                format!("{:.1}", ours.quantum_bits),
                k.quantum_bits.map_or_else(String::new, |bits| bits.to_string()),
                k.source.into(),
            ]
        }));
        format!("{}\n{}\n", columns("llrrrrrl", &lines), CoreSvp::MODEL)
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
