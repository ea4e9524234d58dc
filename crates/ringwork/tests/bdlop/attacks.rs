//! What must fail: false openings and proofs, numbers that wrap, seeds that repeat.

use super::*;

/// H3: squares of numbers near the end of 64 bits, summed up, wrap in 128 bits to less than the
/// bound. Here such an opening is computed from the commitment alone, to a message of the
/// attacker's choice; its residues satisfy both equations.
#[test]
fn openings_with_huge_numbers_are_refused() {
    let (key, q) = (key(BDLOP_1024), BDLOP_1024.q() as i64);
    let (n, [k, d, l]) = (1024, BDLOP_1024.shape());
    let (commitment, honest) = commit(&key, 1);
    let [c1, c2] = commitment.parts();
    let chosen = key.message(&[666, 777]).unwrap();
    // r = (c1 - A1'·(c2 - m', 0), c2 - m', 0).
    let mut middle = c2.clone();
    key.module().sub(&mut middle, &chosen);
    let tail = Vector::filled(n, k, |words: &mut [i64]| words[d * n..(d + l) * n].copy_from_slice(middle.words()));
    let image = key.commit_with(&Vector::zeros(n, l), &tail);
    assert_eq!(image.unwrap_err(), Error::Norm { index: d }, "randomness that is no opening's");
    let mut first = c1.clone();
    key.module().sub(&mut first, &first_image(&key, &middle));
    let residues = Vector::filled(n, k, |words: &mut [i64]| {
        words.copy_from_slice(tail.words());
        words[..d * n].copy_from_slice(first.words());
    });
    let with = |randomness: &Vector<i64>| {
        key.open(&commitment, &Opening::new(chosen.clone(), randomness.clone(), honest.factor().clone()))
    };
    assert_eq!(with(&residues), Err(Error::Norm { index: 0 }));
    for shift in [1 << 26, (1 << 30) + 12_345, (i64::MAX / q) - 1, -(i64::MAX / q) + 1] {
        let huge = Vector::filled(n, k, |words: &mut [i64]| {
            words.iter_mut().zip(residues.words()).for_each(|(word, r)| *word = r + shift * q);
        });
        assert_eq!(with(&huge), Err(Error::Norm { index: 0 }), "{shift}");
    }
    let empty = || Vector::zeros(0, 0);
    let refused = key.open(&commitment, &Opening::new(empty(), empty(), empty())).unwrap_err();
    assert!(refused.to_string().contains("degree 1024, not 0"), "{refused}");
    for extreme in [i64::MIN, i64::MAX] {
        let mut randomness = honest.randomness().clone();
        randomness.words_mut()[4 * n + 7] = extreme;
        assert_eq!(with(&randomness), Err(Error::Norm { index: 4 }));
        let opening = Opening::new(honest.message().clone(), randomness.clone(), honest.factor().clone());
        assert_eq!(key.opening_to_bytes(&opening).unwrap_err(), Error::Norm { index: 4 });
        assert_eq!(key.commit_with(&chosen, &randomness).unwrap_err(), Error::Norm { index: 4 });
        let mut factor = honest.factor().clone();
        factor.words_mut()[3] = extreme;
        let opening = Opening::new(honest.message().clone(), honest.randomness().clone(), factor);
        assert_eq!(key.open(&commitment, &opening), Err(Error::Factor));
    }
}

/// `A1'·(x, 0)`, byte by byte of `x`, since only short randomness is taken.
fn first_image(key: &CommitmentKey<i64>, x: &Vector<i64>) -> Vector<i64> {
    let (n, q, [k, d, l]) = (key.parameters().n(), key.parameters().q(), key.parameters().shape());
    let mut total = Vector::zeros(n, d);
    for shift in [0, 8, 16, 24] {
        let piece = Vector::filled(n, k, |words: &mut [i64]| {
            words[d * n..(d + l) * n].iter_mut().zip(x.words()).for_each(|(word, x)| *word = x >> shift & 0xFF);
        });
        let commitment = key.commit_with(&Vector::zeros(n, l), &piece).unwrap();
        for (total, c) in total.words_mut().iter_mut().zip(commitment.parts()[0].words()) {
            *total = (*total + (c << shift) % q as i64) % q as i64;
        }
    }
    total
}

#[test]
fn false_openings_are_refused() {
    let key = key(BDLOP_1024_4);
    let (n, [k, d, l]) = (1024, BDLOP_1024_4.shape());
    let (commitment, opening) = commit(&key, 1);
    let with = |message: &Vector<i64>, randomness: &Vector<i64>, factor: &Vector<i64>| {
        key.open(&commitment, &Opening::new(message.clone(), randomness.clone(), factor.clone()))
    };
    let (m, r, f) = (opening.message(), opening.randomness(), opening.factor());
    with(m, r, f).unwrap();

    let second = Err(Error::Equation("the equation f·c2 = A2·r + f·m"));
    assert_eq!(with(&nudged(m, 0, if m.words()[0] == 0 { 1 } else { -1 }), r, f), second, "another message");
    assert_eq!(with(&message(&key, 2), r, f), second, "another message");
    let first = Err(Error::Equation("the equation f·c1 = A1·r"));
    assert_eq!(with(m, &nudged(r, 5, 1), f), first, "other randomness");
    assert_eq!(with(m, commit(&key, 2).1.randomness(), f), first, "other randomness");

    // Norms: 4σ√n is accepted, just above is not.
    let bound = (16.0 * BDLOP_1024_4.sigma().powi(2) * n as f64) as i128;
    let root = (bound as f64).sqrt().floor() as i64;
    assert!(i128::from(root) * i128::from(root) <= bound && i128::from(root + 1) * i128::from(root + 1) > bound);
    for (index, size, refused) in [(0, root, false), (3, root + 1, true), (k - 1, -root - 1, true), (2, -root, false)] {
        let long = Vector::filled(n, k, |words: &mut [i64]| words[index * n + 17] = size);
        let expected = if refused { Err(Error::Norm { index }) } else { first.clone() };
        assert_eq!(with(m, &long, f), expected, "norm {size}");
    }

    // Factors: zero, two, a difference with an odd number of ones, of too many terms, minus one.
    let factor = |set: &[(usize, i64)]| {
        Vector::filled(n, 1, |words: &mut [i64]| set.iter().for_each(|&(at, value)| words[at] = value))
    };
    let many: Vec<_> = (0..2 * 37).map(|i| (i, 1)).collect();
    for wrong in [
        factor(&[]),
        factor(&[(0, 3)]),
        factor(&[(0, -1)]),
        factor(&[(1, 1)]),
        factor(&[(0, 1), (1, 1), (2, 1)]),
        factor(&many),
    ] {
        assert_eq!(with(m, r, &wrong), Err(Error::Factor));
    }
    // A factor of the right form with the wrong equation.
    assert_eq!(with(m, r, &factor(&[(0, 2)])), first);

    // Shapes.
    assert_eq!(with(m, &r.part(0..k - 1), f), Err(Error::Shape { what: "randomness", expected: k, actual: k - 1 }));
    assert_eq!(with(&m.part(0..1), r, f), Err(Error::Shape { what: "a message", expected: l, actual: 1 }));
    assert_eq!(with(m, r, r), Err(Error::Shape { what: "a factor", expected: 1, actual: k }));
    let _ = d;
}

/// `f` that vanishes in one of the two residue fields of `X^n + 1` opens to messages that differ
/// there; it is no short element.
#[test]
fn swapped_components_of_the_chinese_remainder_theorem_are_refused() {
    // X^1024 + 1 = (X^512 - i)(X^512 + i) with i² = -1 modulo q. The idempotent of a factor is (1 ±
    // X^512/i)/2.
    let (key, q, n) = (key(BDLOP_1024), BDLOP_1024.q(), 1024);
    let power = |mut base: u128, mut exponent: u64| {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base % u128::from(q);
            }
            base = base * base % u128::from(q);
            exponent >>= 1;
        }
        result as u64
    };
    let i = (2..).map(|g| power(g, (q - 1) / 4)).find(|i| power((*i).into(), 2) == q - 1).unwrap();
    let half = q.div_ceil(2);
    let other = (u128::from(half) * u128::from(power(i.into(), q - 2)) % u128::from(q)) as i64;
    let idempotent = Vector::filled(n, 1, |words: &mut [i64]| (words[0], words[512]) = (half as i64, other));
    let module = key.module();
    let idempotent_hat = module.forward(&idempotent);
    let square = module.product(&idempotent_hat, idempotent_hat.words());
    assert_eq!(square.words(), idempotent.words(), "an idempotent");

    let (commitment, opening) = commit(&key, 1);
    // Another message with the same residue in the first field, all else scaled by the idempotent:
    // the equations hold.
    let mut other_message = message(&key, 2);
    module.sub(&mut other_message, opening.message());
    let kept = module.product(&module.forward(&other_message), idempotent_hat.words());
    module.sub(&mut other_message, &kept);
    module.add(&mut other_message, opening.message());
    let mut randomness = module.product(&module.forward(opening.randomness()), idempotent_hat.words());
    module.centre(&mut randomness);
    let mut factor = idempotent.clone();
    module.centre(&mut factor);
    let attack = Opening::new(other_message, randomness, factor);
    assert_eq!(key.open(&commitment, &attack), Err(Error::Factor));
}

/// L13: the digest and the answers are enough, and every bit of them counts.
#[test]
fn compact_proofs_hold_and_no_others() {
    let key = key(BDLOP_1024);
    let (commitments, openings, relation) = related(&key);
    for relation in [None, Some(&relation)] {
        let statement = Statement { commitments: &commitments, relation, context: b"compact" };
        let proof = key.prove_derand(&statement, &openings, &seed(5, 1)).unwrap();
        let bytes = key.proof_to_compact_bytes(&statement, &proof);
        assert!(3 * bytes.len() < 2 * key.proof_to_bytes(&proof).len(), "{} bytes", bytes.len());
        key.verify_compact(&statement, &bytes).unwrap();
        assert!(key.verify_compact(&Statement { context: b"elsewhere", ..statement }, &bytes).is_err());
        assert!(key.verify_compact(&Statement { commitments: &commitments[..2], ..statement }, &bytes).is_err());
        for at in (0..32).chain((32..bytes.len()).step_by(211)).chain([bytes.len() - 1]) {
            for bit in [0, 7] {
                let mut wrong = bytes.clone();
                wrong[at] ^= 1 << bit;
                assert!(key.verify_compact(&statement, &wrong).is_err(), "bit {bit} of byte {at}");
            }
        }
        for cut in [0, 31, 32, bytes.len() - 1] {
            let refused = key.verify_compact(&statement, &bytes[..cut]).unwrap_err();
            assert!(matches!(refused, Error::Encoding(DecodeError::End(_))), "{refused}");
        }
        assert!(key.verify_compact(&statement, &[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn false_proofs_are_refused() {
    let key = key(BDLOP_1024);
    let (commitment, opening) = commit(&key, 1);
    let (other, _) = commit(&key, 2);
    let commitments = [commitment];
    let statement = opening_of(&commitments);
    let proof = key.prove_derand(&statement, core::slice::from_ref(&opening), &seed(6, 0)).unwrap();
    key.verify(&statement, &proof).unwrap();

    // Replay: another key, another context, another commitment.
    let foreign = CommitmentKey::<i64>::new(BDLOP_1024, &seed(1, 1)).unwrap();
    assert!(foreign.verify(&statement, &proof).is_err());
    assert!(key.verify(&Statement { context: b"tesT", ..statement }, &proof).is_err());
    let others = [other];
    assert!(key.verify(&Statement { commitments: &others, ..statement }, &proof).is_err());
    assert!(key.prove_derand(&opening_of(&others), &[opening], &seed(6, 0)).is_err(), "not its opening");

    // Every byte matters: any change is refused by the decoder or by verification.
    let bytes = key.proof_to_bytes(&proof);
    for at in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        for bit in [0, 7] {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << bit;
            let accepted =
                key.proof_from_bytes(&statement, &wrong).is_ok_and(|proof| key.verify(&statement, &proof).is_ok());
            assert!(!accepted, "bit {bit} of byte {at}");
        }
    }
    for cut in [0, 1, bytes.len() - 1] {
        assert!(matches!(key.proof_from_bytes(&statement, &bytes[..cut]), Err(Error::Encoding(_))));
    }
    // The same for the commitment.
    let of_commitment = key.commitment_to_bytes(&commitments[0]);
    for at in (0..of_commitment.len()).step_by(501) {
        let mut wrong = of_commitment.clone();
        wrong[at] ^= 4;
        let Ok(wrong) = key.commitment_from_bytes(&wrong) else { continue };
        assert!(key.verify(&opening_of(&[wrong]), &proof).is_err(), "byte {at} of the commitment");
    }
    let mut wrong = of_commitment;
    wrong[..4].copy_from_slice(&[0xFF; 4]);
    let refused = key.commitment_from_bytes(&wrong).unwrap_err().to_string();
    assert_eq!(refused, "a commitment: number 0 is 4294967295, not below 4294967197");
}

/// What is hashed has one form: polynomials of the ring's degree, with coefficients in [0, q).
#[test]
fn only_canonical_statements_and_messages_are_taken() {
    let key = key(BDLOP_1024);
    let (commitments, openings, relation) = related(&key);
    let prove = |relation: &Relation<i64>| {
        let statement = Statement { commitments: &commitments, relation: Some(relation), context: b"" };
        key.prove_derand(&statement, &openings, &seed(9, 0)).map(drop)
    };
    prove(&relation).unwrap();
    for by in [1 << 32, -(1 << 32), BDLOP_1024.q() as i64] {
        let Relation { coefficients, value } = &relation;
        let (coefficients, value) = (coefficients.clone(), value.clone());
        let shifted = nudged(&value, 5, by);
        let refused = prove(&Relation { coefficients: coefficients.clone(), value: shifted }).unwrap_err();
        assert!(matches!(refused, Error::Encoding(DecodeError::Value { index: 5, .. })), "{refused}");
        let refused = prove(&Relation { coefficients: nudged(&coefficients, 1024, by), value }).unwrap_err();
        assert!(matches!(refused, Error::Encoding(DecodeError::Value { index: 1024, .. })), "{refused}");
    }
    let narrow = Relation { coefficients: Vector::zeros(512, 3), ..relation };
    assert!(matches!(prove(&narrow), Err(Error::Parameters(why)) if why.contains("degree 1024, not 512")));

    let (commitment, opening) = commit(&key, 1);
    let message = nudged(opening.message(), 3, -(BDLOP_1024.q() as i64));
    let same = Opening::new(message.clone(), opening.randomness().clone(), opening.factor().clone());
    let not_canonical = Error::Encoding(DecodeError::Secret("a message"));
    assert_eq!(key.open(&commitment, &same).unwrap_err(), not_canonical);
    assert_eq!(key.opening_to_bytes(&same).unwrap_err(), not_canonical);
    assert_eq!(key.commit_derand(message, &seed(3, 1)).unwrap_err(), not_canonical);
}

#[test]
fn bytes_of_openings_are_checked_and_their_contents_not_told() {
    let key = key(BDLOP_1024);
    let (_, opening) = commit(&key, 1);
    let bytes = key.opening_to_bytes(&opening).unwrap();
    key.opening_from_bytes(&bytes).unwrap();
    // The last 384 bytes are the factor, three bits a coefficient, plus two: all zero, then all
    // two.
    for coefficient in [2, 4] {
        let eight = (0..8).fold(0_u32, |bits, i| bits | coefficient << (3 * i)).to_le_bytes();
        let mut wrong = bytes.to_vec();
        let at = wrong.len() - 384;
        wrong[at..].chunks_exact_mut(3).for_each(|three| three.copy_from_slice(&eight[..3]));
        assert_eq!(key.opening_from_bytes(&wrong).unwrap_err(), Error::Factor);
    }
    let mut wrong = bytes.to_vec();
    wrong[..4].fill(0xFF);
    assert_eq!(key.opening_from_bytes(&wrong).unwrap_err(), Error::Encoding(DecodeError::Secret("an opening")));
    let refused = key.message(&[u64::MAX - 12345]).unwrap_err().to_string();
    assert!(refused.starts_with("coefficient 0 of the message is not below"), "{refused}");

    let measured = Parameters::insecure_benchmark(32).unwrap();
    let narrow = CommitmentKey::<i16>::new(measured, &seed(1, 0)).unwrap();
    let (_, opening) = commit(&narrow, 1);
    assert!(
        matches!(narrow.opening_to_bytes(&opening), Err(Error::Parameters(why)) if why.starts_with("words of 16 bits"))
    );
}

/// L2: a generator that repeats itself shows neither the difference of two messages nor, by two
/// answers with one mask, the randomness.
#[test]
fn repeated_seeds_do_not_repeat_randomness_or_masks() {
    let (key, n) = (key(BDLOP_1024), 1024);
    let [(one, of_one), (two, of_two)] =
        [1, 2].map(|number| key.commit_derand(message(&key, number), &seed(3, 0)).unwrap());
    assert_ne!(of_one.randomness().words(), of_two.randomness().words());
    assert_ne!(one.parts()[0].words(), two.parts()[0].words());

    let commitments = [one];
    let prove = |context: &[u8], seed: &[u8; 32]| {
        let statement = Statement { commitments: &commitments, relation: None, context };
        key.prove_derand(&statement, core::slice::from_ref(&of_one), seed).unwrap()
    };
    let zeros = [0; 32];
    let (first, second) = (prove(b"monday", &zeros), prove(b"tuesday", &zeros));
    // With one mask, the answers would differ by (e - e')·r, whose coefficients are at most 72.
    let close = first.answers().words().iter().zip(second.answers().words()).filter(|(x, y)| (*x - *y).abs() <= 72);
    assert!(close.count() < n, "answers to two challenges with the same mask");
    let again = prove(b"monday", &zeros);
    assert_eq!(key.proof_to_bytes(&again), key.proof_to_bytes(&first), "hedged, and still decided by its inputs");
}

/// Commitments, and parts of proofs, of a key with another modulus are refused before anything is
/// computed with them.
#[test]
fn objects_of_another_key_are_refused() {
    let small = Parameters::new_unestimated(256, 16_777_213, [4, 1, 2], 2, 60).unwrap();
    let large = Parameters::new_unestimated(256, (1 << 32) - 99, [4, 1, 2], 2, 60).unwrap();
    let [small, large] = [small, large].map(|parameters| CommitmentKey::<i64>::new(parameters, &seed(1, 0)).unwrap());
    let ((mine, opening), (foreign, of_foreign)) = (commit(&small, 1), commit(&large, 1));
    assert!(matches!(small.open(&foreign, &opening), Err(Error::Encoding(DecodeError::Value { .. }))));
    let (of_mine, of_other) = ([mine], [foreign]);
    let proof = large.prove_derand(&opening_of(&of_other), &[of_foreign], &seed(4, 0)).unwrap();
    assert!(matches!(small.verify(&opening_of(&of_other), &proof), Err(Error::Encoding(DecodeError::Value { .. }))));
    assert!(small.verify(&opening_of(&of_mine), &proof).is_err());
}
