//! Variables with ranges, and what each of them is: the meaning of recorded operations in integers.
//!
//! Each variable has a value in each of some samples, which are computed as variables are made, by the very meaning that
//! [`smt`](crate::smt) writes down. So a system is also an interpreter of the code, which tests compare with lanes.

use crate::linear::{Linear, Variable, floor};
use num_bigint::{BigInt, Sign};
use std::collections::BTreeMap;

/// What is known of a variable besides its range.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Any integer in its range.
    Symbol,
    /// A form in earlier variables.
    Equal(Linear),
    /// The product of two variables, of which nothing but the range is known, and that form if it is given.
    Product(Variable, Variable, Option<Linear>),
    /// `⌊(of - least)/modulus⌋`: what the [`Remainder`](Origin::Remainder) that follows leaves.
    Quotient {
        /// What is divided.
        of: Linear,
        /// By what.
        modulus: BigInt,
        /// The least remainder.
        least: BigInt,
    },
    /// `of - modulus·quotient`.
    Remainder {
        /// What was divided.
        of: Linear,
        /// By what.
        modulus: BigInt,
        /// The variable before.
        quotient: Variable,
    },
    /// 1 if the form is not negative, else 0.
    Test(Linear),
    /// One of two forms: the first if the variable is 1.
    Select(Variable, [Linear; 2]),
    /// An integer `h` with `|scale·h - of| ≤ (scale + 2·slack)/2 + |of|·error`.
    Near {
        /// About `scale·h`.
        of: Linear,
        /// See there.
        scale: BigInt,
        /// See there.
        slack: BigInt,
        /// Numerator and denominator of the relative error.
        error: [BigInt; 2],
    },
}

/// All variables, each defined by earlier ones.
#[derive(Clone, Debug, Default)]
pub struct System {
    names: Vec<String>,
    origins: Vec<Origin>,
    ranges: Vec<Option<[BigInt; 2]>>,
    /// For each sample the values of all variables.
    samples: Vec<Vec<BigInt>>,
    /// How many of them, from the end, have any integer for a product, as solvers do.
    loose: usize,
    /// Symbols that are quotients: of what, by what, and the variable of the remainder.
    divisions: BTreeMap<Variable, (Linear, BigInt, Variable)>,
    /// Ranges of variables that samples have, which are to be proved.
    pub guesses: BTreeMap<Variable, [BigInt; 2]>,
    products: BTreeMap<[Variable; 2], Variable>,
    quotients: BTreeMap<(Linear, BigInt, BigInt), Variable>,
}

impl System {
    /// A system without variables. In so many samples, counted from the end, the product of two variables is some
    /// integer in its range, as it is for solvers.
    pub fn new(samples: usize, loose: usize) -> Self {
        Self { samples: vec![Vec::new(); samples], loose, ..Self::default() }
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a variable.
    pub fn name(&self, variable: Variable) -> &str {
        &self.names[variable]
    }

    /// What it is.
    pub fn origin(&self, variable: Variable) -> &Origin {
        &self.origins[variable]
    }

    /// Its least and its greatest value, as far as they are known at once.
    pub fn range(&self, variable: Variable) -> Option<&[BigInt; 2]> {
        self.ranges[variable].as_ref()
    }

    /// The values of all variables, sample by sample.
    pub fn samples(&self) -> &[Vec<BigInt>] {
        &self.samples
    }

    fn push(&mut self, name: String, origin: Origin, range: Option<[BigInt; 2]>) -> Variable {
        let values = self.samples.iter().map(|values| evaluate(&origin, values)).collect();
        self.push_values(name, origin, range, values)
    }

    fn push_values(
        &mut self,
        name: String,
        origin: Origin,
        range: Option<[BigInt; 2]>,
        values: Vec<BigInt>,
    ) -> Variable {
        let strict = self.samples.len() - self.loose;
        let mut impossible = Vec::new();
        for (i, (sample, value)) in self.samples.iter_mut().zip(values).enumerate() {
            if let Some([least, most]) = &range
                && !(*least <= value && value <= *most)
            {
                assert!(i >= strict, "{name} is {value}, not in [{least}, {most}]");
                impossible.push(i);
            }
            sample.push(value);
        }
        for i in impossible.into_iter().rev() {
            self.samples.remove(i);
            self.loose -= 1;
        }
        self.names.push(name);
        self.origins.push(origin);
        self.ranges.push(range);
        self.len() - 1
    }

    /// A variable with a value for each sample.
    ///
    /// **Panics** if some value is out of range.
    pub fn symbol(&mut self, name: &str, range: [BigInt; 2], values: &[BigInt]) -> Variable {
        assert_eq!(values.len(), self.samples.len());
        for (sample, value) in self.samples.iter_mut().zip(values) {
            assert!(range[0] <= *value && *value <= range[1], "{name} is {value}, not in {range:?}");
            sample.push(value.clone());
        }
        self.names.push(name.into());
        self.origins.push(Origin::Symbol);
        self.ranges.push(Some(range));
        self.len() - 1
    }

    /// A variable for a form.
    ///
    /// **Panics** if some value is out of range.
    pub fn equal(&mut self, name: &str, form: Linear, range: [BigInt; 2]) -> Variable {
        self.push(name.into(), Origin::Equal(form), Some(range))
    }

    /// That one symbol is the quotient of a form, and the other variable what it leaves.
    pub fn divides(&mut self, quotient: Variable, of: Linear, by: BigInt, remainder: Variable) {
        self.divisions.insert(quotient, (of, by, remainder));
    }

    /// The range of a factor; of one that was computed, a guess by its samples, which is to be proved.
    fn guessed_range(&mut self, variable: Variable) -> Option<[BigInt; 2]> {
        let values = || self.samples.iter().map(|sample| &sample[variable]);
        let guess = match self.origin(variable) {
            // A word that was in range already: samples do not have the ends of all twiddles.
            Origin::Remainder { of, quotient, .. } if of.as_variable().is_some() => {
                let kept = self.samples.iter().all(|sample| sample[*quotient].sign() == Sign::NoSign);
                let [least, most] = self.bounds(of)?;
                let own = self.range(variable)?;
                kept.then(|| [own[0].clone().max(least), own[1].clone().min(most)])
            }
            Origin::Quotient { .. } | Origin::Remainder { .. } | Origin::Test(_) | Origin::Select(..) => {
                Some([values().min()?.clone(), values().max()?.clone()])
            }
            _ => None,
        };
        if let Some(guess) = guess {
            self.guesses.entry(variable).or_insert(guess);
        }
        self.guesses.get(&variable).or(self.range(variable)).cloned()
    }

    /// What of the range of a form follows from those of its variables.
    pub fn bounds(&self, form: &Linear) -> Option<[BigInt; 2]> {
        let start = [form.rest().clone(), form.rest().clone()];
        form.terms().try_fold(start, |[least, most], (variable, coefficient)| {
            let [a, b] = self.range(variable)?.clone().map(|end| end * coefficient);
            Some(if a <= b { [least + a, most + b] } else { [least + b, most + a] })
        })
    }

    /// The product of two forms, in which every product of two variables is a variable.
    pub fn product(&mut self, a: &Linear, b: &Linear) -> Linear {
        let mut sum = b.times(a.rest()).plus(a, b.rest());
        sum = sum.plus(&Linear::constant(a.rest() * b.rest()), &(-1).into());
        let terms = |form: &Linear| form.terms().map(|(v, c)| (v, c.clone())).collect::<Vec<_>>();
        for (x, of_x) in terms(a) {
            for (y, of_y) in terms(b) {
                let product = Linear::variable(self.product_of([x, y]));
                sum = sum.plus(&product, &(&of_x * of_y));
            }
        }
        sum
    }

    fn product_of(&mut self, mut factors: [Variable; 2]) -> Variable {
        factors.sort_unstable();
        if let Some(known) = self.products.get(&factors) {
            return *known;
        }
        let [x, y] = factors;
        // A known form of one factor makes one of the product.
        let known = |factor: Variable| match self.origin(factor) {
            Origin::Equal(form) => Some(form.clone()),
            Origin::Remainder { of, modulus, quotient } => Some(of.plus(&Linear::variable(*quotient), &-modulus)),
            _ => None,
        };
        let form = known(y).map(|form| (x, form)).or(known(x).map(|form| (y, form)));
        let form = form.map(|(other, form)| self.product(&Linear::variable(other), &form));
        let range = |a: &[BigInt; 2], b: &[BigInt; 2]| {
            let ends = [&a[0] * &b[0], &a[0] * &b[1], &a[1] * &b[0], &a[1] * &b[1]];
            [ends.iter().min().expect("four").clone(), ends.iter().max().expect("four").clone()]
        };
        let own = [x, y].map(|factor| self.guessed_range(factor));
        let product_range = own[0].as_ref().zip(own[1].as_ref()).map(|(x, y)| range(x, y));
        let name = format!("{}*{}", self.name(x), self.name(y));
        let origin = Origin::Product(x, y, form);
        let mut values: Vec<BigInt> = self.samples.iter().map(|values| evaluate(&origin, values)).collect();
        let strict = self.samples.len() - self.loose;
        if let (Origin::Product(_, _, None), Some(product_range)) = (&origin, &product_range) {
            let divided = [(x, y), (y, x)].into_iter().find_map(|(factor, quotient)| {
                let (of, by, remainder) = self.divisions.get(&quotient)?.clone();
                let remainders = range(self.range(factor)?, self.range(remainder)?);
                Some((self.product(&Linear::variable(factor), &of), by, remainders))
            });
            for (i, value) in values.iter_mut().enumerate().skip(strict) {
                *value = match &divided {
                    None => somewhere(product_range, (i + self.len()) as u64),
                    Some((of, by, remainders)) => {
                        let of = of.value(&self.samples[i]);
                        let rest = somewhere(remainders, (i + self.len()) as u64);
                        let below = &rest - (((&rest - &of) % by) + by) % by;
                        let rest = if below < remainders[0] { below + by } else { below };
                        (of - rest) / by
                    }
                };
            }
        }
        let product = self.push_values(name, origin, product_range, values);
        self.products.insert(factors, product);
        product
    }

    /// Quotient and remainder of a form, which is `modulus·quotient + remainder`, the remainder being in
    /// `[least, least + modulus)`.
    pub fn split(&mut self, of: &Linear, modulus: &BigInt, least: &BigInt) -> [Linear; 2] {
        if let Some(constant) = of.as_constant() {
            let quotient = floor(&(constant - least), modulus);
            return [Linear::constant(quotient.clone()), Linear::constant(constant - modulus * quotient)];
        }
        let most = least + modulus - 1;
        if of.as_variable().and_then(|v| self.range(v)).is_some_and(|[a, b]| least <= a && *b <= most) {
            return [Linear::default(), of.clone()];
        }
        let key = (of.clone(), modulus.clone(), least.clone());
        let quotient = self.quotients.get(&key).copied().unwrap_or_else(|| {
            let origin = Origin::Quotient { of: of.clone(), modulus: modulus.clone(), least: least.clone() };
            let bounds = self.bounds(of).map(|ends| ends.map(|end| floor(&(end - least), modulus)));
            let quotient = self.push(format!("k{}", self.len()), origin, bounds);
            let origin = Origin::Remainder { of: of.clone(), modulus: modulus.clone(), quotient };
            self.push(format!("r{quotient}"), origin, Some([least.clone(), most]));
            self.quotients.insert(key, quotient);
            quotient
        });
        [quotient, quotient + 1].map(Linear::variable)
    }

    /// 1 if the form is not negative, else 0.
    pub fn test(&mut self, form: Linear) -> Linear {
        if let Some(constant) = form.as_constant() {
            return Linear::constant(i32::from(constant.sign() != Sign::Minus));
        }
        Linear::variable(self.push(format!("b{}", self.len()), Origin::Test(form), Some([0.into(), 1.into()])))
    }

    /// The first form where `test` is 1, else the second.
    pub fn select(&mut self, test: &Linear, forms: [Linear; 2], range: [BigInt; 2]) -> Linear {
        match test.as_variable() {
            Some(test) => {
                let name = format!("s{}", self.len());
                Linear::variable(self.push(name, Origin::Select(test, forms), Some(range)))
            }
            None => forms[usize::from(test.rest().sign() == Sign::NoSign)].clone(),
        }
    }

    /// See [`Origin::Near`].
    pub fn near(&mut self, of: Linear, scale: BigInt, slack: BigInt, error: [BigInt; 2]) -> Linear {
        let name = format!("h{}", self.len());
        Linear::variable(self.push(name, Origin::Near { of, scale, slack, error }, None))
    }
}

/// Some integer in a range: an end, or with digits of 16 bits of which many are zero, or as large as they can be.
fn somewhere([least, most]: &[BigInt; 2], seed: u64) -> BigInt {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    match next() % 16 {
        0 => return least.clone(),
        1 => return most.clone(),
        _ => {}
    }
    let width: BigInt = most - least + 1;
    let digits = width.bits() / 16 + 1;
    let (zeros, ones) = (next() % 4, next() % 4);
    let value = (0..digits).fold(BigInt::default(), |value, _| {
        let digit = match next() % 8 {
            choice if choice < zeros => 0,
            choice if choice < zeros + ones => 0xFFFF,
            _ => next() & 0xFFFF,
        };
        (value << 16) + digit
    });
    least + value % width
}

/// The value of a variable after those of earlier ones.
fn evaluate(origin: &Origin, values: &[BigInt]) -> BigInt {
    match origin {
        Origin::Symbol => unreachable!("symbols have values"),
        Origin::Equal(form) | Origin::Product(_, _, Some(form)) => form.value(values),
        Origin::Product(x, y, None) => &values[*x] * &values[*y],
        Origin::Quotient { of, modulus, least } => floor(&(of.value(values) - least), modulus),
        Origin::Remainder { of, modulus, quotient } => of.value(values) - modulus * &values[*quotient],
        Origin::Test(form) => i32::from(form.value(values).sign() != Sign::Minus).into(),
        Origin::Select(test, forms) => forms[usize::from(values[*test].sign() == Sign::NoSign)].value(values),
        Origin::Near { of, scale, .. } => floor(&(of.value(values) * 2 + scale), &(scale * 2)),
    }
}
