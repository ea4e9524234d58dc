//! Jobs of other crates, one word at a time: what a network that the engine does not have needs to run on words.

use super::{
    buffer::Buffer, encoding::pad, job::Operands, machine::SCALING, plain::Plain, run::Compiled, shell::misfit,
};
use crate::{
    network::Job,
    reduction::{Contract, Method},
};
use alloc::vec::Vec;
use lanes::Bits;

/// A table for jobs that run by Montgomery's method, one word at a time. Whoever calls [`run`](Self::run) compiles the
/// job.
#[derive(Clone, Debug)]
pub struct SingleWords<T: Plain> {
    contract: Contract,
    table: Buffer<T>,
}

impl<T: Plain + Bits<Signed: Compiled>> SingleWords<T> {
    /// A table of these twiddles, as [`Contract::encode`] or [`Contract::encode_exact`] gives them, in the order in
    /// which the rows of the job have them. Rows have twiddles for whole vectors alone.
    ///
    /// **Panics** if the contract is that of another method than Montgomery's, or for other words than `T`.
    pub fn new(contract: Contract, twiddles: impl IntoIterator<Item = [i64; 2]>) -> Self {
        let bits = contract.constants().bits;
        assert_eq!(contract.method(), Method::Montgomery, "single words are reduced by Montgomery's method");
        assert_eq!(bits as usize, 8 * size_of::<T>(), "a contract for {bits} bits");
        let mut words: Vec<T> = twiddles.into_iter().flatten().map(T::truncated).collect();
        pad(&mut words);
        Self { contract, table: Buffer::of(words) }
    }

    /// Words of the table, with those behind its last row.
    pub fn words(&self) -> usize {
        self.table.words().len()
    }

    /// Runs a job on words; `scaling` has the two twiddles of [`Kernel::scaling`](crate::network::Kernel::scaling), for
    /// a job that asks for them.
    ///
    /// **Panics** if the job does not read the whole table, or reads more.
    pub fn run<J: Job<M, N>, const M: usize, const N: usize>(
        &self,
        job: J,
        scaling: [[i64; 2]; 2],
        out: [&mut [T]; M],
        input: [&[T]; N],
    ) {
        let mut words = [T::default(); SCALING];
        words.iter_mut().zip(scaling.into_iter().flatten()).for_each(|(to, word)| *to = T::truncated(word));
        let operands = Operands { table: self.table.words(), scaling: &words, ..Operands::new(out, input) };
        if !T::Signed::run_single(&self.contract, &job, &mut operands.signed()) {
            misfit();
        }
    }
}
