//! Schedules: which butterflies reduce which operand. Laziness is data, and lives here alone.

/// What the butterflies of one layer reduce. In a pass, the `i`-th butterfly of a group of four has bit `i` of each
/// nibble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Step(pub u16);

impl Step {
    /// Nothing is reduced beyond the products.
    pub const PLAIN: Self = Self(0);

    /// Butterflies that reduce their add-side operand `a` first.
    pub const fn a(self) -> u16 {
        self.0 & 15
    }

    /// Butterflies that reduce the multiplicand first: `b` in a Cooley–Tukey, `a - b` in a Gentleman–Sande butterfly.
    pub const fn multiplicand(self) -> u16 {
        self.0 >> 4 & 15
    }

    /// Gentleman–Sande butterflies that reduce their second operand `b` first.
    pub const fn b(self) -> u16 {
        self.0 >> 8 & 15
    }

    /// Gentleman–Sande butterflies that reduce their sum.
    pub const fn sum(self) -> u16 {
        self.0 >> 12
    }

    /// With a reduction added for butterflies `mask` at `place`.
    pub const fn with(self, place: Place, mask: u16) -> Self {
        Self(self.0 | mask << (4 * place as u16))
    }
}

/// The places of a butterfly that a [`Step`] can reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Place {
    /// See [`Step::a`].
    A = 0,
    /// See [`Step::multiplicand`].
    Multiplicand = 1,
    /// See [`Step::b`].
    B = 2,
    /// See [`Step::sum`].
    Sum = 3,
}

/// What a transform reduces: one step per layer, then what happens at its end (forward) or start (inverse).
///
/// Generic code asks a schedule for constants where it can: the branches vanish.
pub trait Schedule: Copy {
    /// The step of a layer, layer 0 being the one of the largest distance.
    fn step(self, layer: usize) -> Step;
    /// Whether the slots are reduced: after the last forward layer, before the first inverse layer.
    fn reduce_slots(self) -> bool;
}

/// A schedule held in memory, as run-time plans have it.
#[derive(Clone, Copy, Debug)]
pub struct Dynamic<'a> {
    /// One step per layer.
    pub steps: &'a [Step],
    /// See [`Schedule::reduce_slots`].
    pub reduce_slots: bool,
}

impl Schedule for Dynamic<'_> {
    #[inline(always)]
    fn step(self, layer: usize) -> Step {
        self.steps.get(layer).copied().unwrap_or_default()
    }
    #[inline(always)]
    fn reduce_slots(self) -> bool {
        self.reduce_slots
    }
}

/// What slot products reduce before they multiply and while they add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SlotStep {
    /// Reduce both operands first.
    pub operands: bool,
    /// Reduce each running sum of products.
    pub sums: bool,
}
