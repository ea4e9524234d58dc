//! Products and sums of few limbs.

/// The product by schoolbook multiplication.
pub(crate) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    out.fill(0);
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0;
        let (row, above) = out[i..].split_at_mut(b.len());
        for (to, y) in row.iter_mut().zip(b) {
            let sum = u128::from(*x) * u128::from(*y) + u128::from(*to) + u128::from(carry);
            *to = sum as u64;
            carry = (sum >> 64) as u64;
        }
        above[0] = carry;
    }
}

/// Adds `x`, and returns the carry.
pub(crate) fn add(out: &mut [u64], x: &[u64]) -> bool {
    let mut carry = false;
    for (to, limb) in out.iter_mut().zip(x) {
        let (sum, first) = to.overflowing_add(*limb);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *to = sum;
        carry = first | second;
    }
    carry
}
