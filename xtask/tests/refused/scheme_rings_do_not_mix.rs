use ringwork::{ring::{NttPoly, Ring}, schemes::rlwe::{P1, P2}};

fn multiply(ring: &Ring<P1>, a: &NttPoly<P1>, b: &NttPoly<P2>) {
    ring.product(a, b);
}

fn main() {}
