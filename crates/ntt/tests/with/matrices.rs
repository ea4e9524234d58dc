//! Lines of a matrix are transformed one by one, whatever its layout.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, Slice};
use ringwork_ntt::{Plan, Request, SlotOrder, Word};

fn filled<T: Word>(rows: usize, columns: usize, q: u64) -> Array2<T> {
    Array2::from_shape_fn((rows, columns), |(i, k)| T::from_i64(((i * 7919 + k * k * 31 + 5) as u64 % q) as i64))
}

/// The lines along that axis, each transformed by itself; canonical, unless the words are no residues.
fn one_by_one<T: Word>(plan: &Plan<T>, matrix: ArrayView2<'_, T>, axis: Axis) -> Vec<Vec<T>> {
    let lines = matrix.lanes(axis).into_iter().map(|line| {
        let mut words = line.to_vec();
        plan.forward(&mut words);
        canonical(plan, words)
    });
    lines.collect()
}

fn canonical<T: Word>(plan: &Plan<T>, mut words: Vec<T>) -> Vec<T> {
    if plan.recipe().is_some() {
        plan.canonical(&mut words);
    }
    words
}

/// Transforms a part of a matrix there and back, and watches the rest of it.
fn agrees<T: Word>(
    plan: &Plan<T>,
    mut whole: Array2<T>,
    axis: Axis,
    part: for<'a> fn(ArrayViewMut2<'a, T>) -> ArrayViewMut2<'a, T>,
) {
    // Of residue channels, words that follow the polynomial come back as zeros.
    part(whole.view_mut()).lanes_mut(axis).into_iter().for_each(|mut line| {
        line.iter_mut().skip(plan.n()).for_each(|word| *word = T::default());
    });
    let before = whole.clone();
    let expected = one_by_one(plan, part(whole.view_mut()).view(), axis);
    plan.forward_axis(part(whole.view_mut()), axis);
    let found: Vec<_> = {
        let view = part(whole.view_mut());
        view.lanes(axis).into_iter().map(|line| canonical(plan, line.to_vec())).collect()
    };
    assert!(found == expected, "{plan:?}, {axis:?}");
    plan.inverse_axis(part(whole.view_mut()), axis);
    assert!(whole == before, "{plan:?}, {axis:?}: what is no part of it stays, and the rest comes back");
}

const END: isize = isize::MAX;

/// From, to and step of rows and columns.
fn cut<T>(mut whole: ArrayViewMut2<'_, T>, rows: [isize; 3], columns: [isize; 3]) -> ArrayViewMut2<'_, T> {
    for (axis, [from, to, step]) in [rows, columns].into_iter().enumerate() {
        whole.slice_axis_inplace(Axis(axis), Slice::new(from, (to != END).then_some(to), step));
    }
    whole
}

fn in_every_layout<T: Word>(request: Request) {
    let plan = Plan::<T>::with(&request).unwrap();
    let (words, q) = (plan.ntt_len(), plan.q());
    for lines in [1, 3, 32] {
        let rows = || filled(lines, words, q);
        let columns = || filled(words, lines, q);
        agrees(&plan, rows(), Axis(1), |whole| whole);
        agrees(&plan, columns(), Axis(0), |whole| whole);
        agrees(&plan, columns(), Axis(1), |whole| whole.reversed_axes());
        agrees(&plan, rows(), Axis(0), |whole| whole.reversed_axes());
        // Views that are turned around.
        agrees(&plan, rows(), Axis(1), |whole| cut(whole, [0, END, -1], [0, END, 1]));
        agrees(&plan, rows(), Axis(1), |whole| cut(whole, [0, END, 1], [0, END, -1]));
        agrees(&plan, columns(), Axis(0), |whole| cut(whole, [0, END, -1], [0, END, -1]));
        // Parts, with something beside every line, and between lines or words.
        agrees(&plan, filled(lines + 2, words + 3, q), Axis(1), |whole| cut(whole, [1, -1, 1], [2, -1, 1]));
        agrees(&plan, filled(words + 1, lines + 5, q), Axis(0), |whole| cut(whole, [1, END, 1], [2, -3, 1]));
        agrees(&plan, filled(2 * lines, 2 * words, q), Axis(1), |whole| cut(whole, [0, END, 2], [0, END, -2]));
        agrees(&plan, filled(lines, 3 * words, q), Axis(1), |whole| cut(whole, [0, END, 1], [0, END, 3]));
    }
}

#[test]
fn lines_are_transformed_in_every_layout() {
    in_every_layout::<i16>(Request::new(64, 7681));
    in_every_layout::<u32>(Request::new(32, 2_013_265_921).slot_order(SlotOrder::BitReversed));
    in_every_layout::<i32>(Request::new(24, 1_000_000)); // by residue channels
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "on WebAssembly a panic ends the program")]
fn lines_of_another_length_are_refused_and_no_lines_are_fine() {
    let plan = Plan::<i32>::new(64, 7681).unwrap();
    plan.forward_axis(Array2::zeros((0, 64)).view_mut(), Axis(1));
    plan.inverse_axis(Array2::zeros((64, 0)).view_mut(), Axis(0));
    for (shape, axis) in [((64, 63), 1), ((63, 64), 0), ((64, 64), 2), ((0, 3), 0)] {
        let refused = std::panic::catch_unwind(|| plan.forward_axis(Array2::zeros(shape).view_mut(), Axis(axis)));
        assert!(refused.is_err(), "{shape:?} along {axis}");
    }
}
