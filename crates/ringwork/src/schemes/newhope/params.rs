//! Parameter sets and sizes.

use crate::{
    estimate::{self, Estimate, Lwe, Shape},
    ring::{self, Parameters as _},
};

/// Bytes of Alice's message: a packed polynomial and a seed.
pub const MESSAGE_A_BYTES: usize = POLYNOMIAL_BYTES + SEED_BYTES;
/// Bytes of Bob's message: a packed polynomial and two bits per coefficient.
pub const MESSAGE_B_BYTES: usize = POLYNOMIAL_BYTES + HINT_BYTES;
/// Bytes of a seed and of the shared key.
pub const SEED_BYTES: usize = 32;

pub(super) const N: usize = 1024;
pub(super) const POLYNOMIAL_BYTES: usize = ring::PackedBits::bytes(N);
pub(super) const HINT_BYTES: usize = N >> 2;

const _: () = assert!(MESSAGE_A_BYTES == 1824 && MESSAGE_B_BYTES == 2048);

/// The ring of NewHope: `Z_12289[X]/(X^1024 + 1)`.
#[derive(Clone, Copy, Debug)]
pub struct NewHopeRing;

impl ring::Parameters for NewHopeRing {
    const N: usize = N;
    const Q: u16 = 12289;
}

/// A parameter set: the width of the noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    name: &'static str,
    eta: u32,
}

/// The parameters of the USENIX Security 2016 paper, ψ_16.
pub const USENIX2016: Parameters = Parameters { name: "usenix2016", eta: 16 };
/// The noise of an earlier version, named in Longa and Naehrig's text, ψ_12: the low 12 of every 16
/// bits drawn.
pub const PSI12: Parameters = Parameters { name: "psi12", eta: 12 };

impl Parameters {
    /// Both sets.
    pub const ALL: [Self; 2] = [USENIX2016, PSI12];

    /// The name used in files and on the command line.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The `k` of ψ_k.
    pub const fn eta(self) -> u32 {
        self.eta
    }

    /// The cost of finding the secret of an exchange from the samples of both messages but one.
    pub fn security(self) -> Result<Estimate, estimate::Error> {
        let noise = Shape::Binomial(self.eta);
        let q = u64::from(NewHopeRing::Q).into();
        Lwe { n: N, q, secret: noise, error: noise, samples: Some(2 * N - 1) }.security()
    }

    /// Looks up a set by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name == name)
    }
}
