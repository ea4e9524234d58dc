//! An odd prime modulus below 2^64 and the arithmetic of its residues.

use core::fmt;

/// An odd prime `q < 2^64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modulus(u64);

/// Why a number is not a [`Modulus`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModulusError {
    /// Even, or one.
    NotOdd {
        /// The number.
        q: u64,
    },
    /// `q = factor · (q / factor)`.
    Composite {
        /// The number.
        q: u64,
        /// A proper factor; 0 if none was found quickly.
        factor: u64,
        /// The nearest prime below or above.
        near: u64,
    },
}

impl Modulus {
    /// Accepts an odd prime.
    pub const fn new(q: u64) -> Result<Self, ModulusError> {
        if q < 3 || q.is_multiple_of(2) {
            return Err(ModulusError::NotOdd { q });
        }
        if !is_prime(q) {
            return Err(ModulusError::Composite { q, factor: small_factor(q), near: near_prime(q) });
        }
        Ok(Self(q))
    }

    /// Any number below 2^62, for residues only: it may have neither inverses nor roots.
    pub(crate) const fn any(q: u64) -> Self {
        assert!(q >> 62 == 0, "a modulus is below 2^62");
        Self(q)
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Bits of `q`.
    pub const fn bits(self) -> u32 {
        64 - self.0.leading_zeros()
    }

    /// `x mod q` in `[0, q)`, for any integer.
    pub const fn reduce(self, x: i128) -> u64 {
        let q = self.0 as i128;
        if -q <= x && x < q {
            return if x < 0 { x + q } else { x } as u64;
        }
        x.rem_euclid(q) as u64
    }

    /// `a·b mod q`; operands in `[0, q)`.
    pub const fn mul(self, a: u64, b: u64) -> u64 {
        mul_mod(a, b, self.0)
    }

    /// `a + b mod q`; operands in `[0, q)`.
    pub const fn add(self, a: u64, b: u64) -> u64 {
        let room = self.0 - b;
        if a < room { a + b } else { a - room }
    }

    /// `-a mod q`; operand in `[0, q)`.
    pub const fn neg(self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.0 - a }
    }

    /// `a^e mod q`.
    pub const fn pow(self, a: u64, mut e: u64) -> u64 {
        let (mut base, mut power) = (a % self.0, 1);
        while e != 0 {
            if e & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            e >>= 1;
        }
        power
    }

    /// `a^-1 mod q`; `a` not a multiple of `q`.
    pub const fn inv(self, a: u64) -> u64 {
        assert!(!a.is_multiple_of(self.0), "zero has no inverse");
        self.pow(a, self.0 - 2)
    }

    /// The representative of `a` in `[-(q-1)/2, (q-1)/2]`; `a` in `[0, q)`.
    pub const fn centered(self, a: u64) -> i64 {
        let word = a as i64;
        if a > self.0 / 2 { word.wrapping_sub(self.0 as i64) } else { word }
    }

    /// `q = k·2^m + 1` with odd `k`.
    pub const fn proth(self) -> (u64, u32) {
        let m = (self.0 - 1).trailing_zeros();
        ((self.0 - 1) >> m, m)
    }
}

impl fmt::Display for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ModulusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotOdd { q } => write!(f, "q = {q} is not an odd prime; try 257, 3329, 7681 or 12289"),
            Self::Composite { q, factor: 0, near } => write!(f, "q = {q} is not prime; the nearest prime is {near}"),
            Self::Composite { q, factor, near } => {
                write!(f, "q = {q} = {factor} · {} is not prime; the nearest prime is {near}", q / factor)
            }
        }
    }
}

impl core::error::Error for ModulusError {}

/// Deterministic Miller–Rabin: the first twelve primes as bases decide every 64-bit number
/// (Sorenson and Webster, *Strong pseudoprimes to twelve prime bases*, 2015).
pub const fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    let mut i = 0;
    while i < BASES.len() {
        if n.is_multiple_of(BASES[i]) {
            return n == BASES[i];
        }
        i += 1;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    i = 0;
    while i < BASES.len() {
        if !passes(n, BASES[i], odd, twos) {
            return false;
        }
        i += 1;
    }
    true
}

/// One strong-pseudoprime test of `n - 1 = odd · 2^twos` to a base.
const fn passes(n: u64, base: u64, odd: u64, twos: u32) -> bool {
    let (mut x, mut b, mut e) = (1_u64, base, odd);
    while e != 0 {
        if e & 1 == 1 {
            x = mul_mod(x, b, n);
        }
        b = mul_mod(b, b, n);
        e >>= 1;
    }
    if x == 1 || x == n - 1 {
        return true;
    }
    let mut r = 1;
    while r < twos {
        x = mul_mod(x, x, n);
        if x == n - 1 {
            return true;
        }
        r += 1;
    }
    false
}

/// A division of single words is faster than one of double words.
const fn mul_mod(a: u64, b: u64, n: u64) -> u64 {
    if (a | b) >> 32 == 0 {
        return a * b % n;
    }
    (a as u128 * b as u128 % n as u128) as u64
}

/// The smallest factor below 1000 of an odd composite, or 0.
const fn small_factor(n: u64) -> u64 {
    let mut d = 3;
    while d < 1000 {
        if n.is_multiple_of(d) && n != d {
            return d;
        }
        d += 2;
    }
    0
}

const fn near_prime(q: u64) -> u64 {
    let mut step = 1;
    loop {
        if q > step && is_prime(q - step) && (q - step) & 1 == 1 {
            return q - step;
        }
        if q <= u64::MAX - step && is_prime(q + step) {
            return q + step;
        }
        step += 1;
    }
}
