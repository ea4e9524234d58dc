#![expect(clippy::integer_division_remainder_used, reason = "tests of known numbers")]

use super::{super::testing::*, alias::Column, *};
use crate::xof::ChaCha20;
use reference::sample::gaussian as reference_gaussian;

/// Deviations for every table size and for one to five terms.
const SIGMAS: [f64; 11] = [1e-200, 0.3, 0.7, 2.5, 4.516, 4.859, 11.0, 22.0, 50.0, 215.0, 2500.0];

fn stream(seed: u8) -> ChaCha20 {
    ChaCha20::new(&[seed; 32], [4; 8])
}

/// The probability of each outcome in units of 2^-96/columns, recounted from columns and
/// thresholds.
fn outcomes(columns: &[Column]) -> Vec<u128> {
    let mut units = vec![0; columns.len()];
    for (i, column) in columns.iter().enumerate() {
        units[i] += column.threshold;
        units[usize::from(column.other)] += (1 << 96) - column.threshold;
    }
    units
}

/// The alias table gives each value the probability of the reference, exactly, rounded down to
/// units; 0 has the rest.
#[test]
fn tables_have_the_probabilities_of_the_reference() {
    for (sigma, divisor, columns) in
        [(0.3, 1, 32), (2.5, 1, 32), (4.516, 1, 64), (4.859, 1, 64), (11.0, 1, 128), (22.0, 1, 256), (215.0, 101, 256)]
    {
        let probabilities = absolute(sigma, divisor);
        let table = alias::columns(&alias::weights(&probabilities, columns));
        assert!(table.iter().all(|column| column.threshold < 1 << 96));
        let bits = 96 + columns.ilog2();
        let expected: Vec<u128> =
            reference_gaussian(sigma, divisor, bits.into()).iter().map(|p| p.try_into().unwrap()).collect();
        let units = outcomes(&table);
        assert_eq!(units.iter().sum::<u128>(), 1 << bits);
        assert!(units.iter().enumerate().skip(1).all(|(k, &u)| u == *expected.get(k).unwrap_or(&0)), "sigma = {sigma}");
        // The excess of 0 is each value's rounding plus the tail.
        assert!((expected[0]..expected[0] + 2 * columns as u128).contains(&units[0]), "sigma = {sigma}");
    }
}

/// The probabilities themselves agree to 2^-260.
#[test]
fn probabilities_are_those_of_the_reference() {
    for (sigma, divisor) in [(0.7, 1), (4.516, 1), (22.0, 1), (215.0, 101), (22000.0, 1 << 20)] {
        let ours = absolute(sigma, divisor);
        let theirs = reference_gaussian(sigma, divisor, 270);
        for (k, theirs) in theirs.iter().enumerate() {
            let ours = ours.get(k).map_or([0; 5], |p| p.limbs());
            let ours = ours.iter().rev().fold(num_bigint::BigUint::ZERO, |n, &limb| (n << 64) + limb) >> 50;
            let difference: num_bigint::BigUint = if ours > *theirs { ours - theirs } else { theirs - ours };
            assert!(difference.bits() <= 10, "P(|x| = {k}) for {sigma}, {divisor}");
        }
    }
}

/// The distance from the reference's probabilities, in its arithmetic, is the one that the sampler
/// states.
#[test]
fn the_stated_distance_is_true() {
    for sigma in [0.7, 2.5, 4.516, 11.0, 22.0] {
        let columns = Convolution::of(sigma).unwrap().columns;
        let units = outcomes(&alias::columns(&alias::weights(&absolute(sigma, 1), columns)));
        let wanted = reference_gaussian(sigma, 1, 256);
        let mut sum = num_bigint::BigUint::ZERO;
        for k in 0..units.len().max(wanted.len()) {
            let given = num_bigint::BigUint::from(*units.get(k).unwrap_or(&0)) << (256 - 96 - columns.ilog2());
            let wanted = wanted.get(k).cloned().unwrap_or_default();
            sum += if given > wanted { given - wanted } else { wanted - given };
        }
        let sharing = 2_f64.powf(25.5 - 128.0);
        let distance = u128::try_from(sum >> 100).unwrap() as f64 * 2_f64.powi(100 - 257) + sharing;
        let stated = Gaussian::new(sigma).unwrap().statistical_distance_log2();
        assert!((stated - distance.log2()).abs() < 1e-3 && stated < -90.0, "{sigma}: {stated}, {}", distance.log2());
    }
}

#[test]
fn distances_are_small_for_every_deviation() {
    let mut sigma = 1e-3;
    while sigma <= 65536.0 {
        let gaussian = Gaussian::new(sigma).unwrap();
        assert!(gaussian.statistical_distance_log2() < -90.0 && gaussian.sigma() == sigma);
        assert!(gaussian.largest() as f64 >= 11.0 * sigma - 1.0, "sigma = {sigma}: {}", gaussian.largest());
        sigma *= 1.17;
    }
    assert!(Gaussian::new(65536.0).unwrap().statistical_distance_log2() < -90.0);
}

/// One value of a record by the definition, with branches and indices as needed.
fn plain(columns: &[Column], header: &[u8], record: &[u8], b: usize) -> i32 {
    let (column, digit) = (usize::from(record[b]) % columns.len(), |byte: u8| u128::from(byte ^ 0x80));
    let own = (1..=4).map(|row| digit(record[32 * row + b]));
    let shared = (0..8).map(|row| digit(record[160 + row] ^ header[32 * row + b]));
    let number = own.chain(shared).fold(0, |number, digit| 256 * number + digit);
    let magnitude = if number < columns[column].threshold { column as i32 } else { columns[column].other.into() };
    let at = b / 2 + 16 * (b % 2);
    let negative = record[168 + at / 8] >> (at % 8) & 1 == 1;
    if negative { -magnitude } else { magnitude }
}

/// Every backend matches the definition, for every table, number of terms, word and length.
#[test]
fn every_backend_draws_the_definition() {
    for sigma in SIGMAS {
        let gaussian = Gaussian::new(sigma).unwrap();
        let Convolution { columns, multipliers, divisor, .. } = Convolution::of(sigma).unwrap();
        let table = alias::columns(&alias::weights(&absolute(sigma, divisor), columns));
        let records = multipliers.len() * 172;
        for length in [1, 31, 32, 33, 1000, 2100] {
            let mut bytes = stream(1);
            let mut expected = vec![0; usize::next_multiple_of(length, 32)];
            for block in expected.chunks_mut(32 / multipliers.len() * 32) {
                let (mut header, mut record) = ([0; 256], vec![0; records]);
                bytes.read(&mut header);
                for out in block.chunks_mut(32) {
                    bytes.read(&mut record);
                    for (record, k) in record.chunks(172).zip(&multipliers) {
                        (0..32).for_each(|b| out[b / 2 + 16 * (b % 2)] += k * plain(&table, &header, record, b));
                    }
                }
            }
            for backend in Backend::available() {
                let (mut narrow, mut middle, mut wide) =
                    (vec![99_i16; length], vec![99_i32; length], vec![99_i64; length]);
                gaussian.sample(backend, &mut stream(1), &mut middle);
                assert_eq!(middle, expected[..length], "sigma = {sigma}, {backend}");
                gaussian.sample(backend, &mut stream(1), &mut wide);
                assert!(wide.iter().zip(&middle).all(|(&a, &b)| a == b.into()));
                if gaussian.largest() < 1 << 15 {
                    gaussian.sample(backend, &mut stream(1), &mut narrow);
                    assert!(narrow.iter().zip(&middle).all(|(&a, &b)| i32::from(a) == b));
                }
            }
        }
    }
}

/// Numbers next to thresholds, and ties of every length, decided by each of the bytes.
#[test]
fn comparisons_are_exact() {
    struct Given<'a>(&'a [u8]);
    impl ByteStream for Given<'_> {
        fn read(&mut self, bytes: &mut [u8]) {
            bytes.copy_from_slice(self.0);
        }
    }
    for sigma in [2.5, 4.859, 11.0, 22.0] {
        let gaussian = Gaussian::new(sigma).unwrap();
        let columns = Convolution::of(sigma).unwrap().columns;
        let table = alias::columns(&alias::weights(&absolute(sigma, 1), columns));
        for (i, column) in table.iter().enumerate() {
            let near = (0..96).flat_map(|bit| [column.threshold ^ 1 << bit, column.threshold.wrapping_sub(1 << bit)]);
            for number in near.chain([column.threshold, 0, (1 << 96) - 1]) {
                let digits = number.to_be_bytes().map(|digit| digit ^ 0x80);
                let mut block = [0; 256 + 172];
                block[..256].fill(i as u8);
                block[256..][..32].fill(i as u8);
                (0..4).for_each(|row| block[256 + 32 * (1 + row)..][..32].fill(digits[4 + row]));
                (0..8).for_each(|row| block[256 + 160 + row] = i as u8 ^ digits[8 + row]);
                let number = number & ((1 << 96) - 1);
                let expected = if number < column.threshold { i as i16 } else { column.other.into() };
                for backend in Backend::machines() {
                    let mut out = [-1_i16; 32];
                    gaussian.sample(backend, &mut Given(&block), &mut out);
                    assert_eq!(out, [expected; 32], "{sigma}: column {i}, {number:#x}, {backend}");
                }
            }
        }
    }
}

#[test]
fn samples_are_gaussian() {
    for sigma in SIGMAS.into_iter().chain([22000.0, 65536.0]) {
        let mut out = vec![0_i32; 1 << 18];
        Gaussian::new(sigma).unwrap().sample(Backend::best(), &mut stream(2), &mut out);
        assert_gaussian(&out, sigma);
    }
}

/// The exact distribution of a sum of two terms, from the weights of its base, is within the stated
/// ε of the Gaussian.
#[test]
fn a_convolution_is_as_near_as_the_lemma_says() {
    // A base too narrow for real use, so that floating point can see the distance.
    for (base, k) in [(1.0_f64, 2_i32), (0.9, 1), (1.2, 3)] {
        let (b, c) = (base * f64::from(1 + k * k).sqrt(), base / f64::from(1 + k * k).sqrt());
        let epsilon =
            2.0 * (1..9).map(|j| (-2.0 * (core::f64::consts::PI * c * f64::from(j)).powi(2)).exp()).sum::<f64>();
        assert!(epsilon < 0.5);
        let density = |x: i32, s: f64| (-f64::from(x * x) / (2.0 * s * s)).exp();
        let total = |s: f64| (-99..=99).map(|x| density(x, s)).sum::<f64>();
        let sum_of = |v: i32| (-99..=99).map(|x| density(x, base) * density(v - k * x, base)).sum::<f64>();
        let difference =
            (-99..=99).map(|v| (sum_of(v) / total(base).powi(2) - density(v, b) / total(b)).abs()).sum::<f64>() / 2.0;
        assert!(difference <= epsilon / (1.0 - epsilon) && difference > epsilon / 20.0, "{difference} of {epsilon}");
    }
}

#[test]
fn deviations_outside_the_range_are_refused() {
    for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY, 65536.1] {
        let error = Gaussian::new(sigma).unwrap_err().to_string();
        assert_eq!(error, format!("the standard deviation {sigma} is not above 0 and at most 65536"));
    }
}

#[test]
#[should_panic(expected = "do not fit words of 16 bits")]
fn words_must_hold_the_largest_value() {
    Gaussian::new(22000.0).unwrap().sample(Backend::best(), &mut stream(0), &mut [0_i16; 4]);
}

#[test]
fn contents_are_not_printed() {
    assert_eq!(format!("{:?}", Gaussian::new(2.0).unwrap()), "Gaussian { sigma: 2.0, .. }");
}
