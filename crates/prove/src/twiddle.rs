//! What is known of the words of a twiddle, for all residues at once: equations.
//!
//! That [`Contract::encode`] gives words that satisfy them is checked for every sample.

use crate::{
    linear::{Linear, Variable, floor, power},
    meaning::Input,
    system::System,
};
use ntt::{Method, internals::reduction::Contract};
use num_bigint::BigInt;

/// A twiddle as variables of a system.
#[derive(Clone, Debug)]
pub struct Twiddle {
    /// The residue, in `[0, q)`.
    pub residue: Variable,
    /// Its words, as the code takes them.
    pub words: [Input; 2],
}

/// The modulus of a contract.
pub fn modulus(contract: &Contract) -> BigInt {
    (contract.constants().q as u64).into()
}

/// A number congruent to a form and in a range, given by its values; and the quotient before it.
fn congruent(
    system: &mut System,
    names: [&str; 2],
    of: &Linear,
    by: &BigInt,
    range: [BigInt; 2],
    values: &[BigInt],
) -> [Variable; 2] {
    let [least, most] = system.bounds(of).expect("symbols have ranges");
    let quotients = [floor(&(least - &range[1]), by), floor(&(most - &range[0]), by) + 1];
    let exact: Vec<BigInt> =
        system.samples().iter().zip(values).map(|(sample, value)| floor(&(of.value(sample) - value), by)).collect();
    let quotient = system.symbol(names[0], quotients, &exact);
    let value = system.equal(names[1], of.plus(&Linear::variable(quotient), &-by), range);
    system.divides(quotient, of.clone(), by.clone(), value);
    let agrees = system.samples().iter().zip(values).all(|(sample, wanted)| sample[value] == *wanted);
    assert!(agrees, "{} of a twiddle is as the equations say", names[1]);
    [quotient, value]
}

/// A quotient, given by its values, of a form whose remainder is in a range.
fn quotient(
    system: &mut System,
    names: [&str; 2],
    of: &Linear,
    by: &BigInt,
    remainders: [BigInt; 2],
    values: &[BigInt],
) -> Variable {
    let [least, most] = system.bounds(of).expect("symbols have ranges");
    let range = [floor(&(least - &remainders[1]), by), floor(&(most - &remainders[0]), by) + 1];
    let quotient = system.symbol(names[0], range, values);
    let rest = system.equal(names[1], of.plus(&Linear::variable(quotient), &-by), remainders);
    system.divides(quotient, of.clone(), by.clone(), rest);
    quotient
}

impl Twiddle {
    /// All twiddles of a contract; the samples are those of some residues.
    pub fn all(system: &mut System, contract: &Contract, residues: &[u64]) -> Self {
        let c = contract.constants();
        let (q, bits, word) = (modulus(contract), c.bits, power(c.bits));
        let half: BigInt = (&q - 1) / 2;
        let centred = [-&half, half];
        let canonical = [BigInt::default(), &q - 1];
        let signed = [-power(bits - 1), power(bits - 1) - 1];
        let around = [-&q, &q - 1];
        let unsigned = contract.method().is_unsigned();
        let encoded: Vec<[i64; 2]> = residues.iter().map(|residue| contract.encode(*residue)).collect();
        let first: Vec<BigInt> =
            encoded.iter().map(|[w, _]| if unsigned { (*w as u64).into() } else { (*w).into() }).collect();
        let second: Vec<BigInt> = encoded.iter().map(|[_, w]| (*w).into()).collect();
        let residues: Vec<BigInt> = residues.iter().map(|residue| (*residue).into()).collect();
        let inverse = BigInt::from(c.q_inv);

        if let Method::KRed | Method::KRed2x = contract.method() {
            let k = BigInt::from(c.k).pow(if contract.method() == Method::KRed { 1 } else { 2 });
            let w = system.symbol("w", centred, &first);
            let of = Linear::variable(w).times(&k);
            let [_, residue] = congruent(system, ["j", "W"], &of, &q, canonical, &residues);
            return Self { residue, words: [Input::Word(w), Input::Word(w)] };
        }

        let residue = system.symbol("W", canonical.clone(), &residues);
        let of = |factor: &BigInt| Linear::variable(residue).times(factor);
        let one = BigInt::from(1);
        let pair = |first: Variable, second: Variable| Self { residue, words: [first, second].map(Input::Word) };
        match contract.method() {
            Method::Montgomery | Method::Unsigned | Method::Ifma | Method::IfmaStrict => {
                let (radix, range, second_range) = match contract.method() {
                    Method::Montgomery => (word, centred, signed),
                    Method::Unsigned => (word, canonical, signed),
                    _ => (power(52), canonical, [BigInt::default(), power(52) - 1]),
                };
                let [_, w] = congruent(system, ["j", "w"], &of(&radix), &q, range, &first);
                let of = Linear::variable(w).times(&inverse);
                let [_, v] = congruent(system, ["i", "v"], &of, &radix, second_range, &second);
                pair(w, v)
            }
            Method::Shoup | Method::Strict | Method::Harvey => {
                let [_, w] = congruent(system, ["j", "w"], &of(&one), &q, centred, &first);
                let scaled = Linear::variable(w).times(&word);
                let v = quotient(system, ["v", "e"], &scaled, &q, canonical, &second);
                pair(w, v)
            }
            Method::Barrett | Method::Truncated => {
                let [_, w] = congruent(system, ["j", "w"], &of(&one), &q, centred, &first);
                let log = if bits == 32 {
                    33
                } else if bits == 64 && contract.method() == Method::Barrett {
                    65
                } else {
                    bits
                };
                let scaled = Linear::variable(w).times(&power(log));
                let v = quotient(system, ["v", "e"], &scaled, &(&q * 2), around, &second);
                pair(w, v)
            }
            Method::Plantard => {
                let square = power(2 * bits);
                let [_, b] = {
                    let centre = |x: BigInt| {
                        let x = ((x % &q) + &q) % &q;
                        if x > centred[1] { x - &q } else { x }
                    };
                    let values: Vec<BigInt> = residues.iter().map(|w| centre(-w * &square)).collect();
                    congruent(system, ["j", "b"], &of(&-&square), &q, centred.clone(), &values)
                };
                let inverse = q.modinv(&square).expect("odd");
                let whole: Vec<BigInt> = first.iter().zip(&second).map(|(low, high)| low + high * &word).collect();
                let room = power(2 * bits - 1) + power(bits - 1);
                let [_, whole] = congruent(
                    system,
                    ["i", "B"],
                    &Linear::variable(b).times(&inverse),
                    &square,
                    [-&room, room],
                    &whole,
                );
                let [high, low] = congruent(system, ["high", "low"], &Linear::variable(whole), &word, signed, &first);
                pair(low, high)
            }
            Method::Double => {
                let [_, w] = congruent(system, ["j", "w"], &of(&one), &q, centred, &first);
                Self { residue, words: [Input::Word(w), Input::Double(w, q)] }
            }
            Method::Solinas => {
                let [_, w] = congruent(system, ["j", "w"], &of(&one), &q, centred, &first);
                pair(w, w)
            }
            Method::Goldilocks => pair(residue, residue),
            method => panic!("nothing is known of the twiddles of {method}: say it in crates/prove/src/twiddle.rs"),
        }
    }
}
