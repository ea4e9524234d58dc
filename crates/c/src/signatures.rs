//! ML-DSA, in the order of arguments of liboqs.

use crate::border::{
    Status, answer, check_apart, facts, name, names, of_scheme, place, random_bytes, read, words, words_mut,
};
use ringwork::standards::{Message, Signatures, signatures};
use std::{
    ffi::{CString, c_char},
    ptr,
    sync::LazyLock,
};

/// A scheme: what handles point to.
type Scheme = &'static dyn Signatures;

static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| names(signatures().iter().map(|scheme| scheme.name())));

/// Bytes of the seed of a key pair, and of the random bytes of a signature.
const SEED: usize = 32;

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_sig_count() -> usize {
    signatures().len()
}

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_sig_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_by_name(wanted: *const c_char) -> *const Scheme {
    // SAFETY: null, or ends with a zero.
    let wanted = unsafe { name(wanted) };
    signatures().iter().find(|scheme| Some(scheme.name()) == wanted).map_or(ptr::null(), ptr::from_ref)
}

facts! {
    of Scheme:
    ringwork_sig_length_public_key: usize = |sig| sig.sizes().public_key;
    ringwork_sig_length_secret_key: usize = |sig| sig.sizes().secret_key;
    ringwork_sig_length_signature: usize = |sig| sig.sizes().signature;
}

/// # Safety
/// The pointers are those of the header. Without a seed, the operating system gives one.
unsafe fn keypair(sig: *const Scheme, [public, secret]: [*mut u8; 2], seed: Option<*const u8>) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let sig = unsafe { read("sig", sig)? };
        let sizes = sig.sizes();
        let random;
        let seed = match seed {
            None => {
                random = random_bytes(SEED)?;
                &random[..]
            }
            // SAFETY: as the header says.
            Some(seed) => unsafe { words("seed", seed, SEED)? },
        };
        check_apart(place("public_key", public, sizes.public_key), place("secret_key", secret, sizes.secret_key))?;
        let pair = sig.keygen(seed.first_chunk().expect("32 bytes"));
        // SAFETY: as the header says.
        let (to_public, to_secret) = unsafe {
            (words_mut("public_key", public, sizes.public_key)?, words_mut("secret_key", secret, sizes.secret_key)?)
        };
        to_public.copy_from_slice(&pair.0);
        to_secret.copy_from_slice(&pair.1);
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_keypair(sig: *const Scheme, public_key: *mut u8, secret_key: *mut u8) -> i32 {
    // SAFETY: as the header says.
    unsafe { keypair(sig, [public_key, secret_key], None) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_keypair_derand(
    sig: *const Scheme,
    public_key: *mut u8,
    secret_key: *mut u8,
    seed: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    unsafe { keypair(sig, [public_key, secret_key], Some(seed)) }
}

/// A message and its context, as C gives them.
#[derive(Clone, Copy)]
struct Given {
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
}

impl Given {
    /// # Safety
    /// The pointers are those of the header.
    unsafe fn message<'a>(self) -> Result<Message<'a>, crate::border::Failure> {
        // SAFETY: as the caller promises.
        unsafe {
            Ok(Message::Pure {
                message: words("message", self.message, self.message_len)?,
                context: words("ctx_str", self.context, self.context_len)?,
            })
        }
    }
}

/// # Safety
/// The pointers are those of the header. Without random bytes, the operating system gives them.
unsafe fn sign(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    given: Given,
    secret: *const u8,
    random: Option<*const u8>,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let sig = unsafe { read("sig", sig)? };
        let sizes = sig.sizes();
        if signature_len.is_null() {
            return Err(Status::Null.because("signature_len is NULL"));
        }
        // SAFETY: as the header says.
        let (secret, message) = unsafe { (words("secret_key", secret, sizes.secret_key)?, given.message()?) };
        let fresh;
        let random = match random {
            None => {
                fresh = random_bytes(SEED)?;
                &fresh[..]
            }
            // SAFETY: as the header says.
            Some(random) => unsafe { words("random", random, SEED)? },
        };
        let made = sig.sign(secret, message, random.first_chunk().expect("32 bytes")).map_err(of_scheme)?;
        // SAFETY: as the header says.
        unsafe {
            words_mut("signature", signature, sizes.signature)?.copy_from_slice(&made);
            signature_len.write_unaligned(made.len());
        }
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_sign(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    secret_key: *const u8,
) -> i32 {
    let given = Given { message, message_len, context: ptr::null(), context_len: 0 };
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, given, secret_key, None) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_sign_with_ctx_str(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    ctx_str: *const u8,
    ctx_str_len: usize,
    secret_key: *const u8,
) -> i32 {
    let given = Given { message, message_len, context: ctx_str, context_len: ctx_str_len };
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, given, secret_key, None) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_sign_derand(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    ctx_str: *const u8,
    ctx_str_len: usize,
    secret_key: *const u8,
    random: *const u8,
) -> i32 {
    let given = Given { message, message_len, context: ctx_str, context_len: ctx_str_len };
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, given, secret_key, Some(random)) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_verify(
    sig: *const Scheme,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    public_key: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    unsafe {
        ringwork_sig_verify_with_ctx_str(
            sig,
            message,
            message_len,
            signature,
            signature_len,
            ptr::null(),
            0,
            public_key,
        )
    }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_verify_with_ctx_str(
    sig: *const Scheme,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    ctx_str: *const u8,
    ctx_str_len: usize,
    public_key: *const u8,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let sig = unsafe { read("sig", sig)? };
        let given = Given { message, message_len, context: ctx_str, context_len: ctx_str_len };
        // SAFETY: as the header says.
        let (public, signature, message) = unsafe {
            (
                words("public_key", public_key, sig.sizes().public_key)?,
                words("signature", signature, signature_len)?,
                given.message()?,
            )
        };
        sig.verify(public, message, signature).map_err(of_scheme)
    })
}
