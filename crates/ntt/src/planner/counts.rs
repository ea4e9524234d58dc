//! Vector operations of transforms and products: those of one group of each pass, times the number
//! of groups.

use crate::{
    model::{Counter, OpCount},
    network::{Direction, Each, Elementwise, Forward, Inverse, Pass, Pointwise, Program, SlotStep, Step},
};

/// The operations of a transform of `vectors` vectors.
pub(super) fn of_transform(
    direction: Direction,
    passes: &[Pass],
    steps: &[Step],
    lanes: usize,
    vectors: usize,
) -> OpCount {
    let mut total = OpCount::new(lanes);
    let mut add = |passes: &[Pass], group: usize, columns: usize| {
        let (mut counter, program) = (Counter::new(lanes), Program::new(passes, steps));
        let run = match direction {
            Direction::Forward => counter.run(Forward { program }, [group, 0]),
            Direction::Inverse => counter.run(Inverse { program }, [group, 0]),
        };
        run.expect("passes that fit the network");
        total.add_times(&counter.count, vectors / group, columns);
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

/// The operations of pointwise products.
pub(super) fn of_products(step: SlotStep, degree: usize, lanes: usize, vectors: usize) -> OpCount {
    let (mut total, mut counter) = (OpCount::new(lanes), Counter { adds_up_wide: step.wide, ..Counter::new(lanes) });
    counter.run(Pointwise { step, degree }, [degree; 2]).expect("whole slots");
    total.add_times(&counter.count, vectors / degree, 1);
    total
}

/// Adds a reduction of every vector.
pub(super) fn add_reduction(total: &mut OpCount, vectors: usize) {
    let mut counter = Counter::new(total.lanes);
    counter.run(Each { how: Elementwise::Reduce }, [1, 0]).expect("no table");
    total.add_times(&counter.count, vectors, 1);
}
