//! Vector operations of transforms and products: those of one group of each pass, times the groups.

use crate::{
    model::OpCount,
    network::{self, Direction, Pass, SlotStep, Step},
};
use alloc::vec;

/// Of a transform of so many vectors.
pub(super) fn of_transform(
    direction: Direction,
    passes: &[Pass],
    steps: &[Step],
    lanes: usize,
    vectors: usize,
) -> OpCount {
    let mut total = OpCount::new(lanes);
    let mut add = |passes: &[Pass], group: usize, columns: usize| {
        let (mut count, mut data) = (OpCount::new(lanes), vec![(); group]);
        let run = match direction {
            Direction::Forward => network::forward(&mut count, &mut data, passes, steps),
            Direction::Inverse => network::inverse(&mut count, &mut data, passes, steps),
        };
        run.expect("passes that fit the network");
        total.add_times(&count, vectors / group, columns);
    };
    for pass in passes {
        let columns = match pass {
            Pass::Twist { vectors, .. } => vectors / pass.group(),
            pass => pass.stride().unwrap_or(1),
        };
        add(&[pass.of_one_group()], pass.group(), columns);
    }
    if passes.is_empty() {
        add(&[], 1, 1);
    }
    total
}

/// Of pointwise products.
pub(super) fn of_products(step: SlotStep, degree: usize, lanes: usize, vectors: usize) -> OpCount {
    let (mut total, mut count) = (OpCount::new(lanes), OpCount::new(lanes));
    let (a, mut c) = (vec![(); degree], vec![(); degree]);
    network::pointwise(&mut count, step, degree, &mut c, [&a, &a]).expect("whole slots");
    total.add_times(&count, vectors / degree, 1);
    total
}

/// Adds a reduction of every vector.
pub(super) fn add_reduction(total: &mut OpCount, vectors: usize) {
    let mut count = OpCount::new(total.lanes);
    network::reduce(&mut count, &mut [()]).expect("no table");
    total.add_times(&count, vectors, 1);
}
