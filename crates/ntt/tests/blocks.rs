//! Transforms that run block by block, against those that run pass by pass, and small tables of large
//! ones.

use reference::ntt as textbook;
use ringwork_ntt::{
    Backend, Buffer, Direction, Method, Pass, Request, Ring, SignedWord,
    arith::nearest_prime,
    internals::{Transform, is_compiled},
};

fn numbers<T: SignedWord>(n: usize, q: u64) -> Vec<T> {
    let number = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7) % (2 * q - 1);
    (0..n as u64).map(|i| T::from_i64(number(i) as i64 - (q as i64 - 1))).collect()
}

/// That what both transforms give is alike, and undone.
fn compare<T: SignedWord>(plain: &Transform<T>, blocked: &Transform<T>, what: &str) {
    let (n, q) = (plain.recipe().n(), plain.recipe().q());
    let input = numbers::<T>(n, q);
    let slots = [plain, blocked].map(|transform| {
        let mut words = Buffer::copy_of(&input);
        transform.forward(words.words_mut());
        transform.canonical(words.words_mut());
        words
    });
    assert_eq!(slots[0].words(), slots[1].words(), "{what}");
    let back = [plain, blocked].map(|transform| {
        let mut words = slots[0].clone();
        transform.inverse(words.words_mut());
        transform.canonical(words.words_mut());
        words
    });
    assert_eq!(back[0].words(), back[1].words(), "{what}");
    assert_eq!(plain.canonical_order(), blocked.canonical_order(), "{what}");
}

/// A product, against the textbook.
fn product<T: SignedWord>(blocked: &Transform<T>, what: &str) {
    let (n, q) = (blocked.recipe().n(), blocked.recipe().q());
    let (a, b) = (numbers::<T>(n, q), numbers::<T>(2 * n, q).split_off(n));
    let mut c = vec![T::default(); n];
    blocked.multiply(&mut c, &a, &b);
    let residues = |words: &[T]| -> Vec<u64> { words.iter().map(|&x| x.into().rem_euclid(q as i64) as u64).collect() };
    let ring = textbook::Ring::named(blocked.recipe().ring().name()).unwrap();
    assert_eq!(residues(&c), ring.product(&residues(&a), &residues(&b), q), "{what}");
}

/// Blocks of one size and of two, down to the smallest.
fn sizes(n: usize) -> [[usize; 2]; 4] {
    [[n / 2, 0], [n / 2, n / 8], [n / 4, n / 16], [n / 8, n / 32]]
}

/// Transforms of that shape, by every method on every backend; gives how many ran by blocks, and how many of
/// these with one table for all blocks.
fn every<T: SignedWord>(request: Request, n: usize, q: u64) -> [usize; 2] {
    let mut ran = [0; 2];
    for backend in Backend::available() {
        for method in Method::ALL {
            let erased = backend.is_array() || !is_compiled(method, T::BITS, backend.lanes(T::BITS));
            // By the erased kernel one method for each number of words of a twiddle.
            if erased && !matches!(method, Method::Montgomery | Method::KRed) {
                continue;
            }
            let request = request.backend(backend).method(method);
            let Ok(plain) = Transform::<T>::with(&request.blocks([0, 0])) else { continue };
            assert!(plain.recipe().blocks().is_empty());
            for blocks in sizes(n) {
                let blocked = Transform::<T>::with(&request.blocks(blocks)).unwrap();
                let recipe = blocked.recipe();
                let what = format!("{:?} {n} {q} {} {} {blocks:?}", recipe.ring(), backend.name(), method.name());
                compare(&plain, &blocked, &what);
                ran[0] += usize::from(!recipe.blocks().is_empty());
                ran[1] += usize::from(recipe.passes().iter().any(|pass| matches!(pass, Pass::Twist { .. })));
                if n <= 256 && blocks == sizes(n)[2] {
                    product(&blocked, &what);
                }
            }
        }
    }
    ran
}

#[test]
fn blocks_change_nothing() {
    for ring in [Ring::Negacyclic, Ring::Cyclic] {
        for (n, q) in [(256, 12289), (512, 12289), (1024, 12289)] {
            let request = Request::new(n, q).ring(ring);
            for [ran, shared] in [every::<i16>(request, n, q), every::<i32>(request, n, q)] {
                assert!(ran > 10 && shared > 10, "{ran} {shared}");
            }
        }
        for (n, bits) in [(256, 50), (512, 50), (256, 60), (512, 60), (1024, 60)] {
            let q = nearest_prime(1 << bits, 2048, 1 << bits).unwrap();
            let [ran, shared] = every::<i64>(Request::new(n, q).ring(ring), n, q);
            assert!(ran > 10 && shared > 10, "{ran} {shared}");
        }
    }
}

#[test]
fn incomplete_transforms_and_other_rings_run_by_blocks_with_their_own_tables() {
    for depth in [6, 7] {
        let [ran, shared] = every::<i32>(Request::new(256, 12289).depth(depth), 256, 12289);
        assert!(ran > 0 && shared == 0);
    }
    let trinomial = Request::new(768, 12289).ring(Ring::Trinomial);
    assert!(every::<i32>(trinomial, 768, 12289)[0] > 0);
    let thirds = Request::new(768, 7681).cyclic().depth(8).thirds(1);
    let [ran, shared] = every::<i32>(thirds, 768, 7681);
    assert!(ran > 0 && shared == 0);
}

/// A transform as it is planned, in blocks, and one that is asked for without.
fn large<T: SignedWord>(n: usize, q: u64) {
    let blocked = Transform::<T>::with(&Request::new(n, q)).unwrap();
    let plain = Transform::<T>::with(&Request::new(n, q).blocks([0, 0])).unwrap();
    compare(&plain, &blocked, &format!("{n} {q}"));
    for direction in [Direction::Forward, Direction::Inverse] {
        let [mut alone, mut together] = [(); 2].map(|()| Buffer::copy_of(&numbers::<T>(n, q)));
        blocked.alone(direction, alone.words_mut());
        blocked.together(direction, together.words_mut());
        assert_eq!(alone.words(), together.words(), "{n} {q} {direction:?}");
    }
}

/// With the feature `threads` on those of the pool, of which every word is what one thread makes it.
#[test]
fn large_transforms_agree_with_what_runs_pass_by_pass() {
    large::<i32>(1 << 18, 998_244_353);
    large::<i32>(1 << 19, 998_244_353);
    large::<i64>(1 << 17, nearest_prime(1 << 50, 1 << 20, 1 << 50).unwrap());
    large::<i64>(1 << 18, nearest_prime(1 << 60, 1 << 20, 1 << 60).unwrap());
}

/// Bytes of the tables of both directions for each coefficient.
fn bytes<T: SignedWord>(n: usize, bits: u32) -> Option<f64> {
    let q = nearest_prime(1 << bits, 1 << 23, 1 << bits).unwrap();
    let transform = Transform::<T>::with(&Request::new(n, q)).unwrap();
    // Vectors of 256 bits have few words of 64 bits; single words have all their twiddles.
    let wide = transform.recipe().lanes() >= 8;
    wide.then(|| (transform.table_words() * size_of::<T>()) as f64 / n as f64)
}

#[test]
fn tables_of_large_transforms_are_small() {
    for (bits, found) in [
        (30, bytes::<i32>(1 << 20, 30)),
        (30, bytes::<i32>(1 << 22, 30)),
        (50, bytes::<i64>(1 << 20, 50)),
        (60, bytes::<i64>(1 << 20, 60)),
    ] {
        if let Some(found) = found {
            assert!(found <= 8.0, "{bits} bits: {found} bytes for each coefficient");
        }
    }
}
