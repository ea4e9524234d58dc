//! Memory that a thread keeps of buffers.

use alloc::vec::Vec;

/// Memory of buffers that a thread has dropped, the oldest first. An allocator would clear it again, and give large
/// buffers back to the system, whose page faults then cost a batch of keys a quarter of its time.
#[derive(Debug)]
pub struct Kept<T> {
    all: Vec<Vec<T>>,
    bytes: usize,
}

/// [`Kept`] of one thread.
pub(super) type OfThread<T> = std::thread::LocalKey<core::cell::RefCell<Kept<T>>>;

impl<T> Kept<T> {
    const MOST: usize = 64;
    /// Beside a cache line for each.
    const MOST_BYTES: usize = (4 << 20) + Self::MOST * 64;

    pub(super) const fn new() -> Self {
        Self { all: Vec::new(), bytes: 0 }
    }

    fn remove(&mut self, at: usize) -> Vec<T> {
        let storage = self.all.remove(at);
        self.bytes -= size_of_val(&storage[..]);
        storage
    }

    pub(super) fn take(&mut self, length: usize) -> Option<Vec<T>> {
        let at = self.all.iter().rposition(|storage| storage.len() == length)?;
        Some(self.remove(at))
    }

    pub(super) fn give(&mut self, storage: Vec<T>) {
        let bytes = size_of_val(&storage[..]);
        if bytes <= Self::MOST_BYTES {
            while self.all.len() == Self::MOST || self.bytes + bytes > Self::MOST_BYTES {
                self.remove(0);
            }
            self.bytes += bytes;
            self.all.push(storage);
        }
    }
}
