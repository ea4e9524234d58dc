//! Section 4.2.2: from bytes to polynomials, and the functions of section 4.1 that produce these bytes; side by side,
//! across keys.

use super::{
    engine::Engine,
    params::{ETA2, N, Q},
};
use crate::{
    ct::Wiped,
    sample::{Accepted, Binomial},
    xof::{
        Function,
        turns::{self, Job},
    },
};

/// The consumer of a hash's output.
pub(super) enum Output<'a> {
    Bytes(&'a mut [u8]),
    /// A polynomial of Algorithm 7.
    Uniform(&'a Engine, Accepted<'a, i16>),
}

impl turns::Output for Output<'_> {
    fn take(&mut self, block: &[u8]) -> bool {
        match self {
            Self::Bytes(bytes) => bytes.take(block),
            Self::Uniform(engine, polynomial) => {
                polynomial.accept::<12>(engine.backend(), Q.into(), block, |out, values| engine.native_of(out, values))
            }
        }
    }
}

/// A hash of two parts.
pub(super) fn hash<'a>(function: Function, parts: [&'a [u8]; 2], out: &'a mut [u8]) -> Job<'a, Output<'a>> {
    Job::new(function, parts, Output::Bytes(out))
}

/// Algorithm 7, `SampleNTT`, for the seed `ρ ‖ a ‖ b`: a transformed polynomial in native order.
///
/// **Constant time:** no; ρ is public.
pub(super) fn sample_ntt<'a>(
    engine: &'a Engine,
    rho: &'a [u8; 32],
    place: [u8; 2],
    out: &'a mut [i16; N],
) -> Job<'a, Output<'a>> {
    Job::new(Function::SHAKE_128, [rho, &[]], Output::Uniform(engine, Accepted::new(out))).with_nonce(place)
}

/// The noise bytes of consecutive polynomials, derived from seeds and numbers.
pub(super) struct Noise(Wiped<u8>);

/// Bytes of `PRF_η`.
const fn noise_bytes(eta: u32) -> usize {
    64 * eta as usize
}

impl Noise {
    /// Room for `polynomials` polynomials with that η.
    pub(super) fn room(eta: u32, polynomials: usize) -> Self {
        Self(Wiped::zeros(noise_bytes(eta) * polynomials))
    }

    /// `PRF_η(s, b)` for each seed and number.
    pub(super) fn jobs<'a>(
        &'a mut self,
        eta: u32,
        inputs: impl Iterator<Item = (&'a [u8; 32], u8)>,
    ) -> impl Iterator<Item = Job<'a, Output<'a>>> {
        inputs.zip(self.0.chunks_exact_mut(noise_bytes(eta))).map(|((seed, number), bytes)| {
            Job::new(Function::SHAKE_256, [seed, &[]], Output::Bytes(bytes)).with_nonce([number])
        })
    }

    /// Algorithm 8, `SamplePolyCBD_η`, from polynomial `first` on: coefficients in `[-η, η]`, in natural
    /// order.
    ///
    /// **Constant time:** yes.
    pub(super) fn sample(&self, engine: &Engine, eta: u32, first: usize, out: &mut [i16]) {
        let (binomial, order) = (Binomial { eta }, if eta == ETA2 { &engine.of_eta_2 } else { &engine.of_eta_3 });
        let bytes = self.0.chunks_exact(noise_bytes(eta)).skip(first);
        out.chunks_exact_mut(N).zip(bytes).for_each(|(out, bytes)| binomial.sample_dense(order, out, bytes));
    }
}
