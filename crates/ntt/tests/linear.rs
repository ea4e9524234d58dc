//! Linear products are those of the school method, whatever their lengths and the part that is wanted.

use ringwork_ntt::{Backend, Linear, PlanError, Request, Word};

/// The product of two polynomials, coefficient by coefficient.
fn school(a: &[i128], b: &[i128], q: i128) -> Vec<i128> {
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            c[i + j] = (c[i + j] + a * b) % q;
        }
    }
    c
}

fn agrees<T: Word>(lengths: [usize; 2], request: Request, q: u64) {
    let [a, b] = [(lengths[0], 7919), (lengths[1], 104_729)].map(|(length, step)| {
        (1..=length as i128).map(|i| i * step * step % i128::from(q.min(1 << 62))).collect::<Vec<_>>()
    });
    let words = |numbers: &[i128]| numbers.iter().map(|x| T::from_i64(*x as i64)).collect::<Vec<_>>();
    let all = school(&a, &b, q.into());
    let linear = match Linear::<T>::with(lengths, &request) {
        // Rings of a few coefficients fill no vectors.
        Err(PlanError::Backend { .. }) => return,
        linear => linear.unwrap(),
    };
    assert_eq!((linear.lengths(), linear.powers()), (lengths, 0..all.len()));
    let (a, b) = (words(&a), words(&b));
    let n = all.len();
    let middle = lengths[0].min(lengths[1]) - 1..lengths[0].max(lengths[1]);
    for part in [0..n, 0..n.div_ceil(2), n / 2..n, middle, n - 1..n, n / 3..n / 3 + 1] {
        let linear = match linear.part(part.clone()) {
            Err(PlanError::Backend { .. }) => continue,
            linear => linear.unwrap(),
        };
        let mut c = vec![T::from_i64(1); part.len()];
        // Twice: the memory of the first product is that of the second.
        for _ in 0..2 {
            linear.multiply(&mut c, &a, &b);
            // Words of 64 bits may leave no room for a sign.
            let numbers: Vec<i128> = c.iter().map(|x| x.to_string().parse().unwrap()).collect();
            assert_eq!(numbers, all[part.clone()], "{linear:?}, {request:?}");
        }
    }
}

#[test]
fn linear_products_are_those_of_the_school_method() {
    for lengths in [[1, 1], [2, 1], [1, 9], [3, 2], [16, 16], [17, 16], [33, 100], [50, 7]] {
        for backend in Backend::available() {
            let request = |q| Request::new(2, q).backend(backend);
            agrees::<i16>(lengths, request(3329), 3329);
            agrees::<u32>(lengths, request(998_244_353), 998_244_353);
        }
        agrees::<i32>(lengths, Request::new(2, 1_000_000_007), 1_000_000_007);
        agrees::<u32>(lengths, Request::new(2, 1_000_000_000), 1_000_000_000);
        agrees::<u64>(lengths, Request::new(2, 0xFFFF_FFFF_0000_0001), 0xFFFF_FFFF_0000_0001);
        agrees::<i64>(lengths, Request::new(2, (1 << 61) - 1), (1 << 61) - 1);
    }
}

/// The ring is no larger than the part needs.
#[test]
fn parts_take_smaller_rings() {
    let whole = Linear::<u32>::new([1000, 700], 998_244_353).unwrap();
    assert_eq!(whole.plan().n(), 2048);
    let middle = whole.part(699..1000).unwrap();
    assert_eq!(middle.plan().n(), 1024);
}

#[test]
fn what_is_no_product_is_refused() {
    for (lengths, part) in [([0, 4], 0..1), ([4, 0], 0..1), ([4, 4], 0..8), ([4, 4], 3..3), ([4, 4], 7..9)] {
        let linear = Linear::<u32>::new([4, 4], 7681).unwrap();
        let refused = if lengths == [4, 4] { linear.part(part) } else { Linear::new(lengths, 7681) };
        let error = refused.unwrap_err();
        assert!(matches!(error, PlanError::Lengths { .. }), "{error}");
        assert!(error.to_string().contains("; take "), "{error}");
    }
    assert!(matches!(Linear::<u32>::new([usize::MAX, 2], 7681), Err(PlanError::Degree { .. })));
    assert!(matches!(Linear::<u32>::new([1 << 30, 1 << 30], 998_244_353), Err(PlanError::Degree { .. })));
    assert!(Linear::<i32>::new([8, 8], 4_293_918_721).is_err());
}
