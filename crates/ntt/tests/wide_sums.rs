//! Sums of products that are reduced once: by every method that has them, on every backend, in range and
//! congruent as the contract says, at the ends of what it takes.

use lanes::{Lanes, Lanes64, LanesWide, Task32, Task64};
use ringwork_ntt::{
    Backend, Interval, Method, Plan, Request,
    arith::{Modulus, nearest_prime},
    internals::reduction::{ByMethod, Constants, Listed, Reduction},
};

/// Sums of two products and more.
const LENGTHS: [usize; 4] = [2, 3, 4, 8];
/// Sums that are taken at a time.
const AT_ONCE: usize = 4;

/// Operands: `x` the same in all lanes, and `y` vectors of words.
#[derive(Clone, Copy)]
struct Sums<'a, T> {
    constants: &'a Constants,
    words: &'a [T],
    length: usize,
}

/// For each place, the sums that begin there, lane by lane.
fn sums<L: Lanes<Word: Into<i64>>, R: Reduction<L>, const P: usize>(l: L, job: Sums<'_, L::Word>) -> Vec<i64> {
    let (r, vectors, mut out) = (R::new(l, job.constants), L::blocks(job.words), Vec::new());
    for at in 0..vectors.len() - P - AT_ONCE {
        let x: [L::V; P] = std::array::from_fn(|i| l.splat(job.words[at + i]));
        let y: Vec<L::V> = vectors[at..at + P + AT_ONCE - 1].iter().map(|block| l.load(block)).collect();
        let totals: [L::V; AT_ONCE] = r.dots(l, &x, &y);
        let [one] = r.dots(l, &x, &y);
        for total in totals.into_iter().chain([one]) {
            let mut block = vectors[0];
            l.store(&mut block, total);
            out.extend(block.as_ref().iter().map(|&word| word.into()));
        }
    }
    out
}

fn of_length<L: Lanes<Word: Into<i64>>, R: Reduction<L>>(l: L, job: Sums<'_, L::Word>) -> (usize, Vec<i64>) {
    let sums = match job.length {
        2 => sums::<L, R, 2>(l, job),
        3 => sums::<L, R, 3>(l, job),
        4 => sums::<L, R, 4>(l, job),
        _ => sums::<L, R, 8>(l, job),
    };
    (L::LANES, sums)
}

struct On<'a, T>(Backend, Sums<'a, T>);
struct By<'a, F, T>(F, Sums<'a, T>);

macro_rules! on {
    ($task:ident, $run:path, $word:ty, $lanes:ident, $on:ident) => {
        impl<F: Listed> $task for By<'_, F, $word> {
            type Output = (usize, Vec<i64>);
            fn run<L: $lanes<Word = $word>>(self, l: L) -> Self::Output {
                of_length::<L, F::$on<L>>(l, self.1)
            }
        }
        impl ByMethod for On<'_, $word> {
            type Output = (usize, Vec<i64>);
            fn by<F: Listed>(self, family: F) -> Self::Output {
                $run(self.0, By(family, self.1))
            }
        }
    };
}
fn run64<F: Listed>(backend: Backend, task: By<'_, F, i64>) -> (usize, Vec<i64>) {
    let by_52 = F::METHOD.multiplies_52() && backend.multiplies_52();
    if by_52 { backend.run64_of_52(task).unwrap() } else { backend.run64(task) }
}
on!(Task32, Backend::run32, i32, LanesWide, On32);
on!(Task64, run64, i64, Lanes64, On64);

/// Every method with such sums, for operands up to the largest of these bounds whose sums have room; how many
/// there are.
macro_rules! all_methods {
    ($word:ty, $bits:literal, $q:expr) => {{
        let (q, mut tried) = ($q, 0);
        let modulus = Modulus::new(q).unwrap();
        for method in Method::ALL {
            let Some(contract) = method.contract(modulus, $bits).filter(|c| c.adds_up_wide()) else { continue };
            for length in LENGTHS {
                let (q, most) = (i128::from(q), (1_i128 << ($bits - 1)) - 1);
                let bounds = [most, 4 * q, 2 * q - 1, q - 1, q / 2 + 1, q / 2];
                let signed = bounds.map(Interval::symmetric);
                let all = signed.into_iter().chain(bounds.map(|bound| Interval::new(0, bound)));
                let fits = |range: &Interval| {
                    Interval::word($bits).holds(*range)
                        && contract.dot_range(core::iter::repeat_n([*range; 2], length)).is_some()
                };
                for range in all.filter(fits) {
                    let promised = contract.dot_range(core::iter::repeat_n([range; 2], length)).unwrap();
                    let mut state = 1_u64;
                    let mut words: Vec<$word> = Vec::new();
                    while words.len() < 1024 {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        let far = (range.lo + (i128::from(state >> 3) % (range.hi - range.lo + 1))) as $word;
                        words.push(match state >> 60 {
                            0..6 => range.hi as $word,
                            6..12 => range.lo as $word,
                            _ => far,
                        });
                    }
                    // Nothing but the largest operands, and nothing but the smallest ones.
                    words[..256].fill(range.hi as $word);
                    words[256..512].fill(range.lo as $word);
                    let factor = i128::from(contract.mul_var_factor().residue);
                    for backend in Backend::available().filter(|backend| !backend.is_array()) {
                        let job = Sums { constants: contract.constants(), words: &words, length };
                        let (lanes, sums) = method.by(On(backend, job));
                        let mut sums = sums.into_iter();
                        for at in 0..words.len() / lanes - length - AT_ONCE {
                            for j in (0..AT_ONCE).chain([0]) {
                                for lane in 0..lanes {
                                    let terms = (0..length).map(|i| {
                                        let [x, y] = [words[at + i], words[(at + i + j) * lanes + lane]];
                                        i128::from(x) * i128::from(y) % q
                                    });
                                    let expected = (terms.sum::<i128>() % q * factor).rem_euclid(q);
                                    let sum = i128::from(sums.next().unwrap());
                                    assert!(
                                        promised.holds(Interval::new(sum, sum)) && sum.rem_euclid(q) == expected,
                                        "{method} q {q} {backend}, {length} products of {range}: {sum} in {promised}"
                                    );
                                }
                            }
                        }
                        assert_eq!(sums.next(), None);
                    }
                    tried += 1;
                }
            }
        }
        tried
    }};
}

#[test]
fn in_32_bit_words() {
    for (q, least) in [(12289, 40), (8380417, 40), (998244353, 40), (1073479681, 40), (2013265921, 7), (2147483647, 7)]
    {
        let tried = all_methods!(i32, 32, q);
        assert!(tried >= least, "{q}: {tried} cases");
    }
}

#[test]
fn in_64_bit_words() {
    for bits in [20, 31, 40, 49, 50, 51, 52, 60, 62] {
        let tried = all_methods!(i64, 64, nearest_prime(1 << bits, 12, 1 << bits).unwrap());
        assert!(tried >= 40, "{bits} bits: {tried} cases");
    }
}

/// What is not proved is not offered: sums that need more bits than twice those of a word.
#[test]
fn sums_without_room_are_refused() {
    let contract = |method: Method, q, bits| method.contract(Modulus::new(q).unwrap(), bits).unwrap();
    let range = |method, q, bits, bound: i128, signed, length| {
        let bound = if signed { Interval::symmetric(bound) } else { Interval::new(0, bound) };
        contract(method, q, bits).dot_range(core::iter::repeat_n([bound; 2], length))
    };
    // 2^33 / q is 4.3, and 8.6.
    for (q, room) in [(2_013_265_921_u64, 4), (998_244_353, 8)] {
        let most = i128::from(q) - 1;
        assert!(range(Method::Strict, q, 32, most, false, room).is_some());
        assert_eq!(range(Method::Strict, q, 32, most, false, room + 1), None);
        assert_eq!(range(Method::Strict, q, 32, most, true, 1), None, "of words without sign alone");
    }
    assert_eq!(range(Method::Montgomery, 998_244_353, 32, (1 << 31) - 1, true, 2), None);
    assert_eq!(range(Method::Montgomery, (1 << 62) - 57, 64, (1 << 63) - 1, true, 8), None, "2^129");
    assert_eq!(range(Method::Solinas, 8_380_417, 32, 1, true, 2), None);
    assert_eq!(range(Method::Montgomery, 12289, 16, 1, true, 2), None);
}

/// Slots of degrees 2 to 8 on every backend whose vectors they fill, those of all lanes of a vector as well:
/// products are those of the deepest transform.
#[test]
fn products_at_every_depth() {
    for (n, q, bits) in [(256, 998_244_353, 32), (256, 2_013_265_921, 32), (256, 1_125_899_906_826_241, 64)] {
        let request = Request::new(n, q);
        let a: Vec<i64> = (0..n as i64).map(|i| (i * i * 7919 + 3) % q as i64).collect();
        let b: Vec<i64> = (0..n as i64).map(|i| (q as i64 - 1) - i % 2).collect();
        let product = |request: &Request| -> Vec<i64> {
            match bits {
                32 => {
                    let [a, b] = [&a, &b].map(|x| x.iter().map(|&x| x as i32).collect::<Vec<_>>());
                    let mut c = vec![0; n];
                    Plan::<i32>::with(request).unwrap().multiply(&mut c, &a, &b);
                    c.into_iter().map(i64::from).collect()
                }
                _ => {
                    let mut c = vec![0; n];
                    Plan::<i64>::with(request).unwrap().multiply(&mut c, &a, &b);
                    c
                }
            }
        };
        let expected = product(&request.depth(8).backend(Backend::Scalar));
        let mut wide = 0;
        for backend in Backend::available() {
            for method in Method::ALL {
                for depth in 4..=8 {
                    let request = request.backend(backend).method(method).depth(depth);
                    let Ok(recipe) = request.recipe(bits) else { continue };
                    let context = format!("{n} {q} {backend} {method} depth {depth}");
                    assert_eq!(product(&request), expected, "{context}");
                    assert_eq!(product(&request.lazy()), expected, "{context}, lazy");
                    wide += u32::from(recipe.schedules().transformed().wide);
                }
            }
        }
        assert!(wide >= 10, "{n} {q}: {wide} plans with wide sums");
    }
}
