//! What a recipe costs: the planner's estimate, by which it chooses among methods.
//!
//! The weights are measured: cycles that one operation on a vector takes inside a transform, its additions, loads and
//! stores included, on an x86-64 core (SOUNDNESS.md says which), n = 1024. They rank methods; they do not predict time.
//! Words of 64 bits go by the weights of 32 bits.

use super::{
    recipe::{CrtRecipe, Recipe},
    rings,
};
use crate::{kernels::is_compiled, model::OpCount, network::Direction, reduction::Method};

/// Hundredths of a cycle for each operation on a vector.
struct Weights {
    /// A product with a twiddle, with its share of a butterfly.
    product: u64,
    /// A product of two variables.
    variable_product: u64,
    /// A reduction.
    reduction: u64,
}

const fn weights(product: u64, variable_product: u64, reduction: u64) -> Weights {
    Weights { product, variable_product, reduction }
}

impl Weights {
    const fn of(method: Method, bits: u32, scalar: bool) -> Self {
        match (method, bits, scalar) {
            (Method::Montgomery, 16, true) => weights(470, 116, 200),
            (Method::Barrett, 16, true) => weights(450, 356, 200),
            (Method::Shoup, 16, true) => weights(450, 356, 200),
            (Method::KRed, 16, true) => weights(870, 500, 300),
            (Method::KRed2x, 16, true) => weights(1300, 700, 300),
            (Method::Plantard, 16, true) => weights(455, 505, 200),
            (Method::Solinas, 16, true) => weights(2260, 2750, 200),
            (Method::Montgomery, _, true) => weights(383, 305, 270),
            (Method::Barrett, _, true) => weights(383, 606, 270),
            (Method::Shoup, _, true) => weights(353, 574, 270),
            (Method::KRed, _, true) => weights(380, 274, 140),
            (Method::KRed2x, _, true) => weights(644, 467, 140),
            (Method::Plantard, _, true) => weights(461, 693, 270),
            (Method::Solinas, _, true) => weights(1610, 1830, 270),
            (Method::Montgomery, 16, false) => weights(335, 330, 140),
            (Method::Barrett, 16, false) => weights(335, 560, 140),
            (Method::Shoup, 16, false) => weights(335, 560, 140),
            (Method::KRed, 16, false) => weights(950, 650, 140),
            (Method::KRed2x, 16, false) => weights(1400, 900, 140),
            (Method::Plantard, 16, false) => weights(388, 630, 140),
            (Method::Solinas, 16, false) => weights(2000, 2300, 140),
            (Method::Montgomery, _, false) => weights(590, 683, 300),
            (Method::Barrett, _, false) => weights(641, 1313, 300),
            (Method::Shoup, _, false) => weights(568, 1251, 300),
            (Method::KRed, _, false) => weights(767, 660, 250),
            (Method::KRed2x, _, false) => weights(1134, 1123, 250),
            (Method::Plantard, _, false) => weights(731, 1517, 300),
            (Method::Solinas, _, false) => weights(2092, 2177, 300),
        }
    }

    const fn of_run(&self, count: &OpCount) -> u64 {
        self.product * count.products
            + self.variable_product * count.variable_products
            + self.reduction * count.reductions
    }
}

impl Recipe {
    /// The planner's estimate for a product: cycles of two forward transforms, pointwise products and
    /// an inverse.
    pub fn estimated_cycles(&self) -> u64 {
        let weights = Weights::of(self.method, self.bits, self.lanes() == 1);
        let [forward, products, inverse] = self.counts();
        let hundredths = 2 * weights.of_run(&forward) + weights.of_run(&products) + weights.of_run(&inverse);
        if !is_compiled(self.method, self.bits, self.lanes()) {
            hundredths / 100 * ERASED
        } else if self.is_compiled_ring() {
            // Transforms with constants for everything take nine tenths of the time, or less.
            hundredths * 9 / 1000
        } else {
            hundredths / 100
        }
    }

    /// Whether its transforms are compiled for this ring alone, with everything about it known.
    pub fn is_compiled_ring(&self) -> bool {
        [Direction::Forward, Direction::Inverse].iter().all(|d| rings::is_compiled_ring(self, *d))
    }
}

/// How many times the erased kernel takes what a compiled one takes.
const ERASED: u64 = 30;

impl CrtRecipe {
    /// The planner's estimate for a product, in cycles.
    pub fn estimated_cycles(&self) -> u64 {
        let transforms: u64 = self.channels.iter().map(Recipe::estimated_cycles).sum();
        let lanes = self.channels[0].lanes();
        let vectors = (self.length() / lanes) as u64;
        let weights = if lanes == 1 { &RECONSTRUCTION[0] } else { &RECONSTRUCTION[1] };
        transforms + vectors * weights[self.channels.len().min(weights.len()) - 1]
    }
}

/// Cycles for each vector of a product, of the copies, sums and digits that residue channels need, by
/// their number: word by word, and on vectors. Measured up to three primes.
const RECONSTRUCTION: [[u64; 4]; 2] = [[22, 37, 60, 90], [60, 95, 95, 130]];
