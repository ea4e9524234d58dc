//! The promises of a contract as claims about the code of its method.

use crate::{
    claim::{Claim, Equations, Fact},
    linear::{Linear, Variable},
    meaning::{Input, Meaning},
    system::{Origin, System},
    twiddle::{Twiddle, modulus},
};
use lanes::{
    Lanes,
    record::{Node, Recorded, Recorder, record},
};
use ntt::{
    Interval, Method,
    arith::Modulus,
    internals::reduction::{ByMethod, Constants, Contract, Listed, Reduction},
};
use num_bigint::BigInt;
use std::fmt;

/// An operation of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A product with a twiddle.
    Mul,
    /// A reduction.
    Reduce,
    /// A canonical residue.
    Canonical,
    /// A product of variables.
    MulVar,
    /// A sum.
    Add,
    /// A difference.
    Sub,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Mul, Self::Reduce, Self::Canonical, Self::MulVar, Self::Add, Self::Sub];

    /// What the contract says for operands of these ranges; `None` if it refuses them.
    fn range(self, contract: &Contract, [x, y]: [Interval; 2]) -> Option<Interval> {
        let range = match self {
            Self::Mul => contract.mul_range(x),
            Self::Reduce => contract.reduce_range(x),
            Self::Canonical => Some(Interval::new(0, i128::from(contract.constants().q as u64) - 1)),
            Self::MulVar => contract.mul_var_range(x, y),
            Self::Add => contract.add_range(x, y),
            Self::Sub => contract.sub_range(x, y),
        };
        range.filter(|range| contract.words().holds(*range))
    }

    const fn has_two_operands(self) -> bool {
        matches!(self, Self::MulVar | Self::Add | Self::Sub)
    }
}

/// Claims about one operation on operands of one range.
#[derive(Debug)]
pub struct Proof {
    /// The operation.
    pub operation: Operation,
    /// Ranges of its operands; a twiddle has none.
    pub operands: [Interval; 2],
    /// The variables.
    pub system: System,
    /// What is proved, in this order; each claim may use those before it.
    pub claims: Vec<Claim>,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.operands;
        let name = format!("{:?}", self.operation).to_lowercase();
        if self.operation.has_two_operands() { write!(f, "{name} {x} {y}") } else { write!(f, "{name} {x}") }
    }
}

/// Runs the code of a method on the recorder.
struct Recording<'a>(&'a Constants, Operation);

impl ByMethod for Recording<'_> {
    type Output = (Recorded, Vec<Node>);

    fn by<D: Listed>(self, _: D) -> Self::Output {
        let Self(constants, operation) = self;
        match constants.bits {
            16 => recording::<i16, D::On16<Recorder<i16>>>(constants, operation),
            32 => recording::<i32, D::On32<Recorder<i32>>>(constants, operation),
            _ => recording::<i64, D::On64<Recorder<i64>>>(constants, operation),
        }
    }
}

fn recording<T, R>(constants: &Constants, operation: Operation) -> (Recorded, Vec<Node>)
where
    Recorder<T>: Lanes<V = Recorded>,
    R: Reduction<Recorder<T>>,
{
    record(|| {
        let l = Recorder::<T>::new();
        let method = R::new(l, constants);
        let [x, first, second] = [0, 1, 2].map(|number| l.input(number));
        match operation {
            Operation::Mul => {
                let [product] = method.mul(l, [x], [R::twiddle(l, first, second)]);
                product
            }
            Operation::Reduce => method.reduce(l, x),
            Operation::Canonical => method.canonical(l, x),
            Operation::MulVar => method.mul_var(l, x, first),
            Operation::Add => method.add(l, x, first),
            Operation::Sub => method.sub(l, x, first),
        }
    })
}

/// Numbers in a range: its ends, zero, and others of all sizes.
fn numbers(range: Interval, count: usize, seed: u64) -> Vec<BigInt> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from(state ^ state << 31) >> (state >> 58) // any size
    };
    let ends = [range.lo, range.hi, 0, -1, 1, range.lo + 1, range.hi - 1, range.hi / 2];
    let width = range.hi - range.lo + 1;
    let others = std::iter::repeat_with(|| range.lo + next().rem_euclid(width));
    let all = ends.into_iter().filter(|x| (range.lo..=range.hi).contains(x)).chain(others);
    all.take(count).map(BigInt::from).collect()
}

/// The number of samples, and how many of them have any product.
const SAMPLES: [usize; 2] = [1800, 900];
/// Samples of two operands, or of an operand and a residue: in turn, so that nine hundred have all pairs.
const EACH: [usize; 2] = [29, 31];

/// Claims about an operation for operands in these ranges, if the contract accepts them. To see that wrong ones are
/// refuted, the code may get other constants, and the contract's range may be changed.
pub fn prove_as(
    contract: &Contract,
    constants: &Constants,
    operation: Operation,
    operands: [Interval; 2],
    promise: impl Fn(Interval) -> Interval,
) -> Option<Proof> {
    let range = promise(operation.range(contract, operands)?);
    let mut system = System::new(SAMPLES[0], SAMPLES[1]);
    let across = |list: &[BigInt]| list.iter().cycle().take(SAMPLES[0]).cloned().collect::<Vec<_>>();
    let number = |i: i128| BigInt::from(i);
    let two = operation == Operation::Mul || operation.has_two_operands();
    let symbol = |system: &mut System, name: &str, range: Interval, which: usize| -> Variable {
        let values = across(&numbers(range, if two { EACH[which] } else { SAMPLES[0] }, 1 + which as u64));
        system.symbol(name, [range.lo, range.hi].map(number), &values)
    };
    let q = modulus(contract);
    let x = symbol(&mut system, "x", operands[0], 0);
    let of_x = Linear::variable(x);
    let (inputs, expected) = match operation {
        Operation::Mul => {
            let residues = numbers(Interval::new(0, i128::from(contract.constants().q as u64) - 1), EACH[1], 5);
            let residues: Vec<u64> = across(&residues).iter().map(|w| w.try_into().expect("below q")).collect();
            let twiddle = Twiddle::all(&mut system, contract, &residues);
            // What is known of the words of a twiddle is known of their products with `x`.
            for variable in x + 1..system.len() {
                system.product(&of_x, &Linear::variable(variable));
            }
            let expected = system.product(&of_x, &Linear::variable(twiddle.residue));
            let [first, second] = twiddle.words;
            (vec![Input::Word(x), first, second], expected)
        }
        Operation::Reduce => (vec![Input::Word(x); 3], of_x.times(&contract.reduce_factor().residue.into())),
        Operation::Canonical => (vec![Input::Word(x); 3], of_x),
        Operation::MulVar | Operation::Add | Operation::Sub => {
            let y = symbol(&mut system, "y", operands[1], 1);
            let of_y = Linear::variable(y);
            let expected = match operation {
                Operation::Add => of_x.add(&of_y),
                Operation::Sub => of_x.sub(&of_y),
                _ => system.product(&of_x, &of_y).times(&contract.mul_var_factor().residue.into()),
            };
            (vec![Input::Word(x), Input::Word(y), Input::Word(y)], expected)
        }
    };
    let (result, nodes) = contract.method().by(Recording(constants, operation));
    let mut meaning = Meaning::of(&mut system, &nodes, &inputs);
    let result = if contract.method().is_unsigned() { meaning.unsigned(result) } else { meaning.signed(result) };
    let demands = std::mem::take(&mut meaning.demands);
    let equations = Equations::of(&system);

    let claim = |what: &str, fact: Fact, variables: usize| Claim { what: what.into(), fact, variables };
    // A quotient means nothing without its remainder.
    let after =
        |variable: Variable| variable + 1 + usize::from(matches!(system.origin(variable), Origin::Quotient { .. }));
    let mut claims = Vec::new();
    for (variable, range) in &system.guesses {
        claims.push(claim("lemma", Fact::Within(Linear::variable(*variable), range.clone()), after(*variable)));
    }
    for (variable, form) in &equations.guesses {
        claims.push(claim("lemma", Fact::Zero(Linear::variable(*variable).sub(form)), after(*variable)));
    }
    claims.extend(demands);
    claims.push(claim("range", Fact::Within(result.clone(), [range.lo, range.hi].map(number)), system.len()));
    claims.push(claim("congruence", equations.divisible(result.sub(&expected), &q), system.len()));
    claims.sort_by_key(|claim| claim.variables);
    Some(Proof { operation, operands, system, claims })
}

/// All claims about a contract.
pub fn prove(contract: &Contract) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for operation in Operation::ALL {
        for operands in ranges(contract, operation) {
            proofs.extend(prove_as(contract, contract.constants(), operation, operands, |range| range));
        }
    }
    proofs
}

/// Wrong claims, which solvers must refute: each with a name.
pub fn mutants() -> Vec<(&'static str, Proof)> {
    let contract = Modulus::new(12289).ok().and_then(|q| Method::Montgomery.contract(q, 32)).expect("a contract");
    let right = contract.constants();
    let words = [contract.words(); 2];
    let same = |range: Interval| range;
    let halved = |range: Interval| Interval::new(range.lo / 2, range.hi / 2);
    let inverse = Constants { q_inv: right.q_inv + 2, ..*right };
    let reciprocal = Constants { v: right.v + (right.v >> 8), ..*right };
    let mutants = [
        ("range", prove_as(&contract, right, Operation::Mul, words, halved)),
        ("range-of-reduce", prove_as(&contract, right, Operation::Reduce, words, halved)),
        ("inverse", prove_as(&contract, &inverse, Operation::MulVar, words, same)),
        ("reciprocal", prove_as(&contract, &reciprocal, Operation::Canonical, words, same)),
    ];
    mutants.into_iter().map(|(name, proof)| (name, proof.expect("accepted"))).collect()
}

/// Ranges of operands: the canonical and the signed residues, and the greatest that the contract accepts, of
/// both signs and of one.
fn ranges(contract: &Contract, operation: Operation) -> Vec<[Interval; 2]> {
    let words = contract.words();
    let q = i128::from(contract.constants().q as u64);
    let twice = |x: Interval| [x, x];
    if operation == Operation::Canonical {
        return vec![twice(words)];
    }
    let accepts = |operands: [Interval; 2]| operation.range(contract, operands).is_some();
    let canonical = Interval::new(0, q - 1);
    let mut ranges = vec![twice(canonical)];
    let mut grow = |of: &dyn Fn(i128) -> [Interval; 2]| {
        let (mut least, mut most) = (0, words.hi + 1); // the first is accepted, or none is; the last is not
        while most - least > 1 {
            let middle = (least + most) / 2;
            *(if accepts(of(middle)) { &mut least } else { &mut most }) = middle;
        }
        ranges.push(of(least));
    };
    grow(&|bound| twice(Interval::new(0, bound)));
    if !contract.method().is_unsigned() {
        grow(&|bound| twice(Interval::symmetric(bound)));
        grow(&|bound| [Interval::symmetric(bound), canonical]);
        ranges.extend([twice(Interval::symmetric(q - 1)), twice(Interval::symmetric(2 * q)), twice(words)]);
        ranges.push([words, canonical]);
    } else {
        ranges.push([words, canonical]);
        ranges.push(twice(words));
    }
    ranges.retain(|operands| operands.iter().all(|x| words.holds(*x)) && accepts(*operands));
    if !operation.has_two_operands() {
        ranges.iter_mut().for_each(|operands| *operands = twice(operands[0]));
    }
    let mut distinct: Vec<[Interval; 2]> = Vec::new();
    for operands in ranges {
        if !distinct.contains(&operands) {
            distinct.push(operands);
        }
    }
    distinct
}
