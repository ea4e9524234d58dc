//! Plonky3: cyclic, slots canonical and in bit-reversed order. Fields of 31 bits keep residues in Montgomery's form,
//! and are transformed in place, in one column; that of 64 bits as a matrix of one column. Matrices of more columns go by
//! [`Radix2DitParallel`].

use super::{Made, Work, digest, sample};
use p3_baby_bear::BabyBear;
use p3_dft::{Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::{Field, PackedValue, PrimeCharacteristicRing, PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use p3_matrix::{Matrix, bitrev::BitReversibleMatrix, dense::RowMajorMatrix};
use p3_monty_31::{FieldParameters, MontyField31, TwoAdicData};
use std::hint::black_box;

pub(super) fn make(work: Work, n: usize, q: u64) -> Result<Made, String> {
    if let Work::Columns(width) | Work::Extension(width) = work {
        let more = matches!(work, Work::Extension(_));
        return match q {
            BabyBear::ORDER_U64 => Ok(of_matrix::<BabyBear>(n, width, more)),
            KoalaBear::ORDER_U64 => Ok(of_matrix::<KoalaBear>(n, width, more)),
            Goldilocks::ORDER_U64 => Ok(of_matrix::<Goldilocks>(n, width, more)),
            _ => Err("no field of it".into()),
        };
    }
    match q {
        BabyBear::ORDER_U64 => Ok(of_31_bits::<p3_baby_bear::BabyBearParameters>(work, n, q)),
        KoalaBear::ORDER_U64 => Ok(of_31_bits::<p3_koala_bear::KoalaBearParameters>(work, n, q)),
        Goldilocks::ORDER_U64 => of_64_bits(work, n),
        _ => Err("no field of it".into()),
    }
}

fn elements<F: PrimeField64>(n: usize, operand: u64) -> Vec<F> {
    sample(n, F::ORDER_U64, operand).into_iter().map(F::from_u64).collect()
}

/// Transforms of all columns of a matrix, or their low-degree extension by two on a coset. The digest is that of what
/// comes out.
fn of_matrix<F: TwoAdicField + PrimeField64 + Ord>(n: usize, width: usize, more: bool) -> Made {
    let dft = Radix2DitParallel::<F>::default();
    let mut x = RowMajorMatrix::new(elements::<F>(n * width, 1), width);
    if more {
        let extended = move |x: &RowMajorMatrix<F>| dft.coset_lde_batch(x.clone(), 1, F::GENERATOR).inner;
        let digest = digest_of(&extended(&x).values);
        let run = move || {
            black_box(extended(black_box(&x)));
        };
        return (Box::new(run), digest);
    }
    let digest = digest_of(&dft.dft_batch(x.clone()).inner.values);
    let run = move || {
        let taken = std::mem::replace(&mut x, RowMajorMatrix::new(Vec::new(), width));
        x = dft.dft_batch(black_box(taken)).inner;
    };
    (Box::new(run), digest)
}

fn digest_of<F: PrimeField64>(product: &[F]) -> u64 {
    digest(product.iter().map(|x| x.as_canonical_u64()))
}

/// `x·y·by`.
fn pointwise<F: Field>(x: &mut [F], y: &[F], by: Option<F>) {
    let (x, y) = (F::Packing::pack_slice_mut(x), F::Packing::pack_slice(y));
    let by = by.map(F::Packing::from);
    for (x, y) in x.iter_mut().zip(y) {
        *x *= *y;
        if let Some(by) = by {
            *x *= by;
        }
    }
}

fn of_31_bits<P: FieldParameters + TwoAdicData + 'static>(work: Work, n: usize, q: u64) -> Made {
    type F<P> = MontyField31<P>;
    let roots = F::<P>::roots_of_unity_table(n);
    // g^-i = -g^(half - i)
    let back: Vec<Vec<F<P>>> = roots
        .iter()
        .map(|row| (0..row.len()).map(|i| if i == 0 { F::<P>::ONE } else { -row[row.len() - i] }).collect())
        .collect();
    let (a, b) = (elements::<F<P>>(n, 1), elements::<F<P>>(n, 2));
    let (mut x, mut y) = (a.clone(), b.clone());
    let scale = F::<P>::from_u64(n as u64).inverse();
    debug_assert!(q < 1 << 31);
    match work {
        Work::Columns(_) | Work::Extension(_) => unreachable!("matrices are made by `of_matrix`"),
        Work::Forward => (Box::new(move || F::<P>::forward_fft(black_box(&mut x), &roots)), 0),
        Work::Unscaled => (Box::new(move || F::<P>::backward_fft(black_box(&mut x), &back)), 0),
        Work::Inverse => {
            let run = move || {
                F::<P>::backward_fft(black_box(&mut x), &back);
                <F<P> as Field>::Packing::pack_slice_mut(&mut x).iter_mut().for_each(|x| *x *= scale);
            };
            (Box::new(run), 0)
        }
        Work::Product => {
            let product = move |x: &mut [F<P>], y: &mut [F<P>]| {
                x.copy_from_slice(black_box(&a));
                y.copy_from_slice(black_box(&b));
                F::<P>::forward_fft(x, &roots);
                F::<P>::forward_fft(y, &roots);
                pointwise(x, y, Some(scale));
                F::<P>::backward_fft(x, &back);
            };
            product(&mut x, &mut y);
            let digest = digest_of(&x);
            (Box::new(move || product(black_box(&mut x), &mut y)), digest)
        }
    }
}

fn of_64_bits(work: Work, n: usize) -> Result<Made, String> {
    type F = Goldilocks;
    let dft = Radix2DitParallel::<F>::default();
    let (a, b) = (elements::<F>(n, 1), elements::<F>(n, 2));
    let column = |values: &[F]| RowMajorMatrix::new_col(values.to_vec());
    let mut x = column(&a);
    Ok(match work {
        Work::Forward => {
            let run = move || {
                let taken = std::mem::replace(&mut x, RowMajorMatrix::new_col(Vec::new()));
                x = dft.dft_batch(black_box(taken)).inner;
            };
            (Box::new(run), 0)
        }
        Work::Inverse => {
            let run = move || {
                let taken = std::mem::replace(&mut x, RowMajorMatrix::new_col(Vec::new()));
                x = dft.idft_batch(black_box(taken));
            };
            (Box::new(run), 0)
        }
        Work::Unscaled => return Err("its inverse is scaled".into()),
        Work::Columns(_) | Work::Extension(_) => unreachable!("matrices are made by `of_matrix`"),
        Work::Product => {
            let product = move || {
                let [mut x, y] = [&a, &b].map(|values| dft.dft_batch(column(black_box(values))).inner);
                pointwise(&mut x.values, &y.values, None);
                dft.idft_batch(x.bit_reverse_rows().to_row_major_matrix())
            };
            let digest = digest_of(&product().values);
            let run = move || {
                black_box(product());
            };
            (Box::new(run), digest)
        }
    })
}
