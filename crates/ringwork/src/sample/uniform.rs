//! The uniform distribution on `N = 2·beta + 1` values around 0, in constant time.
//!
//! A 128-bit number `u` gives the base-`N` digits of the fraction `u/2^128`, `floor(uN/2^128)` first. Each combination
//! of `m` digits comes from `floor` or `ceil` of `2^128/N^m` numbers, so `m` values together are within `N^m/2^129` of
//! uniform; `N^m ≤ 2^36` makes that 2^-93.

use super::{MAX_BOUND, SampleError, Word, assert_fits};
use crate::{ct::Wiped, xof::ByteStream};

/// The uniform distribution on `[-beta, beta]`, for secrets; any group of values drawn from 16 bytes is within 2^-93 of
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform {
    beta: u32,
    /// Values drawn from one 128-bit number.
    group: usize,
}

impl Uniform {
    /// **Errors** unless `beta` is in `1..=2^15`.
    pub const fn new(beta: u32) -> Result<Self, SampleError> {
        if beta == 0 || beta > MAX_BOUND {
            return Err(SampleError::Bound(beta));
        }
        let (mut group, mut combinations) = (0, 1_u128);
        while combinations * (2 * beta as u128 + 1) <= 1 << 36 {
            combinations *= 2 * beta as u128 + 1;
            group += 1;
        }
        Ok(Self { beta, group })
    }

    /// The bound.
    pub const fn beta(self) -> u32 {
        self.beta
    }

    /// The number of values drawn at once: filling pieces of this length one after the other gives the same values as
    /// filling all of them in one call.
    pub const fn block(self) -> usize {
        64 * self.group
    }

    /// Fills `out`: each 16 bytes are a little-endian number, whose first digits in base `2·beta + 1`, minus `beta`,
    /// are the values: as many as `(2·beta + 1)^m ≤ 2^36` allows.
    ///
    /// - **Range:** `[-beta, beta]`.
    /// - **Constant time:** yes.
    /// - **Panics** if `beta` does not fit the word.
    pub fn sample<W: Word>(self, stream: &mut impl ByteStream, out: &mut [W]) {
        assert_fits::<W>(self.beta.into());
        let values = u128::from(2 * self.beta + 1);
        let mut bytes = Wiped::<u8>::zeros(16 * out.len().div_ceil(self.group).min(64));
        for out in out.chunks_mut(self.block()) {
            let bytes = &mut bytes[..16 * out.len().div_ceil(self.group)];
            stream.read(bytes);
            for (u, out) in bytes.as_chunks().0.iter().zip(out.chunks_mut(self.group)) {
                let u = u128::from_le_bytes(*u);
                let (mut low, mut high) = (u128::from(u as u64), u >> 64);
                for value in out {
                    low *= values;
                    high = high * values + (low >> 64); // below 2^81
                    *value = W::truncate((high >> 64) as i64 - i64::from(self.beta));
                    (low, high) = (u128::from(low as u64), u128::from(high as u64));
                }
            }
        }
    }
}

/// Fills `out` uniformly from `{-1, 0, 1}`: [`Uniform`] with `beta = 1`. **Constant time:** yes.
pub fn ternary<W: Word>(stream: &mut impl ByteStream, out: &mut [W]) {
    const TERNARY: Uniform = match Uniform::new(1) {
        Ok(uniform) => uniform,
        Err(_) => unreachable!(),
    };
    TERNARY.sample(stream, out);
}

/// Fills `out` uniformly from `{0, 1}`: bit `i` of the stream, the lowest of each byte first.
/// **Constant time:** yes.
pub fn binary<W: Word>(stream: &mut impl ByteStream, out: &mut [W]) {
    let mut bytes = Wiped::<u8>::zeros(out.len().div_ceil(8));
    stream.read(&mut bytes);
    for (byte, out) in bytes.iter().zip(out.chunks_mut(8)) {
        for (bit, value) in out.iter_mut().enumerate() {
            *value = W::truncate((byte >> bit & 1).into());
        }
    }
}

#[cfg(test)]
#[expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]
mod tests {
    use super::{super::testing::*, *};
    use crate::xof::ChaCha20;

    fn stream() -> ChaCha20 {
        ChaCha20::new(&[5; 32], [0; 8])
    }

    /// A stream of given bytes, then zeros.
    struct Given(std::collections::VecDeque<u8>);
    impl ByteStream for Given {
        fn read(&mut self, bytes: &mut [u8]) {
            bytes.fill_with(|| self.0.pop_front().unwrap_or(0));
        }
    }

    /// Every value of small distributions has exactly the right share of all `u` with given upper bits.
    #[test]
    fn digits_are_those_of_the_fraction() {
        for (beta, group) in [(1, 22), (2, 15), (100, 4), (1 << 14, 2), (1 << 15, 2)] {
            let uniform = Uniform::new(beta).unwrap();
            assert_eq!(uniform.group, group);
            let n = u128::from(2 * beta + 1);
            let mut bytes = [0; 160];
            stream().read(&mut bytes);
            bytes[16..32].fill(0xFF);
            bytes[32..48].fill(0);
            let mut out = vec![0_i32; 10 * group];
            uniform.sample(&mut Given(bytes.iter().copied().collect()), &mut out);
            for (u, out) in bytes.as_chunks::<16>().0.iter().zip(out.chunks(group)) {
                // The digits of floor(u·N^m / 2^128), the last one first; u·N^m in two halves.
                let (u, scale) = (u128::from_le_bytes(*u), n.pow(group as u32));
                let low = u % (1 << 64) * scale;
                let mut number = ((u >> 64) * scale + (low >> 64)) >> 64;
                for &digit in out.iter().rev() {
                    assert_eq!(i64::from(digit), (number % n) as i64 - i64::from(beta));
                    number /= n;
                }
            }
        }
    }

    #[test]
    fn bounded_values_are_uniform() {
        for beta in [1_u32, 2, 5, 41, 500, 1 << 15] {
            let mut out = vec![0_i32; 1 << 17];
            Uniform::new(beta).unwrap().sample(&mut stream(), &mut out);
            let values = 2 * beta as usize + 1;
            let cells = values.min(101);
            let mut counts = vec![0.0; cells];
            let mut expected = vec![0.0; cells];
            (0..values).for_each(|v| expected[v * cells / values] += out.len() as f64 / values as f64);
            for &x in &out {
                assert!(x.unsigned_abs() <= beta);
                counts[(x + beta as i32) as usize * cells / values] += 1.0;
            }
            let (chi_square, cells) = chi_square(&counts, &expected);
            assert!(chi_square < chi_square_limit(cells), "beta = {beta}: {chi_square} in {cells} cells");
        }
    }

    #[test]
    fn ternary_and_binary_are_named_cases() {
        let (mut a, mut b) = ([0_i16; 1000], [0_i64; 1000]);
        ternary(&mut stream(), &mut a);
        Uniform::new(1).unwrap().sample(&mut stream(), &mut b);
        assert!(a.iter().zip(b).all(|(&a, b)| i64::from(a) == b));
        let mut bits = [9_i16; 19];
        binary(&mut Given([0b1100_0101, 0xFF, 0b010].into()), &mut bits);
        assert_eq!(bits, [1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn bounds_outside_the_range_are_refused() {
        for beta in [0, (1 << 15) + 1, u32::MAX] {
            let error = Uniform::new(beta).unwrap_err();
            assert_eq!(error.to_string(), format!("beta = {beta} is not in 1..=32768"));
        }
    }
}
