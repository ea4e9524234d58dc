//! The backends that tests of rings and schemes run on.

use ntt::Backend;

/// Every backend of this machine, arrays of 4 to 32 lanes among them, but for those that the engine
/// has no plans for yet: of more than 16 lanes of 16 bits.
pub(crate) fn backends() -> impl Iterator<Item = Backend> {
    Backend::available().filter(|backend| backend.lanes(16) <= 16)
}
