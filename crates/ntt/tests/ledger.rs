//! What the ledger derives: Longa and Naehrig's tables, and their stray factor `K = 3^10`.

use ringwork_ntt::{
    Method,
    arith::{Modulus, bitrev},
    internals::{
        model::{Entry, Ledger},
        network::{Forward, Inverse, Pass, Program, Step},
        reduction::{Contract, Factor},
    },
};

const N: usize = 1024;
const LAYERS: usize = 10;

fn q() -> Modulus {
    Modulus::new(12289).unwrap()
}

fn contract(method: Method) -> Contract {
    method.contract(q(), 32).unwrap()
}

fn ledger() -> Ledger {
    Ledger::new(1, [N, 2 * N], &passes(), contract(Method::KRed), 7)
}

/// One layer per pass, as the paper's loops have it.
fn passes() -> Vec<Pass> {
    (0..LAYERS).map(|first| Pass::Outer { first, levels: 1, stride: N >> (first + 1) }).collect()
}

/// The schedule of Algorithms 3 and 4: one extra reduction, at stage `m = 128` forward and `m = 32`
/// backward.
fn steps(layer: usize, step: Step) -> Vec<Step> {
    (0..LAYERS).map(|l| if l == layer { step } else { Step::Plain }).collect()
}

/// Runs Algorithm 3 and returns its table and what each position holds.
fn forward() -> (Ledger, Vec<Entry>) {
    let mut ledger = ledger();
    let mut data = ledger.coefficients(N, N);
    let stage_128 = 128_usize.ilog2() as usize; // m blocks in layer log2 m
    let (passes, steps) = (passes(), steps(stage_128, Step::AddSide));
    ledger.run(Forward { program: Program::new(&passes, &steps) }, &mut data).unwrap();
    assert_eq!(ledger.imbalance, None);
    let entries = ledger.entries(&data);
    (ledger, entries)
}

#[test]
fn the_forward_table_is_the_papers() {
    let (ledger, entries) = forward();
    let q = q();
    let k_inverse = q.inv(3);
    let mut rows = ledger.rows.iter();
    for layer in 0..LAYERS {
        // At stage 128 the product is followed by K-RED-2x, elsewhere by K-RED; the stored word is
        // the same.
        let method = if layer == 7 { Method::KRed2x } else { Method::KRed };
        for block in 0..1 << layer {
            let m = 1 << layer;
            let paper = q.mul(k_inverse, q.pow(7, bitrev(m + block, 10) as u64));
            let residue = rows.next().unwrap().broadcast[0];
            assert_eq!(contract(method).encode(residue)[0], q.centered(paper), "stage {m}, block {block}");
        }
    }
    assert!(rows.next().is_none());
    for (position, entry) in entries.iter().enumerate() {
        assert_eq!(entry.exponent, 2 * bitrev(position, 10) + 1, "bit-reversed slots");
        assert_eq!(entry.factor, Factor { residue: 3, k: 1 }, "the transform leaves k behind");
    }
}

#[test]
fn the_key_exchange_leaves_3_to_the_10() {
    let q = q();
    let contract = contract(Method::KRed);
    let times = |f: Factor, g: Factor| f.times(g, q);
    let reduced = contract.reduce_factor();
    let (_, entries) = forward();
    let transformed = entries[0].factor;

    // b = a∘NTT(s) + NTT(e): the product is reduced once and noise is balanced to it; sending b
    // takes two more.
    let b = times(times(transformed, contract.mul_var_factor()), times(reduced, reduced));
    // v = INTT(b∘NTT(s') + ..): the product is reduced once before and once after the sum.
    let v_hat = times(times(times(b, transformed), contract.mul_var_factor()), reduced);

    let mut ledger = ledger();
    let given: Vec<Entry> = entries.iter().map(|e| Entry { factor: v_hat, ..*e }).collect();
    let mut data = ledger.vectors(&given);
    let stage_32 = 32_usize.ilog2() as usize - 1; // m = 2h, h blocks in layer log2 h
    let (passes, steps) = (passes(), steps(stage_32, Step::Sums));
    ledger.run(Inverse { program: Program::new(&passes, &steps) }, &mut data).unwrap();
    assert_eq!(ledger.imbalance, None);
    assert!(ledger.entries(&data).iter().enumerate().all(|(i, e)| e.coefficient == i && e.factor.residue == 1));

    // The last layer divides by n and by all that was left behind; reducing its output fully takes
    // two reductions.
    let left_behind = q.inv(q.mul(ledger.scaling[0], N as u64));
    let with_last = q.mul(left_behind, times(reduced, reduced).residue);
    assert_eq!(with_last, q.pow(3, 10), "K = 3^10");
    assert_eq!(v_hat.k + reduced.k + 2 * reduced.k, 10, "counted: 7 before the inverse, 1 inside, 2 after");
}

#[test]
fn values_of_different_factors_that_meet_are_noticed() {
    let mut ledger = ledger();
    let (_, mut entries) = forward();
    entries[5].factor = Factor::ONE; // one slot that was not reduced like the others
    let mut data = ledger.vectors(&entries);
    let (passes, steps) = (passes(), steps(9, Step::Plain));
    ledger.run(Inverse { program: Program::new(&passes[9..], &steps) }, &mut data).unwrap();
    assert_eq!(ledger.imbalance.map(|i| i.layer), Some(9));
}
