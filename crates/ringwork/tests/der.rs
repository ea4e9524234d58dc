//! Documents that are put together by hand.

/// A DER element of that tag.
pub(crate) fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let head = if length < 128 { vec![tag, length as u8] } else { vec![tag, 0x82, (length >> 8) as u8, length as u8] };
    [&head[..], content].concat()
}
