//! What a solver is to confirm, and what helps it: equations between variables, guessed from samples.

use crate::{
    linear::{Linear, Variable, power},
    system::{Origin, System},
};
use num_bigint::{BigInt, Sign};

/// A statement about variables of a system.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A form is in a range.
    Within(Linear, [BigInt; 2]),
    /// A form is zero.
    Zero(Linear),
    /// A form is divisible, by that number, and the quotient is the second form, if there is one at hand.
    Divisible(Linear, BigInt, Option<Linear>),
}

impl Fact {
    /// Whether it is true of these values.
    pub fn holds(&self, values: &[BigInt]) -> bool {
        match self {
            Self::Within(form, [least, most]) => {
                let value = form.value(values);
                *least <= value && value <= *most
            }
            Self::Zero(form) => form.value(values).sign() == Sign::NoSign,
            Self::Divisible(form, by, quotient) => {
                let value = form.value(values);
                (&value % by).sign() == Sign::NoSign
                    && quotient.as_ref().is_none_or(|quotient| quotient.value(values) * by == value)
            }
        }
    }
}

/// A statement with a name.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it is about.
    pub what: String,
    /// It.
    pub fact: Fact,
    /// How many variables it takes: it is proved from these, and known after them.
    pub variables: usize,
}

/// Equations of a system, solved for variables, so that all others are independent.
///
/// What a quotient, a test or a choice is in terms of earlier variables is guessed from samples. A guess is a lemma:
/// it is proved before it is used, so a wrong one does no harm but to the proof.
#[derive(Debug)]
pub struct Equations {
    /// Each variable as a form in independent ones.
    pub forms: Vec<Linear>,
    /// Those that are guessed.
    pub guesses: Vec<(Variable, Linear)>,
}

impl Equations {
    /// Solves what is known, and guesses.
    pub fn of(system: &System) -> Self {
        let mut equations = Self { forms: Vec::new(), guesses: Vec::new() };
        // From all over the list: some are enough for a guess, which all must confirm.
        let samples = system.samples();
        let some = |i: usize| &samples[(i * 127) % samples.len()];
        let count = samples.len().min(ENOUGH);
        let mut echelon = Echelon::new(count);
        for variable in 0..system.len() {
            let known = match system.origin(variable) {
                Origin::Equal(form) | Origin::Product(_, _, Some(form)) => Some(form.clone()),
                Origin::Remainder { of, modulus, quotient } => Some(of.plus(&Linear::variable(*quotient), &-modulus)),
                _ => None,
            };
            let form = known.map(|form| form.replaced(&equations.forms)).unwrap_or_else(|| {
                let values: Vec<BigInt> = (0..count).map(|i| some(i)[variable].clone()).collect();
                let guess = echelon.insert(variable, &values);
                let guess = guess.filter(|guess| samples.iter().all(|sample| guess.value(sample) == sample[variable]));
                // That a test has one answer is true if its bounds say so; samples may miss the other one.
                let decided = |form: &Linear| {
                    let bounds = system.bounds(&form.replaced(&equations.forms));
                    bounds.is_some_and(|[least, most]| (least.sign() == Sign::Minus) == (most.sign() == Sign::Minus))
                };
                let constant = guess.as_ref().is_some_and(|guess| guess.as_constant().is_some());
                let may_depend = match system.origin(variable) {
                    Origin::Symbol | Origin::Product(..) => false,
                    Origin::Test(form) => !constant || decided(form),
                    _ => true,
                };
                match guess.filter(|_| may_depend) {
                    Some(guess) => {
                        equations.guesses.push((variable, guess.clone()));
                        guess
                    }
                    None => Linear::variable(variable),
                }
            });
            equations.forms.push(form);
        }
        equations
    }

    /// That a form is divisible, with the quotient if the equations give it.
    pub fn divisible(&self, form: Linear, by: &BigInt) -> Fact {
        let quotient = form.replaced(&self.forms).divided(by);
        Fact::Divisible(form, by.clone(), quotient)
    }
}

/// Samples that suffice for a guess: more than there are independent variables.
const ENOUGH: usize = 64;

/// Vectors of samples modulo a prime that is larger than twice any coefficient, reduced one by the other.
struct Echelon {
    prime: BigInt,
    /// A reduced vector, where it is one, and the form that it is a sample of.
    rows: Vec<(Vec<BigInt>, usize, Linear)>,
}

impl Echelon {
    fn new(samples: usize) -> Self {
        let mut echelon = Self { prime: power(255) - 19, rows: Vec::new() };
        echelon.reduce(vec![1.into(); samples], Linear::constant(1));
        echelon
    }

    /// The form in earlier variables that the values of a variable have, if there is one; otherwise keeps it.
    fn insert(&mut self, variable: Variable, values: &[BigInt]) -> Option<Linear> {
        let values = values.iter().map(|value| self.centred(value)).collect();
        let rest = self.reduce(values, Linear::variable(variable))?;
        let others = Linear::variable(variable).sub(&rest);
        let start = Linear::constant(self.centred(others.rest()));
        Some(others.terms().fold(start, |sum, (v, c)| sum.plus(&Linear::variable(v), &self.centred(c))))
    }

    fn centred(&self, x: &BigInt) -> BigInt {
        let x = ((x % &self.prime) + &self.prime) % &self.prime;
        if &x * 2 > self.prime { x - &self.prime } else { x }
    }

    /// Subtracts multiples of the rows: what is left of the form if nothing is left of the values.
    fn reduce(&mut self, mut values: Vec<BigInt>, mut form: Linear) -> Option<Linear> {
        for (row, pivot, of) in &self.rows {
            let factor = values[*pivot].clone();
            if factor.sign() == Sign::NoSign {
                continue;
            }
            for (value, entry) in values.iter_mut().zip(row) {
                *value = (&*value - &factor * entry) % &self.prime;
            }
            form = form.plus(of, &-factor);
        }
        let values: Vec<BigInt> = values.iter().map(|value| self.centred(value)).collect();
        let Some(pivot) = values.iter().position(|value| value.sign() != Sign::NoSign) else {
            return Some(form);
        };
        let inverse = values[pivot].modinv(&self.prime).expect("a field");
        let row = values.iter().map(|value| self.centred(&(value * &inverse))).collect();
        let reduced = form.terms().fold(Linear::constant(self.centred(&(form.rest() * &inverse))), |sum, (v, c)| {
            sum.plus(&Linear::variable(v), &self.centred(&(c * &inverse)))
        });
        self.rows.push((row, pivot, reduced));
        None
    }
}
