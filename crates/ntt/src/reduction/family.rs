//! Methods as types: which reduction is whose, on lanes of each width.

use super::{
    Method, Reduction, barrett, double, goldilocks, ifma, kred, montgomery, solinas, strict, truncated, unsigned,
};
use lanes::{Lanes16, Lanes64, LanesWide};

/// The machine reductions of a method, by width: a type that names the method.
pub trait Family: Copy {
    /// On 16-bit lanes.
    type On16<L: Lanes16>: Reduction<L> + 'static;
    /// On 32-bit lanes.
    type On32<L: LanesWide>: Reduction<L> + 'static;
    /// On 64-bit lanes.
    type On64<L: Lanes64>: Reduction<L> + 'static;
    /// The same method on values as transforms keep them.
    type Inside: Family;
    /// The method.
    const METHOD: Method;
}

/// Declares families: a type, its method, what transforms keep by, and its reductions on lanes `L` of 16, 32 and 64 bits.
/// Where a method has no contract for a width, no plan takes what stands there, which is Barrett's.
macro_rules! families {
    ($l:ident; $($(#[$note:meta])* $family:ident: $method:ident, $inside:ident; $on16:ty, $on32:ty, $on64:ty;)*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug)]
        pub struct $family;

        impl Family for $family {
            type On16<$l: Lanes16> = $on16;
            type On32<$l: LanesWide> = $on32;
            type On64<$l: Lanes64> = $on64;
            type Inside = $inside;
            const METHOD: Method = Method::$method;
        }
    )*};
}

families! {
    L;
    /// [`Method::Montgomery`] as a type.
    Montgomery: Montgomery, Montgomery; montgomery::OnLanes<L, false>, montgomery::OnLanes<L, true>, montgomery::OnLanes<L, true>;
    /// [`Method::Barrett`] as a type.
    Barrett: Barrett, Barrett; barrett::OnLanes<L, { barrett::ROUNDED }>, barrett::OnLanesWide<L, { barrett::ROUNDED }>, barrett::OnLanesWide<L, { barrett::ROUNDED }>;
    /// [`Method::Shoup`] as a type.
    Shoup: Shoup, Shoup; barrett::OnLanes<L, { barrett::FLOORED }>, barrett::OnLanesWide<L, { barrett::FLOORED }>, barrett::OnLanesWide<L, { barrett::FLOORED }>;
    /// [`Method::Strict`] as a type.
    Strict: Strict, Strict; <Barrett as Family>::On16<L>, strict::OnLanes<L>, <Barrett as Family>::On64<L>;
    /// [`Method::Plantard`] as a type.
    Plantard: Plantard, Plantard; barrett::OnLanes<L, { barrett::PLANTARD }>, barrett::OnLanesWide<L, { barrett::PLANTARD }>, barrett::OnLanesWide<L, { barrett::PLANTARD }>;
    /// [`Method::KRed`] as a type.
    KRed: KRed, KRed; kred::OnLanes<L, false, 1>, kred::OnLanes<L, true, 1>, kred::OnLanes<L, true, 1>;
    /// [`Method::KRed2x`] as a type.
    KRed2x: KRed2x, KRed2x; kred::OnLanes<L, false, 2>, kred::OnLanes<L, true, 2>, kred::OnLanes<L, true, 2>;
    /// [`Method::Solinas`] as a type.
    Solinas: Solinas, Solinas; solinas::OnLanes<L, false>, solinas::OnLanes<L, true>, solinas::OnLanes<L, true>;
    /// [`Method::Truncated`] as a type.
    Truncated: Truncated, Truncated; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, truncated::OnLanes<L>;
    /// [`Method::Double`] as a type.
    Double: Double, DoubleInside; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, double::OnLanes<L>;
    /// [`Double`] in transforms, which keep values as [`Lanes64::kept`] does.
    DoubleInside: Double, DoubleInside; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, double::Inside<L>;
    /// [`Method::Unsigned`] as a type.
    Unsigned: Unsigned, Unsigned; <Barrett as Family>::On16<L>, unsigned::OnLanes<L>, unsigned::OnLanes<L>;
    /// [`Method::Goldilocks`] as a type.
    Goldilocks: Goldilocks, Goldilocks; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, goldilocks::OnLanes<L>;
    /// [`Method::Ifma`] as a type.
    Ifma: Ifma, Ifma; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, ifma::OnLanes<L, false>;
    /// [`Method::IfmaStrict`] as a type.
    IfmaStrict: IfmaStrict, IfmaStrict; <Barrett as Family>::On16<L>, <Barrett as Family>::On32<L>, ifma::OnLanes<L, true>;
}

/// Something to do by a method that is known as a type.
pub trait ByFamily {
    /// What it gives.
    type Output;
    /// Does it by that family's method.
    fn by<F: Family>(self, family: F) -> Self::Output;
}

impl Method {
    /// Does something by this method: the one way from a method to its `Family`.
    #[doc(hidden)]
    pub fn by<B: ByFamily>(self, what: B) -> B::Output {
        match self {
            Self::Montgomery => what.by(Montgomery),
            Self::Barrett => what.by(Barrett),
            Self::Shoup => what.by(Shoup),
            Self::Strict => what.by(Strict),
            Self::Plantard => what.by(Plantard),
            Self::KRed => what.by(KRed),
            Self::KRed2x => what.by(KRed2x),
            Self::Solinas => what.by(Solinas),
            Self::Truncated => what.by(Truncated),
            Self::Double => what.by(Double),
            Self::Unsigned => what.by(Unsigned),
            Self::Goldilocks => what.by(Goldilocks),
            Self::Ifma => what.by(Ifma),
            Self::IfmaStrict => what.by(IfmaStrict),
        }
    }
}
