//! Leaf contracts: every method on every backend gives what its contract says, in range and congruent.
//!
//! 16-bit words: every word as operand. Words of 32 and 64 bits: boundaries and pseudo-random ones.

#![forbid(unsafe_code)]

use lanes::{Lanes, Lanes16, LanesWide, Task16, Task32, Task64};
use ntt::{
    Backend, Method, Range,
    modular::{Modulus, nearest_prime},
    reduction::{Barrett, Constants, Contract, Family, KRed, KRed2x, Montgomery, Plantard, Reduction, Shoup},
};

/// Results of a method for operands `x` with one twiddle and one variable.
struct Results {
    mul: Vec<i64>,
    reduce: Vec<i64>,
    mul_var: Vec<i64>,
    canonical: Vec<i64>,
}

struct All<'a, F, T> {
    family: F,
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
    let w = R::twiddle(l.splat(w0), l.splat(w1));
    let y = l.splat(y);
    let mut results = Results { mul: vec![], reduce: vec![], mul_var: vec![], canonical: vec![] };
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
    }
    results
}

macro_rules! all {
    ($task:ident, $word:ty, $lanes:ident, $on:ident) => {
        impl<F: Family> $task for All<'_, F, $word> {
            type Output = Results;
            #[inline(always)]
            fn run<L: $lanes<Word = $word>>(self, l: L) -> Results {
                let _ = self.family;
                run::<L, F::$on<L>>(l, self.constants, self.x, self.twiddle, self.y)
            }
        }
    };
}

all!(Task16, i16, Lanes16, On16);
all!(Task32, i32, LanesWide, OnWide);
all!(Task64, i64, LanesWide, OnWide);

/// Checks results against the contract; operands that the contract refuses are left out.
fn check(contract: &Contract, context: &str, x: &[i64], w: u64, y: i64, results: &Results, bounds: &[i128]) {
    let q = contract.constants().q;
    let congruent = |value: i64, expected: i128| (i128::from(value) - expected).rem_euclid(q.into()) == 0;
    let product = |a: i128, b: i128| a % i128::from(q) * b;
    let reduce_factor = i128::from(contract.reduce_factor().residue);
    let variable_factor = i128::from(contract.mul_var_factor().residue);
    let largest = |accepts: &dyn Fn(Range) -> Option<Range>| {
        bounds.iter().rev().find_map(|&b| accepts(Range::symmetric(b)).map(|r| (b, r)))
    };
    let (mul, reduce) = (largest(&|r| contract.mul_range(r)), largest(&|r| contract.reduce_range(r)));
    let variable = largest(&|r| contract.mul_var_range(r, Range::symmetric(i128::from(y).abs())));
    for (i, &x) in x.iter().enumerate() {
        let inside = |r: Range, value: i64| (r.lo..=r.hi).contains(&value.into());
        let within = |bound: i128| i128::from(x).abs() <= bound;
        if let Some((bound, range)) = mul.filter(|m| within(m.0)) {
            assert!(inside(range, results.mul[i]), "{context}: |x| ≤ {bound}, {x}·{w} gives {}", results.mul[i]);
            assert!(congruent(results.mul[i], product(x.into(), w.into())), "{context}: {x}·{w}");
        }
        if let Some((_, range)) = reduce.filter(|m| within(m.0)) {
            assert!(inside(range, results.reduce[i]), "{context}: reduce {x} gives {}", results.reduce[i]);
            assert!(congruent(results.reduce[i], product(x.into(), reduce_factor)), "{context}: reduce {x}");
        }
        if let Some((_, range)) = variable.filter(|m| within(m.0)) {
            assert!(inside(range, results.mul_var[i]), "{context}: {x}·{y} gives {}", results.mul_var[i]);
            let expected = product(product(x.into(), y.into()), variable_factor);
            assert!(congruent(results.mul_var[i], expected), "{context}: variable {x}·{y}");
        }
        assert_eq!(results.canonical[i], x.rem_euclid(q), "{context}: canonical {x}");
    }
    // K-RED of a Mersenne prime fills the word with one digit: no operand is legal, and no plan uses it.
    let one_digit = contract.constants().m + 1 == contract.constants().bits;
    assert!(reduce.is_some() || one_digit, "{context}: some operand can be reduced");
}

fn twiddles(q: u64) -> impl Iterator<Item = u64> {
    [1, 2, q / 2, q / 2 + 1, q - 1, q / 3, 7 % q].into_iter()
}

macro_rules! by_method {
    ($method:expr, $family:ident => $body:expr) => {
        match $method {
            Method::Montgomery => {
                let $family = Montgomery;
                $body
            }
            Method::Barrett => {
                let $family = Barrett;
                $body
            }
            Method::Plantard => {
                let $family = Plantard;
                $body
            }
            Method::Shoup => {
                let $family = Shoup;
                $body
            }
            Method::KRed => {
                let $family = KRed;
                $body
            }
            _ => {
                let $family = KRed2x;
                $body
            }
        }
    };
}

#[test]
fn every_16_bit_word() {
    let words: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    let x: Vec<i64> = words.iter().map(|&w| w.into()).collect();
    let bounds: Vec<i128> = (1..=32768).filter(|b| b % 64 == 0 || *b == 32767).collect();
    for q in [5, 257, 3329, 7681, 12289, 15361, 18433, 25601, 32257] {
        let modulus = Modulus::new(q).unwrap();
        for method in Method::ALL {
            let Some(contract) = method.contract(modulus, 16) else { continue };
            for w in twiddles(q) {
                let encoded = contract.encode(w).map(|e| i16::try_from(e).unwrap());
                let y = modulus.centered(w) as i16;
                for backend in Backend::available().filter(|b| !b.is_array()) {
                    let constants = contract.constants();
                    let results = by_method!(method, family =>
                        backend.run16(All { family, constants, x: &words, twiddle: encoded, y }));
                    check(&contract, &format!("{method} q {q} {backend}"), &x, w, y.into(), &results, &bounds);
                }
            }
        }
    }
}

/// Boundaries and pseudo-random words as operands, on every backend that has vectors of such words.
macro_rules! boundary_and_random {
    ($word:ty, $bits:literal, $run:ident, $primes:expr) => {{
        let mut state = 1_u64;
        let powers = (0..$bits - 1).flat_map(|i| [1 << i, ((1 as $word) << i) - 1, -(1 << i), 1 - (1 << i)]);
        let mut words: Vec<$word> = powers.collect();
        words.extend([<$word>::MAX, <$word>::MIN, <$word>::MIN + 1, 0]);
        while words.len() < 8192 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            words.push(((state ^ state << 31) >> (64 - $bits)) as $word);
        }
        let x: Vec<i64> = words.iter().map(|&w| w.into()).collect();
        let bounds: Vec<i128> = (10..$bits).map(|b| 1_i128 << b).collect();
        for q in $primes {
            let modulus = Modulus::new(q).unwrap();
            for method in Method::ALL {
                let Some(contract) = method.contract(modulus, $bits) else { continue };
                for w in twiddles(q) {
                    let encoded = contract.encode(w).map(|e| <$word>::try_from(e).unwrap());
                    let y = modulus.centered(w) as $word;
                    for backend in Backend::available().filter(|b| !b.is_array()) {
                        let constants = contract.constants();
                        let results = by_method!(method, family =>
                            backend.$run(All { family, constants, x: &words, twiddle: encoded, y }));
                        check(&contract, &format!("{method} q {q} {backend}"), &x, w, y.into(), &results, &bounds);
                    }
                }
            }
        }
    }};
}

#[test]
fn boundary_and_random_32_bit_words() {
    let primes = [257, 3329, 12289, 40961, 65537, 8380417, 998244353, 1073479681, 2013265921, 2147483647];
    boundary_and_random!(i32, 32, run32, primes);
}

/// Primes on both sides of 32 bits, Mersenne's, sparse ones of many widths, and the largest below 2^62.
#[test]
fn boundary_and_random_64_bit_words() {
    let small =
        [5, 257, 12289, 8380417, 1073479681, 2147483647, (1 << 32) - (1 << 20) + 1, (1 << 61) - 1, (1 << 62) - 57];
    let with_roots = (33..=62).map(|bits| nearest_prime(1 << bits, bits / 2, 1 << bits).unwrap());
    boundary_and_random!(i64, 64, run64, small.into_iter().chain(with_roots));
}

/// The test can fail: a wrong constant breaks the congruence of every method.
#[test]
fn a_wrong_constant_is_caught() {
    let modulus = Modulus::new(12289).unwrap();
    for method in [Method::Montgomery, Method::Barrett, Method::Shoup, Method::Plantard, Method::KRed] {
        let contract = method.contract(modulus, 16).unwrap();
        let encoded = contract.encode(1000).map(|e| e as i16);
        let words: Vec<i16> = (-512..512).collect();
        let mut wrong = *contract.constants();
        wrong.q += 2;
        let constants = &wrong;
        let results = by_method!(method, family =>
            Backend::Scalar.run16(All { family, constants, x: &words, twiddle: encoded, y: 5 }));
        let holds = |(&x, &product): (&i16, &i64)| (product - i64::from(x) * 1000).rem_euclid(12289) == 0;
        assert!(!words.iter().zip(&results.mul).all(holds), "{method}");
    }
}
