//! Parameters that are known at run time alone, in the narrowest words that have a plan.

use super::{Error, Lwe, Multiplier, Parameters};
use crate::{module::Module, sample::Word};

/// Something to be done with encryption, whatever its words and multiplier.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<T: Word + Send + Sync + 'static, M: Multiplier<T> + Send + Sync + 'static>(
        self,
        lwe: Lwe<T, M>,
    ) -> Self::Output;
}

/// Does a task with encryption by transforms in words of 16, 32 or 64 bits, the narrowest that have a plan; for
/// numbers, which have no transform, by the definition.
///
/// **Errors** if no words have a plan for the ring.
pub fn in_narrowest_words<K: Task>(parameters: Parameters, task: K) -> Result<K::Output, Error> {
    if parameters.n == 1 {
        return Ok(task.with(Lwe::<i64, _>::by_schoolbook(parameters)));
    }
    if let Some(lwe) = in_words::<i16>(parameters) {
        return Ok(task.with(lwe));
    }
    if let Some(lwe) = in_words::<i32>(parameters) {
        return Ok(task.with(lwe));
    }
    Ok(task.with(Lwe::<i64, Module<i64>>::by_transform(parameters)?))
}

/// In these words, if `2q` fits them and they have a plan.
fn in_words<T: Word>(parameters: Parameters) -> Option<Lwe<T, Module<T>>> {
    let fits = 2 * parameters.q < 1 << (T::BITS - 1);
    fits.then(|| Lwe::by_transform(parameters)).and_then(Result::ok)
}
