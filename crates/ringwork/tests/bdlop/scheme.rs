//! What must work: parameters, commitments, openings and proofs.

use super::*;

#[test]
fn sets_are_sound_by_their_own_rules() {
    for set in Parameters::ALL {
        let same = Parameters::new(set.n(), set.q(), set.shape(), set.beta(), set.kappa()).unwrap();
        assert_eq!((same.sigma(), same.q()), (set.sigma(), set.q()));
        assert!(!set.is_insecure() && set.challenge_bits() >= 256.0);
        assert_eq!(Parameters::by_name(set.name()), Some(set));
        let (hiding, binding) = (set.hiding().unwrap(), set.binding().unwrap());
        assert!(hiding.classical_bits >= 128.0 && binding.classical_bits >= 128.0, "{hiding:?} {binding:?}");
    }
    assert!((BDLOP_1024.sigma() - 11.0 * 36.0 * f64::sqrt(5120.0)).abs() < 1e-9);
}

#[test]
fn unsound_parameters_are_refused_with_the_reason() {
    let ask = |n, q, shape, kappa| match Parameters::new_unestimated(n, q, shape, 1, kappa) {
        Err(Error::Parameters(why)) => why,
        other => panic!("{other:?}"),
    };
    let why = ask(1024, 12289, [8, 3, 4], 36);
    assert!(why.starts_with("modulo q = 12289, X^1024 + 1 has 1024 factors, and no theorem"), "{why}");
    assert!(ask(1024, 4_294_967_291, [4, 1, 1], 36).contains("factors"), "3 modulo 8: no theorem");
    assert!(ask(1024, 4_294_967_295, [4, 1, 1], 36).contains("prime"));
    assert!(ask(1000, 4_294_967_197, [4, 1, 1], 36).starts_with("n = 1000 is not a power of two"));
    assert!(ask(1024, 4_294_967_197, [2, 1, 1], 36).starts_with("k = 2 must exceed d + l = 2"));
    assert!(ask(1024, 4_294_967_197, [4, 0, 1], 36).contains("d, l > 0"));
    assert!(ask(1024, 4_294_967_197, [5, usize::MAX, 2], 36).starts_with("k = 5 must exceed"), "sizes are not wrapped");
    assert!(ask(1024, 4_294_967_197, [4, 1, 1], 20).contains("challenges, not 2^256"));
    assert!(ask(1024, 4_194_301, [4, 1, 1], 36).starts_with("sigma = 25344 is too large for q = 4194301"));
    assert!(ask(1024, 4_294_967_197, [4, 1, 1], 2000).starts_with("beta = 1 must be"));
    assert!(Parameters::insecure_benchmark(1000).is_err());
}

/// M9: parameters that hide or bind for less than 2^128 are made only by whoever says that they
/// were not estimated.
#[test]
fn weak_parameters_are_refused_with_the_reason() {
    let q = BDLOP_1024.q();
    for (n, q, shape, kappa, reason) in [
        (
            256,
            q,
            [3, 1, 1],
            60,
            "hiding costs 2^11.7 to break, and 128 bits are wanted; take a larger k - d - l than 1",
        ),
        (1024, 7_340_101, [5, 2, 1], 36, "and q = 7340101 is not above it: such vectors are known to everybody"),
        (1024, q, [4, 2, 1], 36, "hiding costs 2^72.1 to break"),
        (1024, q, [5, 1, 1], 36, "binding costs 2^"),
    ] {
        let refused = Parameters::new(n, q, shape, 1, kappa).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
        let unestimated = Parameters::new_unestimated(n, q, shape, 1, kappa).unwrap();
        assert!(unestimated.is_insecure() && unestimated.weakness() == Some(refused));
    }
    assert!(BAKKEBO_1024.is_insecure() && BAKKEBO_1024.weakness().unwrap().contains("for measuring"));
    assert!(Parameters::ALL.iter().all(|set| set.weakness().is_none()));
}

#[test]
fn commitments_open() {
    for set in [BDLOP_1024, BDLOP_1024_4, BDLOP_2048] {
        let key = key(set);
        for number in 0..5 {
            let (commitment, opening) = commit(&key, number);
            key.open(&commitment, &opening).unwrap();
            let bytes = key.commitment_to_bytes(&commitment);
            assert_eq!(bytes.len(), key.commitment_bytes());
            assert!(key.commitment_from_bytes(&bytes).unwrap() == commitment);
            let saved = key.opening_to_bytes(&opening).unwrap();
            let loaded = key.opening_from_bytes(&saved).unwrap();
            assert_eq!(key.opening_to_bytes(&loaded).unwrap(), saved);
            key.open(&commitment, &loaded).unwrap();
        }
    }
}

#[test]
fn the_thesis_shape_commits_and_opens_in_any_words() {
    for n in [4, 64, 1024] {
        let parameters = Parameters::insecure_benchmark(n).unwrap();
        assert!(parameters.is_insecure());
        let narrow = CommitmentKey::<i16>::new(parameters, &seed(1, 0)).unwrap();
        let wide = CommitmentKey::<i64>::new(parameters, &seed(1, 0)).unwrap();
        let ((c, opening), (same, _)) = (commit(&narrow, 7), commit(&wide, 7));
        assert_eq!(narrow.commitment_to_bytes(&c), wide.commitment_to_bytes(&same));
        narrow.open(&c, &opening).unwrap();
        let refused = wide.prove_derand(&opening_of(&[same]), &[], &seed(4, 0)).unwrap_err();
        assert!(refused.to_string().contains("for measuring"), "{refused}");
    }
}

/// An opening with a factor that is a difference of challenges opens, as the extraction of a proof
/// gives it.
#[test]
fn factors_of_extracted_openings_are_accepted() {
    let key = key(BDLOP_1024);
    let (commitment, honest) = commit(&key, 1);
    let set = FixedWeight::new(1024, 36).unwrap();
    let challenge =
        |tag| Vector::filled(1024, 1, |words: &mut [i64]| set.sample_vartime(&mut Shake256::new(&[tag])).write(words));
    let (e, other) = (challenge(1), challenge(2));
    let factor = Vector::filled(1024, 1, |words| {
        words.iter_mut().zip(e.words()).zip(other.words()).for_each(|((f, e), o)| *f = e - o);
    });
    let module = key.module();
    let mut randomness = module.product(&module.forward(honest.randomness()), module.forward(&factor).words());
    module.centre(&mut randomness);
    let extracted = Opening::new(honest.message().clone(), randomness.clone(), factor.clone());
    key.open(&commitment, &extracted).unwrap();
    let saved = key.opening_to_bytes(&extracted).unwrap();
    key.open(&commitment, &key.opening_from_bytes(&saved).unwrap()).unwrap();

    // The same randomness under another factor, or the factor with other randomness: no.
    let one = honest.factor().clone();
    let wrong = Opening::new(honest.message().clone(), randomness, one);
    assert!(matches!(key.open(&commitment, &wrong), Err(Error::Equation(_))));
    let wrong = Opening::new(honest.message().clone(), honest.randomness().clone(), factor);
    assert!(matches!(key.open(&commitment, &wrong), Err(Error::Equation(_))));
}

#[test]
fn openings_are_proved() {
    for set in [BDLOP_1024, BDLOP_2048] {
        let key = key(set);
        for number in 0..10 {
            let (commitment, opening) = commit(&key, number);
            let commitments = [commitment];
            let statement = opening_of(&commitments);
            let proof = key.prove_derand(&statement, &[opening], &seed(4, number)).unwrap();
            key.verify(&statement, &proof).unwrap();
            let bytes = key.proof_to_bytes(&proof);
            let read = key.proof_from_bytes(&statement, &bytes).unwrap();
            assert_eq!(key.proof_to_bytes(&read), bytes);
            key.verify(&statement, &read).unwrap();
        }
    }
}

#[test]
fn linear_relations_are_proved() {
    for set in [BDLOP_1024, BDLOP_1024_4] {
        let key = key(set);
        let (commitments, openings, relation) = related(&key);
        let statement = Statement { commitments: &commitments, relation: Some(&relation), context: b"" };
        let proof = key.prove_derand(&statement, &openings, &seed(5, 0)).unwrap();
        key.verify(&statement, &proof).unwrap();
        let read = key.proof_from_bytes(&statement, &key.proof_to_bytes(&proof)).unwrap();
        key.verify(&statement, &read).unwrap();

        // A relation that does not hold is not proved, and the proof is not one for it.
        let value = nudged(&relation.value, 3, if relation.value.words()[3] == 0 { 1 } else { -1 });
        let wrong = Relation { coefficients: relation.coefficients.clone(), value };
        let other = Statement { relation: Some(&wrong), ..statement };
        let refused = key.prove_derand(&other, &openings, &seed(5, 0)).unwrap_err();
        assert!(matches!(refused, Error::Witness(_)), "{refused}");
        assert!(matches!(key.verify(&other, &proof), Err(Error::Equation(_))));
        let without = Statement { relation: None, ..statement };
        assert!(key.verify(&without, &proof).is_err());
    }
}

#[test]
fn batches_are_verified_and_name_the_first_that_fails() {
    let key = key(BDLOP_1024);
    let made: Vec<_> = (0..6)
        .map(|number| {
            let (commitment, opening) = commit(&key, number);
            let commitments = vec![commitment];
            let proof = key.prove_derand(&opening_of(&commitments), &[opening], &seed(7, number)).unwrap();
            (commitments, proof)
        })
        .collect();
    let mut batch: Vec<(Statement<'_, i64>, &Proof<i64>)> = made.iter().map(|(c, p)| (opening_of(c), p)).collect();
    let mut rng = ringwork::ct::sys_rng();
    key.verify_batch(&batch, &mut rng).unwrap();
    key.verify_batch(&[], &mut rng).unwrap();
    batch[4].1 = &made[3].1;
    let (index, why) = key.verify_batch(&batch, &mut rng).unwrap_err();
    assert_eq!(index, 4, "{why}");
    batch.swap(0, 4);
    assert_eq!(key.verify_batch(&batch, &mut rng).unwrap_err().0, 0);
    // Also where a later one fails before any equation is looked at.
    let two = [made[0].0[0].clone(), made[1].0[0].clone()];
    batch[5].0 = opening_of(&two);
    assert!(matches!(key.verify_batch(&batch[1..], &mut rng), Err((4, Error::Shape { .. }))));
    assert!(matches!(key.verify_batch(&batch, &mut rng), Err((0, Error::Equation(_)))));
}

/// L6: masks are drawn where the key was told to compute.
#[test]
fn proofs_are_the_same_on_every_backend() {
    let proofs: Vec<_> = Backend::available()
        .filter_map(|backend| CommitmentKey::<i64>::with_backend(BDLOP_1024, &seed(1, 0), backend).ok())
        .map(|key| {
            let (commitment, opening) = commit(&key, 1);
            let commitments = [commitment];
            key.proof_to_bytes(&key.prove_derand(&opening_of(&commitments), &[opening], &seed(4, 0)).unwrap())
        })
        .collect();
    assert!(!proofs.is_empty() && proofs.windows(2).all(|pair| pair[0] == pair[1]));
}

/// The answers of proofs are distributed alike whatever the randomness is: their mean is zero and
/// their variance σ².
#[test]
fn answers_have_the_distribution_of_masks() {
    let key = key(BDLOP_1024);
    let (commitment, opening) = commit(&key, 1);
    let commitments = [commitment];
    let statement = opening_of(&commitments);
    let (mut sum, mut squares, mut correlation, mut count) = (0.0, 0.0, 0.0, 0.0);
    for number in 0..40 {
        let proof = key.prove_derand(&statement, core::slice::from_ref(&opening), &seed(8, number)).unwrap();
        for (z, r) in proof.answers().words().iter().zip(opening.randomness().words()) {
            let z = *z as f64 / BDLOP_1024.sigma();
            sum += z;
            squares += z * z;
            correlation += z * *r as f64;
            count += 1.0;
        }
    }
    let deviation = 5.0 / f64::sqrt(count);
    assert!((sum / count).abs() < deviation, "mean {}", sum / count);
    assert!((squares / count - 1.0).abs() < 1.5 * deviation, "variance {}", squares / count);
    assert!((correlation / count).abs() < deviation, "correlation with the randomness {}", correlation / count);
}
