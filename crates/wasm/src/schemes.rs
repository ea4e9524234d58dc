//! ML-KEM, X-Wing and ML-DSA, on arrays of bytes: without the engine's plans the module is small.
//!
//! JavaScript has checked lengths. Functions return 0, or a number of [`Refused`], of which the text is kept.

use crate::{answers::keep, bytes};
use ringwork::{
    ct::scrubbed,
    decode::DecodeError,
    schemes::{
        mldsa::{self, Error, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Mu, TR_BYTES},
        mlkem::{self, MlKem512, MlKem768, MlKem1024, ParameterSet},
    },
    xwing::{self, XWing},
};

/// Why bytes are refused.
#[derive(Clone, Copy)]
enum Refused {
    /// These are no key.
    Key = 1,
    /// A secret key and the public key in it do not belong together.
    Mismatch = 2,
    /// A secret key is damaged.
    Damaged = 3,
    /// A context is too long.
    Context = 4,
    /// This is no signature of the message by the owner of the key.
    Signature = 5,
}

fn answer(outcome: Result<(), Error>) -> u32 {
    let Err(why) = outcome else {
        return 0;
    };
    let number = match why {
        Error::Decode(DecodeError::Mismatch) => Refused::Mismatch,
        Error::Decode(DecodeError::Secret(_)) => Refused::Damaged,
        Error::Decode(_) => Refused::Key,
        Error::Context { .. } => Refused::Context,
        _ => Refused::Signature,
    };
    keep(why);
    number as u32
}

/// Bytes that are read.
///
/// # Safety
/// The address is that of so many bytes.
unsafe fn array<'a, const N: usize>(at: *const u8) -> &'a [u8; N] {
    // SAFETY: as the caller promises.
    unsafe { &*at.cast() }
}

/// Bytes that are written.
///
/// # Safety
/// The address is that of so many bytes, which nothing else is made of.
unsafe fn array_mut<'a, const N: usize>(at: *mut u8) -> &'a mut [u8; N] {
    // SAFETY: as the caller promises.
    unsafe { &mut *at.cast() }
}

/// What every kind of scheme has: numbers for names, lengths, and key pairs.
macro_rules! schemes {
    ($schemes:ident: $number:ident $length:ident $keygen:ident) => {
        /// The number of the scheme of a name; the number of schemes, if there is none.
        ///
        /// # Safety
        /// The address is that of so many bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $number(name: *const u8, length: usize) -> usize {
            // SAFETY: as the caller promises.
            let name = unsafe { bytes(name, length) };
            $schemes.iter().take_while(|scheme| scheme.name.as_bytes() != name).count()
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $length(scheme: usize, of: usize) -> usize {
            $schemes[scheme].lengths[of]
        }

        /// # Safety
        /// The addresses are those of as many bytes as the lengths say.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $keygen(scheme: usize, seed: *const u8, public: *mut u8, secret: *mut u8) {
            // SAFETY: as the caller promises.
            unsafe { ($schemes[scheme].keygen)(seed, public, secret) }
        }
    };
}
schemes!(KEMS: module_kem_number module_kem_length module_kem_keygen);
schemes!(SIGNATURES: module_sig_number module_sig_length module_sig_keygen);

/// A key encapsulation mechanism. Its functions take addresses of as many bytes as its lengths say.
struct Kem {
    name: &'static str,
    /// Bytes of a public key, a secret key, a ciphertext, a seed, and the randomness of an encapsulation.
    lengths: [usize; 5],
    /// Of a seed; writes a public and a secret key.
    keygen: unsafe fn(*const u8, *mut u8, *mut u8),
    /// Of a public key and randomness; writes a ciphertext and a shared key.
    encapsulate: unsafe fn(*const u8, *const u8, *mut u8, *mut u8) -> Result<(), DecodeError>,
    /// Of a secret key and a ciphertext; writes a shared key.
    decapsulate: unsafe fn(*const u8, *const u8, *mut u8) -> Result<(), DecodeError>,
    /// Of a secret key; writes a public key, without a look at the rest.
    public_key: unsafe fn(*const u8, *mut u8),
}

macro_rules! ml_kem {
    ($set:ident) => {
        Kem {
            name: $set::NAME,
            lengths: [
                $set::ENCAPSULATION_KEY_BYTES,
                $set::EXPANDED_KEY_BYTES,
                $set::CIPHERTEXT_BYTES,
                mlkem::SEED_BYTES,
                mlkem::KEY_BYTES,
            ],
            // SAFETY: as the structure says.
            keygen: |seed, public, secret| unsafe {
                $set::keygen_into(array(seed), array_mut(public), array_mut(secret))
            },
            // SAFETY: likewise.
            encapsulate: |public, coins, ciphertext, shared| unsafe {
                $set::encapsulate_into(array(public), array(coins), array_mut(ciphertext), array_mut(shared))
            },
            // SAFETY: likewise.
            decapsulate: |secret, ciphertext, shared| unsafe {
                $set::decapsulate_into(array(secret), array(ciphertext), array_mut(shared))
            },
            // SAFETY: likewise. It stands behind the secret vector.
            public_key: |secret, public| unsafe {
                let key: &[u8; $set::ENCAPSULATION_KEY_BYTES] = array(secret.add(384 * $set::K));
                array_mut::<{ $set::ENCAPSULATION_KEY_BYTES }>(public).copy_from_slice(key);
            },
        }
    };
}

static KEMS: [Kem; 4] = [
    ml_kem!(MlKem512),
    ml_kem!(MlKem768),
    ml_kem!(MlKem1024),
    Kem {
        name: "X-Wing",
        lengths: [
            xwing::PUBLIC_KEY_BYTES,
            xwing::SEED_BYTES,
            xwing::CIPHERTEXT_BYTES,
            xwing::SEED_BYTES,
            xwing::COIN_BYTES,
        ],
        // SAFETY: as the structure says.
        keygen: |seed, public, secret| unsafe {
            let seed = array(seed);
            XWing::keygen_into(seed, array_mut(public));
            array_mut::<{ xwing::SEED_BYTES }>(secret).copy_from_slice(seed);
        },
        // SAFETY: likewise.
        encapsulate: |public, coins, ciphertext, shared| unsafe {
            XWing::encapsulate_into(array(public), array(coins), array_mut(ciphertext), array_mut(shared))
        },
        // SAFETY: likewise.
        decapsulate: |secret, ciphertext, shared| unsafe {
            XWing::decapsulate_into(array(secret), array(ciphertext), array_mut(shared));
            Ok(())
        },
        // SAFETY: likewise.
        public_key: |secret, public| unsafe { XWing::keygen_into(array(secret), array_mut(public)) },
    },
];

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_kem_encapsulate(
    kem: usize,
    public: *const u8,
    coins: *const u8,
    ciphertext: *mut u8,
    shared: *mut u8,
) -> u32 {
    // SAFETY: as the caller promises.
    answer(unsafe { (KEMS[kem].encapsulate)(public, coins, ciphertext, shared) }.map_err(Error::from))
}

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_kem_decapsulate(
    kem: usize,
    secret: *const u8,
    ciphertext: *const u8,
    shared: *mut u8,
) -> u32 {
    // SAFETY: as the caller promises.
    answer(unsafe { (KEMS[kem].decapsulate)(secret, ciphertext, shared) }.map_err(Error::from))
}

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_kem_public_key(kem: usize, secret: *const u8, public: *mut u8) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { (KEMS[kem].public_key)(secret, public) }
    answer(Ok(()))
}

/// A signature scheme. Its functions take addresses of as many bytes as its lengths say.
struct Signatures {
    name: &'static str,
    /// Bytes of a public key, a secret key and a signature.
    lengths: [usize; 3],
    /// Of a seed; writes a public and a secret key.
    keygen: unsafe fn(*const u8, *mut u8, *mut u8),
    /// Of a secret key; writes a public key.
    public_key: unsafe fn(*const u8, *mut u8) -> Result<(), DecodeError>,
    /// The digest of a public key.
    tr: unsafe fn(*const u8) -> [u8; TR_BYTES],
    /// Of a secret key, a representative and randomness; writes a signature.
    sign: unsafe fn(*const u8, &Mu, *const u8, *mut u8) -> Result<(), Error>,
    /// Of a public key, a representative and a signature.
    verify: unsafe fn(*const u8, &Mu, *const u8) -> Result<(), Error>,
}

macro_rules! ml_dsa {
    ($set:ident) => {
        Signatures {
            name: $set::PARAMETERS.name,
            lengths: [
                $set::PARAMETERS.public_key_bytes(),
                $set::PARAMETERS.secret_key_bytes(),
                $set::PARAMETERS.signature_bytes(),
            ],
            // SAFETY: as the structure says.
            keygen: |seed, public, secret| unsafe {
                $set::keygen_into(array(seed), array_mut(public), array_mut(secret))
            },
            // SAFETY: likewise.
            public_key: |secret, public| unsafe { $set::public_into(array(secret), array_mut(public)) },
            // SAFETY: likewise.
            tr: |public| unsafe { $set::tr(array(public)) },
            // SAFETY: likewise.
            sign: |secret, mu, random, signature| unsafe {
                $set::sign_mu_into(array(secret), mu, array(random), array_mut(signature))
            },
            // SAFETY: likewise.
            verify: |public, mu, signature| unsafe { $set::verify_mu_arrays(array(public), mu, array(signature)) },
        }
    };
}

static SIGNATURES: [Signatures; 3] = [ml_dsa!(MlDsa44), ml_dsa!(MlDsa65), ml_dsa!(MlDsa87)];

/// Where tr is in a secret key: behind ρ and K.
const TR_IN_SECRET: usize = 64;

/// The representative of a message: of itself with a context; `MU`: it is one; `FORMATTED`: it is M', which has its
/// context inside.
///
/// # Safety
/// The addresses are those of so many bytes.
unsafe fn representative(
    tr: &[u8; TR_BYTES],
    form: u32,
    [message, context]: [(*const u8, usize); 2],
) -> Result<Mu, Error> {
    // SAFETY: as the caller promises.
    let (message, context) = unsafe { (bytes(message.0, message.1), bytes(context.0, context.1)) };
    match form {
        FORMATTED => Ok(mldsa::arrays::mu_internal(tr, &[message])),
        MU => Ok(*message.first_chunk().expect("JavaScript has checked the length")),
        _ => {
            let mut mu = mldsa::arrays::mu_builder(tr, context)?;
            mu.update(message);
            Ok(mu.finish())
        }
    }
}

const MU: u32 = 1;
const FORMATTED: u32 = 2;

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn module_sig_public_key(sig: usize, secret: *const u8, public: *mut u8) -> u32 {
    // SAFETY: as the caller promises.
    answer(unsafe { (SIGNATURES[sig].public_key)(secret, public) }.map_err(Error::from))
}

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "JavaScript has no structures")]
pub unsafe extern "C" fn module_sig_sign(
    sig: usize,
    form: u32,
    message: *const u8,
    message_length: usize,
    context: *const u8,
    context_length: usize,
    secret: *const u8,
    random: *const u8,
    signature: *mut u8,
) -> u32 {
    // The representative of a secret message is a secret.
    // SAFETY: as the caller promises.
    answer(scrubbed(|| unsafe {
        let tr = array(secret.add(TR_IN_SECRET));
        representative(tr, form, [(message, message_length), (context, context_length)])
            .and_then(|mu| (SIGNATURES[sig].sign)(secret, &mu, random, signature))
    }))
}

/// # Safety
/// The addresses are those of as many bytes as the lengths say.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "JavaScript has no structures")]
pub unsafe extern "C" fn module_sig_verify(
    sig: usize,
    form: u32,
    message: *const u8,
    message_length: usize,
    context: *const u8,
    context_length: usize,
    public: *const u8,
    signature: *const u8,
) -> u32 {
    // SAFETY: as the caller promises.
    answer(unsafe {
        let tr = (SIGNATURES[sig].tr)(public);
        representative(&tr, form, [(message, message_length), (context, context_length)])
            .and_then(|mu| (SIGNATURES[sig].verify)(public, &mu, signature))
    })
}
