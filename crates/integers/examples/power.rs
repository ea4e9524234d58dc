//! Big integers: a power by squaring, as limbs of 64 bits.
//!
//! `cargo run --release -p ringwork-integers --example power`

#![forbid(unsafe_code)]

/// By the definition: one limb times one limb after the other.
fn schoolbook(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut c = vec![0; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0;
        for (j, &y) in b.iter().enumerate() {
            let sum = u128::from(x) * u128::from(y) + u128::from(c[i + j]) + carry;
            c[i + j] = sum as u64;
            carry = sum >> 64;
        }
        c[i + b.len()] = carry as u64;
    }
    c
}

/// Runs the example; tests do.
pub fn main() {
    // 7^(2^13) by squaring. Limbs stand lowest first; the highest ones of a product may be zero.
    let mut power = vec![7];
    for _ in 0..13 {
        let mut square = ringwork_integers::square(&power);
        square.truncate(square.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1));
        assert_eq!(schoolbook(&power, &power), [&square[..], &vec![0; 2 * power.len() - square.len()]].concat());
        power = square;
    }

    // Times a number of another length.
    let ones = vec![u64::MAX; 1000];
    let product = ringwork_integers::mul(&power, &ones);
    assert_eq!(product.len(), power.len() + 1000);
    assert_eq!(product, schoolbook(&power, &ones));
    println!("7^8192 has {} limbs", power.len());
}
