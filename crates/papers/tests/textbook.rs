//! LazyNTT beside the textbook: products, and slots in canonical order.

use ntt::Ring;
use papers::lazyntt::{LazyNtt, Wanted};
use reference::ntt as textbook;

#[test]
fn slots_and_products_are_the_textbooks() {
    for (ring, n, q, depth) in [
        (Ring::Negacyclic, 64, 12289, None),
        (Ring::Negacyclic, 256, 3329, None),
        (Ring::Negacyclic, 96, 257, Some(3)),
        (Ring::Cyclic, 32, 257, None),
        (Ring::Trinomial, 48, 7681, None),
        (Ring::Trinomial, 64, 7681, Some(2)),
        (Ring::Negacyclic, 24, 16381, Some(0)),
    ] {
        let ring_of_textbook = textbook::Ring::named(ring.name()).unwrap();
        for t in 1..=3 {
            let lazy = LazyNtt::<i64>::of(Wanted { ring, depth, ..Wanted::new(n, q, t) }.prove(64).unwrap());
            let layers = lazy.proved().usual().depth();
            let residues = |step: u64| (0..n as u64).map(|i| (i * i * step + 3 * i + step) % q).collect::<Vec<_>>();
            let (a, b) = (residues(7919), residues(104_729));
            let words = |a: &[u64]| a.iter().map(|x| *x as i64).collect::<Vec<_>>();

            let definition = textbook::Transform::new(n, q, ring_of_textbook, layers).unwrap();
            let mut a_hat = words(&a);
            lazy.forward(&mut a_hat);
            lazy.canonical(&mut a_hat);
            let mut slots = vec![0; n];
            a_hat.iter().zip(lazy.usual().canonical_order()).for_each(|(x, at)| slots[at] = *x as u64);
            assert_eq!(slots, definition.forward(&a), "{ring}, n = {n}, q = {q}, t = {t}");

            let mut c = vec![0; n];
            lazy.multiply(&mut c, &words(&a), &words(&b));
            assert_eq!(c, words(&ring_of_textbook.product(&a, &b, q)), "{ring}, n = {n}, q = {q}, t = {t}");
        }
    }
}
