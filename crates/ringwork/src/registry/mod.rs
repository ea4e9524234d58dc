//! The schemes whose objects are files, by name: the only module that knows all of them.
//!
//! A new scheme is a row of [`KNOWN`] and an arm of [`encapsulation`] or [`exchange`]. The numbers of schemes and
//! parameter sets are part of files: they never change, and no number is reused.

mod commitments;
mod encapsulation;
mod exchange;

pub use commitments::{Commitments, DEFAULT_SEED_TEXT, Error, Form, Origin, default_seed, fresh_seed};
pub use encapsulation::{
    Encapsulation, MEASURING, Refused, check_measuring, encapsulation, encapsulation_or_why, measuring,
};
pub use exchange::{Exchange, OFFER_DIGEST_BYTES, exchange, offer_digest, offer_of};

use crate::{
    object::{self, Description, Object, ObjectError, Order, Purpose, Ring},
    ring::Parameters as _,
    schemes::{
        bdlop::{self, BDLOP_1024, BDLOP_1024_4, BDLOP_2048},
        lwe::{self, LWE_768, MLWE_256, MLWE_256_P3},
        mlkem,
        newhope::NewHopeRing,
        ntru::NTRU_1024,
        nttru::{self, NttruRing},
        rlwe::{self, P1, P2},
    },
};

/// Everything that headers may contain. The first scheme of a purpose is its default.
///
/// Sets that are insecure by construction have no numbers, so no file can use them. (Scheme 5 once
/// had a set 4.)
pub static KNOWN: [Description; 16] = [
    of_lwe(1, &MLWE_256),
    of_lwe(2, &LWE_768),
    NTTRU,
    of_rlwe::<P1>(1),
    of_rlwe::<P2>(2),
    of_bdlop(1, &BDLOP_1024),
    of_bdlop(2, &BDLOP_1024_4),
    of_bdlop(3, &BDLOP_2048),
    of_newhope(1, "newhope-usenix2016"),
    of_newhope(2, "newhope-psi12"),
    NTRU,
    of_lwe(3, &MLWE_256_P3),
    of_mlkem(1, "mlkem-512"),
    of_mlkem(2, "mlkem-768"),
    of_mlkem(3, "mlkem-1024"),
    // Its ring is that of ML-KEM-768, which is half of it.
    Description { scheme: 9, ..of_mlkem(1, "x-wing") },
];

const NTTRU: Description = Description {
    order: Order::DesignersSlots,
    ring: Ring::Trinomial,
    root: nttru::ROOT,
    ..row(Purpose::Encapsulation, [1, 1], "nttru-768", NttruRing::N, NttruRing::Q as u64)
};

/// Bakkebø's NTRU, with key encapsulation by the Fujisaki–Okamoto transform.
const NTRU: Description = row(Purpose::Encapsulation, [7, 1], "ntru-1024", NTRU_1024.n(), NTRU_1024.q() as u64);

/// Coefficients modulo `X^n + 1`.
const fn row(purpose: Purpose, number: [u16; 2], name: &'static str, n: usize, q: u64) -> Description {
    let ([scheme, parameters], n) = (number, n as u32);
    let (ring, order) = (Ring::Negacyclic, Order::Coefficients);
    Description { purpose, scheme, parameters, name, ring, order, n, q, root: 0 }
}

const fn of_lwe(parameters: u16, set: &lwe::Parameters) -> Description {
    row(Purpose::Encapsulation, [2, parameters], set.name(), set.n(), set.q())
}

const fn of_rlwe<P: rlwe::Parameters>(parameters: u16) -> Description {
    let root = P::ROOT.expect("the root is part of a set");
    let row = row(Purpose::Encapsulation, [3, parameters], P::NAME, P::N, P::Q as u64);
    Description { order: Order::CanonicalSlots, root, ..row }
}

const fn of_bdlop(parameters: u16, set: &bdlop::Parameters) -> Description {
    row(Purpose::Commitment, [5, parameters], set.name(), set.n(), set.q())
}

const fn of_newhope(parameters: u16, name: &'static str) -> Description {
    let row = row(Purpose::Exchange, [6, parameters], name, NewHopeRing::N, NewHopeRing::Q as u64);
    // The smallest root, which plans use.
    Description { order: Order::CanonicalSlots, root: 7, ..row }
}

/// The root is ζ of FIPS 203, whose slots are in that standard's order.
const fn of_mlkem(parameters: u16, name: &'static str) -> Description {
    let row = row(Purpose::Exchange, [8, parameters], name, mlkem::N, mlkem::Q as u64);
    Description { order: Order::DesignersSlots, root: 17, ..row }
}

/// The schemes for that purpose, the default first.
pub fn all(purpose: Purpose) -> impl Iterator<Item = &'static Description> {
    KNOWN.iter().filter(move |d| d.purpose == purpose)
}

/// The scheme of that name.
pub fn by_name(name: &str) -> Option<&'static Description> {
    KNOWN.iter().find(|d| d.name == name)
}

/// Decodes an object: [`object::decode`] with the schemes known here.
///
/// **Errors** say what is wrong.
pub fn decode(bytes: &[u8]) -> Result<Object<'_, 'static>, ObjectError> {
    object::decode(bytes, &KNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_used_once() {
        for (i, d) in KNOWN.iter().enumerate() {
            for e in &KNOWN[..i] {
                assert!(d.name != e.name && (d.scheme, d.parameters) != (e.scheme, e.parameters), "{d:?} and {e:?}");
            }
        }
    }

    #[test]
    fn every_row_has_its_scheme() {
        for d in &KNOWN {
            match d.purpose {
                Purpose::Encapsulation => assert_eq!(encapsulation(d.name).unwrap().name(), d.name),
                Purpose::Commitment => assert_eq!(Commitments::by_name(d.name).unwrap().description(), d),
                Purpose::Exchange => {
                    let scheme = exchange(d.name, ntt::Backend::best(), None).unwrap().unwrap();
                    assert_eq!(scheme.description(), d);
                    let plan = ntt::Plan::<i16>::new(d.n as usize, d.q).unwrap();
                    assert_eq!(plan.recipe().expect("it has roots").root(), d.root);
                }
            }
        }
        assert!(encapsulation("bdlop-1024").is_none() && Commitments::by_name("mlwe-256").is_none());
    }
}
