//! Threads of this process. A pool does not survive a fork, and Python's processes fork.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    mem::forget,
    process,
    sync::{Arc, Mutex, PoisonError},
};

/// Bytes of a thread's stack: without optimisation, a network inlined into one function has a large frame.
const STACK: usize = 1 << 24;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process; `None` if no thread can be had.
fn pool() -> Option<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let this = process::id();
    if let Some((id, pool)) = &*pool
        && *id == this
    {
        return Some(pool.clone());
    }
    let new = Arc::new(ThreadPoolBuilder::new().stack_size(STACK).build().ok()?);
    // The threads of another process are not here to be stopped.
    forget(pool.replace((this, new.clone())));
    Some(new)
}

/// Runs on the pool.
pub(crate) fn on_threads<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    match pool() {
        Some(pool) => pool.install(run),
        None => run(),
    }
}
