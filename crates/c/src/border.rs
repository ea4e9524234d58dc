//! The border to C: status numbers, messages, pointers and panics.

use ringwork::standards::Refused;
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};
use zeroize::Zeroizing;

/// The numbers of `ringwork_status`.
#[derive(Clone, Copy)]
#[repr(i32)]
pub(crate) enum Status {
    Null = 1,
    Plan = 2,
    Length = 3,
    Range = 4,
    Word = 5,
    Overlap = 6,
    Fault = 7,
    Key = 8,
    Ciphertext = 9,
    Signature = 10,
    Random = 11,
    Alignment = 12,
}

pub(crate) struct Failure {
    status: Status,
    message: String,
}

impl Status {
    pub(crate) fn because(self, why: impl ToString) -> Failure {
        Failure { status: self, message: why.to_string() }
    }
}

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

pub(crate) fn message() -> *const c_char {
    // While a thread ends, its messages may be gone.
    MESSAGE.try_with(|message| message.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The status of a call; its message is kept. A panic is a fault of the library, and stays here.
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Failure>) -> i32 {
    let outcome = catch_unwind(AssertUnwindSafe(call));
    let failure = match outcome {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure,
        Err(_) => Status::Fault.because("a fault of ringwork: please report it, with the program that shows it"),
    };
    let text = CString::new(failure.message).unwrap_or_default();
    // While a thread ends, there may be no place for a message.
    let _ = MESSAGE.try_with(|message| message.replace(text));
    failure.status as i32
}

/// Frees what [`handle`] made.
///
/// # Safety
/// It is null, or was made here and not freed.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: as the caller promises.
        let made = unsafe { Box::from_raw(handle) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(made)));
    }
}

/// Functions that say something of what a handle points to, and 0 of none.
macro_rules! facts {
    (of $handle:ty: $($name:ident: $type:ty = |$it:ident| $value:expr;)*) => {$(
        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(handle: *const $handle) -> $type {
            // SAFETY: null, or what the library gave.
            unsafe { handle.as_ref() }.map_or(0, |$it| $value)
        }
    )*};
}
pub(crate) use facts;

/// Gives a handle to the caller.
///
/// # Safety
/// `to` is null, or a place for a pointer.
pub(crate) unsafe fn give<T>(to: *mut *mut T, made: T) {
    // SAFETY: as the caller promises; C may not have aligned it.
    unsafe { to.write_unaligned(Box::into_raw(Box::new(made))) };
}

/// What a pointer points to.
///
/// # Safety
/// It is null, or points to a value that nobody changes meanwhile.
pub(crate) unsafe fn read<'a, T>(what: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: as the caller promises.
    unsafe { pointer.as_ref() }.ok_or_else(|| Status::Null.because(format!("{what} is NULL")))
}

fn check<T>(what: &str, pointer: *const T, length: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Status::Null.because(format!("{what} is NULL")));
    }
    if !pointer.is_aligned() {
        return Err(Status::Alignment.because(format!("{what} is not aligned to {} bytes", align_of::<T>())));
    }
    if length > isize::MAX as usize / size_of::<T>() {
        return Err(Status::Length.because(format!("{what} would have {length} words, more than memory holds")));
    }
    Ok(())
}

/// Words that are read.
///
/// # Safety
/// The pointer is null, or points to so many words that nobody writes meanwhile.
pub(crate) unsafe fn words<'a, T>(what: &str, pointer: *const T, length: usize) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    check(what, pointer, length)?;
    // SAFETY: not null, aligned and within memory; the rest the caller promises.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// Words that are written.
///
/// # Safety
/// The pointer is null, or points to so many words that nobody else uses meanwhile.
pub(crate) unsafe fn words_mut<'a, T>(what: &str, pointer: *mut T, length: usize) -> Result<&'a mut [T], Failure> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(what, pointer, length)?;
    // SAFETY: not null, aligned and within memory; the rest the caller promises.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, length) })
}

/// A name of C.
///
/// # Safety
/// It is null, or ends with a zero.
pub(crate) unsafe fn name<'a>(name: *const c_char) -> Option<&'a str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(name) }.to_str().ok()
}

/// The names of schemes as C reads them.
pub(crate) fn names(names: impl Iterator<Item = &'static str>) -> Vec<CString> {
    names.map(|name| CString::new(name).unwrap_or_default()).collect()
}

/// Random bytes of the operating system: a multiple of 32.
#[cfg(feature = "random")]
pub(crate) fn random_bytes(count: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
    use ringwork::ct::{SecretBytes, sys_rng};
    let mut bytes = Zeroizing::new(vec![0; count]);
    for chunk in bytes.as_chunks_mut::<32>().0 {
        let random = SecretBytes::<32>::try_random(&mut sys_rng().0);
        let random = random
            .map_err(|error| Status::Random.because(format!("the operating system gives no random bytes: {error}")))?;
        chunk.copy_from_slice(random.as_bytes());
    }
    Ok(bytes)
}

/// There are none: callers of this build have their own.
#[cfg(not(feature = "random"))]
pub(crate) fn random_bytes(_: usize) -> Result<Zeroizing<Vec<u8>>, Failure> {
    Err(Status::Random.because("this build has no random bytes: give a seed"))
}

/// Why a scheme refuses bytes.
pub(crate) fn of_scheme(why: Refused) -> Failure {
    let status = match why {
        Refused::Key(_) | Refused::SecretKeyLength { .. } => Status::Key,
        Refused::Ciphertext(_) => Status::Ciphertext,
        Refused::Signature(_) | Refused::Forged => Status::Signature,
        _ => Status::Length,
    };
    status.because(why)
}

/// Memory by its name: where it begins, and its bytes.
pub(crate) type Place<'a> = (&'a str, usize, usize);

pub(crate) fn place<T>(name: &str, pointer: *const T, length: usize) -> Place<'_> {
    (name, pointer.addr(), length.saturating_mul(size_of::<T>()))
}

/// **Errors** if what is written overlaps something else.
pub(crate) fn check_apart(written: Place<'_>, other: Place<'_>) -> Result<(), Failure> {
    let ((name, a, length), (of, b, size)) = (written, other);
    if length != 0 && size != 0 && a < b.saturating_add(size) && b < a.saturating_add(length) {
        return Err(Status::Overlap.because(format!("{name} overlaps {of}")));
    }
    Ok(())
}
