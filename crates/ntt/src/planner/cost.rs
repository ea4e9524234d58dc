//! The cost of a recipe: the estimate by which the planner chooses.
//!
//! The weights of Montgomery's method, and of Shoup's on single words, are fitted to transforms, slot products and
//! whole products of this crate, degrees 64 to 16384 and slots of degree 1 to 1024, timed on an AMD Zen 5 (the fastest
//! of many runs, four cycles per nanosecond). The weights of other methods are these times the ratios of a
//! [`CostModel`]; the default ratios for 32-bit words were measured on the same machine (`examples/method_times.rs`),
//! the others are those of the report's table of methods on another one, a Zen 4. They rank plans: most are within a
//! quarter of the measured time, long slot products within a half.

use super::{
    cost_model::CostModel,
    counts,
    layout::{Layers, in_blocks, passes},
    recipe::{CrtRecipe, Recipe},
    rings,
};
use crate::{
    kernels::is_compiled,
    model::OpCount,
    network::{Blocks, Direction, IN_REGISTERS, Pass, SlotStep, Step, has_wide, twist},
    reduction::Method,
};
use alloc::{vec, vec::Vec};

/// Hundredths of a cycle for each vector operation, including its additions, loads and stores.
#[derive(Clone, Copy)]
struct Weights {
    /// A product with a twiddle, with its share of a butterfly.
    product: u64,
    /// A reduction in a transform.
    reduction: u64,
    /// An exchange of lanes.
    interleave: u64,
    /// A product of two variables: for slots of degree one; up to four, in registers; beyond, in memory.
    variable: [u64; 3],
    /// A product of two variables that is added up, and the reduction of such a sum. In words of 64 bits on vectors,
    /// those of 52 bits: no other such sums are compiled there.
    wide: [u64; 2],
    /// A reduction in a slot product, on which the sum depends: in registers, in memory.
    slot_reduction: [u64; 2],
    /// Copying a vector of a polynomial, reducing it to canonical form and wiping it.
    vector: u64,
}

impl Weights {
    fn of(costs: &CostModel, method: Method, bits: u32, lanes: usize) -> Self {
        let base = match (bits, lanes == 1) {
            (16, true) => Self::new([310, 640, 0], [110, 421, 450], [0, 0], [200, 950], 300),
            (32, true) => Self::new([430, 230, 0], [293, 200, 440], [130, 250], [230, 400], 300),
            (_, true) => Self::new([340, 190, 0], [420, 260, 440], [200, 400], [190, 500], 300),
            (16, false) => Self::new([190, 157, 260], [200, 200, 195], [0, 0], [316, 316], 520),
            (64, false) => Self::new([1450, 1000, 200], [1450, 1450, 1500], [410, 1360], [1000, 1200], 400),
            (_, false) => Self::new([450, 310, 200], [410, 410, 440], [120, 300], [330, 900], 200),
        };
        let [product, variable, reduction] = costs.weights(method, bits, lanes).map(u64::from);
        let scale = u64::from(costs.scale(bits, lanes));
        let [one, registers, memory] = base.variable;
        let [short, long] = base.slot_reduction;
        let scaled = |weight: u64, relative: u64| weight * relative * scale / 10_000;
        Self {
            product: scaled(base.product, product),
            reduction: scaled(base.reduction, reduction),
            interleave: scaled(base.interleave, 100),
            variable: [scaled(one, variable), scaled(registers, variable), scaled(memory, variable)],
            wide: base.wide.map(|weight| scaled(weight, variable)),
            slot_reduction: [scaled(short, reduction), scaled(long, reduction)],
            vector: scaled(base.vector, 100),
        }
    }

    const fn new(
        transform: [u64; 3],
        variable: [u64; 3],
        wide: [u64; 2],
        slot_reduction: [u64; 2],
        vector: u64,
    ) -> Self {
        let [product, reduction, interleave] = transform;
        Self { product, reduction, interleave, variable, wide, slot_reduction, vector }
    }

    const fn of_transform(&self, count: &OpCount) -> u64 {
        self.product * count.products + self.reduction * count.reductions + self.interleave * count.interleaves
    }

    const fn of_products(&self, count: &OpCount, degree: usize) -> u64 {
        let class = if degree == 1 { 0 } else { 1 + (degree > IN_REGISTERS) as usize };
        self.product * count.products
            + self.variable[class] * count.variable_products
            + self.wide[0] * count.wide_products
            + self.wide[1] * count.wide_sums
            + self.slot_reduction[(degree > IN_REGISTERS) as usize] * count.reductions
    }
}

/// Bytes of words in a block: half of a second-level cache, and a quarter of a first-level cache, which also holds
/// tables.
const BLOCK_BYTES: [usize; 2] = [1 << 19, 1 << 13];

/// The number of bytes of words from which transforms go block by block. Smaller transforms stay in the second-level
/// cache with the part of their tables that they read, and twists would cost more than they save.
const LARGE: usize = 1 << 20;

/// The passes of such a transform, and its blocks: the requested ones, or those that fit caches. Of `width` polynomials
/// side by side they are those of single words, whose distances are rows of vectors.
pub(super) fn in_memory(
    layers: Layers,
    bits: u32,
    lanes: usize,
    width: usize,
    asked: Option<[usize; 2]>,
) -> (Vec<Pass>, Vec<Blocks>) {
    let bytes = width * bits as usize / 8;
    let suitable = (layers.n * bytes >= LARGE).then(|| BLOCK_BYTES.map(|of_block| of_block / bytes));
    let words = asked.or(suitable);
    let large = words.map(|[large, _]| large).filter(|words| *words > 0);
    let in_blocks = |lanes| in_blocks(passes(layers, lanes, large), layers, lanes, words);
    if width == 1 {
        return in_blocks(lanes);
    }
    let of_row = width / lanes;
    let (passes, blocks) = in_blocks(1);
    let spread = |pass: &Pass| pass.stride().map_or(*pass, |stride| pass.with_stride(stride * of_row));
    let blocks = blocks.iter().map(|block| Blocks { vectors: block.vectors * of_row, ..*block });
    (passes.iter().map(spread).collect(), blocks.collect())
}

/// The time of the erased kernel, relative to a compiled one.
const ERASED: u64 = 30;

/// Cycles of a product by one transform at any degree: calls, and memory allocation.
const CALLS: u64 = 600;

/// Cycles to read 64 bytes of tables that no second-level cache holds, measured on an AMD Zen 4 with degrees 2^18 to
/// 2^21.
const LINE: u64 = 12;

/// Twiddles of these passes that blocks read from shared rows, and that are not repeated in the table.
fn shared(passes: &[Pass], steps: &[Step], lanes: usize, vectors: usize) -> u64 {
    let inside = |i: usize| counts::of_transform(Direction::Forward, &passes[i + 1..], steps, lanes, vectors).twiddles;
    twist(passes).map_or(0, |(i, of_block)| inside(i) - inside(i) * of_block as u64 / vectors as u64)
}

/// Cycles of a product by transforms of that shape, for these counts.
fn cycles(costs: &CostModel, method: Method, bits: u32, degree: usize, counts: &[OpCount; 3], vectors: usize) -> u64 {
    let lanes = counts[0].lanes;
    let weights = Weights::of(costs, method, bits, lanes);
    let [forward, products, inverse] = counts;
    let transforms = 2 * weights.of_transform(forward) + weights.of_transform(inverse);
    let whole = transforms + weights.of_products(products, degree) + weights.vector * vectors as u64;
    let by = if is_compiled(method, bits, lanes) { 1 } else { ERASED };
    CALLS + whole * by / 100
}

impl Recipe {
    /// The planner's estimate for a product, with the [costs](Self::cost_model) of its request: cycles of two forward
    /// transforms, pointwise products and an inverse transform.
    pub fn estimated_cycles(&self) -> u64 {
        let (degree, vectors) = (self.slot_degree(), self.n / self.lanes());
        let counts = self.counts();
        let cycles =
            self.table_cycles(&counts) + cycles(self.cost_model, self.method, self.bits, degree, &counts, vectors);
        // Transforms with compile-time constants for everything take at most nine tenths of the time.
        if self.is_compiled_ring() { cycles * 9 / 10 } else { cycles }
    }

    /// Cycles to read the tables of a product from memory, if its transforms are large.
    fn table_cycles(&self, [forward, products, inverse]: &[OpCount; 3]) -> u64 {
        let bytes = self.bits as usize / 8;
        if self.n * bytes < LARGE {
            return 0;
        }
        let steps = self.schedules().steps(Direction::Forward);
        let shared = shared(self.passes(), steps, self.lanes(), self.n / self.lanes());
        // Residues of three vectors read the same rows, and are counted one by one.
        let parts = |pass: &Pass| if let Pass::Inner { parts, .. } = pass { Some(*parts as u64) } else { None };
        let parts = self.passes().iter().find_map(parts).unwrap_or(1);
        let transforms = (2 * forward.lanewise_twiddles + inverse.lanewise_twiddles) / parts;
        let twiddles = transforms - 3 * shared + products.lanewise_twiddles;
        let of_each = self.lanes() * self.method.twiddle_words() * bytes;
        LINE * twiddles * of_each as u64 / 64
    }

    /// Estimated hundredths of cycles of a forward transform, a pointwise product and an inverse transform by a
    /// compiled method: for fitting a cost model.
    #[cfg(feature = "internals")]
    pub fn estimates(&self) -> [u64; 3] {
        let weights = Weights::of(self.cost_model, self.method, self.bits, self.lanes());
        let [forward, _, inverse] = self.counts();
        // Pointwise products on their own accept any operands.
        let (lanes, degree) = (self.lanes(), self.slot_degree());
        let products = counts::of_products(self.schedules().slots(), degree, lanes, self.n / lanes);
        let products = weights.of_products(&products, degree);
        [weights.of_transform(&forward), products, weights.of_transform(&inverse)]
    }

    /// Whether its transforms are compiled for this ring alone, with all parameters known.
    pub fn is_compiled_ring(&self) -> bool {
        [Direction::Forward, Direction::Inverse].iter().all(|d| rings::is_compiled_ring(self, *d))
    }
}

/// A lower bound for the cost of all recipes of a shape: the estimate without any reductions except those of products, and
/// without the reading of tables.
pub(super) struct Least {
    counts: [OpCount; 3],
    /// The count of products whose sums are reduced once.
    wide: OpCount,
    layers: Layers,
    bits: u32,
    /// Twiddles that blocks read from shared rows, and that are not repeated in the table.
    shared: u64,
}

impl Least {
    /// The bound for such a transform on `lanes` lanes, which must fit it.
    pub(super) fn new(layers: Layers, bits: u32, lanes: usize) -> Self {
        let (passes, _) = in_memory(layers, bits, lanes, 1, None);
        let (steps, vectors) = (vec![Step::Plain; layers.all()], layers.n / lanes);
        let of = |direction, passes: &[Pass]| counts::of_transform(direction, passes, &steps, lanes, vectors);
        let of_slots = |wide| {
            let step = SlotStep { wide, ..SlotStep::default() };
            counts::of_products(step, layers.slot_degree(), lanes, vectors)
        };
        let shared = 2 * shared(&passes, &steps, lanes, vectors);
        Self {
            counts: [of(Direction::Forward, &passes), of_slots(false), of(Direction::Inverse, &passes)],
            wide: of_slots(true),
            layers,
            bits,
            shared,
        }
    }

    /// The number of lanes of the vectors.
    pub(super) fn lanes(&self) -> usize {
        self.counts[0].lanes
    }

    /// A weaker bound that needs no run of networks: each layer has at least a product for two vectors, and a slot
    /// product one for each pair of coefficients.
    pub(super) fn at_first(layers: Layers, bits: u32, lanes: usize) -> Self {
        let vectors = (layers.n / lanes) as u64;
        let transform = OpCount { products: layers.all() as u64 * vectors / 2, ..OpCount::new(lanes) };
        let products = vectors * layers.slot_degree() as u64;
        let none = OpCount::new(lanes);
        Self {
            counts: [transform, OpCount { variable_products: products, ..none }, transform],
            wide: OpCount { wide_products: products, ..none },
            layers,
            bits,
            shared: 0,
        }
    }

    /// The largest number of words of its tables.
    pub(super) fn table_words(&self) -> u64 {
        let twiddles: u64 = self.counts.iter().map(|count| count.twiddles).sum();
        let lanewise: u64 = self.counts.iter().map(|count| count.lanewise_twiddles).sum();
        // The others are stored twice if vectors of 16 bits need it, or are padded.
        2 * ((lanewise - self.shared) * self.lanes() as u64 + 2 * (twiddles - lanewise))
    }

    pub(super) fn cycles(&self, costs: &CostModel, method: Method) -> u64 {
        let Self { counts: [forward, products, inverse], wide, layers, bits, .. } = self;
        let (lanes, degree) = (self.lanes(), layers.slot_degree());
        let of = |products| cycles(costs, method, *bits, degree, &[*forward, products, *inverse], layers.n / lanes);
        let one_by_one = of(*products);
        let cycles =
            if method.adds_up_wide(*bits) && has_wide(degree) { one_by_one.min(of(*wide)) } else { one_by_one };
        if rings::has_ring(layers.n, lanes, *bits) { cycles * 9 / 10 } else { cycles }
    }
}

impl CrtRecipe {
    /// The planner's estimate for a product, in cycles.
    pub fn estimated_cycles(&self) -> u64 {
        let channels = self.channels.iter().map(Recipe::estimated_cycles).sum();
        let folded = if self.folds() { self.n } else { 0 };
        crt_cycles(channels, self.bits, self.channels.len(), [self.length(), self.channels[0].lanes()], folded)
    }
}

/// Cycles of a product by `channels` residue channels of that length, of which `folded` words are kept.
pub(super) fn crt_cycles(
    of_channels: u64,
    bits: u32,
    channels: usize,
    [length, lanes]: [usize; 2],
    folded: usize,
) -> u64 {
    let weights = match (bits, lanes) {
        (_, 1) => [30, 50, 72, 100, 130, 165],
        (16, _) => [65, 90, 118, 150, 185, 225],
        _ => [75, 122, 165, 210, 260, 315],
    };
    let reconstruction = (length / lanes) as u64 * weights[channels.min(weights.len()) - 1];
    of_channels + reconstruction + FOLDED * (folded * channels) as u64
}

/// Cycles per word for folding a residue, one word at a time.
const FOLDED: u64 = 13;
