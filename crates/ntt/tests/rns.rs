//! Residue number systems against integers of any size.

mod elements;

use num_bigint::{BigInt, BigUint};
use ringwork_ntt::{Backend, Method, Request, Ring, Rns, RnsError, Word};

/// Random limbs, the same ones every time.
struct Limbs(u64);

impl Iterator for Limbs {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Some((self.0 ^ self.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

fn number(limbs: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect::<Vec<_>>())
}

fn signed(limbs: &[u64]) -> BigInt {
    BigInt::from_signed_bytes_le(&limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect::<Vec<_>>())
}

fn limbs_of(x: &BigUint, length: usize) -> Vec<u64> {
    let mut limbs = x.to_u64_digits();
    assert!(limbs.len() <= length);
    limbs.resize(length, 0);
    limbs
}

/// `x mod m`, not negative.
fn modulo(x: &BigInt, m: &BigUint) -> BigUint {
    let m = BigInt::from(m.clone());
    (((x % &m) + &m) % &m).to_biguint().unwrap()
}

/// The residue of a number in `[0, Q)` in `[-Q/2, Q/2]`.
fn centred(x: &BigUint, modulus: &BigUint) -> BigInt {
    let (x, q) = (BigInt::from(x.clone()), BigInt::from(modulus.clone()));
    if 2 * &x > q { x - q } else { x }
}

/// A system with its integers: borders of all kinds, and random ones.
struct Case<T: Word> {
    rns: Rns<T>,
    modulus: BigUint,
    integers: Vec<BigUint>,
    residues: Vec<T>,
}

fn case<T: Word>(rns: Rns<T>) -> Case<T> {
    let modulus = number(rns.modulus());
    let product: BigUint = rns.primes().map(BigUint::from).product();
    assert_eq!(modulus, product);
    let last = BigUint::from(rns.primes().last().unwrap());
    let half = &modulus / 2_u8;
    let borders = [BigUint::ZERO, &modulus - 1_u8, half.clone(), &half + 1_u8, &half - 1_u8, 1_u8.into()];
    // Where rounding by the last prime changes: (p - 1)/2 and (p + 1)/2 above a multiple.
    let multiple = &half / &last * &last;
    let rounding = [&multiple + (&last - 1_u8) / 2_u8, &multiple + (&last + 1_u8) / 2_u8, multiple];
    let ends = [(&last - 1_u8) / 2_u8, &modulus - (&last - 1_u8) / 2_u8, &modulus - (&last + 1_u8) / 2_u8];
    let mut random = Limbs(rns.n() as u64);
    let below = |m: &BigUint, random: &mut Limbs| number(&random.take(rns.limbs() + 1).collect::<Vec<_>>()) % m;
    let mut integers: Vec<BigUint> = borders.into_iter().chain(rounding).chain(ends).map(|x| x % &modulus).collect();
    while integers.len() < rns.n() {
        integers.push(below(&modulus, &mut random));
    }
    integers.rotate_right(rns.n() / 3);
    let limbs: Vec<u64> = integers.iter().flat_map(|x| limbs_of(x, rns.limbs())).collect();
    let mut residues = vec![T::default(); rns.words()];
    rns.decompose(&mut residues, &limbs);
    Case { rns, modulus, integers, residues }
}

fn as_u64<T: Word>(word: T) -> u64 {
    let word: i64 = word.try_into().ok().unwrap();
    word.try_into().unwrap()
}

/// Whether these are the residues of integers.
fn are_residues<T: Word>(rns: &Rns<T>, residues: &[T], integers: &[BigInt]) {
    for (p, residues) in rns.primes().zip(residues.chunks_exact(rns.n())) {
        for (word, x) in residues.iter().zip(integers) {
            assert_eq!(BigUint::from(as_u64(*word)), modulo(x, &p.into()), "{x} modulo {p}");
        }
    }
}

fn signs(integers: &[BigUint]) -> Vec<BigInt> {
    integers.iter().cloned().map(BigInt::from).collect()
}

fn to_residues_and_back<T: Word>(Case { rns, modulus, integers, residues }: &Case<T>) {
    are_residues(rns, residues, &signs(integers));
    let mut limbs = vec![0; rns.n() * rns.limbs()];
    rns.recompose(&mut limbs, residues);
    for (limbs, x) in limbs.chunks_exact(rns.limbs()).zip(integers) {
        assert_eq!(&number(limbs), x);
    }
    rns.recompose_centred(&mut limbs, residues);
    for (limbs, x) in limbs.chunks_exact(rns.limbs()).zip(integers) {
        assert_eq!(signed(limbs), centred(x, modulus));
    }
    let mut again = vec![T::default(); rns.words()];
    rns.decompose_signed(&mut again, &limbs);
    assert!(again == *residues);

    // Any limbs, more and fewer than those of Q.
    for length in [1, rns.limbs(), rns.limbs() + 3] {
        let mut any: Vec<u64> = Limbs(7).take(rns.n() * length).collect();
        any[..length].fill(u64::MAX);
        any[length..2 * length].fill(0);
        any[3 * length - 1] = 1 << 63;
        rns.decompose(&mut again, &any);
        are_residues(rns, &again, &any.chunks_exact(length).map(|limbs| number(limbs).into()).collect::<Vec<_>>());
        rns.decompose_signed(&mut again, &any);
        are_residues(rns, &again, &any.chunks_exact(length).map(signed).collect::<Vec<_>>());
        if length == 1 {
            let small: Vec<i64> = any.iter().map(|limb| *limb as i64).collect();
            let given = again.clone();
            rns.decompose_i64(&mut again, &small);
            assert!(again == given);
        }
    }
    let half = 1_i64 << (T::BITS - 1);
    let word = |x: u64| T::from_i64(if T::SIGNED { x as i64 >> (64 - T::BITS) } else { (x >> (65 - T::BITS)) as i64 });
    let mut words: Vec<T> = Limbs(3).take(rns.n()).map(word).collect();
    words[5] = T::from_i64(if T::SIGNED { half.wrapping_neg() } else { half.wrapping_sub(1) });
    rns.decompose_words(&mut again, &words);
    let numbers: Vec<BigInt> = words.iter().map(|x| (*x).try_into().ok().unwrap()).map(|x: i64| x.into()).collect();
    are_residues(rns, &again, &numbers);
}

/// The integers, each one limb above the one before, as one.
fn added_up<T: Word>(Case { rns, integers, residues, .. }: &Case<T>) {
    let sum = integers.iter().rev().fold(BigUint::ZERO, |sum, x| (sum << 64_u8) + x);
    for length in [0, 1, 2, rns.n() - 1, rns.n(), rns.n() + rns.limbs(), rns.n() + rns.limbs() + 2] {
        let mut out = vec![u64::MAX; length];
        rns.recompose_integer(&mut out, residues);
        assert_eq!(number(&out), &sum % (BigUint::from(1_u8) << (64 * length)), "{length} limbs");
    }
    let (a, b) = (&limbs_of(&sum, rns.n() + rns.limbs())[..rns.n()], [u64::MAX; 5]);
    let mut c = [residues.clone(), residues.clone(), residues.clone()];
    let [product, square, again] = &mut c;
    rns.multiply_limbs(product, a, &b);
    rns.multiply_limbs(again, &b, a);
    assert!(product == again);
    rns.multiply_limbs(product, a, a);
    rns.square_limbs(square, a);
    assert!(product == square);
}

fn digits<T: Word>(Case { rns, integers, residues, .. }: &Case<T>) {
    let (n, count) = (rns.n(), rns.primes().len());
    let from = if n > 64 { 64 } else { 0 };
    let mut digits = vec![T::default(); count * (n - from)];
    rns.mixed_radix(&mut digits, residues, from..n);
    for (k, x) in integers[from..].iter().enumerate() {
        let mut rest = x.clone();
        for (p, digits) in rns.primes().zip(digits.chunks_exact(n - from)) {
            assert_eq!(BigUint::from(as_u64(digits[k])), &rest % p);
            rest /= p;
        }
    }
}

fn rescaled<T: Word>(Case { rns, integers, residues, .. }: &Case<T>) {
    let (mut a, last) = (residues.clone(), rns.primes().last().unwrap());
    if rns.primes().len() == 1 {
        assert_eq!(rns.without_last().unwrap_err(), RnsError::Empty);
        return;
    }
    let shorter = rns.without_last().unwrap();
    rns.rescale(&mut a);
    let rounded = |x: &BigUint| BigInt::from((x + last / 2) / last);
    are_residues(&shorter, &a[..shorter.words()], &integers.iter().map(rounded).collect::<Vec<_>>());
    assert!(a[shorter.words()..].iter().all(|word| *word == T::default()));
}

fn extended<T: Word>(Case { rns, modulus, integers, residues }: &Case<T>, to: &Rns<T>) {
    let extension = rns.extension_to(to).unwrap();
    let mut out = vec![T::default(); to.words()];
    extension.run(&mut out, residues);
    are_residues(to, &out, &signs(integers));
    extension.run_centred(&mut out, residues);
    are_residues(to, &out, &integers.iter().map(|x| centred(x, modulus)).collect::<Vec<_>>());
}

/// Products modulo Q and the ring, coefficient by coefficient.
fn multiplied<T: Word>(Case { rns, modulus, integers, residues }: &Case<T>) {
    let n = rns.n();
    let mut c = vec![T::default(); rns.words()];
    rns.multiply(&mut c, residues, residues);
    let mut product = vec![BigInt::ZERO; 2 * n];
    for (i, a) in integers.iter().enumerate() {
        for (j, b) in integers.iter().enumerate() {
            product[i + j] += BigInt::from(a * b);
        }
    }
    for i in (n..2 * n).rev() {
        let high = std::mem::take(&mut product[i]);
        match rns.ring() {
            Ring::Negacyclic => product[i - n] -= high,
            Ring::Cyclic => product[i - n] += high,
            Ring::Trinomial => {
                product[i - n / 2] += &high;
                product[i - n] -= high;
            }
        }
    }
    are_residues(rns, &c, &product[..n]);
    let mut limbs = vec![0; n * rns.limbs()];
    rns.recompose(&mut limbs, &c);
    assert!(limbs.chunks_exact(rns.limbs()).zip(&product).all(|(limbs, x)| number(limbs) == modulo(x, modulus)));

    let mut there = residues.clone();
    rns.forward(&mut there);
    rns.inverse(&mut there);
    assert!(there == *residues);
}

fn checked<T: Word>(rns: Rns<T>, to: &Rns<T>) {
    let case = case(rns);
    to_residues_and_back(&case);
    digits(&case);
    added_up(&case);
    rescaled(&case);
    extended(&case, to);
    multiplied(&case);
}

#[test]
fn numbers_are_those_of_num_bigint() {
    let negacyclic = Request::new(64, 0);
    let small = Rns::<i16>::new(64, &[257, 7681, 12289]).unwrap();
    checked(Rns::<i16>::of_bits(&negacyclic, 40).unwrap(), &small);
    for bits in [20, 90, 200] {
        let to = Rns::<i32>::new(64, &[998_244_353, 257, 7681]).unwrap();
        checked(Rns::<i32>::of_bits(&negacyclic, bits).unwrap(), &to);
        let request = Request::new(96, 0).cyclic();
        checked(Rns::<u32>::of_bits(&request, bits).unwrap(), &Rns::with(&request, &[1153, 998_244_353]).unwrap());
        let request = Request::new(48, 0).ring(Ring::Trinomial);
        checked(Rns::<i64>::of_bits(&request, bits).unwrap(), &Rns::with(&request, &[577]).unwrap());
    }
    // Small primes first and last, and one alone.
    checked(Rns::<u64>::new(32, &[193, (1 << 61) - (1 << 21) + 1, 257]).unwrap(), &Rns::new(32, &[193]).unwrap());
    checked(Rns::<u32>::new(64, &[257]).unwrap(), &Rns::new(64, &[7681, 12289]).unwrap());
}

/// Slots of different degrees fill different vectors, and 62 bits leave no room for some methods.
#[test]
fn primes_may_run_on_different_backends() {
    checked(Rns::<i16>::new(128, &[257, 1873]).unwrap(), &Rns::new(128, &[1873, 257]).unwrap());
    let mixed = [4_611_686_018_427_365_377, 1_125_899_906_826_241, 12289];
    checked(Rns::<i64>::new(64, &mixed).unwrap(), &Rns::new(64, &mixed[1..]).unwrap());
    let of_52_bits = [(1 << 52) - (1 << 12) + 1, (1 << 51) - (1 << 17) + 1];
    checked(Rns::<i64>::new(64, &of_52_bits).unwrap(), &Rns::new(64, &of_52_bits[1..]).unwrap());
}

#[test]
fn requests_that_no_prime_fits_are_refused() {
    let request = Request::new(64, 0);
    for request in [request.thirds(40), request.method(Method::KRed)] {
        assert!(matches!(Rns::<i64>::of_bits(&request, 100), Err(RnsError::Plan { .. })), "{request:?}");
    }
    for method in [Method::Truncated, Method::Double, Method::Ifma, Method::IfmaStrict] {
        let rns = Rns::<i64>::of_bits(&request.method(method).backend(Backend::Scalar), 100).unwrap();
        assert!(rns.primes().all(|p| p < 1 << 60), "{method}");
    }
}

/// More coefficients than are worked on together.
#[test]
fn long_polynomials() {
    let rns = Rns::<i32>::of_bits(&Request::new(4096, 0), 85).unwrap();
    let case = case(rns);
    to_residues_and_back(&case);
    digits(&case);
    added_up(&case);
    rescaled(&case);
    extended(&case, &Rns::of_bits(&Request::new(4096, 0).cyclic(), 30).unwrap());
}

#[test]
fn refusals() {
    let request = Request::new(64, 0);
    let refused = |primes: &[u64]| Rns::<i32>::with(&request, primes).unwrap_err();
    assert_eq!(refused(&[]), RnsError::Empty);
    assert_eq!(refused(&[7681, 257, 7681]).to_string(), "7681 is there twice; take different primes");
    let large = refused(&[257, 2_147_483_647]);
    assert_eq!(large.to_string(), "2147483647 is too large for 32-bit words; take a prime below 2^30");
    assert_eq!((refused(&[256]).code(), large.code()), ("modulus", "large"));
    let few = Rns::<i16>::of_bits(&Request::new(1024, 0), 100).unwrap_err();
    assert!(matches!(few, RnsError::Primes { wanted: 100, reached: 13 }), "{few}");
    let [a, b] = [64, 128].map(|n| Rns::<i32>::new(n, &[257]).unwrap());
    assert_eq!(a.extension_to(&b).unwrap_err(), RnsError::Degrees { from: 64, to: 128 });
}
