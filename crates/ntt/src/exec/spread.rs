//! One large transform on several threads: the passes before the largest blocks by columns, and then the
//! blocks, which have nothing to do with one another. What is computed is what one thread computes.

use super::{
    derivation::Sections,
    job::{Operands, Work},
    machine::MAX_ROW,
    run::{Compiled, Run},
};
use crate::{
    network::{
        Blocks, Border, Cross, Crossing, Direction, ForwardColumns, InverseColumns, MAX_ROWS, Pass, Program,
        ToCanonical,
    },
    planner::Recipe,
    reduction::Contract,
    threads::{each, threads},
};
use alloc::vec::Vec;

/// Words of a transform that several threads share at least.
const FEWEST: usize = 1 << 18;

/// Words that one thread takes at a time of a pass over all of them.
const AT_ONCE: usize = 1 << 14;

/// The columns of a group that one thread takes.
struct Task<'a, T> {
    rows: Vec<&'a mut [T]>,
    group: usize,
}

/// Runs a transform on all threads of the pool, if it is large enough; says whether it did.
pub(crate) fn spread<T: Compiled>(
    run: Run<T>,
    recipe: &Recipe,
    contract: &Contract,
    direction: Direction,
    border: Border,
    sections: &Sections,
    words: &mut Operands<'_, T, 1, 0>,
) -> bool {
    let [whole] = &mut words.out;
    let Some(first) = recipe.blocks().first() else { return false };
    let between = &recipe.passes()[..first.pass];
    let plain = between.iter().all(|pass| matches!(pass, Pass::Outer { .. }));
    if whole.len() < FEWEST || threads() == 1 || !plain {
        return false;
    }
    let (table, shared, scaling) = (words.table, words.shared, words.scaling);
    let steps = recipe.schedules().steps(direction);
    let columns = |whole: &mut [T]| {
        for section in &sections.passes {
            let pass = recipe.passes()[section.pass];
            each(tasks(whole, pass, recipe.lanes()), |task: Task<T>| {
                let start = section.start + task.group * section.of_group;
                let table = &table[start..start + section.of_group + MAX_ROW];
                let mut rows = task.rows.into_iter();
                let out: [&mut [T]; MAX_ROWS] = core::array::from_fn(|_| rows.next().unwrap_or_default());
                let mut operands = Operands { out, input: [], table, shared, scaling };
                let (forward, inverse) = (ForwardColumns { pass, steps }, InverseColumns { pass, steps });
                let work = match direction {
                    Direction::Forward => Work::from((&forward, &mut operands)),
                    Direction::Inverse => Work::from((&inverse, &mut operands)),
                };
                T::run(recipe.backend(), contract, work);
            });
        }
    };
    let blocks: Vec<Blocks> =
        recipe.blocks().iter().map(|block| Blocks { pass: block.pass - first.pass, ..*block }).collect();
    let by_blocks = |whole: &mut [T]| {
        let pieces: Vec<_> = whole.chunks_mut(first.vectors * recipe.lanes()).enumerate().collect();
        each(pieces, |(i, piece): (usize, &mut [T])| {
            let [start, words] = sections.blocks;
            let table = &table[start + i * words..start + (i + 1) * words + MAX_ROW];
            let mut operands = Operands { out: [piece], input: [], table, shared, scaling };
            let program = Program { blocks: &blocks, ..Program::new(&recipe.passes()[first.pass..], steps) };
            run(recipe.backend(), contract, &program, &mut operands);
        });
    };
    let cross = |whole: &mut [T], border: Border| {
        if border != Border::default() {
            each(whole.chunks_mut(AT_ONCE).collect(), |piece: &mut [T]| {
                T::run(
                    recipe.backend(),
                    contract,
                    Work::from((&Cross { direction, border }, &mut Operands::new([piece], []))),
                );
            });
        }
    };
    let first = Border { leave: Crossing::None, canonical: ToCanonical::Never, ..border };
    let last = Border { enter: Crossing::None, ..border };
    match direction {
        Direction::Forward => {
            cross(whole, Border { reduce: false, ..first });
            columns(whole);
            by_blocks(whole);
            cross(whole, last);
        }
        Direction::Inverse => {
            cross(whole, first);
            by_blocks(whole);
            columns(whole);
            cross(whole, Border { reduce: false, ..last });
        }
    }
    true
}

/// The groups of a pass between vectors, each cut into columns.
fn tasks<T>(whole: &mut [T], pass: Pass, lanes: usize) -> Vec<Task<'_, T>> {
    let (rows, of_row) = (pass.group(), pass.stride().expect("a pass between vectors") * lanes);
    let at_once = (AT_ONCE / rows).next_multiple_of(lanes);
    let mut tasks: Vec<Task<T>> = Vec::new();
    for (group, words) in whole.chunks_mut(rows * of_row).enumerate() {
        let first = tasks.len();
        for row in words.chunks_mut(of_row) {
            for (i, piece) in row.chunks_mut(at_once).enumerate() {
                if first + i == tasks.len() {
                    tasks.push(Task { rows: Vec::with_capacity(rows), group });
                }
                tasks[first + i].rows.push(piece);
            }
        }
    }
    tasks
}
