//! Leaf contracts: every method on every backend gives what its contract says, in range and
//! congruent.
//!
//! 16-bit words: every word as operand. Words of 32 and 64 bits: boundaries and pseudo-random ones. Miri, and programs
//! of mutants (`cargo xtask mutants reductions`, which compiles this file alone), have fewer words and moduli.

#![forbid(unsafe_code)]

use core::array;
use lanes::{Lanes, Lanes16, Lanes64, LanesWide, Task16, Task32, Task64};
use ringwork_ntt::{
    Backend, Interval, Method,
    arith::{Modulus, nearest_prime},
    internals::reduction::{ByMethod, Constants, Contract, Listed, Reduction},
};

/// Where code is interpreted, or compiled without optimisation for each mutant.
const SLOW: bool = cfg!(any(miri, mutants));

/// Of a list, every one or, where that is slow, so many fewer.
fn some<T>(all: impl IntoIterator<Item = T>, fewer: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if SLOW { fewer } else { 1 })
}

/// Results of a method for operands `x` with one twiddle and one variable.
struct Results {
    mul: Vec<i64>,
    reduce: Vec<i64>,
    mul_var: Vec<i64>,
    canonical: Vec<i64>,
    /// Of `x` and the canonical residue of the variable.
    add: Vec<i64>,
    sub: Vec<i64>,
}

struct All<'a, T> {
    constants: &'a Constants,
    x: &'a [T],
    twiddle: [T; 2],
    y: T,
}

fn run<L: Lanes<Word: Into<i64>>, R: Reduction<L>>(
    l: L,
    c: &Constants,
    x: &[L::Word],
    [w0, w1]: [L::Word; 2],
    y: L::Word,
) -> Results {
    let r = R::new(l, c);
    let w = R::twiddle(l, l.splat(w0), l.splat(w1));
    let y = l.splat(y);
    let addend = r.canonical(l, y);
    let [mul, reduce, mul_var, canonical, add, sub] = [const { Vec::new() }; 6];
    let mut results = Results { mul, reduce, mul_var, canonical, add, sub };
    for block in L::blocks(x) {
        let v = l.load(block);
        let keep = |out: &mut Vec<i64>, v| {
            let mut block = *block;
            l.store(&mut block, v);
            out.extend(block.as_ref().iter().map(|&w| w.into()));
        };
        let [product] = r.mul(l, [v], [w]);
        keep(&mut results.mul, product);
        keep(&mut results.reduce, r.reduce(l, v));
        keep(&mut results.mul_var, r.mul_var(l, v, y));
        keep(&mut results.canonical, r.canonical(l, v));
        keep(&mut results.add, r.add(l, v, addend));
        keep(&mut results.sub, r.sub(l, v, addend));
    }
    results
}

/// The same on a backend, before and after its method is a type.
struct On<'a, T>(Backend, All<'a, T>);
struct By<'a, F, T>(F, All<'a, T>);

macro_rules! all {
    ($task:ident, $run:path, $word:ty, $lanes:ident, $on:ident) => {
        impl<F: Listed> $task for By<'_, F, $word> {
            type Output = Results;
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, l: L) -> Results {
                let Self(_, all) = self;
                run::<L, F::$on<L>>(l, all.constants, all.x, all.twiddle, all.y)
            }
        }

        impl ByMethod for On<'_, $word> {
            type Output = Results;
            fn by<F: Listed>(self, family: F) -> Results {
                $run(self.0, By(family, self.1))
            }
        }
    };
}

/// By the lanes that a plan would take.
fn run64<F: Listed>(backend: Backend, task: By<'_, F, i64>) -> Results {
    let by_52 = F::METHOD.multiplies_52() && backend.multiplies_52();
    if by_52 { backend.run64_of_52(task).unwrap() } else { backend.run64(task) }
}

all!(Task16, Backend::run16, i16, Lanes16, On16);
all!(Task32, Backend::run32, i32, LanesWide, On32);
all!(Task64, run64, i64, Lanes64, On64);

/// Checks results against what the contract promises for the smallest bound that holds the operand,
/// of either sign or, where it is not negative, of that sign alone; operands that it refuses are left out.
/// `bounds` rise.
fn check(
    contract: &Contract,
    context: &str,
    x: &[i64],
    w: u64,
    y: i64,
    results: &Results,
    bounds: &[i128],
) -> Operations {
    let q = contract.constants().q;
    let congruent = |value: i64, expected: i128| (i128::from(value) - expected).rem_euclid(q.into()) == 0;
    let product = |a: i128, b: i128| a % i128::from(q) * b;
    let reduce_factor = i128::from(contract.reduce_factor().residue);
    let variable_factor = i128::from(contract.mul_var_factor().residue);
    let y_range = if y < 0 { Interval::symmetric(-i128::from(y)) } else { Interval::new(0, y.into()) };
    let addend = y.rem_euclid(q);
    let addend_range = Interval::new(0, i128::from(q) - 1);
    let word = Interval::word(contract.constants().bits);
    let promise = |r| {
        let sums = [contract.add_range(r, addend_range), contract.sub_range(r, addend_range)];
        let [sum, difference] = sums.map(|range| range.filter(|range| word.holds(*range)));
        [contract.mul_range(r), contract.reduce_range(r), contract.mul_var_range(r, y_range), sum, difference]
    };
    let signed: Vec<_> = bounds.iter().map(|&bound| promise(Interval::symmetric(bound))).collect();
    let positive: Vec<_> = bounds.iter().map(|&bound| promise(Interval::new(0, bound))).collect();
    for (i, &x) in x.iter().enumerate() {
        let inside = |r: Interval, value: i64| (r.lo..=r.hi).contains(&value.into());
        let at = bounds.partition_point(|&bound| bound < i128::from(x).abs());
        for promises in [&signed, &positive].into_iter().take(if x < 0 { 1 } else { 2 }) {
            let (bound, [mul, reduce, variable, sum, difference]) =
                if at < bounds.len() { (bounds[at], promises[at]) } else { (0, [None; 5]) };
            if let Some(range) = mul {
                assert!(inside(range, results.mul[i]), "{context}: |x| ≤ {bound}, {x}·{w} gives {}", results.mul[i]);
                assert!(congruent(results.mul[i], product(x.into(), w.into())), "{context}: {x}·{w}");
            }
            if let Some(range) = reduce {
                assert!(inside(range, results.reduce[i]), "{context}: reduce {x} gives {}", results.reduce[i]);
                assert!(congruent(results.reduce[i], product(x.into(), reduce_factor)), "{context}: reduce {x}");
            }
            if let Some(range) = variable {
                assert!(inside(range, results.mul_var[i]), "{context}: {x}·{y} gives {}", results.mul_var[i]);
                let expected = product(product(x.into(), y.into()), variable_factor);
                assert!(congruent(results.mul_var[i], expected), "{context}: variable {x}·{y}");
            }
            for (range, sum, addend) in [(sum, results.add[i], addend), (difference, results.sub[i], -addend)] {
                if let Some(range) = range {
                    assert!(
                        inside(range, sum) && congruent(sum, i128::from(x) + i128::from(addend)),
                        "{context}: {x} + {addend}"
                    );
                }
            }
        }
        assert_eq!(results.canonical[i], x.rem_euclid(q), "{context}: canonical {x}");
    }
    // K-RED of a Mersenne prime fills the word with one digit: no operand is legal, and no plan
    // uses it.
    let one_digit = contract.constants().m + 1 == contract.constants().bits;
    assert!(signed.iter().any(|p| p[1].is_some()) || one_digit, "{context}: some operand can be reduced");
    array::from_fn(|i| signed.iter().chain(&positive).any(|promises| promises[i].is_some()))
}

/// Whether some operand is promised for products, reductions, products of variables, sums and differences.
type Operations = [bool; 5];

/// The operations that each method was seen to promise, if it has a contract.
#[derive(Default)]
struct Seen([Option<Operations>; Method::ALL.len()]);

impl Seen {
    fn add(&mut self, method: Method, operations: Operations) {
        let seen = self.0[method as usize].get_or_insert_default();
        seen.iter_mut().zip(operations).for_each(|(seen, operation)| *seen |= operation);
    }

    fn assert_all(&self) {
        for method in Method::ALL {
            let seen = self.0[method as usize];
            assert!(seen.is_none_or(|operations| operations == [true; 5]), "{method}: {seen:?}");
        }
    }
}

/// Numbers about half of `q`, where a residue of least size changes its sign.
fn halves(q: u64) -> impl Iterator<Item = i128> {
    (-6..3).map(move |i| i128::from(q / 2) + i).filter(|bound| *bound > 0)
}

/// Bounds of operands: powers of two, once and twice `q`, one less of each, and about half of `q`.
fn bounds(q: u64, bits: u32) -> Vec<i128> {
    let of_q = [q, 2 * q].map(i128::from).into_iter().filter(|bound| *bound < 1 << (bits - 1));
    let ends = (0..bits).map(|b| 1 << b).chain(of_q).flat_map(|bound| [bound - 1, bound]);
    let mut bounds: Vec<i128> = ends.chain(halves(q)).collect();
    bounds.sort_unstable();
    bounds
}

/// Fills blocks of every backend.
fn padded<T: Copy + Default>(mut words: Vec<T>) -> Vec<T> {
    words.resize(words.len().next_multiple_of(64), T::default());
    words
}

fn twiddles(q: u64) -> impl Iterator<Item = u64> {
    [1, 2, q / 2, q / 2 + 1, q - 1, q / 3, 7 % q].into_iter()
}

#[test]
fn every_16_bit_word() {
    let words: Vec<i16> = padded(some(i16::MIN..=i16::MAX, 2113).collect());
    let x: Vec<i64> = words.iter().map(|&w| w.into()).collect();
    let mut seen = Seen::default();
    for q in some([5, 257, 641, 1151, 3329, 6143, 7681, 8191, 12289, 15361, 18433, 25601, 32257], 4) {
        let modulus = Modulus::new(q).unwrap();
        let steps = some((64..32768).step_by(64), 37).chain([32767, 32768]);
        let mut bounds: Vec<i128> = steps.chain(halves(q)).collect();
        bounds.sort_unstable();
        for method in Method::ALL {
            let Some(contract) = method.contract(modulus, 16) else { continue };
            for w in twiddles(q) {
                let encoded = contract.encode(w).map(|e| i16::try_from(e).unwrap());
                let y = modulus.centered(w) as i16;
                for backend in Backend::available().filter(|b| !b.is_array()) {
                    let constants = contract.constants();
                    let results = method.by(On(backend, All { constants, x: &words, twiddle: encoded, y }));
                    let context = format!("{method} q {q} {backend}");
                    seen.add(method, check(&contract, &context, &x, w, y.into(), &results, &bounds));
                }
            }
        }
    }
    seen.assert_all();
}

/// Boundaries and pseudo-random words as operands, on every backend that has vectors of such words.
macro_rules! boundary_and_random {
    ($word:ty, $bits:literal, $primes:expr, $fewer:literal) => {{
        let mut state = 1_u64;
        let powers = some(0..$bits - 1, 5).flat_map(|i| [1 << i, ((1 as $word) << i) - 1, -(1 << i), 1 - (1 << i)]);
        let mut words: Vec<$word> = powers.collect();
        words.extend([<$word>::MAX, <$word>::MIN, <$word>::MIN + 1, 0]);
        let primes: Vec<u64> = some($primes, $fewer).collect();
        for half in primes.iter().flat_map(|&q| halves(q)) {
            words.extend([half as $word, -(half as $word)]);
        }
        while words.len() < if SLOW { 0 } else { 8192 } {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            words.push(((state ^ state << 31) >> (64 - $bits)) as $word);
            words.push(words[words.len() - 1] >> (state % $bits));
        }
        let words = padded(words);
        let x: Vec<i64> = words.iter().map(|&w| w.into()).collect();
        let mut seen = Seen::default();
        for q in primes {
            let bounds = bounds(q, $bits);
            let modulus = Modulus::new(q).unwrap();
            for method in Method::ALL {
                let Some(contract) = method.contract(modulus, $bits) else { continue };
                for w in twiddles(q) {
                    let encoded = contract.encode(w).map(|e| <$word>::try_from(e).unwrap());
                    let y = modulus.centered(w) as $word;
                    for backend in Backend::available().filter(|b| !b.is_array()) {
                        let constants = contract.constants();
                        let results = method.by(On(backend, All { constants, x: &words, twiddle: encoded, y }));
                        let context = format!("{method} q {q} {backend}");
                        seen.add(method, check(&contract, &context, &x, w, y.into(), &results, &bounds));
                    }
                }
            }
        }
        seen.assert_all();
    }};
}

#[test]
fn boundary_and_random_32_bit_words() {
    let primes = [257, 3329, 12289, 40961, 65537, 524287, 8380417, 998244353, 1073479681, 2013265921, 2147483647];
    boundary_and_random!(i32, 32, primes, 5);
}

/// Primes on both sides of 32 bits, Mersenne's, sparse ones of many widths, and the largest below
/// 2^62.
#[test]
fn boundary_and_random_64_bit_words() {
    let small =
        [5, 257, 12289, 8380417, 1073479681, 2147483647, (1 << 32) - (1 << 20) + 1, (1 << 61) - 1, (1 << 62) - 57];
    let solinas = [(1 << 40) - (1 << 32) + 1, 5 << 55 | 1, (1 << 61) - (1 << 21) + 1, (1 << 62) - (1 << 16) + 1];
    let with_roots = (33..=62).map(|bits| nearest_prime(1 << bits, bits / 2, 1 << bits).unwrap());
    // Reciprocals are largest just above powers of two.
    let above = [39, 40, 51, 59, 60, 61].map(|log| ((1_u64 << log) + 1..).find(|q| Modulus::new(*q).is_ok()).unwrap());
    boundary_and_random!(i64, 64, small.into_iter().chain(solinas).chain(with_roots).chain(above), 12);
}

/// Words without sign by one twiddle: every result is canonical, and the residue that it should be. How many
/// of the words were residues.
macro_rules! check_unsigned {
    ($word:ty, $unsigned:ty, $contract:expr, $backend:expr, $words:expr, $w:expr) => {{
        let (contract, words, w): (&Contract, &[$word], u64) = ($contract, $words, $w);
        let (method, constants) = (contract.method(), contract.constants());
        let q = u128::from(constants.q as u64);
        let factor = u128::from(contract.mul_var_factor().residue);
        let twiddle = contract.encode(w).map(|e| e as $word);
        let results = method.by(On($backend, All { constants, x: words, twiddle, y: w as $word }));
        let mut residues = 0;
        for (i, &x) in words.iter().enumerate() {
            let (x, w) = (u128::from(x as $unsigned), u128::from(w));
            let is = |word: i64, number: u128| {
                assert_eq!(u128::from(word as $unsigned), number % q, "{method} q {q} {}: {x} and {w}", $backend);
            };
            is(results.mul[i], x % q * w);
            is(results.mul_var[i], x % q * w % q * factor);
            is(results.canonical[i], x);
            if x < 2 * q {
                is(results.reduce[i], x);
            }
            if x < q {
                is(results.add[i], x + w);
                is(results.sub[i], x + (q - w));
                residues += 1;
            }
        }
        residues
    }};
}

/// The contracts of methods on words without sign.
fn unsigned_contracts(q: u64, bits: u32) -> impl Iterator<Item = Contract> {
    let modulus = Modulus::new(q).unwrap();
    let methods = Method::ALL.into_iter().filter(|method| method.is_unsigned());
    methods.filter_map(move |method| method.contract(modulus, bits))
}

/// Boundaries and pseudo-random words.
macro_rules! unsigned_words {
    ($word:ty, $unsigned:ty, $primes:expr) => {{
        let primes: Vec<u64> = some($primes, 3).collect();
        const BITS: u32 = <$word>::BITS;
        let mut state = 1_u64;
        let mut words: Vec<$word> =
            some(0..BITS, 5).flat_map(|i| [1 << i, ((1 as $word) << i).wrapping_sub(1)]).collect();
        words.extend(some(0..BITS, 5).flat_map(|i| [!0 << i, !(1 << i)]));
        for &q in &primes {
            words.extend([-3, -2, -1, 0, 1, 2, 3].map(|i| (q as $word).wrapping_add(i)));
            words.extend([-1, 0, 1].map(|i| (q as $word / 2).wrapping_add(i)));
        }
        while words.len() < if SLOW { 0 } else { 2048 } {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            words.push((((state ^ state << 31) >> (64 - BITS)) as $unsigned >> (state % 7)) as $word);
        }
        for &q in &primes {
            let contracts: Vec<Contract> = unsigned_contracts(q, BITS).collect();
            assert!(!contracts.is_empty(), "{q}");
            for contract in &contracts {
                let [canonical, any] = [Interval::new(0, i128::from(q) - 1), contract.words()];
                assert_eq!(contract.mul_range(any), Some(canonical));
                assert_eq!(contract.reduce_range(any), (any.hi < 2 * i128::from(q)).then_some(canonical));
                assert_eq!(contract.mul_var_range(any, canonical), Some(canonical));
                assert_eq!(contract.mul_var_range(any, any), None);
                assert_eq!(contract.add_range(canonical, canonical), Some(canonical));
                assert_eq!(contract.sub_range(canonical, any), None);
                let mut residues = 0;
                for w in twiddles(q).chain([(u128::from(q) * 3 / 5) as u64, q - 2]) {
                    for backend in Backend::available().filter(|b| !b.is_array()) {
                        residues += check_unsigned!($word, $unsigned, contract, backend, &words, w);
                    }
                }
                assert!(residues > words.len(), "{} q {q}: {residues} residues", contract.method());
            }
        }
    }};
}

/// The largest and the smallest primes that fill a word, those of many roots, and Goldilocks'.
#[test]
fn words_without_sign() {
    unsigned_words!(i32, u32, [4294967291, 4293918721, 2147483659, 3 << 30 | 1]);
    unsigned_words!(
        i64,
        u64,
        [GOLDILOCKS, u64::MAX - 58, (1 << 63) + 29, (1 << 63) - 25, (1 << 62) + 135, 27 << 59 | 1]
    );
    for (method, bits) in [(Method::Montgomery, 32), (Method::Strict, 32), (Method::Unsigned, 16)] {
        assert_eq!(method.contract(Modulus::new(4293918721).unwrap(), bits), None, "{method}");
    }
    assert_eq!(Method::Goldilocks.contract(Modulus::new(u64::MAX - 58).unwrap(), 64), None);
    assert_eq!(Method::Unsigned.contract(Modulus::new((1 << 62) - 57).unwrap(), 64), None);
}

const GOLDILOCKS: u64 = 0xFFFF_FFFF_0000_0001;

/// Random words and twiddles, of all sizes: `cargo test --release -p ringwork-ntt --test suite -- --ignored a_billion`
/// takes some minutes, for each method and word as many cases as make a billion of all; fewer where moduli that it
/// takes are rare.
#[test]
#[ignore = "takes minutes: run with --ignored"]
fn a_billion_random_words() {
    const CASES: usize = 1_000_000_000;
    /// Moduli that a method refuses in a row, before it gets no more.
    const REFUSED: usize = 1 << 14;
    let backend = Backend::best();
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    macro_rules! run {
        ($word:ty, $bits:literal, $sizes:expr, $cases:expr) => {{
            for method in Method::ALL {
                let (mut left, mut refused) = ($cases, 0);
                while left > 0 && refused < REFUSED {
                    let size = $sizes.start + (random() % ($sizes.end - $sizes.start) as u64) as u32;
                    // Half of them with many roots of unity, which some methods ask for.
                    let order = if random() % 2 == 0 { 1 } else { 1 << (size / 2) };
                    let Some(q) = nearest_prime(1 << size | random() % (1 << size), order, 1 << (size + 1)) else {
                        continue;
                    };
                    let modulus = Modulus::new(q).unwrap();
                    let Some(contract) = method.contract(modulus, $bits) else {
                        refused += 1;
                        continue;
                    };
                    refused = 0;
                    let words: Vec<$word> = (0..1 << 14).map(|_| (random() as $word) >> (random() % $bits)).collect();
                    let x: Vec<i64> = words.iter().map(|&w| w.into()).collect();
                    let w = random() % q;
                    let twiddle = contract.encode(w).map(|e| <$word>::try_from(e).unwrap());
                    let y = modulus.centered(random() % q) as $word;
                    let all = All { constants: contract.constants(), x: &words, twiddle, y };
                    let results = method.by(On(backend, all));
                    let bounds = bounds(q, $bits);
                    let context = format!("{method} q {q} {backend}");
                    check(&contract, &context, &x, w, y.into(), &results, &bounds);
                    left -= left.min(words.len());
                }
                println!("{} bits, {method}: {} words", $bits, $cases - left);
            }
        }};
    }
    let each = CASES / (2 * Method::ALL.len());
    run!(i32, 32, 3..30_u32, each);
    run!(i64, 64, 3..61_u32, each);
}

/// The same without sign, for primes that fill words: as many cases for each width.
#[test]
#[ignore = "takes minutes: run with --ignored"]
fn a_billion_random_words_without_sign() {
    const CASES: usize = 1_000_000_000;
    let backend = Backend::best();
    let mut state = 9_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    macro_rules! run {
        ($word:ty, $unsigned:ty, $least:expr) => {{
            const BITS: u32 = <$word>::BITS;
            let mut left = CASES / 2;
            while left > 0 {
                let above = $least + random() % (u64::MAX >> (64 - BITS)).wrapping_sub($least);
                let q = if BITS == 64 && random() % 4 == 0 {
                    GOLDILOCKS
                } else {
                    let end = ((1_u128 << BITS) - 1) as u64;
                    nearest_prime(above, 1, end).unwrap()
                };
                if q < $least {
                    continue;
                }
                let words: Vec<$word> = (0..1 << 14)
                    .map(|_| ((random() >> (64 - BITS)) as $unsigned >> (random() % 4 * (random() % 8))) as $word)
                    .collect();
                for contract in unsigned_contracts(q, BITS) {
                    let residues: usize = check_unsigned!($word, $unsigned, &contract, backend, &words, random() % q);
                    assert!(residues > 0);
                    left -= left.min(words.len());
                }
            }
        }};
    }
    run!(i32, u32, 1 << 31);
    run!(i64, u64, 1 << 62);
}

/// The test can fail: a wrong constant breaks the congruence of every method.
#[test]
fn a_wrong_constant_is_caught() {
    let [small, large] = [12289, (1 << 50) - 27].map(|q| Modulus::new(q).unwrap());
    macro_rules! caught {
        ($word:ty, $shift:literal, $contract:expr, $method:ident) => {{
            let contract: Contract = $contract;
            let q = contract.constants().q;
            let encoded = contract.encode(1000).map(|e| e as $word);
            let words: Vec<$word> = (0..512).map(|x| x << $shift).collect();
            let mut wrong = *contract.constants();
            (wrong.q, wrong.k) = (wrong.q + 2, wrong.k - 2); // Solinas reads the modulus off k
            let constants = &wrong;
            let results = $method.by(On(Backend::Scalar, All { constants, x: &words, twiddle: encoded, y: 5 }));
            let holds =
                |(&x, &product): (&$word, &i64)| (i128::from(product) - i128::from(x) * 1000) % i128::from(q) == 0;
            assert!(!words.iter().zip(&results.mul).all(holds), "{}", $method);
        }};
    }
    let signed = |method: &Method| *method != Method::KRed2x && !method.is_unsigned();
    for method in Method::ALL.into_iter().filter(signed) {
        match method.contract(small, 16) {
            Some(contract) => caught!(i16, 0, contract, method),
            None => match method.contract(large, 64) {
                Some(contract) => caught!(i64, 41, contract, method),
                None => caught!(i32, 21, method.contract(small, 32).unwrap(), method),
            },
        }
    }
}

/// Solinas's method takes `2^a ± 2^b ± 1` and `2^a ± 1` of two bits less than the word, and nothing
/// else.
#[test]
fn solinas_takes_primes_of_its_form() {
    for q in (5..20_000).filter_map(|q| Modulus::new(q).ok()) {
        let sparse = (2..15).any(|a| {
            let rest = (q.get() as i64 - (1 << a)).abs();
            rest == 1 || (1..a - 1).any(|b| (rest - (1 << b)).abs() == 1)
        });
        for bits in [16, 32, 64] {
            assert_eq!(Method::Solinas.contract(q, bits).is_some(), sparse, "{q} in {bits} bits");
        }
    }
    for (q, bits) in [(40961, 16), (3329, 32), (998244353, 32), (2013265921, 32), (2147483647, 32)] {
        assert_eq!(Method::Solinas.contract(Modulus::new(q).unwrap(), bits), None, "{q} in {bits} bits");
    }
}
