//! What plans take of memory while they are made.

#![forbid(unsafe_code)]

use peak_alloc::PeakAlloc;
use ringwork_ntt::{Plan, Request, Word};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most that was allocated while that plan was made, in parts of what its tables take, and its
/// channels.
fn peak<T: Word>(request: Request) -> (f64, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let plan = Plan::<T>::with(&request).unwrap();
    let most = MEMORY.peak_usage() - before;
    let tables = plan.table_words() * size_of::<T>();
    (most as f64 / tables as f64, plan.crt_recipe().map_or(1, |crt| crt.channels().len()))
}

/// Tables are derived where they stay: nothing of their size lives beside them.
#[test]
fn plans_take_little_more_than_their_tables() {
    let n = 1 << 16;
    let trinomial = Request::new(3 << 14, 12289).ring(ringwork_ntt::Ring::Trinomial);
    for (name, (most, channels), expected) in [
        ("direct", peak::<i32>(Request::new(n, 998244353)), 1),
        ("on one lane", peak::<i64>(Request::new(n, 998244353)), 1),
        ("two channels", peak::<i32>(Request::new(n, 12289)), 2),
        ("three channels", peak::<i32>(Request::new(n, 8380417)), 3),
        ("three parts", peak::<i32>(trinomial), 2),
    ] {
        assert_eq!(channels, expected, "{name}");
        assert!(most < 1.2, "{name}: {most:.2} times the tables");
    }
}
