//! `estimate lwe | ntru | sis | --table`: what the known attacks cost, in bits.

mod answer;

pub(super) use answer::{AllAttacks, CoreAttacks, PublishedSets};

use crate::{
    fault::Fault,
    number,
    objects::rounded,
    screen::{Screen, columns},
};
use answer::{CoreAttack, LeastCost, OneAttack, Published, PublishedSet};
use clap::{Args, Subcommand};
use ringwork::estimate::{
    AttackCost, Attacks, CoreSvp, CostModel, Error, Estimate as Attacked, Form, Lwe, Modulus, Norm, Ntru, NtruLattice,
    Reduction, Shape, Sis, cheapest, known,
};

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

/// A choice of models for all attacks, in place of the simplest model for a few.
#[derive(Args, Clone, Copy, Debug)]
struct ModelArgs {
    /// All attacks, by this cost of lattice reduction: adps16, bdgl16, chengu12, gj21, kyber, matzov, …
    #[arg(long, value_name = "MODEL")]
    model: Option<CostModel>,
    /// The shape of a reduced basis: gsa, zgsa, lgsa or cn11; gsa if left out
    #[arg(long, value_name = "SHAPE", requires = "model")]
    basis: Option<Form>,
}

impl ModelArgs {
    fn get(self) -> Option<Reduction> {
        self.model.map(|cost| Reduction { cost, form: self.basis.unwrap_or(Form::Gsa) })
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
    #[command(flatten)]
    models: ModelArgs,
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
    #[command(flatten)]
    models: ModelArgs,
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
    #[command(flatten)]
    models: ModelArgs,
}

impl Estimate {
    pub(crate) fn run(&self, screen: &Screen) -> Result<(), Fault> {
        let Some(problem) = &self.problem else {
            return table(screen);
        };
        if let Some((attacks, models, warning)) = problem.all_attacks() {
            return all_attacks(&attacks, models, warning.as_deref(), screen);
        }
        let (attacks, warning) = match problem {
            Problem::Lwe(numbers) => numbers.attacks()?,
            Problem::Ntru(numbers) => numbers.attacks()?,
            Problem::Sis(numbers) => (vec![numbers.sis().security()?], None),
        };
        let (warning, costs) = (warning.as_deref(), attacks.iter().map(CoreAttack::of).collect());
        let answer = CoreAttacks { model: CoreSvp::MODEL, omitted: CoreSvp::OMITTED, attacks: costs, warning };
        screen.answer(answer, || text(&attacks, warning))
    }
}

impl Problem {
    /// The costs of all attacks, if there is a choice of models, and what else there is to say.
    fn all_attacks(&self) -> Option<(Attacks, Reduction, Option<String>)> {
        let (Self::Lwe(LweNumbers { models, .. })
        | Self::Ntru(NtruNumbers { models, .. })
        | Self::Sis(SisNumbers { models, .. })) = self;
        let models = models.get()?;
        let (attacks, warning) = match self {
            Self::Lwe(numbers) => (numbers.lwe().attacks(models), None),
            Self::Ntru(numbers) => {
                let (ntru, kind) = (numbers.ntru(), NtruLattice::Circulant);
                let attacks = ntru.attacks(kind, models);
                let is_missed = attacks.iter().any(|(name, found)| *name == "dsd" && found.is_err());
                let stretched = ntru.security().err().filter(|e| is_missed && matches!(e, Error::Overstretched { .. }));
                (attacks, stretched.map(|e| e.to_string()))
            }
            Self::Sis(numbers) => (numbers.sis().attacks(models), None),
        };
        Some((attacks, models, warning))
    }
}

impl LweNumbers {
    const fn lwe(&self) -> Lwe {
        Lwe { n: self.n, q: self.q.get(), secret: self.secret, error: self.error, samples: self.samples }
    }

    /// The attacks that succeed at some cost, and what else there is to say.
    fn attacks(&self) -> Result<(Vec<Attacked>, Option<String>), Fault> {
        let lwe = self.lwe();
        lwe.security()?;
        let attacks = [lwe.primal(), lwe.dual(), lwe.zeros(), lwe.search()];
        Ok((attacks.into_iter().flatten().collect(), lwe.warning()))
    }
}

impl NtruNumbers {
    fn ntru(&self) -> Ntru {
        Ntru { n: self.n, q: self.q.get(), f: self.secret, g: self.error.unwrap_or(self.secret) }
    }

    /// The attack, and why its cost is no security.
    fn attacks(&self) -> Result<(Vec<Attacked>, Option<String>), Fault> {
        let ntru = self.ntru();
        let warning = match ntru.security() {
            Err(e @ Error::Overstretched { .. }) => Some(e.to_string()),
            Err(e) => return Err(e.into()),
            Ok(_) => ntru.warning(),
        };
        Ok(([ntru.primal(), ntru.dense(), ntru.zeros(), ntru.search()].into_iter().flatten().collect(), warning))
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
    let table = columns("lrrrr", &rows);
    let mut text = format!("{table}\n{}\n{}\n", CoreSvp::MODEL, CoreSvp::OMITTED);
    if attacks.len() > 1 {
        text += "those attacks, too: --model matzov\n";
    }
    if let Some(warning) = warning {
        text += &format!("warning: {warning}\n");
    }
    text
}

/// All attacks by their names in the lattice-estimator, and why some have no cost.
///
/// **Errors** if none has one.
fn all_attacks(attacks: &Attacks, models: Reduction, warning: Option<&str>, screen: &Screen) -> Result<(), Fault> {
    let reasons: Vec<(&str, String)> =
        attacks.iter().filter_map(|(name, found)| Some((*name, found.as_ref().err()?.to_string()))).collect();
    let said = |(name, reason): &(&str, String)| format!("{name}: {reason}\n");
    let Some((least, _)) = cheapest(attacks) else {
        // Numbers out of range are the same for all of them.
        let (_, found) = attacks.first().expect("there is an attack");
        return Err(match found {
            Err(e @ (Error::OutOfReach(_) | Error::Unmodelled(_))) if attacks.len() > 1 => {
                Fault::Negative(format!("no attack has a cost: {e}\n{}", reasons.iter().map(said).collect::<String>()))
            }
            found => found.clone().expect_err("none has a cost").into(),
        });
    };
    let cost = models.cost.to_string();
    let costs = attacks.iter().map(|(name, found)| {
        let a = found.as_ref().ok();
        let bits = |of: fn(&AttackCost) -> f64| a.map(of).filter(|bits| bits.is_finite()).map(rounded);
        OneAttack {
            attack: name,
            bits: bits(|a| a.rop),
            memory_bits: bits(|a| a.mem),
            samples_bits: bits(|a| a.samples),
            basis: a.and_then(|a| a.form).map(|form| form.to_string()),
            parameters: a.map(|a| a.parameters().collect()),
            reason: found.as_ref().err().map(ToString::to_string),
        }
    });
    let answer = AllAttacks { model: cost.clone(), cheapest: least, all_attacks: costs.collect(), warning };
    screen.answer(answer, || {
        let mut rows = vec![["attack", "bits", "memory", "basis", "parameters"].map(String::from).to_vec()];
        rows.extend(attacks.iter().filter_map(|(name, found)| {
            let a = found.as_ref().ok()?;
            let memory = if a.mem > 0.0 { format!("{:.1}", a.mem) } else { String::new() };
            let basis = a.form.map_or_else(String::new, |form| form.to_string());
            let parameters: Vec<String> = a.parameters().map(|(name, value)| format!("{name} {value}")).collect();
            Some(vec![(*name).into(), format!("{:.1}", a.rop), memory, basis, parameters.join(", ")])
        }));
        let whole = if reasons.is_empty() { "" } else { " of those that have a cost" };
        let mut text =
            format!("{}\n{cost}; bits: log2 of operations; the least{whole}: {least}\n", columns("lrrll", &rows));
        reasons.iter().for_each(|reason| text += &said(reason));
        if let Some(warning) = warning {
            text += &format!("warning: {warning}\n");
        }
        text
    })
}

fn table(screen: &Screen) -> Result<(), Fault> {
    let rows = known().map(|k| k.estimate().map(|ours| (k, ours))).collect::<Result<Vec<_>, _>>()?;
    let sets = rows.iter().map(|(k, ours)| {
        let minimum = k.minimum.map(|(classical_bits, attack)| LeastCost { attack, classical_bits });
        let (classical_bits, quantum_bits) = (k.classical_bits, k.quantum_bits);
        let published = Published { classical_bits, quantum_bits, source: k.source, minimum_of_all_attacks: minimum };
        PublishedSet { set: k.set, ours: CoreAttack::of(ours), published }
    });
    screen.answer(PublishedSets { model: CoreSvp::MODEL, sets: sets.collect() }, || {
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
            Error::OutOfReach(_) | Error::Unmodelled(_) => Self::Negative(e.to_string()),
            _ => Self::Usage(e.to_string()),
        }
    }
}
