//! Texts and bytes for JavaScript.

use std::cell::RefCell;
#[cfg(feature = "files")]
use zeroize::Zeroizing;

thread_local! {
    static ANSWER: RefCell<String> = RefCell::default();
}

#[cfg(feature = "files")]
thread_local! {
    static BYTES: RefCell<Zeroizing<Vec<u8>>> = RefCell::default();
}

/// Keeps bytes, which are wiped when others take their place.
#[cfg(feature = "files")]
pub(crate) fn keep_bytes(answer: Zeroizing<Vec<u8>>) {
    BYTES.set(answer);
}

/// Where the last bytes are.
#[cfg(feature = "files")]
#[unsafe(no_mangle)]
pub extern "C" fn ringwork_bytes() -> *const u8 {
    BYTES.with_borrow(|kept| kept.as_ptr())
}

/// How many there are.
#[cfg(feature = "files")]
#[unsafe(no_mangle)]
pub extern "C" fn ringwork_bytes_length() -> usize {
    BYTES.with_borrow(|kept| kept.len())
}

/// Keeps a text.
pub(crate) fn keep(answer: impl ToString) {
    ANSWER.set(answer.to_string());
}

/// Where the last text is, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn ringwork_text() -> *const u8 {
    ANSWER.with_borrow(|kept| kept.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn ringwork_text_length() -> usize {
    ANSWER.with_borrow(String::len)
}
