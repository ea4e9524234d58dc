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

/// [`Method::Montgomery`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Montgomery;
impl Family for Montgomery {
    type On16<L: Lanes16> = montgomery::OnLanes<L, false>;
    type On32<L: LanesWide> = montgomery::OnLanes<L, true>;
    type On64<L: Lanes64> = montgomery::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::Montgomery;
}

/// [`Method::Barrett`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Barrett;
impl Family for Barrett {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::ROUNDED }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::ROUNDED }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::ROUNDED }>;
    type Inside = Self;
    const METHOD: Method = Method::Barrett;
}

/// [`Method::Shoup`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Shoup;
impl Family for Shoup {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::FLOORED }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::FLOORED }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::FLOORED }>;
    type Inside = Self;
    const METHOD: Method = Method::Shoup;
}

/// [`Method::Strict`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Strict;
impl Family for Strict {
    // Other words have no contract, and no plan takes these.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = strict::OnLanes<L>;
    type On64<L: Lanes64> = <Barrett as Family>::On64<L>;
    type Inside = Self;
    const METHOD: Method = Method::Strict;
}

/// [`Method::Plantard`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Plantard;
impl Family for Plantard {
    type On16<L: Lanes16> = barrett::OnLanes<L, false, { barrett::PLANTARD }>;
    type On32<L: LanesWide> = barrett::OnLanes<L, true, { barrett::PLANTARD }>;
    type On64<L: Lanes64> = barrett::OnLanes<L, true, { barrett::PLANTARD }>;
    type Inside = Self;
    const METHOD: Method = Method::Plantard;
}

/// [`Method::KRed`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed;
impl Family for KRed {
    type On16<L: Lanes16> = kred::OnLanes<L, false, 1>;
    type On32<L: LanesWide> = kred::OnLanes<L, true, 1>;
    type On64<L: Lanes64> = kred::OnLanes<L, true, 1>;
    type Inside = Self;
    const METHOD: Method = Method::KRed;
}

/// [`Method::KRed2x`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct KRed2x;
impl Family for KRed2x {
    type On16<L: Lanes16> = kred::OnLanes<L, false, 2>;
    type On32<L: LanesWide> = kred::OnLanes<L, true, 2>;
    type On64<L: Lanes64> = kred::OnLanes<L, true, 2>;
    type Inside = Self;
    const METHOD: Method = Method::KRed2x;
}

/// [`Method::Solinas`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Solinas;
impl Family for Solinas {
    type On16<L: Lanes16> = solinas::OnLanes<L, false>;
    type On32<L: LanesWide> = solinas::OnLanes<L, true>;
    type On64<L: Lanes64> = solinas::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::Solinas;
}

/// [`Method::Truncated`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Truncated;
impl Family for Truncated {
    // Narrower words have no contract, and no plan takes these.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = truncated::OnLanes<L>;
    type Inside = Self;
    const METHOD: Method = Method::Truncated;
}

/// [`Method::Double`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Double;
impl Family for Double {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = double::OnLanes<L>;
    type Inside = DoubleInside;
    const METHOD: Method = Method::Double;
}

/// [`Double`] in transforms, which keep values as [`Lanes64::kept`] does.
#[derive(Clone, Copy, Debug)]
pub struct DoubleInside;
impl Family for DoubleInside {
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = double::Inside<L>;
    type Inside = Self;
    const METHOD: Method = Method::Double;
}

/// [`Method::Unsigned`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Unsigned;
impl Family for Unsigned {
    // As for `Strict`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = unsigned::OnLanes<L>;
    type On64<L: Lanes64> = unsigned::OnLanes<L>;
    type Inside = Self;
    const METHOD: Method = Method::Unsigned;
}

/// [`Method::Goldilocks`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Goldilocks;
impl Family for Goldilocks {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = goldilocks::OnLanes<L>;
    type Inside = Self;
    const METHOD: Method = Method::Goldilocks;
}

/// [`Method::Ifma`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Ifma;
impl Family for Ifma {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = ifma::OnLanes<L, false>;
    type Inside = Self;
    const METHOD: Method = Method::Ifma;
}

/// [`Method::IfmaStrict`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct IfmaStrict;
impl Family for IfmaStrict {
    // As for `Truncated`.
    type On16<L: Lanes16> = <Barrett as Family>::On16<L>;
    type On32<L: LanesWide> = <Barrett as Family>::On32<L>;
    type On64<L: Lanes64> = ifma::OnLanes<L, true>;
    type Inside = Self;
    const METHOD: Method = Method::IfmaStrict;
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
