//! Tables 2 and 3 of the LazyNTT paper: cycles of a forward transform.
//!
//! Source: G. Kim, E. Seo, Y. Lee, Y.-S. Kim, J.-S. No, *Lazy Modular Reduction for NTT*,
//! Electronics 13(24):4887, 2024, section 4: AMD Ryzen 9 5950X, GCC without optimisation, one
//! million transforms.

/// Name, and t: one of t products in a row is reduced.
pub(super) const VARIANTS: [(&str, u32); 3] = [("Original", 1), ("SM-LazyNTT", 2), ("SSM-LazyNTT", 3)];

/// The row that the paper does not have: Algorithm 2 in Falcon's own words.
pub(super) const FALCON: &str = "Falcon";

/// A table as printed.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) number: u32,
    pub(super) q: u64,
    /// n, and the cycles of the variants in their order.
    pub(super) rows: &'static [(usize, [f64; 3])],
}

pub(super) const TABLES: [Printed; 2] = [
    Printed {
        number: 2,
        q: 12289,
        rows: &[
            (64, [6255.0, 5660.0, 4514.0]),
            (128, [14187.0, 13000.0, 10287.0]),
            (256, [31889.0, 29258.0, 23230.0]),
            (512, [71041.0, 64843.0, 51384.0]),
            (1024, [156_509.0, 143_297.0, 112_701.0]),
        ],
    },
    Printed {
        number: 3,
        q: 3329,
        rows: &[(32, [6339.0, 5823.0, 4826.0]), (64, [15135.0, 13860.0, 11476.0]), (128, [34636.0, 31469.0, 25816.0])],
    },
];

#[cfg(test)]
mod tests {
    use super::TABLES;

    /// SM/Original and SSM/Original.
    const PRINTED: [&[[f64; 2]]; 2] = [
        &[[0.905, 0.722], [0.916, 0.725], [0.918, 0.728], [0.913, 0.723], [0.916, 0.720]],
        &[[0.919, 0.761], [0.916, 0.758], [0.909, 0.745]],
    ];

    #[test]
    fn cycles_give_the_printed_ratios() {
        for (table, printed) in TABLES.iter().zip(PRINTED) {
            assert_eq!(table.rows.len(), printed.len());
            for ((n, [original, sm, ssm]), expected) in table.rows.iter().zip(printed) {
                for (ratio, expected) in [sm / original, ssm / original].into_iter().zip(expected) {
                    // The paper rounds 0.9175 up once.
                    assert!((ratio - expected).abs() < 0.00051, "n = {n}: {ratio}, printed {expected}");
                }
            }
        }
    }
}
