//! Commitments to polynomials, with zero-knowledge proofs of opening and of linear relations.
//!
//! ```text
//! key      A1 = (I_d  A1'),  A2 = (0  I_l  A2'),  A1' and A2' uniform, from a public seed
//! commit   r <- S_beta^k,  c = (c1, c2) = (A1·r, A2·r + m)
//! open     (m, r, f):  f·c = (A1; A2)·r + f·(0; m),  ‖r_i‖ ≤ 4σ√n,  f = 1 or f ∈ C̄
//! prove    y <- D_σ^k,  t = A1·y,  challenge e = H(…, c, t) ∈ C,  z = y + e·r, begun again unless rejection sampling
//!          accepts z
//! verify   A1·z = t + e·c1,  ‖z_i‖ ≤ 2σ√n
//! ```
//!
//! `C` holds the polynomials with exactly `κ` coefficients ±1 and all others 0; `C̄` the non-zero differences of two of
//! them. A proof of a relation `Σ g_j·m_j = v` between several commitments also contains `u = Σ g_j·A2·y_j`; its
//! verifier checks `Σ g_j·A2·z_j = u + e·(Σ g_j·c2_j - v)`. All openings that can be extracted have the same `f`.
//!
//! **Hiding** rests on module-LWE, **binding** on module-SIS and on the invertibility of `C̄`: if
//! `q ≡ 2δ + 1 (mod 4δ)`, every non-zero `y` with `‖y‖_∞ < q^(1/δ)/√δ` is invertible. [`Parameters`] computes this
//! bound and refuses rings for which no theorem holds, the thesis' ring among them; its shape is available as
//! [`Parameters::insecure_benchmark`].
//!
//! An honest opening has `f = 1`. Strictly, 1 is not a difference of challenges; it is invertible and smaller than
//! those, so accepting it weakens nothing.
//!
//! **Wire format** (version 1): coefficients in natural order. Residues take the bits of `q - 1`; a signed coefficient
//! `x` with a bound `B` is `x + B` in the bits of `2B`: `B` is `⌊4σ√n⌋` for the randomness of openings, `⌊2σ√n⌋` for
//! answers, and 2 for factors. Each vector is a bit string of its own, except that `c1` and `c2` of a commitment share
//! one. An opening is `m`, `r`, `f`; a proof is `t`, then `u` if there is a relation, then all `z`.
//! [`CommitmentKey::new`] defines how a key is derived from its seed.
//!
//! [`FixedWeight`](crate::sample::FixedWeight) samples a challenge from SHAKE-256 of `"ringwork bdlop challenge"` and a
//! digest: 32 bytes of SHAKE-256 of `"ringwork bdlop proof"`, the parameters as in the key, the seed of the key, the
//! length of the context, the context, the number of commitments, `c1` and `c2` of each, then 1 and all `g_j` and `v`,
//! or 0 without a relation, `t`, and `u` if there is one. Lengths and numbers have 8 little-endian bytes. A compact
//! proof is that digest and `z`: [`CommitmentKey::proof_to_compact_bytes`].
//!
//! **A research scheme**, not a standard: nobody has reviewed it, and a model estimates its parameters.
//!
//! **Constant time:** everything that depends on messages, randomness and masks. The number of attempts of a proof is
//! public and independent of the secrets. Verification works on public values, in variable time.
//!
//! Source: Baum, Damgård, Lyubashevsky, Oechsner, Peikert, *More efficient commitments from
//! structured lattice assumptions* (2018), sections 4 and 5; Bakkebø's thesis (2020), chapter 6;
//! Lyubashevsky and Seiler (2018), corollary 1.2.

mod commit;
mod encode;
mod params;
mod proof;
mod rejection;

pub use commit::{Commitment, CommitmentKey, Opening};
pub use params::{BAKKEBO_1024, BDLOP_1024, BDLOP_1024_4, BDLOP_2048, Parameters};
pub use proof::{MAX_COMMITMENTS, Proof, Relation, Statement};

use crate::decode::DecodeError;
use core::fmt;

/// Why parameters, an input or a proof was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Parameters that would not be sound, or have no ring.
    Parameters(String),
    /// A shape that does not match the key's parameters.
    Shape {
        /// The name of the input.
        what: &'static str,
        /// The required number of polynomials.
        expected: usize,
        /// The actual number of polynomials.
        actual: usize,
    },
    /// Malformed bytes.
    Encoding(DecodeError),
    /// Polynomial `index` of the randomness, or of a proof's answer, is too long.
    Norm {
        /// The index of the polynomial.
        index: usize,
    },
    /// `f` is neither 1 nor a difference of two challenges.
    Factor,
    /// An equation does not hold: the message, randomness, commitment, key or statement differs.
    Equation(&'static str),
    /// The witness does not open the commitments, or its messages do not satisfy the relation; nothing was proved.
    Witness(Box<Error>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameters(why) => f.write_str(why),
            Self::Shape { what, expected, actual } => {
                write!(f, "{what} must have {expected} polynomials, this has {actual}")
            }
            Self::Encoding(why) => why.fmt(f),
            Self::Norm { index } => write!(f, "polynomial {index} is longer than an accepted one may be"),
            Self::Factor => f.write_str("the factor f is neither 1 nor a difference of two challenges"),
            Self::Equation(which) => write!(f, "{which} does not hold"),
            Self::Witness(why) => write!(f, "nothing was proved, because the opening is not one: {why}"),
        }
    }
}

impl core::error::Error for Error {}

impl From<DecodeError> for Error {
    fn from(why: DecodeError) -> Self {
        Self::Encoding(why)
    }
}
