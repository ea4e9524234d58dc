//! What a plan is, as a number that lasts and in a line.

use super::single::Plan;
use crate::word::Word;
use core::fmt;

impl<T: Word> Plan<T> {
    /// A number that says whether stored words fit a plan: plans with equal fingerprints give the same transformed
    /// words and products, up to multiples of the modulus, and take those of each other.
    ///
    /// It covers ring, degree, modulus, bits of a word, lanes of a vector, slot order, depth, layers in thirds, root,
    /// shift and method; of every residue channel its transform and its prime, and the sums that they have room for;
    /// and what every layer and every slot product reduces. Signed and unsigned words have the same bits, and so the
    /// same number. It does not cover what is not seen in words: backends whose vectors have as many lanes,
    /// [blocks](crate::Recipe::blocks) and cost models. A version of this crate that gives words another meaning gives
    /// all plans another number.
    ///
    /// The number is the hash FNV-1a of 64 bits, of numbers of 64 bits in little-endian order and of names. It is the
    /// same in every process, on every machine and by every compiler. It is no protection: who wants to can
    /// find requests with equal numbers.
    ///
    /// **Constant time:** no; plans are public.
    ///
    /// ```
    /// use ringwork_ntt::{Backend, Plan, Request, SlotOrder};
    ///
    /// let request = Request::new(256, 3329).backend(Backend::Scalar);
    /// let [plan, same] = [Plan::<i16>::with(&request)?, Plan::<i16>::with(&request)?];
    /// assert_eq!(plan.fingerprint(), same.fingerprint());
    /// let other = Plan::<i16>::with(&request.slot_order(SlotOrder::BitReversed))?;
    /// assert_ne!(plan.fingerprint(), other.fingerprint());
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.origin.fingerprint()
    }
}

/// One line: what the plan is, without its tables.
impl<T: Word> fmt::Debug for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, sign) = (self.channels[0].recipe(), if T::SIGNED { 'i' } else { 'u' });
        let (method, backend, depth) = (first.method(), self.backend().name(), first.depth());
        write!(f, "Plan({}, n = {}, q = {}, {sign}{}, ", self.ring(), self.n(), self.q(), T::BITS)?;
        if let Some(recipe) = self.crt_recipe() {
            write!(f, "{} residue channels, ", recipe.channels().len())?;
        }
        write!(f, "{method} on {backend}, depth {depth}")?;
        if first.thirds() > 0 {
            write!(f, " and {} in thirds", first.thirds())?;
        }
        match self.crt_recipe() {
            None if first.shift() == 1 => write!(f, ", {})", self.slot_order()),
            None => write!(f, ", shift {}, {})", first.shift(), self.slot_order()),
            Some(recipe) => write!(f, ", sums of {})", recipe.sums()),
        }
    }
}
