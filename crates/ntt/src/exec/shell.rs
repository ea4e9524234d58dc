//! A job with the method it runs by, as a task on lanes.

use super::{
    job::Operands,
    machine::{Machine, Table},
};
use crate::{
    network::Job,
    reduction::{Code, Constants},
};
use core::marker::PhantomData;
use lanes::{Lanes16, Lanes64, LanesWide, Task16, Task32, Task64};

/// A job with the method it runs by.
pub(crate) struct Shell<'s, 'a, F, J, T, const M: usize, const N: usize> {
    pub(crate) code: PhantomData<F>,
    pub(crate) constants: &'s Constants,
    pub(crate) job: &'s J,
    pub(crate) operands: &'s mut Operands<'a, T, M, N>,
}

/// Jobs on those words as tasks on those lanes, with the reduction that the method has for them.
macro_rules! tasks {
    ($($word:ident: $task:ident, $lanes:ident, $on:ident;)*) => {$(
        impl<F: Code, J: Job<M, N>, const M: usize, const N: usize> $task for Shell<'_, '_, F, J, $word, M, N> {
            type Output = bool;
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, lanes: L) -> bool {
                let Self { constants, job, operands, .. } = self;
                let table = Table::new(operands.table, operands.shared, operands.scaling);
                let mut machine = Machine::<L, F::$on<L>>::new(lanes, constants, table);
                let out = operands.out.each_mut().map(|words| L::blocks_mut(words));
                job.run(&mut machine, out, operands.input.map(L::blocks)).is_some() && machine.is_done()
            }
        }
    )*};
}
tasks! {
    i16: Task16, Lanes16, On16;
    i32: Task32, LanesWide, On32;
    i64: Task64, Lanes64, On64;
}

/// A table that does not fit its passes would leave words half transformed.
#[cold]
#[inline(never)]
pub(crate) fn misfit() -> ! {
    panic!("the table of a plan does not fit its passes");
}
