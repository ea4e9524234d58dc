//! Transforms along an axis of a matrix of `ndarray`.

use crate::{
    exec::Buffer,
    plan::{Batch, Plan},
    word::Word,
};
use ndarray::{ArrayViewMut2, Axis};

impl<T: Word> Plan<T> {
    /// [`forward`](Self::forward) of every line of a matrix along that axis: along `Axis(1)` each row is a polynomial,
    /// along `Axis(0)` each column. A line has [`ntt_len`](Self::ntt_len) words.
    ///
    /// Nothing is copied first where the matrix fills its memory, in either order of axes, since it then is a
    /// [`Batch`]: with rows for polynomials like [`forward_many`](Self::forward_many), with columns like
    /// [interleaved](Batch::interleaved) polynomials, both with the feature `threads` on all of them. Nor is it where
    /// lines are contiguous, as rows of a part of a matrix are, which are taken one by one. Any other view (columns of a
    /// part of a matrix, every second row or column, reversed lines) is copied to contiguous memory and back.
    ///
    /// - **Order**, **range**, **constant time:** as [`forward_batch`](Self::forward_batch); layout is public.
    /// - **Panics** if there is no such axis, or if lines do not have [`ntt_len`](Self::ntt_len) words.
    ///
    /// ```
    /// use ndarray::{Array2, Axis};
    /// use ringwork_ntt::Plan;
    ///
    /// let plan = Plan::<i32>::new(64, 7681)?;
    /// let mut rows = Array2::from_shape_fn((3, 64), |(i, k)| (5 * i + k) as i32);
    /// let mut columns = rows.t().as_standard_layout().into_owned();
    /// plan.forward_axis(rows.view_mut(), Axis(1));
    /// plan.forward_axis(columns.view_mut(), Axis(0));
    /// assert!(rows.t().iter().zip(&columns).all(|(a, b)| (a - b) % 7681 == 0));
    /// plan.inverse_axis(columns.view_mut(), Axis(0));
    /// assert_eq!(columns[[63, 2]], 73);
    /// # Ok::<(), ringwork_ntt::PlanError>(())
    /// ```
    pub fn forward_axis(&self, matrix: ArrayViewMut2<'_, T>, axis: Axis) {
        self.along(matrix, axis, Self::forward_batch);
    }

    /// [`inverse`](Self::inverse) of every line of a matrix along that axis: see
    /// [`forward_axis`](Self::forward_axis).
    ///
    /// **Order**, **range**, **constant time:** as [`inverse_batch`](Self::inverse_batch). **Panics** as `forward_axis`.
    pub fn inverse_axis(&self, matrix: ArrayViewMut2<'_, T>, axis: Axis) {
        self.along(matrix, axis, Self::inverse_batch);
    }

    fn along(&self, mut matrix: ArrayViewMut2<'_, T>, axis: Axis, run: fn(&Self, &mut [T], Batch)) {
        let words = matrix.len_of(axis);
        self.check_words(words);
        let across = Axis(1 - axis.index());
        let lines = matrix.len_of(across);
        if lines == 0 {
            return;
        }
        if matrix.stride_of(across) < 0 {
            matrix.invert_axis(across); // lines may come in any order
        }
        if let (Ok(stride), Ok(distance)) =
            (usize::try_from(matrix.stride_of(axis)), usize::try_from(matrix.stride_of(across)))
            && let Some(all) = matrix.as_slice_memory_order_mut()
        {
            return run(self, all, Batch::new(lines).stride(stride).distance(distance));
        }
        if matrix.stride_of(axis) == 1 {
            let lines = matrix.lanes_mut(axis).into_iter();
            return lines.for_each(|line| run(self, line.into_slice().expect("contiguous"), Batch::new(1)));
        }
        let mut near = Buffer::zeros(lines * words);
        for (to, line) in near.words_mut().chunks_exact_mut(words).zip(matrix.lanes(axis)) {
            to.iter_mut().zip(line).for_each(|(to, from)| *to = *from);
        }
        run(self, near.words_mut(), Batch::new(lines));
        for (from, line) in near.words().chunks_exact(words).zip(matrix.lanes_mut(axis)) {
            line.into_iter().zip(from).for_each(|(to, from)| *to = *from);
        }
    }
}
