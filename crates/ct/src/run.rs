//! Cases: their names, their secrets, and what becomes public.

use crate::memcheck;
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use ringwork::{Backend, xof};
use std::{cell::Cell, process::ExitCode};

/// The cases of one backend. Lines that begin with `###` tell `cargo xtask ct` which case what
/// memcheck prints belongs to.
pub(crate) struct Run<'a> {
    pub(crate) backend: Backend,
    part: &'a str,
    cases: usize,
    without_secret: usize,
}

impl<'a> Run<'a> {
    pub(crate) const fn new(backend: Backend, part: &'a str) -> Self {
        Self { backend, part, cases: 0, without_secret: 0 }
    }

    /// Runs a case, which returns whether what came out was secret until it was made public.
    pub(crate) fn case(&mut self, name: &str, case: impl FnOnce() -> bool) {
        if !name.contains(self.part) {
            return;
        }
        eprintln!("### case {name}");
        let before = memcheck::errors();
        let secret = case();
        eprintln!("### errors {}", memcheck::errors() - before);
        self.cases += 1;
        if !secret {
            self.without_secret += 1;
            eprintln!("### without a secret: {name}");
        }
    }

    pub(crate) fn finish(self) -> ExitCode {
        eprintln!("### end of {} cases", self.cases);
        if self.without_secret == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Bytes that look random, made secret.
pub(crate) fn secret_bytes<const N: usize>() -> Box<[u8; N]> {
    let mut bytes = Box::new([0; N]);
    fill(&mut bytes[..]);
    bytes
}

/// Numbers from `low` to `high`, made secret.
pub(crate) fn secret_words<T: ntt::Word>(n: usize, low: i64, high: i64) -> Vec<T> {
    let words: Vec<T> = (0..n as i64).map(|i| T::from_i64(low + (i * 7919 + 17) % (high - low + 1))).collect();
    memcheck::conceal(&words);
    words
}

fn fill(bytes: &mut [u8]) {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    let call = CALLS.replace(CALLS.get() + 1);
    xof::chacha20(&[9; 32], call.to_le_bytes(), bytes);
    memcheck::conceal(bytes);
}

/// A generator whose bytes are secret.
pub(crate) struct SecretRng;

impl TryRng for SecretRng {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(*secret_bytes()))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill(bytes);
        Ok(())
    }
}
impl TryCryptoRng for SecretRng {}
