//! Section 4.2.2: from bytes to polynomials, and the functions of section 4.1 that make these; four
//! polynomials at a time, whosesoever they are.

use super::{
    engine::Engine,
    params::{ETA2, N, Q},
};
use crate::{
    ct::WipedArray,
    sample::{Binomial, rejected16_vartime},
    xof::{Function, Shake128, groups},
};

/// Inputs that are hashed side by side.
const SIDE_BY_SIDE: usize = 4;
/// Bytes that hold enough candidates but for one polynomial in 100: three blocks.
const FIRST_BYTES: usize = 3 * Shake128::BLOCK;

/// Algorithm 7, `SampleNTT`, for the seeds `ρ ‖ a ‖ b`: a transformed polynomial in native order for
/// each.
///
/// **Constant time:** no; ρ is public.
pub(super) fn sample_ntt<'a>(
    engine: &Engine,
    polynomials: impl Iterator<Item = (&'a [u8; 32], [u8; 2], &'a mut [i16])>,
) {
    let mut bytes = [[0; FIRST_BYTES]; SIDE_BY_SIDE];
    let mut values = [[0; N]; SIDE_BY_SIDE];
    for group in groups::<_, SIDE_BY_SIDE>(polynomials) {
        // In empty places, anything.
        let seeds =
            group.each_ref().map(|one| one.as_ref().map_or((&[0; 32], [0; 2]), |(rho, place, _)| (*rho, *place)));
        let mut xof = Shake128::<SIDE_BY_SIDE>::of(seeds.each_ref().map(|(rho, place)| [&rho[..], &place[..]]));
        let mut found = [0; SIDE_BY_SIDE];
        let mut length = FIRST_BYTES;
        loop {
            xof.read_all(bytes.each_mut().map(|bytes| &mut bytes[..length]));
            for ((bytes, values), found) in bytes.iter().zip(&mut values).zip(&mut found) {
                *found += rejected16_vartime::<12>(engine.backend(), Q, &bytes[..length], &mut values[*found..]);
            }
            if group.iter().zip(found).all(|(polynomial, found)| polynomial.is_none() || found == N) {
                break;
            }
            length = Shake128::BLOCK;
        }
        for ((_, _, out), values) in group.into_iter().flatten().zip(&values) {
            engine.native_of(out, values);
        }
    }
}

/// Algorithm 8, `SamplePolyCBD_η`, of `PRF_η(s, b)`: a polynomial with coefficients in `[-η, η]`, in
/// natural order, for each.
///
/// **Constant time:** yes.
pub(super) fn sample_cbd<'a>(
    engine: &Engine,
    eta: u32,
    polynomials: impl Iterator<Item = (&'a [u8; 32], u8, &'a mut [i16])>,
) {
    let length = 64 * eta as usize;
    let (binomial, order) = (Binomial { eta }, if eta == ETA2 { &engine.of_eta_2 } else { &engine.of_eta_3 });
    let mut bytes = WipedArray::<u8, { SIDE_BY_SIDE * Function::MOST }>::zeros();
    for group in groups::<_, SIDE_BY_SIDE>(polynomials) {
        let inputs = group.iter().flatten().map(|(seed, number, _)| [&seed[..], core::slice::from_ref(number)]);
        let rooms = bytes.as_chunks_mut::<{ Function::MOST }>().0.iter_mut();
        Function::SHAKE_256.each(inputs.zip(rooms.map(|room| &mut room[..length])));
        for ((_, _, out), bytes) in group.into_iter().flatten().zip(bytes.as_chunks::<{ Function::MOST }>().0) {
            binomial.sample_dense(order, out, &bytes[..length]);
        }
    }
}
