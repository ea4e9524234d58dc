//! Files of age: keys, and files that are encrypted and decrypted as a whole, by the crate `age` with our recipients.
//!
//! Functions return 0 and keep bytes, or 1 and keep a text that says why not.

use crate::{
    answers::{keep, keep_bytes},
    bytes,
};
use age::{
    DecryptError, Decryptor, EncryptError, Encryptor,
    armor::{ArmoredWriter, Format},
    scrypt,
    secrecy::{ExposeSecret, SecretString},
};
use ringwork_age::{
    keys::{self, Identity},
    source,
};
use std::io::{ErrorKind, Read, Write};
use zeroize::Zeroizing;

/// Work factors of scrypt, as binary logarithms: what is taken, and what is accepted, in a memory of 4 GB.
const WORK: u8 = 18;
const WORK_AT_MOST: u8 = 20;
/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// Randomness of JavaScript.
#[cfg(target_arch = "wasm32")]
mod random {
    #[link(wasm_import_module = "ringwork")]
    unsafe extern "C" {
        /// Fills so many bytes.
        fn random(at: *mut u8, length: usize);
    }

    // The two versions of the crate that are here, for `age` and for `ringwork`, each in its way.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(at: *mut u8, length: usize) -> Result<(), getrandom_04::Error> {
        // SAFETY: as the caller promises.
        unsafe { random(at, length) };
        Ok(())
    }
    fn fill(bytes: &mut [u8]) -> Result<(), getrandom_02::Error> {
        // SAFETY: these are so many bytes.
        unsafe { random(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }
    getrandom_02::register_custom_getrandom!(fill);
}

fn answer(outcome: Result<Zeroizing<Vec<u8>>, String>) -> u32 {
    match outcome {
        Ok(found) => {
            keep_bytes(found);
            0
        }
        Err(why) => {
            keep(why);
            1
        }
    }
}

/// Keeps a fresh post-quantum identity and its recipient, a line each.
#[unsafe(no_mangle)]
pub extern "C" fn module_age_keygen() {
    let identity = Identity::generate(keys::STANDARD[0]).expect("a scheme of the list");
    let (secret, public) = (identity.to_text(), identity.to_public().to_string());
    let secret = secret.expose_secret();
    let mut lines = Zeroizing::new(Vec::with_capacity(secret.len() + public.len() + 1));
    [secret, "\n", &public].iter().for_each(|part| lines.extend_from_slice(part.as_bytes()));
    keep_bytes(lines);
}

/// Keeps the recipients of a text with identities, a line each.
///
/// # Safety
/// The address is that of so many bytes, of a text in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_age_recipients(identities: *const u8, length: usize) -> u32 {
    // SAFETY: as the caller promises.
    let identities = identities_of(unsafe { bytes(identities, length) });
    let lines = |all: Vec<Identity>| all.iter().map(|one| format!("{}\n", one.to_public())).collect::<String>();
    answer(identities.map(|all| Zeroizing::new(lines(all).into_bytes())))
}

/// Keeps a file that holds these bytes, encrypted to the recipients of a text, or to a passphrase.
///
/// # Safety
/// The addresses are those of so many bytes; the key is a text in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_age_encrypt(
    key: *const u8,
    key_length: usize,
    is_passphrase: bool,
    is_armored: bool,
    plaintext: *const u8,
    length: usize,
) -> u32 {
    // SAFETY: as the caller promises.
    let (key, plaintext) = unsafe { (bytes(key, key_length), bytes(plaintext, length)) };
    answer(encrypted(key, is_passphrase, is_armored, plaintext))
}

/// Keeps what a file holds, opened by the identities of a text, or by a passphrase.
///
/// # Safety
/// The addresses are those of so many bytes; the key is a text in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_age_decrypt(
    key: *const u8,
    key_length: usize,
    is_passphrase: bool,
    file: *const u8,
    length: usize,
) -> u32 {
    // SAFETY: as the caller promises.
    let (key, file) = unsafe { (bytes(key, key_length), bytes(file, length)) };
    answer(decrypted(key, is_passphrase, file))
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "the key is no text".into())
}

fn identities_of(key: &[u8]) -> Result<Vec<Identity>, String> {
    let identities = keys::identities(text(key)?).map_err(|why| format!("identities, {why}"))?;
    if identities.is_empty() { Err("there is no identity".into()) } else { Ok(identities) }
}

fn passphrase(key: &[u8]) -> Result<SecretString, String> {
    let passphrase = text(key)?;
    if passphrase.is_empty() { Err("the passphrase is empty".into()) } else { Ok(passphrase.into()) }
}

fn encrypted(
    key: &[u8],
    is_passphrase: bool,
    is_armored: bool,
    plaintext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, String> {
    let encryptor = if is_passphrase {
        let mut recipient = scrypt::Recipient::new(passphrase(key)?);
        recipient.set_work_factor(WORK);
        Encryptor::with_recipients([&recipient as _].into_iter())
    } else {
        let recipients = keys::recipients(text(key)?).map_err(|why| format!("recipients, {why}"))?;
        Encryptor::with_recipients(recipients.iter().map(|recipient| recipient as _))
    };
    let encryptor = encryptor.map_err(|why| match why {
        EncryptError::IncompatibleRecipients { .. } => {
            "these keys do not go together: one is post-quantum, and another opens the file to a quantum computer"
                .into()
        }
        why => why.to_string(),
    })?;
    let format = if is_armored { Format::AsciiArmor } else { Format::Binary };
    // The header, then a tag for each chunk; lines of armor have 48 bytes.
    let length = key.len().saturating_mul(2).saturating_add(plaintext.len() / 4000 + plaintext.len() + (1 << 12));
    let mut file = room(if is_armored { length.saturating_add(length / 48 * 17) } else { length })?;
    let write = || -> std::io::Result<()> {
        let mut sealed = encryptor.wrap_output(ArmoredWriter::wrap_output(&mut *file, format)?)?;
        sealed.write_all(plaintext)?;
        sealed.finish()?.finish().map(drop)
    };
    write().map_err(|why| why.to_string())?;
    Ok(file)
}

fn decrypted(key: &[u8], is_passphrase: bool, file: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
    let is_armored = source::is_armored(file);
    let file = if is_armored { source::trimmed(file) } else { file };
    // Within bounds: the crate `age` takes quadratic time for a header of many lines.
    let (head, rest) = source::read(file, is_armored, PIECE).map_err(|why| match why.kind() {
        ErrorKind::InvalidData => format!("this is no file of age that is read: {why}"),
        _ => "this is no file of age, or it ends too early".into(),
    })?;
    let header = Decryptor::new_buffered(head.chain(rest)).map_err(|why| refused(&why))?;
    let opened = match (header.is_scrypt(), is_passphrase) {
        (true, false) => return Err("the file is encrypted to a passphrase, not to a key".into()),
        (false, true) => return Err("the file is encrypted to keys, not to a passphrase".into()),
        (true, true) => {
            let mut identity = scrypt::Identity::new(passphrase(key)?);
            identity.set_max_work_factor(WORK_AT_MOST);
            header.decrypt([&identity as _].into_iter()).map_err(|why| match why {
                DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed => "the passphrase is another one".into(),
                why => refused(&why),
            })
        }
        (false, false) => {
            let identities = identities_of(key)?;
            header.decrypt(identities.iter().map(|identity| identity as _)).map_err(|why| refused(&why))
        }
    };
    // A buffer that grows leaves copies.
    let mut plaintext = room(file.len())?;
    let read = opened?.read_to_end(&mut plaintext);
    read.map_err(|_| "the file is damaged, or ends too early: nothing of it was taken".to_owned())?;
    Ok(plaintext)
}

/// Memory for so many bytes.
fn room(length: usize) -> Result<Zeroizing<Vec<u8>>, String> {
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(length);
    reserved.map(|()| Zeroizing::new(bytes)).map_err(|_| format!("there is no memory for {length} bytes"))
}

/// Why a file was not opened.
fn refused(why: &DecryptError) -> String {
    match why {
        DecryptError::NoMatchingKeys => "none of the identities opens the file".into(),
        DecryptError::InvalidMac | DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => {
            "the header of the file was changed".into()
        }
        DecryptError::ExcessiveWork { required, .. } => {
            format!("the passphrase takes work of 2^{required}, and 2^{WORK_AT_MOST} is the most here")
        }
        _ => "this is no file of age, or its header is damaged".into(),
    }
}
