//! Requests as data, and what others write.

use ringwork_ntt::{AnyPlan, Backend, CostModel, Extension, Method, PlanError, Request, Ring, Rns, SlotOrder};
use serde_json::{Value, from_str, from_value, json, to_value};

fn read(request: Value) -> Result<Request, String> {
    from_value(request).map_err(|error| error.to_string())
}

#[test]
fn requests_come_back() {
    let base = Request::new(256, 3329);
    let mut all = vec![
        base,
        base.depth(3).thirds(0),
        base.best_depth(),
        base.lazy().root(17).shift(5),
        base.sums(u64::MAX).root(u64::MAX).shift(u64::MAX),
        Request::new(768, u64::MAX).ring(Ring::Trinomial).slot_order(SlotOrder::BitReversed),
        Request::new(2, 0),
    ];
    all.extend(Method::ALL.map(|method| base.method(method)));
    all.extend(Ring::ALL.map(|ring| base.ring(ring)));
    all.extend(SlotOrder::ALL.map(|order| base.slot_order(order)));
    all.extend(Backend::available().map(|backend| base.backend(backend)));
    for request in all {
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(from_str::<Request>(&text).unwrap(), request, "{text}");
    }
}

#[test]
fn what_is_written_are_names_and_numbers() {
    let request = Request::new(256, 3329).slot_order(SlotOrder::BitReversed).method(Method::KRed).depth(5);
    let expected = json!({
        "n": 256, "q": 3329, "ring": "negacyclic", "slot_order": "bit-reversed", "depth": 5, "thirds": null,
        "best_depth": false, "method": Method::KRed.name(), "backend": null, "lazy": false, "root": null, "shift": 1,
        "sums": 1
    });
    assert_eq!(to_value(request).unwrap(), expected);
    assert_eq!(to_value(request.backend(Backend::Scalar)).unwrap()["backend"], "scalar");
    assert_eq!(
        to_value((Ring::Cyclic, SlotOrder::Native, Method::Barrett)).unwrap(),
        json!(["cyclic", "native", "barrett"])
    );
    static MEASURED: CostModel = CostModel::DEFAULT;
    assert_eq!(to_value(request.cost_model(&MEASURED)).unwrap(), expected, "costs stay on their machine");
}

#[test]
fn what_is_left_out_is_left_to_the_planner() {
    assert_eq!(read(json!({"n": 64, "q": 7681})), Ok(Request::new(64, 7681)));
    assert_eq!(read(json!({"n": 64, "q": 7681, "sums": 0})), Ok(Request::new(64, 7681).sums(0)));
    assert_eq!(
        read(json!({"n": 64, "q": 7681, "depth": null, "best_depth": true})),
        Ok(Request::new(64, 7681).best_depth())
    );
}

#[test]
fn what_is_no_request_is_refused_with_what_would_work() {
    let with = |name: &str, value: Value| {
        let mut request = json!({"n": 64, "q": 7681});
        request[name] = value;
        read(request).unwrap_err()
    };
    let names = "invalid value: string \"round\", expected the name of ";
    assert_eq!(with("ring", json!("round")), format!("{names}a ring: negacyclic, cyclic, trinomial"));
    assert_eq!(
        with("slot_order", json!("round")),
        format!("{names}an order of slots: native, canonical, bit-reversed")
    );
    assert!(
        with("method", json!("round")).starts_with(&format!("{names}a method of reduction: montgomery, barrett, "))
    );
    assert!(with("backend", json!("round")).starts_with(&format!("{names}a backend of this machine: scalar")));
    assert_eq!(with("methods", json!([])).split(',').next(), Some("unknown field `methods`"));
    assert_eq!(read(json!({"n": 64})).unwrap_err(), "missing field `q`");
    let both = json!({"n": 64, "q": 7681, "depth": 3, "best_depth": true});
    assert_eq!(read(both).unwrap_err(), "depth and best_depth exclude each other: leave one out");
    for (n, ring) in [(0, "cyclic"), ((1 << 30) + 1, "cyclic"), (u64::MAX, "cyclic"), (33, "trinomial")] {
        let refused = read(json!({"n": n, "q": 7681, "ring": ring})).unwrap_err();
        let degree = usize::try_from(n)
            .map(|n| PlanError::Degree { n, ring: if ring == "cyclic" { Ring::Cyclic } else { Ring::Trinomial } });
        assert!(degree.is_err() || refused == degree.unwrap().to_string(), "{refused}");
    }
    for (name, values) in [
        ("n", [json!(-1), json!(1.5), json!("64"), json!(null)]),
        ("q", [json!(-1), json!(1e30), json!([]), json!({})]),
        ("depth", [json!(-1), json!(1_u64 << 32), json!("3"), json!(true)]),
        ("lazy", [json!(0), json!(null), json!("true"), json!([])]),
        ("ring", [json!(0), json!(null), json!(""), json!({"cyclic": null})]),
        ("method", [json!(0), json!(""), json!("Montgomery"), json!("montgomery ")]),
        ("shift", [json!(-1), json!(null), json!(0.5), json!("1")]),
    ] {
        values.into_iter().for_each(|value| drop(with(name, value)));
    }
    assert!(from_str::<Request>(r#"{"n": 64, "n": 64, "q": 7681}"#).is_err(), "twice");
}

/// Whatever passes is refused by the plan at worst.
#[test]
fn hostile_requests_are_refused_and_nothing_panics() {
    let numbers = [0, 1, 2, 61, 62, 63, 64, 255, u64::from(u32::MAX)];
    let large = [0, 1, 7680, 7681, (1 << 62) - 57, 1 << 63, u64::MAX];
    let mut cases = Vec::new();
    for depth in numbers {
        for thirds in numbers {
            cases.push(json!({"n": 96, "q": 7681, "depth": depth, "thirds": thirds}));
        }
        for ring in ["negacyclic", "cyclic", "trinomial"] {
            cases.push(json!({"n": 96, "q": 7681, "ring": ring, "depth": depth}));
            cases.push(json!({"n": 96, "q": 7681, "ring": ring, "thirds": depth}));
        }
    }
    for number in large {
        cases.push(json!({"n": 64, "q": number}));
        cases.push(json!({"n": 64, "q": 7681, "root": number, "lazy": true}));
        for ring in ["negacyclic", "cyclic", "trinomial"] {
            cases.push(json!({"n": 64, "q": 7681, "ring": ring, "shift": number}));
            cases.push(json!({"n": 64, "q": number, "ring": ring, "shift": number, "sums": number}));
        }
    }
    for method in Method::ALL {
        cases.push(json!({"n": 64, "q": u64::MAX, "method": method.name(), "sums": u64::MAX}));
        cases.push(json!({"n": 6, "q": 4, "method": method.name(), "best_depth": true}));
    }
    let mut plans = 0;
    for case in cases {
        let request = read(case.clone()).unwrap_or_else(|error| panic!("{case}: {error}"));
        plans += usize::from(AnyPlan::with(&request).is_ok());
        for bits in [16, 32, 64] {
            let _ = request.decide(bits);
        }
        let _ = Extension::<u32>::new(&request, 2, SlotOrder::BitReversed);
        if let Ok(rns) = Rns::<u32>::of_bits(&request, 40) {
            assert!(case["depth"].as_u64().is_none_or(|depth| depth <= 6), "{case}: {:?}", rns.modulus());
        }
    }
    assert!(plans > 0);
}
