//! Headers: one string of bytes for each object, and nothing else is accepted.

use proptest::prelude::*;
use ringwork::{
    object::{self, DIGEST_RANGE, Description, HEADER_BYTES, Header, Kind, MAX_BODY_BYTES, ObjectError},
    registry::{self, KNOWN},
    xof::Sha3_256,
};

fn commitments() -> &'static Description {
    registry::by_name("bdlop-1024").unwrap()
}

/// Every kind of object of every scheme.
fn samples() -> impl Iterator<Item = (&'static Description, Kind, Vec<u8>)> {
    KNOWN.iter().flat_map(|d| {
        let kinds = Kind::ALL.into_iter().filter(|kind| kind.purpose() == d.purpose);
        kinds.map(move |kind| (d, kind, d.encode(kind, b"some body")))
    })
}

/// Makes the digest right again.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut hash = Sha3_256::default();
    hash.update(&bytes[..DIGEST_RANGE.start]);
    hash.update(&bytes[HEADER_BYTES..]);
    bytes[DIGEST_RANGE].copy_from_slice(&hash.finish());
    bytes
}

/// Accepted bytes are those that encoding writes.
fn is_canonical_or_refused(bytes: &[u8]) {
    if let Ok(object) = registry::decode(bytes) {
        assert_eq!(object.header.description.encode(object.header.kind, object.body), bytes);
    }
}

#[test]
fn the_layout_is_as_documented() {
    let d = registry::by_name("newhope-psi12").unwrap();
    let bytes = d.encode(Kind::ExchangeOffer, b"abc");
    let mut expected = b"RINGWORK".to_vec();
    expected.extend([2, 9, 6, 0, 2, 0, 1, 2, 0, 4, 0, 0]); // version, kind, scheme, parameters, ring, order, n
    expected.extend([12289_u64, 7, 3].iter().flat_map(|x| x.to_le_bytes()));
    assert_eq!(expected.len(), DIGEST_RANGE.start);
    let mut hash = Sha3_256::default();
    hash.update(&expected);
    hash.update(b"abc");
    expected.extend(hash.finish());
    expected.extend(b"abc");
    assert_eq!(bytes, expected);
}

#[test]
fn objects_there_and_back() {
    for (d, kind, bytes) in samples() {
        let object = registry::decode(&bytes).unwrap();
        assert_eq!((object.header.description, object.header.kind, object.body), (d, kind, &b"some body"[..]));
        assert_eq!(resealed(bytes.clone()), bytes);
        let longer = [&*bytes, b"more"].concat();
        let (first, behind) = object::decode_first(&longer, &KNOWN).unwrap();
        assert_eq!((first.body, behind), (object.body, &b"more"[..]));
        for other in Kind::ALL {
            let expected =
                if other == kind { Ok(()) } else { Err(ObjectError::WrongKind { expected: other, found: kind }) };
            assert_eq!(object.header.expect(other), expected);
        }
    }
}

#[test]
fn every_change_of_one_bit_is_refused() {
    for (_, _, bytes) in samples() {
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit >> 3] ^= 1 << (bit & 7);
            assert!(registry::decode(&changed).is_err(), "bit {bit}");
        }
    }
}

#[test]
fn whoever_mends_the_digest_gets_another_object_or_none() {
    for (_, _, bytes) in samples() {
        for bit in 0..8 * DIGEST_RANGE.start {
            let mut changed = bytes.clone();
            changed[bit >> 3] ^= 1 << (bit & 7);
            is_canonical_or_refused(&resealed(changed));
        }
    }
}

#[test]
fn every_truncation_and_extension_is_refused() {
    let bytes = commitments().encode(Kind::Opening, &[7; 100]);
    for actual in 0..bytes.len() {
        let expected = if actual < HEADER_BYTES { HEADER_BYTES } else { bytes.len() };
        assert_eq!(registry::decode(&bytes[..actual]).unwrap_err(), ObjectError::Truncated { expected, actual });
    }
    let longer = [&*bytes, &[0]].concat();
    assert_eq!(registry::decode(&longer).unwrap_err(), ObjectError::Extended { expected: bytes.len() });
}

#[test]
fn errors_say_what_is_wrong_and_what_would_be_right() {
    let bytes = commitments().encode(Kind::Commitment, b"body");
    let refused = |at: usize, value: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + value.len()].copy_from_slice(value);
        registry::decode(&resealed(changed)).unwrap_err().to_string()
    };
    let table: [(usize, &[u8], &str); 13] = [
        (0, b"r", "this is no object of ringwork: those begin with RINGWORK"),
        (8, &[1], "this has version 1, and this program reads version 2"),
        (9, &[0], "kind 0 is not known: kinds are 4 to 10"),
        (9, &[11], "kind 11 is not known: kinds are 4 to 10"),
        (9, &[9], "bdlop-1024 is for commitments: it has no exchange offer"),
        (10, &[9, 1], "scheme 265 with parameters 1 is not known to this program"),
        (12, &[0xff, 0xff], "scheme 5 with parameters 65535 is not known to this program"),
        (14, &[2], "the number of the ring is 2, and for bdlop-1024 it must be 1"),
        (15, &[3], "the number of the order is 3, and for bdlop-1024 it must be 1"),
        (16, &[0, 2], "n is 512, and for bdlop-1024 it must be 1024"),
        (20, &[2, 30], "q is 4294909442, and for bdlop-1024 it must be 4294967197"),
        (28, &[62], "the root is 62, and for bdlop-1024 it must be 0"),
        (39, &[1], "a body of 16777220 bytes: it has 16777216 at most"),
    ];
    for (at, value, message) in table {
        assert_eq!(refused(at, value), message);
    }
    let mut changed = bytes.clone();
    changed[HEADER_BYTES] ^= 1;
    assert_eq!(registry::decode(&changed).unwrap_err(), ObjectError::Digest);
    assert_eq!(Header::decode(&bytes, &[]).unwrap_err(), ObjectError::Unknown { scheme: 5, parameters: 1 });
}

#[test]
#[should_panic(expected = "a commitment of a scheme for key encapsulation")]
fn no_object_of_another_purpose_is_made() {
    KNOWN[0].encode(Kind::Commitment, b"");
}

#[test]
#[should_panic(expected = "more than 16777216")]
fn no_object_that_would_be_refused_is_made() {
    commitments().encode(Kind::Proof, &vec![0; MAX_BODY_BYTES + 1]);
}

proptest! {
    #[test]
    fn any_bytes_have_an_answer(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), keep in 0..16_usize) {
        is_canonical_or_refused(&bytes);
        let head = commitments().encode(Kind::Proof, b"");
        let keep = keep.min(bytes.len());
        bytes[..keep].copy_from_slice(&head[..keep]);
        is_canonical_or_refused(&bytes);
    }

    #[test]
    fn any_header_with_its_digest_has_an_answer(
        row in 0..KNOWN.len(),
        body in proptest::collection::vec(any::<u8>(), 0..64),
        changes in proptest::collection::vec((8..DIGEST_RANGE.start, any::<u8>()), 0..4),
    ) {
        let d = &KNOWN[row];
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.purpose() == d.purpose) else { return Ok(()) };
        let mut bytes = d.encode(kind, &body);
        changes.iter().for_each(|&(at, value)| bytes[at] = value);
        is_canonical_or_refused(&resealed(bytes));
    }
}
