//! The meaning of recorded operations: a graph becomes a [`System`].
//!
//! A word is an integer modulo `2^bits`. What wraps works on any integer of its class; what depends on the word as a
//! number takes the one in range, with or without sign, which is a remainder.

use crate::{
    claim::{Claim, Fact},
    linear::{Linear, Variable, power},
    system::System,
};
use lanes::record::{Node, Op, Recorded};
use num_bigint::{BigInt, Sign};

/// An input of the code.
#[derive(Clone, Debug)]
pub enum Input {
    /// The word of that variable.
    Word(Variable),
    /// The bits of the double nearest to that variable divided by that number.
    Double(Variable, BigInt),
}

/// A value of a node: a form, congruent to it modulo `2^known`.
#[derive(Clone, Debug)]
struct Value {
    form: Linear,
    known: u32,
    double: Option<(Variable, BigInt)>,
}

/// Nodes as forms in the variables of a system.
#[derive(Debug)]
pub struct Meaning<'a> {
    system: &'a mut System,
    values: Vec<Value>,
    bits: u32,
    /// What the traits demand of operands.
    pub demands: Vec<Claim>,
}

impl<'a> Meaning<'a> {
    /// Gives every node its meaning.
    pub fn of(system: &'a mut System, nodes: &[Node], inputs: &[Input]) -> Self {
        let bits = nodes.first().map_or(0, |node| node.bits);
        let mut meaning = Self { system, values: Vec::new(), bits, demands: Vec::new() };
        for node in nodes {
            let value = meaning.value(node, inputs);
            meaning.values.push(value);
        }
        meaning
    }

    /// A word as a number with sign.
    pub fn signed(&mut self, of: Recorded) -> Linear {
        self.word(of, -power(self.bits - 1))
    }

    /// A word as a number without sign.
    pub fn unsigned(&mut self, of: Recorded) -> Linear {
        self.word(of, BigInt::default())
    }

    fn word(&mut self, of: Recorded, least: BigInt) -> Linear {
        let form = self.form(of, self.bits);
        let [_, word] = self.system.split(&form, &power(self.bits), &least);
        word
    }

    /// Any number in the class of a value modulo `2^needed`.
    fn form(&self, of: Recorded, needed: u32) -> Linear {
        let value = &self.values[of.0];
        assert!(value.known >= needed, "node {} is known modulo 2^{} only", of.0, value.known);
        assert!(value.double.is_none(), "node {} is a double", of.0);
        value.form.clone()
    }

    fn split(&mut self, of: &Linear, bits: u32) -> [Linear; 2] {
        self.system.split(of, &power(bits), &BigInt::default())
    }

    /// 1 where `a > b`.
    fn greater(&mut self, a: &Linear, b: &Linear) -> Linear {
        self.system.test(a.sub(b).add(&Linear::constant(-1)))
    }

    fn demand(&mut self, what: &str, fact: Fact) {
        self.demands.push(Claim { what: what.into(), fact, variables: self.system.len() });
    }

    /// `|form| ≤ most`.
    fn at_most(&mut self, what: &str, form: &Linear, most: BigInt) {
        self.demand(what, Fact::Within(form.clone(), [-&most, most]));
    }

    fn value(&mut self, node: &Node, inputs: &[Input]) -> Value {
        let bits = node.bits;
        let number = node.number as u32;
        let of = |i: usize| node.of[i];
        let mut known = bits;
        let form = match node.op {
            Op::Input => match &inputs[node.number as usize] {
                Input::Word(variable) => Linear::variable(*variable),
                Input::Double(variable, by) => {
                    return Value { form: Linear::default(), known, double: Some((*variable, by.clone())) };
                }
            },
            Op::Constant => Linear::constant(node.number),
            Op::Add => self.form(of(0), bits).add(&self.form(of(1), bits)),
            Op::Sub => self.form(of(0), bits).sub(&self.form(of(1), bits)),
            Op::And => self.and(of(0), of(1)),
            Op::Or => panic!("`or` of words has no meaning in integers here"),
            Op::Xor => self.xor(of(0), of(1)),
            Op::Shl => self.form(of(0), bits).times(&power(number)),
            Op::Shr => {
                let word = self.signed(of(0));
                self.split(&word, number)[0].clone()
            }
            Op::ShrLogical => {
                let word = self.unsigned(of(0));
                self.split(&word, number)[0].clone()
            }
            Op::Gt => {
                let [a, b] = [self.signed(of(0)), self.signed(of(1))];
                self.greater(&a, &b).times(&(-1).into())
            }
            Op::GtUnsigned => {
                let [a, b] = [self.unsigned(of(0)), self.unsigned(of(1))];
                self.greater(&a, &b).times(&(-1).into())
            }
            Op::Negative => {
                let a = self.signed(of(0));
                self.greater(&Linear::default(), &a).times(&(-1).into())
            }
            Op::MulLo => {
                let [a, b] = [self.form(of(0), bits), self.form(of(1), bits)];
                self.system.product(&a, &b)
            }
            Op::MulHi => {
                let product = self.signed_product(of(0), of(1));
                self.split(&product, bits)[0].clone()
            }
            Op::MulRound => {
                let product = self.signed_product(of(0), of(1));
                self.demand("not -2^15 twice", Fact::Within(product.clone(), [-power(30), power(30) - 1]));
                self.split(&product.add(&Linear::constant(1 << 14)), 15)[0].clone()
            }
            Op::WidenMul => {
                known = 2 * bits;
                self.signed_product(of(0), of(1))
            }
            Op::WidenMulUnsigned => {
                known = 2 * bits;
                self.unsigned_product(of(0), of(1))
            }
            // The low half of a wide value is the word of the same class.
            Op::WidenMulLow => {
                known = 2 * bits;
                self.signed_product(of(0), of(1))
            }
            Op::WidenMulLowUnsigned => {
                known = 2 * bits;
                self.unsigned_product(of(0), of(1))
            }
            Op::WideAdd => {
                known = 2 * bits;
                self.form(of(0), known).add(&self.form(of(1), known))
            }
            Op::WideSub => {
                known = 2 * bits;
                self.form(of(0), known).sub(&self.form(of(1), known))
            }
            Op::WideShr => {
                // The upper bits are zero, which a quotient of any number of the class does not know.
                known = 2 * bits - number;
                let wide = self.form(of(0), 2 * bits);
                self.split(&wide, number)[0].clone()
            }
            Op::NarrowLo => self.form(of(0), bits),
            Op::NarrowHi => {
                let wide = self.form(of(0), 2 * bits);
                self.split(&wide, bits)[0].clone()
            }
            Op::NarrowHiOfEqualLows => {
                let difference = self.form(of(0), 2 * bits).sub(&self.form(of(1), 2 * bits));
                let [high, low] = self.split(&difference, bits);
                self.demand("equal low halves", Fact::Zero(low));
                high
            }
            Op::SubOrAdd => {
                let [a, b] = [self.unsigned(of(0)), self.unsigned(of(1))];
                let borrows = self.greater(&b, &a);
                let q = self.form(of(2), bits);
                let added = self.system.product(&borrows, &q);
                a.sub(&b).add(&added)
            }
            Op::MinUnsigned => {
                let [a, b] = [self.unsigned(of(0)), self.unsigned(of(1))];
                let greater = self.greater(&a, &b);
                let [first, second] = [of(0), of(1)].map(|x| self.form(x, bits));
                if let Some(step) = second.sub(&first).as_constant() {
                    return Value { form: first.plus(&greater, step), known, double: None };
                }
                self.system.select(&greater, [b, a], [BigInt::default(), power(bits) - 1])
            }
            Op::MulHiNear => {
                let [a, v] = [self.signed(of(0)), self.signed(of(1))];
                self.at_most("|a| < 2^63 - 2^31", &a, power(63) - power(31) - 1);
                self.at_most("|v| < 2^62", &v, power(62) - 1);
                let product = self.system.product(&a, &v);
                self.system.near(product, power(63), power(62), [BigInt::default(), 1.into()])
            }
            Op::MulLowHalves => {
                let [a, b] = [of(0), of(1)].map(|x| self.form(x, bits));
                let [[_, a], [_, b]] = [self.split(&a, 32), self.split(&b, 32)];
                self.system.product(&a, &b)
            }
            Op::MulDifference => self.difference([of(0), of(1), of(2), of(3)]),
            Op::ReduceNear => self.reduce_near(of(0), of(1), number, of(2)),
            Op::Mul52Lo => {
                let product = self.product_52(of(1), of(2));
                let [_, low] = self.split(&product, 52);
                self.form(of(0), bits).add(&low)
            }
            Op::Mul52Hi => {
                let product = self.product_52(of(1), of(2));
                let [high, _] = self.split(&product, 52);
                self.form(of(0), bits).add(&high)
            }
            Op::MulByDouble => {
                let [x, w] = [self.signed(of(0)), self.signed(of(1))];
                self.by_double([x, w.clone()], None, of(2), of(3))
            }
            Op::MulVarByDouble => {
                let [x, y] = [self.signed(of(0)), self.signed(of(1))];
                self.by_double([x, y.clone()], Some(&y), of(2), of(3))
            }
            Op::ReduceByDouble => {
                let x = self.signed(of(0));
                self.by_double([x, Linear::constant(1)], None, of(1), of(2))
            }
        };
        Value { form, known, double: None }
    }

    fn signed_product(&mut self, a: Recorded, b: Recorded) -> Linear {
        let [a, b] = [self.signed(a), self.signed(b)];
        self.system.product(&a, &b)
    }

    fn unsigned_product(&mut self, a: Recorded, b: Recorded) -> Linear {
        let [a, b] = [self.unsigned(a), self.unsigned(b)];
        self.system.product(&a, &b)
    }

    fn product_52(&mut self, a: Recorded, b: Recorded) -> Linear {
        let [a, b] = [a, b].map(|x| self.form(x, 52));
        let [[_, a], [_, b]] = [self.split(&a, 52), self.split(&b, 52)];
        self.system.product(&a, &b)
    }

    /// `x·w - h·q`.
    fn difference(&mut self, [x, w, h, q]: [Recorded; 4]) -> Linear {
        let [x, w, h, q] = [x, w, h, q].map(|of| self.form(of, self.bits));
        let product = self.system.product(&x, &w);
        product.sub(&self.system.product(&h, &q))
    }

    fn reduce_near(&mut self, x: Recorded, c: Recorded, s: u32, q: Recorded) -> Linear {
        let [x, c] = [self.signed(x), self.signed(c)];
        self.demand("0 ≤ c < 2^31", Fact::Within(c.clone(), [BigInt::default(), power(31) - 1]));
        assert!(s < 32);
        let [high, _] = self.split(&x, 32);
        let product = self.system.product(&high, &c);
        let h = self.system.near(product, power(32 + s), BigInt::default(), [BigInt::default(), 1.into()]);
        let q = self.form(q, self.bits);
        x.sub(&self.system.product(&h, &q))
    }

    /// `x·y - h·q`, with `h` the integer nearest to the double `x·v`, or, if there is a second variable, to `v` times
    /// the double `x·y`.
    fn by_double(&mut self, [x, y]: [Linear; 2], second: Option<&Linear>, v: Recorded, q: Recorded) -> Linear {
        let q = self.signed(q);
        for (what, form) in [("|x| ≤ 2^52", &x), ("|y| ≤ 2^52", &y), ("q ≤ 2^52", &q)] {
            self.at_most(what, form, power(52));
        }
        let product = self.system.product(&x, &y);
        // Each rounding is within 2^-53 of the rounded number.
        let [once, twice] = [[1.into(), power(53)], [power(54) + 1, power(106)]];
        let (of, scale, error) = if let Some((numerator, denominator)) = self.values[v.0].double.clone() {
            assert!(second.is_none());
            (self.system.product(&x, &Linear::variable(numerator)), denominator, twice)
        } else {
            let bits = self.form(v, self.bits);
            let (mantissa, scale) = double(bits.as_constant().expect("a double that is known"));
            match second {
                Some(_) => (product.times(&mantissa), scale, twice),
                None => (x.times(&mantissa), scale, once),
            }
        };
        // |of|·(1 + error) ≤ 2^51·scale
        let [numerator, denominator] = &error;
        let most = crate::linear::floor(&(power(51) * &scale * denominator), &(denominator + numerator));
        self.at_most("|x·v| ≤ 2^51", &of, most);
        let h = self.system.near(of, scale, BigInt::default(), error);
        let result = product.sub(&self.system.product(&h, &q));
        self.at_most("|x·y - h·q| ≤ 2^52", &result, power(52));
        result
    }

    /// Masks and low bits.
    fn and(&mut self, a: Recorded, b: Recorded) -> Linear {
        for (x, y) in [(a, b), (b, a)] {
            let form = self.form(x, self.bits);
            if let Some(test) = self.as_mask(&form) {
                let y = self.form(y, self.bits);
                return self.system.product(&test, &y);
            }
            if let Some(ones) = form.as_constant().map(|constant| -> BigInt { constant + 1 })
                && ones.sign() == Sign::Plus
                && ones.magnitude().count_ones() == 1
            {
                let y = self.form(y, self.bits);
                return self.system.split(&y, &ones, &BigInt::default())[1].clone();
            }
        }
        panic!("`and` has a meaning in integers for a mask or low bits only")
    }

    /// With all ones, or zero.
    fn xor(&mut self, a: Recorded, b: Recorded) -> Linear {
        for (x, y) in [(a, b), (b, a)] {
            let (x, y) = (self.form(x, self.bits), self.form(y, self.bits));
            if x.as_constant() == Some(&BigInt::default()) {
                return y;
            }
            if x.as_constant() == Some(&(-1).into()) {
                return Linear::constant(-1).sub(&y);
            }
        }
        panic!("`xor` has a meaning in integers for all ones or zero only")
    }

    /// The test whose mask this is.
    fn as_mask(&self, form: &Linear) -> Option<Linear> {
        let test = form.times(&(-1).into());
        let is_test = |v: Variable| matches!(self.system.origin(v), crate::system::Origin::Test(_));
        let known = test.as_constant().is_some_and(|c| *c == 0.into() || *c == 1.into());
        (known || test.as_variable().is_some_and(is_test)).then_some(test)
    }
}

/// A finite double as `numerator/2^exponent`; both are given as integers.
fn double(bits: &BigInt) -> (BigInt, BigInt) {
    let bits = i64::try_from(bits).expect("64 bits");
    let value = f64::from_bits(bits as u64);
    let exponent = ((bits >> 52) & 0x7FF) as i32 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | 1 << 52;
    assert!(value.is_normal() && value > 0.0 && exponent < 0, "the reciprocal of a modulus");
    (mantissa.into(), power(-exponent as u32))
}
