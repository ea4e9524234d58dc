//! What is decided from readings, with clocks that say what the test wants.

use super::*;

/// U4: a first call that is cold, or an interrupt, does not decide how many calls fill a batch.
#[test]
fn short_jobs_are_called_many_times_a_batch() {
    const LEAST: Duration = Duration::from_micros(10);
    let ns = Duration::from_nanos;
    // 0.4 µs a call, of which the first takes 30 µs.
    let mut runs = 0;
    let cold_first = |calls: u32| {
        runs += 1;
        ns(if runs == 1 { 30_000 } else { 400 * u64::from(calls) })
    };
    assert_eq!(calls_per_batch(LEAST, cold_first), (32, ns(12_800)));
    // Every fourth run is interrupted for 50 µs.
    let mut runs = 0;
    let interrupted = |calls: u32| {
        runs += 1;
        ns(400 * u64::from(calls) + if runs % 4 == 2 { 50_000 } else { 0 })
    };
    assert_eq!(calls_per_batch(LEAST, interrupted).0, 32);
    // What is long enough alone is called alone, and what is very long is tried but once.
    assert_eq!(calls_per_batch(LEAST, |calls| ns(12_000) * calls), (1, ns(12_000)));
    let mut runs = 0;
    let very_long = |calls| {
        runs += 1;
        Duration::from_secs(2) * calls
    };
    assert_eq!(calls_per_batch(LEAST, very_long), (1, Duration::from_secs(2)));
    assert_eq!(runs, 1);
}

fn batch(ns: f64, flood: f64) -> Batch {
    let probe = Probe { chain: 1000.0, flood };
    Batch { reading: Reading { ns, tsc: ns, core: ns }, probes: [probe, probe] }
}

/// U4: batches beside a busy neighbour are dropped, unless too few others are left.
#[test]
fn batches_on_a_shared_core_do_not_count() {
    let (clean, busy) = (batch(100.0, 500.0), batch(150.0, 900.0));
    let quiet = quietest([vec![500.0; 30], vec![900.0; 70]].concat().iter().map(|flood| flood / 1000.0).collect());
    assert!(clean.clean(quiet) && !busy.clean(quiet));
    let unsteady = Batch { probes: [clean.probes[0], Probe { chain: 1400.0, flood: 700.0 }], ..clean };
    assert!(!unsteady.clean(quiet), "the length of a cycle is not known");

    let (readings, disturbed) = counted(&[vec![clean; 5], vec![busy; 9]].concat(), quiet);
    assert!(readings.len() == 5 && !disturbed && readings.iter().all(|reading| reading.ns < 101.0));
    let (readings, disturbed) = counted(&[vec![clean; 4], vec![busy; 9]].concat(), quiet);
    assert!(readings.len() == 13 && disturbed);
    let (readings, disturbed) = counted(&[clean; 3], quiet);
    assert!(readings.len() == 3 && !disturbed, "few, but none on a shared core");
}

#[test]
fn a_single_low_probe_is_not_how_quiet_it_is() {
    let mut crowding = vec![0.5; 99];
    crowding.push(0.1);
    assert!((quietest(crowding) - 0.5).abs() < 1e-9);
}

/// U4: rows with a large spread are marked.
#[test]
fn large_spreads_are_marked() {
    let row = |values: [f64; 5], disturbed| {
        let spread = Spread::of(values.into());
        let name = "row".into();
        Row {
            name,
            ns: spread,
            least: spread.low,
            tsc: None,
            core: spread,
            samples: 5,
            dropped: 0,
            disturbed,
            calls: 1,
        }
    };
    let (narrow, wide) = ([99.0, 100.0, 100.0, 101.0, 140.0], [70.0, 80.0, 100.0, 120.0, 130.0]);
    assert!(!row(narrow, false).unsure() && row(wide, false).unsure() && row(narrow, true).unsure());
    assert_eq!(row(wide, false).quality(), "±20.0 %, 5 batches");
}
