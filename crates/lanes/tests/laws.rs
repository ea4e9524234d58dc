//! Laws of the lanes: every operation of every backend means what [`ringwork_lanes::scalar`] says,
//! over all special values.

use ringwork_lanes::{
    Backend, Bits, Lanes16, Lanes64, LanesBits, LanesWide, MAX_LANES, Task16, Task32, Task64, TaskBits, add_product,
    add_product_by_pairs, has_lanes,
};

/// Every pair of special values, padded with pseudo-random ones, in whole vectors of every backend.
fn pairs(special: &[i64], bits: u32) -> Vec<(i64, i64)> {
    let mut pairs: Vec<_> = special.iter().flat_map(|&a| special.iter().map(move |&b| (a, b))).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state as i64) >> (64 - bits)
    };
    while pairs.len() % MAX_LANES != 0 || pairs.len() < 4096 {
        pairs.push((next(), next()));
    }
    if cfg!(miri) {
        // From all over the list: what is interpreted ends in minutes.
        let step = pairs.len() / (2 * MAX_LANES);
        pairs = pairs.into_iter().step_by(step).take(2 * MAX_LANES).collect();
    }
    pairs
}

fn boundary(bits: u32) -> Vec<i64> {
    let (lowest, highest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    let mut values = vec![0, 1, -1, 2, -2, 3, 255, 256, -255, -256, 3329, 12289, -12289, 6144];
    values.extend([highest, lowest, lowest + 1]);
    values.extend((1..bits - 1).flat_map(|i| [1 << i, (1 << i) - 1, -(1 << i)]));
    values
}

/// One line of results for each operation, words as `i64`.
type Results = Vec<(&'static str, Vec<i64>)>;

macro_rules! shared_operations {
    ($l:ident, $a:ident, $b:ident, $out:ident, $word:ty) => {{
        macro_rules! record {
            ($name:literal, $value:expr) => {{
                let mut block = *L::blocks(&vec![<$word>::default(); L::LANES]).first().unwrap();
                $l.store(&mut block, $value);
                record($out, $name, block.as_ref().iter().map(|&w| i64::from(w)));
            }};
        }
        record!("add", $l.add($a, $b));
        record!("sub", $l.sub($a, $b));
        record!("and", $l.and($a, $b));
        record!("or", $l.or($a, $b));
        record!("xor", $l.xor($a, $b));
        record!("shl 3", $l.shl::<3>($a));
        record!("shr 5", $l.shr::<5>($a));
        record!("shr far", $l.shr::<{ <$word>::BITS as i32 - 5 }>($a));
        record!("shr_logical 7", $l.shr_logical::<7>($a));
        record!("shr_by 11", $l.shr_by($a, 11));
        record!("shl_by 9", $l.shl_by($a, 9));
        record!("gt", $l.gt($a, $b));
        record!("negative", $l.negative($a));
        record!("mul_lo", $l.mul_lo($a, $b));
        let mut blocks = [*L::blocks(&vec![<$word>::default(); L::LANES]).first().unwrap(); 3];
        let [x, y, kept] = &mut blocks;
        $l.store(x, $a);
        $l.store(y, $b);
        let count = $l.compact($a, $l.gt($a, $b), kept);
        let greater = x.as_ref().iter().zip(y.as_ref()).filter(|(x, y)| x > y).map(|(x, _)| x);
        assert!(kept.as_ref()[..count].iter().eq(greater));
    }};
}

fn record(out: &mut Results, name: &'static str, words: impl Iterator<Item = i64>) {
    match out.iter_mut().find(|(n, _)| *n == name) {
        Some((_, line)) => line.extend(words),
        None => out.push((name, words.collect())),
    }
}

/// Bytes to look up.
const TABLE: [u8; 16] = *b"\x80Lattices \xFF are\x01";

struct All16<'a>(&'a [(i64, i64)]);
impl Task16 for All16<'_> {
    type Output = Results;
    fn run<L: Lanes16>(self, l: L) -> Results {
        let mut results = Vec::new();
        let out = &mut results;
        let (xs, ys): (Vec<i16>, Vec<i16>) = self.0.iter().map(|&(a, b)| (a as i16, b as i16)).unzip();
        for (x, y) in L::blocks(&xs).iter().zip(L::blocks(&ys)) {
            let (a, b) = (l.load(x), l.load(y));
            shared_operations!(l, a, b, out, i16);
            let mut block = *x;
            l.store(&mut block, l.mul_hi(a, b));
            record(out, "mul_hi", block.as_ref().iter().map(|&w| w.into()));
            // The documented exception: -2^15 times -2^15 rounds to a value that no lane can hold.
            l.store(&mut block, l.mul_round(a, l.or(b, l.splat(1))));
            record(out, "mul_round", block.as_ref().iter().map(|&w| w.into()));
            for (name, v) in [
                ("lookup_bytes", l.lookup_bytes(l.table(&TABLE), a)),
                ("lookup_bytes near", l.lookup_bytes(l.table(&TABLE), l.and(a, l.splat(0x1F1F)))),
                ("gt_bytes", l.gt_bytes(a, b)),
                ("eq_bytes", l.eq_bytes(a, b)),
            ] {
                l.store(&mut block, v);
                record(out, name, block.as_ref().iter().map(|&w| w.into()));
            }
            let number = |i: usize| (7 * i + y.as_ref()[0] as usize) & (2 * L::LANES - 1);
            let numbers: Vec<usize> = (0..L::LANES).map(number).collect();
            let indices: Vec<i16> = numbers.iter().map(|&number| number as i16).collect();
            l.store(&mut block, l.permute(a, b, l.load(&L::blocks(&indices)[0])));
            let both = [x.as_ref(), y.as_ref()].concat();
            assert!(block.as_ref().iter().eq(numbers.iter().map(|&number| &both[number])));
            l.store(&mut block, l.splat(x.as_ref()[0]));
            assert!(block.as_ref().iter().all(|&w| w == x.as_ref()[0]));
            l.store(&mut block, l.broadcast(&vec![y.as_ref()[0]; L::REPEAT]));
            assert!(block.as_ref().iter().all(|&w| w == y.as_ref()[0]));
        }
        results
    }
}

struct AllWide<'a>(&'a [(i64, i64)]);

macro_rules! all_wide {
    ($task:ident, $lanes:ident, $word:ty) => {
        impl $task for AllWide<'_> {
            type Output = Results;
            fn run<L: $lanes<Word = $word>>(self, l: L) -> Results {
                let mut results = Vec::new();
                let out = &mut results;
                let (xs, ys): (Vec<_>, Vec<_>) = self.0.iter().map(|&(a, b)| (L::word(a), L::word(b))).unzip();
                for (x, y) in L::blocks(&xs).iter().zip(L::blocks(&ys)) {
                    let (a, b) = (l.load(x), l.load(y));
                    shared_operations!(l, a, b, out, $word);
                    let wide = l.widen_mul(a, b);
                    for (name, v) in [
                        ("widen low", l.narrow_lo(wide)),
                        ("widen high", l.narrow_hi(wide)),
                        ("wide_add", l.narrow_hi(l.wide_add(wide, l.widen_mul(b, b)))),
                        ("wide_add low", l.narrow_lo(l.wide_add(wide, l.widen_mul(b, b)))),
                        ("wide_sub", l.narrow_hi(l.wide_sub(wide, l.widen_mul(b, b)))),
                        ("wide_shr", l.narrow_lo(l.wide_shr(wide, 13))),
                        ("wide_shr far", l.narrow_lo(l.wide_shr(wide, L::BITS + 5))),
                        ("widen_mul_low", l.narrow_hi(l.widen_mul_low(wide, b))),
                        ("widen_mul_low_unsigned", l.narrow_hi(l.widen_mul_low_unsigned(wide, b))),
                        ("min_unsigned", l.min_unsigned(a, b)),
                        ("gt_unsigned", l.gt_unsigned(a, b)),
                        ("sub_or_add", l.sub_or_add(a, b, l.splat(L::word(0x5A5A_A5A5)))),
                        ("unsigned low", l.narrow_lo(l.widen_mul_unsigned(a, b))),
                        ("unsigned high", l.narrow_hi(l.widen_mul_unsigned(a, b))),
                        ("splat", l.splat(x.as_ref()[0])),
                        ("broadcast", l.broadcast(&[y.as_ref()[0]; 2])),
                    ] {
                        let mut block = *x;
                        l.store(&mut block, v);
                        if name == "splat" || name == "broadcast" {
                            let expected = if name == "splat" { x } else { y }.as_ref()[0];
                            assert!(block.as_ref().iter().all(|&w| w == expected), "{name}");
                        } else {
                            record(out, name, block.as_ref().iter().map(|&w| w.into()));
                        }
                    }
                }
                results
            }
        }
    };
}

all_wide!(Task32, LanesWide, i32);
all_wide!(Task64, Lanes64, i64);

/// What words of 64 bits have besides, of operands `a`, `b` and a modulus.
struct Quotients<'a>(&'a [(i64, i64)], i64);
impl Task64 for Quotients<'_> {
    type Output = [Vec<i64>; 9];
    fn run<L: Lanes64>(self, l: L) -> Self::Output {
        let Self(pairs, q) = self;
        let bits = |v: f64| l.splat(v.to_bits() as i64);
        let (xs, ys): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let small = |x: &i64| x >> 11; // at most 2^52
        let half_q = |y: &i64| y % (q / 2 + 1);
        let near = |y: &i64| (y >> 1).clamp(1 - (1 << 62), (1 << 62) - 1);
        let column = |f: &dyn Fn(&i64) -> i64, words: &[i64]| words.iter().map(f).collect::<Vec<i64>>();
        let [a, v, x, w] = [column(&|x| *x, &xs), column(&near, &ys), column(&small, &xs), column(&half_q, &ys)];
        let quotients: Vec<i64> = w.iter().map(|&w| (w as f64 / q as f64).to_bits() as i64).collect();
        let mut lines = [const { Vec::new() }; 9];
        for i in 0..xs.len() / L::LANES {
            let load = |words: &[i64]| l.load(&L::blocks(words)[i]);
            let [a, v, x, w, wq] = [load(&a), load(&v), load(&x), load(&w), load(&quotients)];
            let product = l.widen_mul(a, v);
            let half = l.shr::<1>(x);
            let values = [
                l.mul_hi_near(a, v),
                l.mul_difference(a, v, x, l.splat(q)),
                l.mul_by_double(x, w, wq, l.splat(q)),
                l.mul_var_by_double(w, w, bits(1.0 / q as f64), l.splat(q)),
                l.reduce_by_double(x, bits(1.0 / q as f64), l.splat(q)),
                l.narrow_hi_of_equal_lows(product, l.widen_mul(v, a)),
                l.reduce_near(a, l.splat(0x5A5A_A5A5), 13, v),
                l.mul_low_halves(a, v),
                // A sum of what is kept, reduced.
                l.word_of_kept(l.reduce_kept(
                    l.add_kept(
                        l.sub_kept(l.mul_kept(l.kept(x), l.kept_small(w), wq, l.kept_small(l.splat(q))), l.kept(half)),
                        l.mul_var_kept(
                            l.kept_small(w),
                            l.kept_small(w),
                            bits(1.0 / q as f64),
                            l.kept_small(l.splat(q)),
                        ),
                    ),
                    bits(1.0 / q as f64),
                    l.kept_small(l.splat(q)),
                )),
            ];
            for (line, value) in lines.iter_mut().zip(values) {
                let mut words = [0; MAX_LANES];
                l.store(&mut L::blocks_mut(&mut words)[0], value);
                line.extend(&words[..L::LANES]);
            }
        }
        lines
    }
}

#[test]
fn quotients_are_near_and_doubles_exact() {
    let pairs = pairs(&boundary(64), 64);
    for q in [5, 12289, 2_147_483_647, (1 << 50) - 27, (1 << 50) - (1 << 20) + 1] {
        let scalar = Backend::Scalar.run64(Quotients(&pairs, q));
        for backend in Backend::available() {
            let [near, difference, by_double, variable, reduced, equal, by_high, halves, kept] =
                backend.run64(Quotients(&pairs, q));
            assert_eq!(
                [&difference, &by_double, &variable, &reduced, &kept],
                [1, 2, 3, 4, 8].map(|i| &scalar[i]),
                "{backend}, {q}"
            );
            assert!(equal.iter().all(|&word| word == 0), "{backend}");
            for (i, &(a, b)) in pairs.iter().enumerate() {
                let (a, v) = (i128::from(a), i128::from((b >> 1).clamp(1 - (1 << 62), (1 << 62) - 1)));
                let (x, w) = (a >> 11, i128::from(b % (q / 2 + 1)));
                if a < (1 << 63) - (1 << 31) {
                    assert!(((i128::from(near[i]) << 63) - a * v).abs() <= 1 << 63, "{backend}: {a} by {v}");
                }
                assert_eq!(difference[i], (a * v - x * i128::from(q)) as i64, "{backend}");
                let h = ((a >> 32) * 0x5A5A_A5A5 + (1 << 44)) >> 45;
                assert_eq!(by_high[i], (a - h * v) as i64, "{backend}: {a} by {v}");
                let [low_a, low_v] = [a, v].map(|x| x as u64 & 0xFFFF_FFFF);
                assert_eq!(halves[i] as u64, low_a * low_v, "{backend}: {a} by {v}");
                // Congruent, and as small as the roundings allow: one half of q beside the other.
                let q = i128::from(q);
                for (result, expected) in
                    [(by_double[i], x * w), (variable[i], w * w), (reduced[i], x), (kept[i], x * w - (x >> 1) + w * w)]
                {
                    let result = i128::from(result);
                    assert_eq!((result - expected) % q, 0, "{backend}: {expected} modulo {q}");
                    assert!(result.abs() <= q + 2, "{backend}: {result} of {expected} modulo {q}");
                }
            }
        }
    }
}

/// Quotients by doubles are the nearest integers in every rounding mode: remainders are half of the modulus, and what
/// roundings of the double add, which grows with the operand. Miri has no modes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn remainders_by_doubles_are_half_the_modulus_in_every_mode() {
    use ringwork_lanes::rounding::{MODES, under};
    let pairs = pairs(&boundary(64), 64);
    for q in [12289, 2_147_483_647, (1 << 50) - 27] {
        for (backend, mode) in Backend::machines().flat_map(|backend| MODES.map(|mode| (backend, mode))) {
            let [_, _, by_double, _, reduced, ..] = under(mode, || backend.run64(Quotients(&pairs, q)));
            for (i, &(a, b)) in pairs.iter().enumerate() {
                let (x, w, q) = (i128::from(a >> 11), i128::from(b % (q / 2 + 1)), i128::from(q));
                for (result, expected) in [(by_double[i], x * w), (reduced[i], x)] {
                    let context = format!("{backend}, mode {mode:#x}: {result} of {expected} modulo {q}");
                    assert_eq!((i128::from(result) - expected) % q, 0, "{context}");
                    assert!(i128::from(result).abs() <= q / 2 + ((x.abs() * q) >> 51) + 2, "{context}");
                }
            }
        }
    }
}

/// Products of 52 bits added to words.
struct Products<'a>(&'a [(i64, i64)]);
impl Task64 for Products<'_> {
    type Output = [Vec<i64>; 2];
    fn run<L: Lanes64>(self, l: L) -> Self::Output {
        let (xs, ys): (Vec<_>, Vec<_>) = self.0.iter().copied().unzip();
        let mut lines = [const { Vec::new() }; 2];
        for (x, y) in L::blocks(&xs).iter().zip(L::blocks(&ys)) {
            let (a, b) = (l.load(x), l.load(y));
            let c = l.xor(a, l.shl::<7>(b));
            for (line, value) in lines.iter_mut().zip([l.mul52_lo(c, a, b), l.mul52_hi(c, a, b)]) {
                let mut block = *x;
                l.store(&mut block, value);
                line.extend(block.as_ref());
            }
        }
        lines
    }
}

#[test]
fn products_of_52_bits_are_exact() {
    let pairs = pairs(&boundary(64), 64);
    let low = |x: i64| x as u128 & ((1 << 52) - 1);
    let expected = [0, 52].map(|shift| {
        let word =
            |&(a, b): &(i64, i64)| (a ^ b << 7).wrapping_add(((low(a) * low(b)) >> shift) as i64 & ((1 << 52) - 1));
        pairs.iter().map(word).collect::<Vec<i64>>()
    });
    for backend in Backend::available() {
        assert_eq!(backend.run64(Products(&pairs)), expected, "{backend}");
        let by_instructions = backend.run64_of_52(Products(&pairs));
        assert_eq!(by_instructions.is_some(), backend.multiplies_52());
        assert_eq!(by_instructions.unwrap_or(expected.clone()), expected, "{backend}, by its instructions");
    }
}

#[test]
fn every_backend_means_what_the_scalar_one_means() {
    let [p16, p32, p64] = [16, 32, 64].map(|bits| pairs(&boundary(bits), bits));
    let expected16 = Backend::Scalar.run16(All16(&p16));
    let expected32 = Backend::Scalar.run32(AllWide(&p32));
    let expected64 = Backend::Scalar.run64(AllWide(&p64));
    assert_eq!((expected16.len(), expected32.len(), expected64.len()), (20, 28, 28));
    for backend in Backend::available() {
        assert_eq!(backend.run16(All16(&p16)), expected16, "16-bit lanes of {backend}");
        assert_eq!(backend.run32(AllWide(&p32)), expected32, "32-bit lanes of {backend}");
        assert_eq!(backend.run64(AllWide(&p64)), expected64, "64-bit lanes of {backend}");
    }
}

/// The scalar operations against formulas in wide integers.
#[test]
fn the_scalar_meaning_is_the_formula() {
    let p16 = pairs(&boundary(16), 16);
    let of = |results: &Results, name| results.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let r16 = Backend::Scalar.run16(All16(&p16));
    for (i, &(a, b)) in p16.iter().enumerate().take(500) {
        assert_eq!(of(&r16, "mul_hi")[i], (a * b).div_euclid(1 << 16));
        let odd = b | 1;
        assert_eq!(of(&r16, "mul_round")[i], (a * odd + (1 << 14)).div_euclid(1 << 15));
        assert_eq!(of(&r16, "mul_lo")[i], i64::from((a * b) as i16));
        assert_eq!(of(&r16, "shl_by 9")[i], i64::from((a * 512) as i16));
        assert_eq!(of(&r16, "gt")[i], if a > b { -1 } else { 0 });
        assert_eq!(of(&r16, "negative")[i], if a < 0 { -1 } else { 0 });
        let byte = |name, at: u32| of(&r16, name)[i] >> (8 * at) & 0xFF;
        for at in [0, 1] {
            let (a, b) = (a >> (8 * at) & 0xFF, b >> (8 * at) & 0xFF);
            let entry = |i: i64| TABLE.get(i as usize).map_or(0, |&entry| entry.into());
            assert_eq!(byte("lookup_bytes", at), entry(a));
            assert_eq!(byte("lookup_bytes near", at), entry(a & 0x1F));
            assert_eq!(byte("gt_bytes", at), if a as i8 > b as i8 { 0xFF } else { 0 });
            assert_eq!(byte("eq_bytes", at), if a == b { 0xFF } else { 0 });
        }
    }
    let [p32, p64] = [32, 64].map(|bits| pairs(&boundary(bits), bits));
    let (r32, r64) = (Backend::Scalar.run32(AllWide(&p32)), Backend::Scalar.run64(AllWide(&p64)));
    for (bits, pairs, results) in [(32, &p32, &r32), (64, &p64, &r64)] {
        let word = |x: i128| (x << (128 - bits) >> (128 - bits)) as i64;
        let shifted = |x: i128, s: u32| ((x << (128 - 2 * bits)) as u128 >> (128 - 2 * bits) >> s) as i128;
        let names = [
            "gt",
            "negative",
            "mul_lo",
            "widen low",
            "widen high",
            "wide_add",
            "wide_add low",
            "wide_sub",
            "wide_shr",
            "wide_shr far",
            "widen_mul_low",
            "widen_mul_low_unsigned",
            "min_unsigned",
            "gt_unsigned",
            "sub_or_add",
            "unsigned low",
            "unsigned high",
        ];
        let lines = names.map(|name| of(results, name));
        for (i, &(a, b)) in pairs.iter().enumerate().take(4000) {
            let (x, y) = (i128::from(a), i128::from(b));
            let product = x * y;
            let unsigned = |x: i128| (x << (128 - bits)) as u128 >> (128 - bits);
            let expected = [
                -i64::from(a > b),
                -i64::from(a < 0),
                word(product),
                word(product),
                word(product >> bits),
                word(product.wrapping_add(y * y) >> bits),
                word(product.wrapping_add(y * y)),
                word((product - y * y) >> bits),
                word(shifted(product, 13)),
                word(shifted(product, bits + 5)),
                word((i128::from(word(product)) * y) >> bits),
                word(((unsigned(product) * unsigned(y)) >> bits) as i128),
                if (a as u64) < b as u64 { a } else { b },
                -i64::from(a as u64 > b as u64),
                word(x - y + if (a as u64) < b as u64 { 0x5A5A_A5A5 } else { 0 }),
                word(product),
                word(((unsigned(x) * unsigned(y)) >> bits) as i128),
            ];
            for (name, (line, expected)) in names.iter().zip(lines.iter().zip(expected)) {
                assert_eq!(line[i], expected, "{name} of {a}, {b} in {bits} bits");
            }
        }
    }
}

/// Lines of `!a & b`, `a ^ b`, and rotations of `a`.
struct AllBits<'a>(&'a [u64], &'a [u64]);
impl TaskBits for AllBits<'_> {
    type Output = [Vec<u64>; 6];
    fn run<L: LanesBits<Word = u64>>(self, l: L) -> Self::Output {
        let mut lines = [const { Vec::new() }; 6];
        for (x, y) in L::blocks(self.0).iter().zip(L::blocks(self.1)) {
            let (a, b) = (l.load(x), l.load(y));
            let values = [
                l.and_not(a, b),
                l.xor(a, l.xor(b, l.splat(0x0123_4567_89AB_CDEF))),
                l.rotate::<1>(a),
                l.rotate::<8>(a),
                l.rotate::<56>(a),
                l.rotate::<63>(a),
            ];
            for (line, value) in lines.iter_mut().zip(values) {
                let mut words = [0; MAX_LANES];
                l.store(&mut L::blocks_mut(&mut words)[0], value);
                line.extend(&words[..L::LANES]);
            }
        }
        lines
    }
}

#[test]
fn strings_of_bits_mean_what_their_formulas_say() {
    let (a, b): (Vec<u64>, Vec<u64>) = pairs(&boundary(64), 64).iter().map(|&(a, b)| (a as u64, b as u64)).unzip();
    let of = |f: &dyn Fn(u64, u64) -> u64| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<u64>>();
    let expected = [
        of(&|a, b| !a & b),
        of(&|a, b| a ^ b ^ 0x0123_4567_89AB_CDEF),
        of(&|a, _| a.rotate_left(1)),
        of(&|a, _| a.rotate_left(8)),
        of(&|a, _| a.rotate_left(56)),
        of(&|a, _| a.rotate_left(63)),
    ];
    for backend in Backend::available() {
        assert_eq!(backend.run_bits(AllBits(&a, &b)), expected, "{backend}");
        assert_eq!(backend.run_bits_widely(AllBits(&a, &b)), expected, "largest vectors on {backend}");
        assert_eq!(backend.run_bits_singly(AllBits(&a, &b)), expected, "one lane on {backend}");
    }
}

/// The law of `interleave`, for two vectors that hold their own indices.
macro_rules! blocks_are_exchanged {
    ($l:ident, $lanes:expr, [$a:ident, $b:ident], $indices:ident, $($k:literal)*) => {$(
        if $k < $lanes {
            let (x, y) = $l.interleave::<$k>($a, $b);
            for (i, (even, odd)) in $indices(x).into_iter().zip($indices(y)).enumerate() {
                let (lane, block) = (i & !$k, i / $k & 1);
                assert_eq!(even, block * $lanes + lane, "even blocks of {}", $k);
                assert_eq!(odd, block * $lanes + lane + $k, "odd blocks of {}", $k);
            }
            let (back, _) = $l.interleave::<$k>(x, y);
            assert_eq!($indices(back), $indices($a), "twice is the identity");
        }
    )*};
}

/// `interleave` of vectors of strings.
struct Exchanges;

impl TaskBits for Exchanges {
    type Output = ();
    fn run<L: LanesBits<Word = u64>>(self, l: L) {
        let words: Vec<u64> = (0..2 * L::LANES as u64).collect();
        let (a, b) = (l.load(&L::blocks(&words)[0]), l.load(&L::blocks(&words)[1]));
        let indices = |v| {
            let mut words = [0; MAX_LANES];
            l.store(&mut L::blocks_mut(&mut words)[0], v);
            words[..L::LANES].iter().map(|&word| word as usize).collect::<Vec<_>>()
        };
        blocks_are_exchanged!(l, L::LANES, [a, b], indices, 1 2 4);
    }
}

#[test]
fn blocks_of_strings_are_exchanged() {
    for backend in Backend::available() {
        backend.run_bits(Exchanges);
        backend.run_bits_widely(Exchanges);
        backend.run_bits_singly(Exchanges);
    }
}

/// `interleave` and `zip` of two vectors that hold their own indices.
struct Permutations;

macro_rules! permutations {
    ($task:ident, $lanes:ident, $word:ty) => {
        impl $task for Permutations {
            type Output = ();
            fn run<L: $lanes<Word = $word>>(self, l: L) {
                let words: Vec<_> = (0..2 * L::LANES as i64).map(L::word).collect();
                let [first, second] = *L::blocks(&words) else { panic!("two blocks") };
                let (a, b) = (l.load(&first), l.load(&second));
                let indices = |v| {
                    let mut block = first;
                    l.store(&mut block, v);
                    block.as_ref().iter().map(|&w| w as usize).collect::<Vec<_>>()
                };
                blocks_are_exchanged!(l, L::LANES, [a, b], indices, 1 2 4 8 16);
                if L::LANES > 1 {
                    let (low, high) = l.zip(a, b);
                    for (i, (low, high)) in indices(low).into_iter().zip(indices(high)).enumerate() {
                        let (chunk, at) = (i / L::CHUNK * L::CHUNK, i % L::CHUNK);
                        let word = |at: usize| at % 2 * L::LANES + chunk + at / 2;
                        assert_eq!((low, high), (word(at), word(L::CHUNK + at)), "zip");
                    }
                }
            }
        }
    };
}

permutations!(Task16, Lanes16, i16);
permutations!(Task32, LanesWide, i32);
permutations!(Task64, Lanes64, i64);

#[test]
fn permutations_take_every_word_where_it_belongs() {
    for backend in Backend::available() {
        backend.run16(Permutations);
        backend.run32(Permutations);
        backend.run64(Permutations);
    }
}

/// Every width of words in vectors of 1 to 32 lanes, among them those that no machine here may
/// have.
#[test]
fn arrays_are_backends() {
    let arrays: Vec<_> = Backend::available().filter(|backend| backend.is_array()).collect();
    let shapes: Vec<_> = arrays.iter().map(|backend| [16, 32, 64].map(|bits| backend.lanes(bits))).collect();
    assert_eq!(shapes, [[4, 2, 1], [8, 4, 2], [16, 8, 4], [32, 16, 8]]);
    assert!(Backend::available().all(|backend| [16, 32, 64].iter().all(|&bits| backend.lanes(bits) <= MAX_LANES)));
    assert_eq!(MAX_LANES, 32);
    for backend in Backend::available() {
        assert_eq!(Backend::by_name(backend.name()), Some(backend));
        assert_eq!(backend.to_string(), backend.name());
    }
}

/// The lanes that a task gets are those that the backend states.
#[test]
fn backends_have_the_lanes_that_they_state() {
    struct Stated;
    macro_rules! stated {
        ($task:ident, $lanes:ident, $word:ty) => {
            impl $task for Stated {
                type Output = (usize, usize);
                fn run<L: $lanes<Word = $word>>(self, _: L) -> (usize, usize) {
                    (L::LANES, L::REPEAT)
                }
            }
        };
    }
    stated!(Task16, Lanes16, i16);
    stated!(Task32, LanesWide, i32);
    stated!(Task64, LanesWide, i64);
    for backend in Backend::available() {
        let found = [backend.run16(Stated), backend.run32(Stated), backend.run64(Stated)];
        assert_eq!(found, [16, 32, 64].map(|bits| (backend.lanes(bits), backend.repeat(bits))), "{backend}");
        assert!(backend.is_array() || [16, 32, 64].into_iter().all(|bits| has_lanes(backend.lanes(bits), bits)));
    }
}

/// A8: what does not fit the best backend finds the next best one, and the scalar one last.
#[test]
fn machines_come_in_order_of_preference() {
    let machines: Vec<_> = Backend::machines().collect();
    assert_eq!((machines.first(), machines.last()), (Some(&Backend::best()), Some(&Backend::Scalar)));
    assert!(machines.iter().all(|backend| !backend.is_array()));
    assert_eq!(machines.len(), Backend::available().filter(|backend| !backend.is_array()).count());
}

/// What every CPU of a target has is found without being asked for.
#[test]
fn vectors_of_the_target_are_the_best() {
    let best = if cfg!(miri) {
        Some("scalar")
    } else if cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        Some("neon")
    } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
        Some("simd128")
    } else {
        None
    };
    assert!(best.is_none_or(|best| Backend::best().name() == best), "{best:?}, but {}", Backend::best());
}

#[test]
fn narrower_backends_are_of_the_same_kind() {
    for backend in Backend::available() {
        for lanes in [1, 2, 4, 8, 16, 32] {
            let narrow = backend.at_most(lanes, 16);
            assert!(
                narrow.lanes(16) <= lanes && (narrow == Backend::Scalar || narrow.is_array() == backend.is_array())
            );
            assert_eq!(narrow == backend, backend.lanes(16) <= lanes);
        }
    }
    assert_eq!(Backend::Array512.at_most(16, 16), Backend::Array256);
    assert_eq!(Backend::Array512.at_most(2, 16), Backend::Scalar);
}

#[test]
#[should_panic(expected = "array64 is no machine")]
fn tasks_for_machines_are_refused_on_arrays() {
    Backend::Array64.run_on_machine16(Permutations);
}

/// Unsigned words and signed ones of the same bits are one memory.
#[test]
fn unsigned_words_are_signed_ones() {
    macro_rules! check {
        ($($unsigned:ident $signed:ident)*) => {$(
            let mut words = [0, 1, $unsigned::MAX, $unsigned::MAX / 2, $unsigned::MAX / 2 + 1];
            let same = words.map(|word| word as $signed);
            assert_eq!($unsigned::signed(&words), same);
            assert_eq!($signed::signed(&same), same);
            $unsigned::signed_mut(&mut words)[0] = -2;
            assert_eq!(words[0], $unsigned::MAX - 1);
            assert_eq!($unsigned::signed(&words[1..][..0]), [0; 0]);
        )*};
    }
    check!(u16 i16 u32 i32 u64 i64);
}

/// Every value of a string, of every width, and zeros behind its end.
#[test]
fn strings_are_unpacked() {
    struct Unpack<'a, const W: usize>(&'a [u8]);

    macro_rules! unpacks {
        ($task:ident $lanes:ident $word:ty) => {
            impl<const W: usize> $task for Unpack<'_, W> {
                type Output = ();
                fn run<L: $lanes<Word = $word>>(self, l: L) {
                    let bit = |i: usize| u32::from(self.0.get(i >> 3).unwrap_or(&0) >> (i & 7) & 1);
                    let value = |i: usize| (0..W).fold(0, |sum, j| sum | bit(W * i + j) << j);
                    for first in (0..=8 * self.0.len() / W + 1).step_by(L::LANES) {
                        let mut block = L::blocks(&[0; MAX_LANES])[0];
                        l.store(&mut block, l.unpack::<W>(self.0, first));
                        for (i, &word) in (first..).zip(block.as_ref()) {
                            assert_eq!(word, value(i) as $word, "value {i} of {W} bits");
                        }
                    }
                }
            }
        };
    }
    unpacks!(Task16 Lanes16 i16);
    unpacks!(Task32 LanesWide i32);
    unpacks!(Task64 Lanes64 i64);

    macro_rules! check {
        ($bytes:ident: $($run:ident $($width:literal)*;)*) => {
            for backend in Backend::available() {
                $($(backend.$run(Unpack::<$width>($bytes));)*)*
            }
        };
    }
    let bytes: Vec<u8> = (0..200_u32).map(|i| (i * i + 77 * i + 3) as u8).collect();
    let lengths: &[usize] = if cfg!(miri) { &[33, 1, 0] } else { &[200, 199, 64, 33, 32, 31, 17, 16, 1, 0] };
    for &length in lengths {
        let bytes = &bytes[..length];
        check!(bytes:
            run16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16;
            run32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25;
            run64 1 7 13 16 24 25;
        );
    }
}

/// Row by row, column by column.
fn sum_and_product(out: &[u64], rows: &[u64], strip: &[u64; 8]) -> Vec<u64> {
    let mut sum = out.to_vec();
    sum[rows.len()..].fill(0);
    for (i, x) in rows.iter().enumerate() {
        let mut carry = 0;
        for (j, to) in sum[i..].iter_mut().enumerate() {
            let product = u128::from(*x) * u128::from(strip.get(j).copied().unwrap_or(0));
            let limb = product + u128::from(*to) + carry;
            (*to, carry) = (limb as u64, limb >> 64);
        }
        assert_eq!(carry, 0);
    }
    sum
}

#[test]
fn products_of_limbs_are_exact() {
    let mut state = 1_u64;
    let mut limbs = |count: usize, kind: usize| -> Vec<u64> {
        let next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            [u64::MAX, 0, state ^ state >> 33, if state >> 63 == 0 { 0 } else { u64::MAX }][kind]
        };
        std::iter::repeat_with(next).take(count).collect()
    };
    let most = if cfg!(miri) { 3 } else { 40 };
    for count in 0..=most {
        for kinds in 0..64 {
            let [out, rows] = [limbs(count + 8, kinds % 4), limbs(count, kinds / 4 % 4)];
            let strip: [u64; 8] = limbs(8, kinds / 16).try_into().unwrap();
            let expected = sum_and_product(&out, &rows, &strip);
            for add in [add_product as fn(&mut [u64], &[u64], &[u64; 8]), add_product_by_pairs] {
                let mut around = [&[1, 2], &out[..], &[3, 4]].concat();
                add(&mut around[2..count + 10], &rows, &strip);
                assert_eq!(around, [&[1, 2], &expected[..], &[3, 4]].concat(), "{count} rows, kinds {kinds}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "limbs of the product of 3 and 8 limbs")]
fn limbs_for_the_product_are_counted() {
    add_product(&mut [0; 10], &[1, 2, 3], &[4; 8]);
}
