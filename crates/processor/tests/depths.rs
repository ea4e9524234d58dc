//! Section 5 of the paper: the same results at every depth of the multiplier, and cycles that follow a formula.

use super::{VARIANTS, execute, scheme::agrees, transforms::transforms_agree};
use ringwork::schemes::rlwe::{P1 as LibraryP1, P2 as LibraryP2};
use ringwork_processor::{
    Depth, Machine, Set, Variant,
    depth::{balanced, cycles, fixed_backward, fixed_forward, printed_loop, strategy},
    isa::{BLOCKS, Opcode},
    machine::Event,
    program::{At, source},
    rounds::Host,
    set::{P1, P2, SETS, SMALL},
};

#[test]
fn whole_programs_are_the_library_s_at_every_depth() {
    for depth in Depth::all() {
        for variant in VARIANTS {
            agrees::<LibraryP1>(&P1, variant, depth);
            agrees::<LibraryP2>(&P2, variant, depth);
        }
    }
}

#[test]
fn transforms_are_the_textbook_s_at_every_depth() {
    for depth in Depth::all() {
        for set in [P1, SMALL] {
            transforms_agree(&set, Variant::Paper, depth, 3);
        }
        transforms_agree(&P1, Variant::Fast, depth, 3);
        // The least degree, where the layers of FAST are nearest to one another.
        let n = depth.least_degree(Variant::Fast);
        let root = P1.modulus().pow(P1.root, (P1.n / n) as u64);
        transforms_agree(&Set { name: "least", n, root, ..P1 }, Variant::Fast, depth, 2);
    }
    assert_eq!(
        Depth::all().map(|depth| depth.least_degree(Variant::Fast)).collect::<Vec<_>>(),
        [32, 32, 64, 64, 64, 64, 64, 64, 64, 64, 128, 128]
    );
}

#[test]
#[should_panic(expected = "n = 64 is no power of two from 128 on")]
fn degrees_that_are_too_small_for_the_depth_are_refused() {
    let root = P1.modulus().pow(P1.root, 4);
    Machine::with_depth(&Set { name: "least", n: 64, root, ..P1 }, Variant::Fast, Depth::new(11).unwrap());
}

/// Every instruction whose time is fixed, on both machines, at every depth.
#[test]
fn cycles_follow_the_formula_at_every_depth() {
    let instructions = [
        (Opcode::Load, "load M0", 1),
        (Opcode::EncodeLoad, "encode-load M0", 1),
        (Opcode::Fntt, "fntt M0", 1),
        (Opcode::Fntt, "fntt M0, M2, M5", 3),
        (Opcode::Intt, "intt M0", 1),
        (Opcode::Intt, "intt M1, M2", 2),
        (Opcode::Add, "add M0, M1, M2", 1),
        (Opcode::Cmult, "cmult M0, M1, M2", 1),
        (Opcode::Rearrange, "rearrange M0", 1),
        (Opcode::Read, "read M0", 1),
        (Opcode::MultiplyAdd, "multiply-add M0, M1, M2, M5", 1),
    ];
    for set in SETS {
        for variant in VARIANTS {
            for depth in Depth::all() {
                let mut machine = Machine::with_depth(&set, variant, depth);
                assert_eq!((machine.depth(), machine.set().n), (depth, set.n));
                for (opcode, text, count) in instructions.iter().filter(|(opcode, ..)| opcode.is_of(variant)) {
                    let outcome = execute(&mut machine, text, &vec![[0; 2]; set.n / 2], &vec![true; set.n], |_, _| ());
                    let expected = cycles(depth, variant, *opcode, set.n, *count).unwrap() as u64;
                    assert_eq!(outcome.runs[0].cycles, expected, "{} {variant:?} {depth:?}: {text}", set.name);
                }
                assert_eq!(cycles(depth, variant, Opcode::GaussianLoad, set.n, 1), None);
                assert_eq!(cycles(depth, variant, Opcode::Add, set.n, 1).is_some(), variant == Variant::Paper);
            }
        }
    }
}

/// Appendix B: LOAD and READ take n/2 + ε cycles, ENCODE-LOAD, ADD and CMULT n + ε, REARRANGE less than n, with a small
/// ε that does not depend on n; section 6: the sampler about one cycle a sample.
#[test]
fn instructions_take_the_cycles_of_appendix_b() {
    for set in SETS {
        let of = |opcode| cycles(Depth::SIX, Variant::Paper, opcode, set.n, 1).unwrap();
        let over =
            [(Opcode::Load, 2), (Opcode::Read, 2), (Opcode::EncodeLoad, 1), (Opcode::Add, 1), (Opcode::Cmult, 1)]
                .map(|(opcode, of_word)| of(opcode) - set.n / of_word);
        assert_eq!(over, [2, 4, 2, 8, 13], "{}", set.name);
        assert!(of(Opcode::Rearrange) < set.n);
        let mut machine = Machine::new(&set, Variant::Paper);
        let sampling = execute(&mut machine, "gaussian-load M0", &[], &[], |_, _| ()).runs[0].cycles as f64;
        assert!((1.0..1.15).contains(&(sampling / set.n as f64)), "{sampling}");
    }
}

/// Section 6.1: six blocks with common addresses, of which one word is read and one written in a cycle, at any depth.
#[test]
fn one_word_is_read_and_one_written_in_a_cycle() {
    for depth in Depth::all() {
        let mut machine = Machine::with_depth(&P1, Variant::Paper, depth);
        for name in ["keygen", "encrypt", "decrypt"] {
            let text = source(Variant::Paper, name).unwrap();
            let (mut last, mut busiest, mut blocks) = ((0, 0, [0; 2]), [0; 2], [false; BLOCKS]);
            let data = vec![[0; 2]; 3 * P1.n / 2];
            execute(&mut machine, text, &data, &vec![true; P1.n], |At { started, cycle }, event| {
                let port = match event {
                    Event::Read(block, ..) => Some((0, block)),
                    Event::Write(block, ..) => Some((1, block)),
                    _ => None,
                };
                let Some((port, block)) = port else { return };
                if (last.0, last.1) != (started, cycle) {
                    last = (started, cycle, [0; 2]);
                }
                last.2[port] += 1;
                busiest[port] = busiest[port].max(last.2[port]);
                blocks[usize::from(block)] = true;
            });
            assert_eq!(busiest, [1; 2], "{name}, {depth:?}");
            assert!(name != "encrypt" || blocks == [true; BLOCKS]);
        }
    }
}

/// The paper's fixed costs are those of six stages, and of no other depth.
#[test]
fn fixed_costs_are_those_of_six_stages() {
    let costs = |depth| {
        [(256, [667, 1048]), (512, [1139, 1959])].map(|(n, printed)| {
            let [forward, backward] = printed;
            [fixed_forward(n, depth).abs_diff(forward), fixed_backward(n, depth).abs_diff(backward)]
        })
    };
    assert_eq!(costs(Depth::SIX), [[2, 0], [0, 0]]);
    for depth in Depth::all().filter(|depth| *depth != Depth::SIX) {
        assert!(costs(depth).as_flattened().iter().all(|&off| off > 60), "{depth:?}");
    }
}

/// Cycles of encryption and decryption by depth: with the same samples they differ by what the formula says.
#[test]
fn programs_differ_by_the_formula() {
    for set in [P1, P2] {
        let n = set.n as i64;
        for variant in VARIANTS {
            let trips = |depth| Host::with_depth(&set, variant, depth, 3).round_trips(2).unwrap();
            let six = trips(Depth::SIX);
            for depth in Depth::all() {
                let at = trips(depth);
                assert_eq!((at.digest, at.failures), (six.digest, six.failures), "{} {variant:?} {depth:?}", set.name);
                let stages = depth.stages() as i64 - 6;
                let more =
                    |fixed: fn(usize, Depth) -> usize| fixed(set.n, depth) as i64 - fixed(set.n, Depth::SIX) as i64;
                // Cmult twice and once; of FAST two of multiply-add and a transform, and one of each.
                let [encrypt, decrypt] = match variant {
                    Variant::Paper => [more(fixed_forward) + 2 * stages, more(fixed_backward) + stages],
                    Variant::Fast => [3 * stages, 2 * stages],
                };
                assert_eq!(at.encrypt.sum as i64 - six.encrypt.sum as i64, 2 * encrypt);
                assert_eq!(at.decrypt.least as i64 - six.decrypt.least as i64, decrypt);
                // From 3 stages on the table is interrupted for d + 1 cycles; below, for as many as it has registers.
                if stages == 1 && variant == Variant::Paper {
                    let log_n = set.log_n() as i64;
                    assert_eq!(decrypt, 2 * (log_n + 1) + (n / 4 + 1 - log_n) + n / 4 + 1);
                }
            }
        }
    }
}

/// By the paper's period the deepest pipeline is the best, also with the cycles of the whole program.
#[test]
fn the_least_period_is_the_optimum_of_whole_transforms() {
    for set in [P1, P2] {
        let whole = |depth| cycles(depth, Variant::Paper, Opcode::Fntt, set.n, 3).unwrap() as f64;
        assert_eq!(strategy(whole, balanced).stages(), Depth::MOST);
        // Where another stage gives nothing: the depth before.
        for last in Depth::all() {
            assert_eq!(strategy(whole, |depth| balanced(depth.min(last))), last);
        }
        // Section 5's approximation leaves out what fills and empties the pipeline, loop by loop.
        for depth in Depth::all().filter(|depth| depth.stages() >= 3) {
            let loops: usize = (1..=set.log_n()).map(|i| printed_loop(set.n, 1 << i, depth)).sum();
            let one = cycles(depth, Variant::Paper, Opcode::Fntt, set.n, 1).unwrap();
            assert_eq!(one - loops, 2 + set.log_n() * (3 * depth.reuse() + 12));
        }
    }
}
