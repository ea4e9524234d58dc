//! The operation counts of Bakkebø's thesis (2020, sections 4.3 and 5.3) and her Theorem 3, by
//! counting.

use ringwork_ntt::internals::{
    model::{Counter, OpCount},
    network::{Forward, Inverse, Pass, Pointwise, Program, SlotStep, Step},
};

/// Products, then additions and subtractions.
type Operations = [u64; 2];

fn operations(count: &OpCount) -> Operations {
    [count.products + count.variable_products, count.additions]
}

fn plus(a: Operations, b: Operations) -> Operations {
    [a[0] + b[0], a[1] + b[1]]
}

/// One transform of `depth` layers, word by word.
fn transform(n: usize, depth: usize, inverse: bool) -> Operations {
    let pass = |first: usize| Pass::Outer { first, levels: 1, stride: n >> (first + 1) };
    let passes: Vec<Pass> = (0..depth).map(pass).collect();
    let (mut counter, steps) = (Counter::new(1), vec![Step::Plain; depth]);
    let program = Program::new(&passes, &steps);
    if inverse { counter.run(Inverse { program }, [n, 0]) } else { counter.run(Forward { program }, [n, 0]) }.unwrap();
    operations(&counter.count)
}

/// The library's pointwise products.
fn slots(n: usize, depth: usize) -> Operations {
    let mut counter = Counter::new(1);
    counter.run(Pointwise { step: SlotStep::default(), degree: n >> depth }, [n; 2]).unwrap();
    operations(&counter.count)
}

/// Pointwise products as the thesis has them: each product that wraps is multiplied by the root on
/// its own, and every product is added to a sum that starts at zero.
fn her_slots(n: usize, depth: usize) -> Operations {
    let (mut count, degree) = (OpCount::new(1), n >> depth);
    for _slot in 0..n / degree {
        for (i, j) in (0..degree).flat_map(|i| (0..degree).map(move |j| (i, j))) {
            count.variable_products += 1;
            if i + j >= degree {
                count.products += 1;
            }
            if degree > 1 {
                count.additions += 1;
            }
        }
    }
    operations(&count)
}

/// Of a product: two forward transforms, slots, one inverse.
fn product(n: usize, depth: usize, slots: Operations, scaling: u64) -> u64 {
    let forward = transform(n, depth, false);
    let all = [forward, forward, slots, transform(n, depth, true), [scaling, 0]];
    all.into_iter().fold([0, 0], plus).iter().sum()
}

#[test]
fn the_parts_are_the_formulas() {
    for r in 3..=12_usize {
        let n = 1_usize << r;
        for k in 1..=r {
            let (big, layers, d) = (n as u64, k as u64, 1_u64 << (r - k));
            assert_eq!(transform(n, k, false), [layers * big / 2, layers * big]);
            // The last layer takes half of the scaling into its own products.
            assert_eq!(transform(n, k, true), [layers * big / 2 + big / 2, layers * big]);
            let hers = if d == 1 { [big, 0] } else { [big * d + big * d / 2 - big / 2, big * d] };
            assert_eq!(her_slots(n, k), hers, "N = 2^{r}, k = {k}");
            // What wraps is added up first, and multiplied by the root once for each coefficient.
            assert_eq!(slots(n, k), [big * d + (d - 1) * big / d, big * (d - 1)]);
        }
    }
}

#[test]
fn theorem_3() {
    for r in 3..=12_usize {
        let n = 1 << r;
        let hers = |k: &usize| product(n, *k, her_slots(n, *k), n as u64 / 2);
        let best = (1..=r).min_by_key(hers).unwrap();
        assert_eq!(
            (best, hers(&best)),
            (r - 1, (9 * r as u64 + 2) << (r - 1)),
            "slots of degree 2 are best, N = 2^{r}"
        );
        // With pointwise products that multiply by the root once for each coefficient, degree 4 is.
        let ours = |k: &usize| product(n, *k, slots(n, *k), 0);
        let best = (1..=r).min_by_key(ours).unwrap();
        assert_eq!((best, ours(&best)), (r - 2, (18 * r as u64 - 3) << (r - 2)), "N = 2^{r}");
        assert!(ours(&best) < hers(&(r - 1)));
    }
}
