//! Linear forms with integer coefficients.

use num_bigint::{BigInt, Sign};
use std::collections::BTreeMap;

/// The number of a variable in its [`System`](crate::system::System).
pub type Variable = usize;

/// `Σ coefficient·variable + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    terms: BTreeMap<Variable, BigInt>,
    constant: BigInt,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: impl Into<BigInt>) -> Self {
        Self { terms: BTreeMap::new(), constant: constant.into() }
    }

    /// A variable.
    pub fn variable(variable: Variable) -> Self {
        Self { terms: BTreeMap::from([(variable, 1.into())]), constant: BigInt::default() }
    }

    /// The terms, none of which is zero.
    pub fn terms(&self) -> impl Iterator<Item = (Variable, &BigInt)> {
        self.terms.iter().map(|(variable, coefficient)| (*variable, coefficient))
    }

    /// The constant term.
    pub fn rest(&self) -> &BigInt {
        &self.constant
    }

    /// The value, if there is no variable.
    pub fn as_constant(&self) -> Option<&BigInt> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The variable, if this is nothing else.
    pub fn as_variable(&self) -> Option<Variable> {
        let (variable, one) = self.terms.first_key_value()?;
        (self.terms.len() == 1 && *one == 1.into() && self.constant == BigInt::default()).then_some(*variable)
    }

    /// `self + other·by`.
    pub fn plus(&self, other: &Self, by: &BigInt) -> Self {
        let mut sum = self.clone();
        sum.constant += &other.constant * by;
        for (variable, coefficient) in other.terms() {
            *sum.terms.entry(variable).or_default() += coefficient * by;
        }
        sum.terms.retain(|_, coefficient| coefficient.sign() != Sign::NoSign);
        sum
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Self {
        self.plus(other, &1.into())
    }

    /// `self - other`.
    pub fn sub(&self, other: &Self) -> Self {
        self.plus(other, &(-1).into())
    }

    /// `self·by`.
    pub fn times(&self, by: &BigInt) -> Self {
        Self::default().plus(self, by)
    }

    /// Its value where the variables have these values.
    pub fn value(&self, values: &[BigInt]) -> BigInt {
        self.terms().map(|(variable, coefficient)| coefficient * &values[variable]).sum::<BigInt>() + &self.constant
    }

    /// The form after each variable is replaced.
    pub fn replaced(&self, forms: &[Self]) -> Self {
        let start = Self::constant(self.constant.clone());
        self.terms().fold(start, |sum, (variable, coefficient)| sum.plus(&forms[variable], coefficient))
    }

    /// `self/by`, if all coefficients are divisible.
    pub fn divided(&self, by: &BigInt) -> Option<Self> {
        let exact = |x: &BigInt| ((x % by).sign() == Sign::NoSign).then(|| x / by);
        let terms = self.terms().map(|(variable, coefficient)| Some((variable, exact(coefficient)?)));
        Some(Self { terms: terms.collect::<Option<_>>()?, constant: exact(&self.constant)? })
    }
}

/// `⌊a/b⌋` for `b > 0`.
pub fn floor(a: &BigInt, b: &BigInt) -> BigInt {
    let quotient = a / b;
    if (a % b).sign() == Sign::Minus { quotient - 1 } else { quotient }
}

/// `2^exponent`.
pub fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}
