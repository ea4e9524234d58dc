//! Work on pieces of memory: one after the other, or, with the feature `threads`, on all threads of
//! rayon's current pool. What comes out is the same either way.

use alloc::vec::Vec;
#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Words that a thread takes at once at least: fewer cost more to hand out than to compute.
#[cfg(feature = "threads")]
const FEWEST: usize = 1 << 13;

/// Runs on pieces of `length` words, the last of which may be shorter, with memory that `init`
/// makes for each thread. Returns what each run gives.
pub(crate) fn each_piece<T: Send, S, R: Send>(
    data: &mut [T],
    length: usize,
    init: impl Fn() -> S + Send + Sync,
    run: impl Fn(&mut S, usize, &mut [T]) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    if data.len() >= 2 * FEWEST {
        let pieces = data.par_chunks_mut(length).with_min_len((FEWEST / length).max(1)).enumerate();
        return pieces.map_init(init, |memory, (i, piece)| run(memory, i, piece)).collect();
    }
    let mut memory = init();
    data.chunks_mut(length).enumerate().map(|(i, piece)| run(&mut memory, i, piece)).collect()
}

/// Threads of the pool.
#[cfg(any(feature = "std", feature = "threads"))]
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Runs all tasks, in any order.
#[cfg(feature = "threads")]
pub(crate) fn each<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Send + Sync) {
    tasks.into_par_iter().for_each(run);
}

/// Runs on two pieces.
pub(crate) fn both<T: Send>(data: [&mut [T]; 2], run: impl Fn(usize, &mut [T]) + Send + Sync) {
    let [first, second] = data;
    #[cfg(feature = "threads")]
    if first.len() >= FEWEST {
        rayon::join(|| run(0, first), || run(1, second));
        return;
    }
    run(0, first);
    run(1, second);
}
