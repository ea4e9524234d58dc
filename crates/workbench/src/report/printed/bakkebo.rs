//! Tables 5.1 and 6.2 of Bakkebø's thesis: log2 of clock ticks.
//!
//! Source: A. Bakkebø, master's thesis, 2020.

/// log2 N, and log2 of the clock ticks of a normal and of an NTT multiplication: q = 12289, 2.3 GHz
/// 8-core Intel Core i9, mean of 40 products.
pub(crate) const TABLE_5_1: [(u32, f64, f64); 14] = [
    (3, 0.38, 0.26),
    (4, 1.72, 1.17),
    (5, 3.51, 2.30),
    (6, 5.45, 3.43),
    (7, 7.46, 4.48),
    (8, 9.47, 5.58),
    (9, 11.51, 6.66),
    (10, 13.48, 7.78),
    (11, 15.46, 8.95),
    (12, 17.48, 10.08),
    (13, 19.44, 11.09),
    (14, 21.48, 12.30),
    (15, 23.47, 13.70),
    (16, 25.47, 15.22),
];

/// log2 N, and log2 of the clock ticks of a commitment by normal and by NTT multiplication: k = 8, l = 4, d = 3,
/// q = 12289, memory on the stack.
pub(crate) const TABLE_6_2: [(u32, f64, f64); 12] = [
    (2, 7.62, 7.61),
    (3, 7.53, 7.51),
    (4, 7.73, 7.60),
    (5, 8.18, 7.69),
    (6, 9.22, 7.93),
    (7, 10.85, 8.38),
    (8, 12.73, 9.02),
    (9, 14.71, 9.88),
    (10, 16.76, 10.88),
    (11, 18.69, 11.83),
    (12, 20.67, 12.92),
    (13, 22.67, 13.99),
];

#[cfg(test)]
mod tests {
    use super::{super::transcript, TABLE_5_1, TABLE_6_2};

    const TEXT: &str = include_str!("bakkebo.txt");

    #[track_caller]
    fn is_printed(table: &[(u32, f64, f64)], number: &str) {
        let title = format!("Table {number}: Running time using normal multiplication and NTT");
        let here: Vec<_> =
            table.iter().map(|(n, normal, ntt)| (format!("2^{n}"), vec![Some(*normal), Some(*ntt)])).collect();
        assert_eq!(transcript::rows(TEXT, &title), here);
    }

    #[test]
    fn table_5_1_is_that_of_the_thesis() {
        is_printed(&TABLE_5_1, "5.1");
    }

    #[test]
    fn table_6_2_is_that_of_the_thesis() {
        is_printed(&TABLE_6_2, "6.2");
    }

    fn row(table: &[(u32, f64, f64)], log_n: u32) -> [f64; 2] {
        let (_, normal, ntt) = *table.iter().find(|(n, ..)| *n == log_n).unwrap();
        [normal, ntt]
    }

    /// The factors of the text, sections 5.5 and 6.6.
    #[test]
    fn ticks_give_the_factors_of_the_text() {
        let gain = |table: &[(u32, f64, f64)], log_n| {
            let [normal, ntt] = row(table, log_n);
            normal - ntt
        };
        let said = transcript::rows(TEXT, "Times as fast, by the text (5.5, 6.6)");
        let [(at_13, of_13), (at_16, of_16)] = &said[..] else { panic!("two rows") };
        assert_eq!([&at_13[..], &at_16[..]], ["2^13", "2^16"]);
        for (table, exponent) in [&TABLE_5_1[..], &TABLE_6_2[..]].into_iter().zip(of_13) {
            assert!((gain(table, 13) - exponent.unwrap()).abs() < 0.005);
        }
        // "Roughly 1 000 times" is 1,218.
        assert!((gain(&TABLE_5_1, 16).exp2() / of_16[0].unwrap() - 1.218).abs() < 0.001);
    }

    /// A normal product takes four times the ticks for twice the degree; one by NTT a little more than twice, and more
    /// from N = 2^13 on, where q has no deeper transform and slots get longer.
    #[test]
    fn products_go_with_the_degree() {
        for pair in TABLE_5_1.windows(2) {
            let [(n, normal, ntt), (_, twice_normal, twice_ntt)] = pair else { unreachable!("windows of two") };
            let growth = [twice_normal - normal, twice_ntt - ntt];
            assert!(*n < 5 || (1.93..2.05).contains(&growth[0]), "2^{n}: {growth:?}");
            let long_slots = *n >= 13;
            assert_eq!(long_slots, growth[1] > 1.2, "2^{n}: {growth:?}");
            assert!((0.9..1.55).contains(&growth[1]), "2^{n}: {growth:?}");
        }
    }

    /// A commitment has 19 products, and takes half of their ticks in Table 5.1 and 178 more: its program halves the
    /// time, as for a pair of products (`ERRATA.md`). By transforms it has 34 of them and 19 products of slots, where a
    /// product has three and one; so twice its ticks are those of 34/3 to 19 products.
    #[test]
    fn table_6_2_counts_half_the_ticks_of_table_5_1() {
        const MORE: f64 = 178.0;
        for (n, normal, ntt) in TABLE_6_2.iter().filter(|(n, ..)| *n >= 3) {
            let [product, by_ntt] = row(&TABLE_5_1, *n).map(f64::exp2);
            let ratio = normal.exp2() / (19.0 / 2.0 * product + MORE);
            assert!((ratio - 1.0).abs() < 0.045, "2^{n}: {ratio}");
            if *n >= 5 {
                let products = 2.0 * (ntt.exp2() - MORE) / by_ntt;
                assert!((34.0 / 3.0..19.0).contains(&products), "2^{n}: {products}");
            }
        }
        // Where products cost nothing, both ways take those 178: within 12 % for N = 4.
        let least = row(&TABLE_6_2, 2).map(f64::exp2);
        assert!(least.iter().all(|ticks| (MORE..1.12 * MORE).contains(ticks)), "{least:?}");
    }
}
