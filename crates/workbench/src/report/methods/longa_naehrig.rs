//! What K-RED gains over each other method, beside what its paper gains over NewHope's own code.
//!
//! Source: P. Longa and M. Naehrig, *Speeding up the number theoretic transform for faster ideal
//! lattice-based cryptography*, 2016, section 5.1.

use super::{OPERATIONS, name};
use crate::{
    jobs::Operation,
    report::{Cell, Columns, Rows, Table, backends, printed::longa_naehrig::TRANSFORMS_IN_C},
};
use ntt::{Backend, Method};
use serde_json::{Value, json};

/// Words of the paper's code.
const BITS: u32 = 32;

pub(super) const NOTE: &str = "The paper measured whole implementations: its K-RED code against NewHope's portable code, whose products reduce by \
     Montgomery and sums by Barrett, on one Haswell core. With AVX2 its transforms were slightly slower than NewHope's. \
     Here network, words and machine are the same, and the method alone differs: the two factors are of different things, \
     and neither is divided by the other.";

/// One transform in one place.
pub(super) struct Claim {
    operation: Operation,
    backend: Backend,
    /// The method that stands for K-RED.
    k_red: Method,
    /// The paper's factor over NewHope's own code.
    paper: Option<f64>,
    /// Other methods with their time over that of K-RED, and whether that is to be quoted.
    factors: Vec<(Method, f64, bool)>,
}

impl Claim {
    fn over(&self, method: Method) -> Option<f64> {
        self.factors.iter().find(|(m, ..)| *m == method).map(|(_, factor, _)| *factor)
    }

    /// Over the ancestor of NewHope's own code.
    fn here(&self) -> Option<f64> {
        self.over(Method::Montgomery)
    }
}

fn others() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|m| !matches!(m, Method::KRed | Method::KRed2x))
}

fn paper(operation: Operation, backend: Backend) -> Option<f64> {
    match (operation, backend) {
        (Operation::Forward, Backend::Scalar) => Some(TRANSFORMS_IN_C[0]),
        (Operation::Inverse, Backend::Scalar) => Some(TRANSFORMS_IN_C[1]),
        _ => None,
    }
}

/// Every transform in every place where K-RED can be proved.
pub(super) fn claims(rows: &Rows) -> Vec<Claim> {
    let each = backends().into_iter().flat_map(|backend| OPERATIONS.map(|operation| (backend, operation)));
    let claim = |(backend, operation): (Backend, Operation)| {
        let row = |method| rows.get(&name(operation, method, (backend, BITS)));
        let (k_red, own) = [Method::KRed, Method::KRed2x].into_iter().find_map(|m| Some((m, row(m)?)))?;
        let factor = |m| row(m).map(|row| (m, row.core.median / own.core.median, row.unsure() || own.unsure()));
        let factors = others().filter_map(factor).collect();
        Some(Claim { operation, backend, k_red, paper: paper(operation, backend), factors })
    };
    each.filter_map(claim).collect()
}

/// One sentence for each factor of the paper.
pub(super) fn meaning(claims: &[Claim]) -> String {
    let sentence = |claim: &Claim| {
        let (paper, here) = (claim.paper?, claim.here()?);
        Some(format!(
            "The {} transform by {} on {} is {here:.2} times as fast as by Montgomery's method, where the paper has {paper:.2} \
             over NewHope's own code.",
            claim.operation.name(),
            claim.k_red,
            claim.backend
        ))
    };
    claims.iter().filter_map(sentence).collect::<Vec<_>>().join(" ")
}

pub(super) fn table(claims: &[Claim]) -> Table {
    let times = |factor: f64| format!("{factor:.2}×");
    let over = |claim: &Claim, method: Method| {
        let found = claim.factors.iter().find(|(m, ..)| *m == method);
        found.map(|(_, factor, unsure)| Cell::foreign(times(*factor), *factor, *unsure))
    };
    let meaning = format!(
        "K-RED in {BITS}-bit words: the paper's factor over NewHope's own code, and how many times as long each other \
         method takes here (below 1: it is faster than K-RED)."
    );
    Columns::new(meaning, claims)
        .group("", ["transform", "backend", "by"], |claim| {
            [claim.operation.name(), claim.backend.name(), claim.k_red.name()]
        })
        .group("paper, over NewHope's", ["in C"], |claim| [claim.paper.map(times)])
        .group("here, over the same network by", others(), |claim| {
            others().map(|method| over(claim, method)).collect::<Vec<_>>()
        })
        .table()
}

pub(super) fn data(claims: &[Claim]) -> Value {
    let row = |claim: &Claim| {
        let over = claim.factors.iter().map(|(m, factor, _)| json!({ "method": m.name(), "times_faster": factor }));
        json!({
            "operation": claim.operation.name(), "backend": claim.backend.name(), "bits": BITS,
            "k_red": claim.k_red.name(), "paper_over_newhope": claim.paper, "over": over.collect::<Value>(),
        })
    };
    claims.iter().map(row).collect()
}
