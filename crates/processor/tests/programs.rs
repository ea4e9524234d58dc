//! Programs as text, and cycle counts of whole programs.

use super::VARIANTS;
use ringwork_processor::{
    Machine, Variant,
    isa::{Opcode, Refusal},
    machine::{Inputs, RandomWords},
    program::{LONGEST, RunError, assemble, disassemble, line_of, run, source},
    rounds::{Host, round_trips},
    set::{P1, P2, SETS, Set},
};

#[test]
fn programs_and_bytes_are_one_to_one() {
    for variant in VARIANTS {
        for name in ["keygen", "encrypt", "decrypt"] {
            let text = source(variant, name).unwrap();
            let bytes = assemble(text, variant).unwrap();
            let again = disassemble(&bytes, variant);
            assert_eq!(assemble(&again, variant).unwrap(), bytes);
            let code = |text: &str| -> Vec<String> {
                let lines = text.lines().map(|line| line.split(';').next().unwrap());
                lines
                    .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                    .filter(|l| !l.is_empty())
                    .collect()
            };
            assert_eq!(code(&again), code(text));
        }
        // Any bytes survive a round trip.
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(assemble(&disassemble(&all, variant), variant).unwrap(), all);
        for push in 0x10..0x40 {
            for start in 0x80..0x8B {
                let bytes = [push, start];
                assert_eq!(assemble(&disassemble(&bytes, variant), variant).unwrap(), bytes, "{bytes:02x?}");
            }
        }
    }
    assert_eq!(
        assemble("multiply-add M3, M4, M0, M3", Variant::Fast).unwrap(),
        [0x13, 0x10, 0x14, 0x23, 0x89],
        "the newest entry of a queue is the first operand"
    );
}

#[test]
fn errors_say_where_and_what() {
    let message = |text: &str| assemble(text, Variant::Fast).unwrap_err().to_string();
    assert_eq!(message("load M1\n  load M6"), "line 2, column 8: `M6` is no block; blocks are M0 to M5");
    assert_eq!(
        message("add M0, M1, M2"),
        "line 1, column 1: `add` is no instruction of the machine fast but of paper; fast has load, gaussian-load, fntt, \
         intt, read, multiply-add, gaussian-encode-load"
    );
    assert!(
        message("LOAD M0\nmove M1").starts_with("line 2, column 1: `move` is no instruction of the machine fast; ")
    );
    for long in ["byte 0x10".to_owned() + &", 0x10".repeat(LONGEST), "load M1\n".repeat(LONGEST / 2 + 1)] {
        assert!(message(&long).ends_with("a program has at most 65536 bytes, and here it has more"));
    }
    assert_eq!(line_of("\u{feff}load M1\n\nread M1", Variant::Fast, 3), Some(3));
    assert_eq!(message("fntt"), "line 1, column 1: fntt takes 1 to 3 blocks, and here are 0");
    assert_eq!(message("read M1, M2"), "line 1, column 1: read takes 1 block, and here are 2");
    assert_eq!(message("multiply-add M1"), "line 1, column 1: multiply-add takes 4 blocks, and here is 1");
    assert_eq!(
        message("fntt M0 M1"),
        "line 1, column 6: `M0 M1` is no block; blocks are M0 to M5, with commas between"
    );
    assert_eq!(message("load M0,"), "line 1, column 9: `` is no block; blocks are M0 to M5");
    assert_eq!(message("load M+1"), "line 1, column 6: `M+1` is no block; blocks are M0 to M5");
    assert_eq!(message("byte 0x1, 0x+f"), "line 1, column 11: `0x+f` is no byte such as 0x8f");
    assert_eq!(message("byte"), "line 1, column 1: byte takes at least one number such as 0x8f, and here is none");
    assert_eq!(message("byte 0x100"), "line 1, column 6: `0x100` is no byte such as 0x8f");
    assert_eq!(message("; µ\nread  µ"), "line 2, column 7: `µ` is no block; blocks are M0 to M5");
    assert!(assemble("\n ; nothing\n", Variant::Paper).unwrap().is_empty());
}

/// A host recovers after a refused request.
#[test]
fn hosts_recover() {
    let mut host = Host::new(&P1, Variant::Paper, 1);
    let message = host.message();
    assert_eq!(host.encrypt(&message).unwrap_err(), RunError::Starved(Opcode::Load));
    host.keygen().unwrap();
    let encrypted = host.encrypt(&message).unwrap();
    assert_eq!(host.decrypt(&encrypted).unwrap().1, message);
    assert_eq!(format!("{host:?}"), "Host { machine: Machine { set: \"p1\", variant: Paper, .. }, .. }");
}

#[test]
#[should_panic(expected = "q = 1249 = 39·2^5 + 1 has more than 14 bits, or more than 2·5")]
fn sets_that_would_compute_wrongly_are_refused() {
    Machine::new(&Set { name: "bad", n: 16, q: 1249, root: 2, s: 11.32 }, Variant::Paper);
}

#[test]
#[should_panic(expected = "rows of the sampler are too many for q = 97")]
fn sets_with_too_much_noise_are_refused() {
    Machine::new(&Set { name: "bad", n: 16, q: 97, root: 2, s: 53.0 }, Variant::Paper);
}

#[test]
fn programs_that_cannot_go_on_say_why() {
    let outcome = |text: &str| {
        let bytes = assemble(text, Variant::Fast).unwrap();
        let mut inputs = Inputs { data: [].into(), bits: [].into(), random: RandomWords(Box::new(|| None)) };
        run(&mut Machine::new(&P1, Variant::Fast), &bytes, &mut inputs, |_, _| ()).map(|_| ())
    };
    assert_eq!(outcome("load M0\nread M0"), Err(RunError::Starved(Opcode::Load)));
    assert_eq!(outcome("gaussian-load M0\nread M0"), Err(RunError::Starved(Opcode::GaussianLoad)));
    assert_eq!(outcome("byte 0x89"), Err(RunError::Refused(Refusal::Underflow, 0)));
}

/// Whole programs: the paper prints 6.3k and 13.3k to encrypt, 2.8k and 5.8k to decrypt. The bounds
/// are those of its authors' HDL and of its own formula; decryption takes a fixed time.
#[test]
fn whole_programs_take_about_the_paper_s_cycles() {
    let trips = SETS.map(|set| VARIANTS.map(|variant| round_trips(&set, variant, 40, 5).unwrap()));
    for [paper, fast] in &trips {
        assert!(paper.failures <= 10 && fast.failures <= 10);
        assert_eq!(paper.decrypt.least, paper.decrypt.most);
    }
    let means = |set: usize| [0, 1].map(|i| trips[set][i].encrypt.mean());
    assert!(means(0)[0] <= 6280.0 && means(0)[1] <= 3950.0, "{:?}", means(0));
    assert!(means(1)[0] <= 13_200.0 && means(1)[1] <= 8600.0, "{:?}", means(1));
    assert_eq!([trips[0][0].decrypt.least, trips[1][0].decrypt.least], [2864, 5823]);
    assert_eq!([trips[0][1].decrypt.least, trips[1][1].decrypt.least], [1310, 2846]);
    assert_eq!([trips[0][0].failures, trips[0][1].failures, trips[1][0].failures, trips[1][1].failures], [0; 4]);
    assert_eq!([P1.n, P2.n], [SETS[0].n, SETS[1].n]);
}

#[test]
fn a_read_before_the_work_is_not_its_end() {
    for variant in VARIANTS {
        let cycles = |text: &str| {
            let bytes = assemble(text, variant).unwrap();
            let mut machine = Machine::new(&P1, variant);
            let mut inputs = Inputs { data: [].into(), bits: [].into(), random: RandomWords(Box::new(|| None)) };
            run(&mut machine, &bytes, &mut inputs, |_, _| ()).unwrap().cycles
        };
        let work = cycles("fntt M0\nread M0\n");
        assert!(work > 0);
        assert_eq!(cycles("read M0\nfntt M0\nread M0\n"), work);
        assert_eq!(cycles("read M0\n"), 0);
    }
}
