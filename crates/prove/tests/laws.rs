//! Laws: the meaning of every recorded operation is that of the lanes, for all pairs of 8-bit numbers, and for
//! boundaries and random words.

use lanes::{
    Lanes, Lanes16, Lanes64, LanesWide,
    record::{Recorded, Recorder, record},
    scalar::Arrays,
};
use num_bigint::BigInt;
use prove::{
    linear::power,
    meaning::{Input, Meaning},
    system::System,
};

/// Results of every operation on two words; `small` are numbers of 8 bits.
fn common<L: Lanes>(l: L, a: L::V, b: L::V) -> Vec<L::V> {
    let word = |x| l.splat(L::word(x));
    vec![
        l.add(a, b),
        l.sub(a, b),
        l.sub(l.sub(a, b), b),
        l.mul_lo(a, b),
        l.mul_lo(l.mul_lo(a, b), l.add(a, b)),
        l.gt(a, b),
        l.negative(a),
        l.and(l.gt(a, b), b),
        l.and(a, word(255)),
        l.xor(a, word(-1)),
        l.xor(word(0), b),
        l.shl::<3>(a),
        l.shr::<5>(a),
        l.shr_logical::<7>(a),
        l.shr_by(a, 11),
        l.shl_by(a, 9),
        l.shr::<2>(l.add(a, b)),
        l.negative(l.mul_lo(a, b)),
    ]
}

fn of_16<L: Lanes16>(l: L, a: L::V, b: L::V) -> Vec<L::V> {
    let odd = l.sub(l.mul_lo(b, l.splat(1)), l.and(l.negative(b), l.splat(-1))); // not -2^15
    let mut results = common(l, a, b);
    results.extend([l.mul_hi(a, b), l.mul_round(a, odd), l.mul_hi(l.add(a, b), b)]);
    results
}

fn wide<L: LanesWide>(l: L, a: L::V, b: L::V) -> Vec<L::V> {
    let product = l.widen_mul(a, b);
    let unsigned = l.widen_mul_unsigned(a, b);
    let mut results = common(l, a, b);
    for wide in [
        product,
        unsigned,
        l.wide_add(product, unsigned),
        l.wide_sub(product, unsigned),
        l.widen_mul_low(product, b),
        l.widen_mul_low_unsigned(unsigned, b),
    ] {
        results.extend([l.narrow_lo(wide), l.narrow_hi(wide), l.narrow_lo(l.wide_shr(wide, L::BITS / 2 + 3))]);
    }
    results.extend([
        l.gt_unsigned(a, b),
        l.sub_or_add(a, b, l.splat(L::word(12289))),
        l.min_unsigned(a, b),
        l.min_unsigned(a, l.sub(a, l.splat(L::word(12289)))),
        l.narrow_hi_of_equal_lows(product, l.widen_mul_low(product, l.splat(L::word(1)))),
    ]);
    results
}

fn of_64<L: Lanes64>(l: L, a: L::V, b: L::V) -> Vec<L::V> {
    let small = l.shr::<2>(b);
    let q = l.splat((1 << 50) - 27);
    let mut results = wide(l, a, b);
    results.extend([
        l.mul_hi_near(l.shr::<1>(a), small),
        l.mul_low_halves(a, b),
        l.mul_difference(a, b, small, q),
        l.reduce_near(a, l.splat(0x7FFF_1234), 17, q),
        l.mul52_lo(a, a, b),
        l.mul52_hi(b, a, b),
    ]);
    results
}

/// Compares results on the recorder with those on arrays, for pairs of words.
macro_rules! compare {
    ($word:ty, $results:ident, $pairs:expr) => {{
        let pairs: &[($word, $word)] = $pairs;
        let lane = Arrays::<$word, 1>::new();
        let recorder = Recorder::<$word>::new();
        let (recorded, nodes) = record(|| $results(recorder, recorder.input(0), recorder.input(1)));
        for pairs in pairs.chunks(2048) {
            let mut system = System::new(pairs.len(), 0);
            let ends = || [-power(<$word>::BITS - 1), power(<$word>::BITS - 1) - 1];
            let [a, b]: [Vec<BigInt>; 2] =
                [pairs.iter().map(|pair| pair.0.into()).collect(), pairs.iter().map(|pair| pair.1.into()).collect()];
            let inputs = [system.symbol("a", ends(), &a), system.symbol("b", ends(), &b)].map(Input::Word);
            let mut meaning = Meaning::of(&mut system, &nodes, &inputs);
            let forms: Vec<_> = recorded.iter().map(|&word: &Recorded| meaning.signed(word)).collect();
            for (sample, &(a, b)) in system.samples().iter().zip(pairs) {
                let expected = $results(lane, [a], [b]);
                for (i, (form, [word])) in forms.iter().zip(expected).enumerate() {
                    assert_eq!(form.value(sample), word.into(), "result {i} of {a} and {b}");
                }
            }
        }
    }};
}

macro_rules! pairs {
    ($word:ty) => {{
        let small = || (-128..=127).map(|x: i8| <$word>::from(x));
        let mut pairs: Vec<($word, $word)> = small().flat_map(|a| small().map(move |b| (a, b))).collect();
        let mut special: Vec<$word> =
            (0..<$word>::BITS).flat_map(|i| [1 << i, !(1 << i), (1 as $word) << i >> 1]).collect();
        special.extend([0, <$word>::MAX - 1, <$word>::MIN + 1, 12289]);
        pairs.extend(special.iter().flat_map(|&a| special.iter().step_by(3).map(move |&b| (a, b))));
        let mut state = 11_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state ^ state << 31) >> (64 - <$word>::BITS)) as $word
        };
        pairs.extend((0..4096).map(|_| (next(), next())));
        pairs
    }};
}

#[test]
fn words_of_16_bits() {
    compare!(i16, of_16, &pairs!(i16));
}

#[test]
fn words_of_32_bits() {
    compare!(i32, wide, &pairs!(i32));
}

#[test]
fn words_of_64_bits() {
    compare!(i64, of_64, &pairs!(i64));
}

/// The quotient of a product by doubles is as near as the meaning says: `|2^s·h - x·m|` is at most
/// `2^s/2 + |x·m|/2^53`, if the double is `m/2^s`; and so is that of two variables, rounded once more.
#[test]
fn quotients_by_doubles_are_near() {
    let lane = Arrays::<i64, 1>::new();
    let mut state = 5_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state << 31
    };
    for q in [5_i64, 257, 12289, (1 << 31) - 1, (1 << 49) - 81, (1 << 50) - 27] {
        let v = 1.0 / q as f64;
        let (mantissa, scale) = (BigInt::from((v.to_bits() & ((1 << 52) - 1)) | 1 << 52), 1075 - (v.to_bits() >> 52));
        let scale = power(scale as u32);
        for _ in 0..20_000 {
            let shift = next() % 53;
            let bound = 1_i64 << 52_u32.min(48 + q.ilog2());
            let x = (next() as i64 >> (11 + shift % 40)).clamp(-bound, bound);
            let y = (next() as i64 >> 12).clamp(-q, q) >> shift;
            let near = |of: BigInt, result: i64, exact: BigInt, [numerator, denominator]: [BigInt; 2]| {
                let multiple = exact - result;
                assert_eq!(&multiple % q, 0.into());
                let distance = (&scale * (multiple / q) - &of).magnitude().clone() * 2_u8;
                let of = of.magnitude().clone() * 2_u8;
                let limit = &scale * &denominator + BigInt::from(of) * &numerator;
                assert!(BigInt::from(distance) * denominator <= limit, "{x} and {y} modulo {q}");
            };
            let [reduced] = lane.reduce_by_double([x], [v.to_bits() as i64], [q]);
            near(&mantissa * x, reduced, x.into(), [1.into(), power(53)]);
            if i128::from(x).abs() * i128::from(y).abs() <= i128::from(q) << 50 {
                let [product] = lane.mul_var_by_double([x], [y], [v.to_bits() as i64], [q]);
                let exact = BigInt::from(x) * y;
                near(&mantissa * &exact, product, exact, [power(54) + 1, power(106)]);
            }
        }
    }
}
