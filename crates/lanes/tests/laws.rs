//! Laws of the lanes: every operation of every backend means what [`lanes::scalar`] says, over all special values.

use lanes::{Backend, Lanes16, Lanes32, Task16, Task32};

/// Every pair of special values, padded with pseudo-random ones, in whole vectors of up to 16 lanes.
fn pairs(special: &[i64], bits: u32) -> Vec<(i64, i64)> {
    let mut pairs: Vec<_> = special.iter().flat_map(|&a| special.iter().map(move |&b| (a, b))).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state as i64) >> (64 - bits)
    };
    while pairs.len() % 16 != 0 || pairs.len() < 4096 {
        pairs.push((next(), next()));
    }
    pairs
}

fn boundary(bits: u32) -> Vec<i64> {
    let top = 1_i64 << (bits - 1);
    let mut values = vec![0, 1, -1, 2, -2, 3, 255, 256, -255, -256, 3329, 12289, -12289, 6144, top - 1, -top, 1 - top];
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
        record!("shr_logical 7", $l.shr_logical::<7>($a));
        record!("shr_by 11", $l.shr_by($a, 11));
        record!("gt", $l.gt($a, $b));
        record!("mul_lo", $l.mul_lo($a, $b));
    }};
}

fn run16<T: Task16>(backend: Backend, task: T) -> T::Output {
    if backend.is_array() { backend.run_arrays16(task) } else { backend.run16(task) }
}

fn run32<T: Task32>(backend: Backend, task: T) -> T::Output {
    if backend.is_array() { backend.run_arrays32(task) } else { backend.run32(task) }
}

fn record(out: &mut Results, name: &'static str, words: impl Iterator<Item = i64>) {
    match out.iter_mut().find(|(n, _)| *n == name) {
        Some((_, line)) => line.extend(words),
        None => out.push((name, words.collect())),
    }
}

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
            l.store(&mut block, l.splat(x.as_ref()[0]));
            assert!(block.as_ref().iter().all(|&w| w == x.as_ref()[0]));
            l.store(&mut block, l.broadcast(&vec![y.as_ref()[0]; L::REPEAT]));
            assert!(block.as_ref().iter().all(|&w| w == y.as_ref()[0]));
        }
        results
    }
}

struct All32<'a>(&'a [(i64, i64)]);
impl Task32 for All32<'_> {
    type Output = Results;
    fn run<L: Lanes32>(self, l: L) -> Results {
        let mut results = Vec::new();
        let out = &mut results;
        let (xs, ys): (Vec<i32>, Vec<i32>) = self.0.iter().map(|&(a, b)| (a as i32, b as i32)).unzip();
        for (x, y) in L::blocks(&xs).iter().zip(L::blocks(&ys)) {
            let (a, b) = (l.load(x), l.load(y));
            shared_operations!(l, a, b, out, i32);
            let wide = l.widen_mul(a, b);
            for (name, v) in [
                ("widen low", l.narrow_lo(wide)),
                ("widen high", l.narrow_hi(wide)),
                ("wide_sub", l.narrow_hi(l.wide_sub(wide, l.widen_mul(b, b)))),
                ("wide_shr", l.narrow_lo(l.wide_shr(wide, 13))),
                ("widen_mul_low", l.narrow_hi(l.widen_mul_low(wide, b))),
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

#[test]
fn every_backend_means_what_the_scalar_one_means() {
    let (p16, p32) = (pairs(&boundary(16), 16), pairs(&boundary(32), 32));
    let expected16 = run16(Backend::Scalar, All16(&p16));
    let expected32 = run32(Backend::Scalar, All32(&p32));
    assert_eq!((expected16.len(), expected32.len()), (13, 16));
    for backend in Backend::available() {
        assert_eq!(run16(backend, All16(&p16)), expected16, "16-bit lanes of {backend}");
        assert_eq!(run32(backend, All32(&p32)), expected32, "32-bit lanes of {backend}");
    }
}

/// The scalar operations against formulas in wide integers.
#[test]
fn the_scalar_meaning_is_the_formula() {
    let p16 = pairs(&boundary(16), 16);
    let p32 = pairs(&boundary(32), 32);
    let of = |results: &Results, name| results.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let r16 = run16(Backend::Scalar, All16(&p16));
    for (i, &(a, b)) in p16.iter().enumerate() {
        assert_eq!(of(&r16, "mul_hi")[i], (a * b).div_euclid(1 << 16));
        let odd = b | 1;
        assert_eq!(of(&r16, "mul_round")[i], (a * odd + (1 << 14)).div_euclid(1 << 15));
        assert_eq!(of(&r16, "mul_lo")[i], i64::from((a * b) as i16));
        assert_eq!(of(&r16, "gt")[i], if a > b { -1 } else { 0 });
        if i > 500 {
            break;
        }
    }
    let r32 = run32(Backend::Scalar, All32(&p32));
    for (i, &(a, b)) in p32.iter().enumerate().take(2000) {
        assert_eq!(of(&r32, "widen high")[i], (a * b) >> 32);
        assert_eq!(of(&r32, "widen low")[i], i64::from((a * b) as i32));
        if i > 500 {
            break;
        }
    }
}

struct Interleave16;
impl Task16 for Interleave16 {
    type Output = ();
    fn run<L: Lanes16>(self, l: L) {
        let words: Vec<i16> = (0..2 * L::LANES as i16).collect();
        let blocks = L::blocks(&words);
        macro_rules! check {
            ($($k:literal)*) => {$(
                if $k < L::LANES {
                    let (a, b) = (l.load(&blocks[0]), l.load(&blocks[1]));
                    let (x, y) = l.interleave::<$k>(a, b);
                    let mut out = [blocks[0]; 2];
                    l.store(&mut out[0], x);
                    l.store(&mut out[1], y);
                    for i in 0..L::LANES {
                        let (lane, odd) = (i & !$k, i / $k & 1);
                        assert_eq!(out[0].as_ref()[i] as usize, odd * L::LANES + lane, "even blocks of {}", $k);
                        assert_eq!(out[1].as_ref()[i] as usize, odd * L::LANES + lane + $k, "odd blocks of {}", $k);
                    }
                    let (back, _) = l.interleave::<$k>(x, y);
                    l.store(&mut out[0], back);
                    assert_eq!(out[0].as_ref(), blocks[0].as_ref(), "twice is the identity");
                }
            )*};
        }
        check!(1 2 4 8);
    }
}

struct Interleave32;
impl Task32 for Interleave32 {
    type Output = Vec<i32>;
    fn run<L: Lanes32>(self, l: L) -> Vec<i32> {
        let words: Vec<i32> = (0..2 * L::LANES as i32).collect();
        let blocks = L::blocks(&words);
        let mut all = Vec::new();
        let mut keep = |(x, y)| {
            let mut out = [blocks[0]; 2];
            l.store(&mut out[0], x);
            l.store(&mut out[1], y);
            all.extend(out.iter().flat_map(|b| b.as_ref().to_vec()));
        };
        let (a, b) = (l.load(&blocks[0]), l.load(&blocks[1]));
        if L::LANES >= 8 {
            keep(l.interleave::<4>(a, b));
            keep(l.interleave::<2>(a, b));
            keep(l.interleave::<1>(a, b));
        }
        all
    }
}

#[test]
fn interleave_exchanges_blocks() {
    for backend in Backend::available() {
        run16(backend, Interleave16);
    }
    if let Some(avx2) = Backend::by_name("avx2") {
        assert_eq!(run32(avx2, Interleave32), run32(Backend::Array256, Interleave32));
    }
}
