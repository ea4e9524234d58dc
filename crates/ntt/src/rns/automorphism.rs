//! The automorphisms `X -> X^k`: permutations of slots, and signed ones of coefficients.

use super::{Rns, RnsElement, RnsError, RnsNtt, RnsPoly};
use crate::{exec::Buffer, plan::Plan, planner::Recipe, ring::Ring, word::Word};
use alloc::{sync::Arc, vec, vec::Vec};

/// Where nothing comes from.
const NOWHERE: u32 = u32::MAX;

/// The automorphism `a(X) -> a(X^k)` of the ring of an [`Rns`], made once for each `k`.
///
/// Modulo `X^n + 1`, coefficient `j` becomes coefficient `jk mod n`, negated if `jk mod 2n` is `n` or more. A slot is
/// the value at a power `w^e` of the root, and the value of `a(X^k)` there is that of `a` at `w^(ek)`: slots change
/// places, in whatever order the plan has them, and nothing is computed.
///
/// Source: Gentry, Halevi and Smart, *Fully homomorphic encryption with polylog overhead* (2012), section 2.4, for
/// what automorphisms do to slots.
///
/// ```
/// use ringwork_ntt::Rns;
///
/// let rns = Rns::<u32>::new(64, &[7681, 12289])?;
/// let mut x = [0; 64];
/// x[1] = 1;
/// let conjugate = rns.automorphism(127)?; // X -> X^-1 = -X^63
/// let x = conjugate.poly(&rns.poly_of_i64(&x));
/// assert_eq!((x.residues(0, 0)[63], x.residues(0, 1)[63]), (7680, 12288));
/// # Ok::<(), ringwork_ntt::RnsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Automorphism<T: Word> {
    rns: Rns<T>,
    /// Where each coefficient comes from: what is added up, or subtracted.
    coefficients: Vec<(bool, Vec<u32>)>,
    /// Modulo each prime, where each slot comes from; none for slots of a degree above one.
    slots: Vec<Option<Arc<[u32]>>>,
}

impl<T: Word> Rns<T> {
    /// The automorphism `X -> X^k`.
    ///
    /// - **Constant time:** no; `k` is public.
    /// - **Errors** unless `k` is prime to the order of `X`: `2n` modulo `X^n + 1`, `n` modulo `X^n - 1`, and `3n`
    ///   modulo `X^n - X^(n/2) + 1`; and if the ring is [shifted](crate::Request::shift).
    pub fn automorphism(&self, k: u64) -> Result<Automorphism<T>, RnsError> {
        let n = self.n() as u64;
        let order = match self.ring() {
            Ring::Negacyclic => 2 * n,
            Ring::Cyclic => n,
            Ring::Trinomial => 3 * n,
        };
        let shift = self.channels[0].plan.recipe().map_or(1, Recipe::shift);
        if shift != 1 {
            return Err(RnsError::Shifted { shift });
        }
        if gcd(k % order, order) != 1 {
            return Err(RnsError::Automorphism { k, order });
        }
        let k = k % order;
        let mut slots: Vec<Option<Arc<[u32]>>> = Vec::new();
        let mut before: Option<(Vec<usize>, Arc<[u32]>)> = None;
        for plan in self.plans() {
            let Some(canonical) = canonical_order(plan).filter(|_| slot_degree(plan) == 1) else {
                slots.push(None);
                continue;
            };
            let same = before.take().filter(|(order, _)| *order == canonical);
            let (canonical, moves) = same.unwrap_or_else(|| {
                let moves = moves_of_slots(self.ring(), &canonical, k, order);
                (canonical, moves)
            });
            slots.push(Some(moves.clone()));
            before = Some((canonical, moves));
        }
        Ok(Automorphism { rns: self.clone(), coefficients: moves_of_coefficients(self.ring(), n, k), slots })
    }
}

impl<T: Word> Automorphism<T> {
    /// Of every polynomial, `a(X^k)`.
    ///
    /// - **Order:** natural. **Constant time:** yes, for a given `k`.
    /// - **Panics** if `a` belongs to another ring.
    #[must_use]
    pub fn poly(&self, a: &RnsPoly<T>) -> RnsPoly<T> {
        self.moved(a, |_, plan, from, to| {
            let mut near = Buffer::zeros(from.len());
            for (negative, moves) in &self.coefficients {
                gather(moves, from, near.words_mut());
                if *negative { plan.sub(to, near.words()) } else { plan.add(to, near.words()) }
            }
        })
    }

    /// The transform of `a(X^k)` for every transformed polynomial `a`.
    ///
    /// - **Order:** that of each plan. **Constant time:** yes, for a given `k`.
    /// - **Errors** if the transform modulo a prime is incomplete: there, the parts of a slot would have to be
    ///   multiplied.
    /// - **Panics** if `a` belongs to another ring.
    pub fn ntt(&self, a: &RnsNtt<T>) -> Result<RnsNtt<T>, RnsError> {
        let moves = self.slots.iter().zip(self.rns.plans()).map(|(moves, plan)| {
            moves.as_ref().ok_or_else(|| RnsError::Incomplete { q: plan.q(), degree: slot_degree(plan) })
        });
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        Ok(self.moved(a, |prime, _, from, to| gather(moves[prime], from, to)))
    }

    fn moved<D>(
        &self,
        a: &RnsElement<T, D>,
        run: impl Fn(usize, &Plan<T>, &[T], &mut [T]) + Send + Sync,
    ) -> RnsElement<T, D> {
        self.rns.own(a);
        let (n, count, from) = (self.rns.n(), a.len(), a.words.words());
        let mut out = self.rns.element(count);
        self.rns.each_polynomial(&mut out, |[prime, at], plan, to| {
            run(prime, plan, &from[(prime * count + at) * n..][..n], to);
        });
        out
    }
}

/// Words from the places that `moves` names.
fn gather<T: Word>(moves: &[u32], from: &[T], to: &mut [T]) {
    to.iter_mut().zip(moves).for_each(|(word, at)| *word = from.get(*at as usize).copied().unwrap_or_default());
}

fn canonical_order<T: Word>(plan: &Plan<T>) -> Option<Vec<usize>> {
    plan.canonical_order()
}

fn slot_degree<T: Word>(plan: &Plan<T>) -> usize {
    plan.recipe().map_or(0, |recipe| recipe.slot_degree())
}

/// For each position of the plan, the position of the slot that moves there: to `e` that of `ek`.
fn moves_of_slots(ring: Ring, canonical: &[usize], k: u64, order: u64) -> Arc<[u32]> {
    let mut position = vec![0; canonical.len()];
    canonical.iter().zip(0_u32..).for_each(|(&index, at)| position[index] = at);
    let from = |&index: &usize| {
        let e = ring.exponent_of(index) as u64 * k % order;
        position[ring.slot(e as usize)]
    };
    canonical.iter().map(from).collect()
}

/// For each coefficient of the result, the coefficients that are added up there, and those that are subtracted.
fn moves_of_coefficients(ring: Ring, n: u64, k: u64) -> Vec<(bool, Vec<u32>)> {
    // `X^length` is -1, or 1 in the cyclic ring; X^n - X^(n/2) + 1 divides X^(3n/2) + 1.
    let length = if ring == Ring::Trinomial { 3 * n / 2 } else { n };
    let none = || vec![NOWHERE; n as usize];
    let (mut whole, mut folded) = ([none(), none()], [none(), none()]);
    for j in 0..n {
        let (to, turns) = (j * k % length, j * k / length);
        let negative = usize::from(ring != Ring::Cyclic && turns % 2 == 1);
        let (from, to, half) = (j as u32, to as usize, n as usize / 2);
        match to.checked_sub(n as usize) {
            None => whole[negative][to] = from,
            // X^(n+i) = X^(n/2+i) - X^i.
            Some(i) => {
                folded[negative][half + i] = from;
                folded[1 - negative][i] = from;
            }
        }
    }
    let all = whole.into_iter().chain(folded).zip([false, true, false, true]);
    let used = all.filter(|(moves, _)| moves.iter().any(|at| *at != NOWHERE));
    used.map(|(moves, negative)| (negative, moves)).collect()
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
