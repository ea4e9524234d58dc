//! Products modulo any `q` by residue channels: from coefficients to channels, and back.

use crate::{
    arith::{Interval, Modulus},
    exec::{Channel, Compiled, Operands, Plain, broadcast_row, each, run},
    network::{Elementwise, Folding},
    planner::CrtRecipe,
    reduction::Contract,
    transform::{Given, Transform},
    word::Word,
};
use alloc::vec::Vec;
use lanes::Backend;

/// A [`CrtRecipe`] with its tables.
#[derive(Clone, Debug)]
pub(crate) struct Crt<T: Word> {
    pub(crate) recipe: CrtRecipe,
    /// That of `q`, with the weights of the digits.
    q: Channel<T::Signed>,
    /// Those of the primes, with the inverses of the ones before.
    primes: Vec<Channel<T::Signed>>,
}

impl<T: Word> Crt<T> {
    /// The tables.
    pub(crate) fn new(recipe: CrtRecipe) -> Self {
        let (of_q, of_primes) = recipe.contracts();
        let backend = recipe.channels()[0].backend();
        let channel = |contract: Contract, residues: Vec<u64>| Channel {
            table: broadcast_row(&contract, backend, residues).into_iter().map(T::Signed::truncated).collect(),
            contract,
        };
        let primes: Vec<u64> = recipe.channels().iter().map(|channel| channel.q()).collect();
        let q = Modulus::any(recipe.q());
        let next = |before: &mut u64, prime: &u64| {
            let weight = *before;
            *before = q.mul(*before, prime % q.get());
            Some(weight)
        };
        let weights = primes.iter().scan(1, next).collect();
        let inverses = |i: usize| {
            let p = Modulus::any(primes[i]);
            primes[..i].iter().map(|before| p.inv(before % p.get())).collect()
        };
        Self {
            q: channel(of_q, weights),
            primes: of_primes.into_iter().enumerate().map(|(i, contract)| channel(contract, inverses(i))).collect(),
            recipe,
        }
    }

    /// The contract of `q`.
    pub(crate) const fn contract(&self) -> &Contract {
        &self.q.contract
    }

    fn backend(&self) -> Backend {
        self.recipe.channels()[0].backend()
    }

    /// Residues of the first `n` words in every section, transformed as `by` transforms them.
    pub(crate) fn forward(&self, channels: &[Transform<T>], a: &mut [T], by: impl Fn(&Transform<T>, &mut [T])) {
        let (n, length) = (self.recipe.n(), self.recipe.length());
        let (first, others) = a.split_at_mut(length);
        first[n..].fill(T::default());
        each(self.backend(), self.contract(), Elementwise::Centre, Operands::of(&mut *first));
        for (channel, section) in channels[1..].iter().zip(others.chunks_exact_mut(length)) {
            section.copy_from_slice(first);
            by(self.centred(channel, section), section);
        }
        by(self.centred(&channels[0], first), first);
    }

    /// The channel, which takes these words now.
    fn centred<'c>(&self, channel: &'c Transform<T>, section: &mut [T]) -> &'c Transform<T> {
        let input = channel.certificate().input();
        if !input.holds(Interval::symmetric(i128::from(self.recipe.q() / 2))) {
            channel.canonical(section);
        }
        channel
    }

    /// The polynomial of what is given in sections.
    pub(crate) fn inverse(&self, channels: &[Transform<T>], a: &mut [T], given: Given) {
        let (n, length) = (self.recipe.n(), self.recipe.length());
        for ((channel, prime), section) in channels.iter().zip(&self.primes).zip(a.chunks_exact_mut(length)) {
            channel.undo(given, section);
            if self.recipe.folds() {
                let (low, high) = section.split_at_mut(n);
                let job = Folding { how: self.recipe.fold() };
                run(Backend::Scalar, &prime.contract, job, Operands::new([low, &mut high[..n - 1]], []));
                high.fill(T::default());
            }
        }
        T::Signed::reconstruct(self.backend(), &self.q, &self.primes, length, T::signed_mut(a));
        a[n..].fill(T::default());
    }
}
