//! Integers of any size become residues and come back.

use ringwork_ntt::{BigInteger, Request, Rns};
use std::{
    fmt::Debug,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Residues by division, in decimal digits, which every type prints.
fn residue(decimal: &str, p: u64) -> u64 {
    let (negative, digits) = decimal.strip_prefix('-').map_or((false, decimal), |digits| (true, digits));
    let value = digits.bytes().fold(0, |value, digit| (value * 10 + u128::from(digit - b'0')) % u128::from(p)) as u64;
    if negative { (p - value) % p } else { value }
}

/// Integers of every length, both signs if the type has one: all around powers of two, where bytes and limbs end.
fn decimals(signed: bool) -> Vec<String> {
    let two_to = |exponent: u32| {
        let mut digits = vec![1_u8];
        for _ in 0..exponent {
            let mut carry = 0;
            for digit in &mut digits {
                carry += 2 * *digit;
                *digit = carry % 10;
                carry /= 10;
            }
            digits.extend((carry > 0).then_some(carry));
        }
        digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect::<String>()
    };
    let mut all = vec!["0".to_owned(), "1".into(), "255".into(), "65535".into(), "18446744073709551615".into()];
    all.extend([7, 8, 63, 64, 65, 95, 127, 128, 129, 500].map(two_to));
    if signed {
        let negative: Vec<_> = all.iter().skip(1).map(|decimal| format!("-{decimal}")).collect();
        all.extend(negative);
    }
    all
}

fn come_back<I: BigInteger + PartialEq + Debug + ToString>(read: impl Fn(&str) -> I, signed: bool) {
    let all = decimals(signed);
    let integers: Vec<I> = (0..64).map(|i| read(&all[i % all.len()])).collect();
    let rns = Rns::<u32>::of_bits(&Request::new(64, 0), 520).unwrap();
    let mut residues = vec![1; rns.words()];
    rns.decompose_bigints(&mut residues, &integers);
    for (prime, words) in rns.primes().zip(residues.chunks_exact(64)) {
        for (integer, word) in integers.iter().zip(words) {
            assert_eq!(u64::from(*word), residue(&integer.to_string(), prime), "{integer:?} modulo {prime}");
        }
    }
    assert_eq!(rns.recompose_bigints::<I>(&residues), integers);
    let two: Vec<I> = (0..128).map(|i| read(&all[i * 7 % all.len()])).collect();
    let poly = rns.poly_of_bigints(&two);
    assert_eq!((poly.len(), rns.bigints::<I>(&poly)), (2, two));
    assert!(rns.bigints::<I>(&rns.poly_of_bigints::<I>(&[])).is_empty());

    // Larger ones than Q wrap around it.
    let small = Rns::<i16>::new(64, &[7681, 12289]).unwrap();
    let mut residues = vec![0; small.words()];
    small.decompose_bigints(&mut residues, &integers);
    assert!(small.recompose_bigints::<I>(&residues) != integers);
    for (prime, words) in [7681, 12289].into_iter().zip(residues.chunks_exact(64)) {
        assert!(integers.iter().zip(words).all(|(x, word)| *word as u64 == residue(&x.to_string(), prime)));
    }
    assert_eq!(small.big_modulus::<I>(), read(&(7681 * 12289).to_string()));

    // The highest bit of the modulus is no sign.
    let primes = [4_611_686_018_326_724_609, 4_611_686_018_309_947_393, 4_611_686_018_282_684_417, 257];
    let full = Rns::<u64>::new(64, &primes[..3]);
    if let Ok(full) = full {
        assert!(!full.big_modulus::<I>().to_string().starts_with('-'));
    }
    let few = AssertUnwindSafe(|| small.decompose_bigints(&mut vec![0; small.words()], &integers[1..]));
    assert!(catch_unwind(few).is_err(), "one is missing");
}

#[cfg(feature = "num-bigint")]
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn integers_of_num_bigint_come_back() {
    come_back::<num_bigint::BigUint>(|decimal| decimal.parse().unwrap(), false);
    come_back::<num_bigint::BigInt>(|decimal| decimal.parse().unwrap(), true);
}

#[cfg(feature = "dashu")]
#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn integers_of_dashu_come_back() {
    come_back::<dashu_int::UBig>(|decimal| decimal.parse().unwrap(), false);
    come_back::<dashu_int::IBig>(|decimal| decimal.parse().unwrap(), true);
}

/// What has a sign comes back centred, what has none does not.
#[cfg(feature = "num-bigint")]
#[test]
fn halves_are_centred_if_there_is_a_sign() {
    use num_bigint::{BigInt, BigUint};
    // Q = 17·97, whose limb is nearly empty, and a modulus that fills its limbs.
    let rns = Rns::<i32>::new(4, &[17, 97]).unwrap();
    let mut residues = vec![0; rns.words()];
    rns.decompose_bigints(&mut residues, &[824, 825, -824, -825].map(BigInt::from));
    assert_eq!(rns.recompose_bigints::<BigInt>(&residues), [824, -824, -824, 824].map(BigInt::from));
    assert_eq!(rns.recompose_bigints::<BigUint>(&residues), [824_u32, 825, 825, 824].map(BigUint::from));
}
