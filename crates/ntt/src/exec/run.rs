//! The way of jobs into compiled kernels: a word, a method and a backend become a shell of machine
//! code.

use super::{
    buffer::Buffer,
    erased::Erased,
    job::{Operands, Runner, Work},
    machine::{Layout, Machine, SCALING, Table},
    plain::Plain,
    shell::{Shell, misfit},
};
use crate::{
    kernels::with_compiled_kernels,
    model::{Value, interpret},
    network::{self, Direction, Each, Elementwise, FixedProgram, Forward, Inverse, Job, Kind, MAX_PRIMES, Program},
    planner::{CompiledRing, Recipe, is_ring, rings, with_rings},
    reduction::{self, Barrett, Code, Contract, Definition, KeptDouble, Method, Montgomery, Reduction, Unsigned},
};
use alloc::vec::Vec;
use core::{marker::PhantomData, ops::Range};
use lanes::{Backend, Bits, Lanes, Lanes16, Lanes64, LanesWide, Task16, Task32, Task64, has_lanes, scalar::Arrays};

/// One modulus of a CRT reconstruction, with its row of twiddles.
#[derive(Clone, Debug)]
pub struct Channel<T> {
    pub(crate) contract: Contract,
    pub(crate) table: Vec<T>,
}

/// Words that kernels are compiled for: the signed ones.
pub trait Compiled: Plain + Into<i64> {
    /// Runs a job.
    fn run(backend: Backend, contract: &Contract, work: Work<'_, '_, Self>);

    /// Runs a job of any crate by Montgomery's method, one word at a time; it is compiled there. Whether its table was
    /// read as it should be.
    fn run_single<J: Job<M, N>, const M: usize, const N: usize>(
        contract: &Contract,
        job: &J,
        operands: &mut Operands<'_, Self, M, N>,
    ) -> bool;

    /// Runs [`network::garner`].
    fn reconstruct(backend: Backend, q: &Channel<Self>, primes: &[Channel<Self>], length: usize, data: &mut [Self]);

    /// The compiled transform for a recipe: that of its ring, or the one for any ring.
    fn select(recipe: &Recipe, direction: Direction) -> Run<Self>;
}

/// Runs a job on words; on unsigned ones as on signed ones of the same bits.
#[inline(always)]
pub(crate) fn run<'a, T: Bits<Signed: Compiled>, J, const M: usize, const N: usize>(
    backend: Backend,
    contract: &Contract,
    job: J,
    operands: Operands<'a, T, M, N>,
) where
    for<'w> Work<'w, 'a, T::Signed>: From<(&'w J, &'w mut Operands<'a, T::Signed, M, N>)>,
{
    T::Signed::run(backend, contract, Work::from((&job, &mut operands.signed())));
}

/// Runs an operation on every word, or on pairs of words modulo the contract's modulus.
#[inline(always)]
pub(crate) fn each<'a, T: Bits<Signed: Compiled>>(
    backend: Backend,
    contract: &Contract,
    how: Elementwise,
    operands: Operands<'a, T, 1, 1>,
) {
    run(backend, contract, Each { how }, operands);
}

/// The compiled transform of one direction: on that backend, for that contract, a program on words.
pub(crate) type Run<T> = fn(Backend, &Contract, &Program<'_>, &mut Operands<'_, T, 1, 0>);

/// Where a job on words `T` runs.
#[derive(Clone, Copy)]
struct At<'a, T> {
    backend: Backend,
    contract: &'a Contract,
    word: PhantomData<T>,
}

/// A transform of a ring of which everything is known.
struct RingShell<'s, 'a, F, T>(FixedProgram<F>, &'s mut Operands<'a, T, 1, 0>);

/// A CRT reconstruction.
struct Reconstruction<'a, T> {
    q: &'a Channel<T>,
    primes: &'a [Channel<T>],
    length: usize,
    data: &'a mut [T],
}

#[inline(always)]
fn run_reconstruction<L: Lanes, R: Reduction<L>>(lanes: L, job: Reconstruction<'_, L::Word>) -> bool {
    let mut of_q = Machine::<L, R>::new(lanes, job.q.contract.constants(), Table::new(&job.q.table, &[], &[]));
    let mut primes = [of_q; MAX_PRIMES];
    let Some(primes) = primes.get_mut(..job.primes.len()) else { return false };
    for (prime, channel) in primes.iter_mut().zip(job.primes) {
        *prime = Machine::new(lanes, channel.contract.constants(), Table::new(&channel.table, &[], &[]));
    }
    let sections = job.length >> L::LANES.trailing_zeros();
    network::garner(&mut of_q, primes, sections, L::blocks_mut(job.data)).is_some()
}

/// Runs a job by the erased kernel.
fn run_erased<T: Compiled, J: Job<M, N>, const M: usize, const N: usize>(
    backend: Backend,
    contract: &Contract,
    job: &J,
    operands: &mut Operands<'_, T, M, N>,
) -> bool {
    let layout = Layout::of(backend, contract);
    let Operands { out, input, table, shared, scaling } = operands;
    let words = Widened::of(out, input, [table, shared, scaling]);
    let Some(memory) = run_on_any(layout, contract, *job, words) else { return false };
    narrow(out, &memory);
    true
}

/// The words of a job in 64 bits, wiped when they are gone.
struct Widened {
    /// What it writes, then what it reads.
    memory: Buffer<i64>,
    /// How many words each of these sequences has.
    lengths: Vec<usize>,
    /// Its table, what blocks share of it, and scaling twiddles.
    tables: Vec<Buffer<i64>>,
}

impl Widened {
    fn of<T: Compiled>(out: &[&mut [T]], input: &[&[T]], tables: [&[T]; 3]) -> Self {
        let mut lengths: Vec<usize> = out.iter().map(|words| words.len()).collect();
        lengths.extend(input.iter().map(|words| words.len()));
        let (mut memory, mut start) = (Buffer::zeros(lengths.iter().sum()), 0);
        for words in out.iter().map(|words| &**words).chain(input.iter().copied()) {
            widen(&mut memory.words_mut()[start..], words);
            start += words.len();
        }
        let widened = |words: &[T]| {
            let mut wide = Buffer::zeros(words.len());
            widen(wide.words_mut(), words);
            wide
        };
        Self { memory, lengths, tables: tables.iter().map(|words| widened(words)).collect() }
    }

    /// The places of the vectors of every sequence.
    fn vectors(&self, lanes: usize) -> Vec<Vec<Value>> {
        let mut start = 0;
        let mut vectors = Vec::new();
        for length in &self.lengths {
            vectors.push((0..length / lanes).map(|i| (start + i * lanes).into()).collect());
            start += length;
        }
        vectors
    }
}

fn widen<T: Compiled>(to: &mut [i64], words: &[T]) {
    to.iter_mut().zip(words).for_each(|(to, word)| *to = (*word).into());
}

/// The first words of memory, in the width that they had.
fn narrow<T: Compiled>(out: &mut [&mut [T]], memory: &Buffer<i64>) {
    let words = out.iter_mut().flat_map(|out| out.iter_mut());
    words.zip(memory.words()).for_each(|(to, word)| *to = T::truncated(*word));
}

/// Runs a job on words of 64 bits and gives its memory; `None` if its table was not read as it should be.
#[inline(never)]
fn run_on_any<J: Job<M, N>, const M: usize, const N: usize>(
    layout: Layout,
    contract: &Contract,
    job: J,
    words: Widened,
) -> Option<Buffer<i64>> {
    let mut vectors = words.vectors(layout.lanes);
    let (written, read) = vectors.split_at_mut_checked(M)?;
    let [table, shared, scaling] = &words.tables[..] else { return None };
    let table = Table::new(table.words(), shared.words(), scaling.words());
    let mut kernel = Erased::new(layout, contract, table, words.memory);
    interpret(job, &mut kernel, first(written.iter_mut().map(|v| &mut v[..])), first(read.iter().map(|v| &v[..])))?;
    kernel.is_done().then(|| kernel.into_memory())
}

/// The first sequences, and none in place of those that are missing.
#[inline(never)]
fn first<T: Default, const K: usize>(mut sequences: impl Iterator<Item = T>) -> [T; K] {
    core::array::from_fn(|_| sequences.next().unwrap_or_default())
}

/// Transforms of rings and reconstructions on those words as tasks on those lanes.
macro_rules! tasks {
    ($($word:ident: $task:ident, $lanes:ident, $on:ident;)*) => {$(
        impl<F: CompiledRing<Word = $word>> $task for RingShell<'_, '_, F, $word> {
            type Output = bool;
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, lanes: L) -> bool {
                let Self(job, Operands { out: [data], table, shared, scaling, .. }) = self;
                let Some(data) = data.get_mut(..F::N) else { return false };
                let operands = &mut Operands { out: [data], input: [], table, shared, scaling };
                let constants = const { &F::CONSTANTS };
                $task::run(Shell { code: PhantomData::<F::Method>, constants, job: &job, operands }, lanes)
            }
        }

        impl $task for Reconstruction<'_, $word> {
            type Output = bool;
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, lanes: L) -> bool {
                run_reconstruction::<L, <Barrett as Code>::$on<L>>(lanes, self)
            }
        }
    )*};
}
tasks! {
    i16: Task16, Lanes16, On16;
    i32: Task32, LanesWide, On32;
    i64: Task64, Lanes64, On64;
}

/// The form of the values of a job: what it makes of a method.
trait Values {
    /// The method on these.
    type By<D: Definition>: Code;
}

/// Words.
struct Words;
impl Values for Words {
    type By<D: Definition> = D;
}

/// What transforms keep of words.
struct Inside;
impl Values for Inside {
    type By<D: Definition> = D::Inside;
}

/// What has no order of its own runs one lane at a time in place of arrays.
fn of_machine(backend: Backend) -> Backend {
    if backend.is_array() { Backend::Scalar } else { backend }
}

/// On any machine backend, the scalar one included.
macro_rules! on_machine {
    (i16, $backend:expr, $task:expr) => {
        $backend.run_on_machine16($task)
    };
    (i32, $backend:expr, $task:expr) => {
        $backend.run_on_machine32($task)
    };
    (i64, $backend:expr, $task:expr) => {
        $backend.run_on_machine64($task)
    };
}

/// On any machine backend but the scalar one.
macro_rules! on_vectors {
    (i16, $method:ident, $backend:expr, $task:expr) => {
        $backend.run_on_vectors16($task)
    };
    (i32, $method:ident, $backend:expr, $task:expr) => {
        $backend.run_on_vectors32($task)
    };
    (i64, $method:ident, $backend:expr, $task:expr) => {
        on_vectors64::<reduction::$method>($backend, $task)
    };
}

/// A method of 52 bits is compiled for lanes that multiply these alone.
#[inline(always)]
fn on_vectors64<D: Definition>(backend: Backend, shell: impl Task64<Output = bool>) -> bool {
    if const { D::MULTIPLIES_52 } {
        backend.run64_of_52(shell).unwrap_or_default()
    } else {
        backend.run_on_vectors64(shell)
    }
}

/// On machines whose vectors keep those words as doubles; not otherwise.
macro_rules! on_doubles {
    (i64, $backend:expr, $task:expr) => {
        $backend.run64_of_doubles($task).unwrap_or_default()
    };
    ($word:ident, $backend:expr, $task:expr) => {{
        let _ = ($backend, $task);
        false
    }};
}

/// On the scalar backend alone.
macro_rules! on_one_lane {
    (i16, $task:expr) => {
        on_one_lane16($task)
    };
    (i32, $task:expr) => {
        on_one_lane32($task)
    };
    (i64, $task:expr) => {
        on_one_lane64($task)
    };
}

macro_rules! one_lane {
    ($($word:ident: $task:ident, $run:ident;)*) => {$(
        #[allow(dead_code, reason = "for words with methods on the scalar backend alone")]
        #[inline(never)]
        fn $run<S: $task>(task: S) -> S::Output {
            task.run(Arrays::<$word, 1>::new())
        }
    )*};
}
one_lane! {
    i16: Task16, on_one_lane16;
    i32: Task32, on_one_lane32;
    i64: Task64, on_one_lane64;
}

/// Runs on the vectors of a machine with `$lanes` lanes.
macro_rules! on_lanes {
    (i16, $lanes:expr, $backend:expr, $task:expr) => {
        $backend.run_on_lanes16::<{ $lanes }, _>($task)
    };
    (i32, $lanes:expr, $backend:expr, $task:expr) => {
        $backend.run_on_lanes32::<{ $lanes }, _>($task)
    };
    (i64, $lanes:expr, $backend:expr, $task:expr) => {
        $backend.run_on_lanes64::<{ $lanes }, _>($task)
    };
}

/// Gives the compiled transform of a ring, if it is the one.
macro_rules! select_ring {
    ($recipe:ident, $direction:ident, $word:ident, [$($ring:ident)*]) => {
        let _: &Recipe = $recipe; // a word may have no rings
        $(if const { has_lanes(<rings::$ring as CompiledRing>::LANES, $word::BITS) }
            && is_ring::<rings::$ring>($recipe, $direction)
        {
            return |backend, _, program, operands| {
                let task = RingShell(FixedProgram::<rings::$ring>::new(program.border), operands);
                if on_lanes!($word, <rings::$ring as CompiledRing>::LANES, backend, task) != Some(true) {
                    misfit();
                }
            };
        })*
    };
}

/// Whether shells of that kind are made for a method.
const fn has_shells(kind: Kind, method: Method) -> bool {
    !matches!(kind, Kind::Sums) || method.sums() > 0
}

/// The words of some places of all sequences, with no table but scaling twiddles.
#[inline(always)]
fn part<'o, T, const M: usize, const N: usize>(
    operands: &'o mut Operands<'_, T, M, N>,
    places: Range<usize>,
    scaling: &'o [T],
) -> Operands<'o, T, M, N> {
    Operands {
        scaling,
        ..Operands::new(
            operands.out.each_mut().map(|words| &mut words[places.clone()]),
            operands.input.map(|words| words.get(places.clone()).unwrap_or_default()),
        )
    }
}

macro_rules! compiled {
    ($($word:ident: machines [$($method:ident)*] vectors [$($vectors:ident)*] scalar [$($scalar:ident)*] sums [$($sums:ident)*];)*) => {$(
        impl At<'_, $word> {
            /// By the method of the contract, if it is listed, on values of that form.
            #[inline(always)]
            fn by_list<V: Values, J: Job<M, N>, const M: usize, const N: usize>(
                self,
                job: &J,
                operands: &mut Operands<'_, $word, M, N>,
            ) -> bool {
                let Self { backend, contract, .. } = self;
                let constants = contract.constants();
                let method = contract.method();
                if backend.is_array() || !method.is_native_to(backend) {
                    return run_erased(backend, contract, job, operands);
                }
                $(if const { has_shells(J::KIND, Method::$method) } && method == Method::$method {
                    return on_machine!($word, backend, Shell { code: PhantomData::<V::By<reduction::$method>>, constants, job, operands });
                })*
                $(if const { has_shells(J::KIND, Method::$vectors) } && method == Method::$vectors && backend != Backend::Scalar {
                    return on_vectors!($word, $vectors, backend, Shell { code: PhantomData::<V::By<reduction::$vectors>>, constants, job, operands });
                })*
                $(if const { matches!(J::KIND, Kind::Sums) } && method == Method::$sums && backend != Backend::Scalar {
                    return on_vectors!($word, $sums, backend, Shell { code: PhantomData::<V::By<reduction::$sums>>, constants, job, operands });
                })*
                $(if const { has_shells(J::KIND, Method::$scalar) } && method == Method::$scalar && backend == Backend::Scalar {
                    return on_one_lane!($word, Shell { code: PhantomData::<V::By<reduction::$scalar>>, constants, job, operands });
                })*
                run_erased(backend, contract, job, operands)
            }

            /// By the modulus alone, in whole vectors.
            #[inline(always)]
            fn by_modulus<J: Job<M, N>, const M: usize, const N: usize>(
                self,
                job: &J,
                mut operands: Operands<'_, $word, M, N>,
            ) -> bool {
                let (constants, operands) = (self.contract.constants(), &mut operands);
                if const { <$word>::BITS > 16 } && self.contract.method().is_unsigned() {
                    return on_machine!($word, self.backend, Shell { code: PhantomData::<Unsigned>, constants, job, operands });
                }
                on_machine!($word, self.backend, Shell { code: PhantomData::<Montgomery>, constants, job, operands })
            }

            /// The same for any number of words: those that do not fill a vector are taken one by one.
            #[inline(always)]
            fn each<J: Job<M, N>, const M: usize, const N: usize>(
                self,
                job: &J,
                operands: &mut Operands<'_, $word, M, N>,
            ) -> bool {
                let backend = of_machine(self.backend);
                let length = operands.out.iter().map(|words| words.len()).min().unwrap_or_default();
                let whole = length & !(backend.lanes(<$word>::BITS) - 1); // lanes are a power of two
                let scaling = operands.scaling;
                let done = Self { backend, ..self }.by_modulus(job, part(operands, 0..whole, scaling));
                if whole == length {
                    return done;
                }
                let mut single = [0; SCALING];
                let words = scaling.iter().step_by(backend.repeat(<$word>::BITS));
                single.iter_mut().zip(words).for_each(|(to, word)| *to = *word);
                done && Self { backend: Backend::Scalar, ..self }.by_modulus(job, part(operands, whole..length, &single))
            }
        }

        impl Runner<$word> for At<'_, $word> {
            #[inline(always)]
            fn run<J: Job<M, N>, const M: usize, const N: usize>(
                self,
                job: &J,
                operands: &mut Operands<'_, $word, M, N>,
            ) -> bool {
                let Self { backend, contract, .. } = self;
                let constants = contract.constants();
                if const { matches!(J::KIND, Kind::Transform) } {
                    self.by_list::<Inside, J, M, N>(job, operands)
                } else if const { matches!(J::KIND, Kind::Products | Kind::Sums) } {
                    self.by_list::<Words, J, M, N>(job, operands)
                } else if const { matches!(J::KIND, Kind::KeptProducts) && cfg!(mutants) } {
                    run_erased(backend, contract, job, operands) // as the transforms, which keep words there
                } else if const { matches!(J::KIND, Kind::KeptProducts) } {
                    on_doubles!($word, backend, Shell { code: PhantomData::<KeptDouble>, constants, job, operands })
                } else if const { matches!(J::KIND, Kind::Modulus) } {
                    self.each(job, operands)
                } else if const { matches!(J::KIND, Kind::Moves) } {
                    on_machine!($word, backend, Shell { code: PhantomData::<Montgomery>, constants, job, operands })
                } else if const { matches!(J::KIND, Kind::SingleWords) } {
                    <$word>::run_single(contract, job, operands)
                } else if const { <$word>::BITS == 16 } {
                    if backend.is_array() {
                        return run_erased(backend, contract, job, operands);
                    }
                    on_machine!($word, backend, Shell { code: PhantomData::<Montgomery>, constants, job, operands })
                } else {
                    if backend != Backend::Scalar || contract.method() != Method::Montgomery {
                        return run_erased(backend, contract, job, operands);
                    }
                    <$word>::run_single(contract, job, operands)
                }
            }
        }

        impl Compiled for $word {
            fn run(backend: Backend, contract: &Contract, work: Work<'_, '_, Self>) {
                if !work.by(At::<$word> { backend, contract, word: PhantomData }) {
                    misfit();
                }
            }

            #[inline(always)]
            fn run_single<J: Job<M, N>, const M: usize, const N: usize>(
                contract: &Contract,
                job: &J,
                operands: &mut Operands<'_, Self, M, N>,
            ) -> bool {
                let constants = contract.constants();
                on_one_lane!($word, Shell { code: PhantomData::<Montgomery>, constants, job, operands })
            }

            fn reconstruct(
                backend: Backend,
                q: &Channel<Self>,
                primes: &[Channel<Self>],
                length: usize,
                data: &mut [Self],
            ) {
                let backend = of_machine(backend);
                if !on_machine!($word, backend, Reconstruction { q, primes, length, data }) {
                    misfit();
                }
            }

            #[inline(never)] // inlined in another crate, it would have the shells of this word compiled there
            fn select(recipe: &Recipe, direction: Direction) -> Run<Self> {
                with_rings!($word, select_ring, recipe, direction);
                match direction {
                    Direction::Forward => |backend, contract, program, operands| {
                        let at = At::<$word> { backend, contract, word: PhantomData };
                        if !at.by_list::<Inside, _, 1, 0>(&Forward { program: *program }, operands) {
                            misfit();
                        }
                    },
                    Direction::Inverse => |backend, contract, program, operands| {
                        let at = At::<$word> { backend, contract, word: PhantomData };
                        if !at.by_list::<Inside, _, 1, 0>(&Inverse { program: *program }, operands) {
                            misfit();
                        }
                    },
                }
            }
        }
    )*};
}
with_compiled_kernels!(compiled);
