//! Section 4.2.2: from bytes to polynomials, and the functions of section 4.1 that make these.

use super::{
    engine::Engine,
    params::{ETA2, N, Q},
};
use crate::{
    ct::WipedArray,
    sample::{Binomial, rejected16_vartime},
    xof::{Shake128, Shake256},
};

/// Inputs that are hashed side by side.
const SIDE_BY_SIDE: usize = 4;
/// Bytes that hold enough candidates but for one polynomial in 100: three blocks.
const FIRST_BYTES: usize = 3 * Shake128::BLOCK;

/// Algorithm 7, `SampleNTT`, for the seeds `ρ ‖ a ‖ b`: transformed polynomials in native order.
///
/// **Constant time:** no; ρ is public.
pub(super) fn sample_ntt(engine: &Engine, rho: &[u8; 32], places: &[[u8; 2]], out: &mut [i16]) {
    let mut bytes = [[0; FIRST_BYTES]; SIDE_BY_SIDE];
    let mut values = [[0; N]; SIDE_BY_SIDE];
    for (places, out) in places.chunks(SIDE_BY_SIDE).zip(out.chunks_mut(SIDE_BY_SIDE * N)) {
        let place = |i: usize| places.get(i).unwrap_or(&places[0]);
        let mut xof = Shake128::<SIDE_BY_SIDE>::of(core::array::from_fn(|i| [&rho[..], &place(i)[..]]));
        let mut found = [0; SIDE_BY_SIDE];
        let mut length = FIRST_BYTES;
        loop {
            xof.read_all(bytes.each_mut().map(|bytes| &mut bytes[..length]));
            for ((bytes, values), found) in bytes.iter().zip(&mut values).zip(&mut found) {
                *found += rejected16_vartime::<12>(engine.backend(), Q, &bytes[..length], &mut values[*found..]);
            }
            if found[..places.len()].iter().all(|&found| found == N) {
                break;
            }
            length = Shake128::BLOCK;
        }
        for (out, values) in out.chunks_exact_mut(N).zip(&values) {
            engine.native_of(out, values);
        }
    }
}

/// Algorithm 8, `SamplePolyCBD_η`, of `PRF_η(s, b)` for `b = first, first + 1 ..`: polynomials with
/// coefficients in `[-η, η]`, in natural order.
///
/// **Constant time:** yes.
pub(super) fn sample_cbd(engine: &Engine, eta: u32, seed: &[u8; 32], first: u8, out: &mut [i16]) {
    let length = 64 * eta as usize;
    let mut bytes = WipedArray::<u8, { SIDE_BY_SIDE * 64 * 3 }>::zeros();
    let (binomial, order) = (Binomial { eta }, if eta == ETA2 { &engine.of_eta_2 } else { &engine.of_eta_3 });
    let mut number = first;
    for out in out.chunks_mut(SIDE_BY_SIDE * N) {
        let numbers: [[u8; 1]; SIDE_BY_SIDE] = core::array::from_fn(|i| [number + i as u8]);
        if out.len() > N {
            let mut prf = Shake256::<SIDE_BY_SIDE>::of(numbers.each_ref().map(|number| [&seed[..], &number[..]]));
            let (first, second) = bytes[..SIDE_BY_SIDE * length].split_at_mut(2 * length);
            let ([a, b], [c, d]) = (first.split_at_mut(length).into(), second.split_at_mut(length).into());
            prf.read_all([a, b, c, d]);
        } else {
            let mut prf = Shake256::<1>::of([[&seed[..], &numbers[0][..]]]);
            prf.read_all([&mut bytes[..length]]);
        }
        for (i, out) in out.chunks_exact_mut(N).enumerate() {
            binomial.sample_dense(order, out, &bytes[i * length..][..length]);
        }
        number += SIDE_BY_SIDE as u8;
    }
}
