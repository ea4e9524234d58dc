//! The rings: the polynomial modulo which products are reduced, its splitting by transforms, and
//! the order of their output.

use crate::arith::{Modulus, Splitting, two_adicity};
use core::fmt;

/// The polynomial modulo which products are reduced.
///
/// A transform of `depth` layers splits the polynomial into `2^depth` factors `X^d - root^e`,
/// `d = n / 2^depth`, where the root is a primitive root of unity of [order](Self::order)
/// `2^(depth + 1)`, `2^depth` or `3·2^depth`. Each layer in thirds splits each of these factors in
/// three and triples the order of the root. The residues modulo the factors are the *slots*,
/// numbered in canonical order.
///
/// ```
/// use ringwork_ntt::{Plan, Request, Ring};
///
/// let plan = Plan::<i16>::with(&Request::new(768, 7681).ring(Ring::Trinomial))?;
/// let recipe = plan.recipe().expect("7681 has roots of unity");
/// // 256 slots of degree 3, modulo X^3 - root^e for e = 1, 5, 7, 11, …
/// assert_eq!((recipe.depth(), recipe.slot_degree(), recipe.order()), (8, 3, 768));
/// assert_eq!([0, 1, 2, 3].map(|slot| recipe.ring().exponent_of(slot)), [1, 5, 7, 11]);
/// # Ok::<(), ringwork_ntt::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ring {
    /// `X^n + 1`.
    #[default]
    Negacyclic,
    /// `X^n - 1`.
    Cyclic,
    /// `X^n - X^(n/2) + 1`, for an even `n`; for `n = 2^i·3^j` it is irreducible over the integers
    /// (Lyubashevsky and Seiler, *NTTRU*, 2019).
    Trinomial,
}

impl Ring {
    /// All rings.
    pub const ALL: [Self; 3] = [Self::Negacyclic, Self::Cyclic, Self::Trinomial];

    /// The name used in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Negacyclic => "negacyclic",
            Self::Cyclic => "cyclic",
            Self::Trinomial => "trinomial",
        }
    }

    /// The order of the root of unity that `depth` layers need; `depth` is below 62.
    pub const fn order(self, depth: u32) -> u64 {
        match self {
            Self::Negacyclic => 2 << depth,
            Self::Cyclic => 1 << depth,
            Self::Trinomial => 3 << depth,
        }
    }

    /// The number of layers that the degree `n` allows: each layer halves the degree of the slots.
    /// `n` must not be zero.
    pub const fn layers(self, n: usize) -> u32 {
        n.trailing_zeros()
    }

    /// The number of layers in thirds that the degree `n` allows.
    pub const fn thirds(self, n: usize) -> u32 {
        threes(n as u64)
    }

    /// The number of layers in thirds for which `q` has roots.
    pub const fn thirds_of_roots(self, q: u64) -> u32 {
        match self {
            Self::Trinomial => threes(q.saturating_sub(1)).saturating_sub(1),
            _ => threes(q.saturating_sub(1)),
        }
    }

    /// The smallest number of layers of a transform: slots are modulo `X^d - z`, and the trinomial
    /// does not have this form.
    pub const fn least_depth(self) -> u32 {
        match self {
            Self::Trinomial => 1,
            _ => 0,
        }
    }

    /// The number of layers for which an odd `q` has roots.
    pub const fn layers_of_roots(self, q: u64) -> u32 {
        match self {
            Self::Negacyclic => two_adicity(q) - 1,
            Self::Cyclic => two_adicity(q),
            Self::Trinomial if q % 3 == 1 => two_adicity(q),
            Self::Trinomial => 0,
        }
    }

    /// Before the first layer, the whole polynomial is the residue modulo `X^n - root^e`, for this
    /// `e`. The first layer of [`Trinomial`](Self::Trinomial) goes from the polynomial itself to
    /// residues modulo `X^(n/2) - root^(order/6)` and `X^(n/2) - root^(5·order/6)`.
    pub const fn exponent(self, order: usize) -> usize {
        match self {
            Self::Negacyclic => order / 2,
            Self::Cyclic | Self::Trinomial => 0,
        }
    }

    /// The number of the slot modulo `X^d - root^exponent`.
    pub const fn slot(self, exponent: usize) -> usize {
        match self {
            Self::Negacyclic => exponent / 2,
            Self::Cyclic => exponent,
            Self::Trinomial => exponent / 3, // 1, 5, 7, 11, …
        }
    }

    /// The exponent `e` of that slot, which is modulo `X^d - root^e`.
    pub const fn exponent_of(self, slot: usize) -> usize {
        match self {
            Self::Negacyclic => 2 * slot + 1,
            Self::Cyclic => slot,
            Self::Trinomial => 3 * slot + 1 + slot % 2,
        }
    }

    /// How far the ring of degree `n` splits modulo `q`, independent of any transform, and which of
    /// its elements are guaranteed to be invertible.
    ///
    /// **Panics** if `n` is 0 or above 2^60.
    pub fn splitting(self, n: u64, q: Modulus) -> Splitting {
        assert!((1..=1 << 60).contains(&n), "n = {n} is not a degree from 1 to 2^60");
        match self {
            Self::Negacyclic => Splitting::negacyclic(n, q),
            Self::Cyclic => Splitting::cyclic(n, q),
            Self::Trinomial => Splitting::trinomial(n, q),
        }
    }
}

/// The exponent of three in that number.
const fn threes(mut number: u64) -> u32 {
    let mut threes = 0;
    while number != 0 && number.is_multiple_of(3) {
        number /= 3;
        threes += 1;
    }
    threes
}

/// The order of a transformed polynomial's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotOrder {
    /// The order in which the plan's vectors leave words: free, and different for each backend.
    #[default]
    Native,
    /// Slot by slot, coefficients rising, the same on every machine: plans are as deep as the roots allow, unless a depth
    /// or the [best depth](crate::Request::best_depth) is requested. Slot `i` is the residue modulo `X^d - root^e`, where
    /// `e` is [`Ring::exponent_of`] `i`.
    Canonical,
    /// Slot by slot, coefficients rising, the same on every machine, in the order in which layers split them: what
    /// stands at place `i` is the canonical slot whose number has the bits of `i` reversed. Layers in
    /// thirds count as the last ones, whenever a machine runs them: then it is the digits that are reversed. This is the
    /// order of the transforms of textbooks and of FIPS 203, and the one that FRI takes.
    BitReversed,
}

impl SlotOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Native, Self::Canonical, Self::BitReversed];

    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Canonical => "canonical",
            Self::BitReversed => "bit-reversed",
        }
    }
}

impl fmt::Display for SlotOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
