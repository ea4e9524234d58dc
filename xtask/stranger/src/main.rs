//! A product of polynomials and a shared key, by the crates as they are packed.
#![forbid(unsafe_code)]

use ringwork::{ct::sys_rng, schemes::nttru::Nttru};
use ringwork_ntt::Plan;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // (1 + X)·X^255 = X^255 - 1 modulo X^256 + 1.
    let plan = Plan::<i16>::new(256, 3329)?;
    let (mut a, mut b, mut c) = ([0; 256], [0; 256], [0; 256]);
    (a[0], a[1], b[255]) = (1, 1, 1);
    plan.multiply(&mut c, &a, &b);
    assert_eq!((c[0], c[255]), (3328, 1));
    assert!(c[1..255].iter().all(|&x| x == 0));

    let (nttru, mut rng) = (Nttru::new(), sys_rng());
    let (secret, public) = nttru.keygen(&mut rng);
    let (ciphertext, shared) = nttru.encapsulate(&public, &mut rng);
    assert!(nttru.decapsulate(&secret, &ciphertext)? == shared);
    println!("a product and a shared key by the packed crates");
    Ok(())
}
