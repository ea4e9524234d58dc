//! Bech32 without tables: what a string says decides no branch and no address.
//!
//! Prefixes are public; so are lengths, and whether a string is one. age has strings of any length, and the checksum
//! of the first version.
//!
//! Source: BIP 173.

use subtle::{ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroizing;

/// The character of each value.
const CHARACTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
const CHECKSUM: usize = 6;
const SEPARATOR: u8 = b'1';

/// The prefix of a key, as it stands there: what is before the last 1. Prefixes of secrets end at the first 1, or at
/// the first behind a hyphen, since the names of plugins may have one.
pub(crate) fn prefix(text: &str) -> Option<&str> {
    const OF_PLUGINS: &str = "age-plugin-";
    let begins = |start: &str| text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    // Byte by byte: whatever searches faster looks behind what it finds.
    let end = if begins(OF_PLUGINS) {
        let names = &text.as_bytes()[OF_PLUGINS.len()..];
        names.windows(2).position(|pair| pair == [b'-', SEPARATOR]).map(|hyphen| OF_PLUGINS.len() + hyphen + 1)
    } else if begins("age-") {
        text.bytes().position(|byte| byte == SEPARATOR)
    } else {
        text.rfind('1')
    };
    // The characters of the format, so that whoever shows one sends a terminal no orders.
    let prefix = &text[..end?];
    prefix.bytes().all(|byte| byte.is_ascii_graphic()).then_some(prefix)
}

/// The bytes behind a prefix.
///
/// **Constant time:** yes, except for the length, and for whether the string is in order. **Errors** say what is
/// wrong, but not where.
pub(crate) fn decode(text: &str, prefix: &str) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    let data = text.as_bytes().get(prefix.len() + 1..).unwrap_or_default();
    if data.len() < CHECKSUM {
        return Err("it is too short");
    }
    let mut values = Zeroizing::new(vec![0; data.len()]);
    let (mut is_known, mut lower, mut upper) = (1_u8, 0_u8, 0_u8);
    for &byte in prefix.as_bytes() {
        lower |= u8::from(byte.is_ascii_lowercase());
        upper |= u8::from(byte.is_ascii_uppercase());
    }
    for (value, &byte) in values.iter_mut().zip(data) {
        let is_upper = byte.ct_gt(&(b'A' - 1)) & !byte.ct_gt(&b'Z');
        let is_lower = byte.ct_gt(&(b'a' - 1)) & !byte.ct_gt(&b'z');
        upper |= is_upper.unwrap_u8();
        lower |= is_lower.unwrap_u8();
        let small = u8::conditional_select(&byte, &(byte | 0x20), is_upper);
        let mut found = 0;
        for (number, character) in (0_u8..).zip(CHARACTERS) {
            let is_it = small.ct_eq(character);
            value.conditional_assign(&number, is_it);
            found |= is_it.unwrap_u8();
        }
        is_known &= found;
    }
    if is_known == 0 {
        return Err("a character does not belong to it");
    }
    if lower & upper != 0 {
        return Err("capital and small letters are mixed");
    }
    if remainder(prefix, &values) != 1 {
        return Err("its checksum is wrong: a character was changed, left out or added");
    }
    let values = &values[..data.len() - CHECKSUM];
    let mut bytes = Zeroizing::new(vec![0; values.len() * 5 / 8]);
    let rest = regroup(values, 5, &mut bytes, 8);
    let spare = values.len() * 5 % 8;
    if spare >= 5 || rest & ((1 << spare) - 1) != 0 {
        return Err("bits are left over");
    }
    Ok(bytes)
}

/// The string of bytes with that prefix, in capital letters if the prefix is.
///
/// **Constant time:** yes, except for the length.
pub(crate) fn encode(prefix: &str, bytes: &[u8]) -> Zeroizing<String> {
    let length = (8 * bytes.len()).div_ceil(5);
    let mut values = Zeroizing::new(vec![0; length + CHECKSUM]);
    let rest = regroup(bytes, 8, &mut values[..length], 5);
    let spare = 5 * length - 8 * bytes.len();
    if spare > 0 {
        values[length - 1] = (rest << spare) as u8 & 31;
    }
    let checksum = remainder(prefix, &values) ^ 1;
    for (value, i) in values[length..].iter_mut().zip((0..CHECKSUM).rev()) {
        *value = (checksum >> (5 * i)) as u8 & 31;
    }
    let case = if prefix.bytes().any(|byte| byte.is_ascii_uppercase()) { 0x20 } else { 0 };
    let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 1 + values.len()));
    text.push_str(prefix);
    text.push(SEPARATOR.into());
    for value in values.iter() {
        let mut character = 0;
        for (number, known) in (0_u8..).zip(CHARACTERS) {
            let known = if known.is_ascii_alphabetic() { known ^ case } else { *known };
            character.conditional_assign(&known, value.ct_eq(&number));
        }
        text.push(character.into());
    }
    text
}

/// The checksum polynomial of prefix and values: 1 for a string in order.
fn remainder(prefix: &str, values: &[u8]) -> u32 {
    let step = |state: u32, value: u8| {
        let top = state >> 25;
        let term = |(i, term)| u32::conditional_select(&0, term, ((top >> i & 1) as u8).into());
        let terms = GENERATOR.iter().enumerate().map(term);
        terms.fold((state & 0x1ff_ffff) << 5 ^ u32::from(value), |state, term| state ^ term)
    };
    let small = prefix.bytes().map(|byte| byte.to_ascii_lowercase());
    let high = small.clone().map(|byte| byte >> 5);
    let prefix = high.chain([0]).chain(small.map(|byte| byte & 31));
    prefix.chain(values.iter().copied()).fold(1, step)
}

/// Writes groups of `from` bits as groups of `to` bits, the highest bit first; returns what does not fill a group.
fn regroup(groups: &[u8], from: u32, out: &mut [u8], to: u32) -> u32 {
    let (mut held, mut bits, mut out) = (0_u32, 0, out.iter_mut());
    for &group in groups {
        held = held << from | u32::from(group);
        bits += from;
        while bits >= to {
            bits -= to;
            if let Some(out) = out.next() {
                *out = (held >> bits) as u8 & ((1_u32 << to) - 1) as u8;
            }
        }
        held &= (1 << bits) - 1;
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the crate `bech32`.
    enum Long {}

    impl bech32::Checksum for Long {
        type MidstateRepr = u32;
        const CODE_LENGTH: usize = usize::MAX;
        const CHECKSUM_LENGTH: usize = CHECKSUM;
        const GENERATOR_SH: [u32; 5] = bech32::Bech32::GENERATOR_SH;
        const TARGET_RESIDUE: u32 = bech32::Bech32::TARGET_RESIDUE;
    }

    #[test]
    fn every_length_is_that_of_the_crate_bech32() {
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i * 31 + 7 * length) as u8).collect();
            for prefix in ["age", "age-secret-key-pq-", "AGE-SECRET-KEY-PQ-", "age1pq", "AGE-PLUGIN-1P-", "age11p"] {
                let hrp = bech32::Hrp::parse_unchecked(prefix);
                let is_upper = prefix.starts_with('A');
                let theirs = if is_upper { bech32::encode_upper::<Long> } else { bech32::encode_lower::<Long> };
                let text = encode(prefix, &bytes);
                assert_eq!(*text, theirs(hrp, &bytes).unwrap());
                assert_eq!(super::prefix(&text), Some(prefix));
                assert_eq!(*decode(&text, prefix).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn what_was_changed_is_refused_as_by_the_crate_bech32() {
        let prefix = "age-secret-key-";
        let text = encode(prefix, &[7; 33]);
        let mut refused = 0;
        for at in 0..text.len() {
            for byte in (0..=255_u8).filter(u8::is_ascii) {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                let changed = String::from_utf8(bytes).unwrap();
                let theirs = bech32::primitives::decode::CheckedHrpstring::new::<Long>(&changed);
                let theirs = theirs.ok().map(|checked| (checked.hrp().to_lowercase(), checked.byte_iter().collect()));
                let ours = super::prefix(&changed).map(str::to_owned).and_then(|found| {
                    decode(&changed, &found).ok().map(|bytes| (found.to_lowercase(), bytes.to_vec()))
                });
                let theirs: Option<(String, Vec<u8>)> = theirs;
                assert_eq!(ours, theirs, "{changed}");
                refused += usize::from(theirs.is_none());
            }
        }
        assert!(refused > text.len() * 100);
    }

    #[test]
    fn capital_and_small_letters_are_not_mixed() {
        let text = encode("AGE-SECRET-KEY-", &core::array::from_fn::<u8, 200, _>(|i| (i * 73) as u8));
        let (prefix, data) = text.split_at("AGE-SECRET-KEY-1".len());
        let is_refused =
            |text: &str| decode(text, super::prefix(text).unwrap()) == Err("capital and small letters are mixed");
        for letter in CHARACTERS.iter().filter(|byte| byte.is_ascii_alphabetic()).map(|&byte| char::from(byte)) {
            let changed = data.replacen(letter.to_ascii_uppercase(), &letter.to_string(), 1);
            assert!(changed != data && is_refused(&format!("{prefix}{changed}")), "{changed}");
        }
        assert!(is_refused(&format!("{prefix}{}", data.to_ascii_lowercase())));
        assert!(is_refused(&format!("{}{data}", prefix.to_ascii_lowercase())));
    }

    #[test]
    fn bits_that_are_left_over_are_zero() {
        // Two groups hold ten bits, and a byte leaves two of them.
        for (groups, spare) in [(2, 2), (4, 4), (5, 1), (7, 3)] {
            for last in 0..32 {
                let mut values = vec![0; groups];
                values[groups - 1] = last;
                let checksum = remainder("a", &[&values[..], &[0; 6]].concat()) ^ 1;
                let sums = (0..6).rev().map(|i| (checksum >> (5 * i)) as u8 & 31);
                let all = values.into_iter().chain(sums).map(|value| char::from(CHARACTERS[usize::from(value)]));
                let text = format!("a1{}", all.collect::<String>());
                assert_eq!(decode(&text, "a").is_ok(), last % (1 << spare) == 0, "{text}");
            }
        }
        let groups = [0; 6].map(|_: u8| 'q').iter().collect::<String>();
        assert!(decode(&format!("a1{groups}"), "a").is_err());
    }
}
