//! What a plan is, as a number and in a line.

use ringwork_ntt::{
    AnyPlan, Backend, Decision, Direction, Inverter, Method, Plan, Request, Ring, SlotOrder, Step, Word,
};
use std::collections::HashMap;

fn plan<T: Word>(request: Request) -> Plan<T> {
    Plan::with(&request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

fn of<T: Word>(request: Request) -> u64 {
    plan::<T>(request).fingerprint()
}

/// Nothing is left to what the planner prefers.
fn fixed(n: usize, q: u64, depth: u32) -> Request {
    Request::new(n, q).backend(Backend::Scalar).method(Method::Montgomery).depth(depth)
}

/// Whoever must change these numbers gives another meaning to words that others have stored.
#[test]
fn fingerprints_are_the_same_everywhere() {
    let request = fixed(256, 3329, 7).slot_order(SlotOrder::BitReversed);
    assert_eq!(of::<i16>(request), 11_536_658_031_067_510_243);
    let request = fixed(768, 8_380_417, 5).ring(Ring::Cyclic).thirds(1).shift(3).lazy();
    assert_eq!(of::<u32>(request), 10_198_378_343_833_642_652);
}

#[test]
fn equal_plans_have_equal_fingerprints() {
    for request in [Request::new(256, 3329), Request::new(50, 1_000_000), Request::new(64, 0xffff_ffff_0000_0001)] {
        let any = AnyPlan::with(&request).unwrap();
        let same = match any.bits() {
            16 => of::<u16>(request),
            32 => of::<u32>(request),
            _ => of::<u64>(request),
        };
        assert_eq!(any.fingerprint(), same, "with and without a sign");
    }
    let base = fixed(256, 3329, 7);
    assert_eq!(of::<i16>(base), of::<i16>(base.sums(4)), "transforms have room for any sums");
}

/// Each of these differs from the first one, or from the one before it, in one thing that words depend on.
#[test]
fn everything_that_words_depend_on_changes_the_fingerprint() {
    let base = fixed(64, 7681, 4);
    let root = plan::<i32>(base).recipe().unwrap().root();
    let mut known = HashMap::new();
    let mut add = |what: &str, number: u64| {
        let before = known.insert(number, what.to_owned());
        assert_eq!(before, None, "{what} is not covered");
    };
    add("the first one", of::<i32>(base));
    add("bits", of::<i64>(base));
    add("degree", of::<i32>(fixed(128, 7681, 4)));
    add("modulus", of::<i32>(fixed(64, 10753, 4)));
    add("ring", of::<i32>(base.ring(Ring::Cyclic)));
    add("depth", of::<i32>(base.depth(5)));
    add("root", of::<i32>(base.root(7681 - root)));
    add("shift", of::<i32>(base.shift(3)));
    add("canonical order", of::<i32>(base.slot_order(SlotOrder::Canonical)));
    add("bit-reversed order", of::<i32>(base.slot_order(SlotOrder::BitReversed)));
    add("method", of::<i32>(base.method(Method::Barrett)));
    add("reduced slots", of::<i32>(fixed(96, 7681, 4)));
    add("lazy slots", of::<i32>(fixed(96, 7681, 4).lazy()));
    add("layers in thirds", of::<i32>(fixed(96, 7681, 4).thirds(1)));
    // Arrays are there on every machine.
    let mut lanes = [2, 4, 8, 16].into_iter().filter_map(|lanes| {
        let backend = Backend::available().find(|backend| backend.lanes(32) == lanes)?;
        Some((lanes, Plan::<i32>::with(&base.backend(backend)).ok()?.fingerprint()))
    });
    assert!(lanes.clone().count() >= 2);
    lanes.all(|(lanes, number)| {
        add(&format!("{lanes} lanes"), number);
        true
    });

    let recipe = plan::<i32>(base).recipe().unwrap().clone();
    for direction in [Direction::Forward, Direction::Inverse] {
        let schedules = recipe.schedules().clone().with_step(direction, 1, Step::Both);
        let reduced = recipe.with_schedules(schedules).unwrap();
        add("reductions", Plan::<i32>::from_decision(Decision::Direct(reduced)).fingerprint());
    }

    let channels = Request::new(50, 1_000_000).backend(Backend::Scalar);
    let by_channels = plan::<i32>(channels);
    let recipe = by_channels.crt_recipe().expect("no prime");
    add("residue channels", by_channels.fingerprint());
    add("their sums", of::<i32>(channels.sums(recipe.sums() + 1)));
    let mut fewer = recipe.channels().to_vec();
    let last = fewer.pop().unwrap();
    let of_channels = |channels| {
        let recipe = recipe.with_unproved_channels(channels);
        Plan::<i32>::from_decision(Decision::Crt(recipe)).fingerprint()
    };
    add("number of channels", of_channels(fewer.clone()));
    let root = last.root();
    let other = Request::new(last.n(), last.q()).ring(last.ring()).depth(last.depth()).thirds(last.thirds());
    let other = other.backend(Backend::Scalar).method(last.method()).root(last.q() - root);
    fewer.push(other.recipe(32).unwrap());
    add("root of the last channel", of_channels(fewer));
}

#[test]
fn plans_are_printed_in_a_line_that_says_what_they_are() {
    let shown = |plan: Plan<i16>| format!("{plan:?}");
    assert_eq!(
        shown(plan(fixed(256, 3329, 7).slot_order(SlotOrder::BitReversed))),
        "Plan(negacyclic, n = 256, q = 3329, i16, montgomery on scalar, depth 7, bit-reversed)"
    );
    assert_eq!(
        format!("{:#?}", plan::<u32>(fixed(96, 7681, 4).ring(Ring::Cyclic).thirds(1).shift(3))),
        "Plan(cyclic, n = 96, q = 7681, u32, montgomery on scalar, depth 4 and 1 in thirds, shift 3, native)"
    );
    let by_channels = plan::<i32>(Request::new(50, 1_000_000).backend(Backend::Scalar).sums(3));
    let recipe = by_channels.crt_recipe().unwrap();
    let (channels, first) = (recipe.channels().len(), &recipe.channels()[0]);
    assert_eq!(
        format!("{by_channels:?}"),
        format!(
            "Plan(negacyclic, n = 50, q = 1000000, i32, {channels} residue channels, {} on scalar, depth {}, sums of \
             {})",
            first.method(),
            first.depth(),
            recipe.sums()
        )
    );
    let any = AnyPlan::I16(plan(fixed(256, 3329, 7)));
    assert_eq!(
        format!("{any:?}"),
        "I16(Plan(negacyclic, n = 256, q = 3329, i16, montgomery on scalar, depth 7, native))"
    );
    let inverter = Inverter::new(&plan::<i16>(fixed(256, 3329, 7))).unwrap();
    assert_eq!(format!("{inverter:?}"), "Inverter(n = 256, q = 3329, slots of degree 2, montgomery on scalar)");
}
