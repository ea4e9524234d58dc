//! Systems and claims in SMT-LIB 2, for the logic of linear integers.

use crate::{
    claim::{Claim, Fact},
    contracts::Proof,
    linear::Linear,
    system::{Origin, System},
};
use num_bigint::{BigInt, Sign};
use std::fmt::Write;

/// What comes before the proofs of a file.
pub const HEAD: &str = "(set-logic QF_LIA)\n";

/// One proof: the system, then each claim as a question whose answer must be `unsat`; it is a premise of those
/// after it.
pub fn text(proof: &Proof) -> String {
    let mut text = format!("; {proof}\n(push 1)\n");
    let mut known = 0;
    for Claim { what, fact, variables } in &proof.claims {
        (known..*variables).for_each(|variable| define(&mut text, &proof.system, variable));
        known = known.max(*variables);
        let denied = denied(&proof.system, fact);
        let _ = write!(text, "; claim: {what}\n(push 1)\n{denied}(check-sat)\n(pop 1)\n");
        if let Some(premise) = premise(&proof.system, fact) {
            let _ = writeln!(text, "(assert {premise})");
        }
    }
    text + "(pop 1)\n"
}

fn define(text: &mut String, system: &System, variable: usize) {
    let name = format!("|{}|", system.name(variable));
    let _ = writeln!(text, "(declare-const {name} Int)");
    if let Some([least, most]) = system.range(variable) {
        // That of a quotient follows.
        if !matches!(system.origin(variable), Origin::Quotient { .. }) {
            let _ = writeln!(text, "(assert (<= {} {name} {}))", number(least), number(most));
        }
    }
    let fact = match system.origin(variable) {
        Origin::Symbol | Origin::Quotient { .. } | Origin::Product(_, _, None) => return,
        Origin::Equal(form) | Origin::Product(_, _, Some(form)) => format!("(= {name} {})", linear(system, form)),
        Origin::Remainder { of, modulus, quotient } => {
            let quotient = system.name(*quotient);
            format!("(= {} (+ {name} (* {modulus} |{quotient}|)))", linear(system, of))
        }
        Origin::Test(form) => format!("(= {name} (ite (>= {} 0) 1 0))", linear(system, form)),
        Origin::Select(test, forms) => {
            let [first, second] = [0, 1].map(|i| linear(system, &forms[i]));
            format!("(= {name} (ite (= |{}| 1) {first} {second}))", system.name(*test))
        }
        Origin::Near { of, scale, slack, error: [numerator, denominator] } => {
            // twice the denominator times everything
            let of_twice = linear(system, &of.times(&(denominator * 2)));
            let scaled = number(&(scale * denominator * 2));
            let room = number(&((scale + slack * 2) * denominator));
            let relative = linear(system, &of.times(&(numerator * 2)));
            let size = if numerator.sign() == Sign::NoSign {
                room
            } else {
                format!("(+ {room} (ite (>= {relative} 0) {relative} (- {relative})))")
            };
            let _ = writeln!(text, "(assert (<= (- (* {scaled} {name}) {of_twice}) {size}))");
            format!("(<= (- {of_twice} (* {scaled} {name})) {size})")
        }
    };
    let _ = writeln!(text, "(assert {fact})");
}

/// What must have no solution.
fn denied(system: &System, fact: &Fact) -> String {
    match fact {
        // The quotient is an integer, so nothing but an equation has to be proved.
        Fact::Divisible(..) if premise(system, fact).is_some() => {
            format!("(assert (not {}))\n", premise(system, fact).expect("some"))
        }
        Fact::Divisible(form, by, _) => format!(
            "(declare-const |quotient| Int)\n(declare-const |rest| Int)\n(assert (<= 1 |rest| {}))\n(assert (= {} (+ \
             |rest| (* {by} |quotient|))))\n",
            number(&(by - 1)),
            linear(system, form)
        ),
        _ => format!("(assert (not {}))\n", premise(system, fact).expect("a premise")),
    }
}

/// The fact as a term, if it needs no quantifier.
fn premise(system: &System, fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Within(form, [least, most]) => {
            format!("(<= {} {} {})", number(least), linear(system, form), number(most))
        }
        Fact::Zero(form) => format!("(= {} 0)", linear(system, form)),
        Fact::Divisible(form, by, quotient) => {
            format!("(= {} {})", linear(system, form), linear(system, &quotient.as_ref()?.times(by)))
        }
    })
}

fn number(x: &BigInt) -> String {
    if x.sign() == Sign::Minus { format!("(- {})", -x) } else { x.to_string() }
}

fn linear(system: &System, form: &Linear) -> String {
    let mut terms: Vec<String> = form
        .terms()
        .map(|(variable, coefficient)| {
            let name = system.name(variable);
            if *coefficient == 1.into() { format!("|{name}|") } else { format!("(* {} |{name}|)", number(coefficient)) }
        })
        .collect();
    if form.rest().sign() != Sign::NoSign || terms.is_empty() {
        terms.push(number(form.rest()));
    }
    if terms.len() == 1 { terms.remove(0) } else { format!("(+ {})", terms.join(" ")) }
}
