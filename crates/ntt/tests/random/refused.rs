//! What a refusal says is true: each of its remedies removes it, and remedies lead to a plan.

use crate::wish::{Wish, deepest};
use reference::field;
use ringwork_ntt::{
    Backend, MAX_DEGREE, MAX_SLOT_DEGREE, Method, PlanError, Ring,
    arith::{ModulusError, nearest_prime},
};
use std::mem::discriminant;

/// A request can have this many faults, one behind the other.
const STEPS: usize = 10;

/// Follows every remedy of a refusal.
pub(crate) fn check(wish: &Wish, error: &PlanError) {
    consistent(wish, error);
    let remedies = remedies(wish, error);
    assert!(!remedies.is_empty() || nothing_to_try(error), "{wish:?}: {error}: no advice");
    for remedy in remedies {
        helps(wish, error, &remedy);
        leads_to_a_plan(wish, remedy);
    }
}

/// Numbers that the advice of a degree has no words for.
fn nothing_to_try(error: &PlanError) -> bool {
    match error {
        PlanError::Degree { n, .. } => !(1..=MAX_DEGREE).contains(n),
        PlanError::SlotDegree { depth: None, .. } | PlanError::NoRoot { max: 0, prime: None, .. } => true,
        _ => false,
    }
}

/// The condition that the error names does fail.
fn consistent(wish: &Wish, error: &PlanError) {
    let fails = match *error {
        PlanError::Modulus(ModulusError::NotOdd { q }) => q == wish.q && (q < 3 || q % 2 == 0),
        PlanError::Modulus(ModulusError::Composite { q, factor, .. }) => {
            q == wish.q && !field::is_prime(q) && (factor == 0 || factor > 1 && factor < q && q % factor == 0)
        }
        PlanError::Degree { n, ring } => {
            let odd = ring == Ring::Trinomial && n % 2 == 1;
            (n, ring) == (wish.n, wish.ring) && (odd || !(1..=MAX_DEGREE).contains(&n))
        }
        PlanError::SlotDegree { degree, .. } => {
            degree > MAX_SLOT_DEGREE
                && degree
                    == (wish.n >> wish.depth.unwrap_or_else(|| deepest(wish.n, wish.q, wish.ring)))
                        / 3_usize.pow(wish.layers_in_thirds())
        }
        PlanError::NoRoot { n, q, ring, depth, max, .. } => {
            (n, q, ring, depth) == (wish.n, wish.q, wish.ring, wish.depth.unwrap_or(ring.least_depth()))
                && (depth > max || depth < ring.least_depth())
                && (depth < ring.least_depth() || depth > ring.layers(n) || !(q - 1).is_multiple_of(ring.order(depth)))
        }
        PlanError::Thirds { n, q, ring, thirds, most } => {
            (n, q, ring, Some(thirds)) == (wish.n, wish.q, wish.ring, wish.thirds)
                && thirds > most
                && most == wish.most_thirds()
        }
        PlanError::Root { root, q, order, smallest } => {
            wish.root == Some(root)
                && !(root < q && field::is_primitive_root(root, order, q))
                && field::root_of_unity(q, order) == Some(smallest)
        }
        PlanError::Method { q, bits, method } | PlanError::Range { q, bits, method, .. } => {
            (q, bits) == (wish.q, wish.bits) && wish.method.unwrap_or(Method::Montgomery) == method
        }
        PlanError::Backend { backend, n, .. } => n == wish.n && wish.backend == Some(backend),
        _ => panic!("{error}: an error that this test does not know"),
    };
    assert!(fails, "{wish:?}: {error:?}");
}

/// The request as each piece of advice would have it.
fn remedies(wish: &Wish, error: &PlanError) -> Vec<Wish> {
    let text = error.to_string();
    let with = |change: &dyn Fn(&mut Wish)| {
        let mut remedy = wish.clone();
        change(&mut remedy);
        remedy
    };
    let prime_below = |log: u32| {
        let order = wish.ring.order(wish.depth.unwrap_or(1).max(1));
        nearest_prime(wish.q.min(1 << log), order, 1 << log).unwrap_or(12289)
    };
    match *error {
        PlanError::Modulus(ModulusError::NotOdd { .. }) => {
            assert!(text.ends_with("try 257, 3329, 7681 or 12289"), "{text}");
            [257, 3329, 7681, 12289].map(|q| with(&|w| w.q = q)).to_vec()
        }
        PlanError::Modulus(ModulusError::Composite { q, near, .. }) => {
            assert!(text.ends_with(&format!("the nearest prime is {near}")), "{text}");
            let above = |d| q.checked_add(d).is_some_and(field::is_prime);
            let nearer = (1..q.abs_diff(near)).any(|d| field::is_prime(q - d) || above(d));
            assert!(!nearer, "{text}");
            vec![with(&|w| w.q = near)]
        }
        PlanError::Modulus(_) => panic!("{text}: an error that this test does not know"),
        PlanError::Degree { n, .. } if nothing_to_try(error) => {
            assert!(text.ends_with(&format!("n = {n} is not a degree from 1 to {MAX_DEGREE}")), "{text}");
            vec![]
        }
        PlanError::Degree { .. } => {
            let (_, nearest) =
                text.split_once("the nearest are ").or_else(|| text.split_once("the nearest is ")).expect("degrees");
            nearest.split(" and ").map(|n| with(&|w| w.n = n.parse().expect("a degree"))).collect()
        }
        PlanError::Thirds { most, .. } => {
            assert!(text.ends_with(&format!("; take {most} of them")), "{text}");
            vec![with(&|w| (w.thirds, w.root) = (Some(most), None))]
        }
        PlanError::NoRoot { n, ring, depth, max, degree, prime, .. } => {
            let works = max >= ring.least_depth();
            let told = |p| match (depth > ring.layers(n), works) {
                (true, _) => false,
                _ if depth < ring.least_depth() && works => text.ends_with(&format!("take depth 1 to {max}")),
                (_, true) => {
                    text.ends_with(&format!("works with depth {max} and slots of degree {degree}, or take q = {p}"))
                }
                (_, false) => text.ends_with(&format!("; take q = {p}")),
            };
            assert!(prime.is_none_or(told), "{text}");
            let prime = prime.filter(|_| depth >= ring.least_depth() || !works);
            let shallow = works.then(|| with(&|w| (w.depth, w.root) = (Some(max), None)));
            let other =
                prime.map(|q| with(&|w| (w.q, w.depth, w.root) = (q, Some(depth.max(ring.least_depth())), None)));
            shallow.into_iter().chain(other).collect()
        }
        PlanError::SlotDegree { depth: Some(depth), prime, .. } => {
            vec![with(&|w| (w.q, w.depth, w.root) = (prime.unwrap_or(w.q), Some(depth), None))]
        }
        PlanError::SlotDegree { .. } => vec![],
        PlanError::Root { smallest, .. } => {
            assert!(text.ends_with(&format!("the smallest one is {smallest}")), "{text}");
            vec![with(&|w| w.root = Some(smallest))]
        }
        PlanError::Method { .. } | PlanError::Range { .. } => match text.rsplit_once("; take ").expect("advice").1 {
            "a prime from 5 on" => vec![with(&|w| w.q = 5)],
            "32-bit words" => vec![with(&|w| w.bits = 32)],
            "montgomery" => vec![with(&|w| w.method = Some(Method::Montgomery))],
            "64-bit words, or a prime below 2^14 in 16-bit words" => {
                vec![with(&|w| w.bits = 64), with(&|w| w.q = prime_below(14))]
            }
            "64-bit words, or a prime below 2^30 in 32-bit words" => {
                vec![with(&|w| w.bits = 64), with(&|w| w.q = prime_below(30))]
            }
            "a prime below 2^62, or unsigned" => {
                vec![with(&|w| w.q = prime_below(62)), with(&|w| w.method = Some(Method::Unsigned))]
            }
            "a prime below 2^62" => vec![with(&|w| w.q = prime_below(62))],
            other => panic!("{text}: {other}"),
        },
        PlanError::Backend { lanes: 1, .. } => {
            assert!(text.ends_with("has no vectors of 64-bit words; they run on the scalar backend"), "{text}");
            vec![with(&|w| w.backend = Some(Backend::Scalar))]
        }
        PlanError::Backend { lanes, n, degree, .. } => {
            let [parts, of_n] = [degree, n].map(|n| n >> n.trailing_zeros());
            let most = if parts == 1 { (lanes / 2).min(8) } else { 3 * (lanes / 2).min(2) };
            let least = of_n * lanes * if parts == 1 { degree.max(4) } else { 2 };
            let told = match parts {
                1 | 3 if parts == of_n => format!("needs n ≥ {least} and slots of degree ≤ {most}; "),
                1 | 3 => format!("needs n = {of_n}·2^k ≥ {least} and slots of degree ≤ {most}; "),
                _ => "needs slots whose degree is 2^k or 3·2^k; ".into(),
            };
            assert!(text.contains(&told) && text.ends_with("runs on the scalar backend"), "{text}");
            let fits = with(&|w| {
                w.n = if parts > 3 { w.n.next_power_of_two().max(4 * lanes) } else { w.n.max(least) };
                let layers = (w.n / if parts == 3 { degree.min(most) } else { 1 }).trailing_zeros();
                let thirds = if parts > 3 { 0 } else { wish.layers_in_thirds() };
                (w.depth, w.thirds, w.root) = (Some(layers), Some(thirds), None);
                let order = w.ring.order(layers) * 3_u64.pow(thirds);
                w.q = nearest_prime(w.q.min(1 << 30), order, 1 << 30).expect("there are such primes");
            });
            vec![with(&|w| w.backend = Some(Backend::Scalar)), fits]
        }
        _ => panic!("{text}: an error that this test does not know"),
    }
}

/// A remedy removes what it is for.
fn helps(wish: &Wish, error: &PlanError, remedy: &Wish) {
    let Err(next) = remedy.request().recipe(remedy.bits) else { return };
    let same = match error {
        // 32-bit words may still not suit the method, but then that is what the next advice is
        // about.
        PlanError::Method { .. } | PlanError::Range { .. } if remedy.bits != wish.bits || remedy.q != wish.q => {
            remedy.bits == wish.bits && remedy.q == wish.q
        }
        PlanError::Method { .. } | PlanError::Range { .. } => {
            matches!(next, PlanError::Method { .. } | PlanError::Range { .. })
        }
        _ => discriminant(error) == discriminant(&next),
    };
    assert!(!same, "{wish:?}: {error}\n{remedy:?}: {next}");
}

/// Remedy after remedy, the last one that each refusal names.
fn leads_to_a_plan(wish: &Wish, mut remedy: Wish) {
    let mut said = vec![];
    for _ in 0..STEPS {
        let Err(error) = remedy.request().recipe(remedy.bits) else { return };
        said.push(error.to_string());
        remedy = match remedies(&remedy, &error).into_iter().next() {
            Some(next) => next,
            None if nothing_to_try(&error) => return,
            None => break,
        };
    }
    panic!("{wish:?}: no plan after\n{}", said.join("\n"));
}
