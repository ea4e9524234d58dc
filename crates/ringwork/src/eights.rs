//! Strings of bits of values of a few bits each, eight values at a time.
//!
//! **Constant time:** yes.

/// Calls a function for a width that is known when it is compiled.
macro_rules! of_width {
    ($width:expr, $function:ident $arguments:tt) => {
        of_width!($width, $function $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($width:expr, $function:ident $arguments:tt, $($w:literal)*) => {
        match $width {
            $($w => $function::<$w> $arguments,)*
            width => panic!("{width} bits are not in 1..=16"),
        }
    };
}

/// Values of `width` bits, eight in `width` bytes: strings of bits as those
/// of [`bits`](crate::bits), whole eights of them. Higher bits of a value must be zero.
///
/// **Panics** unless `width` is in `1..=16` and there are as many bytes as the values take.
pub(crate) fn pack(width: u32, values: &[i16], bytes: &mut [u8]) {
    assert!(values.len() & 7 == 0 && bytes.len() == (values.len() >> 3) * width as usize, "bytes of whole eights");
    fn fixed<const W: usize>(values: &[i16], bytes: &mut [u8]) {
        for (eight, bytes) in values.as_chunks::<8>().0.iter().zip(bytes.as_chunks_mut::<W>().0) {
            let mut string = 0_u128;
            for (i, &value) in eight.iter().enumerate() {
                string |= u128::from(value as u16) << (W * i);
            }
            bytes.copy_from_slice(&string.to_le_bytes()[..W]);
        }
    }
    of_width!(width, fixed(values, bytes));
}

/// Undoes [`pack`].
///
/// **Panics** as it does.
pub(crate) fn unpack(width: u32, bytes: &[u8], values: &mut [i16]) {
    assert!(values.len() & 7 == 0 && bytes.len() == (values.len() >> 3) * width as usize, "bytes of whole eights");
    fn fixed<const W: usize>(bytes: &[u8], values: &mut [i16]) {
        for (bytes, eight) in bytes.as_chunks::<W>().0.iter().zip(values.as_chunks_mut::<8>().0) {
            let mut string = [0; 16];
            string[..W].copy_from_slice(bytes);
            let string = u128::from_le_bytes(string);
            for (i, value) in eight.iter_mut().enumerate() {
                *value = ((string >> (W * i)) as u16 & (u16::MAX >> (16 - W))) as i16;
            }
        }
    }
    of_width!(width, fixed(bytes, values));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eights_are_strings_of_bits() {
        for width in 1..=16 {
            let values: Vec<i16> =
                (0..64).map(|i: u32| (i.wrapping_mul(40503) as u16 & (u16::MAX >> (16 - width))) as i16).collect();
            let mut expected = Vec::new();
            crate::bits::pack(values.iter().map(|&v| v as u16 as u64), width, &mut expected);
            let mut bytes = vec![0; expected.len()];
            pack(width, &values, &mut bytes);
            assert_eq!(bytes, expected, "{width} bits");
            let mut back = vec![0; 64];
            unpack(width, &bytes, &mut back);
            assert_eq!(back, values, "{width} bits");
        }
    }
}
