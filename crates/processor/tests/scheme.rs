//! With the same randomness, keys, ciphertexts and messages equal the library's.

use super::{VARIANTS, execute};
use reference::{
    bytes::unpack,
    rlwe::{self, Parameters as Textbook},
};
use ringwork::{
    kem::Scheme as _,
    schemes::rlwe::{self as library, Parameters, Rlwe},
};
use ringwork_processor::{
    Depth, Machine, Set, Variant,
    host::{Layout, minus, times},
    machine::{Event, Word},
    program::{At, source},
    random::Random,
    set::{P1, P2},
};

fn signed(set: &Set, polynomial: &[u16]) -> Vec<i16> {
    polynomial.iter().map(|&c| if c > set.q / 2 { c as i16 - set.q as i16 } else { c as i16 }).collect()
}

fn words(outcome: &ringwork_processor::program::Outcome) -> Vec<Word> {
    outcome.words.iter().map(|word| word.0).collect()
}

fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)).collect()
}

/// The samples that GAUSSIAN-LOAD wrote to a block before any other write: noise.
fn noise(set: &Set, variant: Variant, written: &[(u8, usize, Word)], block: u8) -> Vec<u16> {
    let of_block = written.iter().filter(|(of, ..)| *of == block).take(set.n / 2);
    let words: Vec<Word> = of_block.map(|(.., word)| *word).collect();
    Layout::Coefficients.polynomial(set, variant, &words)
}

/// Keys, a ciphertext and its message of a machine, and of the library with the machine's samples.
pub(crate) fn agrees<P: Parameters>(set: &Set, variant: Variant, depth: Depth) {
    let rlwe = Rlwe::<P>::new();
    let seed = [7; 32];
    let r = set.times_r(1);
    let textbook = Textbook { set: P::NAME, n: set.n, q: set.q.into(), root: set.root };
    let a: Vec<u16> = rlwe::parse(textbook, &seed).into_iter().map(|c| c as u16).collect();
    let mut random = Random(1);
    let r2: Vec<u16> = (0..set.n).map(|_| u16::from(random.bit())).collect();

    // Keys.
    let minus_a = minus(set, &Layout::Slots.words(set, variant, &a));
    let secret = times(set, &Layout::Coefficients.words(set, variant, &r2), r);
    let mut machine = Machine::with_depth(set, variant, depth);
    let mut written = Vec::new();
    let mut see = |_: At, event: Event| {
        if let Event::Write(block, address, word) = event {
            written.push((block, address, word));
        }
    };
    let text = source(variant, "keygen").unwrap();
    let outcome = execute(&mut machine, text, &[minus_a, secret].concat(), &[], &mut see);
    let r1 = noise(set, variant, &written, if variant == Variant::Paper { 1 } else { 0 });
    let as_signed: Vec<i16> = r2.iter().map(|&bit| bit as i16).collect();
    let (secret_key, public_key) = rlwe.keys_with_noise(seed, &signed(set, &r1), &as_signed);
    let read = words(&outcome);
    let (p, secret) = read.split_at(set.n / 2);
    let p_hat = Layout::Slots.polynomial(set, variant, p);
    let packed = &rlwe.public_key_to_bytes(&public_key)[32..];
    let expected: Vec<u16> = unpack(packed, 14, set.n).unwrap().into_iter().map(|c| c as u16).collect();
    assert_eq!(p_hat, expected, "{} {variant:?}: p", set.name);

    // A ciphertext.
    let message: Vec<u8> = (0..set.n / 8).map(|_| random.word() as u8).collect();
    let as_words: Vec<[bool; 2]> = {
        let bits: Vec<u16> = bits(&message).into_iter().map(u16::from).collect();
        Layout::Coefficients.words(set, variant, &bits).into_iter().map(|word| word.map(|bit| bit == 1)).collect()
    };
    let public = [times(set, &Layout::Slots.words(set, variant, &a), r), times(set, p, r)].concat();
    let mut written = Vec::new();
    let see = |_: At, event: Event| {
        if let Event::Write(block, address, word) = event {
            written.push((block, address, word));
        }
    };
    let text = source(variant, "encrypt").unwrap();
    let outcome = execute(&mut machine, text, &public, as_words.as_flattened(), see);
    let blocks = if variant == Variant::Paper { [2, 3, 4] } else { [0, 3, 5] };
    let mut errors = blocks.map(|block| signed(set, &noise(set, variant, &written, block)));
    if variant == Variant::Fast {
        // The message was added when the last samples were written.
        let residues = noise(set, variant, &written, blocks[2]);
        let half = set.q / 2;
        let without =
            residues.iter().zip(bits(&message)).map(|(&c, bit)| if bit { c as i16 - half as i16 } else { c as i16 });
        let centred = without.map(|c| if c > half as i16 { c - set.q as i16 } else { c });
        errors[2] = centred.collect();
    }
    assert!(errors.iter().flatten().all(|c| c.unsigned_abs() < 60));
    let ciphertext = rlwe.encrypt_with_noise(&public_key, &message, &errors.concat());
    let packed = rlwe.ciphertext_to_bytes(&ciphertext);
    let read = words(&outcome);
    for (half, bytes) in read.chunks(set.n / 2).zip(packed.chunks(packed.len() / 2)) {
        let slots = Layout::SlotsForBackward.polynomial(set, variant, half);
        let expected: Vec<u16> = unpack(bytes, 14, set.n).unwrap().into_iter().map(|c| c as u16).collect();
        assert_eq!(slots, expected, "{} {variant:?}: ciphertext", set.name);
    }

    // The message.
    let text = source(variant, "decrypt").unwrap();
    let outcome = execute(&mut machine, text, &[&read[..], secret].concat(), &[], |_, _| ());
    let decoded: Vec<[bool; 2]> = outcome.words.iter().map(|word| word.1).collect();
    assert_eq!(Layout::Result.polynomial(set, variant, &decoded), bits(&message));
    assert_eq!(*rlwe.decrypt_polynomials(&secret_key, &ciphertext), message);
}

#[test]
fn keys_ciphertexts_and_messages_are_the_library_s() {
    for variant in VARIANTS {
        agrees::<library::P1>(&P1, variant, Depth::default());
        agrees::<library::P2>(&P2, variant, Depth::default());
    }
}
