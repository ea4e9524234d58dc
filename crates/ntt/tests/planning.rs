//! Planning: what it takes, that its shortcuts change nothing, and that no plan is slower than its
//! neighbour. Nothing here looks at a clock.

use ringwork_ntt::{
    Backend, Decision, Direction, Interval, Method, PlanError, PreReduction, Recipe, Request, Ring, SlotOrder,
    arith::{is_prime, nearest_prime},
    internals::{
        model::{Counter, Ranges},
        network::{Border, Forward, Inverse, Pointwise, Program},
        reduction::Contract,
    },
};

/// Rings with few roots and with many, of degrees of every kind.
fn rings() -> Vec<(Request, u32)> {
    let mut all = Vec::new();
    for (n, q, bits) in [
        (16, 12289, 16),
        (64, 257, 16),
        (128, 12289, 16),
        (256, 3329, 16),
        (512, 7681, 16),
        (1024, 12289, 16),
        (2048, 12289, 16),
        (4096, 12289, 16),
        (1024, 3329, 32),
        (256, 8380417, 32),
        (1024, 998244353, 32),
        (4096, 8380417, 32),
        (2048, 1073479681, 32),
        (1024, (1 << 61) - (1 << 21) + 1, 64),
        (1000, 12289, 32),
        (768, 7681, 16),
        (96, 12289, 16),
        (1536, 12289, 32),
        (864, 12289, 16),
        (12, 13, 16),
        (2, 5, 16),
    ] {
        for ring in Ring::ALL {
            all.push((Request::new(n, q).ring(ring), bits));
        }
    }
    all
}

fn recipes() -> impl Iterator<Item = Recipe> {
    let of_ring = |(request, bits): (Request, u32)| {
        let deepest = request.recipe(bits).ok().map_or(0, |recipe| recipe.depth());
        let shapes = [deepest, deepest.saturating_sub(1), deepest.saturating_sub(3)].into_iter();
        let backends: Vec<_> = Backend::available().map(Some).chain([None]).collect();
        let requests = shapes.flat_map(move |depth| {
            let request = request.depth(depth);
            let on = backends.clone().into_iter().map(move |backend| backend.map_or(request, |b| request.backend(b)));
            on.flat_map(|request| [request, request.lazy()])
        });
        requests.collect::<Vec<_>>().into_iter().flat_map(move |request| {
            let candidates = request.candidates(bits).unwrap_or_default();
            candidates.into_iter().filter_map(|(_, outcome)| outcome.ok())
        })
    };
    rings().into_iter().flat_map(of_ring)
}

/// The ranges of all layers and of the output, by running the whole network.
fn whole(recipe: &Recipe, direction: Direction, input: Interval) -> (Vec<Interval>, Interval) {
    let mut proof = Ranges::new(recipe.lanes(), recipe.contract(), recipe.depth() as usize);
    let mut data = vec![input; recipe.n() / recipe.lanes()];
    let steps = recipe.schedules().steps(direction);
    let program = Program::new(recipe.passes(), steps);
    match direction {
        Direction::Forward => proof.run(Forward { program }, [&mut data], []),
        Direction::Inverse => proof.run(Inverse { program }, [&mut data], []),
    }
    .unwrap();
    assert_eq!(proof.violation, None, "{recipe:?}");
    let layers = proof.layers.iter().map(|layer| layer.unwrap()).collect();
    (layers, data.into_iter().reduce(Interval::union).unwrap())
}

/// U3: certificates are made from single groups, and are those of the whole network: the same where
/// ranges are symmetric, and never smaller.
#[test]
fn certificates_are_those_of_the_whole_network() {
    let (mut equal, mut wider) = (0, 0);
    for recipe in recipes() {
        let certificate = recipe.certificate();
        let (forward, slots) = whole(&recipe, Direction::Forward, certificate.input());
        let (inverse, output) = whole(&recipe, Direction::Inverse, certificate.inverse_input());
        if !recipe.schedules().reduce_slots() {
            assert!(certificate.slots().holds(slots));
        }
        let proved = [certificate.forward(), certificate.inverse(), &[certificate.output()]].concat();
        let run = [forward, inverse, vec![output]].concat();
        let same = proved == run;
        assert!(proved.iter().zip(&run).all(|(proved, run)| proved.holds(*run)), "{recipe:?}");
        let symmetric = matches!(recipe.method(), Method::Montgomery | Method::Barrett | Method::Plantard);
        assert!(same || !symmetric, "{recipe:?}");
        if same { equal += 1 } else { wider += 1 }
    }
    assert!(equal > 500 && wider * 20 < equal, "{equal} equal, {wider} wider");
}

/// U3: counts are made from single groups, and are those of the whole network.
#[test]
fn counts_are_those_of_the_whole_network() {
    for recipe in recipes() {
        let (lanes, schedules) = (recipe.lanes(), recipe.schedules());
        let vectors = recipe.n() / lanes;
        let [mut forward, mut products, mut inverse] = [(); 3].map(|()| Counter::new(lanes));
        let border = Border { reduce: schedules.reduce_slots(), ..Border::default() };
        let program = Program { border, ..Program::new(recipe.passes(), schedules.forward()) };
        forward.run(Forward { program }, [vectors, 0]).unwrap();
        let (step, degree) = (schedules.transformed(), recipe.slot_degree());
        products.adds_up_wide = step.wide;
        products.run(Pointwise { step, degree }, [vectors; 2]).unwrap();
        let border = Border { reduce: schedules.before_inverse() == PreReduction::All, ..Border::default() };
        let program = Program { border, ..Program::new(recipe.passes(), schedules.inverse()) };
        inverse.run(Inverse { program }, [vectors, 0]).unwrap();
        assert_eq!(recipe.counts(), [forward, products, inverse].map(|counter| counter.count), "{recipe:?}");
    }
}

/// Pointwise products of large degrees, term by term as the network has them.
#[test]
fn products_of_long_slots_are_those_of_every_term() {
    for (n, q, bits) in [(64, 3331, 16), (200, 12289, 16), (128, 8380417, 32), (300, 1073741827, 32)] {
        let recipe = Request::new(n, q).depth(0).recipe(bits).unwrap();
        let (contract, step) = (recipe.contract(), recipe.schedules().slots());
        let given = recipe.certificate().slots().union(recipe.certificate().input());
        let given = if step.operands { contract.reduce_range(given).unwrap() } else { given };
        let product = contract.mul_var_range(given, given).unwrap();
        let sum = |terms: usize| (1..terms).fold(product, |total, _| added(&contract, total, product, step.sums));
        let coefficient = |j: usize| match n - 1 - j {
            0 => sum(n),
            above => contract.add_range(sum(j + 1), contract.mul_range(sum(above)).unwrap()).unwrap(),
        };
        let all = (0..n).map(coefficient).reduce(Interval::union).unwrap();
        assert_eq!(recipe.certificate().products(), all, "{n} {q}");
    }
}

fn added(contract: &Contract, total: Interval, product: Interval, reduced: bool) -> Interval {
    let sum = contract.add_range(total, product).unwrap();
    if reduced { contract.reduce_range(sum).unwrap() } else { sum }
}

fn cycles(request: Request) -> f64 {
    request.decide_any().unwrap_or_else(|e| panic!("{request:?}: {e}")).estimated_cycles() as f64
}

fn kind(decision: &Decision) -> (u32, bool, usize) {
    match decision {
        Decision::Direct(recipe) => (recipe.bits(), false, recipe.slot_degree()),
        Decision::Crt(recipe) => (recipe.bits(), true, recipe.channels().len()),
    }
}

/// U1, U2: rings whose plans were far behind the best, and what is right.
#[test]
fn large_slots_give_way_to_residue_channels() {
    for (n, q) in [(2048, 3329), (1024, 1073741827), (32768, 12289), (8192, 7681), (65536, 12289)] {
        let request = Request::new(n, q);
        let decision = request.decide_any().unwrap();
        assert!(matches!(decision, Decision::Crt(_)), "{n} {q}: {:?}", kind(&decision));
        for bits in [16, 32, 64] {
            let Ok(direct) = request.recipe(bits) else { continue };
            assert!(direct.estimated_cycles() > decision.estimated_cycles(), "{n} {q} in {bits} bits");
        }
    }
    for (n, q, bits) in [(1024, 12289, 16), (256, 3329, 16), (256, 8380417, 32)] {
        let decision = Request::new(n, q).decide_any().unwrap();
        assert!(matches!(&decision, Decision::Direct(recipe) if recipe.bits() == bits), "{n} {q}");
    }
}

/// U2: nothing that can be asked for is estimated to be faster than what is taken unasked, save
/// what a shallower transform saves within a tenth.
#[test]
fn nothing_asked_for_is_faster() {
    for (n, q) in [
        (16, 12289),
        (256, 3329),
        (1024, 12289),
        (2048, 3329),
        (1024, 8380417),
        (1024, 4096),
        (768, 7681),
        (700, 4591),
        (4096, 12289),
        (512, (1 << 61) - (1 << 21) + 1),
        (1024, 1073741827),
        (8192, 40961),
        (64, 5),
    ] {
        for ring in Ring::ALL {
            let request = Request::new(n, q).ring(ring);
            let Ok(chosen) = request.decide_any() else { continue };
            let chosen = chosen.estimated_cycles() as f64;
            for bits in [16, 32, 64] {
                if let Ok(other) = request.decide(bits) {
                    assert!(chosen <= other.estimated_cycles() as f64, "{n} {q} {ring} in {bits} bits");
                }
                if let Ok(deepest) = request.recipe(bits) {
                    assert!(chosen <= deepest.estimated_cycles() as f64, "{n} {q} {ring} in {bits} bits, direct");
                }
                for depth in 0..=12 {
                    let Ok(other) = request.depth(depth).recipe(bits) else { continue };
                    assert!(chosen <= 1.1 * other.estimated_cycles() as f64, "{n} {q} {ring}, depth {depth}");
                }
            }
        }
    }
}

/// U2: the next modulus of the same shape, prime or not, is not much slower, and none is slower
/// than an arbitrary one of its size.
#[test]
fn a_modulus_costs_what_its_neighbour_costs() {
    for n in [64, 256, 761, 1024, 4096, 16384] {
        for bits in [10, 13, 14, 20, 28, 30, 31, 45, 60] {
            let order = 2 * (n as u64).next_power_of_two();
            let from = (1_u64 << bits) - (1 << (bits - 3));
            // Any modulus: even numbers have no transform of their own.
            let any = [from, from + 2, from + 4].map(|q| cycles(Request::new(n, q)));
            assert!(any[1] <= 1.3 * any[0] && any[0] <= 1.3 * any[1] && any[2] <= 1.3 * any[0], "{n}, {bits} bits");
            // Primes without roots.
            let prime = (from..).find(|&q| q % 4 == 3 && is_prime(q)).unwrap();
            let of_prime = cycles(Request::new(n, prime));
            assert!(of_prime <= 1.05 * cycles(Request::new(n, prime + 1)), "{n} {prime}");
            // Two primes with all roots.
            let Some(first) = nearest_prime(from, order, 1 << bits) else { continue };
            if first > 1 << (bits - 1) {
                let with_roots = cycles(Request::new(n, first));
                assert!(with_roots <= 1.05 * cycles(Request::new(n, first - 1)), "{n} {first}");
                let second = nearest_prime(first - order, order, first).filter(|q| *q > 1 << (bits - 1));
                if let Some(second) = second {
                    let ratio = with_roots / cycles(Request::new(n, second));
                    assert!((1.0 / 1.3..=1.3).contains(&ratio), "{n}: {first} and {second}: {ratio}");
                }
            }
        }
    }
}

/// U2: degrees that go by channels of one length cost alike.
#[test]
fn a_degree_costs_what_its_neighbour_costs() {
    for q in [4591, 12289, 1 << 29, (1 << 50) + 1] {
        for n in [653, 761, 1277] {
            let (one, next) = (cycles(Request::new(n, q)), cycles(Request::new(n + 1, q)));
            assert!(next <= 1.3 * one && one <= 1.3 * next, "{n} {q}");
        }
    }
}

/// What plans of the same shape have in common: word, channels, length, and degree of slots.
fn shape(decision: &Decision) -> (u32, usize, usize, usize) {
    match decision {
        Decision::Direct(recipe) => (recipe.bits(), 0, recipe.n(), recipe.slot_degree()),
        Decision::Crt(crt) => (crt.bits(), crt.channels().len(), crt.length(), crt.channels()[0].slot_degree()),
    }
}

/// U2: in all rings, for any word and in each alone, moduli and degrees side by side cost alike
/// where their plans have one shape, and a number with fewer roots never costs less.
#[test]
fn neighbours_cost_alike() {
    let mut compared = 0;
    let words = [None, Some(16), Some(32), Some(64)];
    for ring in Ring::ALL {
        for (n, size) in [16, 48, 64, 100, 256, 761, 1024, 3072, 16384]
            .into_iter()
            .flat_map(|n| [5, 8, 10, 13, 14, 15, 20, 28, 30, 31, 45, 60].map(|size| (n, size)))
        {
            let from = (1_u64 << size) - (1 << (size - 2));
            let prime = (from..).find(|&q| q % 12 == 11 && is_prime(q)).unwrap();
            let next = (prime + 1..).find(|&q| q % 12 == 11 && is_prime(q)).unwrap();
            let order = ring.order(ring.layers(n));
            let with_roots = nearest_prime(from, order, 1 << size).filter(|&q| q > order);
            let after =
                with_roots.and_then(|q| nearest_prime(q + order, order, 1 << size)).filter(|&q| Some(q) != with_roots);
            for word in words {
                let decide = |n: usize, q: u64| {
                    let request = Request::new(n, q).ring(ring);
                    word.map_or_else(|| request.decide_any(), |bits| request.decide(bits)).ok()
                };
                let mut alike = |one: (usize, u64), other: (usize, u64)| {
                    let (Some(a), Some(b)) = (decide(one.0, one.1), decide(other.0, other.1)) else { return };
                    let ratio = a.estimated_cycles() as f64 / b.estimated_cycles() as f64;
                    if shape(&a) == shape(&b) {
                        compared += 1;
                        assert!((1.0 / 1.3..=1.3).contains(&ratio), "{ring} {word:?}: {one:?} and {other:?}: {ratio}");
                    }
                };
                alike((n, from), (n, from + 2));
                alike((n, from), (n, from + 4));
                alike((n, prime), (n, next));
                alike((n + 2, from), (n + 4, from));
                if let (Some(q), Some(after)) = (with_roots, after) {
                    alike((n, q), (n, after));
                }
                let mut no_more = |q: u64, harder: u64| {
                    let (Some(a), Some(b)) = (decide(n, q), decide(n, harder)) else { return };
                    compared += 1;
                    let (a, b) = (a.estimated_cycles() as f64, b.estimated_cycles() as f64);
                    assert!(a <= 1.1 * b, "{ring} {word:?}, n = {n}: {q} takes {a}, {harder} takes {b}");
                };
                no_more(prime, prime + 1);
                with_roots.iter().for_each(|&q| no_more(q, q - 1));
            }
        }
    }
    assert!(compared > 4000, "{compared}");
}

/// A degree that fills no vectors goes by a longer ring that does.
#[test]
fn short_polynomials_go_by_vectors() {
    let fills = |request: Request, bits| match request.decide(bits).unwrap() {
        Decision::Crt(crt) => crt.channels()[0].lanes() > 1,
        Decision::Direct(recipe) => recipe.lanes() > 1,
    };
    if Backend::best() == Backend::Scalar {
        return;
    }
    for (n, bits) in [(32, 16), (33, 16), (48, 16), (16, 32), (17, 32)] {
        assert!(fills(Request::new(n, 4096), bits), "n = {n} in {bits} bits");
    }
}

/// There is no trinomial ring of an odd degree, by residue channels no more than by other ways.
#[test]
fn odd_trinomials_are_refused() {
    let request = Request::new(231, 432257028687).ring(Ring::Trinomial);
    for refusal in [16, 32, 64].map(|bits| request.decide(bits)).into_iter().chain([request.decide_any()]) {
        assert_eq!(refusal.unwrap_err(), PlanError::Degree { n: 231, ring: Ring::Trinomial });
    }
    assert!(Request::new(230, 432257028687).ring(Ring::Trinomial).decide_any().is_ok());
}

/// The words of widest reach speak where nothing can be planned.
#[test]
fn refusals_of_all_words() {
    for (n, q, expected) in [
        (256, 3, "q = 3 is too small; take a modulus from 5 on, or for products 12, and reduce them modulo 3"),
        (
            256,
            u64::MAX,
            "64-bit words are too narrow for products of n = 256 modulo q = 18446744073709551615 by \
            residue channels; take a modulus below 2^62",
        ),
        (0, 12289, "n = 0 is not a degree from 1 to 1073741824"),
    ] {
        assert_eq!(Request::new(n, q).decide_any().unwrap_err().to_string(), expected);
    }
}

/// Every kind of refusal has a code of its own.
#[test]
fn codes_of_refusals_are_unique() {
    let direct = |request: Request, bits| request.recipe(bits).unwrap_err();
    let pairs = [
        (direct(Request::new(256, 4096), 16), "modulus"),
        (direct(Request::new(0, 12289), 16), "degree"),
        (direct(Request::new(10007, 12289), 16), "slot-degree"),
        (direct(Request::new(4096, 12289).depth(12), 16), "no-root"),
        (direct(Request::new(1024, 12289).root(2), 16), "root"),
        (Request::new(256, 1 << 40).decide(32).unwrap_err(), "residue-channels"),
        (direct(Request::new(256, 8380417).method(Method::Montgomery), 16), "method"),
        (PlanError::NoMethod { q: 7, bits: 16 }, "no-method"),
        (PlanError::Layers { expected: 8 }, "layers"),
        (PlanError::InverseDegree { degree: 7, q: 5 }, "inverse-degree"),
        (PlanError::NoSlots { q: 4096 }, "no-slots"),
        (PlanError::Order { n: 7, q: 31, prime: None }, "order"),
        (direct(Request::new(1024, 12289), 33), "words"),
        (PlanError::Factors { method: Method::KRed }, "factors"),
        (direct(Request::new(64, 2147473409).method(Method::Montgomery), 32), "range"),
        (direct(Request::new(16, 12289).backend(Backend::Array256), 16), "backend"),
    ];
    for (refusal, code) in &pairs {
        assert_eq!(refusal.code(), *code, "{refusal}");
    }
    let codes: std::collections::HashSet<_> = pairs.iter().map(|(refusal, _)| refusal.code()).collect();
    assert_eq!(codes.len(), pairs.len());
}

/// Who asks for the best depth wants slots, where there are any.
#[test]
fn the_best_depth_is_one_of_a_transform() {
    let request = Request::new(32768, 12289);
    assert!(matches!(request.decide_any(), Ok(Decision::Crt(_))));
    assert!(matches!(request.best_depth().decide_any(), Ok(Decision::Direct(_))));
    assert!(matches!(Request::new(64, 4096).best_depth().decide_any(), Ok(Decision::Crt(_))));
}

/// And the one with the least estimate, however little it saves.
#[test]
fn the_best_depth_is_estimated_to_be_the_fastest() {
    let mut shallower = 0;
    for (n, q, bits) in [(1024, 998_244_353, 32), (1024, 8_380_417, 32), (4096, 1_125_899_904_679_937, 64)] {
        for backend in Backend::available() {
            let request = Request::new(n, q).backend(backend);
            let Ok(best) = request.best_depth().recipe(bits) else { continue }; // no vectors of such words
            let depths = request.depths(bits).unwrap();
            let least = depths.iter().map(|recipe| recipe.estimated_cycles()).min().unwrap();
            assert_eq!(best.estimated_cycles(), least, "n {n} q {q} {backend}");
            shallower += u32::from(best.depth() < depths[0].depth());
        }
    }
    assert!(shallower > 0);
}

/// Requests that make no sense are errors: words that do not exist, sums of nothing, degrees near
/// the largest one.
#[test]
fn requests_at_the_ends() {
    let request = Request::new(64, 12289);
    for bits in [0, 1, 8, 15, 24, 33, 63, 128, u32::MAX] {
        let refused = PlanError::Words { bits };
        assert_eq!(request.recipe(bits).unwrap_err(), refused);
        assert_eq!(request.decide(bits).unwrap_err(), refused);
        assert_eq!(request.depths(bits).unwrap_err(), refused);
        assert_eq!(request.candidates(bits).unwrap_err(), refused);
    }
    for q in [12289, 4096] {
        let request = Request::new(64, q);
        assert_eq!(request.sums(0).decide_any().unwrap(), request.decide_any().unwrap());
    }
    // No transform of these degrees is as long as the largest: products go by one that is longer.
    for (n, q) in [(2_097_153, 4096), (2_621_440, 4096), (4_194_302, 12289)] {
        assert!(Request::new(n, q).decide_any().is_ok(), "{n}, {q}");
    }
    assert_eq!(Request::new((1 << 30) + 1, 4096).decide_any().unwrap_err().code(), "degree");
    // What is advised works.
    let words = |bits| Request::new(256, 8_380_417 * 8_380_417).decide(bits);
    assert!(words(16).unwrap_err().to_string().ends_with("; take 64-bit words"));
    assert!(words(32).unwrap_err().to_string().ends_with("; take 64-bit words") && words(64).is_ok());
    let any_prime = Request::new(64, 4096).slot_order(SlotOrder::Canonical).decide_any().unwrap_err();
    assert!(any_prime.to_string().contains("; take a prime modulus, "), "{any_prime}");
}
