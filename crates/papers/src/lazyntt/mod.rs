//! LazyNTT: of `t` products in a row that a coefficient meets, one is reduced (`S^(t-1)M`; 2 is SM, 3 is SSM), and the
//! others stay exact.
//!
//! It runs by Montgomery's method, one word at a time, since it chooses for single coefficients; whether words are wide
//! enough is proved by the engine's `Ranges`, coefficient by coefficient. [`Wanted`] says which ring, depth and `t`;
//! [`Proved`] is the proof, with ranges and counts; [`LazyNtt`] has the tables and computes.
//!
//! ```
//! use papers::lazyntt::{Error, LazyNtt, Wanted};
//!
//! let ssm = LazyNtt::<i64>::of(Wanted { depth: Some(7), ..Wanted::new(1024, 12289, 3) }.prove(64)?);
//! let (a, mut b) = (vec![12288; 1024], vec![12288; 1024]);
//! ssm.forward(&mut b);
//! ssm.inverse(&mut b);
//! ssm.canonical(&mut b);
//! assert_eq!(a, b);
//!
//! // Six products in a row, of which five are exact, do not fit.
//! let refused = LazyNtt::<i32>::new(1024, 12289, 6).unwrap_err();
//! assert!(matches!(refused, Error::Range { .. }));
//! # Ok::<(), Error>(())
//! ```
//!
//! Source: Kim, Seo, Lee, Kim, No, *Lazy Modular Reduction for NTT* (2024), sections 3.2 to 3.5. The inverse, incomplete
//! transforms, layers in thirds, and the cyclic and the trinomial ring are not in the paper.

mod error;
pub mod network;
mod tables;
pub mod vectors;
mod wanted;

pub use error::Error;
pub use wanted::{Certificate, Proved, Wanted};

use network::{LazyTransform, Shape};
use ntt::{
    Buffer, Direction, Word,
    arith::Modulus,
    internals::{SingleWords, Transform},
};
use tables::Twiddles;

/// A transform by LazyNTT, its inverse, and products, in words `T`.
#[derive(Clone, Debug)]
pub struct LazyNtt<T: Word> {
    proved: Proved,
    /// The engine's transform with the same slots, which multiplies them.
    usual: Transform<T>,
    forward: Way<T>,
    inverse: Way<T>,
    /// The factors of the last inverse layer for transformed polynomials, and for products of two of them.
    scaling: [[[i64; 2]; 2]; 2],
}

/// One direction.
#[derive(Clone, Debug)]
struct Way<T: Word> {
    shape: Shape,
    table: SingleWords<T>,
}

impl<T: Word> LazyNtt<T> {
    /// The negacyclic transform for degree `n` and prime `q`, as deep as the roots of `q` allow, that reduces one of
    /// `t` products.
    ///
    /// **Errors** say which condition failed and what would work.
    pub fn new(n: usize, q: u64, t: u32) -> Result<Self, Error> {
        Wanted::new(n, q, t).prove(T::BITS).map(Self::of)
    }

    /// The tables of a transform that was proved.
    ///
    /// **Panics** if it was proved for another word.
    pub fn of(proved: Proved) -> Self {
        let usual = Transform::<T>::from_recipe(proved.usual().clone());
        let contract = proved.usual().contract();
        let twiddles = Twiddles::of(proved.usual());
        let way = |direction, residues: &[u64]| {
            let both = |residue: &u64| [contract.encode(*residue), contract.encode_exact(*residue)];
            Way { shape: proved.shape(direction), table: SingleWords::new(contract, residues.iter().flat_map(both)) }
        };
        // A product of two slots carries a factor, which the inverse removes.
        let q = Modulus::new(proved.usual().q()).expect("a recipe has a prime modulus");
        let of_products = q.inv(contract.mul_var_factor().residue);
        let scaling = [1, of_products].map(|by| twiddles.scaling.map(|residue| contract.encode(q.mul(residue, by))));
        let forward = way(Direction::Forward, &twiddles.forward);
        let inverse = way(Direction::Inverse, &twiddles.inverse);
        Self { proved, usual, forward, inverse, scaling }
    }

    /// The proof: ranges, counts and the ring.
    pub const fn proved(&self) -> &Proved {
        &self.proved
    }

    /// The engine's transform with the same slots in the same order; it tells which slot is where.
    pub const fn usual(&self) -> &Transform<T> {
        &self.usual
    }

    /// Words in the tables of both directions. The roots of slots of degree above one are in the table of
    /// [`usual`](Self::usual).
    pub fn table_words(&self) -> usize {
        self.forward.table.words() + self.inverse.table.words()
    }

    /// Transforms in place.
    ///
    /// - **Order:** natural in; slots of `usual` out, bit-reversed.
    /// - **Range:** in `(-q, q)`; out as the certificate's `slots`. Words outside are not detected.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn forward(&self, a: &mut [T]) {
        self.run(Direction::Forward, self.proved.reduces_slots(), [[0; 2]; 2], a);
    }

    /// Undoes [`forward`](Self::forward), all scaling included.
    ///
    /// - **Order:** slots of `usual` in, natural out.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `output`.
    /// - **Constant time:** yes.
    /// - **Panics** if `a` does not have `n` words.
    pub fn inverse(&self, a: &mut [T]) {
        self.run(Direction::Inverse, self.proved.reduces_before_inverse(), self.scaling[0], a);
    }

    /// The same for what [`pointwise`](Self::pointwise) gives.
    pub fn inverse_product(&self, a: &mut [T]) {
        self.run(Direction::Inverse, false, self.scaling[1], a);
    }

    /// Multiplies slot by slot: `c` is the transform of the product, times a factor that only
    /// [`inverse_product`](Self::inverse_product) removes.
    ///
    /// - **Order:** slots of `usual`.
    /// - **Range:** in `(-q, q)` or the certificate's `slots`; out as the certificate's `products`.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn pointwise(&self, c: &mut [T], a: &[T], b: &[T]) {
        self.usual.pointwise(c, a, b);
    }

    /// Brings words of any size into `[0, q)`.
    ///
    /// **Constant time:** yes. **Panics** if `a` does not have `n` words.
    pub fn canonical(&self, a: &mut [T]) {
        self.usual.canonical(a);
    }

    /// The product of two polynomials: two transforms, pointwise products, one inverse.
    ///
    /// - **Order:** natural.
    /// - **Range:** in `(-q, q)`; out canonical.
    /// - **Constant time:** yes.
    /// - **Panics** if a slice does not have `n` words.
    pub fn multiply(&self, c: &mut [T], a: &[T], b: &[T]) {
        let [mut a_hat, mut b_hat] = [a, b].map(Buffer::copy_of);
        self.forward(a_hat.words_mut());
        self.forward(b_hat.words_mut());
        self.pointwise(c, a_hat.words(), b_hat.words());
        self.inverse_product(c);
        self.usual.canonical_within(self.proved.certificate().output, c);
    }

    fn run(&self, direction: Direction, reduces: bool, scaling: [[i64; 2]; 2], a: &mut [T]) {
        let n = self.proved.usual().n();
        assert_eq!(a.len(), n, "a polynomial of degree {n} has {n} coefficients");
        let way = match direction {
            Direction::Forward => &self.forward,
            Direction::Inverse => &self.inverse,
        };
        way.table.run(LazyTransform { shape: &way.shape, reduces }, scaling, [a], []);
    }
}
