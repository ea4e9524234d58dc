//! Number-theoretic transforms and exact products of polynomials, for any degree and modulus, with
//! proved ranges.
//!
//! A [`Plan`] multiplies polynomials with coefficients modulo `q`, reduced modulo one of `X^n + 1`,
//! `X^n - 1` and `X^n - X^(n/2) + 1` ([`Ring`]), in signed or unsigned words of 16, 32 or 64 bits
//! ([`Word`]). When it is made, it chooses the depth of the transform, the method of reduction and
//! the vector instructions, decides what is reduced where, proves that no value leaves its word,
//! and derives the tables. Running it is vector code without branches on data.
//!
//! ```
//! use ringwork_ntt::Plan;
//!
//! let plan = Plan::<i16>::new(1024, 12289)?; // modulo X^1024 + 1 and 12289, in 16-bit words
//! let (a, b) = (vec![1_i16; 1024], vec![2_i16; 1024]);
//! let mut c = vec![0_i16; 1024];
//! plan.multiply(&mut c, &a, &b);
//! assert_eq!(c[1023], 2048); // canonical: 0 ≤ c < q
//! # Ok::<(), ringwork_ntt::PlanError>(())
//! ```
//!
//! `q` may be any number. If it is a prime with roots of unity, the plan transforms modulo `q`
//! itself, down to linear factors or, where there are too few roots, down to *slots* of a larger
//! degree (an *incomplete* transform). Otherwise, or where that is estimated to be faster, it uses
//! *residue channels*: transforms modulo several primes, from which the Chinese remainder theorem
//! gives the product modulo `q`. [`Request`] fixes a ring, a depth, a method or a root; the planner
//! chooses whatever it leaves out. [`AnyPlan`] chooses the word as well, and `Planner` caches plans
//! for all threads.
//!
//! # Three ways to a product
//!
//! ```
//! use ringwork_ntt::Plan;
//!
//! let plan = Plan::<i32>::new(256, 8_380_417)?;
//! let (a, b) = (vec![3; 256], vec![5; 256]);
//!
//! // In one call; `multiply_with` and `multiply_assign` take scratch and do not allocate.
//! let mut c = vec![0; 256];
//! plan.multiply(&mut c, &a, &b);
//!
//! // With one operand transformed in advance.
//! let b_ready = plan.prepare(&b);
//! let (mut d, mut scratch) = (vec![0; 256], vec![0; plan.scratch_len()]);
//! plan.multiply_prepared(&mut d, &a, &b_ready, &mut scratch);
//! assert_eq!(c, d);
//!
//! // In the transform domain, where sums of products cost one inverse transform: a·b + a·b.
//! let transform = |polynomial: &[i32]| {
//!     let mut words = vec![0; plan.ntt_len()];
//!     words[..plan.n()].copy_from_slice(polynomial);
//!     plan.forward(&mut words);
//!     words
//! };
//! let (a_hat, b_hat) = (transform(&a), transform(&b));
//! let mut product = plan.pointwise(vec![0; plan.ntt_len()], &a_hat, &b_hat);
//! plan.accumulate(&mut product, &a_hat, &b_hat);
//! let sum = plan.inverse_product(product);
//! assert_eq!(sum[0], 2 * c[0] % 8_380_417);
//! # Ok::<(), ringwork_ntt::PlanError>(())
//! ```
//!
//! [`Plan::inner_products`] computes the product of a matrix and a vector, or of two matrices, of
//! transformed polynomials. [`Inverter`] inverts transformed polynomials.
//!
//! [`Plan::forward_many`], [`Plan::inverse_many`] and [`Plan::multiply_many`] take any number of
//! contiguous polynomials, on all threads with the feature `threads`; [`Batch`] describes other
//! layouts.
//!
//! [`Linear`] multiplies polynomials of any two lengths, without a ring, and gives the coefficients
//! that are wanted; [`Linear::prepare`] keeps an operand for many products. [`Request::shift`] moves the
//! points of a transform to a coset, and [`Extension`] takes values at a few points to those at many.
//! [`Bluestein`] transforms polynomials of any length. [`Plan::evaluate`] gives the value at one point.
//!
//! [`Rns`] is a ring modulo a product of primes: integers of any size become residues; residues
//! become integers again, or residues modulo other primes. Its elements [`RnsPoly`] and [`RnsNtt`] own their words and
//! have the verbs of homomorphic encryption: products against keys, [`Automorphism`], [`Digits`], [`ModDown`].
//!
//! # Normalization
//!
//! [`Plan::inverse`] undoes [`Plan::forward`] exactly: it includes the division by the number of
//! slots, which costs nothing. A pointwise product carries a factor that depends on the method of
//! reduction. It is therefore a type of its own, [`Product`]. [`Plan::inverse_product`] turns it
//! into coefficients and [`Plan::to_ntt`] into transformed words, both without the factor;
//! `inverse` does not accept it.
//!
//! # Order
//!
//! Coefficients are in natural order, that of `X^0` first. Transformed words are in the plan's own
//! *native* order, which depends on its vectors, and so on the machine: do not store or send them, or only with
//! [`Plan::fingerprint`], which says whether a plan takes them.
//! [`Plan::canonical_order`] tells which slot is where, and [`Plan::to_canonical_order`] and
//! [`Plan::from_canonical_order`] convert to and from the order that is the same everywhere. A plan
//! that is made for another order ([`Request::slot_order`]) uses it in every method: canonical, or
//! [bit-reversed](SlotOrder::BitReversed), in which layers split slots.
//!
//! ```
//! use ringwork_ntt::{Plan, Request, SlotOrder};
//!
//! let plan = Plan::<u16>::with(&Request::new(1024, 12289).slot_order(SlotOrder::Canonical))?;
//! let mut a = vec![0; 1024];
//! a[1] = 1; // X, whose value in slot i is root^(2i + 1)
//! plan.forward(&mut a);
//! plan.canonical(&mut a);
//! assert_eq!(a[0], 7); // the root, the smallest of order 2048
//! assert_eq!(a[1], 7 * 7 * 7);
//! # Ok::<(), ringwork_ntt::PlanError>(())
//! ```
//!
//! Such a plan moves words in `forward`, `inverse` and `inverse_product`; if slots have a degree
//! above one, in `forward`, `inverse` and `to_ntt`, and for each operand of slot products.
//! Bit-reversed order exchanges words of neighbouring vectors; canonical order then reverses the
//! numbers of slots, a tile of vectors at a time (Carter and Gatlin, *Towards an optimal
//! bit-reversal permutation program*, 1998). What that costs beside a transform stands in
//! `docs/speed.md`, as it was measured. Rings with layers in thirds, slots whose degree is no power
//! of two, and polynomials of a few vectors are moved word by word. Whole products
//! ([`Plan::multiply`] and its variants) cost the same in every order. Words of residue channels
//! are opaque, and have no order but the native one.
//!
//! Polynomials side by side, word by word ([`Batch::interleaved`]), are transformed with a
//! polynomial in every lane: all layers lie between vectors, and bit-reversed order costs nothing.
//!
//! # Ranges
//!
//! | | in | out |
//! |---|---|---|
//! | [`forward`](Plan::forward) | `(-q, q)` | [`Certificate::slots`] |
//! | [`pointwise`](Plan::pointwise), [`accumulate`](Plan::accumulate), [`inner_products`](Plan::inner_products) | what `forward` gives, or `(-q, q)` | a [`Product`] |
//! | [`inverse`](Plan::inverse) | what `forward` gives, or `(-q, q)` | `[0, q)` |
//! | [`inverse_product`](Plan::inverse_product), [`to_ntt`](Plan::to_ntt) | a [`Product`] | `[0, q)` |
//! | [`multiply`](Plan::multiply) and its variants | `(-q, q)` | `[0, q)` |
//! | [`add`](Plan::add), [`sub`](Plan::sub) | `(-q, q)` | `[0, q)` |
//! | [`canonical`](Plan::canonical), [`centre`](Plan::centre) | any words | `[0, q)`, `[-q/2, q/2]` |
//!
//! Canonical and centred coefficients can be mixed freely. The words of residue channels are not
//! residues modulo `q`: `pointwise` and `inverse` accept only the output of `forward` or `to_ntt`
//! of the same plan. Words out of these ranges are not detected and give a wrong result;
//! [`Plan::try_forward`] and [`Plan::try_multiply`] check first.
//!
//! In unsigned words, read `[0, q)` for `(-q, q)`. Transformed words may be negative; in unsigned
//! words they have the same bits, and look large; `canonical` brings them into `[0, q)`. There is
//! no `centre`. Modulo primes that leave no room for a sign ([`Method::is_unsigned`]) all words are
//! in `[0, q)`.
//!
//! ```
//! use ringwork_ntt::{InputError, Interval, Plan};
//!
//! let plan = Plan::<u32>::new(256, 8_380_417)?;
//! let (mut a, b) = (vec![8_380_416_u32; 256], vec![2_u32; 256]);
//! let mut c = vec![0_u32; 256];
//! plan.try_multiply(&mut c, &a, &b)?;
//! assert_eq!(c[255], 8_380_417 - 2 * 256); // -1·2, 256 times
//!
//! a[7] = u32::MAX; // not -1
//! let refused = plan.try_multiply(&mut c, &a, &b);
//! assert_eq!(refused, Err(InputError::Range { index: 7, range: Interval::new(0, 8_380_416) }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Constant time
//!
//! Which instructions run, and which memory they touch, depends on the plan and on the lengths of
//! slices, never on coefficients. Memory that the library allocates for coefficients is wiped. Each
//! exception is named where it applies: a check that fails reports where, so its timing depends on
//! the input, and [`Inverter::invert`] reveals whether there is an inverse. Making plans is not
//! constant-time: degree, modulus, root and everything else in a [`Request`] are public, and so are
//! errors.
//!
//! # Proofs
//!
//! The network that computes a transform also runs on intervals of integers. The result is the
//! plan's [`Certificate`]; a plan without one cannot be made. [`Recipe::with_schedules`] proves
//! other schedules of reductions, or refuses them.
//!
//! ```
//! use ringwork_ntt::{Direction, PlanError, Request, Step};
//!
//! let recipe = Request::new(1024, 12289).recipe(16)?;
//! let certificate = recipe.certificate();
//! assert!(certificate.forward().iter().all(|values| certificate.word().holds(*values)));
//!
//! // The first layer that reduces does so because the proof needs it.
//! let mut steps = recipe.schedules().steps(Direction::Forward).iter();
//! let layer = steps.position(|step| *step != Step::Plain).expect("16-bit words are tight");
//! let lazier = recipe.schedules().clone().with_step(Direction::Forward, layer, Step::Plain);
//! assert!(matches!(recipe.with_schedules(lazier), Err(PlanError::Range { .. })));
//! # Ok::<(), PlanError>(())
//! ```
//!
//! # Errors
//!
//! A plan that cannot be made is a [`PlanError`], which names the condition that failed and what
//! would work. Words out of range are an [`InputError`] where they are checked. A slice of a wrong
//! length is a panic that reports both lengths. A product of another plan is a panic too: that is,
//! of a plan for another ring, modulus, depth, root or method, on other vectors, or with other
//! reductions.
//!
//! ```
//! use ringwork_ntt::{PlanError, Request, arith::primes};
//!
//! let refused = Request::new(4096, 12289).depth(12).recipe(16).unwrap_err();
//! assert_eq!(
//!     refused.to_string(),
//!     "q = 12289 has no primitive 8192th root of unity, which depth 12 of the negacyclic ring \
//!      needs; n = 4096 works with depth 11 and slots of degree 2, or take q = 40961"
//! );
//! let PlanError::NoRoot { prime: Some(prime), .. } = refused else { unreachable!() };
//! assert!(Request::new(4096, prime).depth(12).recipe(32).is_ok());
//!
//! // All 30-bit primes with a primitive 8192nd root of unity, the largest first.
//! let mut candidates = primes(8192, 30)?.rev();
//! assert_eq!(candidates.next().map(|q| q.get()), Some(1_073_692_673));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! - Degrees from 1 to [`MAX_DEGREE`], slots of a degree up to [`MAX_SLOT_DEGREE`]. The trinomial
//!   ring needs an even degree.
//! - Moduli from 5 to below 2^14 in 16-bit words, 2^30 in 32-bit words and 2^62 in 64-bit words;
//!   some larger primes have a proof as well. Residue channels need enough primes of the word to
//!   hold integers of the size of `n·q²`.
//! - Primes of 32 bits in words of 32 bits, and of 63 and 64 bits in words of 64 bits, Goldilocks'
//!   prime `2^64 - 2^32 + 1` among them, leave no room for a sign. They work in unsigned words
//!   only, and not in [`Rns`]. Composite moduli of these sizes do not work in these words, since
//!   residue channels need room for a sign.
//! - A single transform runs on one thread, except with the feature `threads` from degree 2^18 on,
//!   where it runs on those of the pool. Plans are `Send` and `Sync`.
//!
//! # Features
//!
//! - `std`, the only one on by default, which includes `alloc`: `Planner`, a cache of plans, and memory that a
//!   call leaves to the next one ([`Buffer`]). Nothing else needs the standard library.
//! - `alloc`: plans. Without it there is [`fixed`] alone: transforms whose plan is a constant of the program, for
//!   machines without a heap.
//! - `threads`: rayon's current pool shares the work of calls on many polynomials, and of single
//!   transforms of degree 2^18 and above, with the same results. It needs `std` and adds the crate
//!   `rayon`.
//! - `all-methods` compiles every [`Method`] of reduction. Without it, methods that the planner
//!   seldom takes run on one erased kernel, with the same results, but slowly.
//! - `sse41` also compiles vectors of SSE4.1, for CPUs of x86-64 without AVX2. Measured on one CPU, they take
//!   a tenth of the time of single words in 16 bits and a quarter in 32 bits; plans in 64 bits gain nothing
//!   and are estimated too fast by up to a quarter, so choose [`Backend::Scalar`] for them. Machine code grows by a
//!   quarter.
//! - `num-bigint` and `dashu` take integers of these crates ([`num-bigint`](https://docs.rs/num-bigint) and
//!   [`dashu-int`](https://docs.rs/dashu-int)) in and out of an [`Rns`]: `Rns::decompose_bigints` and what stands beside
//!   it.
//! - `ndarray` transforms along an axis of a matrix of that crate, in place where the layout allows:
//!   `Plan::forward_axis` and `Plan::inverse_axis`.
//! - `serde` makes a [`Request`] data that can be stored and sent, and rings, orders and methods by their names.
//! - `internals` makes networks, models, tables and bare transforms public, without any promise of
//!   stability.
//!
//! # Requirements
//!
//! Rust 1.89. `no_std` if `std` is off, and no dependencies except `ringwork-lanes` and those of the
//! features that are named after them.
//! AVX-512 and AVX2 are found at run time ([`Backend::available`]); NEON and WebAssembly's simd128
//! run where the compiler targets them; everything else runs portable code. The crate has no
//! `unsafe`; that of the vector instructions, and of reading unsigned words as signed ones, is in
//! `ringwork-lanes`. It has not been audited.
//!
//! The programs in `examples/` show a product modulo any number (`any_modulus`), an incomplete
//! transform and its slots (`incomplete`), a ring-LWE sum in the transform domain
//! (`ring_lwe_sum`), how to read a certificate (`certificate`), and the calls of homomorphic encryption: a product of
//! ciphertexts (`bfv`) and a key switch (`key_switch`), both for research, and rescaling (`rescale`). Others are by
//! field: lattice cryptography (`lattice`), provers (`prover`), exact convolution of signals (`filter`), and products
//! modulo 998244353 and 1000000007 (`power_series`). `docs/which-call.md` in the repository is a table from what you
//! have to what you call.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "what the feature makes public"))]
#![cfg_attr(not(feature = "alloc"), allow(dead_code, unused_imports, reason = "what plans use"))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The array of `value(i)` for `i` in `0..P`, by a plain loop: closures handed to library functions
/// would be compiled without the instructions of the backend.
macro_rules! lockstep {
    ($p:expr, |$i:ident| $value:expr) => {{
        let $i = 0;
        let _ = $i;
        let mut out = [$value; $p];
        for $i in 1..$p {
            let _ = $i;
            out[$i] = $value;
        }
        out
    }};
}

pub mod arith;
mod exec;
pub mod fixed;
#[cfg(feature = "alloc")]
mod inner_products;
#[cfg(feature = "alloc")]
mod input;
#[cfg(feature = "alloc")]
mod kernels;
#[cfg(feature = "alloc")]
mod model;
mod network;
#[cfg(feature = "alloc")]
mod plan;
#[cfg(feature = "alloc")]
mod planner;
mod reduction;
#[cfg(feature = "alloc")]
mod ring;
#[cfg(feature = "alloc")]
mod rns;
#[cfg(feature = "alloc")]
mod threads;
#[cfg(feature = "alloc")]
mod transform;
#[cfg(feature = "alloc")]
mod with;
mod word;

pub use arith::Interval;
#[cfg(feature = "alloc")]
pub use exec::{Buffer, Tables};
#[cfg(feature = "alloc")]
pub use input::InputError;
pub use lanes::Backend;
#[cfg(feature = "alloc")]
pub use model::{OpCount, Place, Violation};
pub use network::{Blocks, Direction, Pass, PreReduction, SlotStep, Step};
#[cfg(feature = "std")]
pub use plan::Planner;
#[cfg(feature = "alloc")]
pub use plan::{AnyPlan, Batch, Bluestein, Extension, Inverter, Linear, Plan, Prepared, Product};
#[cfg(feature = "alloc")]
pub use planner::{
    Candidate, Certificate, CostModel, CostModelError, CrtRecipe, Decision, MAX_DEGREE, MAX_SLOT_DEGREE,
    MAX_TRIED_SLOT_DEGREE, PlanError, Recipe, Request, Schedules,
};
pub use reduction::Method;
#[cfg(feature = "alloc")]
pub use ring::{Ring, SlotOrder};
#[cfg(feature = "alloc")]
pub use rns::{
    Automorphism, BaseExtension, Coefficients, Digits, Domain, ModDown, Products, Rns, RnsElement, RnsError, RnsNtt,
    RnsPoly, RnsProduct, Slots,
};
#[cfg(any(feature = "dashu", feature = "num-bigint"))]
pub use with::BigInteger;
pub use word::{SignedWord, Word};

/// The engine room, without any promise of stability: networks and the kernels that run them,
/// models, reductions, and transforms whose products are bare words.
///
/// One generic network per direction ([`network`](internals::network)) runs on a kernel: a machine
/// (lanes and a reduction), or a model that proves, derives or counts
/// ([`model`](internals::model)).
#[cfg(feature = "internals")]
pub mod internals {
    pub use crate::{exec::SingleWords, kernels::is_compiled, transform::Transform};

    /// Networks, and kernels.
    pub mod network {
        pub use crate::network::*;
    }

    /// Kernels that prove, derive and count.
    pub mod model {
        pub use crate::model::*;
    }

    /// Methods of reduction.
    pub mod reduction {
        pub use crate::reduction::*;
    }
}

/// The examples of `README.md` are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
