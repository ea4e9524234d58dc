//! Division by several primes at once.

use super::{BaseExtension, Channel, Rns, RnsError, RnsPoly};
use crate::{exec::SCALING, word::Word};
use alloc::vec::Vec;

/// Division by the product `P` of the last primes of a ring, with rounding: from residues modulo `Q·P` to those modulo
/// `Q`, the product of the others. For one prime this is [`Rns::rescale`].
///
/// Sources: Gentry, Halevi and Smart, *Homomorphic evaluation of the AES circuit* (2012), for the division after key
/// switching; Cheon, Han, Kim, Kim and Song, *A full RNS variant of approximate homomorphic encryption* (2018), for
/// residues.
///
/// ```
/// use ringwork_ntt::Rns;
///
/// let rns = Rns::<u32>::new(64, &[12289, 257, 7681])?;
/// let down = rns.mod_down(2)?;
/// let a = down.run(&rns.poly_of_i64(&[1000 * 257 * 7681 - 900_000; 64]));
/// assert_eq!(a.residues(0, 0), [1000; 64]);
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModDown<T: Word> {
    from: Rns<T>,
    to: Rns<T>,
    /// From the residues modulo `P` to those modulo `Q`.
    remainder: BaseExtension<T>,
    /// `P^-1` modulo each prime of `Q`, as a twiddle.
    inverses: Vec<[T; SCALING]>,
}

impl<T: Word> Rns<T> {
    /// Division by the last `primes` primes.
    ///
    /// - **Constant time:** no; primes are public.
    /// - **Errors** if these are none, or all.
    pub fn mod_down(&self, primes: usize) -> Result<ModDown<T>, RnsError> {
        let all = self.channels.len();
        let kept = all.checked_sub(primes).ok_or(RnsError::Part { end: primes, primes: all })?;
        let (to, dropped) = (self.part(0..kept)?, self.part(kept..all)?);
        let inverse = |channel: &Channel<T>| {
            let p = channel.contract.modulus();
            channel.twiddle(p.inv(channel.residue_of(dropped.modulus())))
        };
        let inverses = to.channels.iter().map(inverse).collect();
        Ok(ModDown { remainder: dropped.extension_to(&to)?, from: self.clone(), to, inverses })
    }
}

impl<T: Word> ModDown<T> {
    /// The ring modulo `Q`, in which the result is.
    pub const fn ring(&self) -> &Rns<T> {
        &self.to
    }

    /// `round(x/P)` of every coefficient: there are no ties, since `P` is odd, and the result is the same for `x` in
    /// `[0, Q·P)` and for centred `x`.
    ///
    /// - **Order:** natural. **Constant time:** yes.
    /// - **Panics** if `a` belongs to another ring.
    #[must_use]
    pub fn run(&self, a: &RnsPoly<T>) -> RnsPoly<T> {
        self.divided(a, |out, residues| self.remainder.convert(out, residues, true))
    }

    /// `round(x/P) - u` of every coefficient, where `|u| ≤ k/2` for `k` primes: with the remainder of
    /// [`BaseExtension::run_approximate`].
    ///
    /// **Order**, **constant time**, **panics:** as [`run`](Self::run).
    #[must_use]
    pub fn run_approximate(&self, a: &RnsPoly<T>) -> RnsPoly<T> {
        self.divided(a, |out, residues| self.remainder.approximate(out, residues))
    }

    fn divided(&self, a: &RnsPoly<T>, remainder: impl FnOnce(&mut [T], &[T])) -> RnsPoly<T> {
        let Self { from, to, inverses, .. } = self;
        from.own(a);
        let mut of_p = to.zeros(a.len());
        if a.is_empty() {
            return of_p;
        }
        let kept = to.channels.len();
        remainder(of_p.words.words_mut(), &a.words.words()[kept * a.all()..]);
        let mut out = a.part(0..kept);
        let (n, count, of_p) = (to.n(), a.len(), of_p.words.words());
        to.each_polynomial(&mut out, |[prime, at], _, a| {
            let remainder = &of_p[(prime * count + at) * n..][..n];
            to.channels[prime].subtract_and_scale(a, remainder, &inverses[prime]);
        });
        out
    }
}
