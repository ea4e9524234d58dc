//! The relative costs of methods of reduction on a CPU: the part of the planner's estimates that differs most from CPU
//! to CPU, as data.

use super::cost_error::CostModelError;
use crate::reduction::Method;
use alloc::string::String;
use core::{
    fmt,
    hash::{Hash, Hasher},
    ops::RangeInclusive,
};

/// The costs of methods of reduction on a CPU, by which the planner chooses among plans.
///
/// For words of each width, one at a time, on vectors, and on wide vectors (of more than 256 bits), it has a *scale*
/// for everything, and three *weights* per method: for products with twiddles, for products of two variables, and for
/// reductions. All are hundredths of constants of this crate, which are those of Montgomery's method on the CPU where
/// they were measured.
///
/// Requests use [`DEFAULT`](Self::DEFAULT), the same on every machine, unless they are given
/// [another](crate::Request::cost_model). A model determines which plan is chosen, and nothing about the results of a
/// plan: native slot order and tables follow from the plan, results do not change.
///
/// As text, which [`Display`](fmt::Display) writes and [`FromStr`](core::str::FromStr) reads, a model has its version,
/// the CPU, and a line for each scale and each method. `ringwork plan --measure` measures a model.
///
/// ```
/// use ringwork_ntt::{CostModel, Method, Request};
///
/// // Read once, for as long as the program runs.
/// let text = CostModel::DEFAULT.to_string();
/// let model: CostModel = text.parse()?;
/// let request = Request::new(1024, 12289).cost_model(Box::leak(Box::new(model)));
/// assert_eq!(request.decide(16)?, Request::new(1024, 12289).decide(16)?); // it is the default one
///
/// assert!(text.replace("shoup", "slow").parse::<CostModel>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CostModel {
    pub(super) cpu: String,
    /// By word, then by class of vectors.
    pub(super) classes: [[Class; CLASSES.len()]; WORDS.len()],
}

/// The costs in words of some width on vectors of some class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) scale: u16,
    /// Per method, in the order of [`Method::ALL`].
    pub(super) methods: [[u16; 3]; Method::ALL.len()],
}

/// Bits of words.
pub(super) const WORDS: [u32; 3] = [16, 32, 64];

/// One word at a time, on vectors of up to 256 bits, on wider ones.
pub(super) const CLASSES: [&str; 3] = ["scalar", "vectors", "wide"];

/// The model of every request that is given no other.
pub(super) static DEFAULT: CostModel = CostModel::DEFAULT;

impl CostModel {
    /// The model of every request that is given no other.
    pub const DEFAULT: Self = Self::by_default();

    /// The range of weights: estimates neither vanish nor overflow.
    pub const WEIGHTS: RangeInclusive<u16> = 1..=10_000;

    /// The range of scales.
    pub const SCALES: RangeInclusive<u16> = 10..=1000;

    /// The CPU where it was measured; empty for the default model.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The same model, measured on that CPU. Characters that a line cannot contain are dropped from the name.
    pub fn with_cpu(self, name: &str) -> Self {
        let mut cpu = String::new();
        for word in name.split_whitespace() {
            if !cpu.is_empty() {
                cpu.push(' ');
            }
            cpu.extend(word.chars().filter(|c| !c.is_control()));
        }
        while cpu.len() > MOST_OF_NAME || cpu.ends_with(' ') {
            cpu.pop();
        }
        Self { cpu, ..self }
    }

    /// The scale, in hundredths, for words of `bits` bits on vectors of `lanes` lanes.
    pub const fn scale(&self, bits: u32, lanes: usize) -> u16 {
        self.class(bits, lanes).scale
    }

    /// The same model with another scale for such words and vectors.
    ///
    /// **Errors** unless the scale is in [`SCALES`](Self::SCALES).
    pub fn with_scale(mut self, bits: u32, lanes: usize, scale: u16) -> Result<Self, CostModelError> {
        CostModelError::check(&[scale], &Self::SCALES)?;
        self.class_mut(bits, lanes).scale = scale;
        Ok(self)
    }

    /// The weights, in hundredths, of a product with a twiddle, a product of two variables, and a reduction by that
    /// method, in words of `bits` bits on vectors of `lanes` lanes.
    pub const fn weights(&self, method: Method, bits: u32, lanes: usize) -> [u16; 3] {
        self.class(bits, lanes).methods[method as usize]
    }

    /// The same model with other weights of a method in such words on such vectors.
    ///
    /// **Errors** unless all weights are in [`WEIGHTS`](Self::WEIGHTS).
    pub fn with_weights(
        mut self,
        method: Method,
        bits: u32,
        lanes: usize,
        weights: [u16; 3],
    ) -> Result<Self, CostModelError> {
        CostModelError::check(&weights, &Self::WEIGHTS)?;
        self.class_mut(bits, lanes).methods[method as usize] = weights;
        Ok(self)
    }

    const fn class(&self, bits: u32, lanes: usize) -> &Class {
        let [word, class] = place(bits, lanes);
        &self.classes[word][class]
    }

    const fn class_mut(&mut self, bits: u32, lanes: usize) -> &mut Class {
        let [word, class] = place(bits, lanes);
        &mut self.classes[word][class]
    }

    const fn by_default() -> Self {
        let mut i = 0;
        while i < Method::ALL.len() {
            assert!(Method::ALL[i] as usize == i, "costs are found by the number of a method");
            i += 1;
        }
        let mut classes = [[Class { scale: 100, methods: [[100; 3]; Method::ALL.len()] }; CLASSES.len()]; WORDS.len()];
        let mut i = 0;
        while i < WORDS.len() * CLASSES.len() {
            let (word, class) = (i / CLASSES.len(), i % CLASSES.len());
            let of_class = &mut classes[word][class];
            // Vectors of 512 bits take nearly twice as long as two of 256 on the CPU where they were measured.
            of_class.scale = if class == 2 { 185 } else { 100 };
            let mut method = 0;
            while method < Method::ALL.len() {
                of_class.methods[method] = Method::ALL[method].costs(WORDS[word], class == 0);
                method += 1;
            }
            i += 1;
        }
        Self { cpu: String::new(), classes }
    }
}

/// The largest number of bytes in the name of a CPU.
pub(super) const MOST_OF_NAME: usize = 200;

/// The indices of a word and of a class of vectors.
const fn place(bits: u32, lanes: usize) -> [usize; 2] {
    let word = match bits {
        16 => 0,
        32 => 1,
        _ => 2,
    };
    let class = match lanes {
        1 => 0,
        _ if bits as usize * lanes <= 256 => 1,
        _ => 2,
    };
    [word, class]
}

impl Default for CostModel {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Equal models have equal sums, which are faster to compute than a hash of all weights: requests are keys.
impl Hash for CostModel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let of_class = |class: &Class| {
            let weights = class.methods.iter().flatten().map(|&weight| u32::from(weight)).sum::<u32>();
            u32::from(class.scale) + weights
        };
        let sums = self.classes.as_flattened().iter().map(of_class);
        state.write_u32(sums.fold(0, |hash, sum| hash.wrapping_mul(31).wrapping_add(sum)));
    }
}

impl fmt::Debug for CostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CostModel").field("cpu", &self.cpu).finish_non_exhaustive()
    }
}
