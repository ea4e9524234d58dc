//! Passphrases that nobody has to think of: 128 random bits, spoken as eight words of five letters.
//!
//! Source: Wilkerson, *A proposal for proquints: identifiers that are readable, spellable, and pronounceable* (2009).

use age::secrecy::SecretString;
use ringwork::ct::{SecretBytes, sys_rng};
use zeroize::Zeroizing;

const WORDS: usize = 8;
/// Letters of a word.
const LETTERS: usize = 5;
const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

/// A fresh one.
pub(super) fn random() -> SecretString {
    let bytes = SecretBytes::<{ 2 * WORDS }>::random(&mut sys_rng());
    let mut text = Zeroizing::new(String::with_capacity(WORDS * (LETTERS + 1)));
    for pair in bytes.as_chunks().0 {
        if !text.is_empty() {
            text.push('-');
        }
        text.extend(word(u16::from_be_bytes(*pair)).map(char::from));
    }
    SecretString::from(text.as_str())
}

/// Consonants tell four bits, vowels two.
fn word(number: u16) -> [u8; LETTERS] {
    let consonant = |shift: u32| CONSONANTS[usize::from(number >> shift & 15)];
    let vowel = |shift: u32| VOWELS[usize::from(number >> shift & 3)];
    [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use age::secrecy::ExposeSecret;

    #[test]
    fn words_are_those_of_the_proposal() {
        // 127.0.0.1 and 63.84.220.193
        let text = |words: [u16; 2]| words.map(|number| String::from_utf8(word(number).to_vec()).unwrap()).join("-");
        assert_eq!(text([0x7F00, 0x0001]), "lusab-babad");
        assert_eq!(text([0x3F54, 0xDCC1]), "gutih-tugad");
    }

    #[test]
    fn passphrases_differ() {
        let [first, second] = [random(), random()];
        assert_eq!(first.expose_secret().len(), WORDS * (LETTERS + 1) - 1);
        assert_ne!(first.expose_secret(), second.expose_secret());
    }
}
