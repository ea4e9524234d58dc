//! What fuzz targets share.

/// The bytes as they are, or, where the highest bit of the choice is set, cut or filled up with
/// zeros to the length that a decoder wants: without that, few inputs would get past the check of
/// the length.
pub fn fit(choice: u8, bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if choice & 0x80 != 0 {
        bytes.resize(length, 0);
    }
    bytes
}
