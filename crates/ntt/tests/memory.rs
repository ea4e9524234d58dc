//! What plans take of memory while they are made, and what threads keep of buffers.

#![forbid(unsafe_code)]

use peak_alloc::PeakAlloc;
use ringwork_ntt::{Buffer, Plan, Request, Word};
use std::{sync::Mutex, thread};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// All threads share the allocator.
static ALONE: Mutex<()> = Mutex::new(());

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

/// A buffer has the memory of the one before, and not its words.
fn what_comes_back_is_zero<T: Word>(word: T) {
    let mut buffer = Buffer::<T>::zeros(1 << 10);
    buffer.words_mut().fill(word);
    let at = buffer.words().as_ptr();
    drop(buffer);
    let again = Buffer::<T>::zeros(1 << 10);
    assert_eq!((again.words().as_ptr(), again.words()), (at, &[T::default(); 1 << 10][..]));
}

/// Tables are derived where they stay: nothing of their size lives beside them.
#[test]
fn plans_take_little_more_than_their_tables() {
    let _alone = ALONE.lock().unwrap();
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

#[test]
fn a_thread_keeps_some_memory_of_its_buffers_until_it_ends() {
    let _alone = ALONE.lock().unwrap();
    let before = MEMORY.current_usage();
    thread::spawn(move || {
        what_comes_back_is_zero(7_u16);
        what_comes_back_is_zero(-7_i32);
        what_comes_back_is_zero(7_u64);
    })
    .join()
    .unwrap();
    for (count, words, most) in
        [(100, 1 << 17, 4 << 20), (100, 1 << 7, 64 << 10), (1, 1 << 19, 4 << 20), (1, 1 << 20, 0)]
    {
        let kept = thread::spawn(move || {
            let before = MEMORY.current_usage();
            drop((0..count).map(|_| Buffer::<u64>::zeros(words)).collect::<Vec<_>>());
            MEMORY.current_usage() - before
        });
        let kept = kept.join().unwrap();
        let slack = 16 << 10;
        assert!((most..=most + slack).contains(&kept), "{kept} bytes are kept of {count} buffers of {words} words");
    }
    thread::spawn(|| {
        // What was given by its owner stays with nobody.
        let before = MEMORY.current_usage();
        drop(Plan::<i32>::new(1 << 12, 998244353).unwrap());
        let kept = MEMORY.current_usage().saturating_sub(before);
        assert!(kept < 8 << 12, "{kept} bytes of a plan are kept");
    })
    .join()
    .unwrap();
    let after = MEMORY.current_usage();
    assert!(after < before + (64 << 10), "{before} bytes before the thread, {after} after it");
}
