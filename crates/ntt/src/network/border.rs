//! The ends of transforms of kernels that keep values in a form of their own: where words enter, and where they
//! leave.
//!
//! Most words enter as the first pass loads them, and leave as the last one stores them, by a kernel that does no more
//! than that to another one: a pass of its own would take as long as a layer.

use super::{
    elementwise::{canonical_by_reduction, canonical_of_reduced, each, reduce},
    kernel::{Kernel, Residues},
    pass::Pass,
};

/// What lies before and after the passes of a transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Border {
    /// For kernels that keep values in a form of their own: words become what is kept.
    pub enter: Crossing,
    /// Slots are reduced: after a forward transform, before an inverse one.
    pub reduce: bool,
    /// For kernels that keep values in a form of their own: what is kept becomes words.
    pub leave: Crossing,
    /// How coefficients of an inverse transform become canonical.
    pub canonical: ToCanonical,
}

impl Border {
    /// From words to words, whatever they are.
    pub const ANY: Self =
        Self { enter: Crossing::Any, reduce: false, leave: Crossing::Any, canonical: ToCanonical::Never };
}

/// Between words and what is kept of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// Nothing.
    #[default]
    None,
    /// Of any that a transform takes.
    Any,
    /// Of small ones, for which some kernels have a shorter way.
    Small,
}

/// How values become canonical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToCanonical {
    /// They stay as they are.
    #[default]
    Never,
    /// They are in `(-q, q)`: negative ones get `q` added.
    FromReduced,
    /// A reduction brings them into `(-q, q)` first.
    ByReduction,
}

/// Before the passes; `reduces` says whether values are reduced here.
#[inline(always)]
pub fn enter<K: Kernel>(k: &mut K, data: &mut [K::Block], how: Crossing, reduces: bool) -> Option<()> {
    match how {
        _ if !K::ENTERS && reduces => reduce(k, data),
        _ if !K::ENTERS => Some(()),
        Crossing::None if !reduces => Some(()),
        Crossing::Small if !reduces => each!(k, data, |x| k.enter::<true>(x)),
        _ => each!(k, data, |x| {
            let x = if how == Crossing::None { x } else { k.enter::<false>(x) };
            if reduces { k.reduce(x) } else { x }
        }),
    }
}

/// After the passes of a forward transform; `reduces` says whether slots are reduced here.
#[inline(always)]
pub fn leave_slots<K: Residues>(k: &mut K, data: &mut [K::Block], how: Crossing, reduces: bool) -> Option<()> {
    match how {
        _ if !K::ENTERS && reduces => reduce(k, data),
        _ if !K::ENTERS => Some(()),
        Crossing::None if reduces => reduce(k, data),
        Crossing::None => Some(()),
        Crossing::Small => each!(k, data, |x| left::<K, true>(k, x, reduces, false)),
        Crossing::Any => each!(k, data, |x| left::<K, false>(k, x, reduces, false)),
    }
}

/// After the passes of an inverse transform.
#[inline(always)]
pub fn leave<K: Residues>(k: &mut K, data: &mut [K::Block], how: Crossing, to: ToCanonical) -> Option<()> {
    if !K::ENTERS || how == Crossing::None {
        return match to {
            ToCanonical::Never => Some(()),
            ToCanonical::FromReduced => canonical_of_reduced(k, data),
            ToCanonical::ByReduction => canonical_by_reduction(k, data),
        };
    }
    let (reduces, canonical) = (to == ToCanonical::ByReduction, to != ToCanonical::Never);
    match how {
        Crossing::Small => each!(k, data, |x| left::<K, true>(k, x, reduces, canonical)),
        _ => each!(k, data, |x| left::<K, false>(k, x, reduces, canonical)),
    }
}

#[inline(always)]
fn left<K: Residues, const SMALL: bool>(k: &mut K, x: K::V, reduces: bool, canonical: bool) -> K::V {
    let x = if reduces { k.reduce(x) } else { x };
    let x = k.leave::<SMALL>(x);
    if canonical { k.add_q_to_negative(x) } else { x }
}

impl Border {
    /// Whether words enter with the first pass of a transform and leave with its last one.
    pub(super) fn crossed_by<K: Kernel>(self, passes: &[Pass]) -> [bool; 2] {
        let [outer, .., inner] = passes else { return [false; 2] };
        let fit = matches!(outer, Pass::Outer { .. }) && matches!(inner, Pass::Inner { parts: 1, .. });
        let small = [self.enter, self.leave].map(|crossing| K::ENTERS && fit && crossing == Crossing::Small);
        [small[0], small[1] && self.canonical != ToCanonical::ByReduction]
    }
}

/// Another kernel, whose words enter as they are loaded, or leave as they are stored; and are reduced there, or
/// become canonical.
pub(super) struct Crossed<'k, K, const ENTERS: bool, const REDUCES: bool, const CANONICAL: bool>(pub(super) &'k mut K);

impl<K: Residues, const ENTERS: bool, const REDUCES: bool, const CANONICAL: bool> Kernel
    for Crossed<'_, K, ENTERS, REDUCES, CANONICAL>
{
    type V = K::V;
    type Tw = K::Tw;
    type Block = K::Block;
    const INSIDE: bool = K::INSIDE;

    #[inline(always)]
    fn load(&mut self, b: &K::Block) -> K::V {
        let x = self.0.load(b);
        if !ENTERS {
            return x;
        }
        let x = self.0.enter::<true>(x);
        if REDUCES { self.0.reduce(x) } else { x }
    }
    #[inline(always)]
    fn store(&mut self, b: &mut K::Block, v: K::V) {
        let v = if ENTERS { v } else { left::<K, true>(self.0, v, REDUCES, CANONICAL) };
        self.0.store(b, v);
    }
    #[inline(always)]
    fn lanes(&self) -> usize {
        self.0.lanes()
    }
    #[inline(always)]
    fn chunk(&self) -> usize {
        self.0.chunk()
    }
    #[inline(always)]
    fn row(&mut self, broadcast: usize, lanewise: usize) -> Option<()> {
        self.0.row(broadcast, lanewise)
    }
    #[inline(always)]
    fn twiddle(&mut self, i: usize) -> K::Tw {
        self.0.twiddle(i)
    }
    #[inline(always)]
    fn twiddle_lanes(&mut self, i: usize) -> K::Tw {
        self.0.twiddle_lanes(i)
    }
    #[inline(always)]
    fn scaling(&mut self) -> [K::Tw; 2] {
        self.0.scaling()
    }
    #[inline(always)]
    fn add(&mut self, a: K::V, b: K::V) -> K::V {
        self.0.add(a, b)
    }
    #[inline(always)]
    fn sub(&mut self, a: K::V, b: K::V) -> K::V {
        self.0.sub(a, b)
    }
    #[inline(always)]
    fn reduce(&mut self, x: K::V) -> K::V {
        self.0.reduce(x)
    }
    #[inline(always)]
    fn mul<const P: usize>(&mut self, x: [K::V; P], w: [K::Tw; P]) -> [K::V; P] {
        self.0.mul(x, w)
    }
    #[inline(always)]
    fn mul_var(&mut self, x: K::V, y: K::V) -> K::V {
        self.0.mul_var(x, y)
    }
    #[inline(always)]
    fn interleave<const D: usize>(&mut self, a: K::V, b: K::V) -> (K::V, K::V) {
        self.0.interleave::<D>(a, b)
    }
    #[inline(always)]
    fn zip(&mut self, a: K::V, b: K::V) -> (K::V, K::V) {
        self.0.zip(a, b)
    }
}
