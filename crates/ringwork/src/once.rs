//! What is made once, at its first use: plans of rings, and what keys derive from their bytes.
//!
//! Without std nobody can wait for another thread: if two make the same thing at once, one of the two things is dropped.

use alloc::{boxed::Box, sync::Arc};
use ntt::Backend;
#[cfg(feature = "std")]
pub(crate) use std::sync::OnceLock as Once;

/// A value that is made at its first use.
#[cfg(not(feature = "std"))]
pub(crate) struct Once<T>(once_cell::race::OnceBox<T>);

#[cfg(not(feature = "std"))]
impl<T> Once<T> {
    pub(crate) const fn new() -> Self {
        Self(once_cell::race::OnceBox::new())
    }

    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| Box::new(make()))
    }
}

#[cfg(not(feature = "std"))]
impl<T> From<T> for Once<T> {
    fn from(value: T) -> Self {
        Self(once_cell::race::OnceBox::with_value(Box::new(value)))
    }
}

/// A value for each backend that is asked for: a chain, which grows at its end.
pub(crate) struct PerBackend<E>(Once<Box<Link<E>>>);

struct Link<E> {
    backend: Backend,
    value: Arc<E>,
    next: PerBackend<E>,
}

impl<E> PerBackend<E> {
    pub(crate) const fn new() -> Self {
        Self(Once::new())
    }

    /// The value of that backend, made at the first call for it.
    pub(crate) fn get(&self, backend: Backend, make: impl Fn(Backend) -> Arc<E>) -> Arc<E> {
        let mut chain = self;
        loop {
            let link = chain.0.get_or_init(|| Box::new(Link { backend, value: make(backend), next: Self::new() }));
            if link.backend == backend {
                return link.value.clone();
            }
            chain = &link.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn every_backend_has_its_own_value_once() {
        static NAMES: PerBackend<String> = PerBackend::new();
        let made = AtomicUsize::new(0);
        let name = |backend| {
            NAMES.get(backend, |backend| {
                made.fetch_add(1, Relaxed);
                Arc::new(format!("{backend}"))
            })
        };
        for backend in Backend::available().chain(Backend::available()) {
            assert_eq!(*name(backend), format!("{backend}"));
        }
        assert_eq!(made.load(Relaxed), Backend::available().count());
    }
}
