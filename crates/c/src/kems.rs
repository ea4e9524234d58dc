//! ML-KEM and X-Wing, in the order of arguments of liboqs.

use crate::border::{
    Failure, Status, answer, check_apart, facts, name, names, of_scheme, place, random_bytes, read, words, words_mut,
};
use ringwork::standards::{Kem, KemSizes, kems};
use std::{
    ffi::{CString, c_char},
    ptr,
    sync::LazyLock,
};
use zeroize::Zeroizing;

/// A scheme: what handles point to.
type Scheme = &'static dyn Kem;

static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| names(kems().iter().map(|kem| kem.name())));

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_kem_count() -> usize {
    kems().len()
}

#[unsafe(no_mangle)]
pub extern "C" fn ringwork_kem_name(index: usize) -> *const c_char {
    NAMES.get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_by_name(wanted: *const c_char) -> *const Scheme {
    // SAFETY: null, or ends with a zero.
    let wanted = unsafe { name(wanted) };
    kems().iter().find(|kem| Some(kem.name()) == wanted).map_or(ptr::null(), ptr::from_ref)
}

facts! {
    of Scheme:
    ringwork_kem_length_public_key: usize = |kem| kem.sizes().public_key;
    ringwork_kem_length_secret_key: usize = |kem| kem.sizes().secret_key;
    ringwork_kem_length_ciphertext: usize = |kem| kem.sizes().ciphertext;
    ringwork_kem_length_keypair_seed: usize = |kem| kem.sizes().seed;
    ringwork_kem_length_encaps_seed: usize = |kem| kem.sizes().coins;
    ringwork_kem_length_shared_secret: usize = |_kem| SHARED;
}

/// Bytes of a shared secret.
const SHARED: usize = 32;

/// # Safety
/// The pointers are those of the header.
unsafe fn keypair(
    kem: *const Scheme,
    [public, secret]: [*mut u8; 2],
    seed: impl FnOnce(&KemSizes) -> Result<Zeroizing<Vec<u8>>, Failure>,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let kem = unsafe { read("kem", kem)? };
        let sizes = kem.sizes();
        let seed = seed(&sizes)?;
        check_apart(place("public_key", public, sizes.public_key), place("secret_key", secret, sizes.secret_key))?;
        let pair = kem.keygen(&seed).pop().expect("a key for each seed");
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
pub unsafe extern "C" fn ringwork_kem_keypair(kem: *const Scheme, public_key: *mut u8, secret_key: *mut u8) -> i32 {
    // SAFETY: as the header says.
    unsafe { keypair(kem, [public_key, secret_key], |sizes| random_bytes(sizes.seed)) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_keypair_derand(
    kem: *const Scheme,
    public_key: *mut u8,
    secret_key: *mut u8,
    seed: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    let given = |sizes: &KemSizes| Ok(Zeroizing::new(unsafe { words("seed", seed, sizes.seed)? }.to_vec()));
    // SAFETY: as the header says.
    unsafe { keypair(kem, [public_key, secret_key], given) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_public_key(
    kem: *const Scheme,
    public_key: *mut u8,
    secret_key: *const u8,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let kem = unsafe { read("kem", kem)? };
        let sizes = kem.sizes();
        // SAFETY: as the header says.
        let made = kem.public_key(unsafe { words("secret_key", secret_key, sizes.secret_key)? }).map_err(of_scheme)?;
        // SAFETY: as the header says.
        unsafe { words_mut("public_key", public_key, sizes.public_key)? }.copy_from_slice(&made);
        Ok(())
    })
}

/// # Safety
/// The pointers are those of the header.
unsafe fn encaps(
    kem: *const Scheme,
    [ciphertext, shared]: [*mut u8; 2],
    public: *const u8,
    coins: impl FnOnce(&KemSizes) -> Result<Zeroizing<Vec<u8>>, Failure>,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let kem = unsafe { read("kem", kem)? };
        let sizes = kem.sizes();
        // SAFETY: as the header says.
        let public = unsafe { words("public_key", public, sizes.public_key)? };
        let coins = coins(&sizes)?;
        let mut answers = kem.encapsulate(&[public], &coins).map_err(|(_, why)| of_scheme(why))?;
        check_apart(place("ciphertext", ciphertext, sizes.ciphertext), place("shared_secret", shared, SHARED))?;
        let (made, key) = answers.pop().expect("an answer for each key");
        // SAFETY: as the header says.
        let (to_ciphertext, to_shared) = unsafe {
            (words_mut("ciphertext", ciphertext, sizes.ciphertext)?, words_mut("shared_secret", shared, SHARED)?)
        };
        to_ciphertext.copy_from_slice(&made);
        to_shared.copy_from_slice(key.as_bytes());
        Ok(())
    })
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_encaps(
    kem: *const Scheme,
    ciphertext: *mut u8,
    shared_secret: *mut u8,
    public_key: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    unsafe { encaps(kem, [ciphertext, shared_secret], public_key, |sizes| random_bytes(sizes.coins)) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_encaps_derand(
    kem: *const Scheme,
    ciphertext: *mut u8,
    shared_secret: *mut u8,
    public_key: *const u8,
    seed: *const u8,
) -> i32 {
    // SAFETY: as the header says.
    let given = |sizes: &KemSizes| Ok(Zeroizing::new(unsafe { words("seed", seed, sizes.coins)? }.to_vec()));
    // SAFETY: as the header says.
    unsafe { encaps(kem, [ciphertext, shared_secret], public_key, given) }
}

/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringwork_kem_decaps(
    kem: *const Scheme,
    shared_secret: *mut u8,
    ciphertext: *const u8,
    secret_key: *const u8,
) -> i32 {
    answer(|| {
        // SAFETY: null, or a scheme.
        let kem = unsafe { read("kem", kem)? };
        let sizes = kem.sizes();
        // SAFETY: as the header says.
        let (secret, given) = unsafe {
            (words("secret_key", secret_key, sizes.secret_key)?, words("ciphertext", ciphertext, sizes.ciphertext)?)
        };
        let shared = kem.decapsulate(&[secret], &[given]).map_err(|(_, why)| of_scheme(why))?;
        // SAFETY: as the header says.
        let to = unsafe { words_mut("shared_secret", shared_secret, SHARED)? };
        to.copy_from_slice(shared.first().ok_or_else(|| Status::Fault.because("no answer"))?.as_bytes());
        Ok(())
    })
}
