//! What checks of schemes share: every backend of this machine, and keys as bytes.

use super::{Trouble, compare};
use crate::plans::machine_backends;
use ringwork::{Backend, kem::Scheme};
use std::fmt::Display;
use zeroize::Zeroizing;

/// Checks on every backend of this machine: how many there are.
pub(super) fn each_backend(mut check: impl FnMut(Backend) -> Result<(), Trouble>) -> Result<usize, Trouble> {
    machine_backends().try_fold(0, |count, backend| check(backend).map(|()| count + 1))
}

/// Refuses keys whose bytes differ from those of a test; those bytes, public and secret.
pub(super) fn compare_keys<S: Scheme>(
    scheme: &S,
    (secret, public): &(S::SecretKey, S::PublicKey),
    [of_public, of_secret]: [&str; 2],
    who: &dyn Display,
) -> Result<(Vec<u8>, Zeroizing<Vec<u8>>), Trouble> {
    let bytes = (scheme.public_key_to_bytes(public), scheme.secret_key_to_bytes(secret));
    compare(&bytes.0, of_public, "public_key", who)?;
    compare(&bytes.1, of_secret, "secret_key", who)?;
    Ok(bytes)
}
