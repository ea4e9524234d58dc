use ringwork::{ring::{Poly, Ring}, schemes::rlwe::P1};

fn multiply(ring: &Ring<P1>, a: &Poly<P1>, b: &Poly<P1>) {
    ring.product(a, b);
}

fn main() {}
