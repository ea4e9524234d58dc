//! Transforms: values, memory step by step, cycle counts.

use super::{VARIANTS, cycles, execute, random_polynomial};
use ntt::{Plan, Request, SlotOrder};
use reference::roy::{Direction, Ring, Slips, TABLE_2, TABLE_2_COLUMNS};
use ringwork_processor::{
    Depth, Machine, Set, Variant,
    host::Layout,
    isa::Opcode,
    machine::{Event, Word},
    set::{P1, P2, SETS, SMALL},
};

fn ring(set: &Set) -> Ring {
    Ring { n: set.n, q: set.q.into(), psi: set.root }
}

fn algorithm_2(set: &Set, a: &[u16], direction: Direction) -> Vec<u16> {
    let a: Vec<u64> = a.iter().map(|&c| c.into()).collect();
    let slots = ring(set).algorithm_2(&a, direction, Slips::default(), |_, _| ());
    slots.into_iter().map(|c| c as u16).collect()
}

/// For one, two and three polynomials at once, on both machines: the values of Algorithm 2 and of the engine's
/// transform, and back.
#[test]
fn transforms_are_those_of_the_textbook_and_of_the_engine() {
    for set in SETS.into_iter().chain([SMALL]) {
        // With a small n, the layers of FAST follow one another too closely.
        for variant in VARIANTS.into_iter().filter(|variant| set.n >= 64 || *variant == Variant::Paper) {
            for count in 1..=3 {
                transforms_agree(&set, variant, Depth::default(), count);
            }
        }
    }
}

/// Random polynomials, transformed together: the slots of Algorithm 2 and of the engine, and back from them.
pub(crate) fn transforms_agree(set: &Set, variant: Variant, depth: Depth, count: u8) {
    let request = Request::new(set.n, set.q.into()).root(set.root).depth(set.log_n() as u32);
    let plan = Plan::<i16>::with(&request.slot_order(SlotOrder::Canonical)).unwrap();
    let about = format!("{} {variant:?}, {count} polynomials, {} stages", set.name, depth.stages());
    let polynomials: Vec<Vec<u16>> = (0..count.into()).map(|seed| random_polynomial(set, seed)).collect();
    let blocks: Vec<String> = (0..count).map(|i| format!("M{}", 5 - i)).collect();
    let loads: String = blocks.iter().map(|block| format!("load {block}\n")).collect();
    let data: Vec<Word> = polynomials.iter().flat_map(|a| Layout::Coefficients.words(set, variant, a)).collect();
    let mut machine = Machine::with_depth(set, variant, depth);
    execute(&mut machine, &format!("{loads}fntt {}", blocks.join(", ")), &data, &[], |_, _| ());
    let mut slots = Vec::new();
    for (i, a) in polynomials.iter().enumerate() {
        let values = Layout::Slots.polynomial(set, variant, machine.block(5 - i as u8));
        assert_eq!(values, algorithm_2(set, a, Direction::Forward), "{about}");
        let mut engine: Vec<i16> = a.iter().map(|&c| c as i16).collect();
        plan.forward(&mut engine);
        let canonical = engine.iter().map(|e| e.rem_euclid(set.q as i16) as u16);
        assert!(canonical.eq(values.iter().copied()), "{about}: the engine");
        slots.extend(Layout::SlotsForBackward.words(set, variant, &values));
    }
    let mut machine = Machine::with_depth(set, variant, depth);
    execute(&mut machine, &format!("{loads}intt {}", blocks.join(", ")), &slots, &[], |_, _| ());
    for (i, a) in polynomials.iter().enumerate() {
        assert_eq!(&Layout::Result.polynomial(set, variant, machine.block(5 - i as u8)), a, "{about}: back");
    }
}

/// Table 2 of the paper: after each step memory holds what Algorithm 1 has computed by then for the coefficients of
/// each cell.
#[test]
fn table_2() {
    let a = random_polynomial(&SMALL, 3);
    let polynomial: Vec<u64> = a.iter().map(|&c| c.into()).collect();
    // After each loop, where the first one is the bit-reversed input.
    let reversed = |i: usize| i.reverse_bits() >> (usize::BITS - 4);
    let mut loops = vec![(0..16).map(|i| polynomial[reversed(i)]).collect::<Vec<u64>>()];
    ring(&SMALL).algorithm_1(&polynomial, Direction::Forward, |[m, ..], values| {
        loops.truncate(m.trailing_zeros() as usize);
        loops.push(values.to_vec());
    });

    let mut machine = Machine::new(&SMALL, Variant::Paper);
    let data = Layout::Coefficients.words(&SMALL, Variant::Paper, &a);
    let mut memory = data.clone();
    // The number of writes to an address is the number of its loop.
    let (mut written, mut writes, mut columns) = (vec![0; 8], 0, vec![(data.clone(), vec![0; 8])]);
    // Writes until the columns of the table: two per step, and one in the last loop.
    let ends: Vec<usize> = TABLE_2_COLUMNS
        .iter()
        .map(|&[m, j, k]| {
            let before = 8 * (m.trailing_zeros() as usize - 1);
            before + if m == 16 { j + 1 } else { 2 * (j * (8 / m) + k / m + 1) }
        })
        .collect();
    assert_eq!(ends, [2, 8, 10, 12, 16, 24, 32]);
    execute(&mut machine, "load M2\nfntt M2", &data, &[], |_, event| {
        if let Event::Write(2, address, word) = event {
            writes += 1;
            if writes <= 8 {
                return; // LOAD
            }
            memory[address] = word;
            written[address] += 1;
            if ends.contains(&(writes - 8)) {
                columns.push((memory.clone(), written.clone()));
            }
        }
    });
    assert_eq!(columns.len(), 8);
    let mut cells = 0;
    for (address, row) in TABLE_2.iter().enumerate() {
        for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let pair: Vec<usize> = cell.split(' ').map(|index| index.parse().unwrap()).collect();
            let (memory, written) = &columns[column];
            let values = &loops[written[address]];
            let expected = [pair[1], pair[0]].map(|index| values[index] as u16);
            assert_eq!(memory[address], expected, "address {address}, column {column}");
            cells += 1;
        }
    }
    assert_eq!(cells, 64 - TABLE_2.as_flattened().iter().filter(|cell| cell.is_empty()).count());
}

/// The paper's fixed costs: "667" is 665 here and 1139, and 1048 and 1959; they are the same for any number of
/// polynomials.
#[test]
fn fixed_costs_are_the_paper_s() {
    for (set, [forward, backward]) in [(P1, [665, 1048]), (P2, [1139, 1959])] {
        let (n, k) = (set.n as u64, set.log_n() as u64);
        for (count, blocks) in [(1, "M0"), (2, "M0, M4"), (3, "M0, M4, M5")] {
            let mut machine = Machine::new(&set, Variant::Paper);
            let outcome = execute(&mut machine, &format!("fntt {blocks}\nintt {blocks}"), &[], &[], |_, _| ());
            assert_eq!(cycles(&outcome, Opcode::Fntt), [forward + count * n / 2 * k]);
            assert_eq!(cycles(&outcome, Opcode::Intt), [backward + count * (n / 2 * k + n)]);
        }
    }
    for set in SETS {
        let (n, k) = (set.n as u64, set.log_n() as u64);
        let mut machine = Machine::new(&set, Variant::Fast);
        let outcome = execute(&mut machine, "fntt M0, M1, M2\nintt M3", &[], &[], |_, _| ());
        assert_eq!(cycles(&outcome, Opcode::Fntt), [3 * n / 2 * k + 14]);
        assert_eq!(cycles(&outcome, Opcode::Intt), [n / 2 * k + 14]);
    }
}

/// Section 4: (R1, R4) take the difference and the sum of a butterfly, which go on to (R2, R5) and R3; (R4, R5) are
/// written to k + j, (R2, R3) to k + j + m/2, and in the last loop (R2, R5).
#[test]
fn registers_are_the_paper_s() {
    let data = Layout::Coefficients.words(&SMALL, Variant::Paper, &random_polynomial(&SMALL, 4));
    let mut machine = Machine::new(&SMALL, Variant::Paper);
    execute(&mut machine, "load M0", &data, &[], |_, _| ());
    let mut registers = Vec::new();
    let mut words = Vec::new();
    execute(&mut machine, "fntt M0", &[], &[], |_, event| match event {
        Event::Registers(all) => registers.push(all),
        Event::Write(_, _, word) => words.push((registers.len() - 1, word)),
        _ => (),
    });
    for pair in registers.windows(2) {
        let [[r1, r2, _, r4, _], [_, next2, next3, _, next5]] = [pair[0], pair[1]];
        assert_eq!([next2, next3, next5], [r1, r2, r4]);
    }
    // The word written is in these registers one cycle earlier, when the write port takes it.
    for (i, &(at, word)) in words.iter().enumerate() {
        let [_, r2, r3, r4, r5] = registers[at - 1];
        let expected = if i >= 24 {
            [r5, r2]
        } else if i % 2 == 0 {
            [r5, r4]
        } else {
            [r3, r2]
        };
        assert_eq!(word, expected, "word {i}");
    }
    assert_eq!(words.len(), 32);
}
