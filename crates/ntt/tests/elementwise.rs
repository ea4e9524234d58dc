//! What lies between transforms stays in its word: the networks that run there, run on intervals,
//! at the ends of every word.

use ringwork_ntt::{
    Interval, Method, Request, Ring,
    arith::{Modulus, nearest_prime},
    internals::{
        model::Ranges,
        network::{Each, Elementwise},
        reduction::Contract,
    },
};

/// The largest primes of words, and smaller ones; by the methods whose sums are those of words.
fn contracts() -> impl Iterator<Item = Contract> {
    [16_u32, 32, 64].into_iter().flat_map(|bits| {
        let sizes = [bits - 1, bits - 2, bits / 2, 5].into_iter().filter(|size| *size < 63);
        sizes.flat_map(move |size| {
            let q = nearest_prime(1 << size, 2, 1 << size).and_then(|q| Modulus::new(q).ok());
            Method::ALL
                .into_iter()
                .filter(|m| !matches!(m, Method::Strict | Method::Harvey | Method::Ifma | Method::IfmaStrict))
                .filter(|method| !method.is_unsigned())
                .filter_map(move |method| method.contract(q?, bits))
        })
    })
}

/// What an operation makes of an interval, and of an addend if it has one, if it stays in the word.
fn run(contract: &Contract, mut range: Interval, how: Elementwise, addend: Interval) -> Option<Interval> {
    let mut proof = Ranges::new(1, *contract, 0);
    proof.run(Each { how }, [core::slice::from_mut(&mut range)], [&[addend]]).unwrap();
    proof.violation.is_none().then_some(range)
}

/// A2: sums and differences of residues as `Plan::add` and `Plan::sub` take them, and
/// representatives.
#[test]
fn sums_and_representatives_fit() {
    let (mut plain, mut centred) = (0, 0);
    for contract in contracts() {
        let (q, bits) = (i128::from(contract.constants().q), contract.constants().bits);
        let (word, residue, canonical) = (Interval::word(bits), Interval::symmetric(q - 1), Interval::new(0, q - 1));
        for negative in [false, true] {
            let small = run(&contract, residue, Elementwise::Add { negative }, residue);
            let large = run(&contract, word, Elementwise::AddCentred { negative }, word);
            assert_eq!(large, Some(canonical), "q = {q} in {bits} bits");
            let fits = 2 * (q - 1) <= word.hi;
            assert_eq!(small, fits.then_some(canonical), "q = {q} in {bits} bits");
            if fits { plain += 1 } else { centred += 1 }
        }
        let half = run(&contract, word, Elementwise::Centre, word);
        assert!(Interval::symmetric(q / 2).holds(half.unwrap()), "q = {q} in {bits} bits");
        let of_reduced = run(&contract, residue, Elementwise::CanonicalOfReduced, residue);
        assert_eq!(of_reduced, Some(canonical), "q = {q} in {bits} bits");
    }
    assert!(plain > 20 && centred > 5, "{plain} {centred}");
}

/// A2: products of plans that are reduced and added up one by one, as for slots of degree above
/// one, stay in the word, also modulo the largest primes that have plans.
#[test]
fn sums_of_products_one_by_one_fit() {
    let mut tried = 0;
    for bits in [16, 32] {
        let end = 1_u64 << (bits - 1);
        let primes = (1..128).rev().filter_map(|i| nearest_prime(end / 128 * i, 4, end));
        for q in primes {
            for method in Method::ALL {
                let Ok(recipe) = Request::new(8, q).depth(1).method(method).recipe(bits) else { continue };
                let contract = Method::Montgomery.contract(Modulus::new(q).unwrap(), bits).unwrap();
                let products = recipe.certificate().products();
                let mut sum = Some(Interval::symmetric(0));
                for _ in 0..4 {
                    let before = sum.unwrap_or_else(|| panic!("{q} {method} {bits} {products}"));
                    sum = run(&contract, before, Elementwise::AddCentred { negative: false }, products);
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 8, "{tried}");
}

/// A2: a product turned into a transformed polynomial, plus another one, as `to_ntt_plus` decides
/// it.
#[test]
fn products_plus_transformed_polynomials_fit() {
    let (mut at_once, mut apart) = (0, 0);
    for (n, q, bits) in [
        (256, 3329, 16),
        (1024, 12289, 16),
        (64, 32257, 16),
        (256, 8_380_417, 32),
        (1024, 1_073_479_681, 32),
        (64, 2_147_473_409, 32),
    ] {
        for lazy in [false, true] {
            for method in Method::ALL {
                let request = Request::new(n, q).ring(Ring::Negacyclic).method(method);
                let Ok(recipe) = (if lazy { request.lazy() } else { request }).recipe(bits) else { continue };
                let (c, contract) = (recipe.certificate(), recipe.contract().of_modulus());
                let addend = c.slots().union(c.input());
                let read = c.products().union(Interval::new(0, c.input().hi));
                let sum = run(&contract, read, Elementwise::ScaleAndAdd, addend);
                let decided = contract.add_range(c.normalized(), addend).is_some_and(|sum| c.word().holds(sum));
                assert_eq!(sum.is_some(), decided, "{n} {q} {method}");
                // Sums of products are canonical.
                let scaled = run(&contract, read, Elementwise::Scale, addend);
                assert_eq!(scaled, Some(c.normalized()), "{n} {q} {method}");
                if decided { at_once += 1 } else { apart += 1 }
            }
        }
    }
    assert!(at_once > 5 && apart > 0, "{at_once} {apart}");
}

/// A2: conversions between residue number systems multiply what is centred modulo one prime, or a digit, by a constant
/// modulo another one, and add canonical words; any prime below a quarter of the word may stand on either side.
#[test]
fn conversions_between_residues_fit() {
    let mut tried = 0;
    for contract in contracts().filter(|contract| contract.method() == Method::Montgomery) {
        let (q, bits) = (i128::from(contract.constants().q), contract.constants().bits);
        if q >> (bits - 2) != 0 {
            continue;
        }
        let (word, any, canonical) =
            (Interval::word(bits), Interval::new(0, (1 << (bits - 2)) - 1), Interval::new(0, q - 1));
        for addend in [canonical, any] {
            let sum = run(&contract, word, Elementwise::ScaleAndAdd, addend);
            assert_eq!(sum, Some(canonical), "q = {q} in {bits} bits");
        }
        // Digits modulo another prime are below twice this one, or that is another operation.
        let digit = Interval::new(0, (2 * q - 1).min(any.hi));
        for (addend, fits) in [(canonical, true), (digit, true), (Interval::new(0, 3 * q), false)] {
            let sum = run(&contract, word, Elementwise::ScaleAndAddSmall, addend);
            assert_eq!(sum, fits.then_some(canonical), "q = {q} in {bits} bits");
        }
        for difference in [digit, Interval::new(1 - 2 * q, 2 * q - 1)] {
            let lifted = run(&contract, difference, Elementwise::Add { negative: true }, Interval::symmetric(0));
            assert_eq!(lifted, Some(canonical), "q = {q} in {bits} bits");
        }
        assert_eq!(run(&contract, Interval::new(0, 2 * q), Elementwise::Add { negative: false }, canonical), None);
        // What is left of a number, and digits or a remainder modulo any prime.
        for (x, y) in [(Interval::symmetric(q - 1), any), (Interval::symmetric(q - 1), Interval::symmetric(any.hi / 2))]
        {
            let scaled = run(&contract, x, Elementwise::SubtractAndScale, y);
            assert!(Interval::symmetric(q - 1).holds(scaled.unwrap()), "q = {q} in {bits} bits");
        }
        let scaled = run(&contract, word, Elementwise::Scale, word);
        assert!(Interval::symmetric(q - 1).holds(scaled.unwrap()), "q = {q} in {bits} bits");
        tried += 1;
    }
    assert!(tried > 5, "{tried}");
}
