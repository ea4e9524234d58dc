//! Texts for JavaScript.

use std::cell::RefCell;

thread_local! {
    static ANSWER: RefCell<String> = RefCell::default();
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
