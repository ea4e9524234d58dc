//! Products modulo numbers without roots, prime or not, by residue channels.

use reference::ntt as textbook;
use ringwork_ntt::{Backend, Decision, Plan, PlanError, Request, Ring, SignedWord as Word};

fn textbook_ring(ring: Ring) -> textbook::Ring {
    textbook::Ring::named(ring.name()).expect("a ring of the textbook")
}

/// What is largest in any coefficient, of either sign, then what is not.
fn inputs(n: usize, q: u64) -> Vec<Vec<i64>> {
    let (q, half) = (q as i64, q as i64 / 2);
    let mut state = 1_u64;
    let mut random = |bound: i64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(state) * bound as u128) >> 64) as i64
    };
    vec![
        vec![half; n],
        vec![-half; n],
        (0..n).map(|i| if i < n / 2 { half } else { -half }).collect(),
        vec![q - 1; n],
        vec![1 - q; n],
        (0..n).map(|i| i64::from(i + 1 == n)).collect(),
        (0..n).map(|_| random(2 * q - 1) - (q - 1)).collect(),
        (0..n).map(|_| random(q)).collect(),
    ]
}

fn residues(a: &[i64], q: u64) -> Vec<u64> {
    a.iter().map(|&x| x.rem_euclid(q as i64) as u64).collect()
}

fn words<T: Word>(a: &[i64]) -> Vec<T> {
    a.iter().map(|&x| T::from_i64(x)).collect()
}

fn canonical<T: Word>(a: &[T]) -> Vec<u64> {
    a.iter().map(|&x| u64::try_from(x.into()).expect("canonical")).collect()
}

/// Every product of two inputs, and every input there and back.
fn check<T: Word>(plan: &Plan<T>) {
    let (n, q, ring) = (plan.n(), plan.q(), plan.ring());
    let context = format!("n {n} q {q} {ring} {} bits, {:?}", T::BITS, plan.crt_recipe().map(|e| e.channels().len()));
    let inputs = inputs(n, q);
    for (i, a) in inputs.iter().enumerate() {
        let mut x = vec![T::default(); plan.ntt_len()];
        x[..n].copy_from_slice(&words(a));
        plan.forward(&mut x);
        plan.inverse(&mut x);
        assert_eq!(canonical(&x[..n]), residues(a, q), "{context}: input {i} there and back");
        assert!(x[n..].iter().all(|x| *x == T::default()), "{context}: nothing is left behind");
        for (j, b) in inputs.iter().enumerate().filter(|(j, _)| n <= 20 || (i + j) % 7 == 0) {
            let expected = textbook_ring(ring).product(&residues(a, q), &residues(b, q), q);
            let mut c = vec![T::from_i64(1); n]; // dirty
            plan.multiply(&mut c, &words(a), &words(b));
            assert_eq!(canonical(&c), expected, "{context}: product of inputs {i} and {j}");
        }
    }
}

/// Checks what is exact and has a plan; how many those were.
fn sweep<T: Word>(degrees: &[usize], moduli: &[u64]) -> usize {
    let backends = || Backend::available().filter(|b| *b == Backend::Scalar || b.lanes(T::BITS) > 1);
    let mut exact = 0;
    for &n in degrees {
        for ring in Ring::ALL.into_iter().filter(|ring| *ring != Ring::Trinomial || n % 2 == 0) {
            for &q in moduli {
                for backend in backends() {
                    match Plan::<T>::with(&Request::new(n, q).ring(ring).backend(backend)) {
                        Ok(plan) => {
                            exact += usize::from(plan.crt_recipe().is_some());
                            check(&plan);
                        }
                        Err(PlanError::Backend { .. }) => {}
                        Err(e) => panic!("n {n} q {q} {ring} {backend}: {e}"),
                    }
                }
            }
        }
    }
    exact
}

const DEGREES: [usize; 14] = [2, 3, 4, 5, 6, 10, 17, 24, 30, 48, 61, 64, 96, 100];

#[test]
fn in_16_bit_words() {
    let exact = sweep::<i16>(&DEGREES, &[6, 8, 13, 64, 100, 2048, 4095, 4591, 8192, 16383]);
    assert!(exact > 300, "{exact}");
}

#[test]
fn in_32_bit_words() {
    let moduli = [6, 9, 256, 4591, 1 << 20, 8380418, (1 << 30) - 35, (1 << 30) - 1, 3 << 28];
    let exact = sweep::<i32>(&DEGREES, &moduli);
    assert!(exact > 300, "{exact}");
}

#[test]
fn in_64_bit_words() {
    let moduli = [10, 4591, 1 << 32, 4294967197, (1 << 61) - 1, 3 << 60, (1 << 62) - 2];
    let exact = sweep::<i64>(&DEGREES[..12], &moduli);
    assert!(exact > 150, "{exact}");
}

/// Sets of NTRU and NTRU Prime (degree and modulus), of commitments, of learning with rounding.
#[test]
fn known_sets() {
    for (n, q, ring) in [
        (509, 2048, Ring::Cyclic),
        (677, 2048, Ring::Cyclic),
        (701, 8192, Ring::Cyclic),
        (821, 4096, Ring::Cyclic),
        (761, 4591, Ring::Cyclic),
        (256, 8192, Ring::Negacyclic),
        (1024, 12277, Ring::Negacyclic), // 5 modulo 8
    ] {
        let request = Request::new(n, q).ring(ring);
        let [narrow, wide] =
            [Plan::<i16>::with(&request).map(|p| check(&p)), Plan::<i32>::with(&request).map(|p| check(&p))];
        assert_eq!((narrow, wide), (Ok(()), Ok(())), "n {n} q {q}");
    }
}

/// A prime less, and the largest coefficients are wrong.
#[test]
fn no_prime_can_be_left_out() {
    for (n, q) in [(64, 8192), (256, 4096), (1024, 12277)] {
        let Ok(Decision::Crt(exact)) = Request::new(n, q).decide(16) else { panic!("n {n} q {q}") };
        let fewer = exact.with_unproved_channels(exact.channels()[1..].to_vec());
        let [right, wrong] = [exact, fewer].map(|exact| {
            let plan = Plan::<i16>::from_decision(Decision::Crt(exact));
            let mut c = vec![0; n];
            let half = vec![q as i16 / 2; n];
            plan.multiply(&mut c, &half, &half);
            c
        });
        let half = vec![q / 2; n];
        assert_eq!(canonical(&right), textbook::Ring::Negacyclic.product(&half, &half, q));
        assert_ne!(right, wrong, "n {n} q {q}");
    }
}

/// Whoever asks for depth, method or root wants transforms modulo `q` itself.
#[test]
fn what_is_direct() {
    let exact = |request: Request, bits| request.decide(bits).map(|d| matches!(d, Decision::Crt(_)));
    let many_roots = Request::new(1024, 12289);
    assert_eq!(exact(many_roots, 16), Ok(false));
    let few_roots = Request::new(1024, 12277);
    assert_eq!((exact(few_roots, 16), exact(few_roots.depth(1), 16)), (Ok(true), Ok(false)));
    let composite = Request::new(256, 4095);
    assert_eq!(exact(composite, 16), Ok(true));
    let refusal = composite.depth(3).decide(16).unwrap_err().to_string();
    assert_eq!(refusal, "q = 4095 = 3 · 1365 is not prime; the nearest prime is 4093");
}

#[test]
fn refusals_teach() {
    let refusal = |n, q, bits| Request::new(n, q).decide(bits).unwrap_err().to_string();
    assert_eq!(
        refusal(64, 4, 16),
        "q = 4 is too small; take a modulus from 5 on, or for products 16, and reduce them modulo 4"
    );
    assert_eq!(
        refusal(64, 1 << 15, 16),
        "16-bit words are too narrow for products of n = 64 modulo q = 32768 by residue channels; take 32-bit words"
    );
    assert!(refusal(64, 1 << 31, 32).ends_with("take 64-bit words"));
    assert!(refusal(64, 1 << 62, 64).ends_with("take a modulus below 2^62"));
    assert_eq!(refusal(0, 4096, 16), "n = 0 is not a degree from 1 to 1073741824");
}

#[test]
#[should_panic(expected = "a transformed polynomial of this plan has 192 words, this one has 64")]
fn wrong_lengths_panic_with_both_numbers() {
    Plan::<i16>::new(64, 8192).unwrap().forward(&mut [0; 64]);
}
