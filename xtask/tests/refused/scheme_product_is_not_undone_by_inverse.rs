use ringwork::{ring::{NttPoly, Ring}, schemes::rlwe::P1};

fn undo(ring: &Ring<P1>, a: &NttPoly<P1>, b: &NttPoly<P1>) {
    ring.inverse(ring.product(a, b));
}

fn main() {}
