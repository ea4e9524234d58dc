//! Reading a certificate: how large every value can be, and what happens to a schedule that leaves
//! out a reduction.
//!
//! `cargo run --release --example certificate`

#![forbid(unsafe_code)]

use ringwork_ntt::{Direction, Plan, PlanError, Request, Step};

/// Runs the example; tests do.
pub fn main() -> Result<(), PlanError> {
    let recipe = Request::new(1024, 12289).recipe(16)?;
    let (certificate, schedules) = (recipe.certificate(), recipe.schedules());
    println!("n = {}, q = {}, {} on {}", recipe.n(), recipe.q(), recipe.method(), recipe.backend());
    println!("a word holds {}", certificate.word());
    println!("coefficients may be {}", certificate.input());
    for (layer, (values, step)) in certificate.forward().iter().zip(schedules.steps(Direction::Forward)).enumerate() {
        println!("forward, layer {layer}: values {values}, {}", step.name());
        assert!(certificate.word().holds(*values));
    }
    println!("transformed words are {}, products {}", certificate.slots(), certificate.products());
    for (layer, (values, step)) in
        certificate.inverse().iter().zip(schedules.steps(Direction::Inverse)).enumerate().rev()
    {
        println!("inverse, layer {layer}: values {values}, {}", step.name());
        assert!(certificate.word().holds(*values));
    }
    println!("coefficients come out {}", certificate.output());

    // Every reduction is there because the proof needs it.
    let mut refused = 0;
    for direction in [Direction::Forward, Direction::Inverse] {
        for (layer, step) in schedules.steps(direction).iter().enumerate().filter(|(_, step)| **step != Step::Plain) {
            let without = schedules.clone().with_step(direction, layer, Step::Plain);
            match recipe.with_schedules(without) {
                Ok(_) => println!("{direction:?}, layer {layer}: without \"{}\" there is a proof as well", step.name()),
                Err(refusal @ PlanError::Range { .. }) => {
                    refused += 1;
                    println!("{direction:?}, layer {layer}: without \"{}\", {refusal}", step.name());
                }
                Err(other) => return Err(other),
            }
        }
    }
    assert!(refused > 0);

    // One reduction more is slower, and proved as well: it is a recipe like any other.
    let more = schedules.clone().with_step(Direction::Forward, 0, Step::Both);
    let slower = recipe.with_schedules(more)?;
    assert!(certificate.word().holds(slower.certificate().slots()));
    let (mut a, mut b) = (vec![0_i16; 1024], vec![0_i16; 1024]);
    (a[1], b[1023]) = (1, 1);
    let mut c = vec![0; 1024];
    Plan::<i16>::from_decision(ringwork_ntt::Decision::Direct(slower)).multiply(&mut c, &a, &b);
    assert_eq!((c[0], &c[1..]), (12288, &[0; 1023][..]));
    println!("with one reduction more, X·X^1023 is still -1");
    Ok(())
}
