//! Residue number systems, for `bench`: integers to residues and back, beside products.

use crate::{fault::Fault, measure::Job};
use ntt::{Backend, Request, Rns, arith::primes};
use std::{hint::black_box, rc::Rc};

/// A ring modulo primes of one size, in words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    primes: usize,
    bits: u32,
    n: usize,
    backend: Backend,
}

/// Numbers of primes, with a degree that goes with them in homomorphic encryption.
const SHAPES: [(usize, usize); 4] = [(3, 4096), (3, 8192), (8, 16384), (16, 32768)];
/// Sizes of primes: what doubles multiply exactly, and what words do.
const BITS: [u32; 2] = [50, 60];
const OPERATIONS: [&str; 3] = ["decompose", "recompose", "multiply"];

impl Shape {
    /// Those that a backend has.
    pub(crate) fn all(backend: Backend) -> impl Iterator<Item = Self> {
        BITS.into_iter().flat_map(move |bits| SHAPES.map(|(primes, n)| Self { primes, bits, n, backend }))
    }

    /// `rns/number of primes-of-bits/n/backend`.
    pub(crate) fn title(self) -> String {
        format!("rns/{}-of-{}/{}/{}", self.primes, self.bits, self.n, self.backend)
    }

    /// The names of its rows.
    pub(crate) fn names(self) -> [String; 3] {
        OPERATIONS.map(|operation| format!("{}/{operation}", self.title()))
    }

    /// All its jobs.
    ///
    /// **Errors** if there is no such ring.
    pub(crate) fn jobs(self) -> Result<[Job<'static>; 3], Fault> {
        let none = |why: &dyn std::fmt::Display| Fault::Negative(why.to_string());
        let found = primes(2 * self.n as u64, self.bits).map_err(|why| none(&why))?;
        let found: Vec<u64> = found.rev().take(self.primes).map(|p| p.get()).collect();
        let ring = Request::new(self.n, 0).backend(self.backend);
        let rns = Rc::new(Rns::<u64>::with(&ring, &found).map_err(|why| none(&why))?);
        let word = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let integers: Vec<u64> = (0..self.n * rns.limbs()).map(word).collect();
        let mut residues = vec![0; rns.words()];
        rns.decompose(&mut residues, &integers);
        let [decompose, recompose, multiply] = self.names();
        let [mut out, mut product] = [(); 2].map(|()| vec![0; rns.words()]);
        let mut back = vec![0; integers.len()];
        let [down, up, times] = [(); 3].map(|()| Rc::clone(&rns));
        let (for_back, a) = (residues.clone(), residues.clone());
        Ok([
            Job::new(&decompose, move || down.decompose(&mut out, black_box(&integers))),
            Job::new(&recompose, move || up.recompose(&mut back, black_box(&for_back))),
            Job::new(&multiply, move || times.multiply(&mut product, black_box(&a), &residues)),
        ])
    }
}
