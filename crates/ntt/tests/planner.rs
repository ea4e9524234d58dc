//! The cache of plans.

use ringwork_ntt::{Plan, Planner, Request};
use std::{sync::Arc, thread};

#[test]
fn equal_requests_have_one_plan() {
    let planner = Planner::new();
    let request = Request::new(64, 12289);
    let plan = planner.plan::<i16>(&request).unwrap();
    assert!(Arc::ptr_eq(&plan, &planner.plan(&request).unwrap()));
    let others = [request.cyclic(), request.depth(3), request.lazy(), Request::new(64, 257), request.sums(2)];
    for (i, other) in others.iter().enumerate() {
        assert!(!Arc::ptr_eq(&plan, &planner.plan(other).unwrap()));
        assert_eq!(planner.len(), i + 2);
    }
    let wider = planner.plan::<i32>(&request).unwrap();
    assert_eq!((wider.n(), planner.len()), (64, others.len() + 2));
    planner.plan::<i16>(&Request::new(0, 12289)).unwrap_err();
    assert_eq!(planner.len(), others.len() + 2, "refusals are not kept");
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly there are no threads")]
fn threads_share_a_planner() {
    fn shared<T: Send + Sync>(_: &T) {}
    let planner = Planner::new();
    shared(&planner);
    let plans: Vec<Arc<Plan<i32>>> = thread::scope(|scope| {
        let plan = || planner.plan(&Request::new(256, 8380416)).unwrap();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(plan)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(plans.iter().all(|plan| Arc::ptr_eq(plan, &plans[0])));
    assert_eq!(planner.len(), 1);
}
