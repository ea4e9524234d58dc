//! ML-DSA, in the order of arguments of liboqs.

use crate::border::{
    Failure, Status, answer, check_apart, facts, name, names, of_scheme, place, random_bytes, read, words, words_mut,
};
use ringwork::{
    schemes::mldsa::PreHash,
    standards::{Message, Refused, Signatures, signatures},
};
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

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_public_key(
    sig: *const Scheme,
    public_key: *mut u8,
    secret_key: *const u8,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let sig = unsafe { read("sig", sig)? };
        let sizes = sig.sizes();
        // SAFETY: as the header says.
        let made = sig.public_key(unsafe { words("secret_key", secret_key, sizes.secret_key)? }).map_err(of_scheme)?;
        // SAFETY: as the header says.
        unsafe { words_mut("public_key", public_key, sizes.public_key)? }.copy_from_slice(&made);
        Ok(())
    })
}

/// `ringwork_message`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RingworkMessage {
    size: usize,
    form: u32,
    hash: u32,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
}

impl RingworkMessage {
    /// The message itself.
    const fn pure(message: *const u8, message_len: usize, context: *const u8, context_len: usize) -> Self {
        Self { size: size_of::<Self>(), form: 0, hash: 0, message, message_len, context, context_len }
    }

    /// # Safety
    /// It is null, or points to a structure that begins with its size.
    unsafe fn read(message: *const Self) -> Result<Self, Failure> {
        if message.is_null() {
            return Err(Status::Null.because("message is NULL"));
        }
        // SAFETY: the first field is there in every version of the structure.
        let (size, expected) = (unsafe { (&raw const (*message).size).read_unaligned() }, size_of::<Self>());
        if size != expected {
            return Err(Status::Length.because(format!("message.size is {size}, and this library's {expected}")));
        }
        // SAFETY: it has the size of the structure.
        Ok(unsafe { message.read_unaligned() })
    }

    /// Runs on the message as the library takes it.
    ///
    /// # Safety
    /// The pointers are those of the header.
    unsafe fn with<R>(self, run: impl FnOnce(Message<'_>) -> Result<R, Refused>) -> Result<R, Failure> {
        // SAFETY: as the caller promises.
        let (message, context) = unsafe {
            (words("message", self.message, self.message_len)?, words("ctx_str", self.context, self.context_len)?)
        };
        let alone = |message| match context {
            [] => Ok(message),
            _ => Err(Status::Length.because("this form of a message has no context")),
        };
        let digest;
        let message = match self.form {
            0 => Message::Pure { message, context },
            1 => {
                let hash = PreHash::of_identifier(self.hash).ok_or_else(|| {
                    Status::Plan.because(format!("hash {} is none of 1 (SHA-256) to 12 (SHAKE-256)", self.hash))
                })?;
                digest = hash.digest(message).map_err(|why| Status::Length.because(why))?;
                Message::Hashed { digest: &digest, context }
            }
            2 => alone(Message::Mu(
                message
                    .try_into()
                    .map_err(|_| Status::Length.because(format!("mu has 64 bytes, this has {}", message.len())))?,
            ))?,
            3 => alone(Message::Formatted(message))?,
            form => {
                return Err(
                    Status::Plan.because(format!("form {form} is none of 0 (message), 1 (digest), 2 (mu), 3 (M')"))
                );
            }
        };
        run(message).map_err(of_scheme)
    }
}

/// # Safety
/// The pointers are those of the header. Without random bytes, the operating system gives them.
unsafe fn sign(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    message: impl FnOnce() -> Result<RingworkMessage, Failure>,
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
        let secret = unsafe { words("secret_key", secret, sizes.secret_key)? };
        let message = message()?;
        let fresh;
        let random = match random {
            None => {
                fresh = random_bytes(SEED)?;
                &fresh[..]
            }
            // SAFETY: as the header says.
            Some(random) => unsafe { words("random", random, SEED)? },
        };
        let random = random.first_chunk().expect("32 bytes");
        // SAFETY: as the header says.
        let made = unsafe { message.with(|message| sig.sign(secret, message, random))? };
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
    let message = || Ok(RingworkMessage::pure(message, message_len, ptr::null(), 0));
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, message, secret_key, None) }
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
    let message = || Ok(RingworkMessage::pure(message, message_len, ctx_str, ctx_str_len));
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, message, secret_key, None) }
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
    let message = || Ok(RingworkMessage::pure(message, message_len, ctx_str, ctx_str_len));
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, message, secret_key, Some(random)) }
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
    let message = || Ok(RingworkMessage::pure(message, message_len, ctx_str, ctx_str_len));
    // SAFETY: as the header says.
    unsafe { verify(sig, message, signature, signature_len, public_key) }
}

/// # Safety
/// The pointers are those of the header.
unsafe fn verify(
    sig: *const Scheme,
    message: impl FnOnce() -> Result<RingworkMessage, Failure>,
    signature: *const u8,
    signature_len: usize,
    public: *const u8,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let sig = unsafe { read("sig", sig)? };
        // SAFETY: as the header says.
        let (public, signature) = unsafe {
            (words("public_key", public, sig.sizes().public_key)?, words("signature", signature, signature_len)?)
        };
        // SAFETY: as the header says.
        unsafe { message()?.with(|message| sig.verify(public, message, signature)) }
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_sign_message(
    sig: *const Scheme,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const RingworkMessage,
    secret_key: *const u8,
    random: *const u8,
) -> i32 {
    let random = (!random.is_null()).then_some(random);
    // SAFETY: as the header says.
    unsafe { sign(sig, signature, signature_len, || RingworkMessage::read(message), secret_key, random) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_sig_verify_message(
    sig: *const Scheme,
    message: *const RingworkMessage,
    signature: *const u8,
    signature_len: usize,
    public_key: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    unsafe { verify(sig, || RingworkMessage::read(message), signature, signature_len, public_key) }
}
