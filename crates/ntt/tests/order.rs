//! Slot orders on request: every method as in native order, with its words moved.

use ringwork_ntt::{Backend, Decision, Direction, Inverter, Plan, PlanError, Planner, Request, Ring, SlotOrder, Step};

type Word = i32;

fn polynomial(n: usize, q: u64, seed: u64) -> Vec<Word> {
    (1..=n as u64).map(|i| (i.wrapping_mul(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) % q) as Word).collect()
}

fn forward(plan: &Plan<Word>, a: &[Word]) -> Vec<Word> {
    let mut words = a.to_vec();
    plan.forward(&mut words);
    words
}

/// For every index in canonical order, where its word stands in the order of a plan: computed from the order alone.
fn places<T: ringwork_ntt::Word>(plan: &Plan<T>) -> Vec<usize> {
    let recipe = plan.recipe().unwrap();
    let (n, degree, slots) = (recipe.n(), recipe.slot_degree(), recipe.slots());
    // Digits reversed: those of layers by two are the first ones of a place, and the last ones of a slot.
    let reversed = |mut slot: usize| {
        let (mut place, mut weight) = (0, slots);
        for radix in [vec![2; recipe.depth() as usize], vec![3; recipe.thirds() as usize]].concat() {
            weight /= radix;
            place += slot % radix * weight;
            slot /= radix;
        }
        place
    };
    let place = |index: usize| match plan.slot_order() {
        SlotOrder::BitReversed => reversed(index / degree) * degree + index % degree,
        _ => index,
    };
    (0..n).map(place).collect()
}

/// A plan in another order against one in native order.
fn check(request: Request, order: SlotOrder) {
    // In native order the planner may take another depth.
    let plan = match Plan::<Word>::with(&request.slot_order(order)) {
        Err(PlanError::Backend { .. }) => return, // the smallest slots may fill no vectors
        plan => plan.unwrap(),
    };
    let recipe = plan.recipe().expect("residue channels have no order");
    let native = Plan::<Word>::with(&request.depth(recipe.depth()).thirds(recipe.thirds())).unwrap();
    let (n, q) = (plan.n(), plan.q());
    let degree = plan.recipe().unwrap().slot_degree();
    let context = format!("{request:?} on {}, {order}", plan.backend());
    assert_eq!((native.slot_order(), plan.slot_order()), (SlotOrder::Native, order));
    let (indices, places) = (native.canonical_order().unwrap(), places(&plan));
    let moved = |words: Vec<Word>| {
        let mut all = vec![0; words.len()];
        for (to, from) in all.chunks_exact_mut(n).zip(words.chunks_exact(n)) {
            indices.iter().zip(from).for_each(|(&index, word)| to[places[index]] = *word);
        }
        all
    };

    let [a, b, c] = [1, 2, 3].map(|seed| polynomial(n, q, seed));
    let [a_hat, b_hat, c_hat] = [&a, &b, &c].map(|a| forward(&plan, a));
    let [of_a, of_b, of_c] = [&a, &b, &c].map(|a| forward(&native, a));
    assert_eq!(a_hat, moved(of_a.clone()), "{context}: forward");
    let mut back = a_hat.clone();
    plan.inverse(&mut back);
    assert_eq!(back, a, "{context}: inverse");

    let products = || {
        let mut product = plan.pointwise(vec![0; n], &a_hat, &b_hat);
        let mut of_product = native.pointwise(vec![0; n], &of_a, &of_b);
        plan.accumulate(&mut product, &c_hat, &b_hat);
        native.accumulate(&mut of_product, &of_c, &of_b);
        (product, of_product)
    };
    let (product, of_product) = products();
    assert_eq!(plan.inverse_product(product), native.inverse_product(of_product), "{context}: inverse_product");
    let (product, of_product) = products();
    assert_eq!(plan.to_ntt(product), moved(native.to_ntt(of_product)), "{context}: to_ntt");
    let (product, of_product) = products();
    let (sum, of_sum) = (plan.to_ntt_plus(product, &c_hat), native.to_ntt_plus(of_product, &of_c));
    assert_eq!(sum, moved(of_sum), "{context}: to_ntt_plus");

    // A matrix of two rows times two columns.
    let (rows, columns) =
        ([&a_hat[..], &b_hat, &c_hat, &a_hat].concat(), [&b_hat[..], &b_hat, &a_hat, &c_hat].concat());
    let (of_rows, of_columns) = ([&of_a[..], &of_b, &of_c, &of_a].concat(), [&of_b[..], &of_b, &of_a, &of_c].concat());
    let sums = || plan.inner_products(vec![0; 4 * n], &rows, &columns, 2);
    let of_sums = || native.inner_products(vec![0; 4 * n], &of_rows, &of_columns, 2);
    assert_eq!(plan.to_ntt(sums()), moved(native.to_ntt(of_sums())), "{context}: inner_products");
    assert_eq!(plan.inverse_product(sums()), native.inverse_product(of_sums()), "{context}: inner_products");

    // Products of coefficients do not see the order.
    let (mut d, mut of_d, mut scratch) = (vec![0; n], vec![0; n], vec![0; plan.scratch_len()]);
    native.multiply(&mut of_d, &a, &b);
    plan.multiply(&mut d, &a, &b);
    assert_eq!(d, of_d, "{context}: multiply");
    d.fill(0);
    plan.multiply_with(&mut d, &a, &b, &mut scratch);
    assert_eq!(d, of_d, "{context}: multiply_with");
    d.copy_from_slice(&a);
    plan.multiply_assign(&mut d, &b, &mut scratch);
    assert_eq!(d, of_d, "{context}: multiply_assign");
    d.fill(0);
    plan.multiply_prepared(&mut d, &a, &plan.prepare(&b), &mut scratch);
    assert_eq!(d, of_d, "{context}: multiply_prepared");

    let (mut inverse, mut of_inverse) = (vec![0; n], vec![0; n]);
    let (inverter, of_inverter) = (Inverter::new(&plan).unwrap(), Inverter::new(&native).unwrap());
    let invertible = inverter.invert(&mut inverse, &a_hat);
    assert_eq!(invertible, of_inverter.invert(&mut of_inverse, &of_a), "{context}: invert");
    assert!(!invertible || inverse == moved(of_inverse), "{context}: invert");

    // What there is to say about the order.
    let order_of_plan = plan.canonical_order().unwrap();
    for (i, &index) in order_of_plan.iter().enumerate() {
        assert_eq!(places[index], i, "{context}");
        assert_eq!(plan.slot(i).unwrap(), (index / degree, index % degree), "{context}");
    }
    let mut same = a_hat.clone();
    plan.to_canonical_order(&mut same);
    assert!(order_of_plan.iter().zip(&a_hat).all(|(&index, word)| same[index] == *word), "{context}");
    plan.from_canonical_order(&mut same);
    assert_eq!(same, a_hat, "{context}: there and back");
}

/// Words of all numbers of vectors: spans, tiles that change places, slots of whole vectors, and lists.
fn moves<T: ringwork_ntt::Word + std::fmt::Debug + PartialEq>(request: Request) -> bool {
    let Ok(native) = Plan::<T>::with(&request) else { return false };
    let Some(recipe) = native.recipe() else { return false };
    let n = recipe.n();
    let marked: Vec<T> = (0..n).map(|i| T::from_i64(i as i64 % 7001)).collect();
    let indices = native.canonical_order().unwrap();
    for order in [SlotOrder::Canonical, SlotOrder::BitReversed] {
        let plan = Plan::<T>::with(&request.slot_order(order)).unwrap();
        let places = places(&plan);
        // The inverse starts with the way back, the forward transform ends with the way there.
        let [mut there, mut straight] = [marked.clone(), marked.clone()];
        plan.forward(&mut there);
        native.forward(&mut straight);
        let context = format!("{request:?}, {order}, {} bits on {}", T::BITS, plan.backend());
        for (&index, word) in indices.iter().zip(&straight) {
            assert_eq!(there[places[index]], *word, "{context}");
        }
        plan.inverse(&mut there);
        native.inverse(&mut straight);
        assert_eq!(there, straight, "{context}");
    }
    true
}

#[test]
fn words_stand_where_they_belong() {
    let mut tried = [0; 4];
    for backend in Backend::available() {
        for log in 1..=14 {
            for ring in Ring::ALL {
                for degree in 0..=log.min(4) {
                    let of_ring = |q| Request::new(1 << log, q).ring(ring).backend(backend).depth(log - degree);
                    let words = [
                        moves::<i16>(of_ring(12289)),
                        moves::<i16>(of_ring(7681)),
                        moves::<i32>(of_ring(469_762_049)),
                        moves::<i64>(of_ring(1_945_555_039_024_054_273)),
                    ];
                    tried.iter_mut().zip(words).for_each(|(tried, was)| *tried += usize::from(was));
                }
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 50), "{tried:?}");
}

#[test]
fn every_method_in_any_order() {
    let mut orders = 0;
    for request in [
        Request::new(256, 7681),
        Request::new(256, 3329),
        Request::new(256, 7681).depth(5),
        Request::new(64, 257).cyclic(),
        Request::new(768, 7681).ring(Ring::Trinomial),
        Request::new(96, 12289).lazy(),
        Request::new(192, 7681).cyclic(),
        Request::new(576, 3457),
        Request::new(12, 13),
    ] {
        for backend in Backend::available() {
            let request = request.backend(backend);
            match Plan::<Word>::with(&request) {
                Ok(plan) if plan.recipe().is_some() => {
                    check(request, SlotOrder::Canonical);
                    check(request, SlotOrder::BitReversed);
                }
                Ok(_) | Err(PlanError::Backend { .. }) => continue,
                Err(e) => panic!("{e}"),
            }
            orders += 1;
        }
    }
    assert!(orders > 14, "{orders}");
}

/// In native order products may be faster with larger slots. Slots in another order, or of a shifted ring, do not depend on
/// what is fast.
#[test]
fn slots_that_have_names_are_as_small_as_roots_allow() {
    for backend in Backend::available() {
        for (n, q) in [(256, 2_013_265_921), (1024, 998_244_353), (256, 8_380_417), (96, 7681)] {
            let request = Request::new(n, q).cyclic().backend(backend);
            let [reversed, canonical, shifted] = [
                request.slot_order(SlotOrder::BitReversed),
                request.slot_order(SlotOrder::Canonical),
                request.shift(5),
            ]
            .map(|request| match request.decide(32) {
                Ok(Decision::Direct(recipe)) => Some((recipe.slot_degree(), recipe.thirds())),
                Err(PlanError::Backend { .. }) => None,
                other => panic!("{other:?}"),
            });
            assert!(reversed.is_none_or(|(degree, _)| degree == 1), "{n} {q} {backend}: {reversed:?}");
            assert_eq!([canonical, shifted], [reversed; 2], "{n} {q} {backend}");
        }
    }
}

/// Words in these orders are the same on every backend, which native ones are not.
#[test]
fn canonical_order_is_the_same_everywhere() {
    for (n, q) in [(256, 7681), (1024, 12289), (192, 7681), (576, 3457)] {
        let words = |request: Request| {
            let plan = Plan::<Word>::with(&request).unwrap();
            let mut words = forward(&plan, &polynomial(n, q, 5));
            plan.canonical(&mut words);
            words
        };
        let on = |backend| Request::new(n, q).backend(backend);
        let scalar = on(Backend::Scalar);
        for backend in Backend::available().skip(1).filter(|&backend| on(backend).recipe(32).is_ok()) {
            assert_ne!(words(on(backend)), words(scalar), "{backend}");
            for order in [SlotOrder::Canonical, SlotOrder::BitReversed] {
                let [there, here] = [on(backend), scalar].map(|request| words(request.slot_order(order)));
                assert_eq!(there, here, "{backend}, {order}");
            }
        }
    }
}

#[test]
fn residue_channels_have_no_order() {
    let refused = |request: Request| request.slot_order(SlotOrder::Canonical).decide(32).unwrap_err();
    for (n, q) in [(256, 4096), (256, 8_380_416), (60, 2048), (16384, 1019)] {
        let (request, refusal) = (Request::new(n, q), refused(Request::new(n, q)));
        assert_eq!(refusal.code(), "no-slots", "{refusal}");
        let advice = match q {
            1019 => "name a depth to transform modulo q",
            _ => "take a prime modulus, and name a depth to transform modulo it",
        };
        assert_eq!(
            refusal.to_string(),
            format!(
                "products modulo q = {q} go by residue channels, which have neither a canonical slot order, nor \
                 shifts, nor inverses; {advice}"
            )
        );
        assert!(request.decide(32).is_ok(), "without an order there is a plan");
    }
    assert_eq!(
        refused(Request::new(256, 3)).to_string(),
        "q = 3 is too small; take a modulus from 5 on, or for products 12, and reduce them modulo 3"
    );
    assert_eq!(refused(Request::new(256, 4095).depth(3)).code(), "modulus");

    // Where channels are what fits, there is no such order; where they are only faster, it does
    // without them.
    let request = Request::new(256, 3329);
    assert!(matches!(request.backend(Backend::Array64).decide(32), Ok(Decision::Crt(_))));
    assert_eq!(refused(request.backend(Backend::Array64)).code(), "backend");
    assert!(matches!(request.slot_order(SlotOrder::Canonical).decide(32), Ok(Decision::Direct(_))));
}

/// Recipes, the proofs made of them, and the cache know the order.
#[test]
fn what_follows_a_request_knows_the_order() {
    let request = Request::new(256, 12289);
    let recipe = request.slot_order(SlotOrder::Canonical).recipe(16).unwrap();
    assert_eq!(recipe.slot_order(), SlotOrder::Canonical);
    assert_ne!(recipe, request.recipe(16).unwrap());
    let reduced = recipe.schedules().clone().with_step(Direction::Forward, 0, Step::AddSide);
    assert_eq!(recipe.with_schedules(reduced).unwrap().slot_order(), SlotOrder::Canonical);

    let planner = Planner::new();
    let [native, canonical] = [SlotOrder::Native, SlotOrder::Canonical]
        .map(|order| planner.plan::<i16>(&request.slot_order(order)).unwrap().slot_order());
    assert_eq!((native, canonical, planner.len()), (SlotOrder::Native, SlotOrder::Canonical, 2));
}
