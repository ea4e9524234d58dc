//! The ends of transforms of kernels that keep values in a form of their own: where words enter, and where they
//! leave.
//!
//! Most words enter as the first pass loads them, and leave as the last one stores them: a pass of its own would take as
//! long as a layer.

use super::{
    elementwise::{canonical_by_reduction, canonical_of_reduced, each, reduce},
    kernel::{Kernel, Residues},
    pass::{Direction, Pass},
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
    /// Nothing.
    pub const NOTHING: Self =
        Self { enter: Crossing::None, reduce: false, leave: Crossing::None, canonical: ToCanonical::Never };
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
    if const { !K::ENTERS } {
        return if reduces { reduce(k, data) } else { Some(()) };
    }
    match how {
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
    if const { !K::ENTERS } {
        return if reduces { reduce(k, data) } else { Some(()) };
    }
    match how {
        Crossing::None if reduces => reduce(k, data),
        Crossing::None => Some(()),
        Crossing::Small => each!(k, data, |x| left::<K, true>(k, x, reduces, false)),
        Crossing::Any => each!(k, data, |x| left::<K, false>(k, x, reduces, false)),
    }
}

/// After the passes of an inverse transform.
#[inline(always)]
pub fn leave<K: Residues>(k: &mut K, data: &mut [K::Block], how: Crossing, to: ToCanonical) -> Option<()> {
    if const { !K::ENTERS } || how == Crossing::None {
        return match to {
            ToCanonical::Never => Some(()),
            ToCanonical::FromReduced => canonical_of_reduced(k, data),
            ToCanonical::ByReduction => canonical_by_reduction(k, data),
        };
    }
    if const { !K::ENTERS } {
        return None;
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
    #[inline(always)]
    pub(super) fn fused<K: Kernel>(self, direction: Direction, passes: &[Pass]) -> [bool; 2] {
        let [outer, .., inner] = passes else { return [false; 2] };
        let fit = matches!(outer, Pass::Outer { .. }) && matches!(inner, Pass::Inner { parts: 1, .. });
        let small = [self.enter, self.leave].map(|crossing| K::ENTERS && fit && crossing == Crossing::Small);
        match direction {
            Direction::Forward if K::FUSES[0] => small,
            Direction::Inverse if K::FUSES[1] => [small[0], small[1] && self.canonical != ToCanonical::ByReduction],
            _ => [false; 2],
        }
    }
}

/// What a pass does to words besides its layers, as a constant of its code: nothing; words enter as it loads them, and
/// are reduced; they leave as it stores them, reduced before, or become canonical.
pub(super) type End = u8;
pub(super) const PLAIN: End = 0;
pub(super) const ENTERS: End = 1;
pub(super) const ENTERS_REDUCED: End = 2;
pub(super) const LEAVES: End = 3;
pub(super) const LEAVES_REDUCED: End = 4;
pub(super) const LEAVES_CANONICAL: End = 5;

/// Loads a vector of a pass.
#[inline(always)]
pub(super) fn load<K: Kernel, const END: End>(k: &mut K, block: &K::Block) -> K::V {
    let x = k.load(block);
    match END {
        ENTERS => k.enter::<true>(x),
        ENTERS_REDUCED => {
            let x = k.enter::<true>(x);
            k.reduce(x)
        }
        _ => x,
    }
}

/// Stores a vector of a pass.
#[inline(always)]
pub(super) fn store<K: Kernel, const END: End>(k: &mut K, block: &mut K::Block, x: K::V) {
    let x = match END {
        LEAVES => k.leave::<true>(x),
        LEAVES_REDUCED => {
            let x = k.reduce(x);
            k.leave::<true>(x)
        }
        LEAVES_CANONICAL => k.leave_canonical(x),
        _ => x,
    };
    k.store(block, x);
}
