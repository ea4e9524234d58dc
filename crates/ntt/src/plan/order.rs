//! The way of transformed polynomials from native into another order, and back.

use crate::{
    exec::{Buffer, Compiled, Operands, Work, copy_row},
    network::{Exchange, MAX_SPAN, Move, Moves},
    reduction::Contract,
    ring::SlotOrder,
    threads::each_piece,
    transform::Transform,
    word::Word,
};
use alloc::vec::Vec;
use lanes::Backend;

/// Words of whole spans that a thread moves at once.
const PIECE: usize = 1 << 15;

/// Moves from native order into another one.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    n: usize,
    backend: Backend,
    contract: Contract,
    steps: Vec<Step>,
}

/// One trip of the words through registers, or through memory.
#[derive(Clone, Debug)]
enum Step {
    /// Exchanges within spans of that many vectors.
    Spans(usize, Vec<Exchange>),
    /// Reversed numbers of slots, of which vectors have that many.
    Reversal(usize),
    /// Reversed numbers of slots of that many words, whole vectors.
    Blocks(usize),
    /// Any moves within spans: for each place of so many words, where they go.
    List(Vec<u32>, usize),
}

impl Order {
    /// That of a transform.
    pub(crate) fn of<T: Word>(transform: &Transform<T>, order: SlotOrder) -> Self {
        let recipe = transform.recipe();
        let (n, lanes) = (recipe.n(), if recipe.backend().is_array() { 0 } else { recipe.lanes() });
        let steps = match order {
            SlotOrder::Native => Vec::new(),
            SlotOrder::BitReversed => {
                within_spans(transform.places().bit_reversed_places(), lanes).into_iter().collect()
            }
            SlotOrder::Canonical => to_canonical(transform, lanes),
        };
        Self { n, backend: recipe.backend(), contract: transform.contract, steps }
    }

    /// That of rows of `width` words, from the order in which the layers of `rows` split slots.
    #[cfg(feature = "std")]
    pub(crate) fn of_rows<T: Word>(
        transform: &Transform<T>,
        rows: &Transform<T>,
        order: SlotOrder,
        width: usize,
    ) -> Self {
        let recipe = transform.recipe();
        let (n, degree) = (recipe.n(), recipe.slot_degree());
        let steps = match order {
            // Layers in thirds come last in rows, and before those inside vectors.
            _ if recipe.thirds() > 0 => {
                let mut places = alloc::vec![0; n];
                let indices = transform.order_to_canonical(order);
                indices.iter().enumerate().for_each(|(place, index)| places[*index] = place);
                let indices = rows.order_to_canonical(SlotOrder::BitReversed);
                list(&indices.iter().map(|index| places[*index]).collect::<Vec<_>>(), width)
            }
            SlotOrder::Native => {
                let reversed = transform.places().bit_reversed_places();
                let mut places = alloc::vec![0; reversed.len()];
                reversed.iter().enumerate().for_each(|(place, reversed)| places[*reversed] = place);
                list(&places, width)
            }
            SlotOrder::BitReversed => None,
            SlotOrder::Canonical => Some(Step::Blocks(degree * width)),
        };
        Self {
            n: n * width,
            backend: recipe.backend(),
            contract: transform.contract,
            steps: steps.into_iter().collect(),
        }
    }

    /// Brings contiguous polynomials from native order into this one.
    pub(crate) fn apply<T: Word>(&self, a: &mut [T]) {
        for a in a.chunks_exact_mut(self.n) {
            self.steps.iter().for_each(|step| self.run(step, false, a));
        }
    }

    /// Brings contiguous polynomials back into native order.
    pub(crate) fn undo<T: Word>(&self, a: &mut [T]) {
        for a in a.chunks_exact_mut(self.n) {
            self.steps.iter().rev().for_each(|step| self.run(step, true, a));
        }
    }

    /// Contiguous polynomials in native order.
    pub(crate) fn native<T: Word>(&self, a: &[T]) -> Buffer<T> {
        let mut native = Buffer::copy_of(a);
        self.undo(native.words_mut());
        native
    }

    fn run<T: Word>(&self, step: &Step, back: bool, a: &mut [T]) {
        match step {
            Step::Spans(vectors, exchanges) => {
                let moves = Moves::Spans { vectors: *vectors, exchanges, back };
                each_piece(a, PIECE, || (), |(), _, piece| self.moved(moves, piece));
            }
            Step::Reversal(slots) => self.moved(Moves::Reversal { slots: *slots }, a),
            Step::Blocks(words) => reverse(*words, a),
            Step::List(list, words) => listed(list, *words, back, a),
        }
    }

    fn moved<T: Word>(&self, how: Moves<'_>, a: &mut [T]) {
        let (job, mut operands) = (Move { how }, Operands::new([a], []).signed());
        T::Signed::run(self.backend, &self.contract, Work::from((&job, &mut operands)));
    }
}

/// The steps to canonical order.
fn to_canonical<T: Word>(transform: &Transform<T>, lanes: usize) -> Vec<Step> {
    let (n, degree) = (transform.recipe().n(), transform.recipe().slot_degree());
    let slots = n / degree;
    let halves = transform.recipe().thirds() == 0 && degree.is_power_of_two();
    let of_vector = (lanes / degree).max(1);
    if lanes > 0 && halves && n / lanes > MAX_SPAN && slots >= of_vector * of_vector {
        let reversed = if of_vector == 1 { Step::Blocks(degree) } else { Step::Reversal(of_vector) };
        return within_spans(transform.places().bit_reversed_places(), lanes).into_iter().chain([reversed]).collect();
    }
    within_spans(transform.order_to_canonical(SlotOrder::Native), lanes).into_iter().collect()
}

/// The step for moves within spans, if there are any: for each place of a span, where its word goes. Exchanges if bits
/// of the numbers of places move, and a span has no more vectors than one can have.
fn within_spans(to: Vec<usize>, lanes: usize) -> Option<Step> {
    let list = list(&to, 1)?;
    Some(exchanges(&to, lanes).unwrap_or(list))
}

/// The step for moves of `words` words each, if there are any.
fn list(to: &[usize], words: usize) -> Option<Step> {
    let moves = to.iter().enumerate().any(|(from, to)| from != *to);
    moves.then(|| Step::List(to.iter().map(|&to| to as u32).collect(), words))
}

/// The same as exchanges.
fn exchanges(to: &[usize], lanes: usize) -> Option<Step> {
    let bits = to.len().checked_ilog2().filter(|_| to.len().is_power_of_two() && lanes > 1)? as usize;
    let of_lanes = lanes.ilog2() as usize;
    let mut goal: Vec<usize> = (0..bits)
        .map(|bit| to[1 << bit].is_power_of_two().then(|| to[1 << bit].ilog2() as usize))
        .collect::<Option<_>>()?;
    let place = |from: usize| (0..bits).filter(|bit| from >> bit & 1 == 1).fold(0, |to, bit| to | 1 << goal[bit]);
    if (0..to.len()).any(|from| place(from) != to[from]) {
        return None;
    }
    // From the first bit on that stays, with all above it, nothing moves; a span has two vectors or more.
    let moved = (0..bits).rev().find(|&bit| goal[bit] != bit).map_or(0, |bit| bit + 1).max(of_lanes + 1);
    goal.extend(bits..moved);
    let vectors = 1 << (moved - of_lanes);
    if vectors > MAX_SPAN {
        return None;
    }
    // What is where: each cycle of bits is undone from one of its bits, exchanged with one after the other; that bit is
    // one of vectors' numbers, or it is brought there first.
    let (mut at, mut exchanges) = (goal[..moved].to_vec(), Vec::new());
    let is_lane = |bit: usize| bit < of_lanes;
    while let Some(wrong) = (0..moved).rev().find(|&bit| at[bit] != bit) {
        let hub = if is_lane(wrong) { of_lanes } else { wrong };
        let other = if at[hub] == hub { wrong } else { at[hub] };
        at.swap(hub, other);
        exchanges.push(if is_lane(other) {
            Exchange::Lanes { block: 1 << other, distance: 1 << (hub - of_lanes) }
        } else {
            Exchange::Vectors { distances: [hub, other].map(|bit| 1 << (bit - of_lanes)) }
        });
    }
    Some(Step::Spans(vectors, exchanges))
}

/// Exchanges slots of `words` words, each with that of the reversed number.
fn reverse<T>(words: usize, a: &mut [T]) {
    let slots = a.len() / words;
    let Some(bits) = slots.checked_ilog2().filter(|bits| *bits > 0) else { return };
    for i in 0..slots {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            let (first, second) = a.split_at_mut(j * words);
            first[i * words..(i + 1) * words].swap_with_slice(&mut second[..words]);
        }
    }
}

/// Moves every `words` words of a span to the place of the list, or back.
fn listed<T: Word>(list: &[u32], words: usize, back: bool, a: &mut [T]) {
    let mut copy = Buffer::zeros(list.len() * words);
    for span in a.chunks_exact_mut(copy.words().len()) {
        copy.words_mut().copy_from_slice(span);
        for (here, &there) in list.iter().enumerate() {
            let (from, to) = if back { (there as usize, here) } else { (here, there as usize) };
            copy_row(&mut span[to * words..][..words], &copy.words()[from * words..][..words]);
        }
    }
}
