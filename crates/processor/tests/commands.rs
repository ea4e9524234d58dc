//! Refused commands, which change nothing.

use super::{VARIANTS, execute, random_polynomial};
use ringwork_processor::{
    Machine, Set, Variant,
    host::Layout,
    isa::{Command, Opcode, Refusal},
    machine::{Inputs, RandomWords, Word},
    random::Random,
    set::{P1, P2, P3},
};

/// A machine with non-zero words in all blocks.
fn filled(variant: Variant) -> Machine {
    let mut machine = Machine::new(&P1, variant);
    let data: Vec<Word> =
        (0..6).flat_map(|seed| Layout::Coefficients.words(&P1, variant, &random_polynomial(&P1, seed))).collect();
    let loads: String = (0..6).map(|block| format!("load M{block}\n")).collect();
    execute(&mut machine, &loads, &data, &[], |_, _| ());
    machine
}

fn memory(machine: &Machine) -> Vec<Vec<Word>> {
    (0..6).map(|block| machine.block(block).to_vec()).collect()
}

fn no_inputs<'a>() -> Inputs<'a> {
    Inputs { data: [].into(), bits: [].into(), random: RandomWords(Box::new(|| None)) }
}

/// All 256 bytes after several states of the queues: the error, and unchanged memory.
#[test]
fn every_byte_is_taken_or_refused() {
    let states: [&[u8]; 5] = [&[], &[0x10], &[0x20], &[0x12, 0x11, 0x10, 0x20, 0x32], &[0x13, 0x11, 0x10, 0x20]];
    for variant in VARIANTS {
        let before = memory(&filled(variant));
        let mut seen = Vec::new();
        for (state, bytes) in states.into_iter().enumerate() {
            let (reads, writes) = [(0, 0), (1, 0), (0, 1), (3, 1), (3, 1)][state];
            let polynomials = if state == 3 { 3 } else { 1 };
            for byte in 0..=255_u8 {
                let mut machine = filled(variant);
                let mut inputs = no_inputs();
                for &byte in bytes.iter().chain([&byte]) {
                    machine.clock(Some(byte), &mut inputs, |_| ());
                }
                let expected = match Command::of(byte) {
                    None => Some(Refusal::Undefined),
                    Some(Command::PushRead(i) | Command::PushWrite(i)) if i > 5 => Some(Refusal::Index),
                    Some(Command::Last(last)) if last > 2 => Some(Refusal::Polynomials),
                    Some(Command::Start(opcode)) if !opcode.is_of(variant) => Some(Refusal::Undefined),
                    Some(Command::Start(opcode)) => {
                        let [r, w] = opcode.operands(variant, polynomials);
                        if r > reads || w > writes {
                            Some(Refusal::Underflow)
                        } else if opcode == Opcode::MultiplyAdd && state == 4 {
                            // M1 and M3 lie in one bank of P1.
                            Some(Refusal::Bank)
                        } else {
                            None
                        }
                    }
                    _ => None,
                };
                assert_eq!(machine.error(), expected, "{byte:#04x} behind {bytes:02x?}");
                seen.extend(expected);
                if expected.is_some() {
                    assert!(!machine.is_busy() && !machine.is_sampling());
                    (0..50).for_each(|_| machine.clock(None, &mut inputs, |_| ()));
                    assert_eq!(memory(&machine), before);
                    machine.clock(Some(Opcode::Read.byte()), &mut inputs, |_| ());
                    assert!(!machine.is_busy(), "the queues were emptied");
                    machine.clock(Some(Command::Clear.byte()), &mut inputs, |_| ());
                    assert_eq!(machine.error(), None);
                }
            }
        }
        let all = [Refusal::Undefined, Refusal::Underflow, Refusal::Index, Refusal::Polynomials];
        assert!(all.iter().all(|refusal| seen.contains(refusal)));
        assert_eq!(seen.contains(&Refusal::Bank), variant == Variant::Fast);
    }
}

/// The machine refuses a start while busy, and the running instruction is not disturbed.
#[test]
fn a_start_while_busy_is_refused() {
    for variant in VARIANTS {
        let (mut machine, mut alone) = (filled(variant), filled(variant));
        let mut inputs = no_inputs();
        for byte in [0x10, 0x30, Opcode::Fntt.byte()] {
            machine.clock(Some(byte), &mut inputs, |_| ());
            alone.clock(Some(byte), &mut inputs, |_| ());
        }
        for cycle in 0..3000 {
            let start = if cycle == 500 { Some(Opcode::Read.byte()) } else { (cycle == 499).then_some(0x13) };
            machine.clock(start, &mut inputs, |_| ());
            alone.clock(None, &mut inputs, |_| ());
            assert_eq!(machine.is_busy(), alone.is_busy());
        }
        assert_eq!(machine.error(), Some(Refusal::Busy));
        assert_eq!(memory(&machine), memory(&alone));
    }
}

/// While the sampler of FAST is running, nothing else may use the input, and a transform in its banks waits.
#[test]
fn sampling_beside_transforms() {
    let mut machine = filled(Variant::Fast);
    let mut random = Random(2);
    let mut inputs = no_inputs();
    inputs.random = RandomWords(Box::new(move || Some(random.nine_bits())));
    // M3 is not in the bank of M0.
    for byte in [0x23, 0x30, Opcode::GaussianLoad.byte(), 0x10, Opcode::Fntt.byte()] {
        machine.clock(Some(byte), &mut inputs, |_| ());
    }
    assert!(machine.is_busy() && machine.is_sampling() && machine.error().is_none());
    machine.clock(Some(0x24), &mut inputs, |_| ());
    machine.clock(Some(Opcode::Load.byte()), &mut inputs, |_| ());
    assert_eq!(machine.error(), Some(Refusal::Busy));

    let cycles_of = |program: &str| {
        let outcome = execute(&mut Machine::new(&P1, Variant::Fast), program, &[], &[], |_, _| ());
        outcome.runs.iter().map(|run| run.cycles).collect::<Vec<_>>()
    };
    let beside = cycles_of("gaussian-load M0, M3\nfntt M2");
    let waiting = cycles_of("gaussian-load M0, M3\nfntt M3");
    assert_eq!(waiting[0], beside[0]);
    // M2 shares the bank of M0 and waits for it, about half of the sampling; M3 waits for all.
    assert!(beside[1] > 1038 + 200 && beside[1] < 1038 + 300, "{beside:?}");
    assert!(waiting[1] > 1038 + waiting[0] - 20, "{waiting:?}");
}

/// Commands come one a cycle: those of the operands, then START.
#[test]
fn runs_begin_with_their_start() {
    for (program, operands) in [("fntt M2", 2), ("gaussian-load M0, M3", 3)] {
        let outcome = execute(&mut Machine::new(&P1, Variant::Fast), program, &[], &[], |_, _| ());
        assert_eq!(outcome.runs[0].start, operands, "{program}");
    }
}

#[test]
fn coefficients_have_the_bits_of_the_modulus() {
    for (set, bits) in [(P1, 13), (P2, 14), (P3, 14)] {
        assert_eq!(set.width(), bits, "{}", set.name);
    }
}

/// A bank has 512 words, and a block n/2.
#[test]
fn blocks_share_banks_where_two_have_room() {
    let banks = |set: &Set| [0, 1, 2, 3, 4, 5].map(|block| set.bank(block));
    assert_eq!(banks(&P1), [0, 1, 0, 1, 0, 1]);
    assert_eq!(banks(&P2), [0, 0, 1, 1, 2, 2]);
    assert_eq!(banks(&P3), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn numbers_below_a_bound_are_all_of_them() {
    let mut random = Random(1);
    let mut counts = [0; 5];
    (0..1000).for_each(|_| counts[random.below(5) as usize] += 1);
    assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
}

#[test]
fn zeroization_leaves_nothing() {
    for variant in VARIANTS {
        for cycles in [1, 17, 400] {
            let mut machine = filled(variant);
            let mut inputs = no_inputs();
            for byte in [0x11, 0x10, 0x31, Opcode::Fntt.byte()] {
                machine.clock(Some(byte), &mut inputs, |_| ());
            }
            (0..cycles).for_each(|_| machine.clock(None, &mut inputs, |_| ()));
            machine.zeroize();
            let mut busy = 0;
            while machine.is_busy() {
                machine.clock(None, &mut inputs, |_| ());
                busy += 1;
            }
            assert!(busy > 512);
            assert!(memory(&machine).iter().flatten().all(|word| *word == [0; 2]));
        }
    }
}

/// A coefficient of q or more is an error, and zero is stored.
#[test]
fn coefficients_beyond_q_are_not_stored() {
    for variant in VARIANTS {
        let mut machine = filled(variant);
        let mut inputs = no_inputs();
        inputs.data = vec![[7681, 5], [7680, 0xffff]].into();
        for byte in [0x20, Opcode::Load.byte()] {
            machine.clock(Some(byte), &mut inputs, |_| ());
        }
        (0..5).for_each(|_| machine.clock(None, &mut inputs, |_| ()));
        assert_eq!(machine.error(), Some(Refusal::Range));
        assert_eq!(machine.block(0)[..2], [[0, 5], [7680, 0]]);
        assert!(machine.is_busy(), "it goes on");
    }
}

/// If a refused command and a coefficient of q or more fall in the same cycle, the command's error is kept; if in two
/// cycles, the first error.
#[test]
fn the_first_error_is_kept() {
    for variant in VARIANTS {
        for (at, expected) in [(1, Refusal::Undefined), (2, Refusal::Undefined), (3, Refusal::Range)] {
            let mut machine = filled(variant);
            let mut inputs = no_inputs();
            inputs.data = vec![[7681, 5]].into();
            for byte in [0x20, Opcode::Load.byte()] {
                machine.clock(Some(byte), &mut inputs, |_| ());
            }
            for cycle in 1..=4 {
                machine.clock((cycle == at).then_some(0x01), &mut inputs, |_| ());
                assert_eq!(inputs.data.is_empty(), cycle >= 2);
            }
            assert_eq!(machine.error(), Some(expected), "{variant:?}, in cycle {at}");
            assert_eq!(machine.block(0)[0], [0, 5]);
        }
    }
}
