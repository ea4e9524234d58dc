//! Transforms whose plan is a constant: for programs without a heap, and without a planner in flash.
//!
//! Everything that [`Plan`](crate::Plan) finds when it is made stands in the program as data: passes, reductions,
//! tables. `cargo xtask gen` plans the rings of `examples/fixed_rings.rs`, proves them, and writes what it finds. They
//! run one word at a time, by Montgomery's method, on the network of all other transforms. Transformed polynomials are
//! in the order in which layers split slots (bit-reversed), which is that of the standards.
//!
//! ```
//! use ringwork_ntt::fixed::{FixedRing, MlKem};
//!
//! let (mut a, mut b, mut c) = ([0; 256], [0; 256], [0; 256]);
//! (a[255], b[1]) = (5, 7); // 5·X^255 and 7·X
//! MlKem::forward(&mut a);
//! MlKem::forward(&mut b);
//! MlKem::pointwise(&mut c, &a, &b);
//! MlKem::inverse_product(&mut c);
//! assert_eq!(c[0], 3329 - 35); // X^256 is -1
//! ```
//!
//! Operations are compiled in the crate that calls them. **Constant time:** all of them.

mod list;

use crate::{
    arith::Interval,
    exec::{MAX_ROW, Operands, SCALING, Shell, misfit},
    network::{
        Border, Direction, Each, Elementwise, Fixed, FixedProgram, Job, Pass, Pointwise, SlotStep, Step, ToCanonical,
    },
    reduction::{Constants, Montgomery},
};
use core::marker::PhantomData;
use lanes::{Task16, Task32, scalar::Arrays};
pub use list::{MlDsa, MlKem};

/// What the planner found for a ring.
#[doc(hidden)]
pub trait Planned {
    /// The words of polynomials.
    type Word: Single;
    /// The numbers of the modulus.
    const CONSTANTS: Constants;
    /// Passes in forward order.
    const PASSES: &'static [Pass];
    /// A step for each layer, forward and inverse.
    const STEPS: [&'static [Step]; 2];
    /// Whether a forward transform reduces slots in the end, and an inverse one products at first.
    const REDUCES: [bool; 2];
    /// What products of slots reduce.
    const SLOT_STEP: SlotStep;
    /// How coefficients become canonical.
    const CANONICAL: ToCanonical;
    /// The words of all tables: those of the forward transform, of the inverse, and of slots, with one end for all.
    const TABLE: &'static [Self::Word];
    /// Words of each of them.
    const LENGTHS: [usize; 3];
    /// What an inverse scales products by, and what turns them into slots.
    const SCALING: [[Self::Word; SCALING]; 2];
}

/// A ring whose transforms are constants of the program.
///
/// Slices have [`N`](Self::N) words each; **panics** if one has not.
pub trait FixedRing: Planned {
    /// The degree.
    const N: usize;
    /// The modulus.
    const Q: u64;
    /// The degree of slots.
    const SLOT_DEGREE: usize;
    /// What transformed polynomials are in.
    const SLOTS: Interval;
    /// What products of slots are in.
    const PRODUCTS: Interval;

    /// Transforms in place.
    ///
    /// - **Order:** natural in, bit-reversed out.
    /// - **Range:** in `(-q, q)`; out [`SLOTS`](Self::SLOTS).
    fn forward(a: &mut [Self::Word]) {
        check::<Self>(a.len());
        let border = Border { reduce: Self::REDUCES[0], ..Border::NOTHING };
        let operands = Operands { table: table::<Self>(0), ..Operands::new([a], []) };
        run::<Self, _, 1, 0>(FixedProgram::<Way<Self, true>>::new(border), operands);
    }

    /// Multiplies slot by slot: `c` is the transform of the product, times a factor that
    /// [`inverse_product`](Self::inverse_product) and [`to_ntt_plus`](Self::to_ntt_plus) remove.
    ///
    /// - **Order:** bit-reversed.
    /// - **Range:** in `(-q, q)` or [`SLOTS`](Self::SLOTS); out [`PRODUCTS`](Self::PRODUCTS).
    fn pointwise(c: &mut [Self::Word], a: &[Self::Word], b: &[Self::Word]) {
        [c.len(), a.len(), b.len()].into_iter().for_each(check::<Self>);
        let operands = Operands { table: table::<Self>(2), ..Operands::new([c], [a, b]) };
        run::<Self, _, 1, 2>(Pointwise { step: Self::SLOT_STEP, degree: Self::SLOT_DEGREE }, operands);
    }

    /// Adds a product, or a sum of products, to another one.
    ///
    /// **Range:** in and out [`PRODUCTS`](Self::PRODUCTS).
    fn add_product(sum: &mut [Self::Word], product: &[Self::Word]) {
        pairs::<Self>(Elementwise::AddReduced, &[], sum, product);
    }

    /// The inverse transform of a product, or of a sum of products.
    ///
    /// - **Order:** bit-reversed in, natural out.
    /// - **Range:** in [`PRODUCTS`](Self::PRODUCTS); out `[0, q)`.
    fn inverse_product(a: &mut [Self::Word]) {
        check::<Self>(a.len());
        let border = Border { reduce: Self::REDUCES[1], canonical: Self::CANONICAL, ..Border::NOTHING };
        let operands = Operands { table: table::<Self>(1), scaling: &Self::SCALING[0], ..Operands::new([a], []) };
        run::<Self, _, 1, 0>(FixedProgram::<Way<Self, false>>::new(border), operands);
    }

    /// A product, or a sum of products, as a transformed polynomial, plus another transformed polynomial.
    ///
    /// - **Order:** bit-reversed.
    /// - **Range:** in [`PRODUCTS`](Self::PRODUCTS), and `(-q, q)` or [`SLOTS`](Self::SLOTS); out `[0, q)`.
    fn to_ntt_plus(products: &mut [Self::Word], b: &[Self::Word]) {
        pairs::<Self>(Elementwise::ScaleAndAdd, &Self::SCALING[1], products, b);
    }

    /// Brings words of any size into `[0, q)`.
    fn canonical(a: &mut [Self::Word]) {
        check::<Self>(a.len());
        run::<Self, _, 1, 1>(Each { how: Elementwise::Canonical }, Operands::of(a));
    }

    /// `a + b`, of words in `(-q, q)`; out `[0, q)`.
    fn add(a: &mut [Self::Word], b: &[Self::Word]) {
        pairs::<Self>(Elementwise::Add { negative: false }, &[], a, b);
    }

    /// `a - b`, of words in `(-q, q)`; out `[0, q)`.
    fn sub(a: &mut [Self::Word], b: &[Self::Word]) {
        pairs::<Self>(Elementwise::Add { negative: true }, &[], a, b);
    }
}

/// One direction of a ring's transforms.
struct Way<R: ?Sized, const FORWARD: bool>(PhantomData<R>);

impl<R: Planned + ?Sized, const FORWARD: bool> Fixed for Way<R, FORWARD> {
    const DIRECTION: Direction = if FORWARD { Direction::Forward } else { Direction::Inverse };
    const PASSES: &'static [Pass] = R::PASSES;
    const STEPS: &'static [Step] = R::STEPS[!FORWARD as usize];
}

/// The words of that table, and those that a window beyond its last row shows.
#[inline(always)]
fn table<R: FixedRing + ?Sized>(table: usize) -> &'static [R::Word] {
    let start: usize = R::LENGTHS[..table].iter().sum();
    &R::TABLE[start..][..R::LENGTHS[table] + MAX_ROW]
}

#[inline(always)]
fn pairs<R: FixedRing + ?Sized>(how: Elementwise, scaling: &[R::Word], a: &mut [R::Word], b: &[R::Word]) {
    [a.len(), b.len()].into_iter().for_each(check::<R>);
    run::<R, _, 1, 1>(Each { how }, Operands { scaling, ..Operands::new([a], [b]) });
}

#[inline(always)]
fn run<R: FixedRing + ?Sized, J: Job<M, N>, const M: usize, const N: usize>(
    job: J,
    mut operands: Operands<'_, R::Word, M, N>,
) {
    if !R::Word::run(const { &R::CONSTANTS }, &job, &mut operands) {
        misfit();
    }
}

#[inline(always)]
fn check<R: FixedRing + ?Sized>(length: usize) {
    assert!(length == R::N, "a polynomial of another degree");
}

/// Words of which jobs run one at a time.
#[doc(hidden)]
pub trait Single: Copy + 'static {
    /// Runs a job by Montgomery's method; whether its table was read as it should be.
    #[allow(private_interfaces, reason = "nothing outside calls it")]
    fn run<J: Job<M, N>, const M: usize, const N: usize>(
        constants: &Constants,
        job: &J,
        operands: &mut Operands<'_, Self, M, N>,
    ) -> bool;
}

macro_rules! single {
    ($($word:ident $task:ident)*) => {$(
        impl Single for $word {
            #[allow(private_interfaces, reason = "nothing outside calls it")]
            #[inline(always)]
            fn run<J: Job<M, N>, const M: usize, const N: usize>(
                constants: &Constants,
                job: &J,
                operands: &mut Operands<'_, Self, M, N>,
            ) -> bool {
                $task::run(Shell { code: PhantomData::<Montgomery>, constants, job, operands }, Arrays::<$word, 1>::new())
            }
        }
    )*};
}
single!(i16 Task16 i32 Task32);

/// Declares rings; `cargo xtask gen` writes the list.
macro_rules! fixed_rings {
    ($($(#[$note:meta])* $name:ident: $word:ty, $n:literal, $q:literal, slots of $degree:literal in [$slots:literal],
        products in [$products:literal], [$($pass:expr),* $(,)?], [$($forward:ident)*], [$($inverse:ident)*],
        reduces $reduces:expr, $step:expr, $canonical:ident, scaling $scaling:expr,
        tables of $lengths:expr, [$($table:expr),* $(,)?];)*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Planned for $name {
            type Word = $word;
            const CONSTANTS: Constants = Constants::of($q, <$word>::BITS);
            const PASSES: &'static [Pass] = &[$($pass),*];
            const STEPS: [&'static [Step]; 2] = [&[$(Step::$forward),*], &[$(Step::$inverse),*]];
            const REDUCES: [bool; 2] = $reduces;
            const SLOT_STEP: SlotStep = $step;
            const CANONICAL: ToCanonical = ToCanonical::$canonical;
            const TABLE: &'static [$word] = {
                static WORDS: [$word; LENGTH + MAX_ROW] = with_end([$($table),*], 0);
                const LENGTH: usize = $lengths[0] + $lengths[1] + $lengths[2];
                &WORDS
            };
            const LENGTHS: [usize; 3] = $lengths;
            const SCALING: [[$word; SCALING]; 2] = $scaling;
        }

        impl FixedRing for $name {
            const N: usize = $n;
            const Q: u64 = $q;
            const SLOT_DEGREE: usize = $degree;
            const SLOTS: Interval = Interval::symmetric($slots);
            const PRODUCTS: Interval = Interval::symmetric($products);
        }
    )*};
}
use fixed_rings;

/// Words, and a table's end.
const fn with_end<T: Copy, const WORDS: usize, const ALL: usize>(words: [T; WORDS], zero: T) -> [T; ALL] {
    let (mut all, mut i) = ([zero; ALL], 0);
    while i < WORDS {
        all[i] = words[i];
        i += 1;
    }
    all
}
