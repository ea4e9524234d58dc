//! What memcheck must find, or nothing that it does not find means anything: a branch and an index,
//! both on a secret.

use crate::run::{Run, secret_bytes};
use std::hint::black_box;

pub(crate) fn run(run: &mut Run<'_>) {
    let (secret, table) = (secret_bytes::<1>(), black_box([1_u8; 256]));
    run.case("known bad: branch", || branch(secret[0]));
    run.case("known bad: index", || index(&table, secret[0]));
}

#[inline(never)]
fn branch(secret: u8) -> bool {
    if secret & 1 == 1 {
        black_box("odd");
    } else {
        black_box("even");
    }
    true
}

#[inline(never)]
fn index(table: &[u8; 256], secret: u8) -> bool {
    black_box(table[usize::from(secret)]);
    true
}
