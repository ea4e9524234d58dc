//! Plans: what is decided, what is refused and how, and what it costs.

use ringwork_ntt::{
    Backend, Method, Plan, PlanError, Request, Ring, Word,
    internals::{
        Transform,
        model::Ranges,
        network::{Forward, Program, Step},
    },
};

/// `2^61 - 2^21 + 1`.
const WIDE: u64 = (1 << 61) - (1 << 21) + 1;

fn refusal(request: Request, bits: u32) -> String {
    request.recipe(bits).unwrap_err().to_string()
}

#[test]
fn refusals_teach() {
    for (request, bits, expected) in [
        (
            Request::new(4096, 12289).depth(12),
            16,
            "q = 12289 has no primitive 8192th root of unity, which depth 12 of the negacyclic ring needs; n = 4096 \
             works with depth 11 and slots of degree 2, or take q = 40961",
        ),
        (Request::new(0, 12289), 16, "n = 0 is not a degree from 1 to 1073741824"),
        (Request::new(1 << 31, 12289), 16, "n = 2147483648 is not a degree from 1 to 1073741824"),
        (
            Request::new(769, 7681).ring(Ring::Trinomial),
            16,
            "n = 769 is odd, and the trinomial ring has an even degree; the nearest are 768 and 770",
        ),
        (
            Request::new(768, 3329).ring(Ring::Trinomial),
            16,
            "q = 3329 has no primitive 6th root of unity, which depth 1 of the trinomial ring needs; take q = 3331",
        ),
        (
            Request::new(768, 7681).ring(Ring::Trinomial).depth(0),
            16,
            "depth 0 is too small for the trinomial ring; take depth 1 to 8",
        ),
        (Request::new(1000, 12289).depth(4), 16, "depth 4 is more than the 3 layers that n = 1000 has"),
        (
            Request::new(1 << 22, 257),
            16,
            "slots of degree 32768 are larger than 4096; take q = 12289, which has the roots for depth 10",
        ),
        (
            Request::new(10007, 12289),
            16,
            "slots of degree 10007 are larger than 4096; take a degree with more factors of two",
        ),
        (Request::new(256, 4096), 16, "q = 4096 is not an odd prime; try 257, 3329, 7681 or 12289"),
        (Request::new(256, 12287), 16, "q = 12287 = 11 · 1117 is not prime; the nearest prime is 12289"),
        (Request::new(256, 1), 16, "q = 1 is not an odd prime; try 257, 3329, 7681 or 12289"),
        (Request::new(64, 12289).depth(7), 16, "depth 7 is more than the 6 layers that n = 64 has"),
        (Request::new(256, 8380417), 16, "montgomery does not apply to q = 8380417 in 16-bit words; take 32-bit words"),
        (
            Request::new(64, 2147473409).method(Method::Montgomery),
            32,
            "montgomery cannot keep n = 64, q = 2147473409 inside 32-bit words: a sum in layer 0 could be \
             ±2684339205; take 64-bit words, or a prime below 2^30 in 32-bit words",
        ),
        (Request::new(256, 3), 64, "montgomery does not apply to q = 3 in 64-bit words; take a prime from 5 on"),
        (
            Request::new(64, 1 << 62 | 1),
            64,
            "q = 4611686018427387905 = 5 · 922337203685477581 is not prime; the nearest prime is 4611686018427387847",
        ),
        (
            Request::new(64, WIDE).depth(6).method(Method::KRed2x),
            64,
            "k-red-2x does not apply to q = 2305843009211596801 in 64-bit words; take montgomery",
        ),
        (
            Request::new(1024, 12289).root(2),
            16,
            "2 is not a primitive 2048th root of unity modulo 12289; the smallest one is 7",
        ),
        (
            Request::new(16, 12289).backend(Backend::Array256),
            16,
            "array256 needs n ≥ 64 and slots of degree ≤ 8; n = 16 with slots of degree 1 runs on the scalar backend",
        ),
        (
            Request::new(48, 12289).thirds(1).backend(Backend::Array256),
            16,
            "array256 needs n = 3·2^k ≥ 192 and slots of degree ≤ 8; n = 48 with slots of degree 1 runs on the scalar backend",
        ),
        (
            Request::new(48, 12289).thirds(0).backend(Backend::Array256),
            16,
            "array256 needs n ≥ 96 and slots of degree ≤ 6; n = 48 with slots of degree 3 runs on the scalar backend",
        ),
        (
            Request::new(864, 3457).ring(Ring::Trinomial).thirds(0).backend(Backend::Array256),
            16,
            "array256 needs slots whose degree is 2^k or 3·2^k; n = 864 with slots of degree 27 runs on the scalar backend",
        ),
        (
            Request::new(864, 3457).ring(Ring::Trinomial).thirds(4),
            16,
            "4 layers in thirds are more than n = 864 has; take 2 of them",
        ),
        (
            Request::new(864, 3457).ring(Ring::Trinomial).thirds(3),
            16,
            "q = 3457 has no roots of unity for 3 layers in thirds of the trinomial ring; take 2 of them",
        ),
        (
            Request::new(48, 12289).depth(0).thirds(1),
            16,
            "layers in thirds come after a layer that splits in two; take 0 of them",
        ),
    ] {
        assert_eq!(refusal(request, bits), expected);
    }
}

/// Every width of words has its own backends and its own limit.
#[test]
fn words_of_64_bits() {
    for backend in Backend::available() {
        let lanes = backend.lanes(64);
        assert_eq!(lanes > 1, backend.lanes(16) > 4);
        let planned = Request::new(1024, WIDE).backend(backend).recipe(64);
        match planned {
            Ok(recipe) => assert_eq!((recipe.backend(), recipe.lanes()), (backend, lanes)),
            Err(e) => assert_eq!(
                e.to_string(),
                format!("{backend} has no vectors of 64-bit words; they run on the scalar backend")
            ),
        }
    }
    // Where there is no room for sums of what a truncated quotient leaves, single words are faster.
    let recipe = Request::new(1024, 4611686018427365377).recipe(64).unwrap();
    assert_eq!((recipe.backend(), recipe.method()), (Backend::Scalar, Method::Montgomery));
    let of_52 = |method| if Backend::best().multiplies_52() { method } else { Method::Truncated };
    for (q, method) in [
        (1152921504606830593, Method::Truncated),
        (4503599627366401, of_52(Method::IfmaStrict)),
        (2251799813640193, of_52(Method::Ifma)),
        (562949953392641, Method::Double),
    ] {
        let recipe = Request::new(1024, q).recipe(64).unwrap();
        assert_eq!(recipe.backend(), Backend::best(), "{q}");
        assert!(recipe.backend() == Backend::Scalar || recipe.method() == method, "{q}: {}", recipe.method());
    }
    assert_eq!(recipe.certificate().word().lo, i64::MIN.into());
}

/// The fewest reductions that a prime leaves room for.
#[test]
fn methods_of_32_bits() {
    for backend in Backend::machines().filter(|backend| backend.lanes(32) > 1) {
        for (q, method) in [
            (8380417, Method::Shoup),
            (998244353, Method::Harvey),
            (1073479681, Method::Harvey),
            (2013265921, Method::Strict),
            (4293918721, Method::Unsigned),
        ] {
            let recipe = Request::new(1024, q).backend(backend).recipe(32).unwrap();
            assert_eq!(recipe.method(), method, "{q} on {backend}");
        }
    }
}

#[test]
fn what_a_refusal_names_works() {
    let Err(PlanError::NoRoot { n, max, prime, .. }) = Request::new(4096, 12289).depth(12).recipe(32) else { panic!() };
    assert!(Request::new(n, 12289).depth(max).recipe(32).is_ok());
    assert!(Request::new(n, prime.unwrap()).depth(12).recipe(32).is_ok());
    // A modulus far above the word: the nearest prime that the word can take.
    for bits in [32, 64] {
        let Err(PlanError::NoRoot { prime, .. }) = Request::new(1 << 16, (1 << 62) - 57).depth(16).recipe(bits) else {
            panic!()
        };
        assert!(Request::new(1 << 16, prime.unwrap()).depth(16).recipe(bits).is_ok());
    }
}

/// Whoever does what refusals say has a plan after three of them at most.
#[test]
fn advice_leads_to_a_plan() {
    let large = [2147473409, (1 << 32) - (1 << 20) + 1, WIDE, (1 << 61) - 1, (1 << 62) - 57];
    for q in [5, 7, 257, 12289, 32257, 65537, 8380417, 1073479681, 2147483647].into_iter().chain(large) {
        for (method, bits) in Method::ALL.into_iter().flat_map(|m| [16, 32, 64].map(|bits| (m, bits))) {
            let (mut request, mut bits) = (Request::new(16, q).method(method), bits);
            let mut refusals = Vec::new();
            while let Err(e) = request.recipe(bits) {
                refusals.push(e.to_string());
                match e.to_string() {
                    e if e.contains("take 32-bit words") => bits = 32,
                    e if e.contains("take 64-bit words") => bits = 64,
                    e if e.contains("take montgomery") => request = request.method(Method::Montgomery),
                    e => panic!("{e}"),
                }
                assert!(refusals.len() <= 3, "{refusals:?}");
            }
        }
    }
}

#[test]
fn the_schedule_of_1024_and_12289() {
    let recipe = Request::new(1024, 12289).method(Method::Montgomery).backend(Backend::Array256).recipe(16).unwrap();
    let reduced: Vec<usize> = (0..10).filter(|&l| recipe.schedules().forward()[l] != Step::Plain).collect();
    assert_eq!(reduced, [2, 5, 8], "the add side is reduced at three of ten layers");
    let certificate = &recipe.certificate();
    assert!(certificate.forward().iter().chain(certificate.inverse()).all(|r| certificate.word().holds(*r)));
    assert!(certificate.slots().magnitude() < 12289 && certificate.output().magnitude() < 12289);
}

/// One reduction less, anywhere, and some lane could overflow: the schedule is as lazy as this
/// search can make it.
#[test]
fn no_forward_reduction_can_be_left_out() {
    let recipe = Request::new(1024, 12289).backend(Backend::Array256).recipe(16).unwrap();
    for layer in (0..10).filter(|&l| recipe.schedules().forward()[l] != Step::Plain) {
        let mut steps = recipe.schedules().forward().to_vec();
        steps[layer] = Step::Plain;
        let mut proof = Ranges::new(16, recipe.contract(), 10);
        let mut data = vec![recipe.certificate().input(); 64];
        let program = Program::new(recipe.passes(), &steps);
        proof.run(Forward { program }, [&mut data], []).unwrap();
        assert!(proof.violation.is_some(), "layer {layer}");
    }
}

#[test]
fn counts_are_the_formulas() {
    for (n, q, depth) in [(256, 3329, 7), (1024, 12289, 10), (512, 12289, 9), (64, 257, 6)] {
        for backend in [Backend::Scalar, Backend::Array256] {
            let plan = Transform::<i16>::with(&Request::new(n, q).depth(depth).backend(backend)).unwrap();
            let [forward, slots, inverse] = plan.counts();
            let (lanes, degree) = (forward.lanes as u64, (n >> depth) as u64);
            let butterflies = u64::from(depth) * n as u64 / 2;
            assert_eq!(forward.products * lanes, butterflies);
            assert_eq!(forward.additions * lanes, 2 * butterflies);
            assert_eq!(inverse.products * lanes, butterflies + n as u64 / 2, "the last layer scales its sums");
            assert_eq!(slots.variable_products * lanes, n as u64 * degree);
        }
    }
}

#[test]
fn every_slot_is_somewhere() {
    for ring in [Ring::Negacyclic, Ring::Cyclic] {
        for (n, depth) in [(1024, 10), (256, 7), (256, 5), (64, 3)] {
            for backend in Backend::available() {
                let request = Request::new(n, 12289).ring(ring).depth(depth).backend(backend);
                let Ok(plan) = Transform::<i16>::with(&request) else { continue };
                let mut order = plan.canonical_order();
                order.sort_unstable();
                assert!(order.into_iter().eq(0..n));
            }
        }
    }
}

#[test]
fn a_chosen_root_is_used() {
    let plan = Transform::<i16>::with(&Request::new(1024, 12289).root(12282)).unwrap();
    let mut x = vec![0_i16; 1024];
    x[1] = 1; // X itself: slot i holds root^(2i+1)
    plan.forward(&mut x);
    plan.canonical(&mut x);
    let order = plan.canonical_order();
    let first = order.iter().position(|&index| index == 0).unwrap();
    assert_eq!(x[first], 12282);
}

#[test]
#[should_panic(expected = "a polynomial of degree 1024 has 1024 coefficients, this one has 1000")]
fn wrong_lengths_panic_with_both_numbers() {
    Transform::<i16>::new(1024, 12289).unwrap().forward(&mut [0; 1000]);
}

/// What is written down for registered rings is what the search finds.
#[test]
fn registered_rings_take_their_own_shells() {
    let Some(machine) = Backend::available().into_iter().find(|b| !b.is_array() && b.lanes(16) == 16) else { return };
    for (n, q, ring) in [(1024, 12289, Ring::Negacyclic), (256, 3329, Ring::Negacyclic), (768, 7681, Ring::Trinomial)] {
        let request = Request::new(n, q).ring(ring);
        for request in [request, request.lazy()] {
            let recipe = request.backend(machine).recipe(16).unwrap();
            assert!(recipe.is_compiled_ring(), "{:?} {:?}", recipe.passes(), recipe.schedules());
        }
    }
    for machine in Backend::available().filter(|b| !b.is_array() && b.lanes(32) >= 8) {
        let request = Request::new(256, 8_380_417).backend(machine).method(Method::Shoup);
        for request in [request, request.lazy()] {
            assert!(request.recipe(32).unwrap().is_compiled_ring(), "{machine}");
        }
    }
    let scalar = Request::new(1024, 12289).backend(Backend::Scalar).method(Method::KRed);
    assert!(scalar.recipe(32).unwrap().is_compiled_ring());
    assert!(!Request::new(512, 12289).backend(machine).recipe(16).unwrap().is_compiled_ring());
}

/// Without a wish the planner takes the cheapest method that leaves the slots as they are.
#[test]
fn the_planner_takes_the_cheapest() {
    for (n, q, bits, lazy) in [(1024, 12289, 16, true), (1024, 12289, 32, true), (256, 8380417, 32, false)] {
        for backend in [Backend::Scalar, Backend::Array256] {
            let request = Request::new(n, q).backend(backend);
            let request = if lazy { request.lazy() } else { request };
            let chosen = request.recipe(bits).unwrap();
            let candidates = request.candidates(bits).unwrap();
            assert_eq!(candidates.len(), Method::ALL.len());
            for (method, outcome) in candidates {
                let Ok(other) = outcome else { continue };
                let slower = other.estimated_cycles() >= chosen.estimated_cycles();
                assert!(other.leaves_factor() || slower, "{method}");
            }
            assert!(!chosen.leaves_factor());
        }
    }
}

/// Modulo `X + 1` and `X - 1` polynomials are numbers.
#[test]
fn polynomials_of_one_coefficient_are_numbers() {
    fn multiplies<T: Word>(q: u64) {
        for ring in [Ring::Negacyclic, Ring::Cyclic] {
            let plan = Plan::<T>::with(&Request::new(1, q).ring(ring)).unwrap();
            for [a, b] in [[0, 1], [q - 1, q - 1], [q / 2, 3], [2, q - 2]] {
                let [a_word, b_word] = [a, b].map(|x| T::from_i64(x as i64));
                let mut c = [T::default()];
                plan.multiply(&mut c, &[a_word], &[b_word]);
                assert_eq!(
                    c,
                    [T::from_i64((u128::from(a) * u128::from(b) % u128::from(q)) as i64)],
                    "{a}·{b} modulo {q}"
                );
                let mut words = vec![T::default(); plan.ntt_len()];
                words[0] = a_word;
                plan.forward(&mut words);
                plan.inverse(&mut words);
                assert_eq!(words[0], a_word, "modulo {q}");
            }
        }
    }
    multiplies::<i16>(3329);
    multiplies::<u16>(4096);
    multiplies::<i32>(1_000_000_007);
    multiplies::<u32>(1_000_000_000);
    multiplies::<i64>((1 << 61) - 1);
    multiplies::<u64>(1 << 60);
}
