//! The algorithms against the definition, the counts against the claims, and inputs on which the
//! paper's condition fails.

use super::*;
use crate::ntt::{Ring, Transform};
use crate::testing::Random;

type Algorithm = fn(&mut [u64], &Tables) -> Counts;

/// What computes S^{t−1}M-LazyNTT of this length.
fn algorithms(n: usize, t: usize) -> Vec<Algorithm> {
    let mut all: Vec<Algorithm> = vec![lazy];
    match t {
        1 => all.push(ntt),
        2 if n >= 4 => all.push(sm),
        3 if n >= 8 => all.push(ssm),
        _ => {}
    }
    all
}

/// The definition, bit-reversed.
fn definition(f: &[u64], q: u64) -> Vec<u64> {
    let canonical = Transform::complete(f.len(), q, Ring::Negacyclic).unwrap().forward(f);
    (0..f.len()).map(|j| canonical[field::bit_reverse(j, f.len().trailing_zeros())]).collect()
}

fn transformed(algorithm: Algorithm, f: &[u64], tables: &Tables) -> Vec<u64> {
    let mut f = f.to_vec();
    algorithm(&mut f, tables);
    f
}

/// −Σ X^e over the exponents.
fn minus_powers(n: usize, q: u64, exponents: &[usize]) -> Vec<u64> {
    (0..n).map(|e| if exponents.contains(&e) { q - 1 } else { 0 }).collect()
}

/// −X·(1 + X² + X⁴ + … + X^(n/2)): what makes word 1 large before the last stage of SM.
fn worst_for_sm(n: usize, q: u64) -> Vec<u64> {
    let exponents: Vec<usize> = (1..n.trailing_zeros()).map(|j| (1 << j) + 1).chain([1]).collect();
    minus_powers(n, q, &exponents)
}

/// −X^(n/8 + 1)·(X^(n/2) + X^(n/4)): a difference in stage 2 of SSM that q³ does not make positive.
fn worst_for_ssm(n: usize, q: u64) -> Vec<u64> {
    minus_powers(n, q, &[n / 2 + n / 8 + 1, n / 4 + n / 8 + 1])
}

#[test]
fn algorithm_1() {
    let tables = Tables::as_printed(64, 12289, 2, 28).unwrap();
    let (q, r) = (12289, 1 << 28);
    let r_inverse = field::inverse(r % q, q).unwrap();
    let mut random = Random(2);
    let largest = r * q / (q - 1); // a·(q − 1) < R·q
    for a in [0, 1, q - 1, q, q * q, r - 1, largest].into_iter().chain(Random(1).poly(1000, largest)) {
        for b in [0, 1, q - 1, random.below(q)] {
            assert_eq!(tables.montgomery.product(a, b), field::mul(a % q, field::mul(b, r_inverse, q), q));
        }
    }
    assert!((largest..2 * largest).any(|a| tables.montgomery.product(a, q - 1) >= q));
}

#[test]
fn every_variant_is_the_transform() {
    let paper = [64, 128, 256, 512, 1024].map(|n| (n, 12289)).into_iter().chain([32, 64, 128].map(|n| (n, 3329)));
    let others = [(2, 5), (4, 17), (8, 17), (8, 257), (16, 1889), (128, 257), (256, 8380417), (32, (1 << 60) - 16383)];
    for (n, q) in paper.chain(others) {
        let mut random = Random(n as u64);
        let one_hot = minus_powers(n, q, &[n - 1]);
        let mut inputs = vec![vec![0; n], vec![q - 1; n], one_hot, worst_for_sm(n, q), random.poly(n, q)];
        if n >= 8 {
            inputs.push(worst_for_ssm(n, q));
        }
        let expected: Vec<Vec<u64>> = inputs.iter().map(|f| definition(f, q)).collect();
        let mut largest_t = 0;
        for t in 1..=6 {
            let Some(tables) = Tables::proved(n, q, t) else { continue };
            largest_t = t;
            for algorithm in algorithms(n, t) {
                for (f, expected) in inputs.iter().zip(&expected) {
                    assert_eq!(&transformed(algorithm, f, &tables), expected, "n {n}, q {q}, t {t}");
                }
            }
        }
        let words = match (n, q) {
            (64.., 3329 | 12289) => 4,
            (256, 8380417) => 2,
            (_, 12289..) => 1,
            _ => largest_t,
        };
        assert_eq!(largest_t, words, "the t that 64-bit words allow for n {n}, q {q}");
    }
}

#[test]
fn counts_are_those_of_the_claims() {
    let q = 40961; // has a 2n-th root of unity for every n here
    for k in 3..=12_u32 {
        let n = 1_usize << k;
        let weights = || (0..n).map(|i| i.count_ones() as usize);
        for t in 1..=6 {
            let total = k as usize * n / 2; // Remark 1
            let montgomery = weights().map(|weight| weight.div_ceil(t)).sum(); // Claims 4 and 5
            let standard = weights().map(|weight| weight - weight.div_ceil(t)).sum();
            assert_eq!(montgomery + standard, total);
            if t == 2 {
                assert_eq!(standard, (k as usize - 1) * n / 4); // Claim 2
            }
            let tables = Tables::as_printed(n, q, t, 63).unwrap();
            for algorithm in algorithms(n, t) {
                // Zeros stay zeros for any R.
                assert_eq!(algorithm(&mut vec![0; n], &tables), Counts { montgomery, standard }, "n {n}, t {t}");
            }
        }
    }
}

#[test]
fn derived_vectors_are_the_papers() {
    let ssm = Jumps::new(1024, 3);
    let trips = |counts: fn(&Counts) -> usize| ssm.trips[..7].iter().map(counts).collect::<Vec<_>>();
    assert_eq!(trips(|counts| counts.montgomery), [170, 85, 43, 22, 11, 5, 2]); // Algorithm 4, line 2
    assert_eq!(trips(|counts| counts.standard), [342, 171, 85, 42, 21, 11, 6]); // line 3
    let range = |jumps: &[usize]| (jumps.iter().min().copied(), jumps.iter().max().copied());
    assert_eq!((range(&ssm.montgomery), range(&ssm.standard)), ((Some(1), Some(7)), (Some(1), Some(3)))); // section 3.4
    let sm = Jumps::new(1024, 2);
    assert_eq!((range(&sm.standard), sm.standard.len()), ((Some(1), Some(3)), 256));
    // Standard products at 1, 2, 4, 7 of 0..8; the half ends at 8.
    assert_eq!(Jumps::new(16, 2).standard, [1, 2, 3, 1]);
    for (m, s) in sm.montgomery.iter().zip(&sm.standard).take(255) {
        assert_eq!(m + s, 4); // Algorithm 3, line 14
    }
}

/// Claims 1 and 3 are false. SM fails where a word outgrows R·q, SSM already where a difference
/// stays negative.
#[test]
fn the_papers_condition_does_not_suffice() {
    // The last two columns are log2 R: the paper's (section 3.5) or the largest possible, and what
    // suffices.
    for (t, n, q, papers, suffices) in [
        (2, 16, 1889, 22, 24),
        (2, 64, 12289, 28, 30),
        (2, 512, 12289, 28, 31),
        (2, 1024, 12289, 28, 31),
        (2, 128, 3329, 24, 26),
        (3, 128, 3329, 36, 40),
        (3, 1024, 12289, 42, 47),
        (3, 1024, 12289, 63, 47),
    ] {
        assert!(condition::papers(papers, q, t) && (papers == 63 || !condition::papers(papers - 2, q, t)));
        let (algorithm, f): (Algorithm, _) = if t == 2 { (sm, worst_for_sm(n, q)) } else { (ssm, worst_for_ssm(n, q)) };
        let printed = Tables::as_printed(n, q, t as usize, papers).unwrap();
        let wrong = transformed(algorithm, &f, &printed);
        let right = definition(&f, q);
        assert!(wrong.iter().zip(&right).any(|(x, y)| x % q != *y), "t {t}, n {n}, q {q}, R 2^{papers}");

        let proved = Tables::proved(n, q, t as usize).unwrap();
        assert_eq!(proved.log_r(), suffices);
        assert_eq!(transformed(algorithm, &f, &proved), right);
    }
}

#[test]
fn the_papers_condition_fails_on_random_inputs() {
    let (n, q, mut random) = (1024, 12289, Random(2));
    let mut failures = |algorithm: Algorithm, t, log_r| {
        let printed = Tables::as_printed(n, q, t, log_r).unwrap();
        let original = Tables::proved(n, q, 1).unwrap();
        let inputs = (0..100).map(|_| random.poly(n, q));
        inputs.filter(|f| transformed(algorithm, f, &printed) != transformed(ntt, f, &original)).count()
    };
    let failures = (failures(sm, 2, 28), failures(ssm, 3, 42));
    assert!(failures.0 > 20 && failures.1 > 90, "{failures:?} of 100");
}

#[test]
fn what_the_condition_counts() {
    assert!(condition::papers(28, 12289, 2) && !condition::papers(27, 12289, 2));
    assert!(condition::papers(41, 12289, 3) && !condition::papers(40, 12289, 3) && !condition::papers(63, 12289, 9));
    // One lazy product: q² is the offset (section 3.1), and for n = 4, where no sum waits twice, R
    // > q² suffices.
    for q in [17, 257, 12289] {
        let condition = condition::derive(4, q, 2).unwrap();
        assert!(condition.offsets[1] <= q * q && condition.largest < q * q && condition::papers(condition.log_r, q, 2));
    }
    // Beyond: q³ is not, by a factor that grows with the stages.
    assert!(condition::derive(1024, 12289, 3).unwrap().offsets[2] > 7 * 12289_u64.pow(3));
    assert_eq!(condition::derive(1024, 12289, 5), None);
    assert_eq!(condition::derive(4, 17, 0), None);
}

#[test]
fn what_does_not_fit_is_refused() {
    assert!(Tables::proved(256, 3329, 1).is_none() && Tables::proved(12, 12289, 1).is_none());
    assert!(Tables::as_printed(1, 5, 1, 8).is_none() && Tables::as_printed(4, 17, 0, 8).is_none());
    assert!(Tables::as_printed(4, 17, 1, 4).is_none() && Tables::as_printed(4, 17, 1, 64).is_none());
}

/// C9: the paper's words give what 128 bits give, wherever R·q fits them, and are refused
/// elsewhere.
#[test]
fn the_papers_words_suffice() {
    fn check<const Q: u64, const LOG_R: u32>(t: usize, lengths: std::ops::RangeInclusive<u32>) {
        for n in lengths.map(|k| 1 << k) {
            let (narrow, wide) =
                (Tables::<Narrow<Q, LOG_R>>::in_words(n, t).unwrap(), Tables::proved(n, Q, t).unwrap());
            let mut random = Random(n as u64);
            for mut f in [vec![Q - 1; n], worst_for_sm(n, Q), worst_for_ssm(n, Q), random.poly(n, Q)] {
                let expected = transformed(lazy, &f, &wide);
                let mut again = f.clone();
                lazy(&mut again, &narrow);
                let counts = match t {
                    1 => ntt(&mut f, &narrow),
                    2 => sm(&mut f, &narrow),
                    _ => ssm(&mut f, &narrow),
                };
                assert_eq!((&f, &again), (&expected, &expected), "n {n}, q {Q}, t {t}");
                assert_eq!(counts.montgomery + counts.standard, n / 2 * n.trailing_zeros() as usize);
            }
        }
    }
    check::<12289, 16>(1, 6..=10);
    check::<12289, 31>(2, 6..=10);
    check::<12289, 47>(3, 6..=10);
    check::<3329, 16>(1, 5..=7);
    check::<3329, 26>(2, 5..=7);
    check::<3329, 40>(3, 5..=7);
    assert!(Tables::<Narrow<12289, 30>>::in_words(1024, 2).is_none(), "the condition asks for 2^31");
    assert!(Tables::<Narrow<12289, 51>>::in_words(64, 1).is_none(), "R·q needs 65 bits");
    let narrow = Narrow::<12289, 47>::new().unwrap();
    let wide = Wide::new(12289, 47).unwrap();
    let mut random = Random(3);
    for a in random.poly(1000, 1 << 47) {
        let b = random.below(12289);
        assert_eq!(narrow.product(a, b), wide.product(a, b));
    }
}

/// C9: Falcon's loop is the same transform.
#[test]
fn falcons_words() {
    fn check<const Q: u32>(n: usize) {
        let tables = falcon::Tables::<Q>::new(n).unwrap();
        for f in [vec![u64::from(Q) - 1; n], Random(n as u64).poly(n, Q.into())] {
            let mut words: Vec<u16> = f.iter().map(|&x| x as u16).collect();
            falcon::ntt(&mut words, &tables);
            assert_eq!(words.iter().map(|&x| x.into()).collect::<Vec<u64>>(), definition(&f, Q.into()), "n {n}, q {Q}");
        }
    }
    [2, 64, 512, 1024].into_iter().for_each(check::<12289>);
    [32, 64, 128].into_iter().for_each(check::<3329>);
    assert!(falcon::Tables::<12289>::new(12).is_none() && falcon::Tables::<3329>::new(256).is_none());
    assert!(falcon::Tables::<40961>::new(64).is_none(), "products need 32 bits");
}
