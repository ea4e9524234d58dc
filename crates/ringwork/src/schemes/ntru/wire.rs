//! Public keys and ciphertexts on the wire: coefficients, or slots of an agreed depth.
//!
//! ```text
//! coefficients   n numbers in [0, q), ⌈log2 q⌉ bits each
//! slots          the depth, one byte ‖ n numbers, likewise: slot by slot in canonical order
//! ```
//!
//! Slots save the reader of a public key or a ciphertext one forward transform; encryption runs one forward transform
//! on the message instead of one inverse. The two forms differ in length, and depths in the first byte, so no form can
//! be mistaken for another.
//!
//! Source: Bakkebø's thesis, section 4.3.1, which names the idea; the bytes are ours. (The thesis says Algorithm 7
//! where it means the keys of Algorithm 1, and decrypting where it means that ciphertexts are sent after encrypting.)

use super::{Form, Ntru};
use crate::{bits::Interval, ct::Wiped, decode::DecodeError};
use ntt::Plan;

/// The position of each number on the wire in the plan's order; empty if the orders are the same.
pub(super) fn places(form: Form, plan: &Plan<i32>) -> Vec<usize> {
    match form {
        Form::Coefficients => Vec::new(),
        Form::Slots { .. } => {
            let order = plan.canonical_order().expect("a transform modulo q itself: it inverts");
            let mut places = vec![0; order.len()];
            order.into_iter().enumerate().for_each(|(place, index)| places[index] = place);
            places
        }
    }
}

impl Ntru {
    /// The product of two transformed polynomials in wire form, in `[0, q)`; slots in the plan's order.
    pub(super) fn outgoing(&self, a_hat: &[i32], b_hat: &[i32]) -> Wiped<i32> {
        let product = self.plan.pointwise(Wiped::zeros(a_hat.len()), a_hat, b_hat);
        match self.parameters.form() {
            Form::Coefficients => self.plan.inverse_product(product),
            Form::Slots { .. } => self.plan.to_ntt(product),
        }
    }

    /// Converts coefficients in `(-q, q)` to wire form.
    pub(super) fn as_it_travels(&self, mut a: Wiped<i32>) -> Wiped<i32> {
        if let Form::Slots { .. } = self.parameters.form() {
            self.plan.forward(&mut a);
            self.plan.canonical(&mut a);
        }
        a
    }

    /// The transform of a polynomial in wire form.
    pub(super) fn incoming(&self, mut a: Wiped<i32>) -> Wiped<i32> {
        if self.parameters.form() == Form::Coefficients {
            self.plan.forward(&mut a);
        }
        a
    }

    /// The range of the numbers in public keys and ciphertexts.
    const fn residues(&self) -> Interval {
        Interval::below(self.parameters.q() as u64)
    }

    pub(super) fn pack(&self, a: &[i32]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.parameters.polynomial_bytes());
        match self.parameters.form() {
            Form::Coefficients => self.residues().pack(a, &mut bytes),
            Form::Slots { depth } => {
                bytes.push(depth as u8);
                self.residues().pack(self.places.iter().map(|&place| &a[place]), &mut bytes);
            }
        }
        bytes
    }

    pub(super) fn unpack(&self, what: &'static str, bytes: &[u8]) -> Result<Wiped<i32>, DecodeError> {
        let (expected, actual) = (self.parameters.form(), bytes.len());
        let n = self.parameters.n();
        let (found, numbers) = match actual.checked_sub(self.residues().bytes(n)) {
            Some(0) => (Form::Coefficients, bytes),
            Some(1) => (Form::Slots { depth: bytes[0].into() }, &bytes[1..]),
            _ => return Err(DecodeError::Length { what, expected: self.parameters.polynomial_bytes(), actual }),
        };
        if found != expected {
            let [expected, found] = [expected, found].map(Form::depth);
            return Err(DecodeError::Form { what, expected, found });
        }
        let mut a = Wiped::zeros(n);
        self.residues().unpack(what, numbers, &mut a)?;
        if self.places.is_empty() {
            return Ok(a);
        }
        let mut native = Wiped::zeros(n);
        self.places.iter().zip(a.iter()).for_each(|(&place, number)| native[place] = *number);
        Ok(native)
    }
}
