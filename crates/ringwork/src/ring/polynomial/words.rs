//! The words of a polynomial: wiped on drop, then reused for the next polynomial.
//!
//! An allocator takes several hundred cycles to allocate and free a polynomial, as much as a small
//! transform. So each thread keeps a few buffers of dropped polynomials. Wiped buffers are zero;
//! threads share nothing.

use core::cell::RefCell;
use ntt::Buffer;

/// The number of buffers that a thread keeps.
const KEPT: usize = 16;

thread_local! {
    static SPARE: RefCell<Vec<Buffer<i16>>> = const { RefCell::new(Vec::new()) };
}

/// The words of one polynomial.
pub(super) struct Words(Option<Buffer<i16>>);

impl Words {
    /// `n` zeros.
    pub(super) fn zeros(n: usize) -> Self {
        let kept = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            let at = spare.iter().rposition(|buffer| buffer.words().len() == n)?;
            Some(spare.swap_remove(at))
        });
        Self(Some(kept.ok().flatten().unwrap_or_else(|| Buffer::zeros(n))))
    }

    /// The words.
    pub(super) fn words(&self) -> &[i16] {
        self.0.as_ref().map_or(&[], Buffer::words)
    }

    /// The words.
    pub(super) fn words_mut(&mut self) -> &mut [i16] {
        self.0.as_mut().map_or(&mut [], Buffer::words_mut)
    }
}

impl AsMut<[i16]> for Words {
    fn as_mut(&mut self) -> &mut [i16] {
        self.words_mut()
    }
}

impl Clone for Words {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.words().len());
        copy.words_mut().copy_from_slice(self.words());
        copy
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        let Some(mut buffer) = self.0.take() else { return };
        buffer.wipe();
        // A thread that exits has no list any more; the buffer is then freed.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(buffer);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_zero() {
        for n in [64, 128, 64] {
            let mut words = Words::zeros(n);
            assert_eq!(words.words(), vec![0; n]);
            words.words_mut().fill(7);
            assert_eq!(words.clone().words(), vec![7; n]);
            let at = words.words().as_ptr();
            drop(words);
            let again = Words::zeros(n);
            assert_eq!((again.words().as_ptr(), again.words()), (at, &vec![0; n][..]));
        }
        drop((0..3 * KEPT).map(|_| Words::zeros(32)).collect::<Vec<_>>());
        SPARE.with(|spare| assert_eq!(spare.borrow().len(), KEPT));
    }
}
