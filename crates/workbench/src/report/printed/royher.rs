//! Royher's table of chapter 5: seconds of key generation, encryption and decryption of one polynomial.
//!
//! Source: A. Royher, *Implementing Lattice-Based Cryptography*, 2022, chapter 5: `m = n = 32`, `p = 3`. Its programs
//! take `β = 2`.

/// N, q, and the seconds with NTL's MulMod, the thesis' NTT, and schoolbook.
pub(crate) const SECONDS: [(usize, u64, [Option<f64>; 3]); 6] = [
    (256, 7681, [Some(1.60), Some(3.62), Some(7.76)]),
    (512, 12289, [Some(1.70), Some(4.99), Some(29.61)]),
    (1024, 12289, [Some(1.91), Some(8.22), Some(116.7)]),
    (4096, 12289, [Some(4.40), Some(39.53), None]),
    (8192, 65537, [Some(9.91), Some(86.55), None]),
    (16384, 65537, [Some(15.25), Some(178.45), None]),
];

/// What the thesis measured on (chapter 5), and how its makefiles compile.
pub(crate) const MACHINE: &str = "an Intel i7-1165G7 at 2.8 GHz, g++ -g -O2 -march=native";

#[cfg(test)]
mod tests {
    use super::{super::transcript, SECONDS};

    /// Products of the program: A·s, A transposed times r, and two inner products.
    const PRODUCTS: f64 = 2112.0;

    #[test]
    fn the_table_is_that_of_chapter_5() {
        let text = include_str!("royher.txt");
        let again = transcript::rows(text, "Table of chapter 5: m = 32, n = 32, p = 3");
        let here = SECONDS.map(|(n, q, seconds)| (n.to_string(), [&[Some(q as f64)], &seconds[..]].concat()));
        assert_eq!(again, here);
    }

    /// q is the smallest prime that is 1 modulo 2N, as the thesis' `generate_prime(2N)` computes it, but for 4096.
    #[test]
    fn moduli_are_those_of_the_program() {
        let smallest = |step: u64| (1..).map(|k| k * step + 1).find(|&q| ntt::arith::is_prime(q)).unwrap();
        let other: Vec<_> = SECONDS.iter().filter(|(n, q, _)| smallest(2 * *n as u64) != *q).collect();
        assert_eq!(
            other.iter().map(|(n, q, _)| (*n, *q, smallest(2 * *n as u64))).collect::<Vec<_>>(),
            [(4096, 12289, 40961)]
        );
    }

    /// Schoolbook takes the same time for each product of coefficients at every degree, and transforms nearly so for
    /// each butterfly: three transforms of N·log2(N)/2 for a product, and two seconds whatever the degree.
    #[test]
    fn seconds_go_with_the_work() {
        for (n, _, [_, ntt, schoolbook]) in SECONDS {
            let each = |seconds: f64, work: f64| 1e9 * seconds / (PRODUCTS * work);
            let n = n as f64;
            if let Some(seconds) = schoolbook {
                let of_coefficients = each(seconds, n * n);
                assert!((52.0..56.5).contains(&of_coefficients), "N = {n}: {of_coefficients} ns");
            }
            // What does not depend on the degree is about two seconds.
            let of_butterflies = each(ntt.unwrap() - 2.0, 1.5 * n * n.log2());
            assert!((190.0..262.0).contains(&of_butterflies), "N = {n}: {of_butterflies} ns");
        }
    }

    /// The order of the three at each degree, and in each column.
    #[test]
    fn mulmod_is_before_ntt_before_schoolbook() {
        for (_, _, seconds) in SECONDS {
            assert!(seconds.iter().flatten().is_sorted());
        }
        assert!((0..3).all(|way| SECONDS.iter().filter_map(|(.., seconds)| seconds[way]).is_sorted()));
        assert_eq!(SECONDS.iter().filter(|(.., seconds)| seconds[2].is_none()).count(), 3);
    }
}
