//! What K-RED gains over each other method, where network, words and machine are the same.
//!
//! Source: P. Longa and M. Naehrig, *Speeding up the number theoretic transform for faster ideal
//! lattice-based cryptography*, 2016, section 5.1.

use super::{OPERATIONS, name};
use crate::{
    jobs::Operation,
    report::{Cell, Columns, Rows, Table, backends},
};
use ntt::{Backend, Method};
use serde_json::{Value, json};

/// Words of the paper's code.
const BITS: u32 = 32;

pub(super) const NOTE: &str = "The paper measured whole implementations: its K-RED code against NewHope's portable code, whose products reduce by \
     Montgomery and sums by Barrett, on one Haswell core. With AVX2 its transforms were slightly slower than NewHope's. \
     Here network, words and machine are the same, and the method alone differs. The paper's factors are of another \
     comparison and stand in the section on the key exchange.";

/// One transform in one place.
pub(super) struct Claim {
    operation: Operation,
    backend: Backend,
    /// The method that stands for K-RED.
    k_red: Method,
    /// Other methods with their time over that of K-RED.
    factors: Vec<(Method, Cell)>,
}

impl Claim {
    fn over(&self, method: Method) -> Option<f64> {
        self.factors.iter().find(|(m, _)| *m == method).and_then(|(_, factor)| factor.value)
    }

    /// Over the method of NewHope's own code.
    fn here(&self) -> Option<f64> {
        self.over(Method::Montgomery)
    }
}

fn others() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|m| !matches!(m, Method::KRed | Method::KRed2x))
}

/// Every transform in every place where K-RED can be proved.
pub(super) fn claims(rows: &Rows) -> Vec<Claim> {
    let each = backends().into_iter().flat_map(|backend| OPERATIONS.map(|operation| (backend, operation)));
    let claim = |(backend, operation): (Backend, Operation)| {
        let row = |method| rows.get(&name(operation, method, (backend, BITS)));
        let (k_red, own) = [Method::KRed, Method::KRed2x].into_iter().find_map(|m| Some((m, row(m)?)))?;
        let factor = |m| {
            let row = row(m)?;
            let factor = row.core.median / own.core.median;
            Some((m, Cell::measured(format!("{factor:.2}×"), factor, &[row, own])))
        };
        let factors = others().filter_map(factor).collect();
        Some(Claim { operation, backend, k_red, factors })
    };
    each.filter_map(claim).collect()
}

/// One sentence for each transform one word at a time.
pub(super) fn meaning(claims: &[Claim]) -> String {
    let sentence = |claim: &Claim| {
        let here = claim.here()?;
        Some(format!(
            "The {} transform by {} on {} is {here:.2} times as fast as by Montgomery's method.",
            claim.operation.name(),
            claim.k_red,
            claim.backend
        ))
    };
    let single = claims.iter().filter(|claim| claim.backend == Backend::Scalar);
    single.filter_map(sentence).collect::<Vec<_>>().join(" ")
}

pub(super) fn table(claims: &[Claim]) -> Table {
    let over = |claim: &Claim, method: Method| {
        claim.factors.iter().find(|(m, _)| *m == method).map(|(_, factor)| factor.clone())
    };
    let meaning = format!(
        "K-RED in {BITS}-bit words: how many times as long the same network takes by each other method (below 1: it is \
         faster than K-RED)."
    );
    Columns::new(meaning, claims)
        .group("", ["transform", "backend", "by"], |claim| {
            [claim.operation.name(), claim.backend.name(), claim.k_red.name()]
        })
        .group("times as long by", others(), |claim| others().map(|method| over(claim, method)).collect::<Vec<_>>())
        .table()
}

pub(super) fn data(claims: &[Claim]) -> Value {
    let row = |claim: &Claim| {
        let over = claim.factors.iter().map(|(m, factor)| json!({ "method": m.name(), "times_faster": factor.value }));
        json!({
            "operation": claim.operation.name(), "backend": claim.backend.name(), "bits": BITS,
            "k_red": claim.k_red.name(), "over": over.collect::<Value>(),
        })
    };
    claims.iter().map(row).collect()
}
