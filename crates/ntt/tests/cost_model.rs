//! Cost models: their text, and what they change about plans.

use proptest::prelude::*;
use ringwork_ntt::{
    Backend, CostModel, CostModelError, Decision, Method, Plan, Planner, Recipe, Request, Ring, internals::is_compiled,
};
use std::sync::Arc;

fn kept(model: CostModel) -> &'static CostModel {
    Box::leak(Box::new(model))
}

/// Every word with a number of lanes of every class.
fn classes() -> impl Iterator<Item = (u32, usize)> {
    [16, 32, 64].into_iter().flat_map(|bits| [1, 256 / bits as usize, 512 / bits as usize].map(|lanes| (bits, lanes)))
}

/// A model with any numbers that are admitted, small ones as often as large ones.
fn any_model(seed: u64) -> CostModel {
    let mut state = seed | 1;
    let mut up_to = |most: u16| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let bits = 1 + (state >> 60) % 14;
        ((state >> 32) % (1 << bits)).clamp(1, u64::from(most)) as u16
    };
    classes().fold(CostModel::DEFAULT, |model, (bits, lanes)| {
        let model = model.with_scale(bits, lanes, 10 + up_to(990)).unwrap();
        Method::ALL.into_iter().fold(model, |model, method| {
            model.with_weights(method, bits, lanes, [(); 3].map(|()| up_to(10_000))).unwrap()
        })
    })
}

#[test]
fn requests_have_the_default_model() {
    for (n, q) in [(256, 3329), (1024, 12289), (256, 8380417), (700, 4096), (64, (1 << 45) - 229)] {
        let request = Request::new(n, q);
        let text = CostModel::DEFAULT.to_string();
        for model in [CostModel::DEFAULT, CostModel::default(), text.parse().unwrap()] {
            let given = request.cost_model(kept(model));
            assert_eq!(given, request);
            assert_eq!(given.decide_any(), request.decide_any());
        }
    }
    for (bits, lanes) in classes() {
        assert_eq!(CostModel::DEFAULT.weights(Method::Montgomery, bits, lanes), [100; 3]);
        assert_eq!(CostModel::DEFAULT.scale(bits, lanes), if bits as usize * lanes > 256 { 185 } else { 100 });
    }
    assert_eq!(CostModel::DEFAULT.weights(Method::Shoup, 32, 8), [73, 100, 100]);
    assert_eq!(CostModel::DEFAULT.weights(Method::Double, 64, 8), [33, 30, 20]);
}

proptest! {
    #[test]
    fn text_is_read_as_it_was_written(seed: u64, cpu in ".{0,300}") {
        let model = any_model(seed).with_cpu(&cpu);
        prop_assert!(model.cpu().len() <= 200 && !model.cpu().contains(char::is_control));
        let text = model.to_string();
        prop_assert_eq!(text.parse(), Ok(model.clone()));
        prop_assert_eq!(text.replace('\n', "\r\n").parse(), Ok(model));
    }

    #[test]
    fn no_text_is_a_panic(text in "(ringwork cost model 2\n)?(cpu|16|64|scalar|wide|shoup|scale|[0-9]{1,30}|#|[ \n]|.){0,60}") {
        prop_assert!(text.parse::<CostModel>().is_err());
    }
}

#[test]
fn wrong_texts_are_refused() {
    let good = CostModel::DEFAULT.with_cpu("Zen").to_string();
    let says = |text: &str, words: &str| {
        let refusal = text.parse::<CostModel>().unwrap_err().to_string();
        assert!(refusal.contains(words), "{refusal}");
    };
    let with = |old: &str, new: &str| {
        assert!(good.contains(old), "{old}");
        good.replacen(old, new, 1)
    };
    says("", "line 1");
    says(&with("model 2", "model 1"), "begins with \"ringwork cost model 2\"");
    says(&with("cpu Zen\n", ""), "there is no line for cpu");
    says(&with("cpu Zen", "cpu Zen\ncpu Zen"), "line 3: another line");
    says(&with("Zen", "Z\u{1b}[31m"), "line 2: expected the name");
    says(&with("Zen", &"Z".repeat(201)), "line 2: expected the name");
    says(&with("cpu Zen", "cpus Zen"), "line 2: expected bits of a word");
    says(&with("32 wide scale 185\n", ""), "there is no line for 32 wide scale");
    says(&with("64 scalar shoup 93 100 84\n", ""), "there is no line for 64 scalar shoup");
    says(&format!("{good}16 scalar scale 100\n"), "another line");
    says(&format!("{good}16 scalar shoup 1 1 1\n"), "another line");
    says(&with("16 scalar shoup", "16 scalar sh\u{1b}oup"), "\"sh\\u{1b}oup\" is no method");
    says(&with("16 scalar shoup", "16 array shoup"), "line 7: expected scalar, vectors or wide");
    says(&with("16 scalar shoup", "17 scalar shoup"), "line 7: expected bits of a word");
    says(&with("16 scalar shoup", "16"), "expected scalar, vectors or wide");
    says(&with("shoup 96 307 100", "shoup 96 307"), "line 7: expected three numbers");
    says(&with("shoup 96 307 100", "shoup 96 307 100 5"), "expected three numbers");
    says(&with("shoup 96 307 100", "shoup 96 -307 100"), "expected three numbers");
    says(&with("shoup 96 307 100", "shoup 96 +307 100"), "expected three numbers");
    for number in ["0", "10001", "65536", "99999999999999999999999999"] {
        says(&with("shoup 96 307", &format!("shoup 96 {number}")), "line 7: numbers are from 1 to 10000");
    }
    for number in ["9", "1001", "0"] {
        says(&with("scale 100", &format!("scale {number}")), "line 4: numbers are from 10 to 1000");
    }
    let refused = CostModel::DEFAULT.with_weights(Method::Shoup, 32, 8, [1, 0, 1]).unwrap_err();
    assert_eq!(refused, CostModelError::Range { line: 0, range: CostModel::WEIGHTS });
    CostModel::DEFAULT.with_scale(32, 8, 1001).unwrap_err();
    good.replace("shoup 96", "shoup 096").parse::<CostModel>().unwrap();
    format!("{good}\n# a remark\n").parse::<CostModel>().unwrap();
}

/// What is cheap is taken.
#[test]
fn a_cheap_method_is_taken() {
    let backends: Vec<Backend> = Backend::available().filter(|backend| !backend.is_array()).collect();
    let mut taken = 0;
    for (n, q, bits) in [(1024, 12289, 16), (1024, 268369921, 32), (1024, 1125899906826241, 64)] {
        for &backend in &backends {
            let (request, lanes) = (Request::new(n, q).backend(backend), backend.lanes(bits));
            for method in Method::ALL.into_iter().filter(|method| is_compiled(*method, bits, lanes)) {
                let cheap = CostModel::DEFAULT.with_weights(method, bits, lanes, [1; 3]).unwrap();
                let Ok(asked) = request.method(method).recipe(bits) else { continue };
                if asked.leaves_factor() {
                    continue;
                }
                let recipe = request.cost_model(kept(cheap.clone())).recipe(bits).unwrap();
                assert_eq!(recipe.method(), method, "{n} {q} on {backend}");
                assert_eq!(recipe.cost_model(), &cheap);
                assert!(recipe.estimated_cycles() < asked.estimated_cycles());
                taken += 1;
            }
        }
    }
    assert!(taken >= 4, "{taken}");
}

/// Bounds stay bounds: whatever methods cost, nothing that can be asked for is estimated to be faster than what is
/// taken, save what a shallower transform saves within a tenth.
#[test]
fn by_any_model_nothing_asked_for_is_faster() {
    for seed in 0..24 {
        let model = kept(any_model(seed * 0x9E37_79B9 + 7));
        for (n, q) in [
            (16, 12289),
            (256, 3329),
            (1024, 12289),
            (2048, 3329),
            (256, 8380417),
            (1024, 4096),
            (768, 7681),
            (512, (1 << 61) - (1 << 21) + 1),
            (1024, 1125899906826241),
        ] {
            let ring = Ring::ALL[seed as usize % 3];
            let request = Request::new(n, q).ring(ring).cost_model(model);
            let Ok(decision) = request.decide_any() else { continue };
            let chosen = decision.estimated_cycles();
            for bits in [16, 32, 64] {
                let depths = (0..=11).filter_map(|depth| request.depth(depth).candidates(bits).ok()).flatten();
                // A method of 52 bits is taken where the CPU has it alone, whatever a model says of it.
                let native = |recipe: &Recipe| !recipe.method().multiplies_52() || recipe.backend().multiplies_52();
                let asked = depths.filter_map(|(_, recipe)| recipe.ok());
                let asked = asked.filter(|recipe| !recipe.leaves_factor() && native(recipe));
                let decided = [request.decide(bits).ok(), request.recipe(bits).ok().map(Decision::Direct)];
                for other in decided.into_iter().flatten().chain(asked.map(Decision::Direct)) {
                    let most = other.estimated_cycles() * 11 / 10 + 1;
                    assert!(chosen <= most, "{n} {q} {ring} in {bits} bits, model {seed}: {chosen} {other:?}");
                }
            }
        }
    }
}

/// The largest numbers overflow no estimate of the largest shapes.
#[test]
fn estimates_do_not_overflow() {
    let (most, least) = (*CostModel::WEIGHTS.end(), *CostModel::WEIGHTS.start());
    for (scale, weight) in [(*CostModel::SCALES.end(), most), (*CostModel::SCALES.start(), least)] {
        let model = kept(classes().fold(CostModel::DEFAULT, |model, (bits, lanes)| {
            let model = model.with_scale(bits, lanes, scale).unwrap();
            Method::ALL.into_iter().fold(model, |m, method| m.with_weights(method, bits, lanes, [weight; 3]).unwrap())
        }));
        let request = Request::new(1 << 17, 998244353).cost_model(model);
        assert!(request.decide_any().unwrap().estimated_cycles() > 0);
        let slots = request.depth(5).backend(Backend::Scalar).method(Method::Solinas).candidates(64).unwrap();
        assert!(slots.iter().all(|(_, recipe)| recipe.as_ref().map_or(1, |r| r.estimated_cycles()) > 0));
    }
}

#[test]
fn equal_models_are_one_key() {
    let planner = Planner::new();
    let request = Request::new(64, 12289);
    let plan = planner.plan::<i16>(&request).unwrap();
    assert!(Arc::ptr_eq(&plan, &planner.plan(&request.cost_model(kept(CostModel::DEFAULT))).unwrap()));
    let model = || kept(any_model(3));
    let other = planner.plan::<i16>(&request.cost_model(model())).unwrap();
    assert!(!Arc::ptr_eq(&plan, &other));
    assert!(Arc::ptr_eq(&other, &planner.plan(&request.cost_model(model())).unwrap()));
    assert_eq!(planner.len(), 2);
}

/// Words go from plan to plan where both compute the same, whatever they were chosen by.
#[test]
fn plans_of_the_same_transform_take_each_others_products() {
    let request = Request::new(64, 12289).depth(6).method(Method::Montgomery);
    let plan = |request: Request| Plan::<i16>::with(&request).unwrap();
    let (one, other) = (plan(request), plan(request.cost_model(kept(any_model(5)))));
    let product = one.pointwise(vec![0; 64], &[1; 64], &[1; 64]);
    assert_eq!(other.inverse_product(product).len(), 64);
}
