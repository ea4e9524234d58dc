//! Schedules that leave out a needed reduction: refused by `Ranges`, and wrong when they run all
//! the same.
//!
//! | shown | by |
//! |---|---|
//! | no reduction of a schedule can be left out of its proof | every reduction of every layer, one at a time |
//! | what is then refused does overflow | an input, found by a small search, whose result is not the textbook's |
//!
//! A proof must hold for every input, and operands are taken as independent, so some schedules
//! without proof are right for all inputs tried. Where leaving out one reduction gives no wrong
//! result, the cases below leave out two, and give the numbers.

use Direction::{Forward, Inverse};
use reference::ntt as book;
use ringwork_ntt::{
    Backend, Method, PlanError, Recipe, Request,
    internals::{
        Transform,
        model::Ranges,
        network::{self, Direction, Program, Step},
    },
};

fn recipe(n: usize, q: u64, method: Method) -> Recipe {
    Request::new(n, q).method(method).backend(Backend::Array256).recipe(16).expect("a legal recipe")
}

/// The recipe without the reductions of those layers, and without a proof.
fn without(recipe: &Recipe, direction: Direction, layers: &[usize]) -> Recipe {
    let mut schedules = recipe.schedules().clone();
    for &layer in layers {
        assert_ne!(schedules.steps(direction)[layer], Step::Plain, "layer {layer} reduces nothing");
        schedules = schedules.with_step(direction, layer, Step::Plain);
    }
    assert!(recipe.with_schedules(schedules.clone()).is_err(), "{direction:?}, layers {layers:?}: it has a proof");
    recipe.with_unproved_schedules(schedules)
}

/// Whether a run on intervals finds a value that does not fit.
fn is_refused(recipe: &Recipe, direction: Direction) -> bool {
    let mut proof = Ranges::new(recipe.lanes(), recipe.contract(), recipe.depth() as usize);
    let (vectors, certificate) = (recipe.n() / recipe.lanes(), recipe.certificate());
    let program = Program::new(recipe.passes(), recipe.schedules().steps(direction));
    match direction {
        Forward => proof.run(network::Forward { program }, [&mut vec![certificate.input(); vectors]], []),
        Inverse => proof.run(network::Inverse { program }, [&mut vec![certificate.inverse_input(); vectors]], []),
    }
    .unwrap();
    proof.violation.is_some()
}

fn residues(words: &[i16], q: u64) -> Vec<u64> {
    words.iter().map(|&x| i64::from(x).rem_euclid(q as i64) as u64).collect()
}

/// What the plan makes of an input, as residues.
fn result(plan: &Transform<i16>, direction: Direction, input: &[i16]) -> Vec<u64> {
    let mut words = input.to_vec();
    match direction {
        Forward => plan.forward(&mut words),
        Inverse => plan.inverse(&mut words),
    }
    residues(&words, plan.recipe().q())
}

/// What the textbook makes of it, in the order of the plan.
fn textbook(plan: &Transform<i16>, direction: Direction, input: &[i16]) -> Vec<u64> {
    let (n, q, depth) = (plan.recipe().n(), plan.recipe().q(), plan.recipe().depth());
    assert_eq!(plan.forward_factor().residue, 1, "no power of k is left behind");
    let transform = book::Transform::new(n, q, book::Ring::Negacyclic, depth).expect("a legal transform");
    let order = plan.canonical_order();
    match direction {
        Forward => {
            let slots = transform.forward(&residues(input, q));
            order.iter().map(|&index| slots[index]).collect()
        }
        Inverse => {
            let mut slots = vec![0; n];
            order.iter().zip(residues(input, q)).for_each(|(&index, x)| slots[index] = x);
            transform.inverse(&slots)
        }
    }
}

/// An input in (-q, q), by its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    /// q - 1 everywhere.
    Max,
    /// q - 1 and 1 - q in turns.
    Alternating,
    /// ±(q - 1) with the signs of psi^(i·power) centred: what makes one output large before it is
    /// reduced.
    Twiddles(u64),
    /// ±(q - 1) with the signs of a generator with that seed.
    Signs(u64),
    /// That everywhere. As slots, it is the transform of a constant polynomial, so that all sums of
    /// the inverse double it.
    Constant(i16),
}

impl Input {
    fn words(self, n: usize, q: u64, root: u64) -> Vec<i16> {
        let most = q as i16 - 1;
        let signed = |positive: bool| if positive { most } else { -most };
        match self {
            Self::Max => vec![most; n],
            Self::Alternating => (0..n).map(|i| signed(i % 2 == 0)).collect(),
            Self::Twiddles(power) => {
                let twiddle = |i| reference::field::pow(root, power * i as u64, q);
                (0..n).map(|i| signed(twiddle(i) <= q / 2)).collect()
            }
            Self::Signs(mut state) => {
                let mut next = || {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    state >> 63 == 0
                };
                (0..n).map(|_| signed(next())).collect()
            }
            Self::Constant(value) => vec![value; n],
        }
    }

    /// The inputs that a search tries, in order.
    fn all(q: u64) -> impl Iterator<Item = Self> {
        let twiddles = (0..16).map(|i| Self::Twiddles(2 * i + 1));
        let constants = (1..q as i16).step_by(97).map(Self::Constant);
        [Self::Max, Self::Alternating].into_iter().chain(twiddles).chain(constants).chain((0..3000).map(Self::Signs))
    }
}

/// The first input that a recipe without proof gets wrong. Where it is right, the textbook agrees.
fn first_wrong(legal: &Recipe, illegal: &Recipe, direction: Direction) -> Option<Input> {
    let [right, wrong] = [legal, illegal].map(|recipe| Transform::<i16>::from_recipe(recipe.clone()));
    let wanted = |input: &Input| {
        let words = input.words(legal.n(), legal.q(), legal.root());
        result(&right, direction, &words) != result(&wrong, direction, &words)
    };
    let found = Input::all(legal.q()).find(wanted)?;
    let words = found.words(legal.n(), legal.q(), legal.root());
    let expected = textbook(&right, direction, &words);
    assert_eq!(result(&right, direction, &words), expected, "{found:?}: with all reductions");
    assert_ne!(result(&wrong, direction, &words), expected, "{found:?}: without");
    Some(found)
}

/// The laziest schedule is on the edge: one reduction less, anywhere, and there is no proof.
#[test]
fn every_reduction_is_needed_for_the_proof() {
    let mut refused = 0;
    for (n, q) in [(1024, 12289), (512, 12289), (256, 3329), (256, 7681), (1024, 18433), (64, 257)] {
        for method in Method::ALL {
            let request = Request::new(n, q).method(method).backend(Backend::Array256);
            let Ok(legal) = request.recipe(16) else { continue };
            for direction in [Forward, Inverse] {
                assert!(!is_refused(&legal, direction), "n {n}, q {q}, {method}, {direction:?}");
                let steps = legal.schedules().steps(direction);
                for layer in (0..steps.len()).filter(|&l| steps[l] != Step::Plain) {
                    let illegal = without(&legal, direction, &[layer]);
                    assert!(is_refused(&illegal, direction), "n {n}, q {q}, {method}, {direction:?}, layer {layer}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Leaves out the reductions of those layers; the proof fails, and so does that input.
fn overflows(n: usize, q: u64, method: Method, direction: Direction, cases: &[(&[usize], Input)]) {
    let legal = recipe(n, q, method);
    for &(layers, input) in cases {
        let illegal = without(&legal, direction, layers);
        let context = format!("n {n}, q {q}, {method}, {direction:?}, layers {layers:?}");
        assert!(is_refused(&illegal, direction), "{context}");
        assert_eq!(first_wrong(&legal, &illegal, direction), Some(input), "{context}");
    }
}

/// Each of the three reductions forward and six back that `docs/ranges.md` explains.
#[test]
fn newhope_without_one_reduction_is_wrong() {
    let forward: [(&[usize], _); 3] =
        [(&[2], Input::Twiddles(17)), (&[5], Input::Constant(1262)), (&[8], Input::Constant(98))];
    overflows(1024, 12289, Method::Montgomery, Forward, &forward);
    let inverse: [(&[usize], _); 6] = [
        (&[2], Input::Twiddles(19)),
        (&[3], Input::Constant(195)),
        (&[5], Input::Constant(292)),
        (&[6], Input::Constant(1068)),
        (&[8], Input::Constant(2135)),
        (&[9], Input::Max),
    ];
    overflows(1024, 12289, Method::Montgomery, Inverse, &inverse);
}

#[test]
fn other_methods_and_rings_without_one_reduction_are_wrong() {
    let forward: [(&[usize], _); 3] =
        [(&[2], Input::Constant(9798)), (&[6], Input::Constant(11738)), (&[8], Input::Constant(7567))];
    overflows(1024, 12289, Method::Barrett, Forward, &forward);
    overflows(256, 7681, Method::Montgomery, Forward, &[(&[5], Input::Signs(940))]);
    overflows(256, 7681, Method::Barrett, Forward, &[(&[4], Input::Signs(255))]);
    let forward: [(&[usize], _); 3] =
        [(&[2], Input::Twiddles(17)), (&[4], Input::Signs(262)), (&[6], Input::Constant(6209))];
    overflows(256, 7681, Method::Shoup, Forward, &forward);
    overflows(256, 3329, Method::Montgomery, Inverse, &[(&[4], Input::Max)]);
    overflows(256, 3329, Method::Barrett, Inverse, &[(&[2], Input::Constant(292)), (&[5], Input::Max)]);
    overflows(256, 3329, Method::Shoup, Inverse, &[(&[3], Input::Alternating), (&[6], Input::Max)]);
}

/// One reduction less has no proof but is right for every input of the search; two less are wrong.
/// The proof says that values reach
///
/// - ±39552 without layer 5, ±39936 without layer 6, for n = 1024, q = 12289;
/// - ±44512 without layer 1, ±58824 without layer 2, for n = 256, q = 7681;
///
/// where a word holds ±32767: sums of several numbers that are all as large as they can be, and all
/// of one sign.
#[test]
fn where_the_proof_is_pessimistic_two_reductions_less_are_wrong() {
    for (n, q, pair, input) in [(1024, 12289, [5, 6], Input::Twiddles(5)), (256, 7681, [1, 2], Input::Constant(195))] {
        let legal = recipe(n, q, Method::Barrett);
        for layer in pair {
            let illegal = without(&legal, Inverse, &[layer]);
            assert!(is_refused(&illegal, Inverse));
            assert_eq!(first_wrong(&legal, &illegal, Inverse), None, "q {q}, layer {layer}: a case for above");
        }
        overflows(n, q, Method::Barrett, Inverse, &[(&pair, input)]);
    }
}

/// By a method whose reductions leave a factor, sums of what was reduced and what was not are no
/// sums: such schedules are refused, though they fit their words.
#[test]
fn schedules_that_mix_factors_are_refused() {
    let sums = Request::new(32, 998_244_353).method(Method::Montgomery).depth(1).recipe(32).unwrap();
    let k_red = Request::new(32, 12289).method(Method::KRed).depth(1).recipe(32).unwrap();
    assert!(sums.schedules().slots().sums);
    let refused = PlanError::Factors { method: Method::KRed };
    assert_eq!(k_red.with_schedules(sums.schedules().clone()).unwrap_err(), refused);
    let k_red = Request::new(32, 12289).method(Method::KRed).depth(2).recipe(32).unwrap();
    let mixed = k_red.schedules().clone().with_step(Direction::Inverse, 0, Step::AddSide);
    assert_eq!(k_red.with_schedules(mixed).unwrap_err(), refused);
    assert!(k_red.with_schedules(k_red.schedules().clone()).is_ok());
}
