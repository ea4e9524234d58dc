//! The yardstick: a product by its definition, written as a careful programmer would without any
//! transform.
//!
//! `n²` products summed in 64 bits, one reduction per coefficient. All speed-ups of the report are
//! relative to it, not to a version that divides after each product.

/// Whether sums of `n` products fit: `n·q² < 2^63`.
pub(crate) const fn fits(n: usize, q: u64) -> bool {
    q < 1 << 32 && (n as u128 * q as u128 * q as u128) < 1 << 63
}

/// `a·b mod (X^n + 1, q)`.
///
/// **Range:** in `[0, q)`, if sums [fit](fits); out canonical. **Panics** if the lengths differ, or if they do not fit.
pub(crate) fn negacyclic_product(a: &[u32], b: &[u32], q: u32) -> Vec<u32> {
    let n = a.len();
    assert_eq!(b.len(), n, "both factors have n coefficients");
    assert!(fits(n, q.into()), "sums must fit 63 bits");
    let mut sums = vec![0_u64; 2 * n];
    for (i, &x) in a.iter().enumerate() {
        for (sum, &y) in sums[i..i + n].iter_mut().zip(b) {
            *sum += u64::from(x) * u64::from(y);
        }
    }
    let (low, high) = sums.split_at(n);
    let wrapped = low.iter().zip(high).map(|(&l, &h)| (l as i64 - h as i64).rem_euclid(q.into()) as u32);
    wrapped.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_plans() {
        for (n, q) in [(8, 257), (256, 7681), (512, 8_380_417)] {
            let a: Vec<u32> = (0..n).map(|i| (i * i + 5) % q).collect();
            let b: Vec<u32> = (0..n).map(|i| q - 1 - i % q).collect();
            let wide = |v: &[u32]| v.iter().map(|&x| x.into()).collect::<Vec<u64>>();
            let plan = crate::plans::AnyTransform::new(&ntt::Request::new(n as usize, q.into()), None).unwrap();
            assert_eq!(wide(&super::negacyclic_product(&a, &b, q)), plan.product(&wide(&a), &wide(&b)));
        }
    }
}
